/* SPDX-License-Identifier: MIT */
/* Membership trace records in words and as JSON.
 *
 * One line or one object per record, in the order in which the flood met things; numbers are those that were compared, in their shortest
 * exact form, never rounded for the eye. Kinds and verdicts have one word each, the same in text and JSON. Contract: text is cut at the
 * capacity. Spec 04; records: membership.h. */
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"
#include "support/json_values.h"
#include "tools/acphys/tool_cells.h"

static const char *name_of(const char *const *names, uint32_t count, uint32_t i) { return i < count ? names[i] : "unknown"; }

static const char *const arm_names[] = {"none", "boxes", "cylspheres", "sorting-sphere"};
static const char *const kind_names[] = {"leave-sphere", "leave-part", "enter-sphere", "enter-part"};
static const char *const verdict_names[] = {"admitted",      "sphere-side", "box-side",  "cell-tree",
                                            "not-straddled", "hint",        "no-sphere", "disabled"};
static const char *const verdict_texts[] = {"admitted",
                                            "kept out: the sphere lies wholly on the skipping side",
                                            "kept out: the box lies wholly on the skipping side",
                                            "kept out: no touch of the neighbour's containment tree",
                                            "kept out: the plane is not straddled",
                                            "neighbour not resident: recorded by its id",
                                            "skipped: no sphere",
                                            "skipped: the portal is disabled"};
static const char *const side_names[] = {"positive", "negative", "in-plane", "crossing", "not-reached"};
static const char *const status_names[] = {"resident", "not-resident", "not-in-source", "invalid"};

#define NAME(table, i) name_of((table), (uint32_t)(sizeof(table) / sizeof(table)[0]), (i))

const char *acp_cells_arm_name(uint32_t arm) { return NAME(arm_names, arm); }

void acp_cells_arm_reason(const acp_trace_arm *arm, char *out, size_t capacity) {
    if (arm->state & (uint32_t)ACP_STATE_HAS_PHYSICS_BSP)
        (void)snprintf(out, capacity, "the state word 0x%08X has the BSP bit", (unsigned)arm->state);
    else if (arm->cylsphere_count)
        (void)snprintf(out, capacity, "no BSP bit, and %u cylsphere%s", (unsigned)arm->cylsphere_count,
                       arm->cylsphere_count == 1u ? "" : "s");
    else if (arm->is_static)
        (void)snprintf(out, capacity, "static, without BSP bit and cylspheres");
    else
        (void)snprintf(out, capacity, "dynamic, without BSP bit and cylspheres");
}

void acp_cells_name_cell(uint32_t cell_id, char *out, size_t capacity) {
    int32_t x = 0, y = 0;
    if (acp_lcoord_from_cell_id(cell_id, &x, &y))
        (void)snprintf(out, capacity, "0x%08X (%d, %d)", (unsigned)cell_id, (int)x, (int)y);
    else
        (void)snprintf(out, capacity, "0x%08X", (unsigned)cell_id);
}

/* ----------------------------------------------------------------------------------------------------------------------- text */

typedef struct number {
    char text[ACP_NUMBER_TEXT_CAPACITY];
} number;

static number f(float v) {
    number n;
    (void)acp_number_format_f32(v, n.text);
    return n;
}

static number d(double v) {
    number n;
    (void)acp_number_format_f64(v, n.text);
    return n;
}

typedef struct box_text {
    char text[8u * ACP_NUMBER_TEXT_CAPACITY];
} box_text;

static box_text b(const acp_box *box) {
    box_text t;
    (void)snprintf(t.text, sizeof t.text, "(%s, %s, %s)-(%s, %s, %s)", f(box->min.x).text, f(box->min.y).text, f(box->min.z).text,
                   f(box->max.x).text, f(box->max.y).text, f(box->max.z).text);
    return t;
}

