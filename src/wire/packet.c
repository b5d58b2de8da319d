/* SPDX-License-Identifier: MIT */
/* One datagram (spec 10 §1-3, §5 NET-11): header, optional headers in ascending bit order, fragments, and the two hashes of the checksum.
 *
 * Decoding walks the optional headers once, checks every size of NET-53 and leaves pointers into the caller's buffer; encoding walks them
 * in the same order. The optional headers are hashed as one run, each fragment as header and data (NET-05). Flags without a meaning are
 * refused: their contribution to the body is unknown.
 *
 * Contract: pure functions, no allocation; the checksum itself is judged by who knows the key. Limits: 65,484 bytes in, 484 out, lists of
 * 115. Cost: a hash over the bytes. */
#include <string.h>

#include "acphys/wire_link.h"
#include "base/error.h"
#include "base/reader.h"
#include "wire/pieces.h"

#define CHECKSUM_SUBSTITUTE 0xBADD70DDu
#define KNOWN_FLAGS         0x0F7FFF07u

static void put_u32(uint8_t *at, uint32_t value) {
    for (uint32_t i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t hash_header(const uint8_t *header) {
    uint8_t copy[ACP_WIRE_HEADER_SIZE];
    memcpy(copy, header, sizeof copy);
    put_u32(copy + 8, CHECKSUM_SUBSTITUTE);
    return acp_wire_hash32(copy, sizeof copy);
}

uint32_t acp_wire_packet_key(const acp_wire_packet *packet) { return (packet->checksum - packet->header_hash) ^ packet->payload_hash; }

uint32_t acp_wire_sequence_at(const acp_wire_sequence_list *list, uint32_t index) {
    if (index >= list->count) return 0;
    const uint8_t *at = list->bytes + 4 * (size_t)index;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double read_double(acp_reader *reader, const char *field) {
    double value = acp_reader_f64(reader, field);
    if (!(value - value == 0.0)) (void)acp_reader_fail_at(reader, reader->offset - 8, ACP_ERROR_NOT_FINITE, field);
    return value;
}

static void read_pair(acp_reader *reader, uint32_t pair[2], const char *field) {
    pair[0] = acp_reader_u32(reader, field);
    pair[1] = acp_reader_u32(reader, field);
}

static void read_list(acp_reader *reader, acp_wire_sequence_list *list, const char *field) {
    list->count = acp_reader_u32(reader, field);
    if (acp_reader_is_ok(reader) && list->count > ACP_WIRE_MAX_SEQUENCE_LIST)
        (void)acp_reader_fail_at(reader, reader->offset - 4, ACP_ERROR_LIMIT, field);
    list->bytes = acp_reader_bytes(reader, 4 * (size_t)list->count, field);
}

static void read_connect_request(acp_reader *reader, acp_wire_connect_request *connect) {
    connect->server_time = read_double(reader, "connect.server_time");
    connect->cookie = acp_reader_u64(reader, "connect.cookie");
    connect->net_id = acp_reader_u32(reader, "connect.net_id");
    connect->server_seed = acp_reader_u32(reader, "connect.server_seed");
    connect->client_seed = acp_reader_u32(reader, "connect.client_seed");
    connect->reserved = acp_reader_u32(reader, "connect.pad");
}

/* NET-03: ascending bit order, no padding. */
static void read_optional_headers(acp_reader *reader, acp_wire_packet *packet) {
    uint32_t flags = packet->flags;
    if (flags & ACP_WIRE_FLAG_SERVER_SWITCH) read_pair(reader, packet->server_switch, "server_switch");
    if (flags & ACP_WIRE_FLAG_LOGON_SERVER) packet->logon_server = acp_reader_bytes(reader, 16, "logon_server");
    if (flags & ACP_WIRE_FLAG_REFERRAL) packet->referral = acp_reader_bytes(reader, 32, "referral");
    if (flags & ACP_WIRE_FLAG_REQUEST_RETRANSMIT) read_list(reader, &packet->request, "request_retransmit");
    if (flags & ACP_WIRE_FLAG_REJECT_RETRANSMIT) read_list(reader, &packet->reject, "reject_retransmit");
    if (flags & ACP_WIRE_FLAG_ACKNOWLEDGE) packet->acknowledged = acp_reader_u32(reader, "acknowledge");
    if (flags & ACP_WIRE_FLAG_LOGIN_REQUEST) {
        packet->login_size = (uint32_t)acp_reader_remaining(reader);
        packet->login = acp_reader_bytes(reader, packet->login_size, "login_request");
    }
    if (flags & ACP_WIRE_FLAG_WORLD_LOGIN_REQUEST) packet->world_login = acp_reader_bytes(reader, 8, "world_login_request");
    if (flags & ACP_WIRE_FLAG_CONNECT_REQUEST) read_connect_request(reader, &packet->connect);
    if (flags & ACP_WIRE_FLAG_CONNECT_RESPONSE) packet->cookie = acp_reader_u64(reader, "connect_response");
    if (flags & ACP_WIRE_FLAG_NET_ERROR) read_pair(reader, packet->net_error, "net_error");
    if (flags & ACP_WIRE_FLAG_NET_ERROR_DISCONNECT) read_pair(reader, packet->net_error_disconnect, "net_error_disconnect");
    if (flags & ACP_WIRE_FLAG_ICMD) read_pair(reader, packet->icmd, "icmd");
    if (flags & ACP_WIRE_FLAG_TIME_SYNC) packet->time = read_double(reader, "time_sync");
    if (flags & ACP_WIRE_FLAG_ECHO_REQUEST) packet->echo_time = acp_wire_read_float(reader, "echo_request");
    if (flags & ACP_WIRE_FLAG_ECHO_RESPONSE) {
        packet->echo_response[0] = acp_wire_read_float(reader, "echo_response");
        packet->echo_response[1] = acp_reader_f32(reader, "echo_response"); /* to be ignored: any bits */
    }
    if (flags & ACP_WIRE_FLAG_FLOW) {
        packet->flow_bytes = acp_reader_u32(reader, "flow");
        packet->flow_interval = acp_reader_u16(reader, "flow");
    }
}

static void read_fragment(acp_reader *reader, acp_wire_fragment *out) {
    size_t offset = reader->offset;
    out->blob_id = acp_reader_u64(reader, "fragment.blob_id");
    out->count = acp_reader_u16(reader, "fragment.count");
    uint16_t size = acp_reader_u16(reader, "fragment.size");
    out->index = acp_reader_u16(reader, "fragment.index");
    out->queue = acp_reader_u16(reader, "fragment.queue");
    if (!acp_reader_is_ok(reader)) return;
    if (size < ACP_WIRE_FRAGMENT_HEADER_SIZE || size > ACP_WIRE_MAX_BODY)
        (void)acp_reader_fail_at(reader, offset + 10, ACP_ERROR_BAD_DATA, "fragment.size");
    if (out->count == 0) (void)acp_reader_fail_at(reader, offset + 8, ACP_ERROR_BAD_DATA, "fragment.count");
    if (out->index >= out->count) (void)acp_reader_fail_at(reader, offset + 12, ACP_ERROR_BAD_DATA, "fragment.index");
    if (!acp_reader_is_ok(reader)) return;
    out->size = (uint16_t)(size - ACP_WIRE_FRAGMENT_HEADER_SIZE);
    if (out->index + 1 < out->count && out->size != ACP_WIRE_MAX_FRAGMENT_DATA)
        (void)acp_reader_fail_at(reader, offset + 10, ACP_ERROR_BAD_DATA, "fragment.size");
    out->data = acp_reader_bytes(reader, out->size, "fragment.data");
}

static uint32_t hash_fragment(const acp_wire_fragment *fragment) {
    return acp_wire_hash32(fragment->data - ACP_WIRE_FRAGMENT_HEADER_SIZE, ACP_WIRE_FRAGMENT_HEADER_SIZE) +
           acp_wire_hash32(fragment->data, fragment->size);
}

int acp_wire_packet_next_fragment(const acp_wire_packet *packet, uint32_t *cursor, acp_wire_fragment *out_fragment) {
    if (*cursor >= packet->fragments_size) return 0;
    acp_reader reader = acp_reader_make(packet->fragments, packet->fragments_size);
    reader.offset = *cursor;
    read_fragment(&reader, out_fragment);
    *cursor = (uint32_t)reader.offset;
    return acp_reader_is_ok(&reader);
}

static void read_fragments(acp_reader *reader, acp_wire_packet *packet) {
    packet->fragments = reader->bytes + reader->offset;
    packet->fragments_size = (uint32_t)acp_reader_remaining(reader);
    if (acp_reader_is_ok(reader) && packet->fragments_size == 0) (void)acp_reader_fail(reader, ACP_ERROR_TRUNCATED, "fragment");
    while (acp_reader_is_ok(reader) && !acp_reader_is_at_end(reader)) {
        acp_wire_fragment fragment;
        read_fragment(reader, &fragment);
        if (!acp_reader_is_ok(reader)) return;
        packet->fragment_count++;
        packet->payload_hash += hash_fragment(&fragment);
    }
}

acp_result acp_wire_packet_decode(const void *bytes, size_t size, acp_wire_packet *out_packet, acp_error *error) {
    static const char operation[] = "wire packet decode";
    if (!bytes || !out_packet) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    if (size > ACP_WIRE_MAX_RECEIVED) return acp_error_set(error, ACP_ERROR_LIMIT, operation, "a datagram of %zu bytes", size);
    memset(out_packet, 0, sizeof *out_packet);
    acp_reader reader = acp_reader_make(bytes, size);
    out_packet->sequence = acp_reader_u32(&reader, "header.sequence");
    out_packet->flags = acp_reader_u32(&reader, "header.flags");
    out_packet->checksum = acp_reader_u32(&reader, "header.checksum");
    out_packet->recipient = acp_reader_u16(&reader, "header.recipient");
    out_packet->interval = acp_reader_u16(&reader, "header.interval");
    out_packet->size = acp_reader_u16(&reader, "header.size");
    out_packet->iteration = acp_reader_u16(&reader, "header.iteration");
    if (!acp_reader_is_ok(&reader)) return acp_reader_error(&reader, error, operation, 0);
    if (out_packet->flags & ~KNOWN_FLAGS) (void)acp_reader_fail_at(&reader, 4, ACP_ERROR_BAD_DATA, "header.flags");
    if (out_packet->size > size - ACP_WIRE_HEADER_SIZE) (void)acp_reader_fail_at(&reader, 16, ACP_ERROR_TRUNCATED, "header.size");
    if (!acp_reader_is_ok(&reader)) return acp_reader_error(&reader, error, operation, 0);
    reader.size = ACP_WIRE_HEADER_SIZE + (size_t)out_packet->size;
    out_packet->header_hash = hash_header((const uint8_t *)bytes);
    read_optional_headers(&reader, out_packet);
    if (!acp_reader_is_ok(&reader)) return acp_reader_error(&reader, error, operation, 0);
    size_t optional = reader.offset - ACP_WIRE_HEADER_SIZE;
    out_packet->payload_hash = optional ? acp_wire_hash32((const uint8_t *)bytes + ACP_WIRE_HEADER_SIZE, optional) : 0;
    if (out_packet->flags & ACP_WIRE_FLAG_FRAGMENTS) read_fragments(&reader, out_packet);
    return acp_wire_reader_finish(&reader, error, operation);
}

static void write_pair(acp_writer *writer, const uint32_t pair[2]) {
    acp_writer_u32(writer, pair[0]);
    acp_writer_u32(writer, pair[1]);
}

static void write_list(acp_wire_output *output, const acp_wire_sequence_list *list, const char *field) {
    if (list->count > ACP_WIRE_MAX_SEQUENCE_LIST) {
        acp_wire_refuse(output, ACP_ERROR_LIMIT, field);
        return;
    }
    acp_writer_u32(&output->writer, list->count);
    acp_writer_bytes(&output->writer, list->bytes, 4 * (size_t)list->count);
}

static void write_span(acp_wire_output *output, const uint8_t *bytes, size_t size, const char *field) {
    if (!bytes)
        acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, field);
    else
        acp_writer_bytes(&output->writer, bytes, size);
}

static void write_optional_headers(acp_wire_output *output, const acp_wire_packet *packet) {
    acp_writer *writer = &output->writer;
    uint32_t flags = packet->flags;
    if (flags & ACP_WIRE_FLAG_SERVER_SWITCH) write_pair(writer, packet->server_switch);
    if (flags & ACP_WIRE_FLAG_LOGON_SERVER) write_span(output, packet->logon_server, 16, "logon_server");
    if (flags & ACP_WIRE_FLAG_REFERRAL) write_span(output, packet->referral, 32, "referral");
    if (flags & ACP_WIRE_FLAG_REQUEST_RETRANSMIT) write_list(output, &packet->request, "request_retransmit");
    if (flags & ACP_WIRE_FLAG_REJECT_RETRANSMIT) write_list(output, &packet->reject, "reject_retransmit");
    if (flags & ACP_WIRE_FLAG_ACKNOWLEDGE) acp_writer_u32(writer, packet->acknowledged);
    if (flags & ACP_WIRE_FLAG_LOGIN_REQUEST) write_span(output, packet->login, packet->login_size, "login_request");
    if (flags & ACP_WIRE_FLAG_WORLD_LOGIN_REQUEST) write_span(output, packet->world_login, 8, "world_login_request");
    if (flags & ACP_WIRE_FLAG_CONNECT_REQUEST) {
        acp_writer_f64(writer, packet->connect.server_time);
        acp_writer_u64(writer, packet->connect.cookie);
        acp_writer_u32(writer, packet->connect.net_id);
        acp_writer_u32(writer, packet->connect.server_seed);
        acp_writer_u32(writer, packet->connect.client_seed);
        acp_writer_u32(writer, packet->connect.reserved);
    }
    if (flags & ACP_WIRE_FLAG_CONNECT_RESPONSE) acp_writer_u64(writer, packet->cookie);
    if (flags & ACP_WIRE_FLAG_NET_ERROR) write_pair(writer, packet->net_error);
    if (flags & ACP_WIRE_FLAG_NET_ERROR_DISCONNECT) write_pair(writer, packet->net_error_disconnect);
    if (flags & ACP_WIRE_FLAG_ICMD) write_pair(writer, packet->icmd);
    if (flags & ACP_WIRE_FLAG_TIME_SYNC) acp_writer_f64(writer, packet->time);
    if (flags & ACP_WIRE_FLAG_ECHO_REQUEST) acp_wire_write_float(output, packet->echo_time, "echo_request");
    if (flags & ACP_WIRE_FLAG_ECHO_RESPONSE) {
        acp_wire_write_float(output, packet->echo_response[0], "echo_response");
        acp_writer_f32(writer, packet->echo_response[1]);
    }
    if (flags & ACP_WIRE_FLAG_FLOW) {
        acp_writer_u32(writer, packet->flow_bytes);
        acp_writer_u16(writer, packet->flow_interval);
    }
}

static void write_fragment(acp_wire_output *output, const acp_wire_fragment *fragment) {
    bool is_last = fragment->index + 1 == fragment->count;
    if (fragment->index >= fragment->count || fragment->size > ACP_WIRE_MAX_FRAGMENT_DATA ||
        (!is_last && fragment->size != ACP_WIRE_MAX_FRAGMENT_DATA)) {
        acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "fragment");
        return;
    }
    acp_writer *writer = &output->writer;
    acp_writer_u64(writer, fragment->blob_id);
    acp_writer_u16(writer, fragment->count);
    acp_writer_u16(writer, (uint16_t)(fragment->size + ACP_WIRE_FRAGMENT_HEADER_SIZE));
    acp_writer_u16(writer, fragment->index);
    acp_writer_u16(writer, fragment->queue);
    acp_writer_bytes(writer, fragment->data, fragment->size);
}

acp_result acp_wire_packet_encode(const acp_wire_packet *packet, const acp_wire_fragment *fragments, uint32_t fragment_count, uint32_t key,
                                  void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    static const char operation[] = "wire packet encode";
    if (!packet || !bytes || !out_size || (fragment_count && !fragments))
        return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    acp_wire_output output;
    acp_writer *writer = &output.writer;
    acp_wire_output_init(&output, bytes, capacity);
    if (packet->flags & ~KNOWN_FLAGS || (fragment_count != 0) != ((packet->flags & ACP_WIRE_FLAG_FRAGMENTS) != 0))
        acp_wire_refuse(&output, ACP_ERROR_INVALID_ARGUMENT, "header.flags");
    acp_writer_u32(writer, packet->sequence);
    acp_writer_u32(writer, packet->flags);
    acp_writer_u32(writer, 0);
    acp_writer_u16(writer, packet->recipient);
    acp_writer_u16(writer, packet->interval);
    acp_writer_u16(writer, 0);
    acp_writer_u16(writer, packet->iteration);
    write_optional_headers(&output, packet);
    size_t optional_end = writer->size;
    for (uint32_t i = 0; i < fragment_count; i++)
        write_fragment(&output, &fragments[i]);
    if (writer->size > ACP_WIRE_MAX_DATAGRAM) acp_wire_refuse(&output, ACP_ERROR_LIMIT, "header.size");
    acp_result result = acp_wire_output_finish(&output, out_size, error, operation);
    if (result != ACP_OK) return result;

    uint8_t *out = (uint8_t *)bytes;
    size_t body = writer->size - ACP_WIRE_HEADER_SIZE;
    out[16] = (uint8_t)body;
    out[17] = (uint8_t)(body >> 8);
    uint32_t payload =
        optional_end > ACP_WIRE_HEADER_SIZE ? acp_wire_hash32(out + ACP_WIRE_HEADER_SIZE, optional_end - ACP_WIRE_HEADER_SIZE) : 0;
    for (size_t at = optional_end, i = 0; i < fragment_count; i++) {
        payload += acp_wire_hash32(out + at, ACP_WIRE_FRAGMENT_HEADER_SIZE);
        payload += acp_wire_hash32(out + at + ACP_WIRE_FRAGMENT_HEADER_SIZE, fragments[i].size);
        at += ACP_WIRE_FRAGMENT_HEADER_SIZE + (size_t)fragments[i].size;
    }
    if (packet->flags & ACP_WIRE_FLAG_ENCRYPTED) payload ^= key;
    put_u32(out + 8, hash_header(out) + payload);
    return ACP_OK;
}
