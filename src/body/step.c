/* SPDX-License-Identifier: MIT */
/* Stepping one body: the gate, the quanta, the proposed move and what becomes of it (spec 07 PHO-7..PHO-9, PHO-14; D9, D13).
 *
 * An update brings a body from its own update time to now, in quanta of 0.2 s and a remainder; what is too short waits, what is longer than
 * two seconds is forgotten. Each quantum proposes a frame: root motion and managers (the locomotion table), then velocity and spin. A frame
 * that goes nowhere is adopted without its translation, one that goes somewhere is swept, and the outcome committed; a refused sweep keeps
 * the rotation. A body without setup spheres never translates.
 *
 * Contract: world thread for begin and finish; the sweep reads the world and writes its own context, so sweeps of bodies that cannot touch
 * the same cells may run at once. What fails for want of memory or for length leaves the body where it was and is told.
 * Rounding: the gate's times are binary64, quanta are stored (PHO-7); cached velocity 07 PHO-8.
 * Cost: a body that goes nowhere some hundred multiplications, else one transition and one commit. */
#include "body/step.h"

#include <string.h>

#include "asset/setup.h"
#include "body/anchors.h"
#include "body/commit.h"
#include "body/ethereal.h"
#include "body/integrate.h"
#include "math/finite.h"
#include "math/vec3.h"
#include "transition/mover.h"
#include "transition/sweep.h"

#define MIN_QUANTUM   (1.0 / 30.0)
#define MAX_QUANTUM   0.2
#define HUGE_QUANTUM  2.0
#define ACTIVE_RADIUS 96.0

void acp_body_set_frame(acp_world *world, uint32_t index, const acp_matrix_frame *frame) {
    acp_matrix_frame adopted = *frame;
    if (acp_matrix_frame_is_valid_except_for_heading(&adopted)) adopted.rotation = (acp_quaternion){0.0f, 0.0f, 0.0f, 0.0f};
    acp_object_set_frame(world, index, &adopted);
}

/* ---- the proposed move ---- */

/* PHO-9. retail: CPhysicsObj::UpdatePositionInternal 0x00512C30 */
static acp_matrix_frame propose(acp_world *world, acp_body_step *step, acp_object_row *row, acp_body_row *body) {
    const acp_locomotion *locomotion = acp_body_locomotion(world);
    bool is_hidden = (row->state & ACP_STATE_HIDDEN) != 0;
    static const acp_frame nothing = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    acp_frame off = nothing;
    if (locomotion) {
        acp_object object = acp_world_handle(world, step->index);
        if (!is_hidden) {
            if (row->setup && locomotion->root_motion) locomotion->root_motion(locomotion->user, world, object, step->quantum, &off);
            double scale = (row->transient_state & ACP_TRANSIENT_ON_WALKABLE) ? (double)row->scale : 0.0;
            off.origin = acp_vec3_scale(off.origin, scale);
        }
        if (locomotion->adjust_offset) locomotion->adjust_offset(locomotion->user, world, object, step->quantum, &off);
    }
    if (!acp_is_finite_vec3(&off.origin) || !acp_is_finite_quaternion(&off.rotation)) off = nothing; /* DIV-94 */
    acp_matrix_frame offset = acp_matrix_frame_from_public(&off), frame;
    acp_matrix_frame_combine(&frame, &row->position.frame, &offset);
    if (!is_hidden) acp_body_integrate(row, body, step->quantum, &frame);
    return frame;
}

/* Adopts the rotation alone. */
static void stay(acp_world *world, acp_body_step *step, const acp_object_row *row, acp_body_row *body) {
    step->wish.frame.origin = row->position.frame.origin;
    acp_body_set_frame(world, step->index, &step->wish.frame);
    body->cached_velocity = (acp_vec3){0.0f, 0.0f, 0.0f};
}

static void look_where_it_goes(acp_body_step *step, const acp_object_row *row) {
    if (row->state & ACP_STATE_ALIGN_PATH) {
        acp_vec3 way = acp_vec3_subtract(step->wish.frame.origin, row->position.frame.origin);
        acp_matrix_frame_set_vector_heading(&step->wish.frame, acp_vec3_normalize(way));
    } else if ((row->state & ACP_STATE_SLEDDING) && !acp_vec3_is_zero(step->velocity)) {
        acp_matrix_frame_set_heading(&step->wish.frame, acp_f32(acp_vec3_heading(step->velocity)));
    }
}

static bool is_still(acp_vec3 v) {
    static const acp_vec3 zero = {0.0f, 0.0f, 0.0f};
    return memcmp(&v, &zero, sizeof v) == 0;
}

