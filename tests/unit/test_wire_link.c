/* SPDX-License-Identifier: MIT */
/* Assembly and link (spec 10 NET-07 to NET-22, NET-53): fragments in any order, caps, replays; two links over a bad network; refusals that
 * leave no trace; failure at every allocation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "acphys/wire_link.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"

static uint8_t pattern_byte(uint64_t id, size_t i) { return (uint8_t)(id * 31u + i * 7u); }

static acp_wire_fragment fragment_of(uint8_t *storage, uint64_t id, uint16_t count, uint16_t index, uint16_t size) {
    for (size_t i = 0; i < size; i++)
        storage[i] = pattern_byte(id, (size_t)index * 448 + i);
    acp_wire_fragment fragment = {.blob_id = id, .count = count, .index = index, .queue = 10, .size = size, .data = storage};
    return fragment;
}

static acp_wire_assembly *new_assembly(uint32_t blobs, uint64_t bytes) {
    acp_wire_assembly_options options = acp_wire_assembly_options_default();
    acp_wire_assembly *assembly;
    acp_error error;
    options.max_blobs = blobs;
    options.max_bytes = bytes;
    assert_int_equal(acp_wire_assembly_create(&options, NULL, &assembly, &error), ACP_OK);
    return assembly;
}

static void any_order_gives_the_message(void **state) {
    (void)state;
    static const uint16_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint8_t storage[448];
    acp_wire_blob blob;
    acp_wire_assembly *assembly = new_assembly(64, 4u << 20);
    for (uint32_t k = 0; k < 6; k++) {
        for (uint32_t i = 0; i < 3; i++) {
            uint16_t index = orders[k][i];
            acp_wire_fragment fragment = fragment_of(storage, 100 + k, 3, index, index == 2 ? 52 : 448);
            assert_int_equal(acp_wire_assembly_add(assembly, &fragment, 1.0, &blob, NULL), ACP_OK);
            assert_int_equal(blob.bytes != NULL, i == 2);
        }
        assert_int_equal(blob.size, 2 * 448 + 52);
        assert_int_equal(blob.queue, 10);
        for (size_t i = 0; i < blob.size; i++)
            assert_int_equal(blob.bytes[i], pattern_byte(100 + k, i));
        assert_int_equal(acp_wire_assembly_pending(assembly), 0);
    }
    acp_wire_assembly_destroy(assembly);
}

static void replays_and_contradictions_are_refused(void **state) {
    (void)state;
    uint8_t storage[448];
    acp_wire_blob blob;
    acp_wire_assembly *assembly = new_assembly(4, 4u << 20);
    acp_wire_fragment a = fragment_of(storage, 1, 2, 0, 448);
    assert_int_equal(acp_wire_assembly_add(assembly, &a, 1.0, &blob, NULL), ACP_OK);
    uint64_t bytes = acp_wire_assembly_bytes(assembly);
    assert_int_equal(acp_wire_assembly_add(assembly, &a, 1.0, &blob, NULL), ACP_ERROR_DUPLICATE);
    acp_wire_fragment other_count = a;
    other_count.count = 3;
    other_count.index = 1;
    assert_int_equal(acp_wire_assembly_add(assembly, &other_count, 1.0, &blob, NULL), ACP_ERROR_BAD_DATA);
    acp_wire_fragment short_one = a;
    short_one.size = 100;
    assert_int_equal(acp_wire_assembly_add(assembly, &short_one, 1.0, &blob, NULL), ACP_ERROR_BAD_DATA);
    acp_wire_fragment outside = a;
    outside.index = 2;
    assert_int_equal(acp_wire_assembly_add(assembly, &outside, 1.0, &blob, NULL), ACP_ERROR_BAD_DATA);
    assert_int_equal(acp_wire_assembly_bytes(assembly), bytes);
    assert_int_equal(acp_wire_assembly_pending(assembly), 1);
    acp_wire_fragment last = fragment_of(storage, 1, 2, 1, 3);
    assert_int_equal(acp_wire_assembly_add(assembly, &last, 1.0, &blob, NULL), ACP_OK);
    assert_int_equal(blob.size, 451);
    assert_int_equal(acp_wire_assembly_add(assembly, &last, 1.0, &blob, NULL), ACP_ERROR_DUPLICATE); /* a whole message replayed */
    acp_wire_fragment single = fragment_of(storage, 2, 1, 0, 5);
    assert_int_equal(acp_wire_assembly_add(assembly, &single, 1.0, &blob, NULL), ACP_OK);
    assert_ptr_equal(blob.bytes, storage);
    assert_int_equal(acp_wire_assembly_add(assembly, &single, 1.0, &blob, NULL), ACP_ERROR_DUPLICATE);
    acp_wire_assembly_destroy(assembly);
}

