/* SPDX-License-Identifier: MIT */
/* Segments through a soup (ours, not retail).
 *
 * Contract (acphys/soup.h). Exact tests are binary64: a triangle by the signs of the volumes of the way with its edges seen from the start
 * (for an edge that two triangles share they are exact negatives of each other: no line slips between neighbours), spheres and cylspheres
 * by quadratic equations. Before it, four triangles at a time are tried in binary32 by u, v and t of the barycentric form; a lane is left
 * out only when one of them is outside by more than its rounding can be.
 *
 * Bound. With way d, start s seen from the first corner, edges e and f: u's numerator s.(d x f), v's d.(s x e), the determinant
 * e.(d x f), t's numerator f.(s x e). Each factor has one rounding (differences of given numbers), each product two, each sum at most
 * three: eight roundings of terms whose magnitudes add up to no more than |s||d||e| and so on in sums of magnitudes. 16u of that is the
 * bound for one, sums of bounds for sums; 1e-30 stands for underflow. Overflow makes infinities and NaN, which no comparison rejects.
 *
 * No allocation; 2 KB of stack. Cost: the boxes along the segment up to what it meets. */
#include <math.h>
#include <stddef.h>

#include "geom/soup_hit.h"
#include "geom/soup_walk.h"
#include "math/vec3.h"

typedef struct segment {
    acp_vec3 start;
    acp_vector64 from;
    acp_vector64 way;
    acp_ray_sides sides;
    float rough[3]; /* the way in binary32 */
    float unit;     /* 16u times the sum of its magnitudes */
    acp_soup_best best;
} segment;

typedef struct lanes3 {
    acp_lane4 v[3];
} lanes3;

static inline lanes3 lanes_minus(lanes3 a, lanes3 b) {
    return (lanes3){{acp_lane4_subtract(a.v[0], b.v[0]), acp_lane4_subtract(a.v[1], b.v[1]), acp_lane4_subtract(a.v[2], b.v[2])}};
}
static inline acp_lane4 lanes_minor(acp_lane4 a, acp_lane4 b, acp_lane4 c, acp_lane4 d) {
    return acp_lane4_subtract(acp_lane4_multiply(a, b), acp_lane4_multiply(c, d));
}
static inline lanes3 lanes_cross(lanes3 a, lanes3 b) {
    return (lanes3){{lanes_minor(a.v[1], b.v[2], a.v[2], b.v[1]), lanes_minor(a.v[2], b.v[0], a.v[0], b.v[2]),
                     lanes_minor(a.v[0], b.v[1], a.v[1], b.v[0])}};
}
static inline acp_lane4 lanes_dot(lanes3 a, lanes3 b) {
    return acp_lane4_add(acp_lane4_add(acp_lane4_multiply(a.v[0], b.v[0]), acp_lane4_multiply(a.v[1], b.v[1])),
                         acp_lane4_multiply(a.v[2], b.v[2]));
}
static inline lanes3 lanes_of(const float p[3][4]) { return (lanes3){{acp_lane4_load(p[0]), acp_lane4_load(p[1]), acp_lane4_load(p[2])}}; }

