/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_ARENA_H
#define ACP_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "acphys/allocator.h"

/* Memory that is given back all at once (a landblock's content, a context's scratch): blocks from an allocator, handed out by moving an
 * offset. Pointers stay valid until reset, rewind or free: blocks never move. Not safe for concurrent use. */

typedef struct acp_arena_block acp_arena_block;

typedef struct acp_arena {
    acp_allocator allocator;
    acp_arena_block *first;
    acp_arena_block *current;
    size_t block_size;       /* payload of an ordinary block */
    uint64_t byte_limit;     /* of bytes_reserved; UINT64_MAX = none */
    uint64_t bytes_reserved; /* taken from the allocator, headers included */
    uint64_t bytes_used;     /* handed out, padding for alignment included */
    uint32_t block_count;
} acp_arena;

/* A place to rewind to. Valid until the arena is reset, freed or rewound to an earlier mark. */
typedef struct acp_arena_mark {
    acp_arena_block *block;
    size_t used;
    uint64_t bytes_used;
} acp_arena_mark;

/* Prepares an empty arena: takes no memory yet. allocator null = system; block_size 0 = 64 KiB; byte_limit UINT64_MAX = none. */
void acp_arena_init(acp_arena *arena, const acp_allocator *allocator, size_t block_size, uint64_t byte_limit);

/* `size` bytes, not initialised, aligned to `alignment` (a power of two <= 64). Null when the limit or the allocator refuses, and then
 * nothing has changed. A size of 0 gives a unique non-null pointer. */
void *acp_arena_allocate(acp_arena *arena, size_t size, size_t alignment);

/* The same, zeroed; null also when count * item_size overflows. */
void *acp_arena_allocate_zero(acp_arena *arena, size_t count, size_t item_size, size_t alignment);

/* A copy of `size` bytes. */
void *acp_arena_copy(acp_arena *arena, const void *bytes, size_t size, size_t alignment);

acp_arena_mark acp_arena_get_mark(const acp_arena *arena);
void acp_arena_rewind(acp_arena *arena, acp_arena_mark mark);

/* Forgets everything handed out; keeps the blocks for reuse. */
void acp_arena_reset(acp_arena *arena);

/* Gives every block back; the arena is as after init. */
void acp_arena_free(acp_arena *arena);

#define ACP_ARENA_NEW(arena, type)              ((type *)acp_arena_allocate_zero((arena), 1, sizeof(type), _Alignof(type)))
#define ACP_ARENA_NEW_ARRAY(arena, type, count) ((type *)acp_arena_allocate_zero((arena), (count), sizeof(type), _Alignof(type)))

#endif
