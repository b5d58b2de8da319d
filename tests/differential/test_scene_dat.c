/* SPDX-License-Identifier: MIT */
/* Scenes and DATs are two forms of one world: what is packed comes out again byte for byte, and the world of the DATs answers floods and
 * moves as the scene does. Scenes: all of the vectors (those that records cannot say are refused with a reason), the house of spec 11, and
 * a town made of the house's models with statics in nine landblocks. ctest-label: slow (the files of 140 scenes are synced). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/acphys.h"
#include "membership/flood.h"
#include "support/load_file.h"
#include "support/scene_dat.h"
#include "support/scene_extract.h"
#include "support/scene_pack.h"
#include "tests/support/dat_pair.h"
#include "tests/support/random.h"
#include "tests/support/small_world.h"

/* False when it was refused; then a reason was told. */
static uint32_t told_count;
static void count_finding(void *user, const acp_scene_pack_finding *finding) {
    (void)user;
    assert_non_null(finding->message);
    told_count++;
}

static bool pack(const acp_json *definition, bool adapts, test_dat_pair *out, acp_scene_pack_report *report) {
    acp_error error;
    memset(&error, 0, sizeof error);
    acp_json_input input = {ACP_OK, &error};
    acp_dat_edit *portal = NULL, *cell = NULL;
    acp_scene_pack_options options = {adapts, count_finding, NULL};
    test_dat_edits(&portal, &cell);
    told_count = 0;
    acp_result result = acp_scene_pack(&input, definition, &options, portal, cell, report);
    assert_int_equal(told_count, report->refusals + report->adaptations);
    if (result == ACP_OK) {
        test_dat_pair_open(out, portal, cell, NULL);
        return true;
    }
    if (result != ACP_ERROR_UNSUPPORTED) print_message("%s: %s\n", error.field, error.message);
    assert_int_equal(result, ACP_ERROR_UNSUPPORTED);
    assert_true(report->refusals > 0);
    acp_dat_edit_destroy(portal);
    acp_dat_edit_destroy(cell);
    return false;
}

static void extract(const test_dat_pair *p, bool has_scenery, acp_json_writer *out, acp_scene_extract_report *report) {
    acp_error error;
    acp_scene_extract_options options = {.block_ids = p->blocks, .block_count = p->block_count, .has_scenery = has_scenery};
    memset(out, 0, sizeof *out);
    assert_int_equal(acp_scene_extract(p->dats[0], p->dats[1], &options, out, report, &error), ACP_OK);
    (void)acp_json_writer_text(out);
}

static acp_scene *build(const acp_json *definition) {
    acp_error error;
    memset(&error, 0, sizeof error);
    acp_json_input input = {ACP_OK, &error};
    acp_scene_options options = {.canonical_order = true};
    acp_scene *scene = acp_scene_build(&input, definition, &options);
    if (!scene) print_message("%s: %s\n", error.field, error.message);
    assert_non_null(scene);
    return scene;
}

/* --------------------------------------------------------------------------------------------------------------------- the two forms */

typedef struct cells {
    uint32_t ids[8192];
    uint32_t count;
} cells;

/* Where questions are asked: every room, and a few land cells of every block. */
static void list_cells(const test_dat_pair *p, cells *out) {
    const acp_dat_entry *entry;
    out->count = 0;
    for (uint32_t i = 0; (entry = acp_dat_entry_at(p->dats[1], i)) != NULL; i++) {
        uint32_t low = entry->id & 0xFFFFu;
        if (low >= 0x100u && low <= 0xFFFDu && entry->id != ACP_DAT_ITERATION_ID && out->count < 4096u) out->ids[out->count++] = entry->id;
        if (low == 0xFFFFu)
            for (uint32_t k = 0; k < 64u && out->count < 8192u; k += 7u)
                out->ids[out->count++] = (entry->id & 0xFFFF0000u) | (k + 1u);
    }
}

/* A place in or near a cell. */
static acp_position place_near(test_random *random, const acp_scene *scene, uint32_t cell_id) {
    const acp_env_cell *room = acp_cell_env(acp_world_cell(scene->world, cell_id));
    if ((cell_id & 0xFFFFu) < 0x100u) {
        uint32_t k = (cell_id & 0xFFFFu) - 1u;
        return test_position(cell_id, 24.0 * (k / 8u) + test_random_in(random, 0, 24), 24.0 * (k % 8u) + test_random_in(random, 0, 24),
                             test_random_in(random, 0, 40));
    }
    acp_vec3 o = {0, 0, 0};
    if (room) o = room->position.frame.origin;
    return test_position(cell_id, (double)o.x + test_random_in(random, -8, 8), (double)o.y + test_random_in(random, -8, 8),
                         (double)o.z + test_random_in(random, -4, 4));
}

