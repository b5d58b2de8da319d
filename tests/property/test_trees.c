/* SPDX-License-Identifier: MIT */
/* Fast forms against exact ones: containment trees against a plain walk of their planes, tree polygons against the single polygon's test,
 * the sphere filter against its expression, traced queries against plain ones. Random input and input a few units in the last place from
 * every threshold, where a filter with a wrong bound would decide wrongly. The exact sides are the spec's formulas written out here or the
 * single-polygon operations, which the vectors hold. Prints its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/bsp_clear.h"
#include "geom/bsp_trace.h"
#include "geom/cell_tree_probe.h"
#include "geom/filter.h"
#include "tests/support/trees.h"

#define CELL_PAD ((double)0x1.47ae14p-7f)

/* A float a few steps from `v`. */
static float nudge(test_random *random, double v) {
    float f = (float)v;
    int steps = (int)test_random_below(random, 9) - 4;
    for (; steps > 0; steps--)
        f = nextafterf(f, INFINITY);
    for (; steps < 0; steps++)
        f = nextafterf(f, -INFINITY);
    return f;
}

static double distance(const acp_plane *p, acp_vec3 v) {
    return (((double)p->normal.z * (double)v.z + (double)p->normal.y * (double)v.y) + (double)p->normal.x * (double)v.x) + (double)p->d;
}

/* CBSP-1 to CBSP-3 as written, the sphere by recursion. */
static int plain_point(const acp_bsp_node_source *nodes, uint32_t i, acp_vec3 p) {
    for (; i != ACP_BSP_NONE; i = nodes[i].positive)
        if (distance(&nodes[i].plane, p) < -ACP_EPSILON_F64) return 0;
    return 1;
}

static int plain_sphere(const acp_bsp_node_source *nodes, uint32_t i, const acp_sphere *s) {
    double rad = (double)s->radius + CELL_PAD;
    for (;;) {
        double t = distance(&nodes[i].plane, s->center);
        if (t <= -rad) return 0;
        if (t < rad) return nodes[i].positive == ACP_BSP_NONE ? 1 : plain_sphere(nodes, nodes[i].positive, s) != 0;
        if (nodes[i].positive == ACP_BSP_NONE) return 2;
        i = nodes[i].positive;
        rad = (double)(float)rad;
    }
}

static int plain_box(const acp_bsp_node_source *nodes, uint32_t i, const acp_box *b) {
    for (; i != ACP_BSP_NONE; i = nodes[i].positive) {
        int outside = 0;
        for (int c = 0; c < 8; c++) {
            acp_vec3 v = {c & 1 ? b->max.x : b->min.x, c & 2 ? b->max.y : b->min.y, c & 4 ? b->max.z : b->min.z};
            outside += distance(&nodes[i].plane, v) < -ACP_EPSILON_F64;
        }
        if (outside == 8) return 0;
    }
    return 1;
}

/* A point at a given distance from a plane, as near as binary32 allows, and nudged. */
static acp_vec3 point_at(test_random *random, const acp_plane *plane, double at, double size) {
    acp_vec3 p = test_random_vec3(random, size);
    double off = distance(plane, p) - at;
    p.x = nudge(random, (double)p.x - off * (double)plane->normal.x);
    p.y = nudge(random, (double)p.y - off * (double)plane->normal.y);
    p.z = nudge(random, (double)p.z - off * (double)plane->normal.z);
    return p;
}

