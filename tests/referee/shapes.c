/* SPDX-License-Identifier: MIT */
/* Referee: planes, boxes, spheres and the frames that two of their operations need. Spec 03 §3, §4, §6; 01 §5, §8, §9, §14; 12. Written
 * from those pages alone. Variables of type double hold binary64 values; whatever passes through referee_f32 or a cast to float has been
 * stored. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/referee/referee.h"

static acp_vec3 vec(double x, double y, double z) {
    acp_vec3 v = {(float)x, (float)y, (float)z};
    return v;
}

double referee_dist(const acp_plane *plane, acp_vec3 p) {
    double nx = plane->normal.x, ny = plane->normal.y, nz = plane->normal.z, d = plane->d;
    double px = p.x, py = p.y, pz = p.z;
    return ((nz * pz + ny * py) + nx * px) + d;
}

referee_side referee_which_side2(const acp_plane *plane, acp_vec3 p, double bias, double eps) {
    double t = referee_dist(plane, p) + bias;
    if (t > eps) return REFEREE_POSITIVE;
    if (t >= -eps) return REFEREE_IN_PLANE;
    return REFEREE_NEGATIVE;
}

referee_side referee_which_side(const acp_plane *plane, acp_vec3 p, double eps) {
    double t = referee_dist(plane, p);
    if (t > eps) return REFEREE_POSITIVE;
    if (t >= -eps) return REFEREE_IN_PLANE;
    return REFEREE_NEGATIVE;
}

acp_plane referee_plane_from_point_normal(acp_vec3 normal, acp_vec3 p) {
    double px = p.x, py = p.y, pz = p.z;
    acp_plane plane;
    plane.normal = normal;
    plane.d = (float)-((pz * (double)normal.z + py * (double)normal.y) + px * (double)normal.x);
    return plane;
}

bool referee_set_height(const acp_plane *plane, acp_vec3 *p) {
    double nx = plane->normal.x, ny = plane->normal.y, nz = plane->normal.z, d = plane->d;
    if (fabs(nz) <= REFEREE_EPS) return false;
    p->z = (float)-((((double)p->y * ny + (double)p->x * nx) + d) / nz);
    return true;
}

void referee_snap_to_plane(const acp_plane *plane, acp_vec3 *v) {
    double nx = plane->normal.x, ny = plane->normal.y, nz = plane->normal.z, d = plane->d;
    if (!(fabs(nz) > REFEREE_EPS)) return;
    double k = 1.0 / nz;
    double sum = (((double)v->y * ny + (double)v->x * nx) + nz * 0.0) + d;
    v->z = (float)((-sum) * k - k * (-d));
}

bool referee_time_of_intersection(const acp_plane *plane, acp_vec3 pt, acp_vec3 dir, double *t) {
    double den =
        ((double)dir.z * (double)plane->normal.z + (double)dir.y * (double)plane->normal.y) + (double)dir.x * (double)plane->normal.x;
    if (fabs(den) < REFEREE_EPS) return false;
    *t = referee_dist(plane, pt) * (-1.0 / den);
    return *t >= 0.0;
}

/* Corner of a box: bit 0 of `which` takes X from max, bit 1 Y, bit 2 Z. */
static acp_vec3 corner(const acp_box *box, int which) {
    acp_vec3 v;
    v.x = which & 1 ? box->max.x : box->min.x;
    v.y = which & 2 ? box->max.y : box->min.y;
    v.z = which & 4 ? box->max.z : box->min.z;
    return v;
}

referee_side referee_intersect_box(const acp_plane *plane, const acp_box *box) {
    referee_side side = referee_which_side(plane, box->min, REFEREE_EPS);
    if (side == REFEREE_IN_PLANE) return REFEREE_CROSSING;
    for (int which = 1; which < 8; which++)
        if (referee_which_side(plane, corner(box, which), REFEREE_EPS) != side) return REFEREE_CROSSING;
    return side;
}

void referee_box_adjust(acp_box *box, acp_vec3 v) {
    if (v.x < box->min.x) box->min.x = v.x;
    if (v.y < box->min.y) box->min.y = v.y;
    if (v.z < box->min.z) box->min.z = v.z;
    if (v.x > box->max.x) box->max.x = v.x;
    if (v.y > box->max.y) box->max.y = v.y;
    if (v.z > box->max.z) box->max.z = v.z;
}

