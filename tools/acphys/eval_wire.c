/* SPDX-License-Identifier: MIT */
/* Wire codecs in `eval` (spec 10): hex in and members out, and back; hashes, key streams, stamps, decisions. Messages have the form of
 * docs/format-wire.md. */
#include <string.h>

#include "support/wire_json.h"
#include "tools/acphys/eval.h"

#define MAX_MESSAGE 65536u

typedef struct workspace {
    acp_wire_create_lists lists;
    acp_wire_message message;
    uint8_t bytes[MAX_MESSAGE];
} workspace;

static workspace *new_workspace(acp_eval_call *call) {
    workspace *space = acp_json_reader_allocate(call->memory, sizeof *space);
    if (!space) (void)acp_json_fail(&call->input, ACP_ERROR_OUT_OF_MEMORY, "", "no memory for a message");
    return space;
}

static const uint8_t *get_hex(acp_eval_call *call, size_t *out_size) {
    return acp_wire_json_read_hex(&call->input, call->memory, call->in, "hex", out_size);
}

static acp_result eval_message_decode(acp_eval_call *call) {
    size_t size;
    const uint8_t *bytes = get_hex(call, &size);
    workspace *space = new_workspace(call);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    space->message.create.lists = &space->lists;
    acp_result result = acp_wire_message_decode(bytes, size, &space->message, call->error);
    if (result == ACP_OK) acp_wire_json_write_message(call->out, &space->message);
    return result;
}

static acp_result eval_message_encode(acp_eval_call *call) {
    workspace *space = new_workspace(call);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_wire_json_read_message(&call->input, call->memory, call->in, &space->lists, &space->message);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    size_t size;
    acp_result result = acp_wire_message_encode(&space->message, space->bytes, sizeof space->bytes, &size, call->error);
    if (result == ACP_OK) acp_wire_json_write_hex(call->out, "hex", space->bytes, size);
    return result;
}

static acp_result eval_position_decode(acp_eval_call *call) {
    size_t size;
    acp_position position;
    const uint8_t *bytes = get_hex(call, &size);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_position_decode(bytes, size, &position, call->error);
    if (result == ACP_OK) acp_wire_json_write_position(call->out, &position);
    return result;
}

static acp_result eval_position_encode(acp_eval_call *call) {
    uint8_t bytes[32];
    acp_position position = acp_wire_json_read_position(&call->input, call->in);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_position_encode(&position, bytes, sizeof bytes, call->error);
    if (result == ACP_OK) acp_wire_json_write_hex(call->out, "hex", bytes, sizeof bytes);
    return result;
}

static acp_result eval_pack_decode(acp_eval_call *call) {
    size_t size;
    acp_wire_position_pack pack;
    const uint8_t *bytes = get_hex(call, &size);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_position_pack_decode(bytes, size, &pack, call->error);
    if (result == ACP_OK) acp_wire_json_write_pack(call->out, &pack);
    return result;
}

static acp_result eval_pack_encode(acp_eval_call *call) {
    uint8_t bytes[64];
    size_t size;
    acp_wire_position_pack pack;
    acp_wire_json_read_pack(&call->input, call->in, &pack);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_position_pack_encode(&pack, bytes, sizeof bytes, &size, call->error);
    if (result == ACP_OK) acp_wire_json_write_hex(call->out, "hex", bytes, size);
    return result;
}

static acp_result eval_movement_decode(acp_eval_call *call) {
    size_t size;
    acp_wire_movement movement;
    const uint8_t *bytes = get_hex(call, &size);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_movement_decode(bytes, size, &movement, call->error);
    if (result == ACP_OK) acp_wire_json_write_movement(call->out, "movement", &movement);
    return result;
}

static acp_result eval_movement_encode(acp_eval_call *call) {
    uint8_t bytes[512];
    size_t size;
    acp_wire_movement movement;
    acp_wire_json_read_movement(&call->input, acp_json_get_object(&call->input, call->in, "movement"), &movement);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_movement_encode(&movement, bytes, sizeof bytes, &size, call->error);
    if (result == ACP_OK) acp_wire_json_write_hex(call->out, "hex", bytes, size);
    return result;
}

static acp_result eval_packet_decode(acp_eval_call *call) {
    size_t size;
    acp_wire_packet packet;
    const uint8_t *bytes = get_hex(call, &size);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_packet_decode(bytes, size, &packet, call->error);
    if (result == ACP_OK) acp_wire_json_write_packet(call->out, &packet);
    return result;
}

