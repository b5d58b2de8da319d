/* SPDX-License-Identifier: MIT */
/* A resident world from above, north up.
 *
 * The ground is an image: the color of the nearest corner's terrain type, shaded by the light from the north-west, with contour lines,
 * roads and water. On it lie rooms (outlines at their floor, portals where their planes cut it), shells, objects by what stops a mover
 * (faces lighter the higher they are, cylspheres and spheres as circles), then grid, ids, names and a way. What is not resident stays
 * blank. Limits: images of 1,600 x 1,600 samples, 4,096 faces sorted by height. Cost: a plane per sample, every face once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "terrain/block.h"
#include "terrain/word.h"
#include "tools/acphys/tool_atlas.h"
#include "tools/acphys/tool_map_polygon.h"
#include "world/world.h"

#define BLOCK       192.0
#define MAX_SAMPLES 1600u

static const uint32_t own_colors[32] = {0x8f8a80, 0x8fae6b, 0xb9b171, 0xdcc994, 0xa98f6b, 0x5f8350, 0x9dbb70, 0xf2f4f6,
                                        0x8a7a5c, 0x9b978e, 0xe6d6a6, 0xb8876a, 0x7d9a62, 0xaaa59b, 0x77736d, 0x7c8f69,
                                        0x3a6ea5, 0x76add2, 0x4a84b8, 0x4f8bc0, 0x5f97c6, 0x6b4a44, 0xe0c98f, 0xb5b060,
                                        0xb59f78, 0x86a25c, 0x8d8f62, 0xd9d7cd, 0x6e7a86, 0xa5b3a0, 0x93a06a, 0xbdb6a6};

static acp_color ink(double alpha) { return acp_color_rgb(0x2b3440, alpha); }
static acp_color room_color(double alpha) { return acp_color_rgb(0x0072b2, alpha); }
static acp_color portal_color(double alpha) { return acp_color_rgb(0x009e73, alpha); }
static acp_color outside_color(double alpha) { return acp_color_rgb(0xd55e00, alpha); }
static acp_color way_color(double alpha) { return acp_color_rgb(0xc1272d, alpha); }

typedef struct face {
    acp_canvas_point points[16];
    uint32_t count;
    double top; /* highest z */
    double shade;
    acp_atlas_kind kind;
} face;

typedef struct picture {
    const acp_atlas *atlas;
    acp_canvas *canvas;
    face *faces;
    uint32_t face_count, face_capacity;
    bool is_out_of_memory, has_rooms, has_doors, has_portals, has_objects, has_rounds, has_boxes, has_way;
} picture;

/* ---- the ground ---- */

typedef struct sample {
    double z, slope_x, slope_y; /* NaN height: nothing resident */
    uint32_t type;
    bool is_road;
} sample;

static sample ground_at(const acp_atlas *atlas, double x, double y) {
    sample s = {NAN, 0, 0, 0, false};
    int bx = (int)(atlas->base_block >> 24) + (int)floor(x / BLOCK), by = (int)((atlas->base_block >> 16) & 0xFFu) + (int)floor(y / BLOCK);
    if (bx < 0 || by < 0 || bx > 254 || by > 254) return s;
    const acp_block *block = acp_world_block(atlas->world, (uint32_t)bx << 24 | (uint32_t)by << 16);
    if (!block || !block->terrain) return s;
    double lx = x - BLOCK * floor(x / BLOCK), ly = y - BLOCK * floor(y / BLOCK);
    uint32_t cx = (uint32_t)(lx / 24.0), cy = (uint32_t)(ly / 24.0);
    if (cx > 7u) cx = 7u;
    if (cy > 7u) cy = 7u;
    int32_t triangle = acp_terrain_block_find_polygon(block->terrain, 8u * cx + cy, (float)lx, (float)ly);
    if (triangle < 0) return s;
    const acp_plane *p = &block->terrain->planes[triangle];
    s.z = -((double)p->normal.x * lx + (double)p->normal.y * ly + (double)p->d) / (double)p->normal.z;
    s.slope_x = -(double)p->normal.x / (double)p->normal.z;
    s.slope_y = -(double)p->normal.y / (double)p->normal.z;
    uint32_t vx = cx + (lx - 24.0 * cx > 12.0), vy = cy + (ly - 24.0 * cy > 12.0);
    s.type = acp_terrain_word_type(block->terrain->words[9u * vx + vy]);
    s.is_road = acp_terrain_is_on_road(block->terrain->words, (float)lx, (float)ly) != 0;
    return s;
}

