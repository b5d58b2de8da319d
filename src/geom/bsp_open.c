/* SPDX-License-Identifier: MIT */
/* Opening a physics tree from bytes that nobody vouches for (a package, a file): everything a query relies on is checked once.
 *
 * Contract: after acp_bsp_open has said yes, no query on the block can read outside it, loop or overflow its stack, and every filter bound
 * holds. Shape: counts, offsets and total size must be exactly those the builder lays out. Tree: a depth-first walk, positive child first,
 * must meet node 0, 1, 2 … and leaf 0, 1, 2 … in turn, each once, within 1024 levels; so cycles and shared nodes cannot occur. Content:
 * points, splitting planes and spheres finite. Derived data (polygon planes, edge and leaf groups, bounds) are computed again and compared
 * bit by bit. Cost: linear, no allocation. What content mode built the block does not matter. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geom/bsp_format.h"

#define OPERATION "open tree"

static acp_result refuse(acp_error *error, acp_result code, uint32_t ordinal, const char *field, const char *message) {
    acp_result result = acp_error_set(error, code, OPERATION, "%s", message);
    acp_error_set_place(error, ordinal, UINT64_MAX, field);
    return result;
}

static bool is_finite_sphere(const acp_sphere *s) {
    return isfinite(s->center.x) && isfinite(s->center.y) && isfinite(s->center.z) && isfinite(s->radius);
}

/* PORT's sphere, which always passes. */
static bool is_open_sphere(const acp_sphere *s) {
    const acp_sphere open = {{0.0f, 0.0f, 0.0f}, INFINITY};
    return memcmp(s, &open, sizeof open) == 0;
}

static bool is_finite_plane(const acp_plane *p) {
    return isfinite(p->normal.x) && isfinite(p->normal.y) && isfinite(p->normal.z) && isfinite(p->d);
}

/* The offset that must come next. */
static bool is_placed(uint32_t at, uint64_t *size, uint64_t count, size_t item) {
    bool is_right = at == *size;
    *size = (*size + count * item + 15u) & ~(uint64_t)15u;
    return is_right;
}

static acp_result check_header(const acp_bsp *b, size_t size, acp_error *error) {
    if (b->magic != ACP_BSP_MAGIC) return refuse(error, ACP_ERROR_BAD_DATA, 0, "magic", "not a tree");
    if (b->version != ACP_BSP_VERSION) return refuse(error, ACP_ERROR_UNSUPPORTED, 0, "version", "another version");
    if (b->polygon_count > ACP_BSP_MAX_POLYGONS || b->depth > ACP_BSP_MAX_DEPTH)
        return refuse(error, ACP_ERROR_LIMIT, 0, "counts", "beyond the caps");
    uint64_t end = sizeof(acp_bsp);
    bool is_placed_right = is_placed(b->polygons_at, &end, b->polygon_count, sizeof(acp_bsp_polygon_record));
    is_placed_right &= is_placed(b->points_at, &end, b->point_count, sizeof(acp_vec3));
    is_placed_right &= is_placed(b->edge_groups_at, &end, b->edge_group_count, sizeof(acp_plane_group));
    is_placed_right &= is_placed(b->nodes_at, &end, b->node_count, sizeof(acp_bsp_node));
    is_placed_right &= is_placed(b->leaves_at, &end, b->leaf_count, sizeof(acp_bsp_leaf));
    is_placed_right &= is_placed(b->leaf_groups_at, &end, b->leaf_group_count, sizeof(acp_bsp_leaf_group));
    if (b->spine)
        is_placed_right &= is_placed(b->spine & ~15u, &end, acp_bsp_group_count(acp_bsp_spine_length(b)), sizeof(acp_plane_group));
    if (!is_placed_right || end != b->size) return refuse(error, ACP_ERROR_BAD_DATA, 0, "offsets", "counts and offsets do not agree");
    if (b->size > size) return refuse(error, ACP_ERROR_TRUNCATED, 0, "size", "the block is cut short");
    return ACP_OK;
}

/* Edge groups of one polygon, computed again. */
static bool are_edges_right(const acp_bsp *b, const acp_bsp_polygon_record *r) {
    acp_plane_group groups[(ACP_BSP_MAX_POLYGON_POINTS + 3) / 4];
    acp_filter_bounds bounds;
    acp_bsp_derive_edge_groups(&r->plane, acp_bsp_points(b) + r->first_point, r->point_count, groups, &bounds);
    return memcmp(groups, acp_bsp_edge_groups(b) + r->first_edge_group, acp_bsp_group_count(r->point_count) * sizeof groups[0]) == 0 &&
           memcmp(&bounds, &r->edge_bounds, sizeof bounds) == 0;
}

