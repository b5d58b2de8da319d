/* SPDX-License-Identifier: MIT */
/* Animation sequences as a source of root motion (spec 07b MOT-13).
 *
 * Root motion comes in whole animation frames, when the integer frame number changes: the root frame of each frame that is left, plus the
 * sequence's own velocity for the time of one frame. Without animations, or at framerate 0, it is proportional to the time. Links stand
 * before the first cyclic node and play once, the cycle repeats; what has been played is dropped at the end of an update. Negative
 * framerates play backwards: left frames are subtracted.
 *
 * Contract: animations are borrowed and outlive their nodes; appending may fail for want of memory, then nothing changed. Limits: a cycle
 * of length nothing (one frame left again and again in no time) would never end; a call changes node at most 65,536 times (DIV-92).
 * Rounding: times are binary64; combine is the animation instance of 12. Cost: linear in the frames passed.
 * retail: CSequence::apply_physics 0x00524AB0 */
#include "locomotion/sequence.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "math/vec3.h"

#define MAX_ADVANCES 65536u

void acp_sequence_init(acp_sequence *sequence, const acp_allocator *allocator) {
    memset(sequence, 0, sizeof *sequence);
    sequence->current = sequence->first_cyclic = ACP_SEQUENCE_NONE;
    sequence->allocator = acp_memory_allocator(allocator);
}

void acp_sequence_free(acp_sequence *sequence) {
    acp_array_free(&sequence->nodes, sequence->capacity, sizeof *sequence->nodes, &sequence->allocator);
    acp_allocator allocator = sequence->allocator;
    acp_sequence_init(sequence, &allocator);
}

static double start_of(const acp_sequence_node *node) {
    return node->framerate < 0.0f ? (double)node->high + 1.0 - ACP_EPSILON_F64 : (double)node->low;
}

static double end_of(const acp_sequence_node *node) {
    return node->framerate < 0.0f ? (double)node->low : (double)node->high + 1.0 - ACP_EPSILON_F64;
}

static bool reserve(acp_sequence *sequence) {
    if (sequence->count < sequence->capacity) return true;
    return acp_array_grow(&sequence->nodes, &sequence->capacity, sequence->count, sizeof *sequence->nodes, (uint64_t)sequence->count + 1u,
                          &sequence->allocator) == ACP_OK;
}

acp_result acp_sequence_append(acp_sequence *sequence, const acp_animation *animation, int32_t low, int32_t high, float framerate) {
    if (!animation || animation->frame_count == 0 || animation->frame_count > INT32_MAX) return ACP_OK;
    if (!reserve(sequence)) return ACP_ERROR_OUT_OF_MEMORY;
    int32_t last = (int32_t)animation->frame_count - 1;
    acp_sequence_node *node = &sequence->nodes[sequence->count];
    node->animation = animation;
    node->low = low > last ? last : low < 0 ? 0 : low;
    node->high = high < 0 || high > last ? last : high;
    if (node->high < node->low) node->high = node->low;
    node->framerate = framerate;
    node->serial = sequence->next_serial++;
    sequence->first_cyclic = sequence->count++;
    if (sequence->current == ACP_SEQUENCE_NONE) {
        sequence->current = 0;
        sequence->frame_number = start_of(&sequence->nodes[0]);
    }
    return ACP_OK;
}

void acp_sequence_clear(acp_sequence *sequence) {
    sequence->count = 0;
    sequence->current = sequence->first_cyclic = ACP_SEQUENCE_NONE;
    sequence->frame_number = 0.0;
    sequence->velocity = sequence->omega = (acp_vec3){0.0f, 0.0f, 0.0f};
}

static void play_from_start(acp_sequence *sequence, uint32_t node) {
    sequence->current = node;
    sequence->frame_number = start_of(&sequence->nodes[node]);
}

