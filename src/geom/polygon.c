/* SPDX-License-Identifier: MIT */
/* Polygons: plane, point tests, sphere tests and adjustments (spec 03 §7; stores and association: spec 12 "Planes, boxes, polygons").
 *
 * Contract: a polygon is convex with its points counter-clockwise seen from the positive side (11 AUT-1, AUT-2); nothing here checks
 * that, and a polygon that is not convex gives defined if useless answers. A degenerate polygon has a NaN plane: each operation words its
 * first test so that NaN means "no", and asks acp_polygon_is_usable where there is no such test. Edges are visited as (last, first),
 * (first, second) and so on. Cost: one pass over the points at most, two for the precise sphere test. The trees do not call the sphere
 * tests here but a faster form with the same bits (geom/bsp_polygon.h); a test holds the two together.
 *
 * Retail addresses stand in geom/polygon.h at each declaration. */
#include "geom/polygon.h"

#include <math.h>

#include "geom/polygon_edge.h"

acp_plane acp_polygon_make_plane(const acp_vec3 *points, uint32_t point_count) {
    /* POLY-4, with the bits the client's 0/0 leaves: negative NaN in N, and so a positive one in d. */
    const acp_plane none = {{-NAN, -NAN, -NAN}, NAN};
    if (point_count < 3) return none;
    double nx = 0.0, ny = 0.0, nz = 0.0; /* nz holds a stored value after each step */
    for (uint32_t i = 1; i + 1 < point_count; i++) {
        double ax = acp_stored((double)points[i].x - (double)points[0].x);
        double ay = acp_stored((double)points[i].y - (double)points[0].y);
        double az = (double)points[i].z - (double)points[0].z;
        double bx = (double)points[i + 1].x - (double)points[0].x;
        double by = (double)points[i + 1].y - (double)points[0].y;
        double bz = (double)points[i + 1].z - (double)points[0].z;
        nx += acp_stored(ay * bz - az * by);
        ny += acp_stored(az * bx - bz * ax);
        nz = acp_stored((by * ax - ay * bx) + nz);
    }
    double k = 1.0 / sqrt((nz * nz + ny * ny) + nx * nx);
    double kf = acp_stored(k);
    acp_plane plane = {{acp_f32(k * nx), acp_f32(kf * ny), acp_f32(kf * nz)}, 0.0f};
    double sum = 0.0;
    for (uint32_t i = 0; i < point_count; i++)
        sum = ((sum + (double)plane.normal.z * (double)points[i].z) + (double)plane.normal.y * (double)points[i].y) +
              (double)plane.normal.x * (double)points[i].x;
    plane.d = acp_f32(-(sum / (double)point_count));
    /* POLY-4, DIV-21: one test, made once. */
    if (!isfinite(plane.normal.x) || !isfinite(plane.normal.y) || !isfinite(plane.normal.z) || !isfinite(plane.d)) return none;
    return plane;
}

acp_polygon acp_polygon_make(const acp_vec3 *points, uint32_t point_count, uint32_t id, int32_t sides_type) {
    acp_polygon polygon = {acp_polygon_make_plane(points, point_count), points, point_count, id, sides_type};
    return polygon;
}

bool acp_polygon_is_usable(const acp_polygon *polygon) {
    return polygon->point_count >= 3 && isfinite(polygon->plane.d) && isfinite(polygon->plane.normal.x) &&
           isfinite(polygon->plane.normal.y) && isfinite(polygon->plane.normal.z);
}

bool acp_polygon_contains_point(const acp_polygon *polygon, acp_vec3 p) {
    if (!acp_polygon_is_usable(polygon)) return false;
    double nx = (double)polygon->plane.normal.x, ny = (double)polygon->plane.normal.y, nz = (double)polygon->plane.normal.z;
    const acp_vec3 *prev = &polygon->points[polygon->point_count - 1];
    for (uint32_t i = 0; i < polygon->point_count; i++) {
        const acp_vec3 *cur = &polygon->points[i];
        double ex = (double)cur->x - (double)prev->x;
        double ey = (double)cur->y - (double)prev->y;
        double ez = (double)cur->z - (double)prev->z;
        double cx = acp_stored(ez * ny - ey * nz);
        double cy = acp_stored(ex * nz - ez * nx);
        double cz = ey * nx - ex * ny;
        double t = (((double)p.z - (double)prev->z) * cz + ((double)p.y - (double)prev->y) * cy) + ((double)p.x - (double)prev->x) * cx;
        if (t < 0.0) return false;
        prev = cur;
    }
    return true;
}

