/* SPDX-License-Identifier: MIT */
/* Containment trees: is a point, sphere or box in a cell? (spec 03 §9, 04 MEM-11.)
 *
 * Only positive children are ever followed, so a tree is kept as the run of planes of its chain: once as read (16 bytes each), once in
 * groups of four for the filter. A LEAF that ends the chain is a plane that is zero everywhere (CBSP-4b, DIV-22).
 *
 * Answers are conjunctions over the planes ("no plane has it outside"), so their order is free except for one detail: the sphere test
 * rounds its padded radius at some nodes and not at others, depending on the node before (CBSP-2). Four planes are looked at together in
 * binary32; when each lane is decided beyond the bound of geom/filter.h (which contains both roundings of the radius), that is the answer;
 * when one is not, the exact walk decides. For a box the corner farthest along the normal is tested alone: binary64 rounding is monotone in
 * each operand, so its computed distance is the greatest of the eight.
 *
 * Cost: a quarter of a step per plane passed. No allocation. Limits: 1024 levels (DAT-70). */
#include "geom/cell_tree.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/cell_tree_probe.h"
#include "geom/plane.h"

#define OPERATION         "build cell tree"
#define OPEN_OPERATION    "open cell tree"
#define CELL_TREE_MAGIC   0x4C454341u /* "ACEL" */
#define CELL_TREE_VERSION 1u

static const acp_plane *planes_of(const acp_cell_tree *tree) {
    return (const acp_plane *)(const void *)(acp_cell_tree_groups(tree) + tree->group_count);
}

/* ---- Queries ---- */

/* The exact answers, one plane after the other. */
static ACP_COLD bool exact_point(const acp_plane *planes, uint32_t count, const acp_vec3 *point) {
    for (uint32_t i = 0; i < count; i++)
        if (acp_plane_distance(&planes[i], *point) < -ACP_EPSILON_F64) return false;
    return true;
}

static ACP_COLD acp_bounding exact_sphere(const acp_plane *planes, uint32_t count, const acp_sphere *sphere) {
    const double unrounded = (double)sphere->radius + ACP_CELL_PAD;
    const double rounded = acp_stored(unrounded);
    double radius = unrounded;
    acp_bounding answer = ACP_BOUNDING_ENTIRELY_INSIDE;
    for (uint32_t i = 0; i < count; i++) {
        double t = acp_plane_distance(&planes[i], sphere->center);
        if (t <= -radius) return ACP_BOUNDING_OUTSIDE;
        if (t >= radius) {
            radius = rounded;
        } else { /* straddled: the next node is the root of a recursion of its own */
            answer = ACP_BOUNDING_PARTLY_INSIDE;
            radius = unrounded;
        }
    }
    return answer;
}

static ACP_COLD bool exact_box(const acp_plane *planes, uint32_t count, const acp_box *box) {
    for (uint32_t i = 0; i < count; i++) {
        const acp_vec3 n = planes[i].normal;
        acp_vec3 corner = {n.x < 0.0f ? acp_filter_min(box->min.x, box->max.x) : acp_filter_max(box->min.x, box->max.x),
                           n.y < 0.0f ? acp_filter_min(box->min.y, box->max.y) : acp_filter_max(box->min.y, box->max.y),
                           n.z < 0.0f ? acp_filter_min(box->min.z, box->max.z) : acp_filter_max(box->min.z, box->max.z)};
        if (acp_plane_distance(&planes[i], corner) < -ACP_EPSILON_F64) return false;
    }
    return true;
}

/* The greater magnitude of the two ends of an axis. */
static inline float farther_end(float low, float high) { return acp_filter_max(acp_filter_abs(low), acp_filter_abs(high)); }

/* Planes of one group, for its exact test. */
static uint32_t group_size(const acp_cell_tree *tree, uint32_t group) {
    return tree->plane_count - 4u * group < 4u ? tree->plane_count - 4u * group : 4u;
}

bool acp_cell_tree_contains_point(const acp_cell_tree *tree, acp_vec3 point) {
    if (tree == NULL || tree->group_count == 0) return false;
    const float error = acp_filter_error(&tree->bounds, acp_filter_reach(point));
    const acp_lane4 x = acp_lane4_set(point.x), y = acp_lane4_set(point.y), z = acp_lane4_set(point.z);
    const acp_plane_group *groups = acp_cell_tree_groups(tree);
    const acp_lane4 inside = acp_lane4_set(error - ACP_EPSILON);
    uint32_t i = 0;
    do {
        acp_lane4 t = acp_plane_group_distance(&groups[i], x, y, z);
        if (acp_lane4_mask_greater(t, inside) == 0xFu) continue;
        if (acp_lane4_mask_less(t, acp_lane4_set(-error - ACP_EPSILON))) return false;
        if (!exact_point(planes_of(tree) + 4u * i, group_size(tree, i), &point)) return false;
    } while (++i < tree->group_count);
    return true;
}

