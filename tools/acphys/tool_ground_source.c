/* SPDX-License-Identifier: MIT */
/* The ground for commands: a cell DAT, or two raw planes of the whole world.
 *
 * Planes are told from a DAT by their exact size (2 x 2041 x 2041 bytes) or by being gzipped; anything else is opened as a DAT and judged
 * there. A landblock is read, decoded and made resident the first time a position in it is asked for; the heights are those of the
 * Region record beside a cell DAT, else of the default table. Neighbouring records share their edge vertices; when a whole plane is asked
 * for from a DAT, the block to the east or north wins. Not thread-safe; one per command. */
#include "tools/acphys/tool_ground_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "acphys/model_store.h"
#include "base/error.h"
#include "support/load_file.h"

bool acp_ground_source_is_open(const acp_ground_source *source) { return source->terrain != NULL; }

/* Planes by size, or anything gzipped. */
static bool is_planes(const char *path) {
    struct stat status;
    unsigned char magic[2] = {0, 0};
    if (stat(path, &status) == 0 && status.st_size == (off_t)(2 * ACP_PLANE_SIZE)) return true;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t got = fread(magic, 1, sizeof magic, file);
    (void)fclose(file);
    return got == 2 && magic[0] == 0x1F && magic[1] == 0x8B;
}

static acp_result open_planes(acp_ground_source *source, const char *path, acp_error *error) {
    char *bytes;
    size_t size;
    acp_result result = acp_load_file(path, 4 * ACP_PLANE_SIZE, &bytes, &size, error);
    if (result != ACP_OK) return result;
    if (size != 2 * ACP_PLANE_SIZE) {
        free(bytes);
        result = size < 2 * ACP_PLANE_SIZE ? ACP_ERROR_TRUNCATED : ACP_ERROR_BAD_DATA;
        acp_error_set(error, result, "read terrain planes", "expected two planes of 2041 x 2041, %zu bytes; there are %zu",
                      (size_t)2 * ACP_PLANE_SIZE, size);
        acp_error_set_file(error, path);
        return result;
    }
    source->planes = (uint8_t *)bytes;
    return ACP_OK;
}

/* Ground is in cell files only; another kind of DAT would look like a world without any. */
static acp_result check_data_set(const acp_dat *dat, acp_error *error) {
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    if (info.data_set == ACP_DAT_CELL) return ACP_OK;
    (void)acp_error_set(error, ACP_ERROR_BAD_DATA, "read the ground", "not a cell file (data set %lu)", (unsigned long)info.data_set);
    acp_error_set_file(error, acp_dat_name(dat));
    acp_error_set_place(error, 0, UINT64_MAX, "header.data_set");
    return ACP_ERROR_BAD_DATA;
}

/* The heights of a portal file, if it is there and has them. */
static bool read_heights(const acp_dat *portal, acp_height_table *out_table) {
    acp_model_store *models = NULL;
    bool is_good = portal && acp_model_store_create(portal, ACP_CONTENT_LENIENT, NULL, &models, NULL) == ACP_OK &&
                   acp_model_store_get_height_table(models, out_table, NULL) == ACP_OK;
    acp_model_store_destroy(models);
    return is_good;
}

static acp_result open_demo(acp_ground_source *source, acp_dat **out_portal, acp_error *error) {
    acp_result result = acp_demo_create(NULL, NULL, &source->demo, error);
    if (result == ACP_OK) result = acp_demo_open(source->demo, ACP_DAT_CELL, NULL, &source->dat, error);
    if (result == ACP_OK) result = acp_demo_open(source->demo, ACP_DAT_PORTAL, NULL, out_portal, error);
    return result;
}

/* The portal file beside the cell file; null when there is none that can be opened. */
static acp_dat *open_portal(const char *folder) {
    char path[4096];
    acp_dat *portal = NULL;
    int length = snprintf(path, sizeof path, "%s/client_portal.dat", folder);
    if (length < 0 || (size_t)length >= sizeof path || acp_dat_open(path, NULL, NULL, &portal, NULL) != ACP_OK) return NULL;
    return portal;
}

