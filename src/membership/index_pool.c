/* SPDX-License-Identifier: MIT */
/* Many small lists of 32-bit words.
 *
 * Lists are cut from chunks of 4,096 words and grouped into size classes (powers of two and one and a half times them), so a list wastes at
 * most a third of its capacity; a freed list is chained in its class through its first word. A list longer than a chunk has a chunk to
 * itself, which goes back to the allocator with it. Names are chunk number and offset in 32 bits: 16 GiB in all; word 0 of chunk 0 is never
 * handed out, so 0 means none. When nothing is in use any more, all chunks but one are surplus: new ones are taken from them, and they are
 * given back a few at a time, so that no call frees what a whole world had.
 *
 * Contract: acquire may fail and then has changed nothing; release never fails. Cost: O(1), a chunk out of the stock every 4,096 words; the
 * table of chunks grows ahead (base/array.h). */
#include "membership/index_pool.h"

#include <string.h>

#include "base/memory.h"

#define CHUNK         ACP_INDEX_POOL_CHUNK
#define CHUNKS_A_CALL 32u

void acp_index_pool_init(acp_index_pool *pool, const acp_allocator *allocator, acp_stock *stock) {
    memset(pool, 0, sizeof *pool);
    pool->allocator = acp_memory_allocator(allocator);
    pool->stock = stock;
}

/* A chunk of the common size is a page of the stock. */
static uint32_t *take_words(acp_index_pool *pool, uint32_t words) {
    if (words == CHUNK && pool->stock) return acp_stock_take(pool->stock, ACP_INDEX_POOL_PAGE_SIZE);
    return acp_memory_allocate(&pool->allocator, (size_t)words * sizeof(uint32_t), ACP_STOCK_ALIGNMENT);
}

static void free_chunk(acp_index_pool *pool, uint32_t i) {
    acp_index_chunk *chunk = &pool->chunks[i];
    if (!chunk->words) return;
    pool->bytes -= (uint64_t)chunk->word_count * sizeof(uint32_t);
    acp_memory_free(&pool->allocator, chunk->words, (size_t)chunk->word_count * sizeof(uint32_t), ACP_STOCK_ALIGNMENT);
    chunk->words = NULL;
}

void acp_index_pool_free(acp_index_pool *pool) {
    for (uint32_t i = 0; i < pool->chunk_count + pool->surplus; i++)
        free_chunk(pool, i);
    acp_array_free(&pool->chunks, pool->chunk_capacity, sizeof *pool->chunks, &pool->allocator);
    acp_array_successor_free(&pool->next_chunks, sizeof *pool->chunks, &pool->allocator);
    acp_index_pool_init(pool, &pool->allocator, pool->stock);
}

void acp_index_pool_give_back(acp_index_pool *pool) {
    for (uint32_t i = 0; i < CHUNKS_A_CALL && pool->surplus; i++)
        free_chunk(pool, pool->chunk_count + --pool->surplus);
}

/* Nothing is in use: all but the first chunk are surplus, so that a lone object that comes and goes does not allocate each time. */
static void keep_one_chunk(acp_index_pool *pool) {
    pool->surplus += pool->chunk_count - 1u;
    pool->chunk_count = 1;
    pool->current = 0;
    pool->used = 1;
    pool->free_chunk = 0;
    memset(pool->free_lists, 0, sizeof pool->free_lists);
    acp_index_pool_give_back(pool);
}

/* Classes: 0 -> 1, 1 -> 2, 2 -> 3, 3 -> 4, 4 -> 6, 5 -> 8, 6 -> 12, ... */
uint32_t acp_index_pool_class_of_many(uint32_t count) {
    uint32_t size_class = 0;
    while (size_class < ACP_INDEX_POOL_CLASSES - 4u && acp_index_pool_capacity(size_class) < count)
        size_class++;
    return size_class;
}

