/* SPDX-License-Identifier: MIT */
/* The floods of the library against the plain re-statement of spec 04 (bench/plain_flood.c), entry by entry.
 *
 * Worlds of three landblocks in a row, one of them now and then not resident, with rooms of random planes that are turned freely, about z
 * or by quarters and joined by portals (to each other, to outdoors, to rooms that are not there), and with buildings that lead into them.
 * In each, objects of every arm, static and dynamic, indoors and out, and sphere floods of the path form with pick and flag. Places come
 * from near the planes and cell lines. Prints its seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/plain_flood.h"
#include "math/vec3.h"
#include "membership/flood.h"
#include "tests/support/random.h"

#define ROOMS   6u
#define PORTALS 4u
#define BLOCKS  3u

static test_random dice;

static float any(double low, double high) { return (float)test_random_in(&dice, low, high); }

static acp_vec3 any_vec3(double reach) {
    acp_vec3 v = {any(-reach, reach), any(-reach, reach), any(-reach, reach)};
    return v;
}

static acp_plane any_plane(double d_low, double d_high) {
    static const acp_vec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    acp_plane plane = {axes[test_random_below(&dice, 6)], any(d_low, d_high)};
    if (test_random_below(&dice, 3) == 0) plane.normal = acp_vec3_normalize(any_vec3(1));
    return plane;
}

static acp_quaternion any_turn(void) {
    static const acp_quaternion quarters[] = {
        {1, 0, 0, 0}, {0, 0, 0, 1}, {0.70710677f, 0, 0, 0.70710677f}, {0.70710677f, 0, 0, -0.70710677f}};
    uint32_t kind = test_random_below(&dice, 4);
    if (kind < 2) return quarters[test_random_below(&dice, 4)];
    acp_matrix_frame f = acp_matrix_frame_identity();
    double tilt = kind == 2 ? 0.0 : 1.0;
    (void)acp_matrix_frame_set_rotate(&f, any(-1, 1), any(-tilt, tilt), any(-tilt, tilt), any(0.1, 1));
    return f.rotation;
}

typedef struct stage {
    acp_terrain *terrain;
    acp_world *world;
    acp_cell_structure *structures[BLOCKS * ROOMS];
    acp_shape *shapes[4];
    acp_setup *setups[3];
} stage;

static acp_cell_structure *any_structure(void) {
    acp_bsp_node_source nodes[7];
    uint32_t count = test_random_below(&dice, 8);
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = (acp_bsp_node_source){.kind = ACP_BSP_INTERIOR, .positive = i + 1 < count ? i + 1 : ACP_BSP_NONE};
        nodes[i].plane = any_plane(0.5, 5);
    }
    acp_cell_structure_definition d = acp_cell_structure_definition_default();
    d.containment_nodes = nodes;
    d.containment_node_count = count;
    acp_cell_structure *structure = NULL;
    assert_int_equal(acp_cell_structure_create(&d, NULL, &structure, NULL), ACP_OK);
    return structure;
}

/* Coordinates crowd where a spot is likely to be near something. */
static float any_coordinate(void) {
    switch (test_random_below(&dice, 4)) {
    case 0:
        return (float)(24.0 * (double)test_random_below(&dice, 9)) + any(-0.6, 0.6);
    case 1:
        return any(-1, 1);
    case 2:
        return any(188, 193);
    default:
        return any(0, 192);
    }
}

static acp_vec3 near_to(acp_vec3 at, double reach) {
    acp_vec3 off = any_vec3(reach), out = {at.x + off.x, at.y + off.y, at.z + off.z};
    return out;
}

