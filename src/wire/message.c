/* SPDX-License-Identifier: MIT */
/* Whole messages (spec 10 §9, §10): one table row per opcode, one pair of functions per row.
 *
 * A message is decoded from its opcode to its last byte, pads included; what is left over is an error, except behind the physics
 * description of a create message. Encoding is the mirror image and refuses what decoding would, and values that the flags would lose, so
 * that encode and decode are inverse on everything either accepts.
 *
 * Contract: only the members that the opcode names are written. Nothing allocates, nothing is kept. Limits: pieces.c (DIV-71).
 * Cost: decoding a position update takes some twenty field reads. */
#include "base/error.h"
#include "wire/pieces.h"

typedef struct message_kind {
    uint32_t opcode;
    const char *name;
    void (*read)(acp_reader *reader, acp_wire_message *message);
    void (*write)(acp_wire_output *output, const acp_wire_message *message);
} message_kind;

static void read_update_position(acp_reader *reader, acp_wire_message *message) {
    message->object_id = acp_reader_u32(reader, "object");
    acp_wire_read_position_pack(reader, &message->pack);
}

static void write_update_position(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->object_id);
    acp_wire_write_position_pack(output, &message->pack);
}

/* From the movement stamp on, as 0xF74C and 0xF619 share it. */
static void read_motion_tail(acp_reader *reader, acp_wire_message *message) {
    message->movement_stamp = acp_reader_u16(reader, "movement_stamp");
    message->server_control_stamp = acp_reader_u16(reader, "server_control_stamp");
    message->is_autonomous = acp_reader_u8(reader, "autonomous");
    acp_reader_align4(reader, "pad");
    acp_wire_read_movement(reader, &message->movement);
}

static void write_motion_tail(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u16(&output->writer, message->movement_stamp);
    acp_writer_u16(&output->writer, message->server_control_stamp);
    acp_writer_u8(&output->writer, message->is_autonomous);
    acp_writer_align4(&output->writer);
    acp_wire_write_movement(output, &message->movement);
}

static void read_position_and_movement(acp_reader *reader, acp_wire_message *message) {
    read_update_position(reader, message);
    read_motion_tail(reader, message);
}

static void write_position_and_movement(acp_wire_output *output, const acp_wire_message *message) {
    write_update_position(output, message);
    write_motion_tail(output, message);
}

static void read_update_motion(acp_reader *reader, acp_wire_message *message) {
    message->object_id = acp_reader_u32(reader, "object");
    message->instance_stamp = acp_reader_u16(reader, "instance_stamp");
    read_motion_tail(reader, message);
}

static void write_update_motion(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->object_id);
    acp_writer_u16(&output->writer, message->instance_stamp);
    write_motion_tail(output, message);
}

static void read_stamps(acp_reader *reader, acp_wire_message *message) {
    message->instance_stamp = acp_reader_u16(reader, "instance_stamp");
    message->stamp = acp_reader_u16(reader, "stamp");
}

static void write_stamps(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u16(&output->writer, message->instance_stamp);
    acp_writer_u16(&output->writer, message->stamp);
}

static void read_vector_update(acp_reader *reader, acp_wire_message *message) {
    message->object_id = acp_reader_u32(reader, "object");
    message->velocity = acp_wire_read_vec3(reader, "velocity");
    message->omega = acp_wire_read_vec3(reader, "omega");
    read_stamps(reader, message);
}

static void write_vector_update(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->object_id);
    acp_wire_write_vec3(output, message->velocity, "velocity");
    acp_wire_write_vec3(output, message->omega, "omega");
    write_stamps(output, message);
}

static void read_set_state(acp_reader *reader, acp_wire_message *message) {
    message->object_id = acp_reader_u32(reader, "object");
    message->state = acp_reader_u32(reader, "state");
    read_stamps(reader, message);
}

static void write_set_state(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->object_id);
    acp_writer_u32(&output->writer, message->state);
    write_stamps(output, message);
}

static void read_player_teleport(acp_reader *reader, acp_wire_message *message) {
    message->stamp = acp_reader_u16(reader, "stamp");
    acp_reader_align4(reader, "pad");
}

static void write_player_teleport(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u16(&output->writer, message->stamp);
    acp_writer_align4(&output->writer);
}

static void read_player_create(acp_reader *reader, acp_wire_message *message) { message->object_id = acp_reader_u32(reader, "object"); }

static void write_player_create(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->object_id);
}

static void read_delete_object(acp_reader *reader, acp_wire_message *message) {
    message->object_id = acp_reader_u32(reader, "object");
    message->instance_stamp = acp_reader_u16(reader, "instance_stamp");
    acp_reader_align4(reader, "pad");
}

static void write_delete_object(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->object_id);
    acp_writer_u16(&output->writer, message->instance_stamp);
    acp_writer_align4(&output->writer);
}

static void read_pickup(acp_reader *reader, acp_wire_message *message) {
    message->object_id = acp_reader_u32(reader, "object");
    read_stamps(reader, message);
}

static void write_pickup(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->object_id);
    write_stamps(output, message);
}

static void read_parent(acp_reader *reader, acp_wire_message *message) {
    message->parent_id = acp_reader_u32(reader, "parent");
    message->object_id = acp_reader_u32(reader, "child");
    message->location = acp_reader_u32(reader, "location");
    message->placement_id = acp_reader_u32(reader, "placement");
    read_stamps(reader, message);
}

