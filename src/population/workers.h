/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_WORKERS_H
#define ACP_POPULATION_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/population.h"
#include "base/thread.h"

/* Threads that prepare landblocks ahead. The world thread asks and takes; workers never touch a world. */

typedef enum acp_job_state { ACP_JOB_FREE = 0, ACP_JOB_QUEUED, ACP_JOB_RUNNING, ACP_JOB_DONE } acp_job_state;

typedef struct acp_job {
    acp_job_state state;
    uint32_t block_id;
    uint32_t rank;     /* lowest first */
    bool is_cancelled; /* while running: nobody wants the result */
    acp_result result;
    acp_landblock *landblock;
} acp_job;

typedef struct acp_workers {
    acp_allocator allocator;
    acp_population_source source;
    acp_thread *threads;
    uint32_t thread_count; /* started */
    uint32_t thread_capacity;
    acp_job *jobs;
    uint32_t job_count;
    uint32_t running_count;
    bool is_stopping;
    bool has_sync;
    acp_mutex mutex;
    acp_condition has_work; /* something queued, or stopping */
    acp_condition has_news; /* something done */
} acp_workers;

/* No threads when `thread_count` is 0. ACP_ERROR_OUT_OF_MEMORY: nothing is running. */
acp_result acp_workers_start(acp_workers *workers, const acp_population_source *source, uint32_t thread_count, uint32_t job_count,
                             const acp_allocator *allocator);
void acp_workers_stop(acp_workers *workers);

/* Asks for landblocks, in this order; what was asked for before and is not among them is dropped. */
void acp_workers_ask(acp_workers *workers, const uint32_t *block_ids, uint32_t stride, uint32_t count);

/* Takes what has been prepared for a block; waits for it when `waits`. False: nothing there (yet). */
bool acp_workers_take(acp_workers *workers, uint32_t block_id, bool waits, acp_landblock **out_landblock, acp_result *out_result);

/* Waits until nothing runs and drops everything. */
void acp_workers_drain(acp_workers *workers);

uint32_t acp_workers_done_count(acp_workers *workers);

#endif
