/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_H
#define ACP_SUPPORT_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/asset.h"
#include "acphys/terrain.h"
#include "acphys/world.h"
#include "membership/flood.h"
#include "support/json_values.h"
#include "world/world.h"

/* Small worlds from one JSON object (docs/format-scene.md; vectors README §2, §3): landblocks, rooms, buildings, shapes, objects. The same
 * form for `eval`, vectors, scenarios, captures and benches. */

/* An object of a scene or of a single request. What the world's row cannot hold (dynamics: later floors' columns) is kept beside it. */
typedef struct acp_scene_object {
    char name[48]; /* empty when it has none */
    acp_object handle;
    uint32_t index;     /* row of the world */
    acp_setup *setup;   /* owned; null: no part array */
    acp_shape **shapes; /* owned: shapes given in place */
    uint32_t shape_count;
    uint32_t part_count;
    const acp_json *json; /* valid as long as its text's tree */
    acp_vec3 velocity;
    acp_vec3 sliding_normal;
    acp_plane contact_plane;
    uint32_t contact_plane_cell_id;
    bool has_velocity;
    bool has_contact_plane;
    bool has_sliding_normal;
    bool has_weenie;
    bool has_elasticity;
    bool has_friction;
    float elasticity;                  /* default 0.05 */
    float friction;                    /* default 0.95 */
    const acp_json *weenie;            /* null = no game object */
    struct acp_scene_object *children; /* owned */
    uint32_t child_count;
} acp_scene_object;

/* What a scene is made with. Zero: quirks as retail, retail's order of shadow lists (the vectors' own), the C library's memory. */
typedef struct acp_scene_options {
    uint32_t corrections; /* ACP_CORRECTION_* */
    bool canonical_order; /* the library's order of lists (MEM-43) instead of retail's */
    const acp_allocator *allocator;
} acp_scene_options;

typedef struct acp_scene_shape {
    char name[48];
    acp_shape *shape;
} acp_scene_shape;

typedef struct acp_scene {
    acp_world *world;
    acp_terrain *terrain;
    acp_scene_shape *shapes;
    uint32_t shape_count;
    acp_cell_structure **structures;
    uint32_t structure_count;
    acp_scene_object *objects;
    uint32_t object_count;
    acp_shape **building_shapes; /* shells given in place */
    uint32_t building_shape_count;
    acp_json_reader memory; /* of definitions while building */
} acp_scene;

/* Builds the world of `definition` (null: an empty world). `definition` must outlive the scene where later floors read json members of its
 * objects. Faults go into `input`; null then. */
acp_scene *acp_scene_build(acp_json_input *input, const acp_json *definition, const acp_scene_options *options);
void acp_scene_destroy(acp_scene *scene);

/* The scene's object of a name, or null. */
acp_scene_object *acp_scene_find(acp_scene *scene, const char *name, uint32_t length);
acp_scene_object *acp_scene_find_id(acp_scene *scene, uint32_t object_id);

/* Makes an object of a request ({id, pos, state, …}) in the scene's world, entered in the cell of its position when that is resident, not
 * registered, its children attached. False on a fault. */
bool acp_scene_object_create(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *json,
                             acp_scene_object *out_object);
/* Takes it out of the world again, children first, and frees it. */
void acp_scene_object_destroy(acp_scene *scene, acp_scene_object *object);

/* Spheres {c, r} of an array member, in the reader's memory. */
acp_sphere *acp_scene_spheres(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key, uint32_t *out_count);
acp_cylsphere *acp_scene_cylspheres(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                    uint32_t *out_count);

/* A list of parts with finished positions (README §3), as rows for the part floods. Shapes given in place are made and handed over in
 * *out_owned (free each with acp_shape_destroy, then the array with free). */
acp_part_row *acp_scene_parts(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *array, uint32_t *out_count,
                              acp_shape ***out_owned, uint32_t *out_owned_count);

#endif
