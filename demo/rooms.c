/* SPDX-License-Identifier: MIT */
/* Buildings and dungeons from buildings.json: rooms that are boxes, openings between them, a shell around them.
 *
 * A building is a list of rooms in its own frame and a list of openings, each a rectangle in a wall that two rooms share or that leads
 * outside. From these come one Environment with a structure for each room, the EnvCells (numbered in the block in the order of the table),
 * portals in pairs, lists of visible cells (neighbours first), and, for a house, the shell with its doorway tunnels and the building's
 * entry in the LandBlockInfo (spec 11). A one_way opening gives only the first of its rooms a portal; second_at is where the second room
 * has its opening when the two rooms overlap. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "demo/builder.h"

#define MAX_ROOMS    32u
#define MAX_OPENINGS 64u
#define FIRST_CELL   0x100u
#define OUTSIDE      UINT32_MAX

typedef struct room {
    const char *name;
    const acp_json *object;
    demo_box box;
    uint32_t portal_count;
} room;

typedef struct opening {
    demo_opening shape[2]; /* as each room has it: rooms that overlap have it in different walls */
    uint32_t rooms[2];     /* OUTSIDE for the second */
    uint32_t portal[2];    /* index in the room's portals */
    uint32_t polygon[2];
    int32_t side[2];
    bool is_one_way;
} opening;

typedef struct plan {
    const char *name;
    const acp_json *object;
    demo_block *block;
    acp_frame frame;
    uint32_t first_cell; /* low word */
    uint32_t environment;
    room rooms[MAX_ROOMS];
    uint32_t room_count;
    opening openings[MAX_OPENINGS];
    uint32_t opening_count;
    demo_mesh meshes[MAX_ROOMS];
} plan;

/* ---- reading ---- */

static bool get_box(demo_builder *b, const acp_json *object, demo_box *out) {
    float n[6];
    if (!demo_get_numbers(b, object, "box", n, 6, false)) return false;
    for (uint32_t i = 0; i < 3; i++) {
        out->low[i] = n[i];
        out->high[i] = n[3 + i];
        if (!(n[i] < n[3 + i])) demo_fail(b, ACP_ERROR_BAD_DATA, "box", "upside down");
    }
    return demo_is_ok(b);
}

static void read_rooms(demo_builder *b, plan *p) {
    const acp_json *list = acp_json_get_array(&b->in, p->object, "rooms");
    if (!demo_check_input(b, p->name)) return;
    if (list->count > MAX_ROOMS) demo_fail(b, ACP_ERROR_LIMIT, p->name, "more than 32 rooms");
    for (const acp_json *at = list->first; at && demo_is_ok(b); at = at->next) {
        room *r = &p->rooms[p->room_count++];
        r->object = at;
        r->name = demo_get_text(b, at, "name");
        if (!r->name) demo_fail(b, ACP_ERROR_BAD_DATA, p->name, "a room has no name");
        (void)get_box(b, at, &r->box);
    }
}

static uint32_t find_room(demo_builder *b, const plan *p, const acp_json *name) {
    if (acp_json_is_text(name, "outside")) return OUTSIDE;
    for (uint32_t i = 0; i < p->room_count; i++)
        if (name && acp_json_is_text(name, p->rooms[i].name)) return i;
    demo_fail(b, ACP_ERROR_NOT_FOUND, p->name, "an opening names a room that is not there");
    return OUTSIDE;
}

static void read_openings(demo_builder *b, plan *p) {
    const acp_json *list = acp_json_get_array(&b->in, p->object, "openings");
    if (!demo_check_input(b, p->name)) return;
    if (list->count > MAX_OPENINGS) demo_fail(b, ACP_ERROR_LIMIT, p->name, "more than 64 openings");
    for (const acp_json *at = list->first; at && demo_is_ok(b); at = at->next) {
        opening *o = &p->openings[p->opening_count++];
        const acp_json *names = acp_json_get_array(&b->in, at, "rooms"), *wall = acp_json_member(at, "wall");
        float rect[4];
        o->shape[0].axis = acp_json_is_text(wall, "x") ? 0u : acp_json_is_text(wall, "y") ? 1u : 2u;
        (void)demo_get_numbers(b, at, "at", &o->shape[0].at, 1, false);
        if (!demo_get_numbers(b, at, "rect", rect, 4, false) || !demo_check_input(b, p->name)) return;
        for (uint32_t i = 0; i < 2; i++) {
            o->shape[0].low[i] = rect[i];
            o->shape[0].high[i] = rect[2 + i];
        }
        o->shape[1] = o->shape[0];
        (void)demo_get_numbers(b, at, "second_at", &o->shape[1].at, 1, true);
        for (uint32_t i = 0; i < 2; i++) {
            o->rooms[i] = find_room(b, p, acp_json_element(names, i));
            if (o->rooms[i] != OUTSIDE && demo_is_ok(b) && demo_opening_wall(&p->rooms[o->rooms[i]].box, &o->shape[i]) < 0)
                demo_fail(b, ACP_ERROR_BAD_DATA, p->rooms[o->rooms[i]].name, "an opening lies in none of the room's walls");
        }
        if (o->rooms[0] == OUTSIDE) demo_fail(b, ACP_ERROR_BAD_DATA, p->name, "the outside is named second");
        o->is_one_way = acp_json_get_flag_or(&b->in, at, "one_way", false);
    }
}

