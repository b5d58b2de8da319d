/* SPDX-License-Identifier: MIT */
/* The changing image of a file: copy on write by the mebibyte, with an undo log.
 *
 * A chunk belongs to the base (an open file) until its first write, when it is copied; so changing a few records of a large file costs a
 * few mebibytes. Every logged write first saves the bytes it replaces; restoring plays the log backwards, which needs no memory and cannot
 * fail. That is how an operation that runs out of memory half-way leaves the image as it was. Bytes beyond the marked size, and payloads
 * of free blocks, are not logged: nobody reads them again.
 *
 * Contract: ranges are checked against the size; nothing outside is touched. Limits: sizes below 2^32. Cost: a copy per write, and one of
 * 1 MiB for the first write into a base chunk. */
#include "dat/image.h"

#include <string.h>

#include "base/memory.h"

typedef struct log_record {
    uint32_t offset;
    uint32_t size;
} log_record;

static acp_result new_chunk(acp_dat_image *image, const uint8_t *from, size_t size, uint8_t **out_bytes) {
    uint8_t *bytes = acp_memory_allocate(&image->allocator, ACP_DAT_CHUNK_SIZE, 16);
    if (!bytes) return ACP_ERROR_OUT_OF_MEMORY;
    if (size) memcpy(bytes, from, size);
    memset(bytes + size, 0, ACP_DAT_CHUNK_SIZE - size);
    *out_bytes = bytes;
    return ACP_OK;
}

acp_result acp_dat_image_init(acp_dat_image *image, const uint8_t *bytes, uint64_t size, const acp_allocator *allocator) {
    memset(image, 0, sizeof *image);
    image->allocator = acp_memory_allocator(allocator);
    uint64_t count = (size + ACP_DAT_CHUNK_SIZE - 1u) / ACP_DAT_CHUNK_SIZE;
    acp_result result = ACP_ARRAY_RESERVE(&image->chunks, &image->allocator, count);
    for (uint64_t i = 0; i < count && result == ACP_OK; i++) {
        uint64_t at = i * ACP_DAT_CHUNK_SIZE, left = size - at;
        acp_dat_chunk chunk = {NULL, false};
        if (bytes && left >= ACP_DAT_CHUNK_SIZE) {
            uintptr_t address = (uintptr_t)(bytes + at); /* never written while not owned */
            chunk.bytes = (uint8_t *)address;
        } else {
            size_t used = !bytes ? 0 : (size_t)left;
            result = new_chunk(image, used ? bytes + at : NULL, used, &chunk.bytes);
            chunk.is_owned = true;
        }
        if (result == ACP_OK) ACP_ARRAY_ADD(&image->chunks, chunk);
    }
    if (result != ACP_OK) {
        acp_dat_image_free(image);
        return result;
    }
    image->size = size;
    image->mark_size = size;
    return ACP_OK;
}

/* Gives back the chunks from `first` on. */
static void drop_chunks(acp_dat_image *image, uint32_t first) {
    for (uint32_t i = first; i < image->chunks.count; i++)
        if (image->chunks.items[i].is_owned) acp_memory_free(&image->allocator, image->chunks.items[i].bytes, ACP_DAT_CHUNK_SIZE, 16);
    if (image->chunks.count > first) image->chunks.count = first;
}

void acp_dat_image_free(acp_dat_image *image) {
    drop_chunks(image, 0);
    ACP_ARRAY_FREE(&image->chunks, &image->allocator);
    ACP_ARRAY_FREE(&image->log, &image->allocator);
    image->size = 0;
}

bool acp_dat_image_read(const acp_dat_image *image, uint64_t offset, void *out, uint32_t size) {
    if (offset > image->size || size > image->size - offset) return false;
    uint8_t *to = out;
    while (size > 0) {
        uint32_t at = (uint32_t)(offset % ACP_DAT_CHUNK_SIZE), room = ACP_DAT_CHUNK_SIZE - at;
        uint32_t part = size < room ? size : room;
        memcpy(to, image->chunks.items[offset / ACP_DAT_CHUNK_SIZE].bytes + at, part);
        to += part;
        offset += part;
        size -= part;
    }
    return true;
}

