/* SPDX-License-Identifier: MIT */
/* Loads the world terrain fixture. The file is gzip; zlib reads it. Only the low seven bits of the terrain words are known. Cost: 0.1 s. */
#include "tests/support/dereth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <zlib.h>

#include <cmocka.h>

bool test_dereth_load(const char *path, test_dereth *dereth) {
    gzFile file = gzopen(path, "rb");
    if (!file) return false;
    dereth->planes = malloc(2u * ACP_PLANE_SIZE);
    assert_non_null(dereth->planes);
    int got = gzread(file, dereth->planes, 2u * ACP_PLANE_SIZE);
    uint8_t more;
    assert_int_equal(got, (int)(2u * ACP_PLANE_SIZE));
    assert_int_equal(gzread(file, &more, 1), 0);
    gzclose(file);
    assert_int_equal(crc32(0, dereth->planes, 2u * ACP_PLANE_SIZE), 0xA8AF322Du);
    return true;
}

void test_dereth_free(test_dereth *dereth) { free(dereth->planes); }

void test_dereth_block(const test_dereth *dereth, uint32_t bx, uint32_t by, acp_land_block *out_block) {
    acp_terrain_planes_cut(dereth->planes, bx, by, out_block);
}
