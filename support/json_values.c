/* SPDX-License-Identifier: MIT */
/* The value types of acphys in JSON: floats with their exact bits, ids, vectors, planes, spheres, boxes, polygons.
 *
 * A key K and its twin K_hex are one value: reading takes the twin when it is there and does not look at K then; writing follows the
 * writer's float_form. Lists of floats may be nested in any way; they are read in reading order, as the twin is. Faults are sticky in the
 * input (json_values.h), so operations read everything first and ask once. Frames and positions are in json_places.c.
 * Limits: a list of floats is as long as its text; nothing recurses (nested lists are walked with a stack of ACP_JSON_MAX_DEPTH). */
#include "support/json_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/hex_digit.h"

/* ---- faults ---- */

acp_result acp_json_fail(acp_json_input *input, acp_result code, const char *key, const char *message) {
    if (input->result != ACP_OK) return input->result;
    input->result = code;
    acp_error_set(input->error, code, "read", "%s", message);
    acp_error_set_place(input->error, 0, UINT64_MAX, key);
    return code;
}

static void bad(acp_json_input *input, const char *key, const char *message) {
    (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, key, message);
}

static const acp_json *present(const acp_json *value) { return value != NULL && value->type != ACP_JSON_NULL ? value : NULL; }

bool acp_json_has(const acp_json *object, const char *key) {
    return present(acp_json_member(object, key)) != NULL || present(acp_json_member_hex(object, key)) != NULL;
}

/* ---- structure ---- */

static const acp_json *structure(acp_json_input *input, const acp_json *object, const char *key, acp_json_type type, bool is_optional) {
    const acp_json *value = present(acp_json_member(object, key));
    if (value != NULL && value->type == type) return value;
    if (value != NULL)
        bad(input, key, type == ACP_JSON_OBJECT ? "must be an object" : "must be a list");
    else if (!is_optional)
        bad(input, key, "is missing");
    return NULL;
}

const acp_json *acp_json_get_object(acp_json_input *input, const acp_json *object, const char *key) {
    return structure(input, object, key, ACP_JSON_OBJECT, false);
}

const acp_json *acp_json_get_array(acp_json_input *input, const acp_json *object, const char *key) {
    return structure(input, object, key, ACP_JSON_ARRAY, false);
}

const acp_json *acp_json_get_optional_object(acp_json_input *input, const acp_json *object, const char *key) {
    return structure(input, object, key, ACP_JSON_OBJECT, true);
}

const acp_json *acp_json_get_optional_array(acp_json_input *input, const acp_json *object, const char *key) {
    return structure(input, object, key, ACP_JSON_ARRAY, true);
}

const char *acp_json_get_string(acp_json_input *input, const acp_json *object, const char *key, uint32_t *out_length) {
    const acp_json *value = present(acp_json_member(object, key));
    if (value != NULL && value->type == ACP_JSON_STRING) {
        *out_length = value->count;
        return value->text;
    }
    bad(input, key, value == NULL ? "is missing" : "must be a string");
    *out_length = 0;
    return "";
}

/* ---- integers and words ---- */

static int64_t integer(acp_json_input *input, const acp_json *value, const char *key, int64_t low, int64_t high) {
    int64_t number = 0;
    if (value == NULL) {
        bad(input, key, "is missing");
        return 0;
    }
    if (value->type == ACP_JSON_TRUE) number = 1;
    if (value->type != ACP_JSON_TRUE && value->type != ACP_JSON_FALSE && !acp_json_to_int64(value, &number)) {
        bad(input, key, "must be a whole number");
        return 0;
    }
    if (number < low || number > high) {
        (void)acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, key, "is out of range");
        return 0;
    }
    return number;
}

int32_t acp_json_get_int32(acp_json_input *input, const acp_json *object, const char *key) {
    return (int32_t)integer(input, present(acp_json_member(object, key)), key, INT32_MIN, INT32_MAX);
}

int32_t acp_json_get_int32_or(acp_json_input *input, const acp_json *object, const char *key, int32_t fallback) {
    return present(acp_json_member(object, key)) == NULL ? fallback : acp_json_get_int32(input, object, key);
}

uint32_t acp_json_get_uint32(acp_json_input *input, const acp_json *object, const char *key) {
    return (uint32_t)integer(input, present(acp_json_member(object, key)), key, 0, UINT32_MAX);
}

uint32_t acp_json_get_uint32_or(acp_json_input *input, const acp_json *object, const char *key, uint32_t fallback) {
    return present(acp_json_member(object, key)) == NULL ? fallback : acp_json_get_uint32(input, object, key);
}

bool acp_json_get_flag(acp_json_input *input, const acp_json *object, const char *key) {
    return integer(input, present(acp_json_member(object, key)), key, 0, 1) != 0;
}

bool acp_json_get_flag_or(acp_json_input *input, const acp_json *object, const char *key, bool fallback) {
    return present(acp_json_member(object, key)) == NULL ? fallback : acp_json_get_flag(input, object, key);
}

