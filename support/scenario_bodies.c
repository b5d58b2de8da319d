/* SPDX-License-Identifier: MIT */
/* The bodies of a scenario (scenario.h): who is there, of which model, where, in which words, and as what it begins.
 *
 * A body has one model: a record id, a setup of the inline scene, or spheres and cylspheres given in place. `count` makes so many alike,
 * numbered on after all bodies before them. Names are unique. Contract and limits: scenario.c. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "acphys/body.h"
#include "base/error.h"
#include "support/scenario.h"

static void bad(acp_json_input *input, const char *key, const char *message) {
    (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, key, message);
}

static void *allocate(acp_json_input *input, acp_json_reader *memory, size_t size) {
    void *bytes = acp_json_reader_allocate(memory, size ? size : 1);
    if (!bytes)
        (void)acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "bodies", "memory refused");
    else
        memset(bytes, 0, size);
    return bytes;
}

static const struct {
    const char *name;
    uint32_t bits;
} predicates[] = {
    {"game_object", ACP_PREDICATE_GAME_OBJECT},
    {"player", ACP_PREDICATE_PLAYER},
    {"creature", ACP_PREDICATE_CREATURE},
    {"pk", ACP_PREDICATE_PK},
    {"pk_lite", ACP_PREDICATE_PK_LITE},
    {"impenetrable", ACP_PREDICATE_IMPENETRABLE},
    {"hook", ACP_PREDICATE_HOOK},
    {"storage", ACP_PREDICATE_STORAGE},
    {"corpse", ACP_PREDICATE_CORPSE},
    {"attackable", ACP_PREDICATE_ATTACKABLE},
    {"door", ACP_PREDICATE_DOOR},
    {"fills_profile", ACP_PREDICATE_FILLS_PROFILE},
};

static uint32_t read_predicates(acp_json_input *input, const acp_json *json) {
    const acp_json *list = acp_json_get_optional_array(input, json, "is");
    uint32_t bits = 0;
    for (const acp_json *item = list ? list->first : NULL; item; item = item->next) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < sizeof predicates / sizeof predicates[0]; i++)
            if (acp_json_is_text(item, predicates[i].name)) found = predicates[i].bits;
        if (!found) bad(input, "is", "is none of the known predicates");
        bits |= found | ACP_PREDICATE_GAME_OBJECT;
    }
    return bits;
}

static const acp_scenario_shape *read_shape(acp_json_input *input, acp_json_reader *memory, const acp_json *json) {
    acp_scenario_shape *shape = allocate(input, memory, sizeof *shape);
    if (!shape) return NULL;
    const acp_json *spheres = acp_json_get_optional_array(input, json, "spheres");
    const acp_json *cylspheres = acp_json_get_optional_array(input, json, "cylspheres");
    uint32_t sphere_count = spheres ? spheres->count : 0, cylsphere_count = cylspheres ? cylspheres->count : 0;
    acp_sphere *s = allocate(input, memory, sphere_count * sizeof *s);
    acp_cylsphere *c = allocate(input, memory, cylsphere_count * sizeof *c);
    if (!s || !c) return NULL;
    for (const acp_json *item = spheres ? spheres->first : NULL; item; item = item->next)
        s[shape->sphere_count++] = acp_json_to_sphere(input, item);
    for (const acp_json *item = cylspheres ? cylspheres->first : NULL; item; item = item->next)
        c[shape->cylsphere_count++] = acp_json_to_cylsphere(input, item);
    shape->spheres = s;
    shape->cylspheres = c;
    shape->step_up = acp_json_get_float_or(input, json, "step_up", 0.0f);
    shape->step_down = acp_json_get_float_or(input, json, "step_down", 0.0f);
    shape->radius = acp_json_get_float_or(input, json, "radius", 0.0f);
    shape->height = acp_json_get_float_or(input, json, "height", 0.0f);
    shape->allows_free_heading = acp_json_get_flag_or(input, json, "free_heading", true);
    shape->has_sorting_sphere = acp_json_has(json, "sorting_sphere");
    if (shape->has_sorting_sphere) shape->sorting_sphere = acp_json_get_sphere(input, json, "sorting_sphere");
    return shape;
}

static void read_model(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario_body *out) {
    const acp_json *model = acp_json_member(json, "model");
    if (!model || model->type == ACP_JSON_NULL) return; /* no part array */
    if (model->type == ACP_JSON_OBJECT) {
        out->shape = read_shape(input, memory, model);
    } else if (model->type == ACP_JSON_STRING && model->count > 2 && model->text[0] == '0' && model->text[1] == 'x') {
        out->model_id = acp_json_to_id(input, model, "model");
    } else if (model->type == ACP_JSON_STRING && model->count > 0) {
        out->setup_name = (acp_scenario_text){model->text, model->count};
    } else {
        bad(input, "model", "must be an id, the name of a setup, or an object");
    }
}

