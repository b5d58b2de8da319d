/* SPDX-License-Identifier: MIT */
/* Building a soup: from lists of triangles, spheres and cylspheres to one block with an index (geom/soup_format.h). Ours, not retail.
 *
 * Three passes: everything is checked and boxed; two plans group the items (geom/soup_plan.c); the block is written, nodes in the order of
 * the plan, groups as their leaves come, the wide tree last (geom/soup_wide.h). Triangles without area stay in their lists' numbering but
 * in no group: nothing ever meets them.
 *
 * The planes of the filters are taken from the binary64 normal, rounded once, and their constants chosen from the rounded normal so that
 * all three corners lie on the side they should, again in binary64: what is left is the rounding of an evaluation, which
 * acp_filter_error covers, and the width of a triangle about its own rounded plane, which the header keeps.
 *
 * Limits: ACP_SOUP_MAX_ITEMS, coordinates to 1e18. Memory: the block, and about 450 bytes an item of scratch, freed before the return; a
 * refused allocation leaves nothing behind. Cost: n log n times the levels. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/soup_format.h"
#include "geom/soup_plan.h"
#include "geom/soup_wide.h"
#include "geom/vector64.h"
#include "math/number.h"

#define OPERATION "build soup"
#define ALIGNMENT 64u

typedef struct build {
    const acp_soup_source *source;
    acp_error *error;
    acp_box *boxes; /* of the items */
    uint8_t *kinds;
    uint32_t *ordinals; /* of the items in their lists */
    uint32_t *places;   /* of the items in their groups: ACP_SOUP_PLACE */
    uint32_t capacity;
    uint32_t count;
    acp_soup_halves halves;
    acp_soup_plan plan; /* of four */
    acp_soup_plan wide; /* of eight */
    acp_soup *soup;
    uint32_t triangle_groups; /* written so far */
    uint32_t round_groups;
} build;

static double greater(double a, double b) { return a > b ? a : b; }

static acp_result refuse(build *b, acp_result code, uint32_t ordinal, const char *field, const char *message) {
    acp_result result = acp_error_set(b->error, code, OPERATION, "%s", message);
    acp_error_set_place(b->error, ordinal, UINT64_MAX, field);
    return result;
}

static bool is_in_reach(float v) { return fabs((double)v) <= (double)ACP_SOUP_GREATEST; } /* false for NaN */
static bool is_point_in_reach(acp_vec3 v) { return is_in_reach(v.x) && is_in_reach(v.y) && is_in_reach(v.z); }

static void add_item(build *b, uint8_t kind, uint32_t ordinal, acp_vec3 low, acp_vec3 high) {
    b->boxes[b->count] = (acp_box){low, high};
    b->kinds[b->count] = kind;
    b->ordinals[b->count++] = ordinal;
}

static void corners_of(const acp_soup_source *s, uint32_t ordinal, acp_vec3 out_points[3]) {
    for (uint32_t k = 0; k < 3; k++)
        out_points[k] = s->vertices[s->triangles[3 * (size_t)ordinal + k]];
}

static acp_vector64 area_vector(const acp_vec3 p[3]) {
    acp_vector64 a = acp_vector64_of(p[0]);
    return acp_vector64_cross(acp_vector64_minus(acp_vector64_of(p[1]), a), acp_vector64_minus(acp_vector64_of(p[2]), a));
}

static acp_result take_triangles(build *b) {
    const acp_soup_source *s = b->source;
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (!is_point_in_reach(s->vertices[i])) return refuse(b, ACP_ERROR_NOT_FINITE, i, "vertices", "a vertex is not finite");
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        for (uint32_t k = 0; k < 3; k++)
            if (s->triangles[3 * (size_t)i + k] >= s->vertex_count)
                return refuse(b, ACP_ERROR_OUT_OF_RANGE, i, "triangles", "a vertex number is out of range");
        acp_vec3 p[3];
        corners_of(s, i, p);
        acp_vector64 area = area_vector(p);
        if (!(acp_vector64_dot(area, area) > 0.0)) continue;
        acp_box box = acp_soup_join((acp_box){p[0], p[0]}, acp_soup_join((acp_box){p[1], p[1]}, (acp_box){p[2], p[2]}));
        add_item(b, ACP_SOUP_TRIANGLE, i, box.min, box.max);
    }
    return ACP_OK;
}

