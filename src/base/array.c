/* SPDX-License-Identifier: MIT */
/* Growable arrays: the growing behind the macros of array.h.
 *
 * Contract: on failure (the allocator refuses, the count would pass 2^32 - 1, the size would overflow) nothing has changed. Growth is by
 * half again and at least to 8 items, so n pushes copy O(n) items in all; ACP_ARRAY_RESERVE_EXACTLY takes no spare. The new memory is
 * taken before the old is given back: the peak is the sum of both.
 *
 * The pointer member is read and written through memcpy, because its type is not known here and a cast of `T **` to `void **` would
 * break the aliasing rule; all object pointers have one representation on every supported platform. */
#include "base/array.h"

#include "base/memory.h"

#define FIRST_CAPACITY 8u

acp_result acp_array_set_capacity(void *items_field, uint32_t *capacity, uint32_t count, size_t item_size, uint64_t needed,
                                  const acp_allocator *allocator) {
    void *old;
    size_t size;
    if (needed > UINT32_MAX || !acp_memory_multiply((size_t)needed, item_size, &size)) return ACP_ERROR_OUT_OF_MEMORY;
    void *memory = acp_memory_allocate(allocator, size, ACP_ARRAY_ALIGNMENT);
    if (!memory) return ACP_ERROR_OUT_OF_MEMORY;
    memcpy(&old, items_field, sizeof old);
    if (count) memcpy(memory, old, (size_t)count * item_size);
    acp_memory_free(allocator, old, (size_t)*capacity * item_size, ACP_ARRAY_ALIGNMENT);
    memcpy(items_field, &memory, sizeof memory);
    *capacity = (uint32_t)needed;
    return ACP_OK;
}

acp_result acp_array_grow(void *items_field, uint32_t *capacity, uint32_t count, size_t item_size, uint64_t needed,
                          const acp_allocator *allocator) {
    uint64_t grown = (uint64_t)*capacity + *capacity / 2;
    if (grown < FIRST_CAPACITY) grown = FIRST_CAPACITY;
    if (grown > UINT32_MAX) grown = UINT32_MAX;
    if (grown < needed) grown = needed;
    return acp_array_set_capacity(items_field, capacity, count, item_size, grown, allocator);
}

void acp_array_free(void *items_field, uint32_t capacity, size_t item_size, const acp_allocator *allocator) {
    void *old;
    memcpy(&old, items_field, sizeof old);
    acp_memory_free(allocator, old, (size_t)capacity * item_size, ACP_ARRAY_ALIGNMENT);
    old = NULL;
    memcpy(items_field, &old, sizeof old);
}
