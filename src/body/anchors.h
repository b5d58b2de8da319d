/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_ANCHORS_H
#define ACP_BODY_ANCHORS_H

#include <math.h>
#include <stdint.h>

#include "math/number.h"
#include "math/vec3.h"
#include "place/position.h"

/* How far a body is from its anchors (PHO-7): the one measure that every body costs in every tick in which an anchor moved, so in line.
 *
 * The way from block to block is a multiple of 192 m of at most 48,960 m, which a binary32 holds: the store of acp_block_offset rounds
 * nothing, and in one block the way is +0 in both. So the bits are those of acp_matrix_position_offset for every two places that are in a
 * cell; tests/unit/test_body_anchors.c compares them for every pair of columns and of rows of blocks. */

/* Neither id may be 0. */
static inline acp_vec3 acp_body_anchor_offset(const acp_matrix_position *anchor, const acp_matrix_position *place) {
    int32_t blocks_x = (int32_t)(place->cell_id >> 24) - (int32_t)(anchor->cell_id >> 24);
    int32_t blocks_y = (int32_t)(place->cell_id >> 16 & 0xFFu) - (int32_t)(anchor->cell_id >> 16 & 0xFFu);
    double x = 192.0 * (double)blocks_x + (double)place->frame.origin.x;
    double y = acp_stored(192.0 * (double)blocks_y + (double)place->frame.origin.y);
    double z = acp_stored(0.0 + (double)place->frame.origin.z);
    const acp_vec3 *from = &anchor->frame.origin;
    return acp_vec3_make(x - (double)from->x, y - (double)from->y, z - (double)from->z);
}

/* The distance to the nearest of `count` > 0 anchors, the first of equals, unrounded. Squares that are no less have roots that are no
 * less, so a root is taken of those alone that may be nearer. */
static inline double acp_body_nearest_anchor(const acp_matrix_position *anchors, uint32_t count, const acp_matrix_position *place,
                                             acp_vec3 *out_offset) {
    acp_vec3 nearest = acp_body_anchor_offset(&anchors[0], place);
    double square = acp_vec3_length_squared(nearest), distance = sqrt(square);
    for (uint32_t i = 1; i < count; ++i) {
        acp_vec3 offset = acp_body_anchor_offset(&anchors[i], place);
        double other = acp_vec3_length_squared(offset);
        if (!(other < square)) continue;
        double nearer = sqrt(other);
        if (!(nearer < distance)) continue;
        nearest = offset;
        square = other;
        distance = nearer;
    }
    *out_offset = nearest;
    return distance;
}

#endif
