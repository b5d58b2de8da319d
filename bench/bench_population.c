/* SPDX-License-Identifier: MIT */
/* Times a whole world that comes and goes: 65,025 landblocks with 40 two-part objects of scenery each, out of DAT files.
 *
 * One core, in ascending order, everything staying resident: each landblock is prepared (records, ground, scenery) and published (cells,
 * objects made, registered by the static rules, scaled, neighbours flooded again); both are timed one by one. Prints one JSON object per
 * figure: landblocks a second; microseconds of the world thread's call, by processor time and by wall time: median, 99th percentile, worst,
 * how many above 500; page faults, allocations, and how often the process was switched out, inside those calls; bytes of world and
 * landblocks and the process's peak; then the same for retiring all of it, after which nothing may be left.
 *
 * A machine that others use, or that is itself a guest, stops a process wherever it likes, and mostly counts that as processor time. So the
 * same number of pieces of plain arithmetic, each as long as a median call, is timed beside the calls ("machine"): what its worst is, a
 * call's worst may be without any doing of the call. `--rounds N` fills and empties N worlds one after the other and takes the least of
 * each single call: what the call itself costs (a call that copies or touches much does so in every round). `--workers N` adds a second
 * world that a population with N workers fills. The files are those of `bench_scenery --dats FOLDER`; without them the bench says so and is
 * skipped.
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

/* What the calls of one kind took, one by one, and what happened in them. */
typedef struct call_log {
    double *processor, *wall; /* seconds; the least of all rounds */
    long faults, switches;    /* in all calls of all rounds */
    uint64_t allocations;
    uint32_t asking; /* calls that allocate */
    const acp_memory_counters *memory;
    uint32_t count;
} call_log;

typedef struct call_start {
    double processor, wall;
    uint64_t allocations;
    struct rusage usage;
} call_start;

static call_log make_log(uint32_t count) {
    call_log log = {malloc(count * sizeof(double)), malloc(count * sizeof(double)), 0, 0, 0, 0, NULL, count};
    if (!log.processor || !log.wall) exit(1);
    for (uint32_t i = 0; i < count; i++)
        log.processor[i] = log.wall[i] = 1e9;
    return log;
}

static void free_log(call_log *log) {
    free(log->processor);
    free(log->wall);
}

static call_start start_call(const call_log *log) {
    call_start start;
    start.allocations = log->memory ? log->memory->allocations_total : 0;
    (void)getrusage(RUSAGE_SELF, &start.usage);
    start.wall = bench_seconds();
    start.processor = bench_processor_seconds();
    return start;
}

static void end_call(call_log *log, uint32_t i, const call_start *start) {
    double processor = bench_processor_seconds() - start->processor, wall = bench_seconds() - start->wall;
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    if (processor < log->processor[i]) log->processor[i] = processor;
    if (wall < log->wall[i]) log->wall[i] = wall;
    log->faults += usage.ru_minflt - start->usage.ru_minflt + usage.ru_majflt - start->usage.ru_majflt;
    uint64_t allocations = log->memory ? log->memory->allocations_total - start->allocations : 0;
    log->allocations += allocations;
    log->asking += allocations != 0;
    log->switches += usage.ru_nivcsw - start->usage.ru_nivcsw + usage.ru_nvcsw - start->usage.ru_nvcsw;
}

/* Sorts. */
static double print_times(const char *name, const char *clock, double *seconds, uint32_t count) {
    double median = bench_median(seconds, count);
    uint32_t slow = 0;
    while (slow < count && seconds[count - 1u - slow] > 0.0005)
        slow++;
    printf("{\"bench\": \"%s\", \"clock\": \"%s\", \"unit\": \"us\", \"median\": %.1f, \"p99\": %.1f, \"worst\": %.1f, "
           "\"above_500_us\": %u}\n",
           name, clock, median * 1e6, seconds[(size_t)((double)count * 0.99)] * 1e6, seconds[count - 1u] * 1e6, slow);
    return median;
}

/* Arithmetic without memory, `rounds` steps of it. */
static uint64_t spin(uint64_t seed, uint32_t rounds) {
    for (uint32_t i = 0; i < rounds; i++)
        seed ^= bench_random(&seed);
    return seed;
}

