/* SPDX-License-Identifier: MIT */
#ifndef ACP_MATH_TRIG_H
#define ACP_MATH_TRIG_H

/* The one fixed set of elementary functions (D19): the same bits on every platform. binary64 in and out, radians. sqrt and floor are
 * the platform's (both exact). */
double acp_sin(double x);
double acp_cos(double x);
double acp_asin(double x);
double acp_acos(double x);
double acp_atan2(double y, double x);
double acp_pow(double x, double y);
double acp_fmod(double x, double y);

#endif
