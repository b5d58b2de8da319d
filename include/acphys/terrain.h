/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_TERRAIN_H
#define ACPHYS_TERRAIN_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/math.h"
#include "acphys/place.h"
#include "acphys/result.h"

/** @file terrain.h
 * The outdoor ground (spec 08): heights, triangles, planes, water, roads. Frame: landblock-local, metres, +x east, +y north; a block is
 * 192 m square, a cell 24 m. Arrays of 81 are x-major: element x*9 + y of the vertex (x, y), 0..8. Cell k = x*8 + y, cell id low word
 * k + 1; cell k owns the triangles 2k and 2k + 1. */

#ifdef __cplusplus
extern "C" {
#endif

#define ACP_TERRAIN_VERTICES 81u
#define ACP_TERRAIN_CELLS    64u
#define ACP_TERRAIN_POLYGONS 128u

/** Water of a cell or a block (TER-10). Values are frozen. */
enum { ACP_WATER_NONE = 0, ACP_WATER_PARTIAL = 1, ACP_WATER_ENTIRE = 2 };

/** Surface class of a terrain type (TER-2). Values are frozen. */
enum { ACP_SURFACE_SOLID = 0, ACP_SURFACE_WATER = 1 };

/** What a LandBlock record (0xXXYYFFFF) holds, every byte of it (TER-1, DAT-63). */
typedef struct acp_land_block {
    uint32_t record_id;   /**< 0xXXYYFFFF */
    uint32_t has_info;    /**< non-zero: a LandBlockInfo record 0xXXYYFFFE exists */
    uint16_t terrain[81]; /**< terrain words */
    uint8_t height[81];   /**< indices into the height table */
    uint8_t padding;      /**< the record's last byte; means nothing, kept */
    uint8_t reserved[4];  /**< zero */
} acp_land_block;

ACP_STATIC_ASSERT(sizeof(acp_land_block) == 256, "acp_land_block layout");

/** Metres of each height index (TER-3). */
typedef struct acp_height_table {
    float metres[256];
} acp_height_table;

ACP_STATIC_ASSERT(sizeof(acp_height_table) == 1024, "acp_height_table layout");

/** The table of the shipped Region record as far as it is known (TER-3, RES-1: indices 0..200 are certain): 2 m a step to index 200, 4 m
 *  to 240, 8 m to 250, 10 m to 255 (690 m). For use when no Region record is at hand; a DAT's own table has precedence. [any thread] */
ACP_API void acp_height_table_default(acp_height_table *out_table);

/** Checks 256 heights and copies them: each must be finite and within [0, 800], both ends included (TER-3). On failure nothing is
 *  written and the error's field names the first bad entry. Errors: INVALID_ARGUMENT, NOT_FINITE, OUT_OF_RANGE. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_height_table_from_values(const float values[256], acp_height_table *out_table, acp_error *error);

/** True when the cell of global cell coordinates (0..2039 each; any value is accepted) is cut from its south-west to its north-east
 *  corner, false: from south-east to north-west (TER-4). Returns 0 or 1. [any thread] */
ACP_API int32_t acp_terrain_is_split_sw_ne(uint32_t lcoord_x, uint32_t lcoord_y);

/** Road kind 0..3 of a terrain word: bits 0-1, 0 = no road (TER-2). [any thread] */
ACP_API uint32_t acp_terrain_word_road(uint16_t word);
/** Terrain type 0..31 of a terrain word: bits 2-6 (TER-2). [any thread] */
ACP_API uint32_t acp_terrain_word_type(uint16_t word);
/** Scene type 0..31 of a terrain word: bits 11-15 (TER-2). [any thread] */
ACP_API uint32_t acp_terrain_word_scene(uint16_t word);
/** ACP_SURFACE_* of a terrain word's type: 16 to 20 are water (TER-2). [any thread] */
ACP_API uint32_t acp_terrain_word_surface(uint16_t word);

/** Whether the block-local point stands on a road (TER-16, strict limits; used to keep scenery off roads). Points outside [0, 192) are
 *  not on a road. `terrain` are the 81 words. Returns 0 or 1. [any thread] */
ACP_API int32_t acp_terrain_is_on_road(const uint16_t terrain[81], float x, float y);

/** One resident block of ground; owned by its acp_terrain. Immutable. */
typedef struct acp_terrain_block acp_terrain_block;

/** A set of resident blocks, found by direct index. */
typedef struct acp_terrain acp_terrain;

/** The ground under a point. */
typedef struct acp_ground {
    acp_position position; /**< the canonical outdoor position (WM-16): land cell, and the asked x and y in its block; z as asked */
    float z;               /**< height of the ground, metres */
    acp_plane plane;       /**< of the triangle, block-local; plane.normal is the ground's normal */
    float water_depth;     /**< metres: 0, 0.1, 0.45 or 0.9 (TER-11) */
    uint8_t polygon;       /**< triangle 0..127 of the block */
    uint8_t is_walkable;   /**< 1 when normal.z >= 0.664174139 */
    uint8_t cell_water;    /**< ACP_WATER_* */
    uint8_t block_water;   /**< ACP_WATER_* */
    uint8_t surface;       /**< ACP_SURFACE_* of the nearest corner */
    uint8_t terrain_type;  /**< 0..31 of the nearest corner */
    uint8_t road;          /**< 1 when on a road (TER-16) */
    uint8_t reserved;      /**< zero */
} acp_ground;

ACP_STATIC_ASSERT(sizeof(acp_ground) == 64, "acp_ground layout");

/** Makes an empty set that takes heights through `table` (null: the default table). `allocator` null: the C library's; its value is
 *  copied, what it points to must outlive the set. Errors: OUT_OF_MEMORY, INVALID_ARGUMENT. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_terrain_create(const acp_allocator *allocator, const acp_height_table *table,
                                                     acp_terrain **out_terrain, acp_error *error);

/** Frees the set and its blocks; null is accepted. [world thread] */
ACP_API void acp_terrain_destroy(acp_terrain *terrain);

/** Makes a block resident, replacing one with the same id. Only the high 16 bits of `record_id` and the two arrays are read; block
 *  coordinates are 0..254. On failure the set is as before. Errors: INVALID_ID, OUT_OF_MEMORY. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_terrain_put(acp_terrain *terrain, const acp_land_block *source, acp_error *error);

/** Takes a block out; NOT_FOUND when it is not resident. Pointers to the block die. `cell_id`: any id in the block. [world thread] */
ACP_API ACP_MUST_CHECK acp_result acp_terrain_remove(acp_terrain *terrain, uint32_t cell_id);

/** Number of resident blocks. [with read access] */
ACP_API uint32_t acp_terrain_count(const acp_terrain *terrain);

/** The resident block that holds the cell (any id in the block), or null. Valid until removed, replaced or destroyed. [with read access] */
ACP_API const acp_terrain_block *acp_terrain_find(const acp_terrain *terrain, uint32_t cell_id);

/** The ground under (or over) a position, z ignored. Indoor ids name the ground outside, over or under the cell. Errors: NOT_FINITE;
 *  INVALID_ID; OUTSIDE_MAP; NOT_FOUND when the block is not resident. `out_ground` is untouched on error. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_terrain_ground_at(const acp_terrain *terrain, const acp_position *position, acp_ground *out_ground,
                                                        acp_error *error);

/** The same for height and normal only: the quick form. [with read access] */
ACP_API ACP_MUST_CHECK acp_result acp_terrain_height_at(const acp_terrain *terrain, const acp_position *position, float *out_z,
                                                        acp_vec3 *out_normal);

/** Id of the block: 0xXXYY0000. [any thread] */
ACP_API uint32_t acp_terrain_block_id(const acp_terrain_block *block);

/** The three corners, counter-clockwise seen from above, of triangle 0..127, and its plane (TER-5, TER-6). Either out-parameter may be
 *  null. INVALID_ARGUMENT when there is no such triangle. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_terrain_block_polygon(const acp_terrain_block *block, uint32_t polygon, acp_vec3 out_vertices[3],
                                                            acp_plane *out_plane);

/** Height of vertex (x, y), 0..8 each, metres; 0 outside. [any thread] */
ACP_API float acp_terrain_block_vertex_height(const acp_terrain_block *block, uint32_t x, uint32_t y);

/** Height index of vertex (x, y), 0..8 each; 0 outside. [any thread] */
ACP_API uint32_t acp_terrain_block_height_index(const acp_terrain_block *block, uint32_t x, uint32_t y);
/** Terrain word of vertex (x, y), 0..8 each; 0 outside. [any thread] */
ACP_API uint32_t acp_terrain_block_word(const acp_terrain_block *block, uint32_t x, uint32_t y);

/** Diagonal flag of cell k = 0..63: 1 south-west to north-east, 0 the other (TER-4); 0 for other k. [any thread] */
ACP_API int32_t acp_terrain_block_is_split_sw_ne(const acp_terrain_block *block, uint32_t cell);

/** ACP_WATER_* of cell k = 0..63; NONE for other k (TER-10). [any thread] */
ACP_API uint32_t acp_terrain_block_cell_water(const acp_terrain_block *block, uint32_t cell);
/** ACP_WATER_* of the whole block (TER-10). [any thread] */
ACP_API uint32_t acp_terrain_block_water(const acp_terrain_block *block);

#ifdef __cplusplus
}
#endif

#endif
