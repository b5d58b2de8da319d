/* SPDX-License-Identifier: MIT */
/* Bad input to moves and to the questions built on them: numbers that are not, zero and negative radii, lengths of kilometres, starts in
 * solids, in cells that are not loaded, off the map, in landblocks that were retired. Each has the spec's result or an error and leaves
 * the context usable; a storm of odd numbers in every field ends each time. The first case of each kind stands in test_transition.c. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/random.h"
#include "tests/support/small_world.h"
#include "transition/context.h"

#define BLOCK 0xA9B40000u
#define CELL  0xA9B40025u

typedef struct fixture {
    test_world *world;
    acp_transition_context *context;
} fixture;

static int set_up(void **state) {
    static fixture f;
    acp_transition_options options = acp_transition_options_default();
    options.max_sub_steps = 30000;
    f.world = test_world_new();
    test_world_block(f.world, BLOCK, NULL, 0, 0, NULL, 0);
    assert_int_equal(acp_transition_context_create(&options, &f.context, NULL), ACP_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    acp_transition_context_destroy(f->context);
    test_world_free(f->world);
    return 0;
}

static acp_result move_code(fixture *f, const acp_mover *mover, const acp_position *from, const acp_position *to, acp_move_result *out) {
    acp_error error;
    acp_result result = acp_move(f->context, f->world->world, mover, from, to, out, &error);
    assert_int_equal(f->context->level, 0);
    return result;
}

/* Every float of a mover, one after the other. */
enum { MOVER_FLOATS = 19 };
static float *mover_float(acp_mover *m, uint32_t i) {
    float *const fields[MOVER_FLOATS] = {&m->spheres[0].center.x,
                                         &m->spheres[0].center.y,
                                         &m->spheres[0].center.z,
                                         &m->spheres[0].radius,
                                         &m->spheres[1].center.x,
                                         &m->spheres[1].center.y,
                                         &m->spheres[1].center.z,
                                         &m->spheres[1].radius,
                                         &m->scale,
                                         &m->step_up_height,
                                         &m->step_down_height,
                                         &m->velocity.x,
                                         &m->velocity.y,
                                         &m->velocity.z,
                                         &m->contact.plane.normal.x,
                                         &m->contact.plane.d,
                                         &m->contact.plane.normal.z,
                                         &m->sliding_normal.x,
                                         &m->sliding_normal.z};
    return fields[i];
}

enum { POSITION_FLOATS = 7 };
static float *position_float(acp_position *p, uint32_t i) {
    float *const fields[POSITION_FLOATS] = {&p->frame.origin.x,   &p->frame.origin.y,   &p->frame.origin.z,  &p->frame.rotation.w,
                                            &p->frame.rotation.x, &p->frame.rotation.y, &p->frame.rotation.z};
    return fields[i];
}

static void no_field_may_be_infinite_or_no_number(void **state) {
    fixture *f = *state;
    const float odd[] = {NAN, INFINITY, -INFINITY};
    acp_position from = test_position(CELL, 100, 100, 0.005), to = test_position(CELL, 100.3, 100, 0.005);
    acp_move_result out;
    memset(&out, 0x5A, sizeof out);
    acp_move_result before = out;
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < MOVER_FLOATS; i++) {
            acp_mover human = test_human(CELL, 0);
            *mover_float(&human, i) = odd[k];
            assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_place(f->context, f->world->world, &human, &from, 1, &out, NULL), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_free_spot(f->context, f->world->world, &human, &from, 5, &out, NULL), ACP_ERROR_NOT_FINITE);
        }
        for (uint32_t i = 0; i < POSITION_FLOATS; i++) {
            acp_mover human = test_human(CELL, 0);
            acp_position bad = from;
            acp_object nobody = {0, 0};
            acp_move_check check;
            acp_sight sight;
            acp_floor ground;
            const acp_world *world = f->world->world;
            *position_float(&bad, i) = odd[k];
            assert_int_equal(move_code(f, &human, &bad, &to, &out), ACP_ERROR_NOT_FINITE);
            assert_int_equal(move_code(f, &human, &from, &bad, &out), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_move_with_flags(f->context, world, &human, 0, &from, &bad, &out, NULL), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_place(f->context, world, &human, &bad, 0, &out, NULL), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_can_move(f->context, world, &human, &from, &bad, 0.1f, 0, &check, NULL), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_line_of_sight(f->context, world, &bad, &to, 0.1f, nobody, nobody, &sight, NULL), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_can_hit(f->context, world, &from, &bad, 0.1f, nobody, nobody, &sight, NULL), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_ground_under(f->context, world, &bad, 0.1f, 5, &ground, NULL), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_free_spot(f->context, world, &human, &bad, 5, &out, NULL), ACP_ERROR_NOT_FINITE);
        }
    }
    assert_memory_equal(&out, &before, sizeof out); /* nothing was written */
}

