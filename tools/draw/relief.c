/* SPDX-License-Identifier: MIT */
/* The relief map: shaded ground, a grid of map coordinates, the positions, legend and scale, as a PNG of 2041 x 2041 pixels.
 *
 * Pixel (px, py) is vertex (px, 2040 - py); a map coordinate of 0 lies at vertex 1019.5, one unit is ten pixels (240 m). Positions are
 * drawn in three colours, indoor ones first so that the outdoor ones lie on top; where a dungeon's coordinates leave its landblock the dots
 * leave it too, as the numbers say. Labels have a dark rim so that they read on any ground. The file is written beside its place and
 * renamed. Errors: OUT_OF_MEMORY, IO; nothing is left behind. Cost: about a second. */
#include "draw/relief.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "support/output_file.h"

#define SIZE      ACP_RELIEF_SIZE
#define MAP_ZERO  1019.5 /* vertex of map coordinate 0 */
#define FULL_TURN 6.283185307179586

static double px_of(double x) { return x + 0.5; }
static double py_of(double y) { return SIZE - 1 - y + 0.5; }

typedef struct rgba {
    double r, g, b, a;
} rgba;

static const rgba mark_colors[ACP_RELIEF_MARK_GROUPS] = {{1.0, 0.80, 0.20, 0.95}, {0.90, 0.55, 1.0, 0.62}, {1.0, 0.36, 0.28, 0.95}};
static const char *const mark_names[ACP_RELIEF_MARK_GROUPS] = {"outdoors", "indoors, at their block's coordinates",
                                                               "outdoors, cell worked out"};

static void set_color(cairo_t *cr, rgba c) { cairo_set_source_rgba(cr, c.r, c.g, c.b, c.a); }

/* Light text with a dark rim; `align` 0 starts at x, 0.5 centres, 1 ends there. */
static void draw_text(cairo_t *cr, double x, double y, double size, double align, const char *text) {
    cairo_text_extents_t extents;
    cairo_set_font_size(cr, size);
    cairo_text_extents(cr, text, &extents);
    cairo_move_to(cr, x - align * extents.x_advance, y);
    cairo_text_path(cr, text);
    cairo_set_source_rgba(cr, 0.04, 0.08, 0.14, 0.75);
    cairo_set_line_width(cr, size * 0.22);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke_preserve(cr);
    cairo_set_source_rgba(cr, 0.97, 0.95, 0.89, 1.0);
    cairo_fill(cr);
}

/* Lines every ten units of map coordinates, stronger every fifty. */
static void draw_grid(cairo_t *cr) {
    for (int unit = -100; unit <= 100; unit += 10) {
        double at = MAP_ZERO + 10.0 * unit;
        cairo_set_source_rgba(cr, 1.0, 1.0, 1.0, unit == 0 ? 0.34 : unit % 50 == 0 ? 0.22 : 0.11);
        cairo_set_line_width(cr, unit == 0 ? 1.4 : 1.0);
        cairo_move_to(cr, px_of(at), 0);
        cairo_line_to(cr, px_of(at), SIZE);
        cairo_move_to(cr, 0, py_of(at));
        cairo_line_to(cr, SIZE, py_of(at));
        cairo_stroke(cr);
    }
}

/* The coordinates of every second line, along all four edges. */
static void draw_labels(cairo_t *cr) {
    for (int unit = -80; unit <= 80; unit += 20) {
        double at = MAP_ZERO + 10.0 * unit;
        char text[16];
        (void)snprintf(text, sizeof text, "%d%s", abs(unit), unit == 0 ? "" : unit < 0 ? "W" : "E");
        draw_text(cr, px_of(at), 20, 14, 0.5, text);
        draw_text(cr, px_of(at), SIZE - 10, 14, 0.5, text);
        (void)snprintf(text, sizeof text, "%d%s", abs(unit), unit == 0 ? "" : unit < 0 ? "S" : "N");
        draw_text(cr, 8, py_of(at) + 5, 14, 0.0, text);
        draw_text(cr, SIZE - 8, py_of(at) + 5, 14, 1.0, text);
    }
}

static void draw_dot(cairo_t *cr, double x, double y, double radius, rgba c) {
    cairo_arc(cr, x, y, radius + 0.9, 0, FULL_TURN);
    cairo_set_source_rgba(cr, 0.05, 0.05, 0.08, c.a * 0.7);
    cairo_fill(cr);
    cairo_arc(cr, x, y, radius, 0, FULL_TURN);
    set_color(cr, c);
    cairo_fill(cr);
}

static void draw_marks(cairo_t *cr, const acp_relief *relief, uint32_t *out_counts) {
    static const acp_relief_mark_group order[ACP_RELIEF_MARK_GROUPS] = {ACP_RELIEF_MARK_INDOOR, ACP_RELIEF_MARK_UNRESOLVED,
                                                                        ACP_RELIEF_MARK_OUTDOOR};
    for (uint32_t k = 0; k < ACP_RELIEF_MARK_GROUPS; k++) {
        acp_relief_mark_group group = order[k];
        out_counts[group] = 0;
        for (uint32_t i = 0; i < relief->mark_count; i++) {
            const acp_relief_mark *mark = &relief->marks[i];
            if (mark->group != group) continue;
            draw_dot(cr, px_of(mark->x), py_of(mark->y), group == ACP_RELIEF_MARK_INDOOR ? 1.3 : 1.9, mark_colors[group]);
            out_counts[group]++;
        }
    }
}

