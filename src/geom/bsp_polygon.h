/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_POLYGON_H
#define ACP_GEOM_BSP_POLYGON_H

#include "geom/bsp_format.h"
#include "geom/polygon_edge.h"

/* The sphere test of a tree's polygon: POLY-9 with the bits of acp_polygon_hits_sphere_precise. The slab test and the contact point are
 * the exact expressions; the first pass (is the contact point inside?) is decided four edges at a time in binary32 where it can be, and the
 * second is left out where it can only say no.
 *
 * Bound for the first pass. Exact: t = (q - prev) . c in binary64. Filter: t' = c'.q + k' with c' = c rounded (x and y are stored values
 * already), k' = -(c.prev) rounded, binary32. With C = max |c'_i|, K >= max |k'| + 2^-19 C max |prev|_1 (the second part pays for the
 * binary64 rounding of sums that cancel) and S = C |q|_1 + K: rounding c costs u S, k' u S, the evaluation 4u/(1-4u) S; together below the
 * 8u S of acp_filter_error. All lanes above the bound: inside. Any lane below minus the bound: the first pass fails. Otherwise, or when a
 * sum overflows, the exact pass decides.
 *
 * The second pass says yes at an edge only when q is within R = sqrt(limit) of one of its ends, or outside of it by at most R and along it
 * between its ends. A regular polygon has a unit normal N (its square to 1e-6), its points on its plane to 1 mm and within
 * ACP_BSP_REGULAR_REACH, no edge shorter than 4 cm, and goes once around, turning left at every point by 0.06 to 179 degrees: along the
 * plane it is convex. For q as far as that on its plane to 1 mm and R below 100 m: in the axes N x e, N and the edge's own direction f in
 * the plane, q has from the edge's point with the same f the components t/|c| (at most R when the edge says yes) and at most 4 mm; f lies
 * between those of the ends but for 0.2 mm (an edge rises by at most 2 mm in 4 cm), and differences are rounded by 0.2 mm. So a yes means
 * that a point of the polygon is within R and 6 mm of q: q is outside of no edge by R and 1 cm. */

/* POLY-6 on a stored point, exact. */
static ACP_COLD bool acp_bsp_polygon_contains_exact(const acp_bsp_polygon_record *record, const acp_vec3 *points, acp_vec3 q) {
    acp_polygon view = {record->plane, points, record->point_count, 0, 0};
    return acp_polygon_contains_point(&view, q);
}

static inline bool acp_bsp_polygon_is_regular(const acp_bsp_polygon_record *record) { return record->box.low[0] > -INFINITY; }

typedef enum acp_bsp_place { ACP_BSP_OUTSIDE, ACP_BSP_INSIDE, ACP_BSP_FAR_OUTSIDE } acp_bsp_place;

static inline bool acp_bsp_is_in_reach(const acp_sphere *sphere) {
    return acp_filter_reach(sphere->center) < ACP_BSP_REGULAR_REACH && sphere->radius < 100.0f;
}

/* Is q, which is `t` (to `bound`) on the inner side of a group's edges, outside of one by R and 1 cm? */
static inline bool acp_bsp_is_far_outside(const acp_plane_group *group, acp_lane4 t, acp_lane4 bound, float limit, float radius) {
    /* (R + 1 cm)^2 is at most this, for R is at most the radius; the roundings are paid for. */
    acp_lane4 far2 = acp_lane4_set(limit * 1.0001f + (0.0201f * radius + 0.00011f)), beyond = acp_lane4_add(t, bound);
    uint32_t is_far = acp_lane4_mask_less(acp_lane4_multiply(acp_plane_group_square(group), far2), acp_lane4_multiply(beyond, beyond));
    return (is_far & acp_lane4_mask_less(beyond, acp_lane4_set(0.0f))) != 0;
}

/* FAR_OUTSIDE: neither pass says yes. */
static inline acp_bsp_place acp_bsp_polygon_place(const acp_bsp *bsp, const acp_bsp_polygon_record *record, acp_vec3 q, float limit,
                                                  const acp_sphere *sphere) {
    const acp_plane_group *group = acp_bsp_edge_groups(bsp) + record->first_edge_group;
    const acp_plane_group *end = group + acp_bsp_group_count(record->point_count);
    float error = acp_filter_error(&record->edge_bounds, acp_filter_reach(q));
    const acp_lane4 bound = acp_lane4_set(error), minus_bound = acp_lane4_set(-error);
    const acp_lane4 x = acp_lane4_set(q.x), y = acp_lane4_set(q.y), z = acp_lane4_set(q.z);
    uint32_t inside = 0xFu;
    for (; group < end; group++) {
        acp_lane4 t = acp_plane_group_distance(group, x, y, z);
        if (acp_lane4_mask_less(t, minus_bound)) {
            bool is_far = acp_bsp_polygon_is_regular(record) && acp_bsp_is_far_outside(group, t, bound, limit, sphere->radius) &&
                          acp_bsp_is_in_reach(sphere);
            return is_far ? ACP_BSP_FAR_OUTSIDE : ACP_BSP_OUTSIDE;
        }
        inside &= acp_lane4_mask_greater(t, bound);
    }
    if (inside == 0xFu) return ACP_BSP_INSIDE;
    return acp_bsp_polygon_contains_exact(record, acp_bsp_points(bsp) + record->first_point, q) ? ACP_BSP_INSIDE : ACP_BSP_OUTSIDE;
}

/* Is a sphere too far from the polygon's box to hit it? For one whose centre c is within ACP_BSP_REGULAR_REACH and whose radius is below
 * 100 m; q = c - dp N then is on the plane to 1 mm. A regular polygon is hit in two ways:
 * (1) every edge has q on its inner side. Let q be beyond all points in some direction f of the plane, by b, and v the outermost point in
 * that direction. The edges at v turn left there, so what lies inside both does not reach beyond v; as rounded, an edge lets a point pass
 * that is outside of it by up to 12 * 2^-24 of the distance from its first point, so less than 0.9 mm, which moves the tip of a corner of
 * angle a by 0.9 mm / sin(a / 2): b is no more.
 * (2) the second pass says yes: a point of the polygon is within R and 6 mm of q.
 * So q is within R and s = max(0.9 mm / sin(a / 2) + 1 mm, 6 mm) of the box, a its sharpest corner; c, at dp from q along N with
 * dp^2 + R^2 at most the radius squared, within the radius and s + 3 mm (for what q is off the plane). Here c is farther than the radius
 * from the box widened by 13 mm + 0.9 mm / sin(a / 2), in binary32, off by below 0.2 mm. */
static inline bool acp_bsp_box_is_beyond(const acp_bsp_box *box, acp_lane4 at, float limit2) {
    _Alignas(16) float out[4];
    acp_lane4 beyond = acp_lane4_max(acp_lane4_subtract(acp_lane4_load(box->low), at), acp_lane4_subtract(at, acp_lane4_load(box->high)));
    beyond = acp_lane4_max(beyond, acp_lane4_set(0.0f));
    acp_lane4_store(out, acp_lane4_multiply(beyond, beyond));
    return (out[2] + out[1]) + out[0] > limit2;
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
    float limit = acp_f32(reach * reach - dp * dp);
    acp_bsp_place place = acp_bsp_polygon_place(bsp, record, *contact, limit, sphere);
    if (place != ACP_BSP_OUTSIDE) return place == ACP_BSP_INSIDE;
    return acp_edge_walk(plane, acp_bsp_points(bsp) + record->first_point, record->point_count, *contact, limit, true);
}

#endif
