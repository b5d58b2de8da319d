/* SPDX-License-Identifier: MIT */
/* Segments through a physics tree, and the polygons of an asset as triangles (ours; retail has none, 03 §10.9).
 *
 * Contract (acphys/geom.h): the nearest polygon met, ties by ordinal. All of it is binary64. A polygon is met when the ends lie on
 * different sides of its plane and the line passes on the inner side of every edge. The edge test is the sign of (end - start) . (a x b)
 * with a, b the edge's ends seen from the start: for the edge that two polygons share the two values are exact negatives of each other,
 * so no line slips between neighbours.
 *
 * The walk visits nearer parts first and stops when what is left begins behind the best hit. Limits: a polygon is seen where the tree
 * lists it (11 AUT-7). No allocation; 24 KB of stack. Cost: the leaves along the segment. */
#include <math.h>
#include <stddef.h>

#include "geom/ray_walk.h"
#include "geom/vector64.h"

static acp_vector64 from_to(acp_vec3 from, acp_vec3 to) { return acp_vector64_minus(acp_vector64_of(to), acp_vector64_of(from)); }

/* Does the line pass on the inner side of every edge? `sign` is -1 for a polygon met from the front. */
static bool passes_inside(const acp_polygon *polygon, acp_vec3 start, acp_vector64 way, double sign) {
    acp_vector64 a = from_to(start, polygon->points[polygon->point_count - 1]);
    for (uint32_t i = 0; i < polygon->point_count; i++) {
        acp_vector64 b = from_to(start, polygon->points[i]);
        double volume = acp_vector64_dot(way, acp_vector64_cross(a, b));
        if (volume * sign < 0.0) return false;
        a = b;
    }
    return true;
}

/* One polygon; fills fraction and side. */
static bool polygon_meets_segment(const acp_polygon *polygon, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, double *out_fraction,
                                  bool *out_is_front) {
    if (!acp_polygon_is_usable(polygon)) return false;
    double d0 = acp_plane_distance(&polygon->plane, start), d1 = acp_plane_distance(&polygon->plane, end);
    bool is_front = d0 >= 0.0 && d1 <= 0.0;
    bool is_back = sides == ACP_RAY_BOTH_FACES && d0 <= 0.0 && d1 >= 0.0;
    if (d0 == d1 || (!is_front && !is_back)) return false;
    if (!passes_inside(polygon, start, from_to(start, end), d0 > d1 ? -1.0 : 1.0)) return false;
    *out_fraction = d0 / (d0 - d1);
    *out_is_front = d0 > d1;
    return true;
}

static bool segment_search(const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, bool is_any_enough, acp_bsp_hit *hit) {
    acp_ray_walk walk;
    acp_ray_walk_begin(&walk, bsp, start, end, 0.0);
    bool is_found = false;
    double best = 1.0;
    const acp_bsp_leaf *leaf;
    while ((leaf = acp_ray_walk_next(&walk, best)) != NULL) {
        for (uint32_t i = 0; i < leaf->polygon_count; i++) {
            uint32_t ordinal = acp_bsp_leaf_groups(bsp)[leaf->first_group + i / 4u].polygons[i % 4u];
            if (!acp_bsp_is_named_polygon(bsp, ordinal)) continue;
            acp_polygon polygon = acp_bsp_polygon(bsp, ordinal);
            double fraction;
            bool is_front;
            if (!polygon_meets_segment(&polygon, start, end, sides, &fraction, &is_front)) continue;
            if (is_found && (fraction > best || (fraction == best && ordinal >= hit->polygon))) continue;
            is_found = true;
            best = fraction;
            *hit = (acp_bsp_hit){.fraction = fraction, .polygon = ordinal, .is_front = is_front, .normal = polygon.plane.normal};
            if (is_any_enough) return true;
        }
    }
    return is_found;
}

static bool is_finite_vec3(acp_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

acp_result acp_bsp_segment_first_hit(const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, acp_bsp_hit *out_hit,
                                     int32_t *out_found) {
    if (bsp == NULL || out_hit == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!is_finite_vec3(start) || !is_finite_vec3(end)) return ACP_ERROR_NOT_FINITE;
    acp_bsp_hit hit = {0};
    *out_found = segment_search(bsp, start, end, sides, false, &hit);
    if (*out_found) {
        acp_vector64 way = from_to(start, end);
        hit.point = acp_vec3_make((double)start.x + way.x * hit.fraction, (double)start.y + way.y * hit.fraction,
                                  (double)start.z + way.z * hit.fraction);
        *out_hit = hit;
    }
    return ACP_OK;
}

acp_result acp_bsp_segment_any_hit(const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, int32_t *out_found) {
    if (bsp == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!is_finite_vec3(start) || !is_finite_vec3(end)) return ACP_ERROR_NOT_FINITE;
    acp_bsp_hit hit = {0};
    *out_found = segment_search(bsp, start, end, sides, true, &hit);
    return ACP_OK;
}

acp_result acp_bsp_triangles(const acp_bsp *bsp, acp_bsp_triangle *out_triangles, uint32_t capacity, uint32_t *out_count) {
    if (bsp == NULL || out_count == NULL || (capacity != 0 && out_triangles == NULL)) return ACP_ERROR_INVALID_ARGUMENT;
    uint32_t count = 0;
    for (uint32_t ordinal = 0; ordinal < bsp->polygon_count; ordinal++) {
        acp_polygon polygon = acp_bsp_polygon(bsp, ordinal);
        for (uint32_t i = 1; i + 1 < polygon.point_count; i++, count++)
            if (count < capacity)
                out_triangles[count] = (acp_bsp_triangle){{polygon.points[0], polygon.points[i], polygon.points[i + 1]},
                                                          ordinal,
                                                          acp_bsp_polygon_stored_id(bsp, ordinal),
                                                          polygon.sides_type};
    }
    *out_count = count;
    return ACP_OK;
}
