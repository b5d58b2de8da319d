/* SPDX-License-Identifier: MIT */
/* Response: reporting, bounce, stationary bits (spec 05 OCD-90..95, 07 PHO-16).
 *
 * What the client tells its game objects becomes events (D10, DIV-48); what it writes happens here, at once, in its order. A partner is
 * reported when it is first touched and ended when it has not been touched for a second (an ethereal one: as soon as time has passed).
 * Running into static things is "the environment", reported once until a move passes without. A missile loses its missile bits at the first
 * impact, reported or not. Two fields of the profile that a partner receives are swapped in retail and stay swapped (OCD-92). Rounding of
 * the bounce: 07 PHO-16. Cost: linear in the partners, which are few. */
#include "body/collide.h"

#include <string.h>

#include "asset/setup.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "place/position.h"

#define MISSILE_MASK 0xFFFFFCBFu /* clears MISSILE, ALIGNPATH, PATHCLIPPED */

/* Who is being told, and by which queue. */
typedef struct acp_reporter {
    acp_world *world;
    acp_object_row *row;
    acp_body_row *body;
    acp_body_column *column;
    uint32_t index;
    bool had_contact;
} acp_reporter;

static acp_event event_to(const acp_reporter *reporter, uint32_t kind, uint32_t to) {
    acp_event event = {0};
    event.kind = kind;
    event.object = acp_world_handle(reporter->world, to);
    event.object_id = acp_world_row(reporter->world, to)->object_id;
    return event;
}

static bool is_reported(const acp_object_row *row) {
    return (row->state & ACP_STATE_REPORT_COLLISIONS) && (row->predicates & ACP_PREDICATE_GAME_OBJECT);
}

/* OCD-93. */
static bool report_environment(acp_reporter *reporter) {
    if (reporter->body->is_colliding_with_environment) return false;
    bool is_told = is_reported(reporter->row);
    if (is_told) {
        acp_event event = event_to(reporter, ACP_EVENT_HIT_ENVIRONMENT, reporter->index);
        event.velocity = reporter->body->velocity;
        event.in_contact = reporter->had_contact;
        acp_event_queue_push(&reporter->column->events, &event);
    }
    reporter->body->is_colliding_with_environment = true;
    if (reporter->row->state & ACP_STATE_MISSILE) reporter->row->state &= MISSILE_MASK;
    return is_told;
}

static float height_of(const acp_object_row *row) { return row->setup ? acp_f32((double)row->setup->height * (double)row->scale) : 0.0f; }

/* A body that is in no block yet: the client's offset to block 0 takes the other's whole id for a coordinate (01 WM-19, RA-1), which puts
 * it far to one side. */
static void come_from_nowhere(acp_matrix_position *place, uint32_t cell_id) {
    int32_t x = (int32_t)(cell_id - ((cell_id >> 21) & 0x7F8u)), y = (int32_t)(cell_id - ((cell_id >> 13) & 0x7F8u));
    place->cell_id = cell_id;
    place->frame.origin.x = acp_f32((double)place->frame.origin.x + acp_stored((double)x * ACP_CELL_LENGTH));
    place->frame.origin.y = acp_f32((double)place->frame.origin.y + acp_stored((double)y * ACP_CELL_LENGTH));
}

/* An attack profile: `to` is told about `about`, with the quadrant of `who` around `center`. */
static void push_attack(acp_reporter *reporter, uint32_t to, uint32_t about, const acp_object_row *center, const acp_object_row *who) {
    acp_event event = event_to(reporter, ACP_EVENT_ATTACK, to);
    event.other = acp_world_handle(reporter->world, about);
    event.other_id = acp_world_row(reporter->world, about)->object_id;
    event.part = -1;
    acp_matrix_position place = who->position;
    if (center->position.cell_id != 0) {
        if (place.cell_id == 0) come_from_nowhere(&place, center->position.cell_id);
        event.location = acp_matrix_position_quadrant(&center->position, height_of(center), &place);
    }
    acp_event_queue_push(&reporter->column->events, &event);
}

/* OCD-95: an object profile about `about` to `to`; without a filled-in profile it goes out empty.
 * retail: CPhysicsObj::build_collision_profile 0x0050F600 */
