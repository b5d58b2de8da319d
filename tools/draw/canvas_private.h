/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_DRAW_CANVAS_PRIVATE_H
#define ACP_TOOLS_DRAW_CANVAS_PRIVATE_H

#include <cairo.h>

#include "draw/canvas.h"
#include "support/output_file.h"

/* The inside of a canvas, shared by canvas.c and canvas_text.c. */

enum { ACP_CANVAS_LEGEND_LIMIT = 32 };

typedef struct acp_legend_entry {
    acp_marker marker;
    acp_pen pen;
    char *text;
} acp_legend_entry;

struct acp_canvas {
    acp_output_file file;
    cairo_surface_t *surface;
    cairo_t *cairo;
    uint32_t width;
    uint32_t height;
    bool is_svg;
    double scale;  /* picture units per world unit */
    double left;   /* picture x of world x 0 */
    double bottom; /* picture y of world y 0 */
    acp_legend_entry legend[ACP_CANVAS_LEGEND_LIMIT];
    uint32_t legend_count;
};

void acp_canvas_use_color(acp_canvas *canvas, acp_color color);
void acp_canvas_apply_pen(acp_canvas *canvas, const acp_pen *pen);
void acp_canvas_path_marker(acp_canvas *canvas, acp_canvas_point at, acp_marker marker, double size);
void acp_canvas_draw_legend(acp_canvas *canvas);

#endif
