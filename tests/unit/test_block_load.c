/* SPDX-License-Identifier: MIT */
/* Landblocks out of DAT files: the worked house of spec 11, written into two containers, loaded strictly and published, gives the cells
 * that house_expect.json lists for walkers and placements; and what is missing or damaged does what POP-16 says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/block_load.h"
#include "acphys/membership.h"
#include "membership/flood.h"
#include "support/json_values.h"
#include "tests/support/failing.h"
#include "tests/support/house.h"
#include "world/world.h"

typedef struct house {
    acp_dat *portal;
    acp_dat *cell;
    acp_model_store *models;
    acp_terrain *terrain;
} house;

static house open_house(const test_record *others, uint32_t count) {
    house h = {test_house_dat(ACP_DAT_PORTAL, others, count), test_house_dat(ACP_DAT_CELL, others, count), NULL, NULL};
    acp_error error;
    acp_dat_record record = {0};
    acp_land_block ground;
    assert_int_equal(acp_model_store_create(h.portal, ACP_CONTENT_LENIENT, NULL, &h.models, &error), ACP_OK);
    assert_int_equal(acp_terrain_create(NULL, NULL, &h.terrain, &error), ACP_OK);
    assert_int_equal(acp_dat_read(h.cell, 0x1234FFFFu, &record, &error), ACP_OK);
    assert_int_equal(acp_land_block_decode(record.bytes, record.size, &ground, &error), ACP_OK);
    assert_int_equal(acp_terrain_put(h.terrain, &ground, &error), ACP_OK);
    acp_dat_record_release(&record);
    return h;
}

static void close_house(house *h) {
    acp_terrain_destroy(h->terrain);
    acp_model_store_destroy(h->models);
    acp_dat_close(h->portal);
    acp_dat_close(h->cell);
}

static acp_result load_block(house *h, uint32_t mode, const acp_allocator *allocator, acp_block **out_block, acp_block_load_report *report,
                             acp_error *error) {
    return acp_block_load(h->cell, h->models, acp_terrain_find(h->terrain, 0x12340001u), 0x1234FFFFu, mode, allocator, out_block, report,
                          error);
}

static void check_mover(const acp_world *world, const acp_json *item, const acp_json *walk) {
    acp_json_input in = {ACP_OK, NULL};
    acp_json_reader memory = {0};
    acp_vec3 origin = acp_json_get_vec3(&in, item, "origin");
    uint32_t cell_id = acp_json_get_id(&in, item, "cell"), count = 0, current = 0;
    const float *numbers = acp_json_get_floats(&in, &memory, walk, "spheres", &count);
    assert_int_equal(count, 8);
    acp_sphere spheres[2];
    for (uint32_t i = 0; i < 2; i++) {
        const float *s = numbers + 4 * i;
        spheres[i].center = (acp_vec3){origin.x + s[0], origin.y + s[1], origin.z + s[2]};
        spheres[i].radius = s[3];
    }
    acp_cell_array array;
    acp_cell_array_init(&array, NULL);
    bool hits_interior = false;
    acp_flood flood = acp_flood_begin(world, &array);
    flood.hits_interior_cell = &hits_interior;
    assert_int_equal(acp_find_cell_list(&flood, cell_id, origin, 2, spheres, &current), ACP_OK);
    const acp_json *expected = acp_json_get_array(&in, item, "cells");
    uint32_t name_length;
    const char *name = acp_json_get_string(&in, item, "name", &name_length);
    if (array.count != expected->count) fail_msg("%.*s: %u cells", (int)name_length, name, (unsigned)array.count);
    const acp_json *at = expected->first;
    for (uint32_t i = 0; i < array.count; i++, at = at->next)
        assert_int_equal(array.items[i].cell_id, acp_json_to_id(&in, at, "cells"));
    assert_int_equal(current, acp_json_get_id(&in, item, "current"));
    assert_int_equal(hits_interior, acp_json_get_flag(&in, item, "hits_interior_cell"));
    assert_false(acp_json_is_failed(&in));
    acp_cell_array_free(&array);
    acp_json_reader_free(&memory);
}

static void check_placement(const acp_world *world, const acp_json *item) {
    acp_json_input in = {ACP_OK, NULL};
    acp_matrix_position position;
    memset(&position, 0, sizeof position);
    position.cell_id = acp_json_get_id(&in, item, "cell");
    position.frame = acp_matrix_frame_identity();
    position.frame.origin = acp_json_get_vec3(&in, item, "origin");
    acp_vec3 low = acp_json_get_vec3(&in, item, "low_point");
    uint32_t cell_id = 0;
    bool ret = acp_adjust_position(world, &position, low, acp_json_get_flag(&in, item, "search"), &cell_id);
    assert_int_equal(ret, acp_json_get_flag(&in, item, "ret"));
    if (ret) assert_int_equal(cell_id, acp_json_get_id(&in, item, "new_cell"));
    assert_false(acp_json_is_failed(&in));
}

static void the_worked_house(void **state) {
    (void)state;
    house h = open_house(NULL, 0);
    acp_error error;
    acp_block *block = NULL;
    acp_block_load_report report;
    if (load_block(&h, ACP_CONTENT_STRICT, NULL, &block, &report, &error)) fail_msg("%s (%s)", error.message, error.field);
    assert_int_equal(report.env_cells, 3);
    assert_int_equal(report.missing_env_cells + report.absent_portals + report.disabled_entries + report.missing_shells, 0);
    acp_world *world = NULL;
    assert_int_equal(acp_world_create(NULL, &world, &error), ACP_OK);
    assert_int_equal(acp_membership_publish(world, block, &error), ACP_OK);

    /* Sides and ends of the portals: flag bit 1 clear is side 1, bit 2 leads outside (DAT-66). */
    for (uint32_t i = 0; i < 3; i++) {
        static const char *const names[] = {"house_envcell_12340100.bin", "house_envcell_12340101.bin", "house_envcell_12340102.bin"};
        uint8_t bytes[256];
        (void)test_house_sample(names[i], bytes, sizeof bytes);
        const acp_env_cell *cell = acp_block_env_cell(block, 0x12340100u + i);
        assert_non_null(cell);
        assert_int_equal(cell->portal_count, bytes[13]);
        uint32_t at = 16u + 2u * bytes[12] + 4u + 28u; /* behind surfaces, environment, structure and frame */
        for (uint32_t k = 0; k < cell->portal_count; k++, at += 8) {
            assert_int_equal(cell->portals[k].side, bytes[at] & 2u ? 0 : 1);
            uint32_t other = bytes[at] & 4u ? 0xFFFFFFFFu : 0x12340000u | (uint32_t)bytes[at + 4] | (uint32_t)bytes[at + 5] << 8;
            assert_int_equal(cell->portals[k].other_cell_id, other);
        }
    }
    static uint8_t text[16384];
    uint32_t size = test_house_sample("house_expect.json", text, sizeof text);
    acp_json_reader reader = {0};
    acp_json_fault fault;
    const acp_json *expected = acp_json_read(&reader, (const char *)text, size, &fault);
    assert_non_null(expected);
    uint32_t movers = 0, placements = 0;
    for (const acp_json *item = acp_json_member(expected, "house")->first; item; item = item->next)
        if (acp_json_is_text(acp_json_member(item, "kind"), "mover")) {
            check_mover(world, item, acp_json_member(expected, "walk"));
            movers++;
        }
    for (const acp_json *item = acp_json_member(expected, "adjust_position")->first; item; item = item->next, placements++)
        check_placement(world, item);
    assert_int_equal(movers, 7);
    assert_true(placements >= 2);
    acp_json_reader_free(&reader);
    acp_world_destroy(world);
    close_house(&h);
}

