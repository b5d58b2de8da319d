/* SPDX-License-Identifier: MIT */
/* Damaged content: bytes of random records of a village are overwritten, records are cut short or taken out, and every landblock is loaded.
 * Leniently a landblock loads or does not load, never half; the walker finds the world whole; moves end; retiring leaves nothing. Strictly
 * what loads has no loss. A sample here; ACP_TEST_ROUNDS asks for more. Edits with such records are taken or refused, and taking all of
 * them back gives the old world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "acphys/population.h"
#include "acphys/transition.h"
#include "population/landblock.h"
#include "tests/support/random.h"
#include "tests/support/village.h"
#include "tests/support/world_hash.h"
#include "world/world.h"

enum { SIDE = 2, BLOCKS = SIDE * SIDE };

static uint32_t round_count(void) {
    const char *text = getenv("ACP_TEST_ROUNDS");
    uint32_t count = text ? (uint32_t)strtoul(text, NULL, 10) : 0;
    return count ? count : 20;
}

static void check_world(const acp_world *world) {
    acp_error error;
    /* A damaged mesh may be as large as the map, and the walker is quadratic in the cells of one object. */
    if (acp_membership_get_counters(world).null_row_count > 20000u) return;
    if (acp_membership_check(world, &error)) fail_msg("%s", error.message);
}

/* A damaged form of some record of the village's files; false when the record is to be taken out. */
static bool damage(test_random *random, const test_village *v, acp_record_edit *out_edit, uint8_t *bytes, uint32_t capacity) {
    bool is_cell = test_random_below(random, 2) != 0;
    const acp_dat *dat = is_cell ? v->cell : v->portal;
    acp_dat_info info;
    acp_dat_get_info(dat, &info);
    const acp_dat_entry *entry;
    do {
        entry = acp_dat_entry_at(dat, test_random_below(random, info.record_count));
    } while (entry->id == ACP_DAT_ITERATION_ID);
    acp_dat_record record = {0};
    assert_int_equal(acp_dat_read(dat, entry->id, &record, NULL), ACP_OK);
    assert_true(record.size <= capacity);
    memcpy(bytes, record.bytes, record.size);
    uint32_t size = record.size;
    acp_dat_record_release(&record);
    *out_edit = (acp_record_edit){is_cell ? ACP_DAT_CELL : ACP_DAT_PORTAL, entry->id, ACP_EDIT_PUT, size, bytes};
    uint32_t kind = test_random_below(random, 10);
    if (kind == 0) {
        out_edit->action = ACP_EDIT_REMOVE;
        return false;
    }
    if (kind == 1) out_edit->size = test_random_below(random, size + 1u);
    for (uint32_t i = 1u + test_random_below(random, 4); i-- > 0 && size > 4u;) /* the id stays */
        bytes[4u + test_random_below(random, size - 4u)] = test_random_below(random, 3) ? (uint8_t)test_random_u32(random) : 0xFF;
    return true;
}

static void some_moves(const acp_world *world, const test_village *v, test_random *random) {
    acp_transition_context *context = NULL;
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    for (uint32_t i = 0; i < 6; i++) {
        acp_mover mover = acp_mover_default();
        mover.sphere_count = 1;
        mover.spheres[0] = (acp_sphere){{0, 0, 0.475f}, 0.48f};
        acp_position from = {test_village_block(v, test_random_below(random, BLOCKS)) | 0x13u, {{60, 60, 10.5f}, {1, 0, 0, 0}}}, to;
        to = from;
        to.frame.origin.x += (float)test_random_in(random, -6, 6);
        to.frame.origin.y += (float)test_random_in(random, -6, 6);
        acp_move_result result;
        acp_result answer = acp_move(context, world, &mover, &from, &to, &result, NULL);
        (void)answer; /* any answer, in bounded time */
    }
    acp_transition_context_destroy(context);
}

/* An empty world takes the edit (nothing resident depends on it), then loads what it can. */
static void loads_or_not(void **state) {
    (void)state;
    test_random random = {test_seed("population_damage", 31)};
    const uint32_t rounds = round_count();
    uint32_t loaded = 0, refused = 0, losses = 0;
    for (uint32_t mode = 0; mode < 2; mode++) {
        acp_dat_source_options options = acp_dat_source_options_default();
        options.mode = mode ? ACP_CONTENT_STRICT : ACP_CONTENT_LENIENT;
        test_village v;
        test_village_open(&v, SIDE, &options);
        for (uint32_t round = 0; round < rounds; round++) {
            static uint8_t bytes[2][65536];
            acp_record_edit edits[2];
            for (uint32_t i = 0; i < 2; i++)
                (void)damage(&random, &v, &edits[i], bytes[i], sizeof bytes[i]);
            acp_world *world = NULL;
            acp_error error;
            assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
            acp_result result = acp_dat_source_edit(v.source, world, edits, 2, NULL, &error);
            if (result == ACP_OK) {
                for (uint32_t i = 0; i < BLOCKS; i++) {
                    acp_landblock *landblock = NULL;
                    result = acp_dat_source_prepare(v.source, test_village_block(&v, i), NULL, &landblock, &error);
                    if (result != ACP_OK) {
                        assert_null(landblock);
                        assert_int_not_equal(error.code, ACP_OK);
                        refused++;
                        continue;
                    }
                    acp_landblock_info info;
                    acp_landblock_get_info(landblock, &info);
                    losses += info.loss_count;
                    if (mode) assert_int_equal(info.loss_count, 0);
                    assert_int_equal(acp_landblock_publish(world, landblock, NULL), ACP_OK);
                    loaded++;
                }
                check_world(world);
                some_moves(world, &v, &random);
                for (uint32_t i = 0; i < BLOCKS; i++)
                    if (acp_world_has_block(world, test_village_block(&v, i)))
                        assert_int_equal(acp_landblock_retire(world, test_village_block(&v, i), NULL), ACP_OK);
                assert_int_equal(acp_world_object_count(world), 0);
                check_world(world);
                edits[0].action = edits[1].action = ACP_EDIT_RESTORE;
                assert_int_equal(acp_dat_source_edit(v.source, world, edits, 2, NULL, NULL), ACP_OK);
            }
            acp_world_destroy(world);
        }
        test_village_close(&v);
    }
    print_message("%u landblocks loaded with %u losses, %u refused\n", (unsigned)loaded, (unsigned)losses, (unsigned)refused);
    assert_true(loaded > rounds && refused && losses);
}

