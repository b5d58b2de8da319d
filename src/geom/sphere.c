/* SPDX-License-Identifier: MIT */
/* Spheres and upright capped cylinders: overlap, time and normal of collision (spec 03 §6: SPH-2 to SPH-4, CYL-1, CYL-2).
 *
 * Pure geometry in one working space; the responses that use it are another floor's (spec 05). Results of type double are unrounded, as
 * their callers use them. Radius sums are stored values, formed by the callers as f32((r1 + r2) - EPS).
 *
 * retail: CSphere::collides_with_sphere 0x005369E0, CSphere::FindTimeOfCollision 0x005368F0, CSphere::sphere_intersects_ray 0x005377A0,
 * CCylSphere::collides_with_sphere 0x0053A880, CCylSphere::normal_of_collision 0x0053AB50. */
#include "geom/sphere.h"

#include <math.h>

bool acp_sphere_collides(acp_vec3 disp, float radius_sum) {
    return (double)radius_sum * (double)radius_sum >= acp_vec3_dot_zyx(disp, disp);
}

double acp_sphere_time_of_collision(acp_vec3 movement, acp_vec3 disp, float radius_sum) {
    double mx = (double)movement.x, my = (double)movement.y, mz = (double)movement.z;
    double dx = (double)disp.x, dy = (double)disp.y, dz = (double)disp.z;
    double a = (mx * mx + my * my) + mz * mz;
    double g = (dz * mz + dy * my) + mx * dx;
    double b = -g;
    double c = ((dx * dx + dy * dy) + dz * dz) - (double)radius_sum * (double)radius_sum;
    if (c < ACP_EPSILON_F64) return -1.0;
    double discriminant = b * b - c * a;
    if (a < ACP_EPSILON_F64 || discriminant < 0.0) return -1.0;
    double q = sqrt(discriminant);
    return b - q < 0.0 ? (q - g) / a : (b - q) / a;
}

bool acp_sphere_hits_ray(const acp_sphere *sphere, const acp_ray *ray, double *out_time) {
    acp_vec3 d = acp_vec3_subtract(ray->point, sphere->center);
    double a = acp_vec3_dot_zyx(ray->direction, ray->direction);
    double b = -acp_vec3_dot_zyx(d, ray->direction);
    double dx = (double)d.x, dy = (double)d.y, dz = (double)d.z;
    double c = ((dx * dx + dz * dz) + dy * dy) - (double)sphere->radius * (double)sphere->radius;
    if (c <= 0.0 || a < ACP_EPSILON_F64) return false;
    double discriminant = b * b - c * a;
    if (discriminant < 0.0) return false;
    double q = sqrt(discriminant);
    *out_time = b <= q ? (q + b) / a : (b - q) / a;
    return true;
}

/* The half-height test shared by both cylinder operations: (radius - EPS) + height/2 >= |height/2 - z|. */
static bool is_within_height(float height, float sphere_radius, double z) {
    double half = (double)height * 0.5;
    return ((double)sphere_radius - ACP_EPSILON_F64) + half >= fabs(half - z);
}

bool acp_cylsphere_collides(float height, float sphere_radius, acp_vec3 disp, float radius_sum) {
    double dx = (double)disp.x, dy = (double)disp.y;
    return (double)radius_sum * (double)radius_sum >= dx * dx + dy * dy && is_within_height(height, sphere_radius, (double)disp.z);
}

bool acp_cylsphere_normal_of_collision(const acp_cylsphere *cylsphere, acp_vec3 current_center, float sphere_radius, acp_vec3 disp,
                                       float radius_sum, acp_vec3 *out_normal) {
    double ox = (double)current_center.x - (double)cylsphere->low_point.x;
    double oy = (double)current_center.y - (double)cylsphere->low_point.y;
    double oz = acp_stored((double)current_center.z - (double)cylsphere->low_point.z);
    if ((double)radius_sum * (double)radius_sum < oy * oy + ox * ox) {
        *out_normal = acp_vec3_make(ox, oy, 0.0);
        return is_within_height(cylsphere->height, sphere_radius, oz) || fabs(oz - (double)disp.z) <= ACP_EPSILON_F64;
    }
    *out_normal = acp_vec3_make(0.0, 0.0, (double)disp.z - oz <= 0.0 ? 1.0 : -1.0);
    return true;
}
