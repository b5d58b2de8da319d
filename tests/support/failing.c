/* SPDX-License-Identifier: MIT */
/* Failure at every allocation, one run each; and the world that such runs begin with. */
#include "tests/support/failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define MAX_RUNS 1000000u

static uint64_t run_all(acp_result (*scenario)(void *user, const acp_allocator *allocator), void *user, int is_lenient) {
    for (uint64_t n = 1; n < MAX_RUNS; n++) {
        acp_counting_allocator counting;
        acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
        counting.fail_at = n;
        acp_allocator allocator = acp_counting_allocator_value(&counting);
        acp_result result = scenario(user, &allocator);
        if (counting.counters.bytes_in_use != 0 || counting.counters.allocations_in_use != 0)
            fail_msg("with allocation %llu refused, %llu bytes were left", (unsigned long long)n,
                     (unsigned long long)counting.counters.bytes_in_use);
        if (counting.counters.refusals == 0) {
            if (result != ACP_OK) fail_msg("no allocation refused, yet the result is %s", acp_result_name(result));
            return counting.counters.allocations_total;
        }
        if (result != ACP_ERROR_OUT_OF_MEMORY && !(is_lenient && result == ACP_OK))
            fail_msg("with allocation %llu refused, the result is %s", (unsigned long long)n, acp_result_name(result));
    }
    fail_msg("more than %u allocations", MAX_RUNS);
    return 0;
}

uint64_t test_fail_every_allocation(acp_result (*scenario)(void *user, const acp_allocator *allocator), void *user) {
    return run_all(scenario, user, 0);
}

uint64_t test_fail_every_allocation_leniently(acp_result (*scenario)(void *user, const acp_allocator *allocator), void *user) {
    return run_all(scenario, user, 1);
}

acp_result test_bare_world(const acp_allocator *allocator, acp_world **out_world) {
    acp_world_options options = acp_world_options_default();
    options.allocator = allocator;
    return acp_world_create(&options, out_world, NULL);
}
