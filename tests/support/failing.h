/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_FAILING_H
#define ACP_TESTS_SUPPORT_FAILING_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"
#include "acphys/world.h"

/* Failure injection. `scenario` does one whole piece of work with the allocator and gives everything back before it returns, whether it
 * succeeded or not. It is run with the first, the second, … allocation refused until a run gets through without a refusal. Each refused
 * run must return ACP_ERROR_OUT_OF_MEMORY; every run must leave no memory. Fails the cmocka test otherwise.
 * Returns the number of allocations of the successful run. */
uint64_t test_fail_every_allocation(acp_result (*scenario)(void *user, const acp_allocator *allocator), void *user);

/* The same for work that may shrug off a refusal (an optional cache, say): a refused run may also return ACP_OK. */
uint64_t test_fail_every_allocation_leniently(acp_result (*scenario)(void *user, const acp_allocator *allocator), void *user);

/* An empty world that takes its memory from the allocator. */
acp_result test_bare_world(const acp_allocator *allocator, acp_world **out_world);

#endif
