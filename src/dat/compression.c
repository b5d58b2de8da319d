/* SPDX-License-Identifier: MIT */
/* Compressed records: a 4-byte size followed by a zlib stream (DAT-16).
 *
 * Reading believes nothing: the stored size is at least 16, the declared size at least the stored size, at most 64 MiB and at most 1,100
 * times the stored size (deflate reaches 1,032), all before memory is asked for; the stream must yield exactly the declared size and end
 * with the stored bytes. Storing follows the client, only more than 16 bytes, level 9, and only if the result does not grow.
 *
 * Contract: zlib's own memory (about 40 KB in, 270 KB out) comes from the caller's allocator, through a small header that remembers the
 * size. A build without zlib (ACP_WITH_ZLIB off) answers UNSUPPORTED to compressed records and stores none. Cost: zlib's, some 300 MB/s
 * inflating. */
#include "dat/compression.h"

#include <stddef.h>
#include <string.h>
#if ACP_WITH_ZLIB
#include <zlib.h>
#endif

#include "base/error.h"
#include "base/memory.h"
#include "dat/format.h"

acp_result acp_dat_check_inflated_size(uint32_t declared, uint32_t stored_size, acp_error *error) {
    const char *message = NULL;
    acp_result code = ACP_ERROR_BAD_DATA;
    if (stored_size < ACP_DAT_MIN_COMPRESSED)
        message = "a compressed record has at least 16 bytes";
    else if (declared < stored_size)
        message = "a compressed record declares less than it stores";
    else if (declared > ACP_DAT_MAX_INFLATED || declared > (uint64_t)stored_size * ACP_DAT_MAX_EXPANSION) {
        message = "a compressed record declares more than 64 MiB or more than 1,100 times what it stores";
        code = ACP_ERROR_LIMIT;
    }
    if (!message) return ACP_OK;
    acp_error_set(error, code, "dat read", "%s (%u from %u bytes)", message, (unsigned)declared, (unsigned)stored_size);
    acp_error_set_place(error, 0, 0, "uncompressed_size");
    return code;
}

#if ACP_WITH_ZLIB

/* zlib frees without a size: it is kept in front of each piece. */
typedef struct piece {
    size_t size;
    size_t unused;
} piece;

static void *zlib_allocate(void *user, unsigned count, unsigned size) {
    size_t bytes;
    if (!acp_memory_multiply(count, size, &bytes) || bytes > SIZE_MAX - sizeof(piece)) return NULL;
    piece *memory = acp_memory_allocate(user, bytes + sizeof(piece), 16);
    if (!memory) return NULL;
    memory->size = bytes + sizeof(piece);
    return memory + 1;
}

static void zlib_free(void *user, void *address) {
    piece *memory = (piece *)address - 1;
    acp_memory_free(user, memory, memory->size, 16);
}

static void zlib_prepare(z_stream *stream, acp_allocator *memory) {
    memset(stream, 0, sizeof *stream);
    stream->zalloc = zlib_allocate;
    stream->zfree = zlib_free;
    stream->opaque = memory;
}

/* zlib reads through a pointer without const. */
static Bytef *zlib_input(const uint8_t *bytes) {
    uintptr_t address = (uintptr_t)bytes;
    return (Bytef *)address;
}

acp_result acp_dat_inflate(const uint8_t *stored, uint32_t stored_size, uint8_t *out, uint32_t size, const acp_allocator *allocator,
                           acp_error *error) {
    acp_allocator memory = acp_memory_allocator(allocator);
    z_stream stream;
    zlib_prepare(&stream, &memory);
    if (inflateInit(&stream) != Z_OK) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "dat read", "memory for inflating refused");
    stream.next_in = zlib_input(stored + 4);
    stream.avail_in = stored_size - 4u;
    stream.next_out = out;
    stream.avail_out = size;
    int status = inflate(&stream, Z_FINISH);
    acp_result result = ACP_OK;
    if (status == Z_MEM_ERROR)
        result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "dat read", "memory for inflating refused");
    else if (status != Z_STREAM_END || stream.avail_out != 0 || stream.avail_in != 0) {
        result = acp_error_set(error, ACP_ERROR_BAD_DATA, "dat read", "the compressed stream is faulty or not of the declared size");
        acp_error_set_place(error, 0, stored_size - stream.avail_in, "stream");
    }
    (void)inflateEnd(&stream);
    return result;
}

acp_result acp_dat_deflate(const uint8_t *bytes, uint32_t size, const acp_allocator *allocator, uint8_t **out_stored, uint32_t *out_size) {
    *out_stored = NULL;
    *out_size = 0;
    if (size <= 16u) return ACP_OK;
    acp_allocator memory = acp_memory_allocator(allocator);
    uint8_t *stored = acp_memory_allocate(&memory, size, 16);
    if (!stored) return ACP_ERROR_OUT_OF_MEMORY;
    z_stream stream;
    zlib_prepare(&stream, &memory);
    if (deflateInit(&stream, 9) != Z_OK) {
        acp_memory_free(&memory, stored, size, 16);
        return ACP_ERROR_OUT_OF_MEMORY;
    }
    stream.next_in = zlib_input(bytes);
    stream.avail_in = size;
    stream.next_out = stored + 4;
    stream.avail_out = size - 4u; /* more than this would grow */
    int status = deflate(&stream, Z_FINISH);
    uint32_t used = size - stream.avail_out;
    (void)deflateEnd(&stream);
    if (status != Z_STREAM_END || used < ACP_DAT_MIN_COMPRESSED) {
        acp_memory_free(&memory, stored, size, 16);
        return ACP_OK;
    }
    acp_dat_put_u32(stored, size);
    *out_stored = stored;
    *out_size = used;
    return ACP_OK;
}

#else

acp_result acp_dat_inflate(const uint8_t *stored, uint32_t stored_size, uint8_t *out, uint32_t size, const acp_allocator *allocator,
                           acp_error *error) {
    (void)stored, (void)stored_size, (void)out, (void)size, (void)allocator;
    return acp_error_set(error, ACP_ERROR_UNSUPPORTED, "dat read", "the record is compressed and this build has no zlib");
}

acp_result acp_dat_deflate(const uint8_t *bytes, uint32_t size, const acp_allocator *allocator, uint8_t **out_stored, uint32_t *out_size) {
    (void)bytes, (void)size, (void)allocator;
    *out_stored = NULL;
    *out_size = 0;
    return ACP_OK;
}

#endif
