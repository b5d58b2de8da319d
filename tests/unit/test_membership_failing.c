/* SPDX-License-Identifier: MIT */
/* Memory refused while objects are created in bulk, registered and hung on each other: an error, the world whole, what was there before
 * still there, and nothing left behind in the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/acphys.h"
#include "tests/support/failing.h"

#define COUNT 40u

typedef struct models {
    acp_shape *shape;
    acp_setup *setup;
    acp_terrain *terrain;
} models;

static void make_models(models *m) {
    acp_shape_definition shape = acp_shape_definition_default();
    shape.flags = ACP_SHAPE_HAS_BOX | ACP_SHAPE_HAS_PHYSICS_SPHERE;
    shape.box = (acp_box){{-30, -30, -1}, {30, 30, 1}};
    shape.physics_sphere = (acp_sphere){{0, 0, 0}, 43};
    assert_int_equal(acp_shape_create(&shape, NULL, &m->shape, NULL), ACP_OK);
    acp_setup_part part = {m->shape, {1, 1, 1}, 0};
    acp_frame pose = {{0, 0, 0}, {1, 0, 0, 0}};
    acp_placement_definition placement = {0x65u, 1, &pose};
    acp_setup_definition setup = acp_setup_definition_default();
    setup.parts = &part;
    setup.part_count = 1;
    setup.placements = &placement;
    setup.placement_count = 1;
    assert_int_equal(acp_setup_create(&setup, NULL, &m->setup, NULL), ACP_OK);
    assert_int_equal(acp_terrain_create(NULL, NULL, &m->terrain, NULL), ACP_OK);
    acp_land_block land;
    memset(&land, 0, sizeof land);
    land.record_id = 0xA9B4FFFFu;
    assert_int_equal(acp_terrain_put(m->terrain, &land, NULL), ACP_OK);
}

static void free_models(models *m) {
    acp_terrain_destroy(m->terrain);
    acp_setup_destroy(m->setup);
    acp_shape_destroy(m->shape);
}

/* A world with one landblock in it; the caller destroys it in any case. */
static acp_result make_world(const models *m, const acp_allocator *allocator, acp_world **out_world) {
    acp_block_definition d;
    acp_block *block = NULL;
    memset(&d, 0, sizeof d);
    d.struct_size = sizeof d;
    d.block_id = 0xA9B40000u;
    d.terrain = acp_terrain_find(m->terrain, 0xA9B40001u);
    acp_result result = test_bare_world(allocator, out_world);
    if (result == ACP_OK) result = acp_block_create(&d, allocator, &block, NULL);
    if (result == ACP_OK) result = acp_membership_publish(*out_world, block, NULL);
    if (result) acp_block_destroy(block);
    return result;
}

static void define(const models *m, acp_object_definition *definitions) {
    for (uint32_t i = 0; i < COUNT; i++) {
        definitions[i] = acp_object_definition_default();
        definitions[i].object_id = 0x70000000u + i;
        definitions[i].setup = m->setup;
        definitions[i].state |= ACP_STATE_HAS_PHYSICS_BSP;
        definitions[i].keeps_state_bsp_bit = 1;
        definitions[i].position.cell_id = 0xA9B40001u + i;
        definitions[i].position.frame.origin = (acp_vec3){24.0f * (float)(i / 8u) + 12.0f, 24.0f * (float)(i % 8u) + 12.0f, 0.0f};
    }
}

/* Rows of an object; none for one that is in no cell. */
static uint32_t rows_of(const acp_world *world, acp_object object) {
    uint32_t count = 0;
    acp_cell_row rows[64];
    assert_int_equal(acp_membership_object_cells(world, object, rows, 64, &count), ACP_OK);
    return count;
}

static acp_result create_all(void *user, const acp_allocator *allocator) {
    const models *m = user;
    acp_world *world = NULL;
    acp_object_definition definitions[COUNT];
    acp_object objects[COUNT];
    uint32_t created = 77;
    define(m, definitions);
    acp_result result = make_world(m, allocator, &world);
    if (result == ACP_OK) {
        result = acp_membership_create_all(world, definitions, COUNT, objects, &created, NULL);
        /* those before the failure stay, registered; the one that failed is not there */
        assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
        assert_int_equal(created, result ? created : COUNT);
        assert_int_equal(acp_world_object_count(world), created);
        for (uint32_t i = 0; i < created; i++) {
            assert_true(acp_object_is_live(world, objects[i]));
            assert_true(rows_of(world, objects[i]) >= 4);
        }
        for (uint32_t i = created; i < COUNT; i++)
            assert_int_equal(acp_world_find_object(world, definitions[i].object_id).index1, 0);
    }
    acp_world_destroy(world);
    return result;
}

static void bulk_creation(void **state) {
    (void)state;
    models m;
    make_models(&m);
    assert_true(test_fail_every_allocation(create_all, &m) > COUNT);
    free_models(&m);
}

static acp_result attach(void *user, const acp_allocator *allocator) {
    const models *m = user;
    acp_world *world = NULL;
    acp_object_definition definitions[COUNT];
    acp_object objects[4];
    uint32_t created = 0;
    acp_frame holding = {{0, 0, 2}, {1, 0, 0, 0}};
    define(m, definitions);
    acp_result result = make_world(m, allocator, &world);
    if (result == ACP_OK) result = acp_membership_create_all(world, definitions, 4, objects, &created, NULL);
    for (uint32_t child = 1; child < 4u && result == ACP_OK; child++) { /* a chain: 3 on 2 on 1 on 0 */
        acp_object_info before, after;
        uint32_t rows = rows_of(world, objects[child]);
        assert_int_equal(acp_object_get_info(world, objects[child], &before), ACP_OK);
        result = acp_membership_attach(world, objects[child], objects[child - 1u], -1, &holding, NULL);
        assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
        assert_int_equal(acp_object_get_info(world, objects[child], &after), ACP_OK);
        if (result) { /* as before */
            assert_int_equal(after.parent.index1, before.parent.index1);
            assert_memory_equal(&after.position, &before.position, sizeof after.position);
            assert_int_equal(rows_of(world, objects[child]), rows);
        } else
            assert_int_equal(after.parent.index1, objects[child - 1u].index1);
    }
    if (result == ACP_OK) result = acp_membership_detach(world, objects[2], NULL);
    if (result == ACP_OK) assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
    acp_world_destroy(world);
    return result;
}

static void hanging_on_each_other(void **state) {
    (void)state;
    models m;
    make_models(&m);
    assert_true(test_fail_every_allocation(attach, &m) > 8);
    free_models(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bulk_creation), cmocka_unit_test(hanging_on_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
