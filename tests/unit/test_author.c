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
    test_mesh m;
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
    test_mesh m;
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
    test_house_rooms(rooms, meshes);
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

/* ---- what is refused ---- */

static void assert_refused(const test_mesh *m, bool is_room, acp_result code, uint32_t polygon, const char *words) {
    acp_record_bytes bytes = {0};
    acp_mesh_report report;
    acp_error error = {0};
    acp_result result = is_room ? acp_mesh_make_environment(&m->mesh, 1, 0x0D000001u, NULL, &bytes, &report, &error)
                                : acp_mesh_make_gfxobj(&m->mesh, 0x01000001u, NULL, &bytes, &report, &error);
    if (result != code || !strstr(error.message, words))
        fail_msg("%d '%s' (%s), expected %d '%s'", result, error.message, error.field, code, words);
    assert_null(bytes.bytes);
    assert_int_equal(report.fault_polygon, polygon);
    char field[64];
    (void)snprintf(field, sizeof field, is_room ? "structures[0].polygons[%u]" : "polygons[%u]", polygon);
    if (polygon != ACP_BSP_NONE) assert_string_equal(error.field, field);
}

static void polygons_that_are_no_good_are_refused_by_number(void **state) {
    (void)state;
    static const struct {
        const char *line;
        acp_result code;
        const char *words;
    } cases[] = {
        {"w 0 0 0 1 0 0", ACP_ERROR_BAD_DATA, "at least three"},
        {"w 0 0 0 1 0 0 2 0 0", ACP_ERROR_BAD_DATA, "on a line"},
        {"w 0 0 0 4 0 0 4 0.000001 0", ACP_ERROR_BAD_DATA, "needle"},
        {"w 0 0 0 1 0 0 1 1 0.01 0 1 0", ACP_ERROR_BAD_DATA, "not flat"},
        {"w 0 0 0 4 0 0 1 1 0 0 4 0", ACP_ERROR_BAD_DATA, "not convex"},
        {"w 1 0 0 -0.809 0.588 0 0.309 -0.951 0 0.309 0.951 0 -0.809 -0.588 0", ACP_ERROR_BAD_DATA, "not convex"}, /* a star */
        {"w 0 0 0 1 0 0 1 1 0 1 1 0 0 1 0", ACP_ERROR_BAD_DATA, "same place"},
        {"w 0 0 0 1 0 0 1 1 0 0 0 0 1 0 0 1 1 0", ACP_ERROR_BAD_DATA, "same place"}, /* twice around */
        {"w 0 0 0 nan 0 0 1 1 0", ACP_ERROR_NOT_FINITE, "not finite"},
        {"w 0 0 0 inf 0 0 1 1 0", ACP_ERROR_NOT_FINITE, "not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_mesh m;
        test_house_crate(&m);
        m.mesh.tree_form = ACP_TREE_FORM_LEAF;
        test_mesh_add_line(&m, cases[i].line);
        assert_refused(&m, false, cases[i].code, 6, cases[i].words);
    }
}

static void numbers_out_of_range_are_refused(void **state) {
    (void)state;
    test_mesh m;
    test_house_crate(&m);
    m.indices[9] = 24;
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, 2, "point 1 names vertex 24 of 24");
    test_house_crate(&m);
    m.polygons[5].point_count = 5;
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, 5, "ends before");
    test_house_crate(&m);
    m.polygons[1].flags = ACP_MESH_PORTAL | ACP_MESH_PHYSICS;
    assert_refused(&m, false, ACP_ERROR_INVALID_ARGUMENT, 1, "it is a portal");
    test_house_shell(&m);
    m.polygons[3].pos_surface = 1;
    assert_refused(&m, false, ACP_ERROR_OUT_OF_RANGE, 3, "surface 1 or -1 of 1");
    test_house_crate(&m);
    m.mesh.struct_size = 8;
    assert_refused(&m, false, ACP_ERROR_INVALID_ARGUMENT, ACP_BSP_NONE, "acp_mesh_default");
    test_house_crate(&m);
    acp_record_bytes bytes = {0};
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x02000001u, NULL, &bytes, NULL, NULL), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_mesh_make_environment(&m.mesh, 1, 0x0D010001u, NULL, &bytes, NULL, NULL), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_mesh_make_gfxobj(NULL, 0x01000001u, NULL, &bytes, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, NULL, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_mesh_make_environment(&m.mesh, 0, 0x0D000001u, NULL, &bytes, NULL, NULL), ACP_ERROR_INVALID_ARGUMENT);
}

