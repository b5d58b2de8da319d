/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_FILTER_H
#define ACP_GEOM_FILTER_H

#include <math.h>
#include <stdbool.h>

#include "geom/sphere.h"

/* Bounds for decisions taken in binary32 before the exact binary64 expression is asked (style, "Numbers": same decision by proof).
 *
 * Let u = 2^-24 and t = N.p + d with |N_i| <= n, |d| <= D, S = n(|x|+|y|+|z|) + D >= the sum of the magnitudes of the four terms. In any
 * order of summation the binary32 value t' obeys |t' - t| <= 4u/(1-4u) S + 4 * 2^-150 (each term sees at most four roundings; the last part
 * is underflow of products), and the binary64 value differs from t by less than 2^-50 S. ACP_FILTER_DISTANCE_ERROR = 8u S + 2^-100 is thus
 * at least 3.9u S above their difference, which pays for the rounding of the bound itself and for a threshold rounded to binary32 once
 * (u (|threshold| + error), with 4u |threshold| added where a threshold is made). A value beyond the threshold by the bound decides;
 * everything else, NaN and overflow included (no comparison holds), goes to the exact expression. */
#define ACP_FILTER_UNIT 0x1p-24

/* |v| in binary32: exact. */
static inline float acp_filter_abs(float v) { return (float)fabs((double)v); }
static inline float acp_filter_min(float a, float b) { return a < b ? a : b; }
static inline float acp_filter_max(float a, float b) { return a > b ? a : b; }

/* What the planes of an asset may be at most; part of the asset. */
typedef struct acp_filter_bounds {
    float normal; /* greatest |component| of a normal */
    float d;      /* greatest |d| */
} acp_filter_bounds;

static inline void acp_filter_bounds_add(acp_filter_bounds *bounds, const acp_plane *plane) {
    const float values[3] = {acp_filter_abs(plane->normal.x), acp_filter_abs(plane->normal.y), acp_filter_abs(plane->normal.z)};
    for (int i = 0; i < 3; i++)
        if (values[i] > bounds->normal) bounds->normal = values[i];
    if (acp_filter_abs(plane->d) > bounds->d) bounds->d = acp_filter_abs(plane->d);
}

/* The error bound for points with |x| + |y| + |z| <= reach. */
static inline double acp_filter_error(const acp_filter_bounds *bounds, double reach) {
    return (8.0 * ACP_FILTER_UNIT) * ((double)bounds->normal * reach + (double)bounds->d) + 0x1p-100;
}

static inline double acp_filter_reach(acp_vec3 p) { return (fabs((double)p.x) + fabs((double)p.y)) + fabs((double)p.z); }

/* SPH-1 with a filter. d' and s' are sums and squares of single roundings of exact inputs, so relative to the exact ones they are off by
 * less than 6u each; 16u on the greater side covers both and the roundings of the comparison, and EPS is widened by 64u. Underflow is below
 * 2^-140 and vanishes against EPS. */
static inline bool acp_filter_sphere_intersects(const acp_sphere *a, const acp_sphere *b) {
    float dx = a->center.x - b->center.x, dy = a->center.y - b->center.y, dz = a->center.z - b->center.z;
    float s = a->radius + b->radius;
    float d2 = dx * dx + dy * dy + dz * dz, s2 = s * s;
    if (d2 < s2 * (float)(1.0 - 16.0 * ACP_FILTER_UNIT)) return true;
    if (d2 > s2 * (float)(1.0 + 16.0 * ACP_FILTER_UNIT) + (float)(ACP_EPSILON_F64 * (1.0 + 64.0 * ACP_FILTER_UNIT))) return false;
    return acp_sphere_intersects(a, b);
}

#endif
