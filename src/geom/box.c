/* SPDX-License-Identifier: MIT */
/* Axis-aligned boxes: growing, refitting under a change of frame (spec 03 §4; 04 MEM-20, MEM-23).
 *
 * A refit transforms all eight corners and takes the bounds with strict comparisons in a fixed order, so that ties of zeros keep the sign
 * of the older value; the result is conservative (it grows under rotation). Results are returned by value: the rule that source and
 * destination must be distinct objects (BOX-5) cannot be broken.
 *
 * retail: BBox::InitForAdjust 0x005B1DF0, BBox::AdjustBBox 0x00534150, BBox::LocalToGlobal 0x005B2120, BBox::LocalToLocal 0x005B1E60. */
#include "geom/box.h"

#include <float.h>

#include "math/number.h"
#include "math/vec3.h"

acp_box acp_box_for_adjust(void) {
    acp_box box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    return box;
}

void acp_box_adjust(acp_box *box, acp_vec3 v) {
    if (v.x < box->min.x) box->min.x = v.x;
    if (v.y < box->min.y) box->min.y = v.y;
    if (v.z < box->min.z) box->min.z = v.z;
    if (v.x > box->max.x) box->max.x = v.x;
    if (v.y > box->max.y) box->max.y = v.y;
    if (v.z > box->max.z) box->max.z = v.z;
}

void acp_box_union(acp_box *into, const acp_box *box) {
    if (box->min.x < into->min.x) into->min.x = box->min.x;
    if (box->min.y < into->min.y) into->min.y = box->min.y;
    if (box->min.z < into->min.z) into->min.z = box->min.z;
    if (box->max.x > into->max.x) into->max.x = box->max.x;
    if (box->max.y > into->max.y) into->max.y = box->max.y;
    if (box->max.z > into->max.z) into->max.z = box->max.z;
}

acp_vec3 acp_box_center(const acp_box *box) {
    return acp_vec3_make(((double)box->max.x + (double)box->min.x) * 0.5, ((double)box->max.y + (double)box->min.y) * 0.5,
                         ((double)box->max.z + (double)box->min.z) * 0.5);
}

acp_box acp_box_of_points(const acp_vec3 *points, uint32_t count) {
    acp_box box = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (count == 0) return box;
    box.min = points[0];
    box.max = points[0];
    for (uint32_t i = 1; i < count; i++)
        acp_box_adjust(&box, points[i]);
    return box;
}

/* BOX-5's order of corners. */
static void box_corners(const acp_box *box, acp_vec3 corners[8]) {
    const acp_vec3 n = box->min, x = box->max;
    const acp_vec3 list[8] = {{n.x, n.y, n.z}, {x.x, x.y, x.z}, {x.x, x.y, n.z}, {x.x, n.y, x.z},
                              {n.x, x.y, x.z}, {n.x, x.y, n.z}, {x.x, n.y, n.z}, {n.x, n.y, x.z}};
    for (int i = 0; i < 8; i++)
        corners[i] = list[i];
}

acp_box acp_box_local_to_global(uint32_t to_cell_id, const acp_matrix_position *from, const acp_box *box) {
    acp_vec3 corners[8];
    box_corners(box, corners);
    for (int i = 0; i < 8; i++)
        corners[i] = acp_matrix_position_local_to_global(to_cell_id, from, corners[i]);
    return acp_box_of_points(corners, 8);
}

acp_box acp_box_local_to_local(const acp_matrix_position *to, const acp_matrix_position *from, const acp_box *box) {
    acp_vec3 corners[8];
    box_corners(box, corners);
    for (int i = 0; i < 8; i++)
        corners[i] = acp_matrix_position_local_to_local(to, from, corners[i]);
    return acp_box_of_points(corners, 8);
}

/* The vectors show that this one leaves out the corner (X,Y,Z): a quirk, smaller than the refit whenever that corner decides. */
acp_box acp_box_convert_to_global(const acp_matrix_position *position, const acp_box *box) {
    acp_vec3 corners[8];
    box_corners(box, corners);
    corners[1] = corners[0];
    for (int i = 0; i < 8; i++)
        corners[i] = acp_matrix_position_local_to_global(position->cell_id, position, corners[i]);
    return acp_box_of_points(corners, 8);
}
