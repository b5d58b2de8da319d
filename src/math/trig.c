/* SPDX-License-Identifier: MIT */
/* The one fixed set of elementary functions (D19): musl's, compiled under other names (extern/musl-math), so that a platform's own
 * mathematical library never takes part.
 *
 * Contract: binary64 in and out; within 1 ulp of the true value; the same bits with every compiler, level and target that rounds to
 * nearest without excess precision. Neither errno nor the floating-point flags matter. Outside a function's domain (asin 2, fmod by 0,
 * a negative base with a fractional exponent) and for NaN the answer is NaN, always the quiet NaN with bits 0xFFF8000000000000, the one
 * that the original's processor makes: left alone, its sign would differ between processors. Infinite results keep their sign.
 *
 * Source: spec 00 "Numbers" 4, 01 WM-3; D19. Cost: a call more than the platform's own. */
#include "math/trig.h"

#include <stdint.h>
#include <string.h>

double acp_extern_sin(double x);
double acp_extern_cos(double x);
double acp_extern_asin(double x);
double acp_extern_acos(double x);
double acp_extern_atan2(double y, double x);
double acp_extern_pow(double x, double y);
double acp_extern_fmod(double x, double y);

/* Every NaN becomes the same one. */
static double canonical(double value) {
    if (value == value) return value;
    const uint64_t bits = 0xFFF8000000000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double acp_sin(double x) { return canonical(acp_extern_sin(x)); }
double acp_cos(double x) { return canonical(acp_extern_cos(x)); }
double acp_asin(double x) { return canonical(acp_extern_asin(x)); }
double acp_acos(double x) { return canonical(acp_extern_acos(x)); }
double acp_atan2(double y, double x) { return canonical(acp_extern_atan2(y, x)); }
double acp_pow(double x, double y) { return canonical(acp_extern_pow(x, y)); }
double acp_fmod(double x, double y) { return canonical(acp_extern_fmod(x, y)); }
