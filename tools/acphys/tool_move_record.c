/* SPDX-License-Identifier: MIT */
/* Moves in words and as JSON: trace records, hits, results.
 *
 * One line or one object per record, in the order of the computation, attempts that are taken back later included; what happens inside a
 * step attempt is indented by its nesting. Numbers are those that were computed, in their shortest exact form. Kinds and states have one
 * word each, the same in text and JSON. Contract: text is cut at the capacity. Specs 05, 06; records: transition.h. */
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"
#include "support/json_values.h"
#include "tools/acphys/tool_move.h"

static const char *name_of(const char *const *names, uint32_t count, uint32_t i) { return i < count ? names[i] : "unknown"; }
#define NAME(table, i) name_of((table), (uint32_t)(sizeof(table) / sizeof(table)[0]), (i))

static const char *const verdict_names[] = {"reached", "hindered", "blocked", "refused"};
static const char *const state_names[] = {"invalid", "ok", "collided", "adjusted", "slid"};
static const char *const hit_names[] = {"none",  "terrain",     "room",    "building",    "object",
                                        "water", "restriction", "no-cell", "outside-map", "no-ground"};
static const char *const insert_names[] = {"transition", "placement", "initial-placement"};
static const char *const edge_names[] = {"none", "walked-off", "cliff", "precipice", "no-room", "looked-back"};
static const char *const edge_texts[] = {"nothing",
                                         "may walk off",
                                         "ground too steep beyond: slides along it",
                                         "nothing beyond: slides along the edge",
                                         "ground beyond, but no room on it",
                                         "looked back for the edge it came over"};

const char *acp_move_verdict_name(uint32_t verdict) { return NAME(verdict_names, verdict); }
const char *acp_move_state_name(uint32_t state) { return NAME(state_names, state); }
const char *acp_move_hit_name(uint32_t kind) { return NAME(hit_names, kind); }

/* ----------------------------------------------------------------------------------------------------------------------- text */

typedef struct number {
    char text[ACP_NUMBER_TEXT_CAPACITY];
} number;

static number f(float v) {
    number n;
    (void)acp_number_format_f32(v, n.text);
    return n;
}

typedef struct vec3_text {
    char text[3u * ACP_NUMBER_TEXT_CAPACITY + 8u];
} vec3_text;

static vec3_text v3(acp_vec3 v) {
    vec3_text t;
    (void)snprintf(t.text, sizeof t.text, "(%s, %s, %s)", f(v.x).text, f(v.y).text, f(v.z).text);
    return t;
}

typedef struct place_text {
    char text[sizeof(vec3_text) + 16u];
} place_text;

static place_text at(const acp_position *p) {
    place_text t;
    (void)snprintf(t.text, sizeof t.text, "0x%08X %s", (unsigned)p->cell_id, v3(p->frame.origin).text);
    return t;
}

/* The name of an object of the scene, with its id. */
static void name_object(const acp_move_question *q, acp_object object, uint32_t object_id, char *out, size_t capacity) {
    const char *name = "";
    for (uint32_t i = 0; q->scene && i < q->scene->object_count; i++)
        if (q->scene->objects[i].handle.index1 == object.index1 && object.index1) name = q->scene->objects[i].name;
    if (object_id)
        (void)snprintf(out, capacity, "object %s%s0x%08X", name, *name ? " " : "", (unsigned)object_id);
    else
        (void)snprintf(out, capacity, "object %s", *name ? name : "without name");
}

static void append(char *out, size_t capacity, const char *text) {
    size_t used = strlen(out);
    if (used < capacity) (void)snprintf(out + used, capacity - used, "%s", text);
}

static void append_ordinal(char *out, size_t capacity, const char *what, uint32_t ordinal) {
    char text[48];
    if (ordinal == ACP_HIT_NO_ORDINAL) return;
    (void)snprintf(text, sizeof text, ", %s %u", what, (unsigned)ordinal);
    append(out, capacity, text);
}

