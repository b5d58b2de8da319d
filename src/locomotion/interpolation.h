/* SPDX-License-Identifier: MIT */
#ifndef ACP_LOCOMOTION_INTERPOLATION_H
#define ACP_LOCOMOTION_INTERPOLATION_H

#include "body/body.h"

/* The queue of places that a body heard of and follows (07b MOT-16). One per body that needs it; the owner's memory. */

#define ACP_INTERPOLATION_LIMIT    20u /* nodes, as the client trims them */
#define ACP_INTERPOLATION_CAPACITY 32u /* far places are appended without trimming */

typedef struct acp_interpolation {
    acp_matrix_position nodes[ACP_INTERPOLATION_CAPACITY]; /* oldest first */
    acp_matrix_position blip_to;
    uint32_t count;
    uint32_t frame_counter;
    uint32_t fail_counter;
    float progress_quantum;
    float original_distance;
    bool keeps_heading;
} acp_interpolation;

/* What it has to know about the body that follows. */
typedef struct acp_interpolation_body {
    acp_world *world;
    uint32_t index;
    bool is_player; /* for the blip distance (07 PHO-23) */
    bool is_stuck;  /* sticky to something */
    float speed;    /* adjusted maximum speed * 2; below epsilon: 7.5 m/s */
} acp_interpolation_body;

/* Empty queue, no failures. */
void acp_interpolation_init(acp_interpolation *interpolation);
/* Forgets the queue; keeps_heading and blip_to stay. */
void acp_interpolation_stop(acp_interpolation *interpolation);

/* A new place to follow. retail: InterpolationManager::InterpolateTo 0x00555B20 */
void acp_interpolation_follow(acp_interpolation *interpolation, const acp_interpolation_body *body, const acp_matrix_position *place,
                              bool keeps_heading);

/* Replaces the frame of a step by one towards the head of the queue; needs contact. retail: InterpolationManager::adjust_offset 0x00555D30
 */
void acp_interpolation_adjust(acp_interpolation *interpolation, const acp_interpolation_body *body, float quantum,
                              acp_matrix_frame *io_offset);

/* Gives up following and jumps, after too many failures. retail: InterpolationManager::UseTime 0x00555F20 */
void acp_interpolation_use_time(acp_interpolation *interpolation, const acp_interpolation_body *body, acp_transition_context *context);

/* PHO-23: how far a place may be from the last one before the body jumps there. */
float acp_blip_distance(uint32_t cell_id, bool is_player);

#endif
