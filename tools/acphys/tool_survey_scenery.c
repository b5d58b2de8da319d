/* SPDX-License-Identifier: MIT */
/* The measuring half of `acphys survey scenery`: the catalog of a portal file, and every landblock of a cell file grown once.
 *
 * A landblock needs its LandBlock record and, when that announces one, its LandBlockInfo, for the land cells that hold a building (the one
 * of the building's canonicalised origin, POP-3). A record that cannot be had keeps the whole landblock out, as in the client (POP-16);
 * Scenes and models that cannot be had cost what stands on them. All of these are losses, told once each: Scenes and models
 * as the catalog met them, then landblocks by id.
 *
 * Contract: results do not depend on the number of threads. Limits: 64 losses are kept by name. Cost: about 30 us a landblock and thread
 * beside reading, 80 bytes a landblock. */
#include "tools/acphys/tool_survey_scenery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dat/record.h"
#include "place/cell_id.h"
#include "tools/acphys/tool_parallel.h"

#define CHUNK    64u
#define MAP_SIDE 255u

static void note_loss(void *user, const acp_error *loss) {
    acp_scenery_survey *survey = user;
    if (survey->loss_count < ACP_SCENERY_SURVEY_LOSSES) {
        acp_scenery_survey_loss *kept = &survey->losses[survey->loss_count];
        kept->record_id = loss->record_id;
        (void)snprintf(kept->message, sizeof kept->message, "%.111s", loss->message[0] ? loss->message : acp_result_name(loss->code));
    }
    survey->loss_count++;
}

/* ------------------------------------------------------------------------------------------------------------------- opening */

static bool is_in_area(const acp_scenery_survey_area *area, uint32_t record_id) {
    uint32_t x = record_id >> 24, y = (record_id >> 16) & 0xFFu;
    if ((record_id & 0xFFFFu) != 0xFFFFu || x >= MAP_SIDE || y >= MAP_SIDE) return false;
    return x >= area->west && x <= area->east && y >= area->south && y <= area->north;
}

static acp_result list_blocks(acp_scenery_survey *survey, const acp_scenery_survey_area *area, acp_error *error) {
    const acp_dat_entry *entry;
    uint32_t count = 0;
    for (uint32_t i = 0; (entry = acp_dat_entry_at(survey->cell, i)) != NULL; i++)
        count += is_in_area(area, entry->id);
    survey->blocks = calloc(count + 1u, sizeof *survey->blocks);
    if (!survey->blocks) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "survey", "no memory for the landblocks");
    for (uint32_t i = 0; (entry = acp_dat_entry_at(survey->cell, i)) != NULL; i++)
        if (is_in_area(area, entry->id)) survey->blocks[survey->block_count++].block_id = entry->id & 0xFFFF0000u;
    return ACP_OK;
}

acp_result acp_scenery_survey_open(acp_scenery_survey *survey, acp_dat *portal, acp_dat *cell, const char *source,
                                   const acp_scenery_survey_area *area, acp_error *error) {
    memset(survey, 0, sizeof *survey);
    survey->source = source;
    survey->portal = portal;
    survey->cell = cell;
    acp_result result = acp_model_store_create(survey->portal, ACP_CONTENT_LENIENT, NULL, &survey->models, error);
    if (result == ACP_OK) result = acp_model_store_get_height_table(survey->models, &survey->heights, error);
    if (result == ACP_OK)
        result =
            acp_scenery_catalog_load(survey->portal, survey->models, ACP_CONTENT_LENIENT, note_loss, survey, NULL, &survey->catalog, error);
    if (result == ACP_OK) result = list_blocks(survey, area, error);
    if (result != ACP_OK) acp_scenery_survey_close(survey);
    return result;
}

void acp_scenery_survey_close(acp_scenery_survey *survey) {
    free(survey->blocks);
    acp_scenery_catalog_destroy(survey->catalog);
    acp_model_store_destroy(survey->models);
    memset(survey, 0, sizeof *survey);
}

/* ------------------------------------------------------------------------------------------------------------------- growing */

