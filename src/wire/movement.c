/* SPDX-License-Identifier: MIT */
/* Motion states and movement blocks (spec 10 NET-31 to NET-33): the interpreted state with 16-bit commands, the raw state with 32-bit
 * ones, and the five types of movement block.
 *
 * Absent fields decode to their defaults; an encoder refuses a field that differs from its default while its presence bit is clear, since
 * it would be lost. Alignment counts from the start of the reader: the message, or the block itself inside a create message.
 *
 * Contract: an unknown block type is an error at its own offset. Limits: 31 actions (five bits). Cost: one pass, no allocation. */
#include "wire/pieces.h"

#include "base/error.h"

#define DEFAULT_RAW_STYLE   0x8000003Du
#define DEFAULT_RAW_FORWARD 0x41000003u
#define STICKY_FLAG         1u

acp_wire_interpreted_state acp_wire_interpreted_state_default(void) {
    acp_wire_interpreted_state state = {
        .style = 0x3Du, .forward_command = 0x3u, .forward_speed = 1.0f, .sidestep_speed = 1.0f, .turn_speed = 1.0f};
    return state;
}

acp_wire_raw_state acp_wire_raw_state_default(void) {
    acp_wire_raw_state state = {.hold_key = 1u,
                                .style = DEFAULT_RAW_STYLE,
                                .forward_command = DEFAULT_RAW_FORWARD,
                                .forward_speed = 1.0f,
                                .sidestep_speed = 1.0f,
                                .turn_speed = 1.0f};
    return state;
}

static bool is_one(float value) { return !(value < 1.0f) && !(value > 1.0f); }

static void read_actions(acp_reader *reader, uint32_t count, acp_wire_motion_action *actions) {
    for (uint32_t i = 0; i < count && acp_reader_is_ok(reader); i++) {
        actions[i].command = acp_reader_u16(reader, "action.command");
        uint16_t stamp = acp_reader_u16(reader, "action.stamp");
        actions[i].stamp = stamp & 0x7FFFu;
        actions[i].is_autonomous = (uint32_t)stamp >> 15;
        actions[i].speed = acp_wire_read_float(reader, "action.speed");
    }
}

static void write_actions(acp_wire_output *output, uint32_t count, const acp_wire_motion_action *actions) {
    if (count > ACP_WIRE_MAX_ACTIONS) {
        acp_wire_refuse(output, ACP_ERROR_OUT_OF_RANGE, "action_count");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (actions[i].stamp > 0x7FFFu) acp_wire_refuse(output, ACP_ERROR_OUT_OF_RANGE, "action.stamp");
        acp_writer_u16(&output->writer, actions[i].command);
        acp_writer_u16(&output->writer, (uint16_t)(actions[i].stamp | (actions[i].is_autonomous ? 0x8000u : 0u)));
        acp_wire_write_float(output, actions[i].speed, "action.speed");
    }
}

void acp_wire_read_interpreted_state(acp_reader *reader, acp_wire_interpreted_state *out_state) {
    uint32_t word = acp_reader_u32(reader, "state.flags");
    uint32_t presence = word & 0x7Fu;
    out_state->presence = presence;
    out_state->action_count = (word >> 7) & 0x1Fu;
    out_state->style = presence & ACP_WIRE_STATE_STYLE ? acp_reader_u16(reader, "state.style") : (uint16_t)0x3Du;
    out_state->forward_command = presence & ACP_WIRE_STATE_FORWARD ? acp_reader_u16(reader, "state.forward") : (uint16_t)0x3u;
    out_state->sidestep_command = presence & ACP_WIRE_STATE_SIDESTEP ? acp_reader_u16(reader, "state.sidestep") : (uint16_t)0u;
    out_state->turn_command = presence & ACP_WIRE_STATE_TURN ? acp_reader_u16(reader, "state.turn") : (uint16_t)0u;
    out_state->forward_speed = presence & ACP_WIRE_STATE_FORWARD_SPEED ? acp_wire_read_float(reader, "state.forward_speed") : 1.0f;
    out_state->sidestep_speed = presence & ACP_WIRE_STATE_SIDESTEP_SPEED ? acp_wire_read_float(reader, "state.sidestep_speed") : 1.0f;
    out_state->turn_speed = presence & ACP_WIRE_STATE_TURN_SPEED ? acp_wire_read_float(reader, "state.turn_speed") : 1.0f;
    read_actions(reader, out_state->action_count, out_state->actions);
    acp_reader_align4(reader, "state.pad");
}

