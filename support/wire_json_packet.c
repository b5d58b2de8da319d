/* SPDX-License-Identifier: MIT */
/* A decoded datagram as JSON, and bytes as hex digits both ways. */
#include "support/hex_digit.h"
#include "support/wire_json.h"

void acp_wire_json_write_hex(acp_json_writer *writer, const char *key, const void *bytes, size_t size) {
    static const char digits[] = "0123456789abcdef";
    const uint8_t *at = (const uint8_t *)bytes;
    acp_json_write_raw(writer, key, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        char pair[2] = {digits[at[i] >> 4], digits[at[i] & 15u]};
        acp_json_write_piece(writer, pair, 2);
    }
    acp_json_write_piece(writer, "\"", 1);
}

const uint8_t *acp_wire_json_read_hex(acp_json_input *input, acp_json_reader *memory, const acp_json *object, const char *key,
                                      size_t *out_size) {
    uint32_t length = 0;
    *out_size = 0;
    const char *text = acp_json_get_string(input, object, key, &length);
    if (!text) return NULL;
    uint8_t *bytes = (uint8_t *)acp_json_reader_allocate(memory, (size_t)length / 2 + 1);
    if (!bytes) {
        (void)acp_json_fail(input, ACP_ERROR_OUT_OF_MEMORY, key, "no memory for the bytes");
        return NULL;
    }
    size_t size = 0;
    int high = -1;
    for (uint32_t i = 0; i < length; i++) {
        if (text[i] == ' ' && high < 0) continue;
        int value = acp_hex_digit(text[i]);
        if (value < 0) {
            (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, key, "is no string of hex digits");
            return NULL;
        }
        if (high < 0) {
            high = value;
            continue;
        }
        bytes[size++] = (uint8_t)(high << 4 | value);
        high = -1;
    }
    if (high >= 0) {
        (void)acp_json_fail(input, ACP_ERROR_BAD_DATA, key, "has an odd number of hex digits");
        return NULL;
    }
    *out_size = size;
    return bytes;
}

static void write_list(acp_json_writer *writer, const char *key, const acp_wire_sequence_list *list) {
    acp_json_begin_array(writer, key);
    for (uint32_t i = 0; i < list->count; i++)
        acp_json_write_uint(writer, NULL, acp_wire_sequence_at(list, i));
    acp_json_end_array(writer);
}

static void write_optional_headers(acp_json_writer *writer, const acp_wire_packet *packet) {
    uint32_t flags = packet->flags;
    if (flags & ACP_WIRE_FLAG_REQUEST_RETRANSMIT) write_list(writer, "request_retransmit", &packet->request);
    if (flags & ACP_WIRE_FLAG_REJECT_RETRANSMIT) write_list(writer, "reject_retransmit", &packet->reject);
    if (flags & ACP_WIRE_FLAG_ACKNOWLEDGE) acp_json_write_uint(writer, "acknowledge", packet->acknowledged);
    if (flags & ACP_WIRE_FLAG_LOGIN_REQUEST) acp_json_write_uint(writer, "login_bytes", packet->login_size);
    if (flags & ACP_WIRE_FLAG_CONNECT_REQUEST) {
        acp_json_begin_object(writer, "connect");
        acp_json_write_double(writer, "server_time", packet->connect.server_time);
        acp_json_write_id(writer, "cookie_high", (uint32_t)(packet->connect.cookie >> 32));
        acp_json_write_id(writer, "cookie_low", (uint32_t)packet->connect.cookie);
        acp_json_write_uint(writer, "net_id", packet->connect.net_id);
        acp_json_write_id(writer, "server_seed", packet->connect.server_seed);
        acp_json_write_id(writer, "client_seed", packet->connect.client_seed);
        acp_json_end_object(writer);
    }
    if (flags & ACP_WIRE_FLAG_CONNECT_RESPONSE) {
        acp_json_write_id(writer, "cookie_high", (uint32_t)(packet->cookie >> 32));
        acp_json_write_id(writer, "cookie_low", (uint32_t)packet->cookie);
    }
    if (flags & ACP_WIRE_FLAG_NET_ERROR) acp_json_write_id(writer, "net_error", packet->net_error[0]);
    if (flags & ACP_WIRE_FLAG_NET_ERROR_DISCONNECT) acp_json_write_id(writer, "net_error_disconnect", packet->net_error_disconnect[0]);
    if (flags & ACP_WIRE_FLAG_TIME_SYNC) acp_json_write_double(writer, "time_sync", packet->time);
    if (flags & ACP_WIRE_FLAG_ECHO_REQUEST) acp_json_write_float(writer, "echo_request", packet->echo_time);
    if (flags & ACP_WIRE_FLAG_ECHO_RESPONSE) acp_json_write_float(writer, "echo_response", packet->echo_response[0]);
    if (flags & ACP_WIRE_FLAG_FLOW) {
        acp_json_write_uint(writer, "flow_bytes", packet->flow_bytes);
        acp_json_write_uint(writer, "flow_interval", packet->flow_interval);
    }
}

void acp_wire_json_write_packet(acp_json_writer *writer, const acp_wire_packet *packet) {
    acp_json_begin_object(writer, "header");
    acp_json_write_uint(writer, "sequence", packet->sequence);
    acp_json_write_id(writer, "flags", packet->flags);
    acp_json_write_id(writer, "checksum", packet->checksum);
    acp_json_write_uint(writer, "recipient", packet->recipient);
    acp_json_write_uint(writer, "interval", packet->interval);
    acp_json_write_uint(writer, "size", packet->size);
    acp_json_write_uint(writer, "iteration", packet->iteration);
    acp_json_end_object(writer);
    acp_json_write_id(writer, "header_hash", packet->header_hash);
    acp_json_write_id(writer, "payload_hash", packet->payload_hash);
    if (packet->flags & ACP_WIRE_FLAG_ENCRYPTED)
        acp_json_write_id(writer, "key", acp_wire_packet_key(packet));
    else
        acp_json_write_flag(writer, "checksum_ok", acp_wire_packet_key(packet) == 0);
    write_optional_headers(writer, packet);
    acp_json_begin_array(writer, "fragments");
    uint32_t cursor = 0;
    acp_wire_fragment fragment;
    while (acp_wire_packet_next_fragment(packet, &cursor, &fragment)) {
        acp_json_begin_object(writer, NULL);
        acp_json_write_id(writer, "blob_high", (uint32_t)(fragment.blob_id >> 32));
        acp_json_write_id(writer, "blob_low", (uint32_t)fragment.blob_id);
        acp_json_write_uint(writer, "count", fragment.count);
        acp_json_write_uint(writer, "index", fragment.index);
        acp_json_write_uint(writer, "queue", fragment.queue);
        acp_wire_json_write_hex(writer, "data", fragment.data, fragment.size);
        acp_json_end_object(writer);
    }
    acp_json_end_array(writer);
}