acp_vec3 referee_box_center(const acp_box *box) {
    return vec(((double)box->max.x + (double)box->min.x) * 0.5, ((double)box->max.y + (double)box->min.y) * 0.5,
               ((double)box->max.z + (double)box->min.z) * 0.5);
}

bool referee_sphere_intersects(const acp_sphere *a, const acp_sphere *b) {
    double dx = (double)a->center.x - (double)b->center.x;
    double dy = (double)a->center.y - (double)b->center.y;
    double dz = (double)a->center.z - (double)b->center.z;
    double s = (double)b->radius + (double)a->radius;
    return ((dz * dz + dy * dy) + dx * dx) - s * s < REFEREE_EPS;
}

bool referee_sphere_overlap(acp_vec3 disp, double radsum) {
    double x = disp.x, y = disp.y, z = disp.z;
    return radsum * radsum >= (x * x + y * y) + z * z;
}

double referee_sphere_time_of_collision(acp_vec3 movement, acp_vec3 disp, double radsum) {
    double mx = movement.x, my = movement.y, mz = movement.z;
    double dx = disp.x, dy = disp.y, dz = disp.z;
    double a = (mx * mx + my * my) + mz * mz;
    double g = (dz * mz + dy * my) + mx * dx;
    double b = -g;
    double c = ((dx * dx + dy * dy) + dz * dz) - radsum * radsum;
    if (c < REFEREE_EPS) return -1.0;
    double disc = b * b - c * a;
    if (a < REFEREE_EPS || disc < 0.0) return -1.0;
    double q = sqrt(disc);
    return b - q < 0.0 ? (q - g) / a : (b - q) / a;
}

bool referee_cyl_overlap(double height, double sphere_radius, acp_vec3 disp, double radsum) {
    double x = disp.x, y = disp.y, z = disp.z;
    if (!(radsum * radsum >= x * x + y * y)) return false;
    return (sphere_radius - REFEREE_EPS) + height * 0.5 >= fabs(height * 0.5 - z);
}

referee_position referee_position_identity(uint32_t cell) {
    referee_position position;
    memset(&position, 0, sizeof position);
    position.cell = cell;
    position.q[0] = 1.0f;
    position.m[0] = position.m[4] = position.m[8] = 1.0f;
    return position;
}

void referee_cache(referee_position *position) {
    double w = position->q[0], x = position->q[1], y = position->q[2], z = position->q[3];
    double b = x + x, c = y + y, d = z + z;
    float *m = position->m;
    m[0] = (float)((1.0 - y * c) - z * d);
    m[1] = (float)(x * c + w * d);
    m[2] = (float)(x * d - w * c);
    m[3] = (float)(x * c - w * d);
    m[4] = (float)((1.0 - x * b) - z * d);
    m[5] = (float)(y * d + w * b);
    m[6] = (float)(x * d + w * c);
    m[7] = (float)(y * d - w * b);
    m[8] = (float)((1.0 - x * b) - y * c);
}

void referee_set_rotate(referee_position *position, const float q[4]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    float old[4];
    memcpy(old, position->q, sizeof old);
    double s = 1.0 / sqrt(((w * w + x * x) + y * y) + z * z);
    position->q[0] = (float)(w * s);
    position->q[1] = (float)(x * s);
    position->q[2] = (float)(y * s);
    position->q[3] = (float)(z * s);
    w = position->q[0], x = position->q[1], y = position->q[2], z = position->q[3];
    double norm = referee_f32(((z * z + y * y) + x * x) + w * w);
    bool is_invalid = isnan(norm) || REFEREE_EPS * 5.0 < fabs(norm - 1.0);
    if (is_invalid) {
        memcpy(position->q, old, sizeof old);
    } else {
        referee_cache(position);
    }
}

