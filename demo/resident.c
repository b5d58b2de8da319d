/* SPDX-License-Identifier: MIT */
/* The miniature world made resident: its DATs opened in place and read strictly, landblocks published whole. */
#include "demo/resident.h"

#include <string.h>

#include "acphys/block_load.h"
#include "acphys/membership.h"
#include "base/error.h"
#include "base/memory.h"
#include "dat/record.h"

#define MAX_BLOCKS 256u

struct acp_demo_world {
    acp_allocator parent;
    acp_counting_allocator counting;
    acp_allocator allocator; /* counts */
    acp_dat *portal, *cell;
    acp_model_store *models;
    acp_terrain *terrain;
    acp_world *world;
    uint32_t blocks[MAX_BLOCKS];
    uint32_t block_count;
};

static void list_blocks(acp_demo_world *w) {
    acp_dat_info info;
    acp_dat_get_info(w->cell, &info);
    for (uint32_t i = 0; i < info.record_count && w->block_count < MAX_BLOCKS; i++) {
        uint32_t id = acp_dat_entry_at(w->cell, i)->id;
        if ((id & 0xFFFFu) == 0xFFFFu) w->blocks[w->block_count++] = id & 0xFFFF0000u;
    }
}

acp_result acp_demo_world_create(const acp_demo *demo, const acp_allocator *allocator, acp_demo_world **out_world, acp_error *error) {
    *out_world = NULL;
    acp_demo_world *w = ACP_MEMORY_NEW(allocator, acp_demo_world);
    acp_height_table heights;
    if (!w) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "open the miniature world", "memory refused");
    w->parent = acp_memory_allocator(allocator);
    acp_counting_allocator_init(&w->counting, &w->parent, UINT64_MAX);
    w->allocator = acp_counting_allocator_value(&w->counting);
    allocator = &w->allocator;
    acp_world_options options = acp_world_options_default();
    options.allocator = allocator;
    acp_result result = acp_demo_open(demo, ACP_DAT_PORTAL, allocator, &w->portal, error);
    if (result == ACP_OK) result = acp_demo_open(demo, ACP_DAT_CELL, allocator, &w->cell, error);
    if (result == ACP_OK) result = acp_model_store_create(w->portal, ACP_CONTENT_STRICT, allocator, &w->models, error);
    if (result == ACP_OK) result = acp_model_store_get_height_table(w->models, &heights, error);
    if (result == ACP_OK) result = acp_terrain_create(allocator, &heights, &w->terrain, error);
    if (result == ACP_OK) result = acp_world_create(&options, &w->world, error);
    if (result != ACP_OK) {
        acp_demo_world_destroy(w);
        return result;
    }
    list_blocks(w);
    *out_world = w;
    return ACP_OK;
}

void acp_demo_world_destroy(acp_demo_world *w) {
    if (!w) return;
    acp_allocator parent = w->parent;
    acp_world_destroy(w->world);
    acp_terrain_destroy(w->terrain);
    acp_model_store_destroy(w->models);
    acp_dat_close(w->cell);
    acp_dat_close(w->portal);
    ACP_MEMORY_DELETE(&parent, acp_demo_world, w);
}

acp_world *acp_demo_world_get(acp_demo_world *w) { return w->world; }

const acp_dat *acp_demo_world_dat(const acp_demo_world *w, uint32_t data_set) { return data_set == ACP_DAT_CELL ? w->cell : w->portal; }

const uint32_t *acp_demo_world_blocks(const acp_demo_world *w, uint32_t *out_count) {
    *out_count = w->block_count;
    return w->blocks;
}

/* One static object. */
static acp_result add_static(acp_demo_world *w, uint32_t cell_id, const acp_record_object *source, uint64_t order, acp_error *error) {
    acp_object_definition definition = acp_object_definition_default();
    acp_object object;
    definition.position.cell_id = cell_id;
    definition.position.frame = source->frame;
    definition.state |= ACP_STATE_STATIC;
    definition.static_order = order;
    acp_result result = acp_model_store_get_setup(w->models, source->id, &definition.setup, error);
    if (result == ACP_OK) result = acp_object_create(w->world, &definition, &object, error);
    if (result == ACP_OK) result = acp_membership_register(w->world, object, error);
    return result;
}

