/* SPDX-License-Identifier: MIT */
/* Bodies for tests: humans on flat blocks, a walker as root motion, ticks of 1/30 s. */
#include "tests/support/body_maker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/failing.h"

static acp_setup *make_human(void) {
    static const acp_sphere spheres[2] = {{{0.0f, 0.0f, 0.475f}, 0.48f}, {{0.0f, 0.0f, 1.35f}, 0.48f}};
    acp_holding_location holding;
    memset(&holding, 0, sizeof holding);
    holding.location_id = 1;
    holding.part_index = -1;
    holding.frame.rotation.w = 1.0f;
    holding.frame.origin.z = 1.0f;
    acp_setup_definition definition = acp_setup_definition_default();
    definition.flags = ACP_SETUP_ALLOWS_FREE_HEADING;
    definition.spheres = spheres;
    definition.sphere_count = 2;
    definition.holding_locations = &holding;
    definition.holding_location_count = 1;
    definition.step_up_height = 0.6f;
    definition.step_down_height = 1.5f;
    definition.radius = 0.679f;
    definition.height = 1.835f;
    acp_setup *setup = NULL;
    assert_int_equal(acp_setup_create(&definition, NULL, &setup, NULL), ACP_OK);
    return setup;
}

body_maker *body_maker_new(uint32_t worker_count) { return body_maker_new_with(worker_count, NULL); }

body_maker *body_maker_new_with(uint32_t worker_count, const acp_allocator *allocator) {
    body_maker *maker = calloc(1, sizeof *maker);
    assert_non_null(maker);
    maker->small = calloc(1, sizeof *maker->small);
    assert_non_null(maker->small);
    assert_int_equal(test_bare_world(allocator, &maker->small->world), ACP_OK);
    assert_int_equal(acp_terrain_create(NULL, NULL, &maker->small->terrain, NULL), ACP_OK);
    maker->world = maker->small->world;
    maker->human = make_human();
    acp_stepper_options options = acp_stepper_options_default();
    options.worker_count = worker_count;
    options.allocator = allocator;
    options.transition.allocator = allocator;
    assert_int_equal(acp_stepper_create(&options, &maker->stepper, NULL), ACP_OK);
    maker->context = acp_stepper_context(maker->stepper);
    return maker;
}

void body_maker_free(body_maker *maker) {
    acp_stepper_destroy(maker->stepper);
    test_world_free(maker->small);
    acp_setup_destroy(maker->human);
    free(maker);
}

void body_maker_block(body_maker *maker, uint32_t block_id) { test_world_block(maker->small, block_id, NULL, 10, 0, NULL, 0); }

acp_object body_maker_create(body_maker *maker, acp_position at, uint32_t state, uint32_t predicates, uint32_t object_id,
                             uint32_t has_manager) {
    acp_body_definition definition = acp_body_definition_default();
    definition.object.position = at;
    if (state) definition.object.state = state;
    definition.object.predicates = predicates;
    definition.object.object_id = object_id;
    definition.object.setup = maker->human;
    definition.has_movement_manager = has_manager;
    acp_object object;
    assert_int_equal(acp_body_create(maker->world, &definition, &object, NULL), ACP_OK);
    return object;
}

acp_object body_maker_enter(body_maker *maker, acp_position at, uint32_t state, uint32_t predicates, uint32_t object_id,
                            uint32_t has_manager) {
    acp_object object = body_maker_create(maker, at, state, predicates, object_id, has_manager);
    uint32_t answer = ACP_PLACE_GENERAL_FAILURE;
    assert_int_equal(acp_body_enter(maker->world, maker->context, object, 1, &answer, NULL), ACP_OK);
    assert_int_equal(answer, ACP_PLACED);
    return object;
}

static void walk(void *user, acp_world *world, acp_object object, float quantum, acp_frame *io_offset) {
    (void)world;
    const body_maker *maker = user;
    if (object.index1 < 1024) io_offset->origin.y += maker->walk_speed[object.index1] * quantum;
}

static void count_interpolation(void *user, acp_world *world, acp_object object, const acp_position *position) {
    (void)world;
    (void)object;
    (void)position;
    body_maker *maker = user;
    ++maker->interpolated_count;
}

/* A driver that idles on arrival. */
static void idle(void *user, acp_world *world, acp_object object) {
    (void)world;
    body_maker *maker = user;
    ++maker->teleported_count;
    if (object.index1 < 1024) maker->walk_speed[object.index1] = 0.0f;
}

void body_maker_install(body_maker *maker) {
    acp_locomotion locomotion = acp_locomotion_default();
    locomotion.user = maker;
    locomotion.is_independent = 1;
    locomotion.root_motion = walk;
    locomotion.interpolate = count_interpolation;
    locomotion.teleported = idle;
    assert_int_equal(acp_world_set_locomotion(maker->world, &locomotion), ACP_OK);
}

acp_step_report body_maker_step(body_maker *maker, double dt) {
    acp_step_report report;
    assert_int_equal(acp_world_step(maker->world, maker->stepper, dt, &report, NULL), ACP_OK);
    assert_int_equal(report.failed_count, 0);
    return report;
}

void body_maker_run(body_maker *maker, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        assert_int_equal(body_maker_step(maker, 1.0 / 30.0).is_tick, 1);
}

acp_object_info body_maker_object(const body_maker *maker, acp_object object) {
    acp_object_info info;
    assert_int_equal(acp_object_get_info(maker->world, object, &info), ACP_OK);
    return info;
}

acp_body_info body_maker_body(const body_maker *maker, acp_object object) {
    acp_body_info info;
    assert_int_equal(acp_body_get_info(maker->world, object, &info), ACP_OK);
    return info;
}

uint32_t body_maker_events(body_maker *maker, uint32_t kind) {
    acp_event events[64];
    uint32_t count = 0, found = 0;
    do {
        assert_int_equal(acp_events_drain(maker->world, events, 64, &count, NULL), ACP_OK);
        for (uint32_t i = 0; i < count; ++i)
            found += events[i].kind == kind;
    } while (count == 64);
    return found;
}
