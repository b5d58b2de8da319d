/* SPDX-License-Identifier: MIT */
/* Polygons of trees whose spheres are decided by the box of their points or by the distance from an edge (geom/bsp_polygon.h), against the
 * single polygon's test, which knows neither. The polygons are those for which this is proved, at its limits: corners down to one degree,
 * edges from 4 cm, points up to 1 mm off their plane, coordinates up to the reach; and those for which it is not: wound the other way,
 * twice around, with a corner turned in, beyond the reach. The spheres touch a corner or an edge but for some units in the last place, or
 * up to centimetres. Prints its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geom/bsp_format.h"
#include "geom/bsp_memo.h"
#include "geom/polygon.h"
#include "tests/support/trees.h"

enum { POLYGONS = 4000, SPHERES = 60, MOST_POINTS = 8 };

static const double PI = 3.14159265358979323846;

typedef struct basis {
    double u[3], v[3], n[3], origin[3];
} basis;

static basis random_basis(test_random *random) {
    acp_vec3 normal = test_random_normal(random);
    basis b = {.n = {(double)normal.x, (double)normal.y, (double)normal.z}};
    double other[3] = {fabs(b.n[0]) < 0.6 ? 1.0 : 0.0, fabs(b.n[0]) < 0.6 ? 0.0 : 1.0, 0.0};
    double along = other[0] * b.n[0] + other[1] * b.n[1], length = 0;
    for (int i = 0; i < 3; i++) {
        b.u[i] = other[i] - along * b.n[i];
        length += b.u[i] * b.u[i];
    }
    double size = test_random_below(random, 4) == 0 ? 400.0 : 20.0;
    for (int i = 0; i < 3; i++) {
        b.u[i] /= sqrt(length);
        b.origin[i] = test_random_in(random, -size, size) / 2.0;
    }
    for (int i = 0; i < 3; i++)
        b.v[i] = b.n[(i + 1) % 3] * b.u[(i + 2) % 3] - b.n[(i + 2) % 3] * b.u[(i + 1) % 3];
    return b;
}

static acp_vec3 point_at(const basis *b, double x, double y, double z) {
    float out[3];
    for (int i = 0; i < 3; i++)
        out[i] = (float)(b->origin[i] + x * b->u[i] + y * b->v[i] + z * b->n[i]);
    return (acp_vec3){out[0], out[1], out[2]};
}

static double random_power(test_random *random, double low, double high) { return low * pow(high / low, test_random_in(random, 0, 1)); }

/* The points of one polygon, mostly regular; returns their number. */
static uint32_t make_points(test_random *random, const basis *b, acp_vec3 *points) {
    uint32_t kind = test_random_below(random, 8), count = 3;
    double off = test_random_below(random, 3) == 0 ? 0.0012 : 0.0;
    double flat[MOST_POINTS][2];
    if (kind < 4) { /* a triangle with a tip at the origin */
        double angle = random_power(random, 0.8, 120.0) * PI / 180.0, a = random_power(random, 0.05, 150.0),
               c = a * random_power(random, 0.3, 3.0);
        double corners[3][2] = {{0, 0}, {a, 0}, {c * cos(angle), c * sin(angle)}};
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t k = 0; k < 2; k++)
                flat[i][k] = corners[i][k];
    } else { /* on a circle: in order, or every second point so that it goes twice around */
        count = 4 + test_random_below(random, MOST_POINTS - 3);
        double radius = random_power(random, 0.1, 40.0);
        uint32_t stride = kind == 7 && count % 2 == 1 ? 2 : 1;
        for (uint32_t i = 0; i < count; i++) {
            double angle = (i * stride + test_random_in(random, -0.3, 0.3)) * 2.0 * PI / count;
            double reach = radius * (kind == 6 && i == 0 ? test_random_in(random, 0.05, 1.0) : 1.0); /* turned in */
            flat[i][0] = reach * cos(angle);
            flat[i][1] = reach * sin(angle);
        }
    }
    bool is_backward = test_random_below(random, 10) == 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = flat[is_backward ? count - 1 - i : i];
        points[i] = point_at(b, p[0], p[1], test_random_in(random, -off, off));
    }
    return count;
}

