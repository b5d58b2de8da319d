/* SPDX-License-Identifier: MIT */
/* The miniature world: the same bytes every time, strict without a remark, and a body stands in every place of its list. Where a place is
 * there to refuse a body, it does so for the right reason. Expected values are those of the tables and of spec 11 section 9. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "demo/demo.h"
#include "demo/resident.h"

static acp_demo *demo;
static acp_demo_world *world;
static acp_demo_walker walker;

static void require(acp_result result, const acp_error *error, const char *what) {
    char text[700];
    (void)acp_error_format(error, text, sizeof text);
    if (result != ACP_OK) fail_msg("%s: %s", what, text);
}

static int set_up(void **state) {
    (void)state;
    acp_error error = {0};
    require(acp_demo_create(NULL, NULL, &demo, &error), &error, "build");
    require(acp_demo_world_create(demo, NULL, &world, &error), &error, "open");
    require(acp_demo_world_publish_all(world, &error), &error, "publish");
    require(acp_demo_walker_begin(&walker, world, &error), &error, "walker");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    acp_demo_walker_end(&walker);
    acp_demo_world_destroy(world);
    acp_demo_destroy(demo);
    return 0;
}

static const acp_demo_place *find(const char *name) {
    const acp_demo_place *place = acp_demo_find_place(demo, name);
    if (!place) fail_msg("no place %s", name);
    return place;
}

static void stand(const char *name) {
    acp_error error = {0};
    require(acp_demo_walker_stand(&walker, &find(name)->position, &error), &error, name);
}

/* ---- the files ---- */

static void count_fault(void *user, bool is_remark, const acp_error *fault) {
    (void)is_remark;
    char text[700];
    (void)acp_error_format(fault, text, sizeof text);
    print_message("%s\n", text);
    ++*(uint32_t *)user;
}

static void test_files(void **state) {
    (void)state;
    acp_demo *again = NULL, *edited = NULL;
    acp_error error = {0};
    size_t total = 0;
    require(acp_demo_create(NULL, NULL, &again, &error), &error, "build again");
    require(acp_demo_create(ACP_SOURCE_DIR "/demo", NULL, &edited, &error), &error, "build from the folder");
    for (uint32_t data_set = ACP_DAT_PORTAL; data_set <= ACP_DAT_CELL; data_set++) {
        size_t size, other_size;
        const void *bytes = acp_demo_bytes(demo, data_set, &size);
        const acp_demo *others[2] = {again, edited};
        for (uint32_t i = 0; i < 2; i++) {
            const void *other = acp_demo_bytes(others[i], data_set, &other_size);
            assert_int_equal(other_size, size);
            assert_memory_equal(other, bytes, size);
        }
        total += size;
        uint32_t told = 0;
        acp_dat_verify_options options = acp_dat_verify_options_default();
        acp_dat_verify_report report;
        options.is_strict = 1;
        options.on_fault = count_fault;
        options.user = &told;
        require(acp_dat_verify(acp_demo_world_dat(world, data_set), &options, &report, &error), &error, "verify");
        assert_int_equal(told + report.fault_count + report.remark_count, 0);
        acp_dat_info info;
        acp_dat_get_info(acp_demo_world_dat(world, data_set), &info);
        assert_int_equal(info.remarks, 0);
        assert_int_equal(info.data_set, data_set);
        assert_true(info.record_count > 50);
    }
    assert_true(total < 2000000u);
    acp_demo_destroy(again);
    acp_demo_destroy(edited);
}

/* An edited table with a fault is refused with file and entry named, and nothing is left. */
static void test_missing_tables(void **state) {
    (void)state;
    acp_demo *none = (acp_demo *)1;
    acp_error error = {0};
    assert_int_equal(acp_demo_create(ACP_SOURCE_DIR "/demo/shapes", NULL, &none, &error), ACP_ERROR_IO);
    assert_null(none);
    assert_non_null(strstr(error.file, "region.json"));
}

/* ---- places ---- */

/* Places that are there to refuse a body, or to hold something else. */
static const struct {
    const char *name;
    uint32_t hit;
} refusing[] = {{"cliff-rock", ACP_HIT_OBJECT}, {"sea", ACP_HIT_WATER}};

static const char *const not_for_bodies[] = {"hall-door"};

