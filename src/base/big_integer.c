/* SPDX-License-Identifier: MIT */
/* Small exact integers, for the decimal conversions that no fixed word size decides.
 *
 * Contract: a value is `count` words of 32 bits, lowest first, without leading zero words. The capacity covers the largest intermediate of
 * number_text.c (a decimal of 800 digits against the smallest binary64, about 3,900 bits); nothing allocates, nothing can overflow the
 * array: words beyond the capacity are dropped. Constant data only; safe on any thread.
 * Cost: one pass over the words in use per call. */
#include "base/big_integer.h"

#include <string.h>

static void trim(acp_big_integer *big) {
    while (big->count > 0 && big->words[big->count - 1] == 0)
        big->count--;
}

void acp_big_set(acp_big_integer *big, uint64_t value) {
    big->words[0] = (uint32_t)value;
    big->words[1] = (uint32_t)(value >> 32);
    big->count = 2;
    trim(big);
}

void acp_big_multiply_add(acp_big_integer *big, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0 && big->count < ACP_BIG_WORDS) big->words[big->count++] = (uint32_t)carry;
}

void acp_big_multiply_power_of_ten(acp_big_integer *big, uint32_t exponent) {
    static const uint32_t powers[] = {1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u};
    for (; exponent >= 9; exponent -= 9)
        acp_big_multiply_add(big, 1000000000u, 0);
    if (exponent > 0) acp_big_multiply_add(big, powers[exponent], 0);
}

void acp_big_shift_left(acp_big_integer *big, uint32_t bits) {
    uint32_t whole = bits / 32u, rest = bits % 32u;
    if (big->count == 0) return;
    if (rest != 0) acp_big_multiply_add(big, (uint32_t)1 << rest, 0);
    if (whole == 0) return;
    uint32_t kept = big->count + whole <= ACP_BIG_WORDS ? big->count : ACP_BIG_WORDS - whole;
    memmove(big->words + whole, big->words, kept * sizeof big->words[0]);
    memset(big->words, 0, whole * sizeof big->words[0]);
    big->count = kept + whole;
}

void acp_big_subtract(acp_big_integer *a, const acp_big_integer *b) {
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t taken = (i < b->count ? b->words[i] : 0u) + borrow;
        borrow = a->words[i] < taken ? 1u : 0u;
        a->words[i] = (uint32_t)(a->words[i] - taken);
    }
    trim(a);
}

void acp_big_add(acp_big_integer *a, const acp_big_integer *b) {
    uint64_t carry = 0;
    uint32_t count = a->count > b->count ? a->count : b->count;
    for (uint32_t i = 0; i < count; i++) {
        carry += (uint64_t)(i < a->count ? a->words[i] : 0u) + (i < b->count ? b->words[i] : 0u);
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    a->count = count;
    if (carry != 0 && a->count < ACP_BIG_WORDS) a->words[a->count++] = (uint32_t)carry;
}

int acp_big_compare(const acp_big_integer *a, const acp_big_integer *b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

uint32_t acp_big_bit_length(const acp_big_integer *big) {
    if (big->count == 0) return 0;
    uint32_t bits = 32u * (big->count - 1u);
    for (uint32_t top = big->words[big->count - 1]; top != 0; top >>= 1)
        bits++;
    return bits;
}
