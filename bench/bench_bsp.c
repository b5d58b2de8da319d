/* SPDX-License-Identifier: MIT */
/* Times the tree queries on the fixed scenes of ../shared/bench-scenes/bench-bsp.jsonl, and containment chains of 100 and 1,000 planes.
 *
 * Every answer is compared with the file's before anything is timed; a difference ends the program with exit code 1. Then, per kind of
 * query, one untimed round and nine runs of at least 10 ms, cyclic in file order, the median counting (D22). Prints one JSON object per
 * figure: bench, per, ns_per_op, plain_ns_per_op, ratio (to plain_tree.c, timed in turn), allocations_per_op, queries, and for chains
 * ns_per_plane. bench/instructions counts instructions with
 * --only and --rounds (N rounds, no timing). Skips, saying so, when the file is missing.
 *
 * usage: bench_bsp [FILE] [--only BENCH/PER] [--rounds N] */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/plain_tree.h"
#include "geom/bsp.h"
#include "geom/cell_tree.h"
#include "support/json_lines.h"
#include "support/tree_json.h"

#define MAX_QUERIES 1024u
#define RUNS        9
#define RUN_SECONDS 0.01

typedef enum kind { KIND_POINT, KIND_SPHERE, KIND_BOX, KIND_SOLID, KIND_POLY, KIND_POINT_SOLID, KIND_COUNT } kind;
static const char *const kind_names[KIND_COUNT] = {"point", "sphere", "box", "sphere_solid", "sphere_polygons", "point_solid"};

typedef struct query {
    acp_sphere sphere; /* its centre serves as the point */
    acp_box box;
    acp_vec3 movement;
    bool center_check;
    int32_t expected;
    int32_t expected_polygon;
    acp_vec3 expected_contact;
} query;

typedef struct bench {
    char name[40];
    acp_bsp *bsp;
    acp_cell_tree *cell;
    query queries[KIND_COUNT][MAX_QUERIES];
    uint32_t counts[KIND_COUNT];
} bench;

typedef struct options {
    const char *file;
    const char *only;
    uint64_t rounds; /* 0: time */
} options;

static acp_counting_allocator counting;

/* One round over the queries of a kind: the thing that is timed. Not static, so that a profiler finds it. */
int64_t bench_run(const bench *b, kind k, uint64_t rounds);
#define EACH(expression)                                                                                                                   \
    for (uint64_t round = 0; round < rounds; round++)                                                                                      \
        for (const query *q = first; q < end; q++)                                                                                         \
    sum += (int64_t)(expression)

int64_t bench_run(const bench *b, kind k, uint64_t rounds) {
    int64_t sum = 0;
    const query *const first = b->queries[k], *const end = first + b->counts[k];
    uint32_t polygon = ACP_BSP_NONE;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    switch (k) {
    case KIND_POINT:
        EACH(acp_cell_tree_contains_point(b->cell, q->sphere.center));
        break;
    case KIND_SPHERE:
        EACH(acp_cell_tree_intersects_sphere(b->cell, &q->sphere));
        break;
    case KIND_BOX:
        EACH(acp_cell_tree_intersects_box(b->cell, &q->box));
        break;
    case KIND_SOLID:
        EACH(acp_bsp_sphere_intersects_solid(b->bsp, &q->sphere, q->center_check));
        break;
    case KIND_POLY:
        EACH(acp_bsp_sphere_intersects_poly(b->bsp, &q->sphere, q->movement, &polygon, &contact));
        break;
    case KIND_POINT_SOLID:
        EACH(acp_bsp_point_intersects_solid(b->bsp, q->sphere.center));
        break;
    case KIND_COUNT:
        break;
    }
    return sum + (int64_t)polygon;
}

