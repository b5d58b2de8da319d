/* SPDX-License-Identifier: MIT */
/* Figures of the DAT floor on made files of a fixed seed: a portal file of 100,000 records (open, random fetch, verify), a mesh of 500
 * polygons (decode, flatten), and a cell file of 65,025 landblocks and 200,000 EnvCells (write, memory). Prints one JSON object; times are
 * processor time, the median of nine runs (one for the cell file). Usage: bench_dat [folder for the files] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acphys/dat_edit.h"
#include "asset/from_record.h"
#include "bench/measure.h"
#include "bench/temporary.h"

static uint64_t random_state = 6;
static uint32_t next_random(void) { return bench_random(&random_state); }

static void check(acp_result result, const char *what) {
    if (!result) return;
    (void)fprintf(stderr, "%s failed: %s\n", what, acp_result_name(result));
    exit(1);
}

/* A mesh of `count` squares on a grid, a tree that halves them by x down to leaves of up to eight. */
static void write_tree(acp_writer *w, uint32_t first, uint32_t count) {
    if (count <= 8) {
        acp_writer_u32(w, ACP_TAG_LEAF);
        acp_writer_u32(w, first);
        acp_writer_u32(w, 1);
        acp_writer_zeros(w, 12);
        acp_writer_f32(w, 1000.0f);
        acp_writer_u32(w, count);
        for (uint32_t i = 0; i < count; i++)
            acp_writer_u16(w, (uint16_t)(first + i));
        return;
    }
    acp_writer_u32(w, 0x4250494Eu); /* BPIN */
    acp_writer_f32(w, -1.0f);
    acp_writer_zeros(w, 8);
    acp_writer_f32(w, (float)(first + count / 2));
    write_tree(w, first, count / 2);
    write_tree(w, first + count / 2, count - count / 2);
    acp_writer_zeros(w, 12);
    acp_writer_f32(w, 1000.0f);
}

static void write_mesh(acp_writer *w, uint32_t id, uint32_t count) {
    acp_writer_u32(w, id);
    acp_writer_u32(w, 1);
    acp_writer_u8(w, 0);
    acp_writer_u32(w, 1);
    acp_writer_u32(w, 4 * count);
    for (uint32_t i = 0; i < 4 * count; i++) {
        acp_writer_u16(w, (uint16_t)i);
        acp_writer_u16(w, 0);
        acp_writer_f32(w, (float)(i / 4) + (i % 4 == 1 || i % 4 == 2 ? 1.0f : 0.0f));
        acp_writer_f32(w, i % 4 >= 2 ? 1.0f : 0.0f);
        acp_writer_f32(w, 0.25f * (float)(i / 4 % 3));
        acp_writer_zeros(w, 8);
        acp_writer_f32(w, 1.0f);
    }
    acp_writer_u8(w, (uint8_t)(0x80u | count >> 8));
    acp_writer_u8(w, (uint8_t)count);
    for (uint32_t i = 0; i < count; i++) {
        acp_writer_u16(w, (uint16_t)i);
        acp_writer_u8(w, 4);
        acp_writer_u8(w, 4);
        acp_writer_u32(w, 0);
        acp_writer_u16(w, 0);
        acp_writer_u16(w, 0xFFFF);
        for (uint32_t k = 0; k < 4; k++)
            acp_writer_u16(w, (uint16_t)(4 * i + k));
    }
    write_tree(w, 0, count);
    acp_writer_zeros(w, 12);
}

static void bench_mesh(void) {
    acp_writer w;
    acp_writer_init(&w, NULL);
    write_mesh(&w, 0x01000001u, 500);
    double decode_runs[9], flatten_runs[9];
    enum { rounds = 200 };
    for (int run = 0; run < 9; run++) {
        decode_runs[run] = flatten_runs[run] = 0.0;
        for (int i = 0; i < rounds; i++) {
            acp_record record;
            acp_shape *shape = NULL;
            double start = bench_processor_seconds();
            check(acp_record_decode(ACP_RECORD_GFXOBJ, w.bytes, (uint32_t)w.size, NULL, NULL, &record, NULL), "decode");
            double middle = bench_processor_seconds();
            check(acp_shape_from_record(record.content.gfxobj, false, ACP_CONTENT_LENIENT, NULL, &shape, NULL), "flatten");
            double end = bench_processor_seconds();
            acp_shape_destroy(shape);
            acp_record_free(&record);
            decode_runs[run] += (middle - start) / rounds;
            flatten_runs[run] += (end - middle) / rounds;
        }
    }
    (void)printf("\"mesh_polygons\":500,\"mesh_bytes\":%zu,\"decode_us\":%.1f,\"flatten_us\":%.1f,", w.size,
                 bench_median(decode_runs, 9) * 1e6, bench_median(flatten_runs, 9) * 1e6);
    acp_writer_free(&w);
}

