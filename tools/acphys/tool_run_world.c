/* SPDX-License-Identifier: MIT */
/* The worlds of scenarios (tool_run_world.h).
 *
 * The miniature world and a DAT folder go the same way: two containers, a DAT source, landblocks prepared and published whole (population
 * floor), with what the source has told to the world, so that lookups can tell what is absent for now from what is not there at all. A
 * scene is built at once; its landblocks are taken out and put back as they are, without their static objects, which stay and wait.
 * Contract: a source outlives its worlds; the content hash is of the containers' bytes (FNV-1a, 64 bits), of a scene 0: it stands in the
 * scenario itself. Cost: a world out of the miniature source some ten milliseconds for all landblocks. */
#include "tools/acphys/tool_run_world.h"

#include <stdlib.h>
#include <string.h>

#include "acphys/membership.h"
#include "base/error.h"

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return hash;
}

static int out_of_memory(const acp_command_line *line) {
    acp_command_error(line, "out of memory");
    return ACP_EXIT_INTERNAL;
}

/* The directory of a folder's files stands for their bytes, which may be gigabytes. */
static uint64_t hash_directory(uint64_t hash, const acp_dat *dat) {
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    for (uint32_t i = 0; i < info.record_count; i++) {
        const acp_dat_entry *entry = acp_dat_entry_at(dat, i);
        hash = hash_bytes(hash, &entry->id, sizeof entry->id);
        hash = hash_bytes(hash, &entry->stored_size, sizeof entry->stored_size);
    }
    return hash;
}

static int list_blocks(acp_run_source *source, const acp_command_line *line) {
    acp_dat_info info;
    acp_dat_get_info(source->files.cell, &info);
    source->blocks = malloc(((size_t)info.record_count + 1) * sizeof *source->blocks);
    if (!source->blocks) return out_of_memory(line);
    for (uint32_t i = 0; i < info.record_count; i++) {
        uint32_t id = acp_dat_entry_at(source->files.cell, i)->id;
        if ((id & 0xFFFFu) == 0xFFFFu) source->blocks[source->block_count++] = id & 0xFFFF0000u;
    }
    return ACP_EXIT_OK;
}

static acp_result open_demo(acp_run_source *source, acp_error *error) {
    acp_result result = acp_demo_create(NULL, NULL, &source->demo, error);
    if (result == ACP_OK) result = acp_demo_open(source->demo, ACP_DAT_PORTAL, NULL, &source->files.portal, error);
    if (result == ACP_OK) result = acp_demo_open(source->demo, ACP_DAT_CELL, NULL, &source->files.cell, error);
    if (result != ACP_OK) return result;
    source->content_hash = 0xCBF29CE484222325u;
    for (uint32_t set = 0; set < 2; set++) {
        size_t size = 0;
        const void *bytes = acp_demo_bytes(source->demo, set ? ACP_DAT_CELL : ACP_DAT_PORTAL, &size);
        source->content_hash = hash_bytes(source->content_hash, bytes, size);
    }
    return ACP_OK;
}

int acp_run_source_open(acp_run_source *source, const acp_command_line *line, const char *folder) {
    acp_error error = {0};
    memset(source, 0, sizeof *source);
    acp_dat_source_options options = acp_dat_source_options_default();
    if (folder) {
        int code = acp_dat_dir_open(&source->files, line, folder);
        if (code != ACP_EXIT_OK) return code;
        source->content_hash = hash_directory(hash_directory(0xCBF29CE484222325u, source->files.portal), source->files.cell);
    } else {
        options.mode = ACP_CONTENT_STRICT;
        acp_dat_dir_note_default(line);
        if (open_demo(source, &error) != ACP_OK) return acp_command_fail(line, &error);
    }
    if (acp_dat_source_create(source->files.portal, source->files.cell, &options, &source->dat, &error) != ACP_OK)
        return acp_command_fail(line, &error);
    return list_blocks(source, line);
}

void acp_run_source_close(acp_run_source *source) {
    acp_dat_source_destroy(source->dat);
    acp_dat_dir_close(&source->files);
    acp_demo_destroy(source->demo);
    free(source->blocks);
    memset(source, 0, sizeof *source);
}

static int32_t has_block(void *user, uint32_t block_id) { return acp_dat_source_has_block(user, block_id); }
static int32_t has_env_cell(void *user, uint32_t cell_id) { return acp_dat_source_has_env_cell(user, cell_id); }

