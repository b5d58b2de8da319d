/* SPDX-License-Identifier: MIT */
/* Reading containers: the sample files good and hostile, truncation at every length, failure of every allocation, odd paths, the caps of
 * compressed records, concurrent readers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "acphys/dat.h"
#include "base/thread.h"
#include "dat/chain.h"
#include "dat/compression.h"
#include "dat/format.h"
#include "tests/support/temporary.h"

#define SAMPLES ACP_SOURCE_DIR "/tests/vectors/dat/"

/* A whole file in memory. */
typedef struct file_bytes {
    uint8_t *bytes;
    size_t size;
} file_bytes;

static file_bytes load(const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s%s", SAMPLES, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("cannot open %s", path);
    file_bytes file = {malloc(1 << 20), 0};
    file.size = fread(file.bytes, 1, 1 << 20, stream);
    fclose(stream);
    return file;
}

static acp_dat *open_bytes(const file_bytes *file) {
    acp_dat *dat = NULL;
    acp_error error;
    acp_result result = acp_dat_open_memory(file->bytes, file->size, "sample", NULL, &dat, &error);
    if (result) fail_msg("%s", error.message);
    return dat;
}

/* 02 §6.8: every number of the worked example. */
static void the_worked_example(void **state) {
    (void)state;
    acp_dat *dat = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open(SAMPLES "mini_cell.dat", NULL, NULL, &dat, &error), ACP_OK);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    assert_int_equal(info.physical_size, 7680);
    assert_int_equal(info.block_size, 256);
    assert_int_equal(info.file_size, 0x1E00);
    assert_int_equal(info.data_set, ACP_DAT_CELL);
    assert_int_equal(info.data_subset, 1);
    assert_int_equal(info.first_free, 0xF00);
    assert_int_equal(info.last_free, 0x1D00);
    assert_int_equal(info.free_count, 15);
    assert_int_equal(info.root, 0x400);
    assert_int_equal(info.engine_version, 22);
    assert_int_equal(info.game_version, 0);
    assert_int_equal(info.minor_version, 6657);
    assert_int_equal(info.record_count, 4);
    assert_int_equal(info.node_count, 1);
    assert_int_equal(info.tree_depth, 1);
    assert_int_equal(info.remarks, 0);
    static const uint32_t expected[4][3] = {
        {0x00010100u, 0xE00, 108}, {0x0001FFFEu, 0xD00, 116}, {0x0001FFFFu, 0xC00, 252}, {0xFFFF0001u, 0xB00, 12}};
    for (uint32_t i = 0; i < 4; i++) {
        const acp_dat_entry *entry = acp_dat_entry_at(dat, i);
        assert_int_equal(entry->id, expected[i][0]);
        assert_int_equal(entry->offset, expected[i][1]);
        assert_int_equal(entry->stored_size, expected[i][2]);
        assert_int_equal(entry->flags, 0);
        assert_int_equal(entry->version, i == 3 ? 1 : 2);
        assert_int_equal(entry->iteration, 1);
        assert_ptr_equal(acp_dat_find(dat, expected[i][0]), entry);
    }
    assert_null(acp_dat_entry_at(dat, 4));
    assert_null(acp_dat_find(dat, 0));
    assert_null(acp_dat_find(dat, 0x00010101u));
    assert_null(acp_dat_find(dat, 0xFFFFFFFFu));
    assert_int_equal(acp_dat_lower_bound(dat, 0x00010101u), 1);
    assert_int_equal(acp_dat_lower_bound(dat, 0xFFFFFFFFu), 4);

    static const char *const files[4] = {"envcell_00010100.bin", "lbinfo_0001FFFE.bin", "landblock_0001FFFF.bin", NULL};
    acp_dat_record record = {0};
    for (uint32_t i = 0; i < 3; i++) {
        file_bytes content = load(files[i]);
        assert_int_equal(acp_dat_read(dat, expected[i][0], &record, &error), ACP_OK);
        assert_int_equal(record.size, content.size);
        assert_memory_equal(record.bytes, content.bytes, content.size);
        assert_null(record.buffer); /* in place: one block each */
        free(content.bytes);
    }
    static const uint8_t iterations[12] = {1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0};
    assert_int_equal(acp_dat_read(dat, ACP_DAT_ITERATION_ID, &record, &error), ACP_OK);
    assert_memory_equal(record.bytes, iterations, 12);
    assert_int_equal(acp_dat_read(dat, 5, &record, &error), ACP_ERROR_NOT_FOUND);
    assert_int_equal(error.record_id, 5);
    assert_null(record.bytes);
    acp_dat_record_release(&record);
    acp_dat_close(dat);
    acp_dat_close(NULL);
}

