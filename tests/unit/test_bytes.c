/* SPDX-License-Identifier: MIT */
/* The bounded reader and the writer: layout, alignment, the end, sticking failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/reader.h"
#include "base/writer.h"
#include "tests/support/failing.h"
#include "tests/support/random.h"

static void fields_are_little_endian(void **state) {
    (void)state;
    const uint8_t bytes[] = {0x01, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0xFE, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x00,
                             0x00, 0x00, 0x00, 0x00, 0xF0, 0xBF, 0x80, 0xFF, 0x7F, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01};
    acp_reader reader = acp_reader_make(bytes, sizeof bytes);
    assert_int_equal(acp_reader_u8(&reader, "a"), 1);
    assert_int_equal(acp_reader_u16(&reader, "b"), 0x1234);
    assert_int_equal(acp_reader_u32(&reader, "c"), 0x12345678);
    assert_int_equal(acp_reader_i32(&reader, "d"), -2);
    assert_true(acp_reader_f32(&reader, "e") == 1.0f);
    assert_true(acp_reader_f64(&reader, "f") == -1.0);
    assert_int_equal(acp_reader_i8(&reader, "g"), -128);
    assert_int_equal(acp_reader_i16(&reader, "h"), 32767);
    assert_true(acp_reader_u64(&reader, "i") == 0x0102030405060708u);
    assert_true(acp_reader_is_at_end(&reader) && acp_reader_is_ok(&reader));
}

static void the_first_failure_sticks_with_its_place(void **state) {
    (void)state;
    const uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    acp_reader reader = acp_reader_make(bytes, sizeof bytes);
    acp_error error;
    assert_int_equal(acp_reader_u32(&reader, "count"), 0x04030201);
    assert_int_equal(acp_reader_error(&reader, &error, "test", 5), ACP_OK);
    assert_int_equal(acp_reader_u32(&reader, "item.id"), 0);
    assert_int_equal(acp_reader_u8(&reader, "item.flag"), 0); /* one byte is there, but the failure sticks */
    assert_int_equal(acp_reader_remaining(&reader), 0);
    assert_int_equal(acp_reader_fail(&reader, ACP_ERROR_BAD_DATA, "later"), ACP_ERROR_TRUNCATED);
    assert_int_equal(acp_reader_error(&reader, &error, "test", 0x0D000001), ACP_ERROR_TRUNCATED);
    assert_int_equal(error.byte_offset, 4);
    assert_int_equal(error.record_id, 0x0D000001);
    assert_string_equal(error.field, "item.id");
    assert_int_equal(acp_reader_error(&reader, NULL, "test", 0), ACP_ERROR_TRUNCATED);
}

static void judged_content_fails_at_its_own_offset(void **state) {
    (void)state;
    const uint8_t bytes[8] = {0};
    acp_reader reader = acp_reader_make(bytes, sizeof bytes);
    reader.origin = 100;
    (void)acp_reader_u32(&reader, "a");
    (void)acp_reader_u32(&reader, "b");
    assert_int_equal(acp_reader_fail_at(&reader, 4, ACP_ERROR_BAD_DATA, "b"), ACP_ERROR_BAD_DATA);
    acp_error error;
    assert_int_equal(acp_reader_error(&reader, &error, "test", 0), ACP_ERROR_BAD_DATA);
    assert_int_equal(error.byte_offset, 104);
    assert_string_equal(error.field, "b");
}

static void alignment_counts_from_the_start_of_the_record(void **state) {
    (void)state;
    const uint8_t bytes[12] = {9, 0, 0, 0, 8, 7, 0, 0, 6, 5, 4};
    acp_reader reader = acp_reader_make(bytes + 1, 11); /* a record at an odd address */
    acp_reader_align4(&reader, "pad");
    assert_int_equal(reader.offset, 0);
    (void)acp_reader_u8(&reader, "x");
    acp_reader_align4(&reader, "pad");
    assert_int_equal(reader.offset, 4);
    acp_reader_seek(&reader, 9, "seek");
    acp_reader_align4(&reader, "pad"); /* would need offset 12 of 11 */
    assert_int_equal(reader.result, ACP_ERROR_TRUNCATED);
    assert_int_equal(reader.offset, 9);
    assert_string_equal(reader.error_field, "pad");
}

