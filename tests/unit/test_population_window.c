/* SPDX-License-Identifier: MIT */
/* Landblocks around anchors: what an update publishes and retires, in which order and how much of it; radius, hysteresis, several anchors,
 * everything; workers do not change the sequence; what was published by name stays; losses are told once; one player's window as the
 * client has it; every allocation refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "acphys/population.h"
#include "tests/support/failing.h"
#include "tests/support/village.h"

enum { SIDE = 5 };

typedef struct watch {
    uint32_t published[256];
    uint32_t published_count;
    uint32_t retired[256];
    uint32_t retired_count;
    acp_loss losses[16];
    uint32_t loss_count;
} watch;

static void note(void *user, uint32_t type, const void *record, uint32_t size) {
    watch *w = user;
    assert_true(size >= sizeof(acp_trace_landblock) || type >= ACP_TRACE_POPULATION_REFUSED);
    if (type == ACP_TRACE_POPULATION_PUBLISHED) w->published[w->published_count++ % 256u] = ((const acp_trace_landblock *)record)->block_id;
    if (type == ACP_TRACE_POPULATION_RETIRED) w->retired[w->retired_count++ % 256u] = ((const acp_trace_landblock *)record)->block_id;
}

static void note_loss(void *user, const acp_loss *loss) {
    watch *w = user;
    w->losses[w->loss_count++ % 16u] = *loss;
}

typedef struct stage {
    test_village village;
    acp_world *world;
    acp_population *population;
    watch seen;
    acp_trace_sink sink;
} stage;

static void open_stage(stage *s, acp_population_options *options) {
    memset(&s->seen, 0, sizeof s->seen);
    s->sink.user = &s->seen;
    s->sink.record = note;
    options->source = acp_dat_source_for_population(s->village.source);
    options->trace = &s->sink;
    options->on_loss = note_loss;
    options->user = &s->seen;
    acp_error error;
    assert_int_equal(acp_world_create(NULL, &s->world, NULL), ACP_OK);
    if (acp_population_create(s->world, options, &s->population, &error)) fail_msg("%s", error.message);
}

static uint32_t block(uint32_t x, uint32_t y) { return (TEST_VILLAGE_X + x) << 24 | (TEST_VILLAGE_Y + y) << 16; }

static acp_position at(uint32_t cell_id) {
    acp_position position = {cell_id, {{12, 12, 10}, {1, 0, 0, 0}}};
    return position;
}

static void set(stage *s, uint32_t anchor, uint32_t cell_id, uint32_t radius) {
    acp_position position = at(cell_id);
    assert_int_equal(acp_population_set_anchor(s->population, anchor, &position, radius, NULL), ACP_OK);
}

static acp_population_report update(stage *s) {
    acp_population_report report;
    assert_int_equal(acp_population_update(s->population, &report, NULL), ACP_OK);
    return report;
}

static acp_population_report settle(stage *s) {
    acp_population_report report;
    assert_int_equal(acp_population_settle(s->population, NULL, &report, NULL), ACP_OK);
    return report;
}

static void check_world(const acp_world *world) {
    acp_error error;
    if (acp_membership_check(world, &error)) fail_msg("%s", error.message);
}

static void around_an_anchor(void **state) {
    stage *s = *state;
    acp_population_options options = acp_population_options_default();
    options.budget = 4;
    options.hysteresis = 1;
    open_stage(s, &options);
    assert_ptr_equal(acp_world_population(s->world), s->population);
    /* Lookups ask the source what exists: nothing but the village. */
    assert_int_equal(acp_world_cell_status(s->world, block(0, 0) | 1u), ACP_CELL_NOT_RESIDENT);
    assert_int_equal(acp_world_cell_status(s->world, block(SIDE, 0) | 1u), ACP_CELL_NOT_IN_SOURCE);
    assert_int_equal(acp_world_cell_status(s->world, block(0, 0) | 0x102u), ACP_CELL_NOT_RESIDENT);
    assert_int_equal(acp_world_cell_status(s->world, block(0, 0) | 0x103u), ACP_CELL_NOT_IN_SOURCE);
    acp_population_report r = update(s);
    assert_int_equal(r.published + r.retired + r.waiting + r.resident, 0);
    set(s, 7, block(1, 1) | 1u, 1);
    r = update(s);
    assert_int_equal(r.published, 4);
    assert_int_equal(r.waiting, 5);
    assert_int_equal(s->seen.published[0], block(1, 1)); /* nearest first, then by id */
    assert_int_equal(s->seen.published[1], block(0, 0));
    assert_int_equal(s->seen.published[2], block(0, 1));
    r = settle(s);
    assert_int_equal(r.resident, 9);
    assert_int_equal(s->seen.published[8], block(2, 2));
    /* A step to the east: three come; the three in the west are within the hysteresis and stay. */
    set(s, 7, block(2, 1) | 9u, 1);
    r = settle(s);
    assert_int_equal(r.published, 3);
    assert_int_equal(r.retired, 0);
    assert_int_equal(r.resident, 12);
    /* To and fro nothing moves. */
    set(s, 7, block(1, 1) | 1u, 1);
    r = settle(s);
    set(s, 7, block(2, 1) | 1u, 1);
    r = settle(s);
    assert_int_equal(r.published + r.retired, 0);
    /* Another step: now they go, first, in ascending order, within the budget. */
    set(s, 7, block(3, 1) | 1u, 1);
    s->seen.retired_count = 0;
    r = update(s);
    assert_int_equal(r.retired, 3);
    assert_int_equal(r.published, 1);
    assert_int_equal(s->seen.retired[0], block(0, 0));
    assert_int_equal(s->seen.retired[2], block(0, 2));
    (void)settle(s);
    check_world(s->world);
    /* A second anchor keeps its own; a landblock by name stays until it goes by name. */
    set(s, 8, block(0, 4) | 1u, 0);
    assert_int_equal(acp_population_publish(s->population, block(0, 0), NULL), ACP_OK);
    r = settle(s);
    assert_true(acp_world_has_block(s->world, block(0, 4)));
    acp_population_remove_anchor(s->population, 7);
    r = settle(s);
    assert_int_equal(r.resident, 2);
    acp_population_remove_anchor(s->population, 8);
    r = settle(s);
    assert_int_equal(r.resident, 1);
    assert_true(acp_world_has_block(s->world, block(0, 0)));
    assert_int_equal(acp_population_retire(s->population, block(0, 0), NULL), ACP_OK);
    assert_int_equal(acp_population_retire(s->population, block(0, 0), NULL), ACP_ERROR_NOT_FOUND);
    assert_int_equal(acp_world_object_count(s->world), 0);
    /* Everything: there is no landblock but the village's. */
    set(s, 1, block(2, 2) | 1u, ACP_RADIUS_EVERYTHING);
    r = settle(s);
    assert_int_equal(r.resident, SIDE * SIDE);
    assert_int_equal(s->seen.loss_count, 0);
    check_world(s->world);
    /* Ends with everything retired, the world stays. */
    acp_population_destroy(s->population);
    assert_int_equal(acp_world_block_count(s->world), 0);
    assert_int_equal(acp_world_object_count(s->world), 0);
    assert_null(acp_world_population(s->world));
    assert_int_equal(acp_world_cell_status(s->world, block(SIDE, 0) | 1u), ACP_CELL_NOT_RESIDENT);
    acp_world_destroy(s->world);
}

