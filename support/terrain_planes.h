/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_TERRAIN_PLANES_H
#define ACP_SUPPORT_TERRAIN_PLANES_H

#include <stdint.h>

#include "acphys/terrain.h"

/* The ground of the whole world as raw bytes: a plane of height indices, then one of terrain bytes (bits 0-1 road, bits 2-6 terrain type),
 * a byte for each vertex, at y * 2041 + x from the south-west corner. */

#define ACP_WORLD_VERTICES 2041u
#define ACP_PLANE_SIZE     (ACP_WORLD_VERTICES * ACP_WORLD_VERTICES)

/* The LandBlock record of block (block_x, block_y), 0 .. 254 each, without info. [any thread] */
void acp_terrain_planes_cut(const uint8_t *planes, uint32_t block_x, uint32_t block_y, acp_land_block *out_block);

#endif
