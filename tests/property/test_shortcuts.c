/* SPDX-License-Identifier: MIT */
/* Shortcuts of the hot path against the whole expressions they stand for, bit for bit: a point in a room's axes, an object's sphere in its
 * landblock, the mover's spheres in an owner's axes (with what is remembered between two tests). Frames are turned about z by any angle, by
 * quarters, or freely; coordinates meet the owner's own, so that zeros of both signs come up. The whole expressions are the position
 * functions, which the vectors hold; that of a mover's turn is the blend of its rotations. Prints its seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/box.h"
#include "membership/flood_parts.h"
#include "tests/support/small_world.h"
#include "tests/support/trees.h"
#include "transition/sphere_path.h"
#include "world/room_gate.h"

static bool is_same(acp_vec3 a, acp_vec3 b) { return memcmp(&a, &b, sizeof a) == 0; }

/* A coordinate from a few values that meet, zeros of both signs among them, or any. */
static float coordinate(test_random *random) {
    static const float few[] = {0.0f, -0.0f, 10.0f, 10.0f, 24.0f, -3.5f, 0x1p-140f, 191.75f};
    if (test_random_below(random, 2)) return few[test_random_below(random, 8)];
    return (float)test_random_in(random, -200, 200);
}

static acp_vec3 place(test_random *random) {
    acp_vec3 v = {coordinate(random), coordinate(random), coordinate(random)};
    return v;
}

static acp_matrix_frame frame(test_random *random) {
    static const acp_quaternion quarters[] = {
        {1, 0, 0, 0}, {0, 0, 0, 1}, {0.70710677f, 0, 0, 0.70710677f}, {0.70710677f, 0, 0, -0.70710677f}};
    acp_matrix_frame f = acp_matrix_frame_identity();
    uint32_t kind = test_random_below(random, 4);
    double x = kind ? 0.0 : test_random_in(random, -1, 1), y = kind ? 0.0 : test_random_in(random, -1, 1);
    if (kind < 2)
        (void)acp_matrix_frame_set_rotate(&f, (float)test_random_in(random, -1, 1), (float)x, (float)y,
                                          (float)test_random_in(random, -1, 1));
    else
        f.rotation = quarters[test_random_below(random, 4)];
    if (kind >= 2) acp_matrix_frame_cache(&f);
    if (kind == 3) /* zeros as another engine's content may have them */
        for (int i = 0; i < 9; i++)
            if (f.m[i] == 0.0f && test_random_below(random, 2)) f.m[i] = -0.0f;
    f.origin = place(random);
    return f;
}

static void points_in_rooms(void **state) {
    (void)state;
    test_random random = {test_seed("shortcuts.points_in_rooms", 41)};
    uint32_t about_z = 0, zeros = 0;
    for (int i = 0; i < 300000; i++) {
        acp_env_cell cell;
        memset(&cell, 0, sizeof cell);
        cell.position.frame = frame(&random);
        cell.is_about_z = acp_frame_is_about_z(&cell.position.frame);
        acp_vec3 point = place(&random), got;
        acp_env_cell_to_local(&cell, &point, &got);
        acp_vec3 wanted = acp_matrix_frame_global_to_local(&cell.position.frame, point);
        assert_true(is_same(got, wanted));
        about_z += cell.is_about_z;
        zeros += wanted.x == 0.0f || wanted.y == 0.0f || wanted.z == 0.0f;
    }
    assert_true(about_z > 100000 && about_z < 280000 && zeros > 10000);
}

static void centers_in_blocks(void **state) {
    (void)state;
    test_random random = {test_seed("shortcuts.centers_in_blocks", 42)};
    for (int i = 0; i < 300000; i++) {
        acp_matrix_position position = {0xA9B40105u, frame(&random)};
        acp_vec3 v = place(&random), got;
        acp_flood_center(&position, &v, &got);
        assert_true(is_same(got, acp_matrix_position_local_to_global(position.cell_id, &position, v)));
    }
}

/* The mover's centres in the owner's axes as TRN-26 says. */
static void expect_localspace(const acp_sphere_path *path, const acp_matrix_position *owner, float scale, bool has_current) {
    double inverse = acp_stored(1.0 / (double)scale);
    assert_ptr_equal(path->localspace_position, owner);
    for (uint32_t i = 0; i < path->sphere_count; i++) {
        acp_vec3 center = path->local_spheres[i].center;
        acp_vec3 check = acp_vec3_scale(acp_matrix_position_local_to_local(owner, &path->check_position, center), inverse);
        acp_vec3 current = acp_vec3_scale(acp_matrix_position_local_to_local(owner, &path->current_position, center), inverse);
        assert_true(is_same(path->localspace_spheres[i].center, check));
        assert_true(path->localspace_spheres[i].radius == acp_f32(inverse * (double)path->local_spheres[i].radius));
        if (has_current) assert_true(is_same(path->localspace_current_centers[i], current));
    }
    acp_vec3 up = {0.0f, 0.0f, 1.0f};
    const float *m = owner->frame.m;
    up.x = acp_f32(((double)m[1] + (double)m[0]) * 0.0 + (double)m[2]);
    up.y = acp_f32(((double)m[4] + (double)m[3]) * 0.0 + (double)m[5]);
    up.z = acp_f32(((double)m[7] + (double)m[6]) * 0.0 + (double)m[8]);
    assert_true(is_same(path->localspace_z, up));
}

