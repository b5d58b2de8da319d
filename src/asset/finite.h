/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_FINITE_H
#define ACP_ASSET_FINITE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"
#include "acphys/math.h"
#include "math/finite.h"

/* The public door (WM-27a): NaN and infinity are refused. */

static inline bool acp_is_finite(float x) { return isfinite(x); }

static inline bool acp_vec3_is_finite(acp_vec3 v) { return acp_is_finite_vec3(&v); }

static inline bool acp_quaternion_is_finite(acp_quaternion q) { return acp_is_finite_quaternion(&q); }

static inline bool acp_frame_is_finite(const acp_frame *f) {
    return acp_vec3_is_finite(f->origin) && acp_quaternion_is_finite(f->rotation);
}

static inline bool acp_sphere_is_finite(const acp_sphere *s) { return acp_vec3_is_finite(s->center) && acp_is_finite(s->radius); }

static inline bool acp_box_is_finite(const acp_box *b) { return acp_vec3_is_finite(b->min) && acp_vec3_is_finite(b->max); }

static inline bool acp_plane_is_finite(const acp_plane *p) { return acp_vec3_is_finite(p->normal) && acp_is_finite(p->d); }

static inline bool acp_cylsphere_is_finite(const acp_cylsphere *c) {
    return acp_vec3_is_finite(c->low_point) && acp_is_finite(c->radius) && acp_is_finite(c->height);
}

#endif
