/* SPDX-License-Identifier: MIT */
/* Turning a frame: rotation vectors, headings, Euler angles, aiming an axis, and interpolation between two frames.
 *
 * Contract: each operation ends in acp_matrix_frame_set_rotate, which normalises, may refuse (then quaternion and matrix stay), and
 * caches the matrix. Headings are degrees, 0 north, 90 east; everything else is radians. The results of acp_matrix_frame_heading are
 * unrounded and may lie a hair below 0 or apart from 360; nothing normalises them further (WM-37).
 * Arithmetic: binary64 with the stores that spec 01 §11-12 and 12 name; elementary functions are the fixed set of math/trig.h (D19), so
 * bits do not depend on the platform.
 * Limits: set_heading keeps the pitch component of the forward axis and loses roll, as retail does.
 * Spec: 01 WM-36..38, §12; 12. retail: Frame::grotate 0x005357A0 · Frame::rotate 0x004525B0 · Frame::set_heading 0x00535E40 ·
 * Frame::set_vector_heading 0x00535DB0 · Frame::euler_set_rotate 0x00535BF0 · Frame::get_heading 0x00535760 ·
 * Frame::get_vector_heading 0x00535720 · Frame::interpolate_origin 0x005352F0 · Frame::interpolate_rotation 0x00535390
 * Cost: two to six elementary functions each; nothing allocates. */
#include <math.h>

#include "math/frame.h"
#include "math/trig.h"
#include "math/vec3.h"

void acp_matrix_frame_grotate(acp_matrix_frame *frame, acp_vec3 w) {
    double squared = acp_vec3_length_squared(w);
    if (squared < ACP_EPSILON_F64 * ACP_EPSILON_F64) return;
    double angle = sqrt(squared);
    double inverse = acp_stored(1.0 / angle);
    double sine = acp_sin(angle * 0.5);
    double w1 = acp_stored(acp_cos(angle * 0.5));
    double x1 = acp_stored((sine * (double)w.x) * inverse);
    double y1 = acp_stored((inverse * sine) * (double)w.y);
    double z1 = (sine * inverse) * (double)w.z;
    double w2 = (double)frame->rotation.w, x2 = (double)frame->rotation.x;
    double y2 = (double)frame->rotation.y, z2 = (double)frame->rotation.z;
    float qx = acp_f32(((w1 * x2 + z2 * y1) + w2 * x1) - y2 * z1);
    float qy = acp_f32(((y2 * w1 - z2 * x1) + z1 * x2) + y1 * w2);
    float qz = acp_f32(((y2 * x1 + z2 * w1) - y1 * x2) + z1 * w2);
    float qw = acp_f32(((w1 * w2 - x2 * x1) - y2 * y1) - z2 * z1);
    (void)acp_matrix_frame_set_rotate(frame, qw, qx, qy, qz);
}

void acp_matrix_frame_rotate(acp_matrix_frame *frame, acp_vec3 w) {
    acp_matrix_frame_grotate(frame, acp_matrix_frame_local_to_global_vec(frame, w));
}

acp_vec3 acp_matrix_frame_vector_heading(const acp_matrix_frame *frame) {
    const float *m = frame->m;
    /* The products with zero are retail's: they keep a NaN and settle the sign of a zero (spec 12). */
    return acp_vec3_make(((double)m[6] + (double)m[0]) * 0.0 + (double)m[3], ((double)m[7] + (double)m[1]) * 0.0 + (double)m[4],
                         ((double)m[8] + (double)m[2]) * 0.0 + (double)m[5]);
}

double acp_matrix_frame_heading(const acp_matrix_frame *frame) {
    acp_vec3 forward = acp_matrix_frame_vector_heading(frame);
    return acp_fmod(450.0 - acp_atan2((double)forward.y, (double)forward.x) * ACP_DEGREES_PER_RADIAN, 360.0);
}

void acp_matrix_frame_set_vector_heading(acp_matrix_frame *frame, acp_vec3 heading) {
    if (acp_vec3_normalize_check_small(&heading)) return;
    double yaw = acp_fmod(450.0 - acp_atan2((double)heading.y, (double)heading.x) * ACP_DEGREES_PER_RADIAN, 360.0);
    acp_vec3 angles;
    angles.x = acp_f32((acp_asin((double)heading.z) * ACP_DEGREES_PER_RADIAN) * ACP_RADIANS_PER_DEGREE);
    angles.y = 0.0f;
    angles.z = acp_f32(-yaw * ACP_RADIANS_PER_DEGREE);
    acp_matrix_frame_euler_set_rotate(frame, angles, 0u);
}

void acp_matrix_frame_set_heading(acp_matrix_frame *frame, float degrees) {
    double radians = (double)degrees * ACP_RADIANS_PER_DEGREE;
    acp_vec3 heading = acp_matrix_frame_vector_heading(frame);
    heading.x = acp_f32(acp_sin(radians));
    heading.y = acp_f32(acp_cos(radians));
    acp_matrix_frame_set_vector_heading(frame, heading);
}

