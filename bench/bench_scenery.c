/* SPDX-License-Identifier: MIT */
/* Times generated scenery on the ground of the whole world (or, without the fixture, on noise of a fixed seed) with a made-up Region:
 * exactly 40 accepted two-part objects in each of the 65,025 landblocks (support/scenery_maker.h), among 200 candidates.
 *
 * Two figures, each over every landblock, on one thread, after counting that every landblock gives its 40: `generate` (ground from record,
 * scenery into the caller's array) and `place` (the same, then the block published, its objects made, registered by the static rules and
 * scaled, with everything staying resident). Beside landblocks per second: nanoseconds a candidate, the worst and the 99th percentile of
 * the world thread's part of one landblock, bytes in use. Generating is the median of nine runs; placing runs once, since it fills the
 * memory. With `--rounds N` nothing is timed: N rounds of generating over a block row, for valgrind --tool=callgrind
 * --toggle-collect=bench_run.
 *
 * usage: bench_scenery [dereth-terrain.bin.gz] [--dats FOLDER] [--rounds N]
 * --dats writes client_portal.dat and client_cell_1.dat of this world there and ends: input for `acphys survey scenery --dat-dir FOLDER`.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acphys/block_load.h"
#include "acphys/membership.h"
#include "bench/dereth.h"
#include "bench/measure.h"
#include "bench/temporary.h"
#include "population/scenery.h"
#include "support/scenery_maker.h"
#include "world/object.h"
#include "world/world.h"

#define BLOCKS 65025u
#define RUNS   9

static uint8_t *planes;
static acp_height_table heights;

static void check(acp_result result, const char *what, const acp_error *error) {
    if (!result) return;
    (void)fprintf(stderr, "%s failed: %s (%s)\n", what, acp_result_name(result), error ? error->message : "");
    exit(1);
}

/* Landblock 0 .. BLOCKS - 1, with the scene bits of the made-up Region. */
static void cut(uint32_t ordinal, acp_land_block *out) {
    acp_terrain_planes_cut(planes, ordinal / 255u, ordinal % 255u, out);
    acp_scenery_maker_words(out->record_id, out->terrain);
}

static void write_portal(const char *path) {
    acp_dat_create_options options = acp_dat_create_options_default(ACP_DAT_PORTAL);
    acp_dat_edit *edit = NULL;
    acp_error error;
    check(acp_dat_edit_create(&options, NULL, &edit, &error), "create", &error);
    check(acp_scenery_maker_put_portal(edit, &error), "make up", &error);
    check(acp_dat_edit_commit(edit, path, NULL, &error), "write", &error);
    acp_dat_edit_destroy(edit);
}

static void write_dats(const char *folder) {
    char path[4096];
    acp_dat_edit *edit = NULL;
    acp_error error;
    (void)snprintf(path, sizeof path, "%s/client_portal.dat", folder);
    write_portal(path);
    check(acp_dat_edit_create(NULL, NULL, &edit, &error), "create", &error);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        acp_land_block block;
        uint8_t bytes[ACP_LAND_BLOCK_SIZE];
        cut(i, &block);
        acp_land_block_encode(&block, bytes);
        check(acp_dat_edit_put(edit, block.record_id, bytes, sizeof bytes, NULL, &error), "put", &error);
    }
    (void)snprintf(path, sizeof path, "%s/client_cell_1.dat", folder);
    check(acp_dat_edit_commit(edit, path, NULL, &error), "write", &error);
    acp_dat_edit_destroy(edit);
}

/* The thing that is timed. Not static, so that a profiler finds it. */
uint64_t bench_run(const acp_scenery_catalog *catalog, uint32_t first, uint32_t count, acp_scenery_counts *sums);

uint64_t bench_run(const acp_scenery_catalog *catalog, uint32_t first, uint32_t count, acp_scenery_counts *sums) {
    acp_scenery_object objects[64];
    uint64_t accepted = 0;
    for (uint32_t i = first; i < first + count; i++) {
        acp_land_block record;
        acp_terrain_block ground;
        acp_scenery_counts counts;
        cut(i, &record);
        acp_terrain_block_build(record.record_id, record.terrain, record.height, &heights, &ground);
        uint32_t made = acp_scenery_generate(catalog, &ground, 0, objects, 64u, &counts, NULL);
        if (made != ACP_SCENERY_MAKER_OBJECTS) {
            (void)fprintf(stderr, "landblock 0x%08X has %u objects\n", (unsigned)record.record_id, (unsigned)made);
            exit(1);
        }
        for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
            sums->ends[r] += counts.ends[r];
        accepted += made;
    }
    return accepted;
}

/* The world thread's part of one landblock: published, its objects made, registered, scaled. */
static void place(acp_world *world, acp_block *block, const acp_scenery_catalog *catalog, const acp_scenery_object *objects,
                  uint32_t count) {
    acp_error error;
    uint32_t block_id = block->block_id;
    check(acp_membership_publish(world, block, &error), "publish", &error);
    for (uint32_t i = 0; i < count; i++) {
        acp_object_definition d = acp_object_definition_default();
        acp_object object;
        d.position.cell_id = objects[i].cell_id;
        d.position.frame = acp_matrix_frame_to_public(&objects[i].frame);
        d.state = ACP_STATE_STATIC;
        d.setup = catalog->models[objects[i].model].setup;
        d.static_order = acp_static_order(block_id, ACP_STATIC_SCENERY, 0, i);
        check(acp_object_create(world, &d, &object, &error), "create", &error);
        check(acp_membership_register(world, object, &error), "register", &error);
        acp_object_set_scale(world, object.index1 - 1u, objects[i].scale);
    }
}

