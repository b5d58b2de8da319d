/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_MODEL_STORE_H
#define ACP_ASSET_MODEL_STORE_H

#include <stdbool.h>

#include "acphys/model_store.h"

/* A portal polygon of a room: what an EnvCell's portal looks up by polygon id (DAT-67). */
typedef struct acp_room_portal {
    acp_plane plane; /* room space */
    uint16_t polygon_id;
    bool is_there; /* false: no such polygon, or no plane */
} acp_room_portal;

/* A room with its portal polygons; all owned by the store. */
acp_result acp_model_store_get_room(acp_model_store *store, uint32_t environment_id, uint32_t ordinal,
                                    const acp_cell_structure **out_structure, const acp_room_portal **out_portals,
                                    uint32_t *out_portal_count, acp_error *error);

#endif
