/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_STEP_H
#define ACP_TRANSITION_STEP_H

#include <stdbool.h>

#include "transition/transition.h"

/* TRN-43: settles onto the highest acceptable surface within `height` below (stepping up: not lowered). The position is *not* restored on
 * failure. retail: CTransition::step_down 0x0050B2A0 */
bool acp_transition_step_down(acp_transition *move, float height, float limit_z);

/* TRN-44: raises over what faces `normal`; restores the position on failure. retail: CTransition::step_up 0x0050B610 */
bool acp_transition_step_up(acp_transition *move, acp_vec3 normal);

/* TRN-45: whether something walkable is under the mover. retail: CTransition::check_walkable 0x0050AFF0 */
bool acp_transition_check_walkable(acp_transition *move, float limit_z);

/* The step heights both drivers use (TRN-42, TRN-66): one step_down of `height`, or two of half of it when that is more than two radii
 * (half a radius for a low one-sphere mover). *out_height is what each of them used. */
bool acp_transition_settle(acp_transition *move, float height, float limit_z, float *out_height);

/* TRN-50: true: the insert ends with *state; false: it goes on with it. retail: CTransition::edge_slide 0x0050B3D0 */
bool acp_transition_edge_slide(acp_transition *move, acp_transition_state *state, float height, float limit_z);

#endif