static void counts_are_checked_against_what_is_left(void **state) {
    (void)state;
    const uint8_t bytes[24] = {0};
    acp_reader reader = acp_reader_make(bytes, sizeof bytes);
    (void)acp_reader_u32(&reader, "n");
    assert_true(acp_reader_can_hold(&reader, 5, 4, "items"));
    assert_true(acp_reader_can_hold(&reader, UINT64_MAX, 0, "items"));
    assert_false(acp_reader_can_hold(&reader, 6, 4, "items"));
    assert_false(acp_reader_can_hold(&reader, 1, 4, "items")); /* failed readers hold nothing */
    reader = acp_reader_make(bytes, sizeof bytes);
    assert_false(acp_reader_can_hold(&reader, UINT64_MAX, 8, "items"));
}

static void a_part_reports_offsets_of_the_whole(void **state) {
    (void)state;
    const uint8_t bytes[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};
    acp_reader whole = acp_reader_make(bytes, sizeof bytes);
    whole.origin = 1000;
    (void)acp_reader_u32(&whole, "a");
    acp_reader part = acp_reader_take(&whole, 6, "part");
    assert_int_equal(acp_reader_u32(&part, "b"), 2);
    assert_int_equal(acp_reader_u32(&part, "c"), 0);
    assert_int_equal(part.error_offset, 1008);
    assert_true(acp_reader_is_ok(&whole));
    assert_int_equal(whole.offset, 10);
    part = acp_reader_take(&whole, 7, "part");
    assert_false(acp_reader_is_ok(&part));
    assert_false(acp_reader_is_ok(&whole));
    assert_int_equal(acp_reader_u8(&part, "d"), 0);
    acp_reader_seek(&whole, 0, "seek"); /* nothing moves a failed reader */
    assert_int_equal(whole.offset, 10);
}

static void an_empty_reader_gives_nothing(void **state) {
    (void)state;
    acp_reader reader = acp_reader_make(NULL, 0);
    assert_true(acp_reader_is_at_end(&reader));
    assert_int_equal(acp_reader_u8(&reader, "a"), 0);
    assert_int_equal(reader.result, ACP_ERROR_TRUNCATED);
    assert_null(acp_reader_bytes(&reader, 0, "b"));
    const uint8_t one = 1;
    reader = acp_reader_make(&one, 1);
    assert_null(acp_reader_bytes(&reader, SIZE_MAX, "huge"));
    reader = acp_reader_make(&one, 1);
    acp_reader_seek(&reader, 2, "beyond");
    assert_int_equal(reader.result, ACP_ERROR_TRUNCATED);
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    acp_writer writer;
    acp_writer_init(&writer, NULL);
    acp_writer_u8(&writer, 0xAB);
    acp_writer_align4(&writer);
    acp_writer_u16(&writer, 0xCDEF);
    acp_writer_u32(&writer, 0x89ABCDEF);
    acp_writer_u64(&writer, 0x0123456789ABCDEFu);
    acp_writer_i8(&writer, -1);
    acp_writer_i16(&writer, -2);
    acp_writer_i32(&writer, INT32_MIN);
    acp_writer_f32(&writer, test_float_from_bits(0x7FC12345u));
    acp_writer_f64(&writer, -0.0);
    acp_writer_bytes(&writer, "xyz", 3);
    acp_writer_zeros(&writer, 2);
    acp_writer_patch_u32(&writer, 6, 0x11223344);
    assert_true(acp_writer_is_ok(&writer));
    assert_int_equal(writer.size, 4 + 2 + 4 + 8 + 1 + 2 + 4 + 4 + 8 + 3 + 2);
    const uint8_t start[] = {0xAB, 0, 0, 0, 0xEF, 0xCD, 0x44, 0x33, 0x22, 0x11};
    assert_memory_equal(writer.bytes, start, sizeof start);
    acp_reader reader = acp_reader_make(writer.bytes, writer.size);
    assert_int_equal(acp_reader_u8(&reader, "a"), 0xAB);
    acp_reader_align4(&reader, "pad");
    assert_int_equal(acp_reader_u16(&reader, "b"), 0xCDEF);
    assert_int_equal(acp_reader_u32(&reader, "c"), 0x11223344);
    assert_true(acp_reader_u64(&reader, "d") == 0x0123456789ABCDEFu);
    assert_int_equal(acp_reader_i8(&reader, "e"), -1);
    assert_int_equal(acp_reader_i16(&reader, "f"), -2);
    assert_true(acp_reader_i32(&reader, "g") == INT32_MIN);
    assert_int_equal(test_float_bits(acp_reader_f32(&reader, "h")), 0x7FC12345u);
    double minus_zero = acp_reader_f64(&reader, "i");
    assert_true(minus_zero == 0.0 && 1.0 / minus_zero < 0.0);
    assert_memory_equal(acp_reader_bytes(&reader, 5, "j"), "xyz\0\0", 5);
    assert_true(acp_reader_is_at_end(&reader));
    acp_writer_free(&writer);
}

