/* SPDX-License-Identifier: MIT */
/* How moves scale with threads: one world (scene S2, S4 or S7 of ../shared/bench-scenes), a context per thread, no writing.
 *
 * A calibration loop (arithmetic in registers, no memory) says what a second thread is worth on this machine now: two threads on two
 * processors that share a core, or that others use, are worth less than two. Told: moves per second and calibration turns per second with
 * one and with two threads, both scalings, and their ratio (target >= 0.9); and the same ratio for the time that processors worked for a
 * thread (`ratio_of_work`), which other programs hardly touch. Runs of both alternate, eleven of each; the medians count, so that what else
 * the machine does falls on both. One JSON object a line. Argument: `threads N` (default 2). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "bench/measure.h"
#include "support/bench_world.h"

enum { RUNS = 11, MOST_THREADS = 64, MOVES = 256 };

typedef struct job {
    const acp_bench_world *world;
    const acp_position *places;
    uint32_t rounds;
    uint64_t result;
    int is_failed;
} job;

/* About as long as a round of moves: a chain of multiplications. */
static void calibrate(void *user) {
    job *j = user;
    uint64_t x = 88172645463325252u;
    for (uint64_t i = 0; i < (uint64_t)j->rounds * 200000u; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    j->result = x;
}

static void walk(void *user) {
    job *j = user;
    acp_transition_context *context;
    if (acp_transition_context_create(NULL, &context, NULL) != ACP_OK) {
        j->is_failed = 1;
        return;
    }
    acp_mover walker = acp_bench_world_walker(j->world);
    for (uint32_t round = 0; round < j->rounds; round++)
        for (uint32_t i = 0; i < MOVES; i++) {
            acp_position to = j->places[i];
            to.frame.origin.x = (float)((double)to.frame.origin.x + (i % 2 ? 0.9 : -0.9));
            to.frame.origin.y = (float)((double)to.frame.origin.y + (i % 4 < 2 ? 0.4 : -0.4));
            acp_move_result result;
            if (acp_move(context, j->world->world, &walker, &j->places[i], &to, &result, NULL) != ACP_OK) j->is_failed = 1;
            j->result += result.taken_steps;
        }
    acp_transition_context_destroy(context);
}

/* Seconds that `threads` threads take for `rounds` rounds each, and those that a processor worked for one of them. */
static double run(acp_thread_function function, const job *like, uint32_t threads, double *out_worked, int *is_failed) {
    job jobs[MOST_THREADS];
    acp_thread handles[MOST_THREADS];
    double begin = bench_seconds(), begin_worked = bench_processor_seconds();
    for (uint32_t i = 0; i < threads; i++) {
        jobs[i] = *like;
        if (acp_thread_create(&handles[i], function, &jobs[i]) != ACP_OK) {
            *is_failed = 1;
            threads = i;
        }
    }
    for (uint32_t i = 0; i < threads; i++) {
        acp_thread_join(&handles[i]);
        *is_failed |= jobs[i].is_failed;
    }
    *out_worked = (bench_processor_seconds() - begin_worked) / (threads ? threads : 1);
    return bench_seconds() - begin;
}

static void fill_places(const acp_bench_world *world, const acp_bench_scene *scene, acp_position *places) {
    uint64_t random = 7;
    for (uint32_t i = 0; i < MOVES; i++) {
        const uint32_t *t = &scene->triangles[3 * (size_t)(bench_random(&random) % scene->triangle_count)];
        acp_vec3 v = scene->vertices[t[0]], u = scene->vertices[t[1]];
        places[i] = acp_bench_world_position(world, ((double)v.x + (double)u.x) / 2, ((double)v.y + (double)u.y) / 2,
                                             ((double)v.z + (double)u.z) / 2 + 0.3);
    }
}

static int run_scene(int number, uint32_t threads) {
    acp_bench_scene scene;
    acp_bench_world world;
    acp_error error;
    static acp_position places[MOVES];
    acp_error_clear(&error);
    if (acp_bench_world_load("../shared/bench-scenes", number, &scene, &world, &error) != ACP_OK) {
        (void)fprintf(stderr, "S%d: %s\n", number, error.message);
        return 4;
    }
    fill_places(&world, &scene, places);
    int is_failed = 0;
    job moves = {&world, places, 1, 0, 0}, turns = {NULL, NULL, 1, 0, 0};
    /* Runs of about 60 ms alone. */
    double worked, once = run(walk, &moves, 1, &worked, &is_failed);
    moves.rounds = once > 0 && once < 0.06 ? (uint32_t)(0.06 / once) + 1 : 1;
    once = run(calibrate, &turns, 1, &worked, &is_failed);
    turns.rounds = once > 0 && once < 0.06 ? (uint32_t)(0.06 / once) + 1 : 1;
    double move_times[2][RUNS], turn_times[2][RUNS], move_work[2][RUNS], turn_work[2][RUNS];
    for (int i = 0; i < RUNS; i++)
        for (int k = 0; k < 2; k++) {
            move_times[k][i] = run(walk, &moves, k ? threads : 1, &move_work[k][i], &is_failed);
            turn_times[k][i] = run(calibrate, &turns, k ? threads : 1, &turn_work[k][i], &is_failed);
        }
    double alone = bench_median(move_times[0], RUNS), together = bench_median(move_times[1], RUNS);
    double turn_alone = bench_median(turn_times[0], RUNS), turn_together = bench_median(turn_times[1], RUNS);
    double scaling = threads * alone / together, calibration = threads * turn_alone / turn_together;
    double work = bench_median(move_work[0], RUNS) / bench_median(move_work[1], RUNS);
    double turn_worked = bench_median(turn_work[0], RUNS) / bench_median(turn_work[1], RUNS);
    (void)printf(
        "{\"bench\":\"move_threads\",\"scene\":\"S%d\",\"threads\":%u,\"moves_per_second\":%.0f,\"moves_per_second_together\":%.0f,"
        "\"scaling\":%.3f,\"calibration_scaling\":%.3f,\"ratio\":%.3f,\"ratio_of_work\":%.3f,\"target\":0.9}\n",
        number, (unsigned)threads, MOVES * moves.rounds / alone, threads * MOVES * moves.rounds / together, scaling, calibration,
        scaling / calibration, work / turn_worked);
    (void)fflush(stdout);
    acp_bench_world_destroy(&world);
    acp_bench_scene_free(&scene);
    return is_failed;
}

int main(int argc, char **argv) {
    uint32_t threads = 2;
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "threads") == 0) threads = (uint32_t)atoi(argv[i + 1]);
    if (threads < 1 || threads > MOST_THREADS) return 2;
    return run_scene(2, threads) | run_scene(4, threads) | run_scene(7, threads);
}
