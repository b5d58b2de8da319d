/* SPDX-License-Identifier: MIT */
/* References between records: the house of spec 11 is whole; then, one at a time, a record is taken away or a number changed, and exactly
 * the references that this breaks are told, with record, offset in the record, field and expectation. Offsets are those of spec 02 §12-20.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/dat_pair.h"
#include "tests/support/failing.h"

typedef struct findings {
    char text[4096]; /* "remark 12340100 18 environment; " … */
    uint32_t count;
} findings;

static void on_fault(void *user, bool is_remark, const acp_error *fault) {
    findings *f = user;
    char one[160];
    f->count++;
    assert_true(strlen(fault->file) > 0);
    assert_true(strlen(fault->message) > 10);
    (void)snprintf(one, sizeof one, "%s %08X %u %s; ", is_remark ? "remark" : "fault", (unsigned)fault->record_id,
                   (unsigned)fault->byte_offset, fault->field);
    (void)strncat(f->text, one, sizeof f->text - strlen(f->text) - 1);
}

static void follow(const test_dat_pair *pair, bool is_strict, findings *out, acp_dat_reference_report *report) {
    acp_dat_verify_options options = acp_dat_verify_options_default();
    acp_error error;
    memset(out, 0, sizeof *out);
    options.is_strict = is_strict;
    options.on_fault = on_fault;
    options.user = out;
    assert_int_equal(acp_dat_verify_references(pair->dats[0], pair->dats[1], &options, report, &error), ACP_OK);
    assert_int_equal(out->count, report->fault_count + report->remark_count);
}

/* The house with `change` made to its records. */
static void follow_changed(void (*change)(acp_dat_edit *portal, acp_dat_edit *cell), bool is_strict, findings *out,
                           acp_dat_reference_report *report) {
    acp_dat_edit *portal = NULL, *cell = NULL;
    test_dat_pair pair;
    test_dat_edits(&portal, &cell);
    test_dat_put_house(portal, cell);
    if (change) change(portal, cell);
    test_dat_pair_open(&pair, portal, cell, NULL);
    follow(&pair, is_strict, out, report);
    test_dat_pair_close(&pair);
}

/* A house record with two bytes replaced. */
static void put_changed(acp_dat_edit *edit, const char *name, uint32_t id, uint32_t offset, uint16_t value) {
    char path[256];
    static uint8_t bytes[8192];
    (void)snprintf(path, sizeof path, "tests/vectors/dat/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    assert_true(offset + 2u <= size);
    bytes[offset] = (uint8_t)value;
    bytes[offset + 1u] = (uint8_t)(value >> 8);
    assert_int_equal(acp_dat_edit_put(edit, id, bytes, (uint32_t)size, NULL, NULL), ACP_OK);
}

static void a_house_is_whole(void **state) {
    (void)state;
    findings f;
    acp_dat_reference_report report;
    follow_changed(NULL, true, &f, &report);
    assert_string_equal(f.text, "");
    assert_true(report.reference_count > 30);
    assert_int_equal(report.dangling_count, 0);
}

static void no_barrel_mesh(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)cell;
    assert_int_equal(acp_dat_edit_remove(portal, 0x01000003u, NULL), ACP_OK);
}
static void no_barrel(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)cell;
    assert_int_equal(acp_dat_edit_remove(portal, 0x02000020u, NULL), ACP_OK);
}
static void no_shell(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)cell;
    assert_int_equal(acp_dat_edit_remove(portal, 0x01000100u, NULL), ACP_OK);
}
static void no_crate(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)cell;
    assert_int_equal(acp_dat_edit_remove(portal, 0x01000101u, NULL), ACP_OK);
}
static void no_environment(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)cell;
    assert_int_equal(acp_dat_edit_remove(portal, 0x0D000010u, NULL), ACP_OK);
}
static void no_cellar(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    assert_int_equal(acp_dat_edit_remove(cell, 0x12340102u, NULL), ACP_OK);
}
static void no_info(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    assert_int_equal(acp_dat_edit_remove(cell, 0x1234FFFEu, NULL), ACP_OK);
}
static void structure_3(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    put_changed(cell, "house_envcell_12340102.bin", 0x12340102u, 20, 3);
}
static void portal_polygon_7(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    put_changed(cell, "house_envcell_12340102.bin", 0x12340102u, 52, 7);
}
static void other_portal_2(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    put_changed(cell, "house_envcell_12340102.bin", 0x12340102u, 56, 2);
}
static void entry_by_the_inner_door(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal; /* the hall's portal 0 leads to the chamber */
    put_changed(cell, "house_lbinfo_1234FFFE.bin", 0x1234FFFEu, 92, 0);
}
static void two_cells(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    put_changed(cell, "house_lbinfo_1234FFFE.bin", 0x1234FFFEu, 4, 2);
}
static void not_announced(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    put_changed(cell, "house_landblock_1234FFFF.bin", 0x1234FFFFu, 4, 0);
}
static void a_texture_as_model(acp_dat_edit *portal, acp_dat_edit *cell) {
    (void)portal;
    put_changed(cell, "house_lbinfo_1234FFFE.bin", 0x1234FFFEu, 14, 0x0500);
}

