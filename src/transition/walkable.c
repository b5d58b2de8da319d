/* SPDX-License-Identifier: MIT */
/* Walkable: the polygon last stood on and whether the mover is still over it (spec 06 TRN-28).
 *
 * The probe halves the radius of the remembered sphere and leaves it halved: a second probe on the same polygon uses a quarter. Retail
 * keeps that, and so do we. Contract: the polygon and its owner's position outlive the transition (FLAT-3).
 * Only polygons of trees are remembered; terrain, spheres and cylinders never are. Cost: one edge walk. */
#include "transition/walkable.h"

bool acp_walkable_check(acp_walkable *walkable) {
    if (!walkable->is_set) return true;
    walkable->check_sphere.radius = (float)((double)walkable->check_sphere.radius * 0.5);
    return acp_polygon_check_walkable(&walkable->polygon, &walkable->check_sphere, walkable->up);
}
