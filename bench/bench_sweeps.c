/* SPDX-License-Identifier: MIT */
/* Time of plain sphere sweeps and any-hit rays on the scenes S1 to S7 (../shared/bench-scenes) with their query files.
 *
 * Every answer is compared first: hit flags must equal the reference, but for sweeps whose flags at 2 mm less and 2 mm more radius differ
 * (borderline); a scene that does not agree is not timed. Times of contact are compared too, as distances; the worst is told. One thread;
 * a warm round, then nine runs over all queries of a kind in file order, the median and the best (D22). One JSON object a line.
 * `target` is the fastest library measured on these scenes, in nanoseconds.
 * Arguments: DIRECTORY of S?.bq and S?.ref (default build/bench-scenes; scripts/bench-scenes makes them), `once` for one round. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "support/bench_scene.h"

enum { SCENES = 7, RUNS = 9 };

static const double sweep_targets[SCENES] = {143, 456, 303, 361, 219, 234, 320};
static const double ray_targets[SCENES] = {89, 78, 73, 138, 99, 169, 124};

typedef struct tally {
    uint32_t hits, missed, false_hits, borderline;
    double worst; /* distance between contacts */
} tally;

static double length(const acp_bench_query *q) {
    double x = (double)q->end.x - (double)q->start.x, y = (double)q->end.y - (double)q->start.y, z = (double)q->end.z - (double)q->start.z;
    return sqrt(x * x + y * y + z * z);
}

static void compare(tally *t, int is_found, double fraction, const acp_bench_query *query, float expected, float less, float more) {
    int is_expected = expected <= 1.0f, is_certain = (less <= 1.0f) == (more <= 1.0f);
    t->hits += (uint32_t)is_found;
    if (is_found != is_expected) {
        if (!is_certain)
            t->borderline++;
        else if (is_expected)
            t->missed++;
        else
            t->false_hits++;
    } else if (is_found && fraction >= 0.0) {
        double apart = fabs(fraction - (double)expected) * length(query);
        if (apart > t->worst) t->worst = apart;
    }
}

static tally compare_moves(const acp_soup *soup, const acp_bench_queries *q, float radius) {
    tally t = {0};
    for (uint32_t i = 0; i < q->move_count; i++) {
        acp_soup_hit hit = {0};
        int32_t is_found = 0;
        if (acp_soup_sweep_first_hit(soup, q->moves[i].start, q->moves[i].end, radius, ACP_RAY_BOTH_FACES, &hit, &is_found) != ACP_OK)
            t.false_hits++;
        compare(&t, is_found, hit.fraction, &q->moves[i], q->move_times[i], q->move_times_less[i], q->move_times_more[i]);
    }
    return t;
}

static tally compare_rays(const acp_soup *soup, const acp_bench_queries *q) {
    tally t = {0};
    for (uint32_t i = 0; i < q->ray_count; i++) {
        acp_soup_hit hit = {0};
        int32_t is_found = 0, is_any = 0;
        if (acp_soup_segment_first_hit(soup, q->rays[i].start, q->rays[i].end, ACP_RAY_BOTH_FACES, &hit, &is_found) != ACP_OK ||
            acp_soup_segment_any_hit(soup, q->rays[i].start, q->rays[i].end, ACP_RAY_BOTH_FACES, &is_any) != ACP_OK || is_any != is_found)
            t.false_hits++;
        compare(&t, is_found, hit.fraction, &q->rays[i], q->ray_times[i], q->ray_times[i], q->ray_times[i]);
    }
    return t;
}

static uint64_t run_moves(const acp_soup *soup, const acp_bench_queries *q, float radius) {
    uint64_t hits = 0;
    for (uint32_t i = 0; i < q->move_count; i++) {
        acp_soup_hit hit;
        int32_t is_found = 0;
        if (acp_soup_sweep_first_hit(soup, q->moves[i].start, q->moves[i].end, radius, ACP_RAY_BOTH_FACES, &hit, &is_found) == ACP_OK)
            hits += (uint64_t)is_found;
    }
    return hits;
}

static uint64_t run_rays(const acp_soup *soup, const acp_bench_queries *q, float radius) {
    uint64_t hits = 0;
    (void)radius;
    for (uint32_t i = 0; i < q->ray_count; i++) {
        int32_t is_found = 0;
        if (acp_soup_segment_any_hit(soup, q->rays[i].start, q->rays[i].end, ACP_RAY_BOTH_FACES, &is_found) == ACP_OK)
            hits += (uint64_t)is_found;
    }
    return hits;
}

