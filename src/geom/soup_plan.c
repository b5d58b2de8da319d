/* SPDX-License-Identifier: MIT */
/* The trees of a soup: which children and items stand together, for any number of children a node.
 *
 * The halves of geom/soup_halves.c, items cut in two down to single ones, are gathered into nodes so that the expected steps of a walk are
 * least: a line that meets a box meets a box in it with a chance of about the ratio of their surfaces, so a node or leaf costs its surface.
 * From the bottom, for each half and each number of places in a node: the least cost of showing it in that many places, as itself (a
 * leaf, if it may be one, or a node over its own best parting) or parted between its two halves. From the top, the choices are read
 * back. Equal costs keep the first choice in a fixed order, so the same items give the same tree everywhere.
 *
 * Ours, not retail. Memory: 100 bytes of nodes an item until the plan is destroyed, and 144 of costs an item while it is made. Cost: the
 * square of the width for each half. No recursion; depth is bounded by that of the halves. */
#include "geom/soup_plan.h"

#include <math.h>

#include "base/memory.h"
#include "geom/soup_format.h"
#include "math/number.h"

/* What a half costs in up to j places, cost[j - 1], and how it is shown: 0 in fewer places (in one: as itself), else the places of its
 * first half. parting[width - 1] is that of its own node. */
typedef struct choice {
    double cost[ACP_SOUP_PLAN_WIDTH - 1];
    uint8_t parting[ACP_SOUP_PLAN_WIDTH];
    bool is_leaf;
} choice;

typedef struct task {
    uint32_t half;
    uint32_t node; /* whose children it is to give */
    uint32_t level;
} task;

typedef struct place {
    uint32_t half;
    uint32_t places;
} place;

/* The least cost of both halves in `places` places together, and how many the first has. */
static double best_parting(const choice *first, const choice *second, uint32_t places, uint8_t *out_parting) {
    double least = INFINITY;
    for (uint32_t k = 1; k < places; k++) {
        double cost = first->cost[k - 1] + second->cost[places - k - 1];
        if (cost < least) {
            least = cost;
            *out_parting = (uint8_t)k;
        }
    }
    return least;
}

static void choose(const acp_soup_plan *plan, choice *choices, uint32_t ordinal) {
    const acp_soup_half *half = &plan->halves->nodes[ordinal];
    choice *own = &choices[ordinal];
    *own = (choice){.is_leaf = half->count <= plan->width && !half->is_mixed};
    own->cost[0] = half->surface;
    if (half->second == 0) {
        for (uint32_t j = 1; j < ACP_SOUP_PLAN_WIDTH - 1; j++)
            own->cost[j] = own->cost[0];
        return;
    }
    const choice *first = &choices[ordinal + 1], *second = &choices[half->second];
    double node = half->surface + best_parting(first, second, plan->width, &own->parting[plan->width - 1]);
    if (!own->is_leaf) own->cost[0] = node; /* a leaf costs no more than a node */
    for (uint32_t j = 2; j < plan->width; j++) {
        uint8_t parting = 0;
        double parted = best_parting(first, second, j, &parting);
        bool is_better = parted < own->cost[j - 2];
        own->cost[j - 1] = is_better ? parted : own->cost[j - 2];
        own->parting[j - 1] = is_better ? parting : 0;
    }
}

/* The children of the node over a half, in the order of the halves. */
static void fill_node(const acp_soup_plan *plan, const choice *choices, uint32_t half, acp_soup_plan_node *node, uint32_t out_halves[]) {
    place stack[ACP_SOUP_PLAN_WIDTH + 1];
    uint32_t top = 0, parting = choices[half].parting[plan->width - 1];
    stack[top++] = (place){plan->halves->nodes[half].second, plan->width - parting};
    stack[top++] = (place){half + 1, parting};
    while (top != 0) {
        place now = stack[--top];
        const choice *own = &choices[now.half];
        const acp_soup_half *at = &plan->halves->nodes[now.half];
        while (now.places > 1 && own->parting[now.places - 1] == 0)
            now.places--;
        if (now.places == 1) {
            out_halves[node->child_count] = now.half;
            node->children[node->child_count++] = (acp_soup_plan_part){at->first, at->count, ACP_SOUP_PLAN_LEAF};
            continue;
        }
        uint32_t first = own->parting[now.places - 1];
        stack[top++] = (place){at->second, now.places - first};
        stack[top++] = (place){now.half + 1, first};
    }
}

