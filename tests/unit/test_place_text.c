/* SPDX-License-Identifier: MIT */
/* Places as text: the three forms both ways, and for every way a text can be wrong the byte where reading stopped. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/place.h"

static acp_position read_text(const char *text, acp_place_form expected_form) {
    acp_position position;
    acp_place_form form;
    acp_error error;
    if (acp_position_parse(text, strlen(text), &position, &form, &error) != ACP_OK) fail_msg("%s: %s", text, error.message);
    assert_int_equal(form, expected_form);
    return position;
}

static void assert_position(acp_position p, uint32_t cell_id, float x, float y, float z, float w, float qx, float qy, float qz) {
    assert_int_equal(p.cell_id, cell_id);
    assert_true(p.frame.origin.x == x && p.frame.origin.y == y && p.frame.origin.z == z);
    assert_true(p.frame.rotation.w == w && p.frame.rotation.x == qx && p.frame.rotation.y == qy && p.frame.rotation.z == qz);
}

static void reads_cell_and_coordinates(void **state) {
    (void)state;
    static const char *const texts[] = {"0xA9B40001 84 7.1 94",        "A9B40001 84 7.1 94",     "  0xa9b40001\t84.0  7.1 94 ",
                                        "0XA9B40001,84,7.1,94",        "0xA9B40001 84, 7.1, 94", "0xA9B40001 +84 71e-1 9.4e1",
                                        "0xA9B40001 84 7.1 94 1 0 0 0"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_position(read_text(texts[i], ACP_PLACE_FORM_CELL), 0xA9B40001u, 84.0f, 7.1f, 94.0f, 1.0f, 0.0f, 0.0f, 0.0f);
    assert_position(read_text("0x1 -0.5 .5 5. 0.6 0 0 -0.8", ACP_PLACE_FORM_CELL), 1u, -0.5f, 0.5f, 5.0f, 0.6f, 0.0f, 0.0f, -0.8f);
}

static void reads_the_loc_line(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0xA9B40001 [84.0 7.1 94.0] 0.996917 0 0 -0.078459",
        "Your location is: 0xA9B40001 [84.000000 7.100000 94.000000] 0.996917 0.000000 0.000000 -0.078459",
        "0xA9B40001[84 7.1 94]0.996917 0 0 -0.078459",
        "0xA9B40001 [ 84, 7.1, 94 ], 0.996917, 0, 0, -0.078459",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_position(read_text(texts[i], ACP_PLACE_FORM_LOC), 0xA9B40001u, 84.0f, 7.1f, 94.0f, 0.996917f, 0.0f, 0.0f, -0.078459f);
    assert_position(read_text("0xA9B40001 [84 7.1 94]", ACP_PLACE_FORM_LOC), 0xA9B40001u, 84.0f, 7.1f, 94.0f, 1.0f, 0.0f, 0.0f, 0.0f);
}

static void reads_map_coordinates(void **state) {
    (void)state;
    static const char *const texts[] = {"42.1N, 33.3E", "42.1n 33.3e", "42.1N33.3E", " 42.1 N , 33.3 E ", "042.1N, 33.3E"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_position(read_text(texts[i], ACP_PLACE_FORM_MAP), 0xA9B40001u, 12.0f, 12.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f);
    assert_int_equal(read_text("101.9S, 101.9W", ACP_PLACE_FORM_MAP).cell_id, 0x00000001u);
    assert_int_equal(read_text("102.0N, 102E", ACP_PLACE_FORM_MAP).cell_id, 0xFEFE0040u);
    assert_int_equal(read_text("0N, 0W", ACP_PLACE_FORM_MAP).cell_id, 0x7F7F001Cu); /* lcoord (1019, 1019) */
}

