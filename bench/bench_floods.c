/* SPDX-License-Identifier: MIT */
/* Times the floods on the fixed scenes of ../shared/bench-scenes/bench-floods.jsonl.
 *
 * Every expected array is compared first, in order, the library's and that of the plain re-statement (plain_flood.c); a difference ends the
 * program with exit code 1. Then, per scene: one flood per iteration with the choice of the arm (acp_flood_object into an array whose
 * capacity alone survives), the plain one in turn with it; the same with registration, which finds its old rows as they should be
 * (acp_registry_calc_cross_cells); and the same with the old rows withdrawn first, so that every row is taken out and put in again. One
 * untimed round and nine runs of at least 10 ms each, the median counting (D22). Prints one JSON object per figure: bench, per, ns_per_op,
 * best_ns, allocations_per_op, cells; for floods plain_ns_per_op and ratio (median of the runs' ratios), for registrations bytes of list
 * capacity per (object, cell) pair and times_flood. With `--rounds N` nothing is timed: N iterations of each scene run (of the figure
 * `--mode` counts from 0), for valgrind
 * --tool=callgrind --toggle-collect=bench_run. Skips, saying so, when the file is missing. Limits: files of that form. Cost: about three
 * seconds.
 *
 * usage: bench_floods [FILE] [--only BENCH] [--rounds N [--mode 0|1|2]] */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/membership.h"
#include "bench/measure.h"
#include "bench/plain_flood.h"
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
    plain_flood_world *plain_world;
    plain_flood_object *plain_object;
    plain_flood_array plain_array;
    bool has_object;
    bool is_static;
} scene_slot;

static acp_counting_allocator counting;

typedef enum mode { MODE_FLOOD, MODE_REGISTER, MODE_WITHDRAW_AND_REGISTER, MODE_COUNT } mode;
static const char *const mode_names[MODE_COUNT] = {"flood", "flood_and_registration", "withdrawal_flood_and_registration"};

/* The thing that is timed. Not static, so that a profiler finds it. */
uint64_t bench_run(scene_slot *s, mode m, uint64_t rounds);

uint64_t bench_run(scene_slot *s, mode m, uint64_t rounds) {
    uint64_t sum = 0;
    acp_world *world = s->scene->world;
    if (m != MODE_FLOOD) {
        for (uint64_t i = 0; i < rounds; i++) {
            if (m == MODE_WITHDRAW_AND_REGISTER) acp_registry_remove(world, s->object.index);
            sum += (uint64_t)acp_registry_calc_cross_cells(world, s->object.index, s->is_static, NULL);
        }
        return sum;
    }
    const acp_object_row *row = acp_world_row(world, s->object.index);
    for (uint64_t i = 0; i < rounds; i++) {
        acp_flood flood = acp_flood_begin(world, &s->array);
        sum += (uint64_t)acp_flood_object(&flood, row, s->is_static) + s->array.count;
    }
    return sum;
}

/* The same floods by the plain re-statement. */
uint64_t bench_run_plain(scene_slot *s, uint64_t rounds);

uint64_t bench_run_plain(scene_slot *s, uint64_t rounds) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rounds; i++)
        sum += (uint64_t)plain_flood_cross_cells(s->plain_object, s->is_static, &s->plain_array) + s->plain_array.count;
    return sum;
}

typedef struct timing {
    double ns, best, plain_ns, ratio;
} timing;

static timing measure(scene_slot *s, mode m, volatile uint64_t *sink) {
    uint64_t rounds = 1000;
    for (;;) {
        double start = bench_seconds();
        *sink += bench_run(s, m, rounds);
        if (bench_seconds() - start >= RUN_SECONDS) break;
        rounds *= 2;
    }
    double runs[RUNS], plain[RUNS], ratios[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double start = bench_seconds();
        *sink += bench_run(s, m, rounds);
        double middle = bench_seconds();
        if (m == MODE_FLOOD) *sink += bench_run_plain(s, rounds);
        runs[i] = (middle - start) * 1e9 / (double)rounds;
        plain[i] = (bench_seconds() - middle) * 1e9 / (double)rounds;
        ratios[i] = runs[i] / plain[i];
    }
    timing t = {bench_median(runs, RUNS), 0.0, bench_median(plain, RUNS), bench_median(ratios, RUNS)};
    t.best = runs[0];
    return t;
}

