/* SPDX-License-Identifier: MIT */
/* Editing a running world: heights, a mesh, rooms, buildings, scenes; everything that depends on an edit is registered again, what is bad
 * is refused with nothing changed, and the former records bring the former world back, list by list. And the questions that editors ask. */
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
#include "tests/support/village.h"
#include "tests/support/world_hash.h"
#include "world/world.h"

enum { SIDE = 3 };

typedef struct stage {
    test_village village;
    acp_world *world;
    acp_population *population;
    acp_object guest;  /* a crate in the middle of the lawn of landblock (1, 1) */
    acp_object second; /* another on the eastern edge of the village */
} stage;

static uint32_t block(uint32_t x, uint32_t y) { return (TEST_VILLAGE_X + x) << 24 | (TEST_VILLAGE_Y + y) << 16; }

static acp_object add_guest(stage *s, uint32_t id, uint32_t cell_id, float x, float y, float z) {
    acp_object_definition d = acp_object_definition_default();
    d.object_id = id;
    d.position.cell_id = cell_id;
    d.position.frame.origin = (acp_vec3){x, y, z};
    assert_int_equal(acp_dat_source_get_setup(s->village.source, 0x01000101u, &d.setup, NULL), ACP_OK);
    acp_object guest;
    assert_int_equal(acp_object_create(s->world, &d, &guest, NULL), ACP_OK);
    assert_int_equal(acp_membership_register(s->world, guest, NULL), ACP_OK);
    return guest;
}

static int open_stage(void **state) {
    static stage s;
    memset(&s, 0, sizeof s);
    test_village_open(&s.village, SIDE, NULL);
    assert_int_equal(acp_world_create(NULL, &s.world, NULL), ACP_OK);
    acp_population_options options = acp_population_options_default();
    options.source = acp_dat_source_for_population(s.village.source);
    options.worker_count = 1;
    assert_int_equal(acp_population_create(s.world, &options, &s.population, NULL), ACP_OK);
    acp_position middle = {block(1, 1) | 1u, {{12, 12, 8}, {1, 0, 0, 0}}};
    assert_int_equal(acp_population_set_anchor(s.population, 1, &middle, ACP_RADIUS_EVERYTHING, NULL), ACP_OK);
    assert_int_equal(acp_population_settle(s.population, NULL, NULL, NULL), ACP_OK);
    s.guest = add_guest(&s, 1, block(1, 1) | 0x25u, 108, 108, 9);
    s.second = add_guest(&s, 2, block(2, 1) | 0x3Cu, 191.9f, 84, 9);
    *state = &s;
    return 0;
}

static int close_stage(void **state) {
    stage *s = *state;
    acp_world_destroy(s->world);
    test_village_close(&s->village);
    return 0;
}

static void check_world(const acp_world *world) {
    acp_error error;
    if (acp_membership_check(world, &error)) fail_msg("%s", error.message);
}

static acp_edit_report edit(stage *s, const acp_record_edit *edits, uint32_t count) {
    acp_edit_report report;
    acp_error error;
    if (acp_population_edit(s->population, edits, count, &report, &error)) fail_msg("%s: %s", error.operation, error.message);
    check_world(s->world);
    return report;
}

/* The record as it is, edits included. */
static uint32_t read_record(stage *s, uint32_t data_set, uint32_t id, uint8_t *bytes, uint32_t capacity) {
    acp_dat_record record = {0};
    assert_int_equal(acp_dat_source_read(s->village.source, data_set, id, &record, NULL), ACP_OK);
    assert_true(record.size <= capacity);
    memcpy(bytes, record.bytes, record.size);
    uint32_t size = record.size;
    acp_dat_record_release(&record);
    return size;
}

static acp_record_edit restore(uint32_t data_set, uint32_t id) {
    acp_record_edit item = {data_set, id, ACP_EDIT_RESTORE, 0, NULL};
    return item;
}

static uint32_t cells_of(const stage *s, acp_object object) {
    uint32_t count = 0;
    assert_int_equal(acp_membership_object_cells(s->world, object, NULL, 0, &count), ACP_OK);
    return count;
}

static float height_of(const stage *s, uint32_t block_id) {
    return acp_terrain_block_vertex_height(acp_world_block(s->world, block_id)->terrain, 4, 4);
}

static uint32_t scenery_of(const stage *s, uint32_t block_id) {
    acp_landblock_info info;
    acp_landblock_get_info(acp_landblock_find(s->world, block_id), &info);
    return info.scenery_count;
}

