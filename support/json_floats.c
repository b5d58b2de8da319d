/* SPDX-License-Identifier: MIT */
/* Writing floats, ids and the shapes made of floats.
 *
 * Decimals are the shortest that read back to the same bits; the twin <key>_hex holds the bits, flattened, big-endian digits. A value that
 * is not finite has no JSON number: its place holds the string of its hex digits, which the reader takes back. Lists are assembled in a
 * small stack buffer per row, never in the heap. */
#include <math.h>
#include <string.h>

#include "base/number_text.h"
#include "support/json_values.h"

static const char hex_digits[] = "0123456789ABCDEF";

static void put_hex(char *to, uint64_t bits, uint32_t digits) {
    for (uint32_t i = 0; i < digits; i++)
        to[i] = hex_digits[bits >> (4 * (digits - 1 - i)) & 15];
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* One float as JSON text. */
static size_t float_text(float value, char out[ACP_NUMBER_TEXT_CAPACITY]) {
    if (!isfinite(value)) {
        out[0] = out[9] = '"';
        put_hex(out + 1, bits_of_float(value), 8);
        return 10;
    }
    return acp_number_format_f32(value, out);
}

static size_t double_text(double value, char out[ACP_NUMBER_TEXT_CAPACITY]) {
    if (!isfinite(value)) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        out[0] = out[17] = '"';
        put_hex(out + 1, bits, 16);
        return 18;
    }
    return acp_number_format_f64(value, out);
}

static void twin_key(const char *key, char out[64]) {
    size_t length = strlen(key);
    if (length > 59) length = 59;
    memcpy(out, key, length);
    memcpy(out + length, "_hex", 5);
}

void acp_json_write_id(acp_json_writer *writer, const char *key, uint32_t id) {
    char text[12] = "\"0x";
    put_hex(text + 3, id, 8);
    text[11] = '"';
    acp_json_write_raw(writer, key, text, sizeof text);
}

/* The _hex member of `count` floats. */
static void write_twin(acp_json_writer *writer, const char *key, const float *values, uint32_t count) {
    char name[64];
    char group[9];
    if (key == NULL || writer->float_form == ACP_JSON_DECIMAL) return;
    twin_key(key, name);
    acp_json_write_raw(writer, name, "\"", 1);
    for (uint32_t i = 0; i < count; i++) {
        put_hex(group, bits_of_float(values[i]), 8);
        group[8] = ' ';
        acp_json_write_piece(writer, group, i + 1 < count ? 9 : 8);
    }
    acp_json_write_piece(writer, "\"", 1);
}

/* A hex-only writer still writes decimals where there is no key for a twin. */
static bool wants_decimals(const acp_json_writer *writer, const char *key) {
    return writer->float_form != ACP_JSON_HEX_ONLY || key == NULL;
}

void acp_json_write_float(acp_json_writer *writer, const char *key, float value) {
    char text[ACP_NUMBER_TEXT_CAPACITY];
    if (wants_decimals(writer, key)) acp_json_write_raw(writer, key, text, float_text(value, text));
    write_twin(writer, key, &value, 1);
}

void acp_json_write_double(acp_json_writer *writer, const char *key, double value) {
    char text[ACP_NUMBER_TEXT_CAPACITY], name[64];
    uint64_t bits;
    if (wants_decimals(writer, key)) acp_json_write_raw(writer, key, text, double_text(value, text));
    if (key == NULL || writer->float_form == ACP_JSON_DECIMAL) return;
    memcpy(&bits, &value, sizeof bits);
    text[0] = text[17] = '"';
    put_hex(text + 1, bits, 16);
    twin_key(key, name);
    acp_json_write_raw(writer, name, text, 18);
}

static void write_row(acp_json_writer *writer, const char *key, const float *values, uint32_t count) {
    char text[ACP_NUMBER_TEXT_CAPACITY];
    acp_json_begin_array(writer, key);
    for (uint32_t i = 0; i < count; i++)
        acp_json_write_raw(writer, NULL, text, float_text(values[i], text));
    acp_json_end_array(writer);
}

void acp_json_write_floats(acp_json_writer *writer, const char *key, const float *values, uint32_t count) {
    if (wants_decimals(writer, key)) write_row(writer, key, values, count);
    write_twin(writer, key, values, count);
}

void acp_json_write_float_rows(acp_json_writer *writer, const char *key, const float *values, uint32_t count, uint32_t width) {
    if (wants_decimals(writer, key)) {
        acp_json_begin_array(writer, key);
        for (uint32_t i = 0; i < count; i++)
            write_row(writer, NULL, values + (size_t)i * width, width);
        acp_json_end_array(writer);
    }
    write_twin(writer, key, values, count * width);
}

void acp_json_write_vec3(acp_json_writer *writer, const char *key, acp_vec3 value) {
    const float v[3] = {value.x, value.y, value.z};
    acp_json_write_floats(writer, key, v, 3);
}

void acp_json_write_quaternion(acp_json_writer *writer, const char *key, acp_quaternion value) {
    const float q[4] = {value.w, value.x, value.y, value.z};
    acp_json_write_floats(writer, key, q, 4);
}

void acp_json_write_plane(acp_json_writer *writer, const char *key, acp_plane value) {
    acp_json_begin_object(writer, key);
    acp_json_write_vec3(writer, "n", value.normal);
    acp_json_write_float(writer, "d", value.d);
    acp_json_end_object(writer);
}

void acp_json_write_sphere(acp_json_writer *writer, const char *key, acp_sphere value) {
    acp_json_begin_object(writer, key);
    acp_json_write_vec3(writer, "c", value.center);
    acp_json_write_float(writer, "r", value.radius);
    acp_json_end_object(writer);
}

void acp_json_write_box(acp_json_writer *writer, const char *key, acp_box value) {
    acp_json_begin_object(writer, key);
    acp_json_write_vec3(writer, "min", value.min);
    acp_json_write_vec3(writer, "max", value.max);
    acp_json_end_object(writer);
}
