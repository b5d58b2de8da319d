/* SPDX-License-Identifier: MIT */
/* The public door of places: ids, canonical positions, transforms and measures between positions.
 *
 * Contract: include/acphys/place.h. Nulls, NaNs, infinities, ids that name no cell and rotations off unit length end here (WM-27a, DIV-01);
 * what passes is handed to the internal form unchanged. On an error nothing is written; the one exception, acp_position_adjust_to_outside,
 * writes the client's own "nowhere" and says so.
 * Limits: coordinates of 2^31 cells and more are outside the map here; the client's conversion would wrap them round to somewhere (WM-6).
 * Spec: 01 §2-5, §14, §15. retail: Position::adjust_to_outside 0x00504A40
 * Cost: the checks are a dozen comparisons; nothing allocates. */
#include <math.h>

#include "acphys/place.h"
#include "math/finite.h"
#include "math/number.h"
#include "place/cell_id.h"
#include "place/position.h"

/* Where 32-bit cell counts end (DIV-02). */
#define COORDINATE_LIMIT (ACP_CELL_LENGTH * 0x1p31)

acp_cell_kind acp_cell_id_kind(uint32_t cell_id) {
    uint32_t index = cell_id & 0xFFFFu;
    if ((cell_id >> 24) == 255u || ((cell_id >> 16) & 0xFFu) == 255u) return ACP_CELL_KIND_INVALID;
    if (index == 0xFFFFu) return ACP_CELL_KIND_WHOLE_BLOCK;
    if (index == 0xFFFEu) return ACP_CELL_KIND_BLOCK_INFO;
    if (index >= 0x100u) return ACP_CELL_KIND_ENV;
    return index >= 1u && index <= 0x40u ? ACP_CELL_KIND_LAND : ACP_CELL_KIND_INVALID;
}

acp_result acp_cell_id_block_offset(uint32_t from, uint32_t to, acp_vec3 *out_offset) {
    if (!out_offset) return ACP_ERROR_INVALID_ARGUMENT;
    if (from == 0 || to == 0) return ACP_ERROR_INVALID_ID;
    *out_offset = acp_block_offset(from, to);
    return ACP_OK;
}

acp_result acp_cell_id_map_coordinates(uint32_t cell_id, int32_t *out_north, int32_t *out_east) {
    int32_t x, y;
    if (!out_north || !out_east) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_lcoord_from_cell_id(cell_id, &x, &y)) return ACP_ERROR_INVALID_ID;
    *out_north = y - 1019; /* (y - 1024) / 10 + 0.5, in tenths (the display of 0x005A9CB0) */
    *out_east = x - 1019;
    return ACP_OK;
}

acp_result acp_position_check(const acp_position *position) {
    if (!position) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = acp_frame_check(&position->frame);
    if (result != ACP_OK) return result;
    return acp_cell_id_is_valid(position->cell_id) ? ACP_OK : ACP_ERROR_INVALID_ID;
}

/* The canonicaliser with the reason of a failure. Id and point are the client's answer either way. */
static acp_result adjust(uint32_t *cell_id, acp_vec3 *point) {
    if (!acp_cell_id_is_index_in_range(*cell_id)) {
        *cell_id = 0;
        return ACP_ERROR_INVALID_ID;
    }
    if (!(fabs((double)point->x) < COORDINATE_LIMIT) || !(fabs((double)point->y) < COORDINATE_LIMIT)) {
        *cell_id = 0;
        return ACP_ERROR_OUTSIDE_MAP;
    }
    return acp_adjust_to_outside(cell_id, point) ? ACP_OK : ACP_ERROR_OUTSIDE_MAP;
}

acp_result acp_position_canonicalize(acp_position *position) {
    if (!position) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = acp_frame_check(&position->frame);
    if (result != ACP_OK) return result;
    if (!acp_cell_id_is_outdoor(position->cell_id)) return acp_cell_id_is_valid(position->cell_id) ? ACP_OK : ACP_ERROR_INVALID_ID;
    acp_position canonical = *position;
    result = adjust(&canonical.cell_id, &canonical.frame.origin);
    if (result == ACP_OK) *position = canonical;
    return result;
}

acp_result acp_position_adjust_to_outside(acp_position *position) {
    if (!position) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = acp_frame_check(&position->frame);
    if (result != ACP_OK) return result;
    return adjust(&position->cell_id, &position->frame.origin);
}

acp_result acp_position_outside_cell_id(const acp_position *position, uint32_t *out_cell_id) {
    if (!position || !out_cell_id) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_is_finite_vec3(&position->frame.origin)) return ACP_ERROR_NOT_FINITE;
    uint32_t cell_id = position->cell_id;
    acp_vec3 point = position->frame.origin;
    acp_result result = adjust(&cell_id, &point);
    if (result == ACP_OK) *out_cell_id = cell_id;
    return result;
}