static uint32_t mix(uint32_t color, double light) {
    uint32_t out = 0xFF000000u;
    for (uint32_t shift = 0; shift <= 16u; shift += 8u) {
        double v = (double)((color >> shift) & 0xFFu) * light;
        out |= (uint32_t)(v < 0 ? 0 : v > 255 ? 255 : v) << shift;
    }
    return out;
}

static acp_result draw_ground(picture *p, acp_error *error) {
    const acp_rectangle v = p->atlas->view;
    double scale = acp_canvas_scale(p->canvas), step = 1.0 / scale, interval = v.x1 - v.x0 > 500 ? 5.0 : 2.0;
    if ((v.x1 - v.x0) / step > MAX_SAMPLES) step = (v.x1 - v.x0) / MAX_SAMPLES;
    if ((v.y1 - v.y0) / step > MAX_SAMPLES) step = (v.y1 - v.y0) / MAX_SAMPLES;
    uint32_t width = (uint32_t)((v.x1 - v.x0) / step), height = (uint32_t)((v.y1 - v.y0) / step);
    uint32_t *pixels = calloc((size_t)width * height, sizeof *pixels);
    double *above = calloc(width, sizeof *above);
    const uint32_t *colors = p->atlas->colors ? p->atlas->colors : own_colors;
    if (!pixels || !above) {
        free(pixels);
        free(above);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw the ground", "memory refused");
    }
    for (uint32_t row = 0; row < height; row++) {
        double left = NAN;
        for (uint32_t column = 0; column < width; column++) {
            sample s = ground_at(p->atlas, v.x0 + (column + 0.5) * step, v.y1 - (row + 0.5) * step);
            uint32_t color = 0xFFF7F5F0u;
            if (!isnan(s.z)) {
                double n = 1.0 / sqrt(1.0 + s.slope_x * s.slope_x + s.slope_y * s.slope_y);
                double light = (0.55 * s.slope_x - 0.55 * s.slope_y + 0.63) * n; /* from the north-west, down */
                color = mix(s.is_road ? 0xcdb88fu : colors[s.type & 31u], 0.62 + 0.6 * light);
                double level = floor(s.z / interval);
                bool is_line = (!isnan(left) && floor(left / interval) != level) ||
                               (row > 0 && !isnan(above[column]) && floor(above[column] / interval) != level);
                if (is_line) color = mix(color, 0.8);
            }
            left = above[column] = s.z;
            pixels[(size_t)row * width + column] = color;
        }
    }
    acp_result result = acp_canvas_image(p->canvas, v, pixels, width, height, error);
    free(pixels);
    free(above);
    return result;
}

/* ---- what stands on it ---- */

/* An upright face is a line: its two ends. */
static uint32_t upright_face(face *f) {
    uint32_t a = 0, b = 0;
    double longest = 0;
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t k = i + 1u; k < f->count; k++) {
            double length = hypot(f->points[i].x - f->points[k].x, f->points[i].y - f->points[k].y);
            if (length <= longest) continue;
            longest = length;
            a = i;
            b = k;
        }
    acp_canvas_point first = f->points[a], second = f->points[b];
    f->points[0] = first;
    f->points[1] = second;
    return 2;
}

