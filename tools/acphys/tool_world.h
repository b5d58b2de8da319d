/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_WORLD_H
#define ACP_TOOLS_TOOL_WORLD_H

#include "acphys/population.h"
#include "acphys/world.h"
#include "tools/acphys/tool_dat_dir.h"

/* A world out of the DAT files of a command: those of --dat-dir, else the miniature world. Empty until landblocks are published. */
typedef struct acp_tool_world {
    acp_dat_dir dats;
    acp_dat_source *source;
    acp_world *world;
    bool left_out[65536]; /* landblocks that do not load: told once */
} acp_tool_world;

/* An exit code; what is wrong was said. Close it in any case. */
int acp_tool_world_open(acp_tool_world *world, const acp_command_line *line);
/* Publishes the landblocks of a rectangle that the source has, corners included; those beyond the rim are passed over. *out_count (may be
 * null) says how many there are. */
int acp_tool_world_publish(acp_tool_world *world, const acp_command_line *line, int x0, int y0, int x1, int y1, uint32_t *out_count);
/* The terrain colors of the Region as 0xRRGGBB; false when it has none. */
bool acp_tool_world_colors(const acp_tool_world *world, uint32_t out_colors[32]);
void acp_tool_world_close(acp_tool_world *world);

#endif
