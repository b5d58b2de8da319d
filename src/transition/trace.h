/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_TRACE_H
#define ACP_TRANSITION_TRACE_H

#include "base/expect.h"
#include "transition/context.h"
#include "world/object.h"

/* What is remembered and told about tests. A hit costs a few stores when a test is not OK; records cost one test of a null pointer. */

static inline bool acp_transition_is_traced(const acp_transition *move) { return move->context->trace != NULL; }

/* Emits one record: position, modes and flags are taken from the path. */
ACP_COLD void acp_transition_trace(const acp_transition *move, uint32_t type, acp_transition_state state, uint32_t cell_id,
                                   uint32_t ordinal, acp_vec3 vector, float value, const acp_object_row *object);

static inline void acp_transition_note(const acp_transition *move, uint32_t type, acp_transition_state state, uint32_t ordinal,
                                       acp_vec3 vector, float value) {
    if (ACP_SELDOM(acp_transition_is_traced(move)))
        acp_transition_trace(move, type, state, move->path.check_cell.cell_id, ordinal, vector, value, NULL);
}

/* Inside a shape: what exactly was touched. Called when an answer is not OK, innermost first. */
static inline void acp_transition_note_polygon(acp_transition *move, uint32_t polygon, uint32_t sphere) {
    move->hit.polygon = polygon;
    move->hit.sphere = sphere;
}
static inline void acp_transition_note_part(acp_transition *move, uint32_t part) { move->hit.part = part; }
static inline void acp_transition_note_shape(acp_transition *move, uint32_t shape) {
    move->hit.part = shape;
    move->hit.polygon = ACP_HIT_NO_ORDINAL;
    move->hit.sphere = ACP_HIT_NO_ORDINAL;
}

/* The end of one environment test; `kind` is ACP_HIT_*. */
static inline void acp_transition_note_test(acp_transition *move, uint32_t kind, uint32_t cell_id, acp_transition_state state) {
    if (ACP_SELDOM(state != ACP_TRANSITION_OK)) {
        move->hit.kind = kind;
        move->hit.cell_id = cell_id;
        move->hit.object = (acp_object){0, 0};
        move->hit.object_id = 0;
        move->hit.part = ACP_HIT_NO_ORDINAL;
    }
    if (ACP_SELDOM(acp_transition_is_traced(move)))
        acp_transition_trace(move, ACP_TRACE_MOVE_TEST, state, cell_id, kind, (acp_vec3){0.0f, 0.0f, 0.0f}, 0.0f, NULL);
}

/* The end of one object's test. */
static inline void acp_transition_note_object(acp_transition *move, const acp_object_row *object, uint32_t index, uint32_t cell_id,
                                              acp_transition_state state) {
    if (ACP_SELDOM(state != ACP_TRANSITION_OK)) {
        move->hit.kind = ACP_HIT_OBJECT;
        move->hit.cell_id = cell_id;
        move->hit.object = acp_world_handle(move->world, index);
        move->hit.object_id = object->object_id;
    }
    if (ACP_SELDOM(acp_transition_is_traced(move)))
        acp_transition_trace(move, ACP_TRACE_MOVE_OBJECT, state, cell_id, 0, (acp_vec3){0.0f, 0.0f, 0.0f}, 0.0f, object);
}

/* The end of a sub-step or spot. */
static inline void acp_transition_note_step(acp_transition *move, bool has_moved) {
    acp_transition_note(move, ACP_TRACE_MOVE_STEP, ACP_TRANSITION_OK, has_moved ? 1u : 0u, move->collision.collision_normal, 0.0f);
}

/* What the last test met is the reason. */
static inline void acp_transition_note_reason(acp_transition *move) {
    move->blocked_by = move->hit;
    move->blocked_by.normal = move->collision.is_collision_normal_valid ? move->collision.collision_normal : (acp_vec3){0.0f, 0.0f, 0.0f};
}

/* A sub-step or spot was refused. */
static inline void acp_transition_note_blocked(acp_transition *move) {
    ++move->blocked_steps;
    acp_transition_note_reason(move);
}

#endif
