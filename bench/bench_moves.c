/* SPDX-License-Identifier: MIT */
/* Time per sub-step of whole moves: the four benchmarks of ../shared/bench-scenes/bench-moves.jsonl, and two of our own (a walk among 64
 * creatures, a walk up stairs of 0.25 m).
 *
 * Inside the clock: setting up the transition (mover, spheres, path, contact plane), all sub-steps, the verdict; outside: loading and
 * writing the result back to the object. Every answer of the file is compared first, bit for bit; a file that does not agree is not timed.
 * Nine runs of enough rounds for 10 ms, the median (D22), and the best of many single rounds, which a busy machine spoils less; one JSON
 * object a line. Sub-steps are counted, not assumed.
 * `public` is the same through acp_move, with its checks and the copied result.
 * Arguments: FILE (default as above), `once` for one round a benchmark (for
 * valgrind --tool=callgrind --toggle-collect=round_inside), `rounds N` for N of them untimed (for perf record), `only NAME`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "support/json_lines.h"
#include "support/scene.h"
#include "tools/acphys/conform.h"
#include "transition/context.h"
#include "transition/mover.h"
#include "transition/sweep.h"

enum { move_limit = 256, run_count = 9, single_rounds = 5000 };

static const char *only; /* the one benchmark to run, null = all */

typedef struct bench_move {
    acp_mover mover;
    acp_matrix_position from, to;
    acp_position public_from, public_to;
} bench_move;

typedef struct bench_group {
    char name[48];
    acp_scene *scene;
    bench_move moves[move_limit];
    uint32_t count;
} bench_group;

/* One round of a group; returns the sub-steps taken. `sink` keeps the results alive. */
static uint64_t round_inside(acp_transition_context *context, const bench_group *group, float *sink) {
    uint64_t steps = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const bench_move *bench = &group->moves[i];
        acp_transition *move = acp_transition_acquire(context, group->scene->world);
        acp_transition_seed(move, &bench->mover, NULL);
        acp_sphere_path_set_ends(&move->path, acp_world_cell(group->scene->world, bench->from.cell_id), &bench->from, &bench->to);
        if (acp_transition_find_valid_position(move)) *sink += move->path.current_position.frame.origin.x;
        steps += move->taken_steps;
        acp_transition_release(context);
    }
    return steps;
}

static uint64_t round_public(acp_transition_context *context, const bench_group *group, float *sink) {
    uint64_t steps = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const bench_move *bench = &group->moves[i];
        acp_move_result result;
        if (acp_move(context, group->scene->world, &bench->mover, &bench->public_from, &bench->public_to, &result, NULL) != ACP_OK)
            continue;
        *sink += result.position.frame.origin.x;
        steps += result.taken_steps;
    }
    return steps;
}

typedef uint64_t (*round_function)(acp_transition_context *context, const bench_group *group, float *sink);

static double measure(acp_transition_context *context, const bench_group *group, round_function round, uint64_t *out_steps, float *sink,
                      double *out_best) {
    *out_steps = round(context, group, sink);
    double begin = bench_nanoseconds();
    round(context, group, sink);
    double once = bench_nanoseconds() - begin;
    uint32_t rounds = once > 0 && once < 1e7 ? (uint32_t)(1e7 / once) + 1 : 1;
    double runs[run_count];
    for (int run = 0; run < run_count; run++) {
        begin = bench_nanoseconds();
        for (uint32_t i = 0; i < rounds; i++)
            round(context, group, sink);
        runs[run] = (bench_nanoseconds() - begin) / rounds;
    }
    double best = 0;
    for (int i = 0; i < single_rounds; i++) {
        begin = bench_nanoseconds();
        round(context, group, sink);
        double single = bench_nanoseconds() - begin;
        if (i == 0 || single < best) best = single;
    }
    *out_best = best;
    return bench_median(runs, run_count);
}

static int report(const bench_group *group, uint32_t rounds) {
    acp_transition_context *context;
    float sink = 0;
    uint64_t steps = 0;
    if (only && strcmp(only, group->name) != 0) return 0;
    if (group->count == 0 || acp_transition_context_create(NULL, &context, NULL) != ACP_OK) return 5;
    if (rounds) {
        for (uint32_t i = 0; i < rounds; i++)
            steps = round_inside(context, group, &sink);
        (void)printf("{\"bench\":\"%s\",\"moves\":%u,\"sub_steps\":%u}\n", group->name, (unsigned)group->count, (unsigned)steps);
    } else {
        double best, public_best;
        double inside = measure(context, group, round_inside, &steps, &sink, &best);
        double through = measure(context, group, round_public, &steps, &sink, &public_best);
        (void)printf(
            "{\"bench\":\"%s\",\"moves\":%u,\"sub_steps\":%u,\"ns_per_sub_step\":%.1f,\"best_ns_per_sub_step\":%.1f,\"ns_per_move\":%.1f,"
            "\"public_ns_per_sub_step\":%.1f,\"public_best_ns_per_sub_step\":%.1f,\"check\":%g}\n",
            group->name, (unsigned)group->count, (unsigned)steps, inside / (double)steps, best / (double)steps, inside / group->count,
            through / (double)steps, public_best / (double)steps, (double)sink);
    }
    acp_transition_context_destroy(context);
    return 0;
}

