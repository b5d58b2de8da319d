/* SPDX-License-Identifier: MIT */
/* The public door of moves: verdicts with reasons, bad input, memory, explanations, and the questions built on moves. Numbers are those
 * of spec 06 section 10 (S-1, S-2, S-6, S-8, S-15) or follow by arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/failing.h"
#include "tests/support/random.h"
#include "tests/support/small_world.h"
#include "transition/context.h"
#include "transition/sphere_response.h"

#define BLOCK 0xA9B40000u
#define CELL  0xA9B40025u /* x 96..120, y 96..120 */

typedef struct fixture {
    test_world *world;
    acp_transition_context *context;
} fixture;

static int set_up(void **state) {
    static fixture made;
    made.world = test_world_new();
    test_world_block(made.world, BLOCK, NULL, 0, 0, NULL, 0);
    assert_int_equal(acp_transition_context_create(NULL, &made.context, NULL), ACP_OK);
    *state = &made;
    return 0;
}

static int tear_down(void **state) {
    fixture *made = *state;
    acp_transition_context_destroy(made->context);
    test_world_free(made->world);
    return 0;
}

static acp_move_result walk(fixture *f, const acp_mover *mover, acp_position from, double dx, double dy, double dz) {
    acp_position to = from;
    to.frame.origin.x = (float)((double)from.frame.origin.x + dx);
    to.frame.origin.y = (float)((double)from.frame.origin.y + dy);
    to.frame.origin.z = (float)((double)from.frame.origin.z + dz);
    acp_move_result result;
    acp_error error;
    acp_error_clear(&error);
    if (acp_move(f->context, f->world->world, mover, &from, &to, &result, &error) != ACP_OK) fail_msg("%s", error.message);
    return result;
}

static void assert_bits(float actual, uint32_t expected) { assert_int_equal(test_float_bits(actual), expected); }

static void a_walk_on_level_ground_arrives(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(CELL, 0);
    acp_move_result result = walk(f, &human, test_position(CELL, 100, 100, 0.005), 1.2, 0, 0);
    assert_int_equal(result.verdict, ACP_MOVE_REACHED);
    assert_int_equal(result.taken_steps, 3);
    assert_int_equal(result.planned_steps, 3);
    assert_bits(result.position.frame.origin.x, test_float_bits(101.200005f)); /* S-1 */
    assert_bits(result.position.frame.origin.z, test_float_bits(0.005f));
    assert_int_equal(result.mover_state, ACP_MOVER_CONTACT | ACP_MOVER_ON_WALKABLE | ACP_MOVER_EDGE_SLIDE);
    assert_true(result.contact.is_valid);
    assert_int_equal(result.contact.cell_id, CELL);
    assert_int_equal(result.hit.kind, ACP_HIT_NONE);
    assert_int_equal(result.cell_count, 1);
    assert_int_equal(result.cells[0], CELL);
}

static void a_wall_is_named_with_its_polygon(void **state) {
    fixture *f = *state;
    acp_object box = test_world_box(f->world, test_position(CELL, 102, 100, 0), 2, 8, 3, ACP_STATE_STATIC, 0x70000001u);
    acp_mover human = test_human(CELL, 0);
    acp_move_result result = walk(f, &human, test_position(CELL, 100.4, 100, 0.005), 0.3, 0, 0);
    assert_int_equal(result.verdict, ACP_MOVE_BLOCKED);
    assert_true(result.has_position); /* a blocked step is not an error */
    assert_int_equal(result.hit.kind, ACP_HIT_OBJECT);
    assert_int_equal(result.hit.object.index1, box.index1);
    assert_int_equal(result.hit.object_id, 0x70000001u);
    assert_int_equal(result.hit.part, 0);
    assert_int_equal(result.hit.polygon, 1); /* the face towards -x */
    assert_int_equal(result.hit.cell_id, CELL);
    assert_true(result.hit.normal.x == -1.0f);
    assert_true(result.velocity_killed);
    /* oblique: slides along it (S-2) */
    result = walk(f, &human, test_position(CELL, 100.4, 100, 0.005), 0.3, 0.2, 0);
    assert_int_equal(result.verdict, ACP_MOVE_REACHED);
    assert_bits(result.position.frame.origin.x, test_float_bits(100.400002f));
    assert_bits(result.position.frame.origin.y, test_float_bits(100.199997f));
    assert_true(result.has_sliding_normal && result.sliding_normal.x == -1.0f);
}

