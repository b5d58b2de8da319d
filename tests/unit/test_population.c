/* SPDX-License-Identifier: MIT */
/* Landblocks with everything in them (spec 09): the worked house of spec 11 is published out of two containers, its crate and barrel stand
 * in the cells that house_expect.json lists, retiring leaves nothing, replacing is one step, and what is missing does what POP-16 says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "acphys/population.h"
#include "population/landblock.h"
#include "tests/support/failing.h"
#include "tests/support/house.h"
#include "world/world.h"

#define BLOCK 0x12340000u

typedef struct house {
    acp_dat *portal;
    acp_dat *cell;
    acp_dat_source *source;
    uint32_t told[16]; /* losses told by the source, by kind */
} house;

static void count_loss(void *user, const acp_loss *loss) { ((house *)user)->told[loss->kind]++; }

static void open_house(house *h, uint32_t mode, const test_record *others, uint32_t count) {
    memset(h, 0, sizeof *h);
    h->portal = test_house_dat(ACP_DAT_PORTAL, others, count);
    h->cell = test_house_dat(ACP_DAT_CELL, others, count);
    acp_dat_source_options options = acp_dat_source_options_default();
    options.mode = mode;
    options.has_scenery = 0;
    options.on_loss = count_loss;
    options.user = h;
    acp_error error;
    if (acp_dat_source_create(h->portal, h->cell, &options, &h->source, &error)) fail_msg("%s: %s", error.operation, error.message);
}

static void close_house(house *h) {
    acp_dat_source_destroy(h->source);
    acp_dat_close(h->portal);
    acp_dat_close(h->cell);
}

static acp_landblock *prepare(house *h) {
    acp_landblock *landblock = NULL;
    acp_error error;
    acp_error_clear(&error);
    if (acp_dat_source_prepare(h->source, BLOCK, NULL, &landblock, &error)) fail_msg("%s: %s", error.operation, error.message);
    return landblock;
}

static void check_world(const acp_world *world) {
    acp_error error;
    if (acp_membership_check(world, &error)) fail_msg("%s", error.message);
}

/* The cells of the static `i` of a landblock are exactly these, in order. */
static void expect_cells(const acp_world *world, const acp_landblock *landblock, uint32_t i, const uint32_t *cells, uint32_t count) {
    acp_cell_row rows[16];
    uint32_t found = 0;
    assert_int_equal(acp_membership_object_cells(world, landblock->objects[i], rows, 16, &found), ACP_OK);
    assert_int_equal(found, count);
    for (uint32_t k = 0; k < count; k++) {
        assert_int_equal(rows[k].cell_id, cells[k]);
        assert_true(rows[k].is_resident);
    }
}

