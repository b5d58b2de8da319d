/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_REACH_H
#define ACP_TRANSITION_REACH_H

#include <math.h>
#include <stdbool.h>

#include "asset/setup.h"
#include "transition/sphere_path.h"
#include "world/object.h"

/* What may be passed over without being tested (C4, L4): only what provably cannot be touched. The bound contains the whole shape, its
 * offset from the origin of its owner included, and leaves room for everything that storing positions can have rounded away. Every test
 * that is passed over would answer OK and change nothing: each response of a sphere, cylsphere or part begins by asking whether it is
 * touched. Shapes of another landblock, and movers far outside their block, are always tested. */

#define ACP_REACH_SLACK 0.02
#define ACP_REACH_LIMIT 8192.0

/* |x| + |y| + |z|: at least the length. */
static inline double acp_l1_norm(acp_vec3 v) { return (fabs((double)v.x) + fabs((double)v.y)) + fabs((double)v.z); }

static inline bool acp_is_near_block(acp_vec3 v) {
    return fabs((double)v.x) < ACP_REACH_LIMIT && fabs((double)v.y) < ACP_REACH_LIMIT && fabs((double)v.z) < ACP_REACH_LIMIT;
}

/* Both spheres stand over one point, near their block: then one comparison decides for objects of spheres and cylspheres. */
static inline bool acp_mover_circle_is_valid(const acp_sphere_path *path) {
    const acp_sphere *low = &path->global_spheres[0], *high = &path->global_spheres[path->sphere_count > 1 ? 1 : 0];
    return path->sphere_count > 0 && low->center.x == high->center.x && low->center.y == high->center.y && acp_is_near_block(low->center) &&
           acp_is_near_block(high->center);
}

/* No sphere of the mover touches a shape that lies within `reach` of the origin of `at`. */
static inline bool acp_is_out_of_reach(const acp_sphere_path *path, const acp_matrix_position *at, double reach) {
    if (((path->check_position.cell_id ^ at->cell_id) & 0xFFFF0000u) != 0) return false;
    acp_vec3 origin = at->frame.origin;
    double first = (double)path->global_spheres[0].radius;
    if (acp_mover_circle_is_valid(path)) { /* the common case: one look at the ground plan */
        double x = (double)path->global_spheres[0].center.x - (double)origin.x,
               y = (double)path->global_spheres[0].center.y - (double)origin.y;
        double widest = path->sphere_count > 1 && path->global_spheres[1].radius > path->global_spheres[0].radius
                            ? (double)path->global_spheres[1].radius
                            : first;
        double bound = reach + widest + ACP_REACH_SLACK;
        if (y * y + x * x > bound * bound) return true;
    }
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        const acp_sphere *sphere = &path->global_spheres[i];
        double x = (double)sphere->center.x - (double)origin.x, y = (double)sphere->center.y - (double)origin.y;
        double z = (double)sphere->center.z - (double)origin.z;
        double bound = reach + (double)(sphere->radius > path->global_spheres[0].radius ? (double)sphere->radius : first) + ACP_REACH_SLACK;
        if (!((z * z + y * y) + x * x > bound * bound) || !acp_is_near_block(sphere->center)) return false;
    }
    return path->sphere_count > 0;
}

/* The same for a part, whose tree is only asked when a sphere of the mover meets its physics sphere (OCD-30). The part's test takes the
 * mover from its frame, this one from its spheres: they agree for upright movers on their axis. */
static inline bool acp_is_part_out_of_reach(const acp_sphere_path *path, const acp_part_row *part) {
    if (!part->shape || !path->is_axial || !acp_frame_is_upright(&path->check_position.frame) || !(part->scale.z > 0.0f)) return false;
    const acp_sphere *bound = &part->shape->physics_sphere;
    if (!(bound->radius >= 0.0f)) return false;
    return acp_is_out_of_reach(path, &part->position, (double)part->scale.z * (acp_l1_norm(bound->center) + (double)bound->radius));
}

/* Nothing of the object can be touched by a mover whose spheres stand over one point. */
static inline bool acp_is_beyond_circle(const acp_sphere_path *path, const acp_object_row *object) {
    if (object->state & ACP_STATE_HAS_PHYSICS_BSP) {
        if (object->part_count == 1 || object->part_count > 4) return false; /* one: its own test asks the same */
        for (uint32_t i = 0; i < object->part_count; ++i)
            if (!acp_is_part_out_of_reach(path, &object->parts[i])) return false;
        return true;
    }
    if (!object->setup) return false;
    if (((path->check_position.cell_id ^ object->position.cell_id) & 0xFFFF0000u) != 0) return false;
    const acp_setup *setup = object->setup;
    const acp_sphere *low = &path->global_spheres[0], *high = &path->global_spheres[path->sphere_count > 1 ? 1 : 0];
    double radius = (double)(low->radius > high->radius ? low->radius : high->radius);
    double reach = (double)(setup->cylsphere_count > 0 ? setup->cylsphere_reach : setup->sphere_reach) * (double)object->scale;
    double x = (double)low->center.x - (double)object->position.frame.origin.x;
    double y = (double)low->center.y - (double)object->position.frame.origin.y;
    double bound = reach + radius + ACP_REACH_SLACK;
    return y * y + x * x > bound * bound;
}

#endif
