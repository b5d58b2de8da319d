/* SPDX-License-Identifier: MIT */
/* Sphere path: where the mover's spheres begin, are, and are being tried (spec 06 TRN-2, TRN-20..29).
 *
 * Contract: every adoption of a place is one assignment of {cell id, frame} together with its cell (TRN-80 a..i); there is no other
 * writer of a position in this floor than the functions here and the two rotations of sweep.c. Between add_offset and adjust_check the
 * origin may lie outside [0,192) of its id's block: all formulas are affine, so this is harmless.
 * Rounding (spec 12): sums in the written orders, one store per component. Offsets are *added* to the global spheres, so the float error
 * accumulates within a step as in the original; a full refresh happens only where the check position is set.
 * Limits: at most two spheres; the owner of a local space is referred to, not copied, because objects do not move during a transition.
 * Cost: constant. retail: SPHEREPATH 0x00509CE0..0x0050CE20 */
#include "transition/sphere_path.h"

#include "math/vec3.h"
#include "place/cell_id.h"

void acp_sphere_path_init(acp_sphere_path *path) {
    path->sphere_count = 0;
    path->begin_cell = (acp_cell){NULL, 0, 0};
    path->current_cell = path->begin_cell;
    path->check_cell = path->begin_cell;
    path->backup_cell = path->begin_cell;
    path->begin_position = NULL;
    path->end_position = NULL;
    path->insert_type = ACP_INSERT_TRANSITION;
    path->walkable_allowance = 0.0f;
    path->is_stepping_up = false;
    path->is_stepping_down = false;
    path->is_landing = false;
    path->is_obstruction_ethereal = false;
    path->hits_interior_cell = false;
    path->is_building_check = false;
    path->is_checking_walkable = false;
    path->has_neg_poly_hit = false;
    path->is_neg_step_up = false;
    path->can_placement_slide = true;
    path->localspace_key.owner = NULL;
    acp_walkable_clear(&path->walkable);
}

void acp_sphere_path_set_spheres(acp_sphere_path *path, uint32_t count, const acp_sphere *spheres, float scale) {
    path->sphere_count = count < 2 ? count : 2;
    path->localspace_key.owner = NULL;
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        path->local_spheres[i].center = acp_vec3_scale(spheres[i].center, (double)scale);
        path->local_spheres[i].radius = acp_f32((double)spheres[i].radius * (double)scale);
    }
    path->is_axial = true;
    for (uint32_t i = 0; i < path->sphere_count; ++i)
        if (path->local_spheres[i].center.x != 0.0f || path->local_spheres[i].center.y != 0.0f) path->is_axial = false;
    const acp_sphere *low = &path->local_spheres[0];
    path->local_low_point = low->center;
    path->local_low_point.z = acp_f32((double)low->center.z - (double)low->radius);
}

/* The centre form: the operand order differs per row, and between check and current centres in the z row (spec 12). */
static acp_vec3 check_center(const acp_matrix_frame *frame, acp_vec3 v) {
    const float *m = frame->m;
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    acp_vec3 out;
    out.x = acp_f32(((x * (double)m[0] + y * (double)m[3]) + z * (double)m[6]) + (double)frame->origin.x);
    out.y = acp_f32((((double)m[7] * z + (double)m[1] * x) + (double)m[4] * y) + (double)frame->origin.y);
    out.z = acp_f32((((double)m[8] * z + (double)m[2] * x) + (double)m[5] * y) + (double)frame->origin.z);
    return out;
}

static acp_vec3 current_center(const acp_matrix_frame *frame, acp_vec3 v) {
    const float *m = frame->m;
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    acp_vec3 out;
    out.x = acp_f32(((x * (double)m[0] + y * (double)m[3]) + z * (double)m[6]) + (double)frame->origin.x);
    out.y = acp_f32((((double)m[7] * z + (double)m[1] * x) + (double)m[4] * y) + (double)frame->origin.y);
    out.z = acp_f32((((double)m[8] * z + (double)m[5] * y) + (double)m[2] * x) + (double)frame->origin.z);
    return out;
}

