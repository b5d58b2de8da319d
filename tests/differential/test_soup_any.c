/* SPDX-License-Identifier: MIT */
/* Whether anything is on a segment through a soup, asked in all ways there are: the code for any machine, the code for AVX2 (skipped where
 * the machine has none), the first hit, which walks another tree with another filter, and, for triangles with whole coordinates, this
 * file's own test in whole numbers, which rounds nothing. Half of the soups are on a coarse grid, so that segments run along edges, through
 * corners and in planes; some are slivers, specks far away, or close together far from the origin. Prints its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/soup.h"
#include "geom/lane8.h"
#include "geom/soup_wide.h"
#include "tests/support/random.h"

enum { MOST = 96 };

typedef struct made {
    acp_vec3 corners[3 * MOST];
    uint32_t faces[3 * MOST];
    acp_sphere balls[MOST];
    acp_cylsphere posts[MOST];
    uint32_t counts[3]; /* triangles, balls, posts */
    double offset, size;
    int is_whole;
} made;

static acp_vec3 point(const made *m, test_random *random) {
    double p[3];
    for (int i = 0; i < 3; i++) {
        double v = test_random_in(random, -m->size, m->size);
        p[i] = m->is_whole ? floor(v) : v + m->offset;
    }
    return (acp_vec3){(float)p[0], (float)p[1], (float)p[2]};
}

static void make(made *m, test_random *random) {
    static const double offsets[] = {0, 0, 150, -20000}, sizes[] = {8, 8, 1, 60, 1e-4, 1e6, 7e12};
    m->is_whole = (int)test_random_below(random, 2);
    m->offset = offsets[test_random_below(random, 4)];
    m->size = m->is_whole ? 6 : sizes[test_random_below(random, 7)];
    for (uint32_t kind = 0; kind < 3; kind++)
        m->counts[kind] = test_random_below(random, 3) == 0 ? 0 : test_random_below(random, MOST + 1);
    for (uint32_t i = 0; i < 3 * MOST; i++) {
        m->corners[i] = point(m, random);
        m->faces[i] = i > 6 && test_random_below(random, 3) == 0 ? test_random_below(random, i) : i;
    }
    /* Slivers and specks. */
    for (uint32_t i = 0; i < MOST && !m->is_whole; i++) {
        uint32_t what = test_random_below(random, 4);
        acp_vec3 *p = &m->corners[3 * i];
        if (what > 1) continue;
        for (int k = 1; k < 3; k++) {
            double part = what == 1 ? 1e-6 : (k == 1 ? 1.0 : 0.5);
            p[k].x = (float)((double)p[0].x + part * ((double)p[1].x - (double)p[0].x) + (k == 2 ? 1e-6 * m->size : 0.0));
            p[k].y = (float)((double)p[0].y + part * ((double)p[k].y - (double)p[0].y));
            p[k].z = (float)((double)p[0].z + part * ((double)p[1].z - (double)p[0].z));
        }
    }
    for (uint32_t i = 0; i < MOST; i++) {
        double most = m->is_whole ? 3 : m->size * 0.3;
        double radius = test_random_in(random, 0, most), height = test_random_in(random, 0, 2 * most);
        m->balls[i] = (acp_sphere){point(m, random), (float)(m->is_whole ? floor(radius) : radius)};
        m->posts[i] =
            (acp_cylsphere){point(m, random), (float)(m->is_whole ? floor(radius) : radius), (float)(m->is_whole ? floor(height) : height)};
    }
}

/* ---- whole numbers ---- */

typedef struct whole {
    int64_t x, y, z;
} whole;

