/* SPDX-License-Identifier: MIT */
/* Cell ids and land coordinates against the tables of spec 01 §2-5: WM-E1, WM-E2, WM-E3, WM-E4, the compass and the window of a block. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/number.h"
#include "place/cell_id.h"

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* -7 stands for "not written". */
static void ids_and_lcoords(void **state) {
    (void)state;
    static const struct {
        uint32_t id;
        bool is_valid, is_land, is_block;
        int32_t x, y, block_x, block_y;
    } rows[] = {
        {0xA9B40001u, true, true, true, 1352, 1440, 1352, 1440},
        {0xA9B40040u, true, true, true, 1359, 1447, 1352, 1440},
        {0x87640013u, true, true, true, 1082, 802, 1080, 800},
        {0xFEFE0040u, true, true, true, 2039, 2039, 2032, 2032},
        {0x00000001u, true, true, true, 0, 0, 0, 0},
        {0xFF000001u, false, false, false, -7, -7, 2040, 0},
        {0x00FF0001u, false, false, false, -7, -7, 0, 2040},
        {0xA9B40041u, false, false, true, -7, -7, 1352, 1440},
        {0xA9B40100u, true, false, true, -7, -7, 1352, 1440},
        {0xA9B4FFFFu, true, false, true, -7, -7, 1352, 1440},
        {0xA9B4FFFEu, false, false, true, -7, -7, 1352, 1440},
        {0x00000000u, false, false, false, -7, -7, -7, -7},
        {0xA9B40000u, false, false, true, -7, -7, 1352, 1440},
        {0xA9B400FFu, false, false, true, -7, -7, 1352, 1440},
        {0xA9B4FFFDu, true, false, true, -7, -7, 1352, 1440},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t x = -7, y = -7, block_x = -7, block_y = -7;
        assert_int_equal(acp_cell_id_is_valid(rows[i].id), rows[i].is_valid);
        assert_int_equal(acp_lcoord_from_cell_id(rows[i].id, &x, &y), rows[i].is_land);
        assert_int_equal(acp_lcoord_from_block_id(rows[i].id, &block_x, &block_y), rows[i].is_block);
        assert_true(x == rows[i].x && y == rows[i].y && block_x == rows[i].block_x && block_y == rows[i].block_y);
    }
}

static void outdoor_is_the_low_word_alone(void **state) {
    (void)state;
    assert_true(acp_cell_id_is_outdoor(0xA9B40000u));
    assert_true(acp_cell_id_is_outdoor(0xA9B400FFu));
    assert_false(acp_cell_id_is_outdoor(0xA9B40100u));
    assert_false(acp_cell_id_is_outdoor(0xA9B4FFFFu));
}

