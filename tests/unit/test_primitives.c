/* SPDX-License-Identifier: MIT */
/* The small pieces that records and messages are made of, each way and by every proper prefix: the compressed number (DAT-32), the id
 * packed by its class (DAT-33), the text with its count and padding (DAT-35). Values and bytes are those of the list "primitives" of the
 * manifest that comes with the sample records; the longer forms are spec 02's arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dat/codec.h"
#include "wire/pieces.h"

typedef struct bytes {
    size_t size;
    uint8_t at[12];
} bytes;

static acp_codec reading(acp_record *record, const uint8_t *at, size_t size) {
    return (acp_codec){.direction = ACP_CODEC_READ, .record = record, .reader = acp_reader_make(at, size)};
}

static void make_record(acp_record *record) {
    memset(record, 0, sizeof *record);
    acp_arena_init(&record->arena, NULL, 4096, UINT64_MAX);
}

static void compressed_numbers(void **state) {
    (void)state;
    static const struct {
        uint32_t value;
        bytes form;
    } cases[] = {
        {0, {1, {0x00}}},
        {127, {1, {0x7f}}},
        {128, {2, {0x80, 0x80}}},
        {16383, {2, {0xbf, 0xff}}},
        {16384, {4, {0xc0, 0x00, 0x00, 0x40}}},
        {305419896, {4, {0xd2, 0x34, 0x78, 0x56}}},
        {1073741823, {4, {0xff, 0xff, 0xff, 0xff}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bytes *form = &cases[i].form;
        acp_record record;
        make_record(&record);
        acp_codec c = reading(&record, form->at, form->size);
        assert_int_equal(acp_codec_read_compressed(&c, "n"), cases[i].value);
        assert_true(acp_codec_is_ok(&c) && acp_reader_is_at_end(&c.reader));
        assert_int_equal(c.oddities.count, 0);
        for (size_t cut = 0; cut < form->size; cut++) {
            c = reading(&record, form->at, cut);
            (void)acp_codec_read_compressed(&c, "n");
            assert_false(acp_codec_is_ok(&c));
        }
        uint8_t out[8];
        acp_writer writer;
        acp_writer_init_fixed(&writer, out, sizeof out);
        acp_codec w = {.direction = ACP_CODEC_WRITE, .record = &record, .writer = &writer};
        acp_codec_write_compressed(&w, cases[i].value, "n");
        assert_int_equal(writer.size, form->size);
        assert_memory_equal(out, form->at, form->size);
        acp_arena_free(&record.arena);
    }
}

static void compressed_numbers_end_at_30_bits(void **state) {
    (void)state;
    acp_record record;
    make_record(&record);
    uint8_t out[8];
    acp_writer writer;
    acp_writer_init_fixed(&writer, out, sizeof out);
    acp_codec w = {.direction = ACP_CODEC_WRITE, .record = &record, .writer = &writer};
    acp_codec_write_compressed(&w, 0x40000000u, "n");
    assert_int_equal(w.result, ACP_ERROR_OUT_OF_RANGE);
    acp_arena_free(&record.arena);
}

static void packed_ids(void **state) {
    (void)state;
    static const struct {
        uint32_t value;
        bytes form;
    } cases[] = {
        {0x01000000u, {2, {0x00, 0x00}}},
        {0x01000002u, {2, {0x02, 0x00}}},
        {0x01003FFFu, {2, {0xff, 0x3f}}},
        {0x01004000u, {4, {0x00, 0x80, 0x00, 0x40}}},
        {0x0100FFFFu, {4, {0x00, 0x80, 0xff, 0xff}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bytes *form = &cases[i].form;
        acp_reader reader = acp_reader_make(form->at, form->size);
        assert_int_equal(acp_wire_read_packed_id(&reader, 0x01000000u, "id"), cases[i].value);
        assert_true(acp_reader_is_ok(&reader) && acp_reader_is_at_end(&reader));
        for (size_t cut = 0; cut < form->size; cut++) {
            reader = acp_reader_make(form->at, cut);
            (void)acp_wire_read_packed_id(&reader, 0x01000000u, "id");
            assert_false(acp_reader_is_ok(&reader));
        }
        uint8_t out[8];
        acp_wire_output output;
        acp_wire_output_init(&output, out, sizeof out);
        acp_wire_write_packed_id(&output, 0x01000000u, cases[i].value, "id");
        assert_int_equal(output.result, ACP_OK);
        assert_int_equal(output.writer.size, form->size);
        assert_memory_equal(out, form->at, form->size);
    }
}

static void texts(void **state) {
    (void)state;
    static const struct {
        const char *value;
        bytes form;
    } cases[] = {
        {"", {4, {0, 0, 0, 0}}},
        {"a", {4, {1, 0, 0x61, 0}}},
        {"ab", {4, {2, 0, 0x61, 0x62}}},
        {"abc", {8, {3, 0, 0x61, 0x62, 0x63, 0, 0, 0}}},
        {"Dawn", {8, {4, 0, 0x44, 0x61, 0x77, 0x6e, 0, 0}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bytes *form = &cases[i].form;
        acp_record record;
        make_record(&record);
        acp_record_text text = {0};
        acp_codec c = reading(&record, form->at, form->size);
        acp_codec_text(&c, "text", &text);
        assert_true(acp_codec_is_ok(&c) && acp_reader_is_at_end(&c.reader));
        assert_int_equal(text.length, strlen(cases[i].value));
        if (text.length > 0) assert_memory_equal(text.bytes, cases[i].value, text.length);
        uint8_t out[16];
        acp_writer writer;
        acp_writer_init_fixed(&writer, out, sizeof out);
        acp_codec w = {.direction = ACP_CODEC_WRITE, .record = &record, .writer = &writer};
        acp_codec_text(&w, "text", &text);
        assert_int_equal(writer.size, form->size);
        assert_memory_equal(out, form->at, form->size);
        for (size_t cut = 0; cut < form->size; cut++) {
            c = reading(&record, form->at, cut);
            acp_codec_text(&c, "text", &text);
            assert_false(acp_codec_is_ok(&c));
        }
        acp_arena_free(&record.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed_numbers),
        cmocka_unit_test(compressed_numbers_end_at_30_bits),
        cmocka_unit_test(packed_ids),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
