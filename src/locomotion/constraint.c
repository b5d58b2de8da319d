/* SPDX-License-Identifier: MIT */
/* The constraint (spec 07b MOT-18; distances 07 PHO-23).
 *
 * After a server position the body is on a leash: beyond `start` metres of way its steps shrink, beyond `max` they are nothing. What counts
 * is the way made, not the distance, and only with contact does it shrink; the rotation is never touched. Contract: pure. Rounding: the
 * factor and the way are stored. Cost: constant. */
#include "locomotion/constraint.h"

#include "math/vec3.h"

void acp_constraint_begin(acp_constraint *constraint, const acp_matrix_position *own, const acp_matrix_position *place, float start,
                          float max) {
    constraint->is_constrained = true;
    constraint->place = *place;
    constraint->start = start;
    constraint->max = max;
    constraint->offset = acp_f32(acp_matrix_position_distance(place, own));
}

void acp_constraint_adjust(acp_constraint *constraint, bool has_contact, acp_vec3 *io_origin) {
    if (!constraint->is_constrained) return;
    if (has_contact) {
        if (constraint->offset >= constraint->max) {
            *io_origin = (acp_vec3){0.0f, 0.0f, 0.0f};
        } else if (constraint->offset > constraint->start) {
            double left = (double)constraint->max - (double)constraint->offset;
            double factor = acp_stored(left / ((double)constraint->max - (double)constraint->start));
            *io_origin = acp_vec3_scale(*io_origin, factor);
        }
    }
    constraint->offset = acp_f32(acp_vec3_length(*io_origin) + (double)constraint->offset);
}

bool acp_constraint_is_full(const acp_constraint *constraint) { return (double)constraint->max * 0.9 < (double)constraint->offset; }
