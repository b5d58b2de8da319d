/* SPDX-License-Identifier: MIT */
/* The worked house of spec 11 as a world, against house_expect.json: what its objects touch (O1 to O4d), and a walk from the lawn into the
 * cellar and back. Walkers and placements are in unit.block_load. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/acphys.h"
#include "support/load_file.h"
#include "support/scene_dat.h"
#include "tests/support/dat_pair.h"
#include "tests/support/small_world.h"

typedef struct house {
    test_dat_pair dats;
    acp_scene_dat world;
    acp_json_reader reader;
    char *text;
    const acp_json *expected;
} house;

static void open_house(house *h) {
    acp_dat_edit *portal = NULL, *cell = NULL;
    acp_scene_options options = {.canonical_order = true};
    acp_error error;
    acp_json_fault fault;
    size_t size = 0;
    memset(h, 0, sizeof *h);
    test_dat_edits(&portal, &cell);
    test_dat_put_house(portal, cell);
    test_dat_pair_open(&h->dats, portal, cell, NULL);
    assert_int_equal(acp_scene_dat_open(&h->world, h->dats.dats[0], h->dats.dats[1], &options, false, &error), ACP_OK);
    assert_int_equal(acp_scene_dat_load(&h->world, h->dats.blocks, h->dats.block_count, NULL, &error), ACP_OK);
    assert_int_equal(acp_load_file("tests/vectors/dat/house_expect.json", (size_t)1 << 20, &h->text, &size, &error), ACP_OK);
    h->expected = acp_json_read(&h->reader, h->text, size, &fault);
    assert_non_null(h->expected);
}

static void close_house(house *h) {
    acp_scene_dat_close(&h->world);
    test_dat_pair_close(&h->dats);
    acp_json_reader_free(&h->reader);
    free(h->text);
}

static const acp_json *find_case(const house *h, const char *name) {
    for (const acp_json *c = acp_json_member(h->expected, "house")->first; c; c = c->next)
        if (acp_json_is_text(acp_json_member(c, "name"), name)) return c;
    fail_msg("no case %s", name);
    return NULL;
}

/* The object's cells, in the order of its flood, are those of the case. */
static void expect_cells(const house *h, acp_object object, int32_t is_static, const char *name) {
    const acp_json *cells = acp_json_member(find_case(h, name), "cells");
    acp_cell_row rows[64];
    uint32_t count = 0, i = 0;
    acp_json_input input = {ACP_OK, NULL};
    assert_int_equal(acp_membership_explain(h->world.scene->world, object, is_static, NULL, rows, 64, &count, NULL), ACP_OK);
    if (count != cells->count) fail_msg("%s: %u cells, not %u", name, count, cells->count);
    for (const acp_json *c = cells->first; c; c = c->next, i++)
        if (rows[i].cell_id != acp_json_to_id(&input, c, "cells")) fail_msg("%s: cell %u is 0x%08X", name, i, (unsigned)rows[i].cell_id);
    /* and it is registered there */
    assert_int_equal(acp_membership_object_cells(h->world.scene->world, object, rows, 64, &count), ACP_OK);
    assert_int_equal(count, cells->count);
}

static acp_object static_of(const house *h, const char *name) {
    acp_json text = {.type = ACP_JSON_STRING, .text = name, .count = (uint32_t)strlen(name)};
    const acp_scene_object *object = acp_scene_find(h->world.scene, &text);
    assert_non_null(object);
    return object->handle;
}

