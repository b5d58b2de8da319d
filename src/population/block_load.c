/* SPDX-License-Identifier: MIT */
/* A landblock out of its records: LandBlock, LandBlockInfo, EnvCells become the definition that acp_block_create takes (POP-1, POP-3 to
 * POP-5, POP-16; DAT-64 to DAT-67), and the lists of its static objects.
 *
 * The landblock's record says whether there is an info record; one that is announced and missing or damaged keeps the whole block from
 * loading, as in retail. All EnvCells 0x0100 on are made (01 WM-23b); one whose record, environment or room cannot be had is not there.
 * A portal finds its polygon by stored id in the room's portal list; without it the portal is absent, and the indices of those behind it,
 * which buildings name, move up: so entries are translated, and an entry that names none is disabled (a negative index, MEM-25). A building
 * whose model cannot be had, or whose origin lies in another landblock, is none, with its portals and stab lists (POP-3); a static object
 * without model or place is skipped and the others keep their ordinals.
 *
 * Where retail would fault or read stray memory the thing is not there (DIV-85, DIV-86); a model id without a type is none (DIV-88).
 *
 * Contract: everything read is decoded with the bounds of the dat floor; scratch memory comes from the allocator and is gone on return.
 * The block borrows models from the store and the ground from the caller. Each loss is noted with its ids; strict refuses instead. Cost:
 * about 20 us an EnvCell, more for rooms not seen before. */
#include "population/loader.h"

#include <string.h>

#include "asset/finite.h"
#include "base/error.h"
#include "base/memory.h"

static const char operation[] = "block load";

#define FIRST_ENV_CELL 0x100u
#define MOST_ENV_CELLS (0xFFFEu - FIRST_ENV_CELL)

static acp_result out_of_memory(acp_loader *l) {
    acp_error_set(l->error, ACP_ERROR_OUT_OF_MEMORY, operation, "memory refused");
    acp_error_set_place(l->error, l->block_id | 0xFFFFu, UINT64_MAX, NULL);
    return ACP_ERROR_OUT_OF_MEMORY;
}

static acp_result load(acp_loader *l, acp_record_kind kind, uint32_t id, acp_record *out_record) {
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_overlay_read(l->overlay, l->cell, id, &l->record, l->error);
    if (result) return result;
    acp_record_decode_options options = {l->mode, NULL, NULL, id};
    result = acp_record_decode(kind, l->record.bytes, l->record.size, &options, &l->memory, out_record, l->error);
    if (result) acp_error_set_file(l->error, acp_dat_name(l->cell));
    return result;
}

/* Lenient: noted; strict: refused. */
static acp_result put_up_with(acp_loader *l, acp_loss loss, const char *field, const char *message) {
    loss.block_id = l->block_id;
    if (ACP_ARRAY_PUSH(&l->losses, &l->memory, loss) != ACP_OK) return out_of_memory(l);
    if (l->mode == ACP_CONTENT_LENIENT) return ACP_OK;
    acp_error_set(l->error, ACP_ERROR_BAD_DATA, operation, "%s", message);
    acp_error_set_place(l->error, loss.holder_id ? loss.holder_id : loss.lost_id, UINT64_MAX, field);
    acp_error_set_file(l->error, acp_dat_name(l->cell));
    return ACP_ERROR_BAD_DATA;
}

/* Keeps one use of a node until the loader, or the landblock, is done with it. */
static acp_result keep_node(acp_loader *l, acp_model_node *node) {
    if (!node) return ACP_OK;
    bool is_known = false;
    for (uint32_t i = l->nodes.count; i-- > 0 && !is_known;)
        is_known = l->nodes.items[i] == node;
    acp_result result = is_known ? ACP_OK : ACP_ARRAY_PUSH(&l->nodes, &l->memory, node);
    if (is_known || result != ACP_OK) acp_model_store_release(l->models, node);
    return result == ACP_OK ? ACP_OK : out_of_memory(l);
}

