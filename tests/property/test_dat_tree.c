/* SPDX-License-Identifier: MIT */
/* The B-tree of an edit against a sorted map, under a million random inserts, replacements and removals (ctest-label: slow), in phases that
 * grow the tree to three levels and shrink it to nothing. At the end of each phase the written file is opened and every entry compared;
 * the nodes keep their 30 to 61 entries and the leaves their one depth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "acphys/dat_edit.h"
#include "tests/support/random.h"
#include "tests/support/temporary.h"

enum { universe = 1 << 16 };

/* The model: for each key the size and the seed of its record's bytes; size 0xFFFF = absent. */
static uint16_t model_size[universe];
static uint8_t model_fill[universe];

/* Spreads the keys over all 32 bits, and is invertible, so that order differs from the model's index. */
static uint32_t key_of(uint32_t i) { return i * 0x9E3779B1u; }

static void check_file(acp_dat_edit *edit, const char *path, uint32_t present) {
    acp_error error;
    assert_int_equal(acp_dat_edit_commit(edit, path, NULL, &error), ACP_OK);
    acp_dat *dat = NULL;
    if (acp_dat_open(path, NULL, NULL, &dat, &error)) fail_msg("%s", error.message);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    assert_int_equal(info.record_count, present + 1); /* and the iteration record */
    assert_int_equal(info.remarks, 0);
    acp_dat_record record = {0};
    uint64_t used = (uint64_t)info.node_count * 7u + 1u;
    for (uint32_t i = 0; i < universe; i++) {
        const acp_dat_entry *entry = acp_dat_find(dat, key_of(i));
        if (key_of(i) == ACP_DAT_ITERATION_ID) continue;
        assert_int_equal(entry != NULL, model_size[i] != 0xFFFFu);
        if (!entry) continue;
        assert_int_equal(acp_dat_read_entry(dat, entry, &record, &error), ACP_OK);
        assert_int_equal(record.size, model_size[i]);
        for (uint32_t k = 0; k < record.size; k++)
            assert_int_equal(record.bytes[k], model_fill[i]);
        used += (record.size + 251u) / 252u;
    }
    assert_int_equal(1024u + (used + info.free_count) * 256u, info.physical_size); /* no block is lost or owned twice */
    acp_dat_record_release(&record);
    acp_dat_close(dat);
}

static void tree_equals_map(void **state) {
    (void)state;
    test_random random = {test_seed("tree_equals_map", 6)};
    char path[TEST_PATH_CAPACITY];
    int descriptor = test_temporary_file("test", path);
    assert_true(descriptor >= 0);
    close(descriptor);
    memset(model_size, 0xFF, sizeof model_size);
    acp_dat_edit *edit = NULL;
    acp_error error;
    assert_int_equal(acp_dat_edit_create(NULL, NULL, &edit, &error), ACP_OK);
    uint32_t present = 0;
    static const uint32_t insert_chances[10] = {100, 70, 50, 30, 60, 50, 45, 55, 20, 2}; /* of 100 */
    for (uint32_t phase = 0; phase < 10; phase++) {
        for (uint32_t n = 0; n < 100000; n++) {
            uint32_t i = test_random_below(&random, universe);
            if (key_of(i) == ACP_DAT_ITERATION_ID) continue;
            if (test_random_below(&random, 100) < insert_chances[phase]) {
                uint8_t bytes[300];
                uint32_t size = test_random_below(&random, 8) ? test_random_below(&random, 16) : test_random_below(&random, 300);
                uint8_t fill = (uint8_t)test_random_u32(&random);
                memset(bytes, fill, sizeof bytes);
                assert_int_equal(acp_dat_edit_put(edit, key_of(i), bytes, size, NULL, &error), ACP_OK);
                present += model_size[i] == 0xFFFFu;
                model_size[i] = (uint16_t)size;
                model_fill[i] = fill;
            } else {
                acp_result expected = model_size[i] == 0xFFFFu ? ACP_ERROR_NOT_FOUND : ACP_OK;
                assert_int_equal(acp_dat_edit_remove(edit, key_of(i), &error), expected);
                present -= expected == ACP_OK;
                model_size[i] = 0xFFFFu;
            }
        }
        check_file(edit, path, present);
    }
    for (uint32_t i = 0; i < universe; i++) {
        if (model_size[i] == 0xFFFFu) continue;
        assert_int_equal(acp_dat_edit_remove(edit, key_of(i), &error), ACP_OK);
        model_size[i] = 0xFFFFu;
    }
    check_file(edit, path, 0);
    acp_dat_edit_destroy(edit);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tree_equals_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
