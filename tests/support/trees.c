/* SPDX-License-Identifier: MIT */
/* Tree descriptions for tests: the fixtures A and B of spec 03 §13 with the node numbers of the text, and random trees. Random trees are
 * made from a seed and small integers only, so that a seed names a tree everywhere. */
#include "tests/support/trees.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/polygon.h"

static void *grow(void *items, uint32_t count, size_t size) {
    /* A power of two holds the capacity; grown when the count reaches it. */
    if (count != 0 && (count & (count - 1u)) != 0) return items;
    void *grown = realloc(items, (count == 0 ? 1u : 2u * (size_t)count) * size);
    if (grown == NULL) fail_msg("no memory for a test tree");
    return grown;
}

void test_tree_free(test_tree *tree) {
    free(tree->vertices);
    free(tree->polygons);
    free(tree->indices);
    free(tree->nodes);
    free(tree->leaf_polygons);
    *tree = (test_tree){0};
}

acp_bsp_source test_tree_source(const test_tree *tree) {
    return (acp_bsp_source){.vertices = tree->vertices,
                            .polygons = tree->polygons,
                            .indices = tree->indices,
                            .nodes = tree->nodes,
                            .leaf_polygons = tree->leaf_polygons,
                            .vertex_count = tree->vertex_count,
                            .polygon_count = tree->polygon_count,
                            .index_count = tree->index_count,
                            .node_count = tree->node_count,
                            .leaf_polygon_count = tree->leaf_polygon_count,
                            .root = tree->root};
}

acp_bsp *test_tree_build(const test_tree *tree) {
    acp_bsp_source source = test_tree_source(tree);
    acp_bsp *bsp = NULL;
    acp_error error;
    acp_error_clear(&error);
    if (acp_bsp_create(&source, ACP_CONTENT_LENIENT, NULL, NULL, &bsp, &error) != ACP_OK) fail_msg("build: %s", error.message);
    return bsp;
}

uint32_t test_tree_add_polygon(test_tree *tree, const acp_vec3 *points, uint32_t count) {
    tree->polygons = grow(tree->polygons, tree->polygon_count, sizeof *tree->polygons);
    tree->polygons[tree->polygon_count] = (acp_polygon_source){tree->index_count, count, tree->polygon_count, 0};
    for (uint32_t i = 0; i < count; i++) {
        tree->vertices = grow(tree->vertices, tree->vertex_count, sizeof *tree->vertices);
        tree->indices = grow(tree->indices, tree->index_count, sizeof *tree->indices);
        tree->vertices[tree->vertex_count] = points[i];
        tree->indices[tree->index_count++] = tree->vertex_count++;
    }
    return tree->polygon_count++;
}

uint32_t test_tree_add_node(test_tree *tree, acp_plane plane, uint32_t positive, uint32_t negative, acp_sphere sphere) {
    tree->nodes = grow(tree->nodes, tree->node_count, sizeof *tree->nodes);
    tree->nodes[tree->node_count] =
        (acp_bsp_node_source){.kind = ACP_BSP_INTERIOR, .positive = positive, .negative = negative, .plane = plane, .sphere = sphere};
    return tree->node_count++;
}

uint32_t test_tree_add_leaf(test_tree *tree, int32_t solid, const uint32_t *polygons, uint32_t count, acp_sphere sphere) {
    tree->nodes = grow(tree->nodes, tree->node_count, sizeof *tree->nodes);
    tree->nodes[tree->node_count] = (acp_bsp_node_source){.kind = ACP_BSP_LEAF,
                                                          .positive = ACP_BSP_NONE,
                                                          .negative = ACP_BSP_NONE,
                                                          .solid = solid,
                                                          .sphere = sphere,
                                                          .first_polygon = tree->leaf_polygon_count,
                                                          .polygon_count = count,
                                                          .leaf_index = (int32_t)tree->node_count};
    for (uint32_t i = 0; i < count; i++) {
        tree->leaf_polygons = grow(tree->leaf_polygons, tree->leaf_polygon_count, sizeof *tree->leaf_polygons);
        tree->leaf_polygons[tree->leaf_polygon_count++] = polygons[i];
    }
    return tree->node_count++;
}

acp_plane test_tree_plane(const test_tree *tree, uint32_t polygon) {
    const acp_polygon_source *p = &tree->polygons[polygon];
    return acp_polygon_make_plane(&tree->vertices[p->first_index], p->point_count);
}

