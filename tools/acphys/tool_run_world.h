/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_RUN_WORLD_H
#define ACP_TOOLS_TOOL_RUN_WORLD_H

#include "acphys/population.h"
#include "demo/demo.h"
#include "support/scenario.h"
#include "support/scene.h"
#include "tools/acphys/options.h"
#include "tools/acphys/tool_dat_dir.h"

/* Where the worlds of scenarios come from: the miniature world, a DAT folder, or the scenario's own scene. A source is opened once and
 * serves one world after another; what is in a world is published and retired by landblock. Results in numbers of the library; opening
 * gives exit codes and says what is wrong. */

typedef struct acp_run_source {
    acp_demo *demo; /* null with a DAT folder */
    acp_dat_dir files;
    acp_dat_source *dat;
    uint32_t *blocks; /* landblocks that the source has, ascending, 0xXXYY0000 */
    uint32_t block_count;
    uint64_t content_hash; /* of both files */
} acp_run_source;

/* One world. */
typedef struct acp_run_world {
    acp_world *world;
    acp_run_source *source; /* null: a scene's */
    acp_scene *scene;
    acp_counting_allocator counting; /* of a world out of a source */
    acp_allocator allocator;
    acp_block **shelf; /* retired landblocks of a scene */
    uint32_t shelf_count, shelf_capacity;
    uint64_t content_hash;
} acp_run_world;

/* `folder` null: the miniature world. */
int acp_run_source_open(acp_run_source *source, const acp_command_line *line, const char *folder);
void acp_run_source_close(acp_run_source *source);

/* An empty world over a source, or, with `scene`, the whole world of that definition (which must outlive it). Faults of a scene go into the
 * input. */
acp_result acp_run_world_open(acp_run_world *world, acp_run_source *source, const acp_json *scene, acp_json_input *input, acp_error *error);
void acp_run_world_close(acp_run_world *world);

/* DUPLICATE: it is there already; NOT_FOUND: no such landblock. */
acp_result acp_run_world_publish(acp_run_world *world, uint32_t block_id, acp_error *error);
acp_result acp_run_world_retire(acp_run_world *world, uint32_t block_id, acp_error *error);
bool acp_run_world_has(const acp_run_world *world, uint32_t block_id);

/* The landblocks it may have. */
const uint32_t *acp_run_world_blocks(const acp_run_world *world, uint32_t *out_count);

/* A named place of the miniature world; null: none of that name. */
const acp_demo_place *acp_run_world_place(const acp_run_world *world, acp_scenario_text name);
/* NOT_FOUND: the world has no such model. Borrowed from the world. */
acp_result acp_run_world_setup(acp_run_world *world, const acp_scenario_body *body, const acp_setup **out_setup, acp_error *error);

#endif