static void given_trees_are_trees_and_cover(void **state) {
    (void)state;
    test_mesh m;
    test_house_crate(&m);
    m.nodes[4].negative = 5; /* its positive child too */
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "their only parent");
    test_house_crate(&m);
    m.nodes[4].negative = 0;
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "their only parent");
    test_house_crate(&m);
    m.nodes[12].polygon_count = 5; /* the last leaf forgets polygon 5 */
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, 5, "does not list it");
    test_house_shell(&m);
    m.nodes[10].plane.normal.x = 1.1f;
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "unit normal");
    test_house_shell(&m);
    m.node_polygons[0] = 10; /* the portal */
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "no physics polygon");
    /* the walls that cross the plane x = -5 are listed on both sides: one side is not enough (AUT-5) */
    test_house_shell(&m);
    m.node_polygons[1] = 3; /* the body's leaf forgets wall 4, the front's leaf still lists it */
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, 4, "does not list it");
    test_house_shell(&m);
    m.node_polygons[8] = 0; /* and the other way round: leaf "0 4 6 7" */
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, 4, "does not list it");
}

static void bodies_that_do_not_close_are_refused_as_solids(void **state) {
    (void)state;
    test_mesh m;
    acp_vec3 low = {0, 0, 0}, high = {1, 2, 3};
    test_mesh_init(&m);
    test_mesh_add_box(&m, ACP_MESH_PHYSICS, low, high, true);
    m.mesh.tree_form = ACP_TREE_FORM_SOLID;
    assert_refused(&m, false, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "look inwards");
    test_mesh_init(&m);
    test_mesh_add_box(&m, ACP_MESH_PHYSICS, low, high, false);
    m.mesh.polygon_count = 5;
    m.mesh.tree_form = ACP_TREE_FORM_SOLID;
    acp_record_bytes bytes = {0};
    acp_mesh_report report;
    acp_error error = {0};
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, &bytes, &report, &error), ACP_ERROR_BAD_DATA);
    assert_non_null(strstr(error.message, "does not close"));
    assert_int_equal(report.is_closed, 0);
    m.mesh.flags = ACP_MESH_MAY_BE_OPEN;
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, &bytes, &report, &error), ACP_OK);
    assert_int_equal(report.solid_leaf_count, 1);
    acp_record_bytes_free(&bytes);
    m.mesh.tree_form = ACP_TREE_FORM_AUTOMATIC; /* an open shell is a leaf (AUT-14) */
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, &bytes, &report, &error), ACP_OK);
    assert_int_equal(report.tree_form, ACP_TREE_FORM_LEAF);
    assert_int_equal(report.solid_leaf_count, 0);
    acp_record_bytes_free(&bytes);
}

static void rooms_that_do_not_close_are_refused(void **state) {
    (void)state;
    test_mesh m;
    test_house_room(&m, 0);
    m.mesh.polygon_count = 10; /* no portals */
    assert_refused(&m, true, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "needs a portal");
    test_house_room(&m, 0);
    m.mesh.polygon_count = 11; /* the front doorway is a hole: 1.5 x 2.25 m */
    assert_refused(&m, true, ACP_ERROR_BAD_DATA, 7, "3.38 m2 of this wall are open");
    test_house_room(&m, 0);
    m.polygons[1].flags = ACP_MESH_DRAWING; /* no ceiling */
    assert_refused(&m, true, ACP_ERROR_BAD_DATA, ACP_BSP_NONE, "walls are missing");
    test_house_room(&m, 0);
    test_mesh_add_line(&m, "p -5 -0.75 0 -5 0.75 0 -5 0.75 2.25 -5 -0.75 2.25"); /* a wall in the doorway */
    assert_refused(&m, true, ACP_ERROR_BAD_DATA, 7, "overlap by 3.38 m2");
    test_house_room(&m, 0);
    test_mesh_add_line(&m, "o -2 -3 0 -2 3 0 -2 3 3 -2 -3 3");
    assert_refused(&m, true, ACP_ERROR_BAD_DATA, 12, "cuts the room");
    test_mesh_init(&m);
    test_mesh_add_box(&m, ACP_MESH_PHYSICS, (acp_vec3){0, 0, 0}, (acp_vec3){1, 2, 3}, false);
    m.polygons[5].flags = ACP_MESH_PORTAL;
    assert_refused(&m, true, ACP_ERROR_BAD_DATA, 0, "face outwards");
}

