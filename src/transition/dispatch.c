/* SPDX-License-Identifier: MIT */
/* Per-cell dispatch: environment, building, objects (spec 05 OCD-10..14, 08 TER-13, TER-15).
 *
 * One cell answers with the first of its tests that is not OK. Only the lower sphere touches terrain, and only the triangle under its low
 * point: the point is brought into the cell's block, and a point that is not over the cell gives OK. A block of nothing but water refuses
 * everybody but viewers and missiles. A building is part 0 of its model and knows none of the object rules. Objects are tested in the
 * cell's list order; the same object is tested once per visited cell.
 * Every object of the list is put to its dispatch, but for those that provably cannot be touched (C4, L4; reach.h, nearby.c); a trace is
 * told of all of them.
 * Cost: one triangle pick, one tree walk for a room or shell, then the objects. */
#include "transition/dispatch.h"

#include <string.h>

#include "geom/bsp.h"
#include "math/vec3.h"
#include "membership/flood.h"
#include "membership/registry.h"
#include "transition/bsp_collision.h"
#include "transition/nearby.h"
#include "transition/reach.h"
#include "transition/trace.h"

void acp_cell_handle_move_restriction(acp_transition *move, acp_cell cell) {
    if (!acp_cell_is_land(cell)) return;
    acp_matrix_position center = acp_cell_position(cell);
    acp_vec3 o = acp_matrix_position_offset(&center, &move->path.current_position);
    acp_vec3 n = {1.0f, 0.0f, 0.0f};
    if ((double)o.y < -ACP_HALF_CELL)
        n = (acp_vec3){0.0f, -1.0f, 0.0f};
    else if ((double)o.y > ACP_HALF_CELL)
        n = (acp_vec3){0.0f, 1.0f, 0.0f};
    else if ((double)o.x < -ACP_HALF_CELL)
        n = (acp_vec3){-1.0f, 0.0f, 0.0f};
    acp_collision_info_set_collision_normal(&move->collision, n);
}

acp_transition_state acp_cell_check_entry(acp_transition *move, acp_cell cell) {
    if (!move->info.has_mover) return ACP_TRANSITION_COLLIDED;
    if (!(move->info.state & ACP_OI_IS_PLAYER)) return ACP_TRANSITION_OK;
    uint32_t restriction_id = acp_cell_restriction_id(cell);
    if (restriction_id == 0 || (move->info.predicates & ACP_PREDICATE_BYPASS_RESTRICTIONS)) return ACP_TRANSITION_OK;
    uint32_t index = acp_world_find_row(move->world, restriction_id);
    if (index == ACP_OBJECT_NONE) return ACP_TRANSITION_COLLIDED;
    const acp_object_row *restriction = acp_world_row(move->world, index);
    if (!(restriction->predicates & ACP_PREDICATE_GAME_OBJECT)) return ACP_TRANSITION_COLLIDED;
    if (acp_mover_is_admitted(&move->info, restriction)) return ACP_TRANSITION_OK;
    acp_cell_handle_move_restriction(move, cell);
    return ACP_TRANSITION_COLLIDED;
}

static void note_environment(acp_transition *move, acp_transition_state state) {
    if (state != ACP_TRANSITION_OK && !(move->info.state & ACP_OI_CONTACT)) move->collision.is_collided_with_environment = true;
}

/* retail: CEnvCell::find_env_collisions 0x0052C130 */
static acp_transition_state env_cell_find_env(acp_transition *move, acp_cell cell, uint32_t *out_kind) {
    acp_transition_state state = acp_cell_check_entry(move, cell);
    if (state != ACP_TRANSITION_OK) {
        *out_kind = ACP_HIT_RESTRICTION;
        return state;
    }
    move->path.is_obstruction_ethereal = false;
    const acp_env_cell *env = acp_cell_env(cell);
    const acp_bsp *bsp = env->structure ? env->structure->bsp : NULL;
    if (!bsp) return ACP_TRANSITION_OK;
    acp_sphere_path_cache_localspace(&move->path, &env->position, 1.0f, false);
    state = acp_bsp_respond(move, bsp, 1.0f);
    note_environment(move, state);
    return state;
}

