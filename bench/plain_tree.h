/* SPDX-License-Identifier: MIT */
#ifndef ACP_BENCH_PLAIN_TREE_H
#define ACP_BENCH_PLAIN_TREE_H

#include <stdbool.h>

#include "geom/bsp.h"
#include "geom/cell_tree.h"

/* The tree queries once more as a plain re-statement in the same arithmetic: nodes with pointers, recursion, no filter, no packing.
 * Machines differ and drift; bench_bsp times this beside the flat tree, run by run, and gives the ratio. */
typedef struct plain_tree plain_tree;

/* Null when memory is out. */
plain_tree *plain_tree_of_bsp(const acp_bsp *bsp);
plain_tree *plain_tree_of_cell(const acp_cell_tree *tree);
void plain_tree_free(plain_tree *tree);

bool plain_sphere_intersects_poly(const plain_tree *tree, const acp_sphere *sphere, acp_vec3 movement, uint32_t *polygon,
                                  acp_vec3 *contact);
bool plain_sphere_intersects_solid(const plain_tree *tree, const acp_sphere *sphere, bool center_check);
bool plain_point_intersects_solid(const plain_tree *tree, acp_vec3 point);

bool plain_cell_contains_point(const plain_tree *tree, acp_vec3 point);
int plain_cell_intersects_sphere(const plain_tree *tree, const acp_sphere *sphere);
bool plain_cell_intersects_box(const plain_tree *tree, const acp_box *box);

#endif
