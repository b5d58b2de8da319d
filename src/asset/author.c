/* SPDX-License-Identifier: MIT */
/* Authoring: GfxObj and Environment records out of polygons (spec 11; 02 DAT-41 to DAT-58).
 *
 * A mesh is checked polygon by polygon, its polygons are dealt to the physics and drawing lists in the mesh's order, a physics tree of the
 * wished form is built over them and proved to list every polygon wherever it lies (AUT-7), a room gets the chain of its wall planes as its
 * cell tree, drawing polygons a drawing tree with a PORT node for each portal. The record is then encoded by the dat floor like any
 * other. Two authors who list the same polygons get the same bytes.
 *
 * Contract: nothing of the mesh is kept; on failure nothing is made, and the report says which polygon is to blame. Everything made opens
 * in strict mode. Scratch memory is an arena over the given allocator. Limits: 65,535 vertices, 32,768 polygons a list, 1,024 levels.
 * Cost: about a microsecond a polygon for rooms and convex bodies; splitting a concave one costs its polygons times its depth.
 * The worked house of spec 11 section 8 is the test. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "asset/author.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/finite.h"

#define OPERATION "author"

acp_mesh acp_mesh_default(void) {
    acp_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    mesh.struct_size = (uint32_t)sizeof mesh;
    return mesh;
}

void acp_record_bytes_free(acp_record_bytes *bytes) {
    if (!bytes) return;
    if (bytes->bytes) acp_memory_free(&bytes->allocator, bytes->bytes, bytes->capacity, 16);
    memset(bytes, 0, sizeof *bytes);
}

/* ---- faults ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
acp_result
acp_author_fail(acp_author *a, acp_result code, uint32_t polygon, const char *format, ...) {
    char message[256], field[64] = "";
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    a->report.fault_polygon = polygon;
    if (a->structure != ACP_BSP_NONE && polygon != ACP_BSP_NONE)
        (void)snprintf(field, sizeof field, "structures[%u].polygons[%u]", a->structure, polygon);
    else if (a->structure != ACP_BSP_NONE)
        (void)snprintf(field, sizeof field, "structures[%u]", a->structure);
    else if (polygon != ACP_BSP_NONE)
        (void)snprintf(field, sizeof field, "polygons[%u]", polygon);
    acp_error_set(a->error, code, OPERATION, "%s", message);
    acp_error_set_place(a->error, a->id, UINT64_MAX, field[0] ? field : NULL);
    return code;
}

acp_result acp_author_out_of_memory(acp_author *a) {
    return acp_author_fail(a, ACP_ERROR_OUT_OF_MEMORY, ACP_BSP_NONE, "memory for authoring refused");
}

/* ---- a mesh, checked ---- */

static acp_result check_numbers(acp_author *a) {
    const acp_mesh *m = a->mesh;
    bool is_listed = (m->vertices || !m->vertex_count) && (m->indices || !m->index_count) && (m->polygons || !m->polygon_count) &&
                     (m->surfaces || !m->surface_count) && (m->nodes || !m->node_count) && (m->node_polygons || !m->node_polygon_count);
    if (m->struct_size < sizeof *m || !is_listed || (uint32_t)m->tree_form > ACP_TREE_FORM_GIVEN || m->flags > 127u)
        return acp_author_fail(a, ACP_ERROR_INVALID_ARGUMENT, ACP_BSP_NONE, "the mesh is not made by acp_mesh_default, or lacks a list");
    for (uint32_t i = 0; (m->flags & ACP_MESH_KEEP_VERTICES) && i < m->vertex_count; i++) /* also those that no polygon names */
        if (!acp_is_finite_vec3(&m->vertices[i]))
            return acp_author_fail(a, ACP_ERROR_NOT_FINITE, ACP_BSP_NONE, "vertex %u is not finite", i);
    for (uint32_t i = 0; m->normals && i < m->vertex_count; i++)
        if (!acp_is_finite_vec3(&m->normals[i]))
            return acp_author_fail(a, ACP_ERROR_NOT_FINITE, ACP_BSP_NONE, "normal %u is not finite", i);
    for (uint64_t i = 0; m->uvs && i < 2 * (uint64_t)m->index_count; i++)
        if (!isfinite(m->uvs[i]))
            return acp_author_fail(a, ACP_ERROR_NOT_FINITE, ACP_BSP_NONE, "texture coordinate %u is not finite", (uint32_t)(i / 2));
    if (!acp_is_finite_vec3(&m->sort_center))
        return acp_author_fail(a, ACP_ERROR_NOT_FINITE, ACP_BSP_NONE, "the sort centre is not finite");
    return ACP_OK;
}