static void push_object(acp_reporter *reporter, uint32_t to, uint32_t about, acp_vec3 velocity, bool is_me_in_contact, bool is_missile,
                        bool is_in_contact) {
    const acp_object_row *row = acp_world_row(reporter->world, about);
    acp_event event = event_to(reporter, ACP_EVENT_HIT_OBJECT, to);
    event.other = acp_world_handle(reporter->world, about);
    if (acp_object_row_has(row, ACP_PREDICATE_FILLS_PROFILE)) {
        event.has_profile = 1;
        event.other_id = row->object_id;
        event.velocity = velocity;
        if (row->predicates & ACP_PREDICATE_CREATURE) event.flags |= ACP_PROFILE_CREATURE;
        if (row->predicates & ACP_PREDICATE_PLAYER) event.flags |= ACP_PROFILE_PLAYER;
        if (row->predicates & ACP_PREDICATE_ATTACKABLE) event.flags |= ACP_PROFILE_ATTACKABLE;
        if (row->predicates & ACP_PREDICATE_DOOR) event.flags |= ACP_PROFILE_DOOR;
        if (is_missile) event.flags |= ACP_PROFILE_MISSILE;
        if (is_in_contact) event.flags |= ACP_PROFILE_IN_CONTACT;
        if (is_me_in_contact) event.flags |= ACP_PROFILE_ME_IN_CONTACT;
    }
    acp_event_queue_push(&reporter->column->events, &event);
}

/* OCD-92. retail: CPhysicsObj::report_object_collision 0x00513060 */
static bool report_object(acp_reporter *reporter, uint32_t partner) {
    acp_object_row *row = reporter->row, *other = acp_world_row(reporter->world, partner);
    if (other->state & ACP_STATE_REPORT_AS_ENVIRONMENT) return report_environment(reporter);
    const acp_body_row *other_body = acp_body_find(reporter->world, partner);
    acp_vec3 other_velocity = other_body ? other_body->velocity : (acp_vec3){0.0f, 0.0f, 0.0f};
    acp_vec3 velocity = acp_vec3_subtract(reporter->body->velocity, other_velocity);
    bool was_missile = (row->state & ACP_STATE_MISSILE) != 0, is_told = false;
    bool is_other_missile = (other->state & ACP_STATE_MISSILE) != 0;
    bool is_other_in_contact = (other->transient_state & ACP_TRANSIENT_CONTACT) != 0;
    if (!(other->state & ACP_STATE_IGNORE_COLLISIONS)) {
        if (is_reported(row)) {
            if (was_missile)
                push_attack(reporter, reporter->index, partner, other, row);
            else
                push_object(reporter, reporter->index, partner, velocity, reporter->had_contact, is_other_missile, is_other_in_contact);
            is_told = true;
        }
        if (was_missile) row->state &= MISSILE_MASK;
    }
    if (is_reported(other) && !(row->state & ACP_STATE_IGNORE_COLLISIONS)) {
        if (is_other_missile)
            push_attack(reporter, partner, reporter->index, row, other);
        else
            push_object(reporter, partner, reporter->index, velocity, is_other_in_contact, reporter->had_contact, was_missile);
        is_told = true;
    }
    return is_told;
}

/* OCD-91. */
static bool track(acp_reporter *reporter, uint32_t partner) {
    const acp_object_row *other = acp_world_row(reporter->world, partner);
    if (other->state & ACP_STATE_STATIC) return report_environment(reporter);
    acp_body_row *body = reporter->body;
    acp_object handle = acp_world_handle(reporter->world, partner);
    bool is_ethereal = (other->state & ACP_STATE_ETHEREAL) != 0;
    for (uint32_t i = 0; i < body->touch_count; ++i) {
        if (body->touches[i].object.index1 != handle.index1 || body->touches[i].object.generation != handle.generation) continue;
        body->touches[i].time = body->clock;
        body->touches[i].is_ethereal = is_ethereal;
        return false;
    }
    if (body->touch_count == body->touch_capacity) {
        uint32_t capacity = body->touch_capacity ? body->touch_capacity * 2u : 8u;
        acp_body_touch *touches = ACP_MEMORY_NEW_ARRAY(&reporter->column->allocator, acp_body_touch, capacity);
        if (!touches) {
            ++reporter->column->events.lost;
            return false;
        }
        if (body->touch_count) memcpy(touches, body->touches, body->touch_count * sizeof *touches);
        ACP_MEMORY_DELETE_ARRAY(&reporter->column->allocator, acp_body_touch, body->touches, body->touch_capacity);
        body->touches = touches;
        body->touch_capacity = capacity;
    }
    acp_body_touch touch = {handle, other->object_id, is_ethereal, body->clock};
    body->touches[body->touch_count++] = touch;
    return report_object(reporter, partner);
}

