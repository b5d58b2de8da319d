/* SPDX-License-Identifier: MIT */
/* Wire messages as JSON, written and read (docs/format-wire.md). Flags decide what is present when they are given; without them they
 * follow from the members that are there. Reading sets a whole message, so that what decodes to JSON encodes to the same bytes. The
 * datagram's JSON and the bytes as hex are in wire_json_packet.c. */
#include "support/wire_json.h"

#include <string.h>

static const char *const stamp_names[ACP_WIRE_STAMP_COUNT] = {"position",       "movement",       "state",   "vector",  "teleport",
                                                              "server_control", "force_position", "objdesc", "instance"};

static uint16_t get_u16(acp_json_input *input, const acp_json *object, const char *key, uint16_t fallback) {
    uint32_t value = acp_json_get_uint32_or(input, object, key, fallback);
    if (value > 0xFFFFu) (void)acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, key, "does not fit 16 bits");
    return (uint16_t)value;
}

/* ---- positions ---- */

void acp_wire_json_write_position(acp_json_writer *writer, const acp_position *position) {
    acp_json_write_id(writer, "cell", position->cell_id);
    acp_json_write_vec3(writer, "origin", position->frame.origin);
    acp_json_write_quaternion(writer, "quat_wxyz", position->frame.rotation);
}

acp_position acp_wire_json_read_position(acp_json_input *input, const acp_json *object) {
    acp_position position;
    position.cell_id = acp_json_get_id(input, object, "cell");
    position.frame.origin = acp_json_get_vec3(input, object, "origin");
    position.frame.rotation = acp_json_get_quaternion(input, object, "quat_wxyz");
    return position;
}

void acp_wire_json_write_pack(acp_json_writer *writer, const acp_wire_position_pack *pack) {
    acp_json_write_uint(writer, "flags", pack->flags);
    acp_wire_json_write_position(writer, &pack->position);
    acp_json_write_vec3(writer, "velocity", pack->velocity);
    acp_json_write_uint(writer, "placement", pack->placement_id);
    acp_json_write_flag(writer, "contact", (pack->flags & ACP_WIRE_PACK_HAS_CONTACT) != 0);
    acp_json_write_uint(writer, "instance_ts", pack->instance_stamp);
    acp_json_write_uint(writer, "position_ts", pack->position_stamp);
    acp_json_write_uint(writer, "teleport_ts", pack->teleport_stamp);
    acp_json_write_uint(writer, "force_position_ts", pack->force_position_stamp);
}

void acp_wire_json_read_pack(acp_json_input *input, const acp_json *object, acp_wire_position_pack *out_pack) {
    acp_vec3 none = {0.0f, 0.0f, 0.0f};
    out_pack->position = acp_wire_json_read_position(input, object);
    out_pack->velocity = acp_json_get_vec3_or(input, object, "velocity", none);
    out_pack->placement_id = acp_json_get_uint32_or(input, object, "placement", 0);
    out_pack->instance_stamp = get_u16(input, object, "instance_ts", 0);
    out_pack->position_stamp = get_u16(input, object, "position_ts", 0);
    out_pack->teleport_stamp = get_u16(input, object, "teleport_ts", 0);
    out_pack->force_position_stamp = get_u16(input, object, "force_position_ts", 0);
    if (acp_json_has(object, "flags"))
        out_pack->flags = acp_json_get_uint32(input, object, "flags");
    else
        acp_wire_position_pack_flags(out_pack, acp_json_get_flag_or(input, object, "contact", false));
}

static void write_origin(acp_json_writer *writer, const char *key, const acp_wire_origin *origin) {
    acp_json_begin_object(writer, key);
    acp_json_write_id(writer, "cell", origin->cell_id);
    acp_json_write_vec3(writer, "origin", origin->origin);
    acp_json_end_object(writer);
}

/* ---- motion states ---- */