/* A box about a round body: its ends are rounded, which the widening of boxes pays for. */
static acp_result take_round(build *b, uint8_t kind, uint32_t ordinal, acp_vec3 c, float radius, float below, float above) {
    const char *field = kind == ACP_SOUP_SPHERE ? "spheres" : "cylspheres";
    if (!is_point_in_reach(c) || !is_in_reach(radius) || !is_in_reach(above))
        return refuse(b, ACP_ERROR_NOT_FINITE, ordinal, field, "a centre, radius or height is not finite");
    if (radius < 0.0f || above < 0.0f) return refuse(b, ACP_ERROR_OUT_OF_RANGE, ordinal, field, "a radius or height is negative");
    double x = (double)c.x, y = (double)c.y, z = (double)c.z, r = (double)radius;
    acp_vec3 low = {acp_f32(x - r), acp_f32(y - r), acp_f32(z - (double)below)};
    acp_vec3 high = {acp_f32(x + r), acp_f32(y + r), acp_f32(z + (double)above)};
    add_item(b, kind, ordinal, low, high);
    return ACP_OK;
}

static acp_result take_items(build *b) {
    const acp_soup_source *s = b->source;
    acp_result result = take_triangles(b);
    for (uint32_t i = 0; i < s->sphere_count && result == ACP_OK; i++) {
        const acp_sphere *c = &s->spheres[i];
        result = take_round(b, ACP_SOUP_SPHERE, i, c->center, c->radius, c->radius, c->radius);
    }
    for (uint32_t i = 0; i < s->cylsphere_count && result == ACP_OK; i++) {
        const acp_cylsphere *c = &s->cylspheres[i];
        result = take_round(b, ACP_SOUP_CYLSPHERE, i, c->low_point, c->radius, 0.0f, c->height);
    }
    return result;
}

/* ---- writing ---- */

static void set_plane(acp_plane_group *group, uint32_t lane, acp_vec3 normal, double d) {
    group->x[lane] = normal.x;
    group->y[lane] = normal.y;
    group->z[lane] = normal.z;
    group->d[lane] = acp_f32(d);
}

static acp_vec3 unit(acp_vector64 v) {
    double inverse = 1.0 / sqrt(acp_vector64_dot(v, v));
    return acp_vec3_make(v.x * inverse, v.y * inverse, v.z * inverse);
}

/* A plane that came out as NaN is passed over: its filter never decides. */
static void note_greatest(float *greatest, float value) {
    if (acp_filter_abs(value) > *greatest) *greatest = acp_filter_abs(value);
}

/* The planes of one triangle; gives the triangle's greatest distance from the first, and the greatest |d|. */
static void write_planes(acp_soup_planes *planes, uint32_t lane, const acp_vec3 p[3], float *width, float *greatest_d) {
    acp_vector64 area = area_vector(p);
    acp_vec3 normal = unit(area);
    double low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < 3; k++) {
        double at = acp_vector64_dot(acp_vector64_of(normal), acp_vector64_of(p[k]));
        if (at < low) low = at;
        if (at > high) high = at;
    }
    set_plane(&planes->face, lane, normal, -(low + high) * 0.5);
    double d = (double)planes->face.d[lane], half = greater(fabs(low + d), fabs(high + d)) * (1.0 + 4.0 * ACP_FILTER_UNIT);
    note_greatest(width, acp_f32(half));
    note_greatest(greatest_d, planes->face.d[lane]);
    for (uint32_t edge = 0; edge < 3; edge++) {
        acp_vector64 way = acp_vector64_minus(acp_vector64_of(p[(edge + 1) % 3]), acp_vector64_of(p[edge]));
        acp_vec3 out = unit(acp_vector64_cross(way, area));
        double most = -INFINITY;
        for (uint32_t k = 0; k < 3; k++)
            most = greater(most, acp_vector64_dot(acp_vector64_of(out), acp_vector64_of(p[k])));
        /* Rounded, d may be too large by half a unit: take that away, and what the subtraction rounds. */
        set_plane(&planes->edges[edge], lane, out, -most - fabs(most) * 4.0 * ACP_FILTER_UNIT);
        note_greatest(greatest_d, planes->edges[edge].d[lane]);
    }
}

static double magnitude_sum(acp_vec3 a, acp_vec3 b) {
    return fabs((double)b.x - (double)a.x) + fabs((double)b.y - (double)a.y) + fabs((double)b.z - (double)a.z);
}

