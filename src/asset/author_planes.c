/* SPDX-License-Identifier: MIT */
/* Polygons by plane: the walls of a room, the faces of a body (spec 11 AUT-13, AUT-14, AUT-16).
 *
 * Polygons that lie in one plane within EPS and face the same way are one wall; its plane has the bits of the first of them (AUT-11). A
 * portal fills an opening of the wall it lies in, whichever way it winds; where there is no wall, it makes one of its own, whose plane is
 * turned towards the room. A wall is of the hull when nothing lies beyond it: of a room on its negative side, of a body on its positive.
 *
 * Limits: 1,022 walls; one more is told and the rest not looked at (a chain could not hold them). Cost: polygons times walls. */
#include <math.h>

#include "asset/author.h"

#define GROUP_LIMIT 1022u
#define PARALLEL    0.99

static bool is_on_plane(const acp_author *a, const acp_plane *plane, uint32_t polygon) {
    double least, greatest;
    acp_author_distances(a, plane, polygon, &least, &greatest);
    return least >= -ACP_AUTHOR_IN_PLANE && greatest <= ACP_AUTHOR_IN_PLANE;
}

static double facing(const acp_plane *p, const acp_plane *q) {
    return ((double)p->normal.x * (double)q->normal.x + (double)p->normal.y * (double)q->normal.y) +
           (double)p->normal.z * (double)q->normal.z;
}

/* The group a polygon belongs to, or the count of groups. */
static uint32_t find_group(const acp_author *a, const acp_author_groups *groups, uint32_t polygon) {
    bool is_portal = acp_author_is(a, polygon, ACP_MESH_PORTAL);
    for (uint32_t i = 0; i < groups->count; i++) {
        const acp_author_group *g = &groups->items[i];
        double turn = facing(&g->plane, &a->planes[polygon]);
        bool is_free = is_portal || g->polygon_count == 0; /* portals wind either way */
        if ((is_free ? fabs(turn) : turn) < PARALLEL) continue;
        if (is_on_plane(a, &g->plane, polygon)) return i;
    }
    return groups->count;
}

static acp_plane turned(acp_plane plane) { return (acp_plane){{-plane.normal.x, -plane.normal.y, -plane.normal.z}, -plane.d}; }

static void join(const acp_author *a, acp_author_group *group, uint32_t polygon) {
    acp_author_point area = acp_author_area(a, polygon);
    group->area += sqrt(area.x * area.x + area.y * area.y + area.z * area.z);
    if (acp_author_is(a, polygon, ACP_MESH_PORTAL)) {
        group->has_opening = true;
        return;
    }
    if (group->polygon_count == 0) group->plane = a->planes[polygon]; /* a wall's plane comes before a portal's */
    group->polygon_count++;
}

/* Does anything but the wall's own first polygon lie beyond? */
static bool is_beyond(const acp_author *a, const acp_plane *plane, uint32_t own, bool is_room, uint32_t mask) {
    for (uint32_t i = 0; i < a->mesh->polygon_count; i++) {
        double least, greatest;
        if (i == own || !acp_author_is(a, i, mask)) continue;
        acp_author_distances(a, plane, i, &least, &greatest);
        if (is_room ? least < -ACP_AUTHOR_IN_PLANE : greatest > ACP_AUTHOR_IN_PLANE) return true;
    }
    return false;
}

static void judge(const acp_author *a, acp_author_group *group, bool is_room, uint32_t mask) {
    group->is_hull = !is_beyond(a, &group->plane, group->first, is_room, mask);
    if (group->is_hull || group->polygon_count) return;
    acp_plane other = turned(group->plane);
    if (is_beyond(a, &other, group->first, is_room, mask)) return;
    group->plane = other;
    group->is_hull = true;
}

/* The physics polygons of each group, in one block. */
static acp_result list_polygons(acp_author *a, acp_author_groups *groups, const uint32_t *group_of) {
    uint32_t *all = acp_arena_allocate_zero(a->arena, a->mesh->polygon_count, sizeof *all, 8);
    if (!all) return acp_author_out_of_memory(a);
    for (uint32_t i = 0; i < groups->count; i++) {
        groups->items[i].polygons = all;
        all += groups->items[i].polygon_count;
        groups->items[i].polygon_count = 0;
    }
    for (uint32_t i = 0; i < a->mesh->polygon_count; i++)
        if (acp_author_is(a, i, ACP_MESH_PHYSICS)) {
            acp_author_group *g = &groups->items[group_of[i]];
            g->polygons[g->polygon_count++] = i;
        }
    return ACP_OK;
}

acp_result acp_author_group_planes(acp_author *a, bool is_room, acp_author_groups *out_groups) {
    uint32_t mask = is_room ? ACP_MESH_PHYSICS | ACP_MESH_PORTAL : ACP_MESH_PHYSICS, count = a->mesh->polygon_count;
    uint32_t *group_of = acp_arena_allocate_zero(a->arena, count, sizeof *group_of, 8);
    out_groups->count = 0;
    out_groups->items = acp_arena_allocate_zero(a->arena, GROUP_LIMIT, sizeof *out_groups->items, 16);
    if (!group_of || !out_groups->items) return acp_author_out_of_memory(a);
    for (uint32_t i = 0; i < count; i++) {
        if (!acp_author_is(a, i, mask)) continue;
        uint32_t at = find_group(a, out_groups, i);
        if (at == GROUP_LIMIT) return acp_author_fail(a, ACP_ERROR_LIMIT, i, "more than 1022 planes in a chain");
        acp_author_group *g = &out_groups->items[at];
        if (at == out_groups->count) {
            g->plane = a->planes[i];
            g->first = i;
            out_groups->count++;
        }
        join(a, g, i);
        group_of[i] = at;
    }
    for (uint32_t i = 0; i < out_groups->count; i++)
        judge(a, &out_groups->items[i], is_room, mask);
    return list_polygons(a, out_groups, group_of);
}