static acp_result add_statics_of(acp_demo_world *w, uint32_t record_id, acp_error *error) {
    acp_dat_record bytes = {0};
    acp_record record = {0};
    uint32_t block_id = record_id & 0xFFFF0000u;
    bool is_info = (record_id & 0xFFFFu) == 0xFFFEu;
    acp_record_decode_options options = {.mode = ACP_CONTENT_STRICT, .record_id = record_id};
    acp_result result = acp_dat_read(w->cell, record_id, &bytes, error);
    if (result == ACP_OK)
        result = acp_record_decode(is_info ? ACP_RECORD_LAND_BLOCK_INFO : ACP_RECORD_ENV_CELL, bytes.bytes, bytes.size, &options,
                                   &w->allocator, &record, error);
    if (result == ACP_OK) {
        const acp_record_objects *list = is_info ? &record.content.land_block_info->objects : &record.content.env_cell->statics;
        for (uint32_t i = 0; i < list->count && result == ACP_OK; i++) {
            uint64_t order =
                acp_static_order(block_id, is_info ? ACP_STATIC_LANDBLOCK : ACP_STATIC_ENV_CELL, is_info ? 0 : record_id & 0xFFFFu, i);
            result = add_static(w, is_info ? block_id | 1u : record_id, &list->items[i], order, error);
        }
        acp_record_free(&record);
    }
    acp_dat_record_release(&bytes);
    return result;
}

acp_result acp_demo_world_publish(acp_demo_world *w, uint32_t block_id, acp_error *error) {
    acp_dat_record record = {0};
    acp_land_block land;
    acp_block *block = NULL;
    acp_block_load_report report;
    acp_result result = acp_dat_read(w->cell, block_id | 0xFFFFu, &record, error);
    if (result == ACP_OK) result = acp_land_block_decode(record.bytes, record.size, &land, error);
    acp_dat_record_release(&record);
    if (result == ACP_OK) result = acp_terrain_put(w->terrain, &land, error);
    if (result == ACP_OK)
        result = acp_block_load(w->cell, w->models, acp_terrain_find(w->terrain, block_id | 1u), block_id | 0xFFFFu, ACP_CONTENT_STRICT,
                                &w->allocator, &block, &report, error);
    if (result == ACP_OK) result = acp_membership_publish(w->world, block, error);
    if (result == ACP_OK && land.has_info) result = add_statics_of(w, block_id | 0xFFFEu, error);
    for (uint32_t i = 0; i < report.env_cells && result == ACP_OK; i++)
        result = add_statics_of(w, block_id | (0x100u + i), error);
    return result;
}

acp_result acp_demo_world_publish_all(acp_demo_world *w, acp_error *error) {
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < w->block_count && result == ACP_OK; i++)
        result = acp_demo_world_publish(w, w->blocks[i], error);
    return result;
}

uint64_t acp_demo_world_byte_count(const acp_demo_world *w) { return w->counting.counters.bytes_in_use; }

acp_result acp_demo_world_retire(acp_demo_world *w, uint32_t block_id, acp_error *error) {
    return acp_membership_retire(w->world, block_id | 1u, NULL, error);
}

acp_result acp_demo_world_get_setup(acp_demo_world *w, uint32_t model_id, const acp_setup **out_setup, acp_error *error) {
    return acp_model_store_get_setup(w->models, model_id, out_setup, error);
}

acp_result acp_demo_world_put(acp_demo_world *w, const acp_demo_place *place, uint32_t object_id, uint32_t state, acp_object *out_object,
                              acp_error *error) {
    acp_object_definition definition = acp_object_definition_default();
    definition.object_id = object_id;
    definition.position = place->position;
    definition.state |= state;
    acp_result result = acp_demo_world_get_setup(w, place->model_id, &definition.setup, error);
    if (result == ACP_OK) result = acp_object_create(w->world, &definition, out_object, error);
    if (result == ACP_OK) result = acp_membership_register(w->world, *out_object, error);
    return result;
}
