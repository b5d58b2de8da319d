/* SPDX-License-Identifier: MIT */
/* Landblocks that come and go under registered objects, wholly or not at all (spec 04 §14, MEM-42; L9).
 *
 * A step is noted before it is taken: a block put into the table or taken out of it, an object that enters or leaves a cell, rows that are
 * swapped, an object that is made. Undoing walks the notes backwards. It needs no memory: lists of cells that have become empty are kept
 * until the end, so that whoever was in them finds room again, and an object goes on waiting for whatever it waited for before beside what
 * it waits for now, until the commit drops the one or the undoing drops the other.
 *
 * Floods come in handle order and see the blocks that are in the table at that moment, so that sets do not depend on history (D4). Objects
 * that are a block's own content are not flooded when it goes: their owner destroys them. Under ACP_FIDELITY_REFLOOD only the appearing
 * block's own objects are revisited (MEM-39), and rows merely lose their cell when a block goes (MEM-40).
 *
 * Contract: world thread. Limits: memory. Cost: one flood per object concerned. Differs from the client: DIV-31, DIV-32.
 *
 * retail: CLandBlock::release_all 0x0052FCF0
 */
#include "membership/exchange.h"

#include <string.h>

#include "base/error.h"

enum { STEP_PUT_IN = 1, STEP_TAKEN_OUT, STEP_CONTENT, STEP_LEFT, STEP_ENTERED, STEP_SWAPPED, STEP_LEAVING, STEP_MODEL };

/* The lists of an exchange stay for the next one, unless one was uncommonly large: publishing finds no fresh memory to wait for. */
#define MOST_KEPT_ITEMS 4096u

void acp_exchange_room_free(acp_registry *registry) {
    acp_exchange_room *room = &registry->room;
    ACP_ARRAY_FREE(&room->steps, &registry->allocator);
    ACP_ARRAY_FREE(&room->ids, &registry->allocator);
    ACP_ARRAY_FREE(&room->objects, &registry->allocator);
    ACP_ARRAY_FREE(&room->models, &registry->allocator);
    acp_dependency_list_free(&room->both);
}

#define EMPTY(array, allocator)                                                                                                            \
    do {                                                                                                                                   \
        if ((array)->capacity > MOST_KEPT_ITEMS) ACP_ARRAY_FREE(array, allocator);                                                         \
        ACP_ARRAY_CLEAR(array);                                                                                                            \
    } while (0)

static void leave_room(acp_exchange *x) {
    EMPTY(&x->room->steps, &x->registry->allocator);
    EMPTY(&x->room->ids, &x->registry->allocator);
    EMPTY(&x->room->objects, &x->registry->allocator);
    EMPTY(&x->room->models, &x->registry->allocator);
}

acp_result acp_exchange_begin(acp_world *world, acp_exchange *out_exchange) {
    out_exchange->world = world;
    out_exchange->registry = acp_registry_make(world);
    if (!out_exchange->registry) return ACP_ERROR_OUT_OF_MEMORY;
    out_exchange->room = &out_exchange->registry->room;
    out_exchange->room->both.allocator = &out_exchange->registry->allocator;
    out_exchange->registry->holds_lists = true;
    return ACP_OK;
}

static acp_exchange_step *note(acp_exchange *x, uint32_t kind, uint32_t object) {
    acp_exchange_step step;
    memset(&step, 0, sizeof step);
    step.kind = kind;
    step.object = object;
    if (ACP_ARRAY_PUSH(&x->room->steps, &x->registry->allocator, step) != ACP_OK) return NULL;
    return &x->room->steps.items[x->room->steps.count - 1u];
}

/* ----------------------------------------------------------------------------------------------------------- flooding with notes */

static void sort_and_unify(acp_index_list *list) {
    uint32_t *items = list->items, count = list->count, kept = 0;
    for (uint32_t gap = count / 2u; gap > 0; gap /= 2u) /* shell sort: no recursion, no memory */
        for (uint32_t i = gap; i < count; i++) {
            uint32_t item = items[i], k = i;
            for (; k >= gap && items[k - gap] > item; k -= gap)
                items[k] = items[k - gap];
            items[k] = item;
        }
    for (uint32_t i = 0; i < count; i++)
        if (!kept || items[kept - 1u] != items[i]) items[kept++] = items[i];
    list->count = kept;
}

