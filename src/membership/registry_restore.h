/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_REGISTRY_RESTORE_H
#define ACP_MEMBERSHIP_REGISTRY_RESTORE_H

#include "membership/registry.h"

/* Rows as they were: for saved states. World thread. */

/* What the registry knows about one object. */
typedef struct acp_registry_saved_row {
    uint32_t object;
    uint32_t cell_count;
    uint32_t block_count;
    const acp_cell_entry *cells; /* in order */
    const uint32_t *blocks;      /* that it waits for (MEM-42) */
    uint8_t is_registered;
    uint8_t is_static;
} acp_registry_saved_row;

/* The row of an object but for its cells: counts 0 when it has none. The list is valid until the registry changes. */
acp_registry_saved_row acp_registry_saved_row_of(const acp_world *world, uint32_t object);

/* Gives every object its row, each object for itself, children apart: wholly or not at all. Entries that are said to be resident must be.
 * State words and holding cells must be what they were. */
acp_result acp_registry_restore_rows(acp_world *world, const acp_registry_saved_row *rows, uint32_t count);

/* Puts a cell's objects into an order, as far as they are in it; those that the order does not name come behind, as they are. Statics keep
 * their canonical place. */
void acp_registry_arrange_cell(acp_world *world, acp_cell cell, const uint32_t *order, uint32_t count);

#endif