static void write_actions(acp_json_writer *writer, const acp_wire_motion_action *actions, uint32_t count) {
    acp_json_begin_array(writer, "actions");
    for (uint32_t i = 0; i < count; i++) {
        acp_json_begin_object(writer, NULL);
        acp_json_write_uint(writer, "command", actions[i].command);
        acp_json_write_uint(writer, "stamp", actions[i].stamp);
        acp_json_write_flag(writer, "autonomous", actions[i].is_autonomous != 0);
        acp_json_write_float(writer, "speed", actions[i].speed);
        acp_json_end_object(writer);
    }
    acp_json_end_array(writer);
}

static uint32_t read_actions(acp_json_input *input, const acp_json *object, acp_wire_motion_action *actions) {
    const acp_json *array = acp_json_get_optional_array(input, object, "actions");
    uint32_t count = 0;
    for (const acp_json *at = array ? array->first : NULL; at; at = at->next) {
        if (count == ACP_WIRE_MAX_ACTIONS) {
            (void)acp_json_fail(input, ACP_ERROR_LIMIT, "actions", "more than 31 actions");
            return 0;
        }
        acp_wire_motion_action *action = &actions[count++];
        action->command = get_u16(input, at, "command", 0);
        action->stamp = get_u16(input, at, "stamp", 0);
        action->is_autonomous = acp_json_get_flag_or(input, at, "autonomous", false);
        action->speed = acp_json_get_float_or(input, at, "speed", 1.0f);
    }
    return count;
}

static void write_interpreted(acp_json_writer *writer, const acp_wire_interpreted_state *state) {
    uint32_t presence = state->presence;
    acp_json_begin_object(writer, "state");
    acp_json_write_uint(writer, "flags", presence);
    if (presence & ACP_WIRE_STATE_STYLE) acp_json_write_uint(writer, "style", state->style);
    if (presence & ACP_WIRE_STATE_FORWARD) acp_json_write_uint(writer, "forward", state->forward_command);
    if (presence & ACP_WIRE_STATE_SIDESTEP) acp_json_write_uint(writer, "sidestep", state->sidestep_command);
    if (presence & ACP_WIRE_STATE_TURN) acp_json_write_uint(writer, "turn", state->turn_command);
    acp_json_write_float(writer, "forward_speed", state->forward_speed);
    acp_json_write_float(writer, "sidestep_speed", state->sidestep_speed);
    acp_json_write_float(writer, "turn_speed", state->turn_speed);
    write_actions(writer, state->actions, state->action_count);
    acp_json_end_object(writer);
}

/* A speed is present when it is not 1: its member may be there all the same. */
static uint32_t speed_bit(float speed, uint32_t bit) { return speed < 1.0f || speed > 1.0f ? bit : 0u; }

static void read_interpreted(acp_json_input *input, const acp_json *object, acp_wire_interpreted_state *out_state) {
    acp_wire_interpreted_state defaults = acp_wire_interpreted_state_default();
    *out_state = defaults;
    out_state->style = get_u16(input, object, "style", defaults.style);
    out_state->forward_command = get_u16(input, object, "forward", defaults.forward_command);
    out_state->sidestep_command = get_u16(input, object, "sidestep", 0);
    out_state->turn_command = get_u16(input, object, "turn", 0);
    out_state->forward_speed = acp_json_get_float_or(input, object, "forward_speed", 1.0f);
    out_state->sidestep_speed = acp_json_get_float_or(input, object, "sidestep_speed", 1.0f);
    out_state->turn_speed = acp_json_get_float_or(input, object, "turn_speed", 1.0f);
    out_state->action_count = read_actions(input, object, out_state->actions);
    uint32_t derived = (acp_json_has(object, "style") ? (uint32_t)ACP_WIRE_STATE_STYLE : 0u) |
                       (acp_json_has(object, "forward") ? (uint32_t)ACP_WIRE_STATE_FORWARD : 0u) |
                       (acp_json_has(object, "sidestep") ? (uint32_t)ACP_WIRE_STATE_SIDESTEP : 0u) |
                       (acp_json_has(object, "turn") ? (uint32_t)ACP_WIRE_STATE_TURN : 0u) |
                       speed_bit(out_state->forward_speed, ACP_WIRE_STATE_FORWARD_SPEED) |
                       speed_bit(out_state->sidestep_speed, ACP_WIRE_STATE_SIDESTEP_SPEED) |
                       speed_bit(out_state->turn_speed, ACP_WIRE_STATE_TURN_SPEED);
    out_state->presence = acp_json_get_uint32_or(input, object, "flags", derived);
}

