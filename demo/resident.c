/* SPDX-License-Identifier: MIT */
/* The miniature world made resident: its DATs opened in place and read strictly, landblocks published whole. */
#include "demo/resident.h"

#include <string.h>

#include "acphys/membership.h"
#include "acphys/population.h"
#include "base/error.h"
#include "base/memory.h"

#define MAX_BLOCKS 256u

struct acp_demo_world {
    acp_allocator parent;
    acp_counting_allocator counting;
    acp_allocator allocator; /* counts */
    acp_dat *portal, *cell;
    acp_dat_source *source;
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

static int32_t has_block(void *user, uint32_t block_id) { return acp_dat_source_has_block(((acp_demo_world *)user)->source, block_id); }

static int32_t has_env_cell(void *user, uint32_t cell_id) { return acp_dat_source_has_env_cell(((acp_demo_world *)user)->source, cell_id); }

acp_result acp_demo_world_create(const acp_demo *demo, const acp_allocator *allocator, acp_demo_world **out_world, acp_error *error) {
    *out_world = NULL;
    acp_demo_world *w = ACP_MEMORY_NEW(allocator, acp_demo_world);
    if (!w) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "open the miniature world", "memory refused");
    w->parent = acp_memory_allocator(allocator);
    acp_counting_allocator_init(&w->counting, &w->parent, UINT64_MAX);
    w->allocator = acp_counting_allocator_value(&w->counting);
    acp_world_options options = acp_world_options_default();
    options.allocator = &w->allocator;
    options.source = (acp_world_source){w, has_block, has_env_cell};
    acp_dat_source_options source = acp_dat_source_options_default();
    source.mode = ACP_CONTENT_STRICT;
    source.allocator = &w->allocator;
    acp_result result = acp_demo_open(demo, ACP_DAT_PORTAL, &w->allocator, &w->portal, error);
    if (result == ACP_OK) result = acp_demo_open(demo, ACP_DAT_CELL, &w->allocator, &w->cell, error);
    if (result == ACP_OK) result = acp_dat_source_create(w->portal, w->cell, &source, &w->source, error);
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
    acp_dat_source_destroy(w->source);
    acp_dat_close(w->cell);
    acp_dat_close(w->portal);
    ACP_MEMORY_DELETE(&parent, acp_demo_world, w);
}

acp_world *acp_demo_world_get(acp_demo_world *w) { return w->world; }

const acp_dat *acp_demo_world_dat(const acp_demo_world *w, uint32_t data_set) { return data_set == ACP_DAT_CELL ? w->cell : w->portal; }

uint64_t acp_demo_world_byte_count(const acp_demo_world *w) { return w->counting.counters.bytes_in_use; }

const uint32_t *acp_demo_world_blocks(const acp_demo_world *w, uint32_t *out_count) {
    *out_count = w->block_count;
    return w->blocks;
}

acp_result acp_demo_world_publish(acp_demo_world *w, uint32_t block_id, acp_error *error) {
    acp_landblock *landblock = NULL;
    acp_result result = acp_dat_source_prepare(w->source, block_id, &w->allocator, &landblock, error);
    if (result == ACP_OK) result = acp_landblock_publish(w->world, landblock, error);
    if (result != ACP_OK) acp_landblock_destroy(landblock);
    return result;
}

acp_result acp_demo_world_publish_all(acp_demo_world *w, acp_error *error) {
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < w->block_count && result == ACP_OK; i++)
        result = acp_demo_world_publish(w, w->blocks[i], error);
    return result;
}

acp_result acp_demo_world_retire(acp_demo_world *w, uint32_t block_id, acp_error *error) {
    return acp_landblock_retire(w->world, block_id | 1u, error);
}

acp_result acp_demo_world_get_setup(acp_demo_world *w, uint32_t model_id, const acp_setup **out_setup, acp_error *error) {
    return acp_dat_source_get_setup(w->source, model_id, out_setup, error);
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
