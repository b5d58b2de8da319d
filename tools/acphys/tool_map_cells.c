/* SPDX-License-Identifier: MIT */
/* `acphys map --cells`: the cell set of an object as a picture, from above, north up.
 *
 * Drawn from far to near: the grid of land cells and landblocks, the land cells of the set, rooms as they are cut at one height (the middle
 * of the object, or --slice), portals where their planes cut their room, then the object: boxes as they stand, refitted bounds, the
 * rectangle, spheres. Colors are verdicts: in the set, asked and kept out, never asked. A room's outline is the convex region of its
 * containment planes; a room that the slice misses is cut at its own floor and dashed. Coordinates are metres from the south-west corner of
 * the object's landblock.
 *
 * Contract: exit codes as for every command; the picture appears whole or not at all. Limits: 20,000 cells,
 * outlines of 64 corners, cells labelled when there is room. Spec 04. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/shape.h"
#include "geom/cell_tree.h"
#include "tools/acphys/tool_cells.h"
#include "tools/acphys/tool_map.h"
#include "tools/acphys/tool_map_polygon.h"

#define MAX_CELLS 20000u
#define FAR_AWAY  60.0 /* an open room ends this far around the object, metres */

typedef enum verdict { VERDICT_NOT_ASKED, VERDICT_KEPT_OUT, VERDICT_BY_ID, VERDICT_ADMITTED } verdict;

typedef struct picture {
    acp_cells cells;
    acp_canvas *canvas;
    acp_rectangle view;
    bool has_view;
    double slice;
    acp_canvas_point center; /* of the object */
    uint32_t base_cell_id;
    acp_canvas_point labels[64]; /* of rooms, in picture units */
    uint32_t label_count;
    bool shows_other_height, shows_rooms, shows_kept_out, shows_not_asked, shows_by_id;
} picture;

static acp_color ink(double alpha) { return acp_color_rgb(0x2b3440, alpha); }
static acp_color set_color(double alpha) { return acp_color_rgb(0x0072b2, alpha); }
static acp_color admit_color(double alpha) { return acp_color_rgb(0x009e73, alpha); }
static acp_color refuse_color(double alpha) { return acp_color_rgb(0xc1272d, alpha); }
static acp_color body_color(double alpha) { return acp_color_rgb(0xd55e00, alpha); }
static acp_color faint_color(double alpha) { return acp_color_rgb(0x7a8594, alpha); }

/* Metres of a landblock's corner from the picture's zero. */
static acp_canvas_point block_corner(const picture *p, uint32_t cell_id) {
    acp_canvas_point c = {((double)(cell_id >> 24) - (double)(p->base_cell_id >> 24)) * 192.0,
                          ((double)((cell_id >> 16) & 0xFFu) - (double)((p->base_cell_id >> 16) & 0xFFu)) * 192.0};
    return c;
}

static void show(picture *p, double x, double y) {
    if (!p->has_view) {
        p->view.x0 = p->view.x1 = x;
        p->view.y0 = p->view.y1 = y;
        p->has_view = true;
    }
    if (x < p->view.x0) p->view.x0 = x;
    if (y < p->view.y0) p->view.y0 = y;
    if (x > p->view.x1) p->view.x1 = x;
    if (y > p->view.y1) p->view.y1 = y;
}

/* A point of a frame in the picture; z in the landblock's own height. */
static acp_canvas_point place_point(const picture *p, const acp_matrix_position *position, double x, double y, double z, double *out_z) {
    const acp_matrix_frame *f = &position->frame;
    acp_canvas_point corner = block_corner(p, position->cell_id);
    acp_canvas_point out = {corner.x + (double)f->m[0] * x + (double)f->m[3] * y + (double)f->m[6] * z + (double)f->origin.x,
                            corner.y + (double)f->m[1] * x + (double)f->m[4] * y + (double)f->m[7] * z + (double)f->origin.y};
    if (out_z) *out_z = (double)f->m[2] * x + (double)f->m[5] * y + (double)f->m[8] * z + (double)f->origin.z;
    return out;
}

