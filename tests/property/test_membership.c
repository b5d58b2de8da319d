/* SPDX-License-Identifier: MIT */
/* The registry under random life, against what must always hold: the consistency walker after every step; every registered object's rows
 * are those of a fresh flood; any order of publishing and registering gives the same lists of statics; no land cell under a BSP object's
 * boxes is missing (the brute-force oracle), none lies beyond the map; the faster refits give the bits of the plain ones; whatever
 * allocation is refused, nothing is lost. Seeds are printed. */
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
#include "acphys/terrain.h"
#include "geom/box.h"
#include "membership/flood_parts.h"
#include "membership/registry_state.h"
#include "place/cell_id.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"
#include "world/world.h"

enum { BLOCKS = 9, ROOMS = 4, SETUPS = 5, OBJECTS = 48 };

static uint64_t seed;

/* Everything that a world borrows. */
typedef struct stage {
    acp_terrain *terrain;
    acp_cell_structure *rooms[ROOMS];
    acp_shape *shapes[3];
    acp_setup *setups[SETUPS];
    uint32_t block_ids[BLOCKS];
} stage;

static acp_frame frame_at(float x, float y, float z) {
    acp_frame frame = {{x, y, z}, {1.0f, 0.0f, 0.0f, 0.0f}};
    return frame;
}

/* A cube room of 6 m around its frame. */
static acp_cell_structure *make_room(void) {
    acp_bsp_node_source nodes[6];
    memset(nodes, 0, sizeof nodes);
    for (uint32_t i = 0; i < 6; i++) {
        float *n = &nodes[i].plane.normal.x;
        n[i / 2] = i % 2 ? -1.0f : 1.0f;
        nodes[i].plane.d = 3.0f;
        nodes[i].positive = i < 5 ? i + 1 : ACP_BSP_NONE;
        nodes[i].negative = ACP_BSP_NONE;
    }
    acp_cell_structure_definition d = acp_cell_structure_definition_default();
    d.containment_nodes = nodes;
    d.containment_node_count = 6;
    acp_cell_structure *room = NULL;
    assert_int_equal(acp_cell_structure_create(&d, NULL, &room, NULL), ACP_OK);
    return room;
}

static acp_shape *make_shape(float x, float y, float z) {
    acp_shape_definition d = acp_shape_definition_default();
    d.flags = ACP_SHAPE_HAS_BOX | ACP_SHAPE_HAS_PHYSICS_SPHERE;
    d.box.min = (acp_vec3){-x, -y, 0.0f};
    d.box.max = (acp_vec3){x, y, z};
    d.physics_sphere.radius = (float)sqrt((double)x * x + (double)y * y + (double)z * z);
    acp_shape *shape = NULL;
    assert_int_equal(acp_shape_create(&d, NULL, &shape, NULL), ACP_OK);
    return shape;
}

static void open_stage(stage *s) {
    memset(s, 0, sizeof *s);
    assert_int_equal(acp_terrain_create(NULL, NULL, &s->terrain, NULL), ACP_OK);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        acp_land_block land;
        memset(&land, 0, sizeof land);
        s->block_ids[i] = (0xA8u + i / 3u) << 24 | (0xB3u + i % 3u) << 16;
        land.record_id = s->block_ids[i] | 0xFFFFu;
        assert_int_equal(acp_terrain_put(s->terrain, &land, NULL), ACP_OK);
    }
    for (uint32_t i = 0; i < ROOMS; i++)
        s->rooms[i] = make_room();
    s->shapes[0] = make_shape(1.0f, 1.0f, 2.0f);
    s->shapes[1] = make_shape(30.0f, 4.0f, 6.0f);
    s->shapes[2] = make_shape(150.0f, 90.0f, 10.0f);
    acp_sphere sphere = {{0.0f, 0.0f, 0.5f}, 0.5f};
    acp_cylsphere cylspheres[2] = {{{0.0f, 0.0f, 0.0f}, 0.6f, 2.0f}, {{3.0f, 0.0f, 0.0f}, 5.0f, 2.0f}};
    for (uint32_t i = 0; i < SETUPS; i++) {
        acp_setup_definition d = acp_setup_definition_default();
        acp_setup_part parts[2] = {{s->shapes[i % 3], {1.0f, 1.0f, 1.0f}, 0}, {s->shapes[0], {1.0f, 1.0f, 1.0f}, 0}};
        acp_frame frames[2] = {frame_at(0.0f, 0.0f, 0.0f), frame_at(5.0f, -3.0f, 1.0f)};
        acp_placement_definition placement = {0x65u, 2, frames};
        d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
        d.sorting_sphere.radius = 1.5f;
        d.spheres = &sphere;
        d.sphere_count = 1;
        if (i < 3) {
            d.parts = parts;
            d.part_count = 2;
            d.placements = &placement;
            d.placement_count = 1;
        } else if (i == 3) {
            d.cylspheres = cylspheres;
            d.cylsphere_count = 2;
        }
        assert_int_equal(acp_setup_create(&d, NULL, &s->setups[i], NULL), ACP_OK);
    }
}

