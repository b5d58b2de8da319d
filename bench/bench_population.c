/* SPDX-License-Identifier: MIT */
/* Times a whole world that comes and goes: 65,025 landblocks with 40 two-part objects of scenery each, out of DAT files.
 *
 * One core, in ascending order, everything staying resident: each landblock is prepared (records, ground, scenery) and published (cells,
 * objects made, registered by the static rules, scaled, neighbours flooded again); both are timed one by one, in processor time. Prints one
 * JSON object per figure: landblocks a second; microseconds of the world thread's call: median, 99th percentile, worst; bytes of world and
 * landblocks and the process's peak; then the same for retiring all of it, after which nothing may be left. `--workers N` adds a second
 * world that a population with N workers fills. The files are those of `bench_scenery --dats FOLDER`; without them the bench says so and is
 * skipped. `--rounds N` fills N worlds one after the other and takes the least of each single call: what the call itself costs, without
 * what the machine did meanwhile (a call that copies much does so in every round).
 *
 * usage: bench_population FOLDER [--blocks N] [--workers N] [--rounds N] */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "acphys/membership.h"
#include "acphys/population.h"
#include "bench/measure.h"

#define SIDE 255u

static void check(acp_result result, const char *what, const acp_error *error) {
    if (!result) return;
    (void)fprintf(stderr, "%s failed: %s (%s)\n", what, acp_result_name(result), error ? error->message : "");
    exit(1);
}

static acp_dat *open_file(const char *folder, const char *name) {
    char path[4096];
    acp_dat *dat = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return acp_dat_open(path, NULL, NULL, &dat, NULL) == ACP_OK ? dat : NULL;
}

static uint32_t block_at(uint32_t i) { return (i / SIDE) << 24 | (i % SIDE) << 16; }

static void print_calls(const char *name, double *seconds, uint32_t count) {
    double median = bench_median(seconds, count);
    uint32_t slow = 0;
    while (slow < count && seconds[count - 1u - slow] > 0.0005)
        slow++;
    printf("{\"bench\": \"%s\", \"unit\": \"us\", \"median\": %.1f, \"p99\": %.1f, \"worst\": %.1f, \"above_500_us\": %u}\n", name,
           median * 1e6, seconds[(size_t)((double)count * 0.99)] * 1e6, seconds[count - 1u] * 1e6, slow);
}

/* Prepares and publishes landblocks 0 .. count - 1; `publish` keeps the least of each call. */
static void fill(acp_dat_source *source, acp_world *world, const acp_allocator *memory, uint32_t count, double *publish) {
    acp_error error;
    double start = bench_processor_seconds(), in_prepare = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        acp_landblock *landblock = NULL;
        double before = bench_processor_seconds();
        check(acp_dat_source_prepare(source, block_at(i), memory, &landblock, &error), "prepare", &error);
        double middle = bench_processor_seconds();
        check(acp_landblock_publish(world, landblock, &error), "publish", &error);
        double taken = bench_processor_seconds() - middle;
        if (taken < publish[i]) publish[i] = taken;
        in_prepare += middle - before;
    }
    double total = bench_processor_seconds() - start;
    printf("{\"bench\": \"prepare_and_publish\", \"landblocks\": %u, \"seconds\": %.2f, \"landblocks_per_second\": %.0f, "
           "\"prepare_us\": %.1f}\n",
           count, total, (double)count / total, in_prepare * 1e6 / (double)count);
}

static acp_world *make_world(const acp_allocator *memory) {
    acp_error error;
    acp_world *world = NULL;
    acp_world_options options = acp_world_options_default();
    options.allocator = memory;
    check(acp_world_create(&options, &world, &error), "world", &error);
    return world;
}

/* Fills a world of its own and throws it away. */
static void fill_once(acp_dat_source *source, const acp_allocator *memory, uint32_t count, double *publish) {
    acp_world *world = make_world(memory);
    fill(source, world, memory, count, publish);
    acp_world_destroy(world);
}

