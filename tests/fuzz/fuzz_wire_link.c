/* SPDX-License-Identifier: MIT */
/* The assembly and the link as state machines: the input is a script of fragments (cap of 20,000 bytes: never exceeded) and of datagrams,
 * good ones of a peer with bytes changed. No crash, bounded memory, no message twice. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/wire_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_message(void *user, const acp_wire_blob *blob) { *(uint64_t *)user += blob->size; }

static void run_assembly(const uint8_t *data, size_t size) {
    static const uint8_t storage[448];
    acp_wire_assembly_options options = acp_wire_assembly_options_default();
    acp_wire_assembly *assembly;
    options.max_blobs = 8;
    options.max_bytes = 20000;
    if (acp_wire_assembly_create(&options, NULL, &assembly, NULL) != ACP_OK) return;
    for (size_t at = 0; at + 6 <= size; at += 6) {
        acp_wire_blob blob;
        acp_wire_fragment fragment = {.blob_id = data[at] & 15u,
                                      .count = data[at + 1],
                                      .index = data[at + 2],
                                      .queue = data[at + 3] & 1u,
                                      .size = data[at + 4] & 1u ? 448 : data[at + 4],
                                      .data = storage};
        (void)!acp_wire_assembly_add(assembly, &fragment, (double)at + data[at + 5], &blob, NULL);
        if (acp_wire_assembly_bytes(assembly) > options.max_bytes || acp_wire_assembly_pending(assembly) > 8) abort();
    }
    acp_wire_assembly_destroy(assembly);
}

static acp_wire_link *new_link(uint32_t is_server, uint64_t *sum) {
    acp_wire_link_options options = acp_wire_link_options_default();
    acp_wire_link_events events = {.user = sum, .on_message = on_message};
    acp_wire_link *link;
    options.is_server = is_server;
    options.resend_capacity = 16;
    return acp_wire_link_create(&options, &events, NULL, &link, NULL) == ACP_OK ? link : NULL;
}

static void run_link(const uint8_t *data, size_t size) {
    static const uint8_t message[1200];
    uint64_t sums[2] = {0, 0};
    acp_wire_link *links[2] = {new_link(0, &sums[0]), new_link(1, &sums[1])};
    double now = 0.0;
    for (size_t at = 0; at + 4 <= size && at < 2000 && links[0] && links[1]; at += 4) {
        uint32_t from = data[at] & 1u;
        uint8_t bytes[ACP_WIRE_MAX_DATAGRAM];
        size_t out_size = 0;
        now += 0.01 * data[at + 1];
        if (data[at] & 2u) (void)!acp_wire_link_send(links[from], 3, message, data[at + 2] * 4u, NULL);
        if (acp_wire_link_poll(links[from], now, bytes, sizeof bytes, &out_size, NULL) != ACP_OK) abort();
        if (out_size == 0 || data[at] & 4u) continue; /* lost */
        if (data[at] & 8u) bytes[data[at + 2] % out_size] ^= data[at + 3];
        (void)!acp_wire_link_receive(links[1 - from], bytes, out_size, now, NULL);
        if (data[at] & 16u && acp_wire_link_receive(links[1 - from], bytes, out_size, now, NULL) == ACP_OK && (bytes[4] & 2u)) abort();
    }
    if (links[0]) (void)!acp_wire_link_receive(links[0], data, size, now, NULL);
    acp_wire_link_destroy(links[0]);
    acp_wire_link_destroy(links[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    run_assembly(data, size);
    run_link(data, size);
    return 0;
}
