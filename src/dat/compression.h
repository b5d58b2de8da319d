/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_COMPRESSION_H
#define ACP_DAT_COMPRESSION_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"

/* Compressed records (DAT-16): u32 size, then a zlib stream. */

/* Judges the size that a compressed record declares in its first word. BAD_DATA or LIMIT. */
acp_result acp_dat_check_inflated_size(uint32_t declared, uint32_t stored_size, acp_error *error);

/* Inflates `stored` (with its first word) into exactly `size` bytes, the stream used up to its end. zlib's working memory comes from the
 * allocator. */
acp_result acp_dat_inflate(const uint8_t *stored, uint32_t stored_size, uint8_t *out, uint32_t size, const acp_allocator *allocator,
                           acp_error *error);

/* Retail's rule on storing: data of more than 16 bytes is deflated at level 9 and kept if it does not grow. On success *out_stored is
 * memory of the allocator, `size` bytes of which *out_size are the stored form, or null when the data is better kept as it is. */
acp_result acp_dat_deflate(const uint8_t *bytes, uint32_t size, const acp_allocator *allocator, uint8_t **out_stored, uint32_t *out_size);

#endif
