/* SPDX-License-Identifier: MIT */
/* The tree queries instantiated with a visitor (geom/bsp_trace.h): same text, same decisions and order as geom/bsp_query.c.
 *
 * A visitor hears of every node and leaf when it is entered, empty ones included, and of every polygon of a leaf's list when its turn
 * comes: also those that a filter passes over, since retail looks at each. Used by the differential tests (03 FLAT-12) and by
 * explanations; not by any query that has to be fast. */
#include "geom/bsp_trace.h"

#include <math.h>
#include <stddef.h>

#include "geom/bsp_polygon.h"
#include "geom/bsp_probe.h"

static void visit_child(const acp_bsp_visitor *visitor, const acp_bsp *bsp, uint32_t word) {
    uint32_t source;
    if (!(word & ACP_BSP_CHILD_LEAF))
        source = acp_bsp_node_of(bsp, word)->source;
    else if (bsp->leaf_count != 0)
        source = acp_bsp_leaf_of(bsp, word)->source;
    else
        return; /* polygons without a tree */
    visitor->visit(visitor->user, ACP_BSP_VISIT_NODE, source);
}

/* Entries from `*told` up to, not including, `lane`. */
static void visit_polygons(const acp_bsp_visitor *visitor, const acp_bsp_leaf_group *group, uint32_t *told, uint32_t lane) {
    for (; *told < lane; ++*told)
        if (group->polygons[*told] != ACP_BSP_NONE) visitor->visit(visitor->user, ACP_BSP_VISIT_POLYGON, group->polygons[*told]);
}

#define SPINE(bsp, probe)                   ACP_BSP_NO_SPINE
#define QUERY(name)                         acp_bsp_trace_##name
#define VISITOR_PARAMETER                   , const acp_bsp_visitor *visitor
#define VISITOR_ARGUMENT                    , visitor
#define VISIT_CHILD(word)                   visit_child(visitor, bsp, word)
#define VISIT_POLYGONS(group, told, lane)   visit_polygons(visitor, group, &(told), lane)
#define BEGIN_SPHERE(bsp, sphere)           ((void)0)
#define IS_BEYOND(group, sphere)            false
#define HITS(bsp, polygon, sphere, contact) acp_bsp_polygon_hits_sphere(bsp, &acp_bsp_polygons(bsp)[polygon], sphere, contact)
#include "geom/bsp_query_text.h"
