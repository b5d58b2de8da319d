/* SPDX-License-Identifier: MIT */
/* Bodies in time: the gate and the quanta (spec 07 PHO-6, PHO-7), falling, walking, being lost and found (D26, 09 POP-14), teleports (01
 * section 16, PHO-24), words (PHO-13, PHO-25), parents (PHO-27), the generator (D12), bad input. Expected values are the specification's or
 * plain arithmetic. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/body_maker.h"

#define HERE  0xA9B40025u /* the land cell of (100, 100) */
#define BLOCK 0xA9B40000u

static acp_position here(double x, double y, double z) { return test_position(HERE, x, y, z); }

/* ---- time ---- */

/* PHO-6 with the slack of a microsecond; time gathers. */
static void ticks_gather_time(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    assert_int_equal(body_maker_step(maker, 0.02).is_tick, 0);
    assert_int_equal(body_maker_step(maker, 0.02).is_tick, 1);
    assert_int_equal(body_maker_step(maker, 0.0).is_tick, 0);
    for (int i = 0; i < 1000; ++i)
        assert_int_equal(body_maker_step(maker, 1.0 / 30.0).is_tick, 1);
    assert_int_equal(acp_world_tick_count(maker->world), 1001);
    body_maker_free(maker);
}

/* The examples of PHO-7, one body, the update time before is 0. */
static void quanta_follow_the_rules(void **state) {
    (void)state;
    static const struct {
        double dt;
        uint32_t steps;
        double update_time;
    } rows[] = {{0.2, 1, 0.2},
                {0.21, 1, 0.2},
                {0.233, 1, 0.2},
                {0.2334, 2, 0.2334},
                {0.4, 2, 0.4},
                {0.5, 3, 0.5},
                {2.0, 10, 1.9999999999999998},
                {2.0001, 0, 2.0001}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        body_maker *maker = body_maker_new(1);
        body_maker_block(maker, BLOCK);
        acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
        assert_int_equal(body_maker_step(maker, rows[i].dt).sub_step_count, rows[i].steps);
        assert_true(body_maker_body(maker, object).update_time == rows[i].update_time);
        body_maker_free(maker);
    }
}

static void absurd_times_are_refused(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, 40), 0, 0, 0, 1);
    static const double bad[] = {-1.0, -1e-300, NAN, INFINITY, -INFINITY, 5e9};
    uint64_t before = acp_world_state_hash(maker->world);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        assert_true(acp_world_step(maker->world, maker->stepper, bad[i], NULL, NULL) < 0);
    assert_true(acp_world_state_hash(maker->world) == before);
    acp_object_info at = body_maker_object(maker, object);
    assert_int_equal(body_maker_step(maker, 1e9).sub_step_count, 0); /* forgotten, not simulated */
    acp_object_info then = body_maker_object(maker, object);
    assert_memory_equal(&at.position, &then.position, sizeof at.position);
    assert_int_equal(acp_world_step(NULL, maker->stepper, 0.1, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_world_step(maker->world, NULL, 0.1, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    body_maker_free(maker);
}

/* PHO-7: more than 96 m from every anchor it sleeps, and its time is lost; near again it wakes with none. */
static void far_bodies_sleep(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, 60), 0, 0, 0, 1);
    acp_position far = here(3.9, 100, 60), near = here(4.1, 100, 60);
    assert_int_equal(acp_world_set_anchors(maker->world, &far, 1, 1), ACP_OK);
    body_maker_run(maker, 10);
    assert_int_equal(body_maker_object(maker, object).transient_state & ACP_TRANSIENT_ACTIVE, 0);
    assert_true(body_maker_object(maker, object).position.frame.origin.z == 60.0f);
    acp_position both[2] = {near, far};
    assert_int_equal(acp_world_set_anchors(maker->world, both, 2, 1), ACP_OK);
    body_maker_run(maker, 2); /* wakes; then its first step only adds velocity */
    assert_int_not_equal(body_maker_object(maker, object).transient_state & ACP_TRANSIENT_ACTIVE, 0);
    assert_true(body_maker_object(maker, object).position.frame.origin.z == 60.0f);
    assert_true(body_maker_body(maker, object).velocity.z < -0.3f);
    assert_true(fabs((double)body_maker_body(maker, object).anchor_distance - 95.9) < 1e-4);
    assert_int_equal(acp_world_set_anchors(maker->world, &far, 1, 0), ACP_OK);
    body_maker_run(maker, 1); /* without culling anchors only wake */
    assert_int_not_equal(body_maker_object(maker, object).transient_state & ACP_TRANSIENT_ACTIVE, 0);
    body_maker_free(maker);
}

/* ---- falling and walking ---- */

