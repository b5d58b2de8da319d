/* SPDX-License-Identifier: MIT */
/* Evaluation of placements of bodies: set_position and set_position2 (README §4; spec 06 TRN-66, TRN-70, TRN-71; 07 PHO-15..19).
 *
 * The object of the request is made in the scene's world, given its dynamics, placed as the client's SetPosition does, and described:
 * place, cell, words, planes, lists, children, events. Spots tried are counted through the trace. Then it is taken out again. */
#include "body/place.h"
#include "membership/registry.h"
#include "tools/acphys/eval_movement.h"

/* ---- spots tried, from the trace ---- */

#define MAX_RINGS 64u

typedef struct acp_eval_spots {
    uint32_t per_ring[MAX_RINGS];
    uint32_t ring_count;
    acp_vec3 first_ring[64];
    uint32_t first_ring_count;
} acp_eval_spots;

static void collect_spot(void *user, uint32_t type, const void *record, uint32_t size) {
    (void)size;
    if (type != ACP_TRACE_MOVE_SPOT) return;
    acp_eval_spots *spots = user;
    const acp_trace_move *spot = record;
    if (spot->ordinal == 0 || spot->ordinal > MAX_RINGS) return;
    if (spot->ordinal > spots->ring_count) spots->per_ring[spots->ring_count++] = 0;
    ++spots->per_ring[spot->ordinal - 1u];
    if (spot->ordinal == 1 && spots->first_ring_count < 64u) spots->first_ring[spots->first_ring_count++] = spot->vector;
}

static void write_spots(acp_json_writer *out, const acp_eval_spots *spots) {
    uint32_t total = 0;
    acp_json_begin_array(out, "ring_probes");
    for (uint32_t i = 0; i < spots->ring_count; ++i) {
        acp_json_write_uint(out, NULL, spots->per_ring[i]);
        total += spots->per_ring[i];
    }
    acp_json_end_array(out);
    acp_json_write_uint(out, "probes", total);
    acp_json_write_floats(out, "first_ring", &spots->first_ring[0].x, 3u * spots->first_ring_count);
}

/* ---- the random answers of a request ---- */

typedef struct acp_eval_rolls {
    const float *values;
    uint32_t count;
    uint32_t used;
} acp_eval_rolls;

static float next_roll(void *user, float low, float high) {
    (void)low;
    (void)high;
    acp_eval_rolls *rolls = user;
    float value = rolls->count ? rolls->values[rolls->used % rolls->count] : 0.0f;
    ++rolls->used;
    return value;
}

/* ---- bodies of requests and their description ---- */

acp_body_row *acp_eval_make_body(acp_eval_call *call, acp_world *world, const acp_scene_object *object) {
    acp_body_row *body = acp_body_of(world, object->index);
    if (!body) {
        acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "object", "no memory");
        return NULL;
    }
    body->velocity = object->velocity;
    body->contact_plane = object->contact_plane;
    body->contact_plane_cell_id = object->contact_plane_cell_id;
    body->sliding_normal = object->sliding_normal;
    body->elasticity = object->elasticity;
    body->friction = object->friction;
    return body;
}

/* A request's object without an id is 0x50000001 in events (README §4). */
void acp_eval_name_body(acp_world *world, const acp_scene_object *object, uint32_t from, uint32_t to) {
    acp_object_row *row = acp_world_row(world, object->index);
    if (row->object_id == from) row->object_id = to;
}

/* Children begin in the cell of their own position. */
void acp_eval_enter_children(acp_world *world, const acp_scene_object *object) {
    for (uint32_t i = 0; i < object->child_count; ++i) {
        uint32_t child = object->children[i].index;
        const acp_object_row *row = acp_world_row(world, child);
        if (row->holder_cell_id == 0 && acp_cell_exists(acp_world_cell(world, row->position.cell_id)))
            acp_object_enter_cell(world, child, row->position.cell_id);
    }
}

static void write_shadows(acp_json_writer *out, const acp_world *world, uint32_t index) {
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(world, index, &count);
    acp_json_begin_array(out, "shadows");
    for (uint32_t i = 0; i < count; ++i) {
        acp_json_begin_array(out, NULL);
        acp_json_write_id(out, NULL, cells[i]);
        acp_json_write_flag(out, NULL, acp_registry_object_cell_is_resident(world, index, i));
        acp_json_end_array(out);
    }
    acp_json_end_array(out);
}

