/* SPDX-License-Identifier: MIT */
#ifndef ACP_WORLD_WORLD_H
#define ACP_WORLD_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/world.h"
#include "base/id_pool.h"
#include "world/block.h"
#include "world/object.h"

/* The world behind the handle. Blocks by direct index (block id >> 16), object rows in pages, one column pointer per higher floor. */

#define ACP_WORLD_ROWS_PER_PAGE 128u
#define ACP_WORLD_PAGE_SIZE     ((uint32_t)(ACP_WORLD_ROWS_PER_PAGE * sizeof(acp_object_row)))
#define ACP_WORLD_BLOCKS        65536u

/* Columns of the floors above: data and how to destroy it with the world. */
enum { ACP_COLUMN_MEMBERSHIP = 0, ACP_COLUMN_POPULATION = 1, ACP_COLUMN_BODY = 2, ACP_COLUMN_LOCOMOTION = 3, ACP_COLUMN_COUNT = 4 };

typedef struct acp_world_column {
    void *data;
    void (*destroy)(acp_world *world, void *data);
    /* Called before an object's row disappears, while it is still whole; null = not interested. */
    void (*object_destroyed)(acp_world *world, void *data, uint32_t index);
} acp_world_column;

struct acp_world {
    acp_allocator allocator;
    uint32_t corrections;
    uint32_t fidelity;
    acp_world_source source;
    acp_block **blocks; /* [ACP_WORLD_BLOCKS], null = not resident */
    uint32_t block_count;
    uint64_t residency_version; /* counts landblocks that came or went */
    uint32_t page_count;
    uint32_t page_capacity;
    acp_object_row **pages;
    acp_array_successor next_pages;
    acp_stock stock; /* pages for what grows with the world: object rows, ids, the columns of the floors above */
    acp_id_pool ids;
    uint32_t *id_map; /* open addressing over object ids: object index + 1, 0 = free, UINT32_MAX = left */
    uint32_t id_map_capacity;
    uint32_t id_map_used; /* filled or left */
    uint32_t id_map_live;
    acp_world_column columns[ACP_COLUMN_COUNT];
};

/* A cell as a query sees it: two words, passed by value in registers. Null block = no cell. */
typedef struct acp_cell {
    const acp_block *block;
    uint32_t cell_id;
    uint32_t env_ordinal1; /* 1 + its place among the block's EnvCells; 0 for a land cell */
} acp_cell;

static inline bool acp_cell_exists(acp_cell cell) { return cell.block != NULL; }
static inline bool acp_cell_is_land(acp_cell cell) { return cell.env_ordinal1 == 0; }

/* The EnvCell, or null for a land cell. */
static inline const acp_env_cell *acp_cell_env(acp_cell cell) {
    return cell.env_ordinal1 ? &cell.block->env_cells[cell.env_ordinal1 - 1u] : NULL;
}

/* The resident block of an id, or null. */
static inline acp_block *acp_world_block(const acp_world *world, uint32_t cell_id) { return world->blocks[cell_id >> 16]; }

/* WM-23a's get_visible under the library's residency: id 0 -> none; index >= 0x100 -> resident EnvCell; else resident land cell. Never
 * fails otherwise than by an empty cell. */
static inline acp_cell acp_world_cell(const acp_world *world, uint32_t cell_id) {
    acp_cell cell = {NULL, cell_id, 0};
    const acp_block *block = world->blocks[cell_id >> 16];
    if (!block) return cell;
    uint32_t index = cell_id & 0xFFFFu;
    if (index >= 0x100u) {
        cell.env_ordinal1 = acp_block_env_ordinal1(block, cell_id);
        if (cell.env_ordinal1) cell.block = block;
    } else if (index - 1u < 64u && block->terrain) {
        cell.block = block;
    }
    return cell;
}

/* The list slot of a resident cell in its block. */
static inline uint32_t acp_cell_slot(acp_cell cell) { return cell.env_ordinal1 ? 63u + cell.env_ordinal1 : (cell.cell_id & 0xFFu) - 1u; }

/* A cell's own position (WM-23): a land cell's centre, an EnvCell's placement. */
acp_matrix_position acp_cell_position(acp_cell cell);

/* acp_world_row in line, for reading in loops. */
static inline const acp_object_row *acp_world_row_at(const acp_world *world, uint32_t index) {
    return &world->pages[index / ACP_WORLD_ROWS_PER_PAGE][index % ACP_WORLD_ROWS_PER_PAGE];
}

/* The building on a land cell, or null. */
static inline const acp_building *acp_cell_building(acp_cell cell) {
    return cell.block && acp_cell_is_land(cell) ? acp_block_building(cell.block, (cell.cell_id & 0xFFu) - 1u) : NULL;
}

/* Restriction object id of a resident cell, 0 = none (OCD-11). */
uint32_t acp_cell_restriction_id(acp_cell cell);

/* MEM-9, MEM-10: q in the block of the cell. retail: CLandCell::point_in_cell 0x00532D40, CEnvCell::point_in_cell 0x0052C300 */
bool acp_cell_contains_point(acp_cell cell, acp_vec3 q);

/* MEM-10 for an EnvCell at hand. */
bool acp_env_cell_contains_point(const acp_env_cell *env, acp_vec3 q);

/* Frees every object with its row; used by acp_world_destroy. */
void acp_world_free_objects(acp_world *world);

/* Makes a prepared block resident; the world owns it from then on. ACP_ERROR_DUPLICATE when the id is resident. Membership publishes
 * through this and then floods again what depends on it. */
acp_result acp_world_add_block(acp_world *world, acp_block *block, acp_error *error);

/* Takes a block out and hands it back; objects that it held must have left. Null when not resident. */
acp_block *acp_world_remove_block(acp_world *world, uint32_t cell_id);

#endif
