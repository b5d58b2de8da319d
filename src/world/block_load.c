/* SPDX-License-Identifier: MIT */
/* A landblock out of its records: LandBlock, LandBlockInfo, EnvCells become the definition that acp_block_create takes (POP-1, POP-3 to
 * POP-5, POP-16; DAT-64 to DAT-67).
 *
 * The landblock's record says whether there is an info record; one that is announced and missing or damaged keeps the whole block from
 * loading, as in retail. All EnvCells 0x0100 on are made (01 WM-23b); one whose record, environment or room cannot be had is not there.
 * A portal finds its polygon by stored id in the room's portal list; without it the portal is absent, and the indices of those behind it,
 * which buildings name, move up: so entries are translated, and an entry that names none is disabled (a negative index, MEM-25).
 *
 * Contract: everything read is decoded with the bounds of the dat floor; scratch memory comes from the allocator and is gone on return.
 * The block borrows models from the store and the ground from the caller. Cost: about 20 us an EnvCell, more for rooms not seen before. */
#include "acphys/block_load.h"

#include <stdbool.h>
#include <string.h>

#include "asset/model_store.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "dat/record.h"

typedef struct loader {
    const acp_dat *cell;
    acp_model_store *models;
    uint32_t block_id;
    acp_content_mode mode;
    acp_allocator memory;
    acp_arena arena; /* definitions */
    acp_dat_record record;
    acp_block_load_report report;
    acp_env_cell_definition *env_cells;
    int32_t **portal_maps; /* of each EnvCell made: stored portal index -> index, -1 absent */
    uint32_t *portal_map_sizes;
    acp_error *error;
} loader;

static acp_result out_of_memory(loader *l) {
    acp_error_set(l->error, ACP_ERROR_OUT_OF_MEMORY, "block load", "memory refused");
    acp_error_set_place(l->error, l->block_id, UINT64_MAX, NULL);
    return ACP_ERROR_OUT_OF_MEMORY;
}

static acp_result load(loader *l, acp_record_kind kind, uint32_t id, acp_record *out_record) {
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_read(l->cell, id, &l->record, l->error);
    if (result) return result;
    acp_record_decode_options options = {l->mode, NULL, NULL, id};
    result = acp_record_decode(kind, l->record.bytes, l->record.size, &options, &l->memory, out_record, l->error);
    if (result) acp_error_set_file(l->error, acp_dat_name(l->cell));
    return result;
}

/* Lenient: counted; strict: refused. */
static acp_result put_up_with(loader *l, uint32_t *counter, uint32_t id, const char *field, const char *message) {
    (*counter)++;
    if (l->mode == ACP_CONTENT_LENIENT) return ACP_OK;
    acp_error_set(l->error, ACP_ERROR_BAD_DATA, "block load", "%s", message);
    acp_error_set_place(l->error, id, UINT64_MAX, field);
    acp_error_set_file(l->error, acp_dat_name(l->cell));
    return ACP_ERROR_BAD_DATA;
}

static acp_result make_cell_portals(loader *l, const acp_record_env_cell *r, const acp_room_portal *known, uint32_t known_count,
                                    acp_env_cell_definition *d, int32_t *map) {
    acp_cell_portal *portals = acp_arena_allocate_zero(&l->arena, r->portal_count, sizeof *portals, 8);
    if (!portals) return out_of_memory(l);
    for (uint32_t i = 0; i < r->portal_count; i++) {
        const acp_record_portal *from = &r->portals[i];
        const acp_room_portal *polygon = NULL;
        for (uint32_t k = 0; k < known_count && !polygon; k++)
            if (known[k].is_there && known[k].polygon_id == from->polygon_id) polygon = &known[k];
        map[i] = -1;
        if (!polygon) {
            acp_result result =
                put_up_with(l, &l->report.absent_portals, d->cell_id, "portal.polygon_id", "the room has no such portal polygon");
            if (result) return result;
            continue;
        }
        acp_cell_portal *to = &portals[d->portal_count];
        to->other_cell_id = from->flags & 4u ? 0xFFFFFFFFu : l->block_id | from->other_cell;
        to->other_portal_id = (int16_t)from->other_portal;
        to->side = from->flags & 2u ? 0u : 1u;
        to->plane = polygon->plane;
        map[i] = (int32_t)d->portal_count++;
    }
    d->portals = portals;
    return ACP_OK;
}

