/* SPDX-License-Identifier: MIT */
/* A tick with workers: bodies beside each other, with the result of one after another (D9).
 *
 * Every body begins (serially: hooks, integration); nothing that others can see changes in that. Steps are grouped by what they can reach
 * (groups.c). Then rounds: of each group the next step is swept, all of them at the same time, and finished serially. Within a group that
 * is the sequence itself; between groups nothing is shared. Events are put into handle order at the end.
 *
 * A tick is stepped in order instead when the stepper has one worker, hooks are not declared independent, some update needs more than one
 * quantum, or some body is about to become solid: then what begins later would depend on what was finished before.
 * Contract: world thread; when memory is refused the tick is stepped in order. Cost: that of the steps, a group search, a sort of events.
 */
#include <string.h>

#include "base/memory.h"
#include "body/tick.h"

#define MAX_QUANTUM  0.2
#define HUGE_QUANTUM 2.0
#define NONE         UINT32_MAX

static bool is_allowed(const acp_body_tick *tick) {
    if (tick->stepper->worker_count < 2) return false;
    const acp_locomotion *locomotion = acp_body_locomotion(tick->world);
    bool has_hooks = locomotion && (locomotion->root_motion || locomotion->adjust_offset || locomotion->use_time ||
                                    locomotion->left_ground || locomotion->hit_ground);
    if (has_hooks && !locomotion->is_independent) return false;
    uint32_t limit = acp_world_row_limit(tick->world);
    for (uint32_t index = 0; index < limit; ++index) {
        const acp_body_row *body = acp_body_find(tick->world, index);
        if (!body) continue;
        uint32_t transient = acp_world_row(tick->world, index)->transient_state;
        if (!(transient & ACP_TRANSIENT_ACTIVE)) continue; /* it wakes to a time of nothing */
        double dt = tick->column->now - body->update_time;
        if ((transient & ACP_TRANSIENT_CHECK_ETHEREAL) || (dt > MAX_QUANTUM && dt <= HUGE_QUANTUM)) return false;
    }
    return true;
}

static void end_update(acp_body_update *update) {
    while (acp_body_update_next(update) > 0.0f)
        ;
}

/* Begins every body; the steps that have something to finish become items. */
static uint32_t begin_all(acp_body_tick *tick) {
    acp_stepper *stepper = tick->stepper;
    uint32_t limit = acp_world_row_limit(tick->world), count = 0;
    for (uint32_t index = 0; index < limit; ++index) {
        acp_stepper_item *item = &stepper->items[count];
        acp_body_row *body = acp_body_find(tick->world, index);
        if (!body || !acp_body_tick_wakes(tick, index, body)) continue;
        if (!acp_body_update_start(body, tick->column->now, &item->update)) continue;
        float quantum = acp_body_update_next(&item->update);
        acp_body_step_begin(tick->world, stepper->contexts[0], index, quantum, &item->step);
        if (item->step.is_active) {
            ++count;
            continue;
        }
        acp_body_tick_note(tick, &item->step, item->step.result);
        tick->report->updated_count += item->step.is_resting;
        end_update(&item->update);
    }
    return count;
}

/* Chains the items of each group in order; returns how many groups there are. */
static uint32_t group_all(acp_body_tick *tick, uint32_t count) {
    acp_stepper *stepper = tick->stepper;
    acp_body_groups_begin(&stepper->groups, count);
    for (uint32_t i = 0; i < count; ++i)
        acp_body_groups_add(&stepper->groups, i, tick->world, &stepper->items[i].step);
    uint32_t group_count = 0;
    for (uint32_t i = count; i-- > 0;)
        stepper->items[i].next = NONE;
    /* heads[root] is the last item of the group while chaining; roots come before their members. */
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t root = acp_body_groups_of(&stepper->groups, i);
        if (root != i) stepper->items[stepper->heads[root]].next = i;
        stepper->heads[root] = i;
        group_count += root == i;
    }
    uint32_t head = 0;
    for (uint32_t i = 0; i < count; ++i) /* now the first items, close together */
        if (acp_body_groups_of(&stepper->groups, i) == i) stepper->heads[head++] = i;
    return group_count;
}

static void finish_batch(acp_body_tick *tick, uint32_t count) {
    acp_stepper *stepper = tick->stepper;
    for (uint32_t k = 0; k < count; ++k) {
        acp_stepper_item *item = stepper->batch[k];
        item->first_event = tick->column->events.count;
        acp_result result = acp_body_step_finish(tick->world, stepper->contexts[k], &item->step);
        item->end_event = tick->column->events.count;
        acp_body_tick_note(tick, &item->step, result);
        ++tick->report->updated_count;
        end_update(&item->update);
    }
}

/* One round: the next step of every group that has one. */
static uint32_t go_round(acp_body_tick *tick, uint32_t group_count) {
    acp_stepper *stepper = tick->stepper;
    uint32_t left = 0, taken = 0;
    for (uint32_t g = 0; g < group_count; ++g) {
        acp_stepper_item *item = &stepper->items[stepper->heads[g]];
        stepper->batch[taken++] = item;
        if (item->next != NONE) stepper->heads[left++] = item->next;
        if (taken < ACP_STEPPER_BATCH && g + 1u < group_count) continue;
        acp_stepper_sweep(stepper, tick->world, taken);
        if (taken > 1) tick->report->beside_count += taken;
        finish_batch(tick, taken);
        taken = 0;
    }
    return left;
}

/* The events of the items in the order of their handles. */
static void order_events(acp_body_tick *tick, uint32_t count, uint32_t first_event) {
    acp_stepper *stepper = tick->stepper;
    acp_event_queue *queue = &tick->column->events;
    uint32_t event_count = queue->count - first_event, written = 0;
    if (event_count == 0) return;
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t e = stepper->items[i].first_event; e < stepper->items[i].end_event; ++e)
            stepper->events[written++] = queue->items[e];
    memcpy(queue->items + first_event, stepper->events, written * sizeof *queue->items);
}

/* Room for the events of this tick: asked for before anything happens, and once more when more came than expected. */
static bool reserve_events(acp_stepper *stepper, uint32_t count) {
    if (count <= stepper->event_capacity) return true;
    uint32_t capacity = count + count / 2u + 256u;
    acp_event *events = ACP_MEMORY_NEW_ARRAY(&stepper->allocator, acp_event, capacity);
    if (!events) return false;
    ACP_MEMORY_DELETE_ARRAY(&stepper->allocator, acp_event, stepper->events, stepper->event_capacity);
    stepper->events = events;
    stepper->event_capacity = capacity;
    return true;
}

bool acp_body_tick_beside(acp_body_tick *tick) {
    acp_stepper *stepper = tick->stepper;
    if (!is_allowed(tick) || !acp_stepper_reserve(stepper, acp_world_row_limit(tick->world) + 1u) || !reserve_events(stepper, 1))
        return false;
    uint32_t first_event = tick->column->events.count;
    uint32_t count = begin_all(tick);
    uint32_t groups = group_all(tick, count);
    while (groups > 0)
        groups = go_round(tick, groups);
    if (reserve_events(stepper, tick->column->events.count - first_event))
        order_events(tick, count, first_event);
    else
        ++tick->column->events.lost; /* they are there, but out of order */
    return true;
}
