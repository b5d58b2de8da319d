/* SPDX-License-Identifier: MIT */
/* Building a physics tree: from a description with indices to one block (spec 03 §10, §12; 02 DAT-70, DAT-72; D16, D20).
 *
 * Three passes. The first checks everything that is refused in both modes (caps, lists out of range, numbers that are not finite) and
 * counts. The second walks the nodes from the root with an explicit stack, depth first, positive child first, and gives each node and leaf
 * its place; a node reached a second time (a cycle, or two parents) is refused (DIV-24), a missing child becomes an empty leaf (DIV-20).
 * The third fills the block. What a lenient build put up with is counted in the remarks; strict mode refuses at the first.
 *
 * Limits: DAT-70's caps, 4 GB. Memory: the block and one scratch array (8 bytes a node and 12 KB), freed before the return;
 * a refused allocation leaves nothing behind. Cost: linear. Nodes that the root does not reach are checked by nobody and dropped. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/bsp_format.h"
#include "geom/plane.h"

#define OPERATION "build tree"

typedef struct walk_entry {
    uint32_t source; /* node of the description or ACP_BSP_NONE */
    uint32_t depth;
    uint32_t parent_slot; /* where its child word goes: 2 * node + (negative ? 1 : 0), or ACP_BSP_NONE for the root */
} walk_entry;

typedef struct build {
    const acp_bsp_source *source;
    acp_content_mode mode;
    acp_error *error;
    acp_bsp_remarks remarks;
    uint64_t point_count, edge_group_count, node_count, leaf_count, leaf_group_count;
    uint8_t *reached; /* per node of the description */
} build;

static bool is_finite_vec3(acp_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static acp_result refuse(build *b, acp_result code, uint32_t ordinal, const char *field, const char *message) {
    acp_result result = acp_error_set(b->error, code, OPERATION, "%s", message);
    acp_error_set_place(b->error, ordinal, UINT64_MAX, field);
    return result;
}

/* A fault that lenient reading puts up with: counted, or refused in strict mode. */
static acp_result remark(build *b, uint32_t *count, uint32_t *first, uint32_t ordinal, const char *field, const char *message) {
    if (b->mode == ACP_CONTENT_STRICT) return refuse(b, ACP_ERROR_BAD_DATA, ordinal, field, message);
    if ((*count)++ == 0) *first = ordinal;
    return ACP_OK;
}

static acp_result check_vertices(build *b) {
    const acp_bsp_source *s = b->source;
    if (s->vertex_count > ACP_BSP_MAX_VERTICES) return refuse(b, ACP_ERROR_LIMIT, 0, "vertices", "more than 65535 vertices");
    if (s->polygon_count > ACP_BSP_MAX_POLYGONS) return refuse(b, ACP_ERROR_LIMIT, 0, "polygons", "more than 65535 polygons");
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (!is_finite_vec3(s->vertices[i])) return refuse(b, ACP_ERROR_NOT_FINITE, i, "vertices", "a vertex is not finite");
    return ACP_OK;
}

/* Does every vertex ordinal name a vertex? */
static bool are_ordinals_good(const acp_bsp_source *s, const acp_polygon_source *p) {
    for (uint32_t i = 0; i < p->point_count; i++)
        if (s->indices[p->first_index + i] >= s->vertex_count) return false;
    return true;
}

static acp_result check_polygons(build *b) {
    const acp_bsp_source *s = b->source;
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const acp_polygon_source *p = &s->polygons[i];
        if (p->point_count > ACP_BSP_MAX_POLYGON_POINTS) return refuse(b, ACP_ERROR_LIMIT, i, "polygon.points", "more than 255 points");
        if (p->first_index > s->index_count || p->point_count > s->index_count - p->first_index)
            return refuse(b, ACP_ERROR_BAD_DATA, i, "polygon.points", "the list of vertex numbers is cut short");
        acp_result result = ACP_OK;
        if (!are_ordinals_good(s, p)) {
            result = remark(b, &b->remarks.bad_vertex_ordinals, &b->remarks.first_bad_vertex_ordinal, i, "polygon.vertex",
                            "a vertex number is out of range");
        } else {
            acp_vec3 points[ACP_BSP_MAX_POLYGON_POINTS];
            for (uint32_t k = 0; k < p->point_count; k++)
                points[k] = s->vertices[s->indices[p->first_index + k]];
            acp_plane plane = acp_polygon_make_plane(points, p->point_count);
            b->point_count += p->point_count;
            if (isnan(plane.d))
                result = remark(b, &b->remarks.degenerate_polygons, &b->remarks.first_degenerate_polygon, i, "polygon",
                                "the polygon has no plane: fewer than three points, or all on a line");
            else
                b->edge_group_count += acp_bsp_group_count(p->point_count);
        }
        if (result != ACP_OK) return result;
    }
    return ACP_OK;
}

