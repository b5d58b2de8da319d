/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_POLYGON_EDGE_H
#define ACP_GEOM_POLYGON_EDGE_H

#include "geom/polygon.h"

/* The edge walk of the sphere tests (spec 03 §7.2, POLY-5, POLY-9), shared by geom/polygon.c and the trees. */

/* An edge from `prev` to `cur`, as the sphere tests round it (spec 12): x and y stored, z unrounded in its first use and stored elsewhere;
 * c = N x e points into the polygon, unrounded. */
typedef struct acp_edge_vectors {
    double ex, ey, ez; /* stored */
    double cx, cy, cz;
} acp_edge_vectors;

static inline acp_edge_vectors acp_edge_of(const acp_plane *plane, const acp_vec3 *prev, const acp_vec3 *cur) {
    double nx = (double)plane->normal.x, ny = (double)plane->normal.y, nz = (double)plane->normal.z;
    acp_edge_vectors e;
    e.ex = acp_stored((double)cur->x - (double)prev->x);
    e.ey = acp_stored((double)cur->y - (double)prev->y);
    double ez_first = (double)cur->z - (double)prev->z;
    e.ez = acp_stored(ez_first);
    e.cx = ez_first * ny - e.ey * nz;
    e.cy = e.ex * nz - e.ez * nx;
    e.cz = e.ey * nx - e.ex * ny;
    return e;
}

/* What one edge says of the point q (POLY-5). */
typedef enum acp_edge_verdict { ACP_EDGE_PASSED, ACP_EDGE_OUTSIDE, ACP_EDGE_TOO_FAR, ACP_EDGE_REACHED } acp_edge_verdict;

static inline acp_edge_verdict acp_edge_judge(const acp_plane *plane, const acp_vec3 *prev, const acp_vec3 *cur, acp_vec3 q, float limit) {
    acp_edge_vectors e = acp_edge_of(plane, prev, cur);
    double dx = acp_stored((double)q.x - (double)prev->x);
    double dy = acp_stored((double)q.y - (double)prev->y);
    double dz_first = (double)q.z - (double)prev->z;
    double dz = acp_stored(dz_first);
    double t = (dz_first * e.cz + dy * e.cy) + dx * e.cx;
    acp_edge_verdict verdict = ACP_EDGE_PASSED;
    if (t < 0.0) {
        double c2 = (e.cz * e.cz + e.cy * e.cy) + e.cx * e.cx;
        if (c2 * (double)limit < t * t) return ACP_EDGE_TOO_FAR;
        double along = (dz * e.ez + dy * e.ey) + dx * e.ex;
        double length2 = (e.ez * e.ez + e.ey * e.ey) + e.ex * e.ex;
        if (along >= 0.0 && along <= length2) return ACP_EDGE_REACHED;
        verdict = ACP_EDGE_OUTSIDE;
    }
    if ((dz * dz + dy * dy) + dx * dx <= (double)limit) return ACP_EDGE_REACHED;
    return verdict;
}

/* Has every edge the point on its inner side? Then POLY-5 says yes, whether an edge passes it or finds it near an end. The same numbers as
 * in acp_edge_judge. */
static inline bool acp_edges_enclose(const acp_plane *plane, const acp_vec3 *points, uint32_t point_count, acp_vec3 q) {
    const double nx = (double)plane->normal.x, ny = (double)plane->normal.y, nz = (double)plane->normal.z;
    const double qx = (double)q.x, qy = (double)q.y, qz = (double)q.z;
    double px = (double)points[point_count - 1].x, py = (double)points[point_count - 1].y, pz = (double)points[point_count - 1].z;
    for (const acp_vec3 *cur = points, *end = points + point_count; cur < end; cur++) {
        const double x = (double)cur->x, y = (double)cur->y, z = (double)cur->z;
        const double ex = acp_stored(x - px), ey = acp_stored(y - py), ez_first = z - pz, ez = acp_stored(ez_first);
        const double dx = acp_stored(qx - px), dy = acp_stored(qy - py);
        const double t = ((qz - pz) * (ey * nx - ex * ny) + dy * (ex * nz - ez * nx)) + dx * (ez_first * ny - ey * nz);
        if (!(t >= 0.0)) return false;
        px = x;
        py = y;
        pz = z;
    }
    return true;
}

/* POLY-5; as the second pass of POLY-9 it starts from "no", which stays the answer when no edge decides. */
static inline bool acp_edge_walk(const acp_plane *plane, const acp_vec3 *points, uint32_t point_count, acp_vec3 q, float limit,
                                 bool is_second_pass) {
    const acp_vec3 *prev = &points[point_count - 1];
    bool inside = !is_second_pass;
    for (uint32_t i = 0; i < point_count; i++) {
        const acp_vec3 *cur = &points[i];
        acp_edge_verdict verdict = acp_edge_judge(plane, prev, cur, q, limit);
        if (verdict == ACP_EDGE_TOO_FAR) return false;
        if (verdict == ACP_EDGE_REACHED) return true;
        if (verdict == ACP_EDGE_OUTSIDE) inside = false;
        prev = cur;
    }
    return inside;
}

#endif