test_tree test_tree_fixture_a(void) {
    static const acp_vec3 quads[6][4] = {
        {{1, -1, -1}, {1, 1, -1}, {1, 1, 1}, {1, -1, 1}}, {{-1, 1, -1}, {-1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}},
        {{1, 1, -1}, {-1, 1, -1}, {-1, 1, 1}, {1, 1, 1}}, {{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1}},
        {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}, {{-1, 1, -1}, {1, 1, -1}, {1, -1, -1}, {-1, -1, -1}}};
    static const uint32_t order[6] = {4, 0, 1, 2, 3, 5}, all[6] = {0, 1, 2, 3, 4, 5};
    const acp_sphere sphere = {{0, 0, 0}, 1.75f}, none = {{0, 0, 0}, 0};
    test_tree tree = {0};
    for (int i = 0; i < 6; i++)
        test_tree_add_polygon(&tree, quads[i], 4);
    for (uint32_t k = 0; k < 6; k++) {
        test_tree_add_node(&tree, test_tree_plane(&tree, order[k]), 2 * k + 1, 2 * k + 2, sphere);
        test_tree_add_leaf(&tree, 0, NULL, 0, none);
    }
    test_tree_add_leaf(&tree, 1, all, 6, sphere);
    return tree;
}

static void add_room_polygons(test_tree *tree) {
    static const acp_vec3 quads[11][4] = {{{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}},
                                          {{-5, 5, 4}, {5, 5, 4}, {5, -5, 4}, {-5, -5, 4}},
                                          {{5, 5, 0}, {5, -5, 0}, {5, -5, 4}, {5, 5, 4}},
                                          {{-5, -5, 0}, {-5, 5, 0}, {-5, 5, 4}, {-5, -5, 4}},
                                          {{-5, 5, 0}, {5, 5, 0}, {5, 5, 4}, {-5, 5, 4}},
                                          {{5, -5, 0}, {-5, -5, 0}, {-5, -5, 4}, {5, -5, 4}},
                                          {{1, -2, 0.5f}, {3, -2, 0.5f}, {3, 2, 0.5f}, {1, 2, 0.5f}},
                                          {{1, 2, 0}, {1, -2, 0}, {1, -2, 0.5f}, {1, 2, 0.5f}},
                                          {{3, -2, 0}, {3, 2, 0}, {3, 2, 0.5f}, {3, -2, 0.5f}},
                                          {{1, -2, 0}, {3, -2, 0}, {3, -2, 0.5f}, {1, -2, 0.5f}},
                                          {{3, 2, 0}, {1, 2, 0}, {1, 2, 0.5f}, {3, 2, 0.5f}}};
    for (int i = 0; i < 11; i++)
        test_tree_add_polygon(tree, quads[i], 4);
}

test_tree test_tree_fixture_b(void) {
    static const acp_sphere walls[6] = {{{0, 0, 0}, 7.25f}, {{0, 0, 4}, 7.25f}, {{5, 0, 2}, 5.5f},
                                        {{-5, 0, 2}, 5.5f}, {{0, 5, 2}, 5.5f},  {{0, -5, 2}, 5.5f}};
    static const uint32_t block[5] = {6, 7, 8, 9, 10};
    const acp_sphere sphere = {{0, 0, 2}, 7.5f}, none = {{0, 0, 0}, 0};
    test_tree tree = {0};
    add_room_polygons(&tree);
    for (uint32_t k = 0; k < 6; k++) {
        test_tree_add_node(&tree, test_tree_plane(&tree, k), 2 * k + 2, 2 * k + 1, sphere);
        test_tree_add_leaf(&tree, 1, &k, 1, walls[k]);
    }
    for (uint32_t k = 6; k < 11; k++) {
        test_tree_add_node(&tree, test_tree_plane(&tree, k), 2 * k + 1, 2 * k + 2, sphere);
        test_tree_add_leaf(&tree, 0, NULL, 0, none);
    }
    test_tree_add_leaf(&tree, 1, block, 5, (acp_sphere){{2, 0, 0.25f}, 2.5f});
    return tree;
}

test_tree test_tree_fixture_b_cell(void) {
    test_tree tree = {0};
    add_room_polygons(&tree);
    for (uint32_t k = 0; k < 6; k++)
        test_tree_add_node(&tree, test_tree_plane(&tree, k), k < 5 ? k + 1 : ACP_BSP_NONE, ACP_BSP_NONE, (acp_sphere){{0, 0, 0}, 0});
    return tree;
}

acp_vec3 test_random_vec3(test_random *random, double size) {
    acp_vec3 v;
    v.x = (float)test_random_in(random, -size, size);
    v.y = (float)test_random_in(random, -size, size);
    v.z = (float)test_random_in(random, -size, size);
    return v;
}