/* ------------------------------------------------------------------------------------------------------------------ polygons */

typedef struct cut_plane {
    double a, b, c;
} cut_plane;

/* A plane of a room's frame as a line of the picture at height z. */
static cut_plane cut(const picture *p, const acp_matrix_position *position, const acp_plane *plane, double z) {
    const acp_matrix_frame *f = &position->frame;
    acp_canvas_point corner = block_corner(p, position->cell_id);
    double nx = (double)plane->normal.x, ny = (double)plane->normal.y, nz = (double)plane->normal.z;
    double wx = (double)f->m[0] * nx + (double)f->m[3] * ny + (double)f->m[6] * nz;
    double wy = (double)f->m[1] * nx + (double)f->m[4] * ny + (double)f->m[7] * nz;
    double wz = (double)f->m[2] * nx + (double)f->m[5] * ny + (double)f->m[8] * nz;
    double d = (double)plane->d - wx * (corner.x + (double)f->origin.x) - wy * (corner.y + (double)f->origin.y) - wz * (double)f->origin.z;
    cut_plane out = {wx, wy, d + wz * z};
    return out;
}

/* The room at height z, its planes moved outwards by `slack`. No corners: the slice misses it. */
static acp_map_polygon slice_room(const picture *p, const acp_env_cell *cell, double z, double slack) {
    acp_canvas_point c = p->center;
    acp_map_polygon g = {{{c.x - FAR_AWAY, c.y - FAR_AWAY},
                          {c.x + FAR_AWAY, c.y - FAR_AWAY},
                          {c.x + FAR_AWAY, c.y + FAR_AWAY},
                          {c.x - FAR_AWAY, c.y + FAR_AWAY}},
                         4u};
    const acp_cell_tree *tree = cell->structure ? cell->structure->containment : NULL;
    if (!tree) g.count = 0;
    for (uint32_t i = 0; tree && i < acp_cell_tree_plane_count(tree) && g.count; i++) {
        acp_plane plane = acp_cell_tree_plane(tree, i);
        cut_plane k = cut(p, &cell->position, &plane, z);
        acp_map_clip(&g, k.a, k.b, k.c + slack);
    }
    return g;
}

static acp_map_polygon outline(const picture *p, const acp_env_cell *cell, double *out_z, bool *out_is_elsewhere) {
    acp_map_polygon g = slice_room(p, cell, p->slice, 0.0);
    *out_z = p->slice;
    *out_is_elsewhere = g.count < 3u;
    if (*out_is_elsewhere) {
        *out_z = (double)cell->position.frame.origin.z + 0.1;
        g = slice_room(p, cell, *out_z, 0.0);
    }
    return g;
}

/* ------------------------------------------------------------------------------------------------------------------- verdicts */

static bool is_member(const picture *p, uint32_t cell_id) { return acp_cell_array_find(&p->cells.array, cell_id) != UINT32_MAX; }

static bool is_entering(const acp_trace_portal *t) {
    return t->kind == ACP_PORTAL_TEST_ENTER_SPHERE || t->kind == ACP_PORTAL_TEST_ENTER_PART;
}

static verdict room_verdict(const picture *p, uint32_t cell_id) {
    if (is_member(p, cell_id)) return VERDICT_ADMITTED;
    for (uint32_t i = 0; i < p->cells.record_count; i++) {
        const acp_cells_record *r = &p->cells.records[i];
        if (r->type == ACP_TRACE_MEMBERSHIP_CELL_TEST && r->of.cell_test.cell_id == cell_id) return VERDICT_KEPT_OUT;
        if (r->type != ACP_TRACE_MEMBERSHIP_PORTAL) continue;
        if ((is_entering(&r->of.portal) ? r->of.portal.cell_id : r->of.portal.other_cell_id) == cell_id) return VERDICT_KEPT_OUT;
    }
    return VERDICT_NOT_ASKED;
}

