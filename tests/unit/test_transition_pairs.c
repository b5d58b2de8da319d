/* SPDX-License-Identifier: MIT */
/* The list TRN-80 a to o (spec 06 section 8): every place where a position's cell id and its frame are adopted, they are adopted together.
 * Two landblocks lie side by side, 0xA9B4 and 0xAAB4 to its east; their land rises by 2 m per vertex (24 m) towards the east and goes on
 * across the line, so that a plane belongs to one block's numbers only. Expected values: arithmetic on the 192 m between the blocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "body/commit.h"
#include "geom/plane.h"
#include "membership/registry.h"
#include "tests/support/small_world.h"
#include "transition/adopt.h"
#include "transition/context.h"
#include "transition/insert.h"
#include "transition/mover.h"
#include "transition/probe.h"
#include "transition/step.h"
#include "transition/sweep.h"
#include "world/object.h"

#define WEST      0xA9B40000u
#define EAST      0xAAB40000u
#define WEST_CELL 0xA9B40039u /* x 168..192, y 0..24 */
#define EAST_CELL 0xAAB40001u /* x 0..24, y 0..24 */
#define SLOPE     (2.0 / 24.0)

typedef struct fixture {
    test_world *world;
    acp_transition_context *context;
    acp_transition *move;
} fixture;

/* Height of the land, in the western block's x. */
static double land(double x) { return 20.0 + SLOPE * x; }

static int set_up(void **state) {
    static fixture f;
    uint8_t heights[2][81];
    for (uint32_t x = 0; x < 9; x++)
        for (uint32_t y = 0; y < 9; y++) {
            heights[0][x * 9 + y] = (uint8_t)(10 + x); /* index: 2 m each */
            heights[1][x * 9 + y] = (uint8_t)(18 + x);
        }
    f.world = test_world_new();
    test_world_block(f.world, WEST, heights[0], 0, 0, NULL, 0);
    test_world_block(f.world, EAST, heights[1], 0, 0, NULL, 0);
    assert_int_equal(acp_transition_context_create(NULL, &f.context, NULL), ACP_OK);
    f.move = acp_transition_acquire(f.context, f.world->world);
    assert_non_null(f.move);
    acp_mover human = test_human(WEST_CELL, 0);
    human.contact.plane.normal = (acp_vec3){(float)(-SLOPE / sqrt(1 + SLOPE * SLOPE)), 0, (float)(1 / sqrt(1 + SLOPE * SLOPE))};
    human.contact.plane.d = (float)(-20.0 / sqrt(1 + SLOPE * SLOPE));
    acp_transition_seed(f.move, &human, NULL);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    acp_transition_release(f->context);
    acp_transition_context_destroy(f->context);
    test_world_free(f->world);
    return 0;
}

static acp_matrix_position at(uint32_t cell_id, double x, double y, double z) {
    acp_position position = test_position(cell_id, x, y, z);
    return acp_matrix_position_from_public(&position);
}

/* On the land of the western block's numbers. */
static acp_matrix_position on_land(uint32_t cell_id, double x, double y) {
    double shift = (cell_id & 0xFFFF0000u) == EAST ? 192.0 : 0.0;
    return at(cell_id, x - shift, y, land(x) + 0.005);
}

static acp_cell cell_of(const fixture *f, uint32_t cell_id) { return acp_world_cell(f->world->world, cell_id); }

static void assert_pair(const acp_matrix_position *position, const acp_matrix_position *expected) {
    assert_int_equal(position->cell_id, expected->cell_id);
    assert_memory_equal(&position->frame, &expected->frame, sizeof expected->frame);
}

/* The global spheres are those of the check position's frame. */
static void assert_globals(const acp_sphere_path *path) {
    for (uint32_t i = 0; i < path->sphere_count; i++) {
        acp_vec3 origin = path->check_position.frame.origin, center = path->global_spheres[i].center;
        assert_true(fabs((double)center.x - (double)origin.x) < 1e-4 && fabs((double)center.y - (double)origin.y) < 1e-4);
        assert_true(fabs((double)center.z - (double)origin.z - (double)path->local_spheres[i].center.z) < 1e-4);
    }
}

static void assert_current_centers(const acp_sphere_path *path) {
    acp_vec3 origin = path->current_position.frame.origin, center = path->global_current_centers[0];
    assert_true(fabs((double)center.x - (double)origin.x) < 1e-4 && fabs((double)center.y - (double)origin.y) < 1e-4);
}

