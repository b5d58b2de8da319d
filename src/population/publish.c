/* SPDX-License-Identifier: MIT */
/* Landblocks into a world and out of it, wholly or not at all (POP-2 to POP-5, POP-11, POP-14; L9).
 *
 * Publishing is one exchange: the block's cells and buildings become resident; each static is made, enters its cell with its frame
 * verbatim and is registered by the static rules at scale 1, then scaled (POP-8), in canonical order; last, whatever waited for the block
 * is flooded again. So every static sees all buildings and EnvCells of its own block and of every resident one, as pass A before pass B
 * gives in retail, and neighbours that come later complete it (MEM-42). Retiring withdraws the statics, floods again what else had a row,
 * destroys the statics and frees one arena. Replacing is both in one exchange.
 *
 * Contract: world thread; a failure leaves the world as it was. Cost: about a microsecond a static plus its flood.
 *
 * retail: CLandBlock::init_static_objs 0x00530A40
 * retail: CEnvCell::init_static_objects 0x0052C350
 * retail: CLandBlock::notify_change_size 0x005302C0
 */
#include "population/landblock.h"

#include <string.h>

#include "base/error.h"
#include "world/world.h"

/* Of each size, for what needs a page where no landblock has brought one. */
#define MOST_SPARE_PAGES 2u

/* Makes one static and registers it: add_obj_to_cell, then SetScaleStatic. */
static acp_result add_static(acp_exchange *x, acp_landblock *landblock, uint32_t i, acp_part_row *parts, acp_error *error) {
    const acp_placed_static *from = &landblock->statics[i];
    acp_object_definition d = acp_object_definition_default();
    d.state = ACP_STATE_DEFAULT | ACP_STATE_STATIC;
    d.position.cell_id = from->cell_id;
    d.setup = from->setup;
    d.static_order =
        acp_static_order(landblock->block->block_id, from->kind, from->kind == ACP_STATIC_ENV_CELL ? from->cell_id : 0u, from->ordinal);
    acp_result result = acp_object_create_with_parts(x->world, &d, parts, &landblock->objects[i], error);
    if (result != ACP_OK) return result;
    uint32_t index = landblock->objects[i].index1 - 1u;
    result = acp_exchange_add_content(x, index);
    if (result != ACP_OK) {
        acp_result ignored = acp_object_destroy(x->world, landblock->objects[i], NULL);
        (void)ignored;
        return result;
    }
    acp_world_row(x->world, index)->content = ACP_CONTENT_OF_BLOCK;
    result = acp_registry_add_to_cell(x->world, index, from->cell_id, &from->frame);
    if (result == ACP_OK) acp_object_set_scale(x->world, index, from->scale);
    return result;
}

acp_result acp_landblock_put_in(acp_exchange *x, acp_landblock *landblock, acp_error *error) {
    acp_stock_pour(&x->world->stock, &landblock->stock);
    acp_result result = acp_exchange_put_in(x, landblock->block, error);
    acp_part_row *parts = landblock->parts;
    for (uint32_t i = 0; i < landblock->static_count && result == ACP_OK; i++) {
        result = add_static(x, landblock, i, parts, error);
        parts += landblock->statics[i].setup->part_count;
    }
    return result;
}

void acp_landblock_settle(acp_landblock *landblock, acp_world *world) {
    landblock->world = world;
    landblock->statics = NULL;
    acp_arena_free(&landblock->preparation);
    acp_stock_free(&landblock->stock); /* of another allocator than the world's */
    acp_stock_trim(&world->stock, MOST_SPARE_PAGES);
}

void acp_landblock_forget(acp_world *world, acp_landblock *landblock) {
    for (uint32_t i = 0; i < landblock->static_count; i++) {
        acp_result stale = acp_object_destroy(world, landblock->objects[i], NULL); /* the host may have destroyed it before */
        (void)stale;
    }
    acp_landblock_destroy(landblock);
}

static acp_result no_memory(acp_result result, const char *operation, uint32_t block_id, acp_error *error) {
    if (result != ACP_ERROR_OUT_OF_MEMORY) return result;
    acp_error_set(error, result, operation, "no memory to register what stands in the landblock");
    acp_error_set_place(error, block_id | 0xFFFFu, UINT64_MAX, "");
    return result;
}

static acp_result end(acp_exchange *x, acp_result result) {
    if (result == ACP_OK)
        acp_exchange_commit(x);
    else
        acp_exchange_undo(x);
    return result;
}

static bool is_publishable(const acp_landblock *landblock) {
    return landblock && !landblock->world && (landblock->statics || !landblock->static_count);
}

acp_result acp_landblock_publish(acp_world *world, acp_landblock *landblock, acp_error *error) {
    static const char operation[] = "landblock publish";
    if (!world || !is_publishable(landblock))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no world, or no landblock that is not resident yet");
    acp_exchange x;
    acp_result result = acp_exchange_begin(world, &x);
    if (result != ACP_OK) return no_memory(result, operation, landblock->block->block_id, error);
    result = acp_landblock_put_in(&x, landblock, error);
    if (result == ACP_OK) result = acp_exchange_wake(&x, landblock->block->block_id);
    if (end(&x, result) == ACP_OK) acp_landblock_settle(landblock, world);
    return no_memory(result, operation, landblock->block->block_id, error);
}

static acp_result find_resident(acp_world *world, uint32_t cell_id, const char *operation, acp_landblock **out_landblock,
                                acp_error *error) {
    const acp_block *block = world ? acp_world_block(world, cell_id) : NULL;
    if (!block) return acp_error_set(error, world ? ACP_ERROR_NOT_FOUND : ACP_ERROR_INVALID_ARGUMENT, operation, "it is not resident");
    *out_landblock = acp_block_landblock(block);
    if (*out_landblock) return ACP_OK;
    return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "the landblock was published without its content");
}

acp_result acp_landblock_retire(acp_world *world, uint32_t cell_id, acp_error *error) {
    static const char operation[] = "landblock retire";
    acp_landblock *landblock;
    acp_result result = find_resident(world, cell_id, operation, &landblock, error);
    if (result != ACP_OK) return result;
    acp_exchange x;
    result = acp_exchange_begin(world, &x);
    if (result == ACP_OK) result = end(&x, acp_exchange_take_out(&x, landblock->block));
    if (result == ACP_OK) acp_landblock_forget(world, landblock);
    return no_memory(result, operation, cell_id, error);
}

acp_result acp_landblock_replace(acp_world *world, acp_landblock *landblock, acp_error *error) {
    static const char operation[] = "landblock replace";
    if (!is_publishable(landblock))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no landblock that is not resident yet");
    acp_landblock *old;
    acp_result result = find_resident(world, landblock->block->block_id, operation, &old, error);
    if (result != ACP_OK) return result;
    acp_exchange x;
    result = acp_exchange_begin(world, &x);
    if (result != ACP_OK) return no_memory(result, operation, landblock->block->block_id, error);
    result = acp_exchange_take_out(&x, old->block);
    if (result == ACP_OK) result = acp_landblock_put_in(&x, landblock, error);
    if (result == ACP_OK) result = acp_exchange_wake(&x, landblock->block->block_id);
    if (end(&x, result) == ACP_OK) {
        acp_landblock_settle(landblock, world);
        acp_landblock_forget(world, old);
    }
    return no_memory(result, operation, landblock->block->block_id, error);
}

const acp_landblock *acp_landblock_find(const acp_world *world, uint32_t cell_id) {
    return world ? acp_block_landblock(acp_world_block(world, cell_id)) : NULL;
}
