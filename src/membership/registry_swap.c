/* SPDX-License-Identifier: MIT */
/* What belongs to registering and is not the lists themselves: swaps that happen together, dependencies, and the calls that flood and
 * register (spec 04 §11 to §13, MEM-42).
 *
 * A swap log remembers the old rows of several objects, so that a family of children, or everything that a landblock touches, changes
 * wholly or not at all. Dependencies are kept per landblock, since a landblock becomes resident as a whole (WM-23b): an object lists the
 * blocks it waits for, a block lists the objects that wait for it. An object without a resident cell of its own waits for the block of its
 * position.
 *
 * Contract: world thread; a call that runs out of memory changes nothing. Cost: one flood, then O(cells of the object).
 *
 * retail: CPhysicsObj::calc_cross_cells 0x00515230
 * retail: CPhysicsObj::calc_cross_cells_static 0x00515160
 * retail: CPhysicsObj::SetPositionInternal 0x00515330
 */
#include <string.h>

#include "base/array.h"
#include "membership/registry_state.h"

/* -------------------------------------------------------------------------------------------------------------------- swap log */

acp_result acp_swap_log_swap(acp_world *world, acp_registry *registry, acp_swap_log *log, uint32_t object, const acp_cell_array *array) {
    acp_result result = ACP_ARRAY_RESERVE(log, &registry->allocator, (uint64_t)log->count + 1u);
    if (result != ACP_OK) return result;
    acp_swap_entry *entry = &log->items[log->count];
    entry->object = object;
    result = acp_registry_swap_row(world, registry, object, array, &entry->old);
    if (result == ACP_OK) log->count++;
    return result;
}

void acp_swap_log_free(acp_registry *registry, acp_swap_log *log) { ACP_ARRAY_FREE(log, &registry->allocator); }

void acp_swap_log_undo(acp_world *world, acp_registry *registry, acp_swap_log *log, bool holds_lists) {
    for (uint32_t i = log->count; i-- > 0;)
        acp_registry_swap_back(world, registry, log->items[i].object, &log->items[i].old);
    registry->holds_lists = holds_lists;
    acp_swap_log_finish(world, registry, log);
}

void acp_swap_log_finish(acp_world *world, acp_registry *registry, acp_swap_log *log) {
    for (uint32_t i = 0; i < log->count; i++)
        acp_registry_finish_swap(world, registry, &log->items[i].old);
    log->count = 0;
}

/* ---------------------------------------------------------------------------------------------------------------- dependencies */

/* Lists of dependencies are counted apart from those of cells. */
static acp_list_ref acquire_list(acp_registry *registry, uint32_t size_class) {
    acp_list_ref list = acp_index_pool_acquire(&registry->pool, size_class);
    if (list) registry->dependency_words += acp_index_pool_capacity(size_class);
    return list;
}

static void release_list(acp_registry *registry, acp_list_ref list, uint32_t size_class) {
    if (!list) return;
    acp_index_pool_release(&registry->pool, list, size_class);
    registry->dependency_words -= acp_index_pool_capacity(size_class);
}

acp_dependents *acp_registry_dependents(const acp_registry *registry, uint32_t block_id) {
    uint32_t i = block_id >> 16;
    acp_dependents *page = registry->dependents[i / ACP_DEPENDENTS_PER_PAGE];
    return page ? &page[i % ACP_DEPENDENTS_PER_PAGE] : NULL;
}

/* Room for `more` objects that wait for a block. */
static acp_result reserve_dependents(acp_registry *registry, uint32_t block_id, uint32_t more) {
    acp_dependents **page = &registry->dependents[(block_id >> 16) / ACP_DEPENDENTS_PER_PAGE];
    if (!*page) *page = acp_stock_take(registry->pool.stock, ACP_DEPENDENTS_PAGE_SIZE);
    if (!*page) return ACP_ERROR_OUT_OF_MEMORY;
    acp_dependents *d = acp_registry_dependents(registry, block_id);
    if (d->objects && d->count + more <= acp_index_pool_capacity(d->size_class)) return ACP_OK;
    uint32_t size_class = acp_index_pool_class(d->count + more);
    acp_list_ref list = acquire_list(registry, size_class);
    if (!list) return ACP_ERROR_OUT_OF_MEMORY;
    if (d->objects) {
        memcpy(acp_index_pool_words(&registry->pool, list), acp_index_pool_words(&registry->pool, d->objects), d->count * sizeof(uint32_t));
        release_list(registry, d->objects, d->size_class);
    }
    d->objects = list;
    d->size_class = size_class;
    return ACP_OK;
}

/* A block that nobody waits for has no list. */
static void trim_dependents(acp_registry *registry, acp_dependents *d) {
    if (!d || d->count || !d->objects) return;
    release_list(registry, d->objects, d->size_class);
    memset(d, 0, sizeof *d);
}

