/* SPDX-License-Identifier: MIT */
/* The worker pool of a population: landblocks are prepared ahead, off the world thread (D8).
 *
 * A fixed number of jobs, each for one landblock, under one mutex. The world thread says which landblocks it will want next, in order; a
 * worker takes the queued job of the lowest rank, prepares without the lock, and leaves the result. The world thread takes results when
 * their turn comes. A job that nobody wants any more is dropped at once, or, while it runs, when it is done.
 *
 * Contract: ask, take and drain are for the world thread. Workers use the source and the allocator, nothing else. Nothing is decided here:
 * which landblock is published when is the population's business, so results do not depend on the number of workers. Cost: a lock a call.
 */
#include "population/workers.h"

#include <string.h>

#include "base/memory.h"

static acp_job *next_job(acp_workers *w) {
    acp_job *best = NULL;
    for (uint32_t i = 0; i < w->job_count; i++)
        if (w->jobs[i].state == ACP_JOB_QUEUED && (!best || w->jobs[i].rank < best->rank)) best = &w->jobs[i];
    return best;
}

static void work(void *user) {
    acp_workers *w = user;
    acp_error error;
    acp_mutex_lock(&w->mutex);
    while (!w->is_stopping) {
        acp_job *job = next_job(w);
        if (!job) {
            acp_condition_wait(&w->has_work, &w->mutex);
            continue;
        }
        job->state = ACP_JOB_RUNNING;
        w->running_count++;
        uint32_t block_id = job->block_id;
        acp_mutex_unlock(&w->mutex);
        acp_landblock *landblock = NULL;
        acp_result result = w->source.prepare(w->source.user, block_id, &w->allocator, &landblock, &error);
        acp_mutex_lock(&w->mutex);
        w->running_count--;
        job->result = result;
        job->landblock = result == ACP_OK ? landblock : NULL;
        job->state = ACP_JOB_DONE;
        if (job->is_cancelled) {
            acp_landblock_destroy(job->landblock);
            memset(job, 0, sizeof *job);
        }
        acp_condition_broadcast(&w->has_news);
    }
    acp_mutex_unlock(&w->mutex);
}

acp_result acp_workers_start(acp_workers *w, const acp_population_source *source, uint32_t thread_count, uint32_t job_count,
                             const acp_allocator *allocator) {
    memset(w, 0, sizeof *w);
    if (!thread_count) return ACP_OK;
    w->allocator = acp_memory_allocator(allocator);
    w->source = *source;
    w->job_count = job_count;
    w->thread_capacity = thread_count;
    w->jobs = ACP_MEMORY_NEW_ARRAY(&w->allocator, acp_job, job_count);
    w->threads = ACP_MEMORY_NEW_ARRAY(&w->allocator, acp_thread, thread_count);
    if (w->jobs && w->threads && acp_mutex_init(&w->mutex) == ACP_OK) {
        if (acp_condition_init(&w->has_work) != ACP_OK) {
            acp_mutex_destroy(&w->mutex);
        } else if (acp_condition_init(&w->has_news) != ACP_OK) {
            acp_condition_destroy(&w->has_work);
            acp_mutex_destroy(&w->mutex);
        } else {
            w->has_sync = true;
        }
    }
    while (w->has_sync && w->thread_count < thread_count && acp_thread_create(&w->threads[w->thread_count], work, w) == ACP_OK)
        w->thread_count++;
    if (w->has_sync && w->thread_count == thread_count) return ACP_OK;
    acp_workers_stop(w);
    return ACP_ERROR_OUT_OF_MEMORY;
}

