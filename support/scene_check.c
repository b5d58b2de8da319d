/* SPDX-License-Identifier: MIT */
/* Checks of a scene (11 AUT): what must hold for the client's floods and moves to be right, as far as it can be seen without sampling.
 *
 * Shapes and rooms: polygons have a plane and lie in it (AUT-1); the spheres of tree nodes hold every polygon listed beneath (AUT-9); solid
 * leaves list polygons (AUT-12). Rooms: at least one portal (AUT-23), each led back by the other room (AUT-20, AUT-22), neighbours in the
 * stab list (AUT-24), statics inside their room (AUT-26). Buildings: entries name exterior portals (AUT-29), the shell keeps to its land
 * cell (AUT-28). Last, the lists of the world: both sides agree. Must is a fault, should a remark.
 *
 * Contract: reads only. What another landblock would answer is not asked: a portal into a landblock that the scene lacks is a remark. Cost:
 * linear in trees, points and lists; a sphere is checked against all that lies beneath it. */
#include "support/scene_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/shape.h"
#include "geom/box.h"
#include "geom/polygon.h"
#include "membership/registry.h"
#include "place/cell_id.h"
#include "support/tree_json.h"
#include "world/block.h"

typedef struct checker {
    acp_json_input *input;
    acp_json_reader memory;
    const acp_scene *scene;
    acp_scene_check_options options;
    acp_scene_check_report report;
    char where[112];
} checker;

static void tell(checker *c, bool is_fault, const char *rule, const char *message) {
    acp_scene_finding finding = {is_fault, rule, c->where, message};
    if (is_fault)
        c->report.faults++;
    else
        c->report.remarks++;
    if (c->options.on_finding) c->options.on_finding(c->options.user, &finding);
}

/* ----------------------------------------------------------------------------------------------------------------------- shapes */

static void check_polygons(checker *c, const acp_bsp_source *source) {
    uint32_t flat_less = 0, warped = 0;
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        const acp_vec3 *points = source->vertices + source->polygons[i].first_index;
        acp_polygon polygon = acp_polygon_make(points, source->polygons[i].point_count, i, 0);
        if (!acp_polygon_is_usable(&polygon)) {
            flat_less++;
            continue;
        }
        bool is_warped = false;
        for (uint32_t k = 0; k < source->polygons[i].point_count; k++) {
            double d = (double)polygon.plane.normal.x * (double)points[k].x + (double)polygon.plane.normal.y * (double)points[k].y +
                       (double)polygon.plane.normal.z * (double)points[k].z + (double)polygon.plane.d;
            is_warped = is_warped || fabs(d) > 1e-3;
        }
        warped += is_warped;
    }
    if (flat_less) tell(c, true, "AUT-1", "has polygons without a plane: they are never hit");
    if (warped) tell(c, false, "AUT-1", "has polygons whose points are more than 1 mm off their plane");
}

/* Does the sphere hold the polygon? A tenth of a millimetre is forgiven. */
static bool holds(const acp_sphere *sphere, const acp_bsp_source *source, uint32_t polygon) {
    if (polygon >= source->polygon_count) return true;
    const acp_vec3 *points = source->vertices + source->polygons[polygon].first_index;
    for (uint32_t k = 0; k < source->polygons[polygon].point_count; k++) {
        double x = (double)points[k].x - (double)sphere->center.x, y = (double)points[k].y - (double)sphere->center.y;
        double z = (double)points[k].z - (double)sphere->center.z, r = (double)sphere->radius + 1e-4;
        if (x * x + y * y + z * z > r * r) return false;
    }
    return true;
}

/* Nodes stand in the order of a walk, positive first: what lies beneath a node follows it. The end of each subtree is found from behind. */
static void check_tree(checker *c, const acp_bsp_source *source) {
    uint32_t small = 0, hollow = 0;
    uint32_t *ends = acp_json_reader_allocate(&c->memory, (source->node_count + 1u) * sizeof *ends);
    for (uint32_t i = source->node_count; ends && i-- > 0;) {
        const acp_bsp_node_source *n = &source->nodes[i];
        ends[i] = i + 1u;
        if (n->positive != ACP_BSP_NONE && ends[n->positive] > ends[i]) ends[i] = ends[n->positive];
        if (n->negative != ACP_BSP_NONE && ends[n->negative] > ends[i]) ends[i] = ends[n->negative];
        bool is_holding = true;
        for (uint32_t k = i; k < ends[i] && is_holding && n->kind != ACP_BSP_PORTAL; k++)
            for (uint32_t p = 0; source->nodes[k].kind == ACP_BSP_LEAF && p < source->nodes[k].polygon_count && is_holding; p++)
                is_holding = holds(&n->sphere, source, source->leaf_polygons[source->nodes[k].first_polygon + p]);
        small += !is_holding;
        hollow += n->kind == ACP_BSP_LEAF && n->solid && !n->polygon_count;
    }
    if (small) tell(c, true, "AUT-9", "has tree nodes whose sphere does not hold the polygons beneath: collisions are missed");
    if (hollow) tell(c, true, "AUT-12", "has solid leaves without polygons: they are empty space");
}

