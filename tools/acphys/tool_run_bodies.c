/* SPDX-License-Identifier: MIT */
/* The bodies of a run (tool_run.h): made, entered, and driven.
 *
 * Places are found here: named ones of the miniature world, given ones, and places by chance, which may ask for the ground under them
 * (walkable, no water; up to 64 throws). Bodies move by root motion: a velocity in their own axes and a turn, both constant until an input
 * changes them. The hook looks at nothing but its own body, so bodies may be stepped at the same time (D9). A wanderer changes its turn now
 * and then, by its own chance, before a step. Contract: a run's thread, but for the hook. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/membership.h"
#include "base/error.h"
#include "body/body.h"
#include "math/number.h"
#include "math/trig.h"
#include "tools/acphys/tool_run.h"
#include "tools/acphys/tool_run_restore.h"

#define DEGREE 0.017453292519943295

double acp_run_chance(uint64_t *io_chance) {
    uint64_t z = (*io_chance += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

uint64_t acp_run_chance_of(const acp_run *run, const char *name, size_t length, uint32_t number) {
    uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint64_t)(unsigned char)name[i]) * 0x100000001B3u;
    hash = (hash ^ (uint64_t)run->scenario->seed << 32 ^ number) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

void acp_run_read_random(const acp_run *run, uint32_t *out_words) {
    const acp_body_column *column = acp_body_column_of(run->world.world);
    memset(out_words, 0, ACP_SCENARIO_RANDOM_WORDS * sizeof *out_words);
    if (!column) return;
    out_words[0] = column->random.first;
    out_words[1] = column->random.second;
    out_words[2] = column->random.last;
    memcpy(out_words + 3, column->random.slots, sizeof column->random.slots);
}

bool acp_run_put_random(acp_run *run, const uint32_t *words) {
    acp_body_column *column = acp_body_column_of(run->world.world);
    if (!column) run->result = ACP_ERROR_OUT_OF_MEMORY;
    if (!column) return false;
    column->random.first = words[0];
    column->random.second = words[1];
    column->random.last = words[2];
    memcpy(column->random.slots, words + 3, sizeof column->random.slots);
    return true;
}

static acp_quaternion heading_rotation(double degrees) {
    double half = -degrees * DEGREE * 0.5;
    return (acp_quaternion){acp_f32(acp_cos(half)), 0.0f, 0.0f, acp_f32(acp_sin(half))};
}

/* ---- places ---- */

static float between(acp_run *run, float low, float high) {
    return acp_f32((double)low + acp_run_chance(&run->chance) * ((double)high - (double)low));
}

/* The ground below; false where it is not walkable, or water. */
static bool find_ground(acp_run *run, acp_position *io_position, float above) {
    acp_floor ground;
    acp_position from = *io_position;
    acp_error error;
    from.frame.origin.z = acp_f32((double)from.frame.origin.z + 200.0);
    if (acp_ground_under(acp_stepper_context(run->stepper), run->world.world, &from, 0.05f, 400.0f, &ground, &error) != ACP_OK)
        return false;
    if (!ground.has_ground || !ground.is_walkable || ground.is_water) return false;
    io_position->frame.origin.z = acp_f32((double)ground.z + (double)above);
    return true;
}

static bool find_plain(acp_run *run, const acp_scenario_place *place, acp_position *out) {
    if (place->kind == ACP_SCENARIO_NAMED) {
        const acp_demo_place *named = acp_run_world_place(&run->world, place->name);
        if (!named) {
            run->result = acp_error_set(&run->error, ACP_ERROR_BAD_DATA, "find a place", "no place is named %.*s", (int)place->name.length,
                                        place->name.text);
            return false;
        }
        *out = named->position;
        out->frame.origin.x = acp_f32((double)out->frame.origin.x + (double)place->offset.x);
        out->frame.origin.y = acp_f32((double)out->frame.origin.y + (double)place->offset.y);
        out->frame.origin.z = acp_f32((double)out->frame.origin.z + (double)place->offset.z);
        return true;
    }
    *out = place->position;
    if (place->kind == ACP_SCENARIO_RANDOM) {
        out->frame.origin.x = between(run, place->low.x, place->high.x);
        out->frame.origin.y = between(run, place->low.y, place->high.y);
        out->frame.origin.z = between(run, place->low.z, place->high.z);
    }
    return true;
}

