/* SPDX-License-Identifier: MIT */
#ifndef ACP_BENCH_MEASURE_H
#define ACP_BENCH_MEASURE_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* What every benchmark shares: two clocks, the median, random numbers of a fixed seed. */

/* Wall time. */
static inline double bench_seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0.0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline double bench_nanoseconds(void) { return bench_seconds() * 1e9; }

/* Time that this process has used. */
static inline double bench_processor_seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return 0.0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline int bench_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the runs (so runs[0] is the best one) and gives the middle one. */
static inline double bench_median(double *runs, size_t count) {
    qsort(runs, count, sizeof runs[0], bench_compare);
    return runs[count / 2];
}

/* splitmix64: the state is the seed. */
static inline uint32_t bench_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

#endif