/* From 10 m: v grows by g/30 a tick, so after n ticks the way is g/30/30 * n(n-1)/2 + half a tick's g for every tick but the first. */
static void a_dropped_body_falls_and_lands(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 10), ACP_STATE_DEFAULT | ACP_STATE_INELASTIC, 0, 7, 1);
    assert_int_equal(body_maker_object(maker, object).transient_state & ACP_TRANSIENT_CONTACT, 0);
    body_maker_run(maker, 20);
    double g = 9.8, q = 1.0 / 30.0, way = 0.0;
    for (int tick = 1; tick < 20; ++tick)
        way += g * q * tick * q + 0.5 * g * q * q;
    assert_true(fabs((double)body_maker_object(maker, object).position.frame.origin.z - (BODY_MAKER_GROUND + 10 - way)) < 1e-4);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_HIT_GROUND), 0);
    body_maker_run(maker, 100);
    uint32_t standing = ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_ON_WALKABLE;
    assert_int_equal(body_maker_object(maker, object).transient_state & standing, standing);
    assert_true(fabs((double)body_maker_object(maker, object).position.frame.origin.z - BODY_MAKER_GROUND) < 0.01);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_HIT_GROUND), 1);
    acp_body_info body = body_maker_body(maker, object);
    assert_true(body.contact.is_valid && body.contact.plane.normal.z == 1.0f && body.contact.cell_id == HERE);
    assert_true(body.acceleration.z == 0.0f);
    body_maker_free(maker);
}

static void a_walk_on_level_ground_keeps_its_height(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 20, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    body_maker_install(maker);
    body_maker_run(maker, 5);
    float z = body_maker_object(maker, object).position.frame.origin.z;
    maker->walk_speed[object.index1] = 3.0f;
    for (int tick = 0; tick < 900; ++tick) {
        body_maker_run(maker, 1);
        acp_object_info info = body_maker_object(maker, object);
        assert_true(info.position.frame.origin.z == z);
        assert_int_not_equal(info.transient_state & ACP_TRANSIENT_ON_WALKABLE, 0);
        if (info.position.frame.origin.y > 180.0f) break;
    }
    assert_true(body_maker_object(maker, object).position.frame.origin.y > 100.0f);
    assert_true(fabs((double)body_maker_body(maker, object).cached_velocity.y - 3.0) < 1e-3);
    body_maker_free(maker);
}

/* Without a movement manager a standing body goes to rest; with one it stays awake. */
static void standing_bodies_rest(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object plain = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 0);
    acp_object driven = body_maker_enter(maker, here(110, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    body_maker_run(maker, 30);
    assert_int_equal(body_maker_object(maker, plain).transient_state & ACP_TRANSIENT_ACTIVE, 0);
    assert_int_not_equal(body_maker_object(maker, driven).transient_state & ACP_TRANSIENT_ACTIVE, 0);
    assert_int_equal(body_maker_step(maker, 1.0 / 30.0).rested_count, 1);
    /* Off the ground without a velocity: gravity is back, and rest is over. */
    assert_int_equal(acp_body_jump(maker->world, driven, (acp_vec3){0.0f, 0.0f, 0.0f}), ACP_OK);
    assert_int_equal(body_maker_object(maker, driven).transient_state & ACP_TRANSIENT_ON_WALKABLE, 0);
    assert_int_equal(body_maker_step(maker, 1.0 / 30.0).rested_count, 0);
    assert_true(body_maker_body(maker, driven).velocity.z < -0.3f);
    assert_int_equal(acp_body_set_velocity(maker->world, plain, (acp_vec3){1.0f, 0.0f, 0.0f}), ACP_OK);
    assert_int_not_equal(body_maker_object(maker, plain).transient_state & ACP_TRANSIENT_ACTIVE, 0);
    body_maker_run(maker, 3);
    assert_true(body_maker_object(maker, plain).position.frame.origin.x > 100.01f);
    body_maker_free(maker);
}

static void a_jump_leaves_the_ground(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    uint32_t word = ACP_STATE_DEFAULT | ACP_STATE_INELASTIC; /* it does not bounce */
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), word, 0, 0, 1);
    body_maker_run(maker, 5);
    (void)body_maker_events(maker, 0);
    assert_int_equal(acp_body_set_heading(maker->world, object, 90.0f), ACP_OK);
    assert_int_equal(acp_body_jump(maker->world, object, (acp_vec3){0.0f, 2.0f, 7.0f}), ACP_OK);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_LEFT_GROUND), 1);
    float highest = 0.0f;
    for (int tick = 0; tick < 60; ++tick) {
        body_maker_run(maker, 1);
        float z = body_maker_object(maker, object).position.frame.origin.z;
        if (z > highest) highest = z;
    }
    assert_true(fabs((double)highest - (BODY_MAKER_GROUND + 0.005 + 7.0 * 7.0 / (2 * 9.8))) < 0.02);
    assert_true(body_maker_object(maker, object).position.frame.origin.x > 101.0f); /* its own +y was east */
    assert_int_equal(body_maker_events(maker, ACP_EVENT_HIT_GROUND), 1);
    body_maker_free(maker);
}

/* ---- lost and found ---- */

