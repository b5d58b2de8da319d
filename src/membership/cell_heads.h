/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_CELL_HEADS_H
#define ACP_MEMBERSHIP_CELL_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "membership/registry_state.h"

/* One cell's list of objects, a pair at a time: finding its head, room, putting in, taking out. What the common cases need is in line: a
 * cell without objects, and a lone object in its head. Only the files of the registry include this. */

/* Heads of the cells of a list, one after the other: most follow each other in one landblock. */
typedef struct acp_head_finder {
    const acp_world *world;
    acp_block *block;     /* of `high`, null when it is not resident */
    acp_cell_head *heads; /* the block's, null when it has none */
    uint32_t high;        /* upper half of the last id */
} acp_head_finder;

static inline acp_head_finder acp_head_finder_begin(const acp_world *world) {
    acp_head_finder finder = {world, NULL, NULL, UINT32_MAX};
    return finder;
}

/* The head of a resident cell whose landblock has heads, else null. (One with heads but without terrain has unused ones, all empty.) */
static inline acp_cell_head *acp_head_find(acp_head_finder *finder, uint32_t cell_id) {
    uint32_t high = cell_id >> 16, slot = (cell_id & 0xFFFFu) - 1u;
    if (high != finder->high) {
        finder->high = high;
        finder->block = finder->world->blocks[high];
        finder->heads = finder->block ? finder->block->lists : NULL;
    }
    if (!finder->heads) return NULL;
    if (slot >= 64u) {
        uint32_t ordinal1 = acp_block_env_ordinal1(finder->block, cell_id);
        if (!ordinal1) return NULL;
        slot = 63u + ordinal1;
    }
    return finder->heads + slot;
}

/* The same for a cell that is resident: its landblock is given heads when it has none yet. Null when memory is refused. */
acp_cell_head *acp_head_find_or_make(acp_head_finder *finder, acp_registry *registry, uint32_t cell_id);

/* A list for more objects than there is room for. */
acp_result acp_head_grow(acp_registry *registry, acp_cell_head *head, uint32_t needed);

/* Room for one more object. */
static inline acp_result acp_head_reserve(acp_registry *registry, acp_cell_head *head) {
    if (!head->count) return ACP_OK; /* the head itself has room for one */
    if (acp_head_has_list(head) && head->count < acp_index_pool_capacity(acp_head_class(head))) return ACP_OK;
    return acp_head_grow(registry, head, head->count + 1u);
}

/* An empty cell's list goes back. */
void acp_head_trim(acp_registry *registry, acp_cell_head *head);

/* Whether an object stands among the statics of its cells, in canonical order (MEM-43). */
static inline bool acp_head_is_ordered(const acp_world *world, const acp_object_row *row) {
    return (row->state & ACP_STATE_STATIC) && !(world->fidelity & ACP_FIDELITY_SHADOW_ORDER);
}

/* Puts an object in; there is room. `ordered`: the object's row when it belongs among the statics, else null. */
void acp_head_insert_in_list(const acp_world *world, acp_registry *registry, acp_cell_head *head, uint32_t object,
                             const acp_object_row *ordered);

static inline void acp_head_insert(const acp_world *world, acp_registry *registry, acp_cell_head *head, uint32_t object,
                                   const acp_object_row *ordered) {
    if (head->count || head->objects) {
        acp_head_insert_in_list(world, registry, head, object, ordered);
        return;
    }
    head->objects = object;
    head->count = 1;
    head->class_and_statics = ACP_HEAD_LONE | (ordered ? 64u : 0u);
}

/* Room and putting in together. On failure the object is not in. */
acp_result acp_head_enter_list(const acp_world *world, acp_registry *registry, acp_cell_head *head, uint32_t object,
                               const acp_object_row *ordered);

static inline acp_result acp_head_enter(const acp_world *world, acp_registry *registry, acp_cell_head *head, uint32_t object,
                                        const acp_object_row *ordered) {
    if (head->count | head->objects) return acp_head_enter_list(world, registry, head, object, ordered);
    head->objects = object;
    head->count = 1;
    head->class_and_statics = ACP_HEAD_LONE | (ordered ? 64u : 0u);
    return ACP_OK;
}

/* Takes an object out; false when it is not there. A cell that is empty then gives its list back, unless an exchange is open. There is
 * always room for one object. */
bool acp_head_remove_from_list(acp_registry *registry, acp_cell_head *head, uint32_t object);

static inline bool acp_head_remove(acp_registry *registry, acp_cell_head *head, uint32_t object) {
    if (acp_head_class(head) != ACP_HEAD_LONE) return head->count && acp_head_remove_from_list(registry, head, object);
    if (head->objects != object) return false;
    head->objects = head->count = head->class_and_statics = 0;
    return true;
}

#endif
