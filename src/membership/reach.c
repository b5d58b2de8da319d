/* SPDX-License-Identifier: MIT */
/* Who can be reached: the filter before the narrow phase, and lookups around a place (spec 04 C3, C4; law L4).
 *
 * A candidate that is registered in a cell of the mover's array may be skipped only when bounds that contain its whole shape prove it out
 * of reach, each measured from its *own* centre, rotated, scaled and brought into the mover's landblock: a BSP part by the bounding sphere
 * of its tree's root (centre and radius together), cylspheres by a ball around their middle, spheres by themselves. Never the part's
 * origin: a 139 m object whose origin is 90 m away is tested when its far end is near (the trap of C4). Which family counts follows the
 * collision dispatch (05 OCD-21), from the state word. A margin of 1 mm covers rounding. Every verdict carries its numbers.
 *
 * Contract: read access, no allocation but the caller's list in objects_near. Cost: a few nanoseconds per part. */
#include "membership/reach.h"

#include <math.h>
#include <string.h>

#include "asset/finite.h"
#include "asset/setup.h"
#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "membership/flood_parts.h"
#include "membership/registry_state.h"
#include "place/cell_id.h"

#define MARGIN 0.001 /* metres: more than any rounding of a centre on the map */

/* The nearest bound so far: distance minus reach. */
typedef struct nearest {
    double distance, reach, gap;
    uint32_t index;
    bool is_any;
} nearest;

static void consider(nearest *n, const acp_reach_mover *mover, const acp_matrix_position *from, acp_vec3 local, double radius,
                     uint32_t index) {
    acp_vec3 c = acp_matrix_position_local_to_global(mover->cell_id, from, local);
    double dx = (double)c.x - (double)mover->center.x, dy = (double)c.y - (double)mover->center.y;
    double dz = (double)c.z - (double)mover->center.z;
    double distance = sqrt((dx * dx + dy * dy) + dz * dz);
    double reach = radius + (double)mover->radius + MARGIN;
    if (n->is_any && distance - reach >= n->gap) return;
    n->is_any = true;
    n->distance = distance;
    n->reach = reach;
    n->gap = distance - reach;
    n->index = index;
}

static acp_vec3 times(acp_vec3 v, double s) { return acp_vec3_scale(v, s); }

/* Part by part, every one that has a BSP: geometry is scaled by the part's .z (OCD-30). A part without its sphere cannot be judged. */
static bool consider_parts(nearest *n, const acp_reach_mover *mover, const acp_object_row *row) {
    for (uint32_t i = 0; i < row->part_count; i++) {
        const acp_part_row *part = &row->parts[i];
        if (!part->shape || !acp_shape_has_physics_bsp(part->shape)) continue;
        if (!(part->shape->flags & ACP_SHAPE_HAS_PHYSICS_SPHERE)) return false;
        double s = (double)part->scale.z;
        consider(n, mover, &part->position, times(part->shape->physics_sphere.center, s),
                 fabs(s) * (double)part->shape->physics_sphere.radius, i);
    }
    return true;
}

static void consider_cylspheres(nearest *n, const acp_reach_mover *mover, const acp_object_row *row) {
    double s = (double)row->scale;
    for (uint32_t i = 0; i < row->setup->cylsphere_count; i++) {
        acp_cylsphere c = row->setup->cylspheres[i];
        double half = 0.5 * (double)c.height, r = (double)c.radius;
        acp_vec3 low = times(c.low_point, s);
        /* The cylinder stands upright in the block whatever the object's rotation: its middle is above the turned low point. */
        acp_reach_mover lowered = *mover;
        lowered.center.z = acp_f32((double)mover->center.z - half * s);
        consider(n, &lowered, &row->position, low, s * (sqrt(half * half + r * r) + fabs(half) * 1.0e-6), i);
    }
}

static void consider_spheres(nearest *n, const acp_reach_mover *mover, const acp_object_row *row) {
    double s = (double)row->scale;
    for (uint32_t i = 0; i < row->setup->sphere_count; i++)
        consider(n, mover, &row->position, times(row->setup->spheres[i].center, s), s * (double)row->setup->spheres[i].radius, i);
}