static void questions_check_their_own_numbers(void **state) {
    fixture *f = *state;
    const acp_world *world = f->world->world;
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100, 100, 0.005), to = test_position(CELL, 100.3, 100, 0.005);
    acp_object nobody = {0, 0}, stranger = {4000, 3};
    acp_move_check check;
    acp_sight sight;
    acp_floor ground;
    acp_move_result out;
    const float odd[] = {0, -1, NAN, INFINITY, -INFINITY};
    for (uint32_t k = 0; k < 5; k++) {
        acp_result wanted = isfinite(odd[k]) ? ACP_ERROR_OUT_OF_RANGE : ACP_ERROR_NOT_FINITE;
        assert_int_equal(acp_line_of_sight(f->context, world, &from, &to, odd[k], nobody, nobody, &sight, NULL), wanted);
        assert_int_equal(acp_can_hit(f->context, world, &from, &to, odd[k], nobody, nobody, &sight, NULL), wanted);
        assert_int_equal(acp_ground_under(f->context, world, &from, odd[k], 5, &ground, NULL), ACP_ERROR_OUT_OF_RANGE);
        assert_int_equal(acp_ground_under(f->context, world, &from, 0.1f, odd[k], &ground, NULL), ACP_ERROR_OUT_OF_RANGE);
        assert_int_equal(acp_free_spot(f->context, world, &human, &from, odd[k], &out, NULL), ACP_ERROR_OUT_OF_RANGE);
        if (k == 0) continue; /* a tolerance of 0 and "any length" are fine */
        assert_int_equal(acp_can_move(f->context, world, &human, &from, &to, odd[k], 0, &check, NULL), ACP_ERROR_OUT_OF_RANGE);
        assert_int_equal(acp_can_move(f->context, world, &human, &from, &to, 0.1f, odd[k], &check, NULL), ACP_ERROR_OUT_OF_RANGE);
    }
    assert_int_equal(acp_can_hit(f->context, world, &from, &to, 0.1f, nobody, stranger, &sight, NULL), ACP_ERROR_STALE_HANDLE);
    assert_int_equal(acp_line_of_sight(f->context, world, &from, &to, 0.1f, stranger, nobody, &sight, NULL), ACP_ERROR_STALE_HANDLE);
    assert_int_equal(acp_move(f->context, NULL, &human, &from, &to, &out, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_move(f->context, world, &human, &from, &to, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_place(f->context, world, &human, NULL, 0, &out, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_can_move(f->context, world, &human, &from, &to, 0, 0, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_ground_under(f->context, world, &from, 1, 1, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_ground_under(NULL, world, &from, 1, 1, &ground, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_line_of_sight(f->context, world, &from, &to, 0.1f, nobody, nobody, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_free_spot(f->context, world, &human, &from, 5, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    human.struct_size = 8;
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_ERROR_INVALID_ARGUMENT);
    human = test_human(CELL, 0);
    human.step_up_height = -0.1f;
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_ERROR_OUT_OF_RANGE);
    human = test_human(CELL, 0);
    human.scale = -1;
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_ERROR_OUT_OF_RANGE);
    human = test_human(CELL, 0);
    human.admitted_by_count = 1;
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_ERROR_INVALID_ARGUMENT);
}

static void no_cell_id_that_names_nothing(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100, 100, 0.005), bad = from;
    acp_move_result out;
    /* nothing, a land cell past the 64th, a record's number, blocks beyond the map (WM-9) */
    const uint32_t ids[] = {0, 0xA9B40000u, 0xA9B40041u, 0xA9B400FFu, 0xA9B4FFFEu, 0xFFB40001u, 0xA9FF0001u};
    for (uint32_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        bad.cell_id = ids[i];
        assert_int_equal(move_code(f, &human, &bad, &from, &out), ACP_ERROR_INVALID_ID);
        assert_int_equal(move_code(f, &human, &from, &bad, &out), ACP_ERROR_INVALID_ID);
    }
    /* an EnvCell that is not there names a place, but nothing is resident */
    bad.cell_id = 0xA9B40100u;
    assert_int_equal(move_code(f, &human, &bad, &bad, &out), ACP_OK);
    assert_int_equal(out.verdict, ACP_MOVE_REFUSED);
    assert_int_equal(out.hit.kind, ACP_HIT_NO_CELL);
}

static void long_moves_end(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100, 100, 0.005);
    const double ways[4][2] = {{10000, 0}, {-10000, 0}, {0, 10000}, {7000, -7000}};
    for (uint32_t i = 0; i < 4; i++) {
        acp_move_result out;
        acp_position to = from;
        to.frame.origin.x = (float)((double)to.frame.origin.x + ways[i][0]);
        to.frame.origin.y = (float)((double)to.frame.origin.y + ways[i][1]);
        assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_OK); /* over the edge of what is resident it goes on freely */
        assert_true(out.has_position);
        assert_int_equal(out.cell_id, 0);
        assert_true(isfinite(out.position.frame.origin.x) && isfinite(out.position.frame.origin.y));
        assert_true(out.planned_steps > 10000 && out.taken_steps > 100);
    }
    /* a wall stops even that */
    test_world_box(f->world, test_position(CELL, 110, 100, 0), 2, 40, 10, ACP_STATE_STATIC, 1);
    acp_position to = from;
    to.frame.origin.x += 10000;
    acp_move_result out;
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_OK);
    assert_true(out.position.frame.origin.x < 109.0f && out.position.cell_id == CELL);
    /* a depth of more radii than the context's sub-steps */
    acp_floor ground;
    acp_position high = test_position(CELL, 100, 100, 20000);
    assert_int_equal(acp_ground_under(f->context, f->world->world, &high, 1, 30000, &ground, NULL), ACP_OK);
    assert_true(ground.has_ground && fabs((double)ground.z) < 0.001);
    assert_int_equal(acp_ground_under(f->context, f->world->world, &high, 1, 30001, &ground, NULL), ACP_ERROR_LIMIT);
    assert_int_equal(acp_ground_under(f->context, f->world->world, &high, 1e-30f, 1e30f, &ground, NULL), ACP_ERROR_LIMIT);
    /* more sub-steps than the context allows */
    human.spheres[0].radius = human.spheres[1].radius = 0.01f;
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_ERROR_LIMIT);
    /* more spots than it allows: in the middle of the wall, where none is free */
    acp_position inside = test_position(CELL, 110, 100, 3);
    human.spheres[0].radius = human.spheres[1].radius = 0.001f;
    human.spheres[0].center.z = human.spheres[1].center.z = 0;
    assert_int_equal(acp_place(f->context, f->world->world, &human, &inside, 1, &out, NULL), ACP_ERROR_LIMIT);
    assert_int_equal(acp_place(f->context, f->world->world, &human, &inside, 0, &out, NULL), ACP_OK);
    assert_int_equal(out.verdict, ACP_MOVE_REFUSED);
}

