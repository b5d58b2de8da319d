/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_COMMIT_H
#define ACP_BODY_COMMIT_H

#include "body/body.h"
#include "body/collide.h"
#include "transition/context.h"

/* TRN-71, PHO-15: the world adopts what a transition found for an object: place and cell together, contact, response, lists.
 * retail: CPhysicsObj::SetPositionInternal 0x00515330 */
acp_result acp_body_commit(acp_world *world, uint32_t index, const acp_transition *move);

/* The collected collisions of a transition. */
acp_body_impact acp_body_impact_of(const acp_transition *move);

/* The mover that a body is: its row's words and shapes, its own planes and velocity. */
acp_result acp_body_mover(const acp_world *world, uint32_t index, acp_mover *out_mover);

#endif
