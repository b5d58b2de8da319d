/* SPDX-License-Identifier: MIT */
/* Making and changing containers: the sample files reproduced byte for byte, replace and remove, odd arguments, failure of every
 * allocation, and what is left on the disk when writing fails. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "acphys/dat_edit.h"
#include "dat/format.h"
#include "dat/iterations.h"
#include "tests/support/failing.h"
#include "tests/support/temporary.h"

#define SAMPLES ACP_SOURCE_DIR "/tests/vectors/dat/"

typedef struct file_bytes {
    uint8_t *bytes;
    size_t size;
} file_bytes;

static file_bytes load(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("cannot open %s", path);
    file_bytes file = {malloc(8 << 20), 0};
    file.size = fread(file.bytes, 1, 8 << 20, stream);
    fclose(stream);
    return file;
}

static char folder[TEST_PATH_CAPACITY];
static char target[TEST_PATH_CAPACITY + 16];

static int make_folder(void **state) {
    (void)state;
    test_temporary_folder("test", folder);
    (void)snprintf(target, sizeof target, "%s/made.dat", folder);
    return 0;
}

/* The folder must be empty but for the target: no temporary file is ever left. */
static int remove_folder(void **state) {
    (void)state;
    (void)unlink(target);
    return rmdir(folder);
}

/* Makes the sample again: same options, same records in the order that the sample was made in, which is the order of their offsets. */
static void make_again(const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s%s", SAMPLES, name);
    acp_dat *dat = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open(path, NULL, NULL, &dat, &error), ACP_OK);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    acp_dat_create_options options = acp_dat_create_options_default(info.data_set);
    options.data_subset = info.data_subset;
    options.block_size = info.block_size;
    options.block_count = (info.file_size - 1024u) / info.block_size;
    options.reserve_blocks = 0;
    options.date = acp_dat_find(dat, ACP_DAT_ITERATION_ID)->date;
    options.master_map_id = info.master_map_id;
    acp_dat_edit *edit = NULL;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_OK);
    acp_dat_record record = {0};
    uint32_t last = acp_dat_find(dat, ACP_DAT_ITERATION_ID)->offset;
    for (uint32_t i = 1; i < info.record_count; i++) {
        const acp_dat_entry *next = NULL;
        for (uint32_t k = 0; k < info.record_count; k++) {
            const acp_dat_entry *entry = acp_dat_entry_at(dat, k);
            if (entry->offset > last && (!next || entry->offset < next->offset)) next = entry;
        }
        assert_non_null(next);
        last = next->offset;
        acp_dat_put_options put = acp_dat_put_options_default();
        put.version = next->version;
        put.date = next->date;
        put.iteration = next->iteration;
        put.storage = next->flags ? ACP_DAT_STORE_AS_IS : ACP_DAT_STORE_PLAIN;
        assert_int_equal(acp_dat_read_stored(dat, next, &record, &error), ACP_OK);
        assert_int_equal(acp_dat_edit_put(edit, next->id, record.bytes, record.size, &put, &error), ACP_OK);
    }
    assert_int_equal(acp_dat_edit_commit(edit, target, NULL, &error), ACP_OK);
    file_bytes made = load(target), sample = load(path);
    assert_int_equal(made.size, sample.size);
    for (size_t i = 0; i < made.size; i++)
        if (made.bytes[i] != sample.bytes[i]) fail_msg("%s differs at 0x%zX: %02X, sample %02X", name, i, made.bytes[i], sample.bytes[i]);
    free(made.bytes);
    free(sample.bytes);
    acp_dat_record_release(&record);
    acp_dat_edit_destroy(edit);
    acp_dat_close(dat);
}

static void samples_byte_for_byte(void **state) {
    (void)state;
    make_again("mini_cell.dat");
    make_again("btree_130.dat");
    make_again("mini_portal.dat");
}

static acp_dat_edit *new_cell_file(void) {
    acp_dat_edit *edit = NULL;
    acp_error error;
    assert_int_equal(acp_dat_edit_create(NULL, NULL, &edit, &error), ACP_OK);
    return edit;
}

