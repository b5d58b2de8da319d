/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_SOUP_FORMAT_H
#define ACP_GEOM_SOUP_FORMAT_H

#include "acphys/soup.h"
#include "geom/filter.h"
#include "geom/lane4.h"

/* The block behind acp_soup: a header and arrays at byte offsets from it, no pointers. A tree of boxes, four children a node; its leaves
 * are groups of up to four items of one kind, lane by lane, so that a node or a leaf is one pass of four lanes. Boxes and planes of the
 * filters are binary32 and only ever say "certainly not" (geom/filter.h); the numbers of the items stand as given.
 *
 * Beside it stands a second, wide tree over the same items, eight children a node and eight items a leaf, for the question whether anything
 * is on a segment at all (geom/soup_any_text.h): there no order matters, and eight lanes a step need fewer steps. */

#define ACP_SOUP_MAGIC   0x50554F53u /* "SOUP" */
#define ACP_SOUP_VERSION 2u

/* Greatest coordinate, length or radius: with it no product of the walk overflows. */
#define ACP_SOUP_GREATEST 1e18f

/* A child word: index of the node or group, and what it is in the low bits. */
#define ACP_SOUP_CHILD_NODE         0u
#define ACP_SOUP_CHILD_KIND         3u /* else 1 + ACP_SOUP_* of the group */
#define ACP_SOUP_CHILD_NONE         UINT32_MAX
#define ACP_SOUP_CHILD(index, what) ((index) << 2 | (what))

/* Levels of the tree at most, and parts that wait during a walk: three a level, seven in the wide tree. */
enum { ACP_SOUP_LEVELS = 80, ACP_SOUP_STACK = 3 * ACP_SOUP_LEVELS + 1, ACP_SOUP_WIDE_STACK = 7 * ACP_SOUP_LEVELS + 1 };

/* bounds[side][axis]: low sides, high sides; a lane without child has low > high. Each box is wider than its items by 2^-22 of the
 * coordinate and 1e-6 m: what the rounding of the walk may cost. */
typedef struct acp_soup_node {
    float bounds[2][3][4];
    uint32_t children[4];
    uint32_t reserved[4];
} acp_soup_node;
_Static_assert(sizeof(acp_soup_node) == 128, "soup node");

/* `lanes`: a bit for each lane in use; the others repeat the first item. */
typedef struct acp_soup_triangles {
    float points[3][3][4]; /* corner, axis */
    float edge[4];         /* at least the sum of the magnitudes of either edge from the first corner */
    uint32_t ordinals[4];
    uint32_t lanes;
    uint32_t reserved[3];
} acp_soup_triangles;
_Static_assert(sizeof(acp_soup_triangles) == 192, "triangle group");

/* The plane of each triangle and the outer planes of its edges: unit normals, the triangle within `width` of the first and behind the
 * others, whatever the rounding. */
typedef struct acp_soup_planes {
    acp_plane_group face;
    acp_plane_group edges[3];
} acp_soup_planes;
_Static_assert(sizeof(acp_soup_planes) == 256, "plane group");

/* Spheres and cylspheres; height is 0 for spheres. */
typedef struct acp_soup_rounds {
    float center[3][4]; /* cylspheres: of the bottom */
    float radius[4];
    float height[4];
    uint32_t ordinals[4];
    uint32_t lanes;
    uint32_t reserved[3];
} acp_soup_rounds;
_Static_assert(sizeof(acp_soup_rounds) == 112, "round group");

/* The same with eight lanes; the children most likely to stop a line for their cost stand last. */
typedef struct acp_soup_wide_node {
    float bounds[2][3][8];
    uint32_t children[8];
    uint32_t reserved[8];
} acp_soup_wide_node;
_Static_assert(sizeof(acp_soup_wide_node) == 256, "wide node");

/* Eight triangles by a corner, the two edges from it and the normal (twice the area long), each rounded once. */
typedef struct acp_soup_wide_triangles {
    float corner[3][8];
    float first[3][8];
    float second[3][8];
    float normal[3][8];
    float greatest_normal[8]; /* above each |component| of the normal */
    float greatest_edge[8];   /* above each |component| of both edges */
    uint32_t places[8];       /* lane of the group that has the corners as given: ACP_SOUP_PLACE */
    uint32_t lanes;
    uint32_t reserved[7];
} acp_soup_wide_triangles;
_Static_assert(sizeof(acp_soup_wide_triangles) == 512, "wide triangles");

#define ACP_SOUP_PLACE(group, lane) ((group) << 2 | (lane))

typedef struct acp_soup_wide_rounds {
    float center[3][8];
    float radius[8];
    float height[8];
    uint32_t lanes;
    uint32_t reserved[23];
} acp_soup_wide_rounds;
_Static_assert(sizeof(acp_soup_wide_rounds) == 256, "wide rounds");

struct acp_soup {
    uint32_t magic;
    uint32_t version;
    uint64_t size;
    uint32_t root; /* child word; ACP_SOUP_CHILD_NONE for nothing at all */
    uint32_t node_count;
    uint32_t triangle_group_count;
    uint32_t round_group_count;
    uint64_t nodes_at; /* byte offsets */
    uint64_t triangles_at;
    uint64_t planes_at;
    uint64_t rounds_at;
    acp_filter_bounds plane_bounds;
    float plane_width; /* greatest distance of a triangle from its stored plane */
    uint32_t levels;
    uint64_t wide_nodes_at;
    uint64_t wide_triangles_at;
    uint64_t wide_rounds_at;
    uint32_t wide_root;
    uint32_t wide_node_count;
    uint32_t wide_triangle_count; /* groups */
    uint32_t wide_round_count;
    uint32_t reserved[2];
};
_Static_assert(sizeof(struct acp_soup) == 128, "soup header");

static inline const acp_soup_node *acp_soup_nodes(const acp_soup *soup) {
    return (const acp_soup_node *)(const void *)((const char *)soup + soup->nodes_at);
}
static inline const acp_soup_triangles *acp_soup_triangle_groups(const acp_soup *soup) {
    return (const acp_soup_triangles *)(const void *)((const char *)soup + soup->triangles_at);
}
static inline const acp_soup_planes *acp_soup_plane_groups(const acp_soup *soup) {
    return (const acp_soup_planes *)(const void *)((const char *)soup + soup->planes_at);
}
static inline const acp_soup_rounds *acp_soup_round_groups(const acp_soup *soup) {
    return (const acp_soup_rounds *)(const void *)((const char *)soup + soup->rounds_at);
}
static inline const acp_soup_wide_node *acp_soup_wide_nodes(const acp_soup *soup) {
    return (const acp_soup_wide_node *)(const void *)((const char *)soup + soup->wide_nodes_at);
}
static inline const acp_soup_wide_triangles *acp_soup_wide_triangle_groups(const acp_soup *soup) {
    return (const acp_soup_wide_triangles *)(const void *)((const char *)soup + soup->wide_triangles_at);
}
static inline const acp_soup_wide_rounds *acp_soup_wide_round_groups(const acp_soup *soup) {
    return (const acp_soup_wide_rounds *)(const void *)((const char *)soup + soup->wide_rounds_at);
}

#endif
