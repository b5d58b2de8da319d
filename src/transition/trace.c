/* SPDX-License-Identifier: MIT */
/* Trace records of moves (L8): every insert, test, hit, offset, step attempt, slide and verdict, as it happens.
 *
 * Nothing here runs unless a sink is attached to the context; attaching one never changes an answer. A record is plain data: the check
 * position (a sub-step's record: the place it was left at), the modes the path is in, and what the kind names (acphys/transition.h).
 * Limits: records are told in the order of the computation, also those of attempts that are later taken back.
 * Cost: one record, some 150 bytes on the stack. */
#include "transition/trace.h"

#include <string.h>

#include "base/trace.h"

static uint32_t modes_of(const acp_sphere_path *path) {
    return (path->is_stepping_down ? 1u : 0u) | (path->is_stepping_up ? 2u : 0u) | (path->is_checking_walkable ? 4u : 0u) |
           (path->is_landing ? 8u : 0u) | (path->is_obstruction_ethereal ? 16u : 0u);
}

void acp_transition_trace(const acp_transition *move, uint32_t type, acp_transition_state state, uint32_t cell_id, uint32_t ordinal,
                          acp_vec3 vector, float value, const acp_object_row *object) {
    acp_trace_move record;
    memset(&record, 0, sizeof record);
    record.state = (uint32_t)state;
    record.depth = move->depth;
    record.cell_id = cell_id;
    record.ordinal = ordinal;
    record.position = acp_matrix_position_to_public(&move->path.check_position);
    record.vector = vector;
    record.value = value;
    record.part = ACP_HIT_NO_ORDINAL;
    record.polygon = ACP_HIT_NO_ORDINAL;
    if (object) record.object_id = object->object_id;
    if (state != ACP_TRANSITION_OK && (type == ACP_TRACE_MOVE_OBJECT || type == ACP_TRACE_MOVE_TEST)) {
        record.object = move->hit.object;
        record.part = move->hit.part;
        record.polygon = move->hit.polygon;
    }
    record.mover_state = move->info.state;
    record.modes = modes_of(&move->path);
    record.walk_interp = move->path.walk_interp;
    acp_trace_emit(move->context->trace, type, &record, sizeof record);
}