void acp_move_name_hit(const acp_move_question *q, const acp_hit *hit, char *out, size_t capacity) {
    char object[128];
    unsigned cell = (unsigned)hit->cell_id;
    switch (hit->kind) {
    case ACP_HIT_NONE:
        (void)snprintf(out, capacity, "nothing that a test named");
        break;
    case ACP_HIT_TERRAIN:
        (void)snprintf(out, capacity, "the terrain of land cell 0x%08X", cell);
        append_ordinal(out, capacity, "triangle", hit->polygon);
        break;
    case ACP_HIT_ROOM:
        (void)snprintf(out, capacity, "the room 0x%08X", cell);
        append_ordinal(out, capacity, "polygon", hit->polygon);
        break;
    case ACP_HIT_BUILDING:
        (void)snprintf(out, capacity, "the shell of the building on 0x%08X", cell);
        append_ordinal(out, capacity, "polygon", hit->polygon);
        break;
    case ACP_HIT_OBJECT:
        name_object(q, hit->object, hit->object_id, object, sizeof object);
        (void)snprintf(out, capacity, "the %s", object);
        append_ordinal(out, capacity, hit->polygon == ACP_HIT_NO_ORDINAL ? "shape" : "part", hit->part);
        append_ordinal(out, capacity, "polygon", hit->polygon);
        (void)snprintf(object, sizeof object, ", met in 0x%08X", cell);
        append(out, capacity, object);
        break;
    case ACP_HIT_WATER:
        (void)snprintf(out, capacity, "water: the landblock of 0x%08X is nothing else", cell);
        break;
    case ACP_HIT_RESTRICTION:
        (void)snprintf(out, capacity, "the restriction of 0x%08X, which does not let it in", cell);
        break;
    case ACP_HIT_NO_CELL:
        (void)snprintf(out, capacity, "no resident cell: 0x%08X is not there", cell);
        break;
    case ACP_HIT_OUTSIDE_MAP:
        (void)snprintf(out, capacity, "the rim of the map");
        break;
    case ACP_HIT_NO_GROUND:
        (void)snprintf(out, capacity, "an edge with nothing to stand on beyond it");
        break;
    default:
        (void)snprintf(out, capacity, "something unknown");
        break;
    }
}

/* What a test or an object record is about, as a hit. */
static acp_hit hit_of(const acp_move_record *record) {
    const acp_trace_move *r = &record->of;
    acp_hit hit;
    memset(&hit, 0, sizeof hit);
    hit.kind = record->type == ACP_TRACE_MOVE_OBJECT ? (uint32_t)ACP_HIT_OBJECT : r->ordinal;
    hit.cell_id = r->cell_id;
    hit.object = r->object;
    hit.object_id = r->object_id;
    hit.part = hit.polygon = hit.sphere = ACP_HIT_NO_ORDINAL;
    if (r->state != 1u && hit.kind >= (uint32_t)ACP_HIT_TERRAIN && hit.kind <= (uint32_t)ACP_HIT_OBJECT) {
        hit.polygon = r->polygon;
        if (hit.kind == (uint32_t)ACP_HIT_OBJECT) hit.part = r->part;
    }
    return hit;
}

static void describe_step(const acp_trace_move *r, char *out, size_t capacity) {
    (void)snprintf(out, capacity, "step      %s %s", r->ordinal ? "goes on to" : "stays at", at(&r->position).text);
    if (r->vector.x != 0.0f || r->vector.y != 0.0f || r->vector.z != 0.0f) {
        append(out, capacity, ", collision normal ");
        append(out, capacity, v3(r->vector).text);
    }
}

static void describe_test(const acp_move_question *q, const acp_move_record *record, char *out, size_t capacity) {
    char name[256];
    acp_hit hit = hit_of(record);
    acp_move_name_hit(q, &hit, name, sizeof name);
    (void)snprintf(out, capacity, "test      %s: %s", name, acp_move_state_name(record->of.state));
}

