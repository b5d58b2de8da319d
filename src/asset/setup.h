/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_SETUP_H
#define ACP_ASSET_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/asset.h"
#include "asset/shape.h"
#include "math/frame.h"

/* A model. Placement frames keep their matrices. One block of memory: the struct and its lists. */
typedef struct acp_setup_placement {
    uint32_t placement_id;
    uint32_t frame_count;
    const acp_matrix_frame *frames;
} acp_setup_placement;

typedef struct acp_setup_holding {
    uint32_t location_id;
    int32_t part_index;
    acp_matrix_frame frame;
} acp_setup_holding;

struct acp_setup {
    uint32_t setup_id;
    uint32_t flags; /* ACP_SETUP_* */
    uint32_t part_count;
    uint32_t sphere_count;
    uint32_t cylsphere_count;
    uint32_t placement_count;
    uint32_t holding_count;
    bool has_physics_bsp; /* some part's shape has one (MEM-30) */
    const acp_setup_part *parts;
    const acp_sphere *spheres;
    const acp_cylsphere *cylspheres;
    const acp_setup_placement *placements;
    const acp_setup_holding *holdings;
    acp_sphere sorting_sphere; /* zero when it has none */
    float sphere_reach;        /* no sphere goes farther from the origin, unscaled; for skipping what cannot be touched */
    float cylsphere_reach;     /* the same horizontally for the cylspheres, whatever the object's rotation */
    float step_up_height;
    float step_down_height;
    float radius;
    float height;
    acp_allocator allocator;
    size_t byte_count; /* of the whole block */
};

/* PHO-4 SetPlacementFrame: the entry `placement_id`, else entry 0, else null. */
const acp_setup_placement *acp_setup_find_placement(const acp_setup *setup, uint32_t placement_id);

/* The holding location of an id, or null. */
const acp_setup_holding *acp_setup_find_holding(const acp_setup *setup, uint32_t location_id);

/* A part is a billboard by its shape or by its own flag. */
static inline bool acp_setup_part_is_always_2d(const acp_setup_part *part) {
    return (part->flags & ACP_SETUP_PART_IS_ALWAYS_2D) || (part->shape && (part->shape->flags & ACP_SHAPE_IS_ALWAYS_2D));
}

#endif
