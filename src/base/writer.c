/* SPDX-License-Identifier: MIT */
/* The byte writer: little-endian fields appended to a growing buffer or to a caller's fixed one.
 *
 * Contract: the first failure sticks and later writes do nothing, so a caller writes a whole structure and looks once; bytes written
 * before the failure stay. Growth doubles, so writing n bytes costs O(n). What is written with the reader's counterpart of a call reads
 * back bit for bit, NaN patterns included.
 *
 * Limits: size_t bytes; one thread at a time. A fixed writer never allocates. */
#include "base/writer.h"

#include <string.h>

#include "base/memory.h"

#define FIRST_CAPACITY ((size_t)256)

void acp_writer_init(acp_writer *writer, const acp_allocator *allocator) {
    memset(writer, 0, sizeof *writer);
    writer->allocator = acp_memory_allocator(allocator);
}

void acp_writer_init_fixed(acp_writer *writer, void *bytes, size_t capacity) {
    memset(writer, 0, sizeof *writer);
    writer->bytes = (uint8_t *)bytes;
    writer->capacity = capacity;
    writer->is_fixed = true;
}

void acp_writer_free(acp_writer *writer) {
    if (!writer->is_fixed) acp_memory_free(&writer->allocator, writer->bytes, writer->capacity, 1);
    acp_allocator allocator = writer->allocator;
    memset(writer, 0, sizeof *writer);
    writer->allocator = allocator;
}

void acp_writer_reset(acp_writer *writer) {
    writer->size = 0;
    writer->result = ACP_OK;
}

static acp_result fail(acp_writer *writer, acp_result result) {
    if (writer->result == ACP_OK) writer->result = result;
    return writer->result;
}

acp_result acp_writer_reserve(acp_writer *writer, size_t size) {
    if (writer->result != ACP_OK) return writer->result;
    if (size <= writer->capacity - writer->size) return ACP_OK;
    if (writer->is_fixed) return fail(writer, ACP_ERROR_LIMIT);
    if (size > SIZE_MAX - writer->size) return fail(writer, ACP_ERROR_OUT_OF_MEMORY);
    size_t capacity = writer->capacity <= SIZE_MAX / 2 ? writer->capacity * 2 : SIZE_MAX;
    if (capacity < FIRST_CAPACITY) capacity = FIRST_CAPACITY;
    if (capacity < writer->size + size) capacity = writer->size + size;
    uint8_t *bytes = (uint8_t *)acp_memory_allocate(&writer->allocator, capacity, 1);
    if (!bytes) return fail(writer, ACP_ERROR_OUT_OF_MEMORY);
    if (writer->size) memcpy(bytes, writer->bytes, writer->size);
    acp_memory_free(&writer->allocator, writer->bytes, writer->capacity, 1);
    writer->bytes = bytes;
    writer->capacity = capacity;
    return ACP_OK;
}

void acp_writer_bytes(acp_writer *writer, const void *bytes, size_t size) {
    if (acp_writer_reserve(writer, size) != ACP_OK || size == 0) return;
    memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

void acp_writer_zeros(acp_writer *writer, size_t size) {
    if (acp_writer_reserve(writer, size) != ACP_OK || size == 0) return;
    memset(writer->bytes + writer->size, 0, size);
    writer->size += size;
}

void acp_writer_align4(acp_writer *writer) { acp_writer_zeros(writer, (size_t)(0u - writer->size) & 3u); }

static void store_u32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    at[2] = (uint8_t)(value >> 16);
    at[3] = (uint8_t)(value >> 24);
}

void acp_writer_u8(acp_writer *writer, uint8_t value) { acp_writer_bytes(writer, &value, 1); }

void acp_writer_u16(acp_writer *writer, uint16_t value) {
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    acp_writer_bytes(writer, bytes, sizeof bytes);
}

void acp_writer_u32(acp_writer *writer, uint32_t value) {
    uint8_t bytes[4];
    store_u32(bytes, value);
    acp_writer_bytes(writer, bytes, sizeof bytes);
}

void acp_writer_u64(acp_writer *writer, uint64_t value) {
    uint8_t bytes[8];
    store_u32(bytes, (uint32_t)value);
    store_u32(bytes + 4, (uint32_t)(value >> 32));
    acp_writer_bytes(writer, bytes, sizeof bytes);
}

void acp_writer_i8(acp_writer *writer, int8_t value) { acp_writer_u8(writer, (uint8_t)value); }
void acp_writer_i16(acp_writer *writer, int16_t value) { acp_writer_u16(writer, (uint16_t)value); }
void acp_writer_i32(acp_writer *writer, int32_t value) { acp_writer_u32(writer, (uint32_t)value); }

void acp_writer_f32(acp_writer *writer, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    acp_writer_u32(writer, bits);
}

void acp_writer_f64(acp_writer *writer, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    acp_writer_u64(writer, bits);
}

void acp_writer_patch_u32(acp_writer *writer, size_t offset, uint32_t value) {
    if (writer->result != ACP_OK) return;
    if (writer->size < 4 || offset > writer->size - 4) {
        (void)fail(writer, ACP_ERROR_OUT_OF_RANGE);
        return;
    }
    store_u32(writer->bytes + offset, value);
}