static void heights(void **state) {
    stage *s = *state;
    uint64_t before = test_hash_cells(s->world);
    uint32_t id = block(1, 1) | 0xFFFFu, count = acp_world_object_count(s->world);
    uint8_t bytes[ACP_LAND_BLOCK_SIZE];
    acp_land_block land;
    assert_int_equal(read_record(s, ACP_DAT_CELL, id, bytes, sizeof bytes), sizeof bytes);
    assert_int_equal(acp_land_block_decode(bytes, sizeof bytes, &land, NULL), ACP_OK);
    for (uint32_t i = 0; i < 81; i++)
        land.height[i] = (uint8_t)(land.height[i] + 3u);
    acp_land_block_encode(&land, bytes);
    float old = height_of(s, id);
    acp_record_edit put = {ACP_DAT_CELL, id, ACP_EDIT_PUT, sizeof bytes, bytes};
    acp_edit_report report = edit(s, &put, 1);
    assert_int_equal(report.landblocks, 1);
    assert_int_equal(report.objects, 0);
    assert_true(height_of(s, id) == old + 6.0f); /* 2 m an index in the default table */
    assert_true(test_hash_cells(s->world) != before);
    assert_int_equal(acp_world_object_count(s->world), count);
    uint8_t again[ACP_LAND_BLOCK_SIZE];
    assert_int_equal(read_record(s, ACP_DAT_CELL, id, again, sizeof again), sizeof again);
    assert_memory_equal(again, bytes, sizeof bytes);
    put = restore(ACP_DAT_CELL, id);
    (void)edit(s, &put, 1);
    assert_true(height_of(s, id) == old);
    assert_true(test_hash_cells(s->world) == before);
}

static void a_mesh(void **state) {
    stage *s = *state;
    uint64_t before = test_hash_cells(s->world);
    static uint8_t bytes[8192];
    /* The crate of 1 m becomes as large as a house of 10 m by 6 m. */
    uint32_t size = read_record(s, ACP_DAT_PORTAL, 0x01000100u, bytes, sizeof bytes);
    bytes[0] = 0x01;
    acp_record_edit put = {ACP_DAT_PORTAL, 0x01000101u, ACP_EDIT_PUT, size, bytes};
    assert_int_equal(cells_of(s, s->guest), 1);
    const acp_setup *old = NULL, *fresh = NULL;
    assert_int_equal(acp_dat_source_get_setup(s->village.source, 0x01000101u, &old, NULL), ACP_OK);
    acp_edit_report report = edit(s, &put, 1);
    assert_int_equal(report.landblocks, SIDE * SIDE); /* all have crates */
    assert_int_equal(report.objects, 2);
    assert_int_equal(cells_of(s, s->guest), 1); /* in the middle of its cell still */
    assert_true(cells_of(s, s->second) > 1);
    acp_object_info info;
    assert_int_equal(acp_object_get_info(s->world, s->guest, &info), ACP_OK);
    assert_int_equal(acp_dat_source_get_setup(s->village.source, 0x01000101u, &fresh, NULL), ACP_OK);
    assert_ptr_equal(info.setup, fresh);
    assert_ptr_not_equal(fresh, old);
    assert_true(test_hash_cells(s->world) != before);
    put = restore(ACP_DAT_PORTAL, 0x01000101u);
    report = edit(s, &put, 1);
    assert_int_equal(report.objects, 2);
    assert_true(test_hash_cells(s->world) == before);
    /* A mesh that nothing uses touches nothing. */
    put = (acp_record_edit){ACP_DAT_PORTAL, 0x01000555u, ACP_EDIT_PUT, size, bytes};
    report = edit(s, &put, 1);
    assert_int_equal(report.landblocks + report.objects, 0);
    put = restore(ACP_DAT_PORTAL, 0x01000555u);
    (void)edit(s, &put, 1);
    /* The barrel's setup names a part that is gone: leniently the barrels are. */
    uint32_t count = acp_world_object_count(s->world);
    put = (acp_record_edit){ACP_DAT_PORTAL, 0x01000003u, ACP_EDIT_REMOVE, 0, NULL};
    report = edit(s, &put, 1);
    assert_int_equal(report.landblocks, SIDE * SIDE);
    assert_int_equal(acp_world_object_count(s->world), count - 2u * SIDE * SIDE);
    put = restore(ACP_DAT_PORTAL, 0x01000003u);
    (void)edit(s, &put, 1); /* landblocks remember models that were refused, too */
    assert_true(test_hash_cells(s->world) == before);
}

