/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_CLEAR_H
#define ACP_GEOM_BSP_CLEAR_H

#include "geom/bsp_format.h"

/* A question asked before the others: can a query of these spheres find anything in the tree? */

/* True: every query of geom/bsp.h with one of the spheres answers "nothing" and writes nothing: at each node of the spine the whole sphere
 * is in front, and the spine ends in an empty leaf. In front means t >= r - EPS for the exact distance t and the radius r. Here
 * t' >= r - EPS/2, with t' the distance in binary32, which is off by the error of geom/filter.h, and the right side rounded, which is off
 * by 2^-24 r; both together are required to be below EPS/2. A mover at rest on a floor is in front of it. False: nothing is known. */
static inline bool acp_bsp_is_clear(const acp_bsp *bsp, const acp_sphere *spheres, uint32_t count) {
    if (bsp->spine == 0) return false;
    const acp_plane_group *end = acp_bsp_spine_groups(bsp) + acp_bsp_group_count(acp_bsp_spine_length(bsp));
    for (uint32_t i = 0; i < count; i++) {
        acp_vec3 c = spheres[i].center;
        float radius = spheres[i].radius;
        if (!(acp_filter_error(&bsp->bounds, acp_filter_reach(c)) + radius * 0x1p-23f < 0.499f * ACP_EPSILON)) return false;
        const acp_lane4 x = acp_lane4_set(c.x), y = acp_lane4_set(c.y), z = acp_lane4_set(c.z),
                        above = acp_lane4_set(radius - 0.5f * ACP_EPSILON);
        for (const acp_plane_group *group = acp_bsp_spine_groups(bsp); group < end; group++)
            if (acp_lane4_mask_less_equal(above, acp_plane_group_distance(group, x, y, z)) != 0xFu) return false;
    }
    return true;
}

#endif
