/* SPDX-License-Identifier: MIT */
/* The managers of a request's body: an animation sequence as root motion, the position manager, and the speeds that a motion interpreter
 * would give (vectors README §3 `animation`, §4 body2.jsonl; spec 07b MOT-6, MOT-13, MOT-15..18).
 *
 * Animations and their frames live in the memory of the line. The interpreter is nothing here but its two speeds. */
#include "tools/acphys/eval_managers.h"

#include <string.h>

#define RUN_FORWARD 0x44000007u

/* ---- animations ---- */

static const acp_matrix_frame *read_frames(acp_eval_call *call, const acp_json *array, uint32_t *out_count) {
    *out_count = array && array->type == ACP_JSON_ARRAY ? array->count : 0u;
    if (*out_count == 0) return NULL;
    acp_matrix_frame *frames = acp_json_reader_allocate(call->memory, *out_count * sizeof *frames);
    if (!frames) {
        acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "anims", "no memory");
        return NULL;
    }
    uint32_t i = 0;
    for (const acp_json *frame = array->first; frame; frame = frame->next)
        frames[i++] = acp_json_to_frame(&call->input, frame);
    return frames;
}

static void read_animation(acp_eval_call *call, const acp_json *json, acp_animation *out) {
    memset(out, 0, sizeof *out);
    out->frame_count = acp_json_get_uint32_or(&call->input, json, "frames", 0);
    uint32_t count = 0;
    out->data = acp_json_get_optional_array(&call->input, json, "hooks");
    out->roots = read_frames(call, acp_json_get_optional_array(&call->input, json, "pos"), &count);
    if (count < out->frame_count) out->roots = NULL;
    const acp_json *parts = acp_json_get_optional_array(&call->input, json, "parts");
    if (!parts || parts->count < out->frame_count || !parts->first) return;
    out->part_count = parts->first->count;
    acp_matrix_frame *frames = acp_json_reader_allocate(call->memory, ((size_t)parts->count * out->part_count + 1u) * sizeof *frames);
    if (!frames) {
        acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "parts", "no memory");
        return;
    }
    size_t i = 0;
    for (const acp_json *row = parts->first; row; row = row->next) {
        if (row->count != out->part_count) {
            acp_json_fail(&call->input, ACP_ERROR_BAD_DATA, "parts", "frames of different lengths");
            return;
        }
        for (const acp_json *frame = row->first; frame; frame = frame->next)
            frames[i++] = acp_json_to_frame(&call->input, frame);
    }
    out->parts = frames;
}

void acp_eval_managers_append(acp_eval_call *call, acp_sequence *sequence, const acp_json *anims, const acp_json *piece) {
    uint32_t length = 0;
    const char *name = acp_json_get_string(&call->input, piece, "anim", &length);
    char key[32];
    if (!name || length >= sizeof key) return;
    memcpy(key, name, length);
    key[length] = 0;
    const acp_json *json = acp_json_member(anims, key);
    if (!json) return;
    acp_animation *animation = acp_json_reader_allocate(call->memory, sizeof *animation);
    if (!animation) {
        acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "append", "no memory");
        return;
    }
    read_animation(call, json, animation);
    int32_t low = acp_json_get_int32_or(&call->input, piece, "low", 0), high = acp_json_get_int32_or(&call->input, piece, "high", -1);
    float framerate = acp_json_get_float_or(&call->input, piece, "framerate", 30.0f);
    if (acp_json_is_failed(&call->input)) return;
    acp_result result = acp_sequence_append(sequence, animation, low, high, framerate);
    if (result != ACP_OK) acp_json_fail(&call->input, result, "append", "no memory");
}

static void read_sequence(acp_eval_call *call, const acp_json *json, acp_eval_managers *out) {
    out->has_sequence = true;
    acp_vec3 zero = {0.0f, 0.0f, 0.0f};
    const acp_json *anims = acp_json_get_object(&call->input, json, "anims");
    const acp_json *pieces = acp_json_get_optional_array(&call->input, json, "append");
    for (const acp_json *piece = pieces ? pieces->first : NULL; piece && !acp_json_is_failed(&call->input); piece = piece->next)
        acp_eval_managers_append(call, &out->sequence, anims, piece);
    out->sequence.velocity = acp_json_get_vec3_or(&call->input, json, "velocity", zero);
    out->sequence.omega = acp_json_get_vec3_or(&call->input, json, "omega", zero);
}

/* ---- position manager and speeds ---- */

static void read_position_manager(acp_eval_call *call, const acp_matrix_position *own, acp_eval_managers *out) {
    acp_json_input *input = &call->input;
    const acp_json *json = acp_json_get_optional_object(input, call->in, "position_manager");
    if (!json) return;
    out->has_position_manager = true;
    const acp_json *constraint = acp_json_get_optional_object(input, json, "constraint");
    if (constraint) {
        acp_matrix_position place = acp_json_get_position(input, constraint, "pos");
        float start = acp_json_get_float(input, constraint, "start"), max = acp_json_get_float(input, constraint, "max");
        out->has_constraint = true;
        acp_constraint_begin(&out->constraint, own, &place, start, max);
    }
    const acp_json *sticky = acp_json_get_optional_object(input, json, "sticky");
    if (sticky) {
        out->has_sticky = true;
        acp_sticky_begin(&out->sticky, acp_json_get_id_or(input, sticky, "target_id", 0),
                         acp_json_get_float_or(input, sticky, "target_radius", 0.0f), 0.0);
        out->sticky.target = acp_json_get_position(input, sticky, "target");
        out->sticky.deadline = acp_json_get_double_or(input, sticky, "timeout", 0.0);
        out->sticky.is_initialized = acp_json_get_flag_or(input, sticky, "initialized", true);
    }
}