static whole between(acp_vec3 to, acp_vec3 from) {
    return (whole){(int64_t)to.x - (int64_t)from.x, (int64_t)to.y - (int64_t)from.y, (int64_t)to.z - (int64_t)from.z};
}
static whole cross(whole a, whole b) { return (whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static int64_t dot(whole a, whole b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static int meets_whole(const acp_vec3 p[3], acp_vec3 start, acp_vec3 end, acp_ray_sides sides) {
    whole way = between(end, start), n = cross(between(p[1], p[0]), between(p[2], p[0]));
    int64_t toward = dot(n, way), away = dot(n, between(p[0], start));
    if (toward == 0 || (toward > 0 && sides == ACP_RAY_FRONT_FACES)) return 0;
    if (toward < 0 ? (away > 0 || away < toward) : (away < 0 || away > toward)) return 0;
    int low = 0, high = 0;
    for (int k = 0; k < 3; k++) {
        int64_t volume = dot(way, cross(between(p[k], start), between(p[(k + 1) % 3], start)));
        low |= volume < 0;
        high |= volume > 0;
    }
    return !(low && high);
}

static int any_whole(const made *m, acp_vec3 start, acp_vec3 end, acp_ray_sides sides) {
    for (uint32_t i = 0; i < m->counts[0]; i++) {
        acp_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = m->corners[m->faces[3 * i + (uint32_t)k]];
        if (meets_whole(p, start, end, sides)) return 1;
    }
    return 0;
}

/* ---- questions ---- */

typedef struct question {
    acp_vec3 start, end;
    acp_ray_sides sides;
} question;

static acp_vec3 corner_or_point(const made *m, test_random *random) {
    return test_random_below(random, 3) == 0 ? m->corners[test_random_below(random, 3 * MOST)] : point(m, random);
}

static question ask(const made *m, test_random *random) {
    question q = {corner_or_point(m, random), corner_or_point(m, random), (acp_ray_sides)test_random_below(random, 2)};
    if (test_random_below(random, 4) == 0) q.end.z = q.start.z;
    if (test_random_below(random, 4) == 0) q.end.x = q.start.x;
    if (test_random_below(random, 4) == 0) q.end.y = q.start.y;
    if (test_random_below(random, 8) == 0 && !m->is_whole) { /* from far away */
        q.start.x = (float)((double)q.start.x + test_random_in(random, -1e6, 1e6));
        q.start.z = (float)((double)q.start.z + test_random_in(random, -1e6, 1e6));
    }
    return q;
}

static void all_ways_agree(void **state) {
    (void)state;
    test_random random = {test_seed("differential.soup_any", 20261130)};
    static made m;
    uint32_t hits = 0, asked = 0, whole_asked = 0;
    for (int world = 0; world < 400; world++) {
        make(&m, &random);
        acp_soup_source source = {m.corners, m.faces, m.balls, m.posts, 3 * MOST, m.counts[0], m.counts[1], m.counts[2]};
        acp_soup *soup = NULL;
        assert_int_equal(acp_soup_create(&source, NULL, &soup, NULL), ACP_OK);
        for (int k = 0; k < 500; k++, asked++) {
            question q = ask(&m, &random);
            acp_soup_hit hit = {0};
            int32_t is_first = 0, is_any = 0;
            assert_int_equal(acp_soup_segment_first_hit(soup, q.start, q.end, q.sides, &hit, &is_first), ACP_OK);
            assert_int_equal(acp_soup_segment_any_hit(soup, q.start, q.end, q.sides, &is_any), ACP_OK);
            int is_plain = acp_soup_any_plain(soup, q.start, q.end, q.sides);
            if (is_any != is_first || is_plain != is_first)
                fail_msg(
                    "world %d question %d: first hit %d (kind %u), any hit %d, plain code %d; offset %g size %g, (%a %a %a) to (%a %a %a)",
                    world, k, is_first, (unsigned)hit.kind, is_any, is_plain, m.offset, m.size, (double)q.start.x, (double)q.start.y,
                    (double)q.start.z, (double)q.end.x, (double)q.end.y, (double)q.end.z);
            if (m.is_whole && m.counts[1] + m.counts[2] == 0) {
                whole_asked++;
                assert_int_equal(is_any, any_whole(&m, q.start, q.end, q.sides));
            }
            hits += (uint32_t)is_first;
        }
        acp_soup_destroy(soup, NULL);
    }
    assert_true(hits > asked / 8 && hits < asked - asked / 8);
    assert_true(whole_asked > 1000);
}

static void avx2_agrees(void **state) {
    (void)state;
#if ACP_LANE8_CAN_AVX2
    if (!acp_lane8_has_avx2()) skip();
    test_random random = {test_seed("differential.soup_any", 20261130) + 1};
    static made m;
    for (int world = 0; world < 300; world++) {
        make(&m, &random);
        acp_soup_source source = {m.corners, m.faces, m.balls, m.posts, 3 * MOST, m.counts[0], m.counts[1], m.counts[2]};
        acp_soup *soup = NULL;
        assert_int_equal(acp_soup_create(&source, NULL, &soup, NULL), ACP_OK);
        for (int k = 0; k < 1000; k++) {
            question q = ask(&m, &random);
            assert_int_equal(acp_soup_any_avx2(soup, q.start, q.end, q.sides), acp_soup_any_plain(soup, q.start, q.end, q.sides));
        }
        acp_soup_destroy(soup, NULL);
    }
#else
    skip();
#endif
}

/* What the filters cannot bound: squares that vanish or whose reciprocals do, products beyond binary32, ends in the very corner. */
static uint32_t agree_on(const acp_soup_source *whole_source, const float *values, uint32_t value_count, test_random *random) {
    uint32_t hits = 0;
    for (uint32_t with = 1; with < 8; with++) {
        acp_soup_source source = *whole_source;
        if (!(with & 1)) source.triangle_count = 0;
        if (!(with & 2)) source.sphere_count = 0;
        if (!(with & 4)) source.cylsphere_count = 0;
        acp_soup *soup = NULL;
        assert_int_equal(acp_soup_create(&source, NULL, &soup, NULL), ACP_OK);
        for (int k = 0; k < 20000; k++) {
            float v[6];
            for (int i = 0; i < 6; i++)
                v[i] = values[test_random_below(random, value_count)];
            acp_vec3 start = {v[0], v[1], v[2]}, end = {v[3], v[4], v[5]};
            acp_soup_hit hit;
            int32_t is_first = 0, is_any = 0;
            assert_int_equal(acp_soup_segment_first_hit(soup, start, end, ACP_RAY_BOTH_FACES, &hit, &is_first), ACP_OK);
            assert_int_equal(acp_soup_segment_any_hit(soup, start, end, ACP_RAY_BOTH_FACES, &is_any), ACP_OK);
            if (is_first != is_any || is_any != acp_soup_any_plain(soup, start, end, ACP_RAY_BOTH_FACES))
                fail_msg("soup %u: (%g %g %g) to (%g %g %g): first hit %d, any hit %d", (unsigned)with, (double)v[0], (double)v[1],
                         (double)v[2], (double)v[3], (double)v[4], (double)v[5], is_first, is_any);
            hits += (uint32_t)is_first;
        }
        acp_soup_destroy(soup, NULL);
    }
    return hits;
}

static void extremes_agree(void **state) {
    (void)state;
    const acp_vec3 corners[] = {{0, -1, -1}, {0, 1, -1}, {0, 0, 1}, {-3, 0, 0}, {3, 1e-20f, 0}, {0, 3, 1e-20f}};
    const acp_vec3 far_corners[] = {{0, -1e17f, -1e17f}, {0, 1e17f, -1e17f}, {0, 0, 1e17f},
                                    {-1e18f, -1e18f, 5}, {1e18f, -1e18f, 5}, {0, 1e18f, 5}};
    const uint32_t faces[] = {0, 1, 2, 3, 4, 5};
    const acp_sphere balls[] = {{{5, 0, 0}, 1}, {{0, 3, 0}, 1e-20f}, {{0, 0, 3}, 0}};
    const acp_sphere far_balls[] = {{{-5e17f, 0, 0}, 1e17f}, {{0, 5e17f, 0}, 1e16f}, {{3e16f, 0, 0}, 1e15f}};
    const acp_cylsphere posts[] = {{{9, 0, -1}, 1, 2}, {{0, -3, 0}, 0, 0}, {{-3, -3, -3}, 1e-20f, 6}};
    const acp_cylsphere far_posts[] = {{{0, -5e17f, -1e17f}, 1e17f, 2e17f}, {{-5e17f, 0, 0}, 1e16f, 1e18f}, {{0, 0, -1e18f}, 1e16f, 1e17f}};
    const float values[] = {0.0f, -0.0f, 1e-38f, 1e-20f, -1e-20f, 1e-10f, 0.5f, 3.0f, -3.0f, 9.0f, 1e4f, -1e9f};
    const float far_values[] = {0.0f, 1e-20f, 3.0f, -3.0f, 1e9f, 2e15f, -1e16f, 1e17f, 5e17f, -5e17f, 1e18f, -1e18f};
    test_random random = {test_seed("differential.soup_any", 20261130) + 2};
    assert_true(agree_on(&(acp_soup_source){corners, faces, balls, posts, 6, 2, 3, 3}, values, 12, &random) > 1000);
    assert_true(agree_on(&(acp_soup_source){far_corners, faces, far_balls, far_posts, 6, 2, 3, 3}, far_values, 12, &random) > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_agree),
        cmocka_unit_test(avx2_agrees),
        cmocka_unit_test(extremes_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