static acp_result check_leaf(build *b, uint32_t index) {
    const acp_bsp_source *s = b->source;
    const acp_bsp_node_source *n = &s->nodes[index];
    bool is_empty = n->polygon_count == 0;
    if (n->first_polygon > s->leaf_polygon_count || n->polygon_count > s->leaf_polygon_count - n->first_polygon)
        return refuse(b, ACP_ERROR_BAD_DATA, index, "leaf.polygons", "the list of polygon numbers is cut short");
    /* BSP-4: flag and sphere of an empty leaf may be garbage; nobody looks at them. */
    if (!is_empty || b->mode == ACP_CONTENT_STRICT) {
        if (!is_finite_vec3(n->sphere.center) || !isfinite(n->sphere.radius))
            return refuse(b, ACP_ERROR_NOT_FINITE, index, "leaf.sphere", "the sphere is not finite");
        if (n->sphere.radius < 0.0f) {
            acp_result result = remark(b, &b->remarks.negative_radii, &b->remarks.first_negative_radius_node, index, "leaf.sphere",
                                       "the radius is negative");
            if (result != ACP_OK) return result;
        }
    }
    for (uint32_t i = 0; i < n->polygon_count; i++) {
        uint32_t named = s->leaf_polygons[n->first_polygon + i];
        if (named >= s->polygon_count || named > ACP_BSP_MAX_NAMED_POLYGON) {
            acp_result result = remark(b, &b->remarks.bad_polygon_ordinals, &b->remarks.first_bad_polygon_ordinal_node, index,
                                       "leaf.polygon", "a polygon number is out of range");
            if (result != ACP_OK) return result;
        }
    }
    b->leaf_count++;
    b->leaf_group_count += acp_bsp_group_count(n->polygon_count);
    return ACP_OK;
}

static acp_result check_interior(build *b, uint32_t index) {
    const acp_bsp_node_source *n = &b->source->nodes[index];
    if (!is_finite_vec3(n->plane.normal) || !isfinite(n->plane.d))
        return refuse(b, ACP_ERROR_NOT_FINITE, index, "node.plane", "the splitting plane is not finite");
    acp_result result = ACP_OK;
    if (n->kind == ACP_BSP_PORTAL) {
        result = remark(b, &b->remarks.portal_nodes, &b->remarks.first_portal_node, index, "node", "a PORT node in a physics tree");
    } else {
        if (!is_finite_vec3(n->sphere.center) || !isfinite(n->sphere.radius))
            return refuse(b, ACP_ERROR_NOT_FINITE, index, "node.sphere", "the sphere is not finite");
        if (n->sphere.radius < 0.0f)
            result = remark(b, &b->remarks.negative_radii, &b->remarks.first_negative_radius_node, index, "node.sphere",
                            "the radius is negative");
    }
    b->node_count++;
    return result;
}

/* Takes the next node of the walk off the stack, having pushed its children; fills `out`. The same order in both walks. */
static walk_entry walk_next(const acp_bsp_source *s, walk_entry *stack, uint32_t *top, uint32_t node_index) {
    walk_entry entry = stack[--*top];
    if (entry.source == ACP_BSP_NONE || s->nodes[entry.source].kind == ACP_BSP_LEAF) return entry;
    const acp_bsp_node_source *n = &s->nodes[entry.source];
    stack[(*top)++] = (walk_entry){n->negative, entry.depth + 1, 2 * node_index + 1};
    stack[(*top)++] = (walk_entry){n->positive, entry.depth + 1, 2 * node_index};
    return entry;
}

