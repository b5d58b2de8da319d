/* SPDX-License-Identifier: MIT */
/* The index and the filters of a soup change no answer: on random soups, half of them on a coarse grid so that rays run along edges and
 * through corners, and near and far from the origin, every answer equals, bit for bit, the best over soups of one item each; and sweeps
 * agree with the distance to the nearest item, sampled along the way by a plain function of this file. Prints its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/soup.h"
#include "tests/support/random.h"

enum { TRIANGLES = 40, BALLS = 12, POSTS = 12, ITEMS = TRIANGLES + BALLS + POSTS };

typedef struct made {
    acp_vec3 corners[3 * TRIANGLES];
    uint32_t faces[3 * TRIANGLES];
    acp_sphere balls[BALLS];
    acp_cylsphere posts[POSTS];
    double offset;
    int is_snapped;
} made;

static float place(const made *m, test_random *random, double low, double high) {
    double v = test_random_in(random, low, high);
    return (float)(m->offset + (m->is_snapped ? floor(v) : v));
}

static acp_vec3 point(const made *m, test_random *random) {
    return (acp_vec3){place(m, random, -8, 8), place(m, random, -8, 8), place(m, random, -3, 3)};
}

static void make(made *m, test_random *random) {
    const double offsets[] = {0, 0, 150, -20000};
    m->offset = offsets[test_random_below(random, 4)];
    m->is_snapped = (int)test_random_below(random, 2);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        m->corners[i] = point(m, random);
        m->faces[i] = i;
        /* Some share corners, so edges too. */
        if (i > 6 && test_random_below(random, 3) == 0) m->faces[i] = test_random_below(random, i);
    }
    for (uint32_t i = 0; i < BALLS; i++)
        m->balls[i] = (acp_sphere){point(m, random), (float)test_random_in(random, 0, 1.5)};
    for (uint32_t i = 0; i < POSTS; i++)
        m->posts[i] = (acp_cylsphere){point(m, random), (float)test_random_in(random, 0, 1.5), (float)test_random_in(random, 0, 4)};
}

/* The soup of all, or of one item (its ordinal is 0 then). */
static acp_soup *soup_of(const made *m, uint32_t only) {
    acp_soup_source s = {m->corners, m->faces, m->balls, m->posts, 3 * TRIANGLES, TRIANGLES, BALLS, POSTS};
    if (only < ITEMS) {
        uint32_t ball = only - TRIANGLES, post = only - TRIANGLES - BALLS;
        s.triangle_count = only < TRIANGLES;
        if (only < TRIANGLES) s.triangles = &m->faces[3 * only];
        s.sphere_count = only >= TRIANGLES && ball < BALLS;
        if (s.sphere_count) s.spheres = &m->balls[ball];
        s.cylsphere_count = only >= TRIANGLES + BALLS;
        if (s.cylsphere_count) s.cylspheres = &m->posts[post];
    }
    acp_soup *soup = NULL;
    assert_int_equal(acp_soup_create(&s, NULL, &soup, NULL), ACP_OK);
    return soup;
}

typedef struct question {
    acp_vec3 start, end;
    float radius; /* negative: a ray */
    acp_ray_sides sides;
} question;

static int32_t ask(const acp_soup *soup, const question *q, acp_soup_hit *hit) {
    int32_t is_found = 0, is_any = 0;
    memset(hit, 0, sizeof *hit);
    if (q->radius >= 0.0f) {
        assert_int_equal(acp_soup_sweep_first_hit(soup, q->start, q->end, q->radius, q->sides, hit, &is_found), ACP_OK);
        return is_found;
    }
    assert_int_equal(acp_soup_segment_first_hit(soup, q->start, q->end, q->sides, hit, &is_found), ACP_OK);
    assert_int_equal(acp_soup_segment_any_hit(soup, q->start, q->end, q->sides, &is_any), ACP_OK);
    assert_int_equal(is_any, is_found);
    return is_found;
}

static question random_question(const made *m, test_random *random) {
    question q = {point(m, random), point(m, random), -1.0f, (acp_ray_sides)test_random_below(random, 2)};
    if (test_random_below(random, 3) == 0) q.start = m->corners[test_random_below(random, 3 * TRIANGLES)];
    if (test_random_below(random, 3) == 0) q.end = m->corners[test_random_below(random, 3 * TRIANGLES)];
    if (test_random_below(random, 4) == 0) q.end.z = q.start.z;
    if (test_random_below(random, 4) == 0) q.end.x = q.start.x;
    if (test_random_below(random, 2))
        q.radius = m->is_snapped ? (float)test_random_below(random, 3) * 0.5f : (float)test_random_in(random, 0, 1);
    return q;
}

static uint32_t ordinal_of(uint32_t item) {
    return item < TRIANGLES ? item : (item < TRIANGLES + BALLS ? item - TRIANGLES : item - TRIANGLES - BALLS);
}

static void answers_are_the_best_of_the_items(void **state) {
    (void)state;
    test_random random = {test_seed("property.soup", 20261130)};
    static made m;
    uint32_t hits = 0, asked = 0;
    for (int world = 0; world < 60; world++) {
        make(&m, &random);
        acp_soup *all = soup_of(&m, ITEMS), *single[ITEMS];
        for (uint32_t i = 0; i < ITEMS; i++)
            single[i] = soup_of(&m, i);
        for (int k = 0; k < 120; k++, asked++) {
            question q = random_question(&m, &random);
            acp_soup_hit hit, best = {0}, one;
            int32_t is_found = ask(all, &q, &hit), is_best = 0;
            for (uint32_t i = 0; i < ITEMS; i++) {
                if (!ask(single[i], &q, &one)) continue;
                if (is_best && one.fraction >= best.fraction) continue; /* items go by kind and ordinal: the earlier one stays */
                best = one;
                best.ordinal = ordinal_of(i);
                is_best = 1;
            }
            if (is_found != is_best || memcmp(&hit, &best, sizeof hit) != 0)
                fail_msg("world %d question %d: found %d at %.17g kind %u ordinal %u; the items: %d at %.17g kind %u ordinal %u", world, k,
                         is_found, hit.fraction, hit.kind, hit.ordinal, is_best, best.fraction, best.kind, best.ordinal);
            hits += (uint32_t)is_found;
        }
        acp_soup_destroy(all, NULL);
        for (uint32_t i = 0; i < ITEMS; i++)
            acp_soup_destroy(single[i], NULL);
    }
    assert_true(hits > asked / 4 && hits < asked);
}

