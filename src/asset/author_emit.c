/* SPDX-License-Identifier: MIT */
/* Physics and drawing trees as records hold them (spec 02 DAT-45 to DAT-52; 11 AUT-9 to AUT-12, AUT-36, AUT-37).
 *
 * The physics tree is written depth first, positive child first, leaves numbered in that order, polygons as ordinals. Spheres are computed
 * here for every form: the centre of the box around the vertices of all polygons listed beneath, the distance to the farthest of them plus
 * 0.01 m; empty leaves hold zeros. The drawing tree is the smallest that is valid: one interior node with every polygon, or, when there are
 * portals, a chain of PORT nodes, each with its portal, the first with all other polygons.
 *
 * Contract: every interior node has both children. Limits: 1,024 levels. Cost: polygons times depth, twice. */
#include <math.h>

#include "asset/author.h"

#define TAG_BOTH          0x42506E4Eu /* BPnN */
#define TAG_BOTH_IN_PLANE 0x4250494Eu /* BPIN */
#define LEVELS            1024u

typedef struct visit {
    uint32_t node;
    uint32_t stage; /* 0 before the children, 1 between, 2 after */
    uint32_t record_node;
    uint32_t first_listed; /* in the list of polygons beneath */
} visit;

typedef struct emitter {
    acp_author *a;
    acp_record_tree *tree;
    uint32_t capacity;
    uint32_t leaf_count;
    ACP_ARRAY(uint32_t) beneath; /* polygons of the leaves so far, in the order of the walk */
    uint32_t depth;
} emitter;

/* AUT-9. */
static acp_sphere sphere_around(const acp_author *a, const uint32_t *polygons, uint32_t count) {
    acp_sphere sphere = {{0, 0, 0}, 0};
    if (count == 0) return sphere;
    acp_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < acp_author_point_count(a, polygons[i]); k++) {
            acp_vec3 v = acp_author_vertex(a, polygons[i], k);
            low = (acp_vec3){v.x < low.x ? v.x : low.x, v.y < low.y ? v.y : low.y, v.z < low.z ? v.z : low.z};
            high = (acp_vec3){v.x > high.x ? v.x : high.x, v.y > high.y ? v.y : high.y, v.z > high.z ? v.z : high.z};
        }
    sphere.center = (acp_vec3){(float)(((double)high.x + (double)low.x) * 0.5), (float)(((double)high.y + (double)low.y) * 0.5),
                               (float)(((double)high.z + (double)low.z) * 0.5)};
    double farthest = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < acp_author_point_count(a, polygons[i]); k++) {
            acp_vec3 v = acp_author_vertex(a, polygons[i], k);
            double x = (double)v.x - (double)sphere.center.x, y = (double)v.y - (double)sphere.center.y,
                   z = (double)v.z - (double)sphere.center.z;
            double squared = (x * x + y * y) + z * z;
            if (squared > farthest) farthest = squared;
        }
    sphere.radius = (float)(sqrt(farthest) + ACP_AUTHOR_SPHERE_MARGIN);
    return sphere;
}

static acp_record_node *new_node(emitter *e, uint32_t *out_index) {
    *out_index = e->tree->node_count++;
    acp_record_node *node = &e->tree->nodes[*out_index];
    node->positive = node->negative = ACP_RECORD_NONE;
    return node;
}

static acp_result emit_leaf(emitter *e, const acp_author_node *from, uint32_t *out_index) {
    acp_author *a = e->a;
    acp_record_node *node = new_node(e, out_index);
    node->tag = ACP_TAG_LEAF;
    node->leaf_index = (int32_t)e->leaf_count++;
    node->solid = from->polygon_count && from->is_solid ? 1 : 0;
    node->polygon_count = from->polygon_count;
    node->polygons = acp_arena_allocate_zero(a->arena, from->polygon_count, sizeof *node->polygons, 8);
    if (!node->polygons) return acp_author_out_of_memory(a);
    const uint32_t *polygons = from->polygon_count ? a->tree.polygons.items + from->first_polygon : NULL;
    for (uint32_t i = 0; i < from->polygon_count; i++) {
        node->polygons[i] = (uint16_t)a->ordinals[polygons[i]];
        if (ACP_ARRAY_PUSH(&e->beneath, a->allocator, polygons[i])) return acp_author_out_of_memory(a);
    }
    node->sphere = sphere_around(a, polygons, from->polygon_count);
    if (node->solid) a->report.solid_leaf_count++;
    return ACP_OK;
}