static void kinds(void **state) {
    (void)state;
    static const struct {
        uint32_t id;
        acp_cell_kind kind;
    } rows[] = {
        {0xA9B40000u, ACP_CELL_KIND_INVALID}, {0xA9B40001u, ACP_CELL_KIND_LAND},       {0xA9B40040u, ACP_CELL_KIND_LAND},
        {0xA9B40041u, ACP_CELL_KIND_INVALID}, {0xA9B400FFu, ACP_CELL_KIND_INVALID},    {0xA9B40100u, ACP_CELL_KIND_ENV},
        {0xA9B4FFFDu, ACP_CELL_KIND_ENV},     {0xA9B4FFFEu, ACP_CELL_KIND_BLOCK_INFO}, {0xA9B4FFFFu, ACP_CELL_KIND_WHOLE_BLOCK},
        {0xFFB40001u, ACP_CELL_KIND_INVALID}, {0xA9FF0100u, ACP_CELL_KIND_INVALID},    {0x00000100u, ACP_CELL_KIND_ENV},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(acp_cell_id_kind(rows[i].id), rows[i].kind);
}

static void lcoords_to_ids(void **state) {
    (void)state;
    assert_int_equal(acp_lcoord_to_cell_id(0, 0), 0x00000001);
    assert_int_equal(acp_lcoord_to_cell_id(2039, 2039), 0xFEFE0040);
    assert_int_equal(acp_lcoord_to_cell_id(1082, 799), 0x87630018);
    assert_int_equal(acp_lcoord_to_cell_id(1608, 719), 0xC9590008);
    assert_int_equal(acp_lcoord_to_cell_id(-1, 0), 0);
    assert_int_equal(acp_lcoord_to_cell_id(2040, 0), 0);
    assert_int_equal(acp_lcoord_to_cell_id(0, -1), 0);
    assert_int_equal(acp_lcoord_to_cell_id(0, 2040), 0);
    assert_int_equal(acp_lcoord_to_block_record_id(1352, 1447), 0xA9B4FFFF);
    assert_int_equal(acp_lcoord_to_block_record_id(2040, 0), 0);
}

/* WM-E4, through get_outside_lcoord from block (1,1), whose south-west cell is (8,8). */
static void floor_and_never_truncation(void **state) {
    (void)state;
    static const struct {
        float v;
        int32_t cells;
    } rows[] = {{-0.0879999995f, -1}, {-24.0f, -1}, {-24.0000019f, -2}, {23.9999981f, 0}, {24.0f, 1}, {-0.0f, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t x, y;
        acp_vec3 point = {rows[i].v, rows[i].v, 0.0f};
        assert_true(acp_lcoord_from_point(0x01010001u, point, &x, &y));
        assert_int_equal(x, 8 + rows[i].cells);
        assert_int_equal(y, 8 + rows[i].cells);
    }
}

/* WM-E2. Bits of 0 stand for "as the decimal". */
static void adjust_to_outside(void **state) {
    (void)state;
    static const struct {
        uint32_t id;
        float x, y, z;
        bool ok;
        uint32_t id_after;
        float x_after, y_after;
        uint32_t x_bits, y_bits;
    } rows[] = {
        {0xA9B40001u, 193.0f, 10.0f, 5.0f, true, 0xAAB40001u, 1.0f, 10.0f, 0x3F800000u, 0x41200000u},
        {0xA9B40001u, -0.00100000005f, 10.0f, 0.0f, true, 0xA8B40039u, 191.998993f, 10.0f, 0x433FFFBEu, 0x41200000u},
        {0xA9B40001u, -9.99999975e-05f, -0.000199899994f, 3.0f, true, 0xA9B40001u, 0.0f, 0.0f, 0, 0},
        {0xA9B40001u, -0.000199999995f, 5.0f, 0.0f, true, 0xA8B40039u, 191.999802f, 5.0f, 0x433FFFF3u, 0x40A00000u},
        {0xA9B40001u, 192.0f, 191.999985f, 0.0f, true, 0xAAB40008u, 0.0f, 191.999985f, 0, 0x433FFFFFu},
        {0xA9B40001u, 24.0f, 23.9999981f, 0.0f, true, 0xA9B40009u, 24.0f, 23.9999981f, 0x41C00000u, 0x41BFFFFFu},
        {0xA9B40001u, 500.25f, -385.5f, 0.0f, true, 0xABB10028u, 116.25f, 190.5f, 0x42E88000u, 0x433E8000u},
        {0xA9B40105u, 30.0f, 50.0f, 6.0f, true, 0xA9B4000Bu, 30.0f, 50.0f, 0, 0},
        {0xA9B4FFFFu, 100.0f, 100.0f, 0.0f, true, 0xA9B40025u, 100.0f, 100.0f, 0, 0},
        {0xC95B0001u, 10.1212339f, -0.0879999995f, 12.0f, true, 0xC95A0008u, 10.1212339f, 191.912003f, 0x4121F093u, 0x433FE979u},
        {0xC95B0039u, 192.100006f, 10.0f, 12.0f, true, 0xCA5B0001u, 0.100006104f, 10.0f, 0x3DCCD000u, 0x41200000u},
        {0x00000001u, -0.5f, 5.0f, 0.0f, false, 0, -0.5f, 5.0f, 0xBF000000u, 0},
        {0x00000001u, -1000.0f, 9.99999975e-06f, 0.0f, false, 0, -1000.0f, 0.0f, 0xC47A0000u, 0},
        {0xFE5B0040u, 192.0f, 5.0f, 0.0f, false, 0, 192.0f, 5.0f, 0, 0},
        {0xFF5B0001u, -0.5f, 5.0f, 0.0f, true, 0xFE5B0039u, 191.5f, 5.0f, 0x433F8000u, 0},
        {0xA9B40050u, 10.0f, 10.0f, 0.0f, false, 0, 10.0f, 10.0f, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t id = rows[i].id;
        acp_vec3 point = {rows[i].x, rows[i].y, rows[i].z};
        assert_int_equal(acp_adjust_to_outside(&id, &point), rows[i].ok);
        assert_int_equal(id, rows[i].id_after);
        assert_int_equal(bits_of(point.x), rows[i].x_bits ? rows[i].x_bits : bits_of(rows[i].x_after));
        assert_int_equal(bits_of(point.y), rows[i].y_bits ? rows[i].y_bits : bits_of(rows[i].y_after));
        assert_int_equal(bits_of(point.z), bits_of(rows[i].z));
    }
}

static void the_snap_leaves_positive_zero(void **state) {
    (void)state;
    uint32_t id = 0xA9B40001u;
    acp_vec3 point = {-0.0f, -0.0001f, -0.0f};
    assert_true(acp_adjust_to_outside(&id, &point));
    assert_int_equal(bits_of(point.x), 0);
    assert_int_equal(bits_of(point.y), 0);
    assert_int_equal(bits_of(point.z), 0x80000000u); /* z is never examined */
}

/* What no caller reaches through the public door: the conversion of the client (WM-6, RA-8). */
static void numbers_beyond_any_map(void **state) {
    (void)state;
    int32_t x = 0, y = 0;
    acp_vec3 nan_point = {NAN, 0.0f, 0.0f}, far_point = {1e30f, 0.0f, 0.0f};
    assert_true(acp_lcoord_from_point(0xA9B40001u, nan_point, &x, &y));
    assert_int_equal(x, 1352);
    assert_true(acp_lcoord_from_point(0xA9B40001u, far_point, &x, &y));
    assert_int_equal(x, 1352);
}

/* WM-E3. */
static void block_offsets(void **state) {
    (void)state;
    static const struct {
        uint32_t from, to;
        acp_vec3 v;
    } rows[] = {
        {0xA9B40001u, 0xA9B40105u, {0.0f, 0.0f, 0.0f}},
        {0xA9B40001u, 0xAAB40001u, {192.0f, 0.0f, 0.0f}},
        {0xAAB40001u, 0xA9B40001u, {-192.0f, 0.0f, 0.0f}},
        {0xA9B40001u, 0xA9B50001u, {0.0f, 192.0f, 0.0f}},
        {0x00000001u, 0xFEFE0040u, {48768.0f, 48768.0f, 0.0f}},
        {0xC95B0001u, 0xC95A0008u, {0.0f, -192.0f, 0.0f}},
        {0x00000000u, 0xA9B40001u, {32448.0f, 34560.0f, 0.0f}},
        {0xA9B40001u, 0x00000000u, {-3.47477443e+10f, -3.47477443e+10f, 0.0f}},
        {0x00010001u, 0x00000000u, {1572888.0f, 1572696.0f, 0.0f}},
        {0, 0, {0.0f, 0.0f, 0.0f}},
        {0x00000001u, 0, {0.0f, 0.0f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_vec3 v = acp_block_offset_unchecked(rows[i].from, rows[i].to);
        assert_memory_equal(&v, &rows[i].v, sizeof v);
        if (rows[i].from == 0 || rows[i].to == 0) continue;
        v = acp_block_offset(rows[i].from, rows[i].to);
        assert_memory_equal(&v, &rows[i].v, sizeof v);
    }
}

static void the_door_refuses_id_0(void **state) {
    (void)state;
    acp_vec3 v = {7.0f, 7.0f, 7.0f};
    assert_int_equal(acp_cell_id_block_offset(0, 0xA9B40001u, &v), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_cell_id_block_offset(0xA9B40001u, 0, &v), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_cell_id_block_offset(0xA9B40001u, 0xA9B50001u, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_true(v.x == 7.0f && v.y == 7.0f);
    assert_int_equal(acp_cell_id_block_offset(0xA9B40001u, 0xA9B50001u, &v), ACP_OK);
    assert_true(v.x == 0.0f && v.y == 192.0f && v.z == 0.0f);
}

/* WM-20: closed below, open above. */
static void within_block(void **state) {
    (void)state;
    acp_vec3 corner = {1.0f, 1.0f, 0.0f}, high = {190.999f, 190.999f, 0.0f}, at_limit = {191.0f, 100.0f, 0.0f}, low = {0.999f, 5.0f, 0.0f};
    assert_true(acp_is_within_block(corner, 1.0f));
    assert_true(acp_is_within_block(high, 1.0f));
    assert_false(acp_is_within_block(at_limit, 1.0f));
    assert_false(acp_is_within_block(low, 1.0f));
}

/* WM-21. */
static void compass(void **state) {
    (void)state;
    static const struct {
        int32_t x, y, direction;
        float heading;
    } rows[] = {{0, 0, 0, 0.0f},       {0, 9, 1, 0.0f},         {0, -1, 2, 3.1415927f}, {3, 0, 3, 1.5707964f}, {-3, 0, 4, 4.712389f},
                {-1, 2, 5, 5.497787f}, {-1, -2, 6, 3.9269907f}, {5, 5, 7, 0.78539819f}, {5, -1, 8, 2.3561945f}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(acp_compass_direction(rows[i].x, rows[i].y), rows[i].direction);
        assert_int_equal(bits_of(acp_compass_heading(rows[i].direction)), bits_of(rows[i].heading));
    }
    assert_true(acp_compass_heading(99) == 0.0f);
}

static void map_coordinates(void **state) {
    (void)state;
    int32_t north = 7, east = 7;
    assert_int_equal(acp_cell_id_map_coordinates(0xA9B40001u, &north, &east), ACP_OK);
    assert_true(north == 421 && east == 333);
    assert_int_equal(acp_cell_id_map_coordinates(0x00000001u, &north, &east), ACP_OK);
    assert_true(north == -1019 && east == -1019);
    assert_int_equal(acp_cell_id_map_coordinates(0xA9B40100u, &north, &east), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_cell_id_map_coordinates(0xA9B40001u, NULL, &east), ACP_ERROR_INVALID_ARGUMENT);
}

/* WM-5: the bits of the constants. */
static void constants(void **state) {
    (void)state;
    assert_int_equal(bits_of(ACP_EPSILON), 0x3951B717u);
    assert_true(ACP_EPSILON_F64 * 5.0 == 0.00099999997473787516);
    assert_true(ACP_EPSILON_F64 * ACP_EPSILON_F64 == 3.9999997979030039e-08);
    assert_int_equal(bits_of(ACP_FLOOR_Z), 0x3F2A0751u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_and_lcoords),
        cmocka_unit_test(outdoor_is_the_low_word_alone),
        cmocka_unit_test(kinds),
        cmocka_unit_test(lcoords_to_ids),
        cmocka_unit_test(floor_and_never_truncation),
        cmocka_unit_test(adjust_to_outside),
        cmocka_unit_test(the_snap_leaves_positive_zero),
        cmocka_unit_test(numbers_beyond_any_map),
        cmocka_unit_test(block_offsets),
        cmocka_unit_test(the_door_refuses_id_0),
        cmocka_unit_test(within_block),
        cmocka_unit_test(compass),
        cmocka_unit_test(map_coordinates),
        cmocka_unit_test(constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
