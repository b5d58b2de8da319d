/* SPDX-License-Identifier: MIT */
/* The measure from anchors to bodies (body/anchors.h) against the one of all positions: the same bits, the same nearest. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "body/anchors.h"
#include "tests/support/random.h"

/* Coordinates as they come and as they should not: in a block, beside it, on its edges, far away, tiny, of both signs. */
static float coordinate(test_random *random) {
    static const float edges[] = {0.0f,     -0.0f,   192.0f,     0x1.7fffffp+7f, -0x1p-149f, FLT_MIN, 0.000199999995f,
                                  0.00018f, -192.0f, 16777216.f, 1e6f,           -1e6f,      1e-20f,  24.0f};
    switch (test_random_below(random, 4)) {
    case 0:
        return edges[test_random_below(random, sizeof edges / sizeof edges[0])];
    case 1:
        return (float)test_random_in(random, -500.0, 500.0);
    case 2:
        return (float)test_random_in(random, -1e6, 1e6);
    default:
        return (float)test_random_in(random, 0.0, 192.0);
    }
}

static uint32_t cell_in(uint32_t block, test_random *random) {
    static const uint32_t rooms[] = {0x100u, 0x101u, 0x1FFu, 0xFFFDu};
    uint32_t index = test_random_below(random, 2) ? 1u + test_random_below(random, 64) : rooms[test_random_below(random, 4)];
    return block << 16 | index;
}

static acp_matrix_position place_in(uint32_t block, test_random *random) {
    acp_matrix_position place;
    memset(&place, 0, sizeof place);
    place.cell_id = cell_in(block, random);
    place.frame.origin = (acp_vec3){coordinate(random), coordinate(random), coordinate(random)};
    return place;
}

static void compare(const acp_matrix_position *a, const acp_matrix_position *b) {
    acp_vec3 expected = acp_matrix_position_offset(a, b), found = acp_body_anchor_offset(a, b), nearest;
    assert_memory_equal(&expected, &found, sizeof found);
    double distance = acp_matrix_position_distance(a, b), measured = acp_body_nearest_anchor(a, 1, b, &nearest);
    assert_memory_equal(&distance, &measured, sizeof measured);
    assert_memory_equal(&expected, &nearest, sizeof nearest);
}

/* Every pair of columns with every pair of rows: x and y do not meet before the length. Both rims of the map among them. */
static void offsets_are_those_of_positions(void **state) {
    (void)state;
    test_random random = {test_seed("offsets", 31)};
    for (uint32_t a = 0; a < 256; a++)
        for (uint32_t b = 0; b < 256; b++) {
            uint32_t other_a = test_random_below(&random, 256), other_b = test_random_below(&random, 256);
            for (uint32_t turn = 0; turn < 4; turn++) {
                acp_matrix_position by_column[2] = {place_in(a << 8 | other_a, &random), place_in(b << 8 | other_b, &random)};
                acp_matrix_position by_row[2] = {place_in(other_a << 8 | a, &random), place_in(other_b << 8 | b, &random)};
                acp_matrix_position alone[2] = {place_in(a << 8 | b, &random), place_in(a << 8 | b, &random)};
                compare(&by_column[0], &by_column[1]);
                compare(&by_row[0], &by_row[1]);
                compare(&alone[0], &alone[1]);
            }
        }
}

/* As a loop over unrounded roots gives it, equals and near equals among them: anchors one unit in the last place apart. */
static void the_first_of_the_nearest_decides(void **state) {
    (void)state;
    test_random random = {test_seed("nearest", 32)};
    uint32_t ties = 0;
    for (uint32_t round = 0; round < 200000; round++) {
        acp_matrix_position anchors[6], place = place_in(0x8080u, &random);
        uint32_t count = 1 + test_random_below(&random, 6), chosen = 0;
        for (uint32_t i = 0; i < count; i++) {
            anchors[i] = place_in(0x8080u + test_random_below(&random, 3), &random);
            if (i == 0 || test_random_below(&random, 2)) continue;
            anchors[i] = anchors[i - 1];
            if (test_random_below(&random, 2)) continue;
            float *x = &anchors[i].frame.origin.x;
            *x = test_float_from_bits(test_float_bits(*x) ^ 1u);
        }
        acp_vec3 found;
        double nearest = acp_matrix_position_distance(&anchors[0], &place);
        for (uint32_t i = 1; i < count; i++) {
            double distance = acp_matrix_position_distance(&anchors[i], &place);
            ties += distance == nearest;
            if (!(distance < nearest)) continue;
            nearest = distance;
            chosen = i;
        }
        double measured = acp_body_nearest_anchor(anchors, count, &place, &found);
        acp_vec3 expected = acp_matrix_position_offset(&anchors[chosen], &place);
        assert_memory_equal(&nearest, &measured, sizeof nearest);
        assert_memory_equal(&expected, &found, sizeof found);
    }
    assert_true(ties > 10000);
}

/* Two squares that differ and have the same root: the first stays, as it does among roots. */
static void equal_roots_of_unequal_squares(void **state) {
    (void)state;
    test_random random = {test_seed("roots", 33)};
    uint32_t met = 0;
    for (uint32_t round = 0; round < 2000000 && met < 50; round++) {
        acp_matrix_position place, anchors[2];
        memset(&place, 0, sizeof place);
        memset(anchors, 0, sizeof anchors);
        place.cell_id = anchors[0].cell_id = anchors[1].cell_id = 0x80800001u;
        anchors[0].frame.origin = (acp_vec3){(float)test_random_in(&random, 1.0, 2.0), (float)test_random_in(&random, 1e-8, 3e-8), 0.0f};
        anchors[1].frame.origin = anchors[0].frame.origin;
        anchors[1].frame.origin.y = 0.0f;
        acp_vec3 a = acp_matrix_position_offset(&anchors[0], &place), b = acp_matrix_position_offset(&anchors[1], &place), found;
        if (!(acp_vec3_length_squared(b) < acp_vec3_length_squared(a)) || acp_vec3_length(b) < acp_vec3_length(a)) continue;
        (void)acp_body_nearest_anchor(anchors, 2, &place, &found);
        assert_memory_equal(&a, &found, sizeof a);
        met++;
    }
    assert_true(met == 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_are_those_of_positions),
        cmocka_unit_test(the_first_of_the_nearest_decides),
        cmocka_unit_test(equal_roots_of_unequal_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