static void print_placed(const acp_scenery_catalog *catalog, bool is_real) {
    static double spans[BLOCKS];
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_terrain *terrain = NULL;
    acp_world *world = NULL;
    acp_error error;
    acp_world_options options = acp_world_options_default();
    options.allocator = &allocator;
    check(acp_terrain_create(&allocator, &heights, &terrain, &error), "terrain", &error);
    check(acp_world_create(&options, &world, &error), "world", &error);
    double start = bench_seconds();
    for (uint32_t i = 0; i < BLOCKS; i++) {
        acp_land_block record;
        acp_scenery_object objects[64];
        acp_block *block = NULL;
        cut(i, &record);
        check(acp_terrain_put(terrain, &record, &error), "ground", &error);
        acp_block_definition d = {.struct_size = sizeof d, .block_id = record.record_id};
        d.terrain = acp_terrain_find(terrain, record.record_id);
        uint32_t count = acp_scenery_generate(catalog, d.terrain, 0, objects, 64u, NULL, NULL);
        check(acp_block_create(&d, &allocator, &block, &error), "block", &error);
        double at = bench_seconds();
        place(world, block, catalog, objects, count);
        spans[i] = bench_seconds() - at;
    }
    double seconds = bench_seconds() - start;
    uint64_t bytes = counting.counters.bytes_in_use;
    uint32_t object_count = acp_world_object_count(world);
    qsort(spans, BLOCKS, sizeof spans[0], bench_compare);
    (void)printf(
        "{\"schema\":\"acphys.bench.scenery.1\",\"bench\":\"place\",\"world\":\"%s\",\"blocks\":%u,\"objects\":%u,\"seconds\":%.3f,"
        "\"blocks_per_second\":%.0f,\"bytes\":%llu,\"world_thread_ms\":{\"p50\":%.4f,\"p99\":%.4f,\"max\":%.4f}}\n",
        is_real ? "dereth" : "noise", BLOCKS, (unsigned)object_count, seconds, (double)BLOCKS / seconds, (unsigned long long)bytes,
        spans[BLOCKS / 2u] * 1e3, spans[BLOCKS - BLOCKS / 100u] * 1e3, spans[BLOCKS - 1u] * 1e3);
    acp_world_destroy(world);
    acp_terrain_destroy(terrain);
}

static void print_generated(const acp_scenery_catalog *catalog, bool is_real) {
    double runs[RUNS];
    acp_scenery_counts sums;
    for (int run = 0; run < RUNS; run++) {
        memset(&sums, 0, sizeof sums);
        double start = bench_seconds();
        (void)bench_run(catalog, 0, BLOCKS, &sums);
        runs[run] = bench_seconds() - start;
    }
    double seconds = bench_median(runs, RUNS);
    (void)printf("{\"schema\":\"acphys.bench.scenery.1\",\"bench\":\"generate\",\"world\":\"%s\",\"blocks\":%u,\"blocks_per_second\":%.0f,"
                 "\"us_per_block\":%.2f,\"ns_per_candidate\":%.1f",
                 is_real ? "dereth" : "noise", BLOCKS, (double)BLOCKS / seconds, seconds / BLOCKS * 1e6,
                 seconds / BLOCKS * 1e9 / ACP_SCENERY_MAKER_CANDIDATES);
    for (uint32_t r = 0; r < ACP_SCENERY_REASON_COUNT; r++)
        if (sums.ends[r]) (void)printf(",\"%s\":%u", acp_scenery_reason_name((acp_scenery_reason)r), (unsigned)sums.ends[r]);
    (void)printf("}\n");
}

int main(int argc, char **argv) {
    const char *terrain_path = NULL, *folder = NULL;
    uint64_t rounds = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--dats") == 0 && i + 1 < argc)
            folder = argv[++i];
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = strtoull(argv[++i], NULL, 10);
        else
            terrain_path = argv[i];
    }
    uint64_t random_state = 8;
    bool is_real = false;
    planes = bench_dereth_read(terrain_path, &random_state, &is_real);
    if (!planes) return 1;
    acp_height_table_default(&heights);
    if (folder) {
        write_dats(folder);
        free(planes);
        return 0;
    }
    char path[BENCH_PATH_CAPACITY];
    bench_temporary_file(NULL, path);
    write_portal(path);
    acp_dat *portal = NULL;
    acp_model_store *models = NULL;
    acp_scenery_catalog *catalog = NULL;
    acp_error error;
    check(acp_dat_open(path, NULL, NULL, &portal, &error), "open", &error);
    (void)unlink(path);
    check(acp_model_store_create(portal, ACP_CONTENT_STRICT, NULL, &models, &error), "models", &error);
    check(acp_scenery_catalog_load(portal, models, ACP_CONTENT_STRICT, NULL, NULL, NULL, &catalog, &error), "catalog", &error);
    if (rounds) {
        acp_scenery_counts sums;
        memset(&sums, 0, sizeof sums);
        for (uint64_t i = 0; i < rounds; i++)
            (void)bench_run(catalog, (uint32_t)(i % 255u) * 255u, 255u, &sums);
        (void)printf("{\"candidates\":%u}\n", ACP_SCENERY_MAKER_CANDIDATES);
    } else {
        print_generated(catalog, is_real);
        print_placed(catalog, is_real);
    }
    acp_scenery_catalog_destroy(catalog);
    acp_model_store_destroy(models);
    acp_dat_close(portal);
    free(planes);
    return 0;
}
