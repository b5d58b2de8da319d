/* SPDX-License-Identifier: MIT */
/* The test that put a cell into a set, or that kept it out.
 *
 * Nothing is computed again: the answer is picked from the records of the flood. For a member it is the test before its entry; for an
 * absent land cell the side of the rectangle (or the comparison of the sphere rule) that it lies beyond, in metres, or, when the flood
 * never came outdoors, the exterior portals that did not admit it; for an absent room every portal and containment test that was asked
 * about it, and when none was, whose portals lead there. Contract: the text is cut at its capacity; at most 32 tests are named. Spec 04
 * §4-§10, MEM-6 for pruning. */
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"
#include "support/json_values.h"
#include "tools/acphys/tool_cells.h"

#define LEADS_OUTSIDE 0xFFFFFFFFu

static void name_test(acp_cells_reason *reason, uint32_t record) {
    if (reason->test_count < ACP_CELLS_REASON_TESTS) reason->tests[reason->test_count++] = record;
}

static void say(acp_cells_reason *reason, const char *code, const char *text) {
    reason->code = code;
    (void)snprintf(reason->text, sizeof reason->text, "%s", text);
}

static const acp_trace_arm *find_arm(const acp_cells *cells) {
    for (uint32_t i = 0; i < cells->record_count; i++)
        if (cells->records[i].type == ACP_TRACE_MEMBERSHIP_ARM) return &cells->records[i].of.arm;
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------------------- members */

/* The record that decided an entry: the last test before it. */
static void explain_member(const acp_cells *cells, acp_cells_reason *reason) {
    uint32_t test = UINT32_MAX;
    for (uint32_t i = 0; i < cells->record_count; i++) {
        const acp_cells_record *r = &cells->records[i];
        if (r->type == ACP_TRACE_MEMBERSHIP_ADDED && r->of.added.cell_id == reason->cell_id) {
            if (test != UINT32_MAX) name_test(reason, test);
            name_test(reason, i);
            break;
        }
        if (r->type == ACP_TRACE_MEMBERSHIP_RECTANGLE || r->type == ACP_TRACE_MEMBERSHIP_SPHERE || r->type == ACP_TRACE_MEMBERSHIP_PORTAL ||
            (r->type == ACP_TRACE_MEMBERSHIP_CELL_TEST && r->of.cell_test.is_touched))
            test = i;
    }
    if (test == UINT32_MAX) {
        say(reason, "start", "the flood starts there");
        return;
    }
    switch (cells->records[test].type) {
    case ACP_TRACE_MEMBERSHIP_RECTANGLE:
        say(reason, "rectangle", "it lies in the rectangle of the parts");
        break;
    case ACP_TRACE_MEMBERSHIP_SPHERE:
        say(reason, "sphere", "it is a sphere's own cell, or the neighbour beyond a line that the sphere crosses");
        break;
    case ACP_TRACE_MEMBERSHIP_CELL_TEST:
        say(reason, "touch", "the object touches its containment tree");
        break;
    default:
        say(reason, "portal", "a portal admits it");
        break;
    }
}

/* ---------------------------------------------------------------------------------------------------------- absent: land cells */

/* How far the boxes reach on one side, in the landblock of the base. */
static double reach_of(const acp_cells *cells, uint32_t base, bool is_y, bool is_max, uint32_t *out_record) {
    double best = 0.0;
    *out_record = UINT32_MAX;
    for (uint32_t i = 0; i < cells->record_count; i++) {
        const acp_trace_part_box *p = &cells->records[i].of.part_box;
        if (cells->records[i].type != ACP_TRACE_MEMBERSHIP_PART_BOX || p->cell_id != base) continue;
        acp_vec3 corner = is_max ? p->after.max : p->after.min;
        double v = is_y ? (double)corner.y : (double)corner.x;
        if (*out_record != UINT32_MAX && (is_max ? v <= best : v >= best)) continue;
        best = v;
        *out_record = i;
    }
    return best;
}

static void beyond_side(const acp_cells *cells, acp_cells_reason *reason, const acp_trace_rectangle *r, int32_t at, bool is_y,
                        bool is_max) {
    static const char *const sides[2][2] = {{"west", "east"}, {"south", "north"}};
    char reach_text[ACP_NUMBER_TEXT_CAPACITY], need_text[ACP_NUMBER_TEXT_CAPACITY];
    uint32_t record = 0;
    double reach = reach_of(cells, r->base_cell_id, is_y, is_max, &record);
    int32_t block_at = (int32_t)(((r->base_cell_id >> (is_y ? 16 : 24)) & 0xFFu) * 8u);
    double need = ((double)(at - block_at) + (is_max ? 0.0 : 1.0)) * 24.0;
    (void)acp_number_format_f32((float)reach, reach_text);
    (void)acp_number_format_f64(need, need_text);
    if (record != UINT32_MAX) name_test(reason, record);
    int used = (int)strlen(reason->text);
    const char *axis = is_y ? "y" : "x";
    (void)snprintf(reason->text + used, sizeof reason->text - (size_t)used,
                   "%sit lies %s of the rectangle: %s %d is %s %d; the parts reach %s = %s in landblock 0x%04X, and would have to "
                   "come to %s%s",
                   used ? "; " : "", sides[is_y][is_max], axis, (int)at, is_max ? "above" : "below",
                   (int)(is_max ? (is_y ? r->max_y : r->max_x) : (is_y ? r->min_y : r->min_x)), axis, reach_text,
                   (unsigned)(r->base_cell_id >> 16), is_max ? "" : "below ", need_text);
}

static void explain_rectangle(const acp_cells *cells, acp_cells_reason *reason, uint32_t record, int32_t x, int32_t y) {
    const acp_trace_rectangle *r = &cells->records[record].of.rectangle;
    name_test(reason, record);
    if (!r->is_base_resident) {
        say(reason, r->base_cell_id ? "base-not-resident" : "base-off-map",
            r->base_cell_id ? "the land cell under the first part is not resident, so the flood adds nothing outdoors"
                            : "the first part lies beyond the rim of the map, so the flood adds nothing outdoors");
        return;
    }
    reason->code = "outside-rectangle";
    if (x < r->min_x) beyond_side(cells, reason, r, x, false, false);
    if (x > r->max_x) beyond_side(cells, reason, r, x, false, true);
    if (y < r->min_y) beyond_side(cells, reason, r, y, true, false);
    if (y > r->max_y) beyond_side(cells, reason, r, y, true, true);
}

/* The comparison of MEM-14 that fails for a neighbour. */
static void explain_sphere(const acp_cells *cells, acp_cells_reason *reason, uint32_t record, int32_t x, int32_t y) {
    const acp_trace_sphere_cell *s = &cells->records[record].of.sphere;
    int32_t sx = 0, sy = 0;
    name_test(reason, record);
    if (!acp_lcoord_from_cell_id(s->cell_id, &sx, &sy)) {
        say(reason, "off-map", "the sphere lies beyond the rim of the map");
        return;
    }
    int32_t dx = x - sx, dy = y - sy;
    size_t used = strlen(reason->text);
    char at[ACP_NUMBER_TEXT_CAPACITY], limit[ACP_NUMBER_TEXT_CAPACITY];
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1) {
        if (!reason->code) reason->code = "beyond-neighbours";
        (void)snprintf(reason->text + used, sizeof reason->text - used,
                       "%sit is %d cells east and %d north of sphere %u's own cell; spheres reach the eight neighbours at most, whatever "
                       "their radius",
                       used ? "; " : "", (int)dx, (int)dy, (unsigned)s->sphere);
        return;
    }
    reason->code = "sphere-line";
    const struct {
        int32_t d;
        float v;
        const char *axis;
    } axes[2] = {{dx, s->x, "x"}, {dy, s->y, "y"}};
    for (uint32_t i = 0; i < 2u; i++) {
        bool is_high = axes[i].d > 0;
        if (!axes[i].d || (is_high ? axes[i].v > s->high : axes[i].v < s->low)) continue;
        used = strlen(reason->text);
        (void)acp_number_format_f32(axes[i].v, at);
        (void)acp_number_format_f32(is_high ? s->high : s->low, limit);
        (void)snprintf(reason->text + used, sizeof reason->text - used, "%ssphere %u stays on its side of the line: %s %s is not %s %s",
                       used ? "; " : "", (unsigned)s->sphere, axes[i].axis, at, is_high ? "above" : "below", limit);
    }
}

