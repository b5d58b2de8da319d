/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_SHAPE_H
#define ACP_ASSET_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/asset.h"

/* A GfxObj as physics sees it: box of all its vertices (MEM-20), root spheres of its trees (MEM-21), physics polygons and tree. The tree
 * is one position-independent block of the geom floor, owned when `owns_bsp` (a loader may lend one out of a package instead). */
struct acp_shape {
    uint32_t shape_id;
    uint32_t flags; /* ACP_SHAPE_*; HAS_BOX always */
    acp_sphere physics_sphere;
    acp_sphere drawing_sphere;
    acp_box box;
    const acp_bsp *bsp; /* null = no physics BSP */
    bool owns_bsp;
    acp_allocator allocator;
};

/* MEM-21: physics sphere, else drawing sphere, else none. */
static inline bool acp_shape_sphere(const acp_shape *shape, acp_sphere *out_sphere) {
    if (shape->flags & ACP_SHAPE_HAS_PHYSICS_SPHERE) {
        *out_sphere = shape->physics_sphere;
        return true;
    }
    if (shape->flags & ACP_SHAPE_HAS_DRAWING_SPHERE) {
        *out_sphere = shape->drawing_sphere;
        return true;
    }
    return false;
}

static inline bool acp_shape_has_physics_bsp(const acp_shape *shape) { return shape->bsp != NULL; }

#endif
