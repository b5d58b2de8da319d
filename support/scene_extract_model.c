/* SPDX-License-Identifier: MIT */
/* Models of a scene that is extracted from DATs: meshes, setups, rooms as the scene form has them (docs/format-scene.md).
 *
 * A mesh is what physics sees under its id: entry 0 of its degrade list when that loads, and whether it is always drawn flat (DAT-59,
 * PHO-4); its box and drawing sphere are those of the asset. Trees keep their nodes, spheres and PORT marks; a polygon that names a vertex
 * out of range is written without points, which is never hit either (DAT-72). A setup is taken with all its meshes or not at all.
 *
 * Contract: what is refused is remembered; out of memory is an error. Limits: trees of 1,000 levels, since a scene nests them. Cost: each
 * record is read twice, once to see whether it can be had, once to be written. */
#include "support/scene_extract_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/from_record.h"
#include "asset/shape.h"
#include "base/error.h"
#include "support/json_values.h"

#define MAX_LEVELS 1000u

/* ----------------------------------------------------------------------------------------------------------------------- pieces */

uint32_t acp_record_points(const acp_record_polygon *polygon, const acp_record_vertices *vertices, acp_vec3 *out_points) {
    for (uint32_t k = 0; k < polygon->point_count; k++) {
        if (polygon->vertices[k] >= vertices->count) return 0;
        out_points[k] = vertices->items[polygon->vertices[k]].position;
    }
    return polygon->point_count;
}

void acp_record_write_frame_members(acp_json_writer *out, const acp_frame *frame) {
    static const acp_quaternion identity = {1.0f, 0.0f, 0.0f, 0.0f};
    acp_json_write_vec3(out, "o", frame->origin);
    if (memcmp(&frame->rotation, &identity, sizeof identity) != 0) acp_json_write_quaternion(out, "raw_q", frame->rotation);
}

void acp_record_write_frame(acp_json_writer *out, const char *key, const acp_frame *frame) {
    acp_json_begin_object(out, key);
    acp_record_write_frame_members(out, frame);
    acp_json_end_object(out);
}

static void write_polygons(acp_json_writer *out, const acp_record_polygons *polygons, const acp_record_vertices *vertices) {
    acp_vec3 points[256] = {{0}};
    acp_json_begin_array(out, "polys");
    for (uint32_t i = 0; i < polygons->count; i++) {
        uint32_t count = acp_record_points(&polygons->items[i], vertices, points);
        acp_json_begin_object(out, NULL);
        acp_json_write_float_rows(out, "v", &points[0].x, count, 3);
        if (polygons->items[i].sides_type) acp_json_write_int(out, "sides", polygons->items[i].sides_type);
        acp_json_end_object(out);
    }
    acp_json_end_array(out);
}

static void write_node_head(acp_json_writer *out, const char *key, const acp_record_node *node, bool is_physics) {
    const float sphere[4] = {node->sphere.center.x, node->sphere.center.y, node->sphere.center.z, node->sphere.radius};
    acp_json_begin_object(out, key);
    if (node->tag == ACP_TAG_LEAF) {
        acp_json_write_int(out, "leaf", node->leaf_index);
        if (!is_physics) return;
        acp_json_write_int(out, "solid", node->solid);
        acp_json_begin_array(out, "polys");
        for (uint32_t i = 0; i < node->polygon_count; i++)
            acp_json_write_uint(out, NULL, node->polygons[i]);
        acp_json_end_array(out);
    } else {
        const float plane[4] = {node->plane.normal.x, node->plane.normal.y, node->plane.normal.z, node->plane.d};
        acp_json_write_floats(out, "p", plane, 4);
        if (node->tag == ACP_TAG_PORT) acp_json_write_flag(out, "port", true);
    }
    if (is_physics && node->tag != ACP_TAG_PORT) acp_json_write_floats(out, "s", sphere, 4);
}