/* The first walk: everything reachable is checked once and counted. */
static acp_result check_nodes(build *b) {
    const acp_bsp_source *s = b->source;
    walk_entry stack[ACP_BSP_MAX_DEPTH + 2];
    uint32_t top = 0;
    stack[top++] = (walk_entry){s->root, 1, ACP_BSP_NONE};
    while (top > 0) {
        walk_entry next = stack[top - 1];
        if (next.depth > ACP_BSP_MAX_DEPTH) return refuse(b, ACP_ERROR_LIMIT, next.source, "node", "deeper than 1024 levels");
        if (next.depth > b->remarks.depth) b->remarks.depth = next.depth;
        if (next.source == ACP_BSP_NONE) {
            b->leaf_count++;
            top--;
            continue;
        }
        if (next.source >= s->node_count) return refuse(b, ACP_ERROR_BAD_DATA, next.source, "node.child", "a child is out of range");
        if (b->reached[next.source]) return refuse(b, ACP_ERROR_BAD_DATA, next.source, "node.child", "a node is reached twice");
        b->reached[next.source] = 1;
        const acp_bsp_node_source *n = &s->nodes[next.source];
        acp_result result;
        if (n->kind == ACP_BSP_LEAF) {
            result = check_leaf(b, next.source);
        } else if (n->kind == ACP_BSP_INTERIOR || n->kind == ACP_BSP_PORTAL) {
            result = check_interior(b, next.source);
            if (result == ACP_OK && (n->positive == ACP_BSP_NONE || n->negative == ACP_BSP_NONE))
                result = remark(b, &b->remarks.missing_children, &b->remarks.first_missing_child_node, next.source, "node.child",
                                "an interior node lacks a child");
        } else {
            result = refuse(b, ACP_ERROR_BAD_DATA, next.source, "node.kind", "unknown kind of node");
        }
        if (result != ACP_OK) return result;
        (void)walk_next(s, stack, &top, 0);
    }
    return ACP_OK;
}

void acp_bsp_derive_edge_groups(const acp_plane *plane, const acp_vec3 *points, uint32_t point_count, acp_plane_group *out_groups,
                                acp_filter_bounds *out_bounds) {
    double nx = (double)plane->normal.x, ny = (double)plane->normal.y, nz = (double)plane->normal.z;
    acp_filter_extent bounds = {0.0f, 0.0f};
    float reach = 0.0f;
    for (uint32_t i = 0; i < acp_bsp_group_count(point_count) * 4u; i++) {
        acp_plane_group *group = &out_groups[i / 4u];
        uint32_t lane = i % 4u;
        if (i >= point_count) { /* an unused lane is inside everywhere */
            group->x[lane] = 0.0f;
            group->y[lane] = 0.0f;
            group->z[lane] = 0.0f;
            group->d[lane] = INFINITY;
            continue;
        }
        const acp_vec3 *cur = &points[i], *prev = &points[i == 0 ? point_count - 1 : i - 1];
        double ex = (double)cur->x - (double)prev->x, ey = (double)cur->y - (double)prev->y, ez = (double)cur->z - (double)prev->z;
        double cx = acp_stored(ez * ny - ey * nz), cy = acp_stored(ex * nz - ez * nx), cz = ey * nx - ex * ny;
        group->x[lane] = acp_f32(cx);
        group->y[lane] = acp_f32(cy);
        group->z[lane] = acp_f32(cz);
        group->d[lane] = acp_f32(-((cz * (double)prev->z + cy * (double)prev->y) + cx * (double)prev->x));
        acp_plane edge = {{group->x[lane], group->y[lane], group->z[lane]}, group->d[lane]};
        acp_filter_extent_add(&bounds, &edge);
        if (acp_filter_reach(*prev) > reach) reach = acp_filter_reach(*prev);
    }
    /* d was formed by sums that may cancel: binary64 rounding of their terms, made part of the bound (geom/bsp_polygon.h). */
    bounds.d = acp_f32(((double)bounds.d + 0x1p-19 * (double)bounds.normal * (double)reach) * (1.0 + 2.0 * ACP_FILTER_UNIT));
    *out_bounds = acp_filter_bounds_of(&bounds);
}

typedef struct edge {
    double x, y, z, length;
} edge;

static edge edge_between(const acp_vec3 *from, const acp_vec3 *to) {
    edge e = {(double)to->x - (double)from->x, (double)to->y - (double)from->y, (double)to->z - (double)from->z, 0};
    e.length = sqrt((e.z * e.z + e.y * e.y) + e.x * e.x);
    return e;
}

static double ahead(const edge *a, const edge *b) { return (a->z * b->z + a->y * b->y) + a->x * b->x; }