typedef struct worker {
    acp_scenery_survey *survey;
    acp_dat_record record;
} worker;

/* The land cells of the block that hold a building. */
static uint64_t building_mask(const acp_record_land_block_info *info, uint32_t block_id) {
    uint64_t mask = 0;
    for (uint32_t i = 0; i < (info->building_word & 0xFFFFu); i++) {
        uint32_t cell_id = block_id | 0xFFFFu;
        acp_vec3 origin = info->buildings[i].frame.origin;
        if (!acp_adjust_to_outside(&cell_id, &origin) || (cell_id ^ block_id) >= 0x10000u) continue;
        mask |= (uint64_t)1 << ((cell_id & 0xFFFFu) - 1u);
    }
    return mask;
}

static uint32_t count_bits(uint64_t mask) {
    uint32_t count = 0;
    for (; mask; mask &= mask - 1u)
        count++;
    return count;
}

static acp_result read_buildings(worker *w, uint32_t block_id, uint64_t *out_mask) {
    acp_error error;
    acp_record info;
    memset(&info, 0, sizeof info);
    acp_result result = acp_dat_read(w->survey->cell, block_id | 0xFFFEu, &w->record, &error);
    if (result != ACP_OK) return result;
    acp_record_decode_options options = {ACP_CONTENT_LENIENT, NULL, NULL, block_id | 0xFFFEu};
    result = acp_record_decode(ACP_RECORD_LAND_BLOCK_INFO, w->record.bytes, w->record.size, &options, NULL, &info, &error);
    if (result == ACP_OK) *out_mask = building_mask(info.content.land_block_info, block_id);
    acp_record_free(&info);
    return result;
}

/* False when memory is out. */
static bool grow(void *user, uint32_t i) {
    worker *w = user;
    acp_scenery_survey_block *block = &w->survey->blocks[i];
    acp_land_block record;
    acp_terrain_block ground;
    acp_error error;
    uint64_t mask = 0;
    block->record = block->block_id | 0xFFFFu;
    block->failure = acp_dat_read(w->survey->cell, block->record, &w->record, &error);
    if (block->failure == ACP_OK) block->failure = acp_land_block_decode(w->record.bytes, w->record.size, &record, &error);
    if (block->failure == ACP_OK && record.has_info) {
        block->record = block->block_id | 0xFFFEu;
        block->failure = read_buildings(w, block->block_id, &mask);
    }
    if (block->failure != ACP_OK) return block->failure != ACP_ERROR_OUT_OF_MEMORY;
    block->record = 0;
    block->buildings = count_bits(mask);
    acp_terrain_block_build(block->block_id, record.terrain, record.height, &w->survey->heights, &ground);
    (void)acp_scenery_generate(w->survey->catalog, &ground, mask, NULL, 0, &block->counts, NULL);
    return true;
}

static void note_refused(acp_scenery_survey *survey) {
    for (uint32_t i = 0; i < survey->block_count; i++) {
        const acp_scenery_survey_block *block = &survey->blocks[i];
        acp_error error;
        if (block->failure == ACP_OK) continue;
        acp_error_set(&error, block->failure, "survey", "the landblock cannot be had: %s",
                      block->failure == ACP_ERROR_NOT_FOUND ? "no such record" : acp_result_name(block->failure));
        error.record_id = block->record;
        note_loss(survey, &error);
    }
}

acp_result acp_scenery_survey_run(acp_scenery_survey *survey, const acp_command_line *line, uint32_t threads, acp_error *error) {
    uint32_t count = acp_parallel_limit(threads);
    worker *workers = calloc(count, sizeof *workers);
    for (uint32_t i = 0; i < count && workers; i++)
        workers[i].survey = survey;
    acp_parallel_job job = {line, "landblocks", survey->block_count, CHUNK, grow, workers, sizeof *workers, count};
    bool is_good = workers && acp_parallel_run(&job);
    for (uint32_t i = 0; i < count && workers; i++)
        acp_dat_record_release(&workers[i].record);
    free(workers);
    if (!is_good) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "survey", "no memory for a landblock");
    note_refused(survey);
    return ACP_OK;
}
