/* SPDX-License-Identifier: MIT */
/* The random stream of a world (spec 07 PHO-17; D12): what scatters placements.
 *
 * The client's generator: multiplicative congruential streams modulo 2147483563 and 2147483399, with multipliers 40014 and 40692; the first
 * fills 32 slots, the last output chooses the slot, and the second stream is subtracted from what was there. Products need 46 bits, so
 * plain 64-bit arithmetic gives the residues that the client computes by splitting. Contract: the stream is part of the world's state,
 * seeded by the host; a new world has seed 1. Seed 0 counts as 1. Cost: two products and remainders a number. */
#include "body/random.h"

#include "body/body.h"
#include "math/number.h"

#define MODULUS_1    2147483563u
#define MODULUS_2    2147483399u
#define MULTIPLIER_1 40014u
#define MULTIPLIER_2 40692u
#define SLOTS        32u
#define WARM_UP      8u
#define LARGEST      0x1.fffffcp-1f /* 0.99999988 */

static uint32_t step(uint32_t state, uint32_t multiplier, uint32_t modulus) { return (uint32_t)((uint64_t)state * multiplier % modulus); }

void acp_random_seed(acp_random *random, uint32_t seed) {
    uint32_t state = seed % MODULUS_1;
    if (state == 0) state = 1;
    random->second = state % MODULUS_2 ? state % MODULUS_2 : 1u;
    for (uint32_t i = 0; i < WARM_UP; ++i)
        state = step(state, MULTIPLIER_1, MODULUS_1);
    for (uint32_t slot = SLOTS; slot-- > 0;) {
        state = step(state, MULTIPLIER_1, MODULUS_1);
        random->slots[slot] = state;
    }
    random->first = random->slots[0];
    random->last = random->slots[0];
}

float acp_random_next(acp_random *random) {
    random->first = step(random->first, MULTIPLIER_1, MODULUS_1);
    random->second = step(random->second, MULTIPLIER_2, MODULUS_2);
    uint32_t slot = random->last / (1u + (MODULUS_1 - 1u) / SLOTS);
    int64_t combined = (int64_t)random->slots[slot] - (int64_t)random->second;
    if (combined < 1) combined += (int64_t)MODULUS_1 - 1;
    random->slots[slot] = random->first;
    random->last = (uint32_t)combined;
    float value = acp_f32((double)combined / (double)MODULUS_1);
    return value > LARGEST ? LARGEST : value;
}

float acp_random_between(acp_random *random, float low, float high) {
    return acp_f32((double)acp_random_next(random) * ((double)high - (double)low) + (double)low);
}
