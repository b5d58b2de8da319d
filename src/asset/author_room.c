/* SPDX-License-Identifier: MIT */
/* Rooms: is it enclosed, its containment chain, its physics tree (spec 11 AUT-13, AUT-14, AUT-16 to AUT-18, AUT-23).
 *
 * The planes of the walls and portals that have the whole room on their positive side enclose a convex space: the cell as the floods see
 * it. The room is convex when walls and portals fill every face of that space; it is closed when they do, or when the walls together
 * with what is built into the room leave nothing open (their vector areas cancel). A hole in a wall is area that is missing.
 * Cell tree: those planes in the order of the polygons, then a LEAF with the room's number. Physics tree: the same walls, as far as
 * they have faces, each with a leaf behind it that is solid unless the wall has an opening; at the end of the chain the free space, or
 * what is built in: one convex solid when its faces and the room's walls bound it, else a leaf that is not solid.
 *
 * Contract: a portal in a plane that cuts the room is refused: the room would lie on both its sides. Limits: 1,022 planes.
 * Cost: polygons times walls, walls squared. */
#include <math.h>
#include <string.h>

#include "asset/author.h"

#define TAG_POSITIVE 0x42506E6Eu /* BPnn */

/* What may be missing of an area. */
static double area_slack(double area) { return 2e-3 * sqrt(area) + 1e-4; }

acp_result acp_author_room_groups(acp_author *a, acp_author_groups *out_groups) {
    acp_result result = acp_author_group_planes(a, true, out_groups);
    if (result) return result;
    uint32_t walls = 0;
    for (uint32_t i = 0; i < out_groups->count; i++) {
        const acp_author_group *g = &out_groups->items[i];
        walls += g->is_hull && g->polygon_count ? 1u : 0u;
        if (!g->is_hull && g->has_opening)
            return acp_author_fail(a, ACP_ERROR_BAD_DATA, g->first, "the plane of a portal cuts the room: divide the room there");
    }
    if (walls == 0)
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, a->physics[0],
                               "no wall has the room on its positive side: do the walls face outwards?");
    return ACP_OK;
}

/* The hull's planes and the faces they bound. */
static acp_result cut_room(acp_author *a, const acp_author_groups *groups, acp_plane **out_planes, uint32_t *out_count,
                           acp_author_hull *out_hull) {
    acp_plane *planes = acp_arena_allocate_zero(a->arena, groups->count, sizeof *planes, 16);
    if (!planes) return acp_author_out_of_memory(a);
    uint32_t count = 0;
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->items[i].is_hull) planes[count++] = groups->items[i].plane;
    *out_planes = planes;
    *out_count = count;
    return acp_author_cut_hull(a, planes, count, out_hull);
}

/* Do the vector areas of everything cancel? */
static bool do_areas_cancel(const acp_author_groups *groups) {
    acp_author_point sum = {0, 0, 0};
    double total = 0;
    for (uint32_t i = 0; i < groups->count; i++) {
        const acp_author_group *g = &groups->items[i];
        sum.x += g->area * (double)g->plane.normal.x;
        sum.y += g->area * (double)g->plane.normal.y;
        sum.z += g->area * (double)g->plane.normal.z;
        total += g->area;
    }
    return sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z) <= area_slack(total);
}

