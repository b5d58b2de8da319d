/* SPDX-License-Identifier: MIT */
/* Writing JSON into a growing text.
 *
 * The writer keeps no state besides the text: whether a comma is due is read off the last byte (a value was just finished unless it is an
 * opening bracket, a colon or a line feed). Strings are escaped as RFC 8259 demands; bytes that are not UTF-8 cannot come from our reader
 * and, from elsewhere, are replaced by U+FFFD so that the output is always JSON. Trees are written with an explicit stack. Memory that runs
 * out sets is_failed and everything after it does nothing: callers check once at the end. Floats are in json_values.c. */
#include <stdlib.h>
#include <string.h>

#include "support/json.h"

void acp_json_writer_reset(acp_json_writer *writer) {
    writer->length = 0;
    writer->is_failed = false;
}

void acp_json_writer_free(acp_json_writer *writer) {
    free(writer->text);
    *writer = (acp_json_writer){.float_form = writer->float_form};
}

static bool reserve(acp_json_writer *writer, size_t extra) {
    if (writer->is_failed) return false;
    if (writer->capacity - writer->length >= extra) return true;
    size_t capacity = writer->capacity < 512 ? 1024 : writer->capacity * 2;
    while (capacity - writer->length < extra && capacity < SIZE_MAX / 4)
        capacity *= 2;
    char *text = capacity - writer->length < extra ? NULL : realloc(writer->text, capacity);
    if (text == NULL) {
        writer->is_failed = true;
        return false;
    }
    writer->text = text;
    writer->capacity = capacity;
    return true;
}

static void put(acp_json_writer *writer, const char *bytes, size_t length) {
    if (length == 0 || !reserve(writer, length)) return;
    memcpy(writer->text + writer->length, bytes, length);
    writer->length += length;
}

static void put_byte(acp_json_writer *writer, char byte) {
    if (reserve(writer, 1)) writer->text[writer->length++] = byte;
}

const char *acp_json_writer_text(acp_json_writer *writer) {
    if (!reserve(writer, 1)) return "";
    writer->text[writer->length] = '\0';
    return writer->text;
}

static void put_quoted(acp_json_writer *writer, const char *text, size_t length);

static void comma(acp_json_writer *writer) {
    if (writer->is_failed || writer->length == 0) return;
    char last = writer->text[writer->length - 1];
    if (last != '{' && last != '[' && last != ':' && last != '\n') put_byte(writer, ',');
}

/* Comma and key: what stands before every value. */
static void lead(acp_json_writer *writer, const char *key) {
    comma(writer);
    if (key == NULL) return;
    size_t length = strlen(key);
    if (!reserve(writer, length + 3)) return;
    char *to = writer->text + writer->length;
    *to++ = '"';
    memcpy(to, key, length);
    to[length] = '"';
    to[length + 1] = ':';
    writer->length += length + 3;
}

void acp_json_write_raw(acp_json_writer *writer, const char *key, const char *text, size_t length) {
    lead(writer, key);
    put(writer, text, length);
}

void acp_json_write_piece(acp_json_writer *writer, const char *text, size_t length) { put(writer, text, length); }

void acp_json_begin_object(acp_json_writer *writer, const char *key) { acp_json_write_raw(writer, key, "{", 1); }
void acp_json_end_object(acp_json_writer *writer) { put_byte(writer, '}'); }
void acp_json_begin_array(acp_json_writer *writer, const char *key) { acp_json_write_raw(writer, key, "[", 1); }
void acp_json_end_array(acp_json_writer *writer) { put_byte(writer, ']'); }
void acp_json_end_line(acp_json_writer *writer) { put_byte(writer, '\n'); }
void acp_json_write_null(acp_json_writer *writer, const char *key) { acp_json_write_raw(writer, key, "null", 4); }

void acp_json_write_bool(acp_json_writer *writer, const char *key, bool value) {
    acp_json_write_raw(writer, key, value ? "true" : "false", value ? 4 : 5);
}

void acp_json_write_flag(acp_json_writer *writer, const char *key, bool value) { acp_json_write_raw(writer, key, value ? "1" : "0", 1); }

void acp_json_write_uint(acp_json_writer *writer, const char *key, uint64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    acp_json_write_raw(writer, key, digits + at, sizeof digits - at);
}

