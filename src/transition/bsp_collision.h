/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_BSP_COLLISION_H
#define ACP_TRANSITION_BSP_COLLISION_H

#include "asset/shape.h"
#include "geom/bsp.h"
#include "transition/transition.h"

/* A physics tree against the mover, whose local space must have been cached for its owner (§11.1). Placement inserts of type 2 take the
 * placement routine. retail: BSPTREE::find_collisions 0x0053A440 */
acp_transition_state acp_bsp_respond(acp_transition *move, const acp_bsp *bsp, float scale);

/* OCD-30: one part of an object or a building's shell. retail: CPhysicsPart::find_obj_collisions 0x0050D8D0 */
acp_transition_state acp_part_find_collisions(acp_transition *move, const acp_shape *shape, const acp_matrix_position *position,
                                              float scale);

/* The bounding-sphere test in front of a shape's tree. retail: CGfxObj::find_obj_collisions 0x00534700 */
acp_transition_state acp_shape_find_collisions(acp_transition *move, const acp_shape *shape, float scale);

/* §11.8. retail: BSPTREE::placement_insert 0x00539960 */
acp_transition_state acp_bsp_placement_insert(acp_transition *move, const acp_bsp *bsp);

#endif