/* Where and with which box and ball the case says. `has_bsp` by the state word (MEM-30). */
static void expect_box(house *h, const char *name, bool is_static, bool has_bsp, const acp_sphere *sorting_sphere) {
    const acp_json *c = find_case(h, name);
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_shape_definition d = acp_shape_definition_default();
    float box[6] = {-0.25f, -0.25f, -1.0f, 0.25f, 0.25f, 1.0f}, ball[4] = {0.0f, 0.0f, 0.0f, 1.07f};
    acp_shape *shape = NULL;
    acp_setup *setup = NULL;
    if (acp_json_has(c, "box")) acp_json_get_float_array(&input, c, "box", box, 6);
    if (acp_json_has(c, "sphere")) acp_json_get_float_array(&input, c, "sphere", ball, 4);
    d.flags = ACP_SHAPE_HAS_BOX | ACP_SHAPE_HAS_PHYSICS_SPHERE;
    d.box = (acp_box){{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
    d.physics_sphere = (acp_sphere){{ball[0], ball[1], ball[2]}, ball[3]};
    assert_int_equal(acp_shape_create(&d, NULL, &shape, &error), ACP_OK);
    acp_setup_part part = {shape, {1, 1, 1}, 0};
    acp_frame pose = {{0, 0, 0}, {1, 0, 0, 0}};
    acp_placement_definition placement = {0x65u, 1, &pose};
    acp_setup_definition s = acp_setup_definition_default();
    s.parts = &part;
    s.part_count = 1;
    s.placements = &placement;
    s.placement_count = 1;
    if (sorting_sphere) {
        s.sorting_sphere = *sorting_sphere;
        s.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    }
    assert_int_equal(acp_setup_create(&s, NULL, &setup, &error), ACP_OK);
    acp_object_definition o = acp_object_definition_default();
    float origin[3];
    acp_json_get_float_array(&input, c, "origin", origin, 3);
    o.position.cell_id = acp_json_get_id(&input, c, "cell");
    o.position.frame.origin = (acp_vec3){origin[0], origin[1], origin[2]};
    o.setup = setup;
    o.state |= (is_static ? (uint32_t)ACP_STATE_STATIC : 0u) | (has_bsp ? (uint32_t)ACP_STATE_HAS_PHYSICS_BSP : 0u);
    o.keeps_state_bsp_bit = 1;
    assert_int_equal(input.result, ACP_OK);
    acp_object object;
    assert_int_equal(acp_object_create(h->world.scene->world, &o, &object, &error), ACP_OK);
    assert_int_equal(acp_membership_register(h->world.scene->world, object, &error), ACP_OK);
    expect_cells(h, object, is_static, name);
    assert_int_equal(acp_object_destroy(h->world.scene->world, object, &error), ACP_OK);
    acp_setup_destroy(setup);
    acp_shape_destroy(shape);
}

static void objects_of_the_house(void **state) {
    (void)state;
    house h;
    open_house(&h);
    expect_cells(&h, static_of(&h, "0x12340101/0"), 1, "O1");
    expect_cells(&h, static_of(&h, "0x1234FFFE/0"), 1, "O2");
    expect_box(&h, "O3", false, true, NULL);
    expect_box(&h, "O3b", false, true, NULL);
    expect_box(&h, "O4", true, false, NULL);
    acp_sphere lamp = {{0, 0, 0}, 0.25f};
    expect_box(&h, "O4d", false, false, &lamp);
    assert_int_equal(acp_membership_check(h.world.scene->world, NULL), ACP_OK);
    close_house(&h);
}

/* ------------------------------------------------------------------------------------------------------------------------- walk */

/* What a commit carries to the next tick: planes, bits, sliding normal (07 PHO-15). */
static void carry(acp_mover *mover, const acp_move_result *r) {
    mover->contact = r->contact;
    mover->transient_state &= ~(uint32_t)(ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_ON_WALKABLE | ACP_TRANSIENT_SLIDING);
    if (r->contact.is_valid) mover->transient_state |= ACP_TRANSIENT_CONTACT;
    if (r->contact.is_valid && (double)r->contact.plane.normal.z >= 0.664174139) mover->transient_state |= ACP_TRANSIENT_ON_WALKABLE;
    if (r->has_sliding_normal) {
        mover->transient_state |= ACP_TRANSIENT_SLIDING;
        mover->sliding_normal = r->sliding_normal;
    }
}

static void a_walk_into_the_cellar_and_back(void **state) {
    (void)state;
    house h;
    open_house(&h);
    acp_json_input input = {ACP_OK, NULL};
    const acp_json *walk = acp_json_member(h.expected, "walk"), *start = acp_json_member(walk, "start");
    const acp_json *waypoints = acp_json_member(walk, "waypoints"), *order = acp_json_member(walk, "cells_in_order");
    float z_at[8], goals[16], origin[3];
    assert_int_equal(waypoints->count, 8);
    acp_json_get_float_array(&input, walk, "z_at_waypoints", z_at, 8);
    acp_json_get_float_array(&input, walk, "waypoints", goals, 16);
    acp_json_get_float_array(&input, start, "origin", origin, 3);
    double step = acp_json_get_double(&input, walk, "step");
    assert_int_equal(input.result, ACP_OK);
    acp_position at = test_position(acp_json_get_id(&input, start, "cell"), origin[0], origin[1], origin[2]);
    acp_mover human = test_human(at.cell_id, 10);
    acp_transition_context *context = NULL;
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    const acp_json *cell = order->first;
    assert_int_equal(at.cell_id, acp_json_to_id(&input, cell, "cell"));
    for (uint32_t w = 0, ticks = 0; w < 8; w++) {
        for (bool is_there = false; !is_there; ticks++) {
            double dx = (double)goals[2 * w] - (double)at.frame.origin.x, dy = (double)goals[2 * w + 1] - (double)at.frame.origin.y;
            double distance = sqrt(dx * dx + dy * dy), part = distance > step ? step / distance : 1.0;
            is_there = distance <= step;
            acp_position to = at;
            to.frame.origin.x = (float)((double)at.frame.origin.x + dx * part);
            to.frame.origin.y = (float)((double)at.frame.origin.y + dy * part);
            acp_move_result result;
            assert_int_equal(acp_move(context, h.world.scene->world, &human, &at, &to, &result, NULL), ACP_OK);
            assert_true(result.has_position);
            at = result.position;
            carry(&human, &result);
            if (at.cell_id != acp_json_to_id(&input, cell, "cell")) {
                cell = cell->next;
                assert_non_null(cell);
                assert_int_equal(at.cell_id, acp_json_to_id(&input, cell, "cell"));
            }
            if (ticks > 1000)
                fail_msg("stuck at (%g, %g, %g) on the way to waypoint %u", (double)at.frame.origin.x, (double)at.frame.origin.y,
                         (double)at.frame.origin.z, w);
        }
        if (fabs((double)at.frame.origin.z - (double)z_at[w]) > 0.001)
            fail_msg("z %g, not %g, at waypoint %u", (double)at.frame.origin.z, (double)z_at[w], w);
    }
    assert_null(cell->next); /* all rooms were walked through, and nothing else */
    acp_transition_context_destroy(context);
    close_house(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(objects_of_the_house), cmocka_unit_test(a_walk_into_the_cellar_and_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