static void an_ethereal_thing_is_listed_but_passed(void **state) {
    fixture *f = *state;
    acp_object post = test_world_post(f->world, test_position(CELL, 101.2, 100.1, 0), 0.3, 2, ACP_STATE_ETHEREAL, 0, 7);
    acp_mover human = test_human(CELL, 0);
    acp_move_result result = walk(f, &human, test_position(CELL, 100.3, 100, 0.005), 0.3, 0, 0);
    assert_int_equal(result.verdict, ACP_MOVE_REACHED); /* S-15 */
    assert_int_equal(result.object_count, 1);
    assert_int_equal(result.objects[0].index1, post.index1);
    assert_bits(result.position.frame.origin.x, test_float_bits(100.600006f));
}

static void a_mover_does_not_meet_itself(void **state) {
    fixture *f = *state;
    acp_object self = test_world_ball(f->world, test_position(CELL, 100, 100, 0.005), 0.48, 0.475, 0, 0, 9);
    acp_mover mover = test_human(CELL, 0);
    acp_move_result stopped = walk(f, &mover, test_position(CELL, 99.1, 100, 0.005), 0.3, 0, 0);
    assert_int_not_equal(stopped.object_count, 0);
    mover.object = self;
    acp_move_result passed = walk(f, &mover, test_position(CELL, 99.1, 100, 0.005), 0.3, 0, 0);
    assert_int_equal(passed.verdict, ACP_MOVE_REACHED);
    assert_int_equal(passed.object_count, 0);
}

static void water_and_edges_have_their_reasons(void **state) {
    fixture *f = *state;
    test_world_block(f->world, 0xA9B50000u, NULL, 0, 16 << 2, NULL, 0); /* nothing but water, to the north */
    acp_mover human = test_human(0xA9B40028u, 0);
    acp_move_result result = walk(f, &human, test_position(0xA9B40028u, 100, 191.8, 0.005), 0, 0.4, 0);
    assert_int_equal(result.verdict, ACP_MOVE_BLOCKED);
    assert_int_equal(result.hit.kind, ACP_HIT_WATER);
    assert_int_equal(result.hit.cell_id, 0xA9B50021u);
    /* off a platform of 5 m with edge slide, too far out to find it again: nothing to stand on (S-6) */
    test_world_box(f->world, test_position(CELL, 98, 100, 0), 4, 8, 5, ACP_STATE_STATIC, 3);
    human = test_human(CELL, 5);
    result = walk(f, &human, test_position(CELL, 100.4, 100, 5.005), 0.3, 0.2, 0);
    assert_int_equal(result.verdict, ACP_MOVE_BLOCKED);
    assert_int_equal(result.hit.kind, ACP_HIT_NO_GROUND);
    assert_int_equal(result.mover_state, 0x203);
}

static void rooms_answer_with_their_walls(void **state) {
    fixture *f = *state;
    test_room rooms[2] = {{0x100, {100, 100, 10}, {6, 4, 3}, 0, 0x101, 0}, {0x101, {106, 100, 10}, {6, 4, 3}, 0, 0, 0x100}};
    test_world_block(f->world, 0xA8B40000u, NULL, 0, 0, rooms, 2);
    acp_mover human = test_human(0xA8B40100u, 10);
    acp_move_result result = walk(f, &human, test_position(0xA8B40100u, 100.8, 102, 10.005), -0.6, 0, 0);
    assert_int_equal(result.hit.kind, ACP_HIT_ROOM);
    assert_int_equal(result.hit.cell_id, 0xA8B40100u);
    assert_int_equal(result.hit.polygon, 1);
    /* through the opening: the cell changes with the lower sphere's centre */
    result = walk(f, &human, test_position(0xA8B40100u, 105.9, 102, 10.005), 0.3, 0, 0);
    assert_int_equal(result.verdict, ACP_MOVE_REACHED);
    assert_int_equal(result.cell_id, 0xA8B40101u);
    assert_int_equal(result.position.cell_id, 0xA8B40101u);
}

