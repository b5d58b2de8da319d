/* SPDX-License-Identifier: MIT */
/* The inputs of a scenario (scenario.h): what is done to bodies and landblocks, before which steps.
 *
 * What each kind takes is in the table of docs/format-scenario.md; a member that a kind does not take is ignored. Contract: scenario.c. */
#include <math.h>
#include <string.h>

#include "acphys/body.h"
#include "base/error.h"
#include "support/scenario.h"

static void bad(acp_json_input *input, const char *key, const char *message) {
    (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, key, message);
}

static uint32_t read_flags(acp_json_input *input, const acp_json *json) {
    static const char *const names[] = {"slide", "do_not_create_cells", "scatter", "random_scatter"};
    static const uint32_t bits[] = {ACP_PLACE_SLIDE, ACP_PLACE_DO_NOT_CREATE_CELLS, ACP_PLACE_SCATTER, ACP_PLACE_RANDOM_SCATTER};
    const acp_json *list = acp_json_get_optional_array(input, json, "flags");
    uint32_t flags = 0;
    for (const acp_json *item = list ? list->first : NULL; item; item = item->next)
        flags |= bits[acp_scenario_read_choice(input, item, "flags", names, 4)];
    return flags;
}

static void read_answer(acp_json_input *input, const acp_json *json, acp_scenario_input *out) {
    const acp_json *answer = acp_json_member(json, "answer");
    if (!answer || answer->type == ACP_JSON_NULL) return;
    out->has_answer = true;
    if (acp_json_is_text(answer, "any")) {
        out->answer = UINT32_MAX;
        return;
    }
    for (out->answer = 0; out->answer <= ACP_PLACE_COLLIDED; out->answer++)
        if (acp_json_is_text(answer, acp_scenario_answer_name(out->answer))) return;
    bad(input, "answer", "is none of the answers of a placement");
}

static void read_placing(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario_input *out) {
    acp_scenario_read_place(input, memory, acp_json_member(json, "where"), "where", &out->to);
    read_answer(input, json, out);
    if (out->what == ACP_DO_PLACE) {
        out->word = read_flags(input, json);
        out->x_radius = acp_json_get_float_or(input, json, "x_radius", 0.0f);
        out->y_radius = acp_json_get_float_or(input, json, "y_radius", 0.0f);
        out->tries = acp_json_get_uint32_or(input, json, "tries", 0);
    }
    if (out->what == ACP_DO_MOVE_OR_TELEPORT) {
        uint32_t stamp = acp_json_get_uint32_or(input, json, "stamp", 0);
        if (stamp > 0xFFFFu) bad(input, "stamp", "is above 65535");
        out->word = stamp | (acp_json_get_flag_or(input, json, "contact", true) ? 0x10000u : 0u);
    }
}

static void read_probe(acp_json_input *input, acp_json_reader *memory, const acp_json *json, const acp_scenario *scenario,
                       acp_scenario_input *out) {
    const acp_json *hit = acp_json_member(json, "hit");
    acp_scenario_read_place(input, memory, acp_json_member(json, "where"), "where", &out->to);
    out->word = acp_json_get_flag_or(input, json, "slide", false);
    out->other = acp_json_member(json, "other") ? acp_scenario_read_body_name(input, json, "other", scenario) : ACP_SCENARIO_ALL;
    for (out->hit = 0; acp_scenario_hit_name(out->hit); out->hit++)
        if (acp_json_is_text(hit, acp_scenario_hit_name(out->hit))) return;
    bad(input, "hit", "is none of the kinds of hits");
}