/* The fields of a raw state in the order of their presence bits. */
typedef struct raw_member {
    const char *key;
    size_t offset;
    bool is_speed;
} raw_member;

#define RAW(key, member, is_speed)                                                                                                         \
    { key, offsetof(acp_wire_raw_state, member), is_speed }
static const raw_member raw_members[11] = {RAW("hold_key", hold_key, false),
                                           RAW("style", style, false),
                                           RAW("forward", forward_command, false),
                                           RAW("forward_hold", forward_hold_key, false),
                                           RAW("forward_speed", forward_speed, true),
                                           RAW("sidestep", sidestep_command, false),
                                           RAW("sidestep_hold", sidestep_hold_key, false),
                                           RAW("sidestep_speed", sidestep_speed, true),
                                           RAW("turn", turn_command, false),
                                           RAW("turn_hold", turn_hold_key, false),
                                           RAW("turn_speed", turn_speed, true)};

static void write_raw_state(acp_json_writer *writer, const acp_wire_raw_state *state) {
    acp_json_begin_object(writer, "raw");
    acp_json_write_uint(writer, "flags", state->presence);
    for (uint32_t i = 0; i < 11; i++) {
        if (!(state->presence & 1u << i)) continue;
        uint32_t word;
        float speed;
        memcpy(&word, (const unsigned char *)state + raw_members[i].offset, sizeof word);
        memcpy(&speed, &word, sizeof speed);
        if (raw_members[i].is_speed)
            acp_json_write_float(writer, raw_members[i].key, speed);
        else
            acp_json_write_id(writer, raw_members[i].key, word);
    }
    write_actions(writer, state->actions, state->action_count);
    acp_json_end_object(writer);
}

static void read_raw_state(acp_json_input *input, const acp_json *object, acp_wire_raw_state *out_state) {
    uint32_t derived = 0;
    *out_state = acp_wire_raw_state_default();
    for (uint32_t i = 0; i < 11; i++) {
        if (!acp_json_has(object, raw_members[i].key)) continue;
        float speed = 0.0f;
        uint32_t word = 0;
        derived |= 1u << i;
        if (raw_members[i].is_speed) {
            speed = acp_json_get_float(input, object, raw_members[i].key);
            memcpy(&word, &speed, sizeof word);
        } else {
            word = acp_json_get_id(input, object, raw_members[i].key);
        }
        memcpy((unsigned char *)out_state + raw_members[i].offset, &word, sizeof word);
    }
    out_state->action_count = read_actions(input, object, out_state->actions);
    out_state->presence = acp_json_get_uint32_or(input, object, "flags", derived);
}

/* ---- movement blocks ---- */

static void write_move_parameters(acp_json_writer *writer, const acp_wire_move_parameters *move) {
    acp_json_begin_object(writer, "params");
    acp_json_write_uint(writer, "bitfield", move->bits);
    acp_json_write_float(writer, "distance_to_object", move->distance_to_object);
    acp_json_write_float(writer, "min_distance", move->min_distance);
    acp_json_write_float(writer, "fail_distance", move->fail_distance);
    acp_json_write_float(writer, "speed", move->speed);
    acp_json_write_float(writer, "walk_run_threshold", move->walk_run_threshold);
    acp_json_write_float(writer, "desired_heading", move->desired_heading);
    acp_json_end_object(writer);
}

static void write_turn_parameters(acp_json_writer *writer, const acp_wire_turn_parameters *turn) {
    acp_json_begin_object(writer, "params");
    acp_json_write_uint(writer, "bitfield", turn->bits);
    acp_json_write_float(writer, "speed", turn->speed);
    acp_json_write_float(writer, "desired_heading", turn->desired_heading);
    acp_json_end_object(writer);
}