/* An L: two walls of it cut the room. It closes, so it is a hull cell (AUT-16) unless that is not wanted. */
static void rooms_that_are_not_convex_are_told(void **state) {
    (void)state;
    static const double x[] = {0, 4, 4, 2, 2, 0}, y[] = {0, 0, 2, 2, 4, 4};
    test_mesh m;
    test_mesh_init(&m);
    test_mesh_add_line(&m, "w 0 0 0 4 0 0 4 2 0 0 2 0");
    test_mesh_add_line(&m, "w 0 2 0 2 2 0 2 4 0 0 4 0");
    test_mesh_add_line(&m, "w 0 0 3 0 2 3 4 2 3 4 0 3");
    test_mesh_add_line(&m, "w 0 2 3 0 4 3 2 4 3 2 2 3");
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t k = (i + 1) % 6;
        acp_vec3 points[4] = {
            {(float)x[k], (float)y[k], 0}, {(float)x[i], (float)y[i], 0}, {(float)x[i], (float)y[i], 3}, {(float)x[k], (float)y[k], 3}};
        (void)test_mesh_add(&m, i == 0 ? (uint32_t)ACP_MESH_PORTAL : (uint32_t)ACP_MESH_PHYSICS, points, 4);
    }
    acp_record_bytes bytes = {0};
    acp_mesh_report report;
    acp_error error = {0};
    if (acp_mesh_make_environment(&m.mesh, 1, 0x0D000001u, NULL, &bytes, &report, &error)) fail_msg("%s %s", error.field, error.message);
    assert_int_equal(report.is_closed, 1);
    assert_int_equal(report.is_convex, 0);
    acp_record_bytes_free(&bytes);
    m.mesh.flags = ACP_MESH_MUST_BE_CONVEX;
    assert_refused(&m, true, ACP_ERROR_BAD_DATA, 5, "not convex"); /* x = 4 is only half a wall */
}

/* What is built into a room is one solid at the end of the chain when it closes with the walls, else a leaf that is not solid. */
static void what_is_built_in_is_solid_when_it_closes(void **state) {
    (void)state;
    static const struct {
        const char *lines[4];
        uint32_t count, solid_leaves, nodes;
    } cases[] = {
        /* a pillar from floor to ceiling: four sides, its ends are the room's */
        {{"p 1 1 0 2 1 0 2 1 3 1 1 3", "p 2 1 0 2 2 0 2 2 3 2 1 3", "p 2 2 0 1 2 0 1 2 3 2 2 3", "p 1 2 0 1 1 0 1 1 3 1 2 3"}, 4, 6, 21},
        /* the same, one side missing */
        {{"p 1 1 0 2 1 0 2 1 3 1 1 3", "p 2 1 0 2 2 0 2 2 3 2 1 3", "p 2 2 0 1 2 0 1 2 3 2 2 3"}, 3, 5, 13},
        /* a fence, to be passed on both sides */
        {{"p 1 1 0 2 1 0 2 1 1 1 1 1", "p 2 1 0 1 1 0 1 1 1 2 1 1"}, 2, 5, 13},
        /* a step along a wall: top and front, and its two ends are the room's walls */
        {{"p 0 0 1 4 0 1 4 1 1 0 1 1", "p 4 1 0 0 1 0 0 1 1 4 1 1"}, 2, 6, 17},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_mesh m;
        test_mesh_init(&m);
        test_mesh_add_box(&m, ACP_MESH_PHYSICS, (acp_vec3){0, 0, 0}, (acp_vec3){4, 4, 3}, true);
        m.polygons[2].flags = ACP_MESH_PORTAL;
        for (uint32_t k = 0; k < cases[i].count; k++)
            test_mesh_add_line(&m, cases[i].lines[k]);
        acp_record_bytes bytes = {0};
        acp_mesh_report report;
        acp_error error = {0};
        if (acp_mesh_make_environment(&m.mesh, 1, 0x0D000001u, NULL, &bytes, &report, &error))
            fail_msg("%zu: %s %s", i, error.field, error.message);
        assert_int_equal(report.solid_leaf_count, cases[i].solid_leaves);
        assert_int_equal(report.physics_node_count, cases[i].nodes);
        assert_int_equal(report.is_convex, 1);
        assert_int_equal(report.cell_plane_count, 6);
        acp_record_bytes_free(&bytes);
    }
}

