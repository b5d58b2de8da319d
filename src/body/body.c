/* SPDX-License-Identifier: MIT */
/* Bodies: the dynamic column of a world (spec 07 PHO-3, PHO-12, PHO-13, PHO-15, PHO-20, PHO-21; D26).
 *
 * Contract: a row exists from the first request until its object or world goes; its address never changes. Defaults are those of a newly
 * constructed object. Losing a body keeps its place, takes it out of every list and says so once; nothing that the host owns is destroyed.
 * Rounding: velocities are stored per component (07 PHO-13). Cost: constant; rows are allocated one at a time, on first use. */
#include "body/body.h"

#include <float.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "body/collide.h"
#include "math/vec3.h"
#include "membership/registry.h"

static void destroy_row(acp_body_column *column, acp_body_row *body) {
    ACP_MEMORY_DELETE_ARRAY(&column->allocator, acp_body_touch, body->touches, body->touch_capacity);
    ACP_MEMORY_DELETE(&column->allocator, acp_body_row, body);
}

static void destroy_column(acp_world *world, void *data) {
    (void)world;
    acp_body_column *column = data;
    for (uint32_t page = 0; page < column->page_count; ++page) {
        if (!column->pages[page]) continue;
        for (uint32_t i = 0; i < ACP_BODY_ROWS_PER_PAGE; ++i)
            if (column->pages[page][i]) destroy_row(column, column->pages[page][i]);
        ACP_MEMORY_DELETE_ARRAY(&column->allocator, acp_body_row *, column->pages[page], ACP_BODY_ROWS_PER_PAGE);
    }
    ACP_MEMORY_DELETE_ARRAY(&column->allocator, acp_body_row **, column->pages, column->page_count);
    acp_event_queue_free(&column->events);
    ACP_MEMORY_DELETE_ARRAY(&column->allocator, acp_matrix_position, column->anchors, column->anchor_capacity);
    ACP_ARRAY_FREE(&column->statics, &column->allocator);
    acp_allocator allocator = column->allocator;
    ACP_MEMORY_DELETE(&allocator, acp_body_column, column);
}

static acp_body_row **slot_of(const acp_body_column *column, uint32_t index) {
    uint32_t page = index / ACP_BODY_ROWS_PER_PAGE;
    if (page >= column->page_count || !column->pages[page]) return NULL;
    return &column->pages[page][index % ACP_BODY_ROWS_PER_PAGE];
}

void acp_body_forget_static(acp_body_column *column, uint32_t index) {
    acp_body_statics *statics = &column->statics;
    for (uint32_t i = 0; i < statics->count; ++i)
        if (statics->items[i] == index) {
            statics->items[i] = statics->items[--statics->count]; /* PHO-6: the last entry moves into the hole */
            return;
        }
}

bool acp_body_remember_static(acp_body_column *column, uint32_t index) {
    return ACP_ARRAY_PUSH(&column->statics, &column->allocator, index) == ACP_OK;
}

static void forget_object(acp_world *world, void *data, uint32_t index) {
    (void)world;
    acp_body_row **slot = slot_of(data, index);
    if (!slot || !*slot) return;
    acp_body_forget_static(data, index);
    destroy_row(data, *slot);
    *slot = NULL;
}

acp_body_column *acp_body_column_of(acp_world *world) {
    acp_world_column *column = &world->columns[ACP_COLUMN_BODY];
    if (!column->data) {
        acp_body_column *made = ACP_MEMORY_NEW(&world->allocator, acp_body_column);
        if (!made) return NULL;
        made->allocator = world->allocator;
        made->events.allocator = world->allocator;
        acp_random_seed(&made->random, 1);
        column->data = made;
        column->destroy = destroy_column;
        column->object_destroyed = forget_object;
    }
    return column->data;
}

