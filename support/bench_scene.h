/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_BENCH_SCENE_H
#define ACP_SUPPORT_BENCH_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"
#include "acphys/result.h"
#include "acphys/soup.h"

/* The scenes S1.json to S7.json of ../shared/bench-scenes and their query files (forms: its README), for tests and benches. */

typedef struct acp_bench_scene {
    acp_vec3 *vertices;
    uint32_t *triangles; /* three ordinals each */
    acp_cylsphere *cylspheres;
    acp_sphere *spheres;
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t cylsphere_count;
    uint32_t sphere_count;
    float sphere_radius;
} acp_bench_scene;

/* Reads a scene; numbers are rounded to binary32. Frees nothing on failure that it has not made. Errors: those of reading lines, BAD_DATA,
 * OUT_OF_MEMORY. */
ACP_MUST_CHECK acp_result acp_bench_scene_load(const char *path, acp_bench_scene *out_scene, acp_error *error);
void acp_bench_scene_free(acp_bench_scene *scene);

/* The whole scene as a soup's source; borrows. */
acp_soup_source acp_bench_scene_source(const acp_bench_scene *scene);

typedef struct acp_bench_query {
    acp_vec3 start;
    acp_vec3 end;
} acp_bench_query;

typedef struct acp_bench_queries {
    acp_bench_query *moves;
    acp_bench_query *rays;
    float *move_times;      /* 2 = a miss */
    float *move_times_less; /* with 2 mm less radius */
    float *move_times_more;
    float *ray_times;
    uint32_t move_count;
    uint32_t ray_count;
} acp_bench_queries;

/* Reads QUERIES.bq and its answers. Errors: IO (not there), TRUNCATED, BAD_DATA, OUT_OF_MEMORY. */
ACP_MUST_CHECK acp_result acp_bench_queries_load(const char *queries, const char *answers, acp_bench_queries *out_queries,
                                                 acp_error *error);
void acp_bench_queries_free(acp_bench_queries *queries);

#endif
