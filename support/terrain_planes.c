/* SPDX-License-Identifier: MIT */
/* Landblocks out of the raw planes of the whole world: what the commands import and show, what tests and benchmarks build upon.
 *
 * A record's arrays are x-major (spec 04), the planes y-major; neighbouring landblocks share their edge vertices. Reading the planes is the
 * caller's: the commands judge a file to the byte, the benchmarks do without one. Cost: 162 bytes read. */
#include "support/terrain_planes.h"

#include <string.h>

void acp_terrain_planes_cut(const uint8_t *planes, uint32_t block_x, uint32_t block_y, acp_land_block *out_block) {
    memset(out_block, 0, sizeof *out_block);
    out_block->record_id = block_x << 24 | block_y << 16 | 0xFFFFu;
    for (uint32_t x = 0; x < 9; x++)
        for (uint32_t y = 0; y < 9; y++) {
            uint32_t at = (8u * block_y + y) * ACP_WORLD_VERTICES + 8u * block_x + x;
            out_block->height[x * 9 + y] = planes[at];
            out_block->terrain[x * 9 + y] = planes[ACP_PLANE_SIZE + at];
        }
}
