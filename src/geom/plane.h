/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_PLANE_H
#define ACP_GEOM_PLANE_H

#include <stdbool.h>

#include "acphys/geom.h"
#include "math/number.h"
#include "math/vec3.h"
#include "place/position.h"

/* Planes and rays (spec 03 §3, §5). */

/* PLANE-0. which_side never gives CROSSING, intersect_box never gives IN_PLANE. */
typedef enum acp_sidedness { ACP_SIDE_POSITIVE = 0, ACP_SIDE_NEGATIVE = 1, ACP_SIDE_IN_PLANE = 2, ACP_SIDE_CROSSING = 3 } acp_sidedness;

/* A half-line; direction need not be unit where the operation says so. */
typedef struct acp_ray {
    acp_vec3 point;
    acp_vec3 direction;
    float length;
} acp_ray;

/* NUM-4 dist: ((N.z*p.z + N.y*p.y) + N.x*p.x) + d, unrounded. */
static inline double acp_plane_distance(const acp_plane *plane, acp_vec3 p) {
    return (((double)plane->normal.z * (double)p.z + (double)plane->normal.y * (double)p.y) + (double)plane->normal.x * (double)p.x) +
           (double)plane->d;
}

/* PLANE-2, both ties IN_PLANE; epsilon is a stored binary32. retail: Plane::which_side 0x00444720 */
static inline acp_sidedness acp_plane_side(const acp_plane *plane, acp_vec3 p, float epsilon) {
    double t = acp_plane_distance(plane, p);
    if (t > (double)epsilon) return ACP_SIDE_POSITIVE;
    return t >= -(double)epsilon ? ACP_SIDE_IN_PLANE : ACP_SIDE_NEGATIVE;
}

/* PLANE-1: through a point. retail: Plane::Plane 0x00536A20 */
acp_plane acp_plane_from_normal_and_point(acp_vec3 normal, acp_vec3 point);
/* PLANE-3. retail: Plane::which_side2 0x006B61E0 */
acp_sidedness acp_plane_side_biased(const acp_plane *plane, acp_vec3 p, float bias, float epsilon);
/* PLANE-4: false (and *p unchanged) when |N.z| <= EPS; else puts p.z on the plane. retail: Plane::set_height 0x0052F050 */
bool acp_plane_set_height(const acp_plane *plane, acp_vec3 *p);
/* PLANE-5: makes an offset parallel to the plane through its z. retail: Plane::snap_to_plane 0x00509C50 */
void acp_plane_snap(const acp_plane *plane, acp_vec3 *offset);
/* PLANE-6: *out_time is written (binary64) unless |dir.N| < EPS, also when the answer is false (behind).
 * retail: Plane::compute_time_of_intersection 0x00538320 */
bool acp_plane_time_of_intersection(const acp_plane *plane, const acp_ray *ray, double *out_time);
/* PLANE-7: POSITIVE, NEGATIVE or CROSSING. retail: Plane::intersect_box 0x005AA170 */
acp_sidedness acp_plane_intersect_box(const acp_plane *plane, const acp_box *box);
/* PLANE-8: from's local plane in the landblock of `to_cell_id`. retail: Plane::localtoglobal 0x005AA0A0 */
acp_plane acp_plane_local_to_global(uint32_t to_cell_id, const acp_matrix_position *from, const acp_plane *plane);
/* VEC-5: normals within EPS inclusive, d strictly. retail: Plane::operator== 0x006B3DD0 */
bool acp_plane_is_equal(const acp_plane *a, const acp_plane *b);

/* RAY-1. retail: Ray::Ray 0x0050D330 */
acp_ray acp_ray_from_offset(acp_vec3 start, acp_vec3 offset);

#endif
