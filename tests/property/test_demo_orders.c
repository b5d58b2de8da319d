/* SPDX-License-Identifier: MIT */
/* The miniature world in 1,000 orders of retiring and publishing its landblocks: the same lists in every cell, in the same order, and the
 * same moves to the bit (D4, spec 09 POP-15); and the figures of a resident miniature: under 16 MiB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "demo/demo.h"
#include "demo/resident.h"
#include "tests/support/random.h"

#define ORDERS 1000u

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * 0x100000001B3u;
    return hash;
}

/* An object by what it is, not by its handle: model, place, and its own list of cells. */
static uint64_t mix_object(uint64_t hash, acp_world *world, acp_object object) {
    acp_object_info info;
    acp_cell_row rows[256];
    uint32_t count = 0;
    assert_int_equal(acp_object_get_info(world, object, &info), ACP_OK);
    assert_int_equal(acp_membership_object_cells(world, object, rows, 256, &count), ACP_OK);
    assert_true(count <= 256);
    uint32_t model = acp_setup_get_info(info.setup).setup_id;
    hash = mix(hash, &model, sizeof model);
    hash = mix(hash, &info.position, sizeof info.position);
    hash = mix(hash, &info.holder_cell_id, sizeof info.holder_cell_id);
    return mix(hash, rows, count * sizeof rows[0]);
}

/* Every list of every cell, in order. */
static uint64_t hash_lists(acp_demo_world *w, uint32_t *out_objects) {
    uint32_t block_count, listed = 0;
    const uint32_t *blocks = acp_demo_world_blocks(w, &block_count);
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint32_t b = 0; b < block_count; b++) {
        for (uint32_t index = 1; index < 0x120u; index++) {
            acp_object objects[128];
            uint32_t count = 0, cell_id = blocks[b] | index;
            if (index == 65u) index = 0x100u, cell_id = blocks[b] | index;
            if (acp_membership_cell_objects(acp_demo_world_get(w), cell_id, objects, 128, &count) != ACP_OK) continue;
            assert_true(count <= 128);
            hash = mix(hash, &cell_id, sizeof cell_id);
            for (uint32_t i = 0; i < count; i++)
                hash = mix_object(hash, acp_demo_world_get(w), objects[i]);
            listed += count;
        }
    }
    *out_objects = listed;
    return hash;
}

/* A fixed list of ways, every position of each. */
static const struct {
    const char *from;
    double x, y;
    uint32_t steps;
} ways[] = {{"cottage-lawn", -0.12, 0, 70}, {"arch-west", 0.1, 0.06, 60}, {"tree", -0.12, 0.01, 20},          {"statue", -0.12, 0, 20},
            {"step-0.4", 0.12, 0, 30},      {"hill-48", 0, 0.12, 40},     {"undercroft-entry", 0.12, 0, 90},  {"tower-ground", 0.12, 0, 40},
            {"forest", 0.08, 0.09, 200},    {"far-edge", 0.12, 0, 40},    {"four-corners", 0.085, 0.085, 40}, {"fence", 0, 0.12, 20}};

static uint64_t hash_moves(acp_demo_walker *walker, const acp_demo *demo) {
    uint64_t hash = 0xCBF29CE484222325u;
    acp_error error;
    for (uint32_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const acp_demo_place *place = acp_demo_find_place(demo, ways[i].from);
        assert_non_null(place);
        acp_transition_context_reset(walker->context);
        assert_int_equal(acp_demo_walker_stand(walker, &place->position, &error), ACP_OK);
        for (uint32_t k = 0; k < ways[i].steps; k++) {
            assert_int_equal(acp_demo_walker_step(walker, ways[i].x, ways[i].y, 0, &error), ACP_OK);
            hash = mix(hash, &walker->position, sizeof walker->position);
            hash = mix(hash, walker->last.cells, walker->last.cell_count * sizeof walker->last.cells[0]);
        }
    }
    return hash;
}

static void shuffle(test_random *random, uint32_t *order, uint32_t count) {
    for (uint32_t i = count - 1u; i > 0; i--) {
        uint32_t k = test_random_below(random, i + 1u), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

static void test_orders(void **state) {
    (void)state;
    acp_demo *demo;
    acp_demo_world *world;
    acp_demo_walker walker;
    acp_error error;
    uint32_t order[256], block_count, objects, first_objects;
    test_random random = {test_seed("demo orders", 20260730u)};
    assert_int_equal(acp_demo_create(NULL, NULL, &demo, &error), ACP_OK);
    assert_int_equal(acp_demo_world_create(demo, NULL, &world, &error), ACP_OK);
    assert_int_equal(acp_demo_world_publish_all(world, &error), ACP_OK);
    assert_int_equal(acp_demo_walker_begin(&walker, world, &error), ACP_OK);
    assert_true(acp_demo_world_byte_count(world) < (16u << 20));
    memcpy(order, acp_demo_world_blocks(world, &block_count), sizeof(uint32_t) * 32u);
    assert_int_equal(block_count, 32);
    uint64_t lists = hash_lists(world, &first_objects), moves = hash_moves(&walker, demo);
    assert_true(first_objects > 100);
    for (uint32_t i = 0; i < ORDERS; i++) {
        shuffle(&random, order, block_count);
        for (uint32_t k = 0; k < block_count; k++)
            assert_int_equal(acp_demo_world_retire(world, order[k], &error), ACP_OK);
        if (i % 100u == 0) assert_int_equal(acp_world_object_count(acp_demo_world_get(world)), 0);
        shuffle(&random, order, block_count);
        for (uint32_t k = 0; k < block_count; k++)
            assert_int_equal(acp_demo_world_publish(world, order[k], &error), ACP_OK);
        if (hash_lists(world, &objects) != lists || objects != first_objects) fail_msg("order %u gives other lists", i);
        if (i % 4u == 0 && hash_moves(&walker, demo) != moves) fail_msg("order %u gives other moves", i);
        if (i % 100u == 0) assert_int_equal(acp_membership_check(acp_demo_world_get(world), &error), ACP_OK);
    }
    acp_demo_walker_end(&walker);
    acp_demo_world_destroy(world);
    acp_demo_destroy(demo);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests_name("orders of the miniature world", tests, NULL, NULL);
}