/* The same round by the plain re-statement. */
int64_t bench_run_plain(const plain_tree *tree, const bench *b, kind k, uint64_t rounds);
int64_t bench_run_plain(const plain_tree *tree, const bench *b, kind k, uint64_t rounds) {
    int64_t sum = 0;
    const query *const first = b->queries[k], *const end = first + b->counts[k];
    uint32_t polygon = ACP_BSP_NONE;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    switch (k) {
    case KIND_POINT:
        EACH(plain_cell_contains_point(tree, q->sphere.center));
        break;
    case KIND_SPHERE:
        EACH(plain_cell_intersects_sphere(tree, &q->sphere));
        break;
    case KIND_BOX:
        EACH(plain_cell_intersects_box(tree, &q->box));
        break;
    case KIND_SOLID:
        EACH(plain_sphere_intersects_solid(tree, &q->sphere, q->center_check));
        break;
    case KIND_POLY:
        EACH(plain_sphere_intersects_poly(tree, &q->sphere, q->movement, &polygon, &contact));
        break;
    case KIND_POINT_SOLID:
        EACH(plain_point_intersects_solid(tree, q->sphere.center));
        break;
    case KIND_COUNT:
        break;
    }
    return sum + (int64_t)polygon;
}

static bool is_answer_right(const bench *b, kind k, const query *q) {
    uint32_t polygon = ACP_BSP_NONE;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    int32_t answer = 0;
    switch (k) {
    case KIND_POINT:
        answer = acp_cell_tree_contains_point(b->cell, q->sphere.center);
        break;
    case KIND_SPHERE:
        answer = (int32_t)acp_cell_tree_intersects_sphere(b->cell, &q->sphere);
        break;
    case KIND_BOX:
        answer = acp_cell_tree_intersects_box(b->cell, &q->box);
        break;
    case KIND_SOLID:
        answer = acp_bsp_sphere_intersects_solid(b->bsp, &q->sphere, q->center_check);
        break;
    case KIND_POLY:
        answer = acp_bsp_sphere_intersects_poly(b->bsp, &q->sphere, q->movement, &polygon, &contact);
        if ((int32_t)polygon != q->expected_polygon || memcmp(&contact, &q->expected_contact, sizeof contact) != 0) return false;
        break;
    case KIND_POINT_SOLID:
        answer = acp_bsp_point_intersects_solid(b->bsp, q->sphere.center);
        break;
    case KIND_COUNT:
        return false;
    }
    return answer == q->expected;
}

static volatile int64_t sink;

/* Medians of nine runs, nanoseconds a query; ours and plain in turn, so that the ratio holds when the machine's speed drifts. */
typedef struct timing {
    double ns;
    double plain_ns;
    double ratio;     /* of each pair, the median */
    uint64_t queries; /* of ours, in all */
    bool is_equal;    /* both gave the same answers */
} timing;

static timing time_kind(const bench *b, kind k) {
    uint64_t rounds = 1;
    plain_tree *plain = b->cell != NULL ? plain_tree_of_cell(b->cell) : plain_tree_of_bsp(b->bsp);
    if (plain == NULL || bench_run(b, k, 1) != bench_run_plain(plain, b, k, 1)) {
        plain_tree_free(plain);
        return (timing){0};
    }
    for (;;) {
        double start = bench_seconds();
        sink = bench_run(b, k, rounds);
        if (bench_seconds() - start >= RUN_SECONDS) break;
        rounds *= 2;
    }
    double runs[RUNS], plain_runs[RUNS], ratios[RUNS];
    double queries = (double)rounds * (double)b->counts[k];
    for (int i = 0; i < RUNS; i++) {
        double start = bench_seconds();
        sink = bench_run(b, k, rounds);
        double middle = bench_seconds();
        sink = bench_run_plain(plain, b, k, rounds);
        runs[i] = (middle - start) * 1e9 / queries;
        plain_runs[i] = (bench_seconds() - middle) * 1e9 / queries;
        ratios[i] = runs[i] / plain_runs[i];
    }
    plain_tree_free(plain);
    uint64_t made = (RUNS + 1) * rounds * b->counts[k];
    return (timing){bench_median(runs, RUNS), bench_median(plain_runs, RUNS), bench_median(ratios, RUNS), made, true};
}

