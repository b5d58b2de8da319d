/* SPDX-License-Identifier: MIT */
/* The objects that a move can meet: a cell's list without those that are out of its way, made once for many inserts (C4, L4).
 *
 * A sub-step inserts its mover many times, one step high or low, a slide away, and a move has several: all within a few metres. So the
 * first insert in a cell writes down which of its objects a mover within a circle can touch, and the next ones within that circle walk
 * those only, in the cell's order; each is still asked as before (acp_is_beyond_circle).
 * Contract: what is left out would be passed over by acp_is_beyond_circle at every place of the mover that the circle allows. Let c be the
 * circle's centre, f its freedom, w the mover's widest radius, p the mover's axis, o an object's (or part's) origin and R its reach, all
 * in one landblock. Left out is what has |o - c| > R + f + w + ACP_REACH_SLACK + ACP_NEARBY_ROUNDING; used is the list when |p - c| <= f.
 * Hence |o - p| > R + w + ACP_REACH_SLACK + ACP_NEARBY_ROUNDING, which the test compares without the last term. p and c are below 8,192 m
 * (reach.h), and so is the sum on the right, for it to leave anything out; where o decides it is below 2^15. There differences of two
 * binary32 are exact but for 2^-37, and squares, sums and roots keep 50 bits: all roundings together move a distance by less than 2^-30 m,
 * and ACP_NEARBY_ROUNDING is 2^-20. NaN and infinity leave nothing out. Radii, the mover's object, rows and lists stay as they are during
 * a transition. Parts are left out only for a mover that their own test treats by its spheres: on its axis and upright, asked each time.
 * Limits: ACP_NEARBY_OBJECTS of a cell and ACP_NEARBY_LISTS cells, in the transition's own memory; nothing is allocated.
 * Cost: one distance per object of the cell, once per circle; then a look at up to four lists. */
#include "transition/nearby.h"

#include <math.h>

#include "transition/reach.h"
#include "transition/transition.h"

#define ACP_NEARBY_ROUNDING 0x1p-20
#define ACP_NEARBY_ASIDE    0.35 /* from the straight way, by slides */
#define ACP_NEARBY_AHEAD    1.5  /* half of the longest way that one circle is made for */
#define ACP_NEARBY_AROUND   0.75 /* when the end is farther, or in another landblock */

static bool is_part_beyond(const acp_nearby_list *list, const acp_part_row *part, double width) {
    if (!part->shape || !(part->scale.z > 0.0f)) return false;
    const acp_sphere *sphere = &part->shape->physics_sphere;
    if (!(sphere->radius >= 0.0f) || ((part->position.cell_id ^ list->block_id) & 0xFFFF0000u) != 0) return false;
    double x = (double)part->position.frame.origin.x - list->x, y = (double)part->position.frame.origin.y - list->y;
    double bound = (double)part->scale.z * (acp_l1_norm(sphere->center) + (double)sphere->radius) + width;
    return bound < ACP_REACH_LIMIT && y * y + x * x > bound * bound;
}

/* `width`: of the circle and all slack. The conditions of acp_is_beyond_circle, with the circle in the place of the mover. */
static bool is_beyond(const acp_nearby_list *list, const acp_object_row *object, double width) {
    if (object->state & ACP_STATE_HAS_PHYSICS_BSP) {
        if (object->part_count > 4) return false;
        for (uint32_t i = 0; i < object->part_count; ++i)
            if (!is_part_beyond(list, &object->parts[i], width)) return false;
        return true;
    }
    const acp_setup *setup = object->setup;
    if (!setup || ((object->position.cell_id ^ list->block_id) & 0xFFFF0000u) != 0) return false;
    double reach = (double)(setup->cylsphere_count > 0 ? setup->cylsphere_reach : setup->sphere_reach) * (double)object->scale;
    double x = (double)object->position.frame.origin.x - list->x, y = (double)object->position.frame.origin.y - list->y;
    double bound = reach + width;
    return bound < ACP_REACH_LIMIT && y * y + x * x > bound * bound;
}

/* The circle about the way from the current position to the end, if that is short, near and contains the mover; else about the mover. */
static void choose_circle(acp_nearby_list *list, const acp_sphere_path *path) {
    const acp_matrix_position *current = &path->current_position, *end = path->end_position;
    acp_vec3 at = path->global_spheres[0].center;
    list->block_id = path->check_position.cell_id & 0xFFFF0000u;
    if (((current->cell_id ^ list->block_id) & 0xFFFF0000u) == 0 && end && ((end->cell_id ^ list->block_id) & 0xFFFF0000u) == 0) {
        acp_vec3 a = current->frame.origin, b = end->frame.origin;
        double x = ((double)b.x - (double)a.x) * 0.5, y = ((double)b.y - (double)a.y) * 0.5, half = sqrt(y * y + x * x);
        list->x = (double)a.x + x;
        list->y = (double)a.y + y;
        list->freedom = half + ACP_NEARBY_ASIDE;
        double dx = (double)at.x - list->x, dy = (double)at.y - list->y;
        if (half <= ACP_NEARBY_AHEAD && dy * dy + dx * dx <= list->freedom * list->freedom) return;
    }
    list->x = (double)at.x;
    list->y = (double)at.y;
    list->freedom = ACP_NEARBY_AROUND;
}

static void fill(acp_transition *move, acp_nearby_list *list, const uint32_t *objects, uint32_t count) {
    const acp_sphere_path *path = &move->path;
    double widest = (double)path->global_spheres[0].radius;
    if (path->sphere_count > 1 && (double)path->global_spheres[1].radius > widest) widest = (double)path->global_spheres[1].radius;
    double width = list->freedom + widest + ACP_REACH_SLACK + ACP_NEARBY_ROUNDING;
    list->count = 0;
    list->is_whole = false;
    for (uint32_t i = 0; i < count; ++i) {
        const acp_object_row *object = acp_world_row_at(move->world, objects[i]);
        if (object->parent != ACP_OBJECT_NONE || object == move->info.object || is_beyond(list, object, width)) continue;
        if (list->count == ACP_NEARBY_OBJECTS) {
            list->is_whole = true;
            return;
        }
        list->objects[list->count++] = objects[i];
    }
}

const uint32_t *acp_nearby_objects(acp_transition *move, uint32_t cell_id, const uint32_t *objects, uint32_t *count) {
    acp_nearby *nearby = &move->nearby;
    const acp_sphere_path *path = &move->path;
    if (*count < ACP_NEARBY_LEAST || !path->is_axial || !acp_frame_is_upright(&path->check_position.frame)) return objects;
    acp_vec3 at = path->global_spheres[0].center;
    acp_nearby_list *list = NULL;
    for (uint32_t i = 0; i < nearby->count && !list; ++i)
        if (nearby->lists[i].cell_id == cell_id) list = &nearby->lists[i];
    bool is_known = list != NULL;
    if (!list) {
        list = &nearby->lists[nearby->count < ACP_NEARBY_LISTS ? nearby->count++ : nearby->next++ % ACP_NEARBY_LISTS];
        list->cell_id = cell_id;
    } else {
        double x = (double)at.x - list->x, y = (double)at.y - list->y;
        is_known = ((list->block_id ^ path->check_position.cell_id) & 0xFFFF0000u) == 0 && y * y + x * x <= list->freedom * list->freedom;
    }
    if (!is_known) {
        choose_circle(list, path);
        fill(move, list, objects, *count);
    }
    if (list->is_whole) return objects;
    *count = list->count;
    return list->objects;
}