/* Nested, as scenes have trees. False when it is too deep for that. */
static bool write_tree(acp_json_writer *out, const char *key, const acp_record_tree *tree, bool is_physics) {
    struct {
        uint32_t node;
        uint32_t stage; /* 0 positive, 1 negative, 2 end */
    } stack[MAX_LEVELS];
    uint32_t depth = 1;
    stack[0].node = stack[0].stage = 0;
    write_node_head(out, key, &tree->nodes[0], is_physics);
    while (depth) {
        const acp_record_node *node = &tree->nodes[stack[depth - 1u].node];
        uint32_t stage = stack[depth - 1u].stage++;
        if (stage == 2u) {
            acp_json_end_object(out);
            depth--;
            continue;
        }
        uint32_t child = stage == 0 ? node->positive : node->negative;
        if (node->tag == ACP_TAG_LEAF || child == ACP_RECORD_NONE) continue;
        if (depth == MAX_LEVELS) return false;
        write_node_head(out, stage == 0 ? "pos" : "neg", &tree->nodes[child], is_physics);
        stack[depth].node = child;
        stack[depth++].stage = 0;
    }
    return true;
}

static acp_result too_deep(acp_extract *x, uint32_t id) {
    (void)acp_error_set(x->error, ACP_ERROR_LIMIT, "scene extract", "a tree of more than %u levels has no scene form", MAX_LEVELS);
    acp_error_set_place(x->error, id, UINT64_MAX, "tree");
    return ACP_ERROR_LIMIT;
}

/* ----------------------------------------------------------------------------------------------------------------------- meshes */

/* The record that physics sees under a mesh id. */
static acp_result load_mesh(acp_extract *x, uint32_t id, acp_record *out_mesh, bool *out_is_always_2d) {
    acp_record degrade;
    *out_is_always_2d = false;
    acp_result result = acp_extract_load(x, x->portal, ACP_RECORD_GFXOBJ, id, out_mesh);
    if (result || !(out_mesh->content.gfxobj->flags & 8u)) return result;
    result = acp_extract_load(x, x->portal, ACP_RECORD_DEGRADE_INFO, out_mesh->content.gfxobj->degrade_id, &degrade);
    if (result) return result == ACP_ERROR_OUT_OF_MEMORY ? result : ACP_OK;
    const acp_record_degrade_info *info = degrade.content.degrade_info;
    *out_is_always_2d = acp_degrade_is_always_2d(info);
    uint32_t own = info->count ? info->entries[0].gfxobj : id;
    if (own != id) {
        acp_record_free(out_mesh);
        result = acp_extract_load(x, x->portal, ACP_RECORD_GFXOBJ, own, out_mesh);
    }
    acp_record_free(&degrade);
    return result;
}

static acp_result check_mesh(acp_extract *x, uint32_t id) {
    if (acp_extract_has(&x->meshes, id)) return ACP_OK;
    acp_record mesh;
    bool is_always_2d;
    acp_shape *shape = NULL;
    acp_result result = load_mesh(x, id, &mesh, &is_always_2d);
    if (result == ACP_OK) result = acp_shape_from_record(mesh.content.gfxobj, is_always_2d, ACP_CONTENT_LENIENT, NULL, &shape, x->error);
    acp_shape_destroy(shape);
    acp_record_free(&mesh);
    return result;
}

static acp_result write_mesh(acp_extract *x, uint32_t id) {
    acp_record mesh;
    bool is_always_2d;
    acp_shape *shape = NULL;
    char name[16];
    acp_result result = load_mesh(x, id, &mesh, &is_always_2d);
    if (result == ACP_OK) result = acp_shape_from_record(mesh.content.gfxobj, is_always_2d, ACP_CONTENT_LENIENT, NULL, &shape, x->error);
    if (result == ACP_OK) {
        const acp_record_gfxobj *g = mesh.content.gfxobj;
        (void)snprintf(name, sizeof name, "0x%08lX", (unsigned long)id);
        acp_json_begin_object(x->out, name);
        acp_json_write_box(x->out, "box", shape->box);
        if (shape->flags & ACP_SHAPE_HAS_DRAWING_SPHERE) acp_json_write_sphere(x->out, "drawing_sphere", shape->drawing_sphere);
        if (is_always_2d) acp_json_write_flag(x->out, "always2d", true);
        if (g->flags & 1u) {
            write_polygons(x->out, &g->physics_polygons, &g->vertices);
            if (!write_tree(x->out, "bsp", &g->physics_tree, true)) result = too_deep(x, id);
        }
        acp_json_end_object(x->out);
        x->report.shapes++;
    }
    acp_shape_destroy(shape);
    acp_record_free(&mesh);
    return result;
}

/* ----------------------------------------------------------------------------------------------------------------------- setups */

