/* SPDX-License-Identifier: MIT */
/* Places as text: a cell id with coordinates, the game's /loc line, and map coordinates, read and written.
 *
 * Contract: include/acphys/place.h. One pass over bytes; the text need not be terminated. Nothing depends on the locale, numbers go
 * through base/number_text.h: shortest when written, rounded once when read, so writing and reading a position gives the same bits. A text
 * that cannot be read gives the byte where reading stopped, what was expected there, and leaves the outputs alone.
 * The form is decided by the start: an id (0x and 1 to 8 hexadecimal digits, or 8 without 0x) begins the two forms with coordinates, a
 * bracket after it tells them apart; anything else must be map coordinates.
 * Limits: map coordinates name one of 2040 x 2040 land cells (one decimal, -101.9 to 102.0); they have no height, so reading puts the
 * point in the middle of the cell at z = 0. Texts longer than 512 bytes are refused unread.
 * Spec: 01 §2, §3 (display form, retail 0x005A9CB0); decisions in cli.md. Cost: under a microsecond; no allocation. */
#include <math.h>
#include <string.h>

#include "acphys/place.h"
#include "base/error.h"
#include "base/number_text.h"
#include "math/finite.h"

#define TEXT_LIMIT 512u
#define OPERATION  "position parse"

/* The text being read, and the first thing that went wrong. */
typedef struct scanner {
    const char *text;
    size_t length;
    size_t at;
    acp_error *error;
} scanner;

static acp_result stop_at(const scanner *s, size_t at, acp_result code, const char *field, const char *message) {
    acp_error_set(s->error, code, OPERATION, "%s", message);
    acp_error_set_place(s->error, 0, at, field);
    return code;
}

static acp_result expected(const scanner *s, const char *field, const char *message) {
    return stop_at(s, s->at, ACP_ERROR_BAD_DATA, field, message);
}

static void skip_blanks(scanner *s) {
    while (s->at < s->length && (s->text[s->at] == ' ' || s->text[s->at] == '\t'))
        s->at++;
}

/* Blanks with at most one comma among them. */
static void skip_separator(scanner *s) {
    skip_blanks(s);
    if (s->at < s->length && s->text[s->at] == ',') {
        s->at++;
        skip_blanks(s);
    }
}

static bool take(scanner *s, char c) {
    if (s->at >= s->length || s->text[s->at] != c) return false;
    s->at++;
    return true;
}

static bool is_at_end(scanner *s) {
    skip_blanks(s);
    return s->at == s->length;
}

static int32_t hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static uint32_t count_hex(const scanner *s, size_t at) {
    uint32_t count = 0;
    while (at < s->length && hex_value(s->text[at]) >= 0) {
        at++;
        count++;
    }
    return count;
}

static bool has_prefix(const scanner *s) {
    return s->at + 1 < s->length && s->text[s->at] == '0' && (s->text[s->at + 1] == 'x' || s->text[s->at + 1] == 'X');
}

static bool is_at_id(const scanner *s) {
    if (has_prefix(s)) return true;
    /* eight digits by themselves: a cell id without 0x */
    if (count_hex(s, s->at) != 8) return false;
    char after = s->at + 8 < s->length ? s->text[s->at + 8] : ' ';
    return after == ' ' || after == '\t' || after == ',' || after == '[';
}

static acp_result read_id(scanner *s, uint32_t *out_id) {
    if (has_prefix(s)) s->at += 2;
    uint32_t count = count_hex(s, s->at), id = 0;
    if (count == 0 || count > 8) return expected(s, "cell id", "expected 1 to 8 hexadecimal digits");
    for (uint32_t i = 0; i < count; i++)
        id = id << 4 | (uint32_t)hex_value(s->text[s->at + i]);
    s->at += count;
    *out_id = id;
    return ACP_OK;
}

static acp_result read_float(scanner *s, const char *field, float *out_value) {
    size_t used, start = s->at;
    float value;
    if (!acp_number_parse_f32(s->text + s->at, s->length - s->at, &value, &used)) return expected(s, field, "expected a number");
    if (!isfinite(value)) return stop_at(s, start, ACP_ERROR_NOT_FINITE, field, "the number is too large for 32 bits");
    s->at += used;
    *out_value = value;
    return ACP_OK;
}

