/* SPDX-License-Identifier: MIT */
/* Everything a host may do to bodies, in any order, with any numbers (issue of bodies, "Bad input"): worlds stepped by one, two and four
 * workers that are asked the same things answer the same, go the same way to the bit, keep whole lists and finite places, and go on from a
 * saved state as they did. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/body_maker.h"
#include "tests/support/random.h"

enum { worlds = 3, blocks = 6, slots = 48, rounds = 6000 };

static const uint32_t worker_counts[worlds] = {1, 2, 4};
/* Four that meet in a corner, the map's south-west corner and its north-east one. */
static const uint32_t block_ids[blocks] = {0xA9A90000u, 0xAAA90000u, 0xA9AA0000u, 0xAAAA0000u, 0x00000000u, 0xFEFE0000u};

typedef struct bench {
    body_maker *makers[worlds];
    acp_block *away[worlds][blocks];
    acp_object bodies[worlds][slots];
    test_random random;
    uint32_t next_id;
    uint8_t *saved[worlds];
    uint64_t saved_size[worlds];
} bench;

/* ---- numbers and places ---- */

static float any_number(test_random *random, float usual) {
    static const float odd[] = {0.0f, -0.0f, 1e-40f, -1e-6f,  1.0f,     -1.0f, 50.0f,    51.0f,
                                1e4f, -1e7f, 1e30f,  FLT_MAX, -FLT_MAX, NAN,   INFINITY, -INFINITY};
    if (test_random_below(random, 12) == 0) return odd[test_random_below(random, sizeof odd / sizeof odd[0])];
    return (float)test_random_in(random, -(double)usual, (double)usual);
}

static acp_vec3 any_vector(test_random *random, float usual) {
    acp_vec3 v;
    v.x = any_number(random, usual);
    v.y = any_number(random, usual);
    v.z = any_number(random, usual);
    return v;
}

static acp_position any_place(test_random *random) {
    static const uint32_t odd[] = {0u,          0xFFFFFFFFu, 0xA9A90000u, 0xA9A90041u, 0xA9A90100u,
                                   0xA9A9FFFEu, 0xA9A9FFFFu, 0xFF000001u, 0x77770001u};
    acp_position place;
    memset(&place, 0, sizeof place);
    uint32_t kind = test_random_below(random, 10);
    uint32_t block = block_ids[test_random_below(random, blocks)];
    double middle_x = block == 0xA9A90000u || block == 0xA9AA0000u ? 186.0 : 6.0,
           middle_y = block < 0xAAA90001u && block > 0xA9A80000u && block != 0xA9AA0000u ? 186.0 : 6.0;
    double x = fmin(fmax(middle_x + test_random_in(random, -8, 8), 0.0), 191.9),
           y = fmin(fmax(middle_y + test_random_in(random, -8, 8), 0.0), 191.9);
    place = test_position(block | ((uint32_t)(x / 24.0) * 8u + (uint32_t)(y / 24.0) + 1u), x, y,
                          BODY_MAKER_GROUND + (kind < 6 ? 0.005 : test_random_in(random, -3, 12)));
    if (kind == 9) place.cell_id = odd[test_random_below(random, sizeof odd / sizeof odd[0])];
    if (kind == 8) place.frame.origin = any_vector(random, 400.0f);
    if (kind == 7) {
        double half = test_random_in(random, -3.2, 3.2);
        place.frame.rotation.w = (float)cos(half);
        place.frame.rotation.z = (float)sin(half);
        if (test_random_below(random, 6) == 0) place.frame.rotation.x = any_number(random, 2.0f);
    }
    return place;
}

/* ---- what is asked, of every world alike ---- */

static acp_result make(bench *b, uint32_t w, uint32_t slot, const acp_position *at, uint32_t kind, float number) {
    static const uint32_t states[] = {ACP_STATE_DEFAULT | ACP_STATE_REPORT_COLLISIONS,
                                      ACP_STATE_DEFAULT | ACP_STATE_REPORT_COLLISIONS | ACP_STATE_INELASTIC,
                                      ACP_STATE_DEFAULT | ACP_STATE_MISSILE | ACP_STATE_REPORT_COLLISIONS,
                                      ACP_STATE_DEFAULT | ACP_STATE_SLEDDING,
                                      ACP_STATE_DEFAULT | ACP_STATE_ETHEREAL,
                                      ACP_STATE_GRAVITY | ACP_STATE_ALIGN_PATH,
                                      0xFFFFFFFFu,
                                      0u};
    acp_body_definition definition = acp_body_definition_default();
    definition.object.position = *at;
    definition.object.state = states[kind % 8];
    definition.object.setup = kind % 11 == 10 ? NULL : b->makers[w]->human;
    definition.object.object_id = kind & 16u ? b->next_id : 0;
    definition.object.predicates = kind & 32u ? ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_FILLS_PROFILE : 0;
    definition.object.scale = kind & 64u ? number : 1.0f;
    definition.is_static = kind % 13 == 12;
    definition.has_movement_manager = kind & 1u;
    definition.velocity.x = number;
    definition.friction = number;
    definition.elasticity = number;
    memset(&b->bodies[w][slot], 0, sizeof b->bodies[w][slot]);
    return acp_body_create(b->makers[w]->world, &definition, &b->bodies[w][slot], NULL);
}

