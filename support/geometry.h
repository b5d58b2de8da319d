/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_GEOMETRY_H
#define ACP_SUPPORT_GEOMETRY_H

#include <stdbool.h>
#include <stdio.h>

#include "acphys/math.h"
#include "acphys/terrain.h"
#include "base/array.h"
#include "dat/record.h"

/* Polygons for people and other programs: the shapes of records, where they stand, and the files that 3D programs read (OBJ, PLY, glTF;
 * docs/format-geometry.md). A polygon that is in both lists of its record is one polygon here, told apart by its kind. */

enum {
    ACP_GEOMETRY_PHYSICS = 1, /* as in acphys/author.h */
    ACP_GEOMETRY_DRAWING = 2,
    ACP_GEOMETRY_PORTAL = 4,
    ACP_GEOMETRY_TERRAIN = 8
};

typedef struct acp_geometry_corner {
    uint32_t vertex; /* of the shape */
    float u, v;
} acp_geometry_corner;

typedef struct acp_geometry_polygon {
    uint32_t kind;         /* ACP_GEOMETRY_* */
    uint32_t first_corner; /* of all */
    uint32_t corner_count;
    int32_t physics; /* ordinal in the physics list, -1 none; of terrain: polygon of the landblock, 0..127 */
    int32_t drawing; /* ordinal in the drawing list */
    int32_t portal;  /* ordinal among the portals */
    int32_t sides_type;
    int32_t surface; /* index into the owner's surfaces, -1 none */
    int32_t back;
} acp_geometry_polygon;

typedef struct acp_geometry_vertex {
    acp_vec3 position;
    acp_vec3 normal;
} acp_geometry_vertex;

typedef struct acp_geometry_shape {
    char name[48]; /* "gfxobj_01000100", "environment_0D000010_0", "terrain_1234FFFF" */
    uint32_t record_id;
    uint32_t first_vertex, vertex_count;
    uint32_t first_polygon, polygon_count;
    uint32_t first_surface, surface_count; /* ids */
    bool has_surface_ids;
    bool has_normals; /* some are not (0,0,1) */
    bool has_uvs;
} acp_geometry_shape;

typedef struct acp_geometry_instance {
    char name[80];
    uint32_t shape;
    uint32_t id; /* what stands there: a cell, a model */
    acp_vec3 scale;
    acp_frame frame;
} acp_geometry_instance;

/* Zero-initialise; memory is the C library's. A refused allocation sticks in `is_failed`. */
typedef struct acp_geometry {
    ACP_ARRAY(acp_geometry_vertex) vertices;
    ACP_ARRAY(acp_geometry_corner) corners;
    ACP_ARRAY(acp_geometry_polygon) polygons;
    ACP_ARRAY(acp_geometry_shape) shapes;
    ACP_ARRAY(acp_geometry_instance) instances;
    ACP_ARRAY(uint32_t) surfaces;
    uint32_t dropped; /* polygons that no program could show: fewer than 3 points, a vertex out of range */
    bool is_failed;
} acp_geometry;

void acp_geometry_free(acp_geometry *g);

/* Each gives the number of the shape. Nothing is kept of the record. */
uint32_t acp_geometry_add_gfxobj(acp_geometry *g, const acp_record_gfxobj *record);
uint32_t acp_geometry_add_structure(acp_geometry *g, uint32_t environment_id, const acp_record_cell_structure *structure);
uint32_t acp_geometry_add_terrain(acp_geometry *g, const acp_terrain_block *block);
/* The shape of that name, or UINT32_MAX. */
uint32_t acp_geometry_find_shape(const acp_geometry *g, const char *name);
/* `name` null: the shape's. `frame`, `scale` null: where the shape is. */
void acp_geometry_place(acp_geometry *g, uint32_t shape, const char *name, uint32_t id, const acp_frame *frame, const acp_vec3 *scale);
/* A shape's vertex where the instance stands. */
acp_vec3 acp_geometry_vertex_of(const acp_geometry *g, const acp_geometry_instance *instance, uint32_t vertex);

/* The files. z is up in OBJ and PLY, as in the game; glTF turns it to y by its root node. False: memory ran out. What the stream could not
 * take is its own flag. */
bool acp_geometry_write_obj(const acp_geometry *g, FILE *stream);
bool acp_geometry_write_ply(const acp_geometry *g, FILE *stream);
bool acp_geometry_write_glb(const acp_geometry *g, FILE *stream);

#endif
