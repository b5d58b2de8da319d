/* SPDX-License-Identifier: MIT */
/* Membership for hosts: registering, moving, attaching, and reading the lists (include/acphys/membership.h).
 *
 * Registering canonicalises an outdoor position (WM-48), enters the cell when it is resident and floods by MEM-31, statics by the static
 * column; where the cell is not resident the object waits for its landblock. Attaching follows PHO-27: the child leaves its cells, is
 * placed, enters the parent's cell and is registered again. Bulk creation is the same, one after another, and stops at the first failure.
 *
 * Contract: world thread for changes, read access for lookups; numbers are checked here, nothing below sees NaN. A call that runs out of
 * memory leaves objects where they were. Cost: one flood per registration, attaching one for everything that hangs; lookups copy.
 *
 * retail: CPhysicsObj::set_parent 0x00515A90
 * retail: CPhysicsObj::unset_parent 0x00513470
 */
#include "acphys/membership.h"

#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "membership/exchange.h"
#include "place/cell_id.h"

static acp_object_row *row_or_error(const acp_world *world, acp_object object, uint32_t *out_index, const char *operation,
                                    acp_error *error) {
    acp_object_row *row = acp_world_row_of(world, object, out_index);
    if (!row) acp_error_set(error, ACP_ERROR_STALE_HANDLE, operation, "the object is gone");
    return row;
}

static acp_result tell(acp_result result, const char *operation, acp_error *error) {
    if (result != ACP_OK) acp_error_set(error, result, operation, "no memory for the lists");
    return result;
}

/* Floods and registers by the state word; the object counts as wanted from now on. */
static acp_result register_row(acp_world *world, uint32_t index) {
    acp_registry *registry = acp_registry_make(world);
    acp_membership_row *m = registry ? acp_registry_row_make(registry, index) : NULL;
    if (!m) return ACP_ERROR_OUT_OF_MEMORY;
    bool is_static = (acp_world_row(world, index)->state & ACP_STATE_STATIC) != 0;
    acp_result result = acp_registry_calc_cross_cells(world, index, is_static, NULL);
    if (result == ACP_OK) m->is_registered = 1;
    return result;
}

/* Asks for the memory that registering into a cell will want, while other work is done: the first object that its block holds, the cell's
 * head. Among a million objects strewn over the map each is far away. */
static void fetch_ahead(const acp_world *world, uint32_t cell_id) {
#if defined(__GNUC__)
    const acp_block *block = acp_world_block(world, cell_id);
    uint32_t k = (cell_id & 0xFFFFu) - 1u;
    if (!block) return;
    if (block->first_held != ACP_OBJECT_NONE) __builtin_prefetch(&acp_world_row_at(world, block->first_held)->next_held, 1);
    if (block->lists && k < 64u) __builtin_prefetch((acp_cell_head *)block->lists + k, 1);
#else
    (void)world;
    (void)cell_id;
#endif
}

/* DIV-98: what hangs on an object that waits for its cell is where that is: both may stand in lists of other cells. */
static void label_all(acp_world *world, uint32_t index, uint32_t cell_id) {
    for (uint32_t at = index; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, index, at))
        acp_object_set_cell_id(world, at, cell_id);
}

acp_result acp_membership_register(acp_world *world, acp_object object, acp_error *error) {
    uint32_t index;
    acp_object_row *row = row_or_error(world, object, &index, "register", error);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    if (row->parent != ACP_OBJECT_NONE)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "register", "a child is registered with its parent");
    acp_matrix_position position = row->position;
    if (acp_cell_id_is_outdoor(position.cell_id) && !acp_matrix_position_adjust_to_outside(&position))
        return acp_error_set(error, ACP_ERROR_OUTSIDE_MAP, "register", "the position is beyond the rim of the map");
    if (!acp_cell_id_is_valid(position.cell_id))
        return acp_error_set(error, ACP_ERROR_INVALID_ID, "register", "cell id 0x%08X names no place", (unsigned)position.cell_id);
    fetch_ahead(world, position.cell_id);
    const acp_object_place before = acp_object_place_of(world, index);
    acp_object_leave_cell(world, index);
    acp_object_set_cell_id(world, index, position.cell_id);
    acp_object_set_frame(world, index, &position.frame);
    if (acp_cell_exists(acp_world_cell(world, position.cell_id))) acp_object_enter_cell(world, index, position.cell_id);
    acp_result result = register_row(world, index);
    if (result != ACP_OK)
        acp_object_place_restore(world, index, &before);
    else if (!acp_world_row(world, index)->holder_cell_id)
        label_all(world, index, position.cell_id);
    return tell(result, "register", error);
}

