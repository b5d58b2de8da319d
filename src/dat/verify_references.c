/* SPDX-License-Identifier: MIT */
/* References from record to record (DAT-66, DAT-67, DAT-71; 09 POP-1, POP-16; 11 AUT-20, AUT-29).
 *
 * Decoders never follow ids; here they are followed, through an observer of the decoder, so that every finding has the field's own name and
 * its place in the record. Ids of portal records are looked up in the portal file, and must be of the kind that the field wants. Cells are
 * looked up in the cell file; of a neighbour only the portals are looked at. Of an environment a short table is kept from its first use:
 * how many rooms, and which polygon ids each room's portal list names.
 *
 * Contract: a reference that leads nowhere is a remark when lenient (the loader makes it absent) and a fault when strict; an announced
 * LandBlockInfo that is missing is a fault always. Zero ids where the client takes them for none are not references. Records that do not
 * decode are passed over. Limits: memory 2 bytes a portal polygon of the environments in use, and half a megabyte. Cost: decoding each
 * record of the kinds concerned, and about 60 ns a reference. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "dat/container.h"
#include "dat/format.h"
#include "dat/record.h"

/* What is known of an environment: portal polygon ids of all rooms in a row. */
typedef struct environment {
    uint32_t room_count; /* 0: it cannot be had */
    uint32_t id_count;
    uint32_t *ends; /* of each room's ids */
    uint16_t *ids;
} environment;

typedef struct follower {
    const acp_dat *portal;
    const acp_dat *cell;
    const acp_dat *file; /* of the record at hand */
    acp_dat_verify_options options;
    acp_dat_reference_report report;
    acp_allocator allocator;
    acp_dat_record record;
    acp_dat_record other; /* a neighbour */
    uint32_t id;          /* of the record at hand */
    uint32_t block_id;
    acp_record_kind kind;
    bool is_out_of_memory;
    /* EnvCell and building portals: the fields read so far */
    uint32_t environment_id;
    uint32_t structure;
    uint32_t flags;
    uint32_t other_cell;
    environment **environments; /* by the low word of their id */
} follower;

/* ------------------------------------------------------------------------------------------------------------------------ telling */

static void tell(follower *f, bool is_fault, acp_result code, uint32_t offset, const char *field, const char *message, uint32_t id) {
    acp_error finding;
    if (id)
        acp_error_set(&finding, code, "verify", "%s (0x%08lX)", message, (unsigned long)id);
    else
        acp_error_set(&finding, code, "verify", "%s", message);
    acp_error_set_place(&finding, f->id, offset, field);
    acp_error_set_file(&finding, f->file->name);
    if (is_fault)
        f->report.fault_count++;
    else
        f->report.remark_count++;
    if (f->options.on_fault) f->options.on_fault(f->options.user, !is_fault, &finding);
}

static void dangle(follower *f, uint32_t offset, const char *field, const char *message, uint32_t id) {
    f->report.dangling_count++;
    tell(f, f->options.is_strict != 0, ACP_ERROR_NOT_FOUND, offset, field, message, id);
}

/* -------------------------------------------------------------------------------------------------------------- the portal file's ids */

static void follow(follower *f, uint32_t id, uint32_t class_id, uint32_t offset, const char *field, const char *wrong,
                   const char *missing) {
    f->report.reference_count++;
    if (id >> 24 != class_id)
        dangle(f, offset, field, wrong, id);
    else if (!acp_dat_find(f->portal, id))
        dangle(f, offset, field, missing, id);
}

static void follow_mesh(follower *f, uint32_t id, uint32_t offset, const char *field) {
    follow(f, id, 0x01u, offset, field, "a GfxObj 0x01...... is expected", "a GfxObj that the portal file has is expected");
}

static void follow_animation(follower *f, uint32_t id, uint32_t offset, const char *field) {
    follow(f, id, 0x03u, offset, field, "an Animation 0x03...... is expected", "an Animation that the portal file has is expected");
}

static void follow_model(follower *f, uint32_t id, uint32_t offset, const char *field) {
    if (!f->portal) return;
    f->report.reference_count++;
    if (id >> 24 != 0x01u && id >> 24 != 0x02u)
        dangle(f, offset, field, "a model, GfxObj 0x01...... or Setup 0x02......, is expected", id);
    else if (!acp_dat_find(f->portal, id))
        dangle(f, offset, field, "a model that the portal file has is expected", id);
}

