/* SPDX-License-Identifier: MIT */
/* The worked house of spec 11 section 8: its polygons in the order of the tables, its two trees that are given as they stand there. */
#include "tests/support/house_mesh.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const shell_lines[] = {
    "w -5.25 3.25 0 -5.25 0.75 0 -5.25 0.75 3.25 -5.25 3.25 3.25",
    "w -5.25 -0.75 0 -5.25 -3.25 0 -5.25 -3.25 3.25 -5.25 -0.75 3.25",
    "w -5.25 0.75 2.25 -5.25 -0.75 2.25 -5.25 -0.75 3.25 -5.25 0.75 3.25",
    "w 5.25 -3.25 0 5.25 3.25 0 5.25 3.25 3.25 5.25 -3.25 3.25",
    "w 5.25 3.25 0 -5.25 3.25 0 -5.25 3.25 3.25 5.25 3.25 3.25",
    "w -5.25 -3.25 0 5.25 -3.25 0 5.25 -3.25 3.25 -5.25 -3.25 3.25",
    "w -5.25 -3.25 3.25 5.25 -3.25 3.25 5.25 3.25 3.25 -5.25 3.25 3.25",
    "w -5.25 0.75 0 -5 0.75 0 -5 0.75 2.25 -5.25 0.75 2.25",
    "w -5 -0.75 0 -5.25 -0.75 0 -5.25 -0.75 2.25 -5 -0.75 2.25",
    "w -5.25 0.75 2.25 -5 0.75 2.25 -5 -0.75 2.25 -5.25 -0.75 2.25",
    "o -5.25 0.75 0 -5.25 -0.75 0 -5.25 -0.75 2.25 -5.25 0.75 2.25",
};

static const char *const hall_lines[] = {
    "w -5 -3 0 0 -3 0 0 3 0 -5 3 0",
    "w -5 3 3 0 3 3 0 -3 3 -5 -3 3",
    "w 0 -3 0 -5 -3 0 -5 -3 3 0 -3 3",
    "w -5 3 0 0 3 0 0 3 3 -5 3 3",
    "w 0 -0.75 0 0 -3 0 0 -3 3 0 -0.75 3",
    "w 0 3 0 0 0.75 0 0 0.75 3 0 3 3",
    "w 0 0.75 2.25 0 -0.75 2.25 0 -0.75 3 0 0.75 3",
    "w -5 -3 0 -5 -0.75 0 -5 -0.75 3 -5 -3 3",
    "w -5 0.75 0 -5 3 0 -5 3 3 -5 0.75 3",
    "w -5 -0.75 2.25 -5 0.75 2.25 -5 0.75 3 -5 -0.75 3",
    "o 0 -0.75 0 0 0.75 0 0 0.75 2.25 0 -0.75 2.25",
    "o -5 -0.75 0 -5 0.75 0 -5 0.75 2.25 -5 -0.75 2.25",
};

static const char *const chamber_lines[] = {
    "w 0 -3 0 5 -3 0 5 1.5 0 0 1.5 0",
    "w 0 1.5 0 1 1.5 0 1 3 0 0 3 0",
    "w 4 1.5 0 5 1.5 0 5 3 0 4 3 0",
    "w 0 3 3 5 3 3 5 -3 3 0 -3 3",
    "w 5 -3 0 0 -3 0 0 -3 3 5 -3 3",
    "w 0 3 0 5 3 0 5 3 3 0 3 3",
    "w 5 3 0 5 -3 0 5 -3 3 5 3 3",
    "w 0 -3 0 0 -0.75 0 0 -0.75 3 0 -3 3",
    "w 0 0.75 0 0 3 0 0 3 3 0 0.75 3",
    "w 0 -0.75 2.25 0 0.75 2.25 0 0.75 3 0 -0.75 3",
    "o 0 -0.75 0 0 0.75 0 0 0.75 2.25 0 -0.75 2.25",
    "o 1 1.5 0 4 1.5 0 4 3 0 1 3 0",
};

static const char *const cellar_lines[] = {
    "w 1 -3 -3 5 -3 -3 5 3 -3 1 3 -3", "w 1 1.5 0 5 1.5 0 5 -3 0 1 -3 0", "w 4 3 0 5 3 0 5 1.5 0 4 1.5 0",
    "w 5 -3 -3 1 -3 -3 1 -3 0 5 -3 0", "w 1 3 -3 5 3 -3 5 3 0 1 3 0",     "w 5 3 -3 5 -3 -3 5 -3 0 5 3 0",
    "w 1 -3 -3 1 3 -3 1 3 0 1 -3 0",   "w 1 1.5 0 4 1.5 -3 4 3 -3 1 3 0", "w 1 1.5 -3 4 1.5 -3 1 1.5 0",
    "o 1 1.5 0 4 1.5 0 4 3 0 1 3 0",
};

static const uint32_t surfaces[] = {0x08000001u};

void test_mesh_init(test_mesh *m) {
    memset(m, 0, sizeof *m);
    m->mesh = acp_mesh_default();
    m->mesh.vertices = m->vertices;
    m->mesh.indices = m->indices;
    m->mesh.polygons = m->polygons;
    m->mesh.nodes = m->nodes;
    m->mesh.node_polygons = m->node_polygons;
    m->mesh.surfaces = surfaces;
    m->mesh.surface_count = 1;
}

