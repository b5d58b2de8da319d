/* SPDX-License-Identifier: MIT */
/* Loads the world terrain fixture and cuts landblocks out of it.
 *
 * The file is gzip; zlib reads it. Layout: height plane, terrain plane, offset y * 2041 + x (the fixture's README). A landblock's arrays
 * are x-major and share their edges with the neighbours. Only the low seven bits of the terrain words are known. Cost: 0.1 s. */
#include "tests/support/dereth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

bool test_dereth_load(const char *path, test_dereth *dereth) {
    gzFile file = gzopen(path, "rb");
    if (!file) return false;
    dereth->height = malloc(2u * TEST_DERETH_PLANE);
    assert_non_null(dereth->height);
    dereth->terrain = dereth->height + TEST_DERETH_PLANE;
    int got = gzread(file, dereth->height, 2u * TEST_DERETH_PLANE);
    uint8_t more;
    assert_int_equal(got, (int)(2u * TEST_DERETH_PLANE));
    assert_int_equal(gzread(file, &more, 1), 0);
    gzclose(file);
    assert_int_equal(crc32(0, dereth->height, 2u * TEST_DERETH_PLANE), 0xA8AF322Du);
    return true;
}

void test_dereth_free(test_dereth *dereth) { free(dereth->height); }

void test_dereth_block(const test_dereth *dereth, uint32_t bx, uint32_t by, acp_land_block *out_block) {
    memset(out_block, 0, sizeof *out_block);
    out_block->record_id = bx << 24 | by << 16 | 0xFFFFu;
    for (uint32_t x = 0; x < 9; x++)
        for (uint32_t y = 0; y < 9; y++) {
            uint32_t at = (8u * by + y) * TEST_DERETH_SIDE + 8u * bx + x;
            out_block->height[x * 9 + y] = dereth->height[at];
            out_block->terrain[x * 9 + y] = dereth->terrain[at];
        }
}