static void rooms(void **state) {
    stage *s = *state;
    uint64_t before = test_hash_cells(s->world);
    uint32_t hall = block(1, 1) | 0x100u;
    const acp_env_cell *cell = acp_block_env_cell(acp_world_block(s->world, hall), hall);
    assert_non_null(cell);
    acp_vec3 o = cell->position.frame.origin;
    acp_object lodger = add_guest(s, 3, hall | 2u, o.x - 3, o.y + 1, o.z - 2); /* turned: local x 3, on the floor of the cellar */
    uint64_t with = test_hash_cells(s->world);
    acp_record_edit out = {ACP_DAT_CELL, hall | 2u, ACP_EDIT_REMOVE, 0, NULL};
    acp_edit_report report = edit(s, &out, 1);
    assert_int_equal(report.landblocks, 1);
    acp_object_info info;
    assert_int_equal(acp_object_get_info(s->world, lodger, &info), ACP_OK);
    assert_int_equal(info.holder_cell_id, 0);
    assert_int_equal(info.position.cell_id, hall | 2u);
    assert_int_equal(acp_world_cell_status(s->world, hall | 2u), ACP_CELL_NOT_IN_SOURCE);
    out = restore(ACP_DAT_CELL, hall | 2u);
    (void)edit(s, &out, 1);
    assert_int_equal(acp_object_get_info(s->world, lodger, &info), ACP_OK);
    assert_int_equal(info.holder_cell_id, hall | 2u);
    assert_true(test_hash_cells(s->world) == with);
    assert_int_equal(acp_object_destroy(s->world, lodger, NULL), ACP_OK);
    assert_true(test_hash_cells(s->world) == before);
    /* The environment takes all rooms of the village along. */
    out = (acp_record_edit){ACP_DAT_PORTAL, 0x0D000010u, ACP_EDIT_REMOVE, 0, NULL};
    report = edit(s, &out, 1);
    assert_int_equal(report.landblocks, SIDE * SIDE);
    assert_int_equal(acp_world_cell_status(s->world, hall), ACP_CELL_NOT_IN_SOURCE);
    out = restore(ACP_DAT_PORTAL, 0x0D000010u);
    (void)edit(s, &out, 1);
    assert_true(test_hash_cells(s->world) == before);
}

static void scenery(void **state) {
    stage *s = *state;
    uint64_t before = test_hash_cells(s->world);
    uint32_t grown = scenery_of(s, block(0, 0));
    assert_true(grown >= 38 && grown <= 40); /* one or two where the house stands */
    acp_record_edit item = {ACP_DAT_PORTAL, 0x12000001u, ACP_EDIT_REMOVE, 0, NULL};
    acp_edit_report report = edit(s, &item, 1);
    assert_int_equal(report.landblocks, SIDE * SIDE);
    assert_true(scenery_of(s, block(0, 0)) < grown);
    item = restore(ACP_DAT_PORTAL, 0x12000001u);
    (void)edit(s, &item, 1);
    assert_true(test_hash_cells(s->world) == before);
    item = (acp_record_edit){ACP_DAT_PORTAL, 0x13000000u, ACP_EDIT_REMOVE, 0, NULL};
    (void)edit(s, &item, 1);
    assert_int_equal(scenery_of(s, block(0, 0)), 0);
    item = restore(ACP_DAT_PORTAL, 0x13000000u);
    (void)edit(s, &item, 1);
    assert_true(test_hash_cells(s->world) == before);
}