/* Gathered and compressed records of the portal sample equal the single record files. */
static void the_portal_sample(void **state) {
    (void)state;
    file_bytes file = load("mini_portal.dat");
    acp_dat *dat = open_bytes(&file);
    static const struct {
        uint32_t id;
        const char *file;
    } rows[] = {
        {0x01000001u, "gfxobj_01000001.bin"}, {0x01000002u, "gfxobj_01000002.bin"},      {0x01000003u, "gfxobj_01000003.bin"},
        {0x02000001u, "setup_02000001.bin"},  {0x0D000001u, "environment_0D000001.bin"}, {0x13000000u, "region_13000000.bin"},
    };
    acp_dat_record record = {0};
    acp_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_bytes content = load(rows[i].file);
        assert_int_equal(acp_dat_read(dat, rows[i].id, &record, &error), ACP_OK);
        assert_int_equal(record.size, content.size);
        assert_memory_equal(record.bytes, content.bytes, content.size);
        free(content.bytes);
    }
    const acp_dat_entry *entry = acp_dat_find(dat, 0x13000000u);
    assert_int_equal(entry->flags, 1);
    assert_int_equal(acp_dat_read_stored(dat, entry, &record, &error), ACP_OK);
    assert_int_equal(record.size, entry->stored_size);
    assert_int_equal(acp_dat_get_u32(record.bytes), 1492);
    acp_dat_record_release(&record);
    acp_dat_close(dat);
    free(file.bytes);
}

static void a_tree_of_two_levels(void **state) {
    (void)state;
    file_bytes file = load("btree_130.dat");
    acp_dat *dat = open_bytes(&file);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    assert_int_equal(info.tree_depth, 2);
    assert_int_equal(info.node_count, 5);
    assert_int_equal(info.record_count, 130);
    acp_dat_record record = {0};
    acp_error error;
    for (uint32_t i = 0; i < info.record_count; i++) {
        if (i > 0) assert_true(acp_dat_entry_at(dat, i)->id > acp_dat_entry_at(dat, i - 1)->id);
        assert_int_equal(acp_dat_read_entry(dat, acp_dat_entry_at(dat, i), &record, &error), ACP_OK);
    }
    acp_dat_record_release(&record);
    acp_dat_close(dat);
    free(file.bytes);
}

