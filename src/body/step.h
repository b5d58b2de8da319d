/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_STEP_H
#define ACP_BODY_STEP_H

#include "body/body.h"
#include "transition/context.h"

/* One body's step, in three parts so that the middle one may run beside other bodies' (D9): begin and finish change the world, the sweep
 * only reads it. */

typedef struct acp_body_step {
    uint32_t index;
    float quantum;
    bool is_active;             /* there is something to finish */
    bool is_resting;            /* it is proved that nothing changes: nothing to finish */
    bool needs_sweep;           /* begin found a way to go */
    acp_vec3 velocity;          /* after integration; the body gets it in finish */
    acp_matrix_position wish;   /* where it wants to be */
    acp_transition *transition; /* the slot that the sweep took; null = no way, or none was needed */
    acp_result result;          /* LIMIT, OUT_OF_MEMORY: the sweep was given up, the body stays */
} acp_body_step;

/* PHO-8 up to the transition, PHO-9. What others can see of the body stays as it is, but for CHECK_ETHEREAL, which `context` is for. */
void acp_body_step_begin(acp_world *world, acp_transition_context *context, uint32_t index, float quantum, acp_body_step *out_step);
/* PHO-14. Takes a slot of `context` that finish gives back. */
void acp_body_step_sweep(const acp_world *world, acp_transition_context *context, acp_body_step *step);
/* PHO-8 from the transition on: commits, or puts back; then the managers. `context` is the one that swept. */
acp_result acp_body_step_finish(acp_world *world, acp_transition_context *context, acp_body_step *step);

/* The three in a row. retail: CPhysicsObj::UpdateObjectInternal 0x005156B0 */
acp_result acp_body_step_run(acp_world *world, acp_transition_context *context, uint32_t index, float quantum);

/* An update in progress (PHO-7): how much time is left, and whether the last quantum was whole. */
typedef struct acp_body_update {
    acp_body_row *body;
    double left;
    double simulated;
    bool is_short; /* at most one quantum in all */
} acp_body_update;

/* The first half of PHO-7: false when it cannot move at all; looks at the anchors, which may wake it or let it sleep. */
bool acp_body_update_watch(const acp_body_column *column, acp_object_row *row, acp_body_row *body, double now);
/* The second half; false: nothing to simulate (update_time is written then). */
bool acp_body_update_start(acp_body_row *body, double now, acp_body_update *out_update);
/* Both. retail: CPhysicsObj::update_object 0x00515D10 */
bool acp_body_update_begin(acp_world *world, uint32_t index, double now, acp_body_update *out_update);
/* The next quantum, 0 at the end (the body's update_time is written then). Moves the body's clock. */
float acp_body_update_next(acp_body_update *update);

/* A whole update; the first trouble of its sub-steps, which do not stop at it. */
acp_result acp_body_update_run(acp_world *world, acp_transition_context *context, uint32_t index, double now);

/* PHO-8 set_frame: a rotation that is no number becomes 0; parts and children follow. */
void acp_body_set_frame(acp_world *world, uint32_t index, const acp_matrix_frame *frame);

#endif
