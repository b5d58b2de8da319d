/* SPDX-License-Identifier: MIT */
/* The set of resident blocks: put, replace, remove, find; questions by position, canonical or not; every refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/terrain.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"

static acp_land_block plain(uint32_t block, uint8_t height) {
    acp_land_block record;
    memset(&record, 0, sizeof record);
    record.record_id = block << 16 | 0xFFFFu;
    memset(record.height, height, sizeof record.height);
    return record;
}

static acp_position at(uint32_t cell_id, float x, float y) {
    acp_position position = {cell_id, {{x, y, 7.5f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    return position;
}

static void put_replace_remove(void **state) {
    (void)state;
    acp_terrain *terrain = NULL;
    acp_error error;
    assert_int_equal(acp_terrain_create(NULL, NULL, &terrain, &error), ACP_OK);
    acp_land_block record = plain(0xA9B4, 10);
    assert_null(acp_terrain_find(terrain, 0xA9B40001u));
    assert_int_equal(acp_terrain_put(terrain, &record, &error), ACP_OK);
    const acp_terrain_block *block = acp_terrain_find(terrain, 0xA9B40001u);
    assert_non_null(block);
    assert_ptr_equal(block, acp_terrain_find(terrain, 0xA9B4FFFFu));
    assert_int_equal(acp_terrain_block_id(block), 0xA9B40000u);
    assert_true(acp_terrain_block_vertex_height(block, 8, 8) == 20.0f);
    record = plain(0xA9B4, 11);
    assert_int_equal(acp_terrain_put(terrain, &record, &error), ACP_OK);
    assert_int_equal(acp_terrain_count(terrain), 1);
    assert_true(acp_terrain_block_vertex_height(acp_terrain_find(terrain, 0xA9B40001u), 0, 0) == 22.0f);
    assert_int_equal(acp_terrain_remove(terrain, 0xA9B40155u), ACP_OK);
    assert_int_equal(acp_terrain_remove(terrain, 0xA9B40155u), ACP_ERROR_NOT_FOUND);
    assert_int_equal(acp_terrain_count(terrain), 0);
    record = plain(0xFFB4, 1);
    assert_int_equal(acp_terrain_put(terrain, &record, &error), ACP_ERROR_INVALID_ID);
    record = plain(0xB4FF, 1);
    assert_int_equal(acp_terrain_put(terrain, &record, &error), ACP_ERROR_INVALID_ID);
    assert_int_equal(error.record_id, 0xB4FFFFFFu);
    record = plain(0xFEFE, 1);
    assert_int_equal(acp_terrain_put(terrain, &record, &error), ACP_OK);
    acp_terrain_destroy(terrain);
    acp_terrain_destroy(NULL);
    assert_int_equal(acp_terrain_create(NULL, NULL, NULL, &error), ACP_ERROR_INVALID_ARGUMENT);
}

static void questions_by_position(void **state) {
    (void)state;
    acp_terrain *terrain = NULL;
    acp_error error;
    assert_int_equal(acp_terrain_create(NULL, NULL, &terrain, &error), ACP_OK);
    acp_land_block west = plain(0xA9B4, 10), east = plain(0xAAB4, 20);
    for (uint32_t i = 0; i < 81; i++)
        east.terrain[i] = (uint16_t)(18u << 2 | 1u);
    assert_int_equal(acp_terrain_put(terrain, &west, &error), ACP_OK);
    assert_int_equal(acp_terrain_put(terrain, &east, &error), ACP_OK);
    acp_ground ground;
    acp_position position = at(0xA9B40001u, 30, 50);
    assert_int_equal(acp_terrain_ground_at(terrain, &position, &ground, &error), ACP_OK);
    assert_int_equal(ground.position.cell_id, 0xA9B4000Bu); /* cell (1, 2): 8 + 2 + 1 */
    assert_true(ground.position.frame.origin.x == 30.0f && ground.position.frame.origin.z == 7.5f);
    assert_true(ground.z == 20.0f && ground.plane.normal.z == 1.0f && ground.plane.d == -20.0f);
    assert_int_equal(ground.block_water, ACP_WATER_NONE);
    assert_true(ground.water_depth == 0.0f);
    /* Beyond the eastern edge, told in the western block's frame; and from an EnvCell id. */
    static const uint32_t ids[] = {0xA9B40001u, 0xA9B40100u, 0xA9B4FFFFu};
    for (size_t i = 0; i < 3; i++) {
        position = at(ids[i], 193.5f, 50);
        assert_int_equal(acp_terrain_ground_at(terrain, &position, &ground, &error), ACP_OK);
        assert_int_equal(ground.position.cell_id, 0xAAB40003u);
        assert_true(ground.position.frame.origin.x == 1.5f && ground.z == 40.0f);
        assert_true(ground.water_depth == 0.899999976f);
        assert_int_equal(ground.surface, ACP_SURFACE_WATER);
        assert_int_equal(ground.terrain_type, 18);
        assert_int_equal(ground.road, 1);
        assert_int_equal(ground.cell_water, ACP_WATER_ENTIRE);
        assert_int_equal(ground.block_water, ACP_WATER_ENTIRE);
    }
    static const struct {
        uint32_t cell_id;
        float x, y;
        acp_result result;
    } rows[] = {
        {0xA9B40001u, -1, 50, ACP_ERROR_NOT_FOUND},     {0x00000001u, -1, 5, ACP_ERROR_OUTSIDE_MAP},
        {0xFEFE0001u, 192, 5, ACP_ERROR_OUTSIDE_MAP},   {0xA9B40000u, 5, 5, ACP_ERROR_INVALID_ID},
        {0xA9B40041u, 5, 5, ACP_ERROR_INVALID_ID},      {0xA9B400FFu, 5, 5, ACP_ERROR_INVALID_ID},
        {0xA9B40001u, 1e30f, 5, ACP_ERROR_OUTSIDE_MAP}, {0xA9B40001u, 5, -1e30f, ACP_ERROR_OUTSIDE_MAP},
    };
    acp_ground before = ground;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        position = at(rows[i].cell_id, rows[i].x, rows[i].y);
        assert_int_equal(acp_terrain_ground_at(terrain, &position, &ground, &error), rows[i].result);
        assert_int_equal(error.record_id, rows[i].cell_id);
        float z = -5.0f;
        acp_vec3 normal = {0};
        assert_int_equal(acp_terrain_height_at(terrain, &position, &z, &normal), rows[i].result);
        assert_true(z == -5.0f);
    }
    for (uint32_t axis = 0; axis < 2; axis++) {
        static const uint32_t bad[] = {0x7FC00000u, 0x7F800000u, 0xFF800000u};
        for (size_t i = 0; i < 3; i++) {
            position = at(0xA9B40001u, axis ? 5.0f : test_float_from_bits(bad[i]), axis ? test_float_from_bits(bad[i]) : 5.0f);
            assert_int_equal(acp_terrain_ground_at(terrain, &position, &ground, &error), ACP_ERROR_NOT_FINITE);
        }
    }
    assert_memory_equal(&ground, &before, sizeof before);
    acp_terrain_destroy(terrain);
}

