/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_PARALLEL_H
#define ACP_TOOLS_TOOL_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/acphys/options.h"

#define ACP_PARALLEL_MAX_THREADS 64u

/* Many small things to be done by several threads, in chunks, in any order. */
typedef struct acp_parallel_job {
    const acp_command_line *line; /* tells the progress */
    const char *things;           /* what is counted, for the progress */
    uint32_t count;
    uint32_t chunk;
    /* Does thing i, with the worker's own memory; false ends the whole. */
    bool (*work)(void *worker, uint32_t i);
    void *workers; /* an array, one a thread */
    uint32_t worker_size;
    uint32_t worker_count; /* at least 1, at most ACP_PARALLEL_MAX_THREADS */
} acp_parallel_job;

/* Fewer threads do as well when the system refuses some. False when a thing failed; others may then be left undone. */
bool acp_parallel_run(const acp_parallel_job *job);

/* As many workers as a job can have. */
uint32_t acp_parallel_limit(uint32_t threads);

#endif
