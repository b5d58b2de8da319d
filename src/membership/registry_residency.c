/* SPDX-License-Identifier: MIT */
/* Landblocks that come and go under registered objects (spec 04 §14, MEM-42).
 *
 * Publishing makes a block resident and floods again every object that waits for it, in handle order, so that the lists do not depend on
 * history; an object that had no cell of its own enters it now. Retiring floods again everything that has a row in the block, as if the
 * block were gone already, and lets the objects that its cells held leave; those keep position and id and wait for the block. Both happen
 * wholly or not at all: rows are swapped with a log and swapped back when memory runs out. Under ACP_FIDELITY_REFLOOD only the block's own
 * objects are revisited when it appears (MEM-39), and rows merely lose their cell when it goes (MEM-40).
 *
 * Contract: world thread. Cost: one flood per object concerned. Differs from the client: DIV-31, DIV-32.
 *
 * retail: CLandBlock::release_all 0x0052FCF0
 */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "membership/registry_state.h"

typedef ACP_ARRAY(uint32_t) index_list;

static void sort_indices(uint32_t *items, uint32_t count) {
    for (uint32_t gap = count / 2u; gap > 0; gap /= 2u) /* shell sort: no recursion, no memory */
        for (uint32_t i = gap; i < count; i++) {
            uint32_t item = items[i], k = i;
            for (; k >= gap && items[k - gap] > item; k -= gap)
                items[k] = items[k - gap];
            items[k] = item;
        }
}

static void sort_and_unify(index_list *list) {
    sort_indices(list->items, list->count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (!kept || list->items[kept - 1u] != list->items[i]) list->items[kept++] = list->items[i];
    list->count = kept;
}

/* Floods an object, with its children, into the log. While a block is being published its objects go on waiting for it, so that undoing
 * needs no memory; the caller drops that when all is well. */
static acp_result reflood(acp_world *world, acp_registry *registry, acp_swap_log *log, uint32_t object, acp_block *hidden,
                          uint32_t waits_for) {
    acp_membership_row *row = acp_registry_row(registry, object);
    uint32_t slot = hidden ? hidden->block_id >> 16 : 0;
    if (hidden) world->blocks[slot] = NULL; /* the flood sees the world without it; the rows are still found in it */
    acp_result result = acp_registry_flood(world, registry, object, row->is_static != 0, NULL);
    if (hidden) world->blocks[slot] = hidden;
    registry->reflood_count++;
    if (result == ACP_OK && waits_for) result = acp_dependency_list_push(&registry->waiting, waits_for);
    if (result == ACP_OK) result = acp_registry_set_family_dependencies(world, registry, object, &registry->waiting);
    for (uint32_t at = object; at != ACP_OBJECT_NONE && result == ACP_OK; at = acp_object_next_below(world, object, at))
        result = acp_swap_log_swap(world, registry, log, at, &registry->array);
    return result;
}

/* Children are registered through their parent: whom to flood for an object. */
static uint32_t root_of(const acp_world *world, uint32_t object) {
    while (acp_world_row(world, object)->parent != ACP_OBJECT_NONE)
        object = acp_world_row(world, object)->parent;
    return object;
}

/* -------------------------------------------------------------------------------------------------------------------- publish */

static acp_result collect_dependents(acp_world *world, acp_registry *registry, uint32_t block_id, index_list *out) {
    const acp_dependents *d = acp_registry_dependents(registry, block_id);
    if (!d || !d->count) return ACP_OK;
    acp_result result = ACP_ARRAY_RESERVE_EXACTLY(out, &registry->allocator, d->count);
    if (result != ACP_OK) return result;
    const uint32_t *objects = acp_index_pool_words(&registry->pool, d->objects);
    for (uint32_t i = 0; i < d->count; i++) {
        bool is_own = (acp_world_row(world, objects[i])->position.cell_id ^ block_id) >> 16 == 0;
        if ((world->fidelity & ACP_FIDELITY_REFLOOD) && !is_own) continue;
        ACP_ARRAY_ADD(out, root_of(world, objects[i]));
    }
    sort_and_unify(out);
    return ACP_OK;
}

/* An object that waits for its own cell enters it. */
static void enter_own_cell(acp_world *world, acp_registry *registry, uint32_t object) {
    const acp_object_row *row = acp_world_row(world, object);
    const acp_membership_row *m = acp_registry_row(registry, object);
    if (row->holder_cell_id || !m || !m->is_registered || !acp_cell_exists(acp_world_cell(world, row->position.cell_id))) return;
    acp_object_enter_cell(world, object, row->position.cell_id);
}

acp_result acp_membership_publish(acp_world *world, acp_block *block, acp_error *error) {
    if (!world || !block) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "publish", "no world or no landblock");
    acp_result result = acp_world_add_block(world, block, error);
    if (result != ACP_OK) return result;
    acp_registry *registry = acp_registry_of(world);
    if (!registry) return ACP_OK;
    index_list objects = {NULL, 0, 0};
    acp_swap_log log = {NULL, 0, 0};
    result = collect_dependents(world, registry, block->block_id, &objects);
    for (uint32_t i = 0; i < objects.count && result == ACP_OK; i++) {
        enter_own_cell(world, registry, objects.items[i]);
        result = reflood(world, registry, &log, objects.items[i], NULL, block->block_id);
    }
    if (result == ACP_OK) {
        acp_swap_log_finish(world, registry, &log);
        for (uint32_t i = 0; i < objects.count; i++)
            for (uint32_t at = objects.items[i]; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, objects.items[i], at))
                acp_registry_drop_dependency(registry, at, block->block_id);
    } else {
        acp_swap_log_undo(world, registry, &log);
        while (block->first_held != ACP_OBJECT_NONE)
            acp_object_leave_cell(world, block->first_held);
        acp_registry_release_block(world, block);
        acp_world_remove_block(world, block->block_id);
        acp_error_set(error, result, "publish", "no memory to flood what depends on the landblock");
    }
    ACP_ARRAY_FREE(&objects, &registry->allocator);
    return result;
}

