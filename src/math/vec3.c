/* SPDX-License-Identifier: MIT */
/* Vector operations that are more than one expression: normalising, comparisons, heading and pitch of a direction.
 *
 * Contract: inputs are stored binary32 components, every expression is binary64 in the written order, each component of a vector result
 * is stored once (spec 01 WM-3). Comparisons are strict or not exactly as spec 01 §13 says. NaN never gets here from outside (WM-27a);
 * tests call these with NaN directly, and the comparisons then behave as written.
 * Spec: 01 §11 (normalize_check_small, headings), §13 (comparisons), 12 "Vectors".
 * retail: AC1Legacy::Vector3::normalize_check_small 0x00452460
 * Cost: one square root and one division for a normalisation; a heading adds one arc tangent. No allocation, no state. */
#include "math/vec3.h"

#include "math/trig.h"

acp_vec3 acp_vec3_normalize(acp_vec3 v) {
    double inverse = 1.0 / acp_vec3_length(v);
    return acp_vec3_make(inverse * (double)v.x, inverse * (double)v.y, inverse * (double)v.z);
}

bool acp_vec3_normalize_check_small(acp_vec3 *v) {
    double length = acp_vec3_length(*v);
    if (length < ACP_EPSILON_F64) return true;
    double inverse = 1.0 / length;
    *v = acp_vec3_make(inverse * (double)v->x, inverse * (double)v->y, inverse * (double)v->z);
    return false;
}

bool acp_vec3_is_zero(acp_vec3 v) {
    return fabs((double)v.x) < ACP_EPSILON_F64 && fabs((double)v.y) < ACP_EPSILON_F64 && fabs((double)v.z) < ACP_EPSILON_F64;
}

bool acp_vec3_is_equal(acp_vec3 a, acp_vec3 b) {
    return fabs((double)a.x - (double)b.x) <= ACP_EPSILON_F64 && fabs((double)a.y - (double)b.y) <= ACP_EPSILON_F64 &&
           fabs((double)a.z - (double)b.z) <= ACP_EPSILON_F64;
}

double acp_vec3_heading(acp_vec3 v) {
    acp_vec3 flat = {v.x, v.y, 0.0f};
    if (acp_vec3_normalize_check_small(&flat)) return 0.0;
    return acp_fmod(450.0 - acp_atan2((double)flat.y, (double)flat.x) * ACP_DEGREES_PER_RADIAN, 360.0);
}

double acp_vec3_pitch(acp_vec3 v) {
    if (acp_vec3_normalize_check_small(&v)) return 0.0;
    return acp_asin((double)v.z) * ACP_DEGREES_PER_RADIAN;
}
