/* SPDX-License-Identifier: MIT */
#ifndef ACP_SUPPORT_PACKET_CAPTURE_H
#define ACP_SUPPORT_PACKET_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acphys/result.h"

/* UDP datagrams of a capture file in memory: pcap (microseconds or nanoseconds, either byte order) and pcapng. Link types: Ethernet (with
 * VLAN tags), raw IP, BSD loopback, Linux cooked (both). IPv4 without fragments, IPv6 without extension headers; all else is counted and
 * skipped. Nothing is copied; every read is bounded. */

typedef struct acp_capture_address {
    uint8_t bytes[16]; /* IPv4: the first four */
    bool is_ipv6;
    uint16_t port;
} acp_capture_address;

typedef struct acp_capture_datagram {
    double time; /* seconds since 1970 */
    acp_capture_address source;
    acp_capture_address destination;
    const uint8_t *bytes;
    size_t size;
    uint64_t frame_number; /* from 1 */
    uint64_t file_offset;
} acp_capture_datagram;

typedef struct acp_capture {
    const uint8_t *bytes;
    size_t size;
    size_t offset;
    bool is_pcapng;
    bool is_swapped;
    uint64_t ticks_per_second; /* pcap */
    uint32_t link_type;
    struct {
        uint32_t link_type;
        uint64_t ticks_per_second;
    } interfaces[64]; /* pcapng */
    uint32_t interface_count;
    uint64_t frame_number;
    uint64_t skipped; /* frames without a UDP datagram of ours */
} acp_capture;

/* Is this the beginning of a capture file? */
bool acp_capture_is_capture(const void *bytes, size_t size);
acp_result acp_capture_open(acp_capture *capture, const void *bytes, size_t size, acp_error *error);
/* The next datagram; *out_is_end at the end of the file. A frame that the file cuts short is an error, with its offset. */
acp_result acp_capture_next(acp_capture *capture, acp_capture_datagram *out_datagram, bool *out_is_end, acp_error *error);
/* "192.0.2.1:9000" or "[2001:db8::1]:9000" without shortening of zeros; at least 56 bytes. */
void acp_capture_address_text(const acp_capture_address *address, char *out, size_t capacity);

#endif
