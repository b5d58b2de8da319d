/* SPDX-License-Identifier: MIT */
/* Models of a scene by name: shapes (`gfx`), setups (`setups`) and rooms (`structures`) (docs/format-scene.md).
 *
 * Names are looked up in file order, the first one counts. A setup's parts are names of shapes or null; where a model is wanted, the name
 * of a shape means its simple setup (PHO-4), which is made when it is first asked for and kept. A scene that was extracted from DATs names
 * its models by record id ("0x02000020", "0x0D000010/0"), but nothing here depends on that: only the id that a setup or shape tells about
 * itself comes from a name of this form.
 *
 * Contract: faults go into the input; what was made until then belongs to the scene. Cost: a walk over the names per reference. */
#include <stdlib.h>
#include <string.h>

#include "support/scene.h"
#include "support/tree_json.h"

static bool copy_key(acp_json_input *input, const acp_json *member, const char *list, char *out) {
    if (member->key_length >= ACP_SCENE_NAME_CAPACITY) {
        acp_json_fail(input, ACP_ERROR_LIMIT, list, "a name has more than 47 bytes");
        return false;
    }
    memcpy(out, member->key, member->key_length);
    return true;
}

/* The members of an optional object; a list stands for none (the vectors write empty ones so). */
static const acp_json *named_list(const acp_json *definition, const char *key) {
    const acp_json *list = acp_json_member(definition, key);
    return list && list->type == ACP_JSON_OBJECT && list->count ? list : NULL;
}

static void *must(acp_json_input *input, void *memory) {
    if (!memory) acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "scene", "no memory for a scene");
    return memory;
}

/* A record id that is the whole name, else 0. */
static uint32_t id_of_name(const char *name) {
    if (strlen(name) != 10u || strncmp(name, "0x", 2) != 0 || strspn(name + 2, "0123456789ABCDEFabcdef") != 8u) return 0;
    return (uint32_t)strtoul(name, NULL, 16);
}

/* --------------------------------------------------------------------------------------------------------------------- shapes */

void acp_scene_build_shapes(acp_scene *scene, acp_json_input *input, const acp_json *definition) {
    const acp_json *gfx = named_list(definition, "gfx");
    if (!gfx) return;
    scene->shapes = must(input, calloc(gfx->count, sizeof *scene->shapes));
    for (const acp_json *g = gfx->first; g && !acp_json_is_failed(input); g = g->next) {
        acp_scene_shape *shape = &scene->shapes[scene->shape_count];
        if (!copy_key(input, g, "gfx", shape->name)) return;
        shape->shape = acp_scene_shape_create(input, &scene->memory, g, &scene->allocator);
        if (shape->shape) scene->shape_count++;
    }
}

acp_shape *acp_scene_find_shape(const acp_scene *scene, const acp_json *name) {
    for (uint32_t i = 0; i < scene->shape_count; i++)
        if (acp_json_is_text(name, scene->shapes[i].name)) return scene->shapes[i].shape;
    return NULL;
}

/* --------------------------------------------------------------------------------------------------------------------- setups */

static void *allocate(acp_scene *scene, acp_json_input *input, size_t count, size_t size) {
    void *memory = must(input, acp_json_reader_allocate(&scene->memory, (count + 1u) * size));
    if (memory) memset(memory, 0, (count + 1u) * size);
    return memory;
}

static const acp_setup_part *read_parts(acp_scene *scene, acp_json_input *input, const acp_json *json, uint32_t *out_count) {
    const acp_json *list = acp_json_get_optional_array(input, json, "parts");
    uint32_t count = list ? list->count : 0, scale_count = 0, i = 0;
    acp_setup_part *parts = allocate(scene, input, count, sizeof *parts);
    const float *scales = acp_json_get_floats(input, &scene->memory, json, "default_scale", &scale_count);
    if (scale_count && scale_count != 3u * count)
        acp_json_fail(input, ACP_ERROR_BAD_DATA, "default_scale", "three numbers for each part are wanted");
    if (!parts || acp_json_is_failed(input)) return NULL;
    for (const acp_json *p = count ? list->first : NULL; p; p = p->next, i++) {
        acp_shape *shape = p->type == ACP_JSON_NULL ? NULL : acp_scene_find_shape(scene, p);
        if (!shape && p->type != ACP_JSON_NULL) acp_json_fail(input, ACP_ERROR_NOT_FOUND, "parts", "the scene has no shape of this name");
        parts[i].shape = shape;
        parts[i].default_scale = (acp_vec3){1.0f, 1.0f, 1.0f};
        if (scale_count) parts[i].default_scale = (acp_vec3){scales[3u * i], scales[3u * i + 1u], scales[3u * i + 2u]};
    }
    *out_count = count;
    return parts;
}

static acp_frame read_frame(acp_json_input *input, const acp_json *json) {
    acp_matrix_frame frame = json ? acp_json_to_frame(input, json) : acp_matrix_frame_identity();
    return acp_matrix_frame_to_public(&frame);
}

static const acp_placement_definition *read_placements(acp_scene *scene, acp_json_input *input, const acp_json *json, uint32_t *out_count) {
    const acp_json *list = acp_json_get_optional_array(input, json, "placements");
    uint32_t count = list ? list->count : 0;
    acp_placement_definition *placements = allocate(scene, input, count, sizeof *placements);
    for (const acp_json *p = count && placements ? list->first : NULL; p; p = p->next) {
        acp_placement_definition *to = &placements[(*out_count)++];
        const acp_json *frames = acp_json_get_optional_array(input, p, "frames");
        acp_frame *poses = allocate(scene, input, frames ? frames->count : 0, sizeof *poses);
        to->placement_id = acp_json_get_id_or(input, p, "id", 0);
        to->frames = poses;
        for (const acp_json *f = frames && poses ? frames->first : NULL; f; f = f->next)
            poses[to->frame_count++] = read_frame(input, f);
    }
    return placements;
}