static acp_result change_block(bench *b, uint32_t w, uint32_t k) {
    acp_world *world = b->makers[w]->world;
    if (!b->away[w][k]) return acp_membership_retire(world, block_ids[k], &b->away[w][k], NULL);
    acp_result result = acp_membership_publish(world, b->away[w][k], NULL);
    if (result == ACP_OK) b->away[w][k] = NULL;
    return result;
}

static acp_result save(bench *b, uint32_t w) {
    acp_world *world = b->makers[w]->world;
    uint64_t size = 0;
    acp_result result = acp_world_state_size(world, &size);
    if (result != ACP_OK) return result;
    free(b->saved[w]);
    b->saved[w] = malloc((size_t)size);
    assert_non_null(b->saved[w]);
    return acp_world_save_state(world, b->saved[w], size, &b->saved_size[w]);
}

typedef struct request {
    uint32_t what, slot, other, word;
    acp_position place;
    acp_vec3 vector;
    float number;
    double dt;
} request;

static request any_request(test_random *random) {
    static const double times[] = {0.0, 1.0 / 30.0, 0.0002, 0.05, 0.2, 0.21, 1.9, 2.1, 1e9, 4e9, -1.0, NAN, INFINITY};
    request r;
    memset(&r, 0, sizeof r);
    r.what = test_random_below(random, 40);
    r.slot = test_random_below(random, slots);
    r.other = test_random_below(random, slots);
    r.word = test_random_u32(random);
    r.place = any_place(random);
    r.vector = any_vector(random, 8.0f);
    r.number = any_number(random, 1.5f);
    r.dt = test_random_below(random, 8) ? 1.0 / 30.0 : times[test_random_below(random, r.word % 16u ? 8 : 13)];
    return r;
}

/* `out_number`: what else came of it. */
static acp_result ask(bench *b, uint32_t w, const request *r, uint64_t *out_number) {
    body_maker *maker = b->makers[w];
    acp_world *world = maker->world;
    acp_object body = b->bodies[w][r->slot], other = b->bodies[w][r->other];
    uint32_t answer = 0;
    int32_t flag = 0;
    acp_result result = ACP_OK;
    *out_number = 0;
    switch (r->what) {
    case 0:
    case 1:
        if (acp_body_set_active(world, body, 1) == ACP_OK) return ACP_OK; /* the slot is in use */
        return make(b, w, r->slot, &r->place, r->word, r->number);
    case 2:
    case 3:
        result = acp_body_enter(world, maker->context, body, (int32_t)(r->word & 1u), &answer, NULL);
        *out_number = answer;
        return result;
    case 4:
        return r->word % 4 ? ACP_OK : acp_body_leave(world, body, NULL);
    case 5:
        return r->word % 4 ? ACP_OK : acp_object_destroy(world, body, NULL);
    case 6:
        return acp_body_set_parent(world, body, other, r->word % 8 ? 1 : r->word, NULL);
    case 7:
        return acp_body_unset_parent(world, body, NULL);
    case 8:
        return acp_body_set_velocity(world, body, r->vector);
    case 9:
        return acp_body_set_local_velocity(world, body, r->vector);
    case 10:
        return acp_body_set_omega(world, body, r->vector);
    case 11:
        return acp_body_jump(world, body, r->vector);
    case 12:
        return acp_body_set_friction(world, body, r->number);
    case 13:
        return acp_body_set_elasticity(world, body, r->number);
    case 14:
        return r->word % 4 ? ACP_OK : acp_body_set_scale(world, body, r->number);
    case 15:
        return acp_body_set_heading(world, body, r->number * 360.0f);
    case 16:
        return acp_body_set_movement_manager(world, body, (int32_t)(r->word & 1u));
    case 17:
        return acp_body_set_active(world, body, (int32_t)(r->word & 1u));
    case 18:
        return acp_body_set_state(world, body,
                                  r->word % 3 ? ACP_STATE_DEFAULT | (r->word & 0x4008u) : r->word & ~(uint32_t)ACP_STATE_STATIC);
    case 19:
        result = acp_body_set_ethereal(world, maker->context, body, (int32_t)(r->word & 1u), &flag, NULL);
        *out_number = (uint64_t)flag;
        return result;
    case 20:
    case 21:
        result = acp_body_teleport(world, maker->context, body, &r->place, &answer, NULL);
        *out_number = answer;
        return result;
    case 22:
        result = acp_body_force_position(world, maker->context, body, &r->place, &answer, NULL, NULL);
        *out_number = answer;
        return result;
    case 23:
        result = acp_body_move_or_teleport(world, maker->context, body, &r->place, (uint16_t)r->word, (int32_t)(r->word >> 16 & 1u),
                                           &answer, NULL);
        *out_number = answer;
        return result;
    case 24: {
        acp_placement placement = {.struct_size = sizeof placement, .flags = r->word & 0x330u, .position = r->place};
        placement.x_radius = r->vector.x;
        placement.y_radius = r->vector.y;
        placement.tries = r->word % 64 ? r->word % 5 : r->word;
        result = acp_body_place(world, maker->context, body, &placement, &answer, NULL);
        *out_number = answer;
        return result;
    }
    case 25:
        return acp_world_set_anchors(world, &r->place, r->word % 2, (int32_t)(r->word >> 1 & 1u));
    case 26:
        return r->word % 3 ? ACP_OK : change_block(b, w, r->other % blocks);
    case 27:
        return r->word % 8 ? ACP_OK : save(b, w);
    case 28:
        if (r->word % 16 || !b->saved[w]) return ACP_OK;
        return acp_world_restore_state(world, b->saved[w], b->saved_size[w], NULL);
    case 29: {
        acp_event events[16];
        result = acp_events_drain(world, events, r->word % 17, &answer, NULL);
        for (uint32_t i = 0; i < answer; ++i)
            *out_number = *out_number * 31u + events[i].kind + events[i].object_id + test_float_bits(events[i].velocity.x);
        return result;
    }
    default: {
        acp_step_report report;
        result = acp_world_step(world, maker->stepper, r->dt, &report, NULL);
        *out_number = (uint64_t)report.sub_step_count << 32 | report.sweep_count;
        return result;
    }
    }
}

