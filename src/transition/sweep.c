/* SPDX-License-Identifier: MIT */
/* The sweep driver: from begin to end in sub-steps (spec 06 TRN-65, TRN-67).
 *
 * Each sub-step bends its offset, turns the mover by its share of the rotation, clears what the last step touched, moves the candidate,
 * inserts it and adopts or goes back. The sweep ends early when nothing is left of the offset (a failure only on the first sub-step),
 * when the stationary counter is up, or when a path-clipped mover has hit something.
 * Limits: the number of sub-steps is displacement / radius, bounded by the context's option (retail has no bound). Zero displacement turns
 * the mover, builds its cells and succeeds: the idle step (MEM-44).
 * Cost: one insert per sub-step.
 * retail: CTransition::find_transitional_position 0x0050BDF0 */
#include "transition/sweep.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "transition/adopt.h"
#include "transition/insert.h"
#include "transition/offset.h"
#include "transition/trace.h"

static void turn_to(acp_matrix_frame *frame, acp_quaternion q) { acp_matrix_frame_set_rotate(frame, q.w, q.x, q.y, q.z); }

/* The rotation of a sub-step. Begin and end turned alike, the blend is that quaternion at every fraction (a binary32 number times weights
 * that add up to one but for 2^-52; zeros of both signs add up to 0), so what the first sub-step made of it serves for all. */
typedef struct acp_turn {
    acp_quaternion rotation;
    float m[9];
    bool is_steady;
    bool is_known;
} acp_turn;

static acp_turn begin_turn(const acp_matrix_frame *a, const acp_matrix_frame *b) {
    acp_turn turn = {0};
    acp_quaternion p = a->rotation, q = b->rotation;
    double norm = (((double)p.w * (double)p.w + (double)p.x * (double)p.x) + (double)p.y * (double)p.y) + (double)p.z * (double)p.z;
    turn.is_steady = p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z && fabs(norm - 1.0) < 1.0e-5;
    return turn;
}

static float half_sum(float a, float b) { return acp_f32(((double)a + (double)b) * 0.5); }

static void turn_step(acp_turn *turn, acp_matrix_frame *frame, acp_sphere_path *path, float fraction) {
    path->localspace_key.has_place = false;
    if (turn->is_known) {
        frame->rotation = turn->rotation;
        memcpy(frame->m, turn->m, sizeof turn->m);
        return;
    }
    if (!turn->is_steady) {
        acp_matrix_frame_interpolate_rotation(frame, &path->begin_position->frame, &path->end_position->frame, fraction);
        return;
    }
    acp_quaternion p = path->begin_position->frame.rotation, q = path->end_position->frame.rotation;
    turn_to(frame, (acp_quaternion){half_sum(p.w, q.w), half_sum(p.x, q.x), half_sum(p.y, q.y), half_sum(p.z, q.z)});
    turn->rotation = frame->rotation;
    memcpy(turn->m, frame->m, sizeof turn->m);
    turn->is_known = true;
}

static bool rest(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    if (!(move->info.state & ACP_OI_FREE_ROTATE)) turn_to(&path->current_position.frame, path->end_position->frame.rotation);
    acp_sphere_path_set_check(path, &path->current_position, path->current_cell);
    acp_transition_build_cells(move);
    return true;
}

bool acp_transition_find_transitional_position(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    if (!acp_cell_exists(path->begin_cell)) return false;
    bool is_viewer = (move->info.state & ACP_OI_IS_VIEWER) != 0;
    bool is_free = (move->info.state & ACP_OI_FREE_ROTATE) != 0;
    acp_step_plan plan = acp_transition_plan_steps(move);
    if (is_free) turn_to(&path->current_position.frame, path->end_position->frame.rotation);
    acp_sphere_path_set_check(path, &path->current_position, path->current_cell);
    if (plan.count == 0) return rest(move);
    move->planned_steps = plan.count;
    move->is_too_long = plan.count > move->context->max_sub_steps; /* DIV-45 */
    if (move->is_too_long) return false;
    acp_transition_note(move, ACP_TRACE_MOVE_BEGIN, ACP_TRANSITION_OK, plan.count, plan.offset, acp_f32(plan.length));

    acp_turn turn = begin_turn(&path->begin_position->frame, &path->end_position->frame);
    acp_transition_state state = ACP_TRANSITION_OK;
    for (uint32_t i = 0; i < plan.count; ++i) {
        if (is_viewer && i == plan.count - 1u && plan.length > ACP_EPSILON_F64) {
            double done = (double)path->local_spheres[0].radius * (double)(plan.count - 1u);
            plan.per_step = acp_vec3_scale(plan.offset, (plan.length - done) / plan.length);
        }
        path->global_offset = acp_transition_adjust_offset(move, plan.per_step);
        acp_vec3 offset = path->global_offset;
        acp_transition_note(move, ACP_TRACE_MOVE_OFFSET, state, i, offset, 0.0f);
        if (!is_viewer && acp_vec3_dot_zyx(offset, offset) < ACP_EPSILON_F64 * ACP_EPSILON_F64) return i != 0 && state == ACP_TRANSITION_OK;
        if (!is_free) turn_step(&turn, &path->check_position.frame, path, acp_f32((double)(i + 1u) / (double)plan.count));
        move->collision.is_sliding_normal_valid = false;
        acp_collision_info_clear_contact(&move->collision);
        acp_sphere_path_add_offset(path, offset);
        move->hit.kind = ACP_HIT_NONE;
        state = acp_transition_validate(move, acp_transition_insert(move, 3));
        ++move->taken_steps;
        if (move->collision.frames_stationary_fall != 0) break;
        if (move->collision.is_collision_normal_valid && (move->info.state & ACP_OI_PATH_CLIPPED)) break;
    }
    return state == ACP_TRANSITION_OK;
}

bool acp_transition_find_valid_position(acp_transition *move) {
    return move->path.insert_type != ACP_INSERT_TRANSITION ? acp_transition_find_placement_position(move)
                                                           : acp_transition_find_transitional_position(move);
}
