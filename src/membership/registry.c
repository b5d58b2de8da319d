/* SPDX-License-Identifier: MIT */
/* The shadow registry: one row per object, an index list each way (spec 04 §12).
 *
 * An object's row names a list of cell ids in the order of its flood; a cell's head names a list of object indices. Nothing else is stored
 * per pair: both lists come from one pool of 32-bit words, and no shape is copied. In a cell, statics stand first in canonical order
 * (MEM-43, DIV-33), dynamics behind them in order of arrival with swap-remove among themselves; under ACP_FIDELITY_SHADOW_ORDER everything
 * is appended and swap-removed, as retail does. Children take their parent's array (MEM-34); a particle emitter has one row, the cell that
 * holds it.
 *
 * Contract: world thread. A call that runs out of memory changes nothing: new lists and room in the cells are made first, then old
 * entries are taken out and new ones put in, which cannot fail. Limits: 67 million statics per cell. Cost: removal searches a cell's list.
 *
 * retail: CPhysicsObj::add_shadows_to_cells 0x00514AE0
 * retail: CPhysicsObj::remove_shadows_from_cells 0x00511230
 * retail: CObjCell::add_shadow_object 0x0052B280
 * retail: CObjCell::remove_shadow_object 0x0052B2D0
 */
#include "membership/registry.h"

#include <string.h>

#include "base/memory.h"
#include "membership/cell_heads.h"
#include "membership/registry_state.h"

/* ------------------------------------------------------------------------------------------------------------------ the column */

static void free_heads(acp_registry *registry, acp_block *block) {
    if (!block->lists) return;
    registry->head_bytes -= (uint64_t)acp_block_slot_count(block) * sizeof(acp_cell_head);
    block->lists = NULL; /* the room is the block's */
}

void acp_registry_release_block(acp_world *world, acp_block *block) {
    acp_registry *registry = acp_registry_of(world);
    if (!registry || !block->lists) return;
    acp_cell_head *heads = block->lists;
    for (uint32_t i = 0; i < acp_block_slot_count(block); i++)
        if (acp_head_has_list(&heads[i])) acp_index_pool_release(&registry->pool, heads[i].objects, acp_head_class(&heads[i]));
    free_heads(registry, block);
}

static void destroy_registry(acp_world *world, void *data) {
    acp_registry *registry = data;
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS; i++)
        if (world->blocks[i]) free_heads(registry, world->blocks[i]);
    for (uint32_t i = 0; i < registry->page_count; i++)
        acp_stock_release(&world->stock, registry->pages[i], ACP_MEMBERSHIP_PAGE_SIZE);
    acp_array_free(&registry->pages, registry->page_capacity, sizeof *registry->pages, &registry->allocator);
    acp_array_successor_free(&registry->next_pages, sizeof *registry->pages, &registry->allocator);
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS / ACP_DEPENDENTS_PER_PAGE; i++)
        acp_stock_release(&world->stock, registry->dependents[i], ACP_DEPENDENTS_PAGE_SIZE);
    acp_dependency_list_free(&registry->waiting);
    acp_swap_log_free(registry, &registry->family);
    acp_exchange_room_free(registry);
    acp_index_pool_free(&registry->pool);
    acp_cell_array_free(&registry->array);
    acp_allocator allocator = registry->allocator;
    ACP_MEMORY_DELETE(&allocator, acp_registry, registry);
}

static void remove_one(acp_world *world, acp_registry *registry, uint32_t object) {
    acp_membership_row *row = acp_registry_row(registry, object);
    if (!row) return;
    if (row->count) {
        acp_registry_unlink_row(world, registry, object, row, NULL);
        acp_registry_release_list(registry, row);
        row->cells = 0;
        row->count = row->null_count = 0;
    }
    if (row->dependency_count) acp_registry_drop_dependencies(registry, object);
}

static void forget_object(acp_world *world, void *data, uint32_t index) {
    acp_registry *registry = data;
    acp_membership_row *row = acp_registry_row(registry, index);
    if (!row) return;
    remove_one(world, registry, index);
    memset(row, 0, sizeof *row);
}

