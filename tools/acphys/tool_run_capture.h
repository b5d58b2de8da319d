/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_RUN_CAPTURE_H
#define ACP_TOOLS_TOOL_RUN_CAPTURE_H

#include <stdio.h>

#include "support/json_lines.h"
#include "tools/acphys/tool_run_restore.h"

/* Captures of runs (docs/format-capture.md): a head with the scenario, then a line for each body and step in which something became of it:
 * what drove it, how it was before, how it was after, and the hash of the world's state. */

/* ---- states as JSON (tool_run_state.c) ---- */
void acp_run_state_to_json(acp_json_writer *json, const char *key, const acp_run_state *state);
/* Cells live in `memory`. Faults go into the input. */
void acp_run_state_from_json(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_run_state *out);
/* The first member that differs, and both values as text; false: none, to the bit. */
bool acp_run_state_differs(const acp_run_state *a, const acp_run_state *b, const char **out_member, char *out_a, char *out_b,
                           uint32_t capacity);

/* ---- writing ---- */
/* Begins the head of a capture; whoever calls adds the scenario and ends the object. `content`: the hash of the world's files, null for a
 * scenario with a scene of its own. */
void acp_run_begin_capture(acp_json_writer *json, const uint64_t *content, uint32_t steps);

typedef struct acp_run_recorder {
    FILE *stream;
    acp_json_writer json;
    acp_run_state *before; /* of every body, cells owned */
    uint32_t **cells;
    uint32_t *cell_capacity;
    uint32_t random[ACP_SCENARIO_RANDOM_WORDS]; /* the stream as it was last written */
    bool has_random;
    uint64_t lines;
    bool is_failed;
} acp_run_recorder;

/* Writes the head; then hand _before and _after to the run. `stream` null: only for keeping states. */
bool acp_run_recorder_begin(acp_run_recorder *recorder, const acp_run *run, FILE *stream);
void acp_run_recorder_before(void *user, acp_run *run);
void acp_run_recorder_after(void *user, acp_run *run);
void acp_run_recorder_end(acp_run_recorder *recorder, const acp_run *run);

/* ---- replaying ---- */
/* One difference: of a body in a step. */
typedef struct acp_run_difference {
    uint64_t line;
    uint32_t step;
    char body[96];
    const char *when; /* "before", "after", "missing", "hash" */
    const char *member;
    char recorded[64], computed[64];
} acp_run_difference;

typedef struct acp_run_replay {
    uint64_t resolves, equal, differences;
    acp_run_difference *kept; /* the caller's, keep_limit of them */
    uint32_t kept_count, keep_limit;
    uint32_t cut_step;    /* 0: none; else the world before this step, as recorded, is written as a scenario of one step to … */
    acp_json_writer *cut; /* … here */
    acp_error error;      /* what is wrong with the capture; code 0: nothing */
    uint64_t error_line;
} acp_run_replay;

/* Replays a capture given as text (which is changed and restored while at work): every resolve is compared, and where one differs the body
 * is put as recorded, so that the next ones are comparable. False: it cannot be replayed. */
bool acp_run_replay_text(const char *text, size_t size, acp_run_source *source, acp_run_replay *replay);
/* A scenario of one step that begins with the run as it is, before its next step (tool_run_cut.c). */
void acp_run_cut(acp_json_writer *json, const acp_run *run);

/* Cuts one step out of a capture, with all its bodies and resolves, whether they differ or not: a capture of one step that replays by
 * itself. False: the capture cannot be replayed or has no such step. */
bool acp_run_cut_capture(const char *text, size_t size, acp_run_source *source, uint32_t step, acp_json_writer *out);
/* The text's first line is the head of a capture of runs. */
bool acp_run_is_capture(const char *text, size_t size);

#endif