static void on_portal_id(follower *f, const char *name, uint32_t id, uint32_t offset) {
    switch (f->kind) {
    case ACP_RECORD_GFXOBJ:
        if (strcmp(name, "degrade_id") == 0)
            follow(f, id, 0x11u, offset, name, "a GfxObjDegradeInfo 0x11...... is expected",
                   "a GfxObjDegradeInfo that the portal file has is expected");
        break;
    case ACP_RECORD_DEGRADE_INFO:
        if (strcmp(name, "gfxobj") == 0 && id) follow_mesh(f, id, offset, name);
        break;
    case ACP_RECORD_SETUP:
        if (strcmp(name, "parts") == 0) follow_mesh(f, id, offset, name);
        if (strcmp(name, "default_animation") == 0 && id) follow_animation(f, id, offset, name);
        if (strcmp(name, "default_motion_table") == 0 && id)
            follow(f, id, 0x09u, offset, name, "a MotionTable 0x09...... is expected",
                   "a MotionTable that the portal file has is expected");
        break;
    case ACP_RECORD_MOTION_TABLE:
        if (strcmp(name, "animation") == 0) follow_animation(f, id, offset, name);
        break;
    case ACP_RECORD_SCENE:
        if (strcmp(name, "object_id") == 0 && id) follow_model(f, id, offset, name);
        break;
    case ACP_RECORD_REGION:
        if (strcmp(name, "scenes") == 0 && id)
            follow(f, id, 0x12u, offset, name, "a Scene 0x12...... is expected", "a Scene that the portal file has is expected");
        break;
    case ACP_RECORD_OTHER:
    case ACP_RECORD_ANIMATION:
    case ACP_RECORD_ENVIRONMENT:
    case ACP_RECORD_LAND_BLOCK:
    case ACP_RECORD_LAND_BLOCK_INFO:
    case ACP_RECORD_ENV_CELL:
    case ACP_RECORD_KIND_COUNT:
        break;
    }
}

/* ----------------------------------------------------------------------------------------------------------------- environments */

static void free_environment(follower *f, environment *e) {
    if (!e) return;
    if (e->ends) ACP_MEMORY_DELETE_ARRAY(&f->allocator, uint32_t, e->ends, e->room_count);
    if (e->ids) ACP_MEMORY_DELETE_ARRAY(&f->allocator, uint16_t, e->ids, e->id_count);
    ACP_MEMORY_DELETE(&f->allocator, environment, e);
}

static bool fill_environment(follower *f, const acp_record_environment *from, environment *to) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < from->cell_count; i++)
        total += from->cells[i].portals.count;
    to->ends = ACP_MEMORY_NEW_ARRAY(&f->allocator, uint32_t, from->cell_count ? from->cell_count : 1u);
    if (!to->ends) return false;
    to->room_count = from->cell_count ? from->cell_count : 1u;
    if (total) to->ids = ACP_MEMORY_NEW_ARRAY(&f->allocator, uint16_t, total);
    if (total && !to->ids) return false;
    to->id_count = total;
    uint32_t used = 0;
    for (uint32_t i = 0; i < from->cell_count; i++) {
        const acp_record_cell_structure *s = &from->cells[i];
        for (uint32_t k = 0; k < s->portals.count; k++)
            if (s->portals.items[k] < s->polygons.count) to->ids[used++] = s->polygons.items[s->portals.items[k]].id;
        to->ends[i] = used;
    }
    return true;
}

/* Null: out of memory. An environment that cannot be had has no rooms. */
static const environment *get_environment(follower *f, uint32_t id) {
    environment **slot = &f->environments[id & 0xFFFFu];
    if (*slot) return *slot;
    environment *e = ACP_MEMORY_NEW(&f->allocator, environment);
    if (!e) return NULL;
    acp_record record;
    acp_error unused;
    memset(&record, 0, sizeof record);
    acp_result result = acp_dat_read(f->portal, id, &f->other, &unused);
    if (result == ACP_OK)
        result = acp_record_decode(ACP_RECORD_ENVIRONMENT, f->other.bytes, f->other.size, NULL, &f->allocator, &record, &unused);
    bool is_good = result != ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK) is_good = fill_environment(f, record.content.environment, e);
    acp_record_free(&record);
    if (!is_good) {
        free_environment(f, e);
        return NULL;
    }
    *slot = e;
    return e;
}

static void follow_structure(follower *f, uint32_t offset) {
    if (!f->portal) return;
    f->report.reference_count++;
    const environment *e = get_environment(f, f->environment_id);
    if (!e)
        f->is_out_of_memory = true;
    else if (!acp_dat_find(f->portal, f->environment_id))
        dangle(f, offset - 2u, "environment", "an Environment that the portal file has is expected", f->environment_id);
    else if (e->room_count && f->structure >= e->room_count)
        dangle(f, offset, "structure", "an ordinal of the environment's structures is expected", f->structure);
}