/* A landblock beyond the village comes into being: who stands on its edge is completed when it is published. */
static void a_new_landblock(void **state) {
    stage *s = *state;
    uint64_t before = test_hash_cells(s->world);
    uint32_t east = block(SIDE, 1), nulls = 0;
    acp_cell_row rows[16];
    uint32_t count = 0;
    assert_int_equal(acp_membership_object_cells(s->world, s->second, rows, 16, &count), ACP_OK);
    for (uint32_t i = 0; i < count; i++)
        nulls += !rows[i].is_resident;
    assert_int_equal(nulls, 1); /* the land cell beyond the edge, known by id */
    uint8_t bytes[ACP_LAND_BLOCK_SIZE] = {0};
    bytes[0] = bytes[1] = 0xFF;
    bytes[2] = (uint8_t)(east >> 16);
    bytes[3] = (uint8_t)(east >> 24);
    acp_record_edit put = {ACP_DAT_CELL, east | 0xFFFFu, ACP_EDIT_PUT, sizeof bytes, bytes};
    assert_int_equal(acp_dat_source_has_block(s->village.source, east), 0);
    (void)edit(s, &put, 1);
    assert_int_equal(acp_dat_source_has_block(s->village.source, east), 1);
    assert_false(acp_world_has_block(s->world, east));
    acp_population_report report;
    assert_int_equal(acp_population_settle(s->population, NULL, &report, NULL), ACP_OK);
    assert_int_equal(report.published, 1);
    check_world(s->world);
    assert_int_equal(acp_membership_object_cells(s->world, s->second, rows, 16, &count), ACP_OK);
    for (uint32_t i = 0; i < count; i++)
        assert_true(rows[i].is_resident);
    /* Taking a resident landblock's record out is refused; first it has to go. */
    acp_error error;
    put = restore(ACP_DAT_CELL, east | 0xFFFFu);
    assert_int_equal(acp_population_edit(s->population, &put, 1, NULL, &error), ACP_ERROR_NOT_FOUND);
    check_world(s->world);
    assert_int_equal(acp_population_retire(s->population, east, NULL), ACP_OK);
    (void)edit(s, &put, 1);
    assert_int_equal(acp_population_settle(s->population, NULL, &report, NULL), ACP_OK);
    assert_int_equal(report.published, 0);
    assert_true(test_hash_cells(s->world) == before);
}

static void what_is_refused(void **state) {
    stage *s = *state;
    uint64_t before = test_hash_cells(s->world);
    acp_membership_counters counters = acp_membership_get_counters(s->world);
    static const uint8_t rubbish[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    acp_error error;
    const acp_record_edit bad[] = {
        {ACP_DAT_CELL, block(1, 1) | 0xFFFEu, ACP_EDIT_PUT, sizeof rubbish, rubbish}, /* an announced info that is damaged */
        {ACP_DAT_CELL, block(1, 1) | 0xFFFEu, ACP_EDIT_REMOVE, 0, NULL},              /* or missing */
        {ACP_DAT_CELL, block(1, 1) | 0xFFFFu, ACP_EDIT_PUT, sizeof rubbish, rubbish}, /* the landblock itself */
        {ACP_DAT_PORTAL, 0x01000101u, ACP_EDIT_REMOVE, 0, NULL},                      /* the model of the guests */
        {ACP_DAT_PORTAL, 0x01000101u, ACP_EDIT_PUT, sizeof rubbish, rubbish},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (acp_population_edit(s->population, &bad[i], 1, NULL, &error) == ACP_OK) fail_msg("edit %zu is taken", i);
        assert_int_not_equal(error.code, ACP_OK);
        check_world(s->world);
        assert_true(test_hash_cells(s->world) == before);
        /* A good edit beside a bad one goes with it. */
        uint8_t bytes[ACP_LAND_BLOCK_SIZE];
        (void)read_record(s, ACP_DAT_CELL, block(0, 0) | 0xFFFFu, bytes, sizeof bytes);
        bytes[200]++;
        acp_record_edit both[2] = {{ACP_DAT_CELL, block(0, 0) | 0xFFFFu, ACP_EDIT_PUT, sizeof bytes, bytes}, bad[i]};
        assert_int_not_equal(acp_population_edit(s->population, both, 2, NULL, &error), ACP_OK);
        assert_true(test_hash_cells(s->world) == before);
        uint8_t again[ACP_LAND_BLOCK_SIZE];
        (void)read_record(s, ACP_DAT_CELL, block(0, 0) | 0xFFFFu, again, sizeof again);
        bytes[200]--;
        assert_memory_equal(again, bytes, sizeof bytes);
    }
    acp_membership_counters after = acp_membership_get_counters(s->world);
    assert_int_equal(after.dependency_count, counters.dependency_count);
    assert_int_equal(after.null_row_count, counters.null_row_count);
    const acp_record_edit nonsense[] = {{3, 1, ACP_EDIT_PUT, 8, rubbish},
                                        {ACP_DAT_CELL, 0, ACP_EDIT_PUT, 8, rubbish},
                                        {ACP_DAT_CELL, 5, ACP_EDIT_PUT, 8, NULL},
                                        {ACP_DAT_CELL, 5, 9, 8, rubbish}};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++)
        assert_int_equal(acp_population_edit(s->population, &nonsense[i], 1, NULL, &error), ACP_ERROR_INVALID_ARGUMENT);
}