/* retail: CLandCell::find_env_collisions 0x00532F20 */
static acp_transition_state land_cell_find_env(acp_transition *move, acp_cell cell, uint32_t *out_kind) {
    acp_transition_state state = acp_cell_check_entry(move, cell);
    if (state != ACP_TRANSITION_OK) {
        *out_kind = ACP_HIT_RESTRICTION;
        return state;
    }
    acp_sphere_path *path = &move->path;
    const acp_terrain_block *terrain = cell.block->terrain;
    uint32_t k = (cell.cell_id & 0xFFFFu) - 1u;
    acp_vec3 shift = acp_block_shift(path->check_position.cell_id, cell.cell_id);
    acp_vec3 low = acp_vec3_subtract(path->global_low_point, shift);
    int32_t polygon = acp_terrain_block_find_polygon(terrain, k, low.x, low.y);
    if (polygon < 0) return ACP_TRANSITION_OK;
    move->ground.cell_id = cell.cell_id;
    move->ground.x = low.x;
    move->ground.y = low.y;
    if (terrain->water == ACP_WATER_ENTIRE && !(move->info.state & ACP_OI_IS_VIEWER) && !(move->info.physics_state & ACP_STATE_MISSILE)) {
        *out_kind = ACP_HIT_WATER;
        return ACP_TRANSITION_COLLIDED;
    }
    bool is_water = ((terrain->some_water >> k) & 1u) != 0;
    float depth = is_water ? acp_terrain_block_water_depth(terrain, k, low.x, low.y) : 0.0f;
    acp_sphere sphere = path->global_spheres[0];
    sphere.center = acp_vec3_subtract(sphere.center, shift);
    state = acp_validate_walkable(&move->info, &sphere, &terrain->planes[polygon], is_water, depth, path, &move->collision, cell.cell_id);
    if (state != ACP_TRANSITION_OK) acp_transition_note_polygon(move, (uint32_t)polygon, 0);
    return state;
}

/* OCD-13. retail: CSortCell::find_collisions 0x005340A0, CBuildingObj::find_building_collisions 0x006B5300 */
static acp_transition_state find_building(acp_transition *move, const acp_building *building) {
    if (!building->shell) return ACP_TRANSITION_OK;
    move->path.is_building_check = true;
    acp_transition_state state = acp_part_find_collisions(move, building->shell, &building->shell_position, building->shell_scale);
    move->path.is_building_check = false;
    note_environment(move, state);
    return state;
}

/* OCD-14. retail: CObjCell::find_obj_collisions 0x0052B750 */
static acp_transition_state find_objects(acp_transition *move, acp_cell cell) {
    if (move->path.insert_type == ACP_INSERT_INITIAL_PLACEMENT) return ACP_TRANSITION_OK;
    uint32_t count = 0;
    const uint32_t *objects = acp_registry_cell_objects(move->world, cell, &count);
    if (count == 0) return ACP_TRANSITION_OK;
    bool has_circle = acp_mover_circle_is_valid(&move->path) && !acp_transition_is_traced(move);
    if (has_circle) objects = acp_nearby_objects(move, cell.cell_id, objects, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const acp_object_row *object = acp_world_row_at(move->world, objects[i]);
        if (object->parent != ACP_OBJECT_NONE || object == move->info.object) continue;
        if (has_circle && acp_is_beyond_circle(&move->path, object)) continue;
        acp_transition_state state = acp_object_find_collisions(move, object, objects[i]);
        acp_transition_note_object(move, object, objects[i], cell.cell_id, state);
        if (state != ACP_TRANSITION_OK) return state;
    }
    return ACP_TRANSITION_OK;
}

acp_transition_state acp_cell_find_collisions(acp_transition *move, acp_cell cell) {
    acp_transition_state state;
    if (acp_cell_is_land(cell)) {
        uint32_t kind = ACP_HIT_TERRAIN;
        state = land_cell_find_env(move, cell, &kind);
        acp_transition_note_test(move, kind, cell.cell_id, state);
        if (state != ACP_TRANSITION_OK) return state;
        const acp_building *building = acp_cell_building(cell);
        if (building) {
            state = find_building(move, building);
            acp_transition_note_test(move, ACP_HIT_BUILDING, cell.cell_id, state);
            if (state != ACP_TRANSITION_OK) return state;
        }
    } else {
        uint32_t kind = ACP_HIT_ROOM;
        state = env_cell_find_env(move, cell, &kind);
        acp_transition_note_test(move, kind, cell.cell_id, state);
        if (state != ACP_TRANSITION_OK) return state;
    }
    return find_objects(move, cell);
}

