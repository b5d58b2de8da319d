/* SPDX-License-Identifier: MIT */
#ifndef ACP_MATH_NUMBER_H
#define ACP_MATH_NUMBER_H

#include <float.h>
#include <stdint.h>

/* The arithmetic of the house (spec 01 WM-3, D1): expressions in binary64, in the written order; one rounding to binary32 at each
 * marked store. acp_f32 is that store. */

#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "acphys needs FLT_EVAL_METHOD == 0 (no excess precision)"
#endif

#define ACP_EPSILON            0x1.a36e2ep-13f       /* 0.000199999995, bits 0x3951B717 (WM-5) */
#define ACP_EPSILON_F64        ((double)ACP_EPSILON) /* the binary32 value widened */
#define ACP_CELL_LENGTH        24.0
#define ACP_BLOCK_LENGTH       192.0
#define ACP_HALF_CELL          12.0
#define ACP_LCOORD_LIMIT       2040
#define ACP_FLOOR_Z            0x1.540ea2p-1f /* 0.664174139, bits 0x3F2A0751: the walkable limit */
#define ACP_DEGREES_PER_RADIAN 57.29577951308232
#define ACP_RADIANS_PER_DEGREE 0.0174532925199433

/* The marked store: rounds to binary32. */
static inline float acp_f32(double value) { return (float)value; }

/* The marked store read back: what a later expression sees of a stored value. */
static inline double acp_stored(double value) { return (double)(float)value; }

#endif
