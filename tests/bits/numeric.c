/* SPDX-License-Identifier: MIT */
/* A small numeric program: thousands of results of the arithmetic floors, folded into one hash per area.
 *
 * Built by gcc and clang at -O0 to -O3 with the project's flags (tests/bits/run), every build must print tests/bits/golden.txt: the same
 * inputs give the same bits on every compiler and level. It says nothing about the values being right; the vectors do that. Inputs come
 * from a fixed integer generator and exact scaling, so that they do not depend on what is tested. NaN is folded as one value. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geom/polygon.h"
#include "math/frame.h"
#include "math/trig.h"
#include "math/vec3.h"
#include "place/cell_id.h"
#include "place/position.h"

enum { ROUNDS = 4000 };

typedef struct run {
    uint64_t random;
    uint64_t hash;
} run;

static uint64_t next_bits(run *r) {
    uint64_t z = (r->random += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A multiple of 2^-16 in [-limit, limit), exact. */
static float next_float(run *r, uint32_t limit) {
    uint64_t span = (uint64_t)limit << 17;
    return (float)((double)(next_bits(r) % span) * 0x1p-16 - (double)limit);
}

static acp_vec3 next_vec3(run *r, uint32_t limit) {
    acp_vec3 v;
    v.x = next_float(r, limit);
    v.y = next_float(r, limit);
    v.z = next_float(r, limit);
    return v;
}

static void fold(run *r, uint64_t bits) {
    r->hash = (r->hash ^ bits) * 0x100000001B3u;
    r->hash ^= r->hash >> 29;
}

static void fold_double(run *r, double value) {
    uint64_t bits = 0x7FF8000000000000u;
    if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
    fold(r, bits);
}

static void fold_vec3(run *r, acp_vec3 v) {
    fold_double(r, (double)v.x);
    fold_double(r, (double)v.y);
    fold_double(r, (double)v.z);
}

static void fold_frame(run *r, const acp_matrix_frame *f) {
    fold_double(r, (double)f->rotation.w);
    fold_double(r, (double)f->rotation.x);
    fold_double(r, (double)f->rotation.y);
    fold_double(r, (double)f->rotation.z);
    for (int i = 0; i < 9; ++i)
        fold_double(r, (double)f->m[i]);
    fold_vec3(r, f->origin);
}

static acp_matrix_frame next_frame(run *r, uint32_t limit) {
    acp_matrix_frame f = acp_matrix_frame_identity();
    acp_vec3 axis = next_vec3(r, 1);
    (void)acp_matrix_frame_set_rotate(&f, next_float(r, 1), axis.x, axis.y, axis.z);
    f.origin = next_vec3(r, limit);
    return f;
}

static void run_trig(run *r) {
    double x = (double)next_float(r, 100), y = (double)next_float(r, 100), u = (double)next_float(r, 1);
    fold_double(r, acp_sin(x));
    fold_double(r, acp_cos(x));
    fold_double(r, acp_asin(u));
    fold_double(r, acp_acos(u));
    fold_double(r, acp_atan2(y, x));
    fold_double(r, acp_pow(fabs(x), u));
    fold_double(r, acp_fmod(x, 7.0 + u));
}

static void run_vec3(run *r) {
    acp_vec3 a = next_vec3(r, 50), b = next_vec3(r, 50);
    fold_vec3(r, acp_vec3_add(a, b));
    fold_vec3(r, acp_vec3_scale(a, (double)b.x));
    fold_double(r, acp_vec3_dot_zyx(a, b));
    fold_double(r, acp_vec3_length(a));
    fold_vec3(r, acp_vec3_normalize(a));
    fold_double(r, acp_vec3_heading(b));
    fold_double(r, acp_vec3_pitch(b));
}

