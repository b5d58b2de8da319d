/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_GEOM_H
#define ACPHYS_GEOM_H

#include <stddef.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/math.h"
#include "acphys/result.h"

/** @file geom.h
 * Shapes and trees of planes. Metres, in whatever frame the owner of the shape states; trees and polygons are in the local, unscaled
 * frame of their owner (spec 03 §0). A tree asset (acp_bsp, acp_cell_tree) is one contiguous block without pointers: immutable, free to
 * be copied to any place aligned to 16 bytes, stored in a file, shared by any number of threads and instances. */

#ifdef __cplusplus
extern "C" {
#endif

/** normal . p + d, positive in front. */
typedef struct acp_plane {
    acp_vec3 normal;
    float d;
} acp_plane;

typedef struct acp_sphere {
    acp_vec3 center;
    float radius;
} acp_sphere;

/** Axis-aligned box of its frame. */
typedef struct acp_box {
    acp_vec3 min;
    acp_vec3 max;
} acp_box;

/** Upright capped cylinder: centre of the bottom, radius, height. */
typedef struct acp_cylsphere {
    acp_vec3 low_point;
    float radius;
    float height;
} acp_cylsphere;

ACP_STATIC_ASSERT(sizeof(acp_plane) == 16, "acp_plane layout");
ACP_STATIC_ASSERT(sizeof(acp_sphere) == 16, "acp_sphere layout");
ACP_STATIC_ASSERT(sizeof(acp_box) == 24, "acp_box layout");
ACP_STATIC_ASSERT(sizeof(acp_cylsphere) == 20, "acp_cylsphere layout");

/* ---- Building trees ------------------------------------------------------------------------------------------------------------- */

/** "No child", "no polygon": an index that names nothing. */
#define ACP_BSP_NONE UINT32_MAX

/** Caps (spec 02 DAT-70). */
#define ACP_BSP_MAX_DEPTH          1024u
#define ACP_BSP_MAX_POLYGONS       65535u
#define ACP_BSP_MAX_VERTICES       65535u
#define ACP_BSP_MAX_NAMED_POLYGON  32767u /**< the highest polygon number a leaf can name (03 FLAT-9) */
#define ACP_BSP_MAX_POLYGON_POINTS 255u

/** How to treat faulty content (D20, 02 DAT-72). */
typedef enum acp_content_mode {
    ACP_CONTENT_LENIENT = 0, /**< do what retail would; note a remark */
    ACP_CONTENT_STRICT = 1   /**< refuse */
} acp_content_mode;

/** A polygon of a description: `point_count` vertex ordinals from `indices[first_index]` on. Physics reads only the points; the other
 *  fields are kept for tools. */
typedef struct acp_polygon_source {
    uint32_t first_index;
    uint32_t point_count; /**< 0..255; fewer than 3 is a fault of content */
    uint32_t id;          /**< id as stored in the record; the polygon's identity is its ordinal (03 POLY-1a) */
    int32_t sides_type;   /**< 0 one side, 1 and 2 both sides; read by picking only */
} acp_polygon_source;

/** Kinds of nodes. */
typedef enum acp_bsp_node_kind {
    ACP_BSP_INTERIOR = 0,
    ACP_BSP_LEAF = 1,
    ACP_BSP_PORTAL = 2 /**< a PORT node: in a physics tree it has no sphere, and its sphere test always passes (03 BSP-3) */
} acp_bsp_node_kind;

/** A node of a description; children are indices into the node array or ACP_BSP_NONE. Fields that a kind has not are ignored. */
typedef struct acp_bsp_node_source {
    acp_bsp_node_kind kind;
    uint32_t positive;
    uint32_t negative;
    int32_t solid;          /**< leaf: its whole region is solid; any value but 0 */
    acp_plane plane;        /**< interior and portal */
    acp_sphere sphere;      /**< interior and leaf of a physics tree */
    uint32_t first_polygon; /**< leaf: first entry in `leaf_polygons` */
    uint32_t polygon_count; /**< leaf */
    int32_t leaf_index;     /**< leaf: number as stored; kept for tools */
    uint32_t reserved;      /**< 0 */
} acp_bsp_node_source;

/** A pointer-free description of polygons and a tree over them: plain arrays with indices. Everything is copied; nothing is kept. */
typedef struct acp_bsp_source {
    const acp_vec3 *vertices;
    const acp_polygon_source *polygons;
    const uint32_t *indices; /**< vertex ordinals of all polygons */
    const acp_bsp_node_source *nodes;
    const uint32_t *leaf_polygons; /**< polygon ordinals of all leaves, in file order, duplicates kept */
    uint32_t vertex_count;
    uint32_t polygon_count;
    uint32_t index_count;
    uint32_t node_count; /**< 0: polygons without a tree */
    uint32_t leaf_polygon_count;
    uint32_t root; /**< index of the root node; ignored when node_count is 0 */
} acp_bsp_source;

/** What a lenient build put up with (02 DAT-72): how often, and the first ordinal of each kind (ACP_BSP_NONE: never). */
typedef struct acp_bsp_remarks {
    uint32_t degenerate_polygons; /**< fewer than 3 points, or a computed plane that is not finite: never hit */
    uint32_t first_degenerate_polygon;
    uint32_t bad_vertex_ordinals; /**< polygons naming a vertex out of range: never hit */
    uint32_t first_bad_vertex_ordinal;
    uint32_t bad_polygon_ordinals; /**< leaf entries naming a polygon out of range: never hit */
    uint32_t first_bad_polygon_ordinal_node;
    uint32_t missing_children; /**< interior nodes with a missing child: an empty leaf */
    uint32_t first_missing_child_node;
    uint32_t portal_nodes; /**< PORT in a physics or cell tree */
    uint32_t first_portal_node;
    uint32_t negative_radii; /**< node or leaf spheres with a negative radius: kept as they are */
    uint32_t first_negative_radius_node;
    uint32_t depth; /**< levels of the tree; always filled */
} acp_bsp_remarks;

/** A physics tree with its polygons; also polygons alone. Opaque; one block of acp_bsp_size bytes, aligned to 16. */
typedef struct acp_bsp acp_bsp;

/** A containment tree: the chain of planes met on the way down the positive children (spec 03 §9). Opaque; one block, aligned to 16. */
typedef struct acp_cell_tree acp_cell_tree;

/** Builds a physics tree from a description. [any thread]
 *  @param allocator  null = the C library's memory; the same one must be given to acp_bsp_destroy
 *  @param out_remarks  may be null
 *  @param out_bsp  the block, owned by the caller; untouched on failure
 *  Errors: INVALID_ARGUMENT; LIMIT (02 DAT-70); NOT_FINITE (vertices, planes, spheres); BAD_DATA (child or list out of range, a node
 *  reached twice; in strict mode everything of acp_bsp_remarks); OUT_OF_MEMORY. error->record_id is the ordinal concerned. */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_create(const acp_bsp_source *source, acp_content_mode mode, const acp_allocator *allocator,
                                                 acp_bsp_remarks *out_remarks, acp_bsp **out_bsp, acp_error *error);

/** Frees a tree made by acp_bsp_create; null is fine. [any thread] */
ACP_API void acp_bsp_destroy(acp_bsp *bsp, const acp_allocator *allocator);

/** Bytes of the block. [any thread] */
ACP_API size_t acp_bsp_size(const acp_bsp *bsp);

/** Checks `size` untrusted bytes and gives them as a tree. Everything is checked, derived data by computing it again; afterwards every
 *  query is safe. The bytes stay the caller's and must stay unchanged, aligned to 16. [any thread]
 *  Errors: INVALID_ARGUMENT (null, alignment), TRUNCATED, BAD_DATA, LIMIT, NOT_FINITE, UNSUPPORTED (another version). */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_open(const void *bytes, size_t size, const acp_bsp **out_bsp, acp_error *error);

/** Builds a containment tree: follows positive children from `root`; a LEAF on the way ends the chain with a plane that is zero
 *  everywhere (03 CBSP-4). Only kind, plane and positive are read. node_count 0: lenient, a tree that contains nothing; strict,
 *  refused. [any thread] Errors as acp_bsp_create. */
ACP_API ACP_MUST_CHECK acp_result acp_cell_tree_create(const acp_bsp_node_source *nodes, uint32_t node_count, uint32_t root,
                                                       acp_content_mode mode, const acp_allocator *allocator, acp_bsp_remarks *out_remarks,
                                                       acp_cell_tree **out_tree, acp_error *error);

/** Frees a tree made by acp_cell_tree_create; null is fine. [any thread] */
ACP_API void acp_cell_tree_destroy(acp_cell_tree *tree, const acp_allocator *allocator);

/** Bytes of the block. [any thread] */
ACP_API size_t acp_cell_tree_size(const acp_cell_tree *tree);

/** As acp_bsp_open, for a containment tree. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_tree_open(const void *bytes, size_t size, const acp_cell_tree **out_tree, acp_error *error);

/* ---- Asking containment trees ----------------------------------------------------------------------------------------------------- */

/** Is the point inside (0.0002 m of tolerance, inclusive)? 03 CBSP-1. [any thread] Errors: INVALID_ARGUMENT, NOT_FINITE. */
ACP_API ACP_MUST_CHECK acp_result acp_cell_tree_test_point(const acp_cell_tree *tree, acp_vec3 point, int32_t *out_is_inside);

/** 0 outside, 1 partly, 2 wholly inside (0.01 m of padding). 03 CBSP-2. [any thread] Errors: INVALID_ARGUMENT, NOT_FINITE,
 *  OUT_OF_RANGE (negative radius). */
ACP_API ACP_MUST_CHECK acp_result acp_cell_tree_test_sphere(const acp_cell_tree *tree, const acp_sphere *sphere, int32_t *out_bounding);

/** Does the box touch? Conservative outside corners. 03 CBSP-3. [any thread] Errors: INVALID_ARGUMENT, NOT_FINITE, OUT_OF_RANGE
 *  (min above max). */
ACP_API ACP_MUST_CHECK acp_result acp_cell_tree_test_box(const acp_cell_tree *tree, const acp_box *box, int32_t *out_touches);

/* ---- Asking physics trees: our own questions ---------------------------------------------------------------------------------------
 * Retail has no ray in its physics (camera, missiles and sight are swept spheres). These are for hosts and tools: picking, drawing,
 * sight. binary64 throughout; they look at polygons where the tree lists them, so they see what movers see. */

/** Which faces a ray meets. */
typedef enum acp_ray_sides {
    ACP_RAY_FRONT_FACES = 0, /**< only polygons approached from their positive side */
    ACP_RAY_BOTH_FACES = 1
} acp_ray_sides;

/** What a segment or sweep meets first. */
typedef struct acp_bsp_hit {
    double fraction;  /**< 0..1 of the way from start to end */
    uint32_t polygon; /**< ordinal; the lowest one of several at the same fraction */
    int32_t is_front; /**< 1: met from its positive side */
    acp_vec3 point;   /**< of contact */
    acp_vec3 normal;  /**< of the polygon, as stored; for a sweep that meets an edge or corner: from the point to the centre */
} acp_bsp_hit;

/** First polygon on the segment from `start` to `end`; nearest first, ties by ordinal. A polygon parallel to the segment is not met; a
 *  polygon's edges belong to it. [any thread] *out_found 0 leaves *out_hit untouched. Errors: INVALID_ARGUMENT, NOT_FINITE. */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_segment_first_hit(const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, acp_ray_sides sides,
                                                            acp_bsp_hit *out_hit, int32_t *out_found);

/** Does any polygon meet the segment? Stops at the first. [any thread] Errors as above. */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_segment_any_hit(const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, acp_ray_sides sides,
                                                          int32_t *out_found);

/** First polygon met by a sphere that moves from `start` to `end` (plain geometry: face, edges, corners; two-sided or front faces
 *  only; none of retail's tolerances). A sphere that overlaps at the start hits with fraction 0. [any thread] Errors: as above,
 *  OUT_OF_RANGE (radius negative). */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_sweep_first_hit(const acp_bsp *bsp, acp_vec3 start, acp_vec3 end, float radius,
                                                          acp_ray_sides sides, acp_bsp_hit *out_hit, int32_t *out_found);

/** Is the point in the solid part of the tree? 03 §10.6; a polygon list without tree answers 0. [any thread] Errors:
 *  INVALID_ARGUMENT, NOT_FINITE. */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_point_in_solid(const acp_bsp *bsp, acp_vec3 point, int32_t *out_is_solid);

/** Does the sphere overlap a polygon, or, with `center_check`, is its centre in a solid leaf? 03 §10.4. [any thread] Errors:
 *  INVALID_ARGUMENT, NOT_FINITE, OUT_OF_RANGE (negative radius). */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_sphere_in_solid(const acp_bsp *bsp, const acp_sphere *sphere, int32_t center_check,
                                                          int32_t *out_is_solid);

/** A triangle of an asset, for drawing and picking. */
typedef struct acp_bsp_triangle {
    acp_vec3 points[3];
    uint32_t polygon; /**< ordinal */
    uint32_t id;      /**< id as stored */
    int32_t sides_type;
} acp_bsp_triangle;

/** All polygons as fans of triangles in ordinal order; a polygon with fewer than 3 points gives none. Writes at most `capacity`,
 *  always says how many there are. [any thread] Errors: INVALID_ARGUMENT. */
ACP_API ACP_MUST_CHECK acp_result acp_bsp_triangles(const acp_bsp *bsp, acp_bsp_triangle *out_triangles, uint32_t capacity,
                                                    uint32_t *out_count);

#ifdef __cplusplus
}
#endif

#endif
