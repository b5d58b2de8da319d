/* SPDX-License-Identifier: MIT */
/* What a scenario does to its world (tool_run.h): the inputs of a step, in the order of the file.
 *
 * An input that the library refuses is a failure of the scenario, unless it says `refused` with that error's name; an answer other than the
 * expected one too. Inputs without their own body act on every body that still exists. What is asked of a body that was removed is a
 * failure (stale handle). Contract: between steps. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "math/number.h"
#include "tools/acphys/tool_run.h"

static bool is_due(const acp_run *run, const acp_scenario_when *when) {
    return run->step >= when->from && run->step <= when->to && (run->step - when->from) % when->every == 0;
}

static acp_result place(acp_run *run, const acp_scenario_input *in, acp_object handle, uint32_t *out_answer) {
    acp_world *world = run->world.world;
    acp_transition_context *context = acp_stepper_context(run->stepper);
    acp_position to;
    if (!acp_run_find_place(run, &in->to, &to)) return run->result;
    if (in->what == ACP_DO_TELEPORT) return acp_body_teleport(world, context, handle, &to, out_answer, &run->error);
    if (in->what == ACP_DO_FORCE) return acp_body_force_position(world, context, handle, &to, out_answer, NULL, &run->error);
    if (in->what == ACP_DO_MOVE_OR_TELEPORT) {
        *out_answer = ACP_PLACED;
        uint32_t outcome;
        return acp_body_move_or_teleport(world, context, handle, &to, (uint16_t)(in->word & 0xFFFFu), in->word >> 16 != 0, &outcome,
                                         &run->error);
    }
    acp_placement placement = {.struct_size = sizeof placement, .flags = in->word, .position = to};
    placement.x_radius = in->x_radius;
    placement.y_radius = in->y_radius;
    placement.tries = in->tries;
    return acp_body_place(world, context, handle, &placement, out_answer, &run->error);
}

static acp_result set_ethereal(acp_run *run, const acp_scenario_input *in, uint32_t object) {
    int32_t is_granted = 0;
    acp_result result = acp_body_set_ethereal(run->world.world, acp_stepper_context(run->stepper), run->objects[object].handle,
                                              (int32_t)in->word, &is_granted, &run->error);
    if (result == ACP_OK && in->has_granted && in->is_granted != (is_granted != 0))
        acp_run_fail(run, object, UINT32_MAX, "ethereal %lu was %s", (unsigned long)in->word, is_granted ? "granted" : "put off");
    return result;
}

static acp_result act_on(acp_run *run, const acp_scenario_input *in, uint32_t object, uint32_t *out_answer) {
    acp_world *world = run->world.world;
    acp_run_object *o = &run->objects[object];
    switch (in->what) {
    case ACP_DO_MOTION:
        o->motion = in->vector;
        o->turn = in->number;
        o->wander = 0.0f;
        return ACP_OK;
    case ACP_DO_WANDER:
        o->wander = in->number;
        return ACP_OK;
    case ACP_DO_VELOCITY:
        return acp_body_set_velocity(world, o->handle, in->vector);
    case ACP_DO_LOCAL_VELOCITY:
        return acp_body_set_local_velocity(world, o->handle, in->vector);
    case ACP_DO_OMEGA:
        return acp_body_set_omega(world, o->handle, in->vector);
    case ACP_DO_JUMP:
        return acp_body_jump(world, o->handle, in->vector);
    case ACP_DO_HEADING:
        return acp_body_set_heading(world, o->handle, in->number);
    case ACP_DO_STATE:
        return acp_body_set_state(world, o->handle, in->word);
    case ACP_DO_SCALE:
        return acp_body_set_scale(world, o->handle, in->number);
    case ACP_DO_FRICTION:
        return acp_body_set_friction(world, o->handle, in->number);
    case ACP_DO_ELASTICITY:
        return acp_body_set_elasticity(world, o->handle, in->number);
    case ACP_DO_ACTIVE:
        return acp_body_set_active(world, o->handle, (int32_t)in->word);
    case ACP_DO_DRIVEN:
        return acp_body_set_movement_manager(world, o->handle, (int32_t)in->word);
    case ACP_DO_ETHEREAL:
        return set_ethereal(run, in, object);
    case ACP_DO_PLACE:
    case ACP_DO_TELEPORT:
    case ACP_DO_FORCE:
    case ACP_DO_MOVE_OR_TELEPORT:
        return place(run, in, o->handle, out_answer);
    case ACP_DO_ENTER:
        return acp_body_enter(world, acp_stepper_context(run->stepper), o->handle, (int32_t)in->word, out_answer, &run->error);
    case ACP_DO_LEAVE:
        return acp_body_leave(world, o->handle, &run->error);
    case ACP_DO_REMOVE:
        o->exists = false;
        return acp_object_destroy(world, o->handle, &run->error);
    case ACP_DO_PUBLISH:
    case ACP_DO_RETIRE:
    case ACP_DO_TOGGLE:
    case ACP_DO_ANCHOR:
    case ACP_DO_COUNT:
        break;
    }
    return ACP_ERROR_INTERNAL;
}

/* A result that the scenario did not ask for. Running out of memory ends the run. */
static void judge(acp_run *run, const acp_scenario_input *in, uint32_t object, acp_result result, uint32_t answer) {
    const acp_json *refused = acp_json_member(in->json, "refused");
    const char *what = acp_scenario_do_name(in->what);
    if (run->result != ACP_OK) return;
    if (result == ACP_ERROR_OUT_OF_MEMORY) {
        run->result = result;
        return;
    }
    run->checks += refused || in->has_answer;
    if (refused && !acp_json_is_text(refused, acp_result_name(result)))
        acp_run_fail(run, object, UINT32_MAX, "%s was not refused as expected: %s", what,
                     result == ACP_OK ? "ok" : acp_result_name(result));
    else if (!refused && result != ACP_OK)
        acp_run_fail(run, object, UINT32_MAX, "%s was refused: %s", what, acp_result_name(result));
    else if (result == ACP_OK && in->has_answer && answer != in->answer)
        acp_run_fail(run, object, UINT32_MAX, "%s was answered %s, not %s", what,
                     acp_scenario_answer_name(answer) ? acp_scenario_answer_name(answer) : "?", acp_scenario_answer_name(in->answer));
}

