/* SPDX-License-Identifier: MIT */
/* Order does not matter (D4, D5; 09 POP-15): a village is published and retired in random orders under standing objects of a host. For the
 * same resident set the lists of every cell are those of a world that published it in ascending order: statics in the same order, others as
 * a set; a fixed list of moves gives the same bits. Pairs of publishing and retiring leave no byte and no row.
 *
 * A sample here; ACP_TEST_ORDERS and ACP_TEST_PAIRS ask for more (1,000 and 10,000 in the full check). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "acphys/population.h"
#include "acphys/transition.h"
#include "tests/support/random.h"
#include "tests/support/village.h"
#include "tests/support/world_hash.h"

enum { SIDE = 3, BLOCKS = SIDE * SIDE, GUESTS = 24, MOVES = 1000 };

static uint32_t count_of(const char *name, uint32_t otherwise) {
    const char *text = getenv(name);
    uint32_t count = text ? (uint32_t)strtoul(text, NULL, 10) : 0;
    return count ? count : otherwise;
}

/* Moves of a human on and around the borders; hostless worlds of statics give the same bits (POP-15 d). */
static uint64_t hash_moves(const acp_world *world) {
    acp_transition_context *context = NULL;
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    test_random random = {20260};
    uint64_t hash = 3;
    for (uint32_t i = 0; i < MOVES; i++) {
        acp_mover human = acp_mover_default();
        human.sphere_count = 2;
        human.spheres[0] = (acp_sphere){{0, 0, 0.475f}, 0.48f};
        human.spheres[1] = (acp_sphere){{0, 0, 1.35f}, 0.48f};
        human.step_up_height = 0.6f;
        human.step_down_height = 1.5f;
        uint32_t block = (TEST_VILLAGE_X + test_random_below(&random, SIDE)) << 24 | (TEST_VILLAGE_Y + test_random_below(&random, SIDE))
                                                                                         << 16;
        acp_position from = {0, {{0, 0, 0}, {1, 0, 0, 0}}}, to;
        double near = test_random_below(&random, 2) ? 8 : 60;
        double edge_x = test_random_below(&random, 2) ? 191.9 : 0, edge_y = test_random_below(&random, 2) ? 191.9 : 0;
        double x = edge_x > 1 ? edge_x - test_random_in(&random, 0, near) : test_random_in(&random, 0, near);
        double y = edge_y > 1 ? edge_y - test_random_in(&random, 0, near) : test_random_in(&random, 0, near);
        from.frame.origin = (acp_vec3){(float)x, (float)y, (float)test_random_in(&random, 8, 12)};
        from.cell_id = block | ((uint32_t)(x / 24) * 8u + (uint32_t)(y / 24) + 1u);
        if (test_random_below(&random, 8) == 0) from.cell_id = block | (0x100u + test_random_below(&random, 3));
        to = from;
        to.frame.origin.x += (float)test_random_in(&random, -4, 4);
        to.frame.origin.y += (float)test_random_in(&random, -4, 4);
        acp_move_result result;
        memset(&result, 0, sizeof result);
        acp_transition_context_reset(context);
        acp_result answer = acp_move(context, world, &human, &from, &to, &result, NULL);
        hash = test_hash_mix(hash, (uint64_t)(int64_t)answer);
        if (answer != ACP_OK) continue;
        hash = test_hash_bytes(test_hash_mix(hash, result.verdict), &result.position, sizeof result.position);
        hash = test_hash_mix(hash, result.hit.kind);
        if (result.has_collision_normal) hash = test_hash_bytes(hash, &result.collision_normal, sizeof result.collision_normal);
    }
    acp_transition_context_destroy(context);
    return hash;
}

