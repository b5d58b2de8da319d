/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_SLIDE_H
#define ACP_TRANSITION_SLIDE_H

#include "transition/transition.h"

/* OCD-50: moves `sphere` (one of the mover's global ones) along the crease of `normal` and the ground. `current` is its centre at the
 * current position. `normal` is in/out: an opposed pair replaces it by the reversed displacement.
 * retail: CSphere::slide_sphere 0x00537440 */
acp_transition_state acp_slide_sphere(acp_transition *move, const acp_sphere *sphere, acp_vec3 *normal, acp_vec3 current);

/* TRN-29: clears contact and the stepping flag, then slides sphere 0 along step_up_normal. */
acp_transition_state acp_step_up_slide(acp_transition *move);

/* TRN-51. retail: CTransition::cliff_slide 0x0050A6D0 */
acp_transition_state acp_cliff_slide(acp_transition *move, const acp_plane *plane);

/* TRN-52. retail: SPHEREPATH::precipice_slide 0x0050CC80 */
acp_transition_state acp_precipice_slide(acp_transition *move);

#endif
