/* SPDX-License-Identifier: MIT */
#ifndef ACP_MEMBERSHIP_FLOOD_PARTS_H
#define ACP_MEMBERSHIP_FLOOD_PARTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "asset/cell_structure.h"
#include "base/trace.h"
#include "geom/cell_tree_probe.h"
#include "math/number.h"
#include "math/vec3.h"
#include "membership/flood.h"
#include "place/cell_id.h"

/* What the parts of the floods share. */

/* floor(v / 24) as an integer (WM-6); far beyond the map it stays there instead of wrapping (DIV-36). */
static inline int64_t acp_flood_cells(double v) {
    double quotient = v / ACP_CELL_LENGTH;
    if (!(quotient > -1.0e9)) return -1000000000;
    if (!(quotient < 1.0e9)) return 1000000000;
    int64_t i = (int64_t)quotient;
    return i - (quotient < (double)i);
}

/* MEM-7b, c: an object-space point in the landblock of its own position; acp_matrix_position_local_to_global to the same block. */
static inline void acp_flood_center(const acp_matrix_position *position, const acp_vec3 *v, acp_vec3 *out_center) {
    const float *m = position->frame.m;
    double x = (double)v->x, y = (double)v->y, z = (double)v->z;
    double bx = (((double)m[3] * y + (double)m[0] * x) + (double)m[6] * z) + (double)position->frame.origin.x;
    double by = (((double)m[4] * y + (double)m[1] * x) + (double)m[7] * z) + (double)position->frame.origin.y;
    double bz = (((double)m[5] * y + (double)m[2] * x) + (double)m[8] * z) + (double)position->frame.origin.z;
    out_center->x = acp_f32(0.0 + acp_stored(bx)); /* the block offset: clears the sign of a zero */
    out_center->y = acp_f32(0.0 + acp_stored(by));
    out_center->z = acp_f32(0.0 + acp_stored(bz));
}

/* Adds and, when somebody listens, tells. */
void acp_flood_add_traced(acp_flood *flood, uint32_t cell_id, bool is_resident);

static inline void acp_flood_add(acp_flood *flood, uint32_t cell_id, bool is_resident) {
    acp_cell_array *array = flood->array;
    if (flood->trace || array->land_end || array->count == array->capacity) {
        acp_flood_add_traced(flood, cell_id, is_resident);
        return;
    }
    for (uint32_t i = 0; i < array->count; i++)
        if (array->items[i].cell_id == cell_id) return;
    acp_cell_entry entry = {cell_id, is_resident};
    array->items[array->count++] = entry;
}

/* A neighbour that is in the array already cannot be added again, whatever its tests say: without a listener they need not be made. */
static inline bool acp_flood_is_settled(const acp_flood *flood, uint32_t cell_id) {
    const acp_cell_array *array = flood->array;
    if (flood->trace) return false;
    if (array->land_end) return acp_cell_array_find(array, cell_id) != UINT32_MAX;
    for (uint32_t i = 0; i < array->count; i++)
        if (array->items[i].cell_id == cell_id) return true;
    return false;
}

/* Whether a point lies well inside the landblock of an id that names a place: then acp_adjust_to_outside leaves it where it is. */
static inline bool acp_flood_is_well_inside(uint32_t id, const acp_vec3 *point) {
    return point->x >= ACP_EPSILON && point->x < 192.0f && point->y >= ACP_EPSILON && point->y < 192.0f && id >> 24 < 255u &&
           ((id >> 16) & 0xFFu) < 255u && acp_cell_id_is_index_in_range(id);
}

