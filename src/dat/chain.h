/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_CHAIN_H
#define ACP_DAT_CHAIN_H

#include <stdint.h>

#include "acphys/result.h"

/* Following the blocks of a record through a file's bytes (DAT-06 to DAT-08). */

typedef struct acp_dat_blocks {
    const uint8_t *bytes;
    uint64_t size;
    uint32_t block_size;
} acp_dat_blocks;

/* Gathers `size` bytes that start at block `start` into `out`. The chain must be exactly as long as the size asks and end with link 0.
 * The error's offset is that of the block whose link is at fault, none when `start` itself is. */
acp_result acp_dat_chain_read(const acp_dat_blocks *blocks, uint32_t start, uint32_t size, uint8_t *out, acp_error *error);

/* The bytes in place when they fit one block; null otherwise, with *out_result ACP_OK when the record merely has to be gathered. */
const uint8_t *acp_dat_chain_in_place(const acp_dat_blocks *blocks, uint32_t start, uint32_t size, acp_result *out_result,
                                      acp_error *error);

#endif
