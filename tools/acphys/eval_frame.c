/* SPDX-License-Identifier: MIT */
/* `eval` operations on vectors and frames (vectors: frame.jsonl).
 *
 * The internal operations of the math floor, one function each, in the form of the vectors' README: a frame comes in as {q | raw_q, o} and
 * goes out as its members q, m, o. NaN passes, as in the client. Headings are written as the binary32 their callers would store, magnitudes
 * as binary64. An operation that replaces a rotation and refuses leaves the frame it was given, and that is its answer.
 * Spec: 01 §8-13, 12. Cost: under a microsecond beside reading and writing JSON. */
#include "math/frame.h"
#include "math/vec3.h"
#include "tools/acphys/eval.h"

static acp_vec3 get_vec3(acp_eval_call *call, const char *key) { return acp_json_get_vec3(&call->input, call->in, key); }
static acp_matrix_frame get_frame(acp_eval_call *call, const char *key) { return acp_json_get_frame(&call->input, call->in, key); }
static float get_float(acp_eval_call *call, const char *key) { return acp_json_get_float(&call->input, call->in, key); }

static acp_result answer_frame(acp_eval_call *call, const acp_matrix_frame *frame) {
    acp_json_write_frame_members(call->out, frame);
    return call->input.result;
}

static acp_result answer_flag(acp_eval_call *call, bool ret) {
    acp_json_write_flag(call->out, "ret", ret);
    return call->input.result;
}

static acp_result answer_float(acp_eval_call *call, double ret) {
    acp_json_write_float(call->out, "ret", acp_f32(ret));
    return call->input.result;
}

static acp_result answer_vec3(acp_eval_call *call, acp_vec3 v) {
    acp_json_write_vec3(call->out, "v", v);
    return call->input.result;
}

/* ---- vectors ---- */

static acp_result eval_vec_normalize(acp_eval_call *call) { return answer_vec3(call, acp_vec3_normalize(get_vec3(call, "v"))); }

static acp_result eval_vec_normalize_check_small(acp_eval_call *call) {
    acp_vec3 v = get_vec3(call, "v");
    acp_json_write_flag(call->out, "ret", acp_vec3_normalize_check_small(&v));
    return answer_vec3(call, v);
}

static acp_result eval_vec_magnitude(acp_eval_call *call) {
    acp_json_write_double(call->out, "ret", acp_vec3_length(get_vec3(call, "v")));
    return call->input.result;
}

static acp_result eval_vec_is_zero(acp_eval_call *call) { return answer_flag(call, acp_vec3_is_zero(get_vec3(call, "v"))); }

static acp_result eval_vec_equal(acp_eval_call *call) {
    acp_vec3 a = get_vec3(call, "a"), b = get_vec3(call, "b");
    return answer_flag(call, acp_vec3_is_equal(a, b));
}

static acp_result eval_vec_heading(acp_eval_call *call) { return answer_float(call, acp_vec3_heading(get_vec3(call, "v"))); }

static acp_result eval_vec_pitch(acp_eval_call *call) { return answer_float(call, acp_vec3_pitch(get_vec3(call, "v"))); }

/* ---- one frame ---- */

static acp_result eval_set_rotate(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_quaternion q = acp_json_get_quaternion(&call->input, call->in, "q");
    (void)acp_matrix_frame_set_rotate(&frame, q.w, q.x, q.y, q.z);
    return answer_frame(call, &frame);
}

static acp_result eval_cache(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_matrix_frame_cache(&frame);
    return answer_frame(call, &frame);
}

static acp_result eval_cache_quaternion(acp_eval_call *call) {
    acp_matrix_frame frame = acp_json_get_frame_or_identity(&call->input, call->in, "frame");
    acp_json_get_float_array(&call->input, call->in, "m", frame.m, 9);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_matrix_frame_quaternion_from_matrix(&frame);
    return answer_frame(call, &frame);
}