void acp_sphere_path_cache_current_centers(acp_sphere_path *path) {
    const acp_matrix_frame *frame = &path->current_position.frame;
    bool is_simple = path->is_axial && acp_frame_is_upright(frame);
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        acp_vec3 center = path->local_spheres[i].center;
        path->global_current_centers[i] = is_simple ? acp_axial_point(frame, center.z) : current_center(frame, center);
    }
}

void acp_sphere_path_adopt_check(acp_sphere_path *path) {
    path->current_position = path->check_position;
    path->current_cell = path->check_cell;
    acp_sphere_path_cache_globals(path);
    if (path->is_axial && acp_frame_is_upright(&path->current_position.frame)) {
        for (uint32_t i = 0; i < path->sphere_count; ++i) /* the same sums */
            path->global_current_centers[i] = path->global_spheres[i].center;
    } else {
        acp_sphere_path_cache_current_centers(path);
    }
}

void acp_sphere_path_cache_globals(acp_sphere_path *path) {
    const acp_matrix_frame *frame = &path->check_position.frame;
    if (path->is_axial && acp_frame_is_upright(frame)) {
        for (uint32_t i = 0; i < path->sphere_count; ++i) {
            path->global_spheres[i].radius = path->local_spheres[i].radius;
            path->global_spheres[i].center = acp_axial_point(frame, path->local_spheres[i].center.z);
        }
        path->global_low_point = acp_axial_point(frame, path->local_low_point.z);
        return;
    }
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        path->global_spheres[i].radius = path->local_spheres[i].radius;
        path->global_spheres[i].center = check_center(frame, path->local_spheres[i].center);
    }
    path->global_low_point = acp_matrix_frame_local_to_global(frame, path->local_low_point);
}

void acp_sphere_path_set_ends(acp_sphere_path *path, acp_cell begin_cell, const acp_matrix_position *begin,
                              const acp_matrix_position *end) {
    path->begin_cell = begin_cell;
    path->begin_position = begin;
    path->end_position = end;
    path->current_position = begin ? *begin : *end; /* TRN-80a */
    path->current_cell = begin_cell;
    acp_sphere_path_cache_current_centers(path);
    path->insert_type = begin ? ACP_INSERT_TRANSITION : ACP_INSERT_PLACEMENT;
}

void acp_sphere_path_set_check(acp_sphere_path *path, const acp_matrix_position *position, acp_cell cell) {
    path->check_position = *position; /* TRN-80b */
    path->check_cell = cell;
    path->localspace_key.has_place = false; /* the rotation may be another */
    acp_sphere_path_cache_globals(path);
}

void acp_sphere_path_save_check(acp_sphere_path *path) {
    path->backup_check_position = path->check_position; /* TRN-80c */
    path->backup_cell = path->check_cell;
}

void acp_sphere_path_restore_check(acp_sphere_path *path) {
    acp_sphere_path_set_check(path, &path->backup_check_position, path->backup_cell);
}

static void shift_globals(acp_sphere_path *path, acp_vec3 offset) {
    for (uint32_t i = 0; i < path->sphere_count; ++i)
        path->global_spheres[i].center = acp_vec3_add(path->global_spheres[i].center, offset);
    path->global_low_point = acp_vec3_add(path->global_low_point, offset);
}

void acp_sphere_path_add_offset(acp_sphere_path *path, acp_vec3 offset) {
    path->check_position.frame.origin = acp_vec3_add(path->check_position.frame.origin, offset);
    shift_globals(path, offset);
}