static void follow_portal_polygon(follower *f, uint32_t polygon_id, uint32_t offset) {
    if (!f->portal) return;
    const environment *e = get_environment(f, f->environment_id);
    if (!e || !e->room_count || f->structure >= e->room_count) return; /* told already */
    f->report.reference_count++;
    for (uint32_t i = f->structure ? e->ends[f->structure - 1u] : 0; i < e->ends[f->structure]; i++)
        if (e->ids[i] == polygon_id) return;
    dangle(f, offset, "polygon_id", "the stored id of a polygon in the structure's portal list is expected", polygon_id);
}

/* ------------------------------------------------------------------------------------------------------------------------ cells */

/* Looks up a cell of the block; false when it is not there (told). */
static bool follow_cell(follower *f, uint32_t low, uint32_t offset, const char *field) {
    uint32_t id = f->block_id | low;
    f->report.reference_count++;
    if (low >= 0x100u && low <= 0xFFFDu && acp_dat_find(f->cell, id)) return true;
    dangle(f, offset, field, "an EnvCell that the cell file has is expected", id);
    return false;
}

/* The other end of a portal: its index among the other EnvCell's portals (DAT-65). For an entry of a building it must lead outside. */
static void follow_other_portal(follower *f, uint32_t index, bool is_entry, uint32_t offset) {
    acp_error unused;
    if (acp_dat_read(f->cell, f->block_id | f->other_cell, &f->other, &unused) || f->other.size < 16u) return;
    uint32_t portals = f->other.bytes[13], at = 48u + 2u * f->other.bytes[12] + 8u * index;
    f->report.reference_count++;
    if (index >= portals)
        dangle(f, offset, "other_portal", "the index of a portal of the other EnvCell is expected", index);
    else if (is_entry && at + 2u <= f->other.size && !(acp_dat_get_u16(f->other.bytes + at) & 4u))
        dangle(f, offset, "other_portal", "the index of a portal that leads outside is expected", index);
}

static void on_room_half(follower *f, const char *name, uint32_t value, uint32_t offset) {
    if (strcmp(name, "environment") == 0) f->environment_id = 0x0D000000u | value;
    if (strcmp(name, "structure") == 0) {
        f->structure = value;
        follow_structure(f, offset);
    }
    if (strcmp(name, "flags") == 0) f->flags = value;
    if (strcmp(name, "polygon_id") == 0) follow_portal_polygon(f, value, offset);
    if (strcmp(name, "other_cell") == 0) f->other_cell = value;
    if (strcmp(name, "other_portal") == 0 && !(f->flags & 4u) && follow_cell(f, f->other_cell, offset - 2u, "other_cell"))
        follow_other_portal(f, value, false, offset);
    if (strcmp(name, "visible") == 0) (void)follow_cell(f, value, offset, name);
}

static void on_info_half(follower *f, const char *name, uint32_t value, uint32_t offset) {
    if (strcmp(name, "other_cell") == 0) f->other_cell = value;
    if (strcmp(name, "other_portal") == 0 && follow_cell(f, f->other_cell, offset - 2u, "other_cell") && value != 0xFFFFu)
        follow_other_portal(f, value, true, offset);
    if (strcmp(name, "stabs") == 0) (void)follow_cell(f, value, offset, name);
}

/* EnvCells are numbered from 0x0100 on, without holes (AUT-34). */
static void follow_cell_count(follower *f, uint32_t count, uint32_t offset) {
    uint32_t most = count < 0xFEFEu ? count : 0xFEFEu;
    for (uint32_t i = 0; i < most; i++) {
        f->report.reference_count++;
        if (acp_dat_find(f->cell, f->block_id | (0x100u + i))) continue;
        dangle(f, offset, "cell_count", "an EnvCell for every number up to the count is expected", f->block_id | (0x100u + i));
    }
    const acp_dat_entry *beyond = acp_dat_entry_at(f->cell, acp_dat_lower_bound(f->cell, f->block_id | (0x100u + most)));
    if (most < 0xFEFEu && beyond && beyond->id <= (f->block_id | 0xFFFDu))
        tell(f, false, ACP_ERROR_BAD_DATA, offset, "cell_count", "an EnvCell beyond the count is never loaded", beyond->id);
}

static void follow_info(follower *f, uint32_t has_info, uint32_t offset) {
    bool is_there = acp_dat_find(f->cell, f->block_id | 0xFFFEu) != NULL;
    f->report.reference_count++;
    if (has_info && !is_there) {
        f->report.dangling_count++;
        tell(f, true, ACP_ERROR_NOT_FOUND, offset, "has_info", "the LandBlockInfo that is announced is expected", f->block_id | 0xFFFEu);
    }
    if (!has_info && is_there)
        tell(f, false, ACP_ERROR_BAD_DATA, offset, "has_info", "a LandBlockInfo that is not announced is never loaded",
             f->block_id | 0xFFFEu);
}