static void apply_to_bodies(acp_run *run, const acp_scenario_input *in) {
    const acp_scenario *s = run->scenario;
    bool is_all = in->body == ACP_SCENARIO_ALL;
    uint32_t first = is_all ? 0 : s->bodies[in->body].first, count = is_all ? s->object_count : s->bodies[in->body].count;
    for (uint32_t i = first; i < first + count && run->result == ACP_OK; i++) {
        uint32_t answer = ACP_PLACED;
        if (is_all && !run->objects[i].exists) continue;
        acp_result result = act_on(run, in, i, &answer);
        judge(run, in, i, result, answer);
    }
}

static acp_result change_block(acp_run *run, acp_scenario_do what, uint32_t block_id) {
    bool is_there = acp_run_world_has(&run->world, block_id);
    if (what == ACP_DO_PUBLISH || (what == ACP_DO_TOGGLE && !is_there)) return acp_run_world_publish(&run->world, block_id, &run->error);
    return acp_run_world_retire(&run->world, block_id, &run->error);
}

/* Publish and retire act on all the landblocks they name, or on all there are; toggle on one of them by chance. */
static void apply_to_blocks(acp_run *run, const acp_scenario_input *in) {
    uint32_t count = in->block_count;
    const uint32_t *blocks = in->blocks;
    if (!blocks) blocks = acp_run_world_blocks(&run->world, &count);
    if (count == 0) return;
    if (in->what == ACP_DO_TOGGLE) {
        blocks += (uint32_t)(acp_run_chance(&run->chance) * count) % count;
        count = 1;
    }
    for (uint32_t i = 0; i < count && run->result == ACP_OK; i++) {
        uint32_t id = blocks[i] & 0xFFFF0000u;
        bool is_there = acp_run_world_has(&run->world, id);
        if (!in->blocks && is_there == (in->what == ACP_DO_PUBLISH)) continue;
        judge(run, in, UINT32_MAX, change_block(run, in->what, id), ACP_PLACED);
    }
}

/* A wanderer goes on as it did, mostly; now and then it takes another turn, or stands. */
static void wander(acp_run *run) {
    for (uint32_t i = 0; i < run->scenario->object_count; i++) {
        acp_run_object *o = &run->objects[i];
        if (!(o->wander > 0.0f) || acp_run_chance(&o->chance) >= 0.05) continue;
        double mood = acp_run_chance(&o->chance);
        o->motion = (acp_vec3){0.0f, mood < 0.15 ? 0.0f : o->wander, 0.0f};
        o->turn = acp_f32((acp_run_chance(&o->chance) - 0.5) * 180.0);
        if (mood > 0.95 && o->exists && acp_body_jump(run->world.world, o->handle, (acp_vec3){0.0f, o->wander, 5.0f}) != ACP_OK)
            acp_run_fail(run, i, UINT32_MAX, "a jump was refused");
    }
}

void acp_run_apply_inputs(acp_run *run) {
    const acp_scenario *s = run->scenario;
    for (uint32_t i = 0; i < s->input_count && run->result == ACP_OK; i++) {
        const acp_scenario_input *in = &s->inputs[i];
        if (!is_due(run, &in->when)) continue;
        if (in->what == ACP_DO_PUBLISH || in->what == ACP_DO_RETIRE || in->what == ACP_DO_TOGGLE) {
            apply_to_blocks(run, in);
        } else if (in->what == ACP_DO_ANCHOR) {
            acp_position at;
            if (!acp_run_find_place(run, &in->to, &at)) return;
            judge(run, in, UINT32_MAX, acp_world_set_anchors(run->world.world, &at, 1, 1), ACP_PLACED);
        } else {
            apply_to_bodies(run, in);
        }
    }
    wander(run);
}
