/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_HOUSE_MESH_H
#define ACP_TESTS_SUPPORT_HOUSE_MESH_H

#include <stdbool.h>

#include "acphys/author.h"

/* The worked house of spec 11 section 8 as polygons, and meshes for tests in general. */

enum { TEST_MESH_POLYGONS = 128, TEST_MESH_POINTS = 512 };

/* A mesh with its lists inside; `mesh` points into it, so it must not move. */
typedef struct test_mesh {
    acp_mesh mesh;
    acp_vec3 vertices[TEST_MESH_POINTS];
    uint32_t indices[TEST_MESH_POINTS];
    acp_mesh_polygon polygons[TEST_MESH_POLYGONS];
    acp_mesh_node nodes[TEST_MESH_POLYGONS];
    uint32_t node_polygons[TEST_MESH_POINTS];
} test_mesh;

/* An empty mesh, whatever was in it before; the meshes of the house begin so too. */
void test_mesh_init(test_mesh *m);
/* Adds a polygon of the given points; its number. */
uint32_t test_mesh_add(test_mesh *m, uint32_t flags, const acp_vec3 *points, uint32_t count);
/* "w x y z x y z …": a wall (physics and drawing); "o …": a portal; "p …": physics only; "d …": drawing only. */
void test_mesh_add_line(test_mesh *m, const char *line);
/* The faces of a box: outwards (a crate) or inwards (a room). */
void test_mesh_add_box(test_mesh *m, uint32_t flags, acp_vec3 low, acp_vec3 high, bool is_inward);

/* Nodes of a given tree; children by number, as they will be. */
void test_mesh_add_node(test_mesh *m, uint32_t plane_polygon, uint32_t positive, uint32_t negative);
/* `polygons`: numbers with blanks between; empty: an empty leaf. */
void test_mesh_add_leaf(test_mesh *m, int32_t solid, const char *polygons);

void test_house_shell(test_mesh *m);
void test_house_crate(test_mesh *m);
/* 0 hall, 1 chamber, 2 cellar. */
void test_house_room(test_mesh *m, uint32_t structure);
/* All three, and their meshes side by side, as an Environment takes them. */
void test_house_rooms(test_mesh rooms[3], acp_mesh meshes[3]);

#endif