/* Children are registered through their parent: whom to flood for an object. */
static uint32_t root_of(const acp_world *world, uint32_t object) {
    while (acp_world_row(world, object)->parent != ACP_OBJECT_NONE)
        object = acp_world_row(world, object)->parent;
    return object;
}

/* Lets one object wait for the blocks of registry->waiting and for those it waits for already; the step remembers both lists. */
static acp_result wait_for_both(acp_exchange *x, uint32_t object, acp_exchange_step *step) {
    acp_registry *registry = x->registry;
    const acp_membership_row *row = acp_registry_row(registry, object);
    uint32_t old_count = row ? row->dependency_count : 0, new_count = registry->waiting.count;
    acp_result result = ACP_ARRAY_RESERVE(&x->room->ids, &registry->allocator, (uint64_t)x->room->ids.count + old_count + new_count);
    if (result != ACP_OK) return result;
    step->first_id = x->room->ids.count;
    step->old_id_count = old_count;
    step->new_id_count = new_count;
    const uint32_t *old = old_count ? acp_index_pool_words(&registry->pool, row->dependencies) : NULL;
    x->room->both.count = 0;
    for (uint32_t i = 0; i < old_count && result == ACP_OK; i++) {
        ACP_ARRAY_ADD(&x->room->ids, old[i]);
        if (!acp_has_block_id(registry->waiting.blocks, new_count, old[i])) result = acp_dependency_list_push(&x->room->both, old[i]);
    }
    for (uint32_t i = 0; i < new_count && result == ACP_OK; i++) {
        ACP_ARRAY_ADD(&x->room->ids, registry->waiting.blocks[i]);
        result = acp_dependency_list_push(&x->room->both, registry->waiting.blocks[i]);
    }
    if (result == ACP_OK) result = acp_registry_set_dependencies(registry, object, &x->room->both);
    if (result != ACP_OK) step->old_id_count = step->new_id_count = 0; /* nothing to take back */
    return result;
}

/* Gives one object the rows of `array`, noted. */
static acp_result swap(acp_exchange *x, uint32_t object, const acp_cell_array *array, bool waits) {
    acp_exchange_step *step = note(x, STEP_SWAPPED, object);
    if (!step) return ACP_ERROR_OUT_OF_MEMORY;
    acp_result result = waits ? wait_for_both(x, object, step) : ACP_OK;
    acp_membership_row old;
    if (result == ACP_OK) result = acp_registry_swap_row(x->world, x->registry, object, array, &old);
    if (result == ACP_OK)
        step->old = old;
    else
        step->kind = 0; /* its dependencies, if any, are taken back all the same */
    return result;
}

/* Floods an object and gives it and its children the result. `hidden` is in the table, but the flood does not see it. */
static acp_result reflood(acp_exchange *x, uint32_t object, acp_block *hidden) {
    acp_world *world = x->world;
    acp_membership_row *row = acp_registry_row(x->registry, object);
    if (!row) return ACP_OK;
    uint32_t slot = hidden ? hidden->block_id >> 16 : 0;
    if (hidden) world->blocks[slot] = NULL; /* the rows are still found in it afterwards */
    acp_result result = acp_registry_flood(world, x->registry, object, row->is_static != 0, NULL);
    if (hidden) world->blocks[slot] = hidden;
    x->registry->reflood_count++;
    /* Whose own cell is not there waits for its landblock, even a resident one: another may take its place that has the cell. */
    const acp_object_row *own = acp_world_row(world, object);
    uint32_t home = own->position.cell_id & 0xFFFF0000u;
    if (result == ACP_OK && !own->holder_cell_id && row->is_registered && home)
        result = acp_dependency_list_add(&x->registry->waiting, home);
    for (uint32_t at = object; at != ACP_OBJECT_NONE && result == ACP_OK; at = acp_object_next_below(world, object, at))
        result = swap(x, at, &x->registry->array, true);
    return result;
}

