/* SPDX-License-Identifier: MIT */
/* The terrain floor against the retail-bits vectors and on the ground of the whole world (spec 08 TER-18 and the fixture's facts). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "acphys/terrain.h"
#include "terrain/block.h"
#include "tests/support/dereth.h"
#include "tools/acphys/conform.h"

#define VECTORS ACP_SOURCE_DIR "/../shared/vectors/retail-bits/"

static void bit_for_bit(const char *path, uint64_t expected_passes, bool others_are_there) {
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    acp_conform *conform = acp_conform_new();
    acp_conform_counts counts;
    acp_conform_outcome first;
    acp_error error;
    assert_int_equal(acp_conform_file(conform, path, &counts, &first, &error), ACP_OK);
    if (counts.failed)
        fail_msg("%s id %s %s: expected %s, got %s %s", first.operation, first.id, first.path, first.expected, first.actual, first.message);
    assert_true(counts.passed >= expected_passes);
    if (!others_are_there) assert_int_equal(counts.unknown, 0);
    acp_conform_free(conform);
}

static void terrain_vectors(void **state) {
    (void)state;
    bit_for_bit(VECTORS "terrain.jsonl", 2520, false);
}

static const test_dereth *get_dereth(void **state) {
    if (!*state) {
        print_message("skipped: ../shared/fixtures/dereth-terrain is not there\n");
        skip();
    }
    return *state;
}

static int load_dereth(void **state) {
    static test_dereth dereth;
    *state = test_dereth_load(TEST_DERETH_PATH, &dereth) ? &dereth : NULL;
    return 0;
}

static int free_dereth(void **state) {
    if (*state) test_dereth_free(*state);
    return 0;
}

static acp_position at(uint32_t cell_id, float x, float y) {
    acp_position position = {cell_id, {{x, y, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    return position;
}

/* TER-18. */
static void real_blocks(void **state) {
    const test_dereth *dereth = get_dereth(state);
    static const struct {
        uint32_t block, cell;
        float x, y;
        uint32_t half;
        acp_vec3 normal;
        float d, z;
    } rows[] = {
        {0xA9B4, 1, 12, 12, 0, {0, 0.242535636f, 0.970142543f}, -87.3128281f, 87},
        {0xA9B4, 1, 12, 20, 1, {0, 0.242535636f, 0.970142543f}, -87.3128281f, 85},
        {0xA9B4, 49, 150, 10, 1, {0, 0, 1}, -94, 94},
        {0xA9B4, 37, 96, 96, 0, {0, 0.503871024f, 0.863778949f}, -117.47393f, 79.9999924f},
        {0xA9B4, 8, 10, 191.9f, 1, {-0.224859506f, 0.374765843f, 0.899438024f}, -107.932564f, 42.5416718f},
        {0xA9B4, 64, 191.999985f, 191.999985f, 0, {0.196116135f, 0.588348389f, 0.784464538f}, -174.151123f, 30.0000134f},
        {0x597E, 19, 48, 48, 0, {0.384615391f, 0, 0.923076928f}, -655.384644f, 690},
        {0x597E, 19, 50.5f, 51.25f, 0, {0.384615391f, 0, 0.923076928f}, -655.384644f, 688.958374f},
        {0x597E, 18, 60, 40, 1, {0.183185831f, -0.879291952f, 0.439645976f}, -269.942627f, 669},
    };
    acp_terrain *terrain = NULL;
    assert_int_equal(acp_terrain_create(NULL, NULL, &terrain, NULL), ACP_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_land_block block;
        test_dereth_block(dereth, rows[i].block >> 8, rows[i].block & 0xFFu, &block);
        assert_int_equal(acp_terrain_put(terrain, &block, NULL), ACP_OK);
        acp_position position = at(rows[i].block << 16 | 1u, rows[i].x, rows[i].y);
        acp_ground ground;
        assert_int_equal(acp_terrain_ground_at(terrain, &position, &ground, NULL), ACP_OK);
        assert_int_equal(ground.position.cell_id, rows[i].block << 16 | rows[i].cell);
        assert_int_equal(ground.polygon, 2u * (rows[i].cell - 1u) + rows[i].half);
        assert_memory_equal(&ground.plane.normal, &rows[i].normal, sizeof rows[i].normal);
        assert_memory_equal(&ground.plane.d, &rows[i].d, sizeof rows[i].d);
        assert_memory_equal(&ground.z, &rows[i].z, sizeof rows[i].z);
        assert_int_equal(ground.is_walkable, i < 8);
        acp_vec3 normal;
        float z;
        assert_int_equal(acp_terrain_height_at(terrain, &position, &z, &normal), ACP_OK);
        assert_memory_equal(&z, &rows[i].z, sizeof z);
        assert_memory_equal(&normal, &rows[i].normal, sizeof normal);
    }
    assert_int_equal(acp_terrain_count(terrain), 2);
    acp_terrain_destroy(terrain);
}

