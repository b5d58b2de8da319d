/* SPDX-License-Identifier: MIT */
/* Writing the wide tree of a soup: eight children a node, eight items a leaf (geom/soup_format.h). Ours, not retail.
 *
 * The children of a node are put in the order of what they promise a walk that stops at the first thing met and opens the last child
 * first: (surface of the items) / (surface of the box) is about the chance that a line through the box is stopped in it, and a node costs
 * several steps where a leaf costs one (NODE_COST). Of equal ones the plan's order stays.
 *
 * Triangles are written for the filter: a corner, both edges and the normal, each number the binary64 one rounded once, with bounds of
 * their magnitudes; where the corners themselves stand is told by `places`. Bounds are taken a little above and never 0, which stands for
 * underflow. Cost: one pass over the items for each level of the tree; no memory. */
#include <math.h>

#include "geom/soup_wide.h"
#include "geom/vector64.h"
#include "math/number.h"

static const double NODE_COST = 4.0;

static acp_vector64 corner_of(const acp_soup_source *s, uint32_t ordinal, uint32_t corner) {
    return acp_vector64_of(s->vertices[s->triangles[3 * (size_t)ordinal + corner]]);
}

static acp_vector64 edge_of(const acp_soup_source *s, uint32_t ordinal, uint32_t to) {
    return acp_vector64_minus(corner_of(s, ordinal, to), corner_of(s, ordinal, 0));
}

static double greatest_component(acp_vector64 v) {
    double most = fabs(v.x) > fabs(v.y) ? fabs(v.x) : fabs(v.y);
    return fabs(v.z) > most ? fabs(v.z) : most;
}

/* The surface that an item turns to lines, in the measure of half surfaces of boxes. */
static double item_surface(const acp_soup_wide_source *from, uint32_t item) {
    const acp_soup_halves *halves = from->plan->halves;
    if (halves->kinds[item] != ACP_SOUP_TRIANGLE) return acp_soup_half_surface(halves->boxes[item]);
    uint32_t ordinal = from->ordinals[item];
    acp_vector64 area = acp_vector64_cross(edge_of(from->source, ordinal, 1), edge_of(from->source, ordinal, 2));
    return sqrt(acp_vector64_dot(area, area));
}

static double promise_of(const acp_soup_wide_source *from, const acp_soup_plan_part *part) {
    double sum = 0.0;
    for (uint32_t i = 0; i < part->count; i++)
        sum += item_surface(from, from->plan->halves->refs[part->first + i]);
    double surface = acp_soup_half_surface(acp_soup_halves_box(from->plan->halves, part->first, part->count)) + 1e-6;
    return sum / (surface * (part->node == ACP_SOUP_PLAN_LEAF ? 1.0 : NODE_COST));
}

static void set_lane(float rows[3][8], uint32_t lane, acp_vector64 v) {
    rows[0][lane] = acp_f32(v.x);
    rows[1][lane] = acp_f32(v.y);
    rows[2][lane] = acp_f32(v.z);
}

static void write_triangles(const acp_soup_wide_source *from, const acp_soup_plan_part *part, acp_soup_wide_triangles *group) {
    group->lanes = (1u << part->count) - 1u;
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t item = from->plan->halves->refs[part->first + (lane < part->count ? lane : 0)], ordinal = from->ordinals[item];
        acp_vector64 first = edge_of(from->source, ordinal, 1), second = edge_of(from->source, ordinal, 2);
        acp_vector64 normal = acp_vector64_cross(first, second);
        double edge = greatest_component(first), other = greatest_component(second);
        set_lane(group->corner, lane, corner_of(from->source, ordinal, 0));
        set_lane(group->first, lane, first);
        set_lane(group->second, lane, second);
        set_lane(group->normal, lane, normal);
        group->greatest_normal[lane] = acp_f32(greatest_component(normal) * (1.0 + 0x1p-20) + 1e-37);
        group->greatest_edge[lane] = acp_f32((edge > other ? edge : other) * (1.0 + 0x1p-20) + 1e-37);
        group->places[lane] = from->places[item];
    }
}

static void write_rounds(const acp_soup_wide_source *from, const acp_soup_plan_part *part, acp_soup_wide_rounds *group) {
    group->lanes = (1u << part->count) - 1u;
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t item = from->plan->halves->refs[part->first + (lane < part->count ? lane : 0)], ordinal = from->ordinals[item];
        acp_cylsphere given = acp_soup_round_given(from->source, from->plan->halves->kinds[item] == ACP_SOUP_SPHERE, ordinal);
        set_lane(group->center, lane, acp_vector64_of(given.low_point));
        group->radius[lane] = given.radius;
        group->height[lane] = given.height;
    }
}

typedef struct written {
    uint32_t triangles, rounds; /* groups so far */
} written;

static uint32_t write_part(const acp_soup_wide_source *from, const acp_soup_plan_part *part, written *done, acp_soup *soup) {
    if (part->node != ACP_SOUP_PLAN_LEAF) return ACP_SOUP_CHILD(part->node, ACP_SOUP_CHILD_NODE);
    uint8_t kind = from->plan->halves->kinds[from->plan->halves->refs[part->first]];
    char *block = (char *)soup;
    if (kind == ACP_SOUP_TRIANGLE) {
        write_triangles(from, part, (acp_soup_wide_triangles *)(void *)(block + soup->wide_triangles_at) + done->triangles);
        return ACP_SOUP_CHILD(done->triangles++, 1u + kind);
    }
    write_rounds(from, part, (acp_soup_wide_rounds *)(void *)(block + soup->wide_rounds_at) + done->rounds);
    return ACP_SOUP_CHILD(done->rounds++, 1u + kind);
}

/* The children's ordinals, the least promising first. */
static void order_children(const acp_soup_wide_source *from, const acp_soup_plan_node *node, uint32_t out_order[8]) {
    double promises[8];
    for (uint32_t i = 0; i < node->child_count; i++) {
        double promise = promise_of(from, &node->children[i]);
        uint32_t at = i;
        for (; at > 0 && promises[at - 1] > promise; at--) {
            promises[at] = promises[at - 1];
            out_order[at] = out_order[at - 1];
        }
        promises[at] = promise;
        out_order[at] = i;
    }
}

static void write_node(const acp_soup_wide_source *from, uint32_t ordinal, written *done, acp_soup *soup) {
    const acp_soup_plan_node *plan_node = &from->plan->nodes[ordinal];
    acp_soup_wide_node *node = (acp_soup_wide_node *)(void *)((char *)soup + soup->wide_nodes_at) + ordinal;
    uint32_t order[8];
    order_children(from, plan_node, order);
    for (uint32_t lane = 0; lane < 8; lane++) {
        acp_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        node->children[lane] = ACP_SOUP_CHILD_NONE;
        if (lane < plan_node->child_count) {
            const acp_soup_plan_part *part = &plan_node->children[order[lane]];
            box = acp_soup_plan_wide_box(from->plan, part);
            node->children[lane] = write_part(from, part, done, soup);
        }
        set_lane(node->bounds[0], lane, acp_vector64_of(box.min));
        set_lane(node->bounds[1], lane, acp_vector64_of(box.max));
    }
}

void acp_soup_wide_write(const acp_soup_wide_source *from, acp_soup *soup) {
    written done = {0, 0};
    if (from->plan->node_count == 0) {
        soup->wide_root = write_part(from, &from->plan->root, &done, soup);
        return;
    }
    soup->wide_root = ACP_SOUP_CHILD(0, ACP_SOUP_CHILD_NODE);
    for (uint32_t i = 0; i < from->plan->node_count; i++)
        write_node(from, i, &done, soup);
}