static acp_result leave(acp_exchange *x, uint32_t object) {
    acp_object_row *row = acp_world_row(x->world, object);
    if (!row->holder_cell_id) return ACP_OK;
    acp_exchange_step *step = note(x, STEP_LEFT, object);
    if (!step) return ACP_ERROR_OUT_OF_MEMORY;
    step->cell_id = row->holder_cell_id;
    acp_object_leave_one_cell(x->world, object);
    return ACP_OK;
}

/* Out of cells and lists, with what hangs on it; `waits`: it waits for nothing any more. */
static acp_result withdraw(acp_exchange *x, uint32_t object, bool waits) {
    acp_result result = ACP_OK;
    x->registry->waiting.count = 0;
    for (uint32_t at = object; at != ACP_OBJECT_NONE && result == ACP_OK; at = acp_object_next_below(x->world, object, at)) {
        acp_cell_array_reset(&x->registry->array, false);
        result = leave(x, at);
        if (result == ACP_OK) result = swap(x, at, &x->registry->array, waits);
    }
    return result;
}

acp_result acp_exchange_withdraw(acp_exchange *x, uint32_t object) { return withdraw(x, object, true); }

acp_result acp_exchange_enter(acp_exchange *x, uint32_t object, uint32_t cell_id) {
    acp_world *world = x->world;
    for (uint32_t at = object; at != ACP_OBJECT_NONE; at = acp_object_next_below(world, object, at)) {
        const acp_object_row *row = acp_world_row(world, at);
        if (!row->setup) continue; /* nothing happens without a part array */
        acp_exchange_step *step = note(x, STEP_ENTERED, at);
        if (!step) return ACP_ERROR_OUT_OF_MEMORY;
        step->cell_id = row->holder_cell_id; /* a child may have been left in another cell */
        step->label = row->position.cell_id;
        acp_object_leave_one_cell(world, at);
        acp_object_hold_one_in_cell(world, at, cell_id);
    }
    return ACP_OK;
}

/* Whether an object has a flood of its own in MEM-38; others keep the rows of what they hang on. */
static bool is_flooded_itself(const acp_world *world, uint32_t object) {
    const acp_object_row *row = acp_world_row(world, object);
    return row->setup && row->position.cell_id;
}

/* Gives the rows of a flood to the object and to whoever below it is not flooded in its turn. Retail gives them to all, which shows in the
 * order of lists only. */
static acp_result share(acp_exchange *x, uint32_t object) {
    const acp_world *world = x->world;
    bool is_retail = (world->fidelity & ACP_FIDELITY_SHADOW_ORDER) != 0;
    acp_result result = swap(x, object, &x->registry->array, true);
    uint32_t at = acp_object_next_below(world, object, object);
    while (at != ACP_OBJECT_NONE && result == ACP_OK) {
        bool is_shared = is_retail || !is_flooded_itself(world, at);
        if (is_shared) result = swap(x, at, &x->registry->array, true);
        at = is_shared ? acp_object_next_below(world, object, at) : acp_object_next_beside(world, object, at);
    }
    return result;
}

acp_result acp_exchange_recalc(acp_exchange *x, uint32_t object) {
    acp_world *world = x->world;
    acp_result result = ACP_OK;
    for (uint32_t at = object; at != ACP_OBJECT_NONE && result == ACP_OK; at = acp_object_next_below(world, object, at)) {
        if (!is_flooded_itself(world, at)) continue;
        result = acp_registry_flood(world, x->registry, at, false, NULL);
        if (result == ACP_OK) result = share(x, at);
    }
    for (uint32_t at = object; at != ACP_OBJECT_NONE && result == ACP_OK; at = acp_object_next_below(world, object, at))
        if (is_flooded_itself(world, at)) acp_registry_row(x->registry, at)->is_static = 0;
    return result;
}

/* ------------------------------------------------------------------------------------------------------------------- coming */

acp_result acp_exchange_put_in(acp_exchange *x, acp_block *block, acp_error *error) {
    acp_exchange_step *step = note(x, STEP_PUT_IN, ACP_OBJECT_NONE);
    if (!step) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "publish", "no memory to note what is done");
    step->block = block;
    acp_result result = acp_world_add_block(x->world, block, error);
    if (result != ACP_OK) x->room->steps.count--;
    return result;
}

