/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_REPLAY_RUNS_H
#define ACP_TOOLS_TOOL_REPLAY_RUNS_H

#include "tools/acphys/tool_run_capture.h"

/* Captures of `acphys run`, replayed by `acphys replay`. Zero-initialise. */
typedef struct acp_replay_runs {
    acp_run_source source;
    bool is_source_open;
    uint64_t resolves, equal, differences;
} acp_replay_runs;

/* The file begins as a capture of a run does; false also when it cannot be read. */
bool acp_replay_runs_is_capture(const char *path);
/* Replays it, tells at most *io_limit differences (less those told, afterwards), as text or into the open array of `json`. Gives an exit
 * code; what is wrong was said. */
int acp_replay_runs_file(acp_replay_runs *runs, const acp_command_line *line, const char *path, uint64_t *io_limit, acp_json_writer *json);
void acp_replay_runs_close(acp_replay_runs *runs);

#endif
