/* SPDX-License-Identifier: MIT */
/* Evaluation of what moves bodies: constraint, sticky, interpolation, animation sequences (vectors README §4, motion.jsonl; spec 07b
 * MOT-13, MOT-16..18).
 *
 * Each request makes its own state; animations and hooks live in the memory of the line. The operations of the motion interpreter itself
 * (motion_…) do not exist here. */
#include <string.h>

#include "math/vec3.h"
#include "tools/acphys/eval_managers.h"

/* ---- bodies of requests ---- */

typedef struct acp_eval_follower {
    acp_eval_movement movement;
    acp_scene_object object;
    bool is_made;
} acp_eval_follower;

static acp_result begin(acp_eval_call *call, acp_eval_follower *out) {
    memset(out, 0, sizeof *out);
    acp_result result = acp_eval_movement_begin(call, NULL, &out->movement);
    if (result != ACP_OK) return result;
    const acp_json *json = acp_json_get_object(&call->input, call->in, "object");
    out->is_made = !acp_json_is_failed(&call->input) &&
                   acp_scene_object_create(out->movement.scene, &call->input, call->memory, json, &out->object) &&
                   acp_eval_make_body(call, out->movement.scene->world, &out->object) != NULL;
    return ACP_OK;
}

static acp_result end(acp_eval_call *call, acp_eval_follower *follower) {
    if (follower->object.handle.index1) acp_scene_object_destroy(follower->movement.scene, &follower->object);
    acp_eval_movement_end(&follower->movement);
    return call->input.result;
}

static void write_frame(acp_json_writer *out, const char *key, const acp_matrix_frame *frame) {
    acp_json_begin_object(out, key);
    acp_json_write_quaternion(out, "q", frame->rotation);
    acp_json_write_vec3(out, "o", frame->origin);
    acp_json_end_object(out);
}

/* The two speeds of the interpreter that the request describes; 0 without one. */
static void read_speeds(acp_eval_call *call, const acp_scene_object *object, double *out_max, double *out_adjusted) {
    acp_json_input *input = &call->input;
    *out_max = *out_adjusted = 0.0;
    if (!acp_json_get_flag_or(input, call->in, "minterp", false)) return;
    acp_eval_speeds(call, call->in, object, out_max, out_adjusted);
}

/* ---- constraint ---- */

/* The numbers as written: some of these are halfway between two floats, their hex is the wrong one, and the answers follow the numbers. */
static acp_vec3 read_decimals(acp_json_input *input, const acp_json *array) {
    acp_vec3 v = {0.0f, 0.0f, 0.0f};
    const acp_json *x = array->first, *y = x ? x->next : NULL, *z = y ? y->next : NULL;
    if (!z || !acp_json_to_float(x, &v.x) || !acp_json_to_float(y, &v.y) || !acp_json_to_float(z, &v.z))
        acp_json_fail(input, ACP_ERROR_BAD_DATA, "offsets", "three numbers each");
    return v;
}

static acp_result eval_constraint(acp_eval_call *call) {
    acp_eval_follower follower;
    acp_result result = begin(call, &follower);
    if (result != ACP_OK) return result;
    acp_json_input *input = &call->input;
    acp_matrix_position place = acp_json_get_position(input, call->in, "pos");
    float start = acp_json_get_float(input, call->in, "start"), max = acp_json_get_float(input, call->in, "max");
    uint32_t release = acp_json_get_uint32_or(input, call->in, "unconstrain_at", UINT32_MAX);
    const acp_json *offsets = acp_json_get_array(input, call->in, "offsets");
    if (follower.is_made && !acp_json_is_failed(input)) {
        const acp_object_row *row = acp_world_row(follower.movement.scene->world, follower.object.index);
        acp_constraint constraint;
        memset(&constraint, 0, sizeof constraint);
        acp_constraint_begin(&constraint, &row->position, &place, start, max);
        acp_json_write_float(call->out, "pos_offset", constraint.offset);
        acp_json_begin_array(call->out, "steps");
        uint32_t i = 0;
        for (const acp_json *offset = offsets->first; offset; offset = offset->next, ++i) {
            acp_vec3 origin = read_decimals(input, offset);
            if (i == release) constraint.is_constrained = false;
            acp_constraint_adjust(&constraint, (row->transient_state & ACP_TRANSIENT_CONTACT) != 0, &origin);
            acp_json_begin_object(call->out, NULL);
            acp_json_write_vec3(call->out, "o", origin);
            acp_json_write_float(call->out, "pos_offset", constraint.offset);
            acp_json_write_flag(call->out, "fully", acp_constraint_is_full(&constraint));
            acp_json_end_object(call->out);
        }
        acp_json_end_array(call->out);
    }
    return end(call, &follower);
}