static void make_block(stage *s, uint32_t which) {
    uint32_t id = 0xA9B40000u + (which << 24);
    acp_env_cell_definition rooms[ROOMS];
    acp_cell_portal portals[ROOMS][PORTALS];
    uint32_t stab[ROOMS][ROOMS], count = test_random_below(&dice, ROOMS + 1);
    memset(rooms, 0, sizeof rooms);
    memset(portals, 0, sizeof portals);
    acp_vec3 center = {any_coordinate(), any_coordinate(), any(0, 10)};
    for (uint32_t i = 0; i < count; i++) {
        acp_cell_structure **structure = &s->structures[which * ROOMS + i];
        *structure = any_structure();
        rooms[i].cell_id = id | (0x100u + i);
        rooms[i].frame.origin = near_to(center, 5);
        rooms[i].frame.rotation = any_turn();
        rooms[i].structure = *structure;
        rooms[i].portals = portals[i];
        rooms[i].portal_count = test_random_below(&dice, PORTALS + 1);
        rooms[i].visible_cells = stab[i];
        for (uint32_t k = 0; k < rooms[i].portal_count; k++) {
            uint32_t to = test_random_below(&dice, ROOMS + 2);
            portals[i][k].other_cell_id = to > ROOMS ? 0xFFFFFFFFu : id | (0x100u + to);      /* some are not there */
            if (test_random_below(&dice, 8) == 0) portals[i][k].other_cell_id ^= 0x03000000u; /* in another landblock */
            portals[i][k].side = test_random_below(&dice, 2);
            portals[i][k].plane = any_plane(-3, 3);
        }
        for (uint32_t k = 0; k < count; k++)
            if (test_random_below(&dice, 2)) stab[i][rooms[i].visible_count++] = id | (0x100u + k);
    }
    acp_building_portal doors[3];
    acp_building_definition building;
    memset(&building, 0, sizeof building);
    for (uint32_t i = 0; i < 3; i++)
        doors[i] = (acp_building_portal){id | (0x100u + test_random_below(&dice, ROOMS)), (int32_t)test_random_below(&dice, 5) - 1, 0};
    building.position.cell_id = id | 1u;
    building.position.frame.rotation.w = 1.0f;
    building.position.frame.origin = (acp_vec3){center.x, center.y, 0};
    building.portals = doors;
    building.portal_count = 3;
    acp_block_definition d;
    memset(&d, 0, sizeof d);
    d.struct_size = (uint32_t)sizeof d;
    d.block_id = id;
    d.terrain = test_random_below(&dice, 6) ? acp_terrain_find(s->terrain, id | 1u) : NULL;
    d.env_cells = rooms;
    d.env_cell_count = count;
    d.buildings = &building;
    d.building_count = count && center.x >= 0 && center.y >= 0 && center.x < 192 && center.y < 192;
    acp_block *block = NULL;
    assert_int_equal(acp_block_create(&d, NULL, &block, NULL), ACP_OK);
    assert_int_equal(acp_world_add_block(s->world, block, NULL), ACP_OK);
}

static void open_stage(stage *s) {
    memset(s, 0, sizeof *s);
    assert_int_equal(acp_terrain_create(NULL, NULL, &s->terrain, NULL), ACP_OK);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        acp_land_block land;
        memset(&land, 0, sizeof land);
        land.record_id = 0xA9B4FFFFu + (i << 24);
        assert_int_equal(acp_terrain_put(s->terrain, &land, NULL), ACP_OK);
    }
    assert_int_equal(acp_world_create(NULL, &s->world, NULL), ACP_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        if (test_random_below(&dice, 5)) make_block(s, i);
    for (uint32_t i = 0; i < 4; i++) {
        static const uint32_t flags[4] = {ACP_SHAPE_HAS_PHYSICS_SPHERE, ACP_SHAPE_HAS_DRAWING_SPHERE, 0,
                                          ACP_SHAPE_HAS_PHYSICS_SPHERE | ACP_SHAPE_IS_ALWAYS_2D};
        acp_shape_definition d = acp_shape_definition_default();
        double size = i == 1 ? 60 : 3;
        d.flags = ACP_SHAPE_HAS_BOX | flags[i];
        d.box.min = (acp_vec3){any(-size, 0), any(-size, 0), any(-3, 0)};
        d.box.max = (acp_vec3){any(0, size), any(0, size), any(0, 3)};
        d.physics_sphere = d.drawing_sphere = (acp_sphere){any_vec3(1), any(0.2, size)};
        assert_int_equal(acp_shape_create(&d, NULL, &s->shapes[i], NULL), ACP_OK);
    }
    for (uint32_t i = 0; i < 3; i++) {
        acp_setup_definition d = acp_setup_definition_default();
        acp_cylsphere cylspheres[12];
        for (uint32_t k = 0; k < 12; k++)
            cylspheres[k] = (acp_cylsphere){any_vec3(3), any(0.1, k == 3 ? 14 : 2), 1.0f};
        d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
        d.sorting_sphere = (acp_sphere){any_vec3(1), any(0.2, i ? 2 : 26)};
        d.cylspheres = cylspheres;
        d.cylsphere_count = i == 2 ? 1 + test_random_below(&dice, 12) : 0;
        assert_int_equal(acp_setup_create(&d, NULL, &s->setups[i], NULL), ACP_OK);
    }
}