static void a_retired_landblock_is_gone(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100, 100, 0.005), to = test_position(CELL, 100.3, 100, 0.005);
    acp_position beside = test_position(0xA9B50021u, 100, 0.3, 0.005);
    acp_move_result out;
    test_world_block(f->world, 0xA9B50000u, NULL, 0, 0, NULL, 0);
    acp_object box = test_world_box(f->world, test_position(0xA9B40028u, 100, 191.0, 0), 4, 1, 3, ACP_STATE_STATIC, 5);
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_OK);
    assert_int_equal(out.verdict, ACP_MOVE_REACHED);
    assert_int_equal(acp_membership_retire(f->world->world, BLOCK, NULL, NULL), ACP_OK);
    assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_OK);
    assert_int_equal(out.verdict, ACP_MOVE_REFUSED); /* from a cell that is no more */
    assert_int_equal(out.hit.kind, ACP_HIT_NO_CELL);
    assert_int_equal(acp_place(f->context, f->world->world, &human, &from, 1, &out, NULL), ACP_OK);
    assert_int_equal(out.verdict, ACP_MOVE_REFUSED);
    /* into it: freely, the wall that stood there is in no list */
    human = test_human(0xA9B50021u, 0);
    acp_position into = beside;
    into.frame.origin.y = -1.5f;
    assert_int_equal(move_code(f, &human, &beside, &into, &out), ACP_OK);
    assert_true(out.has_position);
    assert_int_equal(out.cell_id, 0);
    assert_int_equal(out.position.cell_id & 0xFFFF0000u, BLOCK);
    /* the object is alive, but nowhere; a mover made of it still has a row */
    assert_true(acp_object_is_live(f->world->world, box));
    acp_floor ground;
    assert_int_equal(acp_ground_under(f->context, f->world->world, &from, 0.2f, 10, &ground, NULL), ACP_OK);
    assert_false(ground.has_ground);
    acp_sight sight;
    acp_object nobody = {0, 0};
    assert_int_equal(acp_line_of_sight(f->context, f->world->world, &from, &to, 0.1f, nobody, nobody, &sight, NULL), ACP_OK);
    assert_false(sight.is_clear);
    assert_int_equal(sight.hit.kind, ACP_HIT_NO_CELL);
    /* the box may be destroyed; a mover that is it is stale then */
    assert_int_equal(acp_object_destroy(f->world->world, box, NULL), ACP_OK);
    human.object = box;
    assert_int_equal(move_code(f, &human, &beside, &into, &out), ACP_ERROR_STALE_HANDLE);
}

