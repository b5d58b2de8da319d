/* SPDX-License-Identifier: MIT */
/* The cells of a body, by brute force (tool_run.h): what a registry must not miss.
 *
 * Outdoors every resident land cell that the square around one of the body's spheres overlaps, to a millimetre, must be among its rows,
 * and the row of its own cell always. The spheres are reckoned here from the setup, in binary64, without the library's floods. Bodies with
 * a BSP, without spheres, of 24 m radius and more (the client's flood looks at the eight cells around only), without a cell, and those that
 * take part in nothing (parented) are not looked at. The other direction, and both sides of every list, is acp_membership_check's. Cost: a
 * few cells a body. */
#include <math.h>
#include <stdio.h>

#include "acphys/membership.h"
#include "membership/registry.h"
#include "tools/acphys/tool_run.h"

static bool has_row(const uint32_t *cells, uint32_t count, uint32_t cell_id) {
    for (uint32_t i = 0; i < count; i++)
        if (cells[i] == cell_id) return true;
    return false;
}

/* The land cell with global numbers x, y (24 m); 0: off the map. */
static uint32_t land_cell(long x, long y) {
    if (x < 0 || y < 0 || x >= 2040 || y >= 2040) return 0;
    return (uint32_t)(x >> 3) << 24 | (uint32_t)(y >> 3) << 16 | (uint32_t)((x & 7) * 8 + (y & 7) + 1);
}

bool acp_run_misses_cell(const acp_run *run, uint32_t object, char *out, uint32_t capacity) {
    const acp_world *world = run->world.world;
    acp_object_info info;
    uint32_t count = 0;
    if (!run->objects[object].exists || acp_object_get_info(world, run->objects[object].handle, &info) != ACP_OK) return false;
    const acp_frame *f = &info.position.frame;
    if (!isfinite(f->origin.x) || !isfinite(f->origin.y) || !isfinite(f->origin.z) || !isfinite(f->rotation.w)) {
        (void)snprintf(out, capacity, "its place is no number");
        return true;
    }
    if (info.holder_cell_id == 0 || info.parent.index1 != 0 || !info.setup) return false;
    const uint32_t *cells = acp_registry_object_cells(world, run->objects[object].handle.index1 - 1, &count);
    if (!has_row(cells, count, info.holder_cell_id)) {
        (void)snprintf(out, capacity, "it has no row in its own cell 0x%08lX", (unsigned long)info.holder_cell_id);
        return true;
    }
    acp_setup_info setup = acp_setup_get_info(info.setup);
    if ((info.holder_cell_id & 0xFFFFu) >= 0x100u || info.state & ACP_STATE_HAS_PHYSICS_BSP) return false;
    double base_x = (double)(info.position.cell_id >> 24) * 192.0, base_y = (double)((info.position.cell_id >> 16) & 0xFFu) * 192.0;
    double w = (double)f->rotation.w, z = (double)f->rotation.z;
    for (uint32_t i = 0; i < setup.sphere_count && i < 2; i++) {
        double scale = (double)info.scale, r = (double)setup.spheres[i].radius * scale - 0.001;
        if (r >= 24.0) continue;
        double cx = (double)setup.spheres[i].center.x * scale, cy = (double)setup.spheres[i].center.y * scale;
        double cosine = 1.0 - 2.0 * z * z, sine = 2.0 * w * z; /* upright bodies only turn about z */
        double x = base_x + (double)f->origin.x + cosine * cx - sine * cy, y = base_y + (double)f->origin.y + sine * cx + cosine * cy;
        for (long gx = (long)floor((x - r) / 24.0); gx <= (long)floor((x + r) / 24.0); gx++)
            for (long gy = (long)floor((y - r) / 24.0); gy <= (long)floor((y + r) / 24.0); gy++) {
                uint32_t id = land_cell(gx, gy);
                if (id == 0 || acp_world_cell_status(world, id) != ACP_CELL_RESIDENT || has_row(cells, count, id)) continue;
                (void)snprintf(out, capacity, "it touches 0x%08lX and has no row there", (unsigned long)id);
                return true;
            }
    }
    return false;
}
