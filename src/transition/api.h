/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_API_H
#define ACP_TRANSITION_API_H

#include "transition/transition.h"

/* What the public calls share. */

/* Refuses null, non-finite and invalid positions. */
acp_result acp_check_position(const acp_position *position, const char *operation, acp_error *error);

/* One sweep with all its checks; `flags` null: derived from the mover's words. */
acp_result acp_sweep(acp_transition_context *context, const acp_world *world, const acp_mover *mover, const uint32_t *flags,
                     const acp_position *from, const acp_position *to, acp_move_result *out_result, const char *operation,
                     acp_error *error);

#endif
