/* SPDX-License-Identifier: MIT */
/* Landblocks out of a portal and a cell file (include/acphys/population.h).
 *
 * The source reads once what all landblocks share (population/dat_region.c) and, as they are asked for, models and rooms, which a bounded
 * store keeps. Preparing a landblock then reads its own records only, makes its block with the ground in its arena, and lists its static
 * objects: LandBlockInfo objects, EnvCell statics, scenery, in canonical order (MEM-43). It uses its models until it is destroyed. What
 * retail puts up with is noted as a loss; strict refuses the landblock (POP-16, D20).
 *
 * Contract: any number of threads may prepare at once; the model store is the only thing they share that changes, and it locks itself.
 * Limits: memory. Cost: 15 us for bare land, 1 to 3 us an object of scenery, 20 us an EnvCell.
 */
#include "population/dat_source.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "population/loader.h"
#include "population/scenery.h"

acp_dat_source_options acp_dat_source_options_default(void) {
    acp_dat_source_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = (uint32_t)sizeof options;
    options.has_scenery = 1;
    options.asset_byte_limit = (uint64_t)256u << 20;
    return options;
}

static acp_dat_overlay *make_overlay(const acp_allocator *allocator) {
    acp_dat_overlay *overlay = ACP_MEMORY_NEW(allocator, acp_dat_overlay);
    if (overlay) acp_dat_overlay_init(overlay, allocator);
    return overlay;
}

static acp_result open_source(acp_dat_source *s, const acp_dat_source_options *options, acp_error *error) {
    s->portal_overlay = make_overlay(&s->allocator);
    s->cell_overlay = make_overlay(&s->allocator);
    if (!s->portal_overlay || !s->cell_overlay) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "dat source", "memory refused");
    acp_result result = acp_model_store_create(s->portal, options->mode, &s->allocator, &s->models, error);
    if (result != ACP_OK) return result;
    acp_model_store_set_byte_limit(s->models, options->asset_byte_limit);
    acp_model_store_set_overlay(s->models, s->portal_overlay);
    return acp_dat_region_create(s, &s->region, error);
}

acp_result acp_dat_source_create(const acp_dat *portal, const acp_dat *cell, const acp_dat_source_options *options,
                                 acp_dat_source **out_source, acp_error *error) {
    static const char operation[] = "dat source";
    acp_dat_source_options defaults = acp_dat_source_options_default();
    if (!options) options = &defaults;
    if (!portal || !cell || !out_source || options->struct_size < sizeof *options || options->mode > ACP_CONTENT_STRICT)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "two open files, options of a known size and a mode are needed");
    *out_source = NULL;
    acp_dat_source *s = ACP_MEMORY_NEW(options->allocator, acp_dat_source);
    if (!s) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, operation, "memory refused");
    s->allocator = acp_memory_allocator(options->allocator);
    s->portal = portal;
    s->cell = cell;
    s->mode = (acp_content_mode)options->mode;
    s->has_scenery = options->has_scenery != 0;
    s->on_loss = options->on_loss;
    s->user = options->user;
    acp_error own;
    acp_result result = open_source(s, options, error ? error : &own);
    if (result == ACP_OK)
        *out_source = s;
    else
        acp_dat_source_destroy(s);
    return result;
}

static void destroy_overlay(const acp_allocator *allocator, acp_dat_overlay *overlay) {
    if (!overlay) return;
    acp_dat_overlay_free(overlay);
    ACP_MEMORY_DELETE(allocator, acp_dat_overlay, overlay);
}

void acp_dat_source_destroy(acp_dat_source *s) {
    if (!s) return;
    acp_dat_region_destroy(s->region);
    acp_model_store_destroy(s->models);
    destroy_overlay(&s->allocator, s->portal_overlay);
    destroy_overlay(&s->allocator, s->cell_overlay);
    acp_allocator allocator = s->allocator;
    ACP_MEMORY_DELETE(&allocator, acp_dat_source, s);
}

int32_t acp_dat_source_has_block(const acp_dat_source *s, uint32_t block_id) {
    return acp_dat_overlay_has(s->cell_overlay, s->cell, block_id | 0xFFFFu);
}

int32_t acp_dat_source_has_env_cell(const acp_dat_source *s, uint32_t cell_id) {
    uint32_t index = cell_id & 0xFFFFu;
    return index >= 0x100u && index <= 0xFFFDu && acp_dat_overlay_has(s->cell_overlay, s->cell, cell_id);
}

acp_result acp_dat_source_get_setup(acp_dat_source *s, uint32_t model_id, const acp_setup **out_setup, acp_error *error) {
    if (!s) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat source", "no source");
    return acp_model_store_get_setup(s->models, model_id, out_setup, error);
}

void acp_dat_source_get_bytes(acp_dat_source *s, uint64_t *out_bytes, uint64_t *out_unused_bytes) {
    acp_model_store_get_bytes(s->models, out_bytes, out_unused_bytes);
}

