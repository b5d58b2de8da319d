/* SPDX-License-Identifier: MIT */
/* Evaluation of whole steps of one body: `simulate` (fixed quanta) and `update_object` (driven by the clock) (vectors README §4; spec 07
 * PHO-7..PHO-16).
 *
 * The request's object becomes a body at `from`, with hooks that give the root motion of each tick; ground events are counted from the
 * event queue. Every tick applies what the tick names, steps, and describes the body. */
#include <string.h>

#include "body/step.h"
#include "membership/registry.h"
#include "tools/acphys/eval_managers.h"

#define MAX_SUB_STEPS 16u

typedef struct acp_eval_steps {
    acp_eval_call *call;
    acp_eval_movement movement;
    acp_scene_object object;
    acp_object_row *row;
    acp_body_row *body;
    acp_frame root;              /* of every sub-step of this tick */
    float quanta[MAX_SUB_STEPS]; /* of this tick, where the animation was asked */
    uint32_t quantum_count;
    acp_eval_managers managers;
} acp_eval_steps;

static void give_root(void *user, acp_world *world, acp_object object, float quantum, acp_frame *io_offset) {
    (void)world;
    acp_eval_steps *steps = user;
    if (object.index1 != steps->object.handle.index1) return;
    if (steps->quantum_count < MAX_SUB_STEPS) steps->quanta[steps->quantum_count++] = quantum;
    *io_offset = steps->root;
    acp_eval_managers_root(&steps->managers, steps->row, quantum, io_offset);
}

static void adjust(void *user, acp_world *world, acp_object object, float quantum, acp_frame *io_offset) {
    acp_eval_steps *steps = user;
    if (object.index1 != steps->object.handle.index1) return;
    acp_eval_managers_adjust(&steps->managers, world, steps->object.index, quantum, io_offset);
}

static void use_time(void *user, acp_world *world, acp_transition_context *context, acp_object object, double now) {
    acp_eval_steps *steps = user;
    if (object.index1 != steps->object.handle.index1) return;
    acp_eval_managers_use_time(&steps->managers, world, steps->object.index, context, now);
}

static bool begin_object(acp_eval_call *call, acp_eval_steps *steps, bool is_active, bool has_manager) {
    acp_json_input *input = &call->input;
    acp_matrix_position from = acp_json_get_position(input, call->in, "from");
    const acp_json *json = acp_json_get_object(input, call->in, "object");
    if (acp_json_is_failed(input)) return false;
    if (!acp_scene_object_create(steps->movement.scene, input, call->memory, json, &steps->object)) return false;
    acp_world *world = steps->movement.scene->world;
    steps->row = acp_world_row(world, steps->object.index);
    steps->body = acp_eval_make_body(call, world, &steps->object);
    if (!steps->body) return false;
    acp_eval_name_body(world, &steps->object, 0, ACP_EVAL_BODY_ID);
    acp_eval_enter_children(world, &steps->object);
    steps->body->friction = acp_json_get_float_or(input, call->in, "friction", steps->body->friction);
    steps->body->elasticity = acp_json_get_float_or(input, call->in, "elasticity", steps->body->elasticity);
    steps->body->has_movement_manager = has_manager;
    if (is_active) steps->row->transient_state |= ACP_TRANSIENT_ACTIVE;
    acp_object_leave_cell(world, steps->object.index);
    acp_object_hold_in_cell(world, steps->object.index, from.cell_id);
    acp_object_set_cell_id(world, steps->object.index, from.cell_id);
    steps->row->position.frame = from.frame;
    acp_eval_managers_read(call, &steps->object, world, &steps->managers);
    acp_eval_managers_pose(&steps->managers, steps->row);
    acp_object_set_frame(world, steps->object.index, &from.frame);
    acp_body_calc_acceleration(steps->row, steps->body);
    acp_locomotion locomotion = acp_locomotion_default();
    locomotion.user = steps;
    locomotion.root_motion = give_root;
    locomotion.adjust_offset = adjust;
    locomotion.use_time = use_time;
    if (acp_world_set_locomotion(world, &locomotion) != ACP_OK) acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "object", "no memory");
    return !acp_json_is_failed(input);
}

static acp_result end_object(acp_eval_call *call, acp_eval_steps *steps) {
    if (steps->movement.scene) {
        acp_world *world = steps->movement.scene->world;
        acp_result hooks = acp_world_set_locomotion(world, NULL), anchors = acp_world_set_anchors(world, NULL, 0, 0);
        if (hooks != ACP_OK || anchors != ACP_OK) acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "object", "no memory");
        if (steps->row) {
            acp_eval_name_body(world, &steps->object, ACP_EVAL_BODY_ID, 0);
            acp_scene_object_destroy(steps->movement.scene, &steps->object);
            acp_eval_managers_free(&steps->managers);
        }
    }
    acp_eval_movement_end(&steps->movement);
    return call->input.result;
}

