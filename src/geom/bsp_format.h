/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_FORMAT_H
#define ACP_GEOM_BSP_FORMAT_H

#include <stdint.h>

#include "geom/bsp.h"
#include "geom/filter.h"
#include "geom/lane4.h"

/* The block behind acp_bsp: a header and arrays at byte offsets from it, each aligned to 16, no pointers (D16; spec 03 §12). Nodes and
 * leaves stand in the order of a depth-first walk, positive child first, which is what makes a block checkable in one pass: an interior
 * child is the next node, a leaf child the next leaf. Kept to the bit as read: planes, spheres, points, order and duplicates of leaf lists
 * (FLAT-2, FLAT-3). Derived, and checked by computing them again: polygon planes (POLY-2), edge groups, boxes, leaf groups, spine, bounds.
 */

#define ACP_BSP_MAGIC   0x50534241u /* "ABSP" */
#define ACP_BSP_VERSION 2u

/* A child: the byte offset of its node or leaf from the block's start (a multiple of 16), with these marks in the low bits. Empty leaves
 * can be passed over without looking at them (BSP-4). SAME: the child's sphere has the bits of its parent's, so for an unmoved sphere that
 * passed there the same test has the same answer; chains of faces (11 AUT-14) are full of them. */
#define ACP_BSP_CHILD_LEAF  1u
#define ACP_BSP_CHILD_EMPTY 2u
#define ACP_BSP_CHILD_SAME  4u
#define ACP_BSP_CHILD_FLAG  8u /* free for a query's own use on its stack */
#define ACP_BSP_CHILD_MARKS 15u

struct acp_bsp {
    uint32_t magic;
    uint32_t version;
    uint32_t size;
    uint32_t root; /* child word; LEAF and EMPTY at offset 0 when there is no tree */
    uint32_t polygon_count;
    uint32_t point_count;
    uint32_t edge_group_count;
    uint32_t node_count;
    uint32_t leaf_count;
    uint32_t leaf_group_count;
    uint32_t depth; /* levels */
    acp_filter_bounds bounds;
    uint32_t polygons_at; /* byte offsets */
    uint32_t points_at;
    uint32_t edge_groups_at;
    uint32_t nodes_at;
    uint32_t leaves_at;
    uint32_t leaf_groups_at;
    uint32_t spine; /* 0: none; else the byte offset of the groups of its planes, and its length less one in the low bits */
};
_Static_assert(sizeof(struct acp_bsp) == 80, "block header");

typedef struct acp_bsp_node {
    acp_sphere sphere; /* radius infinite: PORT, always passes */
    acp_plane plane;
    uint32_t positive;
    uint32_t negative;
    uint32_t source; /* node of the description */
    uint32_t reserved;
} acp_bsp_node;
_Static_assert(sizeof(acp_bsp_node) == 48, "node");

/* The spine: the run of nodes from the root down positive children, where it ends in an empty leaf and all its nodes have one sphere, as in
 * the chains of faces that rooms are (11 AUT-14). They are nodes 0, 1, 2 … and no polygon is tested before the last of them has been
 * passed, so their planes can be looked at together. A lane without node has everything in front of it. */
#define ACP_BSP_SPINE_LEAST 4u
#define ACP_BSP_SPINE_MOST  16u

typedef struct acp_bsp_leaf {
    acp_sphere sphere;
    uint32_t first_group;
    uint32_t polygon_count; /* entries of the list, also those that are never hit */
    uint32_t solid;         /* non-zero: the whole region */
    int32_t leaf_index;     /* as stored */
    uint32_t source;        /* node of the description; ACP_BSP_NONE for a missing child */
    uint32_t reserved[3];
} acp_bsp_leaf;
_Static_assert(sizeof(acp_bsp_leaf) == 48, "leaf");

/* The box of a polygon's points, widened by some centimetres; infinite where the distance from it says nothing of a hit
 * (geom/bsp_polygon.h). The last lanes are infinite. */
typedef struct acp_bsp_box {
    float low[4], high[4];
} acp_bsp_box;

/* Four entries of a leaf's list: the planes of their polygons and their ordinals. A lane without entry, and one whose polygon is never
 * hit, has a NaN plane: no filter lets it through. */
typedef struct acp_bsp_leaf_group {
    acp_plane_group planes;
    uint32_t polygons[4]; /* as named by the list; ACP_BSP_NONE in unused lanes */
    acp_bsp_box box;      /* around the boxes of the others' polygons */
} acp_bsp_leaf_group;
_Static_assert(sizeof(acp_bsp_leaf_group) == 112, "leaf group");

