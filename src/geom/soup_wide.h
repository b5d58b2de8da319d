/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_WIDE_H
#define ACP_GEOM_SOUP_WIDE_H

#include "geom/soup_format.h"
#include "geom/soup_plan.h"

/* The wide tree of a soup (geom/soup_format.h): writing it, and asking whether anything is on a segment. */

typedef struct acp_soup_wide_source {
    const acp_soup_source *source;
    const acp_soup_plan *plan; /* of eight */
    const uint32_t *ordinals;  /* of the items in their lists */
    const uint32_t *places;    /* of the triangles in the groups of four, by item */
} acp_soup_wide_source;

/* Writes the wide tree into a block whose header says where; plan->item_count > 0. */
void acp_soup_wide_write(const acp_soup_wide_source *from, acp_soup *soup);

/* Is anything on the segment? Both ends are within ACP_SOUP_GREATEST. One answer, in code for any machine and in code for AVX2
 * (geom/lane8.h), which is there only where ACP_LANE8_CAN_AVX2 is 1. */
bool acp_soup_any_plain(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides);
bool acp_soup_any_avx2(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides);

#endif