/* ---- sticky ---- */

static acp_result eval_sticky(acp_eval_call *call) {
    acp_eval_follower follower;
    acp_result result = begin(call, &follower);
    if (result != ACP_OK) return result;
    acp_json_input *input = &call->input;
    acp_sticky sticky;
    memset(&sticky, 0, sizeof sticky);
    acp_sticky_begin(&sticky, acp_json_get_id(input, call->in, "target_id"), acp_json_get_float(input, call->in, "target_radius"), 0.0);
    sticky.is_initialized = acp_json_get_flag_or(input, call->in, "initialized", false);
    sticky.target = acp_json_get_position(input, call->in, "target");
    float quantum = acp_json_get_float(input, call->in, "quantum");
    acp_matrix_frame offset = acp_json_get_frame_or_identity(input, call->in, "offset");
    if (follower.is_made && !acp_json_is_failed(input)) {
        double max_speed, adjusted;
        read_speeds(call, &follower.object, &max_speed, &adjusted);
        acp_sticky_adjust(&sticky, follower.movement.scene->world, follower.object.index, max_speed, quantum, &offset);
        write_frame(call->out, "offset", &offset);
    }
    return end(call, &follower);
}

/* ---- interpolation ---- */

static void write_queue(acp_json_writer *out, const acp_interpolation *queue, const acp_matrix_position *own) {
    acp_json_write_uint(out, "nodes", queue->count);
    acp_json_write_uint(out, "frame_counter", queue->frame_counter);
    acp_json_write_float(out, "original_distance", queue->original_distance);
    acp_json_write_float(out, "progress_quantum", queue->progress_quantum);
    acp_json_write_uint(out, "fails", queue->fail_counter);
    acp_json_write_flag(out, "keep_heading", queue->keeps_heading);
    acp_json_write_id(out, "cell", own->cell_id);
    acp_json_write_vec3(out, "o", own->frame.origin);
    acp_json_write_quaternion(out, "rot", own->frame.rotation);
    if (queue->count == 0) return;
    const acp_matrix_frame *last = &queue->nodes[queue->count - 1u].frame;
    acp_json_write_vec3(out, "last_node_o", last->origin);
    acp_json_write_quaternion(out, "last_node_rot", last->rotation);
}

/* What `apply` does with an offset: 1 moves the body, 2 turns it and puts it back where it started. */
static void apply(acp_world *world, uint32_t index, const acp_matrix_frame *offset, acp_vec3 start, uint32_t how) {
    acp_matrix_frame frame;
    const acp_matrix_frame *own = &acp_world_row(world, index)->position.frame;
    acp_matrix_frame_combine(&frame, own, offset);
    if (how == 2) frame.origin = start;
    acp_object_set_frame(world, index, &frame);
}

static void interpolate_once(acp_eval_call *call, const acp_eval_follower *follower, acp_interpolation *queue,
                             const acp_interpolation_body *body, acp_vec3 start, const acp_json *json) {
    acp_json_input *input = &call->input;
    if (acp_json_has(json, "to")) {
        acp_matrix_position to = acp_json_get_position(input, json, "to");
        acp_interpolation_follow(queue, body, &to, acp_json_get_flag_or(input, json, "keep_heading", false));
    }
    acp_json_begin_object(call->out, NULL);
    if (acp_json_has(json, "adjust")) {
        acp_matrix_frame offset = acp_matrix_frame_identity();
        acp_interpolation_adjust(queue, body, acp_json_get_float(input, json, "adjust"), &offset);
        write_frame(call->out, "offset", &offset);
        uint32_t how = acp_json_get_uint32_or(input, json, "apply", 0);
        if (how) apply(body->world, body->index, &offset, start, how);
    }
    if (acp_json_get_flag_or(input, json, "use_time", false)) acp_interpolation_use_time(queue, body, follower->movement.context);
    write_queue(call->out, queue, &acp_world_row(body->world, body->index)->position);
    acp_json_end_object(call->out);
}

