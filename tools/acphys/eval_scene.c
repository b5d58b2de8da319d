/* SPDX-License-Identifier: MIT */
/* Scenes for `eval`: one world per named definition, shared by all areas, and the parts of answers that several areas write.
 *
 * A scene is built at the first request that names it and kept with its definition. Requests may put objects of their own into its world;
 * they take them out again before they answer, so the next line sees the scene as it was defined. A request without `scene` gets an empty
 * world of its own. Vectors and scenes use retail's order of shadow lists. Contract: as eval.h. Spec: vectors README §2. */
#include "tools/acphys/eval_scene.h"

#include "membership/registry.h"

static acp_result build_scene(acp_eval_call *call, const acp_json *definition, void **out_object) {
    acp_json_input input = {ACP_OK, call->error};
    *out_object = acp_scene_build(&input, definition, NULL);
    return input.result;
}

static void destroy_scene(void *object) { acp_scene_destroy(object); }

static const acp_eval_builder scene_builder = {build_scene, destroy_scene};

bool acp_eval_scene_open(acp_eval_call *call, acp_eval_scene *out_scene) {
    out_scene->is_owned = false;
    out_scene->scene = NULL;
    void *object = NULL;
    acp_result result = acp_eval_definition(call, ACP_EVAL_SCENE, "scene", &scene_builder, &object);
    if (result != ACP_OK) {
        call->input.result = result; /* the error is filled already */
        return false;
    }
    out_scene->scene = object;
    if (!object) {
        out_scene->scene = acp_scene_build(&call->input, NULL, NULL);
        out_scene->is_owned = true;
    }
    return out_scene->scene != NULL;
}

void acp_eval_scene_close(acp_eval_scene *scene) {
    if (scene->is_owned) acp_scene_destroy(scene->scene);
    scene->scene = NULL;
}

static void write_pair(acp_json_writer *out, uint32_t cell_id, bool is_resident) {
    acp_json_begin_array(out, NULL);
    acp_json_write_id(out, NULL, cell_id);
    acp_json_write_flag(out, NULL, is_resident);
    acp_json_end_array(out);
}

void acp_eval_write_cells(acp_json_writer *out, const char *key, const acp_cell_array *array) {
    acp_json_begin_array(out, key);
    for (uint32_t i = 0; i < array->count; i++)
        write_pair(out, array->items[i].cell_id, array->items[i].is_resident != 0);
    acp_json_end_array(out);
}

void acp_eval_write_shadows(acp_json_writer *out, const char *key, const acp_world *world, uint32_t object) {
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(world, object, &count);
    acp_json_begin_array(out, key);
    for (uint32_t i = 0; i < count; i++)
        write_pair(out, cells[i], acp_registry_object_cell_is_resident(world, object, i));
    acp_json_end_array(out);
}

static void write_place(acp_json_writer *out, const acp_matrix_position *position) {
    acp_json_write_vec3(out, "o", position->frame.origin);
    acp_json_write_quaternion(out, "rot", position->frame.rotation);
}

void acp_eval_write_parts(acp_json_writer *out, const acp_world *world, uint32_t object) {
    const acp_object_row *row = acp_world_row(world, object);
    if (!row->part_count) return;
    acp_json_begin_array(out, "parts");
    for (uint32_t i = 0; i < row->part_count; i++) {
        if (!row->parts[i].shape) {
            acp_json_write_null(out, NULL);
            continue;
        }
        acp_json_begin_object(out, NULL);
        acp_json_write_id(out, "cell", row->parts[i].position.cell_id);
        write_place(out, &row->parts[i].position);
        acp_json_end_object(out);
    }
    acp_json_end_array(out);
}

void acp_eval_write_children(acp_json_writer *out, const acp_world *world, uint32_t object) {
    const acp_object_row *row = acp_world_row(world, object);
    if (row->first_child == ACP_OBJECT_NONE) return;
    acp_json_begin_array(out, "children");
    for (uint32_t c = row->first_child; c != ACP_OBJECT_NONE; c = acp_world_row(world, c)->next_sibling) {
        const acp_object_row *child = acp_world_row(world, c);
        acp_json_begin_object(out, NULL);
        acp_json_write_id(out, "cell", child->position.cell_id);
        acp_json_write_id(out, "obj_cell", child->holder_cell_id);
        write_place(out, &child->position);
        acp_eval_write_shadows(out, "shadows", world, c);
        acp_eval_write_children(out, world, c);
        acp_json_end_object(out);
    }
    acp_json_end_array(out);
}
