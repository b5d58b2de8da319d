/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_WALKABLE_H
#define ACP_TRANSITION_WALKABLE_H

#include <stdbool.h>

#include "acphys/geom.h"
#include "geom/polygon.h"
#include "place/position.h"

/* The polygon last stood on, with the sphere that stood there (TRN-28). Both live in the axes of `position`, divided by `scale`. The
 * polygon and the position belong to assets and objects that stay mapped during a transition (FLAT-3). */
typedef struct acp_walkable {
    acp_polygon polygon;
    bool is_set; /* false: there is none; the rest keeps older values */
    const acp_matrix_position *position;
    acp_sphere check_sphere;
    acp_vec3 up;
    float scale;
} acp_walkable;

static inline void acp_walkable_clear(acp_walkable *walkable) { walkable->is_set = false; }

/* True when there is none, or when the sphere with half its radius is still over it. The halved radius stays (TRN-28).
 */
bool acp_walkable_check(acp_walkable *walkable);

#endif