/* acp_adjust_to_outside and acp_lcoord_from_cell_id together, at once where the point lies well inside. False: beyond the map, *id 0. */
static inline bool acp_flood_land_cell(uint32_t *id, acp_vec3 *point, int32_t *out_x, int32_t *out_y) {
    if (acp_flood_is_well_inside(*id, point)) {
        uint32_t block_x = *id >> 24, block_y = (*id >> 16) & 0xFFu;
        uint32_t cx = (uint32_t)((double)point->x / ACP_CELL_LENGTH), cy = (uint32_t)((double)point->y / ACP_CELL_LENGTH);
        *id = (*id & 0xFFFF0000u) | (8u * cx + cy + 1u);
        *out_x = (int32_t)(8u * block_x + cx);
        *out_y = (int32_t)(8u * block_y + cy);
        return true;
    }
    return acp_adjust_to_outside(id, point) && acp_lcoord_from_cell_id(*id, out_x, out_y);
}

/* A land cell that has nothing to add any more: the latch is taken and no building stands on it. */
static inline bool acp_flood_is_barren(const acp_flood *flood, uint32_t cell_id) {
    uint32_t k = (cell_id & 0xFFFFu) - 1u;
    return k < 64u && flood->array->added_outside && !((acp_world_block(flood->world, cell_id)->building_mask >> k) & 1u);
}

/* A lookup found nothing: tells, and records the dependency when it can still appear (MEM-42). */
void acp_flood_note_absent(acp_flood *flood, uint32_t cell_id);
void acp_flood_note_absent_block(acp_flood *flood, uint32_t block_id, uint32_t known);

/* MEM-20, 21: box and sphere of a part; scaled only under ACP_CORRECTION_SCALED_EXTENT. False: no sphere. */
acp_box acp_flood_part_box(const acp_flood *flood, const acp_part_row *part);
bool acp_flood_part_sphere(const acp_flood *flood, const acp_part_row *part, acp_sphere *out_sphere);

/* Whether a box, local to the EnvCell, touches its containment tree; tells the deciding plane. */
bool acp_flood_box_touches(const acp_flood *flood, const acp_env_cell *cell, uint32_t subject, const acp_box *box);

/* The same for a sphere whose centre is in the cell's landblock. */
bool acp_flood_sphere_touches(const acp_flood *flood, const acp_env_cell *cell, uint32_t subject, acp_vec3 center, float radius);

/* Whether any of some spheres meets a room; no listener, no correction. Spheres above each other, as a mover's are, share x and y. */
static inline bool acp_flood_any_sphere_meets(const acp_env_cell *cell, uint32_t count, const acp_sphere *spheres) {
    acp_sphere local;
    const acp_matrix_frame *f = &cell->position.frame;
    for (uint32_t i = 0; i < count; i++) {
        const acp_sphere *sphere = &spheres[i];
        float z = acp_f32(((double)sphere->center.z - (double)f->origin.z) * (double)f->m[8]);
        bool is_above = i != 0 && cell->is_about_z && local.center.x != 0.0f && local.center.y != 0.0f && !acp_is_negative_zero(z) &&
                        sphere->center.x == spheres[i - 1].center.x && sphere->center.y == spheres[i - 1].center.y;
        if (is_above)
            local.center.z = z; /* as acp_env_cell_to_local would */
        else
            acp_env_cell_to_local(cell, &sphere->center, &local.center);
        local.radius = sphere->radius;
        if (acp_cell_tree_meets_sphere(cell->containment, &local)) return true;
    }
    return false;
}

/* Without a listener at once. */
static inline bool acp_flood_sphere_meets(const acp_flood *flood, const acp_env_cell *cell, uint32_t subject, const acp_sphere *sphere) {
    if (flood->trace) return acp_flood_sphere_touches(flood, cell, subject, sphere->center, sphere->radius);
    acp_sphere local;
    acp_env_cell_to_local(cell, &sphere->center, &local.center);
    local.radius = sphere->radius;
    return acp_cell_tree_meets_sphere(cell->containment, &local);
}

/* MEM-23 by terms: exactly acp_box_local_to_local, with the products of the corners shared. */
acp_box acp_flood_refit(const acp_matrix_position *to, const acp_matrix_position *from, const acp_box *box);

static inline bool acp_flood_is_traced(const acp_flood *flood) { return flood->trace != NULL; }

#endif