acp_result acp_exchange_add_content(acp_exchange *x, uint32_t object) {
    return note(x, STEP_CONTENT, object) ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
}

/* An object that waits for its own cell enters it, with its children. */
static acp_result enter_own_cell(acp_exchange *x, uint32_t object) {
    acp_world *world = x->world;
    const acp_object_row *row = acp_world_row(world, object);
    const acp_membership_row *m = acp_registry_row(x->registry, object);
    uint32_t cell_id = row->position.cell_id;
    if (row->holder_cell_id || !m || !m->is_registered || !acp_cell_exists(acp_world_cell(world, cell_id))) return ACP_OK;
    return acp_exchange_enter(x, object, cell_id);
}

acp_result acp_exchange_wake(acp_exchange *x, uint32_t block_id) {
    acp_world *world = x->world;
    block_id &= 0xFFFF0000u;
    x->room->objects.count = 0;
    const acp_dependents *d = acp_registry_dependents(x->registry, block_id);
    if (!d || !d->count) return ACP_OK;
    acp_result result = ACP_ARRAY_RESERVE(&x->room->objects, &x->registry->allocator, d->count);
    if (result != ACP_OK) return result;
    const uint32_t *waiting = acp_index_pool_words(&x->registry->pool, d->objects);
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t root = root_of(world, waiting[i]);
        bool is_own = (acp_world_row(world, waiting[i])->position.cell_id ^ block_id) >> 16 == 0;
        if ((world->fidelity & ACP_FIDELITY_REFLOOD) && !is_own) continue;
        if (acp_world_row(world, root)->content != ACP_CONTENT_LEAVING) ACP_ARRAY_ADD(&x->room->objects, root);
    }
    sort_and_unify(&x->room->objects);
    for (uint32_t i = 0; i < x->room->objects.count && result == ACP_OK; i++) {
        result = enter_own_cell(x, x->room->objects.items[i]);
        if (result == ACP_OK) result = reflood(x, x->room->objects.items[i], NULL);
    }
    return result;
}

/* -------------------------------------------------------------------------------------------------------------------- going */

/* Everything with a row in the block, and everything that its cells hold. */
static acp_result collect_touched(acp_exchange *x, const acp_block *block) {
    x->room->objects.count = 0;
    const acp_cell_head *heads = block->lists;
    for (uint32_t i = 0; heads && i < acp_block_slot_count(block); i++)
        for (uint32_t k = 0; k < heads[i].count; k++) {
            uint32_t object = acp_head_objects(x->registry, &heads[i])[k];
            acp_result result = ACP_ARRAY_PUSH(&x->room->objects, &x->registry->allocator, root_of(x->world, object));
            if (result != ACP_OK) return result;
        }
    uint32_t at = block->first_held;
    if (at != ACP_OBJECT_NONE) do {
            acp_result result = ACP_ARRAY_PUSH(&x->room->objects, &x->registry->allocator, root_of(x->world, at));
            if (result != ACP_OK) return result;
            at = acp_world_row(x->world, at)->next_held;
        } while (at != block->first_held);
    sort_and_unify(&x->room->objects);
    return ACP_OK;
}

/* MEM-40 as the client has it: rows stay, without their cell. */
static acp_result null_rows(acp_exchange *x, uint32_t object, uint32_t block_id) {
    acp_registry *registry = x->registry;
    acp_result result = ACP_OK;
    for (uint32_t at = object; at != ACP_OBJECT_NONE && result == ACP_OK; at = acp_object_next_below(x->world, object, at)) {
        const acp_membership_row *row = acp_registry_row(registry, at);
        if (!row || !row->count) continue;
        acp_cell_array *array = &registry->array;
        acp_cell_array_reset(array, false);
        const uint32_t *list = acp_index_pool_words(&registry->pool, row->cells);
        for (uint32_t k = 0; k < row->count; k++)
            acp_cell_array_add(array, list[k], !acp_row_is_null(list, row->count, row->null_count, k) && (list[k] ^ block_id) >> 16 != 0);
        if (array->is_failed) return ACP_ERROR_OUT_OF_MEMORY;
        registry->waiting.count = 0;
        for (uint32_t i = 0; i < row->dependency_count && result == ACP_OK; i++) {
            uint32_t known = acp_index_pool_words(&registry->pool, row->dependencies)[i];
            if (known != block_id) result = acp_dependency_list_push(&registry->waiting, known);
        }
        if (result == ACP_OK) result = acp_dependency_list_push(&registry->waiting, block_id);
        if (result == ACP_OK) result = swap(x, at, array, true);
    }
    return result;
}

