/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_REGISTRY_H
#define ACP_MEMBERSHIP_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "membership/flood.h"

/* The shadow registry (spec 04 §12, §14): one membership row per object, an index list each way, nothing else per (object, cell) pair.
 * Order inside a cell: statics by canonical key, then dynamics in order of arrival with swap-remove (MEM-43). World thread for changes,
 * read access for lookups. It is the membership column of a world; made at the first registration. */

/* The objects shadowed into a resident cell, as object indices (see acp_world_row), in list order: what find_obj_collisions walks. Valid
 * until the world changes. */
const uint32_t *acp_registry_cell_objects(const acp_world *world, acp_cell cell, uint32_t *out_count);

/* The cells of an object in cell-array order; entry i is resident iff acp_registry_object_cell_is_resident. */
const uint32_t *acp_registry_object_cells(const acp_world *world, uint32_t object, uint32_t *out_count);
bool acp_registry_object_cell_is_resident(const acp_world *world, uint32_t object, uint32_t i);

/* In a cell, with rows, all of them resident (is_completely_visible). */
bool acp_registry_is_completely_visible(const acp_world *world, uint32_t object);

/* MEM-35 then MEM-34, from an array computed elsewhere (a transition's own, MEM-36), children included. On ACP_ERROR_OUT_OF_MEMORY
 * nothing has changed. retail: CPhysicsObj::add_shadows_to_cells 0x00514AE0 */
acp_result acp_registry_set_cells(acp_world *world, uint32_t object, const acp_cell_array *array);

/* MEM-35: children included. retail: CPhysicsObj::remove_shadows_from_cells 0x00511230 */
void acp_registry_remove(acp_world *world, uint32_t object);

/* MEM-31 with the registration, children included. On ACP_ERROR_OUT_OF_MEMORY neither cells nor dependencies have changed, of any of them.
 * retail: CPhysicsObj::calc_cross_cells 0x00515230 */
acp_result acp_registry_calc_cross_cells(acp_world *world, uint32_t object, bool is_static, const acp_trace_sink *trace);

/* §13 add_obj_to_cell: enters, assigns the frame unchanged, poses, registers statically. On ACP_ERROR_OUT_OF_MEMORY it is where it was. */
acp_result acp_registry_add_to_cell(acp_world *world, uint32_t object, uint32_t cell_id, const acp_matrix_frame *frame);

/* The refresh after a committed move (MEM-36, last part): BSP objects by their boxes, others by the transition's array when it is not
 * empty. The row must already be in its new cell with its new frame. */
acp_result acp_registry_refresh_after_move(acp_world *world, uint32_t object, const acp_cell_array *transition_array);

#endif
