/* SPDX-License-Identifier: MIT */
/* A small reader of pcap and pcapng (see the header for what it knows). Two layers: frames out of the file, and the UDP datagram out of a
 * frame. A frame that is cut short by the capture's snap length is skipped, one cut short by the end of the file is an error; blocks of
 * unknown type are stepped over by their length. Cost: a few dozen reads a frame. */
#include "support/packet_capture.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/reader.h"

enum {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_RAW_OLD = 12,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_SLL = 113,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_SLL2 = 276
};

#define PCAPNG_SECTION    0x0A0D0D0Au
#define PCAPNG_INTERFACE  1u
#define PCAPNG_SIMPLE     3u
#define PCAPNG_ENHANCED   6u
#define PCAPNG_BYTE_ORDER 0x1A2B3C4Du
#define MAX_FRAME         (1u << 20)

static uint32_t swap32(uint32_t v) { return v >> 24 | (v >> 8 & 0xFF00u) | (v << 8 & 0xFF0000u) | v << 24; }

static uint32_t at32(const acp_capture *capture, size_t offset) {
    const uint8_t *b = capture->bytes + offset;
    uint32_t v = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return capture->is_swapped ? swap32(v) : v;
}

static uint32_t at16(const acp_capture *capture, size_t offset) {
    const uint8_t *b = capture->bytes + offset;
    return capture->is_swapped ? (uint32_t)b[0] << 8 | b[1] : (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t magic_of(const void *bytes, size_t size) {
    acp_reader reader = acp_reader_make(bytes, size);
    return acp_reader_u32(&reader, "magic");
}

bool acp_capture_is_capture(const void *bytes, size_t size) {
    uint32_t magic = size >= 4 ? magic_of(bytes, size) : 0;
    return magic == PCAPNG_SECTION || magic == 0xA1B2C3D4u || magic == 0xD4C3B2A1u || magic == 0xA1B23C4Du || magic == 0x4D3CB2A1u;
}

static acp_result fault(const acp_capture *capture, acp_error *error, acp_result result, size_t offset, const char *field) {
    (void)capture;
    (void)acp_error_set(error, result, "capture", result == ACP_ERROR_TRUNCATED ? "the file ends early" : "the capture is malformed");
    acp_error_set_place(error, 0, offset, field);
    return result;
}

/* A capture of a link whose frames cannot be taken apart would look like one without datagrams. */
static acp_result check_link(uint32_t link_type, size_t offset, acp_error *error) {
    switch (link_type) {
    case LINK_NULL:
    case LINK_ETHERNET:
    case LINK_RAW_OLD:
    case LINK_RAW:
    case LINK_LOOP:
    case LINK_SLL:
    case LINK_IPV4:
    case LINK_IPV6:
    case LINK_SLL2:
        return ACP_OK;
    default:
        (void)acp_error_set(error, ACP_ERROR_UNSUPPORTED, "capture", "frames of link type %lu cannot be read", (unsigned long)link_type);
        acp_error_set_place(error, 0, offset, "link type");
        return ACP_ERROR_UNSUPPORTED;
    }
}

acp_result acp_capture_open(acp_capture *capture, const void *bytes, size_t size, acp_error *error) {
    memset(capture, 0, sizeof *capture);
    capture->bytes = (const uint8_t *)bytes;
    capture->size = size;
    if (!acp_capture_is_capture(bytes, size)) return fault(capture, error, ACP_ERROR_BAD_DATA, 0, "magic");
    uint32_t magic = magic_of(bytes, size);
    if (magic == PCAPNG_SECTION) {
        capture->is_pcapng = true;
        return ACP_OK;
    }
    if (size < 24) return fault(capture, error, ACP_ERROR_TRUNCATED, size, "header");
    capture->is_swapped = magic == 0xD4C3B2A1u || magic == 0x4D3CB2A1u;
    capture->ticks_per_second = magic == 0xA1B23C4Du || magic == 0x4D3CB2A1u ? 1000000000u : 1000000u;
    capture->link_type = at32(capture, 20) & 0x0FFFFFFFu;
    capture->offset = 24;
    return check_link(capture->link_type, 20, error);
}

/* ---- from a frame to a datagram ---- */

static uint32_t big16(const uint8_t *at) { return (uint32_t)at[0] << 8 | at[1]; }

static bool take_udp(const uint8_t *ip, size_t size, acp_capture_datagram *out) {
    size_t header;
    if (size < 20) return false;
    if (ip[0] >> 4 == 4) {
        header = (size_t)(ip[0] & 15u) * 4;
        if (header < 20 || ip[9] != 17 || (big16(ip + 6) & 0x3FFFu) != 0) return false;
        memcpy(out->source.bytes, ip + 12, 4);
        memcpy(out->destination.bytes, ip + 16, 4);
    } else {
        header = 40;
        if (ip[0] >> 4 != 6 || size < 40 || ip[6] != 17) return false;
        out->source.is_ipv6 = out->destination.is_ipv6 = true;
        memcpy(out->source.bytes, ip + 8, 16);
        memcpy(out->destination.bytes, ip + 24, 16);
    }
    if (size < header + 8) return false;
    const uint8_t *udp = ip + header;
    size_t length = big16(udp + 4);
    if (length < 8 || length > size - header) return false;
    out->source.port = (uint16_t)big16(udp);
    out->destination.port = (uint16_t)big16(udp + 2);
    out->bytes = udp + 8;
    out->size = length - 8;
    return true;
}

static bool take_frame(uint32_t link_type, const uint8_t *frame, size_t size, acp_capture_datagram *out) {
    size_t skip = 0;
    switch (link_type) {
    case LINK_ETHERNET: {
        skip = 14;
        if (size < skip) return false;
        uint32_t type = big16(frame + 12);
        while (type == 0x8100u || type == 0x88A8u) {
            if (size < skip + 4) return false;
            type = big16(frame + skip + 2);
            skip += 4;
        }
        if (type != 0x0800u && type != 0x86DDu) return false;
        break;
    }
    case LINK_NULL:
    case LINK_LOOP:
        skip = 4;
        break;
    case LINK_SLL:
        skip = 16;
        break;
    case LINK_SLL2:
        skip = 20;
        break;
    case LINK_RAW_OLD:
    case LINK_RAW:
    case LINK_IPV4:
    case LINK_IPV6:
        break;
    default:
        return false;
    }
    return size > skip && take_udp(frame + skip, size - skip, out);
}

/* ---- frames of the file ---- */

typedef struct file_frame {
    const uint8_t *bytes;
    size_t size;
    double time;
    uint32_t link_type;
} file_frame;

static acp_result next_pcap(acp_capture *capture, file_frame *out, acp_error *error) {
    size_t at = capture->offset;
    if (capture->size - at < 16) return fault(capture, error, ACP_ERROR_TRUNCATED, at, "frame header");
    uint32_t size = at32(capture, at + 8);
    if (size > MAX_FRAME) return fault(capture, error, ACP_ERROR_BAD_DATA, at + 8, "frame.size");
    if (size > capture->size - at - 16) return fault(capture, error, ACP_ERROR_TRUNCATED, at + 8, "frame.size");
    out->time = (double)at32(capture, at) + (double)at32(capture, at + 4) / (double)capture->ticks_per_second;
    out->link_type = capture->link_type;
    out->bytes = capture->bytes + at + 16;
    out->size = size;
    capture->offset = at + 16 + size;
    return ACP_OK;
}

/* if_tsresol (option 9): a power of ten, or of two with the high bit. */
static uint64_t resolution(const acp_capture *capture, size_t from, size_t end) {
    while (end - from >= 4) {
        uint32_t code = at16(capture, from), length = at16(capture, from + 2);
        if (code == 0 || length > end - from - 4) break;
        if (code == 9 && length == 1) {
            uint8_t value = capture->bytes[from + 4];
            uint64_t ticks = 1, base = value & 0x80u ? 2 : 10;
            for (uint32_t i = 0; i < (value & 0x7Fu) && ticks <= UINT64_MAX / base; i++)
                ticks *= base;
            return ticks;
        }
        from += 4 + (((size_t)length + 3) & ~(size_t)3);
        if (from > end) break;
    }
    return 1000000u;
}

static acp_result take_section(acp_capture *capture, size_t at, acp_error *error) {
    if (capture->size - at < 28) return fault(capture, error, ACP_ERROR_TRUNCATED, at, "section");
    capture->is_swapped = false;
    if (at32(capture, at + 8) != PCAPNG_BYTE_ORDER) capture->is_swapped = true;
    if (at32(capture, at + 8) != PCAPNG_BYTE_ORDER) return fault(capture, error, ACP_ERROR_BAD_DATA, at + 8, "section.byte_order");
    capture->interface_count = 0;
    return ACP_OK;
}

/* Steps over one pcapng block; out->bytes is null when it holds no frame. */
static acp_result next_block(acp_capture *capture, file_frame *out, acp_error *error) {
    size_t at = capture->offset;
    out->bytes = NULL;
    if (capture->size - at < 12) return fault(capture, error, ACP_ERROR_TRUNCATED, at, "block");
    if (magic_of(capture->bytes + at, 4) == PCAPNG_SECTION) {
        acp_result result = take_section(capture, at, error);
        if (result != ACP_OK) return result;
    }
    uint32_t type = at32(capture, at), length = at32(capture, at + 4);
    if (length < 12 || (length & 3u) != 0) return fault(capture, error, ACP_ERROR_BAD_DATA, at + 4, "block.length");
    if (length > capture->size - at) return fault(capture, error, ACP_ERROR_TRUNCATED, at + 4, "block.length");
    size_t end = at + length - 4;
    capture->offset = at + length;
    if (type == PCAPNG_INTERFACE && length >= 20) {
        if (capture->interface_count == sizeof capture->interfaces / sizeof capture->interfaces[0])
            return fault(capture, error, ACP_ERROR_LIMIT, at, "interfaces");
        capture->interfaces[capture->interface_count].link_type = at16(capture, at + 8);
        capture->interfaces[capture->interface_count++].ticks_per_second = resolution(capture, at + 16, end);
    }
    if (type == PCAPNG_ENHANCED && length >= 32) {
        uint32_t interface = at32(capture, at + 8), size = at32(capture, at + 20);
        if (interface >= capture->interface_count) return fault(capture, error, ACP_ERROR_BAD_DATA, at + 8, "block.interface");
        if (check_link(capture->interfaces[interface].link_type, at, error)) return ACP_ERROR_UNSUPPORTED;
        if (size > end - at - 28) return fault(capture, error, ACP_ERROR_BAD_DATA, at + 20, "block.captured");
        uint64_t ticks = (uint64_t)at32(capture, at + 12) << 32 | at32(capture, at + 16);
        uint64_t rate = capture->interfaces[interface].ticks_per_second;
        out->time = (double)(ticks / rate) + (double)(ticks % rate) / (double)rate;
        out->link_type = capture->interfaces[interface].link_type;
        out->bytes = capture->bytes + at + 28;
        out->size = size;
    }
    if (type == PCAPNG_SIMPLE && length >= 16) {
        uint32_t size = at32(capture, at + 8);
        if (capture->interface_count == 0) return fault(capture, error, ACP_ERROR_BAD_DATA, at, "block.interface");
        if (check_link(capture->interfaces[0].link_type, at, error)) return ACP_ERROR_UNSUPPORTED;
        out->time = 0.0;
        out->link_type = capture->interfaces[0].link_type;
        out->bytes = capture->bytes + at + 12;
        out->size = size < end - at - 12 ? size : end - at - 12;
    }
    return ACP_OK;
}

acp_result acp_capture_next(acp_capture *capture, acp_capture_datagram *out_datagram, bool *out_is_end, acp_error *error) {
    *out_is_end = false;
    while (capture->offset < capture->size) {
        file_frame frame = {0};
        size_t offset = capture->offset;
        acp_result result = capture->is_pcapng ? next_block(capture, &frame, error) : next_pcap(capture, &frame, error);
        if (result != ACP_OK) return result;
        if (!frame.bytes) continue;
        capture->frame_number++;
        memset(out_datagram, 0, sizeof *out_datagram);
        out_datagram->time = frame.time;
        out_datagram->frame_number = capture->frame_number;
        out_datagram->file_offset = offset;
        if (take_frame(frame.link_type, frame.bytes, frame.size, out_datagram)) return ACP_OK;
        capture->skipped++;
    }
    *out_is_end = true;
    return ACP_OK;
}

void acp_capture_address_text(const acp_capture_address *address, char *out, size_t capacity) {
    const uint8_t *b = address->bytes;
    if (!address->is_ipv6) {
        (void)snprintf(out, capacity, "%u.%u.%u.%u:%u", b[0], b[1], b[2], b[3], address->port);
        return;
    }
    (void)snprintf(out, capacity, "[%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x]:%u", b[0], b[1], b[2], b[3],
                   b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15], address->port);
}
