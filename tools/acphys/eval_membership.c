/* SPDX-License-Identifier: MIT */
/* `eval` operations on cell membership (vectors: membership.jsonl, membership2.jsonl, parts of examples.jsonl).
 *
 * The floods and what they are made of, on the world of a scene: cells come back as [id, resident] pairs in the order of the array, which
 * is part of the answer. Objects of a request are put into the scene's world for the one line. `do_not_load` presets the array's flag; a
 * request whose object stands in no resident cell answers no_cell, as the client was not called there.
 * Spec: 04, 09 POP-9. Cost: a flood, beside reading and writing JSON and making the request's object. */
#include <string.h>

#include "asset/setup.h"
#include "membership/registry.h"
#include "place/cell_id.h"
#include "tools/acphys/eval_scene.h"

/* What nearly every operation here needs. */
typedef struct flood_call {
    acp_eval_scene scene;
    acp_cell_array array;
    acp_flood flood;
    bool hits_interior;
    acp_part_row *parts;
    acp_shape **owned;
    uint32_t part_count;
} flood_call;

static bool open_flood(acp_eval_call *call, flood_call *f) {
    memset(f, 0, sizeof *f);
    acp_cell_array_init(&f->array, NULL);
    if (!acp_eval_scene_open(call, &f->scene)) return false;
    acp_cell_array_reset(&f->array, acp_json_get_flag_or(&call->input, call->in, "do_not_load", false));
    f->flood = acp_flood_begin(f->scene.scene->world, &f->array);
    return true;
}

/* Writes the array, closes, and gives the call's result. */
static acp_result close_flood(acp_eval_call *call, flood_call *f, bool writes) {
    if (writes && !acp_json_is_failed(&call->input)) {
        acp_eval_write_cells(call->out, "cells", &f->array);
        acp_json_write_flag(call->out, "added_outside", f->array.added_outside);
    }
    if (f->array.is_failed) acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "cells", "no memory for the cell array");
    acp_scene_parts_free(f->owned, f->part_count);
    acp_cell_array_free(&f->array);
    acp_eval_scene_close(&f->scene);
    return call->input.result;
}

static void read_parts(acp_eval_call *call, flood_call *f) {
    f->parts = acp_scene_parts(f->scene.scene, &call->input, call->memory, acp_json_get_array(&call->input, call->in, "parts"),
                               &f->part_count, &f->owned);
}

static acp_cell named_cell(acp_eval_call *call, flood_call *f) {
    acp_cell cell = acp_world_cell(f->scene.scene->world, acp_json_get_id(&call->input, call->in, "cell"));
    if (!acp_json_is_failed(&call->input) && !acp_cell_exists(cell))
        acp_json_fail(&call->input, ACP_ERROR_NOT_FOUND, "cell", "the cell is not resident");
    return cell;
}

/* ------------------------------------------------------------------------------------------------------------------ floods */

static acp_result eval_find_cell_list(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    uint32_t count = 0, current = 0;
    acp_sphere *spheres = acp_scene_spheres(&call->input, call->memory, call->in, "spheres", &count);
    bool has_path = acp_json_get_flag_or(&call->input, call->in, "path", false);
    bool wants_cell = acp_json_get_flag_or(&call->input, call->in, "want_cell", true);
    if (acp_json_is_failed(&call->input)) return close_flood(call, &f, false);
    if (has_path) f.flood.hits_interior_cell = &f.hits_interior;
    acp_result ignored =
        acp_find_cell_list(&f.flood, position.cell_id, position.frame.origin, count, spheres, wants_cell ? &current : NULL);
    (void)ignored; /* the array's failure is told when it is closed */
    if (wants_cell) acp_json_write_id(call->out, "curr_cell", current);
    if (has_path) acp_json_write_flag(call->out, "hits_interior", f.hits_interior);
    return close_flood(call, &f, true);
}

static acp_result eval_find_cell_list_cyl(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    uint32_t count = 0;
    acp_cylsphere *cylspheres = acp_scene_cylspheres(&call->input, call->memory, call->in, "cylspheres", &count);
    if (!acp_json_is_failed(&call->input)) {
        acp_result ignored = acp_find_cell_list_cylspheres(&f.flood, &position, count, cylspheres);
        (void)ignored;
    }
    return close_flood(call, &f, true);
}

static acp_result eval_find_cell_list_sphere(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    if (!acp_json_is_failed(&call->input)) {
        acp_result ignored = acp_find_cell_list_sphere(&f.flood, &position, &sphere);
        (void)ignored;
    }
    return close_flood(call, &f, true);
}

static acp_result eval_add_all_outside_spheres(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    uint32_t count = 0;
    acp_sphere *spheres = acp_scene_spheres(&call->input, call->memory, call->in, "spheres", &count);
    if (!acp_json_is_failed(&call->input)) acp_add_all_outside_spheres(&f.flood, position.cell_id, position.frame.origin, count, spheres);
    return close_flood(call, &f, true);
}

