/* SPDX-License-Identifier: MIT */
/* The rooms and land cells that a body must be registered in, by geometry (tool_run.h).
 *
 * A room is the convex solid of its containment planes. A sphere is in it for certain when some point of the sphere, shrunk by 2 mm, is in
 * the solid: such a witness is looked for by Dykstra's alternating projections, in binary64, and checked afterwards, so that the search can
 * miss a touch but never invent one. From the body's own cell the search goes on as a body does: to a room behind a portal when a sphere
 * has a witness there; from a room out to the land when a sphere has one in that room on the plane of a portal that leads outside; on the
 * land to the cells that the square around a sphere overlaps; and into the room behind a portal of a building that stands on one of these.
 * Nothing here is shared with the floods but the planes and portals as they were loaded.
 *
 * Direction: a subset of what the client registers (04 MEM-13, MEM-25, MEM-26, with their margins), so what is found here and has no row
 * is missed. As there: a building of another landblock than the body's own id takes no part (MEM-25 has no block offset), rooms of another
 * landblock neither. Limits: 64 rooms, 64 planes a room; beyond that less is found. Cost: some microseconds near rooms, else a few cells.
 */
#include <math.h>
#include <string.h>

#include "geom/cell_tree.h"
#include "tools/acphys/tool_run.h"
#include "world/world.h"

#define SLACK      0.002  /* metres by which spheres are shrunk */
#define TOLERANCE  0.0005 /* metres by which a witness may be outside a plane; less than SLACK, so that the client sees it too */
#define MAX_PLANES 66u
#define ROUNDS     60u

typedef struct solid {
    double planes[MAX_PLANES][4]; /* inside where n.p + d >= 0 */
    uint32_t count;
} solid;

static double above(const double *plane, const double *p) { return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]; }

static void add_plane(solid *s, acp_plane plane, double sign) {
    if (s->count == MAX_PLANES) return;
    double *to = s->planes[s->count++];
    to[0] = sign * (double)plane.normal.x;
    to[1] = sign * (double)plane.normal.y;
    to[2] = sign * (double)plane.normal.z;
    to[3] = sign * (double)plane.d;
}

/* The point of a room's landblock in the room's axes. */
static void to_room(const acp_env_cell *room, const double *point, double *out) {
    const acp_matrix_frame *f = &room->position.frame;
    double d[3] = {point[0] - (double)f->origin.x, point[1] - (double)f->origin.y, point[2] - (double)f->origin.z};
    for (uint32_t k = 0; k < 3; k++)
        out[k] = d[0] * (double)f->m[3 * k] + d[1] * (double)f->m[3 * k + 1] + d[2] * (double)f->m[3 * k + 2];
}

/* A point of the solid within the shrunk radius of the centre: the nearest one, as far as the rounds go. */
static bool has_witness(const solid *s, const double *centre, double radius) {
    double p[3], moved[MAX_PLANES] = {0.0};
    memcpy(p, centre, sizeof p);
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < s->count; i++) {
            const double *n = s->planes[i];
            double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
            if (!(square > 0.0)) continue;
            double outside = above(n, p) / square - moved[i]; /* of the point before this plane moved it last */
            double move = outside < 0.0 ? -outside : 0.0;
            for (uint32_t k = 0; k < 3; k++)
                p[k] += (move - moved[i]) * n[k];
            moved[i] = move;
        }
    double way =
        sqrt((p[0] - centre[0]) * (p[0] - centre[0]) + (p[1] - centre[1]) * (p[1] - centre[1]) + (p[2] - centre[2]) * (p[2] - centre[2]));
    if (!(way < radius - SLACK)) return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (!(above(s->planes[i], p) >= -TOLERANCE)) return false;
    return true;
}

/* Whether a sphere is in a room; with `plane`, on that plane in it. */
static bool is_in_room(const acp_env_cell *room, const acp_run_sphere *sphere, const acp_plane *plane) {
    solid s = {.count = 0};
    double centre[3];
    if (!room->containment || acp_cell_tree_plane_count(room->containment) > MAX_PLANES - 2u) return false;
    for (uint32_t i = 0; i < acp_cell_tree_plane_count(room->containment); i++)
        add_plane(&s, acp_cell_tree_plane(room->containment, i), 1.0);
    if (plane) {
        add_plane(&s, *plane, 1.0);
        add_plane(&s, *plane, -1.0);
    }
    to_room(room, sphere->centre, centre);
    for (uint32_t i = 0; i < s.count; i++)
        if (!(above(s.planes[i], centre) > -sphere->radius)) return false;
    return has_witness(&s, centre, sphere->radius);
}

