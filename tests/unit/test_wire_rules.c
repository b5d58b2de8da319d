/* SPDX-License-Identifier: MIT */
/* Stamps, the instance rule, received positions, cadence, refusals: values from spec 10 NET-20, NET-38 to NET-41, NET-47, NET-48, NET-54.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/wire.h"
#include "tests/support/random.h"

static void stamps_wrap(void **state) {
    (void)state;
    static const struct {
        uint16_t stored, incoming;
        int is_newer;
    } rows[] = {{0, 1, 1},      {1, 0, 0},      {0xFFFF, 0, 1}, {0, 0xFFFF, 0},     {0, 0x7FFF, 1},
                {0, 0x8000, 0}, {0x8000, 0, 1}, {5, 5, 0},      {0x1234, 0x1234, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(acp_wire_stamp_is_newer(rows[i].stored, rows[i].incoming), rows[i].is_newer);
    uint16_t all[ACP_WIRE_STAMP_COUNT] = {0};
    assert_int_equal(acp_wire_stamps_accept(all, ACP_WIRE_STAMP_STATE, 7), 1);
    assert_int_equal(all[ACP_WIRE_STAMP_STATE], 7);
    assert_int_equal(acp_wire_stamps_accept(all, ACP_WIRE_STAMP_STATE, 7), 0);
    assert_int_equal(acp_wire_stamps_accept(all, ACP_WIRE_STAMP_STATE, 6), 0);
    assert_int_equal(all[ACP_WIRE_STAMP_STATE], 7);
    assert_int_equal(acp_wire_stamps_accept(all, ACP_WIRE_STAMP_COUNT, 1), 0);
}

/* Of two different stamps exactly one is newer: over all distances. */
static void stamps_are_antisymmetric(void **state) {
    (void)state;
    test_random random = {test_seed("wire_rules", 1)};
    for (uint32_t i = 0; i < 200000; i++) {
        uint16_t a = (uint16_t)test_random_u32(&random), b = (uint16_t)test_random_u32(&random);
        if (a == b) continue;
        assert_int_equal(acp_wire_stamp_is_newer(a, b) + acp_wire_stamp_is_newer(b, a), 1);
    }
}

static void sequences_wrap(void **state) {
    (void)state;
    assert_int_equal(acp_wire_sequence_is_newer(1, 0), 1);
    assert_int_equal(acp_wire_sequence_is_newer(0, 1), 0);
    assert_int_equal(acp_wire_sequence_is_newer(3, 3), 0);
    assert_int_equal(acp_wire_sequence_is_newer(0, 0xFFFFFFFFu), 1);
    assert_int_equal(acp_wire_sequence_is_newer(0xFFFFFFFFu, 0), 0);
    assert_int_equal(acp_wire_sequence_is_newer(0x7FFFFFFFu, 0), 1);
    assert_int_equal(acp_wire_sequence_is_newer(0x80000000u, 0), 0);
}

static void instance_rule(void **state) {
    (void)state;
    assert_int_equal(acp_wire_instance_rule(0, 9, 1), ACP_WIRE_INSTANCE_KEEP);
    assert_int_equal(acp_wire_instance_rule(1, 4, 5), ACP_WIRE_INSTANCE_KEEP);
    assert_int_equal(acp_wire_instance_rule(1, 4, 4), ACP_WIRE_INSTANCE_APPLY);
    assert_int_equal(acp_wire_instance_rule(1, 4, 3), ACP_WIRE_INSTANCE_DROP);
}

