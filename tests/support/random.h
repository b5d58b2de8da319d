/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_RANDOM_H
#define ACP_TESTS_SUPPORT_RANDOM_H

#include <stdint.h>
#include <string.h>

/* Random numbers for tests: splitmix64, the whole state is the seed. */
typedef struct test_random {
    uint64_t state;
} test_random;

/* The seed of a test: the environment variable ACP_TEST_SEED when set, else `otherwise`. Prints it. */
uint64_t test_seed(const char *test, uint64_t otherwise);

static inline uint64_t test_random_u64(test_random *random) {
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t test_random_u32(test_random *random) { return (uint32_t)(test_random_u64(random) >> 32); }

/* 0 .. bound - 1; bound > 0. */
static inline uint32_t test_random_below(test_random *random, uint32_t bound) {
    return (uint32_t)(((uint64_t)test_random_u32(random) * bound) >> 32);
}

/* In [low, high). */
static inline double test_random_in(test_random *random, double low, double high) {
    return low + (high - low) * ((double)(test_random_u64(random) >> 11) * 0x1p-53);
}

static inline uint32_t test_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float test_float_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
