/* SPDX-License-Identifier: MIT */
/* Evaluation of single collision responses and probes: collision.jsonl and collision2.jsonl of the vectors (README §4).
 *
 * One response at a time, with the path, the mover's flags and the planes given by the request and no resident cell around: an inner
 * insert finds no cell and answers OK. The probes work on the objects of a scene. Spec 05 §3 to §6, 03 §11, 06 TRN-26, TRN-28, TRN-51. */
#include "body/ethereal.h"
#include "math/vec3.h"
#include "tools/acphys/eval_movement.h"
#include "transition/bsp_collision.h"
#include "transition/cylsphere_response.h"
#include "transition/dispatch.h"
#include "transition/mover.h"
#include "transition/probe.h"
#include "transition/slide.h"
#include "transition/sphere_response.h"

static void read_path(acp_eval_call *call, acp_transition *move) {
    acp_json_input *input = &call->input;
    const acp_json *json = acp_json_get_object(input, call->in, "path");
    acp_sphere_path *path = &move->path;
    uint32_t count = 0;
    acp_sphere *spheres = acp_scene_spheres(input, call->memory, json, "spheres", &count);
    if (acp_json_is_failed(input) || count == 0) return;
    acp_sphere_path_set_spheres(path, count, spheres, 1.0f);
    path->current_position = acp_json_get_position(input, json, "curr");
    path->check_position = acp_json_get_position(input, json, "check");
    path->insert_type = (acp_insert_type)acp_json_get_int32_or(input, json, "insert_type", 0);
    path->is_stepping_down = acp_json_get_flag_or(input, json, "step_down", false);
    path->is_stepping_up = acp_json_get_flag_or(input, json, "step_up", false);
    path->is_checking_walkable = acp_json_get_flag_or(input, json, "check_walkable", false);
    path->is_landing = acp_json_get_flag_or(input, json, "collide", false);
    path->is_obstruction_ethereal = acp_json_get_flag_or(input, json, "obstruction_ethereal", false);
    path->is_building_check = acp_json_get_flag_or(input, json, "bldg_check", false);
    path->hits_interior_cell = acp_json_get_flag_or(input, json, "hits_interior_cell", false);
    path->has_neg_poly_hit = acp_json_get_flag_or(input, json, "neg_poly_hit", false);
    path->step_down_amount = acp_json_get_float_or(input, json, "step_down_amt", 0.0f);
    path->walkable_allowance = acp_json_get_float_or(input, json, "walkable_allowance", 0.0f);
    path->walk_interp = acp_json_get_float_or(input, json, "walk_interp", 1.0f);
    acp_sphere_path_cache_globals(path);
    acp_sphere_path_cache_current_centers(path);

    const acp_json *info = acp_json_get_optional_object(input, call->in, "info");
    move->info.has_mover = true;
    if (!info) return;
    move->info.state = acp_json_get_uint32_or(input, info, "state", 0);
    move->info.step_up_height = acp_json_get_float_or(input, info, "step_up_height", 0.0f);
    move->info.step_down_height = acp_json_get_float_or(input, info, "step_down_height", 0.0f);
    move->info.can_step_down = acp_json_get_flag_or(input, info, "step_down", true);
}

