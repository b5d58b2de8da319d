/* SPDX-License-Identifier: MIT */
/* Building and opening trees from hostile input: every row of 02 DAT-72 that is about trees, in both modes; the refusals of DAT-70; failure
 * at every allocation; every single damaged byte of a stored block. Expected values: the tables of 02, 03 BSP-3 to BSP-5, CBSP-4. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/bsp.h"
#include "geom/bsp_format.h"
#include "geom/cell_tree.h"
#include "tests/support/failing.h"
#include "tests/support/trees.h"

static acp_result build(const test_tree *tree, acp_content_mode mode, acp_bsp_remarks *remarks, acp_bsp **bsp) {
    acp_bsp_source source = test_tree_source(tree);
    acp_error error;
    acp_error_clear(&error);
    *bsp = NULL;
    acp_result result = acp_bsp_create(&source, mode, NULL, remarks, bsp, &error);
    assert_int_equal(error.code, result);
    if (result != ACP_OK) assert_null(*bsp);
    return result;
}

/* Refused with this code in both modes. */
static void refused(const test_tree *tree, acp_result code) {
    acp_bsp *bsp;
    assert_int_equal(build(tree, ACP_CONTENT_LENIENT, NULL, &bsp), code);
    assert_int_equal(build(tree, ACP_CONTENT_STRICT, NULL, &bsp), code);
}

/* Refused in strict mode; the lenient tree is returned. */
static acp_bsp *tolerated(const test_tree *tree, acp_bsp_remarks *remarks) {
    acp_bsp *bsp;
    assert_int_equal(build(tree, ACP_CONTENT_STRICT, NULL, &bsp), ACP_ERROR_BAD_DATA);
    assert_int_equal(build(tree, ACP_CONTENT_LENIENT, remarks, &bsp), ACP_OK);
    return bsp;
}

static void good_trees(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b();
    acp_bsp *bsp;
    acp_bsp_remarks remarks;
    assert_int_equal(build(&tree, ACP_CONTENT_STRICT, &remarks, &bsp), ACP_OK);
    assert_int_equal(remarks.depth, 12);
    assert_int_equal(remarks.missing_children + remarks.degenerate_polygons + remarks.portal_nodes, 0);
    assert_int_equal(remarks.first_portal_node, ACP_BSP_NONE);
    assert_int_equal(acp_bsp_polygon_count(bsp), 11);
    assert_true(acp_bsp_root_sphere(bsp).radius == 7.5f);
    assert_int_equal(acp_bsp_polygon(bsp, 3).point_count, 4);
    acp_bsp_destroy(bsp, NULL);
    test_tree_free(&tree);
}

static void cycles_and_shared_nodes(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b();
    tree.nodes[20].negative = 0;
    refused(&tree, ACP_ERROR_BAD_DATA);
    tree.nodes[20].negative = 20;
    refused(&tree, ACP_ERROR_BAD_DATA);
    tree.nodes[20].negative = 1; /* a leaf with two parents */
    refused(&tree, ACP_ERROR_BAD_DATA);
    tree.nodes[20].negative = 23; /* out of range */
    refused(&tree, ACP_ERROR_BAD_DATA);
    tree.nodes[20].negative = 22;
    tree.root = 23;
    refused(&tree, ACP_ERROR_BAD_DATA);
    tree.root = 0;
    tree.nodes[4].kind = (acp_bsp_node_kind)7;
    refused(&tree, ACP_ERROR_BAD_DATA);
    test_tree_free(&tree);
}

static void missing_children(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b();
    acp_bsp_remarks remarks;
    tree.nodes[20].negative = ACP_BSP_NONE; /* the block's leaf */
    tree.nodes[0].negative = ACP_BSP_NONE;  /* the floor's */
    acp_bsp *bsp = tolerated(&tree, &remarks);
    assert_int_equal(remarks.missing_children, 2);
    assert_int_equal(remarks.first_missing_child_node, 0);
    assert_false(acp_bsp_point_intersects_solid(bsp, (acp_vec3){2, 0, 0.25f}));
    assert_false(acp_bsp_point_intersects_solid(bsp, (acp_vec3){0, 0, -1}));
    acp_bsp_destroy(bsp, NULL);
    test_tree_free(&tree);
}