/* From one edge to the next: clearly to the left about the normal, and by less than 179 degrees. */
static bool is_turning_left(const acp_plane *plane, const edge *a, const edge *b) {
    double scale = a->length * b->length, nx = (double)plane->normal.x, ny = (double)plane->normal.y, nz = (double)plane->normal.z;
    double left = ((a->x * b->y - a->y * b->x) * nz + (a->z * b->x - a->x * b->z) * ny) + (a->y * b->z - a->z * b->y) * nx;
    return left >= 1.0e-3 * scale && ahead(a, b) >= -0.9998 * scale;
}

/* Regular in the sense of geom/bsp_polygon.h; the cosine of its sharpest corner. */
static bool is_regular(const acp_plane *plane, const acp_vec3 *points, uint32_t point_count, double *out_sharpest) {
    double length2 = acp_vec3_dot_zyx(plane->normal, plane->normal);
    if (!(fabs(length2 - 1.0) < 1.0e-6)) return false;
    edge first = edge_between(&points[point_count - 1], &points[0]),
         last = edge_between(&points[point_count - 2], &points[point_count - 1]);
    uint32_t turned = 0; /* from the first edge's half of all directions to the other, or back */
    *out_sharpest = -1.0;
    for (uint32_t i = 0; i < point_count; i++) {
        edge next = edge_between(&points[i == 0 ? point_count - 1 : i - 1], &points[i]);
        if (!(fabs(acp_plane_distance(plane, points[i])) < 1.0e-3) || !(acp_filter_reach(points[i]) < ACP_BSP_REGULAR_REACH)) return false;
        if (!(next.length >= 0.04) || !is_turning_left(plane, &last, &next)) return false;
        if ((ahead(&first, &last) > 0) != (ahead(&first, &next) > 0)) turned++;
        double sharp = -ahead(&last, &next) / (last.length * next.length);
        if (sharp > *out_sharpest) *out_sharpest = sharp;
        last = next;
    }
    return turned == 2; /* once around */
}

acp_bsp_box acp_bsp_derive_box(const acp_plane *plane, const acp_vec3 *points, uint32_t point_count) {
    acp_bsp_box box = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY, INFINITY}};
    double sharpest;
    if (point_count < 3 || !is_regular(plane, points, point_count, &sharpest)) return box;
    acp_vec3 low = points[0], high = points[0];
    for (uint32_t i = 1; i < point_count; i++) {
        low = (acp_vec3){acp_filter_min(low.x, points[i].x), acp_filter_min(low.y, points[i].y), acp_filter_min(low.z, points[i].z)};
        high = (acp_vec3){acp_filter_max(high.x, points[i].x), acp_filter_max(high.y, points[i].y), acp_filter_max(high.z, points[i].z)};
    }
    float margin = acp_f32(0.013 + 0.0009 / sqrt(0.5 - 0.5 * sharpest)); /* sine of half the angle */
    return (acp_bsp_box){{low.x - margin, low.y - margin, low.z - margin, -INFINITY},
                         {high.x + margin, high.y + margin, high.z + margin, INFINITY}};
}

void acp_bsp_derive_leaf_group(const acp_bsp *bsp, const uint32_t *named, uint32_t count, acp_bsp_leaf_group *out_group) {
    const acp_bsp_polygon_record *records = acp_bsp_polygons(bsp);
    acp_bsp_box *box = &out_group->box;
    *box = (acp_bsp_box){{INFINITY, INFINITY, INFINITY, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY, INFINITY}};
    for (uint32_t lane = 0; lane < 4; lane++) {
        acp_plane plane = {{NAN, NAN, NAN}, NAN};
        if (lane < count && acp_bsp_is_named_polygon(bsp, named[lane])) plane = records[named[lane]].plane;
        for (int axis = 0; axis < 3 && !isnan(plane.d); axis++) {
            box->low[axis] = acp_filter_min(box->low[axis], records[named[lane]].box.low[axis]);
            box->high[axis] = acp_filter_max(box->high[axis], records[named[lane]].box.high[axis]);
        }
        out_group->planes.x[lane] = plane.normal.x;
        out_group->planes.y[lane] = plane.normal.y;
        out_group->planes.z[lane] = plane.normal.z;
        out_group->planes.d[lane] = plane.d;
        out_group->polygons[lane] = lane < count ? named[lane] : ACP_BSP_NONE;
    }
}