static void the_house_stands(void **state) {
    (void)state;
    house h;
    open_house(&h, ACP_CONTENT_LENIENT, NULL, 0);
    assert_int_equal(h.told[ACP_LOSS_REGION], 1); /* the samples of the house have none: default heights */
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_world *world = NULL;
    assert_int_equal(test_bare_world(&allocator, &world), ACP_OK);
    acp_landblock *landblock = prepare(&h);
    acp_landblock_info info;
    acp_landblock_get_info(landblock, &info);
    assert_int_equal(info.block_id, BLOCK);
    assert_int_equal(info.env_cell_count, 3);
    assert_int_equal(info.building_count, 1);
    assert_int_equal(info.landblock_static_count, 1);
    assert_int_equal(info.env_cell_static_count, 1);
    assert_int_equal(info.scenery_count, 0);
    assert_int_equal(info.visible_count, 3); /* stabs 0100 0101 0102 */
    assert_int_equal(info.loss_count, 0);
    assert_int_equal(info.is_resident, 0);
    acp_error error;
    assert_int_equal(acp_landblock_publish(world, landblock, &error), ACP_OK);
    check_world(world);
    acp_landblock_get_info(landblock, &info);
    assert_int_equal(info.is_resident, 1);
    assert_ptr_equal(acp_landblock_find(world, 0x12340102u), landblock);
    assert_int_equal(acp_world_object_count(world), 2);
    /* O2, the barrel on the lawn; O1, the crate of the chamber. */
    static const uint32_t barrel[] = {0x12340013u, 0x12340100u}, crate[] = {0x12340101u, 0x12340100u};
    expect_cells(world, landblock, 0, barrel, 2);
    expect_cells(world, landblock, 1, crate, 2);
    acp_object_info object;
    assert_int_equal(acp_object_get_info(world, landblock->objects[0], &object), ACP_OK);
    assert_int_equal(object.state, ACP_STATE_DEFAULT | ACP_STATE_STATIC);
    assert_int_equal(object.holder_cell_id, 0x12340013u);
    assert_int_equal(acp_object_get_info(world, landblock->objects[1], &object), ACP_OK);
    assert_int_equal(object.state, ACP_STATE_DEFAULT | ACP_STATE_STATIC | ACP_STATE_HAS_PHYSICS_BSP);
    assert_int_equal(object.holder_cell_id, 0x12340101u);
    /* Twice the same, and by the floor below, is refused. */
    acp_landblock *second = prepare(&h);
    assert_int_equal(acp_landblock_publish(world, second, &error), ACP_ERROR_DUPLICATE);
    assert_int_equal(acp_landblock_publish(world, landblock, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_membership_retire(world, BLOCK, NULL, &error), ACP_ERROR_INVALID_ARGUMENT);
    acp_landblock_destroy(second);
    check_world(world);
    assert_int_equal(acp_landblock_retire(world, BLOCK | 1u, &error), ACP_OK);
    assert_int_equal(acp_landblock_retire(world, BLOCK | 1u, &error), ACP_ERROR_NOT_FOUND);
    assert_int_equal(acp_world_object_count(world), 0);
    check_world(world);
    acp_membership_counters counters = acp_membership_get_counters(world);
    assert_int_equal(counters.pair_count + counters.pair_bytes + counters.head_bytes + counters.dependency_bytes, 0);
    /* Destroying a world takes its landblocks along. */
    assert_int_equal(acp_landblock_publish(world, prepare(&h), &error), ACP_OK);
    acp_world_destroy(world);
    assert_int_equal(counting.counters.bytes_in_use, 0);
    close_house(&h);
}

/* A host's object at the front door: leaves with the house and comes back with it. */
static void a_guest_waits_for_the_house(void **state) {
    (void)state;
    house h;
    open_house(&h, ACP_CONTENT_LENIENT, NULL, 0);
    acp_world *world = NULL;
    assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
    acp_object_definition d = acp_object_definition_default();
    d.object_id = 77;
    d.position.cell_id = 0x12340101u;
    d.position.frame.origin = (acp_vec3){59.75f, 61.5f, 10.5f};
    assert_int_equal(acp_dat_source_get_setup(h.source, 0x01000101u, &d.setup, NULL), ACP_OK);
    acp_object guest;
    assert_int_equal(acp_object_create(world, &d, &guest, NULL), ACP_OK);
    assert_int_equal(acp_membership_register(world, guest, NULL), ACP_OK);
    for (int round = 0; round < 3; round++) {
        acp_object_info info;
        assert_int_equal(acp_object_get_info(world, guest, &info), ACP_OK);
        assert_int_equal(info.holder_cell_id, 0);
        assert_int_equal(acp_landblock_publish(world, prepare(&h), NULL), ACP_OK);
        check_world(world);
        assert_int_equal(acp_object_get_info(world, guest, &info), ACP_OK);
        assert_int_equal(info.holder_cell_id, 0x12340101u);
        acp_cell_row rows[4];
        uint32_t count = 0;
        assert_int_equal(acp_membership_object_cells(world, guest, rows, 4, &count), ACP_OK);
        assert_int_equal(count, 2); /* O1 again, dynamic: a BSP goes by its boxes */
        acp_object standing[8];
        assert_int_equal(acp_membership_cell_objects(world, 0x12340101u, standing, 8, &count), ACP_OK);
        assert_int_equal(count, 2);
        assert_int_equal(standing[1].index1, guest.index1); /* statics stand first */
        if (round == 1) {                                   /* another house in the place of this one: the guest stays */
            assert_int_equal(acp_landblock_replace(world, prepare(&h), NULL), ACP_OK);
            check_world(world);
            assert_int_equal(acp_world_object_count(world), 3);
            assert_int_equal(acp_object_get_info(world, guest, &info), ACP_OK);
            assert_int_equal(info.holder_cell_id, 0x12340101u);
        }
        assert_int_equal(acp_landblock_retire(world, BLOCK, NULL), ACP_OK);
        check_world(world);
    }
    acp_world_destroy(world);
    close_house(&h);
}

/* ---------------------------------------------------------------------------------------------------------------------- POP-16 */

typedef struct missing_row {
    test_record change;
    uint32_t damage_at; /* byte of the record's own sample set to 0xFF; 0 = none */
    uint32_t loss;      /* kind expected; 0 = the landblock does not load */
    uint32_t times;
    uint32_t env_cells, buildings, objects;
} missing_row;

static void what_is_missing(void **state) {
    (void)state;
    static const missing_row rows[] = {
        {{ACP_DAT_CELL, 0x1234FFFEu, NULL, 0}, 0, 0, 0, 0, 0, 0},                         /* announced info */
        {{ACP_DAT_CELL, 0x12340102u, NULL, 0}, 0, ACP_LOSS_ENV_CELL, 1, 2, 1, 2},         /* a room's record */
        {{ACP_DAT_CELL, 0x12340101u, NULL, 0}, 0, ACP_LOSS_ENV_CELL, 1, 2, 1, 1},         /* with its crate */
        {{ACP_DAT_PORTAL, 0x0D000010u, NULL, 0}, 0, ACP_LOSS_ROOM, 3, 0, 1, 1},           /* the environment */
        {{ACP_DAT_PORTAL, 0x01000100u, NULL, 0}, 0, ACP_LOSS_BUILDING_MODEL, 1, 3, 0, 2}, /* the shell */
        {{ACP_DAT_PORTAL, 0x01000101u, NULL, 0}, 0, ACP_LOSS_STATIC_MODEL, 1, 3, 1, 1},   /* the crate */
        {{ACP_DAT_PORTAL, 0x01000003u, NULL, 0}, 0, ACP_LOSS_STATIC_MODEL, 1, 3, 1, 1},   /* a part of the barrel */
        {{ACP_DAT_CELL, 0x1234FFFEu, NULL, 0}, 19, ACP_LOSS_STATIC_PLACE, 1, 3, 1, 1},    /* the barrel's origin x */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static uint8_t bytes[8192];
        test_record change = rows[i].change;
        if (rows[i].damage_at) {
            change.size = test_house_record(change.data_set, change.id, bytes, sizeof bytes);
            bytes[rows[i].damage_at] = 0xC2; /* a float below zero */
            change.bytes = bytes;
        }
        house h;
        open_house(&h, ACP_CONTENT_LENIENT, &change, 1);
        acp_world *world = NULL;
        acp_error error;
        assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
        acp_landblock *landblock = NULL;
        acp_result result = acp_dat_source_prepare(h.source, BLOCK, NULL, &landblock, &error);
        if (!rows[i].loss) {
            assert_int_equal(result, ACP_ERROR_BAD_DATA);
            assert_int_equal(error.record_id, rows[i].change.id);
            assert_null(landblock);
        } else {
            if (result) fail_msg("row %zu: %s", i, error.message);
            acp_landblock_info info;
            acp_landblock_get_info(landblock, &info);
            uint32_t times = 0;
            for (uint32_t k = 0; k < info.loss_count; k++) {
                const acp_loss *loss = acp_landblock_loss(landblock, k);
                times += loss->kind == rows[i].loss;
                assert_int_equal(loss->block_id, BLOCK);
                assert_int_not_equal(loss->result, ACP_OK);
                if (loss->kind == rows[i].loss && !rows[i].damage_at && change.id != 0x01000003u)
                    assert_int_equal(loss->lost_id, change.id);
                if (loss->kind != rows[i].loss) assert_int_equal(loss->kind, ACP_LOSS_ENTRY); /* the door that leads nowhere then */
            }
            if (times != rows[i].times) fail_msg("row %zu: %u losses", i, (unsigned)times);
            assert_null(acp_landblock_loss(landblock, info.loss_count));
            assert_int_equal(info.env_cell_count, rows[i].env_cells);
            assert_int_equal(info.building_count, rows[i].buildings);
            assert_int_equal(acp_landblock_publish(world, landblock, &error), ACP_OK);
            assert_int_equal(acp_world_object_count(world), rows[i].objects);
            check_world(world);
        }
        acp_world_destroy(world);
        close_house(&h);
        /* Strictly none of it loads. The Region has to be there then. */
        static uint8_t region[65536];
        test_record both[2] = {change,
                               {ACP_DAT_PORTAL, 0x13000000u, region, test_house_sample("region_13000000.bin", region, sizeof region)}};
        open_house(&h, ACP_CONTENT_STRICT, both, 2);
        assert_int_equal(h.told[ACP_LOSS_REGION], 0);
        landblock = NULL;
        assert_int_not_equal(acp_dat_source_prepare(h.source, BLOCK, NULL, &landblock, &error), ACP_OK);
        assert_null(landblock);
        assert_true(error.record_id != 0 && error.message[0] != '\0');
        close_house(&h);
    }
    /* A strict source has no patience: not even for the Region. */
    house h;
    memset(&h, 0, sizeof h);
    h.portal = test_house_dat(ACP_DAT_PORTAL, NULL, 0);
    h.cell = test_house_dat(ACP_DAT_CELL, NULL, 0);
    acp_dat_source_options options = acp_dat_source_options_default();
    options.mode = ACP_CONTENT_STRICT;
    acp_error error;
    assert_int_equal(acp_dat_source_create(h.portal, h.cell, &options, &h.source, &error), ACP_ERROR_NOT_FOUND);
    assert_null(h.source);
    close_house(&h);
}

/* ------------------------------------------------------------------------------------------------------------------------ scale */

/* POP-8: a static is posed and registered at scale 1, and scaled afterwards: geometry and object scale, not the parts' places. */
static void scale_comes_last(void **state) {
    (void)state;
    acp_shape_definition shape_definition = acp_shape_definition_default();
    acp_shape *shape = NULL;
    shape_definition.flags = ACP_SHAPE_HAS_BOX;
    shape_definition.box = (acp_box){{-1, -1, 0}, {1, 1, 2}};
    assert_int_equal(acp_shape_create(&shape_definition, NULL, &shape, NULL), ACP_OK);
    acp_setup_part parts[2] = {{shape, {1, 1, 1}, 0}, {shape, {1, 1, 1}, 0}};
    acp_frame poses[2] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{10, 0, 0}, {1, 0, 0, 0}}};
    acp_placement_definition placement = {0x65, 2, poses};
    acp_setup_definition setup_definition = acp_setup_definition_default();
    setup_definition.parts = parts;
    setup_definition.part_count = 2;
    setup_definition.placements = &placement;
    setup_definition.placement_count = 1;
    acp_setup *setup = NULL;
    assert_int_equal(acp_setup_create(&setup_definition, NULL, &setup, NULL), ACP_OK);
    acp_land_block land;
    memset(&land, 0, sizeof land);
    acp_static_definition object = {ACP_STATIC_SCENERY, 5, 0, 3.0f, {{12, 12, 0}, {1, 0, 0, 0}}, setup};
    acp_landblock_definition d = acp_landblock_definition_default();
    d.block.block_id = 0x40500000u;
    d.land = &land;
    d.statics = &object;
    d.static_count = 1;
    acp_landblock *landblock = NULL;
    acp_world *world = NULL;
    assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
    assert_int_equal(acp_landblock_create(&d, NULL, &landblock, NULL), ACP_OK);
    assert_int_equal(acp_landblock_publish(world, landblock, NULL), ACP_OK);
    acp_object handle = acp_landblock_static(world, landblock, 0);
    acp_object_info info;
    acp_position part;
    assert_int_equal(acp_object_get_info(world, handle, &info), ACP_OK);
    assert_true(info.scale == 3.0f);
    assert_int_equal(acp_object_part_position(world, handle, 1, &part), ACP_OK);
    assert_true(part.frame.origin.x == 22.0f);     /* 12 + 10, not 12 + 30 */
    static const uint32_t cells[] = {0x40500001u}; /* x 11 .. 23 */
    expect_cells(world, landblock, 0, cells, 1);
    const acp_object_row *row = acp_world_row_of(world, handle, NULL);
    assert_true(row->parts[1].scale.z == 3.0f);
    acp_world_destroy(world);
    acp_setup_destroy(setup);
    acp_shape_destroy(shape);
}

