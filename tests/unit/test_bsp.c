/* SPDX-License-Identifier: MIT */
/* Physics trees on the fixtures of spec 03 §13: answers and the order of visits, which the vectors do not carry; the quirks of §10.5;
 * scale of trees (1,024 levels, 32,768 polygons); trees that are no trees. Expected values: the tables of §13. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/bsp.h"
#include "geom/bsp_trace.h"
#include "tests/support/trees.h"

#define BITS(v, expected) assert_int_equal(test_float_bits(v), expected)

typedef struct journal {
    char nodes[256];
    uint32_t node_count, polygon_count;
} journal;

static void note(void *user, acp_bsp_visit what, uint32_t index) {
    journal *j = user;
    if (what == ACP_BSP_VISIT_POLYGON) {
        j->polygon_count++;
        return;
    }
    size_t used = strlen(j->nodes);
    (void)snprintf(j->nodes + used, sizeof j->nodes - used, "%s%u", used ? " " : "", index);
    j->node_count++;
}

static acp_bsp *cube, *room;

static int set_up(void **state) {
    (void)state;
    test_tree a = test_tree_fixture_a(), b = test_tree_fixture_b();
    cube = test_tree_build(&a);
    room = test_tree_build(&b);
    test_tree_free(&a);
    test_tree_free(&b);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    acp_bsp_destroy(cube, NULL);
    acp_bsp_destroy(room, NULL);
    return 0;
}

/* 13.2 */
static void sphere_against_polygons(void **state) {
    (void)state;
    static const struct {
        acp_sphere sphere;
        acp_vec3 movement;
        bool answer;
        uint32_t polygon;
        const char *visits;
    } rows[] = {
        {{{0, 0, 0.4f}, 0.5f}, {0, 0, -0.2f}, true, 0, "0 2 4 6 8 10 12 13 14 15 1"},
        {{{0, 0, 0.4f}, 0.5f}, {0, 0, 0.2f}, false, 0, "0 2 4 6 8 10 12 13 14 15 1"},
        {{{0, 0, 0.5f}, 0.5f}, {0, 0, -0.2f}, false, ACP_BSP_NONE, "0 2 4 6 8 10 12 13 14 15"},
        {{{0, 0, 0.4999f}, 0.5f}, {0, 0, -0.2f}, false, ACP_BSP_NONE, "0 2 4 6 8 10 12 13 14 15"},
        {{{0, 0, 0.4997f}, 0.5f}, {0, 0, -0.2f}, true, 0, "0 2 4 6 8 10 12 13 14 15 1"},
        {{{4.7f, 0, 0.3f}, 0.5f}, {0.3f, 0, 0}, true, 2, "0 2 4 6 8 10 12 13 14 16 17 5"},
        {{{4.7f, 4.7f, 0.3f}, 0.5f}, {0.3f, 0.3f, -0.3f}, true, 4, "0 2 4 6 8 10 12 13 14 16 17 9"},
        {{{4.7f, 4.7f, 2}, 0.5f}, {0.3f, 0.3f, 0}, true, 4, "0 2 4 6 8 10 12 13 9"},
        {{{0.6f, 0, 0.6f}, 0.5f}, {0.3f, 0, 0}, true, 7, "0 2 4 6 8 10 12 13 14 15 16 18 20 22"},
        {{{0.6f, 0, 0.6f}, 0.5f}, {-0.3f, 0, 0}, false, 7, "0 2 4 6 8 10 12 13 14 15 16 18 20 22"},
        {{{0.6f, 0, 0.48f}, 0.5f}, {0.3f, 0, -0.1f}, true, 6, "0 2 4 6 8 10 12 13 14 15 16 18 20 22"},
        {{{2, 0, 0.9f}, 0.5f}, {0, 0, -0.1f}, true, 6, "0 2 4 6 8 10 12 13 14 16 18 20 22"},
        {{{2, 0, 0.25f}, 0.1f}, {0, 0, -0.1f}, false, ACP_BSP_NONE, "0 2 4 6 8 10 12 14 16 18 20 22"},
        {{{5.3f, 0, 2}, 0.5f}, {0.3f, 0, 0}, true, 2, "0 2 4 6 8 10 12 13 5"},
        {{{0.6f, 0, 1.2f}, 0.5f}, {0.3f, 0, 0}, false, ACP_BSP_NONE, "0 2 4 6 8 10 12 13"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        journal j = {0};
        acp_bsp_visitor visitor = {note, &j};
        uint32_t polygon = ACP_BSP_NONE, traced = ACP_BSP_NONE;
        acp_vec3 contact = {0, 0, 0}, traced_contact = {0, 0, 0};
        assert_int_equal(acp_bsp_sphere_intersects_poly(room, &rows[i].sphere, rows[i].movement, &polygon, &contact), rows[i].answer);
        assert_int_equal(acp_bsp_trace_sphere_intersects_poly(room, &rows[i].sphere, rows[i].movement, &traced, &traced_contact, &visitor),
                         rows[i].answer);
        assert_int_equal(polygon, rows[i].polygon);
        assert_int_equal(traced, polygon);
        assert_memory_equal(&contact, &traced_contact, sizeof contact);
        assert_string_equal(j.nodes, rows[i].visits);
    }
}

/* 13.3 */
static void sphere_in_solid(void **state) {
    (void)state;
    static const struct {
        bool is_cube;
        acp_sphere sphere;
        bool solid[2];
        struct {
            bool answer, center_solid;
            uint32_t polygon;
        } poly[2];
    } rows[] = {
        {true, {{0, 0, 0}, 0.1f}, {false, true}, {{false, false, ACP_BSP_NONE}, {true, true, ACP_BSP_NONE}}},
        {true, {{1.05f, 0, 0}, 0.1f}, {true, true}, {{true, false, 0}, {true, false, 0}}},
        {true, {{0.95f, 0, 0}, 0.1f}, {true, true}, {{false, false, 0}, {true, true, 0}}}, /* 0 with a polygon: §10.5b */
        {true, {{1.2f, 0, 0}, 0.1f}, {false, false}, {{false, false, ACP_BSP_NONE}, {false, false, ACP_BSP_NONE}}},
        {true, {{1.05f, 1.05f, 1.05f}, 0.1f}, {true, true}, {{true, false, 0}, {true, false, 0}}},
        {true, {{1.06f, 1.06f, 1.06f}, 0.1f}, {false, false}, {{false, false, ACP_BSP_NONE}, {false, false, ACP_BSP_NONE}}},
        {false, {{0, 0, 0.4f}, 0.5f}, {true, true}, {{true, false, 0}, {true, false, 0}}},
        {false, {{0, 0, -0.1f}, 0.5f}, {true, true}, {{false, false, 0}, {true, true, 0}}},
        {false, {{0, 0, -2}, 0.5f}, {false, true}, {{false, false, ACP_BSP_NONE}, {true, true, ACP_BSP_NONE}}},
        {false, {{2, 0, 0.25f}, 0.1f}, {false, true}, {{false, false, ACP_BSP_NONE}, {true, true, ACP_BSP_NONE}}},
        {false, {{2, 0, 0.25f}, 0.48f}, {true, true}, {{false, false, 6}, {true, true, 6}}},
        {false, {{0, 0, 2}, 0.5f}, {false, false}, {{false, false, ACP_BSP_NONE}, {false, false, ACP_BSP_NONE}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const acp_bsp *tree = rows[i].is_cube ? cube : room;
        for (int check = 0; check < 2; check++) {
            uint32_t polygon = ACP_BSP_NONE;
            bool center_solid = false;
            assert_int_equal(acp_bsp_sphere_intersects_solid(tree, &rows[i].sphere, check != 0), rows[i].solid[check]);
            assert_int_equal(
                acp_bsp_sphere_intersects_solid_poly(tree, &rows[i].sphere, rows[i].sphere.radius, check != 0, &center_solid, &polygon),
                rows[i].poly[check].answer);
            assert_int_equal(center_solid, rows[i].poly[check].center_solid);
            assert_int_equal(polygon, rows[i].poly[check].polygon);
        }
    }
}

static void visits_of_solid(void **state) {
    (void)state;
    journal j = {0};
    acp_bsp_visitor visitor = {note, &j};
    const acp_sphere q8 = {{0, 0, -0.1f}, 0.5f}, q7 = {{0, 0, 0.4f}, 0.5f};
    uint32_t polygon = ACP_BSP_NONE;
    bool center_solid = false;
    (void)acp_bsp_trace_sphere_intersects_solid(room, &q8, true, &visitor);
    assert_string_equal(j.nodes, "0 2 4 6 8 10 12 14 15 1");
    j = (journal){0};
    (void)acp_bsp_trace_sphere_intersects_solid_poly(room, &q8, 0.5f, true, &center_solid, &polygon, &visitor);
    assert_string_equal(j.nodes, "0 1");
    j = (journal){0};
    polygon = ACP_BSP_NONE;
    center_solid = false;
    (void)acp_bsp_trace_sphere_intersects_solid_poly(room, &q7, 0.5f, true, &center_solid, &polygon, &visitor);
    assert_string_equal(j.nodes, "0 2 4 6 8 10 12 14 15 13 1"); /* near half first at node 12 */
    j = (journal){0};
    assert_false(acp_bsp_trace_point_intersects_solid(room, (acp_vec3){0, 0, 2}, &visitor));
    assert_string_equal(j.nodes, "0 2 4 6 8 10 12 13");
}

static void points_in_solid(void **state) {
    (void)state;
    static const struct {
        bool is_cube;
        acp_vec3 p;
        bool answer;
    } rows[] = {{false, {0, 0, 2}, false},    {false, {0, 0, 0}, false},     {false, {0, 0, -0.0001f}, true}, {false, {2, 0, 0.25f}, true},
                {false, {2, 0, 0.5f}, false}, {false, {1, 0, 0.25f}, false}, {false, {9, 9, 9}, true},        {true, {0, 0, 0}, true},
                {true, {1, 0, 0}, false},     {true, {0.9999f, 0, 0}, true}, {true, {2, 0, 0}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t answer = 9;
        const acp_bsp *tree = rows[i].is_cube ? cube : room;
        assert_int_equal(acp_bsp_point_intersects_solid(tree, rows[i].p), rows[i].answer);
        assert_int_equal(acp_bsp_point_in_solid(tree, rows[i].p, &answer), ACP_OK);
        assert_int_equal(answer, rows[i].answer);
    }
}

/* 13.4 */
static void walkable(void **state) {
    (void)state;
    const acp_vec3 up = {0, 0, 1};
    static const struct {
        acp_vec3 at, movement;
        float interp;
        uint32_t polygon;
        float z;
        uint32_t interp_bits;
    } rows[] = {{{0, 0, 0.4f}, {0, 0, -0.5f}, 1, 0, 0.5f, 0x3F4CCCCDu},
                {{2, 0, 0.8f}, {0, 0, -0.5f}, 1, 6, 1, 0x3F19999Au},
                {{1.2f, 0, 0.45f}, {0, 0, -0.5f}, 1, 6, 1, 0xBDCCCCD0u},
                {{0.9f, 0, 0.45f}, {0, 0, -0.75f}, 1, 6, 1, 0x3E888888u},
                {{0, 0, 0.4f}, {0, 0, 0.5f}, 1, ACP_BSP_NONE, 0.4f, 0x3F800000u},
                {{0, 0, 0.1f}, {0, 0, -0.25f}, 1, ACP_BSP_NONE, 0.1f, 0x3F800000u},
                {{0, 0, 0.1f}, {0, 0, -0.3f}, 1, 0, 0.5f, 0xBEAAAAA9u},
                {{0, 0, 0.5f}, {0, 0, -0.5f}, 1, ACP_BSP_NONE, 0.5f, 0x3F800000u}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_walk walk = {0.664f, rows[i].interp};
        acp_sphere sphere = {rows[i].at, 0.5f};
        uint32_t polygon = ACP_BSP_NONE;
        assert_int_equal(acp_bsp_find_walkable(room, &walk, &sphere, &polygon, rows[i].movement, up), rows[i].polygon != ACP_BSP_NONE);
        assert_int_equal(polygon, rows[i].polygon);
        BITS(sphere.center.z, test_float_bits(rows[i].z));
        BITS(walk.walk_interp, rows[i].interp_bits);
    }
    journal j = {0};
    acp_bsp_visitor visitor = {note, &j};
    acp_walk walk = {0.664f, 1};
    acp_sphere sphere = {{1.2f, 0, 0.45f}, 0.5f};
    uint32_t polygon = ACP_BSP_NONE;
    assert_true(acp_bsp_trace_find_walkable(room, &walk, &sphere, &polygon, (acp_vec3){0, 0, -0.5f}, up, &visitor));
    assert_string_equal(j.nodes, "0 2 4 6 8 10 12 13 14 15 16 18 20 22 1"); /* W3: both, although the block was found */
    static const struct {
        acp_vec3 at;
        bool answer;
    } hits[] = {{{0, 0, 0.4f}, true},    {{0, 0, 0.5f}, false},    {{2, 0, 0.9f}, true},
                {{0.8f, 0, 0.6f}, true}, {{0.7f, 0, 0.7f}, false}, {{4.9f, 0, 0.4f}, true},
                {{5.2f, 0, 0.4f}, true}, {{5.3f, 0, 0.4f}, false}, {{0.8f, -2.1f, 0.7f}, true}};
    for (size_t i = 0; i < sizeof hits / sizeof hits[0]; i++) {
        acp_sphere s = {hits[i].at, 0.5f};
        assert_int_equal(acp_bsp_hits_walkable(room, 0.664f, &s, up), hits[i].answer);
    }
}

/* 13.5 */
static void adjusting_to_planes(void **state) {
    (void)state;
    static const struct {
        acp_vec3 from, to;
        uint32_t x, y, z;
    } rows[] = {{{0, 0, 1.3f}, {0, 0, 0.3f}, 0, 0, 0x3F000000u},
                {{4, 0, 2}, {4.8f, 0, 2}, 0x40900000u, 0, 0x40000000u},
                {{4, 4.2f, 2}, {4.8f, 4.9f, 2}, 0x408AF8B0u, 0x40900000u, 0x40000000u},
                {{-1, 0, 1}, {1.2f, 0, 0.6f}, 0x3F0C0000u, 0, 0x3F380000u}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_sphere sphere = {rows[i].to, 0.5f};
        acp_vec3 movement = {rows[i].to.x - rows[i].from.x, rows[i].to.y - rows[i].from.y, rows[i].to.z - rows[i].from.z};
        uint32_t polygon = ACP_BSP_NONE;
        acp_vec3 contact = {0, 0, 0};
        assert_true(acp_bsp_sphere_intersects_poly(room, &sphere, movement, &polygon, &contact));
        assert_true(acp_bsp_adjust_to_plane(room, &sphere, rows[i].from, polygon, &contact));
        BITS(sphere.center.x, rows[i].x);
        BITS(sphere.center.y, rows[i].y);
        BITS(sphere.center.z, rows[i].z);
    }
}

static void nothing_to_ask(void **state) {
    (void)state;
    const acp_sphere sphere = {{0, 0, 0}, 1};
    acp_sphere moved = sphere;
    acp_walk walk = {0, 1};
    uint32_t polygon = 5;
    bool center_solid = false;
    acp_vec3 contact = {7, 7, 7}, down = {0, 0, -1}, up = {0, 0, 1};
    test_tree only_polygons = {0};
    test_tree_add_polygon(&only_polygons, (const acp_vec3[]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 3);
    acp_bsp *no_tree = test_tree_build(&only_polygons);
    assert_false(acp_bsp_has_tree(no_tree));
    assert_int_equal(acp_bsp_polygon_count(no_tree), 1);
    const acp_bsp *trees[2] = {NULL, no_tree};
    for (int i = 0; i < 2; i++) {
        assert_false(acp_bsp_sphere_intersects_poly(trees[i], &sphere, down, &polygon, &contact));
        assert_false(acp_bsp_sphere_intersects_solid(trees[i], &sphere, true));
        assert_false(acp_bsp_sphere_intersects_solid_poly(trees[i], &sphere, 1, true, &center_solid, &polygon));
        assert_false(acp_bsp_point_intersects_solid(trees[i], sphere.center));
        assert_false(acp_bsp_find_walkable(trees[i], &walk, &moved, &polygon, down, up));
        assert_false(acp_bsp_hits_walkable(trees[i], 0, &sphere, up));
        assert_true(acp_bsp_root_sphere(trees[i]).radius == 0);
    }
    assert_true(polygon == 5 && contact.x == 7 && !center_solid && walk.walk_interp == 1);
    assert_false(acp_bsp_polygon(no_tree, 1).point_count != 0);
    acp_polygon out_of_range = acp_bsp_polygon(no_tree, ACP_BSP_NONE);
    assert_false(acp_polygon_is_usable(&out_of_range));
    assert_int_equal(acp_bsp_size(NULL), 0);
    acp_bsp_destroy(no_tree, NULL);
    acp_bsp_destroy(NULL, NULL);
    test_tree_free(&only_polygons);
}

/* 1,023 interior nodes: 1,024 levels. The sphere passes all of them on one side and straddles all on the other. */
static void deepest_tree(void **state) {
    (void)state;
    test_tree tree = {0};
    const acp_sphere everything = {{0, 0, 0}, 5000};
    const acp_vec3 wall[4] = {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
    test_tree_add_polygon(&tree, wall, 4);
    const uint32_t list[1] = {0};
    for (uint32_t i = 0; i < 1023; i++) {
        test_tree_add_node(&tree, (acp_plane){{0, 0, 1}, (float)i * 1e-4f}, 2 * i + 2, 2 * i + 1, everything);
        test_tree_add_leaf(&tree, 0, NULL, 0, everything);
    }
    test_tree_add_leaf(&tree, 1, list, 1, everything);
    acp_bsp *bsp = test_tree_build(&tree);
    journal j = {0};
    acp_bsp_visitor visitor = {note, &j};
    uint32_t polygon = ACP_BSP_NONE;
    acp_vec3 contact = {0, 0, 0};
    acp_sphere sphere = {{0, 0, 0.7f}, 0.5f};
    assert_true(acp_bsp_trace_sphere_intersects_poly(bsp, &sphere, (acp_vec3){0, 0, -1}, &polygon, &contact, &visitor));
    assert_int_equal(j.node_count, 1024);
    assert_int_equal(polygon, 0);
    sphere.center.z = -0.05f; /* straddles every plane: all 1,023 negative leaves wait on the stack */
    sphere.radius = 0.3f;
    j = (journal){0};
    polygon = ACP_BSP_NONE;
    assert_false(acp_bsp_trace_sphere_intersects_poly(bsp, &sphere, (acp_vec3){0, 0, -1}, &polygon, &contact, &visitor));
    assert_int_equal(j.node_count, 2047);
    bool center_solid = false;
    (void)acp_bsp_sphere_intersects_solid_poly(bsp, &sphere, 0.3f, true, &center_solid, &polygon);
    acp_bsp_destroy(bsp, NULL);

    /* One more level is refused in both modes. */
    test_tree_add_leaf(&tree, 0, NULL, 0, everything);
    test_tree_add_node(&tree, (acp_plane){{0, 0, 1}, 0}, 0, tree.node_count - 1, everything);
    tree.root = tree.node_count - 1;
    acp_bsp_source source = test_tree_source(&tree);
    acp_error error;
    assert_int_equal(acp_bsp_create(&source, ACP_CONTENT_LENIENT, NULL, NULL, &bsp, &error), ACP_ERROR_LIMIT);
    assert_int_equal(acp_bsp_create(&source, ACP_CONTENT_STRICT, NULL, NULL, &bsp, &error), ACP_ERROR_LIMIT);
    test_tree_free(&tree);
}

/* The most polygons a tree can name, in leaves of a balanced tree along x: a query looks at its own leaves only. */
static void largest_tree(void **state) {
    (void)state;
    enum { LEVELS = 12, LEAVES = 1 << LEVELS, EACH = 8, COUNT = LEAVES * EACH };
    static acp_vec3 vertices[COUNT + 1 + LEAVES];
    static acp_polygon_source polygons[COUNT];
    static uint32_t indices[3 * COUNT];
    test_tree tree = {0};
    const acp_sphere everything = {{0, 0, 0}, 1e6f};
    for (uint32_t i = 0; i <= COUNT; i++)
        vertices[i] = (acp_vec3){(float)(i / EACH) + 0.1f * (float)(i % EACH), 0, 0};
    for (uint32_t i = 0; i < COUNT; i++) { /* fans, one apex a leaf */
        vertices[COUNT + 1 + i / EACH] = (acp_vec3){(float)(i / EACH) + 0.35f, 1, 0};
        polygons[i] = (acp_polygon_source){3 * i, 3, i, 0};
        indices[3 * i] = i;
        indices[3 * i + 1] = i + 1;
        indices[3 * i + 2] = COUNT + 1 + i / EACH;
    }
    /* Heap order: node k has children 2k + 1 and 2k + 2. */
    for (uint32_t k = 0; k < (uint32_t)LEAVES - 1; k++) {
        uint32_t level = 0, first = 0;
        while (2 * first + 1 <= k)
            first = 2 * first + 1, level++;
        uint32_t span = (uint32_t)LEAVES >> level;
        float cut = (float)((k - first) * span + span / 2) - 0.05f;
        test_tree_add_node(&tree, (acp_plane){{1, 0, 0}, -cut}, 2 * k + 2, 2 * k + 1, everything);
    }
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
        uint32_t list[EACH];
        for (uint32_t i = 0; i < EACH; i++)
            list[i] = leaf * EACH + i;
        test_tree_add_leaf(&tree, 0, list, EACH, everything);
    }
    acp_bsp_source source = test_tree_source(&tree);
    source.vertices = vertices;
    source.vertex_count = sizeof vertices / sizeof vertices[0];
    source.polygons = polygons;
    source.polygon_count = COUNT;
    source.indices = indices;
    source.index_count = 3 * COUNT;
    acp_bsp *bsp = NULL;
    assert_int_equal(acp_bsp_create(&source, ACP_CONTENT_STRICT, NULL, NULL, &bsp, NULL), ACP_OK);
    for (uint32_t leaf = 0; leaf < LEAVES; leaf += 97) {
        journal j = {0};
        acp_bsp_visitor visitor = {note, &j};
        acp_sphere sphere = {{(float)leaf + 0.31f, 0.2f, 0.05f}, 0.1f};
        uint32_t polygon = ACP_BSP_NONE;
        acp_vec3 contact = {0, 0, 0};
        assert_true(acp_bsp_trace_sphere_intersects_poly(bsp, &sphere, (acp_vec3){0, 0, -1}, &polygon, &contact, &visitor));
        assert_int_equal(polygon / EACH, leaf);
        assert_true(j.node_count <= LEVELS + 1 && j.polygon_count <= EACH);
    }
    acp_bsp_destroy(bsp, NULL);
    test_tree_free(&tree);
}

/* The public door. */
static void door(void **state) {
    (void)state;
    int32_t answer = 9;
    const acp_sphere good = {{2, 0, 0.25f}, 0.1f}, negative = {{0, 0, 0}, -1}, infinite = {{0, 0, 0}, INFINITY};
    assert_int_equal(acp_bsp_sphere_in_solid(room, &good, 1, &answer), ACP_OK);
    assert_int_equal(answer, 1);
    assert_int_equal(acp_bsp_sphere_in_solid(room, &good, 0, &answer), ACP_OK);
    assert_int_equal(answer, 0);
    assert_int_equal(acp_bsp_sphere_in_solid(room, &negative, 1, &answer), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_bsp_sphere_in_solid(room, &infinite, 1, &answer), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_bsp_sphere_in_solid(NULL, &good, 1, &answer), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_bsp_point_in_solid(room, (acp_vec3){NAN, 0, 0}, &answer), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_bsp_point_in_solid(room, (acp_vec3){0, 0, 0}, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(answer, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sphere_against_polygons),
                                       cmocka_unit_test(sphere_in_solid),
                                       cmocka_unit_test(visits_of_solid),
                                       cmocka_unit_test(points_in_solid),
                                       cmocka_unit_test(walkable),
                                       cmocka_unit_test(adjusting_to_planes),
                                       cmocka_unit_test(nothing_to_ask),
                                       cmocka_unit_test(deepest_tree),
                                       cmocka_unit_test(largest_tree),
                                       cmocka_unit_test(door)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
