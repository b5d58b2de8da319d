/* SPDX-License-Identifier: MIT */
/* The stepper: contexts, and threads that wait for batches of sweeps (D9, L6).
 *
 * The caller's thread is one of the workers; the others sleep on a condition between batches and take sweeps from a shared counter. Which
 * thread sweeps what does not matter: a sweep uses the context of its place in the batch, and contexts are forgotten before each use
 * (DIV-95), so answers depend on nothing but the world. Everything else of a tick stays on the caller's thread (tick.c).
 *
 * Contract: threads are started by acp_stepper_create, where the caller asked for them, and joined by acp_stepper_destroy. Memory: contexts
 * at creation, lists when a tick needs them, nothing afterwards. Cost: one lock and one broadcast a batch. */
#include "body/stepper.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

acp_stepper_options acp_stepper_options_default(void) {
    acp_stepper_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = (uint32_t)sizeof options;
    options.worker_count = 1;
    options.transition = acp_transition_options_default();
    return options;
}

/* ---- the workers ---- */

static void take_sweeps(acp_stepper *stepper) {
    for (;;) {
        uint32_t i = atomic_fetch_add_explicit(&stepper->next_in_batch, 1u, memory_order_relaxed);
        if (i >= stepper->batch_count) return;
        acp_transition_context_reset(stepper->contexts[i]);
        acp_body_step_sweep(stepper->world, stepper->contexts[i], &stepper->batch[i]->step);
    }
}

static void work(void *user) {
    acp_stepper *stepper = user;
    uint64_t seen = 0;
    acp_mutex_lock(&stepper->mutex);
    for (;;) {
        while (stepper->generation == seen && !stepper->is_ending)
            acp_condition_wait(&stepper->starts, &stepper->mutex);
        if (stepper->is_ending) break;
        seen = stepper->generation;
        acp_mutex_unlock(&stepper->mutex);
        take_sweeps(stepper);
        acp_mutex_lock(&stepper->mutex);
        if (--stepper->working == 0) acp_condition_signal(&stepper->ends);
    }
    acp_mutex_unlock(&stepper->mutex);
}

void acp_stepper_sweep(acp_stepper *stepper, const acp_world *world, uint32_t count) {
    stepper->world = world;
    stepper->batch_count = count;
    atomic_store_explicit(&stepper->next_in_batch, 0u, memory_order_relaxed);
    if (stepper->thread_count == 0 || count < 2) {
        take_sweeps(stepper);
        return;
    }
    acp_mutex_lock(&stepper->mutex);
    ++stepper->generation;
    stepper->working = stepper->thread_count;
    acp_condition_broadcast(&stepper->starts);
    acp_mutex_unlock(&stepper->mutex);
    take_sweeps(stepper);
    acp_mutex_lock(&stepper->mutex);
    while (stepper->working > 0)
        acp_condition_wait(&stepper->ends, &stepper->mutex);
    acp_mutex_unlock(&stepper->mutex);
}

/* ---- its life ---- */

static acp_result start_threads(acp_stepper *stepper) {
    acp_result result = acp_mutex_init(&stepper->mutex);
    if (result != ACP_OK) return result;
    result = acp_condition_init(&stepper->starts);
    if (result != ACP_OK) {
        acp_mutex_destroy(&stepper->mutex);
        return result;
    }
    result = acp_condition_init(&stepper->ends);
    if (result != ACP_OK) {
        acp_condition_destroy(&stepper->starts);
        acp_mutex_destroy(&stepper->mutex);
        return result;
    }
    stepper->has_mutex = true;
    while (stepper->thread_count + 1u < stepper->worker_count) {
        result = acp_thread_create(&stepper->threads[stepper->thread_count], work, stepper);
        if (result != ACP_OK) return result;
        ++stepper->thread_count;
    }
    return ACP_OK;
}