static void containment(void **state) {
    (void)state;
    test_random random = {test_seed("trees.containment", 20131)};
    uint32_t boundings[3] = {0}, inside = 0;
    for (int round = 0; round < 1500; round++) {
        acp_bsp_node_source nodes[24];
        uint32_t count = 1 + test_random_below(&random, 24);
        double size = test_random_below(&random, 4) == 0 ? 3000 : 8;
        for (uint32_t i = 0; i < count; i++) {
            nodes[i] = (acp_bsp_node_source){.kind = ACP_BSP_INTERIOR, .positive = i + 1 < count ? i + 1 : ACP_BSP_NONE};
            nodes[i].plane = (acp_plane){test_random_normal(&random), (float)test_random_in(&random, -0.5, size)};
            if (test_random_below(&random, 8) == 0) nodes[i].plane.normal.y *= 3; /* not of unit length */
        }
        acp_cell_tree *tree = NULL;
        assert_int_equal(acp_cell_tree_create(nodes, count, 0, ACP_CONTENT_LENIENT, NULL, NULL, &tree, NULL), ACP_OK);
        for (int q = 0; q < 60; q++) {
            const acp_plane *plane = &nodes[test_random_below(&random, count)].plane;
            float radius = test_random_below(&random, 8) == 0 ? 0.0f : (float)test_random_in(&random, 0, 2);
            double pad = (double)radius + CELL_PAD;
            acp_sphere s = {point_at(&random, plane, test_random_below(&random, 2) ? pad : -pad, size / 2), radius};
            acp_vec3 p = test_random_below(&random, 3) == 0 ? test_random_vec3(&random, size / 2)
                                                            : point_at(&random, plane, -ACP_EPSILON_F64, size / 2);
            acp_vec3 e = test_random_vec3(&random, 2);
            acp_box box = {p, {p.x + fabsf(e.x), p.y + fabsf(e.y), p.z + fabsf(e.z)}};
            int point = plain_point(nodes, 0, p), sphere = plain_sphere(nodes, 0, &s);
            assert_int_equal(acp_cell_tree_contains_point(tree, p), point);
            assert_int_equal(acp_cell_tree_intersects_sphere(tree, &s), sphere);
            assert_int_equal(acp_cell_tree_has_point(tree, &p), point);
            assert_int_equal(acp_cell_tree_meets_sphere(tree, &s), sphere != 0);
            assert_int_equal(acp_cell_tree_intersects_box(tree, &box), plain_box(nodes, 0, &box));
            box = (acp_box){{p.x - fabsf(e.x), p.y - fabsf(e.y), p.z - fabsf(e.z)}, p};
            assert_int_equal(acp_cell_tree_intersects_box(tree, &box), plain_box(nodes, 0, &box));
            boundings[sphere]++;
            inside += (uint32_t)point;
        }
        acp_cell_tree_destroy(tree, NULL);
    }
    /* The input reached every answer. */
    assert_true(boundings[0] > 1000 && boundings[1] > 1000 && boundings[2] > 100 && inside > 1000);
}

static void sphere_filter(void **state) {
    (void)state;
    test_random random = {test_seed("trees.sphere_filter", 20132)};
    uint32_t answers[2] = {0};
    for (int i = 0; i < 400000; i++) {
        double size = i % 3 == 0 ? 1000 : 4;
        acp_sphere a = {test_random_vec3(&random, size), (float)test_random_in(&random, 0, size)};
        acp_sphere b = {test_random_vec3(&random, size), (float)test_random_in(&random, 0, size)};
        if (i % 2) { /* nearly touching, or nearly EPS past it */
            double dx = (double)a.center.x - (double)b.center.x, dy = (double)a.center.y - (double)b.center.y,
                   dz = (double)a.center.z - (double)b.center.z;
            double d2 = dx * dx + dy * dy + dz * dz;
            double sum = sqrt(i % 4 == 1 ? d2 : fmax(0.0, d2 - ACP_EPSILON_F64));
            b.radius = nudge(&random, sum - (double)a.radius);
        }
        bool exact = acp_sphere_intersects(&a, &b);
        assert_int_equal(acp_filter_sphere_intersects(&a, &b), exact);
        answers[exact]++;
    }
    assert_true(answers[0] > 1000 && answers[1] > 1000);
}

