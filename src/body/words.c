/* SPDX-License-Identifier: MIT */
/* What a host says to a body and asks of it: velocities, words, sizes, facts (spec 07 PHO-5, PHO-13, PHO-25; 07b MOT-9).
 *
 * Every setter checks its numbers and the handle and then does what the client's setter does, quirks included: small changes of velocity
 * are ignored but wake the body, friction outside 0..1 is ignored, the state word is stored whole before HIDDEN has its consequences.
 * Contract: world thread for changes, read access for facts. Cost: constant, but for children and partners of HIDDEN. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "body/collide.h"
#include "body/door.h"
#include "body/ethereal.h"
#include "body/step.h"
#include "math/finite.h"

#define MAX_SCALE      1000.0f
#define MAX_ELASTICITY 0x1.99999ap-4f /* 0.100000001 */

float acp_body_clamp_elasticity(float elasticity) {
    return elasticity < 0.0f ? 0.0f : elasticity > MAX_ELASTICITY ? MAX_ELASTICITY : elasticity;
}

/* ---- motion ---- */

static acp_result open_with_vector(acp_world *world, acp_object object, const acp_vec3 *v, acp_body_door *out_door) {
    if (!acp_is_finite_vec3(v)) return ACP_ERROR_NOT_FINITE;
    return acp_body_door_open(world, object, out_door);
}

acp_result acp_body_set_velocity(acp_world *world, acp_object object, acp_vec3 velocity) {
    acp_body_door door;
    acp_result result = open_with_vector(world, object, &velocity, &door);
    if (result == ACP_OK) acp_body_row_set_velocity(door.row, door.body, velocity);
    return result;
}

/* The velocity in the landblock's axes; NOT_FINITE when turning makes it so. */
static acp_result open_with_local_velocity(acp_world *world, acp_object object, acp_vec3 *io_velocity, acp_body_door *out_door) {
    acp_result result = open_with_vector(world, object, io_velocity, out_door);
    if (result != ACP_OK) return result;
    *io_velocity = acp_body_row_velocity_from_local(out_door->row, *io_velocity);
    return acp_is_finite_vec3(io_velocity) ? ACP_OK : ACP_ERROR_NOT_FINITE;
}

acp_result acp_body_set_local_velocity(acp_world *world, acp_object object, acp_vec3 velocity) {
    acp_body_door door;
    acp_result result = open_with_local_velocity(world, object, &velocity, &door);
    if (result == ACP_OK) acp_body_row_set_velocity(door.row, door.body, velocity);
    return result;
}

acp_result acp_body_set_omega(acp_world *world, acp_object object, acp_vec3 omega) {
    acp_body_door door;
    acp_result result = open_with_vector(world, object, &omega, &door);
    if (result == ACP_OK) door.body->omega = omega;
    return result;
}

acp_result acp_body_jump(acp_world *world, acp_object object, acp_vec3 local_velocity) {
    acp_body_door door;
    acp_vec3 velocity = local_velocity;
    acp_result result = open_with_local_velocity(world, object, &velocity, &door);
    if (result != ACP_OK) return result;
    acp_body_set_on_walkable(world, door.index, door.body, false);
    velocity = acp_body_row_velocity_from_local(door.row, local_velocity); /* the hook may have turned it */
    if (!acp_is_finite_vec3(&velocity)) return ACP_ERROR_NOT_FINITE;
    acp_body_row_set_velocity(door.row, door.body, velocity);
    return ACP_OK;
}

acp_result acp_body_set_movement_manager(acp_world *world, acp_object object, int32_t has_movement_manager) {
    acp_body_door door;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return result;
    if (has_movement_manager && !door.body->has_movement_manager) acp_body_activate(door.row, door.body);
    door.body->has_movement_manager = has_movement_manager != 0;
    return ACP_OK;
}

acp_result acp_body_set_active(acp_world *world, acp_object object, int32_t is_active) {
    acp_body_door door;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return result;
    if (is_active)
        acp_body_activate(door.row, door.body);
    else
        door.row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
    return ACP_OK;
}

acp_result acp_body_set_heading(acp_world *world, acp_object object, float degrees) {
    acp_body_door door;
    if (!isfinite(degrees)) return ACP_ERROR_NOT_FINITE;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return result;
    acp_matrix_frame frame = door.row->position.frame;
    acp_matrix_frame_set_heading(&frame, degrees);
    acp_body_set_frame(world, door.index, &frame);
    return ACP_OK;
}

/* ---- matter ---- */

acp_result acp_body_set_friction(acp_world *world, acp_object object, float friction) {
    acp_body_door door;
    if (!isfinite(friction)) return ACP_ERROR_NOT_FINITE;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result == ACP_OK && friction >= 0.0f && friction <= 1.0f) door.body->friction = friction;
    return result;
}

