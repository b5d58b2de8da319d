/* SPDX-License-Identifier: MIT */
#ifndef ACP_TESTS_SUPPORT_SOLID_H
#define ACP_TESTS_SUPPORT_SOLID_H

#include "tests/support/small_world.h"

/* Boxes and posts as plain geometry, for tests that judge movement without the library. */
typedef struct test_solid {
    double x, y, half_x, half_y, height; /* a box; half_y 0: a post of radius half_x */
} test_solid;

/* Distance of a point to a solid that stands on z = `floor`. */
double test_solid_distance(const test_solid *s, double floor, double x, double y, double z);

/* Stands it there in a world, as a static object. */
void test_solid_stand(const test_solid *s, test_world *world, uint32_t cell_id, double floor, uint32_t id);

#endif
