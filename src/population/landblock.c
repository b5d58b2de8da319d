/* SPDX-License-Identifier: MIT */
/* Landblocks with everything in them, as prepared content (POP-1, POP-4; include/acphys/population.h).
 *
 * A landblock is an acp_block (cells, buildings, restrictions) that carries its ground, the list of its static objects and what was lost
 * in its making. All of it lies in the block's arena, its objects' parts too, so that retiring frees one arena; only the statics'
 * definitions, which nobody needs once the objects exist, lie in an arena of their own that is given back when the landblock is published.
 * With it come the pages by which tables of the world may have to grow for it, so that the world thread finds no fresh memory to wait for.
 *
 * A static of the landblock, and scenery, is held by the land cell of its canonicalised origin and keeps its frame verbatim; an origin in
 * another landblock drops it (POP-4). An EnvCell's static is held by that EnvCell wherever its origin lies (POP-5).
 *
 * Contract: any thread; all or nothing; models, rooms and setups are borrowed. Limits: 2^20 statics of one kind. Cost: linear, one copy.
 */
#include "population/landblock.h"

#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "base/memory.h"
#include "place/cell_id.h"
#include "terrain/block.h"

static const char operation[] = "landblock create";

#define MOST_STATICS (1u << 20)
#define SMALL_BLOCK  256u

const char *acp_loss_name(uint32_t kind) {
    static const char *const names[] = {"unknown",        "env_cell",       "room",         "portal",       "entry",
                                        "building_model", "building_place", "static_model", "static_place", "scene",
                                        "scenery_model",  "region",         "landblock"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : names[0];
}

acp_landblock_definition acp_landblock_definition_default(void) {
    acp_landblock_definition definition;
    memset(&definition, 0, sizeof definition);
    definition.struct_size = (uint32_t)sizeof definition;
    definition.block.struct_size = (uint32_t)sizeof definition.block;
    return definition;
}

static void release_content(acp_block *block) {
    acp_landblock *landblock = acp_block_landblock(block);
    acp_arena_free(&landblock->preparation);
    acp_stock_free(&landblock->stock);
    if (landblock->release) landblock->release(landblock);
}

acp_result acp_landblock_make(const acp_block_definition *definition, const acp_landblock_parts *parts, const acp_allocator *allocator,
                              acp_landblock **out_landblock, acp_error *error) {
    acp_block *block = NULL;
    acp_block_definition d = *definition;
    size_t room = sizeof(acp_landblock) + 64u + 4u * parts->visible_count + sizeof(acp_loss) * parts->loss_count;
    if (parts->land) {
        d.terrain = NULL;
        room += sizeof(acp_terrain_block) + 64u;
    }
    acp_result result = acp_block_create_with_room(&d, room, allocator, &block, error);
    if (result != ACP_OK) return result;
    acp_arena *arena = &block->arena;
    arena->block_size = SMALL_BLOCK; /* what comes now is large and exact, or small */
    acp_landblock *landblock = ACP_ARENA_NEW(arena, acp_landblock);
    if (landblock) {
        landblock->block = block;
        landblock->visible_count = parts->visible_count;
        landblock->visible_cells = acp_arena_copy(arena, parts->visible_cells, 4u * (size_t)parts->visible_count, 4);
        landblock->loss_count = parts->loss_count;
        landblock->losses = acp_arena_copy(arena, parts->losses, sizeof(acp_loss) * (size_t)parts->loss_count, _Alignof(acp_loss));
    }
    acp_terrain_block *ground = parts->land ? acp_arena_allocate(arena, sizeof *ground, _Alignof(acp_terrain_block)) : NULL;
    if (!landblock || !landblock->visible_cells || !landblock->losses || (parts->land && !ground)) {
        acp_block_destroy(block);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for a landblock");
    }
    if (ground) {
        acp_height_table table;
        if (!parts->height_table) acp_height_table_default(&table);
        acp_terrain_block_build(block->block_id, parts->land->terrain, parts->land->height,
                                parts->height_table ? parts->height_table : &table, ground);
        block->terrain = ground;
    }
    acp_arena_init(&landblock->preparation, allocator, 1024u, UINT64_MAX);
    acp_stock_init(&landblock->stock, allocator);
    block->content = landblock;
    block->release_content = release_content;
    *out_landblock = landblock;
    return ACP_OK;
}

/* The pages by which the world's tables may have to grow for so many objects, whatever room they have now (base/stock.h). */
static acp_result fill_stock(acp_stock *stock, uint32_t count) {
    acp_result result = acp_stock_add(stock, ACP_WORLD_PAGE_SIZE, 1u + (count - 1u) / ACP_WORLD_ROWS_PER_PAGE);
    if (result == ACP_OK) result = acp_stock_add(stock, ACP_MEMBERSHIP_PAGE_SIZE, 1u + (count - 1u) / ACP_WORLD_ROWS_PER_PAGE);
    if (result == ACP_OK) result = acp_stock_add(stock, ACP_ID_PAGE_SIZE, 1u + (count - 1u) / ACP_ID_SLOTS_PER_PAGE);
    if (result == ACP_OK) result = acp_stock_add(stock, ACP_INDEX_POOL_PAGE_SIZE, 1u + count / 128u);
    return result == ACP_OK ? acp_stock_add(stock, ACP_DEPENDENTS_PAGE_SIZE, 3u) : result; /* as many columns can be waited for */
}

acp_result acp_landblock_set_statics(acp_landblock *landblock, const acp_placed_static *statics, uint32_t count) {
    if (!count) return ACP_OK;
    size_t part_count = 0, size = 0;
    for (uint32_t i = 0; i < count; i++)
        part_count += statics[i].setup->part_count;
    if (!acp_memory_multiply(part_count, sizeof(acp_part_row), &size)) return ACP_ERROR_OUT_OF_MEMORY;
    uint8_t *room = acp_arena_allocate_zero(&landblock->block->arena, 1, size + count * sizeof(acp_object), _Alignof(acp_part_row));
    acp_placed_static *copy =
        room ? acp_arena_copy(&landblock->preparation, statics, count * sizeof *statics, _Alignof(acp_placed_static)) : NULL;
    if (!copy || fill_stock(&landblock->stock, count) != ACP_OK) return ACP_ERROR_OUT_OF_MEMORY;
    landblock->parts = (acp_part_row *)(void *)room;
    landblock->objects = (acp_object *)(void *)(room + size);
    landblock->statics = copy;
    landblock->static_count = count;
    for (uint32_t i = 0; i < count; i++)
        landblock->kind_counts[statics[i].kind]++;
    return ACP_OK;
}

uint32_t acp_landblock_land_cell(uint32_t block_id, acp_vec3 origin) {
    uint32_t cell_id = block_id | 0xFFFFu;
    return acp_adjust_to_outside(&cell_id, &origin) && (cell_id ^ block_id) >> 16 == 0 ? cell_id : 0;
}

/* ------------------------------------------------------------------------------------------------------------- from a definition */

static acp_result check_statics(const acp_landblock_definition *d, acp_error *error) {
    if (d->static_count && !d->statics)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "statics are counted but not given");
    if (d->static_count > MOST_STATICS) return acp_error_set(error, ACP_ERROR_LIMIT, operation, "more statics than can be ordered");
    for (uint32_t i = 0; i < d->static_count; i++) {
        const acp_static_definition *s = &d->statics[i];
        if (s->kind > ACP_STATIC_SCENERY || !s->setup || (s->kind == ACP_STATIC_ENV_CELL) != (s->cell_id != 0))
            return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "static %u: kind, cell and setup do not go together",
                                 (unsigned)i);
        if (!acp_frame_is_finite(&s->frame) || !acp_is_finite(s->scale) || s->scale < 0.0f)
            return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "static %u: frame or scale is no good", (unsigned)i);
    }
    return ACP_OK;
}

