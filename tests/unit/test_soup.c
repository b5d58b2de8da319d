/* SPDX-License-Identifier: MIT */
/* Soups by hand, bad input, and what the header promises of the block: the same bytes every time, answers from any place in memory, nothing
 * left after a refused allocation. Expected values: arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/soup.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"

/* A floor of two triangles, a ball above it, a post, and a triangle without area. */
static const acp_vec3 vertices[] = {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}};
static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 0, 2};
static const acp_sphere spheres[] = {{{2, 0, 2}, 0.5f}};
static const acp_cylsphere posts[] = {{{-2, 0, 0}, 0.5f, 3}};
static const acp_soup_source square = {vertices, triangles, spheres, posts, 4, 3, 1, 1};

static acp_soup *soup;

static int set_up(void **state) {
    (void)state;
    return acp_soup_create(&square, NULL, &soup, NULL) == ACP_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    acp_soup_destroy(soup, NULL);
    acp_soup_destroy(NULL, NULL);
    return 0;
}

static int32_t ray(acp_vec3 start, acp_vec3 end, acp_ray_sides sides, acp_soup_hit *hit) {
    int32_t is_found = 9, is_any = 9;
    assert_int_equal(acp_soup_segment_first_hit(soup, start, end, sides, hit, &is_found), ACP_OK);
    assert_int_equal(acp_soup_segment_any_hit(soup, start, end, sides, &is_any), ACP_OK);
    assert_int_equal(is_found, is_any);
    return is_found;
}

static int32_t sweep(acp_vec3 start, acp_vec3 end, float radius, acp_ray_sides sides, acp_soup_hit *hit) {
    int32_t is_found = 9;
    assert_int_equal(acp_soup_sweep_first_hit(soup, start, end, radius, sides, hit, &is_found), ACP_OK);
    return is_found;
}

static void assert_vec3(acp_vec3 v, double x, double y, double z) {
    assert_true(fabs((double)v.x - x) < 1e-6 && fabs((double)v.y - y) < 1e-6 && fabs((double)v.z - z) < 1e-6);
}

