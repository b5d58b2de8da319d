/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_SPHERE_RESPONSE_H
#define ACP_TRANSITION_SPHERE_RESPONSE_H

#include <stdbool.h>

#include "transition/transition.h"

/* OCD-40: an obstacle's sphere (in its own axes, unscaled) against the mover.
 * retail: CSphere::intersects_sphere 0x00537FD0 */
acp_transition_state acp_sphere_respond_at(acp_transition *move, const acp_sphere *sphere, const acp_matrix_position *position, float scale,
                                           bool is_creature);

/* OCD-42: the same with the sphere already in the check frame. */
acp_transition_state acp_sphere_respond(acp_transition *move, const acp_sphere *obstacle, bool is_creature);

#endif
