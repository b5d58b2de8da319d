/* SPDX-License-Identifier: MIT */
/* Referee: pointer trees from a description. Lenient rules of 02 DAT-72 and 03 FLAT-9: a polygon with a vertex ordinal out of range, with
 * fewer than three points or without a finite plane stays in its place and is never hit; a leaf entry beyond the array, or of 32,768 and
 * more, names nothing and still counts as an entry; a missing child is an empty leaf. */
#include "tests/referee/from_source.h"

#include <stdlib.h>
#include <string.h>

static void make_polygon(referee_tree *tree, const acp_bsp_source *source, uint32_t ordinal, acp_vec3 *points) {
    const acp_polygon_source *from = &source->polygons[ordinal];
    bool is_complete = true;
    for (uint32_t i = 0; i < from->point_count; i++) {
        uint32_t vertex = source->indices[from->first_index + i];
        if (vertex >= source->vertex_count) {
            is_complete = false;
            break;
        }
        points[i] = source->vertices[vertex];
    }
    tree->polygons[ordinal] = referee_polygon_make(points, is_complete ? (int)from->point_count : 0, ordinal);
}

static void make_node(referee_tree *tree, const acp_bsp_source *source, uint32_t index) {
    const acp_bsp_node_source *from = &source->nodes[index];
    referee_node *node = &tree->nodes[index];
    node->number = index;
    node->sphere = from->sphere;
    node->is_leaf = from->kind == ACP_BSP_LEAF;
    if (node->is_leaf) {
        node->solid = from->solid;
        node->entries = &tree->entries[from->first_polygon];
        node->num_polys = from->polygon_count;
        return;
    }
    node->is_portal = from->kind == ACP_BSP_PORTAL;
    node->plane = from->plane;
    node->pos = from->positive == ACP_BSP_NONE ? NULL : &tree->nodes[from->positive];
    node->neg = from->negative == ACP_BSP_NONE ? NULL : &tree->nodes[from->negative];
}

bool referee_tree_make(referee_tree *tree, const acp_bsp_source *source) {
    memset(tree, 0, sizeof *tree);
    tree->points = calloc((size_t)source->index_count + 1, sizeof *tree->points);
    tree->polygons = calloc((size_t)source->polygon_count + 1, sizeof *tree->polygons);
    tree->entries = calloc((size_t)source->leaf_polygon_count + 1, sizeof *tree->entries);
    tree->nodes = calloc((size_t)source->node_count + 1, sizeof *tree->nodes);
    if (!tree->points || !tree->polygons || !tree->entries || !tree->nodes) {
        referee_tree_free(tree);
        return false;
    }
    tree->polygon_count = source->polygon_count;
    tree->node_count = source->node_count;
    for (uint32_t i = 0; i < source->polygon_count; i++)
        make_polygon(tree, source, i, tree->points + source->polygons[i].first_index);
    for (uint32_t i = 0; i < source->leaf_polygon_count; i++) {
        uint32_t number = source->leaf_polygons[i];
        tree->entries[i].number = number;
        tree->entries[i].polygon = number < source->polygon_count && number < 32768 ? &tree->polygons[number] : NULL;
    }
    for (uint32_t i = 0; i < source->node_count; i++)
        make_node(tree, source, i);
    tree->root = source->node_count ? &tree->nodes[source->root] : NULL;
    return true;
}

void referee_tree_free(referee_tree *tree) {
    free(tree->points);
    free(tree->polygons);
    free(tree->entries);
    free(tree->nodes);
    memset(tree, 0, sizeof *tree);
}