static void write_place(acp_json_writer *out, const acp_matrix_position *position, const char *rotation_key) {
    acp_json_write_id(out, "cell", position->cell_id);
    acp_json_write_vec3(out, "o", position->frame.origin);
    acp_json_write_quaternion(out, rotation_key, position->frame.rotation);
}

void acp_eval_write_body_contact(acp_json_writer *out, const acp_object_row *row, const acp_body_row *body) {
    if (!(row->transient_state & ACP_TRANSIENT_CONTACT)) return;
    float plane[4] = {body->contact_plane.normal.x, body->contact_plane.normal.y, body->contact_plane.normal.z, body->contact_plane.d};
    acp_json_write_floats(out, "contact_plane", plane, 4);
    acp_json_write_id(out, "contact_plane_cell", body->contact_plane_cell_id);
}

void acp_eval_write_body(acp_json_writer *out, const acp_world *world, uint32_t index) {
    const acp_object_row *row = acp_world_row(world, index);
    const acp_body_row *body = acp_body_find(world, index);
    write_place(out, &row->position, "rot");
    acp_json_write_id(out, "obj_cell", row->holder_cell_id);
    acp_json_write_vec3(out, "velocity", body->velocity);
    acp_json_write_vec3(out, "cached_velocity", body->cached_velocity);
    acp_json_write_id(out, "state", row->state);
    acp_json_write_id(out, "transient_state", row->transient_state);
    acp_eval_write_body_contact(out, row, body);
    if (row->transient_state & ACP_TRANSIENT_SLIDING) acp_json_write_vec3(out, "sliding_normal", body->sliding_normal);
    write_shadows(out, world, index);
    acp_json_begin_array(out, "parts");
    for (uint32_t i = 0; i < row->part_count; ++i) {
        acp_json_begin_object(out, NULL);
        write_place(out, &row->parts[i].position, "rot");
        acp_json_end_object(out);
    }
    acp_json_end_array(out);
    acp_json_begin_array(out, "children");
    for (uint32_t child = row->first_child; child != ACP_OBJECT_NONE; child = acp_world_row(world, child)->next_sibling) {
        const acp_object_row *held = acp_world_row(world, child);
        acp_json_begin_object(out, NULL);
        write_place(out, &held->position, "rot");
        acp_json_write_id(out, "obj_cell", held->holder_cell_id);
        write_shadows(out, world, child);
        acp_json_end_object(out);
    }
    acp_json_end_array(out);
}

void acp_eval_write_event(acp_json_writer *out, const acp_event *event) {
    acp_json_begin_object(out, NULL);
    static const char *const names[] = {"", "environment", "object", "attack", "end"};
    acp_json_write_string(out, "kind", names[event->kind]);
    acp_json_write_id(out, "to", event->object_id);
    if (event->kind == ACP_EVENT_HIT_ENVIRONMENT) {
        acp_json_write_vec3(out, "velocity", event->velocity);
        acp_json_write_flag(out, "in_contact", event->in_contact != 0);
    } else {
        acp_json_write_id(out, "id", event->other_id);
    }
    if (event->kind == ACP_EVENT_HIT_OBJECT && event->has_profile) {
        acp_json_write_vec3(out, "velocity", event->velocity);
        /* The vectors' game objects say nothing about themselves: their part of the word is 0. */
        acp_json_write_uint(out, "flags", event->flags & (ACP_PROFILE_MISSILE | ACP_PROFILE_IN_CONTACT | ACP_PROFILE_ME_IN_CONTACT));
    }
    if (event->kind == ACP_EVENT_ATTACK) {
        acp_json_write_int(out, "part", event->part);
        acp_json_write_uint(out, "location", event->location);
    }
    acp_json_end_object(out);
}

void acp_eval_write_events(acp_json_writer *out, acp_world *world) {
    acp_event events[64];
    uint32_t count = 0;
    acp_json_begin_array(out, "events");
    do {
        if (acp_events_drain(world, events, 64, &count, NULL) != ACP_OK) break;
        for (uint32_t i = 0; i < count; ++i)
            if (events[i].kind <= ACP_EVENT_TOUCH_ENDED) acp_eval_write_event(out, &events[i]);
    } while (count == 64);
    acp_json_end_array(out);
}

/* ---- the operations ---- */

