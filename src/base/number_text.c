/* SPDX-License-Identifier: MIT */
/* Numbers to text and back: shortest round trip out, correctly rounded in, the same on every platform and in every locale.
 *
 * Printing binary32: the value c * 2^q, and the two midpoints to its neighbours, are scaled by a power of ten so that the integer part of
 * the value has eight or nine digits; the scaled numbers are kept as integers in quarters, rounded to odd, which is enough to compare them
 * with any decimal candidate (R. Giulietti, "The Schubfach way to render doubles"). Of the multiples of ten inside the interval, else of
 * the integers inside it, the nearest is the answer. All 2^32 values have been compared with an exact reference; unit.number_text compares
 * samples and the hard cases. Printing binary64: the classical digit generation with exact integers (Steele and White).
 * Reading: up to 19 digits times a power of ten in 64 bits decide almost every binary32; a product of exact binary64 numbers decides the
 * usual binary64; whatever is left, ties included, is divided exactly.
 * Contract: see number_text.h. Limits: digits beyond the 800th only count as "not zero" (767 decide any binary64); exponents saturate.
 * Cost: about 20-50 ns to print or read a binary32; exact paths 0.3-5 us. No allocation, under 2 KB of stack. */
#include "base/number_text.h"

#include <string.h>

#include "base/big_integer.h"
#include "base/power_of_ten.h"

/* ---- printing ---- */

/* A decimal: digits * 10^exponent, without trailing zeros. */
typedef struct decimal {
    uint64_t digits;
    int32_t exponent;
} decimal;

