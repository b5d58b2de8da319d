/* SPDX-License-Identifier: MIT */
/* The worked house of spec 11, out of the sample records, as containers that tests may change. */
#include "tests/support/house.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/dat_pair.h"

uint32_t test_house_sample(const char *name, uint8_t *bytes, uint32_t capacity) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s%s", TEST_HOUSE_SAMPLES, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("cannot open %s", path);
    uint32_t size = (uint32_t)fread(bytes, 1, capacity, stream);
    bool is_whole = fgetc(stream) == EOF;
    fclose(stream);
    if (!is_whole) fail_msg("%s is longer than %u bytes", path, (unsigned)capacity);
    return size;
}

static const struct {
    uint32_t data_set;
    uint32_t id;
    const char *name;
} records[] = {{ACP_DAT_PORTAL, 0x01000100u, "house_gfxobj_01000100.bin"},
               {ACP_DAT_PORTAL, 0x01000101u, "house_gfxobj_01000101.bin"},
               {ACP_DAT_PORTAL, 0x01000003u, "gfxobj_01000003.bin"},
               {ACP_DAT_PORTAL, 0x02000020u, "house_setup_02000020.bin"},
               {ACP_DAT_PORTAL, 0x0D000010u, "house_environment_0D000010.bin"},
               {ACP_DAT_CELL, 0x1234FFFFu, "house_landblock_1234FFFF.bin"},
               {ACP_DAT_CELL, 0x1234FFFEu, "house_lbinfo_1234FFFE.bin"},
               {ACP_DAT_CELL, 0x12340100u, "house_envcell_12340100.bin"},
               {ACP_DAT_CELL, 0x12340101u, "house_envcell_12340101.bin"},
               {ACP_DAT_CELL, 0x12340102u, "house_envcell_12340102.bin"}};
enum { record_count = sizeof records / sizeof records[0] };

uint32_t test_house_record(uint32_t data_set, uint32_t id, uint8_t *bytes, uint32_t capacity) {
    for (uint32_t i = 0; i < record_count; i++)
        if (records[i].data_set == data_set && records[i].id == id) return test_house_sample(records[i].name, bytes, capacity);
    fail_msg("the house has no record %08X", (unsigned)id);
    return 0;
}

void test_house_put(acp_dat_edit *edit, uint32_t data_set) {
    acp_error error;
    for (uint32_t i = 0; i < record_count; i++) {
        static uint8_t bytes[8192];
        if (records[i].data_set != data_set) continue;
        uint32_t size = test_house_sample(records[i].name, bytes, sizeof bytes);
        assert_int_equal(acp_dat_edit_put(edit, records[i].id, bytes, size, NULL, &error), ACP_OK);
    }
}

acp_dat *test_house_dat(uint32_t data_set, const test_record *others, uint32_t count) {
    acp_dat_create_options options = acp_dat_create_options_default(data_set);
    options.block_count = 256;
    acp_dat_edit *edit = NULL;
    acp_error error;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_OK);
    test_house_put(edit, data_set);
    for (uint32_t i = 0; i < count; i++) {
        if (others[i].data_set != data_set) continue;
        acp_result result = others[i].bytes ? acp_dat_edit_put(edit, others[i].id, others[i].bytes, others[i].size, NULL, &error)
                                            : acp_dat_edit_remove(edit, others[i].id, &error);
        assert_int_equal(result, ACP_OK);
    }
    return test_dat_open(edit);
}
