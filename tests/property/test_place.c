/* SPDX-License-Identifier: MIT */
/* Places: every landblock and land cell of the map, and laws that hold for any position.
 *
 * Exhaustive: all 65,025 blocks x 64 cells go id -> land coordinate -> id and id -> coordinates -> id, and every cell reaches its eight
 * neighbours through adjust_to_outside from 12 m and 24 m away. Expected values are integer arithmetic on block and cell numbers.
 * Random: canonical form is idempotent and names the same place; offsets are antisymmetric and additive to rounding; text reads back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/place.h"
#include "place/cell_id.h"
#include "place/position.h"
#include "tests/support/random.h"

static uint32_t expected_id(int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= 2040 || y >= 2040) return 0;
    return (uint32_t)(x / 8) << 24 | (uint32_t)(y / 8) << 16 | (uint32_t)(x % 8 * 8 + y % 8 + 1);
}

static void every_cell_of_the_map(void **state) {
    (void)state;
    uint64_t faults = 0, cells = 0;
    for (int32_t bx = 0; bx < 255; bx++) {
        for (int32_t by = 0; by < 255; by++) {
            for (int32_t cell = 0; cell < 64; cell++) {
                int32_t x = 8 * bx + cell / 8, y = 8 * by + cell % 8, read_x = -1, read_y = -1;
                uint32_t id = (uint32_t)bx << 24 | (uint32_t)by << 16 | (uint32_t)(cell + 1);
                bool ok = acp_lcoord_from_cell_id(id, &read_x, &read_y) && read_x == x && read_y == y;
                ok = ok && acp_lcoord_to_cell_id(x, y) == id && acp_cell_id_is_valid(id) && acp_cell_id_kind(id) == ACP_CELL_KIND_LAND;
                ok = ok && acp_lcoord_to_block_record_id(x, y) == (id | 0xFFFFu);
                /* from the middle, seen from this block and as an EnvCell of it */
                acp_vec3 middle = {(float)(24 * (cell / 8) + 12), (float)(24 * (cell % 8) + 12), 3.0f}, point = middle;
                uint32_t label = (id & 0xFFFF0000u) | 0x0100u;
                ok = ok && acp_adjust_to_outside(&label, &point) && label == id && memcmp(&point, &middle, sizeof point) == 0;
                /* all neighbours, from the middle of one cell to the middle of the next */
                for (int32_t dx = -1; dx <= 1; dx++) {
                    for (int32_t dy = -1; dy <= 1; dy++) {
                        uint32_t expected = expected_id(x + dx, y + dy);
                        acp_vec3 moved = {middle.x + (float)(24 * dx), middle.y + (float)(24 * dy), 3.0f};
                        label = id;
                        bool is_inside = acp_adjust_to_outside(&label, &moved);
                        ok = ok && label == expected && is_inside == (expected != 0);
                        if (!is_inside) continue;
                        ok = ok && moved.x == (float)((x + dx) % 8 * 24 + 12) && moved.y == (float)((y + dy) % 8 * 24 + 12);
                    }
                }
                faults += ok ? 0u : 1u;
                cells++;
            }
        }
    }
    print_message("%llu cells\n", (unsigned long long)cells);
    assert_true(cells == 4161600u);
    assert_true(faults == 0);
}