static void says_where_it_stopped(void **state) {
    (void)state;
    static const struct {
        const char *text;
        acp_result result;
        uint64_t at;
        const char *field;
    } rows[] = {
        {"", ACP_ERROR_BAD_DATA, 0, "north"},
        {"   ", ACP_ERROR_BAD_DATA, 3, "north"},
        {"hello", ACP_ERROR_BAD_DATA, 0, "north"},
        {"0x", ACP_ERROR_BAD_DATA, 2, "cell id"},
        {"0xA9B400011 1 2 3", ACP_ERROR_BAD_DATA, 2, "cell id"},
        {"0xA9B40001", ACP_ERROR_BAD_DATA, 10, "x"},
        {"0xA9B40001zz 1 2 3", ACP_ERROR_BAD_DATA, 10, "x"},
        {"0xA9B40001 1 2", ACP_ERROR_BAD_DATA, 14, "z"},
        {"0xA9B40001 1 2 x", ACP_ERROR_BAD_DATA, 15, "z"},
        {"0xA9B40001 1 2 nan", ACP_ERROR_BAD_DATA, 15, "z"},
        {"0xA9B40001 1 2 1e39", ACP_ERROR_NOT_FINITE, 15, "z"},
        {"0xA9B40001 1,,2 3", ACP_ERROR_BAD_DATA, 13, "y"},
        {"0xA9B40001 1 2 3 4", ACP_ERROR_BAD_DATA, 18, "qx"},
        {"0xA9B40001 1 2 3 1 0 0 0 9", ACP_ERROR_BAD_DATA, 25, "end"},
        {"0xA9B40001 1 2 3x", ACP_ERROR_BAD_DATA, 16, "qw"},
        {"0xA9B40001 [1 2 3", ACP_ERROR_BAD_DATA, 17, "z"},
        {"0xA9B40001 [1 2 3] 1 0 0", ACP_ERROR_BAD_DATA, 24, "qz"},
        {"0xA9B40001 1+2 3", ACP_ERROR_BAD_DATA, 12, "y"},
        {"42.1N", ACP_ERROR_BAD_DATA, 5, "east"},
        {"42.1, 33.3E", ACP_ERROR_BAD_DATA, 4, "north"},
        {"42.15N, 33.3E", ACP_ERROR_BAD_DATA, 4, "north"},
        {"42.N, 33.3E", ACP_ERROR_BAD_DATA, 3, "north"},
        {"42.1N, 33.3N", ACP_ERROR_BAD_DATA, 11, "east"},
        {"42.1N, 33.3E x", ACP_ERROR_BAD_DATA, 13, "end"},
        {"102.1N, 33.3E", ACP_ERROR_OUTSIDE_MAP, 0, "north"},
        {"42.1N, 102.0W", ACP_ERROR_OUTSIDE_MAP, 7, "east"},
        {"99999999999999999999N, 33.3E", ACP_ERROR_OUTSIDE_MAP, 0, "north"},
        {"-42.1N, 33.3E", ACP_ERROR_BAD_DATA, 0, "north"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_position p, kept;
        acp_place_form form = ACP_PLACE_FORM_LOC;
        acp_error error;
        memset(&p, 0x55, sizeof p);
        kept = p;
        acp_result result = acp_position_parse(rows[i].text, strlen(rows[i].text), &p, &form, &error);
        if (result != rows[i].result || error.byte_offset != rows[i].at || strcmp(error.field, rows[i].field) != 0)
            fail_msg("\"%s\": %s at %d, field %s", rows[i].text, acp_result_name(result), (int)error.byte_offset, error.field);
        assert_memory_equal(&p, &kept, sizeof p);
        assert_int_equal(form, ACP_PLACE_FORM_LOC);
        assert_int_equal(acp_position_parse(rows[i].text, strlen(rows[i].text), &p, NULL, NULL), rows[i].result);
    }
}

static void reads_no_further_than_told(void **state) {
    (void)state;
    acp_position p;
    char long_text[600];
    assert_int_equal(acp_position_parse("0xA9B40001 1 2 34", 16, &p, NULL, NULL), ACP_OK);
    assert_true(p.frame.origin.z == 3.0f);
    assert_int_equal(acp_position_parse("0x", 1, &p, NULL, NULL), ACP_ERROR_BAD_DATA);
    memset(long_text, ' ', sizeof long_text);
    assert_int_equal(acp_position_parse(long_text, sizeof long_text, &p, NULL, NULL), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_position_parse(NULL, 0, &p, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_position_parse("0x1 1 2 3", 9, NULL, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
}

static void writes_three_forms(void **state) {
    (void)state;
    acp_position p = {0xA9B40001u, {{84.0f, 7.1f, 94.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    char text[ACP_PLACE_TEXT_CAPACITY];
    size_t length;
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_CELL, text, sizeof text, &length), ACP_OK);
    assert_string_equal(text, "0xA9B40001 84 7.1 94");
    assert_int_equal(length, strlen(text));
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_LOC, text, sizeof text, NULL), ACP_OK);
    assert_string_equal(text, "0xA9B40001 [84 7.1 94] 1 0 0 0");
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_MAP, text, sizeof text, NULL), ACP_OK);
    assert_string_equal(text, "42.1N, 33.6E"); /* x = 84 is the fourth cell eastward */
    p.frame.rotation = (acp_quaternion){0.6f, 0.0f, 0.0f, -0.8f};
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_CELL, text, sizeof text, NULL), ACP_OK);
    assert_string_equal(text, "0xA9B40001 84 7.1 94 0.6 0 0 -0.8");
    p.cell_id = 0x00000001u;
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_MAP, text, sizeof text, NULL), ACP_OK);
    assert_string_equal(text, "101.9S, 101.6W");
}

