/* SPDX-License-Identifier: MIT */
/* Frames against the examples of spec 01 §8-13: WM-27, WM-29, WM-E5 to WM-E9, and the refusals of the public door. Decimals are those of
 * the document, nine digits, which name one binary32; a table entry must match to the bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/math.h"
#include "math/frame.h"
#include "math/vec3.h"

#define QUARTER 0.707106769f

/* The 16 floats of a quaternion and others compare as values, so that 0 and -0 agree where the document does not print the sign. */
static void assert_floats(const float *actual, const float *expected, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(actual[i] == expected[i])) fail_msg("number %zu is %.9g, not %.9g", i, (double)actual[i], (double)expected[i]);
}

static void assert_vec3(acp_vec3 actual, float x, float y, float z) {
    const float expected[3] = {x, y, z}, got[3] = {actual.x, actual.y, actual.z};
    assert_floats(got, expected, 3);
}

static void assert_rotation(const acp_matrix_frame *frame, float w, float x, float y, float z) {
    const float expected[4] = {w, x, y, z}, got[4] = {frame->rotation.w, frame->rotation.x, frame->rotation.y, frame->rotation.z};
    assert_floats(got, expected, 4);
}

static acp_vec3 vec3(float x, float y, float z) {
    acp_vec3 v = {x, y, z};
    return v;
}

static acp_matrix_frame turned(float w, float x, float y, float z, float ox, float oy, float oz) {
    acp_matrix_frame frame = acp_matrix_frame_identity();
    assert_true(acp_matrix_frame_set_rotate(&frame, w, x, y, z));
    frame.origin = vec3(ox, oy, oz);
    return frame;
}

