/* SPDX-License-Identifier: MIT */
/* Positions against spec 01 §14 (WM-E10, the table of cylinder distances), canonicalisation at the door, and the far-town case of §16:
 * all four edges, the rim of the map, 1,000 ticks each. No function here can see what is resident, which is the point of the case. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/place.h"
#include "place/cell_id.h"
#include "place/position.h"

static acp_position at(uint32_t cell_id, float x, float y, float z) {
    acp_position position = {cell_id, acp_frame_identity()};
    position.frame.origin = (acp_vec3){x, y, z};
    return position;
}

static void assert_vec3(acp_vec3 v, float x, float y, float z) {
    if (!(v.x == x && v.y == y && v.z == z))
        fail_msg("(%.9g %.9g %.9g) is not (%.9g %.9g %.9g)", (double)v.x, (double)v.y, (double)v.z, (double)x, (double)y, (double)z);
}

/* WM-E10. */
static void offsets_and_transforms(void **state) {
    (void)state;
    acp_position a = at(0xA9B40039u, 190.0f, 10.0f, 5.0f), b = at(0xAAB40001u, 2.0f, 10.0f, 5.0f);
    acp_vec3 v;
    double metres;
    assert_int_equal(acp_position_offset(&a, &b, &v), ACP_OK);
    assert_vec3(v, 4.0f, 0.0f, 0.0f);
    assert_int_equal(acp_position_distance(&a, &b, &metres), ACP_OK);
    assert_true(metres == 4.0);
    b.frame.origin.z = 8.0f;
    assert_int_equal(acp_position_distance(&a, &b, &metres), ACP_OK);
    assert_true(metres == 5.0);
    assert_int_equal(acp_position_xy_distance(&a, &b, &metres), ACP_OK);
    assert_true(metres == 4.0);
    acp_position e = at(0xA9B40105u, 100.0f, 50.0f, 6.0f), o = at(0xAAB40001u, 2.0f, 10.0f, 5.0f);
    e.frame.rotation = (acp_quaternion){0.707106769f, 0.0f, 0.0f, 0.707106769f};
    acp_vec3 point = {1.0f, 2.0f, 3.0f};
    assert_int_equal(acp_position_local_to_block(e.cell_id, &o, point, &v), ACP_OK);
    assert_vec3(v, 195.0f, 12.0f, 8.0f);
    assert_int_equal(acp_position_local_to_local(&e, &o, point, &v), ACP_OK);
    assert_vec3(v, -37.9999962f, -94.9999924f, 2.0f);
    assert_int_equal(acp_position_local_to_local(&o, &e, v, &v), ACP_OK);
    assert_vec3(v, 0.999984741f, 2.00000286f, 3.0f);
    acp_matrix_position me = acp_matrix_position_from_public(&e);
    assert_vec3(acp_matrix_position_origin_in_block(0xAAB40001u, &me), -92.0f, 50.0f, 6.0f);
}

static void headings(void **state) {
    (void)state;
    acp_position here = at(0xA9B40001u, 10.0f, 10.0f, 0.0f), east = at(0xA9B40001u, 20.0f, 10.0f, 9.0f);
    acp_position west = at(0xA8B40039u, 191.0f, 10.0f, 0.0f), near = at(0xA9B40001u, 10.0001f, 10.0f, 90.0f);
    double degrees;
    assert_int_equal(acp_position_heading_to(&here, &east, &degrees), ACP_OK);
    assert_true(degrees == 90.0);
    assert_int_equal(acp_position_heading_to(&here, &west, &degrees), ACP_OK);
    assert_true(degrees == 270.0);
    assert_int_equal(acp_position_heading_to(&here, &near, &degrees), ACP_OK);
    assert_true(degrees == 0.0);
}

