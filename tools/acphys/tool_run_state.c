/* SPDX-License-Identifier: MIT */
/* States of bodies as JSON and against each other (tool_run_capture.h; docs/format-capture.md).
 *
 * Every float is written with its bits, which win when it is read, so a state comes back as it was. Two states are compared member by
 * member, floats by their bits, in the order in which they are written. Collision partners are no part of it. */
#include <stdio.h>
#include <string.h>

#include "tools/acphys/tool_run_capture.h"

void acp_run_state_to_json(acp_json_writer *json, const char *key, const acp_run_state *state) {
    acp_json_begin_object(json, key);
    acp_json_write_id(json, "cell", state->position.cell_id);
    acp_json_write_vec3(json, "o", state->position.frame.origin);
    acp_json_write_quaternion(json, "q", state->position.frame.rotation);
    acp_json_write_id(json, "state", state->state);
    acp_json_write_id(json, "transient", state->transient_state);
    acp_json_write_vec3(json, "velocity", state->velocity);
    acp_json_write_vec3(json, "cached_velocity", state->cached_velocity);
    acp_json_write_vec3(json, "acceleration", state->acceleration);
    acp_json_write_vec3(json, "omega", state->omega);
    acp_json_write_vec3(json, "sliding_normal", state->sliding_normal);
    acp_json_write_plane(json, "contact_plane", state->contact_plane);
    acp_json_write_id(json, "contact_cell", state->contact_cell_id);
    acp_json_write_double(json, "update_time", state->update_time);
    acp_json_write_flag(json, "latched", state->is_latched);
    acp_json_write_flag(json, "lost", state->is_lost);
    acp_json_write_flag(json, "driven", state->is_driven);
    acp_json_begin_array(json, "cells");
    for (uint32_t i = 0; i < state->cell_count; i++)
        acp_json_write_id(json, NULL, state->cells[i]);
    acp_json_end_array(json);
    acp_json_end_object(json);
}

void acp_run_state_from_json(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_run_state *out) {
    memset(out, 0, sizeof *out);
    out->position.cell_id = acp_json_get_id(input, json, "cell");
    out->position.frame.origin = acp_json_get_vec3(input, json, "o");
    out->position.frame.rotation = acp_json_get_quaternion(input, json, "q");
    out->state = acp_json_get_id(input, json, "state");
    out->transient_state = acp_json_get_id(input, json, "transient");
    out->velocity = acp_json_get_vec3(input, json, "velocity");
    out->cached_velocity = acp_json_get_vec3(input, json, "cached_velocity");
    out->acceleration = acp_json_get_vec3(input, json, "acceleration");
    out->omega = acp_json_get_vec3(input, json, "omega");
    out->sliding_normal = acp_json_get_vec3(input, json, "sliding_normal");
    out->contact_plane = acp_json_get_plane(input, json, "contact_plane");
    out->contact_cell_id = acp_json_get_id(input, json, "contact_cell");
    out->update_time = acp_json_get_double(input, json, "update_time");
    out->is_latched = acp_json_get_flag(input, json, "latched");
    out->is_lost = acp_json_get_flag(input, json, "lost");
    out->is_driven = acp_json_get_flag(input, json, "driven");
    out->cells = acp_scenario_read_ids(input, memory, json, "cells", &out->cell_count);
}

typedef struct member {
    const char *name;
    const void *a, *b;
    uint32_t words; /* of 32 bits; 0: a list of cells */
} member;

/* Floats as numbers with their bits, words and ids as they are. */
static void print_member(char *out, uint32_t capacity, const member *m, const void *value, bool is_float) {
    uint32_t words[4] = {0};
    uint32_t used = 0;
    memcpy(words, value, m->words * sizeof *words);
    out[0] = '\0';
    for (uint32_t i = 0; i < m->words && used < capacity; i++) {
        float number;
        memcpy(&number, &words[i], sizeof number);
        int length = is_float ? snprintf(out + used, capacity - used, "%s%.9g", i ? " " : "", (double)number)
                              : snprintf(out + used, capacity - used, "%s0x%08lX", i ? " " : "", (unsigned long)words[i]);
        if (length > 0) used += (uint32_t)length;
    }
}

bool acp_run_state_differs(const acp_run_state *a, const acp_run_state *b, const char **out_member, char *out_a, char *out_b,
                           uint32_t capacity) {
#define ACP_MEMBER(label, field, count)                                                                                                    \
    { label, &a->field, &b->field, count }
    const member floats[] = {
        ACP_MEMBER("o", position.frame.origin, 3),
        ACP_MEMBER("q", position.frame.rotation, 4),
        ACP_MEMBER("velocity", velocity, 3),
        ACP_MEMBER("cached_velocity", cached_velocity, 3),
        ACP_MEMBER("acceleration", acceleration, 3),
        ACP_MEMBER("omega", omega, 3),
        ACP_MEMBER("sliding_normal", sliding_normal, 3),
        ACP_MEMBER("contact_plane", contact_plane, 4),
    };
    const member words[] = {
        ACP_MEMBER("cell", position.cell_id, 1),     ACP_MEMBER("state", state, 1),
        ACP_MEMBER("transient", transient_state, 1), ACP_MEMBER("contact_cell", contact_cell_id, 1),
        ACP_MEMBER("update_time", update_time, 2),
    };
#undef ACP_MEMBER
    for (uint32_t pass = 0; pass < 2; pass++) {
        const member *list = pass ? floats : words;
        uint32_t count = pass ? (uint32_t)(sizeof floats / sizeof floats[0]) : (uint32_t)(sizeof words / sizeof words[0]);
        for (uint32_t i = 0; i < count; i++) {
            if (memcmp(list[i].a, list[i].b, list[i].words * 4u) == 0) continue;
            *out_member = list[i].name;
            print_member(out_a, capacity, &list[i], list[i].a, pass != 0);
            print_member(out_b, capacity, &list[i], list[i].b, pass != 0);
            return true;
        }
    }
    bool has_other_flags = a->is_latched != b->is_latched || a->is_lost != b->is_lost || a->is_driven != b->is_driven;
    bool has_other_cells = a->cell_count != b->cell_count;
    for (uint32_t i = 0; !has_other_cells && i < a->cell_count; i++)
        has_other_cells = a->cells[i] != b->cells[i];
    if (!has_other_flags && !has_other_cells) return false;
    *out_member = has_other_flags ? "latched, lost, driven" : "cells";
    if (has_other_flags) {
        (void)snprintf(out_a, capacity, "%d %d %d", a->is_latched, a->is_lost, a->is_driven);
        (void)snprintf(out_b, capacity, "%d %d %d", b->is_latched, b->is_lost, b->is_driven);
    } else {
        (void)snprintf(out_a, capacity, "%lu cells", (unsigned long)a->cell_count);
        (void)snprintf(out_b, capacity, "%lu cells", (unsigned long)b->cell_count);
    }
    return true;
}
