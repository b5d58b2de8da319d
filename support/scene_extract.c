/* SPDX-License-Identifier: MIT */
/* DAT records to a scene: the landblocks asked for, and what they refer to (docs/format-scene.md; spec 02 §9-20, 09 POP-1 to POP-5).
 *
 * The records are read as the loader of landblocks reads them: an announced LandBlockInfo that is missing stops everything, a room without
 * its record, environment or structure is not there, a portal without its polygon is absent and the indices of building entries follow, a
 * model with a missing part is missing as a whole. Each is a remark. Landblocks are written first while the ids of what they name gather
 * in three ascending sets (models, rooms, meshes); then those are written by id, so the same content gives the same bytes.
 * Models are named by record id: meshes and setups "0x02000020", rooms "0x0D000010/0". Of a mesh the box over all its vertices stands for
 * vertices that no polygon uses; surfaces, normals and drawing polygons stay behind.
 *
 * Contract: everything or an error; memory from the C library. Limits: 2^31 ids; trees deeper than 1,000 levels (the JSON reader's depth).
 * Cost: about twice that of loading. */
#include "support/scene_extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/from_record.h"
#include "asset/shape.h"
#include "base/error.h"
#include "dat/record.h"
#include "dat/record_region.h"
#include "geom/polygon.h"
#include "population/landblock.h"
#include "support/json_values.h"
#include "support/scene_extract_model.h"

/* ------------------------------------------------------------------------------------------------------------------------ tools */

