/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_EXPECT_H
#define ACP_BASE_EXPECT_H

/* What the compiler cannot see and the measured moves show: functions that hardly any question reaches, and conditions that hardly ever
 * hold or fail. It then keeps the former out of the way of the others and lays these out straight. Answers do not depend on them. */
#if defined(__GNUC__)
#define ACP_COLD               __attribute__((noinline, cold))
#define ACP_USUALLY(condition) __builtin_expect(!!(condition), 1)
#define ACP_SELDOM(condition)  __builtin_expect(!!(condition), 0)
#else
#define ACP_COLD
#define ACP_USUALLY(condition) (condition)
#define ACP_SELDOM(condition)  (condition)
#endif

#endif
