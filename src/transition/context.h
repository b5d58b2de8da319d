/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_CONTEXT_H
#define ACP_TRANSITION_CONTEXT_H

#include "transition/transition.h"

#define ACP_TRANSITION_LEVELS 10u

/* The pool behind the public handle (TRN-10, D14). */
struct acp_transition_context {
    acp_allocator host_allocator;
    acp_counting_allocator memory;
    acp_allocator allocator; /* the counting one */
    const acp_trace_sink *trace;
    uint32_t max_sub_steps;
    uint32_t level;
    uint32_t used_levels; /* since the pool was last forgotten */
    acp_transition slots[ACP_TRANSITION_LEVELS];
    acp_object *objects; /* handles of the last result */
    uint32_t *cells;     /* ids of the last result */
    uint32_t object_capacity;
    uint32_t cell_capacity;
};

/* TRN-10: the next slot, initialised; null when ten are in use. The slot stays readable after its release, until the next acquire at that
 * level. retail: CTransition::makeTransition 0x0050B150 */
acp_transition *acp_transition_acquire(acp_transition_context *context, const acp_world *world);
/* Strictly last in, first out. retail: CTransition::cleanupTransition 0x00509DC0 */
void acp_transition_release(acp_transition_context *context);

/* OCD-28. retail: COLLISIONINFO::add_object 0x006B4E20 */
void acp_transition_add_object(acp_transition *move, uint32_t object, acp_transition_state state);

#endif
