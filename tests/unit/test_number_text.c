/* SPDX-License-Identifier: MIT */
/* Numbers to text and back. Expected texts are written out by hand; hard decimals come from the definition of the formats: midpoints,
 * limits, more digits than any word holds. The table of powers of ten is computed anew from exact integers. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/big_integer.h"
#include "base/number_text.h"
#include "base/power_of_ten.h"

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void prints_the_shortest_f32(void **state) {
    (void)state;
    static const struct {
        uint32_t bits;
        const char *text;
    } cases[] = {
        {0x00000000u, "0"},
        {0x80000000u, "-0.0"},
        {0x3F800000u, "1"},
        {0xC0400000u, "-3"},
        {0x3951B717u, "0.0002"},
        {0x433FFFBEu, "191.999"},
        {0x433FFFF3u, "191.9998"},
        {0x41BFFFFFu, "23.999998"},
        {0x3DCCD000u, "0.1000061"},
        {0x7F7FFFFFu, "3.4028235e38"},
        {0x00800000u, "1.1754944e-38"},
        {0x007FFFFFu, "1.1754942e-38"},
        {0x00000001u, "1e-45"},
        {0x00000003u, "4e-45"},
        {0x46948000u, "19008"},
        {0x4B800000u, "16777216"},
        {0x3727C5ACu, "0.00001"},
        {0x358637BDu, "1e-6"},
        {0x5A0E1BCAu, "1e16"},
        {0x58635FA9u, "1000000000000000"},
        {0x5D5E0B6Bu, "1e18"},
        {0x7F800000u, "inf"},
        {0xFF800000u, "-inf"},
        {0x7FC00000u, "nan"},
        {0xFFC00000u, "nan"},
        {0x3DCCCCCDu, "0.1"},
        {0x33800000u, "5.9604645e-8"},
        {0xBF3504F3u, "-0.70710677"},
        {0x447A0000u, "1000"},
        {0x4CBEBC20u, "100000000"},
    };
    char text[ACP_NUMBER_TEXT_CAPACITY];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t length = acp_number_format_f32(float_of(cases[i].bits), text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(length, strlen(text));
    }
}

static void prints_the_shortest_f64(void **state) {
    (void)state;
    static const struct {
        uint64_t bits;
        const char *text;
    } cases[] = {
        {0, "0"},
        {0x8000000000000000u, "-0.0"},
        {0x3FF0000000000000u, "1"},
        {0x407E61F6812D0300u, "486.12268178541854"},
        {0x3FB999999999999Au, "0.1"},
        {0x3FD5555555555555u, "0.3333333333333333"},
        {0x7FEFFFFFFFFFFFFFu, "1.7976931348623157e308"},
        {0x0010000000000000u, "2.2250738585072014e-308"},
        {0x000FFFFFFFFFFFFFu, "2.225073858507201e-308"},
        {0x0000000000000001u, "5e-324"},
        {0x4340000000000000u, "9007199254740992"},
        {0x44B52D02C7E14AF6u, "1e23"},
        {0x3CB0000000000000u, "2.220446049250313e-16"},
        {0xFFF0000000000000u, "-inf"},
        {0x7FF8000000000000u, "nan"},
    };
    char text[ACP_NUMBER_TEXT_CAPACITY];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(acp_number_format_f64(double_of(cases[i].bits), text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

/* Every exponent with every mantissa pattern that is near a border, and a fixed pseudo-random walk over the rest. */
static void f32_reads_back(void **state) {
    (void)state;
    static const uint32_t mantissas[] = {0, 1, 2, 0x3FFFFFu, 0x400000u, 0x400001u, 0x7FFFFEu, 0x7FFFFFu, 0x2AAAAAu, 0x555555u};
    char text[ACP_NUMBER_TEXT_CAPACITY];
    uint32_t walk = 1;
    for (uint32_t i = 0; i < 400000; i++) {
        uint32_t bits = (i / 10u) << 23 | mantissas[i % 10u];
        if (i >= 2550) {
            walk = walk * 1664525u + 1013904223u;
            bits = walk & 0x7FFFFFFFu;
            if (bits >= 0x7F800000u) continue;
        }
        float back;
        uint32_t length = acp_number_format_f32(float_of(bits), text);
        assert_true(acp_number_parse_f32(text, length, &back, NULL));
        assert_int_equal(bits_of(back), bits);
    }
}

