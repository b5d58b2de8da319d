/* SPDX-License-Identifier: MIT */
/* The models of a portal file as assets: decoded at the first request, kept in one table by id (PHO-4, DAT-59, DAT-71).
 *
 * A request finds its node by record id (an environment's rooms by id and ordinal), or makes it: read the record, decode it, flatten it.
 * What failed is remembered with its result, so that a world full of references to a damaged record reads it once; being out of memory is
 * not remembered. A setup asks for the meshes of its parts first, a mesh for the shape of its level 0. What is handed out through the
 * public door lives as long as the store; landblocks use nodes and release them, and the table keeps what nobody uses up to a limit
 * (asset/model_table.c).
 *
 * Contract: a lock is held during a request, decoding included; results are immutable. Limits: 2^32 assets. Cost: about 60 ns for what is
 * there; making is microseconds. */
#include "acphys/model_store.h"

#include <stdbool.h>
#include <string.h>

#include "asset/from_record.h"
#include "asset/model_store.h"
#include "asset/model_table.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/thread.h"
#include "dat/record_region.h"
#include "geom/polygon.h"

struct acp_model_store {
    acp_allocator parent;
    acp_counting_allocator counting; /* over parent; guarded by the mutex */
    acp_allocator allocator;         /* counting */
    const acp_dat *portal;
    const acp_dat_overlay *overlay; /* null: the file alone */
    acp_content_mode mode;
    acp_model_table table;
    acp_dat_record record;
    acp_mutex mutex;
    acp_mutex pending_mutex; /* of the list of releases; never held for long */
    acp_model_node *pending;
};

acp_result acp_model_store_create(const acp_dat *portal, uint32_t mode, const acp_allocator *allocator, acp_model_store **out_store,
                                  acp_error *error) {
    if (!portal || !out_store || mode > ACP_CONTENT_STRICT)
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "no portal file, or no such mode");
    acp_model_store *store = ACP_MEMORY_NEW(allocator, acp_model_store);
    bool has_mutex = store && acp_mutex_init(&store->mutex) == ACP_OK;
    if (!has_mutex || acp_mutex_init(&store->pending_mutex) != ACP_OK) {
        if (has_mutex) acp_mutex_destroy(&store->mutex);
        if (store) ACP_MEMORY_DELETE(allocator, acp_model_store, store);
        return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "model store", "memory refused");
    }
    store->parent = acp_memory_allocator(allocator);
    acp_counting_allocator_init(&store->counting, &store->parent, UINT64_MAX);
    store->allocator = acp_counting_allocator_value(&store->counting);
    acp_model_table_init(&store->table, &store->allocator);
    store->portal = portal;
    store->mode = (acp_content_mode)mode;
    *out_store = store;
    return ACP_OK;
}

void acp_model_store_destroy(acp_model_store *store) {
    if (!store) return;
    acp_model_table_free(&store->table);
    acp_dat_record_release(&store->record);
    acp_mutex_destroy(&store->mutex);
    acp_mutex_destroy(&store->pending_mutex);
    acp_allocator memory = store->parent;
    ACP_MEMORY_DELETE(&memory, acp_model_store, store);
}

static acp_result no_room(acp_error *error) { return acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, "model store", "memory refused"); }

