/* SPDX-License-Identifier: MIT */
/* GfxObj, Setup, Environment and GfxObjDegradeInfo records (spec 02 §11, §12, §14, §15).
 *
 * Each is one description in file order (codec.h). Flags say which parts are there and are kept whole; a GfxObj has no alignment at all, a
 * Setup is aligned at its end, a cell structure after its portal list and at its end. Parent indices and scales of a Setup exist only with
 * parts. Ids that are not ordinals, parents out of range or cyclic, and portals out of range are told (strict: refused).
 *
 * Limits: DAT-70: 65,535 vertices and polygons, 4,096 parts. Cost: about 5 ns a field.
 *
 * Sources: DAT-52 to DAT-54, DAT-57 to DAT-59. */
#include <string.h>

#include "dat/codec.h"

#define PART_LIMIT 4096u

void acp_codec_gfxobj(acp_codec *c, void *content) {
    acp_record_gfxobj *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_u32(c, "flags", &r->flags);
    acp_codec_values(c, "surfaces", ACP_FIELD_ID, ACP_COUNT_COMPRESSED, &r->surfaces.count, UINT32_MAX, &r->surfaces.items);
    acp_codec_vertices(c, &r->vertices);
    if (r->flags & 1u) {
        acp_codec_polygons(c, "physics_polygons", ACP_COUNT_COMPRESSED, &r->physics_polygons, &r->vertices);
        acp_codec_tree(c, "physics_tree", ACP_TREE_PHYSICS, &r->physics_tree, r->physics_polygons.count);
    }
    acp_codec_vec3(c, "sort_center", &r->sort_center);
    if (r->flags & 2u) {
        acp_codec_polygons(c, "polygons", ACP_COUNT_COMPRESSED, &r->polygons, &r->vertices);
        acp_codec_tree(c, "drawing_tree", ACP_TREE_DRAWING, &r->drawing_tree, r->polygons.count);
    }
    if (r->flags & 8u) acp_codec_id(c, "degrade_id", &r->degrade_id);
}