static void close_stage(stage *s) {
    for (uint32_t i = 0; i < SETUPS; i++)
        acp_setup_destroy(s->setups[i]);
    for (uint32_t i = 0; i < 3; i++)
        acp_shape_destroy(s->shapes[i]);
    for (uint32_t i = 0; i < ROOMS; i++)
        acp_cell_structure_destroy(s->rooms[i]);
    acp_terrain_destroy(s->terrain);
}

/* Four rooms in a row in every block, the first with a door, a building over it; the last one's neighbour lies in the next block. */
static acp_block *make_block(const stage *s, uint32_t block_id, const acp_allocator *allocator, acp_result *out_result) {
    acp_env_cell_definition cells[ROOMS];
    acp_cell_portal portals[ROOMS][2];
    uint32_t visible[ROOMS];
    memset(cells, 0, sizeof cells);
    memset(portals, 0, sizeof portals);
    for (uint32_t i = 0; i < ROOMS; i++) {
        visible[i] = block_id | (0x100u + i);
        for (uint32_t k = 0; k < 2; k++) { /* k = 0: west, 1: east */
            acp_cell_portal *p = &portals[i][k];
            p->side = 0;
            p->plane.normal.x = k ? -1.0f : 1.0f;
            p->plane.d = 3.0f;
            p->other_cell_id = k ? block_id | (0x101u + i) : block_id | (0xFFu + i);
        }
        if (i == 0) portals[i][0].other_cell_id = 0xFFFFFFFFu;
        if (i == ROOMS - 1) portals[i][1].other_cell_id = (block_id + 0x01000000u) | 0x100u;
        cells[i].cell_id = block_id | (0x100u + i);
        cells[i].frame = frame_at(60.0f + 6.0f * (float)i, 100.0f, 3.0f);
        cells[i].is_seen_outside = 1;
        cells[i].structure = s->rooms[i];
        cells[i].portals = portals[i];
        cells[i].portal_count = 2;
        cells[i].visible_cells = visible;
        cells[i].visible_count = ROOMS;
    }
    acp_building_portal door = {block_id | 0x100u, 0, 0};
    acp_building_definition building;
    memset(&building, 0, sizeof building);
    building.position.cell_id = block_id | 0xFFFFu;
    building.position.frame = frame_at(60.0f, 100.0f, 0.0f);
    building.portals = &door;
    building.portal_count = 1;
    acp_block_definition d;
    memset(&d, 0, sizeof d);
    d.struct_size = (uint32_t)sizeof d;
    d.block_id = block_id;
    d.terrain = acp_terrain_find(s->terrain, block_id | 1u);
    d.env_cells = cells;
    d.env_cell_count = ROOMS;
    d.buildings = &building;
    d.building_count = 1;
    acp_block *block = NULL;
    acp_result result = acp_block_create(&d, allocator, &block, NULL);
    if (out_result)
        *out_result = result;
    else
        assert_int_equal(result, ACP_OK);
    return block;
}