static void f64_reads_back(void **state) {
    (void)state;
    char text[ACP_NUMBER_TEXT_CAPACITY];
    uint64_t walk = 1;
    for (uint32_t i = 0; i < 20000; i++) {
        walk = walk * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = (walk ^ walk >> 31) & 0x7FFFFFFFFFFFFFFFu, read_bits;
        if (i < 2047) bits = (uint64_t)i << 52 | (i == 0 ? 1u : 0u);
        if (bits >= 0x7FF0000000000000u) continue;
        double back;
        uint32_t length = acp_number_format_f64(double_of(bits), text);
        assert_true(acp_number_parse_f64(text, length, &back, NULL));
        memcpy(&read_bits, &back, sizeof read_bits);
        assert_true(read_bits == bits);
    }
}

static void rounds_once(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t bits;
    } cases[] = {
        {"1", 0x3F800000u},
        {"+1.", 0x3F800000u},
        {".5", 0x3F000000u},
        {"-0", 0x80000000u},
        {"00012.50e+1", 0x42FA0000u},
        {"16777217", 0x4B800000u}, /* a tie goes to the even neighbour … */
        {"16777219.0", 0x4B800002u},
        {"8388609.5", 0x4B000002u},
        {"16777219", 0x4B800002u},
        {"16777217.0000000000000000000000001", 0x4B800001u}, /* … and anything more does not */
        {"16777216.9999999999999999999999999", 0x4B800000u},
        {"16777217.0000000000000000000000000", 0x4B800000u},
        /* halfway between 1 and its successor, and a hair above: binary64 in between would round twice */
        {"1.000000059604644775390625", 0x3F800000u},
        {"1.00000005960464477539062500000000000000000001", 0x3F800001u},
        {"1.0000000596046447753906249999999999999999", 0x3F800000u},
        {"340282356779733661637539395458142568448", 0x7F800000u}, /* the limit: largest + half a step */
        {"340282356779733661637539395458142568447.999", 0x7F7FFFFFu},
        {"1e39", 0x7F800000u},
        {"-1e999999999999", 0xFF800000u},
        {"7.006492321624085e-46", 0x00000000u}, /* just below half the smallest */
        {"7.006492321624086e-46", 0x00000001u},
        {"1e-50", 0x00000000u},
        {"0e999999999", 0x00000000u},
        {"1.1754942807573643e-38", 0x00800000u}, /* half a step above 0x007FFFFF, and a hair more or less */
        {"1.1754942807573642e-38", 0x007FFFFFu},
        {"0.000000000000000000000000000000000000011754942", 0x007FFFFFu},
        {"100000000000000000000000000000000000000", 0x7E967699u},
        {"9999999999999999999e-19", 0x3F800000u},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value;
        assert_true(acp_number_parse_f32(cases[i].text, strlen(cases[i].text), &value, NULL));
        if (bits_of(value) != cases[i].bits)
            fail_msg("%s gave %08X, not %08X", cases[i].text, (unsigned)bits_of(value), (unsigned)cases[i].bits);
    }
}

static void rounds_binary64_once(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1e23", 0x1.52d02c7e14af6p+76},
        {"9007199254740993", 0x1p53},
        {"9007199254740993.000000000000000000000000000000000001", 0x1.0000000000001p53},
        {"1.7976931348623158e308", DBL_MAX},
        {"1e400", (double)(0x1p127f) * 0x1p1000}, /* infinity */
        {"4.9406564584124654e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0.0},
        {"2.4703282292062328e-324", 0x1p-1074},
        {"-2.2250738585072011e-308", -0x0.fffffffffffffp-1022},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        assert_true(acp_number_parse_f64(cases[i].text, strlen(cases[i].text), &value, NULL));
        if (memcmp(&value, &cases[i].value, sizeof value) != 0) fail_msg("%s gave %a, not %a", cases[i].text, value, cases[i].value);
    }
}