/* The flood of a mover well inside its own land cell, where no building stands, is that cell (MEM-6, MEM-13, MEM-14): every sphere's
 * distance to the cell's lines exceeds its radius, in the flood's own comparisons. False: not that simple. */
static bool find_lone_land_cell(acp_transition *move, acp_cell *out_containing) {
    const acp_sphere_path *path = &move->path;
    acp_cell cell = path->check_cell;
    uint32_t cell_id = path->check_position.cell_id, k = (cell_id & 0xFFFFu) - 1u;
    if (k >= 64u || !acp_cell_exists(cell) || cell.cell_id != cell_id || !acp_cell_is_land(cell) || acp_block_building(cell.block, k))
        return false;
    if (path->sphere_count == 0 || move->cells.capacity == 0) return false;
    double west = (double)(k >> 3) * ACP_CELL_LENGTH, south = (double)(k & 7u) * ACP_CELL_LENGTH;
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        const acp_sphere *sphere = &path->global_spheres[i];
        double low = (double)sphere->radius, high = acp_stored(ACP_CELL_LENGTH - low);
        double x = acp_stored((double)sphere->center.x - west), y = acp_stored((double)sphere->center.y - south);
        if (!(low > 0.001 && x >= low && x <= high && y >= low && y <= high)) return false;
    }
    acp_vec3 center = path->global_spheres[0].center;
    if (out_containing) {
        bool is_known = move->ground.cell_id == cell_id && move->ground.x == center.x && move->ground.y == center.y;
        if (!is_known && acp_terrain_block_find_polygon(cell.block->terrain, k, center.x, center.y) < 0) return false;
        *out_containing = cell;
    }
    move->flood.is_known = false;
    acp_cell_array_begin_flood(&move->cells);
    move->cells.added_outside = true;
    move->cells.items[0].cell_id = cell_id;
    move->cells.items[0].is_resident = 1;
    move->cells.count = 1;
    return true;
}

/* The world does not change during a transition: a flood from the same spheres gives the same array, cell and flag (callers lower
 * hits_interior_cell before every flood). */
static bool is_same_flood(const acp_transition *move, bool has_containing) {
    const acp_sphere_path *path = &move->path;
    if (!move->flood.is_known || move->flood.has_containing != has_containing || path->sphere_count == 0) return false;
    if (move->flood.cell_id != path->check_position.cell_id || move->flood.sphere_count != path->sphere_count) return false;
    return acp_vec3_is_same(move->flood.centers[0], path->global_spheres[0].center) &&
           (path->sphere_count < 2 || acp_vec3_is_same(move->flood.centers[1], path->global_spheres[1].center));
}

void acp_transition_find_cells(acp_transition *move, acp_cell *out_containing) {
    acp_sphere_path *path = &move->path;
    if (acp_cell_id_is_outdoor(path->check_position.cell_id) && find_lone_land_cell(move, out_containing)) return;
    if (is_same_flood(move, out_containing != NULL)) {
        path->hits_interior_cell = move->flood.hits_interior_cell;
        if (out_containing && move->flood.containing != 0) *out_containing = acp_world_cell(move->world, move->flood.containing);
        return;
    }
    acp_flood flood = acp_flood_begin(move->world, &move->cells);
    flood.hits_interior_cell = &path->hits_interior_cell;
    uint32_t containing = 0;
    acp_result result = acp_find_cell_list(&flood, path->check_position.cell_id, path->check_position.frame.origin, path->sphere_count,
                                           path->global_spheres, out_containing ? &containing : NULL);
    if (result != ACP_OK) move->is_out_of_memory = true;
    if (out_containing && containing != 0) *out_containing = acp_world_cell(move->world, containing);
    move->flood.is_known = result == ACP_OK;
    move->flood.has_containing = out_containing != NULL;
    move->flood.hits_interior_cell = path->hits_interior_cell;
    move->flood.cell_id = path->check_position.cell_id;
    move->flood.sphere_count = path->sphere_count;
    for (uint32_t i = 0; i < path->sphere_count; ++i)
        move->flood.centers[i] = path->global_spheres[i].center;
    move->flood.containing = containing;
}
