/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_OBJ_H
#define ACP_SUPPORT_OBJ_H

#include <stdbool.h>
#include <stddef.h>

#include "acphys/author.h"
#include "base/array.h"

/* Wavefront OBJ files as meshes to author records of (docs/format-geometry.md). */

typedef struct acp_obj_corner {
    uint32_t vertex; /* from 0 */
    uint32_t uv;     /* UINT32_MAX: none */
    uint32_t normal;
} acp_obj_corner;

typedef struct acp_obj_face {
    uint32_t first_corner;
    uint32_t corner_count;
    uint32_t kind; /* ACP_MESH_* */
    uint32_t line;
    int32_t sides_type;
    int32_t back;
    uint32_t material; /* UINT32_MAX: none yet */
} acp_obj_face;

/* An `o` of the file; what comes before the first one is an object without name. */
typedef struct acp_obj_object {
    char name[64];
    uint32_t line;
    uint32_t first_face;
    uint32_t face_count;
} acp_obj_object;

typedef struct acp_obj_material {
    char name[64];
    uint32_t kind;       /* ACP_MESH_* that the name says, or 0 */
    uint32_t surface_id; /* surface_08…, or 0 */
    int32_t slot;        /* slot_n, or -1 */
} acp_obj_material;

typedef struct acp_obj_uv {
    float u, v;
} acp_obj_uv;

/* Zero-initialise; memory is the C library's. */
typedef struct acp_obj {
    ACP_ARRAY(acp_vec3) positions;
    ACP_ARRAY(acp_vec3) normals;
    ACP_ARRAY(acp_obj_uv) uvs;
    ACP_ARRAY(acp_obj_corner) corners;
    ACP_ARRAY(acp_obj_face) faces;
    ACP_ARRAY(acp_obj_object) objects;
    ACP_ARRAY(acp_obj_material) materials;
} acp_obj;

typedef struct acp_obj_options {
    double scale;  /* metres a unit of the file */
    bool is_y_up;  /* y is up in the file: turned so that z is */
    uint32_t kind; /* of faces that neither group nor material tells: ACP_MESH_* */
} acp_obj_options;

/* Reads a whole text. `name` stands for the file in errors, whose field is "line N". Errors: BAD_DATA, NOT_FINITE, LIMIT, UNSUPPORTED
 * (curves), OUT_OF_MEMORY; free the object in any case. */
acp_result acp_obj_read(const char *text, size_t length, const char *name, const acp_obj_options *options, acp_obj *out_obj,
                        acp_error *error);
void acp_obj_free(acp_obj *obj);

/* A mesh over some of the objects, with its lists. */
typedef struct acp_obj_mesh {
    acp_mesh mesh;
    acp_vec3 *vertices;
    acp_vec3 *normals;
    float *uvs;
    uint32_t *indices;
    acp_mesh_polygon *polygons;
    uint32_t *lines; /* per polygon: of the file */
    uint32_t *surfaces;
} acp_obj_mesh;

/* Objects [first, first + count) as one mesh. `is_room`: surfaces are the slots that materials name; else surface ids in the order in which
 * the file names them first. Errors: LIMIT, OUT_OF_MEMORY; zeroed then. */
acp_result acp_obj_make_mesh(const acp_obj *obj, uint32_t first, uint32_t count, bool is_room, acp_obj_mesh *out_mesh, acp_error *error);
/* Divides polygons that are not flat or not convex into triangles, as far as they can be. *out_divided: how many were. OUT_OF_MEMORY: the
 * mesh is as before. */
acp_result acp_obj_mesh_divide(acp_obj_mesh *mesh, uint32_t *out_divided, acp_error *error);
void acp_obj_mesh_free(acp_obj_mesh *mesh);

#endif