bool acp_run_find_place(acp_run *run, const acp_scenario_place *place, acp_position *out) {
    const acp_scenario_place *chosen = place;
    if (place->kind == ACP_SCENARIO_ANY)
        chosen = &place->items[(uint32_t)(acp_run_chance(&run->chance) * place->item_count) % place->item_count];
    for (uint32_t throw = 0; throw < 64; throw ++) {
        if (!find_plain(run, chosen, out)) return false;
        if (!chosen->is_on_ground) break;
        float above = chosen->kind == ACP_SCENARIO_RANDOM ? 0.005f : out->frame.origin.z;
        if (find_ground(run, out, above)) break;
        if (throw < 63 && chosen->kind == ACP_SCENARIO_RANDOM) continue;
        run->result = acp_error_set(&run->error, ACP_ERROR_BAD_DATA, "find a place", "there is no walkable ground");
        return false;
    }
    if (chosen->has_heading) out->frame.rotation = heading_rotation((double)chosen->heading);
    if (place->kind == ACP_SCENARIO_ANY && place->has_heading) out->frame.rotation = heading_rotation((double)place->heading);
    return true;
}

/* ---- making ---- */

static acp_result make_setup(acp_run *run, acp_run_object *object, const acp_setup **out_setup) {
    const acp_scenario_body *body = object->body;
    const acp_scenario_shape *shape = body->shape;
    if (!shape) return body->model_id || body->setup_name.text ? acp_run_world_setup(&run->world, body, out_setup, &run->error) : ACP_OK;
    acp_setup_definition definition = acp_setup_definition_default();
    definition.spheres = shape->spheres;
    definition.sphere_count = shape->sphere_count;
    definition.cylspheres = shape->cylspheres;
    definition.cylsphere_count = shape->cylsphere_count;
    definition.step_up_height = shape->step_up;
    definition.step_down_height = shape->step_down;
    definition.radius = shape->radius;
    definition.height = shape->height;
    definition.sorting_sphere = shape->sorting_sphere;
    definition.flags =
        (shape->allows_free_heading ? ACP_SETUP_ALLOWS_FREE_HEADING : 0u) | (shape->has_sorting_sphere ? ACP_SETUP_HAS_SORTING_SPHERE : 0u);
    acp_result result = acp_setup_create(&definition, NULL, &object->setup, &run->error);
    *out_setup = object->setup;
    return result;
}

static acp_result make_object(acp_run *run, acp_run_object *object, uint32_t number) {
    const acp_scenario_body *body = object->body;
    acp_body_definition definition = acp_body_definition_default();
    acp_result result = make_setup(run, object, &definition.object.setup);
    if (result != ACP_OK) return result;
    definition.is_static = body->is_static;
    definition.velocity = body->velocity;
    definition.omega = body->omega;
    if (body->has_friction) definition.friction = body->friction;
    if (body->has_elasticity) definition.elasticity = body->elasticity;
    definition.has_movement_manager = body->is_driven;
    definition.object.object_id = body->object_id ? body->object_id + number : 0;
    definition.object.state = body->state;
    definition.object.predicates = body->predicates;
    definition.object.missile_target = body->missile_target;
    definition.object.scale = body->scale;
    if (body->at.kind != ACP_SCENARIO_NOWHERE && !acp_run_find_place(run, &body->at, &definition.object.position)) return run->result;
    object->home = definition.object.position;
    return acp_body_create(run->world.world, &definition, &object->handle, &run->error);
}

