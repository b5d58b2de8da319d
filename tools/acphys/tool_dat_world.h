/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_DAT_WORLD_H
#define ACP_TOOLS_TOOL_DAT_WORLD_H

#include <stdbool.h>

#include "acphys/place.h"
#include "support/json.h"
#include "tools/acphys/options.h"

/* A world out of the DAT files of --dat-dir for one question: the landblocks around its places, as a scene (scene_extract.h). */

/* Has the folder both files? The miniature world (null) has. */
bool acp_dat_world_is_there(const char *folder);

/* The landblocks within `reach` metres of the places, with what stands and grows there, and the models `setups`. An exit code; what is
 * wrong was said. A place whose own landblock the world has not is a negative answer. */
int acp_dat_world_write(const acp_command_line *line, const char *folder, const acp_position *places, uint32_t place_count, double reach,
                        const uint32_t *setups, uint32_t setup_count, acp_json_writer *out);

/* The same with the landblock of an id instead of places, and one ring around it. */
int acp_dat_world_write_around(const acp_command_line *line, const char *folder, uint32_t block_id, acp_json_writer *out);

#endif
