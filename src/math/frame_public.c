/* SPDX-License-Identifier: MIT */
/* The public door of frames: every number is checked, the work is done by the matrix form, and the matrix stays inside (D15).
 *
 * Contract: include/acphys/math.h. A null, a NaN, an infinity or a rotation off unit length is an error and nothing is written, so the two
 * ways in which retail's matrix can disagree with its quaternion cannot come in here (spec 01 WM-25, WM-27a, DIV-01). Outputs may be
 * inputs: all inputs are read into matrix frames first. Limits: finite input may overflow inside; what comes out is then refused by whoever
 * receives it. Spec: 01 §8-13. Cost: caching a matrix (20 operations) on top of the operation itself; nothing allocates. */
#include <math.h>

#include "acphys/math.h"
#include "math/finite.h"
#include "math/frame.h"

acp_frame acp_frame_identity(void) {
    acp_frame frame = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    return frame;
}

acp_result acp_frame_check(const acp_frame *frame) {
    if (!frame) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_is_finite_vec3(&frame->origin) || !acp_is_finite_quaternion(&frame->rotation)) return ACP_ERROR_NOT_FINITE;
    acp_matrix_frame matrix = acp_matrix_frame_from_public(frame);
    return acp_matrix_frame_is_valid(&matrix) ? ACP_OK : ACP_ERROR_OUT_OF_RANGE;
}

/* Checks a frame and derives its matrix. */
static acp_result enter(const acp_frame *frame, acp_matrix_frame *out_frame) {
    acp_result result = acp_frame_check(frame);
    if (result == ACP_OK) *out_frame = acp_matrix_frame_from_public(frame);
    return result;
}

/* Two frames and a place for the answer. */
static acp_result enter_two(const acp_frame *a, const acp_frame *b, const acp_frame *out, acp_matrix_frame *out_a,
                            acp_matrix_frame *out_b) {
    if (!out) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = enter(a, out_a);
    return result == ACP_OK ? enter(b, out_b) : result;
}

/* A frame, a vector and a place for the answer. */
static acp_result enter_with(const acp_frame *frame, const acp_vec3 *v, const void *out, acp_matrix_frame *out_frame) {
    if (!out) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_is_finite_vec3(v)) return ACP_ERROR_NOT_FINITE;
    return enter(frame, out_frame);
}

acp_result acp_frame_set_rotation(acp_frame *frame, acp_quaternion rotation) {
    if (!frame) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_is_finite_vec3(&frame->origin) || !acp_is_finite_quaternion(&rotation)) return ACP_ERROR_NOT_FINITE;
    acp_matrix_frame matrix = acp_matrix_frame_identity();
    if (!acp_matrix_frame_set_rotate(&matrix, rotation.w, rotation.x, rotation.y, rotation.z)) return ACP_ERROR_OUT_OF_RANGE;
    frame->rotation = matrix.rotation;
    return ACP_OK;
}

acp_result acp_frame_combine(const acp_frame *parent, const acp_frame *child, acp_frame *out_frame) {
    acp_matrix_frame a, b;
    acp_result result = enter_two(parent, child, out_frame, &a, &b);
    if (result != ACP_OK) return result;
    acp_matrix_frame_combine(&a, &a, &b);
    *out_frame = acp_matrix_frame_to_public(&a);
    return ACP_OK;
}

acp_result acp_frame_subtract(const acp_frame *frame, const acp_frame *base, acp_frame *out_frame) {
    acp_matrix_frame a, b;
    acp_result result = enter_two(frame, base, out_frame, &a, &b);
    if (result != ACP_OK) return result;
    acp_matrix_frame_subtract2(&a, &a, &b);
    *out_frame = acp_matrix_frame_to_public(&a);
    return ACP_OK;
}

acp_result acp_frame_inverse(const acp_frame *frame, acp_frame *out_frame) {
    acp_frame identity = acp_frame_identity();
    return acp_frame_subtract(&identity, frame, out_frame);
}