/* The setup of a model; null when it cannot be had. */
static acp_result find_model(acp_loader *l, uint32_t model_id, const acp_setup **out_setup, acp_result *out_why) {
    acp_error unused;
    *out_setup = NULL;
    acp_model_node *node = NULL;
    if (l->has_statics)
        *out_why = acp_model_store_use_setup(l->models, model_id, out_setup, &node, &unused);
    else
        *out_why = acp_model_store_get_setup(l->models, model_id, out_setup, &unused);
    if (*out_why != ACP_OK) *out_setup = NULL;
    return *out_why == ACP_ERROR_OUT_OF_MEMORY ? out_of_memory(l) : keep_node(l, node);
}

/* ------------------------------------------------------------------------------------------------------------------- static objects */

/* The objects of one list, held by `cell_id`, or each by its land cell when that is 0. */
static acp_result read_statics(acp_loader *l, uint32_t holder_id, uint32_t cell_id, const acp_record_objects *list) {
    for (uint32_t i = 0; i < list->count && l->has_statics; i++) {
        const acp_record_object *from = &list->items[i];
        acp_placed_static s;
        memset(&s, 0, sizeof s);
        s.kind = cell_id ? ACP_STATIC_ENV_CELL : ACP_STATIC_LANDBLOCK;
        s.model_id = from->id;
        s.ordinal = i;
        s.scale = 1.0f;
        acp_result why, result = find_model(l, from->id, &s.setup, &why);
        if (result) return result;
        acp_loss loss = {0, 0, holder_id, from->id, i, why};
        if (!s.setup) {
            loss.kind = ACP_LOSS_STATIC_MODEL;
            l->report.missing_static_models++;
            result = put_up_with(l, loss, "object.model", "a static object's model cannot be had");
            if (result) return result;
            continue;
        }
        bool is_finite = acp_frame_is_finite(&from->frame);
        s.cell_id = cell_id || !is_finite ? cell_id : acp_landblock_land_cell(l->block_id, from->frame.origin);
        if (!is_finite || !s.cell_id) {
            loss.kind = ACP_LOSS_STATIC_PLACE;
            loss.result = is_finite ? ACP_ERROR_NOT_FOUND : ACP_ERROR_NOT_FINITE;
            l->report.misplaced_statics++;
            result = put_up_with(l, loss, "object.frame", "a static object's origin lies outside the landblock");
            if (result) return result;
            continue;
        }
        s.frame = acp_block_frame(&from->frame);
        result = cell_id ? ACP_ARRAY_PUSH(&l->env_cell_statics, &l->memory, s) : ACP_ARRAY_PUSH(&l->landblock_statics, &l->memory, s);
        if (result) return out_of_memory(l);
    }
    return ACP_OK;
}

/* ------------------------------------------------------------------------------------------------------------------------ EnvCells */

