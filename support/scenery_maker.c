/* SPDX-License-Identifier: MIT */
/* The made-up Region of scenery: records as structures, encoded and put into a portal file.
 *
 * All 32 terrain types share one list of scene types: none, then four with two scenes each. A landblock's words name them at 40 of its 49
 * inner vertices, chosen by its id. A scene has five descriptions: one that no draw is below, one of the server's, one for slopes that do
 * not exist, one a block away, and the one that grows: displaced by less than 8 m from an inner vertex, of at most 3.5 m radius, on any
 * slope, so nothing can reject it but a road (the words have none) or a building. Half of the models have a physics BSP and are registered
 * by the boxes of both parts, half have a cylsphere.
 *
 * Contract: the same bytes every time. Spec: 02 DAT-52 to DAT-61, 09 POP-6 to POP-9. Cost: milliseconds. */
#include "support/scenery_maker.h"

#include <stdbool.h>
#include <string.h>

#include "support/region_maker.h"

#define SCENE_ID    0x12000001u
#define SETUP_ID    0x02000001u
#define TRUNK_ID    0x01000001u
#define CROWN_ID    0x01000002u
#define SCENE_TYPES 5u
#define PER_SCENE   5u

static acp_result put(acp_dat_edit *edit, acp_record_kind kind, void *content, uint32_t id, acp_error *error) {
    acp_record record;
    acp_writer writer;
    memset(&record, 0, sizeof record);
    record.kind = kind;
    record.content.any = content;
    acp_writer_init(&writer, NULL);
    acp_result result = acp_record_encode(&record, &writer, error);
    if (result == ACP_OK) result = acp_dat_edit_put(edit, id, writer.bytes, (uint32_t)writer.size, NULL, error);
    acp_writer_free(&writer);
    return result;
}