void acp_body_report_touches_again(acp_world *world, uint32_t index) {
    acp_body_row *body = acp_body_find(world, index);
    acp_body_column *column = acp_body_column_of(world);
    if (!body || !column) return;
    acp_object_row *row = acp_world_row(world, index);
    acp_reporter reporter = {world, row, body, column, index, (row->transient_state & ACP_TRANSIENT_CONTACT) != 0};
    for (uint32_t i = 0; i < body->touch_count; ++i) {
        uint32_t partner;
        if (acp_world_row_of(world, body->touches[i].object, &partner)) (void)report_object(&reporter, partner);
    }
}

static bool is_over(const acp_body_row *body, const acp_body_touch *touch, bool is_forced) {
    double age = body->clock - touch->time;
    return is_forced || age > 1.0 || (touch->is_ethereal && age > 0.0);
}

/* Kept partners first, in their order, then those that are over, by their id; returns how many are kept. */
static uint32_t part_touches(acp_body_row *body, bool is_forced) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < body->touch_count; ++i) {
        acp_body_touch touch = body->touches[i];
        bool is_ended = is_over(body, &touch, is_forced);
        uint32_t k = i;
        for (; k > kept && (!is_ended || body->touches[k - 1u].object_id > touch.object_id); --k)
            body->touches[k] = body->touches[k - 1u];
        body->touches[k] = touch;
        if (!is_ended) ++kept;
    }
    return kept;
}

void acp_body_end_touches(acp_world *world, uint32_t index, bool is_forced) {
    acp_body_row *body = acp_body_find(world, index);
    if (!body || body->touch_count == 0) return;
    acp_body_column *column = acp_body_column_of(world);
    uint32_t kept = part_touches(body, is_forced);
    for (uint32_t i = kept; i < body->touch_count; ++i) {
        acp_event event = {0};
        event.kind = ACP_EVENT_TOUCH_ENDED;
        event.object = acp_world_handle(world, index);
        event.object_id = acp_world_row(world, index)->object_id;
        event.other = body->touches[i].object;
        event.other_id = body->touches[i].object_id;
        acp_event_queue_push(&column->events, &event);
    }
    body->touch_count = kept;
}

static void bounce(const acp_object_row *row, acp_body_row *body, acp_vec3 n) {
    if (row->state & ACP_STATE_INELASTIC) {
        body->velocity = (acp_vec3){0.0f, 0.0f, 0.0f};
        return;
    }
    acp_vec3 v = body->velocity;
    double d = ((double)v.z * (double)n.z + (double)v.y * (double)n.y) + (double)n.x * (double)v.x;
    if (!(d < 0.0)) return;
    double k = -(d * ((double)body->elasticity + 1.0));
    body->velocity =
        acp_vec3_make(k * (double)n.x + (double)v.x, acp_stored(k * (double)n.y) + (double)v.y, acp_stored(k * (double)n.z) + (double)v.z);
}

bool acp_body_handle_collisions(acp_world *world, uint32_t index, const acp_body_impact *impact, bool had_contact, bool was_on_walkable) {
    acp_object_row *row = acp_world_row(world, index);
    acp_body_row *body = acp_body_of(world, index);
    acp_body_column *column = acp_body_column_of(world);
    if (!body || !column) return false;
    acp_reporter reporter = {world, row, body, column, index, had_contact};
    bool is_on_walkable = (row->transient_state & ACP_TRANSIENT_ON_WALKABLE) != 0;
    bool can_bounce = !(was_on_walkable && is_on_walkable && !(row->state & ACP_STATE_SLEDDING));
    bool is_told = false;
    for (uint32_t i = 0; i < impact->object_count; ++i)
        if (track(&reporter, impact->objects[i])) is_told = true;
    acp_body_end_touches(world, index, false);
    if (body->is_colliding_with_environment)
        body->is_colliding_with_environment = impact->has_environment;
    else if (impact->has_environment || (!was_on_walkable && is_on_walkable))
        is_told = report_environment(&reporter) || is_told;

    uint32_t stationary = ACP_TRANSIENT_STATIONARY_FALL | ACP_TRANSIENT_STATIONARY_STOP | ACP_TRANSIENT_STATIONARY_STUCK;
    uint32_t f = impact->frames_stationary_fall;
    if (f > 1) {
        body->velocity = (acp_vec3){0.0f, 0.0f, 0.0f};
        if (f == 3) {
            row->transient_state &= ~stationary;
            return is_told;
        }
    } else if (can_bounce && impact->has_normal) {
        bounce(row, body, impact->normal);
    }
    if (f == 0)
        row->transient_state &= ~stationary;
    else
        row->transient_state |= f == 1   ? ACP_TRANSIENT_STATIONARY_FALL
                                : f == 2 ? ACP_TRANSIENT_STATIONARY_STOP
                                         : ACP_TRANSIENT_STATIONARY_STUCK;
    return is_told;
}