static void write_state(acp_eval_call *call, const acp_transition *move, const acp_bsp *bsp) {
    const acp_sphere_path *path = &move->path;
    acp_json_writer *out = call->out;
    acp_json_write_id(out, "check_cell", path->check_position.cell_id);
    acp_json_write_vec3(out, "check_o", path->check_position.frame.origin);
    float centers[6] = {0};
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        centers[3 * i] = path->global_spheres[i].center.x;
        centers[3 * i + 1] = path->global_spheres[i].center.y;
        centers[3 * i + 2] = path->global_spheres[i].center.z;
    }
    acp_json_write_floats(out, "global_centers", centers, 3 * path->sphere_count);
    acp_json_write_float(out, "walk_interp", path->walk_interp);
    acp_json_write_float(out, "walkable_allowance", path->walkable_allowance);
    acp_json_write_flag(out, "collide", path->is_landing);
    if (path->is_landing) acp_json_write_vec3(out, "step_up_normal", path->step_up_normal);
    acp_json_write_flag(out, "neg_poly_hit", path->has_neg_poly_hit);
    if (path->has_neg_poly_hit) {
        acp_json_write_vec3(out, "neg_collision_normal", path->neg_collision_normal);
        acp_json_write_flag(out, "neg_step_up", path->is_neg_step_up);
    }
    if (path->walkable.is_set) {
        const acp_walkable *walkable = &path->walkable;
        bool is_own = bsp && walkable->polygon.id < acp_bsp_polygon_count(bsp);
        acp_json_write_int(out, "walkable", is_own ? (int64_t)walkable->polygon.id : -2);
        float check[4] = {walkable->check_sphere.center.x, walkable->check_sphere.center.y, walkable->check_sphere.center.z,
                          walkable->check_sphere.radius};
        acp_json_write_floats(out, "walkable_check_pos", check, 4);
        acp_json_write_vec3(out, "walkable_up", walkable->up);
    }
    acp_eval_movement_write_contact(out, move);
}

/* One request against a response function. */
typedef acp_result (*acp_eval_response)(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move);

static acp_result run(acp_eval_call *call, acp_eval_response respond) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    acp_transition *move = acp_transition_acquire(movement.context, movement.scene->world);
    read_path(call, move);
    acp_eval_movement_planes(call, move);
    result = acp_json_is_failed(&call->input) ? call->input.result : respond(call, &movement, move);
    acp_eval_movement_end(&movement);
    return result;
}

static acp_result respond_cylsphere(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move) {
    (void)movement;
    acp_cylsphere cylsphere = acp_json_get_cylsphere(&call->input, call->in, "cylsphere");
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    float scale = acp_json_get_float_or(&call->input, call->in, "scale", 1.0f);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_int(call->out, "ret", acp_cylsphere_respond_at(move, &cylsphere, &position, scale));
    write_state(call, move, NULL);
    return ACP_OK;
}

static acp_result respond_sphere(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move) {
    (void)movement;
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    float scale = acp_json_get_float_or(&call->input, call->in, "scale", 1.0f);
    bool is_creature = acp_json_get_flag_or(&call->input, call->in, "is_creature", false);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_int(call->out, "ret", acp_sphere_respond_at(move, &sphere, &position, scale, is_creature));
    write_state(call, move, NULL);
    return ACP_OK;
}

static acp_result respond_bsp(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move) {
    uint32_t length = 0;
    const char *name = acp_json_get_string(&call->input, call->in, "gfx", &length);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    float scale = acp_json_get_float_or(&call->input, call->in, "scale", 1.0f);
    bool has_bound_test = acp_json_get_flag_or(&call->input, call->in, "gfx_test", false);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    const acp_shape *shape = acp_eval_movement_shape(movement->scene, name, length);
    if (!shape || !shape->bsp) return acp_json_fail(&call->input, ACP_ERROR_NOT_FOUND, "gfx", "no such shape with a tree");
    acp_sphere_path_cache_localspace(&move->path, &position, scale, true);
    acp_transition_state state = has_bound_test ? acp_shape_find_collisions(move, shape, scale) : acp_bsp_respond(move, shape->bsp, scale);
    acp_json_write_int(call->out, "ret", state);
    write_state(call, move, shape->bsp);
    return ACP_OK;
}

