/* SPDX-License-Identifier: MIT */
/* The tour: town, cottage, cellar, tower, door, arch, dungeon, far town with its neighbour absent. Each stop tells what happened, holds it
 * against what the specification demands, and says why. The walker is the human of the world, one transition a step. */
#include "tools/acphys/tool_tour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "acphys/membership.h"
#include "tools/acphys/tool_move.h"

static bool must(acp_tour *t, acp_result result) {
    if (result != ACP_OK) t->has_failed = true;
    return result == ACP_OK;
}

static const acp_demo_place *place(acp_tour *t, const char *name) {
    const acp_demo_place *p = acp_demo_find_place(t->demo, name);
    if (!p && !t->has_failed) {
        t->has_failed = true;
        t->error.code = ACP_ERROR_NOT_FOUND;
        (void)snprintf(t->error.message, sizeof t->error.message, "the tables have no place '%s'", name);
    }
    return p;
}

/* Cells of an object; 0 when there are none or it is gone. */
static uint32_t cells_of(acp_tour *t, acp_object object, acp_cell_row *rows, uint32_t capacity, uint32_t *out_absent) {
    uint32_t count = 0;
    if (!must(t, acp_membership_object_cells(acp_demo_world_get(t->world), object, rows, capacity, &count))) return 0;
    *out_absent = 0;
    for (uint32_t i = 0; i < count && i < capacity; i++)
        *out_absent += !rows[i].is_resident;
    return count;
}

/* The only object of a cell. */
static bool only_object(acp_tour *t, uint32_t cell_id, acp_object *out_object) {
    acp_object objects[4];
    uint32_t count = 0;
    if (acp_membership_cell_objects(acp_demo_world_get(t->world), cell_id, objects, 4, &count) != ACP_OK || count != 1) return false;
    *out_object = objects[0];
    return true;
}

/* ---- walking ---- */

typedef struct trail {
    acp_tour *tour;
    uint32_t cells[24];
    uint32_t cell_count;
    uint32_t steps, blocked, airborne;
    acp_hit hit; /* the first */
    double highest;
} trail;

static void note_cell(trail *w, uint32_t cell_id) {
    if (w->cell_count && w->cells[w->cell_count - 1u] == cell_id) return;
    if (w->cell_count < 24u) w->cells[w->cell_count++] = cell_id;
}

static void note_step(void *user, const acp_demo_walker *walker) {
    trail *w = user;
    acp_tour *t = w->tour;
    w->steps++;
    acp_tour_record_step(t, walker);
    w->airborne += !walker->last.contact.is_valid;
    w->blocked += walker->last.verdict != ACP_MOVE_REACHED;
    if (w->hit.kind == ACP_HIT_NONE) w->hit = walker->last.hit;
    w->highest = fmax(w->highest, (double)walker->position.frame.origin.z);
    note_cell(w, walker->position.cell_id);
    if (t->way && t->way_count < TOUR_WAY_MAX) t->way[t->way_count++] = walker->position;
}

static trail begin_at(acp_tour *t, const char *name) {
    trail w = {.tour = t, .highest = -INFINITY};
    const acp_demo_place *p = place(t, name);
    if (!p || t->has_failed || !must(t, acp_demo_walker_stand(&t->walker, &p->position, &t->error))) return w;
    note_cell(&w, t->walker.position.cell_id);
    if (t->way && t->way_count + 1u < TOUR_WAY_MAX) {
        t->way[t->way_count++] = (acp_position){0}; /* a break */
        t->way[t->way_count++] = t->walker.position;
    }
    return w;
}

static bool walk(trail *w, uint32_t block_id, double x, double y, uint32_t step_limit) {
    bool has_arrived = false;
    acp_tour *t = w->tour;
    if (t->has_failed) return false;
    (void)must(t, acp_demo_walker_go(&t->walker, block_id, x, y, step_limit, note_step, w, &has_arrived, &t->error));
    return has_arrived;
}

static bool go(trail *w, uint32_t block_id, double x, double y) { return walk(w, block_id, x, y, 1200); }