static void enter_object(acp_run *run, acp_run_object *object, uint32_t number) {
    const acp_scenario_body *body = object->body;
    uint32_t answer = 0;
    if (body->restored.is_given) {
        run->result = acp_run_restore(run, number);
        return;
    }
    if (body->enter == ACP_SCENARIO_STAY_OUT) return;
    if (body->enter == ACP_SCENARIO_REGISTER) {
        run->result = acp_membership_register(run->world.world, object->handle, &run->error);
        if (run->result == ACP_OK && !body->is_static) run->result = acp_body_set_active(run->world.world, object->handle, 1);
        return;
    }
    acp_result result = acp_body_enter(run->world.world, acp_stepper_context(run->stepper), object->handle,
                                       body->enter == ACP_SCENARIO_ENTER_SLIDING, &answer, &run->error);
    if (result == ACP_ERROR_OUT_OF_MEMORY)
        run->result = result;
    else if (result != ACP_OK)
        acp_run_fail(run, number, UINT32_MAX, "entering was refused: %s", acp_result_name(result));
    else if (answer != body->answer)
        acp_run_fail(run, number, UINT32_MAX, "entering was answered %s, not %s", acp_scenario_answer_name(answer),
                     acp_scenario_answer_name(body->answer));
    run->checks++;
}

static bool index_rows(acp_run *run) {
    for (uint32_t i = 0; i < run->scenario->object_count; i++)
        if (run->objects[i].handle.index1 > run->row_count) run->row_count = run->objects[i].handle.index1;
    run->by_row = calloc((size_t)run->row_count + 1, sizeof *run->by_row);
    for (uint32_t i = 0; run->by_row && i < run->scenario->object_count; i++)
        run->by_row[run->objects[i].handle.index1] = i + 1;
    if (!run->by_row) run->result = acp_error_set(&run->error, ACP_ERROR_OUT_OF_MEMORY, "run", "memory refused");
    return run->by_row != NULL;
}

bool acp_run_make_bodies(acp_run *run) {
    const acp_scenario *s = run->scenario;
    for (uint32_t b = 0; b < s->body_count; b++) {
        const acp_scenario_body *body = &s->bodies[b];
        for (uint32_t i = 0; i < body->count; i++) {
            acp_run_object *object = &run->objects[body->first + i];
            object->body = body;
            object->motion = body->motion;
            object->turn = body->turn;
            object->identity = acp_run_chance_of(run, body->name, strlen(body->name), i);
            object->chance = object->identity;
            run->chance = ~object->identity;
            acp_result result = make_object(run, object, i);
            if (result != ACP_OK) {
                if (run->result == ACP_OK) run->result = result;
                return false;
            }
            object->exists = true;
            enter_object(run, object, body->first + i);
            if (run->result != ACP_OK) return false;
        }
    }
    if (!index_rows(run)) return false;
    for (uint32_t i = 0; i < s->object_count && run->result == ACP_OK; i++)
        if (run->objects[i].body->restored.touch_count) run->result = acp_run_restore_touches(run, i);
    return run->result == ACP_OK;
}

/* ---- driving ---- */

static void give_root(void *user, acp_world *world, acp_object handle, float quantum, acp_frame *io_offset) {
    (void)world;
    const acp_run *run = user;
    if (handle.index1 > run->row_count || run->by_row[handle.index1] == 0) return;
    const acp_run_object *object = &run->objects[run->by_row[handle.index1] - 1];
    io_offset->origin.x = acp_f32((double)object->motion.x * (double)quantum);
    io_offset->origin.y = acp_f32((double)object->motion.y * (double)quantum);
    io_offset->origin.z = acp_f32((double)object->motion.z * (double)quantum);
    if (object->turn < 0.0f || object->turn > 0.0f) io_offset->rotation = heading_rotation((double)object->turn * (double)quantum);
}

/* No run goes on after a teleport. */
static void idle(void *user, acp_world *world, acp_object handle) {
    (void)world;
    const acp_run *run = user;
    if (handle.index1 > run->row_count || run->by_row[handle.index1] == 0) return;
    acp_run_object *object = &run->objects[run->by_row[handle.index1] - 1];
    object->motion = (acp_vec3){0.0f, 0.0f, 0.0f};
    object->turn = 0.0f;
}

bool acp_run_set_locomotion(acp_run *run) {
    acp_locomotion locomotion = acp_locomotion_default();
    locomotion.is_independent = 1;
    locomotion.user = run;
    locomotion.root_motion = give_root;
    locomotion.teleported = idle;
    run->result = acp_world_set_locomotion(run->world.world, &locomotion);
    return run->result == ACP_OK;
}