void acp_wire_json_write_movement(acp_json_writer *writer, const char *key, const acp_wire_movement *movement) {
    uint8_t type = movement->type;
    acp_json_begin_object(writer, key);
    acp_json_write_uint(writer, "type", type);
    acp_json_write_uint(writer, "motion_flags", movement->flags);
    acp_json_write_uint(writer, "style", movement->style);
    if (type == ACP_WIRE_MOVEMENT_STATE) {
        write_interpreted(writer, &movement->state);
        if (movement->flags & 1u) acp_json_write_id(writer, "sticky_object", movement->sticky_object);
    }
    if (type == ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT || type == ACP_WIRE_MOVEMENT_TURN_TO_OBJECT)
        acp_json_write_id(writer, "target", movement->target);
    if (type == ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT || type == ACP_WIRE_MOVEMENT_MOVE_TO_POSITION) {
        write_origin(writer, "position", &movement->destination);
        write_move_parameters(writer, &movement->move_parameters);
        acp_json_write_float(writer, "run_rate", movement->run_rate);
    }
    if (type == ACP_WIRE_MOVEMENT_TURN_TO_OBJECT) acp_json_write_float(writer, "desired_heading", movement->desired_heading);
    if (type == ACP_WIRE_MOVEMENT_TURN_TO_OBJECT || type == ACP_WIRE_MOVEMENT_TURN_TO_HEADING)
        write_turn_parameters(writer, &movement->turn_parameters);
    acp_json_end_object(writer);
}

static uint8_t get_u8(acp_json_input *input, const acp_json *object, const char *key) {
    uint32_t value = acp_json_get_uint32_or(input, object, key, 0);
    if (value > 0xFFu) (void)acp_json_fail(input, ACP_ERROR_OUT_OF_RANGE, key, "does not fit 8 bits");
    return (uint8_t)value;
}

void acp_wire_json_read_movement(acp_json_input *input, const acp_json *object, acp_wire_movement *out_movement) {
    memset(out_movement, 0, sizeof *out_movement);
    uint8_t type = out_movement->type = get_u8(input, object, "type");
    out_movement->flags = get_u8(input, object, "motion_flags");
    out_movement->style = get_u16(input, object, "style", 0x3D);
    if (type == ACP_WIRE_MOVEMENT_STATE) {
        read_interpreted(input, acp_json_get_object(input, object, "state"), &out_movement->state);
        out_movement->sticky_object = acp_json_get_id_or(input, object, "sticky_object", 0);
    }
    if (type == ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT || type == ACP_WIRE_MOVEMENT_TURN_TO_OBJECT)
        out_movement->target = acp_json_get_id(input, object, "target");
    if (type == ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT || type == ACP_WIRE_MOVEMENT_MOVE_TO_POSITION) {
        const acp_json *place = acp_json_get_object(input, object, "position");
        out_movement->destination.cell_id = acp_json_get_id(input, place, "cell");
        out_movement->destination.origin = acp_json_get_vec3(input, place, "origin");
        const acp_json *p = acp_json_get_object(input, object, "params");
        acp_wire_move_parameters *move = &out_movement->move_parameters;
        move->bits = acp_json_get_uint32(input, p, "bitfield");
        move->distance_to_object = acp_json_get_float(input, p, "distance_to_object");
        move->min_distance = acp_json_get_float(input, p, "min_distance");
        move->fail_distance = acp_json_get_float(input, p, "fail_distance");
        move->speed = acp_json_get_float(input, p, "speed");
        move->walk_run_threshold = acp_json_get_float(input, p, "walk_run_threshold");
        move->desired_heading = acp_json_get_float(input, p, "desired_heading");
        out_movement->run_rate = acp_json_get_float(input, object, "run_rate");
    }
    if (type == ACP_WIRE_MOVEMENT_TURN_TO_OBJECT) out_movement->desired_heading = acp_json_get_float(input, object, "desired_heading");
    if (type == ACP_WIRE_MOVEMENT_TURN_TO_OBJECT || type == ACP_WIRE_MOVEMENT_TURN_TO_HEADING) {
        const acp_json *p = acp_json_get_object(input, object, "params");
        out_movement->turn_parameters.bits = acp_json_get_uint32(input, p, "bitfield");
        out_movement->turn_parameters.speed = acp_json_get_float(input, p, "speed");
        out_movement->turn_parameters.desired_heading = acp_json_get_float(input, p, "desired_heading");
    }
}

