/* SPDX-License-Identifier: MIT */
/* Is anything on a segment through a soup? Included twice, by geom/soup_any.c and geom/soup_any_avx2.c, which have chosen the lanes and
 * defined SOUP_ANY(name); no include guard on purpose.
 *
 * The wide tree is walked in the order of its lanes, last child first, until something is met. Eight boxes, triangles or round bodies a
 * step, in binary32; a lane is left out only when it is certainly not met, and ends the walk when it certainly is; what is in doubt is
 * asked of the exact test in binary64 (geom/soup_exact.h). So the answer is the exact one, whatever the lanes, and boxes only need to hold
 * what is in them: their slack is that of geom/soup_walk.h.
 *
 * Triangles. With start s seen from the corner, way d, edges e and f, normal n = e x f: a = n.s and k = n.d say on which sides of the plane
 * both ends are; u = f.(s x d) and v = -e.(s x d), turned by the sign of -k, where the line crosses it, in units of |k|. Each factor has
 * one rounding, each product one, each sum at most three, the cross one more: less than nine units of terms whose magnitudes add up to no
 * more than S N (a), D N (k), 2 S D E (u, v), with S and D the sums of the magnitudes of s and d, N and E the greatest components. 32 units
 * of S N, D N and S D E bound them. The exact test's own rounding goes with the squares of the distances, which is 2^-50 S S D: S 2^-24
 * added to E is more. 1e-20, 1e-25 and 1e-30 stand for underflow. Both ends certainly on one side: a miss. Certainly on different sides,
 * and u, v and |k| - u - v all certainly positive: a hit (k's sign is certain then, for its size is more than its bound).
 *
 * Round bodies. The point of the way nearest to the centre (spheres), or to the axis among those between the caps (cylspheres), by its t;
 * t is off by less than 2^-19, the squared distance there by less than 2^-16 (|m|^2 + |d|^2) for start m and way d, roundings included.
 * Farther from the radius than that, it decides; a cylsphere is certainly met only when that point is clear of both caps, too. A way so
 * short or long that its square's reciprocal is of no use decides nothing.
 *
 * No allocation; 2.5 KB of stack. */

typedef struct SOUP_ANY(question) {
    acp_lane8 start[3];
    acp_lane8 way[3];
    acp_lane8 inverse[3];
    acp_lane8 way_bound; /* 8 times the sum of the way's magnitudes */
    size_t entry[3];     /* byte offsets of the bounds in a node that are met first */
    size_t leave[3];
    float inverse2[2]; /* of the squared length: in all, and across the vertical */
    float doubt2[2];   /* what of |m|^2 + |d|^2 a squared distance may be wrong by */
    acp_vec3 from;
    acp_vec3 to;
    acp_ray_sides sides;
} SOUP_ANY(question);

#define QUESTION SOUP_ANY(question)

static inline float SOUP_ANY(inverse2_of)(float length2, float *doubt) {
    bool is_useful = length2 > 1e-30f && length2 < 1e30f;
    *doubt = is_useful || length2 == 0.0f ? 0x1p-16f : INFINITY;
    return is_useful ? 1.0f / length2 : 0.0f;
}

ACP_LANE8_TARGET static inline void SOUP_ANY(prepare)(QUESTION *q, const acp_soup *soup, acp_vec3 start, acp_vec3 end,
                                                      acp_ray_sides sides) {
    const float from[3] = {start.x, start.y, start.z}, way[3] = {end.x - start.x, end.y - start.y, end.z - start.z};
    for (size_t axis = 0; axis < 3; axis++) {
        size_t down = acp_soup_bits(way[axis]) >> 31;
        q->start[axis] = acp_lane8_set(from[axis]);
        q->way[axis] = acp_lane8_set(way[axis]);
        q->inverse[axis] = acp_lane8_set(acp_soup_inverse_of(way[axis]));
        q->entry[axis] = down * 96u + axis * 32u;
        q->leave[axis] = (1u - down) * 96u + axis * 32u;
    }
    float sum = (acp_filter_abs(way[0]) + acp_filter_abs(way[1])) + acp_filter_abs(way[2]);
    q->way_bound = acp_lane8_set(sum * 8.0f + 1e-18f);
    if (soup->wide_round_count != 0) {
        float across2 = way[0] * way[0] + way[1] * way[1];
        q->inverse2[0] = SOUP_ANY(inverse2_of)(across2 + way[2] * way[2], &q->doubt2[0]);
        q->inverse2[1] = SOUP_ANY(inverse2_of)(across2, &q->doubt2[1]);
    }
    q->from = start;
    q->to = end;
    q->sides = sides;
}