static void copy_name(char *out, size_t capacity, const acp_json *value) {
    size_t length = value && value->count < capacity ? value->count : 0;
    if (length) memcpy(out, value->text, length);
    out[length] = 0;
}

static void add_move(bench_group *group, acp_json_input *input, acp_json_reader *memory, const acp_json *in) {
    if (group->count >= move_limit) return;
    bench_move *move = &group->moves[group->count];
    acp_scene_object object;
    if (!acp_scene_object_create(group->scene, input, memory, acp_json_get_object(input, in, "object"), &object)) return;
    if (acp_mover_from_object(group->scene->world, object.handle, &move->mover) == ACP_OK) {
        move->mover.object = (acp_object){0, 0};
        move->mover.contact.plane = object.contact_plane;
        move->mover.contact.cell_id = object.contact_plane_cell_id;
        move->from = acp_json_get_position(input, in, "from");
        move->to = acp_json_get_position(input, in, "to");
        move->public_from = acp_matrix_position_to_public(&move->from);
        move->public_to = acp_matrix_position_to_public(&move->to);
        group->count++;
    }
    acp_scene_object_destroy(group->scene, &object);
}

/* Runs the groups of one file, in file order. */
static int run_file(const char *path, uint32_t rounds) {
    acp_conform *conform = acp_conform_new();
    acp_conform_counts counts;
    acp_conform_outcome first;
    acp_error error;
    if (!conform) return 5;
    if (acp_conform_file(conform, path, &counts, &first, &error) != ACP_OK || counts.failed || counts.unknown || counts.passed == 0) {
        (void)fprintf(stderr, "%s: not timed: answers missing or different\n", path);
        return 1;
    }
    acp_conform_free(conform);
    acp_line_reader lines = {0};
    if (acp_line_reader_open(&lines, path, &error) != ACP_OK) return 4;
    static bench_group group;
    acp_json_reader readers[2] = {{0}, {0}};
    const char *text;
    size_t length;
    char *kept = NULL;
    int result = 0;
    while (acp_line_reader_next(&lines, &text, &length) == ACP_LINE_OK) {
        acp_json_input input = {ACP_OK, &error};
        acp_json_fault fault;
        const acp_json *line = acp_json_read(&readers[1], text, length, &fault);
        if (!line) continue;
        const acp_json *in = acp_json_member(line, "in");
        if (acp_json_is_text(acp_json_member(line, "op"), "scene")) {
            if (group.scene) {
                result |= report(&group, rounds);
                acp_scene_destroy(group.scene);
            }
            free(kept);
            memset(&group, 0, sizeof group);
            kept = malloc(length);
            if (!kept) return 5;
            memcpy(kept, text, length);
            const acp_json *scene = acp_json_read(&readers[0], kept, length, &fault);
            copy_name(group.name, sizeof group.name, acp_json_member(scene, "bench"));
            acp_scene_options options = {0};
            group.scene = acp_scene_build(&input, acp_json_member(scene, "in"), &options);
            if (!group.scene) return 3;
        } else if (acp_json_is_text(acp_json_member(line, "op"), "transition")) {
            add_move(&group, &input, &readers[1], in);
        }
        if (acp_json_is_failed(&input)) return 3;
    }
    if (group.scene) {
        result |= report(&group, rounds);
        acp_scene_destroy(group.scene);
    }
    acp_line_reader_close(&lines);
    acp_json_reader_free(&readers[0]);
    acp_json_reader_free(&readers[1]);
    free(kept);
    return result;
}

