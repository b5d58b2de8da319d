/* SPDX-License-Identifier: MIT */
/* A resident world cut by an upright plane: what a slice through a building shows.
 *
 * Right on the picture is along the line of the cut, up is z. The ground is filled from its line down; rooms are the regions of their
 * containment planes; faces of rooms, shells and objects are lines where they cross the plane; cylspheres and spheres where they reach it.
 * Limits and cost as for the picture from above. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geom/cell_tree.h"
#include "terrain/block.h"
#include "tools/acphys/tool_atlas.h"
#include "tools/acphys/tool_map_polygon.h"
#include "world/world.h"

#define BLOCK   192.0
#define SAMPLES 600

static acp_color ink(double alpha) { return acp_color_rgb(0x2b3440, alpha); }
static acp_color room_color(double alpha) { return acp_color_rgb(0x0072b2, alpha); }
static acp_color shell_color(double alpha) { return acp_color_rgb(0x8a4b20, alpha); }
static acp_color object_color(double alpha) { return acp_color_rgb(0xd55e00, alpha); }
static acp_color ground_color(double alpha) { return acp_color_rgb(0x6b8e4e, alpha); }

typedef struct picture {
    const acp_atlas *atlas;
    acp_canvas *canvas;
    double dx, dy, length; /* unit vector of the line */
    double low, high;
    bool is_measuring;
    bool has_rooms, has_shells, has_objects;
} picture;

static double along(const picture *p, acp_atlas_point v) { return (v.x - p->atlas->view.x0) * p->dx + (v.y - p->atlas->view.y0) * p->dy; }
static double aside(const picture *p, acp_atlas_point v) { return (v.y - p->atlas->view.y0) * p->dx - (v.x - p->atlas->view.x0) * p->dy; }

static void measure(picture *p, double s, double z) {
    if (s < 0 || s > p->length) return;
    p->low = fmin(p->low, z);
    p->high = fmax(p->high, z);
}

static void cut_face(void *user, acp_atlas_kind kind, const acp_atlas_point *points, uint32_t count) {
    picture *p = user;
    acp_canvas_point ends[2];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found < 2u; i++) {
        acp_atlas_point a = points[i], b = points[(i + 1u) % count];
        double da = aside(p, a), db = aside(p, b);
        if ((da < 0) == (db < 0)) continue;
        double t = da / (da - db);
        acp_atlas_point at = {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
        ends[found++] = (acp_canvas_point){along(p, at), at.z};
    }
    if (found < 2u || (ends[0].x < 0 && ends[1].x < 0) || (ends[0].x > p->length && ends[1].x > p->length)) return;
    if (p->is_measuring) {
        measure(p, ends[0].x, ends[0].y);
        measure(p, ends[1].x, ends[1].y);
        return;
    }
    p->has_shells |= kind == ACP_ATLAS_SHELL;
    p->has_objects |= kind == ACP_ATLAS_OBJECT;
    acp_pen pen = {.stroke = kind == ACP_ATLAS_ROOM    ? room_color(1)
                             : kind == ACP_ATLAS_SHELL ? shell_color(1)
                                                       : object_color(1),
                   .width = kind == ACP_ATLAS_SHELL ? 2.6 : 1.8};
    acp_canvas_line(p->canvas, ends[0].x, ends[0].y, ends[1].x, ends[1].y, &pen);
}

static void cut_round(void *user, acp_atlas_point low, double height, double radius, bool is_ball) {
    picture *p = user;
    double off = fabs(aside(p, low)), s = along(p, low);
    if (off >= radius || s < -radius || s > p->length + radius) return;
    double r = sqrt(radius * radius - off * off);
    if (p->is_measuring) {
        measure(p, s, low.z - (is_ball ? r : 0));
        measure(p, s, low.z + (is_ball ? r : height));
        return;
    }
    acp_pen pen = {.fill = object_color(0.2), .stroke = object_color(1), .width = 1.8};
    p->has_objects = true;
    if (is_ball)
        acp_canvas_circle(p->canvas, s, low.z, r, &pen);
    else
        acp_canvas_rectangle(p->canvas, (acp_rectangle){s - r, low.z, s + r, low.z + height}, &pen);
}

