/* SPDX-License-Identifier: MIT */
/* Cylsphere response: what an upright capped cylinder answers to the mover (spec 05 OCD-60..68; rounding: 12 "Cylinder").
 *
 * The overlap test is a box around the axis: radial distance against the sum of radii, height against the half height plus the sphere's
 * radius; the sphere's roundness is ignored at the rim. The ladder of questions is that of the sphere response, but cylinders know no
 * exemption for creatures while stepping down. Two quirks are kept: the step-up normal is turned by the obstacle's orientation although
 * it already is in landblock axes (OCD-65), and the clip always measures from sphere 0's current centre, also for sphere 1 (OCD-67).
 * Differences that involve a current centre lack the block shift (OCD-69). Contact planes are flagged as water.
 * Cost: constant per cylsphere. */
#include "transition/cylsphere_response.h"

#include <math.h>

#include "geom/plane.h"
#include "math/vec3.h"
#include "transition/slide.h"
#include "transition/step.h"

/* OCD-61, both tests non-strict. retail: CCylSphere::collides_with_sphere 0x0053A880 */
static bool is_touched(const acp_cylsphere *obstacle, float radius, acp_vec3 d, float radius_sum) {
    double r = (double)radius_sum, x = (double)d.x, y = (double)d.y, half = (double)obstacle->height * 0.5;
    if (!(r * r >= x * x + y * y)) return false;
    return ((double)radius - ACP_EPSILON_F64) + half >= fabs(half - (double)d.z);
}

/* The offsets of both spheres from the low point, and the reach of sphere 0. */
typedef struct acp_cylsphere_contact {
    acp_vec3 d[2];
    float radius_sum;
    bool is_low_hit;
    bool is_high_hit;
} acp_cylsphere_contact;

static acp_cylsphere_contact measure(const acp_sphere_path *path, const acp_cylsphere *obstacle) {
    acp_cylsphere_contact contact;
    const acp_sphere *low = &path->global_spheres[0], *high = &path->global_spheres[1];
    contact.d[0] = acp_vec3_subtract(low->center, obstacle->low_point);
    contact.radius_sum = acp_f32(((double)obstacle->radius - ACP_EPSILON_F64) + (double)low->radius);
    contact.is_low_hit = is_touched(obstacle, low->radius, contact.d[0], contact.radius_sum);
    contact.d[1] = contact.d[0];
    contact.is_high_hit = false;
    if (path->sphere_count > 1) {
        contact.d[1] = acp_vec3_subtract(high->center, obstacle->low_point);
        contact.is_high_hit = is_touched(obstacle, high->radius, contact.d[1], contact.radius_sum);
    }
    return contact;
}

/* OCD-63: the side or cap that faces the current centre; true when there is no doubt which. Not normalised.
 * retail: CCylSphere::normal_of_collision 0x0053AB50 */
static bool facing_normal(const acp_sphere_path *path, const acp_cylsphere *obstacle, const acp_cylsphere_contact *contact, uint32_t i,
                          acp_vec3 *out_normal) {
    acp_vec3 from = acp_sphere_path_seen_center(path, i), low = obstacle->low_point;
    double x = (double)from.x - (double)low.x, y = (double)from.y - (double)low.y;
    double z = acp_stored((double)from.z - (double)low.z);
    double r = (double)contact->radius_sum, dz = (double)contact->d[i].z, half = (double)obstacle->height * 0.5;
    if (r * r < y * y + x * x) {
        *out_normal = acp_vec3_make(x, y, 0.0);
        return ((double)path->global_spheres[i].radius - ACP_EPSILON_F64) + half >= fabs(half - z) || fabs(z - dz) <= ACP_EPSILON_F64;
    }
    *out_normal = (acp_vec3){0.0f, 0.0f, dz - z <= 0.0 ? 1.0f : -1.0f};
    return true;
}

