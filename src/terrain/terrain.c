/* SPDX-License-Identifier: MIT */
/* The set of resident blocks and the questions asked of it by position.
 *
 * Blocks hang in a table of 256 x 256 pointers, found by the high 16 bits of a cell id; nothing is hashed or searched. A query first
 * makes the position canonical (WM-16), so that a point beyond its block, or over an EnvCell, finds the land cell it stands in; then the
 * triangle (TER-8) and its height (TER-9). With TER-8's "points on an edge are inside", a canonical point always lies on one of its
 * cell's two triangles.
 *
 * Contract: put and remove on the world thread; queries from any number of threads in between. Cost: 2.7 KB a block and 512 KB for the
 * table; a query of height and normal about 25 ns. Nothing allocates but create and put.
 *
 * retail: LScape::get_landblock 0x00505E40
 * retail: LScape::get_landcell 0x00505F10
 * retail: CLandBlock::get_landcell 0x0052FD20 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "acphys/terrain.h"
#include "base/error.h"
#include "base/memory.h"
#include "place/cell_id.h"
#include "terrain/block.h"
#include "terrain/word.h"

/* More than the whole map's width from any block; far below where cell counts leave 32 bits (WM-6). */
#define MAP_REACH 1e6

struct acp_terrain {
    acp_allocator allocator;
    acp_height_table table;
    uint32_t count;
    acp_terrain_block *blocks[65536];
};

acp_result acp_terrain_create(const acp_allocator *allocator, const acp_height_table *table, acp_terrain **out_terrain, acp_error *error) {
    if (!out_terrain) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "terrain create", "null argument");
    acp_terrain *terrain = ACP_MEMORY_NEW(allocator, acp_terrain);
    if (!terrain)
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "terrain create", "%zu bytes for the block table refused", sizeof *terrain);
    terrain->allocator = acp_memory_allocator(allocator);
    if (table)
        terrain->table = *table;
    else
        acp_height_table_default(&terrain->table);
    *out_terrain = terrain;
    return ACP_OK;
}

static void free_block(const acp_terrain *terrain, acp_terrain_block *block) {
    ACP_MEMORY_DELETE(&terrain->allocator, acp_terrain_block, block);
}

void acp_terrain_destroy(acp_terrain *terrain) {
    if (!terrain) return;
    for (uint32_t i = 0; i < 65536; i++)
        if (terrain->blocks[i]) free_block(terrain, terrain->blocks[i]);
    acp_allocator memory = terrain->allocator;
    ACP_MEMORY_DELETE(&memory, acp_terrain, terrain);
}

acp_result acp_terrain_put(acp_terrain *terrain, const acp_land_block *source, acp_error *error) {
    if (!terrain || !source) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "terrain put", "null argument");
    uint32_t id = source->record_id;
    if ((id >> 24) > 254u || ((id >> 16) & 0xFFu) > 254u) {
        acp_result result = acp_error_set(error, ACP_ERROR_INVALID_ID, "terrain put", "block coordinates reach to 254");
        acp_error_set_place(error, id, UINT64_MAX, "record_id");
        return result;
    }
    acp_terrain_block **slot = &terrain->blocks[id >> 16];
    if (!*slot) {
        acp_terrain_block *block = ACP_MEMORY_NEW(&terrain->allocator, acp_terrain_block);
        if (!block) {
            acp_result result =
                acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "terrain put", "%zu bytes for a block refused", sizeof *block);
            acp_error_set_place(error, id, UINT64_MAX, NULL);
            return result;
        }
        *slot = block;
        terrain->count++;
    }
    acp_terrain_block_build(id, source->terrain, source->height, &terrain->table, *slot);
    return ACP_OK;
}

acp_result acp_terrain_remove(acp_terrain *terrain, uint32_t cell_id) {
    if (!terrain) return ACP_ERROR_INVALID_ARGUMENT;
    acp_terrain_block **slot = &terrain->blocks[cell_id >> 16];
    if (!*slot) return ACP_ERROR_NOT_FOUND;
    free_block(terrain, *slot);
    *slot = NULL;
    terrain->count--;
    return ACP_OK;
}

uint32_t acp_terrain_count(const acp_terrain *terrain) { return terrain->count; }

const acp_terrain_block *acp_terrain_find(const acp_terrain *terrain, uint32_t cell_id) { return terrain->blocks[cell_id >> 16]; }

/* WM-16. A point inside its own block, which is nearly every one, needs no floor and no wrapping: there the cell is the whole part of a
 * quotient that is not negative, and the point stays as it is. */
