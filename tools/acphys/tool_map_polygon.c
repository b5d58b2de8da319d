/* SPDX-License-Identifier: MIT */
/* Convex polygons for pictures: cut by a line, centre, hull.
 *
 * Rooms are regions bounded by planes; cut at a height they are a large square clipped by one line after another. Boxes seen from above are
 * the hull of their eight corners. Plain double arithmetic: nothing here decides anything but what is drawn. Cost: linear, the hull
 * quadratic in the number of points. */
#include "tools/acphys/tool_map_polygon.h"

#include <math.h>

void acp_map_clip(acp_map_polygon *g, double a, double b, double c) {
    acp_map_polygon out;
    out.count = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        acp_canvas_point p = g->points[i], q = g->points[(i + 1u) % g->count];
        double dp = a * p.x + b * p.y + c, dq = a * q.x + b * q.y + c;
        if (dp >= 0.0 && out.count < ACP_MAP_CORNERS) out.points[out.count++] = p;
        if ((dp >= 0.0) != (dq >= 0.0) && out.count < ACP_MAP_CORNERS) {
            double t = dp / (dp - dq);
            out.points[out.count].x = p.x + t * (q.x - p.x);
            out.points[out.count++].y = p.y + t * (q.y - p.y);
        }
    }
    *g = out;
}

acp_canvas_point acp_map_middle(const acp_map_polygon *g) {
    double area = 0.0, x = 0.0, y = 0.0;
    for (uint32_t i = 0; i < g->count; i++) {
        acp_canvas_point p = g->points[i], q = g->points[(i + 1u) % g->count];
        double w = p.x * q.y - q.x * p.y;
        area += w;
        x += (p.x + q.x) * w;
        y += (p.y + q.y) * w;
    }
    if (fabs(area) < 1e-9) return g->points[0];
    acp_canvas_point out = {x / (3.0 * area), y / (3.0 * area)};
    return out;
}

/* Gift wrapping. */
void acp_map_hull(const acp_canvas_point *points, uint32_t count, acp_map_polygon *out) {
    uint32_t start = 0;
    for (uint32_t i = 1; i < count; i++)
        if (points[i].x < points[start].x || (points[i].x <= points[start].x && points[i].y < points[start].y)) start = i;
    uint32_t at = start;
    out->count = 0;
    do {
        out->points[out->count++] = points[at];
        uint32_t next = (at + 1u) % count;
        for (uint32_t i = 0; i < count; i++) {
            double ax = points[next].x - points[at].x, ay = points[next].y - points[at].y;
            double bx = points[i].x - points[at].x, by = points[i].y - points[at].y;
            double turn = ax * by - ay * bx;
            if (turn < 0.0 || (turn <= 0.0 && bx * bx + by * by > ax * ax + ay * ay)) next = i;
        }
        at = next;
    } while (at != start && out->count < ACP_MAP_CORNERS);
}
