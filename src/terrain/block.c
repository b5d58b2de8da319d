/* SPDX-License-Identifier: MIT */
/* The ground of one landblock: vertices, triangles, planes, water (spec 08 TER-3 to TER-6, TER-8 to TER-11).
 *
 * A block is built once, from the arrays of its record and a height table, into plain data: the planes of all 128 triangles (2 KB) are
 * kept, since they cost more to derive than to read. Every query is then a look-up: the cell by index, the triangle by at most six edge
 * tests on exact doubles, the height by one division. Only full detail exists here; retail's reduced levels never reach physics (TER-7).
 *
 * Arithmetic: TER-6 with the stores of retail's make_plane for a fan of one triangle. The cross product's x and y are stored before they
 * are added to the sums, its z is stored as the sum; the reciprocal length is unrounded for N.x and rounded for N.y and N.z; d averages
 * over the three vertices. The tiny d of planes through the origin comes from this and is wanted.
 *
 * Limits: coordinates of blocks 0..254; heights finite (the table's business). Cost: building, about 4 us; find and height, about 15 ns.
 *
 * retail: CLandBlockStruct::UnPack 0x00531FD0
 * retail: CLandBlockStruct::ConstructVertices 0x005328D0
 * retail: CLandBlockStruct::ConstructPolygons 0x00531D10
 * retail: CLandBlockStruct::AddPolygon 0x005310D0
 * retail: CLandBlockStruct::CalcWater 0x005327E0
 * retail: CLandBlockStruct::calc_water_depth 0x005315F0 */
#include "terrain/block.h"

#include <string.h>

#include "terrain/word.h"

#define DEPTH_ENTIRE 0x1.ccccccp-1f /* 0.899999976, bits 0x3F666666 */
#define DEPTH_WATER  0x1.ccccccp-2f /* 0.449999988, bits 0x3EE66666 */
#define DEPTH_SOLID  0x1.99999ap-4f /* 0.1, bits 0x3DCCCCCD */

acp_plane acp_terrain_triangle_plane(const acp_vec3 v[3]) {
    double qx = acp_stored((double)v[1].x - (double)v[0].x);
    double qy = acp_stored((double)v[1].y - (double)v[0].y);
    double qz = (double)v[1].z - (double)v[0].z;
    double px = (double)v[2].x - (double)v[0].x;
    double py = (double)v[2].y - (double)v[0].y;
    double pz = (double)v[2].z - (double)v[0].z;
    double a = 0.0 + acp_stored(qy * pz - qz * py);
    double b = 0.0 + acp_stored(qz * px - pz * qx);
    double c = acp_stored(py * qx - qy * px + 0.0);
    double reciprocal = 1.0 / sqrt(c * c + b * b + a * a);
    double stored_reciprocal = acp_stored(reciprocal);
    acp_plane plane;
    plane.normal.x = acp_f32(reciprocal * a);
    plane.normal.y = acp_f32(stored_reciprocal * b);
    plane.normal.z = acp_f32(stored_reciprocal * c);
    double nx = (double)plane.normal.x, ny = (double)plane.normal.y, nz = (double)plane.normal.z;
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum = sum + nz * (double)v[i].z + ny * (double)v[i].y + nx * (double)v[i].x;
    plane.d = acp_f32(-(sum / 3.0));
    return plane;
}

/* TER-5: vertex offsets from the cell's south-west vertex, in polygon order; x steps by 9, y by 1. [split][polygon][corner] */
enum { SW = 0, SE = 9, NW = 1, NE = 10 };
static const uint8_t corner_offsets[2][2][3] = {{{SW, SE, NW}, {NE, NW, SE}}, {{SW, SE, NE}, {SW, NE, NW}}};

void acp_terrain_block_polygon_vertices(const acp_terrain_block *block, uint32_t polygon, uint8_t out_vertices[3]) {
    uint32_t cell = polygon >> 1;
    const uint8_t *offsets = corner_offsets[(block->sw_to_ne >> cell) & 1u][polygon & 1u];
    uint32_t base = (cell >> 3) * 9u + (cell & 7u);
    for (int i = 0; i < 3; i++)
        out_vertices[i] = (uint8_t)(base + offsets[i]);
}

static acp_vec3 vertex_point(const acp_terrain_block *block, uint32_t vertex) {
    acp_vec3 point = {(float)(vertex / 9u * 24u), (float)(vertex % 9u * 24u), block->z[vertex]};
    return point;
}

