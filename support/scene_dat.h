/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_DAT_H
#define ACP_SUPPORT_SCENE_DAT_H

#include "acphys/dat.h"
#include "acphys/population.h"
#include "support/scene.h"

/* A scene whose world comes out of DAT files: the same door for tests and tools as a scene out of JSON, so that an object of a request can
 * be put into it. Landblocks are published one by one, with statics and scenery. */
typedef struct acp_scene_dat {
    acp_dat_source *source;
    acp_scene *scene;
    uint32_t static_capacity;
} acp_scene_dat;

/* An empty world over open files, which must stay open. Close it in any case. */
acp_result acp_scene_dat_open(acp_scene_dat *world, const acp_dat *portal, const acp_dat *cell, const acp_scene_options *options,
                              bool has_scenery, acp_error *error);
void acp_scene_dat_close(acp_scene_dat *world);

/* Publishes landblocks in this order; those that are resident already, and those that the file has not, are passed over. *out_loaded (may
 * be null) counts the others. */
acp_result acp_scene_dat_load(acp_scene_dat *world, const uint32_t *block_ids, uint32_t count, uint32_t *out_loaded, acp_error *error);

#endif