acp_result acp_extract_model(acp_extract *x, uint32_t model_id) {
    if (acp_extract_has(&x->models, model_id) || acp_extract_has(&x->meshes, model_id)) return ACP_OK;
    if (acp_extract_has(&x->refused, model_id))
        return acp_error_set(x->error, ACP_ERROR_NOT_FOUND, "scene extract", "the model was refused before");
    acp_result result = ACP_ERROR_INVALID_ID;
    acp_record setup;
    memset(&setup, 0, sizeof setup);
    if (model_id >> 24 == 0x01u) {
        result = check_mesh(x, model_id);
        if (result == ACP_OK) result = acp_extract_add(&x->meshes, model_id);
    } else if (model_id >> 24 == 0x02u) {
        result = acp_extract_load(x, x->portal, ACP_RECORD_SETUP, model_id, &setup);
        const acp_record_setup *s = setup.content.setup;
        if (result == ACP_OK && !s->part_count)
            result = acp_error_set(x->error, ACP_ERROR_BAD_DATA, "scene extract", "a setup without parts makes no object");
        for (uint32_t i = 0; result == ACP_OK && i < s->part_count; i++)
            result = check_mesh(x, s->parts[i]);
        for (uint32_t i = 0; result == ACP_OK && i < s->part_count; i++)
            result = acp_extract_add(&x->meshes, s->parts[i]);
        if (result == ACP_OK) result = acp_extract_add(&x->models, model_id);
    } else
        result = acp_error_set(x->error, ACP_ERROR_INVALID_ID, "scene extract", "a model is a GfxObj 0x01… or a Setup 0x02…");
    acp_record_free(&setup);
    if (result && result != ACP_ERROR_OUT_OF_MEMORY && acp_extract_add(&x->refused, model_id)) return ACP_ERROR_OUT_OF_MEMORY;
    return result;
}

static void write_placements(acp_json_writer *out, const acp_record_setup *s) {
    if (s->placement_count) acp_json_begin_array(out, "placements");
    for (uint32_t i = 0; i < s->placement_count; i++) {
        acp_json_begin_object(out, NULL);
        acp_json_write_id(out, "id", s->placements[i].key);
        acp_json_begin_array(out, "frames");
        for (uint32_t k = 0; k < s->part_count; k++)
            acp_record_write_frame(out, NULL, &s->placements[i].frames[k]);
        acp_json_end_array(out);
        acp_json_end_object(out);
    }
    if (s->placement_count) acp_json_end_array(out);
    if (s->holding.count) acp_json_begin_array(out, "holding");
    for (uint32_t i = 0; i < s->holding.count; i++) {
        acp_json_begin_object(out, NULL);
        acp_json_write_id(out, "id", s->holding.items[i].key);
        acp_json_write_int(out, "part", s->holding.items[i].part);
        acp_record_write_frame(out, "frame", &s->holding.items[i].frame);
        acp_json_end_object(out);
    }
    if (s->holding.count) acp_json_end_array(out);
}

static void write_volumes(acp_json_writer *out, const acp_record_setup *s) {
    if (s->sphere_count) acp_json_begin_array(out, "spheres");
    for (uint32_t i = 0; i < s->sphere_count; i++)
        acp_json_write_sphere(out, NULL, s->spheres[i]);
    if (s->sphere_count) acp_json_end_array(out);
    if (s->cylsphere_count) acp_json_begin_array(out, "cylspheres");
    for (uint32_t i = 0; i < s->cylsphere_count; i++) {
        acp_json_begin_object(out, NULL);
        acp_json_write_vec3(out, "low", s->cylspheres[i].low_point);
        acp_json_write_float(out, "h", s->cylspheres[i].height);
        acp_json_write_float(out, "r", s->cylspheres[i].radius);
        acp_json_end_object(out);
    }
    if (s->cylsphere_count) acp_json_end_array(out);
    acp_json_write_sphere(out, "sorting_sphere", s->sorting_sphere);
    acp_json_write_float(out, "step_up", s->step_up);
    acp_json_write_float(out, "step_down", s->step_down);
    acp_json_write_float(out, "radius", s->radius);
    acp_json_write_float(out, "height", s->height);
}