static acp_position random_place(const stage *s, test_random *random) {
    acp_position place;
    uint32_t block_id = s->block_ids[test_random_below(random, BLOCKS)];
    double angle = test_random_in(random, -3.14, 3.14);
    place.frame = frame_at((float)test_random_in(random, -4.0, 196.0), (float)test_random_in(random, -4.0, 196.0), 0.0f);
    place.cell_id = block_id | 1u;
    if (test_random_below(random, 4) == 0) {
        uint32_t room = test_random_below(random, ROOMS);
        place.cell_id = block_id | (0x100u + room);
        place.frame = frame_at(60.0f + 6.0f * (float)room + (float)test_random_in(random, -3.0, 3.0),
                               100.0f + (float)test_random_in(random, -3.0, 3.0), 1.0f);
    }
    place.frame.rotation.w = (float)cos(angle / 2);
    place.frame.rotation.z = (float)sin(angle / 2);
    return place;
}

static acp_object_definition random_object(const stage *s, test_random *random, uint32_t ordinal) {
    acp_object_definition d = acp_object_definition_default();
    uint32_t setup = test_random_below(random, SETUPS);
    d.setup = s->setups[setup];
    d.position = random_place(s, random);
    d.scale = (float)test_random_in(random, 0.5, 2.0);
    d.keeps_state_bsp_bit = 1;
    d.state = ACP_STATE_GRAVITY;
    if (setup < 3 && test_random_below(random, 4)) d.state |= ACP_STATE_HAS_PHYSICS_BSP;
    if (test_random_below(random, 3) == 0) d.state |= ACP_STATE_STATIC;
    if (test_random_below(random, 16) == 0) d.state |= ACP_STATE_PARTICLE_EMITTER;
    d.static_order = acp_static_order(d.position.cell_id, ACP_STATIC_LANDBLOCK, 0, ordinal);
    return d;
}

/* The resident rows of an object are those of a flood made now, in order. */
static void expect_fresh(const acp_world *world, uint32_t index) {
    const acp_object_row *row = acp_world_row(world, index);
    const acp_membership_row *m = acp_registry_row(acp_registry_of(world), index);
    if (row->parent != ACP_OBJECT_NONE || (row->state & ACP_STATE_PARTICLE_EMITTER) || !m || !m->is_registered) return;
    uint32_t count = 0;
    const uint32_t *cells = acp_registry_object_cells(world, index, &count);
    if (!count) return;
    acp_cell_array array;
    acp_cell_array_init(&array, NULL);
    acp_flood flood = acp_flood_begin(world, &array);
    assert_int_equal(acp_flood_object(&flood, row, (row->state & ACP_STATE_STATIC) != 0), ACP_OK);
    uint32_t fresh = 0, kept = 0;
    while (fresh < array.count || kept < count) { /* rows known by id only are bookkeeping (MEM-42) */
        if (fresh < array.count && !array.items[fresh].is_resident) {
            fresh++;
        } else if (kept < count && !acp_registry_object_cell_is_resident(world, index, kept)) {
            kept++;
        } else {
            assert_true(fresh < array.count && kept < count);
            assert_int_equal(array.items[fresh++].cell_id, cells[kept++]);
        }
    }
    acp_cell_array_free(&array);
}

static void expect_sound(const acp_world *world) {
    acp_error error;
    if (acp_membership_check(world, &error) != ACP_OK) fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    for (uint32_t i = 0; i < acp_world_row_limit(world); i++)
        if (acp_world_live_row(world, i)) expect_fresh(world, i);
}

