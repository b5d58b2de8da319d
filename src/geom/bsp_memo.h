/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_BSP_MEMO_H
#define ACP_GEOM_BSP_MEMO_H

#include "geom/bsp.h"

/* The tree queries for a mover that asks the same tree about the same sphere again and again (geom/bsp_memo.c). */

#define ACP_BSP_MEMO_SIZE 32u

/* Polygons that one sphere is known to miss. The caller's; good as long as the trees live: to be forgotten when they might not. */
typedef struct acp_bsp_memo {
    const acp_bsp *bsp; /* null: nothing is known */
    acp_sphere sphere;
    float limit2;                       /* farther from a box than this, squared: missed */
    uint32_t filled;                    /* a bit for each slot */
    uint32_t missed[ACP_BSP_MEMO_SIZE]; /* by the low bits of their ordinals */
} acp_bsp_memo;

/* Those of geom/bsp.h to the last bit, but that *contact means nothing when the answer is false. */
bool acp_bsp_memo_sphere_intersects_poly(const acp_bsp *bsp, const acp_sphere *sphere, acp_vec3 movement, uint32_t *polygon,
                                         acp_vec3 *contact, acp_bsp_memo *memo);
bool acp_bsp_memo_sphere_intersects_solid(const acp_bsp *bsp, const acp_sphere *sphere, bool center_check, acp_bsp_memo *memo);
bool acp_bsp_memo_find_walkable(const acp_bsp *bsp, acp_walk *walk, acp_sphere *sphere, uint32_t *polygon, acp_vec3 movement, acp_vec3 up,
                                acp_bsp_memo *memo);
bool acp_bsp_memo_hits_walkable(const acp_bsp *bsp, float walkable_allowance, const acp_sphere *sphere, acp_vec3 up, acp_bsp_memo *memo);

#endif
