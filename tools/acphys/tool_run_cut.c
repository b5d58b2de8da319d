/* SPDX-License-Identifier: MIT */
/* A run cut off: a scenario of one step that begins with everything as it is now (tool_run_capture.h).
 *
 * Every body becomes a body of its own with its name, model and words, put where it is without a placement (`restored`); the landblocks
 * that are resident are named; the clock, the random stream and the anchors go on from where they are. Collision partners are named too.
 * Contract: called between the inputs of a step and the world's step, so that what goes by the scenario's own chance is done. */
#include <string.h>

#include "acphys/body.h"
#include "body/body.h"
#include "tools/acphys/tool_run_capture.h"

static void copy(acp_json_writer *json, const acp_json *from, const char *key) {
    const acp_json *value = acp_json_member(from, key);
    if (value) acp_json_write_tree(json, key, value);
}

static void cut_place(acp_json_writer *json, const char *key, const acp_position *position) {
    acp_json_begin_object(json, key);
    acp_json_write_id(json, "cell", position->cell_id);
    acp_json_write_quaternion(json, "raw_q", position->frame.rotation);
    acp_json_write_vec3(json, "o", position->frame.origin);
    acp_json_end_object(json);
}

static const char *name_of(const acp_run *run, acp_object handle, char *out, uint32_t capacity) {
    for (uint32_t i = 0; i < run->scenario->object_count; i++) {
        const acp_object *own = &run->objects[i].handle;
        if (!run->objects[i].exists || own->index1 != handle.index1 || own->generation != handle.generation) continue;
        acp_run_object_name(run, i, out, capacity);
        return out;
    }
    return NULL;
}

static void cut_touches(acp_json_writer *json, const acp_run *run, const acp_body_row *body) {
    char name[96];
    acp_json_begin_array(json, "touches");
    for (uint32_t i = 0; i < body->touch_count; i++) {
        if (!name_of(run, body->touches[i].object, name, sizeof name)) continue;
        acp_json_begin_object(json, NULL);
        acp_json_write_string(json, "body", name);
        acp_json_write_id(json, "id", body->touches[i].object_id);
        acp_json_write_flag(json, "ethereal", body->touches[i].is_ethereal);
        acp_json_write_double(json, "time", body->touches[i].time);
        acp_json_end_object(json);
    }
    acp_json_end_array(json);
}

static void cut_restored(acp_json_writer *json, const acp_run *run, const acp_body_row *body, const acp_run_state *s) {
    acp_json_begin_object(json, "restored");
    acp_json_write_id(json, "transient", s->transient_state);
    acp_json_write_vec3(json, "cached_velocity", s->cached_velocity);
    acp_json_write_vec3(json, "acceleration", s->acceleration);
    acp_json_write_vec3(json, "sliding_normal", s->sliding_normal);
    acp_json_write_plane(json, "contact_plane", s->contact_plane);
    acp_json_write_id(json, "contact_cell", s->contact_cell_id);
    acp_json_write_double(json, "update_time", s->update_time);
    acp_json_write_flag(json, "latched", s->is_latched);
    acp_json_write_flag(json, "lost", s->is_lost);
    acp_json_write_flag(json, "expired", body->has_expired);
    acp_json_write_double(json, "lost_time", body->lost_time);
    acp_json_write_flag(json, "jumped", body->has_jumped_this_frame);
    acp_json_write_flag(json, "entered", body->is_in_world);
    acp_json_write_uint(json, "teleport_stamp", body->teleport_stamp);
    acp_json_write_vec3(json, "anchor_offset", body->anchor_offset);
    acp_json_write_float(json, "anchor_distance", body->anchor_distance);
    cut_touches(json, run, body);
    acp_json_begin_array(json, "cells");
    for (uint32_t i = 0; i < s->cell_count; i++)
        acp_json_write_id(json, NULL, s->cells[i]);
    acp_json_end_array(json);
    acp_json_end_object(json);
}

static void cut_body(acp_json_writer *json, const acp_run *run, uint32_t i) {
    const acp_run_object *o = &run->objects[i];
    acp_object_info info;
    acp_body_info body;
    acp_run_state state;
    char name[96];
    if (acp_object_get_info(run->world.world, o->handle, &info) != ACP_OK) return;
    if (acp_body_get_info(run->world.world, o->handle, &body) != ACP_OK) return;
    acp_run_state_read(run, i, &state);
    acp_run_object_name(run, i, name, sizeof name);
    acp_json_begin_object(json, NULL);
    acp_json_write_string(json, "name", name);
    acp_json_write_id(json, "id", info.object_id);
    copy(json, o->body->json, "model");
    copy(json, o->body->json, "is");
    copy(json, o->body->json, "static");
    copy(json, o->body->json, "missile_target");
    cut_place(json, "at", &state.position);
    acp_json_write_string(json, "enter", "no");
    acp_json_write_id(json, "state", state.state);
    acp_json_write_float(json, "scale", info.scale);
    acp_json_write_float(json, "friction", body.friction);
    acp_json_write_float(json, "elasticity", body.elasticity);
    acp_json_write_vec3(json, "velocity", state.velocity);
    acp_json_write_vec3(json, "omega", state.omega);
    acp_json_write_flag(json, "driven", state.is_driven);
    acp_json_write_vec3(json, "motion", o->motion);
    acp_json_write_float(json, "turn", o->turn);
    cut_restored(json, run, acp_body_find(run->world.world, o->handle.index1 - 1), &state);
    acp_json_end_object(json);
}

