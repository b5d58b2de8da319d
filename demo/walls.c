/* SPDX-License-Identifier: MIT */
/* Boxes with openings: each of the six walls is a rectangle less the openings in it, cut into rectangles: the full-height pieces left and
 * right of an opening, then the pieces below and above it. */
#include "demo/builder.h"

#define MAX_PIECES 64u

static acp_vec3 corner(const demo_opening *r, float a, float c) {
    return r->axis == 0 ? (acp_vec3){r->at, a, c} : r->axis == 1 ? (acp_vec3){a, r->at, c} : (acp_vec3){a, c, r->at};
}

void demo_rectangle(const demo_opening *r, bool is_up, acp_vec3 out[4]) {
    const acp_vec3 round[4] = {corner(r, r->low[0], r->low[1]), corner(r, r->high[0], r->low[1]), corner(r, r->high[0], r->high[1]),
                               corner(r, r->low[0], r->high[1])};
    /* (y,z) and (x,y) turn about +x and +z; (x,z) turns about -y */
    bool is_forward = is_up == (r->axis != 1);
    for (uint32_t i = 0; i < 4; i++)
        out[i] = round[is_forward ? i : 3u - i];
}

int demo_opening_wall(const demo_box *box, const demo_opening *opening) {
    uint32_t a = opening->axis == 0 ? 1u : 0u, c = opening->axis == 2 ? 1u : 2u;
    bool is_inside = opening->low[0] >= box->low[a] && opening->high[0] <= box->high[a] && opening->low[1] >= box->low[c] &&
                     opening->high[1] <= box->high[c];
    if (!is_inside) return -1;
    return opening->at == box->low[opening->axis] ? 0 : opening->at == box->high[opening->axis] ? 1 : -1;
}

/* Cuts `opening` out of the pieces, in place; the new count. */
static uint32_t cut(demo_opening *pieces, uint32_t count, const demo_opening *opening) {
    demo_opening made[MAX_PIECES];
    uint32_t made_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        demo_opening p = pieces[i];
        bool is_apart =
            opening->high[0] <= p.low[0] || opening->low[0] >= p.high[0] || opening->high[1] <= p.low[1] || opening->low[1] >= p.high[1];
        if (made_count + 4u > MAX_PIECES) break;
        if (is_apart) {
            made[made_count++] = p;
            continue;
        }
        if (opening->low[0] > p.low[0]) {
            made[made_count] = p;
            made[made_count++].high[0] = opening->low[0];
            p.low[0] = opening->low[0];
        }
        if (opening->high[0] < p.high[0]) {
            made[made_count] = p;
            made[made_count++].low[0] = opening->high[0];
            p.high[0] = opening->high[0];
        }
        if (opening->low[1] > p.low[1]) {
            made[made_count] = p;
            made[made_count++].high[1] = opening->low[1];
        }
        if (opening->high[1] < p.high[1]) {
            made[made_count] = p;
            made[made_count++].low[1] = opening->high[1];
        }
    }
    for (uint32_t i = 0; i < made_count; i++)
        pieces[i] = made[i];
    return made_count;
}

void demo_add_walls(demo_builder *b, demo_mesh *mesh, const demo_box *box, const demo_opening *openings, uint32_t opening_count,
                    bool is_inward, uint32_t flags) {
    static const uint32_t order[6] = {4, 5, 2, 3, 0, 1}; /* floor, ceiling, then the walls */
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t axis = order[i] / 2u, is_high = order[i] % 2u;
        uint32_t a = axis == 0 ? 1u : 0u, c = axis == 2 ? 1u : 2u;
        demo_opening pieces[MAX_PIECES] = {
            {axis, is_high ? box->high[axis] : box->low[axis], {box->low[a], box->low[c]}, {box->high[a], box->high[c]}}};
        uint32_t count = 1;
        for (uint32_t k = 0; k < opening_count; k++)
            if (openings[k].axis == axis && demo_opening_wall(box, &openings[k]) == (int)is_high) count = cut(pieces, count, &openings[k]);
        for (uint32_t k = 0; k < count; k++) {
            acp_vec3 points[4];
            demo_rectangle(&pieces[k], (is_high != 0) != is_inward, points);
            demo_mesh_add(b, mesh, points, 4, flags);
        }
    }
}