static uint64_t run_first_rays(const acp_soup *soup, const acp_bench_queries *q, float radius) {
    uint64_t hits = 0;
    (void)radius;
    for (uint32_t i = 0; i < q->ray_count; i++) {
        acp_soup_hit hit;
        int32_t is_found = 0;
        if (acp_soup_segment_first_hit(soup, q->rays[i].start, q->rays[i].end, ACP_RAY_BOTH_FACES, &hit, &is_found) == ACP_OK)
            hits += (uint64_t)is_found;
    }
    return hits;
}

typedef uint64_t (*run_function)(const acp_soup *soup, const acp_bench_queries *q, float radius);

static void report(int scene, const char *kind, run_function run, const acp_soup *soup, const acp_bench_queries *q, float radius,
                   uint32_t count, const tally *t, double target, int runs) {
    double times[RUNS];
    uint64_t hits = run(soup, q, radius);
    for (int i = 0; i < runs; i++) {
        double begin = bench_nanoseconds();
        hits += run(soup, q, radius);
        times[i] = (bench_nanoseconds() - begin) / count;
    }
    double median = bench_median(times, (size_t)runs);
    (void)printf("{\"bench\":\"sweeps\",\"scene\":\"S%d\",\"kind\":\"%s\",\"queries\":%u,\"hits\":%u,\"missed\":%u,\"false\":%u,"
                 "\"borderline\":%u,\"worst_m\":%.3g,\"ns\":%.1f,\"best_ns\":%.1f,\"target_ns\":%.0f,\"check\":%llu}\n",
                 scene, kind, (unsigned)count, (unsigned)t->hits, (unsigned)t->missed, (unsigned)t->false_hits, (unsigned)t->borderline,
                 t->worst, median, times[0], target, (unsigned long long)hits);
    (void)fflush(stdout);
}

static int run_scene(const char *directory, int scene, int runs) {
    char path[3][512];
    acp_error error;
    acp_bench_scene s;
    acp_bench_queries q;
    acp_soup *soup;
    (void)snprintf(path[0], sizeof path[0], "../shared/bench-scenes/S%d.json", scene);
    (void)snprintf(path[1], sizeof path[1], "%s/S%d.bq", directory, scene);
    (void)snprintf(path[2], sizeof path[2], "%s/S%d.ref", directory, scene);
    if (acp_bench_scene_load(path[0], &s, &error) != ACP_OK || acp_bench_queries_load(path[1], path[2], &q, &error) != ACP_OK) {
        (void)fprintf(stderr, "S%d: %s (scripts/bench-scenes makes the query files)\n", scene, error.message);
        return 4;
    }
    acp_soup_source source = acp_bench_scene_source(&s);
    double begin = bench_nanoseconds();
    if (acp_soup_create(&source, NULL, &soup, &error) != ACP_OK) return 5;
    double built = bench_nanoseconds() - begin;
    tally moves = compare_moves(soup, &q, s.sphere_radius), rays = compare_rays(soup, &q);
    int result = moves.missed || moves.false_hits || rays.missed || rays.false_hits;
    (void)printf("{\"bench\":\"sweeps\",\"scene\":\"S%d\",\"kind\":\"build\",\"items\":%u,\"bytes\":%zu,\"ms\":%.2f}\n", scene,
                 (unsigned)(s.triangle_count + s.sphere_count + s.cylsphere_count), acp_soup_size(soup), built * 1e-6);
    if (result) {
        (void)fprintf(stderr, "S%d: not timed: sweeps %u missed, %u false; rays %u missed, %u false\n", scene, (unsigned)moves.missed,
                      (unsigned)moves.false_hits, (unsigned)rays.missed, (unsigned)rays.false_hits);
    } else {
        report(scene, "sphere", run_moves, soup, &q, s.sphere_radius, q.move_count, &moves, sweep_targets[scene - 1], runs);
        report(scene, "ray_any", run_rays, soup, &q, 0.0f, q.ray_count, &rays, ray_targets[scene - 1], runs);
        report(scene, "ray_first", run_first_rays, soup, &q, 0.0f, q.ray_count, &rays, 0.0, runs);
    }
    acp_soup_destroy(soup, NULL);
    acp_bench_queries_free(&q);
    acp_bench_scene_free(&s);
    return result;
}

int main(int argc, char **argv) {
    const char *directory = "build/bench-scenes";
    int runs = RUNS, result = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "once") == 0)
            runs = 1;
        else
            directory = argv[i];
    }
    for (int scene = 1; scene <= SCENES; scene++)
        result |= run_scene(directory, scene, runs);
    return result;
}
