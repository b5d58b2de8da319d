/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_CHAIN_H
#define ACP_DAT_CHAIN_H

#include <stdint.h>

#include "acphys/result.h"
#include "dat/file.h"

/* Following the blocks of a record through a file's bytes (DAT-06 to DAT-08). */

typedef struct acp_dat_blocks {
    const uint8_t *bytes;
    uint64_t size;
    uint32_t block_size;
} acp_dat_blocks;

/* Gathers `size` bytes that start at block `start` into `out`. The chain must be exactly as long as the size asks and end with link 0.
 * The error's offset is that of the block whose link is at fault, none when `start` itself is. */
acp_result acp_dat_chain_read(const acp_dat_blocks *blocks, uint32_t start, uint32_t size, uint8_t *out, acp_error *error);

/* Where the nodes of a directory are read from: the file while it is open, else its bytes. Zero the window's size. */
#define ACP_DAT_NODE_WINDOW 2048u
typedef struct acp_dat_node_source {
    const acp_dat_blocks *blocks;
    const acp_file_view *view; /* null: from the blocks' bytes */
    uint64_t window_at;
    uint32_t window_size; /* what was read last */
    uint8_t window[ACP_DAT_NODE_WINDOW];
} acp_dat_node_source;

/* As acp_dat_chain_read, for a node of the directory (ACP_DAT_NODE_SIZE bytes at `out`): the whole chain is checked, but only children,
 * entry count and that many entries are copied; what lies behind them stays as it was. */
acp_result acp_dat_chain_read_node(acp_dat_node_source *source, uint32_t start, uint8_t *out, acp_error *error);

/* The bytes in place when they fit one block; null otherwise, with *out_result ACP_OK when the record merely has to be gathered. */
const uint8_t *acp_dat_chain_in_place(const acp_dat_blocks *blocks, uint32_t start, uint32_t size, acp_result *out_result,
                                      acp_error *error);

#endif
