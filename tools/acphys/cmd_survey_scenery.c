/* SPDX-License-Identifier: MIT */
/* `acphys survey scenery`: what grows in the landblocks of a DAT folder, and why the rest does not.
 *
 * A folder without landblocks in the area is a negative answer (1). The output does not depend on --threads. Spec 09 POP-6 to POP-9. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "tools/acphys/commands.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_survey_scenery.h"

#define MAP_LAST 254u
#define MOST_MAX 65025u

/* Four hexadecimal digits, with or without 0x: a landblock of the map. */
static bool parse_block(const char **text, uint32_t *out_x, uint32_t *out_y) {
    char *end;
    const char *digits = **text == '0' && ((*text)[1] | 0x20) == 'x' ? *text + 2 : *text;
    if (strspn(digits, "0123456789abcdefABCDEF") != 4u) return false;
    unsigned long value = strtoul(digits, &end, 16);
    *text = end;
    *out_x = (uint32_t)(value >> 8);
    *out_y = (uint32_t)(value & 0xFFu);
    return *out_x <= MAP_LAST && *out_y <= MAP_LAST;
}

/* ID or ID-ID, corner to corner in any order. */
static bool parse_area(const char *text, acp_scenery_survey_area *out_area) {
    uint32_t x0, y0, x1, y1;
    if (!parse_block(&text, &x0, &y0)) return false;
    x1 = x0;
    y1 = y0;
    if (*text == '-') {
        text++;
        if (!parse_block(&text, &x1, &y1)) return false;
    }
    *out_area = (acp_scenery_survey_area){x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0};
    return *text == '\0';
}

static int report(acp_command_line *line, const acp_scenery_survey *survey, const acp_scenery_survey_summary *summary, uint32_t most) {
    const char *csv = acp_command_text(line, "csv"), *picture = acp_command_text(line, "png");
    acp_error error;
    memset(&error, 0, sizeof error);
    if (csv && acp_scenery_survey_write_csv(survey, csv, &error) != ACP_OK) return acp_command_fail(line, &error);
    if (picture && acp_scenery_survey_draw(survey, summary, picture, &error) != ACP_OK) return acp_command_fail(line, &error);
    if (acp_command_flag(line, "json"))
        acp_scenery_survey_print_json(survey, summary, most);
    else
        acp_scenery_survey_print(survey, summary, most);
    if (summary->grown) return ACP_EXIT_OK;
    acp_command_error(line, "nothing to grow: no landblock there");
    return ACP_EXIT_NEGATIVE;
}

static int run_scenery(acp_command_line *line) {
    acp_scenery_survey survey;
    acp_scenery_survey_summary summary;
    acp_scenery_survey_area area = {0, 0, MAP_LAST, MAP_LAST};
    acp_error error;
    memset(&error, 0, sizeof error);
    const char *folder = acp_dat_dir_name(line), *blocks = acp_command_text(line, "blocks");
    if (blocks && !parse_area(blocks, &area)) return acp_command_usage(line, "--blocks: 0xXXYY or 0xXXYY-0xXXYY, each 00 to FE");
    uint64_t threads = acp_command_integer(line, "threads"), most = acp_command_integer(line, "most");
    if (!threads) threads = acp_thread_processor_count();
    acp_dat_dir dats;
    int code = acp_dat_dir_open(&dats, line, folder);
    if (code != ACP_EXIT_OK) return code;
    if (acp_scenery_survey_open(&survey, dats.portal, dats.cell, acp_dat_dir_title(folder), &area, &error) != ACP_OK) {
        acp_dat_dir_close(&dats);
        return acp_command_fail(line, &error);
    }
    if (acp_scenery_survey_run(&survey, line, threads > 64u ? 64u : (uint32_t)threads, &error) != ACP_OK) {
        code = acp_command_fail(line, &error);
    } else if (!acp_scenery_survey_sum(&survey, &summary)) {
        acp_command_error(line, "no memory for the sums");
        code = ACP_EXIT_INTERNAL;
    } else {
        code = report(line, &survey, &summary, most > MOST_MAX ? MOST_MAX : (uint32_t)most);
        acp_scenery_survey_summary_free(&summary);
    }
    acp_scenery_survey_close(&survey);
    acp_dat_dir_close(&dats);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    ACP_OPTION_DAT_DIR,
    ACP_OPTION_DEMO,
    {.name = "blocks",
     .kind = ACP_OPTION_TEXT,
     .argument = "ID[-ID]",
     .help = "only this landblock, 0xXXYY, or the rectangle from one to the other"},
    {.name = "threads", .kind = ACP_OPTION_INTEGER, .argument = "N", .fallback = "1", .help = "threads to use, 0 = one a processor"},
    {.name = "most", .kind = ACP_OPTION_INTEGER, .argument = "N", .fallback = "5", .help = "name the N landblocks with most objects"},
    {.name = "csv", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "write a line for every landblock"},
    {.name = "png", .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "draw a map of how much grows where (.png or .svg)"},
    ACP_OPTION_JSON,
};

const acp_command acp_command_survey_scenery = {
    .name = "scenery",
    .summary = "count what grows in each landblock, and why the rest does not",
    .operands = "",
    .description =
        "The scenery of each landblock is generated as the client does, from its terrain words and the Region, Scenes and models of the "
        "portal "
        "file, and every candidate is counted by how it ended: a vertex without scene, the draw against the frequency, the server's own "
        "objects, displaced out of the landblock, on a road, in a land cell with a building, on ground too flat or too steep, without a "
        "model, over the landblock's border, accepted.\n\n"
        "What cannot be read costs what stands on it and is named once: a Scene its vertices, a model its objects, a landblock's own "
        "records the landblock.\n\n"
        "The output is the same for any number of threads.",
    .examples = "acphys survey scenery --dat-dir ~/ac --threads 0 --png scenery.png\tthe whole world, with a map\n"
                "acphys survey scenery --dat-dir ~/ac --blocks 0xA9B3-0xAAB4 --csv town.csv\tfour landblocks, a line each",
    ACP_COMMAND_OPTIONS(options),
    .run = run_scenery,
};