/* One polygon in one leaf: the tree's answers are the single polygon's. */
static void tree_polygons(void **state) {
    (void)state;
    test_random random = {test_seed("trees.tree_polygons", 20133)};
    uint32_t hits = 0, total = 0;
    for (int round = 0; round < 3000; round++) {
        test_tree source = test_tree_random(&random, 1, 0);
        test_tree leaf = {0};
        const uint32_t list[1] = {0};
        test_tree_add_polygon(&leaf, source.vertices, source.vertex_count);
        test_tree_add_leaf(&leaf, 0, list, 1, (acp_sphere){{0, 0, 0}, 1e6f});
        acp_bsp *bsp = test_tree_build(&leaf);
        acp_polygon polygon = acp_bsp_polygon(bsp, 0);
        for (int q = 0; q < 60; q++) {
            acp_sphere s = {test_random_vec3(&random, 10), (float)test_random_in(&random, 0, 3)};
            if (acp_polygon_is_usable(&polygon) && q % 4 != 0) {
                /* Above an edge or a corner, near the plane or one reach from it. */
                uint32_t i = test_random_below(&random, polygon.point_count);
                const acp_vec3 *v = &polygon.points[i], *w = &polygon.points[(i + 1) % polygon.point_count];
                double t = q % 4 == 1 ? 0.0 : test_random_in(&random, 0, 1);
                double lift = q % 3 == 0 ? (double)s.radius - ACP_EPSILON_F64 : test_random_in(&random, -1, 1) * (double)s.radius;
                acp_vec3 n = polygon.plane.normal;
                double out = q % 5 == 0 ? 0.0 : test_random_in(&random, -1.2, 1.2) * (double)s.radius;
                acp_vec3 side = test_random_normal(&random);
                s.center.x = nudge(&random, (double)v->x + t * ((double)w->x - (double)v->x) + lift * (double)n.x + out * (double)side.x);
                s.center.y = nudge(&random, (double)v->y + t * ((double)w->y - (double)v->y) + lift * (double)n.y + out * (double)side.y);
                s.center.z = nudge(&random, (double)v->z + t * ((double)w->z - (double)v->z) + lift * (double)n.z + out * (double)side.z);
            }
            acp_vec3 movement = test_random_vec3(&random, 1), contact = {7, 7, 7}, expected_contact = {7, 7, 7};
            bool is_struck = false;
            uint32_t ordinal = ACP_BSP_NONE;
            bool expected = acp_polygon_pos_hits_sphere(&polygon, &s, movement, &expected_contact, &is_struck);
            assert_int_equal(acp_bsp_sphere_intersects_poly(bsp, &s, movement, &ordinal, &contact), expected);
            assert_int_equal(ordinal, is_struck ? 0 : ACP_BSP_NONE);
            assert_memory_equal(&contact, &expected_contact, sizeof contact);
            assert_int_equal(acp_bsp_sphere_intersects_solid(bsp, &s, false), is_struck);
            hits += is_struck;
            total++;
        }
        acp_bsp_destroy(bsp, NULL);
        test_tree_free(&leaf);
        test_tree_free(&source);
    }
    assert_true(hits > total / 10 && hits < total * 9 / 10);
}

static void note(void *user, acp_bsp_visit what, uint32_t index) {
    uint64_t *hash = user;
    *hash = (*hash ^ ((uint64_t)what << 32 | index)) * 0x100000001B3u;
}