static uint32_t write_triangles(build *b, const acp_soup_plan_part *part, acp_soup *soup) {
    uint32_t index = b->triangle_groups++;
    acp_soup_triangles *group = (acp_soup_triangles *)(void *)((char *)soup + soup->triangles_at) + index;
    acp_soup_planes *planes = (acp_soup_planes *)(void *)((char *)soup + soup->planes_at) + index;
    group->lanes = (1u << part->count) - 1u;
    float width = soup->plane_width, greatest_d = soup->plane_bounds.base;
    for (uint32_t lane = 0; lane < 4; lane++) {
        uint32_t item = b->halves.refs[part->first + (lane < part->count ? lane : 0)], ordinal = b->ordinals[item];
        if (lane < part->count) b->places[item] = ACP_SOUP_PLACE(index, lane);
        acp_vec3 p[3];
        corners_of(b->source, ordinal, p);
        for (uint32_t corner = 0; corner < 3; corner++) {
            group->points[corner][0][lane] = p[corner].x;
            group->points[corner][1][lane] = p[corner].y;
            group->points[corner][2][lane] = p[corner].z;
        }
        group->edge[lane] = acp_f32(greater(magnitude_sum(p[0], p[1]), magnitude_sum(p[0], p[2])) * (1.0 + 4.0 * ACP_FILTER_UNIT));
        group->ordinals[lane] = ordinal;
        write_planes(planes, lane, p, &width, &greatest_d);
    }
    soup->plane_width = width;
    soup->plane_bounds.base = greatest_d; /* a bound only at the end: finish_bounds */
    return index;
}

static uint32_t write_rounds(build *b, const acp_soup_plan_part *part, uint8_t kind, acp_soup *soup) {
    uint32_t index = b->round_groups++;
    acp_soup_rounds *group = (acp_soup_rounds *)(void *)((char *)soup + soup->rounds_at) + index;
    group->lanes = (1u << part->count) - 1u;
    for (uint32_t lane = 0; lane < 4; lane++) {
        uint32_t ordinal = b->ordinals[b->halves.refs[part->first + (lane < part->count ? lane : 0)]];
        acp_cylsphere given = acp_soup_round_given(b->source, kind == ACP_SOUP_SPHERE, ordinal);
        group->center[0][lane] = given.low_point.x;
        group->center[1][lane] = given.low_point.y;
        group->center[2][lane] = given.low_point.z;
        group->radius[lane] = given.radius;
        group->height[lane] = given.height;
        group->ordinals[lane] = ordinal;
    }
    return index;
}

static uint32_t write_part(build *b, const acp_soup_plan_part *part, acp_soup *soup) {
    if (part->node != ACP_SOUP_PLAN_LEAF) return ACP_SOUP_CHILD(part->node, ACP_SOUP_CHILD_NODE);
    uint8_t kind = b->kinds[b->halves.refs[part->first]];
    uint32_t index = kind == ACP_SOUP_TRIANGLE ? write_triangles(b, part, soup) : write_rounds(b, part, kind, soup);
    return ACP_SOUP_CHILD(index, 1u + kind);
}

static void write_node(build *b, uint32_t ordinal, acp_soup *soup) {
    const acp_soup_plan_node *from = &b->plan.nodes[ordinal];
    acp_soup_node *node = (acp_soup_node *)(void *)((char *)soup + soup->nodes_at) + ordinal;
    for (uint32_t lane = 0; lane < 4; lane++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            node->bounds[0][axis][lane] = INFINITY;
            node->bounds[1][axis][lane] = -INFINITY;
        }
        node->children[lane] = ACP_SOUP_CHILD_NONE;
        if (lane >= from->child_count) continue;
        const acp_soup_plan_part *part = &from->children[lane];
        acp_box box = acp_soup_plan_wide_box(&b->plan, part);
        const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
        for (uint32_t axis = 0; axis < 3; axis++) {
            node->bounds[0][axis][lane] = low[axis];
            node->bounds[1][axis][lane] = high[axis];
        }
        node->children[lane] = write_part(b, part, soup);
    }
}

static acp_result write_block(build *b, const acp_allocator *allocator) {
    acp_soup head = {.magic = ACP_SOUP_MAGIC, .version = ACP_SOUP_VERSION, .root = ACP_SOUP_CHILD_NONE};
    head.wide_root = ACP_SOUP_CHILD_NONE;
    if (b->count != 0) {
        acp_soup_plan_count_groups(&b->plan, &head.triangle_group_count, &head.round_group_count);
        acp_soup_plan_count_groups(&b->wide, &head.wide_triangle_count, &head.wide_round_count);
    }
    head.node_count = b->plan.node_count;
    head.wide_node_count = b->wide.node_count;
    head.levels = b->plan.levels;
    head.nodes_at = sizeof head;
    head.triangles_at = head.nodes_at + (uint64_t)head.node_count * sizeof(acp_soup_node);
    head.planes_at = head.triangles_at + (uint64_t)head.triangle_group_count * sizeof(acp_soup_triangles);
    head.wide_nodes_at = head.planes_at + (uint64_t)head.triangle_group_count * sizeof(acp_soup_planes);
    head.wide_triangles_at = head.wide_nodes_at + (uint64_t)head.wide_node_count * sizeof(acp_soup_wide_node);
    head.wide_rounds_at = head.wide_triangles_at + (uint64_t)head.wide_triangle_count * sizeof(acp_soup_wide_triangles);
    head.rounds_at = head.wide_rounds_at + (uint64_t)head.wide_round_count * sizeof(acp_soup_wide_rounds);
    head.size = head.rounds_at + (uint64_t)head.round_group_count * sizeof(acp_soup_rounds);
    acp_soup *soup = (acp_soup *)acp_memory_allocate_zero(allocator, 1, (size_t)head.size, ALIGNMENT);
    if (!soup) return refuse(b, ACP_ERROR_OUT_OF_MEMORY, 0, NULL, "no memory for the block");
    *soup = head;
    if (b->count != 0) soup->root = b->plan.node_count == 0 ? write_part(b, &b->plan.root, soup) : ACP_SOUP_CHILD(0, ACP_SOUP_CHILD_NODE);
    for (uint32_t i = 0; i < b->plan.node_count; i++)
        write_node(b, i, soup);
    if (b->count != 0) acp_soup_wide_write(&(acp_soup_wide_source){b->source, &b->wide, b->ordinals, b->places}, soup);
    acp_filter_extent extent = {1.0f, soup->plane_bounds.base};
    soup->plane_bounds = acp_filter_bounds_of(&extent);
    b->soup = soup;
    return ACP_OK;
}