static acp_result respond_localspace(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move) {
    (void)movement;
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    float scale = acp_json_get_float_or(&call->input, call->in, "scale", 1.0f);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_sphere_path *path = &move->path;
    acp_sphere_path_cache_localspace(path, &position, scale, true);
    float spheres[8] = {0}, centers[6] = {0};
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        const acp_sphere *sphere = &path->localspace_spheres[i];
        acp_vec3 current = path->localspace_current_centers[i];
        spheres[4 * i] = sphere->center.x;
        spheres[4 * i + 1] = sphere->center.y;
        spheres[4 * i + 2] = sphere->center.z;
        spheres[4 * i + 3] = sphere->radius;
        centers[3 * i] = current.x;
        centers[3 * i + 1] = current.y;
        centers[3 * i + 2] = current.z;
    }
    acp_json_write_floats(call->out, "spheres", spheres, 4 * path->sphere_count);
    acp_json_write_floats(call->out, "curr_centers", centers, 3 * path->sphere_count);
    acp_json_write_vec3(call->out, "z", path->localspace_z);
    acp_json_write_vec3(call->out, "low_point", acp_sphere_path_localspace_low_point(path));
    acp_json_write_vec3(call->out, "global_low_point", path->global_low_point);
    return ACP_OK;
}

/* The walkable of a request: polygon, sphere, up, and the frame it is in. */
static void read_walkable(acp_eval_call *call, acp_transition *move, const acp_matrix_position *position) {
    acp_walkable *walkable = &move->path.walkable;
    uint32_t count = 0;
    const acp_vec3 *points = acp_json_get_polygon(&call->input, call->memory, call->in, "poly", &count);
    walkable->check_sphere = acp_json_get_sphere(&call->input, call->in, "walkable_check");
    walkable->up = acp_json_get_vec3(&call->input, call->in, "walkable_up");
    if (acp_json_is_failed(&call->input)) return;
    walkable->polygon = acp_polygon_make(points, count, 0, 0);
    walkable->position = position;
    walkable->scale = 1.0f;
    walkable->is_set = true;
}

static acp_result respond_precipice(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move) {
    (void)movement;
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "walkable_pos");
    read_walkable(call, move, &position);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_int(call->out, "ret", acp_precipice_slide(move));
    write_state(call, move, NULL);
    return ACP_OK;
}

static acp_result respond_check_walkables(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move) {
    (void)movement;
    read_walkable(call, move, NULL);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_flag(call->out, "ret", acp_walkable_check(&move->path.walkable));
    const acp_sphere *check = &move->path.walkable.check_sphere;
    float values[4] = {check->center.x, check->center.y, check->center.z, check->radius};
    acp_json_write_floats(call->out, "walkable_check_pos", values, 4);
    return ACP_OK;
}

static acp_result respond_cliff(acp_eval_call *call, acp_eval_movement *movement, acp_transition *move) {
    (void)movement;
    acp_plane plane = acp_json_get_plane(&call->input, call->in, "plane");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_int(call->out, "ret", acp_cliff_slide(move, &plane));
    write_state(call, move, NULL);
    return ACP_OK;
}

static acp_result eval_cylsphere_intersects(acp_eval_call *call) { return run(call, respond_cylsphere); }
static acp_result eval_sphere_intersects_object(acp_eval_call *call) { return run(call, respond_sphere); }
static acp_result eval_bsp_collisions(acp_eval_call *call) { return run(call, respond_bsp); }
static acp_result eval_localspace(acp_eval_call *call) { return run(call, respond_localspace); }
static acp_result eval_precipice_slide(acp_eval_call *call) { return run(call, respond_precipice); }
static acp_result eval_cliff_slide(acp_eval_call *call) { return run(call, respond_cliff); }
static acp_result eval_check_walkables(acp_eval_call *call) { return run(call, respond_check_walkables); }

/* The object of the scene that member `key` names. */
static acp_scene_object *named_object(acp_eval_call *call, acp_scene *scene, const char *key) {
    acp_scene_object *object = acp_scene_find(scene, acp_json_member(call->in, key));
    if (!object) acp_json_fail(&call->input, ACP_ERROR_NOT_FOUND, key, "no such object");
    return object;
}

