/* SPDX-License-Identifier: MIT */
/* Adoption: what becomes of a sub-step or placement once it has been tried (spec 06 TRN-60..62).
 *
 * Only here does a candidate become the current position (TRN-80g, h, i), id, frame and cell together. A blocked step is no failure: it
 * answers OK with the old position, the wall as sliding normal, and, when the mover still touches the plane it last stood on, that plane
 * restored. The distance for that is measured without translation between blocks, so a sloped plane of the neighbouring block does not
 * restore (S-22). A mover under gravity that does not move counts up to three; at three it is given a horizontal plane under its sphere.
 * The order of writes is retail's: the normals persist over the sub-steps of one sweep.
 * Cost: constant, but for one flood when a step is blocked. */
#include "transition/adopt.h"

#include <math.h>

#include "geom/plane.h"
#include "math/vec3.h"
#include "transition/insert.h"
#include "transition/trace.h"
#include "world/object.h"

/* At rest the check spheres keep what the insert left. */
static void adopt_check(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    path->current_position = path->check_position;
    path->current_cell = path->check_cell;
    acp_sphere_path_cache_current_centers(path);
}

/* Back to the current position; true when the mover counts as having moved after all. */
static bool go_back(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    acp_collision_info *collision = &move->collision;
    bool has_moved = false;
    if (collision->last_known.is_valid) {
        collision->is_velocity_killed = true; /* OCD-85, DIV-46 */
        double distance = acp_plane_distance(&collision->last_known.plane, path->global_current_centers[0]);
        if ((double)path->global_spheres[0].radius + ACP_EPSILON_F64 > fabs(distance)) {
            acp_collision_info_set_contact(collision, collision->last_known.plane, collision->last_known.is_water,
                                           collision->last_known.cell_id);
            has_moved = (move->info.state & ACP_OI_ON_WALKABLE) != 0;
        }
    }
    if (!collision->is_collision_normal_valid) acp_collision_info_set_collision_normal(collision, (acp_vec3){0.0f, 0.0f, 1.0f});
    acp_sphere_path_set_check(path, &path->current_position, path->current_cell);
    acp_transition_build_cells(move);
    return has_moved;
}

/* The stationary-fall counter and its failsafe. */
static void count_stationary(acp_transition *move, bool has_moved) {
    acp_collision_info *collision = &move->collision;
    if (has_moved) {
        collision->frames_stationary_fall = 0;
    } else if (collision->frames_stationary_fall < 2) {
        ++collision->frames_stationary_fall;
    } else {
        collision->frames_stationary_fall = 3;
        const acp_sphere *low = &move->path.global_spheres[0];
        acp_plane floor_plane;
        floor_plane.normal = (acp_vec3){0.0f, 0.0f, 1.0f};
        floor_plane.d = acp_f32((double)low->radius - (((double)low->center.y + (double)low->center.x) * 0.0 + (double)low->center.z));
        acp_collision_info_set_contact(collision, floor_plane, false, move->path.check_position.cell_id);
        if (!(move->info.state & ACP_OI_CONTACT)) {
            acp_collision_info_set_collision_normal(collision, floor_plane.normal);
            collision->is_collided_with_environment = true;
        }
    }
}

acp_transition_state acp_transition_validate(acp_transition *move, acp_transition_state state) {
    acp_sphere_path *path = &move->path;
    acp_collision_info *collision = &move->collision;
    bool has_moved = false;
    if (state == ACP_TRANSITION_OK) {
        has_moved = path->check_position.cell_id != path->current_position.cell_id ||
                    !acp_matrix_frame_is_equal(&path->check_position.frame, &path->current_position.frame);
        acp_sphere_path_adopt_check(path);
    } else if (state != ACP_TRANSITION_INVALID) {
        has_moved = go_back(move);
        acp_transition_note_blocked(move);
        state = ACP_TRANSITION_OK;
    }
    acp_transition_note_step(move, has_moved);
    if (collision->is_collision_normal_valid) acp_collision_info_set_sliding_normal(collision, collision->collision_normal);
    if (!(move->info.state & ACP_OI_IS_VIEWER) && (move->info.physics_state & ACP_STATE_GRAVITY)) count_stationary(move, has_moved);

    collision->last_known.is_valid = collision->contact.is_valid;
    move->info.state &= ~(uint32_t)(ACP_OI_CONTACT | ACP_OI_ON_WALKABLE);
    if (collision->contact.is_valid) {
        collision->last_known = collision->contact;
        move->info.state |= ACP_OI_CONTACT;
        if (acp_is_valid_walkable(collision->contact.plane.normal)) move->info.state |= ACP_OI_ON_WALKABLE;
    }
    return state;
}

acp_transition_state acp_transition_validate_placement_try(acp_transition *move, acp_transition_state state) {
    if (!acp_cell_exists(move->path.check_cell)) return ACP_TRANSITION_COLLIDED;
    if (state == ACP_TRANSITION_OK) {
        adopt_check(move);
    } else if (state != ACP_TRANSITION_INVALID) {
        acp_transition_note_blocked(move);
        if (move->path.can_placement_slide) acp_collision_info_init(&move->collision);
    }
    return state;
}

acp_transition_state acp_transition_validate_placement(acp_transition *move, acp_transition_state state, bool can_adjust) {
    if (!acp_cell_exists(move->path.check_cell)) return ACP_TRANSITION_COLLIDED;
    if (state == ACP_TRANSITION_OK)
        adopt_check(move);
    else if (can_adjust && (state == ACP_TRANSITION_ADJUSTED || state == ACP_TRANSITION_SLID))
        return acp_transition_validate_placement(move, acp_transition_placement_insert(move), false);
    return state;
}
