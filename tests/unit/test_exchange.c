/* SPDX-License-Identifier: MIT */
/* Several steps in one exchange: what objects are in and what they wait for afterwards, however often each was flooded on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "membership/exchange.h"
#include "tests/support/scene_text.h"

#define MANY 4096

/* MEM-16, MEM-42: 5 m before the eastern edge, its box reaches 28 m across it. Its own landblock is replaced: for a moment it has no base
 * cell and knows nothing of the neighbour; in the end it waits for the neighbour as before, which is what completes it. */
static void one_that_waits_for_another_landblock(void **state) {
    (void)state;
    for (uint32_t is_undone = 0; is_undone < 2u; is_undone++) {
        scene_text s;
        char rows[MANY];
        scene_text_open(&s, "{'name':'t','blocks':[{'id':'0xA9B40000'}]}", NULL);
        acp_world *world = s.scene->world;
        acp_scene_object o = scene_text_object(
            &s, "{'state':'0x00010408','pos':{'cell':'0xA9B4003C','o':[180,84,0]},'parts':[{'gfx':{'box':{'min':[-5,-5,0],'max':[40,5,5]},"
                "'physics_sphere':{'c':[0,0,0],'r':1}},'pos':{'cell':'0xA9B4003C','o':[180,84,0]}}]}");
        assert_int_equal(acp_membership_register(world, o.handle, NULL), ACP_OK);
        assert_string_equal(scene_text_rows(world, o.index, rows, sizeof rows), "A9B4003C AAB40004- AAB4000C-");
        assert_int_equal(acp_membership_get_counters(world).dependency_count, 1);
        acp_block *old = acp_world_block(world, 0xA9B40001u), *fresh = scene_text_flat_block(&s, 0xA9B40000u);
        acp_exchange x;
        assert_int_equal(acp_exchange_begin(world, &x), ACP_OK);
        assert_int_equal(acp_exchange_take_out(&x, old), ACP_OK);
        assert_int_equal(acp_exchange_put_in(&x, fresh, NULL), ACP_OK);
        assert_int_equal(acp_exchange_wake(&x, 0xA9B40000u), ACP_OK);
        if (is_undone)
            acp_exchange_undo(&x);
        else
            acp_exchange_commit(&x);
        acp_block_destroy(is_undone ? fresh : old);
        assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
        assert_string_equal(scene_text_rows(world, o.index, rows, sizeof rows), "A9B4003C AAB40004- AAB4000C-");
        assert_int_equal(acp_membership_get_counters(world).dependency_count, 1);
        assert_int_equal(acp_membership_publish(world, scene_text_flat_block(&s, 0xAAB40000u), NULL), ACP_OK);
        assert_string_equal(scene_text_rows(world, o.index, rows, sizeof rows), "A9B4003C AAB40004 AAB4000C");
        assert_int_equal(acp_membership_get_counters(world).dependency_count, 0);
        acp_scene_object_destroy(s.scene, &o);
        scene_text_close(&s);
    }
}

#define IN_SOUTH 0xA9B30028u /* cell (4, 7) of the landblock south of A9B4 */

static const acp_position at_the_edge = {IN_SOUTH, {{100, 191.5f, 0}, {1, 0, 0, 0}}};

static acp_object stand(acp_world *world, const acp_setup *setup, const acp_position *place) {
    acp_object_definition d = acp_object_definition_default();
    d.setup = setup;
    d.position = *place;
    acp_object object;
    assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_OK);
    assert_int_equal(acp_membership_register(world, object, NULL), ACP_OK);
    return object;
}

static void expect_at(const acp_world *world, acp_object object, uint32_t cell_id, uint32_t holder_cell_id, const char *rows) {
    char found[MANY];
    const acp_object_row *row = acp_world_row_of(world, object, NULL);
    assert_int_equal(row->position.cell_id, cell_id);
    assert_int_equal(row->holder_cell_id, holder_cell_id);
    assert_string_equal(scene_text_rows(world, object.index1 - 1u, found, sizeof found), rows);
    assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
}

/* MEM-42: an object whose own landblock is not there may stand in a neighbour's lists, half a metre from it with a sphere of 2 m. What
 * hangs on it stands there with it (MEM-34), so it has its place too, and not the id 0 of who is nowhere: neither when it is hung on one
 * that waits, nor when the one it hangs on is moved to where it waits (DIV-98). */