static acp_result eval_add_all_outside_parts(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    read_parts(call, &f);
    if (!acp_json_is_failed(&call->input)) acp_add_all_outside_parts(&f.flood, f.part_count, f.parts);
    return close_flood(call, &f, true);
}

static acp_result eval_find_transit_spheres(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    acp_cell cell = named_cell(call, &f);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    uint32_t count = 0;
    acp_sphere *spheres = acp_scene_spheres(&call->input, call->memory, call->in, "spheres", &count);
    bool has_path = acp_json_get_flag_or(&call->input, call->in, "path", false);
    if (has_path) f.flood.hits_interior_cell = &f.hits_interior;
    if (!acp_json_is_failed(&call->input))
        acp_find_transit_spheres(&f.flood, cell, position.cell_id, position.frame.origin, count, spheres);
    if (has_path) acp_json_write_flag(call->out, "hits_interior", f.hits_interior);
    return close_flood(call, &f, true);
}

static acp_result eval_find_transit_parts(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    acp_cell cell = named_cell(call, &f);
    read_parts(call, &f);
    if (!acp_json_is_failed(&call->input)) acp_find_transit_parts(&f.flood, cell, f.part_count, f.parts);
    return close_flood(call, &f, true);
}

static const acp_env_cell *named_env_cell(acp_eval_call *call, flood_call *f) {
    acp_cell cell = named_cell(call, f);
    if (!acp_json_is_failed(&call->input) && !acp_cell_env(cell))
        acp_json_fail(&call->input, ACP_ERROR_INVALID_ID, "cell", "not an EnvCell");
    return acp_cell_env(cell);
}

static acp_result eval_check_building_transit_spheres(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    const acp_env_cell *cell = named_env_cell(call, &f);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    int32_t portal = acp_json_get_int32(&call->input, call->in, "portal");
    uint32_t count = 0;
    acp_sphere *spheres = acp_scene_spheres(&call->input, call->memory, call->in, "spheres", &count);
    f.flood.hits_interior_cell = &f.hits_interior;
    if (!acp_json_is_failed(&call->input)) acp_check_building_transit_spheres(&f.flood, cell, portal, position.cell_id, count, spheres);
    acp_json_write_flag(call->out, "hits_interior", f.hits_interior);
    return close_flood(call, &f, true);
}

static acp_result eval_check_building_transit_parts(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    const acp_env_cell *cell = named_env_cell(call, &f);
    int32_t portal = acp_json_get_int32(&call->input, call->in, "portal");
    read_parts(call, &f);
    if (!acp_json_is_failed(&call->input)) acp_check_building_transit_parts(&f.flood, cell, portal, f.part_count, f.parts);
    return close_flood(call, &f, true);
}

/* ----------------------------------------------------------------------------------------------------------------- objects */

/* The request's object in the scene's world; false on a fault. *has_cell: it stands in a resident cell. */
static bool open_object(acp_eval_call *call, acp_scene *scene, acp_scene_object *object, bool *has_cell) {
    const acp_json *json = acp_json_get_object(&call->input, call->in, "object");
    if (acp_json_is_failed(&call->input) || !acp_scene_object_create(scene, &call->input, call->memory, json, object)) return false;
    uint32_t cell_id = acp_world_row(scene->world, object->index)->position.cell_id;
    *has_cell = acp_cell_exists(acp_world_cell(scene->world, cell_id));
    return true;
}

static acp_result eval_find_bbox_cell_list(acp_eval_call *call) {
    flood_call f;
    if (!open_flood(call, &f)) return close_flood(call, &f, false);
    acp_scene_object object;
    bool has_cell = false;
    if (!open_object(call, f.scene.scene, &object, &has_cell)) return close_flood(call, &f, false);
    const acp_object_row *row = acp_world_row(f.scene.scene->world, object.index);
    if (has_cell) {
        acp_result ignored = acp_find_bbox_cell_list(&f.flood, row->position.cell_id, row->part_count, row->parts);
        (void)ignored;
    } else {
        acp_json_write_flag(call->out, "no_cell", true);
    }
    acp_scene_object_destroy(f.scene.scene, &object);
    return close_flood(call, &f, has_cell);
}

/* calc_cross_cells and register: the second also places and tells parts and children. */
static acp_result cross_cells(acp_eval_call *call, bool is_register) {
    acp_eval_scene scene;
    acp_scene_object object;
    bool has_cell = false;
    bool is_static = acp_json_get_flag_or(&call->input, call->in, "static", false);
    bool places = acp_json_get_flag_or(&call->input, call->in, "place", false);
    if (!acp_eval_scene_open(call, &scene) || !open_object(call, scene.scene, &object, &has_cell)) {
        acp_eval_scene_close(&scene);
        return call->input.result;
    }
    acp_world *world = scene.scene->world;
    if (!has_cell) {
        acp_json_write_flag(call->out, "no_cell", true);
    } else {
        if (places) acp_object_place_parts(world, object.index);
        acp_result result = acp_registry_calc_cross_cells(world, object.index, is_static, NULL);
        if (result != ACP_OK) acp_json_fail(&call->input, result, "object", "the object cannot be registered");
        acp_eval_write_shadows(call->out, "shadows", world, object.index);
        if (is_register) {
            acp_eval_write_parts(call->out, world, object.index);
            acp_eval_write_children(call->out, world, object.index);
        }
    }
    acp_scene_object_destroy(scene.scene, &object);
    acp_eval_scene_close(&scene);
    return call->input.result;
}