/* Room in the directory for the page of `index`. */
static bool ensure_page(acp_body_column *column, uint32_t index) {
    uint32_t page = index / ACP_BODY_ROWS_PER_PAGE;
    if (page >= column->page_count) {
        uint32_t count = column->page_count ? column->page_count : 4u;
        while (count <= page)
            count *= 2u;
        acp_body_row ***pages = ACP_MEMORY_NEW_ARRAY(&column->allocator, acp_body_row **, count);
        if (!pages) return false;
        if (column->page_count) memcpy(pages, column->pages, column->page_count * sizeof *pages);
        ACP_MEMORY_DELETE_ARRAY(&column->allocator, acp_body_row **, column->pages, column->page_count);
        column->pages = pages;
        column->page_count = count;
    }
    if (!column->pages[page]) column->pages[page] = ACP_MEMORY_NEW_ARRAY(&column->allocator, acp_body_row *, ACP_BODY_ROWS_PER_PAGE);
    return column->pages[page] != NULL;
}

acp_body_row *acp_body_find(const acp_world *world, uint32_t index) {
    const acp_body_column *column = world->columns[ACP_COLUMN_BODY].data;
    acp_body_row **slot = column ? slot_of(column, index) : NULL;
    return slot ? *slot : NULL;
}

acp_body_row *acp_body_of(acp_world *world, uint32_t index) {
    acp_body_column *column = acp_body_column_of(world);
    if (!column || !ensure_page(column, index)) return NULL;
    acp_body_row **slot = slot_of(column, index);
    if (!*slot) {
        acp_body_row *body = ACP_MEMORY_NEW(&column->allocator, acp_body_row);
        if (!body) return NULL;
        body->elasticity = ACP_BODY_ELASTICITY;
        body->friction = ACP_BODY_FRICTION;
        body->anchor_distance = FLT_MAX;
        *slot = body;
    }
    return *slot;
}

void acp_body_activate(acp_object_row *row, acp_body_row *body) {
    if (row->state & ACP_STATE_STATIC) return;
    if (!(row->transient_state & ACP_TRANSIENT_ACTIVE)) body->update_time = body->clock;
    row->transient_state |= ACP_TRANSIENT_ACTIVE;
}

void acp_body_row_set_velocity(acp_object_row *row, acp_body_row *body, acp_vec3 velocity) {
    if (!acp_vec3_is_equal(body->velocity, velocity)) {
        body->velocity = velocity;
        if (acp_vec3_length_squared(velocity) > ACP_BODY_MAX_SPEED * ACP_BODY_MAX_SPEED)
            body->velocity = acp_vec3_scale(acp_vec3_normalize(velocity), ACP_BODY_MAX_SPEED);
        body->has_jumped_this_frame = true;
    }
    acp_body_activate(row, body);
}

acp_vec3 acp_body_row_velocity_from_local(const acp_object_row *row, acp_vec3 velocity) {
    const float *m = row->position.frame.m;
    double x = (double)velocity.x, y = (double)velocity.y, z = (double)velocity.z;
    return acp_vec3_make(((double)m[0] * x + (double)m[3] * y) + (double)m[6] * z, ((double)m[1] * x + (double)m[4] * y) + (double)m[7] * z,
                         ((double)m[2] * x + (double)m[5] * y) + (double)m[8] * z);
}

acp_vec3 acp_body_row_local_velocity(const acp_object_row *row, const acp_body_row *body) {
    const float *m = row->position.frame.m;
    double x = (double)body->velocity.x, y = (double)body->velocity.y, z = (double)body->velocity.z;
    return acp_vec3_make(((double)m[1] * y + (double)m[0] * x) + (double)m[2] * z, ((double)m[4] * y + (double)m[3] * x) + (double)m[5] * z,
                         ((double)m[7] * y + (double)m[6] * x) + (double)m[8] * z);
}

void acp_body_calc_acceleration(const acp_object_row *row, acp_body_row *body) {
    uint32_t standing = ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_ON_WALKABLE;
    bool is_standing = (row->transient_state & standing) == standing && !(row->state & ACP_STATE_SLEDDING);
    body->acceleration = (acp_vec3){0.0f, 0.0f, 0.0f};
    if (is_standing)
        body->omega = body->acceleration;
    else if (row->state & ACP_STATE_GRAVITY)
        body->acceleration.z = ACP_BODY_GRAVITY;
}