/* 01 section 16: over the edge into what is not resident. The label is right at once, and nothing marches. */
static void the_far_town_march_does_not_happen(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, 0xC95B0000u);
    acp_object object = body_maker_enter(maker, test_position(0xC95B0001u, 10, 0.6, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    body_maker_install(maker);
    assert_int_equal(acp_body_set_heading(maker->world, object, 180.0f), ACP_OK);
    maker->walk_speed[object.index1] = 11.0f;
    body_maker_run(maker, 2);
    acp_object_info info = body_maker_object(maker, object);
    assert_int_equal(info.position.cell_id, 0xC95A0008u);
    assert_int_equal(info.holder_cell_id, 0);
    assert_int_equal(body_maker_body(maker, object).is_lost, 1);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_LOST), 1);
    acp_position lost_at = info.position;
    body_maker_run(maker, 1000);
    info = body_maker_object(maker, object);
    assert_memory_equal(&info.position, &lost_at, sizeof lost_at); /* it waits where it is */
    assert_int_equal(body_maker_events(maker, ACP_EVENT_LOST_EXPIRED), 1);
    uint32_t rows = 0;
    assert_int_equal(acp_membership_object_cells(maker->world, object, NULL, 0, &rows), ACP_OK);
    assert_int_equal(rows, 0);
    body_maker_block(maker, 0xC95A0000u);
    body_maker_run(maker, 1);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_RETURNED), 1);
    info = body_maker_object(maker, object);
    assert_int_equal(info.holder_cell_id, 0xC95A0008u);
    assert_int_equal(body_maker_body(maker, object).is_lost, 0);
    assert_int_equal(acp_membership_check(maker->world, NULL), ACP_OK);
    body_maker_free(maker);
}

static void a_landblock_goes_and_comes_under_a_body(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    body_maker_run(maker, 3);
    acp_position stood = body_maker_object(maker, object).position;
    acp_block *block = NULL;
    assert_int_equal(acp_membership_retire(maker->world, BLOCK, &block, NULL), ACP_OK);
    acp_step_report report = body_maker_step(maker, 1.0 / 30.0);
    assert_int_equal(report.lost_count, 1);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_LOST), 1);
    assert_int_equal(body_maker_object(maker, object).transient_state & ACP_TRANSIENT_ACTIVE, 0);
    body_maker_run(maker, 30);
    assert_int_equal(acp_membership_publish(maker->world, block, NULL), ACP_OK);
    assert_int_equal(body_maker_object(maker, object).holder_cell_id, 0); /* until the next tick */
    assert_int_equal(body_maker_step(maker, 1.0 / 30.0).returned_count, 1);
    acp_object_info info = body_maker_object(maker, object);
    assert_int_equal(info.holder_cell_id, stood.cell_id);
    assert_true(fabs((double)info.position.frame.origin.z - (double)stood.frame.origin.z) < 0.02);
    assert_int_not_equal(info.transient_state & ACP_TRANSIENT_CONTACT, 0);
    body_maker_free(maker);
}

/* A placement finds no room when the place is taken: it stays out, and is told. */
static void a_return_may_be_refused(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    acp_block *block = NULL;
    assert_int_equal(acp_membership_retire(maker->world, BLOCK, &block, NULL), ACP_OK);
    body_maker_run(maker, 1);
    assert_int_equal(acp_membership_publish(maker->world, block, NULL), ACP_OK);
    test_world_box(maker->small, here(100, 100, BODY_MAKER_GROUND - 5), 60, 60, 30, ACP_STATE_STATIC | ACP_STATE_HAS_PHYSICS_BSP, 0);
    body_maker_run(maker, 1);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_RETURN_REFUSED), 1);
    assert_int_equal(body_maker_object(maker, object).holder_cell_id, 0);
    assert_int_equal(body_maker_body(maker, object).is_lost, 0);
    body_maker_run(maker, 10);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_RETURN_REFUSED), 0);
    body_maker_free(maker);
}

/* ---- teleports ---- */

static void a_teleport_idles(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    body_maker_block(maker, 0x12340000u);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    body_maker_install(maker);
    maker->walk_speed[object.index1] = 4.0f;
    body_maker_run(maker, 5);
    assert_int_equal(acp_body_set_velocity(maker->world, object, (acp_vec3){3.0f, 0.0f, 0.0f}), ACP_OK);
    acp_position there = test_position(0x12340001u, 5, 5, BODY_MAKER_GROUND + 0.005);
    uint32_t answer = 99;
    assert_int_equal(acp_body_teleport(maker->world, maker->context, object, &there, &answer, NULL), ACP_OK);
    assert_int_equal(answer, ACP_PLACED);
    assert_int_equal(maker->teleported_count, 1);
    acp_object_info arrived = body_maker_object(maker, object);
    assert_int_equal(arrived.position.cell_id, 0x12340001u);
    body_maker_run(maker, 300);
    acp_object_info later = body_maker_object(maker, object);
    assert_int_equal(later.position.cell_id, 0x12340001u);
    assert_memory_equal(&later.position.frame.origin, &arrived.position.frame.origin, 8); /* x and y to the bit */
    assert_int_equal(acp_membership_check(maker->world, NULL), ACP_OK);
    /* Into the void: accepted, lost, and no row left behind. */
    there = test_position(0x55550001u, 5, 5, 20);
    assert_int_equal(acp_body_teleport(maker->world, maker->context, object, &there, &answer, NULL), ACP_OK);
    assert_int_equal(answer, ACP_PLACED);
    assert_int_equal(body_maker_body(maker, object).is_lost, 1);
    assert_int_equal(acp_membership_get_counters(maker->world).pair_count, 0);
    body_maker_free(maker);
}