uint32_t test_mesh_add(test_mesh *m, uint32_t flags, const acp_vec3 *points, uint32_t count) {
    if (m->mesh.index_count + count > TEST_MESH_POINTS || m->mesh.polygon_count == TEST_MESH_POLYGONS) {
        (void)fprintf(stderr, "a test mesh is full\n");
        exit(2);
    }
    m->polygons[m->mesh.polygon_count] = (acp_mesh_polygon){m->mesh.index_count, count, flags, 0, 0, -1};
    for (uint32_t i = 0; i < count; i++) {
        m->vertices[m->mesh.vertex_count] = points[i];
        m->indices[m->mesh.index_count++] = m->mesh.vertex_count++;
    }
    return m->mesh.polygon_count++;
}

void test_mesh_add_line(test_mesh *m, const char *line) {
    acp_vec3 points[32];
    uint32_t count = 0;
    char *at = NULL;
    uint32_t flags = line[0] == 'o'   ? (uint32_t)ACP_MESH_PORTAL
                     : line[0] == 'p' ? (uint32_t)ACP_MESH_PHYSICS
                     : line[0] == 'd' ? (uint32_t)ACP_MESH_DRAWING
                                      : (uint32_t)ACP_MESH_PHYSICS | (uint32_t)ACP_MESH_DRAWING;
    for (const char *from = line + 1; count < 32; from = at, count++) {
        float x = strtof(from, &at);
        if (at == from) break;
        float y = strtof(at, &at);
        points[count] = (acp_vec3){x, y, strtof(at, &at)};
    }
    (void)test_mesh_add(m, flags, points, count);
}

void test_mesh_add_box(test_mesh *m, uint32_t flags, acp_vec3 low, acp_vec3 high, bool is_inward) {
    static const uint8_t faces[6][4] = {{1, 3, 7, 5}, {2, 0, 4, 6}, {3, 2, 6, 7}, {0, 1, 5, 4}, {4, 5, 7, 6}, {2, 3, 1, 0}};
    for (uint32_t f = 0; f < 6; f++) {
        acp_vec3 points[4];
        for (uint32_t k = 0; k < 4; k++) {
            uint8_t corner = faces[f][is_inward ? 3 - k : k];
            points[k] = (acp_vec3){corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z};
        }
        (void)test_mesh_add(m, flags, points, 4);
    }
}

void test_mesh_add_node(test_mesh *m, uint32_t plane_polygon, uint32_t positive, uint32_t negative) {
    acp_mesh_node node = {.kind = ACP_BSP_INTERIOR, .positive = positive, .negative = negative, .plane_polygon = plane_polygon};
    m->nodes[m->mesh.node_count++] = node;
}

void test_mesh_add_leaf(test_mesh *m, int32_t solid, const char *polygons) {
    acp_mesh_node node = {.kind = ACP_BSP_LEAF, .solid = solid, .first_polygon = m->mesh.node_polygon_count};
    char *at = NULL;
    for (const char *from = polygons;; from = at) {
        unsigned long polygon = strtoul(from, &at, 10);
        if (at == from) break;
        m->node_polygons[m->mesh.node_polygon_count++] = (uint32_t)polygon;
        node.polygon_count++;
    }
    m->nodes[m->mesh.node_count++] = node;
}

static void add_lines(test_mesh *m, const char *const *lines, size_t count) {
    test_mesh_init(m);
    for (size_t i = 0; i < count; i++)
        test_mesh_add_line(m, lines[i]);
}

void test_house_shell(test_mesh *m) {
    add_lines(m, shell_lines, sizeof shell_lines / sizeof shell_lines[0]);
    m->mesh.tree_form = ACP_TREE_FORM_GIVEN;
    static const uint32_t outer[] = {6, 3, 4, 5, 0};
    for (uint32_t i = 0; i < 5; i++) { /* nodes 0, 2, 4, 6, 8 with their empty leaves */
        test_mesh_add_node(m, outer[i], 2 * i + 1, 2 * i + 2);
        test_mesh_add_leaf(m, 0, "");
    }
    test_mesh_add_node(m, ACP_BSP_NONE, 11, 12);
    m->nodes[10].plane = (acp_plane){{1, 0, 0}, 5};
    test_mesh_add_leaf(m, 1, "3 4 5 6 7 8 9");
    test_mesh_add_node(m, 7, 13, 14);
    test_mesh_add_node(m, 8, 15, 16);
    test_mesh_add_leaf(m, 1, "0 4 6 7");
    test_mesh_add_node(m, 9, 17, 18);
    test_mesh_add_leaf(m, 1, "1 5 6 8");
    test_mesh_add_leaf(m, 0, "");
    test_mesh_add_leaf(m, 1, "2 6 9");
}

void test_house_crate(test_mesh *m) {
    test_mesh_init(m);
    test_mesh_add_box(m, ACP_MESH_PHYSICS, (acp_vec3){-0.5f, -0.5f, -0.5f}, (acp_vec3){0.5f, 0.5f, 0.5f}, false);
    m->mesh.tree_form = ACP_TREE_FORM_GIVEN;
    static const uint32_t order[] = {4, 0, 1, 2, 3, 5};
    for (uint32_t i = 0; i < 6; i++) {
        test_mesh_add_node(m, order[i], 2 * i + 1, 2 * i + 2);
        test_mesh_add_leaf(m, 0, "");
    }
    test_mesh_add_leaf(m, 1, "0 1 2 3 4 5");
}

void test_house_room(test_mesh *m, uint32_t structure) {
    if (structure == 0) add_lines(m, hall_lines, sizeof hall_lines / sizeof hall_lines[0]);
    if (structure == 1) add_lines(m, chamber_lines, sizeof chamber_lines / sizeof chamber_lines[0]);
    if (structure == 2) add_lines(m, cellar_lines, sizeof cellar_lines / sizeof cellar_lines[0]);
}

void test_house_rooms(test_mesh rooms[3], acp_mesh meshes[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        test_house_room(&rooms[i], i);
        meshes[i] = rooms[i].mesh;
    }
}
