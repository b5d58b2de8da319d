/* SPDX-License-Identifier: MIT */
/* Segments, sweeps and triangles of a tree (ours): by hand on the fixtures; against every polygon in turn on random trees whose leaves
 * list all polygons; no line slips between the triangles of a fan; sweeps against the distance to the nearest point along the way.
 * Expected values: arithmetic, or the brute force written here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/bsp.h"
#include "tests/support/trees.h"

static acp_bsp *cube, *room;

static int set_up(void **state) {
    (void)state;
    test_tree a = test_tree_fixture_a(), b = test_tree_fixture_b();
    cube = test_tree_build(&a);
    room = test_tree_build(&b);
    test_tree_free(&a);
    test_tree_free(&b);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    acp_bsp_destroy(cube, NULL);
    acp_bsp_destroy(room, NULL);
    return 0;
}

static void segments_by_hand(void **state) {
    (void)state;
    acp_bsp_hit hit;
    int32_t is_found = 9;
    /* Down on the block, past it to the floor, and up from below the floor. */
    assert_int_equal(acp_bsp_segment_first_hit(room, (acp_vec3){2, 0, 2.5f}, (acp_vec3){2, 0, -1.5f}, ACP_RAY_FRONT_FACES, &hit, &is_found),
                     ACP_OK);
    assert_true(is_found == 1 && hit.polygon == 6 && hit.fraction == 0.5 && hit.is_front == 1);
    assert_true(hit.point.z == 0.5f && hit.normal.z == 1);
    assert_int_equal(acp_bsp_segment_first_hit(room, (acp_vec3){0, 0, 1}, (acp_vec3){0, 0, -3}, ACP_RAY_FRONT_FACES, &hit, &is_found),
                     ACP_OK);
    assert_true(is_found && hit.polygon == 0 && hit.fraction == 0.25);
    acp_bsp_hit untouched = hit;
    assert_int_equal(acp_bsp_segment_first_hit(room, (acp_vec3){0, 0, -3}, (acp_vec3){0, 0, 1}, ACP_RAY_FRONT_FACES, &hit, &is_found),
                     ACP_OK);
    assert_false(is_found); /* from behind */
    assert_memory_equal(&hit, &untouched, sizeof hit);
    assert_int_equal(acp_bsp_segment_first_hit(room, (acp_vec3){0, 0, -3}, (acp_vec3){0, 0, 1}, ACP_RAY_BOTH_FACES, &hit, &is_found),
                     ACP_OK);
    assert_true(is_found && hit.polygon == 0 && hit.fraction == 0.75 && hit.is_front == 0);
    /* Ends count; short of it is nothing; along the floor meets the wall; a tie at an edge goes to the lower ordinal. */
    assert_int_equal(acp_bsp_segment_any_hit(room, (acp_vec3){0, 0, 1}, (acp_vec3){0, 0, 0}, ACP_RAY_FRONT_FACES, &is_found), ACP_OK);
    assert_true(is_found);
    assert_int_equal(acp_bsp_segment_any_hit(room, (acp_vec3){0, 0, 1}, (acp_vec3){0, 0, 0.001f}, ACP_RAY_FRONT_FACES, &is_found), ACP_OK);
    assert_false(is_found);
    assert_int_equal(acp_bsp_segment_first_hit(room, (acp_vec3){0, 3, 0}, (acp_vec3){10, 3, 0}, ACP_RAY_FRONT_FACES, &hit, &is_found),
                     ACP_OK);
    assert_true(is_found && hit.polygon == 2 && hit.fraction == 0.5);
    assert_int_equal(acp_bsp_segment_first_hit(cube, (acp_vec3){3, 3, 0}, (acp_vec3){-1, -1, 0}, ACP_RAY_FRONT_FACES, &hit, &is_found),
                     ACP_OK);
    assert_true(is_found && hit.polygon == 0 && hit.fraction == 0.5);
    assert_int_equal(acp_bsp_segment_any_hit(cube, (acp_vec3){3, 0, 0}, (acp_vec3){3, 0, 0}, ACP_RAY_BOTH_FACES, &is_found), ACP_OK);
    assert_false(is_found);
}

