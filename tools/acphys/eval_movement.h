/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_EVAL_MOVEMENT_H
#define ACP_TOOLS_EVAL_MOVEMENT_H

#include "body/body.h"
#include "support/scene.h"
#include "tools/acphys/eval.h"
#include "transition/context.h"

/* What the areas `collision` and `transition` share: a world and a fresh pool per line, the mover of a request, the collision info of an
 * answer. */

/* A line at work. Begin, use, end; `move` is a slot of the line's own pool. */
typedef struct acp_eval_movement {
    acp_scene *scene;
    acp_scene *own_scene; /* an empty world made for this line */
    acp_transition_context *context;
} acp_eval_movement;

/* The scene named by the request (an empty world without one) and a fresh, zeroed pool. `trace` may be null. */
acp_result acp_eval_movement_begin(acp_eval_call *call, const acp_trace_sink *trace, acp_eval_movement *out);
void acp_eval_movement_end(acp_eval_movement *movement);

/* A named shape of the scene, or null. */
const acp_shape *acp_eval_movement_shape(const acp_scene *scene, const char *name, uint32_t length);

/* The object of a member of the scene as a mover, with what the request says about its dynamics. */
acp_result acp_eval_movement_mover(acp_eval_call *call, const acp_scene *scene, const acp_scene_object *object, acp_mover *out_mover);

/* contact_plane, last_known and sliding_normal of a request, valid where present. */
void acp_eval_movement_planes(acp_eval_call *call, acp_transition *move);

/* The members of an answer that name contact planes, normals, objects and counters. */
void acp_eval_movement_write_contact(acp_json_writer *out, const acp_transition *move);
void acp_eval_movement_write_info(acp_json_writer *out, const acp_transition *move);

/* The body of a request's object with what the request says about its dynamics; null on a fault. */
acp_body_row *acp_eval_make_body(acp_eval_call *call, acp_world *world, const acp_scene_object *object);
#define ACP_EVAL_BODY_ID 0x50000001u /* in events, of an object without an id (README section 4) */
/* Gives the object the id `to` when it has `from`. */
void acp_eval_name_body(acp_world *world, const acp_scene_object *object, uint32_t from, uint32_t to);
/* Children begin in the cell of their own position. */
void acp_eval_enter_children(acp_world *world, const acp_scene_object *object);
/* contact_plane and contact_plane_cell, while in contact. */
void acp_eval_write_body_contact(acp_json_writer *out, const acp_object_row *row, const acp_body_row *body);

/* The body state of an answer (README, set_position2), and the events since the last call. */
void acp_eval_write_body(acp_json_writer *out, const acp_world *world, uint32_t index);
void acp_eval_write_events(acp_json_writer *out, acp_world *world);
/* One of them, of the kinds that the form knows (at most ACP_EVENT_TOUCH_ENDED). */
void acp_eval_write_event(acp_json_writer *out, const acp_event *event);

#endif
