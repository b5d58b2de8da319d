/* SPDX-License-Identifier: MIT */
/* Inserts: testing the check position in its cell and in the others it touches (spec 06 TRN-40..42).
 *
 * insert_into_cell repeats one cell while responses move the candidate; check_other_cells then visits the rest of the flood and decides
 * the containing cell, re-basing id, origin and spheres together (TRN-80e, f); the core loop adds landing, the overlaps that were not
 * approached, and the search for ground under a walking mover.
 * Limits: attempts are the only bound; the nesting is finite because no response steps up while stepping, placing or probing.
 * A containing cell that is not resident is free space: OK with no check cell (TRN-41), unless stepping down.
 * Cost: find_collisions per cell and try; one flood per accepted try. */
#include "transition/insert.h"

#include "place/cell_id.h"
#include "transition/dispatch.h"
#include "transition/slide.h"
#include "transition/step.h"
#include "transition/trace.h"

acp_transition_state acp_transition_insert_into_cell(acp_transition *move, acp_cell cell, uint32_t attempts) {
    if (!acp_cell_exists(cell)) return ACP_TRANSITION_COLLIDED;
    acp_transition_state state = ACP_TRANSITION_OK;
    for (uint32_t i = 0; i < attempts; ++i) {
        state = acp_cell_find_collisions(move, cell);
        if (state == ACP_TRANSITION_OK || state == ACP_TRANSITION_COLLIDED) return state;
        if (state == ACP_TRANSITION_SLID) acp_collision_info_clear_contact(&move->collision);
    }
    return state;
}

void acp_transition_build_cells(acp_transition *move) {
    move->path.hits_interior_cell = false;
    acp_transition_find_cells(move, NULL);
}

acp_transition_state acp_transition_check_other_cells(acp_transition *move, acp_cell current) {
    acp_sphere_path *path = &move->path;
    acp_cell containing = {NULL, 0, 0};
    path->hits_interior_cell = false;
    acp_transition_find_cells(move, &containing);
    acp_transition_state state = ACP_TRANSITION_OK;
    for (uint32_t i = 0; i < move->cells.count; ++i) {
        acp_cell_entry entry = move->cells.items[i];
        if (!entry.is_resident || entry.cell_id == current.cell_id) continue;
        acp_cell cell = acp_world_cell(move->world, entry.cell_id);
        state = acp_cell_find_collisions(move, cell);
        if (state == ACP_TRANSITION_SLID) acp_collision_info_clear_contact(&move->collision);
        if (state == ACP_TRANSITION_SLID || state == ACP_TRANSITION_COLLIDED || state == ACP_TRANSITION_ADJUSTED) return state;
    }
    path->check_cell = containing;
    acp_transition_note(move, ACP_TRACE_MOVE_REBASE, state, 0, (acp_vec3){0.0f, 0.0f, 0.0f}, 0.0f);
    if (acp_cell_exists(containing)) {
        acp_sphere_path_adjust_check(path, containing.cell_id);
        return state;
    }
    if (path->is_stepping_down) return ACP_TRANSITION_COLLIDED;
    acp_matrix_position position = path->check_position; /* TRN-80f */
    if (acp_cell_id_is_outdoor(position.cell_id)) acp_adjust_to_outside(&position.cell_id, &position.frame.origin);
    if (position.cell_id == 0) return ACP_TRANSITION_COLLIDED;
    acp_sphere_path_adjust_check(path, position.cell_id);
    acp_sphere_path_set_check(path, &position, containing);
    return state;
}

acp_transition_state acp_transition_placement_insert(acp_transition *move) {
    if (!acp_cell_exists(move->path.check_cell)) return ACP_TRANSITION_COLLIDED;
    acp_transition_state state = acp_transition_insert_into_cell(move, move->path.check_cell, 3);
    if (state == ACP_TRANSITION_OK) state = acp_transition_check_other_cells(move, move->path.check_cell);
    return state;
}

