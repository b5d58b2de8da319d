/* SPDX-License-Identifier: MIT */
/* The examples of spec 08 on single blocks: words, splits, planes, triangles, heights, water, roads, the height table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/block.h"
#include "terrain/word.h"

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static acp_height_table default_table(void) {
    acp_height_table table;
    acp_height_table_default(&table);
    return table;
}

static void words_come_apart(void **state) {
    (void)state;
    static const struct {
        uint16_t word;
        uint32_t road, type, surface, scene;
    } rows[] = {{0x0804, 0, 1, 0, 1}, {0x0042, 2, 16, 1, 0}, {0xF853, 3, 20, 1, 31}, {0x0054, 0, 21, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(acp_terrain_word_road(rows[i].word), rows[i].road);
        assert_int_equal(acp_terrain_word_type(rows[i].word), rows[i].type);
        assert_int_equal(acp_terrain_word_surface(rows[i].word), rows[i].surface);
        assert_int_equal(acp_terrain_word_scene(rows[i].word), rows[i].scene);
    }
    for (uint32_t type = 0; type < 32; type++) {
        uint32_t expected = type >= 16 && type <= 20 ? ACP_SURFACE_WATER : ACP_SURFACE_SOLID;
        /* All bits outside the type are set: none of them may matter. */
        assert_int_equal(acp_terrain_word_surface((uint16_t)(0xFF83u | type << 2)), expected);
        assert_int_equal(acp_terrain_word_surface((uint16_t)(type << 2)), expected);
    }
}