/* The same where something is expected to be in the way. */
static bool press(trail *w, uint32_t block_id, double x, double y) { return walk(w, block_id, x, y, 90); }

static void list_cells(const trail *w, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < w->cell_count && used + 16 < capacity; i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%08X", i ? " > " : "", (unsigned)w->cells[i]);
}

static bool are_cells(const trail *w, const uint32_t *expected, uint32_t count) {
    if (w->cell_count != count) return false;
    for (uint32_t i = 0; i < count; i++)
        if (w->cells[i] != expected[i]) return false;
    return true;
}

static void tell_place(acp_tour *t, const char *key) {
    const acp_position *p = &t->walker.position;
    acp_tour_fact(t, key, "%08X  %.3f %.3f %.3f", (unsigned)p->cell_id, (double)p->frame.origin.x, (double)p->frame.origin.y,
                  (double)p->frame.origin.z);
}

/* ---- stops ---- */

static void visit_town(acp_tour *t) {
    acp_tour_section(t, "town", "The town: a walk along the road and over an edge of landblocks");
    trail w = begin_at(t, "road");
    bool has_arrived = go(&w, 0x53520000u, 20, 97);
    char cells[400];
    list_cells(&w, cells, sizeof cells);
    acp_tour_fact(t, "cells", "%s", cells);
    acp_tour_number(t, "steps", w.steps, "");
    acp_tour_expect(t, has_arrived && w.airborne == 0, "walks 112 m without losing the ground");
    acp_tour_expect(t, t->walker.position.cell_id >> 16 == 0x5352u, "is in landblock 5352 afterwards, with coordinates of that landblock");
    acp_tour_why(
        t, "cell and place were adopted together at each step: where x passes 192 the id becomes that of the next landblock and x begins "
           "again at 0. Nothing else moved, and nothing was subtracted from anything.");
    acp_tour_end_section(t);
}

static void visit_cottage(acp_tour *t) {
    const uint32_t in[4] = {0x52520013u, 0x52520100u, 0x52520101u, 0x52520102u},
                   out[4] = {0x52520102u, 0x52520101u, 0x52520100u, 0x52520013u};
    char cells[400];
    acp_tour_section(t, "cottage", "The cottage: lawn, hall, chamber, cellar, and back");
    trail w = begin_at(t, "cottage-lawn");
    bool has_arrived = go(&w, 0x52520000u, 59.5, 60) && go(&w, 0x52520000u, 59.5, 57.75) && go(&w, 0x52520000u, 55.5, 57.75) &&
                       go(&w, 0x52520000u, 55.5, 61);
    list_cells(&w, cells, sizeof cells);
    acp_tour_fact(t, "cells in", "%s", cells);
    tell_place(t, "in the cellar");
    acp_tour_expect(t, has_arrived && are_cells(&w, in, 4), "lawn, hall, chamber, cellar, in this order");
    acp_tour_expect(t, fabs((double)t->walker.position.frame.origin.z - 7.005) < 1e-3, "stands 3 m below the lawn, under it and not on it");
    trail back = {.tour = t};
    note_cell(&back, t->walker.position.cell_id);
    has_arrived = go(&back, 0x52520000u, 55.5, 57.75) && go(&back, 0x52520000u, 59.5, 57.75) && go(&back, 0x52520000u, 59.5, 60) &&
                  go(&back, 0x52520000u, 68, 60);
    list_cells(&back, cells, sizeof cells);
    acp_tour_fact(t, "cells out", "%s", cells);
    acp_tour_expect(t, has_arrived && are_cells(&back, out, 4), "the same the other way");
    acp_tour_expect(t, w.airborne + back.airborne == 0, "has ground under it at every step, on the stairs too");
    acp_tour_why(
        t, "the cell is the one that contains the centre of the lower sphere (spec 04 MEM-6). Terrain is tested only where land cells are "
           "in the "
           "mover's array: the cellar has no portal to the outside, so the lawn overhead is not there for who stands in it (11 AUT-27).");
    acp_tour_end_section(t);
}

