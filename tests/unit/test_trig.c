/* SPDX-License-Identifier: MIT */
/* The fixed set of elementary functions: true values to within one ulp, exact bits as they must be on every platform, special values. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "math/trig.h"

enum { ACP_SIN, ACP_COS, ACP_ASIN, ACP_ACOS, ACP_ATAN2, ACP_POW, ACP_FMOD, FUNCTION_COUNT };
static const char *const names[FUNCTION_COUNT] = {"sin", "cos", "asin", "acos", "atan2", "pow", "fmod"};

typedef struct trig_row {
    int function;
    uint64_t x;
    uint64_t y;
    uint64_t rounded;
    int ulps;
} trig_row;

#include "trig_golden.h"

#define QUIET_NAN 0xFFF8000000000000u
#define INFINITE  0x7FF0000000000000u

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t evaluate(int function, double x, double y) {
    switch (function) {
    case ACP_SIN:
        return to_bits(acp_sin(x));
    case ACP_COS:
        return to_bits(acp_cos(x));
    case ACP_ASIN:
        return to_bits(acp_asin(x));
    case ACP_ACOS:
        return to_bits(acp_acos(x));
    case ACP_ATAN2:
        return to_bits(acp_atan2(x, y));
    case ACP_POW:
        return to_bits(acp_pow(x, y));
    default:
        return to_bits(acp_fmod(x, y));
    }
}

static void every_golden_value_has_its_bits(void **state) {
    (void)state;
    size_t count = sizeof golden / sizeof golden[0];
    unsigned wrong = 0;
    assert_true(count > 300);
    for (size_t i = 0; i < count; i++) {
        const trig_row *row = &golden[i];
        uint64_t expected = row->rounded + (uint64_t)(int64_t)row->ulps;
        uint64_t actual = evaluate(row->function, from_bits(row->x), from_bits(row->y));
        if (actual != expected) {
            print_error("%s(%a, %a) = %a, expected %a\n", names[row->function], from_bits(row->x), from_bits(row->y), from_bits(actual),
                        from_bits(expected));
            wrong++;
        }
        assert_in_range(row->ulps + 1, 0, 2);
    }
    assert_int_equal(wrong, 0);
}

static uint64_t next_random(uint64_t *seed) {
    uint64_t z = (*seed += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* In [-scale, scale). */
static double next_in(uint64_t *seed, double scale) { return ((double)(next_random(seed) >> 11) * 0x1p-52 - 1.0) * scale; }

/* A hash over many arguments in the ranges that the engine uses: one number per function that must be the same with every compiler,
 * level and target. The table of golden values says that the functions are right; this says that they are the same. */
static void a_sweep_has_the_same_bits_everywhere(void **state) {
    (void)state;
    static const double scale_x[FUNCTION_COUNT] = {100.0, 100.0, 1.0, 1.0, 200.0, 10.0, 1e4};
    static const double scale_y[FUNCTION_COUNT] = {1.0, 1.0, 1.0, 1.0, 200.0, 20.0, 500.0};
    static const uint64_t expected[FUNCTION_COUNT] = {
        0xE8A0A8D99C627E59u, 0x46ADD8011F045333u, 0xE295F12CDE005121u, 0x44803A3EFCF6823Au,
        0xE7523CF7A1E950B6u, 0x839A5BF93AC02F13u, 0x3196B07D14886DFFu,
    };
    for (int function = 0; function < FUNCTION_COUNT; function++) {
        uint64_t seed = 1;
        uint64_t hash = 0xCBF29CE484222325u;
        for (int i = 0; i < 20000; i++) {
            double x = next_in(&seed, scale_x[function]);
            double y = next_in(&seed, scale_y[function]);
            if (function == ACP_POW && x < 0) x = -x;
            hash = (hash ^ evaluate(function, x, y)) * 0x100000001B3u;
        }
        if (hash != expected[function]) print_error("%s: 0x%016llXu\n", names[function], (unsigned long long)hash);
        assert_true(hash == expected[function]);
    }
}