static void add_dependent(acp_registry *registry, uint32_t block_id, uint32_t object) {
    acp_dependents *d = acp_registry_dependents(registry, block_id);
    acp_index_pool_words(&registry->pool, d->objects)[d->count++] = object;
    registry->dependency_count++;
}

static void remove_dependent(acp_registry *registry, uint32_t block_id, uint32_t object) {
    acp_dependents *d = acp_registry_dependents(registry, block_id);
    uint32_t *objects = acp_index_pool_words(&registry->pool, d->objects);
    for (uint32_t i = 0; i < d->count; i++) {
        if (objects[i] != object) continue;
        objects[i] = objects[--d->count];
        registry->dependency_count--;
        break;
    }
    trim_dependents(registry, d);
}

void acp_registry_drop_dependencies(acp_registry *registry, uint32_t object) {
    acp_membership_row *row = acp_registry_row(registry, object);
    if (!row || !row->dependency_count) return;
    for (uint32_t i = 0; i < row->dependency_count; i++)
        remove_dependent(registry, acp_index_pool_words(&registry->pool, row->dependencies)[i], object);
    release_list(registry, row->dependencies, row->dependency_class);
    row->dependencies = 0;
    row->dependency_count = 0;
}

/* Room for objects that are to wait for the blocks of a list: in the blocks, and a list for each of them, chained through their first
 * words. */
static void give_back_room(acp_registry *registry, const acp_dependency_list *list, acp_list_ref lists) {
    while (lists) {
        acp_list_ref next = acp_index_pool_words(&registry->pool, lists)[0];
        release_list(registry, lists, acp_index_pool_class(list->count));
        lists = next;
    }
    for (uint32_t i = 0; i < list->count; i++)
        trim_dependents(registry, acp_registry_dependents(registry, list->blocks[i]));
}

static acp_result reserve_dependencies(acp_registry *registry, const acp_dependency_list *list, uint32_t objects, acp_list_ref *out_lists) {
    acp_result result = ACP_OK;
    acp_list_ref lists = 0;
    *out_lists = 0;
    if (!list->count) return ACP_OK;
    for (uint32_t i = 0; i < list->count && result == ACP_OK; i++)
        result = reserve_dependents(registry, list->blocks[i], objects);
    for (uint32_t i = 0; i < objects && result == ACP_OK; i++) {
        acp_list_ref fresh = acquire_list(registry, acp_index_pool_class(list->count));
        if (!fresh) {
            result = ACP_ERROR_OUT_OF_MEMORY;
            break;
        }
        acp_index_pool_words(&registry->pool, fresh)[0] = lists;
        lists = fresh;
    }
    if (result == ACP_OK)
        *out_lists = lists;
    else
        give_back_room(registry, list, lists);
    return result;
}

/* One object waits for the blocks of the list from now on; cannot fail. Takes the first of the lists reserved. */
static void take_dependencies(acp_registry *registry, uint32_t object, const acp_dependency_list *list, acp_list_ref *lists) {
    acp_membership_row *row = acp_registry_row(registry, object);
    acp_list_ref fresh = *lists;
    if (fresh) {
        uint32_t *blocks = acp_index_pool_words(&registry->pool, fresh);
        *lists = blocks[0];
        memcpy(blocks, list->blocks, list->count * sizeof *blocks);
        for (uint32_t i = 0; i < list->count; i++)
            add_dependent(registry, list->blocks[i], object);
    }
    acp_registry_drop_dependencies(registry, object);
    row->dependencies = fresh;
    row->dependency_count = list->count;
    row->dependency_class = list->count ? (uint8_t)acp_index_pool_class(list->count) : 0;
}

acp_result acp_registry_set_dependencies(acp_registry *registry, uint32_t object, const acp_dependency_list *list) {
    acp_membership_row *row = acp_registry_row_make(registry, object);
    if (!row) return ACP_ERROR_OUT_OF_MEMORY;
    if (!list->count && !row->dependency_count) return ACP_OK;
    acp_list_ref lists;
    acp_result result = reserve_dependencies(registry, list, 1, &lists);
    if (result == ACP_OK) take_dependencies(registry, object, list, &lists);
    return result;
}

void acp_registry_drop_dependency(acp_registry *registry, uint32_t object, uint32_t block_id) {
    acp_membership_row *row = acp_registry_row(registry, object);
    if (!row || !row->dependency_count) return;
    uint32_t *blocks = acp_index_pool_words(&registry->pool, row->dependencies);
    uint32_t i = 0;
    while (i < row->dependency_count && blocks[i] != block_id)
        i++;
    if (i == row->dependency_count) return;
    blocks[i] = blocks[--row->dependency_count];
    remove_dependent(registry, block_id, object);
    if (row->dependency_count) return;
    release_list(registry, row->dependencies, row->dependency_class);
    row->dependencies = 0;
}

