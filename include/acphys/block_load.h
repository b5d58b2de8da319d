/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_BLOCK_LOAD_H
#define ACPHYS_BLOCK_LOAD_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/dat.h"
#include "acphys/export.h"
#include "acphys/model_store.h"
#include "acphys/result.h"
#include "acphys/terrain.h"
#include "acphys/world.h"

/** @file block_load.h
 * Landblocks out of DAT files without their static objects: EnvCells, buildings, restrictions of one block, ready for
 * acp_membership_publish. With everything in them: population.h. */

#ifdef __cplusplus
extern "C" {
#endif

/** What a load put up with (lenient, POP-16). */
typedef struct acp_block_load_report {
    uint32_t env_cells;             /**< made */
    uint32_t missing_env_cells;     /**< announced, but the record, its environment or its room cannot be had: not there */
    uint32_t absent_portals;        /**< portals whose polygon is not in the room's portal list: left out */
    uint32_t disabled_entries;      /**< building portals that name no portal of their EnvCell: disabled */
    uint32_t missing_shells;        /**< buildings whose model cannot be had: not there (POP-3) */
    uint32_t misplaced_buildings;   /**< buildings whose origin lies in another landblock: not there */
    uint32_t missing_static_models; /**< zero here: static objects are not read */
    uint32_t misplaced_statics;     /**< zero here */
    uint32_t reserved;              /**< zero */
} acp_block_load_report;

/** Prepares landblock `block_id` (its high 16 bits). `cell` holds the records, `models` their models; both, and `terrain` (the block's
 *  ground; null: no land cells), must outlive the block. `mode`: acp_content_mode; strict refuses what the report counts.
 *  `out_report` may be null. Errors: NOT_FOUND (no such landblock), BAD_DATA and TRUNCATED (also an announced LandBlockInfo that is missing
 *  or damaged: the block does not load), OUT_OF_MEMORY. [any thread], alone on `models`. */
ACP_API ACP_MUST_CHECK acp_result acp_block_load(const acp_dat *cell, acp_model_store *models, const acp_terrain_block *terrain,
                                                 uint32_t block_id, uint32_t mode, const acp_allocator *allocator, acp_block **out_block,
                                                 acp_block_load_report *out_report, acp_error *error);

#ifdef __cplusplus
}
#endif

#endif
