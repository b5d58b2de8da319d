/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_EDIT_INTERNAL_H
#define ACP_DAT_EDIT_INTERNAL_H

#include "acphys/dat_edit.h"
#include "dat/format.h"
#include "dat/image.h"

/* The inside of an edit, shared by block_store.c (chains, free list), tree_edit.c (B-tree) and edit.c (the public face).
 * Functions below change the image through its log; whoever calls them restores image and info when one fails. */
struct acp_dat_edit {
    acp_allocator allocator;
    acp_dat_image image;
    acp_dat_info info; /* header fields; physical_size and file_size are set on the way out */
    uint32_t reserve_blocks;
    uint32_t growth_blocks;   /* 0: ACP_DAT_GROWTH bytes */
    bool is_free_list_broken; /* of the base: begun anew at the first growth */
};

/* ---- block_store.c ---- */

/* Grows the file until `size` bytes can be stored with the reserve left over (DAT-21). */
acp_result acp_dat_store_make_room(acp_dat_edit *edit, uint32_t size, acp_error *error);
/* Stores bytes as a fresh chain (DAT-20); size 0 takes no block and gives offset 0. */
acp_result acp_dat_store_new(acp_dat_edit *edit, const uint8_t *bytes, uint32_t size, uint32_t *out_offset, acp_error *error);
/* Reads and rewrites a chain in place. */
acp_result acp_dat_store_read(const acp_dat_edit *edit, uint32_t offset, uint8_t *out, uint32_t size, acp_error *error);
acp_result acp_dat_store_rewrite(acp_dat_edit *edit, uint32_t offset, const uint8_t *bytes, uint32_t size, acp_error *error);
/* Frees the chain of a record of `size` bytes (DAT-25). */
acp_result acp_dat_store_free(acp_dat_edit *edit, uint32_t offset, uint32_t size, acp_error *error);
/* Walks the free list of a base file; false when it is not as DAT-09 says. */
bool acp_dat_store_is_free_list_sound(const acp_dat_edit *edit);

/* ---- tree_edit.c ---- */

/* The entry of an id, and where it is: the node's offset and the index in it. NOT_FOUND. */
acp_result acp_dat_tree_find(const acp_dat_edit *edit, uint32_t id, acp_dat_entry *out_entry, uint32_t *out_node, uint32_t *out_index,
                             acp_error *error);
/* Inserts an id that is absent, storing the record's data on the way (DAT-23); entry->offset is filled. */
acp_result acp_dat_tree_insert(acp_dat_edit *edit, acp_dat_entry *entry, const uint8_t *bytes, acp_error *error);
/* Overwrites entry `index` of the node at `node` (DAT-24). */
acp_result acp_dat_tree_replace(acp_dat_edit *edit, uint32_t node, uint32_t index, const acp_dat_entry *entry, acp_error *error);
/* Takes an id out of the tree that is in it (DAT-26). Its data is left alone. */
acp_result acp_dat_tree_remove(acp_dat_edit *edit, uint32_t id, acp_error *error);
/* Stores an empty leaf and makes it the root. */
acp_result acp_dat_tree_create(acp_dat_edit *edit, acp_error *error);

#endif
