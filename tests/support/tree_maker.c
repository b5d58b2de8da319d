/* SPDX-License-Identifier: MIT */
/* Random trees. Nothing here knows how a tree is asked: it only fills the arrays of a description. Sizes are kept small so that many trees
 * fit into a run; coordinates are snapped to a coarse grid in half of the trees, which makes exact ties (a centre exactly at the reach of a
 * plane, a contact point exactly on an edge) common instead of impossible. */
#include "tests/support/tree_maker.h"

#include <math.h>
#include <stddef.h>

#define TAU 6.283185307179586

const char *tree_family_name(tree_family family) {
    static const char *const names[TREE_FAMILY_COUNT] = {"random", "balanced", "room", "deep", "duplicate-plane", "zero-area", "faulty"};
    return names[family];
}

static bool chance(test_random *random, uint32_t percent) { return test_random_below(random, 100) < percent; }

static float coordinate(const made_tree *tree, double value) {
    if (tree->is_snapped) value = floor(value / tree->scale * 8.0 + 0.5) * tree->scale / 8.0;
    return (float)value;
}

static acp_vec3 point_in_room(const made_tree *tree, test_random *random) {
    acp_vec3 p;
    p.x = coordinate(tree, tree->offset + test_random_in(random, -5.0, 5.0) * tree->scale);
    p.y = coordinate(tree, -tree->offset + test_random_in(random, -5.0, 5.0) * tree->scale);
    p.z = coordinate(tree, test_random_in(random, -2.0, 5.0) * tree->scale);
    return p;
}

static acp_vec3 unit_vector(test_random *random) {
    static const acp_vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    if (chance(random, 50)) return axes[test_random_below(random, 6)];
    for (;;) {
        double x = test_random_in(random, -1, 1), y = test_random_in(random, -1, 1), z = test_random_in(random, -1, 1);
        double length = sqrt(x * x + y * y + z * z);
        if (length < 0.1 || length > 1.0) continue;
        acp_vec3 v = {(float)(x / length), (float)(y / length), (float)(z / length)};
        return v;
    }
}

/* ---- polygons ---- */

static void begin_polygon(made_tree *tree, test_random *random) {
    acp_polygon_source *polygon = &tree->polygons[tree->source.polygon_count++];
    polygon->first_index = tree->source.index_count;
    polygon->point_count = 0;
    polygon->id = chance(random, 95) ? tree->source.polygon_count - 1 : test_random_below(random, 65536);
    polygon->sides_type = (int32_t)test_random_below(random, 3);
}

static void add_point(made_tree *tree, acp_vec3 p) {
    acp_polygon_source *polygon = &tree->polygons[tree->source.polygon_count - 1];
    tree->vertices[tree->source.vertex_count] = p;
    tree->indices[tree->source.index_count++] = tree->source.vertex_count++;
    polygon->point_count++;
}

/* A convex polygon around a centre; sometimes bent out of its plane, sometimes with a repeated point. */
static void add_convex(made_tree *tree, test_random *random, double bend) {
    acp_vec3 n = unit_vector(random), center = point_in_room(tree, random);
    double ux = fabs((double)n.x) < 0.9 ? 1 : 0, uy = ux > 0 ? 0 : 1;
    double dot = ux * (double)n.x + uy * (double)n.y;
    double vx = ux - dot * (double)n.x, vy = uy - dot * (double)n.y, vz = -dot * (double)n.z;
    double length = sqrt(vx * vx + vy * vy + vz * vz);
    vx /= length, vy /= length, vz /= length;
    double wx = (double)n.y * vz - (double)n.z * vy, wy = (double)n.z * vx - (double)n.x * vz, wz = (double)n.x * vy - (double)n.y * vx;
    uint32_t count = 3 + test_random_below(random, chance(random, 10) ? MADE_TREE_MAX_POINTS - 2 : 3);
    double radius = test_random_in(random, 0.2, 4.0) * tree->scale, start = test_random_in(random, 0, TAU);
    bool is_square = count == 4 && chance(random, 60);
    if (is_square) start = TAU / 8;
    begin_polygon(tree, random);
    for (uint32_t i = 0; i < count; i++) {
        double angle = start + TAU * ((double)i + (is_square ? 0.0 : test_random_in(random, 0, 0.8))) / (double)count;
        double a = cos(angle) * radius, b = sin(angle) * radius;
        double lift = bend > 0 ? test_random_in(random, -bend, bend) * tree->scale : 0;
        acp_vec3 p;
        p.x = coordinate(tree, (double)center.x + a * vx + b * wx + lift * (double)n.x);
        p.y = coordinate(tree, (double)center.y + a * vy + b * wy + lift * (double)n.y);
        p.z = coordinate(tree, (double)center.z + a * vz + b * wz + lift * (double)n.z);
        add_point(tree, p);
    }
}