static acp_result deal(acp_author *a, uint32_t polygon, uint32_t flags, uint32_t *list, uint32_t *count, uint32_t *out_ordinal) {
    *out_ordinal = ACP_BSP_NONE;
    if (!acp_author_is(a, polygon, flags)) return ACP_OK;
    if (*count > ACP_BSP_MAX_NAMED_POLYGON) return acp_author_fail(a, ACP_ERROR_LIMIT, polygon, "more than 32768 polygons in a list");
    *out_ordinal = *count;
    list[(*count)++] = polygon;
    return ACP_OK;
}

static acp_result check_surface(acp_author *a, uint32_t polygon) {
    const acp_mesh_polygon *p = &a->mesh->polygons[polygon];
    if (a->structure != ACP_BSP_NONE || !(p->flags & ACP_MESH_DRAWING)) return ACP_OK;
    int32_t count = a->mesh->surface_count > INT16_MAX ? INT16_MAX : (int32_t)a->mesh->surface_count;
    if (p->pos_surface < -1 || p->pos_surface >= count || p->neg_surface < -1 || p->neg_surface >= count)
        return acp_author_fail(a, ACP_ERROR_OUT_OF_RANGE, polygon, "surface %d or %d of %d", p->pos_surface, p->neg_surface, count);
    return ACP_OK;
}

static acp_result deal_polygons(acp_author *a) {
    uint32_t count = a->mesh->polygon_count;
    a->planes = acp_arena_allocate_zero(a->arena, count, sizeof *a->planes, 16);
    a->physics = acp_arena_allocate_zero(a->arena, count, sizeof *a->physics, 8);
    a->drawing = acp_arena_allocate_zero(a->arena, count, sizeof *a->drawing, 8);
    a->portals = acp_arena_allocate_zero(a->arena, count, sizeof *a->portals, 8);
    a->ordinals = acp_arena_allocate_zero(a->arena, count, sizeof *a->ordinals, 8);
    a->drawing_ordinals = acp_arena_allocate_zero(a->arena, count, sizeof *a->drawing_ordinals, 8);
    if (!a->planes || !a->physics || !a->drawing || !a->portals || !a->ordinals || !a->drawing_ordinals) return acp_author_out_of_memory(a);
    for (uint32_t i = 0; i < count; i++) {
        acp_result result = acp_author_check_polygon(a, i, &a->planes[i]);
        if (result == ACP_OK) result = check_surface(a, i);
        if (result == ACP_OK) result = deal(a, i, ACP_MESH_PHYSICS, a->physics, &a->report.physics_polygon_count, &a->ordinals[i]);
        if (result == ACP_OK)
            result = deal(a, i, ACP_MESH_DRAWING | ACP_MESH_PORTAL, a->drawing, &a->report.drawing_polygon_count, &a->drawing_ordinals[i]);
        uint32_t unused;
        if (result == ACP_OK) result = deal(a, i, ACP_MESH_PORTAL, a->portals, &a->report.portal_count, &unused);
        if (result) return result;
    }
    return ACP_OK;
}

static void measure_box(acp_author *a, const acp_record_vertices *vertices) {
    acp_box box = {{0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < vertices->count; i++) {
        acp_vec3 v = vertices->items[i].position;
        if (i == 0) box.min = box.max = v;
        if (v.x < box.min.x) box.min.x = v.x;
        if (v.y < box.min.y) box.min.y = v.y;
        if (v.z < box.min.z) box.min.z = v.z;
        if (v.x > box.max.x) box.max.x = v.x;
        if (v.y > box.max.y) box.max.y = v.y;
        if (v.z > box.max.z) box.max.z = v.z;
    }
    a->report.box = box;
}

static acp_result begin(acp_author *a) {
    memset(&a->report, 0, sizeof a->report);
    a->report.fault_polygon = ACP_BSP_NONE;
    acp_result result = check_numbers(a);
    return result ? result : deal_polygons(a);
}

static void release(acp_author *a) {
    ACP_ARRAY_FREE(&a->tree.nodes, a->allocator);
    ACP_ARRAY_FREE(&a->tree.polygons, a->allocator);
}

/* The record's bytes, handed over. */
static acp_result encode(acp_record_kind kind, void *content, const acp_allocator *allocator, acp_record_bytes *out, acp_error *error) {
    acp_record record;
    memset(&record, 0, sizeof record);
    record.kind = kind;
    record.content.any = content;
    acp_writer writer;
    acp_writer_init(&writer, allocator);
    acp_result result = acp_record_encode(&record, &writer, error);
    if (result == ACP_OK && writer.size > UINT32_MAX)
        result = acp_error_set(error, ACP_ERROR_LIMIT, OPERATION, "a record of more than 4 GB");
    acp_allocator kept = acp_memory_allocator(allocator);
    uint8_t *bytes = result == ACP_OK ? acp_memory_allocate(&kept, writer.size, 16) : NULL;
    if (result == ACP_OK && !bytes) result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, OPERATION, "memory for the record refused");
    if (result == ACP_OK) {
        memcpy(bytes, writer.bytes, writer.size);
        *out = (acp_record_bytes){bytes, (uint32_t)writer.size, (uint32_t)writer.size, kept};
    }
    acp_writer_free(&writer);
    return result;
}

