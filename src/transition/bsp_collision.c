/* SPDX-License-Identifier: MIT */
/* BSP collision: what a physics tree answers to the mover (spec 03 §11, 05 OCD-30; rounding: 03 §11.4..11.8, 12).
 *
 * The mover has been brought into the tree's space and divided by its scale; results are turned back and multiplied. One ladder of eight
 * branches decides the question: solid overlap, walkability probe, stepping down, second pass of a landing, then by the mover's flags.
 * Back-facing overlaps count in the falling and clipping branches, are remembered for later by walkers with two spheres, and are ignored
 * by walkers with one. Kept as they are: the contact plane's distance is multiplied by the scale as a whole (§11.3), the slide always
 * moves sphere 0, and the placement push is not scaled.
 * Limits: placement_insert gives up after 20 pushes. Trees are immutable and shared.
 * Cost: one or two tree walks. retail: BSPTREE::find_collisions 0x0053A440 */
#include "transition/bsp_collision.h"

#include "geom/bsp_clear.h"
#include "geom/plane.h"
#include "geom/sphere.h"
#include "math/vec3.h"
#include "transition/slide.h"
#include "transition/step.h"
#include "transition/trace.h"

static acp_vec3 rotated(const acp_sphere_path *path, acp_vec3 v) {
    return acp_matrix_frame_local_to_global_vec(&path->localspace_position->frame, v);
}

static acp_vec3 rotated_normal(const acp_sphere_path *path, const acp_bsp *bsp, uint32_t polygon) {
    return rotated(path, acp_bsp_polygon(bsp, polygon).plane.normal);
}

/* Stands the mover on a polygon that find_walkable named: plane, sphere, polygon (§11.2 branch 4, §11.4). */
static void stand_on(acp_transition *move, const acp_bsp *bsp, uint32_t polygon, const acp_sphere *sphere, float scale) {
    acp_sphere_path *path = &move->path;
    acp_polygon view = acp_bsp_polygon(bsp, polygon);
    acp_plane plane = acp_plane_local_to_global(path->check_position.cell_id, path->localspace_position, &view.plane);
    plane.d = acp_f32((double)plane.d * (double)scale);
    acp_collision_info_set_contact(&move->collision, plane, false, path->check_position.cell_id);
    path->walkable.polygon = view;
    path->walkable.is_set = true;
    path->walkable.check_sphere = *sphere;
    path->walkable.up = path->localspace_z;
    path->walkable.position = path->localspace_position;
    path->walkable.scale = scale;
}

static bool find_walkable(acp_transition *move, const acp_bsp *bsp, acp_sphere *sphere, uint32_t *polygon, acp_vec3 movement) {
    acp_sphere_path *path = &move->path;
    acp_walk walk = {path->walkable_allowance, path->walk_interp};
    bool is_changed = acp_bsp_memo_find_walkable(bsp, &walk, sphere, polygon, movement, path->localspace_z, &move->misses[0]);
    path->walk_interp = walk.walk_interp;
    return is_changed;
}

/* retail: BSPTREE::step_sphere_down 0x0053A210 */
static acp_transition_state settle(acp_transition *move, const acp_bsp *bsp, float scale) {
    acp_sphere_path *path = &move->path;
    double k = -((double)path->step_down_amount * (double)path->walk_interp);
    double mx = acp_stored(k * (double)path->localspace_z.x), my = acp_stored(k * (double)path->localspace_z.y);
    double mz = k * (double)path->localspace_z.z;
    double inverse = 1.0 / (double)scale, inverse_stored = acp_stored(inverse);
    acp_vec3 movement = acp_vec3_make(inverse * mx, my * inverse_stored, mz * inverse_stored);
    acp_sphere sphere = path->localspace_spheres[0];
    uint32_t polygon = ACP_BSP_NONE;
    if (!find_walkable(move, bsp, &sphere, &polygon, movement)) return ACP_TRANSITION_OK;
    const float *m = path->localspace_position->frame.m;
    acp_vec3 from = path->localspace_spheres[0].center;
    double x = (double)sphere.center.x - (double)from.x, y = (double)sphere.center.y - (double)from.y;
    double z = (double)sphere.center.z - (double)from.z;
    acp_vec3 offset =
        acp_vec3_make(((double)m[6] * z + (double)m[0] * x) + (double)m[3] * y, ((double)m[7] * z + (double)m[1] * x) + (double)m[4] * y,
                      ((double)m[8] * z + (double)m[2] * x) + (double)m[5] * y);
    acp_sphere_path_add_offset(path, acp_vec3_scale(offset, (double)scale));
    stand_on(move, bsp, polygon, &sphere, scale);
    return ACP_TRANSITION_ADJUSTED;
}

