/* SPDX-License-Identifier: MIT */
/* Pictures over cairo: the surface, the transform from the world, and the shapes.
 *
 * A canvas owns an output file under a temporary name and a cairo surface that is either an image (written as PNG when closed) or an SVG
 * stream. World points are placed by one scale and offset; nothing else knows the picture's axes. Faults of cairo are kept by cairo and
 * looked at once, when the canvas is closed, so drawing calls need no checks. Text and furniture are in canvas_text.c.
 * Limits: 16384 units a side, 32 legend entries. */
#include "draw/canvas_private.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

acp_color acp_color_rgb(uint32_t rgb, double alpha) {
    return (acp_color){(double)(rgb >> 16 & 255) / 255.0, (double)(rgb >> 8 & 255) / 255.0, (double)(rgb & 255) / 255.0, alpha};
}

acp_color acp_palette(uint32_t index, double alpha) {
    static const uint32_t colors[] = {0x0072B2, 0xE69F00, 0x009E73, 0xD55E00, 0xCC79A7, 0x56B4E9, 0xF0E442, 0x404040};
    return acp_color_rgb(colors[index % (sizeof colors / sizeof colors[0])], alpha);
}

static acp_color mix(acp_color a, acp_color b, double t) {
    return (acp_color){a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t, a.blue + (b.blue - a.blue) * t, 1.0};
}

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

acp_color acp_color_diverging(double t) {
    acp_color white = acp_color_rgb(0xF7F7F7, 1.0);
    t = clamp(t, -1.0, 1.0);
    return t < 0.0 ? mix(white, acp_color_rgb(0x2166AC, 1.0), -t) : mix(white, acp_color_rgb(0xB2182B, 1.0), t);
}

acp_color acp_color_sequential(double t) {
    static const uint32_t stops[] = {0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725};
    double at = clamp(t, 0.0, 1.0) * 4.0;
    uint32_t index = at >= 3.0 ? 3 : (uint32_t)at;
    return mix(acp_color_rgb(stops[index], 1.0), acp_color_rgb(stops[index + 1], 1.0), at - (double)index);
}

/* ---- opening and closing ---- */

static cairo_status_t write_bytes(void *user, const unsigned char *bytes, unsigned int length) {
    acp_canvas *canvas = user;
    return fwrite(bytes, 1, length, canvas->file.stream) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool ends_with(const char *path, const char *end) {
    size_t a = strlen(path), b = strlen(end);
    return a > b && strcmp(path + a - b, end) == 0;
}

acp_result acp_canvas_open(acp_canvas **out_canvas, const char *path, uint32_t width, uint32_t height, acp_error *error) {
    bool is_svg = ends_with(path, ".svg");
    if (!is_svg && !ends_with(path, ".png")) {
        acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "draw", "the name of a picture must end with .png or .svg");
        acp_error_set_file(error, path);
        return ACP_ERROR_INVALID_ARGUMENT;
    }
    if (width < 1 || height < 1 || width > 16384 || height > 16384)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, "draw", "a picture has 1 to 16384 units a side, not %u x %u", width, height);
    acp_canvas *canvas = calloc(1, sizeof *canvas);
    if (canvas == NULL) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "out of memory");
    acp_result result = acp_output_file_open(&canvas->file, path, error);
    if (result != ACP_OK) {
        free(canvas);
        return result;
    }
    canvas->width = width;
    canvas->height = height;
    canvas->is_svg = is_svg;
    canvas->surface = is_svg ? cairo_svg_surface_create_for_stream(write_bytes, canvas, width, height)
                             : cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)width, (int)height);
    canvas->cairo = cairo_create(canvas->surface);
    if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS) {
        acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "%s", cairo_status_to_string(cairo_status(canvas->cairo)));
        acp_canvas_discard(canvas);
        return ACP_ERROR_OUT_OF_MEMORY;
    }
    cairo_set_line_cap(canvas->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    acp_canvas_fit(canvas, (acp_rectangle){0.0, 0.0, width, height}, 0.0);
    *out_canvas = canvas;
    return ACP_OK;
}

static void release(acp_canvas *canvas) {
    cairo_destroy(canvas->cairo);
    cairo_surface_destroy(canvas->surface);
    for (uint32_t i = 0; i < canvas->legend_count; i++)
        free(canvas->legend[i].text);
    free(canvas);
}

void acp_canvas_discard(acp_canvas *canvas) {
    if (canvas == NULL) return;
    acp_output_file temporary = canvas->file;
    release(canvas); /* an SVG surface writes when it goes */
    acp_output_file_discard(&temporary);
}

