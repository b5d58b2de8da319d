/* SPDX-License-Identifier: MIT */
/* A sphere swept through a soup: plain geometry, ours, not retail (retail sweeps in steps, specs 03 §11 and 06).
 *
 * Contract (acphys/soup.h): the first moment at which the distance between the centre and a triangle (face, edges, corners), a sphere or a
 * cylsphere is no more than the radius; 0 when that is so at the start. Binary64, no tolerances, but for the rims of cylspheres, which are
 * met within 1e-11 m.
 *
 * Triangles: the face by the moment at which the centre is one radius from the plane, edges as cylinders and corners as spheres by
 * quadratic equations. Cylspheres: wall and caps likewise; a rim by Newton's steps on the distance, which is convex along a line, so that
 * steps from before the contact never pass it. Before, four items at a time are tried in binary32: a triangle is left out when both ends
 * of the way are farther than the radius behind one of its edges or on one side of its plane; a round body when the nearest point of the
 * way is too far. Bounds of the planes: geom/filter.h, with `plane_width`. Bound of the rounds: at any t the squared distance is no less
 * than the least one, t is off by less than 2^-20 |m| / |d|, which costs less than 2^-40 |m|^2, and the evaluation less than 16 u
 * (|m| + |d|)^2; 2^-17 (|m|^2 + |d|^2) covers both.
 *
 * No allocation; 2 KB of stack. Cost: the boxes within reach of the way. */
#include <math.h>
#include <stddef.h>

#include "geom/soup_hit.h"
#include "geom/soup_walk.h"

typedef struct sweep {
    acp_vector64 from;
    acp_vector64 way;
    double radius;
    double length2;
    acp_ray_sides sides;
    acp_soup_best best;
    float start[3], end[3], rough[3]; /* the last: the way in binary32 */
    float inverse[2];                 /* of the squared length: in all, and across the vertical; 0 where it is of no use */
    float doubt[2];                   /* what of |m|^2 + |d|^2 a squared distance by it may be wrong by */
    float plane_limit;                /* the radius and what the planes' filter may be wrong by */
} sweep;

/* ---- filters ---- */

static inline acp_lane4 distance_at(const acp_plane_group *planes, const float p[3]) {
    return acp_plane_group_distance(planes, acp_lane4_set(p[0]), acp_lane4_set(p[1]), acp_lane4_set(p[2]));
}

static inline uint32_t near_triangles(const sweep *s, const acp_soup_planes *planes, uint32_t lanes) {
    acp_lane4 at_start = distance_at(&planes->face, s->start), at_end = distance_at(&planes->face, s->end);
    acp_lane4 apart =
        acp_lane4_max(acp_lane4_min(at_start, at_end), acp_lane4_subtract(acp_lane4_set(0.0f), acp_lane4_max(at_start, at_end)));
    uint32_t out = acp_lane4_mask_greater(apart, acp_lane4_set(s->plane_limit));
    for (int edge = 0; edge < 3 && out != 0xFu; edge++) {
        acp_lane4 beyond = acp_lane4_min(distance_at(&planes->edges[edge], s->start), distance_at(&planes->edges[edge], s->end));
        out |= acp_lane4_mask_greater(beyond, acp_lane4_set(s->plane_limit));
    }
    return ~out & lanes;
}

