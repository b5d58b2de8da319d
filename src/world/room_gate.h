/* SPDX-License-Identifier: MIT */
#ifndef ACP_WORLD_ROOM_GATE_H
#define ACP_WORLD_ROOM_GATE_H

#include <stdbool.h>

#include "geom/cell_tree_probe.h"
#include "geom/filter.h"
#include "world/block.h"

/* One plane of the room behind a portal, brought into the landblock once, in binary32: most spheres of a room are far outside of its
 * neighbours, and that is seen here without going into their axes. A gate only ever says "surely outside"; see room_gate.c for its bound.
 */
typedef struct acp_room_gate {
    acp_plane plane;          /* landblock coordinates; d infinite: says nothing */
    acp_filter_bounds bounds; /* over |x| + |y| + |z| of a centre in the landblock */
} acp_room_gate;

/* The gate of a portal of `from`; `other` null: one that says nothing. */
acp_room_gate acp_room_gate_of(const acp_env_cell *from, const acp_cell_portal *portal, const acp_env_cell *other);

/* True: acp_cell_tree_intersects_sphere of the room behind says outside. */
static inline bool acp_room_gate_excludes(const acp_room_gate *gate, const acp_sphere *sphere) {
    acp_vec3 c = sphere->center;
    float radius = acp_f32((double)sphere->radius + ACP_CELL_PAD);
    float error = acp_filter_error(&gate->bounds, acp_filter_reach(c)) + (float)(8.0 * ACP_FILTER_UNIT) * acp_filter_abs(radius);
    float distance = ((gate->plane.normal.x * c.x + gate->plane.normal.y * c.y) + gate->plane.d) + gate->plane.normal.z * c.z;
    return distance < -(radius + error);
}

#endif