static const acp_holding_location *read_holding(acp_scene *scene, acp_json_input *input, const acp_json *json, uint32_t *out_count) {
    const acp_json *list = acp_json_get_optional_array(input, json, "holding");
    uint32_t count = list ? list->count : 0;
    acp_holding_location *holding = allocate(scene, input, count, sizeof *holding);
    for (const acp_json *h = count && holding ? list->first : NULL; h; h = h->next) {
        acp_holding_location *to = &holding[(*out_count)++];
        to->location_id = acp_json_get_id_or(input, h, "id", 0);
        to->part_index = acp_json_get_int32_or(input, h, "part", -1);
        to->frame = read_frame(input, acp_json_get_optional_object(input, h, "frame"));
    }
    return holding;
}

static acp_setup *read_setup(acp_scene *scene, acp_json_input *input, const acp_json *json, uint32_t id) {
    acp_setup_definition d = acp_setup_definition_default();
    d.setup_id = id;
    d.parts = read_parts(scene, input, json, &d.part_count);
    d.placements = read_placements(scene, input, json, &d.placement_count);
    d.holding_locations = read_holding(scene, input, json, &d.holding_location_count);
    acp_scene_read_solids(input, &scene->memory, json, &d);
    if (acp_json_is_failed(input)) return NULL;
    acp_setup *setup = NULL;
    acp_result result = acp_setup_create(&d, &scene->allocator, &setup, input->error);
    if (result != ACP_OK) acp_json_fail(input, result, "setups", "the model cannot be made");
    return setup;
}

void acp_scene_build_setups(acp_scene *scene, acp_json_input *input, const acp_json *definition) {
    const acp_json *list = named_list(definition, "setups");
    scene->setup_capacity = (list ? list->count : 0) + scene->shape_count; /* simple ones come later */
    if (!scene->setup_capacity) return;
    scene->setups = must(input, calloc(scene->setup_capacity, sizeof *scene->setups));
    for (const acp_json *s = list ? list->first : NULL; s && !acp_json_is_failed(input); s = s->next) {
        acp_scene_setup *setup = &scene->setups[scene->setup_count];
        if (!copy_key(input, s, "setups", setup->name)) return;
        setup->setup = read_setup(scene, input, s, id_of_name(setup->name));
        if (setup->setup) scene->setup_count++;
    }
}

acp_setup *acp_scene_find_setup(acp_scene *scene, acp_json_input *input, const acp_json *name) {
    for (uint32_t i = 0; i < scene->setup_count; i++)
        if (acp_json_is_text(name, scene->setups[i].name)) return scene->setups[i].setup;
    const acp_shape *shape = acp_scene_find_shape(scene, name);
    if (!shape || scene->setup_count == scene->setup_capacity) {
        acp_json_fail(input, ACP_ERROR_NOT_FOUND, "setup", "the scene has no setup and no shape of this name");
        return NULL;
    }
    acp_scene_setup *made = &scene->setups[scene->setup_count];
    acp_result result = acp_setup_create_simple(shape, &scene->allocator, &made->setup, input->error);
    if (result != ACP_OK) {
        acp_json_fail(input, result, "setup", "the model cannot be made");
        return NULL;
    }
    memcpy(made->name, name->text, name->count); /* as long as the shape's */
    scene->setup_count++;
    return made->setup;
}

/* ---------------------------------------------------------------------------------------------------------------------- rooms */

acp_cell_structure *acp_scene_structure_create(acp_scene *scene, acp_json_input *input, const acp_json *json) {
    acp_cell_structure_definition d = acp_cell_structure_definition_default();
    acp_bsp_source containment = acp_json_to_bsp_source(input, &scene->memory, NULL, acp_json_member(json, "cell_bsp"));
    d.containment_nodes = containment.nodes;
    d.containment_node_count = containment.node_count;
    d.containment_root = containment.root;
    acp_bsp_source physics =
        acp_json_to_bsp_source(input, &scene->memory, acp_json_get_optional_array(input, json, "polys"), acp_json_member(json, "bsp"));
    d.physics = &physics;
    if (acp_json_is_failed(input)) return NULL;
    acp_cell_structure *structure = NULL;
    acp_result result = acp_cell_structure_create(&d, &scene->allocator, &structure, input->error);
    if (result != ACP_OK) acp_json_fail(input, result, "envcells", "the room cannot be made");
    return structure;
}

void acp_scene_build_structures(acp_scene *scene, acp_json_input *input, const acp_json *definition) {
    const acp_json *list = named_list(definition, "structures");
    if (!list) return;
    scene->named_structures = must(input, calloc(list->count, sizeof *scene->named_structures));
    for (const acp_json *s = list->first; s && !acp_json_is_failed(input); s = s->next) {
        acp_scene_structure *structure = &scene->named_structures[scene->named_structure_count];
        if (!copy_key(input, s, "structures", structure->name)) return;
        structure->structure = acp_scene_structure_create(scene, input, s);
        if (structure->structure) scene->named_structure_count++;
    }
}

acp_cell_structure *acp_scene_find_structure(acp_scene *scene, acp_json_input *input, const acp_json *name) {
    for (uint32_t i = 0; i < scene->named_structure_count; i++)
        if (acp_json_is_text(name, scene->named_structures[i].name)) return scene->named_structures[i].structure;
    acp_json_fail(input, ACP_ERROR_NOT_FOUND, "structure", "the scene has no structure of this name");
    return NULL;
}