static void compare_floods(test_random *random, const acp_scene *a, const acp_scene *b, const cells *c, uint32_t count) {
    acp_cell_array arrays[2];
    acp_cell_array_init(&arrays[0], NULL);
    acp_cell_array_init(&arrays[1], NULL);
    for (uint32_t i = 0; i < count; i++) {
        acp_position at = place_near(random, a, c->ids[test_random_below(random, c->count)]);
        acp_sphere spheres[2] = {{at.frame.origin, (float)test_random_in(random, 0.1, 6)}, {at.frame.origin, 0.48f}};
        uint32_t current[2] = {0, 0};
        spheres[1].center.z += 1.0f;
        const acp_world *worlds[2] = {a->world, b->world};
        for (uint32_t w = 0; w < 2u; w++) {
            acp_cell_array_reset(&arrays[w], false);
            acp_flood flood = acp_flood_begin(worlds[w], &arrays[w]);
            assert_int_equal(acp_find_cell_list(&flood, at.cell_id, at.frame.origin, 2, spheres, &current[w]), ACP_OK);
        }
        assert_int_equal(current[0], current[1]);
        assert_int_equal(arrays[0].count, arrays[1].count);
        for (uint32_t k = 0; k < arrays[0].count; k++) {
            assert_int_equal(arrays[0].items[k].cell_id, arrays[1].items[k].cell_id);
            assert_int_equal(arrays[0].items[k].is_resident, arrays[1].items[k].is_resident);
        }
    }
    acp_cell_array_free(&arrays[0]);
    acp_cell_array_free(&arrays[1]);
}

/* The name of what was hit; empty when it is no static. */
static const char *name_of(const acp_scene *scene, acp_object object) {
    for (uint32_t i = 0; i < scene->static_count; i++)
        if (object.index1 && scene->statics[i].handle.index1 == object.index1) return scene->statics[i].name;
    return "";
}

static uint32_t compare_moves(test_random *random, const acp_scene *a, const acp_scene *b, const cells *c, uint32_t count) {
    acp_transition_context *context = NULL;
    uint32_t hits = 0;
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    for (uint32_t i = 0; i < count; i++) {
        acp_position from = place_near(random, a, c->ids[test_random_below(random, c->count)]), to = from;
        acp_mover human = test_human(from.cell_id, 0);
        human.transient_state = 0;
        to.frame.origin.x += (float)test_random_in(random, -2, 2);
        to.frame.origin.y += (float)test_random_in(random, -2, 2);
        to.frame.origin.z += (float)test_random_in(random, -2, 1);
        acp_move_result results[2];
        const acp_world *worlds[2] = {a->world, b->world};
        acp_result codes[2];
        memset(results, 0, sizeof results);
        for (uint32_t w = 0; w < 2u; w++) {
            acp_transition_context_reset(context);
            codes[w] = acp_move(context, worlds[w], &human, &from, &to, &results[w], NULL);
        }
        assert_int_equal(codes[0], codes[1]);
        if (codes[0]) continue;
        assert_int_equal(results[0].verdict, results[1].verdict);
        assert_memory_equal(&results[0].position, &results[1].position, sizeof results[0].position);
        assert_int_equal(results[0].cell_id, results[1].cell_id);
        assert_memory_equal(&results[0].contact, &results[1].contact, sizeof results[0].contact);
        assert_int_equal(results[0].hit.kind, results[1].hit.kind);
        assert_int_equal(results[0].hit.polygon, results[1].hit.polygon);
        assert_string_equal(name_of(a, results[0].hit.object), name_of(b, results[1].hit.object));
        assert_int_equal(results[0].cell_count, results[1].cell_count);
        hits += results[0].hit.kind != ACP_HIT_NONE || results[0].has_collision_normal;
    }
    acp_transition_context_destroy(context);
    return hits;
}

/* The cells of every static, by its name. */
static void compare_rows(acp_scene *a, acp_scene *b) {
    uint32_t there = 0;
    for (uint32_t i = 0; i < b->static_count; i++)
        there += b->statics[i].handle.index1 != 0;
    assert_int_equal(a->static_count, there); /* what found no cell is not there */
    for (uint32_t i = 0; i < a->static_count; i++) {
        acp_cell_row rows[2][512];
        uint32_t counts[2] = {0, 0};
        acp_json name = {.type = ACP_JSON_STRING, .text = a->statics[i].name, .count = (uint32_t)strlen(a->statics[i].name)};
        const acp_scene_object *other = acp_scene_find(b, &name);
        assert_non_null(other);
        assert_int_equal(acp_membership_object_cells(a->world, a->statics[i].handle, rows[0], 512, &counts[0]), ACP_OK);
        assert_int_equal(acp_membership_object_cells(b->world, other->handle, rows[1], 512, &counts[1]), ACP_OK);
        assert_int_equal(counts[0], counts[1]);
        assert_memory_equal(rows[0], rows[1], counts[0] * sizeof rows[0][0]);
    }
}

