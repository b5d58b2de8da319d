/* SPDX-License-Identifier: MIT */
/* The tree of a soup: which items stand together.
 *
 * From the top: the items of a node are cut in two, and the larger parts again, until there are `width` children or nothing is left to cut;
 * a part of one kind with no more than `width` items is a leaf. A cut is made where the sum over both sides of (surface of the box) x
 * (groups of `width` needed) is least, over all places between items sorted by the middles of their boxes, on each axis: the usual estimate
 * of what a walk will cost. The first of several equal ones is taken and equal middles are ordered by item, so the same items give the same
 * tree everywhere. Below CAREFUL_LEVELS levels the middle of the list is taken instead, which bounds the depth.
 *
 * Ours, not retail. Memory: 16 bytes of keys, 8 of areas, 4 of order and 100 of nodes an item, freed by the caller. Cost: n log n for each
 * level of a cut. No recursion. */
#include "geom/soup_plan.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geom/soup_format.h"
#include "math/number.h"

enum { CAREFUL_LEVELS = 40 };

typedef struct task {
    uint32_t node; /* whose children are to be made */
    uint32_t level;
} task;

static float component(acp_vec3 v, uint32_t axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }

/* The middle of a box on an axis, as a number that sorts like it, with the item below it. */
static uint64_t sort_key(const acp_soup_plan *plan, uint32_t item, uint32_t axis) {
    const acp_box *box = &plan->boxes[item];
    float middle = (float)(((double)component(box->min, axis) + (double)component(box->max, axis)) * 0.5) + 0.0f;
    uint32_t bits;
    memcpy(&bits, &middle, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | item;
}

/* Merge sort of keys[0 .. count) with as many of scratch behind them; the result stands in keys. */
static void sort_keys(uint64_t *keys, uint64_t *scratch, uint32_t count) {
    uint64_t *from = keys, *to = scratch;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t begin = 0; begin < count; begin += 2 * width) {
            uint32_t middle = begin + width < count ? begin + width : count;
            uint32_t end = begin + 2 * width < count ? begin + 2 * width : count;
            uint32_t a = begin, b = middle;
            for (uint32_t out = begin; out < end; out++)
                to[out] = a < middle && (b >= end || from[a] <= from[b]) ? from[a++] : from[b++];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) memcpy(keys, from, (size_t)count * sizeof *keys);
}

/* Sorts a part's items on an axis into keys. */
static void sort_part(acp_soup_plan *plan, const acp_soup_plan_part *part, uint32_t axis) {
    for (uint32_t i = 0; i < part->count; i++)
        plan->keys[i] = sort_key(plan, plan->refs[part->first + i], axis);
    sort_keys(plan->keys, plan->keys + plan->item_count, part->count);
}

static double groups(const acp_soup_plan *plan, uint32_t count) { return (double)((count + plan->width - 1u) / plan->width); }

/* The cheapest place to cut the sorted keys: how many items go to the first side. */
static uint32_t best_cut(acp_soup_plan *plan, uint32_t count, double *out_cost) {
    acp_box box = plan->boxes[(uint32_t)plan->keys[count - 1]];
    for (uint32_t i = count - 1; i > 0; i--) {
        box = acp_soup_join(box, plan->boxes[(uint32_t)plan->keys[i]]);
        plan->areas[i] = acp_soup_half_surface(box) * groups(plan, count - i);
    }
    uint32_t best = 1;
    *out_cost = -1.0;
    box = plan->boxes[(uint32_t)plan->keys[0]];
    for (uint32_t i = 1; i < count; i++) {
        double cost = acp_soup_half_surface(box) * groups(plan, i) + plan->areas[i];
        if (*out_cost < 0.0 || cost < *out_cost) {
            *out_cost = cost;
            best = i;
        }
        box = acp_soup_join(box, plan->boxes[(uint32_t)plan->keys[i]]);
    }
    return best;
}

static void cut(acp_soup_plan *plan, const acp_soup_plan_part *part, uint32_t level, acp_soup_plan_part out_parts[2]) {
    uint32_t axis = 0, at = part->count / 2;
    double least = -1.0;
    for (uint32_t i = 0; i < 3 && level < CAREFUL_LEVELS; i++) {
        double cost;
        sort_part(plan, part, i);
        uint32_t place = best_cut(plan, part->count, &cost);
        if (least < 0.0 || cost < least) {
            least = cost;
            axis = i;
            at = place;
        }
    }
    sort_part(plan, part, axis);
    for (uint32_t i = 0; i < part->count; i++)
        plan->refs[part->first + i] = (uint32_t)plan->keys[i];
    out_parts[0] = (acp_soup_plan_part){part->first, at, ACP_SOUP_PLAN_LEAF};
    out_parts[1] = (acp_soup_plan_part){part->first + at, part->count - at, ACP_SOUP_PLAN_LEAF};
}

static bool is_leaf(const acp_soup_plan *plan, const acp_soup_plan_part *part) {
    if (part->count > plan->width) return false;
    for (uint32_t i = 1; i < part->count; i++)
        if (plan->kinds[plan->refs[part->first + i]] != plan->kinds[plan->refs[part->first]]) return false;
    return true;
}