static void describe(const acp_move_question *q, const acp_move_record *record, char *out, size_t capacity) {
    const acp_trace_move *r = &record->of;
    const char *state = acp_move_state_name(r->state);
    bool is_ok = r->state == 1u;
    switch (record->type) {
    case ACP_TRACE_MOVE_BEGIN:
        (void)snprintf(out, capacity, "begin     %s, by %s, %s m in %u sub-step%s", at(&r->position).text, v3(r->vector).text,
                       f(r->value).text, (unsigned)r->ordinal, r->ordinal == 1u ? "" : "s");
        break;
    case ACP_TRACE_MOVE_OFFSET:
        (void)snprintf(out, capacity, "sub-step  %u, offset %s", (unsigned)r->ordinal, v3(r->vector).text);
        break;
    case ACP_TRACE_MOVE_TEST:
    case ACP_TRACE_MOVE_OBJECT:
        describe_test(q, record, out, capacity);
        break;
    case ACP_TRACE_MOVE_INSERT:
        (void)snprintf(out, capacity, "insert    %s at %s: %s", NAME(insert_names, r->ordinal), at(&r->position).text, state);
        break;
    case ACP_TRACE_MOVE_REBASE:
        if (r->cell_id)
            (void)snprintf(out, capacity, "cell      0x%08X contains it", (unsigned)r->cell_id);
        else
            (void)snprintf(out, capacity, "cell      no resident cell contains it");
        break;
    case ACP_TRACE_MOVE_STEP_DOWN:
        if (is_ok)
            (void)snprintf(out, capacity, "step-down %s m: found ground, normal %s", f(r->value).text, v3(r->vector).text);
        else
            (void)snprintf(out, capacity, "step-down %s m: no ground", f(r->value).text);
        break;
    case ACP_TRACE_MOVE_STEP_UP:
        (void)snprintf(out, capacity, "step-up   %s m against %s: %s", f(r->value).text, v3(r->vector).text,
                       is_ok ? "climbed" : "cannot climb");
        break;
    case ACP_TRACE_MOVE_SLIDE:
        (void)snprintf(out, capacity, "slide     along %s: %s", v3(r->vector).text, state);
        break;
    case ACP_TRACE_MOVE_LANDING:
        (void)snprintf(out, capacity, "landing   %s on %s: %s", r->ordinal ? "decided" : "requested", v3(r->vector).text, state);
        break;
    case ACP_TRACE_MOVE_EDGE:
        (void)snprintf(out, capacity, "edge      %s: %s", NAME(edge_texts, r->ordinal), state);
        break;
    case ACP_TRACE_MOVE_STEP:
        describe_step(r, out, capacity);
        break;
    case ACP_TRACE_MOVE_SPOT:
        (void)snprintf(out, capacity, "spot      ring %u at %s: %s", (unsigned)r->ordinal, at(&r->position).text, state);
        break;
    case ACP_TRACE_MOVE_END:
        (void)snprintf(out, capacity, "end       %s", is_ok ? "there is a place to adopt" : "nothing to adopt");
        break;
    default:
        (void)snprintf(out, capacity, "record    of type 0x%08X", (unsigned)record->type);
        break;
    }
}

void acp_move_describe(const acp_move_question *q, const acp_move_record *record, char *out, size_t capacity) {
    static const char *const modes[] = {"stepping down", "stepping up", "probing", "landing", "ethereal"};
    uint32_t indent = record->of.depth > 1u ? 2u * (record->of.depth - 1u) : 0u;
    if (indent > 20u) indent = 20u;
    if (indent >= capacity) return;
    memset(out, ' ', indent);
    describe(q, record, out + indent, capacity - indent);
    if (record->type == ACP_TRACE_MOVE_BEGIN || record->type == ACP_TRACE_MOVE_OFFSET) return;
    bool is_first = true;
    for (uint32_t i = 0; i < 5u; i++) {
        if (!(record->of.modes >> i & 1u)) continue;
        append(out, capacity, is_first ? " [" : ", ");
        append(out, capacity, modes[i]);
        is_first = false;
    }
    if (!is_first) append(out, capacity, "]");
}

