/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_RAY_WALK_H
#define ACP_GEOM_RAY_WALK_H

#include "geom/bsp_format.h"

/* Walking a tree along a segment, nearest part first: shared by segments (radius 0) and sweeps. Ours, not retail.
 *
 * A node's side is entered when the part of the segment in question comes within `margin` of it: the radius, and SLACK for polygons that
 * are not quite planar (11 AUT-1) or lie in a splitting plane (AUT-7: listed on either side). Node spheres are not consulted. A walk
 * holds at most one waiting part per level. */

#define ACP_RAY_SLACK 1e-3

typedef struct acp_ray_part {
    uint32_t child;
    double from; /* fractions of the segment */
    double to;
} acp_ray_part;

typedef struct acp_ray_walk {
    const acp_bsp *bsp;
    acp_vec3 start;
    acp_vec3 end;
    double margin;
    uint32_t top;
    acp_ray_part stack[ACP_BSP_MAX_DEPTH + 1];
} acp_ray_walk;

static inline void acp_ray_walk_begin(acp_ray_walk *walk, const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, double radius) {
    walk->bsp = bsp;
    walk->start = start;
    walk->end = end;
    walk->margin = radius + ACP_RAY_SLACK;
    walk->stack[0] = (acp_ray_part){bsp->root, 0.0, 1.0};
    walk->top = 1;
}

/* The next leaf with polygons whose part begins at or before `limit`, or null at the end. */
static inline const acp_bsp_leaf *acp_ray_walk_next(acp_ray_walk *walk, double limit) {
    while (walk->top > 0) {
        acp_ray_part part = walk->stack[--walk->top];
        while (part.from <= limit) {
            if (part.child & ACP_BSP_CHILD_LEAF) {
                if (part.child & ACP_BSP_CHILD_EMPTY) break;
                return acp_bsp_leaf_of(walk->bsp, part.child);
            }
            const acp_bsp_node *node = acp_bsp_node_of(walk->bsp, part.child);
            double d0 = acp_plane_distance(&node->plane, walk->start), d1 = acp_plane_distance(&node->plane, walk->end);
            double rise = d1 - d0;
            double a = d0 + rise * part.from, b = d0 + rise * part.to;
            double margin = walk->margin + 1e-9 * (fabs(d0) + fabs(d1));
            double lowest = a < b ? a : b, highest = a < b ? b : a;
            if (lowest > margin) {
                part.child = node->positive;
                continue;
            }
            if (highest < -margin) {
                part.child = node->negative;
                continue;
            }
            /* Both sides: near is where the part begins; each gets the part within the margin of it. */
            acp_ray_part near_part = part, far_part = part;
            bool is_positive_near = a >= 0.0;
            near_part.child = is_positive_near ? node->positive : node->negative;
            far_part.child = is_positive_near ? node->negative : node->positive;
            double toward = is_positive_near ? -rise : rise; /* how fast the far side is approached */
            if (toward > 0.0) {
                double distance = is_positive_near ? d0 : -d0;
                double enter = (distance - margin) / toward, leave = (distance + margin) / toward;
                if (enter > far_part.from) far_part.from = enter;
                if (leave < near_part.to) near_part.to = leave;
            }
            walk->stack[walk->top++] = far_part;
            part = near_part;
        }
    }
    return NULL;
}

#endif
