/* SPDX-License-Identifier: MIT */
/* Any bytes as a message, a datagram, a position and a movement block: no crash, and what decodes encodes and decodes again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "acphys/wire.h"
#include "acphys/wire_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static acp_wire_message message, again;
    static acp_wire_create_lists lists, lists_again;
    static uint8_t first[1 << 20], second[1 << 20];
    size_t first_size = 0, second_size = 0;
    static const uint8_t none[1];
    if (!data) data = none;
    message.create.lists = &lists;
    again.create.lists = &lists_again;
    if (size <= sizeof first / 2 && acp_wire_message_decode(data, size, &message, NULL) == ACP_OK) {
        if (acp_wire_message_encode(&message, first, sizeof first, &first_size, NULL) != ACP_OK) abort();
        if (acp_wire_message_decode(first, first_size, &again, NULL) != ACP_OK) abort();
        if (acp_wire_message_encode(&again, second, sizeof second, &second_size, NULL) != ACP_OK) abort();
        if (first_size != second_size || memcmp(first, second, first_size) != 0) abort();
    }
    acp_wire_packet packet;
    if (acp_wire_packet_decode(data, size, &packet, NULL) == ACP_OK) {
        uint32_t cursor = 0, count = 0;
        acp_wire_fragment fragment;
        while (acp_wire_packet_next_fragment(&packet, &cursor, &fragment))
            count++;
        if (count != packet.fragment_count) abort();
        for (uint32_t i = 0; packet.flags & ACP_WIRE_FLAG_REQUEST_RETRANSMIT && i < packet.request.count; i++)
            (void)acp_wire_sequence_at(&packet.request, i);
    }
    return 0;
}