/* Spheres in three dimensions, cylspheres in the two across their axis. */
static inline uint32_t near_rounds(const sweep *s, const acp_soup_rounds *group, int axes) {
    acp_lane4 m[3], along = acp_lane4_set(0.0f), square = along, way2 = along;
    for (int axis = 0; axis < axes; axis++) {
        acp_lane4 way = acp_lane4_set(s->rough[axis]);
        m[axis] = acp_lane4_subtract(acp_lane4_set(s->start[axis]), acp_lane4_load(group->center[axis]));
        along = acp_lane4_add(along, acp_lane4_multiply(m[axis], way));
        square = acp_lane4_add(square, acp_lane4_multiply(m[axis], m[axis]));
        way2 = acp_lane4_add(way2, acp_lane4_multiply(way, way));
    }
    acp_lane4 t = acp_lane4_multiply(acp_lane4_subtract(acp_lane4_set(0.0f), along), acp_lane4_set(s->inverse[axes == 2]));
    t = acp_lane4_min(acp_lane4_max(t, acp_lane4_set(0.0f)), acp_lane4_set(1.0f));
    acp_lane4 distance2 = acp_lane4_set(0.0f);
    for (int axis = 0; axis < axes; axis++) {
        acp_lane4 at = acp_lane4_add(m[axis], acp_lane4_multiply(acp_lane4_set(s->rough[axis]), t));
        distance2 = acp_lane4_add(distance2, acp_lane4_multiply(at, at));
    }
    acp_lane4 reach = acp_lane4_add(acp_lane4_load(group->radius), acp_lane4_set((float)s->radius));
    acp_lane4 most = acp_lane4_multiply(acp_lane4_multiply(reach, reach), acp_lane4_set(1.0f + 0x1p-20f));
    most = acp_lane4_add(most, acp_lane4_multiply(acp_lane4_add(square, way2), acp_lane4_set(s->doubt[axes == 2])));
    return ~acp_lane4_mask_greater(distance2, acp_lane4_add(most, acp_lane4_set(1e-30f))) & group->lanes;
}

/* ---- triangles ---- */

/* First root of a t^2 + 2 b t + c = 0 in [0, 1]; false when there is none, and when it begins inside (c <= 0): inside an edge's endless
 * cylinder but beyond its ends, a corner is met first. */
static bool first_root(double a, double b, double c, double *out_t) {
    if (!(a > 0.0) || b >= 0.0 || c <= 0.0) return false;
    double discriminant = b * b - a * c;
    if (discriminant < 0.0) return false;
    *out_t = c / (-b + sqrt(discriminant));
    return *out_t <= 1.0;
}

/* Is a point of the plane within the triangle, edges included? */
static bool is_inside(const acp_soup_corners *p, acp_vector64 area, acp_vector64 at) {
    for (int k = 0; k < 3; k++) {
        acp_vector64 a = p->at[k], b = p->at[k == 2 ? 0 : k + 1];
        if (acp_vector64_dot(acp_vector64_cross(area, acp_vector64_minus(b, a)), acp_vector64_minus(at, a)) < 0.0) return false;
    }
    return true;
}

/* The nearest point of the triangle's edges to p. */
static acp_vector64 nearest_on_edges(const acp_soup_corners *corners, acp_vector64 p) {
    acp_vector64 best = corners->at[0];
    double best2 = INFINITY;
    for (int k = 0; k < 3; k++) {
        acp_vector64 a = corners->at[k], e = acp_vector64_minus(corners->at[k == 2 ? 0 : k + 1], a);
        double t = acp_vector64_dot(acp_vector64_minus(p, a), e) / acp_vector64_dot(e, e);
        acp_vector64 q = acp_vector64_along(a, e, t > 0.0 ? (t > 1.0 ? 1.0 : t) : 0.0), gap = acp_vector64_minus(p, q);
        if (acp_vector64_dot(gap, gap) < best2) {
            best2 = acp_vector64_dot(gap, gap);
            best = q;
        }
    }
    return best;
}

/* Edges as cylinders, their first ends as spheres. */
static void sweep_edges(sweep *s, const acp_soup_corners *p, uint32_t leaf, uint32_t lane, uint32_t ordinal, bool is_front) {
    double r2 = s->radius * s->radius, t;
    for (int k = 0; k < 3; k++) {
        acp_vector64 a = p->at[k], e = acp_vector64_minus(p->at[k == 2 ? 0 : k + 1], a), m = acp_vector64_minus(s->from, a);
        double away2 = acp_vector64_dot(m, m), toward = acp_vector64_dot(m, s->way);
        if (first_root(s->length2, toward, away2 - r2, &t)) acp_soup_offer(&s->best, t, leaf, lane, ordinal, is_front);
        double ee = acp_vector64_dot(e, e), ed = acp_vector64_dot(e, s->way), em = acp_vector64_dot(e, m);
        /* Components across the edge, scaled by its length: crosses, where products of dots would cancel. */
        acp_vector64 mc = acp_vector64_cross(m, e), wc = acp_vector64_cross(s->way, e);
        if (!first_root(acp_vector64_dot(wc, wc), acp_vector64_dot(mc, wc), acp_vector64_dot(mc, mc) - r2 * ee, &t)) continue;
        double place = em + t * ed;
        if (place >= 0.0 && place <= ee) acp_soup_offer(&s->best, t, leaf, lane, ordinal, is_front);
    }
}

