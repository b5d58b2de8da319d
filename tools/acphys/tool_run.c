/* SPDX-License-Identifier: MIT */
/* Scenarios at work (tool_run.h): the frame of a run.
 *
 * Order of a step: the inputs of its number, in the order of the file; the world's step by the scenario's dt; the events; the expectations.
 * Step 0 is the state after everybody has entered. The run's hash chains the world's state hash after every step, so two runs with the same
 * hash went the same way. Contract: one thread runs it; workers are the stepper's. A refused input is a failure of the scenario, refused
 * memory ends the run. Cost: that of the world, and a look at each expected body. */
#include "tools/acphys/tool_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "body/body.h"

void acp_run_fail(acp_run *run, uint32_t object, uint32_t expectation, const char *format, ...) {
    if (run->failures < ACP_RUN_MAX_FAILURES) {
        acp_run_failure *failure = &run->kept[run->failures];
        va_list list;
        *failure = (acp_run_failure){.step = run->step, .object = object, .expectation = expectation};
        va_start(list, format);
        (void)vsnprintf(failure->text, sizeof failure->text, format, list);
        va_end(list);
    }
    run->failures++;
}

void acp_run_object_name(const acp_run *run, uint32_t object, char *out, uint32_t capacity) {
    const acp_scenario_body *body = run->objects[object].body;
    if (body->count == 1)
        (void)snprintf(out, capacity, "%s", body->name);
    else
        (void)snprintf(out, capacity, "%s.%lu", body->name, (unsigned long)(object - body->first));
}

static bool publish_first(acp_run *run) {
    const acp_scenario *s = run->scenario;
    uint32_t count = s->resident_count;
    const uint32_t *blocks = s->has_resident ? s->resident : acp_run_world_blocks(&run->world, &count);
    if (run->world.scene) {
        if (!s->has_resident) return true;
        /* Everything of a scene is there: what is not named goes. */
        for (uint32_t x = 0; x < 0x10000u; x++) {
            bool is_named = false;
            for (uint32_t i = 0; i < count && !is_named; i++)
                is_named = blocks[i] >> 16 == x;
            if (is_named || !acp_run_world_has(&run->world, x << 16)) continue;
            run->result = acp_run_world_retire(&run->world, x << 16, &run->error);
            if (run->result != ACP_OK) return false;
        }
        return true;
    }
    for (uint32_t i = 0; i < count && run->result == ACP_OK; i++)
        run->result = acp_run_world_publish(&run->world, blocks[i] & 0xFFFF0000u, &run->error);
    return run->result == ACP_OK;
}

static bool keep_events(acp_run *run) {
    uint32_t count = 0, lost = 0;
    run->event_count = 0;
    do {
        if (run->event_capacity - run->event_count < 256) {
            uint32_t capacity = run->event_capacity * 2 + 1024;
            acp_event *events = realloc(run->events, capacity * sizeof *events);
            if (!events) {
                run->result = acp_error_set(&run->error, ACP_ERROR_OUT_OF_MEMORY, "run", "memory refused");
                return false;
            }
            run->events = events;
            run->event_capacity = capacity;
        }
        acp_result result = acp_events_drain(run->world.world, run->events + run->event_count, 256, &count, &lost);
        if (result != ACP_OK || lost) {
            run->result = acp_error_set(&run->error, ACP_ERROR_OUT_OF_MEMORY, "run", "events were dropped");
            return false;
        }
        run->event_count += count;
    } while (count == 256);
    return true;
}

/* A scenario that begins in the middle of things. */
static bool set_clock(acp_run *run) {
    acp_body_column *column = acp_body_column_of(run->world.world);
    if (!column) run->result = ACP_ERROR_OUT_OF_MEMORY;
    if (!column) return false;
    column->now = run->scenario->start;
    column->last_tick = run->scenario->last_tick;
    column->tick_count = run->scenario->tick_count;
    return !run->scenario->random || acp_run_put_random(run, run->scenario->random);
}