void acp_sphere_path_adjust_check(acp_sphere_path *path, uint32_t cell_id) {
    if (acp_cell_id_is_outdoor(cell_id)) {
        acp_vec3 offset = acp_block_shift(cell_id, path->check_position.cell_id); /* zero is added too: -0.0 becomes 0.0 */
        shift_globals(path, offset);
        path->check_position.frame.origin = acp_vec3_add(path->check_position.frame.origin, offset);
    }
    path->check_position.cell_id = cell_id; /* TRN-80e */
}

/* Same block, upright, on the axis: the block offset adds zero to numbers that are not, and the way to the block is acp_axial_point. */
static bool is_simple_in(const acp_sphere_path *path, const acp_matrix_position *owner, const acp_matrix_position *position) {
    return path->is_axial && ((owner->cell_id ^ position->cell_id) & 0xFFFF0000u) == 0 && acp_frame_is_upright(&position->frame);
}

/* The z of the centres at a simple place in an owner that is turned about z only. False: something comes out as -0. */
static bool place_heights(const acp_sphere_path *path, const acp_matrix_position *owner, const acp_matrix_position *position,
                          acp_vec3 out_centers[2]) {
    double up = (double)position->frame.m[8], base = (double)position->frame.origin.z;
    double z_axis = (double)owner->frame.m[8], origin = (double)owner->frame.origin.z;
    float low = acp_f32((acp_stored(up * (double)path->local_spheres[0].center.z + base) - origin) * z_axis);
    out_centers[0].z = low;
    if (path->sphere_count < 2) return !acp_is_negative_zero(low);
    float high = acp_f32((acp_stored(up * (double)path->local_spheres[1].center.z + base) - origin) * z_axis);
    out_centers[1].z = high;
    return !acp_is_negative_zero(low) && !acp_is_negative_zero(high);
}

/* A simple place in an owner that is turned about z only: the centres share x and y. The sums lack the terms that are zeros of some sign
 * here; what comes out as -0 is left to the whole expressions (false). */
static bool place_upright(const acp_sphere_path *path, const acp_matrix_position *owner, const acp_matrix_position *position,
                          acp_vec3 out_centers[2]) {
    const float *m = owner->frame.m;
    acp_vec3 from = owner->frame.origin, at = position->frame.origin;
    if (path->sphere_count == 0) return true;
    double dx = acp_stored((double)at.x - (double)from.x), dy = acp_stored((double)at.y - (double)from.y);
    float x = acp_f32(dx * (double)m[0] + dy * (double)m[1]), y = acp_f32(dx * (double)m[3] + dy * (double)m[4]);
    if (acp_is_negative_zero(x) || acp_is_negative_zero(y)) return false;
    out_centers[0].x = out_centers[1].x = x;
    out_centers[0].y = out_centers[1].y = y;
    return place_heights(path, owner, position, out_centers);
}

/* Both centres at one of the mover's positions, in the axes of the owner, divided by its scale. True: by place_upright, undivided. */
static bool place_centers(const acp_sphere_path *path, const acp_matrix_position *owner, const acp_matrix_position *position,
                          double inverse, acp_vec3 out_centers[2]) {
    bool is_simple = is_simple_in(path, owner, position);
    bool is_placed = is_simple && path->localspace_key.is_about_z && place_upright(path, owner, position, out_centers);
    if (!is_placed)
        for (uint32_t i = 0; i < path->sphere_count; ++i) {
            acp_vec3 center = path->local_spheres[i].center;
            out_centers[i] = is_simple ? acp_matrix_frame_global_to_local(&owner->frame, acp_axial_point(&position->frame, center.z))
                                       : acp_matrix_position_local_to_local(owner, position, center);
        }
    if (inverse == 1.0) return is_placed;
    for (uint32_t i = 0; i < path->sphere_count; ++i)
        out_centers[i] = acp_vec3_scale(out_centers[i], inverse);
    return false;
}