/* Hostile fragments: many blobs claiming 65,535 fragments each hold no more than what was sent, and never more than the cap. */
static void memory_follows_what_is_received(void **state) {
    (void)state;
    uint8_t storage[448];
    acp_wire_blob blob;
    acp_wire_assembly *assembly = new_assembly(64, 100000);
    for (uint32_t i = 0; i < 5000; i++) {
        acp_wire_fragment fragment = fragment_of(storage, i % 50, 65535, (uint16_t)(i / 50), 448);
        assert_int_equal(acp_wire_assembly_add(assembly, &fragment, 1.0 + i, &blob, NULL), ACP_OK);
        assert_null(blob.bytes);
        assert_true(acp_wire_assembly_bytes(assembly) <= 100000);
        assert_true(acp_wire_assembly_pending(assembly) <= 64);
    }
    acp_wire_assembly_destroy(assembly);
    assembly = new_assembly(4, 2000); /* room for four fragments: a message of ten can never be held */
    acp_result result = ACP_OK;
    for (uint16_t i = 0; i < 10 && result == ACP_OK; i++) {
        acp_wire_fragment fragment = fragment_of(storage, 7, 10, i, 448);
        result = acp_wire_assembly_add(assembly, &fragment, 1.0, &blob, NULL);
    }
    assert_int_equal(result, ACP_ERROR_LIMIT);
    assert_true(acp_wire_assembly_bytes(assembly) <= 2000);
    acp_wire_assembly_destroy(assembly);
}

static void old_messages_expire(void **state) {
    (void)state;
    uint8_t storage[448];
    acp_wire_blob blob;
    acp_wire_assembly *assembly = new_assembly(64, 4u << 20);
    acp_wire_fragment fragment = fragment_of(storage, 1, 2, 0, 448);
    assert_int_equal(acp_wire_assembly_add(assembly, &fragment, 0.0, &blob, NULL), ACP_OK);
    acp_wire_fragment other = fragment_of(storage, 2, 2, 0, 448);
    assert_int_equal(acp_wire_assembly_add(assembly, &other, 60.0, &blob, NULL), ACP_OK);
    assert_int_equal(acp_wire_assembly_pending(assembly), 2);
    acp_wire_fragment third = fragment_of(storage, 3, 2, 0, 448);
    assert_int_equal(acp_wire_assembly_add(assembly, &third, 60.1, &blob, NULL), ACP_OK);
    assert_int_equal(acp_wire_assembly_pending(assembly), 2);
    acp_wire_assembly_destroy(assembly);
}

/* ---- two links over a network that loses, doubles and reorders ---- */

#define MESSAGES 300u

typedef struct end {
    acp_wire_link *link;
    uint8_t seen[MESSAGES];
    uint32_t count;
    uint32_t wrong;
} end;

static void on_message(void *user, const acp_wire_blob *blob) {
    end *e = user;
    uint32_t number = 0;
    if (blob->size < 4) {
        e->wrong++;
        return;
    }
    memcpy(&number, blob->bytes, 4);
    if (number >= MESSAGES || e->seen[number]++) e->wrong++;
    for (size_t i = 4; i < blob->size; i++)
        e->wrong += blob->bytes[i] != pattern_byte(number, i);
    e->count++;
}