static acp_result eval_set_heading(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_matrix_frame_set_heading(&frame, get_float(call, "degrees"));
    return answer_frame(call, &frame);
}

static acp_result eval_set_vector_heading(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_matrix_frame_set_vector_heading(&frame, get_vec3(call, "v"));
    return answer_frame(call, &frame);
}

static acp_result eval_grotate(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_matrix_frame_grotate(&frame, get_vec3(call, "w"));
    return answer_frame(call, &frame);
}

static acp_result eval_rotate(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_matrix_frame_rotate(&frame, get_vec3(call, "w"));
    return answer_frame(call, &frame);
}

static acp_result eval_euler_set_rotate(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_vec3 angles = get_vec3(call, "xyz");
    uint32_t order = acp_json_get_uint32(&call->input, call->in, "order");
    if (order > 23u) return acp_json_fail(&call->input, ACP_ERROR_OUT_OF_RANGE, "order", "must be 0 to 23");
    acp_matrix_frame_euler_set_rotate(&frame, angles, order);
    return answer_frame(call, &frame);
}

static acp_result eval_rotate_around_axis_to_vector(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    uint32_t axis = acp_json_get_uint32(&call->input, call->in, "axis");
    if (axis > 2u) return acp_json_fail(&call->input, ACP_ERROR_OUT_OF_RANGE, "axis", "must be 0, 1 or 2");
    acp_matrix_frame_rotate_around_axis_to_vector(&frame, axis, get_vec3(call, "dir"));
    return answer_frame(call, &frame);
}

static acp_result eval_get_heading(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    return answer_float(call, acp_matrix_frame_heading(&frame));
}

static acp_result eval_get_vector_heading(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    return answer_vec3(call, acp_matrix_frame_vector_heading(&frame));
}

static acp_result eval_is_valid(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    acp_json_write_flag(call->out, "ret", acp_matrix_frame_is_valid(&frame));
    acp_json_write_flag(call->out, "except_heading", acp_matrix_frame_is_valid_except_for_heading(&frame));
    return call->input.result;
}

static acp_result eval_localtoglobal(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    return answer_vec3(call, acp_matrix_frame_local_to_global(&frame, get_vec3(call, "v")));
}

static acp_result eval_localtoglobalvec(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    return answer_vec3(call, acp_matrix_frame_local_to_global_vec(&frame, get_vec3(call, "v")));
}

static acp_result eval_globaltolocal(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    return answer_vec3(call, acp_matrix_frame_global_to_local(&frame, get_vec3(call, "v")));
}

static acp_result eval_globaltolocalvec(acp_eval_call *call) {
    acp_matrix_frame frame = get_frame(call, "frame");
    return answer_vec3(call, acp_matrix_frame_global_to_local_vec(&frame, get_vec3(call, "v")));
}

/* ---- two frames ---- */

typedef void (*frame_function)(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b);

static acp_result answer_of_two(acp_eval_call *call, frame_function function) {
    acp_matrix_frame a = get_frame(call, "a"), b = get_frame(call, "b"), out = acp_matrix_frame_identity();
    function(&out, &a, &b);
    return answer_frame(call, &out);
}

static acp_result eval_combine(acp_eval_call *call) { return answer_of_two(call, acp_matrix_frame_combine); }
static acp_result eval_combine_aframe(acp_eval_call *call) { return answer_of_two(call, acp_matrix_frame_combine_animation); }
static acp_result eval_subtract1(acp_eval_call *call) { return answer_of_two(call, acp_matrix_frame_subtract1); }
static acp_result eval_subtract2(acp_eval_call *call) { return answer_of_two(call, acp_matrix_frame_subtract2); }

static acp_result eval_combine_scaled(acp_eval_call *call) {
    acp_matrix_frame a = get_frame(call, "a"), b = get_frame(call, "b"), out = acp_matrix_frame_identity();
    acp_matrix_frame_combine_scaled(&out, &a, &b, get_vec3(call, "scale"));
    return answer_frame(call, &out);
}

