/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_MODEL_TABLE_H
#define ACP_ASSET_MODEL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "asset/model_store.h"

/* Where the model store keeps its answers: found by key, counted by use. Nodes never move. Nobody but the store's files includes this. */

typedef enum acp_model_kind { ACP_MODEL_SHAPE = 1, ACP_MODEL_MESH, ACP_MODEL_SETUP, ACP_MODEL_ROOM } acp_model_kind;

/* What a room's node holds. */
typedef struct acp_model_room {
    acp_cell_structure *structure;
    uint32_t portal_count;
    acp_room_portal *portals;
} acp_model_room;

struct acp_model_node {
    acp_model_node *next;  /* in its bucket, or in the list of those set aside */
    acp_model_node *newer; /* in the list of the unused, or of those that are out of the table */
    acp_model_node *older;
    acp_model_kind kind;
    uint32_t id;
    uint32_t ordinal;
    acp_result result;    /* of making it */
    void *asset;          /* a mesh's is the shape of its part, the others' their own */
    uint64_t bytes;       /* of its own */
    uint32_t uses;        /* by landblocks and by other nodes */
    bool is_kept;         /* handed out for as long as the store lives */
    bool is_out;          /* replaced: no longer in the table */
    uint32_t read_ids[2]; /* records read in making it, parts apart; 0 = none */
    uint32_t part_count;
    acp_model_node *next_pending; /* releases not yet counted, under their own lock */
    uint32_t pending;
    acp_model_node **parts; /* each used once */
};

typedef struct acp_model_table {
    acp_allocator allocator;
    acp_model_node **buckets; /* a power of two */
    uint32_t bucket_count;
    uint32_t node_count;
    acp_model_node *newest; /* unused ones */
    acp_model_node *oldest;
    acp_model_node *out;   /* replaced, but still in use */
    acp_model_node *aside; /* set aside by an edit */
    uint64_t bytes;        /* of all nodes */
    uint64_t unused_bytes;
    uint64_t byte_limit; /* of the unused */
} acp_model_table;

void acp_model_table_init(acp_model_table *table, const acp_allocator *allocator);
void acp_model_table_free(acp_model_table *table);

acp_model_node *acp_model_table_find(const acp_model_table *table, acp_model_kind kind, uint32_t id, uint32_t ordinal);

/* A node outside the table; null when memory is out. */
acp_model_node *acp_model_node_create(acp_model_table *table, acp_model_kind kind, uint32_t id, uint32_t ordinal);
/* Gives back a node that is in no list, with asset and parts. */
void acp_model_node_destroy(acp_model_table *table, acp_model_node *node);
/* Room for parts; they are added with _use by the caller. */
acp_result acp_model_node_reserve_parts(acp_model_table *table, acp_model_node *node, uint32_t count);
void acp_model_node_add_part(acp_model_table *table, acp_model_node *node, acp_model_node *part);

acp_result acp_model_table_put(acp_model_table *table, acp_model_node *node);
void acp_model_table_use(acp_model_table *table, acp_model_node *node);
void acp_model_table_release(acp_model_table *table, acp_model_node *node);
void acp_model_table_keep(acp_model_table *table, acp_model_node *node);
/* Lets the longest unused go while there are too many bytes of them. */
void acp_model_table_trim(acp_model_table *table);

void acp_model_table_set_aside(acp_model_table *table, const uint32_t *record_ids, uint32_t count);
void acp_model_table_forget_aside(acp_model_table *table);
void acp_model_table_bring_back(acp_model_table *table, const uint32_t *record_ids, uint32_t count);

#endif