static void close_stage(stage *s) {
    acp_world_destroy(s->world);
    for (uint32_t i = 0; i < BLOCKS * ROOMS; i++)
        acp_cell_structure_destroy(s->structures[i]);
    for (uint32_t i = 0; i < 4; i++)
        acp_shape_destroy(s->shapes[i]);
    for (uint32_t i = 0; i < 3; i++)
        acp_setup_destroy(s->setups[i]);
    acp_terrain_destroy(s->terrain);
}

/* Near a room as often as not; then with its id, or that of the land under it, whether or not that is resident. */
static acp_matrix_position any_position(const stage *s) {
    acp_matrix_position at = {0xA9B40001u + (test_random_below(&dice, BLOCKS) << 24), acp_matrix_frame_identity()};
    const acp_block *block = acp_world_block(s->world, at.cell_id);
    at.frame.rotation = any_turn();
    acp_matrix_frame_cache(&at.frame);
    at.frame.origin = (acp_vec3){any_coordinate(), any_coordinate(), any(0, 10)};
    if (block && block->env_cell_count && test_random_below(&dice, 4)) {
        const acp_env_cell *room = &block->env_cells[test_random_below(&dice, block->env_cell_count)];
        at.frame.origin = near_to(room->position.frame.origin, 6);
        if (test_random_below(&dice, 2)) {
            at.cell_id = test_random_below(&dice, 20) ? room->cell_id : room->cell_id + 1u;
            return at;
        }
    }
    acp_matrix_position outside = at;
    if (acp_matrix_position_adjust_to_outside(&outside)) return outside;
    return at;
}

static void expect_alike(const acp_cell_array *array, const plain_flood_array *plain) {
    assert_int_equal(array->count, plain->count);
    assert_int_equal(array->added_outside, plain->added_outside);
    for (uint32_t i = 0; i < array->count; i++) {
        assert_int_equal(array->items[i].cell_id, plain->entries[i].cell_id);
        assert_int_equal(array->items[i].is_resident != 0, plain->entries[i].cell != NULL);
    }
}

typedef struct tally {
    uint32_t objects, rooms, absent, several;
} tally;

static void count_array(tally *t, const acp_cell_array *array) {
    t->objects++;
    t->several += array->count > 1;
    for (uint32_t i = 0; i < array->count; i++) {
        t->rooms += (array->items[i].cell_id & 0xFFFFu) >= 0x100u;
        t->absent += !array->items[i].is_resident;
    }
}

