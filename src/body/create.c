/* SPDX-License-Identifier: MIT */
/* Bodies come and go: construction, entering and leaving the world, parents (spec 07 PHO-3, PHO-13, PHO-20, PHO-21, PHO-27).
 *
 * Construction makes the object's row (its BSP bit computed once, PHO-3) and its body with the defaults; STATIC is set or cleared as asked
 * and ACTIVE cleared. Entering is a placement at the own position for a dynamic body; a static one is registered where it stands, as the
 * client adds statics to cells. Hanging on a parent is leaving the world first: cell and lists before the body's own affairs, so that
 * nothing has begun when memory is refused. A default animation or script on a static puts it on the list of those that are animated in
 * place (PHO-6).
 *
 * Contract: world thread; numbers are checked here. Cost: that of the placement or registration.
 * retail: CPhysicsObj::enter_world 0x00516170, CPhysicsObj::set_parent 0x00515A90, CPhysicsObj::unset_parent 0x00513470 */
#include <math.h>
#include <string.h>

#include "acphys/membership.h"
#include "asset/setup.h"
#include "base/error.h"
#include "body/collide.h"
#include "body/door.h"
#include "body/place.h"
#include "math/finite.h"
#include "math/vec3.h"

#define ANIMATED_STATE (ACP_STATE_HAS_DEFAULT_ANIMATION | ACP_STATE_HAS_DEFAULT_SCRIPT)

acp_body_definition acp_body_definition_default(void) {
    acp_body_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.struct_size = (uint32_t)sizeof definition;
    definition.object = acp_object_definition_default();
    definition.friction = ACP_BODY_FRICTION;
    definition.elasticity = ACP_BODY_ELASTICITY;
    return definition;
}

static void fill_body(acp_body_row *body, const acp_body_definition *definition, double now) {
    acp_vec3 velocity = definition->velocity;
    if (acp_vec3_length_squared(velocity) > ACP_BODY_MAX_SPEED * ACP_BODY_MAX_SPEED)
        velocity = acp_vec3_scale(acp_vec3_normalize(velocity), ACP_BODY_MAX_SPEED);
    body->velocity = velocity;
    body->omega = definition->omega;
    if (definition->friction >= 0.0f && definition->friction <= 1.0f) body->friction = definition->friction;
    body->elasticity = acp_body_clamp_elasticity(definition->elasticity);
    body->has_movement_manager = definition->has_movement_manager != 0;
    body->clock = body->update_time = now;
}

acp_result acp_body_create(acp_world *world, const acp_body_definition *definition, acp_object *out_object, acp_error *error) {
    static const char operation[] = "create body";
    if (!world || !definition || !out_object || definition->struct_size < sizeof *definition)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument or no size");
    if (!acp_is_finite_vec3(&definition->velocity) || !acp_is_finite_vec3(&definition->omega) || !isfinite(definition->friction) ||
        !isfinite(definition->elasticity))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "a number of the body is not finite");
    acp_result result = acp_body_check_frame(&definition->object.position.frame);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "the position is not finite, or no place of a map");
    acp_object_definition object = definition->object;
    object.state &= ~(uint32_t)ACP_STATE_STATIC;
    if (definition->is_static) object.state |= ACP_STATE_STATIC;
    object.transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
    acp_object made;
    result = acp_object_create(world, &object, &made, error);
    if (result != ACP_OK) return result;
    acp_body_door door;
    result = acp_body_door_open(world, made, &door);
    bool is_animated = definition->is_static && (object.state & ANIMATED_STATE);
    if (result == ACP_OK && is_animated && !acp_body_remember_static(door.column, door.index)) result = ACP_ERROR_OUT_OF_MEMORY;
    if (result != ACP_OK) {
        acp_result ignored = acp_object_destroy(world, made, NULL);
        (void)ignored;
        return acp_error_set(error, result, operation, "no memory for the body");
    }
    fill_body(door.body, definition, door.column->now);
    acp_body_calc_acceleration(door.row, door.body);
    *out_object = made;
    return ACP_OK;
}

/* ---- entering and leaving ---- */