/* Unused models go when there are too many bytes of them; those of resident landblocks stay. */
static void models_go(void **state) {
    stage *s = *state;
    acp_dat_source_options options = acp_dat_source_options_default();
    options.asset_byte_limit = 0;
    options.has_scenery = 0;
    acp_dat_source *source = NULL;
    uint64_t empty = 0, full = 0, unused = 0, after = 0;
    assert_int_equal(acp_dat_source_create(s->village.portal, s->village.cell, &options, &source, NULL), ACP_OK);
    acp_dat_source_get_bytes(source, &empty, &unused);
    acp_landblock *landblock = NULL;
    assert_int_equal(acp_dat_source_prepare(source, block(0, 0), NULL, &landblock, NULL), ACP_OK);
    acp_dat_source_get_bytes(source, &full, &unused);
    assert_true(full > empty + 1000);
    assert_int_equal(unused, 0);
    acp_landblock_destroy(landblock);
    acp_dat_source_get_bytes(source, &after, &unused);
    assert_int_equal(unused, 0);
    assert_true(after < empty + 1000); /* the table itself stays */
    acp_dat_source_destroy(source);
}

/* ---------------------------------------------------------------------------------------------------------------------- questions */

static void questions(void **state) {
    stage *s = *state;
    uint32_t home = block(1, 1), count = 0, outside = 9;
    acp_portal_info portals[8];
    assert_int_equal(acp_cell_portals(s->world, home | 0x100u, portals, 8, &count), ACP_OK);
    assert_int_equal(count, 2); /* 11, 8.3: the chamber, and the front door */
    assert_int_equal(portals[0].other_cell_id, home | 0x101u);
    assert_int_equal(portals[0].side, 1);
    assert_int_equal(portals[0].other_portal_id, 0);
    assert_true(portals[0].is_resident);
    assert_true(portals[0].plane.normal.x == 1.0f && portals[0].plane.d == 0.0f);
    assert_int_equal(portals[1].other_cell_id, UINT32_MAX);
    assert_int_equal(portals[1].side, 0);
    assert_true(portals[1].is_resident);
    uint32_t lawn = acp_world_block(s->world, home)->buildings[0].cell_id;
    assert_int_equal(acp_cell_portals(s->world, lawn, portals, 8, &count), ACP_OK);
    assert_int_equal(count, 1);
    assert_int_equal(portals[0].other_cell_id, home | 0x100u);
    assert_int_equal(portals[0].other_portal_id, 1);
    assert_int_equal(acp_cell_portals(s->world, block(SIDE, 0) | 1u, portals, 8, &count), ACP_ERROR_NOT_FOUND);

    uint32_t ids[8];
    assert_int_equal(acp_cell_visible_cells(s->world, home | 0x101u, ids, 8, &count), ACP_OK);
    assert_int_equal(count, 2);
    assert_int_equal(ids[0], home | 0x100u);
    assert_int_equal(ids[1], home | 0x102u);
    assert_int_equal(acp_cell_visible_cells(s->world, home | 1u, ids, 1, &count), ACP_OK);
    assert_int_equal(count, 3);
    assert_int_equal(ids[0], home | 0x100u);

    acp_seen_cell seen[8];
    assert_int_equal(acp_cell_seen_cells(s->world, home | 0x102u, seen, 8, &count, &outside), ACP_OK);
    assert_int_equal(count, 3); /* cellar, chamber, hall */
    assert_int_equal(seen[0].cell_id, home | 0x102u);
    assert_int_equal(seen[1].cell_id, home | 0x101u);
    assert_int_equal(seen[1].depth, 1);
    assert_int_equal(seen[2].cell_id, home | 0x100u);
    assert_int_equal(seen[2].depth, 2);
    assert_int_equal(outside, 1); /* through the hall's front door */
    assert_int_equal(acp_cell_seen_cells(s->world, home | 1u, seen, 8, &count, &outside), ACP_OK);
    assert_int_equal(count, 4);
    assert_int_equal(seen[1].cell_id, home | 0x100u);
    assert_int_equal(seen[3].cell_id, home | 0x102u);
    assert_int_equal(seen[3].depth, 3);

    acp_object standing[4];
    assert_int_equal(acp_cell_residents(s->world, home | 0x25u, standing, 4, &count), ACP_OK);
    assert_true(count >= 1 && count <= 4);
    assert_int_equal(standing[count - 1].index1, s->guest.index1); /* behind the statics */
    assert_int_equal(acp_cell_residents(s->world, home | 0x101u, standing, 4, &count), ACP_OK);
    assert_int_equal(count, 1); /* the crate of the chamber */

    uint32_t cells = 0, blocks = 0, objects = 0;
    for (uint32_t cell = acp_world_next_cell(s->world, 0); cell; cell = acp_world_next_cell(s->world, cell))
        cells++;
    for (uint32_t b = acp_world_next_block(s->world, UINT32_MAX); b != UINT32_MAX; b = acp_world_next_block(s->world, b))
        blocks++;
    acp_object none = {0, 0};
    for (acp_object o = acp_world_next_object(s->world, none); o.index1; o = acp_world_next_object(s->world, o))
        objects++;
    assert_int_equal(blocks, SIDE * SIDE);
    assert_int_equal(cells, blocks * 67u);
    assert_int_equal(objects, acp_world_object_count(s->world));
}

