/* SPDX-License-Identifier: MIT */
/* A walker: the human of the miniature world, one transition per step as in the walk of spec 11 section 9: contact plane, contact bits and
 * sliding normal are carried from step to step; there is no velocity and no gravity. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "demo/resident.h"
#include "math/number.h"
#include "place/position.h"

#define WALKER_STATE (ACP_STATE_REPORT_COLLISIONS | ACP_STATE_GRAVITY | ACP_STATE_EDGE_SLIDE)

acp_result acp_demo_walker_begin(acp_demo_walker *walker, acp_demo_world *world, acp_error *error) {
    const acp_setup *setup;
    memset(walker, 0, sizeof *walker);
    walker->world = world;
    acp_result result = acp_demo_world_get_setup(world, ACP_DEMO_HUMAN, &setup, error);
    if (result == ACP_OK) result = acp_mover_from_setup(setup, 1.0f, &walker->mover);
    if (result == ACP_OK) result = acp_transition_context_create(NULL, &walker->context, error);
    walker->mover.state = WALKER_STATE;
    return result;
}

void acp_demo_walker_end(acp_demo_walker *walker) {
    acp_transition_context_destroy(walker->context);
    memset(walker, 0, sizeof *walker);
}

/* Takes over what a transition found. */
static void adopt(acp_demo_walker *walker) {
    const acp_move_result *r = &walker->last;
    acp_mover *m = &walker->mover;
    if (r->has_position) walker->position = r->position;
    m->transient_state = 0;
    if (r->contact.is_valid) m->transient_state |= ACP_TRANSIENT_CONTACT;
    if (r->contact.is_valid && (double)r->contact.plane.normal.z >= (double)0.664174139f) m->transient_state |= ACP_TRANSIENT_ON_WALKABLE;
    if (r->has_sliding_normal) m->transient_state |= ACP_TRANSIENT_SLIDING;
    m->contact = r->contact;
    m->sliding_normal = r->sliding_normal;
}

acp_result acp_demo_walker_stand(acp_demo_walker *walker, const acp_position *at, acp_error *error) {
    acp_mover mover = walker->mover;
    mover.transient_state = 0;
    acp_result result = acp_place(walker->context, acp_demo_world_get(walker->world), &mover, at, 0, &walker->last, error);
    if (result == ACP_OK) adopt(walker);
    return result;
}

acp_result acp_demo_walker_step(acp_demo_walker *walker, double x, double y, double z, acp_error *error) {
    acp_position to = walker->position;
    to.frame.origin.x = acp_f32((double)to.frame.origin.x + x);
    to.frame.origin.y = acp_f32((double)to.frame.origin.y + y);
    to.frame.origin.z = acp_f32((double)to.frame.origin.z + z);
    walker->asked_mover = walker->mover;
    walker->asked_from = walker->position;
    walker->asked_to = to;
    acp_result result =
        acp_move(walker->context, acp_demo_world_get(walker->world), &walker->mover, &walker->position, &to, &walker->last, error);
    if (result == ACP_OK) adopt(walker);
    return result;
}

acp_result acp_demo_walker_go(acp_demo_walker *walker, uint32_t block_id, double x, double y, uint32_t step_limit,
                              acp_demo_step_function on_step, void *user, bool *out_arrived, acp_error *error) {
    *out_arrived = false;
    for (uint32_t i = 0; i < step_limit; i++) {
        acp_vec3 offset;
        acp_result result = acp_cell_id_block_offset(walker->position.cell_id, block_id, &offset);
        if (result != ACP_OK) return acp_error_set(error, result, "walk", "no such landblock");
        double dx = x + (double)offset.x - (double)walker->position.frame.origin.x,
               dy = y + (double)offset.y - (double)walker->position.frame.origin.y;
        double distance = sqrt(dx * dx + dy * dy);
        if (distance < ACP_DEMO_STEP / 2) {
            *out_arrived = true;
            return ACP_OK;
        }
        double part = distance > ACP_DEMO_STEP ? ACP_DEMO_STEP / distance : 1.0;
        result = acp_demo_walker_step(walker, dx * part, dy * part, 0, error);
        if (result != ACP_OK) return result;
        if (on_step) on_step(user, walker);
    }
    return ACP_OK;
}
