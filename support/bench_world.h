/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_BENCH_WORLD_H
#define ACP_SUPPORT_BENCH_WORLD_H

#include <stdint.h>

#include "acphys/acphys.h"
#include "support/bench_scene.h"

/* The scenes S1 to S7 as worlds to walk in: land out of the height grids (S1, S5, S6; the others stand high above flat land), meshes as
 * static objects with physics trees (S4 cut into tiles of 20 m, the others one object), cylinders and spheres as objects of one shape each.
 * Nine landblocks are resident; the scene's origin is in the middle one. */

typedef struct acp_bench_world {
    acp_world *world;
    acp_terrain *terrain;
    acp_shape **shapes;
    acp_setup **setups;
    uint32_t shape_count;
    uint32_t setup_count;
    uint32_t capacity;
    acp_vec3 shift; /* of the scene in the middle block */
    acp_soup *soup; /* meshes and round bodies, without the land, in the scene's own coordinates */
    float radius;   /* of the walker's spheres */
} acp_bench_world;

#define ACP_BENCH_WORLD_BLOCK 0x80800000u

/* Builds the world of a scene. `with_terrain`: the first 128 triangles and 81 vertices are a height grid. */
ACP_MUST_CHECK acp_result acp_bench_world_create(const acp_bench_scene *scene, int with_terrain, acp_vec3 shift, acp_bench_world *out_world,
                                                 acp_error *error);
void acp_bench_world_destroy(acp_bench_world *world);

/* Loads scene 1 to 7 from `directory` (../shared/bench-scenes) and builds its world where the benches and tests have it. */
ACP_MUST_CHECK acp_result acp_bench_world_load(const char *directory, int number, acp_bench_scene *out_scene, acp_bench_world *out_world,
                                               acp_error *error);

/* From the scene's coordinates to a canonical position, and back. */
acp_position acp_bench_world_position(const acp_bench_world *world, double x, double y, double z);
acp_vec3 acp_bench_world_point(const acp_bench_world *world, const acp_position *position);

/* A walker of two spheres (spec 07 PHO-5: step up 0.6, step down 1.5), in the air. */
acp_mover acp_bench_world_walker(const acp_bench_world *world);

#endif