static void a_the_path_begins_with_the_pair(void **state) {
    fixture *f = *state;
    acp_matrix_position begin = on_land(WEST_CELL, 191, 5), end = on_land(EAST_CELL, 193, 5);
    acp_sphere_path_set_ends(&f->move->path, cell_of(f, WEST_CELL), &begin, &end);
    assert_pair(&f->move->path.current_position, &begin);
    assert_int_equal(f->move->path.current_cell.cell_id, WEST_CELL);
    assert_current_centers(&f->move->path);
    acp_sphere_path_set_ends(&f->move->path, cell_of(f, EAST_CELL), NULL, &end);
    assert_pair(&f->move->path.current_position, &end); /* a placement begins at its end */
    assert_int_equal(f->move->path.current_cell.cell_id, EAST_CELL);
    assert_current_centers(&f->move->path);
}

static void b_the_check_position_is_a_pair_with_its_cell_and_spheres(void **state) {
    fixture *f = *state;
    acp_matrix_position west = on_land(WEST_CELL, 191, 5), east = on_land(EAST_CELL, 193, 5);
    acp_sphere_path_set_check(&f->move->path, &west, cell_of(f, WEST_CELL));
    acp_sphere_path_set_check(&f->move->path, &east, cell_of(f, EAST_CELL));
    assert_pair(&f->move->path.check_position, &east);
    assert_int_equal(f->move->path.check_cell.cell_id, EAST_CELL);
    assert_globals(&f->move->path);
}

static void c_the_backup_is_a_pair_with_its_cell(void **state) {
    fixture *f = *state;
    acp_sphere_path *path = &f->move->path;
    acp_matrix_position west = on_land(WEST_CELL, 191, 5), east = on_land(EAST_CELL, 193, 5);
    acp_sphere_path_set_check(path, &west, cell_of(f, WEST_CELL));
    acp_sphere_path_save_check(path);
    acp_sphere_path_set_check(path, &east, cell_of(f, EAST_CELL));
    assert_pair(&path->backup_check_position, &west);
    acp_sphere_path_restore_check(path);
    assert_pair(&path->check_position, &west);
    assert_int_equal(path->check_cell.cell_id, WEST_CELL);
    assert_globals(path);
    /* set_collide saves too */
    acp_sphere_path_set_check(path, &east, cell_of(f, EAST_CELL));
    acp_sphere_path_set_landing(path, (acp_vec3){-1, 0, 0});
    assert_pair(&path->backup_check_position, &east);
    assert_int_equal(path->backup_cell.cell_id, EAST_CELL);
    /* and so does a step up, which comes back when it finds nothing */
    acp_sphere_path_set_ends(path, cell_of(f, WEST_CELL), &west, &east);
    acp_matrix_position high = at(WEST_CELL, 191, 5, 200);
    acp_sphere_path_set_check(path, &high, cell_of(f, WEST_CELL));
    assert_false(acp_transition_step_up(f->move, (acp_vec3){-1, 0, 0}));
    assert_pair(&path->check_position, &high);
    assert_int_equal(path->check_cell.cell_id, WEST_CELL);
}