/* PHO-22, the examples and the steps. */
static void stamps_decide_about_server_positions(void **state) {
    (void)state;
    assert_true(acp_stamp_is_newer(5, 6) && !acp_stamp_is_newer(5, 5) && acp_stamp_is_newer(0xFFFF, 0) && !acp_stamp_is_newer(0, 0xFFFF));
    assert_true(acp_stamp_is_newer(0, 0x7FFF) && !acp_stamp_is_newer(0, 0x8000) && acp_stamp_is_newer(0x8000, 0));
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    body_maker_install(maker);
    acp_position to = here(105, 100, BODY_MAKER_GROUND + 0.005), anchor = here(110, 100, 20);
    uint32_t outcome = 99;
#define MOVE(stamp, contact)                                                                                                               \
    assert_int_equal(acp_body_move_or_teleport(maker->world, maker->context, object, &to, stamp, contact, &outcome, NULL), ACP_OK)
    MOVE(1, 0);
    assert_int_equal(outcome, ACP_MOVE_TELEPORTED);
    assert_true(body_maker_object(maker, object).position.frame.origin.x == 105.0f);
    to = here(107, 100, BODY_MAKER_GROUND + 0.005);
    MOVE(0, 1);
    assert_int_equal(outcome, ACP_MOVE_IGNORED); /* stale */
    MOVE(1, 0);
    assert_int_equal(outcome, ACP_MOVE_IGNORED); /* in the air */
    MOVE(1, 1);
    assert_int_equal(outcome, ACP_MOVE_PLACED); /* no anchor has been near */
    assert_true(body_maker_object(maker, object).position.frame.origin.x == 107.0f);
    assert_int_equal(acp_world_set_anchors(maker->world, &anchor, 1, 1), ACP_OK);
    body_maker_run(maker, 1);
    MOVE(1, 1);
    assert_int_equal(outcome, ACP_MOVE_INTERPOLATING);
    assert_int_equal(maker->interpolated_count, 1);
#undef MOVE
    body_maker_free(maker);
}

static void a_forced_position_keeps_heading_and_velocity(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    assert_int_equal(acp_body_set_heading(maker->world, object, 90.0f), ACP_OK);
    assert_int_equal(acp_body_set_velocity(maker->world, object, (acp_vec3){1.0f, 2.0f, 0.0f}), ACP_OK);
    acp_quaternion facing = body_maker_object(maker, object).position.frame.rotation;
    acp_position to = here(103, 104, BODY_MAKER_GROUND + 0.005);
    uint32_t answer;
    double distance = 0.0;
    assert_int_equal(acp_body_force_position(maker->world, maker->context, object, &to, &answer, &distance, NULL), ACP_OK);
    assert_true(fabs(distance - 5.0) < 0.01);
    acp_object_info info = body_maker_object(maker, object);
    assert_true(fabs((double)info.position.frame.rotation.w - (double)facing.w) < 1e-6);
    assert_true(fabs((double)info.position.frame.rotation.z - (double)facing.z) < 1e-6);
    assert_true(body_maker_body(maker, object).velocity.y == 2.0f);
    body_maker_free(maker);
}

/* ---- words ---- */

