/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_DISPATCH_H
#define ACP_TRANSITION_DISPATCH_H

#include "base/expect.h"
#include "transition/transition.h"
#include "world/object.h"

/* OCD-10: environment, building, objects; the first that is not OK ends the cell.
 * retail: CLandCell::find_collisions 0x00532D60, CEnvCell::find_collisions 0x0052C100 */
acp_transition_state acp_cell_find_collisions(acp_transition *move, acp_cell cell);

/* OCD-11. retail: CObjCell::check_entry_restrictions 0x0052B6D0 */
acp_transition_state acp_cell_check_entry(acp_transition *move, acp_cell cell);

/* The normal of a land cell's barrier; EnvCells write nothing. retail: CLandCell::handle_move_restriction 0x00533070 */
ACP_COLD void acp_cell_handle_move_restriction(acp_transition *move, acp_cell cell);

/* OCD-20. retail: CPhysicsObj::FindObjCollisions 0x0050F050 */
acp_transition_state acp_object_find_collisions(acp_transition *move, const acp_object_row *object, uint32_t index);

/* The flood of the path (MEM-7a). `out_containing` null: not asked; else it must hold "no cell" before the call. */
void acp_transition_find_cells(acp_transition *move, acp_cell *out_containing);

#endif