acp_vec3 test_random_normal(test_random *random) {
    if (test_random_below(random, 4) == 0) {
        acp_vec3 n = {0, 0, 0};
        float sign = test_random_below(random, 2) ? 1.0f : -1.0f;
        switch (test_random_below(random, 3)) {
        case 0:
            n.x = sign;
            break;
        case 1:
            n.y = sign;
            break;
        default:
            n.z = sign;
            break;
        }
        return n;
    }
    for (;;) {
        double x = test_random_in(random, -1, 1), y = test_random_in(random, -1, 1), z = test_random_in(random, -1, 1);
        double length = sqrt(x * x + y * y + z * z);
        if (length > 0.1 && length < 1.0) return (acp_vec3){(float)(x / length), (float)(y / length), (float)(z / length)};
    }
}

/* A convex polygon: points of a rhombic outline round a centre, in a random plane. */
static void add_random_polygon(test_tree *tree, test_random *random) {
    acp_vec3 points[8];
    uint32_t count = 3 + test_random_below(random, 6);
    acp_vec3 center = test_random_vec3(random, 6), n = test_random_normal(random);
    acp_vec3 other = fabs((double)n.z) < 0.7 ? (acp_vec3){0, 0, 1} : (acp_vec3){1, 0, 0};
    double ux = (double)n.y * (double)other.z - (double)n.z * (double)other.y,
           uy = (double)n.z * (double)other.x - (double)n.x * (double)other.z,
           uz = (double)n.x * (double)other.y - (double)n.y * (double)other.x;
    double length = sqrt(ux * ux + uy * uy + uz * uz);
    ux /= length, uy /= length, uz /= length;
    double vx = (double)n.y * uz - (double)n.z * uy, vy = (double)n.z * ux - (double)n.x * uz, vz = (double)n.x * uy - (double)n.y * ux;
    double size = test_random_in(random, 0.2, 4.0);
    for (uint32_t i = 0; i < count; i++) {
        /* Rational points of the unit circle: counter-clockwise, no trigonometry. */
        double t = -0.95 + 1.9 * (double)i / (double)count, half = 1.0 + t * t;
        double a = (1 - t * t) / half, b = 2 * t / half;
        if (i == count - 1) a = -1, b = 0.3;
        points[i] = (acp_vec3){(float)((double)center.x + size * (a * ux + b * vx)), (float)((double)center.y + size * (a * uy + b * vy)),
                               (float)((double)center.z + size * (a * uz + b * vz))};
    }
    if (test_random_below(random, 32) == 0) points[1] = points[0], points[2] = points[0]; /* zero area */
    test_tree_add_polygon(tree, points, count);
}

static acp_sphere random_sphere(test_random *random) {
    if (test_random_below(random, 8) == 0) return (acp_sphere){test_random_vec3(random, 5), (float)test_random_in(random, 0, 8)};
    return (acp_sphere){{0, 0, 0}, 20.0f};
}

/* Leaves and nodes beneath; returns the node. The same sphere as the parent's is common, as in real chains. */
static uint32_t add_random_subtree(test_tree *tree, test_random *random, uint32_t depth, acp_sphere parent) {
    acp_sphere sphere = test_random_below(random, 3) == 0 ? random_sphere(random) : parent;
    if (depth == 0 || test_random_below(random, 6) == 0) {
        uint32_t list[12], count = test_random_below(random, 3) == 0 ? 0 : test_random_below(random, 12);
        for (uint32_t i = 0; i < count; i++)
            list[i] = test_random_below(random, tree->polygon_count);
        return test_tree_add_leaf(tree, test_random_below(random, 2) ? 0 : -7, list, count, sphere);
    }
    acp_plane plane;
    if (test_random_below(random, 2)) {
        plane = test_tree_plane(tree, test_random_below(random, tree->polygon_count));
        if (isnan(plane.d)) plane = (acp_plane){{0, 0, 1}, 0};
    } else {
        plane = (acp_plane){test_random_normal(random), (float)test_random_in(random, -6, 6)};
    }
    uint32_t positive = add_random_subtree(tree, random, depth - 1, sphere), negative = add_random_subtree(tree, random, depth - 1, sphere);
    return test_tree_add_node(tree, plane, positive, negative, sphere);
}

test_tree test_tree_random(test_random *random, uint32_t polygons, uint32_t depth) {
    test_tree tree = {0};
    for (uint32_t i = 0; i < polygons; i++)
        add_random_polygon(&tree, random);
    tree.root = add_random_subtree(&tree, random, depth, (acp_sphere){{0, 0, 0}, 20.0f});
    return tree;
}
