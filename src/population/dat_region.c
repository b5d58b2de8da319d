/* SPDX-License-Identifier: MIT */
/* What the Region decides for all landblocks of a DAT source: the height table and the catalog of scenery.
 *
 * Both are read once, through whatever an edit has put in front of the file. The catalog's models are used for as long as the region
 * lives; landblocks that grow some use them besides, so that a region can be replaced under them. Lenient, a Region that cannot be had
 * means the default heights and no scenery, told once; Scenes and models that cannot be had are told by the catalog, each once (POP-16).
 *
 * Contract: immutable when made; a failure leaves nothing. Cost: that of decoding every Scene and every model of scenery.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dat/record_region.h"
#include "population/dat_source.h"

#define REGION_ID 0x13000000u

typedef struct reader {
    acp_dat_source *source;
    acp_dat_region *region;
    acp_dat_record bytes;
    acp_record scene;
} reader;

static acp_result read_record(reader *r, acp_record_kind kind, uint32_t id, acp_record *out_record, acp_error *error) {
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_overlay_read(r->source->portal_overlay, r->source->portal, id, &r->bytes, error);
    if (result != ACP_OK) return result;
    acp_record_decode_options options = {r->source->mode, NULL, NULL, id};
    return acp_record_decode(kind, r->bytes.bytes, r->bytes.size, &options, &r->region->allocator, out_record, error);
}

static acp_result get_scene(void *user, uint32_t scene_id, const acp_record_scene **out_scene, acp_error *error) {
    reader *r = user;
    acp_record_free(&r->scene);
    memset(&r->scene, 0, sizeof r->scene);
    if (acp_record_kind_of(ACP_DAT_PORTAL, scene_id) != ACP_RECORD_SCENE) {
        acp_error_set(error, ACP_ERROR_INVALID_ID, "dat region", "a scene is 0x12…");
        acp_error_set_place(error, scene_id, UINT64_MAX, "scenes");
        return ACP_ERROR_INVALID_ID;
    }
    acp_result result = read_record(r, ACP_RECORD_SCENE, scene_id, &r->scene, error);
    if (result == ACP_OK) *out_scene = r->scene.content.scene;
    return result;
}

static acp_result get_model(void *user, uint32_t object_id, acp_scenery_model *out_model, acp_error *error) {
    reader *r = user;
    const acp_setup *setup = NULL;
    acp_model_node *node = NULL;
    acp_result result = acp_model_store_use_setup(r->source->models, object_id, &setup, &node, error);
    if (node && ACP_ARRAY_PUSH(&r->region->nodes, &r->region->allocator, node) != ACP_OK) {
        acp_model_store_release(r->source->models, node);
        return ACP_ERROR_OUT_OF_MEMORY;
    }
    if (result == ACP_OK) *out_model = (acp_scenery_model){setup, setup->has_physics_bsp};
    return result;
}

static void tell_loss(void *user, const acp_error *loss) {
    const acp_dat_source *source = ((reader *)user)->source;
    uint32_t kind = loss->record_id >> 24 == 0x12u ? ACP_LOSS_SCENE : ACP_LOSS_SCENERY_MODEL;
    acp_loss told = {kind, 0, 0, loss->record_id, 0, loss->code};
    if (source->on_loss) source->on_loss(source->user, &told);
}

/* The node behind each model of the catalog. */
static acp_result match_nodes(acp_dat_region *region) {
    const acp_scenery_catalog *catalog = region->catalog;
    if (!catalog || !catalog->model_count) return ACP_OK;
    region->node_of = ACP_MEMORY_NEW_ARRAY(&region->allocator, acp_model_node *, catalog->model_count);
    if (!region->node_of) return ACP_ERROR_OUT_OF_MEMORY;
    uint32_t at = 0; /* both lists run in step */
    for (uint32_t i = 0; i < catalog->model_count; i++) {
        for (uint32_t tried = 0; tried < region->nodes.count; tried++, at = (at + 1u) % region->nodes.count)
            if (acp_model_node_setup(region->nodes.items[at]) == catalog->models[i].setup) break;
        region->node_of[i] = region->nodes.items[at];
    }
    return ACP_OK;
}

static acp_result read_region(reader *r, acp_error *error) {
    acp_dat_region *region = r->region;
    acp_record record;
    acp_result result = read_record(r, ACP_RECORD_REGION, REGION_ID, &record, error);
    if (result == ACP_OK) {
        acp_scenery_source source = {r, get_scene, get_model, tell_loss};
        const acp_record_region *content = record.content.region;
        acp_height_table table;
        result = acp_height_table_from_values(content->height_table, &table, error);
        if (result == ACP_OK) region->heights = table;
        if (result == ACP_OK && r->source->has_scenery)
            result = acp_scenery_catalog_create(content, &source, &region->allocator, &region->catalog, error);
    }
    acp_record_free(&record);
    if (result == ACP_OK) return match_nodes(region);
    if (result == ACP_ERROR_OUT_OF_MEMORY || r->source->mode == ACP_CONTENT_STRICT) return result;
    acp_loss told = {ACP_LOSS_REGION, 0, 0, REGION_ID, 0, result};
    if (r->source->on_loss) r->source->on_loss(r->source->user, &told);
    return ACP_OK;
}

acp_result acp_dat_region_create(acp_dat_source *source, acp_dat_region **out_region, acp_error *error) {
    acp_dat_region *region = ACP_MEMORY_NEW(&source->allocator, acp_dat_region);
    if (!region) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "dat region", "memory refused");
    region->allocator = source->allocator;
    region->models = source->models;
    acp_height_table_default(&region->heights);
    reader r = {source, region, {0}, {0}};
    acp_result result = read_region(&r, error);
    acp_record_free(&r.scene);
    acp_dat_record_release(&r.bytes);
    if (result == ACP_ERROR_OUT_OF_MEMORY) acp_error_set(error, result, "dat region", "memory refused");
    if (result == ACP_OK)
        *out_region = region;
    else
        acp_dat_region_destroy(region);
    return result;
}

void acp_dat_region_destroy(acp_dat_region *region) {
    if (!region) return;
    acp_allocator allocator = region->allocator;
    if (region->node_of) ACP_MEMORY_DELETE_ARRAY(&allocator, acp_model_node *, region->node_of, region->catalog->model_count);
    acp_scenery_catalog_destroy(region->catalog);
    for (uint32_t i = 0; i < region->nodes.count; i++)
        acp_model_store_release(region->models, region->nodes.items[i]);
    ACP_ARRAY_FREE(&region->nodes, &allocator);
    ACP_MEMORY_DELETE(&allocator, acp_dat_region, region);
}
