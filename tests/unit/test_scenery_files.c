/* SPDX-License-Identifier: MIT */
/* Scenery out of a portal file: the made-up Region gives exactly 40 objects on any ground, read strictly and leniently; what is missing or
 * damaged is a loss that is told once (POP-16), or an error when it is the Region. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "acphys/dat_edit.h"
#include "population/scenery.h"
#include "support/scenery_maker.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"
#include "tests/support/temporary.h"

typedef struct files {
    acp_dat *portal;
    acp_model_store *models;
    acp_scenery_catalog *catalog;
    uint32_t losses;
    uint32_t lost[16];
} files;

static void note_loss(void *user, const acp_error *loss) {
    files *f = user;
    if (f->losses < 16u) f->lost[f->losses] = loss->record_id;
    f->losses++;
}

/* The made-up portal file without `missing`, and byte `at` of `damaged` set to 0xFF. */
static files open_files(uint32_t missing, uint32_t damaged, uint32_t at) {
    files f;
    acp_dat_edit *edit = NULL;
    acp_error error;
    acp_dat_create_options options = acp_dat_create_options_default(ACP_DAT_PORTAL);
    memset(&f, 0, sizeof f);
    options.block_count = 64;
    assert_int_equal(acp_dat_edit_create(&options, NULL, &edit, &error), ACP_OK);
    assert_int_equal(acp_scenery_maker_put_portal(edit, &error), ACP_OK);
    if (missing) assert_int_equal(acp_dat_edit_remove(edit, missing, &error), ACP_OK);
    char path[TEST_PATH_CAPACITY];
    close(test_temporary_file("test", path));
    assert_int_equal(acp_dat_edit_commit(edit, path, NULL, &error), ACP_OK);
    if (damaged) {
        acp_dat_record record = {0};
        uint8_t bytes[4096];
        assert_int_equal(acp_dat_open(path, NULL, NULL, &f.portal, &error), ACP_OK);
        assert_int_equal(acp_dat_read(f.portal, damaged, &record, &error), ACP_OK);
        assert_true(record.size <= sizeof bytes && at < record.size);
        memcpy(bytes, record.bytes, record.size);
        bytes[at] = 0xFF;
        assert_int_equal(acp_dat_edit_put(edit, damaged, bytes, record.size, NULL, &error), ACP_OK);
        acp_dat_record_release(&record);
        acp_dat_close(f.portal);
        assert_int_equal(acp_dat_edit_commit(edit, path, NULL, &error), ACP_OK);
    }
    acp_dat_edit_destroy(edit);
    assert_int_equal(acp_dat_open(path, NULL, NULL, &f.portal, &error), ACP_OK);
    unlink(path);
    return f;
}

static acp_result load(files *f, acp_content_mode mode, const acp_allocator *allocator, acp_error *error) {
    acp_result result = acp_model_store_create(f->portal, (uint32_t)mode, allocator, &f->models, error);
    if (result != ACP_OK) return result;
    return acp_scenery_catalog_load(f->portal, f->models, mode, note_loss, f, allocator, &f->catalog, error);
}

static void unload(files *f) {
    acp_scenery_catalog_destroy(f->catalog);
    acp_model_store_destroy(f->models);
    f->catalog = NULL;
    f->models = NULL;
}

static void close_files(files *f) {
    unload(f);
    acp_dat_close(f->portal);
}

static void make_ground(acp_terrain_block *ground, uint32_t block_id, test_random *random) {
    acp_height_table table;
    uint16_t words[81];
    uint8_t heights[81];
    acp_height_table_default(&table);
    for (uint32_t i = 0; i < 81u; i++) {
        words[i] = (uint16_t)test_random_u32(random);
        heights[i] = (uint8_t)test_random_u32(random);
    }
    acp_scenery_maker_words(block_id, words);
    acp_terrain_block_build(block_id, words, heights, &table, ground);
}