static void read_touches(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario_restored *out) {
    const acp_json *list = acp_json_get_optional_array(input, json, "touches");
    acp_scenario_touch *touches = list ? allocate(input, memory, (size_t)list->count * sizeof *touches) : NULL;
    for (const acp_json *item = touches ? list->first : NULL; item && !acp_json_is_failed(input); item = item->next) {
        acp_scenario_touch *touch = &touches[out->touch_count++];
        touch->body.text = acp_json_get_string(input, item, "body", &touch->body.length);
        touch->object_id = acp_json_get_id_or(input, item, "id", 0);
        touch->is_ethereal = acp_json_get_flag_or(input, item, "ethereal", false);
        touch->time = acp_json_get_double_or(input, item, "time", 0.0);
        if (!(touch->time >= 0.0 && touch->time <= 4e9)) bad(input, "time", "must be 0 to 4e9 seconds");
    }
    out->touches = touches;
}

static void read_restored(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario_restored *out) {
    const acp_json *value = acp_json_get_optional_object(input, json, "restored");
    acp_vec3 zero = {0.0f, 0.0f, 0.0f};
    if (!value) return;
    out->is_given = true;
    out->transient_state = acp_json_get_id_or(input, value, "transient", 0);
    out->cached_velocity = acp_json_get_vec3_or(input, value, "cached_velocity", zero);
    out->acceleration = acp_json_get_vec3_or(input, value, "acceleration", zero);
    out->sliding_normal = acp_json_get_vec3_or(input, value, "sliding_normal", zero);
    if (acp_json_member(value, "contact_plane")) out->contact_plane = acp_json_get_plane(input, value, "contact_plane");
    out->contact_cell_id = acp_json_get_id_or(input, value, "contact_cell", 0);
    out->update_time = acp_json_get_double_or(input, value, "update_time", 0.0);
    out->is_latched = acp_json_get_flag_or(input, value, "latched", false);
    out->is_lost = acp_json_get_flag_or(input, value, "lost", false);
    out->has_expired = acp_json_get_flag_or(input, value, "expired", false);
    out->has_jumped = acp_json_get_flag_or(input, value, "jumped", false);
    out->tells_entered = acp_json_has(value, "entered");
    out->has_entered = acp_json_get_flag_or(input, value, "entered", false);
    out->lost_time = acp_json_get_double_or(input, value, "lost_time", 0.0);
    out->teleport_stamp = acp_json_get_uint32_or(input, value, "teleport_stamp", 0);
    out->anchor_offset = acp_json_get_vec3_or(input, value, "anchor_offset", zero);
    out->anchor_distance = acp_json_get_float_or(input, value, "anchor_distance", FLT_MAX);
    out->cells = acp_scenario_read_ids(input, memory, value, "cells", &out->cell_count);
    read_touches(input, memory, value, out);
    if (out->teleport_stamp > 0xFFFFu) bad(input, "teleport_stamp", "is above 65,535");
    if (!(out->lost_time >= 0.0 && out->lost_time <= 4e9)) bad(input, "lost_time", "must be 0 to 4e9 seconds");
    if (!(out->update_time >= 0.0 && out->update_time <= 4e9)) bad(input, "update_time", "must be 0 to 4e9 seconds");
}