/* ---- distances, plainly ---- */

typedef struct v3 {
    double x, y, z;
} v3;
static v3 sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static double dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static v3 of(acp_vec3 v) { return (v3){(double)v.x, (double)v.y, (double)v.z}; }

static double to_point_of(v3 p, v3 a, v3 b, v3 c, double u, double v) {
    v3 q = {a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y), a.z + u * (b.z - a.z) + v * (c.z - a.z)};
    return dot(sub(p, q), sub(p, q));
}

/* The least over v in [0, 1 - u]: the square is convex, so thirds will do. */
static double least_over_v(v3 p, v3 a, v3 b, v3 c, double u) {
    double low = 0, high = 1 - u;
    for (int i = 0; i < 48; i++) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        if (to_point_of(p, a, b, c, u, one) < to_point_of(p, a, b, c, u, two))
            high = two;
        else
            low = one;
    }
    return to_point_of(p, a, b, c, u, (low + high) / 2);
}

/* Distance to a triangle by a search over its barycentric coordinates: no regions, no planes. */
static double to_triangle(v3 p, v3 a, v3 b, v3 c) {
    double low = 0, high = 1;
    for (int i = 0; i < 48; i++) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        if (least_over_v(p, a, b, c, one) < least_over_v(p, a, b, c, two))
            high = two;
        else
            low = one;
    }
    return sqrt(least_over_v(p, a, b, c, (low + high) / 2));
}

static double to_item(const made *m, uint32_t item, v3 p) {
    if (item < TRIANGLES)
        return to_triangle(p, of(m->corners[m->faces[3 * item]]), of(m->corners[m->faces[3 * item + 1]]),
                           of(m->corners[m->faces[3 * item + 2]]));
    if (item < TRIANGLES + BALLS) {
        const acp_sphere *s = &m->balls[item - TRIANGLES];
        v3 gap = sub(p, of(s->center));
        return fmax(sqrt(dot(gap, gap)) - (double)s->radius, 0);
    }
    const acp_cylsphere *c = &m->posts[item - TRIANGLES - BALLS];
    v3 gap = sub(p, of(c->low_point));
    double across = fmax(sqrt(gap.x * gap.x + gap.y * gap.y) - (double)c->radius, 0);
    double up = gap.z < 0 ? -gap.z : fmax(gap.z - (double)c->height, 0);
    return sqrt(across * across + up * up);
}

static void sweeps_stop_where_the_distance_says(void **state) {
    (void)state;
    test_random random = {test_seed("property.soup", 20261130) + 1};
    static made m;
    uint32_t hits = 0;
    for (int world = 0; world < 12; world++) {
        do /* far away the point of contact is stored too coarsely to measure */
            make(&m, &random);
        while (m.offset < -1000);
        for (int k = 0; k < 16; k++) {
            uint32_t item = test_random_below(&random, ITEMS);
            acp_soup *soup = soup_of(&m, item);
            question q = random_question(&m, &random);
            if (q.radius < 0.0f) q.radius = 0.5f;
            q.sides = ACP_RAY_BOTH_FACES;
            acp_soup_hit hit;
            int32_t is_found = ask(soup, &q, &hit);
            v3 way = sub(of(q.end), of(q.start));
            double until = is_found ? hit.fraction : 1.0;
            /* A triangle without area is never met: nothing to compare. */
            v3 a = of(m.corners[m.faces[3 * (item % TRIANGLES)]]), b = of(m.corners[m.faces[3 * (item % TRIANGLES) + 1]]),
               c = of(m.corners[m.faces[3 * (item % TRIANGLES) + 2]]), e = sub(b, a), f = sub(c, a);
            v3 area = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
            if (item >= TRIANGLES || dot(area, area) > 1e-9) {
                for (int i = 0; i < 12; i++) { /* free before the contact */
                    double t = until * i / 12;
                    v3 at = {(double)q.start.x + way.x * t, (double)q.start.y + way.y * t, (double)q.start.z + way.z * t};
                    assert_true(until == 0.0 || to_item(&m, item, at) > (double)q.radius - 1e-4);
                }
                if (is_found) { /* and touching there, or inside at the start */
                    v3 at = {(double)q.start.x + way.x * until, (double)q.start.y + way.y * until, (double)q.start.z + way.z * until};
                    double d = to_item(&m, item, at);
                    assert_true(d < (double)q.radius + 1e-4 && (until == 0.0 || d > (double)q.radius - 1e-4));
                    v3 gap = sub(at, of(hit.point)); /* the point of contact is as far */
                    assert_true(until == 0.0 || fabs(sqrt(dot(gap, gap)) - (double)q.radius) < 1e-4);
                    hits++;
                }
            }
            acp_soup_destroy(soup, NULL);
        }
    }
    assert_true(hits > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_the_best_of_the_items),
                                       cmocka_unit_test(sweeps_stop_where_the_distance_says)};
    return cmocka_run_group_tests_name("property.soup", tests, NULL, NULL);
}
