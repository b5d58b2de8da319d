/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_CELL_ARRAY_H
#define ACP_MEMBERSHIP_CELL_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"

/* Retail's CELLARRAY (spec 04 §1): the ordered result of a flood. Only its capacity outlives a flood. Growing can fail: then `is_failed`
 * is set, everything after it is harmless, and the flood reports ACP_ERROR_OUT_OF_MEMORY. Belongs to one context, one thread. */
typedef struct acp_cell_entry {
    uint32_t cell_id;
    uint32_t is_resident; /* 0: known by id only, never expanded (MEM-2) */
} acp_cell_entry;

typedef struct acp_cell_array {
    acp_cell_entry *items;
    uint32_t count;
    uint32_t capacity;
    bool added_outside;     /* once-per-flood latch (MEM-5) */
    bool do_not_load_cells; /* static mode (MEM-4); floods never reset it */
    bool is_failed;
    uint32_t land_begin; /* items [land_begin, land_end) are one rectangle of land cells: no EnvCell can be among them */
    uint32_t land_end;
    bool has_land_buildings; /* some landblock under that rectangle has a building */
    acp_allocator allocator;
} acp_cell_array;

void acp_cell_array_init(acp_cell_array *array, const acp_allocator *allocator);
void acp_cell_array_free(acp_cell_array *array);

/* Reserves room so that floods of up to `count` cells do not allocate. */
acp_result acp_cell_array_reserve(acp_cell_array *array, uint32_t count);

/* MEM-4: empties; dynamic and static reset. */
static inline void acp_cell_array_reset(acp_cell_array *array, bool do_not_load_cells) {
    array->count = 0;
    array->added_outside = false;
    array->do_not_load_cells = do_not_load_cells;
    array->is_failed = false;
    array->land_begin = array->land_end = 0;
    array->has_land_buildings = false;
}

/* What each flood does first: do_not_load_cells stays (MEM-4). */
static inline void acp_cell_array_begin_flood(acp_cell_array *array) { acp_cell_array_reset(array, array->do_not_load_cells); }

/* Position of an id, or UINT32_MAX. */
uint32_t acp_cell_array_find(const acp_cell_array *array, uint32_t cell_id);

/* MEM-2: appends unless the id is there (an entry first added as absent stays absent). retail: CELLARRAY::add_cell 0x006B4FF0 */
void acp_cell_array_add(acp_cell_array *array, uint32_t cell_id, bool is_resident);

/* MEM-3: swap-remove. retail: CELLARRAY::remove_cell 0x006B4E80 */
void acp_cell_array_remove(acp_cell_array *array, uint32_t index);

#endif
