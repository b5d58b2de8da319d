/* SPDX-License-Identifier: MIT */
/* The whole of Dereth: 65,025 landblocks of real terrain, every recorded outdoor spawn as a creature, and a million generated ones.
 * Each spawn's cells are those of MEM-13 computed here by plain arithmetic; memory beyond the terrain stays below 300 MB; withdrawing
 * everything leaves no pair. Prints the time of registration. Skipped where ../shared is not there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "acphys/membership.h"
#include "acphys/terrain.h"
#include "membership/registry.h"
#include "support/csv.h"
#include "support/load_file.h"
#include "tests/support/dereth.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"

enum { GENERATED = 1000000 };

typedef struct whole_world {
    acp_counting_allocator counting; /* the world's memory; terrain and assets apart */
    acp_terrain *terrain;
    acp_setup *creature;
    acp_world *world;
} whole_world;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool open_world(whole_world *w, acp_allocator *allocator) {
    test_dereth dereth;
    memset(w, 0, sizeof *w);
    if (!test_dereth_load(TEST_DERETH_PATH, &dereth)) return false;
    assert_int_equal(acp_terrain_create(NULL, NULL, &w->terrain, NULL), ACP_OK);
    acp_counting_allocator_init(&w->counting, NULL, UINT64_MAX);
    *allocator = acp_counting_allocator_value(&w->counting);
    assert_int_equal(test_bare_world(allocator, &w->world), ACP_OK);
    for (uint32_t bx = 0; bx < 255; bx++)
        for (uint32_t by = 0; by < 255; by++) {
            acp_land_block land;
            test_dereth_block(&dereth, bx, by, &land);
            assert_int_equal(acp_terrain_put(w->terrain, &land, NULL), ACP_OK);
            acp_block_definition d;
            memset(&d, 0, sizeof d);
            d.struct_size = (uint32_t)sizeof d;
            d.block_id = bx << 24 | by << 16;
            d.terrain = acp_terrain_find(w->terrain, d.block_id | 1u);
            acp_block *block = NULL;
            assert_int_equal(acp_block_create(&d, allocator, &block, NULL), ACP_OK);
            assert_int_equal(acp_membership_publish(w->world, block, NULL), ACP_OK);
        }
    test_dereth_free(&dereth);
    acp_setup_definition d = acp_setup_definition_default();
    acp_sphere spheres[2] = {{{0.0f, 0.0f, 0.475f}, 0.48f}, {{0.0f, 0.0f, 1.35f}, 0.48f}};
    d.flags |= ACP_SETUP_HAS_SORTING_SPHERE;
    d.sorting_sphere.center.z = 0.9f;
    d.sorting_sphere.radius = 1.0f;
    d.spheres = spheres;
    d.sphere_count = 2;
    assert_int_equal(acp_setup_create(&d, NULL, &w->creature, NULL), ACP_OK);
    return true;
}

static void close_world(whole_world *w) {
    acp_world_destroy(w->world);
    assert_int_equal(w->counting.counters.bytes_in_use, 0);
    acp_setup_destroy(w->creature);
    acp_terrain_destroy(w->terrain);
}

/* MEM-13..15 on the whole map for one sphere of 1 m: how many of the eight neighbours are reached. */
static uint32_t expected_cells(double x, double y) {
    double px = (double)(float)(x - 24.0 * floor(x / 24.0)), py = (double)(float)(y - 24.0 * floor(y / 24.0));
    int east = px > 23.0, west = px<1.0, north = py> 23.0, south = py < 1.0;
    return (1u + (uint32_t)east + (uint32_t)west) * (1u + (uint32_t)north + (uint32_t)south);
}

typedef struct counts {
    uint32_t spawns, outdoor, beyond;
} counts;

