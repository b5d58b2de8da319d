/* SPDX-License-Identifier: MIT */
/* JSON: reading (grammar, UTF-8, limits), numbers, writing, the value types with their _hex twins, lines of a stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/json.h"
#include "support/json_lines.h"
#include "support/json_values.h"

static acp_json_reader reader;

static const acp_json *read_text(const char *text) {
    acp_json_fault fault;
    return acp_json_read(&reader, text, strlen(text), &fault);
}

static void accepts_all_kinds(void **state) {
    (void)state;
    const acp_json *root = read_text(" {\"a\" : [1, -2.5e+3, true, false, null, \"x\\n\\u00e9\\ud83d\\ude00\"], \"b\":{}, \"c\":[] }\r\n");
    assert_non_null(root);
    assert_int_equal(root->type, ACP_JSON_OBJECT);
    assert_int_equal(root->count, 3);
    const acp_json *a = acp_json_member(root, "a");
    assert_int_equal(a->count, 6);
    double number;
    assert_true(acp_json_to_double(acp_json_element(a, 1), &number));
    assert_true(number == -2500.0);
    assert_int_equal(acp_json_element(a, 2)->type, ACP_JSON_TRUE);
    assert_int_equal(acp_json_element(a, 4)->type, ACP_JSON_NULL);
    assert_true(acp_json_is_text(acp_json_element(a, 5), "x\n\xC3\xA9\xF0\x9F\x98\x80"));
    assert_null(acp_json_element(a, 6));
    assert_int_equal(acp_json_member(root, "b")->count, 0);
    assert_null(acp_json_member(root, "d"));
    assert_null(acp_json_member(NULL, "d"));
}

static void the_first_of_equal_keys_counts(void **state) {
    (void)state;
    int64_t number;
    assert_true(acp_json_to_int64(acp_json_member(read_text("{\"k\":1,\"k\":2}"), "k"), &number));
    assert_int_equal(number, 1);
}

static void an_escaped_nul_is_part_of_a_string(void **state) {
    (void)state;
    const acp_json *root = read_text("\"a\\u0000b\"");
    assert_int_equal(root->count, 3);
    assert_memory_equal(root->text, "a\0b", 3);
}

static void refuses_what_is_no_json(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "[",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "[1,]",
        "[1 2]",
        "{a:1}",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "0x10",
        "NaN",
        "Infinity",
        "tru",
        "nul",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"a\nb\"",
        "1 2",
        "{}{}",
        "[1]]",
        "]",
        "\"\x80\"",
        "\"\xC0\xAF\"",
        "\"\xED\xA0\x80\"",
        "\"\xF4\x90\x80\x80\"",
        "\"\xE2\x82\"",
        "{\"a\":1]",
        "[1}",
        "\xEF\xBB\xBF{}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        acp_json_fault fault = {0, NULL, false};
        if (acp_json_read(&reader, texts[i], strlen(texts[i]), &fault) != NULL) fail_msg("accepted: %s", texts[i]);
        assert_non_null(fault.message);
        assert_true(fault.offset <= strlen(texts[i]));
        assert_false(fault.is_out_of_memory);
    }
    assert_null(acp_json_read(&reader, "[1\0]", 4, NULL));
    assert_null(acp_json_read(&reader, "\"\0\"", 3, NULL));
}

static void depth_has_a_limit(void **state) {
    (void)state;
    char text[2 * ACP_JSON_MAX_DEPTH + 2];
    memset(text, '[', ACP_JSON_MAX_DEPTH);
    memset(text + ACP_JSON_MAX_DEPTH, ']', ACP_JSON_MAX_DEPTH);
    assert_non_null(acp_json_read(&reader, text, 2 * ACP_JSON_MAX_DEPTH, NULL));
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_write_tree(&writer, NULL, acp_json_read(&reader, text, 2 * ACP_JSON_MAX_DEPTH, NULL));
    assert_int_equal(writer.length, 2 * ACP_JSON_MAX_DEPTH);
    assert_memory_equal(writer.text, text, writer.length);
    acp_json_writer_free(&writer);
    memset(text, '[', ACP_JSON_MAX_DEPTH + 1);
    memset(text + ACP_JSON_MAX_DEPTH + 1, ']', ACP_JSON_MAX_DEPTH + 1);
    acp_json_fault fault;
    assert_null(acp_json_read(&reader, text, sizeof text, &fault));
    assert_int_equal(fault.offset, ACP_JSON_MAX_DEPTH + 1);
}

static void memory_has_a_limit(void **state) {
    (void)state;
    acp_json_reader small = {.byte_limit = 4096};
    char text[1001];
    memset(text, '1', sizeof text);
    for (size_t i = 0; i < sizeof text; i += 2)
        text[i] = i == 0 ? '[' : ',';
    text[sizeof text - 1] = ']';
    acp_json_fault fault = {0, NULL, false};
    assert_null(acp_json_read(&small, text, sizeof text, &fault));
    assert_true(fault.is_out_of_memory);
    assert_non_null(acp_json_read(&small, "[1,2,3]", 7, NULL));
    acp_json_reader_free(&small);
}

static void numbers_are_rounded_once(void **state) {
    (void)state;
    float f;
    /* Just above the middle between 1 and the next binary32: through binary64 it would land on the middle and round to even, down. */
    assert_true(acp_json_to_float(read_text("1.00000005960464477539062500001"), &f));
    assert_true(f == 0x1.000002p0f);
    assert_true(acp_json_to_float(read_text("1.000000059604644775390625"), &f));
    assert_true(f == 1.0f);
    assert_true(acp_json_to_float(read_text("1e-45"), &f));
    assert_true(f == 0x1p-149f);
    assert_true(acp_json_to_float(read_text("-0"), &f));
    assert_int_equal(memcmp(&f, &(float){-0.0f}, sizeof f), 0);
    int64_t whole;
    assert_true(acp_json_to_int64(read_text("-9223372036854775808"), &whole));
    assert_true(whole == INT64_MIN);
    assert_false(acp_json_to_int64(read_text("9223372036854775808"), &whole));
    assert_true(acp_json_to_int64(read_text("1.5e1"), &whole));
    assert_int_equal(whole, 15);
    assert_false(acp_json_to_int64(read_text("1.5"), &whole));
    assert_false(acp_json_to_int64(read_text("\"1\""), &whole));
}

