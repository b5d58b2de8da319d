/* SPDX-License-Identifier: MIT */
/* Reading the scenes S1 to S7 and their query files: see the header. A scene is one JSON object; a query file is "BQ1\0", two counts and
 * six binary32 a query, its answers four arrays of binary32, all little-endian as they are made (a host of the other byte order is told
 * that the file is bad, by its magic counts). Everything is read into plain arrays on the heap; nothing is kept of the text.
 * Limits: those of acp_load_file; a million queries of each kind. Cost: linear. */
#include "support/bench_scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/json_values.h"
#include "support/load_file.h"

#define OPERATION "read bench scene"

enum { QUERY_LIMIT = 1000000, FLOATS_OF_QUERY = 6 };

/* An array of rows of `width` floats under a key; absent: none. */
static float *read_rows(acp_json_input *input, acp_json_reader *memory, const acp_json *scene, const char *key, uint32_t width,
                        uint32_t *out_count) {
    uint32_t count = 0;
    *out_count = 0;
    if (!acp_json_has(scene, key)) return NULL;
    const float *numbers = acp_json_get_floats(input, memory, scene, key, &count);
    if (count == 0 || acp_json_is_failed(input)) return NULL;
    float *out = malloc((size_t)count * sizeof *out);
    if (!out || count % width != 0) {
        acp_json_fail(input, out ? ACP_ERROR_BAD_DATA : ACP_ERROR_OUT_OF_MEMORY, key, "rows of another length");
        free(out);
        return NULL;
    }
    memcpy(out, numbers, (size_t)count * sizeof *out);
    *out_count = count / width;
    return out;
}

static void read_triangles(acp_json_input *input, const acp_json *scene, acp_bench_scene *out) {
    const acp_json *list = acp_json_get_array(input, scene, "triangles");
    if (acp_json_is_failed(input)) return;
    out->triangles = malloc(((size_t)list->count + 1) * 3 * sizeof *out->triangles);
    if (!out->triangles) {
        acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, "triangles", "no memory");
        return;
    }
    for (const acp_json *row = list->first; row; row = row->next) {
        uint32_t k = 0;
        for (const acp_json *number = row->first; number; number = number->next, k++) {
            int64_t value;
            if (k >= 3 || !acp_json_to_int64(number, &value) || value < 0 || value >= (int64_t)out->vertex_count) {
                acp_json_fail(input, ACP_ERROR_BAD_DATA, "triangles", "a vertex number is out of range");
                return;
            }
            out->triangles[3 * (size_t)out->triangle_count + k] = (uint32_t)value;
        }
        if (k != 3) {
            acp_json_fail(input, ACP_ERROR_BAD_DATA, "triangles", "not three numbers");
            return;
        }
        out->triangle_count++;
    }
}

static void read_scene(acp_json_input *input, acp_json_reader *memory, const acp_json *scene, acp_bench_scene *out) {
    out->sphere_radius = acp_json_get_float(input, scene, "sphere_radius");
    out->vertices = (acp_vec3 *)(void *)read_rows(input, memory, scene, "vertices", 3, &out->vertex_count);
    read_triangles(input, scene, out);
    out->spheres = (acp_sphere *)(void *)read_rows(input, memory, scene, "spheres", 4, &out->sphere_count);
    /* [x, y, z of the bottom, radius, height]: the members of acp_cylsphere in their order. */
    out->cylspheres = (acp_cylsphere *)(void *)read_rows(input, memory, scene, "cylinders", 5, &out->cylsphere_count);
}