/* ----------------------------------------------------------------------------------------------------------- every allocation */

static acp_result publish_once(void *user, const acp_allocator *allocator) {
    house *h = user;
    acp_landblock *landblock = NULL;
    acp_world *world = NULL;
    acp_result result = test_bare_world(allocator, &world);
    if (result != ACP_OK) return result;
    /* Somebody waits for the house, so that publishing has to flood him and undoing to take that back. */
    acp_object_definition d = acp_object_definition_default();
    d.position.cell_id = 0x12340100u;
    d.position.frame.origin = (acp_vec3){65.0f, 60.0f, 10.0f};
    assert_int_equal(acp_dat_source_get_setup(h->source, 0x01000101u, &d.setup, NULL), ACP_OK);
    acp_object guest;
    result = acp_object_create(world, &d, &guest, NULL);
    if (result == ACP_OK) result = acp_membership_register(world, guest, NULL);
    if (result == ACP_OK) result = acp_dat_source_prepare(h->source, BLOCK, allocator, &landblock, NULL);
    for (int step = 0; step < 3 && result == ACP_OK; step++) {
        acp_membership_counters before = acp_membership_get_counters(world);
        uint32_t objects = acp_world_object_count(world);
        acp_landblock *other = NULL;
        if (step == 0) {
            result = acp_landblock_publish(world, landblock, NULL);
            if (result != ACP_OK) acp_landblock_destroy(landblock);
        } else if (step == 1) {
            result = acp_dat_source_prepare(h->source, BLOCK, allocator, &other, NULL);
            if (result == ACP_OK) {
                before = acp_membership_get_counters(world);
                result = acp_landblock_replace(world, other, NULL);
                if (result != ACP_OK) acp_landblock_destroy(other);
            }
        } else {
            result = acp_landblock_retire(world, BLOCK, NULL);
        }
        check_world(world);
        if (result == ACP_OK) continue;
        acp_membership_counters after = acp_membership_get_counters(world);
        assert_int_equal(after.pair_count, before.pair_count);
        assert_int_equal(after.null_row_count, before.null_row_count);
        assert_int_equal(after.dependency_count, before.dependency_count);
        assert_int_equal(acp_world_object_count(world), objects);
        assert_int_equal(acp_world_has_block(world, BLOCK), step > 0);
    }
    acp_world_destroy(world);
    return result;
}

static void every_allocation(void **state) {
    (void)state;
    house h;
    open_house(&h, ACP_CONTENT_LENIENT, NULL, 0);
    assert_true(test_fail_every_allocation(publish_once, &h) > 20);
    close_house(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_house_stands), cmocka_unit_test(a_guest_waits_for_the_house),
                                       cmocka_unit_test(what_is_missing), cmocka_unit_test(scale_comes_last),
                                       cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
