/* SPDX-License-Identifier: MIT */
/* The one law of physics trees (spec 11 AUT-7): every point of every polygon lies in the closed region of a leaf that lists the polygon.
 *
 * Each polygon is led down the tree, cut where a plane crosses it. What lies in a splitting plane may be listed on either side, so one side
 * that lists all of it is enough. What sticks out by less than the sliver is let go with the larger part. A leaf that is reached
 * and does not list the polygon is a hole in the wall.
 *
 * Contract: the first polygon with a hole is told. Limits: recursion is as deep as the tree, 1,024 levels at most; a work budget ends trees
 * that repeat planes against all reason. Cost: polygons times the leaves they touch times depth. */
#include <math.h>
#include <string.h>

#include "asset/author.h"

#define LEVELS       1024u
#define CORNER_LIMIT 1280u /* 255 and one more at each of the planes that cut it */
#define WORK_LIMIT   50000000u

typedef struct cover {
    acp_author *a;
    uint32_t polygon;
    uint32_t work;
    acp_result result;
} cover;

static double distance(const acp_plane *plane, acp_author_point p) {
    return (((double)plane->normal.z * p.z + (double)plane->normal.y * p.y) + (double)plane->normal.x * p.x) + (double)plane->d;
}

static void span(const acp_plane *plane, const acp_author_point *points, uint32_t count, double *least, double *greatest) {
    *least = INFINITY;
    *greatest = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double d = distance(plane, points[i]);
        if (d < *least) *least = d;
        if (d > *greatest) *greatest = d;
    }
}

/* The part on one side (sign +1 or -1); in the arena. */
static acp_author_point *part(cover *c, const acp_plane *plane, double sign, const acp_author_point *from, uint32_t count, uint32_t *made) {
    acp_author_point *out = acp_arena_allocate_zero(c->a->arena, 2 * (size_t)count + 2, sizeof *out, 8);
    *made = 0;
    for (uint32_t i = 0; out && i < count; i++) {
        acp_author_point p = from[i], q = from[(i + 1) % count];
        double dp = sign * distance(plane, p), dq = sign * distance(plane, q);
        if (dp >= 0) out[(*made)++] = p;
        if ((dp < 0) == (dq < 0)) continue;
        double t = dp / (dp - dq);
        out[(*made)++] = (acp_author_point){p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t, p.z + (q.z - p.z) * t};
    }
    if (!out) c->result = acp_author_out_of_memory(c->a);
    return out;
}

static bool does_leaf_list(const acp_author *a, const acp_author_node *leaf, uint32_t polygon) {
    for (uint32_t i = 0; i < leaf->polygon_count; i++)
        if (a->tree.polygons.items[leaf->first_polygon + i] == polygon) return true;
    return false;
}

static bool is_covered(cover *c, uint32_t node_index, const acp_author_point *points, uint32_t count, uint32_t depth) {
    const acp_author_node *node = &c->a->tree.nodes.items[node_index];
    if (c->result) return true;
    if (depth > LEVELS || ++c->work > WORK_LIMIT || count > CORNER_LIMIT) {
        c->result = acp_author_fail(c->a, ACP_ERROR_LIMIT, c->polygon, "a tree of more than 1024 levels, or too tangled to be checked");
        return true;
    }
    if (node->is_leaf) return does_leaf_list(c->a, node, c->polygon);
    double least, greatest;
    span(&node->plane, points, count, &least, &greatest);
    bool is_own = memcmp(&node->plane, &c->a->planes[c->polygon], sizeof node->plane) == 0;
    if (is_own || (least >= -ACP_AUTHOR_IN_PLANE && greatest <= ACP_AUTHOR_IN_PLANE))
        return is_covered(c, node->positive, points, count, depth + 1) || is_covered(c, node->negative, points, count, depth + 1);
    if (least >= -ACP_AUTHOR_SLIVER) return is_covered(c, node->positive, points, count, depth + 1);
    if (greatest <= ACP_AUTHOR_SLIVER) return is_covered(c, node->negative, points, count, depth + 1);
    acp_arena_mark mark = acp_arena_get_mark(c->a->arena);
    uint32_t made;
    const acp_author_point *half = part(c, &node->plane, 1.0, points, count, &made);
    bool is_good = half && is_covered(c, node->positive, half, made, depth + 1);
    acp_arena_rewind(c->a->arena, mark);
    if (c->result || !is_good) return c->result != ACP_OK;
    half = part(c, &node->plane, -1.0, points, count, &made);
    is_good = half && is_covered(c, node->negative, half, made, depth + 1);
    acp_arena_rewind(c->a->arena, mark);
    return is_good || c->result != ACP_OK;
}

acp_result acp_author_check_coverage(acp_author *a) {
    cover c = {a, 0, 0, ACP_OK};
    acp_author_point points[ACP_BSP_MAX_POLYGON_POINTS];
    for (uint32_t i = 0; i < a->report.physics_polygon_count && c.result == ACP_OK; i++) {
        c.polygon = a->physics[i];
        uint32_t count = acp_author_point_count(a, c.polygon);
        for (uint32_t k = 0; k < count; k++) {
            acp_vec3 v = acp_author_vertex(a, c.polygon, k);
            points[k] = (acp_author_point){(double)v.x, (double)v.y, (double)v.z};
        }
        bool is_good = is_covered(&c, 0, points, count, 1);
        if (c.result == ACP_OK && !is_good)
            c.result = acp_author_fail(a, ACP_ERROR_BAD_DATA, c.polygon, "part of the polygon lies in a leaf that does not list it");
    }
    return c.result;
}
