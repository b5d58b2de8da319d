/* SPDX-License-Identifier: MIT */
#ifndef ACP_LOCOMOTION_CONSTRAINT_H
#define ACP_LOCOMOTION_CONSTRAINT_H

#include <stdbool.h>

#include "place/position.h"

/* What slows a body that runs away from where the server last saw it (07b MOT-18). */
typedef struct acp_constraint {
    acp_matrix_position place; /* remembered, never read */
    float start;               /* metres run before it slows … */
    float max;                 /* … and before it stops */
    float offset;              /* metres run since */
    bool is_constrained;
} acp_constraint;

void acp_constraint_begin(acp_constraint *constraint, const acp_matrix_position *own, const acp_matrix_position *place, float start,
                          float max);
/* Scales the translation of a step down and counts it. retail: ConstraintManager::adjust_offset 0x00556180 */
void acp_constraint_adjust(acp_constraint *constraint, bool has_contact, acp_vec3 *io_origin);
/* MOT-18: within a tenth of the end, constrained or not. */
bool acp_constraint_is_full(const acp_constraint *constraint);

#endif