static void velocities_are_clamped_and_small_changes_ignored(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    acp_object object = body_maker_create(maker, here(100, 100, 30), 0, 0, 0, 0);
#define SET(x, y, z) assert_int_equal(acp_body_set_velocity(maker->world, object, (acp_vec3){x, y, z}), ACP_OK)
    SET(0.000199999995f, 0.0f, 0.0f); /* PHO-13: not greater than EPS */
    assert_true(body_maker_body(maker, object).velocity.x == 0.0f);
    SET(0.0003f, 0.0f, 0.0f);
    assert_true(body_maker_body(maker, object).velocity.x == 0.0003f);
    SET(60.0f, 80.0f, 0.0f);
    assert_true(body_maker_body(maker, object).velocity.x == 30.0000019f && body_maker_body(maker, object).velocity.y == 40.0f);
    SET(3e38f, -3e38f, 3e38f);
    assert_true(fabsf(body_maker_body(maker, object).velocity.x) < 30.0f);
#undef SET
    /* finite in its own axes, not in the landblock's: sin 45° + cos 45° is above 1 */
    acp_body_info before = body_maker_body(maker, object);
    assert_int_equal(acp_body_set_heading(maker->world, object, 45.0f), ACP_OK);
    assert_int_equal(acp_body_set_local_velocity(maker->world, object, (acp_vec3){FLT_MAX, FLT_MAX, 0.0f}), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_body_jump(maker->world, object, (acp_vec3){FLT_MAX, FLT_MAX, 0.0f}), ACP_ERROR_NOT_FINITE);
    acp_body_info after = body_maker_body(maker, object);
    assert_memory_equal(&before.velocity, &after.velocity, sizeof before.velocity);
    assert_int_equal(acp_body_set_velocity(maker->world, object, (acp_vec3){NAN, 0.0f, 0.0f}), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_body_set_omega(maker->world, object, (acp_vec3){0.0f, INFINITY, 0.0f}), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_body_set_friction(maker->world, object, 1.5f), ACP_OK);
    assert_true(body_maker_body(maker, object).friction == 0.95f);
    assert_int_equal(acp_body_set_friction(maker->world, object, 1.0f), ACP_OK);
    assert_true(body_maker_body(maker, object).friction == 1.0f);
    assert_int_equal(acp_body_set_elasticity(maker->world, object, 7.0f), ACP_OK);
    assert_true(body_maker_body(maker, object).elasticity == 0.1f);
    static const float bad_scales[] = {0.0f, -1.0f, 1001.0f};
    for (size_t i = 0; i < 3; ++i)
        assert_int_equal(acp_body_set_scale(maker->world, object, bad_scales[i]), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_body_set_scale(maker->world, object, NAN), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_body_set_scale(maker->world, object, 2.0f), ACP_OK);
    assert_true(body_maker_object(maker, object).scale == 2.0f);
    assert_int_equal(acp_object_destroy(maker->world, object, NULL), ACP_OK);
    assert_int_equal(acp_body_set_scale(maker->world, object, 2.0f), ACP_ERROR_STALE_HANDLE);
    acp_body_info info;
    assert_int_equal(acp_body_get_info(maker->world, object, &info), ACP_ERROR_STALE_HANDLE);
    body_maker_free(maker);
}

/* PHO-25: a hidden body stops reporting and being hit; shown, it reports again, whatever the sender's word said. */
static void hiding_changes_the_word(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, ACP_PREDICATE_GAME_OBJECT, 5, 0);
    acp_object child = body_maker_create(maker, here(0, 0, 0), 0, 0, 6, 0);
    assert_int_equal(acp_body_set_parent(maker->world, child, object, 1, NULL), ACP_OK);
    assert_int_equal(acp_body_set_state(maker->world, object, ACP_STATE_DEFAULT | ACP_STATE_HIDDEN), ACP_OK);
    uint32_t word = body_maker_object(maker, object).state;
    assert_int_equal(word & (ACP_STATE_HIDDEN | ACP_STATE_IGNORE_COLLISIONS), ACP_STATE_HIDDEN | ACP_STATE_IGNORE_COLLISIONS);
    assert_int_equal(word & ACP_STATE_REPORT_COLLISIONS, 0);
    assert_int_not_equal(body_maker_object(maker, child).state & ACP_STATE_NODRAW, 0);
    assert_int_equal(acp_body_set_state(maker->world, object, ACP_STATE_GRAVITY), ACP_OK);
    word = body_maker_object(maker, object).state;
    assert_int_equal(word & (ACP_STATE_HIDDEN | ACP_STATE_IGNORE_COLLISIONS), 0);
    assert_int_not_equal(word & ACP_STATE_REPORT_COLLISIONS, 0);
    assert_int_equal(body_maker_object(maker, child).state & ACP_STATE_NODRAW, 0);
    body_maker_free(maker);
}

static void a_door_does_not_close_on_a_body(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object standing = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    uint32_t open = ACP_STATE_DEFAULT | ACP_STATE_ETHEREAL;
    acp_object door = body_maker_enter(maker, here(100, 100.2, BODY_MAKER_GROUND + 0.005), open, 0, 0, 1);
    body_maker_run(maker, 3);
    int32_t is_granted = 1;
    assert_int_equal(acp_body_set_ethereal(maker->world, maker->context, door, 0, &is_granted, NULL), ACP_OK);
    assert_int_equal(is_granted, 0);
    assert_int_not_equal(body_maker_object(maker, door).transient_state & ACP_TRANSIENT_CHECK_ETHEREAL, 0);
    body_maker_run(maker, 10);
    assert_int_not_equal(body_maker_object(maker, door).state & ACP_STATE_ETHEREAL, 0);
    uint32_t answer;
    acp_position away = here(120, 100, BODY_MAKER_GROUND + 0.005);
    assert_int_equal(acp_body_teleport(maker->world, maker->context, standing, &away, &answer, NULL), ACP_OK);
    body_maker_run(maker, 2);
    assert_int_equal(body_maker_object(maker, door).state & ACP_STATE_ETHEREAL, 0);
    body_maker_free(maker);
}

/* OCD-15: who hangs on a parent is not asked. He is held a metre above the parent's feet, so his upper sphere (2.35 m) reaches into the
 * door above (2.675 m), which the parent's (1.35 m) does not. A body of its own as far below a door keeps it open. */