/* Hostile containers: refused at open, or (chains) at the record concerned while the others stay readable. */
static void hostile_files(void **state) {
    (void)state;
    acp_error error;
    acp_dat *dat = NULL;
    static const struct {
        const char *file;
        uint64_t offset;
        const char *field;
    } refused[] = {{"bad_magic.dat", 0x140, "header.magic"},
                   {"bad_entry_count.dat", 0x400, "node.entry_count"},
                   {"bad_node_cycle.dat", 0x400, "node.child"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        file_bytes file = load(refused[i].file);
        assert_int_equal(acp_dat_open_memory(file.bytes, file.size, refused[i].file, NULL, &dat, &error), ACP_ERROR_BAD_DATA);
        assert_string_equal(error.file, refused[i].file);
        assert_string_equal(error.field, refused[i].field);
        assert_int_equal(error.byte_offset, refused[i].offset);
        free(file.bytes);
    }
    static const char *const chains[] = {"bad_chain_cycle.dat", "bad_free_bit.dat"};
    for (size_t i = 0; i < 2; i++) {
        file_bytes file = load(chains[i]);
        dat = open_bytes(&file);
        acp_dat_record record = {0};
        uint32_t refused_count = 0;
        for (uint32_t k = 0; k < 4; k++) {
            acp_result result = acp_dat_read_entry(dat, acp_dat_entry_at(dat, k), &record, &error);
            if (result == ACP_OK) continue;
            refused_count++;
            assert_int_equal(result, ACP_ERROR_BAD_DATA);
            assert_int_equal(error.record_id, acp_dat_entry_at(dat, k)->id);
            assert_string_equal(error.field, "block.link");
            assert_null(record.bytes);
        }
        assert_int_equal(refused_count, 1);
        acp_dat_record_release(&record);
        acp_dat_close(dat);
        free(file.bytes);
    }
}

/* Each header and node word that DAT-30 judges, one at a time. */
static void single_faults(void **state) {
    (void)state;
    static const struct {
        uint32_t at, value;
        acp_result result;
    } rows[] = {
        {0x144, 12, ACP_ERROR_BAD_DATA},          {0x144, 258, ACP_ERROR_BAD_DATA},          {0x144, 65540, ACP_ERROR_BAD_DATA},
        {0x160, 0, ACP_ERROR_BAD_DATA},           {0x160, 7680, ACP_ERROR_BAD_DATA},         {0x160, 0x80000400u, ACP_ERROR_BAD_DATA},
        {0x400, 0, ACP_ERROR_BAD_DATA},           {0x400, 0x80000500u, ACP_ERROR_BAD_DATA},  {0x400, 0x7FFFFF00u, ACP_ERROR_TRUNCATED},
        {0xA00, 0xB00, ACP_ERROR_BAD_DATA},       {0x404, 0x7FFFFF00u, ACP_ERROR_TRUNCATED}, {0x404, 0x400, ACP_ERROR_BAD_DATA},
        {0x508, 0x0001FFFEu, ACP_ERROR_BAD_DATA}, {0x508, 0xFFFFFFFFu, ACP_ERROR_BAD_DATA},
    };
    acp_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_bytes file = load("mini_cell.dat");
        acp_dat_put_u32(file.bytes + rows[i].at, rows[i].value);
        acp_dat *dat = NULL;
        acp_result result = acp_dat_open_memory(file.bytes, file.size, NULL, NULL, &dat, &error);
        if (result != rows[i].result) fail_msg("row %zu: %d, %s", i, (int)result, error.message);
        assert_true(error.byte_offset != UINT64_MAX && error.field[0] != '\0' && error.file[0] != '\0');
        assert_null(dat);
        free(file.bytes);
    }
}

static void remarks(void **state) {
    (void)state;
    static const struct {
        uint32_t at, value, remark;
    } rows[] = {{0x148, 7681, ACP_DAT_REMARK_FILE_SIZE},
                {0x100, 0x004C5006u, ACP_DAT_REMARK_INTERRUPTED_UPDATE},
                {0x14C, 9, ACP_DAT_REMARK_DATA_SET},
                {0x404, 0xCDCDCDCDu, ACP_DAT_REMARK_LEAF_MARK}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_bytes file = load("mini_cell.dat");
        acp_dat_put_u32(file.bytes + rows[i].at, rows[i].value);
        acp_dat *dat = open_bytes(&file);
        acp_dat_info info;
        acp_dat_get_info(dat, &info);
        assert_int_equal(info.remarks, rows[i].remark);
        acp_dat_close(dat);
        free(file.bytes);
    }
}

