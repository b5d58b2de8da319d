/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_SAVED_STATE_H
#define ACP_BODY_SAVED_STATE_H

#include "body/body.h"

/* What writing and reading a saved state share. The form: save_state.c. */

#define ACP_STATE_MAGIC    0x53504341u /* "ACPS" */
#define ACP_STATE_VERSION  1u
#define ACP_STATE_HAS_BODY 1u

/* The object has a body, or belongs to a family. */
bool acp_state_holds(const acp_world *world, uint32_t index);
/* How many such objects there are. */
uint32_t acp_state_object_count(const acp_world *world);
/* Which landblocks are resident, in one number. */
uint64_t acp_state_residency(const acp_world *world);

#endif
