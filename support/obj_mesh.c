/* SPDX-License-Identifier: MIT */
/* Objects of an OBJ file as one mesh for authoring.
 *
 * Each corner becomes a vertex of its own; the author merges equal ones. Normals and texture coordinates are given when any corner has
 * them; corners without get (0,0,1) and (0,0). Surfaces: the ids that materials name, in the order of the file, or, for rooms, the slots
 * that they name. A face whose material names neither has no surface.
 *
 * Contract: lines[] leads from a polygon back to the file. Limits: 32767 surfaces. Cost: linear. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/obj.h"

void acp_obj_mesh_free(acp_obj_mesh *mesh) {
    free(mesh->vertices);
    free(mesh->normals);
    free(mesh->uvs);
    free(mesh->indices);
    free(mesh->polygons);
    free(mesh->lines);
    free(mesh->surfaces);
    memset(mesh, 0, sizeof *mesh);
}

static bool allocate(acp_obj_mesh *m, uint32_t corners, uint32_t faces, uint32_t materials, bool has_normals, bool has_uvs) {
    m->vertices = calloc((size_t)corners + 1, sizeof *m->vertices);
    m->indices = calloc((size_t)corners + 1, sizeof *m->indices);
    m->polygons = calloc((size_t)faces + 1, sizeof *m->polygons);
    m->lines = calloc((size_t)faces + 1, sizeof *m->lines);
    m->surfaces = calloc((size_t)materials + 1, sizeof *m->surfaces);
    if (has_normals) m->normals = calloc((size_t)corners + 1, sizeof *m->normals);
    if (has_uvs) m->uvs = calloc(2 * (size_t)corners + 2, sizeof *m->uvs);
    return m->vertices && m->indices && m->polygons && m->lines && m->surfaces && (m->normals || !has_normals) && (m->uvs || !has_uvs);
}

/* The surface number of each material; -1 none. */
static void number_surfaces(const acp_obj *obj, bool is_room, acp_obj_mesh *m, int32_t *numbers) {
    for (uint32_t i = 0; i < obj->materials.count; i++) {
        const acp_obj_material *material = &obj->materials.items[i];
        numbers[i] = is_room ? material->slot : -1;
        if (is_room || material->surface_id == 0) continue;
        numbers[i] = (int32_t)m->mesh.surface_count;
        m->surfaces[m->mesh.surface_count++] = material->surface_id;
    }
}

static void add_face(const acp_obj *obj, const acp_obj_face *face, const int32_t *numbers, acp_obj_mesh *m) {
    acp_mesh_polygon *p = &m->polygons[m->mesh.polygon_count];
    m->lines[m->mesh.polygon_count++] = face->line;
    p->first_index = m->mesh.index_count;
    p->point_count = face->corner_count;
    p->flags = face->kind;
    p->sides_type = face->sides_type;
    p->pos_surface = (int16_t)(face->material == UINT32_MAX ? -1 : numbers[face->material]);
    p->neg_surface = (int16_t)face->back;
    for (uint32_t k = 0; k < face->corner_count; k++) {
        const acp_obj_corner *corner = &obj->corners.items[face->first_corner + k];
        uint32_t at = m->mesh.index_count++;
        m->indices[at] = at;
        m->vertices[at] = obj->positions.items[corner->vertex];
        if (m->normals) m->normals[at] = corner->normal == UINT32_MAX ? (acp_vec3){0, 0, 1} : obj->normals.items[corner->normal];
        if (m->uvs && corner->uv != UINT32_MAX) {
            m->uvs[2 * (size_t)at] = obj->uvs.items[corner->uv].u;
            m->uvs[2 * (size_t)at + 1] = obj->uvs.items[corner->uv].v;
        }
    }
    m->mesh.vertex_count = m->mesh.index_count;
}

acp_result acp_obj_make_mesh(const acp_obj *obj, uint32_t first, uint32_t count, bool is_room, acp_obj_mesh *out_mesh, acp_error *error) {
    uint32_t corners = 0, faces = 0;
    bool has_normals = false, has_uvs = false;
    memset(out_mesh, 0, sizeof *out_mesh);
    for (uint32_t i = first; i < first + count; i++)
        for (uint32_t k = 0; k < obj->objects.items[i].face_count; k++, faces++) {
            const acp_obj_face *face = &obj->faces.items[obj->objects.items[i].first_face + k];
            corners += face->corner_count;
            for (uint32_t n = 0; n < face->corner_count; n++) {
                has_normals = has_normals || obj->corners.items[face->first_corner + n].normal != UINT32_MAX;
                has_uvs = has_uvs || obj->corners.items[face->first_corner + n].uv != UINT32_MAX;
            }
        }
    int32_t *numbers = calloc((size_t)obj->materials.count + 1, sizeof *numbers);
    if (!numbers || !allocate(out_mesh, corners, faces, obj->materials.count, has_normals, has_uvs)) {
        free(numbers);
        acp_obj_mesh_free(out_mesh);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "read OBJ", "memory for the mesh refused");
    }
    out_mesh->mesh = acp_mesh_default();
    number_surfaces(obj, is_room, out_mesh, numbers);
    for (uint32_t i = first; i < first + count; i++)
        for (uint32_t k = 0; k < obj->objects.items[i].face_count; k++)
            add_face(obj, &obj->faces.items[obj->objects.items[i].first_face + k], numbers, out_mesh);
    free(numbers);
    out_mesh->mesh.vertices = out_mesh->vertices;
    out_mesh->mesh.normals = out_mesh->normals;
    out_mesh->mesh.uvs = out_mesh->uvs;
    out_mesh->mesh.indices = out_mesh->indices;
    out_mesh->mesh.polygons = out_mesh->polygons;
    out_mesh->mesh.surfaces = out_mesh->surfaces;
    return ACP_OK;
}
