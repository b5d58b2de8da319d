/* SPDX-License-Identifier: MIT */
/* Boxes and posts twice: as objects of a world, and as arithmetic that knows nothing of the library. */
#include "tests/support/solid.h"

#include <math.h>

double test_solid_distance(const test_solid *s, double floor, double x, double y, double z) {
    double dx = fabs(x - s->x), dy = fabs(y - s->y), dz = fmax(z - (floor + s->height), 0);
    if (s->half_y > 0) {
        dx = fmax(dx - s->half_x, 0);
        dy = fmax(dy - s->half_y, 0);
    } else {
        dx = fmax(sqrt(dx * dx + dy * dy) - s->half_x, 0);
        dy = 0;
    }
    return sqrt(dx * dx + dy * dy + dz * dz);
}

void test_solid_stand(const test_solid *s, test_world *world, uint32_t cell_id, double floor, uint32_t id) {
    acp_position at = test_position(cell_id, s->x, s->y, floor);
    if (s->half_y > 0)
        (void)test_world_box(world, at, 2 * s->half_x, 2 * s->half_y, s->height, ACP_STATE_STATIC, id);
    else
        (void)test_world_post(world, at, s->half_x, s->height, ACP_STATE_STATIC, 0, id);
}
