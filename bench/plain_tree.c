/* SPDX-License-Identifier: MIT */
/* The plain re-statement that bench_bsp measures the flat tree against: what an exact implementation does without any thought of speed.
 * Spheres, planes and polygons are tested by the library's own exact operations, so the difference is the tree's: layout, filters, order of
 * memory. Answers are the same (bench_bsp compares them). A containment tree is a chain of nodes, each with a plane and a positive child.
 */
#include "bench/plain_tree.h"

#include <stdlib.h>

#include "geom/bsp_format.h"
#include "geom/polygon.h"
#include "geom/sphere.h"

typedef struct node {
    acp_sphere sphere;
    acp_plane plane;
    struct node *positive;
    struct node *negative;
    acp_polygon *polygons; /* of a leaf */
    uint32_t polygon_count;
    bool is_leaf;
    bool is_solid;
} node;

struct plain_tree {
    node *root;
};

static void free_node(node *n) {
    if (!n) return;
    free_node(n->positive);
    free_node(n->negative);
    free(n->polygons);
    free(n);
}

void plain_tree_free(plain_tree *tree) {
    if (!tree) return;
    free_node(tree->root);
    free(tree);
}

/* Bounded by the tree, whose depth its builder has bounded. */
static node *make_node(const acp_bsp *bsp, uint32_t word) {
    node *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    if (word & ACP_BSP_CHILD_LEAF) {
        const acp_bsp_leaf *leaf = acp_bsp_leaf_of(bsp, word);
        n->is_leaf = true;
        n->is_solid = leaf->solid != 0;
        n->sphere = leaf->sphere;
        n->polygons = calloc((size_t)leaf->polygon_count + 1, sizeof *n->polygons);
        if (!n->polygons) return n;
        n->polygon_count = leaf->polygon_count;
        for (uint32_t i = 0; i < n->polygon_count; i++)
            n->polygons[i] = acp_bsp_polygon(bsp, acp_bsp_leaf_groups(bsp)[leaf->first_group + i / 4].polygons[i % 4]);
        return n;
    }
    const acp_bsp_node *source = acp_bsp_node_of(bsp, word);
    n->sphere = source->sphere;
    n->plane = source->plane;
    n->positive = make_node(bsp, source->positive);
    n->negative = make_node(bsp, source->negative);
    return n;
}

plain_tree *plain_tree_of_bsp(const acp_bsp *bsp) {
    plain_tree *tree = calloc(1, sizeof *tree);
    if (tree) tree->root = make_node(bsp, bsp->root);
    return tree;
}

plain_tree *plain_tree_of_cell(const acp_cell_tree *source) {
    plain_tree *tree = calloc(1, sizeof *tree);
    for (uint32_t i = acp_cell_tree_plane_count(source); tree && i-- > 0;) {
        node *n = calloc(1, sizeof *n);
        if (!n) break;
        n->plane = acp_cell_tree_plane(source, i);
        n->positive = tree->root;
        tree->root = n;
    }
    return tree;
}

static bool intersects_poly(const node *n, const acp_sphere *s, acp_vec3 movement, uint32_t *polygon, acp_vec3 *contact) {
    if (n->is_leaf) {
        if (n->polygon_count == 0 || !acp_sphere_intersects(&n->sphere, s)) return false;
        for (uint32_t i = 0; i < n->polygon_count; i++) {
            bool is_struck = false;
            bool is_hit = acp_polygon_pos_hits_sphere(&n->polygons[i], s, movement, contact, &is_struck);
            if (is_struck) *polygon = n->polygons[i].id;
            if (is_hit) return true;
        }
        return false;
    }
    if (!acp_sphere_intersects(&n->sphere, s)) return false;
    double distance = acp_plane_distance(&n->plane, s->center), reach = (double)s->radius - ACP_EPSILON_F64;
    if (distance >= reach) return intersects_poly(n->positive, s, movement, polygon, contact);
    if (distance <= -reach) return intersects_poly(n->negative, s, movement, polygon, contact);
    return intersects_poly(n->positive, s, movement, polygon, contact) || intersects_poly(n->negative, s, movement, polygon, contact);
}

bool plain_sphere_intersects_poly(const plain_tree *tree, const acp_sphere *sphere, acp_vec3 movement, uint32_t *polygon,
                                  acp_vec3 *contact) {
    return intersects_poly(tree->root, sphere, movement, polygon, contact);
}

static bool intersects_solid(const node *n, const acp_sphere *s, bool center_check) {
    if (n->is_leaf) {
        if (n->polygon_count == 0) return false;
        if (center_check && n->is_solid) return true;
        if (!acp_sphere_intersects(&n->sphere, s)) return false;
        for (uint32_t i = 0; i < n->polygon_count; i++)
            if (acp_polygon_hits_sphere(&n->polygons[i], s)) return true;
        return false;
    }
    if (!acp_sphere_intersects(&n->sphere, s)) return false;
    double distance = acp_plane_distance(&n->plane, s->center), reach = (double)s->radius - ACP_EPSILON_F64;
    if (distance >= reach) return intersects_solid(n->positive, s, center_check);
    if (distance <= -reach) return intersects_solid(n->negative, s, center_check);
    bool is_behind = distance < 0.0;
    return intersects_solid(n->positive, s, center_check && !is_behind) || intersects_solid(n->negative, s, center_check && is_behind);
}

bool plain_sphere_intersects_solid(const plain_tree *tree, const acp_sphere *sphere, bool center_check) {
    return intersects_solid(tree->root, sphere, center_check);
}

bool plain_point_intersects_solid(const plain_tree *tree, acp_vec3 point) {
    const node *n = tree->root;
    while (!n->is_leaf)
        n = acp_plane_distance(&n->plane, point) < 0.0 ? n->negative : n->positive;
    return n->polygon_count != 0;
}

bool plain_cell_contains_point(const plain_tree *tree, acp_vec3 point) {
    for (const node *n = tree->root;; n = n->positive) {
        if (acp_plane_side(&n->plane, point, ACP_EPSILON) == ACP_SIDE_NEGATIVE) return false;
        if (!n->positive) return true;
    }
}

static int intersects_sphere(const node *n, const acp_sphere *s) {
    double radius = (double)s->radius + 0.00999999977648258; /* the binary32 0.01, unrounded at the root of each recursion (12) */
    for (;;) {
        double distance = acp_plane_distance(&n->plane, s->center);
        if (distance <= -radius) return 0;
        if (distance < radius) return n->positive ? intersects_sphere(n->positive, s) != 0 : 1;
        if (!n->positive) return 2;
        n = n->positive;
        radius = acp_stored(radius);
    }
}

int plain_cell_intersects_sphere(const plain_tree *tree, const acp_sphere *sphere) { return intersects_sphere(tree->root, sphere); }

bool plain_cell_intersects_box(const plain_tree *tree, const acp_box *box) {
    const acp_vec3 a = box->min, b = box->max;
    for (const node *n = tree->root;; n = n->positive) {
        const acp_vec3 corners[8] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {a.x, a.y, b.z}, {a.x, b.y, a.z},
                                     {b.x, a.y, a.z}, {b.x, a.y, b.z}, {a.x, b.y, b.z}, {b.x, b.y, a.z}};
        bool is_inside = false;
        for (uint32_t i = 0; i < 8 && !is_inside; i++)
            is_inside = acp_plane_side(&n->plane, corners[i], ACP_EPSILON) != ACP_SIDE_NEGATIVE;
        if (!is_inside) return false;
        if (!n->positive) return true;
    }
}
