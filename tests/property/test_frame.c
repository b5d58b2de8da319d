/* SPDX-License-Identifier: MIT */
/* Laws of frames that hold for any rotation, to rounding: the matrix is a rotation, transforms and compositions undo each other, a heading
 * that is set is the heading that is read, the way between two rotations is the shorter one. Tolerances are a few units of binary32. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/frame.h"
#include "math/vec3.h"
#include "tests/support/random.h"

static acp_matrix_frame any_frame(test_random *random) {
    acp_matrix_frame frame = acp_matrix_frame_identity();
    float q[4];
    for (uint32_t i = 0; i < 4; i++)
        q[i] = (float)test_random_in(random, -1.0, 1.0);
    if (test_random_below(random, 4) == 0) q[1] = q[2] = 0.0f; /* a turn about z, the usual case */
    (void)acp_matrix_frame_set_rotate(&frame, q[0], q[1], q[2], q[3]);
    frame.origin =
        acp_vec3_make(test_random_in(random, -200.0, 400.0), test_random_in(random, -200.0, 400.0), test_random_in(random, -100.0, 300.0));
    return frame;
}

static double apart(acp_vec3 a, acp_vec3 b) { return acp_vec3_length(acp_vec3_subtract(a, b)); }

/* The angle between two rotations, in radians. */
static double angle_between(const acp_matrix_frame *a, const acp_matrix_frame *b) {
    double dot = fabs((double)a->rotation.w * (double)b->rotation.w + (double)a->rotation.x * (double)b->rotation.x +
                      (double)a->rotation.y * (double)b->rotation.y + (double)a->rotation.z * (double)b->rotation.z);
    return dot >= 1.0 ? 0.0 : 2.0 * acos(dot);
}

static void the_matrix_is_a_rotation(void **state) {
    (void)state;
    test_random random = {test_seed("the_matrix_is_a_rotation", 0x11)};
    for (uint32_t i = 0; i < 50000; i++) {
        acp_matrix_frame frame = any_frame(&random);
        const float *m = frame.m;
        acp_vec3 x = {m[0], m[1], m[2]}, y = {m[3], m[4], m[5]}, z = {m[6], m[7], m[8]};
        assert_true(fabs(acp_vec3_length_squared(x) - 1.0) < 1e-6 && fabs(acp_vec3_length_squared(y) - 1.0) < 1e-6);
        assert_true(fabs(acp_vec3_dot_zyx(x, y)) < 1e-6 && fabs(acp_vec3_dot_zyx(y, z)) < 1e-6 && fabs(acp_vec3_dot_zyx(x, z)) < 1e-6);
        double handed = (double)x.x * ((double)y.y * (double)z.z - (double)y.z * (double)z.y) -
                        (double)x.y * ((double)y.x * (double)z.z - (double)y.z * (double)z.x) +
                        (double)x.z * ((double)y.x * (double)z.y - (double)y.y * (double)z.x);
        assert_true(fabs(handed - 1.0) < 1e-6);
        acp_matrix_frame back = frame;
        acp_matrix_frame_quaternion_from_matrix(&back);
        if (m[0] + m[4] + m[8] > -0.9f) assert_true(angle_between(&frame, &back) < 2e-3);
    }
}