static void portal_nodes_always_pass(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_a();
    acp_bsp_remarks remarks;
    const acp_sphere far_away = {{1.05f, 0, 0}, 0.1f};
    for (uint32_t k = 0; k < 12; k += 2)
        tree.nodes[k].sphere = (acp_sphere){{100, 0, 0}, 1}; /* wrong spheres: nothing is reached … */
    acp_bsp *bsp = test_tree_build(&tree);
    assert_false(acp_bsp_sphere_intersects_solid(bsp, &far_away, false));
    acp_bsp_destroy(bsp, NULL);
    for (uint32_t k = 0; k < 12; k += 2) { /* … unless the nodes are PORT, which have none */
        tree.nodes[k].kind = ACP_BSP_PORTAL;
        tree.nodes[k].sphere = (acp_sphere){{NAN, 0, 0}, NAN};
    }
    bsp = tolerated(&tree, &remarks);
    assert_int_equal(remarks.portal_nodes, 6);
    assert_true(acp_bsp_sphere_intersects_solid(bsp, &far_away, false));
    const acp_bsp *opened;
    assert_int_equal(acp_bsp_open(bsp, acp_bsp_size(bsp), &opened, NULL), ACP_OK);
    acp_bsp_destroy(bsp, NULL);
    test_tree_free(&tree);
}

static void bad_polygons(void **state) {
    (void)state;
    acp_bsp_remarks remarks;
    const acp_sphere on_floor = {{0, 0, 0.4f}, 0.5f};
    const acp_vec3 down = {0, 0, -1}, up = {0, 0, 1};
    for (int fault = 0; fault < 4; fault++) {
        test_tree tree = test_tree_fixture_b();
        if (fault == 0) tree.polygons[0].point_count = 2;
        if (fault == 1) tree.polygons[0].point_count = 0;
        if (fault == 2) tree.indices[2] = tree.vertex_count;
        if (fault == 3)
            for (int i = 0; i < 4; i++)
                tree.vertices[i] = (acp_vec3){(float)i, 0, 0};
        acp_bsp *bsp = tolerated(&tree, &remarks);
        assert_int_equal(remarks.degenerate_polygons, fault != 2);
        assert_int_equal(remarks.bad_vertex_ordinals, fault == 2);
        assert_int_equal(acp_bsp_polygon_count(bsp), 11); /* its place is kept */
        acp_polygon floor_polygon = acp_bsp_polygon(bsp, 0);
        assert_false(acp_polygon_is_usable(&floor_polygon));
        uint32_t polygon = ACP_BSP_NONE;
        acp_vec3 contact = {7, 7, 7};
        acp_walk walk = {0, 1};
        acp_sphere moved = on_floor;
        assert_false(acp_bsp_sphere_intersects_poly(bsp, &on_floor, down, &polygon, &contact));
        assert_false(acp_bsp_find_walkable(bsp, &walk, &moved, &polygon, down, up));
        assert_false(acp_bsp_hits_walkable(bsp, 0, &on_floor, up));
        assert_false(acp_bsp_sphere_intersects_solid(bsp, &on_floor, false));
        assert_true(polygon == ACP_BSP_NONE && contact.x == 7);
        /* The leaf still has an entry: it is solid. */
        assert_true(acp_bsp_point_intersects_solid(bsp, (acp_vec3){0, 0, -1}));
        /* Its neighbours are untouched. */
        acp_sphere at_wall = {{4.7f, 0, 1}, 0.5f};
        assert_true(acp_bsp_sphere_intersects_poly(bsp, &at_wall, (acp_vec3){1, 0, 0}, &polygon, &contact) && polygon == 2);
        acp_bsp_destroy(bsp, NULL);
        test_tree_free(&tree);
    }
}

static void bad_leaf_entries(void **state) {
    (void)state;
    static const uint32_t names[] = {11, 32768, 65535, UINT32_MAX};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_tree tree = test_tree_fixture_b();
        acp_bsp_remarks remarks;
        tree.leaf_polygons[0] = names[i];
        acp_bsp *bsp = tolerated(&tree, &remarks);
        assert_int_equal(remarks.bad_polygon_ordinals, 1);
        assert_int_equal(remarks.first_bad_polygon_ordinal_node, 1);
        const acp_sphere on_floor = {{0, 0, 0.4f}, 0.5f};
        assert_false(acp_bsp_sphere_intersects_solid(bsp, &on_floor, false));
        assert_true(acp_bsp_point_intersects_solid(bsp, (acp_vec3){0, 0, -1})); /* the leaf stays non-empty */
        acp_bsp_destroy(bsp, NULL);
        tree.leaf_polygons[0] = 0;
        tree.nodes[1].first_polygon = tree.leaf_polygon_count; /* the list runs out of the array */
        refused(&tree, ACP_ERROR_BAD_DATA);
        tree.nodes[1].first_polygon = UINT32_MAX;
        refused(&tree, ACP_ERROR_BAD_DATA);
        tree.nodes[1].first_polygon = 0;
        tree.nodes[1].polygon_count = UINT32_MAX;
        refused(&tree, ACP_ERROR_BAD_DATA);
        test_tree_free(&tree);
    }
}

