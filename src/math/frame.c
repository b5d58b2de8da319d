/* SPDX-License-Identifier: MIT */
/* Frames: the cached matrix, validity, storing a rotation, and composition.
 *
 * A matrix frame keeps a quaternion, the matrix cached from it, and an origin, as retail's Frame does. Only acp_matrix_frame_cache writes
 * the matrix, and it is called exactly where spec 01 WM-25 says. A rejected rotation leaves quaternion and matrix as they were.
 * The three instances of combine differ in the order of their operands, therefore in their last bits (spec 12 "Vectors, frames,
 * positions"): which instance a caller of retail used is part of the behaviour, so all three exist here.
 * Contract: `out` may be one of the inputs. Each origin is complete before the first store; both quaternions are read before either is
 * replaced. Arithmetic: binary64, one store per marked component (WM-3).
 * Limits: a quaternion of zeros gives NaN inside set_rotate and is refused there (WM-28); infinite origins pass is_valid, as in retail;
 * the public door refuses them before.
 * Spec: 01 §7-10, §13; 12. retail: Frame::cache 0x00534DF0 · Frame::combine 0x005122E0
 * Cost: combine is about 50 multiplications and one square root; nothing allocates. */
#include "math/frame.h"

#include <math.h>

#include "math/vec3.h"

/* The four components of a quaternion before they become the (stored) arguments of set_rotate. */
typedef struct product {
    float w, x, y, z;
} product;

acp_matrix_frame acp_matrix_frame_identity(void) {
    acp_matrix_frame frame = {{1.0f, 0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}};
    return frame;
}

void acp_matrix_frame_cache(acp_matrix_frame *frame) {
    double w = (double)frame->rotation.w, x = (double)frame->rotation.x;
    double y = (double)frame->rotation.y, z = (double)frame->rotation.z;
    double x2 = x + x, y2 = y + y, z2 = z + z; /* exact */
    frame->m[0] = acp_f32((1.0 - y * y2) - z * z2);
    frame->m[1] = acp_f32(x * y2 + w * z2);
    frame->m[2] = acp_f32(x * z2 - w * y2);
    frame->m[3] = acp_f32(x * y2 - w * z2);
    frame->m[4] = acp_f32((1.0 - x * x2) - z * z2);
    frame->m[5] = acp_f32(y * z2 + w * x2);
    frame->m[6] = acp_f32(x * z2 + w * y2);
    frame->m[7] = acp_f32(y * z2 - w * x2);
    frame->m[8] = acp_f32((1.0 - x * x2) - y * y2);
}

acp_matrix_frame acp_matrix_frame_from_public(const acp_frame *frame) {
    acp_matrix_frame result;
    result.rotation = frame->rotation;
    result.origin = frame->origin;
    acp_matrix_frame_cache(&result);
    return result;
}

acp_frame acp_matrix_frame_to_public(const acp_matrix_frame *frame) {
    acp_frame result = {frame->origin, frame->rotation};
    return result;
}

static bool is_any_component_nan(const acp_quaternion *q) { return isnan(q->w) || isnan(q->x) || isnan(q->y) || isnan(q->z); }

static bool is_any_coordinate_nan(const acp_vec3 *v) { return isnan(v->x) || isnan(v->y) || isnan(v->z); }

bool acp_matrix_frame_is_valid(const acp_matrix_frame *frame) {
    if (is_any_coordinate_nan(&frame->origin) || is_any_component_nan(&frame->rotation)) return false;
    double w = (double)frame->rotation.w, x = (double)frame->rotation.x;
    double y = (double)frame->rotation.y, z = (double)frame->rotation.z;
    double norm = acp_stored(((z * z + y * y) + x * x) + w * w);
    return !(ACP_EPSILON_F64 * 5.0 < fabs(norm - 1.0));
}

bool acp_matrix_frame_is_valid_except_for_heading(const acp_matrix_frame *frame) {
    return !is_any_coordinate_nan(&frame->origin) && is_any_component_nan(&frame->rotation);
}

bool acp_matrix_frame_set_rotate(acp_matrix_frame *frame, float w, float x, float y, float z) {
    acp_quaternion before = frame->rotation;
    double dw = (double)w, dx = (double)x, dy = (double)y, dz = (double)z;
    double scale = 1.0 / sqrt(((dw * dw + dx * dx) + dy * dy) + dz * dz);
    frame->rotation.w = acp_f32(dw * scale);
    frame->rotation.x = acp_f32(dx * scale);
    frame->rotation.y = acp_f32(dy * scale);
    frame->rotation.z = acp_f32(dz * scale);
    if (!acp_matrix_frame_is_valid(frame)) {
        frame->rotation = before;
        return false;
    }
    acp_matrix_frame_cache(frame);
    return true;
}

