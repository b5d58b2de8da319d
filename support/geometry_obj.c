/* SPDX-License-Identifier: MIT */
/* Geometry as a Wavefront OBJ file (docs/format-geometry.md).
 *
 * One object an instance, its vertices where it stands; one `g` line a polygon: its kinds as group names, then its numbers in the record's
 * lists, so that a program that keeps groups keeps everything. Materials name surfaces; a shape's surfaces are named in the record's order
 * before its first face, which keeps their numbers. Floats are the shortest decimals that read back to the same bits: what the importer
 * makes of an untouched file is what was exported.
 *
 * Contract: text is ASCII, line feeds only. Cost: about a microsecond a polygon. */
#include "base/number_text.h"
#include "support/geometry.h"

static void write_vec3(FILE *stream, const char *keyword, acp_vec3 v) {
    char x[ACP_NUMBER_TEXT_CAPACITY], y[ACP_NUMBER_TEXT_CAPACITY], z[ACP_NUMBER_TEXT_CAPACITY];
    (void)acp_number_format_f32(v.x, x);
    (void)acp_number_format_f32(v.y, y);
    (void)acp_number_format_f32(v.z, z);
    (void)fprintf(stream, "%s %s %s %s\n", keyword, x, y, z);
}

static void write_material(const acp_geometry *g, const acp_geometry_shape *shape, int32_t surface, FILE *stream) {
    if (surface < 0)
        (void)fputs("usemtl none\n", stream);
    else if (shape->has_surface_ids && (uint32_t)surface < shape->surface_count)
        (void)fprintf(stream, "usemtl surface_%08X\n", g->surfaces.items[shape->first_surface + (uint32_t)surface]);
    else
        (void)fprintf(stream, "usemtl slot_%d\n", surface);
}

static void write_group(const acp_geometry_polygon *p, FILE *stream) {
    (void)fputc('g', stream);
    if (p->kind & ACP_GEOMETRY_PHYSICS) (void)fputs(" physics", stream);
    if (p->kind & ACP_GEOMETRY_DRAWING) (void)fputs(" drawing", stream);
    if (p->kind & ACP_GEOMETRY_PORTAL) (void)fputs(" portal", stream);
    if (p->kind & ACP_GEOMETRY_TERRAIN) (void)fputs(" terrain", stream);
    if (p->physics >= 0) (void)fprintf(stream, p->kind & ACP_GEOMETRY_TERRAIN ? " triangle_%d" : " physics_%d", p->physics);
    if (p->drawing >= 0) (void)fprintf(stream, " drawing_%d", p->drawing);
    if (p->portal >= 0) (void)fprintf(stream, " portal_%d", p->portal);
    if (p->sides_type != 0) (void)fprintf(stream, " sides_%d", p->sides_type);
    if (p->back >= 0) (void)fprintf(stream, " back_%d", p->back);
    (void)fputc('\n', stream);
}

/* Numbers of the file's lists go on from object to object. */
typedef struct obj_base {
    uint64_t vertices, uvs;
    bool has_normals; /* all objects have normals or none, so that one number serves vertex and normal */
} obj_base;

static void write_face(const acp_geometry *g, const acp_geometry_shape *shape, const acp_geometry_polygon *p, const obj_base *base,
                       uint64_t first_uv, FILE *stream) {
    (void)fputc('f', stream);
    for (uint32_t k = 0; k < p->corner_count; k++) {
        unsigned long long vertex = base->vertices + g->corners.items[p->first_corner + k].vertex + 1, uv = first_uv + k + 1;
        if (shape->has_uvs && base->has_normals)
            (void)fprintf(stream, " %llu/%llu/%llu", vertex, uv, vertex);
        else if (shape->has_uvs)
            (void)fprintf(stream, " %llu/%llu", vertex, uv);
        else if (base->has_normals)
            (void)fprintf(stream, " %llu//%llu", vertex, vertex);
        else
            (void)fprintf(stream, " %llu", vertex);
    }
    (void)fputc('\n', stream);
}

static void write_uvs(const acp_geometry *g, const acp_geometry_shape *shape, FILE *stream) {
    for (uint32_t i = 0; i < shape->polygon_count && shape->has_uvs; i++) {
        const acp_geometry_polygon *p = &g->polygons.items[shape->first_polygon + i];
        for (uint32_t k = 0; k < p->corner_count; k++) {
            char u[ACP_NUMBER_TEXT_CAPACITY], v[ACP_NUMBER_TEXT_CAPACITY];
            (void)acp_number_format_f32(g->corners.items[p->first_corner + k].u, u);
            (void)acp_number_format_f32(g->corners.items[p->first_corner + k].v, v);
            (void)fprintf(stream, "vt %s %s\n", u, v);
        }
    }
}

static acp_vec3 normal_of(const acp_geometry *g, const acp_geometry_instance *instance, uint32_t vertex) {
    acp_vec3 n = g->vertices.items[g->shapes.items[instance->shape].first_vertex + vertex].normal, out = n;
    const acp_quaternion *q = &instance->frame.rotation;
    if (q->w == 1.0f && q->x == 0.0f && q->y == 0.0f && q->z == 0.0f) return n;
    return acp_frame_local_to_global_vec(&instance->frame, n, &out) == ACP_OK ? out : n;
}

static void write_instance(const acp_geometry *g, const acp_geometry_instance *instance, obj_base *base, FILE *stream) {
    const acp_geometry_shape *shape = &g->shapes.items[instance->shape];
    (void)fprintf(stream, "o %s\n", instance->name);
    for (uint32_t i = 0; i < shape->vertex_count; i++)
        write_vec3(stream, "v", acp_geometry_vertex_of(g, instance, i));
    for (uint32_t i = 0; i < shape->vertex_count && base->has_normals; i++)
        write_vec3(stream, "vn", normal_of(g, instance, i));
    write_uvs(g, shape, stream);
    for (uint32_t i = 0; i < shape->surface_count; i++)
        write_material(g, shape, (int32_t)i, stream);
    int32_t surface = shape->surface_count ? (int32_t)shape->surface_count - 1 : -2;
    uint64_t uv = base->uvs;
    for (uint32_t i = 0; i < shape->polygon_count; i++) {
        const acp_geometry_polygon *p = &g->polygons.items[shape->first_polygon + i];
        if (p->surface != surface) write_material(g, shape, surface = p->surface, stream);
        write_group(p, stream);
        write_face(g, shape, p, base, uv, stream);
        uv += p->corner_count;
    }
    if (shape->has_uvs) base->uvs = uv;
    base->vertices += shape->vertex_count;
}

bool acp_geometry_write_obj(const acp_geometry *g, FILE *stream) {
    obj_base base = {0, 0, false};
    (void)fputs("# acphys geometry: metres, z up; group names say what a polygon is for\n", stream);
    for (uint32_t i = 0; i < g->instances.count; i++)
        if (g->shapes.items[g->instances.items[i].shape].has_normals) base.has_normals = true;
    for (uint32_t i = 0; i < g->instances.count; i++)
        write_instance(g, &g->instances.items[i], &base, stream);
    return !g->is_failed;
}
