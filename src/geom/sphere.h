/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SPHERE_H
#define ACP_GEOM_SPHERE_H

#include <stdbool.h>

#include "acphys/geom.h"
#include "geom/plane.h"

/* Spheres and cylspheres (spec 03 §6): pure geometry. */

/* SPH-1: squared distance - squared radius sum < EPS, strict, binary64. retail: CSphere::sphere_intersects_sphere 0x005344A0 */
static inline bool acp_sphere_intersects(const acp_sphere *a, const acp_sphere *b) {
    double dx = (double)a->center.x - (double)b->center.x;
    double dy = (double)a->center.y - (double)b->center.y;
    double dz = (double)a->center.z - (double)b->center.z;
    double s = (double)b->radius + (double)a->radius;
    return ((dz * dz + dy * dy) + dx * dx) - s * s < ACP_EPSILON_F64;
}

/* SPH-2: radsum^2 >= |disp|^2. retail: CSphere::collides_with_sphere 0x005369E0 */
bool acp_sphere_collides(acp_vec3 disp, float radius_sum);
/* SPH-3: fraction of movement, unrounded; -1 = none; other negative values are possible. retail: CSphere::FindTimeOfCollision 0x005368F0 */
double acp_sphere_time_of_collision(acp_vec3 movement, acp_vec3 disp, float radius_sum);
/* SPH-4, picking only: origin inside is a miss; a ray pointing away hits with a negative time.
 * retail: CSphere::sphere_intersects_ray 0x005377A0 */
bool acp_sphere_hits_ray(const acp_sphere *sphere, const acp_ray *ray, double *out_time);

/* CYL-1: disp = sphere centre - low point. Reads only cylsphere height. retail: CCylSphere::collides_with_sphere 0x0053A880 */
bool acp_cylsphere_collides(float height, float sphere_radius, acp_vec3 disp, float radius_sum);
/* CYL-2: *out_normal is written in both cases, not normalised. retail: CCylSphere::normal_of_collision 0x0053AB50 */
bool acp_cylsphere_normal_of_collision(const acp_cylsphere *cylsphere, acp_vec3 current_center, float sphere_radius, acp_vec3 disp,
                                       float radius_sum, acp_vec3 *out_normal);

#endif
