/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_DAT_SOURCE_H
#define ACP_POPULATION_DAT_SOURCE_H

#include "acphys/population.h"
#include "asset/model_store.h"
#include "base/array.h"
#include "dat/overlay.h"
#include "population/landblock.h"
#include "population/scenery_catalog.h"

/* What all landblocks of a source share and the Region decides. Immutable once made. */
typedef struct acp_dat_region {
    acp_allocator allocator;
    acp_model_store *models;
    acp_height_table heights;
    acp_scenery_catalog *catalog;      /* null: no scenery */
    ACP_ARRAY(acp_model_node *) nodes; /* that the catalog uses, refused ones too */
    acp_model_node **node_of;          /* of each model of the catalog */
} acp_dat_region;

struct acp_dat_source {
    acp_allocator allocator;
    const acp_dat *portal;
    const acp_dat *cell;
    acp_content_mode mode;
    bool has_scenery;
    acp_loss_function on_loss;
    void *user;
    acp_model_store *models;
    acp_dat_region *region;
    acp_dat_overlay *portal_overlay; /* what edits have put in front; one of each, swapped as a whole */
    acp_dat_overlay *cell_overlay;
};

/* Reads Region, Scenes and models. Lenient, what cannot be had is told and done without. */
acp_result acp_dat_region_create(acp_dat_source *source, acp_dat_region **out_region, acp_error *error);
void acp_dat_region_destroy(acp_dat_region *region);

/* Prepares a landblock with a given region: that of the source, or the one that an edit is about to put in its place. */
acp_result acp_dat_source_prepare_with(acp_dat_source *source, const acp_dat_region *region, uint32_t block_id,
                                       const acp_allocator *allocator, acp_landblock **out_landblock, acp_error *error);

#endif
