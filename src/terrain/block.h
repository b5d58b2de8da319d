/* SPDX-License-Identifier: MIT */
#ifndef ACP_TERRAIN_BLOCK_H
#define ACP_TERRAIN_BLOCK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "acphys/terrain.h"
#include "math/number.h"

/* One landblock's ground in its production form: planes of all 128 triangles, vertex heights, the record's words and indices, and bit
 * sets over the 64 cells. Plain data without pointers, 2,648 bytes; the world embeds it in a block's arena. */
struct acp_terrain_block {
    acp_plane planes[128]; /* triangle 2k, 2k + 1 of cell k */
    float z[81];           /* metres */
    uint16_t words[81];
    uint8_t heights[81];
    uint8_t water;       /* ACP_WATER_* of the block */
    uint32_t block_id;   /* 0xXXYY0000 */
    uint64_t sw_to_ne;   /* bit k: cell k is cut south-west to north-east */
    uint64_t some_water; /* bit k: cell k is not ACP_WATER_NONE */
    uint64_t all_water;  /* bit k: cell k is ACP_WATER_ENTIRE */
};

ACP_STATIC_ASSERT(sizeof(acp_terrain_block) <= 3072, "a resident landblock's ground stays within 3 KB");

/* Fills `out_block` from a record's arrays; the low 16 bits of `block_id` are dropped. The ids must name a block of the map. */
void acp_terrain_block_build(uint32_t block_id, const uint16_t terrain[81], const uint8_t height[81], const acp_height_table *table,
                             acp_terrain_block *out_block);

/* TER-6 for a triangle, in retail's stores. retail: CPolygon::make_plane 0x005383D0 */
acp_plane acp_terrain_triangle_plane(const acp_vec3 v[3]);

/* Index of the vertices (x*9 + y) of triangle 0..127, in polygon order (TER-5). */
void acp_terrain_block_polygon_vertices(const acp_terrain_block *block, uint32_t polygon, uint8_t out_vertices[3]);
/* The same as points, block-local. */
void acp_terrain_block_polygon_points(const acp_terrain_block *block, uint32_t polygon, acp_vec3 out_points[3]);

/* TER-8: the triangle (0..127) of cell k under the block-local point, the first of its two that contains it, or -1. z plays no part.
 * retail: CLandCell::find_terrain_poly 0x00532CF0 */
int32_t acp_terrain_block_find_polygon(const acp_terrain_block *block, uint32_t cell, float x, float y);

/* TER-9. The height of a plane over x, y; false (and *out_z untouched) when the plane is upright. retail: Plane::set_height 0x0052F050 */
static inline bool acp_terrain_plane_height(const acp_plane *plane, float x, float y, float *out_z) {
    if (fabs((double)plane->normal.z) <= ACP_EPSILON_F64) return false;
    double sum = ((double)y * (double)plane->normal.y + (double)x * (double)plane->normal.x) + (double)plane->d;
    *out_z = acp_f32(-(sum / (double)plane->normal.z));
    return true;
}

/* normal.z >= floor_z (TER-12, 14). */
static inline bool acp_terrain_is_walkable(acp_vec3 normal) { return normal.z >= ACP_FLOOR_Z; }

/* TER-10. retail: CLandBlockStruct::CalcCellWater 0x00531550 */
static inline uint32_t acp_terrain_block_cell_water_type(const acp_terrain_block *block, uint32_t cell) {
    return (uint32_t)((block->some_water >> cell) & 1u) + (uint32_t)((block->all_water >> cell) & 1u);
}

/* TER-11: the terrain word of the corner of cell k nearest to the point; ties go to the low corner.
 * retail: CLandBlock::get_terrain 0x0052FB70 */
static inline uint16_t acp_terrain_block_nearest_word(const acp_terrain_block *block, uint32_t cell, float x, float y) {
    uint32_t cell_x = cell >> 3, cell_y = cell & 7u;
    float middle_x = (float)((2u * cell_x + 1u) * 12u), middle_y = (float)((2u * cell_y + 1u) * 12u);
    uint32_t corner_x = cell_x + (x > middle_x ? 1u : 0u), corner_y = cell_y + (y > middle_y ? 1u : 0u);
    return block->words[corner_x * 9u + corner_y];
}

/* TER-11: metres of water over the ground of cell k at the point. retail: CObjCell::get_water_depth 0x0052B8A0 */
float acp_terrain_block_water_depth(const acp_terrain_block *block, uint32_t cell, float x, float y);

#endif