/* Scene to DAT to scene to DAT to scene; all worlds alike. `packed` is the pack of `definition`. */
static uint32_t go_round(const test_dat_pair *packed, const acp_json *definition, const char *name, test_random *random, uint32_t questions,
                         uint32_t *out_scenery) {
    acp_json_writer texts[2], full_text;
    acp_json_reader full_reader = {0};
    acp_scene_extract_report report;
    acp_scene_pack_report pack_report;
    acp_json_reader reader = {0};
    acp_json_fault fault;
    test_dat_pair second;
    cells *c = malloc(sizeof *c);
    assert_non_null(c);
    extract(packed, false, &texts[0], &report);
    const acp_json *again = acp_json_read(&reader, texts[0].text, texts[0].length, &fault);
    assert_non_null(again);
    assert_true(pack(again, false, &second, &pack_report));
    extract(&second, false, &texts[1], &report);
    if (texts[0].length != texts[1].length || memcmp(texts[0].text, texts[1].text, texts[0].length) != 0) print_message("%s\n", name);
    assert_int_equal(texts[0].length, texts[1].length);
    assert_memory_equal(texts[0].text, texts[1].text, texts[0].length);

    acp_error error;
    acp_scene_dat world;
    acp_scene_options options = {.canonical_order = true};
    assert_int_equal(acp_scene_dat_open(&world, packed->dats[0], packed->dats[1], &options, true, &error), ACP_OK);
    assert_int_equal(acp_scene_dat_load(&world, packed->blocks, packed->block_count, NULL, &error), ACP_OK);
    extract(packed, true, &full_text, &report);
    const acp_json *full = acp_json_read(&full_reader, full_text.text, full_text.length, &fault);
    assert_non_null(full);
    acp_scene *scene = build(full);
    if (out_scenery) *out_scenery = report.scenery;
    list_cells(packed, c);
    compare_rows(world.scene, scene);
    compare_floods(random, world.scene, scene, c, questions);
    uint32_t hits = compare_moves(random, world.scene, scene, c, questions);
    if (definition) { /* the scene that was packed, which must not have been adapted */
        acp_scene *first = build(definition);
        compare_floods(random, first, scene, c, questions);
        acp_scene_destroy(first);
    }
    acp_scene_destroy(scene);
    acp_scene_dat_close(&world);
    test_dat_pair_close(&second);
    acp_json_reader_free(&reader);
    acp_json_writer_free(&texts[0]);
    acp_json_writer_free(&texts[1]);
    acp_json_reader_free(&full_reader);
    acp_json_writer_free(&full_text);
    free(c);
    return hits;
}

/* ------------------------------------------------------------------------------------------------------------------------ vectors */

static void scenes_of_vectors_go_round(void **state) {
    (void)state;
    static const char *const files[] = {"membership", "membership2", "collision", "collision2", "transition", "transition2",
                                        "scenarios",  "examples",    "body2",     "simulate",   "scenery",    "terrain"};
    test_random random = {test_seed("scene_dat", 20132)};
    uint32_t strict = 0, adapted = 0, refused = 0, hits = 0;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        char path[512], *text = NULL;
        size_t size = 0;
        acp_error error;
        (void)snprintf(path, sizeof path, "%s/tests/vectors/%s.jsonl", ACP_SOURCE_DIR, files[f]);
        assert_int_equal(acp_load_file(path, (size_t)64 << 20, &text, &size, &error), ACP_OK);
        for (const char *at = text; *at;) {
            size_t length = strcspn(at, "\n");
            acp_json_reader reader = {0};
            acp_json_fault fault;
            const acp_json *line = length > 40 && strstr(at, "\"scene\"") ? acp_json_read(&reader, at, length, &fault) : NULL;
            if (line && acp_json_is_text(acp_json_member(line, "op"), "scene")) {
                test_dat_pair packed;
                acp_scene_pack_report report = {0};
                const acp_json *definition = acp_json_member(line, "in"), *objects = acp_json_member(definition, "objects");
                if (pack(definition, true, &packed, &report)) {
                    bool is_same = report.adaptations == (objects ? objects->count : 0);
                    strict += report.adaptations == 0;
                    adapted += report.adaptations != 0;
                    hits += go_round(&packed, is_same ? definition : NULL, files[f], &random, 40, NULL);
                    test_dat_pair_close(&packed);
                } else
                    refused++;
            }
            acp_json_reader_free(&reader);
            at += length + (at[length] != '\0');
        }
        free(text);
    }
    print_message("%u scenes as they are, %u adapted, %u refused; %u moves hit something\n", strict, adapted, refused, hits);
    assert_true(strict > 90);
    assert_true(adapted > 30);
    assert_int_equal(refused, 10); /* shapes whose physics sphere is not that of their tree's root */
    assert_true(hits > 2000);
}