/* The best that any test of a portal came to; sphere floods ask resident neighbours' trees instead of planes. */
static verdict portal_verdict(const picture *p, const acp_env_cell *cell, uint32_t portal) {
    verdict best = VERDICT_NOT_ASKED;
    for (uint32_t i = 0; i < p->cells.record_count; i++) {
        const acp_trace_portal *t = &p->cells.records[i].of.portal;
        if (p->cells.records[i].type != ACP_TRACE_MEMBERSHIP_PORTAL || t->cell_id != cell->cell_id || t->portal != (int32_t)portal)
            continue;
        verdict v = t->verdict == ACP_PORTAL_ADMITTED ? VERDICT_ADMITTED : t->verdict == ACP_PORTAL_HINT ? VERDICT_BY_ID : VERDICT_KEPT_OUT;
        if (v > best) best = v;
    }
    return best;
}

/* --------------------------------------------------------------------------------------------------------------------- view */

static const acp_env_cell *room_of(const picture *p, uint32_t cell_id) {
    const acp_block *block = acp_world_block(p->cells.scene->world, cell_id);
    return block && (cell_id & 0xFFFFu) >= 0x100u ? acp_block_env_cell(block, cell_id) : NULL;
}

static void show_polygon(picture *p, const acp_map_polygon *g) {
    for (uint32_t i = 0; i < g->count; i++)
        show(p, g->points[i].x, g->points[i].y);
}

static acp_map_polygon part_outline(const picture *p, const acp_part_row *part) {
    acp_canvas_point corners[8];
    const acp_box *b = &part->shape->box;
    for (uint32_t i = 0; i < 8u; i++)
        corners[i] = place_point(p, &part->position, (double)(i & 1u ? b->max.x : b->min.x), (double)(i & 2u ? b->max.y : b->min.y),
                                 (double)(i & 4u ? b->max.z : b->min.z), NULL);
    acp_map_polygon g;
    acp_map_hull(corners, 8u, &g);
    return g;
}

/* The middle of the object: of its boxes, spheres or cylspheres, else its origin. */
static void find_center(picture *p) {
    const acp_object_row *row = acp_cells_row(&p->cells);
    double x = 0.0, y = 0.0, z = 0.0, at_z = 0.0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < row->part_count; i++) {
        if (!row->parts[i].shape) continue;
        const acp_box *b = &row->parts[i].shape->box;
        acp_canvas_point c = place_point(p, &row->parts[i].position, ((double)b->min.x + (double)b->max.x) / 2.0,
                                         ((double)b->min.y + (double)b->max.y) / 2.0, ((double)b->min.z + (double)b->max.z) / 2.0, &at_z);
        x += c.x;
        y += c.y;
        z += at_z;
        count++;
    }
    if (!count) {
        acp_vec3 c = {0.0f, 0.0f, 0.0f};
        if (row->setup && row->setup->cylsphere_count)
            c = row->setup->cylspheres[0].low_point;
        else if (row->setup)
            c = row->setup->sorting_sphere.center;
        acp_canvas_point at = place_point(p, &row->position, (double)c.x, (double)c.y, (double)c.z, &z);
        x = at.x;
        y = at.y;
        count = 1;
    }
    p->center.x = x / count;
    p->center.y = y / count;
    p->slice = z / count;
}

static void find_view(picture *p, double context) {
    const acp_object_row *row = acp_cells_row(&p->cells);
    show(p, p->center.x, p->center.y);
    for (uint32_t i = 0; i < row->part_count; i++) {
        if (!row->parts[i].shape) continue;
        acp_map_polygon g = part_outline(p, &row->parts[i]);
        show_polygon(p, &g);
    }
    for (uint32_t i = 0; i < p->cells.array.count; i++) {
        uint32_t id = p->cells.array.items[i].cell_id, k = (id & 0xFFFFu) - 1u;
        if (k < 64u) {
            acp_canvas_point c = block_corner(p, id);
            show(p, c.x + 24.0 * (k >> 3), c.y + 24.0 * (k & 7u));
            show(p, c.x + 24.0 * (k >> 3) + 24.0, c.y + 24.0 * (k & 7u) + 24.0);
        }
    }
    for (uint32_t i = 0; i < p->cells.record_count; i++) {
        const acp_cells_record *r = &p->cells.records[i];
        uint32_t id = r->type == ACP_TRACE_MEMBERSHIP_CELL_TEST ? r->of.cell_test.cell_id
                      : r->type == ACP_TRACE_MEMBERSHIP_PORTAL  ? r->of.portal.cell_id
                                                                : 0u;
        const acp_env_cell *cell = id ? room_of(p, id) : NULL;
        double z;
        bool is_elsewhere;
        if (!cell) continue;
        acp_map_polygon g = outline(p, cell, &z, &is_elsewhere);
        show_polygon(p, &g);
    }
    p->view.x0 -= context;
    p->view.y0 -= context;
    p->view.x1 += context;
    p->view.y1 += context;
}