uint32_t acp_json_to_id(acp_json_input *input, const acp_json *value, const char *key) {
    value = present(value);
    if (value == NULL || value->type != ACP_JSON_STRING) return (uint32_t)integer(input, value, key, 0, UINT32_MAX);
    uint32_t id = 0;
    bool is_good = value->count > 2 && value->count <= 10 && value->text[0] == '0' && (value->text[1] | 0x20) == 'x';
    for (uint32_t i = 2; is_good && i < value->count; i++) {
        int digit = acp_hex_digit(value->text[i]);
        is_good = digit >= 0;
        id = id << 4 | (uint32_t)digit;
    }
    if (is_good) return id;
    bad(input, key, "must be an id \"0xXXXXXXXX\"");
    return 0;
}

uint32_t acp_json_get_id(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_id(input, acp_json_member(object, key), key);
}

uint32_t acp_json_get_id_or(acp_json_input *input, const acp_json *object, const char *key, uint32_t fallback) {
    return present(acp_json_member(object, key)) == NULL ? fallback : acp_json_get_id(input, object, key);
}

/* ---- floats ---- */

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* `digits` hex digits at text; false when there is anything else. */
static bool hex_bits(const char *text, uint32_t digits, uint64_t *out) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < digits; i++) {
        int digit = acp_hex_digit(text[i]);
        if (digit < 0) return false;
        bits = bits << 4 | (uint64_t)digit;
    }
    *out = bits;
    return true;
}

/* A number, or the string of a float that is none. */
static bool decimal_float(const acp_json *value, float *out) {
    uint64_t bits;
    if (acp_json_to_float(value, out)) return !isinf(*out); /* a decimal beyond binary32 is no float: infinity has its digits */
    if (value->type != ACP_JSON_STRING) return false;
    if (value->count == 8 && hex_bits(value->text, 8, &bits))
        *out = float_of_bits((uint32_t)bits);
    else if (acp_json_is_text(value, "nan") || acp_json_is_text(value, "NaN"))
        *out = NAN;
    else
        return false;
    return true;
}

/* Visits the floats of a (nested) list or a single value in reading order; stores the first `capacity`. Returns how many there are. */
static uint32_t walk_decimals(acp_json_input *input, const acp_json *value, const char *key, float *out, uint32_t capacity) {
    const acp_json *open[ACP_JSON_MAX_DEPTH];
    uint32_t depth = 0, count = 0;
    for (const acp_json *at = value; at != NULL;) {
        if (at->type == ACP_JSON_ARRAY && at->first != NULL && depth < ACP_JSON_MAX_DEPTH) {
            open[depth++] = at;
            at = at->first;
            continue;
        }
        if (at->type != ACP_JSON_ARRAY) {
            float number = 0.0f;
            if (!decimal_float(at, &number))
                bad(input, key, at->type == ACP_JSON_NUMBER ? "holds a number that is too large for 32 bits" : "must hold numbers only");
            if (count < capacity) out[count] = number;
            count++;
        }
        while (depth > 0 && at->next == NULL)
            at = open[--depth];
        at = depth > 0 ? at->next : NULL;
    }
    return count;
}

/* The same over a _hex string. */
static uint32_t walk_hex(acp_json_input *input, const acp_json *twin, const char *key, float *out, uint32_t capacity) {
    uint32_t count = 0;
    if (twin->type != ACP_JSON_STRING) {
        bad(input, key, "its _hex must be a string");
        return 0;
    }
    const char *at = twin->text, *end = twin->text + twin->count;
    while (at < end) {
        uint64_t bits;
        if (end - at < 8 || !hex_bits(at, 8, &bits) || end - at == 9 || (end - at > 9 && at[8] != ' ')) {
            bad(input, key, "its _hex must be groups of eight hex digits with single blanks between");
            return count;
        }
        if (count < capacity) out[count] = float_of_bits((uint32_t)bits);
        count++;
        at += end - at > 8 ? 9 : 8;
    }
    return count;
}

/* Both forms; *out_found tells whether there is anything. */
static uint32_t walk_floats(acp_json_input *input, const acp_json *object, const char *key, float *out, uint32_t capacity,
                            bool *out_found) {
    const acp_json *value = present(acp_json_member(object, key));
    const acp_json *twin = NULL;
    /* The twin mostly stands right behind its key. */
    if (value != NULL && value->next != NULL && value->next->key_length == value->key_length + 4 &&
        memcmp(value->next->key, value->key, value->key_length) == 0 && memcmp(value->next->key + value->key_length, "_hex", 4) == 0)
        twin = present(value->next);
    else
        twin = present(acp_json_member_hex(object, key));
    *out_found = value != NULL || twin != NULL;
    if (twin != NULL) return walk_hex(input, twin, key, out, capacity);
    return value != NULL ? walk_decimals(input, value, key, out, capacity) : 0;
}

void acp_json_get_float_array(acp_json_input *input, const acp_json *object, const char *key, float *out, uint32_t count) {
    bool is_found;
    for (uint32_t i = 0; i < count; i++)
        out[i] = 0.0f;
    uint32_t found = walk_floats(input, object, key, out, count, &is_found);
    if (!is_found)
        bad(input, key, "is missing");
    else if (found != count)
        bad(input, key, "has the wrong number of floats");
}

