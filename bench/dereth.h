/* SPDX-License-Identifier: MIT */
#ifndef ACP_BENCH_DERETH_H
#define ACP_BENCH_DERETH_H

#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>

#include "bench/measure.h"
#include "support/terrain_planes.h"

/* The ground of the whole world (../shared/fixtures/dereth-terrain, gzip), as support/terrain_planes.h has it; freed by the caller, null:
 * no memory. Without the file (path null, or not there) noise of a fixed seed, and `*out_is_real` is false. */
static inline uint8_t *bench_dereth_read(const char *path, uint64_t *random_state, bool *out_is_real) {
    uint8_t *planes = malloc(2u * ACP_PLANE_SIZE);
    if (!planes) return NULL;
    gzFile file = path ? gzopen(path, "rb") : NULL;
    bool is_real = file && gzread(file, planes, 2u * ACP_PLANE_SIZE) == (int)(2u * ACP_PLANE_SIZE);
    if (file) gzclose(file);
    for (uint32_t i = 0; i < 2u * ACP_PLANE_SIZE && !is_real; i++)
        planes[i] = (uint8_t)(bench_random(random_state) % (i < ACP_PLANE_SIZE ? 64u : 128u));
    *out_is_real = is_real;
    return planes;
}

#endif
