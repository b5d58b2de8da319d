/* SPDX-License-Identifier: MIT */
/* The wire vectors (tests/vectors/wire, the whole published set): every datagram and message decoded, compared member by member, encoded
 * again to the same bytes, encoded from its own JSON to the same bytes, and every proper prefix refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/wire_json.h"

typedef struct vector_file {
    char *text;
    acp_json_reader reader;
    const acp_json *root;
} vector_file;

static void load(vector_file *document, const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/vectors/wire/%s", ACP_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size > 0);
    rewind(file);
    document->text = malloc((size_t)size);
    assert_non_null(document->text);
    assert_int_equal(fread(document->text, 1, (size_t)size, file), (size_t)size);
    (void)fclose(file);
    acp_json_fault fault;
    memset(&document->reader, 0, sizeof document->reader);
    document->root = acp_json_read(&document->reader, document->text, (size_t)size, &fault);
    assert_non_null(document->root);
}

static void unload(vector_file *document) {
    acp_json_reader_free(&document->reader);
    free(document->text);
}

/* Every member of `expected` stands in `actual` with an equal value; numbers as binary32. */
static void assert_contains(const acp_json *expected, const acp_json *actual, const char *path) {
    if (!actual) fail_msg("%s is missing", path);
    if (expected->type == ACP_JSON_NUMBER) {
        float a, b;
        assert_true(acp_json_to_float(expected, &a));
        if (!acp_json_to_float(actual, &b) || memcmp(&a, &b, sizeof a) != 0)
            fail_msg("%s: expected %.*s, got %.*s", path, (int)expected->count, expected->text, (int)actual->count, actual->text);
        return;
    }
    if (expected->type == ACP_JSON_STRING) {
        if (actual->type != ACP_JSON_STRING || actual->count != expected->count ||
            memcmp(actual->text, expected->text, expected->count) != 0)
            fail_msg("%s: expected %.*s", path, (int)expected->count, expected->text);
        return;
    }
    const acp_json *other = actual->first;
    for (const acp_json *at = expected->first; at; at = at->next) {
        char inner[256], key[64] = "";
        if (at->key) (void)snprintf(key, sizeof key, "%.*s", (int)at->key_length, at->key);
        (void)snprintf(inner, sizeof inner, "%s.%s", path, key);
        assert_contains(at, at->key ? acp_json_member(actual, key) : other, inner);
        if (!at->key) other = other->next;
    }
    if (expected->type == ACP_JSON_ARRAY) assert_int_equal(expected->count, actual->count);
}

static const uint8_t *hex_of(vector_file *document, const acp_json *item, const char *key, size_t *out_size) {
    acp_json_input input = {0};
    const uint8_t *bytes = acp_wire_json_read_hex(&input, &document->reader, item, key, out_size);
    assert_int_equal(input.result, ACP_OK);
    return bytes;
}

static void check_message(vector_file *document, const acp_json *item) {
    static acp_wire_create_lists lists, lists_again;
    static acp_wire_message message, again;
    uint8_t out[1024];
    size_t size, out_size = 0;
    acp_error error = {0};
    const uint8_t *bytes = hex_of(document, item, "hex", &size);
    message.create.lists = &lists;
    if (acp_wire_message_decode(bytes, size, &message, &error) != ACP_OK) fail_msg("%s: %s", error.field, error.message);

    assert_int_equal(acp_wire_message_encode(&message, out, sizeof out, &out_size, &error), ACP_OK);
    assert_int_equal(out_size, size);
    assert_memory_equal(out, bytes, size);

    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_begin_object(&writer, NULL);
    acp_wire_json_write_message(&writer, &message);
    acp_json_end_object(&writer);
    acp_json_reader reader = {0};
    acp_json_fault fault;
    const acp_json *json = acp_json_read(&reader, acp_json_writer_text(&writer), writer.length, &fault);
    assert_non_null(json);
    assert_contains(acp_json_member(item, "decoded"), json, "decoded");

    acp_json_input input = {.error = &error};
    acp_wire_json_read_message(&input, &reader, json, &lists_again, &again);
    assert_int_equal(input.result, ACP_OK);
    assert_int_equal(acp_wire_message_encode(&again, out, sizeof out, &out_size, &error), ACP_OK);
    assert_int_equal(out_size, size);
    assert_memory_equal(out, bytes, size);

    size_t weenie = message.opcode == ACP_WIRE_CREATE_OBJECT ? message.create.weenie_size : 0;
    for (size_t prefix = 0; prefix < size - weenie; prefix++) {
        uint8_t *part = malloc(prefix ? prefix : 1);
        memcpy(part, bytes, prefix);
        assert_int_not_equal(acp_wire_message_decode(part, prefix, &again, &error), ACP_OK);
        free(part);
    }
    acp_json_writer_free(&writer);
    acp_json_reader_free(&reader);
}

static void messages(void **state) {
    (void)state;
    vector_file document;
    uint32_t count = 0;
    load(&document, "positions.json");
    for (const acp_json *at = acp_json_member(document.root, "captured")->first; at; at = at->next, count++)
        check_message(&document, at);
    for (const acp_json *at = acp_json_member(document.root, "synthetic")->first; at; at = at->next, count++)
        check_message(&document, at);
    assert_int_equal(count, 58);
    unload(&document);
}