float acp_json_get_float(acp_json_input *input, const acp_json *object, const char *key) {
    float value;
    acp_json_get_float_array(input, object, key, &value, 1);
    return value;
}

float acp_json_get_float_or(acp_json_input *input, const acp_json *object, const char *key, float fallback) {
    return acp_json_has(object, key) ? acp_json_get_float(input, object, key) : fallback;
}

double acp_json_get_double(acp_json_input *input, const acp_json *object, const char *key) {
    const acp_json *twin = present(acp_json_member_hex(object, key));
    const acp_json *value = present(acp_json_member(object, key));
    uint64_t bits;
    double number = 0.0;
    if (twin != NULL) {
        if (twin->type == ACP_JSON_STRING && twin->count == 16 && hex_bits(twin->text, 16, &bits)) return double_of_bits(bits);
        if (twin->type == ACP_JSON_STRING && twin->count == 8 && hex_bits(twin->text, 8, &bits))
            return (double)float_of_bits((uint32_t)bits);
        bad(input, key, "its _hex must be 16 hex digits");
    } else if (value == NULL) {
        bad(input, key, "is missing");
    } else if (!acp_json_to_double(value, &number)) {
        bad(input, key, "must be a number");
    }
    return number;
}

double acp_json_get_double_or(acp_json_input *input, const acp_json *object, const char *key, double fallback) {
    return acp_json_has(object, key) ? acp_json_get_double(input, object, key) : fallback;
}

uint32_t acp_json_count_floats(acp_json_input *input, const acp_json *object, const char *key) {
    bool is_found;
    return walk_floats(input, object, key, NULL, 0, &is_found);
}

const float *acp_json_get_floats(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                 uint32_t *out_count) {
    bool is_found;
    uint32_t count = acp_json_count_floats(input, object, key);
    *out_count = 0;
    if (count == 0 || acp_json_is_failed(input)) return NULL;
    float *floats = acp_json_reader_allocate(memory, (size_t)count * sizeof *floats);
    if (floats == NULL) {
        (void)acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, key, "out of memory");
        return NULL;
    }
    walk_floats(input, object, key, floats, count, &is_found);
    *out_count = count;
    return floats;
}

/* ---- value types ---- */

acp_vec3 acp_json_get_vec3(acp_json_input *input, const acp_json *object, const char *key) {
    float v[3];
    acp_json_get_float_array(input, object, key, v, 3);
    return (acp_vec3){v[0], v[1], v[2]};
}

acp_vec3 acp_json_get_vec3_or(acp_json_input *input, const acp_json *object, const char *key, acp_vec3 fallback) {
    return acp_json_has(object, key) ? acp_json_get_vec3(input, object, key) : fallback;
}

acp_quaternion acp_json_get_quaternion(acp_json_input *input, const acp_json *object, const char *key) {
    float q[4];
    acp_json_get_float_array(input, object, key, q, 4);
    return (acp_quaternion){q[0], q[1], q[2], q[3]};
}

acp_plane acp_json_to_plane(acp_json_input *input, const acp_json *value) {
    return (acp_plane){acp_json_get_vec3(input, value, "n"), acp_json_get_float(input, value, "d")};
}

acp_sphere acp_json_to_sphere(acp_json_input *input, const acp_json *value) {
    return (acp_sphere){acp_json_get_vec3(input, value, "c"), acp_json_get_float(input, value, "r")};
}

acp_box acp_json_to_box(acp_json_input *input, const acp_json *value) {
    return (acp_box){acp_json_get_vec3(input, value, "min"), acp_json_get_vec3(input, value, "max")};
}

acp_cylsphere acp_json_to_cylsphere(acp_json_input *input, const acp_json *value) {
    return (acp_cylsphere){acp_json_get_vec3(input, value, "low"), acp_json_get_float(input, value, "r"),
                           acp_json_get_float(input, value, "h")};
}

acp_plane acp_json_get_plane(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_plane(input, acp_json_get_object(input, object, key));
}

acp_sphere acp_json_get_sphere(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_sphere(input, acp_json_get_object(input, object, key));
}

acp_box acp_json_get_box(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_box(input, acp_json_get_object(input, object, key));
}

acp_cylsphere acp_json_get_cylsphere(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_cylsphere(input, acp_json_get_object(input, object, key));
}

const acp_vec3 *acp_json_to_polygon(acp_json_input *input, acp_json_reader *memory, const acp_json *value, uint32_t *out_count) {
    uint32_t count;
    const float *floats = acp_json_get_floats(input, memory, value, "v", &count);
    *out_count = 0;
    if (floats == NULL) {
        bad(input, "v", "is missing or empty");
        return NULL;
    }
    if (count % 3 != 0) {
        bad(input, "v", "must hold three floats for each vertex");
        return NULL;
    }
    *out_count = count / 3;
    return (const acp_vec3 *)(const void *)floats;
}

const acp_vec3 *acp_json_get_polygon(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                     uint32_t *out_count) {
    return acp_json_to_polygon(input, memory, acp_json_get_object(input, object, key), out_count);
}
