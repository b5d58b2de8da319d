/* SPDX-License-Identifier: MIT */
/* Time of ticks: sleeping bodies, bodies awake at rest, and 1,000 creatures that walk over hills (spec 07; D22).
 *
 * asleep: ACTIVE clear, no anchors; culled: the same with one anchor too far away, culled_moving: one that moves every tick,
 * culled_by_four: four that do; resting: awake, driven, standing still; walking: root motion of 3 m/s, each turning a little every tick,
 * over rough ground. 10,000 bodies of the first three kinds. Nine runs of ticks of 1/30 s, the median; allocations after warm-up are
 * counted and must be none. One JSON object a line. `walking_workers` is the walk with two. Arguments: `once`: one tick a kind, for
 * valgrind --tool=callgrind --toggle-collect=ticks_inside. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/acphys.h"
#include "bench/measure.h"

enum { run_count = 9, block_side = 6 };

typedef struct bench_world {
    acp_counting_allocator counting;
    acp_world *world;
    acp_terrain *terrain;
    acp_setup *human;
    acp_stepper *stepper;
    acp_object *bodies;
    uint32_t count;
    uint32_t moving_anchors;
    acp_position anchors[4];
} bench_world;

static void must(acp_result result, const char *what) {
    if (result == ACP_OK) return;
    (void)fprintf(stderr, "bench_body: %s: %s\n", what, acp_result_name(result));
    exit(1);
}

static void make_blocks(bench_world *bench, uint64_t *random, bool is_rough) {
    for (uint32_t i = 0; i < block_side * block_side; i++) {
        uint32_t block_id = (0xA0u + i % block_side) << 24 | (0xA0u + i / block_side) << 16;
        acp_land_block land;
        memset(&land, 0, sizeof land);
        land.record_id = block_id | 0xFFFFu;
        for (uint32_t k = 0; k < 81; k++) /* the edges are level, so that blocks fit */
            land.height[k] = (uint8_t)(is_rough && k % 9 % 8 && k / 9 % 8 ? 20 + bench_random(random) % 3 : 20);
        must(acp_terrain_put(bench->terrain, &land, NULL), "terrain");
        acp_block_definition definition;
        memset(&definition, 0, sizeof definition);
        definition.struct_size = (uint32_t)sizeof definition;
        definition.block_id = block_id;
        definition.terrain = acp_terrain_find(bench->terrain, block_id);
        acp_block *block = NULL;
        must(acp_block_create(&definition, NULL, &block, NULL), "block");
        must(acp_membership_publish(bench->world, block, NULL), "publish");
    }
}

static void make_human(bench_world *bench) {
    static const acp_sphere spheres[2] = {{{0.0f, 0.0f, 0.475f}, 0.48f}, {{0.0f, 0.0f, 1.35f}, 0.48f}};
    acp_setup_definition definition = acp_setup_definition_default();
    definition.spheres = spheres;
    definition.sphere_count = 2;
    definition.step_up_height = 0.6f;
    definition.step_down_height = 1.5f;
    must(acp_setup_create(&definition, NULL, &bench->human, NULL), "setup");
}

static void make_world(bench_world *bench, uint32_t count, uint32_t workers, bool is_rough) {
    uint64_t random = 2013;
    memset(bench, 0, sizeof *bench);
    acp_counting_allocator_init(&bench->counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&bench->counting);
    acp_world_options world_options = acp_world_options_default();
    world_options.allocator = &allocator;
    must(acp_world_create(&world_options, &bench->world, NULL), "world");
    must(acp_terrain_create(NULL, NULL, &bench->terrain, NULL), "terrain");
    make_blocks(bench, &random, is_rough);
    make_human(bench);
    acp_stepper_options options = acp_stepper_options_default();
    options.worker_count = workers;
    must(acp_stepper_create(&options, &bench->stepper, NULL), "stepper");
    bench->bodies = calloc(count, sizeof *bench->bodies);
    bench->count = count;
    uint32_t side = 1;
    while (side * side < count)
        side++;
    double spacing = (192.0 * block_side - 20.0) / side;
    for (uint32_t i = 0; i < count; i++) {
        double x = 10.0 + spacing * (i % side), y = 10.0 + spacing * (i / side);
        acp_body_definition definition = acp_body_definition_default();
        uint32_t block_x = (uint32_t)(x / 192.0), block_y = (uint32_t)(y / 192.0);
        x -= 192.0 * block_x;
        y -= 192.0 * block_y;
        definition.object.position.cell_id =
            (0xA0u + block_x) << 24 | (0xA0u + block_y) << 16 | ((uint32_t)(x / 24.0) * 8u + (uint32_t)(y / 24.0) + 1u);
        definition.object.position.frame.origin = (acp_vec3){(float)x, (float)y, is_rough ? 46.0f : 40.005f};
        definition.object.state = ACP_STATE_DEFAULT | ACP_STATE_INELASTIC;
        definition.object.setup = bench->human;
        definition.has_movement_manager = 1;
        must(acp_body_create(bench->world, &definition, &bench->bodies[i], NULL), "body");
        uint32_t answer = ACP_PLACE_GENERAL_FAILURE;
        must(acp_body_enter(bench->world, acp_stepper_context(bench->stepper), bench->bodies[i], 1, &answer, NULL), "enter");
    }
}