/* WM-45: the examples, and one of each quarter of its table. */
static void cylinder_distances(void **state) {
    (void)state;
    static const struct {
        float r, h;
        acp_vec3 delta;
        double expected;
    } rows[] = {
        {0.5f, 2.0f, {3.0f, 0.0f, 0.0f}, 2.0}, /* side by side */
        {3.0f, 2.0f, {0.0f, 0.0f, 5.0f}, 3.0}, /* one above the other */
        {0.5f, 2.0f, {0.0f, 0.0f, 5.0f}, 5.0}, /* the 3-D reach of 4 and the gap of 3 */
        {0.5f, 2.0f, {0.2f, 0.0f, 0.5f}, -1.56938428},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_position a = at(0xA9B40001u, 10.0f, 10.0f, 0.0f);
        acp_position b = at(0xA9B40001u, 10.0f + rows[i].delta.x, 10.0f + rows[i].delta.y, rows[i].delta.z);
        double metres;
        assert_int_equal(acp_position_cylinder_distance(rows[i].r, rows[i].h, &a, rows[i].r, rows[i].h, &b, &metres), ACP_OK);
        assert_true(fabs(metres - rows[i].expected) < 1e-7);
        assert_int_equal(acp_position_cylinder_distance(rows[i].r, rows[i].h, &b, rows[i].r, rows[i].h, &a, &metres), ACP_OK);
        assert_true(fabs(metres - rows[i].expected) < 1e-7);
    }
    acp_position a = at(0xA9B40001u, 10.0f, 10.0f, 0.0f);
    double metres = 7.0;
    assert_int_equal(acp_position_cylinder_distance(-1.0f, 1.0f, &a, 1.0f, 1.0f, &a, &metres), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_position_cylinder_distance(1.0f, NAN, &a, 1.0f, 1.0f, &a, &metres), ACP_ERROR_NOT_FINITE);
    assert_true(metres == 7.0);
    acp_matrix_position p = acp_matrix_position_from_public(&a);
    assert_true(acp_cylinder_distance_no_z(0.5f, &p, 0.25f, &p) == -0.75);
}

/* WM-46: bits of side (0x10 right, 0x08 left), front (0x20) or back (0x40), and height (4 low, 2 middle, 1 high). */
static void quadrants(void **state) {
    (void)state;
    acp_position self = at(0xA9B40001u, 10.0f, 10.0f, 0.0f);
    static const struct {
        acp_vec3 delta;
        uint32_t bits;
    } rows[] = {{{1.0f, 1.0f, 0.0f}, 0x34u}, {{-1.0f, 1.0f, 1.0f}, 0x2Au}, {{-1.0f, -1.0f, 2.9f}, 0x49u}, {{0.0f, 0.0f, 1.0f}, 0x32u}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_position p = at(0xA9B40001u, 10.0f + rows[i].delta.x, 10.0f + rows[i].delta.y, rows[i].delta.z);
        acp_matrix_position a = acp_matrix_position_from_public(&self), b = acp_matrix_position_from_public(&p);
        assert_int_equal(acp_matrix_position_quadrant(&a, 3.0f, &b), rows[i].bits);
    }
}

/* ---- canonical positions ---- */

static void the_door_makes_canonical(void **state) {
    (void)state;
    acp_position p = at(0xA9B40001u, 193.0f, 10.0f, 5.0f), kept;
    assert_int_equal(acp_position_canonicalize(&p), ACP_OK);
    assert_int_equal(p.cell_id, 0xAAB40001u);
    assert_vec3(p.frame.origin, 1.0f, 10.0f, 5.0f);
    kept = p;
    assert_int_equal(acp_position_canonicalize(&p), ACP_OK); /* idempotent */
    assert_memory_equal(&p, &kept, sizeof p);
    p = at(0xFF5B0001u, -0.5f, 5.0f, 0.0f); /* a block byte of 0xFF is usable from the inside (WM-15) */
    assert_int_equal(acp_position_canonicalize(&p), ACP_OK);
    assert_int_equal(p.cell_id, 0xFE5B0039u);
    p = at(0xA9B40105u, 300.0f, 50.0f, 6.0f); /* an EnvCell stays, wherever the point is */
    kept = p;
    assert_int_equal(acp_position_canonicalize(&p), ACP_OK);
    assert_memory_equal(&p, &kept, sizeof p);
    assert_int_equal(acp_position_adjust_to_outside(&p), ACP_OK); /* asked outright, it becomes a land cell */
    assert_int_equal(p.cell_id, 0xAAB40023u);
}