static void run_frame(run *r) {
    acp_matrix_frame a = next_frame(r, 192), b = next_frame(r, 10), out = acp_matrix_frame_identity();
    acp_vec3 v = next_vec3(r, 192);
    fold_vec3(r, acp_matrix_frame_local_to_global(&a, v));
    fold_vec3(r, acp_matrix_frame_global_to_local(&a, v));
    acp_matrix_frame_combine(&out, &a, &b);
    fold_frame(r, &out);
    acp_matrix_frame_combine_scaled(&out, &a, &b, next_vec3(r, 2));
    fold_frame(r, &out);
    acp_matrix_frame_subtract1(&out, &a, &b);
    fold_frame(r, &out);
    acp_matrix_frame_interpolate_rotation(&out, &a, &b, 0.3f);
    fold_frame(r, &out);
    acp_matrix_frame_grotate(&a, next_vec3(r, 2));
    fold_frame(r, &a);
    acp_matrix_frame_set_heading(&b, next_float(r, 360));
    fold_frame(r, &b);
}

static void run_position(run *r) {
    acp_matrix_position a, b;
    uint32_t block = (uint32_t)(next_bits(r) % 253u + 1u) << 24 | (uint32_t)(next_bits(r) % 253u + 1u) << 16;
    a.cell_id = block | 1u;
    b.cell_id = (block + (uint32_t)(next_bits(r) % 2u) * 0x01000000u) | 9u;
    a.frame = next_frame(r, 192);
    b.frame = next_frame(r, 192);
    fold_vec3(r, acp_matrix_position_local_to_local(&a, &b, next_vec3(r, 20)));
    fold_vec3(r, acp_matrix_position_offset(&a, &b));
    fold_double(r, acp_matrix_position_distance(&a, &b));
    fold_double(r, acp_matrix_position_heading_to(&a, &b));
    fold_double(r, acp_cylinder_distance(0.5f, 2.0f, &a, 0.7f, 1.5f, &b));
    fold(r, (uint64_t)acp_matrix_position_adjust_to_outside(&a) << 32 | a.cell_id);
    fold_vec3(r, a.frame.origin);
}

static void run_polygon(run *r) {
    acp_vec3 points[8], contact = {0.0f, 0.0f, 0.0f}, normal = {0.0f, 0.0f, 0.0f}, up = {0.0f, 0.0f, 1.0f};
    uint32_t count = 3u + (uint32_t)(next_bits(r) % 6u);
    acp_matrix_frame frame = next_frame(r, 5);
    /* Nearly regular: on a circle turned at random, some points pushed a little. */
    for (uint32_t i = 0; i < count; ++i) {
        double angle = 6.283185307179586 * (double)i / (double)count;
        acp_vec3 p = acp_vec3_make(3.0 * acp_cos(angle), 3.0 * acp_sin(angle), 0x1p-12 * (double)next_float(r, 1));
        points[i] = acp_matrix_frame_local_to_global(&frame, p);
    }
    acp_polygon polygon = acp_polygon_make(points, count, 1, 0);
    fold_vec3(r, polygon.plane.normal);
    fold_double(r, (double)polygon.plane.d);
    acp_sphere sphere = {next_vec3(r, 6), 0.0f};
    sphere.radius = (float)(0.25 + fabs((double)next_float(r, 2)));
    fold(r, acp_polygon_contains_point(&polygon, sphere.center));
    fold(r, acp_polygon_hits_sphere_precise(&polygon, &sphere, &contact));
    fold_vec3(r, contact);
    fold(r, acp_polygon_check_walkable(&polygon, &sphere, up));
    fold(r, acp_polygon_find_crossed_edge(&polygon, &sphere, up, &normal));
    fold_vec3(r, normal);
    fold_double(r, acp_polygon_adjust_sphere_to_poly(&polygon, &sphere, sphere.center, next_vec3(r, 3)));
}

int main(void) {
    static const struct {
        const char *name;
        void (*run)(run *);
    } areas[] = {{"trig", run_trig}, {"vec3", run_vec3}, {"frame", run_frame}, {"position", run_position}, {"polygon", run_polygon}};
    for (size_t area = 0; area < sizeof areas / sizeof areas[0]; ++area) {
        run r = {0x5DEECE66Du + area, 0xCBF29CE484222325u};
        for (int i = 0; i < ROUNDS; ++i)
            areas[area].run(&r);
        printf("%-9s %016llx\n", areas[area].name, (unsigned long long)r.hash);
    }
    return 0;
}