static acp_result eval_check_collision(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    const acp_scene_object *mover = named_object(call, movement.scene, "name");
    const acp_scene_object *other = named_object(call, movement.scene, "other");
    if (mover && other)
        acp_json_write_flag(call->out, "ret",
                            acp_object_check_collision(movement.context, movement.scene->world, mover->index, other->index));
    acp_eval_movement_end(&movement);
    return call->input.result;
}

static acp_result eval_set_ethereal(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    const acp_scene_object *object = named_object(call, movement.scene, "name");
    bool is_ethereal = acp_json_get_flag(&call->input, call->in, "ethereal");
    if (object && !acp_json_is_failed(&call->input)) {
        acp_world *world = movement.scene->world;
        acp_object_row *row = acp_world_row(world, object->index);
        uint32_t state = row->state, transient_state = row->transient_state;
        row->state = acp_json_get_id_or(&call->input, call->in, "state", state);
        acp_json_write_flag(call->out, "ret", acp_body_become_ethereal(movement.context, world, object->index, is_ethereal));
        acp_json_write_id(call->out, "state", row->state);
        acp_json_write_id(call->out, "transient_state", row->transient_state);
        row->state = state;
        row->transient_state = transient_state;
    }
    acp_eval_movement_end(&movement);
    return call->input.result;
}

static acp_result eval_cell_check_collisions(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    uint32_t cell_id = acp_json_get_id(&call->input, call->in, "cell");
    const acp_json *json = acp_json_get_object(&call->input, call->in, "object");
    acp_scene_object object;
    if (!acp_json_is_failed(&call->input) && acp_scene_object_create(movement.scene, &call->input, call->memory, json, &object)) {
        acp_world *world = movement.scene->world;
        acp_json_write_flag(call->out, "ret",
                            acp_cell_check_collisions(movement.context, world, acp_world_cell(world, cell_id), object.index));
        acp_scene_object_destroy(movement.scene, &object);
    }
    acp_eval_movement_end(&movement);
    return call->input.result;
}

static acp_result eval_move_restriction(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    uint32_t cell_id = acp_json_get_id(&call->input, call->in, "cell");
    acp_transition *move = acp_transition_acquire(movement.context, movement.scene->world);
    move->path.current_position = acp_json_get_position(&call->input, call->in, "curr");
    acp_cell cell = acp_world_cell(movement.scene->world, cell_id);
    if (!acp_cell_exists(cell)) acp_json_fail(&call->input, ACP_ERROR_NOT_FOUND, "cell", "not resident");
    if (!acp_json_is_failed(&call->input)) {
        acp_cell_handle_move_restriction(move, cell);
        acp_json_write_flag(call->out, "ret", acp_cell_is_land(cell));
        acp_json_write_flag(call->out, "collision_normal_valid", move->collision.is_collision_normal_valid);
        if (move->collision.is_collision_normal_valid) acp_json_write_vec3(call->out, "collision_normal", move->collision.collision_normal);
    }
    acp_eval_movement_end(&movement);
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"cylsphere_intersects", "05 OCD-60", eval_cylsphere_intersects},
    {"sphere_intersects_object", "05 OCD-40", eval_sphere_intersects_object},
    {"bsp_collisions", "03 11.2", eval_bsp_collisions},
    {"localspace", "06 TRN-26", eval_localspace},
    {"precipice_slide", "06 TRN-52", eval_precipice_slide},
    {"cliff_slide", "06 TRN-51", eval_cliff_slide},
    {"check_walkables", "06 TRN-28", eval_check_walkables},
    {"check_collision", "06 TRN-70", eval_check_collision},
    {"set_ethereal", "07 PHO-25", eval_set_ethereal},
    {"cell_check_collisions", "05 OCD-15", eval_cell_check_collisions},
    {"move_restriction", "05 OCD-11", eval_move_restriction},
};
const acp_eval_area acp_eval_area_collision = {"collision", operations, sizeof operations / sizeof operations[0]};
