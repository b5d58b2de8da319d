/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_GROUND_SOURCE_H
#define ACP_TOOLS_TOOL_GROUND_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/dat.h"
#include "acphys/terrain.h"
#include "demo/demo.h"
#include "support/terrain_planes.h"
#include "tools/acphys/options.h"

/* Where the ground of a command comes from: the cell DAT of --dat-dir (or ACPHYS_DAT_DIR), with the heights of the portal DAT beside it, or
 * --terrain FILE, which is a cell DAT or the two raw planes of the whole world (2041 x 2041 height indices, then as many terrain bytes;
 * plain or gzipped). Landblocks become resident when they are asked for. A command that has --demo uses the miniature world when nothing is
 * named. */

#define ACP_OPTION_TERRAIN                                                                                                                 \
    {                                                                                                                                      \
        .name = "terrain", .kind = ACP_OPTION_FILE, .argument = "FILE",                                                                    \
        .help = "take the ground from a cell DAT, or from two raw planes of 2041 x 2041 (height indices, terrain bytes; may be gzipped)"   \
    }

typedef struct acp_ground_source {
    acp_dat *dat;    /* one of the two, or neither: no source was named */
    uint8_t *planes; /* heights, then terrain bytes; row y from the south, x from the west */
    acp_demo *demo;  /* the miniature world, when the DAT is its */
    bool is_default; /* nobody asked for it */
    acp_terrain *terrain;
    acp_dat_record record;
} acp_ground_source;

/* Opens what the command line names. ACP_OK with is_open false when it names nothing. */
acp_result acp_ground_source_open(acp_ground_source *source, const acp_command_line *line, acp_error *error);
/* The same, but the miniature world when it names nothing. */
acp_result acp_ground_source_open_or_demo(acp_ground_source *source, const acp_command_line *line, acp_error *error);
bool acp_ground_source_is_open(const acp_ground_source *source);
/* The landblock record of a block (0..254 each), from whichever source. NOT_FOUND as below. */
acp_result acp_ground_source_read(acp_ground_source *source, uint32_t block_x, uint32_t block_y, acp_land_block *out_block,
                                  acp_error *error);
/* The ground under a position; NOT_FOUND when the source has no such block. */
acp_result acp_ground_source_at(acp_ground_source *source, const acp_position *position, acp_ground *out_ground, acp_error *error);
/* All vertices of the world: height indices and low terrain bytes, 2041 x 2041 each, row y from the south. Blocks that are missing stay 0.
 * *out_missing counts them. */
acp_result acp_ground_source_fill(acp_ground_source *source, uint8_t *out_heights, uint8_t *out_words, uint32_t *out_missing,
                                  acp_error *error);
void acp_ground_source_close(acp_ground_source *source);

#endif
