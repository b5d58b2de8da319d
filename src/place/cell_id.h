/* SPDX-License-Identifier: MIT */
#ifndef ACP_PLACE_CELL_ID_H
#define ACP_PLACE_CELL_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/math.h"
#include "acphys/place.h"

/* Cell ids and land coordinates (spec 01 §2-5); the tests of ids and the integer conversions are public and stand in acphys/place.h.
 * Nothing here takes residency as an input. */

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
