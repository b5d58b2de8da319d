/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_DRAW_CANVAS_H
#define ACP_TOOLS_DRAW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/result.h"

/* A picture of a piece of the world, as PNG or SVG: one drawing code for both. Coordinates are world coordinates (metres, x east, y up on
 * the picture; for a slice the caller's two axes) once acp_canvas_fit was called; sizes of lines, markers and letters are picture units
 * (pixels of the PNG). Everything is drawn in the order of the calls. Not thread-safe; one canvas per picture.
 *
 *     acp_canvas *canvas;
 *     if (acp_canvas_open(&canvas, "cells.svg", 1200, 900, &error) != ACP_OK) …
 *     acp_canvas_fit(canvas, (acp_rectangle){0, 0, 192, 192}, 40);
 *     acp_canvas_polygon(canvas, points, 4, &(acp_pen){.fill = acp_palette(0, 0.3), .stroke = acp_palette(0, 1), .width = 1});
 *     acp_canvas_scale_bar(canvas, "m");
 *     if (acp_canvas_close(canvas, &error) != ACP_OK) …            (acp_canvas_discard gives up instead) */

typedef struct acp_color {
    double red, green, blue, alpha; /* 0 to 1; alpha 0 draws nothing */
} acp_color;

typedef struct acp_rectangle {
    double x0, y0, x1, y1; /* x0 < x1, y0 < y1 */
} acp_rectangle;

typedef struct acp_canvas_point {
    double x, y;
} acp_canvas_point;

/* How a shape is drawn: filled, stroked or both. Zero is nothing. */
typedef struct acp_pen {
    acp_color fill;
    acp_color stroke;
    double width; /* of the stroke; 0 = 1 */
    double dash;  /* length of dashes and gaps; 0 = solid */
} acp_pen;

typedef enum acp_marker { ACP_MARKER_DOT, ACP_MARKER_SQUARE, ACP_MARKER_CROSS, ACP_MARKER_RING, ACP_MARKER_TRIANGLE } acp_marker;

typedef enum acp_anchor {
    ACP_ANCHOR_CENTER,
    ACP_ANCHOR_LEFT, /* the text begins at the point */
    ACP_ANCHOR_RIGHT,
    ACP_ANCHOR_ABOVE,
    ACP_ANCHOR_BELOW
} acp_anchor;

typedef struct acp_canvas acp_canvas;

/* Colors that differ for most eyes, light and dark, seen or printed (Okabe and Ito); index is taken modulo their number. */
acp_color acp_palette(uint32_t index, double alpha);
/* 0xRRGGBB. */
acp_color acp_color_rgb(uint32_t rgb, double alpha);
/* A ramp from blue over white to red for t in -1 … 1, and from dark to light for t in 0 … 1. */
acp_color acp_color_diverging(double t);
acp_color acp_color_sequential(double t);

/* The format is chosen by the end of the path (.png, .svg; anything else is refused). 1 to 16384 units a side. The file appears when
 * closed. */
acp_result acp_canvas_open(acp_canvas **out_canvas, const char *path, uint32_t width, uint32_t height, acp_error *error);
acp_result acp_canvas_close(acp_canvas *canvas, acp_error *error);
void acp_canvas_discard(acp_canvas *canvas);

/* Fits a world rectangle into the picture less a margin on all sides, with one scale for both axes, centred. */
void acp_canvas_fit(acp_canvas *canvas, acp_rectangle world, double margin);
/* Picture units per world unit; where a world point lies on the picture (origin top left). */
double acp_canvas_scale(const acp_canvas *canvas);
acp_canvas_point acp_canvas_place(const acp_canvas *canvas, double x, double y);

void acp_canvas_background(acp_canvas *canvas, acp_color color);
/* Limits drawing to a world rectangle, until unclip. */
void acp_canvas_clip(acp_canvas *canvas, acp_rectangle world);
void acp_canvas_unclip(acp_canvas *canvas);

void acp_canvas_line(acp_canvas *canvas, double x0, double y0, double x1, double y1, const acp_pen *pen);
void acp_canvas_polyline(acp_canvas *canvas, const acp_canvas_point *points, uint32_t count, const acp_pen *pen);
void acp_canvas_polygon(acp_canvas *canvas, const acp_canvas_point *points, uint32_t count, const acp_pen *pen);
void acp_canvas_rectangle(acp_canvas *canvas, acp_rectangle world, const acp_pen *pen);
void acp_canvas_circle(acp_canvas *canvas, double x, double y, double radius, const acp_pen *pen); /* radius in the world */
/* A line with a head at its end. */
void acp_canvas_arrow(acp_canvas *canvas, double x0, double y0, double x1, double y1, const acp_pen *pen);
void acp_canvas_marker(acp_canvas *canvas, double x, double y, acp_marker marker, double size, const acp_pen *pen);
/* Grid lines every `step` world units over a rectangle. */
void acp_canvas_grid(acp_canvas *canvas, acp_rectangle world, double step, const acp_pen *pen);
/* Rows from north to south of width × height pixels 0xAARRGGBB, stretched over a world rectangle without smoothing. */
acp_result acp_canvas_image(acp_canvas *canvas, acp_rectangle world, const uint32_t *pixels, uint32_t width, uint32_t height,
                            acp_error *error);

/* Text at a world point, with a light halo so that it reads on anything. UTF-8. */
void acp_canvas_label(acp_canvas *canvas, double x, double y, acp_anchor anchor, double size, acp_color color, const char *text);

/* The furniture, at fixed places of the picture: a title on top, a legend in the upper right corner (entries gathered by the calls, drawn
 * by close), a bar of a round length at the lower left. */
void acp_canvas_title(acp_canvas *canvas, const char *text);
void acp_canvas_legend(acp_canvas *canvas, acp_marker marker, const acp_pen *pen, const char *text);
void acp_canvas_scale_bar(acp_canvas *canvas, const char *unit);

#endif
