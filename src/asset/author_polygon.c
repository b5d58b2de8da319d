/* SPDX-License-Identifier: MIT */
/* Is a polygon fit to be authored (spec 11 AUT-1, AUT-6)?
 *
 * Retail computes the plane when it loads a polygon and never asks whether the points agree with it; its edge walks have no notion of a
 * reflex corner. So everything is asked here: numbers in range and finite, 3 to 255 points, none twice, a finite plane (POLY-2, the same
 * function that reading uses), every point within 1e-3 m of it and on the inner side of every edge's line to 1e-4 m, an area that is
 * not a needle's.
 *
 * Contract: the plane of a good polygon is kept with its bits; the first fault is told with the polygon's number. Cost: the square of the
 * number of points. */
#include <math.h>

#include "asset/author.h"
#include "geom/polygon.h"
#include "math/finite.h"
#include "math/vec3.h"

#define INNER_SIDE  1e-4 /* how far a point may lie beyond an edge's line */
#define NEEDLE_AREA 1e-6 /* least doubled area over the square of the longest edge */

void acp_author_distances(const acp_author *a, const acp_plane *plane, uint32_t polygon, double *out_least, double *out_greatest) {
    double least = INFINITY, greatest = -INFINITY;
    for (uint32_t k = 0; k < acp_author_point_count(a, polygon); k++) {
        double distance = acp_plane_distance(plane, acp_author_vertex(a, polygon, k));
        if (distance < least) least = distance;
        if (distance > greatest) greatest = distance;
    }
    *out_least = least;
    *out_greatest = greatest;
}

static acp_author_point offset(acp_vec3 from, acp_vec3 to) {
    return (acp_author_point){(double)to.x - (double)from.x, (double)to.y - (double)from.y, (double)to.z - (double)from.z};
}

static acp_author_point cross(acp_author_point a, acp_author_point b) {
    return (acp_author_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

acp_author_point acp_author_area(const acp_author *a, uint32_t polygon) {
    acp_author_point sum = {0, 0, 0};
    acp_vec3 start = acp_author_vertex(a, polygon, 0);
    for (uint32_t k = 1; k + 1 < acp_author_point_count(a, polygon); k++) {
        acp_author_point c = cross(offset(start, acp_author_vertex(a, polygon, k)), offset(start, acp_author_vertex(a, polygon, k + 1)));
        sum.x += 0.5 * c.x;
        sum.y += 0.5 * c.y;
        sum.z += 0.5 * c.z;
    }
    return sum;
}

static acp_result check_points(acp_author *a, uint32_t polygon) {
    const acp_mesh_polygon *p = &a->mesh->polygons[polygon];
    for (uint32_t k = 0; k < p->point_count; k++) {
        uint32_t vertex = a->mesh->indices[p->first_index + k];
        if (vertex >= a->mesh->vertex_count)
            return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "point %u names vertex %u of %u", k, vertex, a->mesh->vertex_count);
        if (!acp_is_finite_vec3(&a->mesh->vertices[vertex]))
            return acp_author_fail(a, ACP_ERROR_NOT_FINITE, polygon, "vertex %u is not finite", vertex);
    }
    return ACP_OK;
}

/* Every point on the inner side of the line through edge k, and none where another is. */
static acp_result check_edge(acp_author *a, uint32_t polygon, uint32_t k, acp_author_point normal, double *longest) {
    uint32_t count = acp_author_point_count(a, polygon);
    acp_vec3 from = acp_author_vertex(a, polygon, k);
    acp_author_point edge = offset(from, acp_author_vertex(a, polygon, (k + 1) % count));
    double length = sqrt(edge.x * edge.x + edge.y * edge.y + edge.z * edge.z);
    if (length > *longest) *longest = length;
    acp_author_point inward = cross(normal, edge);
    for (uint32_t i = 0; i < count; i++) {
        if (i == k) continue;
        acp_author_point to = offset(from, acp_author_vertex(a, polygon, i));
        if (to.x == 0 && to.y == 0 && to.z == 0)
            return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "points %u and %u are at the same place", k < i ? k : i, k < i ? i : k);
        double depth = to.x * inward.x + to.y * inward.y + to.z * inward.z;
        if (depth < -INNER_SIDE * length)
            return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "not convex: point %u lies %.3g m outside the edge from point %u", i,
                                   -depth / length, k);
    }
    return ACP_OK;
}

static acp_result check_shape(acp_author *a, uint32_t polygon, const acp_plane *plane) {
    acp_author_point normal = {(double)plane->normal.x, (double)plane->normal.y, (double)plane->normal.z};
    double longest = 0, least, greatest;
    acp_author_distances(a, plane, polygon, &least, &greatest);
    if (least < -ACP_AUTHOR_FLATNESS || greatest > ACP_AUTHOR_FLATNESS)
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "not flat: a point lies %.3g m off the plane, 0.001 is allowed",
                               -least > greatest ? -least : greatest);
    for (uint32_t k = 0; k < acp_author_point_count(a, polygon); k++) {
        acp_result result = check_edge(a, polygon, k, normal, &longest);
        if (result) return result;
    }
    acp_author_point area = acp_author_area(a, polygon);
    double doubled = 2.0 * sqrt(area.x * area.x + area.y * area.y + area.z * area.z);
    if (!(doubled >= NEEDLE_AREA * longest * longest))
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "a needle: no area to speak of");
    return ACP_OK;
}

acp_result acp_author_check_polygon(acp_author *a, uint32_t polygon, acp_plane *out_plane) {
    const acp_mesh_polygon *p = &a->mesh->polygons[polygon];
    if (p->point_count < 3) return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "a polygon has at least three points");
    if (p->point_count > ACP_BSP_MAX_POLYGON_POINTS)
        return acp_author_fail(a, ACP_ERROR_LIMIT, polygon, "a polygon has at most 255 points");
    if (p->first_index > a->mesh->index_count || p->point_count > a->mesh->index_count - p->first_index)
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "the list of vertex numbers ends before the polygon does");
    if (p->flags == 0 || p->flags > 7u || ((p->flags & ACP_MESH_PORTAL) && (p->flags & ACP_MESH_PHYSICS)))
        return acp_author_fail(a, ACP_ERROR_INVALID_ARGUMENT, polygon, "a polygon is for physics, drawing or both, or it is a portal");
    if (p->sides_type < 0 || p->sides_type > 2) return acp_author_fail(a, ACP_ERROR_OUT_OF_RANGE, polygon, "sides_type is 0, 1 or 2");
    acp_result result = check_points(a, polygon);
    if (result) return result;
    acp_vec3 points[ACP_BSP_MAX_POLYGON_POINTS];
    for (uint32_t k = 0; k < p->point_count; k++)
        points[k] = acp_author_vertex(a, polygon, k);
    *out_plane = acp_polygon_make_plane(points, p->point_count);
    if (isnan(out_plane->d)) return acp_author_fail(a, ACP_ERROR_BAD_DATA, polygon, "no plane: the points are all on a line");
    return check_shape(a, polygon, out_plane);
}