/* 1 + 2^-24 is the tie between 1 and its successor; written with 900 digits behind it, the last one decides. */
static void the_last_of_many_digits_decides(void **state) {
    (void)state;
    char text[1000] = "1.000000059604644775390625";
    size_t length = strlen(text);
    memset(text + length, '0', 900);
    float value;
    assert_true(acp_number_parse_f32(text, length + 900, &value, NULL));
    assert_int_equal(bits_of(value), 0x3F800000u);
    text[length + 899] = '1';
    assert_true(acp_number_parse_f32(text, length + 900, &value, NULL));
    assert_int_equal(bits_of(value), 0x3F800001u);
}

static void refuses_what_is_no_number(void **state) {
    (void)state;
    static const char *const texts[] = {"",    "-",  "+",  ".",  "e5",  "-.e1", "nan",  "inf",  "0x10",
                                        "1,5", " 1", "1 ", "1e", "1e+", "--1",  "1..2", "1.2.3"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        float value = 7.0f;
        double wide = 7.0;
        assert_false(acp_number_parse_f32(texts[i], strlen(texts[i]), &value, NULL));
        assert_false(acp_number_parse_f64(texts[i], strlen(texts[i]), &wide, NULL));
        assert_true(value == 7.0f && wide == 7.0);
    }
}

static void reads_a_number_at_the_start(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t used;
        float value;
    } cases[] = {{"42.5N", 4, 42.5f}, {"7e", 1, 7.0f}, {"7e-", 1, 7.0f}, {"7e-1x", 4, 0.7f}, {"1.2.3", 3, 1.2f}, {"0x10", 1, 0.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value;
        size_t used;
        assert_true(acp_number_parse_f32(cases[i].text, strlen(cases[i].text), &value, &used));
        assert_true(used == cases[i].used && value == cases[i].value);
    }
}

/* 2^63 <= mantissa * 2^-x <= 10^e exactly, and one more is too much: with n = 10^max(e,0) and d = 10^max(-e,0), and s the binary exponent
 * minus 63, mantissa * d * 2^max(s,0) <= n * 2^max(-s,0) < (mantissa + 1) * d * 2^max(s,0). */
static void the_table_is_rounded_down_powers(void **state) {
    (void)state;
    for (int32_t e = ACP_POWER_OF_TEN_LOW; e <= ACP_POWER_OF_TEN_HIGH; e++) {
        uint64_t mantissa = acp_power_of_ten_mantissa[e - ACP_POWER_OF_TEN_LOW];
        int32_t s = acp_power_of_ten_binary_exponent(e) - 63;
        acp_big_integer power, below, above;
        assert_true(mantissa >> 63 == 1);
        acp_big_set(&power, 1);
        acp_big_set(&below, mantissa);
        if (e >= 0)
            acp_big_multiply_power_of_ten(&power, (uint32_t)e);
        else
            acp_big_multiply_power_of_ten(&below, (uint32_t)-e);
        acp_big_set(&above, 1);
        if (e < 0) acp_big_multiply_power_of_ten(&above, (uint32_t)-e);
        acp_big_add(&above, &below);
        if (s >= 0) {
            acp_big_shift_left(&below, (uint32_t)s);
            acp_big_shift_left(&above, (uint32_t)s);
        } else {
            acp_big_shift_left(&power, (uint32_t)-s);
        }
        assert_true(acp_big_compare(&below, &power) <= 0);
        assert_true(acp_big_compare(&above, &power) > 0);
        if (e >= 0 && e <= 27) assert_int_equal(acp_big_compare(&below, &power), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_the_shortest_f32),
        cmocka_unit_test(prints_the_shortest_f64),
        cmocka_unit_test(f32_reads_back),
        cmocka_unit_test(f64_reads_back),
        cmocka_unit_test(rounds_once),
        cmocka_unit_test(rounds_binary64_once),
        cmocka_unit_test(the_last_of_many_digits_decides),
        cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(reads_a_number_at_the_start),
        cmocka_unit_test(the_table_is_rounded_down_powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
