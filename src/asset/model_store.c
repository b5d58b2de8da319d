/* SPDX-License-Identifier: MIT */
/* The models of a portal file as assets: decoded at the first request, kept in one table by id (PHO-4, DAT-59, DAT-71).
 *
 * A request finds its slot by record id (an environment's rooms by id and ordinal), or makes it: read the record, decode it, flatten it.
 * What failed is remembered with its result, so that a world full of references to a damaged record reads it once; being out of memory is
 * not remembered. A setup asks for the shapes of its parts first. Assets refer to each other by pointer and never move: slots hold
 * pointers, the table only grows.
 *
 * Contract: one thread at a time for requests; results are immutable. Limits: 2^31 assets. Cost: about 40 ns for what is there; making is
 * microseconds. */
#include "acphys/model_store.h"

#include <stdbool.h>
#include <string.h>

#include "asset/from_record.h"
#include "asset/model_store.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"
#include "dat/record_region.h"
#include "geom/polygon.h"

typedef enum slot_kind { SLOT_FREE = 0, SLOT_SHAPE, SLOT_MESH, SLOT_SETUP, SLOT_STRUCTURE } slot_kind;

typedef struct slot {
    uint32_t id;
    uint32_t ordinal;
    slot_kind kind;
    acp_result result; /* of a request that failed */
    bool is_alias;     /* a mesh whose shape belongs to another slot */
    void *asset;
} slot;

/* What a SLOT_STRUCTURE holds. */
typedef struct room {
    acp_cell_structure *structure;
    uint32_t portal_count;
    acp_room_portal *portals;
} room;

struct acp_model_store {
    acp_allocator allocator;
    const acp_dat *portal;
    acp_content_mode mode;
    slot *slots; /* open addressing, a power of two */
    uint32_t slot_count;
    uint32_t used;
    acp_dat_record record;
    acp_mutex mutex; /* held during a request */
};

acp_result acp_model_store_create(const acp_dat *portal, uint32_t mode, const acp_allocator *allocator, acp_model_store **out_store,
                                  acp_error *error) {
    if (!portal || !out_store || mode > ACP_CONTENT_STRICT)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "no portal file, or no such mode");
    acp_model_store *store = ACP_MEMORY_NEW(allocator, acp_model_store);
    if (!store) return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "model store", "memory refused");
    store->allocator = acp_memory_allocator(allocator);
    store->portal = portal;
    store->mode = (acp_content_mode)mode;
    *out_store = store;
    return ACP_OK;
}

static void destroy_room(const acp_allocator *memory, room *r) {
    if (!r) return;
    acp_cell_structure_destroy(r->structure);
    if (r->portals) ACP_MEMORY_DELETE_ARRAY(memory, acp_room_portal, r->portals, r->portal_count);
    ACP_MEMORY_DELETE(memory, room, r);
}

static void destroy_asset(const acp_allocator *memory, const slot *s) {
    if (s->is_alias || !s->asset) return;
    if (s->kind == SLOT_SHAPE) acp_shape_destroy(s->asset);
    if (s->kind == SLOT_SETUP) acp_setup_destroy(s->asset);
    if (s->kind == SLOT_STRUCTURE) destroy_room(memory, s->asset);
}

void acp_model_store_destroy(acp_model_store *store) {
    if (!store) return;
    for (uint32_t pass = 0; pass < 2; pass++) /* setups before the shapes that they borrow */
        for (uint32_t i = 0; i < store->slot_count; i++)
            if ((store->slots[i].kind == SLOT_SETUP) == (pass == 0)) destroy_asset(&store->allocator, &store->slots[i]);
    acp_allocator memory = store->allocator;
    acp_dat_record_release(&store->record);
    ACP_MEMORY_DELETE_ARRAY(&memory, slot, store->slots, store->slot_count);
    ACP_MEMORY_DELETE(&memory, acp_model_store, store);
}

static uint32_t hash_of(uint32_t id, uint32_t ordinal, slot_kind kind) {
    uint32_t h = (id ^ ordinal * 0x85EBCA6Bu ^ (uint32_t)kind * 0xC2B2AE35u) * 0x9E3779B1u;
    return h ^ h >> 15;
}

/* The slot of a key, or the free slot where it belongs. */
static slot *find_slot(slot *slots, uint32_t slot_count, uint32_t id, uint32_t ordinal, slot_kind kind) {
    uint32_t i = hash_of(id, ordinal, kind) & (slot_count - 1u);
    while (slots[i].kind != SLOT_FREE && (slots[i].id != id || slots[i].ordinal != ordinal || slots[i].kind != kind))
        i = (i + 1u) & (slot_count - 1u);
    return &slots[i];
}