/* Where the id is in the set, or belongs. */
static uint32_t place_of(const acp_extract_ids *ids, uint64_t id) {
    uint32_t low = 0, high = ids->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2u;
        if (ids->items[middle] < id)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

bool acp_extract_has(const acp_extract_ids *ids, uint64_t id) {
    uint32_t place = place_of(ids, id);
    return place < ids->count && ids->items[place] == id;
}

acp_result acp_extract_add(acp_extract_ids *ids, uint64_t id) {
    uint32_t place = place_of(ids, id);
    if (place < ids->count && ids->items[place] == id) return ACP_OK;
    if (ids->count == ids->capacity) {
        uint32_t capacity = ids->capacity ? 2u * ids->capacity : 64u;
        uint64_t *items = realloc(ids->items, capacity * sizeof *items);
        if (!items) return ACP_ERROR_OUT_OF_MEMORY;
        ids->items = items;
        ids->capacity = capacity;
    }
    memmove(&ids->items[place + 1u], &ids->items[place], (ids->count - place) * sizeof *ids->items);
    ids->items[place] = id;
    ids->count++;
    return ACP_OK;
}

acp_result acp_extract_load(acp_extract *x, const acp_dat *dat, acp_record_kind kind, uint32_t id, acp_record *out_record) {
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_read(dat, id, &x->bytes, x->error);
    acp_record_decode_options options = {ACP_CONTENT_LENIENT, NULL, NULL, id};
    if (result == ACP_OK) result = acp_record_decode(kind, x->bytes.bytes, x->bytes.size, &options, NULL, out_record, x->error);
    if (result) acp_error_set_file(x->error, acp_dat_name(dat));
    return result;
}

void acp_extract_remark(acp_extract *x, const acp_dat *dat, uint32_t id, const char *field, const char *message) {
    acp_error remark;
    x->report.remarks++;
    acp_error_set(&remark, ACP_ERROR_NOT_FOUND, "scene extract", "%s", message);
    acp_error_set_place(&remark, id, UINT64_MAX, field);
    acp_error_set_file(&remark, acp_dat_name(dat));
    if (x->options.on_remark) x->options.on_remark(x->options.user, &remark);
}

static void write_name(acp_json_writer *w, const char *key, uint32_t id) { acp_json_write_id(w, key, id); }

/* ------------------------------------------------------------------------------------------------------------------------ rooms */

/* A room of the landblock at hand: which portals of the record are there, and as which index. */
typedef struct room {
    uint32_t cell_id;
    uint32_t portal_count; /* of the record */
    int16_t map[256];      /* -1: absent */
} room;

static const acp_record_polygon *find_portal_polygon(const acp_record_cell_structure *s, uint16_t polygon_id) {
    for (uint32_t i = 0; i < s->portals.count; i++) {
        uint32_t ordinal = s->portals.items[i];
        if (ordinal < s->polygons.count && s->polygons.items[ordinal].id == polygon_id) return &s->polygons.items[ordinal];
    }
    return NULL;
}

static void write_portals(acp_extract *x, const acp_record_env_cell *r, uint32_t block_id, const acp_record_cell_structure *s,
                          room *out_room) {
    acp_vec3 points[256];
    int16_t made = 0;
    acp_json_begin_array(x->out, "portals");
    for (uint32_t i = 0; i < r->portal_count; i++) {
        const acp_record_portal *p = &r->portals[i];
        const acp_record_polygon *polygon = find_portal_polygon(s, p->polygon_id);
        uint32_t count = polygon ? acp_record_points(polygon, &s->vertices, points) : 0;
        acp_polygon made_polygon = acp_polygon_make(points, count, 0, 0);
        out_room->map[i] = -1;
        if (!polygon || !acp_polygon_is_usable(&made_polygon)) {
            acp_extract_remark(x, x->cell, block_id | (r->id & 0xFFFFu), "portal.polygon_id",
                               "the room has no such portal polygon: left out");
            continue;
        }
        out_room->map[i] = made++;
        acp_json_begin_object(x->out, NULL);
        write_name(x->out, "other", p->flags & 4u ? 0xFFFFFFFFu : block_id | p->other_cell);
        acp_json_write_int(x->out, "other_portal", (int16_t)p->other_portal);
        acp_json_write_uint(x->out, "side", p->flags & 2u ? 0u : 1u);
        acp_json_write_float_rows(x->out, "v", &points[0].x, count, 3);
        acp_json_end_object(x->out);
    }
    acp_json_end_array(x->out);
}

static acp_result write_env_cell(acp_extract *x, const acp_record_env_cell *r, uint32_t cell_id, room *out_room) {
    uint32_t block_id = cell_id & 0xFFFF0000u, environment_id = 0x0D000000u | r->environment;
    const acp_record_cell_structure *s = acp_extract_structure(x, environment_id, r->structure);
    if (!s) return x->error->code == ACP_ERROR_OUT_OF_MEMORY ? ACP_ERROR_OUT_OF_MEMORY : ACP_ERROR_NOT_FOUND;
    char name[32];
    (void)snprintf(name, sizeof name, "0x%08lX/%u", (unsigned long)environment_id, (unsigned)r->structure);
    out_room->cell_id = cell_id;
    out_room->portal_count = r->portal_count;
    acp_json_begin_object(x->out, NULL);
    write_name(x->out, "id", cell_id);
    acp_record_write_frame(x->out, "frame", &r->frame);
    acp_json_write_flag(x->out, "seen_outside", (r->flags & 1u) != 0);
    acp_json_write_string(x->out, "structure", name);
    write_portals(x, r, block_id, s, out_room);
    acp_json_begin_array(x->out, "stabs");
    for (uint32_t i = 0; i < r->visible_count; i++)
        write_name(x->out, NULL, block_id | r->visible[i]);
    acp_json_end_array(x->out);
    if (r->restriction) write_name(x->out, "restriction", r->restriction);
    acp_json_end_object(x->out);
    x->report.env_cells++;
    return acp_extract_add(&x->structures, (uint64_t)environment_id << 32 | r->structure);
}

/* ---------------------------------------------------------------------------------------------------- statics, held until their turn */

static acp_result hold_statics(acp_extract *x, uint32_t owner_id, const acp_record_objects *objects) {
    for (uint32_t i = 0; i < objects->count; i++) {
        const acp_record_object *o = &objects->items[i];
        acp_result result = acp_extract_model(x, o->id);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result) {
            acp_extract_remark(x, x->cell, owner_id, "objects.id", "a static whose model cannot be had: left out");
            continue;
        }
        acp_json_begin_object(&x->statics, NULL);
        write_name(&x->statics, "owner", owner_id);
        write_name(&x->statics, "setup", o->id);
        acp_record_write_frame(&x->statics, "frame", &o->frame);
        acp_json_end_object(&x->statics);
        x->report.statics++;
    }
    return ACP_OK;
}