static void validity(void **state) {
    (void)state;
    static const struct {
        float w;
        bool ok;
    } rows[] = {{1.0f, true}, {1.00039995f, true}, {1.00059998f, false}, {0.999599993f, true}, {0.0f, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_matrix_frame frame = acp_matrix_frame_identity();
        frame.rotation.w = rows[i].w;
        assert_int_equal(acp_matrix_frame_is_valid(&frame), rows[i].ok);
    }
    acp_matrix_frame frame = acp_matrix_frame_identity();
    frame.origin.x = INFINITY; /* passes inside, as in the client */
    assert_true(acp_matrix_frame_is_valid(&frame));
    assert_false(acp_matrix_frame_is_valid_except_for_heading(&frame));
    frame.rotation.y = NAN;
    assert_true(acp_matrix_frame_is_valid_except_for_heading(&frame));
    frame.origin.x = NAN;
    assert_false(acp_matrix_frame_is_valid_except_for_heading(&frame));
}

/* WM-E5. */
static void set_rotate_and_cache(void **state) {
    (void)state;
    static const float m1[9] = {-0.666666687f, 0.666666687f, 0.333333313f, 0.133333355f, -0.333333284f,
                                0.933333337f,  0.73333329f,  0.666666687f, 0.133333296f};
    static const float m2[9] = {3.42285418e-08f, 0.99999994f, 0.0f, -0.99999994f, 3.42285418e-08f, 0.0f, 0.0f, 0.0f, 1.0f};
    static const float m3[9] = {0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f};
    acp_matrix_frame frame = turned(1.0f, 2.0f, 3.0f, 4.0f, 0.0f, 0.0f, 0.0f);
    assert_rotation(&frame, 0.182574183f, 0.365148365f, 0.547722578f, 0.730296731f);
    assert_floats(frame.m, m1, 9);
    frame.rotation = (acp_quaternion){QUARTER, 0.0f, 0.0f, QUARTER};
    acp_matrix_frame_cache(&frame);
    assert_floats(frame.m, m2, 9);
    frame.rotation = (acp_quaternion){0.5f, 0.5f, 0.5f, 0.5f};
    acp_matrix_frame_cache(&frame);
    assert_floats(frame.m, m3, 9);
}

static void a_refused_rotation_changes_nothing(void **state) {
    (void)state;
    acp_matrix_frame frame = turned(1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f), before = frame;
    assert_false(acp_matrix_frame_set_rotate(&frame, 0.0f, 0.0f, 0.0f, 0.0f));
    assert_memory_equal(&frame, &before, sizeof frame);
    frame.origin.y = before.origin.y = NAN; /* with a NaN origin no rotation can be stored (WM-28) */
    assert_false(acp_matrix_frame_set_rotate(&frame, 1.0f, 0.0f, 0.0f, 0.0f));
    assert_memory_equal(&frame, &before, sizeof frame);
}

/* The examples under WM-29; the first three take the branch with the minus signs (RA-6). */
static void quaternion_from_matrix(void **state) {
    (void)state;
    static const struct {
        float m[9];
        float q[4];
    } rows[] = {
        {{0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, -1.0f}, {0.0f, 1.0f, 0.0f, 0.0f}},
        {{-1.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 1.0f}},
        {{7.61543333e-07f, 0.999999225f, -0.0012341335f, 0.999999225f, 7.61543333e-07f, 0.0012341335f, 0.0012341335f, -0.0012341335f,
          -0.99999845f},
         {0.00123413256f, 0.99999845f, 0.0f, -0.00123413256f}},
        {{1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_matrix_frame frame = acp_matrix_frame_identity();
        memcpy(frame.m, rows[i].m, sizeof frame.m);
        acp_matrix_frame_quaternion_from_matrix(&frame);
        assert_rotation(&frame, rows[i].q[0], rows[i].q[1], rows[i].q[2], rows[i].q[3]);
    }
}

/* WM-E6. */
static void transforms(void **state) {
    (void)state;
    acp_matrix_frame frame = turned(1.0f, 2.0f, 3.0f, 4.0f, 10.0f, 20.0f, 30.0f),
                     quarter = turned(QUARTER, 0.0f, 0.0f, QUARTER, 0.0f, 0.0f, 0.0f);
    acp_vec3 out = acp_matrix_frame_local_to_global(&frame, vec3(1.0f, 2.0f, 3.0f));
    assert_vec3(out, 11.8000002f, 22.0f, 32.5999985f);
    assert_vec3(acp_matrix_frame_global_to_local(&frame, out), 0.999999344f, 1.99999881f, 2.99999976f);
    assert_vec3(acp_matrix_frame_global_to_local(&frame, vec3(11.0f, 22.0f, 33.0f)), 1.66666663f, 2.26666689f, 2.46666646f);
    assert_vec3(acp_matrix_frame_local_to_global(&quarter, vec3(1.0f, 2.0f, 3.0f)), -1.99999988f, 1.0f, 3.0f);
    assert_vec3(acp_matrix_frame_local_to_global_vec(&quarter, vec3(1.0f, 2.0f, 3.0f)), -1.99999988f, 1.0f, 3.0f);
}

/* WM-E7, with outputs that are also inputs. */
static void composition(void **state) {
    (void)state;
    acp_matrix_frame a = acp_matrix_frame_identity();
    a.origin = vec3(5.0f, 6.0f, 7.0f);
    acp_matrix_frame_grotate(&a, vec3(0.0f, 0.0f, 0.523598790f)); /* 30 degrees */
    acp_matrix_frame b = turned(0.93814832f, 0.146894485f, 0.195859298f, 0.244824126f, 1.0f, 2.0f, 3.0f), c = a;
    acp_matrix_frame_combine(&c, &c, &b);
    assert_rotation(&c, 0.842816532f, 0.0911970586f, 0.227204636f, 0.479292601f);
    assert_vec3(c.origin, 4.86602545f, 8.2320509f, 10.0f);
    acp_matrix_frame d = a;
    acp_matrix_frame_subtract2(&d, &c, &d);
    assert_rotation(&d, 0.93814832f, 0.146894485f, 0.195859283f, 0.244824126f);
    assert_vec3(d.origin, 1.00000012f, 2.0f, 3.0f);
    acp_matrix_frame_subtract1(&c, &c, &b);
    assert_rotation(&c, 0.965925813f, 3.12504977e-09f, -6.60929178e-09f, 0.258819044f);
    assert_vec3(c.origin, 5.0f, 6.0f, 7.0f);
    acp_matrix_frame parent = turned(QUARTER, 0.0f, 0.0f, QUARTER, 10.0f, 0.0f, 0.0f), child = acp_matrix_frame_identity(), out;
    child.origin.x = 1.0f;
    out = parent;
    acp_matrix_frame_combine(&out, &parent, &child);
    assert_vec3(out.origin, 10.0f, 0.99999994f, 0.0f);
    child.origin.x = 0.5f;
    acp_matrix_frame_combine_scaled(&out, &parent, &child, vec3(2.0f, 1.0f, 1.0f));
    assert_vec3(out.origin, 10.0f, 0.99999994f, 0.0f);
}

/* WM-E8. */
static void headings(void **state) {
    (void)state;
    static const struct {
        float degrees;
        float q[4];
        double heading;
        float forward[3];
    } rows[] = {
        {0.0f, {1.0f, 0.0f, 0.0f, 0.0f}, 0.0, {0.0f, 1.0f, 0.0f}},
        {90.0f, {QUARTER, 0.0f, 0.0f, -QUARTER}, 89.999998, {0.99999994f, 3.42285418e-08f, 0.0f}},
        {180.0f, {-4.37113883e-08f, 0.0f, 0.0f, -1.0f}, 180.000005, {-8.74227766e-08f, -1.0f, 0.0f}},
        {270.0f, {-QUARTER, 0.0f, 0.0f, -QUARTER}, 270.000002, {-0.99999994f, 3.42285418e-08f, 0.0f}},
        {359.5f, {-0.999990463f, 0.0f, 0.0f, -0.00436319737f}, 359.500013, {-0.00872631185f, 0.999961913f, 0.0f}},
        {-30.0f, {-0.965925813f, 0.0f, 0.0f, -0.258819133f}, 329.999989, {-0.500000179f, 0.866025329f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_matrix_frame frame = acp_matrix_frame_identity();
        acp_matrix_frame_set_heading(&frame, rows[i].degrees);
        assert_rotation(&frame, rows[i].q[0], rows[i].q[1], rows[i].q[2], rows[i].q[3]);
        acp_vec3 forward = acp_matrix_frame_vector_heading(&frame);
        assert_vec3(forward, rows[i].forward[0], rows[i].forward[1], rows[i].forward[2]);
        assert_true(fabs(acp_matrix_frame_heading(&frame) - rows[i].heading) < 6e-7);
    }
}

static void rotations(void **state) {
    (void)state;
    acp_matrix_frame frame = acp_matrix_frame_identity(), before = frame;
    acp_matrix_frame_set_vector_heading(&frame, vec3(1.0f, 1.0f, 1.0f));
    assert_rotation(&frame, 0.880476236f, 0.279848129f, -0.1159169f, -0.364705205f);
    assert_vec3(acp_matrix_frame_vector_heading(&frame), 0.577350259f, 0.577350259f, 0.577350259f);
    frame = before;
    acp_matrix_frame_set_vector_heading(&frame, vec3(1e-4f, 1e-4f, 1e-4f));
    acp_matrix_frame_grotate(&frame, vec3(0.0f, 0.0f, 9.99999975e-05f));
    assert_memory_equal(&frame, &before, sizeof frame);
    acp_matrix_frame_grotate(&frame, vec3(0.0f, 0.0f, 0.000199999995f)); /* the guard is >= */
    assert_rotation(&frame, 1.0f, 0.0f, 0.0f, 9.99999975e-05f);
    frame = before;
    acp_matrix_frame_grotate(&frame, vec3(0.0f, 0.0f, 1.57079637f));
    assert_rotation(&frame, QUARTER, 0.0f, 0.0f, QUARTER);
    frame = before;
    acp_matrix_frame_grotate(&frame, vec3(1.0f, 2.0f, 3.0f));
    assert_rotation(&frame, -0.295551121f, 0.25532186f, 0.510643721f, 0.765965581f);
    /* a local turn about the forward axis of a frame that looks east is a global turn about +X */
    frame = turned(QUARTER, 0.0f, 0.0f, -QUARTER, 0.0f, 0.0f, 0.0f);
    acp_matrix_frame other = frame;
    acp_matrix_frame_rotate(&frame, vec3(0.0f, 0.5f, 0.0f));
    acp_matrix_frame_grotate(&other, acp_matrix_frame_local_to_global_vec(&other, vec3(0.0f, 0.5f, 0.0f)));
    assert_memory_equal(&frame, &other, sizeof frame);
}

/* Section 12 and WM-E9. */
static void interpolation(void **state) {
    (void)state;
    acp_matrix_frame a = acp_matrix_frame_identity(), b = a, out = a;
    a.origin = vec3(1.0f, 2.0f, 3.0f);
    b.origin = vec3(10.0f, 20.0f, 30.0f);
    acp_matrix_frame_interpolate_origin(&out, &a, &b, 0.3f);
    assert_vec3(out.origin, 3.70000005f, 7.4000001f, 11.1000004f);
    static const struct {
        float t, w, z;
    } rows[] = {{0.25f, 0.980785251f, 0.195090324f},
                {0.5f, 0.923879504f, 0.382683426f},
                {1.0f, QUARTER, QUARTER},
                {1.5f, 0.467323929f, 0.884086192f}};
    a = acp_matrix_frame_identity();
    b = turned(QUARTER, 0.0f, 0.0f, QUARTER, 0.0f, 0.0f, 0.0f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_matrix_frame_interpolate_rotation(&out, &a, &b, rows[i].t);
        assert_rotation(&out, rows[i].w, 0.0f, 0.0f, rows[i].z);
    }
    acp_matrix_frame negative = turned(-QUARTER, 0.0f, 0.0f, -QUARTER, 0.0f, 0.0f, 0.0f);
    acp_matrix_frame_interpolate_rotation(&out, &a, &negative, 0.25f);
    assert_rotation(&out, 0.980785251f, 0.0f, 0.0f, 0.195090324f);
    b = a;
    acp_matrix_frame_grotate(&b, vec3(0.0f, 0.0f, 0.0174532925f));
    acp_matrix_frame_interpolate_rotation(&out, &a, &b, 0.5f);
    assert_rotation(&out, 0.999990463f, 0.0f, 0.0f, 0.00436330959f);
}

/* Section 13: origins may differ by EPSILON, rotations must differ by less. */
static void comparisons(void **state) {
    (void)state;
    const float epsilon = 0.000199999995f;
    acp_matrix_frame a = acp_matrix_frame_identity(), b = a;
    b.origin.x = epsilon;
    assert_true(acp_matrix_frame_is_equal(&a, &b));
    b.rotation.x = epsilon;
    assert_false(acp_matrix_frame_is_equal(&a, &b));
    b.rotation.x = nextafterf(epsilon, 0.0f);
    assert_true(acp_matrix_frame_is_equal(&a, &b));
    b.rotation.w = -1.0f;
    assert_false(acp_matrix_frame_is_equal(&a, &b));
    assert_false(acp_vec3_is_zero(vec3(epsilon, 0.0f, 0.0f)));
    assert_true(acp_vec3_is_zero(vec3(nextafterf(epsilon, 0.0f), 0.0f, 0.0f)));
    assert_true(acp_vec3_is_equal(vec3(epsilon, 0.0f, 0.0f), vec3(0.0f, 0.0f, 0.0f)));
    acp_vec3 small = vec3(0.0001f, 0.0001f, 0.0f), kept = small;
    assert_true(acp_vec3_normalize_check_small(&small));
    assert_memory_equal(&small, &kept, sizeof small);
}

/* ---- the public door ---- */

static void the_door_refuses(void **state) {
    (void)state;
    acp_frame good = acp_frame_identity(), bad, out = good, kept = good;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        for (size_t field = 0; field < 7; field++) {
            float values[7] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f};
            values[field] = wrong[i];
            memcpy(&bad, values, sizeof bad);
            assert_int_equal(acp_frame_check(&bad), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_frame_combine(&good, &bad, &out), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_frame_subtract(&bad, &good, &out), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_frame_interpolate(&good, &bad, 0.5f, &out), ACP_ERROR_NOT_FINITE);
            assert_int_equal(acp_frame_set_heading(&bad, 1.0f), ACP_ERROR_NOT_FINITE);
        }
        acp_vec3 v = {0.0f, wrong[i], 0.0f}, point = {7.0f, 7.0f, 7.0f};
        assert_int_equal(acp_frame_local_to_global(&good, v, &point), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_frame_global_to_local(&good, v, &point), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_frame_local_to_global_vec(&good, v, &point), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_frame_global_to_local_vec(&good, v, &point), ACP_ERROR_NOT_FINITE);
        assert_true(point.x == 7.0f);
        assert_int_equal(acp_frame_rotate(&out, v), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_frame_rotate_global(&out, v), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_frame_set_vector_heading(&out, v), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_frame_set_heading(&out, wrong[i]), ACP_ERROR_NOT_FINITE);
        assert_int_equal(acp_frame_interpolate(&good, &good, wrong[i], &out), ACP_ERROR_NOT_FINITE);
    }
    bad = good;
    bad.rotation.w = 0.0f;
    double degrees = 7.0;
    assert_int_equal(acp_frame_check(&bad), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_frame_heading(&bad, &degrees), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_frame_set_rotation(&out, bad.rotation), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_frame_check(NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_frame_combine(&good, NULL, &out), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_frame_combine(&good, &good, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_frame_heading(&good, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_false(acp_frame_is_equal(NULL, &good));
    assert_memory_equal(&out, &kept, sizeof out);
    assert_true(degrees == 7.0);
}

static void the_door_works(void **state) {
    (void)state;
    acp_frame parent = acp_frame_identity(), child = parent, out, back;
    acp_vec3 point = {1.0f, 2.0f, 3.0f};
    double degrees;
    parent.origin = vec3(10.0f, 0.0f, 0.0f);
    assert_int_equal(acp_frame_set_rotation(&parent, (acp_quaternion){2.0f, 0.0f, 0.0f, 2.0f}), ACP_OK);
    assert_true(parent.rotation.w == QUARTER && parent.rotation.z == QUARTER && parent.origin.x == 10.0f);
    child.origin.x = 1.0f;
    assert_int_equal(acp_frame_combine(&parent, &child, &out), ACP_OK);
    assert_vec3(out.origin, 10.0f, 0.99999994f, 0.0f);
    assert_int_equal(acp_frame_subtract(&out, &parent, &back), ACP_OK);
    assert_true(acp_frame_is_equal(&back, &child));
    assert_int_equal(acp_frame_inverse(&parent, &back), ACP_OK);
    assert_int_equal(acp_frame_combine(&parent, &back, &back), ACP_OK);
    assert_true(fabsf(back.origin.x) < 1e-5f && fabsf(back.origin.y) < 1e-5f && fabsf(back.rotation.w) > 0.99999f);
    assert_int_equal(acp_frame_local_to_global(&parent, point, &point), ACP_OK);
    assert_vec3(point, 8.0f, 1.0f, 3.0f);
    assert_int_equal(acp_frame_global_to_local(&parent, point, &point), ACP_OK);
    assert_true(fabsf(point.x - 1.0f) < 1e-5f && fabsf(point.y - 2.0f) < 1e-5f);
    assert_int_equal(acp_frame_set_heading(&parent, 90.0f), ACP_OK);
    assert_int_equal(acp_frame_heading(&parent, &degrees), ACP_OK);
    assert_true(fabs(degrees - 90.0) < 1e-5 && parent.origin.x == 10.0f);
    assert_int_equal(acp_frame_set_vector_heading(&parent, vec3(-2.0f, 0.0f, 0.0f)), ACP_OK);
    assert_int_equal(acp_frame_heading(&parent, &degrees), ACP_OK);
    assert_true(fabs(degrees - 270.0) < 1e-5);
    assert_int_equal(acp_frame_rotate(&parent, vec3(0.0f, 0.0f, -1.57079637f)), ACP_OK);
    assert_int_equal(acp_frame_heading(&parent, &degrees), ACP_OK);
    assert_true(fabs(degrees - 360.0) < 1e-4 || fabs(degrees) < 1e-4);
    assert_int_equal(acp_frame_rotate_global(&parent, vec3(0.0f, 0.0f, -1.57079637f)), ACP_OK);
    assert_int_equal(acp_frame_heading(&parent, &degrees), ACP_OK);
    assert_true(fabs(degrees - 90.0) < 1e-4);
    assert_int_equal(acp_frame_local_to_global_vec(&parent, vec3(0.0f, 1.0f, 0.0f), &point), ACP_OK);
    assert_true(fabsf(point.x - 1.0f) < 1e-5f);
    assert_int_equal(acp_frame_global_to_local_vec(&parent, point, &point), ACP_OK);
    assert_true(fabsf(point.y - 1.0f) < 1e-5f);
    assert_int_equal(acp_frame_interpolate(&parent, &child, 1.0f, &out), ACP_OK);
    assert_true(out.origin.x == 1.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validity),
        cmocka_unit_test(set_rotate_and_cache),
        cmocka_unit_test(a_refused_rotation_changes_nothing),
        cmocka_unit_test(quaternion_from_matrix),
        cmocka_unit_test(transforms),
        cmocka_unit_test(composition),
        cmocka_unit_test(headings),
        cmocka_unit_test(rotations),
        cmocka_unit_test(interpolation),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(the_door_refuses),
        cmocka_unit_test(the_door_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