static void numbers_that_are_none(void **state) {
    (void)state;
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        test_tree tree = test_tree_fixture_b();
        tree.nodes[4].plane.d = bad[i];
        refused(&tree, ACP_ERROR_NOT_FINITE);
        tree.nodes[4].plane = (acp_plane){{bad[i], 0, 0}, 0};
        refused(&tree, ACP_ERROR_NOT_FINITE);
        tree.nodes[4].plane = (acp_plane){{1, 0, 0}, 0};
        tree.nodes[4].sphere.radius = bad[i];
        refused(&tree, ACP_ERROR_NOT_FINITE);
        tree.nodes[4].sphere.radius = 7;
        tree.nodes[1].sphere.center.y = bad[i];
        refused(&tree, ACP_ERROR_NOT_FINITE);
        tree.nodes[1].sphere.center.y = 0;
        tree.vertices[7].z = bad[i];
        refused(&tree, ACP_ERROR_NOT_FINITE);
        test_tree_free(&tree);
    }
    /* The sphere of an empty leaf is not looked at; strict mode wants it clean. */
    test_tree tree = test_tree_fixture_b();
    acp_bsp *bsp;
    tree.nodes[13].sphere.radius = NAN;
    assert_int_equal(build(&tree, ACP_CONTENT_STRICT, NULL, &bsp), ACP_ERROR_NOT_FINITE);
    assert_int_equal(build(&tree, ACP_CONTENT_LENIENT, NULL, &bsp), ACP_OK);
    acp_bsp_destroy(bsp, NULL);
    /* A negative radius is a number. */
    tree.nodes[13].sphere.radius = 0;
    tree.nodes[6].sphere.radius = -7.5f;
    acp_bsp_remarks remarks;
    bsp = tolerated(&tree, &remarks);
    assert_int_equal(remarks.negative_radii, 1);
    assert_int_equal(remarks.first_negative_radius_node, 6);
    acp_bsp_destroy(bsp, NULL);
    test_tree_free(&tree);
}

