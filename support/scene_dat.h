/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_DAT_H
#define ACP_SUPPORT_SCENE_DAT_H

#include "acphys/dat.h"
#include "acphys/model_store.h"
#include "support/scene.h"

/* A scene whose world comes out of DAT files: the same door for commands and tests as a scene out of JSON, so that an object of a request
 * can be put into it. Landblocks become resident one by one; statics of each are registered when all asked for stand. */
typedef struct acp_scene_dat {
    const acp_dat *cell; /* borrowed, as the portal file */
    acp_model_store *models;
    acp_scene *scene;
    uint32_t static_capacity;
    uint32_t missing_models; /* statics without a model: not there */
} acp_scene_dat;

/* An empty world over open files. Close it in any case. */
acp_result acp_scene_dat_open(acp_scene_dat *world, const acp_dat *portal, const acp_dat *cell, const acp_scene_options *options,
                              acp_error *error);
void acp_scene_dat_close(acp_scene_dat *world);

/* Makes landblocks resident, with their statics; those that are resident already, and those that the file has not, are passed over.
 * *out_loaded (may be null) counts the others. */
acp_result acp_scene_dat_load(acp_scene_dat *world, const uint32_t *block_ids, uint32_t count, uint32_t *out_loaded, acp_error *error);

#endif