static acp_result eval_interpolate(acp_eval_call *call) {
    acp_eval_follower follower;
    acp_result result = begin(call, &follower);
    if (result != ACP_OK) return result;
    acp_json_input *input = &call->input;
    acp_matrix_position from = acp_json_get_position(input, call->in, "from");
    const acp_json *calls = acp_json_get_array(input, call->in, "calls");
    if (follower.is_made && !acp_json_is_failed(input)) {
        acp_world *world = follower.movement.scene->world;
        uint32_t index = follower.object.index;
        acp_object_leave_cell(world, index);
        acp_object_hold_in_cell(world, index, from.cell_id);
        acp_object_set_cell_id(world, index, from.cell_id);
        acp_object_set_frame(world, index, &from.frame);
        double max_speed, adjusted;
        read_speeds(call, &follower.object, &max_speed, &adjusted);
        acp_interpolation_body body = {world, index, acp_json_get_flag_or(input, call->in, "player", false),
                                       acp_json_get_id_or(input, call->in, "sticky_id", 0) != 0, acp_f32(adjusted * 2.0)};
        acp_interpolation queue;
        acp_interpolation_init(&queue);
        acp_json_begin_array(call->out, "calls");
        for (const acp_json *json = calls->first; json && !acp_json_is_failed(input); json = json->next)
            interpolate_once(call, &follower, &queue, &body, from.frame.origin, json);
        acp_json_end_array(call->out);
    }
    return end(call, &follower);
}

/* ---- sequences ---- */

typedef struct acp_eval_hooks {
    acp_json_writer *out;
    acp_json_input *input;
    bool is_open;
} acp_eval_hooks;

static void open_hooks(acp_eval_hooks *hooks) {
    if (!hooks->is_open) acp_json_begin_array(hooks->out, "hooks");
    hooks->is_open = true;
}

/* Hooks of the frame that is left, in file order: those of the direction and those of both. */
static void tell_frame(void *user, const acp_animation *animation, uint32_t frame, int32_t direction) {
    acp_eval_hooks *hooks = user;
    if (!animation) {
        open_hooks(hooks);
        acp_json_write_string(hooks->out, NULL, "done");
        return;
    }
    const acp_json *list = animation->data;
    for (const acp_json *hook = list ? list->first : NULL; hook; hook = hook->next) {
        if (acp_json_get_uint32_or(hooks->input, hook, "frame", 0) != frame) continue;
        int32_t dir = acp_json_get_int32_or(hooks->input, hook, "dir", 0);
        if (dir != 0 && dir != direction) continue;
        open_hooks(hooks);
        acp_json_write_int(hooks->out, NULL, acp_json_get_int32_or(hooks->input, hook, "id", 0));
    }
}

static acp_vec3 combined(acp_vec3 a, acp_vec3 b, double sign) {
    return acp_vec3_make((double)a.x + sign * (double)b.x, (double)a.y + sign * (double)b.y, (double)a.z + sign * (double)b.z);
}

/* combine and subtract: two vectors in one list. */
static void change_speeds(acp_eval_call *call, acp_sequence *sequence, const acp_json *json, const char *key, double sign) {
    if (!acp_json_has(json, key)) return;
    float v[6];
    acp_json_get_float_array(&call->input, json, key, v, 6);
    sequence->velocity = combined(sequence->velocity, (acp_vec3){v[0], v[1], v[2]}, sign);
    sequence->omega = combined(sequence->omega, (acp_vec3){v[3], v[4], v[5]}, sign);
}

