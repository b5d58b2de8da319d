/* SPDX-License-Identifier: MIT */
/* Terrain and container figures on the ground of the whole world (or, without the fixture, on hills of a fixed seed): building all 65,025
 * blocks, their memory, height and normal queries, writing and opening the DAT. Prints one JSON object; each timing is the median of nine
 * runs. Usage: bench_terrain [dereth-terrain.bin.gz] [folder for the DAT] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acphys/dat_edit.h"
#include "acphys/terrain.h"
#include "bench/dereth.h"
#include "bench/measure.h"
#include "bench/temporary.h"

static uint64_t random_state = 8;
static uint32_t next_random(void) { return bench_random(&random_state); }

static void check(acp_result result, const char *what) {
    if (!result) return;
    (void)fprintf(stderr, "%s failed: %s\n", what, acp_result_name(result));
    exit(1);
}

static void put_all(acp_terrain *terrain, const uint8_t *planes) {
    for (uint32_t bx = 0; bx < 255; bx++)
        for (uint32_t by = 0; by < 255; by++) {
            acp_land_block block;
            acp_terrain_planes_cut(planes, bx, by, &block);
            check(acp_terrain_put(terrain, &block, NULL), "put");
        }
}

/* The whole world from an open DAT: what a host does at start. */
static void put_from_dat(acp_terrain *terrain, const acp_dat *dat) {
    acp_dat_record record = {0};
    const acp_dat_entry *entry;
    for (uint32_t i = 0; (entry = acp_dat_entry_at(dat, i)) != NULL; i++) {
        if ((entry->id & 0xFFFFu) != 0xFFFFu) continue;
        acp_land_block block;
        check(acp_dat_read_entry(dat, entry, &record, NULL), "read");
        check(acp_land_block_decode(record.bytes, record.size, &block, NULL), "decode");
        check(acp_terrain_put(terrain, &block, NULL), "put");
    }
    acp_dat_record_release(&record);
}

enum { QUERIES = 1 << 18 };
static acp_position positions[QUERIES];

/* ns of a query, over random positions of the world, or of one block (`spread` 0). */
static double query(const acp_terrain *terrain, int spread, double *out_sum) {
    for (uint32_t i = 0; i < QUERIES; i++) {
        uint32_t bx = spread ? next_random() % 255u : 0xA9u, by = spread ? next_random() % 255u : 0xB4u;
        memset(&positions[i], 0, sizeof positions[i]);
        positions[i].frame.rotation.w = 1.0f;
        positions[i].cell_id = bx << 24 | by << 16 | 1u;
        positions[i].frame.origin.x = (float)(next_random() >> 8) * (192.0f / 16777216.0f);
        positions[i].frame.origin.y = (float)(next_random() >> 8) * (192.0f / 16777216.0f);
    }
    double runs[9];
    for (int run = 0; run < 9; run++) {
        double start = bench_seconds();
        for (uint32_t i = 0; i < QUERIES; i++) {
            float z = 0.0f;
            acp_vec3 normal = {0};
            check(acp_terrain_height_at(terrain, &positions[i], &z, &normal), "height");
            *out_sum += (double)z + (double)normal.z;
        }
        runs[run] = (bench_seconds() - start) / QUERIES * 1e9;
    }
    return bench_median(runs, 9);
}

int main(int argc, char **argv) {
    bool is_real = false;
    uint8_t *planes = bench_dereth_read(argc > 1 ? argv[1] : NULL, &random_state, &is_real);
    if (!planes) return 1;

    double write_runs[9], open_runs[9], load_runs[9], build_runs[9], sum = 0.0;
    char path[BENCH_PATH_CAPACITY];
    bench_temporary_file(argc > 2 ? argv[2] : NULL, path);
    for (int run = 0; run < 9; run++) {
        double start = bench_seconds();
        acp_dat_edit *edit = NULL;
        check(acp_dat_edit_create(NULL, NULL, &edit, NULL), "create");
        for (uint32_t bx = 0; bx < 255; bx++)
            for (uint32_t by = 0; by < 255; by++) {
                acp_land_block block;
                uint8_t bytes[ACP_LAND_BLOCK_SIZE];
                acp_terrain_planes_cut(planes, bx, by, &block);
                acp_land_block_encode(&block, bytes);
                check(acp_dat_edit_put(edit, block.record_id, bytes, sizeof bytes, NULL, NULL), "put");
            }
        check(acp_dat_edit_commit(edit, path, NULL, NULL), "commit");
        acp_dat_edit_destroy(edit);
        write_runs[run] = bench_seconds() - start;
    }
    acp_terrain *terrain = NULL;
    acp_counting_allocator counting;
    for (int run = 0; run < 9; run++) {
        acp_dat *dat = NULL;
        double start = bench_seconds();
        check(acp_dat_open(path, NULL, NULL, &dat, NULL), "open");
        open_runs[run] = bench_seconds() - start;
        acp_terrain_destroy(terrain);
        acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
        acp_allocator allocator = acp_counting_allocator_value(&counting);
        check(acp_terrain_create(&allocator, NULL, &terrain, NULL), "create");
        start = bench_seconds();
        put_from_dat(terrain, dat);
        load_runs[run] = bench_seconds() - start;
        acp_dat_close(dat);
        start = bench_seconds();
        put_all(terrain, planes); /* replaces every block: building alone */
        build_runs[run] = bench_seconds() - start;
    }
    (void)unlink(path);
    double near_ns = query(terrain, 0, &sum), far_ns = query(terrain, 1, &sum);
    (void)printf("{\"schema\":\"acphys.bench.terrain.1\",\"world\":\"%s\",\"blocks\":%u,\"dat_write_s\":%.3f,\"dat_open_ms\":%.2f,"
                 "\"load_all_s\":%.3f,\"build_us_per_block\":%.2f,\"bytes\":%llu,\"bytes_per_block\":%.0f,"
                 "\"height_normal_ns\":%.1f,\"height_normal_cold_ns\":%.1f,\"checksum\":%.3f}\n",
                 is_real ? "dereth" : "noise", acp_terrain_count(terrain), bench_median(write_runs, 9), bench_median(open_runs, 9) * 1e3,
                 bench_median(load_runs, 9), bench_median(build_runs, 9) / 65025.0 * 1e6,
                 (unsigned long long)counting.counters.bytes_in_use, (double)counting.counters.bytes_in_use / 65025.0, near_ns, far_ns,
                 sum);
    acp_terrain_destroy(terrain);
    free(planes);
    return 0;
}