/* -------------------------------------------------------------------------------------------------------------- the house, a town */

static void open_house(test_dat_pair *out) {
    acp_dat_edit *portal = NULL, *cell = NULL;
    test_dat_edits(&portal, &cell);
    test_dat_put_house(portal, cell);
    test_dat_pair_open(out, portal, cell, NULL);
}

static void the_house_goes_round(void **state) {
    (void)state;
    test_dat_pair house;
    test_random random = {test_seed("scene_dat", 20133)};
    open_house(&house);
    uint32_t scenery = 0;
    assert_true(go_round(&house, NULL, "house", &random, 4000, &scenery) > 500);
    assert_true(scenery > 5); /* the sample's Region grows something on its grass */
    test_dat_pair_close(&house);
}

/* Nine landblocks of hills with the house's models as statics all over, turned at random. */
static void write_town(acp_json_writer *w, const acp_json *house, test_random *random) {
    static const char *const kept[] = {"envcells", "buildings", "structures", "setups", "gfx", "height_table"};
    static const char *const models[] = {"0x01000100", "0x01000101", "0x02000020"};
    acp_json_begin_object(w, NULL);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (acp_json_member(house, kept[i])) acp_json_write_tree(w, kept[i], acp_json_member(house, kept[i]));
    acp_json_begin_array(w, "blocks");
    for (uint32_t b = 0; b < 9u; b++) {
        acp_json_begin_object(w, NULL);
        acp_json_write_id(w, "id", (0x11u + b / 3u) << 24 | (0x33u + b % 3u) << 16);
        acp_json_begin_array(w, "height");
        for (uint32_t i = 0; i < 81u; i++)
            acp_json_write_uint(w, NULL, b == 4u ? 5u : 4u + test_random_below(random, 3));
        acp_json_end_array(w);
        acp_json_end_object(w);
    }
    acp_json_end_array(w);
    acp_json_begin_array(w, "statics");
    for (uint32_t b = 0; b < 9u; b++)
        for (uint32_t i = 0; i < 12u; i++) {
            acp_vec3 o = {(float)test_random_in(random, -2, 194), (float)test_random_in(random, 0, 192),
                          (float)test_random_in(random, 6, 14)};
            acp_quaternion q = {1.0f, 0.0f, 0.0f, 0.0f};
            if (i % 2u) q = (acp_quaternion){0.8f, 0.0f, 0.0f, 0.6f};
            acp_json_begin_object(w, NULL);
            acp_json_write_id(w, "owner", (0x11u + b / 3u) << 24 | (0x33u + b % 3u) << 16 | 0xFFFEu);
            acp_json_write_string(w, "setup", models[test_random_below(random, 3)]);
            acp_json_begin_object(w, "frame");
            acp_json_write_vec3(w, "o", o);
            acp_json_write_quaternion(w, "raw_q", q);
            acp_json_end_object(w);
            acp_json_end_object(w);
        }
    acp_json_end_array(w);
    acp_json_end_object(w);
}

static void a_town_goes_round(void **state) {
    (void)state;
    test_dat_pair house, town;
    test_random random = {test_seed("scene_dat", 20134)};
    acp_json_writer text, made = {0};
    acp_scene_extract_report report;
    acp_scene_pack_report pack_report;
    acp_json_reader readers[2] = {{0}, {0}};
    acp_json_fault fault;
    open_house(&house);
    extract(&house, false, &text, &report);
    const acp_json *scene = acp_json_read(&readers[0], text.text, text.length, &fault);
    write_town(&made, scene, &random);
    const acp_json *definition = acp_json_read(&readers[1], acp_json_writer_text(&made), made.length, &fault);
    assert_non_null(definition);
    assert_true(pack(definition, false, &town, &pack_report));
    assert_int_equal(town.block_count, 9);
    assert_true(go_round(&town, definition, "town", &random, 6000, NULL) > 500);
    test_dat_pair_close(&town);
    test_dat_pair_close(&house);
    acp_json_writer_free(&text);
    acp_json_writer_free(&made);
    acp_json_reader_free(&readers[0]);
    acp_json_reader_free(&readers[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_of_vectors_go_round), cmocka_unit_test(the_house_goes_round),
                                       cmocka_unit_test(a_town_goes_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
