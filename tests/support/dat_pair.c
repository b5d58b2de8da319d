/* SPDX-License-Identifier: MIT */
/* Small DAT files for tests: made from edits, opened, removed again. */
#include "tests/support/dat_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/house.h"

void test_dat_edits(acp_dat_edit **out_portal, acp_dat_edit **out_cell) {
    acp_error error;
    acp_dat_create_options portal = acp_dat_create_options_default(ACP_DAT_PORTAL);
    acp_dat_create_options cell = acp_dat_create_options_default(ACP_DAT_CELL);
    portal.block_count = cell.block_count = 64;
    assert_int_equal(acp_dat_edit_create(&portal, NULL, out_portal, &error), ACP_OK);
    assert_int_equal(acp_dat_edit_create(&cell, NULL, out_cell, &error), ACP_OK);
}

void test_dat_pair_open(test_dat_pair *pair, acp_dat_edit *portal, acp_dat_edit *cell, const acp_allocator *allocator) {
    acp_error error;
    acp_dat_edit *edits[2] = {portal, cell};
    memset(pair, 0, sizeof *pair);
    for (uint32_t i = 0; i < 2; i++) {
        (void)close(test_temporary_file("dat", pair->paths[i]));
        assert_int_equal(acp_dat_edit_commit(edits[i], pair->paths[i], NULL, &error), ACP_OK);
        assert_int_equal(acp_dat_open(pair->paths[i], NULL, allocator, &pair->dats[i], &error), ACP_OK);
        acp_dat_edit_destroy(edits[i]);
    }
    const acp_dat_entry *entry;
    for (uint32_t i = 0; (entry = acp_dat_entry_at(pair->dats[1], i)) != NULL; i++)
        if ((entry->id & 0xFFFFu) == 0xFFFFu && pair->block_count < 256u) pair->blocks[pair->block_count++] = entry->id & 0xFFFF0000u;
}

void test_dat_pair_close(test_dat_pair *pair) {
    for (uint32_t i = 0; i < 2; i++) {
        acp_dat_close(pair->dats[i]);
        (void)unlink(pair->paths[i]);
    }
}

acp_dat *test_dat_open(acp_dat_edit *edit) {
    char path[TEST_PATH_CAPACITY];
    acp_dat *dat = NULL;
    acp_error error;
    (void)close(test_temporary_file("dat", path));
    assert_int_equal(acp_dat_edit_commit(edit, path, NULL, &error), ACP_OK);
    if (acp_dat_open(path, NULL, NULL, &dat, &error)) fail_msg("%s", error.message);
    (void)unlink(path);
    acp_dat_edit_destroy(edit);
    return dat;
}

void test_dat_put_vector(acp_dat_edit *edit, const char *name, uint32_t id) {
    static uint8_t bytes[8192];
    acp_error error;
    uint32_t size = test_house_sample(name, bytes, sizeof bytes);
    assert_int_equal(acp_dat_edit_put(edit, id, bytes, size, NULL, &error), ACP_OK);
}

void test_dat_put_house(acp_dat_edit *portal, acp_dat_edit *cell) {
    test_house_put(portal, ACP_DAT_PORTAL);
    test_house_put(cell, ACP_DAT_CELL);
    test_dat_put_vector(portal, "region_13000000.bin", 0x13000000u);
    test_dat_put_vector(portal, "scene_12000001.bin", 0x12000001u);
    test_dat_put_vector(portal, "setup_02000002.bin", 0x02000002u);
    test_dat_put_vector(portal, "gfxobj_01000002.bin", 0x01000002u);
}