bool acp_reach_is_candidate(const acp_world *world, const acp_reach_mover *mover, const acp_object_row *row,
                            acp_reach_verdict *out_verdict) {
    (void)world;
    acp_reach_verdict verdict = {ACP_REACH_TESTED, 0, 0.0, 0.0};
    nearest n = {0.0, 0.0, 0.0, 0, false};
    uint32_t rejected = ACP_REACH_REJECTED_SPHERE;
    bool is_judged = true;
    const uint32_t gone = ACP_STATE_ETHEREAL | ACP_STATE_IGNORE_COLLISIONS;
    if (row->parent != ACP_OBJECT_NONE) {
        verdict.verdict = ACP_REACH_EXEMPT_PARENTED;
    } else if ((row->state & gone) == gone) {
        verdict.verdict = ACP_REACH_EXEMPT_ETHEREAL;
    } else {
        if (row->state & ACP_STATE_HAS_PHYSICS_BSP) {
            is_judged = consider_parts(&n, mover, row);
        } else if (row->setup && row->setup->cylsphere_count) {
            rejected = ACP_REACH_REJECTED_CYLINDER;
            consider_cylspheres(&n, mover, row);
        } else if (row->setup) {
            rejected = ACP_REACH_REJECTED_SPHERES;
            consider_spheres(&n, mover, row);
        }
        verdict.nearest = n.index;
        verdict.distance = n.distance;
        verdict.reach = n.reach;
        if (is_judged && !n.is_any) verdict.verdict = ACP_REACH_EXEMPT_NO_SHAPE;
        if (is_judged && n.is_any && n.distance > n.reach) verdict.verdict = rejected;
    }
    if (out_verdict) *out_verdict = verdict;
    return verdict.verdict == ACP_REACH_TESTED;
}

/* ------------------------------------------------------------------------------------------------------------------ candidates */

/* Calls visit for every object of the array's cells, each once (a first occurrence is told by its lowest cell in the array). */
static bool is_first_cell(const acp_world *world, const acp_cell_array *array, uint32_t cell, uint32_t object) {
    for (uint32_t i = 0; i < cell; i++) {
        uint32_t count = 0;
        const uint32_t *objects = acp_registry_cell_objects(world, acp_world_cell(world, array->items[i].cell_id), &count);
        for (uint32_t k = 0; k < count; k++)
            if (objects[k] == object) return false;
    }
    return true;
}

static acp_result check_place(const acp_position *position, float radius, const char *operation, acp_error *error) {
    if (!position) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "no position");
    if (!acp_frame_is_finite(&position->frame) || !acp_is_finite(radius))
        return acp_error_set(error, ACP_ERROR_NOT_FINITE, operation, "position or radius is not finite");
    if (!acp_cell_id_is_valid(position->cell_id))
        return acp_error_set(error, ACP_ERROR_INVALID_ID, operation, "cell id 0x%08X names no place", (unsigned)position->cell_id);
    if (radius < 0.0f || radius > 1000.0f)
        return acp_error_set(error, ACP_ERROR_OUT_OF_RANGE, operation, "the radius is not within 0..1000 m");
    return ACP_OK;
}

acp_result acp_membership_candidates(const acp_world *world, const acp_position *position, float radius, const acp_object *mover,
                                     acp_candidate *out_candidates, uint32_t capacity, uint32_t *out_count, acp_error *error) {
    if (!world || !out_count || (capacity && !out_candidates))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "candidates", "no world or no place for the answer");
    *out_count = 0;
    acp_result result = check_place(position, radius, "candidates", error);
    if (result != ACP_OK) return result;
    acp_cell_array array;
    acp_cell_array_init(&array, &world->allocator);
    acp_flood flood = acp_flood_begin(world, &array);
    acp_sphere ball = {position->frame.origin, radius};
    result = acp_find_cell_list(&flood, position->cell_id, ball.center, 1, &ball, NULL);
    acp_reach_mover reach = {position->cell_id, ball.center, radius};
    for (uint32_t i = 0; result == ACP_OK && i < array.count; i++) {
        uint32_t count = 0;
        const uint32_t *objects = acp_registry_cell_objects(world, acp_world_cell(world, array.items[i].cell_id), &count);
        for (uint32_t k = 0; k < count; k++) {
            if (!is_first_cell(world, &array, i, objects[k])) continue;
            acp_candidate candidate;
            candidate.object = acp_world_handle(world, objects[k]);
            acp_reach_is_candidate(world, &reach, acp_world_row(world, objects[k]), &candidate.verdict);
            if (mover && mover->index1 == objects[k] + 1u) candidate.verdict.verdict = ACP_REACH_EXEMPT_SELF;
            if (*out_count < capacity) out_candidates[*out_count] = candidate;
            ++*out_count;
        }
    }
    acp_cell_array_free(&array);
    return result == ACP_OK ? ACP_OK : acp_error_set(error, result, "candidates", "no memory for the cells");
}

/* ------------------------------------------------------------------------------------------------------------------------ near */

