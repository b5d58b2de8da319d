/* SPDX-License-Identifier: MIT */
/* Rows as they were (for saved states of bodies).
 *
 * What a mover is registered in depends on its path (D5), what it waits for on the flood that made its row, and the order of a cell's list
 * on the history of arrivals; none of these follows from positions, so a saved state holds them and they are put back here. Rows are
 * swapped with a log and swapped back when memory runs out; what objects wait for is first widened and at the end narrowed, since only
 * widening can fail. Contract: world thread; a failed call changes nothing. Cost: O(cells of the objects); arranging O(objects of the cell
 * squared).
 */
#include "membership/registry_restore.h"

#include <string.h>

#include "base/memory.h"
#include "membership/registry_state.h"

acp_registry_saved_row acp_registry_saved_row_of(const acp_world *world, uint32_t object) {
    acp_registry_saved_row saved;
    memset(&saved, 0, sizeof saved);
    saved.object = object;
    const acp_registry *registry = acp_registry_of(world);
    const acp_membership_row *row = acp_registry_row(registry, object);
    if (!row) return saved;
    saved.cell_count = row->count;
    saved.block_count = row->dependency_count;
    if (row->dependency_count) saved.blocks = acp_index_pool_words(&registry->pool, row->dependencies);
    saved.is_registered = row->is_registered;
    saved.is_static = row->is_static;
    return saved;
}

/* ---- what objects wait for ---- */

/* Waits for what it waits for, and for what it waited for. */
static acp_result widen(acp_registry *registry, const acp_registry_saved_row *saved) {
    const acp_membership_row *row = acp_registry_row(registry, saved->object);
    acp_result result = ACP_OK;
    registry->waiting.count = 0;
    for (uint32_t i = 0; row && i < row->dependency_count && result == ACP_OK; ++i)
        result = acp_dependency_list_push(&registry->waiting, acp_index_pool_words(&registry->pool, row->dependencies)[i]);
    uint32_t own = registry->waiting.count;
    for (uint32_t i = 0; i < saved->block_count && result == ACP_OK; ++i)
        result = acp_dependency_list_add(&registry->waiting, saved->blocks[i]);
    if (result == ACP_OK && registry->waiting.count > own)
        result = acp_registry_set_dependencies(registry, saved->object, &registry->waiting);
    return result;
}

/* Waits for nothing that is not among `kept`. */
static void narrow(acp_registry *registry, uint32_t object, const uint32_t *kept, uint32_t kept_count) {
    const acp_membership_row *row = acp_registry_row(registry, object);
    for (uint32_t i = row ? row->dependency_count : 0; i-- > 0;) {
        uint32_t block = acp_index_pool_words(&registry->pool, row->dependencies)[i];
        if (!acp_has_block_id(kept, kept_count, block)) acp_registry_drop_dependency(registry, object, block);
        if (row->dependency_count == 0) return;
    }
}

/* ---- rows ---- */

static acp_result swap_in(acp_world *world, acp_registry *registry, acp_swap_log *log, const acp_registry_saved_row *saved) {
    acp_cell_array *array = &registry->array;
    acp_cell_array_reset(array, false);
    acp_result result = acp_cell_array_reserve(array, saved->cell_count);
    if (result != ACP_OK) return result;
    if (saved->cell_count) memcpy(array->items, saved->cells, saved->cell_count * sizeof *array->items);
    array->count = saved->cell_count;
    return acp_swap_log_swap(world, registry, log, saved->object, array);
}

/* The blocks that the objects waited for before, one list after another, for giving up. */
typedef struct acp_waiting_before {
    uint32_t *blocks;
    uint32_t count;
} acp_waiting_before;

static acp_result remember_waiting(acp_registry *registry, const acp_registry_saved_row *rows, uint32_t count, acp_waiting_before *out) {
    out->blocks = NULL;
    out->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const acp_membership_row *row = acp_registry_row(registry, rows[i].object);
        out->count += row ? row->dependency_count : 0;
    }
    if (out->count == 0) return ACP_OK;
    out->blocks = ACP_MEMORY_NEW_ARRAY(&registry->allocator, uint32_t, out->count);
    if (!out->blocks) return ACP_ERROR_OUT_OF_MEMORY;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const acp_membership_row *row = acp_registry_row(registry, rows[i].object);
        for (uint32_t k = 0; row && k < row->dependency_count; ++k)
            out->blocks[at++] = acp_index_pool_words(&registry->pool, row->dependencies)[k];
    }
    return ACP_OK;
}

acp_result acp_registry_restore_rows(acp_world *world, const acp_registry_saved_row *rows, uint32_t count) {
    acp_registry *registry = acp_registry_make(world);
    if (!registry) return ACP_ERROR_OUT_OF_MEMORY;
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < count && result == ACP_OK; ++i)
        if (!acp_registry_row_make(registry, rows[i].object)) result = ACP_ERROR_OUT_OF_MEMORY;
    acp_waiting_before before = {NULL, 0};
    if (result == ACP_OK) result = remember_waiting(registry, rows, count, &before);
    if (result != ACP_OK) return result;
    acp_swap_log log = {NULL, 0, 0};
    bool held = registry->holds_lists;
    registry->holds_lists = true;
    uint32_t widened = 0;
    for (uint32_t i = 0; i < count && result == ACP_OK; ++i)
        result = swap_in(world, registry, &log, &rows[i]);
    for (; widened < count && result == ACP_OK; ++widened)
        result = widen(registry, &rows[widened]);
    if (result == ACP_OK) {
        registry->holds_lists = held;
        acp_swap_log_finish(world, registry, &log);
        for (uint32_t i = 0; i < count; ++i) {
            narrow(registry, rows[i].object, rows[i].blocks, rows[i].block_count);
            acp_registry_row(registry, rows[i].object)->is_registered = rows[i].is_registered;
            acp_registry_row(registry, rows[i].object)->is_static = rows[i].is_static;
        }
    } else {
        for (uint32_t i = 0; i < widened; ++i) /* a superset of each object's own blocks */
            narrow(registry, rows[i].object, before.blocks, before.count);
        acp_swap_log_undo(world, registry, &log, held);
    }
    acp_swap_log_free(registry, &log);
    ACP_MEMORY_DELETE_ARRAY(&registry->allocator, uint32_t, before.blocks, before.count);
    return result;
}

/* ---- order in cells ---- */

void acp_registry_arrange_cell(acp_world *world, acp_cell cell, const uint32_t *order, uint32_t count) {
    acp_registry *registry = acp_registry_of(world);
    acp_cell_head *head = registry ? acp_registry_head(world, cell) : NULL;
    if (!head || head->count < 2u) return; /* a lone object has no list */
    uint32_t *objects = acp_index_pool_words(&registry->pool, head->objects);
    uint32_t at = acp_head_statics(head);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t found = at;
        while (found < head->count && objects[found] != order[i])
            ++found;
        if (found == head->count) continue;
        memmove(objects + at + 1, objects + at, (found - at) * sizeof *objects);
        objects[at++] = order[i];
    }
}