static void sweeps_by_hand(void **state) {
    (void)state;
    acp_bsp_hit hit;
    int32_t is_found = 9;
    assert_int_equal(
        acp_bsp_sweep_first_hit(room, (acp_vec3){0, 0, 2.5f}, (acp_vec3){0, 0, -1.5f}, 0.5f, ACP_RAY_FRONT_FACES, &hit, &is_found), ACP_OK);
    assert_true(is_found && hit.polygon == 0 && hit.fraction == 0.5 && hit.point.z == 0 && hit.normal.z == 1);
    /* Down beside the block's top edge at x = 1: 0.3 away across, so 0.4 above it. */
    assert_int_equal(
        acp_bsp_sweep_first_hit(room, (acp_vec3){0.7f, 0, 2.9f}, (acp_vec3){0.7f, 0, 0.9f}, 0.5f, ACP_RAY_FRONT_FACES, &hit, &is_found),
        ACP_OK);
    assert_true(is_found && fabs(hit.fraction - 1.0) < 1e-6 && hit.point.x == 1 && fabsf(hit.point.z - 0.5f) < 1e-6f);
    assert_true(fabsf(hit.normal.x + 0.6f) < 1e-5f && fabsf(hit.normal.z - 0.8f) < 1e-5f);
    /* Towards the corner (1,1,1) of the cube along the diagonal. */
    assert_int_equal(
        acp_bsp_sweep_first_hit(cube, (acp_vec3){3, 3, 3}, (acp_vec3){1, 1, 1}, (float)sqrt(3.0), ACP_RAY_FRONT_FACES, &hit, &is_found),
        ACP_OK);
    assert_true(is_found && fabs(hit.fraction - 0.5) < 1e-6 && hit.point.x == 1 && hit.point.y == 1 && hit.point.z == 1);
    /* Overlap at the start. */
    assert_int_equal(acp_bsp_sweep_first_hit(cube, (acp_vec3){1.2f, 0, 0}, (acp_vec3){5, 0, 0}, 0.5f, ACP_RAY_FRONT_FACES, &hit, &is_found),
                     ACP_OK);
    assert_true(is_found && hit.fraction == 0 && hit.polygon == 0 && hit.normal.x == 1);
    assert_int_equal(acp_bsp_sweep_first_hit(cube, (acp_vec3){2, 0, 0}, (acp_vec3){5, 0, 0}, 0.5f, ACP_RAY_BOTH_FACES, &hit, &is_found),
                     ACP_OK);
    assert_false(is_found);
}

