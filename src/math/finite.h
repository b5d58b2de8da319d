/* SPDX-License-Identifier: MIT */
#ifndef ACP_MATH_FINITE_H
#define ACP_MATH_FINITE_H

#include <math.h>
#include <stdbool.h>

#include "acphys/math.h"

/* WM-27a: what every public door asks of its numbers. */
static inline bool acp_is_finite_vec3(const acp_vec3 *v) { return isfinite(v->x) && isfinite(v->y) && isfinite(v->z); }

static inline bool acp_is_finite_quaternion(const acp_quaternion *q) {
    return isfinite(q->w) && isfinite(q->x) && isfinite(q->y) && isfinite(q->z);
}

#endif