void acp_wire_write_interpreted_state(acp_wire_output *output, const acp_wire_interpreted_state *state) {
    acp_writer *writer = &output->writer;
    uint32_t presence = state->presence;
    if (presence & ~0x7Fu) acp_wire_refuse(output, ACP_ERROR_OUT_OF_RANGE, "state.flags");
    bool is_lost = (!(presence & ACP_WIRE_STATE_STYLE) && state->style != 0x3Du) ||
                   (!(presence & ACP_WIRE_STATE_FORWARD) && state->forward_command != 0x3u) ||
                   (!(presence & ACP_WIRE_STATE_SIDESTEP) && state->sidestep_command != 0) ||
                   (!(presence & ACP_WIRE_STATE_TURN) && state->turn_command != 0) ||
                   (!(presence & ACP_WIRE_STATE_FORWARD_SPEED) && !is_one(state->forward_speed)) ||
                   (!(presence & ACP_WIRE_STATE_SIDESTEP_SPEED) && !is_one(state->sidestep_speed)) ||
                   (!(presence & ACP_WIRE_STATE_TURN_SPEED) && !is_one(state->turn_speed));
    if (is_lost) acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "state.flags");
    acp_writer_u32(writer, presence | (state->action_count & 0x1Fu) << 7);
    if (presence & ACP_WIRE_STATE_STYLE) acp_writer_u16(writer, state->style);
    if (presence & ACP_WIRE_STATE_FORWARD) acp_writer_u16(writer, state->forward_command);
    if (presence & ACP_WIRE_STATE_SIDESTEP) acp_writer_u16(writer, state->sidestep_command);
    if (presence & ACP_WIRE_STATE_TURN) acp_writer_u16(writer, state->turn_command);
    if (presence & ACP_WIRE_STATE_FORWARD_SPEED) acp_wire_write_float(output, state->forward_speed, "state.forward_speed");
    if (presence & ACP_WIRE_STATE_SIDESTEP_SPEED) acp_wire_write_float(output, state->sidestep_speed, "state.sidestep_speed");
    if (presence & ACP_WIRE_STATE_TURN_SPEED) acp_wire_write_float(output, state->turn_speed, "state.turn_speed");
    write_actions(output, state->action_count, state->actions);
    acp_writer_align4(writer);
}

/* The eleven fields of a raw state in bit order: one table serves presence, reading and writing. */
typedef struct raw_field {
    const char *name;
    size_t offset;
    bool is_speed;
} raw_field;

