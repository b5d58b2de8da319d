/* SPDX-License-Identifier: MIT */
/* The tree queries instantiated with a memory of misses (geom/bsp_memo.h): same text, same decisions and order as geom/bsp_query.c.
 *
 * Trees list a polygon in every leaf that it reaches (11 AUT-7), and a mover that settles asks the same place in several ways: whether it
 * may stand there, whether there is room, whether to step up. Most tests of a polygon against a sphere have been made before, and most
 * of them were misses. What a test answers follows from the bits of the sphere and the polygon alone, so a polygon that the sphere has
 * missed is missed again, whatever the query, and need not be tested; nor does a miss leave anything behind but *contact.
 * Contract: a memo is of one tree and one sphere, to the bit (zeros of different sign apart); another one, and a sphere that
 * find_walkable has moved, start it anew. Misses only are kept: a hit is tested again, for it writes.
 * Limits: polygons whose ordinals share their low bits displace each other, which costs a test. Nothing is allocated.
 * Cost: a comparison a polygon and a query. */
#include "geom/bsp_memo.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "geom/bsp_polygon.h"
#include "geom/bsp_probe.h"

static void start_memo(acp_bsp_memo *memo, const acp_bsp *bsp, const acp_sphere *sphere) {
    if (memo->bsp == bsp && memcmp(&memo->sphere, sphere, sizeof *sphere) == 0) return;
    memo->bsp = bsp;
    memo->sphere = *sphere;
    memo->filled = 0;
    memo->limit2 = acp_bsp_is_in_reach(sphere) ? sphere->radius * sphere->radius : INFINITY;
}

static inline bool is_beyond(const acp_bsp_memo *memo, const acp_bsp_leaf_group *group, const acp_sphere *sphere) {
    return acp_bsp_box_is_beyond(&group->box, acp_lane4_load_anywhere(&sphere->center.x), memo->limit2);
}

static bool hits(acp_bsp_memo *memo, const acp_bsp *bsp, uint32_t polygon, const acp_sphere *sphere, acp_vec3 *contact) {
    const acp_bsp_polygon_record *record = &acp_bsp_polygons(bsp)[polygon];
    if (acp_bsp_box_is_beyond(&record->box, acp_lane4_load_anywhere(&sphere->center.x), memo->limit2)) return false;
    uint32_t slot = polygon % ACP_BSP_MEMO_SIZE, bit = 1u << slot;
    if ((memo->filled & bit) && memo->missed[slot] == polygon) return false;
    if (acp_bsp_polygon_hits_sphere(bsp, record, sphere, contact)) return true;
    memo->missed[slot] = polygon;
    memo->filled |= bit;
    return false;
}

#define SPINE(bsp, probe)                   acp_bsp_probe_near(bsp, probe)
#define QUERY(name)                         acp_bsp_memo_##name
#define VISITOR_PARAMETER                   , acp_bsp_memo *memo
#define VISITOR_ARGUMENT                    , memo
#define VISIT_CHILD(word)                   ((void)0)
#define VISIT_POLYGONS(group, told, lane)   ((void)(told))
#define BEGIN_SPHERE(bsp, sphere)           start_memo(memo, bsp, sphere)
#define IS_BEYOND(group, sphere)            is_beyond(memo, group, sphere)
#define HITS(bsp, polygon, sphere, contact) hits(memo, bsp, polygon, sphere, contact)
#define QUERY_OF_FOUR
#include "geom/bsp_query_text.h"