/* A sphere whose surface is about at a corner or an edge of the polygon. */
static acp_sphere make_sphere(test_random *random, const acp_polygon *polygon) {
    uint32_t i = test_random_below(random, polygon->point_count);
    const acp_vec3 *a = &polygon->points[i], *b = &polygon->points[(i + 1) % polygon->point_count];
    double t = test_random_below(random, 2) ? 0.0 : test_random_in(random, -0.01, 1.01), n[3], out[3], length = 0, at[3];
    double from[3] = {(double)a->x, (double)a->y, (double)a->z}, to[3] = {(double)b->x, (double)b->y, (double)b->z};
    n[0] = (double)polygon->plane.normal.x, n[1] = (double)polygon->plane.normal.y, n[2] = (double)polygon->plane.normal.z;
    /* Outwards in the plane: from the middle of the points, or from the edge's line; and lifted. */
    acp_vec3 side = test_random_normal(random);
    double middle[3] = {0, 0, 0};
    for (uint32_t k = 0; k < polygon->point_count; k++) {
        middle[0] += (double)polygon->points[k].x / polygon->point_count;
        middle[1] += (double)polygon->points[k].y / polygon->point_count;
        middle[2] += (double)polygon->points[k].z / polygon->point_count;
    }
    const double random_side[3] = {(double)side.x, (double)side.y, (double)side.z};
    bool is_from_middle = test_random_below(random, 2) == 0;
    for (int k = 0; k < 3; k++) {
        at[k] = from[k] + t * (to[k] - from[k]);
        out[k] = is_from_middle ? at[k] - middle[k] : random_side[k];
        length += out[k] * out[k];
    }
    double radius = random_power(random, 0.002, 3.0), lift = test_random_in(random, -1.1, 1.1) * radius;
    double flat = lift * lift < radius * radius ? sqrt(radius * radius - lift * lift) : 0.0, gap;
    switch (test_random_below(random, 3)) {
    case 0:
        gap = 0.0;
        break;
    case 1:
        gap = test_random_in(random, -0.03, 0.03);
        break;
    default:
        gap = test_random_in(random, -1.0, 1.0) * 1.0e-5;
        break;
    }
    double scale = length > 0 ? (flat + gap) / sqrt(length) : 0.0;
    acp_sphere s;
    s.center.x = (float)(at[0] + scale * out[0] + lift * n[0]);
    s.center.y = (float)(at[1] + scale * out[1] + lift * n[1]);
    s.center.z = (float)(at[2] + scale * out[2] + lift * n[2]);
    s.radius = (float)radius;
    return s;
}

typedef struct tally {
    uint32_t regular, sharp, irregular, hits, misses, boxed; /* boxed: missed, and no test of the polygon is remembered */
} tally;

static void ask(const acp_bsp *bsp, const acp_polygon *polygon, const acp_sphere *s, acp_vec3 movement, tally *t) {
    acp_vec3 contacts[3] = {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}};
    uint32_t ordinals[2] = {ACP_BSP_NONE, ACP_BSP_NONE};
    bool is_struck = false;
    bool expected = acp_polygon_pos_hits_sphere(polygon, s, movement, &contacts[0], &is_struck);
    assert_int_equal(acp_bsp_sphere_intersects_poly(bsp, s, movement, &ordinals[0], &contacts[1]), expected);
    assert_int_equal(ordinals[0], is_struck ? 0 : ACP_BSP_NONE);
    assert_memory_equal(&contacts[1], &contacts[0], sizeof contacts[0]);
    acp_bsp_memo memo = {0};
    assert_int_equal(acp_bsp_memo_sphere_intersects_poly(bsp, s, movement, &ordinals[1], &contacts[2], &memo), expected);
    assert_int_equal(ordinals[1], is_struck ? 0 : ACP_BSP_NONE);
    if (is_struck) assert_memory_equal(&contacts[2], &contacts[0], sizeof contacts[0]);
    t->hits += is_struck;
    t->misses += !is_struck;
    t->boxed += !is_struck && memo.filled == 0;
}