bool acp_polygon_contains_point_2d(const acp_polygon *polygon, acp_vec3 p, acp_sidedness side) {
    if (polygon->point_count == 0) return false;
    const acp_vec3 *prev = &polygon->points[0];
    for (uint32_t i = polygon->point_count; i-- > 0;) {
        const acp_vec3 *cur = &polygon->points[i];
        double a = (double)prev->y - (double)cur->y;
        double b = (double)cur->x - (double)prev->x;
        double t = ((-(a * (double)cur->x) - b * (double)cur->y) + b * (double)p.y) + a * (double)p.x;
        if (side == ACP_SIDE_POSITIVE ? t > 0.0 : t < 0.0) return false;
        prev = cur;
    }
    return true;
}

/* The slab test and projection every sphere test starts with (§7.4). False: no contact, nothing written. */
static bool sphere_project(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 *contact, float *limit) {
    if (polygon->point_count < 3) return false;
    const acp_plane *plane = &polygon->plane;
    acp_vec3 c = sphere->center;
    double dp = acp_plane_distance(plane, c);
    /* Spec 12, contact point: the same distance in another order would change only bit 53 of a compared value. */
    double reach = (double)sphere->radius - ACP_EPSILON_F64;
    if (!(reach >= fabs(dp))) return false;
    *limit = acp_f32(reach * reach - dp * dp);
    contact->x = acp_f32((double)c.x - dp * (double)plane->normal.x);
    contact->y = acp_f32((double)c.y - dp * (double)plane->normal.y);
    contact->z = acp_f32((double)c.z - acp_stored(dp * (double)plane->normal.z));
    return true;
}

bool acp_polygon_hits_sphere_fast(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 *contact) {
    float limit;
    if (!sphere_project(polygon, sphere, contact, &limit)) return false;
    return acp_edge_walk(&polygon->plane, polygon->points, polygon->point_count, *contact, limit, false);
}

bool acp_polygon_hits_sphere_precise(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 *contact) {
    float limit;
    if (!sphere_project(polygon, sphere, contact, &limit)) return false;
    if (acp_polygon_contains_point(polygon, *contact)) return true;
    return acp_edge_walk(&polygon->plane, polygon->points, polygon->point_count, *contact, limit, true);
}

bool acp_polygon_hits_sphere(const acp_polygon *polygon, const acp_sphere *sphere) {
    acp_vec3 contact;
    return acp_polygon_hits_sphere_precise(polygon, sphere, &contact);
}

bool acp_polygon_pos_hits_sphere(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 movement, acp_vec3 *contact,
                                 bool *is_struck) {
    if (!acp_polygon_hits_sphere_precise(polygon, sphere, contact)) return false;
    *is_struck = true;
    return !(acp_vec3_dot_zyx(polygon->plane.normal, movement) >= 0.0);
}

bool acp_polygon_walkable_hits_sphere(const acp_polygon *polygon, float walkable_allowance, const acp_sphere *sphere, acp_vec3 up) {
    if (!(acp_vec3_dot_zyx(polygon->plane.normal, up) > (double)walkable_allowance)) return false;
    return acp_polygon_hits_sphere(polygon, sphere);
}

/* The projection along `up` of POLY-13 to POLY-15. False: `up` lies in the plane. */
static bool project_along(const acp_polygon *polygon, acp_vec3 center, acp_vec3 up, acp_vec3 *out_q) {
    if (polygon->point_count < 3) return false;
    const acp_plane *plane = &polygon->plane;
    double a = ((double)plane->normal.y * (double)up.y + (double)plane->normal.z * (double)up.z) + (double)up.x * (double)plane->normal.x;
    if (!(fabs(a) >= ACP_EPSILON_F64)) return false;
    double t = acp_plane_distance(plane, center) / a;
    out_q->x = acp_f32((double)center.x - t * (double)up.x);
    out_q->y = acp_f32((double)center.y - acp_stored(t * (double)up.y));
    out_q->z = acp_f32((double)center.z - acp_stored(t * (double)up.z));
    return true;
}

bool acp_polygon_check_walkable(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 up) {
    acp_vec3 q;
    if (!project_along(polygon, sphere->center, up, &q)) return false;
    if (acp_edges_enclose(&polygon->plane, polygon->points, polygon->point_count, q)) return true;
    return acp_edge_walk(&polygon->plane, polygon->points, polygon->point_count, q,
                         acp_f32((double)sphere->radius * (double)sphere->radius), false);
}