static void explain_land(const acp_cells *cells, acp_cells_reason *reason, int32_t x, int32_t y) {
    bool has_outdoors = false, has_exit = false;
    for (uint32_t i = 0; i < cells->record_count; i++) {
        uint32_t type = cells->records[i].type;
        has_outdoors |= type == ACP_TRACE_MEMBERSHIP_RECTANGLE || type == ACP_TRACE_MEMBERSHIP_SPHERE;
        if (type == ACP_TRACE_MEMBERSHIP_RECTANGLE) explain_rectangle(cells, reason, i, x, y);
        if (type == ACP_TRACE_MEMBERSHIP_SPHERE) explain_sphere(cells, reason, i, x, y);
    }
    if (has_outdoors && reason->code) return;
    const acp_trace_arm *arm = find_arm(cells);
    if (arm && !arm->is_start_resident) {
        say(reason, "start-not-resident", "the cell in which the flood starts is not resident: nothing is found from there");
        return;
    }
    for (uint32_t i = 0; i < cells->record_count; i++) {
        const acp_cells_record *r = &cells->records[i];
        if (r->type != ACP_TRACE_MEMBERSHIP_PORTAL || r->of.portal.other_cell_id != LEADS_OUTSIDE) continue;
        name_test(reason, i);
        has_exit = true;
    }
    if (has_exit)
        say(reason, "never-outdoors", "no portal that leads outside admitted the object");
    else
        say(reason, "never-outdoors", "the flood stays indoors: no room that it visits has a portal that leads outside");
}