/* Any prefix opens or is refused, and whatever opens can be read to the end without harm. */
static void every_prefix(void **state) {
    (void)state;
    static const char *const names[] = {"mini_cell.dat", "mini_portal.dat"};
    for (size_t n = 0; n < 2; n++) {
        file_bytes file = load(names[n]);
        acp_dat_record record = {0};
        for (size_t size = 0; size < file.size; size += size < 4096 ? 1 : 37) {
            uint8_t *copy = malloc(size ? size : 1); /* exact, so that a checker sees any read beyond */
            memcpy(copy, file.bytes, size);
            acp_dat *dat = NULL;
            acp_error error;
            acp_result result = acp_dat_open_memory(copy, size, NULL, NULL, &dat, &error);
            if (size < 400) assert_int_equal(result, ACP_ERROR_TRUNCATED);
            if (result == ACP_OK) {
                for (uint32_t i = 0; acp_dat_entry_at(dat, i); i++) {
                    result = acp_dat_read_entry(dat, acp_dat_entry_at(dat, i), &record, &error);
                    assert_true(result == ACP_OK || result == ACP_ERROR_TRUNCATED || result == ACP_ERROR_BAD_DATA);
                }
                acp_dat_close(dat);
            }
            free(copy);
        }
        acp_dat_record_release(&record);
        free(file.bytes);
    }
}

/* The Nth allocation refused, for every N: an error, no leak, and the call after it works. */
static void every_allocation(void **state) {
    (void)state;
    file_bytes file = load("mini_portal.dat");
    acp_result last = ACP_ERROR_OUT_OF_MEMORY;
    uint64_t n = 0;
    while (last == ACP_ERROR_OUT_OF_MEMORY) {
        acp_counting_allocator counting;
        acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
        counting.fail_at = ++n;
        acp_allocator allocator = acp_counting_allocator_value(&counting);
        acp_dat *dat = NULL;
        acp_error error;
        acp_dat_record record = {0};
        last = acp_dat_open_memory(file.bytes, file.size, NULL, &allocator, &dat, &error);
        if (last == ACP_OK) {
            last = acp_dat_read(dat, 0x0D000001u, &record, &error);
            if (last == ACP_OK) last = acp_dat_read(dat, 0x13000000u, &record, &error);
            acp_error unused;
            counting.fail_at = 0;
            assert_int_equal(acp_dat_read(dat, 0x13000000u, &record, &unused), ACP_OK);
            acp_dat_record_release(&record);
        }
        if (last != ACP_OK) assert_int_equal(error.code, ACP_ERROR_OUT_OF_MEMORY);
        acp_dat_close(dat);
        assert_int_equal(counting.counters.allocations_in_use, 0);
        assert_int_equal(counting.counters.bytes_in_use, 0);
    }
    assert_int_equal(last, ACP_OK);
    assert_true(n > 4);
    free(file.bytes);
}

static void odd_paths(void **state) {
    (void)state;
    acp_dat *dat = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open("/no/such/file.dat", NULL, NULL, &dat, &error), ACP_ERROR_IO);
    assert_string_equal(error.file, "/no/such/file.dat");
    assert_int_not_equal(error.system_error, 0);
    assert_int_equal(acp_dat_open("/", NULL, NULL, &dat, &error), ACP_ERROR_IO);
    assert_int_equal(acp_dat_open("/dev/null", NULL, NULL, &dat, &error), ACP_ERROR_IO);
    assert_int_equal(acp_dat_open(NULL, NULL, NULL, &dat, &error), ACP_ERROR_INVALID_ARGUMENT);
    char empty[TEST_PATH_CAPACITY];
    int descriptor = test_temporary_file("test", empty);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(acp_dat_open(empty, NULL, NULL, &dat, &error), ACP_ERROR_TRUNCATED);
    unlink(empty);
    acp_dat_open_options options = acp_dat_open_options_default();
    options.is_read_to_memory = 1;
    assert_int_equal(acp_dat_open(SAMPLES "mini_cell.dat", &options, NULL, &dat, &error), ACP_OK);
    assert_string_equal(acp_dat_name(dat), SAMPLES "mini_cell.dat");
    acp_dat_close(dat);
}

