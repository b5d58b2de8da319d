/* SPDX-License-Identifier: MIT */
/* One loop over many small things by several threads (surveys).
 *
 * Threads take chunks from a common counter until none is left; the calling thread is the first worker and the one that tells the progress,
 * by its own chunks. Each worker has memory of its own, and thing i goes to a place of its own, so results do not depend on the number of
 * threads. A failure stops every worker before its next thing. Contract: all threads have ended on return. Cost: one atomic addition a
 * chunk, one relaxed load a thing. */
#include "tools/acphys/tool_parallel.h"

#include <stdatomic.h>

#include "base/thread.h"

typedef struct run {
    const acp_parallel_job *job;
    atomic_uint next;
    atomic_bool is_failed;
} run;

typedef struct lane {
    run *run;
    void *worker;
    acp_thread thread;
    bool reports;
} lane;

static void work(void *user) {
    const lane *l = user;
    const acp_parallel_job *job = l->run->job;
    for (;;) {
        uint32_t begin = atomic_fetch_add(&l->run->next, job->chunk);
        if (begin >= job->count) return;
        uint32_t end = job->count - begin < job->chunk ? job->count : begin + job->chunk;
        for (uint32_t i = begin; i < end; i++) {
            if (atomic_load_explicit(&l->run->is_failed, memory_order_relaxed)) return;
            if (!job->work(l->worker, i)) atomic_store_explicit(&l->run->is_failed, true, memory_order_relaxed);
        }
        if (l->reports) acp_command_progress(job->line, job->things, end, job->count);
    }
}

uint32_t acp_parallel_limit(uint32_t threads) {
    if (threads < 1u) return 1u;
    return threads < ACP_PARALLEL_MAX_THREADS ? threads : ACP_PARALLEL_MAX_THREADS;
}

bool acp_parallel_run(const acp_parallel_job *job) {
    run r = {.job = job, .next = 0, .is_failed = false};
    lane lanes[ACP_PARALLEL_MAX_THREADS];
    for (uint32_t i = 0; i < job->worker_count; i++)
        lanes[i] = (lane){.run = &r, .worker = (char *)job->workers + (size_t)i * job->worker_size, .reports = i == 0};
    uint32_t started = 1;
    while (started < job->worker_count && acp_thread_create(&lanes[started].thread, work, &lanes[started]) == ACP_OK)
        started++;
    work(&lanes[0]);
    for (uint32_t i = 1; i < started; i++)
        acp_thread_join(&lanes[i].thread);
    acp_command_progress_end(job->line);
    return !r.is_failed;
}