static void a_full_fixed_buffer_is_an_error_that_sticks(void **state) {
    (void)state;
    uint8_t bytes[7];
    memset(bytes, 0x77, sizeof bytes);
    acp_writer writer;
    acp_writer_init_fixed(&writer, bytes, 6);
    acp_writer_u32(&writer, 0);
    acp_writer_u32(&writer, 0);
    acp_writer_u8(&writer, 0);
    assert_int_equal(writer.result, ACP_ERROR_LIMIT);
    assert_int_equal(writer.size, 4);
    assert_int_equal(bytes[4], 0x77);
    acp_writer_reset(&writer);
    acp_writer_bytes(&writer, "abcdef", 6);
    assert_true(acp_writer_is_ok(&writer));
    assert_int_equal(bytes[6], 0x77);
    acp_writer_patch_u32(&writer, 3, 0);
    assert_int_equal(writer.result, ACP_ERROR_OUT_OF_RANGE);
    acp_writer_free(&writer);
    acp_writer_init_fixed(&writer, bytes, 3);
    acp_writer_zeros(&writer, 3);
    acp_writer_patch_u32(&writer, 0, 0);
    assert_int_equal(writer.result, ACP_ERROR_OUT_OF_RANGE);
}

static acp_result write_much(void *user, const acp_allocator *allocator) {
    (void)user;
    acp_writer writer;
    acp_writer_init(&writer, allocator);
    for (uint32_t i = 0; i < 3000; i++)
        acp_writer_u32(&writer, i);
    acp_result result = writer.result;
    acp_writer_free(&writer);
    return result;
}

static void every_refusal_is_an_error_without_a_leak(void **state) {
    (void)state;
    assert_int_equal(test_fail_every_allocation(write_much, NULL), 7); /* 256, 512, … 16384 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_little_endian),
        cmocka_unit_test(the_first_failure_sticks_with_its_place),
        cmocka_unit_test(judged_content_fails_at_its_own_offset),
        cmocka_unit_test(alignment_counts_from_the_start_of_the_record),
        cmocka_unit_test(counts_are_checked_against_what_is_left),
        cmocka_unit_test(a_part_reports_offsets_of_the_whole),
        cmocka_unit_test(an_empty_reader_gives_nothing),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(a_full_fixed_buffer_is_an_error_that_sticks),
        cmocka_unit_test(every_refusal_is_an_error_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