static void describe_rectangle(const acp_trace_rectangle *r, char *out, size_t capacity) {
    if (!r->base_cell_id)
        (void)snprintf(out, capacity, "rectangle  part %u lies beyond the rim of the map: nothing outdoors", (unsigned)r->base_part);
    else if (!r->is_base_resident)
        (void)snprintf(out, capacity, "rectangle  base 0x%08X (part %u) is not resident: nothing outdoors", (unsigned)r->base_cell_id,
                       (unsigned)r->base_part);
    else
        (void)snprintf(out, capacity, "rectangle  x %d..%d, y %d..%d: %lld x %lld cells, base 0x%08X (part %u)", (int)r->min_x,
                       (int)r->max_x, (int)r->min_y, (int)r->max_y, (long long)r->max_x - r->min_x + 1, (long long)r->max_y - r->min_y + 1,
                       (unsigned)r->base_cell_id, (unsigned)r->base_part);
}

static void describe_portal(const acp_trace_portal *p, char *out, size_t capacity) {
    char way[48];
    bool is_part = p->kind == ACP_PORTAL_TEST_LEAVE_PART || p->kind == ACP_PORTAL_TEST_ENTER_PART;
    bool is_entering = p->kind == ACP_PORTAL_TEST_ENTER_SPHERE || p->kind == ACP_PORTAL_TEST_ENTER_PART;
    if (is_entering)
        (void)snprintf(way, sizeof way, "from outdoors to 0x%08X", (unsigned)p->cell_id);
    else if (p->other_cell_id == 0xFFFFFFFFu)
        (void)snprintf(way, sizeof way, "from 0x%08X outdoors", (unsigned)p->cell_id);
    else
        (void)snprintf(way, sizeof way, "from 0x%08X to 0x%08X", (unsigned)p->cell_id, (unsigned)p->other_cell_id);
    if (p->verdict == ACP_PORTAL_DISABLED) {
        (void)snprintf(out, capacity, "portal     %s, disabled (portal %d)", way, (int)p->portal);
        return;
    }
    int used = snprintf(out, capacity, "portal     %s (portal %d, side %u), %s %u: distance %s, threshold %s", way, (int)p->portal,
                        (unsigned)p->side, is_part ? "part" : "sphere", (unsigned)p->subject, d(p->distance).text, d(p->threshold).text);
    if (used > 0 && (size_t)used < capacity && is_part && p->box_side < 4u)
        used += snprintf(out + used, capacity - (size_t)used, ", box %s", NAME(side_names, p->box_side));
    if (used > 0 && (size_t)used < capacity) (void)snprintf(out + used, capacity - (size_t)used, ": %s", NAME(verdict_texts, p->verdict));
}

static void describe_cell_test(const acp_trace_cell_test *t, char *out, size_t capacity) {
    char subject[sizeof(box_text) + 64];
    if (t->is_box)
        (void)snprintf(subject, sizeof subject, "box of part %u %s", (unsigned)t->subject, b(&t->box).text);
    else
        (void)snprintf(subject, sizeof subject, "sphere %u (%s, %s, %s) r %s", (unsigned)t->subject, f(t->center.x).text,
                       f(t->center.y).text, f(t->center.z).text, f(t->radius).text);
    if (t->is_touched)
        (void)snprintf(out, capacity, "touch      0x%08X, %s: touches the containment tree", (unsigned)t->cell_id, subject);
    else if (t->plane == UINT32_MAX)
        (void)snprintf(out, capacity, "touch      0x%08X, %s: kept out: the room contains nothing", (unsigned)t->cell_id, subject);
    else
        (void)snprintf(out, capacity, "touch      0x%08X, %s: kept out by plane %u: distance %s, had to be above %s", (unsigned)t->cell_id,
                       subject, (unsigned)t->plane, d(t->distance).text, d(t->threshold).text);
}

