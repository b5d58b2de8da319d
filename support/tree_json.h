/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_TREE_JSON_H
#define ACP_SUPPORT_TREE_JSON_H

#include "acphys/geom.h"
#include "support/json_values.h"

/* Trees in the form of the vectors: inner node {p: [nx,ny,nz,d], pos, neg, s: [cx,cy,cz,r]}, leaf {leaf, solid, polys, s}; a missing or
 * null child is absent, a missing s the zero sphere. `memory` is the reader of the line; what a description points to lives in it. */

/* A description of `polygons` (array of {v}, null for none) and the tree under `root` (null for none). A fault is noted in the input. */
acp_bsp_source acp_json_to_bsp_source(acp_json_input *input, acp_json_reader *memory, const acp_json *polygons, const acp_json *root);

/* The physics tree of {polys, root}; built leniently with `allocator`. Null after a fault, which is noted in the input. */
acp_bsp *acp_json_to_bsp(acp_json_input *input, acp_json_reader *memory, const acp_json *tree, const acp_allocator *allocator);

/* The containment tree under a root node; a null root gives a tree that contains nothing. */
acp_cell_tree *acp_json_to_cell_tree(acp_json_input *input, acp_json_reader *memory, const acp_json *root, const acp_allocator *allocator);

#endif
