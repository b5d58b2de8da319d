/* SPDX-License-Identifier: MIT */
/* `acphys cells`: the cell set of one object, in the order of its flood.
 *
 * The object comes from a scene, from a request of a file of vectors, or from shapes and a place (tool_cells.h). Printed: where it is, the
 * arm of the flood, the cells; with --explain everything that the flood met, with --why-not the test that kept one cell out. A --why-not
 * cell that is in the set is a negative answer (1). Spec 04. */
#include <stdio.h>

#include "support/json_values.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_cells.h"
#include "tools/acphys/tool_dat_dir.h"

static void print_text(const acp_cells *cells, bool explains) {
    char text[1024];
    uint32_t resident = acp_cells_resident_count(cells);
    acp_cells_print_object(cells);
    (void)printf("cells      %u, %u resident%s\n", (unsigned)cells->array.count, (unsigned)resident,
                 cells->array.added_outside ? "; the flood came outdoors" : "");
    for (uint32_t i = 0; i < cells->array.count; i++) {
        acp_cells_name_cell(cells->array.items[i].cell_id, text, sizeof text);
        (void)printf("  %4u  %s%s\n", (unsigned)i, text, cells->array.items[i].is_resident ? "" : "  not resident");
    }
    if (!explains) return;
    (void)printf("explained\n");
    for (uint32_t i = 0; i < cells->record_count; i++) {
        acp_cells_describe(&cells->records[i], text, sizeof text);
        (void)printf("  %s\n", text);
    }
}

static void print_json(const acp_cells *cells, bool explains, const acp_cells_reason *reason) {
    acp_json_writer w = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&w, NULL);
    acp_json_write_string(&w, "schema", "acphys.cells.1");
    acp_json_begin_object(&w, "object");
    acp_cells_write_object(&w, cells);
    acp_json_end_object(&w);
    acp_json_begin_array(&w, "cells");
    for (uint32_t i = 0; i < cells->array.count; i++) {
        acp_json_begin_array(&w, NULL);
        acp_json_write_id(&w, NULL, cells->array.items[i].cell_id);
        acp_json_write_flag(&w, NULL, cells->array.items[i].is_resident != 0);
        acp_json_end_array(&w);
    }
    acp_json_end_array(&w);
    acp_json_write_flag(&w, "added_outside", cells->array.added_outside);
    if (explains) {
        acp_json_begin_array(&w, "explain");
        for (uint32_t i = 0; i < cells->record_count; i++)
            acp_cells_write_record(&w, &cells->records[i]);
        acp_json_end_array(&w);
    }
    if (reason) acp_cells_write_reason(&w, "why_not", cells, reason);
    acp_json_end_object(&w);
    (void)printf("%s\n", acp_command_json_text(&w));
    acp_json_writer_free(&w);
}

static int run_cells(acp_command_line *line) {
    acp_cells cells;
    acp_cells_reason reason;
    char place[512];
    uint32_t cell_id = 0;
    const char *asked = acp_command_text(line, "why-not");
    if (asked && !acp_cells_parse_id(asked, &cell_id)) return acp_command_usage(line, "--why-not: '%s' is no cell id", asked);
    int code = acp_cells_open(&cells, line, acp_cells_place(line, 0, place, sizeof place));
    if (code == ACP_EXIT_OK) {
        bool explains = acp_command_flag(line, "explain");
        if (asked) acp_cells_why(&cells, cell_id, &reason);
        if (acp_command_flag(line, "json"))
            print_json(&cells, explains, asked ? &reason : NULL);
        else
            print_text(&cells, explains);
        if (asked && !acp_command_flag(line, "json")) acp_cells_print_reason(&cells, &reason);
        if (asked && reason.is_member) code = ACP_EXIT_NEGATIVE;
    }
    acp_cells_close(&cells);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    ACP_OPTIONS_CELLS_OBJECT,
    ACP_OPTION_DAT_WORLD,
    ACP_OPTION_DEMO,
    ACP_OPTION_FLAT,
    {.name = "explain", .help = "tell every test of the flood, with its numbers"},
    {.name = "why-not", .kind = ACP_OPTION_TEXT, .argument = "CELL", .help = "tell the test that kept this cell out"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_cells = {
    .name = "cells",
    .summary = "list the cells that an object touches",
    .operands = "[PLACE]",
    .operand_max = 16,
    .description =
        "The object is one of a scene (--scene FILE --object NAME), that of a request in a file of vectors (--scene FILE --request ID), or "
        "made from shapes at a place: a cell id with coordinates, a /loc line or map coordinates. Without a scene the world is that of "
        "--dat-dir, else the miniature world; with --flat it is flat ground around the place.\n\n"
        "Parts are given by their boxes, in the object's own axes. They have physics, and the object's boxes decide, unless --no-bsp says "
        "otherwise; then cylspheres decide, and without any the sorting sphere of a moving object or the boxes of a static one. The scale "
        "plays no part: that is the client's rule (spec MEM-41; --correct scaled-extent).\n\n"
        "Cells come in the order in which the flood found them, land cells with their land coordinate.",
    .examples = "acphys cells --flat 0xA9B40024 108 84 0 --box=-50,-50,-1,50,50,1\ta box of 100 m, and the 25 land cells of its rectangle\n"
                "acphys cells --scene town.json --object gate --explain\teverything the flood met\n"
                "acphys cells --scene membership.jsonl --request 1200 --why-not 0xA9B40107\tthe test that kept a room out",
    ACP_COMMAND_OPTIONS(options),
    .run = run_cells,
};
