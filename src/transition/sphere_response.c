/* SPDX-License-Identifier: MIT */
/* Sphere response: what a spherical obstacle answers to the mover (spec 05 OCD-40..50; rounding: 12 "Spheres and cylinders").
 *
 * The obstacle's sphere is brought into the mover's check frame. Which answer is asked for follows from the path: overlap only
 * (placement, ethereal, walkability probe), settling on top (stepping down), landing (second pass), or, by the mover's flags, step up and
 * slide, clip, or the first pass of a landing. The displacement sums follow the block shift; the differences "current centre minus
 * obstacle" do not, and are off by whole blocks when an attempt is repeated after re-basing (OCD-69): retail's behaviour, kept.
 * Contact planes on spheres are flagged as water: that keeps adjust_offset from lifting the mover off them.
 * Cost: constant per sphere. */
#include "transition/sphere_response.h"

#include <math.h>

#include "geom/plane.h"
#include "geom/sphere.h"
#include "math/vec3.h"
#include "transition/slide.h"
#include "transition/step.h"

static acp_transition_state overlap_only(const acp_sphere_path *path, acp_vec3 d0, acp_vec3 d1, float radius_sum) {
    if (acp_sphere_collides(d0, radius_sum)) return ACP_TRANSITION_COLLIDED;
    if (path->sphere_count > 1 && acp_sphere_collides(d1, radius_sum)) return ACP_TRANSITION_COLLIDED;
    return ACP_TRANSITION_OK;
}

/* delta(i): true displacement of sphere i; z is stored once more on the way (as in OCD-50). */
static acp_vec3 displacement_of(const acp_sphere_path *path, uint32_t i) {
    acp_vec3 shift = acp_sphere_path_block_shift(path), c = path->global_spheres[i].center, from = path->global_current_centers[i];
    return acp_vec3_make((double)shift.x + ((double)c.x - (double)from.x), (double)shift.y + ((double)c.y - (double)from.y),
                         (double)shift.z + acp_stored((double)c.z - (double)from.z));
}

