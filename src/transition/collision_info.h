/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_COLLISION_INFO_H
#define ACP_TRANSITION_COLLISION_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"

/* What a transition has touched (TRN-3). Planes are expressed in the landblock of the cell id beside them. */

/* A plane the mover stands on, or stood on. */
typedef struct acp_contact_plane {
    acp_plane plane;
    uint32_t cell_id;
    bool is_valid;
    bool is_water;
} acp_contact_plane;

typedef struct acp_collision_info {
    acp_contact_plane contact;
    acp_contact_plane last_known;
    acp_vec3 sliding_normal;
    acp_vec3 collision_normal;
    bool is_sliding_normal_valid;
    bool is_collision_normal_valid;
    bool is_collided_with_environment;
    bool is_velocity_killed; /* D11, OCD-85 */
    uint32_t frames_stationary_fall;
    uint32_t object_count;
    uint32_t object_capacity;
    uint32_t *objects;    /* object indices, in the order they were first touched; memory of the context */
    uint32_t last_object; /* UINT32_MAX = none */
} acp_collision_info;

/* TRN-3: zeroes flags, list, last object, contact cell id and the counter. Planes, vectors, water flags and the last known cell id
 * keep what an earlier user of the slot left there. retail: COLLISIONINFO::init 0x00509D60 */
void acp_collision_info_init(acp_collision_info *info);

/* OCD-51: writes plane, validity and water flag; the caller names the cell. */
static inline void acp_collision_info_set_contact(acp_collision_info *info, acp_plane plane, bool is_water, uint32_t cell_id) {
    info->contact.plane = plane;
    info->contact.is_valid = true;
    info->contact.is_water = is_water;
    info->contact.cell_id = cell_id;
}

/* TRN-30 "clear_contact": plane and cell id stay. */
static inline void acp_collision_info_clear_contact(acp_collision_info *info) {
    info->contact.is_valid = false;
    info->contact.is_water = false;
}

/* The normal slides use: the contact plane's, else the last known one's whether or not it is valid (TRN-30). */
static inline acp_vec3 acp_collision_info_ground_normal(const acp_collision_info *info) {
    return info->contact.is_valid ? info->contact.plane.normal : info->last_known.plane.normal;
}

/* OCD-51: too small becomes (0,0,0) and stays valid. */
void acp_collision_info_set_collision_normal(acp_collision_info *info, acp_vec3 normal);

/* TRN-30: z dropped, then normalised; too small becomes (0,0,0) and stays valid. */
void acp_collision_info_set_sliding_normal(acp_collision_info *info, acp_vec3 normal);

#endif