/* -------------------------------------------------------------------------------------------------------------------- land */

static void draw_grid(picture *p) {
    double x0 = floor(p->view.x0 / 24.0) * 24.0, y0 = floor(p->view.y0 / 24.0) * 24.0;
    acp_rectangle all = {x0, y0, ceil(p->view.x1 / 24.0) * 24.0, ceil(p->view.y1 / 24.0) * 24.0};
    acp_pen cell_pen = {.stroke = faint_color(0.35), .width = 0.8}, block_pen = {.stroke = ink(0.55), .width = 1.8};
    for (double x = all.x0; x <= all.x1; x += 24.0)
        acp_canvas_line(p->canvas, x, all.y0, x, all.y1, &cell_pen);
    for (double y = all.y0; y <= all.y1; y += 24.0)
        acp_canvas_line(p->canvas, all.x0, y, all.x1, y, &cell_pen);
    for (double x = floor(all.x0 / 192.0) * 192.0; x <= all.x1; x += 192.0)
        if (x >= all.x0) acp_canvas_line(p->canvas, x, all.y0, x, all.y1, &block_pen);
    for (double y = floor(all.y0 / 192.0) * 192.0; y <= all.y1; y += 192.0)
        if (y >= all.y0) acp_canvas_line(p->canvas, all.x0, y, all.x1, y, &block_pen);
}

static void draw_land_cells(picture *p) {
    const acp_cell_array *array = &p->cells.array;
    uint32_t start = acp_cells_row(&p->cells)->position.cell_id;
    for (uint32_t i = 0; i < array->count; i++) {
        uint32_t id = array->items[i].cell_id, k = (id & 0xFFFFu) - 1u;
        if (k >= 64u) continue;
        acp_canvas_point c = block_corner(p, id);
        acp_rectangle r = {c.x + 24.0 * (k >> 3), c.y + 24.0 * (k & 7u), c.x + 24.0 * (k >> 3) + 24.0, c.y + 24.0 * (k & 7u) + 24.0};
        acp_pen pen = {.fill = set_color(id == start ? 0.34 : 0.2), .stroke = set_color(0.8), .width = id == start ? 2.4 : 1.0};
        if (!array->items[i].is_resident) {
            pen.fill = faint_color(0.14);
            pen.stroke = faint_color(0.9);
            pen.dash = 5.0;
            p->shows_by_id = true;
        }
        acp_canvas_rectangle(p->canvas, r, &pen);
    }
}

static void label_land(picture *p) {
    double scale = acp_canvas_scale(p->canvas) * 24.0;
    if (scale < 34.0) return;
    char text[16];
    for (double x = floor(p->view.x0 / 24.0) * 24.0; x < p->view.x1; x += 24.0) {
        for (double y = floor(p->view.y0 / 24.0) * 24.0; y < p->view.y1; y += 24.0) {
            int32_t lx = (int32_t)(p->base_cell_id >> 24) * 8 + (int32_t)lrint(x / 24.0);
            int32_t ly = (int32_t)((p->base_cell_id >> 16) & 0xFFu) * 8 + (int32_t)lrint(y / 24.0);
            uint32_t id = acp_lcoord_to_cell_id(lx, ly);
            if (!id) continue;
            bool is_in = is_member(p, id);
            if (x + 24.0 * 4.0 / scale < p->view.x0 || y + 4.0 < p->view.y0 || x + 14.0 > p->view.x1 || y + 8.0 > p->view.y1) continue;
            (void)snprintf(text, sizeof text, scale > 76.0 ? "%08X" : "%04X", (unsigned)(scale > 76.0 ? id : id & 0xFFFFu));
            acp_canvas_label(p->canvas, x + 24.0 * 4.0 / scale, y + 24.0 * 9.0 / scale, ACP_ANCHOR_LEFT, scale > 110.0 ? 12.0 : 10.0,
                             is_in ? set_color(1.0) : faint_color(0.8), text);
        }
    }
}