static acp_result eval_set_position(acp_eval_call *call) {
    acp_eval_spots spots = {0};
    acp_trace_sink sink = {&spots, collect_spot};
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, &sink, &movement);
    if (result != ACP_OK) return result;
    acp_placement placement = {0};
    placement.struct_size = sizeof placement;
    placement.flags = acp_json_get_id_or(&call->input, call->in, "flags", 0);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    const acp_json *json = acp_json_get_object(&call->input, call->in, "object");
    acp_scene_object object;
    if (!acp_json_is_failed(&call->input) && acp_scene_object_create(movement.scene, &call->input, call->memory, json, &object)) {
        acp_world *world = movement.scene->world;
        const acp_body_row *body = acp_eval_make_body(call, world, &object);
        uint32_t answer = 0;
        if (body) result = acp_body_set_position(world, movement.context, object.index, &position, &placement, &answer);
        if (body && result == ACP_OK) {
            const acp_object_row *row = acp_world_row(world, object.index);
            acp_json_write_uint(call->out, "ret", answer);
            write_place(call->out, &row->position, "q");
            acp_json_write_id(call->out, "obj_cell", row->holder_cell_id);
            acp_json_write_id(call->out, "transient_state", row->transient_state);
            acp_eval_write_body_contact(call->out, row, body);
            write_shadows(call->out, world, object.index);
            write_spots(call->out, &spots);
        }
        acp_scene_object_destroy(movement.scene, &object);
    }
    acp_eval_movement_end(&movement);
    return acp_json_is_failed(&call->input) ? call->input.result : result;
}

static void read_scatter(acp_eval_call *call, acp_placement *placement, acp_eval_rolls *rolls) {
    const acp_json *scatter = acp_json_get_optional_object(&call->input, call->in, "scatter");
    if (!scatter) return;
    placement->x_radius = acp_json_get_float_or(&call->input, scatter, "xrad", 0.0f);
    placement->y_radius = acp_json_get_float_or(&call->input, scatter, "yrad", 0.0f);
    placement->tries = acp_json_get_uint32_or(&call->input, scatter, "tries", 0);
    rolls->values = acp_json_get_floats(&call->input, call->memory, scatter, "rolls", &rolls->count);
}

static acp_result eval_set_position2(acp_eval_call *call) {
    acp_eval_movement movement;
    acp_result result = acp_eval_movement_begin(call, NULL, &movement);
    if (result != ACP_OK) return result;
    acp_eval_rolls rolls = {NULL, 0, 0};
    acp_random_stream random = {&rolls, next_roll};
    acp_placement placement = {0};
    placement.struct_size = sizeof placement;
    placement.flags = acp_json_get_id_or(&call->input, call->in, "flags", 0);
    if (acp_json_has(call->in, "simple"))
        placement.flags = 0x1002u | (acp_json_get_flag(&call->input, call->in, "simple") ? (uint32_t)ACP_PLACE_SLIDE : 0u);
    placement.random = &random;
    read_scatter(call, &placement, &rolls);
    acp_matrix_position position = acp_json_get_position(&call->input, call->in, "pos");
    const acp_json *json = acp_json_get_object(&call->input, call->in, "object");
    bool has_from = acp_json_has(call->in, "from");
    acp_matrix_position from = position;
    if (has_from) from = acp_json_get_position(&call->input, call->in, "from");
    acp_scene_object object;
    if (!acp_json_is_failed(&call->input) && acp_scene_object_create(movement.scene, &call->input, call->memory, json, &object)) {
        acp_world *world = movement.scene->world;
        uint32_t answer = 0;
        const acp_body_row *body = acp_eval_make_body(call, world, &object);
        acp_eval_name_body(world, &object, 0, ACP_EVAL_BODY_ID);
        acp_eval_enter_children(world, &object);
        if (has_from && acp_cell_exists(acp_world_cell(world, from.cell_id))) {
            acp_object_change_cell(world, object.index, from.cell_id);
            acp_world_row(world, object.index)->position.frame = from.frame; /* parts and children stay where they are */
        }
        if (body) result = acp_body_set_position(world, movement.context, object.index, &position, &placement, &answer);
        if (body && result == ACP_OK) {
            acp_json_write_uint(call->out, "ret", answer);
            acp_json_write_uint(call->out, "rolls_used", rolls.used);
            acp_eval_write_body(call->out, world, object.index);
            acp_eval_write_events(call->out, world);
        }
        acp_eval_name_body(world, &object, ACP_EVAL_BODY_ID, 0);
        acp_scene_object_destroy(movement.scene, &object);
    }
    acp_eval_movement_end(&movement);
    return acp_json_is_failed(&call->input) ? call->input.result : result;
}

static const acp_eval_operation operations[] = {
    {"set_position", "06 TRN-66", eval_set_position},
    {"set_position2", "07 PHO-17", eval_set_position2},
};
const acp_eval_area acp_eval_area_placement = {"placement", operations, sizeof operations / sizeof operations[0]};
