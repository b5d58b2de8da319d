/* SPDX-License-Identifier: MIT */
#ifndef ACPHYS_ASSET_H
#define ACPHYS_ASSET_H

#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/export.h"
#include "acphys/geom.h"
#include "acphys/math.h"
#include "acphys/result.h"

/** @file asset.h
 * Models, in their one production form: shape (a GfxObj as physics sees it), setup (parts with poses, spheres, heights), cell structure
 * (a room's walls and its containment tree). Made from DAT records by the asset floor, or from parts here: hosts, scenes and tests build
 * whole worlds with these functions (D16). An asset never changes; it may be shared by any number of worlds and threads, and must outlive
 * whatever refers to it. */

#ifdef __cplusplus
extern "C" {
#endif

/** A GfxObj as physics sees it. Opaque. */
typedef struct acp_shape acp_shape;

/** A model: parts, poses, spheres, heights. Opaque. Borrows its shapes. */
typedef struct acp_setup acp_setup;

/** A room: physics polygons, their tree, the containment tree. Opaque. */
typedef struct acp_cell_structure acp_cell_structure;

/** What a shape has. */
enum {
    ACP_SHAPE_HAS_PHYSICS_SPHERE = 0x1,
    ACP_SHAPE_HAS_DRAWING_SPHERE = 0x2,
    ACP_SHAPE_HAS_BOX = 0x4,     /**< given; otherwise derived from `box_vertices` (MEM-20) */
    ACP_SHAPE_IS_ALWAYS_2D = 0x8 /**< level 0's degrade mode is not 1 (MEM-21): a billboard */
};

/** A shape from parts. Start from acp_shape_definition_default(). Everything is copied. */
typedef struct acp_shape_definition {
    uint32_t struct_size;
    uint32_t shape_id; /**< record id, 0 = none */
    uint32_t flags;    /**< ACP_SHAPE_* */
    uint32_t mode;     /**< acp_content_mode */
    /** Root sphere of the physics BSP. Without the flag and with a tree: taken from the tree's root. */
    acp_sphere physics_sphere;
    acp_sphere drawing_sphere;
    acp_box box;                  /**< own frame; min <= max per axis */
    const acp_vec3 *box_vertices; /**< every vertex of the mesh, when the box is to be derived */
    uint32_t box_vertex_count;
    uint32_t reserved;
    const acp_bsp_source *physics; /**< physics polygons and tree; null, or without nodes: no physics BSP */
} acp_shape_definition;

/** No id, no flags, lenient, everything absent. [any thread] */
ACP_API acp_shape_definition acp_shape_definition_default(void);

/** Builds a shape. Errors: INVALID_ARGUMENT, NOT_FINITE, OUT_OF_RANGE (box upside down), those of acp_bsp_create. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_shape_create(const acp_shape_definition *definition, const acp_allocator *allocator,
                                                   acp_shape **out_shape, acp_error *error);

/** Destroys a shape; nothing may refer to it any more. Null is fine. [any thread] */
ACP_API void acp_shape_destroy(acp_shape *shape);

/** Facts of a shape. */
typedef struct acp_shape_info {
    uint32_t shape_id;
    uint32_t flags; /**< ACP_SHAPE_*, HAS_BOX always */
    int32_t has_physics_bsp;
    uint32_t polygon_count;
    acp_sphere physics_sphere;
    acp_sphere drawing_sphere;
    acp_box box;
    const acp_bsp *bsp; /**< null without physics */
} acp_shape_info;

/** [any thread] */
ACP_API acp_shape_info acp_shape_get_info(const acp_shape *shape);

/** A part of a setup. */
typedef struct acp_setup_part {
    const acp_shape *shape; /**< entry 0 of the part's mesh list; null: an absent part */
    acp_vec3 default_scale; /**< per part, usually 1 */
    uint32_t flags;         /**< ACP_SETUP_PART_* */
} acp_setup_part;

enum { ACP_SETUP_PART_IS_ALWAYS_2D = 0x1 }; /**< besides the shape's own flag */

/** A placement frame: one pose per part. */
typedef struct acp_placement_definition {
    uint32_t placement_id; /**< 0x65 is used first, then 0 (PHO-3, PHO-4) */
    uint32_t frame_count;  /**< only min(parts, frames) parts are posed */
    const acp_frame *frames;
} acp_placement_definition;

/** Where children can be held. */
typedef struct acp_holding_location {
    uint32_t location_id;
    int32_t part_index;
    acp_frame frame;
} acp_holding_location;

/** What a setup says besides its lists. */
enum {
    ACP_SETUP_ALLOWS_FREE_HEADING = 0x1,
    ACP_SETUP_HAS_SORTING_SPHERE = 0x2, /**< else a zero sphere */
    ACP_SETUP_IS_WITHOUT_RECORD = 0x4   /**< a part array without setup: step heights 0.01 (PHO-5) */
};

/** A setup from parts. Start from acp_setup_definition_default(). Everything is copied; shapes are borrowed. */
typedef struct acp_setup_definition {
    uint32_t struct_size;
    uint32_t setup_id; /**< record id, 0 = none */
    uint32_t flags;    /**< ACP_SETUP_* */
    uint32_t part_count;
    const acp_setup_part *parts;
    const acp_placement_definition *placements;
    const acp_sphere *spheres;
    const acp_cylsphere *cylspheres;
    const acp_holding_location *holding_locations;
    uint32_t placement_count;
    uint32_t sphere_count;
    uint32_t cylsphere_count;
    uint32_t holding_location_count;
    acp_sphere sorting_sphere;
    float step_up_height;
    float step_down_height;
    float radius;
    float height;
} acp_setup_definition;

/** No parts, step heights 0, free heading allowed. [any thread] */
ACP_API acp_setup_definition acp_setup_definition_default(void);

/** Builds a setup. Errors: INVALID_ARGUMENT, NOT_FINITE, OUT_OF_RANGE (negative radius), LIMIT (65535 per list), OUT_OF_MEMORY.
 *  [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_setup_create(const acp_setup_definition *definition, const acp_allocator *allocator,
                                                   acp_setup **out_setup, acp_error *error);

/** The simple setup of a mesh id (PHO-4): one part, no spheres, heights 0, sorting sphere = the shape's physics sphere, else its drawing
 *  sphere, free heading, one placement frame. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_setup_create_simple(const acp_shape *shape, const acp_allocator *allocator, acp_setup **out_setup,
                                                          acp_error *error);

/** Destroys a setup (not its shapes). Null is fine. [any thread] */
ACP_API void acp_setup_destroy(acp_setup *setup);

/** Facts of a setup; the pointers are the setup's own arrays. */
typedef struct acp_setup_info {
    uint32_t setup_id;
    uint32_t flags;
    uint32_t part_count;
    uint32_t sphere_count;
    uint32_t cylsphere_count;
    uint32_t placement_count;
    int32_t has_physics_bsp; /**< some part's shape has one (MEM-30) */
    uint32_t reserved;
    const acp_setup_part *parts;
    const acp_sphere *spheres;
    const acp_cylsphere *cylspheres;
    acp_sphere sorting_sphere;
    float step_up_height;
    float step_down_height;
    float radius;
    float height;
} acp_setup_info;

/** [any thread] */
ACP_API acp_setup_info acp_setup_get_info(const acp_setup *setup);

/** A room from parts. Start from acp_cell_structure_definition_default(). Everything is copied. */
typedef struct acp_cell_structure_definition {
    uint32_t struct_size;
    uint32_t structure_id;                        /**< ordinal or record id, for people */
    uint32_t mode;                                /**< acp_content_mode */
    uint32_t containment_root;                    /**< index into containment_nodes */
    const acp_bsp_node_source *containment_nodes; /**< positive chain; none: the room contains nothing */
    uint32_t containment_node_count;
    uint32_t reserved;
    const acp_bsp_source *physics; /**< polygons and tree; null: none */
} acp_cell_structure_definition;

/** Nothing in it, lenient. [any thread] */
ACP_API acp_cell_structure_definition acp_cell_structure_definition_default(void);

/** Builds a room. Errors: those of acp_bsp_create and acp_cell_tree_create. [any thread] */
ACP_API ACP_MUST_CHECK acp_result acp_cell_structure_create(const acp_cell_structure_definition *definition, const acp_allocator *allocator,
                                                            acp_cell_structure **out_structure, acp_error *error);

/** Destroys a room. Null is fine. [any thread] */
ACP_API void acp_cell_structure_destroy(acp_cell_structure *structure);

/** Its physics tree; null without one. [any thread] */
ACP_API const acp_bsp *acp_cell_structure_bsp(const acp_cell_structure *structure);
/** Its containment tree; null when it contains nothing. [any thread] */
ACP_API const acp_cell_tree *acp_cell_structure_containment(const acp_cell_structure *structure);

#ifdef __cplusplus
}
#endif

#endif
