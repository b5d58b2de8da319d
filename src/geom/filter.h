/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_FILTER_H
#define ACP_GEOM_FILTER_H

#include <math.h>
#include <stdbool.h>

#include "base/expect.h"
#include "geom/sphere.h"

/* Bounds for decisions taken in binary32 before the exact binary64 expression is asked (style, "Numbers": same decision by proof).
 *
 * Let u = 2^-24 and t = N.p + d with |N_i| <= n, |d| <= D, S = n(|x|+|y|+|z|) + D >= the sum of the magnitudes of the four terms. In any
 * order of summation the binary32 value t' obeys |t' - t| <= 4u/(1-4u) S + 4 * 2^-150 (each term sees at most four roundings; the last part
 * is underflow of products), and the binary64 value differs from t by less than 2^-50 S. acp_filter_error is 9u S + 4u EPS + 2^-100, itself
 * evaluated in binary32 (four roundings, so at least 8.9u S): more than twice what is needed. What is left pays for rounding a threshold
 * made of it: with reach r, r + error and r - error are off by no more than u(|r| + error), and 4u|r| is added where r is not a constant
 * (4u EPS stands for the constant). A value beyond the threshold by the bound decides; everything else, NaN and overflow included (no
 * comparison holds), goes to the exact expression. */
#define ACP_FILTER_UNIT 0x1p-24

/* |v| in binary32: exact. */
static inline float acp_filter_abs(float v) { return (float)fabs((double)v); }
static inline float acp_filter_min(float a, float b) { return a < b ? a : b; }
static inline float acp_filter_max(float a, float b) { return a > b ? a : b; }

/* What the planes of an asset may be at most, while it is built. */
typedef struct acp_filter_extent {
    float normal; /* greatest |component| of a normal */
    float d;      /* greatest |d| */
} acp_filter_extent;

static inline void acp_filter_extent_add(acp_filter_extent *extent, const acp_plane *plane) {
    const float values[3] = {acp_filter_abs(plane->normal.x), acp_filter_abs(plane->normal.y), acp_filter_abs(plane->normal.z)};
    for (int i = 0; i < 3; i++)
        if (values[i] > extent->normal) extent->normal = values[i];
    if (acp_filter_abs(plane->d) > extent->d) extent->d = acp_filter_abs(plane->d);
}

/* The bound as a line over |x| + |y| + |z|; part of the asset. */
typedef struct acp_filter_bounds {
    float slope;
    float base;
} acp_filter_bounds;

static inline acp_filter_bounds acp_filter_bounds_of(const acp_filter_extent *extent) {
    const double k = 9.0 * ACP_FILTER_UNIT * (1.0 + 4.0 * ACP_FILTER_UNIT);
    acp_filter_bounds bounds = {(float)(k * (double)extent->normal),
                                (float)(k * (double)extent->d + 4.0 * ACP_FILTER_UNIT * ACP_EPSILON_F64 + 0x1p-100)};
    return bounds;
}

static inline float acp_filter_reach(acp_vec3 p) { return (acp_filter_abs(p.x) + acp_filter_abs(p.y)) + acp_filter_abs(p.z); }

/* The error bound for a point whose |x| + |y| + |z| is `reach`. */
static inline float acp_filter_error(const acp_filter_bounds *bounds, float reach) { return bounds->slope * reach + bounds->base; }

/* SPH-1 out of line, for the rare undecided case. */
static ACP_COLD bool acp_filter_sphere_intersects_exact(const acp_sphere *a, const acp_sphere *b) { return acp_sphere_intersects(a, b); }

/* SPH-1 with a filter. d' and s' are sums and squares of single roundings of exact inputs, so relative to the exact ones they are off by
 * less than 6u each; 16u on the greater side covers both and the roundings of the comparison, and EPS is widened by 64u. Underflow is below
 * 2^-140 and vanishes against EPS. */
static inline bool acp_filter_sphere_intersects(const acp_sphere *a, const acp_sphere *b) {
    float dx = a->center.x - b->center.x, dy = a->center.y - b->center.y, dz = a->center.z - b->center.z;
    float s = a->radius + b->radius;
    float d2 = dx * dx + dy * dy + dz * dz, s2 = s * s;
    if (d2 < s2 * (float)(1.0 - 16.0 * ACP_FILTER_UNIT)) return true;
    if (d2 > s2 * (float)(1.0 + 16.0 * ACP_FILTER_UNIT) + (float)(ACP_EPSILON_F64 * (1.0 + 64.0 * ACP_FILTER_UNIT))) return false;
    return acp_filter_sphere_intersects_exact(a, b);
}

#endif