/* All neighbours, and for every 16th block all other blocks: the offset is the difference of the block numbers times 192. */
static void every_block_offset(void **state) {
    (void)state;
    uint64_t faults = 0;
    for (int32_t from = 0; from < 65025; from++) {
        int32_t fx = from / 255, fy = from % 255;
        uint32_t from_id = (uint32_t)fx << 24 | (uint32_t)fy << 16 | 1u;
        for (int32_t dx = -1; dx <= 1; dx++) {
            for (int32_t dy = -1; dy <= 1; dy++) {
                if (fx + dx < 0 || fy + dy < 0) continue;
                uint32_t to_id = (uint32_t)(fx + dx) << 24 | (uint32_t)(fy + dy) << 16 | 0x100u;
                acp_vec3 there = acp_block_offset(from_id, to_id), back = acp_block_offset(to_id, from_id);
                faults += there.x == (float)(192 * dx) && there.y == (float)(192 * dy) && there.z == 0.0f ? 0u : 1u;
                faults += back.x == -there.x && back.y == -there.y ? 0u : 1u;
            }
        }
        if (from % 97 != 0) continue;
        for (int32_t to = 0; to < 65025; to += 7) {
            int32_t tx = to / 255, ty = to % 255;
            acp_vec3 v = acp_block_offset(from_id, (uint32_t)tx << 24 | (uint32_t)ty << 16 | 1u);
            faults += v.x == (float)(192 * (tx - fx)) && v.y == (float)(192 * (ty - fy)) ? 0u : 1u;
        }
    }
    assert_true(faults == 0);
}

/* A block-local coordinate, often a few units in the last place beside a line of cells or blocks, or beside the snap. */
static float any_coordinate(test_random *random) {
    static const float lines[] = {0.0f, 24.0f, 96.0f, 168.0f, 192.0f, -192.0f, 384.0f, 0.0002f, -0.0002f};
    uint32_t choice = test_random_below(random, 4);
    if (choice == 0) return (float)test_random_in(random, -400.0, 600.0);
    if (choice == 1) return (float)test_random_in(random, 0.0, 192.0);
    float line = lines[test_random_below(random, sizeof lines / sizeof lines[0])];
    for (uint32_t i = test_random_below(random, 4); i > 0; i--)
        line = nextafterf(line, choice == 2 ? 1e9f : -1e9f);
    return line;
}

static acp_position any_position(test_random *random) {
    uint32_t bx = test_random_below(random, 255), by = test_random_below(random, 255);
    acp_position p = {bx << 24 | by << 16 | (test_random_below(random, 64) + 1u), acp_frame_identity()};
    p.frame.origin = (acp_vec3){any_coordinate(random), any_coordinate(random), (float)test_random_in(random, -300.0, 700.0)};
    acp_quaternion q = {(float)test_random_in(random, -1.0, 1.0), (float)test_random_in(random, -1.0, 1.0),
                        (float)test_random_in(random, -1.0, 1.0), (float)test_random_in(random, -1.0, 1.0)};
    acp_result ignored = acp_frame_set_rotation(&p.frame, q);
    (void)ignored;
    return p;
}

static void canonical_form(void **state) {
    (void)state;
    test_random random = {test_seed("canonical_form", 0x01)};
    for (uint32_t i = 0; i < 300000; i++) {
        acp_position p = any_position(&random), canonical = p, again;
        int32_t block_x = 0, block_y = 0, x, y;
        if (acp_position_canonicalize(&canonical) != ACP_OK) continue;
        assert_true(canonical.frame.origin.x >= 0.0f && canonical.frame.origin.x < 192.0f);
        assert_true(canonical.frame.origin.y >= 0.0f && canonical.frame.origin.y < 192.0f);
        assert_memory_equal(&canonical.frame.origin.z, &p.frame.origin.z, sizeof(float));
        assert_memory_equal(&canonical.frame.rotation, &p.frame.rotation, sizeof p.frame.rotation);
        again = canonical;
        assert_int_equal(acp_position_canonicalize(&again), ACP_OK);
        assert_int_equal(again.cell_id, canonical.cell_id);
        /* WM-16 calls itself idempotent; a point wrapped to less than EPSILON is snapped the second time, and no other changes */
        if (canonical.frame.origin.x < 0.0002f) again.frame.origin.x = canonical.frame.origin.x;
        if (canonical.frame.origin.y < 0.0002f) again.frame.origin.y = canonical.frame.origin.y;
        assert_memory_equal(&again, &canonical, sizeof again);
        /* label and point agree: the cell is the one under the point */
        assert_true(acp_lcoord_from_block_id(canonical.cell_id, &block_x, &block_y));
        assert_true(acp_lcoord_from_cell_id(canonical.cell_id, &x, &y));
        assert_int_equal(x - block_x, (int32_t)floor((double)canonical.frame.origin.x / 24.0));
        assert_int_equal(y - block_y, (int32_t)floor((double)canonical.frame.origin.y / 24.0));
        /* the same place: the snap is at most 0.0002, the one rounding less */
        acp_vec3 moved;
        assert_int_equal(acp_position_offset(&p, &canonical, &moved), ACP_OK);
        assert_true(fabsf(moved.x) < 0.00025f && fabsf(moved.y) < 0.00025f && moved.z == 0.0f);
    }
}