static void packets(void **state) {
    (void)state;
    vector_file document;
    uint32_t count = 0;
    load(&document, "packets.json");
    for (const acp_json *at = acp_json_member(document.root, "packets")->first; at; at = at->next, count++) {
        acp_json_input input = {0};
        acp_wire_packet packet;
        acp_wire_fragment fragments[4];
        acp_error error;
        uint8_t out[512];
        size_t size, out_size = 0;
        uint32_t cursor = 0, fragment_count = 0;
        const uint8_t *bytes = hex_of(&document, at, "hex", &size);
        assert_int_equal(acp_wire_packet_decode(bytes, size, &packet, &error), ACP_OK);
        const acp_json *header = acp_json_member(at, "header");
        assert_int_equal(packet.sequence, acp_json_get_uint32(&input, header, "sequence"));
        assert_int_equal(packet.flags, acp_json_get_id(&input, header, "flags"));
        assert_int_equal(packet.checksum, acp_json_get_id(&input, header, "checksum"));
        assert_int_equal(packet.recipient, acp_json_get_uint32(&input, header, "recipient"));
        assert_int_equal(packet.interval, acp_json_get_uint32(&input, header, "interval"));
        assert_int_equal(packet.size, acp_json_get_uint32(&input, header, "size"));
        assert_int_equal(packet.iteration, acp_json_get_uint32(&input, header, "iteration"));
        assert_int_equal(packet.header_hash, acp_json_get_id(&input, at, "header_hash"));
        assert_int_equal(packet.payload_hash, acp_json_get_id(&input, at, "payload_hash"));
        uint32_t key = acp_json_get_id_or(&input, at, "key", 0);
        assert_int_equal(acp_wire_packet_key(&packet), key);
        assert_int_equal(input.result, ACP_OK);
        while (acp_wire_packet_next_fragment(&packet, &cursor, &fragments[fragment_count]))
            fragment_count++;
        assert_int_equal(acp_wire_packet_encode(&packet, fragments, fragment_count, key, out, sizeof out, &out_size, &error), ACP_OK);
        assert_int_equal(out_size, size);
        assert_memory_equal(out, bytes, size);
        for (size_t prefix = 0; prefix < size; prefix++)
            assert_int_not_equal(acp_wire_packet_decode(bytes, prefix, &packet, &error), ACP_OK);
    }
    assert_int_equal(count, 9);
    unload(&document);
}

static void hashes_and_streams(void **state) {
    (void)state;
    vector_file document;
    load(&document, "packets.json");
    acp_json_input input = {0};
    for (const acp_json *at = acp_json_member(document.root, "hash32")->first; at; at = at->next) {
        size_t size;
        const uint8_t *bytes = hex_of(&document, at, "hex", &size);
        assert_int_equal(acp_wire_hash32(bytes, size), acp_json_get_id(&input, at, "hash"));
    }
    const acp_json *isaac = acp_json_member(document.root, "isaac");
    for (const acp_json *at = acp_json_member(isaac, "streams")->first; at; at = at->next) {
        acp_wire_key_stream stream;
        uint32_t drawn = 0, word = 0;
        acp_wire_key_stream_init(&stream, acp_json_get_id(&input, at, "seed"));
        for (const acp_json *w = acp_json_member(at, "words")->first; w; w = w->next) {
            char key[16];
            (void)snprintf(key, sizeof key, "%.*s", (int)w->key_length, w->key);
            uint32_t index = (uint32_t)strtoul(key, NULL, 10);
            while (drawn <= index) {
                word = acp_wire_key_stream_next(&stream);
                drawn++;
            }
            assert_int_equal(word, acp_json_to_id(&input, w, key));
        }
    }
    assert_int_equal(input.result, ACP_OK);
    unload(&document);
}

/* The two packets that we can build ourselves, byte for byte. */
static void handshake_packets(void **state) {
    (void)state;
    vector_file document;
    uint8_t out[512];
    size_t size, out_size = 0;
    acp_error error;
    load(&document, "packets.json");
    const acp_json *list = acp_json_member(document.root, "packets");
    const uint8_t *login = hex_of(&document, acp_json_element(list, 0), "hex", &size);
    assert_int_equal(acp_wire_login_request_encode("testaccount", "testpassword", out, sizeof out, &out_size, &error), ACP_OK);
    assert_int_equal(out_size, size);
    assert_memory_equal(out, login, size);
    acp_wire_packet request;
    const uint8_t *bytes = hex_of(&document, acp_json_element(list, 1), "hex", &size);
    assert_int_equal(acp_wire_packet_decode(bytes, size, &request, &error), ACP_OK);
    assert_true(request.connect.cookie == 0x1122334455667788u);
    assert_int_equal(request.connect.net_id, 5);
    assert_int_equal(request.connect.server_seed, 0x12345678u);
    assert_int_equal(request.connect.client_seed, 0xDEADBEEFu);
    const uint8_t *response = hex_of(&document, acp_json_element(list, 2), "hex", &size);
    assert_int_equal(acp_wire_connect_response_encode(&request.connect, out, sizeof out, &out_size, &error), ACP_OK);
    assert_int_equal(out_size, size);
    assert_memory_equal(out, response, size);
    unload(&document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages), cmocka_unit_test(packets), cmocka_unit_test(hashes_and_streams),
                                       cmocka_unit_test(handshake_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