static void visit_tower(acp_tour *t) {
    acp_tour_section(t, "tower", "The tower: a prop that stands downstairs and blocks upstairs");
    trail w = begin_at(t, "tower-ground");
    bool has_arrived = go(&w, 0x53520000u, 38.5, 39.3);
    acp_tour_expect(t, has_arrived && t->walker.position.cell_id == 0x53520101u, "climbs twelve steps of 0.25 m to the upper floor");
    trail up = begin_at(t, "tower-globe");
    acp_tour_expect(t, !press(&up, 0x53520000u, 39, 34), "is stopped upstairs");
    tell_place(t, "stopped at");
    acp_tour_fact(t, "by", "%s", acp_move_hit_name(up.hit.kind));
    acp_object globe;
    acp_cell_row rows[8];
    uint32_t absent;
    bool is_listed = only_object(t, 0x53520101u, &globe);
    acp_tour_expect(t, is_listed, "the upper floor's list holds the prop");
    if (is_listed) acp_tour_number(t, "cells of the prop", cells_of(t, globe, rows, 8, &absent), "");
    acp_tour_why(
        t,
        "the prop's origin is on the ground floor and its sphere 4.2 m above it. It is registered by its box (spec 04 MEM-31, static "
        "column), the "
        "box crosses the plane of the stair hole, so it is in the upper floor's list and is asked about there. A client that files things "
        "under the cell of their origin lets everybody through.");
    acp_tour_end_section(t);
}

static void visit_door(acp_tour *t) {
    acp_object door;
    acp_object_info info;
    acp_cell_row rows[4];
    uint32_t absent;
    const acp_demo_place *inside = place(t, "hall-inside"), *at = place(t, "hall-door");
    acp_tour_section(t, "door", "The town hall: a door that closes and opens");
    if (t->has_failed || !must(t, acp_demo_world_put(t->world, at, 0x70000001u, 0, &door, &t->error))) return;
    uint32_t count = cells_of(t, door, rows, 4, &absent);
    if (count >= 2) acp_tour_fact(t, "cells of the door", "%08X %08X", (unsigned)rows[0].cell_id, (unsigned)rows[1].cell_id);
    acp_tour_expect(t, count == 2, "the door is in two cells: outside and the hall");
    double x = (double)inside->position.frame.origin.x, y = (double)inside->position.frame.origin.y;
    struct acp_tour_recorder *recorder = t->recorder;
    t->recorder = NULL; /* the door is not in the scene */
    trail closed = begin_at(t, "hall-porch");
    acp_tour_expect(t, !press(&closed, 0x53520000u, x, y) && closed.hit.object_id == 0x70000001u, "closed: the door stops the walker");
    tell_place(t, "stopped at");
    if (!must(t, acp_object_get_info(acp_demo_world_get(t->world), door, &info))) return;
    if (!must(t, acp_object_set_state(acp_demo_world_get(t->world), door, info.state | ACP_STATE_ETHEREAL))) return;
    trail open = begin_at(t, "hall-porch");
    acp_tour_expect(t, go(&open, 0x53520000u, x, y), "open (ethereal): the walker goes in");
    tell_place(t, "inside");
    t->recorder = recorder;
    (void)must(t, acp_object_destroy(acp_demo_world_get(t->world), door, &t->error));
    acp_tour_why(t, "a box of some thickness across the portal's plane belongs to both cells (11 AUT-35), so the door is met from either "
                    "side, also point blank. "
                    "Its state word says ETHEREAL when it is open; the row stays.");
    acp_tour_end_section(t);
}