/* ---- messages ---- */

static void write_action_stamps(acp_json_writer *writer, const acp_wire_action_stamps *stamps) {
    acp_json_write_uint(writer, "instance_ts", stamps->instance);
    acp_json_write_uint(writer, "server_control_ts", stamps->server_control);
    acp_json_write_uint(writer, "teleport_ts", stamps->teleport);
    acp_json_write_uint(writer, "force_position_ts", stamps->force_position);
}

static void write_action(acp_json_writer *writer, const acp_wire_action *action) {
    char name[8];
    static const char digits[] = "0123456789ABCDEF";
    const uint32_t code = action->action;
    for (uint32_t i = 0; i < 4; i++)
        name[2 + i] = digits[code >> (12 - 4 * i) & 15u];
    name[0] = '0';
    name[1] = 'x';
    acp_json_write_uint(writer, "stamp", action->stamp);
    acp_json_write_string_n(writer, "action", name, 6);
    acp_json_write_string(writer, "action_name", acp_wire_action_name(code));
    if (code == ACP_WIRE_ACTION_JUMP) {
        acp_json_write_float(writer, "extent", action->jump_extent);
        acp_json_write_vec3(writer, "velocity", action->jump_velocity);
    }
    if (code == ACP_WIRE_ACTION_MOVE_TO_STATE) write_raw_state(writer, &action->raw);
    if (code == ACP_WIRE_ACTION_LOGIN_COMPLETE || code == ACP_WIRE_ACTION_PING) return;
    acp_wire_json_write_position(writer, &action->position);
    write_action_stamps(writer, &action->stamps);
    if (code == ACP_WIRE_ACTION_JUMP) return;
    acp_json_write_flag(writer, "contact", action->has_contact != 0);
    if (code == ACP_WIRE_ACTION_MOVE_TO_STATE) acp_json_write_flag(writer, "standing_longjump", action->is_standing_long_jump != 0);
}

static void read_action(acp_json_input *input, const acp_json *object, acp_wire_action *out_action) {
    acp_vec3 none = {0.0f, 0.0f, 0.0f};
    memset(out_action, 0, sizeof *out_action);
    out_action->stamp = acp_json_get_uint32_or(input, object, "stamp", 0);
    uint32_t code = out_action->action = acp_json_get_id(input, object, "action");
    if (code == ACP_WIRE_ACTION_LOGIN_COMPLETE || code == ACP_WIRE_ACTION_PING) return;
    out_action->position = acp_wire_json_read_position(input, object);
    out_action->stamps.instance = get_u16(input, object, "instance_ts", 0);
    out_action->stamps.server_control = get_u16(input, object, "server_control_ts", 0);
    out_action->stamps.teleport = get_u16(input, object, "teleport_ts", 0);
    out_action->stamps.force_position = get_u16(input, object, "force_position_ts", 0);
    out_action->has_contact = acp_json_get_flag_or(input, object, "contact", false);
    out_action->is_standing_long_jump = acp_json_get_flag_or(input, object, "standing_longjump", false);
    out_action->jump_extent = acp_json_get_float_or(input, object, "extent", 0.0f);
    out_action->jump_velocity = acp_json_get_vec3_or(input, object, "velocity", none);
    out_action->raw = acp_wire_raw_state_default();
    if (code == ACP_WIRE_ACTION_MOVE_TO_STATE) read_raw_state(input, acp_json_get_object(input, object, "raw"), &out_action->raw);
}

static void write_opcode(acp_json_writer *writer, uint32_t opcode) {
    char text[11] = {'0', 'x'};
    static const char digits[] = "0123456789ABCDEF";
    uint32_t length = opcode > 0xFFFFu ? 8 : 4;
    for (uint32_t i = 0; i < length; i++)
        text[2 + i] = digits[opcode >> (4 * (length - 1 - i)) & 15u];
    acp_json_write_string_n(writer, "opcode", text, 2 + length);
    acp_json_write_string(writer, "name", acp_wire_opcode_name(opcode));
}

static void write_stamped(acp_json_writer *writer, const acp_wire_message *message, const char *key) {
    acp_json_write_uint(writer, "instance_ts", message->instance_stamp);
    acp_json_write_uint(writer, key, message->stamp);
}

