/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_BIG_INTEGER_H
#define ACP_BASE_BIG_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

/* Unsigned integers of up to 4,352 bits for the exact cases of number_text.c. The callers' bounds (DIGITS, exponents) keep every value
 * inside; a result that would not fit loses its upper words. */
#define ACP_BIG_WORDS 136u

typedef struct acp_big_integer {
    uint32_t count; /* words in use; the highest one is not 0 */
    uint32_t words[ACP_BIG_WORDS];
} acp_big_integer;

void acp_big_set(acp_big_integer *big, uint64_t value);
/* big = big * factor + addend */
void acp_big_multiply_add(acp_big_integer *big, uint32_t factor, uint32_t addend);
void acp_big_multiply_power_of_ten(acp_big_integer *big, uint32_t exponent);
void acp_big_shift_left(acp_big_integer *big, uint32_t bits);
/* a -= b; a >= b. */
void acp_big_subtract(acp_big_integer *a, const acp_big_integer *b);
void acp_big_add(acp_big_integer *a, const acp_big_integer *b);
/* -1, 0, 1 */
int acp_big_compare(const acp_big_integer *a, const acp_big_integer *b);
/* Number of bits; 0 for 0. */
uint32_t acp_big_bit_length(const acp_big_integer *big);

#endif
