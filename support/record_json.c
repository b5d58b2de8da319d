/* SPDX-License-Identifier: MIT */
/* Two visitors of records: one that writes JSON, one that fills a record from it.
 *
 * The descriptions of the dat floor say which fields there are; this file only knows how a field looks. Numbers keep their bits: floats are
 * written shortest and read back to the same binary32, NaN as its bits; texts map byte by byte to U+0000 to U+00FF. When filling, a name
 * is looked up in the open object, a nameless value is the next element of the open list. The first fault sticks.
 *
 * Limits: 64 open objects and lists (records nest four deep). Cost: that of reading and writing JSON. */
#include "support/record_json.h"
#include "support/hex_digit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "support/json_values.h"

/* ---- writing ---- */

static void write_one(acp_json_writer *w, acp_field field, const char *name, const void *value) {
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        int16_t i16;
        int32_t i32;
        float f32;
        double f64;
    } v;
    static const uint8_t sizes[] = {1, 2, 4, 4, 4, 2, 4, 4, 8};
    memcpy(&v, value, sizes[field]);
    switch (field) {
    case ACP_FIELD_U8:
        acp_json_write_uint(w, name, v.u8);
        break;
    case ACP_FIELD_U16:
        acp_json_write_uint(w, name, v.u16);
        break;
    case ACP_FIELD_U32:
        acp_json_write_uint(w, name, v.u32);
        break;
    case ACP_FIELD_ID:
        acp_json_write_id(w, name, v.u32);
        break;
    case ACP_FIELD_TAG: {
        char text[5] = {(char)(v.u32 >> 24), (char)(v.u32 >> 16), (char)(v.u32 >> 8), (char)v.u32, '\0'};
        bool is_text = true;
        for (int i = 0; i < 4; i++)
            is_text = is_text && text[i] > ' ' && text[i] < 0x7F;
        if (is_text)
            acp_json_write_string(w, name, text);
        else
            acp_json_write_id(w, name, v.u32);
        break;
    }
    case ACP_FIELD_I16:
        acp_json_write_int(w, name, v.i16);
        break;
    case ACP_FIELD_I32:
        acp_json_write_int(w, name, v.i32);
        break;
    case ACP_FIELD_F32:
        acp_json_write_float(w, name, v.f32);
        break;
    case ACP_FIELD_F64:
        acp_json_write_double(w, name, v.f64);
        break;
    }
}

static void show_value(void *user, acp_field field, const char *name, void *value) { write_one(user, field, name, value); }

static void show_values(void *user, acp_field field, const char *name, void *values, uint32_t count) {
    acp_json_writer *w = user;
    static const uint8_t sizes[] = {1, 2, 4, 4, 4, 2, 4, 4, 8};
    if (field == ACP_FIELD_F32 && name) {
        acp_json_write_floats(w, name, values, count);
        return;
    }
    acp_json_begin_array(w, name);
    for (uint32_t i = 0; i < count; i++)
        write_one(w, field, NULL, (const uint8_t *)values + (size_t)i * sizes[field]);
    acp_json_end_array(w);
}

static void show_open(void *user, const char *name) { acp_json_begin_object(user, name); }
static void show_close(void *user) { acp_json_end_object(user); }

static uint32_t show_open_list(void *user, const char *name, uint32_t count) {
    acp_json_begin_array(user, name);
    return count;
}

static void show_close_list(void *user) { acp_json_end_array(user); }

/* Bytes as letters: each becomes the code point of its number. */
static void write_text(acp_json_writer *w, const char *name, const uint8_t *bytes, uint32_t size) {
    char stack[512], *text = stack;
    size_t needed = 2u * (size_t)size + 1u;
    acp_allocator memory = acp_allocator_system();
    if (needed > sizeof stack) text = memory.allocate(memory.user, needed, 1);
    if (!text) {
        w->is_failed = true;
        return;
    }
    size_t length = 0;
    for (uint32_t i = 0; i < size; i++) {
        if (bytes[i] >= 0x80u) text[length++] = (char)(0xC0u | bytes[i] >> 6);
        text[length++] = (char)(bytes[i] >= 0x80u ? 0x80u | (bytes[i] & 0x3Fu) : bytes[i]);
    }
    acp_json_write_string_n(w, name, text, length);
    if (text != stack) memory.free_memory(memory.user, text, needed, 1);
}

