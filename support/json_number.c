/* SPDX-License-Identifier: MIT */
/* Numbers of a JSON tree, converted on demand: the reader has checked the text, base/number_text rounds it, once and in no locale.
 *
 * Contract: null-safe; false for values that are no number. Integers may be written with a fraction or exponent as long as they are whole
 * and at most 2^53 ("1.0", "1e3"); without them the whole range of int64 is exact. Cost: tens of nanoseconds. */
#include <math.h>

#include "base/number_text.h"
#include "support/json.h"

bool acp_json_to_double(const acp_json *value, double *out) {
    if (value == NULL || value->type != ACP_JSON_NUMBER) return false;
    return acp_number_parse_f64(value->text, value->count, out, NULL);
}

bool acp_json_to_float(const acp_json *value, float *out) {
    if (value == NULL || value->type != ACP_JSON_NUMBER) return false;
    return acp_number_parse_f32(value->text, value->count, out, NULL);
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