/* ---- the environment ---- */

static void fill_room_mesh(demo_builder *b, plan *p, uint32_t r) {
    demo_opening holes[MAX_OPENINGS];
    uint32_t hole_count = 0;
    demo_mesh *mesh = &p->meshes[r];
    for (uint32_t i = 0; i < p->opening_count; i++)
        for (uint32_t k = 0; k < 2; k++)
            if (p->openings[i].rooms[k] == r) holes[hole_count++] = p->openings[i].shape[k];
    demo_add_walls(b, mesh, &p->rooms[r].box, holes, hole_count, true, ACP_MESH_PHYSICS | ACP_MESH_DRAWING);
    demo_mesh_add_shapes(b, mesh, acp_json_member(p->rooms[r].object, "shape"), ACP_MESH_PHYSICS | ACP_MESH_DRAWING, p->rooms[r].name);
    for (uint32_t i = 0; i < p->opening_count && demo_is_ok(b); i++) {
        opening *o = &p->openings[i];
        for (uint32_t k = 0; k < 2; k++) {
            acp_vec3 corners[4];
            if (o->rooms[k] != r || (k == 1 && o->is_one_way)) continue;
            demo_rectangle(&o->shape[k], true, corners);
            o->polygon[k] = mesh->polygons.count;
            o->portal[k] = p->rooms[r].portal_count++;
            o->side[k] = demo_opening_wall(&p->rooms[r].box, &o->shape[k]) == 0 ? 0 : 1; /* the room lies above a low wall */
            demo_mesh_add(b, mesh, corners, 4, ACP_MESH_PORTAL | ACP_MESH_DRAWING);
        }
    }
}

static void build_environment(demo_builder *b, plan *p) {
    acp_mesh views[MAX_ROOMS];
    acp_record_bytes bytes = {0};
    for (uint32_t i = 0; i < p->room_count; i++) {
        fill_room_mesh(b, p, i);
        views[i] = demo_mesh_view(&p->meshes[i]);
        const acp_json *collision = acp_json_member(p->rooms[i].object, "collision");
        views[i].tree_form = acp_json_is_text(collision, "leaf") ? ACP_TREE_FORM_LEAF : ACP_TREE_FORM_ROOM;
        views[i].flags = ACP_MESH_OPENINGS_FIRST | ACP_MESH_MUST_BE_CONVEX;
        for (uint32_t k = 0; k < p->opening_count; k++) /* a one-way opening is a hole without portal in its second room */
            if (p->openings[k].is_one_way && p->openings[k].rooms[1] == i) views[i].flags = ACP_MESH_MAY_BE_OPEN | ACP_MESH_WALLS_NOT_SOLID;
    }
    if (!demo_is_ok(b)) return;
    acp_error fault = {0};
    acp_result result = acp_mesh_make_environment(views, p->room_count, p->environment, &b->allocator, &bytes, NULL, &fault);
    if (result != ACP_OK) demo_fail(b, result, p->name, fault.message);
    if (result != ACP_OK) acp_error_set_place(b->error, p->environment, UINT64_MAX, fault.field);
    demo_put_bytes(b, b->portal, p->environment, bytes.bytes, bytes.size);
    acp_record_bytes_free(&bytes);
}

/* ---- cells ---- */

static uint16_t low_word(const plan *p, uint32_t r) { return r == OUTSIDE ? (uint16_t)0xFFFFu : (uint16_t)(p->first_cell + r); }

static uint16_t portal_flags(int32_t side, bool is_outside) { return (uint16_t)(1u | (side == 0 ? 2u : 0u) | (is_outside ? 4u : 0u)); }

