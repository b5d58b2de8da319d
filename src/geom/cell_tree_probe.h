/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_CELL_TREE_PROBE_H
#define ACP_GEOM_CELL_TREE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "geom/cell_tree.h"
#include "geom/filter.h"
#include "geom/lane4.h"

/* The block behind acp_cell_tree and the yes-or-no questions that floods ask of it, in line: the filter of geom/cell_tree.c, which answers
 * itself when a lane is within the bound. Arguments come by address, so that a point just computed is read as it was stored. */

#define ACP_CELL_PAD ((double)0x1.47ae14p-7f) /* CELL_PAD, 0x3C23D70A */

/* Header, groups of four, then the planes as read. */
struct acp_cell_tree {
    uint32_t magic;
    uint32_t version;
    uint32_t size;
    uint32_t plane_count;
    uint32_t group_count; /* 0: no tree, contains nothing (CBSP-4c) */
    uint32_t reserved;
    acp_filter_bounds bounds;
};
_Static_assert(sizeof(struct acp_cell_tree) == 32, "cell tree header");

static inline const acp_plane_group *acp_cell_tree_groups(const acp_cell_tree *tree) {
    return (const acp_plane_group *)(const void *)(tree + 1);
}

/* CBSP-1. */
static inline bool acp_cell_tree_has_point(const acp_cell_tree *tree, const acp_vec3 *point) {
    if (tree == NULL || tree->group_count == 0) return false;
    const float error = acp_filter_error(&tree->bounds, acp_filter_reach(*point));
    const acp_lane4 x = acp_lane4_set(point->x), y = acp_lane4_set(point->y), z = acp_lane4_set(point->z);
    const acp_lane4 inside = acp_lane4_set(error - ACP_EPSILON), outside = acp_lane4_set(-error - ACP_EPSILON);
    const acp_plane_group *group = acp_cell_tree_groups(tree), *end = group + tree->group_count;
    do {
        acp_lane4 t = acp_plane_group_distance(group, x, y, z);
        if (acp_lane4_mask_greater(t, inside) == 0xFu) continue;
        if (acp_lane4_mask_less(t, outside)) return false;
        return acp_cell_tree_contains_point(tree, *point);
    } while (++group < end);
    return true;
}

/* CBSP-2 without the difference of partly and entirely. */
static inline bool acp_cell_tree_meets_sphere(const acp_cell_tree *tree, const acp_sphere *sphere) {
    if (tree == NULL || tree->group_count == 0) return false;
    const float radius = acp_f32((double)sphere->radius + ACP_CELL_PAD);
    const float error =
        acp_filter_error(&tree->bounds, acp_filter_reach(sphere->center)) + (float)(8.0 * ACP_FILTER_UNIT) * acp_filter_abs(radius);
    const acp_lane4 x = acp_lane4_set(sphere->center.x), y = acp_lane4_set(sphere->center.y), z = acp_lane4_set(sphere->center.z);
    const acp_lane4 inside = acp_lane4_set(error - radius), outside = acp_lane4_set(-(radius + error));
    const acp_plane_group *group = acp_cell_tree_groups(tree), *end = group + tree->group_count;
    do {
        acp_lane4 t = acp_plane_group_distance(group, x, y, z);
        if (acp_lane4_mask_less(t, outside)) return false;
        if (acp_lane4_mask_greater(t, inside) == 0xFu) continue;
        return acp_cell_tree_intersects_sphere(tree, sphere) != ACP_BOUNDING_OUTSIDE;
    } while (++group < end);
    return true;
}

#endif
