/* SPDX-License-Identifier: MIT */
/* The tick of a world (spec 07 PHO-6; D9, D13, D26).
 *
 * Time gathers until it is 1/30 s, then every body updates by its own time in handle order, one after another or, with workers, as if so;
 * animated statics come last. Before that, bodies whose landblock went since the last tick are lost, and lost ones whose landblock came
 * are placed. Each step starts from a forgotten context, so its answer depends on nothing but the world (DIV-95).
 *
 * Contract: world thread. What goes wrong with a single body is in the report, the others go on. The gate has a slack of a microsecond, so
 * that a host which steps by 1/30 s gets its tick every time, whatever its sums round to (DIV-90). Limits: the world's time ends at 4e9 s.
 * Cost: one look at every body; what moves costs its step. retail: CPhysics::UseTime 0x00509950 */
#include "body/tick.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "body/place.h"

#define TICK_LENGTH  (1.0 / 30.0)
#define TICK_SLACK   1.0e-6
#define END_OF_TIME  4.0e9
#define HUGE_QUANTUM 2.0

void acp_body_tick_note(acp_body_tick *tick, const acp_body_step *step, acp_result result) {
    acp_step_report *report = tick->report;
    if (step->is_active || step->is_resting) ++report->sub_step_count;
    report->rested_count += step->is_resting;
    report->sweep_count += step->needs_sweep;
    if (result == ACP_OK) return;
    if (report->failed_count++ > 0) return;
    report->first_failure = result;
    report->failed_object = acp_world_handle(tick->world, step->index);
}

static void update_one(acp_body_tick *tick, uint32_t index, acp_body_update *update) {
    acp_transition_context *context = tick->stepper->contexts[0];
    bool has_moved = false;
    for (float quantum; (quantum = acp_body_update_next(update)) > 0.0f;) {
        acp_body_step step;
        acp_transition_context_reset(context);
        acp_body_step_begin(tick->world, context, index, quantum, &step);
        acp_body_step_sweep(tick->world, context, &step);
        acp_result result = acp_body_step_finish(tick->world, context, &step);
        acp_body_tick_note(tick, &step, result);
        has_moved = has_moved || step.is_active || step.is_resting;
    }
    tick->report->updated_count += has_moved;
}

bool acp_body_tick_wakes(acp_body_tick *tick, uint32_t index, acp_body_row *body) {
    acp_object_row *row = &tick->world->pages[index / ACP_WORLD_ROWS_PER_PAGE][index % ACP_WORLD_ROWS_PER_PAGE];
    ++tick->report->body_count;
    if (!(row->transient_state & ACP_TRANSIENT_ACTIVE) && tick->column->anchor_count == 0) return false;
    if (!acp_body_update_watch(tick->column, row, body, tick->column->now)) return false;
    return (row->transient_state & ACP_TRANSIENT_ACTIVE) != 0;
}

/* One body after another. */
static void update_in_order(acp_body_tick *tick) {
    for (uint32_t page = 0; page < tick->column->page_count; ++page) {
        acp_body_row **rows = tick->column->pages[page];
        for (uint32_t k = 0; rows && k < ACP_BODY_ROWS_PER_PAGE; ++k) {
            acp_body_row *body = rows[k];
            acp_body_update update;
            uint32_t index = page * ACP_BODY_ROWS_PER_PAGE + k;
            if (!body || !acp_body_tick_wakes(tick, index, body)) continue;
            if (acp_body_update_start(body, tick->column->now, &update)) update_one(tick, index, &update);
        }
    }
}

/* PHO-6 animate_static_object. */
static void animate(acp_body_tick *tick, uint32_t index) {
    acp_object_row *row = acp_world_row(tick->world, index);
    acp_body_row *body = acp_body_find(tick->world, index);
    if (!body || row->holder_cell_id == 0) return;
    double now = tick->column->now, dt = now - body->update_time;
    if (dt > ACP_EPSILON_F64 && dt < TICK_LENGTH - TICK_SLACK) return;
    if (dt > ACP_EPSILON_F64 && dt <= HUGE_QUANTUM && row->setup && (row->state & ACP_STATE_HAS_DEFAULT_ANIMATION)) {
        const acp_locomotion *locomotion = acp_body_locomotion(tick->world);
        if (locomotion && locomotion->animate_static)
            locomotion->animate_static(locomotion->user, tick->world, acp_world_handle(tick->world, index), acp_f32(dt));
        acp_matrix_frame_grotate(&row->position.frame, body->omega); /* not times dt: as the client does */
        acp_object_place_parts(tick->world, index);
    }
    body->clock = body->update_time = now;
}

static acp_result check_step(const acp_world *world, const acp_stepper *stepper, double dt, acp_error *error) {
    static const char operation[] = "step world";
    if (!world || !stepper) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no world or no stepper");
    if (!isfinite(dt)) return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the time is not finite");
    if (dt < 0.0) return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "time does not go back");
    if (acp_world_now(world) + dt > END_OF_TIME)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the world's time would pass 4e9 s");
    return ACP_OK;
}

acp_result acp_world_step(acp_world *world, acp_stepper *stepper, double dt, acp_step_report *out_report, acp_error *error) {
    acp_step_report own;
    acp_step_report *report = out_report ? out_report : &own;
    memset(report, 0, sizeof *report);
    acp_result result = check_step(world, stepper, dt, error);
    if (result != ACP_OK) return result;
    acp_body_column *column = acp_body_column_of(world);
    if (!column) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "step world", "no memory for bodies");
    column->now += dt;
    if (column->now - column->last_tick + TICK_SLACK < TICK_LENGTH) return ACP_OK;
    acp_body_tick tick = {world, stepper, column, report};
    report->is_tick = 1;
    uint32_t first_event = column->events.count;
    acp_body_tick_find_lost(&tick);
    column->is_stepping = true;
    if (!acp_body_tick_beside(&tick)) update_in_order(&tick);
    column->is_stepping = false;
    column->last_tick = column->now;
    ++column->tick_count;
    for (uint32_t i = 0; i < column->statics.count; ++i)
        animate(&tick, column->statics.items[i]);
    for (uint32_t i = first_event; i < column->events.count; ++i)
        report->lost_count += column->events.items[i].kind == ACP_EVENT_LOST;
    return ACP_OK;
}

double acp_world_now(const acp_world *world) {
    const acp_body_column *column = world ? world->columns[ACP_COLUMN_BODY].data : NULL;
    return column ? column->now : 0.0;
}

uint64_t acp_world_tick_count(const acp_world *world) {
    const acp_body_column *column = world ? world->columns[ACP_COLUMN_BODY].data : NULL;
    return column ? column->tick_count : 0;
}

acp_result acp_world_seed_random(acp_world *world, uint32_t seed) {
    if (!world) return ACP_ERROR_INVALID_ARGUMENT;
    acp_body_column *column = acp_body_column_of(world);
    if (!column) return ACP_ERROR_OUT_OF_MEMORY;
    acp_random_seed(&column->random, seed);
    return ACP_OK;
}

acp_result acp_world_next_random(acp_world *world, float low, float high, float *out_value) {
    if (!world || !out_value) return ACP_ERROR_INVALID_ARGUMENT;
    if (!isfinite(low) || !isfinite(high)) return ACP_ERROR_NOT_FINITE;
    acp_body_column *column = acp_body_column_of(world);
    if (!column) return ACP_ERROR_OUT_OF_MEMORY;
    *out_value = acp_random_between(&column->random, low, high);
    return ACP_OK;
}
