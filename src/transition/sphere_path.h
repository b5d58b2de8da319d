/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_SPHERE_PATH_H
#define ACP_TRANSITION_SPHERE_PATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "acphys/geom.h"
#include "math/vec3.h"
#include "place/cell_id.h"
#include "place/position.h"
#include "transition/constants.h"
#include "transition/walkable.h"
#include "world/world.h"

/* The path of the mover's spheres (TRN-2). Three frames are in use, and every name says which:
 *   local       the mover's own axes, scaled;
 *   global      the landblock of check_position.cell_id (current centres: of current_position.cell_id);
 *   localspace  the axes of the thing being tested, divided by its scale. */

typedef struct acp_sphere_path {
    uint32_t sphere_count; /* 0..2 */
    acp_sphere local_spheres[2];
    acp_vec3 local_low_point;
    bool is_axial; /* every local centre is on the z axis */

    acp_sphere global_spheres[2];
    acp_vec3 global_low_point;
    acp_vec3 global_current_centers[2];

    acp_sphere localspace_spheres[2];
    acp_vec3 localspace_current_centers[2];
    acp_vec3 localspace_z;
    const acp_matrix_position *localspace_position; /* of the owner, which stays where it is during a transition */
    struct { /* what the localspace above was last computed for; owners and the check frame's rotation are steady meanwhile */
        const acp_matrix_position *owner; /* null: nothing */
        float scale;
        bool is_about_z; /* the owner's frame */
        bool has_place;  /* the spheres' centres are for the check position {cell_id, origin} */
        bool is_upright; /* and were placed there by the short way for upright places, which z enters alone */
        uint32_t cell_id;
        acp_vec3 origin;
    } localspace_key;

    acp_cell begin_cell;
    acp_cell current_cell;
    acp_cell check_cell;
    acp_cell backup_cell;
    const acp_matrix_position *begin_position; /* null for placements; outlives the transition */
    const acp_matrix_position *end_position;
    acp_matrix_position current_position;
    acp_matrix_position check_position;
    acp_matrix_position backup_check_position;

    acp_vec3 global_offset;
    acp_vec3 step_up_normal;
    acp_vec3 neg_collision_normal;
    float step_down_amount;
    float walk_interp;
    float walkable_allowance; /* slopes must be strictly above it */

    acp_insert_type insert_type;
    acp_insert_type backup_insert_type; /* one shared slot (TRN-66 quirk) */
    bool is_stepping_up;
    bool is_stepping_down;
    bool is_landing; /* retail's "collide": a landing was requested */
    bool is_obstruction_ethereal;
    bool hits_interior_cell;
    bool is_building_check;
    bool is_checking_walkable;
    bool has_neg_poly_hit;
    bool is_neg_step_up;
    bool can_placement_slide;
    bool corrects_block; /* ACP_CORRECTION_CURRENT_BLOCK */

    acp_walkable walkable; /* the polygon last stood on */
} acp_sphere_path;

/* TRN-11: the fields a new transition starts with; the others keep the slot's previous values. */
void acp_sphere_path_init(acp_sphere_path *path);

/* TRN-21. */
void acp_sphere_path_set_spheres(acp_sphere_path *path, uint32_t count, const acp_sphere *spheres, float scale);

/* TRN-11 init_path: begin null makes it a placement at `end`. */
void acp_sphere_path_set_ends(acp_sphere_path *path, acp_cell begin_cell, const acp_matrix_position *begin, const acp_matrix_position *end);

/* TRN-24, TRN-25: recompute from the frames. */
void acp_sphere_path_cache_current_centers(acp_sphere_path *path);
void acp_sphere_path_cache_globals(acp_sphere_path *path);

/* TRN-80g: the check position becomes the current one, and both sets of centres are computed anew. */
void acp_sphere_path_adopt_check(acp_sphere_path *path);

/* TRN-22: id, frame and cell adopted together. */
void acp_sphere_path_set_check(acp_sphere_path *path, const acp_matrix_position *position, acp_cell cell);
void acp_sphere_path_save_check(acp_sphere_path *path);
void acp_sphere_path_restore_check(acp_sphere_path *path);