/* WM-29, the branch for traces near -1: `i` is the axis of the largest diagonal. Retail forms all three off-diagonal terms as
 * differences (RA-6). */
static product quaternion_of_small_trace(const float *m) {
    uint32_t i = m[4] > m[0] ? 1u : 0u;
    if (m[8] > m[4 * i]) i = 2u;
    uint32_t j = (i + 1u) % 3u, k = (j + 1u) % 3u;
    double r = sqrt(((double)m[4 * i] - ((double)m[4 * k] + (double)m[4 * j])) + 1.0);
    float q[3];
    q[i] = acp_f32(r * 0.5);
    if (r > ACP_EPSILON_F64) r = 0.5 / r;
    float w = acp_f32(((double)m[3 * j + k] - (double)m[3 * k + j]) * r);
    q[j] = acp_f32(((double)m[3 * i + j] - (double)m[3 * j + i]) * r);
    q[k] = acp_f32(((double)m[3 * i + k] - (double)m[3 * k + i]) * r);
    product result = {w, q[0], q[1], q[2]};
    return result;
}

void acp_matrix_frame_quaternion_from_matrix(acp_matrix_frame *frame) {
    const float *m = frame->m;
    double trace = (((double)m[0] + (double)m[4]) + (double)m[8]) + 1.0;
    product q;
    if (trace > ACP_EPSILON_F64) {
        double s = 0.5 / sqrt(trace);
        q.w = acp_f32(0.25 / s);
        q.x = acp_f32(((double)m[5] - (double)m[7]) * s);
        q.y = acp_f32(((double)m[6] - (double)m[2]) * s);
        q.z = acp_f32(((double)m[1] - (double)m[3]) * s);
    } else {
        q = quaternion_of_small_trace(m);
    }
    (void)acp_matrix_frame_set_rotate(frame, q.w, q.x, q.y, q.z);
}

/* Adopts an origin and then a rotation: the origin is in place when set_rotate examines the frame (WM-28, WM-33). */
static void adopt(acp_matrix_frame *out, acp_vec3 origin, product q) {
    out->origin = origin;
    (void)acp_matrix_frame_set_rotate(out, q.w, q.x, q.y, q.z);
}

void acp_matrix_frame_combine(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b) {
    double w1 = (double)a->rotation.w, x1 = (double)a->rotation.x, y1 = (double)a->rotation.y, z1 = (double)a->rotation.z;
    double w2 = (double)b->rotation.w, x2 = (double)b->rotation.x, y2 = (double)b->rotation.y, z2 = (double)b->rotation.z;
    product q;
    q.x = acp_f32(((w1 * x2 + z2 * y1) + w2 * x1) - y2 * z1);
    q.y = acp_f32(((y2 * w1 - z2 * x1) + z1 * x2) + y1 * w2);
    q.z = acp_f32(((y2 * x1 + z2 * w1) - y1 * x2) + z1 * w2);
    q.w = acp_f32(((w1 * w2 - x2 * x1) - y2 * y1) - z2 * z1);
    adopt(out, acp_matrix_frame_local_to_global(a, b->origin), q);
}

void acp_matrix_frame_combine_animation(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b) {
    double w1 = (double)a->rotation.w, x1 = (double)a->rotation.x, y1 = (double)a->rotation.y, z1 = (double)a->rotation.z;
    double w2 = (double)b->rotation.w, x2 = (double)b->rotation.x, y2 = (double)b->rotation.y, z2 = (double)b->rotation.z;
    product q;
    q.x = acp_f32(((x1 * w2 + w1 * x2) + z2 * y1) - y2 * z1);
    q.y = acp_f32(((w1 * y2 - x1 * z2) + x2 * z1) + w2 * y1);
    q.z = acp_f32(((x1 * y2 + w1 * z2) - x2 * y1) + w2 * z1);
    q.w = acp_f32(((w1 * w2 - x2 * x1) - y2 * y1) - z2 * z1);
    adopt(out, acp_matrix_frame_local_to_global(a, b->origin), q);
}