/* ---- GfxObj ---- */

static acp_result make_gfxobj(acp_author *a, acp_record_gfxobj *r) {
    acp_result result = begin(a);
    if (result) return result;
    r->id = a->id;
    r->flags = (a->report.physics_polygon_count ? 1u : 0u) | (a->report.drawing_polygon_count ? 2u : 0u) |
               (a->mesh->flags & ACP_MESH_HAS_DEGRADE_ID ? 8u : 0u);
    r->surfaces.count = a->mesh->surface_count;
    r->surfaces.items = acp_arena_copy(a->arena, a->mesh->surfaces, (size_t)a->mesh->surface_count * sizeof(uint32_t), 8);
    r->sort_center = a->mesh->sort_center;
    r->degrade_id = a->mesh->degrade_id;
    if (!r->surfaces.items) return acp_author_out_of_memory(a);
    result = acp_author_make_lists(a, &r->vertices, &r->physics_polygons, &r->polygons);
    if (result) return result;
    measure_box(a, &r->vertices);
    if (r->flags & 1u) result = acp_author_build_tree(a);
    if (result == ACP_OK && (r->flags & 1u)) result = acp_author_emit_physics(a, &r->physics_tree);
    if (result == ACP_OK && (r->flags & 2u)) result = acp_author_emit_drawing(a, &r->drawing_tree);
    return result;
}

acp_result acp_mesh_make_gfxobj(const acp_mesh *mesh, uint32_t id, const acp_allocator *allocator, acp_record_bytes *out_bytes,
                                acp_mesh_report *out_report, acp_error *error) {
    if (!mesh || !out_bytes)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "a mesh and a place for the bytes are needed");
    if (id >> 24 != 0x01u) return acp_error_set(error, ACP_ERROR_INVALID_ID, OPERATION, "0x%08X is not the id of a GfxObj (0x01……)", id);
    acp_arena arena;
    acp_arena_init(&arena, allocator, 0, UINT64_MAX);
    acp_author a;
    memset(&a, 0, sizeof a);
    a.mesh = mesh;
    a.allocator = allocator;
    a.arena = &arena;
    a.error = error;
    a.id = id;
    a.structure = ACP_BSP_NONE;
    acp_record_gfxobj record;
    memset(&record, 0, sizeof record);
    acp_result result = make_gfxobj(&a, &record);
    if (result == ACP_OK) result = encode(ACP_RECORD_GFXOBJ, &record, allocator, out_bytes, error);
    if (out_report) *out_report = a.report;
    release(&a);
    acp_arena_free(&arena);
    return result;
}

/* ---- Environment ---- */

static acp_result make_structure(acp_author *a, acp_record_cell_structure *s) {
    acp_result result = begin(a);
    if (result) return result;
    s->id = a->structure;
    s->polygon_count = a->report.drawing_polygon_count;
    s->physics_polygon_count = a->report.physics_polygon_count;
    s->portal_count = s->portals.count = a->report.portal_count;
    if (s->portal_count == 0) return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "a room needs a portal");
    if (s->physics_polygon_count == 0) return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "a room needs physics polygons");
    result = acp_author_make_lists(a, &s->vertices, &s->physics_polygons, &s->polygons);
    if (result) return result;
    measure_box(a, &s->vertices);
    s->portals.items = acp_arena_allocate_zero(a->arena, s->portal_count, sizeof *s->portals.items, 8);
    if (!s->portals.items) return acp_author_out_of_memory(a);
    for (uint32_t i = 0; i < s->portal_count; i++)
        s->portals.items[i] = (uint16_t)a->drawing_ordinals[a->portals[i]];
    result = acp_author_cell_tree(a, &s->cell_tree);
    if (result == ACP_OK) result = acp_author_build_tree(a);
    if (result == ACP_OK) result = acp_author_emit_physics(a, &s->physics_tree);
    s->has_drawing_tree = a->mesh->flags & ACP_MESH_HAS_DRAWING_TREE ? 1 : 0;
    if (result == ACP_OK && s->has_drawing_tree) result = acp_author_emit_drawing(a, &s->drawing_tree);
    return result;
}

