/* SPDX-License-Identifier: MIT */
/* Recorded moves in the form of the retail-cells fixtures: reading one, and comparing it with what we compute.
 *
 * Inputs are taken as they are: positions of the foot in the landblock of the cell, orientation (x y z w), velocity, contact plane and the
 * transient bits of the body before. Two things are turned into our words: mover flags 0x100 (player) and 0x200 (slides along edges); and
 * of the state word the bit "ignores collisions" is dropped, because that client's move code collides all the same. What is recorded as the
 * body's own position before is already the target, and is not used.
 *
 * Contract: a record that lacks a member is a fault in the input. Differences are told field by field; places nearer than a millimetre are
 * a class of their own, since that client computes in binary32 throughout. Specs 05, 06. */
#include "tools/acphys/tool_replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"
#include "math/number.h"

#define NEAR   0.001 /* metres, and of planes */
#define PLAYER 0x100u
#define EDGES  0x200u

static const char *const class_names[] = {"cell", "position", "rounding", "contact", "plane", "plane-cell", "on-ground", "hit", "normal"};

const char *acp_replay_class_name(acp_replay_class kind) { return class_names[kind]; }

/* --------------------------------------------------------------------------------------------------------------------- reading */

static acp_vec3 read_vec3(acp_json_input *input, const acp_json *object, const char *key) {
    const acp_json *v = acp_json_get_object(input, object, key);
    acp_vec3 out = {acp_json_get_float(input, v, "x"), acp_json_get_float(input, v, "y"), acp_json_get_float(input, v, "z")};
    return out;
}

static acp_ground_plane read_contact(acp_json_input *input, const acp_json *body) {
    acp_ground_plane out;
    memset(&out, 0, sizeof out);
    const acp_json *plane = acp_json_get_object(input, body, "contactPlane");
    out.plane.normal = read_vec3(input, plane, "normal");
    out.plane.d = acp_json_get_float(input, plane, "d");
    out.cell_id = acp_json_get_uint32(input, body, "contactPlaneCellId");
    out.is_valid = acp_json_get_flag(input, body, "contactPlaneValid");
    out.is_water = acp_json_get_flag(input, body, "contactPlaneIsWater");
    return out;
}

bool acp_recorded_move_read(acp_json_input *input, const acp_json *record, float second_center, acp_recorded_move *m) {
    memset(m, 0, sizeof *m);
    const acp_json *in = acp_json_get_object(input, record, "input"), *before = acp_json_get_object(input, record, "bodyBefore");
    const acp_json *after = acp_json_get_object(input, record, "bodyAfter"), *result = acp_json_get_object(input, record, "result");
    m->tick = acp_json_get_uint32_or(input, record, "tick", 0);
    const acp_json *q = acp_json_get_object(input, before, "orientation");
    acp_quaternion rotation = {acp_json_get_float(input, q, "w"), acp_json_get_float(input, q, "x"), acp_json_get_float(input, q, "y"),
                               acp_json_get_float(input, q, "z")};
    m->from.cell_id = m->to.cell_id = acp_json_get_uint32(input, in, "cellId");
    m->from.frame.rotation = m->to.frame.rotation = rotation;
    m->from.frame.origin = read_vec3(input, in, "currentPos");
    m->to.frame.origin = read_vec3(input, in, "targetPos");

    float r = acp_json_get_float(input, in, "sphereRadius");
    uint32_t flags = acp_json_get_uint32(input, in, "moverFlags");
    acp_sphere lower = {{0.0f, 0.0f, r}, r}, upper = {{0.0f, 0.0f, second_center}, r};
    m->mover = acp_mover_default();
    m->mover.sphere_count = second_center > 0.0f ? 2u : 1u;
    m->mover.spheres[0] = lower;
    m->mover.spheres[1] = upper;
    m->mover.step_up_height = acp_json_get_float(input, in, "stepUpHeight");
    m->mover.step_down_height = acp_json_get_float(input, in, "stepDownHeight");
    m->mover.state = acp_json_get_uint32(input, before, "state") & ~(uint32_t)(ACP_STATE_IGNORE_COLLISIONS | ACP_STATE_EDGE_SLIDE);
    if (flags & EDGES) m->mover.state |= (uint32_t)ACP_STATE_EDGE_SLIDE;
    if (flags & PLAYER) m->mover.predicates = (uint32_t)(ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_PLAYER);
    m->mover.transient_state = acp_json_get_uint32(input, before, "transientState");
    m->mover.velocity = read_vec3(input, before, "velocity");
    m->mover.sliding_normal = read_vec3(input, before, "slidingNormal");
    m->mover.contact = read_contact(input, before);
    if (!m->mover.contact.is_valid) m->mover.transient_state &= ~(uint32_t)ACP_TRANSIENT_CONTACT;

    m->end.cell_id = acp_json_get_uint32(input, result, "cellId");
    m->end.frame.rotation = rotation;
    m->end.frame.origin = read_vec3(input, result, "position");
    m->is_on_ground = acp_json_get_flag(input, result, "isOnGround");
    m->has_collision_normal = acp_json_get_flag(input, result, "collisionNormalValid");
    m->collision_normal = read_vec3(input, result, "collisionNormal");
    m->contact = read_contact(input, after);
    return !acp_json_is_failed(input);
}

