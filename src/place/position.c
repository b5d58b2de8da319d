/* SPDX-License-Identifier: MIT */
/* Positions: transforms and measures between places that may lie in different landblocks.
 *
 * Contract: two positions meet only through acp_block_offset of their two ids (law L1); nothing is ever brought to a common or moving
 * centre. An EnvCell's frame is in its landblock's axes too, so the same functions serve indoors and outdoors.
 * Which temporaries are stored differs from row to row and from function to function; the places are those of spec 12, and each is
 * covered by vectors. Distances and headings are unrounded.
 * Limits: an id of 0 has no place; asking for an offset from or to it is a caller's mistake (assert in debug builds, WM-19).
 * Spec: 01 §14; 12 "Vectors, frames, positions". retail: Position::localtolocal 0x004527F0 · Position::get_offset 0x00509F60
 * Cost: one block offset (integers, usually nothing) and one or two matrix products. No allocation. */
#include "place/position.h"

#include <math.h>

#include "math/trig.h"
#include "math/vec3.h"
#include "place/cell_id.h"

acp_matrix_position acp_matrix_position_from_public(const acp_position *position) {
    acp_matrix_position result;
    result.cell_id = position->cell_id;
    result.frame = acp_matrix_frame_from_public(&position->frame);
    return result;
}

acp_position acp_matrix_position_to_public(const acp_matrix_position *position) {
    acp_position result = {position->cell_id, acp_matrix_frame_to_public(&position->frame)};
    return result;
}

bool acp_matrix_position_is_valid(const acp_matrix_position *position) {
    return acp_cell_id_is_valid(position->cell_id) && acp_matrix_frame_is_valid(&position->frame);
}

bool acp_matrix_position_adjust_to_outside(acp_matrix_position *position) {
    return acp_adjust_to_outside(&position->cell_id, &position->frame.origin);
}

uint32_t acp_matrix_position_outside_cell_id(const acp_matrix_position *position) {
    uint32_t cell_id = position->cell_id;
    acp_vec3 point = position->frame.origin;
    return acp_adjust_to_outside(&cell_id, &point) ? cell_id : 0u;
}

/* A local point in its own block, unrounded, in the operand order of the Position functions: y, x, z (spec 12). */
typedef struct block_point {
    double x, y, z;
} block_point;

static block_point local_to_block(const acp_matrix_frame *frame, acp_vec3 v) {
    const float *m = frame->m;
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    block_point p;
    p.x = (((double)m[3] * y + (double)m[0] * x) + (double)m[6] * z) + (double)frame->origin.x;
    p.y = (((double)m[4] * y + (double)m[1] * x) + (double)m[7] * z) + (double)frame->origin.y;
    p.z = (((double)m[5] * y + (double)m[2] * x) + (double)m[8] * z) + (double)frame->origin.z;
    return p;
}

acp_vec3 acp_matrix_position_local_to_global(uint32_t to_cell_id, const acp_matrix_position *from, acp_vec3 v) {
    block_point p = local_to_block(&from->frame, v);
    acp_vec3 offset = acp_block_offset(to_cell_id, from->cell_id);
    return acp_vec3_make((double)offset.x + acp_stored(p.x), (double)offset.y + acp_stored(p.y), (double)offset.z + acp_stored(p.z));
}

acp_vec3 acp_matrix_position_local_to_local(const acp_matrix_position *to, const acp_matrix_position *from, acp_vec3 v) {
    return acp_matrix_frame_global_to_local(&to->frame, acp_matrix_position_local_to_global(to->cell_id, from, v));
}

acp_vec3 acp_matrix_position_origin_in_block(uint32_t to_cell_id, const acp_matrix_position *from) {
    return acp_vec3_add(acp_block_offset(to_cell_id, from->cell_id), from->frame.origin);
}

