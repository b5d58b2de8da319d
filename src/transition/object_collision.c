/* SPDX-License-Identifier: MIT */
/* Object dispatch: which shape of an object meets the mover, and what is written down (spec 05 OCD-20..31, OCD-84).
 *
 * Exactly one family of shapes is used: the trees of the parts when the state word says so (whatever they answer), else all cylspheres,
 * else all spheres, else nothing (L3, OCD-21). Predicates are bits of the rows, constant during a tick (D10, DIV-48). Ethereal things pass
 * but are listed; a static thing stops even an ethereal mover; while stepping down nothing is written down. Shapes that provably cannot be
 * touched are passed over (reach.h); their test would answer OK without effect.
 * Cost: a few bit tests per object, then its shapes.
 * retail: CPhysicsObj::FindObjCollisions 0x0050F050 */
#include "asset/setup.h"
#include "transition/bsp_collision.h"
#include "transition/context.h"
#include "transition/cylsphere_response.h"
#include "transition/dispatch.h"
#include "transition/reach.h"
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

/* OCD-20 F: the one family. */
static acp_transition_state test_shapes(acp_transition *move, const acp_object_row *object, bool is_creature) {
    acp_transition_state state = ACP_TRANSITION_OK;
    const acp_setup *setup = object->setup;
    if (object->state & ACP_STATE_HAS_PHYSICS_BSP) {
        for (uint32_t i = 0; i < object->part_count && state == ACP_TRANSITION_OK; ++i) {
            const acp_part_row *part = &object->parts[i];
            if (acp_is_part_out_of_reach(&move->path, part)) continue;
            state = acp_part_find_collisions(move, part->shape, &part->position, part->scale.z);
            if (state != ACP_TRANSITION_OK) acp_transition_note_part(move, i);
        }
    } else if (!setup) {
        return state;
    } else if (setup->cylsphere_count > 0) {
        for (uint32_t i = 0; i < setup->cylsphere_count && state == ACP_TRANSITION_OK; ++i) {
            state = acp_cylsphere_respond_at(move, &setup->cylspheres[i], &object->position, object->scale);
            if (state != ACP_TRANSITION_OK) acp_transition_note_shape(move, i);
        }
    } else {
        for (uint32_t i = 0; i < setup->sphere_count && state == ACP_TRANSITION_OK; ++i) {
            state = acp_sphere_respond_at(move, &setup->spheres[i], &object->position, object->scale, is_creature);
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