void acp_matrix_frame_euler_set_rotate(acp_matrix_frame *frame, acp_vec3 angles, uint32_t order) {
    static const uint8_t safe[4] = {0, 1, 2, 0};
    static const uint8_t next[4] = {1, 2, 0, 1};
    bool is_rotating = (order & 1u) != 0, is_repeating = (order & 2u) != 0;
    uint32_t parity = (order >> 2) & 1u;
    uint32_t i = safe[(order >> 3) & 3u], j = next[i + parity], k = next[i + 1u - parity];
    double x = (double)angles.x, y = (double)angles.y, z = (double)angles.z;
    if (is_rotating) {
        double swap = x;
        x = z;
        z = swap;
    }
    if (parity) y = -y;
    double half_z = acp_stored(z * 0.5);
    double ci = acp_stored(acp_cos(x * 0.5)), si = acp_stored(acp_sin(x * 0.5));
    double cj = acp_stored(acp_cos(y * 0.5)), sj = acp_sin(y * 0.5);
    double ch = acp_stored(acp_cos(half_z)), sh = acp_sin(half_z);
    double cc = acp_stored(ch * ci), cs = acp_stored(ci * sh), sc = acp_stored(si * ch), ss = acp_stored(si * sh);
    float q[3], w;
    if (is_repeating) {
        q[i] = acp_f32(cj * (cs + sc));
        q[j] = acp_f32(sj * (cc + ss));
        q[k] = acp_f32(sj * (cs - sc));
        w = acp_f32(cj * (cc - ss));
    } else {
        q[i] = acp_f32(cj * sc - sj * cs);
        q[j] = acp_f32(sj * cc + cj * ss);
        q[k] = acp_f32(cj * cs - sj * sc);
        w = acp_f32(cj * cc + sj * ss);
    }
    if (parity) q[j] = -q[j];
    (void)acp_matrix_frame_set_rotate(frame, w, q[0], q[1], q[2]);
}

void acp_matrix_frame_rotate_around_axis_to_vector(acp_matrix_frame *frame, uint32_t axis, acp_vec3 direction) {
    static const uint8_t previous[3] = {2, 0, 1};
    float *m = frame->m;
    uint32_t second = previous[axis], third = previous[second];
    acp_vec3 local = {m[3 * axis], m[3 * axis + 1], m[3 * axis + 2]};
    double along = acp_vec3_dot_zyx(direction, local);
    /* y and z of the projection are stored, x is not: settled by the vectors, spec 12 has no line on it. */
    acp_vec3 aim = acp_vec3_make((double)direction.x - along * (double)local.x, (double)direction.y - acp_stored(along * (double)local.y),
                                 (double)direction.z - acp_stored(along * (double)local.z));
    if (acp_vec3_normalize_check_small(&aim)) {
        acp_vec3 fallback = {m[3 * second], m[3 * second + 1], m[3 * second + 2]};
        aim = fallback;
    }
    if (!(fabs(acp_vec3_dot_zyx(aim, local)) <= ACP_EPSILON_F64 * 5.0)) return;
    m[3 * second] = aim.x;
    m[3 * second + 1] = aim.y;
    m[3 * second + 2] = aim.z;
    m[3 * third] = acp_f32((double)aim.y * (double)local.z - (double)aim.z * (double)local.y);
    m[3 * third + 1] = acp_f32((double)aim.z * (double)local.x - (double)aim.x * (double)local.z);
    m[3 * third + 2] = acp_f32((double)aim.x * (double)local.y - (double)aim.y * (double)local.x);
    acp_matrix_frame_quaternion_from_matrix(frame);
}

void acp_matrix_frame_interpolate_origin(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b, float t) {
    double after = (double)t, before = 1.0 - after;
    acp_vec3 from = a->origin, to = b->origin;
    out->origin.x = acp_f32(after * (double)to.x + acp_stored(before * (double)from.x));
    out->origin.y = acp_f32(acp_stored(before * (double)from.y) + acp_stored(after * (double)to.y));
    out->origin.z = acp_f32(acp_stored(before * (double)from.z) + acp_stored(after * (double)to.z));
}

/* The weights of both rotations: on the great circle, or linear when they are near or the circle would overshoot (§12). */
static void rotation_weights(double dot, double t, double *out_before, double *out_after) {
    *out_before = 1.0 - t;
    *out_after = t;
    if (1.0 - dot <= ACP_EPSILON_F64) return;
    double angle = acp_acos(dot);
    double inverse = 1.0 / acp_sin(angle);
    double before = acp_sin(angle * (1.0 - t)) * inverse;
    double after = acp_sin(t * angle) * inverse;
    if (!(before >= 0.0 && before <= 1.0 && after >= 0.0 && after <= 1.0)) return;
    *out_before = before;
    *out_after = after;
}

void acp_matrix_frame_interpolate_rotation(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b, float t) {
    double aw = (double)a->rotation.w, ax = (double)a->rotation.x, ay = (double)a->rotation.y, az = (double)a->rotation.z;
    double bw = (double)b->rotation.w, bx = (double)b->rotation.x, by = (double)b->rotation.y, bz = (double)b->rotation.z;
    double dot = ((ay * by + aw * bw) + ax * bx) + az * bz;
    if (!(dot >= 0.0)) {
        dot = -dot;
        bw = -bw;
        bx = -bx;
        by = -by;
        bz = -bz;
    }
    double before, after;
    rotation_weights(dot, (double)t, &before, &after);
    float w = acp_f32(before * aw + after * bw), x = acp_f32(before * ax + after * bx);
    float y = acp_f32(before * ay + after * by), z = acp_f32(before * az + after * bz);
    (void)acp_matrix_frame_set_rotate(out, w, x, y, z);
}
