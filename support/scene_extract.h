/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_EXTRACT_H
#define ACP_SUPPORT_SCENE_EXTRACT_H

#include <stdbool.h>

#include "acphys/dat.h"
#include "support/json.h"

/* Landblocks of DATs as one scene (docs/format-scene.md): ground, rooms, buildings, statics, and just the models that these name. */

typedef struct acp_scene_extract_report {
    uint32_t blocks;
    uint32_t env_cells;
    uint32_t buildings;
    uint32_t statics;
    uint32_t scenery;
    uint32_t shapes;
    uint32_t setups;
    uint32_t structures;
    uint32_t remarks; /* what had to be left out */
} acp_scene_extract_report;

typedef struct acp_scene_extract_options {
    const char *name;          /* of the scene; null: none */
    const uint32_t *block_ids; /* high 16 bits count; ascending, each once */
    uint32_t block_count;
    const uint8_t *may_lack;   /* one a landblock: not 0 = it is left out, and told, when it does not load; null: none may */
    const uint32_t *setup_ids; /* models to bring along that no landblock names (0x01…, 0x02…) */
    uint32_t setup_count;
    bool has_scenery;                                       /* generate it, as statics of owner 0xXXYYFFFF */
    void (*on_remark)(void *user, const acp_error *remark); /* may be null */
    void *user;
} acp_scene_extract_options;

/* Writes the scene object. What the loader of landblocks would leave out (a room without environment, a static without model) is left out
 * and told; a landblock that does not load is an error unless it may lack, as are the files' own faults. Without a readable Region the
 * usual table of heights stands. The same DATs give the same bytes. */
acp_result acp_scene_extract(const acp_dat *portal, const acp_dat *cell, const acp_scene_extract_options *options, acp_json_writer *out,
                             acp_scene_extract_report *out_report, acp_error *error);

#endif