static void writes_what_it_reads(void **state) {
    (void)state;
    static const char text[] = "{\"a\":[1,2.50,[],{},null,true,false],\"b\":{\"c\":\"x\\\"\\\\\\n\\u0001\xC3\xA9\"},\"d\":[{\"e\":[[1]]}]}";
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_json_write_tree(&writer, NULL, read_text(text));
    assert_string_equal(acp_json_writer_text(&writer), text);
    acp_json_writer_reset(&writer);
    acp_json_write_string(&writer, NULL, "bad \xFF byte");
    assert_string_equal(acp_json_writer_text(&writer), "\"bad \xEF\xBF\xBD byte\"");
    acp_json_writer_reset(&writer);
    acp_json_begin_object(&writer, NULL);
    acp_json_write_int(&writer, "i", INT64_MIN);
    acp_json_write_uint(&writer, "u", UINT64_MAX);
    acp_json_begin_array(&writer, "l");
    acp_json_write_flag(&writer, NULL, true);
    acp_json_write_bool(&writer, NULL, false);
    acp_json_write_null(&writer, NULL);
    acp_json_end_array(&writer);
    acp_json_write_id(&writer, "id", 0xA9B40001u);
    acp_json_end_object(&writer);
    acp_json_end_line(&writer);
    acp_json_begin_object(&writer, NULL);
    acp_json_end_object(&writer);
    assert_string_equal(acp_json_writer_text(&writer),
                        "{\"i\":-9223372036854775808,\"u\":18446744073709551615,\"l\":[1,false,null],\"id\":\"0xA9B40001\"}\n{}");
    acp_json_writer_free(&writer);
}

static void floats_carry_their_bits(void **state) {
    (void)state;
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL_AND_HEX};
    acp_json_begin_object(&writer, NULL);
    acp_json_write_float(&writer, "f", 0.1f);
    acp_json_write_double(&writer, "d", 0.1);
    acp_json_write_vec3(&writer, "v", (acp_vec3){1.0f, -2.5f, 0.0f});
    acp_json_write_float_rows(&writer, "r", (const float[]){1, 2, 3, 4}, 2, 2);
    float nan;
    memcpy(&nan, &(uint32_t){0x7FC00000u}, sizeof nan);
    acp_json_write_float(&writer, "n", nan);
    acp_json_end_object(&writer);
    assert_string_equal(acp_json_writer_text(&writer),
                        "{\"f\":0.1,\"f_hex\":\"3DCCCCCD\",\"d\":0.1,\"d_hex\":\"3FB999999999999A\",\"v\":[1,-2.5,0],\"v_hex\":\"3F800000 "
                        "C0200000 00000000\",\"r\":[[1,2],[3,4]],\"r_hex\":\"3F800000 40000000 40400000 40800000\",\"n\":\"7FC00000\","
                        "\"n_hex\":\"7FC00000\"}");
    writer.float_form = ACP_JSON_HEX_ONLY;
    acp_json_writer_reset(&writer);
    acp_json_begin_object(&writer, NULL);
    acp_json_write_plane(&writer, "p", (acp_plane){{0.0f, 0.0f, 1.0f}, -4.0f});
    acp_json_end_object(&writer);
    assert_string_equal(acp_json_writer_text(&writer), "{\"p\":{\"n_hex\":\"00000000 00000000 3F800000\",\"d_hex\":\"C0800000\"}}");
    acp_json_writer_free(&writer);
}