static acp_result canonicalize(uint32_t *cell_id, acp_vec3 *point) {
    if (!acp_cell_id_is_index_in_range(*cell_id)) return ACP_ERROR_INVALID_ID;
    bool is_inside = point->x >= ACP_EPSILON && point->x < 192.0f && point->y >= ACP_EPSILON && point->y < 192.0f;
    if (is_inside && *cell_id < 0xFF000000u && (*cell_id & 0x00FF0000u) != 0x00FF0000u) {
        uint32_t x = (uint32_t)((double)point->x / ACP_CELL_LENGTH), y = (uint32_t)((double)point->y / ACP_CELL_LENGTH);
        *cell_id = (*cell_id & 0xFFFF0000u) | (x * 8u + y + 1u);
        return ACP_OK;
    }
    if (!isfinite(point->x) || !isfinite(point->y)) return ACP_ERROR_NOT_FINITE;
    if (fabs((double)point->x) >= MAP_REACH || fabs((double)point->y) >= MAP_REACH) return ACP_ERROR_OUTSIDE_MAP;
    return acp_adjust_to_outside(cell_id, point) ? ACP_OK : ACP_ERROR_OUTSIDE_MAP;
}

/* The canonical cell and point, the block, the triangle: what every position query starts with. */
static acp_result locate(const acp_terrain *terrain, const acp_position *position, uint32_t *out_cell_id, acp_vec3 *out_point,
                         const acp_terrain_block **out_block, uint32_t *out_polygon) {
    acp_vec3 point = position->frame.origin;
    uint32_t cell_id = position->cell_id;
    acp_result result = canonicalize(&cell_id, &point);
    if (result) return result;
    const acp_terrain_block *block = terrain->blocks[cell_id >> 16];
    if (!block) return ACP_ERROR_NOT_FOUND;
    int32_t polygon = acp_terrain_block_find_polygon(block, (cell_id & 0xFFFFu) - 1u, point.x, point.y);
    if (polygon < 0) return ACP_ERROR_INTERNAL; /* a canonical point lies on its cell */
    *out_cell_id = cell_id;
    *out_point = point;
    *out_block = block;
    *out_polygon = (uint32_t)polygon;
    return ACP_OK;
}

acp_result acp_terrain_height_at(const acp_terrain *terrain, const acp_position *position, float *out_z, acp_vec3 *out_normal) {
    if (!terrain || !position || !out_z || !out_normal) return ACP_ERROR_INVALID_ARGUMENT;
    uint32_t cell_id, polygon;
    acp_vec3 point;
    const acp_terrain_block *block;
    acp_result result = locate(terrain, position, &cell_id, &point, &block, &polygon);
    if (result) return result;
    const acp_plane *plane = &block->planes[polygon];
    if (!acp_terrain_plane_height(plane, point.x, point.y, out_z)) return ACP_ERROR_INTERNAL; /* 800 m over 24 m is not upright */
    *out_normal = plane->normal;
    return ACP_OK;
}

static acp_result explain(acp_error *error, acp_result result, const acp_position *position) {
    const char *text = "the library met a triangle that cannot be";
    if (result == ACP_ERROR_NOT_FINITE) text = "x or y is not a finite number";
    if (result == ACP_ERROR_INVALID_ID) text = "the id names no cell";
    if (result == ACP_ERROR_OUTSIDE_MAP) text = "the point lies outside the map";
    if (result == ACP_ERROR_NOT_FOUND) text = "the landblock under the point is not resident";
    acp_error_set(error, result, "ground at", "%s", text);
    acp_error_set_place(error, position->cell_id, UINT64_MAX, "position");
    return result;
}

acp_result acp_terrain_ground_at(const acp_terrain *terrain, const acp_position *position, acp_ground *out_ground, acp_error *error) {
    if (!terrain || !position || !out_ground) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "ground at", "null argument");
    uint32_t cell_id, polygon;
    acp_vec3 point;
    const acp_terrain_block *block;
    acp_result result = locate(terrain, position, &cell_id, &point, &block, &polygon);
    if (result) return explain(error, result, position);
    acp_ground ground;
    memset(&ground, 0, sizeof ground);
    ground.plane = block->planes[polygon];
    if (!acp_terrain_plane_height(&ground.plane, point.x, point.y, &ground.z)) return explain(error, ACP_ERROR_INTERNAL, position);
    uint32_t cell = (cell_id & 0xFFFFu) - 1u;
    uint16_t word = acp_terrain_block_nearest_word(block, cell, point.x, point.y);
    ground.position = *position;
    ground.position.cell_id = cell_id;
    ground.position.frame.origin = point;
    ground.water_depth = acp_terrain_block_water_depth(block, cell, point.x, point.y);
    ground.polygon = (uint8_t)polygon;
    ground.is_walkable = acp_terrain_is_walkable(ground.plane.normal);
    ground.cell_water = (uint8_t)acp_terrain_block_cell_water_type(block, cell);
    ground.block_water = block->water;
    ground.surface = (uint8_t)acp_terrain_word_surface(word);
    ground.terrain_type = (uint8_t)acp_word_type(word);
    ground.road = (uint8_t)acp_terrain_is_on_road(block->words, point.x, point.y);
    *out_ground = ground;
    return ACP_OK;
}