acp_bounding acp_cell_tree_intersects_sphere(const acp_cell_tree *tree, const acp_sphere *sphere) {
    if (tree == NULL || tree->group_count == 0) return ACP_BOUNDING_OUTSIDE;
    const float radius = acp_f32((double)sphere->radius + ACP_CELL_PAD);
    const float error =
        acp_filter_error(&tree->bounds, acp_filter_reach(sphere->center)) + (float)(8.0 * ACP_FILTER_UNIT) * acp_filter_abs(radius);
    if (!(radius > error)) return exact_sphere(planes_of(tree), tree->plane_count, sphere);
    const acp_lane4 clear = acp_lane4_set(radius + error), outside = acp_lane4_set(-(radius + error));
    const acp_lane4 x = acp_lane4_set(sphere->center.x), y = acp_lane4_set(sphere->center.y), z = acp_lane4_set(sphere->center.z);
    const acp_plane_group *groups = acp_cell_tree_groups(tree);
    acp_bounding answer = ACP_BOUNDING_ENTIRELY_INSIDE;
    uint32_t i = 0;
    do {
        acp_lane4 t = acp_plane_group_distance(&groups[i], x, y, z);
        if (acp_lane4_mask_less(t, outside)) return ACP_BOUNDING_OUTSIDE;
        uint32_t is_clear = acp_lane4_mask_greater(t, clear);
        if (is_clear == 0xFu) continue;
        if ((is_clear | acp_lane4_mask_less(acp_lane4_abs(t), acp_lane4_set(radius - error))) != 0xFu)
            return exact_sphere(planes_of(tree), tree->plane_count, sphere);
        answer = ACP_BOUNDING_PARTLY_INSIDE;
    } while (++i < tree->group_count);
    return answer;
}

bool acp_cell_tree_intersects_box(const acp_cell_tree *tree, const acp_box *box) {
    if (tree == NULL || tree->group_count == 0) return false;
    const float reach = (farther_end(box->min.x, box->max.x) + farther_end(box->min.y, box->max.y)) + farther_end(box->min.z, box->max.z);
    const float error = acp_filter_error(&tree->bounds, reach);
    const acp_lane4 x0 = acp_lane4_set(box->min.x), y0 = acp_lane4_set(box->min.y), z0 = acp_lane4_set(box->min.z);
    const acp_lane4 x1 = acp_lane4_set(box->max.x), y1 = acp_lane4_set(box->max.y), z1 = acp_lane4_set(box->max.z);
    const acp_plane_group *groups = acp_cell_tree_groups(tree);
    uint32_t i = 0;
    do {
        const acp_lane4 nx = acp_lane4_load(groups[i].x), ny = acp_lane4_load(groups[i].y), nz = acp_lane4_load(groups[i].z);
        acp_lane4 tx = acp_lane4_max(acp_lane4_multiply(nx, x0), acp_lane4_multiply(nx, x1));
        acp_lane4 ty = acp_lane4_max(acp_lane4_multiply(ny, y0), acp_lane4_multiply(ny, y1));
        acp_lane4 tz = acp_lane4_max(acp_lane4_multiply(nz, z0), acp_lane4_multiply(nz, z1));
        acp_lane4 t = acp_lane4_add(acp_lane4_add(tz, acp_lane4_load(groups[i].d)), acp_lane4_add(ty, tx));
        if (acp_lane4_mask_less(t, acp_lane4_set(-error - ACP_EPSILON))) return false;
        if (acp_lane4_mask_greater(t, acp_lane4_set(error - ACP_EPSILON)) == 0xFu) continue;
        if (!exact_box(planes_of(tree) + 4u * i, group_size(tree, i), box)) return false;
    } while (++i < tree->group_count);
    return true;
}

uint32_t acp_cell_tree_plane_count(const acp_cell_tree *tree) { return tree == NULL ? 0 : tree->plane_count; }

