/* SPDX-License-Identifier: MIT */
#ifndef ACP_POPULATION_SCENERY_H
#define ACP_POPULATION_SCENERY_H

#include <stdbool.h>
#include <stdint.h>

#include "math/frame.h"
#include "population/scenery_catalog.h"
#include "terrain/block.h"

/* The scenery of one landblock (POP-6 to POP-9): a pure function of its ground, the land cells that hold a building, and the catalog.
 *
 * How to use an object: make it STATIC with `setup` of its model, object id 0, scale 1, at {cell_id, frame}; enter the cell, place the
 * parts, register with the static rules; only then set the scale (acp_object_set_scale does not place the parts again, which is the quirk
 * of POP-8). The index in the array is its ordinal for acp_static_order(block, ACP_STATIC_SCENERY, 0, ordinal). */

/* How a candidate ended, in the order of the tests. The first four end a whole vertex. */
typedef enum acp_scenery_reason {
    ACP_SCENERY_NO_SCENE_TYPE = 0, /* vertex: terrain type or scene type index out of range */
    ACP_SCENERY_NO_SCENE,          /* vertex: the scene type has no scenes */
    ACP_SCENERY_SCENE_MISSING,     /* vertex: scene id 0, or the record cannot be had */
    ACP_SCENERY_SCENE_EMPTY,       /* vertex: the scene has no descriptions */
    ACP_SCENERY_FREQUENCY,         /* lost the draw */
    ACP_SCENERY_WEENIE,            /* the server's */
    ACP_SCENERY_OUTSIDE,           /* displaced out of [0, 192): the neighbour's, or nobody's */
    ACP_SCENERY_ROAD,
    ACP_SCENERY_BUILDING, /* the point's land cell holds one */
    ACP_SCENERY_NO_GROUND,
    ACP_SCENERY_SLOPE,
    ACP_SCENERY_MODEL_MISSING,
    ACP_SCENERY_BORDER, /* reaches over the block's border (POP-9) */
    ACP_SCENERY_SCALE,  /* the scale is no positive finite number (DIV-80) */
    ACP_SCENERY_ACCEPTED,
    ACP_SCENERY_REASON_COUNT
} acp_scenery_reason;

/* "frequency", "road", … */
const char *acp_scenery_reason_name(acp_scenery_reason reason);

typedef struct acp_scenery_object {
    uint32_t object_id;   /* model id */
    uint32_t cell_id;     /* the land cell that holds it */
    uint32_t model;       /* index into catalog->models */
    uint32_t description; /* index into catalog->descriptions */
    uint32_t scene;       /* index into catalog->scenes */
    float scale;          /* to be set after registration */
    uint8_t vertex_x;     /* 0..8 */
    uint8_t vertex_y;
    uint8_t reserved[6];
    acp_matrix_frame frame; /* block-local; origin on the ground */
} acp_scenery_object;

/* A candidate as an observer sees it. */
typedef struct acp_scenery_candidate {
    acp_scenery_reason reason;
    uint32_t vertex_x, vertex_y;
    uint32_t scene;       /* index, or ACP_SCENERY_NONE */
    uint32_t ordinal;     /* k: place in the scene; 0 when a whole vertex ends */
    uint32_t description; /* index, or ACP_SCENERY_NONE */
    acp_vec3 point;       /* block-local, from ACP_SCENERY_OUTSIDE on; z is the ground's from ACP_SCENERY_SLOPE's success on */
    float value;          /* FREQUENCY: the draw; SLOPE: normal.z; SCALE and ACCEPTED: the scale; else 0 */
} acp_scenery_candidate;

typedef struct acp_scenery_observer {
    void *user;
    void (*on_candidate)(void *user, const acp_scenery_candidate *candidate);
} acp_scenery_observer;

/* Ends by reason. */
typedef struct acp_scenery_counts {
    uint32_t ends[ACP_SCENERY_REASON_COUNT];
} acp_scenery_counts;

/* Writes the accepted objects in retail's order (vertices x-major, descriptions in order), the first `capacity` of them, and returns how
 * many there are: more than `capacity` means that the array was too small. `building_mask`: bit 8*cx + cy is set when that land cell has a
 * building (acp_block.building_mask). `out_counts` and `observer` may be null. Allocates nothing. [any thread]
 * retail: CLandBlock::get_land_scenes 0x00530460 */
uint32_t acp_scenery_generate(const acp_scenery_catalog *catalog, const acp_terrain_block *terrain, uint64_t building_mask,
                              acp_scenery_object *objects, uint32_t capacity, acp_scenery_counts *out_counts,
                              const acp_scenery_observer *observer);

#endif