/* What depends on the owner alone: radii, z axis. */
static void set_owner(acp_sphere_path *path, const acp_matrix_position *owner, float scale, double inverse) {
    const float *m = owner->frame.m;
    for (uint32_t i = 0; i < path->sphere_count; ++i)
        path->localspace_spheres[i].radius = acp_f32(inverse * (double)path->local_spheres[i].radius);
    path->localspace_z =
        acp_vec3_make(((double)m[1] + (double)m[0]) * 0.0 + (double)m[2], ((double)m[4] + (double)m[3]) * 0.0 + (double)m[5],
                      ((double)m[7] + (double)m[6]) * 0.0 + (double)m[8]);
    path->localspace_key.owner = owner;
    path->localspace_key.scale = scale;
    path->localspace_key.is_about_z = acp_frame_is_about_z(&owner->frame);
    path->localspace_key.has_place = false;
}

static double inverse_scale(float scale) { return scale == 1.0f ? 1.0 : acp_stored(1.0 / (double)scale); }

/* The check position has moved up or down from where the centres were placed: a mover settles, or steps up, over one point. */
static bool place_above(acp_sphere_path *path, const acp_matrix_position *owner, acp_vec3 centers[2]) {
    acp_vec3 was = path->localspace_key.origin, at = path->check_position.frame.origin;
    if (!path->localspace_key.is_upright || acp_float_bits(was.x) != acp_float_bits(at.x) || acp_float_bits(was.y) != acp_float_bits(at.y))
        return false;
    if (at.x * at.y * at.z == 0.0f) return false; /* no longer upright in acp_frame_is_upright's sense */
    return place_heights(path, owner, &path->check_position, centers);
}

void acp_sphere_path_cache_localspace(acp_sphere_path *path, const acp_matrix_position *owner, float scale, bool needs_current) {
    path->localspace_position = owner; /* TRN-80k */
    if (path->localspace_key.owner != owner || path->localspace_key.scale != scale) set_owner(path, owner, scale, inverse_scale(scale));
    const acp_matrix_position *check = &path->check_position;
    bool is_near = path->localspace_key.has_place && path->localspace_key.cell_id == check->cell_id;
    if (!is_near || !acp_vec3_is_same(path->localspace_key.origin, check->frame.origin)) {
        acp_vec3 centers[2] = {path->localspace_spheres[0].center, path->localspace_spheres[1].center};
        if (!is_near || !place_above(path, owner, centers))
            path->localspace_key.is_upright = place_centers(path, owner, check, inverse_scale(scale), centers);
        path->localspace_spheres[0].center = centers[0];
        path->localspace_spheres[1].center = centers[1];
        path->localspace_key.has_place = true;
        path->localspace_key.cell_id = check->cell_id;
        path->localspace_key.origin = check->frame.origin;
    }
    if (needs_current) acp_sphere_path_cache_localspace_current(path);
}

void acp_sphere_path_cache_localspace_current(acp_sphere_path *path) {
    place_centers(path, path->localspace_position, &path->current_position, inverse_scale(path->localspace_key.scale),
                  path->localspace_current_centers);
}

acp_vec3 acp_sphere_path_localspace_low_point(const acp_sphere_path *path) {
    acp_vec3 c = path->localspace_spheres[0].center, z = path->localspace_z;
    double radius = (double)path->localspace_spheres[0].radius;
    return acp_vec3_make((double)c.x - radius * (double)z.x, (double)c.y - acp_stored(radius * (double)z.y),
                         (double)c.z - acp_stored(radius * (double)z.z));
}

void acp_sphere_path_set_landing(acp_sphere_path *path, acp_vec3 normal) {
    path->is_landing = true;
    acp_sphere_path_save_check(path);
    path->step_up_normal = normal;
    path->walk_interp = 1.0f;
}

void acp_sphere_path_set_neg_poly_hit(acp_sphere_path *path, bool is_step_up, acp_vec3 normal) {
    path->is_neg_step_up = is_step_up;
    path->has_neg_poly_hit = true;
    path->neg_collision_normal = (acp_vec3){-normal.x, -normal.y, -normal.z};
}