/* The same walk with any number of workers publishes and retires the same landblocks at the same updates. */
static uint32_t walk(stage *s, uint32_t workers, uint32_t *log, uint32_t capacity) {
    acp_population_options options = acp_population_options_default();
    options.worker_count = workers;
    options.budget = 2;
    options.prepared_limit = 3;
    options.hysteresis = 0;
    open_stage(s, &options);
    uint32_t count = 0;
    for (uint32_t tick = 0; tick < 60; tick++) {
        if (tick % 5u == 0) set(s, 1, block(tick / 5u % SIDE, tick / 7u % SIDE) | 1u, 1);
        acp_population_report r = update(s);
        assert_true(count + 4u <= capacity);
        log[count++] = r.published;
        log[count++] = r.retired;
        log[count++] = r.waiting;
        log[count++] = s->seen.published[(s->seen.published_count + 255u) % 256u];
    }
    check_world(s->world);
    acp_world_destroy(s->world); /* with its population, workers and what they have prepared */
    return count;
}

static void workers_change_nothing(void **state) {
    stage *s = *state;
    static uint32_t alone[256], with[256];
    uint32_t count = walk(s, 0, alone, 256);
    for (uint32_t workers = 1; workers <= 3; workers++) {
        assert_int_equal(walk(s, workers, with, 256), count);
        assert_memory_equal(alone, with, count * sizeof *alone);
    }
    /* Who does not wait gets there as well, sooner or later. */
    acp_population_options options = acp_population_options_default();
    options.worker_count = 2;
    options.is_not_waiting = 1;
    options.budget = 0;
    open_stage(s, &options);
    set(s, 1, block(2, 2) | 1u, 2);
    acp_population_report r = settle(s);
    assert_int_equal(r.resident, SIDE * SIDE);
    check_world(s->world);
    acp_world_destroy(s->world);
}

