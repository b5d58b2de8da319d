/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_POLYGON_H
#define ACP_GEOM_BSP_POLYGON_H

#include "geom/bsp_format.h"
#include "geom/polygon_edge.h"

/* The sphere test of a tree's polygon: POLY-9 with the bits of acp_polygon_hits_sphere_precise. The slab test and the contact point are
 * the exact expressions; the first pass (is the contact point inside?) is decided four edges at a time in binary32 where it can be.
 *
 * Bound for the first pass. Exact: t = (q - prev) . c in binary64. Filter: t' = c'.q + k' with c' = c rounded (x and y are stored values
 * already), k' = -(c.prev) rounded, binary32. With C = max |c'_i|, K >= max |k'| + 2^-19 C max |prev|_1 (the second part pays for the
 * binary64 rounding of sums that cancel) and S = C |q|_1 + K: rounding c costs u S, k' u S, the evaluation 4u/(1-4u) S; together below the
 * 8u S of acp_filter_error. All lanes above the bound: inside. Any lane below minus the bound: the first pass fails. Otherwise, or when a
 * sum overflows, the exact pass decides. */

/* POLY-6 on a stored point, exact. */
static ACP_COLD bool acp_bsp_polygon_contains_exact(const acp_bsp_polygon_record *record, const acp_vec3 *points, acp_vec3 q) {
    acp_polygon view = {record->plane, points, record->point_count, 0, 0};
    return acp_polygon_contains_point(&view, q);
}

static inline bool acp_bsp_polygon_contains(const acp_bsp *bsp, const acp_bsp_polygon_record *record, acp_vec3 q) {
    const acp_plane_group *group = acp_bsp_edge_groups(bsp) + record->first_edge_group;
    const acp_plane_group *end = group + acp_bsp_group_count(record->point_count);
    float error = acp_filter_error(&record->edge_bounds, acp_filter_reach(q));
    const acp_lane4 bound = acp_lane4_set(error), minus_bound = acp_lane4_set(-error);
    const acp_lane4 x = acp_lane4_set(q.x), y = acp_lane4_set(q.y), z = acp_lane4_set(q.z);
    uint32_t inside = 0xFu;
    for (; group < end; group++) {
        acp_lane4 t = acp_plane_group_distance(group, x, y, z);
        if (acp_lane4_mask_less(t, minus_bound)) return false;
        inside &= acp_lane4_mask_greater(t, bound);
    }
    if (inside == 0xFu) return true;
    return acp_bsp_polygon_contains_exact(record, acp_bsp_points(bsp) + record->first_point, q);
}

/* Is the contact point surely too far from every edge for the second pass to say yes?
 *
 * The second pass says yes at an edge only: when the point is within R = sqrt(limit) of one of its ends, or outside of it by at most R and
 * along it between its ends. A regular polygon has a unit normal N (its square to 1e-6), its points on its plane to 1 mm and within 4096 m,
 * no edge shorter than 4 cm; the point q, moved by no more than 100 m along N, is on the plane to 1 mm too. In the axes N x e, N and the
 * edge's own direction f in the plane, q has from the edge's point with the same f the components t/|c| (at most R when the edge says yes)
 * and at most 4 mm; and f lies between those of the ends but for 0.2 mm (an edge rises by at most 2 mm in 4 cm). Stored differences are off
 * by 2^-24 of themselves, 1.5 mm for all together. So q is within R and 6 mm of the box of the points; here it is farther than R from that
 * box widened by 1 cm, in binary32 (off by 0.5 mm, and by 2^-21 of R, which is below 100 m). */
static inline bool acp_bsp_polygon_is_far(const acp_bsp_polygon_record *record, const acp_vec3 *points, acp_vec3 q, double moved,
                                          float limit) {
    if (record->is_irregular || !(acp_filter_reach(q) < ACP_BSP_REGULAR_REACH && fabs(moved) < 100.0 && limit < 10000.0f)) return false;
    /* x, y, z and what follows: the next point's x, or behind the last point of all the edges, which are part of the block. */
    acp_lane4 low = acp_lane4_load_anywhere(&points[0].x), high = low;
    for (uint32_t i = 1; i < record->point_count; i++) {
        acp_lane4 p = acp_lane4_load_anywhere(&points[i].x);
        low = acp_lane4_min(low, p);
        high = acp_lane4_max(high, p);
    }
    _Alignas(16) float out[4] = {q.x, q.y, q.z, 0.0f};
    acp_lane4 at = acp_lane4_load(out), beyond = acp_lane4_max(acp_lane4_subtract(low, at), acp_lane4_subtract(at, high));
    beyond = acp_lane4_max(acp_lane4_subtract(beyond, acp_lane4_set(0.01f)), acp_lane4_set(0.0f));
    acp_lane4_store(out, acp_lane4_multiply(beyond, beyond));
    return (out[2] + out[1]) + out[0] > limit;
}

/* POLY-9. The caller has excluded never-hit polygons (their planes are NaN: no filter lets them through). *contact is written once the
 * slab test has passed. */
static inline bool acp_bsp_polygon_hits_sphere(const acp_bsp *bsp, const acp_bsp_polygon_record *record, const acp_sphere *sphere,
                                               acp_vec3 *contact) {
    const acp_plane *plane = &record->plane;
    acp_vec3 c = sphere->center;
    double dp = acp_plane_distance(plane, c);
    double reach = (double)sphere->radius - ACP_EPSILON_F64;
    if (!(reach >= fabs(dp))) return false;
    contact->x = acp_f32((double)c.x - dp * (double)plane->normal.x);
    contact->y = acp_f32((double)c.y - dp * (double)plane->normal.y);
    contact->z = acp_f32((double)c.z - acp_stored(dp * (double)plane->normal.z));
    if (acp_bsp_polygon_contains(bsp, record, *contact)) return true;
    float limit = acp_f32(reach * reach - dp * dp);
    const acp_vec3 *points = acp_bsp_points(bsp) + record->first_point;
    if (acp_bsp_polygon_is_far(record, points, *contact, dp, limit)) return false;
    return acp_edge_walk(plane, points, record->point_count, *contact, limit, true);
}

#endif
