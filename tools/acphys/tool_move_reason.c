/* SPDX-License-Identifier: MIT */
/* Why a move stopped, was turned aside, passed or fell: one sentence with what decided.
 *
 * The verdict and the hit of the result say whether and by what it was stopped; the trace says what was tried against it: the last step-up,
 * slide, landing or edge. Only the part of the trace after the last accepted sub-step belongs to the block that ended the way; earlier
 * records tell of what it overcame. Contract: the answer is made from result and records alone. Cost: one pass over the records. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/acphys/tool_move.h"

/* Metres between two positions, across landblocks. */
static double distance(const acp_position *a, const acp_position *b) {
    double x = (double)((int)(b->cell_id >> 24) - (int)(a->cell_id >> 24)) * 192.0;
    double y = (double)((int)((b->cell_id >> 16) & 0xFFu) - (int)((a->cell_id >> 16) & 0xFFu)) * 192.0;
    x += (double)b->frame.origin.x - (double)a->frame.origin.x;
    y += (double)b->frame.origin.y - (double)a->frame.origin.y;
    double z = (double)b->frame.origin.z - (double)a->frame.origin.z;
    return sqrt(x * x + y * y + z * z);
}

static void point_to(acp_move_reason *r, uint32_t record) {
    if (record == UINT32_MAX) return;
    for (uint32_t i = 0; i < r->record_count; i++)
        if (r->records[i] == record) return;
    if (r->record_count == sizeof r->records / sizeof r->records[0]) return;
    uint32_t i = r->record_count++;
    for (; i > 0 && r->records[i - 1u] > record; i--)
        r->records[i] = r->records[i - 1u];
    r->records[i] = record;
}

/* The last record of a type in [first, last), UINT32_MAX when there is none. `state` 0: of any state; else of that one. */
static uint32_t last_of(const acp_move_question *q, uint32_t type, uint32_t first, uint32_t state) {
    for (uint32_t i = q->record_count; i > first; i--)
        if (q->records[i - 1u].type == type && (!state || q->records[i - 1u].of.state == state)) return i - 1u;
    return UINT32_MAX;
}

/* Where the last blocked sub-step, or spot, begins. */
static uint32_t begin_of_last_block(const acp_move_question *q) {
    uint32_t offset = 0, found = 0;
    for (uint32_t i = 0; i < q->record_count; i++) {
        if (q->records[i].type == ACP_TRACE_MOVE_OFFSET) offset = i;
        if (q->records[i].type == ACP_TRACE_MOVE_STEP && !q->records[i].of.ordinal) found = offset;
    }
    return found;
}

/* The last test that was not OK from a record on. */
static uint32_t last_refusal(const acp_move_question *q, uint32_t first) {
    for (uint32_t i = q->record_count; i > first; i--) {
        const acp_move_record *r = &q->records[i - 1u];
        if ((r->type == ACP_TRACE_MOVE_TEST || r->type == ACP_TRACE_MOVE_OBJECT) && r->of.state != 1u) return i - 1u;
    }
    return UINT32_MAX;
}