/* Branch 4: second pass of a landing. */
static acp_transition_state finish_landing(acp_transition *move, const acp_bsp *bsp, acp_vec3 movement, float scale) {
    acp_sphere_path *path = &move->path;
    acp_sphere sphere = path->localspace_spheres[0];
    uint32_t polygon = ACP_BSP_NONE;
    if (!find_walkable(move, bsp, &sphere, &polygon, movement)) return ACP_TRANSITION_OK;
    acp_vec3 offset = rotated(path, acp_vec3_subtract(sphere.center, path->localspace_spheres[0].center));
    acp_sphere_path_add_offset(path, acp_vec3_scale(offset, (double)scale));
    stand_on(move, bsp, polygon, &sphere, scale);
    return ACP_TRANSITION_ADJUSTED;
}

/* retail: BSPTREE::step_sphere_up 0x00539F20 */
static acp_transition_state step_onto(acp_transition *move, acp_vec3 normal) {
    if (acp_transition_step_up(move, normal)) return ACP_TRANSITION_OK;
    return acp_step_up_slide(move);
}

/* Branch 5: a mover in contact. */
static acp_transition_state respond_walking(acp_transition *move, const acp_bsp *bsp, acp_vec3 movement) {
    acp_sphere_path *path = &move->path;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    uint32_t low = ACP_BSP_NONE, high = ACP_BSP_NONE;
    if (acp_bsp_memo_sphere_intersects_poly(bsp, &path->localspace_spheres[0], movement, &low, &contact, &move->misses[0])) {
        acp_transition_state state = step_onto(move, rotated_normal(path, bsp, low));
        acp_transition_note_polygon(move, low, 0);
        return state;
    }
    if (path->sphere_count < 2) return ACP_TRANSITION_OK;
    if (acp_bsp_memo_sphere_intersects_poly(bsp, &path->localspace_spheres[1], movement, &high, &contact, &move->misses[1])) {
        acp_transition_note_polygon(move, high, 1);
        acp_vec3 n = rotated_normal(path, bsp, high); /* retail: BSPTREE::slide_sphere 0x00539E50: sphere 0, whichever hit */
        return acp_slide_sphere(move, &path->global_spheres[0], &n, path->global_current_centers[0]);
    }
    if (high != ACP_BSP_NONE)
        acp_sphere_path_set_neg_poly_hit(path, false, rotated_normal(path, bsp, high));
    else if (low != ACP_BSP_NONE)
        acp_sphere_path_set_neg_poly_hit(path, true, rotated_normal(path, bsp, low));
    return ACP_TRANSITION_OK;
}

