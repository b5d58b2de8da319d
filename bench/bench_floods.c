/* SPDX-License-Identifier: MIT */
/* Times the floods on the fixed scenes of ../shared/bench-scenes/bench-floods.jsonl.
 *
 * Every expected array is compared first, in order; a difference ends the program with exit code 1. Then, per scene, one flood per
 * iteration with the choice of the arm (acp_flood_object into an array whose capacity alone survives), and the same with registration and
 * withdrawal of the old rows (acp_registry_calc_cross_cells): one untimed round and nine runs of at least 10 ms each, the median counting
 * (D22). Prints one JSON object per figure: bench, per, ns_per_op, allocations_per_op, cells, and bytes of list capacity per (object, cell)
 * pair. With
 * `--rounds N` nothing is timed: N floods of each scene run, for valgrind --tool=callgrind --toggle-collect=bench_run. Skips, saying so,
 * when the file is missing. Limits: files of that form. Cost: about two seconds.
 *
 * usage: bench_floods [FILE] [--only BENCH] [--rounds N] */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/membership.h"
#include "bench/measure.h"
#include "membership/registry.h"
#include "support/json_lines.h"
#include "support/scene.h"

#define RUNS        9
#define RUN_SECONDS 0.01
#define MAX_SCENES  32u

typedef struct scene_slot {
    char name[64];
    acp_json_reader reader;
    acp_scene *scene;
    acp_json_reader line;
    acp_scene_object object;
    acp_cell_array array;
    bool has_object;
    bool is_static;
} scene_slot;

static acp_counting_allocator counting;

/* The thing that is timed. Not static, so that a profiler finds it. */
uint64_t bench_run(scene_slot *s, bool registers, uint64_t rounds);

uint64_t bench_run(scene_slot *s, bool registers, uint64_t rounds) {
    uint64_t sum = 0;
    acp_world *world = s->scene->world;
    if (registers) {
        for (uint64_t i = 0; i < rounds; i++)
            sum += (uint64_t)acp_registry_calc_cross_cells(world, s->object.index, s->is_static, NULL);
        return sum;
    }
    const acp_object_row *row = acp_world_row(world, s->object.index);
    for (uint64_t i = 0; i < rounds; i++) {
        acp_flood flood = acp_flood_begin(world, &s->array);
        sum += (uint64_t)acp_flood_object(&flood, row, s->is_static) + s->array.count;
    }
    return sum;
}

static double median_ns(scene_slot *s, bool registers, volatile uint64_t *sink, double *out_best) {
    uint64_t rounds = 1000;
    for (;;) {
        double start = bench_seconds();
        *sink += bench_run(s, registers, rounds);
        if (bench_seconds() - start >= RUN_SECONDS) break;
        rounds *= 2;
    }
    double runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double start = bench_seconds();
        *sink += bench_run(s, registers, rounds);
        runs[i] = (bench_seconds() - start) * 1e9 / (double)rounds;
    }
    double median = bench_median(runs, RUNS);
    *out_best = runs[0];
    return median;
}

static bool is_expected(const acp_cell_array *array, const acp_json *expected) {
    if (!expected || expected->count != array->count) return false;
    uint32_t i = 0;
    for (const acp_json *e = expected->first; e; e = e->next, i++) {
        acp_json_input input = {ACP_OK, NULL};
        int64_t resident = 0;
        uint32_t id = acp_json_to_id(&input, acp_json_element(e, 0), "cells");
        if (input.result != ACP_OK || !acp_json_to_int64(acp_json_element(e, 1), &resident)) return false;
        if (id != array->items[i].cell_id || (resident != 0) != (array->items[i].is_resident != 0)) return false;
    }
    return true;
}

/* Reads one query line and compares its answer; the calc_cross_cells object is kept for timing. */
static bool take_query(scene_slot *s, const char *text, size_t length, const acp_json *line) {
    const acp_json *in = acp_json_member(line, "in"), *out = acp_json_member(line, "out");
    bool is_cross = acp_json_is_text(acp_json_member(line, "op"), "calc_cross_cells");
    acp_json_input input = {ACP_OK, NULL};
    if (!is_cross) { /* find_bbox_cell_list: the array as such */
        const acp_object_row *row = acp_world_row(s->scene->world, s->object.index);
        acp_flood flood = acp_flood_begin(s->scene->world, &s->array);
        acp_cell_array_reset(&s->array, acp_json_get_flag_or(&input, in, "do_not_load", false));
        return acp_find_bbox_cell_list(&flood, row->position.cell_id, row->part_count, row->parts) == ACP_OK &&
               is_expected(&s->array, acp_json_member(out, "cells")) &&
               s->array.added_outside == acp_json_get_flag_or(&input, out, "added_outside", false);
    }
    acp_json_fault fault;
    const acp_json *kept = acp_json_read(&s->line, text, length, &fault);
    s->is_static = acp_json_get_flag_or(&input, in, "static", false);
    s->has_object =
        kept && acp_scene_object_create(s->scene, &input, &s->line, acp_json_member(acp_json_member(kept, "in"), "object"), &s->object);
    if (!s->has_object) return false;
    acp_cell_array_init(&s->array, s->scene->world ? &s->scene->allocator : NULL);
    acp_flood flood = acp_flood_begin(s->scene->world, &s->array);
    const acp_object_row *row = acp_world_row(s->scene->world, s->object.index);
    return acp_flood_object(&flood, row, s->is_static) == ACP_OK && is_expected(&s->array, acp_json_member(out, "shadows"));
}