static void a_barrier_admits_whom_it_should(void **state) {
    fixture *f = *state;
    test_room rooms[2] = {{0x100, {100, 100, 10}, {6, 4, 3}, 0, 0x101, 0}, {0x101, {106, 100, 10}, {6, 4, 3}, 0x60000001u, 0, 0x100}};
    test_world_block(f->world, 0xA8B40000u, NULL, 0, 0, rooms, 2);
    acp_position from = test_position(0xA8B40100u, 105.3, 102, 10.005);
    acp_mover human = test_human(0xA8B40100u, 10);
    assert_int_equal(walk(f, &human, from, 0.4, 0, 0).verdict, ACP_MOVE_REACHED); /* no game object: no barrier */
    human.predicates = ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_PLAYER;
    acp_move_result result = walk(f, &human, from, 0.4, 0, 0);
    assert_int_equal(result.hit.kind, ACP_HIT_RESTRICTION); /* the restriction object is unknown */
    test_world_post(f->world, test_position(CELL, 150, 150, 0), 0.1, 0.1, ACP_STATE_ETHEREAL, ACP_PREDICATE_GAME_OBJECT, 0x60000001u);
    assert_int_equal(walk(f, &human, from, 0.4, 0, 0).hit.kind, ACP_HIT_RESTRICTION);
    uint32_t admitted[] = {5, 0x60000001u};
    human.admitted_by = admitted;
    human.admitted_by_count = 2;
    assert_int_equal(walk(f, &human, from, 0.4, 0, 0).verdict, ACP_MOVE_REACHED);
    human.admitted_by_count = 1;
    assert_int_equal(walk(f, &human, from, 0.4, 0, 0).hit.kind, ACP_HIT_RESTRICTION);
    human.predicates |= ACP_PREDICATE_BYPASS_RESTRICTIONS;
    assert_int_equal(walk(f, &human, from, 0.4, 0, 0).verdict, ACP_MOVE_REACHED);
}

