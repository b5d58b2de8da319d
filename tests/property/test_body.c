/* SPDX-License-Identifier: MIT */
/* Bodies over time (D5, D9, D12, D26; 01 section 16): the same bits for any number of workers, saved states that go on as they did, broken
 * states and refused memory that change nothing, anchors and bodies that move or stay, a teleport storm while landblocks come and go, no
 * allocation after warm-up, and rest as a true fixed point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/body_maker.h"
#include "tests/support/random.h"

/* Sixteen landblocks with crates; bodies around the point where the middle four meet. */
enum { crowd = 160, side = 4 };

typedef struct scene {
    body_maker *maker;
    acp_object bodies[crowd];
    test_random random;
    double spread;
} scene;

static uint32_t block_at(uint32_t x, uint32_t y) { return (0xA8u + x) << 24 | (0xB3u + y) << 16; }

/* A place at most `spread` metres east or west, north or south of the middle. */
static acp_position near_middle(test_random *random, double spread, double z) {
    double x = 384.0 + test_random_in(random, -spread, spread), y = 384.0 + test_random_in(random, -spread, spread);
    uint32_t block_x = (uint32_t)(x / 192.0), block_y = (uint32_t)(y / 192.0);
    x -= 192.0 * block_x;
    y -= 192.0 * block_y;
    uint32_t cell = (uint32_t)(x / 24.0) * 8u + (uint32_t)(y / 24.0) + 1u;
    return test_position(block_at(block_x, block_y) | cell, x, y, z);
}

static void fill_scene(scene *s, uint32_t workers, uint64_t seed, double spread, const acp_allocator *allocator) {
    s->random.state = seed;
    s->maker = body_maker_new_with(workers, allocator);
    s->spread = spread;
    for (uint32_t i = 0; i < side * side; ++i)
        body_maker_block(s->maker, block_at(i % side, i / side));
    for (int i = 0; i < 24; ++i)
        test_world_box(s->maker->small, near_middle(&s->random, s->spread, BODY_MAKER_GROUND), test_random_in(&s->random, 0.5, 6),
                       test_random_in(&s->random, 0.5, 6), test_random_in(&s->random, 0.2, 3), ACP_STATE_STATIC | ACP_STATE_HAS_PHYSICS_BSP,
                       0);
    for (uint32_t i = 0; i < crowd; ++i) {
        uint32_t state = ACP_STATE_DEFAULT | ACP_STATE_REPORT_COLLISIONS;
        if (test_random_below(&s->random, 8) == 0) state |= ACP_STATE_ETHEREAL;
        if (test_random_below(&s->random, 8) == 0) state |= ACP_STATE_INELASTIC;
        acp_position at = near_middle(&s->random, s->spread, BODY_MAKER_GROUND + test_random_in(&s->random, 0.01, 8));
        s->bodies[i] =
            body_maker_create(s->maker, at, state, ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_FILLS_PROFILE, 1000 + i, i % 3 != 0);
        uint32_t answer;
        assert_int_equal(acp_body_enter(s->maker->world, s->maker->context, s->bodies[i], 1, &answer, NULL), ACP_OK);
    }
    body_maker_install(s->maker);
}

static void free_scene(scene *s) { body_maker_free(s->maker); }

