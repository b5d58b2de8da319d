/* SPDX-License-Identifier: MIT */
/* OBJ files: what is read, what is refused and on which line; the way of a shape through a file and back; the worked house's rooms come
 * back to the byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/geometry.h"
#include "support/obj.h"
#include "tests/support/house_mesh.h"

static const acp_obj_options plain = {1.0, false, ACP_MESH_PHYSICS | ACP_MESH_DRAWING};

static acp_obj read_good(const char *text, const acp_obj_options *options) {
    acp_obj obj = {0};
    acp_error error = {0};
    if (acp_obj_read(text, strlen(text), "t.obj", options, &obj, &error)) fail_msg("%s: %s", error.field, error.message);
    return obj;
}

#define CORNERS "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void faces_are_read_with_all_forms_of_corners(void **state) {
    (void)state;
    acp_obj obj = read_good("# a comment\r\nmtllib x.mtl\r\n" CORNERS "vt 0.25\nvt 0.5 1 0\nvn 0 0 2\n"
                            "v 2 2 2 0.5 0.5 0.5\ns off\n"
                            "f 1 2 3\nf 1/1 2/2 3/1\nf 1//1 2//1 3//-1\nf -5/1/1 -4/2/1 \\\n -3/1/1\n\n",
                            &plain);
    assert_int_equal(obj.faces.count, 4);
    assert_int_equal(obj.positions.count, 5);
    assert_int_equal(obj.objects.count, 1);
    assert_int_equal(obj.objects.items[0].face_count, 4);
    assert_int_equal(obj.faces.items[3].corner_count, 3);
    assert_int_equal(obj.faces.items[3].line, 15);
    static const acp_obj_corner expected[] = {{0, UINT32_MAX, UINT32_MAX},
                                              {1, UINT32_MAX, UINT32_MAX},
                                              {2, UINT32_MAX, UINT32_MAX},
                                              {0, 0, UINT32_MAX},
                                              {1, 1, UINT32_MAX},
                                              {2, 0, UINT32_MAX},
                                              {0, UINT32_MAX, 0},
                                              {1, UINT32_MAX, 0},
                                              {2, UINT32_MAX, 0},
                                              {0, 0, 0},
                                              {1, 1, 0},
                                              {2, 0, 0}};
    assert_int_equal(obj.corners.count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(obj.corners.items[i].vertex, expected[i].vertex);
        assert_int_equal(obj.corners.items[i].uv, expected[i].uv);
        assert_int_equal(obj.corners.items[i].normal, expected[i].normal);
    }
    assert_true(obj.uvs.items[0].u == 0.25f && obj.uvs.items[0].v == 0.0f && obj.uvs.items[1].v == 1.0f);
    acp_obj_free(&obj);
}

static void groups_then_materials_then_options_say_what_a_face_is_for(void **state) {
    (void)state;
    acp_obj obj = read_good(CORNERS "f 1 2 3\n"                      /* options */
                                    "usemtl portal.003\nf 1 2 3\n"   /* material */
                                    "g physics physics_7\nf 1 2 3\n" /* group before material */
                                    "g drawing physics sides_2 back_4\nf 1 2 3\n"
                                    "g roof\nusemtl slates\nf 1 2 3\n"
                                    "g\nusemtl drawing\nf 1 2 3\no b\ng portal drawing\nf 1 2 3\n",
                            &plain);
    static const uint32_t kinds[] = {3, 4, 1, 3, 3, 2, 6};
    assert_int_equal(obj.faces.count, 7);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(obj.faces.items[i].kind, kinds[i]);
    assert_int_equal(obj.faces.items[3].sides_type, 2);
    assert_int_equal(obj.faces.items[3].back, 4);
    assert_int_equal(obj.faces.items[4].sides_type, 0);
    assert_int_equal(obj.objects.count, 2);
    assert_string_equal(obj.objects.items[1].name, "b");
    assert_int_equal(obj.objects.items[1].face_count, 1);
    acp_obj_free(&obj);
}

