/* SPDX-License-Identifier: MIT */
/* Trees and polygon lists of scenes, turned into the flat descriptions that the builders take.
 *
 * The nodes of a scene are nested objects; they are counted first and then written depth first, positive child before negative, so the root
 * is node 0. Depth is bounded by the reader (ACP_JSON_MAX_DEPTH), so the walk may recurse. Polygons get vertices of their own (nothing is
 * shared): the plane of a polygon depends on its own points only. Contract: faults go into the input and give harmless empty trees; all
 * memory is the reader's. Cost: linear. Form: docs/format-scene.md. */
#include "support/scene_tree.h"

#include <string.h>

static uint32_t count_nodes(const acp_json *node, uint32_t *lists) {
    if (!node || node->type != ACP_JSON_OBJECT) return 0;
    const acp_json *polys = acp_json_member(node, "polys");
    if (polys && polys->type == ACP_JSON_ARRAY) *lists += polys->count;
    return 1u + count_nodes(acp_json_member(node, "pos"), lists) + count_nodes(acp_json_member(node, "neg"), lists);
}

static acp_sphere node_sphere(acp_json_input *input, const acp_json *node) {
    acp_sphere sphere = {{0.0f, 0.0f, 0.0f}, 0.0f};
    if (!acp_json_has(node, "s")) return sphere;
    float v[4];
    acp_json_get_float_array(input, node, "s", v, 4);
    sphere.center.x = v[0];
    sphere.center.y = v[1];
    sphere.center.z = v[2];
    sphere.radius = v[3];
    return sphere;
}

static uint32_t write_node(acp_json_input *input, const acp_json *json, acp_scene_tree *tree) {
    if (!json || json->type != ACP_JSON_OBJECT) return ACP_BSP_NONE;
    uint32_t index = tree->node_count++;
    acp_bsp_node_source node;
    memset(&node, 0, sizeof node);
    node.positive = node.negative = ACP_BSP_NONE;
    node.sphere = node_sphere(input, json);
    if (acp_json_has(json, "p")) {
        float p[4];
        acp_json_get_float_array(input, json, "p", p, 4);
        node.kind = ACP_BSP_INTERIOR;
        node.plane.normal.x = p[0];
        node.plane.normal.y = p[1];
        node.plane.normal.z = p[2];
        node.plane.d = p[3];
    } else {
        node.kind = ACP_BSP_LEAF;
        node.leaf_index = acp_json_get_int32_or(input, json, "leaf", 0);
        node.solid = acp_json_get_int32_or(input, json, "solid", 0);
        node.first_polygon = tree->leaf_polygon_count;
        const acp_json *polys = acp_json_get_optional_array(input, json, "polys");
        for (const acp_json *p = polys ? polys->first : NULL; p; p = p->next) {
            int64_t ordinal = 0;
            if (!acp_json_to_int64(p, &ordinal) || ordinal < 0 || ordinal > (int64_t)UINT32_MAX)
                acp_json_fail(input, ACP_ERROR_BAD_DATA, "polys", "a polygon number is not a number");
            tree->leaf_polygons[tree->leaf_polygon_count++] = (uint32_t)ordinal;
        }
        node.polygon_count = tree->leaf_polygon_count - node.first_polygon;
    }
    if (node.kind == ACP_BSP_INTERIOR) {
        node.positive = write_node(input, acp_json_member(json, "pos"), tree);
        node.negative = write_node(input, acp_json_member(json, "neg"), tree);
    }
    tree->nodes[index] = node;
    return index;
}

acp_scene_tree acp_json_to_tree(acp_json_input *input, acp_json_reader *memory, const acp_json *node) {
    acp_scene_tree tree;
    memset(&tree, 0, sizeof tree);
    uint32_t lists = 0;
    uint32_t count = count_nodes(node, &lists);
    if (!count) return tree;
    tree.nodes = acp_json_reader_allocate(memory, count * sizeof *tree.nodes);
    tree.leaf_polygons = acp_json_reader_allocate(memory, (lists + 1u) * sizeof *tree.leaf_polygons);
    if (!tree.nodes || !tree.leaf_polygons) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "bsp", "no memory for a tree");
        memset(&tree, 0, sizeof tree);
        return tree;
    }
    tree.root = write_node(input, node, &tree);
    return tree;
}

acp_bsp_source acp_scene_bsp_source(acp_json_input *input, acp_json_reader *memory, const acp_json *polys, const acp_json *node) {
    acp_bsp_source source;
    memset(&source, 0, sizeof source);
    uint32_t polygon_count = polys && polys->type == ACP_JSON_ARRAY ? polys->count : 0;
    acp_polygon_source *polygons = acp_json_reader_allocate(memory, (polygon_count + 1u) * sizeof *polygons);
    const acp_vec3 **points = acp_json_reader_allocate(memory, (polygon_count + 1u) * sizeof *points);
    if (!polygons || !points) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "polys", "no memory for polygons");
        return source;
    }
    uint32_t vertex_count = 0, i = 0;
    for (const acp_json *p = polygon_count ? polys->first : NULL; p; p = p->next, i++) {
        uint32_t count = 0;
        points[i] = acp_json_to_polygon(input, memory, p, &count);
        memset(&polygons[i], 0, sizeof polygons[i]);
        polygons[i].first_index = vertex_count;
        polygons[i].point_count = count;
        polygons[i].id = i;
        vertex_count += count;
    }
    acp_vec3 *vertices = acp_json_reader_allocate(memory, (vertex_count + 1u) * sizeof *vertices);
    uint32_t *indices = acp_json_reader_allocate(memory, (vertex_count + 1u) * sizeof *indices);
    if (!vertices || !indices) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "polys", "no memory for vertices");
        return source;
    }
    for (i = 0; i < polygon_count; i++)
        if (polygons[i].point_count) memcpy(vertices + polygons[i].first_index, points[i], polygons[i].point_count * sizeof *vertices);
    for (i = 0; i < vertex_count; i++)
        indices[i] = i;
    acp_scene_tree tree = acp_json_to_tree(input, memory, node);
    source.vertices = vertices;
    source.polygons = polygons;
    source.indices = indices;
    source.nodes = tree.nodes;
    source.leaf_polygons = tree.leaf_polygons;
    source.vertex_count = vertex_count;
    source.polygon_count = polygon_count;
    source.index_count = vertex_count;
    source.node_count = tree.node_count;
    source.leaf_polygon_count = tree.leaf_polygon_count;
    source.root = tree.root;
    return source;
}