/* Takes out one node; indices behind it move. The node must not be current. */
static void take_out(acp_sequence *sequence, uint32_t at) {
    --sequence->count;
    memmove(sequence->nodes + at, sequence->nodes + at + 1u, (sequence->count - at) * sizeof *sequence->nodes);
    if (sequence->current != ACP_SEQUENCE_NONE && sequence->current > at) --sequence->current;
    if (sequence->first_cyclic != ACP_SEQUENCE_NONE && sequence->first_cyclic > at) --sequence->first_cyclic;
}

void acp_sequence_remove_links(acp_sequence *sequence, uint32_t count) {
    while (count-- > 0 && sequence->first_cyclic != ACP_SEQUENCE_NONE && sequence->first_cyclic > 0) {
        uint32_t at = sequence->first_cyclic - 1u;
        if (sequence->current == at) play_from_start(sequence, sequence->first_cyclic);
        take_out(sequence, at);
    }
}

void acp_sequence_remove_all_links(acp_sequence *sequence) { acp_sequence_remove_links(sequence, sequence->count); }

void acp_sequence_remove_cycle(acp_sequence *sequence) {
    uint32_t first = sequence->first_cyclic;
    if (first == ACP_SEQUENCE_NONE) return;
    if (sequence->current != ACP_SEQUENCE_NONE && sequence->current >= first) {
        sequence->current = first > 0 ? first - 1u : ACP_SEQUENCE_NONE;
        sequence->frame_number = first > 0 ? end_of(&sequence->nodes[first - 1u]) : 0.0;
    }
    sequence->count = first;
    sequence->first_cyclic = first > 0 ? first - 1u : ACP_SEQUENCE_NONE;
}

void acp_sequence_multiply_cycle(acp_sequence *sequence, float factor) {
    for (uint32_t i = sequence->first_cyclic; i < sequence->count; ++i)
        sequence->nodes[i].framerate = acp_f32((double)sequence->nodes[i].framerate * (double)factor);
}

/* ---- playing ---- */

/* One update at work. */
typedef struct acp_play {
    acp_sequence *sequence;
    acp_matrix_frame *frame; /* null: no root motion */
    const acp_sequence_sink *sink;
} acp_play;

static void apply_physics(const acp_play *play, double seconds, double sign) {
    if (!play->frame) return;
    acp_vec3 v = play->sequence->velocity, w = play->sequence->omega;
    double t = fabs(seconds);
    if (sign < 0.0) t = -t;
    acp_vec3 *o = &play->frame->origin;
    *o = acp_vec3_make(t * (double)v.x + (double)o->x, acp_stored(t * (double)v.y) + (double)o->y,
                       acp_stored(t * (double)v.z) + (double)o->z);
    acp_matrix_frame_rotate(play->frame, acp_vec3_make(t * (double)w.x, t * (double)w.y, t * (double)w.z));
}

static const acp_matrix_frame *root_at(const acp_sequence_node *node, double frame_number) {
    if (!node->animation->roots) return NULL;
    double index = floor(frame_number);
    if (!(index >= 0.0) || index >= (double)node->animation->frame_count) return NULL;
    return &node->animation->roots[(uint32_t)index];
}

/* The root frame of one frame, added or taken away, and the physics of its time. */
static void pass_frame(const acp_play *play, const acp_sequence_node *node, double frame_number, bool is_added, double seconds) {
    if (!play->frame) return;
    const acp_matrix_frame *root = root_at(node, frame_number);
    if (root && is_added)
        acp_matrix_frame_combine_animation(play->frame, play->frame, root);
    else if (root)
        acp_matrix_frame_subtract1(play->frame, play->frame, root);
    double rate = (double)node->framerate;
    if (fabs(rate) > ACP_EPSILON_F64) apply_physics(play, 1.0 / rate, seconds);
}

static void tell(const acp_play *play, const acp_animation *animation, double frame, int32_t direction) {
    if (play->sink && play->sink->frame) play->sink->frame(play->sink->user, animation, (uint32_t)frame, direction);
}

