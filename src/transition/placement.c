/* SPDX-License-Identifier: MIT */
/* The placement driver: standing somewhere at rest (spec 06 TRN-66).
 *
 * First the environment alone may push the mover (initial placement), then the spot is tried among objects, then, if sliding is allowed,
 * spots on rings around it, and finally the mover settles onto ground within its step-down height; finding none is no failure.
 * Quirks kept: rings are spaced by 3.1416 rather than pi; the insert type that the settling restores is the shared slot, so a successful
 * acceptance test leaves it at "transition"; a refused try clears the collision info only when sliding is allowed.
 * Limits: a radius of 4 m or more has no rings. 1338 spots with a radius of 0.1 m, more with less; the context's limit of sub-steps is
 * that of spots too.
 * Cost: one insert per spot. retail: CTransition::find_placement_position 0x0050C170, CTransition::find_placement_pos 0x0050BA50 */
#include <math.h>

#include "math/vec3.h"
#include "transition/adopt.h"
#include "transition/insert.h"
#include "transition/offset.h"
#include "transition/step.h"
#include "transition/sweep.h"
#include "transition/trace.h"

bool acp_placement_plan_rings(float radius, acp_placement_rings *out_rings) {
    double r = (double)radius, reach = 4.0;
    bool is_small = r < 0.125;
    if (is_small)
        reach = 2.0;
    else if (r < (double)ACP_PLACEMENT_RADIUS)
        r = (double)ACP_PLACEMENT_RADIUS;
    double rings = 4.0 / r;
    if (is_small) rings *= 0.5;
    if (!(rings > 1.0)) return false;
    rings = ceil(rings);
    out_rings->radius = acp_f32(r);
    out_rings->distance_step = acp_f32(reach / rings);
    out_rings->angle_step = acp_f32((double)out_rings->distance_step / r * (double)ACP_PLACEMENT_PI);
    out_rings->count = acp_step_count(rings);
    return true;
}

static bool try_spot(acp_transition *move, uint32_t ring) {
    acp_transition_state state = acp_transition_validate_placement_try(move, acp_transition_insert(move, 3));
    acp_transition_note(move, ACP_TRACE_MOVE_SPOT, state, ring, move->path.global_offset, 0.0f);
    return state == ACP_TRANSITION_OK;
}

/* TRN-66 find_placement_pos: the spot itself, then the rings. */
static bool find_spot(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    acp_sphere_path_set_check(path, &path->current_position, path->current_cell);
    move->collision.is_sliding_normal_valid = false;
    acp_collision_info_clear_contact(&move->collision);
    path->global_offset = (acp_vec3){0.0f, 0.0f, 0.0f};
    if (try_spot(move, 0)) return true;
    acp_placement_rings rings;
    if (!path->can_placement_slide || !acp_placement_plan_rings(path->local_spheres[0].radius, &rings)) return false;
    float distance = 0.0f, angle = 0.0f;
    uint32_t tried = 0;
    for (uint32_t ring = 0; ring < rings.count; ++ring) {
        distance = acp_f32((double)distance + (double)rings.distance_step);
        angle = acp_f32((double)angle + (double)rings.angle_step);
        uint32_t spots = 2u * acp_step_count(ceil((double)angle));
        float degrees = acp_f32(360.0 / (double)spots);
        acp_matrix_frame heading = acp_matrix_frame_identity();
        for (uint32_t j = 0; j < spots; ++j) {
            if (++tried > move->context->max_sub_steps) { /* DIV-45: a radius next to nothing has more spots than one can wait for */
                move->is_too_long = true;
                move->planned_steps = tried;
                return false;
            }
            acp_sphere_path_set_check(path, &path->current_position, path->current_cell);
            acp_matrix_frame_set_heading(&heading, acp_f32((double)j * (double)degrees));
            acp_vec3 offset = acp_vec3_scale(acp_matrix_frame_vector_heading(&heading), (double)distance);
            offset = acp_transition_adjust_offset(move, offset);
            path->global_offset = offset;
            if (acp_vec3_dot_zyx(offset, offset) < ACP_EPSILON_F64 * ACP_EPSILON_F64) continue;
            acp_sphere_path_add_offset(path, offset);
            move->collision.is_sliding_normal_valid = false;
            acp_collision_info_clear_contact(&move->collision);
            if (try_spot(move, ring + 1u)) return true;
        }
    }
    return false;
}

/* Onto ground below, if there is any. */
static void settle_down(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    float height = move->info.step_down_height;
    path->walkable_allowance = ACP_LANDING_Z;
    acp_sphere_path_save_check(path);
    path->backup_insert_type = path->insert_type;
    path->insert_type = ACP_INSERT_TRANSITION;
    if (!acp_transition_settle(move, height, ACP_LANDING_Z, &height)) {
        acp_sphere_path_restore_check(path);
        acp_collision_info_clear_contact(&move->collision);
    }
    path->insert_type = path->backup_insert_type; /* quirk: overwritten by a successful acceptance test */
    acp_walkable_clear(&path->walkable);
}

bool acp_transition_find_placement_position(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    acp_sphere_path_set_check(path, &path->current_position, path->current_cell);
    path->insert_type = ACP_INSERT_INITIAL_PLACEMENT;
    if (acp_transition_validate_placement(move, acp_transition_placement_insert(move), true) != ACP_TRANSITION_OK) return false;
    path->insert_type = ACP_INSERT_PLACEMENT;
    if (!find_spot(move)) return false;
    if (move->info.can_step_down) settle_down(move);
    return acp_transition_validate_placement(move, ACP_TRANSITION_OK, true) == ACP_TRANSITION_OK;
}

bool acp_transition_check_position(acp_transition *move, acp_cell cell, acp_matrix_position *position, bool can_slide) {
    acp_sphere_path *path = &move->path;
    acp_matrix_position wanted = *position;
    acp_sphere_path_set_ends(path, cell, NULL, &wanted);
    if (!can_slide) path->can_placement_slide = false;
    if (!acp_transition_find_valid_position(move)) return false;
    if (can_slide) return true;
    acp_vec3 found = path->current_position.frame.origin;
    if (!((double)found.x - (double)position->frame.origin.x < (double)ACP_PLACEMENT_SLACK)) return false; /* signed: PHO-19 */
    if (!((double)found.y - (double)position->frame.origin.y < (double)ACP_PLACEMENT_SLACK)) return false;
    if (path->current_position.cell_id != cell.cell_id) return false;
    position->frame.origin = found;
    return true;
}
