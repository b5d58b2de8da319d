/* SPDX-License-Identifier: MIT */
/* Referee: polygons. Spec 03 §7 with 12 "Planes, boxes, polygons", statement by statement; written from those pages alone. A polygon that
 * is never hit (POLY-4) answers no to everything and has none of its points read. */
#include <math.h>

#include "tests/referee/referee.h"

acp_plane referee_make_plane(const acp_vec3 *v, int n) {
    double nx = 0.0, ny = 0.0;
    double nz = 0.0; /* stored at every step */
    for (int i = 1; i + 1 < n; i++) {
        double ax = referee_f32((double)v[i].x - (double)v[0].x);
        double ay = referee_f32((double)v[i].y - (double)v[0].y);
        double az = (double)v[i].z - (double)v[0].z;
        double bx = (double)v[i + 1].x - (double)v[0].x;
        double by = (double)v[i + 1].y - (double)v[0].y;
        double bz = (double)v[i + 1].z - (double)v[0].z;
        nx += referee_f32(ay * bz - az * by);
        ny += referee_f32(az * bx - bz * ax);
        nz = referee_f32((by * ax - ay * bx) + nz);
    }
    double k = 1.0 / sqrt((nz * nz + ny * ny) + nx * nx);
    double kf = referee_f32(k);
    acp_plane plane;
    plane.normal.x = (float)(k * nx);
    plane.normal.y = (float)(kf * ny);
    plane.normal.z = (float)(kf * nz);
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        s = s + (double)plane.normal.z * (double)v[i].z;
        s = s + (double)plane.normal.y * (double)v[i].y;
        s = s + (double)plane.normal.x * (double)v[i].x;
    }
    plane.d = (float)-(s / (double)n);
    return plane;
}

referee_polygon referee_polygon_make(const acp_vec3 *v, int n, uint32_t number) {
    referee_polygon polygon;
    polygon.v = v;
    polygon.n = n;
    polygon.plane = referee_make_plane(v, n);
    polygon.number = number;
    polygon.is_never_hit = n < 3 || !isfinite(polygon.plane.normal.x) || !isfinite(polygon.plane.normal.y) ||
                           !isfinite(polygon.plane.normal.z) || !isfinite(polygon.plane.d);
    return polygon;
}

/* Vertex before vertex i, in the order of §7.2. */
static acp_vec3 before(const referee_polygon *p, int i) { return p->v[i == 0 ? p->n - 1 : i - 1]; }

bool referee_point_in_polygon(const referee_polygon *p, acp_vec3 q) {
    if (p->is_never_hit) return false;
    double Nx = p->plane.normal.x, Ny = p->plane.normal.y, Nz = p->plane.normal.z;
    for (int i = 0; i < p->n; i++) {
        acp_vec3 prev = before(p, i), cur = p->v[i];
        double ex = (double)cur.x - (double)prev.x;
        double ey = (double)cur.y - (double)prev.y;
        double ez = (double)cur.z - (double)prev.z;
        double cx = referee_f32(ez * Ny - ey * Nz);
        double cy = referee_f32(ex * Nz - ez * Nx);
        double cz = ey * Nx - ex * Ny;
        double t = (((double)q.z - (double)prev.z) * cz + ((double)q.y - (double)prev.y) * cy) + ((double)q.x - (double)prev.x) * cx;
        if (t < 0.0) return false;
    }
    return true;
}

bool referee_point_in_poly2d(const referee_polygon *p, acp_vec3 q, referee_side side) {
    acp_vec3 prev = p->v[0];
    for (int i = p->n - 1; i >= 0; i--) {
        acp_vec3 cur = p->v[i];
        double a = (double)prev.y - (double)cur.y;
        double b = (double)cur.x - (double)prev.x;
        double t = ((-(a * (double)cur.x) - b * (double)cur.y) + b * (double)q.y) + a * (double)q.x;
        if (side == REFEREE_POSITIVE) {
            if (t > 0.0) return false;
        } else {
            if (t < 0.0) return false;
        }
        prev = cur;
    }
    return true;
}

/* One edge of §7.2, with everything it defines. */
typedef struct edge {
    double ex, ey, ez;
    double cx, cy, cz;
    double t, along, len2, dd, c2;
} edge;