static void axes_by_checksum(void **state) {
    const test_dereth *dereth = get_dereth(state);
    static const uint32_t rows[][2] = {{0xA9B4, 0xF6EE3C88u}, {0xA9B3, 0xEAD148AFu}, {0xC95A, 0x6D9725D2u}, {0x7F7F, 0xF9CDA323u},
                                       {0xF682, 0xBE480B01u}, {0x0000, 0x9BE58BD8u}, {0xFEFE, 0x9BE58BD8u}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_land_block block;
        test_dereth_block(dereth, rows[i][0] >> 8, rows[i][0] & 0xFFu, &block);
        assert_int_equal(crc32(0, block.height, 81), rows[i][1]);
    }
}

/* All 65,025 blocks and 4,161,600 cells: the facts of the fixture's README; and in every cell both triangles are finite, face up, meet
 * their corners to a millimetre, and the cell's centre lies on one of them. */
static void the_whole_world(void **state) {
    const test_dereth *dereth = get_dereth(state);
    acp_height_table table;
    acp_height_table_default(&table);
    uint32_t entire = 0, none = 0, all_vertices = 0, some_vertices = 0, splits = 0, faults = 0;
    for (uint32_t bx = 0; bx < 255; bx++)
        for (uint32_t by = 0; by < 255; by++) {
            acp_land_block record;
            struct acp_terrain_block block;
            test_dereth_block(dereth, bx, by, &record);
            acp_terrain_block_build(record.record_id, record.terrain, record.height, &table, &block);
            entire += block.water == ACP_WATER_ENTIRE;
            none += block.water == ACP_WATER_NONE;
            uint32_t wet = 0;
            for (uint32_t i = 0; i < 81; i++)
                wet += acp_terrain_word_surface(record.terrain[i]);
            all_vertices += wet == 81;
            some_vertices += wet > 0 && wet < 81;
            for (uint32_t cell = 0; cell < 64; cell++)
                splits += (uint32_t)acp_terrain_block_is_split_sw_ne(&block, cell);
            for (uint32_t polygon = 0; polygon < 128; polygon++) {
                acp_vec3 points[3];
                acp_plane plane;
                assert_int_equal(acp_terrain_block_polygon(&block, polygon, points, &plane), ACP_OK);
                if (!(plane.normal.z > 0.0f)) faults++;
                for (int k = 0; k < 3; k++) {
                    float z = -1.0f;
                    if (!acp_terrain_plane_height(&plane, points[k].x, points[k].y, &z) || z - points[k].z > 1e-3f ||
                        points[k].z - z > 1e-3f)
                        faults++;
                }
            }
            for (uint32_t cell = 0; cell < 64; cell++) {
                float x = (float)((cell >> 3) * 24u + 12u), y = (float)((cell & 7u) * 24u + 12u);
                if (acp_terrain_block_find_polygon(&block, cell, x, y) != (int32_t)(2u * cell)) faults++;
            }
        }
    assert_int_equal(faults, 0);
    assert_int_equal(splits, 2081396);
    assert_int_equal(all_vertices, 21948);
    assert_int_equal(some_vertices, 7084);
    assert_int_equal(entire, 21948); /* all cells are water when all vertices are */
    assert_int_equal(none, 255u * 255u - 21948u - 7084u);
}

/* TER-10 and TER-18: the cells of 0xC95A. */
static void water_of_a_real_block(void **state) {
    const test_dereth *dereth = get_dereth(state);
    acp_height_table table;
    acp_height_table_default(&table);
    acp_land_block record;
    struct acp_terrain_block block;
    test_dereth_block(dereth, 0xC9, 0x5A, &record);
    acp_terrain_block_build(record.record_id, record.terrain, record.height, &table, &block);
    static const char expected[] = "2100000011000000000000000000000000000000000000000000000000000000";
    for (uint32_t cell = 0; cell < 64; cell++)
        assert_int_equal(acp_terrain_block_cell_water(&block, cell), expected[cell] - '0');
    assert_int_equal(acp_terrain_block_water(&block), ACP_WATER_PARTIAL);
    test_dereth_block(dereth, 0xA9, 0xB4, &record);
    acp_terrain_block_build(record.record_id, record.terrain, record.height, &table, &block);
    assert_int_equal(acp_terrain_block_water(&block), ACP_WATER_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(terrain_vectors), cmocka_unit_test(real_blocks), cmocka_unit_test(axes_by_checksum),
                                       cmocka_unit_test(the_whole_world), cmocka_unit_test(water_of_a_real_block)};
    return cmocka_run_group_tests(tests, load_dereth, free_dereth);
}
