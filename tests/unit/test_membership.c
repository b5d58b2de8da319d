/* SPDX-License-Identifier: MIT */
/* Cell membership: the fixtures T1 to T16 and MEM-E1 to E5 of spec 04, order in cells, residency, children, emitters, bad input.
 * Expected sets are the specification's, as rectangles in land coordinates or as lists. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "membership/reach.h"
#include "membership/registry.h"
#include "membership/registry_restore.h"
#include "tests/support/scene_text.h"
#include "tools/acphys/eval.h"

#define MANY 4096
/* Flat landblocks round A9B4. */
#define NINE                                                                                                                               \
    "{'id':'0xA8B30000'},{'id':'0xA8B40000'},{'id':'0xA8B50000'},{'id':'0xA9B30000'},{'id':'0xA9B40000'},{'id':'0xA9B50000'},"             \
    "{'id':'0xAAB30000'},{'id':'0xAAB40000'},{'id':'0xAAB50000'}"
#define WORLD(blocks) "{'name':'t','blocks':[" blocks "]}"

/* "OWN, then x outer, y inner", as MEM-17 adds and MEM-29 seeds. */
static const char *rectangle(const char *own, int x0, int x1, int y0, int y1) {
    static char text[MANY];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", own);
    for (int x = x0; x <= x1; x++)
        for (int y = y0; y <= y1; y++) {
            char id[16];
            (void)snprintf(id, sizeof id, "%02X%02X%04X", (unsigned)(x >> 3), (unsigned)(y >> 3), (unsigned)(8 * (x & 7) + (y & 7) + 1));
            if (strcmp(id, own) != 0) used += (size_t)snprintf(text + used, sizeof text - used, " %s", id);
        }
    return text;
}

/* Registers a text object on a text world and compares its rows. */
static void expect_rows(const char *world, const char *object, bool is_static, const char *expected) {
    char rows[MANY];
    scene_text s;
    scene_text_open(&s, world, NULL);
    acp_scene_object o = scene_text_object(&s, object);
    assert_int_equal(acp_registry_calc_cross_cells(s.scene->world, o.index, is_static, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), expected);
    assert_int_equal(acp_membership_check(s.scene->world, NULL), ACP_OK);
    acp_scene_object_destroy(s.scene, &o);
    assert_int_equal(acp_membership_get_counters(s.scene->world).pair_count, 0);
    scene_text_close(&s);
}

#define PART(box, place)         "{'gfx':{'box':" box ",'physics_sphere':{'c':[0,0,0],'r':1}},'pos':" place "}"
#define BSP_OBJECT(place, parts) "{'state':'0x00010408','pos':" place ",'parts':[" parts "]}"
#define BOX(a, b, c, d, e, f)    "{'min':[" #a "," #b "," #c "],'max':[" #d "," #e "," #f "]}"

static void t1_rectangle_from_the_box(void **state) {
    (void)state;
    expect_rows(
        WORLD(NINE),
        BSP_OBJECT("{'cell':'0xA9B40024','o':[108,84,0]}", PART(BOX(-50, -50, -1, 50, 50, 1), "{'cell':'0xA9B40024','o':[108,84,0]}")),
        false, rectangle("A9B40024", 1354, 1358, 1441, 1445));
}

static void t2_one_rectangle_over_all_parts(void **state) {
    (void)state;
    expect_rows(
        WORLD(NINE),
        BSP_OBJECT("{'cell':'0xA9B4000A','o':[36,36,0]}", PART(BOX(-2, -2, 0, 60, 2, 4), "{'cell':'0xA9B4000A','o':[36,36,0]}") "," PART(
                                                              BOX(-2, -2, 0, 2, 60, 4), "{'cell':'0xA9B4000A','o':[36,36,0]}")),
        false, rectangle("A9B4000A", 1353, 1356, 1441, 1444));
}

static void t3_across_landblocks(void **state) {
    (void)state;
    expect_rows(WORLD(NINE),
                BSP_OBJECT("{'cell':'0xA9B4003C','o':[180,84,0]}", PART(BOX(-5, -5, 0, 40, 5, 5), "{'cell':'0xA9B4003C','o':[180,84,0]}")),
                false, "A9B4003C AAB40004 AAB4000C");
}

static void t4_rim_of_the_map(void **state) {
    (void)state;
    expect_rows(WORLD("{'id':'0x00000000'}"),
                BSP_OBJECT("{'cell':'0x00000001','o':[5,5,0]}", PART(BOX(-30, -30, 0, 30, 30, 1), "{'cell':'0x00000001','o':[5,5,0]}")),
                false, "00000001 00000002 00000009 0000000A");
    expect_rows(
        WORLD("{'id':'0xFEFE0000'}"),
        BSP_OBJECT("{'cell':'0xFEFE0040','o':[187,187,0]}", PART(BOX(-30, -30, 0, 30, 30, 1), "{'cell':'0xFEFE0040','o':[187,187,0]}")),
        false, "FEFE0040 FEFE0037 FEFE0038 FEFE003F");
}

static void t5_rotated_box_grows(void **state) {
    (void)state;
    expect_rows(WORLD(NINE),
                BSP_OBJECT("{'cell':'0xA9B40024','o':[96,84,0]}",
                           PART(BOX(-30, -2, 0, 30, 2, 6), "{'cell':'0xA9B40024','q':[0.948323667,0,0,0.317304671],'o':[96,84,0]}")),
                false, rectangle("A9B40024", 1354, 1357, 1442, 1444));
    expect_rows(WORLD(NINE),
                BSP_OBJECT("{'cell':'0xA9B40024','o':[96,84,0]}", PART(BOX(-30, -2, 0, 30, 2, 6), "{'cell':'0xA9B40024','o':[96,84,0]}")),
                false, "A9B40024 A9B40014 A9B4001C A9B4002C");
}

static void t6_cylspheres_ignore_scale_and_boxes(void **state) {
    (void)state;
    static const char *const scales[] = {"0.5", "1", "3"};
    for (int i = 0; i < 6; i++) {
        char object[512];
        (void)snprintf(
            object, sizeof object,
            "{'state':'0x00000408','scale':%s,'pos':{'cell':'0xA9B40025','o':[97.5,100,20]},'cylspheres':[{'low':[0,0,0],'r':1,'h':2}],"
            "'parts':[" PART(BOX(-40, -40, 0, 40, 40, 1), "{'cell':'0xA9B40025','o':[97.5,100,20]}") "]}",
            scales[i % 3]);
        expect_rows(WORLD(NINE), object, i >= 3, "A9B40025");
        (void)snprintf(
            object, sizeof object,
            "{'state':'0x00000408','scale':%s,'pos':{'cell':'0xA9B40025','o':[96.75,100,20]},'cylspheres':[{'low':[0,0,0],'r':1,'h':2}]}",
            scales[i % 3]);
        expect_rows(WORLD(NINE), object, i >= 3, "A9B40025 A9B4001D");
    }
}