acp_plane acp_cell_tree_plane(const acp_cell_tree *tree, uint32_t index) {
    if (index >= acp_cell_tree_plane_count(tree)) return (acp_plane){{0.0f, 0.0f, 0.0f}, 0.0f};
    return planes_of(tree)[index];
}

/* ---- Building ---- */

static acp_result refuse(acp_error *error, acp_result code, const char *operation, uint32_t ordinal, const char *message) {
    acp_result result = acp_error_set(error, code, operation, "%s", message);
    acp_error_set_place(error, ordinal, UINT64_MAX, "node");
    return result;
}

/* Group `index` as derived from the planes. */
static acp_plane_group derive_group(const acp_plane *planes, uint32_t plane_count, uint32_t index) {
    acp_plane_group group;
    for (uint32_t lane = 0; lane < 4; lane++) {
        /* An unused lane has everything inside. */
        acp_plane plane = {{0.0f, 0.0f, 0.0f}, INFINITY};
        if (4u * index + lane < plane_count) plane = planes[4u * index + lane];
        group.x[lane] = plane.normal.x;
        group.y[lane] = plane.normal.y;
        group.z[lane] = plane.normal.z;
        group.d[lane] = plane.d;
    }
    return group;
}

static acp_filter_bounds derive_bounds(const acp_plane *planes, uint32_t plane_count) {
    acp_filter_extent extent = {0.0f, 0.0f};
    for (uint32_t i = 0; i < plane_count; i++)
        acp_filter_extent_add(&extent, &planes[i]);
    return acp_filter_bounds_of(&extent);
}

static bool is_finite_plane(const acp_plane *plane) {
    return isfinite(plane->normal.x) && isfinite(plane->normal.y) && isfinite(plane->normal.z) && isfinite(plane->d);
}

/* Follows the chain into `planes` (room for ACP_BSP_MAX_DEPTH). */
static acp_result collect_chain(const acp_bsp_node_source *nodes, uint32_t node_count, uint32_t root, acp_content_mode mode,
                                acp_plane *planes, uint32_t *plane_count, acp_bsp_remarks *remarks, acp_error *error) {
    uint32_t next = root;
    while (next != ACP_BSP_NONE) {
        if (next >= node_count) return refuse(error, ACP_ERROR_BAD_DATA, OPERATION, next, "a child is out of range");
        /* A cycle never ends and so meets the cap of levels, or runs out of nodes first. */
        if (*plane_count >= node_count) return refuse(error, ACP_ERROR_BAD_DATA, OPERATION, next, "a node is reached twice");
        if (*plane_count >= ACP_BSP_MAX_DEPTH) return refuse(error, ACP_ERROR_LIMIT, OPERATION, next, "deeper than 1024 levels");
        const acp_bsp_node_source *node = &nodes[next];
        if (node->kind == ACP_BSP_LEAF) {
            planes[(*plane_count)++] = (acp_plane){{0.0f, 0.0f, 0.0f}, 0.0f};
            break;
        }
        if (node->kind != ACP_BSP_INTERIOR && node->kind != ACP_BSP_PORTAL)
            return refuse(error, ACP_ERROR_BAD_DATA, OPERATION, next, "unknown kind of node");
        if (!is_finite_plane(&node->plane))
            return refuse(error, ACP_ERROR_NOT_FINITE, OPERATION, next, "the splitting plane is not finite");
        if (node->kind == ACP_BSP_PORTAL) {
            if (mode == ACP_CONTENT_STRICT) return refuse(error, ACP_ERROR_BAD_DATA, OPERATION, next, "a PORT node in a cell tree");
            if (remarks->portal_nodes++ == 0) remarks->first_portal_node = next;
        }
        planes[(*plane_count)++] = node->plane;
        next = node->positive;
    }
    remarks->depth = *plane_count;
    return ACP_OK;
}