static acp_result enter_static(acp_world *world, acp_object object, acp_body_door *door, uint32_t *out_answer, acp_error *error) {
    acp_result result = acp_membership_register(world, object, error);
    if (result != ACP_OK) return result;
    *out_answer = ACP_PLACED;
    door->body->is_in_world = door->row->holder_cell_id != 0;
    return ACP_OK;
}

acp_result acp_body_enter(acp_world *world, acp_transition_context *context, acp_object object, int32_t can_slide, uint32_t *out_answer,
                          acp_error *error) {
    static const char operation[] = "enter world";
    if (!context || !out_answer) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument");
    acp_body_door door;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    if (door.row->parent != ACP_OBJECT_NONE)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a child is where its parent is");
    if (door.row->state & ACP_STATE_STATIC) return enter_static(world, object, &door, out_answer, error);
    acp_body_forget_moves(context);
    door.body->update_time = door.body->clock;
    acp_matrix_position own = door.row->position; /* PHO-20 store_position */
    if (acp_cell_id_is_outdoor(own.cell_id)) acp_matrix_position_adjust_to_outside(&own);
    acp_placement placement = {0};
    placement.struct_size = (uint32_t)sizeof placement;
    placement.flags = can_slide ? 0x1u | ACP_PLACE_SLIDE : 0x1u;
    result = acp_body_set_position(world, context, door.index, &own, &placement, out_answer);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    if (*out_answer == ACP_PLACED) acp_body_activate(door.row, door.body);
    return ACP_OK;
}

acp_result acp_body_leave(acp_world *world, acp_object object, acp_error *error) {
    acp_body_door door;
    acp_result result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return acp_error_set(error, result, "leave world", "%s", acp_result_name(result));
    result = acp_membership_withdraw(world, object, error);
    acp_object_set_cell_id(world, door.index, 0);
    acp_body_end_activity(world, door.index, door.body);
    return result;
}

/* ---- parents ---- */

static bool has_hidden_parent(const acp_world *world, const acp_object_row *row) {
    return row->parent != ACP_OBJECT_NONE && (acp_world_row(world, row->parent)->state & ACP_STATE_HIDDEN);
}

acp_result acp_body_unset_parent(acp_world *world, acp_object child, acp_error *error) {
    static const char operation[] = "unset parent";
    acp_body_door door;
    acp_result result = acp_body_door_open(world, child, &door);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    if (door.row->parent == ACP_OBJECT_NONE) return ACP_OK;
    uint32_t transient = door.row->transient_state;
    if (has_hidden_parent(world, door.row)) door.row->state &= ~(uint32_t)ACP_STATE_NODRAW;
    result = acp_membership_detach(world, child, error);
    if (result != ACP_OK) return result;
    door.row->transient_state = transient; /* what clearing it brings (PHO-21) is the body's business */
    door.body->update_time = door.body->clock;
    acp_body_clear_transient(world, door.index, door.body);
    door.body->is_in_world = door.row->holder_cell_id != 0;
    return ACP_OK;
}

acp_result acp_body_set_parent(acp_world *world, acp_object child, acp_object parent, uint32_t location_id, acp_error *error) {
    static const char operation[] = "set parent";
    acp_body_door door, above;
    acp_result result = acp_body_door_open(world, child, &door);
    if (result == ACP_OK) result = acp_body_door_open(world, parent, &above);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    if (acp_object_would_close_ring(world, door.index, above.index))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "that would close a ring");
    if (!above.row->setup) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "the parent has no part array");
    const acp_setup_holding *holding = acp_setup_find_holding(above.row->setup, location_id);
    if (!holding)
        return acp_error_set(error, ACP_ERROR_NOT_FOUND, operation, "the parent has no holding location %u", (unsigned)location_id);
    const bool was_hidden = has_hidden_parent(world, door.row);
    acp_frame frame = acp_matrix_frame_to_public(&holding->frame);
    result = acp_membership_attach(world, child, parent, holding->part_index, &frame, error);
    if (result != ACP_OK) return result;
    if (was_hidden) door.row->state &= ~(uint32_t)ACP_STATE_NODRAW;
    acp_body_end_activity(world, door.index, door.body);
    if (has_hidden_parent(world, door.row)) door.row->state |= ACP_STATE_NODRAW;
    return ACP_OK;
}
