/* SPDX-License-Identifier: MIT */
/* The convex polyhedron on the positive side of some planes: how large each of its faces is.
 *
 * Each face starts as a large square in its plane and is cut by all the other planes; what is left has the face's area. A face that keeps
 * a point far outside the mesh says that the polyhedron is not bounded. With this the walls and portals of a room are compared with the
 * faces of the space that its planes enclose (a hole is area that is missing), and built-in matter with the solid that its planes
 * bound.
 *
 * Contract: planes differ (they come from groups). Limits: 1,022 planes, 1,032 corners a face. Cost: planes squared. */
#include <math.h>
#include <string.h>

#include "asset/author.h"

#define CORNER_LIMIT 1032u

static acp_author_point add_scaled(acp_author_point p, acp_author_point d, double s) {
    return (acp_author_point){p.x + d.x * s, p.y + d.y * s, p.z + d.z * s};
}

static acp_author_point cross(acp_author_point a, acp_author_point b) {
    return (acp_author_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double distance(const acp_plane *plane, acp_author_point p) {
    return (((double)plane->normal.z * p.z + (double)plane->normal.y * p.y) + (double)plane->normal.x * p.x) + (double)plane->d;
}

/* Four corners in the plane, `reach` from the foot of the origin. */
static uint32_t square(const acp_plane *plane, double reach, acp_author_point *out) {
    acp_author_point n = {(double)plane->normal.x, (double)plane->normal.y, (double)plane->normal.z};
    acp_author_point other = fabs(n.z) < 0.7 ? (acp_author_point){0, 0, 1} : (acp_author_point){1, 0, 0};
    acp_author_point u = cross(other, n);
    double k = 1.0 / sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
    u = (acp_author_point){u.x * k, u.y * k, u.z * k};
    acp_author_point v = cross(n, u), foot = {-n.x * (double)plane->d, -n.y * (double)plane->d, -n.z * (double)plane->d};
    out[0] = add_scaled(add_scaled(foot, u, -reach), v, -reach);
    out[1] = add_scaled(add_scaled(foot, u, reach), v, -reach);
    out[2] = add_scaled(add_scaled(foot, u, reach), v, reach);
    out[3] = add_scaled(add_scaled(foot, u, -reach), v, reach);
    return 4;
}

/* Keeps what lies on the positive side. */
static uint32_t cut(const acp_plane *plane, const acp_author_point *from, uint32_t count, acp_author_point *out) {
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        acp_author_point p = from[i], q = from[(i + 1) % count];
        double dp = distance(plane, p), dq = distance(plane, q);
        if (dp >= 0 && made < CORNER_LIMIT) out[made++] = p;
        if ((dp < 0) == (dq < 0) || made >= CORNER_LIMIT) continue;
        double t = dp / (dp - dq);
        out[made++] = add_scaled(p, (acp_author_point){q.x - p.x, q.y - p.y, q.z - p.z}, t);
    }
    return made;
}

static double area_of(const acp_author_point *points, uint32_t count) {
    acp_author_point sum = {0, 0, 0};
    for (uint32_t i = 1; i + 1 < count; i++) {
        acp_author_point e = {points[i].x - points[0].x, points[i].y - points[0].y, points[i].z - points[0].z};
        acp_author_point f = {points[i + 1].x - points[0].x, points[i + 1].y - points[0].y, points[i + 1].z - points[0].z};
        sum = add_scaled(sum, cross(e, f), 0.5);
    }
    return sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
}

static double largest_coordinate(const acp_author *a) {
    double largest = 1;
    for (uint32_t i = 0; i < a->mesh->index_count; i++) {
        if (a->mesh->indices[i] >= a->mesh->vertex_count) continue;
        acp_vec3 v = a->mesh->vertices[a->mesh->indices[i]];
        double c = fmax(fabs((double)v.x), fmax(fabs((double)v.y), fabs((double)v.z)));
        if (isfinite(c) && c > largest) largest = c;
    }
    return largest;
}

acp_result acp_author_cut_hull(acp_author *a, const acp_plane *planes, uint32_t plane_count, acp_author_hull *out_hull) {
    acp_author_point *now = acp_arena_allocate_zero(a->arena, CORNER_LIMIT, sizeof *now, 8);
    acp_author_point *next = acp_arena_allocate_zero(a->arena, CORNER_LIMIT, sizeof *next, 8);
    memset(out_hull, 0, sizeof *out_hull);
    out_hull->areas = acp_arena_allocate_zero(a->arena, plane_count, sizeof *out_hull->areas, 8);
    if (!now || !next || !out_hull->areas) return acp_author_out_of_memory(a);
    double bound = 4.0 * largest_coordinate(a), reach = 100.0 * bound;
    out_hull->is_bounded = plane_count >= 4;
    for (uint32_t i = 0; i < plane_count; i++) {
        uint32_t count = square(&planes[i], reach, now);
        for (uint32_t k = 0; k < plane_count && count; k++) {
            if (k == i) continue;
            count = cut(&planes[k], now, count, next);
            acp_author_point *swap = now;
            now = next;
            next = swap;
        }
        out_hull->areas[i] = area_of(now, count);
        if (out_hull->areas[i] > 0) out_hull->face_count++;
        for (uint32_t k = 0; k < count; k++)
            if (fabs(now[k].x) > bound || fabs(now[k].y) > bound || fabs(now[k].z) > bound) out_hull->is_bounded = false;
    }
    out_hull->is_empty = out_hull->face_count < 4;
    if (out_hull->is_empty) out_hull->is_bounded = false;
    return ACP_OK;
}