static void make_tree(acp_soup_plan *plan, const choice *choices) {
    task stack[(ACP_SOUP_PLAN_WIDTH - 1) * ACP_SOUP_LEVELS + 1];
    uint32_t top = 0;
    plan->root = (acp_soup_plan_part){0, plan->halves->item_count, ACP_SOUP_PLAN_LEAF};
    if (choices[0].is_leaf) return;
    plan->root.node = plan->node_count++;
    stack[top++] = (task){0, plan->root.node, 1};
    while (top != 0) {
        task now = stack[--top];
        uint32_t halves[ACP_SOUP_PLAN_WIDTH];
        acp_soup_plan_node *node = &plan->nodes[now.node];
        *node = (acp_soup_plan_node){.child_count = 0};
        if (now.level > plan->levels) plan->levels = now.level;
        fill_node(plan, choices, now.half, node, halves);
        for (uint32_t i = 0; i < node->child_count; i++) {
            if (choices[halves[i]].is_leaf) continue;
            node->children[i].node = plan->node_count++;
            stack[top++] = (task){halves[i], node->children[i].node, now.level + 1};
        }
    }
}

static void widen(float *low, float *high) {
    *low = acp_f32((double)*low - (fabs((double)*low) * 0x1p-22 + 1e-6));
    *high = acp_f32((double)*high + (fabs((double)*high) * 0x1p-22 + 1e-6));
}

acp_box acp_soup_plan_wide_box(const acp_soup_plan *plan, const acp_soup_plan_part *part) {
    acp_box box = acp_soup_halves_box(plan->halves, part->first, part->count);
    widen(&box.min.x, &box.max.x);
    widen(&box.min.y, &box.max.y);
    widen(&box.min.z, &box.max.z);
    return box;
}

static void count_group(const acp_soup_plan *plan, const acp_soup_plan_part *part, uint32_t *triangles, uint32_t *rounds) {
    if (part->node != ACP_SOUP_PLAN_LEAF) return;
    if (plan->halves->kinds[plan->halves->refs[part->first]] == ACP_SOUP_TRIANGLE)
        (*triangles)++;
    else
        (*rounds)++;
}

void acp_soup_plan_count_groups(const acp_soup_plan *plan, uint32_t *out_triangles, uint32_t *out_rounds) {
    *out_triangles = *out_rounds = 0;
    count_group(plan, &plan->root, out_triangles, out_rounds);
    for (uint32_t i = 0; i < plan->node_count; i++)
        for (uint32_t k = 0; k < plan->nodes[i].child_count; k++)
            count_group(plan, &plan->nodes[i].children[k], out_triangles, out_rounds);
}

bool acp_soup_plan_create(acp_soup_plan *plan, const acp_soup_halves *halves, uint32_t width, const acp_allocator *allocator) {
    *plan = (acp_soup_plan){.halves = halves, .width = width};
    plan->allocator = acp_memory_allocator(allocator);
    plan->nodes = ACP_MEMORY_NEW_ARRAY(&plan->allocator, acp_soup_plan_node, halves->item_count);
    choice *choices = ACP_MEMORY_NEW_ARRAY(&plan->allocator, choice, halves->half_count);
    bool is_done = plan->nodes && choices;
    if (is_done) {
        for (uint32_t i = halves->half_count; i-- > 0;)
            choose(plan, choices, i);
        make_tree(plan, choices);
    }
    ACP_MEMORY_DELETE_ARRAY(&plan->allocator, choice, choices, halves->half_count);
    if (!is_done) acp_soup_plan_destroy(plan);
    return is_done;
}

void acp_soup_plan_destroy(acp_soup_plan *plan) {
    ACP_MEMORY_DELETE_ARRAY(&plan->allocator, acp_soup_plan_node, plan->nodes, plan->halves->item_count);
}
