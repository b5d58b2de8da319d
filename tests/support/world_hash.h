/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_WORLD_HASH_H
#define ACP_TESTS_SUPPORT_WORLD_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "acphys/world.h"

static inline uint64_t test_hash_mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

uint64_t test_hash_bytes(uint64_t hash, const void *bytes, size_t size);

/* Everything that the resident cells list: statics in order, the others as a set. The same in any world of the same content: an object is
 * known by the host's id, or by where it stands. */
uint64_t test_hash_cells(const acp_world *world);

#endif