/* Registers every row of a file of recorded positions. False: no such file. */
static bool add_spawns(whole_world *w, acp_object_definition *d, const char *path, counts *n) {
    char *csv = NULL;
    size_t length = 0;
    if (acp_load_file(path, 1u << 28, &csv, &length, NULL) != ACP_OK) return false;
    acp_csv reader;
    acp_csv_row row;
    acp_csv_fault fault;
    acp_csv_init(&reader, csv, length);
    bool is_header = true;
    acp_csv_status status;
    while ((status = acp_csv_next(&reader, &row, &fault)) != ACP_CSV_END) {
        if (status != ACP_CSV_ROW || is_header || row.count < 8) {
            is_header = false;
            continue;
        }
        uint32_t cell_id = (uint32_t)strtoul(row.fields[0].text, NULL, 16), index = cell_id & 0xFFFFu;
        if (!index) cell_id |= 1u; /* the source knew the landblock only */
        bool is_outdoor = (cell_id & 0xFFFFu) - 1u < 64u;
        if (!is_outdoor && (index < 0x100u || index > 0xFFFDu)) continue; /* no place */
        d->position.cell_id = cell_id;
        d->position.frame.origin.x = strtof(row.fields[1].text, NULL);
        d->position.frame.origin.y = strtof(row.fields[2].text, NULL);
        d->position.frame.origin.z = strtof(row.fields[3].text, NULL);
        acp_object object;
        assert_int_equal(acp_object_create(w->world, d, &object, NULL), ACP_OK);
        acp_result result = acp_membership_register(w->world, object, NULL);
        n->beyond += result == ACP_ERROR_OUTSIDE_MAP;
        if (result == ACP_ERROR_OUTSIDE_MAP) continue;
        assert_int_equal(result, ACP_OK);
        uint32_t count = 0;
        assert_int_equal(acp_membership_object_cells(w->world, object, NULL, 0, &count), ACP_OK);
        acp_object_info info;
        assert_int_equal(acp_object_get_info(w->world, object, &info), ACP_OK);
        uint32_t x = info.position.cell_id >> 24, y = (info.position.cell_id >> 16) & 0xFFu;
        if (is_outdoor && x > 0 && x < 254 && y > 0 && y < 254) /* at the rim neighbours are missing */
            assert_int_equal(count, expected_cells((double)info.position.frame.origin.x, (double)info.position.frame.origin.y));
        n->spawns++;
        n->outdoor += is_outdoor;
    }
    free(csv);
    return true;
}

static void all_of_dereth(void **state) {
    (void)state;
    whole_world w;
    acp_allocator allocator;
    if (!open_world(&w, &allocator)) {
        print_message("skipped: no ../shared/fixtures/dereth-terrain\n");
        skip();
        return;
    }
    acp_object_definition d = acp_object_definition_default();
    d.setup = w.creature;
    d.predicates = ACP_PREDICATE_GAME_OBJECT | ACP_PREDICATE_CREATURE;
    counts n = {0, 0, 0};
    double start = now();
    bool has_spawns = add_spawns(&w, &d, ACP_SOURCE_DIR "/../shared/fixtures/spawn-positions/positions.csv.gz", &n) &&
                      add_spawns(&w, &d, ACP_SOURCE_DIR "/../shared/fixtures/spawn-positions/positions-extra.csv.gz", &n);
    if (has_spawns) assert_true(n.spawns > 35000 && n.outdoor > 4000);
    double middle = now();
    test_random random = {test_seed("membership_world", 38441)};
    for (uint32_t i = 0; i < GENERATED; i++) {
        acp_object object;
        d.position.cell_id = (test_random_below(&random, 255) << 24) | (test_random_below(&random, 255) << 16) | 1u;
        d.position.frame.origin.x = (float)test_random_in(&random, 0.0, 191.9);
        d.position.frame.origin.y = (float)test_random_in(&random, 0.0, 191.9);
        assert_int_equal(acp_object_create(w.world, &d, &object, NULL), ACP_OK);
        assert_int_equal(acp_membership_register(w.world, object, NULL), ACP_OK);
    }
    double end = now();
    acp_membership_counters c = acp_membership_get_counters(w.world);
    print_message("%u spawns (%u outdoors, %u beyond the rim) in %.2f s, %u creatures in %.2f s; %.1f MB, %.2f bytes a pair, %llu pairs\n",
                  n.spawns, n.outdoor, n.beyond, middle - start, (unsigned)GENERATED, end - middle,
                  (double)w.counting.counters.bytes_in_use / 1e6, (double)c.pair_bytes / (double)c.pair_count,
                  (unsigned long long)c.pair_count);
    assert_true(w.counting.counters.bytes_in_use < 300000000u);
    assert_true(c.pair_bytes <= 12u * c.pair_count);
    assert_int_equal(c.null_row_count, n.spawns - n.outdoor); /* rooms that this world lacks are known by id */
    close_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_dereth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