/* A content object, with what hangs on it, out of every list. */
static acp_result withdraw_content(acp_exchange *x, uint32_t object) {
    if (!note(x, STEP_LEAVING, object)) return ACP_ERROR_OUT_OF_MEMORY;
    acp_world_row(x->world, object)->content = ACP_CONTENT_LEAVING;
    return withdraw(x, object, false);
}

acp_result acp_exchange_take_out(acp_exchange *x, acp_block *block) {
    acp_world *world = x->world;
    acp_result result = collect_touched(x, block);
    while (result == ACP_OK && block->first_held != ACP_OBJECT_NONE)
        result = leave(x, block->first_held);
    bool is_retail = (world->fidelity & ACP_FIDELITY_REFLOOD) != 0;
    for (uint32_t i = 0; i < x->room->objects.count && result == ACP_OK; i++) {
        uint32_t object = x->room->objects.items[i];
        const acp_object_row *row = acp_world_row(world, object);
        if (row->content == ACP_CONTENT_OF_BLOCK && (row->position.cell_id ^ block->block_id) >> 16 == 0)
            result = withdraw_content(x, object);
        else if (acp_registry_row(x->registry, object))
            result = is_retail ? null_rows(x, object, block->block_id) : reflood(x, object, block);
    }
    acp_exchange_step *step = result == ACP_OK ? note(x, STEP_TAKEN_OUT, ACP_OBJECT_NONE) : NULL;
    if (!step) return ACP_ERROR_OUT_OF_MEMORY;
    step->block = block;
    acp_world_remove_block(world, block->block_id);
    return ACP_OK;
}

/* ----------------------------------------------------------------------------------------------------------------------- editing */

static bool is_registered(const acp_exchange *x, uint32_t object) {
    const acp_membership_row *m = acp_registry_row(x->registry, object);
    return m && (m->is_registered || m->count);
}

acp_result acp_exchange_set_model(acp_exchange *x, uint32_t object, const acp_setup *setup) {
    acp_object_model model;
    acp_result result = ACP_ARRAY_RESERVE(&x->room->models, &x->registry->allocator, (uint64_t)x->room->models.count + 1u);
    acp_exchange_step *step = result == ACP_OK ? note(x, STEP_MODEL, object) : NULL;
    if (!step) return ACP_ERROR_OUT_OF_MEMORY;
    step->first_id = x->room->models.count;
    result = acp_object_model_make(x->world, object, setup, &model);
    if (result != ACP_OK) {
        x->room->steps.count--;
        return result;
    }
    acp_object_model_swap(x->world, object, &model);
    ACP_ARRAY_ADD(&x->room->models, model);
    return is_registered(x, object) ? reflood(x, root_of(x->world, object), NULL) : ACP_OK;
}

acp_result acp_exchange_look_again(acp_exchange *x) {
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < acp_world_row_limit(x->world) && result == ACP_OK; i++) {
        const acp_object_row *row = acp_world_live_row(x->world, i);
        const acp_membership_row *m = acp_registry_row(x->registry, i);
        if (!row || row->content == ACP_CONTENT_LEAVING || row->parent != ACP_OBJECT_NONE || !is_registered(x, i)) continue;
        if (!m->null_count && row->holder_cell_id) continue;
        result = enter_own_cell(x, i);
        if (result == ACP_OK) result = reflood(x, i, NULL);
    }
    return result;
}

/* ---------------------------------------------------------------------------------------------------------------------- ends */

/* Each step of an object let it wait for what it waited for before it too, so the last one decides about all. */
static bool is_last_step(acp_exchange *x, const acp_exchange_step *step) {
    acp_membership_row *row = step->kind == STEP_SWAPPED ? acp_registry_row(x->registry, step->object) : NULL;
    if (!row || row->is_settled || (!step->old_id_count && !step->new_id_count)) return false;
    row->is_settled = 1;
    return true;
}