static acp_result check_polygons(const acp_bsp *b, acp_error *error) {
    const acp_vec3 *points = acp_bsp_points(b);
    for (uint32_t i = 0; i < b->point_count; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
            return refuse(error, ACP_ERROR_NOT_FINITE, i, "points", "a point is not finite");
    uint64_t next_point = 0, next_group = 0;
    for (uint32_t i = 0; i < b->polygon_count; i++) {
        const acp_bsp_polygon_record *r = &acp_bsp_polygons(b)[i];
        if (r->first_point != next_point || r->first_edge_group != next_group || r->point_count > ACP_BSP_MAX_POLYGON_POINTS ||
            r->point_count > b->point_count - next_point)
            return refuse(error, ACP_ERROR_BAD_DATA, i, "polygon", "points out of place");
        next_point += r->point_count;
        acp_plane plane = acp_polygon_make_plane(points + r->first_point, r->point_count);
        if (memcmp(&plane, &r->plane, sizeof plane) != 0)
            return refuse(error, ACP_ERROR_BAD_DATA, i, "polygon.plane", "the plane is damaged");
        if (isnan(plane.d)) {
            static const acp_bsp_box none = {{0.0f}, {0.0f}};
            if (r->edge_bounds.slope != 0.0f || r->edge_bounds.base != 0.0f || memcmp(&r->box, &none, sizeof none) != 0)
                return refuse(error, ACP_ERROR_BAD_DATA, i, "polygon.edges", "edges of a polygon without plane");
            continue;
        }
        acp_bsp_box box = acp_bsp_derive_box(&r->plane, points + r->first_point, r->point_count);
        if (acp_bsp_group_count(r->point_count) > b->edge_group_count - next_group || !are_edges_right(b, r) ||
            memcmp(&r->box, &box, sizeof box) != 0)
            return refuse(error, ACP_ERROR_BAD_DATA, i, "polygon.edges", "the edges are damaged");
        next_group += acp_bsp_group_count(r->point_count);
    }
    if (next_point != b->point_count || next_group != b->edge_group_count)
        return refuse(error, ACP_ERROR_BAD_DATA, 0, "polygons", "points or edges without a polygon");
    return ACP_OK;
}

static acp_result check_leaf(const acp_bsp *b, uint32_t index, bool is_empty, uint64_t *next_group, acp_error *error) {
    const acp_bsp_leaf *leaf = &acp_bsp_leaves(b)[index];
    const uint32_t groups = leaf->polygon_count / 4u + (leaf->polygon_count % 4u != 0);
    if (is_empty != (leaf->polygon_count == 0) || leaf->first_group != *next_group || groups > b->leaf_group_count - *next_group)
        return refuse(error, ACP_ERROR_BAD_DATA, index, "leaf", "the list is out of place");
    if (!is_finite_sphere(&leaf->sphere)) return refuse(error, ACP_ERROR_NOT_FINITE, index, "leaf.sphere", "the sphere is not finite");
    for (uint32_t g = 0; g < groups; g++) {
        const acp_bsp_leaf_group *stored = acp_bsp_leaf_groups(b) + leaf->first_group + g;
        acp_bsp_leaf_group derived;
        acp_bsp_derive_leaf_group(b, stored->polygons, leaf->polygon_count - 4u * g < 4u ? leaf->polygon_count - 4u * g : 4u, &derived);
        if (memcmp(stored, &derived, sizeof derived) != 0)
            return refuse(error, ACP_ERROR_BAD_DATA, index, "leaf.polygons", "the list is damaged");
    }
    *next_group += groups;
    return ACP_OK;
}

static acp_result check_node(const acp_bsp *b, uint32_t index, acp_error *error) {
    const acp_bsp_node *node = &acp_bsp_nodes(b)[index];
    if (!is_finite_plane(&node->plane) || (!is_finite_sphere(&node->sphere) && !is_open_sphere(&node->sphere)))
        return refuse(error, ACP_ERROR_NOT_FINITE, index, "node", "plane or sphere is not finite");
    return ACP_OK;
}

/* The walk that must meet every node and leaf in the order in which they stand. */
static acp_result check_tree(const acp_bsp *b, acp_error *error) {
    if (b->leaf_count == 0) {
        if (b->node_count != 0 || b->leaf_group_count != 0 || b->depth != 0 || b->root != (ACP_BSP_CHILD_LEAF | ACP_BSP_CHILD_EMPTY))
            return refuse(error, ACP_ERROR_BAD_DATA, 0, "root", "nodes without leaves");
        return ACP_OK;
    }
    struct {
        uint32_t word, depth;
    } stack[ACP_BSP_MAX_DEPTH + 2];
    uint32_t top = 0, next_node = 0, next_leaf = 0, deepest = 0;
    uint64_t next_group = 0;
    stack[top].word = b->root;
    stack[top++].depth = 1;
    while (top > 0) {
        uint32_t word = stack[--top].word, depth = stack[top].depth;
        if (depth > ACP_BSP_MAX_DEPTH) return refuse(error, ACP_ERROR_LIMIT, next_node, "node", "deeper than 1024 levels");
        if (depth > deepest) deepest = depth;
        bool is_leaf = (word & ACP_BSP_CHILD_LEAF) != 0, is_empty = (word & ACP_BSP_CHILD_EMPTY) != 0;
        uint32_t index = is_leaf ? next_leaf : next_node;
        uint64_t place =
            is_leaf ? b->leaves_at + (uint64_t)index * sizeof(acp_bsp_leaf) : b->nodes_at + (uint64_t)index * sizeof(acp_bsp_node);
        if ((word & (ACP_BSP_CHILD_FLAG | ACP_BSP_CHILD_SAME)) || (is_empty && !is_leaf) || (word & ~ACP_BSP_CHILD_MARKS) != place ||
            index >= (is_leaf ? b->leaf_count : b->node_count))
            return refuse(error, ACP_ERROR_BAD_DATA, index, "child", "a child is out of order");
        acp_result result = is_leaf ? check_leaf(b, index, is_empty, &next_group, error) : check_node(b, index, error);
        if (result != ACP_OK) return result;
        if (is_leaf) {
            next_leaf++;
            continue;
        }
        next_node++;
        const acp_bsp_node *node = &acp_bsp_nodes(b)[index];
        stack[top].word = node->negative & ~ACP_BSP_CHILD_SAME;
        stack[top++].depth = depth + 1;
        stack[top].word = node->positive & ~ACP_BSP_CHILD_SAME;
        stack[top++].depth = depth + 1;
    }
    if (next_node != b->node_count || next_leaf != b->leaf_count || next_group != b->leaf_group_count || deepest != b->depth)
        return refuse(error, ACP_ERROR_BAD_DATA, 0, "root", "nodes or lists that the root does not reach");
    return ACP_OK;
}

/* The spine's length and groups, computed again; the tree has been checked. */
static bool is_spine_right(const acp_bsp *b) {
    uint32_t length = 0, child = b->root;
    for (; !(child & ACP_BSP_CHILD_LEAF) && length <= ACP_BSP_SPINE_MOST; child = acp_bsp_node_of(b, child)->positive, length++) {
        if (length != 0 && !(child & ACP_BSP_CHILD_SAME)) break;
        if (!isfinite(acp_bsp_node_of(b, child)->sphere.radius)) break; /* PORT */
    }
    bool is_spine = length >= ACP_BSP_SPINE_LEAST && length <= ACP_BSP_SPINE_MOST && (child & ACP_BSP_CHILD_EMPTY) != 0;
    if (acp_bsp_spine_length(b) != (is_spine ? length : 0)) return false;
    for (uint32_t i = 0; is_spine && i < acp_bsp_group_count(length); i++) {
        acp_plane_group group = acp_bsp_derive_spine_group(b, i);
        if (memcmp(&group, &acp_bsp_spine_groups(b)[i], sizeof group) != 0) return false;
    }
    return true;
}

acp_result acp_bsp_open(const void *bytes, size_t size, const acp_bsp **out_bsp, acp_error *error) {
    if (bytes == NULL || out_bsp == NULL || (uintptr_t)bytes % 16u != 0)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "no bytes, or not aligned to 16");
    if (size < sizeof(acp_bsp)) return refuse(error, ACP_ERROR_TRUNCATED, 0, "header", "shorter than a header");
    const acp_bsp *b = bytes;
    acp_result result = check_header(b, size, error);
    if (result == ACP_OK) result = check_polygons(b, error);
    if (result == ACP_OK) result = check_tree(b, error);
    if (result != ACP_OK) return result;
    for (uint32_t i = 0; i < b->node_count; i++) {
        const acp_bsp_node *node = &acp_bsp_nodes(b)[i];
        if ((node->positive & ACP_BSP_CHILD_SAME) != acp_bsp_derive_same_sphere(b, node, node->positive) ||
            (node->negative & ACP_BSP_CHILD_SAME) != acp_bsp_derive_same_sphere(b, node, node->negative))
            return refuse(error, ACP_ERROR_BAD_DATA, i, "node.child", "the mark of equal spheres is wrong");
    }
    if (!is_spine_right(b)) return refuse(error, ACP_ERROR_BAD_DATA, 0, "spine", "the spine is damaged");
    acp_filter_bounds bounds = acp_bsp_derive_bounds(b);
    if (memcmp(&bounds, &b->bounds, sizeof bounds) != 0) return refuse(error, ACP_ERROR_BAD_DATA, 0, "bounds", "the bounds are damaged");
    *out_bsp = b;
    return ACP_OK;
}
