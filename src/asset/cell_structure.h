/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_CELL_STRUCTURE_H
#define ACP_ASSET_CELL_STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/asset.h"

/* A room: physics polygons with their tree, and the containment tree. Either may be null: no physics, contains nothing. */
struct acp_cell_structure {
    uint32_t structure_id;
    bool owns_trees;
    const acp_bsp *bsp;
    const acp_cell_tree *containment;
    acp_allocator allocator;
};

#endif