static void a_file_can_be_scaled_and_turned(void **state) {
    (void)state;
    acp_obj_options options = {0.01, true, ACP_MESH_PHYSICS};
    acp_obj obj = read_good("v 100 200 300\nv 0 0 1\nv 1 0 0\nvn 0 1 0\nf 1//1 2//1 3//1\n", &options);
    assert_true(obj.positions.items[0].x == 1.0f && obj.positions.items[0].y == -3.0f && obj.positions.items[0].z == 2.0f);
    assert_true(obj.normals.items[0].z == 1.0f); /* up stays up */
    assert_int_equal(obj.faces.items[0].kind, ACP_MESH_PHYSICS);
    acp_obj_free(&obj);
}

static void surfaces_are_named_by_materials(void **state) {
    (void)state;
    acp_obj obj = read_good(CORNERS "usemtl surface_08000012\nusemtl surface_08000003\nf 1 2 3\nusemtl slot_7\nf 1 2 3\n"
                                    "usemtl surface_08000012\nf 1 2 3\nusemtl none\nf 1 2 3\n",
                            &plain);
    acp_obj_mesh mesh;
    assert_int_equal(acp_obj_make_mesh(&obj, 0, 1, false, &mesh, NULL), ACP_OK);
    assert_int_equal(mesh.mesh.surface_count, 2);
    assert_int_equal(mesh.surfaces[0], 0x08000012u);
    assert_int_equal(mesh.polygons[0].pos_surface, 1);
    assert_int_equal(mesh.polygons[1].pos_surface, -1);
    assert_int_equal(mesh.polygons[2].pos_surface, 0);
    assert_int_equal(mesh.polygons[3].pos_surface, -1);
    assert_int_equal(mesh.lines[2], 11);
    acp_obj_mesh_free(&mesh);
    assert_int_equal(acp_obj_make_mesh(&obj, 0, 1, true, &mesh, NULL), ACP_OK);
    assert_int_equal(mesh.polygons[1].pos_surface, 7);
    assert_int_equal(mesh.polygons[0].pos_surface, -1);
    assert_int_equal(mesh.mesh.surface_count, 0);
    acp_obj_mesh_free(&mesh);
    acp_obj_free(&obj);
}

static void faults_name_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        acp_result code;
        const char *field, *words;
    } cases[] = {
        {CORNERS "f 1 2 5\n", ACP_ERROR_BAD_DATA, "line 5", "vertex out of range, there are 4 so far: '5'"},
        {CORNERS "f 1 2 0\n", ACP_ERROR_BAD_DATA, "line 5", "vertex out of range"},
        {CORNERS "f 1 2 -5\n", ACP_ERROR_BAD_DATA, "line 5", "vertex out of range"},
        {CORNERS "f 1/1 2 3\n", ACP_ERROR_BAD_DATA, "line 5", "texture coordinate out of range, there are 0"},
        {CORNERS "f 1//1 2 3\n", ACP_ERROR_BAD_DATA, "line 5", "normal out of range"},
        {CORNERS "f 1 2\n", ACP_ERROR_BAD_DATA, "line 5", "at least three corners"},
        {CORNERS "f 1 2 x\n", ACP_ERROR_BAD_DATA, "line 5", "a corner is v"},
        {CORNERS "f 1 2 3/1/1/1\n", ACP_ERROR_BAD_DATA, "line 5", "range"},
        {CORNERS "f 1 2 4294967297\n", ACP_ERROR_BAD_DATA, "line 5", "a corner is v"},
        {"v 0 0 nan\n", ACP_ERROR_NOT_FINITE, "line 1", "not finite: 'nan'"},
        {"\n\nv 1e39 0 0\n", ACP_ERROR_NOT_FINITE, "line 3", "not finite"},
        {"v 0 0\n", ACP_ERROR_BAD_DATA, "line 1", "too few numbers"},
        {"v 0 0 0 0 0 0 0 0 0\n", ACP_ERROR_BAD_DATA, "line 1", "too many numbers"},
        {"v 0 0 1,5\n", ACP_ERROR_BAD_DATA, "line 1", "not a number: '1,5'"},
        {"# fine\nfoo 1\n", ACP_ERROR_BAD_DATA, "line 2", "no statement of an OBJ file: 'foo'"},
        {"v \\\n 0 \\\n 0 x\n", ACP_ERROR_BAD_DATA, "line 3", "not a number: 'x'"},
        {"cstype bezier\n", ACP_ERROR_UNSUPPORTED, "line 1", "curves"},
        {"g physics portal\n", ACP_ERROR_BAD_DATA, "line 1", "not both"},
        {"\x7F"
         "ELF",
         ACP_ERROR_BAD_DATA, "line 1", "no statement"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        acp_obj obj = {0};
        acp_error error = {0};
        acp_result result = acp_obj_read(cases[i].text, strlen(cases[i].text), "t.obj", &plain, &obj, &error);
        if (result != cases[i].code || strcmp(error.field, cases[i].field) != 0 || !strstr(error.message, cases[i].words))
            fail_msg("case %zu: %d %s: %s", i, result, error.field, error.message);
        assert_string_equal(error.file, "t.obj");
        acp_obj_free(&obj);
    }
}

