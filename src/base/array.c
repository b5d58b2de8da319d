/* SPDX-License-Identifier: MIT */
/* Growable arrays: the growing behind the macros of array.h.
 *
 * Contract: on failure (the allocator refuses, the count would pass 2^32 - 1, the size would overflow) nothing has changed. Growth is by
 * half again and at least to 8 items, so n pushes copy O(n) items in all; ACP_ARRAY_RESERVE_EXACTLY takes no spare. The new memory is
 * taken before the old is given back: the peak is the sum of both. Tables of a whole world grow ahead instead: the memory of twice the
 * size is taken at half full and touched by and by, so that the call that moves copies from warm memory to warm memory; a refusal there is
 * none until the room is really needed.
 *
 * The pointer member is read and written through memcpy, because its type is not known here and a cast of `T **` to `void **` would
 * break the aliasing rule; all object pointers have one representation on every supported platform. */
#include "base/array.h"

#include "base/memory.h"

#define FIRST_CAPACITY          8u
#define SMALLEST_WITH_SUCCESSOR 256u

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

/* Takes the next memory early, and touches a part of it: all of it by the time that the array is full. */
static void look_ahead(uint32_t capacity, uint32_t count, size_t item_size, acp_array_successor *next, const acp_allocator *allocator) {
    if (capacity < SMALLEST_WITH_SUCCESSOR || capacity > UINT32_MAX / 2u || count < capacity / 2u) return;
    if (!next->items) {
        size_t size;
        next->touched = 0;
        if (!acp_memory_multiply(2u * (size_t)capacity, item_size, &size)) return;
        next->items = acp_memory_allocate(allocator, size, ACP_ARRAY_ALIGNMENT);
        next->capacity = next->items ? 2u * capacity : 0u;
    }
    if (!next->items || next->touched == next->capacity) return;
    uint32_t left = next->capacity - next->touched, more = 4u + left / (capacity - count + 1u);
    if (more > left) more = left;
    memset((uint8_t *)next->items + (size_t)next->touched * item_size, 0, (size_t)more * item_size);
    next->touched += more;
}

acp_result acp_array_grow_ahead(void *items_field, uint32_t *capacity, uint32_t count, size_t item_size, uint64_t needed,
                                acp_array_successor *next, const acp_allocator *allocator) {
    if (needed <= *capacity) {
        look_ahead(*capacity, count, item_size, next, allocator);
        return ACP_OK;
    }
    if (next->items && needed <= next->capacity) {
        void *old;
        memcpy(&old, items_field, sizeof old);
        memcpy(next->items, old, (size_t)count * item_size);
        memcpy(old, &next->left, sizeof next->left);
        memcpy(items_field, &next->items, sizeof next->items);
        *next = (acp_array_successor){NULL, 0, 0, old, *capacity};
        *capacity *= 2u;
        return ACP_OK;
    }
    uint64_t grown = 2u * (uint64_t)*capacity;
    if (grown < FIRST_CAPACITY) grown = FIRST_CAPACITY;
    if (grown > UINT32_MAX) grown = UINT32_MAX;
    acp_result result = acp_array_set_capacity(items_field, capacity, count, item_size, grown < needed ? needed : grown, allocator);
    if (result == ACP_OK) acp_array_successor_free(next, item_size, allocator);
    return result;
}

void acp_array_successor_free(acp_array_successor *next, size_t item_size, const acp_allocator *allocator) {
    acp_memory_free(allocator, next->items, (size_t)next->capacity * item_size, ACP_ARRAY_ALIGNMENT);
    for (void *left = next->left, *older; left; left = older, next->left_capacity /= 2u) {
        memcpy(&older, left, sizeof older);
        acp_memory_free(allocator, left, (size_t)next->left_capacity * item_size, ACP_ARRAY_ALIGNMENT);
    }
    memset(next, 0, sizeof *next);
}

void acp_array_free(void *items_field, uint32_t capacity, size_t item_size, const acp_allocator *allocator) {
    void *old;
    memcpy(&old, items_field, sizeof old);
    acp_memory_free(allocator, old, (size_t)capacity * item_size, ACP_ARRAY_ALIGNMENT);
    old = NULL;
    memcpy(items_field, &old, sizeof old);
}
