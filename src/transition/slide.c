/* SPDX-License-Identifier: MIT */
/* Slides: along a crease, a cliff, the brink of a polygon (spec 05 OCD-50, 06 TRN-29, TRN-51, TRN-52; rounding: 05 OCD-50 and 12).
 *
 * A slide takes away from the displacement what points into the wall, along the line where wall and ground meet. Three things are odd
 * and wanted: lengths are compared squared with EPSILON, so a slide shorter than 1.4 cm is a collision; the ground normal is the last
 * known one when there is no contact, whether it is valid or not; and the half step back for a zero normal ignores the block offset
 * (OCD-69). The cliff's sign is asymmetric: motion along its normal is doubled on one side and cancelled on the other.
 * Cost: constant, but for the walk over the edges of one polygon. */
#include "transition/slide.h"

#include "math/vec3.h"
#include "transition/trace.h"

/* The crease case: the part of the displacement along normal x ground. */
static acp_transition_state slide_along_crease(acp_sphere_path *path, acp_vec3 displacement, double dx, double dy, float dz,
                                               double length_squared) {
    double inverse = 1.0 / acp_stored(length_squared);
    double inverse_stored = acp_stored(inverse);
    double t = ((double)dz * (double)displacement.z + dy * (double)displacement.y) + dx * (double)displacement.x;
    double px = dx * t * inverse;
    double py = acp_stored(acp_stored(dy * t) * inverse_stored);
    double pz = acp_stored(acp_stored((double)dz * t) * inverse_stored);
    if ((pz * pz + py * py) + px * px < ACP_EPSILON_F64) return ACP_TRANSITION_COLLIDED;
    acp_sphere_path_add_offset(path, acp_vec3_make(px - (double)displacement.x, py - (double)displacement.y, pz - (double)displacement.z));
    return ACP_TRANSITION_SLID;
}

static acp_transition_state slide_sphere(acp_sphere_path *path, acp_collision_info *collision, const acp_sphere *sphere, acp_vec3 *normal,
                                         acp_vec3 current) {
    acp_vec3 n = *normal, c = sphere->center;
    if (n.x == 0.0f && n.y == 0.0f && n.z == 0.0f) {
        if (path->corrects_block) current = acp_vec3_subtract(current, acp_sphere_path_block_shift(path));
        acp_vec3 back = acp_vec3_subtract(current, c);
        acp_sphere_path_add_offset(path, acp_vec3_scale(back, 0.5));
        return ACP_TRANSITION_ADJUSTED;
    }
    acp_collision_info_set_collision_normal(collision, n);
    acp_vec3 shift = acp_sphere_path_block_shift(path);
    acp_vec3 d = acp_vec3_make((double)shift.x + ((double)c.x - (double)current.x), (double)shift.y + ((double)c.y - (double)current.y),
                               (double)shift.z + acp_stored((double)c.z - (double)current.z));
    acp_vec3 ground = acp_collision_info_ground_normal(collision);
    double dx = acp_stored((double)n.y * (double)ground.z - (double)n.z * (double)ground.y);
    double dy = (double)ground.x * (double)n.z - (double)ground.z * (double)n.x;
    double dz = (double)ground.y * (double)n.x - (double)ground.x * (double)n.y;
    float dz_stored = acp_f32(dz);
    double length_squared = (dz * (double)dz_stored + dy * dy) + dx * dx;
    if (length_squared >= ACP_EPSILON_F64) return slide_along_crease(path, d, dx, dy, dz_stored, length_squared);

    if (acp_vec3_dot_zyx(n, ground) >= 0.0) {
        double into = acp_stored(acp_vec3_dot_zyx(d, n));
        acp_sphere_path_add_offset(path, acp_vec3_make(-(double)n.x * into, -(double)n.y * into, -(double)n.z * into));
        return ACP_TRANSITION_SLID;
    }
    *normal = (acp_vec3){-d.x, -d.y, -d.z};
    if (!acp_vec3_normalize_check_small(normal)) acp_collision_info_set_collision_normal(collision, *normal);
    return ACP_TRANSITION_COLLIDED;
}

acp_transition_state acp_slide_sphere(acp_transition *move, const acp_sphere *sphere, acp_vec3 *normal, acp_vec3 current) {
    acp_vec3 given = *normal;
    acp_transition_state state = slide_sphere(&move->path, &move->collision, sphere, normal, current);
    acp_transition_note(move, ACP_TRACE_MOVE_SLIDE, state, 0, given, 0.0f);
    return state;
}

acp_transition_state acp_step_up_slide(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    acp_collision_info *collision = &move->collision;
    acp_collision_info_clear_contact(collision);
    path->is_stepping_up = false;
    return acp_slide_sphere(move, &path->global_spheres[0], &path->step_up_normal, path->global_current_centers[0]);
}

/* N . (displacement of sphere 0), rounded as both ledge slides do: x stored with the block shift, y not, z stored before it (spec 12). */
static double advance_along(const acp_sphere_path *path, acp_vec3 normal) {
    acp_vec3 shift = acp_sphere_path_block_shift(path);
    acp_vec3 c = path->global_spheres[0].center, from = path->global_current_centers[0];
    double x = acp_stored((double)shift.x + ((double)c.x - (double)from.x));
    double y = (double)shift.y + ((double)c.y - (double)from.y);
    double z = (double)shift.z + acp_stored((double)c.z - (double)from.z);
    return (z * (double)normal.z + y * (double)normal.y) + x * (double)normal.x;
}

acp_transition_state acp_cliff_slide(acp_transition *move, const acp_plane *plane) {
    acp_sphere_path *path = &move->path;
    acp_collision_info *collision = &move->collision;
    acp_vec3 a = plane->normal, b = collision->last_known.plane.normal;
    double x = acp_stored((double)a.y * (double)b.z - (double)a.z * (double)b.y);
    double y = acp_stored((double)a.z * (double)b.x - (double)a.x * (double)b.z);
    double z = acp_stored((double)a.x * (double)b.y - (double)a.y * (double)b.x);
    /* up x that cross product; the terms with zero keep the sign of zero */
    acp_vec3 n = acp_vec3_make(0.0 * z - y * 1.0, x * 1.0 - z * 0.0, y * 0.0 - x * 0.0);
    if (acp_vec3_normalize_check_small(&n)) return ACP_TRANSITION_OK;
    double along = advance_along(path, n);
    if (along <= 0.0) {
        acp_sphere_path_add_offset(path, acp_vec3_scale(n, along));
        acp_collision_info_set_collision_normal(collision, n);
    } else {
        acp_sphere_path_add_offset(path, acp_vec3_scale(n, -along));
        acp_collision_info_set_collision_normal(collision, (acp_vec3){-n.x, -n.y, -n.z});
    }
    return ACP_TRANSITION_ADJUSTED;
}

acp_transition_state acp_precipice_slide(acp_transition *move) {
    acp_sphere_path *path = &move->path;
    acp_walkable *walkable = &path->walkable;
    acp_vec3 n;
    bool is_crossed = acp_polygon_find_crossed_edge(&walkable->polygon, &walkable->check_sphere, walkable->up, &n);
    acp_walkable_clear(walkable);
    if (!is_crossed) return ACP_TRANSITION_COLLIDED;
    path->is_stepping_up = false;
    n = acp_matrix_frame_local_to_global_vec(&walkable->position->frame, n);
    if (advance_along(path, n) > 0.0) n = (acp_vec3){-n.x, -n.y, -n.z};
    return acp_slide_sphere(move, &path->global_spheres[0], &n, path->global_current_centers[0]);
}