/* One row of NET-41 per line. */
static void received_positions(void **state) {
    (void)state;
    acp_wire_position_pack pack = {.flags = ACP_WIRE_PACK_HAS_CONTACT, .position_stamp = 5};
    acp_wire_receiver player = {.is_player = 1, .has_cell = 1, .autonomy_level = 2};
    acp_wire_receiver other = {.has_cell = 1, .player_distance = 95.9f};
    uint16_t s[ACP_WIRE_STAMP_COUNT] = {4};

    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_CONSTRAIN);
    assert_int_equal(s[0], 5);
    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_IGNORE); /* the same stamp again */

    player.autonomy_level = 1;
    pack.position_stamp = 6;
    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_INTERPOLATE);
    pack.position_stamp = 7;
    pack.flags = 0;
    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_CONSTRAIN); /* no contact: no interpolation */

    pack.position_stamp = 3; /* older, but forced */
    pack.force_position_stamp = 1;
    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_FORCE);
    assert_int_equal(s[ACP_WIRE_STAMP_POSITION], 3);
    assert_int_equal(s[ACP_WIRE_STAMP_FORCE_POSITION], 1);

    pack.position_stamp = 8;
    pack.teleport_stamp = 1;
    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_TELEPORT);
    assert_int_equal(s[ACP_WIRE_STAMP_TELEPORT], 1);

    pack.position_stamp = 9;
    pack.teleport_stamp = 0; /* older than the stored one: the position stamp is put back */
    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_IGNORE);
    assert_int_equal(s[ACP_WIRE_STAMP_POSITION], 8);
    pack.force_position_stamp = 2; /* forced, but from before the teleport: stored, not obeyed */
    assert_int_equal(acp_wire_received_position(s, &player, &pack), ACP_WIRE_RECEIVED_IGNORE);
    assert_int_equal(s[ACP_WIRE_STAMP_FORCE_POSITION], 2);

    uint16_t o[ACP_WIRE_STAMP_COUNT] = {0};
    acp_wire_position_pack seen = {.flags = ACP_WIRE_PACK_HAS_CONTACT, .position_stamp = 1};
    assert_int_equal(acp_wire_received_position(o, &other, &seen), ACP_WIRE_RECEIVED_INTERPOLATE);
    seen.position_stamp = 2;
    other.player_distance = 96.0f;
    assert_int_equal(acp_wire_received_position(o, &other, &seen), ACP_WIRE_RECEIVED_SNAP);
    seen.position_stamp = 3;
    seen.flags = 0;
    assert_int_equal(acp_wire_received_position(o, &other, &seen), ACP_WIRE_RECEIVED_IGNORE);
    seen.position_stamp = 4;
    seen.teleport_stamp = 1;
    assert_int_equal(acp_wire_received_position(o, &other, &seen), ACP_WIRE_RECEIVED_TELEPORT);
    seen.position_stamp = 5;
    other.has_cell = 0;
    assert_int_equal(acp_wire_received_position(o, &other, &seen), ACP_WIRE_RECEIVED_TELEPORT);
    seen.position_stamp = 6;
    seen.force_position_stamp = 9; /* forces concern the player alone */
    other.has_cell = 1;
    assert_int_equal(acp_wire_received_position(o, &other, &seen), ACP_WIRE_RECEIVED_IGNORE);
    assert_int_equal(o[ACP_WIRE_STAMP_FORCE_POSITION], 0);
}

static acp_wire_outbound_state standing(void) {
    acp_wire_outbound_state s = {.position = {0xA9B40019u, {{84.5f, 7.25f, 94.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}},
                                 .contact_normal = {0.0f, 0.0f, 1.0f},
                                 .contact_d = -94.0f,
                                 .is_in_contact = 1,
                                 .is_on_walkable = 1};
    return s;
}

static void cadence(void **state) {
    (void)state;
    const float eps = 0x1.a36e2ep-13f;
    acp_wire_outbound_state last = standing(), now = standing();
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 20.0, 2), ACP_WIRE_SEND_NOTHING_CHANGED);
    now.position.frame.origin.x += 1.0f;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 11.0, 2), ACP_WIRE_SEND_NOTHING_CHANGED); /* strictly more */
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 11.0000001, 2), ACP_WIRE_SEND_MOVED);
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 1), ACP_WIRE_SEND_DISABLED);
    now.is_on_walkable = 0;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 2), ACP_WIRE_SEND_NOT_GROUNDED);
    now.is_on_walkable = 1;
    now.is_in_contact = 0;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 2), ACP_WIRE_SEND_NOT_GROUNDED);
    now = standing();
    now.position.cell_id = 0xA9B4001Au;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 10.1, 2), ACP_WIRE_SEND_CELL_CHANGED);
    now.position.cell_id = 0xA9B40050u; /* in the gap: no place */
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 10.1, 2), ACP_WIRE_SEND_INVALID_POSITION);
    now = standing();
    now.contact_d = -95.0f;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 10.1, 2), ACP_WIRE_SEND_PLANE_CHANGED);
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 2),
                     ACP_WIRE_SEND_NOTHING_CHANGED); /* planes count early only */

    /* ties at the epsilon: equal for origin and normal, different for quaternion and plane distance */
    last.position.frame.origin.x = 0.0f;
    now = last;
    now.position.frame.origin.x = eps;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 2), ACP_WIRE_SEND_NOTHING_CHANGED);
    now.position.frame.origin.x = nextafterf(eps, 1.0f);
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 2), ACP_WIRE_SEND_MOVED);
    now = last;
    now.position.frame.rotation.x = eps;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 2), ACP_WIRE_SEND_MOVED);
    now = last;
    now.contact_normal.x = eps;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 10.5, 2), ACP_WIRE_SEND_NOTHING_CHANGED);
    last.contact_d = 0.0f;
    now = last;
    now.contact_d = eps;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 10.5, 2), ACP_WIRE_SEND_PLANE_CHANGED);
    now = last; /* the negated quaternion is the same turn, but counts as different */
    now.position.frame.rotation.w = -1.0f;
    assert_int_equal(acp_wire_should_send_position(&last, &now, 10.0, 12.0, 2), ACP_WIRE_SEND_MOVED);
}