static void flood_objects(const stage *s, const plain_flood_world *plain_world, acp_cell_array *array, plain_flood_array *plain, tally *t) {
    acp_part_row parts[4];
    acp_object_row row;
    memset(&row, 0, sizeof row);
    memset(parts, 0, sizeof parts);
    row.position = any_position(s);
    row.holder_cell_id = row.position.cell_id;
    row.scale = 1.0f;
    row.setup = s->setups[test_random_below(&dice, 3)];
    row.state = test_random_below(&dice, 2) ? ACP_STATE_HAS_PHYSICS_BSP : 0;
    row.parts = parts;
    row.part_count = test_random_below(&dice, 5);
    for (uint32_t i = 0; i < row.part_count; i++) {
        uint32_t shape = test_random_below(&dice, 5);
        parts[i].shape = shape < 4 ? s->shapes[shape] : NULL;
        parts[i].flags = shape == 3 ? ACP_PART_IS_ALWAYS_2D : 0;
        parts[i].position.cell_id = row.position.cell_id;
        parts[i].position.frame = acp_matrix_frame_identity();
        parts[i].position.frame.rotation = any_turn();
        acp_matrix_frame_cache(&parts[i].position.frame);
        parts[i].position.frame.origin = near_to(row.position.frame.origin, 3);
    }
    bool is_static = test_random_below(&dice, 2) != 0;
    if (acp_flood_choose_arm(&row, is_static) == ACP_FLOOD_ARM_BOXES && !acp_cell_exists(acp_world_cell(s->world, row.holder_cell_id)))
        return; /* retail would fault (DIV-35) */
    plain_flood_object *object = plain_flood_object_of(plain_world, &row);
    assert_non_null(object);
    acp_flood flood = acp_flood_begin(s->world, array);
    assert_int_equal(acp_flood_object(&flood, &row, is_static), ACP_OK);
    assert_true(plain_flood_cross_cells(object, is_static, plain));
    expect_alike(array, plain);
    count_array(t, array);
    plain_flood_object_free(object);
}

static void flood_paths(const stage *s, const plain_flood_world *plain_world, acp_cell_array *array, plain_flood_array *plain, tally *t) {
    acp_matrix_position at = any_position(s);
    acp_sphere spheres[2] = {{near_to(at.frame.origin, 0.5), any(0.1, 1)}, {near_to(at.frame.origin, 1.5), any(0.1, 30)}};
    uint32_t count = test_random_below(&dice, 3), current = 77, plain_current = 77;
    bool hits = false, plain_hits = false;
    acp_cell_array_reset(array, test_random_below(&dice, 4) == 0);
    plain->do_not_load_cells = array->do_not_load_cells;
    acp_flood flood = acp_flood_begin(s->world, array);
    flood.hits_interior_cell = &hits;
    assert_int_equal(acp_find_cell_list(&flood, at.cell_id, at.frame.origin, count, spheres, &current), ACP_OK);
    assert_true(plain_flood_spheres(plain_world, at.cell_id, at.frame.origin, count, spheres, plain, &plain_current, &plain_hits));
    expect_alike(array, plain);
    assert_int_equal(current, plain_current);
    assert_int_equal(hits, plain_hits);
    count_array(t, array);
}

static void floods_are_the_plain_ones(void **state) {
    (void)state;
    dice.state = test_seed("floods", 4011);
    acp_cell_array array;
    plain_flood_array plain;
    memset(&plain, 0, sizeof plain);
    acp_cell_array_init(&array, NULL);
    tally objects = {0, 0, 0, 0}, paths = {0, 0, 0, 0};
    for (uint32_t round = 0; round < 400; round++) {
        stage s;
        open_stage(&s);
        plain_flood_world *plain_world = plain_flood_world_of(s.world);
        assert_non_null(plain_world);
        for (uint32_t i = 0; i < 150; i++) {
            flood_objects(&s, plain_world, &array, &plain, &objects);
            flood_paths(&s, plain_world, &array, &plain, &paths);
        }
        plain_flood_world_free(plain_world);
        close_stage(&s);
    }
    acp_cell_array_free(&array);
    plain_flood_array_free(&plain);
    print_message("objects: %u floods, %u rooms, %u absent, %u of several cells; paths: %u, %u, %u, %u\n", objects.objects, objects.rooms,
                  objects.absent, objects.several, paths.objects, paths.rooms, paths.absent, paths.several);
    assert_true(objects.rooms > 20000 && objects.absent > 2000 && objects.several > 10000);
    assert_true(paths.rooms > 20000 && paths.absent > 2000 && paths.several > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(floods_are_the_plain_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