static void a_face_has_at_most_255_corners(void **state) {
    (void)state;
    char text[2048] = "v 0 0 0\nf";
    for (uint32_t i = 0; i < 256; i++)
        strcat(text, " 1");
    acp_obj obj = {0};
    acp_error error = {0};
    assert_int_equal(acp_obj_read(text, strlen(text), "t.obj", &plain, &obj, &error), ACP_ERROR_LIMIT);
    assert_string_equal(error.field, "line 2");
    acp_obj_free(&obj);
}

/* ---- there and back ---- */

static char *to_obj(const acp_record *record, size_t *length) {
    acp_geometry g = {0};
    char *text = NULL;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    if (record->kind == ACP_RECORD_GFXOBJ) acp_geometry_place(&g, acp_geometry_add_gfxobj(&g, record->content.gfxobj), NULL, 1, NULL, NULL);
    for (uint32_t i = 0; record->kind == ACP_RECORD_ENVIRONMENT && i < record->content.environment->cell_count; i++)
        acp_geometry_place(&g, acp_geometry_add_structure(&g, 1, &record->content.environment->cells[i]), NULL, 1, NULL, NULL);
    assert_true(acp_geometry_write_obj(&g, stream));
    acp_geometry_free(&g);
    *length = (size_t)ftell(stream);
    text = malloc(*length + 1);
    assert_non_null(text);
    rewind(stream);
    assert_int_equal(fread(text, 1, *length, stream), *length);
    text[*length] = '\0';
    (void)fclose(stream);
    return text;
}

static acp_record decode(acp_record_kind kind, const acp_record_bytes *bytes) {
    acp_record record;
    acp_record_decode_options strict = {ACP_CONTENT_STRICT, NULL, NULL, 0};
    assert_int_equal(acp_record_decode(kind, bytes->bytes, bytes->size, &strict, NULL, &record, NULL), ACP_OK);
    return record;
}

static void assert_same(const acp_record_bytes *a, const acp_record_bytes *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static void the_house_s_rooms_come_back_to_the_byte(void **state) {
    (void)state;
    static test_mesh rooms[3];
    acp_mesh meshes[3];
    test_house_rooms(rooms, meshes);
    acp_record_bytes first = {0}, second = {0};
    assert_int_equal(acp_mesh_make_environment(meshes, 3, 0x0D000010u, NULL, &first, NULL, NULL), ACP_OK);
    acp_record record = decode(ACP_RECORD_ENVIRONMENT, &first);
    size_t length;
    char *text = to_obj(&record, &length);
    acp_obj obj = read_good(text, &plain);
    assert_int_equal(obj.objects.count, 3);
    acp_obj_mesh again[3];
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(acp_obj_make_mesh(&obj, i, 1, true, &again[i], NULL), ACP_OK);
        meshes[i] = again[i].mesh;
    }
    assert_int_equal(acp_mesh_make_environment(meshes, 3, 0x0D000010u, NULL, &second, NULL, NULL), ACP_OK);
    assert_same(&first, &second);
    for (uint32_t i = 0; i < 3; i++)
        acp_obj_mesh_free(&again[i]);
    acp_obj_free(&obj);
    free(text);
    acp_record_free(&record);
    acp_record_bytes_free(&first);
    acp_record_bytes_free(&second);
}