/* POP-16, one thing at a time: leniently, strictly. */
static void what_is_missing(void **state) {
    (void)state;
    static const struct {
        uint32_t data_set, id;
        uint8_t at, value; /* byte `at` of the record set to `value`; at 0: no such record */
        acp_result lenient;
        uint32_t env_cells, missing_env_cells, absent_portals, disabled_entries, missing_shells;
    } rows[] = {
        {ACP_DAT_CELL, 0x1234FFFEu, 0, 0, ACP_ERROR_BAD_DATA, 0, 0, 0, 0, 0}, /* announced info */
        {ACP_DAT_CELL, 0x1234FFFEu, 4, 9, ACP_OK, 3, 6, 0, 0, 0},             /* nine rooms announced, three there */
        {ACP_DAT_CELL, 0x12340101u, 0, 0, ACP_OK, 2, 1, 0, 0, 0},             /* a room's record */
        {ACP_DAT_PORTAL, 0x0D000010u, 0, 0, ACP_OK, 0, 3, 0, 1, 0},           /* the environment: the entry leads nowhere then */
        {ACP_DAT_PORTAL, 0x01000100u, 0, 0, ACP_OK, 3, 0, 0, 0, 1},           /* the shell */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[256];
        test_record changed = {rows[i].data_set, rows[i].id, NULL, 0};
        if (rows[i].at) {
            changed.bytes = bytes;
            changed.size = test_house_record(rows[i].data_set, rows[i].id, bytes, sizeof bytes);
            bytes[rows[i].at] = rows[i].value;
        }
        house h = open_house(&changed, 1);
        acp_error error;
        acp_block *block = NULL;
        acp_block_load_report report = {0};
        acp_result result = load_block(&h, ACP_CONTENT_LENIENT, NULL, &block, &report, &error);
        if (result != rows[i].lenient) fail_msg("row %zu: %s %s", i, acp_result_name(result), error.message);
        assert_int_equal(report.env_cells, rows[i].env_cells);
        assert_int_equal(report.missing_env_cells, rows[i].missing_env_cells);
        assert_int_equal(report.absent_portals, rows[i].absent_portals);
        assert_int_equal(report.disabled_entries, rows[i].disabled_entries);
        assert_int_equal(report.missing_shells, rows[i].missing_shells);
        acp_block_destroy(block);
        block = NULL;
        assert_int_not_equal(load_block(&h, ACP_CONTENT_STRICT, NULL, &block, &report, &error), ACP_OK);
        assert_true(error.record_id != 0 && error.message[0] != '\0');
        assert_null(block);
        close_house(&h);
    }
    house h = open_house(NULL, 0);
    acp_block *block = NULL;
    acp_error error;
    assert_int_equal(acp_block_load(h.cell, h.models, NULL, 0x55550000u, ACP_CONTENT_LENIENT, NULL, &block, NULL, &error),
                     ACP_ERROR_NOT_FOUND);
    assert_int_equal(acp_block_load(h.cell, NULL, NULL, 0x55550000u, 0, NULL, &block, NULL, &error), ACP_ERROR_INVALID_ARGUMENT);
    close_house(&h);
}

static acp_result load_once(void *user, const acp_allocator *allocator) {
    acp_block *block = NULL;
    acp_error error;
    acp_result result = load_block(user, ACP_CONTENT_LENIENT, allocator, &block, NULL, &error);
    if (result) assert_int_equal(error.code, result);
    acp_block_destroy(block);
    return result;
}

static void every_allocation(void **state) {
    (void)state;
    house h = open_house(NULL, 0);
    assert_true(test_fail_every_allocation(load_once, &h) > 3);
    close_house(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_worked_house), cmocka_unit_test(what_is_missing),
                                       cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