static void zeros_keep_their_sign(void **state) {
    (void)state;
    const uint64_t minus_zero = 0x8000000000000000u;
    assert_true(to_bits(acp_sin(-0.0)) == minus_zero && to_bits(acp_sin(0.0)) == 0);
    assert_true(to_bits(acp_asin(-0.0)) == minus_zero);
    assert_true(to_bits(acp_atan2(-0.0, 1.0)) == minus_zero && to_bits(acp_atan2(0.0, 1.0)) == 0);
    assert_true(to_bits(acp_fmod(-360.0, 360.0)) == minus_zero && to_bits(acp_fmod(360.0, -360.0)) == 0);
    assert_true(to_bits(acp_cos(-0.0)) == to_bits(1.0) && to_bits(acp_acos(1.0)) == 0);
}

static void quarter_turns_are_the_nearest_binary64(void **state) {
    (void)state;
    const double pi = 0x1.921fb54442d18p+1;
    assert_true(acp_atan2(1.0, 0.0) == pi / 2 && acp_atan2(-1.0, 0.0) == -pi / 2);
    assert_true(acp_atan2(0.0, -1.0) == pi && acp_atan2(-0.0, -1.0) == -pi);
    assert_true(acp_atan2(0.0, 0.0) == 0.0 && acp_atan2(0.0, -0.0) == pi);
    assert_true(acp_acos(-1.0) == pi && acp_acos(0.0) == pi / 2 && acp_asin(1.0) == pi / 2 && acp_asin(-1.0) == -pi / 2);
}

static void outside_the_domain_is_one_quiet_nan(void **state) {
    (void)state;
    double infinite = from_bits(INFINITE);
    assert_true(to_bits(acp_sin(infinite)) == QUIET_NAN && to_bits(acp_cos(-infinite)) == QUIET_NAN);
    assert_true(to_bits(acp_asin(1.0000000000000002)) == QUIET_NAN && to_bits(acp_acos(-2.0)) == QUIET_NAN);
    assert_true(to_bits(acp_fmod(1.0, 0.0)) == QUIET_NAN && to_bits(acp_fmod(infinite, 2.0)) == QUIET_NAN);
    assert_true(to_bits(acp_pow(-2.0, 0.5)) == QUIET_NAN);
    for (int function = 0; function < FUNCTION_COUNT; function++)
        assert_true(evaluate(function, from_bits(0x7FF8000000000001u), 2.0) == QUIET_NAN);
}

static void powers_follow_the_standard(void **state) {
    (void)state;
    double infinite = from_bits(INFINITE);
    double not_a_number = from_bits(QUIET_NAN);
    assert_true(acp_pow(not_a_number, 0.0) == 1.0 && acp_pow(1.0, not_a_number) == 1.0);
    assert_true(acp_pow(-1.0, infinite) == 1.0 && acp_pow(0.5, infinite) == 0.0 && acp_pow(2.0, infinite) == infinite);
    assert_true(acp_pow(0.0, -1.0) == infinite && acp_pow(-0.0, -1.0) == -infinite && acp_pow(-0.0, 3.0) == 0.0);
    assert_true(acp_pow(10.0, 400.0) == infinite && acp_pow(10.0, -400.0) == 0.0 && acp_pow(-10.0, 401.0) == -infinite);
    for (int i = -20; i <= 20; i++)
        assert_true(acp_pow(2.0, i) == (i < 0 ? 1.0 / (double)(1u << -i) : (double)(1u << i)));
}

static void errno_is_of_no_interest(void **state) {
    (void)state;
    errno = 33;
    uint64_t first = to_bits(acp_pow(10.0, 300.5));
    errno = 0;
    assert_true(to_bits(acp_pow(10.0, 300.5)) == first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_golden_value_has_its_bits),
        cmocka_unit_test(a_sweep_has_the_same_bits_everywhere),
        cmocka_unit_test(zeros_keep_their_sign),
        cmocka_unit_test(quarter_turns_are_the_nearest_binary64),
        cmocka_unit_test(outside_the_domain_is_one_quiet_nan),
        cmocka_unit_test(powers_follow_the_standard),
        cmocka_unit_test(errno_is_of_no_interest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