acp_registry *acp_registry_make_first(acp_world *world) {
    acp_registry *registry = ACP_MEMORY_NEW(&world->allocator, acp_registry);
    if (!registry) return NULL;
    registry->allocator = world->allocator;
    acp_index_pool_init(&registry->pool, &world->allocator, &world->stock);
    acp_cell_array_init(&registry->array, &world->allocator);
    registry->waiting.allocator = &registry->allocator;
    world->columns[ACP_COLUMN_MEMBERSHIP].data = registry;
    world->columns[ACP_COLUMN_MEMBERSHIP].destroy = destroy_registry;
    world->columns[ACP_COLUMN_MEMBERSHIP].object_destroyed = forget_object;
    return registry;
}

/* Room in the table for a page. */
static bool reserve_page(acp_registry *registry, uint32_t page) {
    if (acp_array_grow_ahead(&registry->pages, &registry->page_capacity, registry->page_count, sizeof *registry->pages, page + 1u,
                             &registry->next_pages, &registry->allocator) != ACP_OK)
        return false;
    while (registry->page_count <= page)
        registry->pages[registry->page_count++] = NULL;
    return true;
}

acp_membership_row *acp_registry_row_make_page(acp_registry *registry, uint32_t object) {
    uint32_t page = object / ACP_WORLD_ROWS_PER_PAGE;
    if (page >= registry->page_count && !reserve_page(registry, page)) return NULL;
    if (!registry->pages[page]) {
        registry->pages[page] = acp_stock_take(registry->pool.stock, ACP_MEMBERSHIP_PAGE_SIZE);
        if (!registry->pages[page]) return NULL;
    }
    return &registry->pages[page][object % ACP_WORLD_ROWS_PER_PAGE];
}

/* ------------------------------------------------------------------------------------------------------------- objects' lists */

acp_result acp_registry_build_list(acp_world *world, acp_registry *registry, uint32_t object, const acp_cell_array *array,
                                   acp_membership_row *out_row) {
    const acp_object_row *row = acp_world_row_at(world, object);
    acp_cell_entry holder = {row->holder_cell_id, 1};
    const acp_cell_entry *items = array->items;
    uint32_t count = array->count;
    if (row->state & ACP_STATE_PARTICLE_EMITTER) { /* MEM-34: one row, the cell that holds it */
        items = &holder;
        count = row->holder_cell_id ? 1u : 0u;
    }
    uint32_t null_count = 0;
    for (uint32_t i = 0; i < count; i++)
        null_count += !items[i].is_resident;
    out_row->cells = 0;
    out_row->count = count;
    out_row->null_count = null_count;
    if (!count) return ACP_OK;
    uint32_t words = acp_row_words(count, null_count);
    out_row->cells = acp_index_pool_acquire(&registry->pool, acp_index_pool_class(words));
    if (!out_row->cells) return ACP_ERROR_OUT_OF_MEMORY;
    uint32_t *list = acp_index_pool_words(&registry->pool, out_row->cells);
    if (null_count) memset(list + count, 0, (words - count) * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = items[i].cell_id;
        if (!items[i].is_resident) list[count + i / 32u] |= 1u << (i % 32u);
    }
    return ACP_OK;
}

void acp_registry_release_list(acp_registry *registry, const acp_membership_row *row) {
    if (row->cells) acp_index_pool_release(&registry->pool, row->cells, acp_index_pool_class(acp_row_words(row->count, row->null_count)));
}

/* Whether a row has the resident cell; `hint` is where to look first, moved on a hit: two lists of one object mostly run in step. */
static bool has_resident(const acp_registry *registry, const acp_membership_row *row, uint32_t cell_id, uint32_t *hint) {
    if (!row || !row->count) return false;
    const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells);
    uint32_t at = *hint < row->count && list[*hint] == cell_id ? *hint : 0;
    while (at < row->count && list[at] != cell_id)
        at++;
    if (at == row->count) return false;
    *hint = at + 1u;
    return !acp_row_is_null(list, row->count, row->null_count, at);
}

