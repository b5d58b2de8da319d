/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_MEMORY_H
#define ACP_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acphys/allocator.h"

/* Calls through an optional allocator (null = the C library's memory). Sizes are multiplied with an overflow check. */

#define ACP_MEMORY_MAX_ALIGNMENT 64u

/* The allocator to keep: a copy of *allocator, or the system's when it is null. */
acp_allocator acp_memory_allocator(const acp_allocator *allocator);

/* `size` bytes, not initialised; null when refused or when size is 0. */
void *acp_memory_allocate(const acp_allocator *allocator, size_t size, size_t alignment);

/* `count` items of `item_size`, zeroed; null when refused, when the product overflows or when it is 0. */
void *acp_memory_allocate_zero(const acp_allocator *allocator, size_t count, size_t item_size, size_t alignment);

/* Gives back; size and alignment as they were asked for. Null memory is ignored. */
void acp_memory_free(const acp_allocator *allocator, void *memory, size_t size, size_t alignment);

/* False when a * b does not fit. */
static inline bool acp_memory_multiply(size_t a, size_t b, size_t *out_product) {
    if (b != 0 && a > SIZE_MAX / b) return false;
    *out_product = a * b;
    return true;
}

/* Typed shorthands: `type *p = ACP_MEMORY_NEW(allocator, type);` (zeroed, null when refused). */
#define ACP_MEMORY_NEW(allocator, type)                ((type *)acp_memory_allocate_zero((allocator), 1, sizeof(type), _Alignof(type)))
#define ACP_MEMORY_NEW_ARRAY(allocator, type, count)   ((type *)acp_memory_allocate_zero((allocator), (count), sizeof(type), _Alignof(type)))
#define ACP_MEMORY_DELETE(allocator, type, p)          acp_memory_free((allocator), (p), sizeof(type), _Alignof(type))
#define ACP_MEMORY_DELETE_ARRAY(allocator, type, p, n) acp_memory_free((allocator), (p), (size_t)(n) * sizeof(type), _Alignof(type))

#endif