acp_result acp_canvas_close(acp_canvas *canvas, acp_error *error) {
    acp_canvas_draw_legend(canvas);
    cairo_status_t status = cairo_status(canvas->cairo);
    if (canvas->is_svg)
        cairo_surface_finish(canvas->surface);
    else if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(canvas->surface, write_bytes, canvas);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(canvas->surface);
    acp_output_file file = canvas->file;
    release(canvas);
    if (status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR) return acp_output_file_commit(&file, error);
    acp_error_set(error, ACP_ERROR_INTERNAL, "draw", "%s", cairo_status_to_string(status));
    acp_error_set_file(error, file.path);
    acp_output_file_discard(&file);
    return ACP_ERROR_INTERNAL;
}

/* ---- the world on the picture ---- */

void acp_canvas_fit(acp_canvas *canvas, acp_rectangle world, double margin) {
    double room_x = (double)canvas->width - 2.0 * margin, room_y = (double)canvas->height - 2.0 * margin;
    double scale_x = room_x / (world.x1 - world.x0), scale_y = room_y / (world.y1 - world.y0);
    canvas->scale = scale_x < scale_y ? scale_x : scale_y;
    canvas->left = ((double)canvas->width - canvas->scale * (world.x0 + world.x1)) / 2.0;
    canvas->bottom = ((double)canvas->height + canvas->scale * (world.y0 + world.y1)) / 2.0;
}

double acp_canvas_scale(const acp_canvas *canvas) { return canvas->scale; }

acp_canvas_point acp_canvas_place(const acp_canvas *canvas, double x, double y) {
    return (acp_canvas_point){canvas->left + canvas->scale * x, canvas->bottom - canvas->scale * y};
}

void acp_canvas_use_color(acp_canvas *canvas, acp_color color) {
    cairo_set_source_rgba(canvas->cairo, color.red, color.green, color.blue, color.alpha);
}

/* Fills and strokes the current path. */
void acp_canvas_apply_pen(acp_canvas *canvas, const acp_pen *pen) {
    if (pen->fill.alpha > 0.0) {
        acp_canvas_use_color(canvas, pen->fill);
        cairo_fill_preserve(canvas->cairo);
    }
    if (pen->stroke.alpha > 0.0) {
        acp_canvas_use_color(canvas, pen->stroke);
        cairo_set_line_width(canvas->cairo, pen->width > 0.0 ? pen->width : 1.0);
        cairo_set_dash(canvas->cairo, &pen->dash, pen->dash > 0.0 ? 1 : 0, 0.0);
        cairo_stroke_preserve(canvas->cairo);
    }
    cairo_new_path(canvas->cairo);
}

void acp_canvas_background(acp_canvas *canvas, acp_color color) {
    acp_canvas_use_color(canvas, color);
    cairo_paint(canvas->cairo);
}

static void path_rectangle(acp_canvas *canvas, acp_rectangle world) {
    acp_canvas_point low = acp_canvas_place(canvas, world.x0, world.y0), high = acp_canvas_place(canvas, world.x1, world.y1);
    cairo_rectangle(canvas->cairo, low.x, high.y, high.x - low.x, low.y - high.y);
}

void acp_canvas_clip(acp_canvas *canvas, acp_rectangle world) {
    path_rectangle(canvas, world);
    cairo_clip(canvas->cairo);
}

void acp_canvas_unclip(acp_canvas *canvas) { cairo_reset_clip(canvas->cairo); }

/* ---- shapes ---- */

static void path_points(acp_canvas *canvas, const acp_canvas_point *points, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        acp_canvas_point at = acp_canvas_place(canvas, points[i].x, points[i].y);
        if (i == 0)
            cairo_move_to(canvas->cairo, at.x, at.y);
        else
            cairo_line_to(canvas->cairo, at.x, at.y);
    }
}

void acp_canvas_line(acp_canvas *canvas, double x0, double y0, double x1, double y1, const acp_pen *pen) {
    const acp_canvas_point points[2] = {{x0, y0}, {x1, y1}};
    acp_canvas_polyline(canvas, points, 2, pen);
}

void acp_canvas_polyline(acp_canvas *canvas, const acp_canvas_point *points, uint32_t count, const acp_pen *pen) {
    acp_pen open = *pen;
    open.fill.alpha = 0.0;
    path_points(canvas, points, count);
    acp_canvas_apply_pen(canvas, &open);
}

void acp_canvas_polygon(acp_canvas *canvas, const acp_canvas_point *points, uint32_t count, const acp_pen *pen) {
    path_points(canvas, points, count);
    cairo_close_path(canvas->cairo);
    acp_canvas_apply_pen(canvas, pen);
}

void acp_canvas_rectangle(acp_canvas *canvas, acp_rectangle world, const acp_pen *pen) {
    path_rectangle(canvas, world);
    acp_canvas_apply_pen(canvas, pen);
}

void acp_canvas_circle(acp_canvas *canvas, double x, double y, double radius, const acp_pen *pen) {
    acp_canvas_point at = acp_canvas_place(canvas, x, y);
    cairo_new_sub_path(canvas->cairo);
    cairo_arc(canvas->cairo, at.x, at.y, radius * canvas->scale, 0.0, 6.283185307179586);
    acp_canvas_apply_pen(canvas, pen);
}