/* Scenery as a source of landblocks generates it. */
static acp_result hold_scenery(acp_extract *x, uint32_t block_id) {
    acp_landblock *landblock = NULL;
    if (!x->source) return ACP_OK;
    acp_result result = acp_dat_source_prepare(x->source, block_id, NULL, &landblock, x->error);
    for (uint32_t i = 0; result == ACP_OK && i < landblock->static_count; i++) {
        const acp_placed_static *s = &landblock->statics[i];
        if (s->kind != ACP_STATIC_SCENERY) continue;
        acp_frame frame = acp_matrix_frame_to_public(&s->frame);
        result = acp_extract_model(x, s->model_id);
        acp_json_begin_object(&x->statics, NULL);
        write_name(&x->statics, "owner", block_id | 0xFFFFu);
        write_name(&x->statics, "setup", s->model_id);
        acp_record_write_frame(&x->statics, "frame", &frame);
        if (s->scale != 1.0f) acp_json_write_float(&x->statics, "scale", s->scale);
        acp_json_end_object(&x->statics);
        x->report.scenery++;
    }
    acp_landblock_destroy(landblock);
    return result;
}

/* -------------------------------------------------------------------------------------------------------------------- buildings */

static void hold_building_portals(acp_extract *x, const acp_record_building *b, uint32_t block_id, const room *rooms, uint32_t room_count) {
    acp_json_begin_array(&x->buildings, "portals");
    for (uint32_t i = 0; i < b->portal_count; i++) {
        const acp_record_building_portal *p = &b->portals[i];
        int32_t stored = (int16_t)p->other_portal, index = -1;
        for (uint32_t k = 0; k < room_count; k++)
            if (rooms[k].cell_id == (block_id | p->other_cell) && stored >= 0 && (uint32_t)stored < rooms[k].portal_count)
                index = rooms[k].map[stored];
        if (index < 0 && stored >= 0)
            acp_extract_remark(x, x->cell, block_id | 0xFFFEu, "building.portal", "an entry that names no portal of its EnvCell: disabled");
        acp_json_begin_object(&x->buildings, NULL);
        write_name(&x->buildings, "other", block_id | p->other_cell);
        acp_json_write_int(&x->buildings, "other_portal", index);
        acp_json_write_uint(&x->buildings, "side", p->flags & 2u ? 0u : 1u);
        acp_json_begin_array(&x->buildings, "stabs");
        for (uint32_t k = 0; k < p->stab_count; k++)
            write_name(&x->buildings, NULL, block_id | p->stabs[k]);
        acp_json_end_array(&x->buildings);
        acp_json_end_object(&x->buildings);
    }
    acp_json_end_array(&x->buildings);
}

static acp_result hold_buildings(acp_extract *x, const acp_record_land_block_info *info, uint32_t block_id, const room *rooms,
                                 uint32_t room_count) {
    for (uint32_t i = 0; i < (info->building_word & 0xFFFFu); i++) {
        const acp_record_building *b = &info->buildings[i];
        acp_result result = acp_extract_model(x, b->model);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result) {
            acp_extract_remark(x, x->cell, block_id | 0xFFFEu, "building.model", "a building whose model cannot be had: left out");
            continue;
        }
        acp_json_begin_object(&x->buildings, NULL);
        write_name(&x->buildings, "cell", block_id | 1u);
        acp_json_begin_object(&x->buildings, "pos");
        write_name(&x->buildings, "cell", block_id | 1u);
        acp_record_write_frame_members(&x->buildings, &b->frame);
        acp_json_end_object(&x->buildings);
        write_name(&x->buildings, "setup", b->model);
        hold_building_portals(x, b, block_id, rooms, room_count);
        acp_json_end_object(&x->buildings);
        x->report.buildings++;
    }
    return ACP_OK;
}

static void hold_restrictions(acp_extract *x, const acp_record_land_block_info *info, uint32_t block_id) {
    uint32_t count = info->building_word & 0x10000u ? info->restriction_word & 0xFFFFu : 0u;
    for (uint32_t i = 0; i < count; i++) {
        if ((info->restrictions[i].key & 0xFFFFu) - 1u >= 64u || (info->restrictions[i].key & 0xFFFF0000u) != block_id) continue;
        acp_json_begin_object(&x->restrictions, NULL);
        write_name(&x->restrictions, "cell", info->restrictions[i].key);
        write_name(&x->restrictions, "object", info->restrictions[i].value);
        acp_json_end_object(&x->restrictions);
    }
}

