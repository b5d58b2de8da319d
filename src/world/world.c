/* SPDX-License-Identifier: MIT */
/* The world: which landblocks are resident, and how cells are found.
 *
 * Blocks hang in a table of 65,536 pointers by the high half of their id, so a lookup is one load and, indoors, one more through the
 * block's own index: no hashing, no walking (architecture 3). A lookup never loads, waits or changes an id; the absent answers are told
 * apart by acp_world_cell_status and are one empty cell to everything that walks (WM-23b, DIV-30). Each higher floor hangs its state on a
 * column, which is destroyed with the world, highest floor first.
 *
 * Contract: one thread changes, any number read between changes. A failed call changes nothing. Limits: one block per id. Cost: 512 KiB
 * for the table, then what blocks and objects take. Spec 01 §6, 04 §3, decisions D3.
 *
 * retail: LScape::get_landblock 0x00505E40
 * retail: LScape::get_landcell 0x00505F10
 */
#include "world/world.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/cell_tree_probe.h"
#include "place/cell_id.h"

acp_world_options acp_world_options_default(void) {
    acp_world_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = (uint32_t)sizeof options;
    return options;
}

acp_result acp_world_create(const acp_world_options *options, acp_world **out_world, acp_error *error) {
    if (!out_world) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "world create", "no place for the world");
    *out_world = NULL;
    acp_world_options defaults = acp_world_options_default();
    if (!options) options = &defaults;
    if (options->struct_size < sizeof *options)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "world create", "the options' size is not set");
    acp_allocator memory = acp_memory_allocator(options->allocator);
    acp_world *world = ACP_MEMORY_NEW(&memory, acp_world);
    acp_block **blocks = world ? ACP_MEMORY_NEW_ARRAY(&memory, acp_block *, ACP_WORLD_BLOCKS) : NULL;
    if (!blocks) {
        if (world) ACP_MEMORY_DELETE(&memory, acp_world, world);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "world create", "no memory for the block table");
    }
    world->allocator = memory;
    world->corrections = options->corrections;
    world->fidelity = options->fidelity;
    world->source = options->source;
    world->blocks = blocks;
    acp_stock_init(&world->stock, &world->allocator);
    acp_id_pool_init(&world->ids, &world->allocator, &world->stock);
    *out_world = world;
    return ACP_OK;
}

void acp_world_destroy(acp_world *world) {
    if (!world) return;
    for (uint32_t i = ACP_COLUMN_COUNT; i-- > 0;)
        if (world->columns[i].data && world->columns[i].destroy) world->columns[i].destroy(world, world->columns[i].data);
    memset(world->columns, 0, sizeof world->columns);
    acp_world_free_objects(world);
    for (uint32_t i = 0; i < ACP_WORLD_BLOCKS && world->block_count; i++)
        if (world->blocks[i]) {
            acp_block_destroy(world->blocks[i]);
            world->block_count--;
        }
    acp_stock_free(&world->stock);
    acp_allocator memory = world->allocator;
    ACP_MEMORY_DELETE_ARRAY(&memory, acp_block *, world->blocks, ACP_WORLD_BLOCKS);
    ACP_MEMORY_DELETE(&memory, acp_world, world);
}

acp_result acp_world_add_block(acp_world *world, acp_block *block, acp_error *error) {
    acp_block **slot = &world->blocks[block->block_id >> 16];
    if (*slot) {
        acp_error_set(error, ACP_ERROR_DUPLICATE, "publish", "the landblock is resident already");
        acp_error_set_place(error, block->block_id | 0xFFFFu, UINT64_MAX, "");
        return ACP_ERROR_DUPLICATE;
    }
    *slot = block;
    world->block_count++;
    world->residency_version++;
    return ACP_OK;
}

acp_block *acp_world_remove_block(acp_world *world, uint32_t cell_id) {
    acp_block *block = world->blocks[cell_id >> 16];
    if (!block) return NULL;
    world->blocks[cell_id >> 16] = NULL;
    world->block_count--;
    world->residency_version++;
    return block;
}

uint32_t acp_world_cell_status(const acp_world *world, uint32_t cell_id) {
    if (!acp_cell_id_is_valid(cell_id) || (cell_id & 0xFFFFu) == 0xFFFFu) return ACP_CELL_INVALID;
    if (acp_cell_exists(acp_world_cell(world, cell_id))) return ACP_CELL_RESIDENT;
    /* A resident block has all its cells (WM-23b): what it lacks does not exist. */
    const acp_block *block = acp_world_block(world, cell_id);
    if (block && !block->is_partial) return ACP_CELL_NOT_IN_SOURCE;
    const acp_world_source *source = &world->source;
    if (source->has_block && !source->has_block(source->user, cell_id & 0xFFFF0000u)) return ACP_CELL_NOT_IN_SOURCE;
    if (!acp_cell_id_is_outdoor(cell_id) && source->has_env_cell && !source->has_env_cell(source->user, cell_id))
        return ACP_CELL_NOT_IN_SOURCE;
    return ACP_CELL_NOT_RESIDENT;
}

int32_t acp_world_has_block(const acp_world *world, uint32_t cell_id) { return acp_world_block(world, cell_id) != NULL; }

uint32_t acp_world_block_count(const acp_world *world) { return world->block_count; }

acp_matrix_position acp_cell_position(acp_cell cell) {
    if (!acp_cell_is_land(cell)) return acp_cell_env(cell)->position;
    acp_matrix_position position = {cell.cell_id, acp_matrix_frame_identity()};
    uint32_t k = (cell.cell_id & 0xFFu) - 1u;
    position.frame.origin.x = (float)((2u * (k >> 3) + 1u) * 12u);
    position.frame.origin.y = (float)((2u * (k & 7u) + 1u) * 12u);
    return position;
}

uint32_t acp_cell_restriction_id(acp_cell cell) {
    if (!cell.block) return 0;
    if (!acp_cell_is_land(cell)) return acp_cell_env(cell)->restriction_id;
    return acp_block_land_restriction(cell.block, (cell.cell_id & 0xFFu) - 1u);
}

bool acp_env_cell_contains_point(const acp_env_cell *env, acp_vec3 q) {
    if (!env->portal_count) return false; /* MEM-10 */
    acp_vec3 local;
    acp_env_cell_to_local(env, &q, &local);
    return acp_cell_tree_has_point(env->containment, &local);
}

bool acp_cell_contains_point(acp_cell cell, acp_vec3 q) {
    if (!cell.block) return false;
    if (!acp_cell_is_land(cell)) return acp_env_cell_contains_point(acp_cell_env(cell), q);
    return acp_terrain_block_find_polygon(cell.block->terrain, (cell.cell_id & 0xFFu) - 1u, q.x, q.y) >= 0;
}
