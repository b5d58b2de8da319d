/* SPDX-License-Identifier: MIT */
/* The public door of moves and placements (acphys/transition.h; specs 06 TRN-67, TRN-70; 07 PHO-14, PHO-17..19).
 *
 * Everything is checked here and nowhere below: finite numbers, ids, radii, the number of sub-steps. Then one slot of the context's pool
 * is set up, driven and read out; the result's lists are copied into the context so that they survive the slot. A blocked or refused
 * move is a verdict with its reason, never an error.
 * Cost: set-up and read-out are constant; the sweep is sweep.c. Nothing allocates once lists have grown to their size. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "membership/flood.h"
#include "place/cell_id.h"
#include "transition/api.h"
#include "transition/context.h"
#include "transition/mover.h"
#include "transition/sweep.h"
#include "transition/trace.h"
#include "world/object.h"

static bool is_finite_vec3(acp_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static bool is_finite_position(const acp_position *position) {
    const acp_quaternion *q = &position->frame.rotation;
    return is_finite_vec3(position->frame.origin) && isfinite(q->w) && isfinite(q->x) && isfinite(q->y) && isfinite(q->z);
}

acp_result acp_check_position(const acp_position *position, const char *operation, acp_error *error) {
    if (!position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no position");
    if (!is_finite_position(position)) return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "a position is not finite");
    if (!acp_cell_id_is_valid(position->cell_id))
        return acp_error_set(error, ACP_ERROR_INVALID_ID, operation, "0x%08X names no cell", (unsigned)position->cell_id);
    return ACP_OK;
}

static acp_result check_mover(const acp_world *world, const acp_mover *mover, const acp_object_row **out_row, const char *operation,
                              acp_error *error) {
    *out_row = NULL;
    if (mover->struct_size < sizeof *mover || mover->sphere_count > 2 || (mover->admitted_by_count && !mover->admitted_by))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a mover is badly filled in");
    for (uint32_t i = 0; i < mover->sphere_count; ++i) {
        if (!is_finite_vec3(mover->spheres[i].center) || !isfinite(mover->spheres[i].radius))
            return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "sphere %u of the mover is not finite", (unsigned)i);
        if (!(mover->spheres[i].radius > 0.0f))
            return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "sphere %u of the mover has no radius", (unsigned)i);
    }
    if (!isfinite(mover->scale) || !isfinite(mover->step_up_height) || !isfinite(mover->step_down_height) ||
        !is_finite_vec3(mover->velocity) || !is_finite_vec3(mover->sliding_normal) || !is_finite_vec3(mover->contact.plane.normal) ||
        !isfinite(mover->contact.plane.d))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "a mover is not finite");
    if (!(mover->scale > 0.0f) || mover->step_up_height < 0.0f || mover->step_down_height < 0.0f)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "scale or step heights of the mover");
    if (mover->object.index1 != 0) {
        *out_row = acp_world_row_of(world, mover->object, NULL);
        if (!*out_row) return acp_error_set(error, ACP_ERROR_STALE_HANDLE, operation, "the mover's object is gone");
    }
    return ACP_OK;
}

static acp_result refuse_level(const char *operation, acp_error *error) {
    return acp_error_set(error, ACP_ERROR_LIMIT, operation, "ten nested transitions are in use");
}

/* Room for `count` items in one of the result lists. */
static bool reserve(acp_transition_context *context, void **list, uint32_t *capacity, uint32_t count, size_t item_size) {
    if (count <= *capacity) return true;
    uint32_t wanted = 32;
    while (wanted < count)
        wanted *= 2u;
    void *memory = acp_memory_allocate(&context->allocator, wanted * item_size, 8);
    if (!memory) return false;
    acp_memory_free(&context->allocator, *list, *capacity * item_size, 8);
    *list = memory;
    *capacity = wanted;
    return true;
}

static acp_ground_plane plane_out(const acp_contact_plane *plane) {
    acp_ground_plane out = {plane->plane, plane->cell_id, plane->is_valid, plane->is_water};
    return out;
}