static int report(const bench *b, const options *o, uint32_t planes) {
    for (int k = 0; k < KIND_COUNT; k++) {
        if (b->counts[k] == 0) continue;
        char label[64];
        snprintf(label, sizeof label, "%s/%s", b->name, kind_names[k]);
        if (o->only != NULL && strcmp(o->only, label) != 0) continue;
        for (uint32_t i = 0; i < b->counts[k]; i++)
            if (!is_answer_right(b, (kind)k, &b->queries[k][i])) {
                fprintf(stderr, "%s: answer %u differs\n", label, i);
                return 1;
            }
        if (o->rounds != 0) {
            sink = bench_run(b, (kind)k, o->rounds);
            printf("{\"bench\": \"%s\", \"per\": \"%s\", \"queries\": %llu}\n", b->name, kind_names[k],
                   (unsigned long long)(o->rounds * b->counts[k]));
            continue;
        }
        uint64_t before = counting.counters.allocations_total;
        timing t = time_kind(b, (kind)k);
        if (!t.is_equal) {
            fprintf(stderr, "%s: the plain tree answers differently\n", label);
            return 1;
        }
        double allocations = (double)(counting.counters.allocations_total - before) / (double)t.queries;
        printf("{\"bench\": \"%s\", \"per\": \"%s\", \"ns_per_op\": %.3f, \"plain_ns_per_op\": %.3f, \"ratio\": %.3f, "
               "\"allocations_per_op\": %g, \"queries\": %u",
               b->name, kind_names[k], t.ns, t.plain_ns, t.ratio, allocations, b->counts[k]);
        if (planes != 0) printf(", \"ns_per_plane\": %.4f", t.ns / planes);
        printf("}\n");
    }
    return 0;
}

/* ---- reading the file ---- */

