/* SPDX-License-Identifier: MIT */
/* Vertex and polygon lists of a record out of a mesh (spec 02 DAT-41 to DAT-44; 11 section 8).
 *
 * Vertices that agree in position and normal are one, numbered by their first appearance when the polygons are read in order, so that two
 * authors who list the same polygons produce the same bytes; those that no polygon names are dropped. With ACP_MESH_KEEP_VERTICES the
 * mesh's own list is kept as it is. A vertex gathers the texture coordinates that its corners use; a corner stores which. Negative zeros
 * become zeros: the sign has no meaning here and would part what is one.
 *
 * Contract: every list in the arena; stored ids are ordinals (DAT-72). Limits: 65,535 vertices, 32,768 polygons a list (what a tree can
 * name), 256 texture coordinates a vertex. Cost: a hash look-up a corner. */
#include <string.h>

#include "asset/author.h"

typedef struct uv_pair {
    float u, v;
    struct uv_pair *next;
} uv_pair;

typedef struct vertex_table {
    uint32_t count;
    uint32_t capacity;
    uint32_t slot_mask;
    uint32_t *slots; /* vertex + 1; 0 = free */
    acp_vec3 *positions;
    acp_vec3 *normals;
    uv_pair **uvs;
    uint16_t *uv_counts;
} vertex_table;

static acp_vec3 without_negative_zeros(acp_vec3 v) { return (acp_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f}; }