acp_result acp_membership_withdraw(acp_world *world, acp_object object, acp_error *error) {
    uint32_t index;
    if (!row_or_error(world, object, &index, "withdraw", error)) return ACP_ERROR_STALE_HANDLE;
    acp_registry_remove(world, index);
    acp_object_leave_cell(world, index);
    acp_membership_row *m = acp_registry_row(acp_registry_of(world), index);
    if (m) m->is_registered = 0;
    return ACP_OK;
}

acp_result acp_membership_move(acp_world *world, acp_object object, const acp_position *position, acp_error *error) {
    uint32_t index;
    acp_object_row *row = row_or_error(world, object, &index, "move", error);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    if (!position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "move", "no position");
    if (!acp_frame_is_finite(&position->frame)) return acp_error_set(error, ACP_ERROR_NOT_FINITE, "move", "the position is not finite");
    if (!acp_cell_id_is_valid(position->cell_id))
        return acp_error_set(error, ACP_ERROR_INVALID_ID, "move", "cell id 0x%08X names no place", (unsigned)position->cell_id);
    acp_matrix_position old = row->position;
    row->position = acp_matrix_position_from_public(position);
    acp_result result = acp_membership_register(world, object, error);
    if (result != ACP_OK) { /* as before: cell and rows are the old ones again */
        acp_object_set_cell_id(world, index, old.cell_id);
        acp_object_set_frame(world, index, &old.frame);
    }
    return result;
}

acp_result acp_membership_refresh(acp_world *world, acp_object object, acp_error *error) {
    uint32_t index;
    acp_object_row *row = row_or_error(world, object, &index, "refresh", error);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    acp_membership_row *m = acp_registry_row(acp_registry_of(world), index);
    if (row->parent != ACP_OBJECT_NONE || !m || !m->is_registered) return ACP_OK;
    return tell(register_row(world, index), "refresh", error);
}

/* PHO-21 leave_world, then PHO-27. */
static acp_result hang(acp_exchange *x, uint32_t child, uint32_t parent, int32_t part_index, const acp_matrix_frame *holding) {
    acp_world *world = x->world;
    acp_result result = acp_exchange_withdraw(x, child);
    if (result != ACP_OK) return result;
    acp_object_set_cell_id(world, child, 0);
    acp_object_unlink_child(world, child);
    result = acp_object_link_child(world, child, parent, part_index, holding, true);
    if (result != ACP_OK) return result;
    const acp_object_row *above = acp_world_row(world, parent);
    const acp_membership_row *m = acp_registry_row(x->registry, parent);
    if (above->holder_cell_id) {
        result = acp_exchange_enter(x, child, above->holder_cell_id);
        if (result == ACP_OK) result = acp_exchange_recalc(x, child);
    } else if (m && (m->is_registered || m->count)) {
        label_all(world, child, above->position.cell_id);
    }
    return result;
}

