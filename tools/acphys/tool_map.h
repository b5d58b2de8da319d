/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_MAP_H
#define ACP_TOOLS_TOOL_MAP_H

#include "tools/acphys/options.h"
#include "tools/draw/canvas.h"

/* Pictures of `acphys map`: one function per layer set; cmd_map.c holds the table. Each reads its own options, draws and closes the picture
 * at `path`, and gives an exit code; what is wrong was said. */

/* --cells: the cell set of an object, with everything that decided it. */
int acp_map_cells(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height);

/* --move: one move, from above and cut along its way. */
int acp_map_move(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height);

/* --land and --cut: landblocks from above, and cut by an upright plane. */
int acp_map_land(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height);
int acp_map_cut(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height);

#endif
