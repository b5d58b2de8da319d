/* SPDX-License-Identifier: MIT */
/* Tree queries with a memory of misses (geom/bsp_memo.h) against those without: the same answers and out-parameters to the bit, when one
 * memo serves all queries of a few spheres on two trees, in any order. Trees and spheres are the awkward ones of the differential tests.
 * Prints its seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/bsp_memo.h"
#include "tests/support/query_maker.h"

enum { PAIRS = 300, SPHERES = 6, ASKED = 400 };

typedef struct tally {
    uint32_t asked, positive, known; /* known: the sphere's misses were remembered from the query before */
} tally;

static void ask_poly(const acp_bsp *bsp, const made_query *q, acp_bsp_memo *memo, tally *t) {
    uint32_t polygons[2] = {ACP_BSP_NONE, ACP_BSP_NONE};
    acp_vec3 contacts[2] = {q->point, q->point};
    bool wanted = acp_bsp_sphere_intersects_poly(bsp, &q->sphere, q->movement, &polygons[0], &contacts[0]);
    bool got = acp_bsp_memo_sphere_intersects_poly(bsp, &q->sphere, q->movement, &polygons[1], &contacts[1], memo);
    assert_int_equal(got, wanted);
    assert_int_equal(polygons[1], polygons[0]);
    if (wanted) assert_memory_equal(&contacts[1], &contacts[0], sizeof contacts[0]);
    t->positive += wanted;
}

static void ask_walkable(const acp_bsp *bsp, const made_query *q, acp_bsp_memo *memo, tally *t) {
    acp_walk walks[2] = {{q->allowance, q->walk_interp}, {q->allowance, q->walk_interp}};
    acp_sphere spheres[2] = {q->sphere, q->sphere};
    uint32_t polygons[2] = {ACP_BSP_NONE, ACP_BSP_NONE};
    bool wanted = acp_bsp_find_walkable(bsp, &walks[0], &spheres[0], &polygons[0], q->movement, q->up);
    bool got = acp_bsp_memo_find_walkable(bsp, &walks[1], &spheres[1], &polygons[1], q->movement, q->up, memo);
    assert_int_equal(got, wanted);
    assert_int_equal(polygons[1], polygons[0]);
    assert_memory_equal(&walks[1], &walks[0], sizeof walks[0]);
    assert_memory_equal(&spheres[1], &spheres[0], sizeof spheres[0]);
    t->positive += wanted;
}

static void ask(const acp_bsp *bsp, const made_query *q, uint32_t kind, acp_bsp_memo *memo, tally *t) {
    t->asked++;
    t->known += memo->bsp == bsp && memcmp(&memo->sphere, &q->sphere, sizeof q->sphere) == 0 && memo->filled != 0;
    if (kind == 0) {
        ask_poly(bsp, q, memo, t);
    } else if (kind == 1) {
        ask_walkable(bsp, q, memo, t);
    } else {
        bool wanted = kind == 2 ? acp_bsp_sphere_intersects_solid(bsp, &q->sphere, q->center_check)
                                : acp_bsp_hits_walkable(bsp, q->allowance, &q->sphere, q->up);
        bool got = kind == 2 ? acp_bsp_memo_sphere_intersects_solid(bsp, &q->sphere, q->center_check, memo)
                             : acp_bsp_memo_hits_walkable(bsp, q->allowance, &q->sphere, q->up, memo);
        assert_int_equal(got, wanted);
        t->positive += wanted;
    }
}

static void misses_stay_misses(void **state) {
    (void)state;
    test_random random = {test_seed("tree_memo.misses_stay_misses", 47)};
    tally t = {0, 0, 0};
    made_tree *made = malloc(sizeof *made);
    assert_non_null(made);
    for (uint32_t pair = 0; pair < PAIRS; pair++) {
        acp_bsp *trees[2] = {NULL, NULL};
        made_query queries[SPHERES];
        for (uint32_t k = 0; k < 2; k++) {
            made_tree_make(made, (tree_family)test_random_below(&random, TREE_FAMILY_COUNT), &random);
            assert_int_equal(acp_bsp_create(&made->source, ACP_CONTENT_LENIENT, NULL, NULL, &trees[k], NULL), ACP_OK);
            for (uint32_t i = k; i < SPHERES; i += 2)
                made_query_make(&queries[i], made, &random);
        }
        acp_bsp_memo memo = {0};
        uint32_t i = 0, k = 0;
        for (uint32_t n = 0; n < ASKED; n++) {
            if (test_random_below(&random, 3) == 0) i = test_random_below(&random, SPHERES);
            if (test_random_below(&random, 3) == 0) k = test_random_below(&random, 8) ? i % 2 : 1 - i % 2;
            ask(trees[k], &queries[i], test_random_below(&random, 4), &memo, &t);
        }
        acp_bsp_destroy(trees[0], NULL);
        acp_bsp_destroy(trees[1], NULL);
    }
    free(made);
    print_message("%u asked, %u positive, %u with misses remembered\n", t.asked, t.positive, t.known);
    assert_true(t.positive > t.asked / 20 && t.known > t.asked / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(misses_stay_misses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