static void visit_arch(acp_tour *t) {
    acp_tour_section(t, "arch", "The rock arch: 140 m of it, over an edge of landblocks");
    trail w = begin_at(t, "arch-west");
    double most = -INFINITY;
    for (uint32_t i = 0; i < 1200 && !t->has_failed; i++) {
        const acp_position *p = &t->walker.position;
        double x = (double)p->frame.origin.x + (p->cell_id >> 24 == 0x53u ? 192.0 : 0.0);
        if (x > 258) break;
        if (must(t, acp_demo_walker_step(&t->walker, 0.12, x > 124 ? 0.3 : 0, 0, &t->error))) note_step(&w, &t->walker);
        most = fmax(most, (double)t->walker.position.frame.origin.y);
    }
    acp_tour_number(t, "steps", w.steps, "");
    acp_tour_number(t, "northmost y", most, "m");
    acp_tour_expect(t, most < 100 - 5 - 0.48 + 1e-3, "pressing north at every step, it never gets nearer than its radius");
    acp_tour_expect(t, t->walker.position.cell_id >> 16 == 0x5353u, "and is at the eastern foot in the end, 136 m from the arch's origin");
    acp_object arch = {0, 0};
    uint32_t in = 0, absent = 0;
    for (uint32_t column = 5; column < 11; column++)
        in += only_object(t, (column < 8 ? 0x52530000u : 0x53530000u) + 1u + 8u * (column % 8u) + 4u, &arch);
    acp_tour_number(t, "cells along it", in, "of 6 list the arch");
    acp_tour_expect(t, in == 6, "every land cell under it lists it, in both landblocks");
    acp_cell_row rows[64];
    if (in) acp_tour_number(t, "cells in all", cells_of(t, arch, rows, 64, &absent), "");
    acp_candidate candidates[16];
    uint32_t candidate_count = 0, tested = 0;
    if (!must(t, acp_membership_candidates(acp_demo_world_get(t->world), &t->walker.position, 2.0f, NULL, candidates, 16, &candidate_count,
                                           &t->error)))
        return;
    for (uint32_t i = 0; i < candidate_count && i < 16u; i++)
        tested += candidates[i].object.index1 == arch.index1 && candidates[i].verdict.verdict == ACP_REACH_TESTED;
    acp_tour_expect(t, tested == 1, "there it still is a candidate that is tested");
    acp_tour_why(
        t, "a static with a physics BSP is registered by the boxes of its parts: here a rectangle of land cells that goes on in the next "
           "landblock (spec 04 MEM-16). Nine cells around the origin would lose most of it, and a ball about the part's origin would have "
           "to be 140 m wide to be of use: candidates are rejected only by a bound about the shape's own middle.");
    acp_tour_end_section(t);
}

static void visit_dungeon(acp_tour *t) {
    acp_tour_section(t, "dungeon", "The Undercroft: ramp, pit, spiral stairs, one way, two rooms in one place");
    trail w = begin_at(t, "undercroft-entry");
    acp_tour_expect(t, go(&w, 0x70200000u, 113, 96), "down the ramp to the gallery, 24 m below zero");
    trail pit = begin_at(t, "undercroft-gallery");
    acp_tour_expect(t, !press(&pit, 0x70200000u, 116, 96), "stops at the edge of the pit, 5 m deep");
    trail up = begin_at(t, "undercroft-shaft");
    bool is_up = true;
    for (int i = -1; i <= 20; i++) {
        double angle = (240.0 - 12.0 * i) * 3.14159265358979323846 / 180.0;
        is_up = go(&up, 0x70200000u, 117 + 2.4 * cos(angle), 106 + 2.4 * sin(angle)) && is_up;
    }
    is_up = go(&up, 0x70200000u, 125, 106) && is_up;
    acp_tour_expect(t, is_up && up.airborne == 0 && t->walker.position.cell_id == 0x70200105u,
                    "up twenty steps of a spiral into the loft, never without ground");
    trail one = begin_at(t, "undercroft-one-way");
    acp_tour_expect(t, go(&one, 0x70200000u, 86, 96) && t->walker.position.cell_id == 0x70200106u,
                    "through the opening that leads one way");
    trail back = {.tour = t};
    (void)press(&back, 0x70200000u, 92, 96);
    acp_tour_fact(t, "back through it", "cell %08X", (unsigned)t->walker.last.cell_id);
    acp_tour_expect(t, t->walker.last.cell_id == 0, "the way back leads into no cell");
    trail over = begin_at(t, "undercroft-west");
    (void)go(&over, 0x70200000u, 86.9, 106);
    uint32_t inside = t->walker.position.cell_id;
    (void)go(&over, 0x70200000u, 88, 106);
    acp_tour_expect(t, inside == 0x70200107u && t->walker.position.cell_id == 0x70200108u,
                    "where two rooms overlap, the walker stays in the one it came from");
    acp_tour_why(t, "a room without portal to its neighbour does not find it: it is the room's own portals that a mover's cells are "
                    "gathered by (11 AUT-22). In the overlap "
                    "the current cell is kept while it contains the centre (04 MEM-6), so where a body is depends on where it came from.");
    acp_tour_end_section(t);
}

