/* SPDX-License-Identifier: MIT */
/* Mover info: the mover's flags, and the test of its lowest point against ground (spec 05 OCD-80..86, 08 TER-14).
 *
 * The test is deliberately crude: it uses the point straight below the centre, not the tangent point, and lifts vertically. A walking
 * mover that runs into ground too steep to stand on is neither moved nor stopped here: it gets OK without a contact plane, and the
 * missing plane is what starts the step-down and edge-slide logic of insert.c.
 * The viewer's branch compares the unrounded distance and uses the rounded one for the time (TER-14; OCD-86 shows one store; no vector
 * tells them apart).
 * Rounding: distance unrounded for the comparisons, drop stored (spec 12). Cost: constant. */
#include "transition/mover_info.h"

#include <math.h>

#include "math/vec3.h"
#include "place/cell_id.h"

static acp_transition_state validate_viewer(const acp_sphere *sphere, const acp_plane *plane, acp_sphere_path *path,
                                            acp_collision_info *collision) {
    acp_vec3 c = sphere->center, n = plane->normal, from = path->global_current_centers[0];
    double distance =
        ((((double)n.x * (double)c.x + (double)n.y * (double)c.y) + (double)c.z * (double)n.z) + (double)plane->d) - (double)sphere->radius;
    if (distance > -ACP_EPSILON_F64) return ACP_TRANSITION_OK;
    double ox = acp_stored((double)c.x - (double)from.x), oy = acp_stored((double)c.y - (double)from.y);
    double oz = (double)c.z - (double)from.z;
    double time = acp_stored(distance) / ((oz * (double)n.z + ox * (double)n.x) + oy * (double)n.y);
    if ((time <= 0.0 || time > 1.0) && path->begin_position && !acp_cell_id_is_outdoor(path->begin_position->cell_id))
        return ACP_TRANSITION_OK;
    acp_sphere_path_add_offset(path, acp_vec3_make(ox * -time, oy * -time, oz * -time));
    acp_collision_info_set_collision_normal(collision, n);
    collision->is_collided_with_environment = true;
    return ACP_TRANSITION_ADJUSTED;
}

acp_transition_state acp_validate_walkable(const acp_mover_info *info, const acp_sphere *sphere, const acp_plane *plane, bool is_water,
                                           float water_depth, acp_sphere_path *path, acp_collision_info *collision, uint32_t land_cell_id) {
    if (info->state & ACP_OI_IS_VIEWER) return validate_viewer(sphere, plane, path, collision);
    acp_vec3 c = sphere->center, n = plane->normal;
    double bottom = (double)c.z - (double)sphere->radius;
    double distance =
        ((((double)c.y * (double)n.y + bottom * (double)n.z) + (double)c.x * (double)n.x) + (double)plane->d) + (double)water_depth;
    if (distance > ACP_EPSILON_F64) return ACP_TRANSITION_OK;

    bool is_accepted = path->is_stepping_down || !(info->state & ACP_OI_ON_WALKABLE) || acp_is_valid_walkable(n);
    acp_transition_state state = ACP_TRANSITION_OK;
    if (distance >= -ACP_EPSILON_F64) {
        if (is_accepted) acp_collision_info_set_contact(collision, *plane, is_water, land_cell_id);
    } else {
        if (path->is_checking_walkable) return ACP_TRANSITION_COLLIDED;
        double drop = acp_stored(distance / (double)n.z);
        if (is_accepted) {
            acp_collision_info_set_contact(collision, *plane, is_water, land_cell_id);
            if (path->is_stepping_down) {
                double interp = (double)path->walk_interp;
                double left = (1.0 - (-1.0 / ((double)path->step_down_amount * interp)) * drop) * interp;
                if (left >= interp || left < ACP_INTERP_FLOOR) return ACP_TRANSITION_COLLIDED; /* the contact plane stays written */
                path->walk_interp = acp_f32(left);
            }
            acp_sphere_path_add_offset(path, (acp_vec3){0.0f, 0.0f, acp_f32(-drop)});
            state = ACP_TRANSITION_ADJUSTED;
        }
    }
    if (!(info->state & ACP_OI_CONTACT) && !path->is_stepping_down) {
        acp_collision_info_set_collision_normal(collision, n);
        collision->is_collided_with_environment = true;
    }
    return state;
}