static bool set_anchors(acp_run *run) {
    const acp_scenario *s = run->scenario;
    if (s->anchor_count == 0) return true;
    run->result = acp_world_set_anchors(run->world.world, s->anchors, s->anchor_count, s->is_culling);
    return run->result == ACP_OK;
}

static void chain_hash(acp_run *run) {
    uint64_t z = (run->hash ^ acp_world_state_hash(run->world.world)) * 0x9E3779B97F4A7C15u;
    run->hash = z ^ (z >> 29);
}

bool acp_run_begin(acp_run *run, const acp_scenario *scenario, acp_run_source *source, const acp_run_options *options,
                   acp_json_input *input) {
    memset(run, 0, sizeof *run);
    run->scenario = scenario;
    run->steps = options->is_full && scenario->full_steps ? scenario->full_steps : scenario->steps;
    run->hash = 0x243F6A8885A308D3u;
    run->objects = calloc((size_t)scenario->object_count + 1, sizeof *run->objects);
    run->result = acp_run_world_open(&run->world, source, scenario->scene, input, &run->error);
    if (run->result != ACP_OK) return false;
    acp_stepper_options stepper = acp_stepper_options_default();
    stepper.worker_count = options->worker_count;
    run->result = acp_stepper_create(&stepper, &run->stepper, &run->error);
    if (run->result == ACP_OK) run->result = acp_world_seed_random(run->world.world, scenario->seed);
    if (run->result == ACP_OK && !run->objects)
        run->result = acp_error_set(&run->error, ACP_ERROR_OUT_OF_MEMORY, "run", "no memory for the bodies");
    if (run->result != ACP_OK) return false;
    if (!set_clock(run)) return false;
    if (!set_anchors(run) || !acp_run_make_input_chances(run)) return false;
    if (!publish_first(run) || !acp_run_make_bodies(run) || !acp_run_set_locomotion(run) || !acp_run_make_memories(run)) return false;
    if (!keep_events(run)) return false;
    acp_run_look(run);
    chain_hash(run);
    return run->result == ACP_OK;
}

bool acp_run_step(acp_run *run) {
    acp_step_report report;
    if (run->result != ACP_OK || run->step >= run->steps) return false;
    run->step++;
    acp_run_apply_inputs(run);
    if (run->before && run->result == ACP_OK) run->before(run->watcher, run);
    if (run->result != ACP_OK) return false;
    run->result = acp_world_step(run->world.world, run->stepper, run->scenario->dt, &report, &run->error);
    if (run->result != ACP_OK) return false;
    run->ticks += report.is_tick;
    run->sub_steps += report.sub_step_count;
    run->sweeps += report.sweep_count;
    run->rested += report.rested_count;
    if (report.first_failure == ACP_ERROR_OUT_OF_MEMORY)
        run->result = acp_error_set(&run->error, ACP_ERROR_OUT_OF_MEMORY, "run", "no memory for a sweep");
    else if (report.failed_count)
        acp_run_fail(run, UINT32_MAX, UINT32_MAX, "%lu sweeps were given up: %s", (unsigned long)report.failed_count,
                     acp_result_name(report.first_failure));
    if (!keep_events(run)) return false;
    acp_run_look(run);
    chain_hash(run);
    if (run->after) run->after(run->watcher, run);
    return run->result == ACP_OK;
}

void acp_run_end(acp_run *run) {
    acp_run_free_memories(run);
    acp_stepper_destroy(run->stepper);
    acp_run_world_close(&run->world);
    if (run->objects && run->scenario)
        for (uint32_t i = 0; i < run->scenario->object_count; i++)
            acp_setup_destroy(run->objects[i].setup);
    free(run->objects);
    free(run->by_row);
    free(run->events);
    free(run->input_chances);
    run->input_chances = NULL;
    run->objects = NULL;
    run->by_row = NULL;
    run->events = NULL;
    run->stepper = NULL;
}
