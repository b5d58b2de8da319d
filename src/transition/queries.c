/* SPDX-License-Identifier: MIT */
/* Questions built on moves: plausible client moves, sight, shots, ground, free space (acphys/transition.h).
 *
 * Each is one ordinary sweep or placement with a particular mover, so that the answer is what a body, camera or missile would meet: there
 * is no second collision code. Sight is the camera's sweep (flags 0x5C: creatures are passed, contacts are exact); a shot is a missile with
 * a target (OCD-84); ground is a drop of a small faller that stays where it first meets some; a free spot is a placement with its rings.
 * Limits: sweeps cost one sub-step per radius, so a sight of 60 m with a radius of 0.1 m takes 600; the context's limit applies.
 * A sight does not mark its target: an object in the way counts as clear only when it is the target named. */
#include <math.h>

#include "base/error.h"
#include "geom/plane.h"
#include "math/vec3.h"
#include "place/position.h"
#include "transition/api.h"
#include "transition/constants.h"
#include "transition/context.h"
#include "world/object.h"

static double distance_between(const acp_position *a, const acp_position *b) {
    acp_matrix_position pa = acp_matrix_position_from_public(a), pb = acp_matrix_position_from_public(b);
    return acp_matrix_position_distance(&pa, &pb);
}

acp_result acp_can_move(acp_transition_context *context, const acp_world *world, const acp_mover *mover, const acp_position *from,
                        const acp_position *to, float tolerance, float max_length, acp_move_check *out_check, acp_error *error) {
    static const char operation[] = "can move";
    if (!out_check) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no place for the answer");
    if (!(tolerance >= 0.0f) || !(max_length >= 0.0f) || isinf(tolerance) || isinf(max_length))
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "tolerance or length is negative or not finite");
    acp_result result = acp_check_position(from, operation, error);
    if (result == ACP_OK) result = acp_check_position(to, operation, error);
    if (result != ACP_OK) return result;
    acp_move_check check = {0};
    check.length = distance_between(from, to);
    if (max_length > 0.0f && check.length > (double)max_length) {
        check.distance = check.length;
        check.result.verdict = ACP_MOVE_REFUSED;
        check.result.position = *from;
        *out_check = check;
        return ACP_OK;
    }
    result = acp_sweep(context, world, mover, NULL, from, to, &check.result, operation, error);
    if (result != ACP_OK) return result;
    check.distance = distance_between(&check.result.position, to);
    check.is_plausible = check.result.has_position && check.distance <= (double)tolerance;
    *out_check = check;
    return ACP_OK;
}

static acp_mover probe_of(float radius, acp_object self) {
    acp_mover mover = acp_mover_default();
    mover.object = self;
    mover.sphere_count = 1;
    mover.spheres[0].radius = radius;
    return mover;
}

static acp_result sight(acp_transition_context *context, const acp_world *world, const acp_mover *mover, uint32_t flags,
                        const acp_position *from, const acp_position *to, acp_object target, acp_sight *out_sight, const char *operation,
                        acp_error *error) {
    if (!out_sight) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no place for the answer");
    acp_move_result moved;
    acp_result result = acp_sweep(context, world, mover, &flags, from, to, &moved, operation, error);
    if (result != ACP_OK) return result;
    acp_sight answer = {0};
    double length = distance_between(from, to);
    double covered = distance_between(from, &moved.position);
    answer.end = moved.position;
    answer.fraction = length > 0.0 ? acp_f32(covered < length ? covered / length : 1.0) : 1.0f;
    answer.hit = moved.hit;
    if (!moved.has_position && moved.hit.kind == ACP_HIT_NONE) answer.hit.kind = ACP_HIT_NO_CELL;
    for (uint32_t i = 0; target.index1 != 0 && i < moved.object_count; ++i)
        if (moved.objects[i].index1 == target.index1 && moved.objects[i].generation == target.generation) answer.has_hit_target = 1;
    bool is_through = moved.has_position && moved.taken_steps == moved.planned_steps && !moved.has_collision_normal;
    answer.is_clear = is_through || answer.has_hit_target;
    *out_sight = answer;
    return ACP_OK;
}