static void random_life_keeps_the_lists(void **state) {
    (void)state;
    test_random random = {seed};
    stage s;
    open_stage(&s);
    acp_world *world = NULL;
    assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
    acp_object objects[OBJECTS];
    memset(objects, 0, sizeof objects);
    for (int step = 0; step < 1500; step++) {
        uint32_t i = test_random_below(&random, OBJECTS);
        uint32_t block_id = s.block_ids[test_random_below(&random, BLOCKS)];
        bool is_live = acp_object_is_live(world, objects[i]) != 0;
        switch (test_random_below(&random, 8)) {
        case 0:
        case 1:
            if (!is_live) {
                acp_object_definition d = random_object(&s, &random, (uint32_t)step);
                assert_int_equal(acp_object_create(world, &d, &objects[i], NULL), ACP_OK);
                assert_int_equal(acp_membership_register(world, objects[i], NULL), ACP_OK);
            }
            break;
        case 2: {
            acp_position place = random_place(&s, &random);
            acp_result result = acp_membership_move(world, objects[i], &place, NULL);
            assert_true(is_live ? result == ACP_OK || result == ACP_ERROR_INVALID_ARGUMENT : result == ACP_ERROR_STALE_HANDLE);
            break;
        }
        case 3:
            if (is_live && test_random_below(&random, 2)) assert_int_equal(acp_object_destroy(world, objects[i], NULL), ACP_OK);
            break;
        case 4:
            if (is_live) assert_int_equal(acp_membership_withdraw(world, objects[i], NULL), ACP_OK);
            break;
        case 5: {
            acp_object parent = objects[test_random_below(&random, OBJECTS)];
            acp_frame holding = frame_at(0.0f, 0.5f, 1.0f);
            acp_result result = test_random_below(&random, 2) ? acp_membership_attach(world, objects[i], parent, 0, &holding, NULL)
                                                              : acp_membership_detach(world, objects[i], NULL);
            (void)result;
            if (is_live && acp_world_row_of(world, objects[i], NULL)->parent == ACP_OBJECT_NONE)
                assert_int_equal(acp_membership_refresh(world, objects[i], NULL), ACP_OK);
            break;
        }
        default:
            if (acp_world_has_block(world, block_id))
                assert_int_equal(acp_membership_retire(world, block_id, NULL, NULL), ACP_OK);
            else
                assert_int_equal(acp_membership_publish(world, make_block(&s, block_id, NULL, NULL), NULL), ACP_OK);
            break;
        }
        expect_sound(world);
    }
    for (uint32_t i = 0; i < OBJECTS; i++)
        if (acp_object_is_live(world, objects[i])) assert_int_equal(acp_object_destroy(world, objects[i], NULL), ACP_OK);
    acp_membership_counters counters = acp_membership_get_counters(world);
    assert_int_equal(counters.pair_count, 0);
    assert_int_equal(counters.pair_bytes, 0);
    assert_int_equal(counters.dependency_count, 0);
    acp_world_destroy(world);
    close_stage(&s);
}

static void shuffle(uint32_t *items, uint32_t count, test_random *random) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t k = test_random_below(random, i), item = items[k];
        items[k] = items[i - 1];
        items[i - 1] = item;
    }
}

/* One number for every list of every cell of a world of statics. */
static uint64_t digest(const acp_world *world) {
    uint64_t h = 0xCBF29CE484222325u;
    for (uint32_t b = 0; b < ACP_WORLD_BLOCKS; b++) {
        const acp_block *block = world->blocks[b];
        for (uint32_t k = 0; block && k < acp_block_slot_count(block); k++) {
            acp_cell cell = {block, k < 64 ? block->block_id | (k + 1) : block->env_cells[k - 64].cell_id, k < 64 ? 0 : k - 63};
            uint32_t count = 0;
            const uint32_t *objects = acp_registry_cell_objects(world, cell, &count);
            for (uint32_t i = 0; i < count; i++)
                h = (h ^ acp_world_row(world, objects[i])->object_id ^ ((uint64_t)cell.cell_id << 32)) * 0x100000001B3u;
        }
    }
    return h;
}

static void any_order_gives_the_same_lists(void **state) {
    (void)state;
    enum { STATICS = 60 };
    test_random random = {seed + 1};
    stage s;
    open_stage(&s);
    acp_object_definition definitions[STATICS];
    for (uint32_t i = 0; i < STATICS; i++) {
        definitions[i] = random_object(&s, &random, i);
        definitions[i].object_id = 0x1000u + i;
        definitions[i].state = (definitions[i].state & ~(uint32_t)ACP_STATE_PARTICLE_EMITTER) | ACP_STATE_STATIC;
    }
    uint64_t first = 0;
    for (uint32_t round = 0; round < 12; round++) {
        uint32_t todo[STATICS + BLOCKS];
        for (uint32_t i = 0; i < STATICS + BLOCKS; i++)
            todo[i] = i;
        if (round) shuffle(todo, STATICS + BLOCKS, &random);
        acp_world *world = NULL;
        assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
        for (uint32_t i = 0; i < STATICS + BLOCKS; i++) {
            acp_object object;
            if (todo[i] < STATICS) {
                assert_int_equal(acp_object_create(world, &definitions[todo[i]], &object, NULL), ACP_OK);
                assert_int_equal(acp_membership_register(world, object, NULL), ACP_OK);
            } else {
                assert_int_equal(acp_membership_publish(world, make_block(&s, s.block_ids[todo[i] - STATICS], NULL, NULL), NULL), ACP_OK);
            }
        }
        if (round % 3 == 2) { /* a block that goes and comes back changes nothing */
            assert_int_equal(acp_membership_retire(world, s.block_ids[4], NULL, NULL), ACP_OK);
            assert_int_equal(acp_membership_publish(world, make_block(&s, s.block_ids[4], NULL, NULL), NULL), ACP_OK);
        }
        expect_sound(world);
        uint64_t h = digest(world);
        if (!round) first = h;
        assert_true(h == first);
        acp_world_destroy(world);
    }
    close_stage(&s);
}

