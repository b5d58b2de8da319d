/* SPDX-License-Identifier: MIT */
/* Planes, boxes, rays, spheres and cylinders: the tables of spec 03 §3 to §6 that no vector line carries, and edges of the definitions.
 * (Everything the vectors carry is run by vectors.conform.) Expected values: the spec's examples, or arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/box.h"
#include "geom/plane.h"
#include "geom/sphere.h"
#include "tests/support/random.h"

#define BITS(v, expected) assert_int_equal(test_float_bits(v), expected)

static void plane_sides(void **state) {
    (void)state;
    const acp_plane floor_plane = {{0, 0, 1}, 0};
    const float eps = ACP_EPSILON;
    assert_int_equal(acp_plane_side(&floor_plane, (acp_vec3){0, 0, eps}, eps), ACP_SIDE_IN_PLANE);
    assert_int_equal(acp_plane_side(&floor_plane, (acp_vec3){0, 0, 0.00020001f}, eps), ACP_SIDE_POSITIVE);
    assert_int_equal(acp_plane_side(&floor_plane, (acp_vec3){0, 0, -eps}, eps), ACP_SIDE_IN_PLANE);
    assert_int_equal(acp_plane_side(&floor_plane, (acp_vec3){0, 0, -0.00020001f}, eps), ACP_SIDE_NEGATIVE);
    assert_int_equal(acp_plane_side(&floor_plane, (acp_vec3){0, 0, -0.0f}, eps), ACP_SIDE_IN_PLANE);
}

static void plane_time(void **state) {
    (void)state;
    const acp_plane ground = {{0, 0, 1}, 0}, slope = {{-0.6f, 0, 0.8f}, -1};
    double t = 99;
    acp_ray ray = {{0, 0, 5}, {0, 0, -1}, 0};
    assert_true(acp_plane_time_of_intersection(&ground, &ray, &t));
    assert_true(t == 5.0);
    ray.direction = (acp_vec3){0, 0, 1};
    assert_false(acp_plane_time_of_intersection(&ground, &ray, &t));
    assert_true(t == -5.0); /* written although behind */
    ray.direction = (acp_vec3){1, 0, 0.0001f};
    t = 99;
    assert_false(acp_plane_time_of_intersection(&ground, &ray, &t));
    assert_true(t == 99); /* parallel: untouched */
    ray = (acp_ray){{0, 0, 0}, {0, 0, -1}, 0};
    assert_true(acp_plane_time_of_intersection(&ground, &ray, &t));
    assert_true(t == 0.0);
    ray = (acp_ray){{1, 2, 3}, {0.6f, 0, -0.8f}, 0};
    assert_true(acp_plane_time_of_intersection(&slope, &ray, &t));
    assert_true(t == 0.79999997377395693);
}

static void plane_equality(void **state) {
    (void)state;
    acp_plane a = {{0, 0, 1}, 0}, b = a;
    b.normal.x = ACP_EPSILON; /* inclusive for normals */
    assert_true(acp_plane_is_equal(&a, &b));
    b = a;
    b.d = ACP_EPSILON; /* strict for d */
    assert_false(acp_plane_is_equal(&a, &b));
}

static void rays(void **state) {
    (void)state;
    acp_ray ray = acp_ray_from_offset((acp_vec3){1, 2, 3}, (acp_vec3){3, 0, 4});
    assert_true(ray.length == 5.0f && ray.point.y == 2.0f);
    BITS(ray.direction.x, 0x3F19999A);
    BITS(ray.direction.z, 0x3F4CCCCD);
    ray = acp_ray_from_offset((acp_vec3){0, 0, 0}, (acp_vec3){1, 1, 1});
    BITS(ray.length, 0x3FDDB3D7);
    BITS(ray.direction.x, 0x3F13CD3A);
    BITS(ray.direction.y, 0x3F13CD3A);
    ray = acp_ray_from_offset((acp_vec3){0, 0, 0}, (acp_vec3){0.0001f, 0, 0});
    assert_true(ray.length == 0.0f && ray.direction.x == 0.0f && ray.direction.y == 1.0f && ray.direction.z == 0.0f);
}

