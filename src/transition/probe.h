/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_PROBE_H
#define ACP_TRANSITION_PROBE_H

#include "transition/context.h"
#include "world/object.h"

/* TRN-70: would `mover`, at rest where it stands, touch `other`? Statics never do; with no slot left the answer is no.
 * retail: CPhysicsObj::check_collision 0x00512ED0, CTransition::check_collisions 0x0050AA00 */
bool acp_object_check_collision(acp_transition_context *context, const acp_world *world, uint32_t mover, uint32_t other);

/* OCD-15: does any object shadowed into the cell touch `object`? retail: CObjCell::check_collisions 0x0052B7B0 */
bool acp_cell_check_collisions(acp_transition_context *context, const acp_world *world, acp_cell cell, uint32_t object);

#endif