/* Our own groups: level ground at 0 m and objects from a generated scene. */
static int run_generated(const char *name, const char *objects, double y, double dx, uint32_t rounds) {
    static char text[65536];
    static bench_group group;
    memset(&group, 0, sizeof group);
    (void)snprintf(group.name, sizeof group.name, "%s", name);
    int used = snprintf(text, sizeof text, "{\"blocks\":[{\"id\":\"0xA9B40000\",\"height\":[0");
    for (int i = 1; i < 81; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, ",0");
    (void)snprintf(text + used, sizeof text - (size_t)used, "]}],\"objects\":[%s]}", objects);
    acp_json_reader reader = {0}, scratch = {0};
    acp_json_fault fault;
    acp_error error;
    acp_json_input input = {ACP_OK, &error};
    acp_scene_options options = {0};
    const acp_json *definition = acp_json_read(&reader, text, strlen(text), &fault);
    if (definition) group.scene = acp_scene_build(&input, definition, &options);
    if (!group.scene) return 3;
    for (uint32_t i = 0; i < 64; i++) {
        char line[1024];
        double x = 100.0 + 0.01 * i;
        (void)snprintf(
            line, sizeof line,
            "{\"object\":{\"state\":\"0x00400408\",\"transient\":3,\"step_up\":0.6,\"step_down\":1.5,\"spheres\":[{\"c\":[0,0,0.475],"
            "\"r\":0.48},{\"c\":[0,0,1.35],\"r\":0.48}],\"contact_plane\":{\"n\":[0,0,1],\"d\":0,\"cell\":\"0xA9B40025\"}},"
            "\"from\":{\"cell\":\"0xA9B40025\",\"o\":[%g,%g,0.005]},\"to\":{\"cell\":\"0xA9B40025\",\"o\":[%g,%g,0.005]}}",
            x, y + 0.003 * i, x + dx, y + 0.003 * i);
        const acp_json *in = acp_json_read(&scratch, line, strlen(line), &fault);
        if (in) add_move(&group, &input, &scratch, in);
    }
    int result = acp_json_is_failed(&input) ? 3 : report(&group, rounds);
    acp_scene_destroy(group.scene);
    acp_json_reader_free(&reader);
    acp_json_reader_free(&scratch);
    return result;
}

static int run_creatures(uint32_t rounds) {
    static char objects[49152];
    int used = 0;
    for (int i = 0; i < 64; i++)
        used += snprintf(
            objects + used, sizeof objects - (size_t)used,
            "%s{\"id\":\"0x%08X\",\"state\":\"0x00000408\",\"weenie\":{\"11\":1},\"spheres\":[{\"c\":[0,0,0.475],\"r\":0.48},{\"c\":[0,0,"
            "1.35],\"r\":0.48}],\"pos\":{\"cell\":\"0xA9B40025\",\"o\":[%g,%g,0.005]},\"register\":[\"0xA9B40025\"]}",
            i ? "," : "", 0x50001000u + (unsigned)i, 98.0 + 2.6 * (i % 8), 98.6 + 2.6 * (i / 8));
    return run_generated("among_64_creatures", objects, 99.6, 2.4, rounds);
}

/* Ten steps of 0.25 m, 0.3 m deep, one part: its tree is cut at the edge of each step. */
static int run_stairs(uint32_t rounds) {
    static char objects[32768], polygons[8192], tree[8192];
    int used = 0, depth = 0;
    for (int i = 0; i < 10; i++) {
        double h = 0.25 * (i + 1), x = 1.0 + 0.3 * i;
        used += snprintf(polygons + used, sizeof polygons - (size_t)used,
                         "%s{\"v\":[[%g,-4,%g],[%g,-4,%g],[%g,4,%g],[%g,4,%g]]},{\"v\":[[%g,4,%g],[%g,-4,%g],[%g,-4,%g],[%g,4,%g]]}",
                         i ? "," : "", x, h, x + 0.3, h, x + 0.3, h, x, h, x, h - 0.25, x, h - 0.25, x, h, x, h);
        if (i < 9)
            depth += snprintf(
                tree + depth, sizeof tree - (size_t)depth,
                "{\"p\":[1,0,0,%g],\"s\":[2.5,0,1.25,5],\"neg\":{\"leaf\":%d,\"solid\":0,\"polys\":[%d,%d,%d],\"s\":[%g,0,%g,4.3]},"
                "\"pos\":",
                -(x + 0.3), i, 2 * i, 2 * i + 1, 2 * i + 3, x + 0.15, h);
    }
    depth += snprintf(tree + depth, sizeof tree - (size_t)depth, "{\"leaf\":9,\"solid\":0,\"polys\":[18,19],\"s\":[3.85,0,2.4,4.3]}");
    for (int i = 0; i < 9; i++)
        depth += snprintf(tree + depth, sizeof tree - (size_t)depth, "}");
    (void)snprintf(
        objects, sizeof objects,
        "{\"id\":\"0x70001000\",\"state\":\"0x00010001\",\"pos\":{\"cell\":\"0xA9B40025\",\"o\":[100,100,0]},\"register\":["
        "\"0xA9B40025\"],\"parts\":[{\"pos\":{\"cell\":\"0xA9B40025\",\"o\":[100,100,0]},\"gfx\":{\"physics_sphere\":{\"c\":[2.5,0,"
        "1.25],\"r\":5},\"polys\":[%s],\"bsp\":%s}}]}",
        polygons, tree);
    return run_generated("up_stairs_25cm", objects, 100.0, 2.0, rounds);
}

int main(int argc, char **argv) {
    const char *path = "../shared/bench-scenes/bench-moves.jsonl";
    uint32_t rounds = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "once") == 0)
            rounds = 1;
        else if (strcmp(argv[i], "rounds") == 0 && i + 1 < argc)
            rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "only") == 0 && i + 1 < argc)
            only = argv[++i];
        else
            path = argv[i];
    }
    int result = run_file(path, rounds);
    result |= run_creatures(rounds);
    result |= run_stairs(rounds);
    return result;
}