/* -------------------------------------------------------------------------------------------------------------------- rooms */

static bool is_in_view(const picture *p, const acp_map_polygon *g) {
    for (uint32_t i = 0; i < g->count; i++) {
        acp_canvas_point c = g->points[i];
        if (c.x > p->view.x0 && c.x < p->view.x1 && c.y > p->view.y0 && c.y < p->view.y1) return true;
    }
    return false;
}

/* A label of a room, moved down until it lies on no other. */
static void label_room(picture *p, acp_canvas_point at, acp_color color, const char *text) {
    acp_canvas_point spot = acp_canvas_place(p->canvas, at.x, at.y);
    double scale = acp_canvas_scale(p->canvas), down = 0.0;
    for (uint32_t i = 0; i < p->label_count; i++) {
        if (fabs(p->labels[i].x - spot.x) > 90.0 || fabs(p->labels[i].y - spot.y - down) > 13.0) continue;
        down += 14.0;
        i = UINT32_MAX; /* again from the first */
    }
    if (p->label_count < 64u) p->labels[p->label_count++] = (acp_canvas_point){spot.x, spot.y + down};
    acp_canvas_label(p->canvas, at.x, at.y - down / scale, ACP_ANCHOR_CENTER, 12.0, color, text);
}

static void draw_room(picture *p, const acp_env_cell *cell, verdict wanted, bool labels) {
    double z;
    bool is_elsewhere;
    verdict v = room_verdict(p, cell->cell_id);
    if (v != wanted) return;
    acp_map_polygon g = outline(p, cell, &z, &is_elsewhere);
    if (g.count < 3u || (!is_in_view(p, &g) && v == VERDICT_NOT_ASKED)) return;
    acp_pen pen = {.fill = faint_color(0.08), .stroke = faint_color(0.8), .width = 1.2, .dash = is_elsewhere ? 6.0 : 0.0};
    acp_color color = faint_color(1.0);
    if (v == VERDICT_ADMITTED) {
        pen.fill = set_color(0.22);
        pen.stroke = color = set_color(1.0);
        pen.width = 2.0;
    } else if (v == VERDICT_KEPT_OUT) {
        pen.fill = refuse_color(0.1);
        pen.stroke = color = refuse_color(0.9);
        p->shows_kept_out = true;
    } else {
        p->shows_not_asked = true;
    }
    p->shows_rooms = true;
    p->shows_other_height |= is_elsewhere;
    if (!labels) {
        acp_canvas_polygon(p->canvas, g.points, g.count, &pen);
        return;
    }
    char text[40];
    acp_canvas_point c = acp_map_middle(&g);
    (void)snprintf(text, sizeof text, "%08X%s", (unsigned)cell->cell_id, is_elsewhere ? " *" : "");
    label_room(p, c, color, text);
}