/* ----------------------------------------------------------------------------------------------------------------------- JSON */

static const struct {
    uint32_t type;
    const char *name;
} kinds[] = {{ACP_TRACE_MOVE_BEGIN, "begin"},         {ACP_TRACE_MOVE_OFFSET, "offset"},   {ACP_TRACE_MOVE_TEST, "test"},
             {ACP_TRACE_MOVE_OBJECT, "object"},       {ACP_TRACE_MOVE_INSERT, "insert"},   {ACP_TRACE_MOVE_REBASE, "cell"},
             {ACP_TRACE_MOVE_STEP_DOWN, "step-down"}, {ACP_TRACE_MOVE_STEP_UP, "step-up"}, {ACP_TRACE_MOVE_SLIDE, "slide"},
             {ACP_TRACE_MOVE_LANDING, "landing"},     {ACP_TRACE_MOVE_EDGE, "edge"},       {ACP_TRACE_MOVE_STEP, "step"},
             {ACP_TRACE_MOVE_SPOT, "spot"},           {ACP_TRACE_MOVE_END, "end"}};

static void write_ordinal(acp_json_writer *w, const char *key, uint32_t ordinal) {
    if (ordinal != ACP_HIT_NO_ORDINAL) acp_json_write_uint(w, key, ordinal);
}

static void write_hit_members(acp_json_writer *w, const acp_move_question *q, const acp_hit *hit) {
    char name[256];
    acp_json_write_string(w, "kind", acp_move_hit_name(hit->kind));
    if (hit->cell_id) acp_json_write_id(w, "cell", hit->cell_id);
    if (hit->kind == ACP_HIT_OBJECT) {
        name_object(q, hit->object, hit->object_id, name, sizeof name);
        acp_json_write_string(w, "name", name + 7); /* without "object " */
        acp_json_write_id(w, "id", hit->object_id);
        write_ordinal(w, "part", hit->part);
    }
    if (hit->kind >= ACP_HIT_TERRAIN && hit->kind <= ACP_HIT_OBJECT) write_ordinal(w, "polygon", hit->polygon);
}

void acp_move_write_hit(acp_json_writer *w, const char *key, const acp_move_question *q, const acp_hit *hit) {
    if (hit->kind == ACP_HIT_NONE) {
        acp_json_write_null(w, key);
        return;
    }
    acp_json_begin_object(w, key);
    write_hit_members(w, q, hit);
    acp_json_write_vec3(w, "normal", hit->normal);
    acp_json_end_object(w);
}

static void write_numbers(acp_json_writer *w, const acp_move_question *q, const acp_move_record *record) {
    const acp_trace_move *r = &record->of;
    acp_hit hit;
    switch (record->type) {
    case ACP_TRACE_MOVE_TEST:
    case ACP_TRACE_MOVE_OBJECT:
        hit = hit_of(record);
        write_hit_members(w, q, &hit);
        return;
    case ACP_TRACE_MOVE_REBASE:
        acp_json_write_id(w, "cell", r->cell_id);
        return;
    case ACP_TRACE_MOVE_INSERT:
        acp_json_write_string(w, "insert", NAME(insert_names, r->ordinal));
        break;
    case ACP_TRACE_MOVE_EDGE:
        acp_json_write_string(w, "edge", NAME(edge_names, r->ordinal));
        return;
    case ACP_TRACE_MOVE_BEGIN:
        acp_json_write_uint(w, "steps", r->ordinal);
        acp_json_write_float(w, "length", r->value);
        acp_json_write_vec3(w, "by", r->vector);
        break;
    case ACP_TRACE_MOVE_OFFSET:
        acp_json_write_uint(w, "step", r->ordinal);
        acp_json_write_vec3(w, "offset", r->vector);
        return;
    case ACP_TRACE_MOVE_STEP_DOWN:
    case ACP_TRACE_MOVE_STEP_UP:
        acp_json_write_float(w, "height", r->value);
        acp_json_write_vec3(w, "normal", r->vector);
        return;
    case ACP_TRACE_MOVE_LANDING:
        acp_json_write_flag(w, "decided", r->ordinal != 0);
        acp_json_write_vec3(w, "normal", r->vector);
        return;
    case ACP_TRACE_MOVE_STEP:
        acp_json_write_flag(w, "moved", r->ordinal != 0);
        acp_json_write_vec3(w, "normal", r->vector);
        break;
    case ACP_TRACE_MOVE_SPOT:
        acp_json_write_uint(w, "ring", r->ordinal);
        acp_json_write_vec3(w, "offset", r->vector);
        break;
    case ACP_TRACE_MOVE_SLIDE:
        acp_json_write_vec3(w, "normal", r->vector);
        return;
    default:
        break;
    }
    acp_json_write_position(w, "position", &r->position);
}

