/* SPDX-License-Identifier: MIT */
/* Scenarios read from JSON: the frame around the lists, places, and what the lists' readers share.
 *
 * Contract: everything that can be known without a world is checked here or in the three readers (scenario_bodies.c, scenario_inputs.c,
 * scenario_expectations.c): forms, ranges, names of bodies, kinds. The first fault is kept, with the byte of the list's entry where it is.
 * Everything lives in the reader of the text; nothing is freed one by one. Limits: 100,000 bodies, 100,000,000 steps, places within places
 * (`any`) one level deep. Cost: linear in the text, but for names of bodies, which are searched (inputs times bodies). */
#include "support/scenario.h"

#include <math.h>
#include <string.h>

#include "acphys/body.h"
#include "base/error.h"

static void bad(acp_json_input *input, const char *key, const char *message) {
    (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, key, message);
}

static bool is_present(const acp_json *value) { return value && value->type != ACP_JSON_NULL; }

/* ---- names ---- */

static const char *const answer_names[] = {"placed", "general_failure", "no_valid_position", "no_cell", "collided"};
static const char *const event_names[] = {"hit_environment", "hit_object",     "attack",      "touch_ended",
                                          "left_ground",     "hit_ground",     "lost",        "cell",
                                          "returned",        "return_refused", "lost_expired"};
static const char *const do_names[ACP_DO_COUNT] = {"motion",   "velocity", "local_velocity",   "omega",  "jump",   "heading",  "state",
                                                   "scale",    "friction", "elasticity",       "active", "driven", "ethereal", "place",
                                                   "teleport", "force",    "move_or_teleport", "enter",  "leave",  "remove",   "publish",
                                                   "retire",   "toggle",   "wander",           "anchor", "probe"};

const char *acp_scenario_answer_name(uint32_t answer) {
    return answer < sizeof answer_names / sizeof answer_names[0] ? answer_names[answer] : NULL;
}

const char *acp_scenario_event_name(uint32_t kind) {
    return kind >= 1 && kind <= sizeof event_names / sizeof event_names[0] ? event_names[kind - 1] : NULL;
}

static const char *const hit_names[] = {"none",  "terrain",     "room",    "building",    "object",
                                        "water", "restriction", "no_cell", "outside_map", "no_ground"};

const char *acp_scenario_hit_name(uint32_t hit) { return hit < sizeof hit_names / sizeof hit_names[0] ? hit_names[hit] : NULL; }

const char *acp_scenario_do_name(acp_scenario_do what) { return (uint32_t)what < ACP_DO_COUNT ? do_names[what] : NULL; }

uint32_t acp_scenario_read_choice(acp_json_input *input, const acp_json *value, const char *key, const char *const *names, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (acp_json_is_text(value, names[i])) return i;
    bad(input, key, value ? "is none of the known names" : "is missing");
    return 0;
}

uint32_t acp_scenario_read_body_name(acp_json_input *input, const acp_json *object, const char *key, const acp_scenario *scenario) {
    const acp_json *value = acp_json_member(object, key);
    if (acp_json_is_text(value, "*")) return ACP_SCENARIO_ALL;
    for (uint32_t i = 0; i < scenario->body_count; i++)
        if (acp_json_is_text(value, scenario->bodies[i].name)) return i;
    bad(input, key, value ? "names no body" : "is missing");
    return ACP_SCENARIO_ALL;
}

/* ---- numbers ---- */

uint32_t *acp_scenario_read_ids(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                uint32_t *out_count) {
    *out_count = 0;
    const acp_json *value = acp_json_member(object, key);
    if (!is_present(value)) return NULL;
    bool is_list = value->type == ACP_JSON_ARRAY;
    uint32_t count = is_list ? value->count : 1;
    uint32_t *ids = acp_json_reader_allocate(memory, ((size_t)count + 1) * sizeof *ids);
    if (!ids) {
        (void)acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, key, "memory refused");
        return NULL;
    }
    for (const acp_json *item = is_list ? value->first : value; item && *out_count < count; item = is_list ? item->next : NULL)
        ids[(*out_count)++] = acp_json_to_id(input, item, key);
    return ids;
}

