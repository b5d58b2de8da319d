/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_DAT_DIR_H
#define ACP_TOOLS_TOOL_DAT_DIR_H

#include <stdbool.h>

#include "acphys/dat.h"
#include "demo/demo.h"
#include "tools/acphys/options.h"

/* The two files of a DAT folder: --dat-dir DIR, or ACPHYS_DAT_DIR; of the miniature world when none is named, or with --demo. Wherever a
 * folder is passed around, null is the miniature world. */

#define ACP_OPTION_DAT_DIR                                                                                                                 \
    {                                                                                                                                      \
        .name = "dat-dir", .kind = ACP_OPTION_DIRECTORY, .argument = "DIR",                                                                \
        .help = "read client_portal.dat and client_cell_1.dat there (or ACPHYS_DAT_DIR)"                                                   \
    }
#define ACP_OPTION_DEMO                                                                                                                    \
    { .name = "demo", .help = "use the built-in miniature world (the default when no world is named)" }
/* For commands that can do without a world. */
#define ACP_OPTION_FLAT                                                                                                                    \
    { .name = "flat", .help = "no world: flat ground at height 0 in every landblock around" }

typedef struct acp_dat_dir {
    acp_dat *portal;
    acp_dat *cell;
    acp_demo *demo; /* the miniature world, when it is this */
} acp_dat_dir;

/* The folder that the command line or the environment names; null: the miniature world, asked for or for want of another. */
const char *acp_dat_dir_name(const acp_command_line *line);
/* What messages call it: the folder, or "the miniature world". */
const char *acp_dat_dir_title(const char *folder);
/* The one line that says that nobody named a world; nothing when --demo was given. */
void acp_dat_dir_note_default(const acp_command_line *line);
/* Opens both files; those of the miniature world with the note above. An exit code; what is wrong was said. Close it in any case. */
int acp_dat_dir_open(acp_dat_dir *dir, const acp_command_line *line, const char *folder);
void acp_dat_dir_close(acp_dat_dir *dir);

#endif
