/* SPDX-License-Identifier: MIT */
#ifndef ACP_LOCOMOTION_STICKY_H
#define ACP_LOCOMOTION_STICKY_H

#include "body/body.h"

/* A body that stays at another one's heels (07b MOT-17). */
typedef struct acp_sticky {
    acp_matrix_position target; /* last heard of */
    uint32_t target_id;         /* 0 = stuck to nothing */
    float target_radius;
    double deadline; /* body clock */
    bool is_initialized;
} acp_sticky;

/* Sticks for a second from `now`; the place is known at the first target update. */
void acp_sticky_begin(acp_sticky *sticky, uint32_t target_id, float target_radius, double now);
void acp_sticky_end(acp_sticky *sticky);

/* Replaces the translation of a step by one that keeps the gap, and turns towards the target. `max_speed` in metres per second; below
 * epsilon: 15 / 5. retail: StickyManager::adjust_offset 0x00555430 */
void acp_sticky_adjust(const acp_sticky *sticky, const acp_world *world, uint32_t index, double max_speed, float quantum,
                       acp_matrix_frame *io_offset);
/* Lets go after the deadline. */
void acp_sticky_use_time(acp_sticky *sticky, double now);

#endif