static acp_result eval_calc_cross_cells(acp_eval_call *call) { return cross_cells(call, false); }

static acp_result eval_register(acp_eval_call *call) { return cross_cells(call, true); }

static acp_result eval_obj_within_block(acp_eval_call *call) {
    acp_eval_scene scene;
    acp_scene_object object;
    bool has_cell = false;
    if (acp_eval_scene_open(call, &scene) && open_object(call, scene.scene, &object, &has_cell)) {
        acp_json_write_flag(call->out, "ret", acp_object_is_within_block(acp_world_row(scene.scene->world, object.index)));
        acp_scene_object_destroy(scene.scene, &object);
    }
    acp_eval_scene_close(&scene);
    return call->input.result;
}

/* --------------------------------------------------------------------------------------------------------- placement's choice */

static acp_result eval_find_visible_child_cell(acp_eval_call *call) {
    acp_eval_scene scene;
    uint32_t cell_id = acp_json_get_id(&call->input, call->in, "cell");
    acp_vec3 point = acp_json_get_vec3(&call->input, call->in, "v");
    bool searches = acp_json_get_flag_or(&call->input, call->in, "search_cells", false);
    if (!acp_json_is_failed(&call->input) && acp_eval_scene_open(call, &scene)) {
        acp_json_write_id(call->out, "cell", acp_find_visible_child_cell(scene.scene->world, cell_id, point, searches));
        acp_eval_scene_close(&scene);
    }
    return call->input.result;
}

static acp_result eval_adjust_position(acp_eval_call *call) {
    acp_eval_scene scene;
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    acp_vec3 low_point = acp_json_get_vec3(&call->input, call->in, "low_pt");
    bool searches = acp_json_get_flag_or(&call->input, call->in, "search_cells", false);
    if (!acp_json_is_failed(&call->input) && acp_eval_scene_open(call, &scene)) {
        uint32_t cell_id = 0;
        acp_json_write_flag(call->out, "ret", acp_adjust_position(scene.scene->world, &position, low_point, searches, &cell_id));
        acp_json_write_id(call->out, "cell", position.cell_id);
        acp_json_write_id(call->out, "new_cell", cell_id);
        acp_json_write_vec3(call->out, "o", position.frame.origin);
        acp_eval_scene_close(&scene);
    }
    return call->input.result;
}

static acp_result eval_cell_point_in_cell(acp_eval_call *call) {
    acp_eval_scene scene;
    uint32_t cell_id = acp_json_get_id(&call->input, call->in, "cell");
    acp_vec3 point = acp_json_get_vec3(&call->input, call->in, "v");
    if (!acp_json_is_failed(&call->input) && acp_eval_scene_open(call, &scene)) {
        acp_json_write_flag(call->out, "ret", acp_cell_contains_point(acp_world_cell(scene.scene->world, cell_id), point));
        acp_eval_scene_close(&scene);
    }
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"find_cell_list", "04 MEM-6", eval_find_cell_list},
    {"find_cell_list_cyl", "04 MEM-7", eval_find_cell_list_cyl},
    {"find_cell_list_sphere", "04 MEM-7", eval_find_cell_list_sphere},
    {"add_all_outside_spheres", "04 MEM-13", eval_add_all_outside_spheres},
    {"add_all_outside_parts", "04 MEM-16", eval_add_all_outside_parts},
    {"find_transit_spheres", "04 MEM-26", eval_find_transit_spheres},
    {"find_transit_parts", "04 MEM-27", eval_find_transit_parts},
    {"check_building_transit_spheres", "04 MEM-25", eval_check_building_transit_spheres},
    {"check_building_transit_parts", "04 MEM-25P", eval_check_building_transit_parts},
    {"find_bbox_cell_list", "04 MEM-29", eval_find_bbox_cell_list},
    {"calc_cross_cells", "04 MEM-31", eval_calc_cross_cells},
    {"register", "04 MEM-34", eval_register},
    {"obj_within_block", "09 POP-9", eval_obj_within_block},
    {"find_visible_child_cell", "04 section 13", eval_find_visible_child_cell},
    {"adjust_position", "04 section 13", eval_adjust_position},
    {"cell_point_in_cell", "04 MEM-9", eval_cell_point_in_cell},
};
const acp_eval_area acp_eval_area_membership = {"membership", operations, sizeof operations / sizeof operations[0]};
