/* SPDX-License-Identifier: MIT */
/* A sphere swept through a physics tree: plain geometry, ours, not retail (retail sweeps in steps, specs 03 §11 and 06).
 *
 * Contract (acphys/geom.h): the first moment at which the distance between centre and some polygon (its face, edges and corners) is no more
 * than the radius; 0 when that is so at the start. Binary64 throughout, no tolerances. With front faces only, polygons whose plane has the
 * centre behind it at the start do not exist.
 *
 * Per polygon: overlap at the start by the distance to its nearest point; the face by the moment at which the centre is one radius from the
 * plane; edges as cylinders and corners as spheres by quadratic equations, skipped when the face is met (nothing can come earlier then).
 * The walk is that of segments with the radius as margin. No allocation. Cost: the leaves within reach of the path. */
#include <math.h>
#include <stddef.h>

#include "geom/ray_walk.h"
#include "geom/vector64.h"

typedef struct sweep {
    acp_vector64 start;
    acp_vector64 way;
    double radius;
    double fraction;    /* best so far */
    acp_vector64 point; /* of contact */
    uint32_t polygon;
    bool is_found;
    bool is_front;
} sweep;

static void offer(sweep *s, double fraction, acp_vector64 point, uint32_t ordinal, bool is_front) {
    if (s->is_found && (fraction > s->fraction || (fraction == s->fraction && ordinal >= s->polygon))) return;
    s->fraction = fraction;
    s->point = point;
    s->polygon = ordinal;
    s->is_found = true;
    s->is_front = is_front;
}

/* Is a point of the plane within the polygon, edges included? */
static bool is_inside(const acp_polygon *polygon, acp_vector64 p) {
    acp_vector64 n = acp_vector64_of(polygon->plane.normal);
    acp_vector64 prev = acp_vector64_of(polygon->points[polygon->point_count - 1]);
    for (uint32_t i = 0; i < polygon->point_count; i++) {
        acp_vector64 cur = acp_vector64_of(polygon->points[i]);
        if (acp_vector64_dot(acp_vector64_cross(n, acp_vector64_minus(cur, prev)), acp_vector64_minus(p, prev)) < 0.0) return false;
        prev = cur;
    }
    return true;
}

static acp_vector64 nearest_on_edge(acp_vector64 a, acp_vector64 b, acp_vector64 p) {
    acp_vector64 e = acp_vector64_minus(b, a);
    double length2 = acp_vector64_dot(e, e);
    double t = length2 > 0.0 ? acp_vector64_dot(acp_vector64_minus(p, a), e) / length2 : 0.0;
    return acp_vector64_along(a, e, t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t));
}

/* The nearest point of the polygon to p, `d` from its plane. */
static acp_vector64 nearest_point(const acp_polygon *polygon, acp_vector64 p, double d) {
    acp_vector64 foot = acp_vector64_along(p, acp_vector64_of(polygon->plane.normal), -d);
    if (is_inside(polygon, foot)) return foot;
    acp_vector64 best = acp_vector64_of(polygon->points[0]);
    double best2 = INFINITY;
    acp_vector64 prev = acp_vector64_of(polygon->points[polygon->point_count - 1]);
    for (uint32_t i = 0; i < polygon->point_count; i++) {
        acp_vector64 cur = acp_vector64_of(polygon->points[i]);
        acp_vector64 q = nearest_on_edge(prev, cur, p);
        double d2 = acp_vector64_dot(acp_vector64_minus(p, q), acp_vector64_minus(p, q));
        if (d2 < best2) {
            best2 = d2;
            best = q;
        }
        prev = cur;
    }
    return best;
}

/* First root of a t^2 + 2 b t + c = 0 in [0, 1]; false when there is none, and when it begins inside (c <= 0): inside an edge's endless
 * cylinder but beyond its ends, a corner is met first. */
static bool first_root(double a, double b, double c, double *out_t) {
    if (!(a > 0.0) || b >= 0.0 || c <= 0.0) return false;
    double discriminant = b * b - a * c;
    if (discriminant < 0.0) return false;
    *out_t = c / (-b + sqrt(discriminant));
    return *out_t <= 1.0;
}

/* An edge as a cylinder, and its first end as a sphere. */
static void sweep_edge(sweep *s, acp_vector64 a, acp_vector64 b, uint32_t ordinal, bool is_front) {
    acp_vector64 m = acp_vector64_minus(s->start, a), e = acp_vector64_minus(b, a);
    double r2 = s->radius * s->radius, t;
    if (first_root(acp_vector64_dot(s->way, s->way), acp_vector64_dot(m, s->way), acp_vector64_dot(m, m) - r2, &t))
        offer(s, t, a, ordinal, is_front);
    double length2 = acp_vector64_dot(e, e);
    if (!(length2 > 0.0)) return;
    /* Components across the edge, scaled by its length. */
    acp_vector64 mc = acp_vector64_cross(m, e), wc = acp_vector64_cross(s->way, e);
    if (!first_root(acp_vector64_dot(wc, wc), acp_vector64_dot(mc, wc), acp_vector64_dot(mc, mc) - r2 * length2, &t)) return;
    double place = acp_vector64_dot(acp_vector64_along(m, s->way, t), e);
    if (place >= 0.0 && place <= length2) offer(s, t, acp_vector64_along(a, e, place / length2), ordinal, is_front);
}

