/* SPDX-License-Identifier: MIT */
/* What a record of a DAT looks like: its own polygons, or everything that stands in it.
 *
 * GfxObj: the shape. Setup: its parts where the first placement frame (0x65, else 0, else the first) puts them. Environment: its rooms in
 * their own frames. EnvCell: its room in place, and its objects. LandBlock: terrain, objects, buildings, and every EnvCell as above. All
 * coordinates are the landblock's (of a shape or room: its own). A shape is kept once and placed often. What a record names and is not
 * there is counted and left out; a model's coarser shapes are not looked at.
 *
 * Contract: records are read leniently. Cost: reading the records named. */
#include "tools/acphys/tool_geometry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "acphys/model_store.h"
#include "base/error.h"
#include "dat/record.h"

static acp_result decode(tool_geometry *t, const acp_dat *dat, uint32_t id, acp_record *out, acp_error *error) {
    acp_dat_info info;
    if (!dat) {
        acp_error_set(error, ACP_ERROR_NOT_FOUND, "export", "0x%08X is in a portal file, and none is named (--portal)", id);
        return ACP_ERROR_NOT_FOUND;
    }
    acp_dat_get_info(dat, &info);
    acp_result result = acp_dat_read(dat, id, &t->bytes, error);
    if (result) return result;
    acp_record_decode_options options = {ACP_CONTENT_LENIENT, NULL, NULL, id};
    result = acp_record_decode(acp_record_kind_of(info.data_set, id), t->bytes.bytes, t->bytes.size, &options, NULL, out, error);
    if (result) acp_error_set_file(error, acp_dat_name(dat));
    return result;
}

static void miss(tool_geometry *t, const acp_error *error) {
    if (t->missing++ == 0) t->first_missing = *error;
}

/* ---- models ---- */

static bool shape_of(tool_geometry *t, uint32_t id, uint32_t *out_shape) {
    char name[48];
    acp_record record;
    acp_error error;
    (void)snprintf(name, sizeof name, "gfxobj_%08" PRIX32, id);
    *out_shape = acp_geometry_find_shape(t->out, name);
    if (*out_shape != UINT32_MAX) return true;
    if (decode(t, t->portal, id, &record, &error)) {
        miss(t, &error);
        return false;
    }
    *out_shape = record.kind == ACP_RECORD_GFXOBJ ? acp_geometry_add_gfxobj(t->out, record.content.gfxobj) : UINT32_MAX;
    acp_record_free(&record);
    return *out_shape != UINT32_MAX;
}

static const acp_record_placement *placement_of(const acp_record_setup *setup) {
    const acp_record_placement *chosen = NULL;
    for (uint32_t i = 0; i < setup->placement_count; i++) {
        const acp_record_placement *p = &setup->placements[i];
        if (!chosen || p->key == 0x65u || (p->key == 0 && chosen->key != 0x65u)) chosen = p;
    }
    return chosen;
}

static void place_setup(tool_geometry *t, const acp_record_setup *setup, const char *name, uint32_t id, const acp_frame *frame) {
    const acp_record_placement *placement = placement_of(setup);
    for (uint32_t i = 0; i < setup->part_count; i++) {
        uint32_t shape;
        acp_frame own = placement ? placement->frames[i] : acp_frame_identity(), combined = own;
        char part_name[80];
        if (!shape_of(t, setup->parts[i], &shape)) continue;
        if (acp_frame_combine(frame, &own, &combined)) continue;
        (void)snprintf(part_name, sizeof part_name, "%s_part_%" PRIu32, name, i);
        acp_geometry_place(t->out, shape, part_name, id, &combined, setup->scales ? &setup->scales[i] : NULL);
    }
}