/* Every canonical point lies on a triangle of its own cell, close to the vertices around it: points at and around every kind of line. */
static void no_point_falls_between(void **state) {
    (void)state;
    acp_terrain *terrain = NULL;
    acp_error error;
    assert_int_equal(acp_terrain_create(NULL, NULL, &terrain, &error), ACP_OK);
    test_random random = {test_seed("no_point_falls_between", 8)};
    for (uint32_t bx = 0x40; bx < 0x43; bx++)
        for (uint32_t by = 0x50; by < 0x53; by++) {
            acp_land_block record = plain(bx << 8 | by, 0);
            for (uint32_t i = 0; i < 81; i++)
                record.height[i] = (uint8_t)test_random_below(&random, 256);
            assert_int_equal(acp_terrain_put(terrain, &record, &error), ACP_OK);
        }
    for (uint32_t i = 0; i < 200000; i++) {
        float xy[2];
        for (int k = 0; k < 2; k++) {
            float value = test_random_below(&random, 2) ? (float)(24.0 * (double)test_random_below(&random, 24) - 192.0)
                                                        : (float)test_random_in(&random, -191.9, 383.9);
            uint32_t bits = test_float_bits(value) + test_random_below(&random, 5) - 2u;
            xy[k] = value == 0.0f ? (float)test_random_in(&random, -0.0005, 0.0005) : test_float_from_bits(bits);
            if (xy[k] < -191.99f) xy[k] = -191.99f;
        }
        acp_position position = at(0x41510001u, xy[0], xy[1]);
        acp_ground ground;
        acp_result result = acp_terrain_ground_at(terrain, &position, &ground, &error);
        if (result) fail_msg("(%.9g, %.9g): %s", (double)xy[0], (double)xy[1], error.message);
        assert_true(ground.z >= -0.001f && ground.z <= 690.001f);
        assert_int_equal(ground.polygon >> 1, (ground.position.cell_id & 0xFFFFu) - 1u);
    }
    acp_terrain_destroy(terrain);
}

static acp_result build_some(void *user, const acp_allocator *allocator) {
    (void)user;
    acp_terrain *terrain = NULL;
    acp_error error;
    acp_result result = acp_terrain_create(allocator, NULL, &terrain, &error);
    for (uint32_t i = 0; i < 4 && result == ACP_OK; i++) {
        acp_land_block record = plain(0x1010u + i % 3u, 1);
        result = acp_terrain_put(terrain, &record, &error);
        if (result) assert_int_equal(acp_terrain_count(terrain), i);
    }
    if (result) assert_int_equal(error.code, result);
    acp_terrain_destroy(terrain);
    return result;
}

static void every_allocation(void **state) {
    (void)state;
    assert_int_equal(test_fail_every_allocation(build_some, NULL), 4); /* the set and three blocks; a replaced block needs none */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(put_replace_remove), cmocka_unit_test(questions_by_position),
                                       cmocka_unit_test(no_point_falls_between), cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