void acp_matrix_frame_combine_scaled(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b, acp_vec3 scale) {
    double w1 = (double)a->rotation.w, x1 = (double)a->rotation.x, y1 = (double)a->rotation.y, z1 = (double)a->rotation.z;
    double w2 = (double)b->rotation.w, x2 = (double)b->rotation.x, y2 = (double)b->rotation.y, z2 = (double)b->rotation.z;
    double sx = (double)scale.x * (double)b->origin.x;
    double sy = (double)scale.y * (double)b->origin.y;
    double sz = (double)scale.z * (double)b->origin.z;
    const float *m = a->m;
    acp_vec3 origin;
    origin.x = acp_f32(((sx * (double)m[0] + sz * (double)m[6]) + sy * (double)m[3]) + (double)a->origin.x);
    origin.y = acp_f32(((sx * (double)m[1] + sz * (double)m[7]) + sy * (double)m[4]) + (double)a->origin.y);
    origin.z = acp_f32(((sx * (double)m[2] + sz * (double)m[8]) + sy * (double)m[5]) + (double)a->origin.z);
    product q;
    q.x = acp_f32(((x1 * w2 + w1 * x2) + z2 * y1) - y2 * z1);
    q.y = acp_f32(((w1 * y2 - x1 * z2) + x2 * z1) + w2 * y1);
    q.z = acp_f32(((w1 * z2 + x1 * y2) - x2 * y1) + w2 * z1);
    q.w = acp_f32(((w1 * w2 - x2 * x1) - y2 * y1) - z2 * z1);
    adopt(out, origin, q);
}

void acp_matrix_frame_subtract1(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b) {
    double w1 = (double)a->rotation.w, x1 = (double)a->rotation.x, y1 = (double)a->rotation.y, z1 = (double)a->rotation.z;
    double w2 = (double)b->rotation.w, x2 = -(double)b->rotation.x, y2 = -(double)b->rotation.y, z2 = -(double)b->rotation.z;
    acp_vec3 origin_a = a->origin, origin_b = b->origin;
    product q;
    q.x = acp_f32(((w1 * x2 + z2 * y1) + w2 * x1) - y2 * z1);
    q.y = acp_f32(((y2 * w1 - z2 * x1) + z1 * x2) + y1 * w2);
    q.z = acp_f32(((y2 * x1 + z2 * w1) - y1 * x2) + z1 * w2);
    q.w = acp_f32(((w1 * w2 - x2 * x1) - y2 * y1) - z2 * z1);
    (void)acp_matrix_frame_set_rotate(out, q.w, q.x, q.y, q.z);
    const float *m = out->m;
    double tx = -(double)origin_b.x, ty = -(double)origin_b.y, tz = -(double)origin_b.z;
    double gx = acp_stored((tz * (double)m[6] + tx * (double)m[0]) + ty * (double)m[3]);
    double gy = acp_stored((tz * (double)m[7] + tx * (double)m[1]) + ty * (double)m[4]);
    double gz = (tz * (double)m[8] + tx * (double)m[2]) + ty * (double)m[5];
    out->origin = acp_vec3_make(gx + (double)origin_a.x, gy + (double)origin_a.y, gz + (double)origin_a.z);
}

void acp_matrix_frame_subtract2(acp_matrix_frame *out, const acp_matrix_frame *a, const acp_matrix_frame *b) {
    double w1 = (double)b->rotation.w, x1 = -(double)b->rotation.x, y1 = -(double)b->rotation.y, z1 = -(double)b->rotation.z;
    double w2 = (double)a->rotation.w, x2 = (double)a->rotation.x, y2 = (double)a->rotation.y, z2 = (double)a->rotation.z;
    product q;
    q.x = acp_f32(((w1 * x2 + z2 * y1) + w2 * x1) - y2 * z1);
    q.y = acp_f32(((y2 * w1 - z2 * x1) + z1 * x2) + y1 * w2);
    q.z = acp_f32(((y2 * x1 + z2 * w1) - y1 * x2) + z1 * w2);
    q.w = acp_f32(((w1 * w2 - x2 * x1) - y2 * y1) - z2 * z1);
    adopt(out, acp_matrix_frame_global_to_local(b, a->origin), q);
}

bool acp_matrix_frame_is_quaternion_equal(const acp_matrix_frame *a, const acp_matrix_frame *b) {
    return acp_matrix_frame_is_close_rotation(a, b, ACP_EPSILON);
}

bool acp_matrix_frame_is_close_rotation(const acp_matrix_frame *a, const acp_matrix_frame *b, float epsilon) {
    double e = (double)epsilon;
    return fabs((double)a->rotation.w - (double)b->rotation.w) < e && fabs((double)a->rotation.x - (double)b->rotation.x) < e &&
           fabs((double)a->rotation.y - (double)b->rotation.y) < e && fabs((double)a->rotation.z - (double)b->rotation.z) < e;
}

bool acp_matrix_frame_is_equal(const acp_matrix_frame *a, const acp_matrix_frame *b) {
    return acp_vec3_is_equal(a->origin, b->origin) && acp_matrix_frame_is_quaternion_equal(a, b);
}