static acp_dat *commit_and_open(acp_dat_edit *edit) {
    acp_dat *dat = NULL;
    acp_error error;
    assert_int_equal(acp_dat_edit_commit(edit, target, NULL, &error), ACP_OK);
    assert_int_equal(acp_dat_open(target, NULL, NULL, &dat, &error), ACP_OK);
    return dat;
}

/* DAT-29: the checklist of a file that every tool can open, on an empty one. */
static void the_checklist(void **state) {
    (void)state;
    acp_dat_edit *edit = new_cell_file();
    acp_dat *dat = commit_and_open(edit);
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    assert_int_equal(info.remarks, 0);
    assert_int_equal(info.block_size, 256);
    assert_int_equal(info.physical_size, 1024 + 0x100000);
    assert_int_equal(info.root, 1024);
    assert_int_equal(info.engine_version, 22);
    assert_int_equal(info.game_version, 0);
    assert_int_equal(info.minor_version, 6657);
    assert_int_equal(info.free_count, 4096 - 8); /* a node of seven blocks, the iteration record */
    assert_int_equal(info.record_count, 1);
    assert_int_equal(acp_dat_entry_at(dat, 0)->version, 1);
    file_bytes file = load(target);
    static const uint8_t journal[5] = {0, 0x50, 0x4C, 0, 0};
    assert_memory_equal(file.bytes + 0x100, journal, 5);
    uint32_t offset = info.first_free;
    for (uint32_t i = 0; i + 1 < info.free_count; i++) {
        assert_int_equal(acp_dat_get_u32(file.bytes + offset), 0x80000000u | (offset + 256u));
        offset += 256u;
    }
    assert_int_equal(offset, info.last_free);
    assert_int_equal(acp_dat_get_u32(file.bytes + offset), 0x80000000u);
    free(file.bytes);
    acp_dat_close(dat);
    acp_dat_edit_destroy(edit);
    acp_dat_edit_destroy(NULL);
}

static uint32_t walk_free_list(const file_bytes *file, const acp_dat_info *info) {
    uint32_t count = 0, offset = info->first_free, last = 0;
    while (offset) {
        uint32_t link = acp_dat_get_u32(file->bytes + offset);
        assert_true(link & 0x80000000u);
        last = offset;
        offset = link & 0x7FFFFFFFu;
        assert_true(++count < 100000);
    }
    assert_int_equal(last, info->last_free);
    return count;
}

/* Records of every awkward size; then replaced by others, then removed: contents, free list and file size are right each time. */
static void sizes_replacing_removing(void **state) {
    (void)state;
    static const uint32_t sizes[] = {0, 1, 251, 252, 253, 504, 505, 4096, 100000};
    enum { count = sizeof sizes / sizeof sizes[0] };
    static uint8_t data[100000];
    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7u + i / 251u);
    acp_dat_edit *edit = new_cell_file();
    acp_error error;
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(
                acp_dat_edit_put(edit, 100 + i, data + round, sizes[(i + round) % count] - (i + round == 8 ? 3 : 0), NULL, &error), ACP_OK);
        acp_dat *dat = commit_and_open(edit);
        acp_dat_info info;
        acp_dat_get_info(dat, &info);
        assert_int_equal(info.record_count, count + 1);
        acp_dat_record record = {0};
        uint32_t used = 7 + 1;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t size = sizes[(i + round) % count] - (i + round == 8 ? 3 : 0);
            assert_int_equal(acp_dat_read(dat, 100 + i, &record, &error), ACP_OK);
            assert_int_equal(record.size, size);
            assert_memory_equal(record.bytes, data + round, size);
            used += (size + 251u) / 252u;
        }
        file_bytes file = load(target);
        assert_int_equal(file.size, info.physical_size);
        assert_int_equal(file.size, info.file_size);
        assert_int_equal(walk_free_list(&file, &info), info.free_count);
        assert_int_equal(info.free_count + used, 4096);
        free(file.bytes);
        acp_dat_record_release(&record);
        acp_dat_close(dat);
    }
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(acp_dat_edit_remove(edit, 100 + i, &error), ACP_OK);
    assert_int_equal(acp_dat_edit_remove(edit, 100, &error), ACP_ERROR_NOT_FOUND);
    assert_int_equal(error.record_id, 100);
    acp_dat_info info;
    acp_dat_edit_get_info(edit, &info);
    assert_int_equal(info.free_count, 4096 - 8);
    assert_int_equal(info.record_count, 1);
    acp_dat_edit_destroy(edit);
}