static acp_result read_out(acp_transition *move, bool is_found, acp_move_result *out, const char *operation, acp_error *error) {
    acp_transition_context *context = move->context;
    const acp_collision_info *collision = &move->collision;
    if (move->is_too_long)
        return acp_error_set(error, ACP_ERROR_LIMIT, operation, "%u sub-steps, more than %u", (unsigned)move->planned_steps,
                             (unsigned)context->max_sub_steps);
    void *objects = context->objects, *cells = context->cells;
    bool has_room = reserve(context, &objects, &context->object_capacity, collision->object_count, sizeof *context->objects) &&
                    reserve(context, &cells, &context->cell_capacity, move->cells.count, sizeof *context->cells);
    context->objects = objects;
    context->cells = cells;
    if (!has_room || move->is_out_of_memory) {
        bool is_capped = context->memory.counters.bytes_in_use + 4096u > context->memory.byte_limit;
        return acp_error_set(error, is_capped ? ACP_ERROR_LIMIT : ACP_ERROR_OUT_OF_MEMORY, operation, "no memory for the move's lists");
    }
    for (uint32_t i = 0; i < collision->object_count; ++i)
        context->objects[i] = acp_world_handle(move->world, collision->objects[i]);
    for (uint32_t i = 0; i < move->cells.count; ++i)
        context->cells[i] = move->cells.items[i].cell_id;

    memset(out, 0, sizeof *out);
    out->has_position = is_found;
    out->position = acp_matrix_position_to_public(&move->path.current_position);
    out->cell_id = acp_cell_exists(move->path.current_cell) ? move->path.current_cell.cell_id : 0;
    out->mover_state = move->info.state;
    out->contact = plane_out(&collision->contact);
    out->last_known = plane_out(&collision->last_known);
    out->sliding_normal = collision->sliding_normal;
    out->collision_normal = collision->collision_normal;
    out->has_sliding_normal = collision->is_sliding_normal_valid;
    out->has_collision_normal = collision->is_collision_normal_valid;
    out->collided_with_environment = collision->is_collided_with_environment;
    out->velocity_killed = collision->is_velocity_killed;
    out->frames_stationary_fall = collision->frames_stationary_fall;
    out->planned_steps = move->planned_steps;
    out->taken_steps = move->taken_steps;
    out->object_count = collision->object_count;
    out->objects = context->objects;
    out->cell_count = move->cells.count;
    out->cells = context->cells;
    out->hit = move->blocked_by;
    return ACP_OK;
}

/* Whether the current position is still the start. */
static bool is_at(const acp_transition *move, const acp_matrix_position *start) {
    acp_vec3 a = move->path.current_position.frame.origin, b = start->frame.origin;
    return move->path.current_position.cell_id == start->cell_id && a.x == b.x && a.y == b.y && a.z == b.z;
}

acp_result acp_sweep(acp_transition_context *context, const acp_world *world, const acp_mover *mover, const uint32_t *flags,
                     const acp_position *from, const acp_position *to, acp_move_result *out_result, const char *operation,
                     acp_error *error) {
    if (!context || !world || !mover || !out_result) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument");
    const acp_object_row *row;
    acp_result result = acp_check_position(from, operation, error);
    if (result == ACP_OK) result = acp_check_position(to, operation, error);
    if (result == ACP_OK) result = check_mover(world, mover, &row, operation, error);
    if (result != ACP_OK) return result;
    acp_transition *move = acp_transition_acquire(context, world);
    if (!move) return refuse_level(operation, error);

    acp_matrix_position begin = acp_matrix_position_from_public(from), end = acp_matrix_position_from_public(to);
    if (flags)
        acp_transition_seed_flags(move, mover, row, *flags);
    else
        acp_transition_seed(move, mover, row);
    acp_sphere_path_set_ends(&move->path, acp_world_cell(world, from->cell_id), &begin, &end);
    bool is_found = acp_transition_find_valid_position(move);
    acp_transition_note(move, ACP_TRACE_MOVE_END, is_found ? ACP_TRANSITION_OK : ACP_TRANSITION_INVALID, 0,
                        move->collision.collision_normal, 0.0f);
    bool is_clipped = (move->info.state & ACP_OI_PATH_CLIPPED) && move->collision.is_collision_normal_valid;
    bool is_whole = move->blocked_steps == 0 && move->taken_steps == move->planned_steps && !is_clipped;
    if (!is_whole && move->blocked_by.kind == ACP_HIT_NONE) acp_transition_note_reason(move); /* stopped without being thrown back */
    if (!acp_cell_exists(move->path.begin_cell)) {
        move->blocked_by = (acp_hit){0};
        move->blocked_by.kind = ACP_HIT_NO_CELL;
        move->blocked_by.cell_id = from->cell_id;
    }
    result = read_out(move, is_found, out_result, operation, error);
    if (result == ACP_OK) {
        if (!is_found)
            out_result->verdict = ACP_MOVE_REFUSED;
        else if (is_whole)
            out_result->verdict = ACP_MOVE_REACHED;
        else
            out_result->verdict = is_at(move, &begin) ? ACP_MOVE_BLOCKED : ACP_MOVE_HINDERED;
    }
    acp_transition_release(context);
    return result;
}