static void add_quad(made_tree *tree, test_random *random, acp_vec3 a, acp_vec3 b, acp_vec3 c, acp_vec3 d) {
    begin_polygon(tree, random);
    add_point(tree, a);
    add_point(tree, b);
    add_point(tree, c);
    add_point(tree, d);
}

/* Points on a line, or all the same, or almost. */
static void add_thin(made_tree *tree, test_random *random) {
    acp_vec3 start = point_in_room(tree, random), along = unit_vector(random);
    double noise = chance(random, 40) ? 0.0 : tree->scale * pow(10.0, test_random_in(random, -8, -1));
    double length = chance(random, 20) ? 0.0 : tree->scale * test_random_in(random, 0.1, 5.0);
    uint32_t count = 3 + test_random_below(random, 4);
    begin_polygon(tree, random);
    for (uint32_t i = 0; i < count; i++) {
        double s = test_random_in(random, 0, length);
        acp_vec3 p;
        p.x = (float)((double)start.x + s * (double)along.x + test_random_in(random, -noise, noise));
        p.y = (float)((double)start.y + s * (double)along.y + test_random_in(random, -noise, noise));
        p.z = (float)((double)start.z + s * (double)along.z + test_random_in(random, -noise, noise));
        add_point(tree, p);
    }
}

/* ---- nodes ---- */