static void write_motion(acp_json_writer *writer, const acp_wire_message *message) {
    acp_json_write_uint(writer, "movement_ts", message->movement_stamp);
    acp_json_write_uint(writer, "server_control_ts", message->server_control_stamp);
    acp_json_write_uint(writer, "autonomous", message->is_autonomous);
    acp_wire_json_write_movement(writer, "movement", &message->movement);
}

void acp_wire_json_write_message(acp_json_writer *writer, const acp_wire_message *message) {
    write_opcode(writer, message->opcode);
    switch (message->opcode) {
    case ACP_WIRE_UPDATE_POSITION:
    case ACP_WIRE_POSITION_AND_MOVEMENT:
        acp_json_write_id(writer, "object", message->object_id);
        acp_wire_json_write_pack(writer, &message->pack);
        if (message->opcode == ACP_WIRE_POSITION_AND_MOVEMENT) write_motion(writer, message);
        break;
    case ACP_WIRE_UPDATE_MOTION:
        acp_json_write_id(writer, "object", message->object_id);
        acp_json_write_uint(writer, "instance_ts", message->instance_stamp);
        write_motion(writer, message);
        break;
    case ACP_WIRE_VECTOR_UPDATE:
        acp_json_write_id(writer, "object", message->object_id);
        acp_json_write_vec3(writer, "velocity", message->velocity);
        acp_json_write_vec3(writer, "omega", message->omega);
        write_stamped(writer, message, "vector_ts");
        break;
    case ACP_WIRE_SET_STATE:
        acp_json_write_id(writer, "object", message->object_id);
        acp_json_write_id(writer, "state", message->state);
        write_stamped(writer, message, "state_ts");
        break;
    case ACP_WIRE_PLAYER_TELEPORT:
        acp_json_write_uint(writer, "teleport_ts", message->stamp);
        break;
    case ACP_WIRE_PLAYER_CREATE:
        acp_json_write_id(writer, "object", message->object_id);
        break;
    case ACP_WIRE_DELETE_OBJECT:
        acp_json_write_id(writer, "object", message->object_id);
        acp_json_write_uint(writer, "instance_ts", message->instance_stamp);
        break;
    case ACP_WIRE_PICKUP_EVENT:
        acp_json_write_id(writer, "object", message->object_id);
        write_stamped(writer, message, "position_ts");
        break;
    case ACP_WIRE_PARENT_EVENT:
        acp_json_write_id(writer, "parent", message->parent_id);
        acp_json_write_id(writer, "child", message->object_id);
        acp_json_write_uint(writer, "child_location", message->location);
        acp_json_write_uint(writer, "placement", message->placement_id);
        acp_json_write_uint(writer, "parent_instance_ts", message->instance_stamp);
        acp_json_write_uint(writer, "child_position_ts", message->stamp);
        break;
    case ACP_WIRE_PRIVATE_UPDATE_POSITION:
    case ACP_WIRE_PUBLIC_UPDATE_POSITION:
        acp_json_write_uint(writer, "sequence", message->sequence);
        if (message->opcode == ACP_WIRE_PUBLIC_UPDATE_POSITION) acp_json_write_id(writer, "object", message->object_id);
        acp_json_write_uint(writer, "type", message->position_type);
        acp_wire_json_write_position(writer, &message->position);
        break;
    case ACP_WIRE_CREATE_OBJECT:
    case ACP_WIRE_UPDATE_OBJECT:
        acp_wire_json_write_create(writer, &message->create);
        break;
    case ACP_WIRE_ORDERED_ACTION:
        write_action(writer, &message->action);
        break;
    default:
        break;
    }
}

static void read_stamped(acp_json_input *input, const acp_json *object, acp_wire_message *message, const char *key) {
    message->instance_stamp = get_u16(input, object, "instance_ts", 0);
    message->stamp = get_u16(input, object, key, 0);
}