static void sweep_triangle(sweep *s, const acp_soup_triangles *group, uint32_t leaf, uint32_t lane) {
    acp_soup_corners p = acp_soup_corners_of(group, lane);
    uint32_t ordinal = group->ordinals[lane];
    acp_vector64 area = acp_soup_area_of(&p);
    double inverse = 1.0 / sqrt(acp_vector64_dot(area, area));
    double distance = acp_vector64_dot(area, acp_vector64_minus(s->from, p.at[0])) * inverse;
    double rise = acp_vector64_dot(area, s->way) * inverse;
    bool is_front = distance >= 0.0;
    if (!is_front && s->sides == ACP_RAY_FRONT_FACES) return;
    double sign = is_front ? 1.0 : -1.0;
    distance *= sign;
    rise *= sign;
    if (distance > s->radius) {
        if (!(rise < 0.0)) return;
        double t = (s->radius - distance) / rise;
        if (t > s->best.fraction) return; /* nothing of the triangle is met before its plane is */
        acp_vector64 foot = acp_vector64_along(acp_vector64_along(s->from, s->way, t), area, -s->radius * sign * inverse);
        if (is_inside(&p, area, foot)) {
            acp_soup_offer(&s->best, t, leaf, lane, ordinal, is_front);
            return;
        }
    } else {
        acp_vector64 foot = acp_vector64_along(s->from, area, -distance * sign * inverse);
        acp_vector64 nearest = is_inside(&p, area, foot) ? foot : nearest_on_edges(&p, s->from), gap = acp_vector64_minus(s->from, nearest);
        if (acp_vector64_dot(gap, gap) <= s->radius * s->radius) {
            acp_soup_offer(&s->best, 0.0, leaf, lane, ordinal, is_front);
            return;
        }
    }
    sweep_edges(s, &p, leaf, lane, ordinal, is_front);
}

/* ---- round bodies ---- */

static void sweep_sphere(sweep *s, const acp_soup_rounds *group, uint32_t leaf, uint32_t lane) {
    acp_vector64 m = acp_vector64_minus(s->from, acp_soup_center_of(group, lane));
    double sum = (double)group->radius[lane] + s->radius, c = acp_vector64_dot(m, m) - sum * sum, t = 0.0;
    if (c > 0.0 && !first_root(s->length2, acp_vector64_dot(m, s->way), c, &t)) return;
    acp_soup_offer(&s->best, t, leaf, lane, group->ordinals[lane], true);
}

/* The point of a capped cylinder (bottom at the origin) nearest to p. */
static acp_vector64 nearest_of_cylinder(acp_vector64 p, double radius, double height) {
    double across2 = p.x * p.x + p.y * p.y;
    double scale = across2 > radius * radius ? radius / sqrt(across2) : 1.0;
    return (acp_vector64){p.x * scale, p.y * scale, p.z < 0.0 ? 0.0 : (p.z > height ? height : p.z)};
}

/* Newton's steps from a t before the contact; false when there is none in [t, 1]. */
static bool approach(acp_vector64 m, acp_vector64 way, double radius, double height, double reach, double *t) {
    for (int step = 0; step < 64; step++) {
        acp_vector64 p = acp_vector64_along(m, way, *t), gap = acp_vector64_minus(p, nearest_of_cylinder(p, radius, height));
        double away = sqrt(acp_vector64_dot(gap, gap)), left = away - reach;
        if (left <= 1e-11) return true;
        double rate = acp_vector64_dot(gap, way) / away;
        if (!(rate < 0.0)) return false;
        *t -= left / rate;
        if (*t > 1.0) return false;
    }
    return true;
}

