/* SPDX-License-Identifier: MIT */
/* Memory refused while objects are created in bulk, registered, hung on each other and moved to where they wait for other landblocks: an
 * error, the world whole, what was there before still there, and nothing left behind in the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/acphys.h"
#include "membership/registry_state.h"
#include "tests/support/failing.h"
#include "tests/support/scene_text.h"

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

/* What an object is in and what it waits for. */
typedef struct state_of {
    char rows[128];
    uint32_t blocks[8];
    uint32_t block_count;
    uint8_t is_static;
} state_of;

static state_of look(const acp_world *world, uint32_t object) {
    state_of s;
    memset(&s, 0, sizeof s);
    const acp_registry *registry = acp_registry_of(world);
    const acp_membership_row *row = acp_registry_row(registry, object);
    scene_text_rows(world, object, s.rows, sizeof s.rows);
    s.block_count = row->dependency_count;
    s.is_static = row->is_static;
    assert_in_range(s.block_count, 0, 8);
    if (s.block_count) memcpy(s.blocks, acp_index_pool_words(&registry->pool, row->dependencies), s.block_count * sizeof s.blocks[0]);
    return s;
}

#define SMALL_CLASSES 8u /* to 16 words: more than any list here has */
#define OF_EACH       12u

/* Small lists that are given back one by one, from the smallest or from the largest, after all others are gone. */
typedef struct spare_lists {
    acp_list_ref lists[SMALL_CLASSES * OF_EACH];
    uint32_t given;
} spare_lists;

static void set_aside(acp_index_pool *pool, spare_lists *spare) {
    spare->given = 0;
    for (uint32_t i = 0; i < SMALL_CLASSES * OF_EACH; i++) {
        spare->lists[i] = acp_index_pool_acquire(pool, i / OF_EACH);
        assert_int_not_equal(spare->lists[i], 0);
    }
}

static void drain(acp_index_pool *pool) {
    for (uint32_t size_class = SMALL_CLASSES + 18u; size_class-- > 0;)
        while (acp_index_pool_acquire(pool, size_class)) {
        }
}

static void give(acp_index_pool *pool, spare_lists *spare, bool from_largest) {
    assert_true(spare->given < SMALL_CLASSES * OF_EACH);
    uint32_t i = from_largest ? SMALL_CLASSES * OF_EACH - 1u - spare->given : spare->given;
    spare->given++;
    acp_index_pool_release(pool, spare->lists[i], i / OF_EACH);
}

/* MEM-31, MEM-36, MEM-42: one landblock, a body with a child at its north-east corner and at its east side. */
#define AT_CORNER "A9B40040 AAB40008- AAB50001- A9B50039-" /* in the order of MEM-14 */
#define AT_SIDE   "A9B4003C AAB40004-"

typedef struct way {
    bool to_corner, as_moved, from_largest;
} way;

static void place(acp_world *world, uint32_t object, bool at_corner) {
    acp_matrix_frame frame = acp_world_row(world, object)->position.frame;
    acp_object_leave_cell(world, object);
    acp_object_enter_cell(world, object, at_corner ? 0xA9B40040u : 0xA9B4003Cu);
    frame.origin.y = at_corner ? 191.0f : 84.0f;
    acp_object_set_frame(world, object, &frame);
}

/* Moves to the other place with one more list at hand each time, until there are enough; the number of refusals. */
static uint32_t move_short_of_memory(scene_text *s, acp_counting_allocator *counting, const acp_scene_object *o, way w) {
    acp_world *world = s->scene->world;
    const uint32_t parent = o->index, child = o->children[0].index;
    acp_registry *registry = acp_registry_of(world);
    acp_cell_array there;
    acp_cell_array_init(&there, NULL);
    place(world, parent, w.to_corner);
    assert_int_equal(acp_registry_flood(world, registry, parent, false, NULL), ACP_OK);
    assert_int_equal(acp_cell_array_reserve(&there, registry->array.count), ACP_OK);
    memcpy(there.items, registry->array.items, registry->array.count * sizeof *there.items);
    there.count = registry->array.count;
    const state_of parent_before = look(world, parent), child_before = look(world, child);
    const uint32_t waiting_before = acp_membership_get_counters(world).dependency_count;
    spare_lists spare;
    set_aside(&registry->pool, &spare);
    const uint64_t limit = counting->byte_limit;
    counting->byte_limit = 0;
    drain(&registry->pool);
    uint32_t refused = 0;
    for (;; refused++) {
        acp_result result =
            w.as_moved ? acp_registry_refresh_after_move(world, parent, &there) : acp_registry_calc_cross_cells(world, parent, false, NULL);
        assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
        if (result == ACP_OK) break;
        assert_int_equal(result, ACP_ERROR_OUT_OF_MEMORY);
        const state_of parent_after = look(world, parent), child_after = look(world, child);
        assert_memory_equal(&parent_after, &parent_before, sizeof parent_before);
        assert_memory_equal(&child_after, &child_before, sizeof child_before);
        assert_int_equal(acp_membership_get_counters(world).dependency_count, waiting_before);
        give(&registry->pool, &spare, w.from_largest);
    }
    counting->byte_limit = limit;
    for (uint32_t i = 0; i < 2u; i++) {
        const state_of after = look(world, i ? child : parent);
        assert_string_equal(after.rows, w.to_corner ? AT_CORNER : AT_SIDE);
        assert_int_equal(after.block_count, w.to_corner ? 3 : 1);
    }
    acp_cell_array_free(&there);
    return refused;
}

