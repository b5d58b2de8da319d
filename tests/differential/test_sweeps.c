/* SPDX-License-Identifier: MIT */
/* Plain sphere sweeps and rays on the scenes S1 to S7 of ../shared/bench-scenes against the reference answers of their generator: hit flags
 * equal on every query, but for sweeps that touch by less than 2 mm (whose flags at 2 mm less and 2 mm more radius differ); the moment of
 * contact within 1 mm, or, for rays, another item within 2 mm of an edge. One query in 16; ACP_TEST_ALL=1 asks all 200,000 of each scene.
 * Two ways of asking: the soup, and a physics tree of one leaf for the two smallest scenes without round bodies.
 * Skipped when the scenes or a C++ compiler for their generator are missing (scripts/bench-scenes). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "acphys/soup.h"
#include "support/bench_scene.h"

enum { SCENES = 7 };

typedef struct loaded {
    acp_bench_scene scene;
    acp_bench_queries queries;
    acp_soup *soup;
} loaded;

static loaded scenes[SCENES];
static int is_loaded;
static uint32_t stride = 16;

static int set_up(void **state) {
    (void)state;
    const char *all = getenv("ACP_TEST_ALL");
    if (all && all[0] == '1') stride = 1;
    for (int i = 0; i < SCENES; i++) {
        char path[3][512];
        (void)snprintf(path[0], sizeof path[0], "%s/../shared/bench-scenes/S%d.json", ACP_SOURCE_DIR, i + 1);
        (void)snprintf(path[1], sizeof path[1], "%s/build/bench-scenes/S%d.bq", ACP_SOURCE_DIR, i + 1);
        (void)snprintf(path[2], sizeof path[2], "%s/build/bench-scenes/S%d.ref", ACP_SOURCE_DIR, i + 1);
        if (acp_bench_scene_load(path[0], &scenes[i].scene, NULL) != ACP_OK) return 0;
        if (acp_bench_queries_load(path[1], path[2], &scenes[i].queries, NULL) != ACP_OK) return 0;
        acp_soup_source source = acp_bench_scene_source(&scenes[i].scene);
        if (acp_soup_create(&source, NULL, &scenes[i].soup, NULL) != ACP_OK) return -1;
    }
    is_loaded = 1;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    for (int i = 0; i < SCENES; i++) {
        acp_soup_destroy(scenes[i].soup, NULL);
        acp_bench_queries_free(&scenes[i].queries);
        acp_bench_scene_free(&scenes[i].scene);
    }
    return 0;
}

static void need_scenes(void) {
    if (is_loaded) return;
    (void)printf("skipped: no scenes or no query files (scripts/bench-scenes)\n");
    skip();
}

static double length(const acp_bench_query *q) {
    double x = (double)q->end.x - (double)q->start.x, y = (double)q->end.y - (double)q->start.y, z = (double)q->end.z - (double)q->start.z;
    return sqrt(x * x + y * y + z * z);
}

static void sweeps_agree(void **state) {
    (void)state;
    need_scenes();
    for (int i = 0; i < SCENES; i++) {
        const acp_bench_queries *q = &scenes[i].queries;
        uint32_t compared = 0, borderline = 0, hits = 0;
        for (uint32_t k = 0; k < q->move_count; k += stride, compared++) {
            acp_soup_hit hit;
            int32_t is_found;
            assert_int_equal(acp_soup_sweep_first_hit(scenes[i].soup, q->moves[k].start, q->moves[k].end, scenes[i].scene.sphere_radius,
                                                      ACP_RAY_BOTH_FACES, &hit, &is_found),
                             ACP_OK);
            hits += (uint32_t)is_found;
            int is_expected = q->move_times[k] <= 1.0f;
            if ((q->move_times_less[k] <= 1.0f) != (q->move_times_more[k] <= 1.0f)) {
                borderline++;
                continue;
            }
            if (is_found != is_expected) fail_msg("S%d sweep %u: hit %d, reference %d", i + 1, (unsigned)k, is_found, is_expected);
            if (is_found && fabs(hit.fraction - (double)q->move_times[k]) * length(&q->moves[k]) > 2e-3)
                fail_msg("S%d sweep %u: met at %.9g, reference %.9g", i + 1, (unsigned)k, hit.fraction, (double)q->move_times[k]);
        }
        (void)printf("S%d: %u sweeps, %u hit, %u borderline\n", i + 1, (unsigned)compared, (unsigned)hits, (unsigned)borderline);
        assert_true(compared > 0 && hits > compared / 10 && borderline < compared / 50);
    }
}

static void rays_agree(void **state) {
    (void)state;
    need_scenes();
    for (int i = 0; i < SCENES; i++) {
        const acp_bench_queries *q = &scenes[i].queries;
        uint32_t compared = 0, hits = 0, elsewhere = 0;
        for (uint32_t k = 0; k < q->ray_count; k += stride, compared++) {
            acp_soup_hit hit;
            int32_t is_found, is_any;
            acp_vec3 start = q->rays[k].start, end = q->rays[k].end;
            assert_int_equal(acp_soup_segment_first_hit(scenes[i].soup, start, end, ACP_RAY_BOTH_FACES, &hit, &is_found), ACP_OK);
            assert_int_equal(acp_soup_segment_any_hit(scenes[i].soup, start, end, ACP_RAY_BOTH_FACES, &is_any), ACP_OK);
            assert_int_equal(is_any, is_found);
            hits += (uint32_t)is_found;
            if (is_found != (q->ray_times[k] <= 1.0f)) fail_msg("S%d ray %u: hit %d, reference not", i + 1, (unsigned)k, is_found);
            /* A ray along an edge may meet what stands behind it instead. */
            elsewhere += is_found && fabs(hit.fraction - (double)q->ray_times[k]) * length(&q->rays[k]) > 1e-3;
        }
        (void)printf("S%d: %u rays, %u hit, %u met elsewhere\n", i + 1, (unsigned)compared, (unsigned)hits, (unsigned)elsewhere);
        assert_true(compared > 0 && hits > compared / 4 && elsewhere <= 2);
    }
}