/* When the sphere meets the cylinder, seen from the middle of its bottom. */
static bool meets_cylinder(const sweep *s, acp_vector64 m, double radius, double height, double *t) {
    acp_vector64 gap = acp_vector64_minus(m, nearest_of_cylinder(m, radius, height)), way = s->way;
    double r = s->radius, sum = radius + r;
    *t = 0.0;
    if (acp_vector64_dot(gap, gap) <= r * r) return true;
    double c = (m.x * m.x + m.y * m.y) - sum * sum, wall = 0.0, level = 0.0;
    if (c > 0.0 && !first_root(way.x * way.x + way.y * way.y, m.x * way.x + m.y * way.y, c, &wall)) return false;
    if (m.z < -r || m.z > height + r) {
        bool is_below = m.z < -r;
        double rise = is_below ? way.z : -way.z, missing = is_below ? -r - m.z : m.z - (height + r);
        if (!(rise > 0.0) || missing > rise) return false;
        level = missing / rise;
    }
    /* It is in reach of both from `t` on: of the wall when level with it, of a cap when above it, else of a rim at the earliest. */
    *t = wall > level ? wall : level;
    acp_vector64 p = acp_vector64_along(m, way, *t);
    bool is_wall = c > 0.0 && wall >= level && p.z >= 0.0 && p.z <= height;
    bool is_cap = level > 0.0 && level >= wall && p.x * p.x + p.y * p.y <= radius * radius;
    return is_wall || is_cap || approach(m, way, radius, height, r, t);
}

static void sweep_cylsphere(sweep *s, const acp_soup_rounds *group, uint32_t leaf, uint32_t lane) {
    acp_vector64 m = acp_vector64_minus(s->from, acp_soup_center_of(group, lane));
    double t;
    if (meets_cylinder(s, m, (double)group->radius[lane], (double)group->height[lane], &t))
        acp_soup_offer(&s->best, t, leaf, lane, group->ordinals[lane], true);
}

/* ---- the walk ---- */

static void sweep_leaf(sweep *s, const acp_soup *soup, uint32_t leaf) {
    uint32_t kind = leaf & ACP_SOUP_CHILD_KIND, index = leaf >> 2;
    if (kind == 1u + ACP_SOUP_TRIANGLE) {
        const acp_soup_triangles *triangles = &acp_soup_triangle_groups(soup)[index];
        for (uint32_t mask = near_triangles(s, &acp_soup_plane_groups(soup)[index], triangles->lanes); mask != 0; mask &= mask - 1)
            sweep_triangle(s, triangles, leaf, acp_soup_lowest(mask));
        return;
    }
    const acp_soup_rounds *group = &acp_soup_round_groups(soup)[index];
    bool is_sphere = kind == 1u + ACP_SOUP_SPHERE;
    for (uint32_t mask = near_rounds(s, group, is_sphere ? 3 : 2); mask != 0; mask &= mask - 1) {
        if (is_sphere)
            sweep_sphere(s, group, leaf, acp_soup_lowest(mask));
        else
            sweep_cylsphere(s, group, leaf, acp_soup_lowest(mask));
    }
}

/* Of a way so short or long that the reciprocal is of no use nothing is left out. */
static float inverse_of(double length2, float *doubt) {
    bool is_useful = length2 > 1e-30 && length2 < 1e30;
    *doubt = is_useful || length2 == 0.0 ? 0x1p-17f : INFINITY;
    return is_useful ? (float)(1.0 / length2) : 0.0f;
}