acp_filter_bounds acp_bsp_derive_bounds(const acp_bsp *bsp) {
    acp_filter_extent bounds = {0.0f, 0.0f};
    for (uint32_t i = 0; i < bsp->polygon_count; i++)
        acp_filter_extent_add(&bounds, &acp_bsp_polygons(bsp)[i].plane); /* NaN never compares greater */
    for (uint32_t i = 0; i < bsp->node_count; i++)
        acp_filter_extent_add(&bounds, &acp_bsp_nodes(bsp)[i].plane);
    return acp_filter_bounds_of(&bounds);
}

uint32_t acp_bsp_derive_same_sphere(const acp_bsp *bsp, const acp_bsp_node *parent, uint32_t child) {
    if (child & ACP_BSP_CHILD_EMPTY) return 0;
    const acp_sphere *sphere = (child & ACP_BSP_CHILD_LEAF) ? &acp_bsp_leaf_of(bsp, child)->sphere : &acp_bsp_node_of(bsp, child)->sphere;
    return memcmp(sphere, &parent->sphere, sizeof *sphere) == 0 ? ACP_BSP_CHILD_SAME : 0;
}

acp_plane_group acp_bsp_derive_spine_group(const acp_bsp *bsp, uint32_t index) {
    acp_plane_group group;
    for (uint32_t lane = 0; lane < 4; lane++) {
        acp_plane plane = {{0.0f, 0.0f, 0.0f}, INFINITY};
        if (4u * index + lane < acp_bsp_spine_length(bsp)) plane = acp_bsp_nodes(bsp)[4u * index + lane].plane;
        group.x[lane] = plane.normal.x;
        group.y[lane] = plane.normal.y;
        group.z[lane] = plane.normal.z;
        group.d[lane] = plane.d;
    }
    return group;
}

static void fill_polygons(const build *b, acp_bsp *bsp) {
    const acp_bsp_source *s = b->source;
    acp_bsp_polygon_record *records = (acp_bsp_polygon_record *)(void *)((char *)bsp + bsp->polygons_at);
    acp_vec3 *points = (acp_vec3 *)(void *)((char *)bsp + bsp->points_at);
    acp_plane_group *edges = (acp_plane_group *)(void *)((char *)bsp + bsp->edge_groups_at);
    uint32_t next_point = 0, next_edge = 0;
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const acp_polygon_source *p = &s->polygons[i];
        acp_bsp_polygon_record *r = &records[i];
        r->first_point = next_point;
        r->point_count = are_ordinals_good(s, p) ? p->point_count : 0;
        r->first_edge_group = next_edge;
        r->id = p->id;
        r->sides_type = p->sides_type;
        for (uint32_t k = 0; k < r->point_count; k++)
            points[next_point + k] = s->vertices[s->indices[p->first_index + k]];
        r->plane = acp_polygon_make_plane(points + next_point, r->point_count);
        if (!isnan(r->plane.d)) {
            acp_bsp_derive_edge_groups(&r->plane, points + next_point, r->point_count, edges + next_edge, &r->edge_bounds);
            r->box = acp_bsp_derive_box(&r->plane, points + next_point, r->point_count);
            next_edge += acp_bsp_group_count(r->point_count);
        }
        next_point += r->point_count;
    }
}

/* One leaf record with its groups; `n` null for a missing child. Returns its child word. */
static uint32_t fill_leaf(acp_bsp *bsp, const acp_bsp_source *s, const acp_bsp_node_source *n, uint32_t source_index, uint32_t leaf_index,
                          uint32_t *next_group) {
    acp_bsp_leaf *leaf = (acp_bsp_leaf *)(void *)((char *)bsp + bsp->leaves_at) + leaf_index;
    acp_bsp_leaf_group *groups = (acp_bsp_leaf_group *)(void *)((char *)bsp + bsp->leaf_groups_at);
    const uint32_t word = (bsp->leaves_at + leaf_index * (uint32_t)sizeof(acp_bsp_leaf)) | ACP_BSP_CHILD_LEAF;
    leaf->source = source_index;
    leaf->first_group = *next_group;
    if (n == NULL || n->polygon_count == 0) {
        if (n != NULL) leaf->leaf_index = n->leaf_index;
        return word | ACP_BSP_CHILD_EMPTY;
    }
    leaf->sphere = n->sphere;
    leaf->polygon_count = n->polygon_count;
    leaf->solid = n->solid != 0;
    leaf->leaf_index = n->leaf_index;
    for (uint32_t i = 0; i < n->polygon_count; i += 4)
        acp_bsp_derive_leaf_group(bsp, s->leaf_polygons + n->first_polygon + i, n->polygon_count - i < 4 ? n->polygon_count - i : 4,
                                  &groups[(*next_group)++]);
    return word;
}

