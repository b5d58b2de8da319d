/* SPDX-License-Identifier: MIT */
/* DAT worlds for commands that ask one question: only the landblocks that it can concern are read, and they become a scene.
 *
 * The scene's answers are those of the published landblocks (tests/differential/test_scene_dat.c), and the rest of a command need not know
 * where its world came from. Landblocks lie in squares around the places, at most 21 a side; those that the file lacks are passed over, but
 * for a place's own. Contract: exit codes, and what is wrong was said. Cost: reading and building the landblocks, some milliseconds each.
 */
#include "tools/acphys/tool_dat_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/scene_extract.h"
#include "tools/acphys/tool_dat_dir.h"

#define MAX_RINGS 10

bool acp_dat_world_is_there(const char *folder) {
    if (!folder) return true;
    static const char *const names[] = {"client_portal.dat", "client_cell_1.dat"};
    for (int i = 0; i < 2; i++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) != 0) return false;
    }
    return true;
}

static int clamp_ring(double metres) {
    return metres < -(double)MAX_RINGS ? -MAX_RINGS : metres > (double)MAX_RINGS ? MAX_RINGS : (int)metres;
}

/* The landblock of a place has to be there; those around it are left out when they are damaged, as the client does (POP-16). */
enum { WANTED = 1, NEEDED = 2 };

static void mark_around(uint8_t *marks, const acp_dat *cell, const acp_position *place, double reach) {
    int x0 = (int)(place->cell_id >> 24), y0 = (int)((place->cell_id >> 16) & 0xFFu);
    double x = (double)place->frame.origin.x, y = (double)place->frame.origin.y;
    int low_x = clamp_ring(floor((x - reach) / 192.0)), high_x = clamp_ring(floor((x + reach) / 192.0));
    int low_y = clamp_ring(floor((y - reach) / 192.0)), high_y = clamp_ring(floor((y + reach) / 192.0));
    for (int bx = x0 + low_x; bx <= x0 + high_x; bx++)
        for (int by = y0 + low_y; by <= y0 + high_y; by++)
            if (bx >= 0 && by >= 0 && bx < 255 && by < 255 && acp_dat_find(cell, (uint32_t)bx << 24 | (uint32_t)by << 16 | 0xFFFFu))
                marks[bx << 8 | by] |= bx == x0 && by == y0 ? NEEDED : WANTED;
}

static void tell_remark(void *user, const acp_error *remark) {
    char text[512];
    (void)acp_error_format(remark, text, sizeof text);
    if ((remark->record_id & 0xFFFFu) == 0xFFFFu)
        acp_command_note(user, "%s", text);
    else
        acp_command_detail(user, "%s", text);
}

static int write_blocks(const acp_command_line *line, const acp_dat_dir *dats, const uint8_t *marks, const uint32_t *setups,
                        uint32_t setup_count, acp_json_writer *out) {
    acp_error error;
    uint32_t *ids = calloc(65536u, sizeof *ids), count = 0;
    uint8_t *may_lack = calloc(65536u, 1);
    if (!ids || !may_lack) {
        free(ids);
        free(may_lack);
        return acp_command_out_of_memory(line);
    }
    for (uint32_t i = 0; i < 65536u; i++) {
        if (!marks[i]) continue;
        may_lack[count] = !(marks[i] & NEEDED);
        ids[count++] = i << 16;
    }
    acp_scene_extract_options options = {.block_ids = ids,
                                         .block_count = count,
                                         .may_lack = may_lack,
                                         .setup_ids = setups,
                                         .setup_count = setup_count,
                                         .has_scenery = true,
                                         .on_remark = tell_remark,
                                         .user = (void *)(uintptr_t)line};
    acp_scene_extract_report report;
    acp_result result = acp_scene_extract(dats->portal, dats->cell, &options, out, &report, &error);
    free(ids);
    free(may_lack);
    if (result == ACP_OK) {
        acp_command_detail(line, "the world: %u landblocks, %u EnvCells, %u buildings, %u statics, %u of scenery", (unsigned)report.blocks,
                           (unsigned)report.env_cells, (unsigned)report.buildings, (unsigned)report.statics, (unsigned)report.scenery);
        return ACP_EXIT_OK;
    }
    int code = acp_command_fail(line, &error);
    return result == ACP_ERROR_NOT_FOUND ? ACP_EXIT_NEGATIVE : code;
}

static void tell_missing(const acp_command_line *line, const char *folder, uint32_t record_id) {
    if (folder)
        acp_command_error(line, "%s: no landblock 0x%08X", folder, (unsigned)record_id);
    else
        acp_command_error(line, "%s has no landblock 0x%08X: name another world with --dat-dir%s%s", acp_dat_dir_title(folder),
                          (unsigned)record_id, acp_command_has_option(line, "scene") ? " or --scene" : "",
                          acp_command_has_option(line, "flat") ? ", or take flat ground with --flat" : "");
}

int acp_dat_world_write(const acp_command_line *line, const char *folder, const acp_position *places, uint32_t place_count, double reach,
                        const uint32_t *setups, uint32_t setup_count, acp_json_writer *out) {
    acp_dat_dir dats;
    int code = acp_dat_dir_open(&dats, line, folder);
    uint8_t *marks = calloc(65536u, 1);
    if (code == ACP_EXIT_OK && !marks) code = acp_command_out_of_memory(line);
    for (uint32_t i = 0; i < place_count && code == ACP_EXIT_OK; i++) {
        if (acp_dat_find(dats.cell, places[i].cell_id | 0xFFFFu)) {
            mark_around(marks, dats.cell, &places[i], reach + 24.0);
            continue;
        }
        tell_missing(line, folder, places[i].cell_id | 0xFFFFu);
        code = ACP_EXIT_NEGATIVE;
    }
    if (code == ACP_EXIT_OK) code = write_blocks(line, &dats, marks, setups, setup_count, out);
    free(marks);
    acp_dat_dir_close(&dats);
    return code;
}

int acp_dat_world_write_around(const acp_command_line *line, const char *folder, uint32_t block_id, acp_json_writer *out) {
    acp_position middle;
    memset(&middle, 0, sizeof middle);
    middle.cell_id = block_id;
    middle.frame.origin.x = middle.frame.origin.y = 96.0f;
    return acp_dat_world_write(line, folder, &middle, 1, 150.0, NULL, 0, out);
}