/* Places the statics of one kind behind those already there; what has no place is a loss. */
static void place_statics(const acp_landblock_definition *d, const acp_block *block, uint32_t kind, acp_placed_static *statics,
                          uint32_t *count, acp_loss *losses, uint32_t *loss_count) {
    uint32_t ordinal = 0, last_cell = 0;
    for (uint32_t i = 0; i < d->static_count; i++) {
        const acp_static_definition *s = &d->statics[i];
        if (s->kind != kind) continue;
        if (s->cell_id != last_cell) ordinal = 0;
        last_cell = s->cell_id;
        uint32_t cell_id = s->cell_id;
        if (kind != ACP_STATIC_ENV_CELL)
            cell_id = block->terrain ? acp_landblock_land_cell(block->block_id, s->frame.origin) : 0;
        else if ((cell_id ^ block->block_id) >> 16 || !acp_block_env_cell(block, cell_id))
            cell_id = 0;
        uint32_t place = ordinal++;
        if (!cell_id) {
            acp_loss loss = {ACP_LOSS_STATIC_PLACE, block->block_id, s->cell_id, s->model_id, i, ACP_ERROR_NOT_FOUND};
            losses[(*loss_count)++] = loss;
            continue;
        }
        acp_placed_static *to = &statics[(*count)++];
        to->setup = s->setup;
        to->frame = acp_block_frame(&s->frame);
        to->cell_id = cell_id;
        to->model_id = s->model_id;
        to->scale = s->scale > 0.0f ? s->scale : 1.0f;
        to->ordinal = place;
        to->kind = kind;
    }
}