static void exactly_forty(void **state) {
    (void)state;
    test_random random = {test_seed("scenery_files", 9)};
    for (uint32_t mode = 0; mode < 2u; mode++) {
        files f = open_files(0, 0, 0);
        acp_error error;
        assert_int_equal(load(&f, mode ? ACP_CONTENT_STRICT : ACP_CONTENT_LENIENT, NULL, &error), ACP_OK);
        assert_int_equal(f.losses, 0);
        assert_int_equal(f.catalog->scene_count, ACP_SCENERY_MAKER_SCENES);
        assert_int_equal(f.catalog->model_count, ACP_SCENERY_MAKER_SCENES);
        uint32_t used[ACP_SCENERY_MAKER_SCENES] = {0};
        for (uint32_t i = 0; i < 500u; i++) {
            acp_terrain_block ground;
            acp_scenery_object objects[ACP_SCENERY_MAKER_OBJECTS];
            acp_scenery_counts counts;
            uint32_t x = test_random_u32(&random) % 255u, y = test_random_u32(&random) % 255u;
            make_ground(&ground, x << 24 | y << 16, &random);
            uint32_t count = acp_scenery_generate(f.catalog, &ground, 0, objects, ACP_SCENERY_MAKER_OBJECTS, &counts, NULL);
            assert_int_equal(count, ACP_SCENERY_MAKER_OBJECTS);
            assert_int_equal(counts.ends[ACP_SCENERY_FREQUENCY], ACP_SCENERY_MAKER_OBJECTS);
            assert_int_equal(counts.ends[ACP_SCENERY_WEENIE], ACP_SCENERY_MAKER_OBJECTS);
            assert_int_equal(counts.ends[ACP_SCENERY_SLOPE], ACP_SCENERY_MAKER_OBJECTS);
            assert_int_equal(counts.ends[ACP_SCENERY_OUTSIDE], ACP_SCENERY_MAKER_OBJECTS);
            for (uint32_t k = 0; k < count; k++) {
                assert_int_equal(f.catalog->models[objects[k].model].setup->part_count, 2);
                used[objects[k].scene]++;
            }
        }
        for (uint32_t i = 0; i < ACP_SCENERY_MAKER_SCENES; i++)
            assert_true(used[i] > 0);
        close_files(&f);
    }
}

static void losses(void **state) {
    static const struct {
        uint32_t missing, damaged, at, lost, missing_scenes, missing_models;
    } rows[] = {
        {0x12000003u, 0, 0, 0x12000003u, 1, 0}, /* a scene that is not there */
        {0, 0x12000003u, 7, 0x12000003u, 1, 0}, /* one that claims four thousand million descriptions */
        {0, 0x12000003u, 4, 0x12000003u, 1, 0}, /* 255 */
        {0x02000001u, 0, 0, 0x02000001u, 0, 1}, /* a setup */
        {0, 0x02000001u, 8, 0x02000001u, 0, 1}, /* with 255 parts */
        {0x01000002u, 0, 0, 0x01000002u, 0, 4}, /* the mesh of every second setup */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        files f = open_files(rows[i].missing, rows[i].damaged, rows[i].at);
        acp_error error;
        assert_int_equal(load(&f, ACP_CONTENT_LENIENT, NULL, &error), ACP_OK);
        assert_int_equal(f.catalog->missing_scenes, rows[i].missing_scenes);
        assert_int_equal(f.catalog->missing_models, rows[i].missing_models);
        assert_int_equal(f.losses, rows[i].missing_scenes + rows[i].missing_models);
        if (rows[i].missing_models < 2u) assert_int_equal(f.lost[0], rows[i].lost);
        acp_terrain_block ground;
        acp_scenery_counts counts;
        test_random random = {5};
        make_ground(&ground, 0xA9B40000u, &random);
        uint32_t count = acp_scenery_generate(f.catalog, &ground, 0, NULL, 0, &counts, NULL);
        assert_true(count < ACP_SCENERY_MAKER_OBJECTS);
        uint32_t lost = counts.ends[ACP_SCENERY_SCENE_MISSING] + counts.ends[ACP_SCENERY_MODEL_MISSING];
        assert_int_equal(count + lost, ACP_SCENERY_MAKER_OBJECTS);
        close_files(&f);
    }
}

static void region_errors(void **state) {
    (void)state;
    acp_error error;
    files f = open_files(0x13000000u, 0, 0);
    assert_int_equal(load(&f, ACP_CONTENT_LENIENT, NULL, &error), ACP_ERROR_NOT_FOUND);
    assert_null(f.catalog);
    close_files(&f);
    f = open_files(0, 0x13000000u, 8); /* the version */
    assert_int_equal(load(&f, ACP_CONTENT_LENIENT, NULL, &error), ACP_ERROR_BAD_DATA);
    assert_int_equal(error.record_id, 0x13000000u);
    assert_null(f.catalog);
    close_files(&f);
}

static acp_result load_and_unload(void *user, const acp_allocator *allocator) {
    files *f = user;
    acp_error error;
    acp_result result = load(f, ACP_CONTENT_LENIENT, allocator, &error);
    unload(f);
    return result;
}

static void refused_memory(void **state) {
    (void)state;
    files f = open_files(0, 0, 0);
    assert_true(test_fail_every_allocation(load_and_unload, &f) > 50u);
    assert_int_equal(f.losses, 0);
    close_files(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_forty),
        cmocka_unit_test(losses),
        cmocka_unit_test(region_errors),
        cmocka_unit_test(refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