/* What hosts do between ticks, by the scene's own numbers. */
static void disturb(scene *s) {
    for (int n = 0; n < 6; ++n) {
        acp_object object = s->bodies[test_random_below(&s->random, crowd)];
        float x = (float)test_random_in(&s->random, -6, 6), y = (float)test_random_in(&s->random, -6, 6);
        float z = (float)test_random_in(&s->random, 0, 8);
        switch (test_random_below(&s->random, 6)) {
        case 0:
            assert_int_equal(acp_body_jump(s->maker->world, object, (acp_vec3){x, y, z}), ACP_OK);
            break;
        case 1:
            assert_int_equal(acp_body_set_velocity(s->maker->world, object, (acp_vec3){x, y, 0.0f}), ACP_OK);
            break;
        case 2:
            s->maker->walk_speed[object.index1] = fabsf(x);
            break;
        case 3:
            s->maker->walk_speed[object.index1] = 0.0f;
            break;
        case 4:
            assert_int_equal(acp_body_set_omega(s->maker->world, object, (acp_vec3){0.0f, 0.0f, x}), ACP_OK);
            break;
        default: {
            if (body_maker_object(s->maker, object).parent.index1) break; /* it is where its parent is */
            acp_position to = near_middle(&s->random, s->spread, BODY_MAKER_GROUND + 0.2);
            uint32_t answer;
            assert_int_equal(acp_body_teleport(s->maker->world, s->maker->context, object, &to, &answer, NULL), ACP_OK);
        }
        }
    }
}

/* ---- workers ---- */

static uint32_t drain(acp_world *world, acp_event *out, uint32_t capacity) {
    uint32_t count = 0;
    assert_int_equal(acp_events_drain(world, out, capacity, &count, NULL), ACP_OK);
    assert_true(count < capacity);
    return count;
}

static void compare_workers(double spread, uint32_t least_beside) {
    static const uint32_t workers[3] = {1, 2, 4};
    static acp_event events[3][4096];
    scene s[3];
    uint64_t seed = test_seed("workers", 20260801);
    for (int w = 0; w < 3; ++w)
        fill_scene(&s[w], workers[w], seed, spread, NULL);
    uint32_t sweeps = 0, told = 0, beside[3] = {0};
    for (int tick = 0; tick < 240; ++tick) {
        double dt = tick % 40 == 39 ? 0.35 : tick % 7 == 3 ? 0.09 : 1.0 / 30.0; /* some ticks need more than one quantum */
        uint32_t counts[3];
        for (int w = 0; w < 3; ++w) {
            disturb(&s[w]);
            acp_step_report report = body_maker_step(s[w].maker, dt);
            sweeps += report.sweep_count;
            beside[w] += report.beside_count;
            counts[w] = drain(s[w].maker->world, events[w], 4096);
            told += counts[w];
        }
        for (int w = 1; w < 3; ++w) {
            assert_true(acp_world_state_hash(s[w].maker->world) == acp_world_state_hash(s[0].maker->world));
            assert_int_equal(counts[w], counts[0]);
            assert_memory_equal(events[w], events[0], counts[0] * sizeof(acp_event));
        }
    }
    assert_true(sweeps > 10000 && told > 500);
    assert_true(beside[0] == 0 && beside[1] >= least_beside && beside[2] == beside[1]);
    for (int w = 0; w < 3; ++w) {
        assert_int_equal(acp_membership_check(s[w].maker->world, NULL), ACP_OK);
        free_scene(&s[w]);
    }
}

static void any_number_of_workers_gives_the_same_bits(void **state) {
    (void)state;
    compare_workers(360.0, 2000);
    compare_workers(40.0, 0); /* a throng: nearly one group */
}

/* ---- saved states ---- */

static uint8_t *save(acp_world *world, uint64_t *out_size) {
    assert_int_equal(acp_world_state_size(world, out_size), ACP_OK);
    uint8_t *bytes = malloc((size_t)*out_size);
    assert_non_null(bytes);
    uint64_t written = 0;
    assert_int_equal(acp_world_save_state(world, bytes, *out_size - 1, &written), ACP_ERROR_LIMIT);
    assert_int_equal(acp_world_save_state(world, bytes, *out_size, &written), ACP_OK);
    assert_true(written == *out_size);
    return bytes;
}