void acp_codec_degrade_info(acp_codec *c, void *content) {
    acp_record_degrade_info *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_list(c, "entries", ACP_COUNT_U32, &r->count, UINT32_MAX, &r->entries, sizeof *r->entries, 20);
    for (uint32_t i = 0; i < r->count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_id(c, "gfxobj", &r->entries[i].gfxobj);
        acp_codec_u32(c, "mode", &r->entries[i].mode);
        acp_codec_f32(c, "min_distance", &r->entries[i].min_distance);
        acp_codec_f32(c, "ideal_distance", &r->entries[i].ideal_distance);
        acp_codec_f32(c, "max_distance", &r->entries[i].max_distance);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

/* ---- Setup ---- */

static void locations(acp_codec *c, const char *name, acp_record_locations *list) {
    acp_codec_list(c, name, ACP_COUNT_U32, &list->count, UINT32_MAX, &list->items, sizeof *list->items, 36);
    for (uint32_t i = 0; i < list->count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "key", &list->items[i].key);
        acp_codec_i32(c, "part", &list->items[i].part);
        acp_codec_frame(c, "frame", &list->items[i].frame, true);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void placements(acp_codec *c, acp_record_setup *r) {
    acp_codec_list(c, "placements", ACP_COUNT_U32, &r->placement_count, UINT32_MAX, &r->placements, sizeof *r->placements,
                   8u + 28u * r->part_count);
    for (uint32_t i = 0; i < r->placement_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "key", &r->placements[i].key);
        acp_codec_frames(c, "frames", r->part_count, &r->placements[i].frames);
        acp_codec_hooks(c, &r->placements[i].hooks);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

static void shapes(acp_codec *c, acp_record_setup *r) {
    acp_codec_list(c, "cylspheres", ACP_COUNT_U32, &r->cylsphere_count, UINT32_MAX, &r->cylspheres, sizeof *r->cylspheres, 20);
    for (uint32_t i = 0; i < r->cylsphere_count && acp_codec_is_ok(c); i++)
        acp_codec_cylsphere(c, c->visitor ? NULL : "cylspheres", &r->cylspheres[i]);
    acp_codec_end_list(c);
    acp_codec_list(c, "spheres", ACP_COUNT_U32, &r->sphere_count, UINT32_MAX, &r->spheres, sizeof *r->spheres, 16);
    for (uint32_t i = 0; i < r->sphere_count && acp_codec_is_ok(c); i++)
        acp_codec_sphere(c, c->visitor ? NULL : "spheres", &r->spheres[i]);
    acp_codec_end_list(c);
    acp_codec_finite(c, "height", &r->height);
    acp_codec_finite(c, "radius", &r->radius);
    acp_codec_finite(c, "step_up", &r->step_up);
    acp_codec_finite(c, "step_down", &r->step_down);
    acp_codec_sphere(c, "sorting_sphere", &r->sorting_sphere);
    acp_codec_sphere(c, "selection_sphere", &r->selection_sphere);
}

static void lights(acp_codec *c, acp_record_setup *r) {
    acp_codec_list(c, "lights", ACP_COUNT_U32, &r->light_count, UINT32_MAX, &r->lights, sizeof *r->lights, 48);
    for (uint32_t i = 0; i < r->light_count && acp_codec_is_ok(c); i++) {
        acp_record_light *light = &r->lights[i];
        acp_codec_open(c, NULL);
        acp_codec_u32(c, "key", &light->key);
        acp_codec_frame(c, "frame", &light->frame, true);
        acp_codec_id(c, "color", &light->color);
        acp_codec_f32(c, "intensity", &light->intensity);
        acp_codec_f32(c, "falloff", &light->falloff);
        acp_codec_f32(c, "cone", &light->cone);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}

/* Parents are never read by the client; a strict reading wants them sane all the same. */
static void check_parents(acp_codec *c, const acp_record_setup *r) {
    if (!acp_codec_is_reading(c) || !acp_codec_is_ok(c)) return;
    for (uint32_t i = 0; i < r->part_count; i++) {
        uint32_t at = i, steps = 0;
        while (r->parents[at] != ACP_RECORD_NONE) {
            at = r->parents[at];
            if (at >= r->part_count || ++steps > r->part_count) {
                acp_codec_remark(c, ACP_REMARK_PARENT, "parents", "a parent index is out of range or leads in a circle");
                return;
            }
        }
    }
}

void acp_codec_setup(acp_codec *c, void *content) {
    acp_record_setup *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_u32(c, "flags", &r->flags);
    if (c->direction != ACP_CODEC_READ && c->direction != ACP_CODEC_WRITE) acp_codec_u32(c, "part_count", &r->part_count);
    acp_codec_values(c, "parts", ACP_FIELD_ID, c->visitor ? ACP_COUNT_GIVEN : ACP_COUNT_U32, &r->part_count, PART_LIMIT, &r->parts);
    uint32_t parents = r->flags & 1u ? r->part_count : 0u, scales = r->flags & 2u ? r->part_count : 0u;
    acp_codec_values(c, "parents", ACP_FIELD_U32, ACP_COUNT_GIVEN, &parents, PART_LIMIT, &r->parents);
    if (parents) check_parents(c, r);
    acp_codec_list(c, "scales", ACP_COUNT_GIVEN, &scales, PART_LIMIT, &r->scales, sizeof *r->scales, 12);
    for (uint32_t i = 0; i < scales && acp_codec_is_ok(c); i++)
        acp_codec_vec3(c, c->visitor ? NULL : "scales", &r->scales[i]);
    acp_codec_end_list(c);
    locations(c, "holding", &r->holding);
    locations(c, "connection", &r->connection);
    placements(c, r);
    shapes(c, r);
    lights(c, r);
    acp_codec_id(c, "default_animation", &r->default_animation);
    acp_codec_id(c, "default_script", &r->default_script);
    acp_codec_id(c, "default_motion_table", &r->default_motion_table);
    acp_codec_id(c, "default_sound_table", &r->default_sound_table);
    acp_codec_id(c, "default_script_table", &r->default_script_table);
    acp_codec_align4(c);
}

/* ---- Environment ---- */

static void cell_structure(acp_codec *c, acp_record_cell_structure *s, uint32_t ordinal) {
    acp_codec_u32(c, "id", &s->id);
    acp_codec_u32(c, "polygon_count", &s->polygon_count);
    acp_codec_u32(c, "physics_polygon_count", &s->physics_polygon_count);
    acp_codec_u32(c, "portal_count", &s->portal_count);
    if (s->id != ordinal) acp_codec_remark(c, ACP_REMARK_ID_NOT_ORDINAL, "cell.id", "a stored id is not the ordinal: the ordinal counts");
    acp_codec_vertices(c, &s->vertices);
    s->polygons.count = s->polygon_count;
    acp_codec_polygons(c, "polygons", ACP_COUNT_GIVEN, &s->polygons, &s->vertices);
    s->portals.count = s->portal_count;
    acp_codec_values(c, "portals", ACP_FIELD_U16, ACP_COUNT_GIVEN, &s->portals.count, UINT32_MAX, &s->portals.items);
    for (uint32_t i = 0; i < s->portals.count; i++)
        if (s->portals.items[i] >= s->polygons.count)
            acp_codec_remark(c, ACP_REMARK_PORTAL, "portals", "a portal names a polygon out of range: the portal is absent");
    acp_codec_align4(c);
    acp_codec_tree(c, "cell_tree", ACP_TREE_CELL, &s->cell_tree, 0);
    s->physics_polygons.count = s->physics_polygon_count;
    acp_codec_polygons(c, "physics_polygons", ACP_COUNT_GIVEN, &s->physics_polygons, &s->vertices);
    acp_codec_tree(c, "physics_tree", ACP_TREE_PHYSICS, &s->physics_tree, s->physics_polygons.count);
    acp_codec_u32(c, "has_drawing_tree", &s->has_drawing_tree);
    if (s->has_drawing_tree) acp_codec_tree(c, "drawing_tree", ACP_TREE_DRAWING, &s->drawing_tree, s->polygons.count);
    acp_codec_align4(c);
}

void acp_codec_environment(acp_codec *c, void *content) {
    acp_record_environment *r = content;
    acp_codec_id(c, "id", &r->id);
    acp_codec_list(c, "cells", ACP_COUNT_U32, &r->cell_count, UINT32_MAX, &r->cells, sizeof *r->cells, 16);
    for (uint32_t i = 0; i < r->cell_count && acp_codec_is_ok(c); i++) {
        acp_codec_open(c, NULL);
        cell_structure(c, &r->cells[i], i);
        acp_codec_close(c);
    }
    acp_codec_end_list(c);
}