/* Room for one more asset. */
static acp_result make_room(acp_model_store *store) {
    if ((store->used + 1u) * 4u <= store->slot_count * 3u) return ACP_OK;
    uint32_t count = store->slot_count ? 2u * store->slot_count : 64u;
    slot *slots = ACP_MEMORY_NEW_ARRAY(&store->allocator, slot, count);
    if (!slots) return ACP_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < store->slot_count; i++) {
        const slot *old = &store->slots[i];
        if (old->kind != SLOT_FREE) *find_slot(slots, count, old->id, old->ordinal, old->kind) = *old;
    }
    ACP_MEMORY_DELETE_ARRAY(&store->allocator, slot, store->slots, store->slot_count);
    store->slots = slots;
    store->slot_count = count;
    return ACP_OK;
}

/* A kept answer; false when the key is new. */
static bool find_kept(const acp_model_store *store, uint32_t id, uint32_t ordinal, slot_kind kind, void **out_asset, acp_result *out_result,
                      acp_error *error) {
    if (store->slot_count == 0) return false;
    const slot *s = find_slot(store->slots, store->slot_count, id, ordinal, kind);
    if (s->kind == SLOT_FREE) return false;
    *out_asset = s->asset;
    *out_result = s->result;
    if (s->result) {
        acp_error_set(error, s->result, "model store", "the record was refused before");
        acp_error_set_file(error, acp_dat_name(store->portal));
        acp_error_set_place(error, id, UINT64_MAX, NULL);
    }
    return true;
}

/* Keeps an answer; make_room has been called. Out of memory is not an answer. */
static acp_result keep(acp_model_store *store, uint32_t id, uint32_t ordinal, slot_kind kind, void *asset, bool is_alias,
                       acp_result result) {
    if (result == ACP_ERROR_OUT_OF_MEMORY) return result;
    slot *s = find_slot(store->slots, store->slot_count, id, ordinal, kind);
    *s = (slot){id, ordinal, kind, result, is_alias, result ? NULL : asset};
    store->used++;
    return result;
}

static acp_result no_room(acp_error *error) {
    return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "model store", "memory for the table refused");
}

/* Reads and decodes a record; the error names the file. */
static acp_result load(acp_model_store *store, acp_record_kind kind, uint32_t id, acp_record *out_record, acp_error *error) {
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_read(store->portal, id, &store->record, error);
    if (result) return result;
    acp_record_decode_options options = {store->mode, NULL, NULL, id};
    result = acp_record_decode(kind, store->record.bytes, store->record.size, &options, &store->allocator, out_record, error);
    if (result) acp_error_set_file(error, acp_dat_name(store->portal));
    return result;
}

static acp_result name_record(const acp_model_store *store, uint32_t id, acp_result result, acp_error *error) {
    if (result && error) {
        acp_error_set_file(error, acp_dat_name(store->portal));
        if (error->field[0] == '\0') error->record_id = id;
    }
    return result;
}

/* The shape of exactly this record; `is_always_2d` belongs to the mesh that asked first (a level-0 mesh has one degrade record). */
static acp_result get_own_shape(acp_model_store *store, uint32_t id, bool is_always_2d, const acp_record *decoded, acp_shape **out_shape,
                                acp_error *error) {
    void *asset = NULL;
    acp_result result;
    uint32_t ordinal = is_always_2d ? 1u : 0u;
    if (find_kept(store, id, ordinal, SLOT_SHAPE, &asset, &result, error)) {
        *out_shape = asset;
        return result;
    }
    if (make_room(store)) return no_room(error);
    acp_record record;
    acp_shape *shape = NULL;
    memset(&record, 0, sizeof record);
    result = decoded ? ACP_OK : load(store, ACP_RECORD_GFXOBJ, id, &record, error);
    if (result == ACP_OK) {
        const acp_record_gfxobj *gfxobj = decoded ? decoded->content.gfxobj : record.content.gfxobj;
        result = name_record(store, id, acp_shape_from_record(gfxobj, is_always_2d, store->mode, &store->allocator, &shape, error), error);
    }
    acp_record_free(&record);
    *out_shape = shape;
    return keep(store, id, ordinal, SLOT_SHAPE, shape, false, result);
}