/* A box that stands on the ground, without a drawing half. */
static acp_result put_box(acp_dat_edit *edit, uint32_t id, float half_width, float height, bool has_physics, acp_error *error) {
    uint16_t corners[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    acp_record_vertex vertices[8];
    acp_record_polygon polygons[6];
    uint16_t list[6] = {0, 1, 2, 3, 4, 5};
    memset(vertices, 0, sizeof vertices);
    memset(polygons, 0, sizeof polygons);
    for (uint16_t i = 0; i < 8u; i++) {
        vertices[i].id = i;
        vertices[i].position = (acp_vec3){i & 1u ? half_width : -half_width, i & 2u ? half_width : -half_width, i & 4u ? height : 0.0f};
        vertices[i].normal.z = 1.0f;
    }
    for (uint16_t i = 0; i < 6u; i++)
        polygons[i] = (acp_record_polygon){.id = i, .point_count = 4, .stippling = 4, .vertices = corners[i]};
    acp_record_node leaf = {
        .tag = ACP_TAG_LEAF, .positive = ACP_RECORD_NONE, .negative = ACP_RECORD_NONE, .polygon_count = 6, .polygons = list};
    leaf.sphere = (acp_sphere){{0.0f, 0.0f, height * 0.5f}, half_width * 1.5f + height * 0.5f};
    acp_record_gfxobj gfxobj = {.id = id, .flags = has_physics ? 1u : 0u};
    gfxobj.vertices = (acp_record_vertices){1, 8u, vertices};
    gfxobj.physics_polygons = (acp_record_polygons){6u, polygons};
    gfxobj.physics_tree = (acp_record_tree){1u, &leaf};
    return put(edit, ACP_RECORD_GFXOBJ, &gfxobj, id, error);
}

/* Two parts, one over the other; the mesh of both is the trunk's (with physics) or the crown's (without). */
static acp_result put_setup(acp_dat_edit *edit, uint32_t index, acp_error *error) {
    bool has_bsp = index % 2u == 0;
    uint32_t parts[2] = {has_bsp ? TRUNK_ID : CROWN_ID, has_bsp ? TRUNK_ID : CROWN_ID};
    acp_frame frames[2] = {acp_frame_identity(), acp_frame_identity()};
    acp_record_placement placement = {.key = 0x65u, .frames = frames};
    acp_cylsphere cylsphere = {{0.0f, 0.0f, 0.0f}, 0.25f + 0.125f * (float)index, 6.0f};
    frames[1].origin = (acp_vec3){0.25f * (float)(index % 4u), 0.0f, 2.0f};
    acp_record_setup setup = {.id = SETUP_ID + index, .flags = has_bsp ? 8u : 0u, .part_count = 2u, .parts = parts};
    setup.placement_count = 1;
    setup.placements = &placement;
    setup.cylsphere_count = has_bsp ? 0u : 1u;
    setup.cylspheres = &cylsphere;
    setup.height = 6.0f;
    setup.radius = 1.0f;
    setup.sorting_sphere = (acp_sphere){{0.0f, 0.0f, 2.0f}, 2.0f + 0.1875f * (float)index};
    setup.selection_sphere = setup.sorting_sphere;
    return put(edit, ACP_RECORD_SETUP, &setup, setup.id, error);
}

static acp_result put_scene(acp_dat_edit *edit, uint32_t index, acp_error *error) {
    acp_record_scene_object objects[PER_SCENE];
    memset(objects, 0, sizeof objects);
    for (uint32_t i = 0; i < PER_SCENE; i++) {
        objects[i].object_id = SETUP_ID + index;
        objects[i].base = acp_frame_identity();
        objects[i].frequency = 1.0f;
        objects[i].min_scale = 0.75f;
        objects[i].max_scale = 1.5f;
        objects[i].max_rotation = 360.0f;
        objects[i].max_slope = 1.0f;
    }
    objects[0].frequency = 0.0f;
    objects[1].weenie_object = 1;
    objects[2].min_slope = 2.0f;
    objects[2].max_slope = 3.0f;
    objects[3].base.origin.x = 192.0f;
    objects[3].base.origin.y = 192.0f;
    objects[4].base.origin = (acp_vec3){-8.0f, -8.0f, 0.0f};
    objects[4].displace_x = objects[4].displace_y = 16.0f;
    objects[4].align = index == 3u;
    acp_record_scene scene = {SCENE_ID + index, PER_SCENE, objects};
    return put(edit, ACP_RECORD_SCENE, &scene, scene.id, error);
}

static acp_result put_region(acp_dat_edit *edit, acp_error *error) {
    char name[] = "made up";
    uint32_t scene_ids[ACP_SCENERY_MAKER_SCENES], types[SCENE_TYPES] = {0xFFFFFFFFu, 0, 1, 2, 3};
    acp_record_scene_type scene_types[4];
    acp_record_terrain_type terrain_types[32];
    acp_record_region region = acp_region_maker_plain();
    memset(terrain_types, 0, sizeof terrain_types);
    memset(scene_types, 0, sizeof scene_types);
    for (uint32_t i = 0; i < ACP_SCENERY_MAKER_SCENES; i++)
        scene_ids[i] = SCENE_ID + i;
    for (uint32_t i = 0; i < 4u; i++) {
        scene_types[i].sound_index = 0xFFFFFFFFu;
        scene_types[i].scenes = (acp_record_u32s){2u, scene_ids + 2u * i};
    }
    for (uint32_t i = 0; i < 32u; i++) {
        terrain_types[i].name = (acp_record_text){sizeof name - 1u, name};
        terrain_types[i].scene_types = (acp_record_u32s){SCENE_TYPES, types};
    }
    region.name = (acp_record_text){sizeof name - 1u, name};
    region.year_spec = region.name;
    region.parts = 0x06u;
    region.scene_type_count = 4;
    region.scene_types = scene_types;
    region.terrain_type_count = 32;
    region.terrain_types = terrain_types;
    return put(edit, ACP_RECORD_REGION, &region, region.id, error);
}

acp_result acp_scenery_maker_put_portal(acp_dat_edit *edit, acp_error *error) {
    acp_result result = put_region(edit, error);
    if (result == ACP_OK) result = put_box(edit, TRUNK_ID, 0.75f, 4.0f, true, error);
    if (result == ACP_OK) result = put_box(edit, CROWN_ID, 1.5f, 3.0f, false, error);
    for (uint32_t i = 0; i < ACP_SCENERY_MAKER_SCENES && result == ACP_OK; i++) {
        result = put_setup(edit, i, error);
        if (result == ACP_OK) result = put_scene(edit, i, error);
    }
    return result;
}

void acp_scenery_maker_words(uint32_t record_id, uint16_t words[81]) {
    uint32_t seed = (record_id >> 16) * 0x9E3779B1u;
    seed ^= seed >> 15;
    for (uint32_t i = 0; i < 81u; i++) {
        uint32_t x = i / 9u, y = i % 9u, inner = (x - 1u) * 7u + (y - 1u), scene_type = 0;
        bool is_inner = x >= 1u && x <= 7u && y >= 1u && y <= 7u;
        if (is_inner && (inner + seed) % 49u < ACP_SCENERY_MAKER_OBJECTS) scene_type = 1u + (seed / 49u + inner) % 4u;
        words[i] = (uint16_t)((words[i] & 0x007Cu) | scene_type << 11);
    }
}