static void check_bodies(const bench *b) {
    for (uint32_t slot = 0; slot < slots; ++slot) {
        acp_object_info info;
        acp_body_info body;
        if (acp_object_get_info(b->makers[0]->world, b->bodies[0][slot], &info) != ACP_OK) continue;
        assert_int_equal(acp_body_get_info(b->makers[0]->world, b->bodies[0][slot], &body), ACP_OK);
        const acp_vec3 *o = &info.position.frame.origin, *v = &body.velocity;
        assert_true(isfinite(o->x) && isfinite(o->y) && isfinite(o->z) && isfinite(v->x) && isfinite(v->y) && isfinite(v->z));
        assert_true(body.anchor_distance >= 0.0f);
    }
}

static void the_same_is_answered_and_nothing_breaks(void **state) {
    (void)state;
    bench b;
    memset(&b, 0, sizeof b);
    b.random.state = test_seed("misuse", 2626);
    for (uint32_t w = 0; w < worlds; ++w) {
        b.makers[w] = body_maker_new(worker_counts[w]);
        for (uint32_t k = 0; k < blocks; ++k)
            body_maker_block(b.makers[w], block_ids[k]);
        body_maker_install(b.makers[w]);
    }
    uint32_t answered[2] = {0, 0};
    for (uint32_t round = 0; round < rounds; ++round) {
        request r = any_request(&b.random);
        uint64_t numbers[worlds];
        acp_result results[worlds];
        ++b.next_id;
        for (uint32_t w = 0; w < worlds; ++w)
            results[w] = ask(&b, w, &r, &numbers[w]);
        ++answered[results[0] != ACP_OK];
        for (uint32_t w = 1; w < worlds; ++w) {
            assert_int_equal(results[0], results[w]);
            assert_true(numbers[0] == numbers[w]);
        }
        if (round % 8) continue;
        for (uint32_t w = 1; w < worlds; ++w)
            assert_true(acp_world_state_hash(b.makers[0]->world) == acp_world_state_hash(b.makers[w]->world));
        assert_int_equal(acp_membership_check(b.makers[round / 8 % worlds]->world, NULL), ACP_OK);
        check_bodies(&b);
    }
    assert_true(answered[0] > rounds / 4 && answered[1] > rounds / 20);
    for (uint32_t w = 0; w < worlds; ++w) {
        for (uint32_t slot = 0; slot < slots; ++slot)
            if (acp_object_destroy(b.makers[w]->world, b.bodies[w][slot], NULL) == ACP_OK) b.bodies[w][slot].index1 = 0;
        assert_int_equal(acp_membership_get_counters(b.makers[w]->world).pair_count, 0);
        for (uint32_t k = 0; k < blocks; ++k)
            acp_block_destroy(b.away[w][k]);
        free(b.saved[w]);
        body_maker_free(b.makers[w]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_is_answered_and_nothing_breaks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