acp_result acp_bench_scene_load(const char *path, acp_bench_scene *out_scene, acp_error *error) {
    acp_json_input input = {ACP_OK, error};
    acp_json_reader reader = {0};
    acp_json_fault fault;
    acp_bench_scene scene = {0};
    char *text;
    size_t size;
    acp_result result = acp_load_file(path, ACP_JSON_MAX_LINE, &text, &size, error);
    if (result != ACP_OK) return result;
    const acp_json *json = acp_json_read(&reader, text, size, &fault);
    if (json)
        read_scene(&input, &reader, json, &scene);
    else
        input.result = acp_error_set(error, ACP_ERROR_BAD_DATA, OPERATION, "%s", fault.message);
    acp_json_reader_free(&reader);
    free(text);
    if (acp_json_is_failed(&input))
        acp_bench_scene_free(&scene);
    else
        *out_scene = scene;
    return input.result;
}

void acp_bench_scene_free(acp_bench_scene *scene) {
    free(scene->vertices);
    free(scene->triangles);
    free(scene->spheres);
    free(scene->cylspheres);
    *scene = (acp_bench_scene){0};
}

acp_soup_source acp_bench_scene_source(const acp_bench_scene *scene) {
    return (acp_soup_source){scene->vertices,     scene->triangles,      scene->spheres,      scene->cylspheres,
                             scene->vertex_count, scene->triangle_count, scene->sphere_count, scene->cylsphere_count};
}

/* A copy of part of a file; the file is long enough. */
static void *copy_part(const char *bytes, size_t at, size_t size) {
    void *out = malloc(size ? size : 1);
    if (out) memcpy(out, bytes + at, size);
    return out;
}

acp_result acp_bench_queries_load(const char *queries, const char *answers, acp_bench_queries *out_queries, acp_error *error) {
    char *asked = NULL, *told = NULL;
    size_t asked_size, told_size;
    uint32_t counts[2] = {0, 0};
    acp_result result = acp_load_file(queries, ACP_JSON_MAX_LINE, &asked, &asked_size, error);
    if (result != ACP_OK) return result;
    result = acp_load_file(answers, ACP_JSON_MAX_LINE, &told, &told_size, error);
    if (result != ACP_OK) {
        free(asked);
        return result;
    }
    acp_bench_queries out = {0};
    if (asked_size >= 12) memcpy(counts, asked + 4, sizeof counts);
    size_t moves = counts[0], rays = counts[1], of_query = FLOATS_OF_QUERY * sizeof(float);
    if (asked_size < 12 || memcmp(asked, "BQ1", 4) != 0 || moves > QUERY_LIMIT || rays > QUERY_LIMIT) {
        result = acp_error_set(error, ACP_ERROR_BAD_DATA, OPERATION, "not a query file");
    } else if (asked_size != 12 + (moves + rays) * of_query || told_size != (3 * moves + rays) * sizeof(float)) {
        result = acp_error_set(error, ACP_ERROR_TRUNCATED, OPERATION, "the files have another length than their counts say");
    } else {
        out.move_count = counts[0];
        out.ray_count = counts[1];
        out.moves = copy_part(asked, 12, moves * of_query);
        out.rays = copy_part(asked, 12 + moves * of_query, rays * of_query);
        out.move_times = copy_part(told, 0, moves * sizeof(float));
        out.move_times_less = copy_part(told, moves * sizeof(float), moves * sizeof(float));
        out.move_times_more = copy_part(told, 2 * moves * sizeof(float), moves * sizeof(float));
        out.ray_times = copy_part(told, 3 * moves * sizeof(float), rays * sizeof(float));
        if (!out.moves || !out.rays || !out.move_times || !out.move_times_less || !out.move_times_more || !out.ray_times)
            result = acp_error_set(error, ACP_ERROR_OUT_OF_MEMORY, OPERATION, "no memory for the queries");
    }
    free(asked);
    free(told);
    if (result == ACP_OK)
        *out_queries = out;
    else
        acp_bench_queries_free(&out);
    return result;
}

void acp_bench_queries_free(acp_bench_queries *queries) {
    free(queries->moves);
    free(queries->rays);
    free(queries->move_times);
    free(queries->move_times_less);
    free(queries->move_times_more);
    free(queries->ray_times);
    *queries = (acp_bench_queries){0};
}