/* ------------------------------------------------------------------------------------------------------------- a source of one's own */

typedef struct own_source {
    acp_setup *setup;
    uint32_t refused; /* this landblock cannot be had */
    uint32_t made;
} own_source;

static acp_result prepare_own(void *user, uint32_t block_id, const acp_allocator *allocator, acp_landblock **out_landblock,
                              acp_error *error) {
    own_source *own = user;
    if (block_id == own->refused) return ACP_ERROR_BAD_DATA;
    acp_land_block land;
    memset(&land, 0, sizeof land);
    acp_static_definition statics[3];
    memset(statics, 0, sizeof statics);
    for (uint32_t i = 0; i < 3; i++) {
        statics[i].kind = i == 2 ? ACP_STATIC_LANDBLOCK : ACP_STATIC_SCENERY;
        statics[i].setup = own->setup;
        statics[i].model_id = 100u + i;
        statics[i].frame.origin = (acp_vec3){30.0f * (float)(i + 1u), 40, 0};
        statics[i].frame.rotation.w = 1;
    }
    statics[1].frame.origin.x = 200; /* not in this landblock */
    acp_landblock_definition d = acp_landblock_definition_default();
    d.block.block_id = block_id;
    d.land = &land;
    d.statics = statics;
    d.static_count = 3;
    own->made++;
    return acp_landblock_create(&d, allocator, out_landblock, error);
}

