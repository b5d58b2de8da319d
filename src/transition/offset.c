/* SPDX-License-Identifier: MIT */
/* Offsets: how far one sub-step goes and in which direction (spec 06 TRN-55..57; rounding: 12 "Sphere path and transition").
 *
 * A displacement is cut into equal pieces no longer than the radius of the lower sphere. Each piece is bent onto the contact plane (or
 * snapped down to it when it leads away), along the crease of contact plane and sliding normal, or along the sliding normal alone.
 * The contact plane is expressed in the block of its own cell: this is the one place where it meets a sphere of another block, and the
 * sphere is moved, not the plane (TRN-57). Planes of water and of cell 0 do not lift.
 * Limits: retail has no upper bound on the number of pieces; callers bound the displacement (sweep.c).
 * Cost: constant. */
#include "transition/offset.h"

#include <math.h>

#include "geom/plane.h"
#include "math/vec3.h"

acp_step_plan acp_transition_plan_steps(const acp_transition *move) {
    acp_step_plan plan = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0, 1};
    const acp_sphere_path *path = &move->path;
    if (!path->begin_position) return plan;
    plan.offset = acp_matrix_position_offset(path->begin_position, path->end_position);
    plan.length = acp_vec3_length(plan.offset);
    double pieces = plan.length / (double)path->local_spheres[0].radius;
    plan.count = 0;
    if (move->info.state & ACP_OI_IS_VIEWER) {
        if (plan.length <= ACP_EPSILON_F64) return plan;
        plan.per_step = acp_vec3_scale(plan.offset, 1.0 / pieces);
        plan.count = acp_step_count(floor(pieces)) + 1u;
    } else if (pieces > 1.0) {
        pieces = ceil(pieces);
        plan.per_step = acp_vec3_scale(plan.offset, 1.0 / pieces);
        plan.count = acp_step_count(pieces);
    } else if (plan.offset.x != 0.0f || plan.offset.y != 0.0f || plan.offset.z != 0.0f) {
        plan.per_step = plan.offset;
        plan.count = 1;
    }
    return plan;
}

static acp_vec3 along_crease(acp_vec3 ground, acp_vec3 wall, acp_vec3 offset) {
    acp_vec3 c = acp_vec3_make((double)ground.y * (double)wall.z - (double)ground.z * (double)wall.y,
                               (double)ground.z * (double)wall.x - (double)ground.x * (double)wall.z,
                               (double)ground.x * (double)wall.y - (double)ground.y * (double)wall.x);
    if (acp_vec3_normalize_check_small(&c)) return (acp_vec3){0.0f, 0.0f, 0.0f};
    return acp_vec3_scale(c, acp_vec3_dot_zyx(c, offset));
}

/* TRN-57: out of the contact plane, vertically. */
static void lift_out(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    const acp_contact_plane *contact = &move->collision.contact;
    if (contact->is_water || contact->cell_id == 0) return;
    acp_vec3 shift = acp_block_shift(path->check_position.cell_id, contact->cell_id), n = contact->plane.normal;
    acp_vec3 center = path->global_spheres[0].center;
    double x = (double)center.x - (double)shift.x, y = (double)center.y - (double)shift.y, z = (double)center.z - (double)shift.z;
    double radius = (double)path->global_spheres[0].radius;
    double distance = ((z * (double)n.z + y * (double)n.y) + x * (double)n.x) + (double)contact->plane.d; /* nothing stored: S-11 */
    if (!(distance < radius - ACP_EPSILON_F64)) return;
    double lift = (radius - distance) / (double)contact->plane.normal.z;
    if (radius > fabs(lift)) acp_sphere_path_add_offset(path, (acp_vec3){0.0f, 0.0f, acp_f32(lift)});
}

acp_vec3 acp_transition_adjust_offset(acp_transition *move, acp_vec3 offset) {
    acp_collision_info *collision = &move->collision;
    acp_vec3 wall = collision->sliding_normal;
    bool is_sliding = false;
    if (collision->is_sliding_normal_valid) {
        is_sliding = acp_vec3_dot_zyx(offset, wall) < 0.0;
        collision->is_sliding_normal_valid = is_sliding;
    }
    if (!collision->contact.is_valid) {
        if (!is_sliding) return offset;
        double into = ((double)offset.x * (double)wall.x + (double)offset.z * (double)wall.z) + (double)offset.y * (double)wall.y;
        return acp_vec3_make((double)offset.x - (double)wall.x * into, (double)offset.y - acp_stored((double)wall.y * into),
                             (double)offset.z - acp_stored((double)wall.z * into));
    }
    acp_vec3 n = collision->contact.plane.normal;
    double into = acp_stored(acp_vec3_dot_zyx(offset, n));
    if (is_sliding) {
        offset = along_crease(n, wall, offset);
    } else if (into <= 0.0) {
        offset = acp_vec3_make((double)offset.x - (double)n.x * into, (double)offset.y - (double)n.y * into,
                               (double)offset.z - acp_stored((double)n.z * into));
    } else {
        acp_plane_snap(&collision->contact.plane, &offset);
    }
    lift_out(move);
    return offset;
}