static void draw_portals(picture *p, const acp_env_cell *cell) {
    double z;
    bool is_elsewhere;
    acp_map_polygon room = outline(p, cell, &z, &is_elsewhere);
    if (room.count < 3u) return;
    for (uint32_t i = 0; i < cell->portal_count; i++) {
        verdict v = portal_verdict(p, cell, i);
        if (v == VERDICT_NOT_ASKED) continue;
        cut_plane k = cut(p, &cell->position, &cell->portals[i].plane, z);
        if (k.a * k.a + k.b * k.b < 1e-6) continue; /* lies flat */
        acp_map_polygon strip = slice_room(p, cell, z, 0.15);
        acp_map_clip(&strip, k.a, k.b, k.c + 0.02);
        acp_map_clip(&strip, -k.a, -k.b, -k.c + 0.02);
        if (strip.count < 2u) continue;
        uint32_t a = 0, b = 0; /* its two ends: the farthest pair */
        double longest = -1.0;
        for (uint32_t m = 0; m < strip.count; m++)
            for (uint32_t n = m + 1u; n < strip.count; n++) {
                double dx = strip.points[m].x - strip.points[n].x, dy = strip.points[m].y - strip.points[n].y;
                if (dx * dx + dy * dy <= longest) continue;
                longest = dx * dx + dy * dy;
                a = m;
                b = n;
            }
        acp_pen pen = {.stroke = v == VERDICT_ADMITTED ? admit_color(1.0)
                                 : v == VERDICT_BY_ID  ? faint_color(1.0)
                                                       : refuse_color(1.0),
                       .width = 3.4,
                       .dash = v == VERDICT_ADMITTED ? 0.0 : 7.0};
        acp_canvas_line(p->canvas, strip.points[a].x, strip.points[a].y, strip.points[b].x, strip.points[b].y, &pen);
    }
}

