/* SPDX-License-Identifier: MIT */
/* Gates: the plane of a neighbour's containment tree that faces a portal, in landblock coordinates.
 *
 * The exact test brings a centre c into the neighbour's axes, l = f32(M(f32(c - o))), and takes t = N.l + d; outside is t <= -R for any
 * plane of the tree. The gate takes g = f32(N'.c + D') with N' = f32(M'N) and D' = f32(d - M'N.o). With u = 2^-24, n and m the greatest
 * |component| of N and of M, S = |c|1 + |o|1: the stores of c - o and of l move t by at most 6nmuS; rounding N' and D' moves g by at most
 * u(3nmS + |d|), evaluating it in binary32 by 4.1u(3nmS + |d|); what binary64 adds is beyond 2^-48 of the same. Together less than
 * u(22nmS + 6|d|); the bound kept here is more than twice that, 48nmu|c|1 + (48nmu|o|1 + 16u|d| + 2^-100), and the radius has its own 8u
 * (geom/filter.h). So g < -(R + bound) proves t < -R. Where numbers are so great that the bound overflows, no comparison holds and nothing
 * is said.
 *
 * Which plane serves is a matter of speed alone: the one that looks most along the portal's outward normal. Cost: once per portal. */
#include "world/room_gate.h"

#include <math.h>

#include "geom/cell_tree.h"

/* A normal of a cell's axes in the landblock's, unrounded. */
static void turned(const acp_matrix_frame *frame, acp_vec3 n, double out[3]) {
    const float *m = frame->m;
    for (uint32_t j = 0; j < 3; j++)
        out[j] = ((double)n.x * (double)m[j] + (double)n.y * (double)m[3 + j]) + (double)n.z * (double)m[6 + j];
}

static double greatest3(acp_vec3 v) { return fmax(fmax(fabs((double)v.x), fabs((double)v.y)), fabs((double)v.z)); }

acp_room_gate acp_room_gate_of(const acp_env_cell *from, const acp_cell_portal *portal, const acp_env_cell *other) {
    acp_room_gate gate = {{{0.0f, 0.0f, 0.0f}, INFINITY}, {0.0f, 0.0f}};
    if (!other) return gate;
    double outward[3], best[3] = {0.0, 0.0, 0.0}, best_along = -INFINITY, sign = portal->side == 1u ? 1.0 : -1.0;
    uint32_t count = acp_cell_tree_plane_count(other->containment);
    acp_plane chosen = {{0.0f, 0.0f, 0.0f}, 0.0f};
    turned(&from->position.frame, portal->plane.normal, outward);
    for (uint32_t i = 0; i < count; i++) {
        acp_plane plane = acp_cell_tree_plane(other->containment, i);
        double n[3];
        turned(&other->position.frame, plane.normal, n);
        double along = sign * ((n[0] * outward[0] + n[1] * outward[1]) + n[2] * outward[2]);
        if (!(along > best_along)) continue;
        best_along = along;
        chosen = plane;
        for (uint32_t j = 0; j < 3; j++)
            best[j] = n[j];
    }
    if (best_along == -INFINITY) return gate;
    acp_vec3 o = other->position.frame.origin;
    double m = 0.0;
    for (uint32_t i = 0; i < 9; i++)
        m = fmax(m, fabs((double)other->position.frame.m[i]));
    double nm = greatest3(chosen.normal) * m, reach = (fabs((double)o.x) + fabs((double)o.y)) + fabs((double)o.z);
    gate.plane.normal = acp_vec3_make(best[0], best[1], best[2]);
    gate.plane.d = acp_f32((double)chosen.d - ((best[0] * (double)o.x + best[1] * (double)o.y) + best[2] * (double)o.z));
    gate.bounds.slope = acp_f32(48.0 * ACP_FILTER_UNIT * nm);
    gate.bounds.base = acp_f32(48.0 * ACP_FILTER_UNIT * nm * reach + 16.0 * ACP_FILTER_UNIT * fabs((double)chosen.d) + 0x1p-100);
    return gate;
}
