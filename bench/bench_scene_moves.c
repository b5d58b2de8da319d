/* SPDX-License-Identifier: MIT */
/* Time of moves on the scenes S1 to S7 (../shared/bench-scenes): a walker of two spheres, each move through acp_move with its checks.
 *
 * Starts and wishes are the body moves of the query files (every second one; 0.1 to 2 m, half along the floor, half up to 30 degrees up or
 * down); each start is settled first with acp_place, those that find no ground are left out. A move is timed alone, by the clock, three
 * rounds (`rounds N` for others), and the least of them kept, so that what the machine does meanwhile does not count as the engine's; the
 * clock's own time (`clock_ns`) is contained. Told twice, in nanoseconds: mean, median, p99, 99.9th percentile and maximum of that time,
 * and (`sub_step_*`) of that time divided by the sub-steps that the move took (at least one), so with its share of set-up and read-out;
 * each move counts once in both, `sub_step_mean_ns` alone is all time by all sub-steps. Target: p99 <= 5,000.
 * `slowest N` then repeats, in a function of its own for a profiler, the N moves of a thousand that were slowest.
 * One JSON object a line. Arguments: DIRECTORY of the query files (default build/bench-scenes), `only N` for one scene. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "support/bench_world.h"

typedef struct options {
    const char *directory;
    int only, rounds;
    uint32_t slowest; /* of a thousand */
} options;

typedef struct timed_move {
    acp_mover mover;
    acp_position from, to;
} timed_move;

/* Settles the start of a query; 0 when there is no ground to stand on. */
static int settle(acp_transition_context *context, const acp_bench_world *world, const acp_bench_query *query, timed_move *out) {
    acp_move_result result;
    acp_mover walker = acp_bench_world_walker(world);
    double z = (double)walker.spheres[0].center.z;
    acp_position at = acp_bench_world_position(world, (double)query->start.x, (double)query->start.y, (double)query->start.z - z);
    if (acp_place(context, world->world, &walker, &at, 0, &result, NULL) != ACP_OK || !result.has_position) return 0;
    if (!result.contact.is_valid || result.contact.plane.normal.z < 0.664174139f) return 0; /* spec 05: walkable */
    walker.transient_state = ACP_TRANSIENT_CONTACT | ACP_TRANSIENT_ON_WALKABLE;
    walker.contact = result.contact;
    acp_vec3 from = acp_bench_world_point(world, &result.position);
    *out = (timed_move){walker, result.position, result.position};
    out->to = acp_bench_world_position(world, (double)from.x + (double)query->end.x - (double)query->start.x,
                                       (double)from.y + (double)query->end.y - (double)query->start.y,
                                       (double)from.z + (double)query->end.z - (double)query->start.z);
    return out->to.cell_id != 0;
}

static double clock_cost(void) {
    double least = 1e9;
    for (int i = 0; i < 1000; i++) {
        double begin = bench_nanoseconds(), took = bench_nanoseconds() - begin;
        if (took < least) least = took;
    }
    return least;
}

/* The moves that took at least `least` once more. */
__attribute__((noinline)) static void repeat_slow_moves(const timed_move *moves, const double *times, uint32_t count, double least,
                                                        acp_transition_context *context, const acp_bench_world *world) {
    for (uint32_t i = 0; i < count; i++) {
        acp_move_result result;
        if (times[i] < least) continue;
        acp_result code = acp_move(context, world->world, &moves[i].mover, &moves[i].from, &moves[i].to, &result, NULL);
        (void)code;
    }
}

/* Sorts the times and prints their figures, the names' head being `prefix`. */
static void print_figures(const char *prefix, double mean, double *times, uint32_t count) {
    double median = bench_median(times, count);
    (void)printf(",\"%smean_ns\":%.0f,\"%sp50_ns\":%.0f,\"%sp99_ns\":%.0f,\"%sp999_ns\":%.0f,\"%smax_ns\":%.0f", prefix, mean, prefix,
                 median, prefix, times[(size_t)count * 99 / 100], prefix, times[(size_t)count * 999 / 1000], prefix, times[count - 1]);
}