static acp_result make_cell_portals(acp_loader *l, const acp_record_env_cell *r, const acp_room_portal *known, uint32_t known_count,
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
            acp_loss loss = {ACP_LOSS_PORTAL, 0, d->cell_id, 0x0D000000u | r->environment, i, ACP_ERROR_NOT_FOUND};
            l->report.absent_portals++;
            acp_result result = put_up_with(l, loss, "portal.polygon_id", "the room has no such portal polygon");
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

/* NOT_FOUND: there is no such room; *out_why says why. */
static acp_result make_env_cell(acp_loader *l, uint32_t id, const acp_record_env_cell *r, acp_env_cell_definition *d, int32_t **out_map,
                                acp_result *out_why) {
    const acp_room_portal *known;
    uint32_t known_count;
    acp_error unused;
    memset(d, 0, sizeof *d);
    acp_model_node *node;
    *out_why = acp_model_store_use_room(l->models, 0x0D000000u | r->environment, r->structure, &d->structure, &known, &known_count, &node,
                                        &unused);
    if (*out_why == ACP_ERROR_OUT_OF_MEMORY) return out_of_memory(l);
    if (keep_node(l, node)) return ACP_ERROR_OUT_OF_MEMORY;
    if (*out_why) return ACP_ERROR_NOT_FOUND;
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

/* One EnvCell with its static objects; what cannot be had is noted. */
static acp_result read_env_cell(acp_loader *l, uint32_t info_id, uint32_t i) {
    uint32_t id = l->block_id | (FIRST_ENV_CELL + i), made = l->report.env_cells;
    acp_loss loss = {ACP_LOSS_ENV_CELL, 0, info_id, id, i, ACP_OK};
    acp_record record;
    acp_result result = load(l, ACP_RECORD_ENV_CELL, id, &record);
    if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
    loss.result = result;
    if (result == ACP_OK) {
        const acp_record_env_cell *r = record.content.env_cell;
        l->portal_map_sizes[made] = r->portal_count;
        result = make_env_cell(l, id, r, &l->env_cells[made], &l->portal_maps[made], &loss.result);
        if (result == ACP_ERROR_NOT_FOUND) {
            loss.kind = ACP_LOSS_ROOM;
            loss.holder_id = id;
            loss.lost_id = 0x0D000000u | r->environment;
            loss.index = r->structure;
        } else if (result == ACP_OK) {
            result = read_statics(l, id, id, &r->statics);
            if (result == ACP_OK) l->env_ordinals[i] = (uint16_t)++l->report.env_cells;
        }
        acp_record_free(&record);
        if (result == ACP_OK || result == ACP_ERROR_OUT_OF_MEMORY || result == ACP_ERROR_BAD_DATA) return result;
    }
    l->report.missing_env_cells++;
    return put_up_with(l, loss, "env_cell", "the EnvCell, its environment or its room cannot be had");
}

static acp_result make_env_cells(acp_loader *l, const acp_record_land_block_info *info) {
    uint32_t count = info->cell_count < MOST_ENV_CELLS ? info->cell_count : MOST_ENV_CELLS;
    l->env_cells = acp_arena_allocate_zero(&l->arena, count, sizeof *l->env_cells, 8);
    l->portal_maps = acp_arena_allocate_zero(&l->arena, count, sizeof *l->portal_maps, 8);
    l->portal_map_sizes = acp_arena_allocate_zero(&l->arena, count, sizeof *l->portal_map_sizes, 8);
    l->env_ordinals = acp_arena_allocate_zero(&l->arena, count, sizeof *l->env_ordinals, 8);
    if (!l->env_cells || !l->portal_maps || !l->portal_map_sizes || !l->env_ordinals) return out_of_memory(l);
    l->env_ordinal_count = count;
    for (uint32_t i = 0; i < count; i++) {
        acp_result result = read_env_cell(l, l->block_id | 0xFFFEu, i);
        if (result) return result;
    }
    l->definition.env_cells = l->env_cells;
    l->definition.env_cell_count = l->report.env_cells;
    return ACP_OK;
}

/* ----------------------------------------------------------------------------------------------------------------------- buildings */

/* The index of a building portal's other end among the portals that were made. */
static acp_result translate_entry(acp_loader *l, uint32_t index, const acp_record_building_portal *from, acp_building_portal *to) {
    to->other_cell_id = l->block_id | from->other_cell;
    to->side = from->flags & 2u ? 0u : 1u;
    to->other_portal_id = -1;
    int32_t stored = (int16_t)from->other_portal;
    uint32_t e = from->other_cell - FIRST_ENV_CELL;
    if (e < l->env_ordinal_count && l->env_ordinals[e]) {
        uint32_t i = l->env_ordinals[e] - 1u;
        if (stored >= 0 && (uint32_t)stored < l->portal_map_sizes[i]) to->other_portal_id = l->portal_maps[i][stored];
    }
    if (to->other_portal_id >= 0 || stored < 0) return ACP_OK;
    acp_loss loss = {ACP_LOSS_ENTRY, 0, l->block_id | 0xFFFEu, to->other_cell_id, index, ACP_ERROR_NOT_FOUND};
    l->report.disabled_entries++;
    return put_up_with(l, loss, "building.portal", "the EnvCell has no such portal");
}

/* The stab lists of a building that is there, in encounter order, each id once (POP-3). */
static acp_result add_visible(acp_loader *l, const acp_record_building_portal *portal) {
    for (uint32_t i = 0; i < portal->stab_count; i++) {
        uint32_t id = l->block_id | portal->stabs[i], known = 0;
        while (known < l->visible.count && l->visible.items[known] != id)
            known++;
        if (known == l->visible.count && ACP_ARRAY_PUSH(&l->visible, &l->memory, id)) return out_of_memory(l);
    }
    return ACP_OK;
}

/* Why a building is none, or 0. */
static acp_result judge_building(acp_loader *l, const acp_record_building *from, acp_building_definition *to, acp_loss *loss) {
    acp_result why, result = find_model(l, from->model, &to->setup, &why);
    if (result) return result;
    loss->kind = 0;
    loss->result = why;
    if (!to->setup) {
        loss->kind = ACP_LOSS_BUILDING_MODEL;
        l->report.missing_shells++;
    } else if (!acp_frame_is_finite(&from->frame) || !acp_landblock_land_cell(l->block_id, from->frame.origin)) {
        loss->kind = ACP_LOSS_BUILDING_PLACE;
        loss->result = ACP_ERROR_NOT_FOUND;
        l->report.misplaced_buildings++;
    }
    return ACP_OK;
}

static acp_result make_buildings(acp_loader *l, const acp_record_land_block_info *info) {
    uint32_t count = info->building_word & 0xFFFFu;
    acp_building_definition *buildings = acp_arena_allocate_zero(&l->arena, count, sizeof *buildings, 8);
    if (!buildings) return out_of_memory(l);
    for (uint32_t i = 0; i < count; i++) {
        const acp_record_building *from = &info->buildings[i];
        acp_building_definition *to = &buildings[l->definition.building_count];
        acp_building_portal *portals = acp_arena_allocate_zero(&l->arena, from->portal_count, sizeof *portals, 8);
        if (!portals) return out_of_memory(l);
        memset(to, 0, sizeof *to);
        to->model_id = from->model;
        to->position.cell_id = l->block_id | 1u;
        to->position.frame = from->frame;
        to->shell_scale = 1.0f;
        acp_loss loss = {0, 0, l->block_id | 0xFFFEu, from->model, i, ACP_OK};
        acp_result result = judge_building(l, from, to, &loss);
        if (result == ACP_OK && loss.kind) {
            result = put_up_with(l, loss, "building", "the building's model, or its place, cannot be had");
            if (result) return result;
            continue;
        }
        for (uint32_t k = 0; k < from->portal_count && result == ACP_OK; k++) {
            result = translate_entry(l, k, &from->portals[k], &portals[k]);
            if (result == ACP_OK) result = add_visible(l, &from->portals[k]);
        }
        if (result) return result;
        to->portals = portals;
        to->portal_count = from->portal_count;
        l->definition.building_count++;
    }
    l->definition.buildings = buildings;
    return ACP_OK;
}

static acp_result make_restrictions(acp_loader *l, const acp_record_land_block_info *info) {
    uint32_t count = info->building_word & 0x10000u ? info->restriction_word & 0xFFFFu : 0u;
    acp_cell_restriction *restrictions = acp_arena_allocate_zero(&l->arena, count, sizeof *restrictions, 8);
    if (!restrictions) return out_of_memory(l);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) /* the table is one of land cells */
        if ((info->restrictions[i].key & 0xFFFFu) - 1u < 64u && (info->restrictions[i].key & 0xFFFF0000u) == l->block_id)
            restrictions[used++] = (acp_cell_restriction){info->restrictions[i].key, info->restrictions[i].value};
    l->definition.restrictions = restrictions;
    l->definition.restriction_count = used;
    return ACP_OK;
}

/* ---------------------------------------------------------------------------------------------------------------------- the whole */

void acp_loader_init(acp_loader *l, const acp_dat *cell, acp_model_store *models, uint32_t block_id, acp_content_mode mode,
                     const acp_allocator *allocator, acp_error *error) {
    memset(l, 0, sizeof *l);
    l->cell = cell;
    l->models = models;
    l->block_id = block_id & 0xFFFF0000u;
    l->mode = mode;
    l->memory = acp_memory_allocator(allocator);
    l->error = error;
    acp_arena_init(&l->arena, &l->memory, 0, UINT64_MAX);
}

void acp_loader_free(acp_loader *l) {
    ACP_ARRAY_FREE(&l->visible, &l->memory);
    ACP_ARRAY_FREE(&l->landblock_statics, &l->memory);
    ACP_ARRAY_FREE(&l->env_cell_statics, &l->memory);
    ACP_ARRAY_FREE(&l->losses, &l->memory);
    for (uint32_t i = 0; i < l->nodes.count && l->has_statics; i++)
        acp_model_store_release(l->models, l->nodes.items[i]);
    ACP_ARRAY_FREE(&l->nodes, &l->memory);
    acp_arena_free(&l->arena);
    acp_dat_record_release(&l->record);
}

acp_result acp_loader_read(acp_loader *l) {
    acp_record block, info;
    memset(&info, 0, sizeof info);
    l->definition.struct_size = sizeof l->definition;
    l->definition.block_id = l->block_id;
    acp_result result = load(l, ACP_RECORD_LAND_BLOCK, l->block_id | 0xFFFFu, &block);
    if (result == ACP_OK) l->land = *block.content.land_block;
    acp_record_free(&block);
    if (result || !l->land.has_info) return result;
    result = load(l, ACP_RECORD_LAND_BLOCK_INFO, l->block_id | 0xFFFEu, &info);
    if (result == ACP_ERROR_NOT_FOUND) {
        acp_error_set(l->error, ACP_ERROR_BAD_DATA, operation, "the LandBlockInfo that the landblock announces is missing");
        acp_error_set_place(l->error, l->block_id | 0xFFFEu, 4, "has_info");
        acp_error_set_file(l->error, acp_dat_name(l->cell));
        result = ACP_ERROR_BAD_DATA;
    }
    if (result == ACP_OK) {
        const acp_record_land_block_info *r = info.content.land_block_info;
        result = read_statics(l, l->block_id | 0xFFFEu, 0, &r->objects);
        if (result == ACP_OK) result = make_env_cells(l, r);
        if (result == ACP_OK) result = make_buildings(l, r);
        if (result == ACP_OK) result = make_restrictions(l, r);
    }
    acp_record_free(&info);
    return result;
}

acp_result acp_block_load(const acp_dat *cell, acp_model_store *models, const acp_terrain_block *terrain, uint32_t block_id, uint32_t mode,
                          const acp_allocator *allocator, acp_block **out_block, acp_block_load_report *out_report, acp_error *error) {
    if (!cell || !models || !out_block || mode > ACP_CONTENT_STRICT)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument, or no such mode");
    acp_loader l;
    acp_error own;
    acp_loader_init(&l, cell, models, block_id, (acp_content_mode)mode, allocator, error ? error : &own);
    acp_result result = acp_loader_read(&l);
    l.definition.terrain = terrain;
    if (result == ACP_OK) result = acp_block_create(&l.definition, allocator, out_block, l.error);
    if (result == ACP_OK && out_report) *out_report = l.report;
    acp_loader_free(&l);
    return result;
}