/* OCD-66. retail: CCylSphere::slide_sphere 0x0053B2A0 */
static acp_transition_state slide_past(acp_transition *move, const acp_cylsphere *obstacle, const acp_cylsphere_contact *contact,
                                       uint32_t i) {
    acp_vec3 n;
    facing_normal(&move->path, obstacle, contact, i, &n);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_COLLIDED;
    return acp_slide_sphere(move, &move->path.global_spheres[i], &n, move->path.global_current_centers[i]);
}

/* OCD-65. retail: CCylSphere::step_sphere_up 0x0053B310 */
static acp_transition_state step_onto(acp_transition *move, const acp_cylsphere *obstacle, const acp_cylsphere_contact *contact) {
    double rise = ((double)move->path.global_spheres[0].radius + (double)obstacle->height) - (double)contact->d[0].z;
    if ((double)move->info.step_up_height < rise) return slide_past(move, obstacle, contact, 0);
    acp_vec3 n;
    facing_normal(&move->path, obstacle, contact, 0, &n);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_COLLIDED;
    n = acp_matrix_frame_local_to_global_vec(&move->path.localspace_position->frame, n); /* OCD-65: turned once too often */
    if (acp_transition_step_up(move, n)) return ACP_TRANSITION_OK;
    return acp_step_up_slide(move);
}

/* OCD-68. retail: CCylSphere::land_on_cylinder 0x0053B3D0 */
static acp_transition_state begin_landing(acp_transition *move, const acp_cylsphere *obstacle, const acp_cylsphere_contact *contact) {
    acp_vec3 n;
    facing_normal(&move->path, obstacle, contact, 0, &n);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_COLLIDED;
    acp_sphere_path_set_landing(&move->path, n);
    move->path.walkable_allowance = ACP_LANDING_Z;
    return ACP_TRANSITION_ADJUSTED;
}

static void stand_on_cap(acp_transition *move, acp_vec3 point) {
    acp_vec3 up = {0.0f, 0.0f, 1.0f};
    acp_collision_info_set_contact(&move->collision, acp_plane_from_normal_and_point(up, point), true, move->path.check_position.cell_id);
}

