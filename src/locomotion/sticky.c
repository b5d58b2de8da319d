/* SPDX-License-Identifier: MIT */
/* Sticking to a target (spec 07b MOT-17).
 *
 * A body that is stuck walks towards its target until only a gap of 0.3 m between the two radii is left, and backs off when it is nearer;
 * it always turns to face it. The target is the object of that id where it is now, else the place last heard of. Sticking ends a second
 * after it began, whatever happens. Contract: reads the world. Rounding: offset, direction, gap and heading are stored, the step is not.
 * Cost: two distances and two headings. */
#include "locomotion/sticky.h"

#include <math.h>

#include "asset/setup.h"
#include "math/vec3.h"

#define GAP           0x1.333334p-2f /* 0.300000012 */
#define DEFAULT_SPEED 15.0f
#define LIFETIME      1.0

void acp_sticky_end(acp_sticky *sticky) {
    sticky->target_id = 0;
    sticky->is_initialized = false;
}

void acp_sticky_begin(acp_sticky *sticky, uint32_t target_id, float target_radius, double now) {
    acp_sticky_end(sticky);
    sticky->target_id = target_id;
    sticky->target_radius = target_radius;
    sticky->deadline = now + LIFETIME;
}

static float radius_of(const acp_object_row *row) { return row->setup ? acp_f32((double)row->setup->radius * (double)row->scale) : 0.0f; }

static float turn_between(const acp_matrix_position *own, const acp_matrix_position *target) {
    double turn = acp_stored(acp_matrix_position_heading_to(own, target)) - acp_matrix_frame_heading(&own->frame);
    float stored = fabs(turn) < ACP_EPSILON_F64 ? 0.0f : acp_f32(turn);
    if ((double)stored < -ACP_EPSILON_F64) stored = acp_f32((double)stored + 360.0);
    return stored;
}

void acp_sticky_adjust(const acp_sticky *sticky, const acp_world *world, uint32_t index, double max_speed, float quantum,
                       acp_matrix_frame *io_offset) {
    if (!sticky->target_id || !sticky->is_initialized) return;
    const acp_object_row *row = acp_world_row(world, index);
    uint32_t found = acp_world_find_row(world, sticky->target_id);
    const acp_matrix_position *target = found == ACP_OBJECT_NONE ? &sticky->target : &acp_world_row(world, found)->position;
    acp_vec3 way = acp_matrix_position_offset(&row->position, target);
    double distance = acp_vec3_length(way) - ((double)radius_of(row) + (double)sticky->target_radius);
    float gap = acp_f32(distance - (double)GAP);
    acp_vec3 direction = acp_matrix_position_global_to_local_vec(&row->position, way);
    direction.z = 0.0f;
    if (acp_vec3_normalize_check_small(&direction)) direction = (acp_vec3){0.0f, 0.0f, 0.0f};
    double speed = max_speed * 5.0;
    if (speed < ACP_EPSILON_F64) speed = (double)DEFAULT_SPEED;
    double step = speed * (double)quantum;
    io_offset->origin = acp_vec3_scale(direction, step >= fabs((double)gap) ? (double)gap : step);
    acp_matrix_frame_set_heading(io_offset, turn_between(&row->position, target));
}

void acp_sticky_use_time(acp_sticky *sticky, double now) {
    if (sticky->target_id && now > sticky->deadline) acp_sticky_end(sticky);
}
