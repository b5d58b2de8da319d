/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_AUTHOR_H
#define ACPHYS_AUTHOR_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/math.h"
#include "acphys/result.h"

/** @file author.h
 * Making GfxObj and Environment records out of polygons (spec 11): vertices are numbered, planes computed as the spec does, and the
 * physics, cell and drawing trees built so that the retail traversals give right answers. What comes out opens in strict mode. For
 * content of our own: editors, importers, miniature worlds, tests. */

#ifdef __cplusplus
extern "C" {
#endif

/** What a polygon of a mesh is for. Bits. */
enum {
    ACP_MESH_PHYSICS =
        1, /**< movers collide with it, from its positive side (AUT-2); both sides: give it twice, the second time reversed */
    ACP_MESH_DRAWING = 2, /**< in the drawing list */
    ACP_MESH_PORTAL = 4   /**< fills an opening: in the drawing list and a portal; excludes PHYSICS (AUT-20, AUT-37) */
};

/** A polygon of a mesh: `point_count` vertex numbers from `indices[first_index]` on, counter-clockwise seen from the positive side; convex,
 *  flat to 1e-3 m. */
typedef struct acp_mesh_polygon {
    uint32_t first_index;
    uint32_t point_count; /**< 3..255 */
    uint32_t flags;       /**< ACP_MESH_PHYSICS, _DRAWING, _PORTAL; at least one */
    int32_t sides_type;   /**< 0 one side, 1 both with the same surface, 2 both with their own; drawing and picking only */
    int16_t pos_surface;  /**< index into the mesh's surfaces, -1 none */
    int16_t neg_surface;  /**< -1 none */
} acp_mesh_polygon;

/** A node of a physics tree that the author gives (ACP_TREE_FORM_GIVEN). Children are indices into the node array. Node 0 is the root.
 *  Spheres are computed (AUT-9). */
typedef struct acp_mesh_node {
    acp_bsp_node_kind kind; /**< ACP_BSP_INTERIOR or ACP_BSP_LEAF */
    uint32_t positive;      /**< interior */
    uint32_t negative;      /**< interior */
    uint32_t plane_polygon; /**< interior: the plane is, bit for bit, that of this polygon of the mesh; ACP_BSP_NONE: it is `plane` */
    acp_plane plane;        /**< interior without plane_polygon; unit normal */
    int32_t solid;          /**< leaf: 1 when its whole region is matter (AUT-13) */
    uint32_t first_polygon; /**< leaf: first entry in `node_polygons` */
    uint32_t polygon_count; /**< leaf */
    uint32_t reserved;      /**< zero */
} acp_mesh_node;

/** How the physics tree is built (AUT-14). */
typedef enum acp_tree_form {
    /** GfxObj: SOLID when the physics polygons close (every edge meets its reverse), else LEAF. Structure: ROOM. */
    ACP_TREE_FORM_AUTOMATIC = 0,
    /** One leaf, not solid, with every polygon: always correct. */
    ACP_TREE_FORM_LEAF = 1,
    /** What lies behind the faces is matter: a chain of the face planes in the order of the polygons when the body is convex, else split
     *  by face planes into convex pieces. Refuses an open body unless ACP_MESH_MAY_BE_OPEN is set (shells without floor). */
    ACP_TREE_FORM_SOLID = 2,
    /** A convex room seen from inside: a chain of its wall planes in the order of the polygons; what is behind a wall with an opening is
     * not solid (AUT-13), what is behind one that is all opening is empty; polygons inside the room (stairs, blocks) are one convex solid
     * at its end where they close with the walls, else a leaf that is not solid. */
    ACP_TREE_FORM_ROOM = 3,
    /** The nodes given. */
    ACP_TREE_FORM_GIVEN = 4
} acp_tree_form;

/** Wishes about a mesh. Bits. */
enum {
    ACP_MESH_MAY_BE_OPEN = 1,       /**< SOLID: the body need not close. Structure: walls and portals need not enclose the room */
    ACP_MESH_OPENINGS_FIRST = 2,    /**< ROOM: walls with openings come first in the chain (AUT-13, trap 2) */
    ACP_MESH_WALLS_NOT_SOLID = 4,   /**< ROOM: nothing behind walls is solid (thin walls, large movers: AUT-13, trap 3) */
    ACP_MESH_KEEP_VERTICES = 8,     /**< vertices keep their numbers and unused ones stay; else equal ones are merged and numbered by their
                                         first appearance in the polygons */
    ACP_MESH_HAS_DRAWING_TREE = 16, /**< structure: with a drawing tree (AUT-38); a GfxObj with drawing polygons always has one */
    ACP_MESH_HAS_DEGRADE_ID = 32,   /**< GfxObj: `degrade_id` is stored */
    ACP_MESH_MUST_BE_CONVEX = 64    /**< structure: refuse a room whose walls' planes cut it (AUT-16) instead of telling so */
};

/** Polygons to be made a record of. Start from acp_mesh_default(). Nothing is kept. */
typedef struct acp_mesh {
    uint32_t struct_size;
    uint32_t flags;           /**< ACP_MESH_MAY_BE_OPEN to ACP_MESH_MUST_BE_CONVEX */
    acp_tree_form tree_form;  /**< of the physics tree */
    uint32_t vertex_count;    /**< up to 65535 after merging */
    const acp_vec3 *vertices; /**< own frame, metres */
    const acp_vec3 *normals;  /**< one per vertex, for drawing; null: (0,0,1) */
    const float *uvs;         /**< two per entry of `indices`, for drawing; null: none */
    const uint32_t *indices;  /**< vertex numbers of all polygons */
    const acp_mesh_polygon *polygons;
    const uint32_t *surfaces;      /**< GfxObj: surface ids 0x08…… */
    const acp_mesh_node *nodes;    /**< GIVEN */
    const uint32_t *node_polygons; /**< GIVEN: polygons of the mesh that the leaves list */
    uint32_t index_count;
    uint32_t polygon_count;
    uint32_t surface_count;
    uint32_t node_count;
    uint32_t node_polygon_count;
    uint32_t degrade_id;
    acp_vec3 sort_center; /**< GfxObj; drawing only */
    uint32_t reserved;    /**< zero */
} acp_mesh;

/** Empty, automatic, no wishes. [any thread] */
ACP_API acp_mesh acp_mesh_default(void);

/** What came out. Written on failure too, as far as it was known. */
typedef struct acp_mesh_report {
    uint32_t fault_polygon;         /**< the polygon of the mesh that is refused, or ACP_BSP_NONE */
    acp_tree_form tree_form;        /**< the form used */
    uint32_t vertex_count;          /**< of the record */
    uint32_t physics_polygon_count; /**< polygons with PHYSICS, numbered in the mesh's order */
    uint32_t drawing_polygon_count; /**< polygons with DRAWING or PORTAL, numbered in the mesh's order */
    uint32_t portal_count;
    uint32_t physics_node_count;
    uint32_t physics_depth;
    uint32_t solid_leaf_count;
    uint32_t drawing_leaf_count; /**< of a shell: LandBlockInfo's num_leaves (AUT-34) */
    uint32_t cell_plane_count;   /**< structure: planes of the containment chain */
    uint32_t is_closed;          /**< GfxObj: the physics polygons close. Structure: walls and portals enclose the room */
    uint32_t is_convex;          /**< GfxObj: a convex body. Structure: no wall's plane cuts the room */
    acp_box box;                 /**< over all vertices of the record */
    acp_sphere sphere;           /**< of the physics tree's root */
} acp_mesh_report;

/** A record's bytes. */
typedef struct acp_record_bytes {
    uint8_t *bytes;
    uint32_t size;
    uint32_t capacity; /**< the library's */
    acp_allocator allocator;
} acp_record_bytes;

/** Makes a GfxObj record (id 0x01……). Physics polygons give it the physics part, drawing polygons and portals the drawing part; portal
 *  polygons become PORT nodes with portal numbers in the mesh's order. `out_report` may be null. The bytes are the caller's. [any thread]
 *  Errors: INVALID_ARGUMENT; INVALID_ID; NOT_FINITE; LIMIT (vertices, polygons, points, depth); BAD_DATA (a polygon that is not flat, not
 *  convex or without area, numbers out of range, a body that does not close, a tree that misses a polygon); OUT_OF_MEMORY. The error's
 * field names the polygon as "polygons[n]". */
ACP_API ACP_MUST_CHECK acp_result acp_mesh_make_gfxobj(const acp_mesh *mesh, uint32_t id, const acp_allocator *allocator,
                                                       acp_record_bytes *out_bytes, acp_mesh_report *out_report, acp_error *error);

/** Makes an Environment record (id 0x0D……) of `structure_count` rooms, numbered in order; `out_reports`: one per room, or null. A room
 *  needs a portal (AUT-23), polygons that face inwards, and walls and portals that enclose it. Errors: as above; the field names the room
 *  as "structures[n].polygons[m]". [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_mesh_make_environment(const acp_mesh *structures, uint32_t structure_count, uint32_t id,
                                                            const acp_allocator *allocator, acp_record_bytes *out_bytes,
                                                            acp_mesh_report *out_reports, acp_error *error);

/** The side of a portal polygon's plane on which the room lies, as an EnvCell's portal states it (AUT-21): 0 positive, 1 negative; on disk
 *  flag 2 is set when it is 0. Errors: INVALID_ARGUMENT, those of the polygon, BAD_DATA (the room lies on both sides). [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_mesh_portal_side(const acp_mesh *structure, uint32_t polygon, int32_t *out_side, acp_error *error);

/** Is a polygon of a mesh fit to be authored: numbers in range and finite, flat, convex, with an area (AUT-1)? OK, or the error that making
 *  a record of it would give. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_mesh_check_polygon(const acp_mesh *mesh, uint32_t polygon, acp_error *error);

/** Gives the bytes back; harmless on an empty one. [any thread] */
ACP_API void acp_record_bytes_free(acp_record_bytes *bytes);

#ifdef __cplusplus
}
#endif

#endif
