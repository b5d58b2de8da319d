/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_TREE_MAKER_H
#define ACP_TESTS_SUPPORT_TREE_MAKER_H

#include "acphys/geom.h"
#include "tests/support/random.h"

/* Random descriptions of polygons and trees, made to be awkward: ties, duplicates, faults of content, depth. */

typedef enum tree_family {
    TREE_RANDOM = 0,      /* planes, lists and spheres at random */
    TREE_BALANCED,        /* polygons sorted into a tree by their centres, bounding spheres that contain what is below */
    TREE_ROOM,            /* a box seen from inside, with blocks in it: a chain of half-spaces, then a small tree */
    TREE_DEEP,            /* a chain of up to 1,000 levels */
    TREE_DUPLICATE_PLANE, /* few planes, used over and over; polygons listed many times */
    TREE_ZERO_AREA,       /* polygons with no or hardly any area */
    TREE_FAULTY, /* everything 02 DAT-72 lets through: missing children, bad ordinals, PORT nodes, negative radii, short polygons */
    TREE_FAMILY_COUNT
} tree_family;

const char *tree_family_name(tree_family family);

enum {
    MADE_TREE_MAX_NODES = 4096,
    MADE_TREE_MAX_POLYGONS = 256,
    MADE_TREE_MAX_POINTS = 12, /* of a polygon */
    MADE_TREE_MAX_VERTICES = MADE_TREE_MAX_POLYGONS * MADE_TREE_MAX_POINTS,
    MADE_TREE_MAX_ENTRIES = 16384
};

typedef struct made_tree {
    acp_bsp_source source; /* points into the arrays below */
    tree_family family;
    double scale;    /* size of the coordinates */
    double offset;   /* how far from the origin */
    bool is_snapped; /* coordinates are multiples of scale / 8, so that ties are exact */
    acp_vec3 vertices[MADE_TREE_MAX_VERTICES];
    acp_polygon_source polygons[MADE_TREE_MAX_POLYGONS];
    uint32_t indices[MADE_TREE_MAX_VERTICES];
    acp_bsp_node_source nodes[MADE_TREE_MAX_NODES];
    uint32_t entries[MADE_TREE_MAX_ENTRIES];
} made_tree;

/* Fills *tree from the random numbers alone. */
void made_tree_make(made_tree *tree, tree_family family, test_random *random);

#endif
