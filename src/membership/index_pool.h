/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_INDEX_POOL_H
#define ACP_MEMBERSHIP_INDEX_POOL_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"
#include "base/array.h"
#include "base/stock.h"

/* Many small lists of 32-bit words: size classes 1, 2, 3, 4, 6, 8, 12, 16, ... in chunks that never move; freed lists are handed out again.
 * When the last list is given back, all memory but one chunk goes, a few chunks a call. A list is named by 32 bits; 0 = none. */

#define ACP_INDEX_POOL_CHUNK_BITS 12u
#define ACP_INDEX_POOL_CHUNK      (1u << ACP_INDEX_POOL_CHUNK_BITS) /* words */
#define ACP_INDEX_POOL_CLASSES    64u
#define ACP_INDEX_POOL_PAGE_SIZE  ((uint32_t)(ACP_INDEX_POOL_CHUNK * sizeof(uint32_t)))

typedef uint32_t acp_list_ref;

typedef struct acp_index_chunk {
    uint32_t *words;
    uint32_t word_count; /* ACP_INDEX_POOL_CHUNK, or more for the one list that has the chunk to itself */
} acp_index_chunk;

typedef struct acp_index_pool {
    acp_allocator allocator;
    acp_stock *stock; /* that chunks come from; null = the allocator */
    acp_index_chunk *chunks;
    uint32_t chunk_count;
    uint32_t chunk_capacity;
    acp_array_successor next_chunks;
    uint32_t surplus;    /* chunks above chunk_count that are still there, to be given back by and by */
    uint32_t current;    /* chunk that new lists are cut from */
    uint32_t used;       /* words cut from it */
    uint32_t free_chunk; /* slot + 1 of a released own chunk, chained through word_count */
    acp_list_ref free_lists[ACP_INDEX_POOL_CLASSES];
    uint64_t live_words; /* capacity of the lists in use */
    uint64_t live_lists;
    uint64_t bytes; /* taken from the allocator */
} acp_index_pool;

/* `stock` (of the same allocator, outliving the pool) may be null. */
void acp_index_pool_init(acp_index_pool *pool, const acp_allocator *allocator, acp_stock *stock);
void acp_index_pool_free(acp_index_pool *pool);

/* How many words a class holds: 1, 2, 3, 4, 6, 8, 12, ... */
static inline uint32_t acp_index_pool_capacity(uint32_t size_class) { return ((3u + (size_class & 1u)) << (size_class / 2u)) / 2u; }

/* Class of lists of `count` >= 1 words. */
uint32_t acp_index_pool_class_of_many(uint32_t count);
static inline uint32_t acp_index_pool_class(uint32_t count) { return count <= 4u ? count - 1u : acp_index_pool_class_of_many(count); }

/* Gives back some of the surplus that is there since the pool was empty. */
void acp_index_pool_give_back(acp_index_pool *pool);

static inline uint32_t *acp_index_pool_words(const acp_index_pool *pool, acp_list_ref list) {
    return pool->chunks[list >> ACP_INDEX_POOL_CHUNK_BITS].words + (list & (ACP_INDEX_POOL_CHUNK - 1u));
}

/* A list of the class; 0 when memory is refused (nothing changed). In line: one that was given back. */
acp_list_ref acp_index_pool_acquire_new(acp_index_pool *pool, uint32_t size_class);
static inline acp_list_ref acp_index_pool_acquire(acp_index_pool *pool, uint32_t size_class) {
    acp_list_ref list = pool->free_lists[size_class];
    if (!list) return acp_index_pool_acquire_new(pool, size_class);
    pool->free_lists[size_class] = acp_index_pool_words(pool, list)[0];
    pool->live_words += acp_index_pool_capacity(size_class);
    pool->live_lists++;
    return list;
}

/* In line: a list out of a shared chunk that is not the last one in use. */
void acp_index_pool_release_memory(acp_index_pool *pool, acp_list_ref list);
static inline void acp_index_pool_release(acp_index_pool *pool, acp_list_ref list, uint32_t size_class) {
    uint32_t words = acp_index_pool_capacity(size_class);
    if (!list) return;
    pool->live_words -= words;
    if ((--pool->live_lists == 0 && pool->chunk_count > 1u) || words >= ACP_INDEX_POOL_CHUNK) {
        acp_index_pool_release_memory(pool, list);
        return;
    }
    acp_index_pool_words(pool, list)[0] = pool->free_lists[size_class];
    pool->free_lists[size_class] = list;
}

#endif
