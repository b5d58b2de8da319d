/* SPDX-License-Identifier: MIT */
/* Probes at rest: one object against another, and the reverse probe of a cell (spec 05 OCD-15, 06 TRN-67, TRN-70).
 *
 * The question is asked the other way round from a move: the objects that are there already are the movers, one after the other, and the
 * object that wants to become solid is the obstacle. Used when a body leaves the ethereal state (07 PHO-25).
 * Each probe takes one slot of the pool; with ten in use it answers no, as the client does.
 *
 * Who is nowhere stands in nobody (DIV-97). The client has objects in its lists whose cell id is 0: a child without a part array never
 * enters its parent's cell (04 section 13), yet takes the parent's rows when those are renewed (04 MEM-34; only a move within one cell
 * labels it, and only as a direct child, MEM-36), and keeps them when it is let go (07 PHO-27). Its place is no place of any block, and
 * WM-19 forbids to ask for the way from there. Cost: one object test per candidate. */
#include "transition/probe.h"

#include "membership/registry.h"
#include "transition/dispatch.h"
#include "transition/mover.h"

bool acp_object_check_collision(acp_transition_context *context, const acp_world *world, uint32_t mover, uint32_t other) {
    const acp_object_row *row = acp_world_row(world, mover);
    if (row->state & ACP_STATE_STATIC) return false;
    if (row->position.cell_id == 0) return false; /* DIV-97: one that is nowhere stands in nobody */
    acp_mover description;
    if (acp_mover_from_object(world, acp_world_handle(world, mover), &description) != ACP_OK) return false;
    description.transient_state &= ~(uint32_t)(ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_SLIDING); /* planes play no part at rest */
    acp_transition *move = acp_transition_acquire(context, world);
    if (!move) return false;
    acp_transition_seed(move, &description, row);
    acp_cell cell = {NULL, 0, 0};
    if (row->holder_cell_id != 0) cell = acp_world_cell(world, row->holder_cell_id);
    acp_sphere_path_set_ends(&move->path, cell, &row->position, &row->position);
    move->path.insert_type = ACP_INSERT_PLACEMENT;
    acp_sphere_path_set_check(&move->path, &move->path.current_position, cell); /* TRN-80j */
    bool is_hit = acp_object_find_collisions(move, acp_world_row(world, other), other) != ACP_TRANSITION_OK;
    acp_transition_release(context);
    return is_hit;
}

bool acp_cell_check_collisions(acp_transition_context *context, const acp_world *world, acp_cell cell, uint32_t object) {
    uint32_t count = 0;
    const uint32_t *objects = acp_registry_cell_objects(world, cell, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (objects[i] == object || acp_world_row(world, objects[i])->parent != ACP_OBJECT_NONE) continue;
        if (acp_object_check_collision(context, world, objects[i], object)) return true;
    }
    return false;
}
