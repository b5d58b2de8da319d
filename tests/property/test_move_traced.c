/* SPDX-License-Identifier: MIT */
/* A trace changes no answer: the same random moves with a trace and without one, in a crowd, to the last bit.
 *
 * Without a trace a cell's objects are narrowed down to those that the move can meet, once for many inserts (src/transition/nearby.c), and
 * passed over when they are beyond the mover's circle (src/transition/reach.h); with a trace every object of the list is put to its
 * dispatch. So this compares the shortcuts with the walk over the whole list. The crowd (solid boxes, posts, balls, some of them
 * ethereal, small to huge) stands about the corner of four landblocks; movers walk, fall and fly 0.05 to 6 m, from anywhere,
 * also from inside things, with one sphere or two, in line or not. Prints its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "membership/registry.h"
#include "tests/support/random.h"
#include "tests/support/small_world.h"
#include "transition/context.h"

enum { CROWD = 330, MOVES = 40000 };

static const uint32_t blocks[4] = {0xA8B40000u, 0xA9B40000u, 0xA8B50000u, 0xA9B50000u};

/* A place within 24 m of the corner of the four blocks. */
static acp_position place(test_random *random, double z) {
    double x = test_random_in(random, -24, 24), y = test_random_in(random, -24, 24);
    uint32_t block = blocks[(x < 0 ? 0 : 1) + (y < 0 ? 0 : 2)];
    x = x < 0 ? x + 192 : x;
    y = y < 0 ? y + 192 : y;
    return test_position(block | ((uint32_t)(x / 24) * 8u + (uint32_t)(y / 24) + 1u), x, y, z);
}

static test_world *make_crowd(test_random *random) {
    test_world *world = test_world_new();
    for (uint32_t i = 0; i < 4; i++)
        test_world_block(world, blocks[i], NULL, 0, 0, NULL, 0);
    for (uint32_t i = 0; i < CROWD; i++) {
        double size = i % 41 == 0 ? 4.0 : 0.6, z = test_random_below(random, 3) ? 0.0 : test_random_in(random, -1, 2);
        acp_position at = place(random, z);
        uint32_t kind = i % 3, id = 1 + i, state = test_random_below(random, 2) ? ACP_STATE_STATIC : ACP_STATE_REPORT_COLLISIONS;
        if (i % 13 == 0) state |= ACP_STATE_ETHEREAL;
        if (kind == 0) {
            float angle = (float)test_random_in(random, -1, 1);
            at.frame.rotation.w = sqrtf(1.0f - angle * angle);
            at.frame.rotation.z = angle;
            (void)test_world_box(world, at, test_random_in(random, 0.1, 2 * size), test_random_in(random, 0.1, 2 * size),
                                 test_random_in(random, 0.1, 3), state, id);
        } else if (kind == 1) {
            (void)test_world_post(world, at, test_random_in(random, 0.05, size), test_random_in(random, 0.1, 3), state, 0, id);
        } else {
            uint32_t predicates = test_random_below(random, 2) ? ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_CREATURE : 0;
            (void)test_world_ball(world, at, test_random_in(random, 0.05, size), test_random_in(random, 0, 1.5), state, predicates, id);
        }
    }
    return world;
}

static acp_mover random_mover(test_random *random, const acp_position *at) {
    acp_mover mover = test_human(at->cell_id, 0);
    if (test_random_below(random, 4) == 0) mover.transient_state = 0;
    if (test_random_below(random, 5) == 0) mover.sphere_count = 1;
    if (test_random_below(random, 6) == 0) mover.spheres[test_random_below(random, 2)].center.x = 0.1f;
    if (test_random_below(random, 6) == 0) mover.spheres[1].radius = 0.9f;
    if (test_random_below(random, 8) == 0) mover.state |= ACP_STATE_MISSILE;
    if (test_random_below(random, 8) == 0) mover.scale = 0.5f;
    return mover;
}

typedef struct tally {
    uint32_t records, objects, hindered, lists, shortened;
} tally;

