/* SPDX-License-Identifier: MIT */
/* Is anything on a segment through a soup? The door, and the code for any machine (ours, not retail).
 *
 * Contract (acphys/soup.h): the answer is that of acp_soup_segment_first_hit, by the same exact tests. What is done and why it may be
 * stands in geom/soup_any_text.h; here it is made with the lanes every machine of the build has, in geom/soup_any_avx2.c with AVX2. Which
 * of them answers is chosen for each question by what the machine can do; both say the same, since lanes only decide what is beyond
 * doubt. Cost of the choice: one load and one branch. */
#include <stddef.h>

#include "geom/lane8.h"
#include "geom/soup_exact.h"
#include "geom/soup_walk.h"
#include "geom/soup_wide.h"

#define SOUP_ANY(name) name##_plain
#include "geom/soup_any_text.h"

acp_result acp_soup_segment_any_hit(const acp_soup *soup, acp_vec3 start, acp_vec3 end, acp_ray_sides sides, int32_t *out_found) {
    if (soup == NULL || out_found == NULL) return ACP_ERROR_INVALID_ARGUMENT;
    if (!acp_soup_is_in_reach(start) || !acp_soup_is_in_reach(end)) return ACP_ERROR_NOT_FINITE;
#if ACP_LANE8_CAN_AVX2
    if (acp_lane8_has_avx2()) {
        *out_found = acp_soup_any_avx2(soup, start, end, sides);
        return ACP_OK;
    }
#endif
    *out_found = acp_soup_any_plain(soup, start, end, sides);
    return ACP_OK;
}