static void moving_to_where_others_are_awaited(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 8u; i++) {
        const way w = {(i & 1u) != 0, (i & 2u) != 0, (i & 4u) != 0};
        acp_counting_allocator counting;
        acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
        acp_allocator allocator = acp_counting_allocator_value(&counting);
        acp_scene_options options = {0, true, &allocator};
        scene_text s;
        scene_text_open(&s, "{'name':'t','blocks':[{'id':'0xA9B40000'}]}", &options);
        acp_scene_object o = scene_text_object(
            &s, "{'state':'0x00000408','pos':{'cell':'0xA9B4003C','o':[191,84,0]},'cylspheres':[{'low':[0,0,0],'r':2,'h':2}],'parts':[],"
                "'children':[{'state':'0x00000408','pos':{'cell':'0xA9B4003C'},'setup':1,'holding':{'o':[0,0,2]}}]}");
        /* it has been at both before: the pages are there, only lists are wanted */
        place(s.scene->world, o.index, true);
        assert_int_equal(acp_registry_calc_cross_cells(s.scene->world, o.index, true, NULL), ACP_OK);
        place(s.scene->world, o.index, !w.to_corner);
        assert_int_equal(acp_registry_calc_cross_cells(s.scene->world, o.index, true, NULL), ACP_OK);
        assert_true(move_short_of_memory(&s, &counting, &o, w) > 2);
        acp_scene_object_destroy(s.scene, &o);
        assert_int_equal(acp_membership_get_counters(s.scene->world).dependency_count, 0);
        scene_text_close(&s);
        assert_int_equal(counting.counters.bytes_in_use, 0);
    }
}

/* A family that changes hands: 1, 2 and 3 hang on 0, 4 on 2; 2 is hung on 5. */
enum { FAMILY = 6 };

typedef struct family_state {
    state_of lists[FAMILY];
    uint8_t is_registered[FAMILY];
    uint32_t links[FAMILY][3];
    uint32_t holder_cell_ids[FAMILY];
    acp_matrix_position positions[FAMILY][2]; /* its own and its part's */
} family_state;

static void look_at_family(const acp_world *world, const acp_object *objects, family_state *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < FAMILY; i++) {
        uint32_t index = objects[i].index1 - 1u;
        const acp_object_row *row = acp_world_row(world, index);
        out->lists[i] = look(world, index);
        out->is_registered[i] = acp_registry_row(acp_registry_of(world), index)->is_registered;
        out->links[i][0] = row->parent;
        out->links[i][1] = row->first_child;
        out->links[i][2] = row->next_sibling;
        out->holder_cell_ids[i] = row->holder_cell_id;
        out->positions[i][0] = row->position;
        out->positions[i][1] = row->parts[0].position;
    }
}

static void hang(acp_world *world, const acp_object *objects, uint32_t child, uint32_t parent) {
    const acp_frame holding = {{parent == 5u ? 100.0f : 0.0f, 0, 2}, {1, 0, 0, 0}};
    assert_int_equal(acp_membership_attach(world, objects[child], objects[parent], -1, &holding, NULL), ACP_OK);
}

/* Does the same with one more list at hand each time, until there are enough; refused, everything is as before. The number of refusals. */
static uint32_t squeeze(acp_world *world, acp_counting_allocator *counting, const acp_object *objects, bool from_largest,
                        acp_result (*act)(acp_world *world, const acp_object *objects)) {
    static family_state before, after; /* large */
    acp_index_pool *pool = &acp_registry_of(world)->pool;
    spare_lists spare;
    uint32_t refused = 0;
    look_at_family(world, objects, &before);
    const acp_membership_counters counters_before = acp_membership_get_counters(world);
    set_aside(pool, &spare);
    const uint64_t limit = counting->byte_limit;
    counting->byte_limit = 0;
    drain(pool);
    for (;; refused++) {
        acp_result result = act(world, objects);
        assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
        if (result == ACP_OK) break;
        assert_int_equal(result, ACP_ERROR_OUT_OF_MEMORY);
        look_at_family(world, objects, &after);
        assert_memory_equal(&after, &before, sizeof before);
        const acp_membership_counters counters = acp_membership_get_counters(world);
        assert_int_equal(counters.pair_count, counters_before.pair_count);
        assert_int_equal(counters.dependency_count, counters_before.dependency_count);
        give(pool, &spare, from_largest);
    }
    counting->byte_limit = limit;
    return refused;
}