bool acp_polygon_check_small_walkable(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 up) {
    acp_vec3 q;
    if (!project_along(polygon, sphere->center, up, &q)) return false;
    return acp_edge_walk(&polygon->plane, polygon->points, polygon->point_count, q,
                         acp_f32(((double)sphere->radius * (double)sphere->radius) * 0.25), false);
}

bool acp_polygon_find_crossed_edge(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 up, acp_vec3 *normal) {
    acp_vec3 q;
    if (!project_along(polygon, sphere->center, up, &q)) return false;
    const acp_plane *plane = &polygon->plane;
    const acp_vec3 *prev = &polygon->points[polygon->point_count - 1];
    for (uint32_t i = 0; i < polygon->point_count; i++) {
        const acp_vec3 *cur = &polygon->points[i];
        acp_edge_vectors e = acp_edge_of(plane, prev, cur);
        double t =
            (((double)q.z - (double)prev->z) * e.cz + ((double)q.y - (double)prev->y) * e.cy) + ((double)q.x - (double)prev->x) * e.cx;
        if (t < 0.0) {
            acp_vec3 n = acp_vec3_make(e.ez * (double)plane->normal.y - e.ey * (double)plane->normal.z, e.cy, e.cz);
            *normal = acp_vec3_normalize(n);
            return true;
        }
        prev = cur;
    }
    return false;
}

double acp_polygon_adjust_sphere_to_poly(const acp_polygon *polygon, const acp_sphere *sphere, acp_vec3 current, acp_vec3 movement) {
    double d0 = acp_stored(acp_plane_distance(&polygon->plane, current));
    if ((double)sphere->radius > fabs(d0)) return 1.0;
    double denominator = acp_vec3_dot_zyx(polygon->plane.normal, movement);
    if (!(fabs(denominator) >= ACP_EPSILON_F64)) return 0.0;
    double r = d0 <= 0.0 ? -(double)sphere->radius : (double)sphere->radius;
    return (r - d0) / denominator;
}

bool acp_polygon_adjust_sphere_to_plane(const acp_polygon *polygon, float *walk_interp, acp_sphere *sphere, acp_vec3 movement) {
    double dp = acp_plane_distance(&polygon->plane, sphere->center);
    double dm = acp_vec3_dot_zyx(polygon->plane.normal, movement);
    double numerator;
    if (dm > ACP_EPSILON_F64)
        numerator = -(double)sphere->radius - dp;
    else if (!(dm < -ACP_EPSILON_F64))
        return false;
    else
        numerator = dp - (double)sphere->radius;
    double t = numerator / dm;
    double w = (1.0 - t) * (double)*walk_interp;
    float stored = acp_f32(w);
    if (w >= (double)*walk_interp || (double)stored < -0.5) return false;
    acp_vec3 c = sphere->center;
    sphere->center.x = acp_f32((double)c.x - t * (double)movement.x);
    sphere->center.y = acp_f32((double)c.y - acp_stored(t * (double)movement.y));
    sphere->center.z = acp_f32((double)c.z - acp_stored(t * (double)movement.z));
    *walk_interp = stored;
    return true;
}

void acp_polygon_adjust_to_placement(const acp_polygon *polygon, acp_sphere *struck, acp_sphere *other, float radius, bool center_solid,
                                     bool solid_check) {
    double dp = acp_plane_distance(&polygon->plane, struck->center);
    double r = (double)radius;
    if (solid_check) {
        /* Both flips in turn: together they cancel. */
        if (center_solid) r = -r;
        if (dp <= 0.0) r = -r;
    }
    double k = r - dp;
    double x = k * (double)polygon->plane.normal.x;
    double y = acp_stored(k * (double)polygon->plane.normal.y);
    double z = acp_stored(k * (double)polygon->plane.normal.z);
    acp_sphere *both[2] = {struck, other};
    for (int i = 0; i < 2; i++)
        both[i]->center = acp_vec3_make(x + (double)both[i]->center.x, y + (double)both[i]->center.y, z + (double)both[i]->center.z);
}

bool acp_polygon_hits_ray(const acp_polygon *polygon, const acp_ray *ray, double *out_time) {
    if (polygon->sides_type == 0 && acp_vec3_dot_zyx(ray->direction, polygon->plane.normal) > 0.0) return false;
    if (!acp_plane_time_of_intersection(&polygon->plane, ray, out_time)) return false;
    double t = *out_time;
    acp_vec3 p =
        acp_vec3_make(acp_stored(t * (double)ray->direction.x) + (double)ray->point.x,
                      acp_stored(t * (double)ray->direction.y) + (double)ray->point.y, t * (double)ray->direction.z + (double)ray->point.z);
    return acp_polygon_contains_point(polygon, p);
}
