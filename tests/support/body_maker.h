/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_BODY_MAKER_H
#define ACP_TESTS_SUPPORT_BODY_MAKER_H

#include "tests/support/small_world.h"

/* Bodies for tests, and something that walks them. Everything belongs to the maker; failures fail the cmocka test. */
typedef struct body_maker {
    test_world *small;
    acp_world *world;
    acp_setup *human; /* two spheres (spec 07 PHO-5), one holding location, 1 */
    acp_stepper *stepper;
    acp_transition_context *context; /* the stepper's */
    /* What the walker does: metres per second along the own +y axis while it is on. Turned on by body_maker_walk. */
    float walk_speed[1024]; /* by handle slot */
    uint32_t teleported_count;
    uint32_t interpolated_count;
} body_maker;

body_maker *body_maker_new(uint32_t worker_count);
/* The same with all memory of world and stepper through `allocator` (null = the C library's). */
body_maker *body_maker_new_with(uint32_t worker_count, const acp_allocator *allocator);
void body_maker_free(body_maker *maker);

/* A flat block whose ground is at z = 20 (height index 10). */
#define BODY_MAKER_GROUND 20.0
void body_maker_block(body_maker *maker, uint32_t block_id);

/* A human body, not in the world. `state` 0: the default word. */
acp_object body_maker_create(body_maker *maker, acp_position at, uint32_t state, uint32_t predicates, uint32_t object_id,
                             uint32_t has_manager);
/* The same, entered; it must be placed. */
acp_object body_maker_enter(body_maker *maker, acp_position at, uint32_t state, uint32_t predicates, uint32_t object_id,
                            uint32_t has_manager);

/* Installs the walker's hooks. */
void body_maker_install(body_maker *maker);

acp_step_report body_maker_step(body_maker *maker, double dt);
/* `count` ticks of 1/30 s. */
void body_maker_run(body_maker *maker, uint32_t count);

acp_object_info body_maker_object(const body_maker *maker, acp_object object);
acp_body_info body_maker_body(const body_maker *maker, acp_object object);

/* Drains the queue; how many events of a kind there were. */
uint32_t body_maker_events(body_maker *maker, uint32_t kind);

#endif
