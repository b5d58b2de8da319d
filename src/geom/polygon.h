/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_POLYGON_H
#define ACP_GEOM_POLYGON_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"
#include "geom/plane.h"

/* A convex polygon as the operations see it (spec 03 §7): a view, 40 bytes, passed around by value; the points stay their owner's (an
 * asset, a terrain block). A degenerate polygon (fewer than three points, plane not finite) is never hit, walked on or crossed: every
 * operation below answers "no" for it and reads none of its points (POLY-4). */
typedef struct acp_polygon {
    acp_plane plane;
    const acp_vec3 *points;
    uint32_t point_count;
    uint32_t id;        /* ordinal in the owner's array */
    int32_t sides_type; /* read by acp_polygon_hits_ray only */
} acp_polygon;

/* POLY-2. All NaN when there is no plane or it is not finite (POLY-4). retail: CPolygon::make_plane 0x005383D0 */
acp_plane acp_polygon_make_plane(const acp_vec3 *points, uint32_t point_count);

/* A polygon over `points`, its plane computed. */
acp_polygon acp_polygon_make(const acp_vec3 *points, uint32_t point_count, uint32_t id, int32_t sides_type);

/* At least three points and a finite plane. */
bool acp_polygon_is_usable(const acp_polygon *polygon);

/* POLY-6; boundary inside; p need not be on the plane. retail: CPolygon::point_in_polygon 0x00538D90 */
bool acp_polygon_contains_point(const acp_polygon *polygon, acp_vec3 p);
/* POLY-7, xy only; side POSITIVE or any other. Uses the points only. retail: CPolygon::point_in_poly2D 0x00538060 */
bool acp_polygon_contains_point_2d(const acp_polygon *polygon, acp_vec3 p, acp_sidedness side);

/* POLY-8, one pass. *contact is written once the slab test has passed, whatever the answer.
 * retail: CPolygon::polygon_hits_sphere 0x005387C0 */
bool acp_polygon_hits_sphere_fast(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 *contact);
/* POLY-9, two passes: the one every query uses. Same rule for *contact. retail: CPolygon::polygon_hits_sphere_slow_but_sure 0x00538A10 */
bool acp_polygon_hits_sphere_precise(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 *contact);
/* POLY-10: POLY-9 without a contact point. retail: CPolygon::hits_sphere 0x00539540 */
bool acp_polygon_hits_sphere(const acp_polygon *polygon, const acp_sphere *sphere);
/* POLY-11: *is_struck becomes true on overlap, before the direction test; never becomes false. retail: CPolygon::pos_hits_sphere 0x005394F0
 */
bool acp_polygon_pos_hits_sphere(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 movement, acp_vec3 *contact,
                                 bool *is_struck);
/* POLY-12. retail: CPolygon::walkable_hits_sphere 0x00539560 */
bool acp_polygon_walkable_hits_sphere(const acp_polygon *polygon, float walkable_allowance, const acp_sphere *sphere, acp_vec3 up);

/* POLY-13. retail: CPolygon::check_walkable 0x00538E60 */
bool acp_polygon_check_walkable(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 up);
/* POLY-14. retail: CPolygon::check_small_walkable 0x005390B0 */
bool acp_polygon_check_small_walkable(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 up);
/* POLY-15: *normal (into the polygon) is written only on true. retail: CPolygon::find_crossed_edge 0x00539300 */
bool acp_polygon_find_crossed_edge(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 up, acp_vec3 *normal);

/* POLY-16: unrounded time, not clamped; 1.0 = already touching, 0.0 = parallel. Only the radius of the sphere is used.
 * retail: CPolygon::adjust_sphere_to_poly 0x00538170 */
double acp_polygon_adjust_sphere_to_poly(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 current, acp_vec3 movement);
/* POLY-17: moves the sphere back along movement and lowers *walk_interp; both unchanged on false.
 * retail: CPolygon::adjust_sphere_to_plane 0x00538210 */
bool acp_polygon_adjust_sphere_to_plane(const acp_polygon *polygon, float *walk_interp, acp_sphere *sphere, acp_vec3 movement);
/* POLY-18: moves both spheres. retail: CPolygon::adjust_to_placement_poly 0x00538CE0 */
void acp_polygon_adjust_to_placement(const acp_polygon *polygon, acp_sphere *struck, acp_sphere *other, float radius, bool center_solid,
                                     bool solid_check);
/* POLY-19, picking only; *out_time binary64, written as by acp_plane_time_of_intersection. retail: CPolygon::polygon_hits_ray 0x005395E0 */
bool acp_polygon_hits_ray(const acp_polygon *polygon, const acp_ray *ray, double *out_time);

#endif
