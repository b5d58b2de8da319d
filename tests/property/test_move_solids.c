/* SPDX-License-Identifier: MIT */
/* ctest-label: slow
 * A million random moves among solid boxes and posts: a walker that starts free of all solids must not end inside one. "Inside" is judged
 * without the library: both spheres, shrunk by 2 cm, against boxes and posts as plain geometry. Every offender is printed as a minimal
 * capture (its start and wish, alone). ACP_TEST_MOVES sets another number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/random.h"
#include "tests/support/solid.h"

#define CELL 0xA9B40025u

static test_solid solids[64];
static uint32_t solid_count;

/* The deepest overlap of either sphere (radius 0.48), metres; negative when free. */
static double overlap_at(const acp_vec3 *origin, uint32_t *out_solid) {
    double worst = -1e9;
    for (uint32_t i = 0; i < solid_count; i++)
        for (uint32_t sphere = 0; sphere < 2; sphere++) {
            double z = (double)origin->z + (sphere ? 1.35 : 0.475);
            double depth = 0.48 - test_solid_distance(&solids[i], 0, (double)origin->x, (double)origin->y, z);
            if (depth > worst) {
                worst = depth;
                *out_solid = i;
            }
        }
    return worst;
}

static void walkers_do_not_end_in_solids(void **state) {
    (void)state;
    uint64_t seed = test_seed("move_solids", 4186);
    const char *count_text = getenv("ACP_TEST_MOVES");
    uint32_t count = count_text ? (uint32_t)strtoul(count_text, NULL, 10) : 1000000u;
    test_random random = {seed};
    test_world *world = test_world_new();
    test_world_block(world, 0xA9B40000u, NULL, 0, 0, NULL, 0);
    for (solid_count = 0; solid_count < 14; solid_count++) {
        test_solid *s = &solids[solid_count];
        s->x = 98.5 + 5.0 * (solid_count % 4) + test_random_in(&random, 0, 1.5);
        s->y = 98.5 + 5.0 * (solid_count / 4) + test_random_in(&random, 0, 1.5);
        s->half_x = test_random_in(&random, 0.3, 1.0);
        s->half_y = solid_count % 3 == 2 ? 0 : test_random_in(&random, 0.3, 1.0);
        s->height = test_random_below(&random, 3) ? test_random_in(&random, 1.5, 4) : test_random_in(&random, 0.1, 0.6);
        s->x = (double)(float)s->x;
        s->y = (double)(float)s->y;
        test_solid_stand(s, world, CELL, 0, 1 + solid_count);
    }
    acp_transition_context *context;
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    uint32_t tried = 0, stopped = 0, offenders = 0;
    while (tried < count) {
        acp_mover human = test_human(CELL, 0);
        acp_position from = test_position(CELL, test_random_in(&random, 97, 119), test_random_in(&random, 97, 119), 0.005), to = from;
        uint32_t which = 0;
        if (overlap_at(&from.frame.origin, &which) > 0.0) continue;
        double angle = test_random_in(&random, 0, 6.2831853), length = test_random_in(&random, 0.05, 2.5);
        to.frame.origin.x = (float)((double)from.frame.origin.x + length * cos(angle));
        to.frame.origin.y = (float)((double)from.frame.origin.y + length * sin(angle));
        acp_move_result result;
        assert_int_equal(acp_move(context, world->world, &human, &from, &to, &result, NULL), ACP_OK);
        tried++;
        if (result.has_collision_normal) stopped++;
        if (overlap_at(&result.position.frame.origin, &which) > 0.02 && ++offenders <= 5)
            print_message("inside solid %u: from (%.9g, %.9g, %.9g) to (%.9g, %.9g), ends (%.9g, %.9g, %.9g), overlap %.3f m\n",
                          (unsigned)which + 1, (double)from.frame.origin.x, (double)from.frame.origin.y, (double)from.frame.origin.z,
                          (double)to.frame.origin.x, (double)to.frame.origin.y, (double)result.position.frame.origin.x,
                          (double)result.position.frame.origin.y, (double)result.position.frame.origin.z,
                          overlap_at(&result.position.frame.origin, &which));
    }
    print_message("%u moves, %u met something, %u ended inside a solid\n", (unsigned)tried, (unsigned)stopped, (unsigned)offenders);
    assert_true(stopped > tried / 20);
    assert_int_equal(offenders, 0);
    acp_transition_context_destroy(context);
    test_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(walkers_do_not_end_in_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