static void bad_input_is_refused(void **state) {
    fixture *f = *state;
    const acp_world *world = f->world->world;
    acp_mover human = test_human(CELL, 0), bad;
    acp_position from = test_position(CELL, 100, 100, 0.005), to = test_position(CELL, 100.3, 100, 0.005), wrong;
    acp_move_result out;
    acp_error error;
    assert_int_equal(acp_move(NULL, world, &human, &from, &to, &out, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_move(f->context, world, NULL, &from, &to, &out, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_move(f->context, world, &human, &from, NULL, &out, &error), ACP_ERROR_INVALID_ARGUMENT);
    wrong = from;
    wrong.frame.origin.y = NAN;
    assert_int_equal(acp_move(f->context, world, &human, &wrong, &to, &out, &error), ACP_ERROR_NOT_FINITE);
    wrong = to;
    wrong.frame.rotation.x = INFINITY;
    assert_int_equal(acp_move(f->context, world, &human, &from, &wrong, &out, &error), ACP_ERROR_NOT_FINITE);
    wrong = from;
    wrong.cell_id = 0xA9B40041u;
    assert_int_equal(acp_move(f->context, world, &human, &wrong, &to, &out, &error), ACP_ERROR_INVALID_ID);
    bad = human;
    bad.spheres[1].radius = 0;
    assert_int_equal(acp_move(f->context, world, &bad, &from, &to, &out, &error), ACP_ERROR_OUT_OF_RANGE);
    bad.spheres[1].radius = -0.5f;
    assert_int_equal(acp_move(f->context, world, &bad, &from, &to, &out, &error), ACP_ERROR_OUT_OF_RANGE);
    bad.spheres[1].radius = NAN;
    assert_int_equal(acp_move(f->context, world, &bad, &from, &to, &out, &error), ACP_ERROR_NOT_FINITE);
    bad = human;
    bad.scale = 0;
    assert_int_equal(acp_move(f->context, world, &bad, &from, &to, &out, &error), ACP_ERROR_OUT_OF_RANGE);
    bad = human;
    bad.sphere_count = 3;
    assert_int_equal(acp_move(f->context, world, &bad, &from, &to, &out, &error), ACP_ERROR_INVALID_ARGUMENT);
    bad = human;
    bad.object.index1 = 12345;
    bad.object.generation = 1;
    assert_int_equal(acp_move(f->context, world, &bad, &from, &to, &out, &error), ACP_ERROR_STALE_HANDLE);
    bad = human;
    bad.velocity.z = NAN;
    assert_int_equal(acp_move(f->context, world, &bad, &from, &to, &out, &error), ACP_ERROR_NOT_FINITE);
}

static void far_and_strange_moves_end(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(CELL, 0);
    /* ten kilometres: leaves what is resident and goes on freely */
    acp_move_result result = walk(f, &human, test_position(CELL, 100, 100, 0.005), 10000, 0, 0);
    assert_true(result.has_position);
    assert_int_equal(result.cell_id, 0);
    /* off the map in one step from its western rim */
    test_world_block(f->world, 0x00000000u, NULL, 0, 0, NULL, 0);
    human = test_human(0x00000001u, 0);
    result = walk(f, &human, test_position(0x00000001u, 0.6, 5, 0.005), -1.0, 0, 0);
    assert_true(result.has_position);
    assert_int_not_equal(result.verdict, ACP_MOVE_REACHED);
    assert_true(result.position.frame.origin.x >= 0);
    /* not resident to begin with */
    result = walk(f, &human, test_position(0x10100001u, 10, 10, 0.005), 0.2, 0, 0);
    assert_int_equal(result.verdict, ACP_MOVE_REFUSED);
    assert_int_equal(result.hit.kind, ACP_HIT_NO_CELL);
    assert_false(result.has_position);
    /* in the middle of a solid box */
    test_world_box(f->world, test_position(CELL, 105, 105, 0), 6, 6, 6, ACP_STATE_STATIC, 1);
    human = test_human(CELL, 0);
    result = walk(f, &human, test_position(CELL, 105, 105, 0.005), 0.2, 0, 0);
    assert_true(isfinite(result.position.frame.origin.x));
    /* too many sub-steps for the context */
    acp_transition_options options = acp_transition_options_default();
    options.max_sub_steps = 3;
    acp_transition_context *context;
    assert_int_equal(acp_transition_context_create(&options, &context, NULL), ACP_OK);
    acp_position from = test_position(CELL, 100, 100, 0.005), to = test_position(CELL, 102, 100, 0.005);
    assert_int_equal(acp_move(context, f->world->world, &human, &from, &to, &result, NULL), ACP_ERROR_LIMIT);
    assert_int_equal(context->level, 0);
    acp_transition_context_destroy(context);
}

static void the_eleventh_level_is_refused(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100, 100, 0.005);
    acp_move_result out;
    for (uint32_t i = 0; i < ACP_TRANSITION_LEVELS; i++)
        assert_non_null(acp_transition_acquire(f->context, f->world->world));
    assert_null(acp_transition_acquire(f->context, f->world->world));
    assert_int_equal(acp_move(f->context, f->world->world, &human, &from, &from, &out, NULL), ACP_ERROR_LIMIT);
    for (uint32_t i = 0; i < ACP_TRANSITION_LEVELS; i++)
        acp_transition_release(f->context);
    assert_int_equal(acp_move(f->context, f->world->world, &human, &from, &from, &out, NULL), ACP_OK);
}

/* A fixed course among objects of all kinds; returns a hash of all its answers. */
static uint64_t course(test_world *world, acp_transition_context *context, uint64_t seed, uint32_t count) {
    test_random random = {seed};
    uint64_t hash = 1469598103934665603u;
    for (uint32_t i = 0; i < count; i++) {
        acp_mover human = test_human(CELL, 0);
        acp_position from = test_position(CELL, test_random_in(&random, 97, 119), test_random_in(&random, 97, 119), 0.005), to = from;
        to.frame.origin.x = (float)((double)from.frame.origin.x + test_random_in(&random, -2, 2));
        to.frame.origin.y = (float)((double)from.frame.origin.y + test_random_in(&random, -2, 2));
        acp_move_result result;
        acp_transition_context_reset(context);
        assert_int_equal(acp_move(context, world->world, &human, &from, &to, &result, NULL), ACP_OK);
        uint32_t words[6] = {result.position.cell_id,
                             test_float_bits(result.position.frame.origin.x),
                             test_float_bits(result.position.frame.origin.y),
                             test_float_bits(result.position.frame.origin.z),
                             result.mover_state,
                             result.verdict};
        for (uint32_t k = 0; k < 6; k++)
            hash = (hash ^ words[k]) * 1099511628211u;
    }
    return hash;
}

static void furnish(test_world *world) {
    for (uint32_t i = 0; i < 8; i++) {
        test_world_box(world, test_position(CELL, 98 + 3.0 * (i % 4), 99 + 12.0 * (i / 4), 0), 1, 1, 0.3 + 0.2 * i, ACP_STATE_STATIC,
                       100 + i);
        test_world_post(world, test_position(CELL, 99 + 3.0 * (i % 4), 104 + 5.0 * (i / 4), 0), 0.3, 0.3 + 0.3 * i, ACP_STATE_STATIC, 0,
                        200 + i);
        test_world_ball(world, test_position(CELL, 108 + 3.0 * (i % 4), 101 + 7.0 * (i / 4), 0), 0.4, 0.4, 0, 0, 300 + i);
    }
}

static void nothing_is_allocated_after_warm_up(void **state) {
    fixture *f = *state;
    furnish(f->world);
    uint64_t hash = course(f->world, f->context, 1, 400);
    uint64_t allocations = acp_transition_context_counters(f->context).allocations_total;
    assert_true(allocations > 0);
    assert_true(course(f->world, f->context, 1, 400) == hash);
    assert_int_equal(acp_transition_context_counters(f->context).allocations_total, allocations);
}

static void count_record(void *user, uint32_t type, const void *record, uint32_t size) {
    assert_int_equal(size, sizeof(acp_trace_move));
    assert_non_null(record);
    assert_in_range(type, ACP_TRACE_MOVE_BEGIN, ACP_TRACE_MOVE_END);
    ((uint32_t *)user)[type - ACP_TRACE_FLOOR_TRANSITION]++;
}

static void explaining_changes_nothing(void **state) {
    fixture *f = *state;
    furnish(f->world);
    uint64_t silent = course(f->world, f->context, 2, 300);
    uint32_t counts[32] = {0};
    acp_trace_sink sink = {counts, count_record};
    acp_transition_context_set_trace(f->context, &sink);
    uint64_t told = course(f->world, f->context, 2, 300);
    acp_transition_context_set_trace(f->context, NULL);
    assert_true(silent == told);
    static const uint32_t expected[] = {ACP_TRACE_MOVE_BEGIN,   ACP_TRACE_MOVE_OFFSET, ACP_TRACE_MOVE_TEST,  ACP_TRACE_MOVE_OBJECT,
                                        ACP_TRACE_MOVE_INSERT,  ACP_TRACE_MOVE_REBASE, ACP_TRACE_MOVE_SLIDE, ACP_TRACE_MOVE_STEP_DOWN,
                                        ACP_TRACE_MOVE_STEP_UP, ACP_TRACE_MOVE_STEP,   ACP_TRACE_MOVE_END};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (counts[expected[i] - ACP_TRACE_FLOOR_TRANSITION] == 0) fail_msg("no record of kind %08x", (unsigned)expected[i]);
}

static acp_result work_with(void *user, const acp_allocator *allocator) {
    fixture *f = user;
    acp_transition_options options = acp_transition_options_default();
    options.allocator = allocator;
    acp_transition_context *context;
    acp_result result = acp_transition_context_create(&options, &context, NULL);
    if (result != ACP_OK) return result;
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100.3, 100, 0.005), to = test_position(CELL, 100.6, 100, 0.005);
    acp_move_result out;
    result = acp_move(context, f->world->world, &human, &from, &to, &out, NULL);
    assert_int_equal(context->level, 0);
    acp_transition_context_destroy(context);
    return result;
}