static acp_record decode_environment(const acp_mesh *mesh) {
    acp_record_bytes bytes = {0};
    acp_record record;
    acp_error error = {0};
    if (acp_mesh_make_environment(mesh, 1, 0x0D000001u, NULL, &bytes, NULL, &error)) fail_msg("%s: %s", error.field, error.message);
    acp_record_decode_options strict = {ACP_CONTENT_STRICT, NULL, NULL, 0x0D000001u};
    assert_int_equal(acp_record_decode(ACP_RECORD_ENVIRONMENT, bytes.bytes, bytes.size, &strict, NULL, &record, NULL), ACP_OK);
    acp_record_bytes_free(&bytes);
    return record;
}

/* A floor and five openings: nodes with nothing beneath them have a zero sphere, and free space is all around. */
static void a_room_may_be_all_openings_but_its_floor(void **state) {
    (void)state;
    test_mesh m;
    test_mesh_init(&m);
    test_mesh_add_box(&m, ACP_MESH_PORTAL, (acp_vec3){0, 0, 0}, (acp_vec3){4, 4, 3}, true);
    m.polygons[5].flags = ACP_MESH_PHYSICS;
    acp_record record = decode_environment(&m.mesh);
    const acp_record_cell_structure *s = record.content.environment->cells;
    assert_int_equal(s->portal_count, 5);
    assert_int_equal(s->physics_tree.node_count, 13);
    uint32_t solid = 0, listed = 0;
    for (uint32_t i = 0; i < s->physics_tree.node_count; i++) {
        solid += s->physics_tree.nodes[i].solid != 0;
        listed += s->physics_tree.nodes[i].polygon_count;
    }
    assert_int_equal(solid, 1);
    assert_int_equal(listed, 1);
    assert_true(s->physics_tree.nodes[0].sphere.radius > 2.8f); /* holds the floor */
    acp_record_free(&record);
    m.polygons[5].flags = ACP_MESH_PORTAL;
    m.polygons[0].flags = ACP_MESH_PHYSICS; /* the wall at the chain's start: nothing beneath the others */
    record = decode_environment(&m.mesh);
    s = record.content.environment->cells;
    assert_true(s->physics_tree.nodes[0].sphere.radius > 2.0f && s->physics_tree.nodes[1].sphere.radius == 0.0f);
    acp_record_free(&record);
}

/* ---- wishes ---- */

static void walls_with_openings_can_come_first(void **state) {
    (void)state;
    test_mesh m;
    test_house_room(&m, 0);
    m.mesh.flags = ACP_MESH_OPENINGS_FIRST | ACP_MESH_WALLS_NOT_SOLID | ACP_MESH_HAS_DRAWING_TREE;
    acp_record record = decode_environment(&m.mesh);
    const acp_record_cell_structure *s = record.content.environment->cells;
    assert_true(s->physics_tree.nodes[0].plane.normal.x == -1.0f); /* the inner wall, polygon 4 */
    assert_true(s->physics_tree.nodes[1].plane.normal.x == 1.0f);  /* the front wall */
    for (uint32_t i = 0; i < s->physics_tree.node_count; i++)
        assert_int_equal(s->physics_tree.nodes[i].solid, 0);
    assert_int_equal(s->drawing_tree.node_count, 5);
    assert_int_equal(s->drawing_tree.nodes[0].tag, ACP_TAG_PORT);
    assert_int_equal(s->drawing_tree.nodes[0].polygon_count, 10);
    assert_int_equal(s->drawing_tree.nodes[2].portals[0], 11);
    assert_int_equal(s->drawing_tree.nodes[2].portals[1], 1);
    acp_record_free(&record);
}