/* ------------------------------------------------------------------------------------------------------------------------ walking */

static void on_value(void *user, acp_field field, const char *name, const void *value, uint32_t offset) {
    follower *f = user;
    uint16_t half = 0;
    uint32_t word = 0;
    if (field == ACP_FIELD_U16) memcpy(&half, value, sizeof half);
    if (field == ACP_FIELD_ID || field == ACP_FIELD_U32) memcpy(&word, value, sizeof word);
    if (!name || offset == 0) return;
    if (f->file == f->portal) {
        if (field == ACP_FIELD_ID) on_portal_id(f, name, word, offset);
        return;
    }
    if (field == ACP_FIELD_ID && (strcmp(name, "id") == 0 || strcmp(name, "model") == 0)) follow_model(f, word, offset, name);
    if (field == ACP_FIELD_U16 && f->kind == ACP_RECORD_ENV_CELL) on_room_half(f, name, half, offset);
    if (field == ACP_FIELD_U16 && f->kind == ACP_RECORD_LAND_BLOCK_INFO) on_info_half(f, name, half, offset);
    if (field == ACP_FIELD_U32 && strcmp(name, "cell_count") == 0) follow_cell_count(f, word, offset);
    if (field == ACP_FIELD_U32 && strcmp(name, "has_info") == 0) follow_info(f, word, offset);
}

static bool has_references(acp_record_kind kind) {
    return kind != ACP_RECORD_OTHER && kind != ACP_RECORD_ANIMATION && kind != ACP_RECORD_ENVIRONMENT;
}

static acp_result walk(follower *f, const acp_dat *file, uint64_t done, uint64_t total) {
    acp_record_observer observer = {on_value, f};
    f->file = file;
    for (uint32_t i = 0; i < file->directory.entries.count; i++) {
        const acp_dat_entry *entry = &file->directory.entries.items[i];
        acp_error unused;
        if (acp_progress_tick(f->options.progress, "following references", done + i + 1u, total, 256)) return ACP_ERROR_CANCELLED;
        f->kind = entry->id == ACP_DAT_ITERATION_ID ? ACP_RECORD_OTHER : acp_record_kind_of(file->info.data_set, entry->id);
        if (!has_references(f->kind)) continue;
        acp_result result = acp_dat_read_entry(file, entry, &f->record, &unused);
        if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
        if (result) continue;
        f->id = entry->id;
        f->block_id = entry->id & 0xFFFF0000u;
        result = acp_record_observe(f->kind, f->record.bytes, f->record.size, NULL, &observer, &f->allocator, &unused);
        if (result == ACP_ERROR_OUT_OF_MEMORY || f->is_out_of_memory) return ACP_ERROR_OUT_OF_MEMORY;
    }
    return ACP_OK;
}

acp_result acp_dat_verify_references(const acp_dat *portal, const acp_dat *cell, const acp_dat_verify_options *options,
                                     acp_dat_reference_report *out_report, acp_error *error) {
    if ((!portal && !cell) || !out_report) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "verify", "null argument");
    follower f;
    memset(&f, 0, sizeof f);
    f.portal = portal;
    f.cell = cell;
    f.options = acp_dat_verify_options_default();
    if (options) memcpy(&f.options, options, options->struct_size < sizeof f.options ? options->struct_size : sizeof f.options);
    f.allocator = portal ? portal->allocator : cell->allocator;
    f.environments = ACP_MEMORY_NEW_ARRAY(&f.allocator, environment *, 0x10000u);
    uint64_t first = portal ? portal->directory.entries.count : 0, total = first + (cell ? cell->directory.entries.count : 0);
    acp_result result = f.environments ? ACP_OK : ACP_ERROR_OUT_OF_MEMORY;
    if (result == ACP_OK && portal) result = walk(&f, portal, 0, total);
    if (result == ACP_OK && cell) result = walk(&f, cell, first, total);
    for (uint32_t i = 0; f.environments && i < 0x10000u; i++)
        free_environment(&f, f.environments[i]);
    if (f.environments) ACP_MEMORY_DELETE_ARRAY(&f.allocator, environment *, f.environments, 0x10000u);
    acp_dat_record_release(&f.record);
    acp_dat_record_release(&f.other);
    if (result == ACP_ERROR_OUT_OF_MEMORY) (void)acp_error_set(error, result, "verify", "memory for the references refused");
    if (result == ACP_ERROR_CANCELLED) (void)acp_error_set(error, result, "verify", "stopped by the caller");
    if (result == ACP_OK) *out_report = f.report;
    return result;
}