static void every_refused_allocation_is_an_error(void **state) {
    fixture *f = *state;
    test_world_post(f->world, test_position(CELL, 101.2, 100.1, 0), 0.3, 2, ACP_STATE_ETHEREAL, 0, 7);
    assert_true(test_fail_every_allocation(work_with, f) >= 3);
}

static void sight_and_shots(void **state) {
    fixture *f = *state;
    const acp_world *world = f->world->world;
    acp_object nobody = {0, 0};
    acp_object target = test_world_ball(f->world, test_position(CELL, 116, 100, 0), 0.5, 1.0, 0,
                                        ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_CREATURE, 0x50000002u);
    acp_object bystander = test_world_ball(f->world, test_position(CELL, 110, 100, 0), 0.5, 1.0, 0,
                                           ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_CREATURE, 0x50000003u);
    acp_position eye = test_position(CELL, 98, 100, 1.0), aim = test_position(CELL, 116, 100, 1.0);
    acp_sight sight;
    assert_int_equal(acp_line_of_sight(f->context, world, &eye, &aim, 0.1f, nobody, target, &sight, NULL), ACP_OK);
    assert_true(sight.is_clear); /* creatures are seen through */
    assert_int_equal(acp_can_hit(f->context, world, &eye, &aim, 0.1f, nobody, target, &sight, NULL), ACP_OK);
    assert_true(sight.is_clear && sight.has_hit_target); /* a missile passes other creatures (OCD-84) */
    assert_int_equal(acp_can_hit(f->context, world, &eye, &aim, 0.1f, nobody, nobody, &sight, NULL), ACP_OK);
    assert_false(sight.is_clear); /* without a target the first in the way is hit */
    assert_int_equal(sight.hit.object.index1, bystander.index1);
    test_world_box(f->world, test_position(CELL, 104, 100, 0), 0.5, 6, 3, ACP_STATE_STATIC, 4);
    assert_int_equal(acp_line_of_sight(f->context, world, &eye, &aim, 0.1f, nobody, target, &sight, NULL), ACP_OK);
    assert_false(sight.is_clear);
    assert_int_equal(sight.hit.kind, ACP_HIT_OBJECT);
    assert_int_equal(sight.hit.object_id, 4);
    assert_true(sight.end.frame.origin.x < 103.75f && sight.end.frame.origin.x > 103.0f);
    assert_int_equal(acp_can_hit(f->context, world, &eye, &aim, 0.1f, nobody, target, &sight, NULL), ACP_OK);
    assert_false(sight.is_clear);
    assert_int_equal(acp_line_of_sight(f->context, world, &eye, &aim, 0.0f, nobody, target, &sight, NULL), ACP_ERROR_OUT_OF_RANGE);
}