static void cut_room(void *user, const acp_env_cell *cell) {
    picture *p = user;
    acp_atlas_outline g;
    acp_atlas_room_upright(p->atlas, cell, &g);
    bool is_in = false;
    for (uint32_t i = 0; i < g.count; i++)
        is_in |= g.points[i].x > 0 && g.points[i].x < p->length;
    if (!is_in) return;
    if (p->is_measuring) {
        for (uint32_t i = 0; i < g.count; i++)
            measure(p, fmin(fmax(g.points[i].x, 0), p->length), g.points[i].y);
        return;
    }
    acp_pen pen = {.fill = acp_color_rgb(0xffffff, 1)};
    acp_canvas_polygon(p->canvas, g.points, g.count, &pen);
    pen.fill = room_color(0.13);
    acp_canvas_polygon(p->canvas, g.points, g.count, &pen);
    p->has_rooms = true;
}

static void label_room(void *user, const acp_env_cell *cell) {
    picture *p = user;
    acp_atlas_outline g;
    char text[16];
    acp_atlas_room_upright(p->atlas, cell, &g);
    if (!g.count) return;
    acp_map_polygon polygon = {.count = g.count};
    memcpy(polygon.points, g.points, g.count * sizeof g.points[0]);
    acp_canvas_point at = acp_map_middle(&polygon);
    if (at.x < 0 || at.x > p->length) return;
    (void)snprintf(text, sizeof text, "%08X", (unsigned)cell->cell_id);
    acp_canvas_label(p->canvas, at.x, at.y, ACP_ANCHOR_CENTER, 12, room_color(1), text);
}

/* Height of the ground along the cut; NaN where nothing is resident. */
static double ground_at(const picture *p, double s) {
    double x = p->atlas->view.x0 + p->dx * s, y = p->atlas->view.y0 + p->dy * s;
    int bx = (int)(p->atlas->base_block >> 24) + (int)floor(x / BLOCK),
        by = (int)((p->atlas->base_block >> 16) & 0xFFu) + (int)floor(y / BLOCK);
    if (bx < 0 || by < 0 || bx > 254 || by > 254) return NAN;
    const acp_block *block = acp_world_block(p->atlas->world, (uint32_t)bx << 24 | (uint32_t)by << 16);
    if (!block || !block->terrain) return NAN;
    double lx = x - BLOCK * floor(x / BLOCK), ly = y - BLOCK * floor(y / BLOCK);
    uint32_t cx = (uint32_t)fmin(lx / 24, 7), cy = (uint32_t)fmin(ly / 24, 7);
    int32_t triangle = acp_terrain_block_find_polygon(block->terrain, 8u * cx + cy, (float)lx, (float)ly);
    if (triangle < 0) return NAN;
    const acp_plane *plane = &block->terrain->planes[triangle];
    return -((double)plane->normal.x * lx + (double)plane->normal.y * ly + (double)plane->d) / (double)plane->normal.z;
}

static void draw_ground(picture *p) {
    acp_pen fill = {.fill = ground_color(0.28)}, line = {.stroke = ground_color(1), .width = 2};
    for (int i = 0; i < SAMPLES; i++) {
        double s0 = p->length * i / SAMPLES, s1 = p->length * (i + 1) / SAMPLES, z0 = ground_at(p, s0), z1 = ground_at(p, s1);
        if (isnan(z0) || isnan(z1)) continue;
        if (p->is_measuring) {
            measure(p, s0, z0);
            continue;
        }
        const acp_canvas_point quad[4] = {{s0, p->low}, {s1, p->low}, {s1, z1}, {s0, z0}};
        acp_canvas_polygon(p->canvas, quad, 4, &fill);
        acp_canvas_line(p->canvas, s0, z0, s1, z1, &line);
    }
}

