/* SPDX-License-Identifier: MIT */
/* The consistency walker: is everything that the registry says true from both sides?
 *
 * For every object: its list has no cell twice; each resident entry names a resident cell whose list has the object exactly once; null
 * entries are nowhere; what it waits for knows it. For every cell: each entry is a living object whose list names the cell as resident; the
 * leading statics are in canonical order and nothing behind them is an ordered static. For every block: its dependents list it. Sums agree
 * with the counters. Every object that is in a cell is in its block's ring exactly once.
 *
 * Contract: reads only; tests and fuzzers call it after every step. Cost: O(pairs * entries per cell): for small worlds, or now and then.
 */
#include <string.h>

#include "base/error.h"
#include "membership/registry_state.h"

typedef struct check {
    const acp_world *world;
    const acp_registry *registry;
    acp_error *error;
    uint64_t pairs, null_rows, dependencies;
    uint32_t objects;
} check;

static acp_result fault(const check *c, uint32_t cell_id, uint32_t object, const char *what) {
    acp_error_set(c->error, ACP_ERROR_INTERNAL, "membership check", "object %u, cell 0x%08X: %s", (unsigned)object, (unsigned)cell_id,
                  what);
    acp_error_set_place(c->error, cell_id, UINT64_MAX, "");
    return ACP_ERROR_INTERNAL;
}

static uint32_t times_in(const uint32_t *items, uint32_t count, uint32_t item) {
    uint32_t times = 0;
    for (uint32_t i = 0; i < count; i++)
        times += items[i] == item;
    return times;
}

static acp_result check_row(check *c, uint32_t object, const acp_membership_row *row) {
    uint32_t nulls = 0;
    const uint32_t *list = row->count ? acp_index_pool_words(&c->registry->pool, row->cells) : NULL;
    for (uint32_t i = 0; i < row->count; i++) {
        if (times_in(list, row->count, list[i]) != 1) return fault(c, list[i], object, "the cell is in its list twice");
        acp_cell cell = acp_world_cell(c->world, list[i]);
        uint32_t count = 0;
        const uint32_t *objects = acp_registry_cell_objects(c->world, cell, &count);
        uint32_t times = times_in(objects, count, object);
        if (acp_row_is_null(list, row->count, row->null_count, i)) {
            nulls++;
            if (times) return fault(c, list[i], object, "known by id only, but in the cell's list");
            if (acp_cell_exists(cell) && !(c->world->fidelity & ACP_FIDELITY_REFLOOD))
                return fault(c, list[i], object, "known by id only, but the cell is resident");
            continue;
        }
        if (!acp_cell_exists(cell)) return fault(c, list[i], object, "the cell is not resident");
        if (times != 1) return fault(c, list[i], object, "not exactly once in the cell's list");
        c->pairs++;
    }
    if (nulls != row->null_count) return fault(c, 0, object, "the number of rows without cell is wrong");
    c->null_rows += nulls;
    c->objects += row->count != 0;
    const uint32_t *blocks = row->dependency_count ? acp_index_pool_words(&c->registry->pool, row->dependencies) : NULL;
    for (uint32_t i = 0; i < row->dependency_count; i++) {
        const acp_dependents *d = acp_registry_dependents(c->registry, blocks[i]);
        if (!d || times_in(acp_index_pool_words(&c->registry->pool, d->objects), d->count, object) != 1)
            return fault(c, blocks[i], object, "waits for a block that does not know it");
        if (times_in(blocks, row->dependency_count, blocks[i]) != 1) return fault(c, blocks[i], object, "waits for a block twice");
        c->dependencies++;
    }
    return ACP_OK;
}

static acp_result check_cell(const check *c, acp_cell cell) {
    const acp_cell_head *head = acp_registry_head(c->world, cell);
    if (!head || !head->count) return ACP_OK;
    const uint32_t *objects = acp_head_objects(c->registry, head);
    if (acp_head_statics(head) > head->count) return fault(c, cell.cell_id, 0, "more statics than objects");
    for (uint32_t i = 0; i < head->count; i++) {
        if (!acp_world_live_row(c->world, objects[i])) return fault(c, cell.cell_id, objects[i], "the object is gone");
        const acp_membership_row *row = acp_registry_row(c->registry, objects[i]);
        if (!row || !row->count) return fault(c, cell.cell_id, objects[i], "the object has no rows");
        const uint32_t *list = acp_index_pool_words(&c->registry->pool, row->cells);
        uint32_t k = 0;
        while (k < row->count && list[k] != cell.cell_id)
            k++;
        if (k == row->count || acp_row_is_null(list, row->count, row->null_count, k))
            return fault(c, cell.cell_id, objects[i], "the object does not list the cell");
        if (i && i < acp_head_statics(head) &&
            acp_world_row(c->world, objects[i - 1u])->static_order > acp_world_row(c->world, objects[i])->static_order)
            return fault(c, cell.cell_id, objects[i], "statics are out of order");
    }
    return ACP_OK;
}

static acp_result check_block(const check *c, const acp_block *block) {
    for (uint32_t k = 0; k < 64u; k++) {
        acp_cell cell = {block, block->block_id | (k + 1u), 0};
        acp_result result = check_cell(c, cell);
        if (result != ACP_OK) return result;
    }
    for (uint32_t k = 0; k < block->env_cell_count; k++) {
        acp_cell cell = {block, block->env_cells[k].cell_id, k + 1u};
        acp_result result = check_cell(c, cell);
        if (result != ACP_OK) return result;
    }
    uint32_t at = block->first_held, steps = 0;
    if (at == ACP_OBJECT_NONE) return ACP_OK;
    do {
        const acp_object_row *row = acp_world_live_row(c->world, at);
        if (!row || (row->holder_cell_id ^ block->block_id) >> 16) return fault(c, block->block_id, at, "held by the wrong block");
        if (acp_world_row(c->world, row->next_held)->previous_held != at) return fault(c, block->block_id, at, "the ring is broken");
        if (steps++ > acp_world_object_count(c->world)) return fault(c, block->block_id, at, "the ring does not close");
        at = row->next_held;
    } while (at != block->first_held);
    return ACP_OK;
}

acp_result acp_membership_check(const acp_world *world, acp_error *error) {
    if (!world) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "membership check", "no world");
    check c = {world, acp_registry_of(world), error, 0, 0, 0, 0};
    if (!c.registry) return ACP_OK;
    for (uint32_t i = 0; i < acp_world_row_limit(world); i++) {
        const acp_object_row *object = acp_world_live_row(world, i);
        const acp_membership_row *row = acp_registry_row(c.registry, i);
        if (!object) {
            if (row && row->count) return fault(&c, 0, i, "a gone object has rows");
            continue;
        }
        if (object->holder_cell_id && !acp_cell_exists(acp_world_cell(world, object->holder_cell_id)))
            return fault(&c, object->holder_cell_id, i, "held by a cell that is not resident");
        acp_result result = row ? check_row(&c, i, row) : ACP_OK;
        if (result != ACP_OK) return result;
    }
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS; i++) {
        acp_result result = world->blocks[i] ? check_block(&c, world->blocks[i]) : ACP_OK;
        if (result != ACP_OK) return result;
    }
    if (c.pairs != c.registry->pair_count || c.null_rows != c.registry->null_row_count || c.objects != c.registry->object_count ||
        c.dependencies != c.registry->dependency_count)
        return fault(&c, 0, 0, "the counters are wrong");
    return ACP_OK;
}
