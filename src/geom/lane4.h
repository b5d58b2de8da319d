/* SPDX-License-Identifier: MIT */
#ifndef ACP_GEOM_LANE4_H
#define ACP_GEOM_LANE4_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Four binary32 lanes: SSE2 where the compiler has it, plain C elsewhere with the same bits. Used by filters only, never for a result:
 * each operation is the IEEE operation on each lane, so both forms round alike. Loads and stores need 16-byte alignment, but for
 * load_anywhere. A comparison gives a mask, whose bits are one per lane, lane 0 lowest; with NaN it is false. */

#if defined(__SSE2__)
#include <emmintrin.h>

typedef __m128 acp_lane4;
typedef __m128 acp_lane4_mask;

static inline acp_lane4 acp_lane4_load(const float *p) { return _mm_load_ps(p); }
static inline acp_lane4 acp_lane4_load_anywhere(const float *p) { return _mm_loadu_ps(p); }
static inline void acp_lane4_store(float *p, acp_lane4 a) { _mm_store_ps(p, a); }
static inline acp_lane4 acp_lane4_set(float v) { return _mm_set1_ps(v); }
static inline acp_lane4 acp_lane4_add(acp_lane4 a, acp_lane4 b) { return _mm_add_ps(a, b); }
static inline acp_lane4 acp_lane4_multiply(acp_lane4 a, acp_lane4 b) { return _mm_mul_ps(a, b); }
static inline acp_lane4 acp_lane4_max(acp_lane4 a, acp_lane4 b) { return _mm_max_ps(a, b); }
static inline acp_lane4 acp_lane4_subtract(acp_lane4 a, acp_lane4 b) { return _mm_sub_ps(a, b); }
static inline acp_lane4 acp_lane4_min(acp_lane4 a, acp_lane4 b) { return _mm_min_ps(a, b); }
static inline void acp_lane4_store_bits(uint32_t *p, acp_lane4 a) { _mm_store_si128((__m128i *)(void *)p, _mm_castps_si128(a)); }
static inline acp_lane4 acp_lane4_abs(acp_lane4 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
/* a with its sign turned where b's sign bit is set. */
static inline acp_lane4 acp_lane4_turn_sign(acp_lane4 a, acp_lane4 b) { return _mm_xor_ps(a, _mm_and_ps(_mm_set1_ps(-0.0f), b)); }
static inline acp_lane4 acp_lane4_minus(acp_lane4 a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
static inline acp_lane4_mask acp_lane4_less(acp_lane4 a, acp_lane4 b) { return _mm_cmplt_ps(a, b); }
static inline acp_lane4_mask acp_lane4_less_equal(acp_lane4 a, acp_lane4 b) { return _mm_cmple_ps(a, b); }
static inline acp_lane4_mask acp_lane4_and(acp_lane4_mask a, acp_lane4_mask b) { return _mm_and_ps(a, b); }
static inline acp_lane4_mask acp_lane4_or(acp_lane4_mask a, acp_lane4_mask b) { return _mm_or_ps(a, b); }
static inline uint32_t acp_lane4_bits(acp_lane4_mask a) { return (uint32_t)_mm_movemask_ps(a); }

#else

typedef struct acp_lane4 {
    float v[4];
} acp_lane4;
typedef uint32_t acp_lane4_mask;

#define ACP_LANE4_EACH(expression)                                                                                                         \
    acp_lane4 out;                                                                                                                         \
    for (int i = 0; i < 4; i++)                                                                                                            \
        out.v[i] = (expression);                                                                                                           \
    return out
#define ACP_LANE4_MASK(expression)                                                                                                         \
    uint32_t mask = 0;                                                                                                                     \
    for (int i = 0; i < 4; i++)                                                                                                            \
        mask |= (uint32_t)((expression) ? 1 : 0) << i;                                                                                     \
    return mask

static inline acp_lane4 acp_lane4_load(const float *p) { ACP_LANE4_EACH(p[i]); }
static inline acp_lane4 acp_lane4_load_anywhere(const float *p) { ACP_LANE4_EACH(p[i]); }
static inline void acp_lane4_store(float *p, acp_lane4 a) { memcpy(p, a.v, sizeof a.v); }
static inline acp_lane4 acp_lane4_set(float v) { ACP_LANE4_EACH(v); }
static inline acp_lane4 acp_lane4_add(acp_lane4 a, acp_lane4 b) { ACP_LANE4_EACH(a.v[i] + b.v[i]); }
static inline acp_lane4 acp_lane4_multiply(acp_lane4 a, acp_lane4 b) { ACP_LANE4_EACH(a.v[i] * b.v[i]); }
static inline acp_lane4 acp_lane4_max(acp_lane4 a, acp_lane4 b) { ACP_LANE4_EACH(a.v[i] > b.v[i] ? a.v[i] : b.v[i]); }
static inline acp_lane4 acp_lane4_subtract(acp_lane4 a, acp_lane4 b) { ACP_LANE4_EACH(a.v[i] - b.v[i]); }
static inline acp_lane4 acp_lane4_min(acp_lane4 a, acp_lane4 b) { ACP_LANE4_EACH(a.v[i] < b.v[i] ? a.v[i] : b.v[i]); }
static inline void acp_lane4_store_bits(uint32_t *p, acp_lane4 a) { memcpy(p, a.v, sizeof a.v); }
static inline acp_lane4 acp_lane4_abs(acp_lane4 a) { ACP_LANE4_EACH(a.v[i] < 0.0f ? -a.v[i] : a.v[i]); }
static inline acp_lane4 acp_lane4_turn_sign(acp_lane4 a, acp_lane4 b) { ACP_LANE4_EACH(signbit(b.v[i]) ? -a.v[i] : a.v[i]); }
static inline acp_lane4 acp_lane4_minus(acp_lane4 a) { ACP_LANE4_EACH(-a.v[i]); }
static inline acp_lane4_mask acp_lane4_less(acp_lane4 a, acp_lane4 b) { ACP_LANE4_MASK(a.v[i] < b.v[i]); }
static inline acp_lane4_mask acp_lane4_less_equal(acp_lane4 a, acp_lane4 b) { ACP_LANE4_MASK(a.v[i] <= b.v[i]); }
static inline acp_lane4_mask acp_lane4_and(acp_lane4_mask a, acp_lane4_mask b) { return a & b; }
static inline acp_lane4_mask acp_lane4_or(acp_lane4_mask a, acp_lane4_mask b) { return a | b; }
static inline uint32_t acp_lane4_bits(acp_lane4_mask a) { return a; }

#undef ACP_LANE4_EACH
#undef ACP_LANE4_MASK
#endif

static inline uint32_t acp_lane4_mask_less(acp_lane4 a, acp_lane4 b) { return acp_lane4_bits(acp_lane4_less(a, b)); }
static inline uint32_t acp_lane4_mask_greater(acp_lane4 a, acp_lane4 b) { return acp_lane4_bits(acp_lane4_less(b, a)); }
static inline uint32_t acp_lane4_mask_less_equal(acp_lane4 a, acp_lane4 b) { return acp_lane4_bits(acp_lane4_less_equal(a, b)); }

/* Four planes side by side: normal . p + d in binary32, for filters. */
typedef struct acp_plane_group {
    float x[4];
    float y[4];
    float z[4];
    float d[4];
} acp_plane_group;

static inline acp_lane4 acp_plane_group_distance(const acp_plane_group *group, acp_lane4 x, acp_lane4 y, acp_lane4 z) {
    acp_lane4 sum = acp_lane4_add(acp_lane4_multiply(acp_lane4_load(group->z), z), acp_lane4_load(group->d));
    return acp_lane4_add(sum,
                         acp_lane4_add(acp_lane4_multiply(acp_lane4_load(group->y), y), acp_lane4_multiply(acp_lane4_load(group->x), x)));
}

/* The squared lengths of the four normals. */
static inline acp_lane4 acp_plane_group_square(const acp_plane_group *group) {
    acp_lane4 x = acp_lane4_load(group->x), y = acp_lane4_load(group->y), z = acp_lane4_load(group->z);
    return acp_lane4_add(acp_lane4_multiply(z, z), acp_lane4_add(acp_lane4_multiply(y, y), acp_lane4_multiply(x, x)));
}

#endif