/* `times` has room for three a move. */
static void report(int number, const timed_move *moves, uint32_t count, uint32_t asked, const options *chosen,
                   acp_transition_context *context, const acp_bench_world *world, double *times) {
    uint64_t steps = 0, hindered = 0;
    double sum = 0, *step_times = times + count, *sorted = times + 2 * (size_t)count;
    for (int round = 0; round < chosen->rounds; round++)
        for (uint32_t i = 0; i < count; i++) {
            acp_move_result result;
            double begin = bench_nanoseconds();
            acp_result code = acp_move(context, world->world, &moves[i].mover, &moves[i].from, &moves[i].to, &result, NULL);
            double took = bench_nanoseconds() - begin;
            if (round == 0 || took < times[i]) times[i] = took;
            if (code != ACP_OK) result.taken_steps = 0;
            step_times[i] = times[i] / (result.taken_steps ? result.taken_steps : 1);
            if (round != 0 || code != ACP_OK) continue;
            steps += result.taken_steps;
            hindered += result.verdict != ACP_MOVE_REACHED || result.has_collision_normal;
        }
    for (uint32_t i = 0; i < count; i++)
        sum += times[i];
    memcpy(sorted, times, count * sizeof *times);
    (void)printf("{\"bench\":\"scene_moves\",\"scene\":\"S%d\",\"moves\":%u,\"left_out\":%u,\"sub_steps_per_move\":%.2f,\"hindered\":%.3f",
                 number, (unsigned)count, (unsigned)(asked - count), (double)steps / count, (double)hindered / count);
    print_figures("", sum / count, sorted, count);
    print_figures("sub_step_", sum / (double)(steps ? steps : 1), step_times, count);
    (void)printf(",\"clock_ns\":%.0f,\"target_p99_ns\":5000}\n", clock_cost());
    (void)fflush(stdout);
    uint32_t slow = (uint32_t)((uint64_t)count * chosen->slowest / 1000);
    if (slow > 0) repeat_slow_moves(moves, times, count, sorted[count - slow], context, world);
}

static int run_scene(const options *chosen, int number) {
    char path[2][512];
    acp_error error;
    acp_bench_scene scene;
    acp_bench_world world;
    acp_bench_queries queries;
    acp_transition_context *context;
    (void)snprintf(path[0], sizeof path[0], "%s/S%d.bq", chosen->directory, number);
    (void)snprintf(path[1], sizeof path[1], "%s/S%d.ref", chosen->directory, number);
    acp_error_clear(&error);
    if (acp_bench_world_load("../shared/bench-scenes", number, &scene, &world, &error) != ACP_OK ||
        acp_bench_queries_load(path[0], path[1], &queries, &error) != ACP_OK) {
        (void)fprintf(stderr, "S%d: %s: %s (scripts/bench-scenes makes the query files)\n", number, error.operation, error.message);
        return 4;
    }
    uint32_t asked = queries.move_count / 2, count = 0;
    timed_move *moves = malloc((size_t)asked * sizeof *moves);
    double *times = malloc(3 * (size_t)asked * sizeof *times);
    if (!moves || !times || acp_transition_context_create(NULL, &context, NULL) != ACP_OK) return 5;
    for (uint32_t i = 0; i < asked; i++)
        count += (uint32_t)settle(context, &world, &queries.moves[2 * i], &moves[count]);
    if (count) report(number, moves, count, asked, chosen, context, &world, times);
    acp_transition_context_destroy(context);
    free(moves);
    free(times);
    acp_bench_queries_free(&queries);
    acp_bench_world_destroy(&world);
    acp_bench_scene_free(&scene);
    return count ? 0 : 1;
}

int main(int argc, char **argv) {
    options chosen = {"build/bench-scenes", 0, 3, 0};
    int result = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "only") == 0 && i + 1 < argc)
            chosen.only = atoi(argv[++i]);
        else if (strcmp(argv[i], "rounds") == 0 && i + 1 < argc)
            chosen.rounds = atoi(argv[++i]);
        else if (strcmp(argv[i], "slowest") == 0 && i + 1 < argc)
            chosen.slowest = (uint32_t)atoi(argv[++i]) % 1001;
        else
            chosen.directory = argv[i];
    }
    if (chosen.rounds < 1) chosen.rounds = 1;
    for (int number = 1; number <= 7; number++)
        if (chosen.only == 0 || chosen.only == number) result |= run_scene(&chosen, number);
    return result;
}