/* A shape with everything: physics alone, drawing alone, both, a portal, two surfaces, both sides, normals, texture coordinates. */
static void a_shape_comes_back_to_the_byte(void **state) {
    (void)state;
    static const uint32_t surfaces[] = {0x08000005u, 0x08000001u};
    test_mesh m;
    test_mesh_init(&m);
    test_mesh_add_line(&m, "p 0 0 0 1 0 0 1 1 0");
    test_mesh_add_line(&m, "d 0 0 1 0.1 0 1 0 0.1 1");
    test_mesh_add_line(&m, "w 0 0 0 0 1 0 0 1 0.3333333 0 0 0.3333333");
    test_mesh_add_line(&m, "o 0 0 0 0 0 2 0 2 0");
    test_mesh_add_line(&m, "w 3 0 0 4 0 0 4 1e-3 7");
    m.mesh.surfaces = surfaces;
    m.mesh.surface_count = 2;
    m.polygons[1].pos_surface = 1;
    m.polygons[2].sides_type = 2;
    m.polygons[2].neg_surface = 1;
    acp_vec3 normals[TEST_MESH_POINTS];
    float uvs[2 * TEST_MESH_POINTS];
    for (uint32_t i = 0; i < m.mesh.vertex_count; i++) {
        normals[i] = (acp_vec3){i & 1 ? 1.0f : 0.0f, 0, i & 1 ? 0.0f : 1.0f};
        uvs[2 * i] = (float)i / 7.0f;
        uvs[2 * i + 1] = 1;
    }
    m.mesh.normals = normals;
    m.mesh.uvs = uvs;
    acp_record_bytes first = {0}, second = {0};
    acp_error error = {0};
    if (acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, &first, NULL, &error)) fail_msg("%s %s", error.field, error.message);
    acp_record record = decode(ACP_RECORD_GFXOBJ, &first);
    size_t length;
    char *text = to_obj(&record, &length);
    acp_obj obj = read_good(text, &plain);
    acp_obj_mesh again;
    assert_int_equal(acp_obj_make_mesh(&obj, 0, obj.objects.count, false, &again, NULL), ACP_OK);
    assert_int_equal(acp_mesh_make_gfxobj(&again.mesh, 0x01000001u, NULL, &second, NULL, NULL), ACP_OK);
    assert_same(&first, &second);
    acp_obj_mesh_free(&again);
    acp_obj_free(&obj);
    free(text);
    acp_record_free(&record);
    acp_record_bytes_free(&first);
    acp_record_bytes_free(&second);
}

/* Physics and drawing lists that hold the same polygons in another order: nothing is lost, each list keeps its order. */
static void lists_in_different_orders_are_kept(void **state) {
    (void)state;
    test_mesh m;
    test_mesh_init(&m);
    test_mesh_add_line(&m, "p 0 0 0 1 0 0 1 1 0");
    test_mesh_add_line(&m, "p 0 0 1 1 0 1 1 1 1");
    test_mesh_add_line(&m, "d 0 0 1 1 0 1 1 1 1");
    test_mesh_add_line(&m, "d 0 0 0 1 0 0 1 1 0");
    acp_record_bytes bytes = {0};
    assert_int_equal(acp_mesh_make_gfxobj(&m.mesh, 0x01000001u, NULL, &bytes, NULL, NULL), ACP_OK);
    acp_record record = decode(ACP_RECORD_GFXOBJ, &bytes);
    acp_geometry g = {0};
    (void)acp_geometry_add_gfxobj(&g, record.content.gfxobj);
    int32_t physics = 0, drawing = 0;
    for (uint32_t i = 0; i < g.polygons.count; i++) {
        if (g.polygons.items[i].physics >= 0) assert_int_equal(g.polygons.items[i].physics, physics++);
        if (g.polygons.items[i].drawing >= 0) assert_int_equal(g.polygons.items[i].drawing, drawing++);
    }
    assert_int_equal(physics, 2);
    assert_int_equal(drawing, 2);
    acp_geometry_free(&g);
    acp_record_free(&record);
    acp_record_bytes_free(&bytes);
}

