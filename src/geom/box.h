/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BOX_H
#define ACP_GEOM_BOX_H

#include "acphys/geom.h"
#include "place/position.h"

/* Axis-aligned boxes (spec 03 §4; 04 MEM-20, MEM-23). */

/* BOX-1: min = +FLT_MAX, max = -FLT_MAX. retail: BBox::InitForAdjust 0x005B1DF0 */
acp_box acp_box_for_adjust(void);
/* BOX-2: strict per axis, a tie keeps the older value. retail: BBox::AdjustBBox 0x00534150 */
void acp_box_adjust(acp_box *box, acp_vec3 v);
/* BOX-3. retail: BBox::AdjustBBox 0x005B1D70 */
void acp_box_union(acp_box *into, const acp_box *box);
/* BOX-4. */
acp_vec3 acp_box_center(const acp_box *box);
/* BOX-6: GfxObj form: starts at vertex 0; no vertices: zero box. */
acp_box acp_box_of_points(const acp_vec3 *points, uint32_t count);

/* BOX-5: refit of all eight corners; box local to `from`, result in the landblock of `to_cell_id`. retail: BBox::LocalToGlobal 0x005B2120
 */
acp_box acp_box_local_to_global(uint32_t to_cell_id, const acp_matrix_position *from, const acp_box *box);
/* BOX-5: result in the frame of `to`. retail: BBox::LocalToLocal 0x005B1E60 */
acp_box acp_box_local_to_local(const acp_matrix_position *to, const acp_matrix_position *from, const acp_box *box);
/* The box in the landblock of its own position, as retail does it: seven corners, without (X,Y,Z). For a box that is sure to contain the
 * transformed one use acp_box_local_to_global. */
acp_box acp_box_convert_to_global(const acp_matrix_position *position, const acp_box *box);

#endif