static void the_door_refuses(void **state) {
    (void)state;
    static const struct {
        uint32_t cell_id;
        acp_vec3 origin;
        acp_result result;
    } rows[] = {
        {0x00000001u, {-0.5f, 5.0f, 0.0f}, ACP_ERROR_OUTSIDE_MAP},           {0xFE5B0040u, {192.0f, 5.0f, 0.0f}, ACP_ERROR_OUTSIDE_MAP},
        {0xA9B40050u, {10.0f, 10.0f, 0.0f}, ACP_ERROR_INVALID_ID},           {0xA9B40000u, {10.0f, 10.0f, 0.0f}, ACP_ERROR_INVALID_ID},
        {0x00000000u, {10.0f, 10.0f, 0.0f}, ACP_ERROR_INVALID_ID},           {0xA9B4FFFEu, {10.0f, 10.0f, 0.0f}, ACP_ERROR_INVALID_ID},
        {0xFFB40100u, {10.0f, 10.0f, 0.0f}, ACP_ERROR_INVALID_ID},           {0xA9B40001u, {NAN, 10.0f, 0.0f}, ACP_ERROR_NOT_FINITE},
        {0xA9B40001u, {1.0f, 10.0f, INFINITY}, ACP_ERROR_NOT_FINITE},        {0xA9B40001u, {1e30f, 10.0f, 0.0f}, ACP_ERROR_OUTSIDE_MAP},
        {0xA9B40001u, {0.0f, 103079215104.0f, 0.0f}, ACP_ERROR_OUTSIDE_MAP}, /* 2^32 cells: wraps to 0 in the client's conversion */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_position p = {rows[i].cell_id, acp_frame_identity()}, kept;
        p.frame.origin = rows[i].origin;
        kept = p;
        assert_int_equal(acp_position_canonicalize(&p), rows[i].result);
        assert_memory_equal(&p, &kept, sizeof p);
    }
    acp_position p = at(0xA9B40001u, 1.0f, 1.0f, 1.0f);
    p.frame.rotation.w = 0.5f;
    assert_int_equal(acp_position_canonicalize(&p), ACP_ERROR_OUT_OF_RANGE);
    assert_int_equal(acp_position_canonicalize(NULL), ACP_ERROR_INVALID_ARGUMENT);
    p = at(0x00000001u, -1000.0f, 9.99999975e-06f, 0.0f); /* the client's own answer: id 0, the snap kept */
    assert_int_equal(acp_position_adjust_to_outside(&p), ACP_ERROR_OUTSIDE_MAP);
    assert_int_equal(p.cell_id, 0);
    assert_vec3(p.frame.origin, -1000.0f, 0.0f, 0.0f);
}

static void measures_refuse(void **state) {
    (void)state;
    acp_position good = at(0xA9B40001u, 1.0f, 1.0f, 1.0f), bad = good;
    acp_vec3 v = {7.0f, 7.0f, 7.0f}, bad_point = {0.0f, 0.0f, NAN};
    double d = 7.0;
    uint32_t id = 7;
    bad.cell_id = 0;
    assert_int_equal(acp_position_offset(&good, &bad, &v), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_position_distance(&bad, &good, &d), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_position_xy_distance(&bad, &good, &d), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_position_heading_to(&bad, &good, &d), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_position_local_to_local(&good, &good, bad_point, &v), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_position_local_to_block(0, &good, good.frame.origin, &v), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_position_local_to_block(0xA9B40001u, &good, bad_point, &v), ACP_ERROR_NOT_FINITE);
    assert_int_equal(acp_position_offset(&good, &good, NULL), ACP_ERROR_INVALID_ARGUMENT);
    assert_int_equal(acp_position_outside_cell_id(&bad, &id), ACP_ERROR_INVALID_ID);
    assert_int_equal(acp_position_relabel(&good, 0xA9B40041u), ACP_ERROR_INVALID_ID);
    assert_true(v.x == 7.0f && d == 7.0 && id == 7);
    bad = good;
    bad.frame.origin.x = NAN;
    assert_int_equal(acp_position_outside_cell_id(&bad, &id), ACP_ERROR_NOT_FINITE);
    assert_false(acp_position_is_equal(&good, NULL));
    assert_true(acp_position_is_equal(&good, &good));
    bad = good;
    bad.cell_id++;
    assert_false(acp_position_is_equal(&good, &bad));
}

