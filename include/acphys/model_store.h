/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_MODEL_STORE_H
#define ACPHYS_MODEL_STORE_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/asset.h"
#include "acphys/dat.h"
#include "acphys/export.h"
#include "acphys/result.h"
#include "acphys/terrain.h"

/** @file model_store.h
 * The models of a portal DAT as assets, made at the first request and kept: shapes, setups, rooms, the height table. Everything handed out
 * belongs to the store and lives as long as it. */

#ifdef __cplusplus
extern "C" {
#endif

/** Assets by record id. Any number of threads may ask at once; they wait for each other. What it hands out is immutable. */
typedef struct acp_model_store acp_model_store;

/** Makes an empty store over an open portal file, which must stay open. `mode`: acp_content_mode. Errors: INVALID_ARGUMENT,
 *  OUT_OF_MEMORY. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_model_store_create(const acp_dat *portal, uint32_t mode, const acp_allocator *allocator,
                                                         acp_model_store **out_store, acp_error *error);

/** Frees the store and all it handed out; null is accepted. [any thread] */
ACP_API void acp_model_store_destroy(acp_model_store *store);

/** The mesh of a GfxObj id as physics sees it: entry 0 of its degrade list when it has one that loads, else the mesh itself, and whether it
 *  is always drawn flat (DAT-59, PHO-4). Errors: NOT_FOUND, those of decoding, OUT_OF_MEMORY. A refused record is refused again without
 *  being read again. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_model_store_get_shape(acp_model_store *store, uint32_t gfxobj_id, const acp_shape **out_shape,
                                                            acp_error *error);

/** The setup of a model id: 0x02…… that setup, 0x01…… the simple setup of that mesh (PHO-4). A setup without parts, or with a part that
 *  cannot be had, fails as a whole. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_model_store_get_setup(acp_model_store *store, uint32_t model_id, const acp_setup **out_setup,
                                                            acp_error *error);

/** Room `ordinal` of an Environment record. NOT_FOUND also when there is no such room. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_model_store_get_cell_structure(acp_model_store *store, uint32_t environment_id, uint32_t ordinal,
                                                                     const acp_cell_structure **out_structure, acp_error *error);

/** The height table of the Region record 0x13000000, checked (TER-3). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_model_store_get_height_table(acp_model_store *store, acp_height_table *out_table, acp_error *error);

#ifdef __cplusplus
}
#endif

#endif