/* A traced query answers as the plain one, and a block at another address as the first. */
static void traces_and_copies(void **state) {
    (void)state;
    test_random random = {test_seed("trees.traces_and_copies", 20134)};
    for (int round = 0; round < 400; round++) {
        test_tree tree = test_tree_random(&random, 2 + test_random_below(&random, 30), 7);
        acp_bsp *bsp = test_tree_build(&tree);
        void *copy = aligned_alloc(16, acp_bsp_size(bsp));
        const acp_bsp *other = NULL;
        assert_non_null(copy);
        memcpy(copy, bsp, acp_bsp_size(bsp));
        assert_int_equal(acp_bsp_open(copy, acp_bsp_size(bsp), &other, NULL), ACP_OK);
        for (int q = 0; q < 40; q++) {
            uint64_t hash = 1;
            acp_bsp_visitor visitor = {note, &hash};
            acp_sphere s = {test_random_vec3(&random, 7), (float)test_random_in(&random, 0, 2)};
            acp_vec3 movement = test_random_vec3(&random, 1), up = {0, 0, 1};
            bool check = test_random_below(&random, 2) != 0;
            uint32_t p1 = ACP_BSP_NONE, p2 = ACP_BSP_NONE;
            acp_vec3 c1 = {0, 0, 0}, c2 = c1;
            assert_int_equal(acp_bsp_sphere_intersects_poly(bsp, &s, movement, &p1, &c1),
                             acp_bsp_trace_sphere_intersects_poly(other, &s, movement, &p2, &c2, &visitor));
            assert_true(p1 == p2 && memcmp(&c1, &c2, sizeof c1) == 0);
            assert_int_equal(acp_bsp_sphere_intersects_solid(bsp, &s, check),
                             acp_bsp_trace_sphere_intersects_solid(other, &s, check, &visitor));
            bool s1 = false, s2 = false;
            p1 = p2 = ACP_BSP_NONE;
            assert_int_equal(acp_bsp_sphere_intersects_solid_poly(bsp, &s, s.radius * 2, check, &s1, &p1),
                             acp_bsp_trace_sphere_intersects_solid_poly(other, &s, s.radius * 2, check, &s2, &p2, &visitor));
            assert_true(p1 == p2 && s1 == s2);
            assert_int_equal(acp_bsp_point_intersects_solid(bsp, s.center),
                             acp_bsp_trace_point_intersects_solid(other, s.center, &visitor));
            acp_walk w1 = {0.1f, 1}, w2 = w1;
            acp_sphere m1 = s, m2 = s;
            p1 = p2 = ACP_BSP_NONE;
            assert_int_equal(acp_bsp_find_walkable(bsp, &w1, &m1, &p1, movement, up),
                             acp_bsp_trace_find_walkable(other, &w2, &m2, &p2, movement, up, &visitor));
            assert_true(p1 == p2 && memcmp(&m1, &m2, sizeof m1) == 0 && w1.walk_interp == w2.walk_interp);
            assert_int_equal(acp_bsp_hits_walkable(bsp, 0.1f, &s, up), acp_bsp_trace_hits_walkable(other, 0.1f, &s, up, &visitor));
            assert_true(hash != 1);
        }
        free(copy);
        acp_bsp_destroy(bsp, NULL);
        test_tree_free(&tree);
    }
}

/* A room of `walls` planes in a chain that ends in an empty leaf, a quadrangle on each wall; sometimes not quite such a chain. */
static test_tree room(test_random *random, uint32_t walls, bool is_one_sphere) {
    test_tree tree = {0};
    acp_sphere sphere = {{0, 0, 0}, 9};
    uint32_t polygons[24], next = test_tree_add_leaf(&tree, 0, NULL, 0, (acp_sphere){{0, 0, 0}, 0});
    for (uint32_t i = 0; i < walls; i++) {
        acp_vec3 n = test_random_normal(random), u = fabsf(n.x) > 0.6f ? (acp_vec3){0, 1, 0} : (acp_vec3){1, 0, 0};
        acp_vec3 a = {u.y * n.z - u.z * n.y, u.z * n.x - u.x * n.z, u.x * n.y - u.y * n.x};
        acp_vec3 b = {n.y * a.z - n.z * a.y, n.z * a.x - n.x * a.z, n.x * a.y - n.y * a.x}, points[4];
        float size = (float)test_random_in(random, 0.5, 4), away = (float)test_random_in(random, 1, 5);
        for (uint32_t k = 0; k < 4; k++) {
            float s = k == 1 || k == 2 ? size : -size, t = k > 1 ? size : -size;
            points[k] = (acp_vec3){s * a.x + t * b.x - away * n.x, s * a.y + t * b.y - away * n.y, s * a.z + t * b.z - away * n.z};
        }
        polygons[i] = test_tree_add_polygon(&tree, points, 4);
        uint32_t leaf = test_tree_add_leaf(&tree, (int32_t)test_random_below(random, 2), &polygons[i], 1, sphere);
        if (!is_one_sphere && test_random_below(random, walls) == 0) sphere.radius += 0.5f;
        next = test_tree_add_node(&tree, test_tree_plane(&tree, polygons[i]), next, leaf, sphere);
    }
    tree.root = next;
    return tree;
}