/* A world with standing guests: crates, doors and barrels on borders and in rooms. `has_guests` false: statics only. */
static acp_world *new_world(const test_village *v, const acp_allocator *allocator, bool has_guests, uint32_t fidelity) {
    acp_world *world = NULL;
    acp_world_options options = acp_world_options_default();
    options.allocator = allocator;
    options.fidelity = fidelity;
    assert_int_equal(acp_world_create(&options, &world, NULL), ACP_OK);
    static const uint32_t models[] = {0x01000101u, 0x02000020u, 0x01000100u};
    test_random random = {777};
    for (uint32_t i = 0; i < GUESTS && has_guests; i++) {
        acp_object_definition d = acp_object_definition_default();
        d.object_id = 1000u + i;
        assert_int_equal(acp_dat_source_get_setup(v->source, models[i % 3u], &d.setup, NULL), ACP_OK);
        uint32_t block = test_village_block(v, test_random_below(&random, BLOCKS));
        double x = test_random_below(&random, 2) ? 191.7 : test_random_in(&random, 0, 191), y = test_random_in(&random, 0, 191);
        d.position.cell_id = block | ((uint32_t)(x / 24) * 8u + (uint32_t)(y / 24) + 1u);
        d.position.frame.origin = (acp_vec3){(float)x, (float)y, 9};
        if (i % 4u == 3u) { /* in the room of the house there, or where it would be */
            d.position.cell_id = block | (0x100u + test_random_below(&random, 3));
            d.position.frame.origin = (acp_vec3){59.75f, 61.5f, 10.5f};
        }
        acp_object guest;
        assert_int_equal(acp_object_create(world, &d, &guest, NULL), ACP_OK);
        assert_int_equal(acp_membership_register(world, guest, NULL), ACP_OK);
    }
    return world;
}

static void check_world(const acp_world *world) {
    acp_error error;
    if (acp_membership_check(world, &error)) fail_msg("%s", error.message);
}

/* The hash of a resident set (a bit per landblock), published in ascending order into a new world. */
static uint64_t expected(const test_village *v, uint32_t resident, bool has_guests, uint64_t *out_moves) {
    acp_world *world = new_world(v, NULL, has_guests, 0);
    for (uint32_t i = 0; i < BLOCKS; i++)
        if (resident >> i & 1u)
            assert_int_equal(acp_landblock_publish(world, test_village_prepare(v, test_village_block(v, i), NULL), NULL), ACP_OK);
    uint64_t hash = test_hash_cells(world);
    if (out_moves) *out_moves = hash_moves(world);
    acp_world_destroy(world);
    return hash;
}

static void orders(const test_village *v, bool has_guests, uint32_t count, uint64_t seed) {
    test_random random = {seed};
    uint64_t moves = 0, all = expected(v, (1u << BLOCKS) - 1u, has_guests, &moves);
    assert_int_equal(all, expected(v, (1u << BLOCKS) - 1u, has_guests, NULL));
    for (uint32_t order = 0; order < count; order++) {
        acp_world *world = new_world(v, NULL, has_guests, 0);
        uint32_t resident = 0, steps = 6u + test_random_below(&random, 18);
        for (uint32_t step = 0; step < steps; step++) {
            uint32_t i = test_random_below(&random, BLOCKS);
            if (resident >> i & 1u)
                assert_int_equal(acp_landblock_retire(world, test_village_block(v, i), NULL), ACP_OK);
            else
                assert_int_equal(acp_landblock_publish(world, test_village_prepare(v, test_village_block(v, i), NULL), NULL), ACP_OK);
            resident ^= 1u << i;
        }
        if (order % 8u == 0) { /* some resident set, and its own moves */
            uint64_t own_moves = 0;
            check_world(world);
            if (test_hash_cells(world) != expected(v, resident, has_guests, &own_moves))
                fail_msg("order %u: cells differ", (unsigned)order);
            if (!has_guests && hash_moves(world) != own_moves) fail_msg("order %u: moves differ", (unsigned)order);
        }
        for (uint32_t k = 0, i = test_random_below(&random, BLOCKS); k < BLOCKS; k++, i = (i + 4u) % BLOCKS) { /* the rest */
            if (resident >> i & 1u) continue;
            assert_int_equal(acp_landblock_publish(world, test_village_prepare(v, test_village_block(v, i), NULL), NULL), ACP_OK);
        }
        if (test_hash_cells(world) != all) fail_msg("order %u: cells differ", (unsigned)order);
        if (!has_guests && hash_moves(world) != moves) fail_msg("order %u: moves differ", (unsigned)order);
        acp_world_destroy(world);
    }
}