static double length_of(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

/* Through a polygon of the tree, through a point along an axis, or anything; the stored normal is not always of unit length. */
static acp_plane splitting_plane(const made_tree *tree, test_random *random) {
    acp_plane plane;
    acp_vec3 p = point_in_room(tree, random);
    plane.normal = unit_vector(random);
    if (tree->source.polygon_count > 0 && chance(random, 50)) {
        const acp_polygon_source *polygon = &tree->polygons[test_random_below(random, tree->source.polygon_count)];
        if (polygon->point_count >= 3 && tree->indices[polygon->first_index] < tree->source.vertex_count) {
            const uint32_t *at = &tree->indices[polygon->first_index];
            acp_vec3 a = tree->vertices[at[0]];
            p = a;
            if (at[1] < tree->source.vertex_count && at[2] < tree->source.vertex_count) {
                acp_vec3 b = tree->vertices[at[1]], c = tree->vertices[at[2]];
                double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
                double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y, vz = (double)c.z - (double)a.z;
                double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx, length = length_of(nx, ny, nz);
                if (length > 1e-12 * tree->scale * tree->scale) {
                    plane.normal.x = (float)(nx / length);
                    plane.normal.y = (float)(ny / length);
                    plane.normal.z = (float)(nz / length);
                }
            }
        }
    }
    if (chance(random, 3)) {
        float stretch = (float)test_random_in(random, 0.01, 3.0);
        plane.normal.x *= stretch, plane.normal.y *= stretch, plane.normal.z *= stretch;
    }
    plane.d = (float)-((double)plane.normal.x * (double)p.x + (double)plane.normal.y * (double)p.y + (double)plane.normal.z * (double)p.z);
    return plane;
}

/* Contains everything, or most, or is anywhere. */
static acp_sphere bounding_sphere(const made_tree *tree, test_random *random, bool is_wide) {
    acp_sphere sphere;
    sphere.center.x = (float)tree->offset;
    sphere.center.y = (float)-tree->offset;
    sphere.center.z = (float)tree->scale;
    sphere.radius = (float)(12.0 * tree->scale);
    if (is_wide && chance(random, 90)) return sphere;
    sphere.center = point_in_room(tree, random);
    sphere.radius = (float)(test_random_in(random, 0.5, 9.0) * tree->scale);
    return sphere;
}

static uint32_t new_node(made_tree *tree) {
    acp_bsp_node_source *node = &tree->nodes[tree->source.node_count];
    static const acp_bsp_node_source empty = {ACP_BSP_LEAF, ACP_BSP_NONE, ACP_BSP_NONE, 0, {{0, 0, 0}, 0}, {{0, 0, 0}, 0}, 0, 0, -1, 0};
    *node = empty;
    return tree->source.node_count++;
}

static void list_polygon(made_tree *tree, acp_bsp_node_source *leaf, uint32_t ordinal) {
    if (tree->source.leaf_polygon_count == MADE_TREE_MAX_ENTRIES) return;
    tree->entries[tree->source.leaf_polygon_count++] = ordinal;
    leaf->polygon_count++;
}

static uint32_t new_leaf(made_tree *tree, test_random *random, uint32_t most, bool is_wide) {
    uint32_t index = new_node(tree);
    acp_bsp_node_source *leaf = &tree->nodes[index];
    leaf->solid = chance(random, 60) ? (chance(random, 95) ? 1 : -7) : 0;
    leaf->sphere = bounding_sphere(tree, random, is_wide);
    leaf->leaf_index = (int32_t)index;
    leaf->first_polygon = tree->source.leaf_polygon_count;
    uint32_t count = chance(random, 30) ? 0 : test_random_below(random, most + 1);
    for (uint32_t i = 0; i < count && tree->source.polygon_count > 0; i++)
        list_polygon(tree, leaf, test_random_below(random, tree->source.polygon_count));
    return index;
}

static uint32_t grow_random(made_tree *tree, test_random *random, uint32_t depth, uint32_t most, bool is_wide) {
    if (depth == 0 || chance(random, 12)) return new_leaf(tree, random, most, is_wide);
    uint32_t index = new_node(tree);
    tree->nodes[index].kind = ACP_BSP_INTERIOR;
    tree->nodes[index].plane = splitting_plane(tree, random);
    tree->nodes[index].sphere = bounding_sphere(tree, random, is_wide);
    uint32_t positive = grow_random(tree, random, depth - 1, most, is_wide);
    tree->nodes[index].positive = positive;
    uint32_t negative = grow_random(tree, random, depth - 1, most, is_wide);
    tree->nodes[index].negative = negative;
    return index;
}

/* Centre of a polygon's points along an axis. */
static double center_along(const made_tree *tree, uint32_t ordinal, uint32_t axis) {
    const acp_polygon_source *polygon = &tree->polygons[ordinal];
    double sum = 0;
    for (uint32_t i = 0; i < polygon->point_count; i++) {
        const acp_vec3 *v = &tree->vertices[tree->indices[polygon->first_index + i]];
        sum += (double)(axis == 0 ? v->x : axis == 1 ? v->y : v->z);
    }
    return sum / (double)polygon->point_count;
}

/* The smallest sphere around the box of some polygons, as an author would make it. */
static acp_sphere sphere_around(const made_tree *tree, const uint32_t *list, uint32_t count) {
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
    for (uint32_t i = 0; i < count; i++) {
        const acp_polygon_source *polygon = &tree->polygons[list[i]];
        for (uint32_t k = 0; k < polygon->point_count; k++) {
            const acp_vec3 *v = &tree->vertices[tree->indices[polygon->first_index + k]];
            const double p[3] = {(double)v->x, (double)v->y, (double)v->z};
            for (int axis = 0; axis < 3; axis++) {
                if (p[axis] < low[axis]) low[axis] = p[axis];
                if (p[axis] > high[axis]) high[axis] = p[axis];
            }
        }
    }
    acp_sphere sphere = {{0, 0, 0}, 0};
    if (count == 0) return sphere;
    sphere.center.x = (float)((low[0] + high[0]) / 2);
    sphere.center.y = (float)((low[1] + high[1]) / 2);
    sphere.center.z = (float)((low[2] + high[2]) / 2);
    sphere.radius = (float)(length_of(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2 * 1.0001 + 1e-6);
    return sphere;
}

static uint32_t grow_balanced(made_tree *tree, test_random *random, uint32_t *list, uint32_t count, uint32_t depth) {
    uint32_t index = new_node(tree);
    acp_sphere sphere = sphere_around(tree, list, count);
    if (count <= 2 || depth == 0) {
        acp_bsp_node_source *leaf = &tree->nodes[index];
        leaf->solid = chance(random, 50);
        leaf->sphere = sphere;
        leaf->leaf_index = (int32_t)index;
        leaf->first_polygon = tree->source.leaf_polygon_count;
        for (uint32_t i = 0; i < count; i++)
            list_polygon(tree, leaf, list[i]);
        return index;
    }
    uint32_t axis = test_random_below(random, 3), split = 0;
    double limit = center_along(tree, list[test_random_below(random, count)], axis);
    limit = (double)coordinate(tree, limit);
    for (uint32_t i = 0; i < count; i++) { /* those above the plane to the front */
        if (center_along(tree, list[i], axis) >= limit) {
            uint32_t ordinal = list[i];
            list[i] = list[split];
            list[split++] = ordinal;
        }
    }
    acp_plane plane = {{axis == 0, axis == 1, axis == 2}, (float)-limit};
    tree->nodes[index].kind = ACP_BSP_INTERIOR;
    tree->nodes[index].plane = plane;
    tree->nodes[index].sphere = sphere;
    uint32_t positive = grow_balanced(tree, random, list, split, depth - 1);
    tree->nodes[index].positive = positive;
    uint32_t negative = grow_balanced(tree, random, list + split, count - split, depth - 1);
    tree->nodes[index].negative = negative;
    return index;
}

/* A box of six faces: looking inward (a room) or outward (a block). */
static void add_box(made_tree *tree, test_random *random, const double low[3], const double high[3], bool is_inward) {
    acp_vec3 c[8];
    for (int i = 0; i < 8; i++) {
        c[i].x = coordinate(tree, tree->offset + (i & 1 ? high[0] : low[0]) * tree->scale);
        c[i].y = coordinate(tree, -tree->offset + (i & 2 ? high[1] : low[1]) * tree->scale);
        c[i].z = coordinate(tree, (i & 4 ? high[2] : low[2]) * tree->scale);
    }
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {1, 5, 7, 3}, {0, 2, 6, 4}, {2, 3, 7, 6}, {0, 4, 5, 1}};
    for (int f = 0; f < 6; f++) {
        const int *face = faces[f];
        if (is_inward) {
            add_quad(tree, random, c[face[0]], c[face[1]], c[face[2]], c[face[3]]);
        } else {
            add_quad(tree, random, c[face[3]], c[face[2]], c[face[1]], c[face[0]]);
        }
    }
}

static acp_plane plane_of_quad(const made_tree *tree, uint32_t ordinal) {
    const uint32_t *at = &tree->indices[tree->polygons[ordinal].first_index];
    acp_vec3 a = tree->vertices[at[0]], b = tree->vertices[at[1]], c = tree->vertices[at[2]];
    double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
    double vx = (double)c.x - (double)b.x, vy = (double)c.y - (double)b.y, vz = (double)c.z - (double)b.z;
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx, length = length_of(nx, ny, nz);
    acp_plane plane;
    if (length == 0.0) length = 1.0;
    plane.normal.x = (float)(nx / length);
    plane.normal.y = (float)(ny / length);
    plane.normal.z = (float)(nz / length);
    plane.d = (float)-((double)plane.normal.x * (double)a.x + (double)plane.normal.y * (double)a.y + (double)plane.normal.z * (double)a.z);
    return plane;
}

/* As fixture B of the spec: a chain over the walls, then over the faces of the blocks. */
static void make_room(made_tree *tree, test_random *random) {
    const double low[3] = {-5, -5, 0}, high[3] = {5, 5, 4};
    add_box(tree, random, low, high, true);
    uint32_t blocks = test_random_below(random, 4);
    for (uint32_t i = 0; i < blocks; i++) {
        double x = test_random_in(random, -4, 3), y = test_random_in(random, -4, 3);
        const double from[3] = {x, y, 0},
                     to[3] = {x + test_random_in(random, 0.2, 3), y + test_random_in(random, 0.2, 3), test_random_in(random, 0.1, 2)};
        add_box(tree, random, from, to, false);
    }
    acp_sphere everything = bounding_sphere(tree, random, true);
    uint32_t previous = ACP_BSP_NONE;
    for (uint32_t f = 0; f < 6; f++) {
        uint32_t index = new_node(tree);
        if (previous != ACP_BSP_NONE) tree->nodes[previous].positive = index;
        previous = index;
        tree->nodes[index].kind = ACP_BSP_INTERIOR;
        tree->nodes[index].plane = plane_of_quad(tree, f);
        tree->nodes[index].sphere = everything;
        uint32_t leaf = new_node(tree);
        tree->nodes[index].negative = leaf;
        tree->nodes[leaf].solid = 1;
        tree->nodes[leaf].first_polygon = tree->source.leaf_polygon_count;
        list_polygon(tree, &tree->nodes[leaf], f);
        tree->nodes[leaf].sphere = sphere_around(tree, &f, 1);
    }
    uint32_t list[MADE_TREE_MAX_POLYGONS];
    for (uint32_t i = 6; i < tree->source.polygon_count; i++)
        list[i - 6] = i;
    uint32_t rest = grow_balanced(tree, random, list, tree->source.polygon_count - 6, 6);
    tree->nodes[previous].positive = rest;
}

static void make_deep(made_tree *tree, test_random *random) {
    uint32_t levels = 50 + test_random_below(random, 950);
    bool is_cell_like = chance(random, 50);
    acp_sphere everything = bounding_sphere(tree, random, true);
    uint32_t previous = ACP_BSP_NONE;
    bool was_positive = true;
    for (uint32_t level = 0; level < levels; level++) {
        uint32_t index = new_node(tree);
        acp_bsp_node_source *node = &tree->nodes[index];
        node->kind = ACP_BSP_INTERIOR;
        node->plane = splitting_plane(tree, random);
        if (is_cell_like) node->plane.d = (float)(tree->scale * test_random_in(random, 4, 9) + 2.0 * fabs(tree->offset));
        node->sphere = chance(random, 97) ? everything : bounding_sphere(tree, random, false);
        if (previous != ACP_BSP_NONE) *(was_positive ? &tree->nodes[previous].positive : &tree->nodes[previous].negative) = index;
        was_positive = is_cell_like || chance(random, 70);
        uint32_t leaf = new_leaf(tree, random, 2, true);
        *(was_positive ? &tree->nodes[index].negative : &tree->nodes[index].positive) = leaf;
        previous = index;
    }
    uint32_t last = new_leaf(tree, random, 4, true);
    *(was_positive ? &tree->nodes[previous].positive : &tree->nodes[previous].negative) = last;
}

static void make_duplicates(made_tree *tree, test_random *random) {
    acp_plane planes[3];
    for (int i = 0; i < 3; i++)
        planes[i] = splitting_plane(tree, random);
    (void)grow_random(tree, random, 7, 8, true);
    for (uint32_t i = 0; i < tree->source.node_count; i++)
        if (tree->nodes[i].kind == ACP_BSP_INTERIOR && chance(random, 90)) tree->nodes[i].plane = planes[test_random_below(random, 3)];
    for (uint32_t i = 1; i < tree->source.leaf_polygon_count; i++)
        if (chance(random, 40)) tree->entries[i] = tree->entries[i - 1];
}

/* Breaks a finished tree in every way that a lenient build has to put up with. */
static void make_faults(made_tree *tree, test_random *random) {
    for (uint32_t i = 0; i < tree->source.polygon_count; i++) {
        acp_polygon_source *polygon = &tree->polygons[i];
        if (chance(random, 8)) polygon->point_count = test_random_below(random, 3);
        if (chance(random, 4) && polygon->point_count > 0)
            tree->indices[polygon->first_index + test_random_below(random, polygon->point_count)] =
                tree->source.vertex_count + test_random_below(random, 70000);
    }
    for (uint32_t i = 0; i < tree->source.leaf_polygon_count; i++) {
        if (chance(random, 4)) tree->entries[i] = tree->source.polygon_count + test_random_below(random, 300);
        if (chance(random, 2)) tree->entries[i] = 32760 + test_random_below(random, 32775);
    }
    for (uint32_t i = 0; i < tree->source.node_count; i++) {
        acp_bsp_node_source *node = &tree->nodes[i];
        if (chance(random, 3)) node->sphere.radius = -node->sphere.radius;
        if (node->kind == ACP_BSP_LEAF) continue;
        if (chance(random, 5)) node->kind = ACP_BSP_PORTAL;
        if (chance(random, 4)) node->positive = ACP_BSP_NONE;
        if (chance(random, 4)) node->negative = ACP_BSP_NONE;
    }
}

static void choose_size(made_tree *tree, test_random *random) {
    static const double scales[] = {1, 1, 1, 1, 1, 1, 0.01, 30, 1000, 1e6, 1e12, 1e-5};
    tree->scale = scales[test_random_below(random, sizeof scales / sizeof scales[0])];
    tree->is_snapped = chance(random, 50);
    tree->offset = chance(random, 70) ? 0.0 : tree->scale * test_random_in(random, -190, 190);
    if (tree->is_snapped) tree->offset = (double)coordinate(tree, tree->offset);
}

void made_tree_make(made_tree *tree, tree_family family, test_random *random) {
    acp_bsp_source *source = &tree->source;
    static const acp_bsp_source nothing = {NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0};
    *source = nothing;
    source->vertices = tree->vertices;
    source->polygons = tree->polygons;
    source->indices = tree->indices;
    source->nodes = tree->nodes;
    source->leaf_polygons = tree->entries;
    tree->family = family;
    choose_size(tree, random);
    uint32_t wanted = family == TREE_ROOM ? 0 : 4 + test_random_below(random, chance(random, 10) ? 200 : 40);
    for (uint32_t i = 0; i < wanted; i++) {
        if (family == TREE_ZERO_AREA && chance(random, 70)) {
            add_thin(tree, random);
        } else {
            add_convex(tree, random, chance(random, 30) ? test_random_in(random, 0, 0.3) : 0);
        }
    }
    uint32_t list[MADE_TREE_MAX_POLYGONS];
    for (uint32_t i = 0; i < source->polygon_count; i++)
        list[i] = i;
    switch (family) {
    case TREE_BALANCED:
        (void)grow_balanced(tree, random, list, source->polygon_count, 10);
        break;
    case TREE_ROOM:
        make_room(tree, random);
        break;
    case TREE_DEEP:
        make_deep(tree, random);
        break;
    case TREE_DUPLICATE_PLANE:
        make_duplicates(tree, random);
        break;
    case TREE_RANDOM:
    case TREE_ZERO_AREA:
    case TREE_FAULTY:
    case TREE_FAMILY_COUNT:
    default:
        (void)grow_random(tree, random, 3 + test_random_below(random, 7), 5, chance(random, 70));
        if (family == TREE_FAULTY) make_faults(tree, random);
        break;
    }
    source->root = 0;
}
