/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_REGISTRY_STATE_H
#define ACP_MEMBERSHIP_REGISTRY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "membership/index_pool.h"
#include "membership/registry.h"

/* What the files of the registry share; nobody else includes this. */

/* One per object: which cells it is in, what it waits for. 24 bytes. */
typedef struct acp_membership_row {
    acp_list_ref cells;        /* cell ids in array order, then one bit per entry (1 = not resident) when null_count is not 0 */
    uint32_t count;            /* entries */
    uint32_t null_count;       /* entries known by id only */
    acp_list_ref dependencies; /* block ids (MEM-42) */
    uint32_t dependency_count;
    uint8_t is_registered; /* the host wants it in the world: it enters its cell when that appears */
    uint8_t is_static;     /* column of MEM-31 that registered it */
    uint8_t dependency_class;
    uint8_t is_ordered : 1; /* stands among the statics of its cells */
    uint8_t is_settled : 1; /* while an exchange is committed: what it waits for is final */
} acp_membership_row;

_Static_assert(sizeof(acp_membership_row) <= 96, "a membership row stays within 96 bytes");

/* The objects of one cell: statics in canonical order, then dynamics. 12 bytes. A lone object needs no list: it stands in the head. */
typedef struct acp_cell_head {
    uint32_t objects; /* list of object indices; the object itself when the class is ACP_HEAD_LONE; 0 when there is neither */
    uint32_t count;
    uint32_t class_and_statics; /* size class in the low 6 bits, number of leading statics above */
} acp_cell_head;

_Static_assert(sizeof(acp_cell_head) == ACP_BLOCK_LIST_HEAD_SIZE, "a landblock has room for the heads of its cells");

#define ACP_HEAD_LONE 63u

static inline uint32_t acp_head_class(const acp_cell_head *head) { return head->class_and_statics & 63u; }
static inline uint32_t acp_head_statics(const acp_cell_head *head) { return head->class_and_statics >> 6; }
static inline bool acp_head_has_list(const acp_cell_head *head) { return head->objects != 0 && acp_head_class(head) != ACP_HEAD_LONE; }

/* Objects that wait for a block. */
typedef struct acp_dependents {
    acp_list_ref objects;
    uint32_t count;
    uint32_t size_class;
} acp_dependents;

#define ACP_DEPENDENTS_PER_PAGE 256u

/* Pages out of the world's stock. */
#define ACP_MEMBERSHIP_PAGE_SIZE ((uint32_t)(ACP_WORLD_ROWS_PER_PAGE * sizeof(acp_membership_row)))
#define ACP_DEPENDENTS_PAGE_SIZE ((uint32_t)(ACP_DEPENDENTS_PER_PAGE * sizeof(acp_dependents)))

/* The old rows of objects that are swapped together. */
typedef struct acp_swap_entry {
    uint32_t object;
    acp_membership_row old; /* its list fields count */
} acp_swap_entry;

typedef ACP_ARRAY(acp_swap_entry) acp_swap_log;

/* A note of an exchange (membership/exchange.h). */
typedef struct acp_exchange_step {
    uint32_t kind;
    uint32_t object;
    acp_membership_row old; /* list fields of the row that was replaced */
    acp_block *block;
    uint32_t cell_id; /* cell that held it; label before */
    uint32_t label;
    uint32_t first_id; /* into ids: what it waited for before, then what it waits for now */
    uint32_t old_id_count;
    uint32_t new_id_count;
} acp_exchange_step;

typedef ACP_ARRAY(uint32_t) acp_index_list;

/* What an exchange works in; its memory stays for the next one. */
typedef struct acp_exchange_room {
    ACP_ARRAY(acp_exchange_step) steps;
    acp_index_list ids;
    acp_index_list objects;             /* scratch */
    ACP_ARRAY(acp_object_model) models; /* that objects had before */
    acp_dependency_list both;           /* scratch */
} acp_exchange_room;

typedef struct acp_registry {
    acp_allocator allocator;
    acp_index_pool pool;
    acp_membership_row **pages; /* as the world's rows */
    uint32_t page_count;        /* pages that may be asked for; null among them = not made yet */
    uint32_t page_capacity;
    acp_array_successor next_pages;
    acp_dependents *dependents[ACP_WORLD_BLOCKS / ACP_DEPENDENTS_PER_PAGE]; /* by block id >> 16; pages made when needed */
    acp_cell_array array;                                                   /* scratch of the world thread */
    acp_dependency_list waiting;
    acp_swap_log family; /* of acp_registry_set_cells: empty between calls, its room stays */
    uint64_t pair_count;
    uint64_t null_row_count;
    uint64_t head_bytes;
    uint64_t dependency_count;
    uint64_t dependency_words;
    uint64_t flood_count;
    uint64_t reflood_count;
    uint32_t object_count; /* rows with cells */
    bool holds_lists;      /* an exchange is open: lists of emptied cells are kept */
    acp_exchange_room room;
} acp_registry;