static void a_saved_state_goes_on_as_it_did(void **state) {
    (void)state;
    scene s;
    fill_scene(&s, 1, test_seed("saved", 7), 60.0, NULL);
    for (int tick = 0; tick < 60; ++tick) {
        disturb(&s);
        body_maker_run(s.maker, 1);
    }
    assert_int_equal(acp_body_set_parent(s.maker->world, s.bodies[3], s.bodies[4], 1, NULL), ACP_OK);
    uint64_t size = 0;
    uint8_t *bytes = save(s.maker->world, &size);
    scene before = s; /* the numbers and the walker's speeds are the host's */
    float speeds[1024];
    memcpy(speeds, s.maker->walk_speed, sizeof speeds);
    uint64_t hashes[121];
    for (int round = 0; round < 3; ++round) {
        s.random = before.random;
        memcpy(s.maker->walk_speed, speeds, sizeof speeds);
        for (int tick = 0; tick <= 120; ++tick) {
            uint64_t hash = acp_world_state_hash(s.maker->world);
            if (round == 0)
                hashes[tick] = hash;
            else
                assert_true(hash == hashes[tick]);
            if (tick == 120) break;
            disturb(&s);
            body_maker_run(s.maker, 1);
        }
        if (round == 1) { /* families may have changed meanwhile */
            assert_int_equal(acp_body_unset_parent(s.maker->world, s.bodies[3], NULL), ACP_OK);
            assert_int_equal(acp_body_set_parent(s.maker->world, s.bodies[5], s.bodies[6], 1, NULL), ACP_OK);
        }
        assert_int_equal(acp_world_restore_state(s.maker->world, bytes, size, NULL), ACP_OK);
        assert_int_equal(acp_membership_check(s.maker->world, NULL), ACP_OK);
    }
    uint64_t again_size = 0;
    uint8_t *again = save(s.maker->world, &again_size);
    assert_true(again_size == size && memcmp(again, bytes, (size_t)size) == 0);
    free(again);
    free(bytes);
    free_scene(&s);
}

/* Truncated and flipped: refused without a trace, or, where the flip is a number like any other, taken; never worse. */
static void broken_states_change_nothing(void **state) {
    (void)state;
    scene s;
    fill_scene(&s, 1, test_seed("broken", 11), 60.0, NULL);
    body_maker_run(s.maker, 20);
    uint64_t size = 0;
    uint8_t *bytes = save(s.maker->world, &size), *broken = malloc((size_t)size);
    assert_non_null(broken);
    body_maker_run(s.maker, 5);
    uint64_t hash = acp_world_state_hash(s.maker->world);
    test_random random = {test_seed("broken bits", 3)};
    uint32_t refused = 0, taken = 0;
    for (int n = 0; n < 300; ++n) {
        memcpy(broken, bytes, (size_t)size);
        uint64_t length = size;
        if (n % 3 == 0)
            length = test_random_below(&random, (uint32_t)size);
        else
            broken[test_random_below(&random, (uint32_t)size)] ^= (uint8_t)(1u << test_random_below(&random, 8));
        acp_result result = acp_world_restore_state(s.maker->world, broken, length, NULL);
        acp_error fault;
        if (acp_membership_check(s.maker->world, &fault) != ACP_OK) fail_msg("%s", fault.message);
        if (result == ACP_OK) {
            ++taken;
            acp_error error;
            if (acp_world_restore_state(s.maker->world, bytes, size, &error) != ACP_OK) fail_msg("%s", error.message);
            body_maker_run(s.maker, 5);
        } else {
            ++refused;
        }
        assert_true(acp_world_state_hash(s.maker->world) == hash);
    }
    assert_true(refused >= 100 && taken > 0);
    assert_int_equal(acp_world_restore_state(s.maker->world, bytes, size, NULL), ACP_OK);
    assert_int_equal(acp_object_destroy(s.maker->world, s.bodies[0], NULL), ACP_OK); /* another world */
    assert_int_equal(acp_world_restore_state(s.maker->world, bytes, size, NULL), ACP_ERROR_NOT_FOUND);
    free(broken);
    free(bytes);
    free_scene(&s);
}