/* Takes the object out of the first `part->count` cells of a row. */
static void unlink_cells(acp_world *world, acp_registry *registry, uint32_t object, const acp_membership_row *part,
                         const acp_membership_row *row, const acp_membership_row *except) {
    uint32_t hint = 0;
    if (except && !except->count) except = NULL;
    const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells);
    const uint32_t count = part->count, all = row->count, null_count = row->null_count;
    uint32_t removed = 0;
    acp_head_finder finder = acp_head_finder_begin(world);
    for (uint32_t i = 0; i < count; i++) {
        if (acp_row_is_null(list, all, null_count, i)) continue;
        if (except && has_resident(registry, except, list[i], &hint)) continue;
        acp_cell_head *head = acp_head_find(&finder, list[i]);
        if (head) removed += acp_head_remove(registry, head, object);
    }
    registry->pair_count -= removed;
}

/* Puts the object into the cells of a row; makes room where `makes_room`, and takes all out again when that fails. */
static acp_result link_cells(acp_world *world, acp_registry *registry, uint32_t object, const acp_membership_row *row,
                             const acp_membership_row *except, bool makes_room) {
    if (!row->count) return ACP_OK;
    uint32_t hint = 0;
    if (except && !except->count) except = NULL;
    const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells); /* chunks never move */
    const acp_object_row *ordered = acp_world_row_at(world, object);
    if (!acp_head_is_ordered(world, ordered)) ordered = NULL;
    acp_head_finder finder = acp_head_finder_begin(world);
    for (uint32_t i = 0; i < row->count; i++) {
        if (acp_row_is_null(list, row->count, row->null_count, i)) continue;
        if (except && has_resident(registry, except, list[i], &hint)) continue;
        acp_cell_head *head = acp_head_find_or_make(&finder, registry, list[i]);
        if (makes_room && (!head || acp_head_reserve(registry, head) != ACP_OK)) {
            acp_membership_row first = *row;
            first.count = i;
            unlink_cells(world, registry, object, &first, row, except);
            return ACP_ERROR_OUT_OF_MEMORY;
        }
        acp_head_insert(world, registry, head, object, ordered);
        registry->pair_count++;
    }
    registry->object_count++;
    registry->null_row_count += row->null_count;
    return ACP_OK;
}

void acp_registry_link_row(acp_world *world, acp_registry *registry, uint32_t object, const acp_membership_row *row,
                           const acp_membership_row *except) {
    (void)link_cells(world, registry, object, row, except, false);
}

void acp_registry_unlink_row(acp_world *world, acp_registry *registry, uint32_t object, const acp_membership_row *row,
                             const acp_membership_row *except) {
    if (!row->count) return;
    unlink_cells(world, registry, object, row, row, except);
    registry->object_count--;
    registry->null_row_count -= row->null_count;
}

/* MEM-34 for an object that is in no cell: its list and the entries in the cells in one pass. Not done, and nothing has changed: memory was
 * refused, which is the result; or a cell is known by id only, a landblock has no heads yet, or it is an emitter, and the longer way is to
 * be gone. */
static acp_result enter_at_once(acp_world *world, acp_registry *registry, uint32_t object, acp_membership_row *row,
                                const acp_cell_array *array, bool *out_is_done) {
    *out_is_done = false;
    const acp_object_row *own = acp_world_row_at(world, object);
    const uint32_t count = array->count;
    if (!count || (own->state & ACP_STATE_PARTICLE_EMITTER)) return ACP_OK;
    const acp_object_row *ordered = acp_head_is_ordered(world, own) ? own : NULL;
    const uint32_t size_class = acp_index_pool_class(count);
    const acp_list_ref cells = acp_index_pool_acquire(&registry->pool, size_class);
    if (!cells) return ACP_ERROR_OUT_OF_MEMORY;
    uint32_t *list = acp_index_pool_words(&registry->pool, cells);
    const acp_cell_entry *items = array->items;
    acp_head_finder finder = acp_head_finder_begin(world);
    acp_result result = ACP_OK;
    uint32_t i = 0;
    for (; i < count && items[i].is_resident; i++) {
        list[i] = items[i].cell_id;
        acp_cell_head *head = acp_head_find(&finder, items[i].cell_id);
        if (!head) break;
        result = acp_head_enter(world, registry, head, object, ordered);
        if (result != ACP_OK) break;
    }
    registry->pair_count += i;
    if (i < count) {
        const acp_membership_row begun = {.cells = cells, .count = i};
        unlink_cells(world, registry, object, &begun, &begun, NULL);
        acp_index_pool_release(&registry->pool, cells, size_class);
        return result;
    }
    registry->object_count++;
    row->cells = cells;
    row->count = count;
    row->null_count = 0;
    row->is_ordered = ordered != NULL;
    *out_is_done = true;
    return ACP_OK;
}

