/* SPDX-License-Identifier: MIT */
/* Placement of bodies: SetPosition with its scatter (spec 07 PHO-17..19, 04 MEM-37; D12, D26).
 *
 * One attempt canonicalises the wish, chooses the cell, finds room and commits; a place that is not resident is success and the body is
 * lost. Hooks, storage and corpses are put where they are told (ForceIntoCell). With a scatter flag failures are retried at random
 * offsets of the *wish*, x rolled before y; all attempts share one transition, so leftovers of one reach the next, as in the client.
 * A non-sliding placement may be displaced any distance towards -x and -y (PHO-19): retail's quirk.
 * Cost: one placement per attempt. retail: CPhysicsObj::SetPosition 0x005160C0 */
#include "body/place.h"

#include <math.h>

#include "base/error.h"
#include "body/door.h"
#include "math/finite.h"
#include "membership/flood.h"
#include "membership/registry.h"
#include "transition/mover.h"
#include "transition/sweep.h"

#define MAX_TRIES 65536u

/* MEM-37. */
static acp_result force_into_cell(acp_world *world, uint32_t index, uint32_t cell_id, const acp_matrix_position *position) {
    acp_object_set_frame(world, index, &position->frame);
    if (acp_world_row(world, index)->holder_cell_id == cell_id) return ACP_OK;
    acp_object_change_cell(world, index, cell_id);
    acp_body_find(world, index)->is_in_world = acp_world_row(world, index)->holder_cell_id != 0;
    return acp_registry_calc_cross_cells(world, index, false, NULL);
}

static bool is_forced(const acp_object_row *row) {
    return acp_object_row_has(row, ACP_PREDICATE_HOOK) || acp_object_row_has(row, ACP_PREDICATE_STORAGE) ||
           acp_object_row_has(row, ACP_PREDICATE_CORPSE);
}

static acp_result attempt(acp_world *world, uint32_t index, acp_matrix_position position, uint32_t flags, acp_transition *move,
                          uint32_t *out_answer) {
    acp_object_row *row = acp_world_row(world, index);
    acp_body_row *body = acp_body_of(world, index);
    if (!body) return ACP_ERROR_OUT_OF_MEMORY;
    *out_answer = ACP_PLACED;
    if (row->holder_cell_id == 0) acp_body_prepare_to_enter(row, body);
    uint32_t cell_id = 0;
    acp_adjust_position(world, &position, move->path.local_spheres[0].center, true, &cell_id);
    if (cell_id == 0) {
        acp_body_lose(world, index, body, &position);
        return ACP_OK;
    }
    if (is_forced(row)) return force_into_cell(world, index, cell_id, &position);
    if (flags & ACP_PLACE_DO_NOT_CREATE_CELLS) move->cells.do_not_load_cells = true;
    if (!acp_transition_check_position(move, acp_world_cell(world, cell_id), &position, (flags & ACP_PLACE_SLIDE) != 0)) {
        acp_body_impact impact = acp_body_impact_of(move);
        bool is_told = acp_body_handle_collisions(world, index, &impact, false, false);
        *out_answer = is_told ? ACP_PLACE_COLLIDED : ACP_PLACE_NO_VALID_POSITION;
    } else if (!acp_cell_exists(move->path.current_cell)) {
        *out_answer = ACP_PLACE_NO_CELL;
    } else {
        return acp_body_commit(world, index, move);
    }
    return move->is_out_of_memory ? ACP_ERROR_OUT_OF_MEMORY : ACP_OK;
}

static acp_result scatter(acp_world *world, uint32_t index, const acp_matrix_position *position, const acp_placement *placement,
                          acp_transition *move, uint32_t *out_answer) {
    acp_result result = ACP_OK;
    *out_answer = ACP_PLACE_GENERAL_FAILURE;
    for (uint32_t i = 0; i < placement->tries; ++i) {
        acp_matrix_position spot = *position;
        acp_vec3 *origin = &spot.frame.origin;
        const acp_random_stream *random = placement->random;
        double roll_x = (double)random->next(random->user, -1.0f, 1.0f);
        origin->x = acp_f32(acp_stored(roll_x * (double)placement->x_radius) + (double)origin->x);
        double roll_y = (double)random->next(random->user, -1.0f, 1.0f);
        origin->y = acp_f32(roll_y * (double)placement->y_radius + (double)origin->y);
        result = attempt(world, index, spot, placement->flags, move, out_answer);
        if (result != ACP_OK || *out_answer == ACP_PLACED) break;
    }
    return result;
}

acp_result acp_body_set_position(acp_world *world, acp_transition_context *context, uint32_t index, const acp_matrix_position *position,
                                 const acp_placement *placement, uint32_t *out_answer) {
    *out_answer = ACP_PLACE_GENERAL_FAILURE;
    acp_mover mover;
    acp_result result = acp_body_mover(world, index, &mover);
    if (result != ACP_OK) return result;
    acp_transition *move = acp_transition_acquire(context, world);
    if (!move) return ACP_OK; /* TRN-10: error 1 */
    acp_transition_seed_flags(move, &mover, acp_world_row(world, index), 0);
    if (placement->flags & ACP_PLACE_RANDOM_SCATTER) {
        result = scatter(world, index, position, placement, move, out_answer);
    } else {
        result = attempt(world, index, *position, placement->flags, move, out_answer);
        if (result == ACP_OK && *out_answer != ACP_PLACED && (placement->flags & ACP_PLACE_SCATTER))
            result = scatter(world, index, position, placement, move, out_answer);
    }
    acp_transition_release(context);
    return result;
}

/* D12: the world's own stream, for scatters that bring none. */
static float next_of_world(void *user, float low, float high) { return acp_random_between(user, low, high); }

static acp_result check_placement(const acp_world *world, const acp_transition_context *context, const acp_placement *placement,
                                  const uint32_t *out_answer, acp_error *error) {
    static const char operation[] = "place body";
    if (!world || !context || !placement || !out_answer || placement->struct_size < sizeof *placement)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument or no size");
    if (placement->random && !placement->random->next)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a stream of numbers without its function");
    acp_result result = acp_body_check_frame(&placement->position.frame);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "the position is not finite, or no place of a map");
    if (!isfinite(placement->x_radius) || !isfinite(placement->y_radius))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "the placement is not finite");
    if (placement->tries > MAX_TRIES) return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "more than 65536 tries");
    return ACP_OK;
}

acp_result acp_body_place(acp_world *world, acp_transition_context *context, acp_object object, const acp_placement *placement,
                          uint32_t *out_answer, acp_error *error) {
    static const char operation[] = "place body";
    acp_result result = check_placement(world, context, placement, out_answer, error);
    if (result != ACP_OK) return result;
    acp_body_door door;
    result = acp_body_door_open(world, object, &door);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    if (door.row->parent != ACP_OBJECT_NONE)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a child is where its parent is");
    acp_body_forget_moves(context);
    acp_random_stream own = {&door.column->random, next_of_world};
    acp_placement chosen = *placement;
    if (!chosen.random) chosen.random = &own;
    acp_matrix_position position = acp_matrix_position_from_public(&placement->position);
    result = acp_body_set_position(world, context, door.index, &position, &chosen, out_answer);
    if (result != ACP_OK) return acp_error_set(error, result, operation, "%s", acp_result_name(result));
    return ACP_OK;
}