static void add_items(bench *b, acp_json_input *input, acp_json_reader *reader, const acp_json *line, kind k, const char *key) {
    const acp_json *in = acp_json_get_object(input, line, "in"), *out = acp_json_get_object(input, line, "out");
    uint32_t count = 0, width = k == KIND_POINT ? 3 : (k == KIND_SPHERE ? 4 : 6);
    const float *f = acp_json_get_floats(input, reader, in, key, &count);
    const acp_json *answers = acp_json_get_array(input, out, key);
    const acp_json *answer = answers == NULL ? NULL : answers->first;
    for (uint32_t i = 0; i < count / width && answer != NULL && b->counts[k] < MAX_QUERIES; i++, f += width, answer = answer->next) {
        query *q = &b->queries[k][b->counts[k]++];
        int64_t expected = 0;
        (void)acp_json_to_int64(answer, &expected);
        q->expected = (int32_t)expected;
        q->sphere = (acp_sphere){{f[0], f[1], f[2]}, width == 4 ? f[3] : 0.0f};
        if (k == KIND_BOX) q->box = (acp_box){{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
    }
}

static void add_query(bench *b, acp_json_input *input, const acp_json *line, kind k) {
    const acp_json *in = acp_json_get_object(input, line, "in"), *out = acp_json_get_object(input, line, "out");
    if (b->counts[k] >= MAX_QUERIES) return;
    query *q = &b->queries[k][b->counts[k]++];
    q->expected = acp_json_get_int32(input, out, "ret");
    if (k == KIND_POINT_SOLID) {
        q->sphere.center = acp_json_get_vec3(input, in, "v");
        return;
    }
    q->sphere = acp_json_get_sphere(input, in, "sphere");
    if (k == KIND_SOLID) {
        q->center_check = acp_json_get_flag(input, in, "center_check");
        return;
    }
    q->movement = acp_json_get_vec3(input, in, "movement");
    q->expected_polygon = acp_json_get_int32(input, out, "poly");
    q->expected_contact = acp_json_get_vec3(input, out, "contact");
}

static void read_line(bench *b, acp_json_input *input, acp_json_reader *reader, const acp_json *line, const acp_allocator *allocator) {
    const acp_json *op = acp_json_member(line, "op"), *in = acp_json_get_object(input, line, "in");
    if (acp_json_is_text(op, "cellbsp")) {
        const acp_json *tree = acp_json_get_object(input, in, "tree");
        b->cell = acp_json_to_cell_tree(input, reader, acp_json_get_object(input, tree, "root"), allocator);
        add_items(b, input, reader, line, KIND_POINT, "points");
        add_items(b, input, reader, line, KIND_SPHERE, "spheres");
        add_items(b, input, reader, line, KIND_BOX, "boxes");
    } else if (acp_json_is_text(op, "bsp_tree")) {
        b->bsp = acp_json_to_bsp(input, reader, acp_json_get_object(input, in, "tree"), allocator);
    } else if (acp_json_is_text(op, "bsp_sphere_intersects_solid")) {
        add_query(b, input, line, KIND_SOLID);
    } else if (acp_json_is_text(op, "bsp_sphere_intersects_poly")) {
        add_query(b, input, line, KIND_POLY);
    } else if (acp_json_is_text(op, "bsp_point_intersects_solid")) {
        add_query(b, input, line, KIND_POINT_SOLID);
    }
}

static void bench_clear(bench *b, const acp_allocator *allocator) {
    acp_bsp_destroy(b->bsp, allocator);
    acp_cell_tree_destroy(b->cell, allocator);
    memset(b, 0, sizeof *b);
}

static int run_file(bench *b, const options *o, const acp_allocator *allocator) {
    FILE *file = fopen(o->file, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: not there; skipped\n", o->file);
        return 0;
    }
    acp_json_reader reader = {0};
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    int status = 0;
    while (status == 0 && (length = getline(&text, &capacity, file)) > 0) {
        acp_error error;
        acp_json_input input = {ACP_OK, &error};
        acp_json_fault fault;
        const acp_json *line = acp_json_read(&reader, text, (size_t)length, &fault);
        const acp_json *name = acp_json_member(line, "bench");
        if (name != NULL && (strlen(b->name) != name->count || strncmp(b->name, name->text, name->count) != 0)) {
            if (b->name[0] != 0) status = report(b, o, 0);
            bench_clear(b, allocator);
            snprintf(b->name, sizeof b->name, "%.*s", (int)name->count, name->text);
        }
        if (line != NULL) read_line(b, &input, &reader, line, allocator);
        if (line == NULL || acp_json_is_failed(&input)) {
            fprintf(stderr, "%s: a line cannot be read\n", o->file);
            status = 3;
        }
    }
    if (status == 0) status = report(b, o, 0);
    bench_clear(b, allocator);
    free(text);
    acp_json_reader_free(&reader);
    fclose(file);
    return status;
}

/* Chains of planes round a cylinder about the z axis, every query passing all of them. */
static int run_chain(bench *b, const options *o, uint32_t planes, const acp_allocator *allocator) {
    static acp_bsp_node_source nodes[1000];
    for (uint32_t i = 0; i < planes; i++) {
        /* Normals on a square's outline: no trigonometry, every figure the same everywhere. */
        float u = -1.0f + 2.0f * (float)(i % 250u) / 250.0f;
        acp_vec3 n = (i / 250u) % 2u == 0 ? (acp_vec3){u, 0.6f, 0.8f} : (acp_vec3){0.6f, u, -0.8f};
        nodes[i] = (acp_bsp_node_source){
            .kind = ACP_BSP_INTERIOR, .plane = {n, 10.0f}, .positive = i + 1 < planes ? i + 1 : ACP_BSP_NONE, .negative = ACP_BSP_NONE};
    }
    snprintf(b->name, sizeof b->name, "chain%u", planes);
    if (acp_cell_tree_create(nodes, planes, 0, ACP_CONTENT_LENIENT, allocator, NULL, &b->cell, NULL) != ACP_OK) return 5;
    for (uint32_t i = 0; i < 64; i++) {
        float v = (float)i / 64.0f;
        query q = {.sphere = {{v, 1.0f - v, 0.5f * v}, 0.48f}, .box = {{v, -v, 0.0f}, {v + 1.0f, 1.0f - v, 1.0f}}};
        for (kind k = KIND_POINT; k <= KIND_BOX; k++) {
            q.expected = k == KIND_SPHERE ? 2 : 1;
            b->queries[k][b->counts[k]++] = q;
        }
    }
    int status = report(b, o, planes);
    bench_clear(b, allocator);
    return status;
}

int main(int argc, char **argv) {
    options o = {"../shared/bench-scenes/bench-bsp.jsonl", NULL, 0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            o.only = argv[++i];
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            o.rounds = strtoull(argv[++i], NULL, 10);
        else
            o.file = argv[i];
    }
    acp_counting_allocator_init(&counting, NULL, UINT64_MAX);
    acp_allocator allocator = acp_counting_allocator_value(&counting);
    bench *b = calloc(1, sizeof *b);
    if (b == NULL) return 5;
    int status = run_file(b, &o, &allocator);
    if (status == 0) status = run_chain(b, &o, 100, &allocator);
    if (status == 0) status = run_chain(b, &o, 1000, &allocator);
    free(b);
    return status;
}