static void from_anywhere(void **state) {
    (void)state;
    own_source own = {NULL, 0x41400000u, 0};
    acp_setup_definition definition = acp_setup_definition_default();
    acp_cylsphere post = {{0, 0, 0}, 0.5f, 2};
    definition.cylspheres = &post;
    definition.cylsphere_count = 1;
    assert_int_equal(acp_setup_create(&definition, NULL, &own.setup, NULL), ACP_OK);
    stage s;
    memset(&s, 0, sizeof s);
    acp_population_options options = acp_population_options_default();
    options.source.user = &own;
    options.source.prepare = prepare_own;
    options.on_loss = note_loss;
    options.user = &s.seen;
    assert_int_equal(acp_world_create(NULL, &s.world, NULL), ACP_OK);
    assert_int_equal(acp_population_create(s.world, &options, &s.population, NULL), ACP_OK);
    acp_population *second = NULL;
    assert_int_equal(acp_population_create(s.world, &options, &second, NULL), ACP_ERROR_DUPLICATE);
    set(&s, 1, 0x40400001u, 1);
    acp_population_report r = settle(&s);
    assert_int_equal(r.resident, 8);
    assert_int_equal(r.refused, 1);
    assert_int_equal(acp_world_object_count(s.world), 16);
    assert_int_equal(s.seen.loss_count, 9); /* one static out of place in each, and the landblock that cannot be had */
    const acp_landblock *landblock = acp_landblock_find(s.world, 0x40400001u);
    acp_landblock_info info;
    acp_landblock_get_info(landblock, &info);
    assert_int_equal(info.landblock_static_count, 1);
    assert_int_equal(info.scenery_count, 1);
    assert_int_equal(info.loss_count, 1);
    acp_object_info object; /* the landblock's own object comes before scenery, though it was given last */
    assert_int_equal(acp_object_get_info(s.world, acp_landblock_static(s.world, landblock, 0), &object), ACP_OK);
    assert_true(object.position.frame.origin.x == 90.0f);
    assert_int_equal(acp_landblock_static(s.world, landblock, 2).index1, 0);
    /* Away and back: nothing is told twice; what was refused is tried again, and had. */
    set(&s, 1, 0x60600001u, 0);
    (void)settle(&s);
    assert_int_equal(s.seen.loss_count, 10);
    own.refused = 0;
    set(&s, 1, 0x40400001u, 1);
    r = settle(&s);
    assert_int_equal(r.resident, 9);
    assert_int_equal(r.refused, 0);
    assert_int_equal(s.seen.loss_count, 11); /* the static of the landblock that was refused before */
    /* Refusals of the door. */
    acp_position bad = at(0x40400001u);
    assert_int_equal(acp_population_set_anchor(s.population, 2, &bad, 13, NULL), ACP_ERROR_OUT_OF_RANGE);
    bad.cell_id = 0x40400041u;
    assert_int_equal(acp_population_set_anchor(s.population, 2, &bad, 1, NULL), ACP_ERROR_INVALID_ID);
    bad = at(0x40400001u);
    bad.frame.origin.x /= 0.0f;
    assert_int_equal(acp_population_set_anchor(s.population, 2, &bad, 1, NULL), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_population_edit(s.population, NULL, 0, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    acp_world_destroy(s.world);
    acp_setup_destroy(own.setup);
}

enum { LOSSES = 200 };

/* A landblock of which nothing has a place. */
static acp_result prepare_losses(void *user, uint32_t block_id, const acp_allocator *allocator, acp_landblock **out_landblock,
                                 acp_error *error) {
    acp_land_block land;
    memset(&land, 0, sizeof land);
    acp_static_definition statics[LOSSES];
    memset(statics, 0, sizeof statics);
    for (uint32_t i = 0; i < LOSSES; i++) {
        statics[i].kind = ACP_STATIC_SCENERY;
        statics[i].setup = user;
        statics[i].frame.origin.x = 200;
        statics[i].frame.rotation.w = 1;
    }
    acp_landblock_definition d = acp_landblock_definition_default();
    d.block.block_id = block_id;
    d.land = &land;
    d.statics = statics;
    d.static_count = LOSSES;
    return acp_landblock_create(&d, allocator, out_landblock, error);
}

static void count_losses(void *user, const acp_loss *loss) {
    assert_int_equal(loss->kind, ACP_LOSS_STATIC_PLACE);
    ++*(uint32_t *)user;
}

static void *measured_allocate(void *user, size_t size, size_t alignment) {
    if (size > *(size_t *)user) *(size_t *)user = size;
    return acp_allocator_system().allocate(NULL, size, alignment);
}

static void measured_free(void *user, void *memory, size_t size, size_t alignment) {
    (void)user;
    acp_allocator_system().free_memory(NULL, memory, size, alignment);
}

/* Tens of thousands of losses, each told once however often its landblock comes back; what remembers them is no table of them all. */
static void many_losses(void **state) {
    (void)state;
    acp_setup_definition definition = acp_setup_definition_default();
    acp_cylsphere post = {{0, 0, 0}, 0.5f, 2};
    definition.cylspheres = &post;
    definition.cylsphere_count = 1;
    acp_setup *setup = NULL;
    assert_int_equal(acp_setup_create(&definition, NULL, &setup, NULL), ACP_OK);
    stage s;
    memset(&s, 0, sizeof s);
    size_t largest = 0;
    uint32_t told = 0;
    acp_allocator allocator = {&largest, measured_allocate, measured_free};
    acp_population_options options = acp_population_options_default();
    options.source.user = setup;
    options.source.prepare = prepare_losses;
    options.allocator = &allocator;
    options.on_loss = count_losses;
    options.user = &told;
    assert_int_equal(acp_world_create(NULL, &s.world, NULL), ACP_OK);
    assert_int_equal(acp_population_create(s.world, &options, &s.population, NULL), ACP_OK);
    for (uint32_t round = 0; round < 3u; round++) {
        set(&s, 1, 0x40400001u, 8);
        assert_int_equal(settle(&s).resident, 17 * 17);
        assert_int_equal(told, 17u * 17u * LOSSES);
        acp_population_remove_anchor(s.population, 1);
        assert_int_equal(settle(&s).resident, 0);
    }
    assert_true(largest <= 65536u);
    acp_world_destroy(s.world);
    acp_setup_destroy(setup);
}

/* --------------------------------------------------------------------------------------------------------------- one player's window */

static void as_the_client_has_it(void **state) {
    stage *s = *state;
    acp_population_options options = acp_population_options_default();
    options.residency = ACP_RESIDENCY_RETAIL;
    open_stage(s, &options);
    /* Landblock (1, 1) is number 6 of the village: its house stands at (100, 2.5), 40 m east and 57.5 m south of the sample's place. */
    const uint32_t home = block(1, 1);
    set(s, 1, home | 1u, 0);
    acp_population_report r = update(s);
    assert_int_equal(r.resident, 9); /* full detail is 3 x 3 (WM-23a) */
    assert_int_equal(acp_world_block_count(s->world), 9);
    uint32_t count = 0;
    for (uint32_t cell = acp_world_next_cell(s->world, 0); cell; cell = acp_world_next_cell(s->world, cell))
        count++;
    assert_int_equal(count, 9 * (64 + 3)); /* the building's stab list names all three rooms */
    check_world(s->world);
    /* A step within the landblock loads nothing. */
    s->seen.published_count = 0;
    set(s, 1, home | 2u, 0);
    r = update(s);
    assert_int_equal(r.published + r.retired, 0);
    /* Into the hall, which sees outside: everything stays. */
    acp_position inside = at(home | 0x100u);
    inside.frame.origin = (acp_vec3){100, 5, 10};
    assert_int_equal(acp_population_set_anchor(s->population, 1, &inside, 0, NULL), ACP_OK);
    r = update(s);
    assert_int_equal(r.resident, 9);
    assert_true(acp_world_cell_status(s->world, home | 1u) == ACP_CELL_RESIDENT);
    /* Down into the cellar, which does not: the whole landscape goes, its stab list stays. */
    inside.cell_id = home | 0x102u;
    assert_int_equal(acp_population_set_anchor(s->population, 1, &inside, 0, NULL), ACP_OK);
    r = update(s);
    assert_int_equal(r.resident, 1);
    assert_int_equal(acp_world_cell_status(s->world, home | 1u), ACP_CELL_NOT_RESIDENT);
    assert_int_equal(acp_world_cell_status(s->world, home | 0x103u), ACP_CELL_NOT_IN_SOURCE);
    count = 0;
    for (uint32_t cell = acp_world_next_cell(s->world, 0); cell; cell = acp_world_next_cell(s->world, cell))
        count++;
    assert_int_equal(count, 3);
    assert_int_equal(acp_world_object_count(s->world), 1); /* the crate of the chamber */
    check_world(s->world);
    /* A second player there is none. */
    acp_position other = at(home | 1u);
    assert_int_equal(acp_population_set_anchor(s->population, 2, &other, 0, NULL), ACP_ERROR_LIMIT);
    /* Out again. */
    set(s, 1, block(0, 0) | 1u, 0);
    r = update(s);
    assert_int_equal(r.resident, 4); /* the village ends there */
    check_world(s->world);
    acp_world_destroy(s->world);
}

/* ------------------------------------------------------------------------------------------------------------------ every allocation */

static acp_result live_once(void *user, const acp_allocator *allocator) {
    stage *s = user;
    acp_world *world = NULL;
    acp_result result = test_bare_world(allocator, &world);
    if (result != ACP_OK) return result;
    acp_population_options options = acp_population_options_default();
    options.source = acp_dat_source_for_population(s->village.source);
    options.allocator = allocator;
    acp_population *population = NULL;
    result = acp_population_create(world, &options, &population, NULL);
    acp_position position = at(block(1, 1) | 1u);
    if (result == ACP_OK) result = acp_population_set_anchor(population, 1, &position, 0, NULL);
    if (result == ACP_OK) result = acp_population_settle(population, NULL, NULL, NULL);
    position.cell_id = block(3, 1) | 1u;
    if (result == ACP_OK) result = acp_population_set_anchor(population, 1, &position, 0, NULL);
    if (result == ACP_OK) result = acp_population_settle(population, NULL, NULL, NULL);
    check_world(world);
    acp_world_destroy(world);
    return result;
}

static void every_allocation(void **state) { assert_true(test_fail_every_allocation(live_once, *state) > 50); }

static int open_all(void **state) {
    static stage s;
    test_village_open(&s.village, SIDE, NULL);
    *state = &s;
    return 0;
}

static int close_all(void **state) {
    test_village_close(&((stage *)*state)->village);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(around_an_anchor),     cmocka_unit_test(workers_change_nothing),
                                       cmocka_unit_test(from_anywhere),        cmocka_unit_test(many_losses),
                                       cmocka_unit_test(as_the_client_has_it), cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