static void what_is_carried_lets_a_door_close(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    uint32_t open = ACP_STATE_DEFAULT | ACP_STATE_ETHEREAL;
    acp_object bearer = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND), 0, 0, 0, 1);
    acp_object carried = body_maker_create(maker, here(0, 0, 0), 0, 0, 0, 1);
    acp_object door = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 2.2), open, 0, 0, 1);
    assert_int_equal(acp_body_set_parent(maker->world, carried, bearer, 1, NULL), ACP_OK);
    int32_t is_granted = 0;
    assert_int_equal(acp_body_set_ethereal(maker->world, maker->context, door, 0, &is_granted, NULL), ACP_OK);
    assert_int_equal(is_granted, 1);
    (void)body_maker_enter(maker, here(112, 100, BODY_MAKER_GROUND + 2.0), 0, 0, 0, 1);
    acp_object other_door = body_maker_enter(maker, here(112, 100, BODY_MAKER_GROUND + 3.2), open, 0, 0, 1);
    assert_int_equal(acp_body_set_ethereal(maker->world, maker->context, other_door, 0, &is_granted, NULL), ACP_OK);
    assert_int_equal(is_granted, 0);
    body_maker_free(maker);
}

/* A child without a part array enters no cell (04 section 13) and takes its parent's rows as they are renewed (MEM-34). A move within a
 * cell labels direct children only (MEM-36), so the child of a child keeps the id 0, and when it is let go the rows (PHO-27): listed, and
 * nowhere. It keeps no door open (DIV-97), not even in the block whose id is as empty as its own, where it would stand 2 m above the ground
 * with its one sphere (radius 0.1) in the lower one of the door that hangs 1.9 m above the ground. */
