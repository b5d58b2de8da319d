/* SPDX-License-Identifier: MIT */
/* Evaluation of single pieces of a body's step: integration, friction, acceleration, collision response (vectors README §4, physics.jsonl
 * and report_collisions of body2.jsonl; spec 07 PHO-10..12, PHO-16; 05 OCD-90..95).
 *
 * Each request's object becomes a body of the scene's world without a movement manager, gets what the request names, and is taken out
 * again. `report_collisions` is a series of responses of one body at given times of its clock. */
#include "body/collide.h"
#include "body/integrate.h"
#include "tools/acphys/eval_movement.h"

/* A body at work: the world, the request's object and its rows. */
typedef struct acp_eval_body {
    acp_eval_movement movement;
    acp_scene_object object;
    acp_object_row *row;
    acp_body_row *body;
} acp_eval_body;

static acp_result end_body(acp_eval_call *call, acp_eval_body *eval) {
    if (eval->body) {
        acp_eval_name_body(eval->movement.scene->world, &eval->object, ACP_EVAL_BODY_ID, 0);
        acp_scene_object_destroy(eval->movement.scene, &eval->object);
    }
    acp_eval_movement_end(&eval->movement);
    return call->input.result;
}

static acp_result begin_body(acp_eval_call *call, acp_eval_body *out) {
    out->body = NULL;
    acp_result result = acp_eval_movement_begin(call, NULL, &out->movement);
    if (result != ACP_OK) return result;
    const acp_json *json = acp_json_get_object(&call->input, call->in, "object");
    if (!acp_json_is_failed(&call->input) && acp_scene_object_create(out->movement.scene, &call->input, call->memory, json, &out->object)) {
        acp_world *world = out->movement.scene->world;
        out->body = acp_eval_make_body(call, world, &out->object);
        if (!out->body) acp_scene_object_destroy(out->movement.scene, &out->object);
    }
    if (!out->body) {
        (void)end_body(call, out);
        return acp_json_is_failed(&call->input) ? call->input.result : ACP_ERROR_OUT_OF_MEMORY;
    }
    acp_world *world = out->movement.scene->world;
    acp_eval_name_body(world, &out->object, 0, ACP_EVAL_BODY_ID);
    out->row = acp_world_row(world, out->object.index);
    out->body->friction = acp_json_get_float_or(&call->input, call->in, "friction", out->body->friction);
    out->body->elasticity = acp_json_get_float_or(&call->input, call->in, "elasticity", out->body->elasticity);
    return ACP_OK;
}

static acp_result eval_update(acp_eval_call *call) {
    acp_eval_body eval;
    acp_result result = begin_body(call, &eval);
    if (result != ACP_OK) return result;
    eval.body->acceleration = acp_json_get_vec3(&call->input, call->in, "acceleration");
    eval.body->omega = acp_json_get_vec3(&call->input, call->in, "omega");
    float quantum = acp_json_get_float(&call->input, call->in, "quantum");
    acp_matrix_frame frame = acp_json_get_frame(&call->input, call->in, "frame");
    if (!acp_json_is_failed(&call->input)) {
        acp_body_integrate(eval.row, eval.body, quantum, &frame);
        acp_json_write_vec3(call->out, "velocity", eval.body->velocity);
        acp_json_write_vec3(call->out, "omega", eval.body->omega);
        acp_json_write_vec3(call->out, "o", frame.origin);
        acp_json_write_quaternion(call->out, "q", frame.rotation);
        acp_json_write_id(call->out, "transient_state", eval.row->transient_state);
    }
    return end_body(call, &eval);
}

static acp_result eval_acceleration(acp_eval_call *call) {
    acp_eval_body eval;
    acp_result result = begin_body(call, &eval);
    if (result != ACP_OK) return result;
    eval.body->omega = acp_json_get_vec3_or(&call->input, call->in, "omega", (acp_vec3){0.0f, 0.0f, 0.0f});
    acp_body_calc_acceleration(eval.row, eval.body);
    acp_json_write_vec3(call->out, "acceleration", eval.body->acceleration);
    acp_json_write_vec3(call->out, "omega", eval.body->omega);
    return end_body(call, &eval);
}

static acp_result eval_friction(acp_eval_call *call) {
    acp_eval_body eval;
    acp_result result = begin_body(call, &eval);
    if (result != ACP_OK) return result;
    float quantum = acp_json_get_float(&call->input, call->in, "quantum");
    float speed_squared = acp_json_get_float(&call->input, call->in, "velocity_mag2");
    if (!acp_json_is_failed(&call->input)) {
        acp_body_apply_friction(eval.row, eval.body, quantum, speed_squared);
        acp_json_write_vec3(call->out, "velocity", eval.body->velocity);
    }
    return end_body(call, &eval);
}