static void start(end *e, int is_server) {
    acp_wire_link_options options = acp_wire_link_options_default();
    acp_wire_link_events events = {.user = e, .on_message = on_message};
    acp_error error;
    options.is_server = (uint32_t)is_server;
    options.server_seed = 0x12345678u;
    options.client_seed = 0xDEADBEEFu;
    options.recipient = is_server ? 11 : 5;
    options.server_time = 1000.5;
    memset(e, 0, sizeof *e);
    assert_int_equal(acp_wire_link_create(&options, &events, NULL, &e->link, &error), ACP_OK);
}

static size_t message_of(uint8_t *out, uint32_t number) {
    size_t size = 4 + (number * 97u) % 1500u;
    memcpy(out, &number, 4);
    for (size_t i = 4; i < size; i++)
        out[i] = pattern_byte(number, i);
    return size;
}

static void pump(end *from, end *to, double now, test_random *random, double loss) {
    static uint8_t held[ACP_WIRE_MAX_DATAGRAM];
    static size_t held_size;
    for (;;) {
        uint8_t bytes[ACP_WIRE_MAX_DATAGRAM];
        size_t size;
        acp_error error;
        assert_int_equal(acp_wire_link_poll(from->link, now, bytes, sizeof bytes, &size, &error), ACP_OK);
        if (size == 0) break;
        if (test_random_in(random, 0.0, 1.0) < loss) continue;
        acp_result result = acp_wire_link_receive(to->link, bytes, size, now, &error);
        assert_true(result == ACP_OK || result == ACP_ERROR_DUPLICATE);
        if (loss > 0.0 && held_size) (void)!acp_wire_link_receive(to->link, held, held_size, now, NULL); /* late, or of the other side */
        if (test_random_below(random, 4) == 0) {
            memcpy(held, bytes, size);
            held_size = size;
        }
    }
    held_size = 0;
}

static void run_network(double loss, uint64_t seed) {
    static end client, server;
    uint8_t message[2048];
    acp_error error;
    test_random random = {seed};
    start(&client, 0);
    start(&server, 1);
    double now = 0.0;
    for (uint32_t i = 0; i < MESSAGES; i++, now += 0.05) {
        size_t size = message_of(message, i);
        assert_int_equal(acp_wire_link_send(client.link, 3, message, size, &error), ACP_OK);
        assert_int_equal(acp_wire_link_send(server.link, 10, message, size, &error), ACP_OK);
        pump(&client, &server, now, &random, loss);
        pump(&server, &client, now, &random, loss);
    }
    for (uint32_t i = 0; i < 400 && (client.count < MESSAGES || server.count < MESSAGES); i++, now += 0.7) {
        pump(&client, &server, now, &random, loss);
        pump(&server, &client, now, &random, loss);
    }
    assert_int_equal(client.wrong, 0);
    assert_int_equal(server.wrong, 0);
    assert_int_equal(client.count, MESSAGES);
    assert_int_equal(server.count, MESSAGES);
    acp_wire_link_destroy(client.link);
    acp_wire_link_destroy(server.link);
}

static void a_good_network_delivers_all(void **state) {
    (void)state;
    run_network(0.0, test_seed("wire_link", 2));
}

static void a_bad_network_delivers_all(void **state) {
    (void)state;
    uint64_t seed = test_seed("wire_link_lossy", 3);
    for (uint64_t i = 0; i < 5; i++)
        run_network(0.15, seed + i);
}

