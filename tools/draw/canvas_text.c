/* SPDX-License-Identifier: MIT */
/* Letters on a canvas: labels, title, legend, scale bar.
 *
 * Text is cairo's own (the sans-serif face of the system) with something light under it, so that it reads on any ground. The legend is
 * gathered while drawing and laid over everything at the end. The scale bar takes the longest of 1, 2 or 5 times a power of ten that fits a
 * quarter of the picture's width. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_text.h"
#include "draw/canvas_private.h"

static void use_font(acp_canvas *canvas, double size, bool is_bold) {
    cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(canvas->cairo, size);
}

/* Text that begins at a picture point on the base line. In an SVG every outline would be written out: there a light plate is the halo, and
 * the letters are references to glyphs. */
static void put_text(acp_canvas *canvas, double x, double y, acp_color color, const char *text) {
    cairo_t *cairo = canvas->cairo;
    if (canvas->is_svg) {
        cairo_text_extents_t extents;
        cairo_text_extents(cairo, text, &extents);
        cairo_rectangle(cairo, x + extents.x_bearing - 1.0, y + extents.y_bearing - 1.0, extents.width + 2.0, extents.height + 2.0);
        acp_canvas_apply_pen(canvas, &(acp_pen){.fill = {1.0, 1.0, 1.0, 0.6 * color.alpha}});
        acp_canvas_use_color(canvas, color);
        cairo_move_to(cairo, x, y);
        cairo_show_text(cairo, text);
        cairo_new_path(cairo);
        return;
    }
    cairo_move_to(cairo, x, y);
    cairo_text_path(cairo, text);
    acp_canvas_use_color(canvas, (acp_color){1.0, 1.0, 1.0, 0.8 * color.alpha});
    cairo_set_dash(cairo, NULL, 0, 0.0);
    cairo_set_line_width(cairo, 3.0);
    cairo_stroke_preserve(cairo);
    acp_canvas_use_color(canvas, color);
    cairo_fill(cairo);
}

void acp_canvas_label(acp_canvas *canvas, double x, double y, acp_anchor anchor, double size, acp_color color, const char *text) {
    cairo_text_extents_t extents;
    acp_canvas_point at = acp_canvas_place(canvas, x, y);
    use_font(canvas, size, false);
    cairo_text_extents(canvas->cairo, text, &extents);
    double left = at.x - extents.x_bearing - extents.width / 2.0, base = at.y - extents.y_bearing - extents.height / 2.0;
    double gap = size / 2.0;
    switch (anchor) {
    case ACP_ANCHOR_CENTER:
        break;
    case ACP_ANCHOR_LEFT:
        left = at.x + gap;
        break;
    case ACP_ANCHOR_RIGHT:
        left = at.x - gap - extents.x_advance;
        break;
    case ACP_ANCHOR_ABOVE:
        base = at.y - gap;
        break;
    case ACP_ANCHOR_BELOW:
        base = at.y + gap - extents.y_bearing;
        break;
    }
    put_text(canvas, left, base, color, text);
}

void acp_canvas_title(acp_canvas *canvas, const char *text) {
    cairo_text_extents_t extents;
    use_font(canvas, 18.0, true);
    cairo_text_extents(canvas->cairo, text, &extents);
    put_text(canvas, ((double)canvas->width - extents.x_advance) / 2.0, 26.0, acp_color_rgb(0x202020, 1.0), text);
}

void acp_canvas_legend(acp_canvas *canvas, acp_marker marker, const acp_pen *pen, const char *text) {
    size_t length = strlen(text);
    if (canvas->legend_count == ACP_CANVAS_LEGEND_LIMIT) return;
    char *copy = malloc(length + 1);
    if (copy == NULL) return;
    memcpy(copy, text, length + 1);
    canvas->legend[canvas->legend_count++] = (acp_legend_entry){marker, *pen, copy};
}

void acp_canvas_draw_legend(acp_canvas *canvas) {
    const double line = 18.0, edge = 10.0;
    double widest = 0.0;
    if (canvas->legend_count == 0) return;
    use_font(canvas, 12.0, false);
    for (uint32_t i = 0; i < canvas->legend_count; i++) {
        cairo_text_extents_t extents;
        cairo_text_extents(canvas->cairo, canvas->legend[i].text, &extents);
        if (extents.x_advance > widest) widest = extents.x_advance;
    }
    double width = widest + 26.0 + 2.0 * edge, height = line * canvas->legend_count + edge;
    double left = (double)canvas->width - width - edge, top = 36.0;
    cairo_rectangle(canvas->cairo, left, top, width, height);
    acp_canvas_apply_pen(canvas, &(acp_pen){.fill = {1.0, 1.0, 1.0, 0.85}, .stroke = acp_color_rgb(0x808080, 1.0), .width = 1.0});
    for (uint32_t i = 0; i < canvas->legend_count; i++) {
        const acp_legend_entry *entry = &canvas->legend[i];
        double middle = top + edge / 2.0 + line * (i + 0.5);
        acp_pen pen = entry->pen;
        if (entry->marker == ACP_MARKER_RING || entry->marker == ACP_MARKER_CROSS) pen.fill.alpha = 0.0;
        acp_canvas_path_marker(canvas, (acp_canvas_point){left + edge + 8.0, middle}, entry->marker, 11.0);
        acp_canvas_apply_pen(canvas, &pen);
        put_text(canvas, left + edge + 26.0, middle + 4.0, acp_color_rgb(0x202020, 1.0), entry->text);
    }
}

void acp_canvas_scale_bar(acp_canvas *canvas, const char *unit) {
    double longest = (double)canvas->width / 4.0 / canvas->scale;
    if (!(longest > 0.0) || !isfinite(longest)) return;
    double power = 1.0;
    while (power * 10.0 <= longest)
        power *= 10.0;
    while (power > longest)
        power /= 10.0;
    double length = power * (longest >= 5.0 * power ? 5.0 : longest >= 2.0 * power ? 2.0 : 1.0);
    double left = 20.0, base = (double)canvas->height - 18.0, right = left + length * canvas->scale;
    cairo_move_to(canvas->cairo, left, base - 5.0);
    cairo_line_to(canvas->cairo, left, base);
    cairo_line_to(canvas->cairo, right, base);
    cairo_line_to(canvas->cairo, right, base - 5.0);
    acp_canvas_apply_pen(canvas, &(acp_pen){.stroke = acp_color_rgb(0x202020, 1.0), .width = 2.0});
    char number[ACP_NUMBER_TEXT_CAPACITY], text[64];
    (void)acp_number_format_f32((float)length, number);
    (void)snprintf(text, sizeof text, "%s %s", number, unit);
    use_font(canvas, 12.0, false);
    put_text(canvas, left + 6.0, base - 6.0, acp_color_rgb(0x202020, 1.0), text);
}