/* --------------------------------------------------------------------------------------------------------------------- retire */

/* Everything with a row in the block, and everything that its cells hold. */
static acp_result collect_touched(acp_world *world, acp_registry *registry, acp_block *block, index_list *out) {
    acp_cell_head *heads = block->lists;
    for (uint32_t i = 0; heads && i < acp_block_slot_count(block); i++)
        for (uint32_t k = 0; k < heads[i].count; k++) {
            uint32_t object = acp_index_pool_words(&registry->pool, heads[i].objects)[k];
            acp_result result = ACP_ARRAY_PUSH(out, &registry->allocator, root_of(world, object));
            if (result != ACP_OK) return result;
        }
    uint32_t at = block->first_held;
    if (at != ACP_OBJECT_NONE) do {
            acp_result result = ACP_ARRAY_PUSH(out, &registry->allocator, root_of(world, at));
            if (result != ACP_OK) return result;
            at = acp_world_row(world, at)->next_held;
        } while (at != block->first_held);
    sort_and_unify(out);
    return ACP_OK;
}

/* MEM-40 as the client has it: rows stay, without their cell. */
static acp_result null_rows(acp_world *world, acp_registry *registry, acp_swap_log *log, uint32_t object, uint32_t block_id) {
    acp_result result = ACP_OK;
    for (uint32_t at = object; at != ACP_OBJECT_NONE && result == ACP_OK; at = acp_object_next_below(world, object, at)) {
        const acp_membership_row *row = acp_registry_row(registry, at);
        if (!row || !row->count) continue;
        acp_cell_array *array = &registry->array;
        acp_cell_array_reset(array, false);
        const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells);
        for (uint32_t k = 0; k < row->count; k++)
            acp_cell_array_add(array, list[k], !acp_row_is_null(list, row->count, row->null_count, k) && (list[k] ^ block_id) >> 16 != 0);
        result = array->is_failed ? ACP_ERROR_OUT_OF_MEMORY : acp_swap_log_swap(world, registry, log, at, array);
        if (result == ACP_OK) result = acp_registry_add_dependency(registry, at, block_id);
    }
    return result;
}

/* Holders that leave, remembered by their former cell so that they can come back. */
static acp_result let_leave(acp_world *world, acp_registry *registry, acp_block *block, index_list *left) {
    while (block->first_held != ACP_OBJECT_NONE) {
        uint32_t object = block->first_held;
        acp_result result = ACP_ARRAY_PUSH(left, &registry->allocator, object);
        if (result == ACP_OK) result = ACP_ARRAY_PUSH(left, &registry->allocator, acp_world_row(world, object)->holder_cell_id);
        if (result != ACP_OK) return result;
        acp_object_leave_one_cell(world, object);
    }
    return ACP_OK;
}

static void let_return(acp_world *world, const index_list *left) {
    for (uint32_t i = 0; i + 1u < left->count; i += 2u)
        acp_object_hold_one_in_cell(world, left->items[i], left->items[i + 1u]);
}

acp_result acp_membership_retire(acp_world *world, uint32_t cell_id, acp_block **out_block, acp_error *error) {
    if (!world) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "retire", "no world");
    acp_block *block = acp_world_block(world, cell_id);
    if (!block) return acp_error_set(error, ACP_ERROR_NOT_FOUND, "retire", "the landblock is not resident");
    acp_registry *registry = acp_registry_make(world);
    if (!registry) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "retire", "no memory for the registry");
    index_list objects = {NULL, 0, 0}, left = {NULL, 0, 0};
    acp_swap_log log = {NULL, 0, 0};
    acp_result result = collect_touched(world, registry, block, &objects);
    if (result == ACP_OK) result = let_leave(world, registry, block, &left);
    bool is_retail = (world->fidelity & ACP_FIDELITY_REFLOOD) != 0;
    for (uint32_t i = 0; i < objects.count && result == ACP_OK; i++)
        if (acp_registry_row(registry, objects.items[i]))
            result = is_retail ? null_rows(world, registry, &log, objects.items[i], block->block_id)
                               : reflood(world, registry, &log, objects.items[i], block, 0);
    if (result == ACP_OK) {
        acp_swap_log_finish(world, registry, &log);
        acp_registry_release_block(world, block);
        acp_world_remove_block(world, block->block_id);
        if (out_block)
            *out_block = block;
        else
            acp_block_destroy(block);
    } else {
        acp_swap_log_undo(world, registry, &log);
        let_return(world, &left);
        acp_error_set(error, result, "retire", "no memory to flood what stands in the landblock");
    }
    ACP_ARRAY_FREE(&objects, &registry->allocator);
    ACP_ARRAY_FREE(&left, &registry->allocator);
    return result;
}
