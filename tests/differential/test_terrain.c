/* SPDX-License-Identifier: MIT */
/* The terrain floor's short cuts against the general polygon code: planes of its triangles, and which triangle holds a point, on random
 * ground and on points at, beside and around every line of the grid. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "geom/polygon.h"
#include "terrain/block.h"
#include "tests/support/random.h"

/* TER-8 by the general code: the first of the cell's two polygons that contains the point. */
static int32_t find_generally(const struct acp_terrain_block *block, uint32_t cell, float x, float y) {
    for (uint32_t i = 2u * cell; i < 2u * cell + 2u; i++) {
        acp_vec3 points[3], p = {x, y, 0.0f};
        acp_terrain_block_polygon_points(block, i, points);
        acp_polygon polygon;
        memset(&polygon, 0, sizeof polygon);
        polygon.points = points;
        polygon.point_count = 3;
        polygon.plane = block->planes[i];
        if (acp_polygon_contains_point_2d(&polygon, p, ACP_SIDE_POSITIVE)) return (int32_t)i;
    }
    return -1;
}

static void random_block(test_random *random, struct acp_terrain_block *out_block) {
    acp_height_table table;
    acp_height_table_default(&table);
    uint16_t words[81];
    uint8_t heights[81];
    for (uint32_t i = 0; i < 81; i++) {
        words[i] = (uint16_t)test_random_u32(random);
        heights[i] = (uint8_t)test_random_below(random, 256);
    }
    uint32_t id = test_random_below(random, 255) << 24 | test_random_below(random, 255) << 16;
    acp_terrain_block_build(id, words, heights, &table, out_block);
}

static void planes(void **state) {
    (void)state;
    test_random random = {test_seed("planes", 5)};
    for (uint32_t n = 0; n < 2000; n++) {
        struct acp_terrain_block block;
        random_block(&random, &block);
        for (uint32_t i = 0; i < 128; i++) {
            acp_vec3 points[3];
            acp_terrain_block_polygon_points(&block, i, points);
            acp_plane plane = acp_polygon_make_plane(points, 3);
            assert_memory_equal(&plane, &block.planes[i], sizeof plane);
        }
    }
}

static float odd_coordinate(test_random *random) {
    switch (test_random_below(random, 6)) {
    case 0:
        return (float)test_random_in(random, -0.001, 0.001);
    case 1:
        return test_float_from_bits(test_random_below(random, 0x00800010u)); /* denormal and just above */
    case 2:
        return (float)test_random_in(random, -30.0, 220.0);
    case 3:
        return 24.0f * (float)test_random_below(random, 9);
    default: {
        float line = 12.0f * (float)(1u + test_random_below(random, 16));
        return test_float_from_bits(test_float_bits(line) + test_random_below(random, 9) - 4u);
    }
    }
}

static void triangles_under_points(void **state) {
    (void)state;
    test_random random = {test_seed("triangles_under_points", 7)};
    struct acp_terrain_block block;
    uint32_t found = 0;
    for (uint32_t n = 0; n < 600000; n++) {
        if (n % 10000 == 0) random_block(&random, &block);
        float x = odd_coordinate(&random), y = odd_coordinate(&random);
        if (test_random_below(&random, 4) == 0) y = x; /* on a diagonal */
        if (test_random_below(&random, 8) == 0) y = 24.0f - x;
        int32_t i = (int32_t)floor((double)x / 24.0), j = (int32_t)floor((double)y / 24.0);
        i += (int32_t)test_random_below(&random, 3) - 1;
        j += (int32_t)test_random_below(&random, 3) - 1;
        uint32_t cell = (uint32_t)(i < 0 ? 0 : i > 7 ? 7 : i) * 8u + (uint32_t)(j < 0 ? 0 : j > 7 ? 7 : j);
        int32_t expected = find_generally(&block, cell, x, y), polygon = acp_terrain_block_find_polygon(&block, cell, x, y);
        if (polygon != expected) fail_msg("cell %u (%a, %a): %d, generally %d", (unsigned)cell, (double)x, (double)y, polygon, expected);
        found += polygon >= 0;
    }
    assert_true(found > 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(planes), cmocka_unit_test(triangles_under_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