static void any_order_gives_the_same(void **state) {
    (void)state;
    test_village v;
    test_village_open(&v, SIDE, NULL);
    uint64_t seed = test_seed("population_order", 9);
    uint32_t count = count_of("ACP_TEST_ORDERS", 24);
    orders(&v, true, count, seed);
    orders(&v, false, count, seed + 1u);
    test_village_close(&v);
}

static void pairs(const test_village *v, uint32_t count, uint32_t fidelity, uint64_t seed) {
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_world *world = new_world(v, &allocator, false, fidelity);
    test_random random = {seed};
    uint32_t resident = 0;
    for (uint32_t done = 0; done < count || resident;) { /* a walk over resident sets that ends empty */
        uint32_t i = test_random_below(&random, BLOCKS);
        if (done >= count && !(resident >> i & 1u)) continue;
        if (resident >> i & 1u) {
            assert_int_equal(acp_landblock_retire(world, test_village_block(v, i), NULL), ACP_OK);
            done++;
        } else {
            assert_int_equal(acp_landblock_publish(world, test_village_prepare(v, test_village_block(v, i), &allocator), NULL), ACP_OK);
        }
        resident ^= 1u << i;
    }
    check_world(world);
    acp_membership_counters c = acp_membership_get_counters(world);
    assert_int_equal(acp_world_object_count(world), 0);
    assert_int_equal(acp_world_block_count(world), 0);
    assert_int_equal(c.pair_count + c.null_row_count + c.pair_bytes + c.head_bytes + c.dependency_bytes, 0);
    assert_int_equal(c.object_count + c.dependency_count, 0);
    acp_world_destroy(world);
    assert_int_equal(counting.counters.bytes_in_use, 0);
}

static void pairs_leave_nothing(void **state) {
    (void)state;
    test_village v;
    test_village_open(&v, SIDE, NULL);
    uint64_t seed = test_seed("population_pairs", 11);
    uint32_t count = count_of("ACP_TEST_PAIRS", 300);
    pairs(&v, count, 0, seed);
    pairs(&v, count / 4u, ACP_FIDELITY_REFLOOD | ACP_FIDELITY_SHADOW_ORDER, seed + 1u); /* the client's occasions and order */
    test_village_close(&v);
}

/* The memory that publishing needs comes with the prepared landblock: the call itself asks for none, but for a table of pages that is half
 * full or full now and then, and in a world that has been as large before for none at all, like retiring. */
static void publishing_asks_for_no_memory(void **state) {
    (void)state;
    test_village v;
    test_village_open(&v, 12, NULL);
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_world *world = new_world(&v, &allocator, false, 0);
    for (uint32_t round = 0; round < 2u; round++) {
        uint32_t asking = 0;
        for (uint32_t i = 0; i < 144u; i++) {
            acp_landblock *landblock = test_village_prepare(&v, test_village_block(&v, i), &allocator);
            uint64_t before = counting.counters.allocations_total;
            assert_int_equal(acp_landblock_publish(world, landblock, NULL), ACP_OK);
            uint64_t taken = counting.counters.allocations_total - before;
            if (i > 1u && taken > 3u) fail_msg("landblock %u: %u allocations", (unsigned)i, (unsigned)taken);
            asking += taken != 0;
        }
        if (asking > (round ? 0u : 14u)) fail_msg("round %u: %u calls ask for memory", (unsigned)round, (unsigned)asking);
        for (uint32_t i = 0; i < 144u; i++) {
            uint64_t before = counting.counters.allocations_total;
            assert_int_equal(acp_landblock_retire(world, test_village_block(&v, i), NULL), ACP_OK);
            uint64_t taken = counting.counters.allocations_total - before;
            if (taken && (round || i > 1u)) fail_msg("retiring landblock %u: %u allocations", (unsigned)i, (unsigned)taken);
        }
    }
    acp_world_destroy(world);
    assert_int_equal(counting.counters.bytes_in_use, 0);
    test_village_close(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_order_gives_the_same), cmocka_unit_test(pairs_leave_nothing),
                                       cmocka_unit_test(publishing_asks_for_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
