/* SPDX-License-Identifier: MIT */
/* Landblocks out of DAT files, made resident for one command: opened leniently, published whole, scenery and all. A landblock that
 * does not load is left out and noted (POP-16); what else could not be had is told with --verbose. */
#include "tools/acphys/tool_world.h"

#include <string.h>

#include "base/memory.h"
#include "dat/record_region.h"

static void tell_loss(void *user, const acp_loss *loss) {
    const acp_command_line *line = user;
    acp_command_detail(line, "%s of 0x%08lX lost: record 0x%08lX", acp_loss_name(loss->kind), (unsigned long)loss->holder_id,
                       (unsigned long)loss->lost_id);
}

int acp_tool_world_open(acp_tool_world *w, const acp_command_line *line) {
    acp_error error = {0};
    memset(w, 0, sizeof *w);
    int code = acp_dat_dir_open(&w->dats, line, acp_dat_dir_name(line));
    if (code != ACP_EXIT_OK) return code;
    acp_dat_source_options options = acp_dat_source_options_default();
    options.on_loss = tell_loss;
    options.user = (void *)(uintptr_t)line;
    acp_result result = acp_dat_source_create(w->dats.portal, w->dats.cell, &options, &w->source, &error);
    if (result == ACP_OK) result = acp_world_create(NULL, &w->world, &error);
    return result == ACP_OK ? ACP_EXIT_OK : acp_command_fail(line, &error);
}

static int publish_one(acp_tool_world *w, const acp_command_line *line, uint32_t block_id) {
    acp_error error = {0};
    acp_landblock *landblock = NULL;
    acp_result result = acp_dat_source_prepare(w->source, block_id, NULL, &landblock, &error);
    for (uint32_t i = 0; result == ACP_OK && acp_landblock_loss(landblock, i); i++)
        tell_loss((void *)(uintptr_t)line, acp_landblock_loss(landblock, i));
    if (result == ACP_OK) result = acp_landblock_publish(w->world, landblock, &error);
    if (result == ACP_OK) return ACP_EXIT_OK;
    acp_landblock_destroy(landblock);
    if (result == ACP_ERROR_OUT_OF_MEMORY) return acp_command_fail(line, &error);
    char text[512];
    (void)acp_error_format(&error, text, sizeof text);
    acp_command_note(line, "left out: %s", text);
    w->left_out[block_id >> 16] = true;
    return ACP_EXIT_OK;
}

int acp_tool_world_publish(acp_tool_world *w, const acp_command_line *line, int x0, int y0, int x1, int y1, uint32_t *out_count) {
    int code = ACP_EXIT_OK;
    uint32_t count = 0;
    for (int x = x0 < 0 ? 0 : x0; x <= x1 && x < 255 && code == ACP_EXIT_OK; x++) {
        for (int y = y0 < 0 ? 0 : y0; y <= y1 && y < 255 && code == ACP_EXIT_OK; y++) {
            uint32_t block_id = (uint32_t)x << 24 | (uint32_t)y << 16;
            if (!acp_dat_source_has_block(w->source, block_id)) continue;
            if (!acp_world_has_block(w->world, block_id | 1u) && !w->left_out[block_id >> 16]) code = publish_one(w, line, block_id);
            count++;
        }
    }
    if (out_count) *out_count = count;
    return code;
}

bool acp_tool_world_colors(const acp_tool_world *w, uint32_t out_colors[32]) {
    acp_dat_record bytes = {0};
    acp_record record = {0};
    acp_record_decode_options options = {.mode = ACP_CONTENT_LENIENT, .record_id = 0x13000000u};
    bool is_good = acp_dat_read(w->dats.portal, 0x13000000u, &bytes, NULL) == ACP_OK &&
                   acp_record_decode(ACP_RECORD_REGION, bytes.bytes, bytes.size, &options, NULL, &record, NULL) == ACP_OK;
    if (is_good) {
        const acp_record_region *region = record.content.any;
        for (uint32_t i = 0; i < 32u; i++)
            out_colors[i] = i < region->terrain_type_count ? region->terrain_types[i].color & 0xFFFFFFu : 0x808080u;
        acp_record_free(&record);
    }
    acp_dat_record_release(&bytes);
    return is_good;
}

void acp_tool_world_close(acp_tool_world *w) {
    acp_world_destroy(w->world);
    acp_dat_source_destroy(w->source);
    acp_dat_dir_close(&w->dats);
    memset(w, 0, sizeof *w);
}
