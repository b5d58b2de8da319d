/* SPDX-License-Identifier: MIT */
/* Evaluation of whole moves, sweeps and the parts of a sub-step: transition.jsonl, transition2.jsonl, scenarios.jsonl (README §4, §7).
 *
 * A move takes a slot of a fresh pool, seeds it from the object of the request as a body would, and runs the client's dispatcher; the
 * answer is what the slot then holds, found or not. Spec 06 TRN-55..70, 05 OCD-50, OCD-82, OCD-86. */
#include "math/vec3.h"
#include "tools/acphys/eval_movement.h"
#include "transition/mover.h"
#include "transition/offset.h"
#include "transition/slide.h"
#include "transition/sweep.h"

/* The accepted places of a sweep, collected through the trace. */
typedef struct acp_eval_steps {
    acp_position *places;
    uint32_t count;
    uint32_t capacity;
    acp_json_reader *memory;
} acp_eval_steps;

static void collect_step(void *user, uint32_t type, const void *record, uint32_t size) {
    (void)size;
    if (type != ACP_TRACE_MOVE_STEP) return;
    acp_eval_steps *steps = user;
    if (steps->count == steps->capacity) {
        uint32_t capacity = steps->capacity ? steps->capacity * 2u : 64u;
        acp_position *places = acp_json_reader_allocate(steps->memory, capacity * sizeof *places);
        if (!places) return;
        for (uint32_t i = 0; i < steps->count; ++i)
            places[i] = steps->places[i];
        steps->places = places;
        steps->capacity = capacity;
    }
    steps->places[steps->count++] = ((const acp_trace_move *)record)->position;
}

static void write_steps(acp_json_writer *out, const acp_eval_steps *steps) {
    acp_json_begin_array(out, "steps");
    for (uint32_t i = 0; i < steps->count; ++i) {
        acp_json_begin_object(out, NULL);
        acp_json_write_id(out, "cell", steps->places[i].cell_id);
        acp_json_write_vec3(out, "o", steps->places[i].frame.origin);
        acp_json_end_object(out);
    }
    acp_json_end_array(out);
}

static void write_move(acp_json_writer *out, const acp_transition *move, const acp_eval_steps *steps) {
    const acp_sphere_path *path = &move->path;
    acp_json_write_id(out, "cell", path->current_position.cell_id);
    acp_json_write_vec3(out, "o", path->current_position.frame.origin);
    acp_json_write_quaternion(out, "q", path->current_position.frame.rotation);
    acp_json_write_id(out, "curr_cell", acp_cell_exists(path->current_cell) ? path->current_cell.cell_id : 0);
    acp_json_write_uint(out, "object_state", move->info.state);
    acp_eval_movement_write_info(out, move);
    acp_json_begin_array(out, "cells");
    for (uint32_t i = 0; i < move->cells.count; ++i) {
        acp_json_begin_array(out, NULL);
        acp_json_write_id(out, NULL, move->cells.items[i].cell_id);
        acp_json_write_flag(out, NULL, move->cells.items[i].is_resident != 0);
        acp_json_end_array(out);
    }
    acp_json_end_array(out);
    acp_json_write_flag(out, "added_outside", move->cells.added_outside);
    write_steps(out, steps);
}

/* Both forms of a whole move. */
static acp_result run_move(acp_eval_call *call, bool is_sweep) {
    acp_eval_steps steps = {NULL, 0, 0, call->memory};
    acp_trace_sink sink = {&steps, collect_step};
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, &sink, &movement);
    if (result != ACP_OK) return result;
    acp_matrix_position from = acp_json_get_position(&call->input, call->in, "from");
    acp_matrix_position to = acp_json_get_position(&call->input, call->in, "to");
    const acp_json *json = acp_json_get_object(&call->input, call->in, "object");
    bool is_admin = acp_json_get_flag_or(&call->input, call->in, "admin", false);
    uint32_t info_state = acp_json_get_uint32_or(&call->input, call->in, "info_state", 0);
    uint32_t target = acp_json_get_id_or(&call->input, call->in, "target", 0);
    uint32_t sphere_count = 0;
    const acp_sphere *spheres = NULL;
    if (is_sweep) spheres = acp_scene_spheres(&call->input, call->memory, call->in, "spheres", &sphere_count);
    acp_scene_object object;
    if (!acp_json_is_failed(&call->input) && acp_scene_object_create(movement.scene, &call->input, call->memory, json, &object)) {
        acp_world *world = movement.scene->world;
        const acp_object_row *row = acp_world_row(world, object.index);
        acp_transition *move = acp_transition_acquire(movement.context, world);
        acp_mover mover;
        result = acp_eval_movement_mover(call, movement.scene, &object, &mover);
        if (result == ACP_OK) {
            if (is_sweep) {
                mover.sphere_count = sphere_count < 2 ? sphere_count : 2;
                for (uint32_t i = 0; i < mover.sphere_count; ++i)
                    mover.spheres[i] = spheres[i];
                mover.missile_target = target;
                acp_transition_seed_flags(move, &mover, row, info_state);
            } else {
                if (is_admin) mover.transient_state &= ~(uint32_t)(ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_SLIDING);
                acp_transition_seed(move, &mover, row);
            }
            acp_sphere_path_set_ends(&move->path, acp_world_cell(world, from.cell_id), &from, &to);
            bool is_found = acp_transition_find_valid_position(move);
            acp_json_write_flag(call->out, is_sweep ? "ret" : "ok", is_found);
            write_move(call->out, move, &steps);
        }
        acp_scene_object_destroy(movement.scene, &object);
    }
    acp_eval_movement_end(&movement);
    return acp_json_is_failed(&call->input) ? call->input.result : result;
}