acp_vec3 acp_matrix_position_global_to_local_vec(const acp_matrix_position *position, acp_vec3 v) {
    const float *m = position->frame.m;
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    acp_vec3 out;
    out.x = acp_f32(((double)m[1] * y + (double)m[0] * x) + (double)m[2] * z);
    out.y = acp_f32(((double)m[4] * y + (double)m[3] * x) + (double)m[5] * z);
    out.z = acp_f32(((double)m[7] * y + (double)m[6] * x) + (double)m[8] * z);
    return out;
}

acp_vec3 acp_matrix_position_offset(const acp_matrix_position *a, const acp_matrix_position *b) {
    acp_vec3 offset = acp_block_offset(a->cell_id, b->cell_id);
    double x = (double)offset.x + (double)b->frame.origin.x;
    double y = acp_stored((double)offset.y + (double)b->frame.origin.y);
    double z = acp_stored((double)offset.z + (double)b->frame.origin.z);
    return acp_vec3_make(x - (double)a->frame.origin.x, y - (double)a->frame.origin.y, z - (double)a->frame.origin.z);
}

acp_vec3 acp_matrix_position_offset_to_point(const acp_matrix_position *a, const acp_matrix_position *b, acp_vec3 v) {
    acp_vec3 offset = acp_block_offset(a->cell_id, b->cell_id);
    block_point p = local_to_block(&b->frame, v);
    double x = acp_stored((double)offset.x + p.x);
    double y = (double)offset.y + p.y;
    double z = acp_stored((double)offset.z + acp_stored(p.z));
    return acp_vec3_make(x - (double)a->frame.origin.x, y - (double)a->frame.origin.y, z - (double)a->frame.origin.z);
}

double acp_matrix_position_distance(const acp_matrix_position *a, const acp_matrix_position *b) {
    return acp_vec3_length(acp_matrix_position_offset(a, b));
}

double acp_matrix_position_xy_distance(const acp_matrix_position *a, const acp_matrix_position *b) {
    acp_vec3 d = acp_matrix_position_offset(a, b);
    return sqrt((double)d.y * (double)d.y + (double)d.x * (double)d.x);
}

double acp_matrix_position_heading_to(const acp_matrix_position *a, const acp_matrix_position *b) {
    return acp_vec3_heading(acp_matrix_position_offset(a, b));
}

double acp_cylinder_distance(float radius1, float height1, const acp_matrix_position *p1, float radius2, float height2,
                             const acp_matrix_position *p2) {
    double reach = acp_stored(acp_cylinder_distance_no_z(radius1, p1, radius2, p2));
    double z1 = (double)p1->frame.origin.z, z2 = (double)p2->frame.origin.z;
    double gap = z1 <= z2 ? z2 - (z1 + (double)height1) : z1 - (z2 + (double)height2);
    if (gap <= 0.0) return reach <= 0.0 ? -sqrt(gap * gap + reach * reach) : reach;
    return reach <= 0.0 ? gap : sqrt(gap * gap + reach * reach);
}

double acp_cylinder_distance_no_z(float radius1, const acp_matrix_position *p1, float radius2, const acp_matrix_position *p2) {
    return acp_matrix_position_distance(p1, p2) - ((double)radius1 + (double)radius2);
}

uint32_t acp_matrix_position_quadrant(const acp_matrix_position *self, float height, const acp_matrix_position *p) {
    acp_vec3 origin = {0.0f, 0.0f, 0.0f};
    acp_vec3 local = acp_matrix_position_local_to_local(self, p, origin);
    uint32_t bits = local.x >= 0.0f ? 0x10u : 0x08u;
    bits |= local.y >= 0.0f ? 0x20u : 0x40u;
    if ((double)local.z < (double)height * 0.333333333) return bits | 4u;
    return bits | ((double)local.z < (double)height * 0.66666667 ? 2u : 1u);
}

bool acp_matrix_position_is_equal(const acp_matrix_position *a, const acp_matrix_position *b) {
    return a->cell_id == b->cell_id && acp_matrix_frame_is_equal(&a->frame, &b->frame);
}