/* Stab lists are not part of a definition's buildings: every EnvCell behind a portal stands for itself and for what it sees. */
static acp_result collect_visible(const acp_block_definition *d, acp_landblock_parts *parts, acp_index_list *list,
                                  const acp_allocator *memory) {
    for (uint32_t i = 0; i < d->building_count; i++)
        for (uint32_t k = 0; k < d->buildings[i].portal_count; k++) {
            uint32_t id = d->buildings[i].portals[k].other_cell_id;
            for (uint32_t e = 0; e < d->env_cell_count; e++) {
                if (d->env_cells[e].cell_id != id) continue;
                for (uint32_t v = 0; v <= d->env_cells[e].visible_count; v++) {
                    uint32_t seen = v ? d->env_cells[e].visible_cells[v - 1u] : id, known = 0;
                    while (known < list->count && list->items[known] != seen)
                        known++;
                    if (known == list->count && ACP_ARRAY_PUSH(list, memory, seen) != ACP_OK) return ACP_ERROR_OUT_OF_MEMORY;
                }
            }
        }
    parts->visible_cells = list->items;
    parts->visible_count = list->count;
    return ACP_OK;
}

static acp_result create(const acp_landblock_definition *d, const acp_allocator *allocator, acp_arena *scratch,
                         acp_landblock **out_landblock, acp_error *error) {
    acp_landblock_parts parts;
    memset(&parts, 0, sizeof parts);
    parts.land = d->land;
    parts.height_table = d->height_table;
    acp_index_list visible = {NULL, 0, 0};
    acp_result result = collect_visible(&d->block, &parts, &visible, allocator);
    acp_landblock *landblock = NULL;
    if (result == ACP_OK) result = acp_landblock_make(&d->block, &parts, allocator, &landblock, error);
    ACP_ARRAY_FREE(&visible, allocator);
    if (result != ACP_OK) return result;
    acp_placed_static *statics = ACP_ARENA_NEW_ARRAY(scratch, acp_placed_static, d->static_count);
    acp_loss *losses = ACP_ARENA_NEW_ARRAY(scratch, acp_loss, d->static_count);
    uint32_t count = 0, loss_count = 0;
    if (!statics || !losses) result = ACP_ERROR_OUT_OF_MEMORY;
    for (uint32_t kind = 0; kind <= ACP_STATIC_SCENERY && result == ACP_OK; kind++)
        place_statics(d, landblock->block, kind, statics, &count, losses, &loss_count);
    if (result == ACP_OK) result = acp_landblock_set_statics(landblock, statics, count);
    if (result == ACP_OK && loss_count) {
        landblock->losses = acp_arena_copy(&landblock->block->arena, losses, loss_count * sizeof *losses, _Alignof(acp_loss));
        landblock->loss_count = landblock->losses ? loss_count : 0;
        if (!landblock->losses) result = ACP_ERROR_OUT_OF_MEMORY;
    }
    if (result == ACP_OK)
        *out_landblock = landblock;
    else
        acp_landblock_destroy(landblock);
    return result;
}

acp_result acp_landblock_create(const acp_landblock_definition *definition, const acp_allocator *allocator, acp_landblock **out_landblock,
                                acp_error *error) {
    if (!definition || !out_landblock || definition->struct_size < sizeof *definition)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no definition of a known size, or no place");
    acp_result result = check_statics(definition, error);
    if (result != ACP_OK) return result;
    acp_arena scratch;
    acp_arena_init(&scratch, allocator, 4096u, UINT64_MAX);
    result = create(definition, allocator, &scratch, out_landblock, error);
    acp_arena_free(&scratch);
    if (result == ACP_ERROR_OUT_OF_MEMORY) acp_error_set(error, result, operation, "no memory for a landblock");
    return result;
}

void acp_landblock_destroy(acp_landblock *landblock) {
    if (landblock) acp_block_destroy(landblock->block);
}

void acp_landblock_get_info(const acp_landblock *landblock, acp_landblock_info *out_info) {
    memset(out_info, 0, sizeof *out_info);
    const acp_block *block = landblock->block;
    out_info->block_id = block->block_id;
    out_info->env_cell_count = block->env_cell_count;
    out_info->building_count = block->building_count;
    out_info->landblock_static_count = landblock->kind_counts[ACP_STATIC_LANDBLOCK];
    out_info->env_cell_static_count = landblock->kind_counts[ACP_STATIC_ENV_CELL];
    out_info->scenery_count = landblock->kind_counts[ACP_STATIC_SCENERY];
    out_info->visible_count = landblock->visible_count;
    out_info->loss_count = landblock->loss_count;
    out_info->is_resident = landblock->world != NULL;
    out_info->has_land = block->terrain != NULL;
    out_info->byte_count = block->arena.bytes_reserved + landblock->preparation.bytes_reserved;
}

const acp_loss *acp_landblock_loss(const acp_landblock *landblock, uint32_t index) {
    return landblock && index < landblock->loss_count ? &landblock->losses[index] : NULL;
}
