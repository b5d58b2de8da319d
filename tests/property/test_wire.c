/* SPDX-License-Identifier: MIT */
/* Random messages through every form and back (spec 10): bytes → message → bytes; a legal position travels bit for bit in each form that
 * carries one, cell and local together; mutated bytes never crash and, when they decode, encode to a message that decodes the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/wire.h"
#include "math/frame.h"
#include "tests/support/random.h"

static acp_position random_position(test_random *random) {
    acp_matrix_frame frame = acp_matrix_frame_identity();
    acp_position position;
    uint32_t block = test_random_below(random, 255) << 24 | test_random_below(random, 255) << 16;
    uint32_t index = test_random_below(random, 2) ? 1 + test_random_below(random, 64) : 0x100 + test_random_below(random, 0xFEFE);
    while (!acp_matrix_frame_set_rotate(&frame, (float)test_random_in(random, -1.0, 1.0), (float)test_random_in(random, -1.0, 1.0),
                                        (float)test_random_in(random, -1.0, 1.0), (float)test_random_in(random, -1.0, 1.0))) {
    }
    position.cell_id = block | index;
    position.frame.rotation = frame.rotation;
    position.frame.origin.x = (float)test_random_in(random, -300.0, 500.0); /* as it stands: not wrapped into the block */
    position.frame.origin.y = (float)test_random_in(random, -300.0, 500.0);
    position.frame.origin.z = (float)test_random_in(random, -300.0, 700.0);
    if (test_random_below(random, 8) == 0) position.frame.origin.x = -0.0f;
    return position;
}

static void assert_same_position(const acp_position *a, const acp_position *b) { assert_memory_equal(a, b, sizeof *a); }

static void positions_travel_bit_for_bit(void **state) {
    (void)state;
    static acp_wire_message message, back;
    test_random random = {test_seed("wire_positions", 11)};
    for (uint32_t i = 0; i < 20000; i++) {
        acp_position position = random_position(&random), plain;
        uint8_t bytes[512];
        size_t size;
        acp_error error;
        assert_int_equal(acp_wire_position_encode(&position, bytes, sizeof bytes, &error), ACP_OK);
        assert_int_equal(acp_wire_position_decode(bytes, 32, &plain, &error), ACP_OK);
        assert_same_position(&position, &plain);

        memset(&message, 0, sizeof message);
        message.opcode = ACP_WIRE_UPDATE_POSITION;
        message.object_id = test_random_u32(&random);
        message.pack.position = position; /* all four parts travel: nothing is omitted */
        message.pack.velocity.y = (float)test_random_in(&random, -20.0, 20.0);
        message.pack.flags = ACP_WIRE_PACK_HAS_VELOCITY | (test_random_u32(&random) & ACP_WIRE_PACK_HAS_CONTACT);
        message.pack.teleport_stamp = (uint16_t)test_random_u32(&random);
        assert_int_equal(acp_wire_message_encode(&message, bytes, sizeof bytes, &size, &error), ACP_OK);
        assert_int_equal(acp_wire_message_decode(bytes, size, &back, &error), ACP_OK);
        assert_memory_equal(&message.pack, &back.pack, sizeof message.pack);

        message.opcode = ACP_WIRE_ORDERED_ACTION;
        message.action.action = ACP_WIRE_ACTION_AUTONOMOUS_POSITION;
        message.action.position = position;
        message.action.has_contact = 1;
        assert_int_equal(acp_wire_message_encode(&message, bytes, sizeof bytes, &size, &error), ACP_OK);
        assert_int_equal(size, 12 + 44);
        assert_int_equal(acp_wire_message_decode(bytes, size, &back, &error), ACP_OK);
        assert_same_position(&position, &back.action.position);

        message.opcode = ACP_WIRE_PUBLIC_UPDATE_POSITION;
        message.position = position;
        assert_int_equal(acp_wire_message_encode(&message, bytes, sizeof bytes, &size, &error), ACP_OK);
        assert_int_equal(acp_wire_message_decode(bytes, size, &back, &error), ACP_OK);
        assert_same_position(&position, &back.position);
    }
}

