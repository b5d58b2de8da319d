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
    uint32_t leaf; /* child word */
    uint32_t lane;
    uint32_t ordinal;
} acp_soup_best;

/* Takes a hit when it is earlier, or as early and lower in kind or ordinal. */
static inline void acp_soup_offer(acp_soup_best *best, double fraction, uint32_t leaf, uint32_t lane, uint32_t ordinal, bool is_front) {
    if (best->is_found) {
        uint32_t kind = leaf & ACP_SOUP_CHILD_KIND, other = best->leaf & ACP_SOUP_CHILD_KIND;
        if (fraction > best->fraction) return;
        if (fraction == best->fraction && (kind > other || (kind == other && ordinal >= best->ordinal))) return;
    }
    *best = (acp_soup_best){fraction, true, is_front, leaf, lane, ordinal};
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

/* Twice the area, along the normal. */
static inline acp_vector64 acp_soup_area_of(const acp_soup_corners *p) {
    return acp_vector64_cross(acp_vector64_minus(p->at[1], p->at[0]), acp_vector64_minus(p->at[2], p->at[0]));
}

static inline acp_vector64 acp_soup_center_of(const acp_soup_rounds *group, uint32_t lane) {
    return (acp_vector64){(double)group->center[0][lane], (double)group->center[1][lane], (double)group->center[2][lane]};
}

/* Finite and within ACP_SOUP_GREATEST; false for NaN. */
static inline bool acp_soup_is_in_reach(acp_vec3 v) {
    const double most = (double)ACP_SOUP_GREATEST;
    return fabs((double)v.x) <= most && fabs((double)v.y) <= most && fabs((double)v.z) <= most;
}

/* A hit in its public form; `normal` of any length. */
static inline acp_soup_hit acp_soup_hit_of(const acp_soup_best *best, acp_vector64 point, acp_vector64 normal) {
    acp_soup_hit hit = {.fraction = best->fraction, .ordinal = best->ordinal, .is_front = best->is_front};
    hit.kind = (best->leaf & ACP_SOUP_CHILD_KIND) - 1u;
    hit.point = acp_vec3_make(point.x, point.y, point.z);
    double length = sqrt(acp_vector64_dot(normal, normal));
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    hit.normal = acp_vec3_make(normal.x * scale, normal.y * scale, normal.z * scale);
    return hit;
}

/* A hit whose normal leads from the point to the centre. */
static inline acp_soup_hit acp_soup_hit_at(const acp_soup_best *best, acp_vector64 point, acp_vector64 center) {
    return acp_soup_hit_of(best, point, acp_vector64_minus(center, point));
}

#endif