#define RAW_FIELD(member, is_speed)                                                                                                        \
    { "raw." #member, offsetof(acp_wire_raw_state, member), is_speed }
static const raw_field raw_fields[11] = {
    RAW_FIELD(hold_key, false),          RAW_FIELD(style, false),         RAW_FIELD(forward_command, false),
    RAW_FIELD(forward_hold_key, false),  RAW_FIELD(forward_speed, true),  RAW_FIELD(sidestep_command, false),
    RAW_FIELD(sidestep_hold_key, false), RAW_FIELD(sidestep_speed, true), RAW_FIELD(turn_command, false),
    RAW_FIELD(turn_hold_key, false),     RAW_FIELD(turn_speed, true)};

static uint32_t *raw_word(acp_wire_raw_state *state, const raw_field *field) {
    return (uint32_t *)(void *)((unsigned char *)state + field->offset);
}

static float *raw_speed(acp_wire_raw_state *state, const raw_field *field) {
    return (float *)(void *)((unsigned char *)state + field->offset);
}

static bool is_raw_default(acp_wire_raw_state *state, acp_wire_raw_state *defaults, const raw_field *field) {
    return field->is_speed ? is_one(*raw_speed(state, field)) : *raw_word(state, field) == *raw_word(defaults, field);
}

void acp_wire_raw_state_set_presence(acp_wire_raw_state *state) {
    acp_wire_raw_state defaults = acp_wire_raw_state_default();
    state->presence = 0;
    for (uint32_t i = 0; i < 11; i++)
        if (!is_raw_default(state, &defaults, &raw_fields[i])) state->presence |= 1u << i;
}

void acp_wire_read_raw_state(acp_reader *reader, acp_wire_raw_state *out_state) {
    uint32_t word = acp_reader_u32(reader, "raw.flags");
    *out_state = acp_wire_raw_state_default();
    out_state->presence = word & 0x7FFu;
    out_state->action_count = (word >> 11) & 0x1Fu;
    for (uint32_t i = 0; i < 11; i++) {
        const raw_field *field = &raw_fields[i];
        if (!(out_state->presence & 1u << i)) continue;
        if (field->is_speed)
            *raw_speed(out_state, field) = acp_wire_read_float(reader, field->name);
        else
            *raw_word(out_state, field) = acp_reader_u32(reader, field->name);
    }
    read_actions(reader, out_state->action_count, out_state->actions);
}

void acp_wire_write_raw_state(acp_wire_output *output, const acp_wire_raw_state *state) {
    acp_wire_raw_state copy = *state;
    acp_wire_raw_state defaults = acp_wire_raw_state_default();
    if (state->presence & ~0x7FFu) acp_wire_refuse(output, ACP_ERROR_OUT_OF_RANGE, "raw.flags");
    acp_writer_u32(&output->writer, state->presence | (state->action_count & 0x1Fu) << 11);
    for (uint32_t i = 0; i < 11; i++) {
        const raw_field *field = &raw_fields[i];
        if (!(state->presence & 1u << i)) {
            if (!is_raw_default(&copy, &defaults, field)) acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "raw.flags");
        } else if (field->is_speed) {
            acp_wire_write_float(output, *raw_speed(&copy, field), field->name);
        } else {
            acp_writer_u32(&output->writer, *raw_word(&copy, field));
        }
    }
    write_actions(output, state->action_count, state->actions);
}

static void read_move_parameters(acp_reader *reader, acp_wire_move_parameters *out) {
    out->bits = acp_reader_u32(reader, "move.bits");
    out->distance_to_object = acp_wire_read_float(reader, "move.distance_to_object");
    out->min_distance = acp_wire_read_float(reader, "move.min_distance");
    out->fail_distance = acp_wire_read_float(reader, "move.fail_distance");
    out->speed = acp_wire_read_float(reader, "move.speed");
    out->walk_run_threshold = acp_wire_read_float(reader, "move.walk_run_threshold");
    out->desired_heading = acp_wire_read_float(reader, "move.desired_heading");
}

static void write_move_parameters(acp_wire_output *output, const acp_wire_move_parameters *move) {
    acp_writer_u32(&output->writer, move->bits);
    acp_wire_write_float(output, move->distance_to_object, "move.distance_to_object");
    acp_wire_write_float(output, move->min_distance, "move.min_distance");
    acp_wire_write_float(output, move->fail_distance, "move.fail_distance");
    acp_wire_write_float(output, move->speed, "move.speed");
    acp_wire_write_float(output, move->walk_run_threshold, "move.walk_run_threshold");
    acp_wire_write_float(output, move->desired_heading, "move.desired_heading");
}

static void read_turn_parameters(acp_reader *reader, acp_wire_turn_parameters *out) {
    out->bits = acp_reader_u32(reader, "turn.bits");
    out->speed = acp_wire_read_float(reader, "turn.speed");
    out->desired_heading = acp_wire_read_float(reader, "turn.desired_heading");
}

static void write_turn_parameters(acp_wire_output *output, const acp_wire_turn_parameters *turn) {
    acp_writer_u32(&output->writer, turn->bits);
    acp_wire_write_float(output, turn->speed, "turn.speed");
    acp_wire_write_float(output, turn->desired_heading, "turn.desired_heading");
}