/* NET-53: a forged packet changes nothing, however far ahead its sequence is. */
static void forgeries_leave_no_trace(void **state) {
    (void)state;
    static end client, server;
    uint8_t bytes[ACP_WIRE_MAX_DATAGRAM], forged[ACP_WIRE_MAX_DATAGRAM];
    size_t size;
    acp_error error;
    start(&client, 0);
    start(&server, 1);
    uint8_t message[8];
    uint32_t number = 1;
    memcpy(message, &number, 4);
    for (size_t i = 4; i < 8; i++)
        message[i] = pattern_byte(1, i);
    assert_int_equal(acp_wire_link_send(server.link, 10, message, 8, &error), ACP_OK);
    assert_int_equal(acp_wire_link_poll(server.link, 0.0, bytes, sizeof bytes, &size, &error), ACP_OK);
    static const uint32_t sequences[] = {2, 3, 50, 0x7FFF, 0x8000, 0x8001, 0x10000, 0x80000000u, 0xFFFFFFFFu, 1, 0};
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
        memcpy(forged, bytes, size);
        for (uint32_t k = 0; k < 4; k++)
            forged[k] = (uint8_t)(sequences[i] >> (8 * k));
        forged[size - 1] ^= 1;
        assert_int_not_equal(acp_wire_link_receive(client.link, forged, size, 0.0, &error), ACP_OK);
        assert_int_equal(acp_wire_link_highest_received(client.link), 1);
        assert_int_equal(acp_wire_link_missing(client.link), 0);
    }
    assert_int_equal(client.count, 0);
    assert_int_equal(acp_wire_link_receive(client.link, bytes, size, 0.0, &error), ACP_OK);
    assert_int_equal(client.count, 1);
    assert_int_equal(acp_wire_link_receive(client.link, bytes, size, 0.0, &error), ACP_ERROR_DUPLICATE);
    assert_int_equal(client.count, 1);
    acp_wire_link_destroy(client.link);
    acp_wire_link_destroy(server.link);
}

/* The worked datagrams of spec 10 §6: the client's first packet and its acknowledgement, byte for byte. */
static void first_packets_are_the_published_ones(void **state) {
    (void)state;
    static const uint8_t expected[40] = {0x02, 0, 0, 0, 0x06, 0, 0, 0,    0x5a, 0x4b, 0x81, 0x39, 0x05, 0, 0,    0, 0x14, 0,    0x01, 0,
                                         0x01, 0, 0, 0, 0,    0, 0, 0x23, 0x01, 0,    0x14, 0,    0,    0, 0x04, 0, 0xc8, 0xf7, 0,    0};
    static const uint8_t acknowledgement[24] = {0x02, 0, 0,    0, 0,    0x40, 0,    0, 0xea, 0xb0, 0xf7, 0xba,
                                                0x05, 0, 0x01, 0, 0x04, 0,    0x01, 0, 0x02, 0,    0,    0};
    static const uint8_t from_server[28] = {0x02, 0, 0,    0, 0x02, 0, 0, 0x01, 0xdf, 0x58, 0x36, 0x79, 0x0b, 0,
                                            0,    0, 0x08, 0, 0x01, 0, 0, 0,    0,    0,    0,    0x48, 0x8f, 0x40};
    static end client;
    uint8_t bytes[ACP_WIRE_MAX_DATAGRAM];
    static const uint8_t enter_world[4] = {0xc8, 0xf7, 0, 0};
    size_t size;
    acp_error error;
    start(&client, 0);
    assert_int_equal(acp_wire_link_send(client.link, 4, enter_world, 4, &error), ACP_OK);
    assert_int_equal(acp_wire_link_poll(client.link, 0.0, bytes, sizeof bytes, &size, &error), ACP_OK);
    assert_int_equal(size, sizeof expected);
    assert_memory_equal(bytes, expected, size);
    assert_int_equal(acp_wire_link_receive(client.link, from_server, sizeof from_server, 0.0, &error), ACP_OK);
    assert_int_equal(acp_wire_link_highest_received(client.link), 2);
    assert_int_equal(acp_wire_link_poll(client.link, 1.9, bytes, sizeof bytes, &size, &error), ACP_OK);
    assert_int_equal(size, 0); /* every 2.0 s */
    acp_wire_link_destroy(client.link);

    acp_wire_link_options options = acp_wire_link_options_default();
    acp_wire_link_events events = {.user = &client, .on_message = on_message};
    options.server_seed = 0x12345678u;
    options.client_seed = 0xDEADBEEFu;
    options.recipient = 5;
    options.start_time = 1.0;
    options.acknowledge_interval = 0.5;
    options.first_sequence = 3; /* its last sent sequence is 2 */
    assert_int_equal(acp_wire_link_create(&options, &events, NULL, &client.link, &error), ACP_OK);
    acp_wire_link_destroy(client.link);
    options.first_sequence = 2;
    assert_int_equal(acp_wire_link_create(&options, &events, NULL, &client.link, &error), ACP_OK);
    assert_int_equal(acp_wire_link_send(client.link, 4, enter_world, 4, &error), ACP_OK);
    assert_int_equal(acp_wire_link_poll(client.link, 1.0, bytes, sizeof bytes, &size, &error), ACP_OK);
    assert_int_equal(acp_wire_link_receive(client.link, from_server, sizeof from_server, 1.0, &error), ACP_OK);
    assert_int_equal(acp_wire_link_poll(client.link, 1.5, bytes, sizeof bytes, &size, &error), ACP_OK); /* half a second: interval 1 */
    assert_int_equal(size, sizeof acknowledgement);
    assert_memory_equal(bytes, acknowledgement, size);
    acp_wire_link_destroy(client.link);
}

