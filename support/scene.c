/* SPDX-License-Identifier: MIT */
/* Scenes: one JSON object to a small world (docs/format-scene.md; vectors README §2).
 *
 * Content first (terrain, models, rooms, then each landblock as one prepared block), then statics, once all blocks stand (POP-2), then
 * objects in file order: all of these are created before any is registered, so that restrictions and names can refer to each other; `cross`
 * and `register` follow in file order. Landblocks are those named by `blocks`, `envcells` or `buildings`; one without a `blocks` entry has
 * rooms but no land. Nothing else is resident.
 *
 * Contract: faults go into the input; then no scene. The JSON tree must live as long as somebody reads objects' members. Cost: linear in
 * the text, apart from one pass over rooms and buildings per landblock. */
#include "support/scene.h"

#include <stdlib.h>
#include <string.h>

#include "geom/polygon.h"
#include "membership/registry.h"
#include "support/tree_json.h"

/* Gives up with "no memory". */
static void *must(acp_json_input *input, void *memory) {
    if (!memory) acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "scene", "no memory for a scene");
    return memory;
}

static void build_terrain(acp_scene *scene, acp_json_input *input, const acp_json *definition) {
    acp_height_table table;
    bool has_table = acp_json_has(definition, "height_table");
    acp_result result = ACP_OK;
    if (has_table) {
        float values[256] = {0};
        acp_json_get_float_array(input, definition, "height_table", values, 256);
        if (acp_json_is_failed(input)) return;
        result = acp_height_table_from_values(values, &table, input->error);
    }
    if (result == ACP_OK) result = acp_terrain_create(&scene->allocator, has_table ? &table : NULL, &scene->terrain, input->error);
    if (result != ACP_OK) {
        acp_json_fail(input, result, "blocks", "no terrain");
        return;
    }
    const acp_json *blocks = acp_json_get_optional_array(input, definition, "blocks");
    for (const acp_json *b = blocks ? blocks->first : NULL; b && !acp_json_is_failed(input); b = b->next) {
        acp_land_block land;
        memset(&land, 0, sizeof land);
        land.record_id = acp_json_get_id(input, b, "id") | 0xFFFFu;
        const acp_json *heights = acp_json_get_optional_array(input, b, "height");
        const acp_json *words = acp_json_get_optional_array(input, b, "terrain");
        if ((heights && heights->count != 81u) || (words && words->count != 81u))
            acp_json_fail(input, ACP_ERROR_BAD_DATA, "blocks", "a landblock has 81 heights and 81 terrain words");
        uint32_t i = 0;
        int64_t v = 0;
        for (const acp_json *h = heights ? heights->first : NULL; h && i < 81u; h = h->next, i++) {
            if (!acp_json_to_int64(h, &v) || v < 0 || v > 255) acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, "height", "not 0..255");
            land.height[i] = (uint8_t)v;
        }
        i = 0;
        for (const acp_json *w = words ? words->first : NULL; w && i < 81u; w = w->next, i++) {
            if (!acp_json_to_int64(w, &v) || v < 0 || v > 65535) acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, "terrain", "not 0..65535");
            land.terrain[i] = (uint16_t)v;
        }
        if (acp_json_is_failed(input)) return;
        result = acp_terrain_put(scene->terrain, &land, input->error);
        if (result != ACP_OK) acp_json_fail(input, result, "blocks", "the landblock's ground cannot be made");
    }
}

/* ----------------------------------------------------------------------------------------------------------------- EnvCells */

static acp_plane portal_plane(acp_scene *scene, acp_json_input *input, const acp_json *portal) {
    if (acp_json_member(portal, "plane")) return acp_json_get_plane(input, portal, "plane");
    uint32_t count = 0;
    const acp_vec3 *points = acp_json_to_polygon(input, &scene->memory, portal, &count);
    return acp_polygon_make_plane(points, count);
}

