/* SPDX-License-Identifier: MIT */
/* The expectations of a scenario (scenario.h): what must be seen, after which steps.
 *
 * An expectation looks at one body, or at all, and has at least one part. Parts of a moment are looked at after every step that it names;
 * parts of an interval (events, cell path, way, what stays the same, sub-steps) at its last. A list of three may have nulls: those
 * components are free. Contract: scenario.c. */
#include <math.h>
#include <string.h>

#include "acphys/body.h"
#include "base/error.h"
#include "support/scenario.h"

static void bad(acp_json_input *input, const char *key, const char *message) {
    (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, key, message);
}

/* [x, y, z] with nulls, or <key>_hex with all three. */
static bool read_vector(acp_json_input *input, const acp_json *json, const char *key, acp_scenario_vector *out) {
    const acp_json *list = acp_json_member(json, key);
    if (acp_json_member_hex(json, key)) {
        acp_json_get_float_array(input, json, key, out->value, 3);
        out->is_given[0] = out->is_given[1] = out->is_given[2] = true;
        return true;
    }
    if (!list || list->type == ACP_JSON_NULL) return false;
    if (list->type != ACP_JSON_ARRAY || list->count != 3) {
        bad(input, key, "must be a list of three");
        return false;
    }
    uint32_t i = 0;
    for (const acp_json *item = list->first; item; item = item->next, i++) {
        if (item->type == ACP_JSON_NULL) continue;
        out->is_given[i] = true;
        if (!acp_json_to_float(item, &out->value[i]) || !isfinite(out->value[i])) bad(input, key, "must hold finite numbers or nulls");
    }
    return true;
}

static void read_bit(acp_json_input *input, const acp_json *json, const char *key, uint32_t bit, uint32_t *io_mask, uint32_t *io_bits) {
    if (!acp_json_has(json, key)) return;
    *io_mask |= bit;
    if (acp_json_get_flag(input, json, key)) *io_bits |= bit;
}