static void take_face(void *user, acp_atlas_kind kind, const acp_atlas_point *points, uint32_t count) {
    picture *p = user;
    face f = {.count = count < 16u ? count : 16u, .top = -INFINITY, .kind = kind};
    double area = 0, nx, ny, nz;
    for (uint32_t i = 0; i < f.count; i++) {
        acp_atlas_point a = points[i], b = points[(i + 1u) % f.count];
        f.points[i] = (acp_canvas_point){a.x, a.y};
        f.top = fmax(f.top, a.z);
        area += a.x * b.y - a.y * b.x;
    }
    if (kind == ACP_ATLAS_ROOM || area < -1e-6) return; /* seen from above: nothing that faces down */
    if (area < 1e-6) f.count = upright_face(&f);
    nx = (points[1].y - points[0].y) * (points[2].z - points[0].z) - (points[1].z - points[0].z) * (points[2].y - points[0].y);
    ny = (points[1].z - points[0].z) * (points[2].x - points[0].x) - (points[1].x - points[0].x) * (points[2].z - points[0].z);
    nz = (points[1].x - points[0].x) * (points[2].y - points[0].y) - (points[1].y - points[0].y) * (points[2].x - points[0].x);
    double length = sqrt(nx * nx + ny * ny + nz * nz);
    f.shade = length > 0 ? (-0.5 * nx + 0.5 * ny + 0.7 * nz) / length : 0.7;
    if (p->face_count == p->face_capacity) {
        uint32_t capacity = p->face_capacity ? 2u * p->face_capacity : 512u;
        face *grown = realloc(p->faces, capacity * sizeof *grown);
        if (!grown) {
            p->is_out_of_memory = true;
            return;
        }
        p->faces = grown;
        p->face_capacity = capacity;
    }
    p->faces[p->face_count++] = f;
}

static int by_height(const void *a, const void *b) {
    const face *x = a, *y = b;
    return x->top < y->top ? -1 : x->top > y->top;
}

static void draw_faces(picture *p) {
    if (p->face_count) qsort(p->faces, p->face_count, sizeof *p->faces, by_height);
    for (uint32_t i = 0; i < p->face_count; i++) {
        const face *f = &p->faces[i];
        bool is_shell = f->kind == ACP_ATLAS_SHELL, shows_inside = is_shell && p->atlas->shows_rooms;
        uint32_t base = is_shell ? 0xb98a6au : 0xa7a29a;
        acp_pen pen = {.fill = acp_color_rgb(mix(base, 0.55 + 0.6 * f->shade) & 0xFFFFFFu, shows_inside ? 0.35 : 0.96),
                       .stroke = ink(0.75),
                       .width = 0.7};
        if (f->count == 2u)
            acp_canvas_line(p->canvas, f->points[0].x, f->points[0].y, f->points[1].x, f->points[1].y, &pen);
        else
            acp_canvas_polygon(p->canvas, f->points, f->count, &pen);
        p->has_objects |= !is_shell;
    }
}

static void draw_round(void *user, acp_atlas_point low, double height, double radius, bool is_ball) {
    picture *p = user;
    (void)height;
    acp_pen pen = {.fill = is_ball ? acp_color_rgb(0x9b8f80, 0.95) : acp_color_rgb(0x3f6b3a, 0.9), .stroke = ink(0.8), .width = 0.8};
    acp_canvas_circle(p->canvas, low.x, low.y, radius, &pen);
    p->has_rounds = true;
}

static void draw_box(void *user, const acp_part_row *part) {
    picture *p = user;
    acp_canvas_point corners[8];
    const acp_box *b = &part->shape->box;
    for (uint32_t i = 0; i < 8u; i++) {
        acp_vec3 v = {i & 1u ? b->max.x : b->min.x, i & 2u ? b->max.y : b->min.y, i & 4u ? b->max.z : b->min.z};
        acp_atlas_point at = acp_atlas_place(p->atlas, &part->position, (double)part->scale.z, v);
        corners[i] = (acp_canvas_point){at.x, at.y};
    }
    acp_map_polygon hull;
    acp_map_hull(corners, 8, &hull);
    acp_pen pen = {.stroke = ink(0.8), .width = 0.8, .dash = 3};
    acp_canvas_polygon(p->canvas, hull.points, hull.count, &pen);
    p->has_boxes = true;
}

