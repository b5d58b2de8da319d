/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_ALLOCATOR_H
#define ACPHYS_ALLOCATOR_H

#include <stddef.h>
#include <stdint.h>

#include "acphys/export.h"
#include "acphys/result.h"

/** @file allocator.h
 * The allocator a host gives to a world, file or context. Every size is given back on free. */

#ifdef __cplusplus
extern "C" {
#endif

/** Memory functions of the host. All pointers stay owned by the library until freed through `free_memory`.
 *  `allocate` returns null to refuse; refusal is an error of the call, never a crash. Alignment is a power of two, at most 64.
 *  A null `acp_allocator *` anywhere means the C library's memory. */
typedef struct acp_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*free_memory)(void *user, void *memory, size_t size, size_t alignment);
} acp_allocator;

/** Counters of a counting allocator. Bytes are those requested. */
typedef struct acp_memory_counters {
    uint64_t bytes_in_use;
    uint64_t bytes_peak;
    uint64_t allocations_in_use;
    uint64_t allocations_total;
    uint64_t refusals;
} acp_memory_counters;

/** The C library's memory as an allocator value. [any thread] */
ACP_API acp_allocator acp_allocator_system(void);

/** A counting allocator with a hard limit, layered over another one. Not safe for concurrent use; one per world or context.
 *  Zero-initialise through acp_counting_allocator_init; the struct must not move while memory is out. */
typedef struct acp_counting_allocator {
    acp_allocator parent;
    acp_memory_counters counters;
    uint64_t byte_limit; /**< refuse what would exceed this; UINT64_MAX = none */
    uint64_t fail_at;    /**< refuse the Nth allocation from now (1 = the next); 0 = never. For failure injection in tests. */
} acp_counting_allocator;

/** Prepares `counting` over `parent` (null = system) with a limit in bytes (UINT64_MAX = none). [any thread], each struct by one thread at
 * a time */
ACP_API void acp_counting_allocator_init(acp_counting_allocator *counting, const acp_allocator *parent, uint64_t byte_limit);

/** The allocator value that counts into `counting`. [any thread], each struct by one thread at a time */
ACP_API acp_allocator acp_counting_allocator_value(acp_counting_allocator *counting);

#ifdef __cplusplus
}
#endif

#endif