/* A landing was requested and nothing objected: is there ground to stand on, with room? */
static acp_transition_state land(acp_transition *move, uint32_t attempts) {
    acp_sphere_path *path = &move->path;
    acp_collision_info *collision = &move->collision;
    path->is_landing = false;
    bool is_failed = true;
    if (collision->contact.is_valid && acp_transition_check_walkable(move, ACP_LANDING_Z)) {
        path->backup_insert_type = path->insert_type;
        path->insert_type = ACP_INSERT_PLACEMENT;
        acp_transition_state state = acp_transition_insert(move, attempts);
        path->insert_type = path->backup_insert_type;
        is_failed = state != ACP_TRANSITION_OK;
    }
    acp_walkable_clear(&path->walkable);
    acp_transition_note(move, ACP_TRACE_MOVE_LANDING, is_failed ? ACP_TRANSITION_COLLIDED : ACP_TRANSITION_OK, 1, path->step_up_normal,
                        0.0f);
    if (!is_failed) return ACP_TRANSITION_OK;
    acp_sphere_path_restore_check(path);
    acp_collision_info_clear_contact(collision);
    if (collision->last_known.is_valid) {
        collision->is_velocity_killed = true; /* OCD-85, DIV-46 */
        collision->last_known.is_valid = false;
    } else {
        acp_collision_info_set_collision_normal(collision, path->step_up_normal);
    }
    return ACP_TRANSITION_COLLIDED;
}

/* An overlap that was not approached: step over it or slide along it. */
static acp_transition_state resolve_neg_poly(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    path->has_neg_poly_hit = false;
    if (!path->is_neg_step_up)
        return acp_slide_sphere(move, &path->global_spheres[0], &path->neg_collision_normal, path->global_current_centers[0]);
    if (acp_transition_step_up(move, path->neg_collision_normal)) return ACP_TRANSITION_OK;
    return acp_step_up_slide(move);
}

/* One try: the cell, then the others. */
static acp_transition_state insert_once(acp_transition *move, uint32_t attempts) {
    acp_transition_state state = acp_transition_insert_into_cell(move, move->path.check_cell, attempts);
    if (state == ACP_TRANSITION_OK) {
        state = acp_transition_check_other_cells(move, move->path.check_cell);
        if (state != ACP_TRANSITION_OK) move->path.has_neg_poly_hit = false;
        return state;
    }
    move->path.has_neg_poly_hit = false;
    if (state == ACP_TRANSITION_SLID) acp_collision_info_clear_contact(&move->collision);
    return state;
}

static acp_transition_state insert_all(acp_transition *move, uint32_t attempts) {
    acp_sphere_path *path = &move->path;
    if (!acp_cell_exists(path->check_cell)) return ACP_TRANSITION_OK;
    acp_transition_state state = ACP_TRANSITION_INVALID;
    for (uint32_t i = 0; i < attempts; ++i) {
        state = insert_once(move, attempts);
        if (state == ACP_TRANSITION_COLLIDED) return state;
        if (state != ACP_TRANSITION_OK) continue;
        if (path->is_landing) return land(move, attempts);
        if (path->has_neg_poly_hit && !path->is_stepping_down && !path->is_stepping_up) {
            state = resolve_neg_poly(move);
            continue; /* also when the step up succeeded */
        }
        if (move->collision.contact.is_valid) return ACP_TRANSITION_OK;
        if (!(move->info.state & ACP_OI_CONTACT) || path->is_stepping_down || !acp_cell_exists(path->check_cell) ||
            !move->info.can_step_down)
            return ACP_TRANSITION_OK;

        float height = ACP_SMALL_STEP, limit_z = ACP_LANDING_Z;
        if (move->info.state & ACP_OI_ON_WALKABLE) {
            limit_z = ACP_FLOOR_Z;
            height = move->info.step_down_height;
        }
        path->walkable_allowance = limit_z;
        acp_sphere_path_save_check(path);
        if (acp_transition_settle(move, height, limit_z, &height)) {
            acp_walkable_clear(&path->walkable);
            return ACP_TRANSITION_OK;
        }
        if (acp_transition_edge_slide(move, &state, height, limit_z)) return state;
    }
    return state;
}

acp_transition_state acp_transition_insert(acp_transition *move, uint32_t attempts) {
    ++move->depth;
    acp_transition_state state = insert_all(move, attempts);
    --move->depth;
    acp_transition_note(move, ACP_TRACE_MOVE_INSERT, state, (uint32_t)move->path.insert_type, (acp_vec3){0.0f, 0.0f, 0.0f}, 0.0f);
    return state;
}