static void bench_portal(const char *path) {
    acp_dat_edit *edit = NULL;
    acp_dat_create_options options = acp_dat_create_options_default(ACP_DAT_PORTAL);
    check(acp_dat_edit_create(&options, NULL, &edit, NULL), "create");
    static uint8_t content[8192];
    for (uint32_t i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)next_random();
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t id = 0x06000000u + i, size = 64 + next_random() % 2000;
        memcpy(content, &id, 4);
        check(acp_dat_edit_put(edit, id, content, size, NULL, NULL), "put");
    }
    check(acp_dat_edit_commit(edit, path, NULL, NULL), "commit");
    acp_dat_edit_destroy(edit);
    double open_runs[9], fetch_runs[9], verify_runs[9];
    uint64_t bytes = 0, sum = 0;
    for (int run = 0; run < 9; run++) {
        acp_dat *dat = NULL;
        double start = bench_processor_seconds();
        check(acp_dat_open(path, NULL, NULL, &dat, NULL), "open");
        open_runs[run] = bench_processor_seconds() - start;
        acp_dat_verify_report report;
        start = bench_processor_seconds();
        check(acp_dat_verify(dat, NULL, &report, NULL), "verify");
        verify_runs[run] = bench_processor_seconds() - start;
        bytes = report.record_bytes;
        acp_dat_record record = {0};
        start = bench_processor_seconds();
        for (uint32_t i = 0; i < 100000; i++) {
            check(acp_dat_read(dat, 0x06000000u + next_random() % 100000u, &record, NULL), "read");
            sum += record.bytes[record.size - 1];
        }
        fetch_runs[run] = (bench_processor_seconds() - start) / 100000.0;
        acp_dat_record_release(&record);
        acp_dat_close(dat);
    }
    (void)unlink(path);
    (void)printf(
        "\"portal_records\":100001,\"portal_bytes\":%llu,\"open_ms\":%.2f,\"fetch_us\":%.3f,\"verify_mb_per_s\":%.0f,\"checksum\":%llu,",
        (unsigned long long)bytes, bench_median(open_runs, 9) * 1e3, bench_median(fetch_runs, 9) * 1e6,
        (double)bytes / bench_median(verify_runs, 9) / 1e6, (unsigned long long)sum);
}

static void bench_cell(const char *path) {
    acp_counting_allocator counting;
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    acp_dat_edit *edit = NULL;
    static uint8_t content[1024];
    double start = bench_processor_seconds();
    check(acp_dat_edit_create(NULL, &allocator, &edit, NULL), "create");
    uint32_t rooms = 0;
    for (uint32_t block = 0; block < 65025; block++) {
        uint32_t high = block / 255u << 24 | block % 255u << 16, count = (uint32_t)((uint64_t)(block + 1) * 200000u / 65025u) - rooms;
        check(acp_dat_edit_put(edit, high | 0xFFFFu, content, 252, NULL, NULL), "put");
        for (uint32_t i = 0; i < count; i++, rooms++)
            check(acp_dat_edit_put(edit, high | (0x100u + i), content, 62 + next_random() % 400, NULL, NULL), "put");
    }
    check(acp_dat_edit_commit(edit, path, NULL, NULL), "commit");
    double took = bench_processor_seconds() - start;
    acp_dat_info info;
    acp_dat_edit_get_info(edit, &info);
    (void)printf("\"cell_records\":%u,\"cell_file_bytes\":%llu,\"write_s\":%.2f,\"write_peak_bytes\":%llu", info.record_count,
                 (unsigned long long)info.physical_size, took, (unsigned long long)counting.counters.bytes_peak);
    acp_dat_edit_destroy(edit);
    (void)unlink(path);
}

int main(int argc, char **argv) {
    char path[BENCH_PATH_CAPACITY];
    bench_temporary_file(argc > 1 ? argv[1] : NULL, path);
    (void)printf("{\"schema\":\"acphys.bench.dat.1\",");
    bench_mesh();
    bench_portal(path);
    bench_cell(path);
    (void)printf("}\n");
    return 0;
}
