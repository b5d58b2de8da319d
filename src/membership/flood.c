/* SPDX-License-Identifier: MIT */
/* The two floods and which of them an object takes (spec 04 §2, §10, §11), and placement's choice of a cell (§13).
 *
 * A flood seeds an array, then walks it while it grows: each resident cell contributes its neighbours. The sphere flood picks the current
 * cell afterwards (outdoors the last land cell that contains sphere 0, indoors the first EnvCell) and, in static mode and seeded indoors,
 * prunes what the start cell's stab list does not name. The box flood does neither. Land cells of a rectangle whose landblocks have no
 * building contribute nothing after the latch is taken, so the walk skips them in one step: the same result.
 *
 * MEM-31 has two columns that differ in the last row: without BSP and cylspheres a dynamic object floods its sorting sphere, a static one
 * its boxes. The BSP bit is read from the state word as it is (MEM-30, D6). Contract: reads the world only; the array's capacity is all
 * that outlives a flood. Limits: ten cylspheres. Cost: see bench/bench_floods.c.
 *
 * retail: CObjCell::find_cell_list 0x0052B4E0
 * retail: CPhysicsObj::find_bbox_cell_list 0x00510FC0
 * retail: CPhysicsObj::calc_cross_cells 0x00515230
 * retail: CPhysicsObj::calc_cross_cells_static 0x00515160
 * retail: CPhysicsObj::AdjustPosition 0x00511D80
 */
#include "membership/flood.h"

#include "asset/setup.h"
#include "membership/flood_parts.h"
#include "place/cell_id.h"

#define MAX_CYLSPHERES 10u

static acp_result flood_result(const acp_flood *flood) { return flood->array->is_failed ? ACP_ERROR_OUT_OF_MEMORY : ACP_OK; }

/* Whether walking entry i does nothing: a land cell of the rectangle after the latch, on blocks without buildings. Then the index to go on
 * from, else i. */
static uint32_t skip_barren_land(const acp_cell_array *array, uint32_t i) {
    return i >= array->land_begin && i < array->land_end && !array->has_land_buildings ? array->land_end : i;
}

/* MEM-6's pick. */
static uint32_t pick_current(acp_flood *flood, uint32_t cell_id, acp_cell here, acp_vec3 center) {
    uint32_t current = 0;
    if (!acp_cell_is_land(here) && !flood->trace && acp_env_cell_contains_point(acp_cell_env(here), center)) {
        if (flood->hits_interior_cell) *flood->hits_interior_cell = true;
        return cell_id; /* it is the first one of the array */
    }
    for (uint32_t i = 0; i < flood->array->count; i++) {
        acp_cell_entry entry = flood->array->items[i];
        if (!entry.is_resident) continue;
        acp_vec3 q = center;
        if ((cell_id ^ entry.cell_id) >> 16) q = acp_vec3_subtract(center, acp_block_offset(cell_id, entry.cell_id));
        acp_cell cell = acp_world_cell(flood->world, entry.cell_id);
        bool is_inside = acp_cell_contains_point(cell, q);
        if (acp_flood_is_traced(flood)) {
            acp_trace_pick record = {entry.cell_id, is_inside, q, 0};
            acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_PICK, &record, (uint32_t)sizeof record);
        }
        if (!is_inside) continue;
        current = entry.cell_id; /* outdoors the last one wins */
        if (!acp_cell_is_land(cell)) {
            if (flood->hits_interior_cell) *flood->hits_interior_cell = true;
            break; /* indoors the first */
        }
    }
    return current;
}

static bool is_in_stab_list(const acp_env_cell *cell, uint32_t cell_id) {
    for (uint32_t i = 0; i < cell->visible_count; i++)
        if (cell->visible_cells[i] == cell_id) return true;
    return false;
}

/* MEM-6's pruning: ids only, outdoor cells and absent ones too (a quirk: ACP_CORRECTION_KEEP_OUTDOOR). */
static void prune(acp_flood *flood, const acp_env_cell *start) {
    acp_cell_array *array = flood->array;
    for (uint32_t i = 0; i < array->count;) {
        uint32_t id = array->items[i].cell_id;
        bool keeps = id == start->cell_id || is_in_stab_list(start, id) ||
                     ((flood->corrections & ACP_CORRECTION_KEEP_OUTDOOR) && acp_cell_id_is_outdoor(id));
        if (keeps) {
            i++;
            continue;
        }
        if (acp_flood_is_traced(flood)) {
            acp_trace_added record = {id, array->items[i].is_resident, i, 0};
            acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_PRUNED, &record, (uint32_t)sizeof record);
        }
        acp_cell_array_remove(array, i); /* the one moved in is examined next */
    }
}