static void ground_is_found_under_roofs(void **state) {
    fixture *f = *state;
    const acp_world *world = f->world->world;
    acp_position from = test_position(CELL, 105, 105, 8);
    acp_floor ground;
    assert_int_equal(acp_ground_under(f->context, world, &from, 0.1f, 20.0f, &ground, NULL), ACP_OK);
    assert_true(ground.has_ground && ground.is_walkable);
    assert_true(fabs((double)ground.z) < 0.001);
    test_world_box(f->world, test_position(CELL, 105, 105, 0), 4, 4, 2.5, ACP_STATE_STATIC, 4);
    assert_int_equal(acp_ground_under(f->context, world, &from, 0.1f, 20.0f, &ground, NULL), ACP_OK);
    assert_true(ground.has_ground && fabs((double)ground.z - 2.5) < 0.001);
    test_room rooms[1] = {{0x100, {50, 50, 100}, {6, 4, 3}, 0, 0, 0}};
    test_world_block(f->world, 0xA8B40000u, NULL, 0, 0, rooms, 1);
    from = test_position(0xA8B40100u, 53, 52, 101.5);
    assert_int_equal(acp_ground_under(f->context, world, &from, 0.1f, 5.0f, &ground, NULL), ACP_OK);
    assert_true(ground.has_ground && fabs((double)ground.z - 100.0) < 0.001);
    assert_int_equal(ground.cell_id, 0xA8B40100u);
    assert_int_equal(acp_ground_under(f->context, world, &from, 0.1f, 0.5f, &ground, NULL), ACP_OK);
    assert_false(ground.has_ground);
    assert_int_equal(acp_ground_under(f->context, world, &from, 0.1f, -1.0f, &ground, NULL), ACP_ERROR_OUT_OF_RANGE);
}

