/* SPDX-License-Identifier: MIT */
/* Trees of planes from JSON (the form of ../shared/vectors/retail-bits, "BSP node"), for eval, scenes, tests and benches.
 *
 * Contract: one pass counts nodes, one fills the arrays of an acp_bsp_source in the order of a depth-first walk, positive child first, so
 * that a node's index is its place in that walk. No recursion: JSON itself is bounded in depth (ACP_JSON_MAX_DEPTH), and so is the
 * stack here. Everything lives in the reader's memory. Faults of form go to the input; faults of content are left to the builder. */
#include "support/tree_json.h"

#include <string.h>

#define STACK_SIZE (ACP_JSON_MAX_DEPTH + 2u)

static bool is_leaf(const acp_json *node) { return acp_json_member(node, "leaf") != NULL; }

/* A child object, or null when absent. */
static const acp_json *child_of(acp_json_input *input, const acp_json *node, const char *key) {
    return acp_json_get_optional_object(input, node, key);
}

static void *allocate(acp_json_input *input, acp_json_reader *memory, size_t count, size_t size) {
    void *result = acp_json_reader_allocate(memory, count == 0 ? size : count * size);
    if (result == NULL) {
        (void)acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "tree", "no memory for the tree");
        return NULL;
    }
    memset(result, 0, count == 0 ? size : count * size);
    return result;
}

typedef struct counts {
    uint32_t nodes;
    uint32_t leaf_polygons;
} counts;

static counts count_nodes(acp_json_input *input, const acp_json *root) {
    const acp_json *stack[STACK_SIZE];
    uint32_t top = 0;
    counts n = {0, 0};
    if (root != NULL) stack[top++] = root;
    while (top > 0 && !acp_json_is_failed(input)) {
        const acp_json *node = stack[--top];
        n.nodes++;
        if (is_leaf(node)) {
            const acp_json *list = acp_json_get_optional_array(input, node, "polys");
            n.leaf_polygons += list == NULL ? 0 : list->count;
            continue;
        }
        const acp_json *negative = child_of(input, node, "neg"), *positive = child_of(input, node, "pos");
        if (negative != NULL) stack[top++] = negative;
        if (positive != NULL) stack[top++] = positive;
    }
    return n;
}

static acp_sphere sphere_of(acp_json_input *input, const acp_json *node) {
    float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (acp_json_has(node, "s")) acp_json_get_float_array(input, node, "s", s, 4);
    return (acp_sphere){{s[0], s[1], s[2]}, s[3]};
}

static void fill_leaf(acp_json_input *input, const acp_json *node, acp_bsp_node_source *out, uint32_t *leaf_polygons, uint32_t *next) {
    out->kind = ACP_BSP_LEAF;
    out->leaf_index = acp_json_get_int32(input, node, "leaf");
    out->solid = acp_json_get_int32_or(input, node, "solid", 0);
    out->sphere = sphere_of(input, node);
    out->first_polygon = *next;
    const acp_json *list = acp_json_get_optional_array(input, node, "polys");
    for (const acp_json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        int64_t ordinal = 0;
        if (!acp_json_to_int64(item, &ordinal) || ordinal < 0 || ordinal > UINT32_MAX)
            (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, "polys", "a polygon number must be a whole number");
        leaf_polygons[(*next)++] = (uint32_t)ordinal;
        out->polygon_count++;
    }
}

static void fill_nodes(acp_json_input *input, const acp_json *root, acp_bsp_node_source *nodes, uint32_t *leaf_polygons) {
    struct {
        const acp_json *node;
        uint32_t *slot; /* where its index goes */
    } stack[STACK_SIZE];
    uint32_t top = 0, next_node = 0, next_polygon = 0, root_index = 0;
    stack[top].node = root;
    stack[top++].slot = &root_index;
    while (top > 0 && !acp_json_is_failed(input)) {
        const acp_json *node = stack[--top].node;
        *stack[top].slot = next_node;
        acp_bsp_node_source *out = &nodes[next_node++];
        out->positive = ACP_BSP_NONE;
        out->negative = ACP_BSP_NONE;
        if (is_leaf(node)) {
            fill_leaf(input, node, out, leaf_polygons, &next_polygon);
            continue;
        }
        float p[4];
        acp_json_get_float_array(input, node, "p", p, 4);
        out->kind = acp_json_get_flag_or(input, node, "port", false) ? ACP_BSP_PORTAL : ACP_BSP_INTERIOR;
        out->plane = (acp_plane){{p[0], p[1], p[2]}, p[3]};
        out->sphere = sphere_of(input, node);
        const acp_json *negative = child_of(input, node, "neg"), *positive = child_of(input, node, "pos");
        if (negative != NULL) {
            stack[top].node = negative;
            stack[top++].slot = &out->negative;
        }
        if (positive != NULL) {
            stack[top].node = positive;
            stack[top++].slot = &out->positive;
        }
    }
}

