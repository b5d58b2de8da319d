/* SPDX-License-Identifier: MIT */
/* Object dispatch: which shape of an object meets the mover, and what is written down (spec 05 OCD-20..31, OCD-84).
 *
 * Exactly one family of shapes is used: the trees of the parts when the state word says so (whatever they answer), else all cylspheres,
 * else all spheres, else nothing (L3, OCD-21). Predicates are bits of the rows, constant during a tick (D10). Ethereal things pass but
 * are listed; a static thing stops even an ethereal mover; while stepping down nothing is written down.
 * Shapes that provably cannot be touched are passed over (is_out_of_reach); their test would answer OK without effect.
 * Cost: a few bit tests per object, then its shapes. retail: CPhysicsObj::FindObjCollisions 0x0050F050 */
#include <math.h>

#include "asset/setup.h"
#include "transition/bsp_collision.h"
#include "transition/context.h"
#include "transition/cylsphere_response.h"
#include "transition/dispatch.h"
#include "transition/sphere_response.h"
#include "transition/trace.h"

/* OCD-84. retail: OBJECTINFO::missile_ignore 0x0050CEB0 */
static bool is_missile_ignored(const acp_mover_info *info, const acp_object_row *object) {
    if (object->state & ACP_STATE_MISSILE) return true;
    if (!(info->physics_state & ACP_STATE_MISSILE)) return false;
    if (object->object_id == info->target_id) return false;
    if ((object->state & ACP_STATE_ETHEREAL) && (object->predicates & ACP_PREDICATE_GAME_OBJECT)) return true;
    return info->target_id != 0 && acp_object_row_has(object, ACP_PREDICATE_CREATURE);
}

/* OCD-20 D. */
static bool is_exempt(const acp_mover_info *info, const acp_object_row *object) {
    if (!acp_object_row_has(object, ACP_PREDICATE_PLAYER) || !(info->state & ACP_OI_IS_PLAYER)) return false;
    if ((info->state & ACP_OI_IS_IMPENETRABLE) || (object->predicates & ACP_PREDICATE_IMPENETRABLE)) return false;
    if ((info->state & ACP_OI_IS_PK) && (object->predicates & ACP_PREDICATE_PK)) return false;
    return !((info->state & ACP_OI_IS_PK_LITE) && (object->predicates & ACP_PREDICATE_PK_LITE));
}

/* Space that positions may have been rounded away in; far more than the ulp of anything within REACH_LIMIT. */
#define REACH_SLACK 0.02
#define REACH_LIMIT 8192.0

static double l1_norm(acp_vec3 v) { return (fabs((double)v.x) + fabs((double)v.y)) + fabs((double)v.z); }

/* Whether no sphere of the mover can touch a shape that lies wholly within `reach` of the origin of `at` (horizontally, or in space):
 * then the shape's own test answers OK without effect. The bound contains the whole shape, its offset from the origin included (C4, L4). */
static bool is_out_of_reach(const acp_sphere_path *path, const acp_matrix_position *at, double reach, bool is_horizontal) {
    if (((path->check_position.cell_id ^ at->cell_id) & 0xFFFF0000u) != 0) return false;
    acp_vec3 origin = at->frame.origin;
    for (uint32_t i = 0; i < path->sphere_count; ++i) {
        const acp_sphere *sphere = &path->global_spheres[i];
        double x = (double)sphere->center.x - (double)origin.x, y = (double)sphere->center.y - (double)origin.y;
        double z = is_horizontal ? 0.0 : (double)sphere->center.z - (double)origin.z;
        double radius = (double)sphere->radius > (double)path->global_spheres[0].radius ? (double)sphere->radius
                                                                                        : (double)path->global_spheres[0].radius;
        double bound = reach + radius + REACH_SLACK;
        if (!((z * z + y * y) + x * x > bound * bound)) return false;
        if (!(fabs((double)sphere->center.x) < REACH_LIMIT && fabs((double)sphere->center.y) < REACH_LIMIT &&
              fabs((double)sphere->center.z) < REACH_LIMIT))
            return false;
    }
    return path->sphere_count > 0;
}

/* The same for a part: its tree is only asked when a mover's sphere meets the physics sphere (OCD-30). The part's test takes the mover
 * from its frame, this one from its spheres: they agree for upright movers on their axis. */