ACP_LANE8_TARGET static inline acp_lane8 SOUP_ANY(crossing)(const QUESTION *q, const char *node, size_t offset, int axis) {
    acp_lane8 bound = acp_lane8_load((const float *)(const void *)(node + offset));
    return acp_lane8_multiply(acp_lane8_subtract(bound, q->start[axis]), q->inverse[axis]);
}

/* The children whose boxes the segment may pass. */
ACP_LANE8_TARGET static inline uint32_t SOUP_ANY(children)(const QUESTION *q, const acp_soup_wide_node *node) {
    const char *at = (const char *)node;
    acp_lane8 enter = acp_lane8_max(acp_lane8_max(SOUP_ANY(crossing)(q, at, q->entry[0], 0), SOUP_ANY(crossing)(q, at, q->entry[1], 1)),
                                    acp_lane8_max(SOUP_ANY(crossing)(q, at, q->entry[2], 2), acp_lane8_set(0.0f)));
    acp_lane8 leave = acp_lane8_min(acp_lane8_min(SOUP_ANY(crossing)(q, at, q->leave[0], 0), SOUP_ANY(crossing)(q, at, q->leave[1], 1)),
                                    acp_lane8_min(SOUP_ANY(crossing)(q, at, q->leave[2], 2), acp_lane8_set(1.0f)));
    return acp_lane8_bits(acp_lane8_less_equal(enter, acp_lane8_multiply(leave, acp_lane8_set(1.0f + 0x1p-20f))));
}

ACP_LANE8_TARGET static inline acp_lane8 SOUP_ANY(dot)(const acp_lane8 a[3], const float b[3][8]) {
    return acp_lane8_add(acp_lane8_add(acp_lane8_multiply(a[0], acp_lane8_load(b[0])), acp_lane8_multiply(a[1], acp_lane8_load(b[1]))),
                         acp_lane8_multiply(a[2], acp_lane8_load(b[2])));
}
ACP_LANE8_TARGET static inline acp_lane8 SOUP_ANY(minor)(acp_lane8 a, acp_lane8 b, acp_lane8 c, acp_lane8 d) {
    return acp_lane8_subtract(acp_lane8_multiply(a, b), acp_lane8_multiply(c, d));
}
ACP_LANE8_TARGET static inline acp_lane8 SOUP_ANY(squares)(const acp_lane8 *a, int axes) {
    acp_lane8 sum = acp_lane8_add(acp_lane8_multiply(a[0], a[0]), acp_lane8_multiply(a[1], a[1]));
    return axes == 2 ? sum : acp_lane8_add(sum, acp_lane8_multiply(a[2], a[2]));
}

