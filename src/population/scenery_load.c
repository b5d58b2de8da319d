/* SPDX-License-Identifier: MIT */
/* The catalog of scenery out of a portal file: its Region, its Scenes, its models.
 *
 * Contract: one record is decoded at a time and forgotten; models are the store's. A Region that cannot be read is an error: without it
 * there is no terrain either. Scenes and models that cannot be had are losses (POP-16).
 * Spec: 09 POP-6, POP-16; 02 DAT-60, DAT-61.
 * Cost: that of decoding every Scene the Region names and every model those name. */
#include <string.h>

#include "base/error.h"
#include "population/scenery_catalog.h"

#define REGION_RECORD_ID 0x13000000u

typedef struct portal_source {
    const acp_dat *portal;
    acp_model_store *models;
    acp_content_mode mode;
    const acp_allocator *memory;
    void (*on_loss)(void *user, const acp_error *loss);
    void *user;
    acp_dat_record bytes;
    acp_record scene;
} portal_source;

static acp_result read_record(portal_source *s, acp_record_kind kind, uint32_t id, acp_record *out_record, acp_error *error) {
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_read(s->portal, id, &s->bytes, error);
    if (result != ACP_OK) return result;
    acp_record_decode_options options = {s->mode, NULL, NULL, id};
    result = acp_record_decode(kind, s->bytes.bytes, s->bytes.size, &options, s->memory, out_record, error);
    if (result != ACP_OK) acp_error_set_file(error, acp_dat_name(s->portal));
    return result;
}

static acp_result get_scene(void *user, uint32_t scene_id, const acp_record_scene **out_scene, acp_error *error) {
    portal_source *s = user;
    acp_record_free(&s->scene);
    memset(&s->scene, 0, sizeof s->scene);
    if (acp_record_kind_of(1u, scene_id) != ACP_RECORD_SCENE) {
        acp_error_set(error, ACP_ERROR_INVALID_ID, "scenery catalog", "a scene is 0x12…");
        acp_error_set_place(error, scene_id, UINT64_MAX, "scenes");
        return ACP_ERROR_INVALID_ID;
    }
    acp_result result = read_record(s, ACP_RECORD_SCENE, scene_id, &s->scene, error);
    if (result == ACP_OK) *out_scene = s->scene.content.scene;
    return result;
}

static acp_result get_model(void *user, uint32_t object_id, acp_scenery_model *out_model, acp_error *error) {
    portal_source *s = user;
    const acp_setup *setup = NULL;
    acp_result result = acp_model_store_get_setup(s->models, object_id, &setup, error);
    if (result != ACP_OK) return result;
    *out_model = (acp_scenery_model){setup, setup->has_physics_bsp};
    return ACP_OK;
}

static void pass_loss(void *user, const acp_error *loss) {
    const portal_source *s = user;
    if (s->on_loss) s->on_loss(s->user, loss);
}

acp_result acp_scenery_catalog_load(const acp_dat *portal, acp_model_store *models, acp_content_mode mode,
                                    void (*on_loss)(void *user, const acp_error *loss), void *user, const acp_allocator *allocator,
                                    acp_scenery_catalog **out_catalog, acp_error *error) {
    portal_source s = {.portal = portal, .models = models, .mode = mode, .memory = allocator, .on_loss = on_loss, .user = user};
    acp_scenery_source source = {&s, get_scene, get_model, pass_loss};
    acp_record region;
    acp_result result = read_record(&s, ACP_RECORD_REGION, REGION_RECORD_ID, &region, error);
    if (result == ACP_OK) result = acp_scenery_catalog_create(region.content.region, &source, allocator, out_catalog, error);
    acp_record_free(&region);
    acp_record_free(&s.scene);
    acp_dat_record_release(&s.bytes);
    return result;
}
