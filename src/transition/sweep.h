/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_SWEEP_H
#define ACP_TRANSITION_SWEEP_H

#include <stdbool.h>

#include "transition/transition.h"

/* TRN-65: the sweep driver. False: no new position. retail: CTransition::find_transitional_position 0x0050BDF0 */
bool acp_transition_find_transitional_position(acp_transition *move);

/* TRN-66: the placement driver. retail: CTransition::find_placement_position 0x0050C170 */
bool acp_transition_find_placement_position(acp_transition *move);

/* TRN-66: how the spots around a refused one are spread; false: none (radius of 4 m or more). */
typedef struct acp_placement_rings {
    float radius; /* used */
    float distance_step;
    float angle_step;
    uint32_t count;
} acp_placement_rings;

bool acp_placement_plan_rings(float radius, acp_placement_rings *out_rings);

/* TRN-70, PHO-19: one placement at `position`, which gets the found origin when it may not slide.
 * retail: CPhysicsObj::CheckPositionInternal 0x00511E90 */
bool acp_transition_check_position(acp_transition *move, acp_cell cell, acp_matrix_position *position, bool can_slide);

/* TRN-67. retail: CTransition::find_valid_position 0x0050C310 */
bool acp_transition_find_valid_position(acp_transition *move);

#endif