/* --------------------------------------------------------------------------------------------------------------- absent: rooms */

/* Ids of the rooms and landblocks whose portals lead to the cell, as far as they are resident in its block. */
static void name_neighbours(const acp_cells *cells, acp_cells_reason *reason) {
    const acp_block *block = acp_world_block(cells->scene->world, reason->cell_id);
    size_t used = strlen(reason->text);
    uint32_t named = 0;
    for (uint32_t i = 0; block && i < block->env_cell_count; i++) {
        const acp_env_cell *cell = &block->env_cells[i];
        bool leads = false;
        for (uint32_t k = 0; k < cell->portal_count; k++)
            leads |= cell->portals[k].other_cell_id == reason->cell_id;
        if (!leads || named == 8u) continue;
        used += (size_t)snprintf(reason->text + used, sizeof reason->text - used, "%s0x%08X", named ? ", " : "; portals lead there from ",
                                 (unsigned)cell->cell_id);
        named++;
    }
    for (uint32_t k = 0; block && k < block->building_count; k++) {
        const acp_building *building = &block->buildings[k];
        for (uint32_t i = 0; i < building->portal_count && named < 8u; i++) {
            if (building->portals[i].other_cell_id != reason->cell_id) continue;
            used += (size_t)snprintf(reason->text + used, sizeof reason->text - used, "%sthe building on 0x%08X",
                                     named ? ", " : "; portals lead there from ", (unsigned)building->cell_id);
            named++;
        }
    }
    if (block && !named) (void)snprintf(reason->text + used, sizeof reason->text - used, "; no resident portal leads there");
}

/* Whether a record is a test about the room, and what its failure is called. */
static const char *room_test(const acp_cells_record *r, uint32_t cell_id) {
    if (r->type == ACP_TRACE_MEMBERSHIP_CELL_TEST && r->of.cell_test.cell_id == cell_id)
        return r->of.cell_test.is_touched ? NULL : "no-touch";
    if (r->type != ACP_TRACE_MEMBERSHIP_PORTAL) return NULL;
    const acp_trace_portal *p = &r->of.portal;
    bool is_entering = p->kind == ACP_PORTAL_TEST_ENTER_SPHERE || p->kind == ACP_PORTAL_TEST_ENTER_PART;
    if ((is_entering ? p->cell_id : p->other_cell_id) != cell_id) return NULL;
    return p->verdict == ACP_PORTAL_DISABLED ? "disabled" : "portal";
}