/* Retail's packer: parts below the epsilon are dropped, the epsilon itself travels. */
static void packer_flags(void **state) {
    (void)state;
    const float eps = 0x1.a36e2ep-13f;
    acp_wire_position_pack pack = {.position = {0xA9B40019u, {{1.0f, 2.0f, 3.0f}, {1.0f, eps, nextafterf(eps, 0.0f), -0.0f}}},
                                   .velocity = {nextafterf(eps, 0.0f), 0.0f, 0.0f}};
    acp_wire_position_pack_flags(&pack, 1);
    assert_int_equal(pack.flags, ACP_WIRE_PACK_HAS_CONTACT | ACP_WIRE_PACK_OMITS_Y | ACP_WIRE_PACK_OMITS_Z);
    assert_true(pack.position.frame.rotation.y == 0.0f && pack.velocity.x == 0.0f);
    pack.velocity.z = -eps;
    pack.placement_id = 101;
    acp_wire_position_pack_flags(&pack, 0);
    assert_int_equal(pack.flags, ACP_WIRE_PACK_OMITS_Y | ACP_WIRE_PACK_OMITS_Z | ACP_WIRE_PACK_HAS_VELOCITY | ACP_WIRE_PACK_HAS_PLACEMENT);
}

static void put_word(uint8_t *at, uint32_t value) {
    for (uint32_t i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void a_bad_field_is_named(void **state) {
    (void)state;
    acp_position position = {0xA9B40019u, {{84.5f, 7.25f, 94.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}}, out;
    uint8_t bytes[32], broken[33];
    acp_error error;
    assert_int_equal(acp_wire_position_encode(&position, bytes, sizeof bytes, &error), ACP_OK);
    static const struct {
        uint32_t offset, word;
        acp_result result;
        const char *field;
    } rows[] = {
        {0, 0xA9B40000u, ACP_ERROR_INVALID_ID, "position.cell_id"},   {0, 0xA9B40041u, ACP_ERROR_INVALID_ID, "position.cell_id"},
        {0, 0xA9B400FFu, ACP_ERROR_INVALID_ID, "position.cell_id"},   {0, 0xA9B4FFFEu, ACP_ERROR_INVALID_ID, "position.cell_id"},
        {0, 0xA9B4FFFFu, ACP_ERROR_INVALID_ID, "position.cell_id"},   {0, 0xFFB40001u, ACP_ERROR_INVALID_ID, "position.cell_id"},
        {8, 0x7FC00000u, ACP_ERROR_NOT_FINITE, "position.origin"},    {12, 0x7F800000u, ACP_ERROR_NOT_FINITE, "position.origin"},
        {20, 0xFF800000u, ACP_ERROR_NOT_FINITE, "position.rotation"}, {16, 0x3F8020C5u, ACP_ERROR_BAD_DATA, "position.rotation"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memcpy(broken, bytes, sizeof bytes);
        put_word(broken + rows[i].offset, rows[i].word);
        assert_int_equal(acp_wire_position_decode(broken, sizeof bytes, &out, &error), rows[i].result);
        assert_string_equal(error.field, rows[i].field);
        assert_int_equal(error.byte_offset, rows[i].offset);
    }
    memcpy(broken, bytes, sizeof bytes);
    assert_int_equal(acp_wire_position_decode(broken, 33, &out, &error), ACP_ERROR_BAD_DATA);
    assert_string_equal(error.field, "trailing bytes");
    assert_int_equal(error.byte_offset, 32);
    position.cell_id = 0;
    assert_int_equal(acp_wire_position_encode(&position, bytes, sizeof bytes, &error), ACP_ERROR_INVALID_ID);
    position.cell_id = 0xA9B40019u;
    assert_int_equal(acp_wire_position_encode(&position, bytes, 31, &error), ACP_ERROR_LIMIT);
}

static void flags_that_lose_a_value_are_refused(void **state) {
    (void)state;
    acp_wire_position_pack pack = {.flags = ACP_WIRE_PACK_OMITS_X | ACP_WIRE_PACK_OMITS_Y,
                                   .position = {0xA9B40019u, {{1.0f, 2.0f, 3.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}}};
    uint8_t bytes[64];
    size_t size;
    acp_error error;
    assert_int_equal(acp_wire_position_pack_encode(&pack, bytes, sizeof bytes, &size, &error), ACP_OK);
    assert_int_equal(size, 36);
    pack.position.frame.rotation.x = 0.001f;
    assert_int_equal(acp_wire_position_pack_encode(&pack, bytes, sizeof bytes, &size, &error), ACP_ERROR_INVALID_ARGUMENT);
    pack.position.frame.rotation.x = 0.0f;
    pack.velocity.y = 1.0f;
    assert_int_equal(acp_wire_position_pack_encode(&pack, bytes, sizeof bytes, &size, &error), ACP_ERROR_INVALID_ARGUMENT);
    pack.velocity.y = 0.0f;
    pack.placement_id = 1;
    assert_int_equal(acp_wire_position_pack_encode(&pack, bytes, sizeof bytes, &size, &error), ACP_ERROR_INVALID_ARGUMENT);
    acp_wire_movement movement = {.type = 5};
    assert_int_equal(acp_wire_movement_encode(&movement, bytes, sizeof bytes, &size, &error), ACP_ERROR_BAD_DATA);
    movement.type = ACP_WIRE_MOVEMENT_STATE;
    movement.state = acp_wire_interpreted_state_default();
    movement.state.forward_command = 7;
    assert_int_equal(acp_wire_movement_encode(&movement, bytes, sizeof bytes, &size, &error), ACP_ERROR_INVALID_ARGUMENT);
    movement.state.presence = ACP_WIRE_STATE_FORWARD;
    assert_int_equal(acp_wire_movement_encode(&movement, bytes, sizeof bytes, &size, &error), ACP_OK);
    movement.state.action_count = ACP_WIRE_MAX_ACTIONS + 1;
    assert_int_equal(acp_wire_movement_encode(&movement, bytes, sizeof bytes, &size, &error), ACP_ERROR_OUT_OF_RANGE);
}

static void unknown_messages_are_refused(void **state) {
    (void)state;
    static acp_wire_message message;
    uint8_t bytes[16] = {0};
    acp_error error;
    put_word(bytes, 0xF7B0u);
    assert_int_equal(acp_wire_message_decode(bytes, sizeof bytes, &message, &error), ACP_ERROR_UNSUPPORTED);
    put_word(bytes, ACP_WIRE_ORDERED_ACTION);
    put_word(bytes + 8, 0x0019u);
    assert_int_equal(acp_wire_message_decode(bytes, 12, &message, &error), ACP_ERROR_UNSUPPORTED);
    assert_string_equal(error.field, "action");
    assert_null(acp_wire_opcode_name(0xF7B0u));
    assert_string_equal(acp_wire_opcode_name(0xF748u), "UpdatePosition");
    assert_string_equal(acp_wire_action_name(0xF61Bu), "Jump");
    assert_null(acp_wire_action_name(0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_wrap),
        cmocka_unit_test(stamps_are_antisymmetric),
        cmocka_unit_test(sequences_wrap),
        cmocka_unit_test(instance_rule),
        cmocka_unit_test(received_positions),
        cmocka_unit_test(cadence),
        cmocka_unit_test(packer_flags),
        cmocka_unit_test(a_bad_field_is_named),
        cmocka_unit_test(flags_that_lose_a_value_are_refused),
        cmocka_unit_test(unknown_messages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
