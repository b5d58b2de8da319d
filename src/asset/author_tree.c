/* SPDX-License-Identifier: MIT */
/* The forms of physics trees (spec 11 AUT-14): one leaf, a tree that is given, a solid, a room.
 *
 * A given tree is checked as a tree: node 0 its root, children in range, no node reached twice, planes unit and finite, leaves that name
 * physics polygons. What its leaves say of solidity is the author's word. Every form but the single leaf is then proved to cover (AUT-7).
 *
 * Contract: on success the tree of `acp_author` is whole; node 0 is the root. Limits: those of records, told when it is emitted. */
#include <math.h>

#include "asset/author.h"
#include "math/finite.h"
#include "math/vec3.h"

uint32_t acp_author_add_node(acp_author *a, const acp_author_node *node) {
    if (ACP_ARRAY_PUSH(&a->tree.nodes, a->allocator, *node)) return ACP_BSP_NONE;
    return a->tree.nodes.count - 1;
}

acp_result acp_author_add_leaf(acp_author *a, const uint32_t *polygons, uint32_t count, bool is_solid, uint32_t *out_node) {
    acp_author_node leaf = {.is_leaf = true, .is_solid = is_solid, .first_polygon = a->tree.polygons.count, .polygon_count = count};
    for (uint32_t i = 0; i < count; i++)
        if (ACP_ARRAY_PUSH(&a->tree.polygons, a->allocator, polygons[i])) return acp_author_out_of_memory(a);
    *out_node = acp_author_add_node(a, &leaf);
    return *out_node == ACP_BSP_NONE ? acp_author_out_of_memory(a) : ACP_OK;
}

acp_result acp_author_leaf_tree(acp_author *a) {
    uint32_t root;
    return acp_author_add_leaf(a, a->physics, a->report.physics_polygon_count, false, &root);
}

/* ---- a tree that is given ---- */

static acp_result check_given_plane(acp_author *a, const acp_mesh_node *n, uint32_t index, acp_plane *out_plane) {
    if (n->plane_polygon != ACP_BSP_NONE) {
        if (n->plane_polygon >= a->mesh->polygon_count)
            return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "node %u takes the plane of polygon %u of %u", index,
                                   n->plane_polygon, a->mesh->polygon_count);
        *out_plane = a->planes[n->plane_polygon];
        return ACP_OK;
    }
    double length = acp_is_finite_vec3(&n->plane.normal) ? acp_vec3_length(n->plane.normal) : 0;
    if (!isfinite(n->plane.d) || fabs(length - 1.0) > 1e-4)
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "the plane of node %u is not finite or has no unit normal", index);
    *out_plane = n->plane;
    return ACP_OK;
}

static acp_result check_given_leaf(acp_author *a, const acp_mesh_node *n, uint32_t index) {
    if (n->first_polygon > a->mesh->node_polygon_count || n->polygon_count > a->mesh->node_polygon_count - n->first_polygon)
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "the polygon list of leaf %u ends too early", index);
    for (uint32_t i = 0; i < n->polygon_count; i++) {
        uint32_t polygon = a->mesh->node_polygons[n->first_polygon + i];
        if (polygon >= a->mesh->polygon_count || a->ordinals[polygon] == ACP_BSP_NONE)
            return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "leaf %u names polygon %u, which is no physics polygon", index,
                                   polygon);
    }
    return ACP_OK;
}

/* Nodes keep their numbers: a child is checked to be new when its parent is. */
static acp_result given_tree(acp_author *a) {
    const acp_mesh *m = a->mesh;
    if (m->node_count == 0) return acp_author_fail(a, ACP_ERROR_INVALID_ARGUMENT, ACP_BSP_NONE, "a given tree needs nodes");
    uint8_t *reached = acp_arena_allocate_zero(a->arena, m->node_count, 1, 8);
    if (!reached) return acp_author_out_of_memory(a);
    reached[0] = 1;
    for (uint32_t i = 0; i < m->node_count; i++) {
        const acp_mesh_node *n = &m->nodes[i];
        acp_result result;
        uint32_t unused;
        if (n->kind == ACP_BSP_LEAF) {
            result = check_given_leaf(a, n, i);
            const uint32_t *listed = result == ACP_OK && n->polygon_count ? m->node_polygons + n->first_polygon : NULL;
            if (result == ACP_OK) result = acp_author_add_leaf(a, listed, n->polygon_count, n->solid != 0, &unused);
            if (result) return result;
            continue;
        }
        acp_author_node made = {.positive = n->positive, .negative = n->negative};
        if (n->kind != ACP_BSP_INTERIOR) return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "node %u is of no kind", i);
        result = check_given_plane(a, n, i, &made.plane);
        if (result) return result;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t child = k == 0 ? n->positive : n->negative;
            if (child >= m->node_count || child <= i || reached[child])
                return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "node %u names child %u: children follow their only parent", i,
                                       child);
            reached[child] = 1;
        }
        if (acp_author_add_node(a, &made) == ACP_BSP_NONE) return acp_author_out_of_memory(a);
    }
    for (uint32_t i = 0; i < m->node_count; i++)
        if (!reached[i]) return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "node %u is nobody's child", i);
    return ACP_OK;
}

/* ---- the choice ---- */

static acp_result choose(acp_author *a, acp_tree_form *out_form) {
    bool is_closed;
    uint32_t open;
    *out_form = a->mesh->tree_form;
    if (a->structure == ACP_BSP_NONE) {
        acp_result result = acp_author_is_closed(a, &is_closed, &open);
        if (result) return result;
        a->report.is_closed = is_closed && acp_author_volume(a) > 0;
    }
    if (*out_form != ACP_TREE_FORM_AUTOMATIC) return ACP_OK;
    *out_form = a->structure != ACP_BSP_NONE ? ACP_TREE_FORM_ROOM : a->report.is_closed ? ACP_TREE_FORM_SOLID : ACP_TREE_FORM_LEAF;
    return ACP_OK;
}

/* A solid that cannot be had as a tree of the permitted size is a leaf when nobody insisted. */
static acp_result automatic_fallback(acp_author *a) {
    ACP_ARRAY_CLEAR(&a->tree.nodes);
    ACP_ARRAY_CLEAR(&a->tree.polygons);
    a->report.fault_polygon = ACP_BSP_NONE;
    a->report.tree_form = ACP_TREE_FORM_LEAF;
    return acp_author_leaf_tree(a);
}

acp_result acp_author_build_tree(acp_author *a) {
    acp_result result = choose(a, &a->report.tree_form);
    if (result) return result;
    switch (a->report.tree_form) {
    case ACP_TREE_FORM_SOLID:
        result = acp_author_solid_tree(a);
        if (result == ACP_ERROR_LIMIT && a->mesh->tree_form == ACP_TREE_FORM_AUTOMATIC) return automatic_fallback(a);
        break;
    case ACP_TREE_FORM_ROOM:
        result = acp_author_room_tree(a);
        break;
    case ACP_TREE_FORM_GIVEN:
        result = given_tree(a);
        break;
    case ACP_TREE_FORM_AUTOMATIC:
    case ACP_TREE_FORM_LEAF:
        return acp_author_leaf_tree(a);
    }
    return result ? result : acp_author_check_coverage(a);
}
