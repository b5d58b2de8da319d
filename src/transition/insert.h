/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_INSERT_H
#define ACP_TRANSITION_INSERT_H

#include "transition/transition.h"

/* TRN-42, the core loop. retail: CTransition::transitional_insert 0x0050B6F0 */
acp_transition_state acp_transition_insert(acp_transition *move, uint32_t attempts);

/* TRN-40. retail: CTransition::insert_into_cell 0x00509E70 */
acp_transition_state acp_transition_insert_into_cell(acp_transition *move, acp_cell cell, uint32_t attempts);

/* TRN-41: the other cells of the array, then the containing cell; re-bases the check position.
 * retail: CTransition::check_other_cells 0x0050AE50 */
acp_transition_state acp_transition_check_other_cells(acp_transition *move, acp_cell current);

/* TRN-66. retail: CTransition::placement_insert 0x0050B1D0 */
acp_transition_state acp_transition_placement_insert(acp_transition *move);

/* TRN-60: the cell array at the check position. */
void acp_transition_build_cells(acp_transition *move);

#endif
