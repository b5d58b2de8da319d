/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_H
#define ACP_GEOM_BSP_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/geom.h"
#include "geom/polygon.h"

/* Physics trees (spec 03 §10): what can be asked. Everything is in the local, unscaled space of the owner; callers divide the mover by
 * the scale first (§11.1) and multiply results (§11.3). Polygons are named by their ordinal; ACP_BSP_NONE is "none". No query
 * allocates, locks or writes to the tree. A null tree, or one without nodes, answers "nothing". */

/* The part of retail's SPHEREPATH that walking on a tree reads and writes. */
typedef struct acp_walk {
    float walkable_allowance; /* strict lower limit of N . up */
    float walk_interp;        /* in/out: part of the step not yet used */
} acp_walk;

uint32_t acp_bsp_polygon_count(const acp_bsp *bsp);
bool acp_bsp_has_tree(const acp_bsp *bsp);
/* A view that stays good as long as the block does (FLAT-3). An ordinal out of range gives an unusable polygon without points. */
acp_polygon acp_bsp_polygon(const acp_bsp *bsp, uint32_t ordinal);
/* The id stored with a polygon. */
uint32_t acp_bsp_polygon_stored_id(const acp_bsp *bsp, uint32_t ordinal);
/* CELL-3: bounding sphere of the root as read (a physics part's sphere); zero sphere without a tree. */
acp_sphere acp_bsp_root_sphere(const acp_bsp *bsp);

/* §10.3. *polygon and *contact are in/out: on true the first overlapped and approached polygon; on false the last overlapped one, or
 * unchanged. *contact: the projection onto the last polygon whose slab test passed.
 * retail: BSPNODE::sphere_intersects_poly 0x0053CA30, BSPLEAF::sphere_intersects_poly 0x0053D580 */
bool acp_bsp_sphere_intersects_poly(const acp_bsp *bsp, const acp_sphere *sphere, acp_vec3 movement, uint32_t *polygon, acp_vec3 *contact);

/* §10.4. retail: BSPNODE::sphere_intersects_solid 0x0053CAF0, BSPLEAF::sphere_intersects_solid 0x0053D5F0 */
bool acp_bsp_sphere_intersects_solid(const acp_bsp *bsp, const acp_sphere *sphere, bool center_check);

/* §10.5: `radius` widens the plane prune only; *center_solid and *polygon are in/out; false with *polygon set is a real answer.
 * retail: BSPNODE::sphere_intersects_solid_poly 0x0053CD50, BSPLEAF::sphere_intersects_solid_poly 0x0053D780 */
bool acp_bsp_sphere_intersects_solid_poly(const acp_bsp *bsp, const acp_sphere *sphere, float radius, bool center_check, bool *center_solid,
                                          uint32_t *polygon);

/* §10.6. retail: BSPNODE::point_intersects_solid 0x0053C310, BSPLEAF::point_intersects_solid 0x0053D3F0 */
bool acp_bsp_point_intersects_solid(const acp_bsp *bsp, acp_vec3 point);

/* §10.7: returns "changed"; *sphere, walk->walk_interp and *polygon are in/out; the last successful polygon wins.
 * retail: BSPNODE::find_walkable 0x0053CC80, BSPLEAF::find_walkable 0x0053D6F0 */
bool acp_bsp_find_walkable(const acp_bsp *bsp, acp_walk *walk, acp_sphere *sphere, uint32_t *polygon, acp_vec3 movement, acp_vec3 up);

/* §10.8. retail: BSPNODE::hits_walkable 0x0053CBD0, BSPLEAF::hits_walkable 0x0053D670 */
bool acp_bsp_hits_walkable(const acp_bsp *bsp, float walkable_allowance, const acp_sphere *sphere, acp_vec3 up);

/* §11.7: sphere->center moves to the last free place on the way from `current`; *contact in/out. False: not found in 15 steps (the
 * centre is then wherever the search stopped). `polygon` must be usable: the hit of acp_bsp_sphere_intersects_poly.
 * retail: BSPTREE::adjust_to_plane 0x00539BF0 */
bool acp_bsp_adjust_to_plane(const acp_bsp *bsp, acp_sphere *sphere, acp_vec3 current, uint32_t polygon, acp_vec3 *contact);

#endif
