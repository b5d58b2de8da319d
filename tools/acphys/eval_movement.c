/* SPDX-License-Identifier: MIT */
/* Shared parts of the evaluation of collisions and transitions: worlds, pools, movers, answers (vectors README §1 to §4).
 *
 * Every line starts with a zeroed pool of transitions, so a line makes its own context. The scene is built once and kept with its
 * definition; objects of requests are made in its world and taken out again. */
#include "tools/acphys/eval_movement.h"

#include <string.h>

#include "base/error.h"
#include "math/vec3.h"
#include "transition/mover.h"

static acp_result build_scene(acp_eval_call *call, const acp_json *definition, void **out_object) {
    acp_scene_options options = {0};
    *out_object = acp_scene_build(&call->input, definition, &options);
    if (*out_object) return ACP_OK;
    return acp_json_is_failed(&call->input) ? call->input.result : ACP_ERROR_OUT_OF_MEMORY;
}

static void destroy_scene(void *object) { acp_scene_destroy(object); }

static const acp_eval_builder scene_builder = {build_scene, destroy_scene};

acp_result acp_eval_movement_begin(acp_eval_call *call, const acp_trace_sink *trace, acp_eval_movement *out) {
    out->scene = out->own_scene = NULL;
    out->context = NULL;
    void *scene = NULL;
    acp_result result = acp_eval_definition(call, ACP_EVAL_SCENE, "scene", &scene_builder, &scene);
    if (result != ACP_OK) return result;
    if (!scene) {
        result = build_scene(call, NULL, &scene);
        if (result != ACP_OK) return result;
        out->own_scene = scene;
    }
    out->scene = scene;
    acp_transition_options options = acp_transition_options_default();
    options.trace = trace;
    result = acp_transition_context_create(&options, &out->context, call->error);
    if (result != ACP_OK) acp_eval_movement_end(out);
    return result;
}

void acp_eval_movement_end(acp_eval_movement *movement) {
    acp_transition_context_destroy(movement->context);
    acp_scene_destroy(movement->own_scene);
    movement->context = NULL;
    movement->own_scene = NULL;
}

const acp_shape *acp_eval_movement_shape(const acp_scene *scene, const char *name, uint32_t length) {
    for (uint32_t i = 0; i < scene->shape_count; ++i)
        if (strlen(scene->shapes[i].name) == length && memcmp(scene->shapes[i].name, name, length) == 0) return scene->shapes[i].shape;
    return NULL;
}

acp_result acp_eval_movement_mover(acp_eval_call *call, const acp_scene *scene, const acp_scene_object *object, acp_mover *out_mover) {
    acp_result result = acp_mover_from_object(scene->world, object->handle, out_mover);
    if (result != ACP_OK) return acp_error_set(call->error, result, "mover", "the object makes no mover");
    out_mover->velocity = object->velocity;
    out_mover->contact.plane = object->contact_plane;
    out_mover->contact.cell_id = object->contact_plane_cell_id;
    out_mover->contact.is_valid = object->has_contact_plane;
    out_mover->sliding_normal = object->sliding_normal;
    return ACP_OK;
}

static void read_plane(acp_eval_call *call, const char *key, acp_contact_plane *out) {
    const acp_json *plane = acp_json_get_optional_object(&call->input, call->in, key);
    if (!plane) return;
    out->plane = acp_json_to_plane(&call->input, plane);
    out->cell_id = acp_json_get_id_or(&call->input, plane, "cell", 0);
    out->is_water = acp_json_get_flag_or(&call->input, plane, "water", false);
    out->is_valid = true;
}

void acp_eval_movement_planes(acp_eval_call *call, acp_transition *move) {
    read_plane(call, "contact_plane", &move->collision.contact);
    read_plane(call, "last_known", &move->collision.last_known);
    if (!acp_json_has(call->in, "sliding_normal")) return;
    move->collision.sliding_normal = acp_json_get_vec3(&call->input, call->in, "sliding_normal");
    move->collision.is_sliding_normal_valid = true;
}

static void write_plane(acp_json_writer *out, const char *key, const acp_plane *plane) {
    float values[4] = {plane->normal.x, plane->normal.y, plane->normal.z, plane->d};
    acp_json_write_floats(out, key, values, 4);
}

void acp_eval_movement_write_contact(acp_json_writer *out, const acp_transition *move) {
    const acp_collision_info *collision = &move->collision;
    acp_json_write_flag(out, "contact_plane_valid", collision->contact.is_valid);
    if (collision->contact.is_valid) {
        write_plane(out, "contact_plane", &collision->contact.plane);
        acp_json_write_id(out, "contact_plane_cell", collision->contact.cell_id);
        acp_json_write_flag(out, "contact_plane_is_water", collision->contact.is_water);
    }
    acp_json_write_flag(out, "collision_normal_valid", collision->is_collision_normal_valid);
    if (collision->is_collision_normal_valid) acp_json_write_vec3(out, "collision_normal", collision->collision_normal);
    acp_json_write_flag(out, "collided_with_environment", collision->is_collided_with_environment);
}

void acp_eval_movement_write_info(acp_json_writer *out, const acp_transition *move) {
    const acp_collision_info *collision = &move->collision;
    acp_eval_movement_write_contact(out, move);
    acp_json_write_flag(out, "last_known_contact_plane_valid", collision->last_known.is_valid);
    if (collision->last_known.is_valid) write_plane(out, "last_known_contact_plane", &collision->last_known.plane);
    acp_json_write_flag(out, "sliding_normal_valid", collision->is_sliding_normal_valid);
    if (collision->is_sliding_normal_valid) acp_json_write_vec3(out, "sliding_normal", collision->sliding_normal);
    acp_json_begin_array(out, "collide_objects");
    for (uint32_t i = 0; i < collision->object_count; ++i)
        acp_json_write_id(out, NULL, acp_world_row(move->world, collision->objects[i])->object_id);
    acp_json_end_array(out);
    acp_json_write_uint(out, "frames_stationary_fall", collision->frames_stationary_fall);
}