acp_result acp_dat_source_read(const acp_dat_source *s, uint32_t data_set, uint32_t record_id, acp_dat_record *record, acp_error *error) {
    if (!s || !record || (data_set != ACP_DAT_PORTAL && data_set != ACP_DAT_CELL))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat source", "no source, no such file, or no place for the record");
    bool is_cell = data_set == ACP_DAT_CELL;
    return acp_dat_overlay_read(is_cell ? s->cell_overlay : s->portal_overlay, is_cell ? s->cell : s->portal, record_id, record, error);
}

/* --------------------------------------------------------------------------------------------------------------------- preparing */

/* One object of scenery as a static; its model is used once for the whole landblock. */
static acp_result take_scenery(acp_loader *l, const acp_dat_region *region, const acp_scenery_object *from, uint32_t ordinal,
                               acp_placed_static *to) {
    acp_model_node *node = region->node_of[from->model];
    to->setup = region->catalog->models[from->model].setup;
    to->frame = from->frame;
    to->cell_id = from->cell_id;
    to->model_id = from->object_id;
    to->scale = from->scale;
    to->ordinal = ordinal;
    to->kind = ACP_STATIC_SCENERY;
    for (uint32_t i = l->nodes.count; i-- > 0;)
        if (l->nodes.items[i] == node) return ACP_OK;
    acp_result result = ACP_ARRAY_PUSH(&l->nodes, &l->memory, node);
    if (result == ACP_OK) acp_model_store_use_again(l->models, &node, 1);
    return result;
}

/* All statics of a landblock whose block is made. */
static acp_result list_statics(acp_loader *l, const acp_dat_region *region, acp_landblock *landblock) {
    const acp_block *block = landblock->block;
    acp_scenery_object *objects = NULL;
    uint32_t object_count = 0, room = 256;
    for (bool is_short = region->catalog != NULL; is_short; room = object_count) {
        objects = acp_arena_allocate(&l->arena, room * sizeof *objects, _Alignof(acp_scenery_object));
        if (!objects) return ACP_ERROR_OUT_OF_MEMORY;
        object_count = acp_scenery_generate(region->catalog, block->terrain, block->building_mask, objects, room, NULL, NULL);
        is_short = object_count > room;
    }
    uint32_t used = 0, count = l->landblock_statics.count + l->env_cell_statics.count + object_count;
    acp_placed_static *list = acp_arena_allocate(&l->arena, count * sizeof *list, _Alignof(acp_placed_static));
    if (!list) return ACP_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < l->landblock_statics.count; i++)
        list[used++] = l->landblock_statics.items[i];
    for (uint32_t i = 0; i < l->env_cell_statics.count; i++)
        list[used++] = l->env_cell_statics.items[i];
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < object_count && result == ACP_OK; i++)
        result = take_scenery(l, region, &objects[i], i, &list[used++]);
    return result == ACP_OK ? acp_landblock_set_statics(landblock, list, used) : result;
}

static void release_nodes(acp_landblock *landblock) {
    for (uint32_t i = 0; i < landblock->node_count; i++)
        acp_model_store_release(((acp_dat_source *)landblock->source)->models, landblock->nodes[i]);
}

/* The loader's uses become the landblock's. */
static acp_result hand_over_nodes(acp_dat_source *s, acp_loader *l, acp_landblock *landblock) {
    landblock->nodes = acp_arena_copy(&landblock->block->arena, l->nodes.items, l->nodes.count * sizeof *l->nodes.items, 8);
    if (!landblock->nodes) return ACP_ERROR_OUT_OF_MEMORY;
    landblock->node_count = l->nodes.count;
    landblock->source = s;
    landblock->release = release_nodes;
    l->nodes.count = 0;
    return ACP_OK;
}

acp_result acp_dat_source_prepare_with(acp_dat_source *s, const acp_dat_region *region, uint32_t block_id, const acp_allocator *allocator,
                                       acp_landblock **out_landblock, acp_error *error) {
    acp_loader l;
    acp_loader_init(&l, s->cell, s->models, block_id, s->mode, allocator, error);
    l.has_statics = true;
    l.overlay = s->cell_overlay;
    acp_landblock *landblock = NULL;
    acp_result result = acp_loader_read(&l);
    if (result == ACP_OK) {
        acp_landblock_parts parts = {&l.land, &region->heights, l.visible.items, l.visible.count, l.losses.count, l.losses.items};
        result = acp_landblock_make(&l.definition, &parts, allocator, &landblock, error);
    }
    if (result == ACP_OK) {
        result = list_statics(&l, region, landblock);
        if (result == ACP_OK) result = hand_over_nodes(s, &l, landblock);
        if (result != ACP_OK) acp_error_set(error, result, "landblock prepare", "no memory for the static objects");
    }
    acp_loader_free(&l);
    if (result == ACP_OK)
        *out_landblock = landblock;
    else
        acp_landblock_destroy(landblock);
    return result;
}

acp_result acp_dat_source_prepare(acp_dat_source *s, uint32_t block_id, const acp_allocator *allocator, acp_landblock **out_landblock,
                                  acp_error *error) {
    if (!s || !out_landblock) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "landblock prepare", "no source or no place");
    *out_landblock = NULL;
    acp_error own;
    return acp_dat_source_prepare_with(s, s->region, block_id, allocator, out_landblock, error ? error : &own);
}