static acp_result add_chunk(acp_index_pool *pool, uint32_t words, uint32_t *out_chunk) {
    uint32_t slot = pool->free_chunk ? pool->free_chunk - 1u : pool->chunk_count;
    if (slot >= 1u << (32u - ACP_INDEX_POOL_CHUNK_BITS)) return ACP_ERROR_LIMIT;
    uint32_t capacity = pool->chunk_capacity, there = pool->chunk_count + pool->surplus;
    acp_result result = acp_array_grow_ahead(&pool->chunks, &pool->chunk_capacity, there, sizeof *pool->chunks, slot + 1u,
                                             &pool->next_chunks, &pool->allocator);
    if (result != ACP_OK) return result;
    pool->bytes += (uint64_t)(pool->chunk_capacity - capacity) * sizeof *pool->chunks;
    bool is_surplus = !pool->free_chunk && pool->surplus;
    uint32_t *spare = is_surplus ? pool->chunks[slot].words : NULL, *memory = spare && words == CHUNK ? spare : take_words(pool, words);
    if (!memory) return ACP_ERROR_OUT_OF_MEMORY;
    if (spare && memory != spare) free_chunk(pool, slot);
    if (memory != spare) pool->bytes += (uint64_t)words * sizeof *memory;
    pool->surplus -= is_surplus;
    if (pool->free_chunk)
        pool->free_chunk = pool->chunks[slot].word_count;
    else
        pool->chunk_count++;
    pool->chunks[slot].words = memory;
    pool->chunks[slot].word_count = words;
    *out_chunk = slot;
    return ACP_OK;
}

/* Cuts a list out of the current chunk; the rest of a chunk that is too short for it becomes lists of smaller classes. */
static acp_list_ref cut_list(acp_index_pool *pool, uint32_t words) {
    if (!pool->chunk_count || pool->used + words > CHUNK) {
        uint32_t chunk;
        uint32_t left = pool->chunk_count ? CHUNK - pool->used : 0;
        if (add_chunk(pool, CHUNK, &chunk) != ACP_OK) return 0;
        while (left) {
            uint32_t size_class = acp_index_pool_class(left);
            if (acp_index_pool_capacity(size_class) > left) size_class--;
            acp_list_ref rest = pool->current << ACP_INDEX_POOL_CHUNK_BITS | (CHUNK - left);
            acp_index_pool_words(pool, rest)[0] = pool->free_lists[size_class];
            pool->free_lists[size_class] = rest;
            left -= acp_index_pool_capacity(size_class);
        }
        pool->current = chunk;
        pool->used = chunk == 0; /* word 0 of chunk 0 stays */
    }
    acp_list_ref list = pool->current << ACP_INDEX_POOL_CHUNK_BITS | pool->used;
    pool->used += words;
    return list;
}

acp_list_ref acp_index_pool_acquire_new(acp_index_pool *pool, uint32_t size_class) {
    uint32_t words = acp_index_pool_capacity(size_class);
    acp_list_ref list = 0;
    if (words < CHUNK) {
        list = cut_list(pool, words);
    } else {
        uint32_t chunk = 0;
        if (!pool->chunk_count && add_chunk(pool, CHUNK, &chunk) == ACP_OK) pool->used = 1; /* chunk 0 is never anybody's own */
        if (pool->chunk_count && add_chunk(pool, words, &chunk) == ACP_OK) list = chunk << ACP_INDEX_POOL_CHUNK_BITS;
    }
    if (!list) return 0;
    pool->live_words += words;
    pool->live_lists++;
    return list;
}

/* The list is not counted any more: it has a chunk to itself, or was the last one. */
void acp_index_pool_release_memory(acp_index_pool *pool, acp_list_ref list) {
    uint32_t i = list >> ACP_INDEX_POOL_CHUNK_BITS;
    if (pool->live_lists || pool->chunks[i].word_count > CHUNK) {
        free_chunk(pool, i);
        pool->chunks[i].word_count = pool->free_chunk;
        pool->free_chunk = i + 1u;
    }
    if (!pool->live_lists && pool->chunk_count > 1u) keep_one_chunk(pool);
}
