/* SPDX-License-Identifier: MIT */
/* The shapes of records as one list of polygons.
 *
 * A record keeps what movers hit and what is drawn in two lists over the same vertices. Where both lists hold the same polygon (the same
 * vertex numbers in the same order) it becomes one polygon of both kinds, so that a shape is edited once; the order of both lists is kept,
 * which is why a record that was authored comes back to the byte. Polygons that nothing could show are dropped and counted.
 *
 * Contract: vertices keep their numbers. Limits: those of records. Cost: a hash look-up a polygon. */
#include "support/geometry.h"

#include <stdlib.h>
#include <string.h>

void acp_geometry_free(acp_geometry *g) {
    ACP_ARRAY_FREE(&g->vertices, NULL);
    ACP_ARRAY_FREE(&g->corners, NULL);
    ACP_ARRAY_FREE(&g->polygons, NULL);
    ACP_ARRAY_FREE(&g->shapes, NULL);
    ACP_ARRAY_FREE(&g->instances, NULL);
    ACP_ARRAY_FREE(&g->surfaces, NULL);
    memset(g, 0, sizeof *g);
}

static acp_geometry_shape begin_shape(const acp_geometry *g, uint32_t record_id) {
    acp_geometry_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.record_id = record_id;
    shape.first_vertex = g->vertices.count;
    shape.first_polygon = g->polygons.count;
    shape.first_surface = g->surfaces.count;
    return shape;
}

static uint32_t end_shape(acp_geometry *g, acp_geometry_shape *shape) {
    shape->vertex_count = g->vertices.count - shape->first_vertex;
    shape->polygon_count = g->polygons.count - shape->first_polygon;
    shape->surface_count = g->surfaces.count - shape->first_surface;
    if (ACP_ARRAY_PUSH(&g->shapes, NULL, *shape)) g->is_failed = true;
    return g->shapes.count ? g->shapes.count - 1 : 0;
}

static void add_vertices(acp_geometry *g, acp_geometry_shape *shape, const acp_record_vertices *vertices) {
    for (uint32_t i = 0; i < vertices->count; i++) {
        acp_vec3 n = vertices->items[i].normal;
        acp_geometry_vertex v = {vertices->items[i].position, n};
        if (n.x != 0.0f || n.y != 0.0f || n.z != 1.0f) shape->has_normals = true;
        if (ACP_ARRAY_PUSH(&g->vertices, NULL, v)) g->is_failed = true;
    }
}

static bool is_showable(const acp_record_polygon *p, const acp_record_vertices *vertices) {
    if (p->point_count < 3) return false;
    for (uint32_t k = 0; k < p->point_count; k++)
        if (p->vertices[k] >= vertices->count) return false;
    return true;
}

static void add_polygon(acp_geometry *g, acp_geometry_shape *shape, const acp_record_vertices *vertices, const acp_record_polygon *p,
                        acp_geometry_polygon made) {
    if (!is_showable(p, vertices)) {
        g->dropped++;
        return;
    }
    made.first_corner = g->corners.count;
    made.corner_count = p->point_count;
    made.sides_type = p->sides_type;
    made.surface = p->pos_surface;
    made.back = p->neg_surface;
    for (uint32_t k = 0; k < p->point_count; k++) {
        const acp_record_vertex *v = &vertices->items[p->vertices[k]];
        acp_geometry_corner corner = {p->vertices[k], 0, 0};
        if (p->pos_uvs && p->pos_uvs[k] < v->uv_count) {
            corner.u = v->uvs[2 * (size_t)p->pos_uvs[k]];
            corner.v = v->uvs[2 * (size_t)p->pos_uvs[k] + 1];
            shape->has_uvs = true;
        }
        if (ACP_ARRAY_PUSH(&g->corners, NULL, corner)) g->is_failed = true;
    }
    if (ACP_ARRAY_PUSH(&g->polygons, NULL, made)) g->is_failed = true;
}

/* ---- the same polygon in both lists ---- */

static uint32_t hash_of(const acp_record_polygon *p) {
    uint32_t hash = 2166136261u;
    for (uint32_t k = 0; k < p->point_count; k++)
        hash = (hash ^ p->vertices[k]) * 16777619u;
    return hash ^ hash >> 15;
}

static bool is_same(const acp_record_polygon *p, const acp_record_polygon *q) {
    return p->point_count == q->point_count && p->sides_type == q->sides_type && p->pos_surface == q->pos_surface &&
           p->neg_surface == q->neg_surface && memcmp(p->vertices, q->vertices, (size_t)p->point_count * sizeof *p->vertices) == 0;
}

/* `portal_of`: per drawing polygon its number among the portals and one, 0 for none.
 * For each physics polygon the drawing polygon that equals it (the first that is free), or UINT32_MAX; null when memory is out. */
