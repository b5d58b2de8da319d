/* SPDX-License-Identifier: MIT */
#ifndef ACP_TOOLS_TOOL_SURVEY_SCENERY_H
#define ACP_TOOLS_TOOL_SURVEY_SCENERY_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/dat.h"
#include "acphys/model_store.h"
#include "population/scenery.h"
#include "tools/acphys/options.h"

/* `acphys survey scenery`: the generated scenery of every landblock of a DAT folder, counted by how each candidate ended. The same numbers
 * for any number of threads: every landblock has its own slot, sums are made afterwards in order. */

#define ACP_SCENERY_SURVEY_LOSSES 64u /* kept by name; more are counted */

typedef struct acp_scenery_survey_block {
    uint32_t block_id;
    uint32_t record;    /* 0, or the record for whose sake the landblock has no scenery (POP-16) */
    acp_result failure; /* why */
    uint32_t buildings; /* land cells that hold one */
    acp_scenery_counts counts;
} acp_scenery_survey_block;

/* A Scene, model or landblock that cannot be had. */
typedef struct acp_scenery_survey_loss {
    uint32_t record_id;
    char message[112];
} acp_scenery_survey_loss;

typedef struct acp_scenery_survey {
    const char *source; /* for people */
    acp_dat *portal;
    acp_dat *cell;
    acp_model_store *models;
    acp_scenery_catalog *catalog;
    acp_height_table heights;
    acp_scenery_survey_block *blocks; /* ascending by id */
    uint32_t block_count;
    acp_scenery_survey_loss losses[ACP_SCENERY_SURVEY_LOSSES];
    uint32_t loss_count; /* all of them */
} acp_scenery_survey;

/* A rectangle of landblocks, both corners included. */
typedef struct acp_scenery_survey_area {
    uint32_t west, south, east, north;
} acp_scenery_survey_area;

/* Makes the catalog, lists the landblocks of the area that the cell file has. Both files and the source's name are borrowed. */
acp_result acp_scenery_survey_open(acp_scenery_survey *survey, acp_dat *portal, acp_dat *cell, const char *source,
                                   const acp_scenery_survey_area *area, acp_error *error);
/* Grows everything with `threads` threads. */
acp_result acp_scenery_survey_run(acp_scenery_survey *survey, const acp_command_line *line, uint32_t threads, acp_error *error);
void acp_scenery_survey_close(acp_scenery_survey *survey);

extern const acp_command acp_command_survey_scenery;

/* ---- the report ---- */

typedef struct acp_scenery_survey_summary {
    uint64_t ends[ACP_SCENERY_REASON_COUNT];
    uint64_t buildings;
    uint32_t grown;   /* landblocks */
    uint32_t refused; /* landblocks that cannot be had */
    uint32_t *order;  /* indices of the grown ones, most objects first, ties by id */
} acp_scenery_survey_summary;

/* False when memory is out. */
bool acp_scenery_survey_sum(const acp_scenery_survey *survey, acp_scenery_survey_summary *out_summary);
void acp_scenery_survey_summary_free(acp_scenery_survey_summary *summary);

void acp_scenery_survey_print(const acp_scenery_survey *survey, const acp_scenery_survey_summary *summary, uint32_t most);
void acp_scenery_survey_print_json(const acp_scenery_survey *survey, const acp_scenery_survey_summary *summary, uint32_t most);
acp_result acp_scenery_survey_write_csv(const acp_scenery_survey *survey, const char *path, acp_error *error);
acp_result acp_scenery_survey_draw(const acp_scenery_survey *survey, const acp_scenery_survey_summary *summary, const char *path,
                                   acp_error *error);

#endif