static acp_result eval_interpolate_origin(acp_eval_call *call) {
    acp_matrix_frame a = get_frame(call, "a"), b = get_frame(call, "b"), out = acp_matrix_frame_identity();
    acp_matrix_frame_interpolate_origin(&out, &a, &b, get_float(call, "t"));
    acp_json_write_vec3(call->out, "o", out.origin);
    return call->input.result;
}

static acp_result eval_interpolate_rotation(acp_eval_call *call) {
    acp_matrix_frame a = get_frame(call, "a"), b = get_frame(call, "b"), out = acp_matrix_frame_identity();
    acp_matrix_frame_interpolate_rotation(&out, &a, &b, get_float(call, "t"));
    return answer_frame(call, &out);
}

static acp_result eval_is_equal(acp_eval_call *call) {
    acp_matrix_frame a = get_frame(call, "a"), b = get_frame(call, "b");
    acp_json_write_flag(call->out, "ret", acp_matrix_frame_is_equal(&a, &b));
    acp_json_write_flag(call->out, "quaternion", acp_matrix_frame_is_quaternion_equal(&a, &b));
    acp_json_write_flag(call->out, "close_rotation", acp_matrix_frame_is_close_rotation(&a, &b, get_float(call, "eps")));
    return call->input.result;
}

static const acp_eval_operation operations[] = {
    {"vec_normalize", "12 Vectors", eval_vec_normalize},
    {"vec_normalize_check_small", "01 WM-37", eval_vec_normalize_check_small},
    {"vec_magnitude", "12 Vectors", eval_vec_magnitude},
    {"vec_is_zero", "01 section 13", eval_vec_is_zero},
    {"vec_equal", "01 section 13", eval_vec_equal},
    {"vec_heading", "01 WM-44", eval_vec_heading},
    {"vec_pitch", "01 WM-37", eval_vec_pitch},
    {"frame_set_rotate", "01 WM-28", eval_set_rotate},
    {"frame_cache", "01 WM-26", eval_cache},
    {"frame_cache_quaternion", "01 WM-29", eval_cache_quaternion},
    {"frame_set_heading", "01 WM-37", eval_set_heading},
    {"frame_set_vector_heading", "01 WM-37", eval_set_vector_heading},
    {"frame_grotate", "01 WM-36", eval_grotate},
    {"frame_rotate", "01 WM-36", eval_rotate},
    {"frame_euler_set_rotate", "01 WM-38", eval_euler_set_rotate},
    {"frame_rotate_around_axis_to_vector", "01 section 11", eval_rotate_around_axis_to_vector},
    {"frame_get_heading", "01 WM-37", eval_get_heading},
    {"frame_get_vector_heading", "01 WM-37", eval_get_vector_heading},
    {"frame_is_valid", "01 WM-27", eval_is_valid},
    {"frame_localtoglobal", "01 WM-30", eval_localtoglobal},
    {"frame_localtoglobalvec", "01 WM-30", eval_localtoglobalvec},
    {"frame_globaltolocal", "01 WM-31", eval_globaltolocal},
    {"frame_globaltolocalvec", "01 WM-31", eval_globaltolocalvec},
    {"frame_combine", "01 WM-33", eval_combine},
    {"frame_combine_aframe", "01 WM-33", eval_combine_aframe},
    {"frame_combine_scaled", "01 WM-33", eval_combine_scaled},
    {"frame_subtract1", "01 WM-35", eval_subtract1},
    {"frame_subtract2", "01 WM-34", eval_subtract2},
    {"frame_interpolate_origin", "01 section 12", eval_interpolate_origin},
    {"frame_interpolate_rotation", "01 section 12", eval_interpolate_rotation},
    {"frame_is_equal", "01 section 13", eval_is_equal},
};
const acp_eval_area acp_eval_area_frame = {"frame", operations, sizeof operations / sizeof operations[0]};