acp_result acp_model_store_get_shape(acp_model_store *store, uint32_t gfxobj_id, const acp_shape **out_shape, acp_error *error) {
    if (!store || !out_shape) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    void *asset = NULL;
    acp_result result;
    if (find_kept(store, gfxobj_id, 0, SLOT_MESH, &asset, &result, error)) {
        if (result == ACP_OK) *out_shape = asset;
        return result;
    }
    acp_record mesh, degrade;
    memset(&degrade, 0, sizeof degrade);
    acp_shape *shape = NULL;
    result = load(store, ACP_RECORD_GFXOBJ, gfxobj_id, &mesh, error);
    if (result == ACP_OK) {
        const acp_record_gfxobj *g = mesh.content.gfxobj;
        const acp_record_degrade_info *info = NULL;
        acp_error unused;
        acp_result degrade_result =
            g->flags & 8u ? load(store, ACP_RECORD_DEGRADE_INFO, g->degrade_id, &degrade, &unused) : ACP_ERROR_NOT_FOUND;
        if (degrade_result == ACP_OK) info = degrade.content.degrade_info;
        uint32_t id = info && info->count > 0 ? info->entries[0].gfxobj : gfxobj_id;
        if (degrade_result == ACP_ERROR_OUT_OF_MEMORY)
            result = no_room(error);
        else
            result = get_own_shape(store, id, acp_degrade_is_always_2d(info), id == gfxobj_id ? &mesh : NULL, &shape, error);
    }
    acp_record_free(&degrade);
    acp_record_free(&mesh);
    if (result != ACP_ERROR_OUT_OF_MEMORY && make_room(store)) return no_room(error); /* the shape is kept and found next time */
    result = keep(store, gfxobj_id, 0, SLOT_MESH, shape, true, result);
    if (result == ACP_OK) *out_shape = shape;
    return result;
}

/* The shapes of a setup's parts, in `store`'s memory. */
static acp_result make_setup(acp_model_store *store, const acp_record_setup *record, acp_setup **out_setup, acp_error *error) {
    if (record->part_count == 0) {
        acp_error_set(error, ACP_ERROR_BAD_DATA, "model store", "a setup without parts makes no object");
        acp_error_set_place(error, record->id, 8, "parts");
        return ACP_ERROR_BAD_DATA;
    }
    const acp_shape **shapes = ACP_MEMORY_NEW_ARRAY(&store->allocator, const acp_shape *, record->part_count);
    acp_result result = shapes ? ACP_OK : no_room(error);
    for (uint32_t i = 0; i < record->part_count && result == ACP_OK; i++)
        result = acp_model_store_get_shape(store, record->parts[i], &shapes[i], error);
    if (result == ACP_OK) result = acp_setup_from_record(record, shapes, &store->allocator, out_setup, error);
    if (shapes) ACP_MEMORY_DELETE_ARRAY(&store->allocator, const acp_shape *, shapes, record->part_count);
    return result;
}

acp_result acp_model_store_get_setup(acp_model_store *store, uint32_t model_id, const acp_setup **out_setup, acp_error *error) {
    if (!store || !out_setup) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    void *asset = NULL;
    acp_result result;
    if (find_kept(store, model_id, 0, SLOT_SETUP, &asset, &result, error)) {
        if (result == ACP_OK) *out_setup = asset;
        return result;
    }
    acp_setup *setup = NULL;
    if (model_id >> 24 == 0x01u) {
        const acp_shape *shape = NULL;
        result = acp_model_store_get_shape(store, model_id, &shape, error);
        if (result == ACP_OK) result = acp_setup_create_simple(shape, &store->allocator, &setup, error);
    } else if (model_id >> 24 == 0x02u) {
        acp_record record;
        result = load(store, ACP_RECORD_SETUP, model_id, &record, error);
        if (result == ACP_OK) result = make_setup(store, record.content.setup, &setup, error);
        acp_record_free(&record);
    } else {
        acp_error_set(error, ACP_ERROR_INVALID_ID, "model store", "a model is a GfxObj 0x01… or a Setup 0x02…");
        acp_error_set_place(error, model_id, UINT64_MAX, "model_id");
        return ACP_ERROR_INVALID_ID;
    }
    result = name_record(store, model_id, result, error);
    if (result != ACP_ERROR_OUT_OF_MEMORY && make_room(store)) {
        acp_setup_destroy(setup);
        return no_room(error);
    }
    result = keep(store, model_id, 0, SLOT_SETUP, setup, false, result);
    if (result == ACP_OK) *out_setup = setup;
    return result;
}