acp_result acp_body_set_elasticity(acp_world *world, acp_object object, float elasticity) {
    acp_body_door door;
    if (!isfinite(elasticity)) return ACP_ERROR_NOT_FINITE;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result == ACP_OK) door.body->elasticity = acp_body_clamp_elasticity(elasticity);
    return result;
}

acp_result acp_body_set_scale(acp_world *world, acp_object object, float scale) {
    acp_body_door door;
    if (!isfinite(scale)) return ACP_ERROR_NOT_FINITE;
    if (!(scale > 0.0f) || scale > MAX_SCALE) return ACP_ERROR_OUT_OF_RANGE;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return result;
    acp_object_set_scale(world, door.index, scale);
    door.body->is_rest_proved = false;
    return ACP_OK;
}

/* ---- words ---- */

static void set_children_drawn(acp_world *world, uint32_t index, bool is_drawn) {
    for (uint32_t c = acp_world_row(world, index)->first_child; c != ACP_OBJECT_NONE; c = acp_world_row(world, c)->next_sibling) {
        acp_object_row *child = acp_world_row(world, c);
        child->state = is_drawn ? child->state & ~(uint32_t)ACP_STATE_NODRAW : child->state | (uint32_t)ACP_STATE_NODRAW;
    }
}

/* PHO-25 set_hidden. */
static void set_hidden(acp_world *world, acp_body_door *door, bool is_hidden) {
    uint32_t hidden = ACP_STATE_HIDDEN | ACP_STATE_IGNORE_COLLISIONS;
    if (is_hidden) {
        door->row->state |= hidden;
        if (door->row->state & ACP_STATE_REPORT_COLLISIONS) {
            acp_body_end_touches(world, door->index, true);
            door->row->state &= ~(uint32_t)ACP_STATE_REPORT_COLLISIONS;
        }
    } else {
        door->row->state &= ~hidden;
        if (!(door->row->state & ACP_STATE_REPORT_COLLISIONS)) {
            door->row->state |= ACP_STATE_REPORT_COLLISIONS;
            acp_body_report_touches_again(world, door->index);
        }
    }
    set_children_drawn(world, door->index, !is_hidden);
}

acp_result acp_body_set_state(acp_world *world, acp_object object, uint32_t state) {
    acp_body_door door;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return result;
    uint32_t before = door.row->state;
    result = acp_object_set_state(world, object, state);
    if (result != ACP_OK) return result;
    door.body->is_rest_proved = false;
    if ((before ^ state) & ACP_STATE_HIDDEN) set_hidden(world, &door, (state & ACP_STATE_HIDDEN) != 0);
    return ACP_OK;
}

acp_result acp_body_set_ethereal(acp_world *world, acp_transition_context *context, acp_object object, int32_t is_ethereal,
                                 int32_t *out_is_granted, acp_error *error) {
    if (!context) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "set ethereal", "no context");
    acp_body_door door;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return acp_error_set(error, result, "set ethereal", "%s", acp_result_name(result));
    acp_body_forget_moves(context);
    bool is_granted = acp_body_become_ethereal(context, world, door.index, is_ethereal != 0);
    if (out_is_granted) *out_is_granted = is_granted;
    return ACP_OK;
}

/* ---- facts ---- */

acp_result acp_body_get_info(const acp_world *world, acp_object object, acp_body_info *out_info) {
    if (!world || !out_info) return ACP_ERROR_INVALID_ARGUMENT;
    uint32_t index;
    const acp_object_row *row = acp_world_row_of(world, object, &index);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    const acp_body_row *body = acp_body_find(world, index);
    if (!body) return ACP_ERROR_NOT_FOUND;
    memset(out_info, 0, sizeof *out_info);
    out_info->velocity = body->velocity;
    out_info->cached_velocity = body->cached_velocity;
    out_info->acceleration = body->acceleration;
    out_info->omega = body->omega;
    out_info->contact.plane = body->contact_plane;
    out_info->contact.cell_id = body->contact_plane_cell_id;
    out_info->contact.is_valid = (row->transient_state & ACP_TRANSIENT_CONTACT) != 0;
    out_info->contact.is_water = (row->transient_state & ACP_TRANSIENT_WATER_CONTACT) != 0;
    out_info->sliding_normal = body->sliding_normal;
    out_info->has_sliding_normal = (row->transient_state & ACP_TRANSIENT_SLIDING) != 0;
    out_info->friction = body->friction;
    out_info->elasticity = body->elasticity;
    out_info->anchor_distance = body->anchor_distance;
    out_info->anchor_offset = body->anchor_offset;
    out_info->touch_count = body->touch_count;
    out_info->update_time = body->update_time;
    out_info->lost_time = body->lost_time;
    out_info->is_lost = body->is_lost;
    out_info->has_movement_manager = body->has_movement_manager;
    out_info->is_colliding_with_environment = body->is_colliding_with_environment;
    return ACP_OK;
}