acp_result acp_run_world_open(acp_run_world *world, acp_run_source *source, const acp_json *scene, acp_json_input *input,
                              acp_error *error) {
    memset(world, 0, sizeof *world);
    if (scene) {
        acp_scene_options options = {.canonical_order = true};
        world->scene = acp_scene_build(input, scene, &options);
        if (!world->scene) return input->result != ACP_OK ? input->result : ACP_ERROR_OUT_OF_MEMORY;
        world->world = world->scene->world;
        return ACP_OK;
    }
    world->source = source;
    world->content_hash = source->content_hash;
    acp_counting_allocator_init(&world->counting, NULL, UINT64_MAX);
    world->allocator = acp_counting_allocator_value(&world->counting);
    acp_world_options options = acp_world_options_default();
    options.allocator = &world->allocator;
    options.source = (acp_world_source){source->dat, has_block, has_env_cell};
    return acp_world_create(&options, &world->world, error);
}

void acp_run_world_close(acp_run_world *world) {
    for (uint32_t i = 0; i < world->shelf_count; i++)
        acp_block_destroy(world->shelf[i]);
    free(world->shelf);
    if (world->scene)
        acp_scene_destroy(world->scene);
    else
        acp_world_destroy(world->world);
    memset(world, 0, sizeof *world);
}

bool acp_run_world_has(const acp_run_world *world, uint32_t block_id) { return acp_world_has_block(world->world, block_id | 1u) != 0; }

static acp_result publish_of_scene(acp_run_world *world, uint32_t block_id, acp_error *error) {
    for (uint32_t i = 0; i < world->shelf_count; i++) {
        if (world->shelf[i]->block_id >> 16 != block_id >> 16) continue;
        acp_result result = acp_membership_publish(world->world, world->shelf[i], error);
        if (result == ACP_OK) world->shelf[i] = world->shelf[--world->shelf_count];
        return result;
    }
    return acp_error_set(error, ACP_ERROR_NOT_FOUND, "publish", "the scene has no landblock 0x%04lX", (unsigned long)(block_id >> 16));
}

acp_result acp_run_world_publish(acp_run_world *world, uint32_t block_id, acp_error *error) {
    acp_landblock *landblock = NULL;
    if (acp_run_world_has(world, block_id)) return acp_error_set(error, ACP_ERROR_DUPLICATE, "publish", "it is resident");
    if (world->scene) return publish_of_scene(world, block_id, error);
    acp_result result = acp_dat_source_prepare(world->source->dat, block_id, &world->allocator, &landblock, error);
    if (result == ACP_OK) result = acp_landblock_publish(world->world, landblock, error);
    if (result != ACP_OK) acp_landblock_destroy(landblock);
    return result;
}

acp_result acp_run_world_retire(acp_run_world *world, uint32_t block_id, acp_error *error) {
    if (!acp_run_world_has(world, block_id)) return acp_error_set(error, ACP_ERROR_NOT_FOUND, "retire", "it is not resident");
    if (!world->scene) return acp_landblock_retire(world->world, block_id | 1u, error);
    if (world->shelf_count == world->shelf_capacity) {
        uint32_t capacity = world->shelf_capacity ? world->shelf_capacity * 2 : 16;
        acp_block **shelf = realloc(world->shelf, capacity * sizeof *shelf);
        if (!shelf) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "retire", "memory refused");
        world->shelf = shelf;
        world->shelf_capacity = capacity;
    }
    acp_result result = acp_membership_retire(world->world, block_id | 1u, &world->shelf[world->shelf_count], error);
    if (result == ACP_OK) world->shelf_count++;
    return result;
}

const uint32_t *acp_run_world_blocks(const acp_run_world *world, uint32_t *out_count) {
    *out_count = world->source ? world->source->block_count : 0;
    return world->source ? world->source->blocks : NULL;
}

const acp_demo_place *acp_run_world_place(const acp_run_world *world, acp_scenario_text name) {
    char text[64];
    if (!world->source || !world->source->demo || name.length >= sizeof text) return NULL;
    memcpy(text, name.text, name.length);
    text[name.length] = '\0';
    return acp_demo_find_place(world->source->demo, text);
}

acp_result acp_run_world_setup(acp_run_world *world, const acp_scenario_body *body, const acp_setup **out_setup, acp_error *error) {
    if (!world->scene) {
        if (body->model_id) return acp_dat_source_get_setup(world->source->dat, body->model_id, out_setup, error);
        return acp_error_set(error, ACP_ERROR_NOT_FOUND, "find the model", "models of this world have ids");
    }
    for (uint32_t i = 0; i < world->scene->setup_count; i++) {
        const acp_scene_setup *setup = &world->scene->setups[i];
        if (strlen(setup->name) != body->setup_name.length || memcmp(setup->name, body->setup_name.text, body->setup_name.length) != 0)
            continue;
        *out_setup = setup->setup;
        return ACP_OK;
    }
    return acp_error_set(error, ACP_ERROR_NOT_FOUND, "find the model", "the scene has no such setup");
}