static void describe_part_box(const acp_trace_part_box *p, char *out, size_t capacity) {
    bool is_room = (p->cell_id & 0xFFFFu) >= 0x100u;
    char where[48];
    (void)snprintf(where, sizeof where, is_room ? "room 0x%08X" : "landblock 0x%04X",
                   is_room ? (unsigned)p->cell_id : (unsigned)(p->cell_id >> 16));
    if (p->is_always_2d)
        (void)snprintf(out, capacity, "part       %u, billboard of radius %s: x %s..%s, y %s..%s", (unsigned)p->part,
                       f(p->sphere_radius).text, f(p->after.min.x).text, f(p->after.max.x).text, f(p->after.min.y).text,
                       f(p->after.max.y).text);
    else
        (void)snprintf(out, capacity, "part       %u, box %s is %s in %s", (unsigned)p->part, b(&p->before).text, b(&p->after).text, where);
}

void acp_cells_describe(const acp_cells_record *record, char *out, size_t capacity) {
    char text[128];
    out[0] = '\0';
    switch (record->type) {
    case ACP_TRACE_MEMBERSHIP_ARM:
        acp_cells_arm_reason(&record->of.arm, text, sizeof text);
        (void)snprintf(out, capacity, "arm        %s: %s; starts in 0x%08X%s", acp_cells_arm_name(record->of.arm.arm), text,
                       (unsigned)record->of.arm.start_cell_id, record->of.arm.is_start_resident ? "" : ", which is not resident");
        break;
    case ACP_TRACE_MEMBERSHIP_PART_BOX:
        describe_part_box(&record->of.part_box, out, capacity);
        break;
    case ACP_TRACE_MEMBERSHIP_RECTANGLE:
        describe_rectangle(&record->of.rectangle, out, capacity);
        break;
    case ACP_TRACE_MEMBERSHIP_SPHERE: {
        const acp_trace_sphere_cell *s = &record->of.sphere;
        if (!s->cell_id)
            (void)snprintf(out, capacity, "sphere     %u lies beyond the rim of the map: later spheres are not tried", (unsigned)s->sphere);
        else
            (void)snprintf(out, capacity, "sphere     %u in 0x%08X at (%s, %s) of it: neighbours below %s and above %s",
                           (unsigned)s->sphere, (unsigned)s->cell_id, f(s->x).text, f(s->y).text, f(s->low).text, f(s->high).text);
        break;
    }
    case ACP_TRACE_MEMBERSHIP_PORTAL:
        describe_portal(&record->of.portal, out, capacity);
        break;
    case ACP_TRACE_MEMBERSHIP_CELL_TEST:
        describe_cell_test(&record->of.cell_test, out, capacity);
        break;
    case ACP_TRACE_MEMBERSHIP_ADDED:
        (void)snprintf(out, capacity, "added      0x%08X as number %u%s", (unsigned)record->of.added.cell_id,
                       (unsigned)record->of.added.index, record->of.added.is_resident ? "" : ", by its id alone");
        break;
    case ACP_TRACE_MEMBERSHIP_PRUNED:
        (void)snprintf(out, capacity, "pruned     0x%08X: the starting room does not list it", (unsigned)record->of.added.cell_id);
        break;
    case ACP_TRACE_MEMBERSHIP_PICK:
        (void)snprintf(out, capacity, "pick       0x%08X %s the first sphere's centre", (unsigned)record->of.pick.cell_id,
                       record->of.pick.is_inside ? "contains" : "does not contain");
        break;
    case ACP_TRACE_MEMBERSHIP_LOOKUP:
        (void)snprintf(out, capacity, "lookup     0x%08X: %s", (unsigned)record->of.lookup.cell_id,
                       NAME(status_names, record->of.lookup.status));
        break;
    default:
        (void)snprintf(out, capacity, "record     of type 0x%08X", (unsigned)record->type);
        break;
    }
}

/* ----------------------------------------------------------------------------------------------------------------------- JSON */