static void who_is_nowhere_lets_a_door_close(void **state) {
    (void)state;
    static const uint32_t cells[2] = {HERE, 0x00000025u};
    for (uint32_t i = 0; i < 2; ++i) {
        body_maker *maker = body_maker_new(1);
        body_maker_block(maker, cells[i] & 0xFFFF0000u);
        acp_object bearer = body_maker_enter(maker, test_position(cells[i], 100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
        acp_object between = body_maker_create(maker, here(0, 0, 0), 0, 0, 0, 1), carried;
        acp_body_definition definition = acp_body_definition_default();
        assert_int_equal(acp_body_create(maker->world, &definition, &carried, NULL), ACP_OK);
        assert_int_equal(acp_body_set_parent(maker->world, between, bearer, 1, NULL), ACP_OK);
        assert_int_equal(acp_body_set_parent(maker->world, carried, between, 1, NULL), ACP_OK);
        body_maker_install(maker);
        maker->walk_speed[bearer.index1] = 3.0f;
        body_maker_run(maker, 10);
        assert_int_equal(acp_body_unset_parent(maker->world, carried, NULL), ACP_OK);
        acp_object_info info = body_maker_object(maker, carried);
        acp_cell_row row;
        uint32_t count = 0;
        assert_int_equal(acp_membership_object_cells(maker->world, carried, &row, 1, &count), ACP_OK);
        assert_int_equal(count, 1);
        assert_int_equal(row.cell_id, cells[i]);
        assert_int_equal(info.position.cell_id, 0);
        assert_int_equal(info.holder_cell_id, 0);
        assert_int_equal(acp_membership_check(maker->world, NULL), ACP_OK);
        acp_position away = test_position(cells[i], 112, 100, BODY_MAKER_GROUND + 0.005);
        uint32_t answer;
        assert_int_equal(acp_body_teleport(maker->world, maker->context, bearer, &away, &answer, NULL), ACP_OK);
        assert_int_equal(answer, ACP_PLACED);
        acp_position there = test_position(cells[i], 100, (double)info.position.frame.origin.y, BODY_MAKER_GROUND + 1.9);
        acp_object door = body_maker_enter(maker, there, ACP_STATE_DEFAULT | ACP_STATE_ETHEREAL, 0, 0, 1);
        assert_true(body_maker_object(maker, door).position.frame.origin.z == there.frame.origin.z); /* it hangs where it was put */
        int32_t is_granted = 0;
        assert_int_equal(acp_body_set_ethereal(maker->world, maker->context, door, 0, &is_granted, NULL), ACP_OK);
        assert_int_equal(is_granted, 1);
        body_maker_free(maker);
    }
}

/* ---- parents, removal ---- */

static void children_follow_and_rings_are_refused(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object a = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 1, 1);
    acp_object b = body_maker_enter(maker, here(120, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 2, 1);
    assert_int_equal(acp_body_set_parent(maker->world, a, a, 1, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_body_set_parent(maker->world, b, a, 9, NULL), ACP_ERROR_NOT_FOUND);
    assert_int_equal(acp_body_set_parent(maker->world, b, a, 1, NULL), ACP_OK);
    assert_int_equal(acp_body_set_parent(maker->world, a, b, 1, NULL), ACP_ERROR_INVALID_ARGUMENT);
    body_maker_install(maker);
    maker->walk_speed[a.index1] = 3.0f;
    maker->walk_speed[b.index1] = 30.0f; /* never asked: a child is not stepped, even awake */
    assert_int_equal(acp_body_set_active(maker->world, b, 1), ACP_OK);
    assert_int_equal(body_maker_step(maker, 1.0 / 30.0).sub_step_count, 1);
    body_maker_run(maker, 29);
    acp_object_info parent = body_maker_object(maker, a), child = body_maker_object(maker, b);
    assert_true(parent.position.frame.origin.y > 102.0f);
    assert_true(child.position.frame.origin.x == parent.position.frame.origin.x);
    assert_true(child.position.frame.origin.y == parent.position.frame.origin.y);
    assert_true(fabs((double)child.position.frame.origin.z - (double)parent.position.frame.origin.z - 1.0) < 1e-5);
    assert_int_equal(child.holder_cell_id, parent.holder_cell_id);
    uint32_t answer;
    assert_int_equal(acp_body_enter(maker->world, maker->context, b, 1, &answer, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_body_teleport(maker->world, maker->context, b, &parent.position, &answer, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_body_unset_parent(maker->world, b, NULL), ACP_OK);
    assert_int_equal(body_maker_object(maker, b).transient_state, 0);
    assert_int_equal(body_maker_object(maker, b).holder_cell_id, parent.holder_cell_id);
    assert_int_equal(acp_membership_check(maker->world, NULL), ACP_OK);
    body_maker_free(maker);
}

/* Two walk into each other; one goes while the report waits, later the other is told that the touch ended. */
static void removal_while_reports_wait(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    uint32_t reporting = ACP_STATE_DEFAULT | ACP_STATE_REPORT_COLLISIONS;
    acp_object a = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), reporting, ACP_PREDICATE_GAME_OBJECT, 1, 1);
    acp_object b = body_maker_enter(maker, here(100, 102, BODY_MAKER_GROUND + 0.005), reporting, ACP_PREDICATE_GAME_OBJECT, 2, 1);
    body_maker_install(maker);
    maker->walk_speed[a.index1] = 3.0f;
    body_maker_run(maker, 30);
    assert_int_equal(body_maker_body(maker, a).touch_count, 1);
    assert_int_equal(acp_object_destroy(maker->world, b, NULL), ACP_OK);
    acp_event event;
    uint32_t count = 0, told = 0;
    do {
        assert_int_equal(acp_events_drain(maker->world, &event, 1, &count, NULL), ACP_OK);
        told += count == 1 && event.kind == ACP_EVENT_HIT_OBJECT;
    } while (count == 1);
    assert_int_equal(told, 2);                                               /* each was told, the one that is gone too */
    assert_int_equal(acp_body_set_heading(maker->world, a, 180.0f), ACP_OK); /* only a move that is adopted looks at old partners */
    body_maker_run(maker, 45);
    assert_int_equal(body_maker_body(maker, a).touch_count, 0);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_TOUCH_ENDED), 1);
    acp_object c = body_maker_create(maker, here(0, 0, 0), 0, 0, 3, 0); /* the slot is used again */
    assert_int_equal(c.index1, b.index1);
    body_maker_run(maker, 3);
    body_maker_free(maker);
}

static void leaving_forgets_the_cell(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 1);
    body_maker_run(maker, 3);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_LEFT_GROUND), 0);
    assert_int_equal(acp_body_leave(maker->world, object, NULL), ACP_OK);
    acp_object_info info = body_maker_object(maker, object);
    assert_int_equal(info.position.cell_id, 0);
    assert_int_equal(info.holder_cell_id, 0);
    assert_int_equal(info.transient_state, 0);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_LEFT_GROUND), 1);
    assert_int_equal(acp_membership_get_counters(maker->world).pair_count, 0);
    body_maker_run(maker, 10);
    assert_int_equal(body_maker_events(maker, ACP_EVENT_LOST), 0);
    body_maker_free(maker);
}

/* ---- chance, doors ---- */

/* The generator with seed 1, computed with big integers from its definition: combined numbers over 2147483563. */
static void the_generator_is_the_clients(void **state) {
    (void)state;
    static const double numbers[] = {612850790.0, 544082547.0, 200722134.0, 1306737071.0, 1940080159.0, 420634462.0};
    acp_world *world;
    assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
    assert_int_equal(acp_world_seed_random(world, 1), ACP_OK);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        float value;
        assert_int_equal(acp_world_next_random(world, 0.0f, 1.0f, &value), ACP_OK);
        assert_true(value == (float)(numbers[i] / 2147483563.0));
    }
    assert_int_equal(acp_world_seed_random(world, 0), ACP_OK); /* counts as 1 */
    float value;
    assert_int_equal(acp_world_next_random(world, -1.0f, 1.0f, &value), ACP_OK);
    assert_true(value == (float)((double)(float)(numbers[0] / 2147483563.0) * 2.0 - 1.0));
    assert_int_equal(acp_world_next_random(world, NAN, 1.0f, &value), ACP_ERROR_NOT_FINITE);
    acp_world_destroy(world);
}

