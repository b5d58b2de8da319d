/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_VILLAGE_H
#define ACP_TESTS_SUPPORT_VILLAGE_H

#include <stdint.h>

#include "acphys/population.h"

/* A village as DAT files: landblocks 0x60..0x60+side-1 each way from (0x60, 0x80), every one with the worked house of spec 11, most of them
 * across or beside a border, with static objects over borders and corners, and with 40 objects of made-up scenery. */

#define TEST_VILLAGE_X 0x60u
#define TEST_VILLAGE_Y 0x80u

typedef struct test_village {
    uint32_t side;
    acp_dat *portal;
    acp_dat *cell;
    acp_dat_source *source;
} test_village;

/* `options` null: lenient, with scenery. */
void test_village_open(test_village *village, uint32_t side, const acp_dat_source_options *options);
void test_village_close(test_village *village);

/* Landblock i = 0 .. side * side - 1, x-major. */
uint32_t test_village_block(const test_village *village, uint32_t i);

/* A prepared landblock; fails the test when it cannot be. */
acp_landblock *test_village_prepare(const test_village *village, uint32_t block_id, const acp_allocator *allocator);

#endif