void acp_json_write_int(acp_json_writer *writer, const char *key, int64_t value) {
    char digits[21];
    size_t at = sizeof digits;
    uint64_t magnitude = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    if (value < 0) digits[--at] = '-';
    acp_json_write_raw(writer, key, digits + at, sizeof digits - at);
}

/* Bytes of the well-formed sequence at text, 0 when it is none. */
static size_t sequence_length(const unsigned char *text, size_t available) {
    unsigned char c = text[0];
    size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
    if (c < 0xC2 || c > 0xF4 || length > available) return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80) return 0;
    if ((c == 0xE0 && text[1] < 0xA0) || (c == 0xED && text[1] > 0x9F) || (c == 0xF0 && text[1] < 0x90) || (c == 0xF4 && text[1] > 0x8F))
        return 0;
    return length;
}

static void put_escape(acp_json_writer *writer, unsigned char c) {
    static const char digits[] = "0123456789abcdef";
    const char *letters = "\"\\\b\f\n\r\t", *names = "\"\\bfnrt";
    const char *found = c != 0 ? strchr(letters, c) : NULL;
    char text[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    if (found != NULL) {
        text[1] = names[found - letters];
        put(writer, text, 2);
    } else {
        put(writer, text, 6);
    }
}

static void put_quoted(acp_json_writer *writer, const char *text, size_t length) {
    put_byte(writer, '"');
    size_t begin = 0;
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t step = 1;
        if (c >= 0x80) step = sequence_length((const unsigned char *)text + i, length - i);
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F && step != 0) {
            i += step;
            continue;
        }
        put(writer, text + begin, i - begin);
        if (step == 0)
            put(writer, "\xEF\xBF\xBD", 3);
        else
            put_escape(writer, c);
        begin = ++i;
    }
    put(writer, text + begin, length - begin);
    put_byte(writer, '"');
}

void acp_json_write_string_n(acp_json_writer *writer, const char *key, const char *text, size_t length) {
    lead(writer, key);
    put_quoted(writer, text, length);
}

void acp_json_write_string(acp_json_writer *writer, const char *key, const char *text) {
    if (text == NULL)
        acp_json_write_null(writer, key);
    else
        acp_json_write_string_n(writer, key, text, strlen(text));
}

/* Any value but the inside of containers; the key of a member is written by the caller. */
static void write_head(acp_json_writer *writer, const acp_json *value) {
    switch (value->type) {
    case ACP_JSON_NULL:
        put(writer, "null", 4);
        break;
    case ACP_JSON_FALSE:
        put(writer, "false", 5);
        break;
    case ACP_JSON_TRUE:
        put(writer, "true", 4);
        break;
    case ACP_JSON_NUMBER:
        put(writer, value->text, value->count);
        break;
    case ACP_JSON_STRING:
        put_quoted(writer, value->text, value->count);
        break;
    case ACP_JSON_ARRAY:
        put_byte(writer, '[');
        break;
    case ACP_JSON_OBJECT:
        put_byte(writer, '{');
        break;
    }
}

void acp_json_write_tree(acp_json_writer *writer, const char *key, const acp_json *value) {
    const acp_json *open[ACP_JSON_MAX_DEPTH];
    uint32_t depth = 0;
    lead(writer, key);
    if (value == NULL) {
        put(writer, "null", 4);
        return;
    }
    const acp_json *at = value;
    while (at != NULL) {
        write_head(writer, at);
        bool is_container = at->type == ACP_JSON_ARRAY || at->type == ACP_JSON_OBJECT;
        if (is_container && at->first != NULL && depth < ACP_JSON_MAX_DEPTH) {
            open[depth++] = at;
            at = at->first;
        } else {
            if (is_container) put_byte(writer, at->type == ACP_JSON_OBJECT ? '}' : ']');
            while (depth > 0 && at->next == NULL) {
                at = open[--depth];
                put_byte(writer, at->type == ACP_JSON_OBJECT ? '}' : ']');
            }
            if (depth == 0) return;
            at = at->next;
            put_byte(writer, ',');
        }
        if (open[depth - 1]->type == ACP_JSON_OBJECT) {
            put_quoted(writer, at->key, at->key_length);
            put_byte(writer, ':');
        }
    }
}
