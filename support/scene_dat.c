/* SPDX-License-Identifier: MIT */
/* A world out of DAT files behind the face of a scene (09 POP-2 to POP-5).
 *
 * The landblocks asked for are made resident first, all of them, then their statics are created in the canonical order: those of a block in
 * file order, then those of its rooms in order of cells; so every static finds all buildings and rooms around it. The models come from one
 * store; setups and shapes belong to it. Statics stand in the scene's list, named by owner and place ("0xA9B4FFFE/3").
 *
 * Contract: an error leaves a world that can be closed, not one that can be used. Cost: loading, and a flood for each static. */
#include "support/scene_dat.h"

#include <stdlib.h>
#include <string.h>

#include "acphys/block_load.h"
#include "acphys/membership.h"
#include "base/error.h"
#include "dat/record.h"

acp_result acp_scene_dat_open(acp_scene_dat *world, const acp_dat *portal, const acp_dat *cell, const acp_scene_options *options,
                              acp_error *error) {
    acp_json_input input = {ACP_OK, error};
    acp_height_table table;
    acp_error unused;
    memset(world, 0, sizeof *world);
    world->cell = cell;
    acp_result result = acp_model_store_create(portal, ACP_CONTENT_LENIENT, NULL, &world->models, error);
    if (result == ACP_OK) {
        world->scene = acp_scene_build(&input, NULL, options);
        result = input.result;
    }
    if (result == ACP_OK && acp_model_store_get_height_table(world->models, &table, &unused) == ACP_OK) {
        acp_terrain_destroy(world->scene->terrain);
        world->scene->terrain = NULL;
        result = acp_terrain_create(&world->scene->allocator, &table, &world->scene->terrain, error);
    }
    return result;
}

void acp_scene_dat_close(acp_scene_dat *world) {
    acp_scene_destroy(world->scene);
    acp_model_store_destroy(world->models);
    memset(world, 0, sizeof *world);
}

static acp_result out_of_memory(acp_error *error) {
    return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "load landblocks", "out of memory");
}

/* ----------------------------------------------------------------------------------------------------------------------- blocks */

static acp_result load_record(const acp_dat *dat, acp_record_kind kind, uint32_t id, acp_record *out_record, acp_error *error) {
    acp_dat_record bytes = {0};
    acp_record_decode_options options = {ACP_CONTENT_LENIENT, NULL, NULL, id};
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_read(dat, id, &bytes, error);
    if (result == ACP_OK) result = acp_record_decode(kind, bytes.bytes, bytes.size, &options, NULL, out_record, error);
    if (result) acp_error_set_file(error, acp_dat_name(dat));
    acp_dat_record_release(&bytes);
    return result;
}

static acp_result load_block(acp_scene_dat *world, uint32_t block_id, acp_error *error) {
    acp_record land;
    acp_block *block = NULL;
    acp_result result = load_record(world->cell, ACP_RECORD_LAND_BLOCK, block_id | 0xFFFFu, &land, error);
    if (result == ACP_OK) result = acp_terrain_put(world->scene->terrain, land.content.land_block, error);
    acp_record_free(&land);
    if (result == ACP_OK)
        result = acp_block_load(world->cell, world->models, acp_terrain_find(world->scene->terrain, block_id | 1u), block_id,
                                ACP_CONTENT_LENIENT, &world->scene->allocator, &block, NULL, error);
    if (result) return result;
    result = acp_membership_publish(world->scene->world, block, error);
    if (result) acp_block_destroy(block);
    return result;
}

/* ---------------------------------------------------------------------------------------------------------------------- statics */

static acp_result add_static(acp_scene_dat *world, uint32_t owner_id, uint32_t ordinal, const acp_record_object *object, acp_error *error) {
    acp_scene *scene = world->scene;
    const acp_setup *setup = NULL;
    acp_error refused;
    acp_result result = acp_model_store_get_setup(world->models, object->id, &setup, &refused);
    if (result == ACP_ERROR_OUT_OF_MEMORY) return out_of_memory(error);
    if (result) {
        world->missing_models++;
        return ACP_OK;
    }
    if (scene->static_count == world->static_capacity) {
        uint32_t capacity = world->static_capacity ? 2u * world->static_capacity : 256u;
        acp_scene_object *statics = realloc(scene->statics, capacity * sizeof *statics);
        if (!statics) return out_of_memory(error);
        scene->statics = statics;
        world->static_capacity = capacity;
    }
    acp_json_input input = {ACP_OK, error};
    (void)acp_scene_static_create(scene, &input, owner_id, ordinal, setup, &object->frame, &scene->statics[scene->static_count++]);
    return input.result;
}

static acp_result add_statics(acp_scene_dat *world, uint32_t owner_id, const acp_record_objects *objects, acp_error *error) {
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < objects->count && result == ACP_OK; i++)
        result = add_static(world, owner_id, i, &objects->items[i], error);
    return result;
}

/* Of a landblock that is resident: its own, then those of its rooms. */
static acp_result add_block_statics(acp_scene_dat *world, uint32_t block_id, acp_error *error) {
    acp_record land, info;
    acp_error unused;
    acp_result result = load_record(world->cell, ACP_RECORD_LAND_BLOCK, block_id | 0xFFFFu, &land, error);
    if (result) return result;
    bool has_info = land.content.land_block->has_info != 0;
    acp_record_free(&land);
    if (!has_info) return ACP_OK;
    result = load_record(world->cell, ACP_RECORD_LAND_BLOCK_INFO, block_id | 0xFFFEu, &info, error);
    if (result) return result;
    result = add_statics(world, block_id | 0xFFFEu, &info.content.land_block_info->objects, error);
    for (uint32_t i = 0; result == ACP_OK && i < info.content.land_block_info->cell_count && i < 0xFEFEu; i++) {
        acp_record room;
        uint32_t cell_id = block_id | (0x100u + i);
        if (acp_world_cell_status(world->scene->world, cell_id) != ACP_CELL_RESIDENT) continue;
        if (load_record(world->cell, ACP_RECORD_ENV_CELL, cell_id, &room, &unused)) continue;
        result = add_statics(world, cell_id, &room.content.env_cell->statics, error);
        acp_record_free(&room);
    }
    acp_record_free(&info);
    return result;
}

acp_result acp_scene_dat_load(acp_scene_dat *world, const uint32_t *block_ids, uint32_t count, uint32_t *out_loaded, acp_error *error) {
    uint32_t *fresh = malloc((count + 1u) * sizeof *fresh), fresh_count = 0;
    if (!fresh) return out_of_memory(error);
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < count && result == ACP_OK; i++) {
        uint32_t block_id = block_ids[i] & 0xFFFF0000u;
        if (acp_world_has_block(world->scene->world, block_id) || !acp_dat_find(world->cell, block_id | 0xFFFFu)) continue;
        result = load_block(world, block_id, error);
        fresh[fresh_count++] = block_id;
    }
    for (uint32_t i = 0; i < fresh_count && result == ACP_OK; i++)
        result = add_block_statics(world, fresh[i], error);
    if (out_loaded) *out_loaded = fresh_count;
    free(fresh);
    return result;
}