static void fill_portals(demo_builder *b, const plan *p, uint32_t r, acp_record_env_cell *cell) {
    cell->portals = DEMO_NEW_ARRAY(b, acp_record_portal, p->rooms[r].portal_count);
    cell->visible = DEMO_NEW_ARRAY(b, uint16_t, p->room_count);
    bool is_listed[MAX_ROOMS] = {false};
    if (!demo_is_ok(b)) return;
    is_listed[r] = true;
    for (uint32_t i = 0; i < p->opening_count; i++) {
        const opening *o = &p->openings[i];
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t other = o->rooms[1 - k];
            if (o->rooms[k] != r || (k == 1 && o->is_one_way)) continue;
            /* a one-way portal has no counterpart: the first of the other room, which only drawing would read */
            uint16_t back = other == OUTSIDE ? (uint16_t)0xFFFFu : o->is_one_way ? (uint16_t)0u : (uint16_t)o->portal[1 - k];
            cell->portals[cell->portal_count++] =
                (acp_record_portal){portal_flags(o->side[k], other == OUTSIDE), (uint16_t)o->polygon[k], low_word(p, other), back};
            if (other == OUTSIDE || is_listed[other]) continue;
            is_listed[other] = true;
            cell->visible[cell->visible_count++] = low_word(p, other);
        }
    }
    for (uint32_t i = 0; i < p->room_count; i++)
        if (!is_listed[i]) cell->visible[cell->visible_count++] = low_word(p, i);
}

static void build_cell(demo_builder *b, const plan *p, uint32_t r) {
    acp_record_env_cell *cell = demo_allocate(b, 1, sizeof *cell);
    if (!cell) return;
    cell->id = cell->cell_id = (p->block->land.record_id & 0xFFFF0000u) | low_word(p, r);
    cell->environment = (uint16_t)p->environment;
    cell->structure = (uint16_t)r;
    cell->frame = p->frame;
    if (acp_json_get_flag_or(&b->in, p->rooms[r].object, "sees_outside", false)) cell->flags |= 1u;
    fill_portals(b, p, r, cell);
    const acp_json *statics = acp_json_member(p->rooms[r].object, "statics");
    cell->statics.count = demo_get_statics(b, statics, &cell->statics.items);
    if (cell->statics.count) cell->flags |= 2u;
    for (uint32_t i = 0; i < cell->statics.count && demo_is_ok(b); i++) {
        acp_frame own = cell->statics.items[i].frame;
        if (acp_frame_combine(&p->frame, &own, &cell->statics.items[i].frame) != ACP_OK)
            demo_fail(b, ACP_ERROR_BAD_DATA, p->name, "statics");
    }
    if (demo_check_input(b, p->rooms[r].name)) demo_put_record(b, b->cell, ACP_RECORD_ENV_CELL, cell->id, cell);
}

/* ---- the shell ---- */