/* Nothing moves it and nobody has to be asked: what a step does depends on its frame alone. */
static bool is_driven_by_nothing(const acp_world *world, const acp_object_row *row, const acp_body_row *body) {
    return is_still(body->velocity) && is_still(body->acceleration) && is_still(body->omega) && is_still(body->cached_velocity) &&
           !acp_body_locomotion(world) && !(row->transient_state & ACP_TRANSIENT_CHECK_ETHEREAL);
}

static bool is_at_rest(const acp_world *world, const acp_object_row *row, const acp_body_row *body) {
    return body->is_rest_proved && is_driven_by_nothing(world, row, body) &&
           memcmp(&body->rest_frame, &row->position.frame, sizeof body->rest_frame) == 0;
}

void acp_body_step_begin(acp_world *world, acp_transition_context *context, uint32_t index, float quantum, acp_body_step *out_step) {
    acp_object_row *row = acp_world_row(world, index);
    acp_body_row *body = acp_body_of(world, index);
    out_step->index = index;
    out_step->quantum = quantum;
    out_step->is_active = out_step->is_resting = out_step->needs_sweep = false;
    out_step->transition = NULL;
    out_step->result = body ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
    if (!body || !(row->transient_state & ACP_TRANSIENT_ACTIVE) || row->holder_cell_id == 0) return;
    if (is_at_rest(world, row, body)) {
        out_step->is_resting = true;
        return;
    }
    if (row->transient_state & ACP_TRANSIENT_CHECK_ETHEREAL) acp_body_become_ethereal(context, world, index, false);
    out_step->is_active = true;
    body->has_jumped_this_frame = false;
    out_step->wish.cell_id = row->position.cell_id;
    acp_vec3 velocity = body->velocity;
    out_step->wish.frame = propose(world, out_step, row, body);
    out_step->velocity = body->velocity;
    body->velocity = velocity;
    if (!row->setup || row->setup->sphere_count == 0) {
        if (!body->has_movement_manager && (row->transient_state & ACP_TRANSIENT_ON_WALKABLE))
            row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
    } else if (!acp_vec3_is_equal(out_step->wish.frame.origin, row->position.frame.origin)) {
        look_where_it_goes(out_step, row);
        out_step->needs_sweep = true;
    }
}

/* ---- the sweep ---- */

void acp_body_step_sweep(const acp_world *world, acp_transition_context *context, acp_body_step *step) {
    if (!step->needs_sweep) return;
    acp_mover mover;
    step->result = acp_body_mover(world, step->index, &mover);
    if (step->result != ACP_OK) return;
    mover.velocity = step->velocity;
    acp_transition *move = acp_transition_acquire(context, world);
    if (!move) return; /* ten nested: no move (PHO-14) */
    const acp_object_row *row = acp_world_row(world, step->index);
    acp_transition_seed(move, &mover, row);
    acp_sphere_path_set_ends(&move->path, acp_world_cell(world, row->holder_cell_id), &row->position, &step->wish);
    bool is_found = acp_transition_find_valid_position(move);
    if (move->is_out_of_memory)
        step->result = ACP_ERROR_OUT_OF_MEMORY;
    else if (move->is_too_long)
        step->result = ACP_ERROR_LIMIT;
    if (is_found && step->result == ACP_OK)
        step->transition = move;
    else
        acp_transition_release(context);
}

/* ---- what becomes of it ---- */

static acp_vec3 velocity_over(acp_vec3 way, float quantum) {
    double inverse = 1.0 / (double)quantum, stored = acp_stored(inverse);
    return acp_vec3_make((double)way.x * inverse, (double)way.y * stored, (double)way.z * stored);
}

/* A step that went nowhere and changed nothing, driven by nothing, never will: so the next ones need not be made. */
static void prove_rest(const acp_world *world, const acp_object_row *row, acp_body_row *body, const acp_matrix_frame *before) {
    body->is_rest_proved = is_driven_by_nothing(world, row, body) && memcmp(before, &row->position.frame, sizeof *before) == 0;
    if (body->is_rest_proved) body->rest_frame = *before;
}

