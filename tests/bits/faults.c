/* SPDX-License-Identifier: MIT */
/* The two faults of GCC 12.2 that hit ordered arithmetic, each as a small function with a known answer.
 *
 * 1. The loop vectoriser miscounts an in-order sum over the members of a three-float structure: some elements are added twice
 *    (spec 03 NUM-6; four points with x = 1 sum to 5).
 * 2. The SLP vectoriser deletes roundings to binary32 on adjacent values: (double)(float)x becomes x (decision D24).
 *
 * Both show at -O2 and -O3 and go away with -fno-tree-vectorize -fno-tree-slp-vectorize, which the build sets under GCC. Exit 0 when both
 * answers are right; otherwise bit 0 and bit 1 of the exit code say which are wrong. tests/bits/run builds this with every compiler and
 * level, with and without the flags. Answers are by hand: sums of small integers, and roundings written out. */
#include <stdio.h>

typedef struct point {
    float x;
    float y;
    float z;
} point;

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif

/* Step 4 of make_plane: the sum that gives a plane its d. */
double ordered_sum(const point *points, unsigned count, const double *normal);
NOINLINE double ordered_sum(const point *points, unsigned count, const double *normal) {
    double sum = 0.0;
    for (unsigned i = 0; i < count; ++i) {
        sum += normal[2] * (double)points[i].z;
        sum += normal[1] * (double)points[i].y;
        sum += normal[0] * (double)points[i].x;
    }
    return sum;
}

/* The same over a fixed number of points, where -O2 vectorises too. */
double ordered_sum_of_four(const point *points, const double *normal);
NOINLINE double ordered_sum_of_four(const point *points, const double *normal) {
    double sum = 0.0;
    for (unsigned i = 0; i < 4; ++i) {
        sum += normal[2] * (double)points[i].z;
        sum += normal[1] * (double)points[i].y;
        sum += normal[0] * (double)points[i].x;
    }
    return sum;
}

/* Two adjacent stored values, read back. */
void stored_pair(double *out, const double *in, double factor);
NOINLINE void stored_pair(double *out, const double *in, double factor) {
    double first = (double)(float)(in[0] * factor);
    double second = (double)(float)(in[1] * factor);
    out[0] = first * factor;
    out[1] = second * factor;
}

int main(void) {
    int wrong = 0;
    /* Volatile hides the values from the compiler, which otherwise makes a harmless special version of each function. */
    volatile double one = 1.0, zero = 0.0;
    const double normal[3] = {one, zero, zero};
    point points[9];
    for (unsigned i = 0; i < 9; ++i) {
        points[i].x = 1.0f;
        points[i].y = (float)(i + 2);
        points[i].z = (float)(3 + i * i);
    }
    for (unsigned count = 1; count <= 9; ++count)
        if (ordered_sum(points, count, normal) < (double)count || ordered_sum(points, count, normal) > (double)count) wrong |= 1;
    if (ordered_sum_of_four(points, normal) < 4.0 || ordered_sum_of_four(points, normal) > 4.0) wrong |= 1;

    /* 1 + 2^-30 rounds to 1, 1 + 3 * 2^-24 to 1 + 2^-22. */
    const double in[2] = {1.0 + 0x1p-30, 1.0 + 0x3p-24};
    double out[2];
    stored_pair(out, in, one);
    if (out[0] < 1.0 || out[0] > 1.0 || out[1] < 1.0 + 0x1p-22 || out[1] > 1.0 + 0x1p-22) wrong |= 2;

    printf("ordered sum %s, stored pair %s\n", wrong & 1 ? "WRONG" : "right", wrong & 2 ? "WRONG" : "right");
    return wrong;
}
