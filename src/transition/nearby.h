/* SPDX-License-Identifier: MIT */
#ifndef ACP_TRANSITION_NEARBY_H
#define ACP_TRANSITION_NEARBY_H

#include <stdbool.h>
#include <stdint.h>

#define ACP_NEARBY_LISTS   4u  /* cells remembered at a time */
#define ACP_NEARBY_OBJECTS 28u /* of one cell; more, and the cell's whole list is walked */
#define ACP_NEARBY_LEAST   6u  /* cells with fewer objects are not worth it */

struct acp_transition;

/* The objects of one cell that a mover within a circle of the ground plan can touch, in the cell's order. */
typedef struct acp_nearby_list {
    uint32_t cell_id;  /* whose objects */
    uint32_t block_id; /* the landblock that the circle is in */
    double x, y;
    double freedom; /* a mover's axis may be this far from (x, y) */
    bool is_whole;  /* too many: the cell's list itself */
    uint32_t count;
    uint32_t objects[ACP_NEARBY_OBJECTS];
} acp_nearby_list;

typedef struct acp_nearby {
    uint32_t count; /* lists in use; 0 = forgotten */
    uint32_t next;  /* the one to be given up when all are in use */
    acp_nearby_list lists[ACP_NEARBY_LISTS];
} acp_nearby;

/* `objects`, `count`: the list of a resident cell. Gives what of it the transition's check spheres can touch, or all of it. The mover's
 * spheres stand over one point (acp_mover_circle_is_valid) and no trace is attached. */
const uint32_t *acp_nearby_objects(struct acp_transition *move, uint32_t cell_id, const uint32_t *objects, uint32_t *count);

#endif