acp_result acp_move(acp_transition_context *context, const acp_world *world, const acp_mover *mover, const acp_position *from,
                    const acp_position *to, acp_move_result *out_result, acp_error *error) {
    return acp_sweep(context, world, mover, NULL, from, to, out_result, "move", error);
}

acp_result acp_move_with_flags(acp_transition_context *context, const acp_world *world, const acp_mover *mover, uint32_t mover_flags,
                               const acp_position *from, const acp_position *to, acp_move_result *out_result, acp_error *error) {
    return acp_sweep(context, world, mover, &mover_flags, from, to, out_result, "move with flags", error);
}

acp_result acp_place(acp_transition_context *context, const acp_world *world, const acp_mover *mover, const acp_position *at,
                     int32_t can_slide, acp_move_result *out_result, acp_error *error) {
    static const char operation[] = "place";
    if (!context || !world || !mover || !out_result) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument");
    const acp_object_row *row;
    acp_result result = acp_check_position(at, operation, error);
    if (result == ACP_OK) result = check_mover(world, mover, &row, operation, error);
    if (result != ACP_OK) return result;
    acp_transition *move = acp_transition_acquire(context, world);
    if (!move) return refuse_level(operation, error);

    acp_matrix_position place = acp_matrix_position_from_public(at);
    acp_transition_seed_flags(move, mover, row, 0);
    uint32_t cell_id = 0;
    bool is_adjusted = acp_adjust_position(world, &place, move->path.local_spheres[0].center, true, &cell_id);
    bool is_found = false;
    if (cell_id != 0) {
        is_found = acp_transition_check_position(move, acp_world_cell(world, cell_id), &place, can_slide != 0);
        if (!is_found && move->blocked_by.kind == ACP_HIT_NONE) move->blocked_by = move->hit;
    } else {
        acp_sphere_path_set_ends(&move->path, (acp_cell){NULL, 0, 0}, NULL, &place);
        move->blocked_by.kind = is_adjusted || place.cell_id != 0 ? ACP_HIT_NO_CELL : ACP_HIT_OUTSIDE_MAP;
        move->blocked_by.cell_id = at->cell_id;
    }
    acp_transition_note(move, ACP_TRACE_MOVE_END, is_found ? ACP_TRANSITION_OK : ACP_TRANSITION_INVALID, 0,
                        move->collision.collision_normal, 0.0f);
    result = read_out(move, is_found, out_result, operation, error);
    if (result == ACP_OK) {
        out_result->verdict = is_found ? (is_at(move, &place) ? ACP_MOVE_REACHED : ACP_MOVE_HINDERED) : ACP_MOVE_REFUSED;
        if (out_result->verdict == ACP_MOVE_REACHED) out_result->hit.kind = ACP_HIT_NONE;
    }
    acp_transition_release(context);
    return result;
}