static edge edge_of(const referee_polygon *p, int i, acp_vec3 q) {
    double Nx = p->plane.normal.x, Ny = p->plane.normal.y, Nz = p->plane.normal.z;
    acp_vec3 prev = before(p, i), cur = p->v[i];
    edge e;
    e.ex = referee_f32((double)cur.x - (double)prev.x);
    e.ey = referee_f32((double)cur.y - (double)prev.y);
    double ezd = (double)cur.z - (double)prev.z;
    e.ez = referee_f32(ezd);
    double dx = referee_f32((double)q.x - (double)prev.x);
    double dy = referee_f32((double)q.y - (double)prev.y);
    double dzd = (double)q.z - (double)prev.z;
    double dz = referee_f32(dzd);
    e.cx = ezd * Ny - e.ey * Nz;
    e.cy = e.ex * Nz - e.ez * Nx;
    e.cz = e.ey * Nx - e.ex * Ny;
    e.t = (dzd * e.cz + dy * e.cy) + dx * e.cx;
    e.along = (dz * e.ez + dy * e.ey) + dx * e.ex;
    e.len2 = (e.ez * e.ez + e.ey * e.ey) + e.ex * e.ex;
    e.dd = (dz * dz + dy * dy) + dx * dx;
    e.c2 = (e.cz * e.cz + e.cy * e.cy) + e.cx * e.cx;
    return e;
}

/* POLY-5. */
static bool edge_walk(const referee_polygon *p, acp_vec3 q, double L) {
    bool inside = true;
    for (int i = 0; i < p->n; i++) {
        edge e = edge_of(p, i, q);
        if (e.t < 0.0) {
            if (e.c2 * L < e.t * e.t) return false;
            if (e.along >= 0.0 && e.along <= e.len2) return true;
            inside = false;
        }
        if (e.dd <= L) return true;
    }
    return inside;
}

/* The beginning of §7.4: false when the sphere does not reach the plane. */
static bool slab(const referee_polygon *p, const acp_sphere *s, acp_vec3 *contact, double *L) {
    if (p->is_never_hit) return false;
    double dp = referee_dist(&p->plane, s->center);
    double R = (double)s->radius - REFEREE_EPS;
    if (R < fabs(dp)) return false;
    *L = referee_f32(R * R - dp * dp);
    contact->x = (float)((double)s->center.x - dp * (double)p->plane.normal.x);
    contact->y = (float)((double)s->center.y - dp * (double)p->plane.normal.y);
    contact->z = (float)((double)s->center.z - referee_f32(dp * (double)p->plane.normal.z));
    return true;
}

bool referee_hits_sphere_fast(const referee_polygon *p, const acp_sphere *s, acp_vec3 *contact) {
    double L;
    if (!slab(p, s, contact, &L)) return false;
    return edge_walk(p, *contact, L);
}

bool referee_hits_sphere_precise(const referee_polygon *p, const acp_sphere *s, acp_vec3 *contact) {
    double L;
    if (!slab(p, s, contact, &L)) return false;
    if (referee_point_in_polygon(p, *contact)) return true;
    for (int i = 0; i < p->n; i++) {
        edge e = edge_of(p, i, *contact);
        if (e.t < 0.0) {
            if (e.c2 * L < e.t * e.t) return false;
            if (e.along >= 0.0 && e.along <= e.len2) return true;
        }
        if (e.dd <= L) return true;
    }
    return false;
}

bool referee_pos_hits_sphere(const referee_polygon *p, const acp_sphere *s, acp_vec3 movement, acp_vec3 *contact,
                             const referee_polygon **struck) {
    bool h = referee_hits_sphere_precise(p, s, contact);
    if (h) *struck = p;
    double Nx = p->plane.normal.x, Ny = p->plane.normal.y, Nz = p->plane.normal.z;
    if ((Nz * (double)movement.z + Ny * (double)movement.y) + Nx * (double)movement.x >= 0.0) return false;
    return h;
}

bool referee_walkable_hits_sphere(const referee_polygon *p, const referee_path *path, const acp_sphere *s, acp_vec3 up) {
    if (p->is_never_hit) return false;
    acp_vec3 scratch = {0, 0, 0};
    double Nx = p->plane.normal.x, Ny = p->plane.normal.y, Nz = p->plane.normal.z;
    double slope = (Nz * (double)up.z + Ny * (double)up.y) + (double)up.x * Nx;
    if (slope > (double)path->walkable_allowance) return referee_hits_sphere_precise(p, s, &scratch);
    return false;
}

/* The projection along `up` of POLY-13 and POLY-15. */
static bool project(const referee_polygon *p, const acp_sphere *s, acp_vec3 up, acp_vec3 *q) {
    if (p->is_never_hit) return false;
    double Nx = p->plane.normal.x, Ny = p->plane.normal.y, Nz = p->plane.normal.z;
    double a = (Ny * (double)up.y + Nz * (double)up.z) + (double)up.x * Nx;
    if (fabs(a) < REFEREE_EPS) return false;
    double t = referee_dist(&p->plane, s->center) / a;
    q->x = (float)((double)s->center.x - t * (double)up.x);
    q->y = (float)((double)s->center.y - referee_f32(t * (double)up.y));
    q->z = (float)((double)s->center.z - referee_f32(t * (double)up.z));
    return true;
}