static void print_figure(scene_slot *s, bool registers, double ns, double best, uint64_t allocations, uint64_t rounds) {
    printf("{\"bench\": \"%s\", \"per\": \"%s\", \"ns_per_op\": %.1f, \"best_ns\": %.1f, \"allocations_per_op\": %.6f, \"cells\": %u",
           s->name, registers ? "flood_and_registration" : "flood", ns, best, (double)allocations / (double)rounds, s->array.count);
    acp_membership_counters c = acp_membership_get_counters(s->scene->world);
    if (registers && c.pair_count) printf(", \"bytes_per_pair\": %.2f", (double)c.pair_bytes / (double)c.pair_count);
    printf("}\n");
}

static void time_scene(scene_slot *s) {
    static volatile uint64_t sink;
    for (int registers = 0; registers < 2; registers++) {
        sink += bench_run(s, registers != 0, 16); /* warm */
        uint64_t before = counting.counters.allocations_total;
        sink += bench_run(s, registers != 0, 10000);
        uint64_t allocations = counting.counters.allocations_total - before;
        double best, median = median_ns(s, registers != 0, &sink, &best);
        print_figure(s, registers != 0, median, best, allocations, 10000);
    }
}

/* Reads the file: every scene with its object, every answer compared. False on the first difference. */
static bool read_file(acp_line_reader *lines, scene_slot *scenes, uint32_t *count) {
    acp_json_reader reader;
    memset(&reader, 0, sizeof reader);
    acp_scene_options options = {0, true, NULL}; /* the library's own order of lists */
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    options.allocator = &allocator;
    const char *text;
    size_t length;
    bool is_good = true;
    while (is_good && acp_line_reader_next(lines, &text, &length) == ACP_LINE_OK) {
        acp_json_fault fault;
        const acp_json *line = acp_json_read(&reader, text, length, &fault);
        if (!line) continue;
        const acp_json *op = acp_json_member(line, "op"), *in = acp_json_member(line, "in");
        const acp_json *name = acp_json_member(in, acp_json_is_text(op, "scene") ? "name" : "scene");
        if (acp_json_is_text(op, "scene") && *count < MAX_SCENES) {
            scene_slot *s = &scenes[(*count)++];
            snprintf(s->name, sizeof s->name, "%.*s", (int)name->count, name->text);
            acp_json_input input = {ACP_OK, NULL};
            const acp_json *kept = acp_json_read(&s->reader, text, length, &fault);
            s->scene = kept ? acp_scene_build(&input, acp_json_member(kept, "in"), &options) : NULL;
            is_good = s->scene != NULL;
            continue;
        }
        scene_slot *s = *count ? &scenes[*count - 1u] : NULL;
        is_good = s && acp_json_is_text(name, s->name) && take_query(s, text, length, line);
        if (!is_good && s) fprintf(stderr, "%s: an answer differs\n", s->name);
    }
    acp_json_reader_free(&reader);
    return is_good && *count;
}

int main(int argc, char **argv) {
    const char *file = "../shared/bench-scenes/bench-floods.jsonl", *only = NULL;
    uint64_t rounds = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = strtoull(argv[++i], NULL, 10);
        else
            file = argv[i];
    }
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_line_reader lines;
    if (acp_line_reader_open(&lines, file, NULL) != ACP_OK) {
        fprintf(stderr, "%s: not there; skipped\n", file);
        return 0;
    }
    static scene_slot scenes[MAX_SCENES];
    uint32_t count = 0;
    bool is_good = read_file(&lines, scenes, &count);
    acp_line_reader_close(&lines);
    for (uint32_t i = 0; i < count; i++) {
        scene_slot *s = &scenes[i];
        if (is_good && s->has_object && (!only || strcmp(only, s->name) == 0)) {
            if (rounds)
                (void)bench_run(s, false, rounds);
            else
                time_scene(s);
        }
        if (s->has_object) acp_scene_object_destroy(s->scene, &s->object);
        acp_cell_array_free(&s->array);
        acp_scene_destroy(s->scene);
        acp_json_reader_free(&s->reader);
        acp_json_reader_free(&s->line);
    }
    return is_good ? 0 : 1;
}
