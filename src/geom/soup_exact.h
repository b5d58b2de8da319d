/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_EXACT_H
#define ACP_GEOM_SOUP_EXACT_H

#include "geom/soup_hit.h"

/* A segment and one item of a soup, in binary64: what every query of segments comes down to. */

typedef struct acp_soup_line {
    acp_vector64 from;
    acp_vector64 way;
    acp_ray_sides sides;
} acp_soup_line;

static inline acp_soup_line acp_soup_line_of(acp_vec3 start, acp_vec3 end, acp_ray_sides sides) {
    acp_soup_line line = {.from = acp_vector64_of(start), .sides = sides};
    line.way = acp_vector64_minus(acp_vector64_of(end), line.from);
    return line;
}

static inline double acp_soup_volume(acp_vector64 way, acp_vector64 a, acp_vector64 b) {
    return acp_vector64_dot(way, acp_vector64_cross(a, b));
}

/* A triangle by the signs of the volumes of the way with its edges seen from the start: for an edge that two triangles share they are exact
 * negatives of each other, so that no line slips between neighbours. */
static inline bool acp_soup_line_meets_triangle(const acp_soup_line *line, const acp_soup_corners *p, double *out_t, bool *out_is_front) {
    acp_vector64 a = acp_vector64_minus(p->at[0], line->from), b = acp_vector64_minus(p->at[1], line->from);
    acp_vector64 c = acp_vector64_minus(p->at[2], line->from);
    double ab = acp_soup_volume(line->way, a, b), bc = acp_soup_volume(line->way, b, c), ca = acp_soup_volume(line->way, c, a);
    bool is_front = ab <= 0.0 && bc <= 0.0 && ca <= 0.0, is_back = ab >= 0.0 && bc >= 0.0 && ca >= 0.0;
    if (!is_front && !is_back) return false;
    acp_vector64 n = acp_soup_area_of(p);
    double toward = acp_vector64_dot(n, line->way);
    if (toward == 0.0 || (toward > 0.0 && line->sides == ACP_RAY_FRONT_FACES)) return false;
    *out_t = acp_vector64_dot(n, a) / toward;
    *out_is_front = toward < 0.0;
    return *out_t >= 0.0 && *out_t <= 1.0;
}

/* A round body across the line: from its centre (or axis) to the start m, in the axes that count, with radius r. a = way.way, b = m.way,
 * c = m.m - r^2 as in a t^2 + 2 b t + c = 0; the discriminant is taken from the nearest point of the line, a (r^2 - nearest^2), since
 * b^2 - a c is nothing but rounding when the start is far. */
typedef struct acp_soup_round {
    double a, b, c, discriminant;
} acp_soup_round;

static inline acp_soup_round acp_soup_round_of(acp_vector64 m, acp_vector64 way, double r) {
    acp_soup_round out = {acp_vector64_dot(way, way), acp_vector64_dot(m, way), acp_vector64_dot(m, m) - r * r, -1.0};
    if (!(out.a > 0.0)) return out;
    acp_vector64 nearest = acp_vector64_along(m, way, -(out.b / out.a));
    out.discriminant = out.a * (r * r - acp_vector64_dot(nearest, nearest));
    return out;
}

/* First t in [0, 1] at which it is entered from outside (c > 0); false when the line leaves or misses it. */
static inline bool acp_soup_line_enters(const acp_soup_round *round, double *out_t) {
    if (round->b >= 0.0 || !(round->discriminant >= 0.0)) return false;
    *out_t = round->c / (-round->b + sqrt(round->discriminant));
    return *out_t <= 1.0;
}

static inline bool acp_soup_line_meets_sphere(const acp_soup_line *line, acp_vector64 center, double r, double *out_t) {
    acp_soup_round round = acp_soup_round_of(acp_vector64_minus(line->from, center), line->way, r);
    *out_t = 0.0;
    return round.c <= 0.0 || acp_soup_line_enters(&round, out_t);
}

/* The later entry of the two spans in which the line is between the caps and within the wall, when neither has ended by then: of a rim that
 * is only just met no rounding makes a gap between wall and cap. */
static inline bool acp_soup_line_meets_cylsphere(const acp_soup_line *line, acp_vector64 bottom, double r, double height, double *out_t) {
    acp_vector64 m = acp_vector64_minus(line->from, bottom), way = line->way;
    acp_soup_round wall = acp_soup_round_of((acp_vector64){m.x, m.y, 0.0}, (acp_vector64){way.x, way.y, 0.0}, r);
    double enter = 0.0, leave = 1.0;
    if (wall.c > 0.0 && !acp_soup_line_enters(&wall, &enter)) return false;
    if (wall.a > 0.0) {
        double last = (sqrt(wall.discriminant > 0.0 ? wall.discriminant : 0.0) - wall.b) / wall.a;
        if (last < leave) leave = last > enter ? last : enter;
    }
    if (m.z < 0.0 || m.z > height) {
        if (!(m.z < 0.0 ? way.z > 0.0 : way.z < 0.0)) return false;
        double at = ((m.z < 0.0 ? 0.0 : height) - m.z) / way.z;
        if (at > enter) enter = at;
    }
    if (way.z != 0.0) {
        double at = ((way.z > 0.0 ? height : 0.0) - m.z) / way.z;
        if (at < leave) leave = at;
    }
    *out_t = enter;
    return enter <= leave;
}

#endif