/* Room in every resident cell of a list. */
static acp_result reserve_cells(acp_world *world, acp_registry *registry, const acp_membership_row *row) {
    if (!row->count) return ACP_OK;
    const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells);
    acp_head_finder finder = acp_head_finder_begin(world);
    for (uint32_t i = 0; i < row->count; i++) {
        if (acp_row_is_null(list, row->count, row->null_count, i)) continue;
        acp_cell_head *head = acp_head_find_or_make(&finder, registry, list[i]);
        if (!head || acp_head_reserve(registry, head) != ACP_OK) return ACP_ERROR_OUT_OF_MEMORY;
    }
    return ACP_OK;
}

/* In the library's order an object that stays in a cell keeps its place in the list (MEM-43: arrival; DIV-34); the client removes and
 * appends. An object that has become static, or ceased to be, is put in anew. */
static const acp_membership_row *kept_row(const acp_world *world, uint32_t object, const acp_membership_row *row) {
    if (world->fidelity & ACP_FIDELITY_SHADOW_ORDER) return NULL;
    bool is_ordered = acp_head_is_ordered(world, acp_world_row_at(world, object));
    return is_ordered == (row->is_ordered != 0) ? row : NULL;
}

/* Gives back the lists of those cells of a (former) row that are empty now. */
void acp_registry_trim(acp_world *world, acp_registry *registry, const acp_membership_row *row) {
    if (registry->holds_lists || !row->count) return;
    const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells);
    acp_head_finder finder = acp_head_finder_begin(world);
    for (uint32_t i = 0; i < row->count; i++) {
        acp_cell_head *head = acp_head_find(&finder, list[i]);
        if (head && head->objects && !head->count) acp_head_trim(registry, head);
    }
}

/* The longer way of acp_registry_swap_row. */
static acp_result change_row(acp_world *world, acp_registry *registry, uint32_t object, acp_membership_row *row,
                             const acp_cell_array *array, acp_membership_row *out_old) {
    acp_membership_row fresh = *row;
    acp_result result = acp_registry_build_list(world, registry, object, array, &fresh);
    const acp_membership_row *kept = row->count ? kept_row(world, object, row) : row;
    /* What is kept stays where it is, so putting in and taking out do not meet in any cell. */
    if (result == ACP_OK) result = kept ? link_cells(world, registry, object, &fresh, kept, true) : reserve_cells(world, registry, &fresh);
    if (result != ACP_OK) {
        acp_registry_release_list(registry, &fresh);
        return result;
    }
    *out_old = *row;
    acp_registry_unlink_row(world, registry, object, out_old, kept ? &fresh : NULL);
    row->cells = fresh.cells;
    row->count = fresh.count;
    row->null_count = fresh.null_count;
    row->is_ordered = acp_head_is_ordered(world, acp_world_row_at(world, object));
    if (!kept) acp_registry_link_row(world, registry, object, row, NULL);
    return ACP_OK;
}

acp_result acp_registry_swap_row(acp_world *world, acp_registry *registry, uint32_t object, const acp_cell_array *array,
                                 acp_membership_row *out_old) {
    acp_membership_row *row = acp_registry_row_make(registry, object);
    if (!row) return ACP_ERROR_OUT_OF_MEMORY;
    bool is_done = false;
    acp_result result = ACP_OK;
    *out_old = *row;
    if (!row->count) result = enter_at_once(world, registry, object, row, array, &is_done);
    return is_done || result != ACP_OK ? result : change_row(world, registry, object, row, array, out_old);
}

void acp_registry_swap_back(acp_world *world, acp_registry *registry, uint32_t object, acp_membership_row *old) {
    acp_membership_row *row = acp_registry_row(registry, object);
    acp_membership_row fresh = *row;
    bool is_kept = kept_row(world, object, row) != NULL && row->is_ordered == old->is_ordered;
    acp_registry_unlink_row(world, registry, object, &fresh, is_kept ? old : NULL);
    row->cells = old->cells;
    row->count = old->count;
    row->null_count = old->null_count;
    row->is_ordered = old->is_ordered;
    acp_registry_link_row(world, registry, object, row, is_kept ? &fresh : NULL);
    *old = fresh;
}

