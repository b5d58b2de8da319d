/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_MAP_POLYGON_H
#define ACP_TOOLS_TOOL_MAP_POLYGON_H

#include <stdint.h>

#include "tools/draw/canvas.h"

/* Small convex polygons for pictures: counter-clockwise, at most 64 corners; corners beyond that are dropped. */
#define ACP_MAP_CORNERS 64u

typedef struct acp_map_polygon {
    acp_canvas_point points[ACP_MAP_CORNERS];
    uint32_t count;
} acp_map_polygon;

/* Keeps the side a x + b y + c >= 0; nothing may be left. */
void acp_map_clip(acp_map_polygon *polygon, double a, double b, double c);
/* The centre of its area; its first corner when it has none. */
acp_canvas_point acp_map_middle(const acp_map_polygon *polygon);
/* The convex hull of 1 to 64 points. */
void acp_map_hull(const acp_canvas_point *points, uint32_t count, acp_map_polygon *out_polygon);

#endif
