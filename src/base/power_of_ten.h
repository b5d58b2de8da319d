/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_POWER_OF_TEN_H
#define ACP_BASE_POWER_OF_TEN_H

#include <stdint.h>

/* Powers of ten as far as binary32 needs them: 10^e = mantissa * 2^(binary exponent - 63), the mantissa normalised (bit 63 set) and rounded
 * down; exact for 0 <= e <= 27. unit.number_text computes the table anew from exact integers. */
#define ACP_POWER_OF_TEN_LOW  (-65)
#define ACP_POWER_OF_TEN_HIGH 45

extern const uint64_t acp_power_of_ten_mantissa[ACP_POWER_OF_TEN_HIGH - ACP_POWER_OF_TEN_LOW + 1];

/* floor(log2(10^e)), right for |e| <= 1233. */
static inline int32_t acp_power_of_ten_binary_exponent(int32_t e) { return (e * 1741647) >> 19; }

#endif
