/* SPDX-License-Identifier: MIT */
/* `acphys map --move`: one move from above and cut along its way.
 *
 * Above: walls, shells and parts of objects cut at the height of the lower sphere's centre, cylspheres and spheres as circles, the way as
 * a line with a dot for every sub-step that went on and a cross for every one that was blocked, the mover's sphere at both ends, the wish
 * dashed, the collision normal as an arrow. Below: the same, cut by the upright plane through start and wish, with the ground line.
 *
 * Contract: as tool_map.h. Limits: objects of the scene, rooms that the move's floods named, buildings on its land cells. Cost: every
 * polygon of those once for each half of the picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geom/bsp.h"
#include "geom/polygon.h"
#include "tools/acphys/tool_map.h"
#include "tools/acphys/tool_move.h"
#include "world/block.h"
#include "world/object.h"

#define GROUND_SAMPLES 240

/* A half of the picture: points of the landblock of the start go through a plane and onto the picture. */
typedef struct half {
    acp_rectangle view; /* what it shows, in its own two axes */
    double shift_x, shift_y;
    bool is_slice;
} half;

typedef struct picture {
    acp_move_question q;
    acp_canvas *canvas;
    double along_x, along_y; /* unit vector of the wish, level */
    double height;           /* of the level cut */
    half top, slice;
} picture;

static acp_color ink(double alpha) { return acp_color_rgb(0x2b3440, alpha); }
static acp_color wall_color(double alpha) { return acp_color_rgb(0x0072b2, alpha); }
static acp_color way_color(double alpha) { return acp_color_rgb(0xd55e00, alpha); }
static acp_color stop_color(double alpha) { return acp_color_rgb(0xc1272d, alpha); }
static acp_color ground_color(double alpha) { return acp_color_rgb(0x009e73, alpha); }

typedef struct point3 {
    double x, y, z;
} point3;

/* A point of another landblock in the start's. */
static point3 in_block(const picture *p, uint32_t cell_id, double x, double y, double z) {
    uint32_t base = p->q.from.cell_id;
    point3 out = {x + (double)((int)(cell_id >> 24) - (int)(base >> 24)) * 192.0,
                  y + (double)((int)((cell_id >> 16) & 0xFFu) - (int)((base >> 16) & 0xFFu)) * 192.0, z};
    return out;
}

static point3 place_of(const picture *p, const acp_position *position) {
    const acp_vec3 *o = &position->frame.origin;
    return in_block(p, position->cell_id, (double)o->x, (double)o->y, (double)o->z);
}

static point3 place_point(const picture *p, const acp_matrix_position *position, double scale, acp_vec3 v) {
    const acp_matrix_frame *f = &position->frame;
    double x = (double)v.x * scale, y = (double)v.y * scale, z = (double)v.z * scale;
    return in_block(p, position->cell_id, (double)f->m[0] * x + (double)f->m[3] * y + (double)f->m[6] * z + (double)f->origin.x,
                    (double)f->m[1] * x + (double)f->m[4] * y + (double)f->m[7] * z + (double)f->origin.y,
                    (double)f->m[2] * x + (double)f->m[5] * y + (double)f->m[8] * z + (double)f->origin.z);
}

/* Along the way, and aside of it, from the start. */
static double along(const picture *p, point3 v) {
    point3 from = place_of(p, &p->q.from);
    return (v.x - from.x) * p->along_x + (v.y - from.y) * p->along_y;
}
static double aside(const picture *p, point3 v) {
    point3 from = place_of(p, &p->q.from);
    return (v.y - from.y) * p->along_x - (v.x - from.x) * p->along_y;
}

static acp_canvas_point onto(const picture *p, const half *h, point3 v) {
    acp_canvas_point out = {h->is_slice ? along(p, v) : v.x, h->is_slice ? v.z : v.y};
    out.x += h->shift_x;
    out.y += h->shift_y;
    return out;
}

/* ------------------------------------------------------------------------------------------------------------------ the content */

/* Where a polygon crosses the plane of a half: a line. */
static void draw_cut(const picture *p, const half *h, const point3 *points, uint32_t count, const acp_pen *pen) {
    acp_canvas_point ends[2];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found < 2u; i++) {
        point3 a = points[i], b = points[(i + 1u) % count];
        double da = h->is_slice ? aside(p, a) : a.z - p->height, db = h->is_slice ? aside(p, b) : b.z - p->height;
        if ((da < 0.0) == (db < 0.0)) continue;
        double t = da / (da - db);
        point3 at = {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
        ends[found++] = onto(p, h, at);
    }
    if (found == 2u) acp_canvas_line(p->canvas, ends[0].x, ends[0].y, ends[1].x, ends[1].y, pen);
}