/* Branch 6: a falling mover. */
static acp_transition_state respond_falling(acp_transition *move, const acp_bsp *bsp, acp_vec3 movement) {
    acp_sphere_path *path = &move->path;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    uint32_t polygon = ACP_BSP_NONE;
    acp_bsp_memo_sphere_intersects_poly(bsp, &path->localspace_spheres[0], movement, &polygon, &contact, &move->misses[0]);
    if (polygon != ACP_BSP_NONE) {
        acp_transition_note_polygon(move, polygon, 0);
        acp_sphere_path_set_landing(path, rotated_normal(path, bsp, polygon));
        path->walkable_allowance = ACP_LANDING_Z;
        return ACP_TRANSITION_ADJUSTED;
    }
    if (path->sphere_count < 2) return ACP_TRANSITION_OK;
    acp_bsp_memo_sphere_intersects_poly(bsp, &path->localspace_spheres[1], movement, &polygon, &contact, &move->misses[1]);
    if (polygon == ACP_BSP_NONE) return ACP_TRANSITION_OK;
    acp_transition_note_polygon(move, polygon, 1);
    acp_collision_info_set_collision_normal(&move->collision, rotated_normal(path, bsp, polygon));
    return ACP_TRANSITION_COLLIDED;
}

/* Branch 7. retail: BSPTREE::collide_with_pt 0x0053A090 */
static acp_transition_state respond_clipped(acp_transition *move, const acp_bsp *bsp, acp_vec3 movement, float scale) {
    acp_sphere_path *path = &move->path;
    acp_vec3 contact = {0.0f, 0.0f, 0.0f};
    uint32_t polygon = ACP_BSP_NONE;
    acp_sphere sphere = path->localspace_spheres[0];
    acp_bsp_sphere_intersects_poly(bsp, &sphere, movement, &polygon, &contact);
    if (polygon == ACP_BSP_NONE) return ACP_TRANSITION_OK;
    acp_transition_note_polygon(move, polygon, 0);
    if (!(move->info.state & ACP_OI_PERFECT_CLIP)) {
        acp_collision_info_set_collision_normal(&move->collision, rotated_normal(path, bsp, polygon));
        return ACP_TRANSITION_COLLIDED;
    }
    if (!acp_bsp_adjust_to_plane(bsp, &sphere, path->localspace_current_centers[0], polygon, &contact)) return ACP_TRANSITION_COLLIDED;
    acp_collision_info_set_collision_normal(&move->collision, rotated_normal(path, bsp, polygon));
    acp_vec3 offset = rotated(path, acp_vec3_subtract(sphere.center, path->localspace_spheres[0].center));
    acp_sphere_path_add_offset(path, acp_vec3_scale(offset, (double)scale));
    return ACP_TRANSITION_ADJUSTED;
}

static acp_transition_state find_collisions(acp_transition *move, const acp_bsp *bsp, float scale) {
    acp_sphere_path *path = &move->path;
    if (path->insert_type == ACP_INSERT_PLACEMENT || path->is_obstruction_ethereal) {
        if (acp_bsp_is_clear(bsp, path->localspace_spheres, path->sphere_count)) return ACP_TRANSITION_OK;
        bool center_check = path->is_building_check ? !path->hits_interior_cell : true;
        if (acp_bsp_memo_sphere_intersects_solid(bsp, &path->localspace_spheres[0], center_check, &move->misses[0]))
            return ACP_TRANSITION_COLLIDED;
        if (path->sphere_count > 1 &&
            acp_bsp_memo_sphere_intersects_solid(bsp, &path->localspace_spheres[1], center_check, &move->misses[1]))
            return ACP_TRANSITION_COLLIDED;
        return ACP_TRANSITION_OK;
    }
    if (path->is_checking_walkable) { /* retail: BSPTREE::check_walkable 0x00539ED0 */
        bool is_hit =
            acp_bsp_memo_hits_walkable(bsp, path->walkable_allowance, &path->localspace_spheres[0], path->localspace_z, &move->misses[0]);
        return is_hit ? ACP_TRANSITION_COLLIDED : ACP_TRANSITION_OK;
    }
    if (path->is_stepping_down) {
        /* Once something has raised the mover onto a plane, it seldom touches more. */
        bool is_raised = move->collision.contact.is_valid && acp_bsp_is_clear(bsp, path->localspace_spheres, 1);
        return is_raised ? ACP_TRANSITION_OK : settle(move, bsp, scale);
    }
    if (acp_bsp_is_clear(bsp, path->localspace_spheres, path->sphere_count)) return ACP_TRANSITION_OK; /* nothing for any branch to find */
    acp_sphere_path_cache_localspace_current(path);
    acp_vec3 movement = acp_vec3_subtract(path->localspace_spheres[0].center, path->localspace_current_centers[0]);
    if (path->is_landing) return finish_landing(move, bsp, movement, scale);
    if (move->info.state & ACP_OI_CONTACT) return respond_walking(move, bsp, movement);
    if (move->info.state & ACP_OI_PATH_CLIPPED) return respond_clipped(move, bsp, movement, scale);
    return respond_falling(move, bsp, movement);
}

