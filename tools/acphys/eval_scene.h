/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_EVAL_SCENE_H
#define ACP_TOOLS_EVAL_SCENE_H

#include "support/scene.h"
#include "tools/acphys/eval.h"

/* The scene that a request names (`scene`), built once and shared by every area; without a name a fresh empty world. */
typedef struct acp_eval_scene {
    acp_scene *scene;
    bool is_owned;
} acp_eval_scene;

/* False on a fault (call->input.result). Give it back with _close, in every case. */
bool acp_eval_scene_open(acp_eval_call *call, acp_eval_scene *out_scene);
void acp_eval_scene_close(acp_eval_scene *scene);

/* A list of [id, resident] pairs under a key: the form of `cells` and `shadows`. */
void acp_eval_write_cells(acp_json_writer *out, const char *key, const acp_cell_array *array);
void acp_eval_write_shadows(acp_json_writer *out, const char *key, const acp_world *world, uint32_t object);

/* `parts` ({cell, o, rot} or null each) and `children` ({cell, obj_cell, o, rot, shadows, children}) of a body state; nothing when it has
 * none. */
void acp_eval_write_parts(acp_json_writer *out, const acp_world *world, uint32_t object);
void acp_eval_write_children(acp_json_writer *out, const acp_world *world, uint32_t object);

#endif
