/* SPDX-License-Identifier: MIT */
#ifndef ACP_LOCOMOTION_SEQUENCE_H
#define ACP_LOCOMOTION_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "math/frame.h"

/* What plays on a body: a list of animation pieces, links first and a cycle behind, and the motion they give its root (07b MOT-13). */

#define ACP_SEQUENCE_NONE UINT32_MAX

/* An animation as a sequence needs it; borrowed. */
typedef struct acp_animation {
    uint32_t frame_count;
    uint32_t part_count;           /* frames of parts per frame; 0 = none */
    const acp_matrix_frame *roots; /* root motion, one per frame; null = none */
    const acp_matrix_frame *parts; /* part_count per frame */
    const void *data;              /* the host's, for hooks */
} acp_animation;

typedef struct acp_sequence_node {
    const acp_animation *animation;
    int32_t low;
    int32_t high;
    float framerate;
    uint32_t serial; /* number of the node in the order of appending */
} acp_sequence_node;

/* Told about the frames that are left: forwards 1, backwards -1; 0 with a null animation: a node that is no part of the cycle was left. */
typedef struct acp_sequence_sink {
    void *user;
    void (*frame)(void *user, const acp_animation *animation, uint32_t frame, int32_t direction);
} acp_sequence_sink;

typedef struct acp_sequence {
    acp_sequence_node *nodes;
    uint32_t count;
    uint32_t capacity;
    uint32_t current;      /* index or ACP_SEQUENCE_NONE */
    uint32_t first_cyclic; /* index or ACP_SEQUENCE_NONE */
    uint32_t next_serial;
    double frame_number;
    acp_vec3 velocity; /* local, per second */
    acp_vec3 omega;
    acp_allocator allocator;
} acp_sequence;

void acp_sequence_init(acp_sequence *sequence, const acp_allocator *allocator);
void acp_sequence_free(acp_sequence *sequence);

/* To the tail, where it becomes the first cyclic node; the first one starts playing. `high` below 0: the last frame. A null or empty
 * animation is ignored. */
acp_result acp_sequence_append(acp_sequence *sequence, const acp_animation *animation, int32_t low, int32_t high, float framerate);

/* No nodes, no velocity, no omega. */
void acp_sequence_clear(acp_sequence *sequence);
/* The node before the cycle, `count` times; all of them; the cycle itself. */
void acp_sequence_remove_links(acp_sequence *sequence, uint32_t count);
void acp_sequence_remove_all_links(acp_sequence *sequence);
void acp_sequence_remove_cycle(acp_sequence *sequence);
/* Framerates of the cycle. */
void acp_sequence_multiply_cycle(acp_sequence *sequence, float factor);

/* Plays `seconds` on, adds the root motion to `io_frame` (null: none), then drops what has been played. `sink` may be null.
 * retail: CSequence::update 0x00525B80 */
void acp_sequence_update(acp_sequence *sequence, double seconds, acp_matrix_frame *io_frame, const acp_sequence_sink *sink);

/* The frames of the parts now shown and their number; null when nothing plays. */
const acp_matrix_frame *acp_sequence_pose(const acp_sequence *sequence, uint32_t *out_count);

#endif
