/* SPDX-License-Identifier: MIT */
/* Polygons: planes (with the self-test of spec 03 NUM-6 against a compiler that miscounts), the table rows of §7 that no vector carries,
 * and degenerate polygons, which every operation must answer with "no" (POLY-4). Expected values: the spec's examples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/polygon.h"
#include "tests/support/random.h"

#define BITS(v, expected) assert_int_equal(test_float_bits(v), expected)

static const acp_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

static void planes(void **state) {
    (void)state;
    /* NUM-6: the +x face of a cube. */
    const acp_vec3 face[4] = {{1, -1, -1}, {1, 1, -1}, {1, 1, 1}, {1, -1, 1}};
    acp_plane plane = acp_polygon_make_plane(face, 4);
    assert_true(plane.normal.x == 1.0f && plane.d == -1.0f);
    const acp_vec3 eight[8] = {{1, -1, -1}, {1, 0, -1}, {1, 1, -1}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}, {1, -1, 1}, {1, -1, 0}};
    plane = acp_polygon_make_plane(eight, 8);
    assert_true(plane.normal.x == 1.0f && plane.d == -1.0f);
    plane = acp_polygon_make_plane(square, 4);
    BITS(plane.d, 0x80000000u); /* POLY-3: -0.0 is kept */
    const acp_vec3 triangle[3] = {{0, 0, 0}, {4, 0, 0}, {0, 3, 1}};
    plane = acp_polygon_make_plane(triangle, 3);
    BITS(plane.normal.y, 0xBEA1E89Bu);
    BITS(plane.normal.z, 0x3F72DCE8u);
    BITS(plane.d, 0x322AAAABu);
    const acp_vec3 five[5] = {{1, 1, 1}, {5, 1, 2}, {6, 4, 2.5f}, {3, 6, 2}, {0.5f, 4, 1}};
    plane = acp_polygon_make_plane(five, 5);
    BITS(plane.normal.x, 0xBE830DC3u);
    BITS(plane.normal.y, 0xBDAEBD04u);
    BITS(plane.normal.z, 0x3F768181u);
    BITS(plane.d, 0xBF120805u);
}

static void check_never_hit(const acp_polygon *polygon) {
    const acp_sphere sphere = {{0, 0, 0}, 1};
    const acp_vec3 up = {0, 0, 1}, down = {0, 0, -1};
    acp_vec3 contact = {7, 7, 7}, normal = contact;
    bool is_struck = false;
    float walk_interp = 1;
    acp_sphere moved = sphere;
    const acp_ray ray = {{0, 0, 5}, {0, 0, -1}, 1};
    double t = 0;
    assert_false(acp_polygon_is_usable(polygon));
    assert_false(acp_polygon_contains_point(polygon, sphere.center));
    assert_false(acp_polygon_hits_sphere_fast(polygon, &sphere, &contact));
    assert_false(acp_polygon_hits_sphere_precise(polygon, &sphere, &contact));
    assert_false(acp_polygon_pos_hits_sphere(polygon, &sphere, down, &contact, &is_struck));
    assert_false(acp_polygon_walkable_hits_sphere(polygon, 0, &sphere, up));
    assert_false(acp_polygon_check_walkable(polygon, &sphere, up));
    assert_false(acp_polygon_check_small_walkable(polygon, &sphere, up));
    assert_false(acp_polygon_find_crossed_edge(polygon, &sphere, up, &normal));
    assert_false(acp_polygon_adjust_sphere_to_plane(polygon, &walk_interp, &moved, down));
    assert_true(acp_polygon_adjust_sphere_to_poly(polygon, &sphere, sphere.center, down) == 0.0);
    assert_false(acp_polygon_hits_ray(polygon, &ray, &t));
    assert_false(is_struck);
    assert_true(contact.x == 7 && normal.x == 7 && walk_interp == 1 && moved.center.z == 0);
}