acp_result acp_frame_local_to_global(const acp_frame *frame, acp_vec3 point, acp_vec3 *out_point) {
    acp_matrix_frame f;
    acp_result result = enter_with(frame, &point, out_point, &f);
    if (result == ACP_OK) *out_point = acp_matrix_frame_local_to_global(&f, point);
    return result;
}

acp_result acp_frame_global_to_local(const acp_frame *frame, acp_vec3 point, acp_vec3 *out_point) {
    acp_matrix_frame f;
    acp_result result = enter_with(frame, &point, out_point, &f);
    if (result == ACP_OK) *out_point = acp_matrix_frame_global_to_local(&f, point);
    return result;
}

acp_result acp_frame_local_to_global_vec(const acp_frame *frame, acp_vec3 direction, acp_vec3 *out_direction) {
    acp_matrix_frame f;
    acp_result result = enter_with(frame, &direction, out_direction, &f);
    if (result == ACP_OK) *out_direction = acp_matrix_frame_local_to_global_vec(&f, direction);
    return result;
}

acp_result acp_frame_global_to_local_vec(const acp_frame *frame, acp_vec3 direction, acp_vec3 *out_direction) {
    acp_matrix_frame f;
    acp_result result = enter_with(frame, &direction, out_direction, &f);
    if (result == ACP_OK) *out_direction = acp_matrix_frame_global_to_local_vec(&f, direction);
    return result;
}

acp_result acp_frame_heading(const acp_frame *frame, double *out_degrees) {
    acp_matrix_frame f;
    if (!out_degrees) return ACP_ERROR_INVALID_ARGUMENT;
    acp_result result = enter(frame, &f);
    if (result == ACP_OK) *out_degrees = acp_matrix_frame_heading(&f);
    return result;
}

acp_result acp_frame_set_heading(acp_frame *frame, float degrees) {
    acp_matrix_frame f;
    if (!isfinite(degrees)) return ACP_ERROR_NOT_FINITE;
    acp_result result = enter(frame, &f);
    if (result != ACP_OK) return result;
    acp_matrix_frame_set_heading(&f, degrees);
    frame->rotation = f.rotation;
    return ACP_OK;
}

/* The three operations that turn a frame by a vector. */
static acp_result turn(acp_frame *frame, acp_vec3 v, void (*operation)(acp_matrix_frame *frame, acp_vec3 v)) {
    acp_matrix_frame f;
    acp_result result = enter_with(frame, &v, frame, &f);
    if (result != ACP_OK) return result;
    operation(&f, v);
    frame->rotation = f.rotation;
    return ACP_OK;
}

acp_result acp_frame_set_vector_heading(acp_frame *frame, acp_vec3 direction) {
    return turn(frame, direction, acp_matrix_frame_set_vector_heading);
}

acp_result acp_frame_rotate(acp_frame *frame, acp_vec3 rotation_vector) { return turn(frame, rotation_vector, acp_matrix_frame_rotate); }

acp_result acp_frame_rotate_global(acp_frame *frame, acp_vec3 rotation_vector) {
    return turn(frame, rotation_vector, acp_matrix_frame_grotate);
}

acp_result acp_frame_interpolate(const acp_frame *from, const acp_frame *to, float t, acp_frame *out_frame) {
    acp_matrix_frame a, b, between = acp_matrix_frame_identity();
    if (!isfinite(t)) return ACP_ERROR_NOT_FINITE;
    acp_result result = enter_two(from, to, out_frame, &a, &b);
    if (result != ACP_OK) return result;
    acp_matrix_frame_interpolate_origin(&between, &a, &b, t);
    acp_matrix_frame_interpolate_rotation(&between, &a, &b, t);
    *out_frame = acp_matrix_frame_to_public(&between);
    return ACP_OK;
}

bool acp_frame_is_equal(const acp_frame *a, const acp_frame *b) {
    if (!a || !b) return false;
    acp_matrix_frame fa = acp_matrix_frame_from_public(a), fb = acp_matrix_frame_from_public(b);
    return acp_matrix_frame_is_equal(&fa, &fb);
}