/* A sparse file of 4 GiB: its records are where they were, and what lies beyond 2 GiB is merely there. */
static void four_gibibytes(void **state) {
    (void)state;
    char path[TEST_PATH_CAPACITY];
    int descriptor = test_temporary_file("test", path);
    assert_true(descriptor >= 0);
    file_bytes file = load("mini_cell.dat");
    assert_int_equal(write(descriptor, file.bytes, file.size), (ssize_t)file.size);
    if (ftruncate(descriptor, (off_t)4 << 30) != 0) {
        close(descriptor);
        unlink(path);
        print_message("skipped: no sparse file of 4 GiB can be made here\n");
        skip();
    }
    close(descriptor);
    acp_dat *dat = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open(path, NULL, NULL, &dat, &error), ACP_OK);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    assert_true(info.physical_size == UINT64_C(4) << 30);
    assert_int_equal(info.remarks, ACP_DAT_REMARK_FILE_SIZE);
    acp_dat_record record = {0};
    assert_int_equal(acp_dat_read(dat, 0x0001FFFFu, &record, &error), ACP_OK);
    assert_memory_equal(record.bytes, file.bytes + 0xC04, 252);
    acp_dat_record_release(&record);
    acp_dat_close(dat);
    unlink(path);
    free(file.bytes);
}

static void count_fault(void *user, bool is_remark, const acp_error *fault) {
    uint32_t *counts = user;
    counts[is_remark]++;
    assert_true(fault->message[0] != '\0' && fault->file[0] != '\0');
}

/* Verification: sound files have no faults; shared blocks, a lying free list, lost bytes and records that claim the file over and over are
 * told, with bounded work. */
static void verification(void **state) {
    (void)state;
    static const char *const sound[] = {"mini_cell.dat", "mini_portal.dat"};
    acp_error error;
    acp_dat_verify_report report;
    for (size_t i = 0; i < 2; i++) {
        file_bytes file = load(sound[i]);
        acp_dat *dat = open_bytes(&file);
        acp_dat_verify_options options = acp_dat_verify_options_default();
        options.is_strict = 1;
        assert_int_equal(acp_dat_verify(dat, &options, &report, &error), ACP_OK);
        assert_int_equal(report.fault_count + report.remark_count, 0);
        assert_int_equal(report.lost_bytes, 0);
        acp_dat_close(dat);
        free(file.bytes);
    }
    static const struct {
        uint32_t at, value;
        bool is_fault, is_remark;
    } rows[] = {
        {0x50C, 0xD00, true, true},       /* entry 0 begins where entry 1 does: a block owned twice, one lost */
        {0x158, 0x1C00, true, false},     /* last_free is another */
        {0x15C, 14, true, true},          /* one free block more than counted */
        {0xF00, 0x1000, true, true},      /* a free block without its tag */
        {0x504, 0x00000000, false, true}, /* record version 0 */
        {0xE04, 0x00010199, false, true}, /* a first word that is not the key */
        {0x400 + 4, 0, false, false},     /* nothing */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_bytes file = load("mini_cell.dat");
        acp_dat_put_u32(file.bytes + rows[i].at, rows[i].value);
        acp_dat *dat = open_bytes(&file);
        uint32_t counts[2] = {0, 0};
        acp_dat_verify_options options = acp_dat_verify_options_default();
        options.on_fault = count_fault;
        options.user = counts;
        assert_int_equal(acp_dat_verify(dat, &options, &report, &error), ACP_OK);
        if ((counts[0] > 0) != rows[i].is_fault || (counts[1] > 0) != rows[i].is_remark)
            fail_msg("row %zu: %u faults, %u remarks", i, (unsigned)counts[0], (unsigned)counts[1]);
        assert_int_equal(counts[0], report.fault_count);
        assert_int_equal(counts[1], report.remark_count);
        acp_dat_close(dat);
        free(file.bytes);
    }
    file_bytes file = load("mini_cell.dat"); /* a block owned twice is one fault */
    acp_dat_put_u32(file.bytes + 0x50C, 0xD00);
    acp_dat *dat = open_bytes(&file);
    acp_dat_verify_options options = acp_dat_verify_options_default();
    options.is_container_only = 1;
    assert_int_equal(acp_dat_verify(dat, &options, &report, &error), ACP_OK);
    assert_int_equal(report.fault_count, 1);
    assert_int_equal(report.lost_bytes, 256);
    acp_dat_close(dat);
    free(file.bytes);
    file = load("btree_130.dat"); /* all records in one chain of the whole file */
    dat = open_bytes(&file);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    acp_dat_close(dat);
    uint32_t chain = 0;
    for (uint32_t offset = info.first_free; offset < file.size; offset += 256, chain++)
        acp_dat_put_u32(file.bytes + offset, offset + 256 < file.size ? offset + 256 : 0);
    for (uint32_t at = 1024; at + 1796 < file.size; at += 4) /* entries carry version 2 and iteration 1 */
        if (acp_dat_get_u32(file.bytes + at) == 0x00020000u && acp_dat_get_u32(file.bytes + at + 20) == 1) {
            acp_dat_put_u32(file.bytes + at + 8, info.first_free);
            acp_dat_put_u32(file.bytes + at + 12, chain * 252u);
        }
    dat = open_bytes(&file);
    assert_int_equal(acp_dat_verify(dat, NULL, &report, &error), ACP_OK);
    assert_true(report.fault_count > 0);
    assert_true(report.record_bytes <= 2u * (uint64_t)file.size);
    acp_dat_close(dat);
    free(file.bytes);
}