static void fill_polygons(acp_json_input *input, acp_json_reader *memory, const acp_json *list, acp_bsp_source *source) {
    if (list == NULL) return;
    acp_polygon_source *polygons = allocate(input, memory, list->count, sizeof *polygons);
    const acp_vec3 **points = allocate(input, memory, list->count, sizeof *points);
    if (polygons == NULL || points == NULL) return;
    uint32_t total = 0, i = 0;
    for (const acp_json *item = list->first; item != NULL; item = item->next, i++) {
        points[i] = acp_json_to_polygon(input, memory, item, &polygons[i].point_count);
        polygons[i].first_index = total;
        polygons[i].id = i;
        polygons[i].sides_type = acp_json_get_int32_or(input, item, "sides", 0);
        total += polygons[i].point_count;
    }
    acp_vec3 *vertices = allocate(input, memory, total, sizeof *vertices);
    uint32_t *indices = allocate(input, memory, total, sizeof *indices);
    if (vertices == NULL || indices == NULL || acp_json_is_failed(input)) return;
    for (uint32_t k = 0; k < list->count; k++)
        for (uint32_t v = 0; v < polygons[k].point_count; v++) {
            vertices[polygons[k].first_index + v] = points[k][v];
            indices[polygons[k].first_index + v] = polygons[k].first_index + v;
        }
    source->polygons = polygons;
    source->polygon_count = list->count;
    source->vertices = vertices;
    source->vertex_count = total;
    source->indices = indices;
    source->index_count = total;
}

acp_bsp_source acp_json_to_bsp_source(acp_json_input *input, acp_json_reader *memory, const acp_json *polygons, const acp_json *root) {
    acp_bsp_source source = {0};
    fill_polygons(input, memory, polygons, &source);
    counts n = count_nodes(input, root);
    if (n.nodes == 0 || acp_json_is_failed(input)) return source;
    acp_bsp_node_source *nodes = allocate(input, memory, n.nodes, sizeof *nodes);
    uint32_t *leaf_polygons = allocate(input, memory, n.leaf_polygons, sizeof *leaf_polygons);
    if (nodes == NULL || leaf_polygons == NULL) return source;
    fill_nodes(input, root, nodes, leaf_polygons);
    source.nodes = nodes;
    source.node_count = n.nodes;
    source.leaf_polygons = leaf_polygons;
    source.leaf_polygon_count = n.leaf_polygons;
    return source;
}

/* A builder's refusal becomes the input's fault; its error is already filled. */
static void note(acp_json_input *input, acp_result result) {
    if (result != ACP_OK && !acp_json_is_failed(input)) input->result = result;
}

acp_bsp *acp_json_to_bsp(acp_json_input *input, acp_json_reader *memory, const acp_json *tree, const acp_allocator *allocator) {
    acp_bsp_source source = acp_json_to_bsp_source(input, memory, acp_json_get_optional_array(input, tree, "polys"),
                                                   acp_json_get_optional_object(input, tree, "root"));
    if (acp_json_is_failed(input)) return NULL;
    acp_bsp *bsp = NULL;
    note(input, acp_bsp_create(&source, ACP_CONTENT_LENIENT, allocator, NULL, &bsp, input->error));
    return bsp;
}

acp_cell_tree *acp_json_to_cell_tree(acp_json_input *input, acp_json_reader *memory, const acp_json *root, const acp_allocator *allocator) {
    acp_bsp_source source = acp_json_to_bsp_source(input, memory, NULL, root);
    if (acp_json_is_failed(input)) return NULL;
    acp_cell_tree *tree = NULL;
    note(input,
         acp_cell_tree_create(source.nodes, source.node_count, source.root, ACP_CONTENT_LENIENT, allocator, NULL, &tree, input->error));
    return tree;
}
