/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_ADOPT_H
#define ACP_TRANSITION_ADOPT_H

#include "transition/transition.h"

/* TRN-60: adopts an accepted sub-step, or goes back; renews sliding normal, last known plane, mover flags and the stationary counter.
 * retail: CTransition::validate_transition 0x0050AA70 */
acp_transition_state acp_transition_validate(acp_transition *move, acp_transition_state state);

/* TRN-61. retail: CTransition::validate_placement_transition 0x0050ADC0 */
acp_transition_state acp_transition_validate_placement_try(acp_transition *move, acp_transition_state state);

/* TRN-62. retail: CTransition::validate_placement 0x0050B210 */
acp_transition_state acp_transition_validate_placement(acp_transition *move, acp_transition_state state, bool can_adjust);

#endif