static void measures_between_any_two(void **state) {
    (void)state;
    test_random random = {test_seed("measures_between_any_two", 0x02)};
    for (uint32_t i = 0; i < 100000; i++) {
        acp_position a = any_position(&random), b = any_position(&random);
        acp_vec3 there, back, point, returned;
        double distance, xy;
        assert_int_equal(acp_position_offset(&a, &b, &there), ACP_OK);
        assert_int_equal(acp_position_offset(&b, &a, &back), ACP_OK);
        assert_true(fabsf(there.x + back.x) <= 0.02f && fabsf(there.y + back.y) <= 0.02f && fabsf(there.z + back.z) <= 0.001f);
        assert_int_equal(acp_position_distance(&a, &b, &distance), ACP_OK);
        assert_int_equal(acp_position_xy_distance(&a, &b, &xy), ACP_OK);
        assert_true(xy <= distance && distance <= xy + fabs((double)there.z) + 1e-9);
        /* a point of a's axes in b's axes and back, when they are near enough for binary32 */
        b.cell_id = (a.cell_id & 0xFFFF0000u) | (b.cell_id & 0xFFFFu);
        point = (acp_vec3){3.0f, -4.0f, 5.0f};
        assert_int_equal(acp_position_local_to_local(&b, &a, point, &returned), ACP_OK);
        assert_int_equal(acp_position_local_to_local(&a, &b, returned, &returned), ACP_OK);
        assert_true(fabsf(returned.x - 3.0f) < 0.01f && fabsf(returned.y + 4.0f) < 0.01f && fabsf(returned.z - 5.0f) < 0.01f);
    }
}

static void text_reads_back(void **state) {
    (void)state;
    test_random random = {test_seed("text_reads_back", 0x03)};
    for (uint32_t i = 0; i < 100000; i++) {
        acp_position p = any_position(&random), back;
        char text[ACP_PLACE_TEXT_CAPACITY];
        size_t length;
        acp_place_form form = i % 2 ? ACP_PLACE_FORM_CELL : ACP_PLACE_FORM_LOC, read_form;
        assert_int_equal(acp_position_format(&p, form, text, sizeof text, &length), ACP_OK);
        assert_int_equal(acp_position_parse(text, length, &back, &read_form, NULL), ACP_OK);
        assert_int_equal(read_form, form);
        assert_memory_equal(&back, &p, sizeof p);
    }
}

/* Every land cell has its own map coordinates, and they read back as that cell. */
static void map_coordinates_read_back(void **state) {
    (void)state;
    for (int32_t x = 0; x < 2040; x += 1 + x % 13) {
        for (int32_t y = 0; y < 2040; y += 1 + y % 17) {
            acp_position p = {acp_lcoord_to_cell_id(x, y), acp_frame_identity()}, back;
            p.frame.origin = (acp_vec3){(float)(x % 8 * 24 + 12), (float)(y % 8 * 24 + 12), 0.0f};
            char text[ACP_PLACE_TEXT_CAPACITY];
            size_t length;
            assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_MAP, text, sizeof text, &length), ACP_OK);
            assert_int_equal(acp_position_parse(text, length, &back, NULL, NULL), ACP_OK);
            assert_memory_equal(&back, &p, sizeof p);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_of_the_map),    cmocka_unit_test(every_block_offset), cmocka_unit_test(canonical_form),
        cmocka_unit_test(measures_between_any_two), cmocka_unit_test(text_reads_back),    cmocka_unit_test(map_coordinates_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
