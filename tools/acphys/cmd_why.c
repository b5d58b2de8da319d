/* SPDX-License-Identifier: MIT */
/* `acphys why`: one question, one answer. `why cell`: is this object in that cell, and which test decided. The sub-commands share nothing
 * but the table here. Exit code 0 when the object is in the cell, 1 when it is not. Spec 04. */
#include <stdio.h>

#include "support/json_values.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_cells.h"
#include "tools/acphys/tool_dat_dir.h"

static int run_cell(acp_command_line *line) {
    acp_cells cells;
    acp_cells_reason reason;
    char place[512];
    uint32_t cell_id = 0;
    if (!acp_cells_parse_id(line->operands[0], &cell_id)) return acp_command_usage(line, "'%s' is no cell id", line->operands[0]);
    int code = acp_cells_open(&cells, line, acp_cells_place(line, 1, place, sizeof place));
    if (code == ACP_EXIT_OK) {
        acp_cells_why(&cells, cell_id, &reason);
        if (acp_command_flag(line, "json")) {
            acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
            acp_json_begin_object(&w, NULL);
            acp_json_write_string(&w, "schema", "acphys.why-cell.1");
            acp_json_begin_object(&w, "object");
            acp_cells_write_object(&w, &cells);
            acp_json_end_object(&w);
            acp_cells_write_reason(&w, "answer", &cells, &reason);
            acp_json_end_object(&w);
            (void)printf("%s\n", acp_command_json_text(&w));
            acp_json_writer_free(&w);
        } else {
            acp_cells_print_reason(&cells, &reason);
        }
        if (!reason.is_member) code = ACP_EXIT_NEGATIVE;
    }
    acp_cells_close(&cells);
    return acp_command_finish(line, code);
}

static const acp_option cell_options[] = {
    ACP_OPTIONS_CELLS_OBJECT, ACP_OPTION_DAT_WORLD, ACP_OPTION_DEMO, ACP_OPTION_FLAT, ACP_OPTION_JSON,
};

static const acp_command command_cell = {
    .name = "cell",
    .summary = "tell why an object is, or is not, in a cell",
    .operands = "CELL [PLACE]",
    .operand_min = 1,
    .operand_max = 17,
    .description = "The object is named as for 'acphys cells'. The answer names the test that decided, with its numbers: the rectangle and "
                   "the part that bounds it, the comparison of the sphere rule, the portal and its plane, the containment plane.\n\n"
                   "Exit code 0: it is in the cell, 1: it is not.",
    .examples = "acphys why cell --flat 0xA9B4003A 0xA9B40024 108 84 0 --box=-50,-50,-1,50,50,1\ta land cell beyond the rectangle\n"
                "acphys why cell 0xA9B40101 --scene house.json --object table\ta room behind a portal",
    ACP_COMMAND_OPTIONS(cell_options),
    .run = run_cell,
};

static const acp_command *const commands[] = {
    &command_cell,
    &acp_command_why_move,
    &acp_command_why_candidates,
    NULL,
};

const acp_command acp_command_why = {
    .name = "why",
    .summary = "answer one question about one thing",
    .operands = "QUESTION …",
    .description = "Each question is a sub-command. The first line of the answer says yes or no and names what decided; the lines after it "
                   "are the tests themselves, with their numbers.",
    .commands = commands,
};