static void draw_tree(const picture *p, const half *h, const acp_bsp *bsp, const acp_matrix_position *position, double scale,
                      const acp_pen *pen) {
    point3 points[64];
    for (uint32_t i = 0; bsp && i < acp_bsp_polygon_count(bsp); i++) {
        acp_polygon polygon = acp_bsp_polygon(bsp, i);
        uint32_t count = polygon.point_count < 64u ? polygon.point_count : 64u;
        for (uint32_t k = 0; k < count; k++)
            points[k] = place_point(p, position, scale, polygon.points[k]);
        draw_cut(p, h, points, count, pen);
    }
}

/* A ball or cylinder of a radius about an upright axis from `low` to `high`. */
static void draw_round(const picture *p, const half *h, point3 low, point3 high, double radius, bool is_ball, const acp_pen *pen) {
    acp_canvas_point a = onto(p, h, low), b = onto(p, h, high);
    double off = fabs(aside(p, low));
    if (!h->is_slice) {
        acp_canvas_circle(p->canvas, a.x, a.y, radius, pen);
    } else if (off < radius) {
        double r = sqrt(radius * radius - off * off);
        if (is_ball)
            acp_canvas_circle(p->canvas, a.x, a.y, r, pen);
        else
            acp_canvas_rectangle(p->canvas, (acp_rectangle){a.x - r, a.y, a.x + r, b.y}, pen);
    }
}

static void draw_object(const picture *p, const half *h, const acp_object_row *row) {
    const acp_pen pen = {.fill = ink(0.1), .stroke = ink(0.9), .width = 1.4};
    bool has_trees = (row->state & (uint32_t)ACP_STATE_HAS_PHYSICS_BSP) != 0;
    for (uint32_t i = 0; i < row->part_count && has_trees; i++)
        if (row->parts[i].shape) draw_tree(p, h, row->parts[i].shape->bsp, &row->parts[i].position, (double)row->parts[i].scale.z, &pen);
    if (has_trees || !row->setup) return;
    double scale = (double)row->scale;
    for (uint32_t i = 0; i < row->setup->cylsphere_count; i++) {
        const acp_cylsphere *c = &row->setup->cylspheres[i];
        point3 low = place_point(p, &row->position, scale, c->low_point), high = low;
        high.z += (double)c->height * scale;
        draw_round(p, h, low, high, (double)c->radius * scale, false, &pen);
    }
    for (uint32_t i = 0; i < row->setup->sphere_count && !row->setup->cylsphere_count; i++) {
        point3 center = place_point(p, &row->position, scale, row->setup->spheres[i].center);
        draw_round(p, h, center, center, (double)row->setup->spheres[i].radius * scale, true, &pen);
    }
}

static void draw_world(const picture *p, const half *h) {
    const acp_pen wall = {.stroke = wall_color(0.9), .width = 1.8};
    const acp_world *world = p->q.scene->world;
    uint32_t own = p->q.object ? p->q.object->index : ACP_OBJECT_NONE;
    for (uint32_t i = 0; i < p->q.result.cell_count; i++) {
        uint32_t id = p->q.result.cells[i];
        acp_cell cell = acp_world_cell(world, id);
        if (!acp_cell_exists(cell)) continue;
        if (!acp_cell_is_land(cell)) {
            const acp_env_cell *env = acp_cell_env(cell);
            if (env->structure) draw_tree(p, h, env->structure->bsp, &env->position, 1.0, &wall);
            continue;
        }
        const acp_building *building = acp_cell_building(cell);
        if (building && building->shell)
            draw_tree(p, h, building->shell->bsp, &building->shell_position, (double)building->shell_scale, &wall);
    }
    for (uint32_t i = 0; i < p->q.scene->object_count; i++)
        if (p->q.scene->objects[i].index != own) draw_object(p, h, acp_world_row(world, p->q.scene->objects[i].index));
}