/* T7's rooms: A with a portal plane x = 5 to B, or outside. */
#define ROOM_A(other)                                                                                                                      \
    "{'id':'0xA9B40100','frame':{'o':[0,0,0]},'seen_outside':1,'cell_bsp':{'p':[-1,0,0,5]},'stabs':['0xA9B40101'],"                        \
    "'portals':[{'other':'" other "','side':1,'plane':{'n':[1,0,0],'d':-5},'other_portal':0}]}"
#define ROOM_B                                                                                                                             \
    "{'id':'0xA9B40101','frame':{'o':[0,0,0]},'seen_outside':0,'cell_bsp':{'p':[1,0,0,-5],'pos':{'p':[0,1,0,-2]}},'stabs':['0xA9B40100']," \
    "'portals':[{'other':'0xA9B40100','side':0,'plane':{'n':[1,0,0],'d':-5},'other_portal':0}]}"
#define T7_OBJECT(r)                                                                                                                       \
    "{'state':'0x00010408','pos':{'cell':'0xA9B40100','o':[4.5,0,0]},'parts':[{'gfx':{'box':{'min':[-1,-6,-1],'max':[1,6,1]},"             \
    "'physics_sphere':{'c':[0,0,0],'r':" r "}},'pos':{'cell':'0xA9B40100','o':[4.5,0,0]}}]}"

static void t7_box_through_a_portal(void **state) {
    (void)state;
    expect_rows("{'name':'t','envcells':[" ROOM_A("0xA9B40101") "," ROOM_B "]}", T7_OBJECT("1"), false, "A9B40100 A9B40101");
    expect_rows("{'name':'t','envcells':[" ROOM_A("0xA9B40101") "," ROOM_B "]}", T7_OBJECT("0.4"), false, "A9B40100");
    /* T7c: the portal leads outside: the rectangle of the box, x 3.5..5.5, y -6..6 */
    expect_rows("{'name':'t','blocks':[" NINE "],'envcells':[" ROOM_A("0xFFFFFFFF") "]}", T7_OBJECT("1"), false,
                "A9B40100 A9B30008 A9B40001");
}