acp_transition_state acp_bsp_placement_insert(acp_transition *move, const acp_bsp *bsp) {
    acp_sphere_path *path = &move->path;
    bool has_two = path->sphere_count > 1;
    acp_sphere low = path->localspace_spheres[0];
    acp_sphere high = path->localspace_spheres[has_two ? 1 : 0];
    bool center_check = path->is_building_check ? !path->hits_interior_cell : true;
    float radius = low.radius;
    uint32_t polygon = ACP_BSP_NONE;
    for (uint32_t i = 0; i < 20; ++i) {
        bool is_solid = false;
        acp_sphere *struck = &low, *other = &high;
        if (!acp_bsp_sphere_intersects_solid_poly(bsp, &low, radius, center_check, &is_solid, &polygon)) {
            struck = &high;
            other = &low;
            if (!has_two || !acp_bsp_sphere_intersects_solid_poly(bsp, &high, radius, center_check, &is_solid, &polygon)) {
                if (i == 0) return ACP_TRANSITION_OK;
                acp_vec3 from = path->localspace_spheres[0].center, offset;
                if (has_two) {
                    offset = rotated(path, acp_vec3_subtract(low.center, from));
                } else { /* differences stay binary64 */
                    const float *m = path->localspace_position->frame.m;
                    double x = (double)low.center.x - (double)from.x, y = (double)low.center.y - (double)from.y;
                    double z = (double)low.center.z - (double)from.z;
                    offset = acp_vec3_make(((double)m[6] * z + (double)m[0] * x) + (double)m[3] * y,
                                           ((double)m[7] * z + (double)m[1] * x) + (double)m[4] * y,
                                           ((double)m[8] * z + (double)m[2] * x) + (double)m[5] * y);
                }
                acp_sphere_path_add_offset(path, offset);
                return ACP_TRANSITION_ADJUSTED;
            }
        }
        if (polygon == ACP_BSP_NONE) {
            radius = acp_f32((double)radius + (double)radius);
            continue;
        }
        acp_polygon view = acp_bsp_polygon(bsp, polygon);
        acp_polygon_adjust_to_placement(&view, struck, other, radius, is_solid, center_check);
        polygon = ACP_BSP_NONE;
        radius = low.radius;
    }
    return ACP_TRANSITION_COLLIDED;
}

acp_transition_state acp_bsp_respond(acp_transition *move, const acp_bsp *bsp, float scale) {
    if (move->path.insert_type == ACP_INSERT_INITIAL_PLACEMENT) return acp_bsp_placement_insert(move, bsp);
    return find_collisions(move, bsp, scale);
}

acp_transition_state acp_shape_find_collisions(acp_transition *move, const acp_shape *shape, float scale) {
    acp_sphere bound = shape->physics_sphere;
    for (uint32_t i = 0; i < move->path.sphere_count; ++i)
        if (acp_sphere_intersects(&bound, &move->path.localspace_spheres[i])) return acp_bsp_respond(move, shape->bsp, scale);
    return ACP_TRANSITION_OK;
}

acp_transition_state acp_part_find_collisions(acp_transition *move, const acp_shape *shape, const acp_matrix_position *position,
                                              float scale) {
    if (!shape || !shape->bsp) return ACP_TRANSITION_OK;
    acp_sphere_path_cache_localspace(&move->path, position, scale, false);
    return acp_shape_find_collisions(move, shape, scale);
}
