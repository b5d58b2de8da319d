/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_QUERY_MAKER_H
#define ACP_TESTS_SUPPORT_QUERY_MAKER_H

#include "tests/support/tree_maker.h"

/* Random questions to a tree, most of them near a tie: centres at the reach of a plane, contact points on edges and corners, spheres that
 * just touch a bounding sphere, give or take a few units in the last place. */
typedef struct made_query {
    acp_sphere sphere;
    acp_vec3 point;
    acp_vec3 movement;
    acp_vec3 up;
    acp_box box;
    float radius; /* the argument of the solid-polygon query */
    float allowance;
    float walk_interp;
    bool center_check;
    uint32_t polygon; /* an ordinal; of a polygon with at least three points when there is one */
} made_query;

void made_query_make(made_query *query, const made_tree *tree, test_random *random);

#endif