static void vertices_keep_their_numbers_when_wished(void **state) {
    (void)state;
    test_mesh m;
    test_house_crate(&m);
    m.mesh.flags = ACP_MESH_KEEP_VERTICES | ACP_MESH_HAS_DEGRADE_ID;
    m.mesh.degrade_id = 0x11000001u;
    float uvs[48];
    acp_vec3 normals[25];
    for (uint32_t i = 0; i < 24; i++) {
        uvs[2 * i] = (float)(i % 2);
        uvs[2 * i + 1] = 0.5f;
        normals[i] = (acp_vec3){0, 1, 0};
    }
    m.mesh.uvs = uvs;
    m.mesh.normals = normals;
    acp_record_bytes bytes = {0};
    acp_mesh_report report;
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, &bytes, &report, NULL), ACP_OK);
    acp_record record;
    acp_record_decode_options strict = {ACP_CONTENT_STRICT, NULL, NULL, 0x01000001u};
    assert_int_equal(acp_record_decode(ACP_RECORD_GFXOBJ, bytes.bytes, bytes.size, &strict, NULL, &record, NULL), ACP_OK);
    const acp_record_gfxobj *r = record.content.gfxobj;
    assert_int_equal(r->vertices.count, 24);
    assert_int_equal(r->degrade_id, 0x11000001u);
    assert_int_equal(r->physics_polygons.items[2].vertices[1], 9);
    assert_int_equal(r->physics_polygons.items[2].stippling, 0);
    assert_int_equal(r->vertices.items[9].uv_count, 1);
    assert_true(r->vertices.items[9].uvs[0] == 1.0f && r->vertices.items[9].normal.y == 1.0f);
    acp_record_free(&record);
    acp_record_bytes_free(&bytes);
    m.vertices[24] = (acp_vec3){0, test_float_from_bits(0x7FC00000u), 0}; /* nobody names it, but it would be kept */
    m.mesh.vertex_count = 25;
    normals[24] = normals[0];
    assert_refused(&m, false, ACP_ERROR_NOT_FINITE, ACP_BSP_NONE, "vertex 24");
    m.mesh.flags = 0;
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, &bytes, &report, NULL), ACP_OK);
    assert_int_equal(report.vertex_count, 8); /* dropped */
    acp_record_bytes_free(&bytes);
}

static acp_result make_everything(void *user, const acp_allocator *allocator) {
    test_mesh *meshes = user;
    acp_record_bytes bytes = {0};
    acp_result result = acp_mesh_make_gfxobj(&meshes[0].mesh, 0x01000100u, allocator, &bytes, NULL, NULL);
    acp_record_bytes_free(&bytes);
    if (result == ACP_OK) result = acp_mesh_make_environment(&meshes[1].mesh, 1, 0x0D000010u, allocator, &bytes, NULL, NULL);
    acp_record_bytes_free(&bytes);
    return result;
}

static void every_refused_allocation_is_an_error(void **state) {
    (void)state;
    static test_mesh meshes[2];
    test_house_shell(&meshes[0]);
    meshes[0].mesh.tree_form = ACP_TREE_FORM_SOLID; /* split */
    meshes[0].mesh.flags = ACP_MESH_MAY_BE_OPEN;
    test_house_room(&meshes[1], 2);
    assert_true(test_fail_every_allocation(make_everything, meshes) > 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shell_is_the_spec_s_record),
        cmocka_unit_test(the_crate_is_the_spec_s_record),
        cmocka_unit_test(the_rooms_are_the_spec_s_record),
        cmocka_unit_test(polygons_that_are_no_good_are_refused_by_number),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(given_trees_are_trees_and_cover),
        cmocka_unit_test(bodies_that_do_not_close_are_refused_as_solids),
        cmocka_unit_test(rooms_that_do_not_close_are_refused),
        cmocka_unit_test(rooms_that_are_not_convex_are_told),
        cmocka_unit_test(what_is_built_in_is_solid_when_it_closes),
        cmocka_unit_test(a_room_may_be_all_openings_but_its_floor),
        cmocka_unit_test(walls_with_openings_can_come_first),
        cmocka_unit_test(vertices_keep_their_numbers_when_wished),
        cmocka_unit_test(every_refused_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
