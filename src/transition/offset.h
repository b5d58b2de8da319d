/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_OFFSET_H
#define ACP_TRANSITION_OFFSET_H

#include "transition/transition.h"

/* How a displacement is cut into sub-steps (TRN-55). Lengths are unrounded. */
typedef struct acp_step_plan {
    acp_vec3 offset;
    acp_vec3 per_step;
    double length;
    uint32_t count;
} acp_step_plan;

/* (uint) of a non-negative whole number, held inside the type. */
static inline uint32_t acp_step_count(double count) { return count < 4294967295.0 ? (uint32_t)count : UINT32_MAX; }

/* TRN-55. A null begin position is one step of nothing. retail: CTransition::calc_num_steps 0x0050A0B0 */
acp_step_plan acp_transition_plan_steps(const acp_transition *move);

/* TRN-56: projects a step onto contact plane and sliding normal; may lift the mover out of its contact plane.
 * retail: CTransition::adjust_offset 0x0050A370 */
acp_vec3 acp_transition_adjust_offset(acp_transition *move, acp_vec3 offset);

#endif