static void children_of_one_that_waits(void **state) {
    (void)state;
    acp_setup_definition d = acp_setup_definition_default();
    d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    d.sorting_sphere = (acp_sphere){{0, 0, 0}, 2};
    acp_setup *setup = NULL;
    assert_int_equal(acp_setup_create(&d, NULL, &setup, NULL), ACP_OK);
    const acp_position inside = {0xA9B40025u, {{108, 108, 0}, {1, 0, 0, 0}}};
    const acp_frame holding = {{0, 0, 2}, {1, 0, 0, 0}};
    for (uint32_t is_moved = 0; is_moved < 2u; is_moved++) {
        scene_text s;
        scene_text_open(&s, "{'name':'t','blocks':[{'id':'0xA9B40000'}]}", NULL);
        acp_world *world = s.scene->world;
        acp_object parent = stand(world, setup, is_moved ? &inside : &at_the_edge), child = stand(world, setup, &inside);
        assert_int_equal(acp_membership_attach(world, child, parent, -1, &holding, NULL), ACP_OK);
        if (is_moved)
            assert_int_equal(acp_membership_move(world, parent, &at_the_edge, NULL), ACP_OK);
        else {
            expect_at(world, child, IN_SOUTH, 0, "");
            assert_int_equal(acp_membership_refresh(world, parent, NULL), ACP_OK);
        }
        expect_at(world, parent, IN_SOUTH, 0, "A9B30028- A9B40021");
        expect_at(world, child, IN_SOUTH, 0, "A9B30028- A9B40021");
        if (is_moved) assert_int_equal(acp_membership_detach(world, child, NULL), ACP_OK);
        assert_int_equal(acp_object_destroy(world, parent, NULL), ACP_OK);
        expect_at(world, child, IN_SOUTH, 0, "A9B30028- A9B40021");
        assert_int_equal(acp_membership_publish(world, scene_text_flat_block(&s, 0xA9B30000u), NULL), ACP_OK);
        expect_at(world, child, IN_SOUTH, is_moved ? IN_SOUTH : 0, "A9B30028 A9B40021"); /* let go it enters its own cell */
        assert_int_equal(acp_object_destroy(world, child, NULL), ACP_OK);
        scene_text_close(&s);
    }
    acp_setup_destroy(setup);
}

/* MEM-38: what is hung on an object is flooded where it hangs, and so is what hangs on that: each once, by its own sphere of 2 m. From
 * 23 m into its cell the second reaches the next one to the east (MEM-14), the third those to the north too. */
static void each_is_flooded_where_it_hangs(void **state) {
    (void)state;
    acp_setup_definition d = acp_setup_definition_default();
    d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    d.sorting_sphere = (acp_sphere){{0, 0, 0}, 2};
    acp_setup *setup = NULL;
    assert_int_equal(acp_setup_create(&d, NULL, &setup, NULL), ACP_OK);
    const acp_position here = {0xA9B40025u, {{108, 108, 0}, {1, 0, 0, 0}}}, there = {0xA9B40001u, {{12, 12, 0}, {1, 0, 0, 0}}};
    const acp_frame east = {{11, 0, 0}, {1, 0, 0, 0}}, north = {{0, 11, 0}, {1, 0, 0, 0}};
    scene_text s;
    scene_text_open(&s, "{'name':'t','blocks':[{'id':'0xA9B40000'}]}", NULL);
    acp_world *world = s.scene->world;
    acp_object first = stand(world, setup, &here), second = stand(world, setup, &there), third = stand(world, setup, &there);
    assert_int_equal(acp_membership_attach(world, third, second, -1, &north, NULL), ACP_OK);
    const uint64_t before = acp_membership_get_counters(world).flood_count;
    assert_int_equal(acp_membership_attach(world, second, first, -1, &east, NULL), ACP_OK);
    assert_int_equal(acp_membership_get_counters(world).flood_count - before, 2);
    expect_at(world, first, 0xA9B40025u, 0xA9B40025u, "A9B40025");
    expect_at(world, second, 0xA9B40025u, 0xA9B40025u, "A9B40025 A9B4002D");
    expect_at(world, third, 0xA9B40025u, 0xA9B40025u, "A9B40025 A9B4002D A9B4002E A9B40026");
    scene_text_close(&s);
    acp_setup_destroy(setup);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_that_waits_for_another_landblock), cmocka_unit_test(children_of_one_that_waits),
                                       cmocka_unit_test(each_is_flooded_where_it_hangs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