static void degenerate_polygons_are_never_hit(void **state) {
    (void)state;
    const acp_vec3 line[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, point[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const acp_vec3 huge[3] = {{3e38f, -3e38f, 0}, {3e38f, 3e38f, 0}, {-3e38f, 3e38f, 0}};
    const acp_polygon polygons[] = {acp_polygon_make(NULL, 0, 0, 1), acp_polygon_make(square, 1, 0, 1), acp_polygon_make(square, 2, 0, 1),
                                    acp_polygon_make(line, 3, 0, 1), acp_polygon_make(point, 3, 0, 1)};
    for (size_t i = 0; i < sizeof polygons / sizeof polygons[0]; i++) {
        assert_true(isnan(polygons[i].plane.d) && isnan(polygons[i].plane.normal.z));
        check_never_hit(&polygons[i]);
    }
    acp_polygon big = acp_polygon_make(huge, 3, 0, 1);
    assert_true(acp_polygon_is_usable(&big) || isnan(big.plane.d)); /* one or the other, never half */
}

static void sphere_tests(void **state) {
    (void)state;
    const acp_polygon polygon = acp_polygon_make(square, 4, 0, 0);
    static const struct {
        acp_sphere sphere;
        bool is_hit, is_written;
    } rows[] = {{{{0.5f, 0.5f, 0.5f}, 0.5f}, false, false},  {{{0.5f, 0.5f, 0.5f}, 0.5002f}, false, false},
                {{{0.5f, 0.5f, 0.5f}, 0.5003f}, true, true}, {{{0.5f, 0.5f, -0.2f}, 0.5f}, true, true},
                {{{1.4f, 0.5f, 0}, 0.5f}, true, true},       {{{1.4998f, 0.5f, 0}, 0.5f}, true, true},
                {{{1.4999f, 0.5f, 0}, 0.5f}, false, true},   {{{1.3f, 1.3f, 0}, 0.5f}, true, true},
                {{{1.36f, 1.36f, 0}, 0.5f}, false, true},    {{{1.3f, 1.3f, 0.3f}, 0.5f}, false, true},
                {{{-0.3f, 1.2f, 0.2f}, 0.5f}, true, true},   {{{0.5f, 0.5f, 0}, 0}, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_vec3 fast = {7, 7, 7}, sure = {7, 7, 7};
        assert_int_equal(acp_polygon_hits_sphere_fast(&polygon, &rows[i].sphere, &fast), rows[i].is_hit);
        assert_int_equal(acp_polygon_hits_sphere_precise(&polygon, &rows[i].sphere, &sure), rows[i].is_hit);
        assert_int_equal(fast.x != 7, rows[i].is_written);
        assert_int_equal(sure.x != 7, rows[i].is_written);
    }
}

static void rays(void **state) {
    (void)state;
    acp_polygon polygon = acp_polygon_make(square, 4, 0, 0);
    double t = 0;
    acp_ray down = {{0.5f, 0.5f, 5}, {0, 0, -1}, 0}, up = {{0.5f, 0.5f, -5}, {0, 0, 1}, 0}, beside = {{1.5f, 0.5f, 5}, {0, 0, -1}, 0};
    assert_true(acp_polygon_hits_ray(&polygon, &down, &t) && t == 5.0);
    assert_false(acp_polygon_hits_ray(&polygon, &up, &t));
    polygon.sides_type = 1;
    assert_true(acp_polygon_hits_ray(&polygon, &up, &t) && t == 5.0);
    assert_false(acp_polygon_hits_ray(&polygon, &beside, &t));
}

static void placement_flips_cancel(void **state) {
    (void)state;
    const acp_polygon polygon = acp_polygon_make(square, 4, 0, 0);
    static const struct {
        float z;
        bool center_solid, solid_check;
        float struck, other;
    } rows[] = {{0.2f, false, true, 0.5f, 1.5f},       {0.2f, true, true, -0.5f, 0.50000006f}, {-0.2f, false, true, -0.5f, 0.900000036f},
                {-0.2f, true, true, 0.5f, 1.9000001f}, {0.2f, false, false, 0.5f, 1.5f},       {-0.2f, false, false, 0.5f, 1.9000001f}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_sphere struck = {{0.5f, 0.5f, rows[i].z}, 0.5f}, other = {{0.5f, 0.5f, 1.2f}, 0.5f};
        acp_polygon_adjust_to_placement(&polygon, &struck, &other, 0.5f, rows[i].center_solid, rows[i].solid_check);
        BITS(struck.center.z, test_float_bits(rows[i].struck));
        BITS(other.center.z, test_float_bits(rows[i].other));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(planes), cmocka_unit_test(degenerate_polygons_are_never_hit),
                                       cmocka_unit_test(sphere_tests), cmocka_unit_test(rays), cmocka_unit_test(placement_flips_cancel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