acp_result acp_membership_attach(acp_world *world, acp_object child, acp_object parent, int32_t part_index, const acp_frame *holding,
                                 acp_error *error) {
    uint32_t child_index, parent_index;
    acp_object_row *row = row_or_error(world, child, &child_index, "attach", error);
    acp_object_row *above = row ? row_or_error(world, parent, &parent_index, "attach", error) : NULL;
    if (!above) return ACP_ERROR_STALE_HANDLE;
    if (!holding || !acp_frame_is_finite(holding))
        return acp_error_set(error, holding ? ACP_ERROR_NOT_FINITE : ACP_ERROR_INVALID_ARGUMENT, "attach", "no finite holding frame");
    if (acp_object_would_close_ring(world, child_index, parent_index))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "attach", "that would close a ring");
    if (!above->setup) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "attach", "the parent has no part array");
    acp_exchange x;
    if (!acp_object_extra_of(world, child_index) || acp_exchange_begin(world, &x) != ACP_OK)
        return tell(ACP_ERROR_OUT_OF_MEMORY, "attach", error);
    const acp_object_bond before = acp_object_bond_of(world, child_index);
    const acp_matrix_frame frame = acp_matrix_frame_from_public(holding);
    acp_result result = hang(&x, child_index, parent_index, part_index, &frame);
    if (result == ACP_OK) {
        acp_exchange_commit(&x);
        acp_registry_row(x.registry, child_index)->is_registered = 0; /* from now on it is where its parent is */
    } else {
        acp_exchange_undo(&x);
        acp_object_bond_restore(world, child_index, &before);
    }
    return tell(result, "attach", error);
}

acp_result acp_membership_detach(acp_world *world, acp_object child, acp_error *error) {
    uint32_t index;
    acp_object_row *row = row_or_error(world, child, &index, "detach", error);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    acp_membership_row *m = acp_registry_row(acp_registry_of(world), index);
    if (row->parent != ACP_OBJECT_NONE && m && m->count) m->is_registered = 1;
    acp_object_unlink_child(world, index);
    row->transient_state = 0;
    return ACP_OK;
}

acp_result acp_membership_create_all(acp_world *world, const acp_object_definition *definitions, uint32_t count, acp_object *out_objects,
                                     uint32_t *out_created, acp_error *error) {
    if (!world || !out_created || (count && !definitions))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "create all", "no world, definitions or place for the count");
    *out_created = 0;
    for (uint32_t i = 0; i < count; i++) {
        acp_object object;
        acp_result result = acp_object_create(world, &definitions[i], &object, error);
        if (result != ACP_OK) return result;
        result = acp_membership_register(world, object, error);
        if (result != ACP_OK) {
            acp_result ignored = acp_object_destroy(world, object, NULL);
            (void)ignored;
            return result;
        }
        if (out_objects) out_objects[i] = object;
        ++*out_created;
    }
    return ACP_OK;
}

/* --------------------------------------------------------------------------------------------------------------------- lookups */

acp_result acp_membership_object_cells(const acp_world *world, acp_object object, acp_cell_row *out_rows, uint32_t capacity,
                                       uint32_t *out_count) {
    uint32_t index, count = 0;
    if (!out_count || (capacity && !out_rows)) return ACP_ERROR_INVALID_ARGUMENT;
    *out_count = 0;
    if (!acp_world_row_of(world, object, &index)) return ACP_ERROR_STALE_HANDLE;
    const uint32_t *cells = acp_registry_object_cells(world, index, &count);
    for (uint32_t i = 0; i < count && i < capacity; i++) {
        out_rows[i].cell_id = cells[i];
        out_rows[i].is_resident = acp_registry_object_cell_is_resident(world, index, i);
    }
    *out_count = count;
    return ACP_OK;
}

acp_result acp_membership_cell_objects(const acp_world *world, uint32_t cell_id, acp_object *out_objects, uint32_t capacity,
                                       uint32_t *out_count) {
    uint32_t count = 0;
    if (!world || !out_count || (capacity && !out_objects)) return ACP_ERROR_INVALID_ARGUMENT;
    *out_count = 0;
    acp_cell cell = acp_world_cell(world, cell_id);
    if (!acp_cell_exists(cell)) return ACP_ERROR_NOT_FOUND;
    const uint32_t *objects = acp_registry_cell_objects(world, cell, &count);
    for (uint32_t i = 0; i < count && i < capacity; i++)
        out_objects[i] = acp_world_handle(world, objects[i]);
    *out_count = count;
    return ACP_OK;
}