static acp_result open_source(acp_ground_source *source, const acp_command_line *line, bool is_demo_default, acp_error *error) {
    char path[4096];
    const char *file = acp_command_text(line, "terrain"), *folder = acp_command_text(line, "dat-dir");
    acp_result result;
    memset(source, 0, sizeof *source);
    bool can_demo = acp_command_has_option(line, "demo"), is_demo = can_demo && acp_command_flag(line, "demo");
    if (!folder && !file && !is_demo) folder = getenv("ACPHYS_DAT_DIR");
    if (!file && !folder && !is_demo && !is_demo_default) return ACP_OK;
    acp_dat *portal = NULL;
    acp_height_table heights;
    if (is_demo || (!file && !folder)) {
        source->is_default = !is_demo;
        result = open_demo(source, &portal, error);
        bool has_heights = result == ACP_OK && read_heights(portal, &heights);
        acp_dat_close(portal);
        if (result == ACP_OK) result = acp_terrain_create(NULL, has_heights ? &heights : NULL, &source->terrain, error);
        if (result != ACP_OK) acp_ground_source_close(source);
        return result;
    }
    bool is_folder = !file;
    if (!file) {
        int length = snprintf(path, sizeof path, "%s/client_cell_1.dat", folder);
        if (length < 0 || (size_t)length >= sizeof path)
            return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "open the DAT folder", "the path is too long");
        file = path;
    }
    result = is_planes(file) ? open_planes(source, file, error) : acp_dat_open(file, NULL, NULL, &source->dat, error);
    if (result == ACP_OK && source->dat) result = check_data_set(source->dat, error);
    portal = result == ACP_OK && is_folder ? open_portal(folder) : NULL;
    bool has_heights = read_heights(portal, &heights);
    acp_dat_close(portal);
    if (result == ACP_OK) result = acp_terrain_create(NULL, has_heights ? &heights : NULL, &source->terrain, error);
    if (result != ACP_OK) acp_ground_source_close(source);
    return result;
}

acp_result acp_ground_source_open(acp_ground_source *source, const acp_command_line *line, acp_error *error) {
    return open_source(source, line, false, error);
}

acp_result acp_ground_source_open_or_demo(acp_ground_source *source, const acp_command_line *line, acp_error *error) {
    return open_source(source, line, true, error);
}

acp_result acp_ground_source_read(acp_ground_source *source, uint32_t block_x, uint32_t block_y, acp_land_block *out_block,
                                  acp_error *error) {
    if (source->dat) {
        acp_result result = acp_dat_read(source->dat, block_x << 24 | block_y << 16 | 0xFFFFu, &source->record, error);
        if (result == ACP_OK) result = acp_land_block_decode(source->record.bytes, source->record.size, out_block, error);
        return result;
    }
    acp_terrain_planes_cut(source->planes, block_x, block_y, out_block);
    return ACP_OK;
}

acp_result acp_ground_source_at(acp_ground_source *source, const acp_position *position, acp_ground *out_ground, acp_error *error) {
    acp_position canonical = *position;
    acp_result result = acp_position_adjust_to_outside(&canonical);
    if (result != ACP_OK) return acp_error_set(error, result, "ground", "the position has no land cell");
    if (!acp_terrain_find(source->terrain, canonical.cell_id)) {
        acp_land_block block;
        result = acp_ground_source_read(source, canonical.cell_id >> 24, (canonical.cell_id >> 16) & 0xFFu, &block, error);
        if (result == ACP_OK) result = acp_terrain_put(source->terrain, &block, error);
        if (result != ACP_OK) return result;
    }
    return acp_terrain_ground_at(source->terrain, &canonical, out_ground, error);
}

acp_result acp_ground_source_fill(acp_ground_source *source, uint8_t *out_heights, uint8_t *out_words, uint32_t *out_missing,
                                  acp_error *error) {
    *out_missing = 0;
    if (source->planes) {
        memcpy(out_heights, source->planes, ACP_PLANE_SIZE);
        memcpy(out_words, source->planes + ACP_PLANE_SIZE, ACP_PLANE_SIZE);
        return ACP_OK;
    }
    memset(out_heights, 0, ACP_PLANE_SIZE);
    memset(out_words, 0, ACP_PLANE_SIZE);
    for (uint32_t block_x = 0; block_x < 255; block_x++) {
        for (uint32_t block_y = 0; block_y < 255; block_y++) {
            acp_land_block block;
            acp_result result = acp_ground_source_read(source, block_x, block_y, &block, error);
            if (result == ACP_ERROR_NOT_FOUND) {
                (*out_missing)++;
                continue;
            }
            if (result != ACP_OK) return result;
            for (uint32_t i = 0; i < 81; i++) {
                size_t at = (size_t)(8 * block_y + i % 9) * ACP_WORLD_VERTICES + 8 * block_x + i / 9;
                out_heights[at] = block.height[i];
                out_words[at] = (uint8_t)(block.terrain[i] & 0x7Fu);
            }
        }
    }
    return ACP_OK;
}

void acp_ground_source_close(acp_ground_source *source) {
    acp_dat_record_release(&source->record);
    acp_terrain_destroy(source->terrain);
    acp_dat_close(source->dat);
    acp_demo_destroy(source->demo);
    free(source->planes);
    memset(source, 0, sizeof *source);
}
