/* SPDX-License-Identifier: MIT */
/* Arenas: memory that lives together and dies together.
 *
 * A chain of blocks from one allocator; handing out moves an offset in the current block. When a request does not fit, the following
 * blocks kept from before a reset are tried, then a new block of block_size (or of the request's own size when that is larger) is put
 * behind the current one. What is left of a block that was passed by is lost until the next reset or rewind: at most one request's size
 * a block. Blocks never move and never shrink, so pointers stay good.
 *
 * Contract: a refusal (byte_limit or allocator) gives null and changes nothing. After warm-up - one reset later, with the same pattern of
 * requests - no block is taken any more. Blocks start 64-aligned, so any legal alignment costs at most 63 bytes.
 *
 * Limits: one thread at a time. Cost: a dozen instructions a request. */
#include "base/arena.h"

#include <string.h>

#include "base/memory.h"

#define DEFAULT_BLOCK_SIZE ((size_t)64 * 1024)

struct acp_arena_block {
    acp_arena_block *next;
    size_t size; /* of the payload */
    size_t used;
};

#define HEADER_SIZE ((sizeof(acp_arena_block) + 63u) & ~(size_t)63u)

static uint8_t *payload(acp_arena_block *block) { return (uint8_t *)block + HEADER_SIZE; }

/* Offset of the next aligned byte. */
static size_t align_up(size_t offset, size_t alignment) { return (offset + (alignment - 1)) & ~(alignment - 1); }

static bool block_has_room(const acp_arena_block *block, size_t size, size_t alignment) {
    size_t start = align_up(block->used, alignment);
    return start <= block->size && size <= block->size - start;
}

void acp_arena_init(acp_arena *arena, const acp_allocator *allocator, size_t block_size, uint64_t byte_limit) {
    memset(arena, 0, sizeof *arena);
    arena->allocator = acp_memory_allocator(allocator);
    arena->block_size = align_up(block_size ? block_size : DEFAULT_BLOCK_SIZE, 64);
    arena->byte_limit = byte_limit;
}

/* A new block behind the current one, or null. */
static acp_arena_block *add_block(acp_arena *arena, size_t size) {
    size_t wanted = size > arena->block_size ? size : arena->block_size;
    if (wanted > SIZE_MAX - HEADER_SIZE) return NULL;
    size_t total = wanted + HEADER_SIZE;
    if (arena->bytes_reserved > arena->byte_limit || total > arena->byte_limit - arena->bytes_reserved) return NULL;
    acp_arena_block *block = (acp_arena_block *)acp_memory_allocate(&arena->allocator, total, ACP_MEMORY_MAX_ALIGNMENT);
    if (!block) return NULL;
    block->size = wanted;
    block->used = 0;
    if (arena->current) {
        block->next = arena->current->next;
        arena->current->next = block;
    } else {
        block->next = NULL;
        arena->first = block;
    }
    arena->bytes_reserved += total;
    arena->block_count++;
    return block;
}

void *acp_arena_allocate(acp_arena *arena, size_t size, size_t alignment) {
    size_t wanted = size ? size : 1;
    acp_arena_block *block = arena->current;
    while (block && !block_has_room(block, wanted, alignment))
        block = block->next;
    if (!block) {
        block = add_block(arena, wanted);
        if (!block) return NULL;
    }
    arena->current = block;
    size_t start = align_up(block->used, alignment);
    arena->bytes_used += start + wanted - block->used;
    block->used = start + wanted;
    return payload(block) + start;
}

void *acp_arena_allocate_zero(acp_arena *arena, size_t count, size_t item_size, size_t alignment) {
    size_t size;
    if (!acp_memory_multiply(count, item_size, &size)) return NULL;
    void *memory = acp_arena_allocate(arena, size, alignment);
    if (memory) memset(memory, 0, size);
    return memory;
}

void *acp_arena_copy(acp_arena *arena, const void *bytes, size_t size, size_t alignment) {
    void *memory = acp_arena_allocate(arena, size, alignment);
    if (memory && size) memcpy(memory, bytes, size);
    return memory;
}

acp_arena_mark acp_arena_get_mark(const acp_arena *arena) {
    acp_arena_mark mark = {arena->current, arena->current ? arena->current->used : 0, arena->bytes_used};
    return mark;
}

void acp_arena_rewind(acp_arena *arena, acp_arena_mark mark) {
    acp_arena_block *block = mark.block ? mark.block : arena->first;
    if (!block) return;
    arena->current = block;
    arena->bytes_used = mark.bytes_used;
    block->used = mark.block ? mark.used : 0;
    for (block = block->next; block; block = block->next)
        block->used = 0;
}

void acp_arena_reset(acp_arena *arena) {
    acp_arena_mark start = {NULL, 0, 0};
    acp_arena_rewind(arena, start);
}

void acp_arena_free(acp_arena *arena) {
    acp_arena_block *block = arena->first;
    while (block) {
        acp_arena_block *next = block->next;
        acp_memory_free(&arena->allocator, block, block->size + HEADER_SIZE, ACP_MEMORY_MAX_ALIGNMENT);
        block = next;
    }
    acp_arena_init(arena, &arena->allocator, arena->block_size, arena->byte_limit);
}
