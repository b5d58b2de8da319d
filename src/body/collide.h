/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_COLLIDE_H
#define ACP_BODY_COLLIDE_H

#include "body/body.h"

/* What a transition collected, as the owner's response takes it. */
typedef struct acp_body_impact {
    const uint32_t *objects; /* object indices, in order */
    uint32_t object_count;
    uint32_t frames_stationary_fall;
    acp_vec3 normal;
    bool has_normal;
    bool has_environment;
} acp_body_impact;

/* OCD-90, PHO-16: tables, latch, missile bits, bounce, stationary bits; returns "something was reported".
 * retail: CPhysicsObj::handle_all_collisions 0x00514780 */
bool acp_body_handle_collisions(acp_world *world, uint32_t index, const acp_body_impact *impact, bool had_contact, bool was_on_walkable);

/* PHO-25: partners that remain are told about once more. */
void acp_body_report_touches_again(acp_world *world, uint32_t index);

/* OCD-94. */
void acp_body_end_touches(acp_world *world, uint32_t index, bool is_forced);

#endif
