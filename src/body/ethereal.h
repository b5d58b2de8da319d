/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_ETHEREAL_H
#define ACP_BODY_ETHEREAL_H

#include <stdbool.h>

#include "transition/context.h"

/* PHO-25: becomes ethereal at once; becomes solid only when nothing stands in it, else stays and CHECK_ETHEREAL is set. Returns whether
 * the wish was granted. retail: CPhysicsObj::set_ethereal 0x00511C40 */
bool acp_body_become_ethereal(acp_transition_context *context, acp_world *world, uint32_t index, bool is_ethereal);

#endif
