/* SPDX-License-Identifier: MIT */
/* `acphys dat import-terrain`: two planes of 2041 x 2041 bytes become a cell DAT with the 65,025 landblocks of a world.
 *
 * The planes hold a height index and a terrain byte (the low 7 bits of the terrain word) for each vertex, y-major from the south-west
 * corner: either both in one file, one after the other, or in two files; gzip is recognised by its first bytes. Neighbouring landblocks
 * share their edge vertices. Records are written without LandBlockInfo, in ascending order, with fixed dates, so the same planes give the
 * same bytes. Sizes are checked to the byte before anything is made; the DAT appears whole or not at all. Cost: about a second. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "acphys/dat_edit.h"
#include "base/error.h"
#include "support/load_file.h"
#include "support/terrain_planes.h"
#include "tools/acphys/tool_dat.h"

#define BLOCKS 255u

static acp_result fail_read(acp_error *error, acp_result code, const char *path, uint64_t offset, const char *message) {
    acp_error_set(error, code, "import terrain", "%s", message);
    acp_error_set_file(error, path);
    acp_error_set_place(error, 0, offset, "plane");
    return code;
}

/* Exactly `size` bytes, no more and no less in the file. */
static acp_result read_exactly(const char *path, uint8_t *out, uint32_t size, acp_error *error) {
    char *bytes = NULL;
    size_t got = 0;
    acp_result result = acp_load_file(path, size, &bytes, &got, error);
    if (result == ACP_ERROR_LIMIT) return fail_read(error, ACP_ERROR_BAD_DATA, path, size, "the file goes on after the planes");
    if (result != ACP_OK) return result;
    if (got == size)
        memcpy(out, bytes, size);
    else {
        char text[120];
        (void)snprintf(text, sizeof text, "the planes take %" PRIu32 " bytes and the file ends before", size);
        result = fail_read(error, ACP_ERROR_TRUNCATED, path, (uint64_t)got, text);
    }
    free(bytes);
    return result;
}

static acp_result check_terrain(const uint8_t *terrain, const char *path, uint64_t base, acp_error *error) {
    for (uint32_t i = 0; i < ACP_PLANE_SIZE; i++)
        if (terrain[i] > 0x7Fu) return fail_read(error, ACP_ERROR_BAD_DATA, path, base + i, "a terrain byte has seven bits");
    return ACP_OK;
}

static acp_result put_blocks(const acp_command_line *line, const uint8_t *planes, acp_dat_edit *edit, acp_error *error) {
    acp_result result = ACP_OK;
    for (uint32_t bx = 0; bx < BLOCKS && result == ACP_OK; bx++) {
        for (uint32_t by = 0; by < BLOCKS && result == ACP_OK; by++) {
            acp_land_block block;
            uint8_t bytes[ACP_LAND_BLOCK_SIZE];
            acp_terrain_planes_cut(planes, bx, by, &block);
            acp_land_block_encode(&block, bytes);
            result = acp_dat_edit_put(edit, block.record_id, bytes, sizeof bytes, NULL, error);
        }
        acp_command_progress(line, "landblocks", (uint64_t)(bx + 1) * BLOCKS, (uint64_t)BLOCKS * BLOCKS);
    }
    return result;
}

static acp_result read_planes(const acp_command_line *line, uint8_t *planes, acp_error *error) {
    const char *first = line->operands[0];
    if (line->operand_count == 1) {
        acp_result result = read_exactly(first, planes, 2u * ACP_PLANE_SIZE, error);
        return result ? result : check_terrain(planes + ACP_PLANE_SIZE, first, ACP_PLANE_SIZE, error);
    }
    acp_result result = read_exactly(first, planes, ACP_PLANE_SIZE, error);
    if (result == ACP_OK) result = read_exactly(line->operands[1], planes + ACP_PLANE_SIZE, ACP_PLANE_SIZE, error);
    return result ? result : check_terrain(planes + ACP_PLANE_SIZE, line->operands[1], 0, error);
}

static int run_import(acp_command_line *line) {
    const char *path = acp_command_text(line, "out");
    struct stat status;
    if (!acp_command_flag(line, "force") && stat(path, &status) == 0)
        return acp_command_usage(line, "%s is there already; --force replaces it", path);
    acp_error error;
    uint8_t *planes = malloc(2u * ACP_PLANE_SIZE);
    acp_dat_edit *edit = NULL;
    acp_result result = ACP_OK;
    if (!planes) result = acp_error_set(&error, ACP_ERROR_OUT_OF_MEMORY, "import terrain", "memory for the planes refused");
    if (result == ACP_OK) result = read_planes(line, planes, &error);
    if (result == ACP_OK) result = acp_dat_edit_create(NULL, NULL, &edit, &error);
    if (result == ACP_OK) result = put_blocks(line, planes, edit, &error);
    if (result == ACP_OK) result = tool_dat_commit(line, edit, path, &error);
    acp_dat_info info = {0};
    if (result == ACP_OK) acp_dat_edit_get_info(edit, &info);
    acp_dat_edit_destroy(edit);
    free(planes);
    acp_command_progress_end(line);
    if (result) return acp_command_fail(line, &error);
    (void)printf("%s: %" PRIu32 " landblocks, %" PRIu64 " bytes\n", path, BLOCKS * BLOCKS, info.physical_size);
    return acp_command_finish(line, ACP_EXIT_OK);
}

static const acp_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = ACP_OPTION_FILE,
     .argument = "FILE",
     .fallback = "client_cell_1.dat",
     .help = "the DAT to write"},
    {.name = "force", .letter = 'f', .help = "replace the DAT when it is there already"},
};

const acp_command acp_command_dat_import_terrain = {
    .name = "import-terrain",
    .summary = "make a cell DAT of 65,025 landblocks from raw planes",
    .operands = "PLANES [TERRAIN]",
    .operand_min = 1,
    .operand_max = 2,
    .operand_kind = ACP_OPTION_FILE,
    .description =
        "PLANES holds two planes of 2041 x 2041 bytes, one after the other: height indices, then terrain bytes (bits 0-1 road, bits 2-6 "
        "terrain type). With TERRAIN, each file holds one plane. Offset y * 2041 + x; x counts vertices eastward, y northward from the "
        "south-west corner. Files may be gzip-compressed. Landblocks share their edge vertices.",
    .examples = "acphys dat import-terrain --out client_cell_1.dat dereth-terrain.bin.gz\tthe whole world",
    ACP_COMMAND_OPTIONS(options),
    .run = run_import,
};
