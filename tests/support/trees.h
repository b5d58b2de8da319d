/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_TREES_H
#define ACP_TESTS_SUPPORT_TREES_H

#include "acphys/geom.h"
#include "tests/support/random.h"

/* Tree descriptions for tests: the fixtures of spec 03 §13 and random ones. Arrays are on the heap; a test that runs out of memory ends. */
typedef struct test_tree {
    acp_vec3 *vertices;
    acp_polygon_source *polygons;
    uint32_t *indices;
    acp_bsp_node_source *nodes;
    uint32_t *leaf_polygons;
    uint32_t vertex_count, polygon_count, index_count, node_count, leaf_polygon_count;
    uint32_t root;
} test_tree;

void test_tree_free(test_tree *tree);
acp_bsp_source test_tree_source(const test_tree *tree);
/* Builds leniently; fails the test when it cannot. */
acp_bsp *test_tree_build(const test_tree *tree);

/* Each returns the new ordinal. */
uint32_t test_tree_add_polygon(test_tree *tree, const acp_vec3 *points, uint32_t count);
uint32_t test_tree_add_node(test_tree *tree, acp_plane plane, uint32_t positive, uint32_t negative, acp_sphere sphere);
uint32_t test_tree_add_leaf(test_tree *tree, int32_t solid, const uint32_t *polygons, uint32_t count, acp_sphere sphere);
/* The plane of a polygon already added. */
acp_plane test_tree_plane(const test_tree *tree, uint32_t polygon);

/* Fixture A "cube" and fixture B "room", node numbers as in the text. */
test_tree test_tree_fixture_a(void);
test_tree test_tree_fixture_b(void);
/* The cell tree of fixture B: planes of polygons 0 to 5 in a chain. */
test_tree test_tree_fixture_b_cell(void);

/* A random tree: splits of random or polygon planes down to `depth`, polygons of 3 to 8 points in random leaves (some in several), every
 * sphere large enough for what is beneath it or (one in eight) any sphere. */
test_tree test_tree_random(test_random *random, uint32_t polygons, uint32_t depth);

acp_vec3 test_random_vec3(test_random *random, double size);
/* A unit normal, one in four along an axis. */
acp_vec3 test_random_normal(test_random *random);

#endif