void acp_terrain_block_polygon_points(const acp_terrain_block *block, uint32_t polygon, acp_vec3 out_points[3]) {
    uint8_t vertices[3];
    acp_terrain_block_polygon_vertices(block, polygon, vertices);
    for (int i = 0; i < 3; i++)
        out_points[i] = vertex_point(block, vertices[i]);
}

/* TER-10: the bit sets of the cells and the type of the block. */
static void build_water(acp_terrain_block *block) {
    block->some_water = 0;
    block->all_water = 0;
    for (uint32_t cell = 0; cell < 64; cell++) {
        const uint16_t *corner = block->words + (cell >> 3) * 9u + (cell & 7u);
        uint32_t count = (uint32_t)acp_word_is_water(corner[SW]) + (uint32_t)acp_word_is_water(corner[NW]) +
                         (uint32_t)acp_word_is_water(corner[SE]) + (uint32_t)acp_word_is_water(corner[NE]);
        if (count > 0) block->some_water |= UINT64_C(1) << cell;
        if (count == 4) block->all_water |= UINT64_C(1) << cell;
    }
    block->water = ACP_WATER_PARTIAL;
    if (block->some_water == 0) block->water = ACP_WATER_NONE;
    if (block->all_water == UINT64_MAX) block->water = ACP_WATER_ENTIRE;
}

void acp_terrain_block_build(uint32_t block_id, const uint16_t terrain[81], const uint8_t height[81], const acp_height_table *table,
                             acp_terrain_block *out_block) {
    acp_terrain_block *block = out_block;
    memset(block, 0, sizeof *block);
    block->block_id = block_id & 0xFFFF0000u;
    memcpy(block->words, terrain, sizeof block->words);
    memcpy(block->heights, height, sizeof block->heights);
    for (int i = 0; i < 81; i++)
        block->z[i] = table->metres[height[i]];

    uint32_t lcoord_x = (block_id >> 24) * 8u, lcoord_y = ((block_id >> 16) & 0xFFu) * 8u;
    for (uint32_t cell = 0; cell < 64; cell++)
        if (acp_cell_is_split_sw_ne(lcoord_x + (cell >> 3), lcoord_y + (cell & 7u))) block->sw_to_ne |= UINT64_C(1) << cell;
    for (uint32_t polygon = 0; polygon < 128; polygon++) {
        acp_vec3 points[3];
        acp_terrain_block_polygon_points(block, polygon, points);
        block->planes[polygon] = acp_terrain_triangle_plane(points);
    }
    build_water(block);
}

/* TER-8 on the grid. Retail walks the three edges of each triangle with one expression; on edges along the axes its sign is that of a plain
 * comparison (24 times a float32 is exact in binary64, and so is the sign of its difference from an integer), and only the diagonal needs
 * the expression itself, in retail's order of terms: -(dy*cx) - dx*cy + dx*y + dy*x. retail: CPolygon::point_in_poly2D 0x00538060 */
int32_t acp_terrain_block_find_polygon(const acp_terrain_block *block, uint32_t cell, float x, float y) {
    double west = (double)((cell >> 3) * 24u), south = (double)((cell & 7u) * 24u), east = west + 24.0, north = south + 24.0;
    double px = (double)x, py = (double)y;
    bool is_first, is_second; /* on the inner side of the edges along the axes */
    double first, second;     /* side of the diagonal; > 0 is outside */
    if ((block->sw_to_ne >> cell) & 1u) {
        is_first = py >= south && px <= east;
        is_second = px >= west && py <= north;
        first = 24.0 * east - 24.0 * north + 24.0 * py + -24.0 * px;   /* SW to NE */
        second = -24.0 * west + 24.0 * south + -24.0 * py + 24.0 * px; /* NE to SW */
    } else {
        is_first = px >= west && py >= south;
        is_second = px <= east && py <= north;
        first = -24.0 * east - 24.0 * south + 24.0 * py + 24.0 * px;   /* NW to SE */
        second = 24.0 * west + 24.0 * north + -24.0 * py + -24.0 * px; /* SE to NW */
    }
    if (is_first && first <= 0.0) return (int32_t)(2u * cell);
    if (is_second && second <= 0.0) return (int32_t)(2u * cell + 1u);
    return -1;
}

float acp_terrain_block_water_depth(const acp_terrain_block *block, uint32_t cell, float x, float y) {
    if (!((block->some_water >> cell) & 1u)) return 0.0f;
    if ((block->all_water >> cell) & 1u) return DEPTH_ENTIRE;
    return acp_word_is_water(acp_terrain_block_nearest_word(block, cell, x, y)) ? DEPTH_WATER : DEPTH_SOLID;
}
