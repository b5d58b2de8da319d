/* SPDX-License-Identifier: MIT */
#ifndef ACP_ASSET_AUTHOR_H
#define ACP_ASSET_AUTHOR_H

#include <stdbool.h>

#include "acphys/author.h"
#include "base/arena.h"
#include "base/array.h"
#include "dat/record.h"
#include "geom/plane.h"

/* What the makers of records share (author_*.c). Polygons go by their numbers in the mesh; only the emission knows ordinals. All memory
 * but the tree's arrays is the arena's. Distances and areas are binary64; what is stored is rounded once, where it is stored. */

/* Content within this of a plane lies in it (AUT-39 e). */
#define ACP_AUTHOR_IN_PLANE 0.000199999994947575
/* Flatness of a polygon (AUT-1). */
#define ACP_AUTHOR_FLATNESS 1e-3
/* What sticks out beyond a plane by less is not followed there: a sphere that overlaps it does so by less than this beyond EPS. */
#define ACP_AUTHOR_SLIVER 2e-5
/* AUT-9. */
#define ACP_AUTHOR_SPHERE_MARGIN 0.01

typedef struct acp_author_point {
    double x, y, z;
} acp_author_point;

typedef struct acp_author_node {
    acp_plane plane;   /* interior */
    uint32_t positive; /* interior */
    uint32_t negative;
    uint32_t first_polygon; /* leaf: in the tree's list */
    uint32_t polygon_count;
    bool is_leaf;
    bool is_solid;
} acp_author_node;

typedef struct acp_author_tree {
    ACP_ARRAY(acp_author_node) nodes; /* node 0 is the root; in any order */
    ACP_ARRAY(uint32_t) polygons;
} acp_author_tree;

typedef struct acp_author {
    const acp_mesh *mesh;
    const acp_allocator *allocator;
    acp_arena *arena;
    acp_error *error;
    acp_mesh_report report;
    uint32_t id;
    uint32_t structure; /* ordinal of a room, ACP_BSP_NONE for a GfxObj */
    acp_plane *planes;  /* per polygon */
    uint32_t *physics;  /* polygons by ordinal; counts are in the report */
    uint32_t *drawing;
    uint32_t *portals;
    uint32_t *ordinals; /* per polygon: physics ordinal or ACP_BSP_NONE */
    uint32_t *drawing_ordinals;
    acp_author_tree tree;
} acp_author;

/* ---- author.c ---- */
acp_result acp_author_fail(acp_author *a, acp_result code, uint32_t polygon, const char *format, ...);
acp_result acp_author_out_of_memory(acp_author *a);

static inline uint32_t acp_author_point_count(const acp_author *a, uint32_t polygon) { return a->mesh->polygons[polygon].point_count; }
static inline acp_vec3 acp_author_vertex(const acp_author *a, uint32_t polygon, uint32_t k) {
    return a->mesh->vertices[a->mesh->indices[a->mesh->polygons[polygon].first_index + k]];
}
static inline bool acp_author_is(const acp_author *a, uint32_t polygon, uint32_t flags) {
    return (a->mesh->polygons[polygon].flags & flags) != 0;
}

/* ---- author_polygon.c: is it flat, convex, and what is its plane ---- */
acp_result acp_author_check_polygon(acp_author *a, uint32_t polygon, acp_plane *out_plane);
/* Vector area: N scaled by the area. */
acp_author_point acp_author_area(const acp_author *a, uint32_t polygon);
/* Least and greatest distance of the polygon's points from a plane. */
void acp_author_distances(const acp_author *a, const acp_plane *plane, uint32_t polygon, double *out_least, double *out_greatest);

/* ---- author_vertices.c: vertex and polygon lists of the record ---- */
acp_result acp_author_make_lists(acp_author *a, acp_record_vertices *out_vertices, acp_record_polygons *out_physics,
                                 acp_record_polygons *out_drawing);

/* ---- author_tree.c: forms of physics trees ---- */
acp_result acp_author_build_tree(acp_author *a);
uint32_t acp_author_add_node(acp_author *a, const acp_author_node *node); /* ACP_BSP_NONE: refused */
acp_result acp_author_add_leaf(acp_author *a, const uint32_t *polygons, uint32_t count, bool is_solid, uint32_t *out_node);
acp_result acp_author_leaf_tree(acp_author *a);

/* ---- author_planes.c: polygons by plane ---- */
typedef struct acp_author_group {
    acp_plane plane; /* of the first polygon; turned so that it faces the room when it was a portal's */
    uint32_t first;  /* polygon */
    uint32_t polygon_count;
    uint32_t *polygons; /* physics polygons on it, ascending */
    double area;        /* of physics polygons and portals */
    bool has_opening;
    bool is_hull; /* nothing of the room or body lies beyond (room: on the negative side; body: on the positive side) */
} acp_author_group;

typedef struct acp_author_groups {
    uint32_t count;
    acp_author_group *items; /* by first polygon */
} acp_author_groups;

/* Groups of a room (physics polygons and portals) or a body (physics polygons). */
acp_result acp_author_group_planes(acp_author *a, bool is_room, acp_author_groups *out_groups);

/* ---- author_room.c ---- */
acp_result acp_author_room_groups(acp_author *a, acp_author_groups *out_groups);
acp_result acp_author_check_room(acp_author *a, const acp_author_groups *groups);
acp_result acp_author_room_tree(acp_author *a);
acp_result acp_author_cell_tree(acp_author *a, acp_record_tree *out_tree);

/* ---- author_solid.c, author_closed.c ---- */
acp_result acp_author_solid_tree(acp_author *a);
/* Do the physics polygons close? *out_open: a polygon with an open edge. */
acp_result acp_author_is_closed(acp_author *a, bool *out_is_closed, uint32_t *out_open);
/* Six times the volume that the physics polygons enclose; negative when they face inwards. */
double acp_author_volume(const acp_author *a);

/* ---- author_hull.c: convex polyhedra as cut boxes ---- */
typedef struct acp_author_hull {
    uint32_t face_count;
    double *areas; /* per plane given, 0 when it is no face */
    bool is_bounded;
    bool is_empty;
} acp_author_hull;
/* What is on the positive side of all planes. */
acp_result acp_author_cut_hull(acp_author *a, const acp_plane *planes, uint32_t plane_count, acp_author_hull *out_hull);

/* ---- author_coverage.c: AUT-7 ---- */
acp_result acp_author_check_coverage(acp_author *a);

/* ---- author_emit.c: trees of the record ---- */
acp_result acp_author_emit_physics(acp_author *a, acp_record_tree *out_tree);
acp_result acp_author_emit_drawing(acp_author *a, acp_record_tree *out_tree);

#endif