static acp_result eval_transition(acp_eval_call *call) { return run_move(call, false); }
static acp_result eval_sweep(acp_eval_call *call) { return run_move(call, true); }

/* One sphere at a position, in a fresh path. */
static void read_sphere_at(acp_eval_call *call, acp_transition *move) {
    acp_sphere sphere = acp_json_get_sphere(&call->input, call->in, "sphere");
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    acp_sphere_path_set_spheres(&move->path, 1, &sphere, 1.0f);
    move->path.current_position = position;
    move->path.check_position = position;
    acp_sphere_path_cache_globals(&move->path);
    acp_sphere_path_cache_current_centers(&move->path);
}

static acp_result eval_adjust_offset(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    acp_transition *move = acp_transition_acquire(movement.context, movement.scene->world);
    read_sphere_at(call, move);
    acp_eval_movement_planes(call, move);
    acp_vec3 offset = acp_json_get_vec3(&call->input, call->in, "offset");
    if (!acp_json_is_failed(&call->input)) {
        acp_json_write_vec3(call->out, "v", acp_transition_adjust_offset(move, offset));
        acp_json_write_flag(call->out, "sliding_normal_valid", move->collision.is_sliding_normal_valid);
        acp_json_write_vec3(call->out, "check_o", move->path.check_position.frame.origin);
    }
    acp_eval_movement_end(&movement);
    return call->input.result;
}

static acp_result eval_calc_num_steps(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    acp_transition *move = acp_transition_acquire(movement.context, movement.scene->world);
    acp_matrix_position from = acp_json_get_position(&call->input, call->in, "from");
    acp_matrix_position to = acp_json_get_position(&call->input, call->in, "to");
    acp_sphere sphere = {{0.0f, 0.0f, 0.0f}, acp_json_get_float(&call->input, call->in, "radius")};
    if (acp_json_get_flag_or(&call->input, call->in, "viewer", false)) move->info.state = ACP_OI_IS_VIEWER;
    if (!acp_json_is_failed(&call->input)) {
        acp_sphere_path_set_spheres(&move->path, 1, &sphere, 1.0f);
        acp_sphere_path_set_ends(&move->path, (acp_cell){NULL, 0, 0}, &from, &to);
        acp_step_plan plan = acp_transition_plan_steps(move);
        acp_json_write_uint(call->out, "n", plan.count);
        acp_json_write_vec3(call->out, "offset", plan.offset);
        acp_json_write_vec3(call->out, "per_step", plan.per_step);
    }
    acp_eval_movement_end(&movement);
    return call->input.result;
}

static acp_result eval_slide_sphere(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    acp_transition *move = acp_transition_acquire(movement.context, movement.scene->world);
    read_sphere_at(call, move);
    acp_eval_movement_planes(call, move);
    acp_vec3 current = acp_json_get_vec3(&call->input, call->in, "curr");
    acp_vec3 normal = acp_json_get_vec3(&call->input, call->in, "normal");
    if (!acp_json_is_failed(&call->input)) {
        acp_json_write_int(call->out, "ret", acp_slide_sphere(move, &move->path.global_spheres[0], &normal, current));
        acp_json_write_vec3(call->out, "check_o", move->path.check_position.frame.origin);
        acp_json_write_vec3(call->out, "normal", normal);
        acp_eval_movement_write_info(call->out, move);
    }
    acp_eval_movement_end(&movement);
    return call->input.result;
}

/* The land cell that the request stands for; the form names none. */
#define ACP_EVAL_LAND_CELL 0x01010001u

static acp_result eval_validate_walkable(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    acp_json_input *input = &call->input;
    const acp_json *in = call->in;
    acp_transition *move = acp_transition_acquire(movement.context, movement.scene->world);
    acp_sphere_path *path = &move->path;
    move->info.state = acp_json_get_uint32_or(input, in, "state", 0);
    acp_sphere sphere = acp_json_get_sphere(input, in, "sphere");
    acp_plane plane = acp_json_get_plane(input, in, "plane");
    bool is_water = acp_json_get_flag_or(input, in, "is_water", false);
    float depth = acp_json_get_float_or(input, in, "water_depth", 0.0f);
    path->is_stepping_down = acp_json_get_flag_or(input, in, "step_down", false);
    path->is_checking_walkable = acp_json_get_flag_or(input, in, "check_walkable", false);
    path->step_down_amount = acp_json_get_float_or(input, in, "step_down_amt", 0.0f);
    path->walk_interp = acp_json_get_float_or(input, in, "walk_interp", 1.0f);
    path->global_current_centers[0] = acp_json_get_vec3_or(input, in, "curr", (acp_vec3){0.0f, 0.0f, 0.0f});
    path->check_position.frame = acp_matrix_frame_identity();
    if (!acp_json_is_failed(input)) {
        acp_json_write_int(
            call->out, "ret",
            acp_validate_walkable(&move->info, &sphere, &plane, is_water, depth, path, &move->collision, ACP_EVAL_LAND_CELL));
        acp_json_write_vec3(call->out, "check_o", path->check_position.frame.origin);
        acp_json_write_float(call->out, "walk_interp", path->walk_interp);
        acp_eval_movement_write_info(call->out, move);
    }
    acp_eval_movement_end(&movement);
    return input->result;
}

static const acp_eval_operation operations[] = {
    {"transition", "06 TRN-65", eval_transition},       {"sweep", "06 TRN-65", eval_sweep},
    {"adjust_offset", "06 TRN-56", eval_adjust_offset}, {"calc_num_steps", "06 TRN-55", eval_calc_num_steps},
    {"slide_sphere", "05 OCD-50", eval_slide_sphere},   {"validate_walkable", "05 OCD-86", eval_validate_walkable},
};
const acp_eval_area acp_eval_area_transition = {"transition", operations, sizeof operations / sizeof operations[0]};