static acp_result read_floats(scanner *s, const char *const *fields, uint32_t count, float *out_values) {
    for (uint32_t i = 0; i < count; i++) {
        size_t before = s->at;
        if (i > 0) skip_separator(s);
        if (i > 0 && s->at == before) return expected(s, fields[i], "expected a blank or a comma");
        acp_result result = read_float(s, fields[i], &out_values[i]);
        if (result != ACP_OK) return result;
    }
    return ACP_OK;
}

/* `CELL X Y Z [W X Y Z]` and `CELL [X Y Z] W X Y Z`, both after the id. */
static acp_result read_coordinates(scanner *s, acp_position *out_position, acp_place_form *out_form) {
    static const char *const point_fields[] = {"x", "y", "z"}, *const rotation_fields[] = {"qw", "qx", "qy", "qz"};
    float point[3], rotation[4] = {1.0f, 0.0f, 0.0f, 0.0f};
    size_t before = s->at;
    skip_separator(s);
    bool is_loc = take(s, '[');
    if (!is_loc && s->at == before) return expected(s, "x", s->at == s->length ? "expected a number" : "expected a blank");
    if (is_loc) skip_blanks(s);
    acp_result result = read_floats(s, point_fields, 3, point);
    if (result != ACP_OK) return result;
    if (is_loc) {
        skip_blanks(s);
        if (!take(s, ']')) return expected(s, "z", "expected ]");
    }
    before = s->at;
    if (!is_at_end(s)) {
        skip_separator(s);
        if (!is_loc && s->at == before) return expected(s, "qw", "expected a blank or the end");
        result = read_floats(s, rotation_fields, 4, rotation);
        if (result != ACP_OK) return result;
        if (!is_at_end(s)) return expected(s, "end", "expected nothing more");
    }
    acp_frame frame = {{point[0], point[1], point[2]}, {rotation[0], rotation[1], rotation[2], rotation[3]}};
    out_position->frame = frame;
    *out_form = is_loc ? ACP_PLACE_FORM_LOC : ACP_PLACE_FORM_CELL;
    return ACP_OK;
}

/* `42.1N`: digits, one decimal at most, and one of two letters. Tenths, the second letter negative. */
static acp_result read_map_number(scanner *s, const char *field, char positive, char negative, int32_t *out_tenths) {
    int32_t tenths = 0;
    size_t start = s->at;
    while (s->at < s->length && s->text[s->at] >= '0' && s->text[s->at] <= '9') {
        if (tenths < 100000) tenths = tenths * 10 + (s->text[s->at] - '0');
        s->at++;
    }
    if (s->at == start) return expected(s, field, "expected a cell id or map coordinates such as 42.1N, 33.3E");
    tenths *= 10;
    if (take(s, '.')) {
        if (s->at == s->length || s->text[s->at] < '0' || s->text[s->at] > '9') return expected(s, field, "expected one decimal");
        tenths += s->text[s->at++] - '0';
    }
    skip_blanks(s);
    char letter = s->at < s->length ? s->text[s->at] : '\0';
    if (letter >= 'a' && letter <= 'z') letter = (char)(letter - 'a' + 'A');
    if (letter != positive && letter != negative) {
        if (letter >= '0' && letter <= '9') return expected(s, field, "expected one decimal at most");
        return expected(s, field, positive == 'N' ? "expected N or S" : "expected E or W");
    }
    s->at++;
    *out_tenths = letter == negative ? -tenths : tenths;
    if (!acp_lcoord_is_in_bounds(*out_tenths + 1019, 0))
        return stop_at(s, start, ACP_ERROR_OUTSIDE_MAP, field, "the map ends at 101.9 S and W and at 102.0 N and E");
    return ACP_OK;
}

static acp_result read_map(scanner *s, acp_position *out_position) {
    int32_t north, east;
    acp_result result = read_map_number(s, "north", 'N', 'S', &north);
    if (result != ACP_OK) return result;
    skip_separator(s);
    result = read_map_number(s, "east", 'E', 'W', &east);
    if (result != ACP_OK) return result;
    if (!is_at_end(s)) return expected(s, "end", "expected nothing more");
    int32_t x = east + 1019, y = north + 1019;
    out_position->cell_id = acp_lcoord_to_cell_id(x, y);
    out_position->frame = acp_frame_identity();
    out_position->frame.origin.x = (float)(24 * (x & 7) + 12);
    out_position->frame.origin.y = (float)(24 * (y & 7) + 12);
    return ACP_OK;
}

