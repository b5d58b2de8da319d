/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_SCENERY_PLACE_H
#define ACP_POPULATION_SCENERY_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "population/scenery_catalog.h"

/* The pseudo-random functions of one object description (POP-6, POP-7). gx, gy: global vertex coordinates; k: the description's place in
 * its scene. All integers modulo 2^32. */

/* u32 as a fraction of 2^32: exact, in [0, 1). */
static inline double acp_scenery_fraction(uint32_t hash) { return (double)hash * 0x1p-32; }

/* Which of a scene type's `count` scenes grows at the vertex; count > 0. */
uint32_t acp_scenery_choose_scene(uint32_t gx, uint32_t gy, uint32_t count);

/* The draw against the frequency, [0, 1). */
double acp_scenery_frequency_draw(uint32_t gx, uint32_t gy, uint32_t k);

/* Offset from the vertex. retail: ObjectDesc::Place 0x005A5BB0 */
acp_vec3 acp_scenery_place(const acp_scenery_description *description, uint32_t gx, uint32_t gy, uint32_t k);

/* The turned frame at a point. retail: ObjectDesc::GetObjFrame 0x005A5D50 */
acp_matrix_frame acp_scenery_frame(const acp_scenery_description *description, uint32_t gx, uint32_t gy, uint32_t k, acp_vec3 point);

/* The frame that faces uphill. retail: ObjectDesc::ObjAlign 0x005A5E50 */
acp_matrix_frame acp_scenery_align(const acp_scenery_description *description, acp_vec3 normal, acp_vec3 point);

/* retail: ObjectDesc::ScaleObj 0x0052F0C0 */
float acp_scenery_scale(const acp_scenery_description *description, uint32_t gx, uint32_t gy, uint32_t k);

/* retail: ObjectDesc::CheckSlope 0x0052F090 */
static inline bool acp_scenery_is_slope_accepted(const acp_scenery_description *description, float normal_z) {
    return description->min_slope <= normal_z && normal_z <= description->max_slope;
}

/* A description from the record's. Off-unit base rotations keep their numbers and an identity matrix (DAT-38). */
acp_scenery_description acp_scenery_description_from_record(const acp_record_scene_object *record);

#endif