/* PHO-17: a scatter without a stream of its own uses the world's, two numbers a try. */
static void a_scatter_uses_the_worlds_stream(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_create(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 0);
    acp_placement placement;
    memset(&placement, 0, sizeof placement);
    placement.struct_size = (uint32_t)sizeof placement;
    placement.flags = ACP_PLACE_RANDOM_SCATTER;
    placement.position = here(100, 100, BODY_MAKER_GROUND + 0.005);
    placement.x_radius = placement.y_radius = 4.0f;
    placement.tries = 3;
    uint32_t answer = 99;
    assert_int_equal(acp_world_seed_random(maker->world, 1), ACP_OK);
    assert_int_equal(acp_body_place(maker->world, maker->context, object, &placement, &answer, NULL), ACP_OK);
    assert_int_equal(answer, ACP_PLACED);
    double x = 612850790.0 / 2147483563.0 * 2.0 - 1.0, y = 544082547.0 / 2147483563.0 * 2.0 - 1.0;
    acp_object_info info = body_maker_object(maker, object);
    assert_true(fabs((double)info.position.frame.origin.x - (100.0 + 4.0 * x)) < 1e-4);
    assert_true(fabs((double)info.position.frame.origin.y - (100.0 + 4.0 * y)) < 1e-4);
    placement.tries = 70000;
    assert_int_equal(acp_body_place(maker->world, maker->context, object, &placement, &answer, NULL), ACP_ERROR_OUT_OF_RANGE);
    body_maker_free(maker);
}

static void doors_refuse_what_is_no_number(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    body_maker_block(maker, BLOCK);
    acp_object object = body_maker_enter(maker, here(100, 100, BODY_MAKER_GROUND + 0.005), 0, 0, 0, 0);
    acp_position bad = here(100, NAN, 20);
    uint32_t answer;
    assert_int_equal(acp_body_teleport(maker->world, maker->context, object, &bad, &answer, NULL), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_body_force_position(maker->world, maker->context, object, &bad, &answer, NULL, NULL), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_world_set_anchors(maker->world, &bad, 1, 1), ACP_ERROR_NOT_FINITE);
    acp_body_definition definition = acp_body_definition_default();
    definition.velocity.y = NAN;
    acp_object other;
    uint32_t before = acp_world_object_count(maker->world);
    assert_int_equal(acp_body_create(maker->world, &definition, &other, NULL), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_world_object_count(maker->world), before);
    acp_stepper_options options = acp_stepper_options_default();
    acp_stepper *stepper = NULL;
    options.worker_count = 0;
    assert_int_equal(acp_stepper_create(&options, &stepper, NULL), ACP_ERROR_OUT_OF_RANGE);
    options.worker_count = 17;
    assert_int_equal(acp_stepper_create(&options, &stepper, NULL), ACP_ERROR_OUT_OF_RANGE);
    acp_position far = test_position(HERE, 3e38, -3e38, 3e38); /* DIV-93 */
    assert_int_equal(acp_body_teleport(maker->world, maker->context, object, &far, &answer, NULL), ACP_ERROR_OUT_OF_RANGE);
    far = test_position(HERE, 9e5, -9e5, 20); /* off the map: the client's rule, lost under no cell for ever */
    assert_int_equal(acp_body_teleport(maker->world, maker->context, object, &far, &answer, NULL), ACP_OK);
    assert_int_equal(body_maker_body(maker, object).is_lost, 1);
    assert_int_equal(body_maker_object(maker, object).position.cell_id, 0);
    body_maker_run(maker, 3);
    body_maker_free(maker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_gather_time),
        cmocka_unit_test(quanta_follow_the_rules),
        cmocka_unit_test(absurd_times_are_refused),
        cmocka_unit_test(far_bodies_sleep),
        cmocka_unit_test(a_dropped_body_falls_and_lands),
        cmocka_unit_test(a_walk_on_level_ground_keeps_its_height),
        cmocka_unit_test(standing_bodies_rest),
        cmocka_unit_test(a_jump_leaves_the_ground),
        cmocka_unit_test(the_far_town_march_does_not_happen),
        cmocka_unit_test(a_landblock_goes_and_comes_under_a_body),
        cmocka_unit_test(a_return_may_be_refused),
        cmocka_unit_test(a_teleport_idles),
        cmocka_unit_test(stamps_decide_about_server_positions),
        cmocka_unit_test(a_forced_position_keeps_heading_and_velocity),
        cmocka_unit_test(velocities_are_clamped_and_small_changes_ignored),
        cmocka_unit_test(hiding_changes_the_word),
        cmocka_unit_test(a_door_does_not_close_on_a_body),
        cmocka_unit_test(what_is_carried_lets_a_door_close),
        cmocka_unit_test(who_is_nowhere_lets_a_door_close),
        cmocka_unit_test(children_follow_and_rings_are_refused),
        cmocka_unit_test(removal_while_reports_wait),
        cmocka_unit_test(leaving_forgets_the_cell),
        cmocka_unit_test(the_generator_is_the_clients),
        cmocka_unit_test(a_scatter_uses_the_worlds_stream),
        cmocka_unit_test(doors_refuse_what_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