/* OCD-64. retail: CCylSphere::step_sphere_down 0x0053A9B0 */
static acp_transition_state settle(acp_transition *move, const acp_cylsphere *obstacle, const acp_cylsphere_contact *contact) {
    acp_sphere_path *path = &move->path;
    if (!contact->is_low_hit && !contact->is_high_hit) return ACP_TRANSITION_OK;
    double step = (double)path->step_down_amount * (double)path->walk_interp;
    if (fabs(step) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
    const acp_sphere *low = &path->global_spheres[0];
    double lift = ((double)obstacle->height + (double)low->radius) - (double)contact->d[0].z;
    double left = (1.0 - lift / step) * (double)path->walk_interp;
    if (!(left < (double)path->walk_interp && left >= ACP_INTERP_FLOOR)) return ACP_TRANSITION_COLLIDED;
    acp_vec3 point = low->center;
    point.z = acp_f32((acp_stored(lift) - (double)low->radius) + (double)low->center.z);
    stand_on_cap(move, point);
    path->walk_interp = acp_f32(left);
    acp_sphere_path_add_offset(path, (acp_vec3){0.0f, 0.0f, acp_f32(lift)});
    return ACP_TRANSITION_ADJUSTED;
}

/* OCD-62 step 5: second pass of a landing, back along the path to the height of the cap. */
static acp_transition_state finish_landing(acp_transition *move, const acp_cylsphere *obstacle, const acp_cylsphere_contact *contact) {
    acp_sphere_path *path = &move->path;
    const acp_sphere *low = &path->global_spheres[0];
    acp_vec3 d = contact->d[0];
    acp_vec3 m = acp_vec3_subtract(acp_vec3_subtract(path->global_current_centers[0], low->center), acp_sphere_path_block_shift(path));
    if (fabs((double)m.z) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
    double time = (((double)obstacle->height + (double)low->radius) - (double)d.z) / (double)m.z;
    acp_vec3 offset = acp_vec3_scale(m, acp_stored(time));
    double x = (double)offset.x + (double)d.x, y = (double)offset.y + (double)d.y, r = (double)contact->radius_sum;
    if (r * r < y * y + x * x) return ACP_TRANSITION_OK;
    double left = (1.0 - time) * (double)path->walk_interp;
    if (!(left < (double)path->walk_interp && left >= ACP_INTERP_FLOOR)) return ACP_TRANSITION_COLLIDED;
    acp_vec3 point = acp_vec3_add(low->center, offset);
    point.z = acp_f32((double)point.z - (double)low->radius);
    stand_on_cap(move, point);
    path->walk_interp = acp_f32(left);
    acp_sphere_path_add_offset(path, offset);
    return ACP_TRANSITION_ADJUSTED;
}

/* The sweep of OCD-67 measured from sphere 0's current centre. */
typedef struct acp_cylsphere_sweep {
    acp_vec3 m;  /* displacement */
    acp_vec3 od; /* current centre minus low point */
    float reach;
    double reach_squared; /* of the stored product */
} acp_cylsphere_sweep;

static double cap_time(const acp_cylsphere_sweep *sweep, const acp_cylsphere *obstacle, float radius) {
    double mz = (double)sweep->m.z, oz = (double)sweep->od.z;
    if (mz > 0.0) return -((oz + (double)radius) / mz);
    return (((double)radius + (double)obstacle->height) - oz) / mz;
}

/* Radial touch: false when the path passes the axis too far out or stands still. */
static bool side_time(const acp_cylsphere_sweep *sweep, bool is_definite, double *inout_time) {
    double mx = (double)sweep->m.x, my = (double)sweep->m.y, ox = (double)sweep->od.x, oy = (double)sweep->od.y;
    double a = my * my + mx * mx;
    double b = -(my * oy + mx * ox);
    /* the squared reach is a stored value only where the cap was asked first (transition2 1231 tells) */
    double reach_squared = is_definite ? (double)sweep->reach * (double)sweep->reach : sweep->reach_squared;
    double discriminant = b * b - ((oy * oy + ox * ox) - reach_squared) * a;
    if (!(discriminant >= 0.0 && (is_definite ? a >= ACP_EPSILON_F64 : a > ACP_EPSILON_F64))) return false;
    double root = sqrt(discriminant);
    *inout_time = b - root < 0.0 ? (root + b) / a : (b - root) / a;
    return true;
}

static acp_vec3 side_normal(const acp_cylsphere_sweep *sweep, const acp_cylsphere *obstacle, acp_vec3 from, acp_vec3 offset) {
    acp_vec3 n = acp_vec3_subtract(acp_vec3_add(from, offset), obstacle->low_point);
    double inverse = 1.0 / (double)sweep->reach;
    return acp_vec3_make(inverse * (double)n.x, inverse * (double)n.y, inverse * 0.0);
}

/* OCD-67. retail: CCylSphere::collide_with_point 0x0053ACB0 */
static acp_transition_state clip(acp_transition *move, const acp_cylsphere *obstacle, const acp_cylsphere_contact *contact, uint32_t i) {
    acp_sphere_path *path = &move->path;
    acp_vec3 n;
    bool is_definite = facing_normal(path, obstacle, contact, i, &n);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_COLLIDED;
    if (!(move->info.state & ACP_OI_PERFECT_CLIP)) {
        acp_collision_info_set_collision_normal(&move->collision, n);
        return ACP_TRANSITION_COLLIDED;
    }
    const acp_sphere *sphere = &path->global_spheres[i];
    acp_vec3 from = acp_sphere_path_seen_center(path, 0);
    acp_cylsphere_sweep sweep;
    sweep.m = acp_vec3_add(acp_sphere_path_block_shift(path), acp_vec3_subtract(sphere->center, path->global_current_centers[0]));
    sweep.od = acp_vec3_subtract(from, obstacle->low_point);
    sweep.reach = acp_f32((double)contact->radius_sum + ACP_EPSILON_F64);
    sweep.reach_squared = acp_stored((double)sweep.reach * (double)sweep.reach);

    double time = 0.0;
    acp_vec3 offset;
    if (!is_definite) {
        if (fabs((double)sweep.m.z) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
        n = (acp_vec3){0.0f, 0.0f, sweep.m.z > 0.0f ? -1.0f : 1.0f};
        time = cap_time(&sweep, obstacle, sphere->radius);
        offset = acp_vec3_scale(sweep.m, time); /* unrounded here (spec 12) */
        double x = (double)offset.x + (double)sweep.od.x, y = (double)offset.y + (double)sweep.od.y;
        if (y * y + x * x >= sweep.reach_squared) {
            double a = (double)sweep.m.y * (double)sweep.m.y + (double)sweep.m.x * (double)sweep.m.x;
            if (fabs(a) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
            if (side_time(&sweep, false, &time)) offset = acp_vec3_scale(sweep.m, acp_stored(time));
            n = side_normal(&sweep, obstacle, from, offset);
        }
        if (time < 0.0 || time > 1.0) return ACP_TRANSITION_COLLIDED;
    } else if (n.z != 0.0f) {
        if (fabs((double)sweep.m.z) < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
        time = cap_time(&sweep, obstacle, sphere->radius);
        offset = acp_vec3_scale(sweep.m, acp_stored(time));
        if (time < 0.0 || time > 1.0) return ACP_TRANSITION_COLLIDED;
    } else {
        if (!side_time(&sweep, true, &time)) return ACP_TRANSITION_COLLIDED;
        offset = acp_vec3_scale(sweep.m, acp_stored(time));
        if (!(time >= 0.0 && time <= 1.0)) return ACP_TRANSITION_COLLIDED;
        n = side_normal(&sweep, obstacle, from, offset);
    }
    acp_collision_info_set_collision_normal(&move->collision, n);
    acp_sphere_path_add_offset(path, acp_vec3_subtract(acp_vec3_add(from, offset), sphere->center));
    return ACP_TRANSITION_ADJUSTED;
}

acp_transition_state acp_cylsphere_respond(acp_transition *move, const acp_cylsphere *obstacle) {
    acp_sphere_path *path = &move->path;
    acp_cylsphere_contact contact = measure(path, obstacle);
    bool is_hit = contact.is_low_hit || contact.is_high_hit;
    if (path->insert_type == ACP_INSERT_PLACEMENT || path->is_obstruction_ethereal)
        return is_hit ? ACP_TRANSITION_COLLIDED : ACP_TRANSITION_OK;
    if (path->is_stepping_down) return settle(move, obstacle, &contact);
    if (path->is_checking_walkable) return is_hit ? ACP_TRANSITION_COLLIDED : ACP_TRANSITION_OK;
    if (!is_hit) return ACP_TRANSITION_OK;
    if (path->is_landing) return finish_landing(move, obstacle, &contact);
    if (move->info.state & (ACP_OI_CONTACT | ACP_OI_ON_WALKABLE))
        return contact.is_low_hit ? step_onto(move, obstacle, &contact) : slide_past(move, obstacle, &contact, 1);
    if (move->info.state & ACP_OI_PATH_CLIPPED) return contact.is_low_hit ? clip(move, obstacle, &contact, 0) : ACP_TRANSITION_OK;
    return contact.is_low_hit ? begin_landing(move, obstacle, &contact) : clip(move, obstacle, &contact, 1);
}

acp_transition_state acp_cylsphere_respond_at(acp_transition *move, const acp_cylsphere *cylsphere, const acp_matrix_position *position,
                                              float scale) {
    acp_sphere_path *path = &move->path;
    path->localspace_position = position; /* all that OCD-65 reads of the local space */
    acp_cylsphere obstacle;
    obstacle.radius = acp_f32((double)scale * (double)cylsphere->radius);
    obstacle.height = acp_f32((double)scale * (double)cylsphere->height);
    acp_vec3 low_point = acp_vec3_scale(cylsphere->low_point, (double)scale);
    obstacle.low_point = acp_matrix_position_local_to_global(path->check_position.cell_id, position, low_point);
    return acp_cylsphere_respond(move, &obstacle);
}
