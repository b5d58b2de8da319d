/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_HIT_H
#define ACP_GEOM_SOUP_HIT_H

#include <math.h>
#include <stdbool.h>

#include "geom/soup_format.h"
#include "geom/vector64.h"
#include "math/vec3.h"

/* What segments and sweeps through a soup share: the best hit so far, and the items of a group in binary64. */

typedef struct acp_soup_best {
    double fraction; /* 1 while nothing is found */
    bool is_found;
    bool is_front;
    uint32_t kind;
    uint32_t ordinal;
    acp_vector64 point;
    acp_vector64 normal; /* of any length, turned to where the way comes from */
} acp_soup_best;

/* Takes a hit when it is earlier, or as early and lower in kind or ordinal. True: something is met. */
static inline bool acp_soup_offer(acp_soup_best *best, double fraction, uint32_t kind, uint32_t ordinal, bool is_front, acp_vector64 point,
                                  acp_vector64 normal) {
    if (best->is_found) {
        if (fraction > best->fraction) return true;
        if (fraction == best->fraction && (kind > best->kind || (kind == best->kind && ordinal >= best->ordinal))) return true;
    }
    *best = (acp_soup_best){fraction, true, is_front, kind, ordinal, point, normal};
    return true;
}

typedef struct acp_soup_corners {
    acp_vector64 at[3];
} acp_soup_corners;

static inline acp_soup_corners acp_soup_corners_of(const acp_soup_triangles *group, uint32_t lane) {
    acp_soup_corners out;
    for (int k = 0; k < 3; k++)
        out.at[k] = (acp_vector64){(double)group->points[k][0][lane], (double)group->points[k][1][lane], (double)group->points[k][2][lane]};
    return out;
}

static inline acp_vector64 acp_soup_center_of(const acp_soup_rounds *group, uint32_t lane) {
    return (acp_vector64){(double)group->center[0][lane], (double)group->center[1][lane], (double)group->center[2][lane]};
}

/* Finite and within ACP_SOUP_GREATEST; false for NaN. */
static inline bool acp_soup_is_in_reach(acp_vec3 v) {
    const double most = (double)ACP_SOUP_GREATEST;
    return fabs((double)v.x) <= most && fabs((double)v.y) <= most && fabs((double)v.z) <= most;
}

/* A hit in its public form. */
static inline acp_soup_hit acp_soup_hit_of(const acp_soup_best *best) {
    acp_soup_hit hit = {.fraction = best->fraction, .kind = best->kind, .ordinal = best->ordinal, .is_front = best->is_front};
    hit.point = acp_vec3_make(best->point.x, best->point.y, best->point.z);
    double length = sqrt(acp_vector64_dot(best->normal, best->normal));
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    hit.normal = acp_vec3_make(best->normal.x * scale, best->normal.y * scale, best->normal.z * scale);
    return hit;
}

#endif