static void rounded_box(cairo_t *cr, double x, double y, double width, double height, double radius) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, x + width - radius, y + radius, radius, -FULL_TURN / 4, 0);
    cairo_arc(cr, x + width - radius, y + height - radius, radius, 0, FULL_TURN / 4);
    cairo_arc(cr, x + radius, y + height - radius, radius, FULL_TURN / 4, FULL_TURN / 2);
    cairo_arc(cr, x + radius, y + radius, radius, FULL_TURN / 2, FULL_TURN * 3 / 4);
    cairo_close_path(cr);
}

/* A bar of three kilometres in alternating parts. */
static void draw_scale(cairo_t *cr, double x, double y) {
    const double kilometre = 1000.0 / 24.0;
    for (int i = 0; i < 3; i++) {
        cairo_rectangle(cr, x + i * kilometre, y, kilometre, 6);
        if (i % 2 == 0)
            cairo_set_source_rgba(cr, 0.96, 0.94, 0.88, 1.0);
        else
            cairo_set_source_rgba(cr, 0.10, 0.14, 0.20, 1.0);
        cairo_fill(cr);
    }
    cairo_rectangle(cr, x, y, 3 * kilometre, 6);
    cairo_set_source_rgba(cr, 0.96, 0.94, 0.88, 1.0);
    cairo_set_line_width(cr, 1.0);
    cairo_stroke(cr);
    draw_text(cr, x, y + 20, 12, 0.5, "0");
    draw_text(cr, x + 3 * kilometre, y + 20, 12, 0.5, "3 km");
}

/* A count with commas between thousands. */
static void count_text(char *out, size_t capacity, uint32_t count, const char *tail) {
    if (count >= 1000000u)
        (void)snprintf(out, capacity, "%u,%03u,%03u %s", count / 1000000u, count / 1000u % 1000u, count % 1000u, tail);
    else if (count >= 1000u)
        (void)snprintf(out, capacity, "%u,%03u %s", count / 1000u, count % 1000u, tail);
    else
        (void)snprintf(out, capacity, "%u %s", count, tail);
}

/* In the open sea under the south-west coast, where it hides the least. */
static void draw_legend(cairo_t *cr, const uint32_t *counts) {
    const double x = 148, width = 356, height = 150, y = SIZE - 34 - height;
    uint32_t total = 0;
    char text[96];
    rounded_box(cr, x, y, width, height, 10);
    cairo_set_source_rgba(cr, 0.05, 0.11, 0.19, 0.72);
    cairo_fill_preserve(cr);
    cairo_set_source_rgba(cr, 0.93, 0.89, 0.78, 0.55);
    cairo_set_line_width(cr, 1.5);
    cairo_stroke(cr);
    cairo_select_font_face(cr, "serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    draw_text(cr, x + 16, y + 34, 28, 0.0, "Dereth");
    cairo_select_font_face(cr, "sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    for (uint32_t i = 0; i < ACP_RELIEF_MARK_GROUPS; i++)
        total += counts[i];
    count_text(text, sizeof text, total, "positions");
    draw_text(cr, x + width - 16, y + 32, 14, 1.0, text);
    for (uint32_t i = 0; i < ACP_RELIEF_MARK_GROUPS; i++) {
        double line = y + 62 + 20.0 * i;
        draw_dot(cr, x + 23, line - 4.5, 3.4, mark_colors[i]);
        count_text(text, sizeof text, counts[i], mark_names[i]);
        draw_text(cr, x + 36, line, 13, 0.0, text);
    }
    draw_scale(cr, x + 22, y + 118);
    draw_text(cr, x + width - 16, y + 126, 12, 1.0, "grid: 10 units, 2.4 km");
}

static cairo_status_t write_bytes(void *user, const unsigned char *bytes, unsigned int length) {
    return fwrite(bytes, 1, length, user) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Everything over the ground, then the file. */
static acp_result finish_picture(const acp_relief *relief, uint32_t *pixels, const char *path, acp_error *error) {
    uint32_t counts[ACP_RELIEF_MARK_GROUPS];
    acp_output_file file;
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data((unsigned char *)pixels, CAIRO_FORMAT_RGB24, SIZE, SIZE, SIZE * (int)sizeof *pixels);
    cairo_t *cr = cairo_create(surface);
    cairo_select_font_face(cr, "sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    draw_grid(cr);
    draw_marks(cr, relief, counts);
    draw_labels(cr);
    draw_legend(cr, counts);
    cairo_status_t status = cairo_status(cr);
    acp_result result = status == CAIRO_STATUS_SUCCESS ? acp_output_file_open(&file, path, error) : ACP_ERROR_OUT_OF_MEMORY;
    if (status != CAIRO_STATUS_SUCCESS) acp_error_set(error, result, "draw", "%s", cairo_status_to_string(status));
    if (result == ACP_OK) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, file.stream);
        if (status == CAIRO_STATUS_SUCCESS) {
            result = acp_output_file_commit(&file, error);
        } else {
            acp_output_file_discard(&file);
            result = acp_error_set(error, ACP_ERROR_IO, "draw", "%s", cairo_status_to_string(status));
            acp_error_set_file(error, path);
        }
    }
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return result;
}

acp_result acp_relief_draw(const acp_relief *relief, const char *path, acp_error *error) {
    uint32_t *pixels = malloc((size_t)SIZE * SIZE * sizeof *pixels);
    acp_result result = ACP_ERROR_OUT_OF_MEMORY;
    if (pixels && acp_relief_shade(relief, pixels))
        result = finish_picture(relief, pixels, path, error);
    else
        acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "out of memory");
    free(pixels);
    return result;
}
