/* SPDX-License-Identifier: MIT */
/* The ordered result of a flood.
 *
 * Order is significant and duplicates are dropped by a linear search, as retail does (MEM-2); a search for an EnvCell skips the one run of
 * land cells that a rectangle has put in, because no EnvCell can be there (the latch lets a flood add land cells once). Removal moves the
 * last entry into the hole (MEM-3). Contract: growing may fail; the array then keeps what it has and says so once, at the end of the flood.
 * Limits: 2^32 - 1 entries, in practice the 4,161,600 land cells of the map. Cost: O(count) to add outdoors, O(non-land) indoors.
 * Spec 04 §1.
 *
 * retail: CELLARRAY::add_cell 0x006B4FF0
 * retail: CELLARRAY::remove_cell 0x006B4E80
 */
#include "membership/cell_array.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "place/cell_id.h"

void acp_cell_array_init(acp_cell_array *array, const acp_allocator *allocator) {
    memset(array, 0, sizeof *array);
    array->allocator = acp_memory_allocator(allocator);
}

void acp_cell_array_free(acp_cell_array *array) { ACP_ARRAY_FREE(array, &array->allocator); }

acp_result acp_cell_array_reserve(acp_cell_array *array, uint32_t count) {
    if (count <= array->capacity) return ACP_OK;
    acp_result result = ACP_ARRAY_RESERVE(array, &array->allocator, count < 16u ? 16u : count);
    if (result != ACP_OK) array->is_failed = true;
    return result;
}

uint32_t acp_cell_array_find(const acp_cell_array *array, uint32_t cell_id) {
    bool is_outdoor = acp_cell_id_is_outdoor(cell_id);
    uint32_t begin = is_outdoor ? array->count : array->land_begin;
    for (uint32_t i = 0; i < begin; i++)
        if (array->items[i].cell_id == cell_id) return i;
    if (is_outdoor) return UINT32_MAX;
    for (uint32_t i = array->land_end; i < array->count; i++)
        if (array->items[i].cell_id == cell_id) return i;
    return UINT32_MAX;
}

void acp_cell_array_add(acp_cell_array *array, uint32_t cell_id, bool is_resident) {
    if (acp_cell_array_find(array, cell_id) != UINT32_MAX) return;
    if (array->count == array->capacity && acp_cell_array_reserve(array, array->count + 1u) != ACP_OK) return;
    acp_cell_entry entry = {cell_id, is_resident};
    array->items[array->count++] = entry;
}

void acp_cell_array_remove(acp_cell_array *array, uint32_t index) {
    if (!array->count) return;
    array->items[index] = array->items[--array->count];
    array->land_begin = array->land_end = 0; /* the run may be broken now */
}
