/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_ID_POOL_H
#define ACP_BASE_ID_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"
#include "base/array.h"
#include "base/stock.h"

/* Generational handles: which slot, and how often the slot had been used before. All zero is the null handle. A handle to a released
 * slot is stale and recognised as such: for ever, because a slot whose generation is used up is retired instead of wrapping round.
 * Owners keep their columns in arrays beside the pool, indexed by slot. Slots stand in pages that never move. */

#define ACP_ID_POOL_MAX_GENERATION UINT32_MAX

typedef struct acp_id {
    uint32_t index1;     /* slot + 1; 0 = null */
    uint32_t generation; /* 1..UINT32_MAX for a live handle */
} acp_id;

typedef struct acp_id_slot {
    uint32_t generation; /* of the live handle, or of the next one when free; 0 = retired */
    uint32_t next_free;  /* ACP_ID_SLOT_LIVE, or slot + 1 of the next free one (0 = last) */
} acp_id_slot;

#define ACP_ID_SLOT_LIVE UINT32_MAX

#define ACP_ID_SLOTS_PER_PAGE 512u
#define ACP_ID_PAGE_SIZE      ((uint32_t)(ACP_ID_SLOTS_PER_PAGE * sizeof(acp_id_slot)))

typedef struct acp_id_pool {
    acp_allocator allocator;
    acp_stock *stock;    /* that pages come from; null = the allocator */
    acp_id_slot **pages; /* of ACP_ID_SLOTS_PER_PAGE */
    acp_array_successor next_pages;
    uint32_t page_count;
    uint32_t page_capacity;
    uint32_t slot_count; /* slots ever used: columns need this many rows */
    uint32_t live_count;
    uint32_t retired_count;
    uint32_t first_free; /* slot + 1; 0 = none */
} acp_id_pool;

/* `stock` (of the same allocator, outliving the pool) may be null. */
void acp_id_pool_init(acp_id_pool *pool, const acp_allocator *allocator, acp_stock *stock);
void acp_id_pool_free(acp_id_pool *pool);

/* A slot below slot_count; no check. */
static inline acp_id_slot *acp_id_pool_slot(const acp_id_pool *pool, uint32_t slot) {
    return &pool->pages[slot / ACP_ID_SLOTS_PER_PAGE][slot % ACP_ID_SLOTS_PER_PAGE];
}

/* Makes the next `count` acquisitions certain to succeed. */
acp_result acp_id_pool_reserve(acp_id_pool *pool, uint32_t count);

/* Takes a slot: the last released one first. ACP_ERROR_OUT_OF_MEMORY or _LIMIT leave the pool as before. */
acp_result acp_id_pool_acquire(acp_id_pool *pool, acp_id *out_id);

/* ACP_ERROR_STALE_HANDLE when the handle is not live (null included). */
acp_result acp_id_pool_release(acp_id_pool *pool, acp_id id);

/* Whether the handle is live. */
static inline bool acp_id_pool_is_live(const acp_id_pool *pool, acp_id id) {
    uint32_t slot = id.index1 - 1u;
    if (slot >= pool->slot_count) return false;
    const acp_id_slot *at = acp_id_pool_slot(pool, slot);
    return at->generation == id.generation && at->next_free == ACP_ID_SLOT_LIVE;
}

/* The handle of a live slot, else null. For walking: for (slot = 0; slot < pool->slot_count; slot++). */
static inline acp_id acp_id_pool_at(const acp_id_pool *pool, uint32_t slot) {
    acp_id id = {0, 0};
    if (slot < pool->slot_count && acp_id_pool_slot(pool, slot)->next_free == ACP_ID_SLOT_LIVE) {
        id.index1 = slot + 1u;
        id.generation = acp_id_pool_slot(pool, slot)->generation;
    }
    return id;
}

#endif