/* The datagram again, with another key or flags: shows what a retransmission looks like. */
static acp_result eval_packet_encode(acp_eval_call *call) {
    size_t size, out_size;
    acp_wire_packet packet;
    acp_wire_fragment fragments[ACP_WIRE_MAX_BODY / ACP_WIRE_FRAGMENT_HEADER_SIZE];
    uint8_t out[ACP_WIRE_MAX_DATAGRAM];
    uint32_t cursor = 0, count = 0;
    const uint8_t *bytes = get_hex(call, &size);
    uint32_t key = acp_json_get_id_or(&call->input, call->in, "key", 0);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_result result = acp_wire_packet_decode(bytes, size, &packet, call->error);
    if (result != ACP_OK) return result;
    packet.flags = acp_json_get_id_or(&call->input, call->in, "flags", packet.flags);
    packet.sequence = acp_json_get_uint32_or(&call->input, call->in, "sequence", packet.sequence);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    while (count < sizeof fragments / sizeof fragments[0] && acp_wire_packet_next_fragment(&packet, &cursor, &fragments[count]))
        count++;
    result = acp_wire_packet_encode(&packet, fragments, count, key, out, sizeof out, &out_size, call->error);
    if (result == ACP_OK) acp_wire_json_write_hex(call->out, "hex", out, out_size);
    return result;
}

static acp_result eval_hash32(acp_eval_call *call) {
    size_t size;
    const uint8_t *bytes = get_hex(call, &size);
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_id(call->out, "hash", acp_wire_hash32(bytes, size));
    return ACP_OK;
}

/* Words of a key stream by index; at most 1,048,576 words are drawn. */
static acp_result eval_key_stream(acp_eval_call *call) {
    acp_wire_key_stream stream;
    uint32_t seed = acp_json_get_id(&call->input, call->in, "seed");
    uint32_t first = acp_json_get_uint32_or(&call->input, call->in, "first", 0);
    uint32_t count = acp_json_get_uint32_or(&call->input, call->in, "count", 1);
    if (first > 1000000u || count > 48576u) (void)acp_json_fail(&call->input, ACP_ERROR_OUT_OF_RANGE, "count", "too many words");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_wire_key_stream_init(&stream, seed);
    for (uint32_t i = 0; i < first; i++)
        (void)acp_wire_key_stream_next(&stream);
    acp_json_begin_array(call->out, "words");
    for (uint32_t i = 0; i < count; i++)
        acp_json_write_id(call->out, NULL, acp_wire_key_stream_next(&stream));
    acp_json_end_array(call->out);
    return ACP_OK;
}

static acp_result eval_stamp_is_newer(acp_eval_call *call) {
    uint32_t stored = acp_json_get_uint32(&call->input, call->in, "stored");
    uint32_t incoming = acp_json_get_uint32(&call->input, call->in, "incoming");
    if (stored > 0xFFFFu || incoming > 0xFFFFu) (void)acp_json_fail(&call->input, ACP_ERROR_OUT_OF_RANGE, "stored", "does not fit 16 bits");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_int(call->out, "ret", acp_wire_stamp_is_newer((uint16_t)stored, (uint16_t)incoming));
    return ACP_OK;
}

static acp_result eval_sequence_is_newer(acp_eval_call *call) {
    uint32_t a = acp_json_get_uint32(&call->input, call->in, "a");
    uint32_t b = acp_json_get_uint32(&call->input, call->in, "b");
    if (acp_json_is_failed(&call->input)) return call->input.result;
    acp_json_write_int(call->out, "ret", acp_wire_sequence_is_newer(a, b));
    return ACP_OK;
}

static acp_wire_outbound_state get_state(acp_json_input *input, const acp_json *object) {
    acp_wire_outbound_state state = {.position = acp_wire_json_read_position(input, object)};
    acp_plane level = {{0.0f, 0.0f, 1.0f}, 0.0f};
    acp_plane plane = acp_json_has(object, "contact_plane") ? acp_json_get_plane(input, object, "contact_plane") : level;
    state.contact_normal = plane.normal;
    state.contact_d = plane.d;
    state.is_in_contact = acp_json_get_flag_or(input, object, "contact", true);
    state.is_on_walkable = acp_json_get_flag_or(input, object, "on_walkable", true);
    return state;
}

