/* SPDX-License-Identifier: MIT */
/* Included before every upstream file: gives each external symbol the prefix acp_extern_, so that nothing here clashes with, or is
 * replaced by, the platform's mathematical library, and takes away what would make results depend on the target. Ours, not upstream's. */
#ifndef ACP_EXTERN_MATH_PREFIX_H
#define ACP_EXTERN_MATH_PREFIX_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include <endian.h>
#include <features.h>

/* Targets with a fused multiply-add would take another path through pow and get other bits. */
#undef __FP_FAST_FMA

#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "the elementary functions need FLT_EVAL_METHOD == 0 (no excess precision)"
#endif
#ifdef __FAST_MATH__
#error "the elementary functions must not be compiled with -ffast-math"
#endif

/* Upstream's features.h defines it; hidden is our default visibility anyway. */
#undef hidden
#if defined(__GNUC__) && !defined(_WIN32)
#define hidden __attribute__((__visibility__("hidden")))
#else
#define hidden
#endif

/* The functions that are compiled. */
#define sin    acp_extern_sin
#define cos    acp_extern_cos
#define asin   acp_extern_asin
#define acos   acp_extern_acos
#define atan   acp_extern_atan
#define atan2  acp_extern_atan2
#define pow    acp_extern_pow
#define fmod   acp_extern_fmod
#define scalbn acp_extern_scalbn

/* What they call, and the other internals that upstream/libm.h declares. */
#define __rem_pio2_large acp_extern_rem_pio2_large
#define __rem_pio2       acp_extern_rem_pio2
#define __sin            acp_extern_kernel_sin
#define __cos            acp_extern_kernel_cos
#define __tan            acp_extern_kernel_tan
#define __expo2          acp_extern_expo2
#define __rem_pio2f      acp_extern_rem_pio2f
#define __sindf          acp_extern_sindf
#define __cosdf          acp_extern_cosdf
#define __tandf          acp_extern_tandf
#define __expo2f         acp_extern_expo2f
#define __rem_pio2l      acp_extern_rem_pio2l
#define __sinl           acp_extern_sinl
#define __cosl           acp_extern_cosl
#define __tanl           acp_extern_tanl
#define __polevll        acp_extern_polevll
#define __p1evll         acp_extern_p1evll
#define __lgamma_r       acp_extern_lgamma_r
#define __lgammaf_r      acp_extern_lgammaf_r
#define __math_xflowf    acp_extern_math_xflowf
#define __math_uflowf    acp_extern_math_uflowf
#define __math_oflowf    acp_extern_math_oflowf
#define __math_divzerof  acp_extern_math_divzerof
#define __math_invalidf  acp_extern_math_invalidf
#define __math_xflow     acp_extern_math_xflow
#define __math_uflow     acp_extern_math_uflow
#define __math_oflow     acp_extern_math_oflow
#define __math_divzero   acp_extern_math_divzero
#define __math_invalid   acp_extern_math_invalid
#define __math_invalidl  acp_extern_math_invalidl
#define __signgam        acp_extern_signgam
#define __exp_data       acp_extern_exp_data
#define __pow_log_data   acp_extern_pow_log_data

double acp_extern_sin(double x);
double acp_extern_cos(double x);
double acp_extern_asin(double x);
double acp_extern_acos(double x);
double acp_extern_atan(double x);
double acp_extern_atan2(double y, double x);
double acp_extern_pow(double x, double y);
double acp_extern_fmod(double x, double y);
double acp_extern_scalbn(double x, int n);

#endif
