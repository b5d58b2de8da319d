/* SPDX-License-Identifier: MIT */
/* The first thing on a segment through a soup (ours, not retail).
 *
 * Contract (acphys/soup.h). Exact tests are binary64 (geom/soup_exact.h). Before them, four triangles at a time are tried in binary32 by u,
 * v and t of the barycentric form; a lane is left out only when one of them is outside by more than its rounding can be. Whether there is
 * anything at all is a question of its own: geom/soup_any.c.
 *
 * Bound. With way d, start s seen from the first corner, edges e and f: u's numerator s.(d x f), v's d.(s x e), the determinant
 * e.(d x f), t's numerator f.(s x e). Each factor has one rounding (differences of given numbers), each product two, each sum at most
 * three: eight roundings of terms whose magnitudes add up to no more than |s||d||e| and so on in sums of magnitudes. 16u of that is the
 * bound for one, sums of bounds for sums; 1e-30 stands for underflow. The products of a bound are made eight times too large before 2u
 * scales them down, so that it is infinite, and rejects nothing, where a term may be.
 *
 * No allocation; 2 KB of stack. Cost: the boxes along the segment up to what it meets. */
#include <math.h>
#include <stddef.h>

#include "geom/soup_exact.h"
#include "geom/soup_walk.h"
#include "math/vec3.h"

