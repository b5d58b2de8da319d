/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_WALK_H
#define ACP_GEOM_SOUP_WALK_H

#include <math.h>

#include "geom/soup_format.h"
#include "geom/vector64.h"

/* Walking a soup along a segment with a margin (0 for rays, the radius for sweeps): gives the leaves whose boxes the way comes within the
 * margin of, nearer ones first as a rule. Four boxes a step, in binary32.
 *
 * Nothing is passed over that an exact test could meet: a box's entry and exit are products of at most three roundings, so the exit is
 * taken larger by 2^-21 of itself (three units on each side); the margin is added to the start and rounded outwards; boxes are wider than
 * their items (soup_format.h), which also keeps a way in the plane of a side apart from it when its direction has a zero there: such a
 * component counts as 1e-18, its reciprocal as 1e18, and the widening times that is far beyond the end. */

typedef struct acp_soup_part {
    uint32_t child;
    float near;
} acp_soup_part;

typedef struct acp_soup_walk {
    const acp_soup_node *nodes;
    acp_lane4 inverse[3];
    acp_lane4 origin[2][3]; /* of the entry, of the exit */
    uint32_t side[3];       /* which bounds are entered: 0 low, 1 high */
    uint32_t top;
    acp_soup_part stack[ACP_SOUP_STACK];
} acp_soup_walk;

/* The start shifted by the margin and rounded away from where it was. */
static inline float acp_soup_shifted(double start, double margin) {
    double at = start + margin, outward = (fabs(start) + fabs(margin)) * 0x1p-22;
    return (float)(margin > 0.0 ? at + outward : (margin < 0.0 ? at - outward : at));
}

static inline void acp_soup_walk_begin(acp_soup_walk *walk, const acp_soup *soup, acp_vec3 start, acp_vec3 end, double margin) {
    const float from[3] = {start.x, start.y, start.z}, to[3] = {end.x, end.y, end.z};
    walk->nodes = acp_soup_nodes(soup);
    walk->top = 0;
    if (soup->root != ACP_SOUP_CHILD_NONE) walk->stack[walk->top++] = (acp_soup_part){soup->root, 0.0f};
    for (int axis = 0; axis < 3; axis++) {
        double way = (double)to[axis] - (double)from[axis];
        double sign = way < 0.0 ? -1.0 : 1.0;
        walk->side[axis] = way < 0.0;
        walk->inverse[axis] = acp_lane4_set((float)(fabs(way) > 1e-18 ? 1.0 / way : sign * 1e18));
        walk->origin[0][axis] = acp_lane4_set(acp_soup_shifted((double)from[axis], sign * margin));
        walk->origin[1][axis] = acp_lane4_set(acp_soup_shifted((double)from[axis], -sign * margin));
    }
}

static inline acp_lane4 acp_soup_crossing(const acp_soup_walk *walk, const acp_soup_node *node, uint32_t is_exit, int axis) {
    acp_lane4 bound = acp_lane4_load(node->bounds[walk->side[axis] ^ is_exit][axis]);
    return acp_lane4_multiply(acp_lane4_subtract(bound, walk->origin[is_exit][axis]), walk->inverse[axis]);
}

/* Lanes of a node that the way comes within the margin of before `best`; their entries. */
static inline uint32_t acp_soup_node_test(const acp_soup_walk *walk, const acp_soup_node *node, acp_lane4 best, float near[4]) {
    acp_lane4 enter = acp_lane4_max(acp_lane4_max(acp_soup_crossing(walk, node, 0, 0), acp_soup_crossing(walk, node, 0, 1)),
                                    acp_lane4_max(acp_soup_crossing(walk, node, 0, 2), acp_lane4_set(0.0f)));
    acp_lane4 leave = acp_lane4_min(acp_lane4_min(acp_soup_crossing(walk, node, 1, 0), acp_soup_crossing(walk, node, 1, 1)),
                                    acp_lane4_min(acp_soup_crossing(walk, node, 1, 2), best));
    acp_lane4_store(near, enter);
    return acp_lane4_mask_less_equal(enter, acp_lane4_multiply(leave, acp_lane4_set(1.0f + 0x1p-21f)));
}

/* Ordinal of the lowest bit of a mask of four, not 0. */
static inline uint32_t acp_soup_lowest(uint32_t mask) { return (0x12131210u >> (2u * mask)) & 3u; }

/* The next leaf within reach of [0, best] of the way; ACP_SOUP_CHILD_NONE when there is none. */
static inline uint32_t acp_soup_walk_next(acp_soup_walk *walk, double best) {
    float limit = (float)best;
    acp_lane4 limits = acp_lane4_set(limit);
    limit *= 1.0f + 0x1p-21f;
    while (walk->top != 0) {
        acp_soup_part part = walk->stack[--walk->top];
        if (part.near > limit) continue;
        uint32_t child = part.child;
        while ((child & ACP_SOUP_CHILD_KIND) == ACP_SOUP_CHILD_NODE) {
            const acp_soup_node *node = &walk->nodes[child >> 2];
            _Alignas(16) float near[4];
            uint32_t mask = acp_soup_node_test(walk, node, limits, near);
            if (mask == 0) {
                child = ACP_SOUP_CHILD_NONE;
                break;
            }
            uint32_t first = acp_soup_lowest(mask);
            for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
                uint32_t lane = acp_soup_lowest(mask), later = near[lane] < near[first] ? first : lane;
                first = near[lane] < near[first] ? lane : first;
                walk->stack[walk->top++] = (acp_soup_part){node->children[later], near[later]};
            }
            child = node->children[first];
        }
        if (child != ACP_SOUP_CHILD_NONE) return child;
    }
    return ACP_SOUP_CHILD_NONE;
}

#endif
