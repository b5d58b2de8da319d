/* SPDX-License-Identifier: MIT */
/* A run cut off: a scenario of one step that begins with everything as it is now (tool_run_capture.h).
 *
 * Every body becomes a body of its own with its name, model and words, put where it is without a placement (`restored`); the landblocks
 * that are resident are named; the clock goes on from where it is. Lost on the way: collision partners, the state of chance. Contract:
 * called between the inputs of a step and the world's step. */
#include "acphys/body.h"
#include "body/body.h"
#include "tools/acphys/tool_run_capture.h"

static void copy(acp_json_writer *json, const acp_json *from, const char *key) {
    const acp_json *value = acp_json_member(from, key);
    if (value) acp_json_write_tree(json, key, value);
}

static void cut_place(acp_json_writer *json, const acp_run_state *s) {
    acp_json_begin_object(json, "at");
    acp_json_write_id(json, "cell", s->position.cell_id);
    acp_json_write_quaternion(json, "raw_q", s->position.frame.rotation);
    acp_json_write_vec3(json, "o", s->position.frame.origin);
    acp_json_end_object(json);
}

static void cut_restored(acp_json_writer *json, const acp_run_state *s) {
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
    cut_place(json, &state);
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
    cut_restored(json, &state);
    acp_json_end_object(json);
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
    acp_json_write_double(json, "start", column ? column->now : 0.0);
    acp_json_write_double(json, "last_tick", column ? column->last_tick : 0.0);
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
