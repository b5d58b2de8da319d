/* SPDX-License-Identifier: MIT */
/* Whether a point stands on a road (TER-16): the only use is keeping scenery off it.
 *
 * A cell's road runs along the edges, diagonals and corners whose vertices carry a road kind. The sixteen patterns of the four corners
 * give the shape; the road is 5 m wide, so its far limits lie at 19 m, and every comparison is strict. x within the cell stays a double,
 * y is stored (12); on grid points below 192 both are the same number to far below a millimetre.
 *
 * retail: CLandBlock::on_road 0x0052FFF0 */
#include <math.h>
#include <stdbool.h>

#include "acphys/terrain.h"
#include "math/number.h"
#include "terrain/word.h"

#define ROAD_WIDTH 5.0
#define FAR_LIMIT  19.0

/* fx, fy: metres within the cell; corner bits: 8 south-west, 4 north-west, 2 south-east, 1 north-east (r00 r01 r10 r11). */
static bool is_on_pattern(unsigned corners, double fx, double fy) {
    switch (corners) {
    case 0xF:
        return true;
    case 0xE:
        return fx < ROAD_WIDTH || fy < ROAD_WIDTH;
    case 0xD:
        return fx < ROAD_WIDTH || fy > FAR_LIMIT;
    case 0xC:
        return fx < ROAD_WIDTH;
    case 0xB:
        return fx > FAR_LIMIT || fy < ROAD_WIDTH;
    case 0xA:
        return fy < ROAD_WIDTH;
    case 0x9:
        return fabs(fx - fy) < ROAD_WIDTH;
    case 0x8:
        return fx + fy < ROAD_WIDTH;
    case 0x7:
        return fx > FAR_LIMIT || fy > FAR_LIMIT;
    case 0x6:
        return fabs(fx + fy - ACP_CELL_LENGTH) < ROAD_WIDTH;
    case 0x5:
        return fy > FAR_LIMIT;
    case 0x4:
        return ACP_CELL_LENGTH + fx - fy < ROAD_WIDTH;
    case 0x3:
        return fx > FAR_LIMIT;
    case 0x2:
        return ACP_CELL_LENGTH - fx + fy < ROAD_WIDTH;
    case 0x1:
        return 2.0 * ACP_CELL_LENGTH - fx - fy < ROAD_WIDTH;
    default:
        return false;
    }
}

int32_t acp_terrain_is_on_road(const uint16_t terrain[81], float x, float y) {
    if (!terrain || !(x >= 0.0f && x < 192.0f && y >= 0.0f && y < 192.0f)) return 0;
    uint32_t cell_x = (uint32_t)floor((double)x / ACP_CELL_LENGTH), cell_y = (uint32_t)floor((double)y / ACP_CELL_LENGTH);
    const uint16_t *corner = terrain + cell_x * 9u + cell_y;
    unsigned corners = (acp_word_road(corner[0]) ? 8u : 0u) | (acp_word_road(corner[1]) ? 4u : 0u) | (acp_word_road(corner[9]) ? 2u : 0u) |
                       (acp_word_road(corner[10]) ? 1u : 0u);
    double fx = (double)x - (double)cell_x * ACP_CELL_LENGTH;
    double fy = acp_stored((double)y - (double)cell_y * ACP_CELL_LENGTH);
    return is_on_pattern(corners, fx, fy) ? 1 : 0;
}
