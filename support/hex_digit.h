/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_HEX_DIGIT_H
#define ACP_SUPPORT_HEX_DIGIT_H

/* Value of a hexadecimal digit of either case, -1 for any other character. */
static inline int acp_hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

#endif
