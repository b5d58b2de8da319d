/* SPDX-License-Identifier: MIT */
/* The two allocators the library brings along: the C library's memory, and a counting one layered over any other.
 *
 * Contract: `allocate` gives memory aligned to any power of two up to 64, or null; sizes come back on free, so counting needs no headers
 * and costs a few additions. The counting allocator refuses what would take it over its limit and, for failure injection, the Nth
 * allocation from the moment it is armed; a refusal is counted and reaches nobody else. A refusal by the parent counts as well.
 *
 * Limits: a counting allocator belongs to one thread at a time (one per world or context). Sizes of zero are refused without being
 * counted: nothing in the library asks for them.
 *
 * acp_memory_* are the house's own calls through an optional allocator, with the products of count and item size checked. */
#include "acphys/allocator.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#ifdef _WIN32
#include <malloc.h>
#endif

static void *system_allocate(void *user, size_t size, size_t alignment) {
    (void)user;
    if (size == 0) return NULL;
    if (alignment <= _Alignof(max_align_t)) return malloc(size);
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    if (size > SIZE_MAX - (alignment - 1)) return NULL;
    return aligned_alloc(alignment, (size + (alignment - 1)) & ~(alignment - 1));
#endif
}

static void system_free(void *user, void *memory, size_t size, size_t alignment) {
    (void)user;
    (void)size;
#ifdef _WIN32
    if (alignment > _Alignof(max_align_t)) {
        _aligned_free(memory);
        return;
    }
#endif
    (void)alignment;
    free(memory);
}

acp_allocator acp_allocator_system(void) {
    acp_allocator allocator = {NULL, system_allocate, system_free};
    return allocator;
}

static void *counting_allocate(void *user, size_t size, size_t alignment) {
    acp_counting_allocator *counting = (acp_counting_allocator *)user;
    acp_memory_counters *counters = &counting->counters;
    if (size == 0) return NULL;
    bool is_refused = counters->bytes_in_use > counting->byte_limit || size > counting->byte_limit - counters->bytes_in_use;
    if (counting->fail_at != 0 && --counting->fail_at == 0) is_refused = true;
    void *memory = is_refused ? NULL : counting->parent.allocate(counting->parent.user, size, alignment);
    if (!memory) {
        counters->refusals++;
        return NULL;
    }
    counters->allocations_total++;
    counters->allocations_in_use++;
    counters->bytes_in_use += size;
    if (counters->bytes_in_use > counters->bytes_peak) counters->bytes_peak = counters->bytes_in_use;
    return memory;
}

static void counting_free(void *user, void *memory, size_t size, size_t alignment) {
    acp_counting_allocator *counting = (acp_counting_allocator *)user;
    if (!memory) return;
    counting->counters.allocations_in_use--;
    counting->counters.bytes_in_use -= size;
    counting->parent.free_memory(counting->parent.user, memory, size, alignment);
}

void acp_counting_allocator_init(acp_counting_allocator *counting, const acp_allocator *parent, uint64_t byte_limit) {
    memset(counting, 0, sizeof *counting);
    counting->parent = acp_memory_allocator(parent);
    counting->byte_limit = byte_limit;
}

acp_allocator acp_counting_allocator_value(acp_counting_allocator *counting) {
    acp_allocator allocator = {counting, counting_allocate, counting_free};
    return allocator;
}

acp_allocator acp_memory_allocator(const acp_allocator *allocator) { return allocator ? *allocator : acp_allocator_system(); }

void *acp_memory_allocate(const acp_allocator *allocator, size_t size, size_t alignment) {
    if (size == 0) return NULL;
    return allocator ? allocator->allocate(allocator->user, size, alignment) : system_allocate(NULL, size, alignment);
}

void *acp_memory_allocate_zero(const acp_allocator *allocator, size_t count, size_t item_size, size_t alignment) {
    size_t size;
    if (!acp_memory_multiply(count, item_size, &size)) return NULL;
    void *memory = acp_memory_allocate(allocator, size, alignment);
    if (memory) memset(memory, 0, size);
    return memory;
}

void acp_memory_free(const acp_allocator *allocator, void *memory, size_t size, size_t alignment) {
    if (!memory) return;
    if (allocator) {
        allocator->free_memory(allocator->user, memory, size, alignment);
    } else {
        system_free(NULL, memory, size, alignment);
    }
}