acp_result acp_author_check_room(acp_author *a, const acp_author_groups *groups) {
    acp_plane *planes;
    uint32_t plane_count = 0, blamed = ACP_BSP_NONE, face = 0;
    acp_author_hull hull;
    double missing = 0;
    acp_result result = cut_room(a, groups, &planes, &plane_count, &hull);
    if (result) return result;
    for (uint32_t i = 0; i < groups->count; i++) {
        const acp_author_group *g = &groups->items[i];
        if (!g->is_hull) continue;
        double gap = hull.areas[face++] - g->area;
        if (!hull.is_bounded) continue;
        if (-gap > area_slack(g->area) && g->has_opening && !(a->mesh->flags & ACP_MESH_MAY_BE_OPEN))
            return acp_author_fail(a, ACP_ERROR_BAD_DATA, g->first,
                                   "polygons of this wall overlap by %.3g m2: a portal fills a free opening", -gap);
        if (gap > area_slack(g->area) && gap > missing) {
            missing = gap;
            blamed = g->first;
        }
    }
    a->report.is_convex = hull.is_bounded && blamed == ACP_BSP_NONE;
    a->report.is_closed = a->report.is_convex || (hull.is_bounded && do_areas_cancel(groups));
    a->report.cell_plane_count = plane_count;
    if (!a->report.is_closed && !(a->mesh->flags & ACP_MESH_MAY_BE_OPEN)) {
        if (!hull.is_bounded) return acp_author_fail(a, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "the room does not close: walls are missing");
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, blamed, "the room does not close: %.3g m2 of this wall are open", missing);
    }
    if (!a->report.is_convex && (a->mesh->flags & ACP_MESH_MUST_BE_CONVEX))
        return acp_author_fail(a, ACP_ERROR_BAD_DATA, blamed, "the room is not convex: divide it into convex rooms joined by portals");
    return ACP_OK;
}

acp_result acp_author_cell_tree(acp_author *a, acp_record_tree *out_tree) {
    acp_author_groups groups;
    acp_result result = acp_author_room_groups(a, &groups);
    if (result == ACP_OK) result = acp_author_check_room(a, &groups);
    if (result) return result;
    out_tree->nodes = acp_arena_allocate_zero(a->arena, groups.count + 1, sizeof *out_tree->nodes, 8);
    if (!out_tree->nodes) return acp_author_out_of_memory(a);
    uint32_t count = 0;
    for (uint32_t i = 0; i < groups.count; i++) {
        if (!groups.items[i].is_hull) continue;
        acp_record_node *node = &out_tree->nodes[count];
        node->tag = TAG_POSITIVE;
        node->plane = groups.items[i].plane;
        node->positive = ++count;
        node->negative = ACP_RECORD_NONE;
    }
    acp_record_node *leaf = &out_tree->nodes[count++];
    leaf->tag = ACP_TAG_LEAF;
    leaf->leaf_index = (int32_t)a->structure;
    leaf->positive = leaf->negative = ACP_RECORD_NONE;
    out_tree->node_count = count;
    return ACP_OK;
}

/* ---- physics ---- */

/* Is what is built in one convex solid, bounded by its faces and the room's walls? */
static acp_result is_built_in_solid(acp_author *a, const acp_author_groups *groups, bool *out_is_solid) {
    acp_plane *planes = acp_arena_allocate_zero(a->arena, groups->count, sizeof *planes, 16);
    if (!planes) return acp_author_out_of_memory(a);
    uint32_t count = 0;
    bool is_solid = true;
    for (uint32_t i = 0; i < groups->count && is_solid; i++) {
        acp_plane plane = groups->items[i].plane;
        for (uint32_t k = 0; k < groups->count && !groups->items[i].is_hull; k++)
            for (uint32_t n = 0; n < groups->items[k].polygon_count && !groups->items[k].is_hull; n++) {
                double least, greatest;
                acp_author_distances(a, &plane, groups->items[k].polygons[n], &least, &greatest);
                if (greatest > ACP_AUTHOR_IN_PLANE) is_solid = false;
            }
        planes[count++] = groups->items[i].is_hull ? plane : (acp_plane){{-plane.normal.x, -plane.normal.y, -plane.normal.z}, -plane.d};
    }
    acp_author_hull hull;
    acp_result result = is_solid ? acp_author_cut_hull(a, planes, count, &hull) : ACP_OK;
    if (result || !is_solid) {
        *out_is_solid = false;
        return result;
    }
    is_solid = hull.is_bounded;
    for (uint32_t i = 0; i < groups->count; i++)
        if (!groups->items[i].is_hull && fabs(hull.areas[i] - groups->items[i].area) > area_slack(groups->items[i].area)) is_solid = false;
    *out_is_solid = is_solid;
    return ACP_OK;
}

