/* SPDX-License-Identifier: MIT */
#ifndef ACP_PLACE_CELL_ID_H
#define ACP_PLACE_CELL_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/math.h"

/* Cell ids and land coordinates (spec 01 §2-5). Nothing here takes residency as an input. */

/* WM-8: low word < 0x100, and nothing else. */
static inline bool acp_cell_id_is_outdoor(uint32_t cell_id) { return (cell_id & 0xFFFFu) < 0x100u; }

/* WM-8: index in 1..0x40, 0x100..0xFFFD or 0xFFFF. */
static inline bool acp_cell_id_is_index_in_range(uint32_t cell_id) {
    uint32_t index = cell_id & 0xFFFFu;
    return (index - 1u) < 0x40u || (index >= 0x100u && index <= 0xFFFDu) || index == 0xFFFFu;
}

/* WM-9. retail: LandDefs::inbound_valid_cellid 0x004979A0 */
static inline bool acp_cell_id_is_valid(uint32_t cell_id) {
    return acp_cell_id_is_index_in_range(cell_id) && (cell_id >> 24) < 255u && ((cell_id >> 16) & 0xFFu) < 255u;
}

/* WM-10. retail: LandDefs::in_bounds 0x0043D650 */
static inline bool acp_lcoord_is_in_bounds(int32_t x, int32_t y) { return x >= 0 && y >= 0 && x < 2040 && y < 2040; }

/* WM-11: writes even on failure, except for id 0. retail: LandDefs::blockid_to_lcoord 0x0043D680 */
bool acp_lcoord_from_block_id(uint32_t cell_id, int32_t *out_x, int32_t *out_y);
/* WM-12: outdoor ids only; untouched on failure. retail: LandDefs::gid_to_lcoord 0x00497A90 */
bool acp_lcoord_from_cell_id(uint32_t cell_id, int32_t *out_x, int32_t *out_y);
/* WM-13: 0 when out of bounds. retail: LandDefs::lcoord_to_gid 0x004A19A0 */
uint32_t acp_lcoord_to_cell_id(int32_t x, int32_t y);
/* WM-14. retail: LandDefs::get_block_did 0x00505320 */
uint32_t acp_lcoord_to_block_record_id(int32_t x, int32_t y);

/* WM-15: the land cell of a block-local point. retail: LandDefs::get_outside_lcoord 0x005A9B00 */
bool acp_lcoord_from_point(uint32_t cell_id, acp_vec3 point, int32_t *out_x, int32_t *out_y);
/* WM-16: the canonicaliser. retail: LandDefs::adjust_to_outside 0x005A9BC0 */
bool acp_adjust_to_outside(uint32_t *cell_id, acp_vec3 *point);

/* WM-19 as a table for every pair, 0 included; for tests. */
acp_vec3 acp_block_offset_unchecked(uint32_t from, uint32_t to);
/* The case of two different blocks; asserts in debug builds that neither id is 0. */
acp_vec3 acp_block_offset_between(uint32_t from, uint32_t to);

/* WM-19: add to a point of `to`'s block to express it in `from`'s block. retail: LandDefs::get_block_offset 0x0043E630 */
static inline acp_vec3 acp_block_offset(uint32_t from, uint32_t to) {
    if ((from ^ to) < 0x10000u) {
        acp_vec3 none = {0.0f, 0.0f, 0.0f};
        return none;
    }
    return acp_block_offset_between(from, to);
}

/* WM-20. retail: LandDefs::within_block 0x0050E800 */
bool acp_is_within_block(acp_vec3 point, float radius);

/* WM-21 compass: 0 inside, 1 N, 2 S, 3 E, 4 W, 5 NW, 6 SW, 7 NE, 8 SE; heading in radians. */
int32_t acp_compass_direction(int32_t x, int32_t y);
float acp_compass_heading(int32_t direction);

#endif
