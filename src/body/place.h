/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_PLACE_H
#define ACP_BODY_PLACE_H

#include "body/commit.h"

/* PHO-17 with the position as it is inside. *out_answer: ACP_PLACED and so on. retail: CPhysicsObj::SetPosition 0x005160C0 */
acp_result acp_body_set_position(acp_world *world, acp_transition_context *context, uint32_t index, const acp_matrix_position *position,
                                 const acp_placement *placement, uint32_t *out_answer);

#endif
