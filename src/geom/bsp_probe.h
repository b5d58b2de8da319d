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

static ACP_COLD uint32_t acp_bsp_probe_sides_exact(const acp_plane *plane, const acp_sphere *sphere, double reach) {
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

static ACP_COLD bool acp_bsp_probe_is_behind_exact(const acp_plane *plane, const acp_sphere *sphere) {
    return acp_plane_distance(plane, sphere->center) < 0.0;
}

/* Is the centre behind the plane (t < 0)? */
static inline bool acp_bsp_probe_is_behind(const acp_bsp_probe *probe, const acp_plane *plane, const acp_sphere *sphere) {
    float t = acp_bsp_probe_distance(probe, plane);
    if (acp_filter_abs(t) > probe->error) return t < 0.0f;
    return acp_bsp_probe_is_behind_exact(plane, sphere);
}

/* The nodes of the spine that do not certainly have the whole sphere in front of them. None: only the spine is visited, which ends in an
 * empty leaf, and there is nothing to be found, whatever the nodes' spheres say. */
static inline uint32_t acp_bsp_probe_spine(const acp_bsp *bsp, const acp_bsp_probe *probe) {
    const acp_plane_group *group = acp_bsp_spine_groups(bsp);
    const acp_lane4 x = acp_lane4_set(probe->x), y = acp_lane4_set(probe->y), z = acp_lane4_set(probe->z);
    const acp_lane4 above = acp_lane4_set(probe->above);
    uint32_t near = 0, count = acp_bsp_spine_length(bsp), i = 0;
    do {
        near |= (acp_lane4_mask_less_equal(above, acp_plane_group_distance(group++, x, y, z)) ^ 0xFu) << i;
        i += 4;
    } while (i < count);
    return near;
}

#define ACP_BSP_NO_SPINE UINT32_MAX
static inline uint32_t acp_bsp_probe_near(const acp_bsp *bsp, const acp_bsp_probe *probe) {
    return bsp->spine ? acp_bsp_probe_spine(bsp, probe) : ACP_BSP_NO_SPINE;
}

/* The walk down a spine, of which only the nodes `near` need be looked at: the negative children that it enters, the deepest on top, which
 * is where it goes on. False: not decided, to be walked node by node. A sphere that misses the one sphere of all the nodes enters none. */
static inline bool acp_bsp_descend(const acp_bsp *bsp, const acp_bsp_probe *probe, const acp_sphere *sphere, uint32_t near, uint32_t *stack,
                                   uint32_t *top) {
    const acp_bsp_node *node = acp_bsp_nodes(bsp);
    if (!acp_filter_sphere_intersects(&node->sphere, sphere)) return true;
    uint32_t count = 0;
    for (; near != 0; near >>= 1, node++) {
        if (!(near & 1u)) continue;
        float t = acp_bsp_probe_distance(probe, &node->plane);
        stack[count++] = node->negative;
        if (acp_filter_abs(t) < probe->cross) continue;
        if (!(t <= -probe->above)) return false;
        break; /* the positive side is not visited */
    }
    *top = count;
    return true;
}

/* The flag for the half of the centre, on the first entry of a descent whose node has it behind; without one the centre goes to the empty
 * leaf. A node whose positive side is not visited has the centre behind. */
static inline void acp_bsp_mark_center(const acp_bsp *bsp, const acp_bsp_probe *probe, const acp_sphere *sphere, uint32_t *stack,
                                       uint32_t top) {
    const acp_bsp_node *node = acp_bsp_nodes(bsp);
    for (uint32_t i = 0; i < top; i++, node++) {
        while (node->negative != stack[i])
            node++;
        if (!acp_bsp_probe_is_behind(probe, &node->plane, sphere)) continue;
        stack[i] |= ACP_BSP_CHILD_FLAG;
        return;
    }
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