static void sweep_polygon(sweep *s, const acp_polygon *polygon, acp_vec3 start, acp_vec3 end, acp_ray_sides sides) {
    if (!acp_polygon_is_usable(polygon)) return;
    double d0 = acp_plane_distance(&polygon->plane, start), d1 = acp_plane_distance(&polygon->plane, end);
    bool is_front = d0 >= 0.0;
    if (!is_front && sides == ACP_RAY_FRONT_FACES) return;
    if ((d0 > s->radius && d1 > s->radius) || (d0 < -s->radius && d1 < -s->radius)) return;
    acp_vector64 nearest = nearest_point(polygon, s->start, d0);
    acp_vector64 gap = acp_vector64_minus(s->start, nearest);
    if (acp_vector64_dot(gap, gap) <= s->radius * s->radius) {
        offer(s, 0.0, nearest, polygon->id, is_front);
        return;
    }
    double sign = is_front ? 1.0 : -1.0;
    if (d0 * sign > s->radius) {
        double t = (d0 * sign - s->radius) / ((d0 - d1) * sign);
        acp_vector64 foot =
            acp_vector64_along(acp_vector64_along(s->start, s->way, t), acp_vector64_of(polygon->plane.normal), -s->radius * sign);
        if (is_inside(polygon, foot)) {
            offer(s, t, foot, polygon->id, is_front);
            return;
        }
    }
    acp_vector64 prev = acp_vector64_of(polygon->points[polygon->point_count - 1]);
    for (uint32_t i = 0; i < polygon->point_count; i++) {
        acp_vector64 cur = acp_vector64_of(polygon->points[i]);
        sweep_edge(s, prev, cur, polygon->id, is_front);
        prev = cur;
    }
}

static bool is_finite_vec3(acp_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

/* The hit in its public form. */
static acp_bsp_hit finish(const acp_bsp *bsp, const sweep *s) {
    acp_bsp_hit hit = {.fraction = s->fraction, .polygon = s->polygon, .is_front = s->is_front};
    hit.point = acp_vec3_make(s->point.x, s->point.y, s->point.z);
    acp_vector64 out = acp_vector64_minus(acp_vector64_along(s->start, s->way, s->fraction), s->point);
    double length = sqrt(acp_vector64_dot(out, out));
    acp_polygon polygon = acp_bsp_polygon(bsp, s->polygon);
    acp_vector64 normal = acp_vector64_of(polygon.plane.normal);
    bool is_face = length == 0.0 || fabs(acp_vector64_dot(out, normal)) >= length * (1.0 - 1e-9);
    hit.normal = is_face ? polygon.plane.normal : acp_vec3_make(out.x / length, out.y / length, out.z / length);
    return hit;
}

acp_result acp_bsp_sweep_first_hit(const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, float radius, acp_ray_sides sides,
                                   acp_bsp_hit *out_hit, int32_t *out_found) {
    if (bsp == NULL || out_hit == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!is_finite_vec3(start) || !is_finite_vec3(end) || !isfinite(radius)) return ACP_ERROR_NOT_FINITE;
    if (radius < 0.0f) return ACP_ERROR_OUT_OF_RANGE;
    sweep s = {.start = acp_vector64_of(start),
               .way = acp_vector64_minus(acp_vector64_of(end), acp_vector64_of(start)),
               .radius = (double)radius,
               .fraction = 1.0};
    acp_ray_walk walk;
    acp_ray_walk_begin(&walk, bsp, start, end, (double)radius);
    const acp_bsp_leaf *leaf;
    while ((leaf = acp_ray_walk_next(&walk, s.fraction)) != NULL) {
        for (uint32_t i = 0; i < leaf->polygon_count; i++) {
            uint32_t ordinal = acp_bsp_leaf_groups(bsp)[leaf->first_group + i / 4u].polygons[i % 4u];
            if (!acp_bsp_is_named_polygon(bsp, ordinal)) continue;
            acp_polygon polygon = acp_bsp_polygon(bsp, ordinal);
            sweep_polygon(&s, &polygon, start, end, sides);
        }
    }
    *out_found = s.is_found;
    if (s.is_found) *out_hit = finish(bsp, &s);
    return ACP_OK;
}
