/* SPDX-License-Identifier: MIT */
#ifndef ACP_TERRAIN_WORD_H
#define ACP_TERRAIN_WORD_H

#include <stdbool.h>
#include <stdint.h>

/* The terrain word of a vertex (TER-2) and the diagonal of a cell (TER-4). */

static inline uint32_t acp_word_road(uint32_t word) { return word & 3u; }
static inline uint32_t acp_word_type(uint32_t word) { return (word >> 2) & 0x1Fu; }
static inline uint32_t acp_word_scene(uint32_t word) { return (word >> 11) & 0x1Fu; }

/* TER-2: types 16..20 are water, all others solid. */
static inline bool acp_word_is_water(uint32_t word) { return acp_word_type(word) - 16u <= 4u; }

/* TER-4, modulo 2^32. The hash is of the global cell coordinates, so a diagonal does not depend on the block that loaded the cell.
 * retail: CLandBlockStruct::ConstructPolygons 0x00531D10 */
static inline bool acp_cell_is_split_sw_ne(uint32_t lcoord_x, uint32_t lcoord_y) {
    uint32_t hash = lcoord_y * (0x0CCAC033u * lcoord_x + 0x6C1AC587u) - 0x421BE3BDu * lcoord_x - 0x519B8F25u;
    return hash >= 0x80000000u;
}

#endif
