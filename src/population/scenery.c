/* SPDX-License-Identifier: MIT */
/* The scenery of a landblock (POP-6, POP-8, POP-9): all 81 vertices in order, at each the descriptions of one scene, each either an object
 * on the ground or rejected for the first reason that applies.
 *
 * The 81 vertices, not the 64 cells: a vertex on a border is tried by every block that has it, with the same numbers, and the range test
 * gives the object to the one it falls into; leaving row or column 8 out would lose those displaced backwards. Of buildings only the land
 * cell of the point counts. The height of the base frame is replaced by the ground's. The scale plays no part in any test: retail sets it
 * when the object has been placed and registered.
 *
 * Contract: pure, bounded by 81 times the longest scene; never writes beyond the caller's capacity, allocates nothing, and counts on when
 * the array is full. Every candidate ends in exactly one reason.
 * Limits: a scale that is no positive finite number is rejected last, where retail keeps the object (DIV-80).
 * Spec: 09 POP-6, POP-8, POP-9, POP-16, RES-1, RES-3, RES-5, RES-6.
 * retail: CLandBlock::get_land_scenes 0x00530460
 * Cost: 5 ns a candidate that loses the draw, about 0.6 us an accepted object. */
#include "population/scenery.h"

#include <math.h>

#include "asset/finite.h"
#include "place/cell_id.h"
#include "population/scenery_place.h"
#include "terrain/word.h"
#include "world/object.h"

#define VERTICES_A_SIDE 9u

/* One run over a block. */
typedef struct generator {
    const acp_scenery_catalog *catalog;
    const acp_terrain_block *terrain;
    uint64_t building_mask;
    acp_scenery_object *objects;
    uint32_t capacity;
    uint32_t accepted;
    acp_scenery_counts counts;
    const acp_scenery_observer *observer;
} generator;

const char *acp_scenery_reason_name(acp_scenery_reason reason) {
    static const char *const names[ACP_SCENERY_REASON_COUNT] = {
        "no_scene_type", "no_scene",  "scene_missing", "scene_empty",   "frequency", "weenie", "outside",  "road",
        "building",      "no_ground", "slope",         "model_missing", "border",    "scale",  "accepted",
    };
    return (unsigned)reason < ACP_SCENERY_REASON_COUNT ? names[reason] : "unknown";
}

/* The scene of a vertex; false, with the reason in the candidate, when nothing grows there. */
static bool choose_scene(const generator *g, uint32_t gx, uint32_t gy, acp_scenery_candidate *c) {
    const acp_scenery_catalog *catalog = g->catalog;
    uint32_t word = g->terrain->words[c->vertex_x * VERTICES_A_SIDE + c->vertex_y];
    const acp_scenery_range *terrain_type = &catalog->terrain_types[acp_word_type(word)];
    c->reason = ACP_SCENERY_NO_SCENE_TYPE;
    if (acp_word_scene(word) >= terrain_type->count) return false;
    const acp_scenery_range *scenes = &catalog->types[terrain_type->first + acp_word_scene(word)];
    c->reason = ACP_SCENERY_NO_SCENE;
    if (scenes->count == 0) return false;
    c->reason = ACP_SCENERY_SCENE_MISSING;
    c->scene = catalog->scene_indices[scenes->first + acp_scenery_choose_scene(gx, gy, scenes->count)];
    if (c->scene == ACP_SCENERY_NONE) return false;
    c->reason = ACP_SCENERY_SCENE_EMPTY;
    return catalog->scenes[c->scene].count > 0;
}

static bool is_in_range(float coordinate) { return coordinate >= 0.0f && coordinate < 192.0f; }

/* POP-8 up to the slope: the point on the ground and its land cell, or the reason against it. */
static acp_scenery_reason find_spot(const generator *g, const acp_scenery_description *d, uint32_t gx, uint32_t gy,
                                    acp_scenery_candidate *c, uint32_t *out_cell_id, const acp_plane **out_plane) {
    const acp_terrain_block *terrain = g->terrain;
    acp_vec3 offset = acp_scenery_place(d, gx, gy, c->ordinal);
    c->point.x = acp_f32((double)c->vertex_x * ACP_CELL_LENGTH + (double)offset.x);
    c->point.y = acp_f32((double)c->vertex_y * ACP_CELL_LENGTH + (double)offset.y);
    c->point.z = offset.z;
    if (!is_in_range(c->point.x) || !is_in_range(c->point.y)) return ACP_SCENERY_OUTSIDE;
    if (acp_terrain_is_on_road(terrain->words, c->point.x, c->point.y)) return ACP_SCENERY_ROAD;
    acp_vec3 snapped = c->point; /* only the id is taken from the canonical place */
    *out_cell_id = terrain->block_id | 0xFFFFu;
    if (!acp_adjust_to_outside(out_cell_id, &snapped) || (*out_cell_id ^ terrain->block_id) >= 0x10000u) return ACP_SCENERY_NO_GROUND;
    uint32_t cell = (*out_cell_id & 0xFFFFu) - 1u;
    if ((g->building_mask >> cell) & 1u) return ACP_SCENERY_BUILDING;
    int32_t polygon = acp_terrain_block_find_polygon(terrain, cell, c->point.x, c->point.y);
    if (polygon < 0) return ACP_SCENERY_NO_GROUND;
    *out_plane = &terrain->planes[polygon];
    c->value = (*out_plane)->normal.z;
    if (!acp_scenery_is_slope_accepted(d, c->value)) return ACP_SCENERY_SLOPE;
    (void)acp_terrain_plane_height(*out_plane, c->point.x, c->point.y, &c->point.z);
    c->value = 0.0f;
    return ACP_SCENERY_ACCEPTED;
}

