/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_SMALL_WORLD_H
#define ACP_TESTS_SUPPORT_SMALL_WORLD_H

#include <stdint.h>

#include "acphys/acphys.h"

/* A world made of a few simple things, registered as soon as they are made. Everything belongs to it; failures fail the cmocka test. */

#define TEST_WORLD_ITEMS 512u

typedef struct test_world {
    acp_world *world;
    acp_terrain *terrain;
    acp_shape *shapes[TEST_WORLD_ITEMS];
    acp_setup *setups[TEST_WORLD_ITEMS];
    acp_cell_structure *structures[TEST_WORLD_ITEMS];
    uint32_t shape_count;
    uint32_t setup_count;
    uint32_t structure_count;
} test_world;

/* A room: the box `size` (inside) whose south-west floor corner is `corner` in its block, closed but for the doors. */
typedef struct test_room {
    uint32_t index; /* cell index, 0x100 and up */
    acp_vec3 corner;
    acp_vec3 size;
    uint32_t restriction_id;
    uint32_t east_neighbour; /* index of the room that shares the whole east wall, 0 = a wall there */
    uint32_t west_neighbour;
} test_room;

test_world *test_world_new(void);
void test_world_free(test_world *world);

/* A resident block: every vertex has height index `height` unless `heights` (81, x-major) is given; every terrain word is `word`. */
void test_world_block(test_world *world, uint32_t block_id, const uint8_t *heights, uint8_t height, uint16_t word, const test_room *rooms,
                      uint32_t room_count);

acp_position test_position(uint32_t cell_id, double x, double y, double z);

/* Registered objects. A box is solid, its bottom centre is the position; a post is one cylsphere; a ball one sphere at `z`. */
acp_object test_world_box(test_world *world, acp_position at, double size_x, double size_y, double size_z, uint32_t state, uint32_t id);
acp_object test_world_post(test_world *world, acp_position at, double radius, double height, uint32_t state, uint32_t predicates,
                           uint32_t id);
acp_object test_world_ball(test_world *world, acp_position at, double radius, double z, uint32_t state, uint32_t predicates, uint32_t id);

/* The human of spec 07 PHO-5 (step up 0.6, step down 1.5), standing on the level ground `z` of `cell_id`'s block. */
acp_mover test_human(uint32_t cell_id, double z);

#endif