static void tell(acp_world *world, uint32_t index, uint32_t kind) {
    acp_body_column *column = acp_body_column_of(world);
    if (!column) return;
    acp_event event = {0};
    event.kind = kind;
    event.object = acp_world_handle(world, index);
    event.object_id = acp_world_row(world, index)->object_id;
    event.cell_id = acp_world_row(world, index)->position.cell_id;
    acp_event_queue_push(&column->events, &event);
}

/* PHO-15: LeaveGround and HitGround, as event and hook. */
static void tell_ground(acp_world *world, uint32_t index, bool is_on_walkable) {
    tell(world, index, is_on_walkable ? ACP_EVENT_HIT_GROUND : ACP_EVENT_LEFT_GROUND);
    const acp_locomotion *locomotion = acp_body_locomotion(world);
    void (*hook)(void *, acp_world *, acp_object) = NULL;
    if (locomotion) hook = is_on_walkable ? locomotion->hit_ground : locomotion->left_ground;
    if (hook) hook(locomotion->user, world, acp_world_handle(world, index));
}

void acp_body_set_on_walkable(acp_world *world, uint32_t index, acp_body_row *body, bool is_on_walkable) {
    acp_object_row *row = acp_world_row(world, index);
    bool was = (row->transient_state & ACP_TRANSIENT_ON_WALKABLE) != 0;
    row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ON_WALKABLE;
    if (is_on_walkable) row->transient_state |= ACP_TRANSIENT_ON_WALKABLE;
    if (was != is_on_walkable && body->has_movement_manager) tell_ground(world, index, is_on_walkable);
    acp_body_calc_acceleration(row, body);
}

void acp_body_prepare_to_enter(acp_object_row *row, acp_body_row *body) {
    body->update_time = body->clock;
    body->is_lost = false;
    if (!(row->state & ACP_STATE_STATIC)) row->transient_state |= ACP_TRANSIENT_ACTIVE;
}

void acp_body_tell(acp_world *world, uint32_t index, uint32_t kind) { tell(world, index, kind); }

void acp_body_lose(acp_world *world, uint32_t index, acp_body_row *body, const acp_matrix_position *place) {
    acp_object_row *row = acp_world_row(world, index);
    acp_registry_remove(world, index);
    acp_object_leave_cell(world, index);
    acp_matrix_position stored = *place; /* PHO-20 store_position */
    if (acp_cell_id_is_outdoor(stored.cell_id)) acp_matrix_position_adjust_to_outside(&stored);
    acp_object_set_cell_id(world, index, stored.cell_id);
    acp_object_set_frame(world, index, &stored.frame);
    row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
    body->is_in_world = false;
    if (row->parent == ACP_OBJECT_NONE && !body->is_lost) {
        acp_body_column *column = acp_body_column_of(world);
        body->is_lost = column->may_have_lost = true; /* DIV-47 */
        body->has_expired = false;
        body->lost_time = column->now;
        tell(world, index, ACP_EVENT_LOST);
    }
}

void acp_body_clear_transient(acp_world *world, uint32_t index, acp_body_row *body) {
    acp_object_row *row = acp_world_row(world, index);
    row->transient_state &= ~(uint32_t)ACP_TRANSIENT_CONTACT;
    acp_body_calc_acceleration(row, body);
    bool was_on_walkable = (row->transient_state & ACP_TRANSIENT_ON_WALKABLE) != 0;
    row->transient_state &= 0xFFFFFFF5u;
    if (was_on_walkable && body->has_movement_manager) tell_ground(world, index, false);
    acp_body_calc_acceleration(row, body);
    row->transient_state &= 0xFFFFFE0Bu;
}

void acp_body_end_activity(acp_world *world, uint32_t index, acp_body_row *body) {
    acp_body_end_touches(world, index, true);
    body->is_lost = body->is_in_world = false;
    acp_world_row(world, index)->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
    acp_body_clear_transient(world, index, body);
}