static void build_env_cell(acp_scene *scene, acp_json_input *input, const acp_json *e, acp_env_cell_definition *out) {
    memset(out, 0, sizeof *out);
    out->cell_id = acp_json_get_id(input, e, "id");
    acp_matrix_frame frame = acp_json_get_frame_or_identity(input, e, "frame");
    out->frame = acp_matrix_frame_to_public(&frame);
    out->is_seen_outside = acp_json_get_flag_or(input, e, "seen_outside", false);
    out->restriction_id = acp_json_get_id_or(input, e, "restriction", 0);
    if (acp_json_has(e, "structure")) {
        out->structure = acp_scene_find_structure(scene, input, acp_json_member(e, "structure"));
        if (!out->structure) return;
    } else {
        acp_cell_structure *structure = acp_scene_structure_create(scene, input, e);
        if (!structure) return;
        scene->structures[scene->structure_count++] = structure;
        out->structure = structure;
    }
    const acp_json *portals = acp_json_get_optional_array(input, e, "portals");
    const acp_json *stabs = acp_json_get_optional_array(input, e, "stabs");
    uint32_t portal_count = portals ? portals->count : 0, stab_count = stabs ? stabs->count : 0;
    acp_cell_portal *p = must(input, acp_json_reader_allocate(&scene->memory, (portal_count + 1u) * sizeof *p));
    uint32_t *s = must(input, acp_json_reader_allocate(&scene->memory, (stab_count + 1u) * sizeof *s));
    if (!p || !s) return;
    for (const acp_json *j = portal_count ? portals->first : NULL; j; j = j->next) {
        acp_cell_portal *portal = &p[out->portal_count++];
        portal->other_cell_id = acp_json_get_id(input, j, "other");
        portal->other_portal_id = acp_json_get_int32_or(input, j, "other_portal", 0);
        portal->side = acp_json_get_uint32_or(input, j, "side", 0);
        portal->plane = portal_plane(scene, input, j);
    }
    for (const acp_json *j = stab_count ? stabs->first : NULL; j; j = j->next)
        s[out->visible_count++] = acp_json_to_id(input, j, "stabs");
    out->portals = p;
    out->visible_cells = s;
}

/* ---------------------------------------------------------------------------------------------------------------- buildings */

static void build_building(acp_scene *scene, acp_json_input *input, const acp_json *b, acp_building_definition *out) {
    memset(out, 0, sizeof *out);
    out->cell_id = acp_json_get_id(input, b, "cell");
    acp_matrix_position position = {out->cell_id, acp_matrix_frame_identity()};
    if (acp_json_has(b, "pos")) position = acp_json_get_position(input, b, "pos");
    out->position = acp_matrix_position_to_public(&position);
    const acp_json *portals = acp_json_get_optional_array(input, b, "portals");
    uint32_t count = portals ? portals->count : 0;
    acp_building_portal *p = must(input, acp_json_reader_allocate(&scene->memory, (count + 1u) * sizeof *p));
    if (!p) return;
    for (const acp_json *j = count ? portals->first : NULL; j; j = j->next) {
        acp_building_portal *portal = &p[out->portal_count++];
        portal->other_cell_id = acp_json_get_id(input, j, "other");
        portal->other_portal_id = acp_json_get_int32_or(input, j, "other_portal", 0);
        portal->side = acp_json_get_uint32_or(input, j, "side", 0);
    }
    out->portals = p;
    const acp_json *model = acp_json_member(b, "setup");
    if (model) { /* as in a DAT: the land cell is that of the origin (POP-3); null: no shell */
        if (model->type != ACP_JSON_NULL) out->setup = acp_scene_find_setup(scene, input, model);
        out->cell_id &= 0xFFFF0000u;
        out->shell_scale = 1.0f;
        return;
    }
    const acp_json *part = acp_json_get_optional_object(input, b, "part");
    if (!part) return;
    const acp_json *gfx = acp_json_member(part, "gfx");
    out->shell = acp_scene_find_shape(scene, gfx);
    if (!out->shell && gfx && gfx->type == ACP_JSON_OBJECT) {
        acp_shape *shell = acp_scene_shape_create(input, &scene->memory, gfx, &scene->allocator);
        if (!shell) return;
        scene->shells[scene->shell_count++] = shell;
        out->shell = shell;
    }
    if (!out->shell) acp_json_fail(input, ACP_ERROR_NOT_FOUND, "part", "the scene has no shape of this name");
    if (acp_json_has(part, "pos")) position = acp_json_get_position(input, part, "pos");
    out->shell_position = acp_matrix_position_to_public(&position);
    out->shell_scale = acp_json_get_float_or(input, part, "scale", 1.0f);
}

/* --------------------------------------------------------------------------------------------------------------- landblocks */

/* Everything that goes into landblocks, before it is sorted by block. */
typedef struct content {
    acp_env_cell_definition *env_cells;
    acp_building_definition *buildings;
    acp_cell_restriction *restrictions;
    uint32_t *blocks; /* ids in order of appearance */
    uint32_t env_cell_count;
    uint32_t building_count;
    uint32_t restriction_count;
    uint32_t block_count;
} content;

static void note_block(content *c, uint32_t id) {
    for (uint32_t i = 0; i < c->block_count; i++)
        if (c->blocks[i] == (id & 0xFFFF0000u)) return;
    c->blocks[c->block_count++] = id & 0xFFFF0000u;
}