/* velocity, leave, omega, root of a tick. */
static void apply_tick(acp_eval_call *call, acp_eval_steps *steps, const acp_json *tick) {
    acp_json_input *input = &call->input;
    acp_world *world = steps->movement.scene->world;
    if (acp_json_has(tick, "velocity")) acp_body_row_set_velocity(steps->row, steps->body, acp_json_get_vec3(input, tick, "velocity"));
    if (acp_json_get_flag_or(input, tick, "leave", false)) acp_body_set_on_walkable(world, steps->object.index, steps->body, false);
    if (acp_json_has(tick, "omega")) steps->body->omega = acp_json_get_vec3(input, tick, "omega");
    if (acp_json_has(tick, "interpolate_to")) {
        acp_matrix_position place = acp_json_get_position(input, tick, "interpolate_to");
        bool keeps = acp_json_get_flag_or(input, tick, "keep_heading", false);
        acp_eval_managers_follow(&steps->managers, world, steps->object.index, &place, keeps);
    }
    acp_matrix_frame root = acp_matrix_frame_identity();
    if (acp_json_has(tick, "rootq")) {
        acp_quaternion q = acp_json_get_quaternion(input, tick, "rootq");
        (void)acp_matrix_frame_set_rotate(&root, q.w, q.x, q.y, q.z);
    }
    root.origin = acp_json_get_vec3_or(input, tick, "root", root.origin);
    steps->root = acp_matrix_frame_to_public(&root);
}

/* What the queue holds: ground events by number, the others as `events`. */
static void write_events(acp_eval_call *call, acp_world *world) {
    acp_event *events = acp_json_reader_allocate(call->memory, 256 * sizeof *events);
    uint32_t count = 0, left = 0, hit = 0, others = 0;
    if (!events || acp_events_drain(world, events, 256, &count, NULL) != ACP_OK) return;
    for (uint32_t i = 0; i < count; ++i) {
        left += events[i].kind == ACP_EVENT_LEFT_GROUND;
        hit += events[i].kind == ACP_EVENT_HIT_GROUND;
        others += events[i].kind <= ACP_EVENT_TOUCH_ENDED;
    }
    if (left) acp_json_write_uint(call->out, "left_ground", left);
    if (hit) acp_json_write_uint(call->out, "hit_ground", hit);
    if (!others) return;
    acp_json_begin_array(call->out, "events");
    for (uint32_t i = 0; i < count; ++i)
        if (events[i].kind <= ACP_EVENT_TOUCH_ENDED) acp_eval_write_event(call->out, &events[i]);
    acp_json_end_array(call->out);
}

/* ---- simulate ---- */

static void write_simulated(acp_eval_call *call, acp_eval_steps *steps) {
    acp_json_writer *out = call->out;
    acp_json_begin_object(out, NULL);
    acp_json_write_id(out, "cell", steps->row->position.cell_id);
    acp_json_write_vec3(out, "o", steps->row->position.frame.origin);
    acp_json_write_quaternion(out, "rot", steps->row->position.frame.rotation);
    acp_json_write_vec3(out, "velocity", steps->body->velocity);
    acp_json_write_vec3(out, "cached_velocity", steps->body->cached_velocity);
    acp_json_write_id(out, "transient_state", steps->row->transient_state);
    if (steps->row->transient_state & ACP_TRANSIENT_CONTACT) {
        acp_plane plane = steps->body->contact_plane;
        float values[4] = {plane.normal.x, plane.normal.y, plane.normal.z, plane.d};
        acp_json_write_floats(out, "contact_plane", values, 4);
    }
    write_events(call, steps->movement.scene->world);
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(steps->movement.scene->world, steps->object.index, &count);
    acp_json_begin_array(out, "shadows");
    for (uint32_t i = 0; i < count; ++i)
        acp_json_write_id(out, NULL, cells[i]);
    acp_json_end_array(out);
    acp_json_end_object(out);
}