typedef struct segment {
    acp_vec3 start;
    acp_soup_line line;
    float rough[3]; /* the way in binary32 */
    float bound;    /* 8 times the sum of its magnitudes */
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

/* The lanes that the segment may meet. */
static inline uint32_t possible_triangles(const segment *g, const acp_soup_triangles *group) {
    const acp_lane4 tiny = acp_lane4_set(1e-30f), zero = acp_lane4_set(0.0f);
    lanes3 a = lanes_of(group->points[0]);
    lanes3 e = lanes_minus(lanes_of(group->points[1]), a), f = lanes_minus(lanes_of(group->points[2]), a);
    lanes3 d = {{acp_lane4_set(g->rough[0]), acp_lane4_set(g->rough[1]), acp_lane4_set(g->rough[2])}};
    lanes3 s = lanes_minus((lanes3){{acp_lane4_set(g->start.x), acp_lane4_set(g->start.y), acp_lane4_set(g->start.z)}}, a);
    lanes3 p = lanes_cross(d, f), q = lanes_cross(s, e);
    acp_lane4 determinant = lanes_dot(e, p), size = acp_lane4_abs(determinant);
    acp_lane4 u = acp_lane4_turn_sign(lanes_dot(s, p), determinant), v = acp_lane4_turn_sign(lanes_dot(d, q), determinant);
    acp_lane4 t = acp_lane4_turn_sign(lanes_dot(f, q), determinant);
    acp_lane4 edge = acp_lane4_load(group->edge), unit = acp_lane4_set(2.0f * 0x1p-24f);
    acp_lane4 reach = acp_lane4_add(acp_lane4_add(acp_lane4_abs(s.v[0]), acp_lane4_abs(s.v[1])), acp_lane4_abs(s.v[2]));
    acp_lane4 of_edge = acp_lane4_multiply(acp_lane4_set(g->bound), edge), edge2 = acp_lane4_multiply(edge, edge);
    acp_lane4 error = acp_lane4_add(acp_lane4_multiply(acp_lane4_multiply(of_edge, reach), unit), tiny);     /* of u, v */
    acp_lane4 error_size = acp_lane4_add(acp_lane4_multiply(acp_lane4_multiply(of_edge, edge), unit), tiny); /* of the determinant */
    acp_lane4 error_t = acp_lane4_multiply(acp_lane4_multiply(edge2, acp_lane4_multiply(reach, acp_lane4_set(8.0f))), unit);
    acp_lane4 sum = acp_lane4_add(u, v), error_sum = acp_lane4_add(error_size, acp_lane4_add(error, error));
    acp_lane4 last = acp_lane4_multiply(acp_lane4_set((float)g->best.fraction), size);
    error_t = acp_lane4_add(acp_lane4_add(error_t, error_size), tiny);
    acp_lane4 minus = acp_lane4_subtract(zero, error), minus_t = acp_lane4_subtract(zero, error_t);
    uint32_t out = acp_lane4_mask_less(u, minus) | acp_lane4_mask_less(v, minus) |
                   acp_lane4_mask_greater(sum, acp_lane4_add(size, error_sum)) | acp_lane4_mask_less(t, minus_t) |
                   acp_lane4_mask_greater(t, acp_lane4_add(last, error_t));
    uint32_t is_signed = acp_lane4_mask_greater(size, error_size); /* a sign in doubt says nothing */
    return (~out | ~is_signed) & group->lanes;
}

/* Tries a leaf. */
static inline void meet_leaf(segment *g, const acp_soup *soup, uint32_t leaf) {
    uint32_t kind = leaf & ACP_SOUP_CHILD_KIND, index = leaf >> 2;
    double t;
    if (kind == 1u + ACP_SOUP_TRIANGLE) {
        const acp_soup_triangles *group = &acp_soup_triangle_groups(soup)[index];
        for (uint32_t mask = possible_triangles(g, group); mask != 0; mask &= mask - 1) {
            uint32_t lane = acp_soup_lowest(mask);
            acp_soup_corners corners = acp_soup_corners_of(group, lane);
            bool is_front;
            if (acp_soup_line_meets_triangle(&g->line, &corners, &t, &is_front))
                acp_soup_offer(&g->best, t, leaf, lane, group->ordinals[lane], is_front);
        }
        return;
    }
    const acp_soup_rounds *group = &acp_soup_round_groups(soup)[index];
    for (uint32_t mask = group->lanes; mask != 0; mask &= mask - 1) {
        uint32_t lane = acp_soup_lowest(mask);
        acp_vector64 center = acp_soup_center_of(group, lane);
        double radius = (double)group->radius[lane];
        bool is_met = kind == 1u + ACP_SOUP_SPHERE
                          ? acp_soup_line_meets_sphere(&g->line, center, radius, &t)
                          : acp_soup_line_meets_cylsphere(&g->line, center, radius, (double)group->height[lane], &t);
        if (is_met) acp_soup_offer(&g->best, t, leaf, lane, group->ordinals[lane], true);
    }
}

static inline void search(segment *g, const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides) {
    g->start = start;
    g->line = acp_soup_line_of(start, end, sides);
    g->rough[0] = end.x - start.x;
    g->rough[1] = end.y - start.y;
    g->rough[2] = end.z - start.z;
    g->bound = (acp_filter_abs(g->rough[0]) + acp_filter_abs(g->rough[1]) + acp_filter_abs(g->rough[2])) * 8.0f;
    g->best = (acp_soup_best){.fraction = 1.0};
    acp_soup_walk walk;
    acp_soup_stack stack;
    acp_soup_walk_begin(&walk, &stack, soup, start, end, 0.0f);
    uint32_t leaf;
    while ((leaf = acp_soup_walk_next(&walk, &stack, g->best.fraction)) != ACP_SOUP_CHILD_NONE)
        meet_leaf(g, soup, leaf);
}

/* The hit in its public form. A round body's normal: across its axis, from its centre, or up or down where a cap is met. */
static acp_soup_hit finish(const segment *g, const acp_soup *soup) {
    const acp_soup_best *best = &g->best;
    acp_vector64 point = acp_vector64_along(g->line.from, g->line.way, best->fraction), normal = {0, 0, 0};
    uint32_t index = best->leaf >> 2, kind = best->leaf & ACP_SOUP_CHILD_KIND;
    if (kind == 1u + ACP_SOUP_TRIANGLE) {
        acp_soup_corners p = acp_soup_corners_of(&acp_soup_triangle_groups(soup)[index], best->lane);
        normal = acp_soup_area_of(&p);
        if (!best->is_front) normal = (acp_vector64){-normal.x, -normal.y, -normal.z};
        return acp_soup_hit_of(best, point, normal);
    }
    const acp_soup_rounds *group = &acp_soup_round_groups(soup)[index];
    acp_vector64 from = acp_vector64_minus(g->line.from, acp_soup_center_of(group, best->lane));
    acp_vector64 at = acp_vector64_along(from, g->line.way, best->fraction);
    double r = (double)group->radius[best->lane], height = (double)group->height[best->lane];
    if (kind == 1u + ACP_SOUP_SPHERE) {
        if (acp_vector64_dot(from, from) > r * r) normal = at;
    } else if (from.x * from.x + from.y * from.y > r * r || from.z < 0.0 || from.z > height) {
        bool is_cap = at.x * at.x + at.y * at.y < r * r * (1.0 - 1e-12) || !(from.x * from.x + from.y * from.y > r * r);
        normal = is_cap ? (acp_vector64){0, 0, from.z > height ? 1.0 : -1.0} : (acp_vector64){at.x, at.y, 0};
    }
    return acp_soup_hit_of(best, point, normal);
}

acp_result acp_soup_segment_first_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, acp_soup_hit *out_hit,
                                      int32_t *out_found) {
    if (soup == NULL || out_hit == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_soup_is_in_reach(start) || !acp_soup_is_in_reach(end)) return ACP_ERROR_NOT_FINITE;
    segment g;
    search(&g, soup, start, end, sides);
    *out_found = g.best.is_found;
    if (g.best.is_found) *out_hit = finish(&g, soup);
    return ACP_OK;
}