/* ------------------------------------------------------------------------------------------------------------------- comparing */

static void write_vec3(char *out, size_t capacity, acp_vec3 v) {
    char x[ACP_NUMBER_TEXT_CAPACITY], y[ACP_NUMBER_TEXT_CAPACITY], z[ACP_NUMBER_TEXT_CAPACITY];
    (void)acp_number_format_f32(v.x, x);
    (void)acp_number_format_f32(v.y, y);
    (void)acp_number_format_f32(v.z, z);
    (void)snprintf(out, capacity, "(%s, %s, %s)", x, y, z);
}

static void write_plane(char *out, size_t capacity, const acp_ground_plane *p) {
    char normal[128], d[ACP_NUMBER_TEXT_CAPACITY];
    if (!p->is_valid) {
        (void)snprintf(out, capacity, "none");
        return;
    }
    write_vec3(normal, sizeof normal, p->plane.normal);
    (void)acp_number_format_f32(p->plane.d, d);
    (void)snprintf(out, capacity, "%s d %s", normal, d);
}

static acp_replay_difference *add(acp_replay_difference *out, uint32_t *count, acp_replay_class kind) {
    acp_replay_difference *d = &out[(*count)++];
    memset(d, 0, sizeof *d);
    d->kind = kind;
    return d;
}

static void say(acp_replay_difference *d, const char *recorded, const char *computed) {
    (void)snprintf(d->recorded, sizeof d->recorded, "%s", recorded);
    (void)snprintf(d->computed, sizeof d->computed, "%s", computed);
}

/* A place of another landblock in the axes of `cell_id`. */
static acp_vec3 shifted(const acp_position *p, uint32_t cell_id) {
    int x = ((int)(p->cell_id >> 24) - (int)(cell_id >> 24)) * 192;
    int y = ((int)((p->cell_id >> 16) & 0xFFu) - (int)((cell_id >> 16) & 0xFFu)) * 192;
    acp_vec3 v = p->frame.origin;
    v.x = acp_f32((double)v.x + x);
    v.y = acp_f32((double)v.y + y);
    return v;
}