static acp_result eval_simulate(acp_eval_call *call) {
    acp_eval_steps steps;
    memset(&steps, 0, sizeof steps);
    acp_result result = acp_eval_movement_begin(call, NULL, &steps.movement);
    if (result != ACP_OK) return result;
    const acp_json *ticks = acp_json_get_array(&call->input, call->in, "ticks");
    if (begin_object(call, &steps, true, true)) {
        acp_json_begin_array(call->out, "ticks");
        for (const acp_json *tick = ticks->first; tick && !acp_json_is_failed(&call->input); tick = tick->next) {
            apply_tick(call, &steps, tick);
            float quantum = acp_json_get_float(&call->input, tick, "q");
            if (acp_json_is_failed(&call->input)) break;
            acp_result stepped = acp_body_step_run(steps.movement.scene->world, steps.movement.context, steps.object.index, quantum);
            if (stepped != ACP_OK) acp_json_fail(&call->input, stepped, "ticks", "the step was given up");
            write_simulated(call, &steps);
        }
        acp_json_end_array(call->out);
    }
    return end_object(call, &steps);
}

/* ---- update_object ---- */

static void write_updated(acp_eval_call *call, acp_eval_steps *steps, bool has_player) {
    acp_json_writer *out = call->out;
    acp_json_begin_object(out, NULL);
    acp_eval_write_body(out, steps->movement.scene->world, steps->object.index);
    acp_json_write_floats(out, "steps", steps->quanta, steps->quantum_count);
    acp_json_write_double(out, "update_time", steps->body->update_time);
    if (has_player) acp_json_write_float(out, "player_distance", steps->body->anchor_distance);
    acp_eval_managers_write(out, &steps->managers);
    write_events(call, steps->movement.scene->world);
    acp_json_end_object(out);
}

static bool set_player(acp_eval_call *call, acp_world *world) {
    if (!acp_json_has(call->in, "player")) return false;
    acp_matrix_position player = acp_json_get_position(&call->input, call->in, "player");
    bool is_culling = acp_json_get_flag_or(&call->input, call->in, "culling", true);
    if (acp_json_is_failed(&call->input)) return false;
    acp_position anchor = acp_matrix_position_to_public(&player);
    acp_result result = acp_world_set_anchors(world, &anchor, 1, is_culling);
    if (result != ACP_OK) acp_json_fail(&call->input, result, "player", "no place for an anchor");
    return true;
}

static void update_once(acp_eval_call *call, acp_eval_steps *steps, const acp_json *tick, bool has_player) {
    acp_json_input *input = &call->input;
    acp_world *world = steps->movement.scene->world;
    double now = acp_json_get_double(input, tick, "now");
    steps->body->clock = now;
    if (acp_json_has(tick, "state")) {
        steps->row->state = acp_json_get_id_or(input, tick, "state", 0);
        acp_body_calc_acceleration(steps->row, steps->body);
    }
    apply_tick(call, steps, tick);
    if (acp_json_is_failed(input)) return;
    steps->quantum_count = 0;
    acp_result stepped = acp_body_update_run(world, steps->movement.context, steps->object.index, now);
    if (stepped != ACP_OK) acp_json_fail(input, stepped, "ticks", "the update was given up");
    write_updated(call, steps, has_player);
}

static acp_result eval_update_object(acp_eval_call *call) {
    acp_eval_steps steps;
    memset(&steps, 0, sizeof steps);
    acp_result result = acp_eval_movement_begin(call, NULL, &steps.movement);
    if (result != ACP_OK) return result;
    const acp_json *ticks = acp_json_get_array(&call->input, call->in, "ticks");
    bool is_active = !acp_json_get_flag_or(&call->input, call->in, "inactive", false);
    bool has_manager = !acp_json_get_flag_or(&call->input, call->in, "no_manager", false) ||
                       acp_json_has(call->in, "minterp"); /* an interpreter lives in a manager (PHO-28) */
    double start = acp_json_get_double_or(&call->input, call->in, "start", 0.0);
    if (begin_object(call, &steps, is_active, has_manager)) {
        steps.body->clock = steps.body->update_time = start;
        steps.body->anchor_distance = 0.0f; /* what the vectors were made with */
        bool has_player = set_player(call, steps.movement.scene->world);
        acp_json_begin_array(call->out, "ticks");
        for (const acp_json *tick = ticks->first; tick && !acp_json_is_failed(&call->input); tick = tick->next)
            update_once(call, &steps, tick, has_player);
        acp_json_end_array(call->out);
    }
    return end_object(call, &steps);
}

static const acp_eval_operation operations[] = {
    {"simulate", "07 PHO-8", eval_simulate},
    {"update_object", "07 PHO-7", eval_update_object},
};
const acp_eval_area acp_eval_area_physics_steps = {"physics_steps", operations, sizeof operations / sizeof operations[0]};