/* The doorway's tunnel from the room's wall to the shell's: cheeks, soffit, and a sill when it does not reach the ground. */
static void add_tunnel(demo_builder *b, demo_mesh *mesh, const demo_opening *inner, float outer, float ground) {
    uint32_t a = inner->axis == 0 ? 1u : 0u, c = inner->axis == 2 ? 1u : 2u;
    float low = inner->at < outer ? inner->at : outer, high = inner->at < outer ? outer : inner->at;
    demo_box hole;
    hole.low[inner->axis] = low;
    hole.high[inner->axis] = high;
    for (uint32_t i = 0; i < 2; i++) {
        hole.low[i ? c : a] = inner->low[i];
        hole.high[i ? c : a] = inner->high[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t axis = i < 2 ? a : c, other = i < 2 ? c : a, is_high = i % 2u;
        if (axis == 2 && !is_high && inner->low[1] == ground) continue;
        demo_opening face = {.axis = axis, .at = is_high ? hole.high[axis] : hole.low[axis]};
        uint32_t first = inner->axis < other ? inner->axis : other, second = inner->axis < other ? other : inner->axis;
        face.low[0] = hole.low[first];
        face.high[0] = hole.high[first];
        face.low[1] = hole.low[second];
        face.high[1] = hole.high[second];
        acp_vec3 corners[4];
        demo_rectangle(&face, !is_high, corners);
        demo_mesh_add(b, mesh, corners, 4, ACP_MESH_PHYSICS | ACP_MESH_DRAWING);
    }
}

/* The wall of the shell nearest to an opening of a room. */
static demo_opening shell_opening(const demo_box *box, const demo_opening *inner) {
    demo_opening outer = *inner;
    float to_low = inner->at - box->low[inner->axis], to_high = box->high[inner->axis] - inner->at;
    outer.at = to_low < to_high ? box->low[inner->axis] : box->high[inner->axis];
    return outer;
}

static void build_shell(demo_builder *b, const plan *p, const acp_json *shell, uint32_t model, uint32_t *out_leaves) {
    demo_box box;
    demo_mesh mesh = {0};
    demo_opening doors[MAX_OPENINGS], ground;
    uint32_t door_count = 0;
    if (!get_box(b, shell, &box)) return;
    for (uint32_t i = 0; i < p->opening_count; i++)
        if (p->openings[i].rooms[1] == OUTSIDE) doors[door_count++] = shell_opening(&box, &p->openings[i].shape[0]);
    ground = (demo_opening){2, box.low[2], {box.low[0], box.low[1]}, {box.high[0], box.high[1]}};
    doors[door_count] = ground; /* no floor: the ground is there */
    demo_add_walls(b, &mesh, &box, doors, door_count + 1u, false, ACP_MESH_PHYSICS | ACP_MESH_DRAWING);
    for (uint32_t i = 0, d = 0; i < p->opening_count; i++)
        if (p->openings[i].rooms[1] == OUTSIDE) add_tunnel(b, &mesh, &p->openings[i].shape[0], doors[d++].at, box.low[2]);
    for (uint32_t d = 0; d < door_count; d++) {
        acp_vec3 corners[4];
        demo_rectangle(&doors[d], demo_opening_wall(&box, &doors[d]) == 1, corners);
        demo_mesh_add(b, &mesh, corners, 4, ACP_MESH_PORTAL | ACP_MESH_DRAWING);
    }
    if (demo_is_ok(b)) {
        acp_mesh view = demo_mesh_view(&mesh);
        acp_mesh_report report = {0};
        acp_record_bytes bytes = {0};
        acp_error fault = {0};
        view.tree_form = ACP_TREE_FORM_SOLID;
        view.flags = ACP_MESH_MAY_BE_OPEN;
        acp_result result = acp_mesh_make_gfxobj(&view, model, &b->allocator, &bytes, &report, &fault);
        if (result != ACP_OK) demo_fail(b, result, p->name, fault.message);
        if (result != ACP_OK) acp_error_set_place(b->error, model, UINT64_MAX, fault.field);
        demo_put_bytes(b, b->portal, model, bytes.bytes, bytes.size);
        acp_record_bytes_free(&bytes);
        *out_leaves = report.drawing_leaf_count;
    }
    demo_mesh_free(b, &mesh);
}

static void build_house(demo_builder *b, const plan *p, const acp_json *shell) {
    acp_record_building house = {.model = acp_json_get_id(&b->in, p->object, "model"), .frame = p->frame};
    if (!demo_check_input(b, p->name)) return;
    build_shell(b, p, shell, house.model, &house.leaf_count);
    house.portals = DEMO_NEW_ARRAY(b, acp_record_building_portal, p->opening_count);
    for (uint32_t i = 0; i < p->opening_count && demo_is_ok(b); i++) {
        const opening *o = &p->openings[i];
        if (o->rooms[1] != OUTSIDE) continue;
        acp_record_building_portal *portal = &house.portals[house.portal_count++];
        portal->flags = portal_flags(0, false);
        portal->other_cell = low_word(p, o->rooms[0]);
        portal->other_portal = (uint16_t)o->portal[0];
        portal->stabs = DEMO_NEW_ARRAY(b, uint16_t, p->room_count);
        for (uint32_t r = 0; r < p->room_count && portal->stabs; r++)
            portal->stabs[portal->stab_count++] = low_word(p, r);
    }
    if (demo_is_ok(b) && ACP_ARRAY_PUSH(&p->block->buildings, &b->allocator, house) != ACP_OK)
        demo_fail(b, ACP_ERROR_OUT_OF_MEMORY, p->name, "memory refused");
}

static void build_one(demo_builder *b, const acp_json *object) {
    plan *p = demo_allocate(b, 1, sizeof *p);
    if (!p) return;
    p->object = object;
    p->name = demo_get_text(b, object, "name");
    if (!p->name) p->name = "buildings";
    p->environment = acp_json_get_id(&b->in, object, "environment");
    p->frame = demo_get_frame(b, object);
    if (demo_check_input(b, p->name)) p->block = demo_get_block(b, acp_json_get_id(&b->in, object, "block"), false);
    read_rooms(b, p);
    read_openings(b, p);
    if (demo_check_input(b, p->name)) {
        p->first_cell = FIRST_CELL + p->block->cell_count;
        p->block->cell_count += p->room_count;
        build_environment(b, p);
        for (uint32_t i = 0; i < p->room_count; i++)
            build_cell(b, p, i);
        const acp_json *shell = acp_json_get_optional_object(&b->in, object, "shell");
        if (shell) build_house(b, p, shell);
    }
    for (uint32_t i = 0; i < MAX_ROOMS; i++)
        demo_mesh_free(b, &p->meshes[i]);
}

void demo_build_buildings(demo_builder *b) {
    const acp_json *table = demo_open_table(b, "buildings.json");
    const acp_json *list = table ? acp_json_get_array(&b->in, table, "buildings") : NULL;
    if (!demo_check_input(b, "buildings")) return;
    for (const acp_json *at = list->first; at && demo_is_ok(b); at = at->next)
        build_one(b, at);
}
