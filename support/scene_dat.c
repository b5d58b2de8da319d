/* SPDX-License-Identifier: MIT */
/* A world out of DAT files behind the face of a scene (09 POP-2 to POP-6).
 *
 * Landblocks are prepared by a DAT source and published into the scene's world. Their statics stand in the scene's list, named by owner and
 * place: "0xA9B4FFFE/3" of the landblock, "0xA9B40105/0" of a room, "0xA9B4FFFF/12" generated scenery; setups and shapes stay the
 * source's.
 *
 * Contract: an error leaves a world that can be closed, not one that can be used. Cost: that of publishing. */
#include "support/scene_dat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "population/landblock.h"

acp_result acp_scene_dat_open(acp_scene_dat *world, const acp_dat *portal, const acp_dat *cell, const acp_scene_options *options,
                              bool has_scenery, acp_error *error) {
    acp_json_input input = {ACP_OK, error};
    acp_dat_source_options source = acp_dat_source_options_default();
    memset(world, 0, sizeof *world);
    source.has_scenery = has_scenery;
    acp_result result = acp_dat_source_create(portal, cell, &source, &world->source, error);
    if (result) return result;
    world->scene = acp_scene_build(&input, NULL, options);
    return input.result;
}

void acp_scene_dat_close(acp_scene_dat *world) {
    acp_scene_destroy(world->scene);
    acp_dat_source_destroy(world->source);
    memset(world, 0, sizeof *world);
}

/* Room for the landblock's statics in the scene's list, named. */
static acp_result name_statics(acp_scene_dat *world, const acp_landblock *landblock, acp_error *error) {
    acp_scene *scene = world->scene;
    uint32_t needed = scene->static_count + landblock->static_count;
    if (needed > world->static_capacity) {
        uint32_t capacity = needed > 2u * world->static_capacity ? needed : 2u * world->static_capacity;
        acp_scene_object *statics = realloc(scene->statics, capacity * sizeof *statics);
        if (!statics) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "load landblocks", "out of memory");
        scene->statics = statics;
        world->static_capacity = capacity;
    }
    for (uint32_t i = 0; i < landblock->static_count; i++) {
        const acp_placed_static *from = &landblock->statics[i];
        acp_scene_object *to = &scene->statics[scene->static_count + i];
        uint32_t owner = landblock->block->block_id | (from->kind == ACP_STATIC_SCENERY ? 0xFFFFu : 0xFFFEu);
        if (from->kind == ACP_STATIC_ENV_CELL) owner = from->cell_id;
        memset(to, 0, sizeof *to);
        to->elasticity = 0.05f;
        to->friction = 0.95f;
        to->is_borrowing = true;
        (void)snprintf(to->name, sizeof to->name, "0x%08lX/%lu", (unsigned long)owner, (unsigned long)from->ordinal);
    }
    return ACP_OK;
}

static acp_result publish(acp_scene_dat *world, uint32_t block_id, acp_error *error) {
    acp_landblock *landblock = NULL;
    acp_scene *scene = world->scene;
    acp_result result = acp_dat_source_prepare(world->source, block_id, &scene->allocator, &landblock, error);
    if (result) return result;
    result = name_statics(world, landblock, error);
    if (result == ACP_OK) result = acp_landblock_publish(scene->world, landblock, error);
    if (result) {
        acp_landblock_destroy(landblock);
        return result;
    }
    for (uint32_t i = 0; i < landblock->static_count; i++) {
        acp_scene_object *object = &scene->statics[scene->static_count++];
        object->handle = landblock->objects[i];
        object->index = object->handle.index1 - 1u;
    }
    return ACP_OK;
}

acp_result acp_scene_dat_load(acp_scene_dat *world, const uint32_t *block_ids, uint32_t count, uint32_t *out_loaded, acp_error *error) {
    acp_result result = ACP_OK;
    uint32_t loaded = 0;
    for (uint32_t i = 0; i < count && result == ACP_OK; i++) {
        uint32_t block_id = block_ids[i] & 0xFFFF0000u;
        if (acp_world_has_block(world->scene->world, block_id) || !acp_dat_source_has_block(world->source, block_id)) continue;
        result = publish(world, block_id, error);
        loaded++;
    }
    if (out_loaded) *out_loaded = loaded;
    return result;
}
