/* SPDX-License-Identifier: MIT */
#ifndef ACP_BENCH_PLAIN_FLOOD_H
#define ACP_BENCH_PLAIN_FLOOD_H

#include <stdbool.h>
#include <stdint.h>

#include "world/world.h"

/* The floods once more as a plain re-statement in the same arithmetic (spec 04 sections 1 to 11, from resident cells): cells with pointers,
 * containment trees of nodes, one linear search per added cell, nothing shared between two tests. bench_floods times it beside the
 * library's, run by run, and gives the ratio; a differential test holds the two together. Corrections, traces and dependencies are not part
 * of it. */

typedef struct plain_flood_world plain_flood_world;
typedef struct plain_flood_object plain_flood_object;

/* Copies of what the floods read. Null when memory is out. The object must not outlive its world. */
plain_flood_world *plain_flood_world_of(const acp_world *world);
void plain_flood_world_free(plain_flood_world *world);
plain_flood_object *plain_flood_object_of(const plain_flood_world *world, const acp_object_row *row);
void plain_flood_object_free(plain_flood_object *object);

/* The cell array (MEM-1); only its capacity outlives a flood. */
typedef struct plain_flood_entry {
    uint32_t cell_id;
    const struct plain_cell *cell; /* null: known by id only */
} plain_flood_entry;
typedef struct plain_flood_array {
    bool added_outside;
    bool do_not_load_cells;
    uint32_t count;
    uint32_t capacity;
    plain_flood_entry *entries;
} plain_flood_array;
void plain_flood_array_free(plain_flood_array *array);

/* MEM-31 without the registration. False when memory is out. */
bool plain_flood_cross_cells(const plain_flood_object *object, bool is_static, plain_flood_array *array);
/* MEM-29 alone. */
bool plain_flood_bbox(const plain_flood_object *object, plain_flood_array *array);
/* MEM-6, path form. *current is written as out_current of acp_find_cell_list; *hits_interior is raised. */
bool plain_flood_spheres(const plain_flood_world *world, uint32_t cell_id, acp_vec3 origin, uint32_t count, const acp_sphere *spheres,
                         plain_flood_array *array, uint32_t *current, bool *hits_interior);

#endif
