/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_GROUPS_H
#define ACP_BODY_GROUPS_H

#include "body/step.h"

/* Which bodies of a tick must be stepped one after another (D9): those whose reach shares a cell, directly or through others. */
typedef struct acp_body_groups {
    acp_allocator allocator;
    uint32_t *parents; /* of a union-find over the bodies of this tick */
    uint32_t count;
    uint32_t capacity;
    uint32_t *tokens; /* open addressing: token + 1, 0 = free */
    uint32_t *owners; /* a body of that token */
    uint32_t token_capacity;
    uint32_t token_count;
    bool is_one; /* everything hangs together, or memory was refused */
} acp_body_groups;

void acp_body_groups_init(acp_body_groups *groups, const acp_allocator *allocator);
void acp_body_groups_free(acp_body_groups *groups);

/* Begins a tick of `count` bodies, each alone. */
void acp_body_groups_begin(acp_body_groups *groups, uint32_t count);
/* The next body of the tick, number i, reaches what its step says: every cell it is registered in, and every cell that its sweep or its
 * registration afterwards could touch. */
void acp_body_groups_add(acp_body_groups *groups, uint32_t i, const acp_world *world, const acp_body_step *step);
/* The group of body i: the smallest number in it. */
uint32_t acp_body_groups_of(acp_body_groups *groups, uint32_t i);

#endif