/* --------------------------------------------------------------------------------------------------------- flood and register */

acp_result acp_registry_flood(acp_world *world, acp_registry *registry, uint32_t object, bool is_static, const acp_trace_sink *trace) {
    const acp_object_row *row = acp_world_row_at(world, object);
    registry->waiting.count = 0;
    registry->flood_count++;
    acp_flood flood = acp_flood_begin(world, &registry->array);
    flood.trace = trace;
    flood.dependencies = &registry->waiting;
    return acp_flood_object(&flood, row, is_static);
}

/* Gives an object and its children, which have its rows, the cells of the array and lets them wait for registry->waiting (a child that
 * loses its parent keeps waiting): both or neither. */
static acp_result set_cells_and_waiting(acp_world *world, acp_registry *registry, uint32_t object, const acp_cell_array *array) {
    const acp_dependency_list *waiting = &registry->waiting;
    uint32_t objects = 0;
    for (uint32_t at = object; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, object, at), objects++)
        if (!acp_registry_row_make(registry, at)) return ACP_ERROR_OUT_OF_MEMORY;
    acp_list_ref lists;
    acp_result result = reserve_dependencies(registry, waiting, objects, &lists);
    if (result != ACP_OK) return result;
    result = acp_registry_set_cells(world, object, array);
    if (result != ACP_OK) {
        give_back_room(registry, waiting, lists);
        return result;
    }
    for (uint32_t at = object; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, object, at))
        take_dependencies(registry, at, waiting, &lists);
    return ACP_OK;
}

/* Whether a change of an object's cells is more than that. */
static inline bool has_waiting(const acp_world *world, const acp_registry *registry, uint32_t object, const acp_membership_row *row) {
    return registry->waiting.count || row->dependency_count || acp_world_row_at(world, object)->first_child != ACP_OBJECT_NONE;
}

acp_result acp_registry_calc_cross_cells(acp_world *world, uint32_t object, bool is_static, const acp_trace_sink *trace) {
    acp_registry *registry = acp_registry_make(world);
    if (!registry) return ACP_ERROR_OUT_OF_MEMORY;
    acp_membership_row *row = acp_registry_row_make(registry, object);
    if (!row) return ACP_ERROR_OUT_OF_MEMORY;
    acp_result result = acp_registry_flood(world, registry, object, is_static, trace);
    if (result != ACP_OK) return result;
    result = has_waiting(world, registry, object, row) ? set_cells_and_waiting(world, registry, object, &registry->array)
                                                       : acp_registry_set_cells(world, object, &registry->array);
    if (result == ACP_OK) row->is_static = is_static;
    return result;
}

acp_result acp_registry_add_to_cell(acp_world *world, uint32_t object, uint32_t cell_id, const acp_matrix_frame *frame) {
    const acp_object_place before = acp_object_place_of(world, object);
    acp_object_leave_cell(world, object);
    acp_object_enter_cell(world, object, cell_id);
    acp_object_set_frame(world, object, frame);
    acp_result result = acp_registry_calc_cross_cells(world, object, true, NULL);
    if (result != ACP_OK) acp_object_place_restore(world, object, &before);
    return result;
}

acp_result acp_registry_refresh_after_move(acp_world *world, uint32_t object, const acp_cell_array *transition_array) {
    const acp_object_row *row = acp_world_row_at(world, object);
    if (!row->holder_cell_id) return ACP_OK;
    if (row->state & ACP_STATE_HAS_PHYSICS_BSP) return acp_registry_calc_cross_cells(world, object, false, NULL);
    if (!transition_array->count) return ACP_OK;
    acp_registry *registry = acp_registry_make(world);
    if (!registry) return ACP_ERROR_OUT_OF_MEMORY;
    registry->waiting.count = 0;
    for (uint32_t i = 0; i < transition_array->count; i++) {
        acp_cell_entry entry = transition_array->items[i];
        if (entry.is_resident || acp_world_cell_status(world, entry.cell_id) != ACP_CELL_NOT_RESIDENT) continue;
        acp_result result = acp_dependency_list_add(&registry->waiting, entry.cell_id & 0xFFFF0000u);
        if (result != ACP_OK) return result;
    }
    const acp_membership_row *own = acp_registry_row_make(registry, object);
    if (!own) return ACP_ERROR_OUT_OF_MEMORY;
    return has_waiting(world, registry, object, own) ? set_cells_and_waiting(world, registry, object, transition_array)
                                                     : acp_registry_set_cells(world, object, transition_array);
}
