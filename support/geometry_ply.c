/* SPDX-License-Identifier: MIT */
/* Geometry as an ASCII PLY file (docs/format-geometry.md): one list of vertices where they stand, one of faces.
 *
 * A face carries its kind (bits), its numbers in the record's lists (-1: not in it), the number of its object and the record id of its
 * shape; objects are named in comments in their order. Floats are the shortest decimals that read back to the same bits.
 *
 * Contract: counts in the header are those of the lists. Cost: about a microsecond a polygon. */
#include <inttypes.h>

#include "base/number_text.h"
#include "support/geometry.h"

static void write_header(const acp_geometry *g, FILE *stream) {
    uint64_t vertices = 0, faces = 0;
    (void)fputs("ply\nformat ascii 1.0\ncomment acphys geometry: metres, z up; kind: 1 physics, 2 drawing, 4 portal, 8 terrain\n", stream);
    for (uint32_t i = 0; i < g->instances.count; i++) {
        const acp_geometry_shape *shape = &g->shapes.items[g->instances.items[i].shape];
        (void)fprintf(stream, "comment object %" PRIu32 " %s 0x%08" PRIX32 "\n", i, g->instances.items[i].name, g->instances.items[i].id);
        vertices += shape->vertex_count;
        faces += shape->polygon_count;
    }
    (void)fprintf(stream,
                  "element vertex %" PRIu64 "\nproperty float x\nproperty float y\nproperty float z\nelement face %" PRIu64
                  "\nproperty list uchar uint vertex_indices\nproperty uchar kind\nproperty int physics\nproperty int drawing\n"
                  "property int portal\nproperty int surface\nproperty uint object\nproperty uint record\nend_header\n",
                  vertices, faces);
}

bool acp_geometry_write_ply(const acp_geometry *g, FILE *stream) {
    write_header(g, stream);
    for (uint32_t i = 0; i < g->instances.count; i++) {
        const acp_geometry_instance *instance = &g->instances.items[i];
        for (uint32_t k = 0; k < g->shapes.items[instance->shape].vertex_count; k++) {
            acp_vec3 v = acp_geometry_vertex_of(g, instance, k);
            char x[ACP_NUMBER_TEXT_CAPACITY], y[ACP_NUMBER_TEXT_CAPACITY], z[ACP_NUMBER_TEXT_CAPACITY];
            (void)acp_number_format_f32(v.x, x);
            (void)acp_number_format_f32(v.y, y);
            (void)acp_number_format_f32(v.z, z);
            (void)fprintf(stream, "%s %s %s\n", x, y, z);
        }
    }
    uint64_t base = 0;
    for (uint32_t i = 0; i < g->instances.count; i++) {
        const acp_geometry_shape *shape = &g->shapes.items[g->instances.items[i].shape];
        for (uint32_t k = 0; k < shape->polygon_count; k++) {
            const acp_geometry_polygon *p = &g->polygons.items[shape->first_polygon + k];
            (void)fprintf(stream, "%" PRIu32, p->corner_count);
            for (uint32_t n = 0; n < p->corner_count; n++)
                (void)fprintf(stream, " %" PRIu64, base + g->corners.items[p->first_corner + n].vertex);
            (void)fprintf(stream, " %" PRIu32 " %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 " %" PRIu32 " %" PRIu32 "\n", p->kind,
                          p->physics, p->drawing, p->portal, p->surface, i, shape->record_id);
        }
        base += shape->vertex_count;
    }
    return !g->is_failed;
}