acp_result acp_mesh_make_environment(const acp_mesh *structures, uint32_t structure_count, uint32_t id, const acp_allocator *allocator,
                                     acp_record_bytes *out_bytes, acp_mesh_report *out_reports, acp_error *error) {
    if (!structures || structure_count == 0 || !out_bytes)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "at least one room and a place for the bytes are needed");
    if (id >> 16 != 0x0D00u)
        return acp_error_set(error, ACP_ERROR_INVALID_ID, OPERATION, "0x%08X is not the id of an Environment (0x0D00……)", id);
    acp_arena arena;
    acp_arena_init(&arena, allocator, 0, UINT64_MAX);
    acp_record_environment record = {id, structure_count, NULL};
    record.cells = acp_arena_allocate_zero(&arena, structure_count, sizeof *record.cells, 8);
    acp_result result = record.cells ? ACP_OK : acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, OPERATION, "memory for the rooms refused");
    for (uint32_t i = 0; i < structure_count && result == ACP_OK; i++) {
        acp_author a;
        memset(&a, 0, sizeof a);
        a.mesh = &structures[i];
        a.allocator = allocator;
        a.arena = &arena;
        a.error = error;
        a.id = id;
        a.structure = i;
        result = make_structure(&a, &record.cells[i]);
        if (out_reports) out_reports[i] = a.report;
        release(&a);
    }
    if (result == ACP_OK) result = encode(ACP_RECORD_ENVIRONMENT, &record, allocator, out_bytes, error);
    acp_arena_free(&arena);
    return result;
}

acp_result acp_mesh_portal_side(const acp_mesh *structure, uint32_t polygon, int32_t *out_side, acp_error *error) {
    if (!structure || !out_side || polygon >= structure->polygon_count)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION,
                             "a room, one of its polygons and a place for the side are needed");
    acp_arena arena;
    acp_arena_init(&arena, NULL, 0, UINT64_MAX);
    acp_author a;
    memset(&a, 0, sizeof a);
    a.mesh = structure;
    a.arena = &arena;
    a.error = error;
    a.structure = 0;
    acp_result result = begin(&a);
    double lowest = 0, highest = 0;
    for (uint32_t i = 0; i < structure->polygon_count && result == ACP_OK; i++) {
        double least, greatest;
        if (!acp_author_is(&a, i, ACP_MESH_PHYSICS | ACP_MESH_PORTAL)) continue;
        acp_author_distances(&a, &a.planes[polygon], i, &least, &greatest);
        if (least < lowest) lowest = least;
        if (greatest > highest) highest = greatest;
    }
    bool is_below = lowest<-ACP_AUTHOR_IN_PLANE, is_above = highest> ACP_AUTHOR_IN_PLANE;
    if (result == ACP_OK && is_below == is_above)
        result = acp_author_fail(&a, ACP_ERROR_BAD_DATA, polygon, "the room does not lie on one side of this polygon's plane");
    if (result == ACP_OK) *out_side = is_above ? 0 : 1;
    acp_arena_free(&arena);
    return result;
}

acp_result acp_mesh_check_polygon(const acp_mesh *mesh, uint32_t polygon, acp_error *error) {
    if (!mesh || mesh->struct_size < sizeof *mesh || polygon >= mesh->polygon_count || !mesh->polygons ||
        (!mesh->indices && mesh->index_count) || (!mesh->vertices && mesh->vertex_count))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "a mesh and one of its polygons are needed");
    acp_author a;
    acp_plane plane;
    memset(&a, 0, sizeof a);
    a.mesh = mesh;
    a.error = error;
    a.structure = ACP_BSP_NONE;
    return acp_author_check_polygon(&a, polygon, &plane);
}