static bool is_part_out_of_reach(const acp_sphere_path *path, const acp_part_row *part) {
    if (!part->shape || !path->is_axial || !acp_frame_is_upright(&path->check_position.frame) || !(part->scale.z > 0.0f)) return false;
    const acp_sphere *bound = &part->shape->physics_sphere;
    if (!(bound->radius >= 0.0f)) return false;
    return is_out_of_reach(path, &part->position, (double)part->scale.z * (l1_norm(bound->center) + (double)bound->radius), false);
}

/* OCD-20 F: the one family. */
static acp_transition_state test_shapes(acp_transition *move, const acp_object_row *object, bool is_creature) {
    acp_transition_state state = ACP_TRANSITION_OK;
    const acp_setup *setup = object->setup;
    if (object->state & ACP_STATE_HAS_PHYSICS_BSP) {
        for (uint32_t i = 0; i < object->part_count && state == ACP_TRANSITION_OK; ++i) {
            const acp_part_row *part = &object->parts[i];
            if (is_part_out_of_reach(&move->path, part)) continue;
            state = acp_part_find_collisions(move, part->shape, &part->position, part->scale.z);
            if (state != ACP_TRANSITION_OK) acp_transition_note_part(move, i);
        }
    } else if (!setup) {
        return state;
    } else if (setup->cylsphere_count > 0) {
        for (uint32_t i = 0; i < setup->cylsphere_count && state == ACP_TRANSITION_OK; ++i) {
            const acp_cylsphere *shape = &setup->cylspheres[i];
            double reach = (l1_norm(shape->low_point) + (double)shape->radius) * (double)object->scale;
            if (is_out_of_reach(&move->path, &object->position, reach, true)) continue;
            state = acp_cylsphere_respond_at(move, shape, &object->position, object->scale);
            if (state != ACP_TRANSITION_OK) acp_transition_note_shape(move, i);
        }
    } else {
        for (uint32_t i = 0; i < setup->sphere_count && state == ACP_TRANSITION_OK; ++i) {
            const acp_sphere *shape = &setup->spheres[i];
            double reach = (l1_norm(shape->center) + (double)shape->radius) * (double)object->scale;
            if (is_out_of_reach(&move->path, &object->position, reach, false)) continue;
            state = acp_sphere_respond_at(move, shape, &object->position, object->scale, is_creature);
            if (state != ACP_TRANSITION_OK) acp_transition_note_shape(move, i);
        }
    }
    return state;
}

acp_transition_state acp_object_find_collisions(acp_transition *move, const acp_object_row *object, uint32_t index) {
    const acp_mover_info *info = &move->info;
    acp_sphere_path *path = &move->path;
    uint32_t state_word = object->state;
    if ((state_word & ACP_STATE_ETHEREAL) && (state_word & ACP_STATE_IGNORE_COLLISIONS)) return ACP_TRANSITION_OK;
    bool is_game_creature = acp_object_row_has(object, ACP_PREDICATE_CREATURE);
    if ((info->state & ACP_OI_IS_VIEWER) && is_game_creature) return ACP_TRANSITION_OK;
    bool is_ethereal = (state_word & ACP_STATE_ETHEREAL) || (info->is_ethereal && !(state_word & ACP_STATE_STATIC));
    if (is_ethereal && path->is_stepping_down) return ACP_TRANSITION_OK;
    path->is_obstruction_ethereal = is_ethereal;

    bool is_creature = (state_word & ACP_STATE_MISSILE) || is_game_creature;
    acp_transition_state state = ACP_TRANSITION_OK;
    if (!is_exempt(info, object) && !is_missile_ignored(info, object)) state = test_shapes(move, object, is_creature);
    if (state != ACP_TRANSITION_OK && !path->is_stepping_down) {
        if (state_word & ACP_STATE_STATIC) {
            if (!(info->state & ACP_OI_CONTACT)) move->collision.is_collided_with_environment = true;
        } else if (is_ethereal || (is_creature && (info->state & ACP_OI_IGNORE_CREATURES))) {
            state = ACP_TRANSITION_OK;
            move->collision.is_collision_normal_valid = false;
            acp_transition_add_object(move, index, ACP_TRANSITION_OK);
        } else {
            acp_transition_add_object(move, index, state);
        }
    }
    path->is_obstruction_ethereal = false;
    return state;
}