static acp_result allocation_scenario(void *user, const acp_allocator *allocator) {
    acp_wire_link_options options = acp_wire_link_options_default();
    acp_wire_link_events events = {.user = user, .on_message = on_message};
    static const uint8_t message[5000];
    acp_wire_link *link;
    acp_error error;
    acp_result result = acp_wire_link_create(&options, &events, allocator, &link, &error);
    if (result != ACP_OK) return result;
    result = acp_wire_link_send(link, 3, message, sizeof message, &error);
    acp_wire_link_destroy(link);
    if (result != ACP_OK) return result;
    acp_wire_assembly *assembly;
    acp_wire_blob blob;
    uint8_t storage[448];
    result = acp_wire_assembly_create(&options.assembly, allocator, &assembly, &error);
    for (uint16_t i = 0; i < 3 && result == ACP_OK; i++) {
        acp_wire_fragment fragment = fragment_of(storage, 9, 3, i, 448);
        result = acp_wire_assembly_add(assembly, &fragment, 1.0, &blob, &error);
        if (i == 2 || result != ACP_OK) acp_wire_assembly_destroy(assembly);
    }
    return result;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static end e;
    assert_true(test_fail_every_allocation(allocation_scenario, &e) >= 9);
}

static void queue_is_bounded(void **state) {
    (void)state;
    acp_wire_link_options options = acp_wire_link_options_default();
    static end e;
    acp_wire_link_events events = {.user = &e, .on_message = on_message};
    acp_wire_link *link;
    acp_error error;
    static const uint8_t message[1000];
    options.max_queued_bytes = 2100;
    assert_int_equal(acp_wire_link_create(&options, &events, NULL, &link, &error), ACP_OK);
    assert_int_equal(acp_wire_link_send(link, 3, message, sizeof message, &error), ACP_OK);
    assert_int_equal(acp_wire_link_send(link, 3, message, sizeof message, &error), ACP_OK);
    assert_int_equal(acp_wire_link_send(link, 3, message, sizeof message, &error), ACP_ERROR_LIMIT);
    acp_wire_link_destroy(link);
    options.resend_capacity = 100; /* no power of two */
    assert_int_equal(acp_wire_link_create(&options, &events, NULL, &link, &error), ACP_ERROR_OUT_OF_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_gives_the_message),     cmocka_unit_test(replays_and_contradictions_are_refused),
        cmocka_unit_test(memory_follows_what_is_received), cmocka_unit_test(old_messages_expire),
        cmocka_unit_test(a_good_network_delivers_all),     cmocka_unit_test(a_bad_network_delivers_all),
        cmocka_unit_test(forgeries_leave_no_trace),        cmocka_unit_test(first_packets_are_the_published_ones),
        cmocka_unit_test(every_allocation_may_fail),       cmocka_unit_test(queue_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
