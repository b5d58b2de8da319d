/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_COMMANDS_H
#define ACP_TOOLS_COMMANDS_H

#include "tools/acphys/options.h"

/* Every command; the table in main.c lists them in the order of the help. */
extern const acp_command acp_command_demo;
extern const acp_command acp_command_where;
extern const acp_command acp_command_spawns;
extern const acp_command acp_command_cells;
extern const acp_command acp_command_move;
extern const acp_command acp_command_run;
extern const acp_command acp_command_replay;
extern const acp_command acp_command_why;
extern const acp_command acp_command_why_move; /* a sub-command of why */
extern const acp_command acp_command_why_candidates;
extern const acp_command acp_command_map;
extern const acp_command acp_command_survey;
extern const acp_command acp_command_scene;
extern const acp_command acp_command_scene_check; /* a sub-command of scene */
extern const acp_command acp_command_eval;
extern const acp_command acp_command_conform;
extern const acp_command acp_command_wire;
extern const acp_command acp_command_dat;
extern const acp_command acp_command_help;
extern const acp_command acp_command_completions;
extern const acp_command acp_command_version;

/* The program itself (main.c). */
extern const acp_command acp_command_root;

#endif
