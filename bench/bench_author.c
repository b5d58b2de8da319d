/* SPDX-License-Identifier: MIT */
/* ns per record authored: the worked house's rooms (Environment, three structures), its shell with the given tree, its crate as a chain,
 * and a skyline of 64 columns that is split (321 polygons). Median of nine runs; one JSON line each. Fixed inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/author.h"
#include "bench/measure.h"
#include "tests/support/house_mesh.h"

#define COLUMNS 64u

static void measure(const char *name, const acp_mesh *meshes, uint32_t count, uint32_t rounds) {
    double runs[9];
    uint64_t sum = 0, polygons = 0;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    for (uint32_t run = 0; run < 10; run++) {
        double start = bench_seconds();
        for (uint32_t i = 0; i < rounds; i++) {
            acp_record_bytes bytes = {0};
            acp_result result = count > 1 ? acp_mesh_make_environment(meshes, count, 0x0D000010u, &allocator, &bytes, NULL, NULL)
                                          : acp_mesh_make_gfxobj(meshes, 0x01000100u, &allocator, &bytes, NULL, NULL);
            if (result != ACP_OK) exit(1);
            sum += bytes.size;
            acp_record_bytes_free(&bytes);
        }
        if (run > 0) runs[run - 1] = (bench_seconds() - start) * 1e9 / rounds;
    }
    for (uint32_t i = 0; i < count; i++)
        polygons += meshes[i].polygon_count;
    double median = bench_median(runs, 9);
    (void)printf("{\"bench\": \"%s\", \"polygons\": %llu, \"ns_per_op\": %.1f, \"min\": %.1f, \"max\": %.1f, \"allocations_per_op\": %.1f, "
                 "\"sum\": %llu}\n",
                 name, (unsigned long long)polygons, median, runs[0], runs[8],
                 (double)counting.counters.allocations_total / (10.0 * rounds), (unsigned long long)sum);
}

/* Columns of changing height side by side, as quads. */
typedef struct skyline {
    acp_mesh mesh;
    acp_vec3 vertices[4 * (5 * COLUMNS + 1)];
    uint32_t indices[4 * (5 * COLUMNS + 1)];
    acp_mesh_polygon polygons[5 * COLUMNS + 1];
} skyline;

static void add_quad(skyline *s, acp_vec3 a, acp_vec3 b, acp_vec3 c, acp_vec3 d) {
    acp_vec3 corners[4] = {a, b, c, d};
    s->polygons[s->mesh.polygon_count++] = (acp_mesh_polygon){s->mesh.index_count, 4, ACP_MESH_PHYSICS, 0, -1, -1};
    for (uint32_t k = 0; k < 4; k++) {
        s->vertices[s->mesh.vertex_count] = corners[k];
        s->indices[s->mesh.index_count++] = s->mesh.vertex_count++;
    }
}

static void make_skyline(skyline *s) {
    s->mesh = acp_mesh_default();
    s->mesh.vertices = s->vertices;
    s->mesh.indices = s->indices;
    s->mesh.polygons = s->polygons;
    float left = 0;
    for (uint32_t i = 0; i <= COLUMNS; i++) {
        float x = (float)i, y = (float)(i + 1), h = i == COLUMNS ? 0.0f : (float)(1 + i * 7 % 5);
        if (left < h) add_quad(s, (acp_vec3){x, 2, left}, (acp_vec3){x, 0, left}, (acp_vec3){x, 0, h}, (acp_vec3){x, 2, h});
        if (left > h) add_quad(s, (acp_vec3){x, 0, h}, (acp_vec3){x, 2, h}, (acp_vec3){x, 2, left}, (acp_vec3){x, 0, left});
        left = h;
        if (i == COLUMNS) break;
        add_quad(s, (acp_vec3){x, 0, h}, (acp_vec3){y, 0, h}, (acp_vec3){y, 2, h}, (acp_vec3){x, 2, h});
        add_quad(s, (acp_vec3){x, 0, 0}, (acp_vec3){x, 2, 0}, (acp_vec3){y, 2, 0}, (acp_vec3){y, 0, 0});
        add_quad(s, (acp_vec3){x, 0, 0}, (acp_vec3){y, 0, 0}, (acp_vec3){y, 0, h}, (acp_vec3){x, 0, h});
        add_quad(s, (acp_vec3){y, 2, 0}, (acp_vec3){x, 2, 0}, (acp_vec3){x, 2, h}, (acp_vec3){y, 2, h});
    }
}

int main(void) {
    static test_mesh rooms[3], shell, crate;
    static skyline towers;
    acp_mesh meshes[3];
    test_house_rooms(rooms, meshes);
    test_house_shell(&shell);
    test_house_crate(&crate);
    crate.mesh.tree_form = ACP_TREE_FORM_SOLID;
    make_skyline(&towers);
    measure("author_house_rooms", meshes, 3, 2000);
    measure("author_house_shell", &shell.mesh, 1, 2000);
    measure("author_crate", &crate.mesh, 1, 2000);
    measure("author_skyline_split", &towers.mesh, 1, 100);
    return 0;
}