static void cut_column(acp_json_writer *json, const acp_run *run, const acp_body_column *column) {
    uint32_t words[ACP_SCENARIO_RANDOM_WORDS];
    acp_run_read_random(run, words);
    acp_json_write_double(json, "start", column->now);
    acp_json_write_double(json, "last_tick", column->last_tick);
    acp_json_write_uint(json, "ticks", column->tick_count);
    acp_json_begin_array(json, "random");
    for (uint32_t i = 0; i < ACP_SCENARIO_RANDOM_WORDS; i++)
        acp_json_write_id(json, NULL, words[i]);
    acp_json_end_array(json);
    acp_json_write_flag(json, "culling", column->is_culling);
    acp_json_begin_array(json, "anchors");
    for (uint32_t i = 0; i < column->anchor_count; i++) {
        const acp_position anchor = acp_matrix_position_to_public(&column->anchors[i]);
        cut_place(json, NULL, &anchor);
    }
    acp_json_end_array(json);
}

void acp_run_cut(acp_json_writer *json, const acp_run *run) {
    const acp_scenario *s = run->scenario;
    const acp_body_column *column = acp_body_column_of(run->world.world);
    json->float_form = ACP_JSON_DECIMAL_AND_HEX;
    acp_json_writer_reset(json);
    acp_json_begin_object(json, NULL);
    acp_json_write_string(json, "name", s->name);
    acp_json_write_uint(json, "steps", 1);
    acp_json_write_double(json, "dt", s->dt);
    acp_json_write_uint(json, "seed", s->seed);
    if (column) cut_column(json, run, column);
    if (s->scene) acp_json_write_tree(json, "scene", s->scene);
    acp_json_begin_array(json, "resident");
    for (uint32_t x = 0; x < 0x10000u; x++)
        if (acp_run_world_has(&run->world, x << 16)) acp_json_write_id(json, NULL, x << 16);
    acp_json_end_array(json);
    acp_json_begin_array(json, "bodies");
    for (uint32_t i = 0; i < s->object_count; i++)
        if (run->objects[i].exists) cut_body(json, run, i);
    acp_json_end_array(json);
    acp_json_end_object(json);
}

/* ---- one step of a capture, whole ---- */

/* A resolve of the step, as one of step 1 of the cut scenario. */
static void write_resolve(acp_json_writer *json, const acp_json *line, const acp_scenario *scenario) {
    static const char *const kept[] = {"body", "motion", "motion_hex", "turn", "turn_hex", "before", "after", "bodies"};
    const acp_json *body = acp_json_member(line, "body");
    uint32_t object = 0;
    for (uint32_t i = 0; i < scenario->body_count; i++)
        if (body && acp_json_is_text(body, scenario->bodies[i].name)) object = i;
    acp_json_begin_object(json, NULL);
    acp_json_write_uint(json, "resolve", 1);
    acp_json_write_uint(json, "object", object);
    for (uint32_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (acp_json_member(line, kept[i])) acp_json_write_tree(json, kept[i], acp_json_member(line, kept[i]));
    acp_json_end_object(json);
    acp_json_end_line(json);
}

static bool is_step(const acp_json *line, uint32_t step) {
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    return acp_json_get_uint32_or(&input, line, "resolve", 0) == step && !acp_json_is_failed(&input);
}

bool acp_run_cut_capture(const char *text, size_t size, acp_run_source *source, uint32_t step, acp_json_writer *out) {
    acp_json_writer cut = {0};
    acp_run_replay replay = {.cut_step = step, .cut = &cut};
    acp_json_reader memory = {0}, reader = {0};
    acp_json_fault fault;
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_scenario scenario;
    bool is_good = acp_run_replay_text(text, size, source, &replay) && cut.length > 0 && !cut.is_failed;
    const acp_json *json = is_good ? acp_json_read(&memory, cut.text, cut.length, &fault) : NULL;
    is_good = json && acp_scenario_read(&input, &memory, json, &scenario);
    if (is_good) {
        acp_run_begin_capture(out, scenario.scene ? NULL : &source->content_hash, 1);
        acp_json_write_raw(out, "scenario", cut.text, cut.length);
        acp_json_end_object(out);
        acp_json_end_line(out);
    }
    for (const char *at = text, *end = text + size; is_good && at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at)), *stop = feed ? feed : end;
        const acp_json *line = stop > at ? acp_json_read(&reader, at, (size_t)(stop - at), &fault) : NULL;
        if (line && is_step(line, step)) write_resolve(out, line, &scenario);
        at = feed ? feed + 1 : end;
    }
    acp_json_reader_free(&reader);
    acp_json_reader_free(&memory);
    acp_json_writer_free(&cut);
    return is_good && !out->is_failed;
}