static acp_result own_chunk(acp_dat_image *image, uint64_t index) {
    acp_dat_chunk *chunk = &image->chunks.items[index];
    if (chunk->is_owned) return ACP_OK;
    uint8_t *copy;
    acp_result result = new_chunk(image, chunk->bytes, ACP_DAT_CHUNK_SIZE, &copy);
    if (result) return result;
    chunk->bytes = copy;
    chunk->is_owned = true;
    return ACP_OK;
}

static acp_result save_old(acp_dat_image *image, uint64_t offset, uint32_t size) {
    uint64_t needed = (uint64_t)image->log.count + size + sizeof(log_record);
    if (ACP_ARRAY_RESERVE(&image->log, &image->allocator, needed)) return ACP_ERROR_OUT_OF_MEMORY;
    log_record record = {(uint32_t)offset, size};
    (void)acp_dat_image_read(image, offset, image->log.items + image->log.count, size);
    memcpy(image->log.items + image->log.count + size, &record, sizeof record);
    image->log.count = (uint32_t)needed;
    return ACP_OK;
}

/* Into owned chunks. */
static void overwrite(acp_dat_image *image, uint64_t offset, const uint8_t *from, uint32_t size) {
    while (size > 0) {
        uint32_t at = (uint32_t)(offset % ACP_DAT_CHUNK_SIZE), room = ACP_DAT_CHUNK_SIZE - at;
        uint32_t part = size < room ? size : room;
        memcpy(image->chunks.items[offset / ACP_DAT_CHUNK_SIZE].bytes + at, from, part);
        from += part;
        offset += part;
        size -= part;
    }
}

acp_result acp_dat_image_write(acp_dat_image *image, uint64_t offset, const void *bytes, uint32_t size, bool is_logged) {
    if (offset > image->size || size > image->size - offset) return ACP_ERROR_BAD_DATA;
    if (size == 0) return ACP_OK;
    for (uint64_t i = offset / ACP_DAT_CHUNK_SIZE; i <= (offset + size - 1u) / ACP_DAT_CHUNK_SIZE; i++) {
        acp_result result = own_chunk(image, i);
        if (result) return result;
    }
    if (is_logged && offset < image->mark_size) {
        acp_result result = save_old(image, offset, size);
        if (result) return result;
    }
    overwrite(image, offset, bytes, size);
    return ACP_OK;
}

acp_result acp_dat_image_extend(acp_dat_image *image, uint64_t size) {
    uint64_t end = image->size + size;
    uint64_t count = (end + ACP_DAT_CHUNK_SIZE - 1u) / ACP_DAT_CHUNK_SIZE;
    if (ACP_ARRAY_RESERVE(&image->chunks, &image->allocator, count)) return ACP_ERROR_OUT_OF_MEMORY;
    uint32_t before = image->chunks.count;
    while (image->chunks.count < count) {
        acp_dat_chunk chunk = {NULL, true};
        acp_result result = new_chunk(image, NULL, 0, &chunk.bytes);
        if (result) {
            drop_chunks(image, before);
            return result;
        }
        ACP_ARRAY_ADD(&image->chunks, chunk);
    }
    uint32_t used = (uint32_t)(image->size % ACP_DAT_CHUNK_SIZE);
    if (used != 0) { /* a partial chunk is owned; an undone extension may have left bytes there */
        memset(image->chunks.items[before - 1u].bytes + used, 0, ACP_DAT_CHUNK_SIZE - used);
    }
    image->size = end;
    return ACP_OK;
}

void acp_dat_image_mark(acp_dat_image *image) {
    ACP_ARRAY_CLEAR(&image->log);
    image->mark_size = image->size;
}

void acp_dat_image_restore(acp_dat_image *image) {
    while (image->log.count > 0) {
        log_record record;
        memcpy(&record, image->log.items + image->log.count - sizeof record, sizeof record);
        image->log.count -= (uint32_t)sizeof record + record.size;
        overwrite(image, record.offset, image->log.items + image->log.count, record.size);
    }
    image->size = image->mark_size;
    drop_chunks(image, (uint32_t)((image->size + ACP_DAT_CHUNK_SIZE - 1u) / ACP_DAT_CHUNK_SIZE));
}