/* DAT-07: a chain is as long as the size asks. Three blocks of 16 bytes at 16, 32 and 48, linked in this order. */
static void lengths_of_chains(void **state) {
    (void)state;
    uint8_t bytes[64], out[36];
    memset(bytes, 7, sizeof bytes);
    acp_dat_put_u32(bytes + 16, 32);
    acp_dat_put_u32(bytes + 32, 48);
    acp_dat_put_u32(bytes + 48, 0);
    acp_dat_blocks blocks = {bytes, sizeof bytes, 16};
    acp_error error;
    assert_int_equal(acp_dat_chain_read(&blocks, 16, 36, out, &error), ACP_OK);
    assert_int_equal(acp_dat_chain_read(&blocks, 32, 13, out, &error), ACP_OK);
    assert_int_equal(acp_dat_chain_read(&blocks, 16, 24, out, &error), ACP_ERROR_BAD_DATA); /* goes on after the second block */
    assert_int_equal(error.byte_offset, 32);
    assert_int_equal(acp_dat_chain_read(&blocks, 32, 25, out, &error), ACP_ERROR_BAD_DATA); /* ends before the last byte */
    assert_int_equal(error.byte_offset, 48);
}

/* DAT-16: what a compressed record may declare. */
static void compressed_sizes(void **state) {
    (void)state;
    acp_error error;
    assert_int_equal(acp_dat_check_inflated_size(16, 15, &error), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_dat_check_inflated_size(15, 16, &error), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_dat_check_inflated_size(16, 16, &error), ACP_OK);
    assert_int_equal(acp_dat_check_inflated_size(17600, 16, &error), ACP_OK);
    assert_int_equal(acp_dat_check_inflated_size(17601, 16, &error), ACP_ERROR_LIMIT);
    assert_int_equal(acp_dat_check_inflated_size(64u << 20, 1u << 20, &error), ACP_OK);
    assert_int_equal(acp_dat_check_inflated_size((64u << 20) + 1, 1u << 20, &error), ACP_ERROR_LIMIT);

    uint8_t data[4000], back[4001], *stored = NULL;
    uint32_t size = 0;
    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i / 50u);
    assert_int_equal(acp_dat_deflate(data, sizeof data, NULL, &stored, &size), ACP_OK);
    assert_non_null(stored);
    assert_true(size < 400);
    assert_int_equal(acp_dat_inflate(stored, size, back, sizeof data, NULL, &error), ACP_OK);
    assert_memory_equal(back, data, sizeof data);
    assert_int_equal(acp_dat_inflate(stored, size, back, sizeof data + 1, NULL, &error), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_dat_inflate(stored, size, back, sizeof data - 1, NULL, &error), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_dat_inflate(stored, size - 1, back, sizeof data, NULL, &error), ACP_ERROR_BAD_DATA);
    stored[size] = 0; /* one byte more than the stream: within the buffer of 4000 */
    assert_int_equal(acp_dat_inflate(stored, size + 1, back, sizeof data, NULL, &error), ACP_ERROR_BAD_DATA);
    stored[size / 2] ^= 0x55u;
    assert_int_equal(acp_dat_inflate(stored, size, back, sizeof data, NULL, &error), ACP_ERROR_BAD_DATA);
    acp_allocator system = acp_allocator_system();
    system.free_memory(system.user, stored, sizeof data, 16);
    /* Too short, or growing: kept as it is. */
    assert_int_equal(acp_dat_deflate(data, 16, NULL, &stored, &size), ACP_OK);
    assert_null(stored);
    uint32_t noise = 1;
    for (uint32_t i = 0; i < 200; i++) {
        noise = noise * 1664525u + 1013904223u;
        data[i] = (uint8_t)(noise >> 24);
    }
    assert_int_equal(acp_dat_deflate(data, 200, NULL, &stored, &size), ACP_OK);
    assert_null(stored);
}