static uint32_t *match(const acp_record_polygons *physics, const acp_record_polygons *drawing, const uint32_t *portal_of) {
    uint32_t slots = 16;
    while (slots < 2 * (uint64_t)drawing->count)
        slots *= 2;
    uint32_t *table = calloc(slots, sizeof *table), *twins = calloc((size_t)physics->count + 1, sizeof *twins);
    if (!table || !twins) {
        free(table);
        free(twins);
        return NULL;
    }
    for (uint32_t i = 0; i < drawing->count; i++) {
        if (portal_of[i]) continue;
        uint32_t slot = hash_of(&drawing->items[i]) & (slots - 1);
        while (table[slot])
            slot = (slot + 1) & (slots - 1);
        table[slot] = i + 1;
    }
    for (uint32_t i = 0; i < physics->count; i++) {
        uint32_t slot = hash_of(&physics->items[i]) & (slots - 1);
        twins[i] = UINT32_MAX;
        for (; table[slot] && twins[i] == UINT32_MAX; slot = (slot + 1) & (slots - 1)) {
            if (table[slot] == UINT32_MAX || !is_same(&physics->items[i], &drawing->items[table[slot] - 1])) continue;
            twins[i] = table[slot] - 1;
            table[slot] = UINT32_MAX; /* taken */
        }
    }
    free(table);
    return twins;
}

static void merge_lists(acp_geometry *g, acp_geometry_shape *shape, const acp_record_vertices *vertices, const acp_record_polygons *physics,
                        const acp_record_polygons *drawing, const uint32_t *portal_of) {
    uint32_t *twins = match(physics, drawing, portal_of);
    uint8_t *is_twin = calloc((size_t)drawing->count + 1, 1);
    if (!twins || !is_twin) {
        g->is_failed = true;
        free(twins);
        free(is_twin);
        return;
    }
    for (uint32_t i = 0; i < physics->count; i++)
        if (twins[i] != UINT32_MAX) is_twin[twins[i]] = 1;
    uint32_t i = 0, k = 0;
    while (i < physics->count || k < drawing->count) {
        acp_geometry_polygon made = {.physics = -1, .drawing = -1, .portal = -1};
        if (i < physics->count && twins[i] == UINT32_MAX) {
            made.kind = ACP_GEOMETRY_PHYSICS;
            made.physics = (int32_t)i;
            add_polygon(g, shape, vertices, &physics->items[i++], made);
        } else if (k < drawing->count && !(i < physics->count && twins[i] == k)) {
            /* Not the twin of what is next: alone here, also when the two lists order their twins differently. */
            made.kind = portal_of[k] ? ACP_GEOMETRY_PORTAL : ACP_GEOMETRY_DRAWING;
            made.drawing = (int32_t)k;
            made.portal = (int32_t)portal_of[k] - 1;
            for (uint32_t n = i; n < physics->count && is_twin[k]; n++)
                if (twins[n] == k) twins[n] = UINT32_MAX, is_twin[k] = 0;
            add_polygon(g, shape, vertices, &drawing->items[k++], made);
        } else {
            made.kind = ACP_GEOMETRY_PHYSICS | ACP_GEOMETRY_DRAWING;
            made.physics = (int32_t)i;
            made.drawing = (int32_t)k;
            add_polygon(g, shape, vertices, &drawing->items[k++], made);
            i++;
        }
    }
    free(twins);
    free(is_twin);
}

/* ---- records ---- */

uint32_t acp_geometry_add_gfxobj(acp_geometry *g, const acp_record_gfxobj *record) {
    acp_geometry_shape shape = begin_shape(g, record->id);
    (void)snprintf(shape.name, sizeof shape.name, "gfxobj_%08X", record->id);
    shape.has_surface_ids = true;
    for (uint32_t i = 0; i < record->surfaces.count; i++)
        if (ACP_ARRAY_PUSH(&g->surfaces, NULL, record->surfaces.items[i])) g->is_failed = true;
    uint32_t *portal_of = calloc((size_t)record->polygons.count + 1, sizeof *portal_of);
    if (!portal_of) {
        g->is_failed = true;
        return end_shape(g, &shape);
    }
    for (uint32_t i = 0; i < record->drawing_tree.node_count; i++)
        for (uint32_t k = 0; k < record->drawing_tree.nodes[i].portal_count; k++)
            if (record->drawing_tree.nodes[i].portals[2 * (size_t)k] < record->polygons.count)
                portal_of[record->drawing_tree.nodes[i].portals[2 * (size_t)k]] =
                    record->drawing_tree.nodes[i].portals[2 * (size_t)k + 1] + 1u;
    add_vertices(g, &shape, &record->vertices);
    merge_lists(g, &shape, &record->vertices, &record->physics_polygons, &record->polygons, portal_of);
    free(portal_of);
    return end_shape(g, &shape);
}