/* ------------------------------------------------------------------------------------------------------------------- landblocks */

static void write_block(acp_json_writer *w, const acp_land_block *b, uint32_t block_id) {
    acp_json_begin_object(w, NULL);
    write_name(w, "id", block_id);
    acp_json_begin_array(w, "height");
    for (uint32_t i = 0; i < 81u; i++)
        acp_json_write_uint(w, NULL, b->height[i]);
    acp_json_end_array(w);
    acp_json_begin_array(w, "terrain");
    for (uint32_t i = 0; i < 81u; i++)
        acp_json_write_uint(w, NULL, b->terrain[i]);
    acp_json_end_array(w);
    acp_json_end_object(w);
}

/* Rooms of a landblock, written; their statics held. */
static acp_result write_rooms(acp_extract *x, uint32_t block_id, uint32_t count, room *rooms, uint32_t *out_count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = block_id | (0x100u + i);
        acp_record record;
        acp_result result = acp_extract_load(x, x->cell, ACP_RECORD_ENV_CELL, id, &record);
        if (result == ACP_OK) {
            result = write_env_cell(x, record.content.env_cell, id, &rooms[*out_count]);
            if (result == ACP_OK) {
                (*out_count)++;
                result = hold_statics(x, id, &record.content.env_cell->statics);
            }
        }
        acp_record_free(&record);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result) acp_extract_remark(x, x->cell, id, "env_cell", "the EnvCell, its environment or its room cannot be had: left out");
    }
    return ACP_OK;
}

static acp_result write_content(acp_extract *x, const acp_record_land_block_info *info, uint32_t block_id) {
    uint32_t most = 0xFFFEu - 0x100u, count = info->cell_count < most ? info->cell_count : most, room_count = 0;
    room *rooms = calloc(count + 1u, sizeof *rooms);
    if (!rooms) return ACP_ERROR_OUT_OF_MEMORY;
    acp_result result = hold_statics(x, block_id | 0xFFFEu, &info->objects);
    if (result == ACP_OK) result = write_rooms(x, block_id, count, rooms, &room_count);
    if (result == ACP_OK) result = hold_buildings(x, info, block_id, rooms, room_count);
    if (result == ACP_OK) hold_restrictions(x, info, block_id);
    free(rooms);
    return result;
}

enum { WITH_INFO = 1, LEFT_OUT = 2 };

/* A landblock's ground; fails too when the info that it announces cannot be had (POP-16). */
static acp_result load_ground(acp_extract *x, uint32_t block_id, acp_record *out_block) {
    acp_record info;
    acp_result result = acp_extract_load(x, x->cell, ACP_RECORD_LAND_BLOCK, block_id | 0xFFFFu, out_block);
    if (result || !out_block->content.land_block->has_info) return result;
    result = acp_extract_load(x, x->cell, ACP_RECORD_LAND_BLOCK_INFO, block_id | 0xFFFEu, &info);
    acp_record_free(&info);
    if (result) acp_record_free(out_block);
    return result;
}

/* The ground of each landblock, and which of them have an info record. */
static acp_result write_grounds(acp_extract *x, uint8_t *has_info) {
    acp_json_begin_array(x->out, "blocks");
    for (uint32_t i = 0; i < x->options.block_count; i++) {
        uint32_t block_id = x->options.block_ids[i] & 0xFFFF0000u;
        acp_record block;
        acp_result result = load_ground(x, block_id, &block);
        if (result && result != ACP_ERROR_OUT_OF_MEMORY && x->options.may_lack && x->options.may_lack[i]) {
            has_info[i] = LEFT_OUT;
            acp_extract_remark(x, x->cell, block_id | 0xFFFFu, "landblock", "the landblock or its info cannot be had: left out");
            continue;
        }
        if (result) return result;
        has_info[i] = block.content.land_block->has_info ? WITH_INFO : 0;
        write_block(x->out, block.content.land_block, block_id);
        acp_record_free(&block);
        x->report.blocks++;
    }
    acp_json_end_array(x->out);
    return ACP_OK;
}