/* The lanes in doubt; `*out_met` when one is certainly met. */
ACP_LANE8_TARGET static inline uint32_t SOUP_ANY(triangles)(const QUESTION *q, const acp_soup_wide_triangles *group, bool *out_met) {
    const acp_lane8 *d = q->way, tiny = acp_lane8_set(1e-30f);
    acp_lane8 s[3], cross[3], magnitude = acp_lane8_set(1e-20f);
    for (int axis = 0; axis < 3; axis++) {
        s[axis] = acp_lane8_subtract(q->start[axis], acp_lane8_load(group->corner[axis]));
        magnitude = acp_lane8_add(magnitude, acp_lane8_abs(s[axis]));
    }
    acp_lane8 normal = acp_lane8_load(group->greatest_normal);
    acp_lane8 a = SOUP_ANY(dot)(s, group->normal), k = SOUP_ANY(dot)(d, group->normal), size = acp_lane8_abs(k);
    acp_lane8 start_bound = acp_lane8_multiply(magnitude, acp_lane8_set(8.0f)), unit = acp_lane8_set(4.0f * 0x1p-24f);
    acp_lane8 doubt_a = acp_lane8_add(acp_lane8_multiply(acp_lane8_multiply(start_bound, normal), unit), tiny);
    acp_lane8 doubt_k = acp_lane8_add(acp_lane8_multiply(acp_lane8_multiply(q->way_bound, normal), unit), tiny);
    acp_lane8 doubt_end = acp_lane8_add(doubt_a, doubt_k);
    acp_lane8 height = acp_lane8_abs(a), end = acp_lane8_add(height, acp_lane8_turn_sign(k, a));
    acp_lane8_mask is_off = acp_lane8_less(doubt_a, height);
    acp_lane8_mask out = acp_lane8_and(is_off, acp_lane8_less(doubt_end, end));
    acp_lane8_mask in = acp_lane8_and(is_off, acp_lane8_less(end, acp_lane8_minus(doubt_end)));

    cross[0] = SOUP_ANY(minor)(s[1], d[2], s[2], d[1]);
    cross[1] = SOUP_ANY(minor)(s[2], d[0], s[0], d[2]);
    cross[2] = SOUP_ANY(minor)(s[0], d[1], s[1], d[0]);
    acp_lane8 against = acp_lane8_minus(k);
    acp_lane8 u = acp_lane8_turn_sign(SOUP_ANY(dot)(cross, group->second), against);
    acp_lane8 v = acp_lane8_turn_sign(SOUP_ANY(dot)(cross, group->first), k);
    acp_lane8 w = acp_lane8_subtract(acp_lane8_subtract(size, u), v);
    acp_lane8 edge = acp_lane8_add(acp_lane8_load(group->greatest_edge), acp_lane8_multiply(magnitude, acp_lane8_set(0x1p-24f)));
    acp_lane8 bound = acp_lane8_multiply(acp_lane8_multiply(start_bound, q->way_bound), edge);
    acp_lane8 doubt = acp_lane8_add(acp_lane8_multiply(bound, acp_lane8_set(0.5f * 0x1p-24f)), tiny);
    acp_lane8 doubt_w = acp_lane8_add(acp_lane8_add(doubt, doubt), doubt_k), least = acp_lane8_min(u, v);
    acp_lane8_mask beside = acp_lane8_or(acp_lane8_less(least, acp_lane8_minus(doubt)), acp_lane8_less(w, acp_lane8_minus(doubt_w)));
    out = acp_lane8_or(out, acp_lane8_and(beside, acp_lane8_less(doubt_k, size)));
    in = acp_lane8_and(in, acp_lane8_and(acp_lane8_less(doubt, least), acp_lane8_less(doubt_w, w)));
    if (q->sides == ACP_RAY_FRONT_FACES) in = acp_lane8_and(in, acp_lane8_less(k, acp_lane8_set(0.0f)));
    *out_met = acp_lane8_bits(in) != 0;
    return ~acp_lane8_bits(out) & group->lanes;
}

/* How near the way comes to round bodies, by its point nearest to their centres among those from `low` to `high`. */
typedef struct SOUP_ANY(approach) {
    acp_lane8 at[3]; /* that point, seen from the centre */
    acp_lane8_mask is_near;
    acp_lane8_mask is_far; /* certainly, both */
} SOUP_ANY(approach);