void acp_registry_finish_swap(acp_world *world, acp_registry *registry, const acp_membership_row *old) {
    acp_registry_trim(world, registry, old);
    acp_registry_release_list(registry, old);
}

/* ------------------------------------------------------------------------------------------------------------------- MEM-34, 35 */

/* Whether the rows are the array already, so that the lists would stay as they are. */
static bool is_unchanged(const acp_world *world, const acp_registry *registry, uint32_t object, const acp_membership_row *row,
                         const acp_cell_array *array) {
    if (row->count != array->count || !kept_row(world, object, row)) return false;
    if (acp_world_row_at(world, object)->state & ACP_STATE_PARTICLE_EMITTER) return false;
    const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells);
    for (uint32_t i = 0; i < row->count; i++)
        if (list[i] != array->items[i].cell_id ||
            acp_row_is_null(list, row->count, row->null_count, i) == (array->items[i].is_resident != 0))
            return false;
    return true;
}

acp_result acp_registry_set_cells(acp_world *world, uint32_t object, const acp_cell_array *array) {
    acp_registry *registry = acp_registry_make(world);
    if (!registry) return ACP_ERROR_OUT_OF_MEMORY;
    if (acp_world_row_at(world, object)->first_child == ACP_OBJECT_NONE) {
        acp_membership_row *row = acp_registry_row_make(registry, object);
        if (!row) return ACP_ERROR_OUT_OF_MEMORY;
        bool is_done = row->count && is_unchanged(world, registry, object, row, array);
        acp_result result = row->count ? ACP_OK : enter_at_once(world, registry, object, row, array, &is_done);
        if (is_done || result != ACP_OK) return result;
        acp_membership_row old;
        result = change_row(world, registry, object, row, array, &old);
        if (result == ACP_OK) acp_registry_release_list(registry, &old);
        return result;
    }
    acp_swap_log *log = &registry->family;
    bool held = registry->holds_lists;
    registry->holds_lists = true;
    for (uint32_t at = object; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, object, at)) {
        acp_result result = acp_swap_log_swap(world, registry, log, at, array);
        if (result == ACP_OK) continue;
        acp_swap_log_undo(world, registry, log, held);
        return result;
    }
    registry->holds_lists = held;
    acp_swap_log_finish(world, registry, log);
    return ACP_OK;
}

void acp_registry_remove(acp_world *world, uint32_t object) {
    acp_registry *registry = acp_registry_of(world);
    if (!registry) return;
    remove_one(world, registry, object);
    if (acp_world_row_at(world, object)->first_child == ACP_OBJECT_NONE) return;
    for (uint32_t at = acp_object_next_below(world, object, object); at != ACP_OBJECT_NONE; at = acp_object_next_below(world, object, at))
        remove_one(world, registry, at);
}

/* --------------------------------------------------------------------------------------------------------------------- lookups */

const uint32_t *acp_registry_cell_objects(const acp_world *world, acp_cell cell, uint32_t *out_count) {
    const acp_cell_head *head = acp_registry_head(world, cell);
    *out_count = head ? head->count : 0;
    return head && head->count ? acp_head_objects(acp_registry_of(world), head) : NULL;
}

const uint32_t *acp_registry_object_cells(const acp_world *world, uint32_t object, uint32_t *out_count) {
    const acp_registry *registry = acp_registry_of(world);
    const acp_membership_row *row = acp_registry_row(registry, object);
    *out_count = row ? row->count : 0;
    return row && row->count ? acp_index_pool_words(&registry->pool, row->cells) : NULL;
}

bool acp_registry_object_cell_is_resident(const acp_world *world, uint32_t object, uint32_t i) {
    const acp_registry *registry = acp_registry_of(world);
    const acp_membership_row *row = acp_registry_row(registry, object);
    if (!row || i >= row->count) return false;
    return !acp_row_is_null(acp_index_pool_words(&registry->pool, row->cells), row->count, row->null_count, i);
}

bool acp_registry_is_completely_visible(const acp_world *world, uint32_t object) {
    const acp_membership_row *row = acp_registry_row(acp_registry_of(world), object);
    return row && row->count && !row->null_count && acp_world_row_at(world, object)->holder_cell_id;
}
