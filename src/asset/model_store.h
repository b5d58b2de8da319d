/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_MODEL_STORE_H
#define ACP_ASSET_MODEL_STORE_H

#include <stdbool.h>

#include "acphys/model_store.h"
#include "dat/overlay.h"

/* A portal polygon of a room: what an EnvCell's portal looks up by polygon id (DAT-67). */
typedef struct acp_room_portal {
    acp_plane plane; /* room space */
    uint16_t polygon_id;
    bool is_there; /* false: no such polygon, or no plane */
} acp_room_portal;

/* What the store keeps under one key: an asset, or the answer that it cannot be had. */
typedef struct acp_model_node acp_model_node;

/* As acp_model_store_get_setup, but only for as long as it is used: the node, which is given for a refused model too (null when memory is
 * out), goes to acp_model_store_release. */
acp_result acp_model_store_use_setup(acp_model_store *store, uint32_t model_id, const acp_setup **out_setup, acp_model_node **out_node,
                                     acp_error *error);

/* A room with its portal polygons, likewise. */
acp_result acp_model_store_use_room(acp_model_store *store, uint32_t environment_id, uint32_t ordinal,
                                    const acp_cell_structure **out_structure, const acp_room_portal **out_portals,
                                    uint32_t *out_portal_count, acp_model_node **out_node, acp_error *error);

/* Never waits for a request that is decoding. */
void acp_model_store_release(acp_model_store *store, acp_model_node *node);

/* One more use of nodes that are in use. */
void acp_model_store_use_again(acp_model_store *store, acp_model_node *const *nodes, uint32_t count);

/* The setup that a node stands for, null when it was refused. Immutable. */
const acp_setup *acp_model_node_setup(const acp_model_node *node);

/* Whether making the asset read the record, itself or through its parts. Immutable. */
bool acp_model_node_reads(const acp_model_node *node, uint32_t record_id);

/* Bytes of unused assets to keep; what is beyond goes, the longest unused first. UINT64_MAX at the beginning. */
void acp_model_store_set_byte_limit(acp_model_store *store, uint64_t byte_limit);

/* Bytes of all assets, and of those that nobody uses. */
void acp_model_store_get_bytes(acp_model_store *store, uint64_t *out_bytes, uint64_t *out_unused_bytes);

/* Records that stand in front of the file from now on; its content changes only during an edit. Null = none. */
void acp_model_store_set_overlay(acp_model_store *store, const acp_dat_overlay *overlay);

/* Editing, on one thread while nobody asks for models. Sets aside everything that read one of the records, so that the next request makes
 * it anew; then either forgets what was set aside (as soon as nobody uses it) or brings it back in place of what has been made since, which
 * nobody may use any more. None of them needs memory. */
void acp_model_store_set_aside(acp_model_store *store, const uint32_t *record_ids, uint32_t count);
void acp_model_store_forget_aside(acp_model_store *store);
void acp_model_store_bring_back(acp_model_store *store, const uint32_t *record_ids, uint32_t count);

/* The model id of a setup that was set aside, 0 when it was not. */
uint32_t acp_model_store_aside_model(const acp_model_store *store, const acp_setup *setup);

#endif