static void draw_ground(const picture *p) {
    const half *h = &p->slice;
    const acp_pen pen = {.stroke = ground_color(1.0), .width = 1.8};
    point3 from = place_of(p, &p->q.from);
    acp_canvas_point line[GROUND_SAMPLES];
    uint32_t count = 0;
    for (int i = 0; i < GROUND_SAMPLES; i++) {
        double s = h->view.x0 + (h->view.x1 - h->view.x0) * i / (GROUND_SAMPLES - 1);
        acp_position at = p->q.from;
        acp_ground ground;
        at.frame.origin.x = (float)(from.x + s * p->along_x);
        at.frame.origin.y = (float)(from.y + s * p->along_y);
        if (acp_position_adjust_to_outside(&at) == ACP_OK && acp_terrain_ground_at(p->q.scene->terrain, &at, &ground, NULL) == ACP_OK) {
            acp_canvas_point point = {s + h->shift_x, (double)ground.z + h->shift_y};
            line[count++] = point;
        } else {
            acp_canvas_polyline(p->canvas, line, count, &pen);
            count = 0;
        }
    }
    acp_canvas_polyline(p->canvas, line, count, &pen);
}

/* The mover's spheres, standing at a place. */
static void draw_mover(const picture *p, const half *h, const acp_position *at, const acp_pen *pen) {
    acp_matrix_position position = acp_matrix_position_from_public(at);
    for (uint32_t i = 0; i < p->q.mover.sphere_count; i++) {
        const acp_sphere *s = &p->q.mover.spheres[i];
        point3 center = place_point(p, &position, (double)p->q.mover.scale, s->center);
        acp_canvas_point c = onto(p, h, center);
        acp_canvas_circle(p->canvas, c.x, c.y, (double)s->radius * (double)p->q.mover.scale, pen);
    }
}

static void draw_way(const picture *p, const half *h) {
    const acp_pen wish = {.stroke = way_color(0.7), .width = 1.2, .dash = 4.0}, way = {.stroke = way_color(1.0), .width = 2.2};
    const acp_pen dot = {.fill = way_color(1.0)}, cross = {.stroke = stop_color(1.0), .width = 2.0};
    acp_canvas_point from = onto(p, h, place_of(p, &p->q.from)), to = onto(p, h, place_of(p, &p->q.to)), at = from;
    acp_canvas_line(p->canvas, from.x, from.y, to.x, to.y, &wish);
    draw_mover(p, h, &p->q.from, &(acp_pen){.stroke = way_color(0.6), .width = 1.2, .dash = 3.0});
    draw_mover(p, h, &p->q.result.position, &(acp_pen){.fill = way_color(0.12), .stroke = way_color(1.0), .width = 1.6});
    for (uint32_t i = 0; i < p->q.record_count; i++) {
        const acp_move_record *r = &p->q.records[i];
        if (r->type != ACP_TRACE_MOVE_STEP && !(r->type == ACP_TRACE_MOVE_SPOT && r->of.state == 1u)) continue;
        acp_canvas_point next = onto(p, h, place_of(p, &r->of.position));
        acp_canvas_line(p->canvas, at.x, at.y, next.x, next.y, &way);
        bool is_blocked = r->type == ACP_TRACE_MOVE_STEP && !r->of.ordinal;
        acp_canvas_marker(p->canvas, next.x, next.y, is_blocked ? ACP_MARKER_CROSS : ACP_MARKER_DOT, is_blocked ? 11.0 : 6.0,
                          is_blocked ? &cross : &dot);
        at = next;
    }
    if (!p->q.result.has_collision_normal) return;
    point3 end = place_of(p, &p->q.result.position);
    const acp_vec3 *n = &p->q.result.collision_normal;
    point3 tip = {end.x + (double)n->x, end.y + (double)n->y, end.z + (double)n->z};
    acp_canvas_point a = onto(p, h, end), b = onto(p, h, tip);
    if (fabs(a.x - b.x) + fabs(a.y - b.y) > 0.01) acp_canvas_arrow(p->canvas, a.x, a.y, b.x, b.y, &cross);
}

/* ------------------------------------------------------------------------------------------------------------------- the layout */

static void show(acp_rectangle *view, double x, double y, double room) {
    if (x - room < view->x0) view->x0 = x - room;
    if (y - room < view->y0) view->y0 = y - room;
    if (x + room > view->x1) view->x1 = x + room;
    if (y + room > view->y1) view->y1 = y + room;
}