/* An L with a bent face beside it: both become triangles, the good face stays; areas add up. */
static void faces_can_be_divided(void **state) {
    (void)state;
    acp_obj obj = read_good("v 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nv 9 0 0\nv 9 1 0.5\nvt 0 0\nvt 1 0\n"
                            "f 1/1 2/1 3/1 4/1 5/2 6/1\nf 1 2 3\nf 2 7 8 3\n",
                            &plain);
    acp_obj_mesh mesh;
    uint32_t divided;
    assert_int_equal(acp_obj_make_mesh(&obj, 0, 1, false, &mesh, NULL), ACP_OK);
    assert_int_not_equal(acp_mesh_check_polygon(&mesh.mesh, 0, NULL), ACP_OK);
    assert_int_equal(acp_mesh_check_polygon(&mesh.mesh, 1, NULL), ACP_OK);
    assert_int_equal(acp_obj_mesh_divide(&mesh, &divided, NULL), ACP_OK);
    assert_int_equal(divided, 2);
    assert_int_equal(mesh.mesh.polygon_count, 4 + 1 + 2);
    double area = 0;
    for (uint32_t i = 0; i < mesh.mesh.polygon_count; i++) {
        assert_int_equal(acp_mesh_check_polygon(&mesh.mesh, i, NULL), ACP_OK);
        assert_int_equal(mesh.polygons[i].point_count, 3);
        const uint32_t *n = &mesh.indices[mesh.polygons[i].first_index];
        const acp_vec3 *a = &mesh.vertices[n[0]], *b = &mesh.vertices[n[1]], *c = &mesh.vertices[n[2]];
        double twice =
            ((double)b->x - (double)a->x) * ((double)c->y - (double)a->y) - ((double)b->y - (double)a->y) * ((double)c->x - (double)a->x);
        assert_true(twice > 0);
        if (i < 4) area += 0.5 * twice;
        for (uint32_t k = 0; k < 3; k++) /* the coordinate that marks corner (1,3,0) goes with it */
            assert_true((mesh.uvs[2 * (mesh.polygons[i].first_index + k)] == 1.0f) ==
                        (i < 4 && mesh.vertices[n[k]].x == 1.0f && mesh.vertices[n[k]].y == 3.0f));
    }
    assert_true(area > 5.999 && area < 6.001);
    assert_int_equal(mesh.lines[3], 11);
    assert_int_equal(mesh.lines[4], 12);
    acp_record_bytes bytes = {0};
    assert_int_equal(acp_mesh_make_gfxobj(&mesh.mesh, 0x01000001u, NULL, &bytes, NULL, NULL), ACP_OK);
    acp_record_bytes_free(&bytes);
    acp_obj_mesh_free(&mesh);
    acp_obj_free(&obj);
}

/* A bow tie and a point twice: nothing to cut; left for the author to refuse. */
static void faces_that_cross_themselves_are_left(void **state) {
    (void)state;
    acp_obj obj = read_good(CORNERS "f 1 3 2 4\nf 1 2 2 3\n", &plain);
    acp_obj_mesh mesh;
    uint32_t divided;
    acp_error error = {0};
    assert_int_equal(acp_obj_make_mesh(&obj, 0, 1, false, &mesh, NULL), ACP_OK);
    assert_int_equal(acp_obj_mesh_divide(&mesh, &divided, NULL), ACP_OK);
    acp_record_bytes bytes = {0};
    assert_int_equal(acp_mesh_make_gfxobj(&mesh.mesh, 0x01000001u, NULL, &bytes, NULL, &error), ACP_ERROR_BAD_DATA);
    assert_string_equal(error.field, "polygons[0]");
    acp_obj_mesh_free(&mesh);
    acp_obj_free(&obj);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_are_read_with_all_forms_of_corners),
        cmocka_unit_test(groups_then_materials_then_options_say_what_a_face_is_for),
        cmocka_unit_test(a_file_can_be_scaled_and_turned),
        cmocka_unit_test(surfaces_are_named_by_materials),
        cmocka_unit_test(faults_name_their_line),
        cmocka_unit_test(a_face_has_at_most_255_corners),
        cmocka_unit_test(the_house_s_rooms_come_back_to_the_byte),
        cmocka_unit_test(a_shape_comes_back_to_the_byte),
        cmocka_unit_test(lists_in_different_orders_are_kept),
        cmocka_unit_test(faces_can_be_divided),
        cmocka_unit_test(faces_that_cross_themselves_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