static void spheres_in_owners(void **state) {
    (void)state;
    test_random random = {test_seed("shortcuts.spheres_in_owners", 43)};
    static const float scales[] = {1.0f, 1.0f, 1.0f, 0.5f, 1.3f};
    for (int round = 0; round < 20000; round++) {
        acp_sphere_path path;
        memset(&path, 0, sizeof path);
        acp_sphere_path_init(&path);
        acp_sphere spheres[2] = {{{0, 0, 0.475f}, 0.48f}, {{0, 0, 1.35f}, 0.48f}};
        if (test_random_below(&random, 4) == 0) spheres[1].center.x = coordinate(&random);
        if (test_random_below(&random, 4) == 0) spheres[0].center.z = coordinate(&random);
        acp_sphere_path_set_spheres(&path, 1 + test_random_below(&random, 2), spheres, scales[test_random_below(&random, 5)]);
        acp_matrix_position owners[2] = {{0xA9B40105u, frame(&random)}, {0xA9B50107u, frame(&random)}};
        acp_matrix_position begin = {0xA9B40106u, frame(&random)}, other = {0xA9B40106u, frame(&random)};
        if (test_random_below(&random, 2)) other.frame.origin = begin.frame.origin; /* turned in place */
        acp_sphere_path_set_ends(&path, (acp_cell){NULL, 0, 0}, &begin, &other);
        acp_sphere_path_set_check(&path, &begin, path.current_cell);
        for (int step = 0; step < 12; step++) {
            switch (test_random_below(&random, 9)) {
            case 6:
            case 7: /* up or down, sometimes to where the short way ends */
                acp_sphere_path_add_offset(
                    &path,
                    (acp_vec3){0.0f, 0.0f, test_random_below(&random, 4) ? coordinate(&random) : -path.check_position.frame.origin.z});
                break;
            case 0:
                acp_sphere_path_add_offset(&path, place(&random));
                break;
            case 1:
                acp_sphere_path_set_check(&path, &other, path.current_cell);
                break;
            case 2:
                acp_sphere_path_save_check(&path);
                break;
            case 3:
                if (path.backup_check_position.cell_id) acp_sphere_path_restore_check(&path);
                break;
            case 4:
                acp_sphere_path_adopt_check(&path);
                break;
            case 5:
                acp_sphere_path_adjust_check(&path, test_random_below(&random, 2) ? 0xA9B50021u : 0xA9B40106u);
                break;
            default: /* the same place again */
                break;
            }
            const acp_matrix_position *owner = &owners[test_random_below(&random, 4) == 0];
            float scale = test_random_below(&random, 4) ? 1.0f : scales[test_random_below(&random, 5)];
            bool needs_current = test_random_below(&random, 2) != 0;
            acp_sphere_path_cache_localspace(&path, owner, scale, needs_current);
            expect_localspace(&path, owner, scale, needs_current);
        }
    }
}

static void boxes_in_rooms(void **state) {
    (void)state;
    test_random random = {test_seed("shortcuts.boxes_in_rooms", 45)};
    for (int i = 0; i < 300000; i++) {
        acp_matrix_position to = {0xA9B40105u, frame(&random)},
                            from = {test_random_below(&random, 3) ? 0xA9B40021u : 0xA9B50021u, frame(&random)};
        acp_box box = {place(&random), place(&random)};
        if (test_random_below(&random, 3) == 0) box.max = box.min;
        acp_box got = acp_flood_refit(&to, &from, &box), wanted = acp_box_local_to_local(&to, &from, &box);
        assert_true(is_same(got.min, wanted.min) && is_same(got.max, wanted.max));
    }
}