/* Every resident room. */
static void each_room(picture *p, verdict wanted, int what) {
    acp_world *world = p->cells.scene->world;
    for (uint32_t b = 0; b < ACP_WORLD_BLOCKS; b++) {
        const acp_block *block = world->blocks[b];
        for (uint32_t i = 0; block && i < block->env_cell_count; i++) {
            if (what == 2)
                draw_portals(p, &block->env_cells[i]);
            else
                draw_room(p, &block->env_cells[i], wanted, what == 1);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------------- object */

static void draw_object(picture *p) {
    const acp_object_row *row = acp_cells_row(&p->cells);
    uint32_t arm = p->cells.record_count ? p->cells.records[0].of.arm.arm : 0;
    acp_pen box = {.fill = body_color(0.16), .stroke = body_color(1.0), .width = 1.8};
    acp_pen ball = {.stroke = body_color(0.8), .width = 1.2, .dash = 3.0};
    for (uint32_t i = 0; i < row->part_count; i++) {
        if (!row->parts[i].shape) continue;
        acp_map_polygon g = part_outline(p, &row->parts[i]);
        acp_canvas_polygon(p->canvas, g.points, g.count, &box);
        acp_sphere sphere;
        if (!acp_shape_sphere(row->parts[i].shape, &sphere)) continue;
        acp_canvas_point c =
            place_point(p, &row->parts[i].position, (double)sphere.center.x, (double)sphere.center.y, (double)sphere.center.z, NULL);
        acp_canvas_circle(p->canvas, c.x, c.y, (double)sphere.radius, &ball);
    }
    ball.fill = body_color(0.16);
    ball.dash = 0.0;
    if (arm == ACP_ARM_CYLSPHERES) {
        for (uint32_t i = 0; i < row->setup->cylsphere_count; i++) {
            const acp_cylsphere *s = &row->setup->cylspheres[i];
            acp_canvas_point c =
                place_point(p, &row->position, (double)s->low_point.x, (double)s->low_point.y, (double)s->low_point.z, NULL);
            acp_canvas_circle(p->canvas, c.x, c.y, (double)s->radius, &ball);
        }
    }
    if (arm == ACP_ARM_SORTING_SPHERE && row->setup) {
        const acp_sphere *s = &row->setup->sorting_sphere;
        acp_canvas_point c = place_point(p, &row->position, (double)s->center.x, (double)s->center.y, (double)s->center.z, NULL);
        acp_canvas_circle(p->canvas, c.x, c.y, (double)s->radius, &ball);
    }
    acp_canvas_point origin = place_point(p, &row->position, 0.0, 0.0, 0.0, NULL);
    acp_pen mark = {.stroke = body_color(1.0), .width = 2.0};
    acp_canvas_marker(p->canvas, origin.x, origin.y, ACP_MARKER_CROSS, 10.0, &mark);
}

static void draw_bounds(picture *p) {
    for (uint32_t i = 0; i < p->cells.record_count; i++) {
        const acp_cells_record *r = &p->cells.records[i];
        if (r->type == ACP_TRACE_MEMBERSHIP_PART_BOX && (r->of.part_box.cell_id & 0xFFFFu) < 0x100u) {
            const acp_trace_part_box *t = &r->of.part_box;
            acp_canvas_point c = block_corner(p, t->cell_id);
            acp_rectangle bounds = {c.x + (double)t->after.min.x, c.y + (double)t->after.min.y, c.x + (double)t->after.max.x,
                                    c.y + (double)t->after.max.y};
            acp_pen pen = {.stroke = body_color(0.9), .width = 1.2, .dash = 6.0};
            acp_canvas_rectangle(p->canvas, bounds, &pen);
        }
        if (r->type == ACP_TRACE_MEMBERSHIP_RECTANGLE && r->of.rectangle.is_base_resident) {
            const acp_trace_rectangle *t = &r->of.rectangle;
            double x0 = ((double)t->min_x - (double)(p->base_cell_id >> 24) * 8.0) * 24.0;
            double y0 = ((double)t->min_y - (double)((p->base_cell_id >> 16) & 0xFFu) * 8.0) * 24.0;
            double w = ((double)t->max_x - (double)t->min_x + 1.0) * 24.0, h = ((double)t->max_y - (double)t->min_y + 1.0) * 24.0;
            acp_pen pen = {.stroke = set_color(1.0), .width = 2.6, .dash = 10.0};
            acp_canvas_rectangle(p->canvas, (acp_rectangle){x0, y0, x0 + w, y0 + h}, &pen);
        }
    }
}

/* --------------------------------------------------------------------------------------------------------------------- words */

static bool has_record(const picture *p, uint32_t type) {
    for (uint32_t i = 0; i < p->cells.record_count; i++)
        if (p->cells.records[i].type == type) return true;
    return false;
}

static void legend(picture *p) {
    acp_canvas *c = p->canvas;
    acp_pen pen = {.fill = set_color(0.3), .stroke = set_color(1.0), .width = 1.5};
    acp_canvas_legend(c, ACP_MARKER_SQUARE, &pen, "in the set");
    if (p->shows_by_id)
        acp_canvas_legend(c, ACP_MARKER_SQUARE, &(acp_pen){.fill = faint_color(0.2), .stroke = faint_color(1.0)},
                          "by its id: not resident");
    if (p->shows_kept_out)
        acp_canvas_legend(c, ACP_MARKER_SQUARE, &(acp_pen){.fill = refuse_color(0.15), .stroke = refuse_color(1.0)}, "asked, kept out");
    if (p->shows_not_asked)
        acp_canvas_legend(c, ACP_MARKER_SQUARE, &(acp_pen){.fill = faint_color(0.1), .stroke = faint_color(1.0)}, "never asked");
    if (has_record(p, ACP_TRACE_MEMBERSHIP_PORTAL) && p->shows_rooms) {
        acp_canvas_legend(c, ACP_MARKER_DOT, &(acp_pen){.fill = admit_color(1.0)}, "portal that admits it");
        acp_canvas_legend(c, ACP_MARKER_DOT, &(acp_pen){.fill = refuse_color(1.0)}, "portal that keeps it out");
    }
    if (p->shows_other_height) acp_canvas_legend(c, ACP_MARKER_SQUARE, &(acp_pen){.stroke = ink(1.0)}, "* cut at its own floor (dashed)");
    acp_canvas_legend(c, ACP_MARKER_SQUARE, &(acp_pen){.fill = body_color(0.2), .stroke = body_color(1.0)}, "the object");
    if (has_record(p, ACP_TRACE_MEMBERSHIP_RECTANGLE)) {
        acp_canvas_legend(c, ACP_MARKER_RING, &(acp_pen){.stroke = body_color(1.0)}, "part sphere (dotted), bounds (dashed)");
        acp_canvas_legend(c, ACP_MARKER_SQUARE, &(acp_pen){.stroke = set_color(1.0), .width = 2.0}, "rectangle of the flood (dashed)");
    }
}

static void title(picture *p) {
    char text[256];
    const acp_object_row *row = acp_cells_row(&p->cells);
    uint32_t arm = p->cells.record_count ? p->cells.records[0].of.arm.arm : 0;
    (void)snprintf(text, sizeof text, "%s%s0x%08X: %u cell%s by %s, %s; north is up", p->cells.name,
                   p->cells.name[0] ? " in " : "object in ", (unsigned)row->position.cell_id, (unsigned)p->cells.array.count,
                   p->cells.array.count == 1u ? "" : "s", acp_cells_arm_name(arm), p->cells.is_static ? "static" : "moving");
    acp_canvas_title(p->canvas, text);
}

static void draw(picture *p) {
    acp_canvas_background(p->canvas, acp_color_rgb(0xfbfaf7, 1.0));
    acp_canvas_clip(p->canvas, p->view);
    draw_grid(p);
    draw_land_cells(p);
    label_land(p);
    each_room(p, VERDICT_NOT_ASKED, 0);
    each_room(p, VERDICT_KEPT_OUT, 0);
    each_room(p, VERDICT_ADMITTED, 0);
    draw_object(p);
    draw_bounds(p);
    each_room(p, VERDICT_ADMITTED, 2);
    each_room(p, VERDICT_NOT_ASKED, 1);
    each_room(p, VERDICT_KEPT_OUT, 1);
    each_room(p, VERDICT_ADMITTED, 1);
    acp_canvas_unclip(p->canvas);
    acp_canvas_rectangle(p->canvas, p->view, &(acp_pen){.stroke = ink(0.8), .width = 1.2});
    title(p);
    legend(p);
    acp_canvas_scale_bar(p->canvas, "m");
}

/* The view gets the shape of the picture, so that nothing is wasted. */
static void fill_picture(picture *p, double width, double height) {
    double w = p->view.x1 - p->view.x0, h = p->view.y1 - p->view.y0, ratio = width / height;
    double grow_x = h * ratio > w ? (h * ratio - w) / 2.0 : 0.0, grow_y = w / ratio > h ? (w / ratio - h) / 2.0 : 0.0;
    p->view.x0 -= grow_x;
    p->view.x1 += grow_x;
    p->view.y0 -= grow_y;
    p->view.y1 += grow_y;
}

int acp_map_cells(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height) {
    picture *p = calloc(1, sizeof *p);
    acp_error error;
    if (!p) {
        acp_command_error(line, "no memory for a picture");
        return ACP_EXIT_INTERNAL;
    }
    int code = acp_cells_open(&p->cells, line, place);
    double context = acp_command_number(line, "context");
    if (code == ACP_EXIT_OK && !(context >= 1.0 && context <= 10000.0)) code = acp_command_usage(line, "--context: 1 to 10000 metres");
    if (code == ACP_EXIT_OK && p->cells.array.count > MAX_CELLS) {
        acp_command_error(line, "%u cells are too many for a picture: at most %u", (unsigned)p->cells.array.count, MAX_CELLS);
        code = ACP_EXIT_NEGATIVE;
    }
    if (code == ACP_EXIT_OK) {
        p->base_cell_id = acp_cells_row(&p->cells)->position.cell_id;
        find_center(p);
        if (acp_command_is_given(line, "slice")) p->slice = acp_command_number(line, "slice");
        find_view(p, context);
        fill_picture(p, (double)width - 48.0, (double)height - 84.0);
        if (acp_canvas_open(&p->canvas, path, width, height, &error) != ACP_OK) code = acp_command_fail(line, &error);
    }
    if (code == ACP_EXIT_OK) {
        acp_canvas_fit(p->canvas, p->view, 40.0);
        draw(p);
        if (acp_canvas_close(p->canvas, &error) != ACP_OK) code = acp_command_fail(line, &error);
    }
    acp_cells_close(&p->cells);
    free(p);
    return code;
}
