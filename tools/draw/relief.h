/* SPDX-License-Identifier: MIT */
#ifndef ACP_DRAW_RELIEF_H
#define ACP_DRAW_RELIEF_H

#include <stdint.h>

#include "acphys/result.h"

/* A relief map of the whole world: 2041 x 2041 pixels, one per vertex of the ground, north up. */

#define ACP_RELIEF_SIZE 2041

typedef enum acp_relief_mark_group {
    ACP_RELIEF_MARK_OUTDOOR,
    ACP_RELIEF_MARK_INDOOR,
    ACP_RELIEF_MARK_UNRESOLVED,
    ACP_RELIEF_MARK_GROUPS
} acp_relief_mark_group;

/* A dot, in cells of 24 m east and north of the map's south-west corner. */
typedef struct acp_relief_mark {
    double x;
    double y;
    acp_relief_mark_group group;
} acp_relief_mark;

typedef struct acp_relief {
    const uint8_t *heights; /* height indices, row y from the south, 2041 x 2041 */
    const uint8_t *words;   /* low terrain bytes: bits 0-1 road, 2-6 type */
    const float *metres;    /* of the 256 height indices */
    const acp_relief_mark *marks;
    uint32_t mark_count;
} acp_relief;

/* Draws the map into a PNG file, which appears whole or not at all. */
acp_result acp_relief_draw(const acp_relief *relief, const char *path, acp_error *error);

/* The ground alone, shaded: 2041 x 2041 pixels 0xFFRRGGBB, row 0 in the north. False when memory is out. */
int acp_relief_shade(const acp_relief *relief, uint32_t *out_pixels);

#endif
