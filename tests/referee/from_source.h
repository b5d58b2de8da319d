/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_REFEREE_FROM_SOURCE_H
#define ACP_TESTS_REFEREE_FROM_SOURCE_H

#include "tests/referee/referee.h"

/* A description turned into the referee's pointers, read leniently (02 DAT-72). Everything is copied. */
typedef struct referee_tree {
    acp_vec3 *points;
    referee_polygon *polygons;
    referee_entry *entries;
    referee_node *nodes;
    const referee_node *root; /* null without nodes */
    uint32_t polygon_count;
    uint32_t node_count;
} referee_tree;

/* False when memory is out. */
bool referee_tree_make(referee_tree *tree, const acp_bsp_source *source);
void referee_tree_free(referee_tree *tree);

#endif