acp_result acp_body_step_finish(acp_world *world, acp_transition_context *context, acp_body_step *step) {
    acp_object_row *row = acp_world_row(world, step->index);
    acp_body_row *body = acp_body_find(world, step->index);
    if (!body || !step->is_active) return step->result;
    bool was_still = is_still(body->velocity);
    body->velocity = step->velocity;
    if (step->transition) {
        acp_transition *move = step->transition;
        body->cached_velocity = velocity_over(acp_matrix_position_offset(&row->position, &move->path.current_position), step->quantum);
        acp_result result = acp_body_commit(world, step->index, move);
        acp_transition_release(context);
        step->transition = NULL;
        if (result != ACP_OK) step->result = result;
    } else {
        acp_matrix_frame before = row->position.frame;
        stay(world, step, row, body);
        body->is_rest_proved = false;
        if (was_still && !step->needs_sweep) prove_rest(world, row, body, &before);
    }
    const acp_locomotion *locomotion = acp_body_locomotion(world);
    if (locomotion && locomotion->use_time)
        locomotion->use_time(locomotion->user, world, context, acp_world_handle(world, step->index), body->clock);
    return step->result;
}

acp_result acp_body_step_run(acp_world *world, acp_transition_context *context, uint32_t index, float quantum) {
    acp_body_step step;
    acp_body_step_begin(world, context, index, quantum, &step);
    acp_body_step_sweep(world, context, &step);
    return acp_body_step_finish(world, context, &step);
}

/* ---- the gate and the quanta ---- */

/* Found too far from these very anchors at this very place: the answer, offset and distance with it, is the one it has. */
static bool is_still_culled(const acp_body_column *column, const acp_object_row *row, const acp_body_row *body) {
    return body->culled_revision == column->anchor_revision && body->culled_cell_id == row->position.cell_id &&
           memcmp(&body->culled_origin, &row->position.frame.origin, sizeof body->culled_origin) == 0;
}

/* The nearest anchor decides; without one the ACTIVE bit stays as it is. */
static void watch_anchors(const acp_body_column *column, acp_object_row *row, acp_body_row *body) {
    if (is_still_culled(column, row, body)) {
        row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
        return;
    }
    double nearest = acp_body_nearest_anchor(column->anchors, column->anchor_count, &row->position, &body->anchor_offset);
    body->anchor_distance = acp_f32(nearest);
    body->culled_revision = 0;
    if (nearest > ACTIVE_RADIUS && column->is_culling) {
        row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
        body->culled_revision = column->anchor_revision;
        body->culled_cell_id = row->position.cell_id;
        body->culled_origin = row->position.frame.origin;
    } else {
        acp_body_activate(row, body);
    }
}

bool acp_body_update_watch(const acp_body_column *column, acp_object_row *row, acp_body_row *body, double now) {
    if (row->parent != ACP_OBJECT_NONE || row->holder_cell_id == 0 || (row->state & ACP_STATE_FROZEN)) {
        row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
        return false;
    }
    body->clock = now;
    if (column->anchor_count > 0) watch_anchors(column, row, body);
    return true;
}

bool acp_body_update_start(acp_body_row *body, double now, acp_body_update *out_update) {
    double dt = now - body->update_time;
    if (!(dt > ACP_EPSILON_F64) || dt > HUGE_QUANTUM) {
        body->update_time = now;
        return false;
    }
    out_update->body = body;
    out_update->left = dt;
    out_update->simulated = body->update_time;
    out_update->is_short = !(dt > MAX_QUANTUM);
    return true;
}

bool acp_body_update_begin(acp_world *world, uint32_t index, double now, acp_body_update *out_update) {
    acp_body_row *body = acp_body_find(world, index);
    const acp_body_column *column = acp_body_column_of(world);
    if (!body || !column) return false;
    return acp_body_update_watch(column, acp_world_row(world, index), body, now) && acp_body_update_start(body, now, out_update);
}

float acp_body_update_next(acp_body_update *update) {
    double quantum = 0.0;
    if (update->left > MAX_QUANTUM) {
        quantum = MAX_QUANTUM;
        update->left -= MAX_QUANTUM;
    } else if (update->is_short ? update->left > 0.0 : update->left > MIN_QUANTUM) {
        quantum = update->left;
        update->left = 0.0;
    }
    update->simulated += quantum;
    update->body->clock = update->simulated;
    if (quantum == 0.0) update->body->update_time = update->simulated;
    return acp_f32(quantum);
}

acp_result acp_body_update_run(acp_world *world, acp_transition_context *context, uint32_t index, double now) {
    acp_body_update update;
    acp_result result = ACP_OK;
    if (!acp_body_update_begin(world, index, now, &update)) return ACP_OK;
    for (float quantum; (quantum = acp_body_update_next(&update)) > 0.0f;) {
        acp_result stepped = acp_body_step_run(world, context, index, quantum);
        if (result == ACP_OK) result = stepped;
    }
    return result;
}