static void read_words(acp_json_input *input, const acp_json *json, acp_scenario_expectation *out) {
    static const struct {
        const char *name;
        uint32_t bit;
    } bits[] = {{"contact", ACP_TRANSIENT_CONTACT}, {"walkable", ACP_TRANSIENT_ON_WALKABLE},
                {"sliding", ACP_TRANSIENT_SLIDING}, {"water", ACP_TRANSIENT_WATER_CONTACT},
                {"active", ACP_TRANSIENT_ACTIVE},   {"checks_ethereal", ACP_TRANSIENT_CHECK_ETHEREAL}};
    for (uint32_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        read_bit(input, json, bits[i].name, bits[i].bit, &out->word_mask, &out->words);
    read_bit(input, json, "ethereal", ACP_STATE_ETHEREAL, &out->state_mask, &out->state);
    read_bit(input, json, "missile", ACP_STATE_MISSILE, &out->state_mask, &out->state);
    if (out->word_mask) out->parts |= ACP_EXPECT_WORDS;
    if (out->state_mask) out->parts |= ACP_EXPECT_STATE;
    if (acp_json_has(json, "lost")) {
        out->parts |= ACP_EXPECT_LOST;
        out->is_lost = acp_json_get_flag(input, json, "lost");
    }
}

static void read_cells(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario_expectation *out) {
    out->cells = acp_scenario_read_ids(input, memory, json, "cell", &out->cell_count);
    if (out->cells) out->parts |= ACP_EXPECT_CELL;
    out->rows = acp_scenario_read_ids(input, memory, json, "cells", &out->row_count);
    if (out->rows) {
        out->parts |= ACP_EXPECT_CELLS;
    } else {
        out->rows = acp_scenario_read_ids(input, memory, json, "cells_include", &out->row_count);
        if (out->rows) out->parts |= ACP_EXPECT_CELLS_INCLUDE;
    }
    out->path = acp_scenario_read_ids(input, memory, json, "cell_path", &out->path_count);
    if (out->path) out->parts |= ACP_EXPECT_CELL_PATH;
}

static void read_event(acp_json_input *input, const acp_json *json, const acp_scenario *scenario, acp_scenario_expectation *out) {
    const acp_json *event = acp_json_member(json, "event");
    if (!event) return;
    out->parts |= ACP_EXPECT_EVENT;
    for (out->event = 1; acp_scenario_event_name(out->event); out->event++)
        if (acp_json_is_text(event, acp_scenario_event_name(out->event))) break;
    if (!acp_scenario_event_name(out->event)) bad(input, "event", "is none of the kinds of events");
    out->event_min = acp_json_get_uint32_or(input, json, "count", 1);
    out->event_max = out->event_min;
    if (acp_json_has(json, "at_least")) {
        out->event_min = acp_json_get_uint32(input, json, "at_least");
        out->event_max = UINT32_MAX;
    }
    out->event_other = acp_json_member(json, "other") ? acp_scenario_read_body_name(input, json, "other", scenario) : ACP_SCENARIO_ALL;
    (void)read_vector(input, json, "event_velocity", &out->event_velocity);
}

static void read_interval(acp_json_input *input, const acp_json *json, acp_scenario_expectation *out) {
    if (acp_json_get_flag_or(input, json, "unchanged", false)) out->parts |= ACP_EXPECT_UNCHANGED;
    if (acp_json_get_flag_or(input, json, "membership", false)) out->parts |= ACP_EXPECT_MEMBERSHIP;
    if (acp_json_get_flag_or(input, json, "same_rows", false)) out->parts |= ACP_EXPECT_ROWS;
    const acp_json *same = acp_json_get_optional_array(input, json, "same");
    static const char *const axes[] = {"x", "y", "z"};
    for (const acp_json *item = same ? same->first : NULL; item; item = item->next)
        out->same_axes |= 1u << acp_scenario_read_choice(input, item, "same", axes, 3);
    if (same) out->parts |= ACP_EXPECT_SAME;
    out->moved_min = acp_json_get_float_or(input, json, "moved_at_least", 0.0f);
    out->moved_max = acp_json_get_float_or(input, json, "moved_at_most", INFINITY);
    if (acp_json_has(json, "moved_at_least") || acp_json_has(json, "moved_at_most")) out->parts |= ACP_EXPECT_MOVED;
    if (acp_json_has(json, "rooms_at_least")) {
        out->parts |= ACP_EXPECT_ROOMS;
        out->room_min = acp_json_get_uint32(input, json, "rooms_at_least");
    }
    const acp_json *sub_steps = acp_json_get_optional_array(input, json, "sub_steps");
    if (sub_steps) {
        int64_t low = 0, high = 0;
        out->parts |= ACP_EXPECT_SUB_STEPS;
        if (sub_steps->count != 2 || !acp_json_to_int64(sub_steps->first, &low) || !acp_json_to_int64(sub_steps->first->next, &high) ||
            low < 0 || high < low || high > (int64_t)UINT32_MAX)
            bad(input, "sub_steps", "must be [at least, at most]");
        out->sub_step_min = (uint32_t)low;
        out->sub_step_max = (uint32_t)high;
    }
}

static void read_expectation(acp_json_input *input, acp_json_reader *memory, const acp_json *json, const acp_scenario *scenario,
                             acp_scenario_expectation *out) {
    out->json = json;
    out->when = acp_scenario_read_when(input, json);
    out->body = ACP_SCENARIO_ALL;
    if (acp_json_member(json, "body")) out->body = acp_scenario_read_body_name(input, json, "body", scenario);
    out->tolerance = acp_json_get_float_or(input, json, "tolerance", 0.0f);
    if (!(out->tolerance >= 0.0f)) bad(input, "tolerance", "must not be negative");
    if (read_vector(input, json, "o", &out->origin)) out->parts |= ACP_EXPECT_ORIGIN;
    if (read_vector(input, json, "min", &out->low)) out->parts |= ACP_EXPECT_MIN;
    if (read_vector(input, json, "max", &out->high)) out->parts |= ACP_EXPECT_MAX;
    if (read_vector(input, json, "normal", &out->normal)) out->parts |= ACP_EXPECT_NORMAL;
    if (read_vector(input, json, "velocity", &out->velocity)) out->parts |= ACP_EXPECT_VELOCITY;
    if (read_vector(input, json, "cached_velocity", &out->cached_velocity)) out->parts |= ACP_EXPECT_CACHED;
    if (read_vector(input, json, "sliding_normal", &out->sliding_normal)) out->parts |= ACP_EXPECT_SLIDING_NORMAL;
    if (acp_json_has(json, "speed_at_most")) {
        out->parts |= ACP_EXPECT_SPEED;
        out->speed_limit = acp_json_get_float(input, json, "speed_at_most");
    }
    if (acp_json_has(json, "contact_cell")) {
        out->parts |= ACP_EXPECT_CONTACT_CELL;
        out->contact_cell_id = acp_json_get_id(input, json, "contact_cell");
    }
    read_words(input, json, out);
    read_cells(input, memory, json, out);
    read_event(input, json, scenario, out);
    read_interval(input, json, out);
    if (!out->parts) bad(input, "expect", "expects nothing");
}

bool acp_scenario_read_expectations(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *scenario) {
    const acp_json *list = acp_json_get_optional_array(input, json, "expect");
    if (acp_json_is_failed(input)) return false;
    size_t size = ((size_t)(list ? list->count : 0) + 1) * sizeof *scenario->expectations;
    scenario->expectations = acp_json_reader_allocate(memory, size);
    if (!scenario->expectations) return acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "expect", "memory refused") == ACP_OK;
    memset(scenario->expectations, 0, size);
    for (const acp_json *item = list ? list->first : NULL; item; item = item->next) {
        read_expectation(input, memory, item, scenario, &scenario->expectations[scenario->expectation_count]);
        if (acp_json_is_failed(input)) {
            if (input->error) input->error->byte_offset = item->offset;
            return false;
        }
        scenario->expectation_count++;
    }
    return true;
}
