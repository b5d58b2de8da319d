/* SPDX-License-Identifier: MIT */
/* Generational handles: taking and giving back slots.
 *
 * Contract: a handle is live from acquire to release and never again: releasing raises the slot's generation, and a slot whose last
 * generation (2^32 - 1) has been used is retired for good instead of wrapping round to a number that an old handle may still carry. The
 * null handle (all zero) is never live because no live generation is 0. Free slots form a stack, so the order of handles is a function
 * of the calls alone.
 *
 * Limits: 2^32 - 2 slots. A slot is 8 bytes; the pool never shrinks. Slots stand in pages of 4 KiB, so that no call copies what millions
 * of handles have: cost is constant, except for a page every 512 slots, out of a stock where there is one. The table of pages grows
 * ahead. */
#include "base/id_pool.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

#define MAX_SLOTS (UINT32_MAX - 1u)

void acp_id_pool_init(acp_id_pool *pool, const acp_allocator *allocator, acp_stock *stock) {
    memset(pool, 0, sizeof *pool);
    pool->allocator = acp_memory_allocator(allocator);
    pool->stock = stock;
}

void acp_id_pool_free(acp_id_pool *pool) {
    for (uint32_t i = 0; i < pool->page_count; i++)
        acp_memory_free(&pool->allocator, pool->pages[i], ACP_ID_PAGE_SIZE, ACP_STOCK_ALIGNMENT);
    acp_array_free(&pool->pages, pool->page_capacity, sizeof *pool->pages, &pool->allocator);
    acp_array_successor_free(&pool->next_pages, sizeof *pool->pages, &pool->allocator);
    acp_id_pool_init(pool, &pool->allocator, pool->stock);
}

acp_result acp_id_pool_reserve(acp_id_pool *pool, uint32_t count) {
    uint32_t free_count = pool->slot_count - pool->live_count - pool->retired_count;
    if (count <= free_count) return ACP_OK;
    uint64_t needed = (uint64_t)pool->slot_count + (count - free_count);
    if (needed > MAX_SLOTS) return ACP_ERROR_LIMIT;
    uint32_t pages = (uint32_t)((needed + ACP_ID_SLOTS_PER_PAGE - 1u) / ACP_ID_SLOTS_PER_PAGE);
    if (pages > pool->page_count) {
        acp_result result = acp_array_grow_ahead(&pool->pages, &pool->page_capacity, pool->page_count, sizeof *pool->pages, pages,
                                                 &pool->next_pages, &pool->allocator);
        if (result != ACP_OK) return result;
    }
    while (pool->page_count < pages) { /* pages made before a refusal stay as spare */
        acp_id_slot *page = pool->stock ? acp_stock_take(pool->stock, ACP_ID_PAGE_SIZE)
                                        : acp_memory_allocate_zero(&pool->allocator, 1, ACP_ID_PAGE_SIZE, ACP_STOCK_ALIGNMENT);
        if (!page) return ACP_ERROR_OUT_OF_MEMORY;
        pool->pages[pool->page_count++] = page;
    }
    return ACP_OK;
}

acp_result acp_id_pool_acquire(acp_id_pool *pool, acp_id *out_id) {
    uint32_t slot;
    if (pool->first_free) {
        slot = pool->first_free - 1u;
        pool->first_free = acp_id_pool_slot(pool, slot)->next_free;
    } else {
        acp_result result = acp_id_pool_reserve(pool, 1);
        if (result != ACP_OK) return result;
        slot = pool->slot_count++;
        acp_id_pool_slot(pool, slot)->generation = 1;
    }
    acp_id_pool_slot(pool, slot)->next_free = ACP_ID_SLOT_LIVE;
    pool->live_count++;
    out_id->index1 = slot + 1u;
    out_id->generation = acp_id_pool_slot(pool, slot)->generation;
    return ACP_OK;
}

acp_result acp_id_pool_release(acp_id_pool *pool, acp_id id) {
    if (!acp_id_pool_is_live(pool, id)) return ACP_ERROR_STALE_HANDLE;
    acp_id_slot *slot = acp_id_pool_slot(pool, id.index1 - 1u);
    pool->live_count--;
    if (slot->generation == ACP_ID_POOL_MAX_GENERATION) {
        slot->generation = 0;
        slot->next_free = 0;
        pool->retired_count++;
        return ACP_OK;
    }
    slot->generation++;
    slot->next_free = pool->first_free;
    pool->first_free = id.index1;
    return ACP_OK;
}
