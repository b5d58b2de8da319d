/* SPDX-License-Identifier: MIT */
/* Commit: a transition's result becomes the body's state (spec 07 PHO-15, 06 TRN-71, D11).
 *
 * Order is retail's and observable: velocity killed first, then cell and frame, contact plane and CONTACT (with the old ON_WALKABLE in
 * the acceleration), water, ON_WALKABLE with its ground events, the sliding normal, the response to collisions, and last the lists.
 * The contact plane is copied even when it is not valid. A body that moved into nothing resident becomes lost.
 * Errors: OUT_OF_MEMORY when the body's row or the lists cannot grow; the place has then been adopted and the lists are the old ones.
 * Cost: one pose of the parts, one registration. retail: CPhysicsObj::SetPositionInternal 0x00515330 */
#include "body/commit.h"

#include "membership/registry.h"
#include "transition/mover_info.h"

acp_body_impact acp_body_impact_of(const acp_transition *move) {
    const acp_collision_info *collision = &move->collision;
    acp_body_impact impact = {collision->objects,
                              collision->object_count,
                              collision->frames_stationary_fall,
                              collision->collision_normal,
                              collision->is_collision_normal_valid,
                              collision->is_collided_with_environment};
    return impact;
}

acp_result acp_body_mover(const acp_world *world, uint32_t index, acp_mover *out_mover) {
    acp_result result = acp_mover_from_object(world, acp_world_handle(world, index), out_mover);
    const acp_body_row *body = acp_body_find(world, index);
    if (result != ACP_OK || !body) return result;
    out_mover->velocity = body->velocity;
    out_mover->contact.plane = body->contact_plane;
    out_mover->contact.cell_id = body->contact_plane_cell_id;
    out_mover->sliding_normal = body->sliding_normal;
    return ACP_OK;
}

static void tell_cell(acp_world *world, uint32_t index, uint32_t old_cell_id) {
    acp_body_column *column = acp_body_column_of(world);
    if (!column) return;
    const acp_object_row *row = acp_world_row(world, index);
    acp_event event = {0};
    event.kind = ACP_EVENT_CELL_CHANGED;
    event.object = acp_world_handle(world, index);
    event.object_id = row->object_id;
    event.other_id = old_cell_id;
    event.cell_id = row->position.cell_id;
    acp_event_queue_push(&column->events, &event);
}

/* Same cell: new label for body, parts and children; else the cell changes. */
static void adopt_cell(acp_world *world, uint32_t index, const acp_transition *move) {
    acp_object_row *row = acp_world_row(world, index);
    uint32_t old_cell_id = row->holder_cell_id;
    if (old_cell_id == move->path.current_cell.cell_id) {
        acp_object_set_cell_id(world, index, move->path.current_position.cell_id);
        for (uint32_t child = row->first_child; child != ACP_OBJECT_NONE; child = acp_world_row(world, child)->next_sibling)
            acp_object_set_cell_id(world, child, move->path.current_position.cell_id);
    } else {
        acp_object_change_cell(world, index, move->path.current_cell.cell_id);
        tell_cell(world, index, old_cell_id);
    }
}

static void adopt_contact(acp_world *world, uint32_t index, acp_body_row *body, const acp_transition *move) {
    acp_object_row *row = acp_world_row(world, index);
    const acp_contact_plane *contact = &move->collision.contact;
    body->contact_plane_cell_id = contact->cell_id;
    body->contact_plane = contact->plane;
    row->transient_state &= ~(uint32_t)ACP_TRANSIENT_CONTACT;
    if (contact->is_valid) row->transient_state |= ACP_TRANSIENT_CONTACT;
    acp_body_calc_acceleration(row, body);
    row->transient_state &= ~(uint32_t)ACP_TRANSIENT_WATER_CONTACT;
    if (contact->is_water) row->transient_state |= ACP_TRANSIENT_WATER_CONTACT;
    acp_body_set_on_walkable(world, index, body, contact->is_valid && acp_is_valid_walkable(contact->plane.normal));
    body->sliding_normal = move->collision.sliding_normal;
    row->transient_state &= ~(uint32_t)ACP_TRANSIENT_SLIDING;
    if (move->collision.is_sliding_normal_valid) row->transient_state |= ACP_TRANSIENT_SLIDING;
}

acp_result acp_body_commit(acp_world *world, uint32_t index, const acp_transition *move) {
    acp_body_row *body = acp_body_of(world, index);
    if (!body) return ACP_ERROR_OUT_OF_MEMORY;
    acp_object_row *row = acp_world_row(world, index);
    /* DIV-46 */
    if (move->collision.is_velocity_killed) acp_body_row_set_velocity(row, body, (acp_vec3){0.0f, 0.0f, 0.0f});
    bool had_contact = (row->transient_state & ACP_TRANSIENT_CONTACT) != 0;
    bool was_on_walkable = (row->transient_state & ACP_TRANSIENT_ON_WALKABLE) != 0;
    if (!acp_cell_exists(move->path.current_cell)) {
        acp_body_lose(world, index, body, &move->path.current_position);
        return ACP_OK;
    }
    adopt_cell(world, index, move);
    body->is_in_world = row->holder_cell_id != 0;
    acp_object_set_frame(world, index, &move->path.current_position.frame);
    adopt_contact(world, index, body, move);
    acp_body_impact impact = acp_body_impact_of(move);
    acp_body_handle_collisions(world, index, &impact, had_contact, was_on_walkable);
    return row->holder_cell_id ? acp_registry_refresh_after_move(world, index, &move->cells) : ACP_OK;
}