/* ---- rooms ---- */

static void draw_portals(picture *p, const acp_env_cell *cell, double z, const acp_atlas_outline *room) {
    for (uint32_t i = 0; i < cell->portal_count; i++) {
        const acp_plane *plane = &cell->portals[i].plane;
        const acp_matrix_frame *f = &cell->position.frame;
        double a = (double)f->m[0] * (double)plane->normal.x + (double)f->m[3] * (double)plane->normal.y +
                   (double)f->m[6] * (double)plane->normal.z;
        double b = (double)f->m[1] * (double)plane->normal.x + (double)f->m[4] * (double)plane->normal.y +
                   (double)f->m[7] * (double)plane->normal.z;
        if (a * a + b * b < 1e-6) continue; /* lies flat */
        acp_atlas_point o = acp_atlas_in_base(p->atlas, cell->cell_id, (double)f->origin.x, (double)f->origin.y, (double)f->origin.z);
        double upright = (double)f->m[2] * (double)plane->normal.x + (double)f->m[5] * (double)plane->normal.y +
                         (double)f->m[8] * (double)plane->normal.z;
        double c = (double)plane->d - a * o.x - b * o.y + upright * (z - o.z);
        bool is_outside = cell->portals[i].other_cell_id == 0xFFFFFFFFu;
        if (is_outside)
            p->has_doors = true;
        else
            p->has_portals = true;
        acp_pen pen = {.stroke = is_outside ? outside_color(1) : portal_color(1), .width = 3};
        for (uint32_t k = 0; k < room->count; k++) { /* the wall of the outline that lies in the portal's plane */
            acp_canvas_point s = room->points[k], e = room->points[(k + 1u) % room->count];
            if (fabs(a * s.x + b * s.y + c) < 0.02 && fabs(a * e.x + b * e.y + c) < 0.02)
                acp_canvas_line(p->canvas, s.x, s.y, e.x, e.y, &pen);
        }
    }
}

static void draw_room(void *user, const acp_env_cell *cell) {
    picture *p = user;
    double low, high;
    acp_atlas_outline outline;
    acp_atlas_room_heights(p->atlas, cell, &low, &high);
    if (!(low < p->atlas->level)) return;
    acp_atlas_room_level(p->atlas, cell, low + 0.3 < high ? low + 0.3 : low, &outline);
    if (!outline.count) return;
    acp_pen pen = {.fill = room_color(0.16), .stroke = room_color(0.9), .width = 1.2};
    acp_canvas_polygon(p->canvas, outline.points, outline.count, &pen);
    bool is_in_view = false;
    for (uint32_t i = 0; i < outline.count; i++)
        is_in_view |= outline.points[i].x > p->atlas->view.x0 && outline.points[i].x < p->atlas->view.x1 &&
                      outline.points[i].y > p->atlas->view.y0 && outline.points[i].y < p->atlas->view.y1;
    if (!is_in_view) return;
    draw_portals(p, cell, low + 0.3, &outline);
    p->has_rooms = true;
}

static void label_room(void *user, const acp_env_cell *cell) {
    picture *p = user;
    double low, high;
    acp_atlas_outline outline;
    char text[40];
    acp_atlas_room_heights(p->atlas, cell, &low, &high);
    acp_atlas_room_level(p->atlas, cell, low + 0.3, &outline);
    if (!outline.count || !(low < p->atlas->level) || acp_canvas_scale(p->canvas) < 4.0) return;
    acp_canvas_point at = outline.points[0]; /* its upper left corner */
    for (uint32_t i = 1; i < outline.count; i++)
        if (outline.points[i].y - outline.points[i].x > at.y - at.x) at = outline.points[i];
    (void)snprintf(text, sizeof text, "%04X", (unsigned)(cell->cell_id & 0xFFFFu));
    double scale = acp_canvas_scale(p->canvas);
    acp_canvas_label(p->canvas, at.x + 4 / scale, at.y - 9 / scale, ACP_ANCHOR_LEFT, 10, room_color(1), text);
}