/* Reads and decodes a record; the error names the file. */
static acp_result load(acp_model_store *store, acp_record_kind kind, uint32_t id, acp_record *out_record, acp_error *error) {
    memset(out_record, 0, sizeof *out_record);
    acp_result result = acp_dat_overlay_read(store->overlay, store->portal, id, &store->record, error);
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

/* ------------------------------------------------------------------------------------------------------------------------ making */

static acp_result obtain(acp_model_store *store, acp_model_kind kind, uint32_t id, uint32_t ordinal, const acp_record *decoded,
                         acp_model_node **out_node, acp_error *error);

/* The shape of exactly this record; the ordinal says whether it is always flat, which belongs to the mesh that asked (a level-0 mesh has
 * one degrade record). `decoded` may hold the record already. */
static acp_result make_shape(acp_model_store *store, acp_model_node *node, const acp_record *decoded, acp_error *error) {
    acp_record record;
    memset(&record, 0, sizeof record);
    node->read_ids[0] = node->id;
    acp_result result = decoded ? ACP_OK : load(store, ACP_RECORD_GFXOBJ, node->id, &record, error);
    acp_shape *shape = NULL;
    if (result == ACP_OK) {
        const acp_record_gfxobj *gfxobj = decoded ? decoded->content.gfxobj : record.content.gfxobj;
        result = name_record(store, node->id,
                             acp_shape_from_record(gfxobj, node->ordinal != 0, store->mode, &store->allocator, &shape, error), error);
    }
    acp_record_free(&record);
    node->asset = result == ACP_OK ? shape : NULL;
    return result;
}

static acp_result make_mesh(acp_model_store *store, acp_model_node *node, acp_error *error) {
    acp_record mesh, degrade;
    memset(&degrade, 0, sizeof degrade);
    node->read_ids[0] = node->id;
    acp_result result = load(store, ACP_RECORD_GFXOBJ, node->id, &mesh, error);
    if (result == ACP_OK) {
        const acp_record_gfxobj *g = mesh.content.gfxobj;
        const acp_record_degrade_info *info = NULL;
        acp_error unused;
        acp_result degrade_result = ACP_ERROR_NOT_FOUND;
        if (g->flags & 8u) {
            node->read_ids[1] = g->degrade_id;
            degrade_result = load(store, ACP_RECORD_DEGRADE_INFO, g->degrade_id, &degrade, &unused);
        }
        if (degrade_result == ACP_OK) info = degrade.content.degrade_info;
        uint32_t id = info && info->count > 0 ? info->entries[0].gfxobj : node->id;
        acp_model_node *shape = NULL;
        result = acp_model_node_reserve_parts(&store->table, node, 1);
        if (degrade_result == ACP_ERROR_OUT_OF_MEMORY || result)
            result = no_room(error);
        else
            result =
                obtain(store, ACP_MODEL_SHAPE, id, acp_degrade_is_always_2d(info) ? 1u : 0u, id == node->id ? &mesh : NULL, &shape, error);
        if (shape) acp_model_node_add_part(&store->table, node, shape);
        if (result == ACP_OK) node->asset = shape->asset;
    }
    acp_record_free(&degrade);
    acp_record_free(&mesh);
    return result;
}

/* The meshes of a setup's parts, up to the first that cannot be had; then the setup. */
static acp_result make_setup_of(acp_model_store *store, acp_model_node *node, const acp_record_setup *record, acp_setup **out_setup,
                                acp_error *error) {
    if (record->part_count == 0) {
        acp_error_set(error, ACP_ERROR_BAD_DATA, "model store", "a setup without parts makes no object");
        acp_error_set_place(error, record->id, 8, "parts");
        return ACP_ERROR_BAD_DATA;
    }
    const acp_shape **shapes = ACP_MEMORY_NEW_ARRAY(&store->allocator, const acp_shape *, record->part_count);
    acp_result result = shapes ? acp_model_node_reserve_parts(&store->table, node, record->part_count) : ACP_ERROR_OUT_OF_MEMORY;
    if (result) no_room(error);
    for (uint32_t i = 0; i < record->part_count && result == ACP_OK; i++) {
        acp_model_node *mesh = NULL;
        result = obtain(store, ACP_MODEL_MESH, record->parts[i], 0, NULL, &mesh, error);
        if (mesh) acp_model_node_add_part(&store->table, node, mesh);
        if (result == ACP_OK) shapes[i] = mesh->asset;
    }
    if (result == ACP_OK) result = acp_setup_from_record(record, shapes, &store->allocator, out_setup, error);
    if (shapes) ACP_MEMORY_DELETE_ARRAY(&store->allocator, const acp_shape *, shapes, record->part_count);
    return result;
}

static acp_result make_setup(acp_model_store *store, acp_model_node *node, acp_error *error) {
    acp_setup *setup = NULL;
    acp_result result;
    if (node->id >> 24 == 0x01u) {
        acp_model_node *mesh = NULL;
        result = acp_model_node_reserve_parts(&store->table, node, 1);
        result = result ? no_room(error) : obtain(store, ACP_MODEL_MESH, node->id, 0, NULL, &mesh, error);
        if (mesh) acp_model_node_add_part(&store->table, node, mesh);
        if (result == ACP_OK) result = acp_setup_create_simple(mesh->asset, &store->allocator, &setup, error);
    } else {
        acp_record record;
        node->read_ids[0] = node->id;
        result = load(store, ACP_RECORD_SETUP, node->id, &record, error);
        if (result == ACP_OK) result = make_setup_of(store, node, record.content.setup, &setup, error);
        acp_record_free(&record);
    }
    node->asset = result == ACP_OK ? setup : NULL;
    return name_record(store, node->id, result, error);
}

/* Planes of the room's portal polygons (DAT-67). An ordinal out of range, or a polygon without a plane, gives no portal. */
static acp_result make_portals(acp_model_store *store, const acp_record_cell_structure *record, acp_model_room *out_room) {
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

static acp_result make_room(acp_model_store *store, acp_model_node *node, acp_error *error) {
    acp_record record;
    node->read_ids[0] = node->id;
    acp_result result = load(store, ACP_RECORD_ENVIRONMENT, node->id, &record, error);
    if (result == ACP_OK && node->ordinal >= record.content.environment->cell_count) {
        result = acp_error_set(error, ACP_ERROR_NOT_FOUND, "model store", "the environment has %u rooms, not room %u",
                               (unsigned)record.content.environment->cell_count, (unsigned)node->ordinal);
        acp_error_set_place(error, node->id, UINT64_MAX, "structure");
    }
    if (result == ACP_OK) {
        const acp_record_cell_structure *from = &record.content.environment->cells[node->ordinal];
        acp_model_room *room = ACP_MEMORY_NEW(&store->allocator, acp_model_room);
        node->asset = room; /* the node gives back what there is */
        if (!room || make_portals(store, from, room))
            result = no_room(error);
        else
            result = acp_cell_structure_from_record(from, store->mode, &store->allocator, &room->structure, error);
    }
    acp_record_free(&record);
    return name_record(store, node->id, result, error);
}

/* The node of a key, made when it is new. Given for refused records too; null when memory is out. */
static acp_result obtain(acp_model_store *store, acp_model_kind kind, uint32_t id, uint32_t ordinal, const acp_record *decoded,
                         acp_model_node **out_node, acp_error *error) {
    acp_model_node *node = acp_model_table_find(&store->table, kind, id, ordinal);
    *out_node = node;
    if (node) {
        if (node->result) {
            acp_error_set(error, node->result, "model store", "the record was refused before");
            acp_error_set_file(error, acp_dat_name(store->portal));
            acp_error_set_place(error, id, UINT64_MAX, NULL);
        }
        return node->result;
    }
    uint64_t bytes = store->counting.counters.bytes_in_use, others = store->table.bytes;
    node = acp_model_node_create(&store->table, kind, id, ordinal);
    acp_result result = ACP_ERROR_OUT_OF_MEMORY;
    if (node) switch (kind) {
        case ACP_MODEL_SHAPE:
            result = make_shape(store, node, decoded, error);
            break;
        case ACP_MODEL_MESH:
            result = make_mesh(store, node, error);
            break;
        case ACP_MODEL_SETUP:
            result = make_setup(store, node, error);
            break;
        case ACP_MODEL_ROOM:
            result = make_room(store, node, error);
            break;
        }
    if (node && result != ACP_ERROR_OUT_OF_MEMORY) {
        node->result = result;
        uint64_t more = store->counting.counters.bytes_in_use - bytes, theirs = store->table.bytes - others;
        node->bytes = more > theirs ? more - theirs : 0;
        if (acp_model_table_put(&store->table, node) == ACP_OK) {
            *out_node = node;
            return result;
        }
    }
    if (node) {
        node->bytes = 0;
        acp_model_node_destroy(&store->table, node);
    }
    return no_room(error);
}

/* ---------------------------------------------------------------------------------------------------------------------- requests */

/* Takes the lock and counts the releases that have come in. */
static void enter(acp_model_store *store) {
    acp_mutex_lock(&store->mutex);
    acp_mutex_lock(&store->pending_mutex);
    acp_model_node *list = store->pending;
    store->pending = NULL;
    for (acp_model_node *node = list, *next; node; node = next) {
        next = node->next_pending;
        node->next_pending = NULL;
        for (; node->pending > 1u; node->pending--)
            acp_model_table_release(&store->table, node);
        node->pending = 0;
        acp_model_table_release(&store->table, node); /* may be its end */
    }
    acp_mutex_unlock(&store->pending_mutex);
    acp_model_table_trim(&store->table);
}

static void leave(acp_model_store *store) {
    acp_model_table_trim(&store->table);
    acp_mutex_unlock(&store->mutex);
}

/* One request under the lock: `keeps` for the public door, else the node is used once more. */
static acp_result request(acp_model_store *store, acp_model_kind kind, uint32_t id, uint32_t ordinal, bool keeps, acp_model_node **out_node,
                          acp_error *error) {
    acp_error own;
    enter(store);
    acp_result result = obtain(store, kind, id, ordinal, NULL, out_node, error ? error : &own);
    if (*out_node && keeps)
        acp_model_table_keep(&store->table, *out_node);
    else if (*out_node)
        acp_model_table_use(&store->table, *out_node);
    leave(store);
    return result;
}

acp_result acp_model_store_get_shape(acp_model_store *store, uint32_t gfxobj_id, const acp_shape **out_shape, acp_error *error) {
    if (!store || !out_shape) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    acp_model_node *node;
    acp_result result = request(store, ACP_MODEL_MESH, gfxobj_id, 0, true, &node, error);
    if (result == ACP_OK) *out_shape = node->asset;
    return result;
}

static acp_result check_model_id(uint32_t model_id, acp_error *error) {
    if (model_id >> 24 == 0x01u || model_id >> 24 == 0x02u) return ACP_OK;
    acp_error_set(error, ACP_ERROR_INVALID_ID, "model store", "a model is a GfxObj 0x01… or a Setup 0x02…");
    acp_error_set_place(error, model_id, UINT64_MAX, "model_id");
    return ACP_ERROR_INVALID_ID;
}

acp_result acp_model_store_get_setup(acp_model_store *store, uint32_t model_id, const acp_setup **out_setup, acp_error *error) {
    if (!store || !out_setup) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    acp_model_node *node;
    acp_result result = check_model_id(model_id, error);
    if (result == ACP_OK) result = request(store, ACP_MODEL_SETUP, model_id, 0, true, &node, error);
    if (result == ACP_OK) *out_setup = node->asset;
    return result;
}

acp_result acp_model_store_use_setup(acp_model_store *store, uint32_t model_id, const acp_setup **out_setup, acp_model_node **out_node,
                                     acp_error *error) {
    *out_node = NULL;
    acp_result result = check_model_id(model_id, error);
    if (result == ACP_OK) result = request(store, ACP_MODEL_SETUP, model_id, 0, false, out_node, error);
    if (result == ACP_OK) *out_setup = (*out_node)->asset;
    return result;
}

acp_result acp_model_store_get_cell_structure(acp_model_store *store, uint32_t environment_id, uint32_t ordinal,
                                              const acp_cell_structure **out_structure, acp_error *error) {
    if (!store || !out_structure) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    acp_model_node *node;
    acp_result result = request(store, ACP_MODEL_ROOM, environment_id, ordinal, true, &node, error);
    if (result == ACP_OK) *out_structure = ((const acp_model_room *)node->asset)->structure;
    return result;
}

acp_result acp_model_store_use_room(acp_model_store *store, uint32_t environment_id, uint32_t ordinal,
                                    const acp_cell_structure **out_structure, const acp_room_portal **out_portals,
                                    uint32_t *out_portal_count, acp_model_node **out_node, acp_error *error) {
    acp_result result = request(store, ACP_MODEL_ROOM, environment_id, ordinal, false, out_node, error);
    if (result) return result;
    const acp_model_room *room = (*out_node)->asset;
    *out_structure = room->structure;
    *out_portals = room->portals;
    *out_portal_count = room->portal_count;
    return ACP_OK;
}

void acp_model_store_release(acp_model_store *store, acp_model_node *node) {
    acp_mutex_lock(&store->pending_mutex);
    if (!node->pending++) {
        node->next_pending = store->pending;
        store->pending = node;
    }
    acp_mutex_unlock(&store->pending_mutex);
}

void acp_model_store_use_again(acp_model_store *store, acp_model_node *const *nodes, uint32_t count) {
    enter(store);
    for (uint32_t i = 0; i < count; i++)
        acp_model_table_use(&store->table, nodes[i]);
    leave(store);
}

const acp_setup *acp_model_node_setup(const acp_model_node *node) { return node->kind == ACP_MODEL_SETUP ? node->asset : NULL; }

acp_result acp_model_store_get_height_table(acp_model_store *store, acp_height_table *out_table, acp_error *error) {
    if (!store || !out_table) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "model store", "null argument");
    acp_record record;
    enter(store);
    acp_result result = load(store, ACP_RECORD_REGION, 0x13000000u, &record, error);
    if (result == ACP_OK) result = acp_height_table_from_values(record.content.region->height_table, out_table, error);
    acp_record_free(&record);
    leave(store);
    return name_record(store, 0x13000000u, result, error);
}

/* ------------------------------------------------------------------------------------------------------------- bytes and editing */

void acp_model_store_set_byte_limit(acp_model_store *store, uint64_t byte_limit) {
    enter(store);
    store->table.byte_limit = byte_limit;
    leave(store);
}

void acp_model_store_get_bytes(acp_model_store *store, uint64_t *out_bytes, uint64_t *out_unused_bytes) {
    enter(store);
    *out_bytes = store->counting.counters.bytes_in_use;
    *out_unused_bytes = store->table.unused_bytes;
    leave(store);
}

void acp_model_store_set_overlay(acp_model_store *store, const acp_dat_overlay *overlay) {
    enter(store);
    store->overlay = overlay;
    leave(store);
}

void acp_model_store_set_aside(acp_model_store *store, const uint32_t *record_ids, uint32_t count) {
    enter(store);
    acp_model_table_set_aside(&store->table, record_ids, count);
    leave(store);
}

void acp_model_store_forget_aside(acp_model_store *store) {
    enter(store);
    acp_model_table_forget_aside(&store->table);
    leave(store);
}

void acp_model_store_bring_back(acp_model_store *store, const uint32_t *record_ids, uint32_t count) {
    enter(store);
    acp_model_table_bring_back(&store->table, record_ids, count);
    leave(store);
}

uint32_t acp_model_store_aside_model(const acp_model_store *store, const acp_setup *setup) {
    for (const acp_model_node *node = store->table.aside; node; node = node->next)
        if (node->kind == ACP_MODEL_SETUP && node->asset == setup) return node->id;
    return 0;
}
