/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_HOUSE_H
#define ACP_TESTS_SUPPORT_HOUSE_H

#include <stdint.h>

#include "acphys/dat.h"
#include "acphys/dat_edit.h"

/* The worked house of spec 11 as DAT files: landblock 0x1234 with a building, three EnvCells, a crate and a barrel. */

#define TEST_HOUSE_SAMPLES ACP_SOURCE_DIR "/tests/vectors/dat/"

/* What a container gets besides, or instead. A later entry of an id replaces an earlier one; bytes null takes it out. */
typedef struct test_record {
    uint32_t data_set; /* ACP_DAT_PORTAL or _CELL */
    uint32_t id;
    const uint8_t *bytes;
    uint32_t size;
} test_record;

/* Reads a sample file of the house; fails the test when it is not there or longer. Returns the size. */
uint32_t test_house_sample(const char *name, uint8_t *bytes, uint32_t capacity);

/* The bytes of a record of the house. */
uint32_t test_house_record(uint32_t data_set, uint32_t id, uint8_t *bytes, uint32_t capacity);

/* Puts the records of the house that belong to the data set. */
void test_house_put(acp_dat_edit *edit, uint32_t data_set);

/* A container of the data set with the house in it and `count` other records. Fails the test when that cannot be. */
acp_dat *test_house_dat(uint32_t data_set, const test_record *others, uint32_t count);

#endif