static void caps(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b();
    acp_bsp_source source = test_tree_source(&tree);
    acp_bsp *bsp;
    source.vertex_count = 65536;
    assert_int_equal(acp_bsp_create(&source, ACP_CONTENT_LENIENT, NULL, NULL, &bsp, NULL), ACP_ERROR_LIMIT);
    source = test_tree_source(&tree);
    source.polygon_count = 65536;
    assert_int_equal(acp_bsp_create(&source, ACP_CONTENT_LENIENT, NULL, NULL, &bsp, NULL), ACP_ERROR_LIMIT);
    source = test_tree_source(&tree);
    source.nodes = NULL;
    assert_int_equal(acp_bsp_create(&source, ACP_CONTENT_LENIENT, NULL, NULL, &bsp, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_bsp_create(NULL, ACP_CONTENT_LENIENT, NULL, NULL, &bsp, NULL), ACP_ERROR_INVALID_ARGUMENT);
    tree.polygons[2].point_count = 256;
    refused(&tree, ACP_ERROR_LIMIT);
    tree.polygons[2].point_count = 4;
    tree.polygons[2].first_index = tree.index_count - 3;
    refused(&tree, ACP_ERROR_BAD_DATA);
    tree.polygons[2].first_index = UINT32_MAX;
    refused(&tree, ACP_ERROR_BAD_DATA);
    test_tree_free(&tree);
}

static acp_result build_scenario(void *user, const acp_allocator *allocator) {
    const acp_bsp_source *source = user;
    acp_bsp *bsp = (acp_bsp *)user; /* any value: must not change on failure */
    acp_bsp_remarks remarks = {.depth = 77};
    acp_result result = acp_bsp_create(source, ACP_CONTENT_LENIENT, allocator, &remarks, &bsp, NULL);
    if (result == ACP_OK)
        acp_bsp_destroy(bsp, allocator);
    else if ((void *)bsp != user || remarks.depth != 77)
        return ACP_ERROR_INTERNAL;
    return result;
}

static acp_result cell_scenario(void *user, const acp_allocator *allocator) {
    const test_tree *tree = user;
    acp_cell_tree *cell = NULL;
    acp_result result = acp_cell_tree_create(tree->nodes, tree->node_count, tree->root, ACP_CONTENT_STRICT, allocator, NULL, &cell, NULL);
    if (result == ACP_OK) acp_cell_tree_destroy(cell, allocator);
    return result;
}

static void refused_allocations(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b(), cell = test_tree_fixture_b_cell();
    acp_bsp_source source = test_tree_source(&tree);
    assert_int_equal(test_fail_every_allocation(build_scenario, &source), 2);
    assert_int_equal(test_fail_every_allocation(cell_scenario, &cell), 1);
    test_tree_free(&tree);
    test_tree_free(&cell);
}

/* A block is bytes: it can be copied, and no damaged byte goes unseen or does harm. */
static void opening(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b();
    tree.polygons[10].point_count = 2; /* a never-hit polygon among them */
    acp_bsp *bsp = test_tree_build(&tree);
    size_t size = acp_bsp_size(bsp);
    uint8_t *copy = aligned_alloc(16, size + 16);
    assert_non_null(copy);
    memcpy(copy, bsp, size);
    const acp_bsp *opened = NULL;
    assert_int_equal(acp_bsp_open(copy, size, &opened, NULL), ACP_OK);
    assert_ptr_equal(opened, copy);
    const acp_sphere on_floor = {{0, 0, 0.4f}, 0.5f};
    assert_true(acp_bsp_sphere_intersects_solid(opened, &on_floor, false));
    assert_int_equal(acp_bsp_open(copy + 4, size, &opened, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_bsp_open(NULL, size, &opened, NULL), ACP_ERROR_INVALID_ARGUMENT);
    for (size_t n = 0; n < size; n++)
        assert_true(acp_bsp_open(copy, n, &opened, NULL) != ACP_OK); /* every proper prefix */
    uint32_t seen = 0, accepted = 0;
    for (size_t at = 0; at < size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            copy[at] ^= (uint8_t)(1 << bit);
            if (acp_bsp_open(copy, size, &opened, NULL) == ACP_OK) {
                /* Numbers that anything may be: ids, sides, flags, indices of leaves, spheres. Still safe to ask. */
                uint32_t polygon = ACP_BSP_NONE;
                bool center_solid = false;
                accepted++;
                (void)acp_bsp_sphere_intersects_solid_poly(opened, &on_floor, 0.5f, true, &center_solid, &polygon);
            } else {
                seen++;
            }
            copy[at] ^= (uint8_t)(1 << bit);
        }
    }
    assert_true(seen > accepted);
    /* Derived data are never accepted damaged. */
    for (size_t at = bsp->edge_groups_at; at < bsp->nodes_at; at++) {
        copy[at] ^= 1;
        assert_int_equal(acp_bsp_open(copy, size, &opened, NULL), ACP_ERROR_BAD_DATA);
        copy[at] ^= 1;
    }
    for (uint32_t group = 0; group < bsp->leaf_group_count; group++) {
        size_t first = bsp->leaf_groups_at + group * sizeof(acp_bsp_leaf_group);
        for (size_t at = first; at < first + sizeof(acp_bsp_leaf_group); at++) {
            if (at == first + sizeof(acp_plane_group)) at += sizeof(uint32_t[4]); /* what the list names */
            copy[at] ^= 1;
            assert_int_equal(acp_bsp_open(copy, size, &opened, NULL), ACP_ERROR_BAD_DATA);
            copy[at] ^= 1;
        }
    }
    for (uint32_t i = 0; i < bsp->polygon_count; i++)
        for (size_t at = 0; at < sizeof(acp_plane); at++) {
            size_t byte = bsp->polygons_at + i * sizeof(acp_bsp_polygon_record) + at;
            copy[byte] ^= 1;
            assert_int_equal(acp_bsp_open(copy, size, &opened, NULL), ACP_ERROR_BAD_DATA);
            copy[byte] ^= 1;
        }
    free(copy);
    acp_bsp_destroy(bsp, NULL);
    test_tree_free(&tree);
}

/* ---- containment trees ---- */

static void cell_fixture(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b_cell();
    acp_cell_tree *cell = NULL;
    int32_t answer = 9;
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, 0, ACP_CONTENT_STRICT, NULL, NULL, &cell, NULL), ACP_OK);
    assert_int_equal(acp_cell_tree_plane_count(cell), 6);
    assert_true(acp_cell_tree_plane(cell, 2).normal.x == -1);
    assert_int_equal(acp_cell_tree_test_point(cell, (acp_vec3){5.0002f, 0, 2}, &answer), ACP_OK);
    assert_int_equal(answer, 1);
    assert_int_equal(acp_cell_tree_test_point(cell, (acp_vec3){5.0003f, 0, 2}, &answer), ACP_OK);
    assert_int_equal(answer, 0);
    acp_sphere sphere = {{4.49f, 0, 2}, 0.5f};
    assert_int_equal(acp_cell_tree_test_sphere(cell, &sphere, &answer), ACP_OK);
    assert_int_equal(answer, ACP_BOUNDING_ENTIRELY_INSIDE);
    sphere.center.x = 5.509f;
    assert_int_equal(acp_cell_tree_intersects_sphere(cell, &sphere), ACP_BOUNDING_PARTLY_INSIDE);
    sphere.center.x = 5.52f;
    assert_int_equal(acp_cell_tree_intersects_sphere(cell, &sphere), ACP_BOUNDING_OUTSIDE);
    acp_box box = {{5.0001f, -1, 1}, {6, 1, 2}};
    assert_int_equal(acp_cell_tree_test_box(cell, &box, &answer), ACP_OK);
    assert_int_equal(answer, 1);
    box.min.x = 5.0003f;
    assert_false(acp_cell_tree_intersects_box(cell, &box));
    box.max.x = 5;
    assert_int_equal(acp_cell_tree_test_box(cell, &box, &answer), ACP_ERROR_OUT_OF_RANGE);
    box.max.x = NAN;
    assert_int_equal(acp_cell_tree_test_box(cell, &box, &answer), ACP_ERROR_NOT_FINITE);
    sphere.radius = -1;
    assert_int_equal(acp_cell_tree_test_sphere(cell, &sphere, &answer), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_cell_tree_test_point(NULL, sphere.center, &answer), ACP_ERROR_INVALID_ARGUMENT);

    size_t size = acp_cell_tree_size(cell);
    uint8_t *copy = aligned_alloc(16, size);
    assert_non_null(copy);
    memcpy(copy, cell, size);
    const acp_cell_tree *opened = NULL;
    assert_int_equal(acp_cell_tree_open(copy, size, &opened, NULL), ACP_OK);
    assert_true(acp_cell_tree_contains_point(opened, (acp_vec3){0, 0, 2}));
    for (size_t n = 0; n < size; n++)
        assert_true(acp_cell_tree_open(copy, n, &opened, NULL) != ACP_OK);
    for (size_t at = 0; at < size; at++)
        for (int bit = 0; bit < 8; bit++) {
            copy[at] ^= (uint8_t)(1 << bit);
            assert_true(acp_cell_tree_open(copy, size, &opened, NULL) != ACP_OK); /* everything is checked or derived */
            copy[at] ^= (uint8_t)(1 << bit);
        }
    free(copy);
    acp_cell_tree_destroy(cell, NULL);
    test_tree_free(&tree);
}