#define ACP_BSP_REGULAR_REACH 512.0f /* of the points of a regular polygon, |x| + |y| + |z| */

typedef struct acp_bsp_polygon_record {
    acp_plane plane;
    uint32_t first_point;
    uint32_t point_count; /* 0 when a vertex ordinal was out of range */
    uint32_t first_edge_group;
    uint32_t id; /* as stored */
    int32_t sides_type;
    acp_filter_bounds edge_bounds;
    uint32_t reserved;
    acp_bsp_box box;
} acp_bsp_polygon_record;
_Static_assert(sizeof(acp_bsp_polygon_record) == 80, "polygon record");

/* What a child word names. */
static inline const acp_bsp_node *acp_bsp_node_of(const acp_bsp *bsp, uint32_t child) {
    return (const acp_bsp_node *)(const void *)((const char *)bsp + (child & ~ACP_BSP_CHILD_MARKS));
}
static inline const acp_bsp_leaf *acp_bsp_leaf_of(const acp_bsp *bsp, uint32_t child) {
    return (const acp_bsp_leaf *)(const void *)((const char *)bsp + (child & ~ACP_BSP_CHILD_MARKS));
}
static inline const acp_bsp_node *acp_bsp_nodes(const acp_bsp *bsp) {
    return (const acp_bsp_node *)(const void *)((const char *)bsp + bsp->nodes_at);
}
static inline const acp_bsp_leaf *acp_bsp_leaves(const acp_bsp *bsp) {
    return (const acp_bsp_leaf *)(const void *)((const char *)bsp + bsp->leaves_at);
}
static inline const acp_bsp_leaf_group *acp_bsp_leaf_groups(const acp_bsp *bsp) {
    return (const acp_bsp_leaf_group *)(const void *)((const char *)bsp + bsp->leaf_groups_at);
}
static inline const acp_plane_group *acp_bsp_spine_groups(const acp_bsp *bsp) {
    return (const acp_plane_group *)(const void *)((const char *)bsp + (bsp->spine & ~15u));
}
static inline uint32_t acp_bsp_spine_length(const acp_bsp *bsp) { return bsp->spine ? (bsp->spine & 15u) + 1u : 0; }
static inline const acp_bsp_polygon_record *acp_bsp_polygons(const acp_bsp *bsp) {
    return (const acp_bsp_polygon_record *)(const void *)((const char *)bsp + bsp->polygons_at);
}
static inline const acp_vec3 *acp_bsp_points(const acp_bsp *bsp) {
    return (const acp_vec3 *)(const void *)((const char *)bsp + bsp->points_at);
}
static inline const acp_plane_group *acp_bsp_edge_groups(const acp_bsp *bsp) {
    return (const acp_plane_group *)(const void *)((const char *)bsp + bsp->edge_groups_at);
}

/* Groups of four needed for n. */
static inline uint32_t acp_bsp_group_count(uint32_t n) { return (n + 3u) / 4u; }

/* Can a leaf entry be hit at all? (FLAT-9, FLAT-10.) */
static inline bool acp_bsp_is_named_polygon(const acp_bsp *bsp, uint32_t named) {
    return named < bsp->polygon_count && named <= ACP_BSP_MAX_NAMED_POLYGON;
}

/* Derived parts, written the same way by the builder and by the check of a block. */
void acp_bsp_derive_edge_groups(const acp_plane *plane, const acp_vec3 *points, uint32_t point_count, acp_plane_group *out_groups,
                                acp_filter_bounds *out_bounds);
acp_bsp_box acp_bsp_derive_box(const acp_plane *plane, const acp_vec3 *points, uint32_t point_count);
void acp_bsp_derive_leaf_group(const acp_bsp *bsp, const uint32_t *named, uint32_t count, acp_bsp_leaf_group *out_group);
acp_plane_group acp_bsp_derive_spine_group(const acp_bsp *bsp, uint32_t index);
acp_filter_bounds acp_bsp_derive_bounds(const acp_bsp *bsp);
/* ACP_BSP_CHILD_SAME or 0 for a child of `parent`. */
uint32_t acp_bsp_derive_same_sphere(const acp_bsp *bsp, const acp_bsp_node *parent, uint32_t child);

#endif
