/* SPDX-License-Identifier: MIT */
/* Integration: what velocity, friction, gravity and spin do to a body's frame in one quantum (spec 07 PHO-10, PHO-11; 12 "Physics update").
 *
 * The order is retail's: clamp to 50 m/s, friction, small-velocity rule (by the speed from before friction), displacement with the velocity
 * from before the acceleration, then the acceleration is added to the velocity, also at rest. So a body dropped in the air moves one step
 * later. The three axes round differently; the stores are those of spec 12. Friction acts on walkable ground only and not while leaving it.
 *
 * Contract: writes velocity and the ACTIVE bit, nothing else of the row. Limits: none; what is not finite stays so. Cost: some forty
 * multiplications, one power with friction, one turn with an angular velocity. */
#include "body/integrate.h"

#include "math/trig.h"
#include "math/vec3.h"

#define SMALL_SPEED_SQUARED 0.0625
#define MAX_SPEED_SQUARED   2500.0
#define LEAVING_SPEED       0.25
#define SLED_SLOW_SQUARED   1.5625
#define SLED_MIDDLE_SQUARED 6.25
#define SLED_SLOPE          0.98480775301220802 /* cos 10 degrees */
#define SLED_FRICTION       0x1.99999ap-3f      /* 0.200000003 */

static float friction_of(const acp_object_row *row, const acp_body_row *body, float speed_squared) {
    if (!(row->state & ACP_STATE_SLEDDING)) return body->friction;
    if ((double)speed_squared < SLED_SLOW_SQUARED) return 1.0f;
    if ((double)speed_squared < SLED_MIDDLE_SQUARED || SLED_SLOPE <= (double)body->contact_plane.normal.z) return body->friction;
    return SLED_FRICTION;
}

void acp_body_apply_friction(const acp_object_row *row, acp_body_row *body, float quantum, float speed_squared) {
    if (!(row->transient_state & ACP_TRANSIENT_ON_WALKABLE)) return;
    acp_vec3 n = body->contact_plane.normal;
    double along = acp_vec3_dot_zyx(body->velocity, n);
    if (along >= LEAVING_SPEED) return;
    body->velocity = acp_vec3_make((double)body->velocity.x - along * (double)n.x, (double)body->velocity.y - along * (double)n.y,
                                   (double)body->velocity.z - acp_stored(along * (double)n.z));
    double factor = acp_pow(1.0 - (double)friction_of(row, body, speed_squared), (double)quantum);
    body->velocity = acp_vec3_scale(body->velocity, factor);
}

/* Displacement with the velocity as it is, half the acceleration on top. */
static void move_origin(const acp_body_row *body, double q, acp_vec3 *origin) {
    acp_vec3 v = body->velocity, a = body->acceleration;
    double half_x = acp_stored(acp_stored(((double)a.x * 0.5) * q) * q);
    double half_y = acp_stored((((double)a.y * 0.5) * q) * q);
    double half_z = (acp_stored((double)a.z * 0.5) * q) * q;
    double shift_x = acp_stored((double)v.x * q + half_x);
    double shift_y = (double)v.y * q + half_y;
    double shift_z = acp_stored(acp_stored((double)v.z * q) + half_z);
    *origin = acp_vec3_make(shift_x + (double)origin->x, shift_y + (double)origin->y, shift_z + (double)origin->z);
}

void acp_body_integrate(acp_object_row *row, acp_body_row *body, float quantum, acp_matrix_frame *frame) {
    double q = (double)quantum;
    float speed_squared = acp_f32(acp_vec3_length_squared(body->velocity));
    if (speed_squared <= 0.0f) {
        if (!body->has_movement_manager && (row->transient_state & ACP_TRANSIENT_ON_WALKABLE))
            row->transient_state &= ~(uint32_t)ACP_TRANSIENT_ACTIVE;
    } else {
        if ((double)speed_squared > MAX_SPEED_SQUARED) {
            body->velocity = acp_vec3_scale(acp_vec3_normalize(body->velocity), ACP_BODY_MAX_SPEED);
            speed_squared = acp_f32(MAX_SPEED_SQUARED);
        }
        acp_body_apply_friction(row, body, quantum, speed_squared);
        if ((double)speed_squared - SMALL_SPEED_SQUARED < ACP_EPSILON_F64) body->velocity = (acp_vec3){0.0f, 0.0f, 0.0f};
        move_origin(body, q, &frame->origin);
    }
    acp_vec3 v = body->velocity, a = body->acceleration, w = body->omega;
    body->velocity = acp_vec3_make(q * (double)a.x + (double)v.x, q * (double)a.y + (double)v.y, acp_stored(q * (double)a.z) + (double)v.z);
    acp_matrix_frame_grotate(frame, acp_vec3_make(q * (double)w.x, q * (double)w.y, q * (double)w.z));
}
