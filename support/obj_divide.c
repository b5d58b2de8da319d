/* SPDX-License-Identifier: MIT */
/* Faces that are not flat or not convex, divided into triangles by cutting ears.
 *
 * A corner is an ear when it turns left as seen along the face's own normal (the sum of its fan) and no other corner lies in the triangle
 * it makes with its neighbours; of all ears the one with the shortest cut goes first, so that triangles stay plump. A face whose ears run
 * out (it crosses itself) is left as it is, and the author refuses it by its line.
 *
 * Contract: corners keep their vertices, texture coordinates and lines; faces that are fine are untouched and in place.
 * Limits: 255 corners. Cost: the cube of the corners of a face that is divided. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geom/vector64.h"
#include "support/obj.h"

static acp_vector64 between(acp_vec3 to, acp_vec3 from) { return acp_vector64_minus(acp_vector64_of(to), acp_vector64_of(from)); }

typedef struct face {
    uint32_t count;
    acp_vec3 points[ACP_BSP_MAX_POLYGON_POINTS];
    uint32_t corners[ACP_BSP_MAX_POLYGON_POINTS];
    acp_vector64 normal;
} face;

static double turn(const face *f, uint32_t a, uint32_t b, uint32_t c) {
    return acp_vector64_dot(f->normal, acp_vector64_cross(between(f->points[b], f->points[a]), between(f->points[c], f->points[a])));
}

static bool is_ear(const face *f, uint32_t i) {
    uint32_t before = (i + f->count - 1) % f->count, after = (i + 1) % f->count;
    if (!(turn(f, before, i, after) > 0)) return false;
    for (uint32_t k = 0; k < f->count; k++) {
        if (k == i || k == before || k == after) continue;
        if (turn(f, before, i, k) >= 0 && turn(f, i, after, k) >= 0 && turn(f, after, before, k) >= 0) return false;
    }
    return true;
}

/* The triangles of a face, as its corners; false when its ears run out. */
static bool cut_ears(face *f, uint32_t *out_corners) {
    uint32_t made = 0;
    while (f->count > 3) {
        uint32_t best = UINT32_MAX;
        double shortest = INFINITY;
        for (uint32_t i = 0; i < f->count; i++) {
            acp_vector64 across = between(f->points[(i + f->count - 1) % f->count], f->points[(i + 1) % f->count]);
            if (acp_vector64_dot(across, across) >= shortest || !is_ear(f, i)) continue;
            shortest = acp_vector64_dot(across, across);
            best = i;
        }
        if (best == UINT32_MAX) return false;
        out_corners[made++] = f->corners[(best + f->count - 1) % f->count];
        out_corners[made++] = f->corners[best];
        out_corners[made++] = f->corners[(best + 1) % f->count];
        f->count--;
        memmove(&f->points[best], &f->points[best + 1], (f->count - best) * sizeof f->points[0]);
        memmove(&f->corners[best], &f->corners[best + 1], (f->count - best) * sizeof f->corners[0]);
    }
    memcpy(&out_corners[made], f->corners, 3 * sizeof *out_corners);
    return true;
}

static void load_face(const acp_obj_mesh *m, const acp_mesh_polygon *p, face *out) {
    out->count = p->point_count;
    out->normal = (acp_vector64){0, 0, 0};
    for (uint32_t k = 0; k < p->point_count; k++) {
        out->corners[k] = p->first_index + k;
        out->points[k] = m->vertices[m->indices[p->first_index + k]];
        if (k < 2) continue;
        acp_vector64 n = acp_vector64_cross(between(out->points[k - 1], out->points[0]), between(out->points[k], out->points[0]));
        out->normal = acp_vector64_along(out->normal, n, 1.0);
    }
}

/* Every corner is a vertex of its own, so a triangle's corners are indices as they stand. Room for it is there. */
static void add_triangle(acp_mesh_polygon *polygons, uint32_t *lines, uint32_t *indices, uint32_t *polygon_count, uint32_t *index_count,
                         const acp_mesh_polygon *from, uint32_t line, const uint32_t *corners) {
    acp_mesh_polygon made = *from;
    made.first_index = *index_count;
    made.point_count = 3;
    for (uint32_t k = 0; k < 3; k++)
        indices[(*index_count)++] = corners[k];
    lines[*polygon_count] = line;
    polygons[(*polygon_count)++] = made;
}

acp_result acp_obj_mesh_divide(acp_obj_mesh *mesh, uint32_t *out_divided, acp_error *error) {
    size_t room = 3 * (size_t)mesh->mesh.index_count + 1;
    acp_mesh_polygon *polygons = calloc(room, sizeof *polygons);
    uint32_t *lines = calloc(room, sizeof *lines), *indices = calloc(room, sizeof *indices), polygon_count = 0, index_count = 0;
    float *uvs = mesh->uvs ? calloc(2 * room, sizeof *uvs) : NULL;
    *out_divided = 0;
    if (!polygons || !lines || !indices || (mesh->uvs && !uvs)) {
        free(polygons);
        free(lines);
        free(indices);
        free(uvs);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "divide faces", "memory for the mesh refused");
    }
    for (uint32_t i = 0; i < mesh->mesh.polygon_count; i++) {
        const acp_mesh_polygon *p = &mesh->polygons[i];
        uint32_t corners[3 * ACP_BSP_MAX_POLYGON_POINTS];
        face f;
        if (p->point_count > 3) load_face(mesh, p, &f);
        if (p->point_count > 3 && acp_mesh_check_polygon(&mesh->mesh, i, NULL) != ACP_OK && cut_ears(&f, corners)) {
            for (uint32_t k = 0; k + 2 < p->point_count; k++)
                add_triangle(polygons, lines, indices, &polygon_count, &index_count, p, mesh->lines[i], &corners[3 * k]);
            (*out_divided)++;
            continue;
        }
        polygons[polygon_count] = *p;
        polygons[polygon_count].first_index = index_count;
        lines[polygon_count++] = mesh->lines[i];
        for (uint32_t k = 0; k < p->point_count; k++)
            indices[index_count++] = p->first_index + k;
    }
    for (uint32_t i = 0; i < index_count && uvs; i++) { /* texture coordinates go by corner */
        uvs[2 * (size_t)i] = mesh->uvs[2 * (size_t)indices[i]];
        uvs[2 * (size_t)i + 1] = mesh->uvs[2 * (size_t)indices[i] + 1];
    }
    for (uint32_t i = 0; i < index_count; i++)
        indices[i] = mesh->indices[indices[i]];
    free(mesh->polygons);
    free(mesh->lines);
    free(mesh->indices);
    free(mesh->uvs);
    mesh->mesh.polygons = mesh->polygons = polygons;
    mesh->mesh.indices = mesh->indices = indices;
    mesh->mesh.uvs = mesh->uvs = uvs;
    mesh->mesh.polygon_count = polygon_count;
    mesh->mesh.index_count = index_count;
    mesh->lines = lines;
    return ACP_OK;
}