static void read_words(acp_json_input *input, const acp_json *json, acp_scenario_body *out) {
    static const char *const enters[] = {"yes", "slide", "no", "register"};
    acp_vec3 zero = {0.0f, 0.0f, 0.0f};
    out->object_id = acp_json_get_id_or(input, json, "id", 0);
    out->state = acp_json_get_id_or(input, json, "state", ACP_STATE_DEFAULT);
    out->missile_target = acp_json_get_id_or(input, json, "missile_target", 0);
    out->predicates = read_predicates(input, json);
    out->scale = acp_json_get_float_or(input, json, "scale", 1.0f);
    out->has_friction = acp_json_has(json, "friction");
    out->friction = acp_json_get_float_or(input, json, "friction", 0.95f);
    out->has_elasticity = acp_json_has(json, "elasticity");
    out->elasticity = acp_json_get_float_or(input, json, "elasticity", 0.05f);
    out->velocity = acp_json_get_vec3_or(input, json, "velocity", zero);
    out->omega = acp_json_get_vec3_or(input, json, "omega", zero);
    out->motion = acp_json_get_vec3_or(input, json, "motion", zero);
    out->turn = acp_json_get_float_or(input, json, "turn", 0.0f);
    out->is_static = acp_json_get_flag_or(input, json, "static", false);
    out->is_driven = acp_json_get_flag_or(input, json, "driven", false);
    const acp_json *enter = acp_json_member(json, "enter");
    if (enter) out->enter = (acp_scenario_enter)acp_scenario_read_choice(input, enter, "enter", enters, 4);
    const acp_json *answer = acp_json_member(json, "answer");
    for (uint32_t i = 0; answer && i <= ACP_PLACE_COLLIDED; i++) {
        if (acp_json_is_text(answer, acp_scenario_answer_name(i))) {
            out->answer = i;
            break;
        }
        if (i == ACP_PLACE_COLLIDED) bad(input, "answer", "is none of the answers of a placement");
    }
}

static void read_body(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *scenario,
                      acp_scenario_body *out) {
    uint32_t length = 0;
    const char *name = acp_json_get_string(input, json, "name", &length);
    if (name && (length == 0 || length >= ACP_SCENARIO_NAME_CAPACITY || memchr(name, '*', length)))
        bad(input, "name", "must have 1 to 47 bytes and no *");
    if (acp_json_is_failed(input)) return;
    memcpy(out->name, name, length);
    for (uint32_t i = 0; i < scenario->body_count; i++)
        if (strcmp(scenario->bodies[i].name, out->name) == 0) bad(input, "name", "is taken");
    out->json = json;
    out->count = acp_json_get_uint32_or(input, json, "count", 1);
    if (out->count == 0 || out->count > ACP_SCENARIO_MAX_BODIES - scenario->object_count) {
        bad(input, "count", "must be 1 to 100,000, over all bodies");
        return;
    }
    out->first = scenario->object_count;
    read_model(input, memory, json, out);
    read_words(input, json, out);
    read_restored(input, memory, json, &out->restored);
    if (out->enter != ACP_SCENARIO_STAY_OUT || acp_json_member(json, "at"))
        acp_scenario_read_place(input, memory, acp_json_member(json, "at"), "at", &out->at);
    scenario->object_count += out->count;
}

bool acp_scenario_read_bodies(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_scenario *scenario) {
    const acp_json *list = acp_json_get_array(input, json, "bodies");
    if (!list) return false;
    scenario->bodies = allocate(input, memory, (size_t)list->count * sizeof *scenario->bodies);
    for (const acp_json *item = list->first; item && !acp_json_is_failed(input); item = item->next) {
        read_body(input, memory, item, scenario, &scenario->bodies[scenario->body_count]);
        if (acp_json_is_failed(input) && input->error) {
            input->error->byte_offset = item->offset;
            break;
        }
        scenario->body_count++;
    }
    return !acp_json_is_failed(input);
}
