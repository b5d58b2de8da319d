/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_MOVER_INFO_H
#define ACP_TRANSITION_MOVER_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/expect.h"
#include "transition/collision_info.h"
#include "transition/constants.h"
#include "transition/sphere_path.h"

/* The mover as the resolver sees it (05 §6, D10). */
typedef struct acp_mover_info {
    const struct acp_object_row *object; /* the mover's own row, or null for one that is in no list */
    bool has_mover;                      /* OCD-11: a transition without a mover collides */
    uint32_t state;                      /* ACP_OI_* */
    uint32_t physics_state;              /* the mover's state word */
    uint32_t predicates;                 /* the bits of OCD-29 of the mover's row */
    uint32_t target_id;                  /* missile target, 0 = none */
    const uint32_t *admitted_by;         /* OCD-29; the caller's, for the duration of the call */
    uint32_t admitted_by_count;
    float scale;
    float step_up_height;
    float step_down_height;
    bool is_ethereal;
    bool can_step_down;
} acp_mover_info;

/* OCD-83. */
static inline bool acp_is_valid_walkable(acp_vec3 normal) { return (double)normal.z >= ACP_FLOOR_Z; }

/* OCD-11, OCD-29: may the mover enter a cell of this restriction object? */
ACP_COLD bool acp_mover_is_admitted(const acp_mover_info *info, const struct acp_object_row *restriction);

/* OCD-86: the lowest point of sphere 0 against one plane. `sphere` is in the block frame of `land_cell_id`.
 * retail: OBJECTINFO::validate_walkable 0x0050D010 */
acp_transition_state acp_validate_walkable(const acp_mover_info *info, const acp_sphere *sphere, const acp_plane *plane, bool is_water,
                                           float water_depth, acp_sphere_path *path, acp_collision_info *collision, uint32_t land_cell_id);

#endif