static acp_result write_contents(acp_extract *x, const uint8_t *has_info) {
    acp_json_begin_array(x->out, "envcells");
    acp_result result = ACP_OK;
    for (uint32_t i = 0; i < x->options.block_count && result == ACP_OK; i++) {
        uint32_t block_id = x->options.block_ids[i] & 0xFFFF0000u;
        if (has_info[i] == LEFT_OUT) continue;
        acp_record info;
        memset(&info, 0, sizeof info);
        if (has_info[i]) result = acp_extract_load(x, x->cell, ACP_RECORD_LAND_BLOCK_INFO, block_id | 0xFFFEu, &info);
        if (has_info[i] && result == ACP_OK) result = write_content(x, info.content.land_block_info, block_id);
        acp_record_free(&info);
        if (result == ACP_OK) result = hold_scenery(x, block_id);
    }
    if (result) return result;
    acp_json_end_array(x->out);
    return ACP_OK;
}

/* ------------------------------------------------------------------------------------------------------------------------ whole */

/* The table goes along unless it is the one that scenes have anyway. */
static acp_result write_height_table(acp_extract *x) {
    acp_record region;
    acp_result result = acp_extract_load(x, x->portal, ACP_RECORD_REGION, 0x13000000u, &region);
    if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
    acp_height_table usual, own;
    acp_height_table_default(&usual);
    if (result == ACP_OK) result = acp_height_table_from_values(region.content.region->height_table, &own, x->error);
    if (result == ACP_OK && memcmp(&own, &usual, sizeof own) != 0)
        acp_json_write_floats(x->out, "height_table", region.content.region->height_table, 256);
    if (result == ACP_ERROR_NOT_FOUND)
        acp_extract_remark(x, x->portal, 0x13000000u, "region", "no Region record: the usual table of heights");
    else if (result)
        acp_extract_remark(x, x->portal, 0x13000000u, "region", "no readable Region record: the usual table of heights");
    acp_record_free(&region);
    return ACP_OK;
}

static void write_held(acp_json_writer *out, const char *key, acp_json_writer *held) {
    acp_json_begin_array(out, key);
    if (held->length) acp_json_write_raw(out, NULL, held->text, held->length);
    acp_json_end_array(out);
}

static acp_result write_scene(acp_extract *x, uint8_t *has_info) {
    acp_json_begin_object(x->out, NULL);
    if (x->options.name) acp_json_write_string(x->out, "name", x->options.name);
    acp_result result = write_height_table(x);
    for (uint32_t i = 0; i < x->options.setup_count && result == ACP_OK; i++) {
        result = acp_extract_model(x, x->options.setup_ids[i]);
        if (result) acp_error_set_place(x->error, x->options.setup_ids[i], UINT64_MAX, "setup");
    }
    if (result == ACP_OK) result = write_grounds(x, has_info);
    if (result == ACP_OK) result = write_contents(x, has_info);
    if (result) return result;
    write_held(x->out, "buildings", &x->buildings);
    write_held(x->out, "statics", &x->statics);
    write_held(x->out, "restrictions", &x->restrictions);
    result = acp_extract_write_models(x);
    acp_json_end_object(x->out);
    return result;
}

acp_result acp_scene_extract(const acp_dat *portal, const acp_dat *cell, const acp_scene_extract_options *options, acp_json_writer *out,
                             acp_scene_extract_report *out_report, acp_error *error) {
    acp_extract x;
    acp_error own;
    memset(&x, 0, sizeof x);
    x.portal = portal;
    x.cell = cell;
    x.options = *options;
    x.out = out;
    x.error = error ? error : &own;
    uint8_t *has_info = calloc(options->block_count + 1u, 1);
    acp_result result = has_info ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK && options->has_scenery) result = acp_dat_source_create(portal, cell, NULL, &x.source, x.error);
    if (result == ACP_OK) result = write_scene(&x, has_info);
    acp_dat_source_destroy(x.source);
    if (result == ACP_OK && (out->is_failed || x.statics.is_failed || x.buildings.is_failed || x.restrictions.is_failed))
        result = ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_ERROR_OUT_OF_MEMORY) (void)acp_error_set(error, result, "scene extract", "out of memory");
    if (result == ACP_OK && out_report) *out_report = x.report;
    free(has_info);
    acp_extract_free_models(&x);
    acp_json_writer_free(&x.statics);
    acp_json_writer_free(&x.buildings);
    acp_json_writer_free(&x.restrictions);
    acp_dat_record_release(&x.bytes);
    return result;
}
