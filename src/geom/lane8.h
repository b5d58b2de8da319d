/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_LANE8_H
#define ACP_GEOM_LANE8_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Eight binary32 lanes, for filters only as geom/lane4.h: one AVX2 register where the including file asks for it (ACP_LANE8_AVX2), two of
 * SSE2 elsewhere on x86, else plain C. Each operation is the IEEE operation on each lane, so all forms give the same bits; a comparison
 * with NaN is false. Loads need 32-byte alignment. ACP_LANE8_TARGET stands before every function that uses lanes: with it one file can hold
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

#elif defined(__SSE2__)
#include <emmintrin.h>

#define ACP_LANE8_TARGET

typedef struct acp_lane8 {
    __m128 v[2];
} acp_lane8;
typedef acp_lane8 acp_lane8_mask;

#define ACP_LANE8_BOTH(operation) ((acp_lane8){{operation(a.v[0], b.v[0]), operation(a.v[1], b.v[1])}})
static inline acp_lane8 acp_lane8_load(const float *p) { return (acp_lane8){{_mm_load_ps(p), _mm_load_ps(p + 4)}}; }
static inline acp_lane8 acp_lane8_set(float v) { return (acp_lane8){{_mm_set1_ps(v), _mm_set1_ps(v)}}; }
static inline acp_lane8 acp_lane8_add(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_add_ps); }
static inline acp_lane8 acp_lane8_subtract(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_sub_ps); }
static inline acp_lane8 acp_lane8_multiply(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_mul_ps); }
static inline acp_lane8 acp_lane8_max(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_max_ps); }
static inline acp_lane8 acp_lane8_min(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_min_ps); }
static inline acp_lane8 acp_lane8_and(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_and_ps); }
static inline acp_lane8 acp_lane8_or(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_or_ps); }
static inline acp_lane8 acp_lane8_less(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_cmplt_ps); }
static inline acp_lane8 acp_lane8_less_equal(acp_lane8 a, acp_lane8 b) { return ACP_LANE8_BOTH(_mm_cmple_ps); }
static inline acp_lane8 acp_lane8_turn_sign(acp_lane8 a, acp_lane8 b) {
    const __m128 sign = _mm_set1_ps(-0.0f);
    return (acp_lane8){{_mm_xor_ps(a.v[0], _mm_and_ps(sign, b.v[0])), _mm_xor_ps(a.v[1], _mm_and_ps(sign, b.v[1]))}};
}
static inline acp_lane8 acp_lane8_minus(acp_lane8 a) { return acp_lane8_turn_sign(a, acp_lane8_set(-0.0f)); }
static inline acp_lane8 acp_lane8_abs(acp_lane8 a) { return acp_lane8_turn_sign(a, a); }
static inline uint32_t acp_lane8_bits(acp_lane8 a) { return (uint32_t)_mm_movemask_ps(a.v[0]) | (uint32_t)_mm_movemask_ps(a.v[1]) << 4; }
#undef ACP_LANE8_BOTH

#else

#define ACP_LANE8_TARGET

typedef struct acp_lane8 {
    float v[8];
} acp_lane8;
typedef uint32_t acp_lane8_mask;

#define ACP_LANE8_EACH(expression)                                                                                                         \
    acp_lane8 out;                                                                                                                         \
    for (int i = 0; i < 8; i++)                                                                                                            \
        out.v[i] = (expression);                                                                                                           \
    return out
#define ACP_LANE8_MASK(expression)                                                                                                         \
    uint32_t mask = 0;                                                                                                                     \
    for (int i = 0; i < 8; i++)                                                                                                            \
        mask |= (uint32_t)((expression) ? 1 : 0) << i;                                                                                     \
    return mask

static inline acp_lane8 acp_lane8_load(const float *p) { ACP_LANE8_EACH(p[i]); }
static inline acp_lane8 acp_lane8_set(float v) { ACP_LANE8_EACH(v); }
static inline acp_lane8 acp_lane8_add(acp_lane8 a, acp_lane8 b) { ACP_LANE8_EACH(a.v[i] + b.v[i]); }
static inline acp_lane8 acp_lane8_subtract(acp_lane8 a, acp_lane8 b) { ACP_LANE8_EACH(a.v[i] - b.v[i]); }
static inline acp_lane8 acp_lane8_multiply(acp_lane8 a, acp_lane8 b) { ACP_LANE8_EACH(a.v[i] * b.v[i]); }
static inline acp_lane8 acp_lane8_max(acp_lane8 a, acp_lane8 b) { ACP_LANE8_EACH(a.v[i] > b.v[i] ? a.v[i] : b.v[i]); }
static inline acp_lane8 acp_lane8_min(acp_lane8 a, acp_lane8 b) { ACP_LANE8_EACH(a.v[i] < b.v[i] ? a.v[i] : b.v[i]); }
static inline acp_lane8 acp_lane8_minus(acp_lane8 a) { ACP_LANE8_EACH(-a.v[i]); }
static inline acp_lane8 acp_lane8_turn_sign(acp_lane8 a, acp_lane8 b) { ACP_LANE8_EACH(signbit(b.v[i]) ? -a.v[i] : a.v[i]); }
static inline acp_lane8 acp_lane8_abs(acp_lane8 a) { return acp_lane8_turn_sign(a, a); }
static inline acp_lane8_mask acp_lane8_less(acp_lane8 a, acp_lane8 b) { ACP_LANE8_MASK(a.v[i] < b.v[i]); }
static inline acp_lane8_mask acp_lane8_less_equal(acp_lane8 a, acp_lane8 b) { ACP_LANE8_MASK(a.v[i] <= b.v[i]); }
static inline acp_lane8_mask acp_lane8_and(acp_lane8_mask a, acp_lane8_mask b) { return a & b; }
static inline acp_lane8_mask acp_lane8_or(acp_lane8_mask a, acp_lane8_mask b) { return a | b; }
static inline uint32_t acp_lane8_bits(acp_lane8_mask a) { return a; }

#undef ACP_LANE8_EACH
#undef ACP_LANE8_MASK
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