/* ---- grid, names, way ---- */

static void draw_grid(picture *p) {
    const acp_rectangle v = p->atlas->view;
    double scale = acp_canvas_scale(p->canvas);
    acp_pen cell_pen = {.stroke = ink(0.16), .width = 0.6}, block_pen = {.stroke = ink(0.6), .width = 1.4};
    for (double x = ceil(v.x0 / 24) * 24; x <= v.x1 && p->atlas->shows_cells; x += 24)
        acp_canvas_line(p->canvas, x, v.y0, x, v.y1, &cell_pen);
    for (double y = ceil(v.y0 / 24) * 24; y <= v.y1 && p->atlas->shows_cells; y += 24)
        acp_canvas_line(p->canvas, v.x0, y, v.x1, y, &cell_pen);
    for (double x = ceil(v.x0 / BLOCK) * BLOCK; x <= v.x1; x += BLOCK)
        acp_canvas_line(p->canvas, x, v.y0, x, v.y1, &block_pen);
    for (double y = ceil(v.y0 / BLOCK) * BLOCK; y <= v.y1; y += BLOCK)
        acp_canvas_line(p->canvas, v.x0, y, v.x1, y, &block_pen);
    for (double x = floor(v.x0 / 24) * 24; x < v.x1; x += 24) {
        for (double y = floor(v.y0 / 24) * 24; y < v.y1; y += 24) {
            uint32_t id = acp_lcoord_to_cell_id((int32_t)(p->atlas->base_block >> 24) * 8 + (int32_t)lrint(x / 24),
                                                (int32_t)((p->atlas->base_block >> 16) & 0xFFu) * 8 + (int32_t)lrint(y / 24));
            bool is_corner = (id & 0xFFFFu) == 1u;
            char text[16];
            if (!id || x < v.x0 || y < v.y0 || (!is_corner && (scale * 24 < 44 || !p->atlas->shows_cells))) continue;
            (void)snprintf(text, sizeof text, is_corner ? "%04X" : "%02X", (unsigned)(is_corner ? id >> 16 : id & 0xFFu));
            acp_canvas_label(p->canvas, x + 5 / scale, y + 9 / scale, ACP_ANCHOR_LEFT, is_corner ? 12 : 9, ink(is_corner ? 0.9 : 0.55),
                             text);
        }
    }
}

static void draw_way(picture *p) {
    acp_pen pen = {.stroke = way_color(1), .width = 2.2}, dot = {.fill = way_color(1)};
    acp_atlas_point last = {0, 0, 0};
    bool is_begun = false;
    for (uint32_t i = 0; i < p->atlas->way_count; i++) {
        const acp_position *w = &p->atlas->way[i];
        acp_atlas_point at = acp_atlas_in_base(p->atlas, w->cell_id, (double)w->frame.origin.x, (double)w->frame.origin.y, 0);
        bool is_break = w->cell_id == 0;
        if (!is_break && is_begun) acp_canvas_line(p->canvas, last.x, last.y, at.x, at.y, &pen);
        if (!is_break && !is_begun) acp_canvas_marker(p->canvas, at.x, at.y, ACP_MARKER_DOT, 8, &dot);
        if (!is_break && at.x > p->atlas->view.x0 && at.x < p->atlas->view.x1 && at.y > p->atlas->view.y0 && at.y < p->atlas->view.y1)
            p->has_way = true;
        is_begun = !is_break;
        last = at;
    }
}

