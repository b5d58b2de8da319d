/* SPDX-License-Identifier: MIT */
/* `acphys map`: pictures of the world, PNG or SVG by the end of the file's name.
 *
 * Which picture is a flag; the table below leads to the function that draws it (tool_map.h). The file appears whole or not at all. */
#include <string.h>

#include "tools/acphys/commands.h"
#include "tools/acphys/tool_cells.h"
#include "tools/acphys/tool_dat_dir.h"
#include "tools/acphys/tool_map.h"
#include "tools/acphys/tool_move.h"

typedef int (*draw_function)(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height);

static const struct {
    const char *flag;
    draw_function draw;
} pictures[] = {
    {"cells", acp_map_cells},
    {"move", acp_map_move},
    {"land", acp_map_land},
    {"cut", acp_map_cut},
};
#define PICTURE_COUNT (sizeof pictures / sizeof pictures[0])

/* "1200x900", or one number for a square. */
static bool read_size(const char *text, uint32_t *width, uint32_t *height) {
    uint32_t v[2] = {0, 0}, count = 0;
    for (const char *at = text;; at++) {
        if (*at >= '0' && *at <= '9' && v[count] < 100000u) {
            v[count] = v[count] * 10u + (uint32_t)(*at - '0');
        } else if (*at == 'x' && count == 0) {
            count = 1;
        } else if (*at == '\0') {
            break;
        } else {
            return false;
        }
    }
    *width = v[0];
    *height = count ? v[1] : v[0];
    return *width >= 200u && *width <= 16384u && *height >= 200u && *height <= 16384u;
}

static int run_map(acp_command_line *line) {
    draw_function draw = NULL;
    uint32_t width = 0, height = 0, count = 0;
    char place[512];
    for (size_t i = 0; i < PICTURE_COUNT; i++) {
        if (!acp_command_flag(line, pictures[i].flag)) continue;
        draw = pictures[i].draw;
        count++;
    }
    if (count != 1u) return acp_command_usage(line, "say which picture: --land, --cut, --cells or --move");
    const char *path = acp_command_text(line, "out");
    if (!path) return acp_command_usage(line, "--out FILE: where the picture goes (.png or .svg)");
    const char *end = strrchr(path, '.');
    if (!end || (strcmp(end, ".png") != 0 && strcmp(end, ".svg") != 0))
        return acp_command_usage(line, "--out: a picture ends with .png or .svg");
    if (acp_command_flag(line, "flat") && (draw == acp_map_land || draw == acp_map_cut))
        return acp_command_usage(line, "--flat: with --cells or --move");
    if (!read_size(acp_command_text(line, "size"), &width, &height))
        return acp_command_usage(line, "--size: WIDTHxHEIGHT, 200 to 16384 each");
    int code = draw(line, acp_cells_place(line, 0, place, sizeof place), path, width, height);
    return acp_command_finish(line, code);
}

static const acp_option options[] = {
    {.name = "cells", .help = "draw the cell set of an object: cells, boxes, spheres, rooms, portals with their verdicts"},
    {.name = "move", .help = "draw a move, named as for 'acphys move': from above, and cut along its way"},
    {.name = "land", .help = "draw landblocks from above: relief, water, roads, objects, rooms, portals, ids, names"},
    {.name = "cut", .help = "cut a landblock by an upright plane along --line: ground, rooms, walls, objects"},
    {.name = "blocks",
     .kind = ACP_OPTION_TEXT,
     .argument = "WxH",
     .fallback = "1x1",
     .help = "with --land: so many landblocks east and north"},
    {.name = "line",
     .kind = ACP_OPTION_TEXT,
     .argument = "X0,Y0,X1,Y1",
     .help = "with --cut: the line of the cut, metres of the landblock"},
    {.name = "title", .kind = ACP_OPTION_TEXT, .argument = "TEXT", .help = "with --land or --cut: the title"},
    ACP_OPTION_DEMO,
    ACP_OPTION_FLAT,
    {.name = "out", .letter = 'o', .kind = ACP_OPTION_FILE, .argument = "FILE", .help = "the picture, .png or .svg"},
    {.name = "size", .kind = ACP_OPTION_TEXT, .argument = "WxH", .fallback = "1200x900", .help = "its size in pixels"},
    {.name = "slice",
     .kind = ACP_OPTION_NUMBER,
     .argument = "Z",
     .help = "cut rooms at this height above the landblock's zero, not in the middle of the object"},
    {.name = "context", .kind = ACP_OPTION_NUMBER, .argument = "M", .fallback = "18", .help = "metres to show around what matters"},
    ACP_OPTIONS_CELLS_OBJECT,
    ACP_OPTIONS_MOVE_ALONE,
};

const acp_command acp_command_map = {
    .name = "map",
    .summary = "draw pictures of the world, PNG or SVG",
    .operands = "[PLACE]",
    .operand_max = 16,
    .description =
        "--land draws landblocks from above: PLACE is a landblock (0xXXYY; --blocks 5x5 for more of them), or a position with --context "
        "metres "
        "around it. --cut shows what an upright plane cuts: a slice through a house. The world is the miniature one unless another is "
        "named.\n\n"
        "--cells draws the cell set of one object, named as for 'acphys cells', seen from above with north up. Land cells of the set are "
        "filled, those known by id alone hatched by a dashed line; rooms are cut at one height; portals are drawn where their plane cuts "
        "the room, green when they admitted the object and red when they kept it out. Outlines show the parts' boxes, their refitted "
        "bounds, the rectangle of the flood, and spheres.\n\n"
        "--move draws one move: from above, with walls and objects cut at the height of the lower sphere, and below it the same cut along "
        "the way, with the ground.",
    .examples =
        "acphys map --demo --land 0x5050 --blocks 5x5 -o town.png\tthe miniature world's town\n"
        "acphys map --demo --cut 0x5252 --line 50,58,72,58 -o cottage.svg\ta slice through the cottage\n"
        "acphys map --cells --flat 0xA9B40024 108 84 0 --turn 37 --box=-50,-10,-1,50,10,1 -o cells.png\ta turned box and its rectangle\n"
        "acphys map --cells --scene house.json --object table -o table.svg\tan object among rooms\n"
        "acphys map --move --scene town.json --object guard --by 2,0.3,0 -o move.svg\ta move past a pillar",
    ACP_COMMAND_OPTIONS(options),
    .run = run_map,
};