static void write_hex(acp_json_writer *w, const char *name, const uint8_t *bytes, uint32_t size) {
    static const char digits[] = "0123456789abcdef";
    acp_allocator memory = acp_allocator_system();
    size_t length = 2u * (size_t)size;
    char stack[256], *text = length < sizeof stack ? stack : memory.allocate(memory.user, length + 1, 1);
    if (!text) {
        w->is_failed = true;
        return;
    }
    for (uint32_t i = 0; i < size; i++) {
        text[2u * i] = digits[bytes[i] >> 4];
        text[2u * i + 1u] = digits[bytes[i] & 15u];
    }
    acp_json_write_string_n(w, name, text, length);
    if (text != stack) memory.free_memory(memory.user, text, length + 1, 1);
}

static const uint8_t *show_bytes(void *user, const char *name, const uint8_t *bytes, uint32_t *size, bool is_text) {
    if (is_text)
        write_text(user, name, bytes, *size);
    else
        write_hex(user, name, bytes, *size);
    return bytes;
}

acp_result acp_record_write_json(const acp_record *record, const char *key, acp_json_writer *writer) {
    acp_record_visitor visitor = {writer,     false,          show_value,      show_values, show_open,
                                  show_close, show_open_list, show_close_list, show_bytes};
    acp_json_begin_object(writer, key);
    acp_json_write_string(writer, "schema", "acphys.record.1");
    acp_json_write_string(writer, "kind", acp_record_kind_name(record->kind));
    acp_result result = acp_record_show(record, &visitor);
    acp_json_end_object(writer);
    return writer->is_failed ? ACP_ERROR_OUT_OF_MEMORY : result;
}

/* ---- reading ---- */

enum { MAX_OPEN = 64 };

typedef struct filler {
    acp_json_input input;
    acp_json_reader *memory;
    struct {
        const acp_json *container; /* null: an absent list */
        const acp_json *next;      /* of a list: the element to come */
    } open[MAX_OPEN];
    uint32_t depth;
} filler;

static const acp_json *top(const filler *f) { return f->depth ? f->open[f->depth - 1].container : NULL; }

/* The value of a field: the named member, or the next element. Null and a noted fault when there is none. */
static const acp_json *find(filler *f, const char *name) {
    if (f->depth == 0) return NULL;
    const acp_json *value;
    if (name) {
        value = acp_json_member(top(f), name);
        if (!value) (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name, "the field is missing");
    } else {
        value = f->open[f->depth - 1].next;
        if (value) f->open[f->depth - 1].next = value->next;
        if (!value) (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, "element", "a list is too short");
    }
    return value;
}

static bool is_in_range(int64_t v, acp_field field) {
    switch (field) {
    case ACP_FIELD_U8:
        return v >= 0 && v <= UINT8_MAX;
    case ACP_FIELD_U16:
        return v >= 0 && v <= UINT16_MAX;
    case ACP_FIELD_I16:
        return v >= INT16_MIN && v <= INT16_MAX;
    case ACP_FIELD_I32:
        return v >= INT32_MIN && v <= INT32_MAX;
    case ACP_FIELD_U32:
    case ACP_FIELD_ID:
    case ACP_FIELD_TAG:
        return v >= 0 && v <= UINT32_MAX;
    case ACP_FIELD_F32:
    case ACP_FIELD_F64:
    default:
        return false;
    }
}

static void read_whole(filler *f, acp_field field, const acp_json *json, const char *name, void *out) {
    int64_t v = 0;
    if (json->type == ACP_JSON_STRING && field == ACP_FIELD_TAG && json->count == 4) {
        for (uint32_t i = 0; i < 4; i++)
            v = v << 8 | (uint8_t)json->text[i];
    } else if (json->type == ACP_JSON_STRING)
        v = acp_json_to_id(&f->input, json, name ? name : "element");
    else if (!acp_json_to_int64(json, &v) || !is_in_range(v, field))
        (void)acp_json_fail(&f->input, ACP_ERROR_OUT_OF_RANGE, name ? name : "element", "not a whole number of this field's range");
    uint8_t u8 = (uint8_t)v;
    uint16_t u16 = (uint16_t)v;
    uint32_t u32 = (uint32_t)v;
    if (field == ACP_FIELD_U8)
        memcpy(out, &u8, 1);
    else if (field == ACP_FIELD_U16 || field == ACP_FIELD_I16)
        memcpy(out, &u16, 2);
    else
        memcpy(out, &u32, 4);
}

