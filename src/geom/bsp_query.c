/* SPDX-License-Identifier: MIT */
/* Queries on physics trees (spec 03 §10, §11.7), and looking into a tree.
 *
 * The bodies stand in geom/bsp_query_text.h. They are iterative walks with a stack of child words on the C stack (4 KB, as deep as
 * DAT-70 allows a tree to be); decisions are taken in binary32 where a bound proves them (geom/filter.h) and in the exact binary64
 * expression otherwise, so that every answer, every out-parameter and the order of visits are those of the recursion in the spec. Nothing
 * is written to the tree, nothing is allocated.
 *
 * Cost: nodes visited; the entries of a visited leaf are passed over four at a time. Retail addresses stand in geom/bsp.h. */
#include "geom/bsp.h"

#include <math.h>
#include <stddef.h>

#include "geom/bsp_polygon.h"
#include "geom/bsp_probe.h"

#define SPINE(bsp, probe) acp_bsp_probe_near(bsp, probe)
#define QUERY(name)       acp_bsp_##name
#define VISITOR_PARAMETER
#define VISITOR_ARGUMENT
#define VISIT_CHILD(word)                   ((void)0)
#define VISIT_POLYGONS(group, told, lane)   ((void)(told))
#define BEGIN_SPHERE(bsp, sphere)           ((void)0)
#define IS_BEYOND(group, sphere)            false
#define HITS(bsp, polygon, sphere, contact) acp_bsp_polygon_hits_sphere(bsp, &acp_bsp_polygons(bsp)[polygon], sphere, contact)
#include "geom/bsp_query_text.h"

uint32_t acp_bsp_polygon_count(const acp_bsp *bsp) { return bsp == NULL ? 0 : bsp->polygon_count; }

bool acp_bsp_has_tree(const acp_bsp *bsp) { return bsp != NULL && bsp->leaf_count != 0; }

acp_polygon acp_bsp_polygon(const acp_bsp *bsp, uint32_t ordinal) {
    if (ordinal >= acp_bsp_polygon_count(bsp)) return acp_polygon_make(NULL, 0, ordinal, 0);
    const acp_bsp_polygon_record *record = &acp_bsp_polygons(bsp)[ordinal];
    acp_polygon view = {record->plane, acp_bsp_points(bsp) + record->first_point, record->point_count, ordinal, record->sides_type};
    return view;
}

uint32_t acp_bsp_polygon_stored_id(const acp_bsp *bsp, uint32_t ordinal) {
    return ordinal < acp_bsp_polygon_count(bsp) ? acp_bsp_polygons(bsp)[ordinal].id : ACP_BSP_NONE;
}

acp_sphere acp_bsp_root_sphere(const acp_bsp *bsp) {
    if (!acp_bsp_has_tree(bsp)) return (acp_sphere){{0.0f, 0.0f, 0.0f}, 0.0f};
    if (bsp->root & ACP_BSP_CHILD_LEAF) return acp_bsp_leaf_of(bsp, bsp->root)->sphere;
    return acp_bsp_node_of(bsp, bsp->root)->sphere;
}

/* place(t) of §11.7. */
static acp_vec3 place_at(acp_vec3 movement, acp_vec3 current, double t) {
    return acp_vec3_make(acp_stored((double)movement.x * t) + (double)current.x, acp_stored((double)movement.y * t) + (double)current.y,
                         t * (double)movement.z + (double)current.z);
}

bool acp_bsp_adjust_to_plane(const acp_bsp *bsp, acp_sphere *sphere, acp_vec3 current, uint32_t polygon, acp_vec3 *contact) {
    const int most = 15; /* MAX_ADJUST, one counter for both loops */
    const double tolerance = (double)0.02f;
    acp_vec3 movement = acp_vec3_subtract(sphere->center, current);
    double low = 0.0, high = 1.0;
    uint32_t hit = polygon;
    int count = 0;
    for (;;) {
        acp_polygon view = acp_bsp_polygon(bsp, hit);
        double t = acp_polygon_adjust_sphere_to_poly(&view, sphere, current, movement);
        if (t == 1.0) break;
        sphere->center = place_at(movement, current, t);
        if (!acp_bsp_sphere_intersects_poly(bsp, sphere, movement, &hit, contact)) {
            low = t;
            break;
        }
        high = t;
        if (++count >= most) return false;
    }
    for (;;) {
        double middle = (low + high) * 0.5;
        sphere->center = place_at(movement, current, middle);
        if (acp_bsp_sphere_intersects_poly(bsp, sphere, movement, &hit, contact))
            high = middle;
        else
            low = middle;
        if (high - low < tolerance || ++count >= most) break;
    }
    sphere->center = place_at(movement, current, low);
    return true;
}