/* The child to be cut next: the one with the largest surface among those that are no leaves; `width` = none. */
static uint32_t widest(const acp_soup_plan *plan, const acp_soup_plan_node *node) {
    uint32_t best = plan->width;
    double most = -1.0;
    for (uint32_t i = 0; i < node->child_count; i++) {
        const acp_soup_plan_part *part = &node->children[i];
        if (is_leaf(plan, part)) continue;
        double surface = acp_soup_half_surface(acp_soup_plan_box(plan, part));
        if (surface > most) {
            most = surface;
            best = i;
        }
    }
    return best;
}

/* Makes the children of a node whose one child is the whole part. */
static void fill_node(acp_soup_plan *plan, acp_soup_plan_node *node, uint32_t level) {
    while (node->child_count < plan->width) {
        uint32_t chosen = widest(plan, node);
        if (chosen == plan->width) return;
        acp_soup_plan_part parts[2];
        cut(plan, &node->children[chosen], level, parts);
        node->children[chosen] = parts[0];
        node->children[node->child_count++] = parts[1];
    }
}

static uint32_t new_node(acp_soup_plan *plan, const acp_soup_plan_part *part) {
    acp_soup_plan_node *node = &plan->nodes[plan->node_count];
    *node = (acp_soup_plan_node){.children = {*part}, .child_count = 1};
    return plan->node_count++;
}

static void make_tree(acp_soup_plan *plan) {
    task stack[(ACP_SOUP_PLAN_WIDTH - 1) * ACP_SOUP_LEVELS + 1];
    uint32_t top = 0;
    plan->root = (acp_soup_plan_part){0, plan->item_count, ACP_SOUP_PLAN_LEAF};
    if (is_leaf(plan, &plan->root)) return;
    plan->root.node = new_node(plan, &plan->root);
    stack[top++] = (task){plan->root.node, 1};
    while (top != 0) {
        task now = stack[--top];
        acp_soup_plan_node *node = &plan->nodes[now.node];
        if (now.level > plan->levels) plan->levels = now.level;
        fill_node(plan, node, now.level);
        for (uint32_t i = 0; i < node->child_count; i++) {
            acp_soup_plan_part *child = &node->children[i];
            if (is_leaf(plan, child)) continue;
            child->node = new_node(plan, child);
            stack[top++] = (task){child->node, now.level + 1};
        }
    }
}

static void widen(float *low, float *high) {
    *low = acp_f32((double)*low - (fabs((double)*low) * 0x1p-22 + 1e-6));
    *high = acp_f32((double)*high + (fabs((double)*high) * 0x1p-22 + 1e-6));
}

acp_box acp_soup_plan_wide_box(const acp_soup_plan *plan, const acp_soup_plan_part *part) {
    acp_box box = acp_soup_plan_box(plan, part);
    widen(&box.min.x, &box.max.x);
    widen(&box.min.y, &box.max.y);
    widen(&box.min.z, &box.max.z);
    return box;
}

static void count_group(const acp_soup_plan *plan, const acp_soup_plan_part *part, uint32_t *triangles, uint32_t *rounds) {
    if (part->node != ACP_SOUP_PLAN_LEAF) return;
    if (plan->kinds[plan->refs[part->first]] == ACP_SOUP_TRIANGLE)
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

bool acp_soup_plan_create(acp_soup_plan *plan, const acp_box *boxes, const uint8_t *kinds, uint32_t item_count, uint32_t width,
                          const acp_allocator *allocator) {
    *plan = (acp_soup_plan){.boxes = boxes, .kinds = kinds, .item_count = item_count, .width = width};
    plan->allocator = acp_memory_allocator(allocator);
    plan->refs = ACP_MEMORY_NEW_ARRAY(&plan->allocator, uint32_t, item_count);
    plan->nodes = ACP_MEMORY_NEW_ARRAY(&plan->allocator, acp_soup_plan_node, item_count);
    plan->keys = ACP_MEMORY_NEW_ARRAY(&plan->allocator, uint64_t, 2 * (size_t)item_count);
    plan->areas = ACP_MEMORY_NEW_ARRAY(&plan->allocator, double, item_count);
    if (!plan->refs || !plan->nodes || !plan->keys || !plan->areas) {
        acp_soup_plan_destroy(plan);
        return false;
    }
    for (uint32_t i = 0; i < item_count; i++)
        plan->refs[i] = i;
    make_tree(plan);
    return true;
}

void acp_soup_plan_destroy(acp_soup_plan *plan) {
    ACP_MEMORY_DELETE_ARRAY(&plan->allocator, uint32_t, plan->refs, plan->item_count);
    ACP_MEMORY_DELETE_ARRAY(&plan->allocator, acp_soup_plan_node, plan->nodes, plan->item_count);
    ACP_MEMORY_DELETE_ARRAY(&plan->allocator, uint64_t, plan->keys, 2 * (size_t)plan->item_count);
    ACP_MEMORY_DELETE_ARRAY(&plan->allocator, double, plan->areas, plan->item_count);
}
