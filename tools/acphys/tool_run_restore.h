/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_RUN_RESTORE_H
#define ACP_TOOLS_TOOL_RUN_RESTORE_H

#include "tools/acphys/tool_run.h"

/* Everything of a body that stepping changes, but for its collision partners. */
typedef struct acp_run_state {
    acp_position position;
    uint32_t state, transient_state;
    acp_vec3 velocity, cached_velocity, acceleration, omega, sliding_normal;
    acp_plane contact_plane;
    uint32_t contact_cell_id;
    double update_time;
    bool is_latched; /* collides with the environment, and was told */
    bool is_lost;
    bool is_driven;
    const uint32_t *cells; /* that it is registered in, in order; reading: valid until the world changes */
    uint32_t cell_count;
} acp_run_state;

void acp_run_state_read(const acp_run *run, uint32_t object, acp_run_state *out);
/* Puts a body into that state, without any placement. */
acp_result acp_run_state_put(acp_run *run, uint32_t object, const acp_run_state *state);

/* A body of the scenario that begins in the middle of things; when all bodies are there, its collision partners. */
acp_result acp_run_restore(acp_run *run, uint32_t object);
acp_result acp_run_restore_touches(acp_run *run, uint32_t object);

#endif
