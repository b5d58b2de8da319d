/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_FLOOD_PARTS_H
#define ACP_MEMBERSHIP_FLOOD_PARTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/trace.h"
#include "math/number.h"
#include "math/vec3.h"
#include "membership/flood.h"

/* What the parts of the floods share. */

/* floor(v / 24) as an integer (WM-6); far beyond the map it stays there instead of wrapping. */
static inline int64_t acp_flood_cells(double v) {
    double quotient = v / ACP_CELL_LENGTH;
    if (!(quotient > -1.0e9)) return -1000000000;
    if (!(quotient < 1.0e9)) return 1000000000;
    int64_t i = (int64_t)quotient;
    return i - (quotient < (double)i);
}

/* Adds and, when somebody listens, tells. */
void acp_flood_add(acp_flood *flood, uint32_t cell_id, bool is_resident);

/* A lookup found nothing: tells, and records the dependency when it can still appear (MEM-42). */
void acp_flood_note_absent(acp_flood *flood, uint32_t cell_id);
void acp_flood_note_absent_block(acp_flood *flood, uint32_t block_id, uint32_t known);

/* MEM-20, 21: box and sphere of a part; scaled only under ACP_CORRECTION_SCALED_EXTENT. False: no sphere. */
acp_box acp_flood_part_box(const acp_flood *flood, const acp_part_row *part);
bool acp_flood_part_sphere(const acp_flood *flood, const acp_part_row *part, acp_sphere *out_sphere);

/* Whether a box, local to the EnvCell, touches its containment tree; tells the deciding plane. */
bool acp_flood_box_touches(const acp_flood *flood, const acp_env_cell *cell, uint32_t subject, const acp_box *box);

/* The same for a sphere whose centre is in the cell's landblock. */
bool acp_flood_sphere_touches(const acp_flood *flood, const acp_env_cell *cell, uint32_t subject, acp_vec3 center, float radius);

/* MEM-23 by terms: exactly acp_box_local_to_local, with the products of the corners shared. */
acp_box acp_flood_refit(const acp_matrix_position *to, const acp_matrix_position *from, const acp_box *box);

static inline bool acp_flood_is_traced(const acp_flood *flood) { return flood->trace != NULL; }

#endif