static void d_the_walkable_probe_leaves_the_pair_as_it_was(void **state) {
    fixture *f = *state;
    acp_sphere_path *path = &f->move->path;
    acp_matrix_position west = on_land(WEST_CELL, 191.9, 5), end = on_land(WEST_CELL, 191.5, 5);
    acp_sphere_path_set_ends(path, cell_of(f, WEST_CELL), &west, &end);
    /* beyond the line, not yet re-based: what the probe re-bases must not stay */
    acp_matrix_position over = at(WEST_CELL, 192.3, 5, land(192.3) + 0.005);
    acp_sphere_path_set_check(path, &over, cell_of(f, WEST_CELL));
    static const acp_vec3 far_away[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    path->walkable.polygon = acp_polygon_make(far_away, 3, 0, 0);
    path->walkable.is_set = true;
    path->walkable.up = (acp_vec3){0, 0, 1};
    path->walkable.check_sphere = (acp_sphere){{50, 50, 0.4f}, 0.48f};
    assert_true(f->move->info.state & ACP_MOVER_ON_WALKABLE);
    assert_true(acp_transition_check_walkable(f->move, 0.66f)); /* the land holds the lowered sphere */
    assert_pair(&path->check_position, &over);
    assert_int_equal(path->check_cell.cell_id, WEST_CELL);
    assert_globals(path);
    assert_false(path->is_checking_walkable);
}

static void e_rebasing_moves_id_origin_and_spheres_together(void **state) {
    fixture *f = *state;
    acp_sphere_path *path = &f->move->path;
    acp_matrix_position over = at(WEST_CELL, 192.5, 5, 36);
    acp_sphere_path_set_check(path, &over, cell_of(f, WEST_CELL));
    acp_sphere_path_adjust_check(path, EAST_CELL);
    assert_int_equal(path->check_position.cell_id, EAST_CELL);
    assert_true(path->check_position.frame.origin.x == 0.5f && path->check_position.frame.origin.y == 5);
    assert_globals(path);
    assert_true(fabs((double)path->global_low_point.x - 0.5) < 1e-6);
    acp_sphere_path_adjust_check(path, WEST_CELL);
    assert_true(path->check_position.frame.origin.x == 192.5f);
    /* an indoor id only names (TRN-82) */
    acp_sphere_path_adjust_check(path, WEST | 0x100u);
    assert_int_equal(path->check_position.cell_id, WEST | 0x100u);
    assert_true(path->check_position.frame.origin.x == 192.5f);
}

static void f_free_movement_into_what_is_not_resident_is_canonical(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(EAST_CELL, 0);
    human.transient_state = 0;
    acp_position from = test_position(0xAAB40039u, 191.8, 5, 60), to = test_position(0xAAB40039u, 193.0, 5, 60);
    acp_move_result result;
    assert_int_equal(acp_move(f->context, f->world->world, &human, &from, &to, &result, NULL), ACP_OK);
    assert_int_equal(result.cell_id, 0); /* nothing resident there */
    assert_int_equal(result.position.cell_id & 0xFFFF0000u, 0xABB40000u);
    assert_true(fabs((double)result.position.frame.origin.x - 1.0) < 1e-3 && fabs((double)result.position.frame.origin.y - 5.0) < 1e-3);
}

static void g_an_accepted_step_adopts_all_of_it(void **state) {
    fixture *f = *state;
    acp_sphere_path *path = &f->move->path;
    acp_matrix_position west = on_land(WEST_CELL, 191.9, 5), east = on_land(EAST_CELL, 192.2, 5);
    acp_sphere_path_set_ends(path, cell_of(f, WEST_CELL), &west, &east);
    acp_sphere_path_set_check(path, &east, cell_of(f, EAST_CELL));
    assert_int_equal(acp_transition_validate(f->move, ACP_TRANSITION_OK), ACP_TRANSITION_OK);
    assert_pair(&path->current_position, &east);
    assert_int_equal(path->current_cell.cell_id, EAST_CELL);
    assert_current_centers(path);
    assert_pair(&path->check_position, &east);
    assert_globals(path);
}

static void h_a_blocked_step_goes_back_with_all_of_it(void **state) {
    fixture *f = *state;
    acp_sphere_path *path = &f->move->path;
    acp_matrix_position west = on_land(WEST_CELL, 191.9, 5), east = on_land(EAST_CELL, 192.2, 5);
    acp_sphere_path_set_ends(path, cell_of(f, WEST_CELL), &west, &east);
    acp_sphere_path_set_check(path, &east, cell_of(f, EAST_CELL));
    assert_int_equal(acp_transition_validate(f->move, ACP_TRANSITION_COLLIDED), ACP_TRANSITION_OK);
    assert_pair(&path->current_position, &west);
    assert_pair(&path->check_position, &west);
    assert_int_equal(path->check_cell.cell_id, WEST_CELL);
    assert_int_equal(path->current_cell.cell_id, WEST_CELL);
    assert_globals(path);
}

static void i_an_accepted_spot_is_adopted_with_its_cell(void **state) {
    fixture *f = *state;
    acp_sphere_path *path = &f->move->path;
    acp_matrix_position west = on_land(WEST_CELL, 191.9, 5), east = on_land(EAST_CELL, 192.2, 5);
    for (int final = 0; final < 2; final++) {
        acp_sphere_path_set_ends(path, cell_of(f, WEST_CELL), NULL, &west);
        acp_sphere_path_set_check(path, &east, cell_of(f, EAST_CELL));
        acp_transition_state answer = final ? acp_transition_validate_placement(f->move, ACP_TRANSITION_OK, true)
                                            : acp_transition_validate_placement_try(f->move, ACP_TRANSITION_OK);
        assert_int_equal(answer, ACP_TRANSITION_OK);
        assert_pair(&path->current_position, &east);
        assert_int_equal(path->current_cell.cell_id, EAST_CELL);
        assert_current_centers(path);
    }
}

static void j_a_probe_at_rest_stands_where_its_object_stands(void **state) {
    fixture *f = *state;
    /* 0.6 m apart across the line, radii 0.48: they touch; 2 m apart they do not */
    acp_position places[3] = {test_position(WEST_CELL, 191.7, 5, 60), test_position(EAST_CELL, 0.3, 5, 60),
                              test_position(EAST_CELL, 1.7, 5, 60)};
    uint32_t index[3];
    for (uint32_t i = 0; i < 3; i++) {
        acp_object object = test_world_ball(f->world, places[i], 0.48, 0.475, 0, 0, 100 + i);
        assert_non_null(acp_world_row_of(f->world->world, object, &index[i]));
    }
    assert_true(acp_object_check_collision(f->context, f->world->world, index[0], index[1]));
    assert_true(acp_object_check_collision(f->context, f->world->world, index[1], index[0]));
    assert_false(acp_object_check_collision(f->context, f->world->world, index[0], index[2]));
}

static void k_an_owner_in_the_other_block_is_seen_where_it_is(void **state) {
    fixture *f = *state;
    acp_sphere_path *path = &f->move->path;
    acp_matrix_position west = at(WEST_CELL, 191, 5, 60), check = at(WEST_CELL, 191.5, 6, 60), owner = at(EAST_CELL, 1, 5, 60);
    acp_sphere_path_set_ends(path, cell_of(f, WEST_CELL), &west, &check);
    acp_sphere_path_set_check(path, &check, cell_of(f, WEST_CELL));
    acp_sphere_path_cache_localspace(path, &owner, 1.0f, true);
    assert_true(fabs((double)path->localspace_spheres[0].center.x - (191.5 - 193.0)) < 1e-4);
    assert_true(fabs((double)path->localspace_spheres[0].center.y - 1.0) < 1e-4);
    assert_true(fabs((double)path->localspace_current_centers[0].x - (191.0 - 193.0)) < 1e-4);
    assert_pair(path->localspace_position, &owner);
    /* re-based, it is still there */
    acp_sphere_path_adjust_check(path, EAST_CELL);
    acp_sphere_path_cache_localspace(path, &owner, 1.0f, true);
    assert_true(fabs((double)path->localspace_spheres[0].center.x - (191.5 - 193.0)) < 1e-4);
}

/* The plane holds the mover's lowest point in the numbers of its own cell id's block. */
static void assert_ground(const acp_ground_plane *ground, const acp_position *mover) {
    acp_vec3 shift, low = mover->frame.origin;
    assert_true(ground->is_valid);
    assert_int_equal(acp_cell_id_block_offset(ground->cell_id, mover->cell_id, &shift), ACP_OK);
    low = (acp_vec3){low.x + shift.x, low.y + shift.y, (float)((double)low.z - 0.005)};
    assert_true(fabs(acp_plane_distance(&ground->plane, low)) < 2e-3);
}

static void l_the_contact_plane_and_its_id_are_of_one_block(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(WEST_CELL, 0);
    human.contact.plane = f->move->collision.contact.plane;
    acp_position from = test_position(WEST_CELL, 191.8, 5, land(191.8) + 0.005),
                 to = test_position(WEST_CELL, 193.1, 5, land(191.8) + 0.005);
    for (int k = 0; k < 6; k++) { /* to and fro over the line */
        acp_move_result result;
        assert_int_equal(acp_move(f->context, f->world->world, &human, &from, &to, &result, NULL), ACP_OK);
        assert_int_equal(result.verdict, ACP_MOVE_REACHED);
        assert_ground(&result.contact, &result.position);
        assert_true(fabs((double)result.contact.plane.normal.x + SLOPE / sqrt(1 + SLOPE * SLOPE)) < 1e-3);
        human.contact = result.contact;
        from = to = result.position;
        to.frame.origin.x += k % 2 ? 1.2f : -1.2f;
        double x = (double)from.frame.origin.x + ((from.cell_id & 0xFFFF0000u) == EAST ? 192.0 : 0.0);
        assert_true(fabs((double)from.frame.origin.z - land(x) - 0.005) < 0.02); /* it keeps to the land */
    }
}

static void m_the_last_known_plane_is_a_copy_with_its_id(void **state) {
    fixture *f = *state;
    acp_collision_info *info = &f->move->collision;
    acp_matrix_position west = on_land(WEST_CELL, 191.9, 5), east = on_land(EAST_CELL, 192.2, 5);
    acp_sphere_path_set_ends(&f->move->path, cell_of(f, WEST_CELL), &west, &east);
    acp_sphere_path_set_check(&f->move->path, &east, cell_of(f, EAST_CELL));
    acp_plane plane = {{0, 0, 1}, -36};
    acp_collision_info_set_contact(info, plane, true, EAST_CELL);
    assert_int_equal(acp_transition_validate(f->move, ACP_TRANSITION_OK), ACP_TRANSITION_OK);
    assert_true(info->last_known.is_valid && info->last_known.is_water);
    assert_int_equal(info->last_known.cell_id, EAST_CELL);
    assert_memory_equal(&info->last_known.plane, &plane, sizeof plane);
    /* a blocked step takes it back, id included, while the mover is within reach of it */
    acp_collision_info_clear_contact(info);
    info->contact.cell_id = 0;
    acp_plane close = {{0, 0, 1}, (float)-(land(192.2) + 0.0)};
    info->last_known.plane = close;
    assert_int_equal(acp_transition_validate(f->move, ACP_TRANSITION_COLLIDED), ACP_TRANSITION_OK);
    assert_true(info->contact.is_valid && info->contact.is_water);
    assert_int_equal(info->contact.cell_id, EAST_CELL);
    assert_memory_equal(&info->contact.plane, &close, sizeof close);
}

static void n_the_object_gets_place_and_ground_whole(void **state) {
    fixture *f = *state;
    acp_world *world = f->world->world;
    acp_object object =
        test_world_ball(f->world, test_position(WEST_CELL, 191.8, 5, land(191.8) + 0.005), 0.48, 0.475, ACP_STATE_GRAVITY, 0, 9);
    uint32_t index;
    assert_non_null(acp_world_row_of(world, object, &index));
    acp_matrix_position west = on_land(WEST_CELL, 191.8, 5), east = on_land(EAST_CELL, 192.4, 5);
    acp_sphere_path_set_ends(&f->move->path, cell_of(f, WEST_CELL), &west, &east);
    acp_sphere_path_set_check(&f->move->path, &east, cell_of(f, EAST_CELL));
    acp_plane plane = {{0, 0, 1}, (float)-land(192.4)};
    acp_collision_info_set_contact(&f->move->collision, plane, false, EAST_CELL);
    assert_int_equal(acp_transition_validate(f->move, ACP_TRANSITION_OK), ACP_TRANSITION_OK);
    acp_transition_build_cells(f->move);
    assert_int_equal(acp_body_commit(world, index, f->move), ACP_OK);
    const acp_object_row *row = acp_world_row(world, index);
    assert_pair(&row->position, &east);
    assert_int_equal(row->holder_cell_id, EAST_CELL);
    const acp_body_row *body = acp_body_find(world, index);
    assert_int_equal(body->contact_plane_cell_id, EAST_CELL);
    assert_memory_equal(&body->contact_plane, &plane, sizeof plane);
}

static void o_a_placement_is_canonical_before_anything_else(void **state) {
    fixture *f = *state;
    acp_mover human = test_human(EAST_CELL, 0);
    human.transient_state = 0;
    acp_position wish = test_position(EAST_CELL, -1, 5, land(191) + 0.005);
    acp_move_result result;
    assert_int_equal(acp_place(f->context, f->world->world, &human, &wish, 0, &result, NULL), ACP_OK);
    assert_true(result.has_position);
    assert_int_equal(result.position.cell_id, WEST_CELL);
    assert_int_equal(result.cell_id, WEST_CELL);
    assert_true(fabs((double)result.position.frame.origin.x - 191.0) < 1e-3);
    assert_ground(&result.contact, &result.position);
}

#define PAIR_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        PAIR_TEST(a_the_path_begins_with_the_pair),
        PAIR_TEST(b_the_check_position_is_a_pair_with_its_cell_and_spheres),
        PAIR_TEST(c_the_backup_is_a_pair_with_its_cell),
        PAIR_TEST(d_the_walkable_probe_leaves_the_pair_as_it_was),
        PAIR_TEST(e_rebasing_moves_id_origin_and_spheres_together),
        PAIR_TEST(f_free_movement_into_what_is_not_resident_is_canonical),
        PAIR_TEST(g_an_accepted_step_adopts_all_of_it),
        PAIR_TEST(h_a_blocked_step_goes_back_with_all_of_it),
        PAIR_TEST(i_an_accepted_spot_is_adopted_with_its_cell),
        PAIR_TEST(j_a_probe_at_rest_stands_where_its_object_stands),
        PAIR_TEST(k_an_owner_in_the_other_block_is_seen_where_it_is),
        PAIR_TEST(l_the_contact_plane_and_its_id_are_of_one_block),
        PAIR_TEST(m_the_last_known_plane_is_a_copy_with_its_id),
        PAIR_TEST(n_the_object_gets_place_and_ground_whole),
        PAIR_TEST(o_a_placement_is_canonical_before_anything_else),
    };
    return cmocka_run_group_tests_name("unit.transition_pairs", tests, NULL, NULL);
}