typedef struct near_search {
    const acp_world *world;
    acp_matrix_position place;
    double radius;
    ACP_ARRAY(acp_near_object) found;
    acp_result result;
} near_search;

static void consider_near(near_search *s, uint32_t index) {
    const acp_object_row *row = acp_world_row(s->world, index);
    if (!row->position.cell_id) return;
    float radius = row->setup ? acp_f32((double)row->setup->radius * (double)row->scale) : 0.0f;
    float height = row->setup ? acp_f32((double)row->setup->height * (double)row->scale) : 0.0f;
    double distance = acp_cylinder_distance(0.0f, 0.0f, &s->place, radius, height, &row->position);
    if (distance > s->radius) return;
    acp_near_object item = {acp_world_handle(s->world, index), distance};
    for (uint32_t i = 0; i < s->found.count; i++)
        if (s->found.items[i].object.index1 == item.object.index1) return;
    if (s->result == ACP_OK) s->result = ACP_ARRAY_PUSH(&s->found, &s->world->allocator, item);
}

static void search_cell(near_search *s, acp_cell cell) {
    uint32_t count = 0;
    const uint32_t *objects = acp_registry_cell_objects(s->world, cell, &count);
    for (uint32_t i = 0; i < count; i++)
        consider_near(s, objects[i]);
}

/* Every cell of the landblocks within reach; cells are few beside the map. */
static void search_blocks(near_search *s) {
    int32_t x = 0, y = 0;
    if (!acp_lcoord_from_block_id(s->place.cell_id, &x, &y)) return;
    double ox = (double)s->place.frame.origin.x, oy = (double)s->place.frame.origin.y;
    int64_t x0 = x + acp_flood_cells(ox - s->radius), x1 = x + acp_flood_cells(ox + s->radius);
    int64_t y0 = y + acp_flood_cells(oy - s->radius), y1 = y + acp_flood_cells(oy + s->radius);
    x0 = x0 < 0 ? 0 : x0;
    y0 = y0 < 0 ? 0 : y0;
    x1 = x1 > 2039 ? 2039 : x1;
    y1 = y1 > 2039 ? 2039 : y1;
    for (int64_t cx = x0; cx <= x1; cx++)
        for (int64_t cy = y0; cy <= y1; cy++) {
            acp_cell cell = acp_world_cell(s->world, acp_lcoord_to_cell_id((int32_t)cx, (int32_t)cy));
            if (cell.block) search_cell(s, cell);
        }
    for (int64_t bx = x0 >> 3; bx <= x1 >> 3; bx++)
        for (int64_t by = y0 >> 3; by <= y1 >> 3; by++) {
            const acp_block *block = acp_world_block(s->world, (uint32_t)bx << 24 | (uint32_t)by << 16);
            for (uint32_t i = 0; block && i < block->env_cell_count; i++) {
                acp_cell cell = {block, block->env_cells[i].cell_id, i + 1u};
                search_cell(s, cell);
            }
        }
}

static bool is_nearer(const acp_near_object *a, const acp_near_object *b) {
    return a->distance < b->distance || (!(a->distance > b->distance) && a->object.index1 < b->object.index1);
}

acp_result acp_membership_objects_near(const acp_world *world, const acp_position *position, float radius, acp_near_object *out_objects,
                                       uint32_t capacity, uint32_t *out_count, acp_error *error) {
    if (!world || !out_count || (capacity && !out_objects))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "objects near", "no world or no place for the answer");
    *out_count = 0;
    acp_result result = check_place(position, radius, "objects near", error);
    if (result != ACP_OK) return result;
    near_search s;
    memset(&s, 0, sizeof s);
    s.world = world;
    s.place = acp_matrix_position_from_public(position);
    s.radius = (double)radius;
    search_blocks(&s);
    for (uint32_t gap = s.found.count / 2u; gap > 0; gap /= 2u)
        for (uint32_t i = gap; i < s.found.count; i++) {
            acp_near_object item = s.found.items[i];
            uint32_t k = i;
            for (; k >= gap && is_nearer(&item, &s.found.items[k - gap]); k -= gap)
                s.found.items[k] = s.found.items[k - gap];
            s.found.items[k] = item;
        }
    for (uint32_t i = 0; i < s.found.count && i < capacity; i++)
        out_objects[i] = s.found.items[i];
    *out_count = s.found.count;
    ACP_ARRAY_FREE(&s.found, &world->allocator);
    return s.result == ACP_OK ? ACP_OK : acp_error_set(error, s.result, "objects near", "no memory for the answer");
}
