/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_CELL_TREE_H
#define ACP_GEOM_CELL_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"

/* Containment trees (spec 03 §9, 04 MEM-11): a plain run of planes in chain order, since only positive children are ever followed.
 * Local, unscaled space of the EnvCell. A null tree contains nothing and touches nothing (CBSP-4c). */

typedef enum acp_bounding { ACP_BOUNDING_OUTSIDE = 0, ACP_BOUNDING_PARTLY_INSIDE = 1, ACP_BOUNDING_ENTIRELY_INSIDE = 2 } acp_bounding;

/* CBSP-1. retail: BSPNODE::point_inside_cell_bsp 0x0053C1F0 */
bool acp_cell_tree_contains_point(const acp_cell_tree *tree, acp_vec3 point);
/* CBSP-2. retail: BSPNODE::sphere_intersects_cell_bsp 0x0053C260 */
acp_bounding acp_cell_tree_intersects_sphere(const acp_cell_tree *tree, const acp_sphere *sphere);
/* CBSP-3. retail: BSPNODE::box_intersects_cell_bsp 0x0053C880 */
bool acp_cell_tree_intersects_box(const acp_cell_tree *tree, const acp_box *box);

/* The planes in chain order, for explanations and drawing. */
uint32_t acp_cell_tree_plane_count(const acp_cell_tree *tree);
acp_plane acp_cell_tree_plane(const acp_cell_tree *tree, uint32_t index);

#endif