static void refuses_to_write(void **state) {
    (void)state;
    acp_position p = {0xA9B40001u, {{84.0f, 7.1f, 94.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    char text[ACP_PLACE_TEXT_CAPACITY] = "x";
    size_t length = 7;
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_CELL, text, 20, &length), ACP_ERROR_LIMIT);
    assert_true(text[0] == '\0' && length == 7);
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_CELL, text, 21, &length), ACP_OK);
    assert_int_equal(length, 20);
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_CELL, NULL, 0, NULL), ACP_ERROR_LIMIT);
    assert_int_equal(acp_position_format(NULL, ACP_PLACE_FORM_CELL, text, sizeof text, NULL), ACP_ERROR_INVALID_ARGUMENT);
    p.frame.origin.x = -1e9f;
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_MAP, text, sizeof text, NULL), ACP_ERROR_OUTSIDE_MAP);
    p.frame.origin.x = NAN;
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_CELL, text, sizeof text, NULL), ACP_ERROR_NOT_FINITE);
}

/* The widest numbers still fit the stated capacity, and come back to the bit. */
static void the_longest_text(void **state) {
    (void)state;
    const float wide = -1.17549421e-38f;
    acp_position p = {0xFFFFFFFFu, {{wide, wide, wide}, {wide, wide, wide, wide}}}, back;
    char text[ACP_PLACE_TEXT_CAPACITY];
    size_t length;
    assert_int_equal(acp_position_format(&p, ACP_PLACE_FORM_LOC, text, sizeof text, &length), ACP_OK);
    assert_int_equal(acp_position_parse(text, length, &back, NULL, NULL), ACP_OK);
    assert_memory_equal(&back, &p, sizeof p);
}

static void a_comma_locale_changes_nothing(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !set; i++)
        set = setlocale(LC_ALL, names[i]);
    char text[ACP_PLACE_TEXT_CAPACITY];
    acp_position p = read_text("0xA9B40001 84.5 7.1 94", ACP_PLACE_FORM_CELL);
    acp_result result = acp_position_format(&p, ACP_PLACE_FORM_CELL, text, sizeof text, NULL);
    (void)setlocale(LC_ALL, "C");
    assert_int_equal(result, ACP_OK);
    assert_string_equal(text, "0xA9B40001 84.5 7.1 94");
    if (!set) skip(); /* no locale with a decimal comma is installed: the same code ran, in the C locale */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_cell_and_coordinates),
        cmocka_unit_test(reads_the_loc_line),
        cmocka_unit_test(reads_map_coordinates),
        cmocka_unit_test(says_where_it_stopped),
        cmocka_unit_test(reads_no_further_than_told),
        cmocka_unit_test(writes_three_forms),
        cmocka_unit_test(refuses_to_write),
        cmocka_unit_test(the_longest_text),
        cmocka_unit_test(a_comma_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
