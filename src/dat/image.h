/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_IMAGE_H
#define ACP_DAT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"
#include "base/array.h"

/* A file's bytes that can be changed and unchanged: pieces of 1 MiB, shared with a base until they are written, and a log of what was
 * overwritten since the last mark. */

#define ACP_DAT_CHUNK_SIZE 0x100000u

typedef struct acp_dat_chunk {
    uint8_t *bytes;
    bool is_owned; /* else part of the base, read-only */
} acp_dat_chunk;

typedef struct acp_dat_image {
    acp_allocator allocator;
    ACP_ARRAY(acp_dat_chunk) chunks;
    uint64_t size;
    ACP_ARRAY(uint8_t) log; /* old bytes, then offset and size, for each logged write */
    uint64_t mark_size;     /* size at the mark: what lies beyond needs no log */
} acp_dat_image;

/* Over `bytes` (null: zeros) of `size`. */
acp_result acp_dat_image_init(acp_dat_image *image, const uint8_t *bytes, uint64_t size, const acp_allocator *allocator);
void acp_dat_image_free(acp_dat_image *image);

/* False when the range leaves the image. */
bool acp_dat_image_read(const acp_dat_image *image, uint64_t offset, void *out, uint32_t size);
/* ACP_ERROR_OUT_OF_MEMORY, or ACP_ERROR_BAD_DATA when the range leaves the image. `is_logged` false: what is overwritten means nothing. */
acp_result acp_dat_image_write(acp_dat_image *image, uint64_t offset, const void *bytes, uint32_t size, bool is_logged);
/* Appends zeros. */
acp_result acp_dat_image_extend(acp_dat_image *image, uint64_t size);

/* Forgets the log: what stands is the new "before". */
void acp_dat_image_mark(acp_dat_image *image);
/* Undoes everything since the mark. Cannot fail. */
void acp_dat_image_restore(acp_dat_image *image);

#endif