/* Retail's packer may drop parts below the epsilon: what arrives is within the epsilon, never renormalised. */
static void packed_flags_lose_only_what_they_say(void **state) {
    (void)state;
    test_random random = {test_seed("wire_flags", 12)};
    for (uint32_t i = 0; i < 20000; i++) {
        acp_wire_position_pack pack = {.position = random_position(&random)}, back;
        acp_quaternion *q = &pack.position.frame.rotation;
        if (i % 2) { /* a turn about z, as most are: x and y tiny */
            double half = test_random_in(&random, -1.0, 1.0);
            q->z = (float)half;
            q->w = (float)__builtin_sqrt(1.0 - (double)q->z * (double)q->z);
            q->x = (float)test_random_in(&random, -2.5e-4, 2.5e-4);
            q->y = 0.0f;
        }
        acp_quaternion before = *q;
        uint8_t bytes[64];
        size_t size;
        acp_error error;
        acp_wire_position_pack_flags(&pack, (int)(i & 1));
        assert_int_equal(acp_wire_position_pack_encode(&pack, bytes, sizeof bytes, &size, &error), ACP_OK);
        assert_int_equal(acp_wire_position_pack_decode(bytes, size, &back, &error), ACP_OK);
        assert_memory_equal(&pack, &back, sizeof pack);
        const float *a = &before.w, *b = &back.position.frame.rotation.w;
        for (uint32_t k = 0; k < 4; k++)
            assert_true(a[k] - b[k] < 0x1.a36e2ep-13f && b[k] - a[k] < 0x1.a36e2ep-13f);
    }
}

/* Mutations of good messages: decode, and if that works encode → decode → encode is stable. */
static void mutated_messages_are_safe_and_stable(void **state) {
    (void)state;
    static const uint8_t seeds[][64] = {
        {0x48, 0xf7, 0,    0, 1,    0,    0,    0x80, 0x34, 0,    0,    0, 0x19, 0,    0xb4, 0xa9, 0, 0, 0xa9, 0x42, 0, 0,
         0xe8, 0x40, 0x8f, 2, 0xbc, 0x42, 0xf3, 4,    0x35, 0x3f, 0xf3, 4, 0x35, 0x3f, 1,    0,    8, 0, 0,    0,    0, 0},
        {0x4c, 0xf7, 0,    0, 1, 0, 0, 0x80, 1,    0,    6,    0, 5, 0,    1, 0, 0,    1,    0x3d, 0, 0x87, 0,
         0,    0,    0x3d, 0, 7, 0, 0, 0,    0x20, 0x40, 0x87, 0, 3, 0x80, 0, 0, 0x80, 0x3f, 2,    0, 0,    0x80},
        {0x45, 0xf7, 0, 0, 1, 0,    0, 0x80, 0x11, 0, 0, 1,    0, 1, 0, 0, 0x83, 0,   1,
         0,    8,    4, 0, 0, 0x0c, 0, 0,    0,    0, 0, 0x3d, 0, 1, 0, 0, 0,    0x3d},
    };
    static const size_t sizes[] = {44, 44, 64};
    static acp_wire_message message, again;
    static acp_wire_create_lists lists, lists_again;
    test_random random = {test_seed("wire_mutations", 13)};
    uint32_t decoded = 0;
    for (uint32_t i = 0; i < 300000; i++) {
        uint8_t bytes[72], first[512], second[512];
        size_t size = sizes[i % 3], first_size, second_size;
        memcpy(bytes, seeds[i % 3], size);
        for (uint32_t k = test_random_below(&random, 4); k > 0; k--)
            bytes[test_random_below(&random, (uint32_t)size)] = (uint8_t)test_random_u32(&random);
        if (test_random_below(&random, 8) == 0) size = test_random_below(&random, (uint32_t)size + 1);
        message.create.lists = &lists;
        again.create.lists = &lists_again;
        if (acp_wire_message_decode(bytes, size, &message, NULL) != ACP_OK) continue;
        decoded++;
        acp_error error;
        if (acp_wire_message_encode(&message, first, sizeof first, &first_size, &error) != ACP_OK)
            fail_msg("%s: %s", error.field, error.message);
        assert_int_equal(acp_wire_message_decode(first, first_size, &again, NULL), ACP_OK);
        assert_int_equal(acp_wire_message_encode(&again, second, sizeof second, &second_size, NULL), ACP_OK);
        assert_int_equal(first_size, second_size);
        assert_memory_equal(first, second, first_size);
    }
    assert_true(decoded > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(positions_travel_bit_for_bit),
                                       cmocka_unit_test(packed_flags_lose_only_what_they_say),
                                       cmocka_unit_test(mutated_messages_are_safe_and_stable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