typedef struct reader_job {
    const acp_dat *dat;
    uint32_t sum;
    uint32_t failures;
} reader_job;

static void read_much(void *user) {
    reader_job *job = user;
    acp_dat_record record = {0};
    for (uint32_t round = 0; round < 200; round++)
        for (uint32_t i = 0; acp_dat_entry_at(job->dat, i); i++) {
            if (acp_dat_read_entry(job->dat, acp_dat_entry_at(job->dat, i), &record, NULL)) job->failures++;
            for (uint32_t k = 0; k < record.size; k++)
                job->sum += record.bytes[k];
        }
    acp_dat_record_release(&record);
}

static void concurrent_readers(void **state) {
    (void)state;
    file_bytes file = load("mini_portal.dat");
    acp_dat *dat = open_bytes(&file);
    reader_job jobs[4];
    acp_thread threads[4];
    for (int i = 0; i < 4; i++) {
        jobs[i] = (reader_job){dat, 0, 0};
        assert_int_equal(acp_thread_create(&threads[i], read_much, &jobs[i]), ACP_OK);
    }
    for (int i = 0; i < 4; i++) {
        acp_thread_join(&threads[i]);
        assert_int_equal(jobs[i].failures, 0);
        assert_int_equal(jobs[i].sum, jobs[0].sum);
    }
    acp_dat_close(dat);
    free(file.bytes);
}

static void land_blocks_without_loss(void **state) {
    (void)state;
    file_bytes file = load("landblock_0001FFFF.bin");
    acp_land_block block;
    acp_error error;
    assert_int_equal(acp_land_block_decode(file.bytes, (uint32_t)file.size, &block, &error), ACP_OK);
    assert_int_equal(block.record_id, 0x0001FFFFu);
    assert_int_equal(block.has_info, 1);
    assert_int_equal(block.terrain[1], 0x0804);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(block.height[i], i);
    assert_int_equal(block.padding, file.bytes[0xFB]);
    uint8_t back[ACP_LAND_BLOCK_SIZE];
    acp_land_block_encode(&block, back);
    assert_int_equal(file.size, ACP_LAND_BLOCK_SIZE);
    assert_memory_equal(back, file.bytes, ACP_LAND_BLOCK_SIZE);
    for (uint32_t size = 0; size < ACP_LAND_BLOCK_SIZE; size++) {
        assert_int_equal(acp_land_block_decode(file.bytes, size, &block, &error), ACP_ERROR_TRUNCATED);
        assert_true(error.field[0] != '\0');
    }
    free(file.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example), cmocka_unit_test(the_portal_sample),  cmocka_unit_test(a_tree_of_two_levels),
        cmocka_unit_test(hostile_files),      cmocka_unit_test(single_faults),      cmocka_unit_test(remarks),
        cmocka_unit_test(every_prefix),       cmocka_unit_test(every_allocation),   cmocka_unit_test(odd_paths),
        cmocka_unit_test(verification),       cmocka_unit_test(four_gibibytes),     cmocka_unit_test(lengths_of_chains),
        cmocka_unit_test(compressed_sizes),   cmocka_unit_test(concurrent_readers), cmocka_unit_test(land_blocks_without_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