/* A base file stays as it is while an edit of it grows beyond it; the edit of a changed copy agrees with reading. */
static void changing_an_open_file(void **state) {
    (void)state;
    acp_dat *base = NULL, *changed;
    acp_error error;
    assert_int_equal(acp_dat_open(SAMPLES "mini_portal.dat", NULL, NULL, &base, &error), ACP_OK);
    acp_dat_edit *edit = NULL;
    assert_int_equal(acp_dat_edit_open(base, NULL, &edit, &error), ACP_OK);
    static uint8_t big[200000];
    memset(big, 0x5A, sizeof big);
    assert_int_equal(acp_dat_edit_put(edit, 0x01000002u, big, sizeof big, NULL, &error), ACP_OK);
    acp_dat_put_options put = acp_dat_put_options_default();
    put.storage = ACP_DAT_STORE_COMPRESSED;
    assert_int_equal(acp_dat_edit_put(edit, 0x01000009u, big, sizeof big, &put, &error), ACP_OK);
    assert_int_equal(acp_dat_edit_remove(edit, 0x02000001u, &error), ACP_OK);
    acp_dat_entry entry;
    assert_int_equal(acp_dat_edit_find(edit, 0x01000009u, &entry), ACP_OK);
    assert_int_equal(entry.flags, 1);
    assert_true(entry.stored_size < 1000);
    assert_int_equal(acp_dat_edit_find(edit, 0x02000001u, &entry), ACP_ERROR_NOT_FOUND);
    changed = commit_and_open(edit);
    acp_dat_info before, after;
    acp_dat_get_info(base, &before);
    acp_dat_get_info(changed, &after);
    assert_int_equal(after.record_count, before.record_count);
    assert_int_equal(after.remarks, 0);
    assert_int_equal(after.physical_size, before.physical_size + 0x100000u);
    acp_dat_record a = {0}, b = {0};
    for (uint32_t i = 0; i < after.record_count; i++) {
        uint32_t id = acp_dat_entry_at(changed, i)->id;
        assert_int_equal(acp_dat_read(changed, id, &a, &error), ACP_OK);
        if (id == 0x01000002u || id == 0x01000009u) {
            assert_int_equal(a.size, sizeof big);
            assert_memory_equal(a.bytes, big, sizeof big);
            continue;
        }
        assert_int_equal(acp_dat_read(base, id, &b, &error), ACP_OK);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.bytes, b.bytes, b.size);
    }
    acp_dat_record_release(&a);
    acp_dat_record_release(&b);
    acp_dat_close(changed);
    acp_dat_edit_destroy(edit);
    acp_dat_close(base);
}

/* A free list that lies (too long, untagged) is given up, not believed. */
static void a_broken_free_list(void **state) {
    (void)state;
    static const uint32_t faults[][2] = {{0x15C, 16}, {0x158, 0x1C00}, {0xF00, 0x1000}, {0xF00, 0x80000F00u}, {0x154, 0x1D01}};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        file_bytes file = load(SAMPLES "mini_cell.dat");
        acp_dat_put_u32(file.bytes + faults[i][0], faults[i][1]);
        acp_dat *base = NULL;
        acp_error error;
        assert_int_equal(acp_dat_open_memory(file.bytes, file.size, NULL, NULL, &base, &error), ACP_OK);
        acp_dat_edit *edit = NULL;
        assert_int_equal(acp_dat_edit_open(base, NULL, &edit, &error), ACP_OK);
        uint8_t data[2000] = {1};
        if (i % 2) assert_int_equal(acp_dat_edit_remove(edit, 0x0001FFFEu, &error), ACP_OK);
        assert_int_equal(acp_dat_edit_put(edit, 7, data, sizeof data, NULL, &error), ACP_OK);
        acp_dat *changed = commit_and_open(edit);
        acp_dat_record record = {0};
        assert_int_equal(acp_dat_read(changed, 7, &record, &error), ACP_OK);
        assert_memory_equal(record.bytes, data, sizeof data);
        acp_dat_info info;
        acp_dat_get_info(changed, &info);
        file_bytes made = load(target);
        assert_int_equal(walk_free_list(&made, &info), info.free_count);
        free(made.bytes);
        acp_dat_record_release(&record);
        acp_dat_close(changed);
        acp_dat_edit_destroy(edit);
        acp_dat_close(base);
        free(file.bytes);
    }
}

