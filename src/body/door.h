/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_DOOR_H
#define ACP_BODY_DOOR_H

#include "body/body.h"
#include "math/finite.h"
#include "transition/context.h"

#define ACP_BODY_FARTHEST 1.0e6f /* metres: what a door takes for a coordinate (DIV-93); the map is 49 km wide */

/* NOT_FINITE or OUT_OF_RANGE. */
static inline acp_result acp_body_check_frame(const acp_frame *frame) {
    const acp_vec3 *o = &frame->origin;
    if (!acp_is_finite_vec3(o) || !acp_is_finite_quaternion(&frame->rotation)) return ACP_ERROR_NOT_FINITE;
    bool is_near = o->x >= -ACP_BODY_FARTHEST && o->x <= ACP_BODY_FARTHEST && o->y >= -ACP_BODY_FARTHEST && o->y <= ACP_BODY_FARTHEST &&
                   o->z >= -ACP_BODY_FARTHEST && o->z <= ACP_BODY_FARTHEST;
    return is_near ? ACP_OK : ACP_ERROR_OUT_OF_RANGE;
}

/* What the public calls share: the body behind a handle, its clock at the world's time. */
typedef struct acp_body_door {
    uint32_t index;
    acp_object_row *row;
    acp_body_row *body;
    acp_body_column *column;
} acp_body_door;

/* DIV-95: what a placement finds depends on the world alone, not on what the context did before. */
static inline void acp_body_forget_moves(acp_transition_context *context) {
    if (context->level == 0) acp_transition_context_reset(context);
}

/* INVALID_ARGUMENT, STALE_HANDLE or OUT_OF_MEMORY. Outside a step the body's clock becomes the world's now. */
static inline acp_result acp_body_door_open(acp_world *world, acp_object object, acp_body_door *out_door) {
    if (!world) return ACP_ERROR_INVALID_ARGUMENT;
    out_door->row = acp_world_row_of(world, object, &out_door->index);
    if (!out_door->row) return ACP_ERROR_STALE_HANDLE;
    out_door->body = acp_body_of(world, out_door->index);
    out_door->column = acp_body_column_of(world);
    if (!out_door->body || !out_door->column) return ACP_ERROR_OUT_OF_MEMORY;
    if (!out_door->column->is_stepping) out_door->body->clock = out_door->column->now;
    return ACP_OK;
}

#endif