void acp_canvas_arrow(acp_canvas *canvas, double x0, double y0, double x1, double y1, const acp_pen *pen) {
    acp_canvas_point from = acp_canvas_place(canvas, x0, y0), to = acp_canvas_place(canvas, x1, y1);
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    acp_canvas_line(canvas, x0, y0, x1, y1, pen);
    if (length < 1.0) return;
    double size = 4.0 + 2.0 * (pen->width > 0.0 ? pen->width : 1.0);
    dx *= size / length;
    dy *= size / length;
    cairo_move_to(canvas->cairo, to.x, to.y);
    cairo_line_to(canvas->cairo, to.x - dx - dy / 2.0, to.y - dy + dx / 2.0);
    cairo_line_to(canvas->cairo, to.x - dx + dy / 2.0, to.y - dy - dx / 2.0);
    cairo_close_path(canvas->cairo);
    acp_canvas_apply_pen(canvas, &(acp_pen){.fill = pen->stroke});
}

/* A marker at a picture point. */
void acp_canvas_path_marker(acp_canvas *canvas, acp_canvas_point at, acp_marker marker, double size) {
    cairo_t *cairo = canvas->cairo;
    double half = size / 2.0;
    cairo_new_sub_path(cairo);
    switch (marker) {
    case ACP_MARKER_DOT:
    case ACP_MARKER_RING:
        cairo_arc(cairo, at.x, at.y, half, 0.0, 6.283185307179586);
        break;
    case ACP_MARKER_SQUARE:
        cairo_rectangle(cairo, at.x - half, at.y - half, size, size);
        break;
    case ACP_MARKER_CROSS:
        cairo_move_to(cairo, at.x - half, at.y - half);
        cairo_line_to(cairo, at.x + half, at.y + half);
        cairo_move_to(cairo, at.x - half, at.y + half);
        cairo_line_to(cairo, at.x + half, at.y - half);
        break;
    case ACP_MARKER_TRIANGLE:
        cairo_move_to(cairo, at.x, at.y - half);
        cairo_line_to(cairo, at.x + half, at.y + half);
        cairo_line_to(cairo, at.x - half, at.y + half);
        cairo_close_path(cairo);
        break;
    }
}

void acp_canvas_marker(acp_canvas *canvas, double x, double y, acp_marker marker, double size, const acp_pen *pen) {
    acp_pen used = *pen;
    if (marker == ACP_MARKER_RING || marker == ACP_MARKER_CROSS) used.fill.alpha = 0.0;
    acp_canvas_path_marker(canvas, acp_canvas_place(canvas, x, y), marker, size);
    acp_canvas_apply_pen(canvas, &used);
}

void acp_canvas_grid(acp_canvas *canvas, acp_rectangle world, double step, const acp_pen *pen) {
    if (!(step > 0.0) || (world.x1 - world.x0 + world.y1 - world.y0) / step > 20000.0) return;
    for (double i = ceil(world.x0 / step); i * step <= world.x1; i += 1.0)
        acp_canvas_line(canvas, i * step, world.y0, i * step, world.y1, pen);
    for (double i = ceil(world.y0 / step); i * step <= world.y1; i += 1.0)
        acp_canvas_line(canvas, world.x0, i * step, world.x1, i * step, pen);
}

acp_result acp_canvas_image(acp_canvas *canvas, acp_rectangle world, const uint32_t *pixels, uint32_t width, uint32_t height,
                            acp_error *error) {
    if (width < 1 || height < 1 || width > 32767 || height > 32767)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, "draw", "an image has 1 to 32767 pixels a side");
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)width, (int)height);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(image);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "out of memory");
    }
    cairo_surface_flush(image);
    unsigned char *rows = cairo_image_surface_get_data(image);
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t pixel = pixels[(size_t)y * width + x], alpha = pixel >> 24; /* cairo wants colors multiplied by alpha */
            uint32_t red = (pixel >> 16 & 255) * alpha / 255, green = (pixel >> 8 & 255) * alpha / 255, blue = (pixel & 255) * alpha / 255;
            pixel = alpha << 24 | red << 16 | green << 8 | blue;
            memcpy(rows + y * stride + 4 * (size_t)x, &pixel, sizeof pixel);
        }
    }
    cairo_surface_mark_dirty(image);
    acp_canvas_point corner = acp_canvas_place(canvas, world.x0, world.y1);
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, corner.x, corner.y);
    cairo_scale(canvas->cairo, canvas->scale * (world.x1 - world.x0) / width, canvas->scale * (world.y1 - world.y0) / height);
    cairo_set_source_surface(canvas->cairo, image, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(canvas->cairo), CAIRO_FILTER_NEAREST);
    cairo_rectangle(canvas->cairo, 0.0, 0.0, width, height);
    cairo_fill(canvas->cairo);
    cairo_restore(canvas->cairo);
    cairo_surface_destroy(image);
    return ACP_OK;
}