/* WM-49: id and origin change together. */
static void relabelling(void **state) {
    (void)state;
    acp_position p = at(0xC95B0001u, 10.0f, -5.0f, 12.0f);
    assert_int_equal(acp_position_relabel(&p, 0xC95A0008u), ACP_OK);
    assert_int_equal(p.cell_id, 0xC95A0008u);
    assert_vec3(p.frame.origin, 10.0f, 187.0f, 12.0f);
}

/* ---- the far-town march (§16) ---- */

static void the_march_of_the_document(void **state) {
    (void)state;
    static const float y_expected[4] = {191.912003f, 191.536133f, 191.160263f, 190.784393f};
    static const float x_expected[4] = {10.121233f, 10.242466f, 10.363699f, 10.4849319f};
    acp_position p = at(0xC95B0001u, 10.0f, 0.287866652f, 12.0f);
    for (int tick = 0; tick < 4; tick++) {
        int32_t x, y;
        p.frame.origin.x = (float)((double)p.frame.origin.x + 0.121233336);
        p.frame.origin.y = (float)((double)p.frame.origin.y - 0.375866667);
        assert_true(acp_lcoord_from_point(p.cell_id, p.frame.origin, &x, &y)); /* with the id before the tick */
        assert_true(x == 1608 && y == 727);
        assert_int_equal(acp_position_canonicalize(&p), ACP_OK);
        assert_int_equal(p.cell_id, 0xC95A0008u);
        assert_true(fabsf(p.frame.origin.x - x_expected[tick]) < 1e-5f && fabsf(p.frame.origin.y - y_expected[tick]) < 2e-5f);
        assert_true(floor((double)p.frame.origin.y / 24.0) == 7.0);
    }
}