static char *put_digits(char *out, uint64_t value, uint32_t count) {
    for (uint32_t i = count; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
    return out + count;
}

static uint32_t digit_count(uint64_t value) {
    uint32_t count = 1;
    while (value >= 10) {
        value /= 10;
        count++;
    }
    return count;
}

/* Lays the digits out: plain for decimal exponents -5 to 15 of the first digit, else with an exponent. */
static char *put_decimal(char *out, decimal d) {
    uint32_t count = digit_count(d.digits);
    int32_t leading = d.exponent + (int32_t)count - 1;
    if (leading < -5 || leading > 15) {
        uint64_t power = 1;
        for (uint32_t i = 1; i < count; i++)
            power *= 10;
        *out++ = (char)('0' + d.digits / power);
        if (count > 1) {
            *out++ = '.';
            out = put_digits(out, d.digits % power, count - 1);
        }
        *out++ = 'e';
        if (leading < 0) *out++ = '-';
        uint32_t magnitude = (uint32_t)(leading < 0 ? -leading : leading);
        return put_digits(out, magnitude, digit_count(magnitude));
    }
    if (d.exponent >= 0) {
        out = put_digits(out, d.digits, count);
        memset(out, '0', (size_t)d.exponent);
        return out + d.exponent;
    }
    if (leading < 0) {
        uint32_t zeros = (uint32_t)(-leading - 1);
        memcpy(out, "0.", 2);
        memset(out + 2, '0', zeros);
        return put_digits(out + 2 + zeros, d.digits, count);
    }
    uint64_t power = 1;
    for (int32_t i = d.exponent; i < 0; i++)
        power *= 10;
    out = put_digits(out, d.digits / power, (uint32_t)(leading + 1));
    *out++ = '.';
    return put_digits(out, d.digits % power, (uint32_t)-d.exponent);
}

static decimal without_trailing_zeros(uint64_t digits, int32_t exponent) {
    while (digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    decimal d = {digits, exponent};
    return d;
}

/* Upper part of g * factor in quarters, rounded to odd. g exceeds the true power by less than one unit, which moves the 32 bits below by at
 * most one: 0 and 1 there mean "exact". */
static uint32_t scaled_to_odd(uint64_t g, uint32_t factor) {
    uint64_t low = (g & 0xFFFFFFFFu) * factor;
    uint64_t high = (g >> 32) * factor + (low >> 32);
    return (uint32_t)(high >> 32) | ((uint32_t)high > 1u ? 1u : 0u);
}

/* The shortest decimal of a positive finite binary32 given by its bits. */
static decimal shortest_f32(uint32_t bits) {
    uint32_t fraction = bits & 0x7FFFFFu, biased = bits >> 23;
    uint32_t c = biased == 0 ? fraction : fraction | 0x800000u;
    int32_t q = (biased == 0 ? 1 : (int32_t)biased) - 150;
    /* At a power of two the lower neighbour is nearer. */
    bool is_lower_nearer = fraction == 0 && biased > 1;
    bool is_even = (c & 1u) == 0; /* the midpoints themselves round to an even value */
    /* floor(log10) of the interval's width: 2^q, or 3/4 of it */
    int32_t k = is_lower_nearer ? (q * 1262611 - 524031) >> 22 : (q * 1262611) >> 22;
    uint32_t shift = (uint32_t)(q + acp_power_of_ten_binary_exponent(-k) + 1);
    uint64_t g = acp_power_of_ten_mantissa[-k - ACP_POWER_OF_TEN_LOW] + 1u;
    uint32_t value = scaled_to_odd(g, (4u * c) << shift);
    uint32_t lower = scaled_to_odd(g, (4u * c - (is_lower_nearer ? 1u : 2u)) << shift) + (is_even ? 0u : 1u);
    uint32_t upper = scaled_to_odd(g, (4u * c + 2u) << shift) - (is_even ? 0u : 1u);
    uint32_t s = value / 4u;
    if (s >= 10u) {
        uint32_t tens = s / 10u * 40u; /* the multiple of ten below, in quarters */
        bool is_below_inside = lower <= tens, is_above_inside = tens + 40u <= upper;
        if (is_below_inside != is_above_inside) return without_trailing_zeros(s / 10u + (is_above_inside ? 1u : 0u), k + 1);
    }
    bool is_below_inside = lower <= 4u * s, is_above_inside = 4u * s + 4u <= upper;
    if (is_below_inside != is_above_inside) return without_trailing_zeros(s + (is_above_inside ? 1u : 0u), k);
    uint32_t middle = 4u * s + 2u;
    bool is_up = value > middle || (value == middle && (s & 1u) != 0);
    return without_trailing_zeros(s + (is_up ? 1u : 0u), k);
}

/* The shortest decimal of a positive finite binary64, by exact digit generation: value = r / s, half gaps below / s and above / s. */
static decimal shortest_f64(uint64_t bits) {
    uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    uint32_t biased = (uint32_t)(bits >> 52);
    uint64_t c = biased == 0 ? fraction : fraction | 0x10000000000000u;
    int32_t q = (biased == 0 ? 1 : (int32_t)biased) - 1075;
    bool is_lower_nearer = fraction == 0 && biased > 1, is_even = (c & 1u) == 0;
    acp_big_integer r, s, below, above, sum;
    /* 10^(k-1) <= 2^n <= value < 2^(n+1): k is right or one too small for value < 10^k. */
    acp_big_set(&r, c);
    int32_t n = q + (int32_t)acp_big_bit_length(&r) - 1;
    int32_t k = ((n * 1262611) >> 22) + 1;
    acp_big_set(&s, 1);
    acp_big_set(&below, 1);
    acp_big_shift_left(&r, is_lower_nearer ? 2u : 1u);
    acp_big_shift_left(&s, is_lower_nearer ? 2u : 1u);
    if (q >= 0) {
        acp_big_shift_left(&r, (uint32_t)q);
        acp_big_shift_left(&below, (uint32_t)q);
    } else {
        acp_big_shift_left(&s, (uint32_t)-q);
    }
    if (k >= 0) {
        acp_big_multiply_power_of_ten(&s, (uint32_t)k);
    } else {
        acp_big_multiply_power_of_ten(&r, (uint32_t)-k);
        acp_big_multiply_power_of_ten(&below, (uint32_t)-k);
    }
    above = below;
    if (is_lower_nearer) acp_big_shift_left(&above, 1);
    sum = r;
    acp_big_add(&sum, &above);
    int order = acp_big_compare(&sum, &s);
    if (order > 0 || (order == 0 && is_even)) {
        k++;
    } else {
        acp_big_multiply_add(&r, 10, 0);
        acp_big_multiply_add(&below, 10, 0);
        acp_big_multiply_add(&above, 10, 0);
    }
    uint64_t digits = 0;
    for (;;) {
        uint32_t digit = 0;
        while (acp_big_compare(&r, &s) >= 0) {
            acp_big_subtract(&r, &s);
            digit++;
        }
        k--;
        digits = digits * 10u + digit;
        int low = acp_big_compare(&r, &below);
        sum = r;
        acp_big_add(&sum, &above);
        int high = acp_big_compare(&sum, &s);
        bool is_low = low < 0 || (low == 0 && is_even), is_high = high > 0 || (high == 0 && is_even);
        if (is_low || is_high) {
            acp_big_shift_left(&r, 1);
            int half = acp_big_compare(&r, &s);
            if (is_high && (!is_low || half > 0 || (half == 0 && (digit & 1u) != 0))) digits++;
            return without_trailing_zeros(digits, k);
        }
        acp_big_multiply_add(&r, 10, 0);
        acp_big_multiply_add(&below, 10, 0);
        acp_big_multiply_add(&above, 10, 0);
    }
}

/* Sign and the values that have no digits. True when the text is complete. */
static bool put_special(char **out, bool is_negative, bool is_nan, bool is_infinite, bool is_zero) {
    const char *text = is_nan ? "nan" : is_infinite ? "inf" : is_zero ? (is_negative ? "0.0" : "0") : NULL;
    if (is_negative && !is_nan) *(*out)++ = '-';
    if (!text) return false;
    size_t length = strlen(text);
    memcpy(*out, text, length);
    *out += length;
    return true;
}

uint32_t acp_number_format_f32(float value, char *out) {
    char *at = out;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (!put_special(&at, bits != magnitude, magnitude > 0x7F800000u, magnitude == 0x7F800000u, magnitude == 0)) {
        float positive = value < 0.0f ? -value : value;
        if (positive < 16777216.0f && (float)(uint32_t)positive == positive) {
            uint32_t whole = (uint32_t)positive;
            at = put_digits(at, whole, digit_count(whole));
        } else {
            at = put_decimal(at, shortest_f32(magnitude));
        }
    }
    *at = '\0';
    return (uint32_t)(at - out);
}

uint32_t acp_number_format_f64(double value, char *out) {
    char *at = out;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t magnitude = bits & 0x7FFFFFFFFFFFFFFFu;
    if (!put_special(&at, bits != magnitude, magnitude > 0x7FF0000000000000u, magnitude == 0x7FF0000000000000u, magnitude == 0)) {
        double positive = value < 0.0 ? -value : value;
        if (positive < 9007199254740992.0 && (double)(uint64_t)positive == positive) {
            uint64_t whole = (uint64_t)positive;
            at = put_digits(at, whole, digit_count(whole));
        } else {
            at = put_decimal(at, shortest_f64(magnitude));
        }
    }
    *at = '\0';
    return (uint32_t)(at - out);
}

/* ---- reading ---- */

#define DIGITS 800 /* significant digits that are kept exactly */

/* A number as it was read: sign, the first 19 significant digits as an integer, and what is needed to go on exactly. */
typedef struct reading {
    bool is_negative;
    bool is_truncated; /* more than 19 significant digits, and one beyond is not zero */
    uint64_t digits;   /* the first 19 significant digits */
    int32_t exponent;  /* value = digits * 10^exponent, when not truncated */
    uint32_t total;    /* significant digits in the text */
    const char *text;  /* at the first significant digit */
    const char *end;   /* end of the digits */
    size_t used;
} reading;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The exponent part at `at`, if there is one; saturates. */
static const char *read_exponent(const char *at, const char *end, int32_t *out_exponent) {
    const char *start = at;
    if (at == end || (*at != 'e' && *at != 'E')) return start;
    at++;
    bool is_down = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end || !is_digit(*at)) return start;
    int32_t exponent = 0;
    for (; at < end && is_digit(*at); at++)
        if (exponent < 100000) exponent = exponent * 10 + (*at - '0');
    *out_exponent = is_down ? -exponent : exponent;
    return at;
}

static bool read_number(const char *text, size_t length, reading *out) {
    const char *at = text, *end = text + length;
    int64_t point = 0; /* digits behind the point, negative; plus dropped digits before it */
    bool has_digits = false, is_fraction = false;
    memset(out, 0, sizeof *out);
    if (at < end && (*at == '-' || *at == '+')) out->is_negative = *at++ == '-';
    for (; at < end; at++) {
        if (*at == '.' && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (!is_digit(*at)) break;
        has_digits = true;
        if (is_fraction) point--;
        if (out->total == 0 && *at == '0') continue;
        if (out->total == 0) out->text = at;
        if (out->total < UINT32_MAX) out->total++;
        if (out->total <= 19) {
            out->digits = out->digits * 10u + (uint64_t)(*at - '0');
        } else {
            point++;
            if (*at != '0') out->is_truncated = true;
        }
    }
    if (!has_digits) return false;
    out->end = at;
    int32_t exponent = 0;
    at = read_exponent(at, end, &exponent);
    int64_t sum = point + exponent;
    out->exponent = (int32_t)(sum > 200000 ? 200000 : sum < -200000 ? -200000 : sum);
    out->used = (size_t)(at - text);
    return true;
}

/* Exact reading to `precision` bits: the integer m and exponent x with value = m * 2^x rounded to nearest even; x >= lowest. m may be
 * 2^precision after a carry. The decimal magnitude has been checked to lie within binary64's. */
static uint64_t read_exactly(const reading *number, uint32_t precision, int32_t lowest, int32_t *out_exponent) {
    acp_big_integer n, m;
    uint32_t kept = 0;
    int32_t exponent = number->exponent;
    bool is_rest = false;
    acp_big_set(&n, 0);
    if (number->total <= 19) {
        acp_big_set(&n, number->digits);
    } else {
        for (const char *at = number->text; at < number->end; at++) {
            if (!is_digit(*at)) continue;
            if (kept < DIGITS) {
                uint32_t digit = (uint32_t)(*at - '0');
                if (n.count == 0)
                    acp_big_set(&n, digit); /* the first digit is not zero */
                else
                    acp_big_multiply_add(&n, 10, digit);
                kept++;
            } else if (*at != '0') {
                is_rest = true;
            }
        }
        exponent -= (int32_t)kept - 19;
        if (is_rest) { /* anything between this digit and the next decides alike */
            acp_big_multiply_add(&n, 10, 1);
            exponent--;
        }
    }
    acp_big_set(&m, 1);
    if (exponent >= 0)
        acp_big_multiply_power_of_ten(&n, (uint32_t)exponent);
    else
        acp_big_multiply_power_of_ten(&m, (uint32_t)-exponent);
    int32_t x = (int32_t)acp_big_bit_length(&n) - (int32_t)acp_big_bit_length(&m) - (int32_t)precision;
    if (x < lowest) x = lowest;
    if (x >= 0)
        acp_big_shift_left(&m, (uint32_t)x);
    else
        acp_big_shift_left(&n, (uint32_t)-x);
    /* n / m has at most precision + 1 bits. */
    acp_big_shift_left(&m, precision);
    uint64_t quotient = 0;
    for (uint32_t i = 0; i <= precision; i++) {
        bool is_bit = acp_big_compare(&n, &m) >= 0;
        if (is_bit) acp_big_subtract(&n, &m);
        quotient = quotient * 2u + (is_bit ? 1u : 0u);
        acp_big_shift_left(&n, 1);
    }
    int half = acp_big_compare(&n, &m); /* twice the remainder against the divisor */
    if (quotient >> precision) {
        bool is_lost = (quotient & 1u) != 0;
        half = is_lost ? (n.count > 0 ? 1 : 0) : -1;
        quotient >>= 1;
        x++;
    }
    if (half > 0 || (half == 0 && (quotient & 1u) != 0)) quotient++;
    *out_exponent = x;
    return quotient;
}

/* The upper and lower half of a * b. */
static uint64_t multiply_high(uint64_t a, uint64_t b, uint64_t *out_low) {
    uint64_t al = a & 0xFFFFFFFFu, ah = a >> 32, bl = b & 0xFFFFFFFFu, bh = b >> 32;
    uint64_t low = al * bl, cross = ah * bl + (low >> 32), other = al * bh + (cross & 0xFFFFFFFFu);
    *out_low = (other << 32) | (low & 0xFFFFFFFFu);
    return ah * bh + (cross >> 32) + (other >> 32);
}

/* Bits of the binary32 nearest to digits * 10^exponent, when 64 bits of the product decide it. */
static bool read_quickly_f32(uint64_t digits, int32_t exponent, uint32_t *out_bits) {
    int32_t shift = 0;
    while (!(digits >> 56)) {
        digits <<= 8;
        shift += 8;
    }
    while (!(digits >> 63)) {
        digits <<= 1;
        shift++;
    }
    uint64_t low, high = multiply_high(digits, acp_power_of_ten_mantissa[exponent - ACP_POWER_OF_TEN_LOW], &low);
    /* value = (high + fraction) * 2^x, the fraction below 2 when the power is rounded down, exactly low / 2^64 when it is not */
    int32_t x = acp_power_of_ten_binary_exponent(exponent) - shift + 1;
    uint32_t width = (high >> 63) ? 64u : 63u;
    int32_t drop = (int32_t)width - 24;
    if (x + drop < -149) drop = -149 - x; /* below the normal range */
    if (drop > 62) return false;
    uint64_t mantissa = high >> drop, tail = high & (((uint64_t)1 << drop) - 1u), half = (uint64_t)1 << (drop - 1);
    bool is_exact = exponent >= 0 && exponent <= 27;
    if (!is_exact && (tail == half || tail == half - 1u)) return false;
    bool is_above_half = tail > half || (tail == half && low != 0);
    if (is_above_half || (tail == half && (mantissa & 1u) != 0)) mantissa++;
    /* The hidden bit adds one to the field below; a carry out of the mantissa lands where it must. */
    int32_t field = x + drop + 149;
    *out_bits = field >= 254 ? 0x7F800000u : ((uint32_t)field << 23) + (uint32_t)mantissa;
    return true;
}

/* Bits from a rounded m * 2^x of the given format; overflow gives infinity. */
static uint64_t pack_bits(uint64_t m, int32_t x, uint32_t precision, int32_t lowest, uint32_t highest_field) {
    uint64_t hidden = (uint64_t)1 << (precision - 1u);
    if (m == hidden << 1) {
        m >>= 1;
        x++;
    }
    uint64_t field = m < hidden ? 0u : (uint64_t)(x - lowest + 1);
    if (field >= highest_field) return (uint64_t)highest_field << (precision - 1u);
    return (field << (precision - 1u)) | (m & (hidden - 1u));
}

/* Where the first digit stands decides the hopeless ones: -1 rounds to zero, 1 overflows, 0 must be computed. */
static int out_of_reach(const reading *number, int32_t smallest, int32_t largest) {
    if (number->digits == 0) return -1;
    int32_t leading = number->exponent + (int32_t)digit_count(number->digits); /* value < 10^leading */
    if (leading < smallest) return -1;
    return leading > largest ? 1 : 0;
}

bool acp_number_parse_f32(const char *text, size_t length, float *out, size_t *out_used) {
    reading number;
    uint32_t bits = 0;
    if (!read_number(text, length, &number) || (!out_used && number.used != length)) return false;
    int reach = out_of_reach(&number, -45, 39);
    if (reach > 0) bits = 0x7F800000u;
    if (reach == 0) {
        uint32_t next = 0;
        bool is_decided = read_quickly_f32(number.digits, number.exponent, &bits);
        if (is_decided && number.is_truncated) is_decided = read_quickly_f32(number.digits + 1u, number.exponent, &next) && next == bits;
        if (!is_decided) {
            int32_t x;
            uint64_t m = read_exactly(&number, 24, -149, &x);
            bits = (uint32_t)pack_bits(m, x, 24, -149, 255);
        }
    }
    if (number.is_negative) bits |= 0x80000000u;
    memcpy(out, &bits, sizeof bits);
    if (out_used) *out_used = number.used;
    return true;
}

bool acp_number_parse_f64(const char *text, size_t length, double *out, size_t *out_used) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    reading number;
    uint64_t bits = 0;
    if (!read_number(text, length, &number) || (!out_used && number.used != length)) return false;
    int reach = out_of_reach(&number, -323, 309);
    if (reach > 0) bits = 0x7FF0000000000000u;
    if (reach == 0 && !number.is_truncated && number.digits <= (uint64_t)1 << 53 && number.exponent >= -22 && number.exponent <= 22) {
        double value = (double)number.digits; /* exact, as is the power: one rounding */
        value = number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent];
        memcpy(&bits, &value, sizeof bits);
    } else if (reach == 0) {
        int32_t x;
        uint64_t m = read_exactly(&number, 53, -1074, &x);
        bits = pack_bits(m, x, 53, -1074, 2047);
    }
    if (number.is_negative) bits |= (uint64_t)1 << 63;
    memcpy(out, &bits, sizeof bits);
    if (out_used) *out_used = number.used;
    return true;
}
