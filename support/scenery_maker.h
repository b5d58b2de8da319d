/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENERY_MAKER_H
#define ACP_SUPPORT_SCENERY_MAKER_H

#include <stdint.h>

#include "acphys/dat_edit.h"
#include "acphys/terrain.h"

/* A made-up Region with scenery, for those who have no game data: on any ground each landblock accepts exactly
 * ACP_SCENERY_MAKER_OBJECTS objects of two parts, of every scene and model in turn, among candidates that end in other ways.
 *
 *     acp_scenery_maker_put_portal(portal_edit, &error)                     the Region, Scenes and models
 *     acp_scenery_maker_words(block.record_id, block.terrain)               the scene bits of a landblock, for any landblock
 *
 * Rejected at each chosen vertex, once each: by frequency, as the server's, by slope, outside. */

#define ACP_SCENERY_MAKER_OBJECTS    40u
#define ACP_SCENERY_MAKER_CANDIDATES (5u * ACP_SCENERY_MAKER_OBJECTS)
#define ACP_SCENERY_MAKER_SCENES     8u

/* Puts 1 Region, 8 Scenes, 8 Setups and 2 GfxObjs, all acceptable to the strict reading. */
acp_result acp_scenery_maker_put_portal(acp_dat_edit *edit, acp_error *error);

/* Sets the scene bits and clears the roads; terrain types stay. Vertices on the border get none. */
void acp_scenery_maker_words(uint32_t record_id, uint16_t words[81]);

#endif