acp_result acp_find_cell_list(acp_flood *flood, uint32_t cell_id, acp_vec3 origin, uint32_t sphere_count, const acp_sphere *spheres,
                              uint32_t *out_current) {
    acp_cell_array *array = flood->array;
    acp_cell_array_begin_flood(array);
    acp_cell here = acp_world_cell(flood->world, cell_id);
    bool is_here = acp_cell_exists(here);
    if (!is_here && cell_id) acp_flood_note_absent(flood, cell_id);
    if (!acp_cell_id_is_outdoor(cell_id)) {
        if (flood->hits_interior_cell) *flood->hits_interior_cell = true;
        acp_flood_add(flood, cell_id, is_here);
    } else {
        acp_add_all_outside_spheres(flood, cell_id, origin, sphere_count, spheres);
    }
    if (!is_here || !sphere_count) return flood_result(flood);
    const acp_block *block = NULL; /* of the last entry */
    for (uint32_t i = 0; i < array->count; i++) {
        uint32_t id = array->items[i].cell_id;
        if (!array->items[i].is_resident) continue;
        if (!block || (block->block_id ^ id) >> 16) block = acp_world_block(flood->world, id);
        uint32_t k = (id & 0xFFFFu) - 1u;
        if (k >= 64u) {
            acp_find_transit_spheres_env(flood, acp_block_env_cell(block, id), cell_id, origin, sphere_count, spheres);
        } else if (!array->added_outside || (block->building_mask >> k) & 1u) { /* else it has nothing to add */
            acp_cell land = {block, id, 0};
            acp_find_transit_spheres(flood, land, cell_id, origin, sphere_count, spheres);
        }
    }
    if (out_current) *out_current = pick_current(flood, cell_id, here, spheres[0].center);
    if (array->do_not_load_cells && !acp_cell_is_land(here)) prune(flood, acp_cell_env(here));
    return flood_result(flood);
}

acp_result acp_find_cell_list_sphere(acp_flood *flood, const acp_matrix_position *position, const acp_sphere *sphere) {
    acp_sphere global;
    acp_flood_center(position, &sphere->center, &global.center);
    global.radius = sphere->radius;
    return acp_find_cell_list(flood, position->cell_id, position->frame.origin, 1, &global, NULL);
}

acp_result acp_find_cell_list_cylspheres(acp_flood *flood, const acp_matrix_position *position, uint32_t count,
                                         const acp_cylsphere *cylspheres) {
    acp_sphere spheres[MAX_CYLSPHERES];
    if (count > MAX_CYLSPHERES) count = MAX_CYLSPHERES;
    for (uint32_t i = 0; i < count; i++) {
        acp_flood_center(position, &cylspheres[i].low_point, &spheres[i].center);
        spheres[i].radius = cylspheres[i].radius;
    }
    return acp_find_cell_list(flood, position->cell_id, position->frame.origin, count, spheres, NULL);
}

acp_result acp_find_bbox_cell_list(acp_flood *flood, uint32_t cell_id, uint32_t part_count, const acp_part_row *parts) {
    acp_cell_array *array = flood->array;
    acp_cell_array_begin_flood(array);
    acp_cell start = acp_world_cell(flood->world, cell_id);
    if (!acp_cell_exists(start)) {
        /* Retail would fault (DIV-35). The own id is kept, nothing is expanded, the latch counts as taken outdoors (T8). */
        acp_flood_note_absent(flood, cell_id);
        if (cell_id) acp_flood_add(flood, cell_id, false);
        array->added_outside = acp_cell_id_is_outdoor(cell_id);
        return flood_result(flood);
    }
    acp_flood_add(flood, cell_id, true);
    if (!part_count) return flood_result(flood);
    for (uint32_t i = 0; i < array->count; i++) {
        i = skip_barren_land(array, i);
        if (i >= array->count) break;
        if (array->items[i].is_resident && !acp_flood_is_barren(flood, array->items[i].cell_id))
            acp_find_transit_parts(flood, acp_world_cell(flood->world, array->items[i].cell_id), part_count, parts);
    }
    return flood_result(flood);
}

acp_flood_arm acp_flood_choose_arm(const acp_object_row *row, bool is_static) {
    if (row->state & ACP_STATE_HAS_PHYSICS_BSP) return ACP_FLOOD_ARM_BOXES;
    if (row->setup && row->setup->cylsphere_count) return ACP_FLOOD_ARM_CYLSPHERES;
    return is_static ? ACP_FLOOD_ARM_BOXES : ACP_FLOOD_ARM_SORTING_SPHERE;
}

/* The correction of MEM-41 for object-space shapes. */
static float extent(const acp_flood *flood, const acp_object_row *row, float v) {
    return (flood->corrections & ACP_CORRECTION_SCALED_EXTENT) ? acp_f32((double)v * (double)row->scale) : v;
}

static acp_vec3 extent_vec3(const acp_flood *flood, const acp_object_row *row, acp_vec3 v) {
    acp_vec3 out = {extent(flood, row, v.x), extent(flood, row, v.y), extent(flood, row, v.z)};
    return out;
}

