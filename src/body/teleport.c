/* SPDX-License-Identifier: MIT */
/* Places from a server: stamps, moving or teleporting, the host's own teleport, forced positions (spec 07 PHO-22, PHO-24; 01 section 16).
 *
 * A teleport is one placement: cell and frame are adopted together, and nothing is derived from where the body was. A destination that is
 * not resident is accepted: the body is lost there until its landblock comes (D26). Whoever drives the body is told through the locomotion
 * table and idles it; velocity and spin are zeroed here, so that no run goes on after the arrival (PHO-24, what the client's command
 * interpreter does by re-sending). Forced positions keep heading, velocity and drive.
 *
 * Contract: world thread. Stamps are 16-bit and wrap. Cost: one placement. */
#include "base/error.h"
#include "body/collide.h"
#include "body/door.h"
#include "body/place.h"

#define NEAR_DISTANCE 96.0f

int32_t acp_stamp_is_newer(uint16_t a, uint16_t b) {
    int32_t difference = (int32_t)a - (int32_t)b;
    if (difference < 0) difference = -difference;
    return difference > 0x7FFF ? b < a : a < b;
}

static acp_result open_with_place(acp_world *world, acp_transition_context *context, acp_object object, const acp_position *position,
                                  const char *operation, acp_body_door *out_door, acp_error *error) {
    if (!context || !position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument");
    acp_result result = acp_body_check_frame(&position->frame);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "the position is not finite, or no place of a map");
    result = acp_body_door_open(world, object, out_door);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    if (out_door->row->parent != ACP_OBJECT_NONE)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a child is where its parent is");
    acp_body_forget_moves(context);
    return ACP_OK;
}

/* SetPositionSimple, sliding. */
static acp_result set_simply(acp_world *world, acp_transition_context *context, uint32_t index, const acp_matrix_position *place,
                             uint32_t *out_answer) {
    acp_placement placement = {0};
    placement.struct_size = (uint32_t)sizeof placement;
    placement.flags = 0x1002u | ACP_PLACE_SLIDE;
    return acp_body_set_position(world, context, index, place, &placement, out_answer);
}

/* retail: CPhysicsObj::teleport_hook 0x00514ED0 */
static void tell_teleported(acp_world *world, acp_object object, uint32_t index) {
    const acp_locomotion *locomotion = acp_body_locomotion(world);
    if (locomotion && locomotion->teleported) locomotion->teleported(locomotion->user, world, object);
    acp_body_end_touches(world, index, true);
}

acp_result acp_body_move_or_teleport(acp_world *world, acp_transition_context *context, acp_object object, const acp_position *position,
                                     uint16_t teleport_stamp, int32_t has_contact, uint32_t *out_outcome, acp_error *error) {
    static const char operation[] = "move or teleport";
    acp_body_door door;
    if (!out_outcome) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no place for the outcome");
    acp_result result = open_with_place(world, context, object, position, operation, &door, error);
    if (result != ACP_OK) return result;
    acp_matrix_position place = acp_matrix_position_from_public(position);
    const acp_locomotion *locomotion = acp_body_locomotion(world);
    uint32_t answer = ACP_PLACED; /* the client ignores it */
    *out_outcome = ACP_MOVE_IGNORED;
    if (acp_stamp_is_newer(teleport_stamp, door.body->teleport_stamp)) return ACP_OK;
    bool is_newer = acp_stamp_is_newer(door.body->teleport_stamp, teleport_stamp) != 0;
    if (is_newer || door.row->holder_cell_id == 0) {
        if (is_newer) door.body->teleport_stamp = teleport_stamp;
        *out_outcome = ACP_MOVE_TELEPORTED;
        tell_teleported(world, object, door.index);
        result = set_simply(world, context, door.index, &place, &answer);
    } else if (!has_contact) {
        return ACP_OK;
    } else if (door.body->anchor_distance >= NEAR_DISTANCE || !locomotion || !locomotion->interpolate) {
        *out_outcome = ACP_MOVE_PLACED;
        if (locomotion && locomotion->stop_interpolating) locomotion->stop_interpolating(locomotion->user, world, object);
        result = set_simply(world, context, door.index, &place, &answer);
    } else {
        *out_outcome = ACP_MOVE_INTERPOLATING;
        locomotion->interpolate(locomotion->user, world, object, position);
    }
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    return ACP_OK;
}

acp_result acp_body_teleport(acp_world *world, acp_transition_context *context, acp_object object, const acp_position *position,
                             uint32_t *out_answer, acp_error *error) {
    static const char operation[] = "teleport";
    acp_body_door door;
    if (!out_answer) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no place for the answer");
    acp_result result = open_with_place(world, context, object, position, operation, &door, error);
    if (result != ACP_OK) return result;
    acp_matrix_position place = acp_matrix_position_from_public(position);
    result = set_simply(world, context, door.index, &place, out_answer);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    tell_teleported(world, object, door.index);
    acp_body_row_set_velocity(door.row, door.body, (acp_vec3){0.0f, 0.0f, 0.0f});
    door.body->omega = (acp_vec3){0.0f, 0.0f, 0.0f};
    return ACP_OK;
}

acp_result acp_body_force_position(acp_world *world, acp_transition_context *context, acp_object object, const acp_position *position,
                                   uint32_t *out_answer, double *out_distance, acp_error *error) {
    static const char operation[] = "force position";
    acp_body_door door;
    if (!out_answer) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no place for the answer");
    acp_result result = open_with_place(world, context, object, position, operation, &door, error);
    if (result != ACP_OK) return result;
    acp_matrix_position place = acp_matrix_position_from_public(position), before = door.row->position;
    acp_matrix_frame_set_heading(&place.frame, acp_f32(acp_matrix_frame_heading(&before.frame)));
    result = set_simply(world, context, door.index, &place, out_answer);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    if (out_distance) *out_distance = acp_matrix_position_distance(&before, &place);
    return ACP_OK;
}