static acp_result build_planned(build *b, const acp_allocator *allocator) {
    if (!acp_soup_plan_create(&b->plan, &b->halves, 4, allocator))
        return refuse(b, ACP_ERROR_OUT_OF_MEMORY, 0, NULL, "no memory for the plan");
    acp_result result;
    if (acp_soup_plan_create(&b->wide, &b->halves, 8, allocator)) {
        result = write_block(b, allocator);
        acp_soup_plan_destroy(&b->wide);
    } else {
        result = refuse(b, ACP_ERROR_OUT_OF_MEMORY, 0, NULL, "no memory for the wide plan");
    }
    acp_soup_plan_destroy(&b->plan);
    return result;
}

static acp_result build_all(build *b, const acp_allocator *allocator) {
    acp_result result = take_items(b);
    if (result != ACP_OK) return result;
    if (b->count == 0) return write_block(b, allocator);
    if (!acp_soup_halves_create(&b->halves, b->boxes, b->kinds, b->count, allocator))
        return refuse(b, ACP_ERROR_OUT_OF_MEMORY, 0, NULL, "no memory to cut the items");
    result = build_planned(b, allocator);
    acp_soup_halves_destroy(&b->halves);
    return result;
}

acp_result acp_soup_create(const acp_soup_source *source, const acp_allocator *allocator, acp_soup **out_soup, acp_error *error) {
    build b = {.source = source, .error = error};
    if (source == NULL || out_soup == NULL) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "null argument");
    if ((source->vertex_count && !source->vertices) || (source->triangle_count && !source->triangles) ||
        (source->sphere_count && !source->spheres) || (source->cylsphere_count && !source->cylspheres))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, OPERATION, "a list is null");
    uint64_t count = (uint64_t)source->triangle_count + source->sphere_count + source->cylsphere_count;
    if (count > ACP_SOUP_MAX_ITEMS) return refuse(&b, ACP_ERROR_LIMIT, 0, NULL, "too many items");
    b.capacity = count ? (uint32_t)count : 1;
    b.boxes = ACP_MEMORY_NEW_ARRAY(allocator, acp_box, b.capacity);
    b.kinds = ACP_MEMORY_NEW_ARRAY(allocator, uint8_t, b.capacity);
    b.ordinals = ACP_MEMORY_NEW_ARRAY(allocator, uint32_t, b.capacity);
    b.places = ACP_MEMORY_NEW_ARRAY(allocator, uint32_t, b.capacity);
    acp_result result = b.boxes && b.kinds && b.ordinals && b.places
                            ? build_all(&b, allocator)
                            : refuse(&b, ACP_ERROR_OUT_OF_MEMORY, 0, NULL, "no memory for the boxes");
    ACP_MEMORY_DELETE_ARRAY(allocator, acp_box, b.boxes, b.capacity);
    ACP_MEMORY_DELETE_ARRAY(allocator, uint8_t, b.kinds, b.capacity);
    ACP_MEMORY_DELETE_ARRAY(allocator, uint32_t, b.ordinals, b.capacity);
    ACP_MEMORY_DELETE_ARRAY(allocator, uint32_t, b.places, b.capacity);
    if (result == ACP_OK) *out_soup = b.soup;
    return result;
}

void acp_soup_destroy(acp_soup *soup, const acp_allocator *allocator) {
    if (soup != NULL) acp_memory_free(allocator, soup, (size_t)soup->size, ALIGNMENT);
}

size_t acp_soup_size(const acp_soup *soup) { return soup == NULL ? 0 : (size_t)soup->size; }
