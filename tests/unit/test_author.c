/* SPDX-License-Identifier: MIT */
/* Authoring: the worked house of spec 11 section 8, to the byte, its rooms' trees built from the polygons alone; the numbers of its
 * tables; what is refused and how it is named; failure of every allocation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/author.h"
#include "asset/from_record.h"
#include "dat/record.h"
#include "tests/support/failing.h"
#include "tests/support/house_mesh.h"
#include "tests/support/random.h"

#define SAMPLES ACP_SOURCE_DIR "/tests/vectors/dat/"

/* ---- the house ---- */

static void assert_sample(const char *name, const acp_record_bytes *made) {
    char path[512];
    static uint8_t bytes[16384];
    (void)snprintf(path, sizeof path, "%s%s", SAMPLES, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    for (size_t i = 0; i < size && i < made->size; i++)
        if (bytes[i] != made->bytes[i]) fail_msg("%s: byte 0x%zx is %02x, expected %02x", name, i, made->bytes[i], bytes[i]);
    assert_int_equal(made->size, size);
}

static void the_shell_is_the_spec_s_record(void **state) {
    (void)state;
    test_mesh m = {0};
    test_house_shell(&m);
    acp_record_bytes bytes = {0};
    acp_mesh_report report;
    acp_error error = {0};
    if (acp_mesh_make_gfxobj(&m.mesh, 0x01000100u, NULL, &bytes, &report, &error)) fail_msg("%s: %s", error.field, error.message);
    assert_sample("house_gfxobj_01000100.bin", &bytes);
    assert_int_equal(report.vertex_count, 18);
    assert_int_equal(report.physics_polygon_count, 10);
    assert_int_equal(report.drawing_polygon_count, 11);
    assert_int_equal(report.drawing_leaf_count, 2); /* num_leaves of the LandBlockInfo */
    assert_int_equal(report.solid_leaf_count, 4);
    assert_int_equal(test_float_bits(report.sphere.radius), 0x40CCA22Cu);
    acp_record_bytes_free(&bytes);
}

static void the_crate_is_the_spec_s_record(void **state) {
    (void)state;
    test_mesh m = {0};
    test_house_crate(&m);
    acp_record_bytes bytes = {0};
    acp_mesh_report report;
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000101u, NULL, &bytes, &report, NULL), ACP_OK);
    assert_sample("house_gfxobj_01000101.bin", &bytes);
    assert_int_equal(report.is_closed, 1);
    acp_record_bytes_free(&bytes);
    m.mesh.tree_form = ACP_TREE_FORM_AUTOMATIC; /* the same chain, its planes in the order of the polygons */
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000101u, NULL, &bytes, &report, NULL), ACP_OK);
    assert_int_equal(report.tree_form, ACP_TREE_FORM_SOLID);
    assert_int_equal(report.is_convex, 1);
    assert_int_equal(report.physics_depth, 7);
    assert_int_equal(bytes.size, 830);
    acp_record_bytes_free(&bytes);
}

static void the_rooms_are_the_spec_s_record(void **state) {
    (void)state;
    static test_mesh rooms[3];
    acp_mesh meshes[3];
    memset(rooms, 0, sizeof rooms);
    for (uint32_t i = 0; i < 3; i++) {
        test_house_room(&rooms[i], i);
        meshes[i] = rooms[i].mesh;
    }
    acp_record_bytes bytes = {0};
    acp_mesh_report reports[3];
    acp_error error = {0};
    if (acp_mesh_make_environment(meshes, 3, 0x0D000010u, NULL, &bytes, reports, &error)) fail_msg("%s: %s", error.field, error.message);
    assert_sample("house_environment_0D000010.bin", &bytes);
    static const uint32_t vertices[] = {20, 20, 15}, planes[] = {6, 6, 6}, solid[] = {4, 4, 6}, portals[] = {2, 2, 1};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(reports[i].vertex_count, vertices[i]);
        assert_int_equal(reports[i].cell_plane_count, planes[i]);
        assert_int_equal(reports[i].solid_leaf_count, solid[i]);
        assert_int_equal(reports[i].portal_count, portals[i]);
        assert_int_equal(reports[i].is_closed, 1);
        assert_int_equal(reports[i].is_convex, 1);
    }
    /* sides of section 8.3 */
    static const struct {
        uint32_t room, polygon;
        int32_t side;
    } sides[] = {{0, 10, 1}, {0, 11, 0}, {1, 10, 0}, {1, 11, 0}, {2, 9, 1}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        int32_t side = -1;
        assert_int_equal(acp_mesh_portal_side(&meshes[sides[i].room], sides[i].polygon, &side, NULL), ACP_OK);
        assert_int_equal(side, sides[i].side);
    }
    acp_record_bytes_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shell_is_the_spec_s_record),
        cmocka_unit_test(the_crate_is_the_spec_s_record),
        cmocka_unit_test(the_rooms_are_the_spec_s_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
