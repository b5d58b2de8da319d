/* SPDX-License-Identifier: MIT */
/* Frames and positions in JSON.
 *
 * A frame is read as the vectors define it: the identity, then the normalising set_rotate with q (or raw_q stored as it is and only the
 * matrix derived), then the origin o. Absent parts keep their identity values. A separate file because it needs the bodies of the math
 * floor, which the rest of the JSON support does not (spec 01 WM-24, WM-26, WM-28). */
#include "support/json_values.h"

acp_matrix_frame acp_json_to_frame(acp_json_input *input, const acp_json *value) {
    acp_matrix_frame frame = acp_matrix_frame_identity();
    if (acp_json_has(value, "raw_q")) {
        frame.rotation = acp_json_get_quaternion(input, value, "raw_q");
        acp_matrix_frame_cache(&frame);
        /* The document examples state the matrix too, where it is not what the quaternion gives. */
        if (acp_json_has(value, "m")) acp_json_get_float_array(input, value, "m", frame.m, 9);
    } else if (acp_json_has(value, "q")) {
        acp_quaternion q = acp_json_get_quaternion(input, value, "q");
        (void)acp_matrix_frame_set_rotate(&frame, q.w, q.x, q.y, q.z);
    }
    frame.origin = acp_json_get_vec3_or(input, value, "o", frame.origin);
    return frame;
}

acp_matrix_frame acp_json_get_frame(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_frame(input, acp_json_get_object(input, object, key));
}

acp_matrix_frame acp_json_get_frame_or_identity(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_frame(input, acp_json_get_optional_object(input, object, key));
}

acp_matrix_position acp_json_to_position(acp_json_input *input, const acp_json *value) {
    return (acp_matrix_position){acp_json_get_id(input, value, "cell"), acp_json_to_frame(input, value)};
}

acp_matrix_position acp_json_get_position(acp_json_input *input, const acp_json *object, const char *key) {
    return acp_json_to_position(input, acp_json_get_object(input, object, key));
}

void acp_json_write_frame_members(acp_json_writer *writer, const acp_matrix_frame *frame) {
    acp_json_write_quaternion(writer, "q", frame->rotation);
    acp_json_write_floats(writer, "m", frame->m, 9);
    acp_json_write_vec3(writer, "o", frame->origin);
}

void acp_json_write_frame(acp_json_writer *writer, const char *key, const acp_matrix_frame *frame) {
    acp_json_begin_object(writer, key);
    acp_json_write_frame_members(writer, frame);
    acp_json_end_object(writer);
}

void acp_json_write_position(acp_json_writer *writer, const char *key, const acp_position *position) {
    acp_json_begin_object(writer, key);
    acp_json_write_id(writer, "cell", position->cell_id);
    acp_json_write_quaternion(writer, "q", position->frame.rotation);
    acp_json_write_vec3(writer, "o", position->frame.origin);
    acp_json_end_object(writer);
}