/* What the machine does to pieces of work of that length. */
static void print_machine(double seconds, uint32_t count, uint32_t rounds) {
    uint64_t seed = 1;
    double thousand = 1.0;
    for (uint32_t i = 0; i < 1000u; i++) {
        double start = bench_processor_seconds();
        seed = spin(seed, 1000u);
        double taken = bench_processor_seconds() - start;
        if (taken < thousand) thousand = taken;
    }
    double steps = seconds / thousand * 1000.0;
    call_log log = make_log(count);
    for (uint32_t k = 0; k < rounds; k++)
        for (uint32_t i = 0; i < count; i++) {
            call_start from = start_call(&log);
            seed = spin(seed, (uint32_t)steps + 1u);
            end_call(&log, i, &from);
        }
    (void)print_times(seed ? "machine" : "machine (0)", "processor", log.processor, count);
    (void)print_times("machine", "wall", log.wall, count);
    free_log(&log);
}

static double print_calls(const char *name, call_log *log) {
    double median = print_times(name, "processor", log->processor, log->count);
    (void)print_times(name, "wall", log->wall, log->count);
    printf("{\"bench\": \"%s\", \"page_faults\": %ld, \"switched_out\": %ld, \"allocations\": %llu, \"calls_that_allocate\": %u}\n", name,
           log->faults, log->switches, (unsigned long long)log->allocations, log->asking);
    return median;
}

/* Prepares and publishes landblocks 0 .. count - 1. */
static void fill(acp_dat_source *source, acp_world *world, const acp_allocator *memory, call_log *publish) {
    acp_error error;
    uint32_t count = publish->count;
    double start = bench_processor_seconds(), in_prepare = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        acp_landblock *landblock = NULL;
        double before = bench_processor_seconds();
        check(acp_dat_source_prepare(source, block_at(i), memory, &landblock, &error), "prepare", &error);
        in_prepare += bench_processor_seconds() - before;
        call_start call = start_call(publish);
        check(acp_landblock_publish(world, landblock, &error), "publish", &error);
        end_call(publish, i, &call);
    }
    double total = bench_processor_seconds() - start;
    printf("{\"bench\": \"prepare_and_publish\", \"landblocks\": %u, \"seconds\": %.2f, \"landblocks_per_second\": %.0f, "
           "\"prepare_us\": %.1f}\n",
           count, total, (double)count / total, in_prepare * 1e6 / (double)count);
}

static void empty(acp_world *world, call_log *retire) {
    acp_error error;
    uint32_t count = retire->count;
    double start = bench_processor_seconds();
    for (uint32_t i = 0; i < count; i++) {
        call_start call = start_call(retire);
        check(acp_landblock_retire(world, block_at(i), &error), "retire", &error);
        end_call(retire, i, &call);
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

/* Fills a world, tells what it takes, empties it and throws it away. */
static void come_and_go(acp_dat_source *source, call_log *publish, call_log *retire) {
    acp_error error;
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator memory = acp_counting_allocator_value(&counting);
    acp_world_options options = acp_world_options_default();
    options.allocator = &memory;
    acp_world *world = NULL;
    check(acp_world_create(&options, &world, &error), "world", &error);
    publish->memory = retire->memory = &counting.counters;
    fill(source, world, &memory, publish);
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("{\"bench\": \"memory\", \"objects\": %u, \"bytes\": %llu, \"peak_resident_bytes\": %llu}\n", acp_world_object_count(world),
           (unsigned long long)counting.counters.bytes_in_use, (unsigned long long)usage.ru_maxrss * 1024u);
    empty(world, retire);
    publish->memory = retire->memory = NULL;
    acp_world_destroy(world);
    if (!counting.counters.bytes_in_use) return;
    (void)fprintf(stderr, "bytes are left\n");
    exit(1);
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
    call_log publish = make_log(count), retire = make_log(count);
    for (uint32_t i = 0; i < rounds; i++)
        come_and_go(source, &publish, &retire);
    double median = print_calls("publish_call", &publish);
    (void)print_calls("retire_call", &retire);
    print_machine(median, count, rounds);
    if (workers) with_workers(source, workers);
    acp_dat_source_destroy(source);
    acp_dat_close(portal);
    acp_dat_close(cell);
    free_log(&publish);
    free_log(&retire);
    return 0;
}