/* The scene's triangles as a physics tree of one leaf: what acp_bsp_* offers must agree with the soup. */
static acp_bsp *tree_of(const acp_bench_scene *scene) {
    uint32_t n = scene->triangle_count;
    acp_polygon_source *polygons = calloc(n, sizeof *polygons);
    uint32_t *all = calloc(n, sizeof *all);
    assert_true(polygons && all);
    for (uint32_t i = 0; i < n; i++) {
        polygons[i] = (acp_polygon_source){3 * i, 3, i, 0};
        all[i] = i;
    }
    acp_bsp_node_source leaf = {.kind = ACP_BSP_LEAF, .positive = ACP_BSP_NONE, .negative = ACP_BSP_NONE, .polygon_count = n};
    leaf.sphere.radius = 1000.0f;
    acp_bsp_source source = {.vertices = scene->vertices,
                             .polygons = polygons,
                             .indices = scene->triangles,
                             .nodes = &leaf,
                             .leaf_polygons = all,
                             .vertex_count = scene->vertex_count,
                             .polygon_count = n,
                             .index_count = 3 * n,
                             .node_count = 1,
                             .leaf_polygon_count = n};
    acp_bsp *bsp = NULL;
    assert_int_equal(acp_bsp_create(&source, ACP_CONTENT_STRICT, NULL, NULL, &bsp, NULL), ACP_OK);
    free(polygons);
    free(all);
    return bsp;
}

static void trees_agree(void **state) {
    (void)state;
    need_scenes();
    for (int i = 0; i < 2; i++) {
        const acp_bench_queries *q = &scenes[i].queries;
        acp_bsp *bsp = tree_of(&scenes[i].scene);
        for (uint32_t k = 5; k < q->move_count; k += 4 * stride) {
            acp_bsp_hit hit;
            int32_t is_found;
            assert_int_equal(acp_bsp_sweep_first_hit(bsp, q->moves[k].start, q->moves[k].end, scenes[i].scene.sphere_radius,
                                                     ACP_RAY_BOTH_FACES, &hit, &is_found),
                             ACP_OK);
            if ((q->move_times_less[k] <= 1.0f) == (q->move_times_more[k] <= 1.0f)) assert_int_equal(is_found, q->move_times[k] <= 1.0f);
            assert_int_equal(acp_bsp_segment_any_hit(bsp, q->rays[k].start, q->rays[k].end, ACP_RAY_BOTH_FACES, &is_found), ACP_OK);
            assert_int_equal(is_found, q->ray_times[k] <= 1.0f);
        }
        acp_bsp_destroy(bsp, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_agree), cmocka_unit_test(rays_agree), cmocka_unit_test(trees_agree)};
    return cmocka_run_group_tests_name("differential.sweeps", tests, set_up, tear_down);
}
