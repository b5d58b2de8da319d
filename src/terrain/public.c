/* SPDX-License-Identifier: MIT */
/* The small public accessors of terrain.h: terms of a terrain word, the diagonal rule, and the parts of a block.
 *
 * Contract: every index is checked at the door; what does not exist reads as zero, or is INVALID_ARGUMENT where a result is returned.
 * Limits: none of its own; the meaning lives in word.h and block.c.
 * Sources: spec 08 TER-2 (words), TER-4 (diagonals), TER-5 and TER-6 (triangles), TER-10 (water).
 * Cost: look-ups in a block's plain data; nothing allocates. */
#include "acphys/terrain.h"
#include "terrain/block.h"
#include "terrain/word.h"

int32_t acp_terrain_is_split_sw_ne(uint32_t lcoord_x, uint32_t lcoord_y) { return acp_cell_is_split_sw_ne(lcoord_x, lcoord_y) ? 1 : 0; }

uint32_t acp_terrain_word_road(uint16_t word) { return acp_word_road(word); }
uint32_t acp_terrain_word_type(uint16_t word) { return acp_word_type(word); }
uint32_t acp_terrain_word_scene(uint16_t word) { return acp_word_scene(word); }
uint32_t acp_terrain_word_surface(uint16_t word) { return acp_word_is_water(word) ? ACP_SURFACE_WATER : ACP_SURFACE_SOLID; }

uint32_t acp_terrain_block_id(const acp_terrain_block *block) { return block->block_id; }

acp_result acp_terrain_block_polygon(const acp_terrain_block *block, uint32_t polygon, acp_vec3 out_vertices[3], acp_plane *out_plane) {
    if (!block || polygon >= ACP_TERRAIN_POLYGONS) return ACP_ERROR_INVALID_ARGUMENT;
    if (out_vertices) acp_terrain_block_polygon_points(block, polygon, out_vertices);
    if (out_plane) *out_plane = block->planes[polygon];
    return ACP_OK;
}

float acp_terrain_block_vertex_height(const acp_terrain_block *block, uint32_t x, uint32_t y) {
    return x < 9u && y < 9u ? block->z[x * 9u + y] : 0.0f;
}

uint32_t acp_terrain_block_height_index(const acp_terrain_block *block, uint32_t x, uint32_t y) {
    return x < 9u && y < 9u ? block->heights[x * 9u + y] : 0u;
}

uint32_t acp_terrain_block_word(const acp_terrain_block *block, uint32_t x, uint32_t y) {
    return x < 9u && y < 9u ? block->words[x * 9u + y] : 0u;
}

int32_t acp_terrain_block_is_split_sw_ne(const acp_terrain_block *block, uint32_t cell) {
    return cell < ACP_TERRAIN_CELLS && ((block->sw_to_ne >> cell) & 1u) ? 1 : 0;
}

uint32_t acp_terrain_block_cell_water(const acp_terrain_block *block, uint32_t cell) {
    return cell < ACP_TERRAIN_CELLS ? acp_terrain_block_cell_water_type(block, cell) : (uint32_t)ACP_WATER_NONE;
}

uint32_t acp_terrain_block_water(const acp_terrain_block *block) { return block->water; }