/* The second walk: places and fills nodes and leaves. */
static void fill_nodes(const build *b, acp_bsp *bsp) {
    const acp_bsp_source *s = b->source;
    acp_bsp_node *nodes = (acp_bsp_node *)(void *)((char *)bsp + bsp->nodes_at);
    walk_entry stack[ACP_BSP_MAX_DEPTH + 2];
    uint32_t top = 0, next_node = 0, next_leaf = 0, next_group = 0;
    stack[top++] = (walk_entry){s->root, 1, ACP_BSP_NONE};
    while (top > 0) {
        walk_entry entry = walk_next(s, stack, &top, next_node);
        const acp_bsp_node_source *n = entry.source == ACP_BSP_NONE ? NULL : &s->nodes[entry.source];
        uint32_t word;
        if (n == NULL || n->kind == ACP_BSP_LEAF) {
            word = fill_leaf(bsp, s, n, entry.source, next_leaf++, &next_group);
        } else {
            acp_bsp_node *node = &nodes[next_node];
            node->sphere = n->sphere;
            if (n->kind == ACP_BSP_PORTAL) /* DIV-23 */
                node->sphere = (acp_sphere){{0.0f, 0.0f, 0.0f}, INFINITY};
            node->plane = n->plane;
            node->source = entry.source;
            word = bsp->nodes_at + next_node++ * (uint32_t)sizeof(acp_bsp_node);
        }
        if (entry.parent_slot == ACP_BSP_NONE)
            bsp->root = word;
        else if (entry.parent_slot & 1u)
            nodes[entry.parent_slot / 2u].negative = word;
        else
            nodes[entry.parent_slot / 2u].positive = word;
    }
    for (uint32_t i = 0; i < next_node; i++) {
        nodes[i].positive |= acp_bsp_derive_same_sphere(bsp, &nodes[i], nodes[i].positive);
        nodes[i].negative |= acp_bsp_derive_same_sphere(bsp, &nodes[i], nodes[i].negative);
    }
}

static void fill_spine(acp_bsp *bsp) {
    acp_plane_group *groups = (acp_plane_group *)(void *)((char *)bsp + (bsp->spine & ~15u));
    for (uint32_t i = 0; i < acp_bsp_group_count(acp_bsp_spine_length(bsp)); i++)
        groups[i] = acp_bsp_derive_spine_group(bsp, i);
}

/* The spine's length, 0 for none (geom/bsp_format.h). */
static uint32_t spine_length(const acp_bsp_source *s) {
    uint32_t length = 0;
    const acp_sphere *sphere = NULL;
    for (uint32_t next = s->node_count ? s->root : ACP_BSP_NONE; next != ACP_BSP_NONE; next = s->nodes[next].positive) {
        const acp_bsp_node_source *n = &s->nodes[next];
        if (n->kind == ACP_BSP_LEAF && n->polygon_count != 0) return 0;
        if (n->kind == ACP_BSP_LEAF) break;
        if (n->kind != ACP_BSP_INTERIOR || length == ACP_BSP_SPINE_MOST || (sphere && memcmp(sphere, &n->sphere, sizeof *sphere) != 0))
            return 0;
        sphere = &n->sphere;
        length++;
    }
    return length < ACP_BSP_SPINE_LEAST ? 0 : length;
}

static uint64_t place(uint64_t *size, uint64_t bytes) {
    uint64_t at = *size;
    *size = (at + bytes + 15u) & ~(uint64_t)15u;
    return at;
}

