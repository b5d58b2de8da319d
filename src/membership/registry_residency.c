/* SPDX-License-Identifier: MIT */
/* Landblocks without content of their own that come and go under registered objects (spec 04 §14, MEM-42; include/acphys/membership.h).
 *
 * Publishing makes a block resident and floods again every object that waits for it; retiring floods again everything that has a row in
 * it and lets the objects that its cells held leave: those keep position and id and wait for the block. Each is one exchange
 * (membership/exchange.h), so it happens wholly or not at all. A landblock that was published with its static objects belongs to the
 * population floor and is refused here.
 *
 * Contract: world thread. Cost: one flood per object concerned.
 */
#include "acphys/membership.h"

#include "base/error.h"
#include "membership/exchange.h"

acp_result acp_membership_publish(acp_world *world, acp_block *block, acp_error *error) {
    if (!world || !block) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "publish", "no world or no landblock");
    if (block->content) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "publish", "the landblock has content of its own");
    if (!acp_registry_of(world)) return acp_world_add_block(world, block, error);
    acp_exchange exchange;
    acp_result result = acp_exchange_begin(world, &exchange);
    if (result == ACP_OK) {
        result = acp_exchange_put_in(&exchange, block, error);
        if (result == ACP_ERROR_DUPLICATE) {
            acp_exchange_undo(&exchange);
            return result;
        }
        if (result == ACP_OK) result = acp_exchange_wake(&exchange, block->block_id);
        if (result == ACP_OK)
            acp_exchange_commit(&exchange);
        else
            acp_exchange_undo(&exchange);
    }
    if (result != ACP_OK) acp_error_set(error, result, "publish", "no memory to flood what depends on the landblock");
    return result;
}

acp_result acp_membership_retire(acp_world *world, uint32_t cell_id, acp_block **out_block, acp_error *error) {
    if (!world) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "retire", "no world");
    acp_block *block = acp_world_block(world, cell_id);
    if (!block) return acp_error_set(error, ACP_ERROR_NOT_FOUND, "retire", "the landblock is not resident");
    if (block->content) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "retire", "the landblock has content of its own");
    acp_exchange exchange;
    acp_result result = acp_exchange_begin(world, &exchange);
    if (result == ACP_OK) {
        result = acp_exchange_take_out(&exchange, block);
        if (result == ACP_OK)
            acp_exchange_commit(&exchange);
        else
            acp_exchange_undo(&exchange);
    }
    if (result != ACP_OK) return acp_error_set(error, result, "retire", "no memory to flood what stands in the landblock");
    if (out_block)
        *out_block = block;
    else
        acp_block_destroy(block);
    return ACP_OK;
}