static acp_result make_env_cell(loader *l, uint32_t id, const acp_record_env_cell *r, acp_env_cell_definition *d, int32_t **out_map) {
    const acp_room_portal *known;
    uint32_t known_count;
    acp_error unused;
    memset(d, 0, sizeof *d);
    acp_result result =
        acp_model_store_get_room(l->models, 0x0D000000u | r->environment, r->structure, &d->structure, &known, &known_count, &unused);
    if (result == ACP_ERROR_OUT_OF_MEMORY) return out_of_memory(l);
    if (result) return ACP_ERROR_NOT_FOUND;
    d->cell_id = id;
    d->is_seen_outside = r->flags & 1u;
    d->frame = r->frame;
    d->restriction_id = r->restriction;
    uint32_t *visible = acp_arena_allocate(&l->arena, (size_t)r->visible_count * sizeof *visible, 4);
    int32_t *map = acp_arena_allocate(&l->arena, (size_t)r->portal_count * sizeof *map, 4);
    if (!visible || !map) return out_of_memory(l);
    for (uint32_t i = 0; i < r->visible_count; i++)
        visible[i] = l->block_id | r->visible[i];
    d->visible_cells = visible;
    d->visible_count = r->visible_count;
    *out_map = map;
    return make_cell_portals(l, r, known, known_count, d, map);
}

static acp_result make_env_cells(loader *l, uint32_t count) {
    l->env_cells = acp_arena_allocate_zero(&l->arena, count, sizeof *l->env_cells, 8);
    l->portal_maps = acp_arena_allocate_zero(&l->arena, count, sizeof *l->portal_maps, 8);
    l->portal_map_sizes = acp_arena_allocate_zero(&l->arena, count, sizeof *l->portal_map_sizes, 8);
    if (!l->env_cells || !l->portal_maps || !l->portal_map_sizes) return out_of_memory(l);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = l->block_id | (0x100u + i), made = l->report.env_cells;
        acp_record record;
        acp_result result = load(l, ACP_RECORD_ENV_CELL, id, &record);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result == ACP_OK) {
            l->portal_map_sizes[made] = record.content.env_cell->portal_count;
            result = make_env_cell(l, id, record.content.env_cell, &l->env_cells[made], &l->portal_maps[made]);
            acp_record_free(&record);
            if (result == ACP_ERROR_OUT_OF_MEMORY || result == ACP_ERROR_BAD_DATA) return result;
        }
        if (result == ACP_OK)
            l->report.env_cells++;
        else
            result = put_up_with(l, &l->report.missing_env_cells, id, "env_cell", "the EnvCell, its environment or its room cannot be had");
        if (result) return result;
    }
    return ACP_OK;
}

/* The index of a building portal's other end among the portals that were made. */
static acp_result translate_entry(loader *l, const acp_record_building_portal *from, acp_building_portal *to) {
    to->other_cell_id = l->block_id | from->other_cell;
    to->side = from->flags & 2u ? 0u : 1u;
    to->other_portal_id = -1;
    int32_t stored = (int16_t)from->other_portal;
    for (uint32_t i = 0; i < l->report.env_cells; i++) {
        if (l->env_cells[i].cell_id != to->other_cell_id) continue;
        if (stored >= 0 && (uint32_t)stored < l->portal_map_sizes[i]) to->other_portal_id = l->portal_maps[i][stored];
        break;
    }
    if (to->other_portal_id >= 0 || stored < 0) return ACP_OK;
    return put_up_with(l, &l->report.disabled_entries, to->other_cell_id, "building.portal", "the EnvCell has no such portal");
}

static acp_result make_buildings(loader *l, const acp_record_land_block_info *info, acp_block_definition *d) {
    uint32_t count = info->building_word & 0xFFFFu;
    acp_building_definition *buildings = acp_arena_allocate_zero(&l->arena, count, sizeof *buildings, 8);
    if (!buildings) return out_of_memory(l);
    for (uint32_t i = 0; i < count; i++) {
        const acp_record_building *from = &info->buildings[i];
        acp_building_definition *to = &buildings[i];
        acp_building_portal *portals = acp_arena_allocate_zero(&l->arena, from->portal_count, sizeof *portals, 8);
        if (!portals) return out_of_memory(l);
        to->model_id = from->model;
        to->position.cell_id = l->block_id | 1u;
        to->position.frame = from->frame;
        to->shell_scale = 1.0f;
        acp_error unused;
        acp_result result = acp_model_store_get_setup(l->models, from->model, &to->setup, &unused);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return out_of_memory(l);
        if (result) result = put_up_with(l, &l->report.missing_shells, from->model, "building.model", "the model cannot be had");
        for (uint32_t k = 0; k < from->portal_count && result == ACP_OK; k++)
            result = translate_entry(l, &from->portals[k], &portals[k]);
        if (result) return result;
        to->portals = portals;
        to->portal_count = from->portal_count;
    }
    d->buildings = buildings;
    d->building_count = count;
    return ACP_OK;
}