/* Lanes that the segment may meet. */
static inline uint32_t candidates(const segment *g, const acp_soup_triangles *group) {
    const acp_lane4 tiny = acp_lane4_set(1e-30f), zero = acp_lane4_set(0.0f);
    lanes3 a = lanes_of(group->points[0]);
    lanes3 e = lanes_minus(lanes_of(group->points[1]), a), f = lanes_minus(lanes_of(group->points[2]), a);
    lanes3 d = {{acp_lane4_set(g->rough[0]), acp_lane4_set(g->rough[1]), acp_lane4_set(g->rough[2])}};
    lanes3 s = lanes_minus((lanes3){{acp_lane4_set(g->start.x), acp_lane4_set(g->start.y), acp_lane4_set(g->start.z)}}, a);
    lanes3 p = lanes_cross(d, f), q = lanes_cross(s, e);
    acp_lane4 determinant = lanes_dot(e, p), size = acp_lane4_abs(determinant);
    acp_lane4 u = acp_lane4_turn_sign(lanes_dot(s, p), determinant), v = acp_lane4_turn_sign(lanes_dot(d, q), determinant);
    acp_lane4 t = acp_lane4_turn_sign(lanes_dot(f, q), determinant);
    acp_lane4 edge = acp_lane4_load(group->edge), unit = acp_lane4_set(g->unit);
    acp_lane4 reach = acp_lane4_add(acp_lane4_add(acp_lane4_abs(s.v[0]), acp_lane4_abs(s.v[1])), acp_lane4_abs(s.v[2]));
    acp_lane4 of_edge = acp_lane4_multiply(unit, edge);
    acp_lane4 error = acp_lane4_add(acp_lane4_multiply(of_edge, reach), tiny);     /* of u, v */
    acp_lane4 error_size = acp_lane4_add(acp_lane4_multiply(of_edge, edge), tiny); /* of the determinant */
    acp_lane4 error_t = acp_lane4_multiply(acp_lane4_multiply(edge, edge), acp_lane4_multiply(reach, acp_lane4_set(16.0f * 0x1p-24f)));
    acp_lane4 least = acp_lane4_subtract(zero, error);
    acp_lane4 most = acp_lane4_add(acp_lane4_add(size, error_size), acp_lane4_add(error, error));
    acp_lane4 last = acp_lane4_add(acp_lane4_multiply(acp_lane4_set((float)g->best.fraction), acp_lane4_add(size, error_size)),
                                   acp_lane4_add(acp_lane4_add(error_t, error_size), tiny));
    acp_lane4 first = acp_lane4_subtract(zero, acp_lane4_add(error_t, tiny));
    uint32_t out = acp_lane4_mask_less(u, least) | acp_lane4_mask_less(v, least) | acp_lane4_mask_greater(acp_lane4_add(u, v), most) |
                   acp_lane4_mask_less(t, first) | acp_lane4_mask_greater(t, last);
    return (~out | acp_lane4_mask_less_equal(size, error_size)) & group->lanes; /* a sign in doubt says nothing */
}

static double volume(acp_vector64 way, acp_vector64 a, acp_vector64 b) { return acp_vector64_dot(way, acp_vector64_cross(a, b)); }

/* One triangle, exactly. */
static bool meets_triangle(segment *g, const acp_soup_triangles *group, uint32_t lane) {
    acp_soup_corners p = acp_soup_corners_of(group, lane);
    acp_vector64 a = acp_vector64_minus(p.at[0], g->from), b = acp_vector64_minus(p.at[1], g->from),
                 c = acp_vector64_minus(p.at[2], g->from);
    double ab = volume(g->way, a, b), bc = volume(g->way, b, c), ca = volume(g->way, c, a);
    bool is_front = ab <= 0.0 && bc <= 0.0 && ca <= 0.0, is_back = ab >= 0.0 && bc >= 0.0 && ca >= 0.0;
    if (!is_front && (!is_back || g->sides == ACP_RAY_FRONT_FACES)) return false;
    acp_vector64 n = acp_vector64_cross(acp_vector64_minus(b, a), acp_vector64_minus(c, a));
    double toward = acp_vector64_dot(n, g->way), distance = acp_vector64_dot(n, a);
    if (toward == 0.0) return false;
    is_front = toward < 0.0;
    if (!is_front && g->sides == ACP_RAY_FRONT_FACES) return false;
    double t = distance / toward;
    if (!(t >= 0.0 && t <= 1.0)) return false;
    if (!is_front) n = (acp_vector64){-n.x, -n.y, -n.z};
    return acp_soup_offer(&g->best, t, ACP_SOUP_TRIANGLE, group->ordinals[lane], is_front, acp_vector64_along(g->from, g->way, t), n);
}

/* First t in [0, 1] of a t^2 + 2 b t + c = 0 from outside (c > 0); false when it leaves or misses. */
static bool entry(double a, double b, double c, double *out_t) {
    double discriminant = b * b - a * c;
    if (b >= 0.0 || discriminant < 0.0) return false;
    *out_t = c / (-b + sqrt(discriminant));
    return *out_t <= 1.0;
}

static bool meets_sphere(segment *g, const acp_soup_rounds *group, uint32_t lane) {
    acp_vector64 m = acp_vector64_minus(g->from, acp_soup_center_of(group, lane));
    double r = (double)group->radius[lane], c = acp_vector64_dot(m, m) - r * r, t = 0.0;
    if (c > 0.0 && !entry(acp_vector64_dot(g->way, g->way), acp_vector64_dot(m, g->way), c, &t)) return false;
    acp_vector64 out = c > 0.0 ? acp_vector64_along(m, g->way, t) : (acp_vector64){0, 0, 0};
    return acp_soup_offer(&g->best, t, ACP_SOUP_SPHERE, group->ordinals[lane], true, acp_vector64_along(g->from, g->way, t), out);
}

