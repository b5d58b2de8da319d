/* SPDX-License-Identifier: MIT */
/* Movers: from a setup or an object's row to the fields a transition reads (spec 05 OCD-29, OCD-31, OCD-80..82; 07 PHO-14, PHO-28).
 *
 * A mover is described by value, so that a host can ask about a body that exists in no list. What is derived here: the flags, the contact
 * plane or the last known plane when the velocity leads away from it, the sliding normal, the stationary counter, the first two spheres.
 * Quirk kept: a lost contact stores the plane's cell in the *contact* plane's id, not in the last known one's (OCD-82).
 * Without spheres the client uses one dummy sphere, never scaled. Cost: constant. */
#include "transition/mover.h"

#include "asset/setup.h"
#include "math/vec3.h"
#include "world/object.h"

acp_mover acp_mover_default(void) {
    acp_mover mover = {0};
    mover.struct_size = sizeof mover;
    mover.state = ACP_STATE_DEFAULT;
    mover.scale = 1.0f;
    return mover;
}

acp_result acp_mover_from_setup(const acp_setup *setup, float scale, acp_mover *out_mover) {
    if (!out_mover) return ACP_ERROR_INVALID_ARGUMENT;
    if (!(scale > 0.0f) || !(scale < 1.0e30f)) return ACP_ERROR_OUT_OF_RANGE;
    acp_mover mover = acp_mover_default();
    mover.scale = scale;
    if (setup) {
        mover.sphere_count = setup->sphere_count < 2 ? setup->sphere_count : 2;
        for (uint32_t i = 0; i < mover.sphere_count; ++i)
            mover.spheres[i] = setup->spheres[i];
        mover.allows_free_heading = (setup->flags & ACP_SETUP_ALLOWS_FREE_HEADING) ? 1u : 0u;
        bool has_record = !(setup->flags & ACP_SETUP_IS_WITHOUT_RECORD);
        mover.step_up_height = has_record ? acp_f32((double)setup->step_up_height * (double)scale) : ACP_DEFAULT_STEP;
        mover.step_down_height = has_record ? acp_f32((double)setup->step_down_height * (double)scale) : ACP_DEFAULT_STEP;
    }
    *out_mover = mover;
    return ACP_OK;
}

acp_result acp_mover_from_object(const acp_world *world, acp_object object, acp_mover *out_mover) {
    if (!world || !out_mover) return ACP_ERROR_INVALID_ARGUMENT;
    const acp_object_row *row = acp_world_row_of(world, object, NULL);
    if (!row) return ACP_ERROR_STALE_HANDLE;
    acp_result result = acp_mover_from_setup(row->setup, row->scale, out_mover);
    if (result != ACP_OK) return result;
    out_mover->object = object;
    out_mover->state = row->state;
    out_mover->transient_state = row->transient_state;
    out_mover->predicates = row->predicates;
    out_mover->missile_target = row->missile_target;
    if (row->extra) {
        out_mover->admitted_by = row->extra->admitted_by;
        out_mover->admitted_by_count = row->extra->admitted_by_count;
    }
    return ACP_OK;
}

bool acp_mover_is_admitted(const acp_mover_info *info, const struct acp_object_row *restriction) {
    if ((info->predicates & ACP_PREDICATE_ADMITTED_BY_ALL) || (restriction->predicates & ACP_PREDICATE_ADMITS_ALL)) return true;
    for (uint32_t i = 0; i < info->admitted_by_count; ++i)
        if (info->admitted_by[i] == restriction->object_id) return true;
    return false;
}

void acp_transition_seed_flags(acp_transition *move, const acp_mover *mover, const acp_object_row *row, uint32_t flags) {
    acp_mover_info *info = &move->info;
    info->object = row;
    info->has_mover = true;
    info->state = flags;
    info->physics_state = mover->state;
    info->predicates = (mover->predicates & ACP_PREDICATE_GAME_OBJECT) ? mover->predicates : 0;
    info->target_id = mover->missile_target;
    info->admitted_by = mover->admitted_by;
    info->admitted_by_count = mover->admitted_by_count;
    info->scale = mover->scale;
    info->step_up_height = mover->step_up_height;
    info->step_down_height = mover->step_down_height;
    info->is_ethereal = (mover->state & ACP_STATE_ETHEREAL) != 0;
    info->can_step_down = !(mover->state & ACP_STATE_MISSILE);
    if (info->predicates & ACP_PREDICATE_IMPENETRABLE) info->state |= ACP_OI_IS_IMPENETRABLE;
    if (info->predicates & ACP_PREDICATE_PLAYER) info->state |= ACP_OI_IS_PLAYER;
    if (info->predicates & ACP_PREDICATE_PK) info->state |= ACP_OI_IS_PK;
    if (info->predicates & ACP_PREDICATE_PK_LITE) info->state |= ACP_OI_IS_PK_LITE;
    if (mover->sphere_count > 0) {
        acp_sphere_path_set_spheres(&move->path, mover->sphere_count, mover->spheres, mover->scale);
    } else {
        acp_sphere dummy = {{0.0f, 0.0f, ACP_DUMMY_RADIUS}, ACP_DUMMY_RADIUS};
        acp_sphere_path_set_spheres(&move->path, 1, &dummy, 1.0f);
    }
}

/* Contact or last known plane (OCD-82). */
static uint32_t seed_contact(acp_transition *move, const acp_mover *mover) {
    acp_collision_info *collision = &move->collision;
    bool is_water = (mover->transient_state & ACP_TRANSIENT_WATER_CONTACT) != 0;
    collision->last_known.is_valid = true;
    collision->last_known.is_water = is_water;
    collision->last_known.plane = mover->contact.plane;
    collision->contact.cell_id = mover->contact.cell_id;
    if (acp_vec3_dot_zyx(mover->velocity, mover->contact.plane.normal) > ACP_EPSILON_F64) return 0; /* leaving: its id is not kept */
    collision->last_known.cell_id = mover->contact.cell_id;
    acp_collision_info_set_contact(collision, mover->contact.plane, is_water, mover->contact.cell_id);
    return ACP_OI_CONTACT | ((mover->transient_state & ACP_TRANSIENT_ON_WALKABLE) ? ACP_OI_ON_WALKABLE : 0u);
}

void acp_transition_seed(acp_transition *move, const acp_mover *mover, const acp_object_row *row) {
    uint32_t flags = (mover->state & ACP_STATE_EDGE_SLIDE) ? ACP_OI_EDGE_SLIDE : 0u;
    if (mover->transient_state & ACP_TRANSIENT_CONTACT) flags |= seed_contact(move, mover);
    if (mover->transient_state & ACP_TRANSIENT_SLIDING) acp_collision_info_set_sliding_normal(&move->collision, mover->sliding_normal);
    if (mover->allows_free_heading) flags |= ACP_OI_FREE_ROTATE;
    if (mover->state & ACP_STATE_MISSILE) flags |= ACP_OI_PATH_CLIPPED;
    acp_transition_seed_flags(move, mover, row, flags);
    if (mover->transient_state & ACP_TRANSIENT_STATIONARY_STUCK)
        move->collision.frames_stationary_fall = 3;
    else if (mover->transient_state & ACP_TRANSIENT_STATIONARY_STOP)
        move->collision.frames_stationary_fall = 2;
    else if (mover->transient_state & ACP_TRANSIENT_STATIONARY_FALL)
        move->collision.frames_stationary_fall = 1;
}