/* A bare float: a number, or the string of its bits. */
static float read_float(filler *f, const acp_json *json, const char *name) {
    float v = 0.0f;
    if (json->type == ACP_JSON_STRING && json->count == 8) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < 8; i++) {
            char c = json->text[i];
            uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10) : 99u;
            if (digit > 15u) (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "not the bits of a float");
            bits = bits << 4 | (digit & 15u);
        }
        memcpy(&v, &bits, 4);
    } else if (!acp_json_to_float(json, &v) || isinf(v))
        (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "not a number");
    return v;
}

static void fill_value(void *user, acp_field field, const char *name, void *value) {
    filler *f = user;
    static const uint8_t sizes[] = {1, 2, 4, 4, 4, 2, 4, 4, 8};
    memset(value, 0, sizes[field]);
    if (acp_json_is_failed(&f->input)) return;
    if (name && field == ACP_FIELD_F32) { /* with its _hex twin */
        float v = acp_json_get_float(&f->input, top(f), name);
        memcpy(value, &v, 4);
        return;
    }
    if (name && field == ACP_FIELD_F64) {
        double v = acp_json_get_double(&f->input, top(f), name);
        memcpy(value, &v, 8);
        return;
    }
    const acp_json *json = find(f, name);
    if (!json) return;
    if (field == ACP_FIELD_F32) {
        float v = read_float(f, json, name);
        memcpy(value, &v, 4);
    } else
        read_whole(f, field, json, name, value);
}

static void fill_values(void *user, acp_field field, const char *name, void *values, uint32_t count) {
    filler *f = user;
    static const uint8_t sizes[] = {1, 2, 4, 4, 4, 2, 4, 4, 8};
    memset(values, 0, (size_t)count * sizes[field]);
    if (acp_json_is_failed(&f->input)) return;
    if (name && field == ACP_FIELD_F32) {
        acp_json_get_float_array(&f->input, top(f), name, values, count);
        return;
    }
    const acp_json *list = find(f, name);
    if (!list) return;
    if (list->type != ACP_JSON_ARRAY || list->count != count) {
        (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "a list of another length is wanted");
        return;
    }
    uint8_t *out = values;
    for (const acp_json *item = list->first; item; item = item->next, out += sizes[field]) {
        if (field == ACP_FIELD_F32) {
            float v = read_float(f, item, name);
            memcpy(out, &v, 4);
        } else
            read_whole(f, field, item, name, out);
    }
}

static void push(filler *f, const acp_json *container, const acp_json *next) {
    if (f->depth == MAX_OPEN) {
        (void)acp_json_fail(&f->input, ACP_ERROR_LIMIT, "record", "nested too deep");
        return;
    }
    f->open[f->depth].container = container;
    f->open[f->depth].next = next;
    f->depth++;
}

static void pop(void *user) {
    filler *f = user;
    if (f->depth > 1) f->depth--;
}

static void fill_open(void *user, const char *name) {
    filler *f = user;
    const acp_json *object = acp_json_is_failed(&f->input) ? NULL : find(f, name);
    if (object && object->type != ACP_JSON_OBJECT)
        (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "not an object");
    push(f, object, NULL);
}

static uint32_t fill_open_list(void *user, const char *name, uint32_t count) {
    filler *f = user;
    (void)count;
    const acp_json *list = NULL;
    if (!acp_json_is_failed(&f->input)) list = name ? acp_json_member(top(f), name) : find(f, NULL);
    if (list && list->type != ACP_JSON_ARRAY) {
        (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "not a list");
        list = NULL;
    }
    push(f, list, list ? list->first : NULL);
    return list ? list->count : 0u;
}