/* A gate speaks only when the tree behind it says outside; spheres lie within a few units in the last place of its planes' reach. */
static void gates_are_never_wrong(void **state) {
    (void)state;
    test_random random = {test_seed("shortcuts.gates_are_never_wrong", 44)};
    uint32_t excluded = 0, outside = 0;
    for (int round = 0; round < 4000; round++) {
        acp_env_cell from, other;
        memset(&from, 0, sizeof from);
        memset(&other, 0, sizeof other);
        from.position.frame = frame(&random);
        other.position.frame = frame(&random);
        acp_bsp_node_source nodes[3];
        uint32_t count = 1 + test_random_below(&random, 3);
        for (uint32_t i = 0; i < count; i++) {
            nodes[i] = (acp_bsp_node_source){.kind = ACP_BSP_INTERIOR, .positive = i + 1 < count ? i + 1 : ACP_BSP_NONE};
            nodes[i].plane = (acp_plane){test_random_normal(&random), (float)test_random_in(&random, -6, 6)};
        }
        acp_cell_tree *tree = NULL;
        assert_int_equal(acp_cell_tree_create(nodes, count, 0, ACP_CONTENT_LENIENT, NULL, NULL, &tree, NULL), ACP_OK);
        other.containment = tree;
        acp_cell_portal portal = {0, 0, test_random_below(&random, 2), {test_random_normal(&random), 0.0f}};
        acp_room_gate gate = acp_room_gate_of(&from, &portal, &other);
        for (int q = 0; q < 60; q++) {
            acp_sphere s = {place(&random), (float)test_random_in(&random, 0, 2)};
            if (q % 4) { /* at the gate's own reach, give or take a few times 2^-24 of the numbers met */
                acp_vec3 n = gate.plane.normal, c = s.center;
                double d = (((double)n.x * (double)c.x + (double)n.y * (double)c.y) + (double)n.z * (double)c.z) + (double)gate.plane.d;
                double off = d + (double)s.radius + ACP_CELL_PAD + test_random_in(&random, -2e-4, 2e-4);
                s.center = acp_vec3_make((double)c.x - off * (double)n.x, (double)c.y - off * (double)n.y, (double)c.z - off * (double)n.z);
            }
            acp_sphere local = {acp_matrix_frame_global_to_local(&other.position.frame, s.center), s.radius};
            bool is_outside = acp_cell_tree_intersects_sphere(tree, &local) == ACP_BOUNDING_OUTSIDE;
            bool is_excluded = acp_room_gate_excludes(&gate, &s);
            assert_true(is_outside || !is_excluded);
            excluded += is_excluded;
            outside += is_outside;
        }
        acp_cell_tree_destroy(tree, NULL);
    }
    print_message("%u outside, %u of them excluded by the gate\n", outside, excluded);
    assert_true(outside > 50000 && excluded > 20000);
}

/* How `from` is turned at the end of a move: alike, alike but for signs of zeros, mirrored in one number, negated, or anyhow. */
static acp_quaternion end_rotation(test_random *random, acp_quaternion from, uint32_t kind) {
    float *numbers[4] = {&from.w, &from.x, &from.y, &from.z};
    for (uint32_t i = 0; i < 4; i++) {
        float *number = numbers[i];
        if (kind == 1 && *number == 0.0f && test_random_below(random, 2)) *number = -*number;
        if (kind == 3) *number = -*number;
    }
    if (kind == 2) *numbers[test_random_below(random, 4)] *= -1.0f;
    if (kind == 4) return frame(random).rotation;
    return from;
}

/* A mover in free air ends each move, and each sub-step, with the blend of its rotations; one that is steady is turned without blending. */
static void turns_of_steps(void **state) {
    (void)state;
    test_random random = {test_seed("shortcuts.turns_of_steps", 46)};
    test_world *world = test_world_new();
    test_world_block(world, 0xA9B40000u, NULL, 10, 0, NULL, 0);
    acp_transition_context *context = NULL;
    assert_int_equal(acp_transition_context_create(NULL, &context, NULL), ACP_OK);
    acp_mover mover = test_human(0xA9B40001u, 20);
    mover.state = 0;
    mover.transient_state = 0;
    uint32_t steady = 0;
    for (int i = 0; i < 20000; i++) {
        acp_position from = test_position(0xA9B40001u, 12, 12, 100),
                     to = test_position(0xA9B40001u, 12, test_random_in(&random, 12, 15), 100);
        uint32_t kind = test_random_below(&random, 5);
        from.frame.rotation = frame(&random).rotation;
        to.frame.rotation = end_rotation(&random, from.frame.rotation, kind);
        acp_move_result result;
        acp_transition_context_reset(context);
        assert_int_equal(acp_move(context, world->world, &mover, &from, &to, &result, NULL), ACP_OK);
        if (result.taken_steps == 0) continue;
        acp_matrix_frame wanted = acp_matrix_frame_identity(), begin = wanted, end = wanted;
        begin.rotation = from.frame.rotation;
        end.rotation = to.frame.rotation;
        acp_matrix_frame_interpolate_rotation(&wanted, &begin, &end, 1.0f);
        assert_memory_equal(&result.position.frame.rotation, &wanted.rotation, sizeof wanted.rotation);
        steady += kind < 2 && result.taken_steps > 1;
    }
    assert_true(steady > 5000);
    acp_transition_context_destroy(context);
    test_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_in_rooms),   cmocka_unit_test(centers_in_blocks),
                                       cmocka_unit_test(spheres_in_owners), cmocka_unit_test(gates_are_never_wrong),
                                       cmocka_unit_test(boxes_in_rooms),    cmocka_unit_test(turns_of_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
