/* SPDX-License-Identifier: MIT */
/* Collision info: the planes, normals and objects that one transition has met (spec 06 TRN-3, TRN-30; 05 OCD-51).
 *
 * Contract: a slot of the context's pool owns one of these and hands it to one transition after another. Initialising resets only what
 * retail resets: a plane whose flag is down still holds the numbers of the slot's previous user, and two slides read the last known
 * normal without looking at its flag (OCD-46, OCD-50). Slots start zeroed, so that a fresh context gives reproducible answers (D14).
 * Limits: the list of touched objects grows in the context's memory, see context.c; an object is listed once.
 * Cost: constant; nothing here allocates. */
#include "transition/collision_info.h"

#include "math/vec3.h"

void acp_collision_info_init(acp_collision_info *info) {
    info->contact.is_valid = false;
    info->contact.cell_id = 0;
    info->last_known.is_valid = false;
    info->is_sliding_normal_valid = false;
    info->is_collision_normal_valid = false;
    info->is_collided_with_environment = false;
    info->is_velocity_killed = false;
    info->frames_stationary_fall = 0;
    info->object_count = 0;
    info->last_object = UINT32_MAX;
}

void acp_collision_info_set_collision_normal(acp_collision_info *info, acp_vec3 normal) {
    if (acp_vec3_normalize_check_small(&normal)) normal = (acp_vec3){0.0f, 0.0f, 0.0f};
    info->collision_normal = normal;
    info->is_collision_normal_valid = true;
}

void acp_collision_info_set_sliding_normal(acp_collision_info *info, acp_vec3 normal) {
    normal.z = 0.0f;
    if (acp_vec3_normalize_check_small(&normal)) normal = (acp_vec3){0.0f, 0.0f, 0.0f};
    info->sliding_normal = normal;
    info->is_sliding_normal_valid = true;
}