/* A step: a number, or "end". */
static uint32_t read_step(acp_json_input *input, const acp_json *object, const char *key, uint32_t fallback) {
    const acp_json *value = acp_json_member(object, key);
    int64_t step = 0;
    if (!is_present(value)) return fallback;
    if (acp_json_is_text(value, "end")) return ACP_SCENARIO_END;
    if (acp_json_to_int64(value, &step) && step >= 0 && step <= (int64_t)ACP_SCENARIO_MAX_STEPS) return (uint32_t)step;
    bad(input, key, "must be a step, or \"end\"");
    return fallback;
}

acp_scenario_when acp_scenario_read_when(acp_json_input *input, const acp_json *object) {
    acp_scenario_when when = {0, 0, 1};
    if (is_present(acp_json_member(object, "at"))) {
        when.from = when.to = read_step(input, object, "at", 0);
        return when;
    }
    if (!is_present(acp_json_member(object, "from"))) bad(input, "at", "is missing, and so is from");
    when.from = read_step(input, object, "from", 0);
    when.to = read_step(input, object, "to", ACP_SCENARIO_END);
    when.every = acp_json_get_uint32_or(input, object, "every", 1);
    if (when.every == 0) bad(input, "every", "must be at least 1");
    if (when.to < when.from) bad(input, "to", "is before from");
    return when;
}

/* ---- places ---- */

static void read_named(acp_json_input *input, const acp_json *name, acp_scenario_place *out) {
    if (!name || name->type != ACP_JSON_STRING || name->count == 0) {
        bad(input, "place", "must be the name of a place");
        return;
    }
    out->kind = ACP_SCENARIO_NAMED;
    out->name = (acp_scenario_text){name->text, name->count};
}

static void read_any(acp_json_input *input, acp_json_reader *memory, const acp_json *list, acp_scenario_place *out) {
    acp_scenario_place *items = acp_json_reader_allocate(memory, ((size_t)list->count + 1) * sizeof *items);
    uint32_t count = 0;
    if (!items) {
        (void)acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "any", "memory refused");
        return;
    }
    if (list->count == 0) bad(input, "any", "is empty");
    for (const acp_json *item = list->first; item; item = item->next) {
        if (acp_json_member(item, "any")) {
            bad(input, "any", "within any");
            return;
        }
        acp_scenario_read_place(input, memory, item, "any", &items[count++]);
        if (acp_json_is_failed(input)) return;
    }
    out->kind = ACP_SCENARIO_ANY;
    out->items = items;
    out->item_count = count;
}

void acp_scenario_read_place(acp_json_input *input, acp_json_reader *memory, const acp_json *value, const char *key,
                             acp_scenario_place *out) {
    memset(out, 0, sizeof *out);
    if (value && value->type == ACP_JSON_STRING) {
        read_named(input, value, out);
        return;
    }
    if (!value || value->type != ACP_JSON_OBJECT) {
        bad(input, key, "must be a place: a name or an object");
        return;
    }
    out->has_heading = acp_json_has(value, "heading");
    out->heading = acp_json_get_float_or(input, value, "heading", 0.0f);
    out->is_on_ground = acp_json_get_flag_or(input, value, "ground", false);
    const acp_json *any = acp_json_get_optional_array(input, value, "any");
    if (any) {
        read_any(input, memory, any, out);
    } else if (acp_json_member(value, "place")) {
        read_named(input, acp_json_member(value, "place"), out);
        out->offset = acp_json_get_vec3_or(input, value, "offset", out->offset);
    } else if (acp_json_has(value, "min")) {
        out->kind = ACP_SCENARIO_RANDOM;
        out->position.cell_id = acp_json_get_id(input, value, "cell");
        out->position.frame.rotation.w = 1.0f;
        out->low = acp_json_get_vec3(input, value, "min");
        out->high = acp_json_get_vec3(input, value, "max");
        if (!(out->low.x <= out->high.x && out->low.y <= out->high.y && out->low.z <= out->high.z)) bad(input, "max", "is below min");
    } else {
        acp_matrix_position position = acp_json_to_position(input, value);
        out->kind = ACP_SCENARIO_AT;
        out->position.cell_id = position.cell_id;
        out->position.frame.origin = position.frame.origin;
        out->position.frame.rotation = position.frame.rotation;
    }
    if (!isfinite(out->heading)) bad(input, "heading", "is not finite");
}

