/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_READER_H
#define ACP_BASE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "acphys/result.h"

/* A bounded reader over bytes in memory: little-endian fields, one after another. It never reads past the end. The first failure
 * sticks (result, offset, field): from then on every read gives 0 or null and moves nothing, so a caller may read a whole structure and
 * look once. Loops over counts must check the count first (acp_reader_count) or look at is_ok on each turn. */

typedef struct acp_reader {
    const uint8_t *bytes;
    size_t size;
    size_t offset;
    uint64_t origin; /* added to offsets in errors: where `bytes` starts in the file or record */
    acp_result result;
    uint64_t error_offset;
    const char *error_field; /* static string */
} acp_reader;

static inline acp_reader acp_reader_make(const void *bytes, size_t size) {
    acp_reader reader = {(const uint8_t *)bytes, size, 0, 0, ACP_OK, 0, NULL};
    return reader;
}

static inline bool acp_reader_is_ok(const acp_reader *reader) { return reader->result == ACP_OK; }
static inline size_t acp_reader_remaining(const acp_reader *reader) { return reader->result == ACP_OK ? reader->size - reader->offset : 0; }
static inline bool acp_reader_is_at_end(const acp_reader *reader) { return reader->offset == reader->size; }

/* Marks the reader as failed at its present offset, unless it has failed already. Returns the sticking result. */
acp_result acp_reader_fail(acp_reader *reader, acp_result result, const char *field);
/* The same at another offset (relative to the start of `bytes`): for a field read before and found wrong later. */
acp_result acp_reader_fail_at(acp_reader *reader, size_t offset, acp_result result, const char *field);

/* Fills an optional error from a failed reader (message from the result, offset, field) and returns the result; ACP_OK when not failed. */
acp_result acp_reader_error(const acp_reader *reader, acp_error *error, const char *operation, uint32_t record_id);

/* `size` bytes in place, or null. Size 0 gives a non-null pointer when `bytes` is not null. */
static inline const uint8_t *acp_reader_bytes(acp_reader *reader, size_t size, const char *field) {
    if (reader->result != ACP_OK || size > reader->size - reader->offset) {
        (void)acp_reader_fail(reader, ACP_ERROR_TRUNCATED, field);
        return NULL;
    }
    const uint8_t *at = reader->bytes + reader->offset;
    reader->offset += size;
    return at;
}

static inline uint8_t acp_reader_u8(acp_reader *reader, const char *field) {
    const uint8_t *at = acp_reader_bytes(reader, 1, field);
    return at ? at[0] : (uint8_t)0;
}

static inline uint16_t acp_reader_u16(acp_reader *reader, const char *field) {
    const uint8_t *at = acp_reader_bytes(reader, 2, field);
    return at ? (uint16_t)((unsigned)at[0] | (unsigned)at[1] << 8) : (uint16_t)0;
}

static inline uint32_t acp_reader_u32(acp_reader *reader, const char *field) {
    const uint8_t *at = acp_reader_bytes(reader, 4, field);
    return at ? (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24 : 0u;
}

static inline uint64_t acp_reader_u64(acp_reader *reader, const char *field) {
    const uint8_t *at = acp_reader_bytes(reader, 8, field);
    if (!at) return 0;
    uint32_t low = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    uint32_t high = (uint32_t)at[4] | (uint32_t)at[5] << 8 | (uint32_t)at[6] << 16 | (uint32_t)at[7] << 24;
    return (uint64_t)high << 32 | low;
}

static inline int8_t acp_reader_i8(acp_reader *reader, const char *field) { return (int8_t)acp_reader_u8(reader, field); }
static inline int16_t acp_reader_i16(acp_reader *reader, const char *field) { return (int16_t)acp_reader_u16(reader, field); }
static inline int32_t acp_reader_i32(acp_reader *reader, const char *field) { return (int32_t)acp_reader_u32(reader, field); }

/* Any bit pattern, NaN included: judging values is the caller's work. */
static inline float acp_reader_f32(acp_reader *reader, const char *field) {
    uint32_t bits = acp_reader_u32(reader, field);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double acp_reader_f64(acp_reader *reader, const char *field) {
    uint64_t bits = acp_reader_u64(reader, field);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void acp_reader_skip(acp_reader *reader, size_t size, const char *field) { (void)acp_reader_bytes(reader, size, field); }

/* Moves on to the next multiple of 4 from the start of `bytes` (a record). The bytes skipped must exist. */
static inline void acp_reader_align4(acp_reader *reader, const char *field) {
    acp_reader_skip(reader, (size_t)(0u - reader->offset) & 3u, field);
}

/* Moves to an absolute offset from the start of `bytes`; beyond the end fails. */
void acp_reader_seek(acp_reader *reader, size_t offset, const char *field);

/* Checks a count read from hostile data: true when `count` items of at least `min_item_size` bytes can still follow; else fails with
 * ACP_ERROR_TRUNCATED at the present offset. */
bool acp_reader_can_hold(acp_reader *reader, uint64_t count, size_t min_item_size, const char *field);

/* A reader over the next `size` bytes, which are skipped here; its errors carry offsets of the whole. On failure both are failed. */
acp_reader acp_reader_take(acp_reader *reader, size_t size, const char *field);

#endif