static void explain_room(const acp_cells *cells, acp_cells_reason *reason) {
    for (uint32_t i = 0; i < cells->record_count; i++) {
        const char *code = room_test(&cells->records[i], reason->cell_id);
        if (!code) continue;
        name_test(reason, i);
        reason->code = code;
    }
    const acp_trace_arm *arm = find_arm(cells);
    if (reason->code && strcmp(reason->code, "no-touch") == 0)
        say(reason, "no-touch", "the object does not touch its containment tree");
    else if (reason->code && strcmp(reason->code, "disabled") == 0)
        say(reason, "disabled", "the portal into it is disabled");
    else if (reason->code)
        say(reason, "portal", "no portal that leads there admits the object");
    else if (arm && !arm->is_start_resident)
        say(reason, "start-not-resident", "the cell in which the flood starts is not resident: nothing is found from there");
    else {
        uint32_t status = acp_world_cell_status(cells->scene->world, reason->cell_id);
        say(reason, status == ACP_CELL_RESIDENT ? "not-asked" : "not-resident",
            status == ACP_CELL_RESIDENT ? "no cell of the set has a portal to it"
                                        : "it is not resident, and no portal of the set names it");
        name_neighbours(cells, reason);
    }
}

void acp_cells_why(const acp_cells *cells, uint32_t cell_id, acp_cells_reason *reason) {
    memset(reason, 0, sizeof *reason);
    reason->cell_id = cell_id;
    uint32_t index = acp_cell_array_find(&cells->array, cell_id);
    if (index != UINT32_MAX) {
        reason->is_member = true;
        reason->is_resident = cells->array.items[index].is_resident != 0;
        explain_member(cells, reason);
        return;
    }
    for (uint32_t i = 0; i < cells->record_count; i++) {
        if (cells->records[i].type != ACP_TRACE_MEMBERSHIP_PRUNED || cells->records[i].of.added.cell_id != cell_id) continue;
        name_test(reason, i);
        say(reason, "pruned",
            "it was found, then pruned: a static flood that starts indoors keeps what the starting room lists as visible");
        return;
    }
    int32_t x = 0, y = 0;
    if (acp_cell_id_kind(cell_id) != ACP_CELL_KIND_LAND && acp_cell_id_kind(cell_id) != ACP_CELL_KIND_ENV)
        say(reason, "invalid-id", "the id names no cell");
    else if (acp_lcoord_from_cell_id(cell_id, &x, &y))
        explain_land(cells, reason, x, y);
    else
        explain_room(cells, reason);
}

void acp_cells_print_reason(const acp_cells *cells, const acp_cells_reason *reason) {
    char text[1024];
    acp_cells_name_cell(reason->cell_id, text, sizeof text);
    (void)printf("%s is %sin the set%s: %s\n", text, reason->is_member ? "" : "not ",
                 reason->is_member && !reason->is_resident ? " by its id alone" : "", reason->text);
    for (uint32_t i = 0; i < reason->test_count; i++) {
        acp_cells_describe(&cells->records[reason->tests[i]], text, sizeof text);
        (void)printf("  %s\n", text);
    }
}

void acp_cells_write_reason(acp_json_writer *w, const char *key, const acp_cells *cells, const acp_cells_reason *reason) {
    acp_json_begin_object(w, key);
    acp_json_write_id(w, "cell", reason->cell_id);
    acp_json_write_flag(w, "member", reason->is_member);
    acp_json_write_string(w, "reason", reason->code);
    acp_json_write_string(w, "text", reason->text);
    acp_json_begin_array(w, "tests");
    for (uint32_t i = 0; i < reason->test_count; i++)
        acp_cells_write_record(w, &cells->records[reason->tests[i]]);
    acp_json_end_array(w);
    acp_json_end_object(w);
}