static void read_motion(acp_json_input *input, const acp_json *object, acp_wire_message *message) {
    message->movement_stamp = get_u16(input, object, "movement_ts", 0);
    message->server_control_stamp = get_u16(input, object, "server_control_ts", 0);
    message->is_autonomous = get_u8(input, object, "autonomous");
    acp_wire_json_read_movement(input, acp_json_get_object(input, object, "movement"), &message->movement);
}

void acp_wire_json_read_message(acp_json_input *input, acp_json_reader *memory, const acp_json *object, acp_wire_create_lists *lists,
                                acp_wire_message *out_message) {
    memset(out_message, 0, sizeof *out_message);
    out_message->opcode = acp_json_get_id(input, object, "opcode");
    switch (out_message->opcode) {
    case ACP_WIRE_UPDATE_POSITION:
    case ACP_WIRE_POSITION_AND_MOVEMENT:
        out_message->object_id = acp_json_get_id(input, object, "object");
        acp_wire_json_read_pack(input, object, &out_message->pack);
        if (out_message->opcode == ACP_WIRE_POSITION_AND_MOVEMENT) read_motion(input, object, out_message);
        break;
    case ACP_WIRE_UPDATE_MOTION:
        out_message->object_id = acp_json_get_id(input, object, "object");
        out_message->instance_stamp = get_u16(input, object, "instance_ts", 0);
        read_motion(input, object, out_message);
        break;
    case ACP_WIRE_VECTOR_UPDATE:
        out_message->object_id = acp_json_get_id(input, object, "object");
        out_message->velocity = acp_json_get_vec3(input, object, "velocity");
        out_message->omega = acp_json_get_vec3(input, object, "omega");
        read_stamped(input, object, out_message, "vector_ts");
        break;
    case ACP_WIRE_SET_STATE:
        out_message->object_id = acp_json_get_id(input, object, "object");
        out_message->state = acp_json_get_id(input, object, "state");
        read_stamped(input, object, out_message, "state_ts");
        break;
    case ACP_WIRE_PLAYER_TELEPORT:
        out_message->stamp = get_u16(input, object, "teleport_ts", 0);
        break;
    case ACP_WIRE_PLAYER_CREATE:
        out_message->object_id = acp_json_get_id(input, object, "object");
        break;
    case ACP_WIRE_DELETE_OBJECT:
        out_message->object_id = acp_json_get_id(input, object, "object");
        out_message->instance_stamp = get_u16(input, object, "instance_ts", 0);
        break;
    case ACP_WIRE_PICKUP_EVENT:
        out_message->object_id = acp_json_get_id(input, object, "object");
        read_stamped(input, object, out_message, "position_ts");
        break;
    case ACP_WIRE_PARENT_EVENT:
        out_message->parent_id = acp_json_get_id(input, object, "parent");
        out_message->object_id = acp_json_get_id(input, object, "child");
        out_message->location = acp_json_get_uint32(input, object, "child_location");
        out_message->placement_id = acp_json_get_uint32(input, object, "placement");
        out_message->instance_stamp = get_u16(input, object, "parent_instance_ts", 0);
        out_message->stamp = get_u16(input, object, "child_position_ts", 0);
        break;
    case ACP_WIRE_PRIVATE_UPDATE_POSITION:
    case ACP_WIRE_PUBLIC_UPDATE_POSITION:
        out_message->sequence = get_u8(input, object, "sequence");
        if (out_message->opcode == ACP_WIRE_PUBLIC_UPDATE_POSITION) out_message->object_id = acp_json_get_id(input, object, "object");
        out_message->position_type = acp_json_get_uint32(input, object, "type");
        out_message->position = acp_wire_json_read_position(input, object);
        break;
    case ACP_WIRE_CREATE_OBJECT:
    case ACP_WIRE_UPDATE_OBJECT:
        acp_wire_json_read_create(input, memory, object, lists, &out_message->create);
        break;
    case ACP_WIRE_ORDERED_ACTION:
        read_action(input, object, &out_message->action);
        break;
    default:
        (void)acp_json_fail(input, ACP_ERROR_UNSUPPORTED, "opcode", "is not a position message");
        break;
    }
}

const char *acp_wire_json_stamp_name(uint32_t index) { return index < ACP_WIRE_STAMP_COUNT ? stamp_names[index] : NULL; }