/* CBSP-4: ends of the chain. */
static void cell_ends(void **state) {
    (void)state;
    test_tree tree = test_tree_fixture_b_cell();
    const acp_vec3 inside = {0, 0, 2};
    const acp_sphere small = {{0, 0, 2}, 0.5f}, outside = {{0, 0, -2}, 0.5f};
    const acp_box box = {{-1, -1, 1}, {1, 1, 2}};
    acp_cell_tree *cell = NULL;
    uint32_t leaf = test_tree_add_leaf(&tree, 0, NULL, 0, small);
    tree.nodes[5].positive = leaf; /* a LEAF ends the chain: never entirely inside */
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, 0, ACP_CONTENT_STRICT, NULL, NULL, &cell, NULL), ACP_OK);
    assert_true(acp_cell_tree_contains_point(cell, inside));
    assert_int_equal(acp_cell_tree_intersects_sphere(cell, &small), ACP_BOUNDING_PARTLY_INSIDE);
    assert_int_equal(acp_cell_tree_intersects_sphere(cell, &outside), ACP_BOUNDING_OUTSIDE);
    assert_true(acp_cell_tree_intersects_box(cell, &box));
    acp_cell_tree_destroy(cell, NULL);
    /* A LEAF as root: everywhere. */
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, leaf, ACP_CONTENT_STRICT, NULL, NULL, &cell, NULL), ACP_OK);
    assert_true(acp_cell_tree_contains_point(cell, outside.center));
    assert_int_equal(acp_cell_tree_intersects_sphere(cell, &outside), ACP_BOUNDING_PARTLY_INSIDE);
    assert_true(acp_cell_tree_intersects_box(cell, &box));
    acp_cell_tree_destroy(cell, NULL);
    /* No tree at all. */
    assert_int_equal(acp_cell_tree_create(NULL, 0, 0, ACP_CONTENT_STRICT, NULL, NULL, &cell, NULL), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_cell_tree_create(NULL, 0, 0, ACP_CONTENT_LENIENT, NULL, NULL, &cell, NULL), ACP_OK);
    const acp_cell_tree *none[2] = {cell, NULL};
    for (int i = 0; i < 2; i++) {
        assert_false(acp_cell_tree_contains_point(none[i], inside));
        assert_int_equal(acp_cell_tree_intersects_sphere(none[i], &small), ACP_BOUNDING_OUTSIDE);
        assert_false(acp_cell_tree_intersects_box(none[i], &box));
    }
    acp_cell_tree_destroy(cell, NULL);
    /* Faults. */
    acp_bsp_remarks remarks;
    tree.nodes[3].kind = ACP_BSP_PORTAL;
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, 0, ACP_CONTENT_STRICT, NULL, NULL, &cell, NULL), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, 0, ACP_CONTENT_LENIENT, NULL, &remarks, &cell, NULL), ACP_OK);
    assert_int_equal(remarks.portal_nodes, 1);
    assert_int_equal(remarks.first_portal_node, 3);
    assert_int_equal(acp_cell_tree_plane_count(cell), 7); /* an ordinary node */
    acp_cell_tree_destroy(cell, NULL);
    tree.nodes[3].positive = 2;
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, 0, ACP_CONTENT_LENIENT, NULL, NULL, &cell, NULL),
                     ACP_ERROR_BAD_DATA);
    tree.nodes[3].positive = 99;
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, 0, ACP_CONTENT_LENIENT, NULL, NULL, &cell, NULL),
                     ACP_ERROR_BAD_DATA);
    tree.nodes[3].plane.d = NAN;
    assert_int_equal(acp_cell_tree_create(tree.nodes, tree.node_count, 0, ACP_CONTENT_LENIENT, NULL, NULL, &cell, NULL),
                     ACP_ERROR_NOT_FINITE);
    test_tree_free(&tree);
}

