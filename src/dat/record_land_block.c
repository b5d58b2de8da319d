/* SPDX-License-Identifier: MIT */
/* The LandBlock record 0xXXYYFFFF: terrain words and height indices of one landblock (DAT-63, TER-1).
 *
 * Exactly 252 bytes: id, has-info word, 81 terrain words, 81 height indices, one byte of padding, which is kept so that encoding gives
 * back the bytes that were decoded. Arrays are x-major. The has-info word keeps all its bits; non-zero announces a LandBlockInfo record.
 *
 * Contract: fewer bytes are TRUNCATED, with the field that could not be read; more are ignored. No id is judged here (the container
 * compares it with the key). Cost: a copy. */
#include <string.h>

#include "acphys/dat.h"
#include "base/error.h"
#include "base/reader.h"
#include "dat/format.h"

acp_result acp_land_block_decode(const void *bytes, uint32_t size, acp_land_block *out_block, acp_error *error) {
    if ((!bytes && size) || !out_block) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "land block decode", "null argument");
    acp_reader reader = acp_reader_make(bytes, size);
    acp_land_block block;
    memset(&block, 0, sizeof block);
    block.record_id = acp_reader_u32(&reader, "id");
    block.has_info = acp_reader_u32(&reader, "has_info");
    for (int i = 0; i < 81; i++)
        block.terrain[i] = acp_reader_u16(&reader, "terrain");
    for (int i = 0; i < 81; i++)
        block.height[i] = acp_reader_u8(&reader, "height");
    block.padding = acp_reader_u8(&reader, "padding");
    if (!acp_reader_is_ok(&reader)) return acp_reader_error(&reader, error, "land block decode", block.record_id);
    *out_block = block;
    return ACP_OK;
}

void acp_land_block_encode(const acp_land_block *block, uint8_t out_bytes[ACP_LAND_BLOCK_SIZE]) {
    acp_dat_put_u32(out_bytes, block->record_id);
    acp_dat_put_u32(out_bytes + 4, block->has_info);
    for (int i = 0; i < 81; i++)
        acp_dat_put_u16(out_bytes + 8 + 2 * i, block->terrain[i]);
    memcpy(out_bytes + 170, block->height, 81);
    out_bytes[251] = block->padding;
}