static void count_record(void *user, uint32_t type, const void *record, uint32_t size) {
    tally *t = user;
    (void)record;
    (void)size;
    t->records += type == ACP_TRACE_MOVE_OBJECT;
}

static void expect_same(const acp_move_result *got, const acp_move_result *wanted) {
    acp_move_result a = *got, b = *wanted;
    assert_int_equal(a.object_count, b.object_count);
    assert_int_equal(a.cell_count, b.cell_count);
    if (a.object_count) assert_memory_equal(a.objects, b.objects, a.object_count * sizeof *a.objects);
    if (a.cell_count) assert_memory_equal(a.cells, b.cells, a.cell_count * sizeof *a.cells);
    a.objects = b.objects = NULL;
    a.cells = b.cells = NULL;
    assert_memory_equal(&a, &b, sizeof a);
}

/* How many lists the last move made, and how many of them are shorter than their cell's. */
static void count_lists(const acp_transition_context *context, const test_world *world, tally *t) {
    const acp_nearby *nearby = &context->slots[0].nearby;
    for (uint32_t i = 0; i < nearby->count; i++) {
        uint32_t count = 0;
        (void)acp_registry_cell_objects(world->world, acp_world_cell(world->world, nearby->lists[i].cell_id), &count);
        t->lists++;
        t->shortened += !nearby->lists[i].is_whole && nearby->lists[i].count < count;
    }
}

static void a_trace_changes_nothing(void **state) {
    (void)state;
    test_random random = {test_seed("move_traced.a_trace_changes_nothing", 46)};
    test_world *world = make_crowd(&random);
    tally t = {0};
    acp_trace_sink sink = {&t, count_record};
    acp_transition_options options = acp_transition_options_default();
    acp_transition_context *plain, *traced;
    assert_int_equal(acp_transition_context_create(&options, &plain, NULL), ACP_OK);
    options.trace = &sink;
    assert_int_equal(acp_transition_context_create(&options, &traced, NULL), ACP_OK);
    acp_mover mover = {0};
    acp_position at = {0};
    acp_move_result got, wanted;
    for (uint32_t i = 0; i < MOVES; i++) {
        if (i % 8 == 0) { /* else from where the last move ended */
            at = place(&random, test_random_below(&random, 3) ? 0.0 : test_random_in(&random, 0, 3));
            mover = random_mover(&random, &at);
        }
        double angle = test_random_in(&random, 0, 6.2831853), length = test_random_in(&random, 0.05, i % 5 ? 2.0 : 6.0);
        acp_position to = at;
        to.frame.origin.x = (float)((double)to.frame.origin.x + length * cos(angle));
        to.frame.origin.y = (float)((double)to.frame.origin.y + length * sin(angle));
        if (test_random_below(&random, 3) == 0) to.frame.origin.z = (float)((double)to.frame.origin.z + test_random_in(&random, -2, 2));
        if (acp_position_adjust_to_outside(&to) != ACP_OK) continue;
        assert_int_equal(acp_move(plain, world->world, &mover, &at, &to, &got, NULL), ACP_OK);
        assert_int_equal(acp_move(traced, world->world, &mover, &at, &to, &wanted, NULL), ACP_OK);
        expect_same(&got, &wanted);
        count_lists(plain, world, &t);
        t.objects += got.object_count;
        t.hindered += got.verdict != ACP_MOVE_REACHED;
        if (got.has_position && acp_cell_id_is_valid(got.position.cell_id)) at = got.position;
    }
    print_message("%u records of objects, %u objects met, %u moves hindered, %u lists, %u shortened\n", t.records, t.objects, t.hindered,
                  t.lists, t.shortened);
    assert_true(t.objects > MOVES / 20 && t.hindered > MOVES / 10 && t.lists > MOVES / 2 && t.shortened > MOVES / 3);
    acp_transition_context_destroy(plain);
    acp_transition_context_destroy(traced);
    test_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