static void write_portal(acp_json_writer *w, const acp_trace_portal *p) {
    bool is_part = p->kind == ACP_PORTAL_TEST_LEAVE_PART || p->kind == ACP_PORTAL_TEST_ENTER_PART;
    acp_json_write_string(w, "what", "portal");
    acp_json_write_string(w, "test", NAME(kind_names, p->kind));
    acp_json_write_id(w, "cell", p->cell_id);
    acp_json_write_int(w, "portal", p->portal);
    acp_json_write_id(w, "other", p->other_cell_id);
    acp_json_write_uint(w, "side", p->side);
    acp_json_write_uint(w, is_part ? "part" : "sphere", p->subject);
    acp_json_write_double(w, "distance", p->distance);
    acp_json_write_double(w, "threshold", p->threshold);
    if (is_part) acp_json_write_string(w, "box_side", NAME(side_names, p->box_side));
    acp_json_write_string(w, "verdict", NAME(verdict_names, p->verdict));
}

static void write_cell_test(acp_json_writer *w, const acp_trace_cell_test *t) {
    acp_json_write_string(w, "what", "touch");
    acp_json_write_id(w, "cell", t->cell_id);
    acp_json_write_uint(w, t->is_box ? "part" : "sphere", t->subject);
    if (t->is_box) {
        acp_json_write_box(w, "box", t->box);
    } else {
        acp_json_write_vec3(w, "c", t->center);
        acp_json_write_float(w, "r", t->radius);
    }
    if (t->plane != UINT32_MAX) {
        acp_json_write_uint(w, "plane", t->plane);
        acp_json_write_double(w, "distance", t->distance);
        acp_json_write_double(w, "threshold", t->threshold);
    }
    acp_json_write_flag(w, "touched", t->is_touched != 0);
}

static void write_part_box(acp_json_writer *w, const acp_trace_part_box *p) {
    acp_json_write_string(w, "what", "part");
    acp_json_write_uint(w, "part", p->part);
    acp_json_write_id(w, "cell", p->cell_id);
    if (p->is_always_2d)
        acp_json_write_float(w, "billboard_radius", p->sphere_radius);
    else
        acp_json_write_box(w, "before", p->before);
    acp_json_write_box(w, "after", p->after);
}

static void write_rectangle(acp_json_writer *w, const acp_trace_rectangle *r) {
    acp_json_write_string(w, "what", "rectangle");
    acp_json_write_id(w, "base", r->base_cell_id);
    acp_json_write_uint(w, "base_part", r->base_part);
    acp_json_write_flag(w, "base_resident", r->is_base_resident != 0);
    if (!r->is_base_resident) return;
    acp_json_begin_array(w, "min");
    acp_json_write_int(w, NULL, r->min_x);
    acp_json_write_int(w, NULL, r->min_y);
    acp_json_end_array(w);
    acp_json_begin_array(w, "max");
    acp_json_write_int(w, NULL, r->max_x);
    acp_json_write_int(w, NULL, r->max_y);
    acp_json_end_array(w);
}

static void write_arm(acp_json_writer *w, const acp_trace_arm *arm) {
    char reason[128];
    acp_cells_arm_reason(arm, reason, sizeof reason);
    acp_json_write_string(w, "what", "arm");
    acp_json_write_string(w, "arm", acp_cells_arm_name(arm->arm));
    acp_json_write_string(w, "reason", reason);
    acp_json_write_id(w, "start", arm->start_cell_id);
    acp_json_write_flag(w, "start_resident", arm->is_start_resident != 0);
}

static void write_sphere(acp_json_writer *w, const acp_trace_sphere_cell *s) {
    acp_json_write_string(w, "what", "sphere");
    acp_json_write_uint(w, "sphere", s->sphere);
    acp_json_write_id(w, "cell", s->cell_id);
    acp_json_write_float(w, "x", s->x);
    acp_json_write_float(w, "y", s->y);
    acp_json_write_float(w, "below", s->low);
    acp_json_write_float(w, "above", s->high);
}