/* ---- memory ---- */

static void refused_memory_changes_nothing(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    scene s;
    fill_scene(&s, 1, test_seed("refusals", 5), 60.0, &allocator);
    body_maker_run(s.maker, 40);
    uint64_t size = 0;
    uint8_t *bytes = save(s.maker->world, &size);
    for (int tick = 0; tick < 30; ++tick) {
        disturb(&s);
        body_maker_run(s.maker, 1);
    }
    uint64_t hash = acp_world_state_hash(s.maker->world);
    bool is_done = false;
    for (uint64_t n = 1; !is_done; ++n) {
        counting.fail_at = n;
        acp_result result = acp_world_restore_state(s.maker->world, bytes, size, NULL);
        is_done = counting.fail_at != 0 || result == ACP_OK;
        counting.fail_at = 0;
        assert_int_equal(acp_membership_check(s.maker->world, NULL), ACP_OK);
        if (is_done) {
            assert_int_equal(result, ACP_OK);
        } else {
            assert_int_equal(result, ACP_ERROR_OUT_OF_MEMORY);
            assert_true(acp_world_state_hash(s.maker->world) == hash);
        }
    }
    acp_body_definition definition = acp_body_definition_default();
    definition.object.setup = s.maker->human;
    definition.object.object_id = 77;
    acp_object object;
    is_done = false;
    for (uint64_t n = 1; !is_done; ++n) {
        uint32_t count = acp_world_object_count(s.maker->world);
        counting.fail_at = n;
        acp_result result = acp_body_create(s.maker->world, &definition, &object, NULL);
        counting.fail_at = 0;
        is_done = result == ACP_OK;
        if (!is_done) assert_int_equal(acp_world_object_count(s.maker->world), count);
    }
    free(bytes);
    free_scene(&s);
    assert_true(counting.counters.allocations_in_use == 0);
}