static bool read_content(acp_scene *scene, acp_json_input *input, const acp_json *definition, content *c) {
    const acp_json *blocks = acp_json_get_optional_array(input, definition, "blocks");
    const acp_json *env_cells = acp_json_get_optional_array(input, definition, "envcells");
    const acp_json *buildings = acp_json_get_optional_array(input, definition, "buildings");
    const acp_json *restrictions = acp_json_get_optional_array(input, definition, "restrictions");
    uint32_t b = blocks ? blocks->count : 0, e = env_cells ? env_cells->count : 0, h = buildings ? buildings->count : 0;
    uint32_t r = restrictions ? restrictions->count : 0;
    memset(c, 0, sizeof *c);
    c->env_cells = must(input, acp_json_reader_allocate(&scene->memory, (e + 1u) * sizeof *c->env_cells));
    c->buildings = must(input, acp_json_reader_allocate(&scene->memory, (h + 1u) * sizeof *c->buildings));
    c->restrictions = must(input, acp_json_reader_allocate(&scene->memory, (r + 1u) * sizeof *c->restrictions));
    c->blocks = must(input, acp_json_reader_allocate(&scene->memory, (size_t)(b + e + h + 1u) * sizeof *c->blocks));
    scene->structures = must(input, calloc(e + 1u, sizeof(acp_cell_structure *)));
    scene->shells = must(input, calloc(h + 1u, sizeof(acp_shape *)));
    if (acp_json_is_failed(input)) return false;
    for (const acp_json *j = b ? blocks->first : NULL; j; j = j->next)
        note_block(c, acp_json_get_id(input, j, "id"));
    for (const acp_json *j = e ? env_cells->first : NULL; j && !acp_json_is_failed(input); j = j->next) {
        build_env_cell(scene, input, j, &c->env_cells[c->env_cell_count]);
        note_block(c, c->env_cells[c->env_cell_count++].cell_id);
    }
    for (const acp_json *j = h ? buildings->first : NULL; j && !acp_json_is_failed(input); j = j->next) {
        build_building(scene, input, j, &c->buildings[c->building_count]);
        note_block(c, c->buildings[c->building_count++].cell_id);
    }
    for (const acp_json *j = r ? restrictions->first : NULL; j; j = j->next) {
        acp_cell_restriction *restriction = &c->restrictions[c->restriction_count++];
        restriction->cell_id = acp_json_get_id(input, j, "cell");
        restriction->object_id = acp_json_get_id(input, j, "object");
    }
    return !acp_json_is_failed(input);
}

/* Copies the entries whose id lies in the block, in order, and counts them. */
#define SELECT(items, count, block_id, out, out_count)                                                                                     \
    do {                                                                                                                                   \
        (out_count) = 0;                                                                                                                   \
        for (uint32_t i_ = 0; i_ < (count); i_++)                                                                                          \
            if (((items)[i_].cell_id ^ (block_id)) >> 16 == 0) (out)[(out_count)++] = (items)[i_];                                         \
    } while (0)

static void publish_block(acp_scene *scene, acp_json_input *input, const content *c, uint32_t block_id, content *space) {
    acp_block_definition d;
    memset(&d, 0, sizeof d);
    d.struct_size = (uint32_t)sizeof d;
    d.block_id = block_id;
    d.terrain = acp_terrain_find(scene->terrain, block_id | 1u);
    SELECT(c->env_cells, c->env_cell_count, block_id, space->env_cells, d.env_cell_count);
    SELECT(c->buildings, c->building_count, block_id, space->buildings, d.building_count);
    SELECT(c->restrictions, c->restriction_count, block_id, space->restrictions, d.restriction_count);
    for (uint32_t i = 0; i < d.building_count; i++)
        if (!(space->buildings[i].cell_id & 0xFFFFu)) space->buildings[i].cell_id = 0; /* from the origin */
    d.env_cells = space->env_cells;
    d.buildings = space->buildings;
    d.restrictions = space->restrictions;
    acp_block *block = NULL;
    acp_result result = acp_block_create(&d, &scene->allocator, &block, input->error);
    if (result == ACP_OK) {
        result = acp_world_add_block(scene->world, block, input->error);
        if (result != ACP_OK) acp_block_destroy(block);
    }
    if (result != ACP_OK) acp_json_fail(input, result, "blocks", "the landblock cannot be made");
}