static void empty(acp_world *world, uint32_t count, double *retire) {
    acp_error error;
    double start = bench_processor_seconds();
    for (uint32_t i = 0; i < count; i++) {
        double before = bench_processor_seconds();
        check(acp_landblock_retire(world, block_at(i), &error), "retire", &error);
        retire[i] = bench_processor_seconds() - before;
    }
    double total = bench_processor_seconds() - start;
    printf("{\"bench\": \"retire\", \"landblocks\": %u, \"seconds\": %.2f, \"landblocks_per_second\": %.0f}\n", count, total,
           (double)count / total);
    acp_membership_counters c = acp_membership_get_counters(world);
    if (acp_world_object_count(world) || c.pair_count || c.null_row_count || c.pair_bytes || c.head_bytes || c.dependency_bytes) {
        (void)fprintf(stderr, "something is left\n");
        exit(1);
    }
}

static void with_workers(acp_dat_source *source, uint32_t workers) {
    acp_error error;
    acp_world *world = NULL;
    acp_population *population = NULL;
    check(acp_world_create(NULL, &world, &error), "world", &error);
    acp_population_options options = acp_population_options_default();
    options.source = acp_dat_source_for_population(source);
    options.worker_count = workers;
    options.budget = 256;
    options.prepared_limit = 512;
    check(acp_population_create(world, &options, &population, &error), "population", &error);
    acp_position middle = {0x7F7F0001u, {{12, 12, 0}, {1, 0, 0, 0}}};
    check(acp_population_set_anchor(population, 1, &middle, ACP_RADIUS_EVERYTHING, &error), "anchor", &error);
    acp_population_report report;
    double start = bench_seconds();
    check(acp_population_settle(population, NULL, &report, &error), "settle", &error);
    double total = bench_seconds() - start;
    printf("{\"bench\": \"population\", \"workers\": %u, \"landblocks\": %u, \"seconds\": %.2f, \"landblocks_per_second\": %.0f}\n",
           workers, report.published, total, (double)report.published / total);
    acp_world_destroy(world);
}

int main(int argc, char **argv) {
    const char *folder = NULL;
    uint32_t count = SIDE * SIDE, workers = 0, rounds = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--blocks") == 0 && i + 1 < argc)
            count = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--workers") == 0 && i + 1 < argc)
            workers = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        else
            folder = argv[i];
    }
    if (count < 1u || count > SIDE * SIDE) count = SIDE * SIDE;
    acp_dat *portal = folder ? open_file(folder, "client_portal.dat") : NULL;
    acp_dat *cell = folder ? open_file(folder, "client_cell_1.dat") : NULL;
    if (!portal || !cell) {
        (void)fprintf(stderr, "no files: make them with `bench_scenery --dats FOLDER`; skipped\n");
        return 0;
    }
    acp_error error;
    acp_dat_source *source = NULL;
    check(acp_dat_source_create(portal, cell, NULL, &source, &error), "source", &error);
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator memory = acp_counting_allocator_value(&counting);
    acp_world *world = make_world(&memory);
    double *times = malloc(count * sizeof *times);
    if (!times) return 1;
    for (uint32_t i = 0; i < count; i++)
        times[i] = 1e9;
    for (uint32_t i = 1; i < rounds; i++)
        fill_once(source, &memory, count, times);
    fill(source, world, &memory, count, times);
    print_calls("publish_call", times, count);
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("{\"bench\": \"memory\", \"objects\": %u, \"bytes\": %llu, \"peak_resident_bytes\": %llu}\n", acp_world_object_count(world),
           (unsigned long long)counting.counters.bytes_in_use, (unsigned long long)usage.ru_maxrss * 1024u);
    empty(world, count, times);
    print_calls("retire_call", times, count);
    acp_world_destroy(world);
    if (counting.counters.bytes_in_use) {
        (void)fprintf(stderr, "bytes are left\n");
        return 1;
    }
    if (workers) with_workers(source, workers);
    acp_dat_source_destroy(source);
    acp_dat_close(portal);
    acp_dat_close(cell);
    free(times);
    return 0;
}