static void bad_arguments(void **state) {
    (void)state;
    acp_bsp_hit hit;
    int32_t is_found = 9;
    uint32_t count = 9;
    const acp_vec3 o = {0, 0, 0}, bad = {0, NAN, 0};
    assert_int_equal(acp_bsp_segment_first_hit(NULL, o, o, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_bsp_segment_first_hit(cube, bad, o, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_bsp_segment_any_hit(cube, o, bad, ACP_RAY_BOTH_FACES, &is_found), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_bsp_sweep_first_hit(cube, o, o, -1, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_bsp_sweep_first_hit(cube, o, o, INFINITY, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_bsp_triangles(cube, NULL, 5, &count), ACP_ERROR_INVALID_ARGUMENT);
    assert_true(is_found == 9 && count == 9);
}

static void triangles(void **state) {
    (void)state;
    acp_bsp_triangle list[22];
    uint32_t count = 0;
    assert_int_equal(acp_bsp_triangles(room, NULL, 0, &count), ACP_OK);
    assert_int_equal(count, 22);
    memset(list, 0, sizeof list);
    assert_int_equal(acp_bsp_triangles(room, list, 21, &count), ACP_OK);
    assert_int_equal(count, 22);
    assert_true(list[21].points[1].x == 0 && list[21].polygon == 0); /* capacity respected */
    assert_int_equal(list[13].polygon, 6);
    assert_int_equal(list[13].id, 6);
    assert_true(list[13].points[0].x == 1 && list[13].points[1].x == 3 && list[13].points[2].y == 2);
}

/* A tree whose every leaf lists every polygon, so that brute force over polygons is the truth. */
static acp_bsp *tree_of_everything(test_random *random) {
    test_tree tree = test_tree_random(random, 12, 5);
    uint32_t all[12];
    for (uint32_t i = 0; i < 12; i++)
        all[i] = i;
    free(tree.leaf_polygons);
    tree.leaf_polygons = malloc(sizeof all);
    assert_non_null(tree.leaf_polygons);
    memcpy(tree.leaf_polygons, all, sizeof all);
    tree.leaf_polygon_count = 12;
    for (uint32_t i = 0; i < tree.node_count; i++)
        if (tree.nodes[i].kind == ACP_BSP_LEAF) {
            tree.nodes[i].first_polygon = 0;
            tree.nodes[i].polygon_count = 12;
        }
    acp_bsp *bsp = test_tree_build(&tree);
    test_tree_free(&tree);
    return bsp;
}

/* Signed distance of a point of the plane from the outline: positive inside. */
static double depth_inside(const acp_polygon *p, const double q[3]) {
    double depth = INFINITY;
    for (uint32_t i = 0; i < p->point_count; i++) {
        const acp_vec3 *a = &p->points[i], *b = &p->points[(i + 1) % p->point_count];
        double ex = (double)b->x - (double)a->x, ey = (double)b->y - (double)a->y, ez = (double)b->z - (double)a->z;
        double nx = (double)p->plane.normal.x, ny = (double)p->plane.normal.y, nz = (double)p->plane.normal.z;
        double cx = ny * ez - nz * ey, cy = nz * ex - nx * ez, cz = nx * ey - ny * ex;
        double length = sqrt(cx * cx + cy * cy + cz * cz);
        if (length == 0) continue;
        double d = ((q[0] - (double)a->x) * cx + (q[1] - (double)a->y) * cy + (q[2] - (double)a->z) * cz) / length;
        if (d < depth) depth = d;
    }
    return depth;
}

static void segments_against_brute_force(void **state) {
    (void)state;
    test_random random = {test_seed("segment.brute", 40)};
    uint32_t found_count = 0, unsure = 0;
    for (int round = 0; round < 150; round++) {
        acp_bsp *bsp = tree_of_everything(&random);
        for (int q = 0; q < 60; q++) {
            acp_vec3 s = test_random_vec3(&random, 9), e = test_random_vec3(&random, 9);
            double best = INFINITY;
            bool is_unsure = false;
            for (uint32_t i = 0; i < 12; i++) {
                acp_polygon p = acp_bsp_polygon(bsp, i);
                if (!acp_polygon_is_usable(&p)) continue;
                double d0 = acp_plane_distance(&p.plane, s), d1 = acp_plane_distance(&p.plane, e);
                if ((d0 > 0) == (d1 > 0)) continue;
                double f = d0 / (d0 - d1);
                double at[3] = {(double)s.x + f * ((double)e.x - (double)s.x), (double)s.y + f * ((double)e.y - (double)s.y),
                                (double)s.z + f * ((double)e.z - (double)s.z)};
                double inside = depth_inside(&p, at);
                if (fabs(inside) < 1e-4) is_unsure = true; /* on an outline: rounding decides */
                if (inside >= 0 && f < best) best = f;
            }
            acp_bsp_hit hit;
            int32_t is_found = 0, is_any = 0;
            assert_int_equal(acp_bsp_segment_first_hit(bsp, s, e, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_OK);
            assert_int_equal(acp_bsp_segment_any_hit(bsp, s, e, ACP_RAY_BOTH_FACES, &is_any), ACP_OK);
            assert_int_equal(is_any, is_found);
            unsure += is_unsure;
            if (is_unsure) continue;
            assert_int_equal(is_found, isfinite(best));
            if (is_found) assert_true(fabs(hit.fraction - best) < 1e-12);
            found_count += (uint32_t)is_found;
        }
        acp_bsp_destroy(bsp, NULL);
    }
    assert_true(found_count > 1000 && unsure < 200);
}

static double distance_to_polygon(const acp_polygon *p, const double c[3]) {
    double d =
        ((double)p->plane.normal.x * c[0] + (double)p->plane.normal.y * c[1] + (double)p->plane.normal.z * c[2]) + (double)p->plane.d;
    double foot[3] = {c[0] - d * (double)p->plane.normal.x, c[1] - d * (double)p->plane.normal.y, c[2] - d * (double)p->plane.normal.z};
    if (depth_inside(p, foot) >= 0) return fabs(d);
    double best = INFINITY;
    for (uint32_t i = 0; i < p->point_count; i++) {
        const acp_vec3 *a = &p->points[i], *b = &p->points[(i + 1) % p->point_count];
        double ex = (double)b->x - (double)a->x, ey = (double)b->y - (double)a->y, ez = (double)b->z - (double)a->z;
        double mx = c[0] - (double)a->x, my = c[1] - (double)a->y, mz = c[2] - (double)a->z;
        double l2 = ex * ex + ey * ey + ez * ez, t = l2 > 0 ? (mx * ex + my * ey + mz * ez) / l2 : 0;
        t = t < 0 ? 0 : (t > 1 ? 1 : t);
        double x = mx - t * ex, y = my - t * ey, z = mz - t * ez, length = sqrt(x * x + y * y + z * z);
        if (length < best) best = length;
    }
    return best;
}

/* Before the reported moment no polygon is nearer than the radius; at it the named one is exactly that near. */
static void sweeps_against_distance(void **state) {
    (void)state;
    test_random random = {test_seed("segment.sweep", 41)};
    uint32_t found_count = 0;
    for (int round = 0; round < 60; round++) {
        acp_bsp *bsp = tree_of_everything(&random);
        for (int q = 0; q < 12; q++) {
            acp_vec3 s = test_random_vec3(&random, 9), e = test_random_vec3(&random, 9);
            float radius = (float)test_random_in(&random, 0.05, 1.0);
            acp_bsp_hit hit = {0};
            int32_t is_found = 0;
            assert_int_equal(acp_bsp_sweep_first_hit(bsp, s, e, radius, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_OK);
            double until = is_found ? hit.fraction : 1.0;
            for (int step = 0; step <= 40; step++) {
                double f = until * step / 40;
                double c[3] = {(double)s.x + f * ((double)e.x - (double)s.x), (double)s.y + f * ((double)e.y - (double)s.y),
                               (double)s.z + f * ((double)e.z - (double)s.z)};
                for (uint32_t i = 0; i < 12; i++) {
                    acp_polygon p = acp_bsp_polygon(bsp, i);
                    if (!acp_polygon_is_usable(&p)) continue;
                    double d = distance_to_polygon(&p, c);
                    assert_true(d > (double)radius - 1e-5 || (is_found && hit.fraction == 0));
                    if (is_found && step == 40 && i == hit.polygon && hit.fraction > 0) assert_true(fabs(d - (double)radius) < 1e-5);
                }
            }
            found_count += (uint32_t)is_found;
        }
        acp_bsp_destroy(bsp, NULL);
    }
    assert_true(found_count > 100);
}

/* A fan of triangles round a point: every line through the disc meets exactly one of them or a shared edge, never nothing. */
static void no_line_slips_between_neighbours(void **state) {
    (void)state;
    test_random random = {test_seed("segment.fan", 42)};
    test_tree tree = {0};
    uint32_t all[12];
    acp_vec3 rim[12], hub = {0.3f, 0.1f, 1.7f};
    for (uint32_t i = 0; i < 12; i++) {
        double t = -1 + 2 * ((double)(i % 6) + 0.5) / 6, half = 1 + t * t, side = i < 6 ? 1 : -1;
        rim[i] = (acp_vec3){(float)(side * 3 * (1 - t * t) / half), (float)(side * 6 * t / half), 1.7f};
    }
    for (uint32_t i = 0; i < 12; i++)
        all[i] = test_tree_add_polygon(&tree, (const acp_vec3[]){hub, rim[i], rim[(i + 1) % 12]}, 3);
    test_tree_add_leaf(&tree, 0, all, 12, (acp_sphere){{0, 0, 0}, 100});
    acp_bsp *bsp = test_tree_build(&tree);
    for (int q = 0; q < 20000; q++) {
        uint32_t i = test_random_below(&random, 12);
        double t = q % 5 == 0 ? 0 : test_random_in(&random, 0, 0.9); /* aimed at a spoke, or at the hub */
        acp_vec3 aim = {(float)((double)hub.x + t * ((double)rim[i].x - (double)hub.x)),
                        (float)((double)hub.y + t * ((double)rim[i].y - (double)hub.y)), 1.7f};
        acp_vec3 s = test_random_vec3(&random, 1), e;
        s.z = 3;
        e = (acp_vec3){2 * aim.x - s.x, 2 * aim.y - s.y, 2 * aim.z - s.z};
        int32_t is_found = 0;
        assert_int_equal(acp_bsp_segment_any_hit(bsp, s, e, ACP_RAY_BOTH_FACES, &is_found), ACP_OK);
        assert_true(is_found);
    }
    acp_bsp_destroy(bsp, NULL);
    test_tree_free(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(segments_by_hand),
                                       cmocka_unit_test(sweeps_by_hand),
                                       cmocka_unit_test(bad_arguments),
                                       cmocka_unit_test(triangles),
                                       cmocka_unit_test(segments_against_brute_force),
                                       cmocka_unit_test(sweeps_against_distance),
                                       cmocka_unit_test(no_line_slips_between_neighbours)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