/* Sizes and offsets. */
static acp_result lay_out(build *b, acp_bsp *header) {
    uint64_t size = sizeof(acp_bsp);
    uint64_t at[6];
    at[0] = place(&size, b->source->polygon_count * (uint64_t)sizeof(acp_bsp_polygon_record));
    at[1] = place(&size, b->point_count * sizeof(acp_vec3));
    at[2] = place(&size, b->edge_group_count * sizeof(acp_plane_group));
    at[3] = place(&size, b->node_count * sizeof(acp_bsp_node));
    at[4] = place(&size, b->leaf_count * sizeof(acp_bsp_leaf));
    at[5] = place(&size, b->leaf_group_count * sizeof(acp_bsp_leaf_group));
    uint32_t spine = spine_length(b->source);
    uint64_t spine_at = place(&size, acp_bsp_group_count(spine) * (uint64_t)sizeof(acp_plane_group));
    if (size > UINT32_MAX) return refuse(b, ACP_ERROR_LIMIT, 0, "size", "the tree does not fit in 4 GB");
    *header = (acp_bsp){.magic = ACP_BSP_MAGIC,
                        .version = ACP_BSP_VERSION,
                        .size = (uint32_t)size,
                        .root = ACP_BSP_CHILD_LEAF | ACP_BSP_CHILD_EMPTY,
                        .polygon_count = b->source->polygon_count,
                        .point_count = (uint32_t)b->point_count,
                        .edge_group_count = (uint32_t)b->edge_group_count,
                        .node_count = (uint32_t)b->node_count,
                        .leaf_count = (uint32_t)b->leaf_count,
                        .leaf_group_count = (uint32_t)b->leaf_group_count,
                        .depth = b->remarks.depth,
                        .polygons_at = (uint32_t)at[0],
                        .points_at = (uint32_t)at[1],
                        .edge_groups_at = (uint32_t)at[2],
                        .nodes_at = (uint32_t)at[3],
                        .leaves_at = (uint32_t)at[4],
                        .leaf_groups_at = (uint32_t)at[5],
                        .spine = spine ? (uint32_t)spine_at | (spine - 1u) : 0};
    return ACP_OK;
}

static acp_result check_source(build *b, const acp_allocator *allocator) {
    const acp_bsp_source *s = b->source;
    acp_result result = check_vertices(b);
    if (result == ACP_OK) result = check_polygons(b);
    if (result != ACP_OK || s->node_count == 0) return result;
    b->reached = acp_memory_allocate(allocator, s->node_count, 1);
    if (b->reached == NULL) return refuse(b, ACP_ERROR_OUT_OF_MEMORY, 0, "nodes", "no memory to walk the nodes");
    memset(b->reached, 0, s->node_count);
    result = check_nodes(b);
    acp_memory_free(allocator, b->reached, s->node_count, 1);
    b->reached = NULL;
    return result;
}

static bool is_source_complete(const acp_bsp_source *s) {
    return (s->vertex_count == 0 || s->vertices != NULL) && (s->polygon_count == 0 || s->polygons != NULL) &&
           (s->index_count == 0 || s->indices != NULL) && (s->node_count == 0 || s->nodes != NULL) &&
           (s->leaf_polygon_count == 0 || s->leaf_polygons != NULL);
}

acp_result acp_bsp_create(const acp_bsp_source *source, acp_content_mode mode, const acp_allocator *allocator, acp_bsp_remarks *out_remarks,
                          acp_bsp **out_bsp, acp_error *error) {
    if (source == NULL || out_bsp == NULL || !is_source_complete(source))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "a pointer is missing");
    build b = {.source = source, .mode = mode, .error = error};
    b.remarks = (acp_bsp_remarks){.first_degenerate_polygon = ACP_BSP_NONE,
                                  .first_bad_vertex_ordinal = ACP_BSP_NONE,
                                  .first_bad_polygon_ordinal_node = ACP_BSP_NONE,
                                  .first_missing_child_node = ACP_BSP_NONE,
                                  .first_portal_node = ACP_BSP_NONE,
                                  .first_negative_radius_node = ACP_BSP_NONE};
    acp_result result = check_source(&b, allocator);
    if (result != ACP_OK) return result;
    acp_bsp header;
    result = lay_out(&b, &header);
    if (result != ACP_OK) return result;
    acp_bsp *bsp = acp_memory_allocate(allocator, header.size, 16);
    if (bsp == NULL) return refuse(&b, ACP_ERROR_OUT_OF_MEMORY, 0, "size", "no memory for the tree");
    memset(bsp, 0, header.size);
    *bsp = header;
    fill_polygons(&b, bsp);
    if (source->node_count != 0) fill_nodes(&b, bsp);
    fill_spine(bsp);
    bsp->bounds = acp_bsp_derive_bounds(bsp);
    if (out_remarks != NULL) *out_remarks = b.remarks;
    *out_bsp = bsp;
    return ACP_OK;
}

void acp_bsp_destroy(acp_bsp *bsp, const acp_allocator *allocator) {
    if (bsp != NULL) acp_memory_free(allocator, bsp, bsp->size, 16);
}

size_t acp_bsp_size(const acp_bsp *bsp) { return bsp == NULL ? 0 : bsp->size; }