/* P1, P3 and the oracle: sampled points of every part's box lie in registered land cells; nothing lies beyond the map. */
static void no_cell_under_the_boxes_is_missing(void **state) {
    (void)state;
    test_random random = {seed + 2};
    stage s;
    open_stage(&s);
    acp_world *world = NULL;
    assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        assert_int_equal(acp_membership_publish(world, make_block(&s, s.block_ids[i], NULL, NULL), NULL), ACP_OK);
    for (int round = 0; round < 400; round++) {
        acp_object_definition d = random_object(&s, &random, 0);
        d.setup = s.setups[test_random_below(&random, 3)];
        d.state = ACP_STATE_GRAVITY | ACP_STATE_HAS_PHYSICS_BSP;
        if (!acp_cell_id_is_outdoor(d.position.cell_id)) continue;
        acp_object object;
        uint32_t index, count = 0;
        assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_OK);
        if (acp_membership_register(world, object, NULL) == ACP_OK) {
            const acp_object_row *row = acp_world_row_of(world, object, &index);
            const uint32_t *cells = acp_registry_object_cells(world, index, &count);
            uint32_t base = row->parts[0].position.cell_id;
            acp_vec3 origin = row->parts[0].position.frame.origin;
            bool has_base =
                acp_adjust_to_outside(&base, &origin) && acp_cell_exists(acp_world_cell(world, base)); /* else MEM-16: nothing */
            for (uint32_t i = 0; i < count; i++)
                assert_true((cells[i] >> 24) < 255 && ((cells[i] >> 16) & 0xFF) < 255);
            for (int k = 0; k < 60 && has_base; k++) {
                const acp_part_row *part = &row->parts[test_random_below(&random, row->part_count)];
                acp_box b = part->shape->box;
                acp_vec3 local = {(float)test_random_in(&random, (double)b.min.x, (double)b.max.x),
                                  (float)test_random_in(&random, (double)b.min.y, (double)b.max.y), b.min.z};
                acp_vec3 p = acp_matrix_position_local_to_global(part->position.cell_id, &part->position, local);
                uint32_t id = part->position.cell_id;
                if (!acp_adjust_to_outside(&id, &p)) continue;
                uint32_t i = 0;
                while (i < count && cells[i] != id)
                    i++;
                assert_true(i < count);
            }
        }
        assert_int_equal(acp_object_destroy(world, object, NULL), ACP_OK);
    }
    acp_world_destroy(world);
    close_stage(&s);
}

static acp_matrix_position random_position(test_random *random, uint32_t cell_id, double reach) {
    acp_matrix_position p = {cell_id, acp_matrix_frame_identity()};
    acp_matrix_frame_set_rotate(&p.frame, (float)test_random_in(random, -1, 1), (float)test_random_in(random, -1, 1),
                                (float)test_random_in(random, -1, 1), (float)test_random_in(random, -1, 1));
    p.frame.origin = (acp_vec3){(float)test_random_in(random, -reach, reach), (float)test_random_in(random, -reach, reach),
                                (float)test_random_in(random, -reach, reach)};
    return p;
}

