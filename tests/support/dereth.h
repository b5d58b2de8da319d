/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_DERETH_H
#define ACP_TESTS_SUPPORT_DERETH_H

#include <stdbool.h>
#include <stdint.h>

#include "support/terrain_planes.h"

/* The terrain of the whole world (../shared/fixtures/dereth-terrain). */
#define TEST_DERETH_PATH ACP_SOURCE_DIR "/../shared/fixtures/dereth-terrain/dereth-terrain.bin.gz"

typedef struct test_dereth {
    uint8_t *planes; /* as support/terrain_planes.h has them */
} test_dereth;

/* False when the fixture is not there (the test skips). Fails the test when it is there and not as it should be. */
bool test_dereth_load(const char *path, test_dereth *dereth);
void test_dereth_free(test_dereth *dereth);

/* The LandBlock record of block (bx, by), 0..254, without info. */
void test_dereth_block(const test_dereth *dereth, uint32_t bx, uint32_t by, acp_land_block *out_block);

#endif