static void t8_absent_landblock(void **state) {
    (void)state;
    scene_text s;
    char rows[MANY];
    scene_text_open(&s, WORLD("{'id':'0xA9B50000'}"), NULL);
    acp_scene_object o = scene_text_object(
        &s, BSP_OBJECT("{'cell':'0xA9B40024','o':[108,84,0]}", PART(BOX(-50, -50, -1, 50, 50, 1), "{'cell':'0xA9B40024','o':[108,84,0]}")));
    acp_error error;
    assert_int_equal(acp_membership_register(s.scene->world, o.handle, &error), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B40024-");
    assert_int_equal(acp_membership_get_counters(s.scene->world).dependency_count, 1);
    acp_cell_array array;
    acp_cell_array_init(&array, NULL);
    acp_flood flood = acp_flood_begin(s.scene->world, &array);
    acp_add_all_outside_parts(&flood, 1, acp_world_row(s.scene->world, o.index)->parts);
    assert_int_equal(array.count, 0);
    assert_true(array.added_outside); /* the failed attempt takes the latch */
    acp_cell_array_free(&array);
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

static void publish(scene_text *s, uint32_t block_id) {
    assert_int_equal(acp_membership_publish(s->scene->world, scene_text_flat_block(s, block_id), NULL), ACP_OK);
}

static void t8b_completed_when_published(void **state) {
    (void)state;
    scene_text s;
    char rows[MANY];
    scene_text_open(&s, WORLD("{'id':'0xA9B40000'}"), NULL);
    acp_scene_object o = scene_text_object(
        &s, BSP_OBJECT("{'cell':'0xA9B4003C','o':[180,84,0]}", PART(BOX(-5, -5, 0, 40, 5, 5), "{'cell':'0xA9B4003C','o':[180,84,0]}")));
    assert_int_equal(acp_membership_register(s.scene->world, o.handle, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C AAB40004- AAB4000C-");
    assert_false(acp_registry_is_completely_visible(s.scene->world, o.index));
    publish(&s, 0xAAB40000u);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C AAB40004 AAB4000C");
    assert_true(acp_registry_is_completely_visible(s.scene->world, o.index));
    assert_int_equal(acp_membership_check(s.scene->world, NULL), ACP_OK);
    /* its own landblock goes: it waits, known by id; and comes back */
    assert_int_equal(acp_membership_retire(s.scene->world, 0xA9B40000u, NULL, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C-");
    assert_int_equal(acp_world_row(s.scene->world, o.index)->holder_cell_id, 0);
    assert_int_equal(acp_membership_check(s.scene->world, NULL), ACP_OK);
    publish(&s, 0xA9B40000u);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C AAB40004 AAB4000C");
    assert_int_equal(acp_world_row(s.scene->world, o.index)->holder_cell_id, 0xA9B4003Cu);
    /* the neighbour goes: its rows go with it */
    assert_int_equal(acp_membership_retire(s.scene->world, 0xAAB40001u, NULL, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C AAB40004- AAB4000C-");
    assert_int_equal(acp_membership_retire(s.scene->world, 0xAAB40001u, NULL, NULL), ACP_ERROR_NOT_FOUND);
    assert_int_equal(acp_membership_check(s.scene->world, NULL), ACP_OK);
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

static void t9_floor_not_truncation(void **state) {
    (void)state;
    expect_rows(WORLD(NINE),
                BSP_OBJECT("{'cell':'0xA9B40001','o':[5,5,0]}", PART(BOX(-10, -10, 0, 3, 3, 5), "{'cell':'0xA9B40001','o':[5,5,0]}")),
                false, "A9B40001 A8B30040 A8B40039 A9B30008");
}

/* MEM-E4: a cube room at (100,100,0) with its entrance at y = -3. */
#define CUBE                                                                                                                               \
    "{'id':'0xA9B40100','frame':{'o':[100,100,0]},'seen_outside':1,'cell_bsp':{'p':[1,0,0,3],'pos':{'p':[-1,0,0,3],'pos':{'p':[0,1,0,3],"  \
    "'pos':{'p':[0,-1,0,3],'pos':{'p':[0,0,1,3],'pos':{'p':[0,0,-1,3]}}}}}},'stabs':[],"                                                   \
    "'portals':[{'other':'0xFFFFFFFF','side':0,'plane':{'n':[0,1,0],'d':3},'other_portal':0}]}"

static void t11_building_entry(void **state) {
    (void)state;
    static const struct {
        const char *y, *r;
        bool enters;
    } rows[] = {{"96.5", "1", true}, {"94", "1", false}, {"94", "5", false}, {"100", "1", true}};
    scene_text s;
    scene_text_open(&s, "{'name':'t','blocks':[" NINE "],'envcells':[" CUBE "]}", NULL);
    acp_cell room = acp_world_cell(s.scene->world, 0xA9B40100u);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       "{'pos':{'cell':'0xA9B40025','o':[100,%s,0]},'parts':[{'gfx':{'box':{'min':[-1,-1,-1],'max':[1,1,1]},"
                       "'physics_sphere':{'c':[0,0,0],'r':%s}},'pos':{'cell':'0xA9B40025','o':[100,%s,0]}}]}",
                       rows[i].y, rows[i].r, rows[i].y);
        acp_scene_object o = scene_text_object(&s, text);
        acp_cell_array array;
        acp_cell_array_init(&array, NULL);
        acp_flood flood = acp_flood_begin(s.scene->world, &array);
        array.added_outside = true;
        acp_check_building_transit_parts(&flood, acp_cell_env(room), 0, 1, acp_world_row(s.scene->world, o.index)->parts);
        assert_int_equal(array.count, rows[i].enters ? 1 : 0);
        acp_cell_array_free(&array);
        acp_scene_object_destroy(s.scene, &o);
    }
    scene_text_close(&s);
}

static void t12_to_t15_edges_of_the_rectangle(void **state) {
    (void)state;
    expect_rows(
        WORLD(NINE),
        BSP_OBJECT("{'cell':'0xA9B40025','o':[108,108,20]}", PART(BOX(-1, -1, -1, 1, 1, 1), "{'cell':'0xA9B40025','o':[108,108,20]}")),
        false, "A9B40025");
    expect_rows(
        WORLD(NINE),
        BSP_OBJECT("{'cell':'0xA9B40025','o':[108,108,20]}", PART(BOX(-1, 49, -1, 1, 51, 1), "{'cell':'0xA9B40025','o':[108,108,20]}")),
        false, "A9B40025 A9B40026 A9B40027");
    expect_rows(
        WORLD(NINE),
        BSP_OBJECT("{'cell':'0xA9B40001','o':[12,12,0]}", PART(BOX(-12, -12, -12, 12, 12, 12), "{'cell':'0xA9B40001','o':[12,12,0]}")),
        false, "A9B40001 A9B40002 A9B40009 A9B4000A");
    expect_rows(WORLD(NINE),
                BSP_OBJECT("{'cell':'0xA9B40001','o':[200,10,0]}", PART(BOX(-1, -1, -1, 1, 1, 1), "{'cell':'0xA9B40001','o':[200,10,0]}")),
                false, "A9B40001 AAB40001");
}

static void t16_pick_and_prune(void **state) {
    (void)state;
    char text[MANY];
    scene_text s;
    scene_text_open(&s, WORLD(NINE), NULL);
    acp_cell_array array;
    acp_cell_array_init(&array, NULL);
    acp_flood flood = acp_flood_begin(s.scene->world, &array);
    acp_sphere sphere = {{24.0f, 12.0f, 0.0f}, 0.48f};
    uint32_t current = 0xDEADu;
    assert_int_equal(acp_find_cell_list(&flood, 0xA9B40009u, sphere.center, 1, &sphere, &current), ACP_OK);
    assert_string_equal(scene_text_cells(&array, text, sizeof text), "A9B40009 A9B40001");
    assert_int_equal(current, 0xA9B40001u); /* outdoors the last one wins */
    /* not resident: land ids without cell, the caller's value untouched */
    current = 0xDEADu;
    sphere.center.x = 60.0f;
    assert_int_equal(acp_find_cell_list(&flood, 0x10100011u, sphere.center, 1, &sphere, &current), ACP_OK);
    assert_string_equal(scene_text_cells(&array, text, sizeof text), "10100011-");
    assert_int_equal(current, 0xDEADu);
    acp_cell_array_free(&array);
    scene_text_close(&s);
    /* pruning: seeded indoors in static mode, only the start and its stab list stay; outdoor cells go too */
    const char *world = "{'name':'t','blocks':[" NINE "],'envcells':[" ROOM_A("0xFFFFFFFF") "," ROOM_B "]}";
    const char *object = "{'state':'0x00000408','pos':{'cell':'0xA9B40100','o':[4.9,3,0]},'cylspheres':[{'low':[0,0,0],'r':1,'h':1}]}";
    expect_rows(world, object, false, "A9B40100 A9B40001");
    expect_rows(world, object, true, "A9B40100");
    acp_scene_options keep = {ACP_CORRECTION_KEEP_OUTDOOR, false, NULL};
    scene_text_open(&s, world, &keep);
    acp_scene_object o = scene_text_object(&s, object);
    assert_int_equal(acp_registry_calc_cross_cells(s.scene->world, o.index, true, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, text, sizeof text), "A9B40100 A9B40001");
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

/* --------------------------------------------------------------------------------------------------------- rules of the library */

static void static_column_differs_in_its_last_row(void **state) {
    (void)state;
    const char *object = "{'state':'0x00000408','pos':{'cell':'0xA9B40025','o':[108,108,20]},'sorting_sphere':{'c':[0,0,0],'r':1},'spheres'"
                         ":[{'c':[0,0,0],'r':1}],"
                         "'parts':[" PART(BOX(-13, -1, -1, 1, 1, 1), "{'cell':'0xA9B40025','o':[108,108,20]}") "]}";
    expect_rows(WORLD(NINE), object, false, "A9B40025");
    expect_rows(WORLD(NINE), object, true, "A9B40025 A9B4001D");
}

static void scaled_extent_is_a_correction(void **state) {
    (void)state;
    const char *object =
        "{'state':'0x00000408','scale':3,'pos':{'cell':'0xA9B40025','o':[97.5,108,20]},'sorting_sphere':{'c':[0,0,0],'r':1},'spheres':[]"
        ",'setup':1}";
    expect_rows(WORLD(NINE), object, false, "A9B40025");
    acp_scene_options options = {ACP_CORRECTION_SCALED_EXTENT, false, NULL};
    scene_text s;
    char rows[MANY];
    scene_text_open(&s, WORLD(NINE), &options);
    acp_scene_object o = scene_text_object(&s, object);
    assert_int_equal(acp_registry_calc_cross_cells(s.scene->world, o.index, false, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B40025 A9B4001D");
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

static void billboards_keep_to_their_own_block(void **state) {
    (void)state;
    /* MEM-18: origin (200,10) under id A9B40001: base is AAB40001, but the origin's cells are counted in A9B4: eight columns too far */
    const char *object =
        "{'state':'0x00010408','pos':{'cell':'0xA9B40001','o':[200,10,0]},'parts':[{'gfx':{'box':{'min':[-1,-1,-1],'max':[1,1,1]},"
        "'physics_sphere':{'c':[0,0,0],'r':1}},'always2d':1,'pos':{'cell':'0xA9B40001','o':[200,10,0]}}]}";
    scene_text s;
    char rows[MANY];
    acp_scene_options corrected = {ACP_CORRECTION_BILLBOARD_BLOCK, false, NULL};
    for (int i = 0; i < 2; i++) {
        scene_text_open(&s, WORLD(NINE), i ? &corrected : NULL);
        acp_scene_object o = scene_text_object(&s, object);
        assert_int_equal(acp_registry_calc_cross_cells(s.scene->world, o.index, false, NULL), ACP_OK);
        scene_text_rows(s.scene->world, o.index, rows, sizeof rows);
        if (i) assert_string_equal(rows, "A9B40001 AAB40001");
        if (!i) assert_string_equal(rows, "A9B40001 AAB40001 AAB40009 AAB40011 AAB40019 AAB40021 AAB40029 AAB40031 AAB40039 ABB40001-");
        acp_scene_object_destroy(s.scene, &o);
        scene_text_close(&s);
    }
}

static void sphere_floods_keep_to_the_rooms_block(void **state) {
    (void)state;
    /* MEM-28: a sphere at AAB40001 (2,100) is in the room at A9B4 (190,100), but the sphere form looks 192 m away */
    static const char world[] =
        "{'name':'t','envcells':[{'id':'0xA9B40100','frame':{'o':[190,100,0]},'cell_bsp':{'p':[1,0,0,5],'pos':{'p':[-1,0,0,5]}},"
        "'portals':[{'other':'0xFFFFFFFF','side':0,'plane':{'n':[1,0,0],'d':5}}]}]}";
    for (uint32_t i = 0; i < 2; i++) {
        acp_scene_options options = {i ? ACP_CORRECTION_SPHERE_BLOCK : 0u, false, NULL};
        scene_text s;
        scene_text_open(&s, world, &options);
        acp_cell room = acp_world_cell(s.scene->world, 0xA9B40100u);
        acp_cell_array array;
        acp_cell_array_init(&array, NULL);
        acp_flood flood = acp_flood_begin(s.scene->world, &array);
        acp_sphere sphere = {{2.0f, 100.0f, 0.0f}, 0.48f};
        acp_check_building_transit_spheres(&flood, acp_cell_env(room), 0, 0xAAB40001u, 1, &sphere);
        assert_int_equal(array.count, i);
        acp_cell_array_free(&array);
        scene_text_close(&s);
    }
}

static void retails_occasions_leave_it_incomplete(void **state) {
    (void)state;
    scene_text s;
    char rows[MANY];
    scene_text_open(&s, WORLD("{'id':'0xA9B40000'}"), NULL);
    s.scene->world->fidelity |= ACP_FIDELITY_REFLOOD;
    acp_scene_object o = scene_text_object(
        &s, BSP_OBJECT("{'cell':'0xA9B4003C','o':[180,84,0]}", PART(BOX(-5, -5, 0, 40, 5, 5), "{'cell':'0xA9B4003C','o':[180,84,0]}")));
    assert_int_equal(acp_membership_register(s.scene->world, o.handle, NULL), ACP_OK);
    publish(&s, 0xAAB40000u); /* MEM-39: only the appearing block's own objects are revisited */
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C AAB40004- AAB4000C-");
    assert_int_equal(acp_membership_refresh(s.scene->world, o.handle, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C AAB40004 AAB4000C");
    assert_int_equal(acp_membership_retire(s.scene->world, 0xA9B40000u, NULL, NULL), ACP_OK); /* MEM-40: rows stay, without their cell */
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C- AAB40004 AAB4000C");
    assert_int_equal(acp_membership_check(s.scene->world, NULL), ACP_OK);
    publish(&s, 0xA9B40000u); /* its own block: it is revisited */
    assert_string_equal(scene_text_rows(s.scene->world, o.index, rows, sizeof rows), "A9B4003C AAB40004 AAB4000C");
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

static void set_state_replaces_the_bsp_bit(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        acp_scene_options options = {i ? ACP_CORRECTION_DERIVE_BSP_FLAG : 0u, false, NULL};
        scene_text s;
        scene_text_open(&s, WORLD(NINE), &options);
        acp_scene_object o = scene_text_object(&s, "{'pos':{'cell':'0xA9B40025','o':[108,108,20]},'parts':[{'gfx':{'polys':[{'v':[[0,0,0],["
                                                   "1,0,0],[0,1,0]]}],'bsp':{'leaf':0,'solid':0,'polys':[0]}}}]}");
        acp_object_info info;
        assert_int_equal(acp_object_get_info(s.scene->world, o.handle, &info), ACP_OK);
        assert_int_equal(info.state, ACP_STATE_DEFAULT | ACP_STATE_HAS_PHYSICS_BSP); /* computed at construction */
        assert_int_equal(acp_object_set_state(s.scene->world, o.handle, 0x408u), ACP_OK);
        assert_int_equal(acp_object_get_info(s.scene->world, o.handle, &info), ACP_OK);
        assert_int_equal(info.state, i ? 0x10408u : 0x408u);
        acp_scene_object_destroy(s.scene, &o);
        scene_text_close(&s);
    }
}

static void objects_of(const acp_world *world, uint32_t cell_id, char *out) {
    acp_object objects[16];
    uint32_t count = 0;
    out[0] = '\0';
    assert_int_equal(acp_membership_cell_objects(world, cell_id, objects, 16, &count), ACP_OK);
    for (uint32_t i = 0; i < count && i < 16; i++) {
        acp_object_info info;
        assert_int_equal(acp_object_get_info(world, objects[i], &info), ACP_OK);
        (void)snprintf(out + strlen(out), 16, "%s%X", i ? " " : "", (unsigned)info.object_id);
    }
}

static acp_object add(scene_text *s, uint32_t id, uint32_t state, uint64_t order, const acp_setup *setup) {
    acp_object_definition d = acp_object_definition_default();
    acp_object object;
    d.object_id = id;
    d.state = state;
    d.static_order = order;
    d.setup = setup;
    d.position.cell_id = 0xA9B40025u;
    d.position.frame.origin.x = d.position.frame.origin.y = 108.0f;
    assert_int_equal(acp_object_create(s->scene->world, &d, &object, NULL), ACP_OK);
    assert_int_equal(acp_membership_register(s->scene->world, object, NULL), ACP_OK);
    return object;
}

static void statics_first_in_canonical_order(void **state) {
    (void)state;
    acp_setup_definition d = acp_setup_definition_default();
    acp_sphere sphere = {{0.0f, 0.0f, 0.0f}, 0.5f};
    acp_setup *setup = NULL;
    d.spheres = &sphere;
    d.sphere_count = 1;
    assert_int_equal(acp_setup_create(&d, NULL, &setup, NULL), ACP_OK);
    char list[256];
    for (int order = 0; order < 2; order++) {
        acp_scene_options options = {0, order == 0, NULL};
        scene_text s;
        scene_text_open(&s, WORLD(NINE), &options);
        const acp_world *world = s.scene->world;
        acp_object d1 = add(&s, 0xD1, 0x408, 0, setup);
        add(&s, 0x53, 0x409, acp_static_order(0xA9B40000u, ACP_STATIC_SCENERY, 0, 3), setup);
        add(&s, 0xD2, 0x408, 0, setup);
        acp_object l7 = add(&s, 0x17, 0x409, acp_static_order(0xA9B40000u, ACP_STATIC_LANDBLOCK, 0, 7), setup);
        add(&s, 0x12, 0x409, acp_static_order(0xA9B40000u, ACP_STATIC_LANDBLOCK, 0, 2), setup);
        add(&s, 0xE1, 0x409, acp_static_order(0xA9B40000u, ACP_STATIC_ENV_CELL, 0x101, 0), setup);
        add(&s, 0x01, 0x409, acp_static_order(0xA8B40000u, ACP_STATIC_SCENERY, 0, 9), setup);
        add(&s, 0xD3, 0x408, 0, setup);
        objects_of(world, 0xA9B40025u, list);
        assert_string_equal(list, order == 0 ? "1 12 17 E1 53 D1 D2 D3" : "D1 53 D2 17 12 E1 1 D3");
        assert_int_equal(acp_object_destroy(s.scene->world, d1, NULL), ACP_OK);
        objects_of(world, 0xA9B40025u, list); /* the last dynamic takes the hole */
        assert_string_equal(list, order == 0 ? "1 12 17 E1 53 D3 D2" : "D3 53 D2 17 12 E1 1");
        assert_int_equal(acp_membership_withdraw(s.scene->world, l7, NULL), ACP_OK);
        objects_of(world, 0xA9B40025u, list);
        assert_string_equal(list, order == 0 ? "1 12 E1 53 D3 D2" : "D3 53 D2 1 12 E1");
        assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
        scene_text_close(&s);
    }
    acp_setup_destroy(setup);
}

static void children_and_emitters(void **state) {
    (void)state;
    scene_text s;
    char rows[MANY];
    scene_text_open(&s, WORLD(NINE), NULL);
    acp_scene_object o =
        scene_text_object(&s, "{'state':'0x00001408','pos':{'cell':'0xA9B40025','o':[96.5,108,0]},'spheres':[{'c':[0,0,0],'r':1}],'sorting_"
                              "sphere':{'c':[0,0,0],'r':1},"
                              "'children':[{'state':'0x00000408','pos':{'cell':'0xA9B40025'},'setup':1,'holding':{'o':[1,2,3]}}]}");
    acp_world *world = s.scene->world;
    acp_object_place_parts(world, o.index);
    assert_int_equal(acp_registry_calc_cross_cells(world, o.index, false, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(world, o.index, rows, sizeof rows), "A9B40025"); /* an emitter has one row */
    assert_string_equal(scene_text_rows(world, o.children[0].index, rows, sizeof rows), "A9B40025 A9B4001D");
    assert_true(acp_world_row(world, o.children[0].index)->position.frame.origin.x == 97.5f);
    /* no rings, no self */
    acp_frame frame = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    assert_int_equal(acp_membership_attach(world, o.handle, o.handle, -1, &frame, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_membership_attach(world, o.handle, o.children[0].handle, -1, &frame, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
    acp_registry_remove(world, o.index);
    assert_string_equal(scene_text_rows(world, o.children[0].index, rows, sizeof rows), "");
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

/* MEM-42: who waits for a landblock, and then moves to where all its cells are there, waits no more. */
static void waiting_ends_with_a_move(void **state) {
    (void)state;
    scene_text s;
    char rows[MANY];
    scene_text_open(&s, WORLD("{'id':'0xA9B40000'}"), NULL);
    acp_world *world = s.scene->world;
    acp_scene_object o = scene_text_object(
        &s, "{'state':'0x00000408','pos':{'cell':'0xA9B4003C','o':[191,84,0]},'cylspheres':[{'low':[0,0,0],'r':2,'h':2}],'parts':[]}");
    assert_int_equal(acp_registry_calc_cross_cells(world, o.index, false, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(world, o.index, rows, sizeof rows), "A9B4003C AAB40004-");
    assert_int_equal(acp_membership_get_counters(world).dependency_count, 1);
    acp_matrix_frame frame = acp_world_row(world, o.index)->position.frame;
    frame.origin.x = 180.0f;
    acp_object_set_frame(world, o.index, &frame);
    assert_int_equal(acp_registry_calc_cross_cells(world, o.index, false, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(world, o.index, rows, sizeof rows), "A9B4003C");
    assert_int_equal(acp_membership_get_counters(world).dependency_count, 0);
    assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

/* A lone object stands in its cell's head, not in a list: its number names no list, however large it is. */
static void a_lone_object_is_in_order(void **state) {
    (void)state;
    enum { COUNT = 5000 }; /* more than the words of a chunk */
    static acp_scene_object objects[COUNT];
    scene_text s;
    scene_text_open(&s, WORLD("{'id':'0xA9B40000'}"), NULL);
    acp_world *world = s.scene->world;
    for (uint32_t i = 0; i < COUNT; i++)
        objects[i] = scene_text_object(
            &s, "{'state':'0x00000408','pos':{'cell':'0xA9B40025','o':[100,100,0]},'cylspheres':[{'low':[0,0,0],'r':1,'h':2}],'parts':[]}");
    uint32_t last = objects[COUNT - 1].index, count = 0;
    assert_true(last >= COUNT - 1);
    assert_int_equal(acp_registry_calc_cross_cells(world, last, false, NULL), ACP_OK);
    acp_registry_arrange_cell(world, acp_world_cell(world, 0xA9B40025u), &last, 1);
    const uint32_t *found = acp_registry_cell_objects(world, acp_world_cell(world, 0xA9B40025u), &count);
    assert_int_equal(count, 1);
    assert_int_equal(found[0], last);
    for (uint32_t i = 0; i < COUNT; i++)
        acp_scene_object_destroy(s.scene, &objects[i]);
    scene_text_close(&s);
}

/* L4, C4: 139 m of object, its origin 90 m from a mover that touches its far end. */
static void reach_is_measured_from_the_shape(void **state) {
    (void)state;
    scene_text s;
    scene_text_open(&s, WORLD(NINE), NULL);
    acp_scene_object o = scene_text_object(
        &s, "{'state':'0x00010409','pos':{'cell':'0xA9B40001','o':[10,100,0]},'parts':[{'gfx':{'box':{'min':[0,-1,0],'max':[139,1,5]},"
            "'physics_sphere':{'c':[69.5,0,2.5],'r':69.6},'polys':[{'v':[[0,0,0],[139,0,0],[0,0,5]]}],'bsp':{'leaf':0,'solid':0,'polys':[0]"
            ",'s':[69.5,0,2.5,69.6]}},"
            "'pos':{'cell':'0xA9B40001','o':[10,100,0]}}]}");
    acp_world *world = s.scene->world;
    assert_int_equal(acp_membership_register(world, o.handle, NULL), ACP_OK);
    acp_position place = {0xA9B40025u, {{100.0f, 100.5f, 1.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    acp_candidate found[4];
    uint32_t count = 0;
    assert_int_equal(acp_membership_candidates(world, &place, 0.48f, NULL, found, 4, &count, NULL), ACP_OK);
    assert_int_equal(count, 1);
    assert_int_equal(found[0].verdict.verdict, ACP_REACH_TESTED);
    /* beyond its end by the bound: rejected, with numbers */
    place.cell_id = 0xA9B4003Du;
    place.frame.origin.x = 170.0f;
    place.frame.origin.y = 103.0f;
    place.frame.origin.z = 60.0f;
    assert_int_equal(acp_membership_candidates(world, &place, 22.0f, NULL, found, 4, &count, NULL), ACP_OK);
    assert_int_equal(count, 1);
    assert_int_equal(found[0].verdict.verdict, ACP_REACH_REJECTED_SPHERE);
    assert_true(found[0].verdict.distance > found[0].verdict.reach);
    assert_true(found[0].verdict.reach > 91.5 && found[0].verdict.reach < 91.7);
    assert_int_equal(acp_membership_candidates(world, &place, 40.0f, &o.handle, found, 4, &count, NULL), ACP_OK);
    assert_int_equal(found[0].verdict.verdict, ACP_REACH_EXEMPT_SELF);
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

static void lookups_of_hosts(void **state) {
    (void)state;
    scene_text s;
    scene_text_open(&s,
                    "{'name':'t','blocks':[" NINE "],'envcells':[" CUBE
                    "],'buildings':[{'cell':'0xA9B40025','portals':[{'other':'0xA9B40100','other_portal':0}]}]}",
                    NULL);
    const acp_world *world = s.scene->world;
    acp_position place = {0xA9B40025u, {{100.0f, 100.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    uint32_t cell = 0;
    assert_int_equal(acp_membership_cell_at(world, &place, &cell, NULL), ACP_OK);
    assert_int_equal(cell, 0xA9B40100u); /* inside the house, though labelled outdoors */
    place.frame.origin.x = 110.0f;
    assert_int_equal(acp_membership_cell_at(world, &place, &cell, NULL), ACP_OK);
    assert_int_equal(cell, 0xA9B40025u);
    place.frame.origin.x = 193.0f;
    assert_int_equal(acp_membership_cell_at(world, &place, &cell, NULL), ACP_OK);
    assert_int_equal(cell, 0xAAB40005u);
    assert_int_equal(acp_world_cell_status(world, 0xA9B40001u), ACP_CELL_RESIDENT);
    assert_int_equal(acp_world_cell_status(world, 0xA9B40123u), ACP_CELL_NOT_IN_SOURCE);
    assert_int_equal(acp_world_cell_status(world, 0x10100001u), ACP_CELL_NOT_RESIDENT);
    assert_int_equal(acp_world_cell_status(world, 0xA9B40041u), ACP_CELL_INVALID);
    assert_int_equal(acp_world_cell_status(world, 0xFFB40001u), ACP_CELL_INVALID);
    scene_text_close(&s);
}

static void near_objects_by_cylinder_distance(void **state) {
    (void)state;
    acp_setup_definition d = acp_setup_definition_default();
    acp_sphere sphere = {{0.0f, 0.0f, 0.0f}, 0.5f};
    acp_setup *setup = NULL;
    d.spheres = &sphere;
    d.sphere_count = 1;
    d.radius = 0.5f;
    d.height = 2.0f;
    assert_int_equal(acp_setup_create(&d, NULL, &setup, NULL), ACP_OK);
    scene_text s;
    scene_text_open(&s, WORLD(NINE), NULL);
    acp_object a = add(&s, 1, 0x408, 0, setup), b = add(&s, 2, 0x408, 0, setup);
    acp_position place = {0xAAB40001u, {{2.0f, 10.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    assert_int_equal(acp_membership_move(s.scene->world, a, &place, NULL), ACP_OK);
    place.cell_id = 0xA9B40039u;
    place.frame.origin.x = 190.0f;
    acp_near_object found[4];
    uint32_t count = 0;
    assert_int_equal(acp_membership_objects_near(s.scene->world, &place, 3.5f, found, 4, &count, NULL), ACP_OK);
    assert_int_equal(count, 1); /* 4 m across the edge, less the radius */
    assert_true(found[0].object.index1 == a.index1 && found[0].distance > 3.49 && found[0].distance < 3.51);
    assert_int_equal(acp_membership_objects_near(s.scene->world, &place, 3.4f, found, 4, &count, NULL), ACP_OK);
    assert_int_equal(count, 0);
    assert_int_equal(acp_membership_objects_near(s.scene->world, &place, 500.0f, found, 4, &count, NULL), ACP_OK);
    assert_int_equal(count, 2);
    assert_true(found[0].object.index1 == a.index1 && found[1].object.index1 == b.index1);
    assert_int_equal(acp_membership_objects_near(s.scene->world, &place, -1.0f, found, 4, &count, NULL), ACP_ERROR_OUT_OF_RANGE);
    scene_text_close(&s);
    acp_setup_destroy(setup);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    scene_text s;
    scene_text_open(&s, WORLD(NINE), NULL);
    acp_world *world = s.scene->world;
    acp_object_definition d = acp_object_definition_default();
    acp_object object = {0, 0};
    d.position.cell_id = 0xA9B40001u;
    d.position.frame.origin.x = NAN;
    assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_ERROR_NOT_FINITE);
    d.position.frame.origin.x = INFINITY;
    assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_ERROR_NOT_FINITE);
    d.position.frame.origin.x = 1.0f;
    d.scale = 0.0f;
    assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_ERROR_OUT_OF_RANGE);
    d.scale = 1.0f;
    d.position.cell_id = 0xA9B40050u;
    assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_ERROR_INVALID_ID);
    d.position.cell_id = 0x00000001u;
    d.position.frame.origin.x = -1000.0f;
    d.object_id = 7;
    assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_OK);
    assert_int_equal(acp_membership_register(world, object, NULL), ACP_ERROR_OUTSIDE_MAP);
    acp_object second;
    assert_int_equal(acp_object_create(world, &d, &second, NULL), ACP_ERROR_DUPLICATE);
    assert_int_equal(acp_object_destroy(world, object, NULL), ACP_OK);
    assert_int_equal(acp_membership_register(world, object, NULL), ACP_ERROR_STALE_HANDLE);
    assert_int_equal(acp_object_destroy(world, object, NULL), ACP_ERROR_STALE_HANDLE);
    acp_shape_definition shape = acp_shape_definition_default();
    acp_shape *made = NULL;
    shape.flags = ACP_SHAPE_HAS_BOX;
    shape.box.min.x = 1.0f;
    assert_int_equal(acp_shape_create(&shape, NULL, &made, NULL), ACP_ERROR_OUT_OF_RANGE);
    shape.box.max.x = NAN;
    assert_int_equal(acp_shape_create(&shape, NULL, &made, NULL), ACP_ERROR_NOT_FINITE);
    /* an absurd box fills the resident map and nothing breaks */
    acp_scene_object o = scene_text_object(&s, BSP_OBJECT("{'cell':'0xA9B40001','o':[5,5,0]}",
                                                          PART(BOX(-1e30, -1e30, 0, 1e30, 1e30, 5), "{'cell':'0xA9B40001','o':[5,5,0]}")));
    acp_cell_array array;
    acp_cell_array_init(&array, NULL);
    acp_flood flood = acp_flood_begin(world, &array);
    assert_int_equal(acp_find_bbox_cell_list(&flood, 0xA9B40001u, 1, acp_world_row(world, o.index)->parts), ACP_OK);
    assert_int_equal(array.count, 2040u * 2040u);
    acp_cell_array_free(&array);
    acp_scene_object_destroy(s.scene, &o);
    assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
    scene_text_close(&s);
}

/* Ten thousand parts, 1.5 m apart on a square of 150 m: one rectangle of land cells 0 to 6 (4 to 154.5 m) on both axes. More than
 * 65,535 parts are refused. */
static void ten_thousand_parts(void **state) {
    (void)state;
    enum { SIDE = 100, PARTS = SIDE * SIDE };
    scene_text s;
    scene_text_open(&s, WORLD(NINE), NULL);
    acp_world *world = s.scene->world;
    acp_shape_definition definition = acp_shape_definition_default();
    definition.flags = ACP_SHAPE_HAS_BOX;
    definition.box.min = (acp_vec3){-1.0f, -1.0f, 0.0f};
    definition.box.max = (acp_vec3){1.0f, 1.0f, 1.0f};
    acp_shape *shape = NULL;
    assert_int_equal(acp_shape_create(&definition, NULL, &shape, NULL), ACP_OK);
    acp_setup_part *parts = calloc(65536u, sizeof *parts);
    acp_frame *frames = calloc(65536u, sizeof *frames);
    assert_true(parts && frames);
    for (uint32_t i = 0; i < 65536u; i++) {
        parts[i].shape = shape;
        parts[i].default_scale = (acp_vec3){1.0f, 1.0f, 1.0f};
        frames[i].rotation.w = 1.0f;
        frames[i].origin = (acp_vec3){1.5f * (float)(i % SIDE), 1.5f * (float)(i / SIDE), 0.0f};
    }
    acp_setup_definition d = acp_setup_definition_default();
    acp_setup *setup = NULL;
    d.parts = parts;
    d.part_count = 65536u;
    assert_int_equal(acp_setup_create(&d, NULL, &setup, NULL), ACP_ERROR_LIMIT);
    acp_placement_definition placement = {0, PARTS, frames};
    d.part_count = PARTS;
    d.placements = &placement;
    d.placement_count = 1;
    assert_int_equal(acp_setup_create(&d, NULL, &setup, NULL), ACP_OK);
    acp_object object = add(&s, 9, 0x10408, 0, setup);
    assert_int_equal(acp_object_set_state(world, object, 0x10408u), ACP_OK); /* the bit that no mesh gave */
    acp_cell_row rows[64];
    uint32_t count = 0;
    acp_position place = {0xA9B40001u, {{5.0f, 5.0f, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    assert_int_equal(acp_membership_move(world, object, &place, NULL), ACP_OK);
    assert_int_equal(acp_membership_object_cells(world, object, rows, 64, &count), ACP_OK);
    assert_int_equal(count, 49);
    assert_int_equal(rows[48].cell_id, 0xA9B40037u);
    assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
    assert_int_equal(acp_object_destroy(world, object, NULL), ACP_OK);
    assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
    scene_text_close(&s);
    acp_setup_destroy(setup);
    acp_shape_destroy(shape);
    free(frames);
    free(parts);
}

/* ------------------------------------------------------------------------------------------------------------------- explain */

typedef struct told {
    uint32_t arms, boxes, rectangles, portals, cell_tests, added, lookups;
    acp_trace_arm arm;
    acp_trace_rectangle rectangle;
    acp_trace_portal portal;
} told;

static void listen(void *user, uint32_t type, const void *record, uint32_t size) {
    told *t = user;
    if (type == ACP_TRACE_MEMBERSHIP_ARM) memcpy(&t->arm, record, size), t->arms++;
    if (type == ACP_TRACE_MEMBERSHIP_RECTANGLE) memcpy(&t->rectangle, record, size), t->rectangles++;
    if (type == ACP_TRACE_MEMBERSHIP_PORTAL) memcpy(&t->portal, record, size), t->portals++;
    t->boxes += type == ACP_TRACE_MEMBERSHIP_PART_BOX;
    t->cell_tests += type == ACP_TRACE_MEMBERSHIP_CELL_TEST;
    t->added += type == ACP_TRACE_MEMBERSHIP_ADDED;
    t->lookups += type == ACP_TRACE_MEMBERSHIP_LOOKUP;
}

static void explanations_carry_the_numbers(void **state) {
    (void)state;
    scene_text s;
    scene_text_open(&s, "{'name':'t','envcells':[" ROOM_A("0xA9B40101") "," ROOM_B "]}", NULL);
    acp_scene_object o = scene_text_object(&s, T7_OBJECT("0.4"));
    told t;
    acp_trace_sink sink = {&t, listen};
    acp_cell_row rows[8];
    uint32_t count = 0;
    memset(&t, 0, sizeof t);
    assert_int_equal(acp_membership_explain(s.scene->world, o.handle, 0, &sink, rows, 8, &count, NULL), ACP_OK);
    assert_int_equal(count, 1);
    assert_int_equal(t.arm.arm, ACP_ARM_BOXES);
    assert_int_equal(t.portals, 1);
    assert_int_equal(t.portal.verdict, ACP_PORTAL_SPHERE_SIDE); /* what kept B out */
    assert_int_equal(t.portal.other_cell_id, 0xA9B40101u);
    assert_true(t.portal.distance == -0.5);
    assert_true(t.portal.threshold > 0.4001 && t.portal.threshold < 0.4003);
    acp_scene_object_destroy(s.scene, &o);
    o = scene_text_object(&s, T7_OBJECT("1"));
    memset(&t, 0, sizeof t);
    assert_int_equal(acp_membership_explain(s.scene->world, o.handle, 0, &sink, rows, 8, &count, NULL), ACP_OK);
    assert_int_equal(count, 2);
    assert_true(t.boxes >= 1 && t.cell_tests >= 1 && t.added == 2);
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
}

/* One object through every host's door: the C API, a scene's `cross`, the explanation, and `eval`: the same list, in the same order. */
static void hosts_agree(void **state) {
    (void)state;
    static const char object[] =
        BSP_OBJECT("{'cell':'0xA9B4003C','o':[180,84,0]}", PART(BOX(-5, -5, 0, 40, 5, 5), "{'cell':'0xA9B4003C','o':[180,84,0]}"));
    char world[2048], api[MANY], crossed[MANY], line[4096];
    (void)snprintf(world, sizeof world, "{'name':'t','blocks':[%s],'objects':[{'name':'o','cross':1,%s]}", NINE, object + 1);
    scene_text s;
    scene_text_open(&s, world, NULL);
    scene_text_rows(s.scene->world, s.scene->objects[0].index, crossed, sizeof crossed);
    acp_scene_object o = scene_text_object(&s, object);
    assert_int_equal(acp_membership_register(s.scene->world, o.handle, NULL), ACP_OK);
    assert_string_equal(scene_text_rows(s.scene->world, o.index, api, sizeof api), crossed);
    assert_string_equal(api, "A9B4003C AAB40004 AAB4000C");
    acp_cell_row rows[8];
    uint32_t count = 0;
    assert_int_equal(acp_membership_explain(s.scene->world, o.handle, -1, NULL, rows, 8, &count, NULL), ACP_OK);
    assert_int_equal(count, 3);
    assert_true(rows[0].cell_id == 0xA9B4003Cu && rows[1].cell_id == 0xAAB40004u && rows[2].cell_id == 0xAAB4000Cu);
    acp_scene_object_destroy(s.scene, &o);
    scene_text_close(&s);
    acp_eval *eval = acp_eval_new();
    bool is_error = false;
    acp_json_writer out;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < 2; i++) {
        if (i)
            (void)snprintf(line, sizeof line, "{'id':2,'op':'calc_cross_cells','in':{'scene':'t','static':0,'object':%s}}", object);
        else
            (void)snprintf(line, sizeof line, "{'id':1,'op':'scene','in':%s}", world);
        for (char *c = line; *c; c++)
            if (*c == '\'') *c = '"';
        acp_json_writer_reset(&out);
        assert_int_equal(acp_eval_answer(eval, line, strlen(line), &out, &is_error), ACP_OK);
    }
    assert_non_null(strstr(acp_json_writer_text(&out), "[[\"0xA9B4003C\",1],[\"0xAAB40004\",1],[\"0xAAB4000C\",1]]"));
    acp_json_writer_free(&out);
    acp_eval_free(eval);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t1_rectangle_from_the_box),
        cmocka_unit_test(t2_one_rectangle_over_all_parts),
        cmocka_unit_test(t3_across_landblocks),
        cmocka_unit_test(t4_rim_of_the_map),
        cmocka_unit_test(t5_rotated_box_grows),
        cmocka_unit_test(t6_cylspheres_ignore_scale_and_boxes),
        cmocka_unit_test(t7_box_through_a_portal),
        cmocka_unit_test(t8_absent_landblock),
        cmocka_unit_test(t8b_completed_when_published),
        cmocka_unit_test(t9_floor_not_truncation),
        cmocka_unit_test(t11_building_entry),
        cmocka_unit_test(t12_to_t15_edges_of_the_rectangle),
        cmocka_unit_test(t16_pick_and_prune),
        cmocka_unit_test(static_column_differs_in_its_last_row),
        cmocka_unit_test(scaled_extent_is_a_correction),
        cmocka_unit_test(billboards_keep_to_their_own_block),
        cmocka_unit_test(sphere_floods_keep_to_the_rooms_block),
        cmocka_unit_test(retails_occasions_leave_it_incomplete),
        cmocka_unit_test(set_state_replaces_the_bsp_bit),
        cmocka_unit_test(statics_first_in_canonical_order),
        cmocka_unit_test(children_and_emitters),
        cmocka_unit_test(waiting_ends_with_a_move),
        cmocka_unit_test(a_lone_object_is_in_order),
        cmocka_unit_test(reach_is_measured_from_the_shape),
        cmocka_unit_test(lookups_of_hosts),
        cmocka_unit_test(near_objects_by_cylinder_distance),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(ten_thousand_parts),
        cmocka_unit_test(explanations_carry_the_numbers),
        cmocka_unit_test(hosts_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
