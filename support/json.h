/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_JSON_H
#define ACP_SUPPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* JSON text to a tree and back, made for JSON Lines: one reader reads line after line into the same memory, and after warm-up no line
 * allocates. Strict RFC 8259: UTF-8 is checked, NUL and other control bytes are refused, nothing may follow the value. Duplicate keys:
 * the first one counts. Depth, node count and size are bounded (ACP_JSON_MAX_DEPTH, the reader's byte limit); nothing recurses.
 * A tree lives until the reader's next read, reset or free. A reader belongs to one thread; different readers are independent. */

#define ACP_JSON_MAX_DEPTH 1024u
#define ACP_JSON_MAX_LINE  (64u << 20)

typedef enum acp_json_type {
    ACP_JSON_NULL,
    ACP_JSON_FALSE,
    ACP_JSON_TRUE,
    ACP_JSON_NUMBER,
    ACP_JSON_STRING,
    ACP_JSON_ARRAY,
    ACP_JSON_OBJECT
} acp_json_type;

/* One value. Members and elements are chained in the order of the text. Strings are decoded UTF-8 and may contain U+0000 from an escape:
 * use the length. A number keeps its text and is converted when asked. */
typedef struct acp_json {
    acp_json_type type;
    uint32_t count;   /* array: elements; object: members; string, number: bytes of text */
    const char *text; /* string: decoded; number: as written (not terminated) */
    const char *key;  /* name of this member inside its object, else null; decoded, not terminated */
    uint32_t key_length;
    uint32_t offset;              /* byte offset of the value in the text that was read */
    const struct acp_json *first; /* first element or member, or null */
    const struct acp_json *next;  /* following sibling, or null */
} acp_json;

/* Where and why a text is not JSON. The message is static text; "out of memory" and "limit" are messages too. */
typedef struct acp_json_fault {
    size_t offset;
    const char *message;
    bool is_out_of_memory;
} acp_json_fault;

/* The memory that trees live in. Zero-initialise; acp_json_reader_free gives everything back. */
typedef struct acp_json_reader {
    struct acp_json_block *blocks; /* chain of arena blocks, kept from read to read */
    struct acp_json_block *current;
    size_t used;      /* bytes used of the current block */
    acp_json **stack; /* open containers and their last child */
    acp_json **tails;
    size_t byte_limit; /* most bytes that one tree may take; 0 = 1 GiB */
    size_t byte_total;
} acp_json_reader;

/* Reads one value from `length` bytes of text, which must stay unchanged while the tree is used. Forgets the reader's earlier tree.
 * Null on a fault. */
const acp_json *acp_json_read(acp_json_reader *reader, const char *text, size_t length, acp_json_fault *out_fault);
/* Bytes that live as long as the current tree, aligned for any type; null when memory or the limit is out. */
void *acp_json_reader_allocate(acp_json_reader *reader, size_t size);
void acp_json_reader_free(acp_json_reader *reader);

/* Member by name, null when absent or when `object` is null or no object. */
const acp_json *acp_json_member(const acp_json *object, const char *key);
/* The member <key>_hex. */
const acp_json *acp_json_member_hex(const acp_json *object, const char *key);
/* Element by index (walks the chain), null when out of range. */
const acp_json *acp_json_element(const acp_json *array, uint32_t index);
/* `value` is a string equal to `text`. Null-safe. */
bool acp_json_is_text(const acp_json *value, const char *text);

/* Conversions of numbers. False when the value is no number, or (integers) has a fraction or does not fit. Correctly rounded: the float
 * form rounds the decimal once, straight to binary32. Overflow gives infinity. */
bool acp_json_to_double(const acp_json *value, double *out);
bool acp_json_to_float(const acp_json *value, float *out);
bool acp_json_to_int64(const acp_json *value, int64_t *out);

/* ---- writing ---- */

/* How floats are written (cli.md): decimals; decimals with their `_hex` twins (`--bits`); the twins alone (for comparisons). */
typedef enum acp_json_float_form { ACP_JSON_DECIMAL, ACP_JSON_DECIMAL_AND_HEX, ACP_JSON_HEX_ONLY } acp_json_float_form;

/* A growing text. Zero-initialise. When memory runs out `is_failed` is set, and stays set until reset; all calls stay harmless. Commas are
 * placed by the writer. `key` is the member name, or null inside an array and at top level; keys are plain ASCII literals. */
typedef struct acp_json_writer {
    char *text; /* not terminated */
    size_t length;
    size_t capacity;
    bool is_failed;
    acp_json_float_form float_form;
} acp_json_writer;

void acp_json_writer_reset(acp_json_writer *writer); /* empty text, memory and form kept */
void acp_json_writer_free(acp_json_writer *writer);
/* Terminates the text with a NUL (not counted) and returns it; "" when failed. */
const char *acp_json_writer_text(acp_json_writer *writer);

void acp_json_begin_object(acp_json_writer *writer, const char *key);
void acp_json_end_object(acp_json_writer *writer);
void acp_json_begin_array(acp_json_writer *writer, const char *key);
void acp_json_end_array(acp_json_writer *writer);
void acp_json_write_null(acp_json_writer *writer, const char *key);
void acp_json_write_bool(acp_json_writer *writer, const char *key, bool value); /* true, false */
void acp_json_write_flag(acp_json_writer *writer, const char *key, bool value); /* 1, 0: the form of the vectors */
void acp_json_write_int(acp_json_writer *writer, const char *key, int64_t value);
void acp_json_write_uint(acp_json_writer *writer, const char *key, uint64_t value);
void acp_json_write_string(acp_json_writer *writer, const char *key, const char *text); /* null text writes null */
void acp_json_write_string_n(acp_json_writer *writer, const char *key, const char *text, size_t length);
/* A tree as it was read: numbers keep their text. */
void acp_json_write_tree(acp_json_writer *writer, const char *key, const acp_json *value);
/* Bytes as they are (a finished JSON value, with its comma and key placed). */
void acp_json_write_raw(acp_json_writer *writer, const char *key, const char *text, size_t length);
/* More bytes of the value begun last. */
void acp_json_write_piece(acp_json_writer *writer, const char *text, size_t length);
/* One line feed: ends a line of JSON Lines. */
void acp_json_end_line(acp_json_writer *writer);

#endif
