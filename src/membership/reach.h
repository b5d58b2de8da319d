/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_REACH_H
#define ACP_MEMBERSHIP_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/membership.h"
#include "world/world.h"

/* The reach filter (C4, L4): a candidate in the mover's cells may be skipped only when a bound that contains the whole shape, measured from
 * the shape's own centre, proves it out of reach. Retail has no such filter; its verdict never changes an answer. */

/* The swept ball of a mover: everything its spheres can touch in one query. In the landblock of cell_id. */
typedef struct acp_reach_mover {
    uint32_t cell_id;
    acp_vec3 center;
    float radius; /* sphere radius + path length + every lift, drop and slide the query may make */
} acp_reach_mover;

/* Judges one candidate. `verdict` may be null when only the answer counts. True = must be tested. */
bool acp_reach_is_candidate(const acp_world *world, const acp_reach_mover *mover, const acp_object_row *row,
                            acp_reach_verdict *out_verdict);

#endif