static void the_bits_win(void **state) {
    (void)state;
    acp_json_input input = {.result = ACP_OK};
    const acp_json *root = read_text("{\"v\":[9,9,9],\"v_hex\":\"3F800000 40000000 40400000\",\"w_hex\":\"BF800000\",\"x\":[[1,2],[3]],"
                                     "\"n\":\"7FC00000\",\"s\":{\"c\":[1,2,3],\"r\":4},\"d_hex\":\"3FB999999999999A\",\"z\":null}");
    acp_vec3 v = acp_json_get_vec3(&input, root, "v");
    assert_true(v.x == 1.0f && v.y == 2.0f && v.z == 3.0f);
    assert_true(acp_json_get_float(&input, root, "w") == -1.0f);
    v = acp_json_get_vec3(&input, root, "x");
    assert_true(v.x == 1.0f && v.y == 2.0f && v.z == 3.0f);
    float nan = acp_json_get_float(&input, root, "n");
    assert_true(nan != nan);
    acp_sphere s = acp_json_get_sphere(&input, root, "s");
    assert_true(s.center.z == 3.0f && s.radius == 4.0f);
    assert_true(acp_json_get_double(&input, root, "d") == 0.1);
    assert_false(acp_json_has(root, "z"));
    assert_true(acp_json_has(root, "w"));
    assert_true(acp_json_get_float_or(&input, root, "z", 7.0f) == 7.0f);
    assert_int_equal(input.result, ACP_OK);
}

