/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_FLOOD_H
#define ACP_MEMBERSHIP_FLOOD_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"
#include "acphys/membership.h"
#include "acphys/trace.h"
#include "membership/cell_array.h"
#include "world/world.h"

/* The two floods of spec 04 §2-11 with everything they are made of. All read the world and write only the array and the flood; any number
 * of threads may run them at once, each with its own. Nothing allocates but the array's growth. */

/* Lookups that failed during a flood (MEM-42), as block ids; at most one entry per block. */
typedef struct acp_dependency_list {
    uint32_t *blocks; /* 0xXXYY0000 */
    uint32_t count;
    uint32_t capacity;
    const acp_allocator *allocator;
} acp_dependency_list;

acp_result acp_dependency_list_push(acp_dependency_list *list, uint32_t block_id);
/* Unless it is there. */
acp_result acp_dependency_list_add(acp_dependency_list *list, uint32_t block_id);
void acp_dependency_list_free(acp_dependency_list *list);

/* Whether a block is among some. */
static inline bool acp_has_block_id(const uint32_t *blocks, uint32_t count, uint32_t block_id) {
    for (uint32_t i = 0; i < count; i++)
        if (blocks[i] == block_id) return true;
    return false;
}

/* What one flood works with. Make it with acp_flood_begin. */
typedef struct acp_flood {
    const acp_world *world;
    acp_cell_array *array;
    const acp_trace_sink *trace;       /* null = no explanations */
    acp_dependency_list *dependencies; /* null = not recorded */
    bool *hits_interior_cell;          /* the sphere path's flag; null = no path (MEM-6, MEM-25) */
    uint32_t corrections;              /* ACP_CORRECTION_* */
    const acp_env_cell *refit_cell;    /* the last refit: whose frame, which part, the box */
    const acp_part_row *refit_part;
    acp_box refit_box;
} acp_flood;

/* A flood into `array` without path, trace or dependencies. */
static inline acp_flood acp_flood_begin(const acp_world *world, acp_cell_array *array) {
    acp_flood flood;
    flood.world = world;
    flood.array = array;
    flood.trace = NULL;
    flood.dependencies = NULL;
    flood.hits_interior_cell = NULL;
    flood.corrections = world->corrections;
    flood.refit_cell = NULL;
    flood.refit_part = NULL;
    return flood;
}

/* MEM-6, the path form (MEM-7a). Centres are in the landblock of `cell_id`; `origin` (the position's, for n = 0) too.
 * `out_current` null: not asked. Otherwise: not written when the start cell is absent or n is 0; else the containing cell's id, 0 = none.
 * With flood->hits_interior_cell the path's flag is raised as MEM-6 and MEM-25 say.
 * retail: CObjCell::find_cell_list 0x0052B4E0 */
acp_result acp_find_cell_list(acp_flood *flood, uint32_t cell_id, acp_vec3 origin, uint32_t sphere_count, const acp_sphere *spheres,
                              uint32_t *out_current);

/* MEM-7b: one sphere in object space, unscaled. retail: CObjCell::find_cell_list 0x0052B990 */
acp_result acp_find_cell_list_sphere(acp_flood *flood, const acp_matrix_position *position, const acp_sphere *sphere);

/* MEM-7c: at most the first ten cylspheres, height ignored, unscaled. retail: CObjCell::find_cell_list 0x0052B960 */
acp_result acp_find_cell_list_cylspheres(acp_flood *flood, const acp_matrix_position *position, uint32_t count,
                                         const acp_cylsphere *cylspheres);

/* MEM-29: seeded with `cell` (which must be resident), no pick, no pruning. retail: CPhysicsObj::find_bbox_cell_list 0x00510FC0 */
acp_result acp_find_bbox_cell_list(acp_flood *flood, uint32_t cell_id, uint32_t part_count, const acp_part_row *parts);

/* MEM-13. retail: CLandCell::add_all_outside_cells 0x00533630 */
void acp_add_all_outside_spheres(acp_flood *flood, uint32_t cell_id, acp_vec3 origin, uint32_t sphere_count, const acp_sphere *spheres);

/* MEM-16. retail: CLandCell::add_all_outside_cells 0x00533360 */
void acp_add_all_outside_parts(acp_flood *flood, uint32_t part_count, const acp_part_row *parts);

/* MEM-26 and the land cell's form (spec 04 §7). retail: CEnvCell::find_transit_cells 0x0052C820, CLandCell::find_transit_cells 0x00533800
 */
void acp_find_transit_spheres(acp_flood *flood, acp_cell cell, uint32_t position_cell_id, acp_vec3 origin, uint32_t sphere_count,
                              const acp_sphere *spheres);

/* MEM-26 alone. */
void acp_find_transit_spheres_env(acp_flood *flood, const acp_env_cell *cell, uint32_t position_cell_id, acp_vec3 origin,
                                  uint32_t sphere_count, const acp_sphere *spheres);

/* MEM-27 and the land cell's form. retail: CEnvCell::find_transit_cells 0x0052CAE0, CLandCell::find_transit_cells 0x00533840 */
void acp_find_transit_parts(acp_flood *flood, acp_cell cell, uint32_t part_count, const acp_part_row *parts);

/* MEM-25: `block_cell_id` names the landblock the centres are in (used by ACP_CORRECTION_SPHERE_BLOCK only).
 * retail: CEnvCell::check_building_transit 0x0052C5D0 */
void acp_check_building_transit_spheres(acp_flood *flood, const acp_env_cell *cell, int32_t portal, uint32_t block_cell_id,
                                        uint32_t sphere_count, const acp_sphere *spheres);

/* MEM-25P. retail: CEnvCell::check_building_transit 0x0052C680 */
void acp_check_building_transit_parts(acp_flood *flood, const acp_env_cell *cell, int32_t portal, uint32_t part_count,
                                      const acp_part_row *parts);

/* The arm that MEM-31 chooses. Values are those of the trace. */
typedef enum acp_flood_arm {
    ACP_FLOOD_ARM_NONE = 0,
    ACP_FLOOD_ARM_BOXES = 1,
    ACP_FLOOD_ARM_CYLSPHERES = 2,
    ACP_FLOOD_ARM_SORTING_SPHERE = 3
} acp_flood_arm;

acp_flood_arm acp_flood_choose_arm(const acp_object_row *row, bool is_static);

/* MEM-31 without the registration: resets the array (dynamic or static) and floods by the arm of the row. The row's holder cell seeds the
 * box flood; without one (not resident) the array holds the position's own id as absent (T8).
 * retail: CPhysicsObj::calc_cross_cells 0x00515230, CPhysicsObj::calc_cross_cells_static 0x00515160 */
acp_result acp_flood_object(acp_flood *flood, const acp_object_row *row, bool is_static);

/* §13: the EnvCell that holds a block-local point: the cell itself, else the first resident stab-list cell (search) or portal neighbour.
 * 0 = none. */
uint32_t acp_find_visible_child_cell(const acp_world *world, uint32_t cell_id, acp_vec3 point, bool search_cells);

/* §13: placement's choice of the starting cell; *position is canonicalised in place. *out_cell_id: the cell, 0 when it is not resident.
 * False = fail. retail: CPhysicsObj::AdjustPosition 0x00511D80 */
bool acp_adjust_position(const acp_world *world, acp_matrix_position *position, acp_vec3 low_point, bool search_cells,
                         uint32_t *out_cell_id);

#endif
