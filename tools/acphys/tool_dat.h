/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_DAT_H
#define ACP_TOOLS_TOOL_DAT_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/dat.h"
#include "acphys/dat_edit.h"
#include "tools/acphys/options.h"

/* What the sub-commands of `acphys dat` share. */

/* Kind of a record by its id: "gfxobj", "landblock", …, "other". */
const char *tool_dat_kind(uint32_t data_set, uint32_t id);

/* --ids and --kind. */
typedef struct tool_dat_filter {
    uint32_t first;
    uint32_t last;
    const char *kind; /* null = any */
} tool_dat_filter;

#define TOOL_DAT_KINDS                                                                                                                     \
    "gfxobj|setup|animation|palette|texture|surface|motiontable|environment|degradeinfo|scene|region|landblock|landblockinfo|envcell|"     \
    "iterations|other"

#define TOOL_DAT_FILTER_OPTIONS                                                                                                            \
    {.name = "ids", .kind = ACP_OPTION_TEXT, .argument = "ID[-ID]", .help = "only this id, or ids from the first to the second"}, {        \
        .name = "kind", .kind = ACP_OPTION_CHOICE, .argument = "KIND", .choices = TOOL_DAT_KINDS, .help = "only records of this kind"      \
    }

/* False after a usage error was printed. */
bool tool_dat_filter_read(const acp_command_line *line, tool_dat_filter *out_filter);
bool tool_dat_filter_matches(const tool_dat_filter *filter, uint32_t data_set, uint32_t id);

/* An id as 0x… or plain hexadecimal digits; false when it is none. `end` gets the character after it. */
bool tool_dat_parse_id(const char *text, uint32_t *out_id, const char **out_end);
/* ID or ID-ID, the lower first, and nothing more. */
bool tool_dat_parse_range(const char *text, uint32_t *out_first, uint32_t *out_last);

/* Shows library progress as the command's. */
acp_progress tool_dat_progress(const acp_command_line *line);
/* Writes the container, whole or not at all; a signal on the way removes what there is of it. A symbolic link is followed and stays. */
acp_result tool_dat_commit(const acp_command_line *line, acp_dat_edit *edit, const char *path, acp_error *error);

extern const acp_command acp_command_dat_verify;
extern const acp_command acp_command_dat_import_terrain;
extern const acp_command acp_command_dat_cat;
extern const acp_command acp_command_dat_diff;
extern const acp_command acp_command_dat_extract;
extern const acp_command acp_command_dat_pack;
extern const acp_command acp_command_dat_export;
extern const acp_command acp_command_dat_import;

#endif
