/* SPDX-License-Identifier: MIT */
/* Seeds of random tests: printed always, so that a failure can be repeated with ACP_TEST_SEED=<number>. */
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t test_seed(const char *test, uint64_t otherwise) {
    const char *text = getenv("ACP_TEST_SEED");
    uint64_t seed = text && text[0] ? strtoull(text, NULL, 0) : otherwise;
    printf("%s: seed %" PRIu64 "\n", test, seed);
    fflush(stdout);
    return seed;
}
