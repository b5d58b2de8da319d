/* SPDX-License-Identifier: MIT */
/* Cell ids, land coordinates, the canonicaliser and the vector between two landblocks.
 *
 * Contract: pure functions of ids and points. None takes residency, terrain or any lookup as an input: a block that is not resident
 * must not change an id or a coordinate (WM-16, §16). Outputs are written or left exactly as retail does, because callers rely on it:
 * blockid_to_lcoord writes even when it fails; adjust_to_outside sets the id to 0 when it fails and keeps its snap to the axis.
 * Limits: no clamp at the map's rim (WM-18): a point outside gives id 0, "nowhere". Coordinates so large that a cell count leaves 32 bits
 * keep the low half, and NaN counts as 0, as the client's conversion does; the public door refuses both before.
 * Both floors are exact, so label and wrap cannot disagree (WM-6).
 * Spec: 01 §2-5. retail: LandDefs::adjust_to_outside 0x005A9BC0 · LandDefs::get_outside_lcoord 0x005A9B00
 * Cost: two divisions and four floors for adjust_to_outside; the rest is integers. */
#include "place/cell_id.h"

#include <assert.h>
#include <math.h>

#include "math/number.h"

/* WM-6: whole cells west or south of a coordinate, by floor and never by truncation. */
static int32_t cells_to(float coordinate) {
    double cells = floor((double)coordinate / ACP_CELL_LENGTH);
    if (!(fabs(cells) < 0x1p63)) return 0; /* the x87's "indefinite": low half 0 (RA-8) */
    return (int32_t)(uint32_t)(uint64_t)(int64_t)cells;
}

static int32_t wrapping_add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

bool acp_lcoord_from_block_id(uint32_t cell_id, int32_t *out_x, int32_t *out_y) {
    if (cell_id == 0) return false;
    *out_x = (int32_t)((cell_id >> 21) & 0x7F8u);
    *out_y = (int32_t)((cell_id >> 13) & 0x7F8u);
    return acp_lcoord_is_in_bounds(*out_x, *out_y);
}

bool acp_lcoord_from_cell_id(uint32_t cell_id, int32_t *out_x, int32_t *out_y) {
    if (!acp_cell_id_is_valid(cell_id) || !acp_cell_id_is_outdoor(cell_id)) return false;
    uint32_t index = (cell_id & 0xFFFFu) - 1u;
    *out_x = (int32_t)(((cell_id >> 21) & 0x7F8u) + (index >> 3));
    *out_y = (int32_t)(((cell_id >> 13) & 0x7F8u) + (index & 7u));
    return acp_lcoord_is_in_bounds(*out_x, *out_y);
}

/* The high half of the id of the block of an in-bounds land coordinate. */
static uint32_t block_bits(uint32_t x, uint32_t y) { return (((x >> 3) << 8) | (y >> 3)) << 16; }

uint32_t acp_lcoord_to_cell_id(int32_t x, int32_t y) {
    if (!acp_lcoord_is_in_bounds(x, y)) return 0;
    uint32_t ux = (uint32_t)x, uy = (uint32_t)y;
    return block_bits(ux, uy) | (8u * (ux & 7u) + (uy & 7u) + 1u);
}

uint32_t acp_lcoord_to_block_record_id(int32_t x, int32_t y) {
    if (!acp_lcoord_is_in_bounds(x, y)) return 0;
    return block_bits((uint32_t)x, (uint32_t)y) | 0xFFFFu;
}

bool acp_lcoord_from_point(uint32_t cell_id, acp_vec3 point, int32_t *out_x, int32_t *out_y) {
    if (!acp_cell_id_is_index_in_range(cell_id)) return false;
    int32_t x = 0, y = 0;
    (void)acp_lcoord_from_block_id(cell_id, &x, &y); /* WM-15: the verdict is ignored, 2040 is used */
    x = wrapping_add(x, cells_to(point.x));
    y = wrapping_add(y, cells_to(point.y));
    *out_x = x;
    *out_y = y;
    return acp_lcoord_is_in_bounds(x, y);
}

/* A coordinate brought into [0, 192): binary64, one store. */
static float wrapped(float coordinate) {
    double c = (double)coordinate;
    return acp_f32(c - floor(c / ACP_BLOCK_LENGTH) * ACP_BLOCK_LENGTH);
}

bool acp_adjust_to_outside(uint32_t *cell_id, acp_vec3 *point) {
    int32_t x, y;
    if (!acp_cell_id_is_index_in_range(*cell_id)) {
        *cell_id = 0;
        return false;
    }
    if (fabs((double)point->x) < ACP_EPSILON_F64) point->x = 0.0f;
    if (fabs((double)point->y) < ACP_EPSILON_F64) point->y = 0.0f;
    if (!acp_lcoord_from_point(*cell_id, *point, &x, &y)) {
        *cell_id = 0;
        return false;
    }
    *cell_id = acp_lcoord_to_cell_id(x, y);
    point->x = wrapped(point->x);
    point->y = wrapped(point->y);
    return true;
}

acp_vec3 acp_block_offset_unchecked(uint32_t from, uint32_t to) {
    acp_vec3 offset = {0.0f, 0.0f, 0.0f};
    if ((from >> 16) == (to >> 16)) return offset;
    uint32_t from_x = (from >> 21) & 0x7F8u, from_y = (from >> 13) & 0x7F8u;
    uint32_t to_x = (to >> 21) & 0x7F8u, to_y = (to >> 13) & 0x7F8u;
    if (to == 0) to_x = to_y = from; /* WM-19, RA-1: what the binary does */
    offset.x = acp_f32((double)(int32_t)(to_x - from_x) * ACP_CELL_LENGTH);
    offset.y = acp_f32((double)(int32_t)(to_y - from_y) * ACP_CELL_LENGTH);
    return offset;
}

acp_vec3 acp_block_offset_between(uint32_t from, uint32_t to) {
    assert(from != 0 && to != 0 && "no correct caller asks for the way from or to nowhere (WM-19)");
    return acp_block_offset_unchecked(from, to);
}

bool acp_is_within_block(acp_vec3 point, float radius) {
    double x = (double)point.x, y = (double)point.y, r = (double)radius;
    return x >= r && y >= r && ACP_BLOCK_LENGTH - r > x && ACP_BLOCK_LENGTH - r > y;
}

int32_t acp_compass_direction(int32_t x, int32_t y) {
    if (x == 0) return y == 0 ? 0 : y > 0 ? 1 : 2;
    if (y == 0) return x > 0 ? 3 : 4;
    if (x < 0) return y > 0 ? 5 : 6;
    return y > 0 ? 7 : 8;
}

float acp_compass_heading(int32_t direction) {
    switch (direction) {
    case 2:
        return 3.1415927f; /* south */
    case 3:
        return 1.5707964f; /* east */
    case 4:
        return 4.712389f; /* west */
    case 5:
        return 5.497787f; /* north-west */
    case 6:
        return 3.9269907f; /* south-west */
    case 7:
        return 0.78539819f; /* north-east */
    case 8:
        return 2.3561945f; /* south-east */
    default:
        return 0.0f;
    }
}
