/* SPDX-License-Identifier: MIT */
/* The cells of a body, by brute force (tool_run.h): what a registry must not miss.
 *
 * Every resident cell, of land or room, that tool_run_rooms.c finds by geometry must be among the body's rows, and the row of its own cell
 * always. The spheres are reckoned here from the setup, in binary64, without the library's floods. Bodies with a BSP, without spheres,
 * without a cell, and those that take part in nothing (parented) are not looked at. The other direction, and both sides of every list, is
 * acp_membership_check's. Cost: a few cells a body. */
#include <math.h>
#include <stdio.h>

#include "acphys/membership.h"
#include "membership/registry.h"
#include "tools/acphys/tool_run.h"

/* At most two spheres count, as for the client. */
static void find_spheres(const acp_object_info *info, const acp_setup_info *setup, acp_run_body *out) {
    const acp_quaternion *q = &info->position.frame.rotation;
    const acp_vec3 *o = &info->position.frame.origin;
    double w = (double)q->w, x = (double)q->x, y = (double)q->y, z = (double)q->z, scale = (double)info->scale;
    out->cell_id = info->position.cell_id;
    for (uint32_t i = 0; i < setup->sphere_count && i < 2; i++) {
        acp_run_sphere *to = &out->spheres[out->sphere_count++];
        const acp_sphere *s = &setup->spheres[i];
        double c[3] = {(double)s->center.x * scale, (double)s->center.y * scale, (double)s->center.z * scale};
        double t[3] = {2.0 * (y * c[2] - z * c[1]), 2.0 * (z * c[0] - x * c[2]), 2.0 * (x * c[1] - y * c[0])};
        to->centre[0] = (double)o->x + c[0] + w * t[0] + (y * t[2] - z * t[1]);
        to->centre[1] = (double)o->y + c[1] + w * t[1] + (z * t[0] - x * t[2]);
        to->centre[2] = (double)o->z + c[2] + w * t[2] + (x * t[1] - y * t[0]);
        to->radius = (double)s->radius * scale;
    }
}

bool acp_run_misses_cell(acp_run *run, uint32_t object, char *out, uint32_t capacity) {
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
    if (!acp_run_has_id(cells, count, info.holder_cell_id)) {
        (void)snprintf(out, capacity, "it has no row in its own cell 0x%08lX", (unsigned long)info.holder_cell_id);
        return true;
    }
    acp_setup_info setup = acp_setup_get_info(info.setup);
    if (info.state & ACP_STATE_HAS_PHYSICS_BSP) return false;
    acp_run_body body = {.sphere_count = 0};
    acp_run_cells must;
    find_spheres(&info, &setup, &body);
    acp_run_cells_of(world, &body, &must);
    run->rooms_seen += must.room_count;
    for (uint32_t i = 0; i < must.count; i++) {
        if (acp_world_cell_status(world, must.ids[i]) != ACP_CELL_RESIDENT || acp_run_has_id(cells, count, must.ids[i])) continue;
        (void)snprintf(out, capacity, "it touches 0x%08lX and has no row there", (unsigned long)must.ids[i]);
        return true;
    }
    return false;
}