uint32_t acp_geometry_add_structure(acp_geometry *g, uint32_t environment_id, const acp_record_cell_structure *structure) {
    acp_geometry_shape shape = begin_shape(g, environment_id);
    (void)snprintf(shape.name, sizeof shape.name, "environment_%08X_%u", environment_id, structure->id);
    uint32_t *portal_of = calloc((size_t)structure->polygons.count + 1, sizeof *portal_of);
    if (!portal_of) {
        g->is_failed = true;
        return end_shape(g, &shape);
    }
    for (uint32_t i = 0; i < structure->portals.count; i++)
        if (structure->portals.items[i] < structure->polygons.count) portal_of[structure->portals.items[i]] = i + 1;
    add_vertices(g, &shape, &structure->vertices);
    merge_lists(g, &shape, &structure->vertices, &structure->physics_polygons, &structure->polygons, portal_of);
    free(portal_of);
    return end_shape(g, &shape);
}

uint32_t acp_geometry_add_terrain(acp_geometry *g, const acp_terrain_block *block) {
    acp_geometry_shape shape = begin_shape(g, acp_terrain_block_id(block));
    (void)snprintf(shape.name, sizeof shape.name, "terrain_%08X", shape.record_id);
    for (uint32_t x = 0; x < 9; x++)
        for (uint32_t y = 0; y < 9; y++) {
            acp_geometry_vertex v = {{(float)(24 * x), (float)(24 * y), acp_terrain_block_vertex_height(block, x, y)}, {0, 0, 1}};
            if (ACP_ARRAY_PUSH(&g->vertices, NULL, v)) g->is_failed = true;
        }
    for (uint32_t i = 0; i < 128; i++) {
        acp_vec3 points[3];
        if (acp_terrain_block_polygon(block, i, points, NULL)) continue;
        acp_geometry_polygon made = {.kind = ACP_GEOMETRY_TERRAIN,
                                     .first_corner = g->corners.count,
                                     .corner_count = 3,
                                     .physics = (int32_t)i,
                                     .drawing = -1,
                                     .portal = -1,
                                     .surface = -1,
                                     .back = -1};
        for (uint32_t k = 0; k < 3; k++) {
            acp_geometry_corner corner = {9 * (uint32_t)(points[k].x / 24.0f) + (uint32_t)(points[k].y / 24.0f), 0, 0};
            if (ACP_ARRAY_PUSH(&g->corners, NULL, corner)) g->is_failed = true;
        }
        if (ACP_ARRAY_PUSH(&g->polygons, NULL, made)) g->is_failed = true;
    }
    return end_shape(g, &shape);
}

/* ---- where they stand ---- */

uint32_t acp_geometry_find_shape(const acp_geometry *g, const char *name) {
    for (uint32_t i = 0; i < g->shapes.count; i++)
        if (strcmp(g->shapes.items[i].name, name) == 0) return i;
    return UINT32_MAX;
}

void acp_geometry_place(acp_geometry *g, uint32_t shape, const char *name, uint32_t id, const acp_frame *frame, const acp_vec3 *scale) {
    acp_geometry_instance made;
    memset(&made, 0, sizeof made);
    if (shape >= g->shapes.count) return;
    (void)snprintf(made.name, sizeof made.name, "%s", name ? name : g->shapes.items[shape].name);
    made.shape = shape;
    made.id = id;
    made.scale = scale ? *scale : (acp_vec3){1, 1, 1};
    made.frame = frame ? *frame : acp_frame_identity();
    if (ACP_ARRAY_PUSH(&g->instances, NULL, made)) g->is_failed = true;
}

acp_vec3 acp_geometry_vertex_of(const acp_geometry *g, const acp_geometry_instance *instance, uint32_t vertex) {
    acp_vec3 v = g->vertices.items[g->shapes.items[instance->shape].first_vertex + vertex].position;
    acp_frame identity = acp_frame_identity();
    bool is_scaled = instance->scale.x != 1.0f || instance->scale.y != 1.0f || instance->scale.z != 1.0f;
    if (is_scaled) {
        v.x = (float)((double)v.x * (double)instance->scale.x);
        v.y = (float)((double)v.y * (double)instance->scale.y);
        v.z = (float)((double)v.z * (double)instance->scale.z);
    }
    if (memcmp(&instance->frame, &identity, sizeof identity) == 0) return v;
    acp_vec3 out = v;
    return acp_frame_local_to_global(&instance->frame, v, &out) == ACP_OK ? out : v;
}
