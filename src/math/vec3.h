/* SPDX-License-Identifier: MIT */
#ifndef ACP_MATH_VEC3_H
#define ACP_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "acphys/math.h"
#include "math/number.h"

/* Vector operations of spec 01 §11, §13 and 12 "Vectors". Inputs are stored binary32; a `double` result is unrounded. */

static inline acp_vec3 acp_vec3_make(double x, double y, double z) {
    acp_vec3 v = {acp_f32(x), acp_f32(y), acp_f32(z)};
    return v;
}

/* a + b, each component stored. */
static inline acp_vec3 acp_vec3_add(acp_vec3 a, acp_vec3 b) {
    return acp_vec3_make((double)a.x + (double)b.x, (double)a.y + (double)b.y, (double)a.z + (double)b.z);
}

/* a - b, each component stored. */
static inline acp_vec3 acp_vec3_subtract(acp_vec3 a, acp_vec3 b) {
    return acp_vec3_make((double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z);
}

/* v * s, each component stored; s unrounded. */
static inline acp_vec3 acp_vec3_scale(acp_vec3 v, double s) { return acp_vec3_make((double)v.x * s, (double)v.y * s, (double)v.z * s); }

/* "order zyx": (a.z*b.z + a.y*b.y) + a.x*b.x, unrounded. */
static inline double acp_vec3_dot_zyx(acp_vec3 a, acp_vec3 b) {
    return ((double)a.z * (double)b.z + (double)a.y * (double)b.y) + (double)a.x * (double)b.x;
}

/* (x*x + y*y) + z*z, unrounded. */
static inline double acp_vec3_length_squared(acp_vec3 v) {
    return ((double)v.x * (double)v.x + (double)v.y * (double)v.y) + (double)v.z * (double)v.z;
}

/* Unrounded. retail: Vector3::magnitude 0x004523D0 */
static inline double acp_vec3_length(acp_vec3 v) { return sqrt(acp_vec3_length_squared(v)); }

/* Divides by the length: components r(inv*c), inv unrounded. No guard (see the check_small form). */
acp_vec3 acp_vec3_normalize(acp_vec3 v);

/* WM-37: true ("small", *v unchanged) when the length is < EPSILON; else normalises in place and returns false. */
bool acp_vec3_normalize_check_small(acp_vec3 *v);

/* §13: every |component| < EPSILON. */
bool acp_vec3_is_zero(acp_vec3 v);

/* §13: every |difference| <= EPSILON. */
bool acp_vec3_is_equal(acp_vec3 a, acp_vec3 b);

/* Degrees, 0 north, clockwise; unrounded. */
double acp_vec3_heading(acp_vec3 v);

/* Degrees above the horizon; unrounded. */
double acp_vec3_pitch(acp_vec3 v);

#endif