acp_result acp_position_relabel(acp_position *position, uint32_t cell_id) {
    acp_result result = acp_position_check(position);
    if (result != ACP_OK) return result;
    if (!acp_cell_id_is_valid(cell_id)) return ACP_ERROR_INVALID_ID;
    acp_matrix_position from = acp_matrix_position_from_public(position);
    acp_position relabelled = {cell_id, {acp_matrix_position_origin_in_block(cell_id, &from), position->frame.rotation}};
    *position = relabelled;
    return ACP_OK;
}

/* Checks two positions and derives their matrices. */
static acp_result enter_two(const acp_position *a, const acp_position *b, const void *out, acp_matrix_position *out_a,
                            acp_matrix_position *out_b) {
    if (!out) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = acp_position_check(a);
    if (result == ACP_OK) result = acp_position_check(b);
    if (result != ACP_OK) return result;
    *out_a = acp_matrix_position_from_public(a);
    *out_b = acp_matrix_position_from_public(b);
    return ACP_OK;
}

acp_result acp_position_local_to_local(const acp_position *to, const acp_position *from, acp_vec3 point, acp_vec3 *out_point) {
    acp_matrix_position a, b;
    if (!acp_is_finite_vec3(&point)) return ACP_ERROR_NOT_FINITE;
    acp_result result = enter_two(to, from, out_point, &a, &b);
    if (result == ACP_OK) *out_point = acp_matrix_position_local_to_local(&a, &b, point);
    return result;
}

acp_result acp_position_local_to_block(uint32_t to_cell_id, const acp_position *from, acp_vec3 point, acp_vec3 *out_point) {
    if (!out_point) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_is_finite_vec3(&point)) return ACP_ERROR_NOT_FINITE;
    if (!acp_cell_id_is_valid(to_cell_id)) return ACP_ERROR_INVALID_ID;
    acp_result result = acp_position_check(from);
    if (result != ACP_OK) return result;
    acp_matrix_position p = acp_matrix_position_from_public(from);
    *out_point = acp_matrix_position_local_to_global(to_cell_id, &p, point);
    return ACP_OK;
}

acp_result acp_position_offset(const acp_position *a, const acp_position *b, acp_vec3 *out_offset) {
    acp_matrix_position pa, pb;
    acp_result result = enter_two(a, b, out_offset, &pa, &pb);
    if (result == ACP_OK) *out_offset = acp_matrix_position_offset(&pa, &pb);
    return result;
}

acp_result acp_position_distance(const acp_position *a, const acp_position *b, double *out_metres) {
    acp_matrix_position pa, pb;
    acp_result result = enter_two(a, b, out_metres, &pa, &pb);
    if (result == ACP_OK) *out_metres = acp_matrix_position_distance(&pa, &pb);
    return result;
}

acp_result acp_position_xy_distance(const acp_position *a, const acp_position *b, double *out_metres) {
    acp_matrix_position pa, pb;
    acp_result result = enter_two(a, b, out_metres, &pa, &pb);
    if (result == ACP_OK) *out_metres = acp_matrix_position_xy_distance(&pa, &pb);
    return result;
}

acp_result acp_position_heading_to(const acp_position *a, const acp_position *b, double *out_degrees) {
    acp_matrix_position pa, pb;
    acp_result result = enter_two(a, b, out_degrees, &pa, &pb);
    if (result == ACP_OK) *out_degrees = acp_matrix_position_heading_to(&pa, &pb);
    return result;
}

acp_result acp_position_cylinder_distance(float radius1, float height1, const acp_position *position1, float radius2, float height2,
                                          const acp_position *position2, double *out_metres) {
    acp_matrix_position p1, p2;
    if (!isfinite(radius1) || !isfinite(height1) || !isfinite(radius2) || !isfinite(height2)) return ACP_ERROR_NOT_FINITE;
    if (radius1 < 0.0f || height1 < 0.0f || radius2 < 0.0f || height2 < 0.0f) return ACP_ERROR_OUT_OF_RANGE;
    acp_result result = enter_two(position1, position2, out_metres, &p1, &p2);
    if (result == ACP_OK) *out_metres = acp_cylinder_distance(radius1, height1, &p1, radius2, height2, &p2);
    return result;
}

bool acp_position_is_equal(const acp_position *a, const acp_position *b) {
    return a && b && a->cell_id == b->cell_id && acp_frame_is_equal(&a->frame, &b->frame);
}