static void read_content(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario_input *out) {
    acp_vec3 zero = {0.0f, 0.0f, 0.0f};
    switch (out->what) {
    case ACP_DO_MOTION:
        out->vector = acp_json_get_vec3_or(input, json, "velocity", zero);
        out->number = acp_json_get_float_or(input, json, "turn", 0.0f);
        break;
    case ACP_DO_VELOCITY:
    case ACP_DO_LOCAL_VELOCITY:
    case ACP_DO_OMEGA:
    case ACP_DO_JUMP:
        out->vector = acp_json_get_vec3(input, json, "velocity");
        break;
    case ACP_DO_HEADING:
    case ACP_DO_SCALE:
    case ACP_DO_FRICTION:
    case ACP_DO_ELASTICITY:
        out->number = acp_json_get_float(input, json, "value");
        break;
    case ACP_DO_WANDER:
        out->number = acp_json_get_float(input, json, "speed");
        out->x_radius = acp_json_get_float_or(input, json, "within", 80.0f);
        if (!(out->x_radius > 0.0f)) bad(input, "within", "must be positive");
        break;
    case ACP_DO_STATE:
        out->word = acp_json_get_id(input, json, "value");
        break;
    case ACP_DO_ACTIVE:
    case ACP_DO_DRIVEN:
        out->word = acp_json_get_flag(input, json, "value");
        break;
    case ACP_DO_ETHEREAL:
        out->word = acp_json_get_flag(input, json, "value");
        out->has_granted = acp_json_has(json, "granted");
        out->is_granted = acp_json_get_flag_or(input, json, "granted", true);
        break;
    case ACP_DO_PLACE:
    case ACP_DO_TELEPORT:
    case ACP_DO_FORCE:
    case ACP_DO_ANCHOR:
    case ACP_DO_MOVE_OR_TELEPORT:
        read_placing(input, memory, json, out);
        break;
    case ACP_DO_ENTER:
        out->word = acp_json_get_flag_or(input, json, "slide", false);
        read_answer(input, json, out);
        break;
    case ACP_DO_PUBLISH:
    case ACP_DO_RETIRE:
    case ACP_DO_TOGGLE:
        out->blocks = acp_scenario_read_ids(input, memory, json, "block", &out->block_count);
        break;
    case ACP_DO_PROBE:
    case ACP_DO_LEAVE:
    case ACP_DO_REMOVE:
    case ACP_DO_COUNT:
        break;
    }
}

static void read_input(acp_json_input *input, acp_json_reader *memory, const acp_json *json, const acp_scenario *scenario,
                       acp_scenario_input *out) {
    const acp_json *what = acp_json_member(json, "do");
    out->json = json;
    out->when = acp_scenario_read_when(input, json);
    if (out->when.from == 0) bad(input, "at", "inputs come before step 1 or later");
    out->what = ACP_DO_COUNT;
    for (uint32_t i = 0; i < ACP_DO_COUNT; i++)
        if (acp_json_is_text(what, acp_scenario_do_name((acp_scenario_do)i))) out->what = (acp_scenario_do)i;
    if (out->what == ACP_DO_COUNT) bad(input, "do", what ? "is nothing that can be done" : "is missing");
    if (acp_json_is_failed(input)) return;
    bool is_of_body = out->what != ACP_DO_PUBLISH && out->what != ACP_DO_RETIRE && out->what != ACP_DO_TOGGLE && out->what != ACP_DO_ANCHOR;
    out->body = is_of_body ? acp_scenario_read_body_name(input, json, "body", scenario) : ACP_SCENARIO_ALL;
    if (out->what == ACP_DO_PROBE)
        read_probe(input, memory, json, scenario, out);
    else
        read_content(input, memory, json, out);
}

bool acp_scenario_read_inputs(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *scenario) {
    const acp_json *list = acp_json_get_optional_array(input, json, "inputs");
    if (acp_json_is_failed(input)) return false;
    size_t size = ((size_t)(list ? list->count : 0) + 1) * sizeof *scenario->inputs;
    scenario->inputs = acp_json_reader_allocate(memory, size);
    if (!scenario->inputs) return acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "inputs", "memory refused") == ACP_OK;
    memset(scenario->inputs, 0, size);
    for (const acp_json *item = list ? list->first : NULL; item; item = item->next) {
        read_input(input, memory, item, scenario, &scenario->inputs[scenario->input_count]);
        if (acp_json_is_failed(input)) {
            if (input->error) input->error->byte_offset = item->offset;
            return false;
        }
        scenario->input_count++;
    }
    return true;
}
