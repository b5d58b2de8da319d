/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_STEPPER_H
#define ACP_BODY_STEPPER_H

#include "base/thread.h"
#include "body/groups.h"
#include "body/step.h"

#define ACP_STEPPER_MAX_WORKERS 16u
#define ACP_STEPPER_BATCH       64u /* sweeps at the same time at most, each with a context of its own */

/* A body's step in a tick that runs beside others. */
typedef struct acp_stepper_item {
    acp_body_step step;
    acp_body_update update;
    uint32_t next;        /* of its group, UINT32_MAX = none */
    uint32_t first_event; /* of its finish, in the queue */
    uint32_t end_event;
} acp_stepper_item;

struct acp_stepper {
    acp_allocator allocator;
    uint32_t worker_count;
    uint32_t context_count; /* 1, or ACP_STEPPER_BATCH with workers */
    acp_transition_context *contexts[ACP_STEPPER_BATCH];

    /* One tick's items and their groups' heads. */
    acp_stepper_item *items;
    uint32_t *heads;
    uint32_t item_capacity;
    acp_body_groups groups;
    acp_event *events; /* for putting them in handle order */
    uint32_t event_capacity;

    /* The batch at work. */
    const acp_world *world;
    acp_stepper_item *batch[ACP_STEPPER_BATCH];
    uint32_t batch_count;
    _Atomic uint32_t next_in_batch;
    acp_mutex mutex;
    acp_condition starts;
    acp_condition ends;
    uint64_t generation; /* of the batch; workers wait for the next */
    uint32_t working;    /* workers that have not finished it */
    bool is_ending;
    bool has_mutex;
    acp_thread threads[ACP_STEPPER_MAX_WORKERS];
    uint32_t thread_count; /* started */
};

/* Room for the items of a tick; false when memory is refused. */
bool acp_stepper_reserve(acp_stepper *stepper, uint32_t count);

/* Sweeps batch[0 .. count), each in the context of its place; returns when all are done. */
void acp_stepper_sweep(acp_stepper *stepper, const acp_world *world, uint32_t count);

#endif
