/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_SCENERY_CATALOG_H
#define ACP_POPULATION_SCENERY_CATALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/dat.h"
#include "acphys/model_store.h"
#include "asset/setup.h"
#include "base/arena.h"
#include "dat/record.h"
#include "math/frame.h"

/* What scenery is made of, resolved once for all landblocks: the Region's terrain types and scene types, the Scene records, the models
 * their objects stand for. Immutable; shared by any number of threads. Setups are borrowed. */

#define ACP_SCENERY_NONE UINT32_MAX /* of an index: there is none */

/* One object description of a Scene (POP-7) with its base frame's matrix. */
typedef struct acp_scenery_description {
    uint32_t object_id; /* model id, 0x01…… or 0x02…… */
    uint32_t model;     /* index into models, or ACP_SCENERY_NONE: cannot be made */
    acp_matrix_frame base;
    float frequency;
    float displace_x;
    float displace_y;
    float min_scale;
    float max_scale;
    float max_rotation; /* degrees */
    float min_slope;
    float max_slope;
    bool is_aligned; /* align != 0 */
    bool is_weenie;  /* weenie_object != 0: the server's, never client scenery */
    uint8_t reserved[2];
} acp_scenery_description;

typedef struct acp_scenery_scene {
    uint32_t scene_id;
    uint32_t first; /* description */
    uint32_t count;
} acp_scenery_scene;

/* A model that descriptions name. */
typedef struct acp_scenery_model {
    const acp_setup *setup; /* never null */
    bool has_physics_bsp;   /* the state word's bit after construction (PHO-3) */
} acp_scenery_model;

/* Lists within lists, as first and count. */
typedef struct acp_scenery_range {
    uint32_t first;
    uint32_t count;
} acp_scenery_range;

/* terrain type -> types[] -> scene_types[] -> scene_indices[] -> scenes[] -> descriptions[] -> models[] */
typedef struct acp_scenery_catalog {
    acp_scenery_range terrain_types[32]; /* ranges of `types`; without an entry in the Region: empty */
    acp_scenery_range *types;            /* ranges of `scene_indices`; index 0xFFFFFFFF or out of range in the Region: empty */
    uint32_t *scene_indices;             /* into `scenes`, or ACP_SCENERY_NONE: id 0, record missing or refused */
    acp_scenery_scene *scenes;
    acp_scenery_description *descriptions;
    acp_scenery_model *models;
    uint32_t type_count;
    uint32_t scene_index_count;
    uint32_t scene_count;
    uint32_t description_count;
    uint32_t model_count;
    uint32_t missing_scenes; /* distinct ids, 0 not counted */
    uint32_t missing_models; /* distinct ids */
    acp_arena arena;
} acp_scenery_catalog;

/* Where records and models come from. Both answer ACP_OK, ACP_ERROR_OUT_OF_MEMORY (the catalog fails), or any other code (that scene or
 * model is missing; POP-16). */
typedef struct acp_scenery_source {
    void *user;
    /* The record stays valid until the next call. */
    acp_result (*get_scene)(void *user, uint32_t scene_id, const acp_record_scene **out_scene, acp_error *error);
    /* The setup must outlive the catalog. */
    acp_result (*get_model)(void *user, uint32_t object_id, acp_scenery_model *out_model, acp_error *error);
    /* Told once for each distinct scene or model that cannot be had; may be null. */
    void (*on_loss)(void *user, const acp_error *loss);
} acp_scenery_source;

/* From a Region record and a source. Lists of the Region behind terrain type 31 are not read. Errors: OUT_OF_MEMORY, LIMIT (more than 2^24
 * scene indices or descriptions). */
acp_result acp_scenery_catalog_create(const acp_record_region *region, const acp_scenery_source *source, const acp_allocator *allocator,
                                      acp_scenery_catalog **out_catalog, acp_error *error);

/* From a portal file: its Region 0x13000000, its Scenes, models from the store (whose portal it should be). `on_loss` may be null. Errors:
 * as above, and those of reading the Region. Alone on `models`. */
acp_result acp_scenery_catalog_load(const acp_dat *portal, acp_model_store *models, acp_content_mode mode,
                                    void (*on_loss)(void *user, const acp_error *loss), void *user, const acp_allocator *allocator,
                                    acp_scenery_catalog **out_catalog, acp_error *error);

/* Null is fine. */
void acp_scenery_catalog_destroy(acp_scenery_catalog *catalog);

#endif