static bool is_same(acp_vec3 a, acp_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static uint32_t hash_of(acp_vec3 position, acp_vec3 normal) {
    uint32_t words[6], hash = 2166136261u;
    memcpy(words, &position, 12);
    memcpy(words + 3, &normal, 12);
    for (uint32_t i = 0; i < 6; i++) {
        hash = (hash ^ words[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static acp_vec3 normal_of(const acp_author *a, uint32_t vertex) {
    return a->mesh->normals ? without_negative_zeros(a->mesh->normals[vertex]) : (acp_vec3){0, 0, 1};
}

static bool table_init(acp_author *a, vertex_table *t) {
    const acp_mesh *m = a->mesh;
    t->count = 0;
    t->capacity = m->flags & ACP_MESH_KEEP_VERTICES ? m->vertex_count : m->index_count < m->vertex_count ? m->index_count : m->vertex_count;
    uint32_t slots = 16;
    while (slots < 2u * (uint64_t)t->capacity)
        slots *= 2;
    t->slot_mask = slots - 1;
    t->slots = acp_arena_allocate_zero(a->arena, slots, sizeof *t->slots, 8);
    t->positions = acp_arena_allocate_zero(a->arena, t->capacity, sizeof *t->positions, 8);
    t->normals = acp_arena_allocate_zero(a->arena, t->capacity, sizeof *t->normals, 8);
    t->uvs = acp_arena_allocate_zero(a->arena, t->capacity, sizeof *t->uvs, 8);
    t->uv_counts = acp_arena_allocate_zero(a->arena, t->capacity, sizeof *t->uv_counts, 8);
    return t->slots && t->positions && t->normals && t->uvs && t->uv_counts;
}

static uint32_t table_add(vertex_table *t, acp_vec3 position, acp_vec3 normal) {
    t->positions[t->count] = position;
    t->normals[t->count] = normal;
    return t->count++;
}

static uint32_t table_find_or_add(vertex_table *t, acp_vec3 position, acp_vec3 normal) {
    uint32_t slot = hash_of(position, normal) & t->slot_mask;
    for (; t->slots[slot]; slot = (slot + 1) & t->slot_mask) {
        uint32_t at = t->slots[slot] - 1;
        if (is_same(t->positions[at], position) && is_same(t->normals[at], normal)) return at;
    }
    uint32_t at = table_add(t, position, normal);
    t->slots[slot] = at + 1;
    return at;
}

/* Which of the vertex's texture coordinates; added when it is new. */
static acp_result uv_index(acp_author *a, uint32_t polygon, vertex_table *t, uint32_t vertex, const float *uv, uint8_t *out_index) {
    uv_pair **at = &t->uvs[vertex];
    uint32_t index = 0;
    for (; *at; at = &(*at)->next, index++)
        if ((*at)->u == uv[0] && (*at)->v == uv[1]) break;
    if (!*at) {
        if (index == 256) return acp_author_fail(a, ACP_ERROR_LIMIT, polygon, "a vertex has at most 256 texture coordinates");
        *at = acp_arena_allocate_zero(a->arena, 1, sizeof **at, 8);
        if (!*at) return acp_author_out_of_memory(a);
        (*at)->u = uv[0];
        (*at)->v = uv[1];
        t->uv_counts[vertex]++;
    }
    *out_index = (uint8_t)index;
    return ACP_OK;
}

static acp_result fill_polygon(acp_author *a, vertex_table *t, uint32_t polygon, acp_record_polygon *out) {
    const acp_mesh_polygon *p = &a->mesh->polygons[polygon];
    bool has_uvs = a->mesh->uvs != NULL;
    out->point_count = (uint8_t)p->point_count;
    out->stippling = (uint8_t)((has_uvs ? 0u : 4u) | (p->sides_type == 2 ? 8u : 0u));
    out->sides_type = p->sides_type;
    out->pos_surface = p->pos_surface;
    out->neg_surface = p->neg_surface;
    out->vertices = acp_arena_allocate_zero(a->arena, p->point_count, sizeof *out->vertices, 8);
    if (has_uvs) out->pos_uvs = acp_arena_allocate_zero(a->arena, p->point_count, 1, 8);
    if (!out->vertices || (has_uvs && !out->pos_uvs)) return acp_author_out_of_memory(a);
    for (uint32_t k = 0; k < p->point_count; k++) {
        uint32_t corner = p->first_index + k, vertex = a->mesh->indices[corner];
        uint32_t at = vertex;
        if (!(a->mesh->flags & ACP_MESH_KEEP_VERTICES))
            at = table_find_or_add(t, without_negative_zeros(a->mesh->vertices[vertex]), normal_of(a, vertex));
        if (at >= ACP_BSP_MAX_VERTICES) return acp_author_fail(a, ACP_ERROR_LIMIT, polygon, "more than 65535 vertices");
        out->vertices[k] = (uint16_t)at;
        if (!has_uvs) continue;
        acp_result result = uv_index(a, polygon, t, at, &a->mesh->uvs[2 * (size_t)corner], &out->pos_uvs[k]);
        if (result) return result;
    }
    return ACP_OK;
}

static acp_result fill_vertices(acp_author *a, const vertex_table *t, acp_record_vertices *out) {
    out->vertex_type = 1;
    out->count = t->count;
    out->items = acp_arena_allocate_zero(a->arena, t->count, sizeof *out->items, 8);
    if (!out->items) return acp_author_out_of_memory(a);
    for (uint32_t i = 0; i < t->count; i++) {
        acp_record_vertex *v = &out->items[i];
        v->id = (uint16_t)i;
        v->position = t->positions[i];
        v->normal = t->normals[i];
        v->uv_count = t->uv_counts[i];
        v->uvs = acp_arena_allocate_zero(a->arena, 2 * (size_t)v->uv_count, sizeof *v->uvs, 8);
        if (!v->uvs) return acp_author_out_of_memory(a);
        uint32_t k = 0;
        for (const uv_pair *uv = t->uvs[i]; uv; uv = uv->next) {
            v->uvs[k++] = uv->u;
            v->uvs[k++] = uv->v;
        }
    }
    return ACP_OK;
}

/* Both lists in one pass over the mesh, so that vertices are numbered in its order. */
static acp_result fill_lists(acp_author *a, vertex_table *t, acp_record_polygons *physics, acp_record_polygons *drawing) {
    for (uint32_t i = 0; i < a->mesh->polygon_count; i++) {
        acp_record_polygon made = {0};
        acp_result result = fill_polygon(a, t, i, &made);
        if (result) return result;
        if (a->ordinals[i] != ACP_BSP_NONE) {
            made.id = (uint16_t)a->ordinals[i];
            physics->items[a->ordinals[i]] = made;
        }
        if (a->drawing_ordinals[i] != ACP_BSP_NONE) {
            made.id = (uint16_t)a->drawing_ordinals[i];
            drawing->items[a->drawing_ordinals[i]] = made;
        }
    }
    return ACP_OK;
}

acp_result acp_author_make_lists(acp_author *a, acp_record_vertices *out_vertices, acp_record_polygons *out_physics,
                                 acp_record_polygons *out_drawing) {
    vertex_table table;
    out_physics->count = a->report.physics_polygon_count;
    out_drawing->count = a->report.drawing_polygon_count;
    out_physics->items = acp_arena_allocate_zero(a->arena, out_physics->count, sizeof *out_physics->items, 8);
    out_drawing->items = acp_arena_allocate_zero(a->arena, out_drawing->count, sizeof *out_drawing->items, 8);
    if (!out_physics->items || !out_drawing->items || !table_init(a, &table)) return acp_author_out_of_memory(a);
    if (a->mesh->flags & ACP_MESH_KEEP_VERTICES)
        for (uint32_t i = 0; i < a->mesh->vertex_count; i++)
            (void)table_add(&table, a->mesh->vertices[i], normal_of(a, i));
    acp_result result = fill_lists(a, &table, out_physics, out_drawing);
    if (result == ACP_OK && table.count > ACP_BSP_MAX_VERTICES)
        result = acp_author_fail(a, ACP_ERROR_LIMIT, ACP_BSP_NONE, "more than 65535 vertices");
    a->report.vertex_count = table.count;
    return result ? result : fill_vertices(a, &table, out_vertices);
}
