/* SPDX-License-Identifier: MIT */
/* Moving a whole world by whole landblocks changes nothing but the block bytes of ids: every answer of every move is the same to the bit
 * (L1). Worlds of level ground, boxes, posts, balls and rooms, across block edges; the diagonals of terrain cells do depend on where the
 * cell is, but on level ground both ways of cutting have the same planes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/random.h"
#include "tests/support/small_world.h"

static uint32_t block_at(uint32_t x, uint32_t y) { return x << 24 | y << 16; }

/* The same world with its south-west block at (x, y): four blocks of land, things around their common corner, two rooms. */
static test_world *build(uint32_t x, uint32_t y, uint64_t seed) {
    test_world *world = test_world_new();
    test_room rooms[2] = {{0x100, {100, 100, 10}, {6, 4, 3}, 0, 0x101, 0}, {0x101, {106, 100, 10}, {6, 4, 3}, 0, 0, 0x100}};
    for (uint32_t i = 0; i < 4; i++)
        test_world_block(world, block_at(x + i / 2, y + i % 2), NULL, 10, 0, rooms, i == 0 ? 2 : 0);
    test_random random = {seed};
    for (uint32_t i = 0; i < 60; i++) {
        double px = test_random_in(&random, 184, 200), py = test_random_in(&random, 184, 200);
        uint32_t east = px >= 192, north = py >= 192;
        px -= east * 192.0;
        py -= north * 192.0;
        uint32_t cell = block_at(x + east, y + north) | ((uint32_t)(px / 24) * 8 + (uint32_t)(py / 24) + 1);
        acp_position at = test_position(cell, px, py, 20);
        uint32_t kind = test_random_below(&random, 3);
        double size = test_random_in(&random, 0.2, 1.2), height = test_random_in(&random, 0.1, 2.5);
        uint32_t state = test_random_below(&random, 4) ? ACP_STATE_STATIC : test_random_below(&random, 2) ? ACP_STATE_ETHEREAL : 0;
        if (kind == 0) test_world_box(world, at, size, size * 1.5, height, state, 1000 + i);
        if (kind == 1) test_world_post(world, at, size / 3, height, state, 0, 1000 + i);
        if (kind == 2) test_world_ball(world, at, size / 2, height / 2, state, 0, 1000 + i);
    }
    return world;
}

static uint32_t shifted(uint32_t cell_id, uint32_t x, uint32_t y) { return cell_id ? cell_id - block_at(x, y) : 0; }

static void compare(const acp_move_result *a, const acp_move_result *b, uint32_t ax, uint32_t ay, uint32_t bx, uint32_t by) {
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(shifted(a->position.cell_id, ax, ay), shifted(b->position.cell_id, bx, by));
    assert_int_equal(shifted(a->cell_id, ax, ay), shifted(b->cell_id, bx, by));
    assert_memory_equal(&a->position.frame, &b->position.frame, sizeof a->position.frame);
    assert_int_equal(a->mover_state, b->mover_state);
    assert_int_equal(a->contact.is_valid, b->contact.is_valid);
    if (a->contact.is_valid) {
        assert_memory_equal(&a->contact.plane, &b->contact.plane, sizeof a->contact.plane);
        assert_int_equal(shifted(a->contact.cell_id, ax, ay), shifted(b->contact.cell_id, bx, by));
    }
    assert_int_equal(a->has_collision_normal, b->has_collision_normal);
    if (a->has_collision_normal) assert_memory_equal(&a->collision_normal, &b->collision_normal, sizeof(acp_vec3));
    assert_int_equal(a->has_sliding_normal, b->has_sliding_normal);
    if (a->has_sliding_normal) assert_memory_equal(&a->sliding_normal, &b->sliding_normal, sizeof(acp_vec3));
    assert_int_equal(a->taken_steps, b->taken_steps);
    assert_int_equal(a->object_count, b->object_count);
    assert_int_equal(a->cell_count, b->cell_count);
    for (uint32_t i = 0; i < a->cell_count; i++)
        assert_int_equal(shifted(a->cells[i], ax, ay), shifted(b->cells[i], bx, by));
    assert_int_equal(a->hit.kind, b->hit.kind);
    assert_int_equal(a->hit.object_id, b->hit.object_id);
    assert_int_equal(a->hit.polygon, b->hit.polygon);
}

static void a_world_moves_with_its_blocks(void **state) {
    (void)state;
    uint64_t seed = test_seed("move_translation", 20131);
    static const uint8_t places[3][2] = {{0x10, 0x20}, {0xA9, 0xB4}, {0xFC, 0x01}};
    test_world *worlds[3];
    acp_transition_context *contexts[3];
    for (uint32_t w = 0; w < 3; w++) {
        worlds[w] = build(places[w][0], places[w][1], seed);
        assert_int_equal(acp_transition_context_create(NULL, &contexts[w], NULL), ACP_OK);
    }
    test_random random = {seed + 1};
    uint32_t hit_count = 0, crossed_count = 0;
    for (uint32_t i = 0; i < 6000; i++) {
        uint32_t is_indoor = test_random_below(&random, 4) == 0;
        double px = is_indoor ? test_random_in(&random, 100.6, 111.4) : test_random_in(&random, 184, 200);
        double py = is_indoor ? test_random_in(&random, 100.6, 103.4) : test_random_in(&random, 184, 200);
        double pz = is_indoor ? 10.005 : 20.005 + (test_random_below(&random, 3) ? 0 : test_random_in(&random, 0, 2));
        double dx = test_random_in(&random, -1.5, 1.5), dy = test_random_in(&random, -1.5, 1.5);
        double dz = test_random_below(&random, 3) ? 0 : test_random_in(&random, -0.6, 0.3);
        uint32_t is_walking = test_random_below(&random, 4) != 0;
        uint32_t east = px >= 192, north = py >= 192;
        px -= east * 192.0;
        py -= north * 192.0;
        uint32_t low = is_indoor ? (px < 106 ? 0x100u : 0x101u) : (uint32_t)(px / 24) * 8 + (uint32_t)(py / 24) + 1;
        acp_move_result results[3];
        for (uint32_t w = 0; w < 3; w++) {
            uint32_t cell = block_at(places[w][0] + east, places[w][1] + north) | low;
            acp_mover human = test_human(cell, is_indoor ? 10 : 20);
            if (!is_walking) human.transient_state = 0;
            acp_position from = test_position(cell, px, py, pz), to = test_position(cell, px + dx, py + dy, pz + dz);
            acp_transition_context_reset(contexts[w]);
            assert_int_equal(acp_move(contexts[w], worlds[w]->world, &human, &from, &to, &results[w], NULL), ACP_OK);
        }
        for (uint32_t w = 1; w < 3; w++)
            compare(&results[0], &results[w], places[0][0], places[0][1], places[w][0], places[w][1]);
        hit_count += results[0].hit.kind != ACP_HIT_NONE || results[0].has_collision_normal;
        crossed_count += results[0].position.cell_id != (block_at(places[0][0] + east, places[0][1] + north) | low);
    }
    assert_true(hit_count > 500); /* the comparison is about something */
    assert_true(crossed_count > 100);
    for (uint32_t w = 0; w < 3; w++) {
        acp_transition_context_destroy(contexts[w]);
        test_world_free(worlds[w]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_world_moves_with_its_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
