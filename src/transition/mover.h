/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_MOVER_H
#define ACP_TRANSITION_MOVER_H

#include "transition/transition.h"

/* OCD-82 then OCD-81 and the spheres (PHO-14 steps 1 to 5, 7): planes, normals, flags, heights, counter.
 * retail: CPhysicsObj::get_object_info 0x00511CC0, OBJECTINFO::init 0x0050CF30 */
void acp_transition_seed(acp_transition *move, const acp_mover *mover, const acp_object_row *row);

/* OCD-81 with the flags given: placements (0), camera and missile sweeps. */
void acp_transition_seed_flags(acp_transition *move, const acp_mover *mover, const acp_object_row *row, uint32_t flags);

#endif