acp_result acp_line_of_sight(acp_transition_context *context, const acp_world *world, const acp_position *from, const acp_position *to,
                             float radius, acp_object viewer, acp_object target, acp_sight *out_sight, acp_error *error) {
    acp_mover mover = probe_of(radius, viewer);
    mover.state = 0;
    return sight(context, world, &mover, ACP_MOVER_VIEWER_FLAGS, from, to, target, out_sight, "line of sight", error);
}

acp_result acp_can_hit(acp_transition_context *context, const acp_world *world, const acp_position *from, const acp_position *to,
                       float radius, acp_object shooter, acp_object target, acp_sight *out_sight, acp_error *error) {
    static const char operation[] = "can hit";
    if (!world) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument");
    acp_mover mover = probe_of(radius, shooter);
    mover.state = ACP_STATE_MISSILE;
    if (target.index1 != 0) {
        const acp_object_row *row = acp_world_row_of(world, target, NULL);
        if (!row) return acp_error_set(error, ACP_ERROR_STALE_HANDLE, operation, "the target is gone");
        mover.missile_target = row->object_id;
    }
    return sight(context, world, &mover, ACP_MOVER_PATH_CLIPPED, from, to, target, out_sight, operation, error);
}

acp_result acp_ground_under(acp_transition_context *context, const acp_world *world, const acp_position *from, float radius, float depth,
                            acp_floor *out_floor, acp_error *error) {
    static const char operation[] = "ground under";
    if (!out_floor) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no place for the answer");
    if (!(radius > 0.0f) || !(depth > 0.0f) || isinf(radius) || isinf(depth))
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "radius and depth must be positive");
    acp_result result = acp_check_position(from, operation, error);
    if (result != ACP_OK) return result;
    if (!context) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "a null argument");
    double steps = ceil((double)depth / (double)radius);
    if (steps > (double)context->max_sub_steps)
        return acp_error_set(error, ACP_ERROR_LIMIT, operation, "%.0f sub-steps, more than %u", steps, (unsigned)context->max_sub_steps);
    acp_mover mover = probe_of(radius, (acp_object){0, 0});
    mover.state = 0;
    mover.spheres[0].center.z = radius;
    /* Radius by radius, so that the faller stays where it first meets ground instead of sliding on for the rest of the depth. */
    acp_move_result moved;
    acp_position at = *from;
    for (double left = (double)depth;; left -= (double)radius) {
        acp_position to = at;
        to.frame.origin.z = acp_f32((double)at.frame.origin.z - (left < (double)radius ? left : (double)radius));
        result = acp_sweep(context, world, &mover, NULL, &at, &to, &moved, operation, error);
        if (result != ACP_OK) return result;
        if (moved.contact.is_valid || left <= (double)radius || !moved.has_position || moved.cell_id == 0) break;
        if (!(moved.position.frame.origin.z < at.frame.origin.z)) break;
        at = moved.position;
    }
    acp_floor answer = {0};
    answer.has_ground = moved.contact.is_valid;
    if (moved.contact.is_valid) {
        answer.plane = moved.contact.plane;
        answer.cell_id = moved.contact.cell_id;
        answer.is_water = moved.contact.is_water;
        answer.is_walkable = (double)moved.contact.plane.normal.z >= ACP_FLOOR_Z;
    }
    answer.z = moved.position.frame.origin.z;
    answer.hit = moved.hit;
    *out_floor = answer;
    return ACP_OK;
}

acp_result acp_free_spot(acp_transition_context *context, const acp_world *world, const acp_mover *mover, const acp_position *at,
                         float max_distance, acp_move_result *out_result, acp_error *error) {
    static const char operation[] = "free spot";
    if (!(max_distance > 0.0f) || isinf(max_distance))
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the distance must be positive");
    acp_result result = acp_place(context, world, mover, at, 1, out_result, error);
    if (result != ACP_OK || !out_result->has_position) return result;
    if (distance_between(at, &out_result->position) > (double)max_distance) {
        out_result->has_position = 0;
        out_result->verdict = ACP_MOVE_REFUSED;
    }
    return ACP_OK;
}