bool referee_check_walkable(const referee_polygon *p, const acp_sphere *s, acp_vec3 up) {
    acp_vec3 q;
    double r = s->radius;
    return project(p, s, up, &q) && edge_walk(p, q, referee_f32(r * r));
}

bool referee_check_small_walkable(const referee_polygon *p, const acp_sphere *s, acp_vec3 up) {
    acp_vec3 q;
    double r = s->radius;
    return project(p, s, up, &q) && edge_walk(p, q, referee_f32((r * r) * 0.25));
}

bool referee_find_crossed_edge(const referee_polygon *p, const acp_sphere *s, acp_vec3 up, acp_vec3 *normal) {
    acp_vec3 q;
    if (!project(p, s, up, &q)) return false;
    for (int i = 0; i < p->n; i++) {
        acp_vec3 prev = before(p, i);
        edge e = edge_of(p, i, q);
        double t = (((double)q.z - (double)prev.z) * e.cz + ((double)q.y - (double)prev.y) * e.cy) + ((double)q.x - (double)prev.x) * e.cx;
        if (t < 0.0) {
            double nx = referee_f32(e.ez * (double)p->plane.normal.y - e.ey * (double)p->plane.normal.z);
            double ny = referee_f32(e.cy);
            double nz = referee_f32(e.cz);
            double k = 1.0 / sqrt((nx * nx + ny * ny) + nz * nz);
            normal->x = (float)(k * nx);
            normal->y = (float)(k * ny);
            normal->z = (float)(k * nz);
            return true;
        }
    }
    return false;
}

double referee_adjust_sphere_to_poly(const referee_polygon *p, double radius, acp_vec3 curr, acp_vec3 movement) {
    double d0 = referee_f32(referee_dist(&p->plane, curr));
    if (radius > fabs(d0)) return 1.0;
    double Nx = p->plane.normal.x, Ny = p->plane.normal.y, Nz = p->plane.normal.z;
    double den = (Nz * (double)movement.z + Ny * (double)movement.y) + Nx * (double)movement.x;
    if (fabs(den) < REFEREE_EPS) return 0.0;
    double r = d0 <= 0.0 ? -radius : radius;
    return (r - d0) / den;
}

bool referee_adjust_sphere_to_plane(const referee_polygon *p, referee_path *path, acp_sphere *s, acp_vec3 movement) {
    double Nx = p->plane.normal.x, Ny = p->plane.normal.y, Nz = p->plane.normal.z;
    double mx = movement.x, my = movement.y, mz = movement.z;
    double radius = s->radius;
    double dp = referee_dist(&p->plane, s->center);
    double dm = (Nz * mz + Ny * my) + Nx * mx;
    double num;
    if (dm > REFEREE_EPS) {
        num = -radius - dp;
    } else if (dm >= -REFEREE_EPS) {
        return false;
    } else {
        num = dp - radius;
    }
    double t = num / dm;
    double w = (1.0 - t) * (double)path->walk_interp;
    float wf = (float)w;
    if (w >= (double)path->walk_interp || (double)wf < -0.5) return false;
    s->center.x = (float)((double)s->center.x - t * mx);
    s->center.y = (float)((double)s->center.y - referee_f32(t * my));
    s->center.z = (float)((double)s->center.z - referee_f32(t * mz));
    path->walk_interp = wf;
    return true;
}

/* Moves a centre by k along the normal, as POLY-18 rounds it. */
static void push(acp_sphere *s, double k, const acp_plane *plane) {
    s->center.x = (float)(k * (double)plane->normal.x + (double)s->center.x);
    s->center.y = (float)(referee_f32(k * (double)plane->normal.y) + (double)s->center.y);
    s->center.z = (float)(referee_f32(k * (double)plane->normal.z) + (double)s->center.z);
}

void referee_adjust_to_placement_poly(const referee_polygon *p, acp_sphere *struck, acp_sphere *other, double rad, bool center_solid,
                                      bool solid_check) {
    double dp = referee_dist(&p->plane, struck->center);
    double r = rad;
    if (solid_check) {
        if (center_solid) r = -r;
        if (dp <= 0.0) r = -r;
    }
    double k = r - dp;
    push(struck, k, &p->plane);
    push(other, k, &p->plane);
}