static void place_model(tool_geometry *t, const char *name, uint32_t model, const acp_frame *frame) {
    uint32_t shape;
    if (model >> 24 != 0x02u) {
        if (shape_of(t, model, &shape)) acp_geometry_place(t->out, shape, name, model, frame, NULL);
        return;
    }
    acp_record record;
    acp_error error;
    if (decode(t, t->portal, model, &record, &error)) {
        miss(t, &error);
        return;
    }
    if (record.kind == ACP_RECORD_SETUP) place_setup(t, record.content.setup, name, model, frame);
    acp_record_free(&record);
}

static void place_objects(tool_geometry *t, const char *what, uint32_t owner, const acp_record_objects *objects) {
    for (uint32_t i = 0; i < objects->count && t->has_statics; i++) {
        char name[80];
        (void)snprintf(name, sizeof name, "%s_%08" PRIX32 "_%" PRIu32 "_%08" PRIX32, what, owner, i, objects->items[i].id);
        place_model(t, name, objects->items[i].id, &objects->items[i].frame);
    }
}

/* ---- rooms ---- */

static acp_result room_of(tool_geometry *t, uint32_t environment, uint32_t structure, uint32_t *out_shape, acp_error *error) {
    char name[48];
    acp_record record;
    (void)snprintf(name, sizeof name, "environment_%08" PRIX32 "_%" PRIu32, environment, structure);
    *out_shape = acp_geometry_find_shape(t->out, name);
    if (*out_shape != UINT32_MAX) return ACP_OK;
    acp_result result = decode(t, t->portal, environment, &record, error);
    if (result) return result;
    const acp_record_environment *r = record.content.environment;
    if (record.kind != ACP_RECORD_ENVIRONMENT || structure >= r->cell_count)
        result = acp_error_set(error, ACP_ERROR_NOT_FOUND, "export", "0x%08X has no structure %u", environment, structure);
    else {
        acp_record_cell_structure numbered = r->cells[structure];
        numbered.id = structure; /* the ordinal counts */
        *out_shape = acp_geometry_add_structure(t->out, environment, &numbered);
    }
    acp_record_free(&record);
    return result;
}

static void place_cell(tool_geometry *t, const acp_record_env_cell *cell) {
    uint32_t shape;
    acp_error error;
    char name[80];
    (void)snprintf(name, sizeof name, "cell_%08" PRIX32, cell->id);
    if (room_of(t, 0x0D000000u | cell->environment, cell->structure, &shape, &error))
        miss(t, &error);
    else
        acp_geometry_place(t->out, shape, name, cell->id, &cell->frame, NULL);
    place_objects(t, "static", cell->id, &cell->statics);
}

/* ---- landblocks ---- */

static acp_result add_terrain(tool_geometry *t, const acp_land_block *block, acp_error *error) {
    acp_height_table table;
    acp_height_table_default(&table);
    acp_model_store *store = NULL;
    if (t->portal && acp_dat_find(t->portal, 0x13000000u)) {
        acp_result result = acp_model_store_create(t->portal, ACP_CONTENT_LENIENT, NULL, &store, error);
        if (result == ACP_OK) result = acp_model_store_get_height_table(store, &table, error);
        acp_model_store_destroy(store);
        if (result) return result;
    }
    acp_terrain *terrain = NULL;
    acp_result result = acp_terrain_create(NULL, &table, &terrain, error);
    if (result == ACP_OK) result = acp_terrain_put(terrain, block, error);
    if (result == ACP_OK) {
        const acp_terrain_block *resident = acp_terrain_find(terrain, block->record_id);
        uint32_t shape = resident ? acp_geometry_add_terrain(t->out, resident) : UINT32_MAX;
        acp_geometry_place(t->out, shape, NULL, block->record_id, NULL, NULL);
    }
    acp_terrain_destroy(terrain);
    return result;
}

static void place_buildings(tool_geometry *t, const acp_record_land_block_info *info) {
    for (uint32_t i = 0; i < (info->building_word & 0xFFFFu); i++) {
        char name[80];
        (void)snprintf(name, sizeof name, "building_%08" PRIX32 "_%" PRIu32 "_%08" PRIX32, info->id, i, info->buildings[i].model);
        place_model(t, name, info->buildings[i].model, &info->buildings[i].frame);
    }
}