acp_result acp_position_parse(const char *text, size_t length, acp_position *out_position, acp_place_form *out_form, acp_error *error) {
    static const char preamble[] = "Your location is:";
    scanner s = {text, length, 0, error};
    acp_position position;
    acp_place_form form = ACP_PLACE_FORM_MAP;
    acp_result result;
    if (!text || !out_position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "null argument");
    if (length > TEXT_LIMIT) return stop_at(&s, TEXT_LIMIT, ACP_ERROR_BAD_DATA, "end", "the text is too long for a position");
    skip_blanks(&s);
    if (length - s.at >= sizeof preamble - 1 && memcmp(text + s.at, preamble, sizeof preamble - 1) == 0) {
        s.at += sizeof preamble - 1;
        skip_blanks(&s);
    }
    if (is_at_id(&s)) {
        result = read_id(&s, &position.cell_id);
        if (result == ACP_OK) result = read_coordinates(&s, &position, &form);
    } else {
        result = read_map(&s, &position);
    }
    if (result != ACP_OK) return result;
    *out_position = position;
    if (out_form) *out_form = form;
    return ACP_OK;
}

/* ---- writing ---- */

/* A position's text; ACP_PLACE_TEXT_CAPACITY holds the longest: 10 for the id, 7 numbers of at most 15, blanks and brackets. */
typedef struct line {
    char text[ACP_PLACE_TEXT_CAPACITY];
    size_t length;
} line;

static void put(line *out, const char *text) {
    size_t length = strlen(text);
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

static void put_floats(line *out, const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) out->text[out->length++] = ' ';
        out->length += acp_number_format_f32(values[i], out->text + out->length);
    }
}

static void put_id(line *out, uint32_t id) {
    put(out, "0x");
    for (uint32_t i = 0; i < 8; i++)
        out->text[out->length++] = "0123456789ABCDEF"[(id >> (28u - 4u * i)) & 15u];
}

static void put_tenths(line *out, int32_t tenths, char positive, char negative) {
    uint32_t magnitude = (uint32_t)(tenths < 0 ? -tenths : tenths);
    out->length += acp_number_format_f64((double)(magnitude / 10u), out->text + out->length);
    char tail[4] = {'.', (char)('0' + magnitude % 10u), tenths < 0 ? negative : positive, '\0'};
    put(out, tail);
}

static acp_result put_map(line *out, const acp_position *position) {
    uint32_t cell_id;
    int32_t north, east;
    acp_result result = acp_position_outside_cell_id(position, &cell_id);
    if (result == ACP_OK) result = acp_cell_id_map_coordinates(cell_id, &north, &east);
    if (result != ACP_OK) return result;
    put_tenths(out, north, 'N', 'S');
    put(out, ", ");
    put_tenths(out, east, 'E', 'W');
    return ACP_OK;
}

static void put_position(line *out, const acp_position *position, bool is_loc) {
    const acp_vec3 *o = &position->frame.origin;
    const acp_quaternion *q = &position->frame.rotation;
    const float point[3] = {o->x, o->y, o->z}, rotation[4] = {q->w, q->x, q->y, q->z};
    static const float identity[4] = {1.0f, 0.0f, 0.0f, 0.0f};
    put_id(out, position->cell_id);
    put(out, is_loc ? " [" : " ");
    put_floats(out, point, 3);
    if (is_loc) put(out, "]");
    if (!is_loc && memcmp(rotation, identity, sizeof identity) == 0) return;
    put(out, " ");
    put_floats(out, rotation, 4);
}

acp_result acp_position_format(const acp_position *position, acp_place_form form, char *out_text, size_t capacity, size_t *out_length) {
    line out = {{0}, 0};
    if (!position || (!out_text && capacity > 0)) return ACP_ERROR_INVALID_ARGUMENT;
    if (capacity > 0) out_text[0] = '\0';
    if (!acp_is_finite_vec3(&position->frame.origin) || !acp_is_finite_quaternion(&position->frame.rotation)) return ACP_ERROR_NOT_FINITE;
    if (form == ACP_PLACE_FORM_MAP) {
        acp_result result = put_map(&out, position);
        if (result != ACP_OK) return result;
    } else if (form == ACP_PLACE_FORM_CELL || form == ACP_PLACE_FORM_LOC) {
        put_position(&out, position, form == ACP_PLACE_FORM_LOC);
    } else {
        return ACP_ERROR_INVALID_ARGUMENT;
    }
    if (out.length >= capacity) return ACP_ERROR_LIMIT;
    memcpy(out_text, out.text, out.length);
    out_text[out.length] = '\0';
    if (out_length) *out_length = out.length;
    return ACP_OK;
}