static void a_start_in_a_solid_stays_or_leaves_but_ends(void **state) {
    fixture *f = *state;
    test_world_box(f->world, test_position(CELL, 108, 108, 0), 6, 6, 6, ACP_STATE_STATIC, 1);
    test_world_post(f->world, test_position(CELL, 100, 108, 0), 2, 6, ACP_STATE_STATIC, 0, 2);
    test_world_ball(f->world, test_position(CELL, 100, 100, 0), 3, 1, 0, 0, 3);
    const double starts[4][2] = {{108, 108}, {105.2, 108}, {100, 108}, {100, 100}};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 16; k++) {
            acp_mover human = test_human(CELL, 0);
            if (k & 1) human.transient_state = 0;
            acp_position from = test_position(CELL, starts[i][0], starts[i][1], k & 2 ? 1.0 : 0.005), to = from;
            to.frame.origin.x += k & 4 ? 1.5f : -0.2f;
            to.frame.origin.z += k & 8 ? -0.5f : 0.0f;
            acp_move_result out;
            assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_OK);
            acp_vec3 o = out.position.frame.origin;
            assert_true(isfinite(o.x) && isfinite(o.y) && isfinite(o.z));
            assert_int_equal(acp_place(f->context, f->world->world, &human, &from, k & 1, &out, NULL), ACP_OK);
            assert_true(out.has_position || out.verdict == ACP_MOVE_REFUSED);
        }
}

static void off_the_map_is_an_answer(void **state) {
    fixture *f = *state;
    test_world_block(f->world, 0x00000000u, NULL, 0, 0, NULL, 0);
    test_world_block(f->world, 0xFEFE0000u, NULL, 0, 0, NULL, 0);
    const struct {
        uint32_t cell;
        double x, y, dx, dy;
    } rims[] = {
        {0x00000001u, 0.6, 5, -1, 0}, {0x00000001u, 5, 0.6, 0, -1}, {0xFEFE0040u, 191.5, 180, 1, 0}, {0xFEFE0040u, 180, 191.5, 0, 1}};
    for (uint32_t i = 0; i < 4; i++) {
        acp_mover human = test_human(rims[i].cell, 0);
        acp_position from = test_position(rims[i].cell, rims[i].x, rims[i].y, 0.005), to = from;
        to.frame.origin.x += (float)rims[i].dx;
        to.frame.origin.y += (float)rims[i].dy;
        acp_move_result out;
        assert_int_equal(move_code(f, &human, &from, &to, &out), ACP_OK);
        assert_int_not_equal(out.verdict, ACP_MOVE_REACHED);
        assert_int_equal(out.position.cell_id & 0xFFFF0000u, rims[i].cell & 0xFFFF0000u);
        /* placing beyond the rim: nowhere */
        acp_result placed = acp_place(f->context, f->world->world, &human, &to, 0, &out, NULL);
        if (fabs((double)to.frame.origin.x - 96) > 96 || fabs((double)to.frame.origin.y - 96) > 96)
            assert_true(placed == ACP_ERROR_OUTSIDE_MAP || (placed == ACP_OK && out.verdict == ACP_MOVE_REFUSED));
    }
}