static acp_result add_block(tool_geometry *t, const acp_land_block *block, acp_error *error) {
    acp_record record;
    acp_error own;
    uint32_t base = block->record_id & 0xFFFF0000u, cells = 0;
    acp_result result = add_terrain(t, block, error);
    if (result || !block->has_info) return result;
    if (decode(t, t->dat, base | 0xFFFEu, &record, &own)) {
        miss(t, &own);
        return ACP_OK;
    }
    if (record.kind == ACP_RECORD_LAND_BLOCK_INFO) {
        const acp_record_land_block_info *info = record.content.land_block_info;
        cells = info->cell_count < 0xFEFEu ? info->cell_count : 0xFEFEu;
        place_objects(t, "object", info->id, &info->objects);
        place_buildings(t, info);
    }
    acp_record_free(&record);
    for (uint32_t i = 0; i < cells; i++) {
        if (decode(t, t->dat, base | (0x100u + i), &record, &own)) {
            miss(t, &own);
            continue;
        }
        if (record.kind == ACP_RECORD_ENV_CELL) place_cell(t, record.content.env_cell);
        acp_record_free(&record);
    }
    return ACP_OK;
}

/* ---- any record ---- */

static acp_result add_environment(tool_geometry *t, const acp_record_environment *r, uint32_t structure, acp_error *error) {
    if (structure != UINT32_MAX && structure >= r->cell_count)
        return acp_error_set(error, ACP_ERROR_NOT_FOUND, "export", "0x%08X has no structure %u, it has %u", r->id, structure,
                             r->cell_count);
    for (uint32_t i = 0; i < r->cell_count; i++) {
        if (structure != UINT32_MAX && structure != i) continue;
        acp_record_cell_structure numbered = r->cells[i];
        numbered.id = i;
        acp_geometry_place(t->out, acp_geometry_add_structure(t->out, r->id, &numbered), NULL, r->id, NULL, NULL);
    }
    return ACP_OK;
}

acp_result tool_geometry_add(tool_geometry *t, uint32_t id, uint32_t structure, acp_error *error) {
    acp_record record;
    acp_dat_info info;
    acp_dat_get_info(t->dat, &info);
    acp_record_kind kind = acp_record_kind_of(info.data_set, id);
    bool is_shown = kind == ACP_RECORD_GFXOBJ || kind == ACP_RECORD_SETUP || kind == ACP_RECORD_ENVIRONMENT ||
                    kind == ACP_RECORD_ENV_CELL || kind == ACP_RECORD_LAND_BLOCK;
    if (!is_shown && acp_dat_find(t->dat, id))
        return acp_error_set(error, ACP_ERROR_UNSUPPORTED, "export",
                             "0x%08X has no shape: GfxObj, Setup, Environment, EnvCell and LandBlock have", id);
    acp_result result = decode(t, t->dat, id, &record, error);
    if (result) return result;
    if (record.kind == ACP_RECORD_GFXOBJ)
        acp_geometry_place(t->out, acp_geometry_add_gfxobj(t->out, record.content.gfxobj), NULL, id, NULL, NULL);
    if (record.kind == ACP_RECORD_SETUP) {
        acp_frame identity = acp_frame_identity();
        char name[48];
        (void)snprintf(name, sizeof name, "setup_%08" PRIX32, id);
        place_setup(t, record.content.setup, name, id, &identity);
    }
    if (record.kind == ACP_RECORD_ENVIRONMENT) result = add_environment(t, record.content.environment, structure, error);
    if (record.kind == ACP_RECORD_ENV_CELL) place_cell(t, record.content.env_cell);
    if (record.kind == ACP_RECORD_LAND_BLOCK) result = add_block(t, record.content.land_block, error);
    acp_record_free(&record);
    return result;
}
