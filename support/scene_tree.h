/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_SCENE_TREE_H
#define ACP_SUPPORT_SCENE_TREE_H

#include "acphys/geom.h"
#include "support/json_values.h"

/* Trees of scenes and vectors as descriptions for the builders. A node is {p: [nx, ny, nz, d], pos, neg, s} or {leaf, solid, polys, s}; a
 * missing or null child is absent; no s is a zero sphere. Everything is made in the reader's memory. */

/* Nodes of a tree; *out_root is the root's index. A null or absent tree gives no nodes. `with_lists` also fills leaf polygon lists. */
typedef struct acp_scene_tree {
    acp_bsp_node_source *nodes;
    uint32_t *leaf_polygons;
    uint32_t node_count;
    uint32_t leaf_polygon_count;
    uint32_t root;
} acp_scene_tree;

acp_scene_tree acp_json_to_tree(acp_json_input *input, acp_json_reader *memory, const acp_json *node);

/* Polygons `polys` ([{v: …}, …], may be null) with a tree over them (may be null). */
acp_bsp_source acp_scene_bsp_source(acp_json_input *input, acp_json_reader *memory, const acp_json *polys, const acp_json *node);

#endif