void acp_wire_read_movement(acp_reader *reader, acp_wire_movement *out_movement) {
    size_t offset = reader->offset;
    out_movement->type = acp_reader_u8(reader, "movement.type");
    out_movement->flags = acp_reader_u8(reader, "movement.flags");
    out_movement->style = acp_reader_u16(reader, "movement.style");
    out_movement->sticky_object = 0;
    out_movement->target = 0;
    switch (out_movement->type) {
    case ACP_WIRE_MOVEMENT_STATE:
        acp_wire_read_interpreted_state(reader, &out_movement->state);
        if (out_movement->flags & STICKY_FLAG) out_movement->sticky_object = acp_reader_u32(reader, "movement.sticky_object");
        break;
    case ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT:
    case ACP_WIRE_MOVEMENT_MOVE_TO_POSITION:
        if (out_movement->type == ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT) out_movement->target = acp_reader_u32(reader, "movement.target");
        acp_wire_read_origin(reader, &out_movement->destination);
        read_move_parameters(reader, &out_movement->move_parameters);
        out_movement->run_rate = acp_wire_read_float(reader, "movement.run_rate");
        break;
    case ACP_WIRE_MOVEMENT_TURN_TO_OBJECT:
        out_movement->target = acp_reader_u32(reader, "movement.target");
        out_movement->desired_heading = acp_wire_read_float(reader, "movement.desired_heading");
        read_turn_parameters(reader, &out_movement->turn_parameters);
        break;
    case ACP_WIRE_MOVEMENT_TURN_TO_HEADING:
        read_turn_parameters(reader, &out_movement->turn_parameters);
        break;
    default:
        (void)acp_reader_fail_at(reader, offset, ACP_ERROR_BAD_DATA, "movement.type");
        break;
    }
}

void acp_wire_write_movement(acp_wire_output *output, const acp_wire_movement *movement) {
    acp_writer *writer = &output->writer;
    acp_writer_u8(writer, movement->type);
    acp_writer_u8(writer, movement->flags);
    acp_writer_u16(writer, movement->style);
    switch (movement->type) {
    case ACP_WIRE_MOVEMENT_STATE:
        acp_wire_write_interpreted_state(output, &movement->state);
        if (movement->flags & STICKY_FLAG)
            acp_writer_u32(writer, movement->sticky_object);
        else if (movement->sticky_object != 0)
            acp_wire_refuse(output, ACP_ERROR_INVALID_ARGUMENT, "movement.flags");
        break;
    case ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT:
    case ACP_WIRE_MOVEMENT_MOVE_TO_POSITION:
        if (movement->type == ACP_WIRE_MOVEMENT_MOVE_TO_OBJECT) acp_writer_u32(writer, movement->target);
        acp_wire_write_origin(output, &movement->destination);
        write_move_parameters(output, &movement->move_parameters);
        acp_wire_write_float(output, movement->run_rate, "movement.run_rate");
        break;
    case ACP_WIRE_MOVEMENT_TURN_TO_OBJECT:
        acp_writer_u32(writer, movement->target);
        acp_wire_write_float(output, movement->desired_heading, "movement.desired_heading");
        write_turn_parameters(output, &movement->turn_parameters);
        break;
    case ACP_WIRE_MOVEMENT_TURN_TO_HEADING:
        write_turn_parameters(output, &movement->turn_parameters);
        break;
    default:
        acp_wire_refuse(output, ACP_ERROR_BAD_DATA, "movement.type");
        break;
    }
}

acp_result acp_wire_movement_decode(const void *bytes, size_t size, acp_wire_movement *out_movement, acp_error *error) {
    if (!bytes || !out_movement) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire movement decode", "null argument");
    acp_reader reader = acp_reader_make(bytes, size);
    acp_wire_read_movement(&reader, out_movement);
    return acp_wire_reader_finish(&reader, error, "wire movement decode");
}

acp_result acp_wire_movement_encode(const acp_wire_movement *movement, void *bytes, size_t capacity, size_t *out_size, acp_error *error) {
    if (!bytes || !movement || !out_size) return acp_error_set(error, ACP_ERROR_INVALID_ARGUMENT, "wire movement encode", "null argument");
    acp_wire_output output;
    acp_wire_output_init(&output, bytes, capacity);
    acp_wire_write_movement(&output, movement);
    return acp_wire_output_finish(&output, out_size, error, "wire movement encode");
}