/* Vector to add to a point of `to`'s block to express it in `from`'s block (WM-19), ids not zero. */
static void block_offset(uint32_t from, uint32_t to, double out[2]) {
    int fx = (int)(from >> 24) * 8, fy = (int)(from >> 16 & 0xFF) * 8;
    int tx = (int)(to >> 24) * 8, ty = (int)(to >> 16 & 0xFF) * 8;
    out[0] = referee_f32((double)(tx - fx) * 24.0);
    out[1] = referee_f32((double)(ty - fy) * 24.0);
}

acp_vec3 referee_local_to_global(uint32_t to_cell, const referee_position *from, acp_vec3 v) {
    const float *m = from->m;
    double x = v.x, y = v.y, z = v.z;
    double gx = referee_f32((((double)m[3] * y + (double)m[0] * x) + (double)m[6] * z) + (double)from->origin.x);
    double gy = referee_f32((((double)m[4] * y + (double)m[1] * x) + (double)m[7] * z) + (double)from->origin.y);
    double gz = referee_f32((((double)m[5] * y + (double)m[2] * x) + (double)m[8] * z) + (double)from->origin.z);
    double offset[2];
    block_offset(to_cell, from->cell, offset);
    return vec(offset[0] + gx, offset[1] + gy, 0.0 + gz);
}

acp_vec3 referee_local_to_local(const referee_position *to, const referee_position *from, acp_vec3 v) {
    acp_vec3 g = referee_local_to_global(to->cell, from, v);
    const float *m = to->m;
    double dx = referee_f32((double)g.x - (double)to->origin.x);
    double dy = referee_f32((double)g.y - (double)to->origin.y);
    double dz = (double)g.z - (double)to->origin.z;
    double dzr = referee_f32(dz);
    return vec((dzr * (double)m[2] + dx * (double)m[0]) + dy * (double)m[1], (dzr * (double)m[5] + dx * (double)m[3]) + dy * (double)m[4],
               (dz * (double)m[8] + dx * (double)m[6]) + dy * (double)m[7]);
}

acp_plane referee_plane_local_to_global(uint32_t to_cell, const referee_position *from, const acp_plane *plane) {
    const float *m = from->m;
    double nx = plane->normal.x, ny = plane->normal.y, nz = plane->normal.z;
    double k = -(double)plane->d;
    acp_vec3 foot = vec(k * nx, k * ny, k * nz);
    acp_plane out;
    out.normal =
        vec(((double)m[6] * nz + (double)m[3] * ny) + (double)m[0] * nx, ((double)m[7] * nz + (double)m[4] * ny) + (double)m[1] * nx,
            ((double)m[8] * nz + (double)m[5] * ny) + (double)m[2] * nx);
    acp_vec3 g = referee_local_to_global(to_cell, from, foot);
    out.d = (float)-(((double)out.normal.z * (double)g.z + (double)out.normal.y * (double)g.y) + (double)out.normal.x * (double)g.x);
    return out;
}

/* BOX-5's order, as bits of corner(). */
static const int refit_order[8] = {0, 7, 3, 5, 6, 2, 1, 4};

acp_box referee_box_local_to_global(uint32_t to_cell, const referee_position *from, const acp_box *box) {
    acp_box out;
    out.min = out.max = referee_local_to_global(to_cell, from, corner(box, refit_order[0]));
    for (int i = 1; i < 8; i++)
        referee_box_adjust(&out, referee_local_to_global(to_cell, from, corner(box, refit_order[i])));
    return out;
}

acp_box referee_box_local_to_local(const referee_position *to, const referee_position *from, const acp_box *box) {
    acp_box out;
    out.min = out.max = referee_local_to_local(to, from, corner(box, refit_order[0]));
    for (int i = 1; i < 8; i++)
        referee_box_adjust(&out, referee_local_to_local(to, from, corner(box, refit_order[i])));
    return out;
}

/* `box_convert_to_global` of the vectors is nowhere in the text of the spec. Its 120 answers say: into the block of the box's own position,
 * with the corner (X,Y,Z) left out. */
acp_box referee_box_convert_to_global(const referee_position *pos, const acp_box *box) {
    acp_box out;
    out.min = out.max = referee_local_to_global(pos->cell, pos, corner(box, 0));
    for (int which = 1; which < 7; which++)
        referee_box_adjust(&out, referee_local_to_global(pos->cell, pos, corner(box, which)));
    return out;
}