static void begin(sweep *s, const acp_soup *soup, acp_vec3 start, acp_vec3 end, float radius, acp_ray_sides sides) {
    *s = (sweep){.from = acp_vector64_of(start), .radius = (double)radius, .sides = sides, .best = {.fraction = 1.0}};
    s->way = acp_vector64_minus(acp_vector64_of(end), s->from);
    s->length2 = acp_vector64_dot(s->way, s->way);
    s->inverse[0] = inverse_of(s->length2, &s->doubt[0]);
    s->inverse[1] = inverse_of(s->way.x * s->way.x + s->way.y * s->way.y, &s->doubt[1]);
    const acp_vec3 rough = acp_vec3_make(s->way.x, s->way.y, s->way.z);
    const acp_vec3 points[3] = {start, end, rough};
    float *into[3] = {s->start, s->end, s->rough};
    for (int i = 0; i < 3; i++) {
        into[i][0] = points[i].x;
        into[i][1] = points[i].y;
        into[i][2] = points[i].z;
    }
    float reach = acp_filter_max(acp_filter_reach(start), acp_filter_reach(end));
    double limit = s->radius + (double)soup->plane_width + (double)acp_filter_error(&soup->plane_bounds, reach);
    s->plane_limit = (float)(limit * (1.0 + 8.0 * ACP_FILTER_UNIT));
}

/* The hit in its public form: the point of the item that is nearest to the centre. */
static acp_soup_hit finish(const sweep *s, const acp_soup *soup) {
    const acp_soup_best *best = &s->best;
    acp_vector64 at = acp_vector64_along(s->from, s->way, best->fraction), point = at;
    uint32_t index = best->leaf >> 2, kind = best->leaf & ACP_SOUP_CHILD_KIND;
    if (kind == 1u + ACP_SOUP_TRIANGLE) {
        acp_soup_corners p = acp_soup_corners_of(&acp_soup_triangle_groups(soup)[index], best->lane);
        acp_vector64 area = acp_soup_area_of(&p);
        double distance = acp_vector64_dot(area, acp_vector64_minus(at, p.at[0])) / acp_vector64_dot(area, area);
        point = acp_vector64_along(at, area, -distance);
        if (!is_inside(&p, area, point)) return acp_soup_hit_at(best, nearest_on_edges(&p, at), at);
        if (!best->is_front) area = (acp_vector64){-area.x, -area.y, -area.z};
        return acp_soup_hit_of(best, point, area);
    }
    const acp_soup_rounds *group = &acp_soup_round_groups(soup)[index];
    acp_vector64 center = acp_soup_center_of(group, best->lane), from_center = acp_vector64_minus(at, center);
    double own = (double)group->radius[best->lane], away = sqrt(acp_vector64_dot(from_center, from_center));
    if (kind == 1u + ACP_SOUP_SPHERE) {
        if (away > own) point = acp_vector64_along(center, from_center, own / away);
    } else {
        point = acp_vector64_along(nearest_of_cylinder(from_center, own, (double)group->height[best->lane]), center, 1.0);
    }
    return acp_soup_hit_at(best, point, at);
}

acp_result acp_soup_sweep_first_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, float radius, acp_ray_sides sides,
                                    acp_soup_hit *out_hit, int32_t *out_found) {
    if (soup == NULL || out_hit == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_soup_is_in_reach(start) || !acp_soup_is_in_reach(end)) return ACP_ERROR_NOT_FINITE;
    if (!(fabs((double)radius) <= (double)ACP_SOUP_GREATEST)) return ACP_ERROR_NOT_FINITE;
    if (radius < 0.0f) return ACP_ERROR_OUT_OF_RANGE;
    sweep s;
    begin(&s, soup, start, end, radius, sides);
    acp_soup_walk walk;
    acp_soup_stack stack;
    acp_soup_walk_begin(&walk, &stack, soup, start, end, radius);
    uint32_t leaf;
    while ((leaf = acp_soup_walk_next(&walk, &stack, s.best.fraction)) != ACP_SOUP_CHILD_NONE)
        sweep_leaf(&s, soup, leaf);
    *out_found = s.best.is_found;
    if (s.best.is_found) *out_hit = finish(&s, soup);
    return ACP_OK;
}