static acp_result make_restrictions(loader *l, const acp_record_land_block_info *info, acp_block_definition *d) {
    uint32_t count = info->building_word & 0x10000u ? info->restriction_word & 0xFFFFu : 0u;
    acp_cell_restriction *restrictions = acp_arena_allocate_zero(&l->arena, count, sizeof *restrictions, 8);
    if (!restrictions) return out_of_memory(l);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) /* the table is one of land cells */
        if ((info->restrictions[i].key & 0xFFFFu) - 1u < 64u && (info->restrictions[i].key & 0xFFFF0000u) == l->block_id)
            restrictions[used++] = (acp_cell_restriction){info->restrictions[i].key, info->restrictions[i].value};
    d->restrictions = restrictions;
    d->restriction_count = used;
    return ACP_OK;
}

static acp_result make_block(loader *l, const acp_terrain_block *terrain, const acp_allocator *allocator, acp_block **out_block) {
    acp_record block, info;
    acp_block_definition d;
    memset(&d, 0, sizeof d);
    memset(&info, 0, sizeof info);
    d.struct_size = sizeof d;
    d.block_id = l->block_id;
    d.terrain = terrain;
    acp_result result = load(l, ACP_RECORD_LAND_BLOCK, l->block_id | 0xFFFFu, &block);
    bool has_info = result == ACP_OK && block.content.land_block->has_info != 0;
    acp_record_free(&block);
    if (has_info) result = load(l, ACP_RECORD_LAND_BLOCK_INFO, l->block_id | 0xFFFEu, &info);
    if (has_info && result == ACP_ERROR_NOT_FOUND) {
        acp_error_set(l->error, ACP_ERROR_BAD_DATA, "block load", "the LandBlockInfo that the landblock announces is missing");
        acp_error_set_place(l->error, l->block_id | 0xFFFEu, 4, "has_info");
        acp_error_set_file(l->error, acp_dat_name(l->cell));
        result = ACP_ERROR_BAD_DATA;
    }
    if (has_info && result == ACP_OK) {
        const acp_record_land_block_info *r = info.content.land_block_info;
        uint32_t most = 0xFFFEu - 0x100u;
        result = make_env_cells(l, r->cell_count < most ? r->cell_count : most);
        if (result == ACP_OK) result = make_buildings(l, r, &d);
        if (result == ACP_OK) result = make_restrictions(l, r, &d);
    }
    d.env_cells = l->env_cells;
    d.env_cell_count = l->report.env_cells;
    if (result == ACP_OK) result = acp_block_create(&d, allocator, out_block, l->error);
    acp_record_free(&info);
    return result;
}

acp_result acp_block_load(const acp_dat *cell, acp_model_store *models, const acp_terrain_block *terrain, uint32_t block_id, uint32_t mode,
                          const acp_allocator *allocator, acp_block **out_block, acp_block_load_report *out_report, acp_error *error) {
    if (!cell || !models || !out_block || mode > ACP_CONTENT_STRICT)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "block load", "null argument, or no such mode");
    loader l;
    acp_error own;
    memset(&l, 0, sizeof l);
    l.cell = cell;
    l.models = models;
    l.block_id = block_id & 0xFFFF0000u;
    l.mode = (acp_content_mode)mode;
    l.memory = acp_memory_allocator(allocator);
    l.error = error ? error : &own;
    acp_arena_init(&l.arena, &l.memory, 0, UINT64_MAX);
    acp_result result = make_block(&l, terrain, allocator, out_block);
    acp_arena_free(&l.arena);
    acp_dat_record_release(&l.record);
    if (result == ACP_OK && out_report) *out_report = l.report;
    return result;
}