static void draw_labels(picture *p) {
    const acp_rectangle v = p->atlas->view;
    double scale = acp_canvas_scale(p->canvas);
    acp_canvas_point taken[256];
    uint32_t taken_count = 0;
    for (uint32_t i = 0; i < p->atlas->label_count; i++) {
        const acp_atlas_label *label = &p->atlas->labels[i];
        acp_atlas_point at = acp_atlas_in_base(p->atlas, label->position.cell_id, (double)label->position.frame.origin.x,
                                               (double)label->position.frame.origin.y, 0);
        bool is_free = true;
        if (at.x < v.x0 || at.x > v.x1 || at.y < v.y0 || at.y > v.y1) continue;
        for (uint32_t k = 0; k < taken_count; k++) /* names that would lie on each other: the first one stays */
            is_free &= fabs(taken[k].x - at.x) * scale > 84 || fabs(taken[k].y - at.y) * scale > 13;
        acp_pen dot = {.fill = ink(0.9), .stroke = acp_color_rgb(0xffffff, 0.9), .width = 1};
        if ((!is_free && scale < 2) || taken_count == 256u) continue;
        acp_canvas_marker(p->canvas, at.x, at.y, ACP_MARKER_DOT, 5, &dot);
        if (!is_free) continue;
        taken[taken_count++] = (acp_canvas_point){at.x, at.y};
        acp_canvas_label(p->canvas, at.x + 6 / scale, at.y, ACP_ANCHOR_LEFT, 11, ink(1), label->text);
    }
}

static void draw_legend(picture *p) {
    if (p->has_objects) {
        acp_pen pen = {.fill = acp_color_rgb(0xa7a29a, 1), .stroke = ink(0.8)};
        acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &pen, "object (faces of its BSP)");
    }
    if (p->has_rounds) {
        acp_pen pen = {.fill = acp_color_rgb(0x3f6b3a, 1), .stroke = ink(0.8)};
        acp_canvas_legend(p->canvas, ACP_MARKER_DOT, &pen, "cylsphere or sphere");
    }
    if (p->has_boxes) {
        acp_pen pen = {.stroke = ink(0.8), .width = 1};
        acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &pen, "object that stops nobody (its box)");
    }
    if (p->has_rooms) {
        acp_pen room = {.fill = room_color(0.3), .stroke = room_color(1)}, portal = {.fill = portal_color(1)},
                outside = {.fill = outside_color(1)};
        acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &room, "EnvCell");
        if (p->has_portals) acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &portal, "wall with a portal to an EnvCell");
        if (p->has_doors) acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &outside, "wall with a portal to the outside");
    }
    if (p->has_way) {
        acp_pen pen = {.fill = way_color(1)};
        acp_canvas_legend(p->canvas, ACP_MARKER_DOT, &pen, "way");
    }
}

acp_result acp_atlas_draw_above(const acp_atlas *atlas, const char *path, uint32_t width, uint32_t height, acp_error *error) {
    picture p = {.atlas = atlas};
    acp_result result = acp_canvas_open(&p.canvas, path, width, height, error);
    if (result != ACP_OK) return result;
    acp_canvas_background(p.canvas, acp_color_rgb(0xffffff, 1));
    acp_canvas_fit(p.canvas, atlas->view, 44);
    result = draw_ground(&p, error);
    acp_canvas_clip(p.canvas, atlas->view);
    draw_grid(&p);
    acp_atlas_visitor faces = {.user = &p, .polygon = take_face, .room = atlas->shows_rooms ? draw_room : NULL};
    acp_atlas_visitor rounds = {.user = &p, .round = draw_round, .box = draw_box, .room = atlas->shows_rooms ? label_room : NULL};
    if (result == ACP_OK && (!acp_atlas_visit(atlas, &faces) || p.is_out_of_memory))
        result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "memory refused");
    draw_faces(&p);
    if (result == ACP_OK && !acp_atlas_visit(atlas, &rounds))
        result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "draw", "memory refused");
    draw_way(&p);
    draw_labels(&p);
    acp_canvas_unclip(p.canvas);
    acp_pen frame = {.stroke = ink(0.8), .width = 1.2};
    acp_canvas_rectangle(p.canvas, atlas->view, &frame);
    draw_legend(&p);
    acp_canvas_title(p.canvas, atlas->title);
    acp_canvas_scale_bar(p.canvas, "m");
    free(p.faces);
    if (result == ACP_OK) return acp_canvas_close(p.canvas, error);
    acp_canvas_discard(p.canvas);
    return result;
}