static acp_scenery_reason place_one(generator *g, const acp_scenery_description *d, uint32_t gx, uint32_t gy, acp_scenery_candidate *c) {
    double frequency_draw = acp_scenery_frequency_draw(gx, gy, c->ordinal);
    if (!(frequency_draw < (double)d->frequency)) {
        c->value = acp_f32(frequency_draw);
        return ACP_SCENERY_FREQUENCY;
    }
    if (d->is_weenie) return ACP_SCENERY_WEENIE;
    uint32_t cell_id = 0;
    const acp_plane *plane = NULL;
    acp_scenery_reason reason = find_spot(g, d, gx, gy, c, &cell_id, &plane);
    if (reason != ACP_SCENERY_ACCEPTED) return reason;
    if (d->model == ACP_SCENERY_NONE) return ACP_SCENERY_MODEL_MISSING;
    acp_matrix_frame frame =
        d->is_aligned ? acp_scenery_align(d, plane->normal, c->point) : acp_scenery_frame(d, gx, gy, c->ordinal, c->point);
    const acp_scenery_model *model = &g->catalog->models[d->model];
    if (!acp_model_is_within_block(model->setup, model->has_physics_bsp, &frame)) return ACP_SCENERY_BORDER;
    float scale = acp_scenery_scale(d, gx, gy, c->ordinal);
    c->value = scale;
    if (!(scale > 0.0f && acp_is_finite(scale))) return ACP_SCENERY_SCALE; /* DIV-80 */
    if (g->accepted < g->capacity) {
        acp_scenery_object *object = &g->objects[g->accepted];
        *object = (acp_scenery_object){.object_id = d->object_id,
                                       .cell_id = cell_id,
                                       .model = d->model,
                                       .description = c->description,
                                       .scene = c->scene,
                                       .scale = scale,
                                       .vertex_x = (uint8_t)c->vertex_x,
                                       .vertex_y = (uint8_t)c->vertex_y,
                                       .frame = frame};
    }
    g->accepted++;
    return ACP_SCENERY_ACCEPTED;
}

static void finish(generator *g, const acp_scenery_candidate *candidate) {
    g->counts.ends[candidate->reason]++;
    if (g->observer) g->observer->on_candidate(g->observer->user, candidate);
}

static void grow_at(generator *g, uint32_t x, uint32_t y) {
    uint32_t gx = x + 8u * (g->terrain->block_id >> 24), gy = y + 8u * ((g->terrain->block_id >> 16) & 0xFFu);
    acp_scenery_candidate c = {.vertex_x = x, .vertex_y = y, .scene = ACP_SCENERY_NONE, .description = ACP_SCENERY_NONE};
    if (!choose_scene(g, gx, gy, &c)) {
        finish(g, &c);
        return;
    }
    const acp_scenery_scene *scene = &g->catalog->scenes[c.scene];
    for (uint32_t k = 0; k < scene->count; k++) {
        c.ordinal = k;
        c.description = scene->first + k;
        c.point = (acp_vec3){0.0f, 0.0f, 0.0f};
        c.value = 0.0f;
        c.reason = place_one(g, &g->catalog->descriptions[c.description], gx, gy, &c);
        finish(g, &c);
    }
}

uint32_t acp_scenery_generate(const acp_scenery_catalog *catalog, const acp_terrain_block *terrain, uint64_t building_mask,
                              acp_scenery_object *objects, uint32_t capacity, acp_scenery_counts *out_counts,
                              const acp_scenery_observer *observer) {
    generator g = {.catalog = catalog,
                   .terrain = terrain,
                   .building_mask = building_mask,
                   .objects = objects,
                   .capacity = capacity,
                   .observer = observer};
    for (uint32_t x = 0; x < VERTICES_A_SIDE; x++)
        for (uint32_t y = 0; y < VERTICES_A_SIDE; y++)
            grow_at(&g, x, y);
    if (out_counts) *out_counts = g.counts;
    return g.accepted;
}
