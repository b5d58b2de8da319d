/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_EXCHANGE_H
#define ACP_MEMBERSHIP_EXCHANGE_H

#include <stdint.h>

#include "membership/registry_state.h"

/* Landblocks that come, go or take each other's place, with the objects that are their content: several steps that happen together or not
 * at all. Steps are noted before they are taken; undoing takes them back in reverse and needs no memory. World thread; one at a time. */

typedef struct acp_exchange {
    acp_world *world;
    acp_registry *registry;
    acp_exchange_room *room; /* the registry's */
} acp_exchange;

/* Starts; after that one of commit and undo must be called. ACP_ERROR_OUT_OF_MEMORY: nothing has started. */
acp_result acp_exchange_begin(acp_world *world, acp_exchange *out_exchange);

/* An object and what hangs on it leave their cells, lists, and landblocks that they wait for. */
acp_result acp_exchange_withdraw(acp_exchange *exchange, uint32_t object);

/* Enters a resident cell, what hangs on it too; lists are untouched. */
acp_result acp_exchange_enter(acp_exchange *exchange, uint32_t object, uint32_t cell_id);

/* MEM-38: an object and everything that hangs on it are flooded, each for itself. */
acp_result acp_exchange_recalc(acp_exchange *exchange, uint32_t object);

/* Makes a prepared block resident. ACP_ERROR_DUPLICATE. Objects that wait for it are looked after by _wake. */
acp_result acp_exchange_put_in(acp_exchange *exchange, acp_block *block, acp_error *error);

/* An object made for a block that was put in: undoing destroys it. Call before it is registered. */
acp_result acp_exchange_add_content(acp_exchange *exchange, uint32_t object);

/* Floods again, in handle order, every object that waits for the block (MEM-42); one without a cell of its own enters it. */
acp_result acp_exchange_wake(acp_exchange *exchange, uint32_t block_id);

/* Takes a resident block out: its content objects lose rows and cell (their owner destroys them after the commit), every other object that
 * its cells hold leaves, and what has a row in it is flooded again without it. The block is the caller's after the commit. */
acp_result acp_exchange_take_out(acp_exchange *exchange, acp_block *block);

/* Gives an object another model and floods it again when it is registered. */
acp_result acp_exchange_set_model(acp_exchange *exchange, uint32_t object, const acp_setup *setup);

/* Floods again every registered object that knows a cell by id only, or has no cell: after the source has got records it had not. */
acp_result acp_exchange_look_again(acp_exchange *exchange);

/* Ends. Blocks taken out have lost their lists. */
void acp_exchange_commit(acp_exchange *exchange);

/* Ends as if nothing had been done. Blocks put in are the caller's again. */
void acp_exchange_undo(acp_exchange *exchange);

#endif