static double distance(acp_vec3 a, acp_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static uint32_t compare_places(const acp_recorded_move *m, const acp_move_result *r, acp_replay_difference *out, uint32_t count) {
    acp_position end = r->has_position ? r->position : m->from;
    if (end.cell_id != m->end.cell_id) {
        acp_replay_difference *d = add(out, &count, ACP_REPLAY_CELL);
        (void)snprintf(d->recorded, sizeof d->recorded, "0x%08X", (unsigned)m->end.cell_id);
        (void)snprintf(d->computed, sizeof d->computed, "0x%08X", (unsigned)end.cell_id);
    }
    acp_vec3 ours = shifted(&end, m->end.cell_id), theirs = m->end.frame.origin;
    double apart = distance(ours, theirs);
    if (apart > 0.0) {
        acp_replay_difference *d = add(out, &count, apart < NEAR ? ACP_REPLAY_ROUNDING : ACP_REPLAY_POSITION);
        write_vec3(d->recorded, sizeof d->recorded, theirs);
        write_vec3(d->computed, sizeof d->computed, ours);
        d->distance = apart;
    }
    return count;
}

static uint32_t compare_planes(const acp_recorded_move *m, const acp_move_result *r, acp_replay_difference *out, uint32_t count) {
    acp_ground_plane ours = r->contact;
    const acp_ground_plane *theirs = &m->contact;
    bool has_plane = theirs->is_valid != 0;
    if (has_plane != (ours.is_valid != 0)) {
        acp_replay_difference *d = add(out, &count, ACP_REPLAY_CONTACT);
        write_plane(d->recorded, sizeof d->recorded, theirs);
        write_plane(d->computed, sizeof d->computed, &ours);
    } else if (has_plane && (distance(ours.plane.normal, theirs->plane.normal) >= NEAR ||
                             fabs((double)ours.plane.d - (double)theirs->plane.d) >= NEAR)) {
        acp_replay_difference *d = add(out, &count, ACP_REPLAY_PLANE);
        write_plane(d->recorded, sizeof d->recorded, theirs);
        write_plane(d->computed, sizeof d->computed, &ours);
    } else if (has_plane && ours.cell_id != theirs->cell_id) {
        acp_replay_difference *d = add(out, &count, ACP_REPLAY_PLANE_CELL);
        (void)snprintf(d->recorded, sizeof d->recorded, "0x%08X", (unsigned)theirs->cell_id);
        (void)snprintf(d->computed, sizeof d->computed, "0x%08X", (unsigned)ours.cell_id);
    }
    return count;
}

static uint32_t compare_flags(const acp_recorded_move *m, const acp_move_result *r, acp_replay_difference *out, uint32_t count) {
    const uint32_t both = (uint32_t)(ACP_MOVER_CONTACT | ACP_MOVER_ON_WALKABLE);
    /* A move that did not run leaves the body as it was; else the commit stands it on a walkable contact plane (spec 07). */
    bool is_on_ground = r->planned_steps == 0 ? (m->mover.transient_state & (uint32_t)ACP_TRANSIENT_ON_WALKABLE) != 0
                        : r->has_position     ? r->contact.is_valid && (double)r->contact.plane.normal.z >= 0.664174139
                                              : (r->mover_state & both) == both;
    if (is_on_ground != m->is_on_ground)
        say(add(out, &count, ACP_REPLAY_GROUND), m->is_on_ground ? "on ground" : "in the air", is_on_ground ? "on ground" : "in the air");
    acp_vec3 normal = r->collision_normal;
    if ((r->has_collision_normal != 0) != m->has_collision_normal) {
        acp_replay_difference *d = add(out, &count, ACP_REPLAY_HIT);
        say(d, "no hit", "no hit");
        if (m->has_collision_normal) write_vec3(d->recorded, sizeof d->recorded, m->collision_normal);
        if (r->has_collision_normal) write_vec3(d->computed, sizeof d->computed, normal);
    } else if (m->has_collision_normal && distance(normal, m->collision_normal) >= NEAR) {
        acp_replay_difference *d = add(out, &count, ACP_REPLAY_NORMAL);
        write_vec3(d->recorded, sizeof d->recorded, m->collision_normal);
        write_vec3(d->computed, sizeof d->computed, normal);
    }
    return count;
}

uint32_t acp_replay_compare(const acp_recorded_move *move, const acp_move_result *result, acp_replay_difference *out) {
    uint32_t count = compare_places(move, result, out, 0);
    count = compare_planes(move, result, out, count);
    return compare_flags(move, result, out, count);
}