/* Odd but finite numbers anywhere: every call ends, with an answer or an error, and the next ordinary move is as ever. */
static void a_storm_of_odd_numbers_passes(void **state) {
    fixture *f = *state;
    const float odd[] = {0.0f, -0.0f, FLT_MIN, 1e-45f, 1e-7f, 2e-4f, -2e-4f, 0.5f,  1,     -1,     23.99f,  192,
                         -192, 300,   1e4f,    -1e4f,  1e6f,  -1e6f, 1e12f,  1e18f, 1e30f, -1e30f, FLT_MAX, -FLT_MAX};
    const uint32_t odd_count = sizeof odd / sizeof *odd;
    test_random random = {test_seed("transition_input", 17)};
    test_world_box(f->world, test_position(CELL, 102, 100, 0), 2, 8, 0.5, ACP_STATE_STATIC, 1);
    test_world_post(f->world, test_position(CELL, 98, 100, 0), 0.5, 3, ACP_STATE_STATIC, 0, 2);
    acp_transition_options options = acp_transition_options_default();
    options.max_sub_steps = 200;
    acp_transition_context *context;
    assert_int_equal(acp_transition_context_create(&options, &context, NULL), ACP_OK);
    acp_mover human = test_human(CELL, 0);
    acp_position from = test_position(CELL, 100, 110, 0.005), to = test_position(CELL, 101, 110, 0.005);
    acp_move_result out, calm;
    assert_int_equal(acp_move(context, f->world->world, &human, &from, &to, &calm, NULL), ACP_OK);
    uint32_t answers = 0, errors = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        acp_mover odd_one = test_human(CELL, 0);
        odd_one.transient_state = test_random_below(&random, 256);
        acp_position start = test_position(CELL, 100, 100, 0.005), end = test_position(CELL, 100.7, 100.1, 0.005);
        for (uint32_t k = 1 + test_random_below(&random, 3); k > 0; k--) {
            float value = odd[test_random_below(&random, odd_count)];
            uint32_t which = test_random_below(&random, MOVER_FLOATS + 2 * POSITION_FLOATS);
            if (which < MOVER_FLOATS)
                *mover_float(&odd_one, which) = value;
            else
                *position_float(which & 1 ? &start : &end, (which - MOVER_FLOATS) % POSITION_FLOATS) = value;
        }
        acp_result result = test_random_below(&random, 4) ? acp_move(context, f->world->world, &odd_one, &start, &end, &out, NULL)
                                                          : acp_place(context, f->world->world, &odd_one, &end, 1, &out, NULL);
        assert_int_equal(context->level, 0);
        if (result == ACP_OK) {
            answers++;
            assert_true(out.verdict <= ACP_MOVE_REFUSED);
        } else {
            errors++;
            assert_true(result == ACP_ERROR_OUT_OF_RANGE || result == ACP_ERROR_LIMIT || result == ACP_ERROR_INVALID_ID ||
                        result == ACP_ERROR_OUTSIDE_MAP || result == ACP_ERROR_NOT_FINITE);
        }
    }
    assert_true(answers > 2000 && errors > 500);
    acp_transition_context_reset(context);
    assert_int_equal(acp_move(context, f->world->world, &human, &from, &to, &out, NULL), ACP_OK);
    assert_int_equal(out.verdict, ACP_MOVE_REACHED);
    assert_memory_equal(&out.position, &calm.position, sizeof out.position);
    acp_transition_context_destroy(context);
}

#define INPUT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {INPUT_TEST(no_field_may_be_infinite_or_no_number),
                                       INPUT_TEST(questions_check_their_own_numbers),
                                       INPUT_TEST(no_cell_id_that_names_nothing),
                                       INPUT_TEST(long_moves_end),
                                       INPUT_TEST(a_retired_landblock_is_gone),
                                       INPUT_TEST(a_start_in_a_solid_stays_or_leaves_but_ends),
                                       INPUT_TEST(off_the_map_is_an_answer),
                                       INPUT_TEST(a_storm_of_odd_numbers_passes)};
    return cmocka_run_group_tests_name("unit.transition_input", tests, NULL, NULL);
}
