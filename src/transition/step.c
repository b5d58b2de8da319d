/* SPDX-License-Identifier: MIT */
/* Ground logic: stepping down, stepping up, walkability, edges (spec 06 TRN-43..45, TRN-50).
 *
 * Stepping down lowers the mover and lets surfaces raise it again: terrain, spheres and cylinders as long as walk_interp stays above
 * -0.1, polygons down to -0.5, which is how a face of 1.5 step heights can still be climbed (S-3b). Stepping up is the same without the
 * lowering. What is found must then be free at rest: a placement insert decides.
 * Quirks kept: step_down does not restore the position when it fails, and the second half of a double step goes on from there; the
 * one slot for the insert type is shared by nested saves (TRN-66); edge_slide goes back to the current centre without block offset.
 * Cost: each step_down is up to five inserts of up to five tries and one placement test. */
#include "transition/step.h"

#include "math/vec3.h"
#include "transition/insert.h"
#include "transition/slide.h"
#include "transition/trace.h"

static void lower(acp_sphere_path *path, float height) {
    path->check_position.frame.origin.z = acp_f32((double)path->check_position.frame.origin.z - (double)height);
    acp_vec3 offset = {0.0f, 0.0f, -height};
    for (uint32_t i = 0; i < path->sphere_count; ++i)
        path->global_spheres[i].center = acp_vec3_add(path->global_spheres[i].center, offset);
    path->global_low_point = acp_vec3_add(path->global_low_point, offset);
}

static bool step_down(acp_transition *move, float height, float limit_z) {
    acp_sphere_path *path = &move->path;
    path->has_neg_poly_hit = false;
    path->is_stepping_down = true;
    path->step_down_amount = height;
    path->walk_interp = 1.0f;
    if (!path->is_stepping_up) lower(path, height);
    acp_transition_state state = acp_transition_insert(move, 5);
    path->is_stepping_down = false;
    if (state != ACP_TRANSITION_OK || !move->collision.contact.is_valid || move->collision.contact.plane.normal.z < limit_z) return false;
    if ((move->info.state & ACP_OI_EDGE_SLIDE) && !path->is_stepping_up && !acp_transition_check_walkable(move, limit_z)) return false;
    path->backup_insert_type = path->insert_type;
    path->insert_type = ACP_INSERT_PLACEMENT;
    state = acp_transition_insert(move, 1);
    path->insert_type = path->backup_insert_type;
    return state == ACP_TRANSITION_OK;
}

bool acp_transition_step_down(acp_transition *move, float height, float limit_z) {
    bool is_found = step_down(move, height, limit_z);
    acp_transition_note(move, ACP_TRACE_MOVE_STEP_DOWN, is_found ? ACP_TRANSITION_OK : ACP_TRANSITION_COLLIDED, 0,
                        move->collision.contact.plane.normal, height);
    return is_found;
}

bool acp_transition_step_up(acp_transition *move, acp_vec3 normal) {
    acp_sphere_path *path = &move->path;
    acp_collision_info_clear_contact(&move->collision);
    path->is_stepping_up = true;
    path->step_up_normal = normal;
    float height = ACP_SMALL_STEP, limit_z = ACP_LANDING_Z;
    if (move->info.state & ACP_OI_ON_WALKABLE) {
        limit_z = ACP_FLOOR_Z;
        height = move->info.step_up_height;
    }
    path->walkable_allowance = limit_z;
    acp_sphere_path_save_check(path);
    bool is_found = acp_transition_step_down(move, height, limit_z);
    path->is_stepping_up = false;
    acp_walkable_clear(&path->walkable);
    if (!is_found) acp_sphere_path_restore_check(path);
    acp_transition_note(move, ACP_TRACE_MOVE_STEP_UP, is_found ? ACP_TRANSITION_OK : ACP_TRANSITION_COLLIDED, 0, normal, height);
    return is_found;
}