static void add_cell(acp_run_cells *cells, uint32_t cell_id) {
    if (cell_id == 0 || acp_run_has_id(cells->ids, cells->count, cell_id) || cells->count == ACP_RUN_MAX_CELLS) return;
    cells->ids[cells->count++] = cell_id;
}

/* The land cell with global numbers x, y (24 m); 0: off the map. */
static uint32_t land_cell(long x, long y) {
    if (x < 0 || y < 0 || x >= 2040 || y >= 2040) return 0;
    return (uint32_t)(x >> 3) << 24 | (uint32_t)(y >> 3) << 16 | (uint32_t)((x & 7) * 8 + (y & 7) + 1);
}

/* The client looks at the eight cells around only: spheres of 24 m and more are left out. */
static void go_outside(const acp_run_body *body, acp_run_cells *cells) {
    double base_x = (double)(body->cell_id >> 24) * 192.0, base_y = (double)((body->cell_id >> 16) & 0xFFu) * 192.0;
    for (uint32_t i = 0; i < body->sphere_count; i++) {
        double x = base_x + body->spheres[i].centre[0], y = base_y + body->spheres[i].centre[1], r = body->spheres[i].radius - SLACK;
        if (r >= 24.0) continue;
        for (long gx = (long)floor((x - r) / 24.0); gx <= (long)floor((x + r) / 24.0); gx++)
            for (long gy = (long)floor((y - r) / 24.0); gy <= (long)floor((y + r) / 24.0); gy++)
                add_cell(cells, land_cell(gx, gy));
    }
    cells->is_outside = true;
}

static void enter_room(const acp_block *block, uint32_t cell_id, const acp_run_body *body, acp_run_cells *cells) {
    const acp_env_cell *room = acp_block_env_cell(block, cell_id);
    if (!room || acp_run_has_id(cells->ids, cells->count, cell_id)) return;
    for (uint32_t i = 0; i < body->sphere_count; i++)
        if (is_in_room(room, &body->spheres[i], NULL)) {
            add_cell(cells, cell_id);
            cells->room_count++;
            return;
        }
}

static void leave_room(const acp_block *block, const acp_env_cell *room, const acp_run_body *body, acp_run_cells *cells) {
    for (uint32_t k = 0; k < room->portal_count; k++) {
        const acp_cell_portal *portal = &room->portals[k];
        if (portal->other_cell_id != 0xFFFFFFFFu) {
            enter_room(block, portal->other_cell_id, body, cells);
            continue;
        }
        for (uint32_t i = 0; i < body->sphere_count && !cells->is_outside; i++)
            if (is_in_room(room, &body->spheres[i], &portal->plane)) go_outside(body, cells);
    }
}

void acp_run_cells_of(const acp_world *world, const acp_run_body *body, acp_run_cells *out) {
    const acp_block *block = acp_world_block(world, body->cell_id);
    memset(out, 0, sizeof *out);
    if ((body->cell_id & 0xFFFFu) >= 0x100u) {
        add_cell(out, body->cell_id);
        out->room_count = 1;
    } else {
        go_outside(body, out);
    }
    for (uint32_t i = 0; block && i < out->count; i++) { /* the list grows */
        uint32_t cell_id = out->ids[i];
        if (cell_id >> 16 != body->cell_id >> 16) continue;
        if ((cell_id & 0xFFFFu) >= 0x100u) {
            const acp_env_cell *room = acp_block_env_cell(block, cell_id);
            if (room) leave_room(block, room, body, out);
            continue;
        }
        const acp_building *building = acp_block_building(block, (cell_id & 0xFFu) - 1u);
        for (uint32_t k = 0; building && k < building->portal_count; k++)
            if (building->portals[k].other_portal_id >= 0) enter_room(block, building->portals[k].other_cell_id, body, out);
    }
}