/* ------------------------------------------------------------------------------------------------------------- every allocation */

static acp_result edit_once(void *user, const acp_allocator *allocator) {
    test_village *v = user;
    acp_dat_source_options options = acp_dat_source_options_default();
    options.allocator = allocator;
    options.has_scenery = 0;
    acp_dat_source *source = NULL;
    acp_world *world = NULL;
    acp_result result = test_bare_world(allocator, &world);
    if (result == ACP_OK) result = acp_dat_source_create(v->portal, v->cell, &options, &source, NULL);
    for (uint32_t i = 0; i < 2 && result == ACP_OK; i++) {
        acp_landblock *landblock = NULL;
        result = acp_dat_source_prepare(source, test_village_block(v, i), allocator, &landblock, NULL);
        if (result == ACP_OK && (result = acp_landblock_publish(world, landblock, NULL)) != ACP_OK) acp_landblock_destroy(landblock);
    }
    acp_object_definition d = acp_object_definition_default();
    d.position.cell_id = test_village_block(v, 0) | 0x40u;
    d.position.frame.origin = (acp_vec3){180, 191.8f, 8};
    acp_object guest;
    if (result == ACP_OK) result = acp_dat_source_get_setup(source, 0x01000101u, &d.setup, NULL);
    if (result == ACP_OK) result = acp_object_create(world, &d, &guest, NULL);
    if (result == ACP_OK) result = acp_membership_register(world, guest, NULL);
    static uint8_t bytes[8192];
    uint32_t size = test_house_record(ACP_DAT_PORTAL, 0x01000100u, bytes, sizeof bytes);
    bytes[0] = 0x01;
    acp_record_edit edits[2] = {{ACP_DAT_PORTAL, 0x01000101u, ACP_EDIT_PUT, size, bytes},
                                {ACP_DAT_CELL, test_village_block(v, 1) | 0x102u, ACP_EDIT_REMOVE, 0, NULL}};
    for (int step = 0; step < 2 && result == ACP_OK; step++) {
        uint64_t before = test_hash_cells(world);
        acp_membership_counters counters = acp_membership_get_counters(world);
        acp_edit_report report;
        result = acp_dat_source_edit(source, world, edits, 2, &report, NULL);
        check_world(world);
        if (result == ACP_OK) {
            assert_int_equal(report.landblocks, 2);
            assert_int_equal(report.objects, 1);
            assert_true(test_hash_cells(world) != before);
            edits[0].action = edits[1].action = ACP_EDIT_RESTORE;
            continue;
        }
        assert_true(test_hash_cells(world) == before);
        acp_membership_counters after = acp_membership_get_counters(world);
        assert_int_equal(after.dependency_count, counters.dependency_count);
        assert_int_equal(after.pair_count, counters.pair_count);
    }
    acp_world_destroy(world);
    acp_dat_source_destroy(source);
    return result;
}

static void every_allocation(void **state) {
    stage *s = *state;
    assert_true(test_fail_every_allocation(edit_once, &s->village) > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(heights),   cmocka_unit_test(a_mesh),          cmocka_unit_test(rooms),
                                       cmocka_unit_test(scenery),   cmocka_unit_test(a_new_landblock), cmocka_unit_test(what_is_refused),
                                       cmocka_unit_test(models_go), cmocka_unit_test(questions),       cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
