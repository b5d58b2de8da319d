/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_PLAN_H
#define ACP_GEOM_SOUP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/geom.h"
#include "geom/filter.h"

/* How items are to be grouped: the shape of a soup's tree before its block is written. */

enum { ACP_SOUP_PLAN_WIDTH = 8 }; /* children of a node at most */

/* A leaf: items refs[first .. first + count), all of one kind. A node: up to `width` children. */
typedef struct acp_soup_plan_part {
    uint32_t first;
    uint32_t count;
    uint32_t node; /* ordinal of the node, or ACP_SOUP_PLAN_LEAF */
} acp_soup_plan_part;

#define ACP_SOUP_PLAN_LEAF UINT32_MAX

typedef struct acp_soup_plan_node {
    acp_soup_plan_part children[ACP_SOUP_PLAN_WIDTH];
    uint32_t child_count;
} acp_soup_plan_node;

typedef struct acp_soup_plan {
    const acp_box *boxes; /* of the items */
    const uint8_t *kinds; /* ACP_SOUP_* of the items */
    uint32_t item_count;
    uint32_t width; /* children of a node and items of a leaf at most */
    uint32_t node_count;
    uint32_t levels;
    acp_soup_plan_part root;
    uint32_t *refs;            /* items in the order of the leaves */
    acp_soup_plan_node *nodes; /* parents before children */
    uint64_t *keys;            /* scratch of the splits: two times item_count */
    double *areas;             /* scratch of the splits */
    acp_allocator allocator;
} acp_soup_plan;

/* The smallest box about both. */
static inline acp_box acp_soup_join(acp_box a, acp_box b) {
    acp_box out = {{acp_filter_min(a.min.x, b.min.x), acp_filter_min(a.min.y, b.min.y), acp_filter_min(a.min.z, b.min.z)},
                   {acp_filter_max(a.max.x, b.max.x), acp_filter_max(a.max.y, b.max.y), acp_filter_max(a.max.z, b.max.z)}};
    return out;
}

/* Half the surface of a box. */
static inline double acp_soup_half_surface(acp_box b) {
    double x = (double)b.max.x - (double)b.min.x, y = (double)b.max.y - (double)b.min.y, z = (double)b.max.z - (double)b.min.z;
    return (x * y + y * z) + z * x;
}

/* The smallest box about all items of a part. */
static inline acp_box acp_soup_plan_box(const acp_soup_plan *plan, const acp_soup_plan_part *part) {
    acp_box box = plan->boxes[plan->refs[part->first]];
    for (uint32_t i = 1; i < part->count; i++)
        box = acp_soup_join(box, plan->boxes[plan->refs[part->first + i]]);
    return box;
}

/* The box of a part for a walk: wider by what its rounding may cost (geom/soup_format.h). */
acp_box acp_soup_plan_wide_box(const acp_soup_plan *plan, const acp_soup_plan_part *part);

/* Leaves of triangles and of others. */
void acp_soup_plan_count_groups(const acp_soup_plan *plan, uint32_t *out_triangles, uint32_t *out_rounds);

/* Plans a tree over items, `width` (2 to ACP_SOUP_PLAN_WIDTH) children a node and items a leaf; `boxes` and `kinds` are borrowed. False
 * when memory is refused; nothing is held then. item_count > 0. */
bool acp_soup_plan_create(acp_soup_plan *plan, const acp_box *boxes, const uint8_t *kinds, uint32_t item_count, uint32_t width,
                          const acp_allocator *allocator);
void acp_soup_plan_destroy(acp_soup_plan *plan);

#endif
