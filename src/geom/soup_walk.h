/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_WALK_H
#define ACP_GEOM_SOUP_WALK_H

#include <math.h>
#include <string.h>

#include "geom/soup_format.h"

/* Walking a soup along a segment with a margin (0 for rays, the radius for sweeps): gives the leaves whose boxes the way comes within the
 * margin of, the nearer children of a node first. Four boxes a step, in binary32.
 *
 * Nothing is passed over that an exact test could meet: a box's entry and exit see four roundings each (way, its reciprocal, difference,
 * product), so the exit is taken larger by 2^-20 of itself (eight units for both, twice over); the margin is added to the start and rounded
 * outwards; boxes are wider than their items (soup_format.h), which also keeps a way in the plane of a side apart from it when its
 * direction has a zero there: such a component counts as 1e-18, and the widening times its reciprocal is far beyond the end. */

#define ACP_SOUP_SLACK (1.0f + 0x1p-20f)

typedef struct acp_soup_walk {
    const char *nodes;
    acp_lane4 inverse[3];
    acp_lane4 origin[2][3]; /* of the entry, of the exit */
    size_t bound[2][3];     /* byte offset of the bounds in a node: of the entry, of the exit */
} acp_soup_walk;

/* What waits: a child word and the bits of its entry, which sort like the number. */
typedef struct acp_soup_part {
    uint32_t near;
    uint32_t child;
} acp_soup_part;

typedef struct acp_soup_stack {
    acp_soup_part parts[ACP_SOUP_STACK];
    uint32_t top;
} acp_soup_stack;

static inline uint32_t acp_soup_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float acp_soup_float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define ACP_SOUP_SIGN 0x80000000u

/* 1 / way, one of no more than 1e-18 counting as that; by bits, since nobody can foretell the signs. */
static inline float acp_soup_inverse_of(float way) {
    float size = acp_filter_max(acp_filter_abs(way), 1e-18f);
    return acp_soup_float_of(acp_soup_bits(1.0f / size) | (acp_soup_bits(way) & ACP_SOUP_SIGN));
}

static inline void acp_soup_walk_begin(acp_soup_walk *walk, acp_soup_stack *stack, const acp_soup *soup, acp_vec3 start, acp_vec3 end,
                                       float margin) {
    const float from[3] = {start.x, start.y, start.z}, to[3] = {end.x, end.y, end.z};
    walk->nodes = (const char *)acp_soup_nodes(soup);
    for (int axis = 0; axis < 3; axis++) {
        float way = to[axis] - from[axis];
        uint32_t sign = acp_soup_bits(way) & ACP_SOUP_SIGN;
        size_t down = 3u * (sign >> 31);
        walk->inverse[axis] = acp_lane4_set(acp_soup_inverse_of(way));
        walk->bound[0][axis] = (down + (size_t)axis) * 16u;
        walk->bound[1][axis] = (3u - down + (size_t)axis) * 16u;
        /* Three roundings of no more than a unit each; none when there is no margin. */
        float outward = margin > 0.0f ? margin + (acp_filter_abs(from[axis]) + margin) * 0x1p-21f : 0.0f;
        float along = acp_soup_float_of(acp_soup_bits(outward) ^ sign);
        walk->origin[0][axis] = acp_lane4_set(from[axis] + along);
        walk->origin[1][axis] = acp_lane4_set(from[axis] - along);
    }
    stack->parts[0] = (acp_soup_part){0, soup->root};
    stack->top = soup->root != ACP_SOUP_CHILD_NONE;
}

static inline acp_lane4 acp_soup_crossing(const acp_soup_walk *walk, const char *node, int is_exit, int axis) {
    acp_lane4 bound = acp_lane4_load((const float *)(const void *)(node + walk->bound[is_exit][axis]));
    return acp_lane4_multiply(acp_lane4_subtract(bound, walk->origin[is_exit][axis]), walk->inverse[axis]);
}

/* Ordinal of the lowest bit of a mask of four, not 0. */
static inline uint32_t acp_soup_lowest(uint32_t mask) { return (0x12131210u >> (2u * mask)) & 3u; }

/* Opens a node: gives its nearest child that the way comes within the margin of before `best`, and puts the others onto the stack;
 * ACP_SOUP_CHILD_NONE when there is none. */
static inline uint32_t acp_soup_open_node(const acp_soup_walk *walk, acp_soup_stack *stack, uint32_t child, acp_lane4 best) {
    const acp_soup_node *node = (const acp_soup_node *)(const void *)(walk->nodes + (size_t)(child >> 2) * sizeof(acp_soup_node));
    const char *at = (const char *)node;
    acp_lane4 enter = acp_lane4_max(acp_lane4_max(acp_soup_crossing(walk, at, 0, 0), acp_soup_crossing(walk, at, 0, 1)),
                                    acp_lane4_max(acp_soup_crossing(walk, at, 0, 2), acp_lane4_set(0.0f)));
    acp_lane4 leave = acp_lane4_min(acp_lane4_min(acp_soup_crossing(walk, at, 1, 0), acp_soup_crossing(walk, at, 1, 1)),
                                    acp_lane4_min(acp_soup_crossing(walk, at, 1, 2), best));
    uint32_t mask = acp_lane4_mask_less_equal(enter, acp_lane4_multiply(leave, acp_lane4_set(ACP_SOUP_SLACK)));
    if (mask == 0) return ACP_SOUP_CHILD_NONE;
    uint32_t lane = acp_soup_lowest(mask);
    mask &= mask - 1;
    if (mask == 0) return node->children[lane];
    _Alignas(16) uint32_t near[4];
    acp_lane4_store_bits(near, enter);
    acp_soup_part first = {near[lane], node->children[lane]};
    do {
        lane = acp_soup_lowest(mask);
        acp_soup_part other = {near[lane], node->children[lane]};
        bool is_nearer = other.near < first.near;
        stack->parts[stack->top++] = is_nearer ? first : other;
        first = is_nearer ? other : first;
    } while ((mask &= mask - 1) != 0);
    return first.child;
}

/* The next leaf within reach of [0, best] of the way; ACP_SOUP_CHILD_NONE when there is none. */
static inline uint32_t acp_soup_walk_next(const acp_soup_walk *walk, acp_soup_stack *stack, double best) {
    acp_lane4 limits = acp_lane4_set((float)best);
    uint32_t limit = acp_soup_bits((float)best * ACP_SOUP_SLACK);
    while (stack->top != 0) {
        acp_soup_part part = stack->parts[--stack->top];
        if (part.near > limit) continue;
        while ((part.child & ACP_SOUP_CHILD_KIND) == ACP_SOUP_CHILD_NODE)
            part.child = acp_soup_open_node(walk, stack, part.child, limits);
        if (part.child != ACP_SOUP_CHILD_NONE) return part.child;
    }
    return ACP_SOUP_CHILD_NONE;
}

#endif