static acp_rectangle lay_out(picture *p, double context) {
    point3 from = place_of(p, &p->q.from), to = place_of(p, &p->q.to), end = place_of(p, &p->q.result.position);
    double x = to.x - from.x, y = to.y - from.y, length = sqrt(x * x + y * y);
    p->along_x = length > 0.0 ? x / length : 1.0;
    p->along_y = length > 0.0 ? y / length : 0.0;
    const acp_sphere *ball = &p->q.mover.spheres[0];
    p->height = end.z + (p->q.mover.sphere_count ? (double)ball->center.z * (double)p->q.mover.scale : 0.1);
    p->top.view = (acp_rectangle){from.x, from.y, from.x, from.y};
    p->slice.view = (acp_rectangle){0.0, from.z, 0.0, from.z};
    const point3 all[3] = {from, to, end};
    for (int i = 0; i < 3; i++) {
        show(&p->top.view, all[i].x, all[i].y, context);
        show(&p->slice.view, along(p, all[i]), all[i].z, context);
    }
    p->slice.view.y0 = fmin(from.z, fmin(to.z, end.z)) - 2.0;
    p->slice.view.y1 = fmax(from.z, fmax(to.z, end.z)) + 4.0;
    p->slice.is_slice = true;
    p->slice.shift_x = (p->top.view.x0 + p->top.view.x1 - p->slice.view.x0 - p->slice.view.x1) / 2.0;
    p->slice.shift_y = p->top.view.y0 - p->slice.view.y1 - 1.0;
    acp_rectangle whole = p->top.view;
    show(&whole, p->slice.view.x0 + p->slice.shift_x, p->slice.view.y0 + p->slice.shift_y, 0.0);
    show(&whole, p->slice.view.x1 + p->slice.shift_x, p->slice.view.y1 + p->slice.shift_y, 0.0);
    return whole;
}

static void draw_half(const picture *p, const half *h, const char *label) {
    acp_rectangle frame = {h->view.x0 + h->shift_x, h->view.y0 + h->shift_y, h->view.x1 + h->shift_x, h->view.y1 + h->shift_y};
    acp_canvas_clip(p->canvas, frame);
    if (h->is_slice)
        draw_ground(p);
    else
        acp_canvas_grid(p->canvas, frame, 24.0, &(acp_pen){.stroke = ink(0.25), .width = 1.0});
    draw_world(p, h);
    draw_way(p, h);
    acp_canvas_unclip(p->canvas);
    acp_canvas_rectangle(p->canvas, frame, &(acp_pen){.stroke = ink(0.8), .width = 1.2});
    acp_canvas_label(p->canvas, frame.x0, frame.y0 + 10.0 / acp_canvas_scale(p->canvas), ACP_ANCHOR_LEFT, 12.0, ink(1.0), label);
}

static void draw(const picture *p) {
    char title[128];
    acp_canvas_background(p->canvas, acp_color_rgb(0xfbfaf7, 1.0));
    draw_half(p, &p->top, "from above");
    draw_half(p, &p->slice, "cut along the way");
    (void)snprintf(title, sizeof title, "Move in 0x%04X: %s, %u of %u sub-steps", (unsigned)(p->q.from.cell_id >> 16),
                   acp_move_verdict_name(p->q.result.verdict), (unsigned)p->q.result.taken_steps, (unsigned)p->q.result.planned_steps);
    acp_canvas_title(p->canvas, title);
    acp_canvas_legend(p->canvas, ACP_MARKER_DOT, &(acp_pen){.fill = way_color(1.0)}, "sub-step that went on");
    acp_canvas_legend(p->canvas, ACP_MARKER_CROSS, &(acp_pen){.stroke = stop_color(1.0), .width = 2.0}, "blocked; collision normal");
    acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &(acp_pen){.fill = wall_color(1.0)}, "rooms, shells");
    acp_canvas_legend(p->canvas, ACP_MARKER_SQUARE, &(acp_pen){.fill = ink(0.9)}, "objects");
    acp_canvas_scale_bar(p->canvas, "m");
}

int acp_map_move(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height) {
    picture p;
    acp_error error;
    memset(&p, 0, sizeof p);
    if (place) return acp_command_usage(line, "--move takes no place: --from and --to");
    double context = acp_command_is_given(line, "context") ? acp_command_number(line, "context") : 3.0;
    if (!(context >= 1.0 && context <= 10000.0)) return acp_command_usage(line, "--context: 1 to 10000 metres");
    int code = acp_move_question_ask(&p.q, line);
    if (code == ACP_EXIT_OK) {
        acp_rectangle whole = lay_out(&p, context);
        if (acp_canvas_open(&p.canvas, path, width, height, &error) != ACP_OK) code = acp_command_fail(line, &error);
        if (code == ACP_EXIT_OK) {
            acp_canvas_fit(p.canvas, whole, 44.0);
            draw(&p);
            if (acp_canvas_close(p.canvas, &error) != ACP_OK) code = acp_command_fail(line, &error);
        }
    }
    acp_move_question_close(&p.q);
    return code;
}
