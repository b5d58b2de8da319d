/* SPDX-License-Identifier: MIT */
/* One cell's list of objects (spec 04 §12), what is not in line: heads for a landblock, room, and lists of more than one object.
 *
 * A head is 12 bytes; a lone object stands in the head itself, more stand in a list of the registry's pool. Statics stand first in
 * canonical order (MEM-43, DIV-33), dynamics behind them in order of arrival with swap-remove among themselves; under
 * ACP_FIDELITY_SHADOW_ORDER nothing is ordered and everything is appended and swap-removed, as retail does.
 *
 * Contract: room is made apart from putting in, so that putting in and taking out cannot fail. Limits: 67 million statics per cell. Cost:
 * O(1) to append, a search of the cell's list to take out, a move of its end for a static.
 *
 * retail: CObjCell::add_shadow_object 0x0052B280
 * retail: CObjCell::remove_shadow_object 0x0052B2D0
 */
#include "membership/cell_heads.h"

#include <string.h>

acp_cell_head *acp_registry_head(const acp_world *world, acp_cell cell) {
    (void)world;
    if (!cell.block || !cell.block->lists) return NULL;
    return (acp_cell_head *)cell.block->lists + acp_cell_slot(cell);
}

acp_cell_head *acp_head_find_or_make(acp_head_finder *finder, acp_registry *registry, uint32_t cell_id) {
    acp_cell_head *head = acp_head_find(finder, cell_id);
    acp_block *block = finder->block;
    if (head || !block || block->lists) return head;
    block->lists = block->list_room;
    memset(block->lists, 0, acp_block_slot_count(block) * sizeof(acp_cell_head));
    registry->head_bytes += (uint64_t)acp_block_slot_count(block) * sizeof(acp_cell_head);
    finder->heads = block->lists;
    return acp_head_find(finder, cell_id);
}

acp_result acp_head_grow(acp_registry *registry, acp_cell_head *head, uint32_t needed) {
    uint32_t size_class = acp_index_pool_class(needed);
    acp_list_ref list = acp_index_pool_acquire(&registry->pool, size_class);
    if (!list) return ACP_ERROR_OUT_OF_MEMORY;
    if (head->count) memcpy(acp_index_pool_words(&registry->pool, list), acp_head_objects(registry, head), head->count * sizeof(uint32_t));
    if (acp_head_has_list(head)) acp_index_pool_release(&registry->pool, head->objects, acp_head_class(head));
    head->objects = list;
    head->class_and_statics = (head->class_and_statics & ~63u) | size_class;
    return ACP_OK;
}

void acp_head_trim(acp_registry *registry, acp_cell_head *head) {
    if (acp_head_has_list(head)) acp_index_pool_release(&registry->pool, head->objects, acp_head_class(head));
    head->objects = 0;
    head->class_and_statics = 0;
}

/* Where a static belongs: behind the last one whose key is not greater. */
static uint32_t find_static_place(const acp_world *world, const uint32_t *objects, uint32_t statics, uint64_t order) {
    uint32_t low = 0, high = statics;
    while (low < high) {
        uint32_t middle = (low + high) / 2u;
        if (acp_world_row_at(world, objects[middle])->static_order <= order)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

void acp_head_insert_in_list(const acp_world *world, acp_registry *registry, acp_cell_head *head, uint32_t object,
                             const acp_object_row *ordered) {
    uint32_t *objects = acp_index_pool_words(&registry->pool, head->objects);
    if (ordered) {
        uint32_t at = find_static_place(world, objects, acp_head_statics(head), ordered->static_order);
        memmove(objects + at + 1, objects + at, (head->count - at) * sizeof *objects);
        objects[at] = object;
        head->class_and_statics += 64u;
    } else {
        objects[head->count] = object;
    }
    head->count++;
}

acp_result acp_head_enter_list(const acp_world *world, acp_registry *registry, acp_cell_head *head, uint32_t object,
                               const acp_object_row *ordered) {
    acp_result result = acp_head_reserve(registry, head);
    if (result == ACP_OK) acp_head_insert(world, registry, head, object, ordered);
    return result;
}

bool acp_head_remove_from_list(acp_registry *registry, acp_cell_head *head, uint32_t object) {
    uint32_t *objects = acp_index_pool_words(&registry->pool, head->objects);
    uint32_t at = 0;
    while (at < head->count && objects[at] != object)
        at++;
    if (at == head->count) return false;
    head->count--;
    if (at < acp_head_statics(head)) {
        memmove(objects + at, objects + at + 1, (head->count - at) * sizeof *objects);
        head->class_and_statics -= 64u;
    } else {
        objects[at] = objects[head->count]; /* MEM-35: the last one takes the hole */
    }
    if (!head->count && !registry->holds_lists) acp_head_trim(registry, head);
    return true;
}