static void draw_heights(picture *p) {
    double scale = acp_canvas_scale(p->canvas), step = 1;
    while (step * scale < 34)
        step *= step == 2 ? 2.5 : 2;
    acp_pen pen = {.stroke = ink(0.14), .width = 0.7};
    char text[24];
    for (double z = ceil(p->low / step) * step; z <= p->high; z += step) {
        acp_canvas_line(p->canvas, 0, z, p->length, z, &pen);
        (void)snprintf(text, sizeof text, "%g", z);
        acp_canvas_label(p->canvas, -6 / scale, z, ACP_ANCHOR_RIGHT, 10, ink(0.8), text);
    }
}

static void draw_way(picture *p) {
    acp_pen pen = {.stroke = acp_color_rgb(0xc1272d, 1), .width = 2};
    acp_canvas_point last = {0, 0};
    for (uint32_t i = 0; i < p->atlas->way_count; i++) {
        const acp_position *w = &p->atlas->way[i];
        acp_atlas_point at =
            acp_atlas_in_base(p->atlas, w->cell_id, (double)w->frame.origin.x, (double)w->frame.origin.y, (double)w->frame.origin.z);
        acp_canvas_point now = {along(p, at), at.z};
        if (w->cell_id == 0) {
            last.x = INFINITY;
            continue;
        }
        if (i && fabs(aside(p, at)) < 3 && hypot(now.x - last.x, now.y - last.y) < 5)
            acp_canvas_line(p->canvas, last.x, last.y, now.x, now.y, &pen);
        last = now;
    }
}

static void draw_legend(picture *p) {
    acp_pen ground = {.fill = ground_color(0.6)}, room = {.fill = room_color(0.3), .stroke = room_color(1)},
            shell = {.fill = shell_color(1)}, object = {.fill = object_color(1)};
    acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &ground, "ground");
    if (p->has_rooms) acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &room, "EnvCell: region and faces");
    if (p->has_shells) acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &shell, "shell of a building");
    if (p->has_objects) acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &object, "object");
}

acp_result acp_atlas_draw_cut(const acp_atlas *atlas, const char *path, uint32_t width, uint32_t height, acp_error *error) {
    double dx = atlas->view.x1 - atlas->view.x0, dy = atlas->view.y1 - atlas->view.y0, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0)) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "draw a cut", "the line has no length");
    picture p = {
        .atlas = atlas, .dx = dx / length, .dy = dy / length, .length = length, .low = INFINITY, .high = -INFINITY, .is_measuring = true};
    acp_atlas_visitor all = {.user = &p, .polygon = cut_face, .round = cut_round, .room = cut_room};
    acp_atlas_visitor rooms = {.user = &p, .room = cut_room},
                      things = {.user = &p, .polygon = cut_face, .round = cut_round, .room = label_room};
    bool is_good = true;
    if (atlas->low < atlas->high) {
        p.low = atlas->low;
        p.high = atlas->high;
    } else {
        is_good = acp_atlas_visit(atlas, &all);
        draw_ground(&p);
        if (!(p.low <= p.high)) p.low = p.high = 0;
        p.low -= 1.5;
        p.high += 2.5;
    }
    p.is_measuring = false;
    acp_result result = acp_canvas_open(&p.canvas, path, width, height, error);
    if (result != ACP_OK) return result;
    acp_rectangle view = {0, p.low, length, p.high};
    acp_canvas_background(p.canvas, acp_color_rgb(0xffffff, 1));
    acp_canvas_fit(p.canvas, view, 48);
    acp_canvas_clip(p.canvas, view);
    draw_ground(&p);
    is_good = is_good && acp_atlas_visit(atlas, &rooms);
    acp_canvas_unclip(p.canvas);
    draw_heights(&p);
    acp_canvas_clip(p.canvas, view);
    is_good = is_good && acp_atlas_visit(atlas, &things);
    draw_way(&p);
    acp_canvas_unclip(p.canvas);
    acp_pen frame = {.stroke = ink(0.7), .width = 1};
    acp_canvas_rectangle(p.canvas, view, &frame);
    draw_legend(&p);
    acp_canvas_title(p.canvas, atlas->title);
    acp_canvas_scale_bar(p.canvas, "m");
    if (is_good) return acp_canvas_close(p.canvas, error);
    acp_canvas_discard(p.canvas);
    return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "memory refused");
}
