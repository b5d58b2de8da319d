/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_DAT_SOURCE_H
#define ACP_POPULATION_DAT_SOURCE_H

#include "acphys/population.h"
#include "base/thread.h"
#include "population/scenery_catalog.h"

struct acp_dat_source {
    acp_allocator allocator;
    const acp_dat *portal;
    const acp_dat *cell;
    acp_content_mode mode;
    bool has_scenery;
    acp_loss_function on_loss;
    void *user;
    acp_model_store *models;
    acp_height_table heights;
    acp_scenery_catalog *catalog; /* null: no scenery */
};

#endif