static void check_models(checker *c, const acp_json *definition, const char *list_name) {
    const acp_json *list = acp_json_member(definition, list_name);
    for (const acp_json *m = list && (list->type == ACP_JSON_OBJECT || list->type == ACP_JSON_ARRAY) ? list->first : NULL; m; m = m->next) {
        if (!acp_json_member(m, "bsp") && !acp_json_member(m, "polys")) continue;
        const acp_json *id = acp_json_member(m, "id");
        if (m->key)
            (void)snprintf(c->where, sizeof c->where, "%s \"%.*s\"", list_name, (int)m->key_length, m->key);
        else
            (void)snprintf(c->where, sizeof c->where, "%s %.*s", list_name, id && id->type == ACP_JSON_STRING ? (int)id->count : 0,
                           id && id->type == ACP_JSON_STRING ? id->text : "");
        acp_bsp_source source =
            acp_json_to_bsp_source(c->input, &c->memory, acp_json_get_optional_array(c->input, m, "polys"), acp_json_member(m, "bsp"));
        if (acp_json_is_failed(c->input)) return;
        check_polygons(c, &source);
        check_tree(c, &source);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------ rooms */

static bool lists(const acp_env_cell *room, uint32_t cell_id) {
    for (uint32_t i = 0; i < room->visible_count; i++)
        if (room->visible_cells[i] == cell_id) return true;
    return false;
}

static void check_portal(checker *c, const acp_env_cell *room, const acp_cell_portal *portal) {
    if (portal->other_cell_id == 0xFFFFFFFFu) return;
    if ((portal->other_cell_id & 0xFFFFu) < 0x100u) {
        tell(c, true, "AUT-20", "a portal names a land cell: outside is 0xFFFFFFFF");
        return;
    }
    const acp_env_cell *other = acp_cell_env(acp_world_cell(c->scene->world, portal->other_cell_id));
    if (!other) {
        bool is_there = acp_world_has_block(c->scene->world, portal->other_cell_id) != 0;
        tell(c, is_there, "AUT-20",
             is_there ? "a portal leads to a room that is not there" : "a portal leads into a landblock that is not there");
        return;
    }
    uint32_t back = 0;
    for (uint32_t i = 0; i < other->portal_count; i++)
        back += other->portals[i].other_cell_id == room->cell_id;
    if (!back) tell(c, true, "AUT-22", "a portal without one that leads back: things on the other side are not seen from here");
    if (portal->other_portal_id < 0 || (uint32_t)portal->other_portal_id >= other->portal_count)
        tell(c, true, "AUT-20", "other_portal is no portal of the other room");
    else if (other->portals[portal->other_portal_id].other_cell_id != room->cell_id)
        tell(c, false, "AUT-20", "other_portal is a portal that does not lead back");
    if (!lists(room, portal->other_cell_id)) tell(c, true, "AUT-24", "a neighbour is not in the stab list: statics lose it");
}

static void check_room(checker *c, const acp_env_cell *room) {
    (void)snprintf(c->where, sizeof c->where, "envcells 0x%08lX", (unsigned long)room->cell_id);
    if (!room->portal_count) tell(c, true, "AUT-23", "a room without portals contains no point");
    if (!room->structure || !acp_cell_structure_containment(room->structure)) tell(c, true, "AUT-16", "a room without a containment tree");
    if (lists(room, room->cell_id)) tell(c, false, "AUT-24", "the stab list names the room itself");
    for (uint32_t i = 0; i < room->visible_count; i++)
        if (!acp_cell_exists(acp_world_cell(c->scene->world, room->visible_cells[i]))) {
            tell(c, false, "AUT-24", "the stab list names rooms that are not there");
            break;
        }
    for (uint32_t i = 0; i < room->portal_count; i++)
        check_portal(c, room, &room->portals[i]);
}

/* -------------------------------------------------------------------------------------------------------- buildings and statics */

static void check_shell(checker *c, const acp_building *building) {
    if (!building->shell) {
        tell(c, false, "AUT-30", "no shell: nothing stops a mover outside");
        return;
    }
    uint32_t k = (building->cell_id & 0xFFFFu) - 1u;
    acp_box box = building->shell->box;
    for (uint32_t corner = 0; corner < 8u; corner++) {
        float s = building->shell_scale;
        acp_vec3 p = {(corner & 1u ? box.max.x : box.min.x) * s, (corner & 2u ? box.max.y : box.min.y) * s,
                      (corner & 4u ? box.max.z : box.min.z) * s};
        acp_vec3 at = acp_matrix_frame_local_to_global(&building->shell_position.frame, p);
        float x = at.x - 24.0f * (float)(k / 8u), y = at.y - 24.0f * (float)(k % 8u);
        if (x >= -0.01f && y >= -0.01f && x <= 24.01f && y <= 24.01f) continue;
        tell(c, false, "AUT-28", "the shell reaches out of its land cell: it is not met there");
        return;
    }
}

static void check_building(checker *c, const acp_block *block, uint32_t index) {
    const acp_building *building = &block->buildings[index];
    (void)snprintf(c->where, sizeof c->where, "buildings of 0x%08lX", (unsigned long)building->cell_id);
    uint32_t k = (building->cell_id & 0xFFu) - 1u;
    if (block->building_of[k] != index + 1u) tell(c, false, "AUT-28", "not the first building of its land cell: it is never met");
    for (uint32_t i = 0; i < building->portal_count; i++) {
        const acp_building_portal *portal = &building->portals[i];
        const acp_env_cell *other = acp_cell_env(acp_world_cell(c->scene->world, portal->other_cell_id));
        if (!other)
            tell(c, true, "AUT-29", "an entry leads to a room that is not there");
        else if (portal->other_portal_id < 0)
            tell(c, false, "AUT-29", "an entry is disabled");
        else if ((uint32_t)portal->other_portal_id >= other->portal_count)
            tell(c, true, "AUT-29", "an entry names no portal of its room");
        else if (other->portals[portal->other_portal_id].other_cell_id != 0xFFFFFFFFu)
            tell(c, true, "AUT-29", "an entry names a portal that does not lead outside");
    }
    check_shell(c, building);
}

static void check_static(checker *c, const acp_scene_object *object) {
    (void)snprintf(c->where, sizeof c->where, "statics %s", object->name);
    if (!object->handle.index1) {
        tell(c, true, "POP-4", "no cell holds it: it is not there");
        return;
    }
    const acp_object_row *row = acp_world_row(c->scene->world, object->index);
    const acp_env_cell *room = acp_cell_env(acp_world_cell(c->scene->world, row->position.cell_id));
    if (!room || !room->structure || !acp_cell_structure_containment(room->structure)) return;
    acp_vec3 local = acp_matrix_frame_global_to_local(&room->position.frame, row->position.frame.origin);
    int32_t is_inside = 0;
    if (acp_cell_tree_test_point(acp_cell_structure_containment(room->structure), local, &is_inside) == ACP_OK && !is_inside)
        tell(c, false, "AUT-26", "its origin lies outside its room");
}

/* ------------------------------------------------------------------------------------------------------------------------ whole */

static void check_world(checker *c) {
    for (uint32_t id = 0; id < 0x10000u; id++) {
        const acp_block *block = acp_world_block(c->scene->world, id << 16);
        if (!block) continue;
        for (uint32_t i = 0; i < block->env_cell_count; i++)
            check_room(c, &block->env_cells[i]);
        for (uint32_t i = 0; i < block->building_count; i++)
            check_building(c, block, i);
    }
    for (uint32_t i = 0; i < c->scene->static_count; i++)
        check_static(c, &c->scene->statics[i]);
    acp_error error;
    (void)snprintf(c->where, sizeof c->where, "lists");
    if (acp_membership_check(c->scene->world, &error)) tell(c, true, "MEM-35", error.message);
}

void acp_scene_check(acp_json_input *input, const acp_scene *scene, const acp_json *definition, const acp_scene_check_options *options,
                     acp_scene_check_report *out_report) {
    checker c;
    memset(&c, 0, sizeof c);
    c.input = input;
    c.scene = scene;
    if (options) c.options = *options;
    check_models(&c, definition, "gfx");
    check_models(&c, definition, "structures");
    check_models(&c, definition, "envcells");
    if (!acp_json_is_failed(input)) check_world(&c);
    acp_json_reader_free(&c.memory);
    *out_report = c.report;
}