static void go_to_next_node(const acp_play *play, double seconds) {
    acp_sequence *sequence = play->sequence;
    const acp_sequence_node *node = &sequence->nodes[sequence->current];
    bool is_forward = seconds >= 0.0;
    if (is_forward ? node->framerate < 0.0f : node->framerate >= 0.0f) pass_frame(play, node, sequence->frame_number, false, seconds);
    if (is_forward)
        sequence->current = sequence->current + 1u < sequence->count ? sequence->current + 1u : sequence->first_cyclic;
    else
        sequence->current = sequence->current > 0 ? sequence->current - 1u : sequence->count - 1u;
    node = &sequence->nodes[sequence->current];
    sequence->frame_number = is_forward ? start_of(node) : end_of(node);
    if (is_forward ? node->framerate > 0.0f : node->framerate < 0.0f) pass_frame(play, node, sequence->frame_number, true, seconds);
}

/* Plays within the current node; true when it was left, with the time that remains in *io_seconds. */
static bool play_node(const acp_play *play, double *io_seconds) {
    acp_sequence *sequence = play->sequence;
    const acp_sequence_node *node = &sequence->nodes[sequence->current];
    double rate = (double)node->framerate, seconds = *io_seconds, shift = rate * seconds;
    double last = floor(sequence->frame_number), over = 0.0;
    bool is_left = false;
    sequence->frame_number += shift;
    if (shift > 0.0) {
        if (floor(sequence->frame_number) > (double)node->high) {
            over = sequence->frame_number - (double)node->high - 1.0;
            if (over < 0.0) over = 0.0;
            is_left = true;
            sequence->frame_number = (double)node->high;
        }
        for (; last < floor(sequence->frame_number); last += 1.0) {
            pass_frame(play, node, last, true, seconds);
            tell(play, node->animation, last, 1);
        }
    } else if (shift < 0.0) {
        if (floor(sequence->frame_number) < (double)node->low) {
            over = sequence->frame_number - (double)node->low;
            if (over > 0.0) over = 0.0;
            is_left = true;
            sequence->frame_number = (double)node->low;
        }
        for (; last > floor(sequence->frame_number); last -= 1.0) {
            pass_frame(play, node, last, false, seconds);
            tell(play, node->animation, last, -1);
        }
    } else if (fabs(seconds) > ACP_EPSILON_F64) {
        apply_physics(play, seconds, seconds);
    }
    *io_seconds = fabs(rate) <= ACP_EPSILON_F64 ? 0.0 : over / rate;
    return is_left;
}

void acp_sequence_update(acp_sequence *sequence, double seconds, acp_matrix_frame *io_frame, const acp_sequence_sink *sink) {
    acp_play play = {sequence, io_frame, sink};
    if (sequence->count == 0 || sequence->current == ACP_SEQUENCE_NONE) {
        if (sequence->count == 0) apply_physics(&play, seconds, seconds);
        return;
    }
    for (uint32_t advances = 0; advances < MAX_ADVANCES; ++advances) { /* DIV-92 */
        double before = seconds;
        if (!play_node(&play, &seconds)) break;
        if (sequence->first_cyclic != 0) tell(&play, NULL, 0.0, 0);
        go_to_next_node(&play, before);
    }
    while (sequence->current > 0 && sequence->first_cyclic > 0)
        take_out(sequence, 0);
}

const acp_matrix_frame *acp_sequence_pose(const acp_sequence *sequence, uint32_t *out_count) {
    static const acp_matrix_frame none;
    *out_count = 0;
    if (sequence->current == ACP_SEQUENCE_NONE) return NULL;
    const acp_sequence_node *node = &sequence->nodes[sequence->current];
    double index = floor(sequence->frame_number);
    if (!(index >= 0.0) || index >= (double)node->animation->frame_count) return NULL;
    if (!node->animation->parts) return &none;
    *out_count = node->animation->part_count;
    return node->animation->parts + (size_t)index * node->animation->part_count;
}
