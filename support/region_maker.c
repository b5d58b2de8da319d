/* SPDX-License-Identifier: MIT */
/* The bare Region for who makes portal files: packed scenes, generated scenery, the miniature world.
 *
 * The measures are those of the client's one Region (DAT-61, DAT-62): 255 landblocks a side of 8 cells of 24 m. Physics reads only the
 * heights and the scene lists; the rest is what other readers of the record expect. Contract: owns nothing. */
#include "support/region_maker.h"

#include <string.h>

#include "acphys/terrain.h"

acp_record_region acp_region_maker_plain(void) {
    acp_record_region region;
    acp_height_table table;
    memset(&region, 0, sizeof region);
    acp_height_table_default(&table);
    region.id = ACP_REGION_MAKER_ID;
    region.number = 1;
    region.version = 3;
    region.block_length = region.block_width = 255;
    region.square_length = 24.0f;
    region.lblock_length = 8;
    region.vertex_per_cell = 1;
    region.max_object_height = 200.0f;
    region.sky_height = 1000.0f;
    region.road_width = 5.0f;
    memcpy(region.height_table, table.metres, sizeof region.height_table);
    return region;
}
