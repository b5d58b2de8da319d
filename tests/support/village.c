/* SPDX-License-Identifier: MIT */
/* A village of worked houses, out of the sample records: each is decoded, moved to its landblock and its place in it, and encoded again. */
#include "tests/support/village.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/dat_edit.h"
#include "dat/record.h"
#include "support/scenery_maker.h"
#include "tests/support/dat_pair.h"
#include "tests/support/house.h"

static void put(acp_dat_edit *edit, uint32_t id, const acp_record *record) {
    acp_writer writer;
    acp_error error;
    acp_writer_init(&writer, NULL);
    if (acp_record_encode(record, &writer, &error) || acp_dat_edit_put(edit, id, writer.bytes, (uint32_t)writer.size, NULL, &error))
        fail_msg("%08X: %s", (unsigned)id, error.message);
    acp_writer_free(&writer);
}

static void decode(uint32_t id, acp_record_kind kind, acp_record *out_record) {
    static uint8_t bytes[8192];
    uint32_t size = test_house_record(ACP_DAT_CELL, id, bytes, sizeof bytes);
    acp_error error;
    acp_record_decode_options options = {ACP_CONTENT_STRICT, NULL, NULL, id};
    if (acp_record_decode(kind, bytes, size, &options, NULL, out_record, &error)) fail_msg("%08X: %s", (unsigned)id, error.message);
}

static void shift(acp_frame *frame, acp_vec3 by) {
    frame->origin.x += by.x;
    frame->origin.y += by.y;
}

/* Where the house stands in landblock i: its origin is the middle of a floor of 10 m by 6 m. */
static acp_vec3 place_of(uint32_t i) {
    static const acp_vec3 places[] = {{60, 60, 0}, {188, 60, 0}, {60, 189.5f, 0}, {188, 189, 0}, {4, 60, 0}, {3, 2, 0}, {100, 2.5f, 0}};
    return places[i % (sizeof places / sizeof places[0])];
}

static acp_record_object object(uint32_t id, float x, float y, float z) {
    acp_record_object o = {id, {{x, y, z}, {0.923879504f, 0, 0, 0.382683426f}}}; /* turned by 45 degrees */
    return o;
}

static void put_block(acp_dat_edit *edit, uint32_t block_id, uint32_t i) {
    acp_vec3 place = place_of(i), by = {place.x - 60.0f, place.y - 60.0f, 0};
    acp_land_block land;
    memset(&land, 0, sizeof land);
    land.record_id = block_id | 0xFFFFu;
    land.has_info = 1;
    for (uint32_t k = 0; k < 81; k++) /* gentle waves that are the same on both sides of a border: 8 steps a landblock */
        land.height[k] = (uint8_t)(4u + (k / 9u % 4u == 1u) + (k % 9u % 4u == 2u));
    acp_scenery_maker_words(land.record_id, land.terrain);
    uint8_t bytes[ACP_LAND_BLOCK_SIZE];
    acp_error error;
    acp_land_block_encode(&land, bytes);
    assert_int_equal(acp_dat_edit_put(edit, land.record_id, bytes, sizeof bytes, NULL, &error), ACP_OK);

    acp_record record;
    decode(0x1234FFFEu, ACP_RECORD_LAND_BLOCK_INFO, &record);
    acp_record_land_block_info *info = record.content.land_block_info;
    info->id = block_id | 0xFFFEu;
    shift(&info->buildings[0].frame, by);
    shift(&info->objects.items[0].frame, by);
    if (info->objects.items[0].frame.origin.x >= 192.0f) info->objects.items[0].frame.origin.x = 191.75f;
    acp_record_object objects[] = {
        info->objects.items[0],           object(0x01000101u, 191.75f, 96, 8), object(0x01000101u, 0.25f, 100, 8),
        object(0x01000100u, 190, 190, 8), object(0x01000100u, 96, 0.5f, 8),    object(0x02000020u, 96, 191.75f, 8)};
    info->objects = (acp_record_objects){sizeof objects / sizeof objects[0], objects};
    put(edit, info->id, &record);
    acp_record_free(&record);
    for (uint32_t k = 0; k < 3; k++) {
        decode(0x12340100u + k, ACP_RECORD_ENV_CELL, &record);
        acp_record_env_cell *cell = record.content.env_cell;
        cell->id = cell->cell_id = block_id | (0x100u + k);
        shift(&cell->frame, by);
        for (uint32_t s = 0; s < cell->statics.count; s++)
            shift(&cell->statics.items[s].frame, by);
        put(edit, cell->id, &record);
        acp_record_free(&record);
    }
}

static acp_dat_edit *begin(uint32_t data_set) {
    acp_dat_create_options options = acp_dat_create_options_default(data_set);
    options.block_count = 512;
    acp_dat_edit *edit = NULL;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, NULL), ACP_OK);
    return edit;
}

void test_village_open(test_village *village, uint32_t side, const acp_dat_source_options *options) {
    village->side = side;
    acp_error error;
    acp_dat_edit *edit = begin(ACP_DAT_PORTAL);
    assert_int_equal(acp_scenery_maker_put_portal(edit, &error), ACP_OK);
    test_house_put(edit, ACP_DAT_PORTAL);
    village->portal = test_dat_open(edit);
    edit = begin(ACP_DAT_CELL);
    for (uint32_t i = 0; i < side * side; i++)
        put_block(edit, test_village_block(village, i), i);
    village->cell = test_dat_open(edit);
    if (acp_dat_source_create(village->portal, village->cell, options, &village->source, &error)) fail_msg("%s", error.message);
}

void test_village_close(test_village *village) {
    acp_dat_source_destroy(village->source);
    acp_dat_close(village->portal);
    acp_dat_close(village->cell);
}

uint32_t test_village_block(const test_village *village, uint32_t i) {
    return (TEST_VILLAGE_X + i / village->side) << 24 | (TEST_VILLAGE_Y + i % village->side) << 16;
}

acp_landblock *test_village_prepare(const test_village *village, uint32_t block_id, const acp_allocator *allocator) {
    acp_landblock *landblock = NULL;
    acp_error error;
    if (acp_dat_source_prepare(village->source, block_id, allocator, &landblock, &error))
        fail_msg("%s: %s", error.operation, error.message);
    return landblock;
}