/* The world's registry, null before the first registration; _make makes it. */
static inline acp_registry *acp_registry_of(const acp_world *world) { return world->columns[ACP_COLUMN_MEMBERSHIP].data; }
acp_registry *acp_registry_make_first(acp_world *world);
static inline acp_registry *acp_registry_make(acp_world *world) {
    acp_registry *registry = acp_registry_of(world);
    return registry ? registry : acp_registry_make_first(world);
}

/* The row of an object: null when it has none yet; _make makes its page. */
static inline acp_membership_row *acp_registry_row(const acp_registry *registry, uint32_t object) {
    uint32_t page = object / ACP_WORLD_ROWS_PER_PAGE;
    if (!registry || page >= registry->page_count || !registry->pages[page]) return NULL;
    return &registry->pages[page][object % ACP_WORLD_ROWS_PER_PAGE];
}
acp_membership_row *acp_registry_row_make_page(acp_registry *registry, uint32_t object);
static inline acp_membership_row *acp_registry_row_make(acp_registry *registry, uint32_t object) {
    acp_membership_row *row = acp_registry_row(registry, object);
    return row ? row : acp_registry_row_make_page(registry, object);
}

static inline uint32_t acp_row_words(uint32_t count, uint32_t null_count) { return count + (null_count ? (count + 31u) / 32u : 0u); }

static inline bool acp_row_is_null(const uint32_t *words, uint32_t count, uint32_t null_count, uint32_t i) {
    return null_count && (words[count + i / 32u] >> (i % 32u) & 1u);
}

/* The list head of a resident cell: null when its block has none yet. */
acp_cell_head *acp_registry_head(const acp_world *world, acp_cell cell);

/* The objects of a cell that has some, for reading; index 0 is the first. */
static inline const uint32_t *acp_head_objects(const acp_registry *registry, const acp_cell_head *head) {
    return acp_head_class(head) == ACP_HEAD_LONE ? &head->objects : acp_index_pool_words(&registry->pool, head->objects);
}

/* A new cell list for one object, not yet in any cell: count 0 and no list when the array is empty. Particle emitters get their one row. */
acp_result acp_registry_build_list(acp_world *world, acp_registry *registry, uint32_t object, const acp_cell_array *array,
                                   acp_membership_row *out_row);

/* Takes the object's entries out of the cells, and puts them in, leaving those alone that `except` (may be null) has too; room must be
 * there. The row's list itself is untouched. */
void acp_registry_unlink_row(acp_world *world, acp_registry *registry, uint32_t object, const acp_membership_row *row,
                             const acp_membership_row *except);
void acp_registry_link_row(acp_world *world, acp_registry *registry, uint32_t object, const acp_membership_row *row,
                           const acp_membership_row *except);
void acp_registry_release_list(acp_registry *registry, const acp_membership_row *row);

/* Gives back the lists of those cells of a (former) row that are empty now. */
void acp_registry_trim(acp_world *world, acp_registry *registry, const acp_membership_row *row);

/* Replaces the rows of one object, children apart; on failure nothing has changed. The old list is handed over: either _finish_swap
 * releases it or _swap_back restores it, which needs no memory. While several swaps may have to be undone holds_lists keeps the room. */
acp_result acp_registry_swap_row(acp_world *world, acp_registry *registry, uint32_t object, const acp_cell_array *array,
                                 acp_membership_row *out_old);
/* `old` is given the row that goes; _finish_swap releases it. */
void acp_registry_swap_back(acp_world *world, acp_registry *registry, uint32_t object, acp_membership_row *old);
void acp_registry_finish_swap(acp_world *world, acp_registry *registry, const acp_membership_row *old);

/* Several swaps that happen together or not at all. */
acp_result acp_swap_log_swap(acp_world *world, acp_registry *registry, acp_swap_log *log, uint32_t object, const acp_cell_array *array);
/* `holds_lists`: what it was before the first swap; true in between. */
void acp_swap_log_undo(acp_world *world, acp_registry *registry, acp_swap_log *log, bool holds_lists);
void acp_swap_log_finish(acp_world *world, acp_registry *registry, acp_swap_log *log);
/* After undo and finish a log is empty and its room stays for the next time, until this. */
void acp_swap_log_free(acp_registry *registry, acp_swap_log *log);

/* Gives back a block's list heads, with what is still in them. */
void acp_registry_release_block(acp_world *world, acp_block *block);

/* Replaces what an object waits for. On failure nothing has changed. */
acp_result acp_registry_set_dependencies(acp_registry *registry, uint32_t object, const acp_dependency_list *list);
void acp_registry_drop_dependencies(acp_registry *registry, uint32_t object);
/* One block less to wait for. */
void acp_registry_drop_dependency(acp_registry *registry, uint32_t object, uint32_t block_id);
acp_dependents *acp_registry_dependents(const acp_registry *registry, uint32_t block_id);

void acp_exchange_room_free(acp_registry *registry);

/* Floods an object into the registry's scratch (array and waiting). */
acp_result acp_registry_flood(acp_world *world, acp_registry *registry, uint32_t object, bool is_static, const acp_trace_sink *trace);

#endif