static void what_is_broken_is_told(void **state) {
    (void)state;
    static const struct {
        void (*change)(acp_dat_edit *portal, acp_dat_edit *cell);
        const char *lenient;
    } cases[] = {
        {no_barrel_mesh, "remark 02000020 12 parts; "},
        {no_barrel, "remark 1234FFFE 12 id; "},
        {no_shell, "remark 1234FFFE 48 model; "},
        {no_crate, "remark 12340101 74 id; "},
        {no_environment, "remark 12340100 18 environment; remark 12340101 18 environment; remark 12340102 18 environment; "},
        {no_cellar, "remark 12340100 68 visible; remark 12340101 62 other_cell; remark 12340101 68 visible; remark 1234FFFE 4 cell_count; "
                    "remark 1234FFFE 100 stabs; "},
        {no_info, "fault 1234FFFF 4 has_info; "},
        {structure_3, "remark 12340102 20 structure; "},
        {portal_polygon_7, "remark 12340102 52 polygon_id; "},
        {other_portal_2, "remark 12340102 56 other_portal; "},
        {entry_by_the_inner_door, "remark 1234FFFE 92 other_portal; "},
        {two_cells, "remark 1234FFFE 4 cell_count; "},
        {not_announced, "remark 1234FFFF 4 has_info; "},
        {a_texture_as_model, "remark 1234FFFE 12 id; "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        findings f;
        acp_dat_reference_report report;
        follow_changed(cases[i].change, false, &f, &report);
        assert_string_equal(f.text, cases[i].lenient);
        bool is_unusual_only = cases[i].change == two_cells || cases[i].change == not_announced;
        assert_int_equal(report.dangling_count, is_unusual_only ? 0 : f.count);
        follow_changed(cases[i].change, true, &f, &report);
        assert_int_equal(report.fault_count, report.dangling_count);
        assert_int_equal(report.remark_count, is_unusual_only);
    }
}

/* The samples that have what the house has not: motion tables, degrade lists, scenes. */
static void portal_records(void **state) {
    (void)state;
    acp_dat_edit *portal = NULL, *cell = NULL;
    test_dat_pair pair;
    findings f;
    acp_dat_reference_report report;
    test_dat_edits(&portal, &cell);
    test_dat_put_vector(portal, "mtable_09000001.bin", 0x09000001u);
    test_dat_put_vector(portal, "anim_03000001.bin", 0x03000001u);
    test_dat_put_vector(portal, "degrade_11000002.bin", 0x11000002u);
    test_dat_put_vector(portal, "scene_12000001.bin", 0x12000001u);
    test_dat_put_vector(portal, "region_13000000.bin", 0x13000000u);
    test_dat_pair_open(&pair, portal, cell, NULL);
    follow(&pair, false, &f, &report);
    /* 0x03000002 at each place of spec 02 §13a where it stands; meshes and setups of the others */
    assert_string_equal(f.text, "remark 09000001 64 animation; remark 09000001 100 animation; remark 09000001 116 animation; "
                                "remark 09000001 228 animation; remark 09000001 252 animation; remark 11000002 8 gfxobj; "
                                "remark 12000001 8 object_id; ");
    test_dat_pair_close(&pair);
}

/* One file alone: what leads into the other is not asked. */
static void one_file_alone(void **state) {
    (void)state;
    acp_dat_edit *portal = NULL, *cell = NULL;
    test_dat_pair pair;
    acp_dat_reference_report report;
    acp_error error;
    test_dat_edits(&portal, &cell);
    test_dat_put_house(portal, cell);
    test_dat_pair_open(&pair, portal, cell, NULL);
    assert_int_equal(acp_dat_verify_references(NULL, pair.dats[1], NULL, &report, &error), ACP_OK);
    assert_int_equal(report.dangling_count, 0);
    uint64_t cells_only = report.reference_count;
    assert_int_equal(acp_dat_verify_references(pair.dats[0], NULL, NULL, &report, &error), ACP_OK);
    assert_int_equal(report.dangling_count, 0);
    assert_true(cells_only > 15);
    assert_int_equal(acp_dat_verify_references(NULL, NULL, NULL, &report, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_dat_verify_references(pair.dats[0], NULL, NULL, NULL, &error), ACP_ERROR_INVALID_ARGUMENT);
    test_dat_pair_close(&pair);
}

static acp_result follow_with(void *user, const acp_allocator *allocator) {
    const test_dat_pair *files = user;
    acp_dat *dats[2] = {NULL, NULL};
    acp_dat_reference_report report;
    acp_error error;
    acp_result result = acp_dat_open(files->paths[0], NULL, allocator, &dats[0], &error);
    if (result == ACP_OK) result = acp_dat_open(files->paths[1], NULL, allocator, &dats[1], &error);
    if (result == ACP_OK) result = acp_dat_verify_references(dats[0], dats[1], NULL, &report, &error);
    acp_dat_close(dats[0]);
    acp_dat_close(dats[1]);
    return result;
}

static void every_allocation(void **state) {
    (void)state;
    acp_dat_edit *portal = NULL, *cell = NULL;
    test_dat_pair pair;
    test_dat_edits(&portal, &cell);
    test_dat_put_house(portal, cell);
    test_dat_pair_open(&pair, portal, cell, NULL);
    assert_true(test_fail_every_allocation(follow_with, &pair) > 15);
    test_dat_pair_close(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_house_is_whole), cmocka_unit_test(what_is_broken_is_told),
                                       cmocka_unit_test(portal_records), cmocka_unit_test(one_file_alone),
                                       cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
