/* SPDX-License-Identifier: MIT */
/* Planes and rays: the pure operations of spec 03 §3 and §5 (PLANE-1 to PLANE-8, RAY-1, plane equality of VEC-5).
 *
 * Contract: stored inputs are finite binary32; every expression is binary64 in the written order and rounded where it is stored. Spec 12
 * ("Planes, boxes, polygons") names the stores. Nothing allocates or fails; a `false` is an answer.
 *
 * retail: Plane::Plane 0x00536A20, Plane::which_side2 0x006B61E0, Plane::set_height 0x0052F050, Plane::snap_to_plane 0x00509C50,
 * Plane::compute_time_of_intersection 0x00538320, Plane::intersect_box 0x005AA170, Plane::localtoglobal 0x005AA0A0. */
#include "geom/plane.h"

#include <math.h>

acp_plane acp_plane_from_normal_and_point(acp_vec3 normal, acp_vec3 point) {
    acp_plane plane = {normal, acp_f32(-acp_vec3_dot_zyx(point, normal))};
    return plane;
}

acp_sidedness acp_plane_side_biased(const acp_plane *plane, acp_vec3 p, float bias, float epsilon) {
    double t = acp_plane_distance(plane, p) + (double)bias;
    if (t > (double)epsilon) return ACP_SIDE_POSITIVE;
    return t >= -(double)epsilon ? ACP_SIDE_IN_PLANE : ACP_SIDE_NEGATIVE;
}

bool acp_plane_set_height(const acp_plane *plane, acp_vec3 *p) {
    double nz = (double)plane->normal.z;
    if (fabs(nz) <= ACP_EPSILON_F64) return false;
    double sum = ((double)p->y * (double)plane->normal.y + (double)p->x * (double)plane->normal.x) + (double)plane->d;
    p->z = acp_f32(-(sum / nz));
    return true;
}

void acp_plane_snap(const acp_plane *plane, acp_vec3 *offset) {
    double nz = (double)plane->normal.z;
    if (!(fabs(nz) > ACP_EPSILON_F64)) return;
    double d = (double)plane->d;
    double k = 1.0 / nz;
    /* PLANE-5: d is really added and removed; the z of the offset counts as zero. */
    double sum = ((double)offset->y * (double)plane->normal.y + (double)offset->x * (double)plane->normal.x) + nz * 0.0;
    offset->z = acp_f32(-(sum + d) * k - k * -d);
}

bool acp_plane_time_of_intersection(const acp_plane *plane, const acp_ray *ray, double *out_time) {
    double denominator = acp_vec3_dot_zyx(ray->direction, plane->normal);
    if (!(fabs(denominator) >= ACP_EPSILON_F64)) return false;
    double time = acp_plane_distance(plane, ray->point) * (-1.0 / denominator);
    *out_time = time;
    return time >= 0.0;
}

acp_sidedness acp_plane_intersect_box(const acp_plane *plane, const acp_box *box) {
    const acp_vec3 n = box->min, x = box->max;
    acp_sidedness side = acp_plane_side(plane, n, ACP_EPSILON);
    if (side == ACP_SIDE_IN_PLANE) return ACP_SIDE_CROSSING;
    const acp_vec3 corners[7] = {{x.x, x.y, x.z}, {x.x, n.y, n.z}, {n.x, x.y, n.z}, {n.x, n.y, x.z},
                                 {x.x, x.y, n.z}, {x.x, n.y, x.z}, {n.x, x.y, x.z}};
    for (int i = 0; i < 7; i++)
        if (acp_plane_side(plane, corners[i], ACP_EPSILON) != side) return ACP_SIDE_CROSSING;
    return side;
}

acp_plane acp_plane_local_to_global(uint32_t to_cell_id, const acp_matrix_position *from, const acp_plane *plane) {
    acp_vec3 foot = acp_vec3_scale(plane->normal, -(double)plane->d);
    const float *m = from->frame.m;
    double nx = (double)plane->normal.x, ny = (double)plane->normal.y, nz = (double)plane->normal.z;
    acp_vec3 normal = acp_vec3_make(((double)m[6] * nz + (double)m[3] * ny) + (double)m[0] * nx,
                                    ((double)m[7] * nz + (double)m[4] * ny) + (double)m[1] * nx,
                                    ((double)m[8] * nz + (double)m[5] * ny) + (double)m[2] * nx);
    acp_vec3 g = acp_matrix_position_local_to_global(to_cell_id, from, foot);
    acp_plane result = {normal, acp_f32(-acp_vec3_dot_zyx(normal, g))};
    return result;
}

bool acp_plane_is_equal(const acp_plane *a, const acp_plane *b) {
    return acp_vec3_is_equal(a->normal, b->normal) && fabs((double)a->d - (double)b->d) < ACP_EPSILON_F64;
}

acp_ray acp_ray_from_offset(acp_vec3 start, acp_vec3 offset) {
    acp_ray ray = {start, {0.0f, 1.0f, 0.0f}, 0.0f};
    if (fabs((double)offset.x) > ACP_EPSILON_F64 || fabs((double)offset.y) > ACP_EPSILON_F64 || fabs((double)offset.z) > ACP_EPSILON_F64) {
        ray.length = acp_f32(sqrt(acp_vec3_dot_zyx(offset, offset)));
        ray.direction = acp_vec3_scale(offset, 1.0 / (double)ray.length);
    }
    return ray;
}