/* retail: CSphere::step_sphere_down 0x00536D20 */
static acp_transition_state settle(acp_transition *move, const acp_sphere *obstacle, acp_vec3 d0, acp_vec3 d1, float radius_sum) {
    acp_sphere_path *path = &move->path;
    double x = (double)d0.x, y = (double)d0.y, z = (double)d0.z;
    double x2 = acp_stored(x * x), y2 = acp_stored(y * y);
    if ((double)radius_sum * (double)radius_sum < (z * z + x2) + y2) {
        if (path->sphere_count <= 1 || !acp_sphere_collides(d1, radius_sum)) return ACP_TRANSITION_OK;
    }
    double step_exact = (double)path->step_down_amount * (double)path->walk_interp;
    if (fabs(step_exact) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
    double step = acp_stored(step_exact);
    double reach = (double)radius_sum + ACP_EPSILON_F64;
    double reach_stored = acp_stored(reach);
    double time = (sqrt(reach * reach_stored - (x2 + y2)) - z) / step;
    double left = (1.0 - time) * (double)path->walk_interp;
    if (!(left < (double)path->walk_interp && left >= ACP_INTERP_FLOOR)) return ACP_TRANSITION_COLLIDED;
    float lift = acp_f32(step * time);
    double inverse = 1.0 / reach_stored;
    double nz = ((double)lift + z) * inverse;
    acp_vec3 n = acp_vec3_make(inverse * x, inverse * y, nz);
    if (nz <= (double)path->walkable_allowance) return ACP_TRANSITION_OK;
    acp_vec3 point = acp_vec3_add(obstacle->center, acp_vec3_scale(n, (double)obstacle->radius));
    acp_collision_info_set_contact(&move->collision, acp_plane_from_normal_and_point(n, point), true, path->check_position.cell_id);
    path->walk_interp = acp_f32(left);
    acp_sphere_path_add_offset(path, (acp_vec3){0.0f, 0.0f, lift});
    return ACP_TRANSITION_ADJUSTED;
}

/* OCD-46, retail address 0x00536F40. */
static acp_transition_state slide_off(acp_transition *move, const acp_sphere *obstacle, acp_vec3 d, uint32_t i) {
    acp_sphere_path *path = &move->path;
    acp_vec3 n = acp_vec3_subtract(acp_sphere_path_seen_center(path, i), obstacle->center);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_COLLIDED;
    acp_collision_info_set_collision_normal(&move->collision, n);
    acp_vec3 ground = acp_collision_info_ground_normal(&move->collision);
    acp_vec3 direction = acp_vec3_make((double)n.y * (double)ground.z - (double)n.z * (double)ground.y,
                                       (double)ground.x * (double)n.z - (double)ground.z * (double)n.x,
                                       (double)ground.y * (double)n.x - (double)ground.x * (double)n.y);
    double length_squared = acp_vec3_dot_zyx(direction, direction);
    acp_vec3 moved = displacement_of(path, i);
    if (length_squared >= ACP_EPSILON_F64) {
        acp_vec3 along = acp_vec3_scale(direction, acp_vec3_dot_zyx(moved, direction));
        along = acp_vec3_scale(along, 1.0 / length_squared);
        if (acp_vec3_dot_zyx(along, along) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
        acp_sphere_path_add_offset(path, acp_vec3_subtract(along, moved));
        return ACP_TRANSITION_SLID;
    }
    if (acp_vec3_dot_zyx(ground, d) < 0.0) return ACP_TRANSITION_COLLIDED;
    double into = acp_stored(acp_vec3_dot_zyx(moved, n));
    acp_sphere_path_add_offset(path, acp_vec3_make(-(double)n.x * into, -(double)n.y * into, -(double)n.z * into));
    return ACP_TRANSITION_SLID;
}

/* retail: CSphere::step_sphere_up 0x00537900 */
static acp_transition_state step_onto(acp_transition *move, const acp_sphere *obstacle, acp_vec3 d, float radius_sum) {
    double reach = (double)radius_sum + ACP_EPSILON_F64;
    if ((double)move->info.step_up_height < reach - (double)d.z) return slide_off(move, obstacle, d, 0);
    acp_vec3 n = acp_vec3_subtract(acp_sphere_path_seen_center(&move->path, 0), obstacle->center); /* not normalised */
    if (acp_transition_step_up(move, n)) return ACP_TRANSITION_OK;
    return acp_step_up_slide(move);
}

/* retail: CSphere::slide_sphere 0x00537A10 */
static acp_transition_state slide_past(acp_transition *move, const acp_sphere *obstacle, uint32_t i) {
    acp_vec3 current = move->path.global_current_centers[i];
    acp_vec3 n = acp_vec3_subtract(acp_sphere_path_seen_center(&move->path, i), obstacle->center);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_COLLIDED;
    return acp_slide_sphere(move, &move->path.global_spheres[i], &n, current);
}

/* retail: CSphere::collide_with_point 0x00537230 */
static acp_transition_state clip(acp_transition *move, const acp_sphere *obstacle, float radius_sum, uint32_t i) {
    acp_sphere_path *path = &move->path;
    acp_vec3 from = acp_vec3_subtract(acp_sphere_path_seen_center(path, i), obstacle->center);
    if (!(move->info.state & ACP_OI_PERFECT_CLIP)) {
        if (!acp_vec3_normalize_check_small(&from)) acp_collision_info_set_collision_normal(&move->collision, from);
        return ACP_TRANSITION_COLLIDED;
    }
    float reach = acp_f32((double)radius_sum + ACP_EPSILON_F64);
    acp_vec3 moved = displacement_of(path, i);
    double time = acp_sphere_time_of_collision(moved, from, reach);
    if (time < ACP_EPSILON_F64 || time > 1.0) return ACP_TRANSITION_COLLIDED;
    double ox = (double)moved.x * time - (double)moved.x;
    double oy = acp_stored((double)moved.y * time) - (double)moved.y;
    double oz = acp_stored(acp_stored((double)moved.z * time) - (double)moved.z);
    acp_vec3 c = path->global_spheres[i].center;
    double inverse = 1.0 / (double)reach;
    acp_vec3 n = acp_vec3_make((acp_stored(ox + (double)c.x) - (double)obstacle->center.x) * inverse,
                               acp_stored((oy + (double)c.y) - (double)obstacle->center.y) * inverse,
                               ((oz + (double)c.z) - (double)obstacle->center.z) * inverse);
    acp_collision_info_set_collision_normal(&move->collision, n);
    acp_sphere_path_add_offset(path, acp_vec3_make(ox, oy, oz));
    return ACP_TRANSITION_ADJUSTED;
}

/* First pass of a landing. retail: CSphere::land_on_sphere 0x005379A0 */
static acp_transition_state begin_landing(acp_transition *move, const acp_sphere *obstacle) {
    acp_vec3 n = acp_vec3_subtract(acp_sphere_path_seen_center(&move->path, 0), obstacle->center);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_COLLIDED;
    acp_sphere_path_set_landing(&move->path, n);
    move->path.walkable_allowance = ACP_LANDING_Z;
    return ACP_TRANSITION_ADJUSTED;
}

/* Second pass: back along the path to the touch. (OCD-42 step 5, at 0x00537A80) */
static acp_transition_state finish_landing(acp_transition *move, acp_vec3 d0, float radius_sum) {
    acp_sphere_path *path = &move->path;
    acp_vec3 c = path->global_spheres[0].center;
    acp_vec3 m = acp_vec3_subtract(acp_vec3_subtract(path->global_current_centers[0], c), acp_sphere_path_block_shift(path));
    double reach = acp_stored((double)radius_sum + ACP_EPSILON_F64);
    double dx = (double)d0.x, dy = (double)d0.y, dz = (double)d0.z;
    double mx = (double)m.x, my = (double)m.y, mz = (double)m.z;
    double a = (mz * mz + my * my) + mx * mx;
    double b = -((my * dy + mx * dx) + mz * dz);
    if (fabs(a) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
    double gap = ((dy * dy + dx * dx) + dz * dz) - reach * reach;
    double q = sqrt(b * b - gap * a) + b;
    if (q > 1.0) q = b + b - q; /* compared with 1, not with a */
    double time = q / a;
    double left = (1.0 - time) * (double)path->walk_interp;
    if (!(left < (double)path->walk_interp && left >= ACP_INTERP_FLOOR)) return ACP_TRANSITION_COLLIDED;
    acp_vec3 offset = acp_vec3_scale(m, time);
    acp_vec3 n = acp_vec3_scale(acp_vec3_add(d0, offset), 1.0 / reach);
    if (!(n.z > path->walkable_allowance)) return ACP_TRANSITION_OK;
    acp_vec3 point = acp_vec3_subtract(c, acp_vec3_scale(n, (double)path->global_spheres[0].radius)); /* of the un-moved sphere */
    acp_collision_info_set_contact(&move->collision, acp_plane_from_normal_and_point(n, point), true, path->check_position.cell_id);
    path->walk_interp = acp_f32(left);
    acp_sphere_path_add_offset(path, offset);
    return ACP_TRANSITION_ADJUSTED;
}

acp_transition_state acp_sphere_respond(acp_transition *move, const acp_sphere *obstacle, bool is_creature) {
    acp_sphere_path *path = &move->path;
    bool has_two = path->sphere_count > 1;
    acp_vec3 d0 = acp_vec3_subtract(path->global_spheres[0].center, obstacle->center);
    acp_vec3 d1 = has_two ? acp_vec3_subtract(path->global_spheres[1].center, obstacle->center) : d0;
    float radius_sum = acp_f32(((double)obstacle->radius + (double)path->global_spheres[0].radius) - ACP_EPSILON_F64);

    if (path->is_obstruction_ethereal || path->insert_type == ACP_INSERT_PLACEMENT) return overlap_only(path, d0, d1, radius_sum);
    if (path->is_stepping_down) return is_creature ? ACP_TRANSITION_OK : settle(move, obstacle, d0, d1, radius_sum);
    if (path->is_checking_walkable) return overlap_only(path, d0, d1, radius_sum);
    bool is_low_hit = acp_sphere_collides(d0, radius_sum);
    bool is_high_hit = has_two && acp_sphere_collides(d1, radius_sum);
    if (path->is_landing) {
        if (is_creature || !(is_low_hit || is_high_hit)) return ACP_TRANSITION_OK;
        return finish_landing(move, d0, radius_sum);
    }
    if (move->info.state & (ACP_OI_CONTACT | ACP_OI_ON_WALKABLE)) {
        if (is_low_hit) return step_onto(move, obstacle, d0, radius_sum);
        if (is_high_hit) return slide_past(move, obstacle, 1);
    } else if (move->info.state & ACP_OI_PATH_CLIPPED) {
        if (is_low_hit) return clip(move, obstacle, radius_sum, 0);
    } else {
        if (is_low_hit) return begin_landing(move, obstacle);
        if (is_high_hit) return clip(move, obstacle, radius_sum, 1);
    }
    return ACP_TRANSITION_OK;
}

acp_transition_state acp_sphere_respond_at(acp_transition *move, const acp_sphere *sphere, const acp_matrix_position *position, float scale,
                                           bool is_creature) {
    acp_sphere obstacle;
    obstacle.radius = acp_f32((double)scale * (double)sphere->radius);
    acp_vec3 center = acp_vec3_scale(sphere->center, (double)scale);
    obstacle.center = acp_matrix_position_local_to_global(move->path.check_position.cell_id, position, center);
    return acp_sphere_respond(move, &obstacle, is_creature);
}