static void splits_of_the_table(void **state) {
    (void)state;
    static const struct {
        uint32_t x, y;
        int32_t is_sw_ne;
    } rows[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {1352, 1440, 1}, {1353, 1440, 0}, {1359, 1447, 1}, {1024, 1024, 1}, {2039, 2039, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(acp_terrain_is_split_sw_ne(rows[i].x, rows[i].y), rows[i].is_sw_ne);
}

static void splits_of_whole_blocks(void **state) {
    (void)state;
    static const struct {
        uint32_t id;
        const char *cells;
    } rows[] = {{0xA9B4FFFFu, "1111111100111111000001111100001111100011001100111001001111011011"},
                {0x0000FFFFu, "1011010101010101010101011001010110110100001001000110010011001110"}};
    acp_height_table table = default_table();
    uint16_t words[81] = {0};
    uint8_t heights[81] = {0};
    for (size_t i = 0; i < 2; i++) {
        acp_terrain_block block;
        acp_terrain_block_build(rows[i].id, words, heights, &table, &block);
        assert_int_equal(acp_terrain_block_id(&block), rows[i].id & 0xFFFF0000u);
        for (uint32_t cell = 0; cell < 64; cell++)
            assert_int_equal(acp_terrain_block_is_split_sw_ne(&block, cell), rows[i].cells[cell] - '0');
        assert_int_equal(acp_terrain_block_is_split_sw_ne(&block, 64), 0);
    }
}

/* The 2^31 comparison for every cell of the map: the count is a fact of the terrain fixture's README. */
static void splits_of_the_whole_map(void **state) {
    (void)state;
    uint32_t count = 0;
    for (uint32_t x = 0; x < 2040; x++)
        for (uint32_t y = 0; y < 2040; y++)
            count += (uint32_t)acp_terrain_is_split_sw_ne(x, y);
    assert_int_equal(count, 2081396);
}

static void planes_of_the_table(void **state) {
    (void)state;
    static const struct {
        acp_vec3 v[3];
        uint32_t nx, ny, nz;
        float d;
        bool is_walkable;
    } rows[] = {
        {{{0, 0, 0}, {24, 0, 0}, {24, 24, 0}}, 0, 0, 0x3F800000u, -0.0f, true},
        {{{0, 0, 0}, {24, 0, 26}, {0, 24, 0}}, 0xBF3C1C14u, 0, 0x3F2DA3C4u, -1.58945724e-07f, true},
        {{{0, 0, 0}, {24, 0, 28}, {0, 24, 0}}, 0xBF425EA4u, 0, 0x3F269A43u, 2.38418579e-07f, false},
        {{{0, 0, 0}, {24, 0, 12}, {24, 24, 12}}, 0xBEE4F92Eu, 0, 0x3F64F92Eu, -0.0f, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_plane plane = acp_terrain_triangle_plane(rows[i].v);
        assert_int_equal(bits(plane.normal.x), rows[i].nx);
        assert_int_equal(bits(plane.normal.y), rows[i].ny);
        assert_int_equal(bits(plane.normal.z), rows[i].nz);
        assert_int_equal(bits(plane.d), bits(rows[i].d));
        assert_int_equal(acp_terrain_is_walkable(plane.normal), rows[i].is_walkable);
    }
}

static void the_walkable_limit_is_inclusive(void **state) {
    (void)state;
    acp_vec3 normal = {0.0f, 0.0f, ACP_FLOOR_Z};
    assert_int_equal(bits(normal.z), 0x3F2A0751u);
    assert_true(acp_terrain_is_walkable(normal));
    uint32_t below = 0x3F2A0750u;
    memcpy(&normal.z, &below, sizeof below);
    assert_false(acp_terrain_is_walkable(normal));
}

static void points_and_triangles(void **state) {
    (void)state;
    acp_height_table table = default_table();
    uint16_t words[81] = {0};
    uint8_t heights[81] = {0};
    acp_terrain_block block;
    acp_terrain_block_build(0xA9B40000u, words, heights, &table, &block); /* cell 0 is cut SW-NE */
    static const struct {
        float x, y;
        int32_t polygon;
    } rows[] = {{0, 0, 0}, {12, 12, 0}, {24, 0, 0}, {0, 24, 1}, {12, 12.000001f, 1}, {24, 24, 0}, {24.0000019f, 12, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(acp_terrain_block_find_polygon(&block, 0, rows[i].x, rows[i].y), rows[i].polygon);
}

/* TER-5: corners in order, counter-clockwise from above, for both cuts, in every cell. */
static void triangles_have_their_corners(void **state) {
    (void)state;
    acp_height_table table = default_table();
    uint16_t words[81] = {0};
    uint8_t heights[81];
    for (uint32_t i = 0; i < 81; i++)
        heights[i] = (uint8_t)(i * 3u);
    acp_terrain_block block;
    acp_terrain_block_build(0xA9B40000u, words, heights, &table, &block);
    for (uint32_t cell = 0; cell < 64; cell++) {
        uint8_t sw = (uint8_t)((cell >> 3) * 9u + (cell & 7u));
        uint8_t se = (uint8_t)(sw + 9u), nw = (uint8_t)(sw + 1u), ne = (uint8_t)(sw + 10u);
        uint8_t expected[2][3] = {{sw, se, nw}, {ne, nw, se}};
        if (acp_terrain_block_is_split_sw_ne(&block, cell)) {
            uint8_t other[2][3] = {{sw, se, ne}, {sw, ne, nw}};
            memcpy(expected, other, sizeof other);
        }
        for (uint32_t half = 0; half < 2; half++) {
            uint8_t vertices[3];
            acp_vec3 points[3];
            acp_plane plane;
            acp_terrain_block_polygon_vertices(&block, 2u * cell + half, vertices);
            assert_memory_equal(vertices, expected[half], 3);
            assert_int_equal(acp_terrain_block_polygon(&block, 2u * cell + half, points, &plane), ACP_OK);
            double cross = 0.0;
            for (uint32_t k = 0; k < 3; k++) {
                assert_true(points[k].x == (float)(vertices[k] / 9u) * 24.0f && points[k].y == (float)(vertices[k] % 9u) * 24.0f);
                assert_true(points[k].z == table.metres[heights[vertices[k]]]);
                uint32_t next = (k + 1u) % 3u;
                cross += (double)points[k].x * (double)points[next].y - (double)points[k].y * (double)points[next].x;
            }
            assert_true(cross == 576.0); /* twice the area, positive: counter-clockwise */
            assert_true(plane.normal.z > 0.0f);
        }
    }
    assert_int_equal(acp_terrain_block_polygon(&block, 128, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_true(acp_terrain_block_vertex_height(&block, 0, 9) == 0.0f);
    assert_int_equal(acp_terrain_block_height_index(&block, 8, 8), 240);
    assert_int_equal(acp_terrain_block_height_index(&block, 9, 0), 0);
    assert_int_equal(acp_terrain_block_word(&block, 9, 9), 0);
}

static void heights_of_the_worked_block(void **state) {
    (void)state;
    acp_height_table table;
    uint16_t words[81] = {0};
    uint8_t heights[81];
    for (uint32_t k = 0; k < 81; k++)
        heights[k] = (uint8_t)((7u * (k / 9u) + 13u * (k % 9u)) % 32u);
    for (uint32_t i = 0; i < 256; i++)
        table.metres[i] = 2.0f * (float)i;
    acp_terrain_block block;
    acp_terrain_block_build(0xA9B4FFFFu, words, heights, &table, &block);
    static const acp_vec3 a = {-0.367911845f, -0.683264852f, 0.630706012f}, b = {-0.297401488f, 0.807232618f, 0.509831131f};
    assert_int_equal(bits(a.x), 0xBEBC5EF1u);
    assert_int_equal(bits(a.y), 0xBF2EEA72u);
    assert_int_equal(bits(a.z), 0x3F2175F3u);
    assert_int_equal(bits(b.x), 0xBE984502u);
    assert_int_equal(bits(b.y), 0x3F4EA6CCu);
    assert_int_equal(bits(b.z), 0x3F02844Bu);
    const struct {
        float x, y;
        uint32_t cell;
        uint32_t half;
        acp_vec3 normal;
        float d, z;
    } rows[] = {
        {12, 12, 0, 0, a, 1.1920929e-07f, 20},
        {6, 3, 0, 0, a, 1.1920929e-07f, 6.75f},
        {3, 6, 0, 1, a, 1.1920929e-07f, 8.25f},
        {36, 12, 8, 0, a, 1.98682145e-07f, 34},
        {36.5f, 12, 8, 1, a, 2.78154999e-07f, 34.2916679f},
        {24, 24, 9, 0, b, -32.6291924f, 40},
        {100.25f, 77.75f, 35, 0, a, 80.7303696f, 14.7083349f},
        {191.999985f, 191.999985f, 63, 0, b, -97.8875809f, 2.27410655e-05f},
        {150, 30, 49, 0, b, -5.96046448e-07f, 40},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t polygon = acp_terrain_block_find_polygon(&block, rows[i].cell, rows[i].x, rows[i].y);
        assert_int_equal(polygon, (int32_t)(2u * rows[i].cell + rows[i].half));
        const acp_plane *plane = &block.planes[polygon];
        assert_memory_equal(&plane->normal, &rows[i].normal, sizeof plane->normal);
        assert_int_equal(bits(plane->d), bits(rows[i].d));
        float z = 0.0f;
        assert_true(acp_terrain_plane_height(plane, rows[i].x, rows[i].y, &z));
        assert_int_equal(bits(z), bits(rows[i].z));
    }
}

static void upright_planes_have_no_height(void **state) {
    (void)state;
    acp_plane plane = {{1.0f, 0.0f, ACP_EPSILON}, 0.0f};
    float z = 5.0f;
    assert_false(acp_terrain_plane_height(&plane, 1.0f, 1.0f, &z));
    assert_true(z == 5.0f);
    plane.normal.z = 0.000201f;
    assert_true(acp_terrain_plane_height(&plane, 1.0f, 1.0f, &z));
}

static void water_of_cells_and_blocks(void **state) {
    (void)state;
    static const struct {
        uint16_t types[4]; /* SW NW SE NE of cell 0 */
        uint32_t water;
    } rows[] = {{{1, 1, 1, 1}, 0}, {{16, 1, 1, 1}, 1}, {{16, 17, 18, 20}, 2}, {{16, 17, 18, 21}, 1}, {{15, 15, 15, 20}, 1}};
    acp_height_table table = default_table();
    uint8_t heights[81] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint16_t words[81] = {0};
        static const uint32_t at[4] = {0, 1, 9, 10};
        for (uint32_t k = 0; k < 4; k++)
            words[at[k]] = (uint16_t)(rows[i].types[k] << 2);
        acp_terrain_block block;
        acp_terrain_block_build(0x10100000u, words, heights, &table, &block);
        assert_int_equal(acp_terrain_block_cell_water(&block, 0), rows[i].water);
        assert_int_equal(acp_terrain_block_water(&block), rows[i].water ? ACP_WATER_PARTIAL : ACP_WATER_NONE);
        assert_int_equal(acp_terrain_block_cell_water(&block, 64), ACP_WATER_NONE);
    }
    uint16_t words[81];
    for (uint32_t i = 0; i < 81; i++)
        words[i] = 17u << 2;
    acp_terrain_block block;
    acp_terrain_block_build(0x10100000u, words, heights, &table, &block);
    assert_int_equal(acp_terrain_block_water(&block), ACP_WATER_ENTIRE);
    words[80] = 0;
    acp_terrain_block_build(0x10100000u, words, heights, &table, &block);
    assert_int_equal(acp_terrain_block_water(&block), ACP_WATER_PARTIAL);
}

static void water_depth_at_points(void **state) {
    (void)state;
    acp_height_table table = default_table();
    uint8_t heights[81] = {0};
    uint16_t words[81] = {0};
    words[2 * 9 + 2] = 16u << 2;
    acp_terrain_block block;
    acp_terrain_block_build(0x10100000u, words, heights, &table, &block);
    static const struct {
        float x, y;
        uint32_t depth;
    } rows[] = {{50, 50, 0x3EE66666u},
                {60, 60, 0x3EE66666u},
                {60.0000038f, 60, 0x3DCCCCCDu},
                {60, 60.0000038f, 0x3DCCCCCDu},
                {70, 70, 0x3DCCCCCDu}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(bits(acp_terrain_block_water_depth(&block, 18, rows[i].x, rows[i].y)), rows[i].depth);
    assert_int_equal(bits(acp_terrain_block_water_depth(&block, 0, 50, 50)), 0);
    for (uint32_t i = 0; i < 81; i++)
        words[i] = 20u << 2;
    acp_terrain_block_build(0x10100000u, words, heights, &table, &block);
    assert_int_equal(bits(acp_terrain_block_water_depth(&block, 18, 50, 50)), 0x3F666666u);
}

/* TER-16, pattern r00 r01 r10 r11 in cell (1, 2): the listed examples and both sides of every limit. */
static void roads(void **state) {
    (void)state;
    static const struct {
        const char *pattern;
        float x, y;
        int32_t is_on_road;
    } rows[] = {
        {"0000", 1, 1, 0},         {"1111", 12, 12, 1},    {"1110", 4.99f, 20, 1}, {"1110", 20, 4.99f, 1}, {"1110", 5, 5, 0},
        {"1101", 4.99f, 6, 1},     {"1101", 6, 19.01f, 1}, {"1101", 5, 19, 0},     {"1100", 1, 12, 1},     {"1100", 5, 12, 0},
        {"1011", 19.01f, 9, 1},    {"1011", 9, 4.99f, 1},  {"1011", 19, 5, 0},     {"1010", 12, 4.99f, 1}, {"1010", 12, 5, 0},
        {"1001", 12, 12, 1},       {"1001", 1, 20, 0},     {"1001", 10, 5, 0},     {"1000", 2, 2.99f, 1},  {"1000", 2, 3, 0},
        {"0111", 19.01f, 2, 1},    {"0111", 2, 19.01f, 1}, {"0111", 19, 19, 0},    {"0110", 12, 12, 1},    {"0110", 12, 17, 0},
        {"0110", 12, 7, 0},        {"0101", 5, 19.01f, 1}, {"0101", 5, 19, 0},     {"0100", 1, 22, 1},     {"0100", 1, 20, 0},
        {"0011", 19.01f, 5, 1},    {"0011", 19, 5, 0},     {"0010", 22, 1, 1},     {"0010", 20, 1, 0},     {"0001", 23, 23, 1},
        {"0001", 21.5f, 21.5f, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint16_t words[81] = {0};
        static const uint32_t at[4] = {11, 12, 20, 21};
        for (uint32_t k = 0; k < 4; k++)
            words[at[k]] = rows[i].pattern[k] == '1' ? (uint16_t)(1u + k % 3u) : 0xFFFCu;
        if (acp_terrain_is_on_road(words, 24.0f + rows[i].x, 48.0f + rows[i].y) != rows[i].is_on_road)
            fail_msg("pattern %s at (%g, %g)", rows[i].pattern, (double)rows[i].x, (double)rows[i].y);
    }
    uint16_t all[81];
    for (uint32_t i = 0; i < 81; i++)
        all[i] = 1;
    assert_int_equal(acp_terrain_is_on_road(all, 191.99f, 0.0f), 1);
    assert_int_equal(acp_terrain_is_on_road(all, 192.0f, 0.0f), 0);
    assert_int_equal(acp_terrain_is_on_road(all, -0.01f, 0.0f), 0);
    assert_int_equal(acp_terrain_is_on_road(NULL, 1.0f, 1.0f), 0);
}

/* The CSV's pieces, by hand: the corners of each and the totals. */
static void the_default_height_table(void **state) {
    (void)state;
    acp_height_table table = default_table();
    static const struct {
        uint32_t index;
        float metres;
    } rows[] = {{0, 0}, {1, 2}, {199, 398}, {200, 400}, {201, 404}, {214, 456}, {240, 560}, {241, 568}, {250, 640}, {251, 650}, {255, 690}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_true(table.metres[rows[i].index] == rows[i].metres);
    for (uint32_t i = 1; i < 256; i++)
        assert_true(table.metres[i] > table.metres[i - 1]);
}

static void height_tables_are_checked(void **state) {
    (void)state;
    float values[256];
    for (uint32_t i = 0; i < 256; i++)
        values[i] = i % 2 ? 800.0f : 0.0f;
    acp_height_table table;
    memset(&table, 0x55, sizeof table);
    acp_height_table before = table;
    acp_error error;
    assert_int_equal(acp_height_table_from_values(values, &table, &error), ACP_OK);
    assert_memory_equal(table.metres, values, sizeof values);
    table = before;
    static const float bad[] = {-1e-6f, 800.00006f, 1e30f};
    for (size_t i = 0; i < 3; i++) {
        values[201] = bad[i];
        assert_int_equal(acp_height_table_from_values(values, &table, &error), ACP_ERROR_OUT_OF_RANGE);
        assert_int_equal(error.byte_offset, 804);
        assert_memory_equal(&table, &before, sizeof before);
    }
    uint32_t not_a_number = 0x7FC00000u;
    memcpy(&values[201], &not_a_number, sizeof not_a_number);
    assert_int_equal(acp_height_table_from_values(values, &table, &error), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_height_table_from_values(NULL, &table, NULL), ACP_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_apart),
        cmocka_unit_test(splits_of_the_table),
        cmocka_unit_test(splits_of_whole_blocks),
        cmocka_unit_test(splits_of_the_whole_map),
        cmocka_unit_test(planes_of_the_table),
        cmocka_unit_test(the_walkable_limit_is_inclusive),
        cmocka_unit_test(points_and_triangles),
        cmocka_unit_test(triangles_have_their_corners),
        cmocka_unit_test(heights_of_the_worked_block),
        cmocka_unit_test(upright_planes_have_no_height),
        cmocka_unit_test(water_of_cells_and_blocks),
        cmocka_unit_test(water_depth_at_points),
        cmocka_unit_test(roads),
        cmocka_unit_test(the_default_height_table),
        cmocka_unit_test(height_tables_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