static void change_sequence(acp_eval_call *call, acp_sequence *sequence, const acp_json *json) {
    acp_json_input *input = &call->input;
    const acp_json *piece = acp_json_get_optional_object(input, json, "append");
    if (piece) acp_eval_managers_append(call, sequence, acp_json_get_object(input, call->in, "anims"), piece);
    sequence->velocity = acp_json_get_vec3_or(input, json, "velocity", sequence->velocity);
    sequence->omega = acp_json_get_vec3_or(input, json, "omega", sequence->omega);
    change_speeds(call, sequence, json, "combine", 1.0);
    change_speeds(call, sequence, json, "subtract", -1.0);
    if (acp_json_has(json, "multiply")) acp_sequence_multiply_cycle(sequence, acp_json_get_float(input, json, "multiply"));
    acp_sequence_remove_links(sequence, acp_json_get_uint32_or(input, json, "remove_links", 0));
    if (acp_json_get_flag_or(input, json, "remove_all_links", false)) acp_sequence_remove_all_links(sequence);
    if (acp_json_get_flag_or(input, json, "remove_cyclic", false)) acp_sequence_remove_cycle(sequence);
    if (acp_json_get_flag_or(input, json, "clear", false)) acp_sequence_clear(sequence);
}

static int32_t serial_at(const acp_sequence *sequence, uint32_t index) {
    return index == ACP_SEQUENCE_NONE ? -1 : (int32_t)sequence->nodes[index].serial;
}

static void write_sequence(acp_json_writer *out, const acp_sequence *sequence) {
    acp_json_write_double(out, "frame_number", sequence->frame_number);
    acp_json_write_int(out, "current", serial_at(sequence, sequence->current));
    acp_json_write_int(out, "first_cyclic", serial_at(sequence, sequence->first_cyclic));
    acp_json_begin_array(out, "list");
    for (uint32_t i = 0; i < sequence->count; ++i) {
        const acp_sequence_node *node = &sequence->nodes[i];
        acp_json_begin_object(out, NULL);
        acp_json_write_uint(out, "node", node->serial);
        acp_json_write_int(out, "low", node->low);
        acp_json_write_int(out, "high", node->high);
        acp_json_write_float(out, "framerate", node->framerate);
        acp_json_end_object(out);
    }
    acp_json_end_array(out);
    acp_json_write_vec3(out, "velocity", sequence->velocity);
    acp_json_write_vec3(out, "omega", sequence->omega);
}

static void sequence_once(acp_eval_call *call, acp_sequence *sequence, const acp_json *json, bool has_hooks) {
    acp_json_input *input = &call->input;
    change_sequence(call, sequence, json);
    acp_json_begin_object(call->out, NULL);
    if (acp_json_has(json, "update")) {
        acp_eval_hooks hooks = {call->out, input, false};
        acp_sequence_sink sink = {&hooks, tell_frame};
        acp_matrix_frame frame = acp_json_get_frame_or_identity(input, json, "frame");
        bool has_frame = !acp_json_get_flag_or(input, json, "no_frame", false);
        acp_sequence_update(sequence, acp_json_get_double(input, json, "update"), has_frame ? &frame : NULL, has_hooks ? &sink : NULL);
        if (hooks.is_open) acp_json_end_array(call->out);
        if (has_frame) write_frame(call->out, "frame", &frame);
    }
    write_sequence(call->out, sequence);
    acp_json_end_object(call->out);
}

static acp_result eval_sequence(acp_eval_call *call) {
    acp_sequence sequence;
    acp_sequence_init(&sequence, NULL);
    const acp_json *calls = acp_json_get_array(&call->input, call->in, "calls");
    bool has_hooks = acp_json_get_flag_or(&call->input, call->in, "hooks", false);
    acp_json_begin_array(call->out, "calls");
    for (const acp_json *json = calls ? calls->first : NULL; json && !acp_json_is_failed(&call->input); json = json->next)
        sequence_once(call, &sequence, json, has_hooks);
    acp_json_end_array(call->out);
    acp_sequence_free(&sequence);
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"constraint", "07b MOT-18", eval_constraint},
    {"sticky", "07b MOT-17", eval_sticky},
    {"interpolate", "07b MOT-16", eval_interpolate},
    {"sequence", "07b MOT-13", eval_sequence},
};
const acp_eval_area acp_eval_area_motion = {"motion", operations, sizeof operations / sizeof operations[0]};
