/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_LOADER_H
#define ACP_POPULATION_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/block_load.h"
#include "asset/model_store.h"
#include "base/arena.h"
#include "base/array.h"
#include "dat/overlay.h"
#include "dat/record.h"
#include "population/landblock.h"

/* Reading one landblock's records into a definition (POP-1, POP-3 to POP-5, POP-16). Everything it makes lies in its own memory. */

typedef struct acp_loader {
    const acp_dat *cell;
    const acp_dat_overlay *overlay; /* in front of the cell file; null = nothing */
    acp_model_store *models;
    uint32_t block_id;
    acp_content_mode mode;
    bool has_statics; /* read static objects too, and use models only for as long as `nodes` lives */
    acp_allocator memory;
    acp_arena arena; /* definitions */
    acp_dat_record record;
    acp_block_load_report report;
    acp_land_block land;
    acp_block_definition definition;
    acp_env_cell_definition *env_cells;
    int32_t **portal_maps; /* of each EnvCell made: stored portal index -> index, -1 absent */
    uint32_t *portal_map_sizes;
    uint16_t *env_ordinals; /* [index - 0x100] -> ordinal + 1 of those made */
    uint32_t env_ordinal_count;
    acp_index_list visible; /* stab list of the buildings */
    ACP_ARRAY(acp_placed_static) landblock_statics;
    ACP_ARRAY(acp_placed_static) env_cell_statics;
    ACP_ARRAY(acp_loss) losses;
    ACP_ARRAY(acp_model_node *) nodes; /* each used once */
    acp_error *error;
} acp_loader;

/* `error` must not be null. */
void acp_loader_init(acp_loader *loader, const acp_dat *cell, acp_model_store *models, uint32_t block_id, acp_content_mode mode,
                     const acp_allocator *allocator, acp_error *error);
void acp_loader_free(acp_loader *loader);

/* Reads everything; loader->definition is complete but for the terrain. */
acp_result acp_loader_read(acp_loader *loader);

#endif