static void rays_by_hand(void **state) {
    (void)state;
    acp_soup_hit hit;
    /* The floor from above and from below; on the edge that both triangles share the lower ordinal. */
    assert_true(ray((acp_vec3){1, -1, 4}, (acp_vec3){1, -1, -4}, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_TRIANGLE && hit.ordinal == 0 && hit.is_front == 1 && hit.fraction == 0.5);
    assert_vec3(hit.point, 1, -1, 0);
    assert_vec3(hit.normal, 0, 0, 1);
    acp_soup_hit before = hit;
    assert_false(ray((acp_vec3){1, -1, -4}, (acp_vec3){1, -1, 4}, ACP_RAY_FRONT_FACES, &hit));
    assert_memory_equal(&hit, &before, sizeof hit);
    assert_true(ray((acp_vec3){1, -1, -4}, (acp_vec3){1, -1, 4}, ACP_RAY_BOTH_FACES, &hit));
    assert_true(hit.is_front == 0 && hit.fraction == 0.5);
    assert_vec3(hit.normal, 0, 0, -1);
    assert_true(ray((acp_vec3){1, 1, 1}, (acp_vec3){1, 1, 0}, ACP_RAY_BOTH_FACES, &hit));
    assert_true(hit.ordinal == 0 && hit.fraction == 1.0);
    assert_false(ray((acp_vec3){1, 1, 1}, (acp_vec3){1, 1, 0.001f}, ACP_RAY_BOTH_FACES, &hit));
    assert_false(ray((acp_vec3){-9, 1, 0}, (acp_vec3){9, 1, 0}, ACP_RAY_BOTH_FACES, &hit)); /* in the plane: not met */
    /* The ball at 2 - 0.5 from the left, from its inside, beside it. */
    assert_true(ray((acp_vec3){0, 0, 2}, (acp_vec3){4, 0, 2}, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_SPHERE && hit.ordinal == 0 && fabs(hit.fraction - 1.5 / 4) < 1e-12);
    assert_vec3(hit.normal, -1, 0, 0);
    assert_true(ray((acp_vec3){2, 0, 2}, (acp_vec3){4, 0, 2}, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.fraction == 0.0);
    assert_vec3(hit.normal, 0, 0, 0);
    assert_false(ray((acp_vec3){0, 0.501f, 2}, (acp_vec3){4, 0.501f, 2}, ACP_RAY_FRONT_FACES, &hit));
    /* The post: its wall, its top, from its inside, over it. */
    assert_true(ray((acp_vec3){-4, 0, 1}, (acp_vec3){0, 0, 1}, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_CYLSPHERE && fabs(hit.fraction - 1.5 / 4) < 1e-12);
    assert_vec3(hit.normal, -1, 0, 0);
    assert_true(ray((acp_vec3){-2, 0.25f, 5}, (acp_vec3){-2, 0.25f, 1}, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_CYLSPHERE && hit.fraction == 0.5);
    assert_vec3(hit.normal, 0, 0, 1);
    assert_true(ray((acp_vec3){-2, 0.25f, 1}, (acp_vec3){-2, 9, 1}, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.fraction == 0.0);
    assert_false(ray((acp_vec3){-4, 0, 3.001f}, (acp_vec3){0, 0, 3.001f}, ACP_RAY_FRONT_FACES, &hit));
}

static void sweeps_by_hand(void **state) {
    (void)state;
    acp_soup_hit hit;
    /* Down to the floor: 4 m of way, met one radius above it. */
    assert_true(sweep((acp_vec3){1, -2, 3}, (acp_vec3){1, -2, -1}, 0.5f, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_TRIANGLE && hit.ordinal == 0 && hit.is_front == 1 && fabs(hit.fraction - 2.5 / 4) < 1e-12);
    assert_vec3(hit.point, 1, -2, 0);
    assert_vec3(hit.normal, 0, 0, 1);
    /* From beyond the floor's edge at x = 4, level with it: the edge; past the corner (4, 4): the corner. */
    assert_true(sweep((acp_vec3){8, 1, 0}, (acp_vec3){4, 1, 0}, 0.5f, ACP_RAY_BOTH_FACES, &hit));
    assert_true(fabs(hit.fraction - 3.5 / 4) < 1e-12);
    assert_vec3(hit.point, 4, 1, 0);
    assert_vec3(hit.normal, 1, 0, 0);
    assert_true(sweep((acp_vec3){8, 4.3f, 0}, (acp_vec3){4, 4.3f, 0}, 0.5f, ACP_RAY_BOTH_FACES, &hit));
    assert_true(fabs(hit.fraction - 3.6 / 4) < 1e-6); /* 0.4 from the corner: 0.3, 0.4, 0.5 */
    assert_vec3(hit.point, 4, 4, 0);
    assert_vec3(hit.normal, 0.8, 0.6, 0);
    assert_false(sweep((acp_vec3){8, 4.51f, 0}, (acp_vec3){4, 4.51f, 0}, 0.5f, ACP_RAY_BOTH_FACES, &hit));
    /* From below: a back face. */
    assert_false(sweep((acp_vec3){1, -2, -3}, (acp_vec3){1, -2, 1}, 0.5f, ACP_RAY_FRONT_FACES, &hit));
    assert_true(sweep((acp_vec3){1, -2, -3}, (acp_vec3){1, -2, 1}, 0.5f, ACP_RAY_BOTH_FACES, &hit));
    assert_true(hit.is_front == 0);
    assert_vec3(hit.normal, 0, 0, -1);
    /* Overlap at the start, also without any way. */
    assert_true(sweep((acp_vec3){1, -2, 0.25f}, (acp_vec3){1, -2, 9}, 0.5f, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.fraction == 0.0);
    assert_true(sweep((acp_vec3){1, -2, 0.25f}, (acp_vec3){1, -2, 0.25f}, 0.5f, ACP_RAY_FRONT_FACES, &hit));
    /* Ball: 1.5 - 0.25 of 4; post: wall, top, rim (0.3 beyond the wall, radius 0.5: 0.4 above the top). */
    assert_true(sweep((acp_vec3){0, 0, 2}, (acp_vec3){4, 0, 2}, 0.25f, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_SPHERE && fabs(hit.fraction - 1.25 / 4) < 1e-12);
    assert_vec3(hit.point, 1.5, 0, 2);
    assert_true(sweep((acp_vec3){-4, 0, 2}, (acp_vec3){0, 0, 2}, 0.25f, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_CYLSPHERE && fabs(hit.fraction - 1.25 / 4) < 1e-12);
    assert_vec3(hit.point, -2.5, 0, 2);
    assert_true(sweep((acp_vec3){-2, 0.25f, 7}, (acp_vec3){-2, 0.25f, 3}, 0.5f, ACP_RAY_FRONT_FACES, &hit));
    assert_true(fabs(hit.fraction - 3.5 / 4) < 1e-12);
    assert_true(sweep((acp_vec3){-2, 0.8f, 7}, (acp_vec3){-2, 0.8f, 3}, 0.5f, ACP_RAY_FRONT_FACES, &hit));
    assert_true(hit.kind == ACP_SOUP_CYLSPHERE && fabs(hit.fraction - 3.6 / 4) < 1e-6);
    assert_vec3(hit.point, -2, 0.5, 3);
    assert_vec3(hit.normal, 0, 0.6, 0.8);
    assert_false(sweep((acp_vec3){-2, 1.01f, 7}, (acp_vec3){-2, 1.01f, 3}, 0.5f, ACP_RAY_FRONT_FACES, &hit));
}

static void nothing_in_it(void **state) {
    (void)state;
    acp_soup *empty;
    acp_soup_hit hit;
    int32_t is_found = 9;
    acp_soup_source none = {0};
    assert_int_equal(acp_soup_create(&none, NULL, &empty, NULL), ACP_OK);
    assert_int_equal(acp_soup_segment_any_hit(empty, (acp_vec3){0, 0, 0}, (acp_vec3){1, 1, 1}, ACP_RAY_BOTH_FACES, &is_found), ACP_OK);
    assert_int_equal(is_found, 0);
    acp_soup_destroy(empty, NULL);
    /* Only triangles without area, and a single item. */
    const uint32_t flat[] = {0, 0, 1, 2, 2, 2};
    acp_soup_source lines = {.vertices = vertices, .triangles = flat, .vertex_count = 4, .triangle_count = 2};
    assert_int_equal(acp_soup_create(&lines, NULL, &empty, NULL), ACP_OK);
    assert_int_equal(acp_soup_sweep_first_hit(empty, (acp_vec3){0, -4, 0}, (acp_vec3){1, -4, 0}, 9, ACP_RAY_BOTH_FACES, &hit, &is_found),
                     ACP_OK);
    assert_int_equal(is_found, 0);
    acp_soup_destroy(empty, NULL);
    acp_soup_source one = {.spheres = spheres, .sphere_count = 1};
    assert_int_equal(acp_soup_create(&one, NULL, &empty, NULL), ACP_OK);
    assert_int_equal(acp_soup_segment_any_hit(empty, (acp_vec3){2, 0, 9}, (acp_vec3){2, 0, 0}, ACP_RAY_BOTH_FACES, &is_found), ACP_OK);
    assert_int_equal(is_found, 1);
    acp_soup_destroy(empty, NULL);
}

static void bad_sources(void **state) {
    (void)state;
    acp_soup *made = soup;
    acp_error error;
    acp_soup_source s = square;
    assert_int_equal(acp_soup_create(NULL, NULL, &made, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_soup_create(&square, NULL, NULL, &error), ACP_ERROR_INVALID_ARGUMENT);
    s.vertices = NULL;
    assert_int_equal(acp_soup_create(&s, NULL, &made, &error), ACP_ERROR_INVALID_ARGUMENT);
    s = square;
    s.triangle_count = ACP_SOUP_MAX_ITEMS;
    assert_int_equal(acp_soup_create(&s, NULL, &made, &error), ACP_ERROR_LIMIT);
    s = square;
    s.vertex_count = 2;
    assert_int_equal(acp_soup_create(&s, NULL, &made, &error), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(error.record_id, 0);
    const float bad[] = {NAN, INFINITY, -INFINITY, 2e18f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        acp_vec3 corners[4];
        memcpy(corners, vertices, sizeof corners);
        corners[3].y = bad[i];
        s = square;
        s.vertices = corners;
        assert_int_equal(acp_soup_create(&s, NULL, &made, &error), ACP_ERROR_NOT_FINITE);
        assert_int_equal(error.record_id, 3);
        acp_sphere ball = {{2, 0, 2}, bad[i]};
        s = square;
        s.spheres = &ball;
        assert_int_equal(acp_soup_create(&s, NULL, &made, &error), ACP_ERROR_NOT_FINITE);
        acp_cylsphere post = {{2, 0, bad[i]}, 1, 1};
        s = square;
        s.cylspheres = &post;
        assert_int_equal(acp_soup_create(&s, NULL, &made, &error), ACP_ERROR_NOT_FINITE);
        acp_soup_hit hit;
        int32_t is_found;
        acp_vec3 a = {0, 0, 1}, b = {bad[i], 0, 0};
        assert_int_equal(acp_soup_segment_any_hit(soup, a, b, ACP_RAY_BOTH_FACES, &is_found), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_soup_segment_first_hit(soup, b, a, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_soup_sweep_first_hit(soup, a, b, 1, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_soup_sweep_first_hit(soup, a, a, bad[i], ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_NOT_FINITE);
    }
    acp_soup_hit hit;
    int32_t is_found;
    acp_vec3 a = {0, 0, 1};
    assert_int_equal(acp_soup_sweep_first_hit(soup, a, a, -1, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_soup_sweep_first_hit(soup, a, a, 1, ACP_RAY_BOTH_FACES, NULL, &is_found), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_soup_segment_any_hit(NULL, a, a, ACP_RAY_BOTH_FACES, &is_found), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_soup_segment_first_hit(soup, a, a, ACP_RAY_BOTH_FACES, &hit, NULL), ACP_ERROR_INVALID_ARGUMENT);
    acp_cylsphere flat = {{0, 0, 0}, 1, -1};
    s = square;
    s.cylspheres = &flat;
    assert_int_equal(acp_soup_create(&s, NULL, &made, &error), ACP_ERROR_OUT_OF_RANGE);
    assert_ptr_equal(made, soup);
    assert_int_equal(acp_soup_size(NULL), 0);
}

/* A crowd of items, many at the same place, so that the tree is deep and cut in the middle too. */
static acp_soup_source crowd(void) {
    static acp_sphere balls[600];
    static acp_vec3 corners[900];
    static uint32_t faces[900];
    test_random random = {77};
    for (uint32_t i = 0; i < 600; i++) {
        double size = i < 200 ? 1.0 : pow(1.5, (double)(i % 100)) * 1e-6;
        balls[i] = (acp_sphere){{(float)(size * test_random_in(&random, -1, 1)), i < 50 ? 1.0f : (float)size, (float)size}, 0.25f};
    }
    for (uint32_t i = 0; i < 900; i++) {
        corners[i] = (acp_vec3){(float)test_random_in(&random, -9, 9), (float)test_random_in(&random, -9, 9), (float)(i % 7)};
        faces[i] = i;
    }
    return (acp_soup_source){corners, faces, balls, posts, 900, 300, 600, 1};
}

static void blocks_are_the_same_and_move(void **state) {
    (void)state;
    acp_soup_source source = crowd();
    acp_soup *a, *b;
    assert_int_equal(acp_soup_create(&source, NULL, &a, NULL), ACP_OK);
    assert_int_equal(acp_soup_create(&source, NULL, &b, NULL), ACP_OK);
    size_t size = acp_soup_size(a);
    assert_true(size == acp_soup_size(b) && memcmp(a, b, size) == 0);
    char *memory = malloc(size + 128);
    assert_non_null(memory);
    acp_soup *moved = (acp_soup *)(void *)(memory + (64 - (uintptr_t)memory % 64));
    memcpy(moved, a, size);
    memset(a, 0xEE, sizeof(acp_soup_source)); /* nothing of the old block may be used */
    test_random random = {5};
    for (int i = 0; i < 500; i++) {
        acp_vec3 from = {(float)test_random_in(&random, -9, 9), (float)test_random_in(&random, -9, 9),
                         (float)test_random_in(&random, -1, 8)};
        acp_vec3 to = {(float)test_random_in(&random, -9, 9), (float)test_random_in(&random, -9, 9), (float)test_random_in(&random, -1, 8)};
        acp_soup_hit hits[2];
        memset(hits, 0, sizeof hits);
        int32_t is_found[2];
        assert_int_equal(acp_soup_sweep_first_hit(moved, from, to, 0.3f, ACP_RAY_BOTH_FACES, &hits[0], &is_found[0]), ACP_OK);
        assert_int_equal(acp_soup_sweep_first_hit(b, from, to, 0.3f, ACP_RAY_BOTH_FACES, &hits[1], &is_found[1]), ACP_OK);
        assert_true(is_found[0] == is_found[1] && memcmp(&hits[0], &hits[1], sizeof hits[0]) == 0);
    }
    memcpy(a, b, size);
    free(memory);
    acp_soup_destroy(a, NULL);
    acp_soup_destroy(b, NULL);
}

static acp_result build_once(void *user, const acp_allocator *allocator) {
    acp_soup_source source = crowd();
    acp_soup *made = user;
    acp_result result = acp_soup_create(&source, allocator, &made, NULL);
    if (result != ACP_OK && (void *)made != user) return ACP_ERROR_INTERNAL;
    if (result == ACP_OK) acp_soup_destroy(made, allocator);
    return result;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(test_fail_every_allocation(build_once, NULL) >= 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rays_by_hand),
                                       cmocka_unit_test(sweeps_by_hand),
                                       cmocka_unit_test(nothing_in_it),
                                       cmocka_unit_test(bad_sources),
                                       cmocka_unit_test(blocks_are_the_same_and_move),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests_name("unit.soup", tests, set_up, tear_down);
}
