/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_WRITER_H
#define ACP_BASE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"

/* The counterpart of the reader: little-endian fields appended to a growing buffer or to a caller's fixed one. The first failure sticks
 * (ACP_ERROR_OUT_OF_MEMORY, or ACP_ERROR_LIMIT for a full fixed buffer); later writes do nothing. Write everything, look once. */

typedef struct acp_writer {
    acp_allocator allocator;
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    acp_result result;
    bool is_fixed;
} acp_writer;

/* Growing, through an allocator (null = system). Free with acp_writer_free. */
void acp_writer_init(acp_writer *writer, const acp_allocator *allocator);
/* Into `capacity` bytes of the caller. */
void acp_writer_init_fixed(acp_writer *writer, void *bytes, size_t capacity);
void acp_writer_free(acp_writer *writer);
/* Forgets the bytes and the failure, keeps the memory. */
void acp_writer_reset(acp_writer *writer);

static inline bool acp_writer_is_ok(const acp_writer *writer) { return writer->result == ACP_OK; }

/* Room for `size` more bytes. */
acp_result acp_writer_reserve(acp_writer *writer, size_t size);

void acp_writer_u8(acp_writer *writer, uint8_t value);
void acp_writer_u16(acp_writer *writer, uint16_t value);
void acp_writer_u32(acp_writer *writer, uint32_t value);
void acp_writer_u64(acp_writer *writer, uint64_t value);
void acp_writer_i8(acp_writer *writer, int8_t value);
void acp_writer_i16(acp_writer *writer, int16_t value);
void acp_writer_i32(acp_writer *writer, int32_t value);
void acp_writer_f32(acp_writer *writer, float value);
void acp_writer_f64(acp_writer *writer, double value);
void acp_writer_bytes(acp_writer *writer, const void *bytes, size_t size);
void acp_writer_zeros(acp_writer *writer, size_t size);
/* Zeros up to the next multiple of 4 from the start. */
void acp_writer_align4(acp_writer *writer);

/* Overwrites four bytes written before; an offset beyond what is written fails with ACP_ERROR_OUT_OF_RANGE. */
void acp_writer_patch_u32(acp_writer *writer, size_t offset, uint32_t value);

#endif
