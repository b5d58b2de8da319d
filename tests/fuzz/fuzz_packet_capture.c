/* SPDX-License-Identifier: MIT */
/* Any bytes as a capture file: every datagram lies inside the input, and the reader comes to an end. */
#include <stdint.h>
#include <stdlib.h>

#include "support/packet_capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    acp_capture capture;
    acp_capture_datagram datagram;
    bool is_end = false;
    if (size == 0 || acp_capture_open(&capture, data, size, NULL) != ACP_OK) return 0;
    while (acp_capture_next(&capture, &datagram, &is_end, NULL) == ACP_OK && !is_end) {
        char text[64];
        if (datagram.bytes < data || datagram.bytes + datagram.size > data + size) abort();
        acp_capture_address_text(&datagram.source, text, sizeof text);
    }
    return 0;
}
