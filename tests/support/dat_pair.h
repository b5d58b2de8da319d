/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_DAT_PAIR_H
#define ACP_TESTS_SUPPORT_DAT_PAIR_H

#include "acphys/dat.h"
#include "acphys/dat_edit.h"
#include "tests/support/temporary.h"

/* A portal and a cell file of a test's own, in the folder for temporary files. Failures fail the cmocka test. */
typedef struct test_dat_pair {
    char paths[2][TEST_PATH_CAPACITY];
    acp_dat *dats[2];     /* portal, cell */
    uint32_t blocks[256]; /* ids of the landblocks */
    uint32_t block_count;
} test_dat_pair;

/* Empty edits with little space to start with. */
void test_dat_edits(acp_dat_edit **out_portal, acp_dat_edit **out_cell);
/* Writes and opens both; the edits are gone. `allocator` (may be null) for opening. */
void test_dat_pair_open(test_dat_pair *pair, acp_dat_edit *portal, acp_dat_edit *cell, const acp_allocator *allocator);
void test_dat_pair_close(test_dat_pair *pair);

/* Writes and opens one file that has no name afterwards; the edit is gone. */
acp_dat *test_dat_open(acp_dat_edit *edit);

/* A record of tests/vectors/dat. */
void test_dat_put_vector(acp_dat_edit *edit, const char *name, uint32_t id);
/* All records of the house of spec 11, with the mesh of its barrel, a Region and the scene, setup and mesh that this names. */
void test_dat_put_house(acp_dat_edit *portal, acp_dat_edit *cell);

#endif