static void transforms_undo_each_other(void **state) {
    (void)state;
    test_random random = {test_seed("transforms_undo_each_other", 0x12)};
    for (uint32_t i = 0; i < 50000; i++) {
        acp_matrix_frame a = any_frame(&random), b = any_frame(&random), c, d;
        acp_vec3 v =
            acp_vec3_make(test_random_in(&random, -50.0, 50.0), test_random_in(&random, -50.0, 50.0), test_random_in(&random, -50.0, 50.0));
        assert_true(apart(acp_matrix_frame_global_to_local(&a, acp_matrix_frame_local_to_global(&a, v)), v) < 1e-3);
        assert_true(apart(acp_matrix_frame_global_to_local_vec(&a, acp_matrix_frame_local_to_global_vec(&a, v)), v) < 1e-4);
        c = a;
        acp_matrix_frame_combine(&c, &a, &b);
        /* a point through both frames in turn is the point through their composition */
        acp_vec3 in_turn = acp_matrix_frame_local_to_global(&a, acp_matrix_frame_local_to_global(&b, v));
        assert_true(apart(acp_matrix_frame_local_to_global(&c, v), in_turn) < 2e-3);
        d = c;
        acp_matrix_frame_subtract2(&d, &c, &a);
        assert_true(apart(d.origin, b.origin) < 2e-3 && angle_between(&d, &b) < 2e-3);
        acp_matrix_frame_subtract1(&d, &c, &b);
        assert_true(apart(d.origin, a.origin) < 2e-3 && angle_between(&d, &a) < 2e-3);
        /* the other instances of combine differ in last bits only */
        acp_matrix_frame_combine_animation(&d, &a, &b);
        assert_true(apart(d.origin, c.origin) < 1e-4 && angle_between(&d, &c) < 2e-3);
        acp_matrix_frame_combine_scaled(&d, &a, &b, acp_vec3_make(1.0, 1.0, 1.0));
        assert_true(apart(d.origin, c.origin) < 1e-4 && angle_between(&d, &c) < 2e-3);
    }
}

static void outputs_may_be_inputs(void **state) {
    (void)state;
    test_random random = {test_seed("outputs_may_be_inputs", 0x13)};
    static void (*const operations[])(acp_matrix_frame *, const acp_matrix_frame *, const acp_matrix_frame *) = {
        acp_matrix_frame_combine, acp_matrix_frame_combine_animation, acp_matrix_frame_subtract1, acp_matrix_frame_subtract2};
    for (uint32_t i = 0; i < 20000; i++) {
        acp_matrix_frame a = any_frame(&random), b = any_frame(&random), apart_out = acp_matrix_frame_identity(), first = a, second = b;
        operations[i % 4](&apart_out, &a, &b);
        operations[i % 4](&first, &first, &b);
        operations[i % 4](&second, &a, &second);
        assert_memory_equal(&first, &apart_out, sizeof first);
        assert_memory_equal(&second, &apart_out, sizeof second);
    }
}

static void a_heading_set_is_the_heading_read(void **state) {
    (void)state;
    test_random random = {test_seed("a_heading_set_is_the_heading_read", 0x14)};
    for (uint32_t i = 0; i < 50000; i++) {
        acp_matrix_frame frame = acp_matrix_frame_identity();
        float degrees = (float)test_random_in(&random, -720.0, 720.0);
        acp_matrix_frame_set_heading(&frame, degrees);
        double difference = fabs(fmod(acp_matrix_frame_heading(&frame) - (double)degrees, 360.0));
        assert_true(difference < 1e-4 || difference > 360.0 - 1e-4);
    }
}

static void the_way_between_is_the_shorter_one(void **state) {
    (void)state;
    test_random random = {test_seed("the_way_between_is_the_shorter_one", 0x15)};
    for (uint32_t i = 0; i < 50000; i++) {
        acp_matrix_frame a = any_frame(&random), b = any_frame(&random), out = acp_matrix_frame_identity();
        float t = (float)test_random_in(&random, 0.0, 1.0);
        acp_matrix_frame_interpolate_rotation(&out, &a, &b, t);
        double whole = angle_between(&a, &b);
        assert_true(fabs(angle_between(&a, &out) - (double)t * whole) < 5e-3);
        assert_true(fabs(angle_between(&out, &b) - (1.0 - (double)t) * whole) < 5e-3);
        acp_matrix_frame_interpolate_origin(&out, &a, &b, t);
        assert_true(fabs(apart(a.origin, out.origin) + apart(out.origin, b.origin) - apart(a.origin, b.origin)) < 1e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_a_rotation),
        cmocka_unit_test(transforms_undo_each_other),
        cmocka_unit_test(outputs_may_be_inputs),
        cmocka_unit_test(a_heading_set_is_the_heading_read),
        cmocka_unit_test(the_way_between_is_the_shorter_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