/* A sphere that often stands at one of the walls within some units in the last place of what decides. */
static acp_sphere sphere_at_wall(test_random *random, const acp_bsp *bsp) {
    acp_sphere s = {test_random_vec3(random, 6), (float)test_random_in(random, 0, 1)};
    if (test_random_below(random, 3) == 0) return s;
    acp_plane p = acp_bsp_polygon(bsp, test_random_below(random, acp_bsp_polygon_count(bsp))).plane;
    static const double lifts[] = {1.0, 1.0, 1.0, 1.0, -1.0, 0.0};
    static const double slips[] = {0.0, ACP_EPSILON_F64, 0.5 * ACP_EPSILON_F64, 2.0 * ACP_EPSILON_F64};
    double lift = lifts[test_random_below(random, 6)] * (double)s.radius - slips[test_random_below(random, 4)] - distance(&p, s.center);
    s.center = (acp_vec3){nudge(random, (double)s.center.x + lift * (double)p.normal.x),
                          nudge(random, (double)s.center.y + lift * (double)p.normal.y),
                          nudge(random, (double)s.center.z + lift * (double)p.normal.z)};
    return s;
}

/* Walls looked at together against the walk node by node, and what is called clear against what finds something. */
static void walls_together(void **state) {
    (void)state;
    test_random random = {test_seed("trees.walls_together", 20135)};
    uint32_t spines = 0, clear = 0, found = 0;
    for (int round = 0; round < 3000; round++) {
        test_tree tree = room(&random, 3 + test_random_below(&random, 16), test_random_below(&random, 4) != 0);
        acp_bsp *bsp = test_tree_build(&tree);
        spines += bsp->spine != 0;
        for (int q = 0; q < 60; q++) {
            uint64_t hash = 1;
            acp_bsp_visitor visitor = {note, &hash};
            acp_sphere pair[2] = {sphere_at_wall(&random, bsp), sphere_at_wall(&random, bsp)};
            bool check = test_random_below(&random, 2) != 0, are_clear = true;
            for (int i = 0; i < 2; i++) {
                acp_sphere s = pair[i], m1 = s, m2 = s;
                acp_vec3 movement = test_random_vec3(&random, 1), up = test_random_normal(&random), c1 = {0, 0, 0}, c2 = c1;
                uint32_t p1 = ACP_BSP_NONE, p2 = p1, p3 = p1, p4 = p1;
                acp_walk w1 = {0.1f, 1}, w2 = w1;
                bool hits = acp_bsp_trace_sphere_intersects_poly(bsp, &s, movement, &p2, &c2, &visitor);
                bool is_solid = acp_bsp_trace_sphere_intersects_solid(bsp, &s, check, &visitor);
                bool walks = acp_bsp_trace_find_walkable(bsp, &w2, &m2, &p4, movement, up, &visitor);
                bool stands = acp_bsp_trace_hits_walkable(bsp, 0.1f, &s, up, &visitor);
                assert_int_equal(acp_bsp_sphere_intersects_poly(bsp, &s, movement, &p1, &c1), hits);
                assert_true(p1 == p2 && memcmp(&c1, &c2, sizeof c1) == 0);
                assert_int_equal(acp_bsp_sphere_intersects_solid(bsp, &s, check), is_solid);
                assert_int_equal(acp_bsp_find_walkable(bsp, &w1, &m1, &p3, movement, up), walks);
                assert_true(p3 == p4 && memcmp(&m1, &m2, sizeof m1) == 0 && w1.walk_interp == w2.walk_interp);
                assert_int_equal(acp_bsp_hits_walkable(bsp, 0.1f, &s, up), stands);
                found += p2 != ACP_BSP_NONE || is_solid;
                bool is_clear = acp_bsp_is_clear(bsp, &s, 1);
                clear += is_clear;
                are_clear = are_clear && is_clear;
                assert_false(is_clear && (hits || is_solid || walks || stands || p2 != ACP_BSP_NONE || p4 != ACP_BSP_NONE));
            }
            assert_int_equal(acp_bsp_is_clear(bsp, pair, 2), are_clear);
        }
        acp_bsp_destroy(bsp, NULL);
        test_tree_free(&tree);
    }
    print_message("%u spines, %u clear, %u found\n", spines, clear, found);
    assert_true(spines > 1000 && spines < 2900 && clear > 1000 && found > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(containment), cmocka_unit_test(sphere_filter), cmocka_unit_test(tree_polygons),
                                       cmocka_unit_test(traces_and_copies), cmocka_unit_test(walls_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