static void free_world(bench_world *bench) {
    acp_stepper_destroy(bench->stepper);
    acp_world_destroy(bench->world);
    acp_terrain_destroy(bench->terrain);
    acp_setup_destroy(bench->human);
    free(bench->bodies);
}

static acp_step_report ticks_inside(bench_world *bench, uint32_t ticks) {
    acp_step_report report, sum;
    memset(&sum, 0, sizeof sum);
    for (uint32_t i = 0; i < ticks; i++) {
        for (uint32_t k = 0; k < bench->moving_anchors; k++) {
            float *x = &bench->anchors[k].frame.origin.x;
            *x = *x > 20.0f ? 1.0f : *x + 0.1f;
        }
        if (bench->moving_anchors) must(acp_world_set_anchors(bench->world, bench->anchors, bench->moving_anchors, 1), "anchors");
        must(acp_world_step(bench->world, bench->stepper, 1.0 / 30.0, &report, NULL), "step");
        sum.sub_step_count += report.sub_step_count;
        sum.sweep_count += report.sweep_count;
        sum.rested_count += report.rested_count;
        sum.beside_count += report.beside_count;
    }
    return sum;
}

static void drop_events(const bench_world *bench) {
    static acp_event events[4096];
    uint32_t count = 0;
    do
        must(acp_events_drain(bench->world, events, 4096, &count, NULL), "events");
    while (count == 4096);
}

static void measure(bench_world *bench, const char *name, uint32_t ticks, bool is_once) {
    double runs[run_count];
    acp_step_report report;
    if (is_once) {
        report = ticks_inside(bench, 1);
        (void)printf("{\"bench\":\"%s\",\"bodies\":%u,\"sub_steps\":%u}\n", name, (unsigned)bench->count, (unsigned)report.sub_step_count);
        return;
    }
    drop_events(bench);
    uint64_t before = bench->counting.counters.allocations_total;
    memset(&report, 0, sizeof report);
    for (uint32_t r = 0; r < run_count; r++) {
        double start = bench_seconds();
        report = ticks_inside(bench, ticks);
        runs[r] = (bench_seconds() - start) / ticks;
        drop_events(bench);
    }
    double median = bench_median(runs, run_count);
    (void)printf("{\"bench\":\"%s\",\"bodies\":%u,\"ms_per_tick\":%.4f,\"best_ms\":%.4f,\"ns_per_body\":%.1f,\"best_ns\":%.1f,"
                 "\"sub_steps\":%.1f,\"sweeps\":%.1f,\"beside\":%.1f,\"allocations\":%llu}\n",
                 name, (unsigned)bench->count, median * 1e3, runs[0] * 1e3, median * 1e9 / bench->count, runs[0] * 1e9 / bench->count,
                 (double)report.sub_step_count / ticks, (double)report.sweep_count / ticks, (double)report.beside_count / ticks,
                 (unsigned long long)(bench->counting.counters.allocations_total - before));
}

/* 3 m/s forwards, turning left or right. */
static void walk(void *user, acp_world *world, acp_object object, float quantum, acp_frame *io_offset) {
    (void)user;
    (void)world;
    float turn = (object.index1 & 1u ? 0.5f : -0.5f) * quantum * 0.5f;
    io_offset->origin.y = 3.0f * quantum;
    io_offset->rotation.w = 1.0f - turn * turn * 0.5f;
    io_offset->rotation.z = turn;
}

static void run_still(bool is_once) {
    bench_world bench;
    make_world(&bench, 10000, 1, false);
    (void)ticks_inside(&bench, 20);
    measure(&bench, "resting", 20, is_once);
    for (uint32_t i = 0; i < bench.count; i++)
        must(acp_body_set_active(bench.world, bench.bodies[i], 0), "sleep");
    (void)ticks_inside(&bench, 2);
    measure(&bench, "asleep", 50, is_once);
    for (uint32_t k = 0; k < 4; k++) {
        bench.anchors[k].cell_id = 0x10100001u + (k << 28);
        bench.anchors[k].frame.rotation.w = 1.0f;
    }
    must(acp_world_set_anchors(bench.world, bench.anchors, 1, 1), "anchors");
    (void)ticks_inside(&bench, 2);
    measure(&bench, "culled", 50, is_once);
    bench.moving_anchors = 1;
    (void)ticks_inside(&bench, 2);
    measure(&bench, "culled_moving", 50, is_once);
    bench.moving_anchors = 4;
    (void)ticks_inside(&bench, 2);
    measure(&bench, "culled_by_four", 50, is_once);
    free_world(&bench);
}

static void run_walk(uint32_t workers, bool is_once) {
    bench_world bench;
    make_world(&bench, 1000, workers, true);
    (void)ticks_inside(&bench, 90); /* they land */
    acp_locomotion locomotion = acp_locomotion_default();
    locomotion.is_independent = 1;
    locomotion.root_motion = walk;
    must(acp_world_set_locomotion(bench.world, &locomotion), "hooks");
    (void)ticks_inside(&bench, is_once ? 30 : 700);
    measure(&bench, workers > 1 ? "walking_workers" : "walking", 30, is_once);
    free_world(&bench);
}

int main(int argc, char **argv) {
    bool is_once = argc > 1 && strcmp(argv[1], "once") == 0;
    run_still(is_once);
    run_walk(1, is_once);
    run_walk(2, is_once);
    return 0;
}