static void add(acp_move_reason *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(acp_move_reason *r, const char *format, ...) {
    va_list arguments;
    size_t used = strlen(r->text);
    va_start(arguments, format);
    if (used < sizeof r->text) (void)vsnprintf(r->text + used, sizeof r->text - used, format, arguments);
    va_end(arguments);
}

/* What was tried against the obstacle since `first`. */
static void add_attempts(const acp_move_question *q, acp_move_reason *r, uint32_t first) {
    uint32_t up = last_of(q, ACP_TRACE_MOVE_STEP_UP, first, 0);
    uint32_t slide = last_of(q, ACP_TRACE_MOVE_SLIDE, first, 0);
    uint32_t edge = last_of(q, ACP_TRACE_MOVE_EDGE, first, 0);
    if (up != UINT32_MAX && q->records[up].of.state != 1u) {
        add(r, "; it cannot be climbed within the step-up height of %.4g m", (double)q->records[up].of.value);
        point_to(r, up);
    }
    if (slide != UINT32_MAX && q->records[slide].of.state == 2u) {
        add(r, "; nothing of the way is left to slide along it");
        point_to(r, slide);
    }
    if (edge != UINT32_MAX) {
        static const char *const texts[] = {NULL,
                                            NULL,
                                            "the ground beyond is too steep",
                                            "there is nothing to stand on beyond it",
                                            "there is no room on the ground beyond it",
                                            "there is nothing to stand on beyond it"};
        uint32_t which = q->records[edge].of.ordinal;
        if (which >= 2u && which < 6u) {
            r->code = "edge";
            add(r, "; it was at an edge: %s", texts[which]);
        }
        point_to(r, edge);
    }
}

static void explain_stop(const acp_move_question *q, acp_move_reason *r) {
    const acp_move_result *m = &q->result;
    char name[256];
    uint32_t first = begin_of_last_block(q);
    acp_move_name_hit(q, &m->hit, name, sizeof name);
    if (m->hit.kind == ACP_HIT_NO_CELL || m->hit.kind == ACP_HIT_OUTSIDE_MAP) {
        r->code = acp_move_hit_name(m->hit.kind);
        add(r, "It was refused: %s", name);
        return;
    }
    if (m->hit.kind == ACP_HIT_NONE && m->taken_steps == 0) {
        r->code = "no-way";
        add(r, "It did not move: contact plane and sliding normal leave nothing of the offset");
        point_to(r, last_of(q, ACP_TRACE_MOVE_OFFSET, 0, 0));
        return;
    }
    r->code = m->hit.kind == ACP_HIT_NONE ? "stopped" : acp_move_hit_name(m->hit.kind);
    if (q->is_placement)
        add(r, "It found no room: ");
    else
        add(r, "It stopped after %.4g of %.4g m, with %u of %u sub-steps run: ", r->went, r->wished, (unsigned)m->taken_steps,
            (unsigned)m->planned_steps);
    add(r, "%s is in the way", name);
    if (m->has_collision_normal) {
        const acp_vec3 *n = &m->collision_normal;
        add(r, " (collision normal %.4g, %.4g, %.4g)", (double)n->x, (double)n->y, (double)n->z);
    }
    point_to(r, last_refusal(q, first));
    add_attempts(q, r, first);
}

static void explain_passage(const acp_move_question *q, acp_move_reason *r) {
    const acp_move_result *m = &q->result;
    char name[256];
    uint32_t slide = last_of(q, ACP_TRACE_MOVE_SLIDE, 0, 4u), up = last_of(q, ACP_TRACE_MOVE_STEP_UP, 0, 1u);
    if (m->planned_steps == 0 && !q->is_placement) {
        r->code = "idle";
        add(r, "There was no way to go: it stays where it is");
        return;
    }
    if (q->is_placement)
        add(r, "There is room at the spot");
    else
        add(r, m->planned_steps == 1u ? "Its one sub-step was accepted" : "All %u sub-steps were accepted", (unsigned)m->planned_steps);
    if (m->cell_id == 0) {
        r->code = "left";
        r->has_passed = false;
        add(r, "; the last came into 0x%08X, which is not resident", (unsigned)m->position.cell_id);
        return;
    }
    if (slide != UINT32_MAX && r->missing > 0.001) {
        uint32_t test = last_refusal(q, 0);
        r->code = "slid";
        if (test != UINT32_MAX) {
            acp_hit hit = m->hit;
            if (hit.kind == ACP_HIT_NONE) {
                const acp_move_record *t = &q->records[test];
                hit.kind = t->type == ACP_TRACE_MOVE_OBJECT ? (uint32_t)ACP_HIT_OBJECT : t->of.ordinal;
                hit.cell_id = t->of.cell_id;
                hit.object = t->of.object;
                hit.object_id = t->of.object_id;
                hit.part = hit.kind == (uint32_t)ACP_HIT_OBJECT ? t->of.part : ACP_HIT_NO_ORDINAL;
                hit.polygon = hit.kind <= (uint32_t)ACP_HIT_OBJECT ? t->of.polygon : ACP_HIT_NO_ORDINAL;
            }
            acp_move_name_hit(q, &hit, name, sizeof name);
            add(r, ", but it slid along %s", name);
            point_to(r, test);
        }
        point_to(r, slide);
    } else if (up != UINT32_MAX) {
        r->code = "climbed";
        add(r, "; it stepped up onto what it met, %.4g m higher", (double)m->position.frame.origin.z - (double)q->from.frame.origin.z);
        point_to(r, up);
    } else {
        r->code = r->missing <= 0.001 ? "passed" : "bent";
        add(r, r->missing <= 0.001 ? ": nothing was in the way" : "; the ground bent its way");
    }
}

void acp_move_why(const acp_move_question *q, acp_move_reason *r) {
    const acp_move_result *m = &q->result;
    memset(r, 0, sizeof *r);
    r->wished = distance(&q->from, &q->to);
    r->went = distance(&q->from, &m->position);
    r->missing = distance(&m->position, &q->to);
    r->has_passed = m->verdict == ACP_MOVE_REACHED;
    if (r->has_passed)
        explain_passage(q, r);
    else if (q->is_placement && m->has_position) {
        add(r, "It stands %.4g m from the spot", r->went);
        r->code = "moved";
        r->has_passed = true;
        point_to(r, last_of(q, ACP_TRACE_MOVE_SPOT, 0, 1u));
    } else
        explain_stop(q, r);
    bool stood = (q->mover.transient_state & (uint32_t)ACP_TRANSIENT_CONTACT) != 0 && !q->has_flags;
    if (m->has_position && stood && m->planned_steps && !m->contact.is_valid && m->cell_id && m->verdict != ACP_MOVE_BLOCKED) {
        uint32_t down = last_of(q, ACP_TRACE_MOVE_STEP_DOWN, 0, 2u);
        r->code = "fell";
        r->has_passed = false;
        add(r, ". It left the ground: nothing to stand on within the step-down height of %.4g m", (double)q->mover.step_down_height);
        point_to(r, down);
        point_to(r, last_of(q, ACP_TRACE_MOVE_EDGE, 0, 0));
    }
    add(r, ".");
}