/* Planes of the room's portal polygons (DAT-67). An ordinal out of range, or a polygon without a plane, gives no portal. */
static acp_result make_portals(acp_model_store *store, const acp_record_cell_structure *record, room *out_room) {
    if (record->portals.count == 0) return ACP_OK;
    acp_vec3 points[255];
    acp_room_portal *portals = ACP_MEMORY_NEW_ARRAY(&store->allocator, acp_room_portal, record->portals.count);
    if (!portals) return ACP_ERROR_OUT_OF_MEMORY;
    out_room->portals = portals;
    out_room->portal_count = record->portals.count;
    for (uint32_t i = 0; i < record->portals.count; i++) {
        uint32_t ordinal = record->portals.items[i];
        if (ordinal >= record->polygons.count) continue;
        const acp_record_polygon *p = &record->polygons.items[ordinal];
        bool is_good = true;
        for (uint32_t k = 0; k < p->point_count && is_good; k++) {
            is_good = p->vertices[k] < record->vertices.count;
            if (is_good) points[k] = record->vertices.items[p->vertices[k]].position;
        }
        acp_polygon polygon = acp_polygon_make(points, is_good ? p->point_count : 0u, ordinal, p->sides_type);
        portals[i].polygon_id = p->id;
        portals[i].plane = polygon.plane;
        portals[i].is_there = acp_polygon_is_usable(&polygon);
    }
    return ACP_OK;
}

static acp_result get_room(acp_model_store *store, uint32_t environment_id, uint32_t ordinal, const room **out_room, acp_error *error) {
    void *asset = NULL;
    acp_result result;
    if (find_kept(store, environment_id, ordinal, SLOT_STRUCTURE, &asset, &result, error)) {
        *out_room = asset;
        return result;
    }
    if (make_room(store)) return no_room(error);
    acp_record record;
    room *made = NULL;
    result = load(store, ACP_RECORD_ENVIRONMENT, environment_id, &record, error);
    if (result == ACP_OK && ordinal >= record.content.environment->cell_count) {
        result = acp_error_set(error, ACP_ERROR_NOT_FOUND, "model store", "the environment has %u rooms, not room %u",
                               (unsigned)record.content.environment->cell_count, (unsigned)ordinal);
        acp_error_set_place(error, environment_id, UINT64_MAX, "structure");
    }
    if (result == ACP_OK) {
        const acp_record_cell_structure *from = &record.content.environment->cells[ordinal];
        made = ACP_MEMORY_NEW(&store->allocator, room);
        if (!made || make_portals(store, from, made))
            result = no_room(error);
        else
            result = acp_cell_structure_from_record(from, store->mode, &store->allocator, &made->structure, error);
    }
    acp_record_free(&record);
    if (result) {
        destroy_room(&store->allocator, made);
        made = NULL;
    }
    *out_room = made;
    return keep(store, environment_id, ordinal, SLOT_STRUCTURE, made, false, name_record(store, environment_id, result, error));
}

acp_result acp_model_store_get_cell_structure(acp_model_store *store, uint32_t environment_id, uint32_t ordinal,
                                              const acp_cell_structure **out_structure, acp_error *error) {
    if (!store || !out_structure) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    const room *found = NULL;
    acp_result result = get_room(store, environment_id, ordinal, &found, error);
    if (result == ACP_OK) *out_structure = found->structure;
    return result;
}

acp_result acp_model_store_get_room(acp_model_store *store, uint32_t environment_id, uint32_t ordinal,
                                    const acp_cell_structure **out_structure, const acp_room_portal **out_portals,
                                    uint32_t *out_portal_count, acp_error *error) {
    const room *found = NULL;
    acp_result result = get_room(store, environment_id, ordinal, &found, error);
    if (result) return result;
    *out_structure = found->structure;
    *out_portals = found->portals;
    *out_portal_count = found->portal_count;
    return ACP_OK;
}

acp_result acp_model_store_get_height_table(acp_model_store *store, acp_height_table *out_table, acp_error *error) {
    if (!store || !out_table) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    acp_record record;
    acp_result result = load(store, ACP_RECORD_REGION, 0x13000000u, &record, error);
    if (result == ACP_OK) result = acp_height_table_from_values(record.content.region->height_table, out_table, error);
    acp_record_free(&record);
    return name_record(store, 0x13000000u, result, error);
}