static void build_blocks(acp_scene *scene, acp_json_input *input, const acp_json *definition) {
    content c, space;
    if (!read_content(scene, input, definition, &c)) return;
    memset(&space, 0, sizeof space);
    space.env_cells = must(input, acp_json_reader_allocate(&scene->memory, (c.env_cell_count + 1u) * sizeof *space.env_cells));
    space.buildings = must(input, acp_json_reader_allocate(&scene->memory, (c.building_count + 1u) * sizeof *space.buildings));
    space.restrictions = must(input, acp_json_reader_allocate(&scene->memory, (c.restriction_count + 1u) * sizeof *space.restrictions));
    for (uint32_t i = 0; i < c.block_count && !acp_json_is_failed(input); i++)
        publish_block(scene, input, &c, c.blocks[i], &space);
}

static void build_objects(acp_scene *scene, acp_json_input *input, const acp_json *definition) {
    const acp_json *objects = acp_json_get_optional_array(input, definition, "objects");
    if (!objects || !objects->count) return;
    scene->objects = must(input, calloc(objects->count, sizeof *scene->objects));
    for (const acp_json *o = objects->first; o && !acp_json_is_failed(input); o = o->next)
        if (acp_scene_object_create(scene, input, &scene->memory, o, &scene->objects[scene->object_count])) scene->object_count++;
    for (uint32_t i = 0; i < scene->object_count && !acp_json_is_failed(input); i++)
        acp_scene_object_register(scene, input, &scene->memory, &scene->objects[i]);
}

acp_scene *acp_scene_build(acp_json_input *input, const acp_json *definition, const acp_scene_options *options) {
    acp_scene *scene = must(input, calloc(1, sizeof *scene));
    if (!scene) return NULL;
    acp_world_options world = acp_world_options_default();
    world.fidelity = ACP_FIDELITY_SHADOW_ORDER;
    if (options) {
        world.corrections = options->corrections;
        if (options->canonical_order) world.fidelity = 0;
        world.allocator = options->allocator;
    }
    scene->allocator = world.allocator ? *world.allocator : acp_allocator_system();
    acp_result result = acp_world_create(&world, &scene->world, input->error);
    if (result != ACP_OK) acp_json_fail(input, result, "scene", "no world");
    if (!acp_json_is_failed(input)) build_terrain(scene, input, definition);
    if (!acp_json_is_failed(input)) acp_scene_build_shapes(scene, input, definition);
    if (!acp_json_is_failed(input)) acp_scene_build_setups(scene, input, definition);
    if (!acp_json_is_failed(input)) acp_scene_build_structures(scene, input, definition);
    if (!acp_json_is_failed(input)) build_blocks(scene, input, definition);
    if (!acp_json_is_failed(input)) acp_scene_build_statics(scene, input, definition);
    if (!acp_json_is_failed(input)) build_objects(scene, input, definition);
    if (!acp_json_is_failed(input)) return scene;
    acp_scene_destroy(scene);
    return NULL;
}

void acp_scene_destroy(acp_scene *scene) {
    if (!scene) return;
    for (uint32_t i = 0; i < scene->object_count; i++)
        acp_scene_object_destroy(scene, &scene->objects[i]);
    free(scene->objects);
    for (uint32_t i = 0; i < scene->static_count; i++)
        acp_scene_object_destroy(scene, &scene->statics[i]);
    free(scene->statics);
    acp_world_destroy(scene->world);
    for (uint32_t i = 0; i < scene->setup_count; i++)
        acp_setup_destroy(scene->setups[i].setup);
    free(scene->setups);
    for (uint32_t i = 0; i < scene->named_structure_count; i++)
        acp_cell_structure_destroy(scene->named_structures[i].structure);
    free(scene->named_structures);
    for (uint32_t i = 0; i < scene->structure_count; i++)
        acp_cell_structure_destroy(scene->structures[i]);
    free(scene->structures);
    for (uint32_t i = 0; i < scene->shell_count; i++)
        acp_shape_destroy(scene->shells[i]);
    free(scene->shells);
    for (uint32_t i = 0; i < scene->shape_count; i++)
        acp_shape_destroy(scene->shapes[i].shape);
    free(scene->shapes);
    acp_terrain_destroy(scene->terrain);
    acp_json_reader_free(&scene->memory);
    free(scene);
}

acp_scene_object *acp_scene_find(acp_scene *scene, const acp_json *name) {
    for (uint32_t i = 0; i < scene->object_count; i++)
        if (acp_json_is_text(name, scene->objects[i].name)) return &scene->objects[i];
    for (uint32_t i = 0; i < scene->static_count; i++)
        if (acp_json_is_text(name, scene->statics[i].name) && scene->statics[i].handle.index1) return &scene->statics[i];
    return NULL;
}

acp_scene_object *acp_scene_find_id(acp_scene *scene, uint32_t object_id) {
    for (uint32_t i = 0; i < scene->object_count && object_id; i++)
        if (acp_world_row(scene->world, scene->objects[i].index)->object_id == object_id) return &scene->objects[i];
    return NULL;
}