static void refits_are_the_plain_ones_to_the_bit(void **state) {
    (void)state;
    test_random random = {seed + 3};
    for (int i = 0; i < 200000; i++) {
        acp_matrix_position to = random_position(&random, 0xA9B40100u + (test_random_below(&random, 2) << 24), 200.0);
        acp_matrix_position from = random_position(&random, 0xA9B40001u, 200.0);
        acp_vec3 a = random_position(&random, 1, 50.0).frame.origin, b = random_position(&random, 1, 50.0).frame.origin;
        acp_box box = {{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
                       {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z}};
        acp_box plain = acp_box_local_to_local(&to, &from, &box), fast = acp_flood_refit(&to, &from, &box);
        assert_memory_equal(&plain, &fast, sizeof plain);
    }
}

/* A small life with every allocation refused in turn: errors only, and the lists whole. */
typedef struct life {
    const stage *s;
    uint64_t seed;
} life;

static acp_result live(void *user, const acp_allocator *allocator) {
    const life *l = user;
    test_random random = {l->seed};
    acp_world *world = NULL;
    acp_result result = test_bare_world(allocator, &world);
    if (result != ACP_OK) return result;
    for (uint32_t step = 0; step < 40 && result == ACP_OK; step++) {
        acp_object object;
        acp_object_definition d = random_object(l->s, &random, step);
        uint32_t block_id = l->s->block_ids[test_random_below(&random, BLOCKS)];
        if (step % 2) {
            result = acp_object_create(world, &d, &object, NULL);
            if (result == ACP_OK) result = acp_membership_register(world, object, NULL);
        } else if (acp_world_has_block(world, block_id)) {
            result = acp_membership_retire(world, block_id, NULL, NULL);
        } else {
            acp_block *block = make_block(l->s, block_id, allocator, &result);
            if (result == ACP_OK) result = acp_membership_publish(world, block, NULL);
            if (result != ACP_OK) acp_block_destroy(block);
        }
        expect_sound(world);
    }
    acp_world_destroy(world);
    return result;
}

static void refused_memory_loses_nothing(void **state) {
    (void)state;
    stage s;
    open_stage(&s);
    life l = {&s, seed + 4};
    assert_true(test_fail_every_allocation(live, &l) > 50);
    close_stage(&s);
}

static void a_million_pairs_leave_nothing(void **state) {
    (void)state;
    stage s;
    open_stage(&s);
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_world *world = NULL;
    assert_int_equal(test_bare_world(&allocator, &world), ACP_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        assert_int_equal(acp_membership_publish(world, make_block(&s, s.block_ids[i], NULL, NULL), NULL), ACP_OK);
    acp_object_definition d = acp_object_definition_default();
    d.setup = s.setups[1];
    d.state = ACP_STATE_GRAVITY | ACP_STATE_HAS_PHYSICS_BSP;
    d.keeps_state_bsp_bit = 1;
    d.position.cell_id = 0xA9B40024u;
    d.position.frame = frame_at(108.0f, 84.0f, 0.0f);
    acp_object object;
    assert_int_equal(acp_object_create(world, &d, &object, NULL), ACP_OK);
    uint64_t pairs = 0, warm = 0;
    for (int i = 0; pairs < 1000000; i++) {
        assert_int_equal(acp_membership_register(world, object, NULL), ACP_OK);
        pairs += acp_membership_get_counters(world).pair_count;
        assert_int_equal(acp_membership_withdraw(world, object, NULL), ACP_OK);
        if (i == 2) warm = counting.counters.allocations_total;
    }
    assert_int_equal(counting.counters.allocations_total, warm); /* nothing allocates after warm-up */
    assert_int_equal(acp_membership_get_counters(world).pair_bytes, 0);
    assert_int_equal(acp_membership_get_counters(world).pair_count, 0);
    acp_world_destroy(world);
    assert_int_equal(counting.counters.bytes_in_use, 0);
    close_stage(&s);
}

int main(void) {
    seed = test_seed("membership", 20040419);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_life_keeps_the_lists),        cmocka_unit_test(any_order_gives_the_same_lists),
        cmocka_unit_test(no_cell_under_the_boxes_is_missing), cmocka_unit_test(refits_are_the_plain_ones_to_the_bit),
        cmocka_unit_test(refused_memory_loses_nothing),       cmocka_unit_test(a_million_pairs_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