static void boxes(void **state) {
    (void)state;
    acp_box box = acp_box_for_adjust();
    BITS(box.min.x, 0x7F7FFFFF);
    BITS(box.max.z, 0xFF7FFFFF);
    acp_box_adjust(&box, (acp_vec3){1, -2, 3});
    assert_true(box.min.x == 1 && box.max.x == 1 && box.min.y == -2 && box.max.z == 3);
    box = (acp_box){{0, 0, 0}, {1, 1, 1}};
    acp_box_adjust(&box, (acp_vec3){-0.0f, 2, 0.5f}); /* a tie keeps the older zero */
    BITS(box.min.x, 0x00000000);
    assert_true(box.max.y == 2);
    acp_box other = {{-1, 0.5f, 0.5f}, {0.5f, 0.75f, 3}};
    acp_box_union(&box, &other);
    assert_true(box.min.x == -1 && box.max.y == 2 && box.max.z == 3 && box.min.y == 0);
    box = acp_box_of_points(NULL, 0);
    assert_true(box.min.x == 0 && box.max.x == 0);
    acp_box rotated = {{-1, -2, 0}, {3, 1, 2}};
    acp_matrix_position from = {0xA9B40001u, acp_matrix_frame_identity()};
    from.frame.origin = (acp_vec3){10, 20, 5};
    box = acp_box_local_to_global(0xA9B40001u, &from, &rotated);
    assert_true(box.min.x == 9 && box.min.y == 18 && box.min.z == 5 && box.max.x == 13 && box.max.y == 21 && box.max.z == 7);
    const float quarter[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        from.frame.m[i] = quarter[i];
    box = acp_box_local_to_global(0xA9B40001u, &from, &rotated);
    assert_true(box.min.x == 9 && box.min.y == 19 && box.min.z == 5 && box.max.x == 12 && box.max.y == 23 && box.max.z == 7);
    acp_matrix_position to = from;
    from.frame = acp_matrix_frame_identity();
    box = acp_box_local_to_local(&to, &from, &rotated);
    assert_true(box.min.x == -22 && box.min.y == 7 && box.min.z == -5 && box.max.x == -19 && box.max.y == 11 && box.max.z == -3);
}

/* The quirk: convert_to_global leaves out the corner (X,Y,Z). Turned so that this corner alone decides the greatest x. */
static void box_convert_leaves_out_a_corner(void **state) {
    (void)state;
    acp_matrix_position position = {0xA9B40001u, acp_matrix_frame_identity()};
    const float shear[9] = {1, 0, 0, 1, 1, 0, 1, 0, 1}; /* x' = x + y + z: not a rotation, but plain arithmetic */
    for (int i = 0; i < 9; i++)
        position.frame.m[i] = shear[i];
    acp_box box = {{0, 0, 0}, {1, 2, 4}};
    assert_true(acp_box_local_to_global(position.cell_id, &position, &box).max.x == 7.0f);
    assert_true(acp_box_convert_to_global(&position, &box).max.x == 6.0f);
}

static void sphere_times(void **state) {
    (void)state;
    const acp_vec3 in = {-2, 0, 0};
    assert_true(acp_sphere_time_of_collision(in, (acp_vec3){3, 0, 0}, 2) == 0.5);
    assert_true(acp_sphere_time_of_collision((acp_vec3){-1, -1, 0}, (acp_vec3){3, 3, 0.5f}, 2) == 1.6306936062370847);
    assert_true(acp_sphere_time_of_collision(in, (acp_vec3){3, 2.5f, 0}, 2) == -1.0);
    assert_true(acp_sphere_time_of_collision(in, (acp_vec3){0.5f, 0, 0}, 2) == -1.0);
    assert_true(acp_sphere_time_of_collision((acp_vec3){-0.01f, 0, 0}, (acp_vec3){3, 0, 0}, 2) == -1.0);
    assert_true(acp_sphere_time_of_collision((acp_vec3){2, 0, 0}, (acp_vec3){3, 0, 0}, 2) == -0.5);
    assert_true(acp_sphere_time_of_collision((acp_vec3){-4, 0, 0}, (acp_vec3){-3, 0, 0}, 2) == -0.25);
}

static void sphere_rays(void **state) {
    (void)state;
    const acp_sphere sphere = {{0, 0, 0}, 2};
    double t = 99;
    acp_ray ray = {{5, 0, 0}, {-1, 0, 0}, 0};
    assert_true(acp_sphere_hits_ray(&sphere, &ray, &t) && t == 3.0);
    ray.direction.x = 1;
    assert_true(acp_sphere_hits_ray(&sphere, &ray, &t) && t == -3.0);
    ray = (acp_ray){{5, 1.9f, 0}, {-2, 0, 0}, 0};
    assert_true(acp_sphere_hits_ray(&sphere, &ray, &t) && t == 2.187750063811432);
    ray = (acp_ray){{5, 2.1f, 0}, {-1, 0, 0}, 0};
    assert_false(acp_sphere_hits_ray(&sphere, &ray, &t));
    ray = (acp_ray){{0, 0, 0}, {-1, 0, 0}, 0};
    assert_false(acp_sphere_hits_ray(&sphere, &ray, &t));
    ray.point.x = 2;
    assert_false(acp_sphere_hits_ray(&sphere, &ray, &t));
}

static void sphere_overlaps(void **state) {
    (void)state;
    acp_sphere a = {{0, 0, 0}, 1}, b = {{2, 0, 0}, 1};
    assert_true(acp_sphere_intersects(&a, &b));
    b.center.x = 2.0000999f; /* 4.0004 - 4 = 0.0004 is no longer below EPS */
    assert_false(acp_sphere_intersects(&a, &b));
    assert_true(acp_sphere_collides((acp_vec3){1.99979997f, 0, 0}, 1.99979997f));
    assert_false(acp_sphere_collides((acp_vec3){2, 0, 0}, 1.99979997f));
}

static void cylinder_normals(void **state) {
    (void)state;
    const acp_cylsphere c = {{0, 0, 0}, 0.5f, 2};
    const float radius = 0.25f, sum = 0.749800026f;
    acp_vec3 n = {9, 9, 9};
    assert_true(acp_cylsphere_normal_of_collision(&c, (acp_vec3){1, 0, 1}, radius, (acp_vec3){0.7f, 0, 1}, sum, &n));
    assert_true(n.x == 1 && n.y == 0 && n.z == 0);
    assert_true(acp_cylsphere_normal_of_collision(&c, (acp_vec3){0, 0, 3}, radius, (acp_vec3){0, 0, 2}, sum, &n));
    assert_true(n.x == 0 && n.z == 1);
    assert_true(acp_cylsphere_normal_of_collision(&c, (acp_vec3){0.1f, 0, -1}, radius, (acp_vec3){0.1f, 0, -0.2f}, sum, &n));
    assert_true(n.z == -1);
    assert_true(acp_cylsphere_normal_of_collision(&c, (acp_vec3){0.1f, 0, 1}, radius, (acp_vec3){0.1f, 0, 1}, sum, &n));
    assert_true(n.z == 1);
    assert_false(acp_cylsphere_normal_of_collision(&c, (acp_vec3){2, 0, 9}, radius, (acp_vec3){0.7f, 0, 2}, sum, &n));
    assert_true(n.x == 2 && n.y == 0 && n.z == 0); /* written although false, not normalised */
    assert_true(acp_cylsphere_normal_of_collision(&c, (acp_vec3){2, 0, 9}, radius, (acp_vec3){0.7f, 0, 9}, sum, &n));
    assert_true(n.x == 2);
    assert_true(acp_cylsphere_collides(2, radius, (acp_vec3){0, 0, 2.24f}, sum));
    assert_false(acp_cylsphere_collides(2, radius, (acp_vec3){0, 0, 2.2499f}, sum));
    assert_true(acp_cylsphere_collides(2, radius, (acp_vec3){0, 0, -0.2498f}, sum));
    assert_false(acp_cylsphere_collides(2, radius, (acp_vec3){0, 0, -0.2499f}, sum));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plane_sides),     cmocka_unit_test(plane_time),
                                       cmocka_unit_test(plane_equality),  cmocka_unit_test(rays),
                                       cmocka_unit_test(boxes),           cmocka_unit_test(box_convert_leaves_out_a_corner),
                                       cmocka_unit_test(sphere_times),    cmocka_unit_test(sphere_rays),
                                       cmocka_unit_test(sphere_overlaps), cmocka_unit_test(cylinder_normals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
