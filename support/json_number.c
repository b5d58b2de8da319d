/* SPDX-License-Identifier: MIT */
/* Numbers of a JSON tree, converted on demand.
 *
 * The text was checked by the reader. Up to nineteen digits with a decimal exponent of at most 22 are converted exactly (an integer below
 * 2^53 times or over an exact power of ten is one correctly rounded operation); everything else goes through strtod, which every supported
 * C library rounds correctly. The binary32 form must round the decimal once: going through binary64 is right except where the binary64
 * value lies exactly half-way between two binary32 values or below their normal range, and there strtof decides.
 * The process stays in the "C" locale (no setlocale anywhere), so the point is a point. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/json.h"

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The exact cases; false for the others. */
static bool quick_double(const acp_json *value, double *out) {
    const char *at = value->text, *end = value->text + value->count;
    bool is_negative = at < end && *at == '-';
    if (is_negative) at++;
    uint64_t digits = 0;
    int32_t exponent = 0, digit_count = 0;
    bool is_fraction = false;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            is_fraction = true;
            continue;
        }
        if (++digit_count > 19) return false;
        digits = digits * 10 + (uint64_t)(*at - '0');
        if (is_fraction) exponent--;
    }
    if (at < end) {
        at++;
        bool is_down = at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        if (end - at > 4) return false;
        int32_t written = 0;
        for (; at < end; at++)
            written = written * 10 + (*at - '0');
        exponent += is_down ? -written : written;
    }
    if (digits > (uint64_t)1 << 53 || exponent < -22 || exponent > 22) return false;
    double result = (double)digits;
    result = exponent < 0 ? result / powers_of_ten[-exponent] : result * powers_of_ten[exponent];
    *out = is_negative ? -result : result;
    return true;
}

/* strtod or strtof over a terminated copy. */
static bool slow_number(const acp_json *value, double *out_double, float *out_float) {
    char small[128];
    char *copy = value->count < sizeof small ? small : malloc((size_t)value->count + 1);
    if (copy == NULL) return false;
    memcpy(copy, value->text, value->count);
    copy[value->count] = '\0';
    if (out_double != NULL) *out_double = strtod(copy, NULL);
    if (out_float != NULL) *out_float = strtof(copy, NULL);
    if (copy != small) free(copy);
    return true;
}

bool acp_json_to_double(const acp_json *value, double *out) {
    if (value == NULL || value->type != ACP_JSON_NUMBER) return false;
    return quick_double(value, out) || slow_number(value, out, NULL);
}

bool acp_json_to_float(const acp_json *value, float *out) {
    double wide;
    if (!acp_json_to_double(value, &wide)) return false;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    bool is_half_way = (bits & 0x1FFFFFFFu) == 0x10000000u;
    bool is_tiny = wide != 0.0 && fabs(wide) < 2.0 * (double)FLT_MIN;
    if (is_half_way || is_tiny) return slow_number(value, NULL, out);
    *out = (float)wide;
    return true;
}

bool acp_json_to_int64(const acp_json *value, int64_t *out) {
    if (value == NULL || value->type != ACP_JSON_NUMBER) return false;
    const char *at = value->text, *end = value->text + value->count;
    bool is_negative = at < end && *at == '-';
    if (is_negative) at++;
    uint64_t magnitude = 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9') break;
        uint64_t digit = (uint64_t)(*at - '0');
        if (magnitude > (UINT64_MAX - digit) / 10) return false;
        magnitude = magnitude * 10 + digit;
    }
    if (at < end) { /* 1.0, 1e3 */
        double wide;
        if (!acp_json_to_double(value, &wide) || wide != floor(wide) || fabs(wide) > 0x1p53) return false;
        *out = (int64_t)wide;
        return true;
    }
    if (magnitude > (uint64_t)INT64_MAX + (is_negative ? 1u : 0u)) return false;
    *out = is_negative ? (int64_t)(0u - magnitude) : (int64_t)magnitude;
    return true;
}