/* Goes on with a node: its head, a child, or its end. */
static acp_result step(emitter *e, visit *stack, uint32_t *depth) {
    acp_author *a = e->a;
    visit *top = &stack[*depth - 1];
    const acp_author_node *from = &a->tree.nodes.items[top->node];
    if (top->stage == 0) {
        acp_record_node *node = new_node(e, &top->record_node);
        node->tag = TAG_BOTH;
        node->plane = from->plane;
        top->first_listed = e->beneath.count;
    }
    acp_record_node *node = &e->tree->nodes[top->record_node];
    if (top->stage == 2) {
        uint32_t listed = e->beneath.count - top->first_listed; /* none beneath walls that are all opening */
        node->sphere = sphere_around(a, listed ? e->beneath.items + top->first_listed : NULL, listed);
        (*depth)--;
        return ACP_OK;
    }
    bool is_positive = top->stage++ == 0;
    uint32_t child = is_positive ? from->positive : from->negative;
    uint32_t *link = is_positive ? &node->positive : &node->negative;
    if (a->tree.nodes.items[child].is_leaf) {
        if (*depth + 1 > e->depth) e->depth = *depth + 1;
        if (*depth + 1 > LEVELS) return acp_author_fail(a, ACP_ERROR_LIMIT, ACP_BSP_NONE, "a tree of more than 1024 levels");
        return emit_leaf(e, &a->tree.nodes.items[child], link);
    }
    if (*depth == LEVELS) return acp_author_fail(a, ACP_ERROR_LIMIT, ACP_BSP_NONE, "a tree of more than 1024 levels");
    *link = e->tree->node_count;
    stack[(*depth)++] = (visit){child, 0, 0, 0};
    return ACP_OK;
}

acp_result acp_author_emit_physics(acp_author *a, acp_record_tree *out_tree) {
    emitter e = {.a = a, .tree = out_tree};
    visit *stack = acp_arena_allocate_zero(a->arena, LEVELS, sizeof *stack, 8);
    out_tree->node_count = 0;
    out_tree->nodes = acp_arena_allocate_zero(a->arena, a->tree.nodes.count, sizeof *out_tree->nodes, 8);
    if (!stack || !out_tree->nodes) return acp_author_out_of_memory(a);
    uint32_t depth = 0, root;
    acp_result result = ACP_OK;
    e.depth = 1;
    if (a->tree.nodes.items[0].is_leaf)
        result = emit_leaf(&e, &a->tree.nodes.items[0], &root);
    else
        stack[depth++] = (visit){0, 0, 0, 0};
    while (depth > 0 && result == ACP_OK)
        result = step(&e, stack, &depth);
    ACP_ARRAY_FREE(&e.beneath, a->allocator);
    a->report.physics_node_count = out_tree->node_count;
    a->report.physics_depth = e.depth;
    if (result == ACP_OK) a->report.sphere = out_tree->nodes[0].sphere;
    return result;
}

/* ---- drawing ---- */

static void drawing_leaf(acp_author *a, acp_record_node *node) {
    node->tag = ACP_TAG_LEAF;
    node->positive = node->negative = ACP_RECORD_NONE;
    node->leaf_index = (int32_t)a->report.drawing_leaf_count++;
}

static bool list_polygons(acp_author *a, acp_record_node *node) {
    node->polygons = acp_arena_allocate_zero(a->arena, a->report.drawing_polygon_count, sizeof *node->polygons, 8);
    if (!node->polygons) return false;
    for (uint32_t i = 0; i < a->report.drawing_polygon_count; i++)
        if (!acp_author_is(a, a->drawing[i], ACP_MESH_PORTAL)) node->polygons[node->polygon_count++] = (uint16_t)i;
    return true;
}

acp_result acp_author_emit_drawing(acp_author *a, acp_record_tree *out_tree) {
    uint32_t portals = a->report.portal_count, interior = portals ? portals : 1;
    a->report.drawing_leaf_count = 0;
    if (interior >= LEVELS) return acp_author_fail(a, ACP_ERROR_LIMIT, a->portals[LEVELS - 1], "more than 1022 portals in a drawing tree");
    out_tree->node_count = 2 * interior + 1;
    out_tree->nodes = acp_arena_allocate_zero(a->arena, out_tree->node_count, sizeof *out_tree->nodes, 8);
    if (!out_tree->nodes) return acp_author_out_of_memory(a);
    acp_sphere sphere = sphere_around(a, a->drawing, a->report.drawing_polygon_count);
    for (uint32_t i = 0; i < interior; i++) { /* each node, then its empty positive leaf; the negative child is what follows */
        acp_record_node *node = &out_tree->nodes[2 * (size_t)i];
        node->tag = portals ? ACP_TAG_PORT : TAG_BOTH_IN_PLANE;
        node->plane = a->planes[portals ? a->portals[i] : a->drawing[0]];
        node->positive = 2 * i + 1;
        node->negative = 2 * i + 2;
        node->sphere = sphere;
        if (i == 0 && !list_polygons(a, node)) return acp_author_out_of_memory(a);
        if (portals) {
            node->portal_count = 1;
            node->portals = acp_arena_allocate_zero(a->arena, 2, sizeof *node->portals, 8);
            if (!node->portals) return acp_author_out_of_memory(a);
            node->portals[0] = (uint16_t)a->drawing_ordinals[a->portals[i]];
            node->portals[1] = (uint16_t)i;
        }
        drawing_leaf(a, &out_tree->nodes[2 * (size_t)i + 1]);
    }
    drawing_leaf(a, &out_tree->nodes[2 * (size_t)interior]);
    return ACP_OK;
}