static bool meets_cylsphere(segment *g, const acp_soup_rounds *group, uint32_t lane) {
    acp_vector64 m = acp_vector64_minus(g->from, acp_soup_center_of(group, lane)), way = g->way;
    double r = (double)group->radius[lane], height = (double)group->height[lane];
    double c = (m.x * m.x + m.y * m.y) - r * r, t = 0.0;
    acp_vector64 out = {0, 0, 0};
    if (c > 0.0 || m.z < 0.0 || m.z > height) {
        /* The cap on the side of the start, then the wall: a convex body is entered once. */
        double cap = m.z < 0.0 ? 0.0 : height;
        bool is_met = false;
        if ((m.z < 0.0 && way.z > 0.0) || (m.z > height && way.z < 0.0)) {
            t = (cap - m.z) / way.z;
            double x = m.x + way.x * t, y = m.y + way.y * t;
            is_met = t <= 1.0 && x * x + y * y <= r * r;
            out = (acp_vector64){0, 0, way.z > 0.0 ? -1.0 : 1.0};
        }
        if (!is_met && c > 0.0 && entry(way.x * way.x + way.y * way.y, m.x * way.x + m.y * way.y, c, &t)) {
            double z = m.z + way.z * t;
            is_met = z >= 0.0 && z <= height;
            out = (acp_vector64){m.x + way.x * t, m.y + way.y * t, 0};
        }
        if (!is_met) return false;
    }
    return acp_soup_offer(&g->best, t, ACP_SOUP_CYLSPHERE, group->ordinals[lane], true, acp_vector64_along(g->from, g->way, t), out);
}

/* Tries a leaf; with is_any_enough only until something is met. */
static bool meets_leaf(segment *g, const acp_soup *soup, uint32_t leaf, bool is_any_enough) {
    uint32_t kind = leaf & ACP_SOUP_CHILD_KIND, index = leaf >> 2;
    if (kind == 1u + ACP_SOUP_TRIANGLE) {
        const acp_soup_triangles *group = &acp_soup_triangle_groups(soup)[index];
        for (uint32_t mask = candidates(g, group); mask != 0; mask &= mask - 1)
            if (meets_triangle(g, group, acp_soup_lowest(mask)) && is_any_enough) return true;
        return g->best.is_found;
    }
    const acp_soup_rounds *group = &acp_soup_round_groups(soup)[index];
    for (uint32_t mask = group->lanes; mask != 0; mask &= mask - 1) {
        uint32_t lane = acp_soup_lowest(mask);
        bool is_met = kind == 1u + ACP_SOUP_SPHERE ? meets_sphere(g, group, lane) : meets_cylsphere(g, group, lane);
        if (is_met && is_any_enough) return true;
    }
    return g->best.is_found;
}

static void search(segment *g, const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, bool is_any_enough) {
    g->start = start;
    g->from = acp_vector64_of(start);
    g->way = acp_vector64_minus(acp_vector64_of(end), g->from);
    g->sides = sides;
    g->rough[0] = acp_f32(g->way.x);
    g->rough[1] = acp_f32(g->way.y);
    g->rough[2] = acp_f32(g->way.z);
    g->unit = acp_f32((fabs(g->way.x) + fabs(g->way.y) + fabs(g->way.z)) * (16.0 * 0x1p-24));
    g->best = (acp_soup_best){.fraction = 1.0};
    acp_soup_walk walk;
    acp_soup_walk_begin(&walk, soup, start, end, 0.0);
    uint32_t leaf;
    while ((leaf = acp_soup_walk_next(&walk, g->best.fraction)) != ACP_SOUP_CHILD_NONE)
        if (meets_leaf(g, soup, leaf, is_any_enough) && is_any_enough) return;
}

acp_result acp_soup_segment_first_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, acp_soup_hit *out_hit,
                                      int32_t *out_found) {
    if (soup == NULL || out_hit == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_soup_is_in_reach(start) || !acp_soup_is_in_reach(end)) return ACP_ERROR_NOT_FINITE;
    segment g;
    search(&g, soup, start, end, sides, false);
    *out_found = g.best.is_found;
    if (g.best.is_found) *out_hit = acp_soup_hit_of(&g.best);
    return ACP_OK;
}

acp_result acp_soup_segment_any_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, int32_t *out_found) {
    if (soup == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_soup_is_in_reach(start) || !acp_soup_is_in_reach(end)) return ACP_ERROR_NOT_FINITE;
    segment g;
    search(&g, soup, start, end, sides, true);
    *out_found = g.best.is_found;
    return ACP_OK;
}