static void drop_ids(acp_exchange *x, const acp_exchange_step *step, bool drops_old) {
    if (!step->old_id_count && !step->new_id_count) return;
    const uint32_t *old = x->room->ids.items + step->first_id, *fresh = old + step->old_id_count;
    const uint32_t *dropped = drops_old ? old : fresh, *kept = drops_old ? fresh : old;
    uint32_t dropped_count = drops_old ? step->old_id_count : step->new_id_count;
    uint32_t kept_count = drops_old ? step->new_id_count : step->old_id_count;
    for (uint32_t i = 0; i < dropped_count; i++)
        if (!acp_has_block_id(kept, kept_count, dropped[i])) acp_registry_drop_dependency(x->registry, step->object, dropped[i]);
}

static void end(acp_exchange *x) {
    acp_registry *registry = x->registry;
    for (uint32_t i = 0; i < x->room->steps.count; i++)
        if (x->room->steps.items[i].old.cells) acp_registry_finish_swap(x->world, registry, &x->room->steps.items[i].old);
    for (uint32_t i = 0; i < x->room->models.count; i++)
        acp_object_model_free(x->world, &x->room->models.items[i]);
    leave_room(x);
    acp_index_pool_give_back(&registry->pool);
}

void acp_exchange_commit(acp_exchange *x) {
    x->registry->holds_lists = false;
    for (uint32_t i = x->room->steps.count; i-- > 0;)
        if (is_last_step(x, &x->room->steps.items[i])) drop_ids(x, &x->room->steps.items[i], true);
    for (uint32_t i = 0; i < x->room->steps.count; i++) {
        const acp_exchange_step *step = &x->room->steps.items[i];
        if (step->kind == STEP_SWAPPED) acp_registry_row(x->registry, step->object)->is_settled = 0;
        if (step->kind == STEP_TAKEN_OUT) acp_registry_release_block(x->world, step->block);
    }
    end(x);
}

/* Takes one step back. Rows that go are kept in the step until the end. */
static void take_back(acp_exchange *x, acp_exchange_step *step) {
    acp_world *world = x->world;
    acp_registry *registry = x->registry;
    switch (step->kind) {
    case STEP_PUT_IN:
        acp_registry_release_block(world, step->block);
        acp_world_remove_block(world, step->block->block_id);
        break;
    case STEP_TAKEN_OUT: {
        acp_result result = acp_world_add_block(world, step->block, NULL); /* its place is free */
        (void)result;
        break;
    }
    case STEP_CONTENT: {
        acp_membership_row *row = acp_registry_row(registry, step->object);
        memset(&step->old, 0, sizeof step->old);
        if (row) {
            step->old = *row;
            acp_registry_unlink_row(world, registry, step->object, &step->old, NULL);
            row->cells = 0;
            row->count = row->null_count = 0;
        }
        acp_result result = acp_object_destroy(world, acp_world_handle(world, step->object), NULL);
        (void)result;
        break;
    }
    case STEP_LEFT:
        acp_object_hold_one_in_cell(world, step->object, step->cell_id);
        break;
    case STEP_MODEL:
        acp_object_model_swap(world, step->object, &x->room->models.items[step->first_id]);
        break;
    case STEP_LEAVING:
        acp_world_row(world, step->object)->content = ACP_CONTENT_OF_BLOCK;
        break;
    case STEP_ENTERED:
        acp_object_leave_one_cell(world, step->object);
        if (step->cell_id)
            acp_object_hold_one_in_cell(world, step->object, step->cell_id);
        else
            acp_object_set_cell_id(world, step->object, step->label);
        break;
    case STEP_SWAPPED:
        acp_registry_swap_back(world, registry, step->object, &step->old);
        break;
    default:
        break;
    }
    drop_ids(x, step, false);
}

void acp_exchange_undo(acp_exchange *x) {
    for (uint32_t i = x->room->steps.count; i-- > 0;)
        take_back(x, &x->room->steps.items[i]);
    x->registry->holds_lists = false;
    end(x);
}