static void test_places(void **state) {
    (void)state;
    uint32_t count, refused = 0, checked = 0;
    const acp_demo_place *places = acp_demo_places(demo, &count);
    for (uint32_t i = 0; i < count; i++) {
        const acp_demo_place *p = &places[i];
        bool is_refusing = false;
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(places[k].name, p->name);
        if (strcmp(p->name, not_for_bodies[0]) == 0) continue;
        stand(p->name);
        for (uint32_t k = 0; k < sizeof refusing / sizeof refusing[0]; k++) {
            if (strcmp(p->name, refusing[k].name) != 0) continue;
            is_refusing = true;
            refused++;
            assert_int_equal(walker.last.verdict, ACP_MOVE_REFUSED);
            assert_int_equal(walker.last.hit.kind, refusing[k].hit);
        }
        if (is_refusing) continue;
        acp_vec3 wish = p->position.frame.origin, got = walker.position.frame.origin;
        if (walker.last.verdict != ACP_MOVE_REACHED) fail_msg("%s: verdict %u, hit %u", p->name, walker.last.verdict, walker.last.hit.kind);
        if (walker.position.cell_id != p->position.cell_id) fail_msg("%s: in cell %08lX", p->name, (unsigned long)walker.position.cell_id);
        if (!walker.last.contact.is_valid || !(walker.mover.transient_state & ACP_TRANSIENT_ON_WALKABLE))
            fail_msg("%s: no ground", p->name);
        double dx = (double)got.x - (double)wish.x, dy = (double)got.y - (double)wish.y, dz = (double)got.z - (double)wish.z;
        if (fabs(dx) > 0.05 || fabs(dy) > 0.05 || fabs(dz) > 0.05) fail_msg("%s: stands %g %g %g beside its place", p->name, dx, dy, dz);
        checked++;
    }
    assert_int_equal(refused, sizeof refusing / sizeof refusing[0]);
    assert_int_equal(checked + refused + 1u, count);
    assert_true(count > 90);
}

/* ---- the worked house ---- */

typedef struct cells_seen {
    uint32_t cells[32];
    uint32_t count;
} cells_seen;

static void note_cell(void *user, const acp_demo_walker *w) {
    cells_seen *seen = user;
    if (seen->count && seen->cells[seen->count - 1u] == w->position.cell_id) return;
    assert_true(seen->count < 32);
    seen->cells[seen->count++] = w->position.cell_id;
}

/* Walks to a point of the block; z at the end as expected. */
static void go(uint32_t block_id, double x, double y, double z, cells_seen *seen) {
    bool has_arrived;
    acp_error error = {0};
    require(acp_demo_walker_go(&walker, block_id, x, y, 4000, note_cell, seen, &has_arrived, &error), &error, "walk");
    if (!has_arrived)
        fail_msg("stuck at %08lX %g %g %g on the way to %g %g", (unsigned long)walker.position.cell_id,
                 (double)walker.position.frame.origin.x, (double)walker.position.frame.origin.y, (double)walker.position.frame.origin.z, x,
                 y);
    if (fabs((double)walker.position.frame.origin.z - z) > 1e-3)
        fail_msg("at %g %g z is %g, not %g", x, y, (double)walker.position.frame.origin.z, z);
}

static void expect_cells(const cells_seen *seen, const uint32_t *expected, uint32_t count) {
    assert_int_equal(seen->count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(seen->cells[i], expected[i]);
}

/* Spec 11 section 9: from the lawn into the cellar and back, every cell on the way. */
static void test_cottage(void **state) {
    (void)state;
    const uint32_t block = 0x52520000u;
    cells_seen in = {{0}, 0}, out = {{0}, 0};
    stand("cottage-lawn");
    note_cell(&in, &walker);
    go(block, 59.5, 60, 10.005, &in);
    go(block, 59.5, 57.75, 10.005, &in);
    go(block, 55.5, 57.75, 7.005, &in);
    go(block, 55.5, 61, 7.005, &in);
    const uint32_t inward[4] = {block | 0x13u, block | 0x100u, block | 0x101u, block | 0x102u};
    expect_cells(&in, inward, 4);
    note_cell(&out, &walker);
    go(block, 55.5, 57.75, 7.005, &out);
    go(block, 59.5, 57.75, 10.005, &out);
    go(block, 59.5, 60, 10.005, &out);
    go(block, 68, 60, 10.005, &out);
    const uint32_t outward[4] = {block | 0x102u, block | 0x101u, block | 0x100u, block | 0x13u};
    expect_cells(&out, outward, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_missing_tables),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_cottage),
    };
    return cmocka_run_group_tests_name("demo world", tests, set_up, tear_down);
}