/* Things in the hand, `count` of them. */
static void give_children(scene *s, acp_object parent, uint32_t count) {
    acp_frame holding = {{0.1f, 0.2f, 1.0f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    while (count-- > 0) {
        acp_object child = body_maker_create(s->maker, body_maker_object(s->maker, parent).position, 0, 0, 0, 0);
        assert_int_equal(acp_membership_attach(s->maker->world, child, parent, -1, &holding, NULL), ACP_OK);
    }
}

/* A family moves wholly or not at all, and what it needed for that is kept. */
static void refused_families_stay(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    scene s;
    fill_scene(&s, 1, test_seed("families", 21), 60.0, &allocator);
    acp_world *world = s.maker->world;
    acp_position places[2] = {test_position(block_at(0, 0) | 1u, 5.0, 5.0, BODY_MAKER_GROUND),
                              test_position(block_at(3, 3) | 64u, 180.0, 180.0, BODY_MAKER_GROUND)};
    uint32_t refused = 0;
    for (uint32_t n = 0; n < 6; ++n) { /* 10, 20, … children */
        give_children(&s, s.bodies[0], 10);
        acp_result result = ACP_ERROR_OUT_OF_MEMORY;
        for (uint64_t fail_at = 1; result != ACP_OK; ++fail_at) {
            uint64_t hash = acp_world_state_hash(world);
            counting.fail_at = fail_at;
            result = acp_membership_move(world, s.bodies[0], &places[n % 2], NULL);
            counting.fail_at = 0;
            assert_int_equal(acp_membership_check(world, NULL), ACP_OK);
            if (result == ACP_OK) break;
            assert_int_equal(result, ACP_ERROR_OUT_OF_MEMORY);
            assert_true(acp_world_state_hash(world) == hash);
            ++refused;
        }
    }
    assert_true(refused >= 3); /* room for 16, 32 and 64 at least */
    uint64_t before = counting.counters.allocations_total;
    for (uint32_t n = 0; n < 6; ++n)
        assert_int_equal(acp_membership_move(world, s.bodies[0], &places[n % 2], NULL), ACP_OK);
    assert_true(counting.counters.allocations_total == before);
    free_scene(&s);
    assert_true(counting.counters.allocations_in_use == 0);
}

static void nothing_allocates_after_warm_up(void **state) {
    (void)state;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    scene s;
    fill_scene(&s, 1, test_seed("warm", 9), 60.0, &allocator);
    static acp_event events[4096];
    for (uint32_t i = 0; i < crowd; ++i) { /* in small circles, apart, so that after one round nothing is new */
        acp_position at = test_position(block_at(1, 1) | 1u, 4.0 + 14.0 * (i % 13), 4.0 + 14.0 * (i / 13), BODY_MAKER_GROUND + 0.005);
        uint32_t answer;
        assert_int_equal(acp_body_teleport(s.maker->world, s.maker->context, s.bodies[i], &at, &answer, NULL), ACP_OK);
        s.maker->walk_speed[s.bodies[i].index1] = 1.0f + (float)(i % 5);
    }
    for (uint32_t i = 0; i < crowd; i += 4)
        give_children(&s, s.bodies[i], i % 3 + 1);
    uint64_t before = 0;
    for (int tick = 0; tick < 900; ++tick) {
        if (tick == 600) before = counting.counters.allocations_total;
        for (uint32_t i = 0; i < crowd; ++i)
            assert_int_equal(acp_body_set_heading(s.maker->world, s.bodies[i], (float)(((uint32_t)tick * 12 + i * 37) % 360)), ACP_OK);
        body_maker_run(s.maker, 1);
        (void)drain(s.maker->world, events, 4096);
    }
    assert_true(counting.counters.allocations_total == before);
    free_scene(&s);
}

/* ---- anchors ---- */

static double metres_between(const acp_position *a, const acp_position *b) {
    double x = 192.0 * ((double)(b->cell_id >> 24) - (double)(a->cell_id >> 24)) + (double)b->frame.origin.x - (double)a->frame.origin.x;
    double y = 192.0 * ((double)(b->cell_id >> 16 & 0xFFu) - (double)(a->cell_id >> 16 & 0xFFu)) + (double)b->frame.origin.y -
               (double)a->frame.origin.y;
    double z = (double)b->frame.origin.z - (double)a->frame.origin.z;
    return sqrt(x * x + y * y + z * z);
}

/* PHO-7: whatever was found before, the answer is that of the anchors and places of now. */
static void anchors_decide_anew(void **state) {
    (void)state;
    scene s;
    fill_scene(&s, 1, test_seed("anchors", 22), 300.0, NULL);
    acp_world *world = s.maker->world;
    acp_position anchors[3], before[crowd];
    uint32_t count = 0, is_culling = 1, culled_count = 0, woken_count = 0;
    for (int tick = 0; tick < 400; ++tick) {
        uint32_t choice = tick == 0 ? 0 : test_random_below(&s.random, 6);
        if (choice == 0) {
            count = 1 + test_random_below(&s.random, 3);
            for (uint32_t i = 0; i < count; ++i)
                anchors[i] = near_middle(&s.random, 300.0, BODY_MAKER_GROUND);
            is_culling = test_random_below(&s.random, 8) != 0;
        }
        if (choice < 2) assert_int_equal(acp_world_set_anchors(world, anchors, count, (int32_t)is_culling), ACP_OK);
        for (int n = 0; n < 3; ++n) {
            acp_object object = s.bodies[test_random_below(&s.random, crowd)];
            acp_position to = near_middle(&s.random, 300.0, BODY_MAKER_GROUND + 0.1);
            if (n == 1) { /* within its cell */
                to = body_maker_object(s.maker, object).position;
                to.frame.origin.x = floorf(to.frame.origin.x / 24.0f) * 24.0f + (float)test_random_in(&s.random, 1.0, 23.0);
            }
            uint32_t answer;
            if (n == 0)
                assert_int_equal(acp_body_set_active(world, object, 1), ACP_OK);
            else
                assert_int_equal(acp_body_teleport(world, s.maker->context, object, &to, &answer, NULL), ACP_OK);
        }
        for (uint32_t i = 0; i < crowd; ++i)
            before[i] = body_maker_object(s.maker, s.bodies[i]).position;
        body_maker_run(s.maker, 1);
        for (uint32_t i = 0; i < crowd; ++i) {
            double nearest = metres_between(&anchors[0], &before[i]);
            for (uint32_t k = 1; k < count; ++k)
                nearest = fmin(nearest, metres_between(&anchors[k], &before[i]));
            assert_true(fabs((double)body_maker_body(s.maker, s.bodies[i]).anchor_distance - nearest) < 1e-3);
            if (fabs(nearest - 96.0) < 1e-3) continue;
            bool is_awake = (body_maker_object(s.maker, s.bodies[i]).transient_state & ACP_TRANSIENT_ACTIVE) != 0;
            bool is_near = !is_culling || nearest < 96.0;
            if (!is_near || i % 3 != 0) assert_int_equal(is_awake, is_near); /* without a manager those that stand may sleep (PHO-9) */
            culled_count += !is_awake;
            woken_count += is_awake;
        }
    }
    assert_true(culled_count > 1000 && woken_count > 1000);
    free_scene(&s);
}

/* ---- rest ---- */

/* Giving a body its scale again makes the next step a real one: the world that is never allowed to rest is the same to the bit. */
static void rest_is_a_fixed_point(void **state) {
    (void)state;
    scene s[2];
    uint64_t seed = test_seed("rest", 13);
    for (int w = 0; w < 2; ++w) {
        fill_scene(&s[w], 1, seed, 60.0, NULL);
        assert_int_equal(acp_world_set_locomotion(s[w].maker->world, NULL), ACP_OK);
    }
    uint32_t rested = 0;
    for (int tick = 0; tick < 300; ++tick) {
        for (int w = 0; w < 2; ++w) {
            if (tick % 25 == 0) disturb(&s[w]);
            if (w == 1)
                for (uint32_t i = 0; i < crowd; ++i)
                    assert_int_equal(acp_body_set_scale(s[w].maker->world, s[w].bodies[i], 1.0f), ACP_OK);
            acp_step_report report = body_maker_step(s[w].maker, 1.0 / 30.0);
            if (w == 0)
                rested += report.rested_count;
            else
                assert_int_equal(report.rested_count, 0);
        }
        assert_true(acp_world_state_hash(s[0].maker->world) == acp_world_state_hash(s[1].maker->world));
    }
    assert_true(rested > 5000);
    free_scene(&s[0]);
    free_scene(&s[1]);
}

/* ---- teleports ---- */

static void check_place(const body_maker *maker, acp_object object) {
    acp_object_info info = body_maker_object(maker, object);
    const acp_vec3 *o = &info.position.frame.origin;
    if (info.holder_cell_id) assert_int_equal(info.holder_cell_id, info.position.cell_id);
    if (info.position.cell_id == 0) return;
    uint32_t low = info.position.cell_id & 0xFFFFu;
    assert_true(low >= 1 && low <= 0x40);
    float west = (float)((low - 1u) / 8u) * 24.0f, south = (float)((low - 1u) % 8u) * 24.0f;
    /* No march: the label is the place. A body may stand on the line itself, which belongs to both cells (04 MEM-9). */
    assert_true(o->x >= west && o->x <= west + 24.0f && o->y >= south && o->y <= south + 24.0f);
}

static void random_place(test_random *random, acp_position *out) {
    static const uint32_t columns[6] = {0x00, 0x01, 0xA9, 0xAA, 0xFD, 0xFE};
    uint32_t block = columns[test_random_below(random, 6)] << 24 | columns[test_random_below(random, 6)] << 16;
    double x = test_random_in(random, 0, 192), y = test_random_in(random, 0, 192);
    switch (test_random_below(random, 5)) { /* edges, corners, the rim */
    case 0:
        x = 191.9999;
        break;
    case 1:
        y = 0.00001;
        break;
    case 2:
        x = 0.0;
        break;
    default:
        break;
    }
    uint32_t cell = (uint32_t)(x / 24.0) * 8u + (uint32_t)(y / 24.0) + 1u;
    *out = test_position(block | cell, x, y, BODY_MAKER_GROUND + 0.005);
}

static void ten_thousand_teleports(void **state) {
    (void)state;
    body_maker *maker = body_maker_new(1);
    test_random random = {test_seed("teleports", 17)};
    static const uint32_t ids[5] = {0x00000000u, 0x01010000u, 0xA9A90000u, 0xAAA90000u, 0xFEFE0000u};
    acp_block *away[5] = {NULL};
    for (int i = 1; i < 5; ++i)
        body_maker_block(maker, ids[i]);
    acp_object bodies[8];
    for (uint32_t i = 0; i < 8; ++i)
        bodies[i] = body_maker_enter(maker, test_position(0xA9A90001u, 4.0 + 2.0 * i, 4, BODY_MAKER_GROUND + 0.005), 0, 0, i + 1, 1);
    body_maker_install(maker);
    for (int n = 0; n < 10000; ++n) {
        acp_object object = bodies[test_random_below(&random, 8)];
        maker->walk_speed[object.index1] = 8.0f;
        acp_position to;
        random_place(&random, &to);
        uint32_t answer;
        assert_int_equal(acp_body_teleport(maker->world, maker->context, object, &to, &answer, NULL), ACP_OK);
        check_place(maker, object);
        acp_position arrived = body_maker_object(maker, object).position;
        if (test_random_below(&random, 4) == 0) { /* a block comes or goes */
            int k = 1 + (int)test_random_below(&random, 4);
            if (away[k]) {
                assert_int_equal(acp_membership_publish(maker->world, away[k], NULL), ACP_OK);
                away[k] = NULL;
            } else {
                assert_int_equal(acp_membership_retire(maker->world, ids[k], &away[k], NULL), ACP_OK);
            }
        }
        if (test_random_below(&random, 2)) body_maker_run(maker, 1);
        check_place(maker, object);
        acp_position later = body_maker_object(maker, object).position;
        if (later.cell_id == arrived.cell_id && answer == ACP_PLACED && !body_maker_body(maker, object).is_lost)
            assert_true(fabsf(later.frame.origin.x - arrived.frame.origin.x) < 5.0f); /* pushed out of another at most, no run goes on */
        if (n % 500 == 0) assert_int_equal(acp_membership_check(maker->world, NULL), ACP_OK);
    }
    acp_position nowhere = test_position(0x77770001u, 5, 5, 20);
    for (uint32_t i = 0; i < 8; ++i) {
        uint32_t answer;
        assert_int_equal(acp_body_teleport(maker->world, maker->context, bodies[i], &nowhere, &answer, NULL), ACP_OK);
    }
    assert_int_equal(acp_membership_get_counters(maker->world).pair_count, 0); /* no row is left behind */
    for (int k = 1; k < 5; ++k)
        acp_block_destroy(away[k]);
    body_maker_free(maker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same_bits),
        cmocka_unit_test(a_saved_state_goes_on_as_it_did),
        cmocka_unit_test(broken_states_change_nothing),
        cmocka_unit_test(refused_memory_changes_nothing),
        cmocka_unit_test(refused_families_stay),
        cmocka_unit_test(nothing_allocates_after_warm_up),
        cmocka_unit_test(anchors_decide_anew),
        cmocka_unit_test(rest_is_a_fixed_point),
        cmocka_unit_test(ten_thousand_teleports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