/* `m` leads from the centres to the start; in three axes, or in the two across the vertical. */
ACP_LANE8_TARGET static inline void SOUP_ANY(come_near)(const QUESTION *q, const acp_soup_wide_rounds *group, const acp_lane8 m[3],
                                                        int axes, acp_lane8 low, acp_lane8 high, SOUP_ANY(approach) * out) {
    const int which = axes == 2;
    acp_lane8 along = acp_lane8_add(acp_lane8_multiply(m[0], q->way[0]), acp_lane8_multiply(m[1], q->way[1]));
    if (axes == 3) along = acp_lane8_add(along, acp_lane8_multiply(m[2], q->way[2]));
    acp_lane8 t = acp_lane8_multiply(acp_lane8_minus(along), acp_lane8_set(q->inverse2[which]));
    t = acp_lane8_min(acp_lane8_max(t, low), high);
    for (int axis = 0; axis < 3; axis++)
        out->at[axis] = acp_lane8_add(m[axis], acp_lane8_multiply(q->way[axis], t));
    acp_lane8 radius = acp_lane8_load(group->radius), radius2 = acp_lane8_multiply(radius, radius);
    acp_lane8 sum = acp_lane8_add(acp_lane8_add(SOUP_ANY(squares)(m, axes), SOUP_ANY(squares)(q->way, axes)), radius2);
    acp_lane8 doubt = acp_lane8_add(acp_lane8_multiply(sum, acp_lane8_set(q->doubt2[which])), acp_lane8_set(1e-30f));
    acp_lane8 distance2 = SOUP_ANY(squares)(out->at, axes);
    out->is_near = acp_lane8_less(distance2, acp_lane8_subtract(radius2, doubt));
    out->is_far = acp_lane8_less(acp_lane8_add(radius2, doubt), distance2);
}

ACP_LANE8_TARGET static inline uint32_t SOUP_ANY(spheres)(const QUESTION *q, const acp_soup_wide_rounds *group, bool *out_met) {
    acp_lane8 m[3];
    SOUP_ANY(approach) near;
    for (int axis = 0; axis < 3; axis++)
        m[axis] = acp_lane8_subtract(q->start[axis], acp_lane8_load(group->center[axis]));
    SOUP_ANY(come_near)(q, group, m, 3, acp_lane8_set(0.0f), acp_lane8_set(1.0f), &near);
    *out_met = acp_lane8_bits(near.is_near) != 0;
    return ~acp_lane8_bits(near.is_far) & group->lanes;
}

ACP_LANE8_TARGET static inline uint32_t SOUP_ANY(cylspheres)(const QUESTION *q, const acp_soup_wide_rounds *group, bool *out_met) {
    const acp_lane8 zero = acp_lane8_set(0.0f), one = acp_lane8_set(1.0f), wide = acp_lane8_set(1e-6f);
    acp_lane8 m[3];
    SOUP_ANY(approach) near;
    for (int axis = 0; axis < 3; axis++)
        m[axis] = acp_lane8_subtract(q->start[axis], acp_lane8_load(group->center[axis]));
    /* Between the caps, a little wider: a way without height there counts as 1e-18, as in the walk. */
    acp_lane8 height = acp_lane8_load(group->height);
    acp_lane8 bottom = acp_lane8_multiply(acp_lane8_subtract(acp_lane8_minus(wide), m[2]), q->inverse[2]);
    acp_lane8 top = acp_lane8_multiply(acp_lane8_subtract(acp_lane8_add(height, wide), m[2]), q->inverse[2]);
    acp_lane8 low = acp_lane8_max(acp_lane8_min(bottom, top), zero), high = acp_lane8_min(acp_lane8_max(bottom, top), one);
    SOUP_ANY(come_near)(q, group, m, 2, low, high, &near);
    acp_lane8 doubt_z = acp_lane8_add(acp_lane8_add(acp_lane8_abs(m[2]), acp_lane8_abs(q->way[2])), height);
    doubt_z = acp_lane8_add(acp_lane8_multiply(doubt_z, acp_lane8_set(0x1p-20f)), acp_lane8_set(1e-30f));
    acp_lane8_mask in = acp_lane8_and(near.is_near, acp_lane8_less_equal(low, high));
    in = acp_lane8_and(in, acp_lane8_less(doubt_z, near.at[2]));
    in = acp_lane8_and(in, acp_lane8_less(near.at[2], acp_lane8_subtract(height, doubt_z)));
    acp_lane8_mask out = acp_lane8_or(near.is_far, acp_lane8_less(acp_lane8_add(high, acp_lane8_set(0x1p-19f)), low));
    *out_met = acp_lane8_bits(in) != 0;
    return ~acp_lane8_bits(out) & group->lanes;
}