/* ---- the whole ---- */

static void read_name(acp_json_input *input, const acp_json *json, acp_scenario *out) {
    uint32_t length = 0;
    const char *text = acp_json_get_string(input, json, "name", &length);
    if (!text) return;
    if (length == 0 || length >= sizeof out->name) {
        bad(input, "name", "must have 1 to 63 bytes");
        return;
    }
    for (uint32_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20) bad(input, "name", "has control characters");
    memcpy(out->name, text, length);
}

static void read_time(acp_json_input *input, const acp_json *json, acp_scenario *out) {
    out->dt = acp_json_get_double_or(input, json, "dt", 0.0625);
    if (!(out->dt >= 0.0 && out->dt <= 1e9)) bad(input, "dt", "must be 0 to 1e9 seconds");
    out->steps = acp_json_get_uint32(input, json, "steps");
    out->full_steps = acp_json_get_uint32_or(input, json, "full_steps", 0);
    if (out->steps > ACP_SCENARIO_MAX_STEPS || out->full_steps > ACP_SCENARIO_MAX_STEPS) bad(input, "steps", "is above 100,000,000");
    if (out->full_steps && out->full_steps < out->steps) bad(input, "full_steps", "is below steps");
    out->start = acp_json_get_double_or(input, json, "start", 0.0);
    out->last_tick = acp_json_get_double_or(input, json, "last_tick", out->start);
    if (!(out->start >= 0.0 && out->start <= 3e9 && out->last_tick >= 0.0 && out->last_tick <= out->start))
        bad(input, "start", "must be 0 to 3e9 seconds, and last_tick not after it");
    out->seed = acp_json_get_uint32_or(input, json, "seed", 1);
}

/* What a run that begins in the middle of things goes on with. */
static void read_middle(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *out) {
    uint32_t words = 0;
    out->tick_count = acp_json_get_uint32_or(input, json, "ticks", 0);
    out->random = acp_scenario_read_ids(input, memory, json, "random", &words);
    if (out->random && words != ACP_SCENARIO_RANDOM_WORDS) bad(input, "random", "must have 35 words");
    if (out->random && (out->random[0] - 1u >= 2147483562u || out->random[1] - 1u >= 2147483398u || out->random[2] >= 2147483563u))
        bad(input, "random", "is no state of the generator");
    out->is_culling = acp_json_get_flag_or(input, json, "culling", true);
    const acp_json *list = acp_json_get_optional_array(input, json, "anchors");
    size_t size = ((size_t)(list ? list->count : 0) + 1) * sizeof *out->anchors;
    acp_position *anchors = list ? acp_json_reader_allocate(memory, size) : NULL;
    if (list && !anchors) (void)acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "anchors", "memory refused");
    for (const acp_json *item = anchors ? list->first : NULL; item && !acp_json_is_failed(input); item = item->next) {
        acp_matrix_position position = acp_json_to_position(input, item);
        anchors[out->anchor_count++] = (acp_position){position.cell_id, {position.frame.origin, position.frame.rotation}};
    }
    out->anchors = anchors;
}

bool acp_scenario_read(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *out) {
    memset(out, 0, sizeof *out);
    out->json = json;
    if (!json || json->type != ACP_JSON_OBJECT) {
        bad(input, "scenario", "must be an object");
        return false;
    }
    read_name(input, json, out);
    const acp_json *comment = acp_json_member(json, "comment");
    if (comment && comment->type == ACP_JSON_STRING) out->comment = (acp_scenario_text){comment->text, comment->count};
    read_time(input, json, out);
    out->scene = acp_json_get_optional_object(input, json, "scene");
    out->has_resident = is_present(acp_json_member(json, "resident"));
    out->resident = acp_scenario_read_ids(input, memory, json, "resident", &out->resident_count);
    read_middle(input, memory, json, out);
    if (acp_json_is_failed(input)) return false;
    return acp_scenario_read_bodies(input, memory, json, out) && acp_scenario_read_inputs(input, memory, json, out) &&
           acp_scenario_read_expectations(input, memory, json, out);
}
