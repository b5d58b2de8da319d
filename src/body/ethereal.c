/* SPDX-License-Identifier: MIT */
/* Ethereal state: passing through, and becoming solid again (spec 07 PHO-25, 05 OCD-15).
 *
 * Doors and the like: opening is immediate, closing must not trap a body. The probe asks every other object in the body's cells whether
 * its own spheres, where it stands, touch the body; static objects never do. A refused wish is remembered in the transient word and
 * retried by every active sub-step. Cost: one object test per candidate. retail: CPhysicsObj::ethereal_check_for_collisions 0x00510A40 */
#include "body/ethereal.h"

#include "membership/registry.h"
#include "transition/probe.h"

static bool is_anybody_inside(acp_transition_context *context, const acp_world *world, uint32_t index) {
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(world, index, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (!acp_registry_object_cell_is_resident(world, index, i)) continue;
        if (acp_cell_check_collisions(context, world, acp_world_cell(world, cells[i]), index)) return true;
    }
    return false;
}

bool acp_body_become_ethereal(acp_transition_context *context, acp_world *world, uint32_t index, bool is_ethereal) {
    acp_object_row *row = acp_world_row(world, index);
    uint32_t check = ACP_TRANSIENT_CHECK_ETHEREAL;
    if (is_ethereal) {
        row->state |= ACP_STATE_ETHEREAL;
        row->transient_state &= ~check;
        return true;
    }
    row->state &= ~(uint32_t)ACP_STATE_ETHEREAL;
    bool is_free = row->parent != ACP_OBJECT_NONE || row->holder_cell_id == 0 || !is_anybody_inside(context, world, index);
    if (is_free) {
        row->transient_state &= ~check;
    } else {
        row->state |= ACP_STATE_ETHEREAL;
        row->transient_state |= check;
    }
    return is_free;
}