static acp_result eval_should_send(acp_eval_call *call) {
    acp_json_input *input = &call->input;
    acp_wire_outbound_state last = get_state(input, acp_json_get_object(input, call->in, "last"));
    acp_wire_outbound_state now = get_state(input, acp_json_get_object(input, call->in, "now"));
    double last_time = acp_json_get_double(input, call->in, "last_time");
    double now_time = acp_json_get_double(input, call->in, "now_time");
    uint32_t autonomy = acp_json_get_uint32_or(input, call->in, "autonomy_level", 2);
    if (acp_json_is_failed(input)) return input->result;
    acp_json_write_int(call->out, "ret", acp_wire_should_send_position(&last, &now, last_time, now_time, autonomy));
    return ACP_OK;
}

static acp_result eval_received_position(acp_eval_call *call) {
    acp_json_input *input = &call->input;
    acp_wire_position_pack pack;
    uint16_t stamps[ACP_WIRE_STAMP_COUNT];
    acp_wire_json_read_pack(input, acp_json_get_object(input, call->in, "pack"), &pack);
    const acp_json *given = acp_json_get_object(input, call->in, "timestamps");
    for (uint32_t i = 0; i < ACP_WIRE_STAMP_COUNT; i++)
        stamps[i] = (uint16_t)acp_json_get_uint32_or(input, given, acp_wire_json_stamp_name(i), 0);
    acp_wire_receiver receiver = {.is_player = acp_json_get_flag_or(input, call->in, "player", false),
                                  .has_cell = acp_json_get_flag_or(input, call->in, "has_cell", true),
                                  .autonomy_level = acp_json_get_uint32_or(input, call->in, "autonomy_level", 2),
                                  .player_distance = acp_json_get_float_or(input, call->in, "player_distance", 0.0f)};
    if (acp_json_is_failed(input)) return input->result;
    acp_json_write_int(call->out, "ret", acp_wire_received_position(stamps, &receiver, &pack));
    acp_json_begin_object(call->out, "timestamps");
    for (uint32_t i = 0; i < ACP_WIRE_STAMP_COUNT; i++)
        acp_json_write_uint(call->out, acp_wire_json_stamp_name(i), stamps[i]);
    acp_json_end_object(call->out);
    return ACP_OK;
}

static acp_result eval_instance_rule(acp_eval_call *call) {
    acp_json_input *input = &call->input;
    bool is_known = acp_json_get_flag_or(input, call->in, "known", true);
    uint32_t stored = acp_json_get_uint32(input, call->in, "stored");
    uint32_t incoming = acp_json_get_uint32(input, call->in, "incoming");
    if (stored > 0xFFFFu || incoming > 0xFFFFu) (void)acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, "stored", "does not fit 16 bits");
    if (acp_json_is_failed(input)) return input->result;
    acp_json_write_int(call->out, "ret", acp_wire_instance_rule(is_known, (uint16_t)stored, (uint16_t)incoming));
    return ACP_OK;
}

static const acp_eval_operation operations[] = {
    {"wire_message_decode", "10 §9", eval_message_decode},
    {"wire_message_encode", "10 §9", eval_message_encode},
    {"wire_position_decode", "10 NET-29", eval_position_decode},
    {"wire_position_encode", "10 NET-29", eval_position_encode},
    {"wire_position_pack_decode", "10 NET-30", eval_pack_decode},
    {"wire_position_pack_encode", "10 NET-30", eval_pack_encode},
    {"wire_movement_decode", "10 NET-31", eval_movement_decode},
    {"wire_movement_encode", "10 NET-31", eval_movement_encode},
    {"wire_packet_decode", "10 NET-01", eval_packet_decode},
    {"wire_packet_encode", "10 NET-06", eval_packet_encode},
    {"wire_hash32", "10 NET-04", eval_hash32},
    {"wire_key_stream", "10 NET-08", eval_key_stream},
    {"wire_stamp_is_newer", "10 NET-38", eval_stamp_is_newer},
    {"wire_sequence_is_newer", "10 NET-20", eval_sequence_is_newer},
    {"wire_should_send_position", "10 NET-47", eval_should_send},
    {"wire_received_position", "10 NET-41", eval_received_position},
    {"wire_instance_rule", "10 NET-39", eval_instance_rule},
};

const acp_eval_area acp_eval_area_wire = {"wire", operations, sizeof operations / sizeof operations[0]};
