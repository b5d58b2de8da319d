/* SPDX-License-Identifier: MIT */
/* Fuzz target: a Region of four terrain types, two Scenes and a landblock out of the given bytes, numbers taken as they come. Making the
 * catalog and generating must not crash or read outside; every vertex and candidate ends once; what is accepted is finite, in the
 * landblock, clear of its border and off the land cells with buildings.
 *
 * Bytes: 4 x 4 scene type indices, 3 x 4 scenes of a scene type, 8 of building mask, 81 terrain bytes, 81 scene bytes, 81 heights, then 76
 * bytes a description, dealt out to both Scenes in turn. What is missing is 0. */
#include <stdlib.h>
#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "dat/record_region.h"
#include "population/scenery.h"
#include "world/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DESCRIPTIONS = 32, CAPACITY = 81 * DESCRIPTIONS };

typedef struct input {
    const uint8_t *bytes;
    size_t size;
} input;

static void expect(bool condition) {
    if (!condition) abort();
}

static void take(input *in, void *out, size_t size) {
    size_t got = in->size < size ? in->size : size;
    memset(out, 0, size);
    if (got) memcpy(out, in->bytes, got);
    in->bytes += got;
    in->size -= got;
}

typedef struct world {
    acp_record_scene scenes[2];
    acp_record_scene_object objects[2][DESCRIPTIONS];
    acp_setup *setups[3];
} world;

static acp_result get_scene(void *user, uint32_t id, const acp_record_scene **out_scene, acp_error *error) {
    world *w = user;
    if (id - 1u >= 2u) return acp_error_set(error, ACP_ERROR_NOT_FOUND, "scene", "none");
    *out_scene = &w->scenes[id - 1u];
    return ACP_OK;
}

static acp_result get_model(void *user, uint32_t id, acp_scenery_model *out_model, acp_error *error) {
    world *w = user;
    if (id % 4u == 3u) return acp_error_set(error, ACP_ERROR_NOT_FOUND, "model", "none");
    *out_model = (acp_scenery_model){w->setups[id % 4u], id % 4u == 0};
    return ACP_OK;
}

static void make_setups(world *w) {
    static const acp_cylsphere cylsphere = {{0.5f, 0.0f, 0.0f}, 2.0f, 3.0f};
    static const acp_sphere sphere = {{0.0f, 0.0f, 1.0f}, 1.0f};
    for (uint32_t i = 0; i < 3u; i++) {
        acp_setup_definition d = acp_setup_definition_default();
        d.cylspheres = &cylsphere;
        d.cylsphere_count = i == 1u;
        d.spheres = &sphere;
        d.sphere_count = i == 2u;
        d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
        d.sorting_sphere = (acp_sphere){{0.0f, 0.25f, 1.0f}, 3.0f};
        expect(acp_setup_create(&d, NULL, &w->setups[i], NULL) == ACP_OK);
    }
}

static void check(const acp_scenery_catalog *catalog, const acp_terrain_block *ground, uint64_t buildings) {
    static acp_scenery_object objects[CAPACITY];
    acp_scenery_counts counts;
    uint32_t count = acp_scenery_generate(catalog, ground, buildings, objects, CAPACITY, &counts, NULL), ends = 0;
    expect(count <= CAPACITY && count == counts.ends[ACP_SCENERY_ACCEPTED]);
    for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
        ends += counts.ends[r];
    expect(ends >= 81u && ends <= CAPACITY + 81u);
    for (uint32_t i = 0; i < count; i++) {
        const acp_scenery_object *o = &objects[i];
        const acp_scenery_model *model = &catalog->models[o->model];
        uint32_t cell = (o->cell_id & 0xFFFFu) - 1u;
        expect(acp_vec3_is_finite(o->frame.origin) && acp_quaternion_is_finite(o->frame.rotation));
        expect(o->frame.origin.x >= 0.0f && o->frame.origin.x < 192.0f && o->frame.origin.y >= 0.0f && o->frame.origin.y < 192.0f);
        expect((o->cell_id ^ ground->block_id) < 0x10000u && cell < 64u && !((buildings >> cell) & 1u));
        expect(acp_model_is_within_block(model->setup, model->has_physics_bsp, &o->frame));
        expect(o->scale > 0.0f && acp_is_finite(o->scale));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size};
    world *w = calloc(1, sizeof *w);
    if (!w) return 0;
    uint8_t types[16], lists[12], words[81], scenes[81], heights[81];
    uint64_t buildings;
    take(&in, types, sizeof types);
    take(&in, lists, sizeof lists);
    take(&in, &buildings, sizeof buildings);
    take(&in, words, sizeof words);
    take(&in, scenes, sizeof scenes);
    take(&in, heights, sizeof heights);
    for (uint32_t i = 0; i < 2u * DESCRIPTIONS && in.size; i++) {
        acp_record_scene *scene = &w->scenes[i % 2u];
        scene->objects = w->objects[i % 2u];
        take(&in, &scene->objects[scene->count++], sizeof *scene->objects);
    }
    acp_record_region region;
    acp_record_scene_type scene_types[3];
    acp_record_terrain_type terrain_types[4];
    uint32_t type_lists[4][4], scene_lists[3][4];
    memset(&region, 0, sizeof region);
    memset(scene_types, 0, sizeof scene_types);
    memset(terrain_types, 0, sizeof terrain_types);
    for (uint32_t i = 0; i < 4u; i++) {
        for (uint32_t k = 0; k < 4u; k++)
            type_lists[i][k] = types[4u * i + k] == 0xFFu ? 0xFFFFFFFFu : types[4u * i + k];
        terrain_types[i].scene_types = (acp_record_u32s){4u, type_lists[i]};
    }
    for (uint32_t i = 0; i < 3u; i++) {
        for (uint32_t k = 0; k < 4u; k++)
            scene_lists[i][k] = lists[4u * i + k];
        scene_types[i].scenes = (acp_record_u32s){lists[4u * i] % 5u, scene_lists[i]};
    }
    region.scene_types = scene_types;
    region.scene_type_count = 3;
    region.terrain_types = terrain_types;
    region.terrain_type_count = 4;
    make_setups(w);
    acp_scenery_source source = {w, get_scene, get_model, NULL};
    acp_scenery_catalog *catalog = NULL;
    expect(acp_scenery_catalog_create(&region, &source, NULL, &catalog, NULL) == ACP_OK);
    acp_terrain_block ground;
    acp_height_table table;
    uint16_t all_words[81];
    acp_height_table_default(&table);
    for (uint32_t i = 0; i < 81u; i++)
        all_words[i] = (uint16_t)(words[i] | scenes[i] << 8);
    acp_terrain_block_build((uint32_t)(types[0] % 255u) << 24 | (uint32_t)(types[1] % 255u) << 16, all_words, heights, &table, &ground);
    check(catalog, &ground, buildings);
    acp_scenery_catalog_destroy(catalog);
    for (uint32_t i = 0; i < 3u; i++)
        acp_setup_destroy(w->setups[i]);
    free(w);
    return 0;
}