static acp_body_impact read_impact(acp_eval_call *call, const acp_json *json) {
    acp_body_impact impact = {0};
    acp_json_input *input = &call->input;
    impact.has_normal = acp_json_get_flag_or(input, json, "normal_valid", acp_json_has(json, "normal"));
    impact.normal = acp_json_get_vec3_or(input, json, "normal", (acp_vec3){0.0f, 0.0f, 0.0f});
    impact.has_environment = acp_json_get_flag_or(input, json, "environment", false);
    impact.frames_stationary_fall = acp_json_get_uint32_or(input, json, "fsf", 0);
    return impact;
}

static acp_result eval_collisions(acp_eval_call *call) {
    acp_eval_body eval;
    acp_result result = begin_body(call, &eval);
    if (result != ACP_OK) return result;
    acp_world *world = eval.movement.scene->world;
    acp_body_impact impact = read_impact(call, call->in);
    bool had_contact = acp_json_get_flag_or(&call->input, call->in, "prev_contact", false);
    bool was_on_walkable = acp_json_get_flag_or(&call->input, call->in, "prev_on_walkable", false);
    if (!acp_json_is_failed(&call->input)) {
        acp_json_write_flag(call->out, "ret", acp_body_handle_collisions(world, eval.object.index, &impact, had_contact, was_on_walkable));
        acp_json_write_vec3(call->out, "velocity", eval.body->velocity);
        acp_json_write_id(call->out, "transient_state", eval.row->transient_state);
        acp_json_write_flag(call->out, "colliding_with_environment", eval.body->is_colliding_with_environment);
    }
    return end_body(call, &eval);
}

/* One call of report_collisions. */
static void report_once(acp_eval_call *call, acp_eval_body *eval, const acp_json *json) {
    acp_world *world = eval->movement.scene->world;
    acp_json_input *input = &call->input;
    eval->body->clock = acp_json_get_double_or(input, json, "now", 0.0);
    if (acp_json_has(json, "velocity")) eval->body->velocity = acp_json_get_vec3(input, json, "velocity");
    if (acp_json_has(json, "transient")) eval->row->transient_state = acp_json_get_id_or(input, json, "transient", 0);
    acp_body_impact impact = read_impact(call, json);
    bool had_contact = acp_json_get_flag_or(input, json, "prev_contact", false);
    bool was_on_walkable = acp_json_get_flag_or(input, json, "prev_on_walkable", false);
    const acp_json *names = acp_json_get_optional_array(input, json, "objects");
    uint32_t *objects = acp_json_reader_allocate(call->memory, ((names ? names->count : 0u) + 1u) * sizeof *objects);
    if (!objects) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "objects", "no memory");
        return;
    }
    impact.objects = objects;
    for (const acp_json *name = names ? names->first : NULL; name; name = name->next) {
        const acp_scene_object *found = acp_scene_find(eval->movement.scene, name);
        if (!found) {
            acp_json_fail(input, ACP_ERROR_NOT_FOUND, "objects", "the scene has no object of this name");
            return;
        }
        bool is_known = false; /* OCD-28: each once */
        for (uint32_t i = 0; i < impact.object_count; ++i)
            is_known = is_known || objects[i] == found->index;
        if (!is_known) objects[impact.object_count++] = found->index;
    }
    if (acp_json_is_failed(input)) return;
    bool is_told = acp_body_handle_collisions(world, eval->object.index, &impact, had_contact, was_on_walkable);
    acp_json_begin_object(call->out, NULL);
    acp_json_write_flag(call->out, "ret", is_told);
    acp_json_write_vec3(call->out, "velocity", eval->body->velocity);
    acp_json_write_id(call->out, "state", eval->row->state);
    acp_json_write_id(call->out, "transient_state", eval->row->transient_state);
    acp_json_write_flag(call->out, "colliding_with_environment", eval->body->is_colliding_with_environment);
    acp_eval_write_events(call->out, world);
    acp_json_end_object(call->out);
}

static acp_result eval_report_collisions(acp_eval_call *call) {
    acp_eval_body eval;
    acp_result result = begin_body(call, &eval);
    if (result != ACP_OK) return result;
    const acp_json *calls = acp_json_get_array(&call->input, call->in, "calls");
    acp_json_begin_array(call->out, "calls");
    for (const acp_json *json = calls ? calls->first : NULL; json && !acp_json_is_failed(&call->input); json = json->next)
        report_once(call, &eval, json);
    acp_json_end_array(call->out);
    return end_body(call, &eval);
}

static const acp_eval_operation operations[] = {
    {"physics_update", "07 PHO-10", eval_update},
    {"physics_acceleration", "07 PHO-12", eval_acceleration},
    {"physics_friction", "07 PHO-11", eval_friction},
    {"physics_collisions", "07 PHO-16", eval_collisions},
    {"report_collisions", "07 PHO-16", eval_report_collisions},
};
const acp_eval_area acp_eval_area_physics = {"physics", operations, sizeof operations / sizeof operations[0]};