acp_result acp_membership_cell_at(const acp_world *world, const acp_position *position, uint32_t *out_cell_id, acp_error *error) {
    if (!world || !position || !out_cell_id) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "cell at", "an argument is missing");
    *out_cell_id = 0;
    if (!acp_frame_is_finite(&position->frame)) return acp_error_set(error, ACP_ERROR_NOT_FINITE, "cell at", "the position is not finite");
    if (!acp_cell_id_is_valid(position->cell_id))
        return acp_error_set(error, ACP_ERROR_INVALID_ID, "cell at", "cell id 0x%08X names no place", (unsigned)position->cell_id);
    acp_vec3 point = position->frame.origin;
    if (!acp_cell_id_is_outdoor(position->cell_id)) {
        *out_cell_id = acp_find_visible_child_cell(world, position->cell_id, point, true);
        if (!*out_cell_id) *out_cell_id = acp_find_visible_child_cell(world, position->cell_id, point, false);
        if (*out_cell_id) return ACP_OK;
    }
    uint32_t land = position->cell_id;
    if (!acp_adjust_to_outside(&land, &point)) return ACP_OK; /* nowhere */
    acp_cell cell = acp_world_cell(world, land);
    const acp_building *building = acp_cell_building(cell);
    for (uint32_t i = 0; building && i < building->portal_count; i++) { /* a room of the house that stands here */
        uint32_t inside = acp_find_visible_child_cell(world, building->portals[i].other_cell_id, point, true);
        if (!inside) continue;
        *out_cell_id = inside;
        return ACP_OK;
    }
    if (acp_cell_exists(cell)) *out_cell_id = land;
    return ACP_OK;
}

acp_membership_counters acp_membership_get_counters(const acp_world *world) {
    acp_membership_counters counters;
    memset(&counters, 0, sizeof counters);
    const acp_registry *registry = world ? acp_registry_of(world) : NULL;
    if (!registry) return counters;
    for (uint32_t i = 0; i < registry->page_count; i++)
        if (registry->pages[i]) counters.row_bytes += ACP_WORLD_ROWS_PER_PAGE * sizeof(acp_membership_row);
    counters.pair_count = registry->pair_count;
    counters.null_row_count = registry->null_row_count;
    counters.dependency_bytes = registry->dependency_words * 4u;
    counters.pair_bytes = registry->pool.live_words * 4u - counters.dependency_bytes;
    counters.head_bytes = registry->head_bytes;
    counters.object_count = registry->object_count;
    counters.dependency_count = (uint32_t)registry->dependency_count;
    counters.flood_count = registry->flood_count;
    counters.reflood_count = registry->reflood_count;
    return counters;
}

/* --------------------------------------------------------------------------------------------------------------------- explain */

acp_result acp_membership_explain(const acp_world *world, acp_object object, int32_t is_static, const acp_trace_sink *sink,
                                  acp_cell_row *out_rows, uint32_t capacity, uint32_t *out_count, acp_error *error) {
    uint32_t index;
    if (!out_count || (capacity && !out_rows))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "explain", "no place for the rows or their number");
    *out_count = 0;
    const acp_object_row *row = row_or_error(world, object, &index, "explain", error);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    bool statically = is_static < 0 ? (row->state & ACP_STATE_STATIC) != 0 : is_static != 0;
    acp_cell_array array;
    acp_cell_array_init(&array, &world->allocator);
    acp_cell_array_reset(&array, statically);
    acp_flood flood = acp_flood_begin(world, &array);
    flood.trace = sink;
    acp_result result = acp_flood_object(&flood, row, statically);
    for (uint32_t i = 0; i < array.count && i < capacity; i++) {
        out_rows[i].cell_id = array.items[i].cell_id;
        out_rows[i].is_resident = array.items[i].is_resident;
    }
    *out_count = array.count;
    acp_cell_array_free(&array);
    return tell(result, "explain", error);
}