void acp_eval_speeds(acp_eval_call *call, const acp_json *json, const acp_scene_object *object, double *out_max, double *out_adjusted) {
    acp_json_input *input = &call->input;
    float rate = acp_json_get_float_or(input, json, "my_run_rate", 1.0f);
    if (!object->weenie)
        rate = 1.0f;
    else if (acp_json_get_flag_or(input, object->weenie, "13", false))
        rate = acp_json_get_float_or(input, object->weenie, "run_rate", rate);
    *out_max = *out_adjusted = (double)rate * 4.0;
    if (acp_json_get_id_or(input, json, "forward_command", 0x41000003u) != RUN_FORWARD) return;
    double speed = (double)acp_json_get_float_or(input, json, "forward_speed", 1.0f);
    *out_adjusted = speed / (double)acp_json_get_float_or(input, json, "current_speed_factor", 1.0f) * 4.0;
}

void acp_eval_managers_read(acp_eval_call *call, const acp_scene_object *object, acp_world *world, acp_eval_managers *out) {
    memset(out, 0, sizeof *out);
    acp_sequence_init(&out->sequence, NULL);
    acp_interpolation_init(&out->interpolation);
    const acp_json *animation = acp_json_get_optional_object(&call->input, object->json, "animation");
    if (animation) read_sequence(call, animation, out);
    if (animation && !acp_object_extra_of(world, object->index))
        acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "object", "no memory");
    read_position_manager(call, &acp_world_row(world, object->index)->position, out);
    const acp_json *interpreter = acp_json_get_optional_object(&call->input, call->in, "minterp");
    if (interpreter) acp_eval_speeds(call, interpreter, object, &out->max_speed, &out->adjusted_max_speed);
}

void acp_eval_managers_free(acp_eval_managers *managers) { acp_sequence_free(&managers->sequence); }

/* ---- at work ---- */

void acp_eval_managers_pose(const acp_eval_managers *managers, acp_object_row *row) {
    if (managers->has_sequence && row->extra) row->extra->pose = acp_sequence_pose(&managers->sequence, &row->extra->pose_count);
}

void acp_eval_managers_root(acp_eval_managers *managers, acp_object_row *row, float quantum, acp_frame *io_offset) {
    if (!managers->has_sequence) return;
    acp_matrix_frame frame = acp_matrix_frame_identity(); /* instead of the request's own root motion */
    acp_sequence_update(&managers->sequence, (double)quantum, &frame, NULL);
    *io_offset = acp_matrix_frame_to_public(&frame);
    acp_eval_managers_pose(managers, row);
}

static acp_interpolation_body follower(const acp_eval_managers *managers, acp_world *world, uint32_t index) {
    acp_interpolation_body body = {world, index, false, managers->sticky.target_id != 0, acp_f32(managers->adjusted_max_speed * 2.0)};
    return body;
}

void acp_eval_managers_adjust(acp_eval_managers *managers, acp_world *world, uint32_t index, float quantum, acp_frame *io_offset) {
    if (!managers->has_position_manager) return;
    acp_matrix_frame frame = acp_matrix_frame_from_public(io_offset);
    acp_interpolation_body body = follower(managers, world, index);
    acp_interpolation_adjust(&managers->interpolation, &body, quantum, &frame);
    acp_sticky_adjust(&managers->sticky, world, index, managers->max_speed, quantum, &frame);
    bool has_contact = (acp_world_row(world, index)->transient_state & ACP_TRANSIENT_CONTACT) != 0;
    acp_constraint_adjust(&managers->constraint, has_contact, &frame.origin);
    *io_offset = acp_matrix_frame_to_public(&frame);
}

void acp_eval_managers_use_time(acp_eval_managers *managers, acp_world *world, uint32_t index, acp_transition_context *context,
                                double now) {
    if (!managers->has_position_manager) return;
    acp_interpolation_body body = follower(managers, world, index);
    acp_interpolation_use_time(&managers->interpolation, &body, context);
    acp_sticky_use_time(&managers->sticky, now);
}

void acp_eval_managers_follow(acp_eval_managers *managers, acp_world *world, uint32_t index, const acp_matrix_position *place, bool keeps) {
    acp_interpolation_body body = follower(managers, world, index);
    acp_interpolation_follow(&managers->interpolation, &body, place, keeps);
}

void acp_eval_managers_write(acp_json_writer *out, const acp_eval_managers *managers) {
    if (managers->has_sequence) acp_json_write_double(out, "frame_number", managers->sequence.frame_number);
    if (!managers->has_position_manager) return;
    acp_json_write_uint(out, "nodes", managers->interpolation.count);
    acp_json_write_uint(out, "fails", managers->interpolation.fail_counter);
    if (managers->has_constraint) acp_json_write_float(out, "constraint_offset", managers->constraint.offset);
    if (managers->has_sticky) acp_json_write_id(out, "sticky_target", managers->sticky.target_id);
}