static void visit_far_town(acp_tour *t) {
    acp_object wall;
    acp_cell_row rows[32];
    uint32_t count = 0, absent = 0, still = 0;
    acp_tour_section(t, "far-town", "Farhaven: a teleport with the neighbour absent");
    if (t->has_failed || !must(t, acp_demo_world_retire(t->world, 0xA1A00000u, &t->error))) return;
    trail w = begin_at(t, "far-town");
    tell_place(t, "arrives at");
    acp_tour_expect(t, t->walker.last.verdict == ACP_MOVE_REACHED && t->walker.position.cell_id == place(t, "far-town")->position.cell_id,
                    "cell and place are those of the far town at once");
    trail edge = begin_at(t, "far-edge");
    bool has_arrived = press(&edge, 0xA0A00000u, 196, 100);
    acp_tour_fact(t, "walks at the edge to", "%08X %.2f (cell %08X)", (unsigned)t->walker.position.cell_id,
                  (double)t->walker.position.frame.origin.x, (unsigned)t->walker.last.cell_id);
    acp_tour_expect(t, !has_arrived || t->walker.last.cell_id == 0, "nobody walks on ground that is not there");
    bool is_listed = only_object(t, 0xA0A0003Eu, &wall);
    acp_tour_expect(t, is_listed, "the wall across the edge is in the last cell of the town");
    if (is_listed) {
        count = cells_of(t, wall, rows, 32, &absent);
        acp_tour_fact(t, "cells of the wall", "%u, of these %u known by id only", (unsigned)count, (unsigned)absent);
        (void)must(t, acp_demo_world_publish(t->world, 0xA1A00000u, &t->error));
        count = cells_of(t, wall, rows, 32, &still);
        acp_tour_fact(t, "after it came", "%u, of these %u known by id only", (unsigned)count, (unsigned)still);
        acp_tour_expect(t, absent > 0 && still == 0, "when the neighbour comes, the wall is in its cells at once");
    }
    acp_tour_why(t, "what is not resident is no cell and no ground, but its ids are known: the flood of the wall noted the cells it could "
                    "not enter and is repeated when "
                    "their landblock is published (spec 04 MEM-42). The order in which landblocks come does not matter.");
    (void)w;
    acp_tour_end_section(t);
}

void acp_tour_run(acp_tour *t) {
    void (*const stops[])(acp_tour *) = {visit_town, visit_cottage, visit_tower, visit_door, visit_arch, visit_dungeon, visit_far_town};
    if (!must(t, acp_demo_walker_begin(&t->walker, t->world, &t->error)) || !acp_tour_begin_capture(t)) return;
    for (uint32_t i = 0; i < sizeof stops / sizeof stops[0] && !t->has_failed; i++)
        stops[i](t);
    uint32_t steps = 0, different = 0;
    acp_tour_end_capture(t, &steps, &different);
    acp_tour_section(t, "capture", "The walk again, through the scene extracted from the files");
    acp_tour_number(t, "steps recorded", steps, "");
    acp_tour_number(t, "answers that differ", different, "");
    acp_tour_expect(t, steps > 1000 && different == 0, "every step, asked again as `eval` asks it, ends at the same place to the bit");
    acp_tour_why(t, "capture.jsonl holds the landblocks as a scene and each step as a request with its answer: `acphys replay "
                    "capture.jsonl` computes all of "
                    "them anew.");
    acp_tour_end_section(t);
    acp_demo_walker_end(&t->walker);
}