bool acp_transition_check_walkable(acp_transition *move, float limit_z) {
    acp_sphere_path *path = &move->path;
    if (!(move->info.state & ACP_OI_ON_WALKABLE) || acp_walkable_check(&path->walkable)) return true;
    acp_matrix_position saved_position = path->check_position; /* TRN-80d: not the path's backup slot */
    acp_cell saved_cell = path->check_cell;
    path->walkable_allowance = limit_z;
    path->is_checking_walkable = true;
    float height = move->info.step_down_height, radius = path->global_spheres[0].radius;
    double diameter = 2.0 * (double)radius;
    if (path->sphere_count < 2 && (double)height > diameter) height = acp_f32((double)radius * 0.5);
    if ((double)height > diameter) height = acp_f32((double)height * 0.5);
    acp_sphere_path_add_offset(path, (acp_vec3){0.0f, 0.0f, -height});
    acp_transition_state state = acp_transition_insert(move, 1);
    path->is_checking_walkable = false;
    acp_sphere_path_set_check(path, &saved_position, saved_cell);
    return state != ACP_TRANSITION_OK;
}

bool acp_transition_settle(acp_transition *move, float height, float limit_z, float *out_height) {
    double radius = (double)move->path.global_spheres[0].radius;
    double diameter = 2.0 * radius;
    if (move->path.sphere_count < 2 && diameter < (double)height) height = acp_f32(radius * 0.5);
    if (diameter >= (double)height) {
        *out_height = height;
        return acp_transition_step_down(move, height, limit_z);
    }
    height = acp_f32((double)height * 0.5);
    *out_height = height;
    return acp_transition_step_down(move, height, limit_z) || acp_transition_step_down(move, height, limit_z);
}

/* The last resort of an edge slide: look for a polygon from where the step began. */
static bool slide_back_to_edge(acp_transition *move, acp_transition_state *state, float height, float limit_z) {
    acp_sphere_path *path = &move->path;
    acp_sphere_path_add_offset(path, acp_vec3_subtract(path->global_current_centers[0], path->global_spheres[0].center));
    acp_transition_step_down(move, height, limit_z);
    acp_collision_info_clear_contact(&move->collision);
    acp_sphere_path_restore_check(path);
    if (path->walkable.is_set) {
        acp_sphere_path_cache_localspace(path, path->walkable.position, path->walkable.scale, false);
        path->walkable.check_sphere = path->localspace_spheres[0];
        *state = acp_precipice_slide(move);
        return *state == ACP_TRANSITION_COLLIDED;
    }
    *state = ACP_TRANSITION_COLLIDED;
    move->hit.kind = ACP_HIT_NO_GROUND;
    move->hit.cell_id = path->check_cell.cell_id;
    move->hit.object = (acp_object){0, 0};
    move->hit.object_id = 0;
    move->hit.part = move->hit.polygon = ACP_HIT_NO_ORDINAL;
    return true;
}

static bool edge_slide(acp_transition *move, acp_transition_state *state, float height, float limit_z, uint32_t *out_case) {
    acp_sphere_path *path = &move->path;
    acp_collision_info *collision = &move->collision;
    uint32_t needed = ACP_OI_ON_WALKABLE | ACP_OI_EDGE_SLIDE;
    if ((move->info.state & needed) != needed) { /* walks off the edge */
        *out_case = 1;
        acp_walkable_clear(&path->walkable);
        acp_sphere_path_restore_check(path);
        acp_collision_info_clear_contact(collision);
        *state = ACP_TRANSITION_OK;
        return true;
    }
    if (collision->contact.is_valid && collision->contact.plane.normal.z < limit_z) {
        *out_case = 2;
        acp_walkable_clear(&path->walkable);
        acp_sphere_path_restore_check(path);
        *state = acp_cliff_slide(move, &collision->contact.plane);
        acp_collision_info_clear_contact(collision);
        return false;
    }
    if (path->walkable.is_set) {
        *out_case = 3;
        acp_sphere_path_restore_check(path);
        acp_collision_info_clear_contact(collision);
        *state = acp_precipice_slide(move);
        return *state == ACP_TRANSITION_COLLIDED;
    }
    if (collision->contact.is_valid) { /* good ground, but no room on it */
        *out_case = 4;
        acp_walkable_clear(&path->walkable);
        acp_sphere_path_restore_check(path);
        acp_collision_info_clear_contact(collision);
        *state = ACP_TRANSITION_OK;
        return true;
    }
    *out_case = 5;
    return slide_back_to_edge(move, state, height, limit_z);
}

bool acp_transition_edge_slide(acp_transition *move, acp_transition_state *state, float height, float limit_z) {
    uint32_t which = 0;
    bool is_final = edge_slide(move, state, height, limit_z, &which);
    acp_transition_note(move, ACP_TRACE_MOVE_EDGE, *state, which, move->collision.collision_normal, height);
    return is_final;
}
