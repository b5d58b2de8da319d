/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_PLACE_H
#define ACPHYS_PLACE_H

#include <stdint.h>

#include "acphys/export.h"
#include "acphys/math.h"
#include "acphys/result.h"

/** @file place.h
 * Cell ids, land coordinates, positions (spec 01). A place is the pair {cell id, frame}; the frame's origin is local to the landblock
 * named by the high 16 bits of the id, for EnvCells too. There is no global coordinate system. */

#ifdef __cplusplus
extern "C" {
#endif

/** The only public place (D15): 32 bytes, adopted in one assignment. */
typedef struct acp_position {
    uint32_t cell_id;
    acp_frame frame;
} acp_position;

ACP_STATIC_ASSERT(sizeof(acp_position) == 32, "acp_position layout");

#ifdef __cplusplus
}
#endif

#endif