/* Obligation (a): one step over each edge, and over each rim. */
static void the_four_edges(void **state) {
    (void)state;
    static const struct {
        uint32_t cell_id;
        float x, y;
        uint32_t id_after;
        float x_after, y_after;
    } rows[] = {
        {0xC95B0001u, 10.1212339f, -0.0879999995f, 0xC95A0008u, 10.1212339f, 191.912003f},
        {0xC95B0039u, 192.100006f, 10.0f, 0xCA5B0001u, 0.100006104f, 10.0f},
        {0xC95B0008u, 10.0f, 192.100006f, 0xC95C0001u, 10.0f, 0.100006104f},
        {0xC95B0001u, -0.0879999995f, 10.0f, 0xC85B0039u, 191.912003f, 10.0f},
        {0xC9000001u, 10.1212339f, -0.0879999995f, 0, 10.1212339f, -0.0879999995f},
        {0xFE5B0039u, 192.100006f, 10.0f, 0, 192.100006f, 10.0f},
        {0xC9FE0008u, 10.0f, 192.100006f, 0, 10.0f, 192.100006f},
        {0x005B0001u, -0.0879999995f, 10.0f, 0, -0.0879999995f, 10.0f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        acp_position p = at(rows[i].cell_id, rows[i].x, rows[i].y, 12.0f);
        acp_result expected = rows[i].id_after ? ACP_OK : ACP_ERROR_OUTSIDE_MAP;
        assert_int_equal(acp_position_adjust_to_outside(&p), expected);
        assert_int_equal(p.cell_id, rows[i].id_after);
        assert_vec3(p.frame.origin, rows[i].x_after, rows[i].y_after, 12.0f);
    }
}

/* Obligations (b) and (d): 1,000 ticks across an edge. The exact path is followed in binary64 metres from the map's corner beside the
 * carried pair; after every tick the label is the cell of the carried point itself, the point lies in [0,192), and both paths agree to the
 * rounding of 1,000 stores. At the rim the step that leaves fails once, the label stays, and walking back in works. */
static void march(uint32_t start, float x, float y, double dx, double dy, int32_t ticks_to_rim) {
    acp_position p = at(start, x, y, 12.0f);
    int32_t block_x, block_y;
    assert_true(acp_lcoord_from_block_id(start, &block_x, &block_y));
    double exact_x = block_x * 24.0 + (double)x, exact_y = block_y * 24.0 + (double)y;
    for (int32_t tick = 1; tick <= 1000; tick++) {
        acp_position before = p;
        p.frame.origin.x = (float)((double)p.frame.origin.x + dx);
        p.frame.origin.y = (float)((double)p.frame.origin.y + dy);
        acp_result result = acp_position_canonicalize(&p);
        if (tick == ticks_to_rim) {
            assert_int_equal(result, ACP_ERROR_OUTSIDE_MAP);
            assert_int_equal(p.cell_id, before.cell_id);
            p = before;
            dx = -dx;
            dy = -dy;
            ticks_to_rim = -1;
            continue;
        }
        assert_int_equal(result, ACP_OK);
        exact_x += dx;
        exact_y += dy;
        assert_true(p.frame.origin.x >= 0.0f && p.frame.origin.x < 192.0f && p.frame.origin.y >= 0.0f && p.frame.origin.y < 192.0f);
        assert_true(acp_lcoord_from_block_id(p.cell_id, &block_x, &block_y));
        double map_x = block_x * 24.0 + (double)p.frame.origin.x, map_y = block_y * 24.0 + (double)p.frame.origin.y;
        assert_int_equal(p.cell_id, acp_lcoord_to_cell_id((int32_t)floor(map_x / 24.0), (int32_t)floor(map_y / 24.0)));
        assert_true(fabs(map_x - exact_x) < 0.01 && fabs(map_y - exact_y) < 0.01);
    }
}

static void a_thousand_ticks_over_every_edge(void **state) {
    (void)state;
    march(0xC95B0001u, 10.0f, 0.287866652f, 0.121233336, -0.375866667, -1); /* south: the document's own */
    march(0xC95B0039u, 191.9f, 10.0f, 0.375866667, 0.121233336, -1);        /* east */
    march(0xC95B0008u, 10.0f, 191.9f, -0.121233336, 0.375866667, -1);       /* north */
    march(0xC95B0001u, 0.287866652f, 10.0f, -0.375866667, 0.121233336, -1); /* west */
    march(0xC95B0001u, 0.1f, 0.1f, -0.3, -0.3, -1);                         /* and a corner */
}

static void a_thousand_ticks_at_every_rim(void **state) {
    (void)state;
    march(0xC9000001u, 10.0f, 3.0f, 0.121233336, -0.375866667, 8);
    march(0xFE5B0039u, 189.0f, 10.0f, 0.375866667, 0.121233336, 8);
    march(0xC9FE0008u, 10.0f, 189.0f, 0.0121, 0.375866667, 8);
    march(0x005B0001u, 3.0f, 10.0f, -0.375866667, 0.121233336, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_and_transforms),
        cmocka_unit_test(headings),
        cmocka_unit_test(cylinder_distances),
        cmocka_unit_test(quadrants),
        cmocka_unit_test(the_door_makes_canonical),
        cmocka_unit_test(the_door_refuses),
        cmocka_unit_test(measures_refuse),
        cmocka_unit_test(relabelling),
        cmocka_unit_test(the_march_of_the_document),
        cmocka_unit_test(the_four_edges),
        cmocka_unit_test(a_thousand_ticks_over_every_edge),
        cmocka_unit_test(a_thousand_ticks_at_every_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
