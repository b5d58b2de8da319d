/* SPDX-License-Identifier: MIT */
#ifndef ACP_MATH_FRAME_H
#define ACP_MATH_FRAME_H

#include <stdbool.h>

#include "acphys/math.h"
#include "math/number.h"

/* Retail's Frame (spec 01 §7-13): quaternion, the matrix cached from it, origin. The public acp_frame has no matrix (D15); the floors
 * below the door work on this form. m[3*i + j] is the j-th parent component of local axis i. */
typedef struct acp_matrix_frame {
    acp_quaternion rotation;
    float m[9];
    acp_vec3 origin;
} acp_matrix_frame;

ACP_STATIC_ASSERT(sizeof(acp_matrix_frame) == 64, "retail's Frame is 64 bytes (WM-24)");

/* Identity: quaternion (1,0,0,0), identity matrix, origin 0. */
acp_matrix_frame acp_matrix_frame_identity(void);

/* WM-26: recomputes m from the quaternion as it is. retail: Frame::cache 0x00534DF0 */
void acp_matrix_frame_cache(acp_matrix_frame *frame);

/* From a public frame: fields stored as they are, matrix cached (no renormalisation). */
acp_matrix_frame acp_matrix_frame_from_public(const acp_frame *frame);
acp_frame acp_matrix_frame_to_public(const acp_matrix_frame *frame);

/* WM-28: normalises and stores; on an invalid outcome restores the old quaternion, leaves m and returns false.
 * retail: Frame::set_rotate 0x00535080 */
bool acp_matrix_frame_set_rotate(acp_matrix_frame *frame, float w, float x, float y, float z);

/* WM-27. retail: Frame::IsValid 0x00534ED0 */
bool acp_matrix_frame_is_valid(const acp_matrix_frame *frame);
/* retail: Frame::IsValidExceptForHeading 0x00534FE0 */
bool acp_matrix_frame_is_valid_except_for_heading(const acp_matrix_frame *frame);

/* WM-29, from a matrix. retail: Frame::set_rotate 0x005358D0. Reads m, replaces quaternion (and m) through set_rotate. */
void acp_matrix_frame_quaternion_from_matrix(acp_matrix_frame *frame);

/* WM-30. retail: Frame::localtoglobal 0x00452620 */
static inline acp_vec3 acp_matrix_frame_local_to_global(const acp_matrix_frame *f, acp_vec3 v) {
    const float *m = f->m;
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    acp_vec3 out;
    out.x = acp_f32((((double)m[6] * z + (double)m[0] * x) + (double)m[3] * y) + (double)f->origin.x);
    out.y = acp_f32((((double)m[7] * z + (double)m[1] * x) + (double)m[4] * y) + (double)f->origin.y);
    out.z = acp_f32((((double)m[8] * z + (double)m[2] * x) + (double)m[5] * y) + (double)f->origin.z);
    return out;
}

/* The same without the origin. retail: Frame::localtoglobalvec 0x004524F0 */
static inline acp_vec3 acp_matrix_frame_local_to_global_vec(const acp_matrix_frame *f, acp_vec3 v) {
    const float *m = f->m;
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    acp_vec3 out;
    out.x = acp_f32(((double)m[6] * z + (double)m[0] * x) + (double)m[3] * y);
    out.y = acp_f32(((double)m[7] * z + (double)m[1] * x) + (double)m[4] * y);
    out.z = acp_f32(((double)m[8] * z + (double)m[2] * x) + (double)m[5] * y);
    return out;
}

/* WM-31: dx, dy stored; dz stored for x and y rows, unrounded in the z row. retail: Frame::globaltolocal 0x00452680 */
static inline acp_vec3 acp_matrix_frame_global_to_local(const acp_matrix_frame *f, acp_vec3 v) {
    const float *m = f->m;
    double dx = acp_stored((double)v.x - (double)f->origin.x);
    double dy = acp_stored((double)v.y - (double)f->origin.y);
    double dz = (double)v.z - (double)f->origin.z;
    double dzr = acp_stored(dz);
    acp_vec3 out;
    out.x = acp_f32((dzr * (double)m[2] + dx * (double)m[0]) + dy * (double)m[1]);
    out.y = acp_f32((dzr * (double)m[5] + dx * (double)m[3]) + dy * (double)m[4]);
    out.z = acp_f32((dz * (double)m[8] + dx * (double)m[6]) + dy * (double)m[7]);
    return out;
}

/* retail: Frame::globaltolocalvec 0x00452550 */
static inline acp_vec3 acp_matrix_frame_global_to_local_vec(const acp_matrix_frame *f, acp_vec3 v) {
    const float *m = f->m;
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    acp_vec3 out;
    out.x = acp_f32(((double)m[2] * z + (double)m[0] * x) + (double)m[1] * y);
    out.y = acp_f32(((double)m[5] * z + (double)m[3] * x) + (double)m[4] * y);
    out.z = acp_f32(((double)m[8] * z + (double)m[6] * x) + (double)m[7] * y);
    return out;
}

/* WM-33: child b placed in parent a. `out` may alias a or b in all four. retail: Frame::combine 0x005122E0 */
void acp_matrix_frame_combine(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b);
/* The instance for animation frames: other operand order, other bits (spec 12). retail: Frame::combine 0x00525180 */
void acp_matrix_frame_combine_animation(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b);
/* b's origin multiplied per axis by scale, unrounded. Poses an object's parts. retail: Frame::combine 0x00518FD0 */
void acp_matrix_frame_combine_scaled(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b, acp_vec3 scale);
/* WM-35: the frame that, combined with b, gives a. retail: Frame::subtract1 0x00535520 */
void acp_matrix_frame_subtract1(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b);
/* WM-34: a expressed in b's frame. retail: Frame::subtract2 0x00535650 */
void acp_matrix_frame_subtract2(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b);

/* WM-36: rotation vectors, radians; global and local. */
void acp_matrix_frame_grotate(acp_matrix_frame *frame, acp_vec3 w);
void acp_matrix_frame_rotate(acp_matrix_frame *frame, acp_vec3 w);

/* WM-37. Degrees, 0 north, 90 east; heading unrounded. */
acp_vec3 acp_matrix_frame_vector_heading(const acp_matrix_frame *frame);
double acp_matrix_frame_heading(const acp_matrix_frame *frame);
void acp_matrix_frame_set_vector_heading(acp_matrix_frame *frame, acp_vec3 heading);
void acp_matrix_frame_set_heading(acp_matrix_frame *frame, float degrees);

/* WM-38: angles in radians, order 0..23. */
void acp_matrix_frame_euler_set_rotate(acp_matrix_frame *frame, acp_vec3 angles, uint32_t order);
/* retail: Frame::rotate_around_axis_to_vector 0x00535A40; axis 0..2 */
void acp_matrix_frame_rotate_around_axis_to_vector(acp_matrix_frame *frame, uint32_t axis, acp_vec3 direction);

/* §12. t is not clamped. */
void acp_matrix_frame_interpolate_origin(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b, float t);
void acp_matrix_frame_interpolate_rotation(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b, float t);

/* §13 */
bool acp_matrix_frame_is_equal(const acp_matrix_frame *a, const acp_matrix_frame *b);
bool acp_matrix_frame_is_quaternion_equal(const acp_matrix_frame *a, const acp_matrix_frame *b);
bool acp_matrix_frame_is_close_rotation(const acp_matrix_frame *a, const acp_matrix_frame *b, float epsilon);

#endif