static acp_result write_setup(acp_extract *x, uint32_t id) {
    acp_record record;
    char name[16];
    acp_result result = acp_extract_load(x, x->portal, ACP_RECORD_SETUP, id, &record);
    if (result) return result;
    const acp_record_setup *s = record.content.setup;
    (void)snprintf(name, sizeof name, "0x%08lX", (unsigned long)id);
    acp_json_begin_object(x->out, name);
    acp_json_begin_array(x->out, "parts");
    for (uint32_t i = 0; i < s->part_count; i++)
        acp_json_write_id(x->out, NULL, s->parts[i]);
    acp_json_end_array(x->out);
    if (s->scales) acp_json_write_float_rows(x->out, "default_scale", &s->scales[0].x, s->part_count, 3);
    write_placements(x->out, s);
    write_volumes(x->out, s);
    if (s->flags & 4u) acp_json_write_flag(x->out, "free_heading", true);
    acp_json_end_object(x->out);
    x->report.setups++;
    acp_record_free(&record);
    return ACP_OK;
}

/* ------------------------------------------------------------------------------------------------------------------------ rooms */

const acp_record_cell_structure *acp_extract_structure(acp_extract *x, uint32_t environment_id, uint32_t ordinal) {
    if (x->environment_id != environment_id) {
        acp_record_free(&x->environment);
        x->environment_id = 0;
        acp_result result = acp_extract_has(&x->gone, environment_id)
                                ? acp_error_set(x->error, ACP_ERROR_NOT_FOUND, "scene extract", "the environment was refused before")
                                : acp_extract_load(x, x->portal, ACP_RECORD_ENVIRONMENT, environment_id, &x->environment);
        if (result && result != ACP_ERROR_OUT_OF_MEMORY && acp_extract_add(&x->gone, environment_id))
            result = acp_error_set(x->error, ACP_ERROR_OUT_OF_MEMORY, "scene extract", "out of memory");
        if (result) return NULL;
        x->environment_id = environment_id;
    }
    const acp_record_environment *e = x->environment.content.environment;
    if (ordinal >= e->cell_count) {
        (void)acp_error_set(x->error, ACP_ERROR_NOT_FOUND, "scene extract", "the environment has no such room");
        return NULL;
    }
    acp_cell_structure *structure = NULL;
    if (acp_extract_has(&x->structures, (uint64_t)environment_id << 32 | ordinal)) return &e->cells[ordinal];
    acp_result result = acp_cell_structure_from_record(&e->cells[ordinal], ACP_CONTENT_LENIENT, NULL, &structure, x->error);
    acp_cell_structure_destroy(structure);
    return result ? NULL : &e->cells[ordinal];
}

static acp_result write_structure(acp_extract *x, uint32_t environment_id, uint32_t ordinal) {
    const acp_record_cell_structure *s = acp_extract_structure(x, environment_id, ordinal);
    char name[32];
    if (!s) return x->error->code;
    (void)snprintf(name, sizeof name, "0x%08lX/%u", (unsigned long)environment_id, (unsigned)ordinal);
    acp_json_begin_object(x->out, name);
    bool is_good = write_tree(x->out, "cell_bsp", &s->cell_tree, false);
    write_polygons(x->out, &s->physics_polygons, &s->vertices);
    is_good = is_good && write_tree(x->out, "bsp", &s->physics_tree, true);
    acp_json_end_object(x->out);
    x->report.structures++;
    return is_good ? ACP_OK : too_deep(x, environment_id);
}

/* ------------------------------------------------------------------------------------------------------------------------ whole */

acp_result acp_extract_write_models(acp_extract *x) {
    acp_result result = ACP_OK;
    acp_json_begin_object(x->out, "structures");
    for (uint32_t i = 0; i < x->structures.count && result == ACP_OK; i++)
        result = write_structure(x, (uint32_t)(x->structures.items[i] >> 32), (uint32_t)x->structures.items[i]);
    acp_json_end_object(x->out);
    acp_json_begin_object(x->out, "setups");
    for (uint32_t i = 0; i < x->models.count && result == ACP_OK; i++)
        result = write_setup(x, (uint32_t)x->models.items[i]);
    acp_json_end_object(x->out);
    acp_json_begin_object(x->out, "gfx");
    for (uint32_t i = 0; i < x->meshes.count && result == ACP_OK; i++)
        result = write_mesh(x, (uint32_t)x->meshes.items[i]);
    acp_json_end_object(x->out);
    return result;
}

void acp_extract_free_models(acp_extract *x) {
    acp_record_free(&x->environment);
    free(x->models.items);
    free(x->meshes.items);
    free(x->refused.items);
    free(x->structures.items);
    free(x->gone.items);
}
