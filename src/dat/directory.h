/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_DIRECTORY_H
#define ACP_DAT_DIRECTORY_H

#include "acphys/dat.h"
#include "base/array.h"
#include "dat/chain.h"

/* The B-tree read once into a sorted list of entries. */

typedef struct acp_dat_directory {
    ACP_ARRAY(acp_dat_entry) entries; /* ascending ids */
    ACP_ARRAY(uint32_t) nodes;        /* offsets, ascending */
    uint32_t depth;
    uint32_t remarks;
} acp_dat_directory;

/* Walks the tree from `root`, reading nodes through `view` while its file is open (null: from the blocks' bytes). Stops at the first fault
 * (BAD_DATA, TRUNCATED, LIMIT, OUT_OF_MEMORY); *out_directory is then empty. */
acp_result acp_dat_directory_read(const acp_dat_blocks *blocks, const acp_file_view *view, uint32_t root, const acp_allocator *allocator,
                                  acp_dat_directory *out_directory, acp_error *error);
void acp_dat_directory_free(acp_dat_directory *directory, const acp_allocator *allocator);

#endif