/* The leaf at the chain's end, or the chain of what is built in. `link` is where its node number goes. */
static acp_result built_in(acp_author *a, const acp_author_groups *groups, uint32_t parent) {
    uint32_t *all = acp_arena_allocate_zero(a->arena, a->mesh->polygon_count, sizeof *all, 8);
    if (!all) return acp_author_out_of_memory(a);
    uint32_t count = 0, node;
    for (uint32_t k = 0; k < groups->count; k++)
        for (uint32_t n = 0; n < groups->items[k].polygon_count && !groups->items[k].is_hull; n++)
            all[groups->items[k].polygons[n]] = 1;
    for (uint32_t i = 0; i < a->mesh->polygon_count; i++)
        if (all[i]) all[count++] = i;
    bool is_solid = false;
    acp_result result = count ? is_built_in_solid(a, groups, &is_solid) : ACP_OK;
    bool is_negative = false; /* the first one hangs on the positive side of the last wall */
    for (uint32_t k = 0; k < groups->count && is_solid && result == ACP_OK; k++) {
        if (groups->items[k].is_hull) continue;
        acp_author_node made = {.plane = groups->items[k].plane};
        node = acp_author_add_node(a, &made);
        if (node == ACP_BSP_NONE) return acp_author_out_of_memory(a);
        if (is_negative)
            a->tree.nodes.items[parent].negative = node;
        else
            a->tree.nodes.items[parent].positive = node;
        uint32_t empty;
        result = acp_author_add_leaf(a, NULL, 0, false, &empty);
        a->tree.nodes.items[node].positive = empty;
        parent = node;
        is_negative = true;
    }
    if (result == ACP_OK) result = acp_author_add_leaf(a, all, count, is_solid, &node);
    if (result) return result;
    if (is_negative)
        a->tree.nodes.items[parent].negative = node;
    else
        a->tree.nodes.items[parent].positive = node;
    return ACP_OK;
}

/* The node of a wall, below `parent` (ACP_BSP_NONE: the root), with the leaf behind it. */
static acp_result add_wall(acp_author *a, const acp_author_group *g, uint32_t *parent) {
    acp_author_node made = {.plane = g->plane};
    uint32_t node = acp_author_add_node(a, &made), leaf;
    if (node == ACP_BSP_NONE) return acp_author_out_of_memory(a);
    bool is_solid = !g->has_opening && !(a->mesh->flags & ACP_MESH_WALLS_NOT_SOLID);
    acp_result result = acp_author_add_leaf(a, g->polygons, g->polygon_count, is_solid, &leaf);
    if (result) return result;
    a->tree.nodes.items[node].negative = leaf;
    if (*parent != ACP_BSP_NONE) a->tree.nodes.items[*parent].positive = node;
    *parent = node;
    return ACP_OK;
}

acp_result acp_author_room_tree(acp_author *a) {
    acp_author_groups groups;
    uint32_t parent = ACP_BSP_NONE;
    acp_result result = acp_author_room_groups(a, &groups);
    bool is_sorted = (a->mesh->flags & ACP_MESH_OPENINGS_FIRST) != 0;
    for (uint32_t pass = 0; pass < 2 && result == ACP_OK; pass++)
        for (uint32_t i = 0; i < groups.count && result == ACP_OK; i++) {
            const acp_author_group *g = &groups.items[i];
            if (!g->is_hull || (g->polygon_count == 0 && !g->has_opening)) continue; /* a wall that is all opening: free behind it */
            if (is_sorted ? g->has_opening == (pass == 0) : pass == 0) result = add_wall(a, g, &parent);
        }
    if (result) return result;
    if (parent == ACP_BSP_NONE) return acp_author_leaf_tree(a);
    return built_in(a, &groups, parent);
}
