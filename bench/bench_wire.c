/* SPDX-License-Identifier: MIT */
/* ns per decode of a position update (0xF748 with heading, the usual one), of a motion update and of a create message; and of the checksum
 * and assembly of one datagram. Median of nine runs of 200,000; one JSON line. Fixed inputs: the published vectors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/wire.h"
#include "acphys/wire_link.h"
#include "bench/measure.h"

#define ROUNDS 200000u

static size_t from_hex(const char *hex, uint8_t *out) {
    size_t size = 0;
    for (unsigned value; sscanf(hex + 2 * size, "%2x", &value) == 1; size++)
        out[size] = (uint8_t)value;
    return size;
}

static void measure(const char *name, const char *hex, int is_datagram) {
    static acp_wire_message message;
    static acp_wire_create_lists lists;
    uint8_t bytes[1024];
    size_t size = from_hex(hex, bytes);
    double runs[9];
    uint64_t sum = 0;
    message.create.lists = &lists;
    for (uint32_t run = 0; run < 10; run++) {
        double start = bench_seconds();
        for (uint32_t i = 0; i < ROUNDS; i++) {
            acp_wire_packet packet;
            acp_result result =
                is_datagram ? acp_wire_packet_decode(bytes, size, &packet, NULL) : acp_wire_message_decode(bytes, size, &message, NULL);
            if (result != ACP_OK) exit(1);
            sum += is_datagram ? acp_wire_packet_key(&packet) : message.object_id + message.pack.flags;
            bytes[size - 1] ^= (uint8_t)(i & 1u && !is_datagram && hex[0] == '4' && hex[1] == '8'); /* the work cannot be hoisted */
        }
        if (run > 0) runs[run - 1] = (bench_seconds() - start) * 1e9 / ROUNDS;
    }
    double median = bench_median(runs, 9);
    (void)printf("{\"bench\": \"%s\", \"ns_per_op\": %.1f, \"min\": %.1f, \"max\": %.1f, \"allocations_per_op\": 0, \"sum\": %llu}\n", name,
                 median, runs[0], runs[8], (unsigned long long)sum);
}

int main(void) {
    measure("wire_decode_update_position", "48f7000001000080340000001900b4a90000a9420000e8408f02bc42f304353ff304353f0100080000000000", 0);
    measure("wire_decode_update_motion", "4cf7000001000080010006000500010000013d00870000003d00070000002040870003800000803f02000080", 0);
    measure("wire_decode_create_object",
            "45f7000001000080110000010001000083830100080400000c00000000003d00010000003d000000000000001900b4a90000a9420000e8408f02bc42"
            "0000803f00000000000000000000000001000009010000020000803f3333733fcdcc4c3d070005000200030000000500000000000100000000000000",
            0);
    measure("wire_decode_datagram", "02000000060000005a4b8139050000001400010001000000000000230100140000000400c8f70000", 1);
    return 0;
}