static void the_first_fault_stays(void **state) {
    (void)state;
    acp_error error;
    static const struct {
        const char *text, *key;
    } cases[] = {
        {"{}", "v"},
        {"{\"v\":[1,2]}", "v"},
        {"{\"v\":[1,2,3,4]}", "v"},
        {"{\"v\":[1,2,\"x\"]}", "v"},
        {"{\"v\":[1,2,{}]}", "v"},
        {"{\"v_hex\":\"3F800000  40000000 40400000\"}", "v"},
        {"{\"v_hex\":\"3F800000 40000000 4040000\"}", "v"},
        {"{\"v_hex\":\"3F800000 40000000 4040000g\"}", "v"},
        {"{\"v_hex\":[1,2,3]}", "v"},
        {"{\"v_hex\":\"3F800000 40000000 40400000 \"}", "v"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        acp_json_input input = {.error = &error};
        (void)acp_json_get_vec3(&input, read_text(cases[i].text), cases[i].key);
        assert_int_equal(input.result, ACP_ERROR_BAD_DATA);
        (void)acp_json_get_id(&input, read_text("{\"cell\":\"x\"}"), "cell");
        assert_string_equal(error.field, "v");
    }
    static const char *const ids[] = {"\"\"", "\"0x\"", "\"A9B40001\"", "\"0xA9B400010\"", "\"0xG\"", "-1", "4294967296", "1.5", "[]"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        acp_json_input input = {.error = &error};
        (void)acp_json_to_id(&input, read_text(ids[i]), "id");
        assert_int_not_equal(input.result, ACP_OK);
    }
    acp_json_input input = {.error = &error};
    assert_int_equal(acp_json_to_id(&input, read_text("\"0xa9B40001\""), "id"), 0xA9B40001u);
    assert_int_equal(acp_json_to_id(&input, read_text("4294967295"), "id"), UINT32_MAX);
    assert_int_equal(input.result, ACP_OK);
    uint32_t count;
    (void)acp_json_to_polygon(&input, &reader, read_text("{\"v\":[[0,0,0],[1,1]]}"), &count);
    assert_int_equal(input.result, ACP_ERROR_BAD_DATA);
    assert_int_equal(count, 0);
}

static void frames_are_normalised_or_raw(void **state) {
    (void)state;
    acp_json_input input = {.result = ACP_OK};
    acp_matrix_frame frame = acp_json_to_frame(&input, read_text("{\"q\":[2,0,0,0],\"o\":[1,2,3]}"));
    assert_true(frame.rotation.w == 1.0f && frame.m[0] == 1.0f && frame.origin.z == 3.0f);
    frame = acp_json_to_frame(&input, read_text("{\"raw_q\":[2,0,0,0]}"));
    assert_true(frame.rotation.w == 2.0f && frame.origin.x == 0.0f);
    frame = acp_json_to_frame(&input, read_text("{}"));
    assert_true(frame.rotation.w == 1.0f && frame.m[8] == 1.0f);
    acp_matrix_position position =
        acp_json_to_position(&input, read_text("{\"cell\":\"0xA9B40001\",\"o_hex\":\"42A80000 00000000 80000000\"}"));
    assert_int_equal(position.cell_id, 0xA9B40001u);
    assert_true(position.frame.origin.x == 84.0f);
    assert_int_equal(input.result, ACP_OK);
    acp_json_writer writer = {.float_form = ACP_JSON_DECIMAL};
    acp_position shown = {0xA9B40001u, {{84.0f, 0.0f, -0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}}};
    acp_json_write_position(&writer, NULL, &shown);
    assert_string_equal(acp_json_writer_text(&writer), "{\"cell\":\"0xA9B40001\",\"q\":[1,0,0,0],\"o\":[84,0,-0.0]}");
    acp_json_writer_free(&writer);
}

/* ---- lines ---- */

static FILE *stream_of(const char *bytes, size_t length) {
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    rewind(stream);
    assert_int_equal(fflush(stream), 0);
    return stream;
}

static void lines_come_one_by_one(void **state) {
    (void)state;
    static const char bytes[] = "one\r\n\ntwo\0x\nlast";
    FILE *stream = stream_of(bytes, sizeof bytes - 1);
    acp_line_reader lines;
    const char *text;
    size_t length;
    acp_line_reader_init(&lines, stream);
    assert_int_equal(acp_line_reader_next(&lines, &text, &length), ACP_LINE_OK);
    assert_true(length == 3 && memcmp(text, "one", 3) == 0);
    assert_int_equal(acp_line_reader_next(&lines, &text, &length), ACP_LINE_OK);
    assert_int_equal(length, 0);
    assert_int_equal(acp_line_reader_next(&lines, &text, &length), ACP_LINE_OK);
    assert_true(length == 5 && memcmp(text, "two\0x", 5) == 0);
    assert_int_equal(acp_line_reader_next(&lines, &text, &length), ACP_LINE_OK);
    assert_true(length == 4 && lines.line_number == 4);
    assert_int_equal(acp_line_reader_next(&lines, &text, &length), ACP_LINE_END);
    acp_line_reader_close(&lines);
    fclose(stream);
}

/* Lines around the limit, with buffers that end anywhere. */
static void long_lines_are_skipped(void **state) {
    (void)state;
    static const size_t lengths[] = {99, 100, 101, 65535, 65536, 65537, 200000, 3};
    enum { count = sizeof lengths / sizeof lengths[0] };
    static const size_t limits[] = {100, 65536, 150000};
    for (size_t l = 0; l < 3; l++) {
        FILE *stream = tmpfile();
        assert_non_null(stream);
        for (size_t i = 0; i < count; i++) {
            for (size_t k = 0; k < lengths[i]; k++)
                fputc('a', stream);
            if (i + 1 < count) fputc('\n', stream);
        }
        rewind(stream);
        acp_line_reader lines;
        acp_line_reader_init(&lines, stream);
        lines.byte_limit = limits[l];
        for (size_t i = 0; i < count; i++) {
            const char *text;
            size_t length;
            acp_line_status status = acp_line_reader_next(&lines, &text, &length);
            assert_int_equal(status, lengths[i] > limits[l] ? ACP_LINE_TOO_LONG : ACP_LINE_OK);
            if (status == ACP_LINE_OK) assert_int_equal(length, lengths[i]);
            assert_int_equal(lines.line_number, i + 1);
        }
        const char *text;
        size_t length;
        assert_int_equal(acp_line_reader_next(&lines, &text, &length), ACP_LINE_END);
        acp_line_reader_close(&lines);
        fclose(stream);
    }
}

static void folders_and_missing_files_are_refused(void **state) {
    (void)state;
    acp_line_reader lines;
    acp_error error;
    assert_int_equal(acp_line_reader_open(&lines, ".", &error), ACP_ERROR_IO);
    assert_string_equal(error.file, ".");
    assert_int_not_equal(error.system_error, 0);
    assert_int_equal(acp_line_reader_open(&lines, "no/such/file", &error), ACP_ERROR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_all_kinds),
        cmocka_unit_test(the_first_of_equal_keys_counts),
        cmocka_unit_test(an_escaped_nul_is_part_of_a_string),
        cmocka_unit_test(refuses_what_is_no_json),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(memory_has_a_limit),
        cmocka_unit_test(numbers_are_rounded_once),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(floats_carry_their_bits),
        cmocka_unit_test(the_bits_win),
        cmocka_unit_test(the_first_fault_stays),
        cmocka_unit_test(frames_are_normalised_or_raw),
        cmocka_unit_test(lines_come_one_by_one),
        cmocka_unit_test(long_lines_are_skipped),
        cmocka_unit_test(folders_and_missing_files_are_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    acp_json_reader_free(&reader);
    return failed;
}