static void write_parent(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u32(&output->writer, message->parent_id);
    acp_writer_u32(&output->writer, message->object_id);
    acp_writer_u32(&output->writer, message->location);
    acp_writer_u32(&output->writer, message->placement_id);
    write_stamps(output, message);
}

static void read_private_position(acp_reader *reader, acp_wire_message *message) {
    message->sequence = acp_reader_u8(reader, "sequence");
    if (message->opcode == ACP_WIRE_PUBLIC_UPDATE_POSITION) message->object_id = acp_reader_u32(reader, "object");
    message->position_type = acp_reader_u32(reader, "type");
    acp_wire_read_position(reader, &message->position, false);
}

static void write_private_position(acp_wire_output *output, const acp_wire_message *message) {
    acp_writer_u8(&output->writer, message->sequence);
    if (message->opcode == ACP_WIRE_PUBLIC_UPDATE_POSITION) acp_writer_u32(&output->writer, message->object_id);
    acp_writer_u32(&output->writer, message->position_type);
    acp_wire_write_position(output, &message->position, false);
}

static void read_create(acp_reader *reader, acp_wire_message *message) { acp_wire_read_create_object(reader, &message->create); }

static void write_create(acp_wire_output *output, const acp_wire_message *message) {
    acp_wire_write_create_object(output, &message->create);
}

static void read_ordered_action(acp_reader *reader, acp_wire_message *message) { acp_wire_read_action(reader, &message->action); }

static void write_ordered_action(acp_wire_output *output, const acp_wire_message *message) {
    acp_wire_write_action(output, &message->action);
}

/* Most frequent first: the search is linear. */
static const message_kind kinds[] = {
    {ACP_WIRE_UPDATE_POSITION, "UpdatePosition", read_update_position, write_update_position},
    {ACP_WIRE_UPDATE_MOTION, "UpdateMotion", read_update_motion, write_update_motion},
    {ACP_WIRE_VECTOR_UPDATE, "VectorUpdate", read_vector_update, write_vector_update},
    {ACP_WIRE_ORDERED_ACTION, "OrderedAction", read_ordered_action, write_ordered_action},
    {ACP_WIRE_CREATE_OBJECT, "CreateObject", read_create, write_create},
    {ACP_WIRE_DELETE_OBJECT, "DeleteObject", read_delete_object, write_delete_object},
    {ACP_WIRE_SET_STATE, "SetState", read_set_state, write_set_state},
    {ACP_WIRE_POSITION_AND_MOVEMENT, "PositionAndMovement", read_position_and_movement, write_position_and_movement},
    {ACP_WIRE_PICKUP_EVENT, "PickupEvent", read_pickup, write_pickup},
    {ACP_WIRE_PARENT_EVENT, "ParentEvent", read_parent, write_parent},
    {ACP_WIRE_PLAYER_TELEPORT, "PlayerTeleport", read_player_teleport, write_player_teleport},
    {ACP_WIRE_PLAYER_CREATE, "PlayerCreate", read_player_create, write_player_create},
    {ACP_WIRE_UPDATE_OBJECT, "UpdateObject", read_create, write_create},
    {ACP_WIRE_PRIVATE_UPDATE_POSITION, "PrivateUpdatePosition", read_private_position, write_private_position},
    {ACP_WIRE_PUBLIC_UPDATE_POSITION, "PublicUpdatePosition", read_private_position, write_private_position},
};

static const message_kind *find_kind(uint32_t opcode) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].opcode == opcode) return &kinds[i];
    return NULL;
}

const char *acp_wire_opcode_name(uint32_t opcode) {
    const message_kind *kind = find_kind(opcode);
    return kind ? kind->name : NULL;
}

static acp_result unknown_opcode(acp_error *error, const char *operation, uint32_t opcode) {
    (void)acp_error_set(error, ACP_ERROR_UNSUPPORTED, operation, "opcode 0x%04X is not a position message", (unsigned)opcode);
    acp_error_set_place(error, 0, 0, "opcode");
    return ACP_ERROR_UNSUPPORTED;
}

acp_result acp_wire_message_decode(const void *bytes, size_t size, acp_wire_message *out_message, acp_error *error) {
    static const char operation[] = "wire message decode";
    if (!bytes || !out_message) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    acp_reader reader = acp_reader_make(bytes, size);
    out_message->opcode = acp_reader_u32(&reader, "opcode");
    if (!acp_reader_is_ok(&reader)) return acp_reader_error(&reader, error, operation, 0);
    const message_kind *kind = find_kind(out_message->opcode);
    if (!kind) return unknown_opcode(error, operation, out_message->opcode);
    kind->read(&reader, out_message);
    return acp_wire_reader_finish(&reader, error, operation);
}

acp_result acp_wire_message_encode(const acp_wire_message *message, void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    static const char operation[] = "wire message encode";
    if (!bytes || !message || !out_size) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, operation, "null argument");
    const message_kind *kind = find_kind(message->opcode);
    if (!kind) return unknown_opcode(error, operation, message->opcode);
    acp_wire_output output;
    acp_wire_output_init(&output, bytes, capacity);
    acp_writer_u32(&output.writer, message->opcode);
    kind->write(&output, message);
    return acp_wire_output_finish(&output, out_size, error, operation);
}
