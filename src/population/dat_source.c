/* SPDX-License-Identifier: MIT */
/* Landblocks out of a portal and a cell file (include/acphys/population.h).
 *
 * The source reads once what all landblocks share: the Region's height table, the catalog of scenery, and, as they are asked for, models
 * and rooms. Preparing a landblock then reads its own records only, makes its block with the ground in its arena, and lists its static
 * objects: LandBlockInfo objects, EnvCell statics, scenery, in canonical order (MEM-43). What retail puts up with is noted as a loss;
 * strict refuses the landblock (POP-16, D20).
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

#define REGION_ID 0x13000000u

acp_dat_source_options acp_dat_source_options_default(void) {
    acp_dat_source_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = (uint32_t)sizeof options;
    options.has_scenery = 1;
    options.asset_byte_limit = (uint64_t)256u << 20;
    return options;
}

static void tell_catalog_loss(void *user, const acp_error *loss) {
    const acp_dat_source *source = user;
    uint32_t kind = loss->record_id >> 24 == 0x12u ? ACP_LOSS_SCENE : ACP_LOSS_SCENERY_MODEL;
    acp_loss told = {kind, 0, 0, loss->record_id, 0, loss->code};
    if (source->on_loss) source->on_loss(source->user, &told);
}

/* The Region: heights and, when wanted, the catalog. Lenient, what cannot be had is a loss. */
static acp_result read_region(acp_dat_source *s, acp_error *error) {
    acp_height_table_default(&s->heights);
    acp_result result = acp_model_store_get_height_table(s->models, &s->heights, error);
    if (result == ACP_OK && s->has_scenery)
        result = acp_scenery_catalog_load(s->portal, s->models, s->mode, tell_catalog_loss, s, &s->allocator, &s->catalog, error);
    if (result == ACP_OK || result == ACP_ERROR_OUT_OF_MEMORY || s->mode == ACP_CONTENT_STRICT) return result;
    acp_loss told = {ACP_LOSS_REGION, 0, 0, REGION_ID, 0, result};
    if (s->on_loss) s->on_loss(s->user, &told);
    return ACP_OK;
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
    if (!error) error = &own;
    acp_result result = acp_model_store_create(portal, options->mode, &s->allocator, &s->models, error);
    if (result == ACP_OK) result = read_region(s, error);
    if (result == ACP_OK)
        *out_source = s;
    else
        acp_dat_source_destroy(s);
    return result;
}

void acp_dat_source_destroy(acp_dat_source *s) {
    if (!s) return;
    acp_scenery_catalog_destroy(s->catalog);
    acp_model_store_destroy(s->models);
    acp_allocator allocator = s->allocator;
    ACP_MEMORY_DELETE(&allocator, acp_dat_source, s);
}

int32_t acp_dat_source_has_block(const acp_dat_source *s, uint32_t block_id) { return acp_dat_find(s->cell, block_id | 0xFFFFu) != NULL; }

int32_t acp_dat_source_has_env_cell(const acp_dat_source *s, uint32_t cell_id) {
    uint32_t index = cell_id & 0xFFFFu;
    return index >= 0x100u && index <= 0xFFFDu && acp_dat_find(s->cell, cell_id) != NULL;
}

acp_result acp_dat_source_get_setup(acp_dat_source *s, uint32_t model_id, const acp_setup **out_setup, acp_error *error) {
    if (!s) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "dat source", "no source");
    return acp_model_store_get_setup(s->models, model_id, out_setup, error);
}

/* --------------------------------------------------------------------------------------------------------------------- preparing */

/* Scenery behind the statics already in `list`. */
static acp_result add_scenery(const acp_dat_source *s, acp_loader *l, const acp_block *block, acp_landblock_static *list, uint32_t *count,
                              const acp_scenery_object *objects, uint32_t object_count) {
    (void)l;
    (void)block;
    for (uint32_t i = 0; i < object_count; i++) {
        const acp_scenery_object *from = &objects[i];
        acp_landblock_static *to = &list[(*count)++];
        to->setup = s->catalog->models[from->model].setup;
        to->frame = from->frame;
        to->cell_id = from->cell_id;
        to->model_id = from->object_id;
        to->scale = from->scale;
        to->ordinal = i;
        to->kind = ACP_STATIC_SCENERY;
    }
    return ACP_OK;
}

/* All statics of a landblock whose block is made. */
static acp_result list_statics(const acp_dat_source *s, acp_loader *l, acp_landblock *landblock) {
    const acp_block *block = landblock->block;
    acp_scenery_object *objects = NULL;
    uint32_t object_count = 0, room = 256;
    for (bool is_short = s->catalog != NULL; is_short; room = object_count) {
        objects = acp_arena_allocate(&l->arena, room * sizeof *objects, _Alignof(acp_scenery_object));
        if (!objects) return ACP_ERROR_OUT_OF_MEMORY;
        object_count = acp_scenery_generate(s->catalog, block->terrain, block->building_mask, objects, room, NULL, NULL);
        is_short = object_count > room;
    }
    uint32_t count = l->landblock_statics.count + l->env_cell_statics.count, used = 0;
    acp_landblock_static *list = acp_arena_allocate(&l->arena, (count + object_count) * sizeof *list, _Alignof(acp_landblock_static));
    if (!list) return ACP_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < l->landblock_statics.count; i++)
        list[used++] = l->landblock_statics.items[i];
    for (uint32_t i = 0; i < l->env_cell_statics.count; i++)
        list[used++] = l->env_cell_statics.items[i];
    acp_result result = add_scenery(s, l, block, list, &used, objects, object_count);
    return result == ACP_OK ? acp_landblock_set_statics(landblock, list, used) : result;
}

acp_result acp_dat_source_prepare(acp_dat_source *s, uint32_t block_id, const acp_allocator *allocator, acp_landblock **out_landblock,
                                  acp_error *error) {
    static const char operation[] = "landblock prepare";
    if (!s || !out_landblock) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no source or no place");
    *out_landblock = NULL;
    acp_error own;
    if (!error) error = &own;
    acp_loader l;
    acp_loader_init(&l, s->cell, s->models, block_id, s->mode, allocator, error);
    l.has_statics = true;
    acp_landblock *landblock = NULL;
    acp_result result = acp_loader_read(&l);
    if (result == ACP_OK) {
        acp_landblock_parts parts = {&l.land, &s->heights, l.visible.items, l.visible.count, l.losses.count, l.losses.items};
        result = acp_landblock_make(&l.definition, &parts, allocator, &landblock, error);
    }
    if (result == ACP_OK) {
        result = list_statics(s, &l, landblock);
        if (result != ACP_OK) acp_error_set(error, result, operation, "no memory for the static objects");
    }
    acp_loader_free(&l);
    if (result == ACP_OK)
        *out_landblock = landblock;
    else
        acp_landblock_destroy(landblock);
    return result;
}
