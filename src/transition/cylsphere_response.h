/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_CYLSPHERE_RESPONSE_H
#define ACP_TRANSITION_CYLSPHERE_RESPONSE_H

#include "transition/transition.h"

/* OCD-60: an obstacle's cylsphere (in its own axes, unscaled) against the mover. The axis is always the block's +z.
 * retail: CCylSphere::intersects_sphere 0x0053B8F0 */
acp_transition_state acp_cylsphere_respond_at(acp_transition *move, const acp_cylsphere *cylsphere, const acp_matrix_position *position,
                                              float scale);

/* OCD-62: the same with the cylsphere already in the check frame. retail: CCylSphere::intersects_sphere 0x0053B440 */
acp_transition_state acp_cylsphere_respond(acp_transition *move, const acp_cylsphere *obstacle);

#endif
