/* SPDX-License-Identifier: MIT */
/* What a scenario does to its world (tool_run.h): the inputs of a step, in the order of the file.
 *
 * An input that the library refuses is a failure of the scenario, unless it says `refused` with that error's name; an answer other than the
 * expected one too. Inputs without their own body act on every body that still exists. What is asked of a body that was removed is a
 * failure (stale handle). What goes by chance is drawn anew for each input, step and body, from what these are and the scenario's seed: a
 * scenario without some of its parts does the rest as before. Contract: between steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/number.h"
#include "math/trig.h"
#include "tools/acphys/tool_run.h"

static bool is_due(const acp_run *run, const acp_scenario_when *when) {
    return run->step >= when->from && run->step <= when->to && (run->step - when->from) % when->every == 0;
}

static acp_result place(acp_run *run, const acp_scenario_input *in, acp_object handle, uint32_t *out_answer) {
    acp_world *world = run->world.world;
    acp_transition_context *context = acp_stepper_context(run->stepper);
    acp_position to;
    if (!acp_run_find_place(run, &in->to, &to)) return run->result;
    run->asked = to;
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

/* Would it have room there? What stands in the way is told by kind and, of objects, by name. */
static acp_result probe(acp_run *run, const acp_scenario_input *in, uint32_t object) {
    acp_mover mover;
    acp_move_result found;
    acp_position to;
    if (!acp_run_find_place(run, &in->to, &to)) return run->result;
    acp_result result = acp_mover_from_object(run->world.world, run->objects[object].handle, &mover);
    if (result == ACP_OK)
        result = acp_place(acp_stepper_context(run->stepper), run->world.world, &mover, &to, (int32_t)in->word, &found, &run->error);
    if (result != ACP_OK) return result;
    run->checks++;
    if (found.hit.kind != in->hit)
        acp_run_fail(run, object, UINT32_MAX, "the probe met %s, expected %s", acp_scenario_hit_name(found.hit.kind),
                     acp_scenario_hit_name(in->hit));
    if ((in->hit == ACP_HIT_NONE) != (found.has_position != 0))
        acp_run_fail(run, object, UINT32_MAX, "the probe found %s", found.has_position ? "room" : "no room");
    if (in->other == ACP_SCENARIO_ALL) return ACP_OK;
    const acp_scenario_body *body = &run->scenario->bodies[in->other];
    for (uint32_t i = body->first; i < body->first + body->count; i++)
        if (run->objects[i].handle.index1 == found.hit.object.index1) return ACP_OK;
    acp_run_fail(run, object, UINT32_MAX, "the probe did not meet %s", body->name);
    return ACP_OK;
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
        o->leash = in->x_radius;
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
    case ACP_DO_PROBE:
        return probe(run, in, object);
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
    else if (result == ACP_OK && in->has_answer && in->answer != UINT32_MAX && answer != in->answer)
        acp_run_fail(run, object, UINT32_MAX, "%s at 0x%08lX %.9g %.9g %.9g was answered %s, not %s", what,
                     (unsigned long)run->asked.cell_id, (double)run->asked.frame.origin.x, (double)run->asked.frame.origin.y,
                     (double)run->asked.frame.origin.z, acp_scenario_answer_name(answer) ? acp_scenario_answer_name(answer) : "?",
                     acp_scenario_answer_name(in->answer));
}

bool acp_run_make_input_chances(acp_run *run) {
    acp_json_writer json = {0};
    run->input_chances = calloc((size_t)run->scenario->input_count + 1, sizeof *run->input_chances);
    for (uint32_t i = 0; run->input_chances && i < run->scenario->input_count && !json.is_failed; i++) {
        acp_json_writer_reset(&json);
        acp_json_write_tree(&json, NULL, run->scenario->inputs[i].json);
        run->input_chances[i] = acp_run_chance_of(run, json.text, json.length, 0);
    }
    if (!run->input_chances || json.is_failed) run->result = acp_error_set(&run->error, ACP_ERROR_OUT_OF_MEMORY, "run", "memory refused");
    acp_json_writer_free(&json);
    return run->result == ACP_OK;
}

/* An input's chance at this step, of this body (or of none). */
static void begin_chance(acp_run *run, const acp_scenario_input *in, uint64_t identity) {
    uint64_t own = run->input_chances[in - run->scenario->inputs];
    run->chance = (own ^ identity) * 0x9E3779B97F4A7C15u + run->step * 0xBF58476D1CE4E5B9u;
}

static void apply_to_bodies(acp_run *run, const acp_scenario_input *in) {
    const acp_scenario *s = run->scenario;
    bool is_all = in->body == ACP_SCENARIO_ALL;
    uint32_t first = is_all ? 0 : s->bodies[in->body].first, count = is_all ? s->object_count : s->bodies[in->body].count;
    for (uint32_t i = first; i < first + count && run->result == ACP_OK; i++) {
        uint32_t answer = ACP_PLACED;
        if (is_all && !run->objects[i].exists) continue;
        begin_chance(run, in, run->objects[i].identity);
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

/* Degrees clockwise from north towards home when that is farther than its leash; negative: near enough. */
static double way_home(const acp_run *run, const acp_run_object *o) {
    acp_object_info info;
    if (acp_object_get_info(run->world.world, o->handle, &info) != ACP_OK) return -1.0;
    const acp_position *a = &info.position, *b = &o->home;
    double dx = (double)b->frame.origin.x - (double)a->frame.origin.x + 192.0 * ((double)(b->cell_id >> 24) - (double)(a->cell_id >> 24));
    double dy = (double)b->frame.origin.y - (double)a->frame.origin.y +
                192.0 * ((double)((b->cell_id >> 16) & 0xFFu) - (double)((a->cell_id >> 16) & 0xFFu));
    if (dx * dx + dy * dy < (double)o->leash * (double)o->leash) return -1.0;
    double degrees = acp_atan2(dx, dy) * 57.295779513082323;
    return degrees < 0.0 ? degrees + 360.0 : degrees;
}

/* A wanderer goes on as it did, mostly; now and then it takes another turn, stands, jumps, or turns back home. */
static void wander(acp_run *run) {
    for (uint32_t i = 0; i < run->scenario->object_count && run->result == ACP_OK; i++) {
        acp_run_object *o = &run->objects[i];
        if (!o->exists || !(o->wander > 0.0f) || acp_run_chance(&o->chance) >= 0.05) continue;
        double mood = acp_run_chance(&o->chance), home = way_home(run, o);
        o->motion = (acp_vec3){0.0f, mood < 0.15 && home < 0.0 ? 0.0f : o->wander, 0.0f};
        o->turn = home < 0.0 ? acp_f32((acp_run_chance(&o->chance) - 0.5) * 180.0) : 0.0f;
        if (home >= 0.0) run->result = acp_body_set_heading(run->world.world, o->handle, acp_f32(home));
        if (mood > 0.95 && acp_body_jump(run->world.world, o->handle, (acp_vec3){0.0f, o->wander, 5.0f}) != ACP_OK)
            acp_run_fail(run, i, UINT32_MAX, "a jump was refused");
    }
}

void acp_run_apply_inputs(acp_run *run) {
    const acp_scenario *s = run->scenario;
    for (uint32_t i = 0; i < s->input_count && run->result == ACP_OK; i++) {
        const acp_scenario_input *in = &s->inputs[i];
        if (!is_due(run, &in->when)) continue;
        begin_chance(run, in, 0);
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
