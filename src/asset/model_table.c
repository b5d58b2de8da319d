/* SPDX-License-Identifier: MIT */
/* The bounded cache of shared immutable assets behind the model store.
 *
 * Nodes hang in buckets by (kind, id, ordinal). A setup uses the meshes of its parts, a mesh the shape of its level 0, landblocks use
 * setups and rooms. A node that nobody uses any more goes to the end of a list; when the list holds more bytes than the limit, its oldest
 * go, and with them the use of their parts. Refused records are kept the same way, so that a world full of references to a damaged record
 * reads it once. A node that was handed out through the public door is kept for ever.
 *
 * An edit sets aside the nodes that read a changed record. Forgetting them leaves those in use in a list of their own until they are
 * released; bringing them back drops what has been made since. Neither needs memory, so an edit can always be taken back.
 *
 * Contract: the store's lock is held. Limits: 2^32 nodes. Destruction recurses over parts, three levels deep by construction. Cost: one
 * bucket walk a request.
 */
#include "asset/model_table.h"

#include <string.h>

#include "base/memory.h"

void acp_model_table_init(acp_model_table *table, const acp_allocator *allocator) {
    memset(table, 0, sizeof *table);
    table->allocator = *allocator;
    table->byte_limit = UINT64_MAX;
}

static uint32_t bucket_of(const acp_model_table *table, acp_model_kind kind, uint32_t id, uint32_t ordinal) {
    uint32_t h = (id ^ ordinal * 0x85EBCA6Bu ^ (uint32_t)kind * 0xC2B2AE35u) * 0x9E3779B1u;
    return (h ^ h >> 15) & (table->bucket_count - 1u);
}

acp_model_node *acp_model_table_find(const acp_model_table *table, acp_model_kind kind, uint32_t id, uint32_t ordinal) {
    if (!table->bucket_count) return NULL;
    acp_model_node *node = table->buckets[bucket_of(table, kind, id, ordinal)];
    while (node && (node->id != id || node->ordinal != ordinal || node->kind != kind))
        node = node->next;
    return node;
}

/* ------------------------------------------------------------------------------------------------------------------------- nodes */

acp_model_node *acp_model_node_create(acp_model_table *table, acp_model_kind kind, uint32_t id, uint32_t ordinal) {
    acp_model_node *node = ACP_MEMORY_NEW(&table->allocator, acp_model_node);
    if (!node) return NULL;
    node->kind = kind;
    node->id = id;
    node->ordinal = ordinal;
    return node;
}

static void destroy_asset(acp_model_table *table, acp_model_node *node) {
    if (!node->asset) return;
    if (node->kind == ACP_MODEL_SHAPE) acp_shape_destroy(node->asset);
    if (node->kind == ACP_MODEL_SETUP) acp_setup_destroy(node->asset);
    if (node->kind == ACP_MODEL_ROOM) {
        acp_model_room *room = node->asset;
        acp_cell_structure_destroy(room->structure);
        if (room->portals) ACP_MEMORY_DELETE_ARRAY(&table->allocator, acp_room_portal, room->portals, room->portal_count);
        ACP_MEMORY_DELETE(&table->allocator, acp_model_room, room);
    }
    node->asset = NULL;
}

static void free_node(acp_model_table *table, acp_model_node *node) {
    destroy_asset(table, node);
    if (node->parts) acp_memory_free(&table->allocator, node->parts, node->part_count * sizeof *node->parts, _Alignof(acp_model_node *));
    ACP_MEMORY_DELETE(&table->allocator, acp_model_node, node);
}

void acp_model_node_destroy(acp_model_table *table, acp_model_node *node) {
    destroy_asset(table, node); /* before what it borrows */
    for (uint32_t i = 0; i < node->part_count; i++)
        if (node->parts[i]) acp_model_table_release(table, node->parts[i]);
    table->bytes -= node->bytes;
    free_node(table, node);
}

