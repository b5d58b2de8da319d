/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_CELL_DUMPS_H
#define ACP_TOOLS_TOOL_CELL_DUMPS_H

#include "support/json_values.h"
#include "tools/acphys/options.h"

/* Rooms and shells as other people's tools dump them: 0xLLLLCCCC.json (an EnvCell: transform, physics polygons, drawing polygons, portals,
 * visible cells) and 0x01xxxxxx.gfxobj.json (a shape's physics polygons). There is no tree in them: physics polygons go into one leaf, and
 * the containment tree is made of the walls and openings that have the whole room in front of them. */

typedef struct acp_cell_dump {
    char *text;
    acp_json_reader reader;
    const acp_json *json;
    uint32_t id;
    bool is_shape;
} acp_cell_dump;

typedef struct acp_cell_dumps {
    acp_cell_dump *items; /* by id */
    uint32_t count;
    uint32_t capacity;
} acp_cell_dumps;

/* Where a shape stands as the shell of the building whose rooms have the same origin (within a metre). */
typedef struct acp_shell_place {
    uint32_t shape_id; /* 0: none */
    acp_position position;
} acp_shell_place;

/* Reads every dump in a folder and in its folders; the first of two with one id counts. An exit code; what is wrong was said. */
int acp_cell_dumps_open(acp_cell_dumps *dumps, const acp_command_line *line, const char *folder);
void acp_cell_dumps_close(acp_cell_dumps *dumps);

/* The members gfx, envcells and (with_buildings) buildings of a scene, into the object that is open. */
void acp_cell_dumps_write(const acp_cell_dumps *dumps, acp_json_input *input, acp_json_writer *out, bool with_buildings,
                          const acp_shell_place *shell);

#endif