static void places_are_found_around_what_is_taken(void **state) {
    fixture *f = *state;
    const acp_world *world = f->world->world;
    acp_mover human = test_human(CELL, 0);
    acp_position at = test_position(CELL, 100, 100, 0.3);
    acp_move_result result;
    assert_int_equal(acp_place(f->context, world, &human, &at, 0, &result, NULL), ACP_OK);
    assert_true(result.has_position && result.contact.is_valid);
    assert_bits(result.position.frame.origin.z, test_float_bits(0.00500002503f)); /* S-21 */
    test_world_post(f->world, test_position(CELL, 100, 100, 0), 0.3, 2, ACP_STATE_STATIC, 0, 8);
    at.frame.origin.z = 0.005f;
    assert_int_equal(acp_place(f->context, world, &human, &at, 0, &result, NULL), ACP_OK);
    assert_int_equal(result.verdict, ACP_MOVE_REFUSED);
    assert_int_equal(result.hit.kind, ACP_HIT_OBJECT);
    assert_int_equal(result.hit.object_id, 8);
    assert_int_equal(acp_free_spot(f->context, world, &human, &at, 2.0f, &result, NULL), ACP_OK);
    assert_true(result.has_position);
    assert_bits(result.position.frame.origin.y, test_float_bits(100.888885f)); /* S-21: second ring, north */
    assert_int_equal(acp_free_spot(f->context, world, &human, &at, 0.5f, &result, NULL), ACP_OK);
    assert_false(result.has_position);
    at = test_position(0x10100001u, 5, 5, 0);
    assert_int_equal(acp_place(f->context, world, &human, &at, 1, &result, NULL), ACP_OK);
    assert_int_equal(result.hit.kind, ACP_HIT_NO_CELL);
    at = test_position(0x00000001u, -5, 5, 0);
    assert_int_equal(acp_place(f->context, world, &human, &at, 1, &result, NULL), ACP_OK);
    assert_int_equal(result.hit.kind, ACP_HIT_OUTSIDE_MAP);
}

static void client_moves_are_judged(void **state) {
    fixture *f = *state;
    test_world_box(f->world, test_position(CELL, 102, 100, 0), 2, 8, 3, ACP_STATE_STATIC, 4);
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100, 100, 0.005), near = test_position(CELL, 100.4, 100, 0.005);
    acp_position through = test_position(CELL, 104, 100, 0.005);
    acp_move_check check;
    assert_int_equal(acp_can_move(f->context, f->world->world, &human, &from, &near, 0.01f, 0, &check, NULL), ACP_OK);
    assert_true(check.is_plausible);
    assert_int_equal(acp_can_move(f->context, f->world->world, &human, &from, &through, 0.5f, 0, &check, NULL), ACP_OK);
    assert_false(check.is_plausible);
    assert_int_equal(check.result.hit.object_id, 4);
    assert_true(check.distance > 3.0);
    assert_int_equal(acp_can_move(f->context, f->world->world, &human, &from, &through, 100.0f, 2.0f, &check, NULL), ACP_OK);
    assert_false(check.is_plausible); /* longer than allowed */
    assert_int_equal(check.result.taken_steps, 0);
    assert_int_equal(acp_can_move(f->context, f->world->world, &human, &from, &near, -1.0f, 0, &check, NULL), ACP_ERROR_OUT_OF_RANGE);
}