acp_result acp_cell_tree_create(const acp_bsp_node_source *nodes, uint32_t node_count, uint32_t root, acp_content_mode mode,
                                const acp_allocator *allocator, acp_bsp_remarks *out_remarks, acp_cell_tree **out_tree, acp_error *error) {
    if (out_tree == NULL || (node_count != 0 && nodes == NULL))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "a pointer is missing");
    if (node_count == 0 && mode == ACP_CONTENT_STRICT) return refuse(error, ACP_ERROR_BAD_DATA, OPERATION, 0, "a cell without a tree");
    acp_bsp_remarks remarks = {.first_degenerate_polygon = ACP_BSP_NONE,
                               .first_bad_vertex_ordinal = ACP_BSP_NONE,
                               .first_bad_polygon_ordinal_node = ACP_BSP_NONE,
                               .first_missing_child_node = ACP_BSP_NONE,
                               .first_portal_node = ACP_BSP_NONE,
                               .first_negative_radius_node = ACP_BSP_NONE};
    acp_plane planes[ACP_BSP_MAX_DEPTH];
    uint32_t plane_count = 0;
    if (node_count != 0) {
        acp_result result = collect_chain(nodes, node_count, root, mode, planes, &plane_count, &remarks, error);
        if (result != ACP_OK) return result;
    }
    const uint32_t group_count = (plane_count + 3u) / 4u;
    const size_t size = sizeof(acp_cell_tree) + plane_count * sizeof(acp_plane) + group_count * sizeof(acp_plane_group);
    acp_cell_tree *tree = acp_memory_allocate(allocator, size, 16);
    if (tree == NULL) return refuse(error, ACP_ERROR_OUT_OF_MEMORY, OPERATION, 0, "no memory for the tree");
    *tree = (acp_cell_tree){.magic = CELL_TREE_MAGIC,
                            .version = CELL_TREE_VERSION,
                            .size = (uint32_t)size,
                            .plane_count = plane_count,
                            .group_count = group_count,
                            .bounds = derive_bounds(planes, plane_count)};
    acp_plane_group *groups = (acp_plane_group *)(void *)(tree + 1);
    memcpy(groups + group_count, planes, plane_count * sizeof(acp_plane));
    for (uint32_t i = 0; i < group_count; i++)
        groups[i] = derive_group(planes, plane_count, i);
    if (out_remarks != NULL) *out_remarks = remarks;
    *out_tree = tree;
    return ACP_OK;
}

void acp_cell_tree_destroy(acp_cell_tree *tree, const acp_allocator *allocator) {
    if (tree != NULL) acp_memory_free(allocator, tree, tree->size, 16);
}

size_t acp_cell_tree_size(const acp_cell_tree *tree) { return tree == NULL ? 0 : tree->size; }

acp_result acp_cell_tree_open(const void *bytes, size_t size, const acp_cell_tree **out_tree, acp_error *error) {
    if (bytes == NULL || out_tree == NULL || (uintptr_t)bytes % 16u != 0)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPEN_OPERATION, "no bytes, or not aligned to 16");
    if (size < sizeof(acp_cell_tree)) return refuse(error, ACP_ERROR_TRUNCATED, OPEN_OPERATION, 0, "shorter than a header");
    const acp_cell_tree *tree = bytes;
    if (tree->magic != CELL_TREE_MAGIC) return refuse(error, ACP_ERROR_BAD_DATA, OPEN_OPERATION, 0, "not a cell tree");
    if (tree->version != CELL_TREE_VERSION) return refuse(error, ACP_ERROR_UNSUPPORTED, OPEN_OPERATION, 0, "another version");
    const uint32_t count = tree->plane_count;
    if (count > ACP_BSP_MAX_DEPTH) return refuse(error, ACP_ERROR_LIMIT, OPEN_OPERATION, 0, "deeper than 1024 levels");
    if (tree->group_count != (count + 3u) / 4u || tree->reserved != 0 ||
        tree->size != sizeof(acp_cell_tree) + count * sizeof(acp_plane) + tree->group_count * sizeof(acp_plane_group))
        return refuse(error, ACP_ERROR_BAD_DATA, OPEN_OPERATION, 0, "the counts do not agree");
    if (tree->size > size) return refuse(error, ACP_ERROR_TRUNCATED, OPEN_OPERATION, 0, "the block is cut short");
    for (uint32_t i = 0; i < count; i++)
        if (!is_finite_plane(&planes_of(tree)[i])) return refuse(error, ACP_ERROR_NOT_FINITE, OPEN_OPERATION, i, "a plane is not finite");
    acp_filter_bounds bounds = derive_bounds(planes_of(tree), count);
    bool is_derived = memcmp(&bounds, &tree->bounds, sizeof bounds) == 0;
    for (uint32_t i = 0; i < tree->group_count && is_derived; i++) {
        acp_plane_group group = derive_group(planes_of(tree), count, i);
        is_derived = memcmp(&group, &acp_cell_tree_groups(tree)[i], sizeof group) == 0;
    }
    if (!is_derived) return refuse(error, ACP_ERROR_BAD_DATA, OPEN_OPERATION, 0, "derived data are damaged");
    *out_tree = tree;
    return ACP_OK;
}
