/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_TRACE_H
#define ACP_GEOM_BSP_TRACE_H

#include "geom/bsp.h"

/* The queries of geom/bsp.h once more, telling a visitor every node and polygon in the order in which they are looked at (FLAT-12).
 * The bodies are the same text instantiated a second time; the plain queries pay nothing for it. */

typedef enum acp_bsp_visit {
    ACP_BSP_VISIT_NODE = 0,   /* `index`: node of the description it was built from; each entry of a node or leaf, also if empty */
    ACP_BSP_VISIT_POLYGON = 1 /* `index`: ordinal as named by the leaf; each polygon put to its test */
} acp_bsp_visit;

/* Missing children appear as node ACP_BSP_NONE. */
typedef struct acp_bsp_visitor {
    void (*visit)(void *user, acp_bsp_visit what, uint32_t index);
    void *user;
} acp_bsp_visitor;

bool acp_bsp_trace_sphere_intersects_poly(const acp_bsp *bsp, const acp_sphere *sphere, acp_vec3 movement, uint32_t *polygon,
                                          acp_vec3 *contact, const acp_bsp_visitor *visitor);
bool acp_bsp_trace_sphere_intersects_solid(const acp_bsp *bsp, const acp_sphere *sphere, bool center_check, const acp_bsp_visitor *visitor);
bool acp_bsp_trace_sphere_intersects_solid_poly(const acp_bsp *bsp, const acp_sphere *sphere, float radius, bool center_check,
                                                bool *center_solid, uint32_t *polygon, const acp_bsp_visitor *visitor);
bool acp_bsp_trace_point_intersects_solid(const acp_bsp *bsp, acp_vec3 point, const acp_bsp_visitor *visitor);
bool acp_bsp_trace_find_walkable(const acp_bsp *bsp, acp_walk *walk, acp_sphere *sphere, uint32_t *polygon, acp_vec3 movement, acp_vec3 up,
                                 const acp_bsp_visitor *visitor);
bool acp_bsp_trace_hits_walkable(const acp_bsp *bsp, float walkable_allowance, const acp_sphere *sphere, acp_vec3 up,
                                 const acp_bsp_visitor *visitor);

#endif
