/* SPDX-License-Identifier: MIT */
#ifndef ACP_DAT_ITERATIONS_H
#define ACP_DAT_ITERATIONS_H

#include <stdint.h>

#include "acphys/result.h"

/* The iteration record 0xFFFF0001: the set of update iterations present, as runs (DAT-17, DAT-18). */

#define ACP_DAT_ITERATIONS_SIZE 12u
#define ACP_DAT_MAX_ITERATIONS  100000u

/* The set {1..last} as one run: the form that every tool can read. */
void acp_dat_iterations_encode(int32_t last, uint8_t out_bytes[ACP_DAT_ITERATIONS_SIZE]);

typedef struct acp_dat_iterations {
    uint32_t total;
    uint32_t run_count; /* items, lone integers included */
    int32_t first;      /* of the first run; 0 when empty */
    int32_t last;       /* greatest integer; 0 when empty */
} acp_dat_iterations;

/* Any encoding that the client reads. TRUNCATED or BAD_DATA, with the offset. */
acp_result acp_dat_iterations_decode(const uint8_t *bytes, uint32_t size, acp_dat_iterations *out_iterations, acp_error *error);

#endif
