/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_PROBE_H
#define ACP_GEOM_BSP_PROBE_H

#include "geom/bsp_format.h"

/* The decisions at nodes and leaves that do not depend on the query (spec 03 §10.2): in binary32 where a bound proves them, else exact. */

/* What a query keeps of its sphere: thresholds for decisions in binary32 (geom/filter.h). */
typedef struct acp_bsp_probe {
    float x, y, z;
    float above; /* distance >= this: certainly >= reach; its negative likewise below */
    float cross; /* |distance| < this: certainly straddling */
    float error; /* |distance| > this: its sign is certain */
} acp_bsp_probe;

static inline acp_bsp_probe acp_bsp_probe_of(const acp_bsp *bsp, acp_vec3 center, double exact_reach) {
    float reach = acp_f32(exact_reach);
    float error = acp_filter_error(&bsp->bounds, acp_filter_reach(center));
    float margin = error + (float)(8.0 * ACP_FILTER_UNIT) * acp_filter_abs(reach);
    /* A sphere too small for a filter: always exact. */
    bool is_small = !(reach > margin);
    return (acp_bsp_probe){center.x, center.y, center.z, is_small ? INFINITY : reach + margin, is_small ? -INFINITY : reach - margin,
                           error};
}

static inline float acp_bsp_probe_distance(const acp_bsp_probe *probe, const acp_plane *plane) {
    return (plane->normal.z * probe->z + plane->d) + (plane->normal.y * probe->y + plane->normal.x * probe->x);
}

static ACP_FILTER_COLD uint32_t acp_bsp_probe_sides_exact(const acp_plane *plane, const acp_sphere *sphere, double reach) {
    double exact = acp_plane_distance(plane, sphere->center);
    if (exact >= reach) return 1u;
    return exact <= -reach ? 2u : 3u;
}

/* §10.2 rule 3: bit 0: the positive side is to be visited, bit 1: the negative side. */
static inline uint32_t acp_bsp_probe_sides(const acp_bsp_probe *probe, const acp_plane *plane, const acp_sphere *sphere, double reach) {
    float t = acp_bsp_probe_distance(probe, plane);
    if (t >= probe->above) return 1u;
    if (acp_filter_abs(t) < probe->cross) return 3u;
    if (t <= -probe->above) return 2u;
    return acp_bsp_probe_sides_exact(plane, sphere, reach);
}

static ACP_FILTER_COLD bool acp_bsp_probe_is_behind_exact(const acp_plane *plane, const acp_sphere *sphere) {
    return acp_plane_distance(plane, sphere->center) < 0.0;
}

/* Is the centre behind the plane (t < 0)? */
static inline bool acp_bsp_probe_is_behind(const acp_bsp_probe *probe, const acp_plane *plane, const acp_sphere *sphere) {
    float t = acp_bsp_probe_distance(probe, plane);
    if (acp_filter_abs(t) > probe->error) return t < 0.0f;
    return acp_bsp_probe_is_behind_exact(plane, sphere);
}

/* The lanes of a group whose slab test might pass. */
static inline uint32_t acp_bsp_probe_candidates(const acp_bsp_probe *probe, const acp_bsp_leaf_group *group) {
    acp_lane4 t = acp_plane_group_distance(&group->planes, acp_lane4_set(probe->x), acp_lane4_set(probe->y), acp_lane4_set(probe->z));
    return acp_lane4_mask_less_equal(acp_lane4_abs(t), acp_lane4_set(probe->above));
}

static inline uint32_t acp_bsp_lowest_lane(uint32_t mask) {
    static const uint8_t lanes[16] = {4, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    return lanes[mask];
}

#endif