static const uint8_t *fill_text(filler *f, const acp_json *json, const char *name, uint32_t *size) {
    uint8_t *out = acp_json_reader_allocate(f->memory, (size_t)json->count + 1u);
    if (!out) {
        (void)acp_json_fail(&f->input, ACP_ERROR_OUT_OF_MEMORY, name ? name : "element", "out of memory");
        return NULL;
    }
    uint32_t length = 0;
    for (uint32_t i = 0; i < json->count; i++) {
        uint32_t c = (uint8_t)json->text[i];
        if (c >= 0x80u) {
            uint32_t more = i + 1 < json->count ? (uint8_t)json->text[i + 1] : 0u;
            if ((c & 0xFCu) != 0xC0u)
                (void)acp_json_fail(&f->input, ACP_ERROR_OUT_OF_RANGE, name ? name : "element", "a letter above U+00FF");
            c = (c & 3u) << 6 | (more & 0x3Fu);
            i++;
        }
        out[length++] = (uint8_t)c;
    }
    *size = length;
    return out;
}

static const uint8_t *fill_hex(filler *f, const acp_json *json, const char *name, uint32_t *size) {
    uint32_t length = json->count / 2u;
    uint8_t *out = acp_json_reader_allocate(f->memory, (size_t)length + 1u);
    if (!out) {
        (void)acp_json_fail(&f->input, ACP_ERROR_OUT_OF_MEMORY, name ? name : "element", "out of memory");
        return NULL;
    }
    for (uint32_t i = 0; i < 2u * length; i++) {
        uint32_t digit = (uint32_t)acp_hex_digit(json->text[i]);
        if (digit > 15u) (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "not hexadecimal");
        out[i / 2u] = (uint8_t)(i % 2u ? (uint32_t)out[i / 2u] << 4 | (digit & 15u) : digit & 15u);
    }
    if (json->count % 2u)
        (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "an odd number of hexadecimal digits");
    *size = length;
    return out;
}

static const uint8_t *fill_bytes(void *user, const char *name, const uint8_t *bytes, uint32_t *size, bool is_text) {
    filler *f = user;
    (void)bytes;
    *size = 0;
    if (acp_json_is_failed(&f->input)) return NULL;
    const acp_json *json = name ? acp_json_member(top(f), name) : find(f, NULL);
    if (!json) return NULL;
    if (json->type != ACP_JSON_STRING) {
        (void)acp_json_fail(&f->input, ACP_ERROR_BAD_DATA, name ? name : "element", "not a string");
        return NULL;
    }
    return is_text ? fill_text(f, json, name, size) : fill_hex(f, json, name, size);
}

acp_record_kind acp_record_kind_by_name(const char *name, size_t length) {
    for (uint32_t i = 1; i < ACP_RECORD_KIND_COUNT; i++) {
        const char *own = acp_record_kind_name((acp_record_kind)i);
        if (strlen(own) == length && memcmp(own, name, length) == 0) return (acp_record_kind)i;
    }
    return ACP_RECORD_OTHER;
}

acp_result acp_record_read_json(const acp_json *object, acp_json_reader *memory, const acp_allocator *allocator, acp_record *out_record,
                                acp_error *error) {
    memset(out_record, 0, sizeof *out_record);
    filler f;
    memset(&f, 0, sizeof f);
    f.input.error = error;
    f.memory = memory;
    uint32_t length = 0;
    const char *name = acp_json_get_string(&f.input, object, "kind", &length);
    if (acp_json_is_failed(&f.input)) return f.input.result;
    acp_record_kind kind = acp_record_kind_by_name(name, length);
    if (kind == ACP_RECORD_OTHER) return acp_json_fail(&f.input, ACP_ERROR_UNSUPPORTED, "kind", "no such kind of record");
    push(&f, object, NULL);
    acp_record_visitor visitor = {&f, true, fill_value, fill_values, fill_open, pop, fill_open_list, pop, fill_bytes};
    acp_error fault;
    acp_result result = acp_record_fill(kind, &visitor, allocator, out_record, &fault);
    if (acp_json_is_failed(&f.input)) {
        acp_record_free(out_record);
        return f.input.result;
    }
    if (result && error) *error = fault;
    return result;
}
