/* SPDX-License-Identifier: MIT */
/* Bodies put as they were somewhere in the middle of a run (tool_run_restore.h): for captures that are cut, and for replays that go on
 * after a difference.
 *
 * This writes the rows themselves, which only the library's own tools may: place, cell, words, velocities, planes, clock and the cells of
 * the registry are taken over as they are given, nothing is resolved. Collision partners are found by their names; one that is not there
 * any more is left out. Contract: between steps only. */
#include "tools/acphys/tool_run_restore.h"

#include <string.h>

#include "base/memory.h"
#include "body/body.h"
#include "membership/cell_array.h"
#include "membership/registry.h"

void acp_run_state_read(const acp_run *run, uint32_t object, acp_run_state *out) {
    const acp_world *world = run->world.world;
    uint32_t index = run->objects[object].handle.index1 - 1;
    const acp_object_row *row = acp_world_row(world, index);
    const acp_body_row *body = acp_body_find(world, index);
    memset(out, 0, sizeof *out);
    out->position.cell_id = row->position.cell_id;
    out->position.frame.origin = row->position.frame.origin;
    out->position.frame.rotation = row->position.frame.rotation;
    out->state = row->state;
    out->transient_state = row->transient_state;
    out->cells = acp_registry_object_cells(world, index, &out->cell_count);
    if (!body) return;
    out->velocity = body->velocity;
    out->cached_velocity = body->cached_velocity;
    out->acceleration = body->acceleration;
    out->omega = body->omega;
    out->sliding_normal = body->sliding_normal;
    out->contact_plane = body->contact_plane;
    out->contact_cell_id = body->contact_plane_cell_id;
    out->update_time = body->update_time;
    out->is_latched = body->is_colliding_with_environment;
    out->is_lost = body->is_lost;
    out->is_driven = body->has_movement_manager;
}

static acp_result put_cells(acp_world *world, uint32_t index, const acp_run_state *state) {
    acp_cell_array array;
    acp_result result = ACP_OK;
    acp_registry_remove(world, index);
    if (state->cell_count == 0) return ACP_OK;
    acp_cell_array_init(&array, NULL);
    for (uint32_t i = 0; i < state->cell_count; i++)
        acp_cell_array_add(&array, state->cells[i], acp_world_cell_status(world, state->cells[i]) == ACP_CELL_RESIDENT);
    if (array.is_failed) result = ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK) result = acp_registry_set_cells(world, index, &array);
    acp_cell_array_free(&array);
    return result;
}

acp_result acp_run_state_put(acp_run *run, uint32_t object, const acp_run_state *state) {
    acp_world *world = run->world.world;
    uint32_t index = run->objects[object].handle.index1 - 1;
    acp_object_row *row = acp_world_row(world, index);
    acp_body_row *body = acp_body_of(world, index);
    if (!body) return ACP_ERROR_OUT_OF_MEMORY;
    acp_frame frame = state->position.frame;
    acp_matrix_frame matrix = acp_matrix_frame_from_public(&frame);
    acp_object_leave_cell(world, index);
    row->state = state->state;
    row->transient_state = state->transient_state;
    acp_object_set_cell_id(world, index, state->position.cell_id);
    acp_object_set_frame(world, index, &matrix);
    bool is_resident = acp_world_cell_status(world, state->position.cell_id) == ACP_CELL_RESIDENT;
    if (is_resident) acp_object_enter_cell(world, index, state->position.cell_id);
    body->velocity = state->velocity;
    body->cached_velocity = state->cached_velocity;
    body->acceleration = state->acceleration;
    body->omega = state->omega;
    body->sliding_normal = state->sliding_normal;
    body->contact_plane = state->contact_plane;
    body->contact_plane_cell_id = state->contact_cell_id;
    body->update_time = state->update_time;
    body->clock = state->update_time;
    body->is_colliding_with_environment = state->is_latched;
    body->has_movement_manager = state->is_driven;
    body->is_lost = state->is_lost;
    body->is_in_world = row->holder_cell_id != 0;
    body->is_rest_proved = false;
    return put_cells(world, index, state);
}

acp_result acp_run_restore(acp_run *run, uint32_t object) {
    const acp_scenario_restored *restored = &run->objects[object].body->restored;
    acp_run_state state;
    acp_run_state_read(run, object, &state);
    state.transient_state = restored->transient_state;
    state.velocity = run->objects[object].body->velocity; /* it may have grown beyond what a body can be given */
    state.cached_velocity = restored->cached_velocity;
    state.acceleration = restored->acceleration;
    state.sliding_normal = restored->sliding_normal;
    state.contact_plane = restored->contact_plane;
    state.contact_cell_id = restored->contact_cell_id;
    state.update_time = restored->update_time;
    state.is_latched = restored->is_latched;
    state.is_lost = restored->is_lost;
    state.cells = restored->cells;
    state.cell_count = restored->cell_count;
    acp_result result = acp_run_state_put(run, object, &state);
    acp_body_row *body = acp_body_find(run->world.world, run->objects[object].handle.index1 - 1);
    if (result != ACP_OK || !body) return result;
    body->has_expired = restored->has_expired;
    body->has_jumped_this_frame = restored->has_jumped;
    if (restored->tells_entered) body->is_in_world = restored->has_entered;
    body->lost_time = restored->lost_time;
    body->teleport_stamp = (uint16_t)restored->teleport_stamp;
    body->anchor_offset = restored->anchor_offset;
    body->anchor_distance = restored->anchor_distance;
    acp_body_column *column = acp_body_column_of(run->world.world);
    if (column && body->is_lost) column->may_have_lost = true;
    return ACP_OK;
}

static uint32_t find_named(const acp_run *run, const acp_scenario_text *name) {
    char own[96];
    for (uint32_t i = 0; i < run->scenario->object_count; i++) {
        acp_run_object_name(run, i, own, sizeof own);
        if (run->objects[i].exists && strlen(own) == name->length && memcmp(own, name->text, name->length) == 0) return i;
    }
    return UINT32_MAX;
}

acp_result acp_run_restore_touches(acp_run *run, uint32_t object) {
    const acp_scenario_restored *restored = &run->objects[object].body->restored;
    acp_body_row *body = acp_body_of(run->world.world, run->objects[object].handle.index1 - 1);
    acp_body_column *column = acp_body_column_of(run->world.world);
    if (!body || !column) return ACP_ERROR_OUT_OF_MEMORY;
    if (body->touches) return ACP_ERROR_INTERNAL;
    body->touches = ACP_MEMORY_NEW_ARRAY(&column->allocator, acp_body_touch, restored->touch_count);
    if (!body->touches) return ACP_ERROR_OUT_OF_MEMORY;
    body->touch_capacity = restored->touch_count;
    for (uint32_t i = 0; i < restored->touch_count; i++) {
        const acp_scenario_touch *touch = &restored->touches[i];
        uint32_t other = find_named(run, &touch->body);
        acp_body_touch made = {.object_id = touch->object_id, .is_ethereal = touch->is_ethereal, .time = touch->time};
        if (other == UINT32_MAX) continue;
        made.object = run->objects[other].handle;
        body->touches[body->touch_count++] = made;
    }
    return ACP_OK;
}
