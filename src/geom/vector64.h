/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_VECTOR64_H
#define ACP_GEOM_VECTOR64_H

#include "acphys/math.h"

/* Three numbers of binary64, never stored narrower: for our own plain geometry, where retail has no order of operations to keep. */
typedef struct acp_vector64 {
    double x, y, z;
} acp_vector64;

static inline acp_vector64 acp_vector64_of(acp_vec3 v) { return (acp_vector64){(double)v.x, (double)v.y, (double)v.z}; }
static inline acp_vector64 acp_vector64_minus(acp_vector64 a, acp_vector64 b) { return (acp_vector64){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline acp_vector64 acp_vector64_along(acp_vector64 a, acp_vector64 d, double t) {
    return (acp_vector64){a.x + d.x * t, a.y + d.y * t, a.z + d.z * t};
}
static inline double acp_vector64_dot(acp_vector64 a, acp_vector64 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static inline acp_vector64 acp_vector64_cross(acp_vector64 a, acp_vector64 b) {
    return (acp_vector64){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
