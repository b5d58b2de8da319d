/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_REFEREE_VECTORS_H
#define ACP_TESTS_REFEREE_VECTORS_H

#include <stddef.h>

#include "support/json.h"
#include "tests/referee/referee.h"

/* The values of the bit vectors: bits are taken from the _hex twin of a key when it is there. A missing key ends the program with its name.
 */

/* Zeroed memory that lives, like the points, nodes and entries read below, until referee_vectors_free. */
void *referee_keep(size_t size);
void referee_vectors_free(void);

int referee_int(const acp_json *value); /* 0 for null */
const acp_json *referee_member(const acp_json *object, const char *key);
int referee_flag(const acp_json *object, const char *key);
/* All binary32 values under `key`, flattened; *out_count may be null. */
float *referee_floats(const acp_json *object, const char *key, int *out_count);
float referee_float(const acp_json *object, const char *key);
double referee_double(const acp_json *object, const char *key); /* 16 hex digits, or the decimal */
acp_vec3 referee_vec3(const acp_json *object, const char *key);
acp_plane referee_plane(const acp_json *object, const char *key);
acp_sphere referee_sphere(const acp_json *object, const char *key);
acp_box referee_box(const acp_json *object, const char *key);
referee_polygon referee_read_polygon(const acp_json *value, uint32_t number);
referee_position referee_read_position(const acp_json *value);

/* A tree; numbers of nodes are given in the order of a walk, positive child first. Leaf entries point into `polygons`. */
referee_node *referee_read_tree(const acp_json *value, const referee_polygon *polygons, int polygon_count, uint32_t *next_number);

#endif
