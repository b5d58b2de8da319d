/* SPDX-License-Identifier: MIT */
#ifndef ACP_BODY_RANDOM_H
#define ACP_BODY_RANDOM_H

#include <stdint.h>

#include "acphys/body.h"

/* The client's generator (PHO-17, D12): two multiplicative congruential streams, combined and shuffled. A value; copying it copies the
 * stream. */
typedef struct acp_random {
    uint32_t first;  /* state of the first stream, 1 .. 2147483562 */
    uint32_t second; /* of the second, 1 .. 2147483398 */
    uint32_t last;   /* last combined number: chooses the next slot */
    uint32_t slots[32];
} acp_random;

void acp_random_seed(acp_random *random, uint32_t seed);
/* In (0, 0.99999988]. */
float acp_random_next(acp_random *random);
/* Scaled to [low, high). */
float acp_random_between(acp_random *random, float low, float high);

#endif