static void longest_chain(void **state) {
    (void)state;
    static acp_bsp_node_source nodes[1025];
    acp_cell_tree *cell = NULL;
    for (uint32_t i = 0; i < 1025; i++)
        nodes[i] = (acp_bsp_node_source){
            .kind = ACP_BSP_INTERIOR, .plane = {{0, 0, 1}, (float)(1024 - i)}, .positive = i < 1024 ? i + 1 : ACP_BSP_NONE};
    assert_int_equal(acp_cell_tree_create(nodes, 1025, 0, ACP_CONTENT_LENIENT, NULL, NULL, &cell, NULL), ACP_ERROR_LIMIT);
    assert_int_equal(acp_cell_tree_create(nodes, 1025, 1, ACP_CONTENT_LENIENT, NULL, NULL, &cell, NULL), ACP_OK);
    assert_true(acp_cell_tree_contains_point(cell, (acp_vec3){0, 0, 0}));
    assert_false(acp_cell_tree_contains_point(cell, (acp_vec3){0, 0, -0.001f})); /* the last plane alone says no */
    acp_cell_tree_destroy(cell, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_trees),
                                       cmocka_unit_test(cycles_and_shared_nodes),
                                       cmocka_unit_test(missing_children),
                                       cmocka_unit_test(bad_polygons),
                                       cmocka_unit_test(portal_nodes_always_pass),
                                       cmocka_unit_test(bad_leaf_entries),
                                       cmocka_unit_test(caps),
                                       cmocka_unit_test(numbers_that_are_none),
                                       cmocka_unit_test(opening),
                                       cmocka_unit_test(refused_allocations),
                                       cmocka_unit_test(cell_fixture),
                                       cmocka_unit_test(cell_ends),
                                       cmocka_unit_test(longest_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