/* What stands in a world and where, landblock by landblock, whatever its handles are. */
static uint64_t hash_content(const acp_world *world, const test_village *v) {
    uint64_t hash = test_hash_cells(world);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        const acp_landblock *landblock = acp_landblock_find(world, test_village_block(v, b));
        assert_non_null(landblock);
        const acp_block *block = landblock->block;
        hash = test_hash_mix(hash, (uint64_t)landblock->static_count << 32 | landblock->loss_count);
        hash = test_hash_mix(hash, (uint64_t)block->env_cell_count << 32 | block->building_count);
        hash = test_hash_mix(hash, block->building_mask);
        hash = test_hash_bytes(hash, block->terrain->words, sizeof block->terrain->words);
        hash = test_hash_bytes(hash, landblock->visible_cells, landblock->visible_count * sizeof *landblock->visible_cells);
        for (uint32_t i = 0; i < landblock->loss_count; i++)
            hash = test_hash_bytes(hash, &landblock->losses[i], sizeof landblock->losses[i]);
        for (uint32_t i = 0; i < landblock->static_count; i++) {
            const acp_object_row *row = acp_world_row_of(world, landblock->objects[i], NULL);
            assert_non_null(row);
            hash = test_hash_mix(hash, row->static_order ^ row->holder_cell_id ^ (uint64_t)row->state << 32);
            hash = test_hash_bytes(hash, &row->position, sizeof row->position);
            hash = test_hash_bytes(hash, &row->scale, sizeof row->scale);
            for (uint32_t k = 0; k < row->part_count; k++) {
                hash = test_hash_bytes(hash, &row->parts[k].position, sizeof row->parts[k].position);
                hash = test_hash_bytes(hash, &row->parts[k].scale, sizeof row->parts[k].scale);
                hash = test_hash_mix(hash, row->parts[k].shape != NULL);
            }
        }
    }
    return hash;
}

/* A world into which the village is loaded as its source has it now. */
static uint64_t hash_fresh(const test_village *v) {
    acp_world *world = NULL;
    assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        assert_int_equal(acp_landblock_publish(world, test_village_prepare(v, test_village_block(v, i), NULL), NULL), ACP_OK);
    uint64_t hash = hash_content(world, v);
    acp_world_destroy(world);
    return hash;
}

/* The same under a resident village: an edited world is the world that is loaded with the edit. */
static void taken_back(void **state) {
    (void)state;
    test_random random = {test_seed("population_damage_edits", 32)};
    test_village v;
    test_village_open(&v, SIDE, NULL);
    acp_world *world = NULL;
    assert_int_equal(acp_world_create(NULL, &world, NULL), ACP_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        assert_int_equal(acp_landblock_publish(world, test_village_prepare(&v, test_village_block(&v, i), NULL), NULL), ACP_OK);
    uint64_t before = hash_content(world, &v);
    const uint32_t rounds = round_count();
    uint32_t taken = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        static uint8_t bytes[65536];
        acp_record_edit edit;
        (void)damage(&random, &v, &edit, bytes, sizeof bytes);
        acp_result result = acp_dat_source_edit(v.source, world, &edit, 1, NULL, NULL);
        check_world(world);
        if (result != ACP_OK) {
            assert_true(hash_content(world, &v) == before);
            continue;
        }
        taken++;
        if (hash_content(world, &v) != hash_fresh(&v))
            fail_msg("round %u: record %08X under the world", (unsigned)round, (unsigned)edit.record_id);
        edit.action = ACP_EDIT_RESTORE;
        assert_int_equal(acp_dat_source_edit(v.source, world, &edit, 1, NULL, NULL), ACP_OK);
        if (hash_content(world, &v) != before) fail_msg("round %u: record %08X taken back", (unsigned)round, (unsigned)edit.record_id);
    }
    assert_true(taken > rounds / 4u);
    acp_world_destroy(world);
    test_village_close(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_or_not), cmocka_unit_test(taken_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
