/* SPDX-License-Identifier: MIT */
/* `acphys map --land` and `--cut`: landblocks from above, and cut by an upright plane.
 *
 * The operand names a landblock (0xXXYY or a cell id) or a position; --blocks WxH shows that many landblocks from it to the east and north,
 * a position alone --context metres around it. Landblocks in view and their neighbours become resident first, so that what reaches over an
 * edge is there. Names are those of the miniature world's places. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/demo.h"
#include "support/json_values.h"
#include "tools/acphys/tool_atlas.h"
#include "tools/acphys/tool_dat.h"
#include "tools/acphys/tool_map.h"
#include "tools/acphys/tool_world.h"

#define MAX_LABELS 512u

/* Numbers with commas; false when they are not `count`. */
static bool read_numbers(const char *text, double *out, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(text, &end);
        if (end == text || !isfinite(out[i]) || *end != (i + 1u < count ? ',' : '\0')) return false;
        text = end + 1;
    }
    return true;
}

/* "0xXXYY", "0xXXYY0000" and cell ids name a landblock. */
static bool read_block(const char *place, uint32_t *out_block) {
    const char *end;
    uint32_t id;
    if (!tool_dat_parse_id(place, &id, &end) || *end != '\0') return false;
    *out_block = id <= 0xFFFFu ? id << 16 : id & 0xFFFF0000u;
    return (*out_block >> 24) < 255u && ((*out_block >> 16) & 0xFFu) < 255u;
}

static bool read_place(const acp_command_line *line, const char *place, acp_atlas *atlas) {
    acp_position position;
    double extent[2] = {1, 1}, context = acp_command_number(line, "context");
    const char *blocks = acp_command_text(line, "blocks");
    if (read_block(place, &atlas->base_block)) {
        char text[64];
        (void)snprintf(text, sizeof text, "%s", blocks);
        for (char *at = text; *at; at++)
            if (*at == 'x') *at = ',';
        if (!read_numbers(text, extent, 2) || extent[0] < 1 || extent[1] < 1 || extent[0] > 16 || extent[1] > 16) return false;
        atlas->view = (acp_rectangle){0, 0, 192 * extent[0], 192 * extent[1]};
        return true;
    }
    if (acp_position_parse(place, strlen(place), &position, NULL, NULL) != ACP_OK) return false;
    atlas->base_block = position.cell_id & 0xFFFF0000u;
    double x = (double)position.frame.origin.x, y = (double)position.frame.origin.y;
    atlas->view = (acp_rectangle){x - context, y - context, x + context, y + context};
    return true;
}

static int publish_view(acp_tool_world *world, const acp_command_line *line, const acp_atlas *atlas) {
    uint32_t count;
    int bx = (int)(atlas->base_block >> 24), by = (int)((atlas->base_block >> 16) & 0xFFu);
    double x0 = fmin(atlas->view.x0, atlas->view.x1), x1 = fmax(atlas->view.x0, atlas->view.x1);
    double y0 = fmin(atlas->view.y0, atlas->view.y1), y1 = fmax(atlas->view.y0, atlas->view.y1);
    int code = acp_tool_world_publish(world, line, bx + (int)floor(x0 / 192) - 1, by + (int)floor(y0 / 192) - 1,
                                      bx + (int)floor(x1 / 192) + 1, by + (int)floor(y1 / 192) + 1, &count);
    if (code == ACP_EXIT_OK && count == 0) {
        acp_command_error(line, "%s has no landblock 0x%08X", acp_dat_dir_title(acp_dat_dir_name(line)),
                          (unsigned)(atlas->base_block | 0xFFFFu));
        code = ACP_EXIT_NEGATIVE;
    }
    return code;
}

static uint32_t collect_labels(const acp_tool_world *world, acp_atlas_label *labels) {
    uint32_t count = 0;
    const acp_demo_place *places = world->dats.demo ? acp_demo_places(world->dats.demo, &count) : NULL;
    if (count > MAX_LABELS) count = MAX_LABELS;
    for (uint32_t i = 0; i < count; i++)
        labels[i] = (acp_atlas_label){places[i].position, places[i].name};
    return count;
}

static int draw(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height, bool is_cut) {
    acp_atlas atlas = {.shows_cells = true, .shows_rooms = true, .level = INFINITY};
    acp_tool_world world;
    uint32_t colors[32];
    char title[128];
    acp_atlas_label labels[MAX_LABELS];
    if (!place || !place[0] || !read_place(line, place, &atlas))
        return acp_command_usage(line, "name a landblock (0xXXYY, with --blocks WxH up to 16x16) or a position");
    if (is_cut) {
        double n[4];
        const char *text = acp_command_text(line, "line");
        if (!text || !read_numbers(text, n, 4))
            return acp_command_usage(line, "--line X0,Y0,X1,Y1: where the plane of the cut runs, metres of the landblock");
        atlas.view = (acp_rectangle){n[0], n[1], n[2], n[3]};
    }
    if (acp_command_is_given(line, "slice")) atlas.level = acp_command_number(line, "slice");
    int code = acp_tool_world_open(&world, line);
    if (code == ACP_EXIT_OK) code = publish_view(&world, line, &atlas);
    if (code == ACP_EXIT_OK) {
        acp_error error = {0};
        atlas.world = world.world;
        atlas.colors = acp_tool_world_colors(&world, colors) ? colors : NULL;
        atlas.labels = labels;
        atlas.label_count = is_cut ? 0 : collect_labels(&world, labels);
        const char *name = acp_command_text(line, "title");
        (void)snprintf(title, sizeof title, "%s %04X", is_cut ? "Cut through" : "Landblock", (unsigned)(atlas.base_block >> 16));
        atlas.title = name ? name : title;
        acp_result result =
            is_cut ? acp_atlas_draw_cut(&atlas, path, width, height, &error) : acp_atlas_draw_above(&atlas, path, width, height, &error);
        if (result != ACP_OK) code = acp_command_fail(line, &error);
    }
    acp_tool_world_close(&world);
    return code;
}

int acp_map_land(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height) {
    return draw(line, place, path, width, height, false);
}

int acp_map_cut(const acp_command_line *line, const char *place, const char *path, uint32_t width, uint32_t height) {
    return draw(line, place, path, width, height, true);
}