static acp_result hang_2_on_5(acp_world *world, const acp_object *objects) {
    const acp_frame holding = {{100, 0, 2}, {1, 0, 0, 0}};
    return acp_membership_attach(world, objects[2], objects[5], -1, &holding, NULL);
}

static acp_result add_0_to_a_cell(acp_world *world, const acp_object *objects) {
    acp_matrix_frame frame = acp_matrix_frame_identity();
    frame.origin = (acp_vec3){84, 84, 0};
    return acp_registry_add_to_cell(world, objects[0].index1 - 1u, 0xA9B4001Cu, &frame);
}

static acp_result move_0(acp_world *world, const acp_object *objects) {
    const acp_position there = {0xA9B40024u, {{108, 84, 0}, {1, 0, 0, 0}}};
    return acp_membership_move(world, objects[0], &there, NULL);
}

#define CELLS_3_TO_5_BY_4_TO_6 "A9B4001D A9B4001E A9B4001F A9B40025 A9B40026 A9B40027 A9B4002D A9B4002E A9B4002F"

/* MEM-38, PHO-27: hung on another parent; refused, it hangs where it hung, between the same siblings. Its box is 60 m wide: at (12, 12) it
 * reaches three landblocks that are not there, at (112, 132) it covers cells 3 to 5 by 4 to 6. Then the parent of the others is moved. */
static void changing_hands(void **state) {
    (void)state;
    for (uint32_t from_largest = 0; from_largest < 2u; from_largest++) {
        models m;
        make_models(&m);
        acp_counting_allocator counting;
        acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
        const acp_allocator allocator = acp_counting_allocator_value(&counting);
        acp_world *world = NULL;
        acp_object_definition definitions[COUNT];
        acp_object objects[FAMILY];
        uint32_t created = 0;
        static family_state now;
        define(&m, definitions);
        assert_int_equal(make_world(&m, &allocator, &world), ACP_OK);
        assert_int_equal(acp_membership_create_all(world, definitions, FAMILY, objects, &created, NULL), ACP_OK);
        hang(world, objects, 1, 0);
        hang(world, objects, 2, 0);
        hang(world, objects, 4, 2);
        hang(world, objects, 2, 5); /* it has been there: the pages and the notes are there, only lists are wanted */
        hang(world, objects, 2, 0);
        hang(world, objects, 3, 0);
        assert_int_equal(acp_membership_refresh(world, objects[0], NULL), ACP_OK);
        look_at_family(world, objects, &now);
        assert_int_equal(now.links[1][2], objects[2].index1 - 1u);
        assert_int_equal(now.links[2][2], objects[3].index1 - 1u);
        assert_true(squeeze(world, &counting, objects, from_largest != 0, hang_2_on_5) > 2);
        look_at_family(world, objects, &now);
        for (uint32_t i = 2; i <= 4u; i += 2) {
            assert_string_equal(now.lists[i].rows, "A9B40006 " CELLS_3_TO_5_BY_4_TO_6);
            assert_int_equal(now.lists[i].block_count, 0);
            assert_int_equal(now.holder_cell_ids[i], 0xA9B40006u);
        }
        assert_int_equal(now.links[2][0], objects[5].index1 - 1u);
        assert_int_equal(now.links[1][2], objects[3].index1 - 1u);
        assert_true(squeeze(world, &counting, objects, from_largest != 0, add_0_to_a_cell) > 2);
        assert_int_equal(acp_world_row(world, objects[3].index1 - 1u)->holder_cell_id, 0xA9B4001Cu);
        assert_true(squeeze(world, &counting, objects, from_largest != 0, move_0) > 2);
        assert_int_equal(acp_world_row(world, objects[3].index1 - 1u)->holder_cell_id, 0xA9B40024u);
        acp_world_destroy(world);
        free_models(&m);
        assert_int_equal(counting.counters.bytes_in_use, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bulk_creation), cmocka_unit_test(hanging_on_each_other),
                                       cmocka_unit_test(moving_to_where_others_are_awaited), cmocka_unit_test(changing_hands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