/* A mover that has been re-based into the next block while its current position still is in the old one. */
static float normal_after_rebasing(uint32_t corrections) {
    acp_world_options options = acp_world_options_default();
    options.corrections = corrections;
    acp_world *world;
    acp_transition_context *context;
    assert_int_equal(acp_world_create(&options, &world, NULL), ACP_OK);
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    acp_transition *move = acp_transition_acquire(context, world);
    acp_sphere sphere = {{0, 0, 0.48f}, 0.48f}, ball = {{0, 0, 0.48f}, 0.5f};
    acp_position before = test_position(0xA9B4003Du, 191.9, 100, 0), after = test_position(0xAAB40005u, 0.2, 100, 0);
    acp_position at = test_position(0xAAB40005u, 1.0, 100, 0);
    acp_sphere_path_set_spheres(&move->path, 1, &sphere, 1);
    move->path.current_position = acp_matrix_position_from_public(&before);
    move->path.check_position = acp_matrix_position_from_public(&after);
    acp_sphere_path_cache_current_centers(&move->path);
    acp_sphere_path_cache_globals(&move->path);
    move->info.state = ACP_MOVER_PATH_CLIPPED;
    acp_matrix_position place = acp_matrix_position_from_public(&at);
    assert_int_equal(acp_sphere_respond_at(move, &ball, &place, 1, false), ACP_TRANSITION_COLLIDED);
    float x = move->collision.collision_normal.x;
    acp_transition_context_destroy(context);
    acp_world_destroy(world);
    return x;
}

static void the_block_of_the_current_centre_can_be_corrected(void **state) {
    (void)state;
    assert_true(normal_after_rebasing(0) == 1.0f); /* retail: seen 190.9 m east of the ball (OCD-69) */
    assert_true(normal_after_rebasing(ACP_CORRECTION_CURRENT_BLOCK) == -1.0f);
}

static void movers_come_from_setups(void **state) {
    (void)state;
    acp_setup_definition definition = acp_setup_definition_default();
    acp_sphere spheres[3] = {{{0, 0, 0.475f}, 0.48f}, {{0, 0, 1.35f}, 0.48f}, {{0, 0, 2}, 1}};
    definition.spheres = spheres;
    definition.sphere_count = 3;
    definition.step_up_height = 0.6f;
    definition.step_down_height = 1.5f;
    definition.flags = 0;
    acp_setup *setup;
    assert_int_equal(acp_setup_create(&definition, NULL, &setup, NULL), ACP_OK);
    acp_mover mover;
    assert_int_equal(acp_mover_from_setup(setup, 1.2f, &mover), ACP_OK);
    assert_int_equal(mover.sphere_count, 2);
    assert_bits(mover.step_up_height, test_float_bits(0.720000029f)); /* PHO-28 */
    assert_bits(mover.step_down_height, test_float_bits(1.80000007f));
    assert_int_equal(mover.allows_free_heading, 0);
    assert_int_equal(acp_mover_from_setup(setup, 0, &mover), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_mover_from_setup(NULL, 1, &mover), ACP_OK);
    assert_int_equal(mover.sphere_count, 0);
    assert_true(mover.step_up_height == 0.0f);
    acp_setup_destroy(setup);
}

int main(void) {
#define WITH_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_WORLD(a_walk_on_level_ground_arrives),
        WITH_WORLD(a_wall_is_named_with_its_polygon),
        WITH_WORLD(an_ethereal_thing_is_listed_but_passed),
        WITH_WORLD(a_mover_does_not_meet_itself),
        WITH_WORLD(water_and_edges_have_their_reasons),
        WITH_WORLD(rooms_answer_with_their_walls),
        WITH_WORLD(a_barrier_admits_whom_it_should),
        WITH_WORLD(bad_input_is_refused),
        WITH_WORLD(far_and_strange_moves_end),
        WITH_WORLD(the_eleventh_level_is_refused),
        WITH_WORLD(nothing_is_allocated_after_warm_up),
        WITH_WORLD(explaining_changes_nothing),
        WITH_WORLD(every_refused_allocation_is_an_error),
        WITH_WORLD(sight_and_shots),
        WITH_WORLD(ground_is_found_under_roofs),
        WITH_WORLD(places_are_found_around_what_is_taken),
        WITH_WORLD(client_moves_are_judged),
        cmocka_unit_test(the_block_of_the_current_centre_can_be_corrected),
        cmocka_unit_test(movers_come_from_setups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