void acp_workers_stop(acp_workers *w) {
    if (w->has_sync) {
        acp_mutex_lock(&w->mutex);
        w->is_stopping = true;
        acp_condition_broadcast(&w->has_work);
        acp_mutex_unlock(&w->mutex);
        for (uint32_t i = 0; i < w->thread_count; i++)
            acp_thread_join(&w->threads[i]);
        acp_condition_destroy(&w->has_news);
        acp_condition_destroy(&w->has_work);
        acp_mutex_destroy(&w->mutex);
    }
    for (uint32_t i = 0; w->jobs && i < w->job_count; i++)
        acp_landblock_destroy(w->jobs[i].landblock);
    if (w->jobs) ACP_MEMORY_DELETE_ARRAY(&w->allocator, acp_job, w->jobs, w->job_count);
    if (w->threads) ACP_MEMORY_DELETE_ARRAY(&w->allocator, acp_thread, w->threads, w->thread_capacity);
    memset(w, 0, sizeof *w);
}

static void drop(acp_job *job) {
    if (job->state == ACP_JOB_RUNNING) {
        job->is_cancelled = true;
        return;
    }
    acp_landblock_destroy(job->landblock);
    memset(job, 0, sizeof *job);
}

static acp_job *find_job(acp_workers *w, uint32_t block_id) {
    for (uint32_t i = 0; i < w->job_count; i++)
        if (w->jobs[i].state != ACP_JOB_FREE && w->jobs[i].block_id == block_id) return &w->jobs[i];
    return NULL;
}

static const uint32_t *id_at(const uint32_t *block_ids, uint32_t stride, uint32_t i) {
    return (const uint32_t *)(const void *)((const uint8_t *)block_ids + (size_t)stride * i);
}

void acp_workers_ask(acp_workers *w, const uint32_t *block_ids, uint32_t stride, uint32_t count) {
    if (!w->thread_count) return;
    acp_mutex_lock(&w->mutex);
    for (uint32_t i = 0; i < w->job_count; i++)
        w->jobs[i].rank = UINT32_MAX;
    uint32_t free_job = 0;
    for (uint32_t i = 0; i < count; i++) {
        acp_job *job = find_job(w, *id_at(block_ids, stride, i));
        if (!job) continue;
        job->rank = i;
        job->is_cancelled = false;
    }
    for (uint32_t i = 0; i < w->job_count; i++)
        if (w->jobs[i].state != ACP_JOB_FREE && w->jobs[i].rank == UINT32_MAX) drop(&w->jobs[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block_id = *id_at(block_ids, stride, i);
        if (find_job(w, block_id)) continue;
        while (free_job < w->job_count && w->jobs[free_job].state != ACP_JOB_FREE)
            free_job++;
        if (free_job == w->job_count) break;
        w->jobs[free_job] = (acp_job){ACP_JOB_QUEUED, block_id, i, false, ACP_OK, NULL};
    }
    acp_condition_broadcast(&w->has_work);
    acp_mutex_unlock(&w->mutex);
}

bool acp_workers_take(acp_workers *w, uint32_t block_id, bool waits, acp_landblock **out_landblock, acp_result *out_result) {
    if (!w->thread_count) return false;
    bool is_there = false;
    acp_mutex_lock(&w->mutex);
    acp_job *job = find_job(w, block_id);
    while (job && job->state != ACP_JOB_DONE && waits) {
        acp_condition_wait(&w->has_news, &w->mutex);
        job = find_job(w, block_id);
    }
    if (job && job->state == ACP_JOB_DONE) {
        *out_landblock = job->landblock;
        *out_result = job->result;
        memset(job, 0, sizeof *job);
        is_there = true;
    }
    acp_mutex_unlock(&w->mutex);
    return is_there;
}

void acp_workers_drain(acp_workers *w) {
    if (!w->thread_count) return;
    acp_mutex_lock(&w->mutex);
    for (uint32_t i = 0; i < w->job_count; i++)
        drop(&w->jobs[i]);
    while (w->running_count)
        acp_condition_wait(&w->has_news, &w->mutex);
    acp_mutex_unlock(&w->mutex);
}

uint32_t acp_workers_done_count(acp_workers *w) {
    if (!w->thread_count) return 0;
    uint32_t count = 0;
    acp_mutex_lock(&w->mutex);
    for (uint32_t i = 0; i < w->job_count; i++)
        count += w->jobs[i].state == ACP_JOB_DONE;
    acp_mutex_unlock(&w->mutex);
    return count;
}
