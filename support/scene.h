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

#define ACP_SCENE_NAME_CAPACITY 48u

/* An object of a scene or of a single request. What the world's row cannot hold (dynamics: later floors' columns) is kept beside it. */
typedef struct acp_scene_object {
    char name[ACP_SCENE_NAME_CAPACITY]; /* empty when it has none */
    acp_object handle;
    uint32_t index;     /* row of the world */
    acp_setup *setup;   /* null: no part array */
    bool is_borrowing;  /* the setup belongs to the scene (setups, statics) */
    acp_shape **shapes; /* owned: shapes given in place, one slot per part, null where named */
    uint32_t shape_count;
    const acp_json *json;   /* valid as long as its text's tree */
    const acp_json *weenie; /* null = no game object */
    acp_vec3 velocity;
    acp_vec3 sliding_normal;
    acp_plane contact_plane;
    uint32_t contact_plane_cell_id;
    bool has_velocity;
    bool has_contact_plane;
    bool has_sliding_normal;
    float elasticity;                  /* default 0.05 */
    float friction;                    /* default 0.95 */
    struct acp_scene_object *children; /* owned */
    uint32_t child_count;
} acp_scene_object;

/* What a scene is made with. Zero: retail's quirks and retail's order of shadow lists (the vectors' own), the C library's memory. */
typedef struct acp_scene_options {
    uint32_t corrections; /* ACP_CORRECTION_* */
    bool canonical_order; /* the library's order of lists (MEM-43) instead of retail's */
    const acp_allocator *allocator;
} acp_scene_options;

typedef struct acp_scene_shape {
    char name[ACP_SCENE_NAME_CAPACITY];
    acp_shape *shape;
} acp_scene_shape;

/* A model by name: one of `setups`, or the simple setup of a shape (PHO-4), made when it is first asked for. */
typedef struct acp_scene_setup {
    char name[ACP_SCENE_NAME_CAPACITY];
    acp_setup *setup;
} acp_scene_setup;

/* A room by name: one of `structures`. */
typedef struct acp_scene_structure {
    char name[ACP_SCENE_NAME_CAPACITY];
    acp_cell_structure *structure;
} acp_scene_structure;

typedef struct acp_scene {
    acp_world *world;
    acp_terrain *terrain;
    acp_allocator allocator; /* of the world's content */
    acp_scene_shape *shapes;
    acp_cell_structure **structures;
    acp_scene_object *objects;
    acp_shape **shells; /* buildings' shapes given in place */
    acp_scene_setup *setups;
    acp_scene_structure *named_structures;
    acp_scene_object *statics; /* of `statics`, in file order; json null; one that found no cell has no handle */
    uint32_t setup_count;
    uint32_t setup_capacity;
    uint32_t named_structure_count;
    uint32_t static_count;
    uint32_t shape_count;
    uint32_t structure_count;
    uint32_t object_count;
    uint32_t shell_count;
    acp_json_reader memory; /* for definitions while building */
} acp_scene;

/* Builds the world of `definition` (null: an empty world). `definition` must outlive the scene where objects' json members are read. Faults
 * go into `input`; null then. */
acp_scene *acp_scene_build(acp_json_input *input, const acp_json *definition, const acp_scene_options *options);
void acp_scene_destroy(acp_scene *scene);

/* The scene's object of a name (an array element or member value), or of an id; null when there is none. Statics are named by their owner
 * and place in its list: "0xA9B4FFFE/3". */
acp_scene_object *acp_scene_find(acp_scene *scene, const acp_json *name);
acp_scene_object *acp_scene_find_id(acp_scene *scene, uint32_t object_id);

/* Makes an object of a request ({id, pos, state, ...}) in the scene's world, entered in the cell of its position when that is resident, not
 * registered, its children attached but not placed. False on a fault; nothing is left then. */
bool acp_scene_object_create(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *json,
                             acp_scene_object *out_object);
/* Takes it out of the world again, children first, and frees what it owns. */
void acp_scene_object_destroy(acp_scene *scene, acp_scene_object *object);

/* Registers as the object's `cross` or `register` says (README §2); without either nothing happens. */
void acp_scene_object_register(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_scene_object *object);

/* Lists of spheres {c, r} and cylspheres {low, h, r} under a key, in the reader's memory; null and 0 when absent. */
acp_sphere *acp_scene_spheres(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key, uint32_t *out_count);
acp_cylsphere *acp_scene_cylspheres(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                    uint32_t *out_count);
/* What a setup has beside its parts: spheres, cylspheres, sorting sphere, whether its heading is free, and steps, radius and height, which
 * stay as they are in *d when they are absent. */
void acp_scene_read_solids(acp_json_input *input, acp_json_reader *memory, const acp_json *json, acp_setup_definition *d);

/* ---- models by name (scene_models.c); faults go into the input ---- */
void acp_scene_build_shapes(acp_scene *scene, acp_json_input *input, const acp_json *definition);
void acp_scene_build_setups(acp_scene *scene, acp_json_input *input, const acp_json *definition);
void acp_scene_build_structures(acp_scene *scene, acp_json_input *input, const acp_json *definition);
/* {cell_bsp, polys, bsp}; null on a fault. Owned by the caller. */
acp_cell_structure *acp_scene_structure_create(acp_scene *scene, acp_json_input *input, const acp_json *json);
/* The shape of a name; null when there is none. */
acp_shape *acp_scene_find_shape(const acp_scene *scene, const acp_json *name);
/* The setup of a name, else the simple setup of the shape of that name; a fault when there is neither. Owned by the scene. */
acp_setup *acp_scene_find_setup(acp_scene *scene, acp_json_input *input, const acp_json *name);
acp_cell_structure *acp_scene_find_structure(acp_scene *scene, acp_json_input *input, const acp_json *name);

/* ---- statics (scene_static.c) ---- */
void acp_scene_build_statics(acp_scene *scene, acp_json_input *input, const acp_json *definition);
/* A shape from {physics_sphere, drawing_sphere, box, polys, bsp, vertices, always2d}; null on a fault. Owned by the caller. */
acp_shape *acp_scene_shape_create(acp_json_input *input, acp_json_reader *memory, const acp_json *json, const acp_allocator *allocator);

/* Parts with finished positions (README §3) as rows for the part floods, in the reader's memory. Shapes given in place are made and put
 * into out_owned (as many slots as parts, null where not owned, in the reader's memory): acp_scene_parts_free. */
acp_part_row *acp_scene_parts(acp_scene *scene, acp_json_input *input, acp_json_reader *memory, const acp_json *array, uint32_t *out_count,
                              acp_shape ***out_owned);
void acp_scene_parts_free(acp_shape **owned, uint32_t count);

#endif