acp_result acp_model_node_reserve_parts(acp_model_table *table, acp_model_node *node, uint32_t count) {
    node->parts = acp_memory_allocate_zero(&table->allocator, count, sizeof *node->parts, _Alignof(acp_model_node *));
    if (!node->parts) return ACP_ERROR_OUT_OF_MEMORY;
    node->part_count = count;
    return ACP_OK;
}

void acp_model_node_add_part(acp_model_table *table, acp_model_node *node, acp_model_node *part) {
    uint32_t i = 0;
    while (node->parts[i])
        i++;
    node->parts[i] = part;
    acp_model_table_use(table, part);
}

bool acp_model_node_reads(const acp_model_node *node, uint32_t record_id) {
    if (node->read_ids[0] == record_id || node->read_ids[1] == record_id) return true;
    for (uint32_t i = 0; i < node->part_count; i++)
        if (node->parts[i] && acp_model_node_reads(node->parts[i], record_id)) return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------------------------------- table */

static acp_result grow(acp_model_table *table) {
    uint32_t count = table->bucket_count ? 2u * table->bucket_count : 64u, old_count = table->bucket_count;
    acp_model_node **old = table->buckets, **buckets = ACP_MEMORY_NEW_ARRAY(&table->allocator, acp_model_node *, count);
    if (!buckets) return ACP_ERROR_OUT_OF_MEMORY;
    table->buckets = buckets;
    table->bucket_count = count;
    for (uint32_t i = 0; i < old_count; i++)
        for (acp_model_node *node = old[i], *next; node; node = next) {
            next = node->next;
            acp_model_node **bucket = &buckets[bucket_of(table, node->kind, node->id, node->ordinal)];
            node->next = *bucket;
            *bucket = node;
        }
    if (old) ACP_MEMORY_DELETE_ARRAY(&table->allocator, acp_model_node *, old, old_count);
    return ACP_OK;
}

static void link_in(acp_model_table *table, acp_model_node *node) {
    acp_model_node **bucket = &table->buckets[bucket_of(table, node->kind, node->id, node->ordinal)];
    node->next = *bucket;
    *bucket = node;
    table->node_count++;
}

acp_result acp_model_table_put(acp_model_table *table, acp_model_node *node) {
    if (table->node_count >= table->bucket_count) {
        acp_result result = grow(table);
        if (result != ACP_OK && !table->bucket_count) return result; /* else it is only more crowded */
    }
    link_in(table, node);
    table->bytes += node->bytes;
    return ACP_OK;
}

static void link_out(acp_model_table *table, acp_model_node *node) {
    acp_model_node **link = &table->buckets[bucket_of(table, node->kind, node->id, node->ordinal)];
    while (*link != node)
        link = &(*link)->next;
    *link = node->next;
    node->next = NULL;
    table->node_count--;
}

/* --------------------------------------------------------------------------------------------------------------------------- use */

static bool is_unused(const acp_model_table *table, const acp_model_node *node) {
    return node->older || node->newer || table->newest == node;
}

static void leave_unused(acp_model_table *table, acp_model_node *node) {
    if (node->is_out || !is_unused(table, node)) return;
    *(node->newer ? &node->newer->older : &table->newest) = node->older;
    *(node->older ? &node->older->newer : &table->oldest) = node->newer;
    node->newer = node->older = NULL;
    table->unused_bytes -= node->bytes;
}

static void join_unused(acp_model_table *table, acp_model_node *node) {
    node->newer = NULL;
    node->older = table->newest;
    if (table->newest) table->newest->newer = node;
    table->newest = node;
    if (!table->oldest) table->oldest = node;
    table->unused_bytes += node->bytes;
}

static void leave_out(acp_model_table *table, acp_model_node *node) {
    *(node->newer ? &node->newer->older : &table->out) = node->older;
    if (node->older) node->older->newer = node->newer;
    node->newer = node->older = NULL;
}

static void join_out(acp_model_table *table, acp_model_node *node) {
    node->is_out = true;
    node->newer = NULL;
    node->older = table->out;
    if (table->out) table->out->newer = node;
    table->out = node;
}

void acp_model_table_use(acp_model_table *table, acp_model_node *node) {
    leave_unused(table, node);
    node->uses++;
}

void acp_model_table_keep(acp_model_table *table, acp_model_node *node) {
    leave_unused(table, node);
    node->is_kept = true;
}

void acp_model_table_release(acp_model_table *table, acp_model_node *node) {
    if (--node->uses || node->is_kept) return;
    if (!node->is_out) {
        join_unused(table, node);
        return;
    }
    leave_out(table, node);
    acp_model_node_destroy(table, node);
}

void acp_model_table_trim(acp_model_table *table) {
    while (table->oldest && table->unused_bytes > table->byte_limit) {
        acp_model_node *node = table->oldest;
        leave_unused(table, node);
        link_out(table, node);
        acp_model_node_destroy(table, node); /* its parts may join the unused */
    }
}

/* -------------------------------------------------------------------------------------------------------------------------- edit */

static bool reads_any(const acp_model_node *node, const uint32_t *record_ids, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (acp_model_node_reads(node, record_ids[i])) return true;
    return false;
}

/* Takes out of the table what read one of the records, into a list. */
static acp_model_node *take_readers(acp_model_table *table, const uint32_t *record_ids, uint32_t count) {
    acp_model_node *list = NULL;
    for (uint32_t i = 0; i < table->bucket_count; i++)
        for (acp_model_node *node = table->buckets[i], *next; node; node = next) {
            next = node->next;
            if (!reads_any(node, record_ids, count)) continue;
            leave_unused(table, node);
            link_out(table, node);
            node->next = list;
            list = node;
        }
    return list;
}

/* Lets a list of nodes go: at once where nobody uses them, else when the last user releases them. */
static void let_go(acp_model_table *table, acp_model_node *list) {
    for (acp_model_node *node = list, *next; node; node = next) {
        next = node->next;
        node->next = NULL;
        join_out(table, node);
    }
    for (acp_model_node *node = table->out; node;) {
        if (node->uses || node->is_kept) {
            node = node->older;
            continue;
        }
        leave_out(table, node);
        acp_model_node_destroy(table, node); /* others of the list may go with it */
        node = table->out;
    }
}

void acp_model_table_set_aside(acp_model_table *table, const uint32_t *record_ids, uint32_t count) {
    table->aside = take_readers(table, record_ids, count);
}

void acp_model_table_forget_aside(acp_model_table *table) {
    acp_model_node *list = table->aside;
    table->aside = NULL;
    let_go(table, list);
}

void acp_model_table_bring_back(acp_model_table *table, const uint32_t *record_ids, uint32_t count) {
    let_go(table, take_readers(table, record_ids, count));
    for (acp_model_node *node = table->aside, *next; node; node = next) {
        next = node->next;
        link_in(table, node);
        if (!node->uses && !node->is_kept) join_unused(table, node);
    }
    table->aside = NULL;
}

void acp_model_table_free(acp_model_table *table) {
    acp_model_table_forget_aside(table);
    for (int pass = 0; pass < 2; pass++) { /* setups before the shapes that they borrow */
        for (uint32_t i = 0; i < table->bucket_count; i++)
            for (acp_model_node *node = table->buckets[i]; node; node = node->next)
                if ((node->kind == ACP_MODEL_SETUP) == (pass == 0)) destroy_asset(table, node);
        for (acp_model_node *node = table->out; node; node = node->older)
            if ((node->kind == ACP_MODEL_SETUP) == (pass == 0)) destroy_asset(table, node);
    }
    for (uint32_t i = 0; i < table->bucket_count; i++)
        for (acp_model_node *node = table->buckets[i], *next; node; node = next) {
            next = node->next;
            free_node(table, node);
        }
    for (acp_model_node *node = table->out, *next; node; node = next) {
        next = node->older;
        free_node(table, node);
    }
    if (table->buckets) ACP_MEMORY_DELETE_ARRAY(&table->allocator, acp_model_node *, table->buckets, table->bucket_count);
}
