/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_EVAL_MANAGERS_H
#define ACP_TOOLS_EVAL_MANAGERS_H

#include "locomotion/constraint.h"
#include "locomotion/interpolation.h"
#include "locomotion/sequence.h"
#include "locomotion/sticky.h"
#include "tools/acphys/eval_movement.h"

/* What moves the body of a request besides velocity (vectors README sections 3 and 4): an animation sequence, a position manager, and the
 * speeds of a motion interpreter. */
typedef struct acp_eval_managers {
    bool has_sequence;
    bool has_position_manager;
    bool has_constraint;
    bool has_sticky;
    acp_sequence sequence;
    acp_interpolation interpolation;
    acp_constraint constraint;
    acp_sticky sticky;
    double max_speed; /* 0: no interpreter */
    double adjusted_max_speed;
} acp_eval_managers;

/* Reads `animation` of the object, `position_manager` and `minterp` of the request. The body must be where it starts. */
void acp_eval_managers_read(acp_eval_call *call, const acp_scene_object *object, acp_world *world, acp_eval_managers *out);
void acp_eval_managers_free(acp_eval_managers *managers);

/* The two speeds of the interpreter that `json` describes (07b MOT-6), metres per second. */
void acp_eval_speeds(acp_eval_call *call, const acp_json *json, const acp_scene_object *object, double *out_max, double *out_adjusted);

/* Appends {anim, low, high, framerate} with an animation of `anims`; one that is not there is ignored. */
void acp_eval_managers_append(acp_eval_call *call, acp_sequence *sequence, const acp_json *anims, const acp_json *piece);

/* Shows the pose of the sequence. The row's rare part must exist (acp_eval_managers_read sees to it). */
void acp_eval_managers_pose(const acp_eval_managers *managers, acp_object_row *row);

/* The three places where a step asks them. */
void acp_eval_managers_root(acp_eval_managers *managers, acp_object_row *row, float quantum, acp_frame *io_offset);
void acp_eval_managers_adjust(acp_eval_managers *managers, acp_world *world, uint32_t index, float quantum, acp_frame *io_offset);
void acp_eval_managers_use_time(acp_eval_managers *managers, acp_world *world, uint32_t index, acp_transition_context *context, double now);

/* interpolate_to of a tick. */
void acp_eval_managers_follow(acp_eval_managers *managers, acp_world *world, uint32_t index, const acp_matrix_position *place, bool keeps);

/* Members of a tick's answer. */
void acp_eval_managers_write(acp_json_writer *out, const acp_eval_managers *managers);

#endif