acp_result acp_stepper_create(const acp_stepper_options *options, acp_stepper **out_stepper, acp_error *error) {
    static const char operation[] = "create stepper";
    if (!out_stepper) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no place for the stepper");
    *out_stepper = NULL;
    acp_stepper_options chosen = acp_stepper_options_default();
    if (options) {
        if (options->struct_size < sizeof chosen)
            return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "options without their size");
        chosen = *options;
    }
    if (chosen.worker_count < 1 || chosen.worker_count > ACP_STEPPER_MAX_WORKERS)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "%u workers, not 1 to 16", (unsigned)chosen.worker_count);
    acp_allocator allocator = acp_memory_allocator(chosen.allocator);
    acp_stepper *stepper = ACP_MEMORY_NEW(&allocator, acp_stepper);
    if (!stepper) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory");
    stepper->allocator = allocator;
    stepper->worker_count = chosen.worker_count;
    acp_body_groups_init(&stepper->groups, &stepper->allocator);
    uint32_t wanted = chosen.worker_count > 1 ? ACP_STEPPER_BATCH : 1u;
    acp_result result = ACP_OK;
    while (result == ACP_OK && stepper->context_count < wanted) {
        result = acp_transition_context_create(&chosen.transition, &stepper->contexts[stepper->context_count], error);
        if (result == ACP_OK) ++stepper->context_count;
    }
    if (result == ACP_OK && chosen.worker_count > 1) {
        result = start_threads(stepper);
        if (result != ACP_OK) acp_error_set(error, result, operation, "the system gives no thread");
    }
    if (result != ACP_OK) {
        acp_stepper_destroy(stepper);
        return result;
    }
    *out_stepper = stepper;
    return ACP_OK;
}

void acp_stepper_destroy(acp_stepper *stepper) {
    if (!stepper) return;
    if (stepper->has_mutex) {
        acp_mutex_lock(&stepper->mutex);
        stepper->is_ending = true;
        acp_condition_broadcast(&stepper->starts);
        acp_mutex_unlock(&stepper->mutex);
        for (uint32_t i = 0; i < stepper->thread_count; ++i)
            acp_thread_join(&stepper->threads[i]);
        acp_condition_destroy(&stepper->ends);
        acp_condition_destroy(&stepper->starts);
        acp_mutex_destroy(&stepper->mutex);
    }
    for (uint32_t i = 0; i < stepper->context_count; ++i)
        acp_transition_context_destroy(stepper->contexts[i]);
    acp_body_groups_free(&stepper->groups);
    acp_allocator allocator = stepper->allocator;
    ACP_MEMORY_DELETE_ARRAY(&allocator, acp_stepper_item, stepper->items, stepper->item_capacity);
    ACP_MEMORY_DELETE_ARRAY(&allocator, uint32_t, stepper->heads, stepper->item_capacity);
    ACP_MEMORY_DELETE_ARRAY(&allocator, acp_event, stepper->events, stepper->event_capacity);
    ACP_MEMORY_DELETE(&allocator, acp_stepper, stepper);
}

acp_transition_context *acp_stepper_context(acp_stepper *stepper) { return stepper ? stepper->contexts[0] : NULL; }

bool acp_stepper_reserve(acp_stepper *stepper, uint32_t count) {
    if (count <= stepper->item_capacity) return true;
    uint32_t capacity = count + count / 2u + 64u;
    acp_stepper_item *items = ACP_MEMORY_NEW_ARRAY(&stepper->allocator, acp_stepper_item, capacity);
    uint32_t *heads = ACP_MEMORY_NEW_ARRAY(&stepper->allocator, uint32_t, capacity);
    if (!items || !heads) {
        ACP_MEMORY_DELETE_ARRAY(&stepper->allocator, acp_stepper_item, items, capacity);
        ACP_MEMORY_DELETE_ARRAY(&stepper->allocator, uint32_t, heads, capacity);
        return false;
    }
    ACP_MEMORY_DELETE_ARRAY(&stepper->allocator, acp_stepper_item, stepper->items, stepper->item_capacity);
    ACP_MEMORY_DELETE_ARRAY(&stepper->allocator, uint32_t, stepper->heads, stepper->item_capacity);
    stepper->items = items;
    stepper->heads = heads;
    stepper->item_capacity = capacity;
    return true;
}