static acp_result flood_cylspheres(acp_flood *flood, const acp_object_row *row) {
    if (!(flood->corrections & ACP_CORRECTION_SCALED_EXTENT))
        return acp_find_cell_list_cylspheres(flood, &row->position, row->setup->cylsphere_count, row->setup->cylspheres);
    acp_cylsphere cylspheres[MAX_CYLSPHERES];
    uint32_t count = row->setup->cylsphere_count < MAX_CYLSPHERES ? row->setup->cylsphere_count : MAX_CYLSPHERES;
    for (uint32_t i = 0; i < count; i++) {
        cylspheres[i] = row->setup->cylspheres[i];
        cylspheres[i].low_point = extent_vec3(flood, row, cylspheres[i].low_point);
        cylspheres[i].radius = extent(flood, row, cylspheres[i].radius);
    }
    return acp_find_cell_list_cylspheres(flood, &row->position, count, cylspheres);
}

static acp_result flood_sorting_sphere(acp_flood *flood, const acp_object_row *row) {
    if (row->setup && !(flood->corrections & ACP_CORRECTION_SCALED_EXTENT))
        return acp_find_cell_list_sphere(flood, &row->position, &row->setup->sorting_sphere);
    acp_sphere sphere = {{0.0f, 0.0f, 0.100000001f}, 0.100000001f}; /* the dummy of an object without part array */
    if (row->setup) {
        sphere.center = extent_vec3(flood, row, row->setup->sorting_sphere.center);
        sphere.radius = extent(flood, row, row->setup->sorting_sphere.radius);
    }
    return acp_find_cell_list_sphere(flood, &row->position, &sphere);
}

static void trace_arm(const acp_flood *flood, const acp_object_row *row, acp_flood_arm arm, bool is_static) {
    uint32_t cylspheres = row->setup ? row->setup->cylsphere_count : 0;
    acp_trace_arm record = {(uint32_t)arm,
                            is_static,
                            row->state,
                            row->position.cell_id,
                            row->holder_cell_id != 0,
                            row->part_count,
                            cylspheres < MAX_CYLSPHERES ? cylspheres : MAX_CYLSPHERES,
                            0};
    acp_trace_emit(flood->trace, ACP_TRACE_MEMBERSHIP_ARM, &record, (uint32_t)sizeof record);
}

acp_result acp_flood_object(acp_flood *flood, const acp_object_row *row, bool is_static) {
    acp_flood_arm arm = acp_flood_choose_arm(row, is_static);
    flood->array->do_not_load_cells = is_static;
    if (acp_flood_is_traced(flood)) trace_arm(flood, row, arm, is_static);
    switch (arm) {
    case ACP_FLOOD_ARM_CYLSPHERES:
        return flood_cylspheres(flood, row);
    case ACP_FLOOD_ARM_SORTING_SPHERE:
        return flood_sorting_sphere(flood, row);
    case ACP_FLOOD_ARM_BOXES:
    case ACP_FLOOD_ARM_NONE:
        break;
    }
    uint32_t cell_id = row->holder_cell_id ? row->holder_cell_id : row->position.cell_id;
    return acp_find_bbox_cell_list(flood, cell_id, row->part_count, row->parts);
}

/* --------------------------------------------------------------------------------------------------------- placement's choice */

uint32_t acp_find_visible_child_cell(const acp_world *world, uint32_t cell_id, acp_vec3 point, bool search_cells) {
    acp_cell cell = acp_world_cell(world, cell_id);
    const acp_env_cell *env = acp_cell_env(cell);
    if (!env) return 0;
    if (acp_env_cell_contains_point(env, point)) return cell_id;
    uint32_t count = search_cells ? env->visible_count : env->portal_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = search_cells ? env->visible_cells[i] : env->portals[i].other_cell_id;
        const acp_env_cell *candidate = acp_cell_env(acp_world_cell(world, other));
        if (candidate && acp_env_cell_contains_point(candidate, point)) return other;
    }
    return 0;
}

static bool adjust_outdoors(const acp_world *world, acp_matrix_position *position, uint32_t *out_cell_id) {
    if (!acp_matrix_position_adjust_to_outside(position)) return false;
    *out_cell_id = acp_cell_exists(acp_world_cell(world, position->cell_id)) ? position->cell_id : 0;
    return true;
}

bool acp_adjust_position(const acp_world *world, acp_matrix_position *position, acp_vec3 low_point, bool search_cells,
                         uint32_t *out_cell_id) {
    *out_cell_id = 0;
    if (!acp_cell_id_is_index_in_range(position->cell_id)) return false;
    if (acp_cell_id_is_outdoor(position->cell_id)) return adjust_outdoors(world, position, out_cell_id);
    acp_cell cell = acp_world_cell(world, position->cell_id);
    if (acp_cell_is_land(cell)) return false;
    acp_vec3 point = acp_matrix_position_local_to_global(position->cell_id, position, low_point);
    uint32_t child = acp_find_visible_child_cell(world, position->cell_id, point, search_cells);
    if (child) {
        position->cell_id = child;
        *out_cell_id = child;
        return true;
    }
    return acp_cell_env(cell)->is_seen_outside && adjust_outdoors(world, position, out_cell_id);
}
