/* SPDX-License-Identifier: MIT */
/* What a client sends (spec 10 §10): actions wrapped in 0xF7B1 with the session's ordering stamp.
 *
 * Positions are followed by the client's current stamps of its own object (NET-36). The jump is the retail form, with the Position between
 * velocity and stamps (§15, row 1); its extent is 0 to 1. The contact byte of move-to-state holds two bits, that of an autonomous position
 * one; other bits are refused, as is an action that is not one of the five.
 *
 * Contract: as for every codec of this folder (pieces.h): sticky first fault, nothing allocated, nothing kept.
 * Limits: 31 actions in the raw state. Cost: one pass over 12 to 350 bytes. */
#include "wire/pieces.h"

#define CONTACT_BIT   1u
#define LONG_JUMP_BIT 2u

const char *acp_wire_action_name(uint32_t action) {
    switch (action) {
    case ACP_WIRE_ACTION_LOGIN_COMPLETE:
        return "LoginComplete";
    case ACP_WIRE_ACTION_PING:
        return "PingRequest";
    case ACP_WIRE_ACTION_JUMP:
        return "Jump";
    case ACP_WIRE_ACTION_MOVE_TO_STATE:
        return "MoveToState";
    case ACP_WIRE_ACTION_AUTONOMOUS_POSITION:
        return "AutonomousPosition";
    default:
        return NULL;
    }
}

static void read_place(acp_reader *reader, acp_wire_action *action) {
    acp_wire_read_position(reader, &action->position, false);
    action->stamps.instance = acp_reader_u16(reader, "instance_stamp");
    action->stamps.server_control = acp_reader_u16(reader, "server_control_stamp");
    action->stamps.teleport = acp_reader_u16(reader, "teleport_stamp");
    action->stamps.force_position = acp_reader_u16(reader, "force_position_stamp");
}

static void write_place(acp_wire_output *output, const acp_wire_action *action) {
    acp_wire_write_position(output, &action->position, false);
    acp_writer_u16(&output->writer, action->stamps.instance);
    acp_writer_u16(&output->writer, action->stamps.server_control);
    acp_writer_u16(&output->writer, action->stamps.teleport);
    acp_writer_u16(&output->writer, action->stamps.force_position);
}

static uint8_t read_contact(acp_reader *reader, uint8_t allowed_bits) {
    uint8_t bits = acp_reader_u8(reader, "contact");
    if (bits & ~allowed_bits) (void)acp_reader_fail_at(reader, reader->offset - 1, ACP_ERROR_BAD_DATA, "contact");
    acp_reader_align4(reader, "pad");
    return bits;
}

/* NET: extent 0..1; anything below 0.001 is never sent by the client, but travels. */
static bool is_extent(float extent) { return extent >= 0.0f && extent <= 1.0f; }

void acp_wire_read_action(acp_reader *reader, acp_wire_action *out_action) {
    out_action->stamp = acp_reader_u32(reader, "stamp");
    out_action->action = acp_reader_u32(reader, "action");
    switch (out_action->action) {
    case ACP_WIRE_ACTION_LOGIN_COMPLETE:
    case ACP_WIRE_ACTION_PING:
        break;
    case ACP_WIRE_ACTION_JUMP:
        out_action->jump_extent = acp_wire_read_float(reader, "extent");
        if (!is_extent(out_action->jump_extent)) (void)acp_reader_fail_at(reader, reader->offset - 4, ACP_ERROR_OUT_OF_RANGE, "extent");
        out_action->jump_velocity = acp_wire_read_vec3(reader, "velocity");
        read_place(reader, out_action);
        break;
    case ACP_WIRE_ACTION_MOVE_TO_STATE: {
        acp_wire_read_raw_state(reader, &out_action->raw);
        read_place(reader, out_action);
        uint8_t bits = read_contact(reader, CONTACT_BIT | LONG_JUMP_BIT);
        out_action->has_contact = bits & CONTACT_BIT;
        out_action->is_standing_long_jump = bits & LONG_JUMP_BIT ? 1u : 0u;
        break;
    }
    case ACP_WIRE_ACTION_AUTONOMOUS_POSITION:
        read_place(reader, out_action);
        out_action->has_contact = read_contact(reader, CONTACT_BIT);
        break;
    default:
        if (acp_reader_is_ok(reader)) (void)acp_reader_fail_at(reader, reader->offset - 4, ACP_ERROR_UNSUPPORTED, "action");
        break;
    }
}

void acp_wire_write_action(acp_wire_output *output, const acp_wire_action *action) {
    acp_writer *writer = &output->writer;
    acp_writer_u32(writer, action->stamp);
    acp_writer_u32(writer, action->action);
    switch (action->action) {
    case ACP_WIRE_ACTION_LOGIN_COMPLETE:
    case ACP_WIRE_ACTION_PING:
        break;
    case ACP_WIRE_ACTION_JUMP:
        if (!is_extent(action->jump_extent)) acp_wire_refuse(output, ACP_ERROR_OUT_OF_RANGE, "extent");
        acp_wire_write_float(output, action->jump_extent, "extent");
        acp_wire_write_vec3(output, action->jump_velocity, "velocity");
        write_place(output, action);
        break;
    case ACP_WIRE_ACTION_MOVE_TO_STATE:
        acp_wire_write_raw_state(output, &action->raw);
        write_place(output, action);
        acp_writer_u8(writer, (uint8_t)((action->has_contact ? CONTACT_BIT : 0u) | (action->is_standing_long_jump ? LONG_JUMP_BIT : 0u)));
        acp_writer_align4(writer);
        break;
    case ACP_WIRE_ACTION_AUTONOMOUS_POSITION:
        write_place(output, action);
        acp_writer_u8(writer, action->has_contact ? (uint8_t)CONTACT_BIT : (uint8_t)0);
        acp_writer_align4(writer);
        break;
    default:
        acp_wire_refuse(output, ACP_ERROR_UNSUPPORTED, "action");
        break;
    }
}