/* Asks the exact test of the triangles in doubt. */
static ACP_COLD bool SOUP_ANY(meets_triangles)(const QUESTION *q, const acp_soup *soup, uint32_t index, uint32_t mask) {
    acp_soup_line line = acp_soup_line_of(q->from, q->to, q->sides);
    for (; mask != 0; mask &= mask - 1) {
        uint32_t place = acp_soup_wide_triangle_groups(soup)[index].places[acp_lane8_lowest(mask)];
        acp_soup_corners corners = acp_soup_corners_of(&acp_soup_triangle_groups(soup)[place >> 2], place & 3u);
        double t;
        bool is_front;
        if (acp_soup_line_meets_triangle(&line, &corners, &t, &is_front)) return true;
    }
    return false;
}

static ACP_COLD bool SOUP_ANY(meets_rounds)(const QUESTION *q, const acp_soup_wide_rounds *group, bool is_sphere, uint32_t mask) {
    acp_soup_line line = acp_soup_line_of(q->from, q->to, q->sides);
    for (; mask != 0; mask &= mask - 1) {
        uint32_t lane = acp_lane8_lowest(mask);
        acp_vector64 center = {(double)group->center[0][lane], (double)group->center[1][lane], (double)group->center[2][lane]};
        double radius = (double)group->radius[lane], height = (double)group->height[lane], t;
        if (is_sphere ? acp_soup_line_meets_sphere(&line, center, radius, &t)
                      : acp_soup_line_meets_cylsphere(&line, center, radius, height, &t))
            return true;
    }
    return false;
}

ACP_LANE8_TARGET static inline bool SOUP_ANY(meets_leaf)(const QUESTION *q, const acp_soup *soup, uint32_t leaf) {
    uint32_t kind = leaf & ACP_SOUP_CHILD_KIND, index = leaf >> 2, doubtful;
    bool is_met = false;
    if (kind == 1u + ACP_SOUP_TRIANGLE) {
        doubtful = SOUP_ANY(triangles)(q, &acp_soup_wide_triangle_groups(soup)[index], &is_met);
        return is_met || (doubtful != 0 && SOUP_ANY(meets_triangles)(q, soup, index, doubtful));
    }
    const acp_soup_wide_rounds *group = &acp_soup_wide_round_groups(soup)[index];
    bool is_sphere = kind == 1u + ACP_SOUP_SPHERE;
    doubtful = is_sphere ? SOUP_ANY(spheres)(q, group, &is_met) : SOUP_ANY(cylspheres)(q, group, &is_met);
    return is_met || (doubtful != 0 && SOUP_ANY(meets_rounds)(q, group, is_sphere, doubtful));
}

ACP_LANE8_TARGET bool SOUP_ANY(acp_soup_any)(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides) {
    QUESTION q;
    uint32_t stack[ACP_SOUP_WIDE_STACK];
    uint32_t top = 0;
    if (soup->wide_root == ACP_SOUP_CHILD_NONE) return false;
    SOUP_ANY(prepare)(&q, soup, start, end, sides);
    stack[top++] = soup->wide_root;
    while (top != 0) {
        uint32_t child = stack[--top];
        if ((child & ACP_SOUP_CHILD_KIND) != ACP_SOUP_CHILD_NODE) {
            if (SOUP_ANY(meets_leaf)(&q, soup, child)) return true;
            continue;
        }
        const acp_soup_wide_node *node = &acp_soup_wide_nodes(soup)[child >> 2];
        for (uint32_t mask = SOUP_ANY(children)(&q, node); mask != 0; mask &= mask - 1)
            stack[top++] = node->children[acp_lane8_lowest(mask)];
    }
    return false;
}

#undef QUESTION
#undef SOUP_ANY
