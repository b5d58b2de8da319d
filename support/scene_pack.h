/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_PACK_H
#define ACP_SUPPORT_SCENE_PACK_H

#include "acphys/dat_edit.h"
#include "support/json_values.h"

/* A scene (docs/format-scene.md) as records of a portal and a cell file: what acp_scene_extract reads back. */

/* Something that records cannot say. A refusal stops the packing, once all have been told; an adaptation was made instead of one. */
typedef struct acp_scene_pack_finding {
    bool is_refusal;
    const char *where; /* "envcells 0xA9B40100", "gfx \"wall\"" */
    const char *message;
} acp_scene_pack_finding;

typedef struct acp_scene_pack_options {
    bool is_adapting; /* leave out or replace what has no record, where the rest keeps its meaning */
    void (*on_finding)(void *user, const acp_scene_pack_finding *finding); /* may be null */
    void *user;
} acp_scene_pack_options;

typedef struct acp_scene_pack_report {
    uint32_t portal_records;
    uint32_t cell_records;
    uint32_t refusals;
    uint32_t adaptations;
} acp_scene_pack_report;

/* Puts the records into both edits. Errors: those of the input; UNSUPPORTED when something was refused (then the edits are to be thrown
 * away); those of the edits. */
acp_result acp_scene_pack(acp_json_input *input, const acp_json *definition, const acp_scene_pack_options *options, acp_dat_edit *portal,
                          acp_dat_edit *cell, acp_scene_pack_report *out_report);

#endif
