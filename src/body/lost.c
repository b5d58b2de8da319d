/* SPDX-License-Identifier: MIT */
/* Lost bodies (D26; spec 07 PHO-17, PHO-20, 09 POP-14).
 *
 * A body whose cell is not resident is lost: it is in no list, sleeps, and keeps its place. That happens when it moves or is placed into
 * what is absent (place.c, commit.c), and here when its landblock went. When its cell is resident again it is placed, sliding allowed,
 * in the order in which bodies were lost, by handle where that is the same tick (DIV-96). A placement that finds no room leaves it without
 * a cell, and no longer lost, as the client leaves it. After 25 s the host is told once; nothing is destroyed.
 *
 * Contract: world thread, at the beginning of a tick. Cost: nothing while no landblock came or went and nobody is lost; else one look at
 * every body and a sort of those that come back. */
#include "body/place.h"
#include "body/tick.h"

#define LOST_LIFETIME 25.0

static void note_lost(acp_body_tick *tick, uint32_t index, acp_body_row *body) {
    const acp_object_row *row = acp_world_row(tick->world, index);
    if (!body->is_in_world || row->holder_cell_id != 0) return;
    body->is_in_world = false;
    if (row->parent != ACP_OBJECT_NONE || (row->state & ACP_STATE_STATIC)) return;
    acp_matrix_position place = row->position;
    acp_body_lose(tick->world, index, body, &place);
}

static void note_expired(acp_body_tick *tick, uint32_t index, acp_body_row *body) {
    if (!body->is_lost || body->has_expired || tick->column->now - body->lost_time < LOST_LIFETIME) return;
    body->has_expired = true;
    acp_body_tell(tick->world, index, ACP_EVENT_LOST_EXPIRED);
}

static bool can_return(const acp_body_tick *tick, uint32_t index, const acp_body_row *body) {
    return body->is_lost && acp_cell_exists(acp_world_cell(tick->world, acp_world_row(tick->world, index)->position.cell_id));
}

static void come_back(acp_body_tick *tick, uint32_t index, acp_body_row *body) {
    acp_transition_context *context = tick->stepper->contexts[0];
    acp_placement placement = {0};
    placement.struct_size = (uint32_t)sizeof placement;
    placement.flags = 0x1u | ACP_PLACE_SLIDE;
    acp_object_row *row = acp_world_row(tick->world, index);
    acp_matrix_position place = row->position;
    uint32_t answer = ACP_PLACE_GENERAL_FAILURE;
    body->clock = tick->column->now;
    acp_body_prepare_to_enter(row, body);
    acp_transition_context_reset(context);
    acp_result result = acp_body_set_position(tick->world, context, index, &place, &placement, &answer);
    if (result != ACP_OK) { /* it waits for the next tick */
        acp_body_step step = {0};
        step.index = index;
        acp_body_tick_note(tick, &step, result);
        body->is_lost = row->holder_cell_id == 0;
    } else if (row->holder_cell_id != 0) {
        ++tick->report->returned_count;
        acp_body_tell(tick->world, index, ACP_EVENT_RETURNED);
    } else if (!body->is_lost) {
        row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
        acp_body_tell(tick->world, index, ACP_EVENT_RETURN_REFUSED);
    }
}

/* Filing order: by the time they were lost, then by handle. */
static bool is_filed_before(const acp_body_tick *tick, uint32_t a, uint32_t b) {
    double time_a = acp_body_find(tick->world, a)->lost_time, time_b = acp_body_find(tick->world, b)->lost_time;
    return time_a < time_b || (time_a == time_b && a < b);
}

static void sort_by_filing(const acp_body_tick *tick, uint32_t *items, uint32_t count) {
    for (uint32_t gap = count / 2u; gap > 0; gap /= 2u)
        for (uint32_t i = gap; i < count; ++i) {
            uint32_t item = items[i], k = i;
            for (; k >= gap && is_filed_before(tick, item, items[k - gap]); k -= gap)
                items[k] = items[k - gap];
            items[k] = item;
        }
}

void acp_body_tick_find_lost(acp_body_tick *tick) {
    if (!tick->column->may_have_lost && tick->column->seen_residency == tick->world->residency_version) return;
    tick->column->seen_residency = tick->world->residency_version;
    tick->column->may_have_lost = false;
    uint32_t limit = acp_world_row_limit(tick->world), waiting = 0;
    for (uint32_t index = 0; index < limit; ++index) {
        acp_body_row *body = acp_body_find(tick->world, index);
        if (!body) continue;
        note_lost(tick, index, body);
        note_expired(tick, index, body);
        waiting += can_return(tick, index, body);
        tick->column->may_have_lost = tick->column->may_have_lost || body->is_lost;
    }
    if (waiting == 0 || !acp_stepper_reserve(tick->stepper, waiting)) return; /* without memory they wait on */
    uint32_t *back = tick->stepper->heads, count = 0;
    for (uint32_t index = 0; index < limit && count < waiting; ++index) {
        const acp_body_row *body = acp_body_find(tick->world, index);
        if (body && can_return(tick, index, body)) back[count++] = index;
    }
    sort_by_filing(tick, back, count);
    for (uint32_t i = 0; i < count; ++i)
        come_back(tick, back[i], acp_body_find(tick->world, back[i]));
}
