/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_INTEGRATE_H
#define ACP_BODY_INTEGRATE_H

#include "body/body.h"

/* PHO-10: velocity, friction and acceleration over `quantum` seconds move `frame`, angular velocity turns it.
 * retail: CPhysicsObj::UpdatePhysicsInternal 0x00510700 */
void acp_body_integrate(acp_object_row *row, acp_body_row *body, float quantum, acp_matrix_frame *frame);

/* PHO-11: `speed_squared` as stored before. retail: CPhysicsObj::calc_friction 0x0050EE70 */
void acp_body_apply_friction(const acp_object_row *row, acp_body_row *body, float quantum, float speed_squared);

#endif
