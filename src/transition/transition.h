/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_TRANSITION_H
#define ACP_TRANSITION_TRANSITION_H

#include "acphys/transition.h"
#include "geom/bsp_memo.h"
#include "membership/cell_array.h"
#include "transition/collision_info.h"
#include "transition/constants.h"
#include "transition/mover_info.h"
#include "transition/nearby.h"
#include "transition/sphere_path.h"

/* One resolved move or placement in the making (TRN-1): a slot of a context's pool. */
typedef struct acp_transition {
    acp_mover_info info;
    acp_sphere_path path;
    acp_collision_info collision;
    acp_cell_array cells;
    const acp_world *world;          /* read only */
    acp_transition_context *context; /* whose slot this is: memory, trace */
    acp_hit hit;                     /* the last test that was not OK */
    acp_hit blocked_by;              /* the hit of the last blocked sub-step or refused spot */
    uint32_t planned_steps;
    uint32_t taken_steps;
    uint32_t blocked_steps;
    struct {
        uint32_t cell_id; /* the land cell whose ground lies under (x, y), 0 = nothing known */
        float x, y;
    } ground;
    struct {
        bool is_known; /* the flood of this key left `cells` as it is */
        bool has_containing;
        bool hits_interior_cell;
        uint32_t cell_id;
        uint32_t sphere_count;
        acp_vec3 centers[2]; /* radii are the same during a transition */
        uint32_t containing;
    } flood;
    uint32_t depth; /* nesting of inserts, for traces */
    bool is_out_of_memory;
    bool is_too_long;       /* more sub-steps than the context allows */
    acp_bsp_memo misses[2]; /* of the spheres; bsp null = forgotten */
    acp_nearby nearby;      /* last: not part of what a context forgets */
} acp_transition;

/* TRN-11 transition_init: everything but what TRN-2 and TRN-3 let survive. */
void acp_transition_init(acp_transition *move, const acp_world *world);

#endif