/* Ours and the plain array against each other; false when they differ. */
static bool is_plain_alike(const acp_cell_array *array, const plain_flood_array *plain) {
    if (array->count != plain->count || array->added_outside != plain->added_outside) return false;
    for (uint32_t i = 0; i < array->count; i++)
        if (array->items[i].cell_id != plain->entries[i].cell_id || (array->items[i].is_resident != 0) != (plain->entries[i].cell != NULL))
            return false;
    return true;
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
        s->plain_array.do_not_load_cells = s->array.do_not_load_cells;
        return acp_find_bbox_cell_list(&flood, row->position.cell_id, row->part_count, row->parts) == ACP_OK &&
               plain_flood_bbox(s->plain_object, &s->plain_array) && is_plain_alike(&s->array, &s->plain_array) &&
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
    s->plain_world = plain_flood_world_of(s->scene->world);
    s->plain_object = s->plain_world ? plain_flood_object_of(s->plain_world, row) : NULL;
    return acp_flood_object(&flood, row, s->is_static) == ACP_OK && is_expected(&s->array, acp_json_member(out, "shadows")) &&
           s->plain_object && plain_flood_cross_cells(s->plain_object, s->is_static, &s->plain_array) &&
           is_plain_alike(&s->array, &s->plain_array);
}

static void print_figure(scene_slot *s, mode m, const timing *t, double flood_ns, double allocations) {
    printf("{\"bench\": \"%s\", \"per\": \"%s\", \"ns_per_op\": %.1f, \"best_ns\": %.1f, \"allocations_per_op\": %.6f, \"cells\": %u",
           s->name, mode_names[m], t->ns, t->best, allocations, s->array.count);
    acp_membership_counters c = acp_membership_get_counters(s->scene->world);
    if (m == MODE_FLOOD)
        printf(", \"plain_ns_per_op\": %.1f, \"ratio\": %.3f", t->plain_ns, t->ratio);
    else if (c.pair_count)
        printf(", \"bytes_per_pair\": %.2f, \"times_flood\": %.2f", (double)c.pair_bytes / (double)c.pair_count, t->best / flood_ns);
    printf("}\n");
}

static void time_scene(scene_slot *s) {
    static volatile uint64_t sink;
    const uint64_t counted = 10000;
    double flood_ns = 0.0;
    for (mode m = MODE_FLOOD; m < MODE_COUNT; m = (mode)(m + 1)) {
        sink += bench_run(s, m, 16); /* warm */
        uint64_t before = counting.counters.allocations_total;
        sink += bench_run(s, m, counted);
        uint64_t allocations = counting.counters.allocations_total - before;
        timing t = measure(s, m, &sink);
        if (m == MODE_FLOOD) flood_ns = t.best;
        print_figure(s, m, &t, flood_ns, (double)allocations / (double)counted);
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
    mode profiled = MODE_FLOOD;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc)
            profiled = (mode)(strtoul(argv[++i], NULL, 10) % MODE_COUNT);
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
                (void)bench_run(s, profiled, rounds);
            else
                time_scene(s);
        }
        if (s->has_object) acp_scene_object_destroy(s->scene, &s->object);
        acp_cell_array_free(&s->array);
        plain_flood_object_free(s->plain_object);
        plain_flood_world_free(s->plain_world);
        plain_flood_array_free(&s->plain_array);
        acp_scene_destroy(s->scene);
        acp_json_reader_free(&s->reader);
        acp_json_reader_free(&s->line);
    }
    return is_good ? 0 : 1;
}
