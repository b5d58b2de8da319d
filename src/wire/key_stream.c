/* SPDX-License-Identifier: MIT */
/* The checksum's hash (spec 10 NET-04) and the key stream that masks it (NET-07, NET-08): the published ISAAC generator, 32-bit, 256
 * words, seeded in the protocol's own way (a = b = c = seed over a constant table).
 *
 * Words are drawn from the last of each run to the first. One word masks the checksum of one new encrypted packet of its direction.
 *
 * Contract: plain data, may be copied to look ahead; one stream per direction. Not a cipher for anything: payloads are clear.
 * Cost: a few nanoseconds a word; a run of 256 steps every 256 words; seeding about 2 microseconds. */
#include "acphys/wire_link.h"

uint32_t acp_wire_hash32(const void *bytes, size_t size) {
    const uint8_t *at = (const uint8_t *)bytes;
    uint32_t hash = (uint32_t)size << 16;
    size_t whole = size & ~(size_t)3;
    for (size_t i = 0; i < whole; i += 4)
        hash += (uint32_t)at[i] | (uint32_t)at[i + 1] << 8 | (uint32_t)at[i + 2] << 16 | (uint32_t)at[i + 3] << 24;
    uint32_t shift = 24;
    for (size_t i = whole; i < size; i++, shift -= 8)
        hash += (uint32_t)at[i] << shift;
    return hash;
}

static void mix(uint32_t x[8]) {
    static const uint8_t shifts[8] = {11, 2, 8, 16, 10, 4, 8, 9};
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t other = x[(i + 1) & 7u];
        x[i] ^= i & 1u ? other >> shifts[i] : other << shifts[i];
        x[(i + 3) & 7u] += x[i];
        x[(i + 1) & 7u] += x[(i + 2) & 7u];
    }
}

static void run(acp_wire_key_stream *stream) {
    uint32_t *m = stream->state;
    uint32_t a = stream->a, b = stream->b + ++stream->c;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t t = m[i];
        switch (i & 3u) {
        case 0:
            a ^= a << 13;
            break;
        case 1:
            a ^= a >> 6;
            break;
        case 2:
            a ^= a << 2;
            break;
        default:
            a ^= a >> 16;
            break;
        }
        a += m[(i + 128) & 255u];
        uint32_t y = m[i] = m[(t >> 2) & 255u] + a + b;
        stream->output[i] = b = m[(y >> 10) & 255u] + t;
    }
    stream->a = a;
    stream->b = b;
    stream->remaining = 256;
}

void acp_wire_key_stream_init(acp_wire_key_stream *stream, uint32_t seed) {
    uint32_t x[8];
    for (uint32_t i = 0; i < 8; i++)
        x[i] = 0x9E3779B9u;
    for (uint32_t i = 0; i < 4; i++)
        mix(x);
    for (uint32_t i = 0; i < 256; i++)
        stream->state[i] = 0;
    for (uint32_t pass = 0; pass < 2; pass++) { /* pass 1 adds the all-zero state */
        for (uint32_t i = 0; i < 256; i += 8) {
            for (uint32_t k = 0; k < 8; k++)
                x[k] += stream->state[i + k];
            mix(x);
            for (uint32_t k = 0; k < 8; k++)
                stream->state[i + k] = x[k];
        }
    }
    stream->a = stream->b = stream->c = seed;
    run(stream);
}

uint32_t acp_wire_key_stream_next(acp_wire_key_stream *stream) {
    if (stream->remaining == 0) run(stream);
    return stream->output[--stream->remaining];
}
