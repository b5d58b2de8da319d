/* SPDX-License-Identifier: MIT */
#ifndef ACP_PLACE_POSITION_H
#define ACP_PLACE_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/place.h"
#include "math/frame.h"

/* Retail's Position (spec 01 §14): a cell id and a frame with its matrix. */
typedef struct acp_matrix_position {
    uint32_t cell_id;
    acp_matrix_frame frame;
} acp_matrix_position;

acp_matrix_position acp_matrix_position_from_public(const acp_position *position);
acp_position acp_matrix_position_to_public(const acp_matrix_position *position);

/* WM-27. */
bool acp_matrix_position_is_valid(const acp_matrix_position *position);
/* WM-17: canonicalises in place. retail: Position::adjust_to_outside 0x00504A40 */
bool acp_matrix_position_adjust_to_outside(acp_matrix_position *position);
/* WM-17: the outdoor cell under a position, or 0; the position is unchanged. retail: Position::get_outside_cell_id 0x004527B0 */
uint32_t acp_matrix_position_outside_cell_id(const acp_matrix_position *position);

/* WM-39. retail: Position::localtolocal 0x004527F0 */
acp_vec3 acp_matrix_position_local_to_local(const acp_matrix_position *to, const acp_matrix_position *from, acp_vec3 v);
/* WM-40: only to's cell id counts. retail: Position::localtoglobal 0x00456180 */
acp_vec3 acp_matrix_position_local_to_global(uint32_t to_cell_id, const acp_matrix_position *from, acp_vec3 v);
/* Point-less form: block offset + from.origin. */
acp_vec3 acp_matrix_position_origin_in_block(uint32_t to_cell_id, const acp_matrix_position *from);
/* WM-41: the Position versions of the vector transforms, with their own operand order (spec 12). */
acp_vec3 acp_matrix_position_global_to_local_vec(const acp_matrix_position *position, acp_vec3 v);
/* WM-42. retail: Position::get_offset 0x00509F60, 0x0050D920 */
acp_vec3 acp_matrix_position_offset(const acp_matrix_position *a, const acp_matrix_position *b);
acp_vec3 acp_matrix_position_offset_to_point(const acp_matrix_position *a, const acp_matrix_position *b, acp_vec3 v);
/* WM-43, unrounded metres. */
double acp_matrix_position_distance(const acp_matrix_position *a, const acp_matrix_position *b);
double acp_matrix_position_xy_distance(const acp_matrix_position *a, const acp_matrix_position *b);
/* WM-44, degrees, unrounded. */
double acp_matrix_position_heading_to(const acp_matrix_position *a, const acp_matrix_position *b);
/* WM-45, unrounded metres. retail: Position::cylinder_distance 0x005A94B0 */
double acp_cylinder_distance(float radius1, float height1, const acp_matrix_position *p1, float radius2, float height2,
                             const acp_matrix_position *p2);
double acp_cylinder_distance_no_z(float radius1, const acp_matrix_position *p1, float radius2, const acp_matrix_position *p2);
/* WM-46: quadrant bits of p around `self`. */
uint32_t acp_matrix_position_quadrant(const acp_matrix_position *self, float height, const acp_matrix_position *p);
/* §13: equal ids and frames, no block offset. */
bool acp_matrix_position_is_equal(const acp_matrix_position *a, const acp_matrix_position *b);

#endif
