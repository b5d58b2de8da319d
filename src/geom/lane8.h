/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_LANE8_H
#define ACP_GEOM_LANE8_H

#include <stdbool.h>
#include <stdint.h>

/* Eight binary32 lanes, for filters only as geom/lane4.h: one AVX2 register where the including file asks for it (ACP_LANE8_AVX2), else
 * twice the four of geom/lane4.h. Each operation is the IEEE operation on each lane, so all forms give the same bits; a comparison with
 * NaN is false. Loads need 32-byte alignment. ACP_LANE8_TARGET stands before every function that uses lanes: with it one file can hold
 * AVX2 code in a build for any x86-64; such code runs only where acp_lane8_has_avx2 says so. */

/* Not on Windows: its compilers do not keep the stack aligned for such registers. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define ACP_LANE8_CAN_AVX2 1
static inline bool acp_lane8_has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
#define ACP_LANE8_CAN_AVX2 0
#endif

#if defined(ACP_LANE8_AVX2)
#include <immintrin.h>

#define ACP_LANE8_TARGET __attribute__((target("avx2")))

typedef __m256 acp_lane8;
typedef __m256 acp_lane8_mask;

ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_load(const float *p) { return _mm256_load_ps(p); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_set(float v) { return _mm256_set1_ps(v); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_add(acp_lane8 a, acp_lane8 b) { return _mm256_add_ps(a, b); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_subtract(acp_lane8 a, acp_lane8 b) { return _mm256_sub_ps(a, b); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_multiply(acp_lane8 a, acp_lane8 b) { return _mm256_mul_ps(a, b); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_max(acp_lane8 a, acp_lane8 b) { return _mm256_max_ps(a, b); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_min(acp_lane8 a, acp_lane8 b) { return _mm256_min_ps(a, b); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_abs(acp_lane8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_minus(acp_lane8 a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
ACP_LANE8_TARGET static inline acp_lane8 acp_lane8_turn_sign(acp_lane8 a, acp_lane8 b) {
    return _mm256_xor_ps(a, _mm256_and_ps(_mm256_set1_ps(-0.0f), b));
}
ACP_LANE8_TARGET static inline acp_lane8_mask acp_lane8_less(acp_lane8 a, acp_lane8 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
ACP_LANE8_TARGET static inline acp_lane8_mask acp_lane8_less_equal(acp_lane8 a, acp_lane8 b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
ACP_LANE8_TARGET static inline acp_lane8_mask acp_lane8_and(acp_lane8_mask a, acp_lane8_mask b) { return _mm256_and_ps(a, b); }
ACP_LANE8_TARGET static inline acp_lane8_mask acp_lane8_or(acp_lane8_mask a, acp_lane8_mask b) { return _mm256_or_ps(a, b); }
ACP_LANE8_TARGET static inline uint32_t acp_lane8_bits(acp_lane8_mask a) { return (uint32_t)_mm256_movemask_ps(a); }

#else
#include "geom/lane4.h"

#define ACP_LANE8_TARGET

typedef struct acp_lane8 {
    acp_lane4 v[2];
} acp_lane8;
typedef struct acp_lane8_mask {
    acp_lane4_mask v[2];
} acp_lane8_mask;

#define ACP_LANE8_ONE(type, operation)                                                                                                     \
    return (type) {                                                                                                                        \
        { operation(a.v[0]), operation(a.v[1]) }                                                                                           \
    }
#define ACP_LANE8_BOTH(type, operation)                                                                                                    \
    return (type) {                                                                                                                        \
        { operation(a.v[0], b.v[0]), operation(a.v[1], b.v[1]) }                                                                           \
    }
static inline acp_lane8 acp_lane8_load(const float *p) { return (acp_lane8){{acp_lane4_load(p), acp_lane4_load(p + 4)}}; }
static inline acp_lane8 acp_lane8_set(float v) { return (acp_lane8){{acp_lane4_set(v), acp_lane4_set(v)}}; }
static inline acp_lane8 acp_lane8_add(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8, acp_lane4_add); }
static inline acp_lane8 acp_lane8_subtract(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8, acp_lane4_subtract); }
static inline acp_lane8 acp_lane8_multiply(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8, acp_lane4_multiply); }
static inline acp_lane8 acp_lane8_max(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8, acp_lane4_max); }
static inline acp_lane8 acp_lane8_min(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8, acp_lane4_min); }
static inline acp_lane8 acp_lane8_turn_sign(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8, acp_lane4_turn_sign); }
static inline acp_lane8 acp_lane8_abs(acp_lane8 a) { ACP_LANE8_ONE(acp_lane8, acp_lane4_abs); }
static inline acp_lane8 acp_lane8_minus(acp_lane8 a) { ACP_LANE8_ONE(acp_lane8, acp_lane4_minus); }
static inline acp_lane8_mask acp_lane8_less(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8_mask, acp_lane4_less); }
static inline acp_lane8_mask acp_lane8_less_equal(acp_lane8 a, acp_lane8 b) { ACP_LANE8_BOTH(acp_lane8_mask, acp_lane4_less_equal); }
static inline acp_lane8_mask acp_lane8_and(acp_lane8_mask a, acp_lane8_mask b) { ACP_LANE8_BOTH(acp_lane8_mask, acp_lane4_and); }
static inline acp_lane8_mask acp_lane8_or(acp_lane8_mask a, acp_lane8_mask b) { ACP_LANE8_BOTH(acp_lane8_mask, acp_lane4_or); }
static inline uint32_t acp_lane8_bits(acp_lane8_mask a) { return acp_lane4_bits(a.v[0]) | acp_lane4_bits(a.v[1]) << 4; }
#undef ACP_LANE8_ONE
#undef ACP_LANE8_BOTH
#endif

/* Ordinal of the lowest bit of a mask of eight, not 0. */
static inline uint32_t acp_lane8_lowest(uint32_t mask) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(mask);
#else
    uint32_t lane = 0;
    while ((mask >> lane & 1u) == 0)
        lane++;
    return lane;
#endif
}

#endif