/* TRN-23. The cell id does not change: the origin may leave the block. */
void acp_sphere_path_add_offset(acp_sphere_path *path, acp_vec3 offset);

/* TRN-27: re-bases outdoor ids, renames indoor ones (TRN-82). */
void acp_sphere_path_adjust_check(acp_sphere_path *path, uint32_t cell_id);

/* TRN-26: the mover in the axes of `owner`, divided by `scale`. `owner` is kept by reference. The centres at the current position are only
 * computed when asked for. */
void acp_sphere_path_cache_localspace(acp_sphere_path *path, const acp_matrix_position *owner, float scale, bool needs_current);
/* The centres at the current position for the same owner and scale. */
void acp_sphere_path_cache_localspace_current(acp_sphere_path *path);
/* The low point in the same axes. Nothing in a transition reads it. */
acp_vec3 acp_sphere_path_localspace_low_point(const acp_sphere_path *path);

/* TRN-29. */
void acp_sphere_path_set_landing(acp_sphere_path *path, acp_vec3 normal);
void acp_sphere_path_set_neg_poly_hit(acp_sphere_path *path, bool is_step_up, acp_vec3 normal);

/* WM-19 with the common case, one block, in line. */
static inline acp_vec3 acp_block_shift(uint32_t from, uint32_t to) {
    if (((from ^ to) & 0xFFFF0000u) == 0) return (acp_vec3){0.0f, 0.0f, 0.0f};
    return acp_block_offset(from, to);
}

static inline uint32_t acp_float_bits(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* The same bits: unlike ==, tells zeros of different sign apart. */
static inline bool acp_vec3_is_same(acp_vec3 a, acp_vec3 b) {
    return ((acp_float_bits(a.x) ^ acp_float_bits(b.x)) | (acp_float_bits(a.y) ^ acp_float_bits(b.y)) |
            (acp_float_bits(a.z) ^ acp_float_bits(b.z))) == 0;
}

/* A frame that turns about z only, away from the planes through the block's corner: a centre on the mover's axis then is the origin plus
 * z, whatever the order of a sum, since all other terms are zeros of some sign and the origin is not one. */
static inline bool acp_frame_is_upright(const acp_matrix_frame *frame) {
    uint32_t tilt = acp_float_bits(frame->m[6]) | acp_float_bits(frame->m[7]);
    /* The product of the three is zero when one is, or when it underflows: then the long way is taken for nothing. */
    return (tilt & 0x7FFFFFFFu) == 0 && frame->origin.x * frame->origin.y * frame->origin.z != 0.0f;
}
/* A frame whose z row and z column are those of a turn about z. */
static inline bool acp_frame_is_about_z(const acp_matrix_frame *frame) {
    const float *m = frame->m;
    return ((acp_float_bits(m[2]) | acp_float_bits(m[5]) | acp_float_bits(m[6]) | acp_float_bits(m[7])) & 0x7FFFFFFFu) == 0;
}
static inline acp_vec3 acp_axial_point(const acp_matrix_frame *frame, float z) {
    acp_vec3 out = frame->origin;
    out.z = acp_f32((double)frame->m[8] * (double)z + (double)out.z);
    return out;
}

/* Displacement block -> current block: a point of the check frame plus this is in the current frame (05 §4). */
static inline acp_vec3 acp_sphere_path_block_shift(const acp_sphere_path *path) {
    return acp_block_shift(path->current_position.cell_id, path->check_position.cell_id);
}

/* The centre of sphere i at the current position, as the responses measure an obstacle from it: in the current position's block, whatever
 * block the obstacle is in (OCD-69), unless the correction brings it over. */
static inline acp_vec3 acp_sphere_path_seen_center(const acp_sphere_path *path, uint32_t i) {
    acp_vec3 center = path->global_current_centers[i];
    if (!path->corrects_block) return center;
    acp_vec3 shift = acp_block_shift(path->check_position.cell_id, path->current_position.cell_id);
    return acp_vec3_add(center, shift);
}

#endif