static void near_corners_and_edges(void **state) {
    (void)state;
    test_random random = {test_seed("tree_polygons.near_corners_and_edges", 48)};
    tally t = {0};
    for (int round = 0; round < POLYGONS; round++) {
        basis b = random_basis(&random);
        acp_vec3 points[MOST_POINTS];
        uint32_t count = make_points(&random, &b, points);
        const uint32_t list[1] = {0};
        test_tree leaf = {0};
        test_tree_add_polygon(&leaf, points, count);
        test_tree_add_leaf(&leaf, 0, list, 1, (acp_sphere){{0, 0, 0}, 1e6f});
        acp_bsp *bsp = test_tree_build(&leaf);
        acp_polygon polygon = acp_bsp_polygon(bsp, 0);
        if (acp_polygon_is_usable(&polygon)) {
            const acp_bsp_box *box = &acp_bsp_polygons(bsp)[0].box;
            bool is_regular = box->low[0] > -INFINITY;
            t.regular += is_regular;
            t.irregular += !is_regular;
            /* Wider than for a right angle by what a corner of twelve degrees asks for. */
            float low = points[0].x;
            for (uint32_t i = 1; i < count; i++)
                low = points[i].x < low ? points[i].x : low;
            t.sharp += is_regular && low - box->low[0] > 0.0216f;
            for (int q = 0; q < SPHERES; q++) {
                acp_sphere s = make_sphere(&random, &polygon);
                ask(bsp, &polygon, &s, test_random_vec3(&random, 1), &t);
            }
        }
        acp_bsp_destroy(bsp, NULL);
        test_tree_free(&leaf);
    }
    print_message("%u regular polygons, %u of them sharp, %u others; %u hits, %u misses, %u by the box\n", t.regular, t.sharp, t.irregular,
                  t.hits, t.misses, t.boxed);
    assert_true(t.regular > POLYGONS / 3 && t.sharp > POLYGONS / 20 && t.irregular > POLYGONS / 10);
    assert_true(t.hits > (t.hits + t.misses) / 10 && t.boxed > t.misses / 10);
}

/* The corners that decide what a box is worth. */
static void boxes(void **state) {
    (void)state;
    static const struct {
        acp_vec3 points[5];
        uint32_t count;
        float low_x; /* -INFINITY: irregular */
    } cases[] = {
        {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 4, -(0.013f + 0.0009f * 1.41421356f)}, /* right angles */
        {{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, 4, -(0.013f + 0.0009f * 1.41421356f)}, /* seen from below */
        {{{0, 0, 0}, {2, 0, 0}, {1, 0.5f, 0}, {1, 2, 0}}, 4, -INFINITY},                      /* a corner turned in */
        {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}}, 4, -INFINITY},                         /* a point on an edge */
        {{{0, 0, 0}, {0.03f, 0, 0}, {0, 1, 0}}, 3, -INFINITY},                                /* an edge of 3 cm */
        {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.01f}, {0, 1, 0}}, 4, -INFINITY},                     /* off its plane by centimetres */
        {{{500, 0, 0}, {513, 0, 0}, {505, 1, 0}}, 3, -INFINITY},                              /* beyond the reach */
        {{{1, 0, 0}, {-0.8f, 0.6f, 0}, {0.3f, -0.95f, 0}, {0.3f, 0.95f, 0}, {-0.8f, -0.6f, 0}}, 5, -INFINITY}, /* a star */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        acp_plane plane = acp_polygon_make_plane(cases[i].points, cases[i].count);
        acp_bsp_box box = acp_bsp_derive_box(&plane, cases[i].points, cases[i].count);
        if (isinf(cases[i].low_x)) {
            assert_true(isinf(box.low[0]) && isinf(box.high[2]));
        } else {
            assert_true(fabs((double)box.low[0] - (double)cases[i].low_x) < 1e-7);
            assert_true(fabs((double)box.high[1] - 1.0 + (double)cases[i].low_x) < 1e-6);
        }
        assert_true(isinf(box.low[3]) && isinf(box.high[3]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(near_corners_and_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