void acp_cells_write_record(acp_json_writer *w, const acp_cells_record *record) {
    acp_json_begin_object(w, NULL);
    switch (record->type) {
    case ACP_TRACE_MEMBERSHIP_ARM:
        write_arm(w, &record->of.arm);
        break;
    case ACP_TRACE_MEMBERSHIP_PART_BOX:
        write_part_box(w, &record->of.part_box);
        break;
    case ACP_TRACE_MEMBERSHIP_RECTANGLE:
        write_rectangle(w, &record->of.rectangle);
        break;
    case ACP_TRACE_MEMBERSHIP_SPHERE:
        write_sphere(w, &record->of.sphere);
        break;
    case ACP_TRACE_MEMBERSHIP_PORTAL:
        write_portal(w, &record->of.portal);
        break;
    case ACP_TRACE_MEMBERSHIP_CELL_TEST:
        write_cell_test(w, &record->of.cell_test);
        break;
    case ACP_TRACE_MEMBERSHIP_ADDED:
        acp_json_write_string(w, "what", "added");
        acp_json_write_id(w, "cell", record->of.added.cell_id);
        acp_json_write_uint(w, "index", record->of.added.index);
        acp_json_write_flag(w, "resident", record->of.added.is_resident != 0);
        break;
    case ACP_TRACE_MEMBERSHIP_PRUNED:
        acp_json_write_string(w, "what", "pruned");
        acp_json_write_id(w, "cell", record->of.added.cell_id);
        break;
    case ACP_TRACE_MEMBERSHIP_PICK:
        acp_json_write_string(w, "what", "pick");
        acp_json_write_id(w, "cell", record->of.pick.cell_id);
        acp_json_write_flag(w, "inside", record->of.pick.is_inside != 0);
        break;
    case ACP_TRACE_MEMBERSHIP_LOOKUP:
        acp_json_write_string(w, "what", "lookup");
        acp_json_write_id(w, "cell", record->of.lookup.cell_id);
        acp_json_write_string(w, "status", NAME(status_names, record->of.lookup.status));
        break;
    default:
        acp_json_write_string(w, "what", "unknown");
        acp_json_write_id(w, "type", record->type);
        break;
    }
    acp_json_end_object(w);
}

/* ----------------------------------------------------------------------------------------------------------------- the object */

static const acp_trace_arm *arm_of(const acp_cells *cells) {
    for (uint32_t i = 0; i < cells->record_count; i++)
        if (cells->records[i].type == ACP_TRACE_MEMBERSHIP_ARM) return &cells->records[i].of.arm;
    return NULL;
}

void acp_cells_write_object(acp_json_writer *w, const acp_cells *cells) {
    const acp_object_row *row = acp_cells_row(cells);
    acp_position position = acp_matrix_position_to_public(&row->position);
    char reason[128] = "";
    const acp_trace_arm *arm = arm_of(cells);
    if (arm) acp_cells_arm_reason(arm, reason, sizeof reason);
    if (cells->name[0]) acp_json_write_string(w, "name", cells->name);
    if (row->object_id) acp_json_write_id(w, "id", row->object_id);
    acp_json_write_position(w, "position", &position);
    acp_json_write_id(w, "state", row->state);
    acp_json_write_flag(w, "static", cells->is_static);
    acp_json_write_string(w, "arm", acp_cells_arm_name(arm ? arm->arm : 0));
    acp_json_write_string(w, "arm_reason", reason);
}

void acp_cells_print_object(const acp_cells *cells) {
    const acp_object_row *row = acp_cells_row(cells);
    acp_position position = acp_matrix_position_to_public(&row->position);
    char place[ACP_PLACE_TEXT_CAPACITY], reason[128] = "";
    if (acp_position_format(&position, ACP_PLACE_FORM_CELL, place, sizeof place, NULL) != ACP_OK)
        (void)snprintf(place, sizeof place, "0x%08X", (unsigned)position.cell_id);
    const acp_trace_arm *arm = arm_of(cells);
    if (arm) acp_cells_arm_reason(arm, reason, sizeof reason);
    if (cells->name[0]) (void)printf("object     %s\n", cells->name);
    (void)printf("place      %s\n", place);
    (void)printf("registered %s\n", cells->is_static ? "as a static object" : "as a moving object");
    (void)printf("arm        %s: %s\n", acp_cells_arm_name(arm ? arm->arm : 0), reason);
}