void acp_move_write_record(acp_json_writer *w, const acp_move_question *q, const acp_move_record *record) {
    const char *name = "unknown";
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == record->type) name = kinds[i].name;
    acp_json_begin_object(w, NULL);
    acp_json_write_string(w, "what", name);
    acp_json_write_uint(w, "depth", record->of.depth);
    acp_json_write_string(w, "state", acp_move_state_name(record->of.state));
    if (record->of.modes) acp_json_write_uint(w, "modes", record->of.modes);
    write_numbers(w, q, record);
    acp_json_end_object(w);
}

void acp_move_write_ground(acp_json_writer *w, const char *key, const acp_ground_plane *plane) {
    if (!plane->is_valid) {
        acp_json_write_null(w, key);
        return;
    }
    acp_json_begin_object(w, key);
    acp_json_write_vec3(w, "n", plane->plane.normal);
    acp_json_write_float(w, "d", plane->plane.d);
    acp_json_write_id(w, "cell", plane->cell_id);
    acp_json_write_flag(w, "water", plane->is_water != 0);
    acp_json_end_object(w);
}

static void write_optional(acp_json_writer *w, const char *key, bool is_there, acp_vec3 v) {
    if (is_there)
        acp_json_write_vec3(w, key, v);
    else
        acp_json_write_null(w, key);
}

void acp_move_write_result(acp_json_writer *w, const acp_move_question *q) {
    const acp_move_result *r = &q->result;
    char name[128];
    acp_json_write_string(w, "verdict", acp_move_verdict_name(r->verdict));
    acp_json_write_flag(w, "adopt", r->has_position != 0);
    acp_json_write_position(w, "position", &r->position);
    acp_json_write_id(w, "cell", r->cell_id);
    acp_json_write_uint(w, "planned_steps", r->planned_steps);
    acp_json_write_uint(w, "taken_steps", r->taken_steps);
    acp_json_write_id(w, "mover_flags", r->mover_state);
    acp_move_write_ground(w, "contact", &r->contact);
    acp_move_write_ground(w, "last_contact", &r->last_known);
    write_optional(w, "collision_normal", r->has_collision_normal, r->collision_normal);
    write_optional(w, "sliding_normal", r->has_sliding_normal, r->sliding_normal);
    acp_json_write_flag(w, "environment", r->collided_with_environment != 0);
    acp_json_write_flag(w, "velocity_killed", r->velocity_killed != 0);
    acp_json_write_uint(w, "frames_stationary_fall", r->frames_stationary_fall);
    acp_json_begin_array(w, "objects");
    for (uint32_t i = 0; i < r->object_count; i++) {
        acp_object_info info;
        uint32_t id = acp_object_get_info(q->scene->world, r->objects[i], &info) == ACP_OK ? info.object_id : 0u;
        name_object(q, r->objects[i], id, name, sizeof name);
        acp_json_write_string(w, NULL, name + 7);
    }
    acp_json_end_array(w);
    acp_json_begin_array(w, "cells");
    for (uint32_t i = 0; i < r->cell_count; i++)
        acp_json_write_id(w, NULL, r->cells[i]);
    acp_json_end_array(w);
    acp_move_write_hit(w, "hit", q, &r->hit);
}