static void odd_arguments(void **state) {
    (void)state;
    acp_dat_edit *edit = NULL;
    acp_error error;
    acp_dat_create_options options = acp_dat_create_options_default(ACP_DAT_PORTAL);
    assert_int_equal(options.block_size, 1024);
    assert_int_equal(options.engine_version, 110);
    options.block_size = 18;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_string_equal(error.field, "block_size");
    options.block_size = 16;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_OK);
    assert_int_equal(acp_dat_edit_put(edit, 1, "x", 1, NULL, &error), ACP_OK);
    acp_dat_edit_destroy(edit);
    options.block_count = 0x80000000u / 16u;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_ERROR_INVALID_ARGUMENT);
    options.block_count = 1;
    options.iteration = 0;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_ERROR_INVALID_ARGUMENT);
    options.iteration = 2072;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_OK);
    acp_dat_put_options put = acp_dat_put_options_default();
    put.version = 0;
    assert_int_equal(acp_dat_edit_put(edit, 1, "x", 1, &put, &error), ACP_ERROR_INVALID_ARGUMENT);
    put.version = 65536;
    assert_int_equal(acp_dat_edit_put(edit, 1, "x", 1, &put, &error), ACP_ERROR_INVALID_ARGUMENT);
    put.version = 2;
    put.storage = 3;
    assert_int_equal(acp_dat_edit_put(edit, 1, "x", 1, &put, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_dat_edit_put(edit, 1, NULL, 1, NULL, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_dat_edit_open(NULL, NULL, &edit, &error), ACP_ERROR_INVALID_ARGUMENT);
    acp_dat_edit_destroy(edit);
}

/* DAT-17: the table of encodings, and what is refused. */
static void iteration_sets(void **state) {
    (void)state;
    static const struct {
        uint32_t words[5], count;
        acp_result result;
        uint32_t total, runs;
        int32_t last;
    } rows[] = {
        {{1, 1}, 2, ACP_OK, 1, 1, 1},
        {{1, 0xFFFFFFFFu, 1}, 3, ACP_OK, 1, 1, 1},
        {{2072, 0xFFFFF7E8u, 1}, 3, ACP_OK, 2072, 1, 2072},
        {{4, 0xFFFFFFFDu, 1, 7}, 4, ACP_OK, 4, 2, 7},
        {{0}, 1, ACP_OK, 0, 0, 0},
        {{3, 0xFFFFFFFCu, 1}, 3, ACP_ERROR_BAD_DATA, 0, 0, 0},
        {{100001, 0xFFFE795Fu, 1}, 3, ACP_ERROR_BAD_DATA, 0, 0, 0},
        {{5, 0xFFFFFFFDu, 1}, 3, ACP_ERROR_TRUNCATED, 0, 0, 0},
        {{2, 0x80000000u, 1}, 3, ACP_ERROR_BAD_DATA, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[20];
        for (uint32_t k = 0; k < 5; k++)
            acp_dat_put_u32(bytes + 4 * k, rows[i].words[k]);
        acp_dat_iterations set = {0};
        acp_error error;
        assert_int_equal(acp_dat_iterations_decode(bytes, 4 * rows[i].count, &set, &error), rows[i].result);
        assert_int_equal(set.total, rows[i].total);
        assert_int_equal(set.run_count, rows[i].runs);
        assert_int_equal(set.last, rows[i].last);
    }
    uint8_t bytes[12];
    static const uint8_t expected[12] = {0x18, 8, 0, 0, 0xE8, 0xF7, 0xFF, 0xFF, 1, 0, 0, 0};
    acp_dat_iterations_encode(2072, bytes);
    assert_memory_equal(bytes, expected, 12);
}

/* Work over many splits and merges with one allocation refused: the edit must be as before the refused call, which then succeeds. */
static acp_result much_work(void *user, const acp_allocator *allocator) {
    const acp_dat *base = user;
    acp_dat_edit *edit = NULL;
    acp_error error;
    acp_dat_create_options options = acp_dat_create_options_default(ACP_DAT_CELL);
    options.block_count = 16;
    acp_result result = base ? acp_dat_edit_open(base, allocator, &edit, &error) : acp_dat_edit_create(&options, allocator, &edit, &error);
    acp_result refused = result;
    static uint8_t data[300];
    for (uint32_t i = 0; i < 300 && result == ACP_OK && refused == ACP_OK; i++) {
        bool is_removing = i >= 200;
        uint32_t id = is_removing ? 0x20000u + (i - 200u) * 2u : 0x20000u + (i * 37u) % 200u;
        acp_dat_info before, after;
        acp_dat_edit_get_info(edit, &before);
        acp_dat_put_options put = acp_dat_put_options_default();
        put.storage = i % 16 == 0 ? ACP_DAT_STORE_COMPRESSED : ACP_DAT_STORE_PLAIN;
        for (int attempt = 0; attempt < 2; attempt++) {
            result = is_removing ? acp_dat_edit_remove(edit, id, &error) : acp_dat_edit_put(edit, id, data, i, &put, &error);
            if (result == ACP_OK) break;
            acp_dat_edit_get_info(edit, &after);
            assert_memory_equal(&before, &after, sizeof before);
            refused = result;
        }
        assert_int_equal(result, ACP_OK); /* the second attempt has the memory */
    }
    acp_dat *made = NULL;
    if (edit && result == ACP_OK) {
        result = acp_dat_edit_commit(edit, target, NULL, &error);
        if (result == ACP_OK) assert_int_equal(acp_dat_open(target, NULL, NULL, &made, &error), ACP_OK);
        acp_dat_close(made);
    }
    acp_dat_edit_destroy(edit);
    return refused ? refused : result;
}

static void every_allocation(void **state) {
    (void)state;
    assert_true(test_fail_every_allocation(much_work, NULL) > 10);
    acp_dat *base = NULL;
    acp_error error;
    assert_int_equal(acp_dat_open(SAMPLES "btree_130.dat", NULL, NULL, &base, &error), ACP_OK);
    assert_true(test_fail_every_allocation(much_work, base) > 10);
    acp_dat_close(base);
}

static bool stop_at_once(void *user, const char *what, uint64_t done, uint64_t total) {
    (void)user, (void)what;
    return done == total;
}

/* Writing fails in every way: the target keeps its old bytes, and no temporary file is left (remove_folder sees to that). */
static void nothing_half_written(void **state) {
    (void)state;
    acp_error error;
    acp_dat_edit *edit = new_cell_file();
    static uint8_t data[3000000];
    assert_int_equal(acp_dat_edit_put(edit, 5, data, sizeof data, NULL, &error), ACP_OK);
    FILE *stream = fopen(target, "wb");
    fputs("old", stream);
    fclose(stream);

    acp_progress progress = {NULL, stop_at_once};
    acp_dat_commit_options options = acp_dat_commit_options_default();
    options.progress = &progress;
    assert_int_equal(acp_dat_edit_commit(edit, target, &options, &error), ACP_ERROR_CANCELLED);

    struct rlimit old_limit, limit;
    getrlimit(RLIMIT_FSIZE, &old_limit);
    limit = old_limit;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    static const rlim_t rooms[] = {0, 399, 400, 100000, 2000000};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        limit.rlim_cur = rooms[i]; /* the disk is full from here on */
        setrlimit(RLIMIT_FSIZE, &limit);
        acp_result result = acp_dat_edit_commit(edit, target, NULL, &error);
        setrlimit(RLIMIT_FSIZE, &old_limit);
        assert_int_equal(result, ACP_ERROR_IO);
        assert_string_equal(error.file, target);
        assert_int_not_equal(error.system_error, 0);
    }
    (void)signal(SIGXFSZ, old_handler);

    char elsewhere[TEST_PATH_CAPACITY + 32];
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/none/made.dat", folder);
    assert_int_equal(acp_dat_edit_commit(edit, elsewhere, NULL, &error), ACP_ERROR_IO);
    assert_int_equal(acp_dat_edit_commit(edit, folder, NULL, &error), ACP_ERROR_IO);
    assert_int_equal(acp_dat_edit_commit(edit, "/dev/null", NULL, &error), ACP_ERROR_IO);
    file_bytes file = load(target);
    assert_int_equal(file.size, 3);
    assert_memory_equal(file.bytes, "old", 3);
    free(file.bytes);

    (void)snprintf(elsewhere, sizeof elsewhere, "%s/mine.tmp", folder);
    options.progress = NULL;
    options.temporary_path = elsewhere;
    assert_int_equal(acp_dat_edit_commit(edit, target, &options, &error), ACP_OK);
    acp_dat *dat = NULL;
    assert_int_equal(acp_dat_open(target, NULL, NULL, &dat, &error), ACP_OK);
    acp_dat_close(dat);
    acp_dat_edit_destroy(edit);
}

/* Editing a file and committing over it: the open mapping keeps the old bytes. */
static void the_base_may_be_the_target(void **state) {
    (void)state;
    acp_dat_edit *edit = new_cell_file();
    acp_error error;
    assert_int_equal(acp_dat_edit_put(edit, 5, "one", 3, NULL, &error), ACP_OK);
    acp_dat *dat = commit_and_open(edit);
    acp_dat_edit_destroy(edit);
    assert_int_equal(acp_dat_edit_open(dat, NULL, &edit, &error), ACP_OK);
    assert_int_equal(acp_dat_edit_put(edit, 5, "two!", 4, NULL, &error), ACP_OK);
    acp_dat *after = commit_and_open(edit);
    acp_dat_record record = {0};
    assert_int_equal(acp_dat_read(dat, 5, &record, &error), ACP_OK);
    assert_int_equal(record.size, 3);
    assert_memory_equal(record.bytes, "one", 3);
    assert_int_equal(acp_dat_read(after, 5, &record, &error), ACP_OK);
    assert_memory_equal(record.bytes, "two!", 4);
    acp_dat_record_release(&record);
    acp_dat_close(after);
    acp_dat_edit_destroy(edit);
    acp_dat_close(dat);
}

/* Small steps of growth, and the container's bytes in memory: the same as in a file, opened and read from there. */
static void grows_in_steps_and_is_copied(void **state) {
    (void)state;
    acp_dat_create_options options = acp_dat_create_options_default(ACP_DAT_CELL);
    options.block_count = 8;
    options.growth_blocks = 4;
    options.reserve_blocks = 1;
    acp_dat_edit *edit = NULL;
    acp_error error;
    uint8_t bytes[300];
    memset(bytes, 7, sizeof bytes);
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_OK);
    for (uint32_t id = 1; id <= 20; id++)
        assert_int_equal(acp_dat_edit_put(edit, id, bytes, sizeof bytes, NULL, &error), ACP_OK);
    acp_dat_info info;
    acp_dat_edit_get_info(edit, &info);
    /* blocks in use: 7 of the root, 1 of the iterations, 2 of each record; 8 and then as few steps of 4 as leave more than one free */
    assert_int_equal((info.physical_size - 1024u) / 256u % 4u, 0);
    assert_int_equal((info.physical_size - 1024u) / 256u, 52);
    uint8_t *copy = malloc(info.physical_size);
    assert_non_null(copy);
    assert_int_equal(acp_dat_edit_copy_bytes(edit, copy, info.physical_size - 1u, &error), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_dat_edit_copy_bytes(edit, copy, info.physical_size, &error), ACP_OK);
    acp_dat *dat = NULL;
    acp_dat_record record = {0};
    assert_int_equal(acp_dat_open_memory(copy, info.physical_size, "copy", NULL, &dat, &error), ACP_OK);
    assert_int_equal(acp_dat_read(dat, 20, &record, &error), ACP_OK);
    assert_int_equal(record.size, sizeof bytes);
    assert_memory_equal(record.bytes, bytes, sizeof bytes);
    acp_dat_record_release(&record);
    acp_dat_close(dat);
    acp_dat_edit_destroy(edit);
    free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_byte_for_byte, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_checklist, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(sizes_replacing_removing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(changing_an_open_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_broken_free_list, make_folder, remove_folder),
        cmocka_unit_test(odd_arguments),
        cmocka_unit_test(iteration_sets),
        cmocka_unit_test_setup_teardown(every_allocation, make_folder, remove_folder),
        cmocka_unit_test(grows_in_steps_and_is_copied),
        cmocka_unit_test_setup_teardown(nothing_half_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_base_may_be_the_target, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
