/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_NUMBER_TEXT_H
#define ACP_BASE_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers to text and back, without a locale and without the C library: the one printer and the one reader of floats in acphys.
 * [any thread], no allocation, no state. */

/* Room for any formatted number with its NUL. */
#define ACP_NUMBER_TEXT_CAPACITY 32u

/* Writes the shortest decimal that reads back to the same value, nearest to it among the shortest; terminated. Returns its length.
 * Plain notation for decimal exponents -5 to 15 ("19008", "0.25", "0.00001"), else "4e-45", "3.4028235e38". Negative zero is "-0.0", so
 * that readers of JSON keep its sign; the others that are no numbers are "nan", "inf", "-inf" (no JSON). */
uint32_t acp_number_format_f32(float value, char *out);
uint32_t acp_number_format_f64(double value, char *out);

/* Reads a decimal number at the start of `text`: [+-] digits [. digits] [e [+-] digits], with at least one digit before or after the point.
 * Rounded once, to nearest even, for any number of digits; overflow gives infinity, underflow zero. False and nothing written when there is
 * no number. *out_used = bytes read; a null out_used demands that the whole text is the number. */
bool acp_number_parse_f32(const char *text, size_t length, float *out, size_t *out_used);
bool acp_number_parse_f64(const char *text, size_t length, double *out, size_t *out_used);

#endif
