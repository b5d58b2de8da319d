/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_RUN_MINIMISE_H
#define ACP_TOOLS_TOOL_RUN_MINIMISE_H

#include "tools/acphys/tool_run_capture.h"

/* Smaller scenarios and captures that fail in the same way. */
typedef struct acp_run_minimised {
    uint32_t tries;
    uint32_t bodies, inputs, blocks; /* left */
    uint32_t steps;
} acp_run_minimised;

/* Shrinks a scenario that fails into `out` (one line of JSON): ends at the first failure, keeps the one expectation, and of bodies, inputs
 * and landblocks only those without which it would not fail there. False: it does not fail, or cannot run. */
bool acp_run_minimise(const acp_scenario *scenario, acp_run_source *source, const acp_run_options *options, acp_json_writer *out,
                      acp_run_minimised *report);

/* Shrinks a capture whose replay differs to one step, one resolve and the bodies and landblocks that it takes. False: nothing differs, the
 * capture cannot be replayed, or the cut alone does not differ in the same way. */
bool acp_run_minimise_capture(const char *text, size_t size, acp_run_source *source, acp_json_writer *out, acp_run_minimised *report);

#endif
